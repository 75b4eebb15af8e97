/* group.h - lanes of a warp that are at one place, and where they meet others; see group.c. */
#ifndef BSIM_PTX_GROUP_H
#define BSIM_PTX_GROUP_H

#include "ptx/machine.h"

/* Whether the group is where it is expected; deeper in calls, the same step is another place. */
static inline bool bsim_ptx_is_at_meet(const struct bsim_ptx_warp *warp, const struct bsim_ptx_group *group,
                       uint32_t pc)
{
    const struct bsim_ptx_meet *meet = &warp->meet[group->meet >= 0 ? group->meet : 0];
    return group->meet >= 0 && meet->pc == pc && meet->depth == group->depth;
}

/* A meet of the group's lanes at the step; -1 if there are too many. */
int32_t bsim_ptx_new_meet(struct bsim_ptx_warp *warp, const struct bsim_ptx_group *group, uint32_t pc);

/* The group may have come to its meet. If all have, they go on as one, which may have come to the next. */
void bsim_ptx_arrive(struct bsim_ptx_warp *warp, uint32_t g);

/* Lanes of the group end. True if the group has. */
bool bsim_ptx_leave(struct bsim_ptx_warp *warp, uint32_t g, uint32_t lanes);

/* Lanes `taken` of the group go to the target, the others on. The group stays who falls through. */
void bsim_ptx_part(struct bsim_ptx_warp *warp, uint32_t g, const struct bsim_ptx_step *step,
                   uint32_t taken);

/* Lanes of the block go round for ever: those of their warps that wait for them where ways meet go on
 * without them. False: there are none. */
bool bsim_ptx_leave_behind(struct bsim_ptx_block *block);

#endif
