/* cycles.c - what the cycle model says of a kernel: what it comes to, and what parts of it do
 * together.
 *
 * All that a kernel's cycles hold is either a sum over its blocks or follows from sums and the
 * launch, so neither the order of merging nor the split matters; the limit of events holds for the
 * sum.
 */
#include "result/cycles.h"

#include "base/sums.h"
#include "result/clock.h"

#include <string.h>

/* What is asked of a kernel, with nothing in it yet. */
static struct bsim_kernel_cycles empty(const struct bsim_kernel_cycles *like)
{
    return (struct bsim_kernel_cycles){
        .is_timed = like->is_timed,
        .registers = like->registers,
        .timing = like->timing,
        .max_events = like->max_events,
        .max_steps = like->max_steps,
        .ideal = like->ideal,
        .ideal_sites = like->ideal_sites,
        .grade = like->timing.basis.grade,
    };
}

void bsim_cycles_leave_out(struct bsim_kernel_cycles *timed)
{
    uint64_t events = timed->events;
    *timed = empty(timed);
    timed->left_out = true;
    timed->events = events;
}

bool bsim_cycles_fit(const struct bsim_kernel_cycles *timed)
{
    return timed->cycles < BSIM_NEVER && timed->cycles_ideal < BSIM_NEVER;
}

enum bsim_status bsim_cycles_too_many(const struct bsim_kernel_result *kernel,
                                      struct bsim_error *err)
{
    return bsim_error_set(
        err, BSIM_E_INPUT,
        "kernel %s takes more than 2^56 clocks; --cycles never counts without them", kernel->name);
}

/* ---- the launch ------------------------------------------------------------------------------ */

static uint64_t round_up(uint64_t n, uint64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

static uint64_t warps_of(const struct bsim_kernel_result *kernel)
{
    uint64_t threads = (uint64_t)kernel->block.x * kernel->block.y * kernel->block.z;
    return later(round_up(threads, BSIM_WARP_LANES) / BSIM_WARP_LANES, 1);
}

uint32_t bsim_cycles_occupancy(const struct bsim_kernel_result *kernel)
{
    uint32_t n_threads = (uint32_t)warps_of(kernel) * BSIM_WARP_LANES;
    struct bsim_occupancy by = bsim_device_occupancy(&kernel->device, n_threads,
                                                     kernel->shared_bytes, kernel->timed.registers);
    return by.by_registers > 0 ? (uint32_t)later(by.blocks, 1) : 0;
}

/* sum * times / n, with times up to 2^16 or so and a sum below 2^64 that may be near it. */
static uint64_t average_times(uint64_t sum, uint64_t n, uint64_t times)
{
    return sum / n * times + sum % n * times / n;
}

static uint64_t blocks_of(const struct bsim_kernel_result *kernel)
{
    return (uint64_t)kernel->grid.x * kernel->grid.y * kernel->grid.z;
}

uint64_t bsim_cycles_at_once(const struct bsim_kernel_result *kernel)
{
    uint64_t n_sms = later(kernel->device.n_sms, 1), n_blocks = blocks_of(kernel);
    return sooner(bsim_cycles_occupancy(kernel), round_up(n_blocks, n_sms) / n_sms);
}

/* `cycles` in the ratio of two sums. */
static uint64_t in_ratio(uint64_t cycles, uint64_t sum, uint64_t to)
{
    return (uint64_t)((double)cycles * ((double)sum / (double)to) + 0.5);
}

bool bsim_cycles_is_sampled(const struct bsim_kernel_result *kernel)
{
    const struct bsim_kernel_cycles *timed = &kernel->timed;
    return timed->cycles_sampled > 0 && timed->cycles_sampled >= timed->cycles / later(kernel->blocks, 1);
}

/* What a wave of average blocks takes: those that share an SM were played together, or overlap except on
 * the data pipe. */
static uint64_t wave_of(const struct bsim_kernel_result *kernel, uint64_t at_once)
{
    const struct bsim_kernel_cycles *timed = &kernel->timed;
    uint64_t alone = timed->cycles / kernel->blocks;
    return bsim_cycles_is_sampled(kernel)
               ? in_ratio(alone, timed->cycles_together, timed->cycles_sampled)
               : later(alone, average_times(timed->cycles_bound, kernel->blocks, at_once));
}

/* The same without any conflict; 0: not known. */
static uint64_t ideal_wave_of(const struct bsim_kernel_result *kernel, uint64_t at_once)
{
    const struct bsim_kernel_cycles *timed = &kernel->timed;
    bool is_sampled = bsim_cycles_is_sampled(kernel);
    if (!timed->ideal || (!is_sampled && at_once > 1)) {
        return 0;
    }
    uint64_t alone = timed->cycles / kernel->blocks;
    return is_sampled
               ? in_ratio(alone, timed->cycles_together_ideal, timed->cycles_sampled)
               : timed->cycles_ideal / kernel->blocks;
}

void bsim_cycles_launch(struct bsim_kernel_result *kernel)
{
    struct bsim_kernel_cycles *timed = &kernel->timed;
    uint64_t n_sms = kernel->device.n_sms;
    timed->blocks_per_sm = bsim_cycles_occupancy(kernel);
    if (n_sms == 0 || kernel->blocks == 0 || timed->blocks_per_sm == 0) {
        return;
    }
    uint64_t at_once = bsim_cycles_at_once(kernel);
    uint64_t waves = (blocks_of(kernel) - 1) / (n_sms * timed->blocks_per_sm) + 1;
    uint64_t wave = wave_of(kernel, at_once), ideal = ideal_wave_of(kernel, at_once);
    bool fits = later(wave, ideal) == 0 || waves <= UINT64_MAX / later(wave, ideal);
    timed->waves = fits ? waves : 0;
    timed->launch_cycles = fits ? later(waves * wave, timed->cycles_longest) : 0;
    timed->launch_ideal =
        fits && ideal > 0 ? later(waves * ideal, timed->cycles_longest_ideal) : 0;
}

/* ---- parts ----------------------------------------------------------------------------------- */

bool bsim_cycles_same_question(const struct bsim_kernel_result *a,
                               const struct bsim_kernel_result *b)
{
    const struct bsim_kernel_cycles *ours = &a->timed, *theirs = &b->timed;
    bool same_launch = !ours->is_timed || (a->device.n_sms == b->device.n_sms &&
                                           a->device.clock_mhz == b->device.clock_mhz);
    return same_launch && ours->is_timed == theirs->is_timed &&
           ours->registers == theirs->registers && ours->max_events == theirs->max_events &&
           ours->max_steps == theirs->max_steps && ours->ideal == theirs->ideal &&
           ours->ideal_sites == theirs->ideal_sites;
}

static bool add_stalls(struct bsim_stalls *sum, const struct bsim_stalls *more)
{
    bool fits = bsim_sum_add(&sum->issue, more->issue);
    fits &= bsim_sum_add(&sum->pipe, more->pipe);
    fits &= bsim_sum_add(&sum->latency, more->latency);
    fits &= bsim_sum_add(&sum->barrier, more->barrier);
    return fits;
}

bool bsim_cycles_add_site(struct bsim_site_cycles *sum, const struct bsim_kernel_cycles *timed,
                          const struct bsim_site_cycles *more)
{
    if (more == NULL) {
        return bsim_sum_add(&sum->cycles_ideal, timed->ideal_sites ? timed->cycles : 0);
    }
    bool fits = bsim_sum_add(&sum->requests, more->requests);
    fits &= bsim_sum_add(&sum->turns, more->turns);
    fits &= bsim_sum_add(&sum->turns_ideal, more->turns_ideal);
    fits &= bsim_sum_add(&sum->cycles_ideal, more->cycles_ideal);
    fits &= add_stalls(&sum->stalls, &more->stalls);
    sum->left_out = sum->left_out || more->left_out;
    return fits;
}

/* False: a sum passes 64 bits. */
static bool add(struct bsim_kernel_cycles *sum, const struct bsim_kernel_cycles *more)
{
    bool fits = bsim_sum_add(&sum->events, more->events);
    fits &= bsim_sum_add(&sum->work, more->work);
    fits &= bsim_sum_add(&sum->steps, more->steps);
    fits &= bsim_sum_add(&sum->cycles, more->cycles);
    fits &= bsim_sum_add(&sum->cycles_ideal, more->cycles_ideal);
    fits &= bsim_sum_add(&sum->cycles_bound, more->cycles_bound);
    fits &= bsim_sum_add(&sum->requests, more->requests);
    fits &= bsim_sum_add(&sum->warps_run, more->warps_run);
    fits &= bsim_sum_add(&sum->waits, more->waits);
    fits &= bsim_sum_add(&sum->tensor, more->tensor);
    fits &= bsim_sum_add(&sum->copies, more->copies);
    fits &= bsim_sum_add(&sum->copy_waits, more->copy_waits);
    fits &= bsim_sum_add(&sum->stores_met, more->stores_met);
    fits &= bsim_sum_add(&sum->cycles_sampled, more->cycles_sampled);
    fits &= bsim_sum_add(&sum->cycles_together, more->cycles_together);
    fits &= bsim_sum_add(&sum->cycles_together_ideal, more->cycles_together_ideal);
    fits &= add_stalls(&sum->stalls, &more->stalls);
    sum->cycles_longest = later(sum->cycles_longest, more->cycles_longest);
    sum->cycles_longest_ideal = later(sum->cycles_longest_ideal, more->cycles_longest_ideal);
    sum->grade = more->grade > sum->grade ? more->grade : sum->grade;
    return fits;
}

bool bsim_cycles_join(struct bsim_kernel_cycles *sum, const struct bsim_kernel_cycles *a,
                      const struct bsim_kernel_cycles *b)
{
    *sum = empty(b);
    bool fits = add(sum, a) && add(sum, b);
    if (a->left_out || b->left_out || bsim_cycles_is_too_long(sum)) {
        bsim_cycles_leave_out(sum);
    }
    return fits && bsim_cycles_fit(sum);
}
