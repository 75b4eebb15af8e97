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
 * Time goes from instruction to instruction. When one has issued, everything that follows from it is
 * known: the request's whole way and its result (pipe.c), when the warp's next instruction can issue
 * (issue.c), and so the partition's next clock and which of its warps has it. What partitions have in
 * common, the pipe and the barrier, asks that they issue in the order of their clocks, and of their
 * numbers in one clock; so the clock goes to the least of four. Only a barrier that opens has the
 * others look again.
 *
 * `work K`, the results that it waits for and the gates of a partition: issue.c. What the time goes on:
 * books.c. How loops are cut short: steady.c.
 *
 * Not here: instruction fetch, register banks, functional units other than the integer one that
 * `work` stands for, the way of a request to global memory.
 */
#include "timing/machine.h"

#include "base/memory.h"

#include <stddef.h>
#include <string.h>

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

/* ---- what comes next -------------------------------------------------------------------------- */

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

/* Which instruction of the partition issues next, from clock `from` on. */
static void look_ahead(struct bsim_machine *m, uint32_t partition, uint64_t from)
{
    struct bsim_partition *p = &m->partition[partition];
    uint64_t time[BSIM_BLOCK_MAX_WARPS], clock = BSIM_NEVER;
    uint32_t ready = 0;
    for (uint32_t i = 0; i < p->n_warps; i++) {
        time[i] = place_time(m, p, p->first_place + i);
        clock = sooner(clock, time[i]);
    }
    clock = later(clock, later(p->issue_ready, from));
    for (uint32_t i = 0; i < p->n_warps; i++) {
        ready |= (uint32_t)(time[i] <= clock) << i;
    }
    uint32_t from_last = ready >> p->last << p->last;
    p->next = lowest_bit(from_last != 0 ? from_last : ready);
    m->at[partition] = clock == BSIM_NEVER ? BSIM_NEVER : clock * BSIM_MAX_PARTITIONS + partition;
}

/* A barrier has opened: the partitions behind this one have their turn in this clock. */
static void look_everywhere(struct bsim_machine *m, uint32_t partition)
{
    m->opened = false;
    for (uint32_t i = 0; i < m->timing->n_partitions; i++) {
        if (m->partition[i].n_warps > 0) {
            look_ahead(m, i, m->now + (i <= partition));
        }
    }
}

static void issue_next(struct bsim_machine *m, uint32_t partition)
{
    struct bsim_partition *p = &m->partition[partition];
    uint32_t warp = p->next * m->timing->n_partitions + partition;
    p->last = p->next;
    if (op_time(m, p, p->first_place + p->next) <= m->now) {
        bsim_issue_op(m, warp);
    } else {
        bsim_issue_control(m, warp);
    }
    if (m->opened) {
        look_everywhere(m, partition);
    } else {
        look_ahead(m, partition, 0);
    }
}

/* ---- the clock -------------------------------------------------------------------------------- */

static void start(struct bsim_machine *m, const struct bsim_run *run)
{
    uint32_t n = run->timing->n_partitions, place = 0;
    memset(m, 0, offsetof(struct bsim_machine, wake));
    m->timing = run->timing;
    m->program = run->program;
    m->ideal_all = run->ideal_all;
    m->ideal_site = run->ideal_site;
    m->sum = run->sum;
    m->n_sums = run->sum != NULL ? BSIM_N_SUMS + run->n_sites * BSIM_N_SITE_SUMS : 0;
    m->n_running = run->program->n_warps;
    bsim_pipe_start(&m->pipe, run->timing);
    for (uint32_t depth = 0; depth < BSIM_REPEAT_MAX_DEPTH; depth++) {
        m->leader[depth] = BSIM_ALL_WARPS;
    }
    for (uint32_t i = 0; i < BSIM_MAX_PARTITIONS; i++) {
        struct bsim_partition *p = &m->partition[i];
        m->at[i] = BSIM_NEVER;
        p->first_place = place;
        p->n_warps = i < n ? (run->program->n_warps + n - 1 - i) / n : 0;
        place += p->n_warps;
    }
    for (uint32_t warp = 0; warp < run->program->n_warps; warp++) {
        bsim_issue_begin(m, warp);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (m->partition[i].n_warps > 0) {
            look_ahead(m, i, 0);
        }
    }
}

static bool play(struct bsim_machine *m, bool every_turn)
{
    uint64_t next = least_of(m->at);
    while (m->n_running > 0 && next != BSIM_NEVER) {
        uint64_t clock = next / BSIM_MAX_PARTITIONS;
        if (m->turned != 0 && clock > m->now) {
            if (!every_turn && !bsim_steady_skip(m)) {
                return false;
            }
            m->turned = 0;
        }
        m->now = clock;
        issue_next(m, (uint32_t)(next % BSIM_MAX_PARTITIONS));
        next = least_of(m->at);
    }
    return true;
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
    *cycles = m->skipped + bsim_books_close(m) + m->timing->edge_cycles +
              (m->any_result ? m->timing->edge_result_cycles : 0);
    return BSIM_OK;
}
