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

void bsim_cycles_memory(const struct bsim_kernel_result *kernel, struct bsim_memory_cycles *memory)
{
    const struct bsim_kernel_cycles *timed = &kernel->timed;
    const struct bsim_timing *c = &timed->timing;
    uint64_t wavefronts = 0, lines = 0;
    *memory = (struct bsim_memory_cycles){.at_least = timed->cycles, .in_turn = timed->cycles};
    if (timed->left_out) {
        return;
    }
    for (int class = 0; class < BSIM_N_CLASSES; class ++) {
        wavefronts += kernel->global[class].wavefronts;
        lines += kernel->global[class].lines;
    }
    uint64_t more_passes = kernel->constant_passes - kernel->constant_requests;
    uint64_t turns = wavefronts * c->turn_interval, tags = lines / later(c->tag_lines, 1);
    uint64_t pipe = turns + (c->one_pipe ? timed->cycles_bound : 0);
    uint64_t busy = more_passes * c->constant_turn;
    memory->wavefronts = later(turns, tags);
    uint64_t first = sooner(timed->waits, kernel->blocks) * c->l2_latency;
    memory->latency = timed->waits * c->l2_latency;
    memory->constant = later(busy, more_passes * c->constant_latency / warps_of_block(kernel));
    memory->at_least = later(later(later(timed->cycles, pipe), later(tags, first)), busy);
    memory->in_turn += memory->wavefronts + memory->latency + memory->constant;
}
