/* body.c - runs repeats, mostly twice; see body.h.
 *
 * Two turns stand for all of them where the warps enter the repeat in one interval and each of them
 * passes the same number of barriers in a turn, or none; 33 where it has barriers of some lanes.
 * README.md says why. Any other repeat is run turn by turn.
 */
#include "hazard/body.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

/* Steps of warps in one outermost repeat that has to be run turn by turn: some hundred megabytes
 * where no interval can be closed before its end. */
static const uint64_t max_run = UINT64_C(1) << 22;

static const uint64_t max_barriers = UINT64_C(1) << 47;

void bsim_body_free(struct bsim_body *body)
{
    bsim_steps_free(&body->steps);
    bsim_mem_free(body->loops);
}

/* ---- recording ------------------------------------------------------------------------------ */

bool bsim_body_open(struct bsim_body *body, uint32_t trips)
{
    if (body->depth == 0) {
        bsim_steps_clear(&body->steps);
        body->n_loops = 0;
    }
    struct bsim_step step = {.kind = BSIM_STEP_REPEAT, .loop = body->n_loops};
    struct bsim_body_loop *loops = bsim_mem_grow(body->loops, body->n_loops, sizeof *loops);
    body->loops = loops != NULL ? loops : body->loops;
    if (loops == NULL || !bsim_steps_add(&body->steps, &step, NULL)) {
        return false;
    }
    body->loops[body->n_loops] = (struct bsim_body_loop){.begin = body->steps.end, .trips = trips};
    memset(body->barriers[body->depth], 0, sizeof body->barriers[0]);
    body->open[body->depth++] = body->n_loops++;
    return true;
}

static void count_barrier(uint64_t barriers[BSIM_BLOCK_MAX_WARPS], uint32_t warp)
{
    if (warp != BSIM_ALL_WARPS) {
        barriers[warp]++;
        return;
    }
    for (uint32_t w = 0; w < BSIM_BLOCK_MAX_WARPS; w++) {
        barriers[w]++;
    }
}

/* All repeats around it have it. */
static void note_partial(struct bsim_body *body)
{
    for (uint32_t d = 0; d < body->depth; d++) {
        body->loops[body->open[d]].has_partial = true;
    }
}

bool bsim_body_add(struct bsim_body *body, const struct bsim_step *step, const uint64_t *address)
{
    if (step->kind == BSIM_STEP_WARP_SYNC && step->lanes != BSIM_FULL_MASK) {
        note_partial(body);
    }
    if (step->kind == BSIM_STEP_BARRIER) {
        count_barrier(body->barriers[body->depth - 1], step->warp);
    }
    return bsim_steps_add(&body->steps, step, address);
}

static bool all_equal(const uint64_t *count, uint32_t n)
{
    for (uint32_t w = 1; w < n; w++) {
        if (count[w] != count[0]) {
            return false;
        }
    }
    return true;
}

/* Adds the barriers of all turns to the repeat around, if there is one. */
static enum bsim_status count_trips(struct bsim_body *body, uint32_t trips, struct bsim_error *err)
{
    const uint64_t *inner = body->barriers[body->depth];
    uint64_t *outer = body->depth > 0 ? body->barriers[body->depth - 1] : NULL;
    for (uint32_t w = 0; w < BSIM_BLOCK_MAX_WARPS; w++) {
        uint64_t left = max_barriers - (outer != NULL ? outer[w] : 0);
        if (inner[w] > left / trips) {
            return bsim_error_set(err, BSIM_E_INPUT, "a warp executes more than 2^47 barriers");
        }
        if (outer != NULL) {
            outer[w] += inner[w] * trips;
        }
    }
    return BSIM_OK;
}

/* ---- running -------------------------------------------------------------------------------- */

static enum bsim_status run_loop(struct bsim_body *body, size_t index, struct bsim_block *block,
                                 struct bsim_error *err);

static enum bsim_status run_turn(struct bsim_body *body, const struct bsim_body_loop *loop,
                                 struct bsim_block *block, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    size_t at = loop->begin;
    while (at < loop->end && status == BSIM_OK) {
        const struct bsim_step *step = bsim_steps_at(&body->steps, at);
        if (step->kind == BSIM_STEP_REPEAT) {
            status = run_loop(body, step->loop, block, err);
            at = body->loops[step->loop].end;
        } else {
            status = bsim_block_step(block, step, bsim_step_addresses(step), err);
            at = bsim_steps_after(&body->steps, at);
        }
        body->n_run += step->warp == BSIM_ALL_WARPS ? block->n_warps : 1;
    }
    return status;
}

static uint32_t trips_needed(const struct bsim_body_loop *loop, const struct bsim_block *block)
{
    uint32_t enough = loop->trips;
    if (loop->is_uniform && (loop->barriers == 0 || bsim_block_is_aligned(block))) {
        enough = loop->has_partial ? BSIM_WARP_LANES + 1 : 2;
    }
    return loop->trips < enough ? loop->trips : enough;
}

static enum bsim_status run_loop(struct bsim_body *body, size_t index, struct bsim_block *block,
                                 struct bsim_error *err)
{
    const struct bsim_body_loop *loop = &body->loops[index];
    uint32_t trips = trips_needed(loop, block);
    for (uint32_t turn = 0; turn < trips; turn++) {
        if (turn >= 2 && body->n_run > max_run) {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "races cannot be looked for in a repeat of %" PRIu32
                                  " turns whose warps do not go from barrier to barrier together: "
                                  "write its barriers as w* bar.sync, or repeat less",
                                  loop->trips);
        }
        enum bsim_status status = run_turn(body, loop, block, err);
        if (status != BSIM_OK) {
            return status;
        }
    }
    return trips == loop->trips
               ? BSIM_OK
               : bsim_block_skip(block, (loop->trips - trips) * loop->barriers, err);
}

enum bsim_status bsim_body_close(struct bsim_body *body, struct bsim_block *block,
                                 struct bsim_error *err)
{
    body->depth--;
    const uint64_t *barriers = body->barriers[body->depth];
    struct bsim_body_loop *loop = &body->loops[body->open[body->depth]];
    loop->end = body->steps.end;
    loop->barriers = barriers[0];
    loop->is_uniform = all_equal(barriers, block->n_warps);
    enum bsim_status status = count_trips(body, loop->trips, err);
    if (status != BSIM_OK || body->depth > 0) {
        return status;
    }
    body->n_run = 0;
    return run_loop(body, 0, block, err);
}
