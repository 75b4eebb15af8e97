/* played.c - from a block that was played to the results of its kernel.
 *
 * What would be without conflicts, in all or in one site, is not estimated but played again, where
 * there are any.
 */
#include "timing/played.h"

#include "base/memory.h"

#include <string.h>

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

static const uint64_t *site_sums(const struct bsim_played *played, size_t site)
{
    return played->sum + BSIM_N_SUMS + site * BSIM_N_SITE_SUMS;
}

static bool conflicts(const struct bsim_played *played, size_t site)
{
    const uint64_t *sum = site_sums(played, site);
    return sum[BSIM_SITE_TURNS] > sum[BSIM_SITE_IDEAL];
}

static size_t count_conflicting(const struct bsim_played *played)
{
    size_t n = 0;
    for (size_t i = 0; i < played->n_sites; i++) {
        n += conflicts(played, i);
    }
    return n;
}

/* Without any conflicts, in a program that has some. */
static enum bsim_status play_ideal(struct bsim_played *played, struct bsim_machine *machine,
                                   struct bsim_run run, struct bsim_error *err)
{
    run.ideal_all = true;
    return bsim_machine_run(machine, &run, &played->ideal, err);
}

/* The cycles without the conflicts of each site that has any; for the others as they are. The only
 * one that has is all of them. */
static enum bsim_status play_sites(struct bsim_played *played, struct bsim_machine *machine,
                                   struct bsim_run run, bool only_one, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    for (size_t i = 0; i < run.n_sites && status == BSIM_OK; i++) {
        played->site_ideal[i] = played->cycles;
        if (conflicts(played, i) && only_one) {
            played->site_ideal[i] = played->ideal;
        } else if (conflicts(played, i)) {
            run.ideal_site = (uint32_t)i;
            status = bsim_machine_run(machine, &run, &played->site_ideal[i], err);
        }
    }
    return status;
}

enum bsim_status bsim_played_run(struct bsim_played *played, struct bsim_machine *machine,
                                 const struct bsim_kernel_cycles *kernel,
                                 const struct bsim_program *program, bool every_turn,
                                 struct bsim_error *err)
{
    size_t n_sums = BSIM_N_SUMS + kernel->n_sites * BSIM_N_SITE_SUMS;
    if (!reserve(&played->sum, &played->sum_capacity, n_sums) ||
        !reserve(&played->site_ideal, &played->site_capacity, kernel->n_sites + 1)) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory while timing");
    }
    memset(played->sum, 0, n_sums * sizeof *played->sum);
    played->n_sites = kernel->n_sites;
    struct bsim_run run = {
        .timing = &kernel->timing,
        .program = program,
        .n_sites = kernel->n_sites,
        .sum = played->sum,
        .ideal_site = BSIM_NO_SITE,
        .every_turn = every_turn,
    };
    enum bsim_status status = bsim_machine_run(machine, &run, &played->cycles, err);
    size_t n_conflicting = status == BSIM_OK ? count_conflicting(played) : 0;
    run.sum = NULL;
    played->ideal = played->cycles;
    if (n_conflicting > 0 && (kernel->ideal || kernel->ideal_sites)) {
        status = play_ideal(played, machine, run, err);
    }
    return status == BSIM_OK && kernel->ideal_sites
               ? play_sites(played, machine, run, n_conflicting == 1, err)
               : status;
}

void bsim_played_free(struct bsim_played *played)
{
    bsim_mem_free(played->sum);
    bsim_mem_free(played->site_ideal);
    memset(played, 0, sizeof *played);
}

static void add_site(struct bsim_site_cycles *site, const uint64_t *sum)
{
    site->requests += sum[BSIM_SITE_REQUESTS];
    site->turns += sum[BSIM_SITE_TURNS];
    site->turns_ideal += sum[BSIM_SITE_IDEAL];
    site->stalls.pipe += sum[BSIM_SITE_PIPE];
    site->stalls.latency += sum[BSIM_SITE_LATENCY];
}

void bsim_played_add(const struct bsim_played *played, uint32_t n_warps,
                     struct bsim_kernel_cycles *kernel)
{
    kernel->cycles += played->cycles;
    kernel->cycles_ideal += kernel->ideal ? played->ideal : 0;
    kernel->warps_run += n_warps;
    kernel->stalls.issue += played->sum[BSIM_SUM_ISSUE];
    kernel->stalls.barrier += played->sum[BSIM_SUM_BARRIER];
    for (size_t i = 0; i < played->n_sites; i++) {
        const uint64_t *sum = site_sums(played, i);
        add_site(&kernel->sites[i], sum);
        kernel->requests += sum[BSIM_SITE_REQUESTS];
        kernel->stalls.pipe += sum[BSIM_SITE_PIPE];
        kernel->stalls.latency += sum[BSIM_SITE_LATENCY];
        kernel->cycles_bound += sum[BSIM_SITE_TURNS] * kernel->timing.turn_interval;
    }
    for (size_t i = 0; kernel->ideal_sites && i < kernel->n_sites; i++) {
        kernel->sites[i].cycles_ideal +=
            i < played->n_sites ? played->site_ideal[i] : played->cycles;
    }
}
