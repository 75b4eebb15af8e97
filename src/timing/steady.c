/* steady.c - leaves out the repetitions of a loop's steady state.
 *
 * The machine is deterministic and knows nothing of the time but differences. So if its state, all
 * times taken from now, is at one moment what it was at an earlier one, the stretch between the two
 * comes again and again, until some warp does what it did not do in between: leave its loop. The
 * state is everything that a decision depends on:
 *
 *      per warp        place, loop stack, remaining instructions, when it and its results are ready
 *      per partition   when its last requests leave the queue, units' times
 *      SM              when requests leave the pool, pipe, barrier
 *
 * with one exception, the turns left of each warp's loop at the depth that is looked at. They are
 * compared with nothing, and tell how often the stretch fits: a warp that has r turns left and took
 * k in the stretch has room for (r - 1) / k. The stretch is left out that many times at once (the
 * least over the warps); sums grow by what they grew in one. The end of the loop is then played. So
 * nothing is approximated, whether warps march in step, drift apart or run at different rates.
 *
 * States are looked at when a certain warp, the depth's leader, begins a turn. Which one to compare
 * with is Brent's choice (An improved Monte Carlo factorization algorithm, 1980): keep one state,
 * replace it after 1, 2, 4, ... turns. A period of any length is found soon after it has set in.
 */
#include "timing/machine.h"

#include "base/memory.h"

#include <string.h>

enum {
    PER_RESULT = 3,
    PER_WARP = 21 + 4 * BSIM_REPEAT_MAX_DEPTH + PER_RESULT * BSIM_RESULTS,
    PER_PARTITION = 12 + BSIM_WORK_LSU + 2 * BSIM_MAX_SLOTS + 2 * BSIM_BLOCK_MAX_WARPS,
    OTHERS = 9 + BSIM_MAX_SLOTS + 4 * BSIM_SM_MAX_BLOCKS,
    NUMBERS_PER_STEP = 32, /* of a state that take as long as an instruction */
    MAX_STATE = OTHERS + BSIM_MAX_PARTITIONS * PER_PARTITION + BSIM_SM_MAX_WARPS * PER_WARP,
};

struct state {
    size_t n;
    uint64_t value[MAX_STATE];
};

struct bsim_snapshot {
    bool taken;
    uint64_t clock;
    uint64_t turns, limit; /* since it was taken; until it is replaced */
    uint32_t left[BSIM_SM_MAX_WARPS];
    uint64_t *sum;
    struct state state, current;
};

/* ---- the state as a list of numbers ---------------------------------------------------------- */

static void put(struct state *state, uint64_t value)
{
    state->value[state->n++] = value;
}

/* A time that matters only while it lies ahead. */
static void put_ahead(struct state *state, const struct bsim_machine *m, uint64_t time)
{
    put(state, time == BSIM_NEVER ? BSIM_NEVER : time > m->now ? time - m->now : 0);
}

/* A time of a warp's that matters only if it lies after what is in the sums already. */
static void put_since(struct state *state, const struct bsim_warp_state *w, uint64_t time)
{
    put(state, time == BSIM_NEVER ? BSIM_NEVER : time > w->accounted ? time - w->accounted : 0);
}

/* The results that are still awaited or not used yet, youngest first. */
static void put_results(struct state *state, const struct bsim_warp_state *w)
{
    uint32_t unused = w->n_results - w->n_used;
    uint32_t n = w->n_results < BSIM_RESULTS ? w->n_results : BSIM_RESULTS;
    put(state, unused < BSIM_RESULTS ? unused : BSIM_RESULTS);
    put(state, n);
    for (uint32_t back = 1; back <= n; back++) {
        const struct bsim_load_result *r = &w->result[(w->n_results - back) % BSIM_RESULTS];
        bool ahead = r->done > w->accounted;
        if (!ahead && back > unused) {
            break;
        }
        put_since(state, w, r->done);
        put(state, r->registers);
        put(state, ahead ? (uint64_t)r->delay << 32 | r->site : 0);
    }
}

static void put_loops(struct state *state, const struct bsim_machine *m,
                      const struct bsim_warp_state *w, uint32_t depth)
{
    put(state, w->depth);
    for (uint32_t i = 0; i < w->depth; i++) {
        const struct bsim_loop_state *loop = &w->loop[i];
        put(state, loop->op);
        put(state, i == depth ? 0 : loop->left);
        put_ahead(state, m, loop->start);
        put_since(state, w, loop->start + w->ops[loop->op].cycles);
    }
}

static void put_warp(struct state *state, const struct bsim_machine *m, uint32_t warp,
                     uint32_t depth)
{
    const struct bsim_warp_state *w = &m->warp[warp];
    bool working = bsim_op_is_work(w->op->kind) && w->work_left < w->op->count;
    put(state, (uint64_t)(w->op - w->ops) << 3 | (uint64_t)(w->at_meeting != NULL) << 2 |
                   (uint64_t)w->at_barrier << 1 | w->finished);
    if (w->finished) {
        put_ahead(state, m, w->end);
        return;
    }
    put_ahead(state, m, w->result[BSIM_POSTED].done);
    put(state, m->now - w->accounted);
    put_since(state, w, w->ready);
    put_since(state, w, w->memory_ready);
    put_since(state, w, w->read);
    put_since(state, w, w->came);
    put(state, w->read > w->accounted ? w->result[BSIM_POSTED].site : 0);
    put_since(state, w, m->block[w->block].open[BSIM_OP_MEMORY]);
    put_since(state, w, m->block[w->block].open[BSIM_OP_BRANCH]);
    put_since(state, w, w->open[BSIM_OP_MEMORY]);
    put_since(state, w, w->open[BSIM_OP_BRANCH]);
    put(state, w->work_left);
    put_ahead(state, m, working ? w->first + w->op->cycles : 0);
    put(state, w->control_left);
    put(state, w->turn_issues);
    put(state, w->since_compare);
    put(state, w->unyielded);
    put(state, w->pays);
    put_loops(state, m, w, depth);
    put_results(state, w);
}

static uint32_t block_of(const struct bsim_partition *p, uint32_t local)
{
    return (uint32_t)(p->rank[local] >> BSIM_BLOCK_SHIFT);
}

/* Of the warps of the block that the first one belongs to: since when the last to come has waited. */
static uint64_t last_to_wait(const struct bsim_partition *p, uint32_t first, uint64_t now)
{
    uint64_t last = 0;
    for (uint32_t i = first; i < p->n_warps && block_of(p, i) == block_of(p, first); i++) {
        last = later(last, p->wake[i] <= now ? p->wake[i] : 0);
        last = later(last, p->control[i] <= now ? p->control[i] : 0);
    }
    return last;
}

/* When somebody can go on, or how much longer than the last to come he has waited: between warps of a
 * block only who came first matters, and a block that older ones keep waiting looks the same all the
 * while. */
static void put_turn(struct state *state, uint64_t time, uint64_t last, uint64_t now)
{
    put(state, time == BSIM_NEVER ? BSIM_NEVER
               : time > now       ? (time - now) << 1 | 1
                                  : (last - time) << 1);
}

/* Whose turn it is, and in what order the warps wait for theirs. */
static void put_waiting(struct state *state, const struct bsim_machine *m, uint32_t partition)
{
    const struct bsim_partition *p = &m->partition[partition];
    uint64_t last = 0;
    put(state, m->at[partition] % (1 << BSIM_KEY_BITS));
    put_ahead(state, m, sooner(m->at[partition] >> BSIM_KEY_BITS, BSIM_NEVER));
    for (uint32_t i = 0; i < p->n_warps; i++) {
        bool is_first = i == 0 || block_of(p, i) != block_of(p, i - 1);
        last = is_first ? last_to_wait(p, i, m->now) : last;
        put_turn(state, p->wake[i], last, m->now);
        put_turn(state, p->control[i], last, m->now);
    }
}

static void put_partition(struct state *state, const struct bsim_machine *m, uint32_t partition)
{
    const struct bsim_partition *p = &m->partition[partition];
    put(state, p->last * UINT64_C(2) + p->is_reading);
    put_ahead(state, m, p->issue_ready + 1); /* whether the last warp goes on */
    put(state, p->goes_on);
    put(state, p->reader);
    put(state, p->banks > 2 * m->now ? p->banks - 2 * m->now : 0);
    put_ahead(state, m, p->bank_free[0]);
    put_ahead(state, m, p->bank_free[1]);
    put_waiting(state, m, partition);
    for (uint32_t pipe = 0; pipe < BSIM_WORK_LSU; pipe++) {
        put_ahead(state, m, p->gate[BSIM_OP_WORK + pipe]);
    }
    put_ahead(state, m, p->fp32_free);
    put_ahead(state, m, p->control_ready);
    put_ahead(state, m, m->pipe.turn_ready[partition]);
    for (uint32_t i = m->timing->queue_slots; i > 0; i--) {
        uint32_t number = m->pipe.n[partition] - i;
        put_ahead(state, m, m->pipe.entry[partition][number % BSIM_MAX_SLOTS]);
    }
    for (uint32_t i = m->timing->arrival_slots; i > 0; i--) {
        put_ahead(state, m, p->arrival[(p->n_arrivals - i) % BSIM_MAX_SLOTS]);
    }
}

/* When a place takes its next request matters for some clocks more: to a barrier, behind which the pipe is idle so long. */
static void put_place(struct state *state, const struct bsim_machine *m, uint64_t free)
{
    uint64_t idle = (uint64_t)m->timing->barrier_turns * m->pipe.spacing + m->pipe.turn_interval;
    put_ahead(state, m, free == BSIM_NEVER ? BSIM_NEVER : free + idle);
}

static void put_pipe(struct state *state, const struct bsim_machine *m)
{
    const struct bsim_pipe *pipe = &m->pipe;
    uint32_t first[] = {pipe->first_gone[0], pipe->first_gone[1]};
    put_ahead(state, m, pipe->entry_ready);
    put_ahead(state, m, pipe->start_ready);
    put_place(state, m, sooner(pipe->free[0], pipe->free[1]));
    put_place(state, m, later(pipe->free[0], pipe->free[1]));
    for (uint32_t i = 0; i < m->timing->pool_slots; i++) {
        put_ahead(state, m, bsim_pipe_next_gone(pipe, first));
    }
}

static void take_state(struct state *state, const struct bsim_machine *m, uint32_t depth)
{
    state->n = 0;
    for (uint32_t i = 0; i < m->n_blocks; i++) {
        put(state, m->block[i].n_arrived);
        put(state, m->block[i].unfenced);
        put_ahead(state, m, m->block[i].fence);
        put_ahead(state, m, m->block[i].last_arrival + m->timing->release_latency);
    }
    put_ahead(state, m, m->barrier_ready);
    put_ahead(state, m, m->fence_begin + BSIM_FENCES_TOGETHER);
    put_ahead(state, m, m->fence_end);
    put_pipe(state, m);
    for (uint32_t i = 0; i < m->timing->n_partitions; i++) {
        put_partition(state, m, i);
    }
    for (uint32_t warp = 0; warp < m->n_warps; warp++) {
        put_warp(state, m, warp, depth);
    }
}

/* ---- leaving out ----------------------------------------------------------------------------- */

/* The time with what has been left out: an inner loop may have been cut short in the stretch. */
static uint64_t clock_of(const struct bsim_machine *m)
{
    return m->now + m->skipped;
}

static uint32_t turns_left(const struct bsim_machine *m, uint32_t warp, uint32_t depth)
{
    const struct bsim_warp_state *w = &m->warp[warp];
    return !w->finished && w->depth > depth ? w->loop[depth].left : 0;
}

/* How often the stretch since the snapshot can be left out. */
static uint64_t room(const struct bsim_machine *m, const struct bsim_snapshot *then, uint32_t depth)
{
    uint64_t least = BSIM_NEVER;
    for (uint32_t warp = 0; warp < m->n_warps; warp++) {
        uint32_t left = turns_left(m, warp, depth);
        uint32_t taken = then->left[warp] - left;
        if (taken > 0) {
            uint64_t times = (left - 1) / taken;
            least = times < least ? times : least;
        }
    }
    return least == BSIM_NEVER ? 0 : least;
}

/* No more than time has left: no sum grows faster than 32 warps' clocks. */
static bool has_time(const struct bsim_machine *m, const struct bsim_snapshot *then, uint64_t times)
{
    return times == 0 || clock_of(m) - then->clock < (m->end_of_time - m->now) / times;
}

static void leave_out(struct bsim_machine *m, const struct bsim_snapshot *then, uint32_t depth,
                      uint64_t times)
{
    uint64_t clocks = times * (clock_of(m) - then->clock);
    m->skipped += clocks;
    m->end_of_time -= clocks;
    for (size_t i = 0; i < m->n_sums; i++) {
        m->sum[i] += times * (m->sum[i] - then->sum[i]);
    }
    for (uint32_t warp = 0; warp < m->n_warps; warp++) {
        uint32_t taken = then->left[warp] - turns_left(m, warp, depth);
        if (taken > 0) {
            m->warp[warp].loop[depth].left -= (uint32_t)(times * taken);
        }
    }
}

/* Keeps the current state as the one to compare with. */
static void keep(const struct bsim_machine *m, struct bsim_snapshot *snapshot, uint32_t depth)
{
    snapshot->taken = true;
    snapshot->clock = clock_of(m);
    snapshot->turns = 0;
    snapshot->state.n = snapshot->current.n;
    memcpy(snapshot->state.value, snapshot->current.value,
           snapshot->current.n * sizeof snapshot->current.value[0]);
    if (m->n_sums > 0) {
        memcpy(snapshot->sum, m->sum, m->n_sums * sizeof *m->sum);
    }
    for (uint32_t warp = 0; warp < m->n_warps; warp++) {
        snapshot->left[warp] = turns_left(m, warp, depth);
    }
}

static bool states_equal(const struct state *a, const struct state *b)
{
    return a->n == b->n && memcmp(a->value, b->value, a->n * sizeof a->value[0]) == 0;
}

static void look(struct bsim_machine *m, struct bsim_snapshot *snapshot, uint32_t depth)
{
    bsim_stalls_settle(m);
    take_state(&snapshot->current, m, depth);
    m->steps += snapshot->current.n / NUMBERS_PER_STEP;
    snapshot->turns++;
    if (snapshot->taken && states_equal(&snapshot->state, &snapshot->current)) {
        uint64_t times = room(m, snapshot, depth);
        if (!has_time(m, snapshot, times)) {
            m->end_of_time = m->now;
            return;
        }
        leave_out(m, snapshot, depth, times);
        for (uint32_t inner = depth; inner < BSIM_REPEAT_MAX_DEPTH; inner++) {
            bsim_steady_forget(m, inner);
        }
    } else if (!snapshot->taken || snapshot->turns == snapshot->limit) {
        snapshot->limit = snapshot->taken ? 2 * snapshot->limit : 1;
        keep(m, snapshot, depth);
    }
}

static struct bsim_snapshot *snapshot_at(struct bsim_machine *m, uint32_t depth)
{
    if (m->snapshot[depth] == NULL) {
        struct bsim_snapshot *made = bsim_mem_resize(NULL, 1, sizeof *made); /* 250 KB, of which little is used */
        uint64_t *sum = made == NULL ? NULL : bsim_mem_zeroed(m->n_sums + 1, sizeof *sum);
        if (sum == NULL) {
            bsim_mem_free(made);
            return NULL;
        }
        made->taken = false; /* what else it has comes with the first that is taken */
        made->turns = 0;
        made->sum = sum;
        m->snapshot[depth] = made;
    }
    return m->snapshot[depth];
}

bool bsim_steady_skip(struct bsim_machine *m)
{
    for (uint32_t depth = 0; depth < BSIM_REPEAT_MAX_DEPTH; depth++) {
        if (m->turned >> depth & 1) {
            struct bsim_snapshot *snapshot = snapshot_at(m, depth);
            if (snapshot == NULL) {
                return false;
            }
            look(m, snapshot, depth);
        }
    }
    return true;
}

void bsim_steady_forget(struct bsim_machine *m, uint32_t depth)
{
    if (m->snapshot[depth] != NULL) {
        m->snapshot[depth]->taken = false;
        m->snapshot[depth]->turns = 0;
    }
}

void bsim_steady_free(struct bsim_machine *m)
{
    for (uint32_t depth = 0; depth < BSIM_REPEAT_MAX_DEPTH; depth++) {
        if (m->snapshot[depth] != NULL) {
            bsim_mem_free(m->snapshot[depth]->sum);
            bsim_mem_free(m->snapshot[depth]);
        }
    }
}
