/* issue.c - an instruction issues: what it does to its warp, and when the warp's next one can.
 *
 * A warp issues in program order. Each has a `wake`, the clock from which its next instruction can
 * issue as far as the warp alone goes. When a request issues all its times are known (pipe.c), so a
 * wake is known as soon as the instruction before has issued, but for a barrier, which sets it when
 * it opens. What the partition adds, a full queue or a busy unit, is a gate for all instructions of
 * a kind.
 *
 * A `work K` that waits for results is taken to use them in order, a K-th of the registers with each
 * instruction: sums over loaded values are compiled so, and the last instruction alone waits for the
 * last value.
 */
#include "timing/machine.h"

#include <stddef.h>
#include <string.h>

static struct bsim_partition *partition_of(struct bsim_machine *m, const struct bsim_warp_state *w)
{
    return &m->partition[w->partition];
}

static uint64_t *site_sum(struct bsim_machine *m, uint32_t site)
{
    return m->sum + BSIM_N_SUMS + (size_t)site * BSIM_N_SITE_SUMS;
}

static struct bsim_load_result *result_of(struct bsim_warp_state *w, uint32_t number)
{
    return &w->result[number % BSIM_RESULTS];
}

/* ---- results ---------------------------------------------------------------------------------- */

/* Scoreboards of a warp: machine code names six, from Maxwell on. The instructions of a work take one
 * each, if they need results; those after the fifth share the last one, and wait for all. */
enum { N_SCOREBOARDS = 6 };

/* How many of the warp's results the next instruction needs, counted from the first. */
static uint32_t results_needed(struct bsim_warp_state *w)
{
    const struct bsim_op *op = w->op;
    uint32_t all = w->n_results - op->wait;
    if (op->kind != BSIM_OP_WORK || w->work_left <= 1) {
        return all;
    }
    uint32_t unused = all > w->n_used ? all - w->n_used : 0;
    uint32_t first = all - (unused < BSIM_RESULTS ? unused : BSIM_RESULTS), registers = 0;
    for (uint32_t i = first; i != all; i++) {
        registers += result_of(w, i)->registers;
    }
    uint32_t have = 0, n_taken = 0, last = op->count - w->work_left + 1;
    for (uint32_t i = 1; i <= last; i++) {
        uint32_t wanted = (registers * i + op->count - 1) / op->count;
        n_taken += have < wanted;
        while (first != all && have < wanted) {
            have += result_of(w, first++)->registers;
        }
    }
    return n_taken < N_SCOREBOARDS ? first : all;
}

/* The result that the next instruction waits for, or NULL. Results come in order: what comes after
 * the last one that it may need is there already holds up nothing. */
static const struct bsim_load_result *find_awaited(struct bsim_warp_state *w)
{
    if (w->op->wait == BSIM_NO_WAIT || w->n_results <= w->op->wait) {
        return NULL;
    }
    const struct bsim_load_result *last = result_of(w, w->n_results - w->op->wait - 1);
    if (last->done <= w->ready || w->op->kind != BSIM_OP_WORK || w->work_left <= 1) {
        return last->done <= w->ready ? NULL : last;
    }
    uint32_t needed = results_needed(w);
    return needed > 0 ? result_of(w, needed - 1) : NULL;
}

/* ---- wakes ------------------------------------------------------------------------------------ */

uint64_t bsim_issue_open(const struct bsim_machine *m, const struct bsim_warp_state *w)
{
    if (w->op->kind == BSIM_OP_WORK) {
        return 0;
    }
    return w->at_barrier                   ? BSIM_NEVER
           : w->op->kind == BSIM_OP_MEMORY ? m->memory_open
                                           : m->branch_open;
}

/* When the warp's next op can issue, its partition aside, as far as is known now. */
static uint64_t issue_time(const struct bsim_machine *m, const struct bsim_warp_state *w)
{
    uint64_t time = w->awaited != NULL ? later(w->ready, w->awaited->done) : w->ready;
    if (w->op->kind == BSIM_OP_WORK) {
        return time;
    }
    if (w->finished || w->at_barrier) {
        return BSIM_NEVER;
    }
    if (w->op->kind == BSIM_OP_MEMORY) {
        return later(time, later(w->memory_ready, m->memory_open));
    }
    time = later(time, m->branch_open);
    if (w->op->kind == BSIM_OP_BRANCH) {
        const struct bsim_loop_state *loop = &w->loop[w->depth - 1];
        time =
            w->control_left > 0 ? BSIM_NEVER : later(time, loop->start + w->ops[loop->op].cycles);
    }
    return time;
}

static uint64_t control_time(const struct bsim_warp_state *w)
{
    return w->control_left > 0 ? w->loop[w->depth - 1].start : BSIM_NEVER;
}

/* After a change to the warp: when it can go on. */
static void note_wake(struct bsim_machine *m, const struct bsim_warp_state *w)
{
    m->wake[w->place] = issue_time(m, w);
    m->control[w->place] = control_time(w);
    m->kind[w->place] = w->op->kind;
}

/* ---- program order ---------------------------------------------------------------------------- */

static void begin_turn(struct bsim_warp_state *w, struct bsim_loop_state *loop)
{
    loop->start = w->ready;
    w->turn_issues = w->since_compare = 0;
    w->control_left = w->ops[loop->op].control;
}

/* Tells steady.c when the leader has begun a turn. A leader that starves is replaced. */
static void note_turn(struct bsim_machine *m, uint32_t warp, uint32_t depth)
{
    enum { PATIENCE = 4 * BSIM_BLOCK_MAX_WARPS };
    if (m->leader[depth] == BSIM_ALL_WARPS || m->waited[depth] == PATIENCE) {
        m->leader[depth] = warp;
    }
    m->waited[depth]++;
    if (m->leader[depth] == warp) {
        m->waited[depth] = 0;
        m->turned |= UINT32_C(1) << depth;
    }
}

static void end_turn(struct bsim_machine *m, uint32_t warp)
{
    struct bsim_warp_state *w = &m->warp[warp];
    uint32_t depth = w->depth - 1;
    struct bsim_loop_state *loop = &w->loop[depth];
    w->ready = later(w->ready, loop->left > 1 ? loop->start + w->ops[loop->op].cycles : 0);
    if (--loop->left > 0) {
        w->op = &w->ops[loop->op + 1];
        begin_turn(w, loop);
        note_turn(m, warp, depth);
        return;
    }
    if (m->leader[depth] == warp) {
        m->leader[depth] = BSIM_ALL_WARPS;
        m->turned &= ~(UINT32_C(1) << depth);
        bsim_steady_forget(m, depth);
    }
    w->control_left = 0;
    w->depth--;
    w->op++;
}

/* Lets the warps on when all that have not ended stand at the barrier. */
static void open_barrier(struct bsim_machine *m)
{
    if (m->n_arrived == 0 || m->n_arrived + m->n_gone < m->program->n_warps) {
        return;
    }
    m->n_arrived = 0;
    m->memory_open = m->last_arrival + m->timing->release_latency;
    m->branch_open = m->memory_open + m->timing->rejoin_delay;
    m->opened = true;
    for (uint32_t warp = 0; warp < m->program->n_warps; warp++) {
        struct bsim_warp_state *w = &m->warp[warp];
        m->n_gone += w->at_barrier && w->finished;
        w->at_barrier = false;
        note_wake(m, w);
    }
}

/* Goes to the next op that issues. */
static void advance(struct bsim_machine *m, uint32_t warp)
{
    struct bsim_warp_state *w = &m->warp[warp];
    for (;;) {
        switch (w->op->kind) {
        case BSIM_OP_LOOP:
            w->loop[w->depth].op = (uint32_t)(w->op - w->ops);
            w->loop[w->depth].left = w->op->count;
            begin_turn(w, &w->loop[w->depth++]);
            w->op++;
            break;
        case BSIM_OP_DONE:
            end_turn(m, warp);
            break;
        case BSIM_OP_END:
            w->finished = true;
            m->n_running--;
            m->n_gone += !w->at_barrier;
            open_barrier(m);
            return;
        default:
            w->work_left = w->op->count;
            return;
        }
    }
}

/* ---- instructions ----------------------------------------------------------------------------- */

static uint32_t turns_of(const struct bsim_machine *m, const struct bsim_op *op)
{
    return m->ideal_all || m->ideal_site == op->site ? op->ideal : op->turns;
}

/* The request's result; they are waited for in order, so none comes before the one before it. */
static void add_result(struct bsim_machine *m, struct bsim_warp_state *w, uint64_t last)
{
    const struct bsim_timing *c = m->timing;
    uint64_t best = m->now + c->queue_latency + c->pool_latency + c->result_latency + w->op->late;
    uint64_t done = last + c->result_latency + w->op->late, delay = done - best;
    if (w->n_results > 0) {
        done = later(done, result_of(w, w->n_results - 1)->done);
    }
    *result_of(w, w->n_results++) = (struct bsim_load_result){
        done, (uint32_t)delay, w->op->site & BSIM_NO_SITE, w->op->registers};
    w->end = later(w->end, done);
    m->any_result = true;
}

static void issue_memory(struct bsim_machine *m, struct bsim_warp_state *w)
{
    struct bsim_partition *p = partition_of(m, w);
    const struct bsim_op *op = w->op;
    uint32_t turns = turns_of(m, op);
    struct bsim_passage passage =
        bsim_pipe_take(&m->pipe, m->timing, w->partition, m->now, turns, !op->is_read && turns > 1);
    p->gate[BSIM_OP_MEMORY] = passage.room;
    if (op->registers > 0) {
        add_result(m, w, passage.last);
    }
    if (m->sum != NULL) {
        uint64_t *sum = site_sum(m, op->site);
        sum[BSIM_SITE_REQUESTS]++;
        sum[BSIM_SITE_TURNS] += turns;
        sum[BSIM_SITE_IDEAL] += op->ideal;
    }
    p->issue_ready = m->now + (m->timing->replays ? turns : 1);
    w->memory_ready = m->now + m->timing->memory_interval;
    w->op++;
    w->ready = m->now + (w->op->kind == BSIM_OP_BRANCH ? m->timing->branch_delay : 1);
}

static void issue_barrier(struct bsim_machine *m, struct bsim_warp_state *w)
{
    m->last_arrival = later(m->now, m->barrier_ready);
    m->barrier_ready = m->last_arrival + m->timing->arrival_interval;
    w->at_barrier = true;
    w->op++;
    w->ready = m->now + 1;
    m->n_arrived++;
    open_barrier(m);
}

/* From the last instruction of a work at the end of a turn to the branch. What latency the work has
 * there, if no more than the loop's own, is what the compiler leaves between the comparison and the
 * branch: it counts the clocks of the instructions between, but not how long they wait. */
static uint64_t last_latency(const struct bsim_machine *m, const struct bsim_warp_state *w)
{
    uint64_t before = (uint64_t)m->timing->chain_latency * (w->op->count - 1);
    if (w->op->cycles <= w->ops[w->loop[w->depth - 1].op].cycles) {
        before += w->since_compare;
    }
    uint64_t left = w->op->cycles > before ? w->op->cycles - before : 0;
    return later(left, m->timing->work_latency);
}

static void issue_work(struct bsim_machine *m, struct bsim_warp_state *w)
{
    const struct bsim_op *op = w->op;
    partition_of(m, w)->gate[BSIM_OP_WORK] = m->now + m->timing->work_interval;
    w->first = w->work_left == op->count ? m->now : w->first;
    if (--w->work_left > 0) {
        w->ready = m->now + m->timing->chain_latency;
        return;
    }
    w->ready = op[1].kind == BSIM_OP_BRANCH
                   ? m->now + last_latency(m, w)
                   : later(w->first + op->cycles, m->now + m->timing->work_latency);
    if (op->wait != BSIM_NO_WAIT && w->n_results > op->wait) {
        w->n_used = w->n_results - op->wait;
    }
    w->op++;
}

/* The last turn's branch is not taken: what follows goes on at once. */
static void issue_branch(struct bsim_machine *m, struct bsim_warp_state *w)
{
    bool taken = w->loop[w->depth - 1].left > 1;
    w->ready = m->now + (taken ? w->op->cycles : 1);
    w->op++;
}

/* The clocks that the compiler has put between the loop's comparison, which it places behind the
 * second instruction of a turn, and where the warp is now. */
static void count_since_compare(const struct bsim_machine *m, struct bsim_warp_state *w)
{
    bool is_work = w->op->kind == BSIM_OP_WORK;
    uint32_t clocks = is_work ? m->timing->chain_latency : m->timing->memory_interval;
    if (is_work && w->op[1].kind == BSIM_OP_BRANCH) {
        return; /* last_latency sees to these */
    }
    if (w->turn_issues == 2) {
        w->since_compare = 1;
    } else if (w->turn_issues > 2) {
        w->since_compare += clocks;
    }
    w->turn_issues++;
}

void bsim_issue_op(struct bsim_machine *m, uint32_t warp)
{
    struct bsim_warp_state *w = &m->warp[warp];
    bsim_books_add(m, w, bsim_issue_open(m, w));
    w->end = later(w->end, m->now);
    if (w->depth > 0) {
        count_since_compare(m, w);
    }
    partition_of(m, w)->issue_ready = m->now + 1;
    switch (w->op->kind) {
    case BSIM_OP_MEMORY:
        issue_memory(m, w);
        break;
    case BSIM_OP_BARRIER:
        issue_barrier(m, w);
        break;
    case BSIM_OP_BRANCH:
        issue_branch(m, w);
        break;
    default:
        issue_work(m, w);
        break;
    }
    if (w->op->kind != BSIM_OP_WORK || w->work_left == 0) {
        advance(m, warp);
    }
    w->awaited = find_awaited(w);
    note_wake(m, w);
}

void bsim_issue_control(struct bsim_machine *m, uint32_t warp)
{
    struct bsim_warp_state *w = &m->warp[warp];
    struct bsim_partition *p = partition_of(m, w);
    w->control_left--;
    p->control_ready = m->now + m->timing->work_interval;
    p->issue_ready = m->now + 1;
    note_wake(m, w);
}

void bsim_issue_begin(struct bsim_machine *m, uint32_t warp)
{
    struct bsim_warp_state *w = &m->warp[warp];
    uint32_t n = m->timing->n_partitions;
    memset(w, 0, offsetof(struct bsim_warp_state, loop));
    w->ops = w->op = m->program->warp[warp].op;
    w->partition = warp % n;
    w->place = m->partition[w->partition].first_place + warp / n;
    advance(m, warp);
    w->awaited = find_awaited(w);
    note_wake(m, w);
}
