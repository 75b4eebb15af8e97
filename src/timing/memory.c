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
 * computes in shared memory and stores has little that overlaps: it takes about their sum. README.md
 * has where the numbers are from, and how far off both are.
 *
 * Not here: what L1 misses after the first load and how soon L2 answers many, DRAM, and the waits of
 * loads that depend on one another. No sector is told from one that was there before.
 */
#include "result/cycles.h"

#include "result/clock.h"

static uint64_t warps_of_block(const struct bsim_kernel_cycles *kernel)
{
    return later(kernel->blocks > 0 ? kernel->warps_run / kernel->blocks : 0, 1);
}

void bsim_cycles_memory(const struct bsim_kernel_cycles *kernel,
                        const struct bsim_memory_traffic *traffic,
                        struct bsim_memory_cycles *memory)
{
    const struct bsim_timing *c = &kernel->timing;
    *memory = (struct bsim_memory_cycles){.at_least = kernel->cycles, .in_turn = kernel->cycles};
    if (kernel->left_out) {
        return;
    }
    uint64_t turns = traffic->wavefronts * c->turn_interval,
             tags = traffic->lines / later(c->tag_lines, 1);
    uint64_t pipe = turns + (c->one_pipe ? kernel->cycles_bound : 0);
    uint64_t busy = traffic->more_passes * c->constant_turn;
    memory->wavefronts = later(turns, tags);
    uint64_t first = sooner(kernel->waits, kernel->blocks) * c->l2_latency;
    memory->latency = kernel->waits * c->l2_latency;
    memory->constant =
        later(busy, traffic->more_passes * c->constant_latency / warps_of_block(kernel));
    memory->at_least = later(later(later(kernel->cycles, pipe), later(tags, first)), busy);
    memory->in_turn += memory->wavefronts + memory->latency + memory->constant;
}
