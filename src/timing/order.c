/* order.c - from one instruction of a warp to the next: the barrier of its block, the turns of its loops, its end. */
#include "timing/warp.h"

/* ---- barriers -------------------------------------------------------------------------------- */

/* Traces with work of classes have 10 clocks from a branch to the next turn, others 9: there it comes one later. */
void bsim_order_release(const struct bsim_machine *m, uint64_t open[BSIM_N_OP_KINDS], uint64_t last)
{
    uint64_t at = later(last + m->timing->release_latency, m->now);
    open[BSIM_OP_MEMORY] = open[m->special_kind] = open[BSIM_OP_BARRIER] = at;
    open[BSIM_OP_BRANCH] = at + (m->program->classed ? 0 : m->timing->rejoin_delay);
    open[BSIM_OP_ARRIVE] = open[BSIM_OP_AWAIT] = at + m->timing->rejoin_delay;
    open[BSIM_OP_WGMMA] = open[BSIM_OP_BULK] = at + m->timing->rejoin_delay;
    open[BSIM_OP_COMMIT] = open[BSIM_OP_COPIES] = open[BSIM_OP_FENCE] = at;
}

/* Barriers that have come to the data pipe, in the order in which they do. Nothing but a request can tell, so they come
 * when the next one does, or somebody looks at the pipe's state. A barrier behind another one of its block keeps apart
 * what issues in front of it and behind it as well, but takes no place in the pool. */
void bsim_order_fence(struct bsim_machine *m)
{
    while (m->fence_due <= m->now) {
        uint64_t due = m->fence_due;
        m->fence_due = BSIM_NEVER;
        for (uint32_t i = 0; i < m->n_blocks; i++) {
            struct bsim_machine_block *b = &m->block[i];
            if (b->fence == due) {
                bsim_pipe_fence(&m->pipe, due, m->timing->barrier_turns, b->unfenced);
                b->unfenced = false;
                b->fence = BSIM_NEVER;
            }
            m->fence_due = sooner(m->fence_due, b->fence);
        }
    }
}

/* The block's barrier has let the warp go on. */
static inline void let_go(const struct bsim_machine *m, const struct bsim_machine_block *b, struct bsim_warp_state *w)
{
    w->at_barrier = false;
    hold_up(m, w, b->open);
    note_wake(w->home, w);
}

void bsim_order_let_all_go(struct bsim_machine *m, uint32_t block)
{
    struct bsim_machine_block *b = &m->block[block];
    struct bsim_warp_state *first = &m->warp[block * m->program->n_warps], *end = first + m->program->n_warps;
    b->n_arrived = 0;
    bsim_order_fence(m); /* the block's last one, before it has another */
    if (m->timing->barrier_turns > 0) {
        b->fence = later(b->last_arrival + m->timing->barrier_latency, m->now);
        m->fence_due = sooner(m->fence_due, b->fence);
    }
    bsim_order_release(m, b->open, b->last_arrival);
    m->opened = true;
    for (struct bsim_warp_state *other = first; other < end; other++) {
        b->n_gone += other->at_barrier & other->finished;
        let_go(m, b, other);
    }
}

/* ---- loops and ends -------------------------------------------------------------------------- */

static void begin_turn(struct bsim_warp_state *w, struct bsim_loop_state *loop)
{
    loop->start = w->ready;
    w->turn_issues = w->since_compare = 0;
    w->unyielded = w->control_left = w->ops[loop->op].control;
    note_control(w);
}

/* Tells steady.c when the leader has begun a turn. A leader that starves is replaced. */
static void note_turn(struct bsim_machine *m, const struct bsim_warp_state *w, uint32_t depth)
{
    enum { PATIENCE = 4 * BSIM_BLOCK_MAX_WARPS };
    uint32_t warp = (uint32_t)(w - m->warp);
    if (m->leader[depth] == BSIM_ALL_WARPS || m->waited[depth] == PATIENCE) {
        m->leader[depth] = warp;
    }
    m->waited[depth]++;
    if (m->leader[depth] == warp) {
        m->waited[depth] = 0;
        m->turned |= UINT32_C(1) << depth;
    }
}

static void end_turn(struct bsim_machine *m, struct bsim_warp_state *w)
{
    uint32_t depth = w->depth - 1;
    struct bsim_loop_state *loop = &w->loop[depth];
    w->ready = later(w->ready, loop->left > 1 ? loop->start + w->ops[loop->op].cycles : 0);
    if (--loop->left > 0) {
        w->op = &w->ops[loop->op + 1];
        begin_turn(w, loop);
        note_turn(m, w, depth);
        return;
    }
    if (m->leader[depth] == (uint32_t)(w - m->warp)) {
        m->leader[depth] = BSIM_ALL_WARPS;
        m->turned &= ~(UINT32_C(1) << depth);
        bsim_steady_forget(m, depth);
    }
    w->control_left = 0;
    note_control(w);
    w->depth--;
    w->op++;
}

/* When the warp's posted requests have drained, less the edges of a block: what it does there, it
 * does meanwhile. */
static uint64_t drained(const struct bsim_machine *m, const struct bsim_warp_state *w)
{
    uint64_t done = w->result[BSIM_POSTED].done + 1;
    uint64_t less = (uint64_t)m->timing->result_latency + m->timing->edge_cycles;
    return done > less ? done - less : 0;
}

void bsim_order_skip(struct bsim_machine *m, struct bsim_warp_state *w)
{
    while (w->op->kind == BSIM_OP_LOOP || w->op->kind == BSIM_OP_DONE) {
        if (w->op->kind == BSIM_OP_DONE) {
            end_turn(m, w);
        } else {
            struct bsim_loop_state *loop = &w->loop[w->depth++];
            loop->op = (uint32_t)(w->op - w->ops);
            loop->left = w->op->count;
            begin_turn(w, loop);
            w->op++;
        }
    }
    if (w->op->kind == BSIM_OP_END) {
        w->finished = true;
        w->end = later(w->end, later(m->now, result_of(w, w->n_results - 1)->done));
        w->end = later(w->end, m->clocked ? 0 : drained(m, w));
        w->end = later(w->end, w->op > w->ops && w->op[-1].kind == BSIM_OP_FENCE ? w->ready : 0);
        m->any_result |= w->n_results > 0;
        m->n_running--;
        m->block[w->block].n_gone += !w->at_barrier;
        bsim_order_open_barrier(m, w);
    }
}
