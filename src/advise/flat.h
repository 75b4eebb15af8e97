/* flat.h - what indices by rows and columns and by elements' numbers take; see flat.c. */
#ifndef BSIM_ADVISE_FLAT_H
#define BSIM_ADVISE_FLAT_H

#include "advise/layout.h"

/* *n: operations of the index that the subject's accesses have, by its rows and columns and, if some access
 * counts through these, by the element's number. False when memory is short. */
bool bsim_flat_operations(const struct bsim_subject *subject, const struct bsim_layout *layout,
                          uint32_t *n);

#endif
