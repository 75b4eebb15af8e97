/* pipe.c - queue, pool and data pipe: what becomes of a request is known when it issues.
 *
 *      issue --> [ queue of a partition ] --> ( pool of the SM ) --> data pipe --> last wavefront
 *                 queue_slots, in order        pool_slots, one        one wavefront per clock, one
 *                                              request per clock,     per 2 clocks of a partition,
 *                                              in order of issue      the oldest request first
 *
 * Nothing that issues later can hold a request up, so nobody has to watch the pipe clock by clock:
 *
 * - The pool takes requests in the order in which they issue. A request enters when its time in the
 *   queue is over, the one before it has entered and the pool has room: with 20 slots, when all but
 *   19 of the requests before it have had their last wavefronts.
 * - At most two requests have wavefronts at a time, each in the other's gaps. A request takes the
 *   first place that is free once it is ready, begins where its wavefronts fall into the other's
 *   gaps and goes on to its end without a pause. For who could come between? Only an older one that
 *   was not ready when this one began. Requests start in the order of the pool, so it can only have
 *   stood behind another of its partition, which then has the other place; and there it takes over
 *   when its turn comes, exactly one round after the other's last wavefront.
 *
 *          clock        10  11  12  13  14  15  16  17
 *          one place     A       A       A2      A2          A2, C behind A in partition 0;
 *          the other         B       D       D       D       D of partition 2 behind B of 1
 *
 * - A barrier is a fence: what issues behind it waits for all that issued in front of it, of whichever block. It comes to
 *   the pipe barrier_latency behind the last arrival, and stands in the pool if its block has had a request since the
 *   last one. So the conflicting stores of two blocks of one warp take turns at the pipe, each at half its rate, where
 *   there is a barrier between any two of them, and else go side by side:
 *
 *          block 0       A   A   A   |                       A   A   A   |
 *          block 1                     B   B   B   |                       B   B   B   |
 *
 *          block 0       A   A   A    |    A   A   A    |
 *          block 1        B   B   B     |   B   B   B     |
 *
 * Both places need that a partition's wavefronts are at least twice as far apart as the pipe's;
 * where they are not, there is one. A store_delay of more than a clock holds up all that is behind
 * in the pool. tests/property/test_timing_oracle.c compares with a pipe played wavefront by
 * wavefront.
 */
#include "timing/pipe.h"

#include "base/memory.h"

#include <stddef.h>

void bsim_pipe_start(struct bsim_pipe *pipe, const struct bsim_timing *timing)
{
    bsim_mem_clear(pipe, offsetof(struct bsim_pipe, gone));
    bool pairs = timing->partition_turn >= 2 * timing->turn_interval;
    pipe->to_entry = later(timing->queue_latency, 1);
    pipe->to_start[0] = later(timing->pool_latency, 1);
    pipe->to_start[1] = later(timing->pool_latency + timing->store_delay, 1);
    pipe->queue_slots = timing->queue_slots;
    pipe->partition_turn = timing->partition_turn;
    pipe->spacing = (uint32_t)later(timing->partition_turn, timing->turn_interval);
    pipe->spacing_mask = (pipe->spacing & (pipe->spacing - 1)) == 0 ? pipe->spacing - 1 : 0;
    pipe->gap = pairs ? timing->turn_interval : 0;
    pipe->turn_interval = timing->turn_interval;
    pipe->free[1] = pairs ? 0 : BSIM_NEVER;
    for (uint32_t i = 0; i < BSIM_MAX_PARTITIONS * timing->queue_slots; i++) {
        pipe->entry[i % BSIM_MAX_PARTITIONS][BSIM_MAX_SLOTS - 1 - i / BSIM_MAX_PARTITIONS] = 0; /* before the first */
    }
    bsim_mem_clear(pipe->gone[0], timing->pool_slots * sizeof pipe->gone[0][0]);
    pipe->end_gone[0] = timing->pool_slots; /* an empty pool is one that all have left */
    pipe->gone[0][pipe->end_gone[0]] = BSIM_NEVER;
    pipe->gone[1][0] = BSIM_NEVER;
}

void bsim_pipe_fence(struct bsim_pipe *pipe, uint64_t now, uint32_t turns, bool takes_place)
{
    uint64_t other = pipe->free[1] == BSIM_NEVER ? 0 : pipe->free[1];
    uint64_t end = later(pipe->free[0], other), before = sooner(pipe->free[0], other);
    uint64_t done = later((takes_place ? enter(pipe, now) : now) + pipe->to_start[0], pipe->start_ready);
    if (end > 0) {
        uint32_t beside = before + pipe->spacing > end ? pipe->turn_interval : 0;
        done = later(done, end + (uint64_t)(turns - 1) * pipe->spacing + beside);
    }
    if (takes_place) {
        note_gone(pipe, 0, done);
    }
    pipe->start_ready = done;
}
