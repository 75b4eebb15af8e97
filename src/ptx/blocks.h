/* blocks.h - the blocks of a launch, in their turn, ahead of it, and together. */
#ifndef BSIM_PTX_BLOCKS_H
#define BSIM_PTX_BLOCKS_H

#include "ptx/launch.h"
#include "ptx/machine.h"

/* A block of the launch, with its warps, to run any of the n_blocks that are run which have that rank in their clusters;
 * NULL when memory is short. Stream, tape
 * and err are the caller's to set, and who runs ahead has findings of its own. NULL is fine to free. */
struct bsim_ptx_block *bsim_ptx_block_new(const struct bsim_ptx_launch *launch,
                                          const struct bsim_ptx_program *program, uint64_t n_blocks,
                                          uint32_t rank);
void bsim_ptx_block_free(struct bsim_ptx_block *block);

/* Block k of block->n_blocks is to run: it begins on the tape. Blocks are counted cluster by cluster, by rank. */
void bsim_ptx_start_block(struct bsim_ptx_block *block, uint64_t k);

/* Runs blocks from..to - 1 of block->n_blocks and plays its tape, unless it runs ahead. How that went is
 * in its status, which is BSIM_OK before; else nothing is run. */
void bsim_ptx_run_blocks(struct bsim_ptx_block *block, uint64_t from, uint64_t to);

/* The same for all blocks, with launch->jobs threads, of which the caller's is one. */
void bsim_ptx_run_ahead(const struct bsim_ptx_launch *launch, struct bsim_ptx_block *block);

/* The same for all blocks, which are there at the same time and may wait for each other; what is found in
 * them is not told. */
void bsim_ptx_run_together(const struct bsim_ptx_launch *launch, struct bsim_ptx_block *block);

#endif
