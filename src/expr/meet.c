/* meet.c - who waits for whom: mbarriers, as PTX has them, and the four warps of a wgmma.
 *
 * What the warps do is noted first, warp by warp, and then played side by side, without clocks, each as far as
 * it comes:
 *
 *     mbarrier full[2]: 1           full[0]: 0 of 1 came, 0 bytes missing; phase 0
 *     warp 4  arrive full[0], 8192           1 of 1      8192
 *             tma load A[0] ... full[0]                     0              phase 1
 *     warp 0  wait full[0], 0       goes on: the phase at hand has the other parity
 *
 * Where each waits and none can go on, nobody ever will. Each phase is a meeting of the stream: its loads are
 * the arrivals, as in a trace, and an arrival that expects bytes is none besides them. A wait for a phase
 * that was over before the block began, the parity 1 of a new mbarrier, is nothing.
 *
 * wgmma is in the stream once for its four warps, at the first of them, and so is what these do together: waits for
 * an mbarrier in front of one, waits for groups. What another of them does by itself then comes behind a meeting
 * with the first:
 *
 *     all four    wait full[0], 0    wgmma ...    wgmma wait_group 0        store C[...]
 *     w0          await 1:2          wgmma ...    arrive 9 wait=0           st.shared
 *     w1 to w3                                                 await 9:1    st.shared
 */
#include "expr/fill.h"
#include "expr/proxy.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>

enum { BARRIER_BYTES = 8 };

enum bsim_status bsim_meet_note(struct bsim_meet *meet, uint32_t warp, const struct bsim_meet_op *op,
                                struct bsim_error *err)
{
    struct bsim_meet_list *list = &meet->warp[warp];
    struct bsim_meet_op *grown = bsim_mem_grow(list->op, list->n, sizeof *grown);
    if (grown == NULL) {
        return bsim_mem_short(err);
    }
    list->op = grown;
    grown[list->n++] = *op;
    return BSIM_OK;
}

static enum bsim_status note_touch(struct bsim_meet_list *list, const struct bsim_meet_touch *touch, struct bsim_error *err)
{
    struct bsim_meet_touch *grown = bsim_mem_grow(list->touch, list->n_touches, sizeof *grown);
    if (grown == NULL) {
        return bsim_mem_short(err);
    }
    list->touch = grown;
    grown[list->n_touches++] = *touch;
    return BSIM_OK;
}

enum bsim_status bsim_meet_note_touch(struct bsim_meet *meet, uint32_t warp, const struct bsim_check_request *request,
                                      const struct bsim_access *access, struct bsim_error *err)
{
    struct bsim_meet_list *list = &meet->warp[warp];
    struct bsim_meet_touch touch = {.access = access, .first = UINT32_MAX, .op = list->n - 1};
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((request->lanes >> lane & 1) != 0) {
            uint32_t first = request->address[lane], last = first + request->opcode.bytes - 1;
            touch.first = first < touch.first ? first : touch.first;
            touch.last = last > touch.last ? last : touch.last;
        }
    }
    const struct bsim_meet_touch *before = list->n_touches > 0 ? &list->touch[list->n_touches - 1] : NULL;
    if (before != NULL && before->access == access && before->first == touch.first && before->last == touch.last &&
        before->op == touch.op) {
        return BSIM_OK;
    }
    return note_touch(list, &touch, err);
}

enum bsim_status bsim_meet_note_fence(struct bsim_meet *meet, uint32_t warp, struct bsim_error *err)
{
    struct bsim_meet_list *list = &meet->warp[warp];
    return note_touch(list, &(struct bsim_meet_touch){.op = list->n - 1}, err);
}

void bsim_meet_free(struct bsim_meet *meet)
{
    for (uint32_t warp = 0; warp < BSIM_BLOCK_MAX_WARPS; warp++) {
        bsim_mem_free(meet->warp[warp].touch);
        bsim_mem_free(meet->warp[warp].op);
    }
}

/* ---- mbarriers ------------------------------------------------------------------------------- */

struct meeting {
    uint32_t number, n; /* 0: it has none yet; arrivals that the stream has */
};

struct mbarrier {
    uint32_t count, pending; /* arrivals of each phase; that this one lacks */
    int64_t bytes;           /* that copies have still to bring */
    uint32_t phase;
    struct meeting now, last; /* of this phase, and of the one before it */
    struct bsim_fill_clock now_knows, last_knows;
};

struct side_by_side {
    struct bsim_meet *meet;
    const struct bsim_check *check;
    struct bsim_error *err;
    uint32_t n_warps;
    struct mbarrier *mbarrier; /* by their bytes in the window */
    struct bsim_fill *fill;
};

static struct mbarrier *find(const struct side_by_side *side, const struct bsim_meet_op *op)
{
    const struct bsim_check_array *array = &side->check->array[op->array];
    return &side->mbarrier[array->offset_bytes / BARRIER_BYTES + op->element];
}

static bool begin(struct side_by_side *side)
{
    const struct bsim_check *check = side->check;
    uint32_t end = 0;
    for (size_t i = 0; i < check->n_mbarriers; i++) {
        const struct bsim_check_array *array = &check->array[check->mbarrier[i].array];
        end = array->offset_bytes + array->size_bytes; /* they are in the order of their places */
    }
    side->mbarrier = bsim_mem_zeroed(end / BARRIER_BYTES + 1, sizeof *side->mbarrier);
    for (size_t i = 0; i < check->n_mbarriers && side->mbarrier != NULL; i++) {
        const struct bsim_check_array *array = &check->array[check->mbarrier[i].array];
        struct mbarrier *first = &side->mbarrier[array->offset_bytes / BARRIER_BYTES];
        for (uint32_t k = 0; k < array->size_bytes / BARRIER_BYTES; k++) {
            first[k].count = first[k].pending = check->mbarrier[i].count;
        }
    }
    return side->mbarrier != NULL;
}

static void come(struct side_by_side *side, struct mbarrier *mbarrier, struct bsim_meet_op *op)
{
    if (mbarrier->now.number == 0) {
        mbarrier->now.number = ++side->meet->n_meetings;
    }
    mbarrier->now.n++;
    op->meeting = mbarrier->now.number;
}

static void end_phase(struct mbarrier *mbarrier)
{
    if (mbarrier->pending == 0 && mbarrier->bytes == 0) {
        mbarrier->last = mbarrier->now;
        mbarrier->now = (struct meeting){0, 0};
        mbarrier->last_knows = mbarrier->now_knows;
        mbarrier->pending = mbarrier->count;
        mbarrier->phase++;
    }
}

static enum bsim_status arrive(struct side_by_side *side, uint32_t warp, struct bsim_meet_op *op)
{
    struct mbarrier *mbarrier = find(side, op);
    char name[BSIM_FILL_NAME_SIZE];
    if (op->n > mbarrier->pending) {
        return bsim_cu_error(op->step->source, op->step->at, side->err,
                             "%" PRIu64 " thread%s of warp %" PRIu32 " arrive%s at %s, and its phase %" PRIu32
                             " takes %" PRIu32 " of its %" PRIu32
                             " arrivals more: let one thread arrive (if lane == 0), or declare as many as come",
                             op->n, op->n == 1 ? "" : "s", warp, op->n == 1 ? "s" : "",
                             bsim_fill_put_name(side->check, op, name), mbarrier->phase, mbarrier->pending, mbarrier->count);
    }
    mbarrier->pending -= (uint32_t)op->n;
    mbarrier->bytes += op->bytes;
    if (op->bytes == 0) {
        come(side, mbarrier, op);
    }
    bsim_fill_arrive(side->fill, warp, &mbarrier->now_knows);
    end_phase(mbarrier);
    return BSIM_OK;
}

static enum bsim_status load(struct side_by_side *side, uint32_t warp, struct bsim_meet_op *op)
{
    struct mbarrier *mbarrier = find(side, op);
    op->phase = mbarrier->phase;
    enum bsim_status status = bsim_fill_load(side->fill, warp, op, &mbarrier->now_knows);
    come(side, mbarrier, op);
    mbarrier->bytes -= op->bytes;
    end_phase(mbarrier);
    return status;
}

static bool may_pass(struct side_by_side *side, uint32_t warp, struct bsim_meet_op *op)
{
    const struct mbarrier *mbarrier = find(side, op);
    if ((mbarrier->phase & 1) == op->n) {
        return false;
    }
    op->meeting = mbarrier->last.number;
    op->arrivals = mbarrier->last.n;
    bsim_fill_wait(side->fill, warp, &mbarrier->last_knows);
    return true;
}

/* ---- side by side ---------------------------------------------------------------------------- */

static bool is_done(const struct bsim_meet_list *list)
{
    return list->next == list->n;
}

/* What the lanes access between two steps by which the warp may learn of others. */
static enum bsim_status touch(const struct side_by_side *side, uint32_t warp)
{
    struct bsim_meet_list *list = &side->meet->warp[warp];
    struct bsim_proxy *proxy = side->meet->proxy;
    enum bsim_status status = BSIM_OK;
    while (status == BSIM_OK && list->next_touch < list->n_touches &&
           list->touch[list->next_touch].op == list->next) {
        const struct bsim_meet_touch *touch = &list->touch[list->next_touch++];
        if (touch->access != NULL) {
            status = bsim_fill_touch(side->fill, warp, touch);
        }
        if (proxy != NULL && touch->access != NULL) {
            bsim_proxy_touch(proxy, touch);
        } else if (proxy != NULL) {
            bsim_proxy_fence(proxy);
        }
    }
    return status;
}

/* What its copies and wgmmas read of what lanes have stored. */
static void look_for_fences(const struct side_by_side *side, uint32_t warp, const struct bsim_meet_op *op)
{
    struct bsim_proxy *proxy = side->meet->proxy;
    if (proxy != NULL && op->kind == BSIM_MEET_LOAD) {
        bsim_proxy_load(proxy, op);
    } else if (proxy != NULL && op->kind == BSIM_MEET_OWN) {
        bsim_proxy_store(proxy, warp, op);
    } else if (proxy != NULL && op->kind == BSIM_MEET_WGMMA) {
        bsim_proxy_wgmma(proxy, warp, op);
    }
}

/* Plays the warp's next; *goes_on: it has been. */
static enum bsim_status play(struct side_by_side *side, uint32_t warp, bool *goes_on)
{
    struct bsim_meet_list *list = &side->meet->warp[warp];
    struct bsim_meet_op *op = &list->op[list->next];
    enum bsim_status status = BSIM_OK;
    *goes_on = true;
    look_for_fences(side, warp, op);
    switch (op->kind) {
    case BSIM_MEET_SYNC:
        *goes_on = false;
        break;
    case BSIM_MEET_WAIT:
        *goes_on = may_pass(side, warp, op);
        break;
    case BSIM_MEET_ARRIVE:
        status = arrive(side, warp, op);
        break;
    case BSIM_MEET_LOAD:
        status = load(side, warp, op);
        break;
    case BSIM_MEET_WGMMA:
        status = bsim_fill_wgmma(side->fill, warp, op);
        break;
    case BSIM_MEET_COMMIT:
        bsim_fill_commit(side->fill, warp);
        break;
    case BSIM_MEET_RETIRE:
        bsim_fill_retire(side->fill, warp, (uint32_t)op->n);
        break;
    case BSIM_MEET_OWN:
        status = touch(side, warp);
        break;
    }
    list->next += *goes_on;
    return status;
}

/* All warps that are not done stand at a barrier of the block, which lets them on. */
static bool pass_sync(struct side_by_side *side)
{
    uint32_t n = 0;
    for (uint32_t warp = 0; warp < side->n_warps; warp++) {
        const struct bsim_meet_list *list = &side->meet->warp[warp];
        if (!is_done(list) && list->op[list->next].kind != BSIM_MEET_SYNC) {
            return false;
        }
        n += !is_done(list);
    }
    for (uint32_t warp = 0; warp < side->n_warps; warp++) {
        side->meet->warp[warp].next += !is_done(&side->meet->warp[warp]);
    }
    bsim_fill_sync(side->fill, side->n_warps);
    return n > 0;
}

/* Whether some warp would still come to the mbarrier that op waits for, if it went on. */
static bool is_coming(const struct side_by_side *side, const struct bsim_meet_op *op)
{
    for (uint32_t warp = 0; warp < side->n_warps; warp++) {
        const struct bsim_meet_list *list = &side->meet->warp[warp];
        for (size_t i = list->next; i < list->n; i++) {
            const struct bsim_meet_op *other = &list->op[i];
            if ((other->kind == BSIM_MEET_ARRIVE || other->kind == BSIM_MEET_LOAD) &&
                find(side, other) == find(side, op)) {
                return true;
            }
        }
    }
    return false;
}

/* The wait that the others wait for: at an mbarrier that nobody comes to any more; or else the first. */
static uint32_t find_stuck(const struct side_by_side *side)
{
    uint32_t first = side->n_warps;
    for (uint32_t warp = side->n_warps; warp-- > 0;) {
        const struct bsim_meet_list *list = &side->meet->warp[warp];
        if (!is_done(list) && list->op[list->next].kind == BSIM_MEET_WAIT) {
            first = warp;
        }
    }
    for (uint32_t warp = first; warp < side->n_warps; warp++) {
        const struct bsim_meet_list *list = &side->meet->warp[warp];
        if (!is_done(list) && list->op[list->next].kind == BSIM_MEET_WAIT &&
            !is_coming(side, &list->op[list->next])) {
            return warp;
        }
    }
    return first;
}

static enum bsim_status refuse_stuck(const struct side_by_side *side)
{
    uint32_t warp = find_stuck(side);
    const struct bsim_meet_list *list = &side->meet->warp[warp];
    const struct bsim_meet_op *op = &list->op[list->next];
    const struct mbarrier *mbarrier = find(side, op);
    char name[BSIM_FILL_NAME_SIZE], bytes[128] = "";
    if (mbarrier->bytes > 0) {
        (void)snprintf(bytes, sizeof bytes, ", and %" PRId64 " of the bytes that are expected do not",
                       mbarrier->bytes);
    } else if (mbarrier->bytes < 0) {
        (void)snprintf(bytes, sizeof bytes, ", and %" PRId64 " bytes more than are expected",
                       -mbarrier->bytes);
    } else if (mbarrier->phase > 0 && mbarrier->pending == mbarrier->count) {
        (void)snprintf(bytes, sizeof bytes, ": parity %" PRIu64 " is that of this phase, and the one before, which is over, "
                       "has %" PRIu64, op->n, op->n ^ 1);
    }
    return bsim_cu_error(op->step->source, op->step->at, side->err,
                         "warp %" PRIu32 " waits here for ever: to phase %" PRIu32 " of %s come %" PRIu32
                         " of %" PRIu32 " arrivals%s",
                         warp, mbarrier->phase, bsim_fill_put_name(side->check, op, name),
                         mbarrier->count - mbarrier->pending, mbarrier->count, bytes);
}

static enum bsim_status play_all(struct side_by_side *side)
{
    bool moves = true, is_over = false;
    while (!is_over) {
        moves = false;
        is_over = true;
        for (uint32_t warp = 0; warp < side->n_warps; warp++) {
            bool goes_on = true;
            while (goes_on && !is_done(&side->meet->warp[warp])) {
                enum bsim_status status = play(side, warp, &goes_on);
                if (status != BSIM_OK) {
                    return status;
                }
                moves = moves || goes_on;
            }
            is_over = is_over && is_done(&side->meet->warp[warp]);
        }
        if (!is_over && !moves && !pass_sync(side)) {
            return refuse_stuck(side);
        }
    }
    return BSIM_OK;
}

/* ---- the four warps of a wgmma --------------------------------------------------------------- */

static bool is_joint(const struct bsim_meet_op *op)
{
    return op->kind == BSIM_MEET_WGMMA || op->kind == BSIM_MEET_RETIRE;
}

/* The next of the list from *at on that the four do together; NULL: there is none. */
static struct bsim_meet_op *next_joint(const struct bsim_meet_list *list, size_t *at)
{
    while (*at < list->n && !is_joint(&list->op[*at])) {
        (*at)++;
    }
    return *at < list->n ? &list->op[(*at)++] : NULL;
}

/* Each of the four comes to the same wgmmas. */
static enum bsim_status check_four(const struct side_by_side *side, uint32_t first)
{
    size_t at[BSIM_WGMMA_WARPS] = {0};
    const struct bsim_meet_op *op[BSIM_WGMMA_WARPS];
    do {
        const struct bsim_meet_op *some = NULL;
        uint32_t lacks = BSIM_WGMMA_WARPS;
        for (uint32_t i = 0; i < BSIM_WGMMA_WARPS; i++) {
            op[i] = next_joint(&side->meet->warp[first + i], &at[i]);
            some = op[i] != NULL ? op[i] : some;
        }
        for (uint32_t i = BSIM_WGMMA_WARPS; i-- > 0 && some != NULL;) {
            bool is_same = op[i] != NULL && op[i]->kind == some->kind && op[i]->n == some->n;
            lacks = is_same ? lacks : i;
        }
        if (lacks < BSIM_WGMMA_WARPS) {
            return bsim_cu_error(some->step->source, some->step->at, side->err,
                                 "wgmma is executed by four warps together, here %" PRIu32 " to %" PRIu32
                                 ", and warp %" PRIu32 " does not come to the same",
                                 first, first + BSIM_WGMMA_WARPS - 1, first + lacks);
        }
    } while (op[0] != NULL);
    return BSIM_OK;
}

/* Whether a wait for that phase is among the first warp's steps from `begin` on. */
static bool has_wait(const struct bsim_meet_list *first, size_t begin, size_t end, uint32_t meeting)
{
    size_t i = begin;
    while (i < end && (first->op[i].kind != BSIM_MEET_WAIT || first->op[i].meeting != meeting)) {
        i++;
    }
    return i < end;
}

/* One of the other three. */
static void follow(struct bsim_meet *meet, struct bsim_meet_list *first, struct bsim_meet_list *list)
{
    size_t joint = 0, behind = 0; /* among the first warp's: the last that both came to, + 1; the one before */
    size_t waits = 0, known = 0;  /* where the last waits of this warp begin; the joint it has seen done */
    for (size_t i = 0; i < list->n; i++) {
        struct bsim_meet_op *op = &list->op[i];
        if (is_joint(op)) {
            behind = joint;
            (void)next_joint(first, &joint);
            op->is_silent = true;
            for (size_t k = waits; k < i; k++) {
                list->op[k].is_silent = has_wait(first, behind, joint, list->op[k].meeting);
            }
        } else if (op->kind == BSIM_MEET_COMMIT) {
            op->is_silent = true;
            continue;
        } else if (op->kind != BSIM_MEET_WAIT && joint > known) {
            uint32_t *lets = &first->op[joint - 1].lets;
            *lets = *lets > 0 ? *lets : ++meet->n_meetings;
            op->follows = *lets;
            known = joint;
        }
        waits = op->kind == BSIM_MEET_WAIT ? waits : i + 1;
    }
}

static enum bsim_status join_four(struct side_by_side *side, uint32_t first)
{
    struct bsim_meet_list *list = &side->meet->warp[first];
    enum bsim_status status = check_four(side, first);
    size_t at = 0;
    if (status != BSIM_OK || next_joint(list, &at) == NULL) {
        return status;
    }
    for (uint32_t i = 1; i < BSIM_WGMMA_WARPS; i++) {
        follow(side->meet, list, &list[i]);
    }
    return BSIM_OK;
}

enum bsim_status bsim_meet_settle(struct bsim_meet *meet, const struct bsim_check *check,
                                  struct bsim_error *err)
{
    struct side_by_side side = {.meet = meet,
                                .check = check,
                                .err = err,
                                .n_warps = bsim_check_n_warps(check),
                                .fill = bsim_mem_zeroed(1, sizeof *side.fill)};
    enum bsim_status status = BSIM_E_MEMORY;
    if (side.fill == NULL || !begin(&side)) {
        status = bsim_mem_short(err);
    } else {
        side.fill->check = check;
        side.fill->err = err;
        bsim_fill_begin(side.fill, meet, side.n_warps);
        status = play_all(&side);
    }
    for (uint32_t first = 0; first < side.n_warps && status == BSIM_OK; first += BSIM_WGMMA_WARPS) {
        status = join_four(&side, first);
    }
    for (uint32_t warp = 0; warp < BSIM_BLOCK_MAX_WARPS; warp++) {
        meet->warp[warp].next = 0;
    }
    bsim_mem_free(side.mbarrier);
    bsim_mem_free(side.fill);
    return status;
}
