/* written.h - accesses whose text has the indices that a layout changes; see written.c. */
#ifndef BSIM_ADVISE_WRITTEN_H
#define BSIM_ADVISE_WRITTEN_H

#include "advise/pattern.h"

/* True if the access, which touches array number `index`, names its elements by its dimensions. */
bool bsim_access_is_written(const struct bsim_check *check, const struct bsim_patterns *patterns,
                            size_t access, uint32_t index);

#endif
