/* capacity.h - what a block takes of an SM, in words. */
#ifndef BSIM_REPORT_CAPACITY_H
#define BSIM_REPORT_CAPACITY_H

#include <banksim/buffer.h>

#include <stdint.h>

/* Appends how a kernel gets shared_bytes of shared memory a block, if arrays that are not extern cannot
 * have as many; otherwise nothing. */
void bsim_capacity_opt_in(uint64_t shared_bytes, struct bsim_buffer *out);

#endif
