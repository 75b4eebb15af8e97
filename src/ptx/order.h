/* order.h - whether what a kernel counts rests on the order in which its warps run, or its blocks. */
#ifndef BSIM_PTX_ORDER_H
#define BSIM_PTX_ORDER_H

#include "ptx/launch.h"
#include "ptx/machine.h"

/* What some blocks of a launch counted, as launches run and in another order. */
struct bsim_ptx_counted {
    uint64_t wavefronts, sectors; /* of shared memory, of global memory */
};
struct bsim_ptx_tried {
    uint64_t n_blocks; /* not 0: they differed, in a launch that tried so many together */
    struct bsim_ptx_counted here, there;
};
struct bsim_ptx_order {
    uint64_t n_launches; /* so far */
    struct bsim_ptx_tried warps, blocks;
};

/* A launch of the program begins, with memory as it is now: some of its blocks are tried, and leave nothing
 * behind. Nothing is said where that cannot be tried. False when memory is short. */
bool bsim_ptx_try_order(const struct bsim_ptx_launch *launch,
                        const struct bsim_ptx_program *program, uint64_t n_blocks);

#endif
