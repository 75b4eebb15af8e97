/* push.h - what a running block tells the stream. */
#ifndef BSIM_PTX_PUSH_H
#define BSIM_PTX_PUSH_H

#include "ptx/machine.h"

/* Pushes an event of the step's access in that space, at its site, for the lanes that are on;
 * address[l] is lane l's, NULL for an opcode without addresses. A sink's refusal is in the block's
 * status then. */
void bsim_ptx_push_event(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         enum bsim_space space, const uint64_t *address);

/* Pushes bar.sync of the warp. */
void bsim_ptx_push_barrier(struct bsim_ptx_warp *warp);

#endif
