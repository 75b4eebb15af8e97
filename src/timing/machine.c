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
 * Which instruction is next: next.h. The clock, `work K`, the results that it waits for and the gates
 * of a partition: issue.c; the registers that an instruction reads: banks.c. What the time goes on: stalls.c. How loops are cut short: steady.c.
 *
 * Not here: instruction fetch, the way of a request to global memory.
 */
#include "timing/next.h"

#include "base/memory.h"

#include <stddef.h>
#include <string.h>

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
    m->is_plain = !run->program->has_others && !run->program->multiplies && !run->program->tells_reads && !run->timing->replays;
    m->special_kind = (uint8_t)(BSIM_OP_WORK + run->timing->work[BSIM_WORK_XU].pipe);
    m->every_turn = run->every_turn || m->is_beside;
    m->clocked = run->clocked;
    m->end_of_time = BSIM_NEVER;
    m->fence_due = BSIM_NEVER;
    for (uint32_t block = 0; block < run->n_blocks; block++) {
        m->block[block].fence = BSIM_NEVER;
    }
    m->max_steps = run->max_steps;
    m->n_sums = run->sum != NULL ? BSIM_N_SUMS + run->n_sites * BSIM_N_SITE_SUMS : 0;
    m->n_blocks = run->n_blocks;
    m->chance = run->chance;
    m->n_running = m->n_warps = run->program->n_warps * run->n_blocks;
    find_pair(m);
    bsim_pipe_start(&m->pipe, run->timing);
    for (uint32_t depth = 0; depth < BSIM_REPEAT_MAX_DEPTH; depth++) {
        m->leader[depth] = BSIM_ALL_WARPS;
    }
    for (uint32_t i = 0; i < BSIM_MAX_PARTITIONS; i++) {
        start_partition(m, i);
    }
    bsim_issue_begin(m);
    for (uint32_t i = 0; i < n; i++) {
        look_ahead(m, i, 0);
    }
    bsim_choose_next(m);
    return true;
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
    played = played && bsim_issue_all(&machine[0], &machine[n - 1]);
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
