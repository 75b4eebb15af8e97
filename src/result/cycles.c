/* cycles.c - results of the cycle model: building, merging, the launch, freeing.
 *
 * Two results merge if they are parts of the same launches. All that a kernel's result holds is
 * either a sum over its blocks or follows from sums and the launch, so neither the order of merging
 * nor the split matters; the limit of events holds for the sum.
 */
#include "result/cycles.h"

#include "base/memory.h"
#include "base/sums.h"
#include "result/clock.h"
#include "result/merge.h"

#include <stdlib.h>
#include <string.h>

BSIM_IS_SITE(struct bsim_site_cycles);

void bsim_cycles_free_kernel(struct bsim_kernel_cycles *kernel)
{
    bsim_mem_free(kernel->name);
    bsim_mem_free(kernel->sites);
    memset(kernel, 0, sizeof *kernel);
}

void bsim_cycles_free(struct bsim_cycles *cycles)
{
    for (size_t i = 0; i < cycles->n_kernels; i++) {
        bsim_cycles_free_kernel(&cycles->kernels[i]);
    }
    bsim_mem_free(cycles->kernels);
    memset(cycles, 0, sizeof *cycles);
}

struct bsim_kernel_cycles *bsim_cycles_add_kernel(struct bsim_cycles *cycles, const char *name)
{
    size_t n = cycles->n_kernels;
    char *copy = bsim_mem_string(name);
    struct bsim_kernel_cycles *grown =
        copy == NULL ? NULL : bsim_mem_grow(cycles->kernels, n, sizeof *grown);
    if (grown == NULL) {
        bsim_mem_free(copy);
        return NULL;
    }
    cycles->kernels = grown;
    cycles->n_kernels++;
    memset(&grown[n], 0, sizeof grown[n]);
    grown[n].name = copy;
    return &grown[n];
}

struct bsim_site_cycles *bsim_cycles_add_site(struct bsim_kernel_cycles *kernel, uint32_t number,
                                              const struct bsim_opcode *opcode)
{
    size_t n = kernel->n_sites;
    struct bsim_site_cycles *grown =
        n >= UINT32_MAX ? NULL : bsim_mem_grow(kernel->sites, n, sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    kernel->sites = grown;
    kernel->n_sites++;
    memset(&grown[n], 0, sizeof grown[n]);
    grown[n].number = number;
    grown[n].opcode = *opcode;
    return &grown[n];
}

bool bsim_cycles_is_too_long(const struct bsim_kernel_cycles *kernel)
{
    return (kernel->max_events > 0 &&
            kernel->events + kernel->work / BSIM_TIMER_WORK > kernel->max_events) ||
           (kernel->max_steps > 0 && kernel->steps > kernel->max_steps);
}

void bsim_cycles_leave_out(struct bsim_kernel_cycles *kernel)
{
    kernel->left_out = true;
    kernel->work = kernel->steps = 0;
    kernel->cycles = kernel->cycles_ideal = kernel->cycles_bound = 0;
    kernel->requests = kernel->warps_run = kernel->waits = kernel->launch_cycles = 0;
    memset(&kernel->stalls, 0, sizeof kernel->stalls);
    kernel->grade = kernel->timing.basis.grade;
    bsim_mem_free(kernel->sites);
    kernel->sites = NULL;
    kernel->n_sites = 0;
}

bool bsim_cycles_fit(const struct bsim_kernel_cycles *kernel)
{
    return kernel->cycles < BSIM_NEVER && kernel->cycles_ideal < BSIM_NEVER;
}

enum bsim_status bsim_cycles_too_many(const struct bsim_kernel_cycles *kernel,
                                      struct bsim_error *err)
{
    return bsim_error_set(
        err, BSIM_E_INPUT,
        "kernel %s takes more than 2^56 clocks; --cycles never counts without them", kernel->name);
}

const struct bsim_site_cycles *bsim_cycles_site(const struct bsim_kernel_cycles *kernel,
                                                uint32_t number, const struct bsim_opcode *opcode)
{
    return bsim_site_find(kernel->sites, kernel->n_sites, sizeof *kernel->sites, number, opcode);
}

void bsim_cycles_sort(struct bsim_kernel_cycles *kernel)
{
    if (kernel->n_sites > 1) {
        qsort(kernel->sites, kernel->n_sites, sizeof *kernel->sites, bsim_site_order);
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

static uint64_t warps_of(const struct bsim_kernel_cycles *kernel)
{
    uint64_t threads = (uint64_t)kernel->block.x * kernel->block.y * kernel->block.z;
    return larger(round_up(threads, BSIM_WARP_LANES) / BSIM_WARP_LANES, 1);
}

uint32_t bsim_cycles_occupancy(const struct bsim_kernel_cycles *kernel)
{
    uint32_t n_threads = (uint32_t)warps_of(kernel) * BSIM_WARP_LANES;
    struct bsim_occupancy by =
        bsim_device_occupancy(&kernel->device, n_threads, kernel->shared_bytes, kernel->registers);
    return by.by_registers > 0 ? (uint32_t)larger(by.blocks, 1) : 0;
}

/* sum * times / n, with times up to 2^16 or so and a sum below 2^64 that may be near it. */
static uint64_t average_times(uint64_t sum, uint64_t n, uint64_t times)
{
    return sum / n * times + sum % n * times / n;
}

/* Blocks that share an SM overlap except on the data pipe: a wave takes as long as one block alone,
 * or as the pipe is busy with all of them, whichever is more. */
void bsim_cycles_launch(struct bsim_kernel_cycles *kernel)
{
    uint64_t n_sms = kernel->device.n_sms;
    uint64_t n_blocks = (uint64_t)kernel->grid.x * kernel->grid.y * kernel->grid.z;
    kernel->blocks_per_sm = bsim_cycles_occupancy(kernel);
    if (n_sms == 0 || kernel->blocks == 0 || kernel->blocks_per_sm == 0) {
        return;
    }
    uint64_t together = smaller(kernel->blocks_per_sm, round_up(n_blocks, n_sms) / n_sms);
    uint64_t at_once = n_sms * kernel->blocks_per_sm;
    uint64_t waves = (n_blocks - 1) / at_once + 1;
    uint64_t wave = larger(kernel->cycles / kernel->blocks,
                           average_times(kernel->cycles_bound, kernel->blocks, together));
    bool fits = wave == 0 || waves <= UINT64_MAX / wave;
    kernel->waves = fits ? waves : 0;
    kernel->launch_cycles = fits ? waves * wave : 0;
}

/* ---- merging ---------------------------------------------------------------------------------- */

static struct bsim_merge_launch launch_of(const void *cycles, size_t k)
{
    const struct bsim_kernel_cycles *kernel = &((const struct bsim_cycles *)cycles)->kernels[k];
    return (struct bsim_merge_launch){kernel->name,         kernel->grid,    kernel->block,
                                      kernel->shared_bytes, &kernel->device, kernel->sites,
                                      kernel->n_sites};
}

bool bsim_cycles_same_question(const struct bsim_kernel_cycles *a,
                               const struct bsim_kernel_cycles *b)
{
    return a->is_timed == b->is_timed && a->device.n_sms == b->device.n_sms &&
           a->device.clock_mhz == b->device.clock_mhz && a->registers == b->registers &&
           a->max_events == b->max_events && a->max_steps == b->max_steps && a->ideal == b->ideal &&
           a->ideal_sites == b->ideal_sites;
}

static bool same_question(const void *ours, const void *theirs, size_t k)
{
    return bsim_cycles_same_question(&((const struct bsim_cycles *)ours)->kernels[k],
                                     &((const struct bsim_cycles *)theirs)->kernels[k]);
}

static const struct bsim_merge_kind kind = {
    .site_bytes = sizeof(struct bsim_site_cycles),
    .launch = launch_of,
    .is_same = same_question,
    .or_else = "its launch, its device or what was asked for",
};

static bool add_stalls(struct bsim_stalls *sum, const struct bsim_stalls *more)
{
    bool fits = bsim_sum_add(&sum->issue, more->issue);
    fits &= bsim_sum_add(&sum->pipe, more->pipe);
    fits &= bsim_sum_add(&sum->latency, more->latency);
    fits &= bsim_sum_add(&sum->barrier, more->barrier);
    return fits;
}

/* Adds what `kernel` has of a site, or NULL: nothing then, and removing the site's conflicts changes
 * nothing there. False: a sum passes 64 bits. */
static bool add_site(struct bsim_site_cycles *sum, const struct bsim_kernel_cycles *kernel,
                     const struct bsim_site_cycles *more)
{
    if (more == NULL) {
        return bsim_sum_add(&sum->cycles_ideal, kernel->ideal_sites ? kernel->cycles : 0);
    }
    bool fits = bsim_sum_add(&sum->requests, more->requests);
    fits &= bsim_sum_add(&sum->turns, more->turns);
    fits &= bsim_sum_add(&sum->turns_ideal, more->turns_ideal);
    fits &= bsim_sum_add(&sum->cycles_ideal, more->cycles_ideal);
    fits &= add_stalls(&sum->stalls, &more->stalls);
    sum->left_out = sum->left_out || more->left_out;
    return fits;
}

static enum bsim_status no_memory(struct bsim_error *err)
{
    return bsim_error_set(err, BSIM_E_MEMORY, "out of memory while putting cycles together");
}

/* Gives sum, whose own sums are still 0, the sites of a and b. */
static enum bsim_status join_sites(struct bsim_kernel_cycles *sum,
                                   const struct bsim_kernel_cycles *a,
                                   const struct bsim_kernel_cycles *b, struct bsim_error *err)
{
    struct bsim_site_walk walk =
        bsim_site_walk(a->sites, a->n_sites, b->sites, b->n_sites, sizeof *a->sites);
    while (bsim_site_next(&walk)) {
        const struct bsim_site_cycles *like = walk.either;
        struct bsim_site_cycles *site = bsim_cycles_add_site(sum, like->number, &like->opcode);
        if (site == NULL) {
            return no_memory(err);
        }
        if (!add_site(site, a, walk.site[0]) || !add_site(site, b, walk.site[1])) {
            return bsim_cycles_too_many(sum, err);
        }
        site->cycles_ideal = site->left_out ? 0 : site->cycles_ideal;
    }
    return BSIM_OK;
}

/* False: a sum passes 64 bits. */
static bool add_kernel(struct bsim_kernel_cycles *sum, const struct bsim_kernel_cycles *more)
{
    bool fits = bsim_sum_add(&sum->cycles, more->cycles);
    fits &= bsim_sum_add(&sum->cycles_ideal, more->cycles_ideal);
    fits &= bsim_sum_add(&sum->cycles_bound, more->cycles_bound);
    fits &= bsim_sum_add(&sum->requests, more->requests);
    fits &= bsim_sum_add(&sum->warps_run, more->warps_run);
    fits &= bsim_sum_add(&sum->waits, more->waits);
    fits &= add_stalls(&sum->stalls, &more->stalls);
    sum->grade = more->grade > sum->grade ? more->grade : sum->grade;
    return fits;
}

/* What the limits rest on, also of a kernel that is left out. False: a sum passes 64 bits. */
static bool add_size(struct bsim_kernel_cycles *sum, const struct bsim_kernel_cycles *more)
{
    bool fits = bsim_sum_add(&sum->blocks, more->blocks);
    fits &= bsim_sum_add(&sum->events, more->events);
    fits &= bsim_sum_add(&sum->work, more->work);
    fits &= bsim_sum_add(&sum->steps, more->steps);
    return fits;
}

/* A kernel like this one, with nothing in it yet; its name is NULL when memory is short. */
static struct bsim_kernel_cycles empty(const struct bsim_kernel_cycles *like)
{
    return (struct bsim_kernel_cycles){
        .is_timed = like->is_timed,
        .name = bsim_mem_string(like->name),
        .grid = like->grid,
        .block = like->block,
        .shared_bytes = like->shared_bytes,
        .registers = like->registers,
        .device = like->device,
        .timing = like->timing,
        .max_events = like->max_events,
        .max_steps = like->max_steps,
        .ideal = like->ideal,
        .ideal_sites = like->ideal_sites,
        .grade = like->timing.basis.grade,
    };
}

/* Gives sum, a new one, what a and b have together, neither of which is left out. */
static enum bsim_status join_sums(struct bsim_kernel_cycles *sum,
                                  const struct bsim_kernel_cycles *a,
                                  const struct bsim_kernel_cycles *b, struct bsim_error *err)
{
    enum bsim_status status = join_sites(sum, a, b, err);
    if (status == BSIM_OK &&
        (!add_kernel(sum, a) || !add_kernel(sum, b) || !bsim_cycles_fit(sum))) {
        status = bsim_cycles_too_many(sum, err);
    }
    return status;
}

enum bsim_status bsim_cycles_join(struct bsim_kernel_cycles *kernel,
                                  const struct bsim_kernel_cycles *a,
                                  const struct bsim_kernel_cycles *b, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    *kernel = empty(b);
    if (kernel->name == NULL) {
        return no_memory(err);
    }
    if (!add_size(kernel, a) || !add_size(kernel, b)) {
        return bsim_cycles_too_many(kernel, err);
    }
    if (a->left_out || b->left_out || bsim_cycles_is_too_long(kernel)) {
        bsim_cycles_leave_out(kernel);
    } else {
        status = join_sums(kernel, a, b, err);
    }
    bsim_cycles_launch(kernel);
    return status;
}

/* Adds a kernel to sum: a and b together, of the same launch. */
static enum bsim_status join_kernels(struct bsim_cycles *sum, const struct bsim_kernel_cycles *a,
                                     const struct bsim_kernel_cycles *b, struct bsim_error *err)
{
    struct bsim_kernel_cycles *kernel = bsim_cycles_add_kernel(sum, "");
    if (kernel == NULL) {
        return no_memory(err);
    }
    bsim_cycles_free_kernel(kernel);
    return bsim_cycles_join(kernel, a, b, err);
}

/* Makes sum, which is empty, a and b together; a may have no kernels yet. */
static enum bsim_status join(struct bsim_cycles *sum, const struct bsim_cycles *a,
                             const struct bsim_cycles *b, struct bsim_error *err)
{
    static const struct bsim_kernel_cycles nothing = {.blocks = 0};
    enum bsim_status status = BSIM_OK;
    for (size_t k = 0; k < b->n_kernels && status == BSIM_OK; k++) {
        status =
            join_kernels(sum, a->n_kernels > 0 ? &a->kernels[k] : &nothing, &b->kernels[k], err);
    }
    return status;
}

enum bsim_status bsim_cycles_merge(struct bsim_cycles *into, const struct bsim_cycles *part,
                                   struct bsim_error *err)
{
    struct bsim_cycles sum = {0};
    enum bsim_status status = BSIM_OK;
    if (into->n_kernels > 0) {
        status = bsim_merge_check(&kind, into, into->n_kernels, part, part->n_kernels, err);
    }
    if (status != BSIM_OK) {
        return status;
    }
    status = join(&sum, into, part, err);
    if (status != BSIM_OK) {
        bsim_cycles_free(&sum);
        return status;
    }
    bsim_cycles_free(into);
    *into = sum;
    return BSIM_OK;
}

enum bsim_status bsim_cycles_append(struct bsim_cycles *into, struct bsim_cycles *more,
                                    struct bsim_error *err)
{
    if (more->n_kernels > 0) {
        void *kernels = bsim_mem_grow_by(into->kernels, into->n_kernels, more->n_kernels,
                                         sizeof *into->kernels);
        if (kernels == NULL) {
            return no_memory(err);
        }
        into->kernels = kernels;
        memcpy(&into->kernels[into->n_kernels], more->kernels,
               more->n_kernels * sizeof *more->kernels);
        into->n_kernels += more->n_kernels;
    }
    bsim_mem_free(more->kernels);
    memset(more, 0, sizeof *more);
    return BSIM_OK;
}

/* Makes a kernel the sum of itself and another one. */
static enum bsim_status add_to_kernel(struct bsim_kernel_cycles *into,
                                      const struct bsim_kernel_cycles *part, struct bsim_error *err)
{
    struct bsim_cycles ours = {1, into}, sum = {0};
    struct bsim_cycles theirs = {1, (struct bsim_kernel_cycles *)(uintptr_t)part};
    enum bsim_status status = bsim_merge_check(&kind, &ours, 1, &theirs, 1, err);
    if (status == BSIM_OK) {
        status = join_kernels(&sum, into, part, err);
    }
    if (status != BSIM_OK) {
        bsim_cycles_free(&sum);
        return status;
    }
    bsim_cycles_free_kernel(into);
    *into = sum.kernels[0];
    bsim_mem_free(sum.kernels);
    return BSIM_OK;
}

/* Drops the first n kernels, which have been freed or moved. */
static void drop_kernels(struct bsim_cycles *cycles, size_t n)
{
    cycles->n_kernels -= n;
    if (cycles->n_kernels > 0) {
        memmove(cycles->kernels, &cycles->kernels[n], cycles->n_kernels * sizeof *cycles->kernels);
    }
}

enum bsim_status bsim_cycles_collect(struct bsim_cycles *into, size_t first,
                                     struct bsim_cycles *part, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    size_t k = 0;
    for (; k < part->n_kernels && first + k < into->n_kernels && status == BSIM_OK; k++) {
        const struct bsim_kernel_cycles *its = &part->kernels[k];
        bool adds = its->blocks > 0 || its->left_out;
        status = adds ? add_to_kernel(&into->kernels[first + k], its, err) : BSIM_OK;
        bsim_cycles_free_kernel(&part->kernels[k]);
    }
    drop_kernels(part, k);
    return status == BSIM_OK ? bsim_cycles_append(into, part, err) : status;
}

enum bsim_status bsim_cycles_take(struct bsim_cycles *from, size_t n, struct bsim_cycles *first,
                                  struct bsim_error *err)
{
    struct bsim_kernel_cycles *kernels =
        n > 0 ? bsim_mem_grow_by(NULL, 0, n, sizeof *kernels) : NULL;
    if (n > 0 && kernels == NULL) {
        return no_memory(err);
    }
    if (n > 0) {
        memcpy(kernels, from->kernels, n * sizeof *kernels);
        drop_kernels(from, n);
    }
    *first = (struct bsim_cycles){n, kernels};
    return BSIM_OK;
}
