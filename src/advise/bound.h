/* bound.h - what no layout undercuts while vectors stay whole; see bound.c. */
#ifndef BSIM_ADVISE_BOUND_H
#define BSIM_ADVISE_BOUND_H

#include "advise/layout.h"
#include "advise/pattern.h"

/* Raises the least of the patterns. False when memory is short. */
bool bsim_bounds_raise(struct bsim_patterns *patterns, const struct bsim_subject *subjects,
                       size_t n_arrays);

#endif
