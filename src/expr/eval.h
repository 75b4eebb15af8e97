/* eval.h - trees over the 32 lanes of a warp. */
#ifndef BSIM_EXPR_EVAL_H
#define BSIM_EXPR_EVAL_H

#include "expr/index.h"
#include "expr/tree.h"

#include <banksim/event.h>

/* A value in each lane: an integer, sign- or zero-extended as its type says; or an address, as the
 * number of an array and an offset from its first byte (as int64_t, perhaps outside). */
struct bsim_lanes {
    uint64_t value[BSIM_WARP_LANES];
    uint32_t array[BSIM_WARP_LANES]; /* of addresses only */
};

/* What a variable holds, in the lanes of `known`. In others its last value was undefined or not
 * known: that is a fault only where it is used. */
struct bsim_variable {
    uint32_t known;
    struct bsim_lanes lanes;
    const struct bsim_node *last; /* what it was set to, or NULL */
};

/* A loop that evaluation stands in: its variable has a value in every message. */
struct bsim_running_loop {
    const char *name;
    size_t variable;
};

/* Where evaluation stands. */
struct bsim_eval {
    struct bsim_dim3 thread[BSIM_WARP_LANES];
    uint32_t uniform[BSIM_N_BUILTINS]; /* by enum bsim_builtin, but for the thread and the lane */
    struct bsim_variable *variable;    /* by number */
    const struct bsim_running_loop *loop; /* outermost first */
    size_t n_loops;
    const uint64_t *values; /* of an expectation */
    uint64_t seed;          /* of what indices are at hand: bsim_index_seed */
    bool has_threads;       /* messages name thread and loop values */
    bool leaves_row; /* some lane's index went past its dimension, as in t[0][40] of 32 columns */
    bool asks_why;   /* a variable has no value: its last one is evaluated again */
    struct bsim_error *err;
};

/* The value of node in the lanes of mask; other entries of out are left alone. Fails with
 * BSIM_E_INPUT where C leaves the result undefined. */
enum bsim_status bsim_eval(struct bsim_eval *eval, const struct bsim_node *node, uint32_t mask,
                           struct bsim_lanes *out);

/* The lanes of mask in which node is not 0, in *truth. */
enum bsim_status bsim_eval_truth(struct bsim_eval *eval, const struct bsim_node *node,
                                 uint32_t mask, uint32_t *truth);

/* Sets variable `number` to the value of node in the lanes of mask. Lanes in which C leaves it
 * undefined are not known from then on. */
void bsim_eval_set(struct bsim_eval *eval, size_t number, const struct bsim_node *node,
                   uint32_t mask);

/* The same number in each lane. */
void bsim_eval_fill(struct bsim_eval *eval, size_t number, uint64_t value, uint32_t mask);

/* BSIM_E_INPUT for what went wrong in a lane, with its thread and the values of the loops. */
enum bsim_status bsim_eval_fault(const struct bsim_eval *eval, const struct bsim_node *node,
                                 uint32_t lane, const char *format, ...) BSIM_PRINTF(4, 5);

#endif
