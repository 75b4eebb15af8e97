/* say.h - PTX for one instruction of machine code: its operands as PTX has them, and lines.
 *
 *     IADD3 R4, R5, -R6, 0x10         neg.s32 %t0, %R6;
 *                                     add.s32 %t1, %R5, %t0;
 *                                     add.s32 %R4, %t1, 0x10;
 *
 * Registers R0 to R254, P0 to P6, UR0 to UR62, UP0 to UP6 are registers of PTX. What an instruction needs besides is t0, t1, ... (32 bits), d0,
 * ... (64 bits) and q0, ... (predicates). Of an instruction under a condition the last lines alone, which set what it sets, are under it.
 */
#ifndef BSIM_SASS_SAY_H
#define BSIM_SASS_SAY_H

#include "sass/dump.h"

enum { BSIM_SASS_TEMPORARIES = 32, BSIM_SASS_LABEL = 32, BSIM_SASS_WAYS = 256 };

/* An instruction that is being said. */
struct bsim_sass_saying {
    const struct bsim_sass_dump *dump;
    const struct bsim_sass_function *function;
    const struct bsim_sass_instruction *in;
    struct bsim_buffer *out;
    uint32_t n_t, n_d, n_q; /* temporaries that it has used */
    uint32_t number;        /* of the function, from 0 */
    char guard[BSIM_SASS_LABEL + 4]; /* "@!%P0 ", or "" */
    uint32_t way;           /* 0: the kernel's own; else that of a call, which is said anew for each */
    uint32_t n_ways;        /* so far, fewer than BSIM_SASS_WAYS */
    uint32_t new_entry, new_return; /* of the call that this instruction is: offsets; its way is n_ways */
    uint32_t back, back_way; /* where the way under way comes back to */
    const char *unknown;    /* what of it is not read here; NULL: nothing */
};

/* An operand of PTX. */
struct bsim_sass_name {
    char text[BSIM_SASS_LABEL];
};

/* A line, under the instruction's condition or without. */
void bsim_sass_say(struct bsim_sass_saying *s, const char *format, ...) BSIM_PRINTF(2, 3);
void bsim_sass_say_if(struct bsim_sass_saying *s, const char *format, ...) BSIM_PRINTF(2, 3);

/* That something of the instruction is not read here: a launch that comes to it is refused. */
void bsim_sass_refuse(struct bsim_sass_saying *s, const char *what);

/* Whether the word stands behind the opcode's dots. */
bool bsim_sass_has(const struct bsim_sass_saying *s, const char *modifier);

struct bsim_sass_name bsim_sass_new_t(struct bsim_sass_saying *s);
struct bsim_sass_name bsim_sass_new_d(struct bsim_sass_saying *s);
struct bsim_sass_name bsim_sass_new_q(struct bsim_sass_saying *s);

/* Operand i, which the instruction reads: 32 bits, whole or of single precision, 64 bits (of a pair of registers), double precision; a
 * condition as a register of its own. What PTX has no sign for is computed before. */
struct bsim_sass_name bsim_sass_whole(struct bsim_sass_saying *s, uint32_t i);
struct bsim_sass_name bsim_sass_single(struct bsim_sass_saying *s, uint32_t i);
struct bsim_sass_name bsim_sass_long(struct bsim_sass_saying *s, uint32_t i);
struct bsim_sass_name bsim_sass_double(struct bsim_sass_saying *s, uint32_t i);
/* A constant of 8 or 16 bits, as 32: type is PTX's, "s16". */
struct bsim_sass_name bsim_sass_narrow(struct bsim_sass_saying *s, uint32_t i, const char *type);
struct bsim_sass_name bsim_sass_condition(struct bsim_sass_saying *s, uint32_t i);

/* A pair of half precision: with H0_H0, H1_H1 the one of both; whole numbers of 16 bits in the same way. */
struct bsim_sass_name bsim_sass_halves(struct bsim_sass_saying *s, uint32_t i);

/* The same of operand i without its sign, and whether it has that sign: '-', '~' or '|'. */
struct bsim_sass_name bsim_sass_bare(struct bsim_sass_saying *s, uint32_t i);
bool bsim_sass_has_sign(const struct bsim_sass_saying *s, uint32_t i, char sign);

/* Register k behind the one that operand i names, which the instruction sets or reads; RZ is one that nobody reads. */
struct bsim_sass_name bsim_sass_register(const struct bsim_sass_saying *s, uint32_t i, uint32_t k);

/* Sets operand i, a register, a pair, a condition, to what the name has. */
void bsim_sass_set(struct bsim_sass_saying *s, uint32_t i, struct bsim_sass_name from);
void bsim_sass_set_long(struct bsim_sass_saying *s, uint32_t i, struct bsim_sass_name from);
void bsim_sass_set_condition(struct bsim_sass_saying *s, uint32_t i, struct bsim_sass_name from);

bool bsim_sass_is_condition(const struct bsim_sass_saying *s, uint32_t i); /* P0, !UP1, PT */
bool bsim_sass_is_nothing(const struct bsim_sass_saying *s, uint32_t i);   /* RZ, PT, URZ: set, it is lost */

/* The number that operand i is; 0 if it is none. */
uint32_t bsim_sass_number(const struct bsim_sass_saying *s, uint32_t i);

/* How a comparison is joined with a condition, "and", "or", "xor": one that says none is refused. */
const char *bsim_sass_join(struct bsim_sass_saying *s);

/* Sets operands 0 and 1 to a comparison, and its contrary, each joined with condition 4. */
void bsim_sass_set_compared(struct bsim_sass_saying *s, struct bsim_sass_name is_so);

/* ---- what is said of each opcode --------------------------------------------------------------- */

/* An opcode, what is said of it, and the modifiers that are read, each with a blank on both sides; NULL: any. */
struct bsim_sass_known {
    const char *opcode;
    void (*say)(struct bsim_sass_saying *s);
    const char *modifiers;
};

/* Says the instruction as known[0..n) has the opcode; false: it has not. */
bool bsim_sass_say_known(struct bsim_sass_saying *s, struct bsim_sass_word opcode, const struct bsim_sass_known *known, size_t n);

/* Says the instruction; false: it is none of these. */
bool bsim_sass_say_whole(struct bsim_sass_saying *s);  /* whole.c: whole numbers, bits */
bool bsim_sass_say_point(struct bsim_sass_saying *s);  /* point.c: floating point, conversions, matrices */
bool bsim_sass_say_memory(struct bsim_sass_saying *s); /* memory.c */
bool bsim_sass_say_loop(struct bsim_sass_saying *s);   /* memory.c: a loop that is one atomic, which begins here (loop.h) */
bool bsim_sass_say_flow(struct bsim_sass_saying *s);   /* flow.c: branches, barriers, lanes of a warp, special registers */

#endif
