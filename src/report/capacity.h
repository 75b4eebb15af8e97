/* capacity.h - what a block takes of an SM, in words. */
#ifndef BSIM_REPORT_CAPACITY_H
#define BSIM_REPORT_CAPACITY_H

#include <banksim/status.h>

#include <stdbool.h>
#include <stdint.h>

/* Whether so many bytes a block are more than arrays that are not extern can be. */
bool bsim_capacity_is_opt_in(uint64_t shared_bytes);

/* Appends how a kernel gets shared_bytes of shared memory a block, if arrays that are not extern
 * cannot have as many; otherwise nothing. */
void bsim_capacity_opt_in(uint64_t shared_bytes, struct bsim_buffer *out);

#endif
