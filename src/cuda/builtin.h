/* builtin.h - functions that CUDA has built in, and the PTX that stands for each. */
#ifndef BSIM_CUDA_BUILTIN_H
#define BSIM_CUDA_BUILTIN_H

#include "c/type.h"

enum cu_builtin_kind {
    CU_INSTRUCTION, /* opcode result, arguments: nothing but its arguments makes its value */
    CU_EACH_TIME,   /* the same, but another value each time: a clock */
    CU_CHAIN,       /* opcodes one behind the other, ';' between: r = a(x), r = b(r) */
    CU_BARRIER,     /* opcode alone or with its arguments: orders memory */
    CU_ATOMIC, /* of a pointer and one or two values of what it leads to: opcode is its operation */
    CU_SHUFFLE,    /* mask, value, lane or distance [, width]: opcode is its mode */
    CU_VOTE,       /* mask, condition */
    CU_LOAD,       /* __ldg and its kin: opcode is the cache's */
    CU_CALCULATED, /* by a few instructions: lower_builtin.c */
};

struct cu_builtin {
    const char *name;
    /* The result's type, then the parameters': v b t i j l m f d, p a pointer, T what the pointer leads
     * to, and V any value of 4 or 8 bytes. */
    const char *types;
    enum cu_builtin_kind kind;
    const char *opcode;
};

/* The first row of that name, or NULL; those of the same name stand behind it. */
const struct cu_builtin *bsim_cu_find_builtin(const struct cu_token *name);

/* The row of a CU_BUILTIN's number. */
const struct cu_builtin *bsim_cu_builtin(uint64_t number);
uint64_t bsim_cu_builtin_number(const struct cu_builtin *builtin);

#endif
