/* stalls.c - what the warps' time goes on: issue, data pipe, latency, barrier.
 *
 * A warp's time is booked when an instruction of it issues, from where it was booked last. First
 * the instruction before held it up, then a result that it waits for (of which the pipe's share is
 * what an idle machine would not have had), then a barrier, then units; of one that has come to a barrier all is
 * the barrier's. A memory instruction that could not issue after all that stood before a full queue, and so did a store whose registers have yet
 * to be read before a branch. At its end a warp waits for its results, then for its posted requests to
 * drain, which the pipe alone can hold up.
 */
#include "timing/stalls.h"

/* A look at an mbarrier holds up what stands behind it, work too: all that is a wait, not an instruction's time. */
void bsim_stalls_meet(struct bsim_machine *m, struct bsim_warp_state *w, uint64_t opened)
{
    uint64_t ready = later(w->accounted, w->ready);
    if (opened > ready) {
        if (m->sum != NULL) {
            m->sum[BSIM_SUM_ISSUE] += ready - w->accounted;
            m->sum[BSIM_SUM_BARRIER] += opened - ready;
        }
        w->accounted = opened;
    }
}

/* When a barrier let the warp's op go; one that has not yet, now. */
static uint64_t open_time(const struct bsim_machine *m, const struct bsim_warp_state *w)
{
    bool passes = bsim_op_is_work(w->op->kind) && w->op->kind != m->special_kind;
    bool waits = (w->at_barrier || w->at_meeting != NULL) && !passes;
    return waits ? m->now : let_go_time(m, w, w->op->kind, m->is_plain);
}

void bsim_stalls_settle(struct bsim_machine *m)
{
    for (uint32_t warp = 0; warp < m->n_warps; warp++) {
        struct bsim_warp_state *w = &m->warp[warp];
        uint64_t open = open_time(m, w);
        if (!w->finished && w->ready <= m->now && w->result[w->awaited].done <= m->now &&
            open <= m->now) {
            bsim_stalls_add(m, w, w->op->kind, open);
        }
    }
}

static void close_warp(struct bsim_machine *m, const struct bsim_warp_state *w)
{
    const struct bsim_load_result *last = &w->result[(w->n_results - 1) % BSIM_RESULTS];
    uint64_t done = sooner(later(w->accounted, last->done), w->end), rest = done - w->accounted;
    uint64_t pipe = sooner(rest, last->delay);
    site_sum(m, last->site)[BSIM_SITE_PIPE] += pipe;
    site_sum(m, last->site)[BSIM_SITE_LATENCY] += rest - pipe;
    site_sum(m, w->result[BSIM_POSTED].site)[BSIM_SITE_PIPE] += later(w->end, done) - done;
}

uint64_t bsim_stalls_close(struct bsim_machine *m)
{
    uint64_t end = 0;
    for (uint32_t warp = 0; warp < m->n_warps; warp++) {
        end = later(end, m->warp[warp].end);
        if (m->sum != NULL) {
            close_warp(m, &m->warp[warp]);
        }
    }
    return end;
}
