/* async.h - what goes on by itself once it has been issued: the tensor cores under wgmma, and TMA; see
 * async.c. */
#ifndef BSIM_TIMING_ASYNC_H
#define BSIM_TIMING_ASYNC_H

#include "timing/program.h"

/* Times of the units in parts of a clock, as a wgmma takes no whole number of them. */
enum { BSIM_ASYNC_PARTS = 16 };

/* Clocks from a wgmma to the next of its warpgroup, or to other work of it, at least. */
enum { BSIM_ASYNC_WGMMA_INTERVAL = 8 };

/* Clocks from a wait for groups of copies that have come to what stands behind it. */
enum { BSIM_ASYNC_GROUPS_LATENCY = 26 };

/* Clocks from the last of a warp's copies to their arrival at an mbarrier. */
enum { BSIM_ASYNC_ARRIVAL_LATENCY = 43 };

#define BSIM_ASYNC_NO_MEETING UINT32_MAX

/* A copy under way takes from requests of one direction to one half of shared memory. */
struct bsim_async_window {
    uint64_t begin, end; /* parts */
    uint64_t taken;      /* of it */
};

/* A wgmma that has been issued, and that the tensor cores had not begun when the last one was. */
struct bsim_async_queued {
    uint64_t ready, end;   /* parts: it has come to them; it will be done */
    uint32_t cycles;       /* parts that it takes */
    uint32_t warp, result; /* whose it is: a warp of the machine, and the number of its result */
};

enum { BSIM_ASYNC_QUEUE = 32 }; /* more are taken in the order of their issue */

/* All zeroes is a machine at rest. */
struct bsim_async_units {
    uint64_t copy_free;                          /* parts: the next bytes of a cp.async can come */
    uint64_t tensor_free, load_free, store_free; /* parts: the unit takes its next from then on */
    uint64_t return_free;                        /* the same of what registers come back over beside wgmma */
    uint64_t l2_free[2];                         /* the same of L2's share for loads, for stores */
    uint64_t tensor_next;                        /* the same, of those wgmmas that have begun */
    uint64_t busy_since;                         /* parts: they have had work without a pause from then on */
    uint32_t last_warp;                          /* of the last one that has begun */
    uint64_t ready;                              /* the last one that was issued comes to the tensor cores */
    uint32_t ready_warp;                         /* of it */
    uint32_t n_queued;
    struct bsim_async_queued queued[BSIM_ASYNC_QUEUE]; /* in the order in which they will begin */
    uint32_t wavefronts, cycles; /* of the last wgmma: what it takes of the data pipe, and parts */
    uint32_t operand_halves;     /* bits: where its operands lie */
    bool is_warm[3];             /* by enum bsim_tma_way: a copy of the block came before */
    uint64_t tensor_busy, copies_busy; /* clocks in parts, summed up */
    uint64_t stores_met;               /* from the half where wgmma's operands have been */
    struct bsim_async_window window[2][2]; /* by half, and by whether it takes from loads */
};

/* The op of a BSIM_WGMMA or BSIM_BULK event, but for its site and wait. is_alone: most SMs have no block,
 * so L2 has its full rate for those that do. `meeting` is its place, or BSIM_ASYNC_NO_MEETING. */
struct bsim_op bsim_async_op(const struct bsim_event *event, uint32_t meeting, bool is_alone);

/* The op issues at clock `now`; is_run, of the first of its way alone: the warp's work is told, so that
 * it was run. Returns the clock when its warp, or who awaits it, can see that it has done its work. */
uint64_t bsim_async_bulk_issue(struct bsim_async_units *units, const struct bsim_op *op,
                               uint64_t now, bool is_run);

/* Likewise, of the warp's result of that number: the clock is that of its place in units->queued, and may become
 * later with each wgmma of another warp. */
void bsim_async_wgmma_issue(struct bsim_async_units *units, const struct bsim_op *op, uint64_t now,
                            uint32_t warp, uint32_t result);
uint64_t bsim_async_wgmma_done(const struct bsim_async_queued *queued);

/* The turns of a request to shared memory that issues at `now` and has its first at `first`, beside what is under
 * way: wgmmas that are when it issues are taken to be followed by others until then, copies are not. */
uint32_t bsim_async_stretch(struct bsim_async_units *units, const struct bsim_op *op, uint32_t turns,
                            uint64_t now, uint64_t first);

/* Makes op, a request's by cp.async, one that is waited for. */
void bsim_async_copy_op(const struct bsim_device *device, const struct bsim_event *event, struct bsim_op *op);

/* It issues at `now`, and its last turn of the data pipe is `last`. Returns the clock when it has come. */
uint64_t bsim_async_copy_issue(struct bsim_async_units *units, const struct bsim_op *op, uint64_t now, uint64_t last);

/* A store of lanes to global memory, which leaves the SM by the way that TMA's take: op->out and op->l2. */
void bsim_async_store_op(const struct bsim_event *event, bool is_alone, struct bsim_op *op);

/* It issues at `now`: its warp goes on from that clock on. */
uint64_t bsim_async_store_issue(struct bsim_async_units *units, const struct bsim_op *op, uint64_t now);

/* A wait for a phase of an mbarrier. */
struct bsim_async_wait {
    uint64_t phase;  /* when its last arrival came */
    uint32_t groups; /* bits: the warpgroups that wait for it */
    bool tells_work; /* the program says what the warp executes behind it, or none of a main loop's does */
    bool is_handed;  /* the last arrival, another warp's, ends it now */
    uint64_t beside; /* parts: how long other warpgroups' wgmmas take that were issued since it waited last */
};

/* The phase ends, or a warp comes to look for it afterwards: when the warp goes on. */
uint64_t bsim_async_wake(const struct bsim_async_units *units, const struct bsim_async_wait *wait, uint64_t now);

#endif
