/* advise_reach.h - how far the plans of an advice get. */
#ifndef BSIM_REPORT_ADVISE_REACH_H
#define BSIM_REPORT_ADVISE_REACH_H

#include <banksim/advise.h>

/* The sentences below the plans: what is proven of the best, or the gap that is left, and what was not
 * looked for. */
void bsim_advice_reach(const struct bsim_check *check, const struct bsim_advice *advice,
                       struct bsim_buffer *out);

#endif
