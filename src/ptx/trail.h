/* trail.h - which steps a block's lanes come to in a while; see trail.c. */
#ifndef BSIM_PTX_TRAIL_H
#define BSIM_PTX_TRAIL_H

#include "ptx/machine.h"

/* A step that lanes of a warp have come to. */
struct bsim_ptx_print {
    uint32_t step;      /* index + 1; 0: none */
    uint32_t came, did; /* lanes; those whom no guard held off */
    uint32_t half[2];   /* that came in the first half of the while, and in the second */
    uint32_t may;       /* lanes that have not come, but it is not certain that they never do */
    uint64_t own, own_end; /* bytes of the threads' own memory that it led to, of all lanes; or 0, 0 */
    bool decides;       /* what it loads, or waits for, keeps lanes in their loop */
};

/* From now on each warp of the block notes where its lanes come to. Those that find no memory for it
 * can not be said to be caught. */
void bsim_ptx_trail_start(struct bsim_ptx_block *block);

/* The first half of the while is over. */
void bsim_ptx_trail_turn(struct bsim_ptx_block *block);

/* Lanes `came` are at the step; `did` of them execute it. The warp has a trail. */
void bsim_ptx_trail_note(struct bsim_ptx_warp *warp, uint32_t step, uint32_t came, uint32_t did);

/* Stops that. True if it is certain that no lane of the block will ever come to another step, or change
 * memory, unless somebody else changes it. */
bool bsim_ptx_trail_stop(struct bsim_ptx_block *block);

/* The step, of those that the warp has noted last, which keeps lanes of the mask in their loop, or NULL. */
const struct bsim_ptx_print *bsim_ptx_trail_find(const struct bsim_ptx_warp *warp, uint32_t mask);

void bsim_ptx_trail_free(struct bsim_ptx_block *block);

#endif
