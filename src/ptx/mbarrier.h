/* mbarrier.h - barriers in memory, as instructions and copies come to them. */
#ifndef BSIM_PTX_MBARRIER_H
#define BSIM_PTX_MBARRIER_H

#include "ptx/machine.h"

/* The service of the mbarrier instruction, or NULL. */
const struct bsim_ptx_service *bsim_ptx_find_mbarrier(const struct bsim_ptx_instruction *from);

bsim_ptx_run bsim_ptx_run_mbarrier;

/* The barrier that the argument says, of a copy: the block that has it in its shared memory, and its address there.
 * NULL after a fault. */
struct bsim_ptx_block *bsim_ptx_mbarrier_find(struct bsim_ptx_warp *warp,
                                              const struct bsim_ptx_step *step,
                                              const struct bsim_ptx_argument *argument,
                                              uint32_t lane, uint64_t *address);

/* A copy is to come to the barrier at that shared address, which was located: the meeting that it is an arrival
 * of, for the stream, and the phase under way. 0, and the block's status says so, when memory is short. */
uint32_t bsim_ptx_mbarrier_expect(struct bsim_ptx_warp *warp, uint64_t address, uint32_t *phase);

/* So many bytes of copies have come to that of the block. */
void bsim_ptx_mbarrier_complete(struct bsim_ptx_block *block, uint64_t address, uint32_t bytes);

#endif
