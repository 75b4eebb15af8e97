/* arith.h - one operation on integers, as C defines it; see arith.c. */
#ifndef BSIM_EXPR_ARITH_H
#define BSIM_EXPR_ARITH_H

#include "expr/tree.h"

/* Applies a unary or binary integer operator to values of `type`, the type of its left operand (and
 * of the right one but for shifts, whose right one may be of any type: right_signed says whether b
 * holds a signed number). Returns NULL and the value in *out, not yet wrapped to the node's own
 * type where that is another; or what is undefined about it, in a few words. */
const char *bsim_arith_unary(enum bsim_node_kind kind, const struct cu_type *type, uint64_t a,
                             uint64_t *out);
const char *bsim_arith_binary(enum bsim_node_kind kind, const struct cu_type *type, uint64_t a,
                              uint64_t b, bool right_signed, uint64_t *out);

#endif
