/* regular.h - formulas told from chance; see regular.c. */
#ifndef BSIM_ADVISE_REGULAR_H
#define BSIM_ADVISE_REGULAR_H

#include "advise/layout.h"
#include "advise/pattern.h"

/* True if the places of the pattern's lanes follow a formula of the lanes' numbers. subjects: by
 * array. */
bool bsim_pattern_is_regular(const struct bsim_pattern *pattern,
                             const struct bsim_subject *subjects);

#endif
