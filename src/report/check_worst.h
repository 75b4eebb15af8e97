/* check_worst.h - the worst request of an access in words. */
#ifndef BSIM_REPORT_CHECK_WORST_H
#define BSIM_REPORT_CHECK_WORST_H

#include <banksim/run.h>

/* Appends whose request it is, where its lanes meet, a map of the banks, and the remedy that is known;
 * nothing for one without conflicts that moves few bytes in vain. The request must be of shared memory. */
void bsim_check_worst_text(const struct bsim_check *check, const struct bsim_device *device,
                           const struct bsim_check_worst *worst, struct bsim_buffer *out);

#endif
