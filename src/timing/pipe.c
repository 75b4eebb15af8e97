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
 *   first place that is free once it is ready, begins where its wavefronts fall into the other's gaps
 *   and goes on to its end without a pause. For who could come between? Only an older one that was not
 *   ready when this one began. Requests start in the order of the pool, so it can only have stood
 *   behind another of its partition, which then has the other place; and there it takes over when its
 *   turn comes, exactly one round after the other's last wavefront.
 *
 *          clock        10  11  12  13  14  15  16  17
 *          one place     A       A       A2      A2          A2, C behind A in partition 0;
 *          the other         B       D       D       D       D of partition 2 behind B of 1
 *
 * Both places need that a partition's wavefronts are at least twice as far apart as the pipe's; where
 * they are not, there is one. A store_delay of more than a clock holds up all that is behind in the
 * pool. tests/property/test_timing_oracle.c compares with a pipe played wavefront by wavefront.
 */
#include "timing/pipe.h"

#include "timing/clock.h"

#include <string.h>

void bsim_pipe_start(struct bsim_pipe *pipe, const struct bsim_timing *timing)
{
    memset(pipe, 0, sizeof *pipe);
    bool pairs = timing->partition_turn >= 2 * timing->turn_interval;
    pipe->late = pairs ? 0 : BSIM_NEVER;
    pipe->spacing = (uint32_t)later(timing->partition_turn, timing->turn_interval);
}

/* Another request has its last wavefront then; for a slot of the pool that counts in order of time. */
static void note_gone(struct bsim_pipe *pipe, uint32_t n_slots, uint64_t last)
{
    uint32_t i = pipe->n_gone++ + n_slots;
    while (pipe->gone[(i - 1) % BSIM_PIPE_RING] > last) {
        pipe->gone[i % BSIM_PIPE_RING] = pipe->gone[(i - 1) % BSIM_PIPE_RING];
        i--;
    }
    pipe->gone[i % BSIM_PIPE_RING] = last;
}

/* How much later a request has to begin whose first wavefront would be so long before the end of the
 * other place's: for its wavefronts to be a turn_interval from the other's. */
static uint32_t to_the_gap(const struct bsim_pipe *pipe, const struct bsim_timing *timing,
                           uint64_t before)
{
    uint32_t off = ((uint32_t)before + timing->turn_interval) % pipe->spacing;
    return off < 2 * timing->turn_interval ? off : 0;
}

/* The first wavefront of a request that is ready then; it takes its place in the data pipe for n
 * clocks. */
static uint64_t begin(struct bsim_pipe *pipe, const struct bsim_timing *timing, uint64_t ready,
                      uint64_t n)
{
    uint64_t first = later(ready, pipe->early), other = pipe->early;
    if (ready < pipe->late) {
        other = pipe->late;
        first += other != BSIM_NEVER ? to_the_gap(pipe, timing, other - first) : 0;
    }
    uint64_t end = first + n;
    pipe->early = sooner(end, other);
    pipe->late = later(end, other);
    return first;
}

struct bsim_passage bsim_pipe_take(struct bsim_pipe *pipe, const struct bsim_timing *timing,
                                   uint32_t partition, uint64_t now, uint32_t turns, bool delayed)
{
    uint64_t room = pipe->gone[pipe->n_gone % BSIM_PIPE_RING];
    /* Pipe, pool and issue come in this order in a clock: each is a clock behind the next. */
    uint64_t queued = now + later(timing->queue_latency, 1);
    uint64_t entry = later(later(queued, pipe->entry_ready), room);
    uint64_t wait = timing->pool_latency + (delayed ? timing->store_delay : 0);
    uint64_t start = later(entry + later(wait, 1), pipe->start_ready);
    uint64_t n = (uint64_t)turns * pipe->spacing;
    uint64_t last =
        begin(pipe, timing, later(start, pipe->turn_ready[partition]), n) + n - pipe->spacing;
    uint32_t slot = pipe->next[partition];
    pipe->entry_ready = entry + 1;
    pipe->start_ready = start;
    pipe->turn_ready[partition] = last + timing->partition_turn;
    note_gone(pipe, timing->pool_slots, last);
    pipe->entry[partition][slot] = entry;
    slot = slot + 1 == timing->queue_slots ? 0 : slot + 1;
    pipe->next[partition] = slot;
    return (struct bsim_passage){last, pipe->entry[partition][slot]};
}
