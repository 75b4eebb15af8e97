/* pairs.h - which static accesses race with which, on the racy bytes of one interval? */
#ifndef BSIM_HAZARD_PAIRS_H
#define BSIM_HAZARD_PAIRS_H

#include "hazard/touch.h"

/* Of each byte and static access keeps the first touches of two warps. */
void bsim_pairs_thin_out(struct bsim_touches *touches);

/* Counts each pair that races into findings, byte by byte, until findings->is_cut; *place has the
 * block and barriers. Empties the touches. False when memory is short. */
bool bsim_pairs_report(struct bsim_touches *touches, struct bsim_findings *findings,
                         const struct bsim_race *place, uint64_t interval);

#endif
