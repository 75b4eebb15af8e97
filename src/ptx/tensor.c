/* tensor.c - copies by TMA of a box of a tensor: cp.async.bulk.tensor, cp.reduce.async.bulk.tensor.
 *
 *     cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [s], [map, {x, y}], [b];
 *     cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [map, {x, y}], [s];
 *
 * Where each byte of the box lies in shared memory, and what can be: model/tma.c. What of the box lies outside
 * of the tensor is zeros in shared memory, or what the map fills with, and is not stored; the mbarrier counts all bytes of the box
 * either way. Stores and sums go by 16 bytes of a row: of those that begin in the tensor, the ones behind its side
 * are written, too, where a stride leaves room for them:
 *
 *     side 10 halves, stride 32 bytes, box 16      |0 1 2 3 4 5 6 7|8 9 . . . . . .|   . are written over
 *
 * and they begin at no coordinate below 0, as loads may. All as an H200 does (tests/measured/h200/async;
 * stores: 97 boxes in five dimensions, 2026-11-23). When copies are done: bulk.c.
 */
#include "ptx/tensor.h"

#include "base/bits.h"
#include "ptx/beside.h"
#include "ptx/cluster.h"
#include "ptx/lower.h"
#include "ptx/mbarrier.h"
#include "ptx/proxy.h"
#include "ptx/push.h"
#include "ptx/tensormap.h"
#include "ptx/tiles.h"
#include "ptx/work.h"

#include <inttypes.h>
#include <string.h>

enum { LANES = BSIM_WARP_LANES, CHUNK = 16 };

/* ---- words ----------------------------------------------------------------------------------- */

static uint32_t dimensions(const struct bsim_ptx_instruction *from)
{
    static const uint8_t words[] = {BSIM_PTX_X1D, BSIM_PTX_X2D, BSIM_PTX_X3D, BSIM_PTX_X4D,
                                    BSIM_PTX_X5D};
    for (uint32_t d = 0; d < sizeof words; d++) {
        if (bsim_ptx_has(from, words[d])) {
            return d + 1;
        }
    }
    return 0;
}

static bool is_load(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_has(from, BSIM_PTX_COMPLETE_TX_BYTES);
}

static enum bsim_ptx_space name_tensor(const struct bsim_ptx_instruction *from,
                                       struct bsim_opcode *opcode)
{
    *opcode = (struct bsim_opcode){.family = BSIM_BULK,
                                   .operation = is_load(from)                        ? BSIM_TO_SHARED
                                                : bsim_ptx_has(from, BSIM_PTX_REDUCE)
                                                    ? (uint8_t)bsim_ptx_operation_of(from)
                                                                                     : BSIM_TO_GLOBAL,
                                   .count = (uint8_t)dimensions(from)};
    return BSIM_PTX_NO_SPACE;
}

/* ---- one copy -------------------------------------------------------------------------------- */

struct box {
    uint32_t lane;
    struct bsim_ptx_tensormap map;
    int32_t corner[BSIM_TMA_MAX_DIMS];
    struct bsim_tma tma;
    uint64_t barrier; /* of a load */
    uint32_t ranks;   /* of the cluster's blocks which get it at the same place: a bit for each */
    struct bsim_ptx_block *there; /* the one at hand, or that it is stored from */
    enum bsim_operation operation; /* of a reduction */
};

/* The map that the operand names; false after a fault. */
static bool find_map(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                     const struct bsim_ptx_argument *argument, struct box *box)
{
    enum bsim_space space;
    uint64_t address = bsim_ptx_take_address(warp, argument, box->lane);
    uint64_t at = address;
    const unsigned char *bytes =
        bsim_ptx_locate(warp, step, box->lane, BSIM_PTX_NO_SPACE, BSIM_PTX_TENSORMAP_BYTES,
                        BSIM_PTX_TENSORMAP_ALIGNMENT, &at, &space);
    if (bytes == NULL) {
        return false;
    }
    uint32_t n_dims = dimensions(step->from);
    if (!bsim_ptx_tensormap_get(bytes, &box->map)) {
        bsim_ptx_fault(warp, step, box->lane,
                       "what lies at address 0x%" PRIx64 " is no tensor map: cuTensorMapEncodeTiled "
                       "makes one, or tensormap as an argument of a launch",
                       address);
    } else if (box->map.n_dims != n_dims) {
        bsim_ptx_fault(warp, step, box->lane,
                       "the tensor map has %" PRIu32 " dimensions, the instruction %" PRIu32,
                       box->map.n_dims, n_dims);
    }
    for (uint32_t d = 0; d < n_dims; d++) {
        box->corner[d] = (int32_t)bsim_ptx_take(warp, argument->place[1 + d],
                                                argument->bytes[1 + d] == 8, box->lane);
    }
    return warp->block->status == BSIM_OK;
}

/* The copy as the model has it. The corner may lie outside of the tensor, and so of any array. */
static struct bsim_tma make_copy(const struct bsim_ptx_step *step, const struct box *box)
{
    const struct bsim_ptx_tensormap *map = &box->map;
    struct bsim_tma tma = {.way = is_load(step->from) ? BSIM_TMA_LOAD
                                  : bsim_ptx_has(step->from, BSIM_PTX_REDUCE)
                                      ? BSIM_TMA_REDUCE
                                      : BSIM_TMA_STORE,
                           .n_dims = map->n_dims,
                           .element_bytes = bsim_ptx_type_bits(map->type) / 8,
                           .swizzle = map->swizzle,
                           .from = map->address,
                           .pitch_bytes = map->n_dims > 1 ? map->stride[1] : 0};
    memcpy(tma.box, map->box, sizeof tma.box);
    for (uint32_t d = 0; d < map->n_dims; d++) {
        tma.from += (uint64_t)box->corner[d] * map->stride[d];
    }
    return tma;
}

/* False after a fault: an H200 has an illegal instruction where a store begins below 0. */
static bool is_above_zero(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                          const struct box *box)
{
    for (uint32_t d = 0; d < box->map.n_dims; d++) {
        if (box->corner[d] < 0) {
            bsim_ptx_fault_as(warp, step, box->lane, BSIM_PTX_ILLEGAL,
                              "coordinate %" PRId32 " of dimension %" PRIu32 ", counted from 0: a box may "
                              "begin below 0 where it is loaded, not where it is stored or added",
                              box->corner[d], d);
            return false;
        }
    }
    return true;
}

/* The type of the map's numbers, as sums and the like take them. */
static uint32_t type_of(const struct box *box)
{
    return box->map.type == BSIM_PTX_TF32 ? BSIM_PTX_F32 : box->map.type;
}

/* False after a fault. */
static bool can_reduce(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, struct box *box)
{
    box->operation = bsim_ptx_operation_of(step->from);
    if (box->tma.way == BSIM_TMA_REDUCE && !bsim_ptx_can_reduce(type_of(box), box->operation)) {
        bsim_ptx_fault_as(warp, step, box->lane, BSIM_PTX_ILLEGAL,
                          "the tensor map's numbers are of a type that this reduction does not take");
        return false;
    }
    return true;
}

/* False after a fault: the barrier lies in the block that begins the copy, as the tile does; multicast brings it to
 * the same places of others. */
static bool is_own_barrier(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, struct box *box)
{
    const struct bsim_ptx_block *there =
        bsim_ptx_mbarrier_find(warp, step, &step->argument[2], box->lane, &box->barrier);
    if (there != NULL && there != warp->block) {
        bsim_ptx_fault_as(warp, step, box->lane, BSIM_PTX_ILLEGAL,
                          "the mbarrier is in the block of rank %" PRIu32 ", the tile in this one: a load has both in one",
                          there->rank);
    }
    return there == warp->block;
}

/* False after a fault. */
static bool find_ends(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                      struct box *box)
{
    const struct bsim_ptx_argument *a = step->argument;
    bool loads = is_load(step->from);
    struct bsim_error err;
    if (!find_map(warp, step, &a[loads ? 1 : 0], box)) {
        return false;
    }
    uint64_t shared = bsim_ptx_take_address(warp, &a[loads ? 0 : 1], box->lane);
    box->tma = make_copy(step, box);
    box->tma.start = (uint32_t)shared;
    if (!loads && (!is_above_zero(warp, step, box) || !can_reduce(warp, step, box))) {
        return false;
    }
    if (box->tma.from % CHUNK != 0) { /* an illegal instruction on an H200 */
        bsim_ptx_fault_as(warp, step, box->lane, BSIM_PTX_ILLEGAL,
                          "coordinate %" PRId32 " is %" PRId64 " bytes from the tensor's first element, and "
                          "a box begins at a multiple of 16",
                          box->corner[0], (int64_t)box->corner[0] * box->tma.element_bytes);
        return false;
    }
    if (shared > UINT32_MAX ||
        bsim_tma_check(&box->tma, warp->block->shared_bytes, &err) != BSIM_OK) {
        bool is_off = shared <= UINT32_MAX && shared % 128 != 0;
        bsim_ptx_fault_as(warp, step, box->lane, is_off ? BSIM_PTX_MISALIGNED : BSIM_PTX_STRAY,
                          "%s", shared > UINT32_MAX ? "no address of shared memory" : err.message);
        return false;
    }
    box->ranks = UINT32_C(1) << warp->block->rank;
    return !loads || (is_own_barrier(warp, step, box) &&
                      (!bsim_ptx_has(step->from, BSIM_PTX_MULTICAST_CLUSTER) ||
                       bsim_ptx_cluster_ranks(warp, step, &a[3], box->lane, &box->ranks)));
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The bytes [begin, end) of a row of the box that lie in the tensor, and where; none: both are 0. */
struct row {
    uint32_t begin, end;
    uint64_t address; /* of its first byte, in the tensor or not */
};

static struct row find_row(const struct box *box, uint32_t number)
{
    const struct bsim_ptx_tensormap *map = &box->map;
    struct row row = {.address = map->address};
    int64_t side = (int64_t)map->side[0], width = map->box[0], x = box->corner[0];
    int64_t first = x < 0 ? -x : 0, last = side - x < width ? side - x : width;
    row.address += (uint64_t)x * map->stride[0];
    for (uint32_t d = 1; d < map->n_dims; d++) {
        int64_t at = (int64_t)box->corner[d] + number % map->box[d];
        number /= map->box[d];
        last = at < 0 || at >= (int64_t)map->side[d] ? first : last;
        row.address += (uint64_t)at * map->stride[d];
    }
    if (last > first) {
        row.begin = (uint32_t)first * box->tma.element_bytes;
        row.end = (uint32_t)last * box->tma.element_bytes;
    }
    return row;
}

static void move(const struct box *box, unsigned char *shared, unsigned char *global,
                 uint32_t bytes)
{
    switch (box->tma.way) {
    case BSIM_TMA_LOAD:
        memcpy(shared, global, bytes);
        bsim_ptx_tensormap_round(&box->map, shared, bytes);
        break;
    case BSIM_TMA_STORE:
        memcpy(global, shared, bytes);
        break;
    default:
        bsim_ptx_reduce(type_of(box), box->operation, global, shared, bytes);
    }
}

/* To the end of the 16 bytes in which the tensor ends, as far as there is an array. */
static void widen(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                  struct row *row)
{
    const struct bsim_ptx_piece *piece = bsim_ptx_find_piece(warp, step, row->address);
    uint64_t left = piece != NULL ? piece->start + piece->size - row->address : 0;
    uint32_t end = (row->end + CHUNK - 1) / CHUNK * CHUNK;
    end = left < end ? (uint32_t)left : end;
    row->end = end > row->end ? end : row->end;
}

/* False after a fault. */
static bool move_row(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                     const struct box *box, uint32_t number)
{
    struct row row = find_row(box, number);
    if (box->tma.way != BSIM_TMA_LOAD && row.end > row.begin) {
        widen(warp, step, &row);
    }
    uint64_t address = row.address + row.begin;
    unsigned char *global = NULL;
    enum bsim_space space;
    if (row.end > row.begin &&
        (global = bsim_ptx_locate(warp, step, box->lane, BSIM_PTX_GLOBAL, row.end - row.begin, 1,
                                  &address, &space)) == NULL) {
        return false;
    }
    for (uint32_t at = 0; at < bsim_tma_row_bytes(&box->tma); at += CHUNK) {
        uint32_t begin = row.begin > at ? row.begin : at;
        uint32_t end = row.end < at + CHUNK ? row.end : at + CHUNK;
        uint32_t to = bsim_tma_address(&box->tma, number, at);
        unsigned char *shared = box->there->shared + to;
        if (box->tma.way != BSIM_TMA_LOAD) {
            (void)bsim_ptx_proxy_read(warp, step, to, CHUNK);
        } else {
            bsim_ptx_tensormap_fill(&box->map, shared, CHUNK);
            bsim_ptx_coming_mark(box->there, to, CHUNK);
        }
        if (global != NULL && begin < end) {
            move(box, shared + (begin - at), global + (begin - row.begin), end - begin);
        }
    }
    return true;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Loads are counted with what lies outside of the tensor; stores without the rows that do, by any dimension (GPUs of
 * 9.0 count so), and what rows have behind theirs: false where all is. */
static bool is_counted(const struct box *box, struct bsim_async *async)
{
    uint32_t inside[BSIM_TMA_MAX_DIMS];
    if (box->tma.way == BSIM_TMA_LOAD) {
        return true;
    }
    for (uint32_t d = 0; d < box->map.n_dims; d++) {
        int64_t left = (int64_t)box->map.side[d] - box->corner[d];
        inside[d] = left < 0 ? 0 : left < box->tma.box[d] ? (uint32_t)left : box->tma.box[d];
        if (inside[d] == 0) {
            return false;
        }
        async->copy.box[d] = d > 0 ? inside[d] : box->tma.box[0];
    }
    async->copy.inside = inside[0] < box->tma.box[0] ? inside[0] : 0;
    return true;
}

/* Between memory and the block's; false after a fault. */
static bool move_rows(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                      const struct box *box, uint32_t phase)
{
    uint32_t rows = bsim_tma_rows(&box->tma);
    for (uint32_t row = 0; row < rows; row++) {
        if (!move_row(warp, step, box, row)) {
            return false;
        }
    }
    if (is_load(step->from)) {
        bsim_ptx_tiles_loaded(box->there, step, &box->tma);
        bsim_ptx_coming_begin(box->there, box->barrier, phase, box->tma.start,
                              rows * bsim_tma_span(&box->tma));
        bsim_ptx_mbarrier_complete(box->there, box->barrier, rows * bsim_tma_row_bytes(&box->tma));
    }
    return true;
}

static void copy(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, struct box *box)
{
    uint32_t phase = 0;
    bool loads = is_load(step->from), is_own = (box->ranks >> warp->block->rank & 1) != 0;
    struct bsim_async async = {.copy = box->tma};
    bool counts = is_counted(box, &async);
    async.arrives = loads && is_own ? bsim_ptx_mbarrier_expect(warp, box->barrier, &phase) : 0;
    if (counts) {
        bsim_ptx_push_async(warp, step, &async);
    }
    warp->block->n_changes++;
    for (uint32_t left = box->ranks; left != 0; left &= left - 1) {
        box->there = bsim_ptx_block_of_rank(warp->block, bsim_bits_lowest(left));
        if (!move_rows(warp, step, box, phase)) {
            return;
        }
    }
    if (!loads) {
        bsim_ptx_groups_add(warp, BSIM_PTX_OF_BULK, box->lane,
                            counts ? bsim_ptx_work_begun(warp) : 0);
    }
}

static void run_tensor(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    for (uint32_t l = 0; l < LANES && warp->block->status == BSIM_OK; l++) {
        struct box box = {.lane = l};
        if ((warp->mask >> l & 1) != 0 && find_ends(warp, step, &box)) {
            copy(warp, step, &box);
        }
    }
}

/* ---- which ----------------------------------------------------------------------------------- */

/* [map, {x, y}] with a coordinate for each dimension. */
static bool names_map(const struct bsim_ptx_operand *operand, uint32_t n_dims)
{
    return operand->kind == BSIM_PTX_ADDRESS && operand->n == 2 &&
           operand->member[1].kind == BSIM_PTX_VECTOR && operand->member[1].n == n_dims;
}

const struct bsim_ptx_service *bsim_ptx_find_tensor(const struct bsim_ptx_instruction *from)
{
    static const struct bsim_ptx_service tensor = {run_tensor, name_tensor};
    uint32_t n_dims = dimensions(from);
    bool loads = is_load(from), is_to_global = bsim_ptx_has(from, BSIM_PTX_BULK_GROUP);
    bool reduces = bsim_ptx_has(from, BSIM_PTX_REDUCE);
    bool is_form = n_dims > 0 && loads != is_to_global && from->n_operands >= (loads ? 3 : 2) + bsim_ptx_has(from, BSIM_PTX_MULTICAST_CLUSTER) &&
                   bsim_ptx_has(from, BSIM_PTX_GLOBAL_) &&
                   reduces == (bsim_ptx_operation_of(from) != BSIM_NO_OPERATION) && !(reduces && loads);
    return is_form && names_map(&from->operand[loads ? 1 : 0], n_dims) ? &tensor : NULL;
}
