/* fill.c - tiles that TMA fills and wgmma or lanes read: whether each waits for the other.
 *
 *     producer     load A[0]        wait empty[0]   load A[0]       must know that all have read the first
 *                         \        /                        \
 *     consumer      wait full[0]  wgmma  wait_group  arrive   wait full[0]  wgmma     must know of the load
 *
 * Each warp has a clock of what it knows to have happened, as vector clocks are: its own steps, those of
 * the warps whose arrivals it has waited for, and the loads of each tile that came with them. A sketch in
 * which a wait is missing would be counted, and take less time than any kernel that computes something.
 * A wgmma is done with its tile when one of its four warps has waited for its group, a load or store of lanes
 * at once. Of a warp whose lanes access a tile in front of a wgmma, the other three may tell that it has: a load into the
 * tile is let pass if its warp has heard of any of the four. What lanes copy by cp.async is not looked at, nor is what
 * they access of tiles that overlap.
 */
#include "expr/fill.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- tiles ------------------------------------------------------------------------------------- */

/* That a byte of the window is in, or NULL. */
static struct bsim_fill_tile *find(struct bsim_fill *fill, uint32_t byte)
{
    uint32_t i = 0;
    while (i < fill->n_tiles && !(fill->tile[i].begin <= byte && byte < fill->tile[i].end)) {
        i++;
    }
    return i < fill->n_tiles ? &fill->tile[i] : NULL;
}

static void add_tile(struct bsim_fill *fill, const struct bsim_meet_op *load)
{
    if (find(fill, load->begin[0]) == NULL && fill->n_tiles < BSIM_FILL_TILES) {
        fill->tile[fill->n_tiles++] =
            (struct bsim_fill_tile){.begin = load->begin[0], .end = load->begin[1], .load = load};
    }
    for (uint32_t i = 0; i < fill->n_tiles; i++) {
        struct bsim_fill_tile *tile = &fill->tile[i];
        tile->is_uneven |= load->begin[0] < tile->end && tile->begin < load->begin[1] &&
                           (load->begin[0] != tile->begin || load->begin[1] != tile->end);
    }
}

static void note_reader(struct bsim_fill *fill, const struct bsim_meet_op *wgmma)
{
    for (int i = 0; i < 2; i++) {
        struct bsim_fill_tile *tile = find(fill, wgmma->begin[i]);
        if (tile != NULL) {
            tile->is_read = true;
        }
    }
}

void bsim_fill_begin(struct bsim_fill *fill, const struct bsim_meet *meet, uint32_t n_warps)
{
    fill->meet = meet;
    for (int reads = 0; reads < 2; reads++) {
        for (uint32_t warp = 0; warp < n_warps; warp++) {
            for (size_t i = 0; i < meet->warp[warp].n; i++) {
                const struct bsim_meet_op *op = &meet->warp[warp].op[i];
                if (reads == 0 && op->kind == BSIM_MEET_LOAD) {
                    add_tile(fill, op);
                } else if (reads == 1 && op->kind == BSIM_MEET_WGMMA) {
                    note_reader(fill, op);
                    fill->warp[warp].has_wgmma = true;
                }
            }
        }
    }
}

/* ---- clocks ------------------------------------------------------------------------------------ */

static void learn(struct bsim_fill_clock *clock, const struct bsim_fill_clock *from)
{
    for (uint32_t i = 0; i < BSIM_BLOCK_MAX_WARPS; i++) {
        clock->warp[i] = from->warp[i] > clock->warp[i] ? from->warp[i] : clock->warp[i];
    }
    for (uint32_t i = 0; i < BSIM_FILL_TILES; i++) {
        clock->tile[i] = from->tile[i] > clock->tile[i] ? from->tile[i] : clock->tile[i];
    }
}

/* The warp's next step has a number of its own. */
static struct bsim_fill_clock *step(struct bsim_fill *fill, uint32_t warp)
{
    struct bsim_fill_clock *knows = &fill->warp[warp].knows;
    knows->warp[warp]++;
    return knows;
}

void bsim_fill_arrive(struct bsim_fill *fill, uint32_t warp, struct bsim_fill_clock *phase)
{
    learn(phase, step(fill, warp));
}

/* The tiles whose last load the warp knows of from now on. */
static void see(struct bsim_fill *fill, uint32_t warp)
{
    const struct bsim_fill_clock *knows = &fill->warp[warp].knows;
    for (uint32_t i = 0; i < fill->n_tiles; i++) {
        struct bsim_fill_tile *tile = &fill->tile[i];
        if (tile->n_loads > 0 && knows->tile[i] == tile->n_loads && tile->reader[warp].seen_at == 0) {
            tile->reader[warp].seen_at = knows->warp[warp];
        }
    }
}

void bsim_fill_wait(struct bsim_fill *fill, uint32_t warp, const struct bsim_fill_clock *phase)
{
    learn(step(fill, warp), phase);
    see(fill, warp);
}

void bsim_fill_sync(struct bsim_fill *fill, uint32_t n_warps)
{
    struct bsim_fill_clock all = {.warp = {0}};
    for (uint32_t warp = 0; warp < n_warps; warp++) {
        learn(&all, step(fill, warp));
    }
    for (uint32_t warp = 0; warp < n_warps; warp++) {
        learn(&fill->warp[warp].knows, &all);
        see(fill, warp);
    }
}

void bsim_fill_commit(struct bsim_fill *fill, uint32_t warp)
{
    struct bsim_fill_warp *w = &fill->warp[warp];
    w->end[w->n_groups++ % BSIM_GROUPS] = w->n_wgmmas;
}

void bsim_fill_retire(struct bsim_fill *fill, uint32_t warp, uint32_t n_left)
{
    struct bsim_fill_warp *w = &fill->warp[warp];
    uint32_t done = w->n_groups > n_left ? w->end[(w->n_groups - n_left - 1) % BSIM_GROUPS] : 0;
    uint32_t now = step(fill, warp)->warp[warp];
    w->n_done = done > w->n_done ? done : w->n_done;
    for (uint32_t i = 0; i < fill->n_tiles; i++) {
        struct bsim_fill_tile *tile = &fill->tile[i];
        uint32_t wgmma = tile->reader[warp].wgmma;
        if (wgmma > 0 && wgmma <= w->n_done && tile->reader[warp].done_at == 0) {
            tile->reader[warp].done_at = now;
        }
    }
}

/* ---- who waits for whom -------------------------------------------------------------------------- */

static const char *name_of(const struct bsim_fill *fill, uint32_t byte)
{
    size_t i = bsim_check_find_array(fill->check, byte);
    return i < fill->check->n_shared ? fill->check->array[i].name : "the tile";
}

const char *bsim_fill_put_name(const struct bsim_check *check, const struct bsim_meet_op *op,
                               char name[BSIM_FILL_NAME_SIZE])
{
    const struct bsim_check_array *array = &check->array[op->array];
    int length = snprintf(name, BSIM_FILL_NAME_SIZE, "%.60s", array->name);
    if (array->n_dimensions > 0) {
        (void)snprintf(name + length, BSIM_FILL_NAME_SIZE - (size_t)length, "[%" PRIu32 "]", op->element);
    }
    return name;
}

/* The warp's last wait for the mbarrier that a load comes to, or NULL. */
static const struct bsim_meet_op *last_wait(const struct bsim_fill *fill, uint32_t warp, const struct bsim_meet_op *load)
{
    const struct bsim_meet_list *list = &fill->meet->warp[warp];
    for (size_t i = list->next; i-- > 0;) {
        const struct bsim_meet_op *op = &list->op[i];
        if (op->kind == BSIM_MEET_WAIT && op->array == load->array && op->element == load->element) {
            return op;
        }
    }
    return NULL;
}

/* What all loads bring the mbarrier, and what all arrivals at it expect. */
static void add_bytes(const struct bsim_fill *fill, const struct bsim_meet_op *load, int64_t *brought, int64_t *expected)
{
    *brought = *expected = 0;
    for (uint32_t warp = 0; warp < BSIM_BLOCK_MAX_WARPS; warp++) {
        for (size_t i = 0; i < fill->meet->warp[warp].n; i++) {
            const struct bsim_meet_op *op = &fill->meet->warp[warp].op[i];
            bool is_there = op->array == load->array && op->element == load->element;
            *brought += is_there && op->kind == BSIM_MEET_LOAD ? op->bytes : 0;
            *expected += is_there && op->kind == BSIM_MEET_ARRIVE ? op->bytes : 0;
        }
    }
}

enum { REMEDY_SIZE = 256 };

/* What the warp would have to wait for in front of what it does to the tile, or why its wait did not do. */
static void put_remedy(const struct bsim_fill *fill, const struct bsim_fill_tile *tile, uint32_t warp,
                       char text[REMEDY_SIZE])
{
    const struct bsim_meet_op *load = tile->load, *wait = last_wait(fill, warp, load);
    uint32_t parity = tile->n_loads > 0 ? load->phase & 1 : 0;
    char name[BSIM_FILL_NAME_SIZE];
    int64_t brought, expected;
    (void)bsim_fill_put_name(fill->check, load, name);
    add_bytes(fill, load, &brought, &expected);
    if (wait != NULL && brought > expected) {
        (void)snprintf(text, REMEDY_SIZE,
                       "its wait for %s is over too soon: loads bring that %" PRId64
                       " bytes, and its arrivals expect %" PRId64 ": arrive with the bytes of all loads of a phase",
                       name, brought, expected);
    } else if (wait != NULL && (tile->n_loads == 0 || wait->n != parity)) {
        (void)snprintf(text, REMEDY_SIZE,
                       "its wait for %s is for parity %" PRIu64 ", of a phase that was over before, and the load comes to "
                       "one of parity %" PRIu64,
                       name, wait->n, wait->n ^ 1);
    } else if (tile->n_loads > 0) {
        (void)snprintf(text, REMEDY_SIZE, "put a wait for %s in front of it, of parity %" PRIu32, name, parity);
    } else {
        (void)snprintf(text, REMEDY_SIZE, "put a wait for %s in front of it", name);
    }
}

/* Whether the loading warp knows that one of the four has waited for the last wgmma of the tile. */
static bool knows_read(const struct bsim_fill *fill, const struct bsim_fill_tile *tile, uint32_t loader, uint32_t first)
{
    bool knows = false;
    for (uint32_t warp = first; warp < first + BSIM_WGMMA_WARPS; warp++) {
        uint32_t done_at = tile->reader[warp].done_at;
        knows = knows || (done_at > 0 && fill->warp[loader].knows.warp[warp] >= done_at);
    }
    return knows;
}

static bool is_reader(const struct bsim_fill_tile *tile, uint32_t first)
{
    uint32_t warp = first;
    while (warp < first + BSIM_WGMMA_WARPS && tile->reader[warp].wgmma == 0) {
        warp++;
    }
    return warp < first + BSIM_WGMMA_WARPS;
}

/* Whether the loading warp knows that somebody has waited for the last load. */
static bool knows_seen(const struct bsim_fill *fill, const struct bsim_fill_tile *tile, uint32_t loader)
{
    uint32_t warp = 0;
    while (warp < BSIM_BLOCK_MAX_WARPS &&
           (tile->reader[warp].seen_at == 0 ||
            fill->warp[loader].knows.warp[warp] < tile->reader[warp].seen_at)) {
        warp++;
    }
    return warp < BSIM_BLOCK_MAX_WARPS;
}

/* A load or store of lanes that may come before the load is there. */
static enum bsim_status refuse_touch(const struct bsim_fill *fill, const struct bsim_fill_tile *tile, uint32_t warp,
                                     const struct bsim_access *access)
{
    const struct bsim_opcode *opcode = &access->shown.opcode;
    bool reads = opcode->family == BSIM_LD || opcode->family == BSIM_LDMATRIX;
    char remedy[REMEDY_SIZE];
    put_remedy(fill, tile, warp, remedy);
    return bsim_cu_error(access->node->source, access->node->at, fill->err,
                         "this %s of warp %" PRIu32 " may %s its tile of %s before tma load %" PRIu32
                         " of it is there: %s",
                         access->shown.op, warp, reads ? "read" : "write to", name_of(fill, tile->begin),
                         tile->n_loads > 0 ? tile->n_loads : 1, remedy);
}

/* Whether the loading warp knows that the other's lanes have accessed the tile, or may know it by wgmma. */
static bool knows_touched(const struct bsim_fill *fill, const struct bsim_fill_tile *tile, uint32_t loader, uint32_t warp)
{
    const struct bsim_fill_clock *knows = &fill->warp[loader].knows;
    uint32_t first = warp - warp % BSIM_WGMMA_WARPS;
    bool is_known = warp == loader || knows->warp[warp] >= tile->reader[warp].touched_at;
    for (uint32_t i = first; i < first + BSIM_WGMMA_WARPS && fill->warp[warp].has_wgmma; i++) {
        is_known = is_known || knows->warp[i] > 0;
    }
    return is_known;
}

static enum bsim_status check_touches(const struct bsim_fill *fill, const struct bsim_fill_tile *tile, uint32_t loader,
                                      const struct bsim_meet_op *op)
{
    for (uint32_t warp = 0; warp < BSIM_BLOCK_MAX_WARPS; warp++) {
        const struct bsim_access *touch = tile->reader[warp].touch;
        if (touch == NULL || knows_touched(fill, tile, loader, warp)) {
            continue;
        }
        bool reads = touch->shown.opcode.family == BSIM_LD || touch->shown.opcode.family == BSIM_LDMATRIX;
        return tile->n_loads == 0 && reads
                   ? refuse_touch(fill, tile, warp, touch)
                   : bsim_cu_error(op->step->source, op->step->at, fill->err,
                                   "tma load %" PRIu32 " of this tile of %s may come while warp %" PRIu32
                                   " still accesses it (%s %s): wait for an mbarrier at which that warp arrives behind it",
                                   tile->n_loads + 1, name_of(fill, tile->begin), warp, touch->shown.op,
                                   touch->shown.text);
    }
    return BSIM_OK;
}

static enum bsim_status check_load(const struct bsim_fill *fill, const struct bsim_fill_tile *tile, uint32_t loader,
                                   const struct bsim_meet_op *op)
{
    for (uint32_t first = 0; first < BSIM_BLOCK_MAX_WARPS; first += BSIM_WGMMA_WARPS) {
        if (is_reader(tile, first) && !knows_read(fill, tile, loader, first)) {
            return bsim_cu_error(op->step->source, op->step->at, fill->err,
                                 "load %" PRIu32 " of this tile of %s may come while warps %" PRIu32 " to %" PRIu32
                                 " still read it by wgmma: wait for an mbarrier at which they arrive behind their wait_group",
                                 tile->n_loads + 1, name_of(fill, tile->begin), first, first + BSIM_WGMMA_WARPS - 1);
        }
    }
    return tile->n_loads == 0 || !tile->is_read || knows_seen(fill, tile, loader)
               ? BSIM_OK
               : bsim_cu_error(op->step->source, op->step->at, fill->err,
                               "load %" PRIu32 " of this tile of %s may come before anybody has waited for load %" PRIu32
                               ": wait for an mbarrier at which its readers arrive behind their wait_group",
                               tile->n_loads + 1, name_of(fill, tile->begin), tile->n_loads);
}

enum bsim_status bsim_fill_load(struct bsim_fill *fill, uint32_t warp, const struct bsim_meet_op *op,
                                struct bsim_fill_clock *phase)
{
    struct bsim_fill_tile *tile = find(fill, op->begin[0]);
    if (tile == NULL) {
        return BSIM_OK;
    }
    enum bsim_status status = check_load(fill, tile, warp, op);
    status = status == BSIM_OK && !tile->is_uneven ? check_touches(fill, tile, warp, op) : status;
    tile->load = op;
    tile->n_loads++;
    memset(tile->reader, 0, sizeof tile->reader);
    phase->tile[tile - fill->tile] = tile->n_loads;
    return status;
}

static enum bsim_status read_tile(struct bsim_fill *fill, uint32_t warp, const struct bsim_meet_op *op, uint32_t byte)
{
    struct bsim_fill_tile *tile = find(fill, byte);
    if (tile == NULL) {
        return BSIM_OK;
    }
    tile->reader[warp].wgmma = fill->warp[warp].n_wgmmas;
    tile->reader[warp].done_at = 0;
    if (tile->n_loads > 0 && fill->warp[warp].knows.tile[tile - fill->tile] == tile->n_loads) {
        return BSIM_OK;
    }
    char remedy[REMEDY_SIZE];
    put_remedy(fill, tile, warp, remedy);
    return bsim_cu_error(op->step->source, op->step->at, fill->err,
                         "this wgmma of warp %" PRIu32 " may read its tile of %s before tma load %" PRIu32
                         " of it is there: %s",
                         warp, name_of(fill, tile->begin), tile->n_loads > 0 ? tile->n_loads : 1, remedy);
}

enum bsim_status bsim_fill_wgmma(struct bsim_fill *fill, uint32_t warp, const struct bsim_meet_op *op)
{
    fill->warp[warp].n_wgmmas++;
    enum bsim_status status = read_tile(fill, warp, op, op->begin[0]);
    return status == BSIM_OK ? read_tile(fill, warp, op, op->begin[1]) : status;
}

static enum bsim_status touch_tile(struct bsim_fill *fill, uint32_t warp, const struct bsim_access *access, uint32_t byte)
{
    struct bsim_fill_tile *tile = find(fill, byte);
    if (tile == NULL || tile->is_uneven) {
        return BSIM_OK;
    }
    const struct bsim_fill_clock *knows = &fill->warp[warp].knows;
    if (knows->tile[tile - fill->tile] < tile->n_loads) {
        return refuse_touch(fill, tile, warp, access);
    }
    if (tile->reader[warp].touch == NULL) {
        tile->reader[warp].touch = access;
    }
    tile->reader[warp].touched_at = knows->warp[warp] + 1; /* the next step, by which others may know of it */
    return BSIM_OK;
}

enum bsim_status bsim_fill_touch(struct bsim_fill *fill, uint32_t warp, const struct bsim_meet_touch *touch)
{
    if (touch->access->shown.opcode.family == BSIM_CP_ASYNC) {
        return BSIM_OK;
    }
    enum bsim_status status = touch_tile(fill, warp, touch->access, touch->first);
    return status == BSIM_OK ? touch_tile(fill, warp, touch->access, touch->last) : status;
}
