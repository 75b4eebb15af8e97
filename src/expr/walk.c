/* walk.c - plays a check's steps: warp after warp, each with its 32 lanes at once.
 *
 * A warp's threads are those that CUDA numbers x + y * blockDim.x + z * blockDim.x * blockDim.y
 * from 32 * warp on; the last warp may have fewer than 32. A mask says which lanes a step is for;
 * an if divides it, a loop of C goes on while its condition holds in some lane:
 *
 *     for (int s = threadIdx.x; s < 40; s += 32) { load a[s] }     ffffffff, then 000000ff
 *
 * A warp in which no lane comes to an access makes no request.
 */
#include "expr/check.h"
#include "expr/endless.h"
#include "expr/proxy.h"
#include "expr/shuffle.h"
#include "expr/walk.h"

#include "base/bits.h"
#include "base/memory.h"
#include "layout/place.h"

#include <banksim/model.h>

#include <inttypes.h>
#include <string.h>

/* Of a loop that makes no request. */
enum { MOST_IDLE_STEPS = BSIM_CHECK_MAX_REQUESTS / 4, FEW_SYNCS = 1024 };

static enum bsim_status play(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask);

/* ---- one access ------------------------------------------------------------------------------ */

static enum bsim_status too_many(const struct bsim_walk *walk, const struct bsim_access *access)
{
    return bsim_cu_error(access->node->source, access->node->at, walk->eval.err,
                         "the loops make more than %d requests: shorten one, or look at one "
                         "warp",
                         BSIM_CHECK_MAX_REQUESTS);
}

/* Whether somebody waits for its result. */
static bool has_result(const struct bsim_opcode *opcode)
{
    return opcode->family == BSIM_LD || opcode->family == BSIM_ATOM || opcode->family == BSIM_LDMATRIX;
}

static enum bsim_status tell(struct bsim_walk *walk, const struct bsim_check_request *request)
{
    const struct bsim_visitor *visitor = walk->visitor;
    bool is_shared = request->opcode.space == BSIM_SHARED;
    enum bsim_status status =
        bsim_walk_own(walk, BSIM_MEET_OWN, has_result(&request->opcode) ? request->times : 0);
    if (status == BSIM_OK && walk->flight.check != NULL) {
        status = bsim_flight_request(&walk->flight, request, walk->n_syncs, walk->eval.err);
    }
    if (status != BSIM_OK || walk->is_noting) {
        const struct bsim_access *access = &walk->check->access[request->access];
        return status == BSIM_OK && is_shared && walk->meet != NULL
                   ? bsim_meet_note_touch(walk->meet, request->warp, request, access, walk->eval.err)
                   : status;
    }
    enum bsim_status (*visit)(void *, const struct bsim_check_request *, struct bsim_error *) =
        is_shared ? visitor->request : visitor->other;
    return visit != NULL ? visit(visitor->context, request, walk->eval.err) : BSIM_OK;
}

/* The next part of an access follows right behind the one at hand, as the indices count. */
static enum bsim_status next_part(struct bsim_walk *walk, const struct bsim_access *access)
{
    struct bsim_check_request *request = &walk->request;
    uint32_t bytes = access->shown.opcode.bytes;
    enum bsim_status status = BSIM_OK;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && status == BSIM_OK; lane++) {
        if ((request->lanes >> lane & 1) != 0) {
            request->offset[lane] += bytes;
            status = bsim_walk_locate(walk, access, lane, bytes);
        }
    }
    return status;
}

static enum bsim_status visit_parts(struct bsim_walk *walk, const struct bsim_access *access)
{
    struct bsim_check_request *request = &walk->request;
    enum bsim_status status = BSIM_OK;
    for (uint32_t part = 0; part < access->shown.parts && status == BSIM_OK; part++) {
        request->part = part;
        walk->n_steps = 0;
        if (++walk->n_requests > BSIM_CHECK_MAX_REQUESTS) {
            return too_many(walk, access);
        }
        status = part > 0 ? next_part(walk, access) : BSIM_OK;
        if (status == BSIM_OK) {
            status = tell(walk, request);
        }
    }
    return status;
}

/* All lanes of a warp execute a matrix form, also those that give no address. */
static enum bsim_status check_mask(const struct bsim_walk *walk, const struct bsim_access *access,
                                   uint32_t mask)
{
    if (!bsim_opcode_is_matrix(&access->shown.opcode) || mask == BSIM_FULL_MASK) {
        return BSIM_OK;
    }
    uint32_t lane = bsim_bits_lowest(~mask);
    if ((walk->present >> lane & 1) == 0) {
        return bsim_cu_error(access->node->source, access->node->at, walk->eval.err,
                             "%s is executed by all 32 lanes of a warp, and warp %" PRIu32
                             " has %" PRIu32 " thread%s",
                             access->shown.op, walk->request.warp, lane, lane == 1 ? "" : "s");
    }
    return bsim_eval_fault(&walk->eval, access->node, lane,
                           "%s is executed by all 32 lanes of a warp or none, and an if leaves out "
                           "lane %" PRIu32,
                           access->shown.op, lane);
}

/* The loops' values, in the first active lane. */
static void note_loops(struct bsim_walk *walk, uint32_t mask)
{
    uint32_t lane = bsim_bits_lowest(mask);
    for (size_t i = 0; i < walk->eval.n_loops; i++) {
        const struct bsim_variable *variable = &walk->eval.variable[walk->running[i].variable];
        walk->loop[i] = (int64_t)variable->lanes.value[lane];
    }
}

/* Where a copy's lanes are from, looked at as what they access. */
static enum bsim_status find_from(struct bsim_walk *walk, const struct bsim_access *access,
                                  uint32_t lanes)
{
    struct bsim_check_request *request = &walk->request;
    struct bsim_access from = *access;
    struct bsim_lanes address;
    from.node = access->from;
    from.shown.opcode.space = BSIM_GLOBAL;
    enum bsim_status status = bsim_eval(&walk->eval, from.node, lanes, &address);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && status == BSIM_OK; lane++) {
        request->from[lane] = 0;
        if ((lanes >> lane & 1) != 0) {
            status = bsim_walk_lane(walk, &from, lane, address.array[lane], address.value[lane]);
            request->from[lane] =
                walk->check->array[request->array[lane]].begin + request->offset[lane];
        }
    }
    return status;
}

static enum bsim_status play_access(struct bsim_walk *walk, size_t index, uint32_t mask)
{
    const struct bsim_access *access = &walk->check->access[index];
    struct bsim_check_request *request = &walk->request;
    struct bsim_lanes address;
    enum bsim_status status = check_mask(walk, access, mask);
    request->has_from = access->from != NULL;
    if (status == BSIM_OK && request->has_from) {
        status = find_from(walk, access, mask);
    }
    memset(request->array, 0, sizeof request->array);
    memset(request->offset, 0, sizeof request->offset);
    memset(request->address, 0, sizeof request->address);
    request->access = index;
    request->opcode = access->shown.opcode;
    request->mask = mask;
    request->lanes = bsim_opcode_lanes(&request->opcode, mask);
    note_loops(walk, mask);
    if (status == BSIM_OK) {
        walk->eval.leaves_row = false;
        status = bsim_eval(&walk->eval, access->node, request->lanes, &address);
        request->leaves_row = walk->eval.leaves_row;
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && status == BSIM_OK; lane++) {
        if ((request->lanes >> lane & 1) != 0) {
            status = bsim_walk_lane(walk, access, lane, address.array[lane], address.value[lane]);
        }
    }
    return status == BSIM_OK ? visit_parts(walk, access) : status;
}

/* ---- loops and ifs --------------------------------------------------------------------------- */

static void enter_loop(struct bsim_walk *walk, const struct bsim_step *step)
{
    if (step->loop != BSIM_NO_LOOP) {
        const struct bsim_loop *loop = &walk->check->loop[step->loop];
        walk->running[walk->eval.n_loops++] =
            (struct bsim_running_loop){loop->name, loop->variable};
    }
}

static void leave_loop(struct bsim_walk *walk, const struct bsim_step *step)
{
    walk->eval.n_loops -= step->loop != BSIM_NO_LOOP;
}

/* Each turn has its own values of the indices that are drawn. A loop's condition belongs to the
 * turn that it decides about: `while (h < n) load s[h]` loads what it has looked at. */
static void begin_turn(struct bsim_walk *walk)
{
    if (walk->check->n_drawn > 0) {
        walk->n_turns++;
        walk->eval.seed = bsim_index_seed(walk->visitor->draw, walk->check->block, walk->n_turns);
    }
}

static enum bsim_status play_turn(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask)
{
    if (++walk->n_steps > MOST_IDLE_STEPS) {
        return bsim_cu_error(step->source, step->at, walk->eval.err,
                             "%d steps went by without an access: does this loop end?",
                             MOST_IDLE_STEPS);
    }
    return play(walk, step->body, mask);
}

static enum bsim_status play_range(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask)
{
    const struct bsim_range *range = &step->range;
    enum bsim_status status = BSIM_OK;
    for (uint64_t turn = 0; turn < range->n && status == BSIM_OK; turn++) {
        int64_t value =
            range->value != NULL ? range->value[turn] : range->start + (int64_t)turn * range->step;
        bsim_eval_fill(&walk->eval, step->variable, (uint64_t)value, mask);
        begin_turn(walk);
        status = play_turn(walk, step, mask & ~walk->returned);
    }
    return status;
}

/* Whether it goes on for ever. What is drawn may yet end it. */
static enum bsim_status check_end(const struct bsim_walk *walk, const struct bsim_step *step,
                                  uint32_t mask, struct bsim_endless *endless)
{
    uint64_t period =
        walk->check->n_drawn > 0
            ? 0
            : bsim_endless_turn(endless, mask, walk->eval.variable, walk->check->n_variables);
    return period == 0   ? BSIM_OK
           : period == 1 ? bsim_cu_error(step->source, step->at, walk->eval.err,
                                         "this loop never ends: no variable changes in a turn")
                         : bsim_cu_error(step->source, step->at, walk->eval.err,
                                         "this loop never ends: after %" PRIu64
                                         " turns all variables are what they were",
                                         period);
}

static enum bsim_status play_loop(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask)
{
    struct bsim_endless endless = {.n_turns = 0};
    enum bsim_status status = BSIM_OK;
    while (status == BSIM_OK) {
        mask &= ~walk->returned;
        begin_turn(walk);
        status = mask != 0 ? bsim_eval_truth(&walk->eval, step->node, mask, &mask) : BSIM_OK;
        if (status != BSIM_OK || mask == 0) {
            break;
        }
        status = check_end(walk, step, mask, &endless);
        if (status == BSIM_OK) {
            status = play_turn(walk, step, mask);
        }
        if (status == BSIM_OK) {
            status = play(walk, step->other, mask);
        }
    }
    bsim_endless_free(&endless);
    return status;
}

/* 0: the end of what stands for several turns. */
static enum bsim_status tell_repeat(struct bsim_walk *walk, uint32_t times)
{
    const struct bsim_visitor *visitor = walk->visitor;
    enum bsim_status status = times > 0 ? bsim_walk_own(walk, BSIM_MEET_OWN, 0) : BSIM_OK;
    if (status != BSIM_OK || walk->is_noting) {
        return status;
    }
    return visitor->repeat != NULL ? visitor->repeat(visitor->context, times, walk->eval.err)
                                   : BSIM_OK;
}

/* Its turns are all alike: one is played. */
static enum bsim_status play_times(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask)
{
    uint64_t outer = walk->request.times;
    enum bsim_status status = tell_repeat(walk, step->times);
    walk->request.times *= step->times;
    if (status == BSIM_OK) {
        status = play(walk, step->body, mask);
    }
    walk->request.times = outer;
    return status == BSIM_OK ? tell_repeat(walk, 0) : status;
}

static enum bsim_status play_if(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask)
{
    uint32_t yes = 0;
    enum bsim_status status = bsim_eval_truth(&walk->eval, step->node, mask, &yes);
    if (status == BSIM_OK) {
        status = play(walk, step->body, yes);
    }
    return status == BSIM_OK ? play(walk, step->other, mask & ~yes) : status;
}

/* ---- barriers and fences --------------------------------------------------------------------- */

static enum bsim_status tell_site(struct bsim_walk *walk, size_t site, uint32_t warp,
                                  struct bsim_event *event)
{
    const struct bsim_visitor *visitor = walk->visitor;
    bool is_sync = event->opcode.family == BSIM_BAR;
    walk->request.warp = warp;
    enum bsim_status status = bsim_walk_own(walk, is_sync ? BSIM_MEET_SYNC : BSIM_MEET_OWN, 0);
    if (status != BSIM_OK || walk->is_noting) {
        return status;
    }
    event->warp = warp;
    return visitor->event != NULL ? visitor->event(visitor->context, site, event, walk->eval.err)
                                  : BSIM_OK;
}

static enum bsim_status tell_event(struct bsim_walk *walk, uint32_t warp, struct bsim_event *event)
{
    return tell_site(walk, BSIM_NO_SITE, warp, event);
}

/* One warp alone waits for none. */
static enum bsim_status tell_sync(struct bsim_walk *walk, uint32_t warp)
{
    struct bsim_event event;
    bsim_event_init(&event, &(struct bsim_opcode){.family = BSIM_BAR});
    return walk->check->warp == BSIM_ALL_WARPS ? tell_event(walk, warp, &event) : BSIM_OK;
}

/* Threads that have returned are not waited for. */
static enum bsim_status play_sync(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask)
{
    uint32_t missing = walk->present & ~walk->returned & ~mask;
    if (missing != 0) {
        struct bsim_dim3 thread = walk->eval.thread[bsim_bits_lowest(missing)];
        return bsim_cu_error(step->source, step->at, walk->eval.err,
                             "thread (%" PRIu32 ",%" PRIu32 ",%" PRIu32
                             ") does not reach this barrier, and others of its warp do: all "
                             "threads that have not returned must",
                             thread.x, thread.y, thread.z);
    }
    walk->n_syncs += walk->request.times;
    walk->barrier = step;
    return tell_sync(walk, walk->request.warp);
}

/* Who is named and does not come would let the others wait, unless it has returned. */
static enum bsim_status check_named(const struct bsim_walk *walk, const struct bsim_step *step,
                                    uint32_t lanes, uint32_t mask, const char *what)
{
    uint32_t missing = lanes & walk->present & ~walk->returned & ~mask;
    struct bsim_dim3 thread = walk->eval.thread[missing != 0 ? bsim_bits_lowest(missing) : 0];
    return missing == 0 ? BSIM_OK
                        : bsim_cu_error(step->source, step->at, walk->eval.err,
                                        "thread (%" PRIu32 ",%" PRIu32 ",%" PRIu32
                                        ") does not reach this %s, which names its lane",
                                        thread.x, thread.y, thread.z, what);
}

static enum bsim_status play_syncwarp(struct bsim_walk *walk, const struct bsim_step *step,
                                      uint32_t mask)
{
    uint32_t lanes = step->lanes != 0 ? step->lanes : mask;
    enum bsim_status status = check_named(walk, step, lanes, mask, "__syncwarp");
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_event event;
    bsim_event_init(&event, &(struct bsim_opcode){.family = BSIM_WARP_SYNC});
    event.mask = lanes;
    return tell_event(walk, walk->request.warp, &event);
}

/* The end of a group of copies, or the wait for some. */
static enum bsim_status play_copy_group(struct bsim_walk *walk, const struct bsim_step *step)
{
    bool commits = step->kind == BSIM_STEP_COPIES_COMMIT;
    struct bsim_event event;
    bsim_event_init(&event, &(struct bsim_opcode){.family = commits ? BSIM_COPIES_COMMIT : BSIM_COPIES_WAIT});
    event.groups = step->times;
    if (walk->flight.check != NULL && commits) {
        bsim_flight_commit(&walk->flight);
    } else if (walk->flight.check != NULL) {
        bsim_flight_wait(&walk->flight, step->times, walk->n_syncs);
    }
    return tell_event(walk, walk->request.warp, &event);
}

/* Each lane's mask names itself, and nobody who does not come. */
static enum bsim_status check_mask_of(struct bsim_walk *walk, const struct bsim_step *step,
                                      const struct bsim_shuffle *shuffle, uint32_t mask)
{
    struct bsim_lanes named;
    enum bsim_status status =
        shuffle->mask != NULL ? bsim_eval(&walk->eval, shuffle->mask, mask, &named) : BSIM_OK;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && shuffle->mask != NULL && status == BSIM_OK;
         lane++) {
        if ((mask >> lane & 1) != 0) {
            status = (named.value[lane] >> lane & 1) == 0
                         ? bsim_eval_fault(&walk->eval, shuffle->mask, lane,
                                           "lane %" PRIu32
                                           " comes to this shuffle, whose mask does not name it",
                                           lane)
                         : check_named(walk, step, (uint32_t)named.value[lane], mask, "shuffle");
        }
    }
    return status;
}

/* Each lane gets the value of another. That of a lane which does not take part is undefined, as
 * CUDA has it: a fault where it is used. */
static enum bsim_status exchange(struct bsim_eval *eval, const struct bsim_shuffle *shuffle,
                                 uint32_t mask)
{
    struct bsim_lanes by;
    if (shuffle->value == NULL) {
        return BSIM_OK;
    }
    enum bsim_status status = bsim_eval(eval, shuffle->by, mask, &by);
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_variable *variable = &eval->variable[shuffle->variable];
    bsim_eval_set(eval, shuffle->variable, shuffle->value, mask);
    struct bsim_variable given = *variable;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((mask >> lane & 1) == 0) {
            continue;
        }
        uint32_t from = bsim_shuffle_source((enum bsim_operation)shuffle->shown.opcode.operation,
                                            lane, (uint32_t)by.value[lane], shuffle->width);
        bool comes = ((given.known & mask) >> from & 1) != 0;
        variable->lanes.value[lane] = given.lanes.value[from];
        variable->known = (variable->known & ~(UINT32_C(1) << lane)) | (uint32_t)comes << lane;
        if ((mask >> from & 1) == 0) {
            variable->last = shuffle->nobody;
        }
    }
    return BSIM_OK;
}

static enum bsim_status play_shuffle(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask)
{
    const struct bsim_shuffle *shuffle = walk->check->shuffle[step->shuffle];
    enum bsim_status status = check_mask_of(walk, step, shuffle, mask);
    if (status == BSIM_OK) {
        status = exchange(&walk->eval, shuffle, mask);
    }
    struct bsim_event event;
    bsim_event_init(&event, &shuffle->shown.opcode);
    event.mask = mask;
    for (uint32_t part = 0; part < shuffle->shown.parts && status == BSIM_OK; part++) {
        status =
            tell_site(walk, walk->check->n_accesses + step->shuffle, walk->request.warp, &event);
    }
    return status;
}

static enum bsim_status play_fence(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask)
{
    struct bsim_event event;
    bsim_event_init(&event, &(struct bsim_opcode){.family = BSIM_FENCE,
                                                  .operation = step->is_proxy ? BSIM_PROXY_ASYNC : BSIM_MEMBAR,
                                                  .scope = (uint8_t)step->scope});
    event.mask = mask;
    enum bsim_status status = tell_event(walk, walk->request.warp, &event);
    bool is_noted = step->is_proxy && step->scope != BSIM_VIEW_GLOBAL && walk->meet != NULL && walk->is_noting;
    return status == BSIM_OK && is_noted ? bsim_meet_note_fence(walk->meet, walk->request.warp, walk->eval.err) : status;
}

static enum bsim_status play_work(struct bsim_walk *walk, const struct bsim_step *step)
{
    struct bsim_event event;
    bsim_event_init(
        &event, &(struct bsim_opcode){.family = BSIM_WORK, .operation = (uint8_t)step->work_class});
    event.work_count = step->work_count;
    event.work_cycles = step->work_cycles;
    return tell_event(walk, walk->request.warp, &event);
}

/* Barriers of a warp that is done, one by one unless `times` made them many. */
static enum bsim_status tell_syncs(struct bsim_walk *walk, uint32_t warp, uint64_t n)
{
    enum bsim_status status = BSIM_OK;
    for (uint64_t left = n; left > 0 && status == BSIM_OK;) {
        uint32_t turns = left <= FEW_SYNCS ? 1 : left > UINT32_MAX ? UINT32_MAX : (uint32_t)left;
        status = turns > 1 ? tell_repeat(walk, turns) : BSIM_OK;
        status = status == BSIM_OK ? tell_sync(walk, warp) : status;
        status = status == BSIM_OK && turns > 1 ? tell_repeat(walk, 0) : status;
        left -= turns;
    }
    return status;
}

/* The most barriers that warps with threads left came to; of warps without, if there are no
 * others. */
static uint64_t most_syncs(const struct bsim_walk *walk, uint32_t n, uint32_t *warp)
{
    uint64_t most[2] = {0};
    uint32_t who[2] = {n, n};
    for (uint32_t i = 0; i < n; i++) {
        const struct arrivals *its = &walk->arrivals[i];
        if (who[its->is_gone] == n || its->n > most[its->is_gone]) {
            most[its->is_gone] = its->n;
            who[its->is_gone] = i;
        }
    }
    *warp = who[0] < n ? who[0] : who[1];
    return who[0] < n ? most[0] : most[1];
}

/* Warps that go past barriers apart would wait for each other. One whose threads have all returned
 * is not waited for: the barriers that it does not come to count as reached. */
static enum bsim_status check_syncs(struct bsim_walk *walk, uint32_t n)
{
    uint32_t first;
    uint64_t most = most_syncs(walk, n, &first);
    enum bsim_status status = BSIM_OK;
    for (uint32_t warp = 0; warp < n && status == BSIM_OK; warp++) {
        const struct arrivals *its = &walk->arrivals[warp];
        if (its->n > most || (its->n < most && !its->is_gone)) {
            return bsim_cu_error(walk->barrier->source, walk->barrier->at, walk->eval.err,
                                 "warp %" PRIu32 " reaches %" PRIu64 " barriers, and warp %" PRIu32
                                 " %" PRIu64
                                 ": each needs all threads of the block that have not returned",
                                 warp, its->n, first, most);
        }
        status = its->n < most ? tell_syncs(walk, warp, most - its->n) : BSIM_OK;
    }
    return status;
}

/* ---- one warp -------------------------------------------------------------------------------- */

/* Behind a loop, indices have the values again that they had before it. */
static enum bsim_status play_turns(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask)
{
    uint64_t outer = walk->eval.seed;
    enter_loop(walk, step);
    enum bsim_status status =
        step->kind == BSIM_STEP_RANGE ? play_range(walk, step, mask) : play_loop(walk, step, mask);
    leave_loop(walk, step);
    walk->eval.seed = outer;
    return status;
}

static enum bsim_status play_one(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask)
{
    switch (step->kind) {
    case BSIM_STEP_ACCESS:
        return play_access(walk, step->access, mask);
    case BSIM_STEP_SET:
        bsim_eval_set(&walk->eval, step->variable, step->node, mask);
        return BSIM_OK;
    case BSIM_STEP_IF:
        return play_if(walk, step, mask);
    case BSIM_STEP_RANGE:
    case BSIM_STEP_LOOP:
        return play_turns(walk, step, mask);
    case BSIM_STEP_TIMES:
        return play_times(walk, step, mask);
    case BSIM_STEP_RETURN:
        walk->returned |= mask;
        return BSIM_OK;
    case BSIM_STEP_SYNC:
        return play_sync(walk, step, mask);
    case BSIM_STEP_SYNCWARP:
        return play_syncwarp(walk, step, mask);
    case BSIM_STEP_COPIES_COMMIT:
    case BSIM_STEP_COPIES_WAIT:
        return play_copy_group(walk, step);
    case BSIM_STEP_SHUFFLE:
        return play_shuffle(walk, step, mask);
    case BSIM_STEP_FENCE:
        return play_fence(walk, step, mask);
    case BSIM_STEP_WORK:
        return play_work(walk, step);
    default:
        return bsim_walk_async(walk, step, mask);
    }
}

/* The steps from `step` on, in the lanes of mask that have not returned. */
static enum bsim_status play(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask)
{
    enum bsim_status status = BSIM_OK;
    for (; step != NULL && status == BSIM_OK; step = step->next) {
        mask &= ~walk->returned;
        if (mask == 0) {
            break;
        }
        walk->n_steps++;
        status = play_one(walk, step, mask);
    }
    return status;
}

static void set_warp(struct bsim_walk *walk, uint32_t warp)
{
    const struct bsim_dim3 *block = &walk->check->kernel.block;
    uint32_t threads = block->x * block->y * block->z;
    walk->request.warp = warp;
    walk->eval.uniform[BSIM_BUILTIN_WARP] = warp;
    walk->present = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        walk->eval.thread[lane] =
            bsim_dim3_thread(walk->check->kernel.block, warp * BSIM_WARP_LANES + lane);
        if (warp * BSIM_WARP_LANES + lane < threads) {
            walk->present |= UINT32_C(1) << lane;
        }
    }
}

static enum bsim_status play_warp(struct bsim_walk *walk, uint32_t warp)
{
    set_warp(walk, warp);
    for (size_t i = 0; i < walk->check->n_variables; i++) {
        walk->eval.variable[i].known = 0;
        walk->eval.variable[i].last = NULL;
    }
    walk->returned = 0;
    walk->n_turns = 0;
    walk->eval.seed = bsim_index_seed(walk->visitor->draw, walk->check->block, 0);
    walk->n_syncs = 0;
    walk->request.times = 1;
    bsim_walk_begin(walk);
    bsim_flight_begin(&walk->flight);
    enum bsim_status status = play(walk, walk->check->body, walk->present);
    status = status == BSIM_OK ? bsim_walk_end(walk) : status;
    walk->arrivals[warp] = (struct arrivals){walk->n_syncs, walk->returned == walk->present};
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Before anything is evaluated: would it be too much? Loops of C are counted as they run. */
static enum bsim_status check_size(const struct bsim_check *check, struct bsim_error *err)
{
    uint64_t warps = check->warp == BSIM_ALL_WARPS ? bsim_check_n_warps(check) : 1;
    uint64_t requests = 0;
    for (size_t i = 0; i < check->n_accesses && requests <= BSIM_CHECK_MAX_REQUESTS; i++) {
        requests += warps * check->access[i].shown.parts * check->access[i].turns;
    }
    return requests > BSIM_CHECK_MAX_REQUESTS
               ? bsim_error_set(err, BSIM_E_INPUT,
                                "the loops make more than %d requests: shorten one, or look at one "
                                "warp",
                                BSIM_CHECK_MAX_REQUESTS)
               : BSIM_OK;
}

static void set_launch(const struct bsim_check *check, struct bsim_eval *eval)
{
    const struct bsim_dim3 value[] = {check->block, check->kernel.block, check->kernel.grid};
    static const enum bsim_builtin builtin[] = {BSIM_BUILTIN_BLOCK, BSIM_BUILTIN_BLOCK_DIM,
                                                BSIM_BUILTIN_GRID_DIM};
    for (size_t i = 0; i < sizeof value / sizeof value[0]; i++) {
        eval->uniform[builtin[i]] = value[i].x;
        eval->uniform[builtin[i] + 1] = value[i].y;
        eval->uniform[builtin[i] + 2] = value[i].z;
    }
    eval->has_threads = true;
}

static enum bsim_status play_warps(struct bsim_walk *walk)
{
    const struct bsim_check *check = walk->check;
    enum bsim_status status = BSIM_OK;
    if (check->warp != BSIM_ALL_WARPS) {
        return play_warp(walk, check->warp);
    }
    for (uint32_t warp = 0; warp < bsim_check_n_warps(check) && status == BSIM_OK; warp++) {
        status = play_warp(walk, warp);
    }
    return status == BSIM_OK ? check_syncs(walk, bsim_check_n_warps(check)) : status;
}

/* Who waits for whom, and which copies are on their way when, is found first, by a walk of its own. */
static enum bsim_status play_all(struct bsim_walk *walk)
{
    struct bsim_meet *meet = NULL;
    bool meets = walk->check->met != NULL, awaits = walk->check->awaits_copies;
    if ((walk->visitor->event == NULL && walk->proxy == NULL) || (!meets && !awaits)) {
        return play_warps(walk);
    }
    walk->meet = meet = meets ? bsim_mem_zeroed(1, sizeof *meet) : NULL;
    if (meet != NULL) {
        meet->proxy = walk->proxy;
    }
    walk->flight.check = awaits ? walk->check : NULL;
    walk->is_noting = walk->flight.is_noting = true;
    enum bsim_status status = meet != NULL || !meets ? play_warps(walk) : bsim_mem_short(walk->eval.err);
    walk->is_noting = walk->flight.is_noting = false;
    walk->n_requests = 0;
    status = status == BSIM_OK && meets ? bsim_meet_settle(meet, walk->check, walk->eval.err) : status;
    status = status == BSIM_OK && walk->proxy == NULL ? play_warps(walk) : status;
    bsim_flight_free(&walk->flight);
    if (meet != NULL) {
        bsim_meet_free(meet);
        bsim_mem_free(meet);
    }
    return status;
}

/* proxy: which fences are missing is asked, and the visitor hears of nothing; or NULL. */
static enum bsim_status walk_all(const struct bsim_check *check, const struct bsim_visitor *visitor,
                                 struct bsim_proxy *proxy, struct bsim_error *err)
{
    struct bsim_walk walk = {.check = check, .visitor = visitor, .proxy = proxy, .eval = {.err = err}};
    if (!check->sealed) {
        return bsim_error_set(err, BSIM_E_USAGE, "a check must be sealed before it is evaluated");
    }
    enum bsim_status status = check_size(check, err);
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_variable *variable = bsim_mem_zeroed(check->n_variables + 1, sizeof *variable);
    walk.loop = bsim_mem_zeroed(check->n_loops + 1, sizeof *walk.loop);
    walk.running = bsim_mem_zeroed(check->n_loops + 1, sizeof *walk.running);
    if (variable == NULL || walk.loop == NULL || walk.running == NULL) {
        status = bsim_mem_short(err);
    } else {
        walk.eval.variable = variable;
        walk.eval.loop = walk.running;
        walk.request.loop = walk.loop;
        set_launch(check, &walk.eval);
        status = play_all(&walk);
    }
    bsim_mem_free(walk.running);
    bsim_mem_free(walk.loop);
    bsim_mem_free(variable);
    return status;
}

enum bsim_status bsim_check_walk(const struct bsim_check *check, const struct bsim_visitor *visitor,
                                 struct bsim_error *err)
{
    return walk_all(check, visitor, NULL, err);
}

/* Only wgmma and TMA have such readers. */
static bool has_readers(const struct bsim_check *check)
{
    size_t i = 0;
    while (i < check->n_accesses && check->access[i].async == NULL) {
        i++;
    }
    return i < check->n_accesses;
}

enum bsim_status bsim_check_unfenced(const struct bsim_check *check, struct bsim_buffer *lines, struct bsim_error *err)
{
    struct bsim_visitor nobody = {.draw = 0};
    struct bsim_proxy proxy;
    if (check->recording != NULL || !has_readers(check)) {
        return BSIM_OK;
    }
    enum bsim_status status = bsim_proxy_begin(&proxy, check, err);
    status = status == BSIM_OK ? walk_all(check, &nobody, &proxy, err) : status;
    if (status == BSIM_OK) {
        bsim_proxy_tell(&proxy, lines);
    }
    bsim_proxy_free(&proxy);
    return status;
}

enum bsim_status bsim_check_each(const struct bsim_check *check,
                                 const struct bsim_check_visitor *visitor, struct bsim_error *err)
{
    if (check->recording != NULL) {
        return bsim_check_walk_recording(check, visitor, err);
    }
    struct bsim_visitor of_all = {.request = visitor->shared,
                                  .other = visitor->other,
                                  .context = visitor->context,
                                  .draw = visitor->draw};
    return bsim_check_walk(check, &of_all, err);
}
