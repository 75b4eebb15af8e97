/* idle.h - who looks again and again in a loop for what others do; see idle.c. */
#ifndef BSIM_PTX_IDLE_H
#define BSIM_PTX_IDLE_H

#include "ptx/machine.h"

/* Whether the group has looked in vain, and nobody has changed memory since. */
static inline bool bsim_ptx_is_idle(const struct bsim_ptx_block *block,
                                    const struct bsim_ptx_group *group)
{
    return group->is_idle && group->seen == block->n_changes &&
           block->stalled_at != block->n_changes;
}

/* The group comes to the first step of a loop that waits for others. True: the turn behind it was in vain,
 * and it rests until memory changes. */
bool bsim_ptx_looks_in_vain(const struct bsim_ptx_block *block, struct bsim_ptx_group *group);

/* Whether any of the block's groups does. */
bool bsim_ptx_has_idle(const struct bsim_ptx_block *block);

/* Nobody in these blocks goes on, and some are idle: those who wait for them where ways meet go on
 * without them, or else all look as often as they want until memory changes. */
void bsim_ptx_wake(struct bsim_ptx_block *const *block, uint64_t n);

#endif
