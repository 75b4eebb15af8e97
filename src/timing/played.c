/* played.c - from a block that was played to the results of its kernel.
 *
 * What would be without conflicts, in all or in one site, is not estimated but played again. The time
 * of the whole launch is an estimate: the blocks that share an SM are not played together.
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

/* The cycles without the conflicts of each site that has any; for the others as they are. */
static enum bsim_status play_sites(struct bsim_played *played, struct bsim_run run,
                                   struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    for (size_t i = 0; i < run.n_sites && status == BSIM_OK; i++) {
        const uint64_t *sum = site_sums(played, i);
        played->site_ideal[i] = played->cycles;
        if (sum[BSIM_SITE_TURNS] > sum[BSIM_SITE_IDEAL]) {
            run.ideal_site = (uint32_t)i;
            status = bsim_machine_run(&run, &played->site_ideal[i], err);
        }
    }
    return status;
}

enum bsim_status bsim_played_run(struct bsim_played *played,
                                 const struct bsim_kernel_cycles *kernel,
                                 const struct bsim_program *program,
                                 const struct bsim_timer_options *options, struct bsim_error *err)
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
        .every_turn = options->every_turn,
    };
    enum bsim_status status = bsim_machine_run(&run, &played->cycles, err);
    run.sum = NULL;
    if (status == BSIM_OK && options->ideal) {
        run.ideal_all = true;
        status = bsim_machine_run(&run, &played->ideal, err);
        run.ideal_all = false;
    }
    return status == BSIM_OK && options->ideal_sites ? play_sites(played, run, err) : status;
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

void bsim_played_add(const struct bsim_played *played, uint32_t n_warps, bool ideal_sites,
                     struct bsim_kernel_cycles *kernel)
{
    kernel->cycles += played->cycles;
    kernel->cycles_ideal += played->ideal;
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
    for (size_t i = 0; ideal_sites && i < kernel->n_sites; i++) {
        kernel->sites[i].cycles_ideal +=
            i < played->n_sites ? played->site_ideal[i] : played->cycles;
    }
}

/* ---- the launch ------------------------------------------------------------------------------- */

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t round_up(uint64_t n, uint64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static uint32_t blocks_per_sm(const struct bsim_device *device, uint32_t n_warps,
                              uint64_t shared_bytes)
{
    uint64_t bytes = round_up(shared_bytes + device->shared_reserved_bytes,
                              larger(device->shared_unit_bytes, 1));
    uint64_t n = smaller(device->blocks_per_sm, device->warps_per_sm / n_warps);
    n = bytes > 0 ? smaller(n, device->shared_per_sm_bytes / bytes) : n;
    return (uint32_t)larger(n, 1);
}

/* Blocks that share an SM overlap except on the data pipe: a wave takes as long as one block alone,
 * or as the pipe is busy with all of them, whichever is more. */
void bsim_played_launch(struct bsim_kernel_cycles *kernel, uint64_t n_blocks, uint32_t n_warps,
                        uint64_t shared_bytes)
{
    uint64_t n_sms = kernel->device.n_sms;
    kernel->blocks_per_sm = blocks_per_sm(&kernel->device, n_warps, shared_bytes);
    if (n_sms == 0 || kernel->blocks == 0) {
        return;
    }
    uint64_t together = smaller(kernel->blocks_per_sm, round_up(n_blocks, n_sms) / n_sms);
    uint64_t at_once = n_sms * kernel->blocks_per_sm;
    kernel->waves = round_up(n_blocks, at_once) / at_once;
    kernel->launch_cycles =
        kernel->waves *
        larger(kernel->cycles / kernel->blocks, kernel->cycles_bound * together / kernel->blocks);
}
