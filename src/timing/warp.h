/* warp.h - what a change to a warp asks for: when it can go on, as its partition sees it. */
#ifndef BSIM_TIMING_WARP_H
#define BSIM_TIMING_WARP_H

#include "timing/machine.h"

#include <string.h>

/* choose (clock.h) by a mask, where gcc would make a branch of it. */
static inline uint64_t pick(bool is, uint64_t yes, uint64_t no)
{
    return no ^ ((yes ^ no) & (0 - (uint64_t)is));
}

static inline struct bsim_load_result *result_of(struct bsim_warp_state *w, uint32_t number)
{
    return &w->result[number % BSIM_RESULTS];
}

/* A branch comes no sooner than its loop's control and least time, nor before the registers of the warp's last posted
 * request have been read, which they are as it comes to the pool: the next turn may write them, so `ptxas` has a
 * scoreboard hold up the branch until then, in most loops that have a store.
 *
 *      issue         st st st                  four warps with a store of 32 turns each: 18.5 are under way at the
 *      queue          [st st ]                 end, as many as the pool has places, not the queues' 24 as well
 *      pool                   ( st )  branch
 */
static inline uint64_t branch_time(const struct bsim_warp_state *w)
{
    const struct bsim_loop_state *loop = &w->loop[w->depth - 1];
    return w->control_left > 0 ? BSIM_NEVER : later(w->read, loop->start + w->ops[loop->op].cycles);
}

/* After a change to the warp: when it can go on, its partition aside, as far as is known. */
BSIM_HOT void note_wake_of(struct bsim_partition *p, const struct bsim_warp_state *w, bool plain)
{
    uint8_t kind = w->op->kind;
    uint64_t time = later(later(w->ready, w->result[w->awaited].done), w->hold[kind]);
    time = !plain && kind == BSIM_OP_BRANCH ? later(time, branch_time(w)) : time;
    p->wake[w->local] = time;
    p->order[w->local] = p->rank[w->local] + (time << BSIM_WARP_BITS);
    p->kind[w->local] = kind;
}

static inline void note_wake(struct bsim_partition *p, const struct bsim_warp_state *w)
{
    note_wake_of(p, w, false);
}

/* The same for the control of its loop. */
static inline void note_control(const struct bsim_warp_state *w)
{
    struct bsim_partition *p = w->home;
    p->controls |= w->control_left > 0;
    p->control[w->local] = w->control_left > 0 ? w->loop[w->depth - 1].start : BSIM_NEVER;
}

/* A warp at a barrier issues nothing but work, and of that no special functions; it goes on when that
 * opens. */
static inline void hold_up(const struct bsim_machine *m, struct bsim_warp_state *w, const uint64_t open[])
{
    _Static_assert(BSIM_OP_MEMORY == 0, "those that are no work stand in front of it");
    memcpy(w->hold, open, BSIM_OP_WORK * sizeof w->hold[0]);
    w->hold[m->special_kind] = open[m->special_kind];
    w->hold[BSIM_OP_MEMORY] = later(open[BSIM_OP_MEMORY], w->memory_ready);
}

/* ---- warp.c ---------------------------------------------------------------------------------- */

/* Has the instructions of the warp's work use its results in order, the last so many before `all`. */
void bsim_warp_share_out(struct bsim_warp_state *w, uint32_t all, uint32_t unused);

/* The warp has come to an op, of a program with meetings or waits for copies, which it may be or stand before. */
void bsim_warp_begin_meeting(struct bsim_warp_state *w);

#endif
