/* atomic.h - the reading of one atomic, as a statement's operation and place or as CUDA's call. */
#ifndef BSIM_EXPR_ATOMIC_H
#define BSIM_EXPR_ATOMIC_H

#include "expr/parse.h"

#include <banksim/event.h>

/* A part of the source: text[at .. end). */
struct bsim_extent {
    size_t at, end;
};

struct bsim_atomic {
    enum bsim_operation operation; /* of the opcode: an atomicSub adds */
    size_t at;                     /* in the source: behind the operation's word, if it has one */
    const struct bsim_node *place; /* an object or its address */
    bool is_used;                  /* somebody uses its result */
    bool assumes_one;              /* an addition that says no value: it is taken for 1 */
    bool is_one;                   /* adds the constant 1, or what compilers make the same of */
    struct bsim_extent result;     /* what stands before the "="; empty if nothing does */
    struct bsim_extent value;      /* from the first value to the last; empty if there is none */
};

/* True if a call begins at hand: atomicAdd, atomicSub, atomicMin, ..., atomicCAS. */
bool bsim_atomic_sees_call(const struct bsim_parse *parse);

/* Reads, from the token at hand,
 *
 *     [RESULT "="] CALL "(" PLACE "," VALUE ["," VALUE] ")"
 *     OPERATION [RESULT "="] PLACE ["," VALUE ["," VALUE]]
 *
 * and leaves the token behind it at hand. Results and values are any text with its brackets closed,
 * names that are not known among it: the counts depend on the place alone, and on whether the value
 * is the constant 1. False after a failure, which parse has. */
bool bsim_atomic_read(struct bsim_parse *parse, struct bsim_atomic *atomic);

/* The operation's word, "add"; NULL beyond the last. By index 0, 1, ... from BSIM_ADD on.
 * Static. */
const char *bsim_atomic_word(size_t index);

#endif
