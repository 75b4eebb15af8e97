/* fill.c - tiles that TMA fills and wgmma reads: whether each waits for the other.
 *
 *     producer     load A[0]        wait empty[0]   load A[0]       must know that all have read the first
 *                         \        /                        \
 *     consumer      wait full[0]  wgmma  wait_group  arrive   wait full[0]  wgmma     must know of the load
 *
 * Each warp has a clock of what it knows to have happened, as vector clocks are: its own steps, those of
 * the warps whose arrivals it has waited for, and the loads of each tile that came with them. A sketch in
 * which a wait is missing would be counted, and take less time than any kernel that computes something.
 * A wgmma is done with its tile when one of its four warps has waited for its group. Loads and stores of
 * lanes are not looked at.
 */
#include "expr/fill.h"

#include <inttypes.h>
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
            (struct bsim_fill_tile){.begin = load->begin[0], .end = load->begin[1]};
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
    for (int reads = 0; reads < 2; reads++) {
        for (uint32_t warp = 0; warp < n_warps; warp++) {
            for (size_t i = 0; i < meet->warp[warp].n; i++) {
                const struct bsim_meet_op *op = &meet->warp[warp].op[i];
                if (reads == 0 && op->kind == BSIM_MEET_LOAD) {
                    add_tile(fill, op);
                } else if (reads == 1 && op->kind == BSIM_MEET_WGMMA) {
                    note_reader(fill, op);
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
    return tile->n_loads > 0 && fill->warp[warp].knows.tile[tile - fill->tile] == tile->n_loads
               ? BSIM_OK
               : bsim_cu_error(op->step->source, op->step->at, fill->err,
                               "this wgmma of warp %" PRIu32 " may read its tile of %s before load %" PRIu32
                               " of it is there: wait for the mbarrier that the load names",
                               warp, name_of(fill, tile->begin), tile->n_loads > 0 ? tile->n_loads : 1);
}

enum bsim_status bsim_fill_wgmma(struct bsim_fill *fill, uint32_t warp, const struct bsim_meet_op *op)
{
    fill->warp[warp].n_wgmmas++;
    enum bsim_status status = read_tile(fill, warp, op, op->begin[0]);
    return status == BSIM_OK ? read_tile(fill, warp, op, op->begin[1]) : status;
}
