/* bulk.h - copies by TMA, and what else goes on beside the threads that began it. */
#ifndef BSIM_PTX_BULK_H
#define BSIM_PTX_BULK_H

#include "ptx/machine.h"

/* The service of a cp.async.bulk or cp.reduce.async.bulk, or NULL. */
const struct bsim_ptx_service *bsim_ptx_find_bulk(const struct bsim_ptx_instruction *instruction);

/* Whether a cp.reduce.async.bulk adds numbers of a type that is known here to global memory. */
bool bsim_ptx_is_bulk_sum(const struct bsim_ptx_instruction *instruction);

/* Adds so many bytes of its numbers to those at `to`. */
void bsim_ptx_bulk_add(const struct bsim_ptx_step *step, unsigned char *to,
                       const unsigned char *from, uint32_t bytes);

/* ---- beside.c -------------------------------------------------------------------------------- */

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
