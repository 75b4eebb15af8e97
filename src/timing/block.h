/* block.h - how one block went, and what becomes of it in the results; see block.c. */
#ifndef BSIM_TIMING_BLOCK_H
#define BSIM_TIMING_BLOCK_H

#include "timing/machine.h"

#include <banksim/result.h>

struct bsim_block_cycles {
    uint64_t cycles;
    uint64_t ideal;          /* without conflicts, if asked for */
    size_t n_sites;          /* of the block */
    uint64_t waits;          /* for what it loads from global memory */
    uint64_t together;       /* of several such blocks side by side, if asked for, or 0; the median of the plays */
    uint64_t together_ideal; /* the same without conflicts, or 0 */
    uint64_t tensor, copies; /* clocks of these units */
    uint64_t stores_met;     /* see bsim_kernel_cycles */
    uint64_t *sum;           /* as in struct bsim_machine */
    uint64_t *site_ideal; /* cycles with one site's conflicts removed, if asked for, or BSIM_NEVER:
                             left out, see BSIM_TIMER_SITES */
    uint64_t steps;       /* that it took as it is and without conflicts */
    bool is_given_up;     /* more than it may: the rest is of no use */
    size_t sum_capacity, site_capacity;
};

/* Has the machine play program for a kernel, of which `timed` says what is asked for, in at most
 * max_steps each; with n_blocks from 2 on also so many side by side. Fails as bsim_machine_run does. */
enum bsim_status bsim_block_cycles_run(struct bsim_block_cycles *block,
                                       struct bsim_machine *machine,
                                       const struct bsim_kernel_cycles *timed,
                                       const struct bsim_program *program, bool every_turn,
                                       bool clocked, uint32_t n_blocks, uint64_t max_steps,
                                       struct bsim_error *err);
void bsim_block_cycles_free(struct bsim_block_cycles *block);

/* Adds one such block to kernel: program, or one like it at other sites. False: its clocks do not
 * fit. */
bool bsim_block_cycles_add(const struct bsim_block_cycles *block,
                           const struct bsim_program *program, struct bsim_kernel_result *kernel);

/* All blocks have been added. */
void bsim_block_cycles_finish(struct bsim_kernel_result *kernel);

#endif
