/* issue.c - an instruction issues: what it does to its warp, and when the warp's next one can; and the clock, which goes
 * from one to the next.
 *
 * A warp issues in program order. Each has a `wake`, the clock from which its next instruction can
 * issue as far as the warp alone goes. When a request issues all its times are known (pipe.c), so a
 * wake is known as soon as the instruction before has issued, but for a barrier, which sets it when
 * it opens. What the partition adds, a full queue or a busy unit, is a gate for all instructions of
 * a kind.
 *
 * A `work K` that waits for results is taken to use them in order, a K-th of the registers with
 * each instruction: sums over loaded values are compiled so, and the last instruction alone waits
 * for the last value. Of work of a class the first instruction waits for all.
 */
#include "timing/next.h"
#include "timing/stalls.h"
#include "timing/warp.h"

#include "base/bits.h"
#include "base/memory.h"

#include <stddef.h>

/* ---- results --------------------------------------------------------------------------------- */

/* The results that the instructions of the op wait for. They come in order: where the last one is
 * there already, none holds it up. */
BSIM_HOT void find_awaited(struct bsim_warp_state *w)
{
    const struct bsim_op *op = w->op;
    uint32_t all = w->n_results - op->wait, unused = all - w->n_used;
    bool waits = (op->wait != BSIM_NO_WAIT) & (w->n_results > op->wait);
    uint32_t place = (uint32_t)pick(waits, (all - 1) % BSIM_RESULTS, BSIM_NO_RESULT);
    bool shares = (op->kind == BSIM_OP_WORK) & (op->count > 1) & (all > w->n_used) & (unused > 1);
    w->awaited = place;
    w->at_part = 0;
    w->part[0] = (struct bsim_work_part){0, place};
    if (shares & (w->result[place].done > w->ready)) {
        bsim_warp_share_out(w, all, unused);
        w->awaited = w->part[0].result;
    }
}

/* Until somebody lets it go on. */
static void stop(const struct bsim_machine *m, struct bsim_warp_state *w)
{
    _Static_assert(BSIM_OP_LOOP == 18, "one for each kind that issues");
    static const uint64_t closed[BSIM_OP_LOOP] = {
        BSIM_NEVER, BSIM_NEVER, BSIM_NEVER, BSIM_NEVER, BSIM_NEVER, BSIM_NEVER,
        BSIM_NEVER, BSIM_NEVER, BSIM_NEVER, BSIM_NEVER, BSIM_NEVER, BSIM_NEVER,
        BSIM_NEVER, BSIM_NEVER, BSIM_NEVER, BSIM_NEVER, BSIM_NEVER, BSIM_NEVER,
    };
    hold_up(m, w, closed);
}

/* ---- program order --------------------------------------------------------------------------- */

/* The warp has come to another op. */
BSIM_HOT void begin_op(struct bsim_machine *m, struct bsim_warp_state *w, bool plain)
{
    if (w->op->kind >= BSIM_OP_LOOP) {
        bsim_order_skip(m, w);
    }
    w->work_left = w->op->count;
    find_awaited(w);
    if (!plain && m->meets) {
        bsim_warp_begin_meeting(w);
    }
}

/* The same of its first, for which no result can be awaited. */
static void begin_first(struct bsim_machine *m, struct bsim_warp_state *w)
{
    if (w->op->kind >= BSIM_OP_LOOP) {
        bsim_order_skip(m, w);
    }
    w->work_left = w->op->count;
    w->awaited = w->part[0].result = BSIM_NO_RESULT;
    w->part[0].left = 0;
    if (m->meets) {
        bsim_warp_begin_meeting(w);
    }
}

/* ---- instructions ---------------------------------------------------------------------------- */

static bool is_ideal(const struct bsim_machine *m, const struct bsim_op *op)
{
    return m->ideal_all || m->ideal_site == op->site;
}

static uint32_t turns_of(const struct bsim_machine *m, const struct bsim_op *op)
{
    return is_ideal(m, op) ? op->ideal : op->turns;
}

/* The request's result; they are waited for in order, so none comes before the one before it. Its delay is what it has
 * its last turn later than on an idle machine. */
BSIM_HOT void add_result(struct bsim_machine *m, struct bsim_warp_state *w, uint64_t last)
{
    const struct bsim_timing *c = m->timing;
    const struct bsim_op *op = w->op;
    bool is_one = op->registers > 0;
    uint32_t n = w->n_results;
    uint64_t delay = last - (m->now + c->queue_latency + c->pool_latency);
    uint64_t done = later(last + c->result_latency + op->late, result_of(w, n - 1)->done);
    w->result[pick(is_one, n % BSIM_RESULTS, BSIM_POSTED)] =
        (struct bsim_load_result){done, (uint32_t)delay, op->registers, is_one, op->site};
    w->n_results = n + is_one;
}

/* The turns that it takes beside wgmma and copies, when it comes to its first. */
static uint32_t stretched(struct bsim_machine *m, const struct bsim_op *op, uint32_t partition, uint32_t turns)
{
    uint64_t ready = later(later(m->now, m->pipe.start_ready), m->pipe.turn_ready[partition]);
    uint64_t first = later(ready, sooner(m->pipe.free[0], m->pipe.free[1]));
    turns = m->program->is_async ? bsim_async_stretch(&m->async, op, turns, m->now, first) : turns;
    return turns + (op->count > 0 && m->program->awaits_copies ? op->tail : 0);
}

/* A copy by cp.async, of which the last turn is known: nobody waits for it as for a load, but as one of its group. */
static void begin_copy(struct bsim_machine *m, struct bsim_warp_state *w, uint64_t last)
{
    uint64_t done = bsim_async_copy_issue(&m->async, w->op, m->now, last);
    if (done > w->copied.done) {
        w->copied = (struct bsim_group_result){done, w->op->site};
    }
}

/* An atomic that is a loop waits for its own results: so long. */
static uint32_t hold(struct bsim_machine *m, struct bsim_warp_state *w)
{
    uint32_t held = is_ideal(m, w->op) ? w->op->l2 : w->op->out;
    if (m->sum != NULL) {
        site_sum(m, w->op->site)[BSIM_SITE_LATENCY] += held;
    }
    w->accounted = m->now + held;
    return held;
}

BSIM_HOT void issue_memory(struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w, bool plain)
{
    const struct bsim_op *op = w->op;
    if (m->fence_due <= m->now) {
        bsim_order_fence(m);
    }
    uint32_t turns = turns_of(m, op), takes = !plain && m->is_beside ? stretched(m, op, w->partition, turns) : turns;
    bool delayed = (op->is_read == 0) & (turns > 1);
    struct bsim_passage passage = bsim_pipe_take(&m->pipe, w->partition, m->now, takes, delayed);
    p->gate[BSIM_OP_MEMORY] = passage.room;
    w->read = pick(op->registers > 0, w->read, passage.entry);
    m->block[w->block].unfenced = true;
    if (!plain && m->timing->replays) {
        p->issue_ready = m->now + turns;
    }
    add_result(m, w, passage.last);
    if (!plain && m->is_beside && op->count > 0 && m->program->awaits_copies) {
        begin_copy(m, w, passage.last);
    }
    if (m->sum != NULL) {
        uint64_t *sum = site_sum(m, op->site);
        sum[BSIM_SITE_REQUESTS]++;
        sum[BSIM_SITE_TURNS] += turns;
        sum[BSIM_SITE_IDEAL] += op->ideal;
    }
    uint32_t held = op->out > 0 ? hold(m, w) : 0;
    w->memory_ready = w->hold[BSIM_OP_MEMORY] = m->now + m->timing->memory_interval;
    w->op++;
    w->ready = m->now + held + (!plain && w->op->kind == BSIM_OP_BRANCH ? m->timing->branch_delay : 1);
}

/* The end of a group, or a wait for some, which is over when it issues. */
static void issue_groups(struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w)
{
    (void)p;
    bool waits = w->op->kind == BSIM_OP_COPIES;
    if (!waits) {
        w->ended[w->n_groups++ % BSIM_GROUPS] = w->copied;
    }
    w->op++;
    w->ready = m->now + (waits ? BSIM_ASYNC_GROUPS_LATENCY : 1);
}

/* ---- fences ---------------------------------------------------------------------------------- */

/* Clocks of an H100 (tests/measured/h100/async/proxy.csv). A fence of the GPU's memory is a way there and back, and one
 * goes at a time: those that come a little later go with it, others when it is back. */
enum { FENCE_LATENCY = 13, FENCE_BEHIND_TURN = 13, FENCE_OF_GPU = 543 };

static uint64_t fence_gpu(struct bsim_machine *m)
{
    if (m->fence_end == 0 || m->now > m->fence_begin + BSIM_FENCES_TOGETHER) {
        m->fence_begin = later(m->now, m->fence_end);
        m->fence_end = m->fence_begin + FENCE_OF_GPU;
    }
    return m->fence_end;
}

/* What is no work waits until then; where the fence is one between proxies its second instruction is on its way:
 *
 *      STS STS MEMBAR.ALL.CTA ... FENCE.VIEW.ASYNC.S  IADD3 ... BAR.SYNC
 */
static void hold_behind(struct bsim_warp_state *w, uint64_t clock)
{
    for (uint32_t kind = 0; kind < BSIM_OP_WORK; kind++) {
        if (kind != BSIM_OP_BRANCH) {
            w->open[kind] = later(w->open[kind], clock);
            w->hold[kind] = later(w->hold[kind], clock);
        }
    }
}

/* It waits for the warp's stores to shared memory. */
static void issue_fence(struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w)
{
    (void)p;
    const struct bsim_op *op = w->op;
    uint64_t stored = w->result[BSIM_POSTED].done, back = m->timing->result_latency;
    uint64_t done = later(m->now + FENCE_LATENCY, stored > 0 ? stored - back + FENCE_BEHIND_TURN : 0);
    done = later(done, op->late > 0 ? fence_gpu(m) : 0);
    w->op++;
    w->ready = m->now + 1;
    bsim_stalls_meet(m, w, done);
    w->ready = done;
    hold_behind(w, done + op->tail);
}

/* ---- barriers and meetings ------------------------------------------------------------------- */

/* When one comes to a barrier or a meeting, which takes them one by one. Few of a partition can wait for that, and whose
 * turn it is to be the next of these is again a warp of the oldest block. So where barriers are the limit it goes through
 * its own as if it were alone, and the others get its waits:
 *
 *      taken   AAAA BB AAAA BB AAAA BB ...  and when A has ended  BBBB CC BBBB CC ...
 */
static uint64_t arrive(struct bsim_machine *m, struct bsim_partition *p)
{
    uint64_t arrival = later(m->now, m->barrier_ready);
    m->barrier_ready = arrival + m->timing->arrival_interval;
    p->arrival[p->n_arrivals++ % BSIM_MAX_SLOTS] = arrival;
    uint64_t room = p->arrival[(p->n_arrivals - m->timing->arrival_slots) % BSIM_MAX_SLOTS];
    p->gate[BSIM_OP_BARRIER] = p->gate[BSIM_OP_ARRIVE] = room;
    return arrival;
}

static void issue_barrier(struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w)
{
    m->block[w->block].last_arrival = arrive(m, p);
    w->at_barrier = true;
    stop(m, w);
    w->op++;
    w->ready = m->now + 1;
    m->block[w->block].n_arrived++;
    bsim_order_open_barrier(m, w);
}

/* That of the warp's block. */
static struct bsim_machine_meeting *meeting_of(struct bsim_machine *m, const struct bsim_warp_state *w,
                                               const struct bsim_op *op)
{
    return &m->meeting[w->block * m->program->meetings.n + op->count];
}

/* Whether work stands behind an await: so does that of a kernel that was run, and what a loop executes there is no
 * part of the wait. */
static bool tells_work(const struct bsim_op *await)
{
    const struct bsim_op *next = await + 1;
    while (next->kind == BSIM_OP_LOOP) {
        next++;
    }
    return bsim_op_is_work(next->kind);
}

/* What wgmmas of other warpgroups than a multiplying warp's take that were issued since it looked last, in parts. */
static uint64_t taken_beside(const struct bsim_machine *m, struct bsim_warp_state *w)
{
    uint64_t own = m->tensor_of[w->group], others = m->async.tensor_busy - own, before = w->others;
    w->others = others;
    return own > 0 ? others - before : 0;
}

/* A meeting of some warps, at which this one looks then, takes what a barrier does: those who await it are let on when the last
 * that they want has come. Work goes on beside a barrier, but not before a look at an mbarrier is answered. */
static void open_meeting(struct bsim_machine *m, struct bsim_warp_state *w, const struct bsim_op *await, bool is_handed,
                         uint64_t look)
{
    const struct bsim_machine_meeting *meeting = meeting_of(m, w, await);
    bool is_phase = meeting->is_awaited_by_phase, looks = tells_work(await) || !meeting->has_bulk;
    struct bsim_async_wait wait = {meeting->last, m->program->meeting[await->count].groups, looks,
                                   is_handed, is_phase ? taken_beside(m, w) : 0};
    bsim_order_release(m, w->open, is_phase ? bsim_async_wake(&m->async, &wait, looks ? look : m->now) : meeting->last);
    w->at_meeting = NULL;
    hold_up(m, w, w->open);
    bsim_stalls_meet(m, w, is_phase && wait.tells_work ? w->open[BSIM_OP_MEMORY] : 0);
    w->ready = later(w->ready, is_phase && wait.tells_work ? w->open[BSIM_OP_MEMORY] : 0);
}

/* Somebody comes to the meeting of the warp's op at that clock, which may lie ahead: the warp itself, or a copy. */
static void come_to(struct bsim_machine *m, struct bsim_warp_state *w, uint64_t arrival)
{
    uint32_t place = w->op->count, first = w->block * m->program->n_warps;
    struct bsim_machine_meeting *meeting = meeting_of(m, w, w->op);
    meeting->last = later(meeting->last, arrival);
    meeting->n_arrived++;
    for (uint32_t warp = first; warp < first + m->program->n_warps; warp++) {
        struct bsim_warp_state *other = &m->warp[warp];
        if (other->at_meeting != NULL && other->at_meeting->count == place &&
            other->at_meeting->cycles <= meeting->n_arrived) {
            open_meeting(m, other, other->at_meeting, w->op->kind == BSIM_OP_ARRIVE && w->op->late == 0,
                         m->now);
            note_wake(other->home, other);
            m->opened = true;
        }
    }
}

static void issue_arrival(struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w)
{
    uint64_t now = arrive(m, p), copied = w->op->late > 0 ? w->copied.done + BSIM_ASYNC_ARRIVAL_LATENCY : 0;
    meeting_of(m, w, w->op)->is_awaited_by_phase |= w->op->late > 0;
    come_to(m, w, later(now, copied));
    w->op++;
    w->ready = m->now + 1;
}

/* A sum of the data pipe's turns, for the block's bound. */
static void add_turns(struct bsim_machine *m, const struct bsim_op *op, uint32_t turns)
{
    if (m->sum != NULL) {
        uint64_t *sum = site_sum(m, op->site);
        sum[BSIM_SITE_REQUESTS] += turns > 0;
        sum[BSIM_SITE_TURNS] += turns;
        sum[BSIM_SITE_IDEAL] += turns;
    }
}

/* The result of what goes on by itself, there at that clock. */
static void add_async_result(struct bsim_machine *m, struct bsim_warp_state *w, uint64_t done)
{
    done = later(done, result_of(w, w->n_results - 1)->done);
    *result_of(w, w->n_results) =
        (struct bsim_load_result){done, 0, 1, false, w->op->site & BSIM_NO_SITE};
    w->n_results++;
    m->any_result = true;
}

/* A wgmma that waits for the tensor cores has another turn than before: its result, and those behind it. */
static void put_off(struct bsim_machine *m, const struct bsim_async_queued *queued)
{
    struct bsim_warp_state *w = &m->warp[queued->warp];
    uint64_t done = bsim_async_wgmma_done(queued);
    if (w->n_results - queued->result > BSIM_RESULTS) {
        return; /* nothing waits for it any more */
    }
    for (uint32_t number = queued->result; number != w->n_results; number++) {
        struct bsim_load_result *result = result_of(w, number);
        result->done = later(result->done, done);
    }
    if (w->finished) {
        w->end = later(w->end, done);
    } else {
        note_wake(w->home, w);
    }
}

static void issue_wgmma(struct bsim_machine *m, struct bsim_warp_state *w)
{
    bsim_async_wgmma_issue(&m->async, w->op, m->now, (uint32_t)(w - m->warp), w->n_results);
    m->tensor_of[w->group] += w->op->cycles;
    add_turns(m, w->op, w->op->turns);
    add_async_result(m, w, 0);
    for (uint32_t i = 0; i < m->async.n_queued; i++) {
        put_off(m, &m->async.queued[i]);
    }
}

/* Whether the warp's work is told, so that it was run: copies, waits and arrivals alone are a sketch of it. */
static bool is_told(const struct bsim_warp_state *w)
{
    const struct bsim_op *op = w->ops;
    while (op < w->op && !bsim_op_is_work(op->kind)) {
        op++;
    }
    return op < w->op;
}

static void issue_async(struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w)
{
    (void)p;
    const struct bsim_op *op = w->op;
    if (op->kind == BSIM_OP_WGMMA) {
        issue_wgmma(m, w);
    } else {
        bool is_cold = !m->async.is_warm[op->tail];
        uint64_t done = bsim_async_bulk_issue(&m->async, op, m->now, is_cold && is_told(w));
        add_turns(m, op, 0);
        if (op->count != BSIM_ASYNC_NO_MEETING) {
            meeting_of(m, w, op)->is_awaited_by_phase = meeting_of(m, w, op)->has_bulk = true;
            come_to(m, w, done);
        } else {
            add_async_result(m, w, done);
        }
    }
    w->op++;
    w->ready = m->now + (op->kind == BSIM_OP_WGMMA && bsim_op_is_work(w->op->kind) ? BSIM_ASYNC_WGMMA_INTERVAL : 1);
}

static void issue_await(struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w)
{
    (void)p;
    const struct bsim_op *op = w->op++;
    w->ready = m->now + 1;
    if (meeting_of(m, w, op)->n_arrived < op->cycles) {
        w->at_meeting = op;
        stop(m, w);
    } else {
        bool is_behind_work = op > w->ops && bsim_op_is_work(op[-1].kind);
        open_meeting(m, w, op, false, is_behind_work ? sooner(m->now, w->came) : m->now);
    }
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

/* The last instruction of a work issues at `at`: when its value is there for the next op. */
BSIM_HOT uint64_t work_done(const struct bsim_machine *m, const struct bsim_warp_state *w, uint64_t at, bool plain)
{
    if (!plain && w->op[1].kind == BSIM_OP_BRANCH && w->op->class == BSIM_WORK_ANY) {
        return at + last_latency(m, w);
    }
    return later(w->first + w->op->cycles, at + w->op->tail);
}

/* The pipe of that kind is taken for another instruction, that comes to it at `at`. Fp32 takes its own of two, or that of products:
 *
 *      its own      ffma  ffma  ffma  ffma            four of each: products wait for fp32 that came before
 *      products        imad  ffma  imad  imad  imad
 */
BSIM_HOT void take_pipe(const struct bsim_machine *m, struct bsim_partition *p, uint8_t kind,
                             uint32_t interval, uint64_t at)
{
    uint64_t *fp32 = &p->gate[m->fp32_kind], *products = &p->gate[m->products_kind], *pipe = &p->gate[kind];
    if (kind != m->fp32_kind && kind != m->products_kind) {
        *pipe = later(*pipe, at) + interval;
        return;
    }
    if (kind == m->fp32_kind) {
        pipe = p->fp32_free <= at ? &p->fp32_free : products;
        interval *= 2;
    }
    *pipe = later(*pipe, at) + interval;
    *fp32 = sooner_clock(p->fp32_free, *products);
}

/* The next instruction of a work, or the op behind the last: true. */
BSIM_HOT bool pass_on(const struct bsim_machine *m, struct bsim_warp_state *w, uint64_t at, bool plain)
{
    const struct bsim_op *op = w->op;
    if (--w->work_left > 0) {
        w->ready = at + op->pause;
        w->at_part += w->work_left < w->part[w->at_part].left;
        w->awaited = w->part[w->at_part].result;
        return false;
    }
    bool uses = (op->wait != BSIM_NO_WAIT) & (w->n_results > op->wait);
    w->ready = work_done(m, w, at, plain);
    w->n_used = (uint32_t)choose(uses, w->n_results - op->wait, w->n_used);
    w->op++;
    return true;
}

/* Whether the warp has come to another op. */
BSIM_HOT bool issue_work(struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w, bool plain)
{
    const struct bsim_op *op = w->op;
    bool has_banks = !plain && m->program->tells_reads && !m->program->multiplies;
    uint64_t at = has_banks ? bsim_banks_read(m, p, w) : m->now;
    take_pipe(m, p, op->kind, op->interval, at);
    p->issue_ready = at + op->turns;
    w->first = choose(w->work_left == op->count, at, w->first);
    bool has_passed = pass_on(m, w, at, plain);
    if (!plain && m->program->multiplies) {
        bsim_banks_read_by_class(m, p, w, op);
    }
    if (!plain && m->program->is_async && op->out > 0) {
        w->ready = later(w->ready, bsim_async_store_issue(&m->async, op, m->now));
    }
    return has_passed;
}

/* The last turn's branch is not taken: what follows goes on at once. Behind every second that a warp takes the partition
 * issues nothing in the next clock, if the trace has what counts the turns among its instructions; where that is the
 * loop's `work=K`, its K have been fitted without. */
static void issue_branch(struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w)
{
    enum { TAKEN_SLOTS = 2 };
    const struct bsim_loop_state *loop = &w->loop[w->depth - 1];
    bool taken = loop->left > 1, is_told = m->program->classed && w->ops[loop->op].control == 0;
    p->issue_ready = m->now + (taken && is_told && w->pays ? TAKEN_SLOTS : 1);
    w->pays ^= taken;
    w->ready = m->now + (taken ? w->op->cycles : 1);
    w->op++;
}

/* The clocks that the compiler has put between the loop's comparison, which it places behind the
 * second instruction of a turn, and where the warp is now. */
static void count_since_compare(const struct bsim_machine *m, struct bsim_warp_state *w)
{
    bool is_work = bsim_op_is_work(w->op->kind);
    uint32_t clocks = is_work ? w->op->pause : m->timing->memory_interval;
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

/* The compiler marks which instruction yields its partition to another warp: one that leaves two clocks to the next,
 * if ten are behind it since its warp yielded last or began the turn, and any that leaves more but for special
 * functions. So two warps of FMNMX in one pipe take turns:
 *
 *      warp 0  x-x-x-x-x-x-            x-x-x-x-x-x-            each six, every second clock
 *      warp 1              x-x-x-x-x-x-            x-x-x-x-x-x-
 */
BSIM_HOT void note_yield(struct bsim_partition *p, struct bsim_warp_state *w)
{
    enum { YIELDS_AFTER = 10 };
    const struct bsim_op *op = w->op;
    if (op->class == BSIM_WORK_ANY) {
        return;
    }
    uint32_t gap = w->work_left == 1 ? op->tail : (uint32_t)later(op->pause, op->interval);
    bool yields = gap == 2 && w->unyielded >= YIELDS_AFTER;
    bool is_long = gap > 2 && op->class != BSIM_WORK_XU;
    p->goes_on = yields ? 0 : BSIM_GOES_ON;
    w->unyielded = yields || is_long ? 0 : w->unyielded + gap;
}

/* Those that come up less often than requests and work. */
static void (*const issue_rare[BSIM_OP_WORK])(struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w) = {
    [BSIM_OP_BARRIER] = issue_barrier, [BSIM_OP_BRANCH] = issue_branch, [BSIM_OP_ARRIVE] = issue_arrival,
    [BSIM_OP_AWAIT] = issue_await,     [BSIM_OP_WGMMA] = issue_async,   [BSIM_OP_BULK] = issue_async,
    [BSIM_OP_COMMIT] = issue_groups,   [BSIM_OP_COPIES] = issue_groups, [BSIM_OP_FENCE] = issue_fence,
};

/* `plain`: the program is (m->is_plain), as that of a trace without repeats often is. What only others have is left out
 * then, and the kind is there as soon as the instruction before has issued. */
BSIM_HOT void issue(struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w, bool plain)
{
    uint8_t kind = plain ? m->next_kind : w->op->kind;
    bool has_passed = true; /* to another op */
    if (!plain && w->depth > 0) {
        count_since_compare(m, w);
    }
    p->issue_ready = m->now + 1;
    p->goes_on = BSIM_GOES_ON;
    if (kind == BSIM_OP_MEMORY) {
        bsim_stalls_add(m, w, BSIM_OP_MEMORY, let_go_time(m, w, kind, plain));
        issue_memory(m, p, w, plain);
    } else if (bsim_op_is_work(kind)) {
        bsim_stalls_add(m, w, BSIM_OP_WORK, let_go_time(m, w, kind, plain));
        note_yield(p, w);
        has_passed = issue_work(m, p, w, plain);
    } else {
        bsim_stalls_add(m, w, kind, let_go_time(m, w, kind, plain));
        plain ? issue_barrier(m, p, w) : issue_rare[kind](m, p, w);
    }
    if (has_passed) {
        begin_op(m, w, plain);
    }
    note_wake_of(p, w, plain);
}

/* A loop's control stands near the top of its body, so it goes before work of a class; the last of it
 * compares, in the pipe of whole numbers, and what counts before that takes the one of products. */
static void issue_control(struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w)
{
    const struct bsim_work_rate *rate =
        &m->timing->work[--w->control_left == 0 ? BSIM_WORK_INT : BSIM_WORK_IMAD];
    take_pipe(m, p, (uint8_t)(BSIM_OP_WORK + rate->pipe), rate->interval, m->now);
    p->control_ready = m->now + m->timing->work_interval;
    p->issue_ready = m->now + 1;
    p->goes_on = BSIM_GOES_ON;
    note_control(w);
    note_wake(p, w);
}

/* Whether it is the warp's control that issues, which can: before work of a class, and where its op cannot. */
static bool is_control_next(const struct bsim_machine *m, const struct bsim_partition *p, uint32_t local)
{
    bool is_first =
        m->program->classed && p->kind[local] > BSIM_OP_WORK && control_time(p, local) <= m->now;
    return is_first || op_time(p, local) > m->now;
}

/* A barrier has opened: the partitions behind this one have their turn in this clock. */
static void look_everywhere(struct bsim_machine *m, uint32_t partition)
{
    m->opened = false;
    for (uint32_t i = 0; i < m->timing->n_partitions; i++) {
        look_ahead(m, i, m->now + (i <= partition));
    }
}

BSIM_APART void issue_any(struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w)
{
    if (p->controls && is_control_next(m, p, w->local)) {
        issue_control(m, p, w);
    } else {
        issue(m, p, w, false);
    }
    if (m->opened) {
        look_everywhere(m, w->partition);
    } else {
        look_ahead(m, w->partition, 0);
    }
}

BSIM_HOT void issue_plain(struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w)
{
    issue(m, p, w, true);
    if (m->opened) {
        look_everywhere(m, w->partition);
    } else {
        m->at[w->partition] = next_op(p, 0, w->local) | w->partition << BSIM_WARP_BITS;
    }
}

/* When the block begins: one after the other comes to the SM, each later by chance. */
static uint64_t begin_of(const struct bsim_machine *m, uint32_t block)
{
    uint64_t drawn = bsim_bits_mix((m->chance * (uint64_t)BSIM_SM_MAX_BLOCKS + block + 1) * BSIM_BITS_GOLDEN);
    return (uint64_t)block * m->timing->block_interval + drawn % (m->timing->block_jitter + UINT64_C(1));
}

/* A warp of the SM begins then, of which the block, the group and its place in the partition are there. */
static inline void begin_warp(struct bsim_machine *m, struct bsim_partition *p, struct bsim_warp_state *w, uint64_t begins)
{
    const struct bsim_load_result none = {.done = 0};
    p->rank[w->local] = (uint64_t)w->block << BSIM_BLOCK_SHIFT | w->local;
    m->by_key[w->partition << BSIM_WARP_BITS | w->local] = w;
    w->home = p;
    w->hold[BSIM_OP_END] = BSIM_NEVER;
    w->ready = begins;
    w->result[BSIM_RESULTS - 1] = none; /* before the first */
    w->result[BSIM_POSTED] = none;
    begin_first(m, w);
    note_wake(p, w);
}

void bsim_issue_begin(struct bsim_machine *m)
{
    uint32_t n_warps = m->program->n_warps, n_groups = (n_warps + BSIM_GROUP_WARPS - 1) / BSIM_GROUP_WARPS;
    uint32_t n_partitions = m->timing->n_partitions, partition = 0, local = 0;
    size_t cleared = m->is_plain ? offsetof(struct bsim_warp_state, open) : offsetof(struct bsim_warp_state, part);
    struct bsim_warp_state *w = m->warp;
    uint64_t first = begin_of(m, 0);
    for (uint32_t block = 1; block < m->n_blocks; block++) {
        first = sooner(first, begin_of(m, block));
    }
    for (uint32_t block = 0; block < m->n_blocks; block++) {
        uint64_t begins = begin_of(m, block) - first;
        for (uint32_t number = 0; number < n_warps; number++, w++) {
            bsim_mem_clear(w, cleared);
            w->block = block;
            w->group = block * n_groups + number / BSIM_GROUP_WARPS;
            w->ops = w->op = m->program->warp[number].op;
            w->partition = partition;
            w->local = local;
            begin_warp(m, &m->partition[partition], w, begins);
            partition = partition + 1 < n_partitions ? partition + 1 : 0;
            local += partition == 0;
        }
    }
}

/* ---- the clock ------------------------------------------------------------------------------- */

/* The next instruction issues now, and its partition looks what comes behind it. */
BSIM_HOT void issue_next(struct bsim_machine *m)
{
    struct bsim_warp_state *w = m->next_warp;
    struct bsim_partition *p = w->home;
    p->last = w->local;
    if (m->is_plain) {
        issue_plain(m, p, w);
    } else {
        issue_any(m, p, w);
    }
}

/* Ends the play where it is. */
static void give_up(struct bsim_machine *m)
{
    m->is_endless = m->steps <= m->max_steps;
    m->n_running = 0;
}

/* The next instruction of all. False: memory is short. */
BSIM_HOT bool step(struct bsim_machine *m)
{
    uint64_t key = m->next, clock = key >> BSIM_KEY_BITS;
    if (++m->steps > m->max_steps || clock >= m->end_of_time) {
        give_up(m);
        return true;
    }
    if (m->turned != 0 && clock > m->now) {
        bsim_order_fence(m);
        if (!m->every_turn && !bsim_steady_skip(m)) {
            return false;
        }
        m->turned = 0;
    }
    m->now = clock;
    issue_next(m);
    bsim_choose_next(m);
    return true;
}

/* Every step hangs on the one before it. Two machines that take turns fill each other's gaps. */
bool bsim_issue_all(struct bsim_machine *first, struct bsim_machine *last)
{
    struct bsim_machine *m = first, *other = last;
    bool good = true;
    while (m->n_running > 0 && good) {
        good = step(m);
        if (other->n_running > 0) {
            struct bsim_machine *played = m;
            m = other;
            other = played;
        }
    }
    return good;
}
