/* wgmma.h - products of matrices that four warps make together. */
#ifndef BSIM_PTX_WGMMA_H
#define BSIM_PTX_WGMMA_H

#include "ptx/machine.h"

/* The service of a wgmma instruction, or NULL. */
const struct bsim_ptx_service *bsim_ptx_find_wgmma(const struct bsim_ptx_instruction *from);

/* Whether it is executed by four warps together: wgmma.mma_async. */
static inline bool bsim_ptx_is_of_warps(const struct bsim_ptx_instruction *instruction)
{
    return bsim_ptx_is_a(instruction, "wgmma") && bsim_ptx_has(instruction, BSIM_PTX_MMA_ASYNC);
}

#endif
