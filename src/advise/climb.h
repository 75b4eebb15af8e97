/* climb.h - layouts that are found step by step; see climb.c. */
#ifndef BSIM_ADVISE_CLIMB_H
#define BSIM_ADVISE_CLIMB_H

#include "advise/trial.h"

/* Looks for what is better than the best choice of the array at hand, and adds it to its choices. as_is:
 * what the array's patterns take as things are. False when memory is short. */
bool bsim_climb_array(struct bsim_search *search, size_t array, size_t order,
                      const struct bsim_counted *as_is);

/* Looks for layouts that all patterns together, which are the ones at hand, take less than `least` with,
 * and leaves the best in search->joint. */
void bsim_climb_arrays(struct bsim_search *search, uint64_t least);

#endif
