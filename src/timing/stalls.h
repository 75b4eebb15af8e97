/* stalls.h - booking what a warp's time goes on, as each of its instructions does; see stalls.c. */
#ifndef BSIM_TIMING_STALLS_H
#define BSIM_TIMING_STALLS_H

#include "timing/machine.h"

/* When a barrier or a meeting let an op of the kind go, which holds up no work but that of the special functions. */
BSIM_HOT uint64_t let_go_time(const struct bsim_machine *m, const struct bsim_warp_state *w, uint8_t kind, bool plain)
{
    bool passes = bsim_op_is_work(kind) && kind != m->special_kind;
    return passes ? 0 : later(m->block[w->block].open[kind], plain ? 0 : w->open[kind]);
}

/* The stretch since that clock in which the queues alone have held up the warp's op of the kind: a request, or a branch
 * behind one. */
BSIM_HOT uint64_t queued_time(const struct bsim_machine *m, const struct bsim_warp_state *w, uint8_t kind,
                                   uint64_t since)
{
    if (kind == BSIM_OP_MEMORY) {
        return m->now - sooner_clock(later(since, w->memory_ready), m->now);
    }
    if (kind != BSIM_OP_BRANCH) {
        return 0;
    }
    const struct bsim_loop_state *loop = &w->loop[w->depth - 1];
    uint64_t from = later(since, loop->start + w->ops[loop->op].cycles);
    return later(sooner_clock(w->read, m->now), from) - from;
}

/* Books the warp's time since it was last booked: what each stretch of it was spent on. The results
 * that its op, of the kind, needs are there; `open` is when a barrier let it go.
 *
 * Sums are added to whether there is something to add or not: what it is falls either way at every
 * instruction, and a processor that guesses is wrong half the time. */
BSIM_HOT void bsim_stalls_add(struct bsim_machine *m, struct bsim_warp_state *w, uint8_t kind, uint64_t open)
{
    const struct bsim_load_result *result = &w->result[w->awaited];
    if (m->sum != NULL) {
        uint64_t ready = later(w->accounted, sooner_clock(w->ready, m->now));
        uint64_t done = later(ready, result->done), pipe = sooner_clock(done - ready, result->delay);
        uint64_t opened = kind == BSIM_OP_BARRIER ? m->now : later(done, open);
        uint64_t queued = queued_time(m, w, kind, opened);
        uint64_t *its = site_sum(m, result->site);
        m->sum[BSIM_SUM_ISSUE] += ready - w->accounted + m->now - opened - queued;
        m->sum[BSIM_SUM_BARRIER] += opened - done;
        its[BSIM_SITE_PIPE] += pipe;
        its[BSIM_SITE_LATENCY] += done - ready - pipe;
        if (kind == BSIM_OP_MEMORY || kind == BSIM_OP_BRANCH) {
            uint32_t site = kind == BSIM_OP_BRANCH ? w->result[BSIM_POSTED].site : w->op->site;
            site_sum(m, site)[BSIM_SITE_PIPE] += queued;
        }
    }
    w->accounted = m->now;
}

#endif
