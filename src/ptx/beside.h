/* beside.h - what goes on beside the threads that began it; see beside.c. */
#ifndef BSIM_PTX_BESIDE_H
#define BSIM_PTX_BESIDE_H

#include "ptx/machine.h"

/* The lane has begun something, whose event was pushed: it is in the group that it commits next. */
void bsim_ptx_groups_add(struct bsim_ptx_warp *warp, enum bsim_ptx_groups_of of, uint32_t lane);

/* The lanes that are on commit, or wait for all of their groups but the last n_left. */
void bsim_ptx_groups_commit(struct bsim_ptx_warp *warp, enum bsim_ptx_groups_of of);
void bsim_ptx_groups_wait(struct bsim_ptx_warp *warp, enum bsim_ptx_groups_of of, uint32_t n_left);

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
