/* machine.c - one SM plays one block, or several of a kind: issue, queues, data pipe, results, barrier.
 *
 *      partition 0        1        2        3          a warp issues in program order; one
 *      +--------+    +--------+                        instruction per clock and partition, the
 *      | warps  |    | warps  |     ...                last warp first, then who waits longest
 *      +--------+    +--------+                        in the oldest block
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
 * Time goes from instruction to instruction. When one has issued, everything that follows from it
 * is known: the request's whole way and its result (pipe.c), when the warp's next instruction can
 * issue (issue.c), and so the partition's next clock and which of its warps has it. What partitions
 * have in common, the pipe and the barrier, asks that they issue in the order of their clocks, and
 * of their numbers in one clock; so the clock goes to the least of four. Only a barrier that opens
 * has the others look again.
 *
 * `work K`, the results that it waits for and the gates of a partition: issue.c. What the time goes
 * on: stalls.c. How loops are cut short: steady.c.
 *
 * Not here: instruction fetch, register banks, the way of a request to global memory.
 */
#include "timing/machine.h"

#include "base/memory.h"

#include <stddef.h>
#include <string.h>

/* ---- what comes next ------------------------------------------------------------------------- */

/* When the warp can issue an instruction, as its partition allows: of its op, or of its loop's
 * control. */
static inline uint64_t op_time(const struct bsim_partition *p, size_t local)
{
    return later(p->wake[local], p->gate[p->kind[local]]);
}

static inline uint64_t control_time(const struct bsim_partition *p, size_t local)
{
    return later(p->control[local], p->control_ready);
}

/* When the first of the partition's warps can issue its op; of four at a time, as there are, if need be such as never do.
 * Here and below there are choices rather than branches, as is the choice among partitions: who is next changes all the
 * time, and a processor that guesses is wrong half the time. */
static inline uint64_t first_of_four(const struct bsim_partition *p, size_t i)
{
    return sooner_clock(sooner_clock(op_time(p, i), op_time(p, i + 1)), sooner_clock(op_time(p, i + 2), op_time(p, i + 3)));
}

static inline uint64_t first_op(const struct bsim_partition *p)
{
    uint64_t first = first_of_four(p, 0);
    for (size_t i = 4; i < p->n_warps; i += 4) {
        first = sooner_clock(first, first_of_four(p, i));
    }
    return first;
}

static uint64_t first_control(const struct bsim_partition *p)
{
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < p->n_warps; i++) {
        first = sooner(first, control_time(p, i));
    }
    return first;
}

/* Who goes first of those that can issue in that clock: the least key. */
static inline uint64_t key_if(uint64_t key, bool can)
{
    return key | (0 - (uint64_t)!can);
}

static inline uint64_t op_key(const struct bsim_partition *p, size_t i, uint64_t clock)
{
    return key_if(p->order[i], op_time(p, i) <= clock);
}

static inline uint64_t key_of_four(const struct bsim_partition *p, size_t i, uint64_t clock)
{
    return sooner(sooner(op_key(p, i, clock), op_key(p, i + 1, clock)),
                  sooner(op_key(p, i + 2, clock), op_key(p, i + 3, clock)));
}

/* The key of those whose ops can issue in that clock. Of several warps it is one of the older block, which came to the
 * SM before, and of a block's the one that has waited longest:
 *
 *      block 0  |==========|                      four blocks with nothing but arithmetic: each takes what
 *      block 1  |  =  =  =  ==========|           the older ones leave
 *      block 2  |           =  =  =  ==========|
 */
static inline uint64_t least_key(const struct bsim_partition *p, uint64_t clock)
{
    uint64_t least = key_of_four(p, 0, clock);
    for (size_t i = 4; i < p->n_warps; i += 4) {
        least = sooner(least, key_of_four(p, i, clock));
    }
    return least;
}

/* The same, their loops' control among them. */
static uint64_t least_of_both(const struct bsim_partition *p, uint64_t clock)
{
    uint64_t least = least_key(p, clock);
    for (size_t i = 0; i < p->n_warps; i++) {
        uint64_t key = p->rank[i] + (p->control[i] << BSIM_WARP_BITS);
        least = sooner(least, key_if(key, control_time(p, i) <= clock));
    }
    return least;
}

/* Whether the warp that issued last goes on in that clock: with a request, or with anything else that
 * follows within BSIM_GOES_ON clocks, if it has not yielded.
 *
 *      clock                     10  11  12  13  14  15  16      a pipe of 2 clocks
 *      warp 0, three sums in turn A       B       C                goes on with B, and with C
 *      warp 1, since 11                                  D         has waited longer than
 *      warp 2, since 12                                            this one
 */
static inline bool goes_on(const struct bsim_partition *p, bool is_op, bool is_control, uint64_t clock)
{
    bool is_soon = clock < p->issue_ready + p->goes_on;
    return (is_op | is_control) & (is_soon | (is_op & (p->kind[p->last] == BSIM_OP_MEMORY)));
}

/* Which instruction of the partition issues next, from clock `from` on: its clock and warp. */
static uint64_t next_op(const struct bsim_partition *p, uint64_t from)
{
    uint64_t clock = sooner_clock(later(first_op(p), later(p->issue_ready, from)), BSIM_NEVER);
    bool again = goes_on(p, op_time(p, p->last) <= clock, false, clock);
    uint64_t local = choose(again, p->last, least_key(p, clock) % BSIM_BLOCK_MAX_WARPS);
    return clock << BSIM_KEY_BITS | local;
}

/* The same where a loop has control. */
static uint64_t next_of_both(const struct bsim_partition *p, uint64_t from)
{
    uint64_t first = sooner(first_op(p), first_control(p));
    uint64_t clock = sooner(later(first, later(p->issue_ready, from)), BSIM_NEVER);
    bool again = goes_on(p, op_time(p, p->last) <= clock, control_time(p, p->last) <= clock, clock);
    uint64_t local = again ? p->last : least_of_both(p, clock) % BSIM_BLOCK_MAX_WARPS;
    return clock << BSIM_KEY_BITS | local;
}

static inline uint64_t next_in(const struct bsim_partition *p, uint64_t from)
{
    return p->controls ? next_of_both(p, from) : next_op(p, from);
}

static void look_ahead(struct bsim_machine *m, uint32_t partition, uint64_t from)
{
    m->at[partition] = next_in(&m->partition[partition], from) | partition << BSIM_WARP_BITS;
}

/* A barrier has opened: the partitions behind this one have their turn in this clock. */
static void look_everywhere(struct bsim_machine *m, uint32_t partition)
{
    m->opened = false;
    for (uint32_t i = 0; i < m->timing->n_partitions; i++) {
        look_ahead(m, i, m->now + (i <= partition));
    }
}

/* Whether it is the warp's control that issues, which can: before work of a class, and where its op cannot. */
static bool is_control_next(const struct bsim_machine *m, const struct bsim_partition *p, uint32_t local)
{
    bool is_first =
        m->program->classed && p->kind[local] > BSIM_OP_WORK && control_time(p, local) <= m->now;
    return is_first || op_time(p, local) > m->now;
}

/* Which instruction issues next of all. Known as soon as the one before has issued, so that what another machine does
 * meanwhile hides the way to it. */
static inline void choose_next(struct bsim_machine *m)
{
    uint64_t key = sooner_clock(sooner_clock(m->at[0], m->at[1]), sooner_clock(m->at[2], m->at[3]));
    uint32_t partition = (uint32_t)(key >> BSIM_WARP_BITS) % BSIM_MAX_PARTITIONS;
    m->next = key;
    m->next_partition = &m->partition[partition];
    m->next_warp = m->partition[partition].warp[key % BSIM_BLOCK_MAX_WARPS];
}

static inline void issue_next(struct bsim_machine *m, uint32_t partition, uint32_t local)
{
    struct bsim_partition *p = m->next_partition;
    struct bsim_warp_state *w = m->next_warp;
    p->last = local;
    if (p->controls && is_control_next(m, p, local)) {
        bsim_issue_control(m, p, w);
    } else {
        bsim_issue_op(m, p, w);
    }
    if (m->opened) {
        look_everywhere(m, partition);
    } else {
        m->at[partition] = next_in(p, 0) | partition << BSIM_WARP_BITS;
    }
}

/* ---- the clock ------------------------------------------------------------------------------- */

/* The kinds of work that share two pipes, if there are such. */
static void find_pair(struct bsim_machine *m)
{
    const struct bsim_work_rate *rate = m->timing->work;
    uint8_t fp32 = rate[BSIM_WORK_FP32].pipe, products = rate[BSIM_WORK_IMAD].pipe;
    bool is_pair = m->timing->fp32_pair && fp32 != products;
    m->fp32_kind = is_pair ? (uint8_t)(BSIM_OP_WORK + fp32) : BSIM_N_OP_KINDS;
    m->products_kind = is_pair ? (uint8_t)(BSIM_OP_WORK + products) : BSIM_N_OP_KINDS;
}

static void start_partition(struct bsim_machine *m, uint32_t i)
{
    struct bsim_partition *p = &m->partition[i];
    uint32_t n = m->timing->n_partitions;
    bsim_mem_clear(p, offsetof(struct bsim_partition, arrival));
    for (uint32_t before = 1; before <= m->timing->arrival_slots; before++) {
        p->arrival[BSIM_MAX_SLOTS - before] = 0; /* before the first */
    }
    m->at[i] = BSIM_NEVER << BSIM_KEY_BITS;
    p->n_warps = i < n ? (m->n_warps + n - 1 - i) / n : 0;
    for (uint32_t local = 0; local < later(p->n_warps + 3, 4) / 4 * 4; local++) {
        p->wake[local] = p->control[local] = BSIM_NEVER;
        p->order[local] = BSIM_NEVER << BSIM_WARP_BITS;
        p->kind[local] = BSIM_OP_END;
    }
}

/* Block after block, one to each partition in turn. */
static void begin_warps(struct bsim_machine *m)
{
    uint32_t partition = 0, local = 0;
    for (uint32_t block = 0; block < m->n_blocks; block++) {
        for (uint32_t number = 0; number < m->program->n_warps; number++) {
            bsim_issue_begin(m, block, number, partition, local);
            partition++;
            if (partition == m->timing->n_partitions) {
                partition = 0;
                local++;
            }
        }
    }
}

/* False: memory is short. */
static bool start(struct bsim_machine *m, const struct bsim_run *run)
{
    uint32_t n = run->timing->n_partitions, n_meetings = run->program->meetings.n;
    if (n_meetings > 0) {
        bsim_mem_free(m->meeting);
        m->meeting = bsim_mem_zeroed((size_t)n_meetings * run->n_blocks, sizeof *m->meeting);
        if (m->meeting == NULL) {
            return false;
        }
    }
    bsim_mem_clear(m, offsetof(struct bsim_machine, async));
    bsim_mem_clear(m->block, run->n_blocks * sizeof m->block[0]);
    m->timing = run->timing;
    m->program = run->program;
    m->ideal_all = run->ideal_all;
    m->ideal_site = run->ideal_site;
    m->sum = run->sum;
    m->is_beside = run->program->is_async || run->program->awaits_copies;
    if (m->is_beside) {
        bsim_mem_clear(&m->async, sizeof m->async);
        bsim_mem_clear(m->tensor_of, sizeof m->tensor_of);
    }
    m->meets = n_meetings > 0 || run->program->awaits_copies;
    m->special_kind = (uint8_t)(BSIM_OP_WORK + run->timing->work[BSIM_WORK_XU].pipe);
    m->every_turn = run->every_turn || m->is_beside;
    m->clocked = run->clocked;
    m->end_of_time = BSIM_NEVER;
    m->max_steps = run->max_steps;
    m->n_sums = run->sum != NULL ? BSIM_N_SUMS + run->n_sites * BSIM_N_SITE_SUMS : 0;
    m->n_blocks = run->n_blocks;
    m->n_running = m->n_warps = run->program->n_warps * run->n_blocks;
    find_pair(m);
    bsim_pipe_start(&m->pipe, run->timing);
    for (uint32_t depth = 0; depth < BSIM_REPEAT_MAX_DEPTH; depth++) {
        m->leader[depth] = BSIM_ALL_WARPS;
    }
    for (uint32_t i = 0; i < BSIM_MAX_PARTITIONS; i++) {
        start_partition(m, i);
    }
    begin_warps(m);
    for (uint32_t i = 0; i < n; i++) {
        look_ahead(m, i, 0);
    }
    choose_next(m);
    return true;
}

/* Ends the play where it is. */
static void give_up(struct bsim_machine *m)
{
    m->is_endless = m->steps <= m->max_steps;
    m->n_running = 0;
}

/* The next instruction of all. False: memory is short. */
static inline bool step(struct bsim_machine *m)
{
    uint64_t key = m->next, clock = key >> BSIM_KEY_BITS;
    if (++m->steps > m->max_steps || clock >= m->end_of_time) {
        give_up(m);
        return true;
    }
    if (m->turned != 0 && clock > m->now) {
        if (!m->every_turn && !bsim_steady_skip(m)) {
            return false;
        }
        m->turned = 0;
    }
    m->now = clock;
    issue_next(m, (uint32_t)(key >> BSIM_WARP_BITS) % BSIM_MAX_PARTITIONS,
               (uint32_t)key % BSIM_BLOCK_MAX_WARPS);
    choose_next(m);
    return true;
}

/* Every step hangs on the one before it. Two machines that take turns fill each other's gaps. */
static bool play(struct bsim_machine *first, struct bsim_machine *last)
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

static uint64_t finish(struct bsim_machine *m)
{
    uint64_t edges = m->timing->edge_cycles + (m->any_result ? m->timing->edge_result_cycles : 0);
    uint64_t end = bsim_stalls_close(m);
    m->is_endless |= end >= m->end_of_time || edges >= m->end_of_time - end;
    return m->skipped + end + edges;
}

uint32_t bsim_machine_blocks(const struct bsim_timing *timing, uint32_t n_warps, uint64_t fit)
{
    uint32_t warps = timing->n_partitions * BSIM_BLOCK_MAX_WARPS;
    warps = warps < BSIM_SM_MAX_WARPS ? warps : BSIM_SM_MAX_WARPS;
    fit = sooner(fit, BSIM_SM_MAX_BLOCKS);
    return (uint32_t)later(sooner(fit, warps / later(n_warps, 1)), 1);
}

struct bsim_machine *bsim_machine_new(void)
{
    return bsim_mem_zeroed(BSIM_MACHINES, sizeof(struct bsim_machine));
}

void bsim_machine_free(struct bsim_machine *machine)
{
    for (size_t i = 0; machine != NULL && i < BSIM_MACHINES; i++) {
        bsim_mem_free(machine[i].meeting);
    }
    bsim_mem_free(machine);
}

enum bsim_status bsim_machine_run(struct bsim_machine *machine, size_t n,
                                  const struct bsim_run *run, struct bsim_ran *ran,
                                  struct bsim_error *err)
{
    bool played = true;
    for (size_t i = 0; i < n; i++) {
        played = start(&machine[i], &run[i]) && played;
    }
    played = played && play(&machine[0], &machine[n - 1]);
    for (size_t i = 0; i < n; i++) {
        bsim_steady_free(&machine[i]);
    }
    if (!played) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory while timing");
    }
    for (size_t i = 0; i < n; i++) {
        struct bsim_machine *m = &machine[i];
        ran[i] = (struct bsim_ran){.cycles = m->steps > m->max_steps ? BSIM_NEVER : finish(m), .steps = m->steps};
        if (m->is_beside) {
            ran[i].tensor = m->async.tensor_busy / BSIM_ASYNC_PARTS;
            ran[i].copies = m->async.copies_busy / BSIM_ASYNC_PARTS;
            ran[i].stores_met = m->async.stores_met;
        }
        if (m->is_endless) {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "a block takes more than 2^56 clocks; --cycles never counts "
                                  "without them");
        }
    }
    return BSIM_OK;
}
