/* pairs.h - which static accesses race with which, on the racy bytes of one interval? */
#ifndef BSIM_HAZARD_PAIRS_H
#define BSIM_HAZARD_PAIRS_H

#include "hazard/findings.h"
#include "hazard/steps.h"

/* A step touches a byte. */
struct bsim_touch {
    const struct bsim_step *step;
    uint64_t address;
    uint32_t lane;
    size_t next_write; /* scratch: place of the next touch of the byte that writes */
};

/* Zeroes: empty. */
struct bsim_touches {
    struct bsim_touch *list;
    size_t n, capacity;
};

/* Adds one touch of a racy byte. A warp's steps come in program order, from one queue. False when
 * memory is short. */
bool bsim_touches_add(struct bsim_touches *touches, const struct bsim_step *step, uint64_t address,
                      uint32_t lane);

/* Counts each pair that races into findings, byte by byte, until findings->is_cut; *place has the
 * block and barriers. Empties the touches. False when memory is short. */
bool bsim_touches_report(struct bsim_touches *touches, struct bsim_findings *findings,
                         const struct bsim_race *place, uint64_t interval);

/* One side of a race. */
struct bsim_race_access bsim_touch_side(const struct bsim_step *step, uint32_t lane);

void bsim_touches_free(struct bsim_touches *touches);

#endif
