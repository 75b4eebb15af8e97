/* machine.c - one SM plays one block: issue, queues, data pipe, results, barrier.
 *
 *      partition 0        1        2        3          a warp issues in program order; one
 *      +--------+    +--------+                        instruction per clock and partition, the
 *      | warps  |    | warps  |     ...                last warp first, then round the others
 *      +--------+    +--------+
 *          |              |                            at most one memory instruction per
 *      [ queue  ]    [ queue  ]                        memory_interval and warp
 *           \            |             /
 *            +-----------+------------+                one request per clock
 *            |   pool of the SM       |
 *            +-----------+------------+
 *                        |  one wavefront per clock, one per 2 clocks of a partition; in order
 *                        |  within a partition, the oldest request among them
 *                    data pipe ---- 21 clocks ----> result
 *
 * Time goes from event to event. A clock is played in the order pipe, pool, issue, so that what a
 * stage frees the one before it can use at once. Each warp has a `wake`, the clock from which its next
 * instruction can issue as far as the warp alone goes; what it waits for without knowing the time (a
 * result not served yet, a barrier) sets it. What its partition adds, a full queue or a busy unit, is
 * a gate for all instructions of a kind.
 *
 * A `work K` that waits for results is taken to use them in order, a K-th of the registers with each
 * instruction: sums over loaded values are compiled so, and the last instruction alone waits for the
 * last value.
 *
 * Not here: instruction fetch, register banks, functional units other than the integer one that
 * `work` stands for, the way of a request to global memory.
 */
#include "timing/machine.h"

#include "base/memory.h"

#include <stddef.h>
#include <string.h>

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Of something that each partition has; without branches, as are all the choices among partitions
 * below: they change from clock to clock, and a processor that guesses them is wrong half the time. */
static uint64_t least_of(const uint64_t of[BSIM_MAX_PARTITIONS])
{
    return sooner(sooner(of[0], of[1]), sooner(of[2], of[3]));
}

/* The number of the lowest bit that is set; one is. */
static uint32_t lowest_bit(uint32_t bits)
{
#ifdef __GNUC__
    return (uint32_t)__builtin_ctz(bits);
#else
    uint32_t bit = 0;
    while ((bits >> bit & 1) == 0) {
        bit++;
    }
    return bit;
#endif
}

static struct bsim_partition *partition_of(struct bsim_machine *m, uint32_t warp)
{
    return &m->partition[m->warp[warp].partition];
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

/* The result that the next instruction waits for, or NULL. */
static struct bsim_load_result *find_awaited(struct bsim_warp_state *w)
{
    if (w->op->wait == BSIM_NO_WAIT || w->n_results <= w->op->wait) {
        return NULL;
    }
    uint32_t needed = results_needed(w);
    return needed > 0 ? result_of(w, needed - 1) : NULL;
}

/* ---- wakes ------------------------------------------------------------------------------------ */

/* When the warp's next op can issue, its partition aside, as far as is known now. */
static uint64_t issue_time(const struct bsim_warp_state *w)
{
    uint64_t time = w->awaited != NULL ? later(w->ready, w->awaited->done) : w->ready;
    if (w->op->kind == BSIM_OP_WORK) {
        return time;
    }
    if (w->finished || w->at_barrier) {
        return BSIM_NEVER;
    }
    if (w->op->kind == BSIM_OP_MEMORY) {
        return later(time, later(w->memory_ready, w->memory_open));
    }
    time = later(time, w->branch_open);
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
static void note_wake(struct bsim_machine *m, uint32_t warp)
{
    const struct bsim_warp_state *w = &m->warp[warp];
    m->wake[w->place] = issue_time(w);
    m->control[w->place] = control_time(w);
    m->kind[w->place] = w->op->kind;
}

/* Its partition looks again then. */
static void wake_partition(struct bsim_machine *m, uint32_t partition, uint64_t time)
{
    m->wake_at[partition] = sooner(m->wake_at[partition], time);
}

static void deliver(struct bsim_machine *m, const struct bsim_queued *q)
{
    const struct bsim_timing *c = m->timing;
    struct bsim_warp_state *w = &m->warp[q->warp];
    struct bsim_load_result *result = result_of(w, q->result);
    struct bsim_load_result *before = result_of(w, q->result - 1);
    uint64_t best = c->queue_latency + c->pool_latency + c->result_latency + q->op->late;
    result->done = m->now + c->result_latency + q->op->late;
    result->delay = (uint32_t)(result->done - q->issued - best);
    if (q->result > 0 && before->done > result->done) {
        result->done = before->done; /* waits count in order */
    }
    w->end = later(w->end, result->done);
    m->n_pending--;
    if (w->awaited == result) {
        note_wake(m, q->warp);
        wake_partition(m, w->partition, m->wake[w->place]);
    }
}

/* ---- data pipe and pool ----------------------------------------------------------------------- */

static uint32_t turns_of(const struct bsim_machine *m, const struct bsim_op *op)
{
    return m->ideal_all || m->ideal_site == op->site ? op->ideal : op->turns;
}

static struct bsim_queued *queued(struct bsim_partition *p, uint32_t place)
{
    return &p->queue[(p->head + place) % BSIM_QUEUE];
}

/* A key orders partitions by a clock, ties by their number, and names the partition. */
static uint64_t key_of(uint64_t clock, uint32_t partition)
{
    return clock * BSIM_MAX_PARTITIONS + partition;
}

static uint32_t partition_at(uint64_t key)
{
    return (uint32_t)(key % BSIM_MAX_PARTITIONS);
}

/* After a change to the partition's first pooled request: when it can have its next wavefront. */
static void note_head(struct bsim_machine *m, uint32_t partition)
{
    struct bsim_partition *p = &m->partition[partition];
    const struct bsim_queued *q = queued(p, 0);
    bool none = p->n_pooled == 0;
    m->age[partition] = none ? BSIM_NEVER : key_of(q->pooled, partition);
    m->turn_at[partition] = none ? BSIM_NEVER : later(p->turn_ready, q->start);
}

static uint64_t age_if_ready(const struct bsim_machine *m, uint32_t partition)
{
    return m->age[partition] | (0 - (uint64_t)(m->turn_at[partition] > m->now));
}

/* The partition whose turn it is. Like all that goes through the partitions at every clock this takes
 * in those that the SM has not, whose times are BSIM_NEVER. */
static uint32_t oldest_ready(const struct bsim_machine *m)
{
    return partition_at(sooner(sooner(age_if_ready(m, 0), age_if_ready(m, 1)),
                               sooner(age_if_ready(m, 2), age_if_ready(m, 3))));
}

/* When the pipe can have its next wavefront. */
static uint64_t turn_time(const struct bsim_machine *m)
{
    uint64_t turn = least_of(m->turn_at);
    return later(turn, m->pipe_ready);
}

/* The partitions with the two oldest requests, if both have begun and have two turns left. */
static bool two_oldest(const struct bsim_machine *m, uint32_t oldest[2])
{
    const uint64_t *age = m->age;
    uint64_t low = sooner(age[0], age[1]), high = later(age[0], age[1]);
    uint64_t low2 = sooner(age[2], age[3]), high2 = later(age[2], age[3]);
    oldest[0] = partition_at(sooner(low, low2));
    oldest[1] = partition_at(sooner(later(low, low2), sooner(high, high2)));
    return m->turns_left[oldest[0]] >= 2 && m->turns_left[oldest[1]] >= 2;
}

/* While the two oldest requests take turns, each in the other's gap, nobody else gets one, and who
 * comes is younger: all their rounds but the last are served at once. */
static void leap(struct bsim_machine *m)
{
    uint64_t round = m->timing->partition_turn;
    uint32_t oldest[2] = {0, 0};
    if (!two_oldest(m, oldest) || round != (uint64_t)2 * m->timing->turn_interval) {
        return;
    }
    uint64_t *turn[2] = {&m->turn_at[oldest[0]], &m->turn_at[oldest[1]]};
    uint64_t first = sooner(*turn[0], *turn[1]), second = later(*turn[0], *turn[1]);
    if (first != m->pipe_ready || second != first + m->timing->turn_interval) {
        return;
    }
    uint64_t rounds = sooner(m->turns_left[oldest[0]], m->turns_left[oldest[1]]) - 1;
    for (int i = 0; i < 2; i++) {
        m->turns_left[oldest[i]] -= (uint32_t)rounds;
        *turn[i] += rounds * round;
        m->partition[oldest[i]].turn_ready = *turn[i];
    }
    m->pipe_ready += rounds * round;
}

/* The wavefront of this clock, for which there is one. True if it was its request's last. */
static bool serve(struct bsim_machine *m)
{
    uint32_t partition = oldest_ready(m);
    struct bsim_partition *p = &m->partition[partition];
    struct bsim_queued *q = queued(p, 0);
    uint32_t left = m->turns_left[partition];
    left = (left > 0 ? left : q->turns) - 1;
    m->turns_left[partition] = left;
    p->turn_ready = m->now + m->timing->partition_turn;
    m->pipe_ready = m->now + m->timing->turn_interval;
    if (left > 0) {
        m->turn_at[partition] = p->turn_ready;
        if (left > 1) {
            leap(m);
        }
        return false;
    }
    if (q->op->registers > 0) {
        deliver(m, q);
    }
    p->head++;
    p->n_queued--;
    p->n_pooled--;
    m->n_pooled--;
    note_head(m, partition);
    return true;
}

/* After a change to the partition's first waiting request: when it can enter the pool. */
static void note_waiting(struct bsim_machine *m, uint32_t partition)
{
    struct bsim_partition *p = &m->partition[partition];
    uint64_t issued = queued(p, p->n_pooled)->issued;
    m->pool_at[partition] = p->n_queued == p->n_pooled
                                ? BSIM_NEVER
                                : key_of(issued + m->timing->queue_latency, partition);
}

static bool is_full(const struct bsim_machine *m, const struct bsim_partition *p)
{
    return p->n_queued - p->n_pooled >= m->timing->queue_slots;
}

static void fill_pool(struct bsim_machine *m)
{
    const struct bsim_timing *c = m->timing;
    if (m->now < m->pool_ready || m->n_pooled >= c->pool_slots) {
        return;
    }
    uint64_t key = least_of(m->pool_at);
    uint32_t first = partition_at(key);
    if (key / BSIM_MAX_PARTITIONS > m->now) {
        return;
    }
    struct bsim_partition *p = &m->partition[first];
    struct bsim_queued *q = queued(p, p->n_pooled);
    bool delayed = !q->op->is_read && q->turns > 1;
    bool was_full = is_full(m, p);
    q->pooled = m->now;
    q->start = m->now + c->pool_latency + (delayed ? c->store_delay : 0);
    p->n_pooled++;
    m->n_pooled++;
    m->pool_ready = m->now + 1;
    note_waiting(m, first);
    if (p->n_pooled == 1) {
        note_head(m, first);
    }
    if (was_full) {
        p->gate[BSIM_OP_MEMORY] = 0;
        wake_partition(m, first, m->now);
    }
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
    uint64_t open = m->last_arrival + m->timing->release_latency;
    if (m->n_arrived == 0 || m->n_arrived + m->n_gone < m->program->n_warps) {
        return;
    }
    m->n_arrived = 0;
    for (uint32_t warp = 0; warp < m->program->n_warps; warp++) {
        struct bsim_warp_state *w = &m->warp[warp];
        m->n_gone += w->at_barrier && w->finished;
        w->at_barrier = false;
        w->memory_open = open;
        w->branch_open = open + m->timing->rejoin_delay;
        if (!w->finished) {
            note_wake(m, warp);
            wake_partition(m, w->partition, m->wake[w->place]);
        }
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

/* ---- issue ------------------------------------------------------------------------------------ */

/* Books the warp's time since it was last booked: what each stretch of it was spent on. The results
 * that its op needs are there; `open` is when a barrier let it go. */
static void account(struct bsim_machine *m, struct bsim_warp_state *w, uint64_t open)
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

/* When a barrier let the warp's op go, or will; BSIM_NEVER: nobody knows yet. */
static uint64_t open_time(const struct bsim_warp_state *w)
{
    if (w->op->kind == BSIM_OP_WORK) {
        return 0;
    }
    return w->at_barrier                   ? BSIM_NEVER
           : w->op->kind == BSIM_OP_MEMORY ? w->memory_open
                                           : w->branch_open;
}

void bsim_machine_settle(struct bsim_machine *m)
{
    for (uint32_t warp = 0; warp < m->program->n_warps; warp++) {
        struct bsim_warp_state *w = &m->warp[warp];
        const struct bsim_load_result *result = w->finished ? NULL : w->awaited;
        bool results = result == NULL || result->done <= m->now;
        uint64_t open = w->finished ? 0 : open_time(w);
        if (!w->finished && results && w->ready <= m->now &&
            (open == BSIM_NEVER || open <= m->now)) {
            account(m, w, open == BSIM_NEVER ? m->now : open);
        }
    }
}

static void issue_memory(struct bsim_machine *m, uint32_t warp)
{
    struct bsim_warp_state *w = &m->warp[warp];
    struct bsim_partition *p = partition_of(m, warp);
    struct bsim_queued *q = queued(p, p->n_queued++);
    uint32_t turns = turns_of(m, w->op);
    q->op = w->op;
    q->issued = m->now;
    q->warp = (uint8_t)warp;
    q->turns = (uint16_t)turns;
    q->result = w->n_results;
    if (p->n_queued == p->n_pooled + 1) {
        note_waiting(m, w->partition);
    }
    if (is_full(m, p)) {
        p->gate[BSIM_OP_MEMORY] = BSIM_NEVER; /* until fill_pool makes room */
    }
    if (w->op->registers > 0) {
        *result_of(w, w->n_results++) =
            (struct bsim_load_result){BSIM_NEVER, 0, w->op->site, w->op->registers};
        m->n_pending++;
        m->any_result = true;
    }
    if (m->sum != NULL) {
        uint64_t *sum = site_sum(m, w->op->site);
        sum[BSIM_SITE_REQUESTS]++;
        sum[BSIM_SITE_TURNS] += turns;
        sum[BSIM_SITE_IDEAL] += w->op->ideal;
    }
    p->issue_ready = m->now + (m->timing->replays ? turns : 1);
    w->memory_ready = m->now + m->timing->memory_interval;
    w->op++;
    w->ready = m->now + (w->op->kind == BSIM_OP_BRANCH ? m->timing->branch_delay : 1);
}

static void issue_barrier(struct bsim_machine *m, uint32_t warp)
{
    struct bsim_warp_state *w = &m->warp[warp];
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

static void issue_work(struct bsim_machine *m, uint32_t warp)
{
    struct bsim_warp_state *w = &m->warp[warp];
    const struct bsim_op *op = w->op;
    partition_of(m, warp)->gate[BSIM_OP_WORK] = m->now + m->timing->work_interval;
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
static void issue_branch(struct bsim_machine *m, uint32_t warp)
{
    struct bsim_warp_state *w = &m->warp[warp];
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

static void issue(struct bsim_machine *m, uint32_t warp)
{
    struct bsim_warp_state *w = &m->warp[warp];
    account(m, w, open_time(w));
    w->end = later(w->end, m->now);
    count_since_compare(m, w);
    partition_of(m, warp)->issue_ready = m->now + 1;
    switch (w->op->kind) {
    case BSIM_OP_MEMORY:
        issue_memory(m, warp);
        break;
    case BSIM_OP_BARRIER:
        issue_barrier(m, warp);
        break;
    case BSIM_OP_BRANCH:
        issue_branch(m, warp);
        break;
    default:
        issue_work(m, warp);
        break;
    }
    if (w->op->kind != BSIM_OP_WORK || w->work_left == 0) {
        advance(m, warp);
    }
    w->awaited = find_awaited(w);
}

/* When the warp at this place can go on, as its partition allows: with its op, or with its loop's
 * control. */
static uint64_t op_time(const struct bsim_machine *m, const struct bsim_partition *p,
                        uint32_t place)
{
    return later(m->wake[place], p->gate[m->kind[place]]);
}

static uint64_t place_time(const struct bsim_machine *m, const struct bsim_partition *p,
                           uint32_t place)
{
    uint64_t time = op_time(m, p, place);
    if (m->control[place] != BSIM_NEVER) {
        time = sooner(time, later(m->control[place], p->control_ready));
    }
    return time;
}

/* An instruction of the warp at this place, which has one to issue. */
static void issue_at(struct bsim_machine *m, struct bsim_partition *p, uint32_t place,
                     uint32_t warp)
{
    if (op_time(m, p, place) <= m->now) {
        issue(m, warp);
    } else {
        m->warp[warp].control_left--;
        p->control_ready = m->now + m->timing->work_interval;
        p->issue_ready = m->now + 1;
    }
    note_wake(m, warp);
}

/* The warps of the partition that can go on now; bit i: the i-th. */
static uint32_t find_ready(const struct bsim_machine *m, const struct bsim_partition *p)
{
    uint32_t ready = 0;
    for (uint32_t i = 0; i < p->n_warps; i++) {
        ready |= (uint32_t)(place_time(m, p, p->first_place + i) <= m->now) << i;
    }
    return ready;
}

static void issue_partition(struct bsim_machine *m, uint32_t partition)
{
    struct bsim_partition *p = &m->partition[partition];
    uint32_t ready = p->issue_ready <= m->now ? find_ready(m, p) : 0;
    if (ready != 0) {
        uint32_t from_last = ready >> p->last << p->last;
        p->last = lowest_bit(from_last != 0 ? from_last : ready);
        issue_at(m, p, p->first_place + p->last, p->last * m->timing->n_partitions + partition);
    }
    uint64_t least = BSIM_NEVER;
    for (uint32_t i = 0; i < p->n_warps; i++) {
        least = sooner(least, place_time(m, p, p->first_place + i));
    }
    m->wake_at[partition] = later(least, p->issue_ready);
}

/* The partitions that have to be looked at in this clock, of those in `among`. */
static uint32_t find_due(const struct bsim_machine *m, uint32_t among)
{
    const uint64_t *at = m->wake_at, now = m->now;
    uint32_t due = (uint32_t)(at[0] <= now) | (uint32_t)(at[1] <= now) << 1 |
                   (uint32_t)(at[2] <= now) << 2 | (uint32_t)(at[3] <= now) << 3;
    return due & among;
}

/* In order; one that is woken by another before it still has its turn in this clock. */
static void issue_all(struct bsim_machine *m)
{
    uint32_t due = find_due(m, UINT32_MAX);
    while (due != 0) {
        uint32_t partition = lowest_bit(due);
        issue_partition(m, partition);
        due = find_due(m, UINT32_MAX << partition << 1);
    }
}

/* ---- the clock -------------------------------------------------------------------------------- */

/* The next clock at which something other than the data pipe may happen. */
static uint64_t quiet_until(const struct bsim_machine *m)
{
    uint64_t wake = least_of(m->wake_at), key = least_of(m->pool_at);
    bool comes = key != BSIM_NEVER && m->n_pooled < m->timing->pool_slots;
    return comes ? sooner(wake, later(key / BSIM_MAX_PARTITIONS, m->pool_ready)) : wake;
}

/* Has the pipe serve its wavefronts, from clock `first` on, up to the next clock that has to be played
 * in full, and goes there. False: there is none, and the pipe is empty. */
static bool go_on(struct bsim_machine *m, uint64_t first)
{
    uint64_t quiet = later(quiet_until(m), first);
    uint64_t turn = later(turn_time(m), first);
    while (turn <= quiet && turn != BSIM_NEVER) {
        m->now = turn;
        if (serve(m)) {
            quiet = later(quiet_until(m), m->now);
        }
        turn = turn_time(m);
    }
    m->now = quiet;
    return quiet != BSIM_NEVER;
}

static void start_warp(struct bsim_machine *m, uint32_t warp)
{
    struct bsim_warp_state *w = &m->warp[warp];
    uint32_t n = m->timing->n_partitions;
    memset(w, 0, offsetof(struct bsim_warp_state, loop));
    w->ops = w->op = m->program->warp[warp].op;
    w->partition = warp % n;
    w->place = m->partition[w->partition].first_place + warp / n;
    advance(m, warp);
    w->awaited = find_awaited(w);
    note_wake(m, warp);
    wake_partition(m, w->partition, 0);
}

/* What the block before left in queues, loops and results is never looked at. */
static void start(struct bsim_machine *m, const struct bsim_run *run)
{
    uint32_t n = run->timing->n_partitions, place = 0;
    memset(m, 0, offsetof(struct bsim_machine, partition));
    m->timing = run->timing;
    m->program = run->program;
    m->ideal_all = run->ideal_all;
    m->ideal_site = run->ideal_site;
    m->sum = run->sum;
    m->n_sums = run->sum != NULL ? BSIM_N_SUMS + run->n_sites * BSIM_N_SITE_SUMS : 0;
    m->n_running = run->program->n_warps;
    for (uint32_t depth = 0; depth < BSIM_REPEAT_MAX_DEPTH; depth++) {
        m->leader[depth] = BSIM_ALL_WARPS;
    }
    for (uint32_t i = 0; i < BSIM_MAX_PARTITIONS; i++) {
        struct bsim_partition *p = &m->partition[i];
        memset(p, 0, offsetof(struct bsim_partition, queue));
        m->turn_at[i] = m->pool_at[i] = m->wake_at[i] = BSIM_NEVER;
        p->first_place = place;
        p->n_warps = i < n ? (run->program->n_warps + n - 1 - i) / n : 0;
        place += p->n_warps;
    }
    for (uint32_t warp = 0; warp < run->program->n_warps; warp++) {
        start_warp(m, warp);
    }
}

static bool play(struct bsim_machine *m, bool every_turn)
{
    uint64_t next = 0;
    while ((m->n_running > 0 || m->n_pending > 0) && go_on(m, next)) {
        fill_pool(m);
        issue_all(m);
        if (m->turned != 0 && !every_turn && !bsim_steady_skip(m)) {
            return false;
        }
        m->turned = 0;
        next = m->now + 1;
    }
    return true;
}

/* The block's time, with the rest of each warp's in the sums. */
static uint64_t finish(struct bsim_machine *m)
{
    uint64_t end = 0;
    for (uint32_t warp = 0; warp < m->program->n_warps; warp++) {
        struct bsim_warp_state *w = &m->warp[warp];
        uint64_t rest = w->end - w->accounted;
        end = later(end, w->end);
        if (rest > 0 && m->sum != NULL) {
            const struct bsim_load_result *last = result_of(w, w->n_results - 1);
            uint64_t pipe = sooner(rest, last->delay);
            site_sum(m, last->site)[BSIM_SITE_PIPE] += pipe;
            site_sum(m, last->site)[BSIM_SITE_LATENCY] += rest - pipe;
        }
    }
    return m->skipped + end + m->timing->edge_cycles +
           (m->any_result ? m->timing->edge_result_cycles : 0);
}

struct bsim_machine *bsim_machine_new(void)
{
    return bsim_mem_zeroed(1, sizeof(struct bsim_machine));
}

void bsim_machine_free(struct bsim_machine *machine)
{
    bsim_mem_free(machine);
}

enum bsim_status bsim_machine_run(struct bsim_machine *m, const struct bsim_run *run,
                                  uint64_t *cycles, struct bsim_error *err)
{
    start(m, run);
    bool played = play(m, run->every_turn);
    bsim_steady_free(m);
    if (!played) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory while timing");
    }
    *cycles = finish(m);
    return BSIM_OK;
}
