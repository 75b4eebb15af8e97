/* async.h - what wgmma and copies by TMA come to, in words; see async.c. */
#ifndef BSIM_REPORT_ASYNC_H
#define BSIM_REPORT_ASYNC_H

#include <banksim/result.h>

bool bsim_async_is_there(const struct bsim_kernel_result *kernel);

/* What is said of conflicts where no lane asks its own block's shared memory: has_packets, some ask
 * another block's. A line. */
const char *bsim_async_without_requests(bool has_async, bool has_packets);

/* Nothing for a kernel without any. */
void bsim_async_text(const struct bsim_kernel_result *kernel, struct bsim_buffer *out);

#endif
