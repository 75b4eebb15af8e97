/* books.c - what the warps' time goes on: issue, data pipe, latency, barrier.
 *
 * A warp's time is booked when an instruction of it issues, from where it was booked last. First the
 * instruction before held it up, then a result that it waits for (of which the pipe's share is what
 * an idle machine would not have had), then a barrier, then units; a memory instruction that could
 * not issue after all that stood before a full queue.
 */
#include "timing/machine.h"

static uint64_t *site_sum(struct bsim_machine *m, uint32_t site)
{
    return m->sum + BSIM_N_SUMS + (size_t)site * BSIM_N_SITE_SUMS;
}

void bsim_books_add(struct bsim_machine *m, struct bsim_warp_state *w, uint64_t open)
{
    const struct bsim_op *op = w->op;
    const struct bsim_load_result *result = w->awaited;
    if (m->sum == NULL) {
        w->accounted = m->now;
        return;
    }
    uint64_t at = later(w->accounted, sooner(w->ready, m->now));
    m->sum[BSIM_SUM_ISSUE] += at - w->accounted;
    if (result != NULL && result->done > at) {
        uint64_t span = result->done - at, pipe = sooner(span, result->delay);
        site_sum(m, result->site)[BSIM_SITE_PIPE] += pipe;
        site_sum(m, result->site)[BSIM_SITE_LATENCY] += span - pipe;
        at = result->done;
    }
    if (open > at) {
        m->sum[BSIM_SUM_BARRIER] += open - at;
        at = open;
    }
    uint64_t held =
        op->kind == BSIM_OP_MEMORY ? sooner(later(at, w->memory_ready), m->now) : m->now;
    m->sum[BSIM_SUM_ISSUE] += held - at;
    if (op->kind == BSIM_OP_MEMORY) {
        site_sum(m, op->site)[BSIM_SITE_PIPE] += m->now - held;
    }
    w->accounted = m->now;
}

void bsim_books_settle(struct bsim_machine *m)
{
    for (uint32_t warp = 0; warp < m->program->n_warps; warp++) {
        struct bsim_warp_state *w = &m->warp[warp];
        if (!w->finished && w->ready <= m->now &&
            (w->awaited == NULL || w->awaited->done <= m->now)) {
            uint64_t open = bsim_issue_open(m, w);
            if (open == BSIM_NEVER || open <= m->now) {
                bsim_books_add(m, w, open == BSIM_NEVER ? m->now : open);
            }
        }
    }
}

uint64_t bsim_books_close(struct bsim_machine *m)
{
    uint64_t end = 0;
    for (uint32_t warp = 0; warp < m->program->n_warps; warp++) {
        struct bsim_warp_state *w = &m->warp[warp];
        uint64_t rest = w->end - w->accounted;
        end = later(end, w->end);
        if (rest > 0 && m->sum != NULL) {
            const struct bsim_load_result *last = &w->result[(w->n_results - 1) % BSIM_RESULTS];
            uint64_t pipe = sooner(rest, last->delay);
            site_sum(m, last->site)[BSIM_SITE_PIPE] += pipe;
            site_sum(m, last->site)[BSIM_SITE_LATENCY] += rest - pipe;
        }
    }
    return end;
}
