/* spread.c - between which clocks a launch of several blocks on an SM lies.
 *
 * Blocks that share an SM take turns in one rhythm or another, which the GPU itself changes from SM to SM:
 *
 *     block 0  st bar   st bar   st bar          block 0  st bar       st bar
 *     block 1    st bar   st bar   st bar        block 1     st    bar    st    bar
 *
 * The model plays one of them. Which there are cannot be told from the program, but how far they are
 * apart can: by whether the blocks have barriers, and how few warps go to one. The ranges are those of 1 to
 * 99 % of the programs of tests/measured/h200/blocks of seeds 14 and 15 (clocks that an H200 took, over
 * those that were played); those of seed 16 are what they are held against, see README.md.
 */
#include "result/clock.h"

#include <banksim/result.h>

struct range {
    uint32_t least, most; /* per cent of what was played */
};

static const struct range few_warps = {82, 150}, with_barriers = {75, 118},
                          without_barriers = {88, 129};

enum { FEW_WARPS = 2 };

static uint64_t part(uint64_t clocks, uint32_t per_cent)
{
    return clocks / 100 * per_cent + clocks % 100 * per_cent / 100;
}

bool bsim_cycles_spread(const struct bsim_kernel_result *kernel, struct bsim_spread *spread)
{
    const struct bsim_kernel_cycles *timed = &kernel->timed;
    uint64_t threads = (uint64_t)kernel->block.x * later(kernel->block.y, 1) *
                       later(kernel->block.z, 1);
    const struct range *range = kernel->barriers == 0                    ? &without_barriers
                                : threads <= FEW_WARPS * BSIM_WARP_LANES ? &few_warps
                                                                         : &with_barriers;
    *spread = (struct bsim_spread){timed->launch_cycles, timed->launch_cycles};
    if (timed->cycles_sampled == 0 || timed->waves == 0 || timed->launch_cycles >= BSIM_NEVER) {
        return false;
    }
    *spread = (struct bsim_spread){part(timed->launch_cycles, range->least),
                                   part(timed->launch_cycles, range->most)};
    return true;
}
