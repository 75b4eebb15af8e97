/* machine.h - the state of one SM while it plays a block; see machine.c and steady.c. */
#ifndef BSIM_TIMING_MACHINE_H
#define BSIM_TIMING_MACHINE_H

#include <banksim/timing.h>

#include "timing/program.h"

#define BSIM_NEVER UINT64_MAX

enum {
    BSIM_RESULTS = 64, /* kept per warp; a power of two, more than can be under way */
    BSIM_QUEUE = 32,   /* requests of a partition, waiting or in the pool; a power of two */
};

/* Sums that grow while the block runs: kept flat so that steady.c can scale them. */
enum bsim_sum { BSIM_SUM_ISSUE, BSIM_SUM_BARRIER, BSIM_N_SUMS };
enum bsim_site_sum {
    BSIM_SITE_REQUESTS,
    BSIM_SITE_TURNS,
    BSIM_SITE_IDEAL,
    BSIM_SITE_PIPE,
    BSIM_SITE_LATENCY,
    BSIM_N_SITE_SUMS,
};

struct bsim_loop_state {
    uint32_t op;    /* its LOOP */
    uint32_t left;  /* turns, with the running one */
    uint64_t start; /* of the running turn */
};

struct bsim_load_result {
    uint64_t done;  /* or BSIM_NEVER: not served yet */
    uint32_t delay; /* later than an idle machine without conflicts would have it */
    uint16_t site;
    uint8_t registers;
};

struct bsim_warp_state {
    const struct bsim_op *ops, *op;    /* op: the next to issue */
    struct bsim_load_result *awaited;  /* what op waits for, or NULL: follows from the rest */
    uint64_t ready;                    /* the next op may issue, results and units aside */
    uint64_t memory_ready;             /* the next memory op may */
    uint64_t memory_open, branch_open; /* the last barrier lets these through */
    uint64_t first;                    /* issue of a work's first instruction */
    uint64_t accounted;                /* the warp's time is in the sums up to here */
    uint64_t end;                      /* its last issue or result */
    uint32_t work_left;                /* instructions of op, if it is a work */
    uint32_t control_left;             /* instructions of the innermost loop's control */
    uint32_t turn_issues;              /* instructions of this turn so far */
    uint32_t since_compare;            /* clocks since its comparison, see count_since_compare */
    uint32_t n_results;                /* issued so far, modulo 2^32 */
    uint32_t n_used;                   /* of them, consumed by a work */
    uint32_t depth;
    uint32_t partition, place;
    bool at_barrier;
    bool finished;
    struct bsim_loop_state loop[BSIM_REPEAT_MAX_DEPTH];
    struct bsim_load_result result[BSIM_RESULTS];
};

struct bsim_queued {
    const struct bsim_op *op;
    uint64_t issued;
    uint64_t pooled; /* its entry into the pool: its age there */
    uint64_t start;  /* earliest first wavefront */
    uint32_t result; /* its number among the warp's */
    uint16_t turns;
    uint8_t warp;
};

struct bsim_partition {
    uint32_t head, n_queued, n_pooled;
    uint64_t turn_ready; /* the next wavefront of the request at the head */
    uint64_t issue_ready, control_ready;
    uint64_t gate[BSIM_N_OP_KINDS]; /* no op of the kind issues before: work, memory */
    uint32_t n_warps, last;         /* local numbers: warp = local * n_partitions + partition */
    uint32_t first_place;           /* of its warps in wake, kind, control */
    struct bsim_queued queue[BSIM_QUEUE]; /* a ring: first the pooled, then the waiting */
};

struct bsim_snapshot; /* steady.c's */

struct bsim_machine {
    const struct bsim_timing *timing;
    const struct bsim_program *program;
    bool ideal_all;      /* play without conflicts: all sites, or one */
    uint32_t ideal_site; /* or BSIM_NO_SITE */
    uint64_t now;
    uint64_t skipped; /* clocks that steady.c left out */
    uint64_t pipe_ready, pool_ready;
    uint32_t n_pooled;
    uint32_t n_arrived; /* warps at the barrier */
    uint32_t n_gone;    /* warps that have ended and are not awaited there */
    uint64_t last_arrival, barrier_ready;
    uint32_t n_running; /* warps that have not ended */
    uint32_t n_pending; /* results to come */
    bool any_result;
    uint32_t turns_left[BSIM_MAX_PARTITIONS]; /* of the request at the head, once it has begun */
    uint64_t *sum;                            /* BSIM_N_SUMS, then BSIM_N_SITE_SUMS for each site */
    size_t n_sums;
    uint32_t turned; /* bit d: the leader of depth d has begun another turn of its loop */
    uint32_t leader[BSIM_REPEAT_MAX_DEPTH]; /* a warp, or BSIM_ALL_WARPS */
    uint32_t waited[BSIM_REPEAT_MAX_DEPTH]; /* turns of others since the leader's last */
    struct bsim_snapshot *snapshot[BSIM_REPEAT_MAX_DEPTH];
    /* What follows from the rest, kept so that a clock need not look at everything. Of partitions:
     * the next wavefront of the request at the head, and its age; the entry into the pool of the
     * first that waits; the next issue. age and pool_at are keys, see key_of. */
    uint64_t turn_at[BSIM_MAX_PARTITIONS], age[BSIM_MAX_PARTITIONS];
    uint64_t pool_at[BSIM_MAX_PARTITIONS], wake_at[BSIM_MAX_PARTITIONS];
    /* Of warps, partition after partition: when the next op can issue, the partition's gates aside,
     * and its kind; when the control of the innermost loop can, or BSIM_NEVER. */
    uint64_t wake[BSIM_BLOCK_MAX_WARPS], control[BSIM_BLOCK_MAX_WARPS];
    uint8_t kind[BSIM_BLOCK_MAX_WARPS];
    struct bsim_partition partition[BSIM_MAX_PARTITIONS];
    struct bsim_warp_state warp[BSIM_BLOCK_MAX_WARPS];
};

struct bsim_run {
    const struct bsim_timing *timing;
    const struct bsim_program *program;
    size_t n_sites;
    uint64_t *sum; /* BSIM_N_SUMS + n_sites * BSIM_N_SITE_SUMS, added to; NULL: not wanted */
    bool ideal_all;
    uint32_t ideal_site; /* or BSIM_NO_SITE */
    bool every_turn;
};

/* A machine, to play any number of programs, or NULL when memory is short. */
struct bsim_machine *bsim_machine_new(void);
void bsim_machine_free(struct bsim_machine *machine);

/* Plays a program and adds up what it took. BSIM_E_MEMORY is the only failure; the sums are of no use
 * then. */
enum bsim_status bsim_machine_run(struct bsim_machine *machine, const struct bsim_run *run,
                                  uint64_t *cycles, struct bsim_error *err);

/* Books what warps that could go on, or stand at a barrier, have waited so far. Books come out the
 * same however often; a warp that is held up for long then looks the same all the while. */
void bsim_machine_settle(struct bsim_machine *machine);

/* Called between two clocks after leaders have begun a turn: if the machine has been in this very
 * state before, leaves out as many repetitions as the loops have. False: memory is short. */
bool bsim_steady_skip(struct bsim_machine *machine);
void bsim_steady_forget(struct bsim_machine *machine, uint32_t depth);
void bsim_steady_free(struct bsim_machine *machine);

#endif
