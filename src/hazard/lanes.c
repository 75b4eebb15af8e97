/* lanes.c - races between the lanes of one warp; see lanes.h.
 *
 * A warp's interval falls into stretches: behind a barrier of all of its lanes nothing races with
 * what stood before. (Where lanes run in step, only the compiler can change the order, and any
 * __syncwarp or fence holds it back.) A stretch is looked at a second time only if a byte in it was
 * touched by two lanes and written:
 *
 *     st s[lane]; ld s[lane ^ 1]; bar.warp.sync ffffffff | st s[lane]
 *     the load races with the store before it,            this store with nothing
 *
 * A warp that goes on behind a meeting with others is taken for one whose lanes have met: which of them
 * came there is not told, so that races may be missed and none is invented.
 *
 * A barrier of some lanes starts an epoch. seen[epoch][b][a] is the number of the last barrier that
 * orders a's accesses before b's: those of a in epochs below it. So an access of a in epoch x comes
 * before one of b in epoch y >= x if seen[y][b][a] > x: a vector clock (Mattern, 1989).
 */
#include "hazard/lanes.h"

#include "base/memory.h"
#include "hazard/pairs.h"

#include <stdlib.h>
#include <string.h>

enum {
    CLOCKS = BSIM_WARP_LANES * BSIM_WARP_LANES, /* of an epoch: 4 KiB */
    MAX_EPOCHS = 4096, /* beyond it a barrier of some lanes is taken for one of all: 16 MiB */
};

void bsim_lanes_free(struct bsim_lanes *lanes)
{
    bsim_shadow_free(&lanes->shadow);
    bsim_touches_free(&lanes->touches);
    bsim_mem_free(lanes->seen);
    memset(lanes, 0, sizeof *lanes);
}

/* ---- stretches and epochs ------------------------------------------------------------------- */

static bool ends_stretch(const struct bsim_lanes *lanes, const struct bsim_step *step,
                         uint32_t exist, uint32_t epoch)
{
    if (step->kind == BSIM_STEP_AWAIT) {
        return true;
    }
    if (lanes->order == BSIM_LANES_IN_STEP) {
        return step->kind == BSIM_STEP_WARP_SYNC || step->kind == BSIM_STEP_FENCE;
    }
    return step->kind == BSIM_STEP_WARP_SYNC &&
           ((step->lanes & exist) == exist || epoch + 1 == MAX_EPOCHS);
}

/* The clocks of the next epoch, behind a barrier of `named`. False when memory is short. */
static bool start_epoch(struct bsim_lanes *lanes, uint32_t epoch, uint32_t named)
{
    if (epoch >= lanes->n_seen) {
        size_t n = lanes->n_seen == 0 ? 4 : 2 * lanes->n_seen;
        uint32_t *seen = bsim_mem_resize(lanes->seen, n, CLOCKS * sizeof *seen);
        if (seen == NULL) {
            return false;
        }
        lanes->seen = seen;
        lanes->n_seen = n;
    }
    uint32_t *now = lanes->seen + (size_t)epoch * CLOCKS;
    if (epoch == 0) {
        memset(now, 0, CLOCKS * sizeof *now);
        return true;
    }
    memcpy(now, now - CLOCKS, CLOCKS * sizeof *now);
    uint32_t joined[BSIM_WARP_LANES] = {0};
    for (uint32_t i = 0; i < CLOCKS; i++) {
        uint32_t a = i % BSIM_WARP_LANES;
        bool is_named = (named >> i / BSIM_WARP_LANES & 1) != 0;
        joined[a] = is_named && now[i] > joined[a] ? now[i] : joined[a];
    }
    for (uint32_t i = 0; i < CLOCKS; i++) {
        uint32_t a = i % BSIM_WARP_LANES;
        if ((named >> i / BSIM_WARP_LANES & 1) != 0) {
            now[i] = (named >> a & 1) != 0 ? epoch : joined[a];
        }
    }
    return true;
}

/* ---- touches of a stretch ------------------------------------------------------------------- */

/* All but the order of the program. */
static int by_kind(const struct bsim_touch *a, const struct bsim_touch *b)
{
    int order = bsim_touch_by_place(a, b);
    order = order != 0 ? order : bsim_touch_by_static(a, b);
    order = order != 0 ? order : bsim_touch_order(a->lane, b->lane);
    order = order != 0 ? order : bsim_touch_order(a->epoch, b->epoch);
    return order != 0 ? order : bsim_touch_order(a->step->lanes, b->step->lanes);
}

static int by_all(const void *left, const void *right)
{
    const struct bsim_touch *a = left;
    const struct bsim_touch *b = right;
    int order = by_kind(a, b);
    return order != 0 ? order : (a->step > b->step) - (a->step < b->step);
}

/* Of the touches of a kind, whose order against all others is the same, the first and the last tell
 * whether there are several. */
static void thin_out(struct bsim_touches *touches)
{
    struct bsim_touch *list = touches->list;
    size_t kept = 0;
    qsort(list, touches->n, sizeof *list, by_all);
    for (size_t i = 0; i < touches->n; i++) {
        bool between = kept >= 2 && by_kind(&list[kept - 1], &list[i]) == 0 &&
                       by_kind(&list[kept - 2], &list[i]) == 0;
        kept -= between;
        list[kept++] = list[i];
    }
    touches->n = kept;
}

/* ---- races ---------------------------------------------------------------------------------- */

/* A store waits for what its own statement loads: its lane cannot store before it has loaded, and
 * in step all lanes of that load have. A source line is taken for a statement. */
static bool waits_for(const struct bsim_touch *store, const struct bsim_touch *load)
{
    const struct bsim_site *from = load->step->site;
    const struct bsim_site *to = store->step->site;
    return load->step < store->step && bsim_step_writes(store->step) &&
           !bsim_step_writes(load->step) && (load->step->lanes >> store->lane & 1) != 0 &&
           from != NULL && to != NULL && from->line != 0 && from->line == to->line &&
           from->file != NULL && to->file != NULL && strcmp(from->file, to->file) == 0;
}

static bool race_in_step(const struct bsim_touch *a, const struct bsim_touch *b)
{
    bool is_kept = a->step->opcode.is_volatile && b->step->opcode.is_volatile;
    return !is_kept && !waits_for(a, b) && !waits_for(b, a);
}

static bool race(const struct bsim_lanes *lanes, const struct bsim_touch *a,
                 const struct bsim_touch *b)
{
    if (a->lane == b->lane || a->step == b->step) {
        return false;
    }
    if (lanes->order == BSIM_LANES_IN_STEP) {
        return race_in_step(a, b);
    }
    const struct bsim_touch *first = a->epoch <= b->epoch ? a : b;
    const struct bsim_touch *second = first == a ? b : a;
    const uint32_t *clock = lanes->seen + (size_t)second->epoch * CLOCKS;
    return clock[second->lane * BSIM_WARP_LANES + first->lane] <= first->epoch;
}

static bool add_race(struct bsim_lanes *lanes, const struct bsim_touch *a,
                     const struct bsim_touch *b, struct bsim_findings *findings,
                     const struct bsim_race *place)
{
    struct bsim_race found = *place;
    bool in_order = a->step < b->step;
    found.kind = BSIM_RACE_LANES;
    found.address = a->address;
    found.access[0] = bsim_touch_side(in_order ? a->step : b->step, in_order ? a->lane : b->lane);
    found.access[1] = bsim_touch_side(in_order ? b->step : a->step, in_order ? b->lane : a->lane);
    return bsim_findings_add_race(findings, &found, lanes->stretch);
}

/* Two static accesses of a byte, each with its touches there: the first pair that races is
 * counted. */
static bool hold_against(struct bsim_lanes *lanes, const struct bsim_touch *a, size_t n_a,
                         const struct bsim_touch *b, size_t n_b, struct bsim_findings *findings,
                         const struct bsim_race *place)
{
    if (!bsim_step_writes(a->step) && !bsim_step_writes(b->step)) {
        return true;
    }
    for (size_t i = 0; i < n_a; i++) {
        for (size_t j = 0; j < n_b; j++) {
            if (race(lanes, &a[i], &b[j])) {
                return add_race(lanes, &a[i], &b[j], findings, place);
            }
        }
    }
    return true;
}

/* How many of n touches, at least one, are of the first one's byte and static access. */
static size_t run_length(const struct bsim_touch *touch, size_t n)
{
    size_t length = 1;
    while (length < n && bsim_touch_by_place(&touch[length], touch) == 0 &&
           bsim_touch_by_static(&touch[length], touch) == 0) {
        length++;
    }
    return length;
}

static bool report(struct bsim_lanes *lanes, struct bsim_findings *findings,
                   const struct bsim_race *place)
{
    struct bsim_touches *touches = &lanes->touches;
    bool ok = true;
    if (touches->n > 0) {
        thin_out(touches);
    }
    for (size_t i = 0, n_i; i < touches->n && ok && !findings->is_cut; i += n_i) {
        const struct bsim_touch *a = &touches->list[i];
        n_i = run_length(a, touches->n - i);
        for (size_t j = i, n_j;
             j < touches->n && bsim_touch_by_place(a, &touches->list[j]) == 0 && ok; j += n_j) {
            n_j = run_length(&touches->list[j], touches->n - j);
            ok = hold_against(lanes, a, n_i, &touches->list[j], n_j, findings, place);
        }
    }
    touches->n = 0;
    return ok;
}

/* ---- one request ---------------------------------------------------------------------------- */

/* Counts each address that several lanes of a store have, by its second lane. */
static bool note_request(struct bsim_lanes *lanes, const struct bsim_step *step,
                         struct bsim_findings *findings, const struct bsim_race *place)
{
    struct bsim_step_walk walk = {0, 0};
    struct bsim_race found = *place;
    uint64_t address[BSIM_WARP_LANES];
    uint32_t lane[BSIM_WARP_LANES];
    bool ok = true;
    lanes->request++;
    for (uint32_t n = 0; bsim_step_next(step, &walk, &lane[n], &address[n]) && ok; n++) {
        uint32_t before = 0;
        uint32_t other = 0;
        for (uint32_t i = 0; i < n; i++) {
            other = address[i] == address[n] && before++ == 0 ? i : other;
        }
        found.kind = BSIM_RACE_REQUEST;
        found.access[0] = bsim_touch_side(step, lane[other]);
        found.access[1] = bsim_touch_side(step, lane[n]);
        for (uint32_t i = 0; i < step->opcode.bytes && before == 1 && ok; i++) {
            found.address = address[n] + i;
            ok = bsim_findings_add_race(findings, &found, lanes->request);
        }
    }
    return ok;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* The steps from `at` to `end` are a stretch some byte of which may be racy. */
static bool look_again(struct bsim_lanes *lanes, const struct bsim_steps *steps, size_t at,
                       size_t end, struct bsim_findings *findings, const struct bsim_race *place)
{
    uint32_t epoch = 0;
    bool ok = start_epoch(lanes, 0, 0);
    for (; at < end && ok; at = bsim_steps_after(steps, at)) {
        const struct bsim_step *step = bsim_steps_at(steps, at);
        if (step->kind == BSIM_STEP_WARP_SYNC) {
            ok = start_epoch(lanes, ++epoch, step->lanes);
        } else if (step->kind == BSIM_STEP_ACCESS) {
            ok = bsim_touches_add(&lanes->touches, &lanes->shadow, step, epoch, thin_out) &&
                 (!bsim_step_writes(step) || note_request(lanes, step, findings, place));
        }
    }
    return ok && report(lanes, findings, place);
}

bool bsim_lanes_check(struct bsim_lanes *lanes, const struct bsim_steps *steps, uint32_t exist,
                      struct bsim_findings *findings, const struct bsim_race *place)
{
    size_t at = steps->head;
    bool ok = lanes->order != BSIM_LANES_UNKNOWN;
    if (!ok) {
        return true;
    }
    while (ok && bsim_steps_in_interval(steps, at)) {
        size_t start = at;
        uint32_t epoch = 0;
        bool ended = false;
        bsim_shadow_start(&lanes->shadow);
        lanes->stretch++;
        while (ok && !ended && bsim_steps_in_interval(steps, at)) {
            const struct bsim_step *step = bsim_steps_at(steps, at);
            ended = ends_stretch(lanes, step, exist, epoch);
            epoch += step->kind == BSIM_STEP_WARP_SYNC && !ended;
            ok = step->kind != BSIM_STEP_ACCESS || bsim_touch_note(&lanes->shadow, step, true);
            at += ended ? 0 : bsim_steps_after(steps, at) - at;
        }
        ok = ok && (!lanes->shadow.racy || look_again(lanes, steps, start, at, findings, place));
        at = ended ? bsim_steps_after(steps, at) : at;
    }
    return ok;
}
