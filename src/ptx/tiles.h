/* tiles.h - which tile of TMA's each part of shared memory is of, for wgmma: see tiles.c. */
#ifndef BSIM_PTX_TILES_H
#define BSIM_PTX_TILES_H

#include "ptx/machine.h"

#include <banksim/tma.h>
#include <banksim/wgmma.h>

/* Of a block that wants findings, if its program has both; NULL where not, or memory is short. */
struct bsim_ptx_tiles *bsim_ptx_tiles_new(const struct bsim_ptx_block *block);
void bsim_ptx_tiles_free(struct bsim_ptx_tiles *tiles);

/* A block begins. */
void bsim_ptx_tiles_start(struct bsim_ptx_block *block);

/* The step has loaded a box. */
void bsim_ptx_tiles_loaded(struct bsim_ptx_block *block, const struct bsim_ptx_step *step, const struct bsim_tma *tma);

/* So many bytes at `at`, or of each lane that is on, were written by something else. */
void bsim_ptx_tiles_written(struct bsim_ptx_block *block, uint64_t at, uint32_t bytes);
void bsim_ptx_tiles_stored(struct bsim_ptx_warp *warp, const uint64_t *address, uint32_t bytes);

/* A wgmma reads so many rows of an operand, "A" or "B": tells it where its descriptor takes rows of a tile for others. */
void bsim_ptx_tiles_read(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         const struct bsim_wgmma_descriptor *descriptor, uint32_t element_bytes, const char *name,
                         uint32_t rows);

#endif
