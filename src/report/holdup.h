/* holdup.h - what holds a launch up, in words; see holdup.c. */
#ifndef BSIM_REPORT_HOLDUP_H
#define BSIM_REPORT_HOLDUP_H

#include <banksim/result.h>

#include <banksim/status.h>

/* Appends the line that decides; nothing where there is no estimate for the launch, or neither shared
 * nor other memory is asked. tried_share: what of the kernel's cycles the best layout takes that was tried; 0: none was. */
void bsim_holdup_text(const struct bsim_kernel_result *kernel, double tried_share, struct bsim_buffer *out);

/* Appends ", 1.09 at most as ... takes ... cycles anyway" where less is gained than shared memory alone
 * would, which is left with `share` of its clocks. */
void bsim_holdup_anyway_text(const struct bsim_kernel_result *kernel, double share,
                             struct bsim_buffer *out);

/* What holds the launch up, in a few words for csv and json, what it takes of each, and how many times as
 * fast it would be at most without conflicts, 0 if that is not known. NULL: nothing is known. */
const char *bsim_holdup_find(const struct bsim_kernel_result *kernel, struct bsim_holdup *holdup,
                             double *gain);

#endif
