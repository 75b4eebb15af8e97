/* pipe.h - the way of a request through queue, pool and data pipe; see pipe.c. */
#ifndef BSIM_TIMING_PIPE_H
#define BSIM_TIMING_PIPE_H

#include <banksim/result.h>

#include "result/clock.h"

/* A part of every step that each caller has in itself: of what it knows of the arguments less is left to do. */
#define BSIM_HOT static inline __attribute__((always_inline))

/* The other way round: what stands beside such a part and would take its registers. */
#define BSIM_APART static __attribute__((noinline))

enum { BSIM_PIPE_RING = 2 * BSIM_MAX_SLOTS }; /* a power of two, more than the pool has slots */

/* The data pipe has two places for requests under way, 0 and 1. */
struct bsim_pipe {
    uint64_t entry_ready; /* the pool takes its next request from then on */
    uint64_t start_ready; /* nor does that have its first wavefront before */
    uint64_t free[2]; /* a place takes its next request from then on; BSIM_NEVER: it is not there */
    /* Clocks from issue to the pool, and from there to the first wavefront: [1] of a request that
     * store_delay holds up. Pipe, pool and issue come in this order in a clock, so each is a clock
     * behind the next at least. */
    uint64_t to_entry, to_start[2];
    uint32_t queue_slots, partition_turn;
    uint32_t spacing; /* between two wavefronts of a request */
    uint32_t spacing_mask; /* one less, if that is a power of two, as it is on all devices; or 0 */
    uint32_t gap;     /* between wavefronts of the two places, or 0: there is one */
    uint32_t turn_interval;
    uint64_t turn_ready[BSIM_MAX_PARTITIONS]; /* the partition's next request has its first then */
    uint32_t n[BSIM_MAX_PARTITIONS]; /* its requests, modulo 2^32 */
    /* Last wavefronts of the requests that have not yet made room in the pool for another, by
     * place, in order, and BSIM_NEVER behind them: rings. */
    uint32_t first_gone[2], end_gone[2];
    uint64_t gone[2][BSIM_PIPE_RING];
    /* When the partition's requests enter the pool, so far as its queue may still wait for them. */
    uint64_t entry[BSIM_MAX_PARTITIONS][BSIM_MAX_SLOTS];
};

struct bsim_passage {
    uint64_t entry; /* it comes to the pool */
    uint64_t last;  /* its last wavefront */
    uint64_t room;  /* from then on the partition's queue takes another */
};

void bsim_pipe_start(struct bsim_pipe *pipe, const struct bsim_timing *timing);

/* A barrier comes to the pipe at `now`: what issues from then on has its first wavefront so many turns of a partition
 * behind the last of all that issued before, and a turn of the pipe later still where two ended side by side. Until then
 * it has a place in the pool, if it takes one. */
void bsim_pipe_fence(struct bsim_pipe *pipe, uint64_t now, uint32_t turns, bool takes_place);

/* ---- what every request goes through --------------------------------------------------------- */

/* When the next of the requests behind `first` has left the pool, which it puts behind it. */
BSIM_HOT uint64_t bsim_pipe_next_gone(const struct bsim_pipe *pipe, uint32_t first[2])
{
    uint64_t a = pipe->gone[0][first[0] % BSIM_PIPE_RING];
    uint64_t b = pipe->gone[1][first[1] % BSIM_PIPE_RING];
    first[b < a]++;
    return sooner_clock(a, b);
}

/* Another request has its last wavefront then, in that place. */
BSIM_HOT void note_gone(struct bsim_pipe *pipe, uint32_t place, uint64_t last)
{
    uint32_t i = pipe->end_gone[place]++;
    pipe->gone[place][i % BSIM_PIPE_RING] = last;
    pipe->gone[place][(i + 1) % BSIM_PIPE_RING] = BSIM_NEVER;
}

/* How much later a request has to begin whose first wavefront would be so long before the end of
 * the other place's: for its wavefronts to fall into the gaps. */
BSIM_HOT uint32_t to_the_gap(const struct bsim_pipe *pipe, uint64_t before)
{
    uint32_t off = (uint32_t)before + pipe->gap;
    off = pipe->spacing_mask > 0 ? off & pipe->spacing_mask : off % pipe->spacing;
    return off < 2 * pipe->gap ? off : 0;
}

/* A request of so many turns is ready then: its last wavefront. Of two places that are free it
 * takes the one that was free last: the other one's time may lie before it, for a younger request
 * that is ready sooner. Here and below there are choices rather than branches, as they fall either
 * way. */
BSIM_HOT uint64_t pass(struct bsim_pipe *pipe, uint64_t ready, uint32_t turns)
{
    uint64_t a = pipe->free[0], b = pipe->free[1];
    uint64_t late = later(a, b), first = later(ready, sooner_clock(a, b));
    uint32_t early = b < a;
    bool alone = ready >= late;
    uint32_t shift = to_the_gap(pipe, late - first), place = early ^ alone;
    first += choose(alone, 0, shift);
    uint64_t end = first + (uint64_t)turns * pipe->spacing, last = end - pipe->spacing;
    pipe->free[place] = end;
    note_gone(pipe, place, last);
    return last;
}

/* When something that issues now enters the pool. */
BSIM_HOT uint64_t enter(struct bsim_pipe *pipe, uint64_t now)
{
    uint64_t room = bsim_pipe_next_gone(pipe, pipe->first_gone);
    uint64_t entry = later(later(now + pipe->to_entry, pipe->entry_ready), room);
    pipe->entry_ready = entry + 1;
    return entry;
}

/* It leaves the partition's queue then. Returns when that has room for another. */
BSIM_HOT uint64_t leave_queue(struct bsim_pipe *pipe, uint32_t partition, uint64_t entry)
{
    uint64_t *entries = pipe->entry[partition];
    uint32_t n = pipe->n[partition]++;
    entries[n % BSIM_MAX_SLOTS] = entry;
    return entries[(n + 1 - pipe->queue_slots) % BSIM_MAX_SLOTS];
}

/* A request of the partition issues at `now`: its way. Requests come in the order of their clocks,
 * those of a clock in the order of their partitions. */
BSIM_HOT struct bsim_passage bsim_pipe_take(struct bsim_pipe *pipe, uint32_t partition, uint64_t now,
                                                 uint32_t turns, bool delayed)
{
    uint64_t entry = enter(pipe, now);
    uint64_t start = later(entry + pipe->to_start[delayed], pipe->start_ready);
    uint64_t last = pass(pipe, later(start, pipe->turn_ready[partition]), turns);
    pipe->start_ready = start;
    pipe->turn_ready[partition] = last + pipe->partition_turn;
    return (struct bsim_passage){entry, last, leave_queue(pipe, partition, entry)};
}

#endif
