/* lanes.h - C's integer arithmetic over all 32 lanes at once; see lanes.c. */
#ifndef BSIM_EXPR_LANES_H
#define BSIM_EXPR_LANES_H

#include "expr/tree.h"

#include <banksim/event.h>

/* The operation `kind` of two operands of `type` in each lane, as bsim_arith_binary has it; b may
 * have another integer type in shifts. out may be a or b. False, with out as it was, where the
 * operation is not known here or not defined in some lane: then go lane by lane. */
bool bsim_lanes_binary(enum bsim_node_kind kind, const struct cu_type *type,
                       const uint64_t a[BSIM_WARP_LANES], const uint64_t b[BSIM_WARP_LANES],
                       uint64_t out[BSIM_WARP_LANES]);

/* The same of one operand, of an integer type. */
bool bsim_lanes_unary(enum bsim_node_kind kind, const struct cu_type *type,
                      const uint64_t a[BSIM_WARP_LANES], uint64_t out[BSIM_WARP_LANES]);

#endif
