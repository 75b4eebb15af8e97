/* memory.c - what global and constant memory add to the cycles of a block, at least and in turn.
 *
 * The machine plays shared memory alone. What else a block asks for is known by number:
 *
 *     data pipe   a wavefront of a global request takes a clock, as one of shared memory does, and from
 *                 Volta on it is the same pipe
 *     tags        four lines of global requests are looked up in a clock
 *     L2          a block's first load finds L1 empty, as each block is alone on its SM; in the sum
 *                 the loads between two barriers wait once, together
 *     constant    each further address of a request takes two clocks of the SM, or eleven of a warp
 *                 that waits for it
 *
 * Whatever is busiest of these bounds the block from below. A block that loads, meets at a barrier,
 * computes in shared memory and stores has little that overlaps: it takes about their sum.
 * README.md has where the numbers are from, and how far off both are.
 *
 * Not here: what L1 misses after the first load and how soon L2 answers many, DRAM, and the waits
 * of loads that depend on one another. No sector is told from one that was there before.
 */
#include "result/clock.h"

#include <banksim/result.h>

static uint64_t warps_of_block(const struct bsim_kernel_result *kernel)
{
    return later(kernel->blocks > 0 ? kernel->timed.warps_run / kernel->blocks : 0, 1);
}

/* What global requests of some classes take of the data pipe, and of the lines that are looked up, in clocks. */
struct taken {
    uint64_t turns, tags;
};

static struct taken taken_by(const struct bsim_kernel_result *kernel, int first, int end)
{
    const struct bsim_timing *c = &kernel->timed.timing;
    uint64_t wavefronts = 0, lines = 0;
    for (int class = first; class < end; class ++) {
        wavefronts += kernel->global[class].wavefronts;
        lines += kernel->global[class].lines;
    }
    return (struct taken){wavefronts * c->turn_interval, lines / later(c->tag_lines, 1)};
}

/* Beside wgmma and TMA the stores of lanes are played, on their way out of the SM (async.c). */
static uint64_t played_of(const struct bsim_kernel_result *kernel)
{
    struct taken stores = taken_by(kernel, BSIM_STORES, BSIM_STORES + 1);
    return kernel->timed.tensor + kernel->timed.copies > 0 ? later(stores.turns, stores.tags) : 0;
}

void bsim_cycles_memory(const struct bsim_kernel_result *kernel, struct bsim_memory_cycles *memory)
{
    const struct bsim_kernel_cycles *timed = &kernel->timed;
    const struct bsim_timing *c = &timed->timing;
    struct taken all = taken_by(kernel, 0, BSIM_N_CLASSES);
    *memory = (struct bsim_memory_cycles){.at_least = timed->cycles, .in_turn = timed->cycles};
    if (timed->left_out) {
        return;
    }
    uint64_t more_passes = kernel->constant_passes - kernel->constant_requests;
    uint64_t pipe = all.turns + (c->one_pipe ? timed->cycles_bound : 0);
    uint64_t busy = more_passes * c->constant_turn;
    memory->wavefronts = later(all.turns, all.tags);
    memory->played = sooner(played_of(kernel), memory->wavefronts);
    uint64_t first = sooner(timed->waits, kernel->blocks) * c->l2_latency;
    memory->latency = timed->waits * c->l2_latency;
    memory->constant = later(busy, more_passes * c->constant_latency / warps_of_block(kernel));
    memory->at_least = later(later(later(timed->cycles, pipe), later(all.tags, first)), busy);
    memory->in_turn += memory->wavefronts - memory->played + memory->latency + memory->constant;
}
