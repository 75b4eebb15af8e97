/* index.h - indices that data decide; see index.c. */
#ifndef BSIM_EXPR_INDEX_H
#define BSIM_EXPR_INDEX_H

#include <banksim/event.h>

struct bsim_index {
    uint64_t number;      /* of the check's indices */
    uint64_t n;           /* values or entries, at least 1 */
    const double *below;  /* zipf: how likely the values up to each are; or NULL */
    const int64_t *table; /* or NULL */
    bool is_used;         /* some expression has it */
};

/* What a draw, a block and the turns that a warp has begun say together. */
uint64_t bsim_index_seed(uint64_t draw, struct bsim_dim3 block, uint64_t turn);

/* The value in thread `thread` of the block, for that seed: an int, sign-extended. Total. */
uint64_t bsim_index_value(const struct bsim_index *index, uint64_t seed, uint64_t thread);

#endif
