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
    uint32_t base, top, stack;    /* of the caller */
    const struct bsim_ptx_recursive *kept; /* whose registers are kept in ... */
    uint32_t word[];                       /* ... these, or NULL */
};

/* The group's lanes call the function: what it is handed is there, and they are at its first step. False,
 * and the block's status says why, when the stack is full or memory is short. */
bool bsim_ptx_frame_push(struct bsim_ptx_warp *warp, struct bsim_ptx_group *group,
                         const struct bsim_ptx_callee *callee);

/* They are behind their call again, with what it gives. */
void bsim_ptx_frame_pop(struct bsim_ptx_warp *warp, struct bsim_ptx_group *group);

/* Lanes that are in the frame, or NULL, and so in those below, have ended. */
void bsim_ptx_frames_leave(struct bsim_ptx_warp *warp, struct bsim_ptx_frame *frame,
                           uint32_t lanes);

/* Nobody is in any; all that the warp has is freed. */
void bsim_ptx_frames_clear(struct bsim_ptx_warp *warp);
void bsim_ptx_frames_free(struct bsim_ptx_warp *warp);

#endif
