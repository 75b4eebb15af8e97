/* push.h - what a running block tells the stream. */
#ifndef BSIM_PTX_PUSH_H
#define BSIM_PTX_PUSH_H

#include "ptx/machine.h"

/* Puts an event of the step's access in that space, at its site, for the lanes that are on;
 * address[l] is lane l's, NULL for an opcode without addresses. It goes to the block's tape, which
 * is played when it is full; a sink's refusal is in the block's status then. */
void bsim_ptx_push_event(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         enum bsim_space space, const uint64_t *address);

/* The same of a copy: to[l] is in shared memory, from[l] in global memory. */
void bsim_ptx_push_copy(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                        const uint64_t *to, const uint64_t *from);

/* The same of what no lane has a part in. */
void bsim_ptx_push_async(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         const struct bsim_async *async);

/* The same of lanes that are on a line: lane l's address is base + l * stride. */
void bsim_ptx_push_line(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                        enum bsim_space space, uint64_t base, int64_t stride);

/* Pushes that the warp comes to the meeting, or that it goes on behind it. */
void bsim_ptx_push_meeting(struct bsim_ptx_warp *warp, enum bsim_family family,
                           const struct bsim_ptx_meeting *meeting);

/* cp.async.commit_group, wait_group n, or wait_all of BSIM_ALL_COPIES: family says which. */
void bsim_ptx_push_groups(struct bsim_ptx_warp *warp, enum bsim_family family, uint32_t n);

/* The warp has looked whether it may go on and may not. What it has executed up to its first look is
 * told; how often it looks is chance, so what it executes from then on, until it may, is not. */
void bsim_ptx_push_look(struct bsim_ptx_warp *warp);
void bsim_ptx_end_look(struct bsim_ptx_warp *warp);

/* Pushes bar.sync of the warp. */
void bsim_ptx_push_barrier(struct bsim_ptx_warp *warp);

/* Events wait on the block's tape: pushes them now, if its turn has come and its status is fine, which
 * is then the sink's. */
void bsim_ptx_play(struct bsim_ptx_block *block);

#endif
