/* prove.h - a plan laid out and counted anew before it is told; see prove.c. */
#ifndef BSIM_ADVISE_PROVE_H
#define BSIM_ADVISE_PROVE_H

#include "advise/search.h"

/* *holds: whether a filled plan is what it says. False when memory is short. */
bool bsim_plan_prove(const struct bsim_search *search, const struct bsim_advice_plan *plan,
                     bool *holds);

#endif
