/* stalls.h - booking what a warp's time goes on, as each of its instructions does; see stalls.c. */
#ifndef BSIM_TIMING_STALLS_H
#define BSIM_TIMING_STALLS_H

#include "timing/machine.h"

/* The stretch since that clock in which the queues alone have held up the warp's op: a request, or a branch behind one. */
static inline uint64_t queued_time(const struct bsim_machine *m, const struct bsim_warp_state *w, uint64_t since)
{
    uint64_t own = choose(w->op->kind == BSIM_OP_MEMORY, w->memory_ready, BSIM_NEVER), to = m->now;
    if (w->op->kind == BSIM_OP_BRANCH) {
        const struct bsim_loop_state *loop = &w->loop[w->depth - 1];
        own = loop->start + w->ops[loop->op].cycles;
        to = sooner_clock(w->read, to);
    }
    uint64_t from = later(since, own);
    return later(to, from) - from;
}

/* Books the warp's time since it was last booked: what each stretch of it was spent on. The results
 * that its op needs are there; `open` is when a barrier let it go.
 *
 * Sums are added to whether there is something to add or not: what it is falls either way at every
 * instruction, and a processor that guesses is wrong half the time. */
static inline void bsim_stalls_add(struct bsim_machine *m, struct bsim_warp_state *w, uint64_t open)
{
    const struct bsim_load_result *result = &w->result[w->awaited];
    if (m->sum != NULL) {
        uint64_t ready = later(w->accounted, sooner_clock(w->ready, m->now));
        uint64_t done = later(ready, result->done), pipe = sooner_clock(done - ready, result->delay);
        uint64_t opened = w->op->kind == BSIM_OP_BARRIER ? m->now : later(done, open);
        uint64_t queued = queued_time(m, w, opened);
        uint32_t site = w->op->kind == BSIM_OP_BRANCH ? w->result[BSIM_POSTED].site : w->op->site;
        uint64_t *its = site_sum(m, result->site);
        m->sum[BSIM_SUM_ISSUE] += ready - w->accounted + m->now - opened - queued;
        m->sum[BSIM_SUM_BARRIER] += opened - done;
        its[BSIM_SITE_PIPE] += pipe;
        its[BSIM_SITE_LATENCY] += done - ready - pipe;
        site_sum(m, site)[BSIM_SITE_PIPE] += queued;
    }
    w->accounted = m->now;
}

#endif
