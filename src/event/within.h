/* within.h - where copies are from, up to whole lines of global memory. */
#ifndef BSIM_EVENT_WITHIN_H
#define BSIM_EVENT_WITHIN_H

#include "base/bits.h"

#include <banksim/event.h>

#include <string.h>

/* Counts lanes' sources from the line that the first of them is in; others are 0. What a copy takes is the same
 * (model/copy.c). Nothing if there are no lanes. */
static inline void bsim_from_within(uint32_t lanes, uint64_t from[BSIM_WARP_LANES])
{
    const uint64_t line_bytes = 128;
    uint64_t first = lanes != 0 ? from[bsim_bits_lowest(lanes)] : 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        from[lane] = (lanes >> lane & 1) != 0 ? from[lane] - first / line_bytes * line_bytes : 0;
    }
}

/* Whether copies are from the same places, as bsim_from_within counts them. NULL: it is not told. */
static inline bool bsim_from_is_same(const uint64_t *a, const uint64_t *b)
{
    return a == NULL || b == NULL ? a == b : memcmp(a, b, BSIM_WARP_LANES * sizeof *a) == 0;
}

#endif
