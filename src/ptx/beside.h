/* beside.h - what goes on beside the threads that began it; see beside.c. */
#ifndef BSIM_PTX_BESIDE_H
#define BSIM_PTX_BESIDE_H

#include "ptx/machine.h"

/* The lane has begun something: it is in the group that it commits next. `result` is that of its event
 * (bsim_ptx_work_begun), 0 if another warp has it. */
void bsim_ptx_groups_add(struct bsim_ptx_warp *warp, enum bsim_ptx_groups_of of, uint32_t lane,
                         uint32_t result);

/* The lanes that are on commit, or wait for all of their groups but the last n_left: whether there was anything
 * to wait for. */
void bsim_ptx_groups_commit(struct bsim_ptx_warp *warp, enum bsim_ptx_groups_of of);
bool bsim_ptx_groups_wait(struct bsim_ptx_warp *warp, enum bsim_ptx_groups_of of, uint32_t n_left);

/* The warp has waited for what four warps do, and the first of them has the events of. The stream has a meeting,
 * to which that one comes when it has waited, and behind which the others go on. */
void bsim_ptx_groups_meet(struct bsim_ptx_warp *warp, enum bsim_ptx_groups_of of);

/* A block begins; it is over. */
void bsim_ptx_groups_clear(struct bsim_ptx_warp *warp);
void bsim_ptx_groups_free(struct bsim_ptx_warp *warp);

/* A copy by TMA is to write so many bytes of shared memory at `at`. */
void bsim_ptx_coming_mark(struct bsim_ptx_block *block, uint32_t at, uint32_t bytes);

/* All such bytes from `start` on are on their way until somebody has seen that this phase of the barrier at
 * that address is over. */
void bsim_ptx_coming_begin(struct bsim_ptx_block *block, uint64_t barrier, uint32_t phase,
                           uint32_t start, uint32_t bytes);

/* Somebody has seen that the barrier is in that phase. */
void bsim_ptx_coming_seen(struct bsim_ptx_block *block, uint64_t barrier, uint32_t phase);

#endif
