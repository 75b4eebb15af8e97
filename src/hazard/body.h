/* body.h - repeats: records the outermost one until its DONE, then runs as many of its turns as
 * races need. */
#ifndef BSIM_HAZARD_BODY_H
#define BSIM_HAZARD_BODY_H

#include "hazard/block.h"

struct bsim_body_loop {
    size_t begin, end; /* of its body among the steps */
    uint32_t trips;
    bool is_uniform;   /* every warp executes the same number of barriers in a turn */
    bool has_partial;  /* it has barriers of some lanes of a warp */
    uint64_t barriers; /* of warp 0 in a turn */
};

/* Zeroes: empty. */
struct bsim_body {
    struct bsim_steps steps;
    struct bsim_body_loop *loops; /* in the order of their REPEATs; 0: the outermost */
    size_t n_loops;
    uint32_t depth; /* of repeats that are open */
    size_t open[BSIM_REPEAT_MAX_DEPTH];
    uint64_t barriers[BSIM_REPEAT_MAX_DEPTH][BSIM_BLOCK_MAX_WARPS]; /* in a turn of each open one */
    uint64_t n_run; /* steps of warps, in the outermost repeat */
};

/* A REPEAT; there is room for its depth. False when memory is short. */
bool bsim_body_open(struct bsim_body *body, uint32_t trips);

/* A step inside a repeat. False when memory is short. */
bool bsim_body_add(struct bsim_body *body, const struct bsim_step *step, const uint64_t *address);

/* A DONE; that of the outermost repeat runs it in the block. Fails with BSIM_E_INPUT for more than
 * 2^47 barriers or a repeat that would take too long, and as the block does. */
enum bsim_status bsim_body_close(struct bsim_body *body, struct bsim_block *block,
                                 struct bsim_error *err) BSIM_MUST_USE;

void bsim_body_free(struct bsim_body *body);

#endif
