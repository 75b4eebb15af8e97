/* shuffle.h - CUDA's warp shuffles in a statement of C: int v = __shfl_down_sync(mask, x, 16); */
#ifndef BSIM_EXPR_SHUFFLE_H
#define BSIM_EXPR_SHUFFLE_H

#include "expr/parse.h"

#include <banksim/expr.h>

/* One call. What is not known of it is NULL. */
struct bsim_shuffle {
    struct bsim_check_access shown; /* its site; parts: 2 for a value of 8 bytes */
    size_t from, to;                /* its text in the source */
    const struct bsim_node *mask;   /* whom it names; NULL: those that come to it */
    const struct bsim_node *value, *by;
    uint32_t width;
    size_t variable; /* that has the result, if value and by are known */
    const struct bsim_node
        *nobody; /* what the result is where it comes from no lane that takes part */
};

/* True if a name of the family is at hand: __shfl, __shfl_down_sync, ... */
bool bsim_shuffle_sees(const struct bsim_parse *parse);

/* Reads a call, from the token at hand, and notes it among what the statement does; its value. NULL
 * after a failure, which parse has. */
const struct bsim_node *bsim_shuffle_read(struct bsim_parse *parse);

#endif
