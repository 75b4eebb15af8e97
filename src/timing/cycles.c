/* cycles.c - results of the cycle model: building, merging, the launch, freeing.
 *
 * Two results merge if they are parts of the same launches. All that a kernel's result holds is
 * either a sum over its blocks or follows from sums and the launch, so neither the order of merging
 * nor the split matters; the limit of events holds for the sum.
 */
#include "timing/cycles.h"

#include "base/memory.h"
#include "timing/program.h"

#include <stdlib.h>
#include <string.h>

void bsim_cycles_free(struct bsim_cycles *cycles)
{
    for (size_t i = 0; i < cycles->n_kernels; i++) {
        bsim_mem_free(cycles->kernels[i].name);
        bsim_mem_free(cycles->kernels[i].sites);
    }
    bsim_mem_free(cycles->kernels);
    memset(cycles, 0, sizeof *cycles);
}

struct bsim_kernel_cycles *bsim_cycles_add_kernel(struct bsim_cycles *cycles, const char *name)
{
    size_t n = cycles->n_kernels;
    char *copy = bsim_mem_string(name);
    struct bsim_kernel_cycles *grown =
        copy == NULL ? NULL : bsim_mem_resize(cycles->kernels, n + 1, sizeof *grown);
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
        n == BSIM_NO_SITE ? NULL : bsim_mem_resize(kernel->sites, n + 1, sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    kernel->sites = grown;
    kernel->n_sites++;
    memset(&grown[n], 0, sizeof grown[n]);
    grown[n].number = number;
    grown[n].opcode = *opcode;
    grown[n].cycles_ideal = kernel->ideal_sites ? kernel->cycles : 0;
    return &grown[n];
}

void bsim_cycles_leave_out(struct bsim_kernel_cycles *kernel)
{
    kernel->left_out = true;
    kernel->cycles = kernel->cycles_ideal = kernel->cycles_bound = 0;
    kernel->requests = kernel->warps_run = kernel->launch_cycles = 0;
    memset(&kernel->stalls, 0, sizeof kernel->stalls);
    kernel->grade = kernel->timing.basis.grade;
    bsim_mem_free(kernel->sites);
    kernel->sites = NULL;
    kernel->n_sites = 0;
}

static struct bsim_site_cycles *find_site(const struct bsim_kernel_cycles *kernel, uint32_t number,
                                          const struct bsim_opcode *opcode)
{
    for (size_t i = 0; i < kernel->n_sites; i++) {
        struct bsim_site_cycles *site = &kernel->sites[i];
        if (site->number == number && bsim_opcode_same(&site->opcode, opcode)) {
            return site;
        }
    }
    return NULL;
}

const struct bsim_site_cycles *bsim_cycles_site(const struct bsim_kernel_cycles *kernel,
                                                uint32_t number, const struct bsim_opcode *opcode)
{
    return find_site(kernel, number, opcode);
}

/* By number, then those without one (number 0) by the spelling of the opcode. */
static int compare_sites(const void *left, const void *right)
{
    const struct bsim_site_cycles *a = left, *b = right;
    char a_name[BSIM_OPCODE_NAME_SIZE];
    char b_name[BSIM_OPCODE_NAME_SIZE];
    if (a->number != b->number) {
        return a->number - 1 < b->number - 1 ? -1 : 1;
    }
    return strcmp(bsim_opcode_name(&a->opcode, a_name), bsim_opcode_name(&b->opcode, b_name));
}

void bsim_cycles_sort(struct bsim_kernel_cycles *kernel)
{
    if (kernel->n_sites > 1) {
        qsort(kernel->sites, kernel->n_sites, sizeof *kernel->sites, compare_sites);
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

/* Registers are given to warps in units, out of their partition's share. That a block fits is
 * checked as if its warps filled all partitions alike (cuda_occupancy.h). */
static uint64_t blocks_by_registers(const struct bsim_kernel_cycles *kernel, uint64_t n_warps)
{
    const struct bsim_device *device = &kernel->device;
    uint64_t n_partitions = kernel->timing.n_partitions;
    uint64_t of_warp =
        round_up((uint64_t)kernel->registers * BSIM_WARP_LANES, larger(device->register_unit, 1));
    if (kernel->registers > device->registers_per_thread ||
        round_up(n_warps, n_partitions) * of_warp > device->registers_per_sm) {
        return 0;
    }
    return device->registers_per_sm / n_partitions / of_warp * n_partitions / n_warps;
}

uint32_t bsim_cycles_occupancy(const struct bsim_kernel_cycles *kernel)
{
    uint64_t n_warps = warps_of(kernel);
    struct bsim_occupancy occupancy = bsim_device_occupancy(
        &kernel->device, (uint32_t)n_warps * BSIM_WARP_LANES, kernel->shared_bytes);
    uint64_t n = larger(occupancy.blocks, 1);
    return (uint32_t)(kernel->registers > 0 ? smaller(n, blocks_by_registers(kernel, n_warps)) : n);
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
    kernel->waves = round_up(n_blocks, at_once) / at_once;
    kernel->launch_cycles =
        kernel->waves *
        larger(kernel->cycles / kernel->blocks, kernel->cycles_bound * together / kernel->blocks);
}

/* ---- merging ---------------------------------------------------------------------------------- */

static bool same_gpu(const struct bsim_device *a, const struct bsim_device *b)
{
    return bsim_device_same(a, b) && a->n_sms == b->n_sms && a->clock_mhz == b->clock_mhz;
}

static bool same_launch(const struct bsim_kernel_cycles *a, const struct bsim_kernel_cycles *b)
{
    return strcmp(a->name, b->name) == 0 && bsim_dim3_same(a->grid, b->grid) &&
           bsim_dim3_same(a->block, b->block) && a->shared_bytes == b->shared_bytes &&
           a->registers == b->registers && a->max_events == b->max_events && a->ideal == b->ideal &&
           a->ideal_sites == b->ideal_sites && same_gpu(&a->device, &b->device);
}

static enum bsim_status check_sites(const struct bsim_kernel_cycles *a,
                                    const struct bsim_kernel_cycles *b, struct bsim_error *err)
{
    for (size_t i = 0; i < b->n_sites; i++) {
        const struct bsim_site_cycles *site = &b->sites[i];
        for (size_t k = 0; site->number > 0 && k < a->n_sites; k++) {
            if (a->sites[k].number == site->number &&
                !bsim_opcode_same(&a->sites[k].opcode, &site->opcode)) {
                return bsim_error_set(err, BSIM_E_USAGE,
                                      "cannot merge: site %u of kernel %s differs between the "
                                      "parts",
                                      (unsigned)site->number, a->name);
            }
        }
    }
    return BSIM_OK;
}

static enum bsim_status check_parts(const struct bsim_cycles *a, const struct bsim_cycles *b,
                                    struct bsim_error *err)
{
    if (a->n_kernels != b->n_kernels) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "cannot merge: one part has %zu kernels, the other %zu", a->n_kernels,
                              b->n_kernels);
    }
    for (size_t i = 0; i < a->n_kernels; i++) {
        if (!same_launch(&a->kernels[i], &b->kernels[i])) {
            return bsim_error_set(err, BSIM_E_USAGE,
                                  "cannot merge: kernel %zu is %s in one part and %s in the other, "
                                  "or its launch, its device or what was asked for differs",
                                  i + 1, a->kernels[i].name, b->kernels[i].name);
        }
        enum bsim_status status = check_sites(&a->kernels[i], &b->kernels[i], err);
        if (status != BSIM_OK) {
            return status;
        }
    }
    return BSIM_OK;
}

static void add_stalls(struct bsim_stalls *sum, const struct bsim_stalls *more)
{
    sum->issue += more->issue;
    sum->pipe += more->pipe;
    sum->latency += more->latency;
    sum->barrier += more->barrier;
}

/* Adds part's sites. Where one of the two has not the site, removing its conflicts changes nothing:
 * into->cycles is still what it was before. False when memory is short. */
static bool add_sites(struct bsim_kernel_cycles *into, const struct bsim_kernel_cycles *part)
{
    for (size_t i = 0; i < part->n_sites; i++) {
        const struct bsim_site_cycles *from = &part->sites[i];
        if (find_site(into, from->number, &from->opcode) == NULL &&
            bsim_cycles_add_site(into, from->number, &from->opcode) == NULL) {
            return false;
        }
    }
    for (size_t i = 0; i < into->n_sites; i++) {
        struct bsim_site_cycles *site = &into->sites[i];
        const struct bsim_site_cycles *from = find_site(part, site->number, &site->opcode);
        if (from == NULL) {
            site->cycles_ideal += into->ideal_sites ? part->cycles : 0;
            continue;
        }
        site->requests += from->requests;
        site->turns += from->turns;
        site->turns_ideal += from->turns_ideal;
        site->cycles_ideal += from->cycles_ideal;
        add_stalls(&site->stalls, &from->stalls);
    }
    return true;
}

/* False when memory is short. */
static bool add_kernel(struct bsim_kernel_cycles *into, const struct bsim_kernel_cycles *part)
{
    into->blocks += part->blocks;
    into->events += part->events;
    if (into->left_out || part->left_out ||
        (into->max_events > 0 && into->events > into->max_events)) {
        bsim_cycles_leave_out(into);
        bsim_cycles_launch(into);
        return true;
    }
    if (!add_sites(into, part)) {
        return false;
    }
    into->cycles += part->cycles;
    into->cycles_ideal += part->cycles_ideal;
    into->cycles_bound += part->cycles_bound;
    into->requests += part->requests;
    into->warps_run += part->warps_run;
    into->grade = part->grade > into->grade ? part->grade : into->grade;
    add_stalls(&into->stalls, &part->stalls);
    bsim_cycles_sort(into);
    bsim_cycles_launch(into);
    return true;
}

/* A kernel like this one, with nothing in it yet. */
static bool add_empty(struct bsim_cycles *sum, const struct bsim_kernel_cycles *like)
{
    struct bsim_kernel_cycles *added = bsim_cycles_add_kernel(sum, like->name);
    if (added == NULL) {
        return false;
    }
    char *name = added->name;
    *added = (struct bsim_kernel_cycles){
        .name = name,
        .grid = like->grid,
        .block = like->block,
        .shared_bytes = like->shared_bytes,
        .registers = like->registers,
        .device = like->device,
        .timing = like->timing,
        .max_events = like->max_events,
        .ideal = like->ideal,
        .ideal_sites = like->ideal_sites,
        .grade = like->timing.basis.grade,
    };
    return true;
}

/* Adds all of part to sum, whose kernels are the same launches or not there yet. */
static bool add_part(struct bsim_cycles *sum, const struct bsim_cycles *part)
{
    for (size_t i = 0; i < part->n_kernels; i++) {
        if ((i == sum->n_kernels && !add_empty(sum, &part->kernels[i])) ||
            !add_kernel(&sum->kernels[i], &part->kernels[i])) {
            return false;
        }
    }
    return true;
}

enum bsim_status bsim_cycles_merge(struct bsim_cycles *into, const struct bsim_cycles *part,
                                   struct bsim_error *err)
{
    struct bsim_cycles sum = {0};
    enum bsim_status status = into->n_kernels > 0 ? check_parts(into, part, err) : BSIM_OK;
    if (status != BSIM_OK) {
        return status;
    }
    if (!add_part(&sum, into) || !add_part(&sum, part)) {
        bsim_cycles_free(&sum);
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory while merging cycles");
    }
    bsim_cycles_free(into);
    *into = sum;
    return BSIM_OK;
}

enum bsim_status bsim_cycles_append(struct bsim_cycles *into, struct bsim_cycles *more,
                                    struct bsim_error *err)
{
    size_t n = into->n_kernels + more->n_kernels;
    if (more->n_kernels > 0) {
        void *kernels = bsim_mem_resize(into->kernels, n, sizeof *into->kernels);
        if (kernels == NULL) {
            return bsim_error_set(err, BSIM_E_MEMORY, "out of memory while joining cycles");
        }
        into->kernels = kernels;
        memcpy(&into->kernels[into->n_kernels], more->kernels,
               more->n_kernels * sizeof *more->kernels);
        into->n_kernels = n;
    }
    bsim_mem_free(more->kernels);
    memset(more, 0, sizeof *more);
    return BSIM_OK;
}
