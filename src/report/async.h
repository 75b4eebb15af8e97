/* async.h - what wgmma and copies by TMA come to, in words; see async.c. */
#ifndef BSIM_REPORT_ASYNC_H
#define BSIM_REPORT_ASYNC_H

#include <banksim/result.h>

/* Nothing for a kernel without any. */
void bsim_async_text(const struct bsim_kernel_result *kernel, struct bsim_buffer *out);

#endif
