/* pads.h - paddings of two levels that are looked through; see pads.c. */
#ifndef BSIM_ADVISE_PADS_H
#define BSIM_ADVISE_PADS_H

#include "advise/trial.h"

/* Looks for a padding of parts of rows, and another of rows, that is better than the best choice of the array
 * at hand, and adds it to its choices. as_is: what the array's patterns take as things are. False when memory
 * is short. */
bool bsim_pads_array(struct bsim_search *search, size_t array, size_t order,
                     const struct bsim_counted *as_is);

#endif
