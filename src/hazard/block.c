/* block.c - intervals, from barrier to barrier; see block.h.
 *
 * Each warp has an interval number of its own, the barriers that it has passed, because a stream
 * may bring the warps in any order. An interval closes when the last warp has left it; what it
 * holds is then at the front of every warp's steps, up to the first barrier:
 *
 *     w0   st ld | st |           closed = 0: the interval of the first st and ld is open,
 *     w1   st                     because w1 may still access memory in it
 *
 * So intervals close in order, whatever the interleaving. What is closed is checked byte by byte
 * first, which is cheap; the accesses are looked at a second time only where a byte is racy.
 */
#include "hazard/block.h"

#include <string.h>

static const uint64_t max_barriers = UINT64_C(1) << 47;

enum bsim_status bsim_hazard_memory(bool ok, struct bsim_error *err)
{
    return ok ? BSIM_OK
              : bsim_error_set(err, BSIM_E_MEMORY, "out of memory while looking for races");
}

void bsim_block_start(struct bsim_block *block, struct bsim_dim3 place, uint32_t n_threads)
{
    uint32_t n_warps = (n_threads + BSIM_WARP_LANES - 1) / BSIM_WARP_LANES;
    uint32_t in_last = n_threads - (n_warps - 1) * BSIM_WARP_LANES;
    block->n_warps = n_warps;
    block->place = place;
    block->closed = 0;
    block->skipped = 0;
    block->n_ahead = 0;
    block->has_meetings = false;
    bsim_order_start(&block->order);
    for (uint32_t w = 0; w < n_warps; w++) {
        struct bsim_warp *warp = &block->warp[w];
        bsim_steps_clear(&warp->steps);
        warp->lanes =
            w + 1 < n_warps ? BSIM_FULL_MASK : BSIM_FULL_MASK >> (BSIM_WARP_LANES - in_last);
        warp->pending = 0;
        warp->last_site = NULL;
        warp->last_line = 0;
    }
}

void bsim_block_free(struct bsim_block *block)
{
    for (uint32_t w = 0; w < BSIM_BLOCK_MAX_WARPS; w++) {
        bsim_steps_free(&block->warp[w].steps);
    }
    bsim_shadow_free(&block->shadow);
    bsim_touches_free(&block->touches);
    bsim_lanes_free(&block->lanes);
    bsim_order_free(&block->order);
    bsim_grid_free(&block->grid);
}

/* ---- one interval --------------------------------------------------------------------------- */

/* Each access of the oldest interval, warp by warp; until visit answers false. */
static bool each_access(struct bsim_block *block,
                        bool (*visit)(struct bsim_block *block, const struct bsim_step *step))
{
    for (uint32_t w = 0; w < block->n_warps; w++) {
        const struct bsim_steps *steps = &block->warp[w].steps;
        for (size_t at = steps->head; bsim_steps_in_interval(steps, at);
             at = bsim_steps_after(steps, at)) {
            const struct bsim_step *step = bsim_steps_at(steps, at);
            if (step->kind == BSIM_STEP_ACCESS && !visit(block, step)) {
                return false;
            }
        }
    }
    return true;
}

static bool note_step(struct bsim_block *block, const struct bsim_step *step)
{
    return bsim_touch_note(&block->shadow, step, false);
}

static bool find_racy_bytes(struct bsim_block *block)
{
    bsim_shadow_start(&block->shadow);
    return each_access(block, note_step);
}

static bool collect_step(struct bsim_block *block, const struct bsim_step *step)
{
    return bsim_touches_add(&block->touches, &block->shadow, step, 0, bsim_pairs_thin_out);
}

static bool report_racy_bytes(struct bsim_block *block)
{
    struct bsim_race place = {.block = block->place, .barriers = block->closed + block->skipped};
    return each_access(block, collect_step) &&
           bsim_pairs_report(&block->touches, block->findings, &place, block->intervals);
}

/* Where warps have met otherwise than all together, the order is looked at, too. */
static bool report_unordered(struct bsim_block *block)
{
    struct bsim_race place = {.block = block->place, .barriers = block->closed + block->skipped};
    const struct bsim_steps *steps[BSIM_BLOCK_MAX_WARPS];
    for (uint32_t w = 0; w < block->n_warps; w++) {
        steps[w] = &block->warp[w].steps;
    }
    return bsim_order_check(&block->order, steps, block->n_warps, block->shadow.racy,
                            block->findings, &place, block->intervals);
}

static bool check_warps(struct bsim_block *block)
{
    return find_racy_bytes(block) &&
           (block->has_meetings ? report_unordered(block)
                                : !block->shadow.racy || report_racy_bytes(block));
}

static bool check_lanes(struct bsim_block *block)
{
    struct bsim_race place = {.block = block->place, .barriers = block->closed + block->skipped};
    bool ok = true;
    for (uint32_t w = 0; w < block->n_warps && ok; w++) {
        ok = bsim_lanes_check(&block->lanes, &block->warp[w].steps, block->warp[w].lanes,
                              block->findings, &place);
    }
    return ok;
}

static bool hold_against_blocks(struct bsim_block *block, const struct bsim_step *step)
{
    return step->opcode.space != BSIM_GLOBAL ||
           bsim_grid_step(&block->grid, step, block->place, block->findings);
}

static bool check_grid(struct bsim_block *block)
{
    return block->is_alone || each_access(block, hold_against_blocks);
}

/* The warp leaves the oldest interval, through a barrier if it has one. */
static void leave_interval(struct bsim_block *block, struct bsim_warp *warp)
{
    struct bsim_steps *steps = &warp->steps;
    size_t at = steps->head;
    while (bsim_steps_in_interval(steps, at)) {
        at = bsim_steps_after(steps, at);
    }
    if (at < steps->end) {
        at = bsim_steps_after(steps, at);
        warp->pending--;
        block->n_ahead -= warp->pending == 0;
    }
    bsim_steps_drop(steps, at);
}

static bool close_interval(struct bsim_block *block)
{
    block->intervals++;
    if ((block->n_warps > 1 && !check_warps(block)) || !check_lanes(block) || !check_grid(block)) {
        return false;
    }
    for (uint32_t w = 0; w < block->n_warps; w++) {
        leave_interval(block, &block->warp[w]);
    }
    block->closed++;
    return true;
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* A search that is over needs no more accesses. */
static bool is_wanted(const struct bsim_block *block, const struct bsim_step *step)
{
    return step->kind == BSIM_STEP_BARRIER || !block->findings->is_cut;
}

static bool add_step(struct bsim_block *block, uint32_t w, const struct bsim_step *step,
                     const uint64_t *address)
{
    struct bsim_warp *warp = &block->warp[w];
    struct bsim_step mine = *step;
    mine.warp = w;
    if (!bsim_steps_add(&warp->steps, &mine, address)) {
        return false;
    }
    if (step->kind == BSIM_STEP_BARRIER) {
        warp->last_site = step->site;
        warp->last_line = step->line;
        block->n_ahead += warp->pending == 0;
        warp->pending++;
    }
    return true;
}

enum bsim_status bsim_block_step(struct bsim_block *block, const struct bsim_step *step,
                                 const uint64_t *address, struct bsim_error *err)
{
    bool all = step->warp == BSIM_ALL_WARPS;
    uint32_t first = all ? 0 : step->warp;
    uint32_t end = all ? block->n_warps : step->warp + 1;
    bool ok = true;
    if (!is_wanted(block, step)) {
        return BSIM_OK;
    }
    block->has_meetings |= step->kind == BSIM_STEP_ARRIVE || step->kind == BSIM_STEP_AWAIT;
    for (uint32_t w = first; w < end && ok; w++) {
        ok = add_step(block, w, step, address);
    }
    while (ok && block->n_ahead == block->n_warps) {
        ok = close_interval(block);
    }
    return bsim_hazard_memory(ok, err);
}

/* Warps that all have a barrier pending would have closed their interval. */
bool bsim_block_is_aligned(const struct bsim_block *block)
{
    return block->n_ahead == 0;
}

enum bsim_status bsim_block_skip(struct bsim_block *block, uint64_t n, struct bsim_error *err)
{
    if (block->skipped > max_barriers - n) {
        return bsim_error_set(err, BSIM_E_INPUT, "a warp executes more than 2^47 barriers");
    }
    block->skipped += n;
    return BSIM_OK;
}

/* ---- the end of the block ------------------------------------------------------------------- */

/* The warp of the most or the fewest barriers, the first of several. */
static uint32_t extreme_warp(const struct bsim_block *block, bool most)
{
    uint32_t best = 0;
    for (uint32_t w = 1; w < block->n_warps; w++) {
        uint64_t mine = block->warp[w].pending;
        uint64_t theirs = block->warp[best].pending;
        if (most ? mine > theirs : mine < theirs) {
            best = w;
        }
    }
    return best;
}

static void check_barriers(struct bsim_block *block)
{
    uint32_t warp[2] = {extreme_warp(block, true), extreme_warp(block, false)};
    uint64_t most = block->warp[warp[0]].pending;
    struct bsim_barrier_fault fault = {.block = block->place};
    if (most == block->warp[warp[1]].pending) {
        return;
    }
    for (uint32_t w = 0; w < block->n_warps; w++) {
        fault.short_warps |= (uint32_t)(block->warp[w].pending < most) << w;
    }
    for (int i = 0; i < 2; i++) {
        const struct bsim_warp *its = &block->warp[warp[i]];
        fault.warp[i] = warp[i];
        fault.barriers[i] = block->closed + block->skipped + its->pending;
        fault.site[i] = its->last_site;
        fault.line[i] = its->last_line;
    }
    bsim_findings_add_fault(block->findings, &fault);
}

static bool is_open(const struct bsim_block *block)
{
    for (uint32_t w = 0; w < block->n_warps; w++) {
        if (block->warp[w].steps.head < block->warp[w].steps.end) {
            return true;
        }
    }
    return false;
}

enum bsim_status bsim_block_finish(struct bsim_block *block, struct bsim_error *err)
{
    bool ok = true;
    if (block->n_warps > 0) {
        check_barriers(block);
    }
    while (ok && is_open(block)) {
        ok = close_interval(block);
    }
    block->n_warps = 0;
    return bsim_hazard_memory(ok, err);
}
