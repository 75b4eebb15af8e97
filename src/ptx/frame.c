/* frame.c - calls: who comes back where, and what is each call's own.
 *
 *     fib(3)  lanes 0-31   frame {pc of the call, registers of who called}
 *     fib(2)  lanes 0-31   frame --> frame
 *     n < 2:  lanes 0-15 wait at the function's end, lanes 16-31 go on with fib(1), a frame of theirs
 *
 * Groups that parted have the frames below in common; a frame is free again when the last of its lanes
 * has come back, or ended. A function's registers and variables have one place each, as long as it
 * cannot call itself. If it can, a call keeps its caller's registers in the frame, and the variables lie
 * behind those of the call before in the thread's own memory, so that their addresses can be handed on.
 */
#include "ptx/frame.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

static struct bsim_ptx_frame *take_frame(struct bsim_ptx_warp *warp)
{
    struct bsim_ptx_frame *frame = warp->spare;
    if (frame != NULL) {
        warp->spare = frame->below;
        return frame;
    }
    frame = bsim_mem_zeroed(1, sizeof *frame +
                                   warp->block->program->kept_words * sizeof frame->word[0]);
    if (frame != NULL) {
        frame->made = warp->frames;
        warp->frames = frame;
    }
    return frame;
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

/* ---- registers ------------------------------------------------------------------------------- */

static void keep_registers(const struct bsim_ptx_warp *warp, struct bsim_ptx_frame *frame)
{
    const struct bsim_ptx_recursive *kept = frame->kept;
    memcpy(frame->word, warp->file + kept->first, kept->n_words * sizeof *warp->file);
}

/* The lanes have theirs again; others may be elsewhere with the same ones. */
static void restore_registers(struct bsim_ptx_warp *warp, const struct bsim_ptx_frame *frame,
                              uint32_t lanes)
{
    const struct bsim_ptx_recursive *kept = frame->kept;
    for (uint32_t i = 0; i < kept->function->n_registers; i++) {
        uint32_t *to = warp->file + kept->place[i];
        const uint32_t *from = frame->word + (kept->place[i] - kept->first);
        uint32_t bits = bsim_ptx_type_bits(kept->function->reg[i].type);
        uint32_t words = bits <= 32 ? 1 : bits / 32; /* of a lane */
        if (bits == 1) {
            *to = (*to & ~lanes) | (*from & lanes);
        } else if (lanes == BSIM_FULL_MASK) {
            memcpy(to, from, words * BSIM_WARP_LANES * sizeof *to);
        } else {
            for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
                if (lanes >> l & 1) {
                    memcpy(to + words * l, from + words * l, words * sizeof *to);
                }
            }
        }
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* A copy of 32 lanes' memory with room for `stride` bytes each, and `fill` in what is new. */
static unsigned char *widen(const struct bsim_ptx_warp *warp, const unsigned char *from,
                            uint32_t stride, int fill)
{
    unsigned char *grown = bsim_mem_zeroed(BSIM_WARP_LANES, stride);
    for (uint32_t l = 0; l < BSIM_WARP_LANES && grown != NULL; l++) {
        unsigned char *own = grown + (size_t)l * stride;
        memset(own, fill, stride);
        memcpy(own, from + (size_t)l * warp->local_stride, warp->local_stride);
    }
    return grown;
}

/* Room for `bytes` of each lane, which keep theirs; false when memory is short. */
static bool grow(struct bsim_ptx_warp *warp, uint32_t bytes)
{
    enum { POISON = 0x7f }; /* as blocks begin with */
    uint32_t stride = 2 * warp->local_stride > bytes ? 2 * warp->local_stride : bytes;
    bool asks = warp->local_written != NULL;
    unsigned char *grown = widen(warp, warp->local, stride, POISON);
    unsigned char *written = asks ? widen(warp, warp->local_written, stride, 0) : NULL;
    if (grown == NULL || (asks && written == NULL)) {
        bsim_mem_free(grown);
        bsim_mem_free(written);
        return false;
    }
    bsim_mem_free(warp->local);
    bsim_mem_free(warp->local_written);
    warp->local = grown;
    warp->local_written = written;
    warp->local_stride = stride;
    return true;
}

/* The lanes' call has its variables at base. */
static void set_addresses(struct bsim_ptx_warp *warp, const struct bsim_ptx_recursive *recursive,
                          uint32_t base, uint32_t lanes)
{
    for (uint32_t i = 0; i < recursive->n_addresses; i++) {
        const struct bsim_ptx_constant *address = &recursive->address[i];
        for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
            if (lanes >> l & 1) {
                bsim_ptx_put(warp, address->place, address->is_64 ? 64 : 32, l,
                             base + address->bits);
            }
        }
    }
}

/* Copies n times {from, to, bytes} in the own memory of each lane; returns what stands behind. */
static const uint32_t *copy_handed(struct bsim_ptx_warp *warp, const uint32_t *copies,
                                   uint32_t lanes, uint32_t from, uint32_t to)
{
    uint32_t n = *copies++;
    for (uint32_t i = 0; i < n; i++, copies += 3) {
        for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
            unsigned char *own = bsim_ptx_local(warp, l);
            if (lanes >> l & 1) {
                memcpy(own + to + copies[1], own + from + copies[0], copies[2]);
            }
        }
    }
    return copies;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void set_memory(struct bsim_ptx_warp *warp, struct bsim_ptx_group *group, uint32_t base,
                       uint32_t top)
{
    group->base = warp->base = base;
    group->top = warp->top = top;
}

/* The function's variables lie behind all others of the group's lanes. */
static bool enter(struct bsim_ptx_warp *warp, struct bsim_ptx_group *group,
                  const struct bsim_ptx_recursive *recursive)
{
    struct bsim_ptx_block *block = warp->block;
    uint32_t base = group->top, top = base + recursive->bytes;
    group->stack += recursive->least;
    if (group->stack > block->stack_bytes) {
        bsim_ptx_fault(
            warp, &block->program->step[group->pc], BSIM_WARP_LANES,
            "the stack is full, %" PRIu32 " calls deep: a thread has %" PRIu32
            " bytes for functions that call themselves (cudaLimitStackSize)",
            group->depth - 1, block->stack_bytes);
        return false;
    }
    if (top > warp->local_stride && !grow(warp, top)) {
        block->status = bsim_mem_short(block->err);
        return false;
    }
    set_memory(warp, group, base, top);
    set_addresses(warp, recursive, base, group->mask);
    return true;
}

bool bsim_ptx_frame_push(struct bsim_ptx_warp *warp, struct bsim_ptx_group *group,
                         const struct bsim_ptx_callee *callee)
{
    struct bsim_ptx_frame *frame = take_frame(warp);
    if (frame == NULL) {
        warp->block->status = bsim_mem_short(warp->block->err);
        return false;
    }
    struct bsim_ptx_frame *made = frame->made;
    *frame = (struct bsim_ptx_frame){.below = group->frame,
                                     .made = made,
                                     .lanes = group->mask,
                                     .pc = group->pc,
                                     .base = group->base,
                                     .top = group->top,
                                     .stack = group->stack,
                                     .kept = callee->kept};
    group->frame = frame;
    group->depth++;
    if (frame->kept != NULL) {
        keep_registers(warp, frame);
    }
    if (callee->recursive == NULL) {
        set_memory(warp, group, 0, group->top);
    } else if (!enter(warp, group, callee->recursive)) {
        return false;
    }
    frame->back = copy_handed(warp, callee->more, group->mask, frame->base, group->base);
    group->pc = callee->target;
    return true;
}

void bsim_ptx_frame_pop(struct bsim_ptx_warp *warp, struct bsim_ptx_group *group)
{
    struct bsim_ptx_frame *frame = group->frame;
    copy_handed(warp, frame->back, group->mask, group->base, frame->base);
    set_memory(warp, group, frame->base, frame->top);
    group->stack = frame->stack;
    if (frame->kept != NULL) {
        restore_registers(warp, frame, group->mask);
        set_addresses(warp, frame->kept, frame->base, group->mask);
    }
    group->frame = frame->below;
    group->depth--;
    group->pc = frame->pc + 1;
    let_go(warp, frame, group->mask);
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
