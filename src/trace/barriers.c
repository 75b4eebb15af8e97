/* barriers.c - the count of each warp's barriers; see barriers.h.
 *
 * A `w*` barrier is written down once, in the place that all warps share, and each warp only notes
 * which place its last barrier has:
 *
 *     w* bar.sync     count 1 1 1 1     last * * * *
 *     w2 bar.sync     count 1 1 2 1     last * * 2 *     at the end: 2 reaches 2, the others 1
 *
 * Which barrier a warp waits at when counts agree is not looked at: bar.sync has one barrier here.
 */
#include "trace/barriers.h"

#include <inttypes.h>
#include <string.h>

enum { SHARED_PLACE = BSIM_BLOCK_MAX_WARPS, BEFORE_CARET = 40 };

static const uint64_t max_count = UINT64_C(1) << 62;

void bsim_barriers_start(struct bsim_barriers *barriers, uint32_t n_warps)
{
    barriers->n_warps = n_warps;
    memset(barriers->count, 0, sizeof barriers->count);
}

/* A line that is too long is kept from some bytes before the column. */
static void keep_place(struct bsim_barrier_place *place, const struct bsim_scan *scan,
                       const char *where)
{
    place->line = scan->number;
    place->column = place->caret = 0;
    place->length = 0;
    if (where == NULL) {
        return;
    }
    size_t length = (size_t)(scan->end - scan->line);
    size_t at = (size_t)(where - scan->line);
    size_t start = length > sizeof place->text && at > BEFORE_CARET ? at - BEFORE_CARET : 0;
    place->column = (uint32_t)at + 1;
    place->caret = (uint32_t)(at - start);
    place->length = length - start < sizeof place->text ? length - start : sizeof place->text;
    memcpy(place->text, scan->line + start, place->length);
}

enum bsim_status bsim_barriers_add(struct bsim_barriers *barriers, uint32_t warp, uint64_t trips,
                                   const struct bsim_scan *scan, const char *where,
                                   struct bsim_error *err)
{
    bool all = warp == BSIM_ALL_WARPS;
    uint32_t first = all ? 0 : warp;
    uint32_t end = all ? barriers->n_warps : warp + 1;
    uint8_t slot = (uint8_t)(all ? SHARED_PLACE : warp);
    keep_place(&barriers->place[slot], scan, where);
    for (uint32_t w = first; w < end; w++) {
        barriers->last[w] = slot;
        barriers->count[w] += trips;
        if (barriers->count[w] > max_count) {
            (void)bsim_error_set(err, BSIM_E_INPUT,
                                 "warp %" PRIu32 " executes more than 2^62 barriers", w);
            return where == NULL ? BSIM_E_INPUT : bsim_scan_place(scan, where, err);
        }
    }
    return BSIM_OK;
}

static enum bsim_status report(const struct bsim_barriers *barriers, uint32_t most, uint32_t least,
                               const char *file, struct bsim_error *err)
{
    const struct bsim_barrier_place *place = &barriers->place[barriers->last[most]];
    uint64_t n = barriers->count[most];
    (void)bsim_error_set(err, BSIM_E_INPUT,
                         "warp %" PRIu32 " reaches %" PRIu64 " of the %" PRIu64
                         " barrier%s that warp %" PRIu32
                         " reaches: each bar.sync of a block needs all of its warps",
                         least, barriers->count[least], n, n == 1 ? "" : "s", most);
    bsim_error_place(err, file, place->line, place->caret + 1,
                     place->column > 0 ? place->text : NULL, place->length);
    if (err != NULL) {
        err->column = place->column;
    }
    return BSIM_E_INPUT;
}

enum bsim_status bsim_barriers_check(const struct bsim_barriers *barriers, const char *file,
                                     struct bsim_error *err)
{
    uint32_t most = 0;
    uint32_t least = 0;
    for (uint32_t w = 1; w < barriers->n_warps; w++) {
        if (barriers->count[w] > barriers->count[most]) {
            most = w;
        }
        if (barriers->count[w] < barriers->count[least]) {
            least = w;
        }
    }
    if (barriers->count[most] == barriers->count[least]) {
        return BSIM_OK;
    }
    return report(barriers, most, least, file, err);
}
