/* sweep.h - rotations of two levels, and bits that are flipped after them; see sweep.c. */
#ifndef BSIM_ADVISE_SWEEP_H
#define BSIM_ADVISE_SWEEP_H

#include "advise/trial.h"

/* Looks for what is better than the best choice of the array at hand, and adds it to its choices. as_is:
 * what the array's patterns take as things are. False when memory is short. */
bool bsim_sweep_array(struct bsim_search *search, size_t array, size_t order,
                      const struct bsim_counted *as_is);

#endif
