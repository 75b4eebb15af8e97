/* frame.c - who comes back where: the calls that lanes are in, innermost first.
 *
 *     fib(3)  lanes 0-31   frame {pc of the call}
 *     fib(2)  lanes 0-31   frame --> frame
 *     n < 2:  lanes 0-15 wait at the function's end, lanes 16-31 go on with fib(1), a frame of theirs
 *
 * Groups that parted have the frames below in common; a frame is free again when the last of its lanes
 * has come back, or ended.
 */
#include "ptx/frame.h"

#include "base/memory.h"

static struct bsim_ptx_frame *take_frame(struct bsim_ptx_warp *warp)
{
    struct bsim_ptx_frame *frame = warp->spare;
    if (frame != NULL) {
        warp->spare = frame->below;
        return frame;
    }
    frame = bsim_mem_zeroed(1, sizeof *frame);
    if (frame != NULL) {
        frame->made = warp->frames;
        warp->frames = frame;
    }
    return frame;
}

bool bsim_ptx_frame_push(struct bsim_ptx_warp *warp, struct bsim_ptx_group *group,
                         const uint32_t *back)
{
    struct bsim_ptx_frame *frame = take_frame(warp);
    if (frame == NULL) {
        warp->block->status = bsim_mem_short(warp->block->err);
        return false;
    }
    frame->below = group->frame;
    frame->lanes = group->mask;
    frame->pc = group->pc;
    frame->back = back;
    group->frame = frame;
    group->depth++;
    return true;
}

/* So many of its lanes are in it no more. */
static void let_go(struct bsim_ptx_warp *warp, struct bsim_ptx_frame *frame, uint32_t lanes)
{
    frame->lanes &= ~lanes;
    if (frame->lanes == 0) {
        frame->below = warp->spare;
        warp->spare = frame;
    }
}

const uint32_t *bsim_ptx_frame_pop(struct bsim_ptx_warp *warp, struct bsim_ptx_group *group)
{
    struct bsim_ptx_frame *frame = group->frame;
    const uint32_t *back = frame->back;
    group->frame = frame->below;
    group->depth--;
    group->pc = frame->pc + 1;
    let_go(warp, frame, group->mask);
    return back;
}

void bsim_ptx_frames_leave(struct bsim_ptx_warp *warp, struct bsim_ptx_frame *frame, uint32_t lanes)
{
    while (frame != NULL) {
        struct bsim_ptx_frame *below = frame->below;
        let_go(warp, frame, lanes);
        frame = below;
    }
}

void bsim_ptx_frames_clear(struct bsim_ptx_warp *warp)
{
    warp->spare = NULL;
    for (struct bsim_ptx_frame *frame = warp->frames; frame != NULL; frame = frame->made) {
        frame->below = warp->spare;
        warp->spare = frame;
    }
}

void bsim_ptx_frames_free(struct bsim_ptx_warp *warp)
{
    while (warp->frames != NULL) {
        struct bsim_ptx_frame *made = warp->frames->made;
        bsim_mem_free(warp->frames);
        warp->frames = made;
    }
}
