/* bulk.c - plays copies by TMA, wgmma, and what waits for them.
 *
 * Where a tile lies follows from its declaration. TMA's box has to lie where the array's layout puts its
 * elements; a wgmma's descriptor is made of where the first elements lie,
 *
 *     half B[4][128][64] swizzle 128B      B[s][0][16]: start = that element's byte, swizzle = 128B,
 *                                          sbo = from row 0 to row 8, 1024
 *
 * and then has to give the place of every other. So whatever layout no descriptor has is refused.
 */
#include "expr/walk.h"

#include "base/bits.h"
#include "layout/place.h"

#include <banksim/model.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK = 16, BARRIER_BYTES = 8 };

static enum bsim_status fail(const struct bsim_walk *walk, const struct bsim_node *node, const char *message)
{
    return bsim_cu_error(node->source, node->at, walk->eval.err, "%s", message);
}

/* ---- events ---------------------------------------------------------------------------------- */

static enum bsim_status push(struct bsim_walk *walk, size_t site, struct bsim_event *event)
{
    event->warp = walk->request.warp;
    event->wait = walk->wait;
    walk->wait = BSIM_ANY_COUNT;
    return walk->visitor->event(walk->visitor->context, site, event, walk->eval.err);
}

static enum bsim_status push_meeting(struct bsim_walk *walk, enum bsim_family family, uint32_t meeting,
                                     uint32_t arrivals)
{
    struct bsim_event event;
    bsim_event_init(&event, &(struct bsim_opcode){.family = (uint8_t)family});
    event.meeting = meeting;
    event.arrivals = arrivals;
    return push(walk, BSIM_NO_SITE, &event);
}

/* The next that was noted of the warp. */
static const struct bsim_meet_op *take(struct bsim_walk *walk)
{
    struct bsim_meet_list *list = &walk->meet->warp[walk->request.warp];
    return &list->op[list->next++];
}

static enum bsim_status note(struct bsim_walk *walk, const struct bsim_meet_op *op)
{
    return bsim_meet_note(walk->meet, walk->request.warp, op, walk->eval.err);
}

/* What stands in front of the step, of another warp's. */
static enum bsim_status push_before(struct bsim_walk *walk, const struct bsim_meet_op *op)
{
    return op->follows > 0 ? push_meeting(walk, BSIM_AWAIT, op->follows, 1) : BSIM_OK;
}

/* And what others wait for behind it. */
static enum bsim_status push_behind(struct bsim_walk *walk, const struct bsim_meet_op *op)
{
    return op->lets > 0 ? push_meeting(walk, BSIM_ARRIVE, op->lets, 0) : BSIM_OK;
}

/* A wait that no event bears. */
static enum bsim_status push_wait(struct bsim_walk *walk)
{
    struct bsim_event event;
    bsim_event_init(&event, &(struct bsim_opcode){.family = BSIM_WORK});
    event.work_count = 1;
    return walk->wait == BSIM_ANY_COUNT ? BSIM_OK : push(walk, BSIM_NO_SITE, &event);
}

void bsim_walk_begin(struct bsim_walk *walk)
{
    walk->wait = BSIM_ANY_COUNT;
    walk->n_results = 0;
    memset(walk->groups, 0, sizeof walk->groups);
}

enum bsim_status bsim_walk_end(struct bsim_walk *walk)
{
    return walk->meet != NULL && !walk->is_noting ? push_wait(walk) : BSIM_OK;
}

enum bsim_status bsim_walk_own(struct bsim_walk *walk, enum bsim_meet_kind kind, uint64_t n_results)
{
    if (walk->meet == NULL) {
        return BSIM_OK;
    }
    struct bsim_meet_list *list = &walk->meet->warp[walk->request.warp];
    if (walk->is_noting) {
        bool is_known = kind == BSIM_MEET_OWN && list->n > 0 && list->op[list->n - 1].kind == kind;
        return is_known ? BSIM_OK : note(walk, &(struct bsim_meet_op){.kind = kind});
    }
    bool is_first = list->next < list->n && list->op[list->next].kind == kind;
    enum bsim_status status = is_first ? push_before(walk, take(walk)) : BSIM_OK;
    walk->n_results += n_results;
    return status == BSIM_OK ? push_wait(walk) : status;
}

/* ---- mbarriers ------------------------------------------------------------------------------- */

/* The one mbarrier that all lanes of mask name. */
static enum bsim_status find_barrier(struct bsim_walk *walk, const struct bsim_node *node, uint32_t mask,
                                     struct bsim_meet_op *op)
{
    struct bsim_lanes lanes;
    struct bsim_access access = {.node = node,
                                 .alignment = BARRIER_BYTES,
                                 .type_name = "an mbarrier",
                                 .shown = {.bytes = BARRIER_BYTES,
                                           .opcode = {.space = BSIM_SHARED, .bytes = BARRIER_BYTES}}};
    uint32_t first = bsim_bits_lowest(mask);
    enum bsim_status status = bsim_eval(&walk->eval, node, mask, &lanes);
    for (uint32_t lane = first; lane < BSIM_WARP_LANES && status == BSIM_OK; lane++) {
        if ((mask >> lane & 1) == 0) {
            continue;
        }
        status = bsim_walk_lane(walk, &access, lane, lanes.array[lane], lanes.value[lane]);
        if (status == BSIM_OK &&
            (lanes.array[lane] != lanes.array[first] || lanes.value[lane] != lanes.value[first])) {
            status = bsim_eval_fault(&walk->eval, node, lane,
                                     "the lanes of a warp name several mbarriers here: a statement is of one");
        }
    }
    if (status == BSIM_OK) {
        op->array = lanes.array[first];
        op->element = (uint32_t)lanes.value[first] / BARRIER_BYTES;
    }
    return status;
}

/* A number of the first lane of mask, from 0 to `most`. */
static enum bsim_status find_number(struct bsim_walk *walk, const struct bsim_node *node, uint32_t mask,
                                    uint64_t most, const char *what, uint64_t *number)
{
    struct bsim_lanes lanes;
    uint32_t lane = bsim_bits_lowest(mask);
    enum bsim_status status = bsim_eval(&walk->eval, node, mask, &lanes);
    if (status == BSIM_OK && lanes.value[lane] > most) {
        status = bsim_eval_fault(&walk->eval, node, lane, "%s is 0 to %" PRIu64 ", and this is %" PRId64, what, most,
                                 (int64_t)lanes.value[lane]);
    }
    *number = status == BSIM_OK ? lanes.value[lane] : 0;
    return status;
}

/* For flight.c, which numbers them. */
static uint64_t number_of(const struct bsim_meet_op *op)
{
    return ((uint64_t)op->array << 32 | op->element) + 1;
}

static enum bsim_status play_arrive(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask)
{
    bool copies = step->kind == BSIM_STEP_COPIES_ARRIVE;
    struct bsim_meet_op op = {.kind = BSIM_MEET_ARRIVE, .step = step};
    uint64_t bytes = 0;
    if (walk->meet != NULL && !walk->is_noting) {
        const struct bsim_meet_op *known = take(walk);
        enum bsim_status status = push_before(walk, known);
        return status == BSIM_OK && known->meeting > 0
                   ? push_meeting(walk, copies ? BSIM_COPIES_ARRIVE : BSIM_ARRIVE, known->meeting, 0)
                   : status;
    }
    enum bsim_status status = find_barrier(walk, step->node, mask, &op);
    if (status == BSIM_OK && step->value != NULL) {
        status = find_number(walk, step->value, mask, (1 << 20) - 1, "what expect_tx expects", &bytes);
    }
    if (status == BSIM_OK && copies) {
        bsim_flight_arrive(&walk->flight, number_of(&op));
    }
    op.n = copies && step->times == 0 ? 0 : bsim_bits_population(mask);
    op.bytes = (int64_t)(bytes * op.n);
    return status == BSIM_OK && walk->meet != NULL ? note(walk, &op) : status;
}

static enum bsim_status play_wait(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask)
{
    struct bsim_meet_op op = {.kind = BSIM_MEET_WAIT, .step = step};
    if (walk->meet != NULL && !walk->is_noting) {
        const struct bsim_meet_op *known = take(walk);
        bsim_flight_see(&walk->flight, number_of(known), walk->n_syncs);
        bool is_there = !known->is_silent && known->arrivals > 0;
        return is_there ? push_meeting(walk, BSIM_AWAIT, known->meeting, known->arrivals) : BSIM_OK;
    }
    enum bsim_status status = find_barrier(walk, step->node, mask, &op);
    if (status == BSIM_OK) {
        status = find_number(walk, step->value, mask, 1, "a parity", &op.n);
    }
    bsim_flight_see(&walk->flight, number_of(&op), walk->n_syncs);
    return status == BSIM_OK && walk->meet != NULL ? note(walk, &op) : status;
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* The bits of a swizzle as TMA writes it: 3, 2, 1, or 0 of another layout or none. */
static uint32_t swizzle_of(const struct bsim_check_array *array)
{
    const struct bsim_layout *last = array->n_layouts > 0 ? &array->layout[array->n_layouts - 1] : NULL;
    return last != NULL && last->kind == BSIM_LAYOUT_TMA ? last->bits : 0;
}

/* Where 16 bytes at that offset lie in the window; UINT32_MAX: not in one piece, or in no array. */
static uint32_t place_of(const struct bsim_check_array *array, uint64_t offset)
{
    uint32_t place;
    bool is_there = array->is_extern || offset + CHUNK <= array->size_bytes;
    return is_there && bsim_array_map(array, (uint32_t)offset, CHUNK, &place) ? (uint32_t)array->begin + place
                                                                               : UINT32_MAX;
}

/* The room of a tile that is known to lie as it should; its key is 0 if it is not. */
static struct bsim_walk_tile *find_tile(struct bsim_walk *walk, uint64_t key)
{
    struct bsim_walk_tile *tile = &walk->tile[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BSIM_WALK_TILES_LOG2)];
    if (tile->key != key) {
        tile->key = 0;
    }
    return tile;
}

/* What lanes name, all the same: an array and an offset in it. */
static enum bsim_status find_place(struct bsim_walk *walk, const struct bsim_node *node, enum bsim_space space,
                                   uint64_t bytes, uint32_t mask)
{
    struct bsim_lanes lanes;
    uint32_t first = bsim_bits_lowest(mask);
    enum bsim_status status = bsim_eval(&walk->eval, node, mask, &lanes);
    struct bsim_access access = {.node = node,
                                 .alignment = 1,
                                 .type_name = "a tile",
                                 .shown = {.bytes = (uint32_t)bytes, .opcode = {.space = (uint8_t)space, .bytes = 1}}};
    if (status == BSIM_OK) {
        status = bsim_walk_lane(walk, &access, first, lanes.array[first], lanes.value[first]);
    }
    for (uint32_t lane = first; lane < BSIM_WARP_LANES && status == BSIM_OK; lane++) {
        if ((mask >> lane & 1) != 0 &&
            (lanes.array[lane] != lanes.array[first] || lanes.value[lane] != lanes.value[first])) {
            status = bsim_eval_fault(&walk->eval, node, lane, "the lanes of a warp name several tiles here");
        }
    }
    walk->request.array[0] = walk->request.array[first];
    walk->request.offset[0] = walk->request.offset[first];
    return status;
}

/* ---- TMA ------------------------------------------------------------------------------------- */

static enum bsim_status refuse_box(const struct bsim_walk *walk, const struct bsim_node *node,
                                   const struct bsim_check_array *array)
{
    return bsim_cu_error(node->source, node->at, walk->eval.err,
                         "TMA does not put a box where %s has these elements%s%s: it knows swizzle 32B, 64B and 128B, of "
                         "tiles that begin at whole rows, and no other layout",
                         array->name, array->layout_text != NULL ? ", " : "",
                         array->layout_text != NULL ? array->layout_text : "");
}

/* Whether TMA puts each element where the array has it. */
static enum bsim_status check_box(struct bsim_walk *walk, const struct bsim_node *node, const struct bsim_tma *copy)
{
    const struct bsim_check_array *array = &walk->check->array[walk->request.array[0]];
    uint32_t row_bytes = bsim_tma_row_bytes(copy), offset = walk->request.offset[0];
    uint64_t key = UINT64_C(1) << 63 | (uint64_t)walk->request.array[0] << 48 |
                   (uint64_t)row_bytes << 36 | (uint64_t)bsim_tma_rows(copy) << 18 | offset;
    struct bsim_walk_tile *tile = find_tile(walk, key);
    for (uint32_t row = 0; row < bsim_tma_rows(copy) && tile->key != key; row++) {
        for (uint32_t byte = 0; byte < row_bytes; byte += CHUNK) {
            if (place_of(array, offset + (uint64_t)row * row_bytes + byte) != bsim_tma_address(copy, row, byte)) {
                return refuse_box(walk, node, array);
            }
        }
    }
    tile->key = key;
    return BSIM_OK;
}

/* The rows of the box that the global array has, from where it begins on: TMA stores no others, and an H200 counts
 * none (../ptx/tensor.c). What it loads is zeros there, and counted. */
static uint32_t rows_there(const struct bsim_check_array *array, uint64_t offset, const struct bsim_tma *copy)
{
    uint32_t rows = copy->box[copy->n_dims - 1];
    bool is_known = copy->way != BSIM_TMA_LOAD && copy->n_dims == 2 && array->n_dimensions == 2 && array->dimension[0] > 0;
    uint64_t there = is_known ? array->dimension[0] - offset / copy->pitch_bytes : rows;
    return there < rows ? (uint32_t)there : rows;
}

/* The elements of each of its rows that the array has, or 0: all. */
static uint32_t inside(const struct bsim_check_array *array, uint64_t offset, const struct bsim_tma *copy)
{
    bool is_known = copy->way != BSIM_TMA_LOAD && copy->n_dims > 1 && array->n_dimensions > 1 && copy->pitch_bytes > 0;
    uint64_t there = is_known ? (copy->pitch_bytes - offset % copy->pitch_bytes) / copy->element_bytes : copy->box[0];
    return there < copy->box[0] ? (uint32_t)there : 0;
}

static enum bsim_status refuse_from(const struct bsim_walk *walk, const struct bsim_node *node,
                                    const struct bsim_check_array *array)
{
    uint32_t offset = walk->request.offset[0];
    return bsim_cu_error(node->source, node->at, walk->eval.err,
                         "in global memory a copy begins at a multiple of 16 bytes, and this is element %" PRIu32
                         " of %s, at its byte %" PRIu32,
                         offset / array->element_bytes, array->name, offset);
}

/* The places of both sides. */
static enum bsim_status find_box(struct bsim_walk *walk, const struct bsim_access *access, uint32_t mask,
                                 struct bsim_tma *copy)
{
    struct bsim_error why;
    enum bsim_status status = find_place(walk, access->from, BSIM_GLOBAL, copy->element_bytes, mask);
    if (status != BSIM_OK) {
        return status;
    }
    const struct bsim_check_array *array = &walk->check->array[walk->request.array[0]];
    if (walk->request.offset[0] % CHUNK != 0) {
        return refuse_from(walk, access->from, array);
    }
    copy->from = array->begin + walk->request.offset[0];
    copy->pitch_bytes = array->n_dimensions > 1 && copy->n_dims > 1
                            ? (uint64_t)array->dimension[array->n_dimensions - 1] * array->element_bytes
                            : 0;
    uint32_t rows = rows_there(array, walk->request.offset[0], copy);
    copy->inside = inside(array, walk->request.offset[0], copy);
    status = find_place(walk, access->node, BSIM_SHARED, access->shown.bytes, mask);
    if (status != BSIM_OK) {
        return status;
    }
    array = &walk->check->array[walk->request.array[0]];
    copy->swizzle = (enum bsim_tma_swizzle)swizzle_of(array);
    copy->start = place_of(array, walk->request.offset[0]);
    if (copy->start == UINT32_MAX) {
        return refuse_box(walk, access->node, array);
    }
    if (bsim_tma_check(copy, BSIM_CHECK_MAX_SHARED_BYTES, &why) != BSIM_OK) {
        bool is_global = strncmp(why.message, "from=", 5) == 0 || strncmp(why.message, "pitch=", 6) == 0;
        return fail(walk, is_global ? access->from : access->node, why.message);
    }
    status = check_box(walk, access->node, copy);
    copy->box[copy->n_dims - 1] = rows;
    return status;
}

static enum bsim_status begin_one(struct bsim_walk *walk, enum bsim_group_of of)
{
    struct bsim_walk_groups *groups = &walk->groups[of];
    groups->last = ++walk->n_results;
    groups->is_open = true;
    return BSIM_OK;
}

static enum bsim_status push_copy(struct bsim_walk *walk, size_t index, const struct bsim_tma *copy)
{
    const struct bsim_access *access = &walk->check->access[index];
    const struct bsim_meet_op *known = take(walk);
    struct bsim_async async = {.copy = *copy, .arrives = known->meeting};
    struct bsim_event event;
    bsim_event_init(&event, &access->shown.opcode);
    event.async = &async;
    enum bsim_status status = push_before(walk, known);
    status = status == BSIM_OK ? push(walk, index, &event) : status;
    return status == BSIM_OK && access->async->barrier == NULL ? begin_one(walk, BSIM_GROUP_OF_TMA) : status;
}

static enum bsim_status play_copy(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask)
{
    const struct bsim_access *access = &walk->check->access[step->access];
    struct bsim_tma copy = access->async->copy;
    struct bsim_meet_op op = {.kind = BSIM_MEET_OWN, .step = step, .bytes = access->shown.bytes};
    uint32_t n = bsim_bits_population(mask);
    if (n > 1) {
        return bsim_cu_error(access->node->source, access->node->at, walk->eval.err,
                             "each thread that comes to a copy makes one, and here %" PRIu32
                             " of warp %" PRIu32 " do: let one, as in if lane == 0",
                             n, walk->request.warp);
    }
    enum bsim_status status = find_box(walk, access, mask, &copy);
    if (status == BSIM_OK) {
        op.begin[0] = copy.start;
        op.begin[1] = copy.start + bsim_tma_rows(&copy) * bsim_tma_span(&copy);
    }
    if (status == BSIM_OK && access->async->barrier != NULL) {
        op.kind = BSIM_MEET_LOAD;
        status = find_barrier(walk, access->async->barrier, mask, &op);
    }
    return status != BSIM_OK || walk->meet == NULL ? status
           : walk->is_noting                       ? note(walk, &op)
                                                   : push_copy(walk, step->access, &copy);
}

/* ---- wgmma ----------------------------------------------------------------------------------- */

/* An operand of a wgmma: the elements that it reads of a tile, `along` the tile's rows and across them. */
struct operand {
    const struct bsim_check_array *array;
    uint64_t first; /* element */
    uint32_t rows, columns, boxes;
    uint32_t along, across;
    bool is_mn_major;
};

/* The byte of the element that many along and across from the first; UINT32_MAX: it is none of the tile's. */
static uint32_t place_in(const struct operand *o, uint32_t along, uint32_t across)
{
    uint64_t column = o->first % o->columns + along, row = o->first / o->columns % o->rows + across;
    uint64_t box = o->first / o->columns / o->rows, next = column / o->columns;
    if (row >= o->rows || box % o->boxes + next >= o->boxes) {
        return UINT32_MAX;
    }
    return place_of(o->array, (((box + next) * o->rows + row) * o->columns + column % o->columns) *
                                  o->array->element_bytes);
}

/* The descriptor that the tile's first elements ask for. */
static struct bsim_wgmma_descriptor describe(const struct operand *o)
{
    static const enum bsim_wgmma_swizzle mode[] = {BSIM_WGMMA_NO_SWIZZLE, BSIM_WGMMA_32B, BSIM_WGMMA_64B,
                                                   BSIM_WGMMA_128B};
    uint32_t bits = swizzle_of(o->array), chunk = CHUNK / o->array->element_bytes, span = chunk << bits;
    uint32_t start = place_in(o, 0, 0);
    uint32_t down = o->across > 8 ? place_in(o, 0, 8) - start : CHUNK;
    uint32_t right = o->along > chunk ? place_in(o, chunk, 0) - start : CHUNK;
    struct bsim_wgmma_descriptor descriptor = {
        .start = start, .leading_bytes = CHUNK, .stride_bytes = down, .swizzle = mode[bits % 4],
        .is_mn_major = o->is_mn_major};
    if (bits > 0) {
        descriptor.leading_bytes = o->is_mn_major && o->along > span ? place_in(o, span, 0) - start : CHUNK;
    } else {
        descriptor.leading_bytes = o->is_mn_major ? down : right;
        descriptor.stride_bytes = o->is_mn_major ? right : down;
    }
    return descriptor;
}

static enum bsim_status refuse_size(const struct bsim_walk *walk, const struct bsim_node *node,
                                    const struct operand *o)
{
    return bsim_cu_error(node->source, node->at, walk->eval.err,
                         "this wgmma reads %" PRIu32 " rows of %" PRIu32 " elements from here on, and a tile of %s has %"
                         PRIu32 " rows of %" PRIu32 ", of which this is row %" PRIu64 ", element %" PRIu64,
                         o->across, o->along, o->array->name, o->rows, o->columns, o->first / o->columns % o->rows,
                         o->first % o->columns);
}

static enum bsim_status refuse_place(const struct bsim_walk *walk, const struct bsim_node *node,
                                     const struct operand *o, uint32_t along, uint32_t across, uint32_t reads)
{
    const char *layout = o->array->layout_text;
    return bsim_cu_error(node->source, node->at, walk->eval.err,
                         "wgmma does not read %s%s%s: element %" PRIu32 " of row %" PRIu32
                         " from here on lies at byte %" PRIu32 ", and it looks at byte %" PRIu32
                         "; declare the tile as TMA and wgmma have it, [rows][64] of 2 bytes swizzle 128B, and begin at "
                         "a multiple of 8 rows",
                         o->array->name, layout != NULL ? ", " : " without a swizzle", layout != NULL ? layout : "",
                         along, across, place_in(o, along, across), reads);
}

/* Whether the descriptor gives the place of each element. */
static enum bsim_status check_operand(const struct bsim_walk *walk, const struct bsim_node *node,
                                      const struct operand *o, const struct bsim_wgmma_descriptor *descriptor)
{
    uint32_t bytes = o->array->element_bytes, chunk = CHUNK / bytes;
    struct bsim_error why;
    for (uint32_t across = 0; across < o->across; across++) {
        for (uint32_t along = 0; along < o->along; along += chunk) {
            uint32_t place = place_in(o, along, across);
            uint32_t reads = o->is_mn_major ? bsim_wgmma_address(descriptor, bytes, across, along)
                                            : bsim_wgmma_address(descriptor, bytes, along, across);
            if (place == UINT32_MAX) {
                return refuse_size(walk, node, o);
            }
            if (place != reads) {
                return refuse_place(walk, node, o, along, across, reads);
            }
        }
    }
    return bsim_wgmma_check(descriptor, bytes, o->is_mn_major ? o->along : o->across, BSIM_CHECK_MAX_SHARED_BYTES,
                            &why) == BSIM_OK
               ? BSIM_OK
               : fail(walk, node, why.message);
}

/* The descriptor of one operand, of n rows of A or columns of B. */
static enum bsim_status find_operand(struct bsim_walk *walk, const struct bsim_node *node, bool is_mn_major,
                                     uint32_t n, struct bsim_wgmma_descriptor *descriptor)
{
    uint32_t bytes = (uint32_t)node->type->size, k = BSIM_WGMMA_K_BYTES / bytes;
    enum bsim_status status = find_place(walk, node, BSIM_SHARED, bytes, BSIM_FULL_MASK);
    if (status != BSIM_OK) {
        return status;
    }
    const struct bsim_check_array *array = &walk->check->array[walk->request.array[0]];
    uint32_t d = array->n_dimensions, offset = walk->request.offset[0];
    if (d < 2 || array->element_bytes != bytes) {
        return fail(walk, node, "wgmma reads rows: declare the tile's, as half A[64][64] swizzle 128B");
    }
    struct operand o = {.array = array,
                        .first = offset / bytes,
                        .rows = array->dimension[d - 2],
                        .columns = array->dimension[d - 1],
                        .boxes = d > 2 ? array->dimension[d - 3] : 1,
                        .along = is_mn_major ? n : k,
                        .across = is_mn_major ? k : n,
                        .is_mn_major = is_mn_major};
    uint64_t key = UINT64_C(1) << 62 | (uint64_t)walk->request.array[0] << 48 | (uint64_t)is_mn_major << 47 |
                   (uint64_t)n << 32 | offset;
    struct bsim_walk_tile *tile = find_tile(walk, key);
    if (tile->key != key) {
        if (place_in(&o, 0, 0) == UINT32_MAX || place_in(&o, o.along - CHUNK / bytes, o.across - 1) == UINT32_MAX) {
            return refuse_size(walk, node, &o);
        }
        tile->descriptor = describe(&o);
        status = check_operand(walk, node, &o, &tile->descriptor);
        tile->key = status == BSIM_OK ? key : 0;
    }
    *descriptor = tile->descriptor;
    return status;
}

static enum bsim_status push_wgmma(struct bsim_walk *walk, size_t index, const struct bsim_async *async)
{
    const struct bsim_access *access = &walk->check->access[index];
    const struct bsim_meet_op *known = take(walk);
    struct bsim_event event;
    if (known->is_silent) {
        return BSIM_OK;
    }
    bsim_event_init(&event, &access->shown.opcode);
    event.async = async;
    enum bsim_status status = push(walk, index, &event);
    (void)begin_one(walk, BSIM_GROUP_OF_WGMMA);
    return status == BSIM_OK ? push_behind(walk, known) : status;
}

static enum bsim_status play_wgmma(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask)
{
    const struct bsim_access *access = &walk->check->access[step->access];
    const struct bsim_async_form *form = access->async;
    struct bsim_async async = {.a_in_registers = form->a_in_registers};
    enum bsim_status status = BSIM_OK;
    if (mask != BSIM_FULL_MASK) {
        return fail(walk, access->node,
                    "wgmma is executed by all threads of four warps, and here some of a warp do not come to it");
    }
    if (!form->a_in_registers) {
        status = find_operand(walk, access->node, form->is_mn_major[0], BSIM_WGMMA_M, &async.a);
    }
    if (status == BSIM_OK) {
        status = find_operand(walk, form->b, form->is_mn_major[1], 8u * access->shown.opcode.count, &async.b);
    }
    struct bsim_meet_op op = {.kind = BSIM_MEET_WGMMA,
                              .step = step,
                              .operand = {async.a, async.b},
                              .begin = {form->a_in_registers ? UINT32_MAX : async.a.start, async.b.start},
                              .n = (uint64_t)step->access << 40 | (uint64_t)async.a.start << 20 | async.b.start};
    return status != BSIM_OK || walk->meet == NULL ? status
           : walk->is_noting                       ? note(walk, &op)
                                                   : push_wgmma(walk, step->access, &async);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static enum bsim_status play_commit(struct bsim_walk *walk, const struct bsim_step *step)
{
    struct bsim_walk_groups *groups = &walk->groups[step->of];
    bool is_noted = walk->meet != NULL && step->of == BSIM_GROUP_OF_WGMMA;
    if (is_noted && walk->is_noting) {
        return note(walk, &(struct bsim_meet_op){.kind = BSIM_MEET_COMMIT, .step = step});
    }
    if (is_noted) {
        (void)take(walk);
    }
    groups->end[groups->n++ % BSIM_GROUPS] = groups->last;
    groups->is_open = false;
    return BSIM_OK;
}

/* All groups but the last n are waited for by the warp's next event. */
static void retire(struct bsim_walk *walk, struct bsim_walk_groups *groups, uint32_t n)
{
    uint64_t end = groups->n > n ? groups->end[(groups->n - n - 1) % BSIM_GROUPS] : 0;
    if (end > groups->waited) {
        int32_t left = (int32_t)(walk->n_results - end);
        walk->wait = walk->wait == BSIM_ANY_COUNT || left < walk->wait ? left : walk->wait;
        groups->waited = end;
    }
}

static enum bsim_status play_retire(struct bsim_walk *walk, const struct bsim_step *step)
{
    struct bsim_walk_groups *groups = &walk->groups[step->of];
    bool is_joint = step->of == BSIM_GROUP_OF_WGMMA;
    if (walk->meet == NULL) {
        return BSIM_OK;
    }
    if (walk->is_noting) {
        const struct bsim_meet_op op = {.kind = BSIM_MEET_RETIRE, .n = step->times, .step = step};
        return is_joint ? note(walk, &op) : BSIM_OK;
    }
    if (groups->is_open) {
        return bsim_cu_error(step->source, step->at, walk->eval.err,
                             "what was begun last is in no group, and not waited for: put a %s commit_group behind it",
                             is_joint ? "wgmma" : "tma");
    }
    const struct bsim_meet_op *known = is_joint ? take(walk) : NULL;
    retire(walk, groups, step->times);
    return known != NULL && !known->is_silent ? push_behind(walk, known) : BSIM_OK;
}

enum bsim_status bsim_walk_async(struct bsim_walk *walk, const struct bsim_step *step, uint32_t mask)
{
    walk->n_steps = 0;
    switch (step->kind) {
    case BSIM_STEP_ARRIVE:
    case BSIM_STEP_COPIES_ARRIVE:
        return play_arrive(walk, step, mask);
    case BSIM_STEP_WAIT:
        return play_wait(walk, step, mask);
    case BSIM_STEP_COMMIT:
        return play_commit(walk, step);
    case BSIM_STEP_RETIRE:
        return play_retire(walk, step);
    default:
        return walk->check->access[step->access].shown.opcode.family == BSIM_WGMMA ? play_wgmma(walk, step, mask)
                                                                                   : play_copy(walk, step, mask);
    }
}
