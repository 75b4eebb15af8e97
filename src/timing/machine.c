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
static uint64_t op_time(const struct bsim_partition *p, size_t local)
{
    return later(p->wake[local], p->gate[p->kind[local]]);
}

static uint64_t control_time(const struct bsim_partition *p, size_t local)
{
    return later(p->control[local], p->control_ready);
}

/* When the first of the partition's warps can issue an instruction, but not before `from`. Here and below there are
 * choices rather than branches, as is the choice among partitions: who is next changes all the time, and a processor
 * that guesses is wrong half the time. */
static inline uint64_t first_clock(const struct bsim_partition *p, uint64_t from)
{
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < p->n_warps; i += 4) {
        uint64_t a = sooner(op_time(p, i), op_time(p, i + 1)), b = sooner(op_time(p, i + 2), op_time(p, i + 3));
        first = sooner(first, sooner(a, b));
    }
    for (size_t i = 0; p->controls && i < p->n_warps; i++) {
        first = sooner(first, control_time(p, i));
    }
    return later(first, from);
}

/* Who goes first of those that can issue in that clock: the least key. */
static inline uint64_t key_of(const struct bsim_partition *p, size_t i, uint64_t since, bool can)
{
    return (p->rank[i] + (since << BSIM_WARP_BITS)) | (0 - (uint64_t)!can);
}

static inline uint64_t op_key(const struct bsim_partition *p, size_t i, uint64_t clock)
{
    return key_of(p, i, p->wake[i], op_time(p, i) <= clock);
}

/* Which warp of those that can issue in that clock. Of several it is one of the older block, which came to the
 * SM before, and of a block's the one that has waited longest:
 *
 *      block 0  |==========|                      four blocks with nothing but arithmetic: each takes what
 *      block 1  |  =  =  =  ==========|           the older ones leave
 *      block 2  |           =  =  =  ==========|
 */
static inline uint64_t first_warp(const struct bsim_partition *p, uint64_t clock)
{
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < p->n_warps; i += 4) {
        uint64_t a = sooner(op_key(p, i, clock), op_key(p, i + 1, clock));
        uint64_t b = sooner(op_key(p, i + 2, clock), op_key(p, i + 3, clock));
        first = sooner(first, sooner(a, b));
    }
    for (size_t i = 0; p->controls && i < p->n_warps; i++) {
        first = sooner(first, key_of(p, i, p->control[i], control_time(p, i) <= clock));
    }
    return first % BSIM_BLOCK_MAX_WARPS;
}

/* Whether the warp that issued last goes on in that clock: with a request, or with anything else that
 * follows within BSIM_GOES_ON clocks, if it has not yielded.
 *
 *      clock                     10  11  12  13  14  15  16      a pipe of 2 clocks
 *      warp 0, three sums in turn A       B       C                goes on with B, and with C
 *      warp 1, since 11                                  D         has waited longer than
 *      warp 2, since 12                                            this one
 */
static inline bool goes_on(const struct bsim_partition *p, uint64_t clock)
{
    bool is_op = op_time(p, p->last) <= clock, is_soon = clock < p->issue_ready + p->goes_on;
    bool can = is_op | (p->controls & (control_time(p, p->last) <= clock));
    return can & (is_soon | (is_op & (p->kind[p->last] == BSIM_OP_MEMORY)));
}

/* Which instruction of the partition issues next, from clock `from` on. Where the last warp goes on nobody has to be
 * asked since when he waits. */
static inline void look_ahead(struct bsim_machine *m, uint32_t partition, uint64_t from)
{
    const struct bsim_partition *p = &m->partition[partition];
    uint64_t clock = sooner(first_clock(p, later(p->issue_ready, from)), BSIM_NEVER);
    uint64_t local = goes_on(p, clock) ? p->last : first_warp(p, clock);
    m->at[partition] = clock << BSIM_KEY_BITS | partition << BSIM_WARP_BITS | local;
}

/* A barrier has opened: the partitions behind this one have their turn in this clock. */
static void look_everywhere(struct bsim_machine *m, uint32_t partition)
{
    m->opened = false;
    for (uint32_t i = 0; i < m->timing->n_partitions; i++) {
        look_ahead(m, i, m->now + (i <= partition));
    }
}

static void issue_next(struct bsim_machine *m, uint32_t partition, uint32_t local)
{
    struct bsim_partition *p = &m->partition[partition];
    struct bsim_warp_state *w = &m->warp[local * m->timing->n_partitions + partition];
    p->last = local;
    bool is_first =
        m->program->classed && p->kind[local] > BSIM_OP_WORK && control_time(p, local) <= m->now;
    if (!p->controls || (op_time(p, local) <= m->now && !is_first)) {
        bsim_issue_op(m, p, w);
    } else {
        bsim_issue_control(m, p, w);
    }
    if (m->opened) {
        look_everywhere(m, partition);
    } else {
        look_ahead(m, partition, 0);
    }
}

/* ---- the clock ------------------------------------------------------------------------------- */

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
    memset(m, 0, offsetof(struct bsim_machine, block));
    memset(m->block, 0, run->n_blocks * sizeof m->block[0]);
    m->timing = run->timing;
    m->program = run->program;
    m->ideal_all = run->ideal_all;
    m->ideal_site = run->ideal_site;
    m->sum = run->sum;
    m->every_turn = run->every_turn || run->program->is_async || run->program->awaits_copies;
    m->clocked = run->clocked;
    m->end_of_time = BSIM_NEVER;
    m->max_steps = run->max_steps;
    m->n_sums = run->sum != NULL ? BSIM_N_SUMS + run->n_sites * BSIM_N_SITE_SUMS : 0;
    m->n_blocks = run->n_blocks;
    m->n_running = m->n_warps = run->program->n_warps * run->n_blocks;
    bsim_pipe_start(&m->pipe, run->timing);
    for (uint32_t depth = 0; depth < BSIM_REPEAT_MAX_DEPTH; depth++) {
        m->leader[depth] = BSIM_ALL_WARPS;
    }
    for (uint32_t i = 0; i < BSIM_MAX_PARTITIONS; i++) {
        struct bsim_partition *p = &m->partition[i];
        m->at[i] = UINT64_MAX;
        p->n_warps = i < n ? (m->n_warps + n - 1 - i) / n : 0;
        for (uint32_t local = 0; local < BSIM_BLOCK_MAX_WARPS; local++) {
            p->wake[local] = p->control[local] = BSIM_NEVER;
        }
    }
    for (uint32_t warp = 0; warp < m->n_warps; warp++) {
        bsim_issue_begin(m, warp);
    }
    for (uint32_t i = 0; i < n; i++) {
        look_ahead(m, i, 0);
    }
    return true;
}

static uint64_t next_key(const struct bsim_machine *m)
{
    return sooner(sooner(m->at[0], m->at[1]), sooner(m->at[2], m->at[3]));
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
    uint64_t key = next_key(m), clock = key >> BSIM_KEY_BITS;
    if ((++m->steps > m->max_steps) | (clock >= m->end_of_time)) {
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
    return true;
}

/* Every step hangs on the one before it. Two machines that take turns fill each other's gaps. */
static bool play(struct bsim_machine *m, size_t n)
{
    bool good = true;
    while (n == 2 && m[0].n_running > 0 && m[1].n_running > 0 && good) {
        good = step(&m[0]) && step(&m[1]);
    }
    for (size_t i = 0; i < n; i++) {
        while (m[i].n_running > 0 && good) {
            good = step(&m[i]);
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
    played = played && play(machine, n);
    for (size_t i = 0; i < n; i++) {
        bsim_steady_free(&machine[i]);
    }
    if (!played) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory while timing");
    }
    for (size_t i = 0; i < n; i++) {
        struct bsim_machine *m = &machine[i];
        ran[i] = (struct bsim_ran){m->steps > m->max_steps ? BSIM_NEVER : finish(m), m->steps,
                                   m->async.tensor_busy / BSIM_ASYNC_PARTS,
                                   m->async.copies_busy / BSIM_ASYNC_PARTS, m->async.stores_met};
        if (m->is_endless) {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "a block takes more than 2^56 clocks; --cycles never counts "
                                  "without them");
        }
    }
    return BSIM_OK;
}
