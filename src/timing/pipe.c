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
 * - A barrier that opens is a fence: a turn of each partition, as if it were a request of each, and what is
 *   younger comes behind all of these. So two blocks of one warp with conflicting stores take turns at the
 *   pipe, each at half its rate, unless no request has come between their barriers:
 *
 *          block 0       A   A   A   |                       A   A   A   |
 *          block 1                     B   B   B   |                       B   B   B   |
 *
 * Both places need that a partition's wavefronts are at least twice as far apart as the pipe's;
 * where they are not, there is one. A store_delay of more than a clock holds up all that is behind
 * in the pool. tests/property/test_timing_oracle.c compares with a pipe played wavefront by
 * wavefront.
 */
#include "timing/pipe.h"

#include "result/clock.h"

#include <string.h>

void bsim_pipe_start(struct bsim_pipe *pipe, const struct bsim_timing *timing)
{
    memset(pipe, 0, sizeof *pipe);
    bool pairs = timing->partition_turn >= 2 * timing->turn_interval;
    pipe->to_entry = later(timing->queue_latency, 1);
    pipe->to_start[0] = later(timing->pool_latency, 1);
    pipe->to_start[1] = later(timing->pool_latency + timing->store_delay, 1);
    pipe->queue_slots = timing->queue_slots;
    pipe->partition_turn = timing->partition_turn;
    pipe->spacing = (uint32_t)later(timing->partition_turn, timing->turn_interval);
    pipe->gap = pairs ? timing->turn_interval : 0;
    pipe->turn_interval = timing->turn_interval;
    pipe->free[1] = pairs ? 0 : BSIM_NEVER;
    pipe->end_gone[0] = timing->pool_slots; /* an empty pool is one that all have left */
    pipe->gone[0][pipe->end_gone[0]] = BSIM_NEVER;
    pipe->gone[1][0] = BSIM_NEVER;
}

uint64_t bsim_pipe_next_gone(const struct bsim_pipe *pipe, uint32_t first[2])
{
    uint64_t a = pipe->gone[0][first[0] % BSIM_PIPE_RING];
    uint64_t b = pipe->gone[1][first[1] % BSIM_PIPE_RING];
    first[b < a]++;
    return sooner(a, b);
}

/* Another request has its last wavefront then, in that place. */
static void note_gone(struct bsim_pipe *pipe, uint32_t place, uint64_t last)
{
    uint32_t i = pipe->end_gone[place]++;
    pipe->gone[place][i % BSIM_PIPE_RING] = last;
    pipe->gone[place][(i + 1) % BSIM_PIPE_RING] = BSIM_NEVER;
}

/* How much later a request has to begin whose first wavefront would be so long before the end of
 * the other place's: for its wavefronts to fall into the gaps. */
static uint32_t to_the_gap(const struct bsim_pipe *pipe, uint64_t before)
{
    uint32_t off = ((uint32_t)before + pipe->gap) % pipe->spacing;
    return off < 2 * pipe->gap ? off : 0;
}

/* A request of so many turns is ready then: its last wavefront. Of two places that are free it
 * takes the one that was free last: the other one's time may lie before it, for a younger request
 * that is ready sooner. Here and below there are choices rather than branches, as they fall either
 * way. */
static uint64_t pass(struct bsim_pipe *pipe, uint64_t ready, uint32_t turns)
{
    uint32_t early = pipe->free[1] < pipe->free[0];
    uint64_t late = pipe->free[!early], first = later(ready, pipe->free[early]);
    bool alone = ready >= late;
    uint32_t shift = to_the_gap(pipe, late - first), place = early ^ alone;
    first += choose(alone, 0, shift);
    pipe->free[place] = first + (uint64_t)turns * pipe->spacing;
    uint64_t last = pipe->free[place] - pipe->spacing;
    note_gone(pipe, place, last);
    return last;
}

/* When something that issues now enters the pool. */
static uint64_t enter(struct bsim_pipe *pipe, uint64_t now)
{
    uint64_t room = bsim_pipe_next_gone(pipe, pipe->first_gone);
    uint64_t entry = later(later(now + pipe->to_entry, pipe->entry_ready), room);
    pipe->entry_ready = entry + 1;
    return entry;
}

/* It leaves the partition's queue then. Returns when that has room for another. */
static uint64_t leave_queue(struct bsim_pipe *pipe, uint32_t partition, uint64_t entry)
{
    uint64_t *entries = pipe->entry[partition];
    uint32_t n = pipe->n[partition]++;
    entries[n % BSIM_MAX_SLOTS] = entry;
    return entries[(n + 1 - pipe->queue_slots) % BSIM_MAX_SLOTS];
}

struct bsim_passage bsim_pipe_take(struct bsim_pipe *pipe, uint32_t partition, uint64_t now,
                                   uint32_t turns, bool delayed)
{
    uint64_t entry = enter(pipe, now);
    uint64_t start = later(entry + pipe->to_start[delayed], pipe->start_ready);
    uint64_t last = pass(pipe, later(start, pipe->turn_ready[partition]), turns);
    pipe->start_ready = start;
    pipe->turn_ready[partition] = last + pipe->partition_turn;
    return (struct bsim_passage){entry, last, leave_queue(pipe, partition, entry)};
}

uint64_t bsim_pipe_fence(struct bsim_pipe *pipe, uint32_t n_partitions, uint64_t now, uint32_t turns, uint64_t room[])
{
    uint64_t last = 0, entry = 0;
    for (uint32_t i = 0; i < n_partitions; i++) {
        struct bsim_passage passage = bsim_pipe_take(pipe, i, now, turns, false);
        last = later(last, passage.last);
        entry = passage.entry;
        room[i] = passage.room;
    }
    pipe->start_ready = later(pipe->start_ready, last + pipe->turn_interval);
    return entry;
}
