/* pipe.h - the way of a request through queue, pool and data pipe; see pipe.c. */
#ifndef BSIM_TIMING_PIPE_H
#define BSIM_TIMING_PIPE_H

#include <banksim/result.h>

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
    uint32_t gap;     /* between wavefronts of the two places, or 0: there is one */
    uint32_t turn_interval;
    /* Last wavefronts of the requests that have not yet made room in the pool for another, by
     * place, in order, and BSIM_NEVER behind them: rings. */
    uint64_t gone[2][BSIM_PIPE_RING];
    uint32_t first_gone[2], end_gone[2];
    uint64_t turn_ready[BSIM_MAX_PARTITIONS]; /* the partition's next request has its first then */
    /* When the partition's requests enter the pool, so far as its queue may still wait for them. */
    uint64_t entry[BSIM_MAX_PARTITIONS][BSIM_MAX_SLOTS];
    uint32_t n[BSIM_MAX_PARTITIONS]; /* its requests, modulo 2^32 */
};

struct bsim_passage {
    uint64_t entry; /* it comes to the pool */
    uint64_t last;  /* its last wavefront */
    uint64_t room;  /* from then on the partition's queue takes another */
};

void bsim_pipe_start(struct bsim_pipe *pipe, const struct bsim_timing *timing);

/* When the next of the requests behind `first` has left the pool, which it puts behind it. */
uint64_t bsim_pipe_next_gone(const struct bsim_pipe *pipe, uint32_t first[2]);

/* A request of the partition issues at `now`: its way. Requests come in the order of their clocks,
 * those of a clock in the order of their partitions. */
struct bsim_passage bsim_pipe_take(struct bsim_pipe *pipe, uint32_t partition, uint64_t now,
                                   uint32_t turns, bool delayed);

/* A barrier opens at `now`: its turns in each of the first n partitions, behind their requests, and no younger
 * request begins before it has had them all. Returns when it has left all queues; room[]: from when on each
 * partition's takes another request. */
uint64_t bsim_pipe_fence(struct bsim_pipe *pipe, uint32_t n_partitions, uint64_t now, uint32_t turns, uint64_t room[]);

#endif
