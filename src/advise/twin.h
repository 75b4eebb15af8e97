/* twin.h - accesses that look like another one after a remedy; see twin.c. */
#ifndef BSIM_ADVISE_TWIN_H
#define BSIM_ADVISE_TWIN_H

#include "advise/search.h"

/* Notes them in the advice's shapes, whose costs as things are must be known. False when memory is
 * short. */
bool bsim_twins_find(struct bsim_search *search);

#endif
