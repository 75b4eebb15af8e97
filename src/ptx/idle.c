/* idle.c - who looks in vain for what others do rests until somebody changes memory.
 *
 *     while (atomicCAS(&lock, 0, 1) != 0) { }     lane 0 has it, 31 lanes look, and rest
 *     n++;                                        lane 0 waits for them where the ways meet
 *     atomicExch(&lock, 0);                       nobody goes on: it does so without them
 *
 * A turn of such a loop (spin.c) in which nobody has changed memory leads to another one like it. So one
 * look is enough for each change, whoever makes it, where a GPU looks as often as it has time to. When all
 * rest, and nobody waits for them either, they look as other loops run: memory may change without a store,
 * as by a copy, and stuck.c tells of those who do so for ever.
 */
#include "ptx/idle.h"

#include "ptx/group.h"

bool bsim_ptx_looks_in_vain(const struct bsim_ptx_block *block, struct bsim_ptx_group *group)
{
    bool is_again = group->head == group->pc && group->seen == block->n_changes;
    group->is_idle = is_again && block->stalled_at != block->n_changes;
    group->head = group->is_idle ? BSIM_PTX_NOWHERE : group->pc;
    group->seen = block->n_changes;
    return group->is_idle;
}

bool bsim_ptx_has_idle(const struct bsim_ptx_block *block)
{
    bool has = false;
    for (uint32_t w = 0; w < block->n_warps && !has; w++) {
        const struct bsim_ptx_warp *warp = &block->warp[w];
        for (uint32_t g = 0; g < warp->n_groups && !has; g++) {
            has = bsim_ptx_is_idle(block, &warp->group[g]);
        }
    }
    return has;
}

void bsim_ptx_wake(struct bsim_ptx_block *const *block, uint64_t n)
{
    bool goes_on = false;
    for (uint64_t k = 0; k < n; k++) {
        goes_on = bsim_ptx_leave_behind(block[k]) || goes_on;
    }
    for (uint64_t k = 0; k < n && !goes_on; k++) {
        block[k]->stalled_at = block[k]->n_changes;
    }
}
