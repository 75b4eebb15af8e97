/* segments.h - how many different segments of memory lanes touch; see segments.c. */
#ifndef BSIM_MODEL_SEGMENTS_H
#define BSIM_MODEL_SEGMENTS_H

#include <banksim/event.h>

/* How many different segments of `unit` bytes, a power of two, the lanes' first bytes lie in. */
uint32_t bsim_segments_count(const uint64_t address[BSIM_WARP_LANES], uint32_t lanes,
                             uint32_t unit);

/* The same for lane l at base + l * stride, if there is a closed form: false otherwise. */
bool bsim_segments_in_step(uint64_t base, int64_t stride, uint32_t lanes, uint32_t unit,
                           uint32_t *count);

#endif
