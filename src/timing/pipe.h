/* pipe.h - the way of a request through queue, pool and data pipe; see pipe.c. */
#ifndef BSIM_TIMING_PIPE_H
#define BSIM_TIMING_PIPE_H

#include <banksim/timing.h>

enum { BSIM_PIPE_RING = 2 * BSIM_MAX_SLOTS }; /* a power of two, more than the pool has slots */

struct bsim_pipe {
    uint64_t entry_ready; /* the pool takes its next request from then on */
    uint64_t start_ready; /* nor does that have its first wavefront before */
    uint64_t early, late; /* when each of the two places in the data pipe is free: the sooner, the
                               later; BSIM_NEVER: there is only one */
    uint32_t spacing;     /* between two wavefronts of a request */
    uint32_t n_gone;      /* requests that have made room in the pool for another, modulo 2^32 */
    uint64_t
        gone[BSIM_PIPE_RING]; /* last wavefronts of the pool_slots after them, in order of time */
    uint64_t turn_ready[BSIM_MAX_PARTITIONS]; /* the partition's next request has its first then */
    /* When the last queue_slots requests of each partition enter the pool: a ring. */
    uint64_t entry[BSIM_MAX_PARTITIONS][BSIM_MAX_SLOTS];
    uint32_t next[BSIM_MAX_PARTITIONS];
};

struct bsim_passage {
    uint64_t last; /* its last wavefront */
    uint64_t room; /* from then on the partition's queue takes another */
};

void bsim_pipe_start(struct bsim_pipe *pipe, const struct bsim_timing *timing);

/* A request of the partition issues at `now`: its way. Requests come in the order of their clocks,
 * those of a clock in the order of their partitions. */
struct bsim_passage bsim_pipe_take(struct bsim_pipe *pipe, const struct bsim_timing *timing,
                                   uint32_t partition, uint64_t now, uint32_t turns, bool delayed);

#endif
