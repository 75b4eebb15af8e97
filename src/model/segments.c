/* segments.c - counting different segments of memory: sectors, lines, words.
 *
 * Lanes in step by a segment or more want one each. In smaller steps they want every segment from
 * the first lane's to the last one's, if they are lanes in a row.
 *
 * Otherwise, neighbouring lanes mostly want neighbouring segments, in rising or in falling order:
 * then a segment is different if it is not the one before. Otherwise the segments go into a set, an
 * open hash table with twice as many slots as there are lanes.
 */
#include "model/segments.h"

#include "model/fast.h"

enum { SLOTS_LOG2 = 6, N_SLOTS = 1 << SLOTS_LOG2 };

/* False if the segments do neither rise nor fall. */
static bool count_in_order(const uint64_t address[BSIM_WARP_LANES], uint32_t lanes,
                           uint32_t unit_log2, uint32_t *count)
{
    bool rises = true, falls = true;
    uint32_t lane = 0;
    while (lane < BSIM_WARP_LANES && (lanes >> lane & 1) == 0) {
        lane++;
    }
    *count = lane < BSIM_WARP_LANES;
    uint64_t before = *count > 0 ? address[lane] >> unit_log2 : 0;
    for (; lane < BSIM_WARP_LANES; lane++) {
        uint64_t segment = (lanes >> lane & 1) != 0 ? address[lane] >> unit_log2 : before;
        *count += segment != before;
        rises = rises && segment >= before;
        falls = falls && segment <= before;
        before = segment;
    }
    return rises || falls;
}

static uint32_t count_as_set(const uint64_t address[BSIM_WARP_LANES], uint32_t lanes,
                             uint32_t unit_log2)
{
    uint64_t slots[N_SLOTS];
    uint64_t taken = 0;
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint64_t segment = address[lane] >> unit_log2;
        /* Fibonacci hashing (Knuth, volume 3, section 6.4). */
        uint32_t slot = (uint32_t)(segment * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOTS_LOG2));
        if ((lanes >> lane & 1) == 0) {
            continue;
        }
        /* cppcheck-suppress uninitvar ; a slot is read once it is taken */
        while ((taken >> slot & 1) != 0 && slots[slot] != segment) {
            slot = (slot + 1) % N_SLOTS;
        }
        n += (taken >> slot & 1) == 0;
        taken |= UINT64_C(1) << slot;
        slots[slot] = segment;
    }
    return n;
}

uint32_t bsim_segments_count(const uint64_t address[BSIM_WARP_LANES], uint32_t lanes, uint32_t unit)
{
    uint32_t unit_log2 = bsim_fast_trailing_zeros(unit);
    uint32_t count;
    return count_in_order(address, lanes, unit_log2, &count)
               ? count
               : count_as_set(address, lanes, unit_log2);
}

bool bsim_segments_in_step(uint64_t base, int64_t stride, uint32_t lanes, uint32_t unit,
                           uint32_t *count)
{
    /* What is shorter than this cannot go all the way round 2^64. */
    const int64_t longest = INT64_C(1) << 56;
    uint32_t n = bsim_fast_population(lanes);
    if (lanes == 0 || stride <= -longest || stride >= longest) {
        return false;
    }
    uint64_t step = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
    if (step >= unit) {
        *count = n;
        return true;
    }
    uint64_t from = base + bsim_fast_trailing_zeros(lanes) * (uint64_t)stride;
    uint64_t to = from + (n - 1) * (uint64_t)stride;
    uint32_t lowest = lanes & (0 - lanes);
    bool in_a_row = ((lanes + lowest) & lanes) == 0;
    uint64_t low = stride < 0 ? to : from, high = stride < 0 ? from : to;
    /* Around 2^64 too: 2^64 / unit is a multiple of 2^32. */
    *count = (uint32_t)(high / unit - low / unit) + 1;
    return in_a_row;
}
