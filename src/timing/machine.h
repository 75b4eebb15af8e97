/* machine.h - the state of one SM while it plays a block; see machine.c, and issue.c, stalls.c and
 * steady.c for its parts. */
#ifndef BSIM_TIMING_MACHINE_H
#define BSIM_TIMING_MACHINE_H

#include <banksim/result.h>

#include "result/clock.h"
#include "timing/async.h"
#include "timing/pipe.h"
#include "timing/program.h"

enum {
    BSIM_RESULTS = 64,             /* kept per warp; a power of two, more than can be under way */
    BSIM_NO_RESULT = BSIM_RESULTS, /* one that has always been there: zeroes since there is the machine */
    BSIM_POSTED,                   /* that of the last request without one: when it has drained */
    BSIM_COPIED,                   /* that of the copies which the warp waits for: when they have come */
    BSIM_N_RESULTS,
    /* Of a warp: machine code names six, from Maxwell on. The instructions of a work take one each,
     * if they need results; those after the fifth share the last one, and wait for all. */
    BSIM_SCOREBOARDS = 6,
    BSIM_GROUPS = 64, /* of copies, kept per warp; a power of two, more than can be under way */
    BSIM_SM_MAX_WARPS = 64, /* of all its blocks */
    BSIM_SM_MAX_BLOCKS = 32,
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
    uint64_t done;
    uint32_t delay; /* later than an idle machine without conflicts would have it */
    uint8_t registers;
    bool is_load; /* of lanes */
    uint32_t site;
};

/* Copies by cp.async: when all of them have come, and those before them; the site of the last that comes. */
struct bsim_group_result {
    uint64_t done;
    uint32_t site;
};

/* Instructions of a work that wait for the same result. */
struct bsim_work_part {
    uint32_t left;   /* instructions of the work from the last of these on; 0: the last part */
    uint32_t result; /* its place */
};

struct bsim_partition;

struct bsim_warp_state {
    const struct bsim_op *ops, *op; /* op: the next to issue */
    uint64_t ready;                 /* op may issue, results, barrier and units aside */
    uint64_t hold[BSIM_N_OP_KINDS]; /* no op of the kind before: barrier; memory_ready */
    uint64_t memory_ready;          /* the next memory op may */
    uint64_t read;                  /* the registers of its last posted request have been read */
    uint64_t first;                 /* issue of a work's first instruction */
    uint64_t came;                  /* the work in front of an await could issue, but for loads; or BSIM_NEVER */
    uint64_t accounted;             /* the warp's time is in the sums up to here */
    uint64_t end;                   /* its last issue, result or store, once it has ended; before, the issue of its last work that tells its reads */
    uint32_t awaited;               /* the result that the next one waits for: its place */
    uint32_t at_part;               /* that of the next instruction, if op is a work */
    uint32_t work_left;             /* instructions of op, if it is a work */
    uint32_t control_left;          /* instructions of the innermost loop's control */
    uint32_t turn_issues;           /* instructions of this turn so far */
    uint32_t since_compare;         /* clocks since its comparison, see issue.c */
    uint32_t unyielded;             /* clocks of work of a class since it yielded or its turn began */
    uint32_t n_results;             /* issued so far, modulo 2^32 */
    uint32_t n_used;                /* of them, consumed by a work */
    uint32_t n_groups;              /* of copies, that the warp has ended, modulo 2^32 */
    struct bsim_group_result copied; /* all its copies so far */
    uint32_t depth;
    uint64_t others;           /* parts that wgmmas of other warpgroups take, when it looked at an mbarrier last */
    uint32_t block;            /* of its SM */
    uint32_t group;            /* of the SM's: its warpgroup */
    uint32_t partition, local; /* warp = local * n_partitions + partition */
    struct bsim_partition *home; /* that partition */
    bool at_barrier;
    bool pays;                        /* a second slot for the next branch that it takes */
    const struct bsim_op *at_meeting; /* the AWAIT that holds it up, or NULL */
    bool finished;
    /* What follows is not cleared, the first of it where the program is plain. */
    uint64_t open[BSIM_N_OP_KINDS]; /* the last meeting lets ops of the kind through */
    struct bsim_work_part part[BSIM_SCOREBOARDS]; /* of op */
    struct bsim_loop_state loop[BSIM_REPEAT_MAX_DEPTH];
    struct bsim_load_result result[BSIM_N_RESULTS];
    struct bsim_group_result ended[BSIM_GROUPS]; /* its last groups of copies */
};

enum { BSIM_BANKS = 2 };

struct bsim_partition {
    uint64_t issue_ready, control_ready, fp32_free; /* fp32_free: its own pipe takes another, if it has two */
    uint64_t gate[BSIM_N_OP_KINDS]; /* no op of the kind issues before: work, memory, barrier */
    uint32_t n_arrivals;            /* at barriers, modulo 2^32 */
    uint32_t n_warps, last;         /* last: the warp that issued last; local numbers */
    uint32_t goes_on;               /* clocks in which what follows of last goes before all others */
    bool is_reading;                /* its last work was of a class that a product of matrices comes behind */
    uint32_t reader;                /* the warp of that work: its local number */
    uint64_t bank_free[BSIM_BANKS]; /* when each bank of registers has given all that is to be read, where traces tell it */
    uint64_t banks;                 /* what the partition's works read is there then, in halves of a clock */
    bool controls;                  /* control is of use: some loop has control instructions */
    /* What follows is not cleared. */
    uint64_t arrival[BSIM_MAX_SLOTS]; /* when the last of its arrivals are taken: a ring */
    /* Of its warps: when the next op can issue, the partition's gates aside, and its kind; when the
     * control of the innermost loop can, or BSIM_NEVER. Up to a multiple of four there are such as
     * never issue. */
    uint8_t kind[BSIM_BLOCK_MAX_WARPS];
    uint64_t wake[BSIM_BLOCK_MAX_WARPS], control[BSIM_BLOCK_MAX_WARPS];
    uint64_t rank[BSIM_BLOCK_MAX_WARPS];  /* the warp's block, and itself: parts of a key */
    uint64_t order[BSIM_BLOCK_MAX_WARPS]; /* that key, of the next op: rank and wake */
};

/* A block of the SM, at its barrier. */
struct bsim_machine_block {
    uint32_t n_arrived; /* warps */
    uint32_t n_gone;    /* warps that have ended and are not awaited there */
    uint64_t last_arrival;
    uint64_t fence;                 /* its last barrier comes to the data pipe then, or BSIM_NEVER: it has */
    bool unfenced;                  /* a request of its has issued since */
    uint64_t open[BSIM_N_OP_KINDS]; /* the last barrier lets ops of the kind through */
};

/* A meeting that has begun. */
struct bsim_machine_meeting {
    uint32_t n_arrived;
    uint64_t last; /* arrival */
    bool is_awaited_by_phase; /* a copy comes to it: an mbarrier */
    bool has_bulk;            /* one by TMA */
};

struct bsim_snapshot; /* steady.c's */

/* What issues next is a key: its clock, partition and warp. Who goes first of those that can is one as
 * well: block, clock and warp, of clocks below 2^54, which no play comes near to. */
enum { BSIM_GOES_ON = 2 };
enum { BSIM_FENCES_TOGETHER = 32 }; /* clocks behind a fence of the GPU's memory in which others go with it */
enum { BSIM_WARP_BITS = 5, BSIM_PARTITION_BITS = 2, BSIM_KEY_BITS = 7, BSIM_BLOCK_SHIFT = 59 };

struct bsim_machine {
    const struct bsim_timing *timing;
    const struct bsim_program *program;
    uint32_t n_blocks, n_warps; /* of the SM */
    uint32_t chance;            /* as in struct bsim_run */
    bool ideal_all;             /* play without conflicts: all sites, or one */
    uint32_t ideal_site;        /* or BSIM_NO_SITE */
    bool every_turn;
    bool clocked; /* see struct bsim_timer_options */
    bool is_beside; /* wgmma or copies may take turns of the data pipe beside requests */
    bool meets; /* warps come to meetings, or wait for copies */
    bool is_plain; /* neither, nor loops, fences, products of matrices, banks of registers, requests that hold up what issues */
    uint8_t fp32_kind, products_kind; /* of work, where fp32 takes either of two pipes; or BSIM_N_OP_KINDS */
    uint8_t special_kind; /* of the special functions' work: it does not pass a barrier by, as other work does */
    uint64_t now;
    uint64_t skipped;                 /* clocks that steady.c left out */
    uint64_t end_of_time;             /* the clock that, with these, is BSIM_NEVER */
    bool is_endless;                  /* that has come */
    uint64_t steps, max_steps;        /* instructions played; more: given up */
    uint64_t at[BSIM_MAX_PARTITIONS]; /* of each partition, the next to issue: a key */
    uint64_t next;                    /* the least of these */
    struct bsim_warp_state *next_warp;     /* whose it is */
    uint8_t next_kind;                     /* of its op, as soon as it is known: on it hangs what is to be done */
    uint64_t barrier_ready;           /* the SM takes the next arrival at a barrier */
    uint64_t fence_due;               /* the next of all blocks' fences */
    uint64_t fence_begin, fence_end; /* of the last fence of the GPU's memory */
    bool opened;                      /* in this clock, for partitions that have not heard of it */
    bool any_result;
    uint32_t n_running; /* warps that have not ended */
    uint64_t *sum;      /* BSIM_N_SUMS, then BSIM_N_SITE_SUMS for each site */
    size_t n_sums;
    uint32_t turned; /* bit d: the leader of depth d has begun another turn of its loop */
    uint32_t leader[BSIM_REPEAT_MAX_DEPTH]; /* a warp, or BSIM_ALL_WARPS */
    uint32_t waited[BSIM_REPEAT_MAX_DEPTH]; /* turns of others since the leader's last */
    struct bsim_snapshot *snapshot[BSIM_REPEAT_MAX_DEPTH];
    /* What is above is cleared for every play. Of what is below that which it has begins anew; the rest is nobody's. */
    struct bsim_async_units async;         /* where is_beside */
    uint64_t tensor_of[BSIM_SM_MAX_WARPS]; /* likewise, by warpgroup: parts that its wgmmas take, so far */
    struct bsim_pipe pipe;
    struct bsim_partition partition[BSIM_MAX_PARTITIONS];
    struct bsim_warp_state *by_key[1 << BSIM_KEY_BITS]; /* those there are, by partition and local number */
    struct bsim_machine_block block[BSIM_SM_MAX_BLOCKS];
    struct bsim_warp_state warp[BSIM_SM_MAX_WARPS]; /* block after block */
    struct bsim_machine_meeting *meeting;           /* of each block, the program's */
};

/* The sums of a site; machine->sum is not NULL. */
static inline uint64_t *site_sum(struct bsim_machine *m, uint32_t site)
{
    return m->sum + BSIM_N_SUMS + (size_t)site * BSIM_N_SITE_SUMS;
}

struct bsim_run {
    const struct bsim_timing *timing;
    const struct bsim_program *program;
    uint32_t n_blocks; /* that play it side by side, as bsim_machine_blocks allows */
    uint32_t chance;   /* which of the ways in which they begin by chance */
    size_t n_sites;
    uint64_t
        *sum; /* BSIM_N_SUMS + n_sites * BSIM_N_SITE_SUMS, of one site at least, added to; NULL:
                      not wanted */
    bool ideal_all;
    uint32_t ideal_site; /* or BSIM_NO_SITE */
    bool every_turn;
    bool clocked;
    uint64_t max_steps; /* it is given up when it takes more */
};

/* How it went. A look for a loop's steady state counts among the steps, by its length. */
struct bsim_ran {
    uint64_t cycles; /* BSIM_NEVER: it was given up */
    uint64_t steps;
    uint64_t tensor, copies; /* clocks in which these units were at work */
    uint64_t stores_met;     /* copies out of the half where wgmma's operands are */
};

/* Machines, to play any number of programs, or NULL when memory is short. */
enum { BSIM_MACHINES = 2 };
struct bsim_machine *bsim_machine_new(void);
void bsim_machine_free(struct bsim_machine *machine);

/* How many blocks of so many warps an SM can play side by side, of those that fit on it: at least 1. */
uint32_t bsim_machine_blocks(const struct bsim_timing *timing, uint32_t n_warps, uint64_t fit);

/* Plays n programs, 1 to BSIM_MACHINES, and adds up what they took; ran gets n of them. Fails with
 * BSIM_E_MEMORY, and BSIM_E_INPUT for a program that takes BSIM_NEVER clocks and more. The sums are
 * of no use then, nor are those of a program that was given up. */
enum bsim_status bsim_machine_run(struct bsim_machine *machine, size_t n,
                                  const struct bsim_run *run, struct bsim_ran *ran,
                                  struct bsim_error *err);

/* ---- issue.c --------------------------------------------------------------------------------- */

/* Has the warps of all blocks begin with their first instructions, one to each partition in turn. */
void bsim_issue_begin(struct bsim_machine *machine);

/* Plays both, of which each may be the other, to their ends. False: memory is short. */
bool bsim_issue_all(struct bsim_machine *first, struct bsim_machine *last);

/* ---- banks.c --------------------------------------------------------------------------------- */

/* The instruction of the warp's work reads its registers, as the work says, of a block without products of matrices. Returns
 * when it issues: now, or when the banks let it. */
uint64_t bsim_banks_read(const struct bsim_machine *machine, struct bsim_partition *partition, struct bsim_warp_state *warp);

/* It has issued and reads them, of a block with such: no work of the partition issues before the banks have given what is to
 * be read by then. */
void bsim_banks_read_by_class(const struct bsim_machine *machine, struct bsim_partition *partition, struct bsim_warp_state *warp,
                              const struct bsim_op *op);

/* ---- order.c --------------------------------------------------------------------------------- */

/* From when on ops of each kind are let through, by a barrier or a meeting, the last having come; the others may have
 * ended since. */
void bsim_order_release(const struct bsim_machine *machine, uint64_t open[BSIM_N_OP_KINDS], uint64_t last);

/* Lets the block's warps on when all that have not ended, the warp among them until now, stand at the barrier. */
void bsim_order_let_all_go(struct bsim_machine *machine, uint32_t block);
static inline void bsim_order_open_barrier(struct bsim_machine *m, const struct bsim_warp_state *w)
{
    const struct bsim_machine_block *b = &m->block[w->block];
    if (b->n_arrived > 0 && b->n_arrived + b->n_gone >= m->program->n_warps) {
        bsim_order_let_all_go(m, w->block);
    }
}

/* Has the barriers that have come to the data pipe by now pass it: to be called before a request issues, or the state is
 * looked at. */
void bsim_order_fence(struct bsim_machine *machine);

/* Goes from what does not issue to the next op that does, or ends the warp. */
void bsim_order_skip(struct bsim_machine *machine, struct bsim_warp_state *warp);

/* ---- stalls.c -------------------------------------------------------------------------------- */

/* Books the warp's wait for an mbarrier up to the clock at which it knows that the phase is over, which may lie ahead. */
void bsim_stalls_meet(struct bsim_machine *machine, struct bsim_warp_state *warp, uint64_t opened);

/* Books what warps that could go on, or stand at a barrier, have waited so far. Books come out the
 * same however often; a warp that is held up for long then looks the same all the while. */
void bsim_stalls_settle(struct bsim_machine *machine);

/* Books the rest of each warp's time. Returns when the last of them ended. */
uint64_t bsim_stalls_close(struct bsim_machine *machine);

/* ---- steady.c -------------------------------------------------------------------------------- */

/* Called between two clocks after leaders have begun a turn: if the machine has been in this very
 * state before, leaves out as many repetitions as the loops have. False: memory is short. */
bool bsim_steady_skip(struct bsim_machine *machine);
void bsim_steady_forget(struct bsim_machine *machine, uint32_t depth);
void bsim_steady_free(struct bsim_machine *machine);

#endif
