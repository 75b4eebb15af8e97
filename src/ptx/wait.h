/* wait.h - lanes that wait for others; see wait.c. */
#ifndef BSIM_PTX_WAIT_H
#define BSIM_PTX_WAIT_H

#include "ptx/machine.h"

/* The group comes to a barrier of the block, at which it stays, unless it only arrives or was the
 * last. */
void bsim_ptx_wait_at(struct bsim_ptx_warp *warp, uint32_t g, const struct bsim_ptx_step *step);

/* The lanes of the group come to an instruction that waits for the lanes which its mask names, in
 * step->e, and is run when all are there. False: the group does not go on now. */
bool bsim_ptx_wait_for_lanes(struct bsim_ptx_warp *warp, uint32_t g,
                             const struct bsim_ptx_step *step, uint32_t lanes);

/* The group comes to an instruction that four warps execute together, and is run for all when they have come.
 * It does not go on now. */
void bsim_ptx_wait_for_warps(struct bsim_ptx_warp *warp, uint32_t g,
                             const struct bsim_ptx_step *step, uint32_t lanes);

/* Nobody in the block goes on: lets those go for whom all have come or ended. False: there are none. */
bool bsim_ptx_release_complete(struct bsim_ptx_block *block);

/* The same of those whom a GPU lets go without all, which is told. */
bool bsim_ptx_release_without(struct bsim_ptx_block *block);

/* Threads that the barrier waits for: of bar.sync a, n as many; without n all that are still there. */
uint32_t bsim_ptx_count_expected(const struct bsim_ptx_block *block, uint32_t number);

#endif
