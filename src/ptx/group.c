/* group.c - lanes that part and meet.
 *
 *     @p bra A         lanes 0-15 take it, lanes 16-31 do not: two groups, that are expected at the
 *     ...              branch's meet. The first runs until it comes there and waits; when all who are
 *  A: ...              expected have come or left for good, they are one group again.
 */
#include "ptx/group.h"

#include "base/bits.h"
#include "ptx/frame.h"

static void remove_group(struct bsim_ptx_warp *warp, uint32_t g)
{
    warp->group[g] = warp->group[--warp->n_groups];
}

int32_t bsim_ptx_new_meet(struct bsim_ptx_warp *warp, const struct bsim_ptx_group *group, uint32_t pc)
{
    for (int32_t i = 0; i < BSIM_PTX_MAX_MEETS; i++) {
        struct bsim_ptx_meet *meet = &warp->meet[i];
        if (!meet->is_used) {
            *meet = (struct bsim_ptx_meet){.pc = pc,
                                           .depth = group->depth,
                                           .expected = group->mask,
                                           .outer = group->meet,
                                           .is_used = true};
            warp->n_meets++;
            return i;
        }
    }
    return -1;
}

static void drop_meet(struct bsim_ptx_warp *warp, struct bsim_ptx_meet *meet)
{
    meet->is_used = false;
    warp->n_meets--;
}

void bsim_ptx_arrive(struct bsim_ptx_warp *warp, uint32_t g)
{
    struct bsim_ptx_group *group = &warp->group[g];
    while (bsim_ptx_is_at_meet(warp, group, group->pc)) {
        struct bsim_ptx_meet *meet = &warp->meet[group->meet];
        meet->arrived |= group->mask;
        if (meet->arrived != meet->expected) {
            remove_group(warp, g);
            return;
        }
        group->mask = meet->arrived;
        group->meet = meet->outer;
        drop_meet(warp, meet);
    }
}

/* Who has arrived goes on, as one, and the meet is over. `like` is a group that was expected there. */
static void leave_meet(struct bsim_ptx_warp *warp, struct bsim_ptx_meet *meet,
                       const struct bsim_ptx_group *like)
{
    struct bsim_ptx_group *group = &warp->group[warp->n_groups++];
    *group = *like;
    group->pc = meet->pc;
    for (; group->depth > meet->depth; group->depth--) {
        group->base = group->frame->base;
        group->top = group->frame->top;
        group->stack = group->frame->stack;
        group->frame = group->frame->below;
    }
    group->mask = meet->arrived;
    group->meet = meet->outer;
    group->is_waiting = group->is_idle = false;
    group->head = BSIM_PTX_NOWHERE;
    drop_meet(warp, meet);
    bsim_ptx_arrive(warp, warp->n_groups - 1);
}

/* Lanes are gone for good: nobody expects them any more; who waited for them alone goes on. */
static void forget(struct bsim_ptx_warp *warp, uint32_t lanes, const struct bsim_ptx_group *like)
{
    for (int32_t i = 0; i < BSIM_PTX_MAX_MEETS && warp->n_meets > 0; i++) {
        struct bsim_ptx_meet *meet = &warp->meet[i];
        if (!meet->is_used || !(meet->expected & lanes)) {
            continue;
        }
        meet->expected &= ~lanes;
        if (meet->expected == 0) {
            drop_meet(warp, meet);
        } else if (meet->arrived == meet->expected) {
            leave_meet(warp, meet, like);
        }
    }
}

/* Who has come to a meet does not wait for a group that never will: since sm_70 each lane comes on by itself,
 * and may be who lets the others go on. True if there was one. */
static bool leave_behind(struct bsim_ptx_warp *warp)
{
    for (uint32_t g = 0; g < warp->n_groups; g++) {
        struct bsim_ptx_group *group = &warp->group[g];
        struct bsim_ptx_meet *meet = &warp->meet[group->meet >= 0 ? group->meet : 0];
        if (group->meet >= 0 && meet->arrived != 0) {
            const struct bsim_ptx_group like = *group;
            meet->expected &= ~group->mask;
            group->meet = meet->outer;
            if (meet->expected == meet->arrived) {
                leave_meet(warp, meet, &like);
            }
            return true;
        }
    }
    return false;
}

bool bsim_ptx_leave_behind(struct bsim_ptx_block *block)
{
    bool has = false;
    for (uint32_t w = 0; w < block->n_warps; w++) {
        while (leave_behind(&block->warp[w])) {
            has = true;
        }
    }
    return has;
}

bool bsim_ptx_leave(struct bsim_ptx_warp *warp, uint32_t g, uint32_t lanes)
{
    struct bsim_ptx_group like = warp->group[g];
    bool has_ended = like.mask == lanes;
    warp->alive &= ~lanes;
    warp->block->n_alive -= bsim_bits_population(lanes);
    warp->group[g].mask &= ~lanes;
    if (has_ended) {
        remove_group(warp, g);
    }
    forget(warp, lanes, &like);
    bsim_ptx_frames_leave(warp, like.frame, lanes);
    return has_ended;
}

void bsim_ptx_part(struct bsim_ptx_warp *warp, uint32_t g, const struct bsim_ptx_step *step,
                 uint32_t taken)
{
    struct bsim_ptx_group *group = &warp->group[g];
    if (step->meet != BSIM_PTX_NOWHERE && !bsim_ptx_is_at_meet(warp, group, step->meet)) {
        group->meet = bsim_ptx_new_meet(warp, group, step->meet);
    }
    struct bsim_ptx_group *other = &warp->group[warp->n_groups++];
    *other = *group;
    other->mask = taken;
    other->pc = step->target;
    group->mask &= ~taken;
    group->pc++;
    /* The last first: arriving may move it. */
    bsim_ptx_arrive(warp, warp->n_groups - 1);
    bsim_ptx_arrive(warp, g);
}
