/* async.c - what wgmma and copies by TMA come to, in words. They stand beside the requests of lanes, as they do in
 * the profiler (../result/ncu.c): a wgmma has no bank conflict, and a copy no wavefront.
 */
#include "report/async.h"

#include "report/cycles.h"

#include <inttypes.h>

static void tell_wgmma(const struct bsim_async_tally *async, struct bsim_buffer *out)
{
    if (async->wgmmas > 0) {
        bsim_buffer_printf(out,
                           "wgmma: %" PRIu64 " by a warpgroup each, %" PRIu64
                           " wavefronts of the data pipe; no descriptor makes a bank conflict\n",
                           async->wgmmas, async->wavefronts);
    }
}

static uint64_t n_copies(const struct bsim_async_tally *async)
{
    return async->loads + async->stores + async->reduces;
}

bool bsim_async_is_there(const struct bsim_kernel_result *kernel)
{
    struct bsim_async_tally async = bsim_kernel_async(kernel);
    return async.wgmmas + n_copies(&async) > 0;
}

const char *bsim_async_without_requests(bool has_async, bool has_packets)
{
    return has_async ? "No bank conflicts: wgmma and copies by TMA have none.\n"
           : has_packets
               ? "No bank conflicts: what asks another block's shared memory goes there in packets, "
                 "which have none.\n"
               : "No request touches shared memory.\n";
}

static void tell_copies(const struct bsim_async_tally *async, struct bsim_buffer *out)
{
    const uint64_t n[] = {async->loads, async->stores, async->reduces};
    static const char *const names[] = {"load", "store", "reduction"};
    const char *separator = "TMA: ";
    for (int i = 0; i < 3; i++) {
        if (n[i] > 0) {
            bsim_buffer_printf(out, "%s%" PRIu64 " %s%s", separator, n[i], names[i],
                               n[i] == 1 ? "" : "s");
            separator = ", ";
        }
    }
    if (n_copies(async) > 0) {
        bsim_buffer_printf(out,
                           ", %" PRIu64 " bytes%s, %" PRIu64
                           " sectors %s L2; no wavefront, never a conflict with itself\n",
                           async->bytes, n_copies(async) > 1 ? " in all" : "", async->sectors,
                           n_copies(async) == async->loads ? "from"
                           : async->loads == 0             ? "to"
                                                           : "from and to");
    }
}

static double share(uint64_t clocks, const struct bsim_kernel_cycles *timed)
{
    return 100.0 * (double)clocks / (double)timed->cycles;
}

/* The border is a place in the SM's memory, which a block's is alone where it is the SM's only one. */
static void tell_neighbours(const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    uint64_t blocks = (uint64_t)kernel->grid.x * kernel->grid.y * kernel->grid.z;
    if (kernel->timed.blocks_per_sm > 1 && blocks > kernel->device.n_sms) {
        bsim_buffer_printf(out,
                           "    so where a block's memory begins with its SM's; of the %" PRIu32
                           " on an SM the others begin behind it, and have the border elsewhere\n",
                           kernel->timed.blocks_per_sm);
    }
}

/* How much of the time each is at work: who holds the others up. */
static void tell_units(const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    const struct bsim_kernel_cycles *timed = &kernel->timed;
    bsim_buffer_printf(out,
                       "at work: tensor cores %.0f %% of the cycles, TMA %.0f %%, shared memory's data "
                       "pipe %.0f %%\n",
                       share(timed->tensor, timed), share(timed->copies, timed),
                       share(timed->cycles_bound, timed));
    if (timed->stores_met > 0) {
        bsim_buffer_printf(out,
                           "%" PRIu64 " of its stores read the half of shared memory (from byte %d on is the "
                           "other) where wgmma's operands lie:\n    beside wgmma such a store gets 2.5 to 18 "
                           "bytes a clock, from the other half 33\n",
                           timed->stores_met, (int)BSIM_TMA_HALF_BYTES);
        tell_neighbours(kernel, out);
    }
}

void bsim_async_text(const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    struct bsim_async_tally async = bsim_kernel_async(kernel);
    const struct bsim_kernel_cycles *timed = &kernel->timed;
    tell_wgmma(&async, out);
    tell_copies(&async, out);
    if (bsim_cycles_known(kernel) != NULL && timed->cycles > 0 &&
        (timed->tensor > 0 || timed->copies > 0)) {
        tell_units(kernel, out);
    } else if (timed->is_timed && !timed->left_out && timed->copies > 0) {
        bsim_buffer_printf(out, "cycles: not estimated of copies alone; TMA is at work for %" PRIu64
                                ", with their data in L2\n",
                           timed->copies);
    }
}
