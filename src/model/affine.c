/* affine.c - the counts of lanes in step, lane l at base + l * stride, by closed form.
 *
 * Let one bank stand for what a lane's access covers (fast.c), and let the stride be t such banks,
 * t = odd * 2^z. Then lanes l and m meet in one of n banks if l - m is a multiple of p = n / 2^z
 * (of 1 if 2^z is more than n), and the odd part does not matter:
 *
 *     t = 1, 3, 5, ...   p = n       each lane of a group has a bank of its own
 *     t = 2, 6, 10, ...  p = n / 2   lanes 0 and n / 2 meet, 1 and n / 2 + 1, ...
 *     t = n, 2n, ...     p = 1       all meet
 *
 * No two of them want the same row, unless t is 0 or the lanes run around 2^32. So m lanes in a row
 * of one group take m / p turns, rounded up; with p = 1 or p as large as the group, any m lanes do.
 * Nothing here depends on base. What is left (holes in the mask, strides that are no multiple of
 * the access, Kepler's 4-byte mode) is written out lane by lane.
 */
#include "model/fast.h"

static BSIM_FAST_INLINE bool are_in_a_row(uint32_t lanes)
{
    return (((lanes & (0 - lanes)) + lanes) & lanes) == 0;
}

/* A group's lanes take turns / 2^period_log2 turns each, rounded up. */
static BSIM_FAST_INLINE void deal_in_step(const struct bsim_deal_ask *ask, uint32_t period_log2,
                                          struct bsim_deal *deal)
{
    uint32_t size = BSIM_WARP_LANES >> ask->split;
    uint32_t group = BSIM_FULL_MASK >> (BSIM_WARP_LANES - size);
    *deal = (struct bsim_deal){.firsts = ask->lanes};
    if (ask->lanes == BSIM_FULL_MASK) {
        deal->ways = size >> period_log2;
        deal->groups = UINT32_C(1) << ask->split;
        deal->turns = deal->ways << ask->split;
        return;
    }
    if (ask->split == 0) {
        deal->ways =
            (bsim_fast_population(ask->lanes) + (UINT32_C(1) << period_log2) - 1) >> period_log2;
        deal->groups = ask->lanes != 0;
        deal->turns = deal->ways;
        return;
    }
    for (uint32_t first = 0; first < BSIM_WARP_LANES; first += size) {
        uint32_t lanes = bsim_fast_population(ask->lanes >> first & group);
        uint32_t ways = (lanes + (UINT32_C(1) << period_log2) - 1) >> period_log2;
        deal->turns += ways;
        deal->groups += ways > 0;
        deal->ways = ways > deal->ways ? ways : deal->ways;
    }
}

/* One row for all. */
static BSIM_FAST_INLINE void deal_at_once(const struct bsim_deal_ask *ask, struct bsim_deal *deal)
{
    struct bsim_deal_ask lowest = *ask;
    lowest.lanes = bsim_fast_lowest(ask);
    deal_in_step(&lowest, 0, deal);
}

/* False if there is no closed form. */
static BSIM_FAST_INLINE bool deal_affine(const struct bsim_deal_ask *ask, uint32_t stride,
                                         struct bsim_deal *deal)
{
    uint32_t n_log2 = bsim_fast_trailing_zeros(ask->last_bank + 1);
    if ((stride & ~(BSIM_FULL_MASK << ask->bank_from)) != 0 ||
        ask->row_bits != BSIM_FULL_MASK << ask->bank_from) {
        return false;
    }
    if (stride == 0) {
        if (ask->shares) {
            deal_at_once(ask, deal);
        } else {
            deal_in_step(ask, 0, deal);
        }
        return true;
    }
    uint32_t zeros = bsim_fast_trailing_zeros(stride);
    uint32_t z = zeros - ask->bank_from;
    uint32_t period_log2 = n_log2 > z ? n_log2 - z : 0;
    bool any_lanes = period_log2 == 0 || period_log2 + ask->split == 5;
    if (zeros > 32 - 5 || !(any_lanes || are_in_a_row(ask->lanes))) {
        return false;
    }
    deal_in_step(ask, period_log2, deal);
    return true;
}

/* The condition of the pair rule; see wide.c. */
static BSIM_FAST_INLINE bool pairs_affine(uint32_t mask, uint32_t stride)
{
    return stride == 0 || (mask & mask >> 1 & 0x55555555) == 0 || 2 * stride == 0 ||
           (mask & mask >> 2 & 0x33333333) == 0;
}

static BSIM_FAST_INLINE bool count_on(struct bsim_fast_banks banks,
                                      const struct bsim_device *device,
                                      const struct bsim_event *event, struct bsim_counts *counts)
{
    struct bsim_deal_ask ask;
    struct bsim_deal deal;
    const struct bsim_opcode *opcode = &event->opcode;
    uint32_t stride = (uint32_t)event->stride;
    if (!bsim_fast_ask(banks, device, opcode, event->mask, &ask)) {
        return false;
    }
    bool pairs = opcode->family == BSIM_LD && ask.split > 0 && pairs_affine(event->mask, stride);
    ask.split -= pairs && device->has_pair_rule;
    if (!deal_affine(&ask, stride, &deal)) {
        return false;
    }
    bsim_fast_fill(device, opcode, &ask, pairs, deal, bsim_fast_population(deal.firsts), counts);
    return true;
}

bool bsim_affine_count(const struct bsim_device *device, const struct bsim_event *event,
                       struct bsim_counts *counts)
{
    struct bsim_fast_banks banks;
    if (event->from != NULL) {
        return false;
    }
    if (bsim_fast_usual(device, &banks)) {
        return count_on(banks, device, event, counts);
    }
    return bsim_fast_banks(device, &banks) && count_on(banks, device, event, counts);
}
