/* meet.h - what a block tells the stream of barriers that a part of it meets at. */
#ifndef BSIM_PTX_MEET_H
#define BSIM_PTX_MEET_H

#include "ptx/machine.h"

/* Somebody comes to the meeting, whose number it is; the caller tells the stream. */
uint32_t bsim_ptx_meet_number(struct bsim_ptx_block *block, struct bsim_ptx_meeting *meeting);

/* The warp comes to the meeting, which gets a number if it has none. */
void bsim_ptx_meet_arrive(struct bsim_ptx_warp *warp, struct bsim_ptx_meeting *meeting);

/* Likewise, when its copies by cp.async have come. */
void bsim_ptx_meet_copies(struct bsim_ptx_warp *warp, struct bsim_ptx_meeting *meeting);

/* The meeting has taken place, and the warp goes on. Nothing if nobody came to it. */
void bsim_ptx_meet_await(struct bsim_ptx_warp *warp, const struct bsim_ptx_meeting *meeting);

/* A barrier in memory, by its address in shared memory. */
struct bsim_ptx_mbarrier {
    uint64_t address;
    struct bsim_ptx_meeting now, last; /* of the phase under way, of the one before */
    bool is_initialised;
};

/* NULL when memory is short, which the block's status says then. Good until the next is found. */
struct bsim_ptx_mbarrier *bsim_ptx_meet_mbarrier(struct bsim_ptx_block *block, uint64_t address);

/* A block begins: nobody has met. */
void bsim_ptx_meet_start(struct bsim_ptx_block *block);
void bsim_ptx_meet_free(struct bsim_ptx_block *block);

#endif
