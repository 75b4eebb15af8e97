/* played.h - how one block went, and what becomes of it in the results; see played.c. */
#ifndef BSIM_TIMING_PLAYED_H
#define BSIM_TIMING_PLAYED_H

#include "timing/machine.h"

struct bsim_played {
    uint64_t cycles;
    uint64_t ideal;       /* without conflicts, if asked for */
    size_t n_sites;       /* that the kernel had then */
    uint64_t *sum;        /* as in struct bsim_machine */
    uint64_t *site_ideal; /* cycles with one site's conflicts removed, if asked for */
    size_t sum_capacity, site_capacity;
};

/* Has the machine play program for kernel, as the options say. */
enum bsim_status bsim_played_run(struct bsim_played *played,
                                 const struct bsim_kernel_cycles *kernel,
                                 const struct bsim_program *program,
                                 const struct bsim_timer_options *options, struct bsim_error *err);
void bsim_played_free(struct bsim_played *played);

/* Adds one such block to kernel. */
void bsim_played_add(const struct bsim_played *played, uint32_t n_warps, bool ideal_sites,
                     struct bsim_kernel_cycles *kernel);

/* The estimate for the launch that kernel's blocks stand for: n_blocks blocks of n_warps warps. */
void bsim_played_launch(struct bsim_kernel_cycles *kernel, uint64_t n_blocks, uint32_t n_warps,
                        uint64_t shared_bytes);

#endif
