/* async.c - wgmma and copies by TMA, counted.
 *
 * A wgmma's wavefronts go through the data pipe like a load's, and stand in the site's tally, all of them
 * ideal: no descriptor makes a conflict. A copy has no wavefront there; its sectors and bytes stand
 * where those of global requests do.
 */
#include "sim/async.h"

#include "event/async.h"
#include "model/family.h"

enum { WAVEFRONT_BYTES = 128 }; /* all banks are at work in each */

static uint32_t add_wgmma(const struct bsim_event *event, uint64_t n, struct bsim_tally *tally)
{
    struct bsim_wgmma wgmma = bsim_async_wgmma(event);
    uint32_t wavefronts = bsim_wgmma_wavefronts(&wgmma);
    uint64_t all = n * wavefronts;
    tally->requests += n;
    tally->wavefronts += all;
    tally->ideal += all;
    tally->bytes_asked += all * WAVEFRONT_BYTES;
    tally->bytes_served += all * WAVEFRONT_BYTES;
    tally->bytes_moved += all * WAVEFRONT_BYTES;
    tally->ways_min = tally->ways_max = 1;
    tally->rules |= bsim_rule_bit(BSIM_RULE_WGMMA);
    return wavefronts;
}

bool bsim_async_fits(const struct bsim_event *event, uint64_t n,
                     const struct bsim_site_result *site)
{
    const uint64_t most = UINT64_C(1) << 56;
    const struct bsim_tma *copy = &event->async->copy;
    if (event->opcode.family != BSIM_BULK) {
        return true;
    }
    uint64_t bytes = (uint64_t)bsim_tma_rows(copy) * bsim_tma_row_bytes(copy);
    return n <= (most - site->global.bytes_asked) / bytes;
}

uint32_t bsim_async_add(const struct bsim_event *event, uint64_t n, struct bsim_site_result *site)
{
    site->requests += n;
    if (event->opcode.family == BSIM_WGMMA) {
        return add_wgmma(event, n, &site->tally);
    }
    struct bsim_tma_counts counts;
    bsim_tma_count(&event->async->copy, &counts);
    site->global.requests += n;
    site->global.sectors += n * counts.sectors;
    site->global.bytes_asked += n * counts.bytes;
    site->tally.rules |= bsim_rule_bit(BSIM_RULE_TMA);
    return 0;
}
