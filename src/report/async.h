/* async.h - what wgmma and copies by TMA come to, in words; see async.c. */
#ifndef BSIM_REPORT_ASYNC_H
#define BSIM_REPORT_ASYNC_H

#include <banksim/result.h>

/* Of a kernel whose lanes ask nothing of shared memory. */
#define BSIM_ASYNC_NO_CONFLICTS "No bank conflicts: wgmma and copies by TMA have none.\n"
#define BSIM_PACKETS_NO_CONFLICTS \
    "No bank conflicts: what asks another block's shared memory goes there in packets, which have none.\n"

bool bsim_async_is_there(const struct bsim_kernel_result *kernel);

/* Nothing for a kernel without any. */
void bsim_async_text(const struct bsim_kernel_result *kernel, struct bsim_buffer *out);

#endif
