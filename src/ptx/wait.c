/* wait.c - lanes that wait: for a block's barrier, or for lanes of their warp.
 *
 *     bar.sync 0                           each thread of the block that is still there
 *     shfl.sync, vote.sync, bar.warp.sync  each lane that their mask names and that is still there
 *     wgmma.mma_async                      each of the four warps of a warpgroup
 *
 * When nobody can go on, what a GPU lets pass is let pass, and told: a barrier counts a warp of which
 * a part has come, and lanes that wait for some which are elsewhere go on without them. When that
 * helps nobody either, the launch ends with who waits where.
 */
#include "ptx/wait.h"

#include "base/bits.h"
#include "ptx/cluster.h"
#include "ptx/meet.h"
#include "ptx/push.h"

#include <inttypes.h>
#include <stdio.h>

static const struct bsim_ptx_step *waits_at(const struct bsim_ptx_warp *warp,
                                            const struct bsim_ptx_group *group)
{
    return &warp->block->program->step[group->pc - 1];
}

static bool is_at(const struct bsim_ptx_group *group, uint32_t barrier)
{
    return group->is_waiting && group->barrier == barrier;
}

static uint32_t waiting_lanes(const struct bsim_ptx_warp *warp, uint32_t barrier)
{
    uint32_t lanes = 0;
    for (uint32_t g = 0; g < warp->n_groups; g++) {
        lanes |= is_at(&warp->group[g], barrier) ? warp->group[g].mask : 0;
    }
    return lanes;
}

/* ---- a block's barriers ---------------------------------------------------------------------- */

/* bar is barrier.aligned: all lanes of a warp are to come at once. */
static bool is_aligned(const struct bsim_ptx_step *step)
{
    return bsim_ptx_is_a(step->from, "bar") || bsim_ptx_has(step->from, BSIM_PTX_ALIGNED);
}

/* A barrier of so many threads counts whole warps, also where lanes have ended or the block has none: PTX
 * adds the warp's size. These come with the warp's lowest lane.
 *
 *     bar.sync 1, 64;   in a block of 50 threads: warp 0 makes 32, warp 1 18 and the 14 that are not there
 */
static uint32_t count_coming(const struct bsim_ptx_warp *warp, uint32_t mask, uint32_t expected)
{
    bool brings_absent = expected != 0 && (mask >> bsim_bits_lowest(warp->alive) & 1) != 0;
    return bsim_bits_population(brings_absent ? mask | ~warp->alive : mask);
}

/* Threads that are at the barrier, all of a warp of which some are. */
static uint32_t count_whole_warps(const struct bsim_ptx_block *block, uint32_t number)
{
    const struct bsim_ptx_barrier *barrier = &block->barrier[number];
    uint32_t here = barrier->arrived;
    for (uint32_t w = 0; w < block->n_warps; w++) {
        const struct bsim_ptx_warp *warp = &block->warp[w];
        here += waiting_lanes(warp, number) != 0 ? count_coming(warp, warp->alive, barrier->expected) : 0;
    }
    return here;
}

uint32_t bsim_ptx_count_expected(const struct bsim_ptx_block *block, uint32_t number)
{
    const struct bsim_ptx_barrier *barrier = &block->barrier[number];
    return barrier->expected != 0 ? barrier->expected : barrier->arrived + block->n_alive;
}

static bool is_complete(const struct bsim_ptx_block *block, uint32_t number)
{
    const struct bsim_ptx_barrier *barrier = &block->barrier[number];
    return barrier->arrived + barrier->waiting >= bsim_ptx_count_expected(block, number);
}

/* What bar.red gives: of d, a, b, c or d, a, c the first. */
static void give_reduced(struct bsim_ptx_warp *warp, const struct bsim_ptx_group *group,
                         const struct bsim_ptx_barrier *barrier)
{
    const struct bsim_ptx_step *step = &warp->block->program->step[group->pc - 1];
    if (!bsim_ptx_has(step->from, BSIM_PTX_RED)) {
        return;
    }
    uint32_t place = step->argument[0].place[0];
    bool is_and = bsim_ptx_has(step->from, BSIM_PTX_AND);
    bool is_true = is_and ? barrier->n_true == barrier->n_all : barrier->n_true > 0;
    if (!bsim_ptx_has(step->from, BSIM_PTX_POPC)) {
        warp->file[place] = (warp->file[place] & ~group->mask) | (is_true ? group->mask : 0);
        return;
    }
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        if (group->mask >> l & 1) {
            bsim_ptx_at32(warp, place)[l].u = barrier->n_true;
        }
    }
}

/* Where lanes of a warp stand at an aligned barrier while others are elsewhere, or at another of its
 * instructions. */
static void check_whole(struct bsim_ptx_warp *warp, uint32_t number)
{
    uint32_t here = 0;
    const struct bsim_ptx_step *first = NULL;
    for (uint32_t g = 0; g < warp->n_groups; g++) {
        const struct bsim_ptx_group *group = &warp->group[g];
        if (is_at(group, number)) {
            first = first == NULL ? waits_at(warp, group) : first;
            here |= waits_at(warp, group) == first ? group->mask : 0;
        }
    }
    if (first != NULL && here != warp->alive && is_aligned(first)) {
        bsim_ptx_find_divergent(warp, first, here);
    }
}

/* Tells the stream, once for each warp that waits: of a barrier of the whole block at which all of it
 * waits, or of a meeting, to which some warps have come and gone on. */
static void tell(struct bsim_ptx_block *block, uint32_t number)
{
    struct bsim_ptx_barrier *barrier = &block->barrier[number];
    bool is_whole = (barrier->expected == 0 || barrier->expected >= block->n_threads) &&
                    barrier->meeting.n_arrivals == 0;
    for (int behind = 0; behind < 2; behind++) {
        for (uint32_t w = 0; w < block->n_warps && block->status == BSIM_OK; w++) {
            struct bsim_ptx_warp *warp = &block->warp[w];
            if (waiting_lanes(warp, number) == 0) {
                continue;
            }
            if (!is_whole && !behind) {
                bsim_ptx_meet_arrive(warp, &barrier->meeting);
            } else if (!is_whole) {
                bsim_ptx_meet_await(warp, &barrier->meeting);
            } else if (behind) {
                bsim_ptx_push_barrier(warp);
                warp->n_barriers++;
            }
        }
    }
}

/* All go on. */
static void release(struct bsim_ptx_block *block, uint32_t number)
{
    struct bsim_ptx_barrier *barrier = &block->barrier[number];
    tell(block, number);
    bsim_ptx_find_all_written(block);
    for (uint32_t w = 0; w < block->n_warps; w++) {
        struct bsim_ptx_warp *warp = &block->warp[w];
        check_whole(warp, number);
        for (uint32_t g = 0; g < warp->n_groups; g++) {
            struct bsim_ptx_group *group = &warp->group[g];
            if (group->is_waiting && group->barrier == number) {
                group->is_waiting = false;
                give_reduced(warp, group, barrier);
            }
        }
    }
    *barrier = (struct bsim_ptx_barrier){0};
}

static uint32_t argument_value(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                               uint32_t i, uint32_t lane)
{
    bool is_there = i < step->from->n_operands && step->argument[i].n > 0;
    return is_there ? bsim_ptx_at32(warp, step->argument[i].place[0])[lane].u : 0;
}

static void count_predicate(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                            uint32_t mask, struct bsim_ptx_barrier *barrier)
{
    const struct bsim_ptx_argument *c = &step->argument[step->from->n_operands - 1];
    uint32_t yes = warp->file[c->place[0]] ^ (c->is_negated ? UINT32_MAX : 0);
    barrier->n_true += bsim_bits_population(yes & mask);
    barrier->n_all += bsim_bits_population(mask);
}

/* The lowest lane whose operand i is another than that of `lane`, or BSIM_WARP_LANES. */
static uint32_t find_other(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                           uint32_t i, uint32_t mask, uint32_t lane)
{
    uint32_t l = lane;
    while (l < BSIM_WARP_LANES &&
           (!(mask >> l & 1) || argument_value(warp, step, i, l) == argument_value(warp, step, i, lane))) {
        l++;
    }
    return l;
}

/* What PTX asks of a barrier's operands, of which the number is the `at`th; false after a fault. */
static bool check_operands(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t at,
                           bool has_count, uint32_t mask)
{
    uint32_t lane = bsim_bits_lowest(mask), number = argument_value(warp, step, at, lane);
    uint32_t count = has_count ? argument_value(warp, step, at + 1, lane) : 0;
    bool is_arrival = bsim_ptx_has(step->from, BSIM_PTX_ARRIVE);
    uint32_t other = BSIM_WARP_LANES;
    for (uint32_t i = at; i < at + 1 + has_count && other == BSIM_WARP_LANES; i++) {
        bool may_part = step->from->operand[i].kind == BSIM_PTX_REGISTER;
        other = may_part ? find_other(warp, step, i, mask, lane) : other;
    }
    if (number >= BSIM_PTX_BARRIERS) {
        bsim_ptx_fault_as(warp, step, lane, BSIM_PTX_ILLEGAL,
                          "barrier %" PRIu32 ": there are 0 to %d", number, BSIM_PTX_BARRIERS - 1);
    } else if (other < BSIM_WARP_LANES) {
        bsim_ptx_fault_as(warp, step, other, BSIM_PTX_ILLEGAL,
                          "comes to barrier %" PRIu32 " of %" PRIu32 " threads, lane %" PRIu32
                          " of its warp at the same time to barrier %" PRIu32 " of %" PRIu32,
                          argument_value(warp, step, at, other),
                          has_count ? argument_value(warp, step, at + 1, other) : 0, lane, number,
                          count);
    } else if (count % BSIM_WARP_LANES != 0 || (is_arrival && count == 0)) {
        bsim_ptx_fault_as(warp, step, lane, BSIM_PTX_ILLEGAL,
                          "barrier %" PRIu32 " of %" PRIu32
                          " threads: PTX asks for a multiple of %d%s",
                          number, count, BSIM_WARP_LANES, is_arrival ? " above 0" : "");
    }
    return warp->block->status == BSIM_OK;
}

void bsim_ptx_wait_at(struct bsim_ptx_warp *warp, uint32_t g, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    struct bsim_ptx_group *group = &warp->group[g];
    uint32_t lane = bsim_bits_lowest(group->mask);
    bool is_reduced = bsim_ptx_has(from, BSIM_PTX_RED);
    bool has_count = from->n_operands > (is_reduced ? 3u : 1u);
    if (!check_operands(warp, step, is_reduced ? 1 : 0, has_count, group->mask)) {
        return;
    }
    uint32_t number = argument_value(warp, step, is_reduced ? 1 : 0, lane);
    uint32_t count = has_count ? argument_value(warp, step, is_reduced ? 2 : 1, lane) : 0;
    struct bsim_ptx_barrier *barrier = &warp->block->barrier[number];
    if (count != 0 && barrier->expected != 0 && barrier->expected != count) {
        bsim_ptx_fault_as(warp, step, lane, BSIM_PTX_ILLEGAL,
                          "barrier %" PRIu32 " of %" PRIu32
                          " threads, to which others have come as one of %" PRIu32,
                          number, count, barrier->expected);
        return;
    }
    barrier->expected = count;
    if (is_reduced) {
        count_predicate(warp, step, group->mask, barrier);
    }
    if (bsim_ptx_has(from, BSIM_PTX_ARRIVE)) {
        barrier->arrived += count_coming(warp, group->mask, count);
        bsim_ptx_meet_arrive(warp, &barrier->meeting);
    } else {
        group->is_waiting = true;
        group->barrier = number;
        barrier->waiting += count_coming(warp, group->mask, count);
    }
    group->pc++;
    if (is_complete(warp->block, number)) {
        release(warp->block, number);
    }
}

/* ---- lanes of a warp ------------------------------------------------------------------------- */

/* The lanes that the step's mask names in one of these; false after a fault: a lane must name itself. */
static bool find_members(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         uint32_t lanes, uint32_t *members)
{
    const union bsim_w32 *named = bsim_ptx_at32(warp, step->e);
    uint32_t strangers = 0;
    *members = 0;
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        uint32_t is_on = lanes >> l & 1;
        *members |= is_on ? named[l].u : 0;
        strangers |= (is_on & ~(named[l].u >> l)) << l;
    }
    if (strangers != 0) {
        uint32_t lane = bsim_bits_lowest(strangers);
        bsim_ptx_fault_as(warp, step, lane, BSIM_PTX_ILLEGAL,
                          "its mask, 0x%08" PRIx32 ", does not name lane %" PRIu32
                          ", which executes it: an illegal instruction on a GPU",
                          named[lane].u, lane);
    }
    return strangers == 0;
}

/* They go on, as one. */
static void let_lanes_go(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                         uint32_t lanes)
{
    for (uint32_t g = 0; g < warp->n_groups; g++) {
        struct bsim_ptx_group *group = &warp->group[g];
        bool goes = is_at(group, BSIM_PTX_WARP_BARRIER) && (group->mask & lanes) != 0;
        group->is_waiting = group->is_waiting && !goes;
    }
    warp->mask = lanes;
    step->run(warp, step);
}

/* bar.warp.sync is one event for all lanes that wait, whichever of its instructions they are at. */
static bool go_together(const struct bsim_ptx_step *a, const struct bsim_ptx_step *b)
{
    return a == b || (a->run == bsim_ptx_run_warp_sync && b->run == bsim_ptx_run_warp_sync);
}

/* Lanes at the step of which nobody waits for one that is not here. */
static uint32_t lanes_that_go(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                              uint32_t here)
{
    uint32_t lanes = 0;
    for (uint32_t g = 0; g < warp->n_groups; g++) {
        const struct bsim_ptx_group *group = &warp->group[g];
        bool goes = is_at(group, BSIM_PTX_WARP_BARRIER) &&
                    go_together(waits_at(warp, group), step) &&
                    (group->members & warp->alive & ~here) == 0;
        lanes |= goes ? group->mask : 0;
    }
    return lanes;
}

/* Lets all go on whose members are there; true if there are any. */
static bool release_lanes(struct bsim_ptx_warp *warp)
{
    uint32_t here = waiting_lanes(warp, BSIM_PTX_WARP_BARRIER);
    bool any = false;
    for (uint32_t g = 0; g < warp->n_groups && here != 0; g++) {
        const struct bsim_ptx_group *group = &warp->group[g];
        const struct bsim_ptx_step *step = waits_at(warp, group);
        uint32_t lanes = is_at(group, BSIM_PTX_WARP_BARRIER) ? lanes_that_go(warp, step, here) : 0;
        if ((lanes & group->mask) != 0) {
            let_lanes_go(warp, step, lanes);
            any = true;
        }
    }
    return any;
}

bool bsim_ptx_wait_for_lanes(struct bsim_ptx_warp *warp, uint32_t g,
                             const struct bsim_ptx_step *step, uint32_t lanes)
{
    struct bsim_ptx_group *group = &warp->group[g];
    uint32_t members;
    if (!find_members(warp, step, lanes, &members)) {
        return false;
    }
    group->pc++;
    /* who is held off by a predicate has come as well */
    if ((members & warp->alive & ~group->mask) == 0 || lanes != group->mask) {
        warp->mask = lanes;
        step->run(warp, step);
        return true;
    }
    group->is_waiting = true;
    group->barrier = BSIM_PTX_WARP_BARRIER;
    group->members = members;
    release_lanes(warp);
    return false;
}

/* ---- four warps ------------------------------------------------------------------------------ */

enum { WARPS = 4 };

/* The group of the warp that waits for the other three, or NULL. */
static struct bsim_ptx_group *find_waiting(struct bsim_ptx_warp *warp)
{
    struct bsim_ptx_group *found = NULL;
    for (uint32_t g = 0; g < warp->n_groups; g++) {
        found = is_at(&warp->group[g], BSIM_PTX_WARPS_BARRIER) ? &warp->group[g] : found;
    }
    return found;
}

/* Whether all four have come to the step; one that is at another ends the launch. */
static bool have_come(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    struct bsim_ptx_warp *first = warp - warp->number % WARPS;
    bool all = true;
    for (uint32_t w = 0; w < WARPS; w++) {
        const struct bsim_ptx_group *group = find_waiting(&first[w]);
        const struct bsim_ptx_step *other = group != NULL ? waits_at(&first[w], group) : step;
        if (other != step && warp->block->status == BSIM_OK) {
            uint32_t line;
            (void)bsim_ptx_source(warp->block->program->module, other->from, &line);
            bsim_ptx_fault_as(warp, step, BSIM_WARP_LANES, BSIM_PTX_ILLEGAL,
                              "warp %" PRIu32 " of its four is at another %s, at line %" PRIu32
                              ": all four execute one together",
                              first[w].number, other->from->mnemonic, line);
        }
        all = all && group != NULL;
    }
    return all && warp->block->status == BSIM_OK;
}

void bsim_ptx_wait_for_warps(struct bsim_ptx_warp *warp, uint32_t g,
                             const struct bsim_ptx_step *step, uint32_t lanes)
{
    struct bsim_ptx_block *block = warp->block;
    struct bsim_ptx_warp *first = warp - warp->number % WARPS;
    struct bsim_ptx_group *group = &warp->group[g];
    if (lanes != BSIM_FULL_MASK || block->n_warps < first->number + WARPS) {
        bsim_ptx_fault_as(warp, step, BSIM_WARP_LANES, BSIM_PTX_ILLEGAL,
                          lanes != BSIM_FULL_MASK
                              ? "%s needs all 32 lanes of a warp"
                              : "%s is executed by four warps, of which the block has not all",
                          step->from->mnemonic);
        return;
    }
    group->pc++;
    group->is_waiting = true;
    group->barrier = BSIM_PTX_WARPS_BARRIER;
    if (!have_come(warp, step)) {
        return;
    }
    for (uint32_t w = 0; w < WARPS; w++) {
        find_waiting(&first[w])->is_waiting = false;
        first[w].mask = BSIM_FULL_MASK;
        if (block->status == BSIM_OK) {
            step->run(&first[w], step);
        }
    }
}

/* ---- when nobody goes on --------------------------------------------------------------------- */

/* Lanes that wait for others which wait elsewhere go on without them, those of one instruction. */
static bool release_without(struct bsim_ptx_warp *warp)
{
    uint32_t here = waiting_lanes(warp, BSIM_PTX_WARP_BARRIER);
    for (uint32_t g = 0; g < warp->n_groups && here != 0; g++) {
        const struct bsim_ptx_group *group = &warp->group[g];
        if (is_at(group, BSIM_PTX_WARP_BARRIER)) {
            const struct bsim_ptx_step *step = waits_at(warp, group);
            bsim_ptx_find_absent(warp, step, group->mask, group->members & warp->alive & ~here);
            let_lanes_go(warp, step, group->mask);
            return true;
        }
    }
    return false;
}

/* The first barrier that lets its threads go; whole_warps: a warp counts of which a part is there. */
static bool release_barrier(struct bsim_ptx_block *block, bool whole_warps)
{
    for (uint32_t b = 0; b < BSIM_PTX_BARRIERS; b++) {
        bool is_all = whole_warps ? count_whole_warps(block, b) >= bsim_ptx_count_expected(block, b)
                                  : is_complete(block, b);
        if (block->barrier[b].waiting > 0 && is_all) {
            release(block, b);
            return true;
        }
    }
    return false;
}

static bool release_warps(struct bsim_ptx_block *block, bool (*release_one)(struct bsim_ptx_warp *))
{
    bool any = false;
    for (uint32_t w = 0; w < block->n_warps; w++) {
        any = release_one(&block->warp[w]) || any;
    }
    return any;
}

/* Barriers may be complete because threads have left since. */
bool bsim_ptx_release_complete(struct bsim_ptx_block *block)
{
    return release_warps(block, release_lanes) || release_barrier(block, false) ||
           bsim_ptx_cluster_release(block);
}

bool bsim_ptx_release_without(struct bsim_ptx_block *block)
{
    return release_warps(block, release_without) || release_barrier(block, true);
}
