/* block.c - from a block that was played to the results of its kernel.
 *
 * What would be without conflicts, in all or in one site, is not estimated but played again, where
 * there are any. A block may have conflicts at as many sites as it has events; so it is played
 * again for the BSIM_TIMER_SITES of them alone that lose most in it, the first in the program among
 * equals. Which these are follows from the block itself, so it is the same in whatever part of a
 * launch the block is; a site that is not among them in one block is left out of the launch, in any
 * order of merging. That costs no more than as many plays of each event, whatever the number of
 * sites, and a site that is left out has less than its share of a block's excess, one
 * BSIM_TIMER_SITES-th.
 */
#include "timing/block.h"

#include "base/memory.h"
#include "base/sums.h"
#include "result/cycles.h"

#include <string.h>

/* For each block that is played beside others; and for each of two, behind which there is no other try. */
enum { MORE_STEPS = 1 << 17, LAST_STEPS = 1 << 19 };

static bool reserve(uint64_t **array, size_t *capacity, size_t n)
{
    if (n <= *capacity) {
        return true;
    }
    uint64_t *grown = bsim_mem_resize(*array, n, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    *array = grown;
    *capacity = n;
    return true;
}

static const uint64_t *site_sums(const struct bsim_block_cycles *block, size_t site)
{
    return block->sum + BSIM_N_SUMS + site * BSIM_N_SITE_SUMS;
}

/* Turns that the site's conflicts take. */
static uint64_t excess(const struct bsim_block_cycles *block, size_t site)
{
    const uint64_t *sum = site_sums(block, site);
    return sum[BSIM_SITE_TURNS] - sum[BSIM_SITE_IDEAL];
}

static bool has_conflicts(const struct bsim_block_cycles *block)
{
    for (size_t i = 0; i < block->n_sites; i++) {
        if (excess(block, i) > 0) {
            return true;
        }
    }
    return false;
}

/* The sites that lose most, at most BSIM_TIMER_SITES. Returns how many. */
static size_t choose_sites(const struct bsim_block_cycles *block, size_t chosen[BSIM_TIMER_SITES])
{
    size_t n = 0;
    for (size_t i = 0; i < block->n_sites; i++) {
        uint64_t its = excess(block, i);
        size_t at = n;
        while (at > 0 && its > excess(block, chosen[at - 1])) {
            at--;
        }
        if (its > 0 && at < BSIM_TIMER_SITES) {
            n += n < BSIM_TIMER_SITES;
            memmove(&chosen[at + 1], &chosen[at], (n - 1 - at) * sizeof chosen[0]);
            chosen[at] = i;
        }
    }
    return n;
}

/* The cycles without the conflicts of each chosen site, several at a time; for those without any as
 * they are. The only one that has is all of them. Each may take as many steps as the two plays
 * before together, and is left out otherwise: where warps drift apart, loops may find their steady
 * state late. */
static enum bsim_status play_sites(struct bsim_block_cycles *block, struct bsim_machine *machine,
                                   const struct bsim_run *run, struct bsim_error *err)
{
    size_t chosen[BSIM_TIMER_SITES];
    size_t n = choose_sites(block, chosen);
    enum bsim_status status = BSIM_OK;
    for (size_t i = 0; i < block->n_sites; i++) {
        block->site_ideal[i] = excess(block, i) > 0 ? BSIM_NEVER : block->cycles;
    }
    if (n == 1) {
        block->site_ideal[chosen[0]] = block->ideal;
        return BSIM_OK;
    }
    for (size_t i = 0; i < n && status == BSIM_OK; i += BSIM_MACHINES) {
        struct bsim_run runs[BSIM_MACHINES];
        struct bsim_ran ran[BSIM_MACHINES];
        size_t n_runs = i + 1 < n ? BSIM_MACHINES : 1;
        for (size_t k = 0; k < n_runs; k++) {
            runs[k] = *run;
            runs[k].sum = NULL;
            runs[k].ideal_site = (uint32_t)chosen[i + k];
            runs[k].max_steps = run->every_turn ? UINT64_MAX : block->steps;
        }
        status = bsim_machine_run(machine, n_runs, runs, ran, err);
        for (size_t k = 0; k < n_runs && status == BSIM_OK; k++) {
            block->site_ideal[chosen[i + k]] = ran[k].cycles;
        }
    }
    return status;
}

/* As it is, and beside it without any conflicts where that may make a difference: else that takes nothing. */
static enum bsim_status run_both(struct bsim_machine *machine, const struct bsim_run *run, bool ideal, struct bsim_ran ran[2],
                                 struct bsim_error *err)
{
    struct bsim_run runs[] = {*run, *run};
    runs[1].sum = NULL;
    runs[1].ideal_all = true;
    ran[1] = (struct bsim_ran){.cycles = 0};
    return bsim_machine_run(machine, ideal ? 2 : 1, runs, ran, err);
}

static enum bsim_status play(struct bsim_block_cycles *block, struct bsim_machine *machine,
                             const struct bsim_run *run, bool ideal, struct bsim_error *err)
{
    struct bsim_ran ran[2];
    enum bsim_status status = run_both(machine, run, ideal, ran, err);
    if (status == BSIM_OK) {
        block->cycles = ran[0].cycles;
        block->tensor = ran[0].tensor;
        block->copies = ran[0].copies;
        block->stores_met = ran[0].stores_met;
        block->ideal = ideal && has_conflicts(block) ? ran[1].cycles : ran[0].cycles;
        block->steps = ran[0].steps + ran[1].steps;
        block->is_given_up = ran[0].cycles == BSIM_NEVER || ran[1].cycles == BSIM_NEVER;
    }
    return status;
}

/* What n_blocks take if n, which were played, take `took` and one takes `alone`: each further one as much
 * more as these on average. */
static uint64_t extrapolated(uint64_t alone, uint64_t took, uint32_t n, uint32_t n_blocks)
{
    uint64_t more = took > alone ? (took - alone) / (n - 1) : 0;
    return took + more * (n_blocks - n);
}

/* Several plays of blocks side by side, which begin by chance: so many as one of two rhythms comes out as the more frequent
 * one, an odd number. */
enum { PLAYS = 7 };
struct plays {
    uint32_t n;
    uint64_t cycles[PLAYS], ideal[PLAYS]; /* ascending */
    bool is_given_up;                     /* one of them: the rest is of no use */
};

static void put_in_order(uint64_t values[], uint32_t n, uint64_t value)
{
    while (n > 0 && values[n - 1] > value) {
        values[n] = values[n - 1];
        n--;
    }
    values[n] = value;
}

static enum bsim_status play_blocks(struct plays *plays, struct bsim_machine *machine, struct bsim_run *run, bool ideal,
                                    struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    *plays = (struct plays){.n = run->timing->block_jitter > 0 ? PLAYS : 1};
    for (uint32_t i = 0; i < plays->n && status == BSIM_OK && !plays->is_given_up; i++) {
        struct bsim_ran ran[2];
        run->chance = i;
        status = run_both(machine, run, ideal, ran, err);
        if (status == BSIM_OK) {
            plays->is_given_up = ran[0].cycles == BSIM_NEVER || ran[1].cycles == BSIM_NEVER;
            put_in_order(plays->cycles, i, ran[0].cycles);
            put_in_order(plays->ideal, i, ran[1].cycles);
        }
    }
    return status;
}

/* As many of the block as an SM has at a time, in as many steps for each as one took, and some more:
 * where blocks drift apart they may find no steady state, or only late. If that is not enough half of them
 * are played, and so on; if two are too many nothing is known. What they take hangs on how they begin, by chance: the
 * median of the plays is kept. */
static enum bsim_status play_together(struct bsim_block_cycles *block, struct bsim_machine *machine,
                                      const struct bsim_run *run, uint32_t n_blocks, bool ideal,
                                      struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    for (uint32_t n = n_blocks; n > 1 && block->together == 0 && status == BSIM_OK; n /= 2) {
        struct bsim_run several = *run;
        struct plays plays;
        uint64_t more = n > 2 ? MORE_STEPS : LAST_STEPS;
        several.sum = NULL;
        several.n_blocks = n;
        several.max_steps = run->every_turn ? UINT64_MAX : (block->steps + more) * n;
        status = play_blocks(&plays, machine, &several, ideal, err);
        if (status == BSIM_OK && !plays.is_given_up) {
            uint32_t middle = plays.n / 2;
            block->together = extrapolated(block->cycles, plays.cycles[middle], n, n_blocks);
            block->together_ideal = !ideal ? block->together
                                           : extrapolated(block->ideal, plays.ideal[middle], n, n_blocks);
        }
    }
    return status;
}

enum bsim_status bsim_block_cycles_run(struct bsim_block_cycles *block,
                                       struct bsim_machine *machine,
                                       const struct bsim_kernel_cycles *timed,
                                       const struct bsim_program *program, bool every_turn,
                                       bool clocked, uint32_t n_blocks, uint64_t max_steps,
                                       struct bsim_error *err)
{
    size_t n_booked = program->n_sites > 0 ? program->n_sites : 1;
    size_t n_sums = BSIM_N_SUMS + n_booked * BSIM_N_SITE_SUMS;
    if (!reserve(&block->sum, &block->sum_capacity, n_sums) ||
        !reserve(&block->site_ideal, &block->site_capacity, program->n_sites + 1)) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory while timing");
    }
    memset(block->sum, 0, n_sums * sizeof *block->sum);
    block->n_sites = program->n_sites;
    block->together = block->together_ideal = 0;
    block->waits = bsim_program_waits(program);
    struct bsim_run run = {
        .timing = &timed->timing,
        .program = program,
        .n_blocks = 1,
        .n_sites = program->n_sites,
        .sum = block->sum,
        .ideal_site = BSIM_NO_SITE,
        .every_turn = every_turn,
        .clocked = clocked,
        .max_steps = every_turn ? UINT64_MAX : max_steps,
    };
    bool ideal = program->conflicts && (timed->ideal || timed->ideal_sites);
    enum bsim_status status = play(block, machine, &run, ideal, err);
    if (status == BSIM_OK && !block->is_given_up && n_blocks > 1) {
        status = play_together(block, machine, &run, n_blocks, ideal, err);
    }
    bool wants_sites = status == BSIM_OK && !block->is_given_up && timed->ideal_sites;
    return wants_sites ? play_sites(block, machine, &run, err) : status;
}

void bsim_block_cycles_free(struct bsim_block_cycles *block)
{
    bsim_mem_free(block->sum);
    bsim_mem_free(block->site_ideal);
    memset(block, 0, sizeof *block);
}

/* cycles_ideal is what the site's conflicts cost until bsim_block_cycles_finish; modulo 2^64, since
 * a block may take longer without them. The other sums of a site are parts of the kernel's. */
static void add_site(const struct bsim_block_cycles *block, size_t i, bool ideal,
                     struct bsim_site_cycles *site)
{
    const uint64_t *sum = site_sums(block, i);
    site->requests += sum[BSIM_SITE_REQUESTS];
    site->turns += sum[BSIM_SITE_TURNS];
    site->turns_ideal += sum[BSIM_SITE_IDEAL];
    site->stalls.pipe += sum[BSIM_SITE_PIPE];
    site->stalls.latency += sum[BSIM_SITE_LATENCY];
    if (ideal) {
        site->cycles_ideal += block->cycles - block->site_ideal[i];
        site->left_out = site->left_out || block->site_ideal[i] == BSIM_NEVER;
    }
}

bool bsim_block_cycles_add(const struct bsim_block_cycles *block,
                           const struct bsim_program *program, struct bsim_kernel_result *kernel)
{
    struct bsim_kernel_cycles *timed = &kernel->timed;
    bool fits = bsim_sum_add(&timed->cycles, block->cycles);
    fits &= bsim_sum_add(&timed->cycles_ideal, timed->ideal ? block->ideal : 0);
    fits &= bsim_sum_add(&timed->warps_run, program->n_warps);
    fits &= bsim_sum_add(&timed->waits, block->waits);
    fits &= bsim_sum_add(&timed->tensor, block->tensor);
    fits &= bsim_sum_add(&timed->copies, block->copies);
    fits &= bsim_sum_add(&timed->stores_met, block->stores_met);
    fits &= bsim_sum_add(&timed->cycles_sampled, block->together > 0 ? block->cycles : 0);
    fits &= bsim_sum_add(&timed->cycles_together, block->together);
    fits &= bsim_sum_add(&timed->cycles_together_ideal, timed->ideal ? block->together_ideal : 0);
    fits &= bsim_sum_add(&timed->stalls.issue, block->sum[BSIM_SUM_ISSUE]);
    timed->cycles_longest = later(timed->cycles_longest, block->cycles);
    timed->cycles_longest_ideal = later(timed->cycles_longest_ideal, timed->ideal ? block->ideal : 0);
    fits &= bsim_sum_add(&timed->stalls.barrier, block->sum[BSIM_SUM_BARRIER]);
    for (size_t i = 0; i < block->n_sites; i++) {
        const uint64_t *sum = site_sums(block, i);
        add_site(block, i, timed->ideal_sites, &kernel->sites[program->site[i]].timed);
        fits &= bsim_sum_add(&timed->requests, sum[BSIM_SITE_REQUESTS]);
        fits &= bsim_sum_add(&timed->stalls.pipe, sum[BSIM_SITE_PIPE]);
        fits &= bsim_sum_add(&timed->stalls.latency, sum[BSIM_SITE_LATENCY]);
        fits &=
            bsim_sum_add(&timed->cycles_bound, sum[BSIM_SITE_TURNS] * timed->timing.turn_interval);
    }
    return fits && bsim_cycles_fit(timed);
}

void bsim_block_cycles_finish(struct bsim_kernel_result *kernel)
{
    for (size_t i = 0; kernel->timed.ideal_sites && i < kernel->n_sites; i++) {
        struct bsim_site_cycles *site = &kernel->sites[i].timed;
        site->cycles_ideal = site->left_out ? 0 : kernel->timed.cycles - site->cycles_ideal;
    }
}
