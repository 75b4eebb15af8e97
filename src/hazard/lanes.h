/* lanes.h - what happens within one warp: races between its lanes, and stores of several lanes of
 * one request to one place. */
#ifndef BSIM_HAZARD_LANES_H
#define BSIM_HAZARD_LANES_H

#include "hazard/touch.h"

/* What orders the lanes of a warp. */
enum bsim_lane_order {
    BSIM_LANES_APART,   /* compute capability 7.0 and later: barriers alone */
    BSIM_LANES_IN_STEP, /* before: the order of the instructions, where the compiler keeps to it */
    BSIM_LANES_UNKNOWN, /* machine code, which does not show what ordered them: not looked at */
};

/* Zeroes: empty. */
struct bsim_lanes {
    enum bsim_lane_order order; /* of the running kernel */
    struct bsim_shadow shadow;
    struct bsim_touches touches;
    uint32_t *seen;            /* see lanes.c */
    size_t n_seen;             /* epochs */
    uint64_t stretch, request; /* numbers of those looked at, of the stream */
};

/* Looks at the warp's part of the oldest interval of its steps; `exist` are the lanes that the warp
 * has, *place has the block and barriers. False when memory is short. */
bool bsim_lanes_check(struct bsim_lanes *lanes, const struct bsim_steps *steps, uint32_t exist,
                      struct bsim_findings *findings, const struct bsim_race *place);

void bsim_lanes_free(struct bsim_lanes *lanes);

#endif
