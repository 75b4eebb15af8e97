/* warp.c - who goes on: branches, calls, and whose turn it is.
 *
 * A warp runs until none of its groups can go on, or for a slice of steps; then the next warp does.
 * So a loop that waits for another warp's or another lane's store ends. wait.c has the barriers.
 */
#include "ptx/machine.h"

#include "base/bits.h"
#include "ptx/cluster.h"
#include "ptx/frame.h"
#include "ptx/group.h"
#include "ptx/idle.h"
#include "ptx/push.h"
#include "ptx/stuck.h"
#include "ptx/trail.h"
#include "ptx/wait.h"
#include "ptx/work.h"

#include <inttypes.h>
#include <string.h>

/* Steps: of a warp, of a group, of a warp whose block may wait for others, and of one whose block shows
 * what another order makes of it. */
enum { SLICE = 20000, GROUP_SLICE = 2000, TOGETHER_SLICE = 256, OTHER_SLICE = 8 };

static void refuse(struct bsim_ptx_block *block, const struct bsim_ptx_step *step)
{
    bsim_ptx_play(block);
    if (!bsim_ptx_gives_up(block) && block->status == BSIM_OK) {
        block->status =
            bsim_ptx_refuse(block->program->module, step->from, block->err, "%s", step->why);
    }
}

/* ---- running --------------------------------------------------------------------------------- */

static uint32_t guarded(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                        uint32_t mask)
{
    if (!step->has_guard) {
        return mask;
    }
    uint32_t predicate = warp->file[step->guard];
    return mask & (step->guard_negated ? ~predicate : predicate);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* The lanes alone go on with a call; the rest from another step on. All meet behind it. */
static void part_at_call(struct bsim_ptx_warp *warp, uint32_t g, uint32_t lanes, uint32_t rest)
{
    struct bsim_ptx_group *group = &warp->group[g];
    uint32_t behind = group->pc + 1;
    if (!bsim_ptx_is_at_meet(warp, group, behind)) {
        group->meet = bsim_ptx_new_meet(warp, group, behind);
    }
    struct bsim_ptx_group *other = &warp->group[warp->n_groups++];
    *other = *group;
    other->mask &= ~lanes;
    other->pc = rest;
    group->mask = lanes;
    bsim_ptx_arrive(warp, warp->n_groups - 1);
}

/* The function at the address, or NULL after a fault. */
static const struct bsim_ptx_callee *find_callee(struct bsim_ptx_warp *warp,
                                                 const struct bsim_ptx_step *step, uint32_t lane)
{
    uint64_t address = bsim_ptx_at64(warp, step->a)[lane].u;
    for (const struct bsim_ptx_callee *c = step->callee; c->more != NULL; c++) {
        if (c->address == address) {
            return c;
        }
    }
    bsim_ptx_fault(warp, step, lane,
                   "address 0x%" PRIx64 " is of no function that takes what is handed over",
                   address);
    return NULL;
}

static uint32_t lanes_with(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                           uint32_t mask, uint64_t address)
{
    uint32_t lanes = 0;
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        bool is_same = mask >> l & 1 && bsim_ptx_at64(warp, step->a)[l].u == address;
        lanes |= (uint32_t)is_same << l;
    }
    return lanes;
}

/* The group calls; lanes that do not, or another function, part from it first. */
static bool call(struct bsim_ptx_warp *warp, uint32_t g, const struct bsim_ptx_step *step,
                 uint32_t lanes)
{
    struct bsim_ptx_group *group = &warp->group[g];
    const struct bsim_ptx_callee *callee = step->callee;
    if (lanes != group->mask) {
        part_at_call(warp, g, lanes, group->pc + 1);
        return false;
    }
    if (step->kind == BSIM_PTX_CALL_BY_ADDRESS) {
        callee = find_callee(warp, step, bsim_bits_lowest(lanes));
        if (callee == NULL) {
            return false;
        }
        uint32_t same = lanes_with(warp, step, lanes, callee->address);
        if (same != lanes) {
            part_at_call(warp, g, same, group->pc);
            return false;
        }
    }
    return bsim_ptx_frame_push(warp, group, callee);
}

/* The lanes, which are the group's, go where the step leads; those of the group that do not part. */
static bool branch(struct bsim_ptx_warp *warp, uint32_t g, const struct bsim_ptx_step *step,
                   uint32_t lanes)
{
    struct bsim_ptx_group *group = &warp->group[g];
    if (lanes == group->mask) {
        group->pc = step->target;
        return true;
    }
    bsim_ptx_part(warp, g, step, lanes);
    return false;
}

/* Of the lanes those whose index is the step's. The last step of a table is for all who come there. */
static bool branch_by_index(struct bsim_ptx_warp *warp, uint32_t g,
                            const struct bsim_ptx_step *step, uint32_t lanes)
{
    const struct bsim_ptx_operand *label = &step->from->operand[1];
    uint32_t taken = 0;
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        uint32_t index = bsim_ptx_at32(warp, step->a)[l].u;
        if (lanes >> l & 1 && index >= label->number) {
            bsim_ptx_fault(warp, step, l,
                           "target %" PRIu32 " of a table of %" PRIu32 ", counted from 0", index,
                           label->number);
            return false;
        }
        taken |= (lanes >> l & 1 && index == label->bits ? UINT32_C(1) : 0) << l;
    }
    if (taken == 0) {
        warp->group[g].pc++;
        return true;
    }
    return branch(warp, g, step, taken);
}

/* A step that is more than a computation. False: the group does not go on. */
static bool run_special(struct bsim_ptx_warp *warp, uint32_t g, const struct bsim_ptx_step *step,
                        uint32_t lanes)
{
    struct bsim_ptx_group *group = &warp->group[g];
    switch (step->kind) {
    case BSIM_PTX_BRANCH:
        return branch(warp, g, step, lanes);
    case BSIM_PTX_BRANCH_BY_INDEX:
        return branch_by_index(warp, g, step, lanes);
    case BSIM_PTX_CALL:
    case BSIM_PTX_CALL_BY_ADDRESS:
        return call(warp, g, step, lanes);
    case BSIM_PTX_RETURN:
        bsim_ptx_frame_pop(warp, group);
        return true;
    case BSIM_PTX_LEAVE:
        if (bsim_ptx_leave(warp, g, lanes)) {
            return false;
        }
        warp->group[g].pc++;
        return true;
    case BSIM_PTX_MEET_LANES:
        return bsim_ptx_wait_for_lanes(warp, g, step, lanes);
    case BSIM_PTX_MEET_WARPS:
        bsim_ptx_wait_for_warps(warp, g, step, lanes);
        return false;
    case BSIM_PTX_BARRIER:
        bsim_ptx_wait_at(warp, g, step);
        return false;
    case BSIM_PTX_CLUSTER_ARRIVES:
        bsim_ptx_cluster_arrive(warp, lanes);
        group->pc++;
        return true;
    case BSIM_PTX_CLUSTER_WAITS:
        return bsim_ptx_cluster_wait(warp, g, lanes);
    case BSIM_PTX_REFUSED:
        refuse(warp->block, step);
        return false;
    default:
        return false;
    }
}

static uint64_t slice_of(const struct bsim_ptx_block *block)
{
    return block->is_together ? TOGETHER_SLICE : GROUP_SLICE;
}

static uint64_t turn_of(const struct bsim_ptx_block *block)
{
    return block->is_last_first ? OTHER_SLICE : block->is_together ? TOGETHER_SLICE : SLICE;
}

/* Whether a slice ends here. In a block that is watched it ends where the one before did, if that is not
 * far: who goes round is so found in the same state again. */
static bool is_over(const struct bsim_ptx_block *block, const struct bsim_ptx_group *group,
                    uint64_t n)
{
    return n >= slice_of(block) &&
           (!block->watch.is_on || group->pc == group->anchor || n >= (uint64_t)2 * GROUP_SLICE);
}

/* Before the step the group may wait for others that it meets there, or rest. */
static bool stops_before(struct bsim_ptx_warp *warp, uint32_t g, const struct bsim_ptx_step *step)
{
    struct bsim_ptx_group *group = &warp->group[g];
    uint32_t n_groups = warp->n_groups;
    if (bsim_ptx_is_at_meet(warp, group, group->pc)) {
        bsim_ptx_arrive(warp, g);
    }
    if (warp->n_groups < n_groups) {
        return true;
    }
    return step->is_look && bsim_ptx_looks_in_vain(warp->block, group);
}

/* Runs the group until it parts, meets, waits, ends, or has had its slice; a turn that is shorter cuts
 * that in parts. */
static void run_group(struct bsim_ptx_warp *warp, uint32_t g)
{
    struct bsim_ptx_block *block = warp->block;
    const struct bsim_ptx_step *steps = block->program->step;
    struct bsim_ptx_group *group = &warp->group[g];
    const uint64_t before = group->n_cut;
    const uint64_t stop = block->is_last_first ? before + OTHER_SLICE : UINT64_MAX;
    uint64_t n = before;
    bool goes_on = true;
    group->n_cut = 0;
    warp->base = group->base;
    warp->top = group->top;
    while (goes_on && n < stop && !is_over(block, group, n) && block->status == BSIM_OK) {
        const struct bsim_ptx_step *step = &steps[group->pc];
        if (step->is_meeting && stops_before(warp, g, step)) {
            break;
        }
        n++;
        uint32_t lanes = guarded(warp, step, group->mask);
        if (warp->work != NULL) {
            bsim_ptx_work_note(warp, step, lanes, group->mask);
            if (step->skipped != NULL && lanes == group->mask) {
                bsim_ptx_work_skips(warp, step);
            }
        }
        if (warp->trail != NULL) {
            bsim_ptx_trail_note(warp, group->pc, group->mask, lanes);
        }
        if (lanes == 0 || step->kind == BSIM_PTX_NOTHING_HAPPENS) {
            group->pc++;
        } else if (step->kind == BSIM_PTX_COMPUTE) {
            warp->mask = lanes;
            if (block->watch.is_on && step->access != NULL) {
                bsim_ptx_watch_step(warp, step);
            }
            step->run(warp, step);
            group->pc++;
        } else {
            goes_on = run_special(warp, g, step, lanes);
        }
    }
    if (n >= slice_of(block)) {
        warp->group[g].n_slices++;
        warp->group[g].anchor = warp->group[g].pc;
    } else if (goes_on && n == stop) {
        warp->group[g].n_cut = (uint32_t)n;
    }
    block->n_steps += n - before;
}

/* Of the groups that can go on the one whose slice was cut, or with the fewest slices, then the lowest
 * step; n_groups if none can. */
static uint32_t choose(const struct bsim_ptx_warp *warp)
{
    uint32_t best = warp->n_groups;
    for (uint32_t g = 0; g < warp->n_groups; g++) {
        const struct bsim_ptx_group *group = &warp->group[g];
        const struct bsim_ptx_group *other = &warp->group[best];
        if (group->n_cut > 0) {
            return g;
        }
        bool may = !group->is_waiting && !bsim_ptx_is_idle(warp->block, group);
        if (may && (best == warp->n_groups || group->n_slices < other->n_slices ||
                    (group->n_slices == other->n_slices && group->pc < other->pc))) {
            best = g;
        }
    }
    return best;
}

/* Clocks count the steps of the block, slice by slice, so that who waits for one goes on; what they
 * measure on a GPU is not known here. */
static void move_clocks(struct bsim_ptx_warp *warp)
{
    uint64_t now = warp->block->n_steps - warp->block->watch.start;
    for (uint32_t s = BSIM_PTX_FIRST_CLOCK; s <= BSIM_PTX_LAST_CLOCK; s++) {
        uint32_t place = warp->block->program->special[s];
        bool is_upper = s == BSIM_PTX_CLOCK_HI || s == BSIM_PTX_GLOBALTIMER_HI;
        if (place != 0) {
            bsim_ptx_fill(warp, place, bsim_ptx_special_bits(s), is_upper ? now >> 32 : now);
        }
    }
}

/* True if anything was executed. */
static bool run_warp(struct bsim_ptx_warp *warp)
{
    uint64_t start = warp->block->n_steps, most = turn_of(warp->block);
    bool has_run = false;
    while (warp->block->n_steps - start < most && warp->block->status == BSIM_OK) {
        uint32_t g = choose(warp);
        if (g == warp->n_groups) {
            break;
        }
        move_clocks(warp);
        run_group(warp, g);
        has_run = true;
    }
    return has_run;
}

static bool is_done(const struct bsim_ptx_block *block)
{
    for (uint32_t w = 0; w < block->n_warps; w++) {
        if (block->warp[w].n_groups > 0) {
            return false;
        }
    }
    return true;
}

/* A warp that has ended holds up no barrier, but the stream counts every warp's: those that came
 * behind its end are told for it. */
static void push_missing_barriers(struct bsim_ptx_block *block)
{
    uint32_t most = 0;
    for (uint32_t w = 0; w < block->n_warps; w++) {
        most = block->warp[w].n_barriers > most ? block->warp[w].n_barriers : most;
    }
    for (uint32_t w = 0; w < block->n_warps; w++) {
        struct bsim_ptx_warp *warp = &block->warp[w];
        for (; warp->n_barriers < most && block->status == BSIM_OK; warp->n_barriers++) {
            bsim_ptx_push_barrier(warp);
        }
    }
}

/* Blocks that run together are looked at together. */
static bool goes_on(struct bsim_ptx_block *block)
{
    return block->is_together || !bsim_ptx_goes_round(block);
}

/* Nobody has run: whether somebody can now. */
static bool is_let_go(struct bsim_ptx_block *block)
{
    if (bsim_ptx_release_complete(block)) {
        return true;
    }
    block->rests =
        bsim_ptx_has_idle(block) || (block->is_together && bsim_ptx_waits_for_cluster(block));
    if (block->rests && !block->is_together) {
        bsim_ptx_wake(&block, 1);
    }
    return block->rests || bsim_ptx_release_without(block);
}

bool bsim_ptx_run_round(struct bsim_ptx_block *block)
{
    bool has_run = false;
    block->rests = false;
    if (block->status != BSIM_OK || is_done(block)) {
        push_missing_barriers(block);
        return false;
    }
    for (uint32_t w = 0; w < block->n_warps && block->status == BSIM_OK; w++) {
        uint32_t next = block->is_last_first ? block->n_warps - 1 - w : w;
        has_run = run_warp(&block->warp[next]) || has_run;
    }
    if (block->most_steps != 0 && block->n_steps > block->most_steps) {
        (void)bsim_ptx_gives_up(block);
    }
    if (block->last_step != 0 && block->n_steps > block->last_step && block->view == NULL && block->status == BSIM_OK) {
        block->status = bsim_error_set(block->err, BSIM_E_USAGE, "more than %" PRIu64 " steps", block->last_step);
    }
    if (block->longest != 0 && block->n_steps - block->watch.start > block->longest && block->status == BSIM_OK &&
        !is_done(block)) {
        bsim_ptx_tell_long(block);
    }
    if (!(has_run ? goes_on(block) : is_let_go(block)) && block->status == BSIM_OK) {
        bsim_ptx_tell_stuck(block);
    }
    return true;
}

enum bsim_status bsim_ptx_run_block(struct bsim_ptx_block *block)
{
    bsim_ptx_watch_start(block);
    while (bsim_ptx_run_round(block)) {
    }
    return block->status;
}
