/* frame.h - who comes back where. */
#ifndef BSIM_PTX_FRAME_H
#define BSIM_PTX_FRAME_H

#include "ptx/machine.h"

/* A call that lanes are in. */
struct bsim_ptx_frame {
    struct bsim_ptx_frame *below; /* the call around it, or NULL; of a spare one the next */
    struct bsim_ptx_frame *made;  /* the one that the warp made before */
    uint32_t lanes;               /* that are in it still; 0: it is spare */
    uint32_t pc;                  /* the call */
    const uint32_t *back;         /* what is copied when they come back */
};

/* The group's lanes call; `back` is for when they come back. False when memory is short, which the block's
 * status says. */
bool bsim_ptx_frame_push(struct bsim_ptx_warp *warp, struct bsim_ptx_group *group,
                         const uint32_t *back);

/* They are behind their call again; returns its `back`. */
const uint32_t *bsim_ptx_frame_pop(struct bsim_ptx_warp *warp, struct bsim_ptx_group *group);

/* Lanes that are in the frame, or NULL, and so in those below, have ended. */
void bsim_ptx_frames_leave(struct bsim_ptx_warp *warp, struct bsim_ptx_frame *frame,
                           uint32_t lanes);

/* Nobody is in any; all that the warp has is freed. */
void bsim_ptx_frames_clear(struct bsim_ptx_warp *warp);
void bsim_ptx_frames_free(struct bsim_ptx_warp *warp);

#endif
