/* stuck.h - blocks that never end; see stuck.c. */
#ifndef BSIM_PTX_STUCK_H
#define BSIM_PTX_STUCK_H

#include "ptx/machine.h"

/* A block begins. */
void bsim_ptx_watch_start(struct bsim_ptx_block *block);

/* The step, which has an access, is next in a block that is watched; its lanes are on. */
void bsim_ptx_watch_step(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step);

/* All warps have had their turn: whether they go round for ever. */
bool bsim_ptx_goes_round(struct bsim_ptx_block *block);

/* Blocks that run together begin, with so many steps behind them. */
void bsim_ptx_look_start(struct bsim_ptx_look *look, uint64_t n_steps);

/* All warps of the n blocks have had their turn: whether it is certain that they go round for ever. */
bool bsim_ptx_look_on_all(struct bsim_ptx_look *look, struct bsim_ptx_block *const *block, uint64_t n);

/* Ends the launch with who waits and who goes round, and where. */
void bsim_ptx_tell_stuck(struct bsim_ptx_block *block);

/* Fails: the block has taken more instructions than it may (struct bsim_ptx_launch's most_of_warp). */
void bsim_ptx_tell_long(struct bsim_ptx_block *block);

#endif
