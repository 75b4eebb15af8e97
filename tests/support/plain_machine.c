/* plain_machine.c - one SM plays one block, the plain way: every clock is played, every wavefront
 * served, every warp asked whether it can issue. It says what src/timing says of a block in closed
 * form, and shares with it the program alone.
 */
#include "plain_machine.h"

#include <stdlib.h>
#include <string.h>

enum { QUEUE = 64, SCOREBOARDS = 6 };

static const uint64_t never = UINT64_MAX;

struct plain_result {
    uint64_t done;
    uint32_t registers;
};

struct plain_loop {
    const struct bsim_op *op;
    uint32_t left;
    uint64_t start;
};

struct plain_warp {
    const struct bsim_op *ops, *op;
    uint64_t ready, memory_ready, open, first, end;
    uint64_t since; /* its instruction could issue, for all that the warp itself does; or never */
    uint32_t work_left, control_left, turn_issues, since_compare, n_results, n_used, depth;
    uint32_t unyielded; /* clocks since the turn began or the warp yielded */
    uint32_t n_taken;   /* branches */
    bool at_barrier, finished;
    struct plain_loop loop[BSIM_REPEAT_MAX_DEPTH];
    struct plain_result result[PLAIN_RESULTS];
};

struct plain_request {
    const struct bsim_op *op;
    uint64_t issued, pooled;
    uint32_t warp, result, left; /* left: turns */
    uint64_t number;             /* as they came */
};

/* A barrier on its way through the pool, where it has a place or not. */
struct plain_fence {
    uint64_t number, issued, pooled;
    bool takes_place, is_pooled;
};

struct plain_partition {
    struct plain_request
        queue[QUEUE]; /* the oldest first: n_pooled in the pool, the rest waiting */
    uint32_t n, n_pooled, last;
    bool reads; /* its last work is such as a product of matrices comes behind */
    uint32_t reader; /* the warp of that work, by its place in the partition */
    uint64_t read_at;                /* its last register is read then, in halves of a clock */
    uint32_t unread[2];              /* registers that each bank has yet to give, where works tell what they read */
    uint32_t held;                   /* 1 + the warp whose work waits for them, which nobody passes */
    bool yielded; /* by the last warp, with its last instruction */
    uint64_t turn_ready, issue_ready, control_ready;
    uint32_t n_coming;             /* arrivals at the barrier that have yet to be taken */
    uint64_t taken[BSIM_BLOCK_MAX_WARPS]; /* when they are, in order */
    uint64_t work_ready[BSIM_WORK_LSU]; /* the first: of work without a class; then by pipe */
};

struct plain {
    const struct bsim_timing *c;
    uint64_t now, pipe_ready, last_arrival, barrier_ready;
    uint32_t n_warps, n_arrived, n_pooled, n_pending;
    uint64_t n_requests;
    uint64_t fence_due;  /* the last barrier comes to the pipe then, or never: it has */
    bool unfenced;       /* a request has issued since */
    uint32_t n_fences;   /* that nobody behind them has passed */
    struct plain_fence fence[QUEUE];
    uint32_t n_ended;    /* requests; the clocks of the last two's last wavefronts, the last first */
    uint64_t ended[2];
    bool ideal, any_result, classed; /* classed: some work has a class */
    bool multiplies;                 /* some work is a product of matrices */
    bool tells;                      /* none is, and some tells what it reads */
    struct plain_partition partition[BSIM_MAX_PARTITIONS];
    struct plain_warp warp[BSIM_BLOCK_MAX_WARPS];
};

static uint64_t max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- data pipe and pool ---------------------------------------------------------------------- */

static void deliver(struct plain *m, const struct plain_request *q)
{
    struct plain_warp *w = &m->warp[q->warp];
    struct plain_result *result = &w->result[q->result];
    result->done = m->now + m->c->result_latency + q->op->late;
    if (q->result > 0) {
        result->done = max(result->done, result[-1].done);
    }
    w->end = max(w->end, result->done);
    m->n_pending--;
}

/* The block has not ended before, with its edges. */
static void drain(struct plain *m, const struct plain_request *q)
{
    uint64_t drained = m->now + 1, edges = m->c->edge_cycles;
    m->warp[q->warp].end = max(m->warp[q->warp].end, drained > edges ? drained - edges : 0);
    m->n_pending--;
}

static bool is_delayed(const struct plain_request *q)
{
    return !q->op->is_read && q->left > 1;
}

/* Nobody passes a barrier. */
static bool is_fenced(const struct plain *m, const struct plain_request *q)
{
    return m->n_fences > 0 && m->fence[0].number < q->number;
}

/* All in front of the fence have had their wavefronts, and the turns behind these are over. */
static bool is_passed(const struct plain *m, const struct plain_fence *fence)
{
    for (uint32_t i = 0; i < m->c->n_partitions; i++) {
        const struct plain_partition *p = &m->partition[i];
        if (p->n > 0 && p->queue[0].number < fence->number) {
            return false;
        }
    }
    uint64_t spacing = max(m->c->partition_turn, m->c->turn_interval);
    bool has_two = m->c->partition_turn >= 2 * m->c->turn_interval && m->n_ended > 1;
    bool beside = has_two && m->ended[1] + spacing > m->ended[0];
    uint64_t behind = m->c->barrier_turns * spacing + (beside ? m->c->turn_interval : 0);
    return fence->is_pooled && fence->pooled <= m->now && (m->n_ended == 0 || m->ended[0] + behind <= m->now);
}

static void pass_fences(struct plain *m)
{
    while (m->n_fences > 0 && is_passed(m, &m->fence[0])) {
        m->n_pooled -= m->fence[0].takes_place;
        m->n_fences--;
        memmove(&m->fence[0], &m->fence[1], m->n_fences * sizeof m->fence[0]);
    }
}

/* A barrier that is due stands behind all that have issued; without a request since the last one it needs no place. */
static void come_fence(struct plain *m)
{
    if (m->fence_due > m->now) {
        return;
    }
    if (m->n_fences == QUEUE) {
        abort();
    }
    m->fence[m->n_fences++] = (struct plain_fence){
        m->n_requests++, m->fence_due, m->fence_due + m->c->pool_latency, m->unfenced, !m->unfenced};
    m->unfenced = false;
    m->fence_due = never;
}

static bool can_serve(const struct plain *m, const struct plain_partition *p)
{
    const struct plain_request *q = &p->queue[0];
    return p->n_pooled > 0 && p->turn_ready <= m->now && q->pooled <= m->now && !is_fenced(m, q);
}

/* pooled is the clock of a request's first wavefront at the earliest: as old as that. */
static void serve(struct plain *m)
{
    struct plain_partition *best = NULL;
    for (uint32_t i = 0; i < m->c->n_partitions && m->pipe_ready <= m->now; i++) {
        struct plain_partition *p = &m->partition[i];
        if (can_serve(m, p) && (best == NULL || p->queue[0].number < best->queue[0].number)) {
            best = p;
        }
    }
    if (best == NULL) {
        return;
    }
    m->pipe_ready = m->now + m->c->turn_interval;
    best->turn_ready = m->now + m->c->partition_turn;
    if (--best->queue[0].left == 0) {
        m->ended[1] = m->ended[0];
        m->ended[0] = m->now;
        m->n_ended++;
        if (best->queue[0].op->registers > 0) {
            deliver(m, &best->queue[0]);
        } else {
            drain(m, &best->queue[0]);
        }
        best->n--;
        best->n_pooled--;
        m->n_pooled--;
        memmove(&best->queue[0], &best->queue[1], best->n * sizeof best->queue[0]);
    }
}

/* The next fence that comes to the pool, or NULL. */
static struct plain_fence *next_fence(struct plain *m)
{
    for (uint32_t i = 0; i < m->n_fences; i++) {
        if (!m->fence[i].is_pooled) {
            return &m->fence[i];
        }
    }
    return NULL;
}

/* The next request that does, of whichever partition, or NULL. */
static struct plain_partition *next_to_pool(struct plain *m)
{
    struct plain_partition *best = NULL;
    for (uint32_t i = 0; i < m->c->n_partitions; i++) {
        struct plain_partition *p = &m->partition[i];
        if (p->n > p->n_pooled &&
            (best == NULL || p->queue[p->n_pooled].number < best->queue[best->n_pooled].number)) {
            best = p;
        }
    }
    return best;
}

static void fill_pool(struct plain *m)
{
    struct plain_partition *p = next_to_pool(m);
    struct plain_fence *fence = next_fence(m);
    struct plain_request *q = p != NULL ? &p->queue[p->n_pooled] : NULL;
    bool is_fence = fence != NULL && (q == NULL || fence->number < q->number);
    if ((q == NULL && fence == NULL) || m->n_pooled == m->c->pool_slots ||
        (is_fence ? fence->issued : q->issued) + m->c->queue_latency > m->now) {
        return;
    }
    m->n_pooled++;
    if (is_fence) {
        fence->is_pooled = true;
        fence->pooled = m->now + m->c->pool_latency;
        return;
    }
    p->n_pooled++;
    q->pooled = m->now + m->c->pool_latency + (is_delayed(q) ? m->c->store_delay : 0);
}

/* ---- program order --------------------------------------------------------------------------- */

static void begin_turn(struct plain_warp *w)
{
    struct plain_loop *loop = &w->loop[w->depth - 1];
    loop->start = w->ready;
    w->turn_issues = w->since_compare = 0;
    w->control_left = w->unyielded = loop->op->control;
}

static void end_turn(struct plain_warp *w)
{
    struct plain_loop *loop = &w->loop[w->depth - 1];
    if (--loop->left > 0) {
        w->ready = max(w->ready, loop->start + loop->op->cycles);
        w->op = loop->op + 1;
        begin_turn(w);
    } else {
        w->control_left = 0;
        w->depth--;
        w->op++;
    }
}

static void open_barrier(struct plain *m)
{
    uint32_t awaited = 0;
    for (uint32_t i = 0; i < m->n_warps; i++) {
        awaited += !m->warp[i].finished || m->warp[i].at_barrier;
    }
    if (m->n_arrived == 0 || m->n_arrived < awaited) {
        return;
    }
    m->n_arrived = 0;
    come_fence(m); /* the last one, before there is another */
    m->fence_due = m->c->barrier_turns > 0 ? max(m->last_arrival + m->c->barrier_latency, m->now) : never;
    for (uint32_t i = 0; i < m->n_warps; i++) {
        m->warp[i].at_barrier = false;
        m->warp[i].open = max(m->last_arrival + m->c->release_latency, m->now);
    }
}

static void advance(struct plain *m, struct plain_warp *w)
{
    while (w->op->kind == BSIM_OP_LOOP || w->op->kind == BSIM_OP_DONE) {
        if (w->op->kind == BSIM_OP_DONE) {
            end_turn(w);
        } else {
            w->loop[w->depth++] = (struct plain_loop){w->op, w->op->count, 0};
            begin_turn(w);
            w->op++;
        }
    }
    w->work_left = w->op->count;
    if (w->op->kind == BSIM_OP_END) {
        w->finished = true;
        open_barrier(m);
    }
}

static bool is_work(const struct bsim_op *op)
{
    return op->kind >= BSIM_OP_WORK && op->kind < BSIM_OP_LOOP;
}

/* Classes of fp32's pipe have two. */
static bool has_two(const struct plain *m, uint32_t class)
{
    uint8_t own = m->c->work[BSIM_WORK_FP32].pipe;
    return m->c->fp32_pair && own != m->c->work[BSIM_WORK_IMAD].pipe && class != BSIM_WORK_ANY &&
           m->c->work[class].pipe == own;
}

/* Of two, the own one if that is free. */
static uint64_t *pipe_of(const struct plain *m, struct plain_partition *p, uint32_t class)
{
    uint64_t *own = &p->work_ready[class == BSIM_WORK_ANY ? 0 : m->c->work[class].pipe];
    uint64_t *products = &p->work_ready[m->c->work[BSIM_WORK_IMAD].pipe];
    return has_two(m, class) && *own > m->now ? products : own;
}

/* Clocks that an instruction of a work leaves to the next: a chain without a class, and with one what
 * its clocks allow. */
static uint32_t spacing(const struct plain *m, const struct bsim_op *op)
{
    if (op->class == BSIM_WORK_ANY) {
        return m->c->chain_latency;
    }
    uint32_t latency = m->c->work[op->class].latency, clocks = latency;
    while (clocks > 1 && (uint64_t)clocks * (op->count - 1) + latency > op->cycles) {
        clocks--;
    }
    return clocks;
}

/* From a work's last instruction to what follows at least. */
static uint64_t behind_last(const struct plain *m, const struct bsim_op *op)
{
    if (op->class == BSIM_WORK_ANY) {
        return m->c->work_latency;
    }
    uint64_t step = max(spacing(m, op), m->c->work[op->class].interval);
    uint64_t before = step * (op->count - 1), left = op->cycles > before ? op->cycles - before : 1;
    uint64_t latency = m->c->work[op->class].latency;
    return left < latency ? left : latency;
}

/* ---- can it issue? --------------------------------------------------------------------------- */

/* Results that instruction `place` (from 1) of a work needs, counted from the warp's first: the
 * registers awaited and not used yet are shared out over the instructions, in order. */
static uint32_t needed_by(const struct plain_warp *w, uint32_t all, uint32_t place)
{
    uint32_t first = w->n_used, of = w->op->count, registers = 0, upto = 0, groups = 0;
    first = all > first && all - first > 64 ? all - 64 : first; /* the machine keeps 64 */
    first = first < all ? first : all;
    for (uint32_t i = first; i < all; i++) {
        registers += w->result[i].registers;
    }
    for (uint32_t i = 1; i <= place; i++) {
        bool more = false;
        while (first < all && upto * of < registers * i) {
            upto += w->result[first++].registers;
            more = true;
        }
        groups += more;
    }
    return groups < SCOREBOARDS && place < of ? first : all;
}

static bool has_results(const struct plain *m, const struct plain_warp *w)
{
    if (w->op->wait == BSIM_NO_WAIT || w->n_results <= w->op->wait) {
        return true;
    }
    uint32_t needed = w->n_results - w->op->wait;
    if (is_work(w->op) && w->op->class == BSIM_WORK_ANY) {
        needed = needed_by(w, needed, w->op->count - w->work_left + 1);
    }
    return needed == 0 || w->result[needed - 1].done <= m->now;
}

/* A posted request of the warp has yet to come to the pool, where its registers are read. */
static bool is_unread(const struct plain *m, const struct plain_warp *w)
{
    const struct plain_partition *p = &m->partition[(w - m->warp) % m->c->n_partitions];
    for (uint32_t i = p->n_pooled; i < p->n; i++) {
        const struct plain_request *q = &p->queue[i];
        if (q->op->registers == 0 && &m->warp[q->warp] == w) {
            return true;
        }
    }
    return false;
}

/* The warp itself is ready to issue: its partition may not be, nor its loop's control have issued. */
static bool is_awake(const struct plain *m, const struct plain_warp *w)
{
    if (w->finished || w->ready > m->now || !has_results(m, w)) {
        return false;
    }
    const struct plain_loop *loop = &w->loop[w->depth > 0 ? w->depth - 1 : 0];
    if (is_work(w->op)) {
        bool is_special = w->op->kind == BSIM_OP_WORK + m->c->work[BSIM_WORK_XU].pipe;
        return !is_special || (!w->at_barrier && w->open <= m->now);
    }
    switch (w->op->kind) {
    case BSIM_OP_MEMORY:
        return !w->at_barrier && w->open <= m->now && w->memory_ready <= m->now;
    case BSIM_OP_BRANCH:
        return !w->at_barrier && w->open + (m->classed ? 0 : m->c->rejoin_delay) <= m->now &&
               loop->start + loop->op->cycles <= m->now && !is_unread(m, w);
    default:
        return !w->at_barrier && w->open <= m->now;
    }
}

/* Arrivals of the partition that have yet to be taken. */
static uint32_t n_coming(struct plain_partition *p, uint64_t now)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_coming; i++) {
        if (p->taken[i] > now) {
            p->taken[n++] = p->taken[i];
        }
    }
    p->n_coming = n;
    return n;
}

static bool can_issue(const struct plain *m, struct plain_partition *p, const struct plain_warp *w)
{
    bool has_room = p->n - p->n_pooled < m->c->queue_slots;
    return is_awake(m, w) && (!is_work(w->op) || *pipe_of(m, p, w->op->class) <= m->now) &&
           (w->op->kind != BSIM_OP_BRANCH || w->control_left == 0) &&
           (w->op->kind != BSIM_OP_MEMORY || has_room) &&
           (w->op->kind != BSIM_OP_BARRIER || n_coming(p, m->now) < m->c->arrival_slots);
}

static bool can_control(const struct plain *m, const struct plain_partition *p,
                        const struct plain_warp *w)
{
    return w->control_left > 0 && w->loop[w->depth - 1].start <= m->now &&
           p->control_ready <= m->now;
}

/* ---- it issues ------------------------------------------------------------------------------- */

static void issue_memory(struct plain *m, struct plain_partition *p, uint32_t warp)
{
    struct plain_warp *w = &m->warp[warp];
    uint32_t turns = m->ideal ? w->op->ideal : w->op->turns;
    come_fence(m);
    p->queue[p->n++] = (struct plain_request){w->op, m->now, 0, warp, w->n_results, turns, m->n_requests++};
    if (w->op->registers > 0) {
        w->result[w->n_results++] = (struct plain_result){never, w->op->registers};
        m->any_result = true;
    }
    m->n_pending++;
    m->unfenced = true;
    p->issue_ready = m->now + (m->c->replays ? turns : 1);
    w->memory_ready = m->now + m->c->memory_interval;
    w->op++;
    w->ready = m->now + (w->op->kind == BSIM_OP_BRANCH ? m->c->branch_delay : 1);
}

static void issue_barrier(struct plain *m, struct plain_partition *p, struct plain_warp *w)
{
    m->last_arrival = max(m->now, m->barrier_ready);
    m->barrier_ready = m->last_arrival + m->c->arrival_interval;
    p->taken[p->n_coming++] = m->last_arrival;
    w->at_barrier = true;
    w->op++;
    w->ready = m->now + 1;
    m->n_arrived++;
    open_barrier(m);
}

/* Clocks that the instruction leaves to what follows, of a class: two yield now and then, more always, but for the
 * special functions'. */
static void yield(const struct plain *m, struct plain_partition *p, struct plain_warp *w)
{
    const struct bsim_op *op = w->op;
    uint64_t left = w->work_left == 1 ? behind_last(m, op) : max(spacing(m, op), m->c->work[op->class].interval);
    w->unyielded += (uint32_t)left;
    p->yielded = left == 2 && w->unyielded >= 12;
    if (p->yielded || (left > 2 && op->class != BSIM_WORK_XU)) {
        w->unyielded = 0;
    }
}

/* Two registers a clock, where there are products of matrices: of these all are read before the next begins, and before
 * other work all but four. */
static void read_registers(const struct plain *m, struct plain_partition *p, const struct plain_warp *w)
{
    static const uint64_t of_class[] = {2, 2, 2, 3, 3, 4, 1, 10}, of_another[] = {1, 1, 1, 1, 1, 1, 1, 2};
    uint32_t class = w->op->class, local = (uint32_t)(w - m->warp) / m->c->n_partitions;
    p->read_at = max(p->read_at, 2 * m->now) + of_class[class] + (p->reader == local ? 0 : of_another[class]);
    p->reader = local;
    uint64_t all = (p->read_at + 1) / 2;
    for (uint32_t i = 0; i < BSIM_WORK_LSU; i++) {
        p->work_ready[i] = max(p->work_ready[i], i == m->c->work[BSIM_WORK_TENSOR].pipe ? all : max(all, 2) - 2);
    }
}

/* Registers of a bank that the work has to wait for, as another warp has read last or it is not marked. */
static uint32_t to_read(const struct plain *m, const struct plain_partition *p, const struct plain_warp *w, uint32_t bank)
{
    const struct bsim_reads *reads = &w->op->reads;
    uint32_t all = bank == 0 ? reads->even : reads->odd, marked = bank == 0 ? reads->reused_even : reads->reused_odd;
    return p->reader == (uint32_t)(w - m->warp) / m->c->n_partitions ? all - marked : all;
}

/* Its reads would be done within three clocks, or two; or there are more than that, and none before them. */
static bool may_read(const struct plain *m, const struct plain_partition *p, const struct plain_warp *w)
{
    uint32_t clocks = w->op->class == BSIM_WORK_INT ? 2 : 3;
    for (uint32_t bank = 0; bank < 2; bank++) {
        uint32_t n = to_read(m, p, w, bank);
        if (n > 0 && p->unread[bank] > 0 && p->unread[bank] + n > clocks) {
            return false;
        }
    }
    return true;
}

static void read_of_banks(const struct plain *m, struct plain_partition *p, const struct plain_warp *w)
{
    uint32_t even = to_read(m, p, w, 0), odd = to_read(m, p, w, 1);
    p->unread[0] += even;
    p->unread[1] += odd;
    p->reader = even + odd > 0 ? (uint32_t)(w - m->warp) / m->c->n_partitions : p->reader;
}

static void issue_work(struct plain *m, struct plain_partition *p, struct plain_warp *w)
{
    const struct bsim_op *op = w->op;
    bool is_plain = op->class == BSIM_WORK_ANY;
    if (!is_plain) {
        yield(m, p, w);
    }
    *pipe_of(m, p, op->class) =
        m->now + (is_plain ? m->c->work_interval : m->c->work[op->class].interval) *
                     (has_two(m, op->class) ? 2U : 1U);
    p->issue_ready = m->now + (is_plain ? 1 : max(m->c->work[op->class].issue, 1));
    uint64_t late = op->class == BSIM_WORK_TENSOR && p->reads ? 2 : 0;
    p->reads = !is_plain && op->class != BSIM_WORK_TENSOR && op->class != BSIM_WORK_XU;
    if (m->multiplies) {
        read_registers(m, p, w);
    } else if (m->tells) {
        read_of_banks(m, p, w);
    }
    if (w->work_left == op->count) {
        w->first = m->now;
    }
    w->ready = m->now + spacing(m, op) + late;
    if (--w->work_left > 0) {
        return;
    }
    w->ready = max(w->first + op->cycles, m->now + behind_last(m, op)) + late;
    if (op[1].kind == BSIM_OP_BRANCH && is_plain) {
        uint64_t covered = (uint64_t)m->c->chain_latency * (op->count - 1);
        covered += op->cycles <= w->loop[w->depth - 1].op->cycles ? w->since_compare : 0;
        w->ready =
            m->now + max(op->cycles > covered ? op->cycles - covered : 0, m->c->work_latency);
    }
    if (op->wait != BSIM_NO_WAIT && w->n_results > op->wait) {
        w->n_used = w->n_results - op->wait;
    }
    w->op++;
}

static void count_since_compare(const struct plain *m, struct plain_warp *w)
{
    bool is_working = is_work(w->op);
    if (is_working && w->op[1].kind == BSIM_OP_BRANCH) {
        return;
    }
    uint32_t clocks = is_working ? spacing(m, w->op) : m->c->memory_interval;
    w->since_compare = w->turn_issues < 2    ? w->since_compare
                       : w->turn_issues == 2 ? 1
                                             : w->since_compare + clocks;
    w->turn_issues++;
}

static void issue(struct plain *m, struct plain_partition *p, uint32_t warp)
{
    struct plain_warp *w = &m->warp[warp];
    uint8_t kind = w->op->kind;
    bool is_working = is_work(w->op);
    w->end = max(w->end, m->now);
    count_since_compare(m, w);
    p->issue_ready = m->now + 1;
    p->yielded = false;
    if (kind == BSIM_OP_MEMORY) {
        issue_memory(m, p, warp);
    } else if (kind == BSIM_OP_BARRIER) {
        issue_barrier(m, p, w);
    } else if (is_work(w->op)) {
        issue_work(m, p, w);
    } else {
        const struct plain_loop *loop = &w->loop[w->depth - 1];
        bool taken = loop->left > 1;
        w->n_taken += taken;
        p->issue_ready += taken && w->n_taken % 2 == 0 && m->classed && loop->op->control == 0; /* nothing issues behind it */
        w->ready = m->now + (taken ? w->op->cycles : 1);
        w->op++;
    }
    if (!is_working || w->work_left == 0) {
        advance(m, w);
    }
}

/* The loop's control goes before work of a class. Its last instruction compares, in the pipe of whole
 * numbers; the others count, in that of products. */
static void control(struct plain *m, struct plain_partition *p, struct plain_warp *w)
{
    uint32_t class = --w->control_left == 0 ? BSIM_WORK_INT : BSIM_WORK_IMAD;
    uint64_t *pipe = pipe_of(m, p, class);
    p->control_ready = m->now + m->c->work_interval;
    p->issue_ready = m->now + 1;
    p->yielded = false;
    *pipe = max(*pipe, m->now) + m->c->work[class].interval * (has_two(m, class) ? 2U : 1U);
}

static bool is_classed(const struct bsim_op *op)
{
    return is_work(op) && op->kind > BSIM_OP_WORK;
}

static uint32_t n_of(const struct plain *m, uint32_t partition)
{
    return (m->n_warps + m->c->n_partitions - 1 - partition) / m->c->n_partitions;
}

static struct plain_warp *warp_at(struct plain *m, uint32_t partition, uint32_t local)
{
    return &m->warp[local * m->c->n_partitions + partition];
}

/* Since when each warp's instruction has been ready for its partition. */
static void note_waiting(struct plain *m)
{
    for (uint32_t i = 0; i < m->n_warps; i++) {
        struct plain_warp *w = &m->warp[i];
        w->since = !is_awake(m, w) ? never : w->since == never ? m->now : w->since;
    }
}

/* Since when the warp waits that can issue now: with its instruction, or its loop's control. */
static uint64_t waits_since(struct plain *m, uint32_t partition, const struct plain_warp *w)
{
    struct plain_partition *p = &m->partition[partition];
    uint64_t since = can_issue(m, p, w) ? w->since : never;
    uint64_t start = can_control(m, p, w) ? w->loop[w->depth - 1].start : never;
    return since < start ? since : start;
}

/* The last warp goes on with a request, and with anything else that follows within two clocks, unless it has yielded. */
static bool goes_on(struct plain *m, uint32_t partition)
{
    struct plain_partition *p = &m->partition[partition];
    const struct plain_warp *w = warp_at(m, partition, p->last);
    bool is_request = w->op->kind == BSIM_OP_MEMORY && can_issue(m, p, w);
    return waits_since(m, partition, w) != never && (is_request || (!p->yielded && m->now < p->issue_ready + 2));
}

/* The warp of the partition whose turn it is, in its partition; n_of: none can. */
static uint32_t next_warp(struct plain *m, uint32_t partition)
{
    uint32_t n = n_of(m, partition), best = n;
    uint64_t longest = never;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t since = waits_since(m, partition, warp_at(m, partition, i));
        best = since < longest ? i : best;
        longest = since < longest ? since : longest;
    }
    return n > 0 && goes_on(m, partition) ? m->partition[partition].last : best;
}

/* One instruction of the partition, if there is one. */
static void issue_one(struct plain *m, uint32_t partition)
{
    struct plain_partition *p = &m->partition[partition];
    uint32_t local = p->held > 0                ? p->held - 1
                     : p->issue_ready > m->now ? n_of(m, partition)
                                               : next_warp(m, partition);
    if (local == n_of(m, partition)) {
        return;
    }
    struct plain_warp *w = warp_at(m, partition, local);
    bool is_control = p->held == 0 && can_control(m, p, w) && (is_classed(w->op) || !can_issue(m, p, w));
    p->held = m->tells && !is_control && is_work(w->op) && !may_read(m, p, w) ? local + 1 : 0;
    if (p->held > 0) {
        return;
    }
    if (is_control) {
        control(m, p, w);
    } else {
        w->since = never;
        issue(m, p, (uint32_t)(w - m->warp));
        note_waiting(m);
    }
    p->last = local;
}

static bool has_classes(const struct bsim_program *program)
{
    for (uint32_t i = 0; i < program->n_warps; i++) {
        for (size_t k = 0; k < program->warp[i].n_ops; k++) {
            if (is_classed(&program->warp[i].op[k])) {
                return true;
            }
        }
    }
    return false;
}

static bool has_products(const struct bsim_program *program)
{
    for (uint32_t i = 0; i < program->n_warps; i++) {
        for (size_t k = 0; k < program->warp[i].n_ops; k++) {
            const struct bsim_op *op = &program->warp[i].op[k];
            if (is_work(op) && op->class == BSIM_WORK_TENSOR) {
                return true;
            }
        }
    }
    return false;
}

static bool tells_reads(const struct bsim_program *program)
{
    for (uint32_t i = 0; i < program->n_warps; i++) {
        for (size_t k = 0; k < program->warp[i].n_ops; k++) {
            const struct bsim_reads *reads = &program->warp[i].op[k].reads;
            if (reads->even > 0 || reads->odd > 0) {
                return true;
            }
        }
    }
    return false;
}

/* Each bank gives a register. */
static void give_registers(struct plain_partition *p)
{
    for (uint32_t bank = 0; bank < 2; bank++) {
        p->unread[bank] -= p->unread[bank] > 0;
    }
}

/* ---- the clock ------------------------------------------------------------------------------- */

static bool is_over(const struct plain *m)
{
    bool over = m->n_pending == 0;
    for (uint32_t i = 0; i < m->n_warps; i++) {
        over = over && m->warp[i].finished;
    }
    return over;
}

void plain_machine_run(const struct bsim_timing *timing, const struct bsim_program *program,
                       bool ideal, struct plain_times *times)
{
    struct plain *m = calloc(1, sizeof *m);
    if (m == NULL) {
        abort();
    }
    m->c = timing;
    m->ideal = ideal;
    m->n_warps = program->n_warps;
    m->classed = has_classes(program);
    m->multiplies = has_products(program);
    m->tells = !m->multiplies && tells_reads(program);
    for (uint32_t i = 0; i < m->n_warps; i++) {
        m->warp[i].ops = m->warp[i].op = program->warp[i].op;
        m->warp[i].since = never;
        advance(m, &m->warp[i]);
    }
    m->fence_due = never;
    for (m->now = 0; !is_over(m); m->now++) {
        pass_fences(m);
        serve(m);
        fill_pool(m);
        come_fence(m);
        note_waiting(m);
        for (uint32_t i = 0; i < timing->n_partitions; i++) {
            issue_one(m, i);
            give_registers(&m->partition[i]);
        }
        come_fence(m);
    }
    *times = (struct plain_times){0, 0};
    for (uint32_t i = 0; i < m->n_warps; i++) {
        times->cycles = max(times->cycles, m->warp[i].end);
        times->warp_clocks += m->warp[i].end;
    }
    times->cycles += timing->edge_cycles + (m->any_result ? timing->edge_result_cycles : 0);
    free(m);
}
