/* tally.c - sums of requests. */
#include <banksim/result.h>

#include "base/sums.h"
#include "result/result.h"

static uint32_t least_ways(uint32_t a, uint32_t b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

bool bsim_tally_add(struct bsim_tally *tally, const struct bsim_tally *more)
{
    bool fits = bsim_sum_add(&tally->requests, more->requests);
    fits &= bsim_sum_add(&tally->wavefronts, more->wavefronts);
    fits &= bsim_sum_add(&tally->ideal, more->ideal);
    fits &= bsim_sum_add(&tally->conflicts, more->conflicts);
    fits &= bsim_sum_add(&tally->replays, more->replays);
    fits &= bsim_sum_add(&tally->broadcasts, more->broadcasts);
    fits &= bsim_sum_add(&tally->multicasts, more->multicasts);
    fits &= bsim_sum_add(&tally->bytes_asked, more->bytes_asked);
    fits &= bsim_sum_add(&tally->bytes_served, more->bytes_served);
    fits &= bsim_sum_add(&tally->bytes_moved, more->bytes_moved);
    tally->ways_min = least_ways(tally->ways_min, more->ways_min);
    tally->ways_max = more->ways_max > tally->ways_max ? more->ways_max : tally->ways_max;
    tally->rules |= more->rules;
    return fits;
}

bool bsim_global_tally_add(struct bsim_global_tally *tally, const struct bsim_global_tally *more)
{
    bool fits = bsim_sum_add(&tally->requests, more->requests);
    fits &= bsim_sum_add(&tally->sectors, more->sectors);
    fits &= bsim_sum_add(&tally->lines, more->lines);
    fits &= bsim_sum_add(&tally->transactions, more->transactions);
    fits &= bsim_sum_add(&tally->bytes_asked, more->bytes_asked);
    fits &= bsim_sum_add(&tally->wavefronts, more->wavefronts);
    fits &= bsim_sum_add(&tally->packets, more->packets);
    return fits;
}

struct bsim_global_tally bsim_kernel_space(const struct bsim_kernel_result *kernel,
                                           enum bsim_space space, enum bsim_class c)
{
    struct bsim_global_tally total = {0};
    for (size_t i = 0; i < kernel->n_sites; i++) {
        const struct bsim_site_result *site = &kernel->sites[i];
        if (site->opcode.space == space && bsim_opcode_class(&site->opcode) == c) {
            bsim_global_tally_add(&total, &site->global);
        }
    }
    return total;
}

uint64_t bsim_kernel_packets(const struct bsim_kernel_result *kernel)
{
    uint64_t packets = 0;
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        packets += bsim_kernel_space(kernel, BSIM_PEER, (enum bsim_class)c).packets;
    }
    return packets;
}

struct bsim_async_tally bsim_kernel_async(const struct bsim_kernel_result *kernel)
{
    struct bsim_async_tally total = {0};
    for (size_t i = 0; i < kernel->n_sites; i++) {
        const struct bsim_site_result *site = &kernel->sites[i];
        if (site->opcode.family == BSIM_WGMMA) {
            total.wgmmas += site->requests;
            total.wavefronts += site->tally.wavefronts;
        } else if (site->opcode.family == BSIM_BULK) {
            uint64_t *n = site->opcode.operation == BSIM_TO_SHARED   ? &total.loads
                          : site->opcode.operation == BSIM_TO_GLOBAL ? &total.stores
                                                                     : &total.reduces;
            *n += site->requests;
            total.bytes += site->global.bytes_asked;
            total.sectors += site->global.sectors;
        }
    }
    return total;
}

uint64_t bsim_kernel_gld_transactions(const struct bsim_kernel_result *kernel)
{
    const struct bsim_global_tally *loads = &kernel->global[BSIM_LOADS];
    bool adds = kernel->device.global_counting == BSIM_COUNTS_QUARTERS && loads->requests > 0;
    return loads->transactions + (adds ? BSIM_NVPROF_KERNEL_LOADS : 0);
}

struct bsim_tally bsim_kernel_total(const struct bsim_kernel_result *kernel)
{
    struct bsim_tally total = kernel->tally[0];
    for (int c = 1; c < BSIM_N_CLASSES; c++) {
        bsim_tally_add(&total, &kernel->tally[c]);
    }
    return total;
}

struct bsim_tally bsim_result_class(const struct bsim_result *result, enum bsim_class c)
{
    struct bsim_tally total = {0};
    for (size_t i = 0; i < result->n_kernels; i++) {
        bsim_tally_add(&total, &result->kernels[i].tally[c]);
    }
    return total;
}

enum bsim_class bsim_opcode_class(const struct bsim_opcode *opcode)
{
    uint32_t does = bsim_family_does(opcode->family);
    return (does & BSIM_UPDATES) != 0                  ? BSIM_ATOMICS
           : (does & (BSIM_WRITES | BSIM_COPIES)) != 0 ? BSIM_STORES
                                                       : BSIM_LOADS;
}
