/* masks.c - who executes the next statement: braces of WHERE, OTHERWISE, WHILE_ANY and REPEAT,
 * barriers, and work.
 *
 * Each pair of braces is a frame on a stack. Its macro is a `for` whose condition,
 * bsim_frame_turn, decides what the next turn of it does: evaluate the condition thread by thread,
 * run the body, or leave. C's own scoping does the rest.
 *
 *     WHERE      tests, runs, leaves         WHILE_ANY  tests, runs, tests, runs, ... leaves
 *     OTHERWISE  runs, leaves                REPEAT     runs, leaves
 *
 * A body that nobody would execute is left out.
 */
#include "lanes/cta.h"

#include "base/bits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool bsim_cta_any_active(const struct bsim_cta *cta)
{
    uint32_t any = 0;
    for (uint32_t w = 0; w < cta->n_warps; w++) {
        any |= cta->active[w];
    }
    return any != 0;
}

/* ---- frames --------------------------------------------------------------------------------- */

static const char *frame_word(enum bsim_frame_kind kind)
{
    static const char *const word[] = {"", "WHERE", "OTHERWISE", "WHILE_ANY", "REPEAT"};
    return word[kind];
}

/* A new frame, or NULL after a failure. */
static struct bsim_frame *open_frame(struct bsim_cta *cta, enum bsim_frame_kind kind,
                                     const char *file, uint32_t line)
{
    struct bsim_cta_state *state = cta->state;
    if (state->status != BSIM_OK) {
        return NULL;
    }
    if (state->depth == BSIM_CTA_MAX_FRAMES) {
        (void)bsim_cta_fault(cta, file, line, "%s is nested more than %d deep", frame_word(kind),
                             BSIM_CTA_MAX_FRAMES);
        return NULL;
    }
    struct bsim_frame *frame = &state->frame[state->depth++];
    if (state->depth < BSIM_CTA_MAX_FRAMES) {
        state->frame[state->depth].kind = BSIM_FRAME_NONE;
    }
    frame->kind = kind;
    frame->closed = false;
    frame->next = BSIM_FRAME_RUNS;
    frame->file = file;
    frame->line = line;
    memcpy(frame->saved, cta->active, sizeof frame->saved);
    return frame;
}

/* The slot still has the frame that was closed last at this depth. */
static void take_the_others(struct bsim_cta *cta, const char *file, uint32_t line)
{
    struct bsim_cta_state *state = cta->state;
    size_t depth = state->depth;
    if (state->status == BSIM_OK && depth < BSIM_CTA_MAX_FRAMES &&
        (state->frame[depth].kind != BSIM_FRAME_WHERE || !state->frame[depth].closed)) {
        (void)bsim_cta_fault(cta, file, line, "OTHERWISE has no WHERE before it");
    }
    struct bsim_frame *frame = open_frame(cta, BSIM_FRAME_OTHERWISE, file, line);
    for (uint32_t w = 0; frame != NULL && w < cta->n_warps; w++) {
        cta->active[w] &= frame->rest[w];
    }
}

static void enter_repeat(struct bsim_cta *cta, const struct bsim_repeat *repeat, const char *file,
                         uint32_t line)
{
    uint32_t depth = 1;
    for (size_t i = 0; i < cta->state->depth; i++) {
        depth += cta->state->frame[i].kind == BSIM_FRAME_REPEAT ? 1 : 0;
    }
    struct bsim_frame *frame = open_frame(cta, BSIM_FRAME_REPEAT, file, line);
    if (frame == NULL) {
        return;
    }
    if (repeat->trips == 0 || !bsim_cta_any_active(cta)) {
        frame->next = BSIM_FRAME_LEAVES;
        frame->closed = true; /* there will be no DONE, as there is no REPEAT */
    } else if (depth > BSIM_REPEAT_MAX_DEPTH) {
        (void)bsim_cta_fault(cta, file, line, "REPEAT is nested more than %d deep",
                             BSIM_REPEAT_MAX_DEPTH);
    } else {
        struct bsim_record record = {.kind = BSIM_RECORD_REPEAT, .u.repeat = *repeat};
        (void)bsim_cta_push(cta, &record, file, line);
    }
}

void bsim_frame_enter(struct bsim_cta *cta, enum bsim_frame_kind kind,
                      const struct bsim_repeat *repeat, const char *file, uint32_t line)
{
    if (kind == BSIM_FRAME_OTHERWISE) {
        take_the_others(cta, file, line);
        return;
    }
    if (kind == BSIM_FRAME_REPEAT) {
        enter_repeat(cta, repeat, file, line);
        return;
    }
    struct bsim_frame *frame = open_frame(cta, kind, file, line);
    if (frame != NULL) {
        frame->next = BSIM_FRAME_TESTS;
    }
}

static void close_frame(struct bsim_cta *cta, struct bsim_frame *frame)
{
    if (frame->kind == BSIM_FRAME_REPEAT && !frame->closed) {
        struct bsim_record record = {.kind = BSIM_RECORD_DONE};
        (void)bsim_cta_push(cta, &record, frame->file, frame->line);
    }
    for (uint32_t w = 0; w < cta->n_warps; w++) {
        cta->active[w] = frame->saved[w] & ~cta->exited[w];
    }
    frame->closed = true;
    cta->state->depth--;
}

/* Before the body: who of the frame's threads does not execute it. */
static void note_the_rest(const struct bsim_cta *cta, struct bsim_frame *frame)
{
    for (uint32_t w = 0; w < cta->n_warps; w++) {
        frame->rest[w] = frame->saved[w] & ~cta->active[w];
    }
}

bool bsim_frame_turn(struct bsim_cta *cta)
{
    struct bsim_cta_state *state = cta->state;
    if (state->status != BSIM_OK) {
        return false;
    }
    struct bsim_frame *frame = &state->frame[state->depth - 1];
    cta->testing = false;
    if (frame->next == BSIM_FRAME_TESTS) {
        cta->testing = true;
        frame->next = BSIM_FRAME_RUNS;
        return true;
    }
    if (frame->next == BSIM_FRAME_RUNS) {
        frame->next = frame->kind == BSIM_FRAME_WHILE ? BSIM_FRAME_TESTS : BSIM_FRAME_LEAVES;
        if (frame->kind == BSIM_FRAME_WHERE) {
            note_the_rest(cta, frame);
        }
        if (bsim_cta_any_active(cta)) {
            return true;
        }
    }
    close_frame(cta, frame);
    return false;
}

void bsim_cta_check_closed(struct bsim_cta *cta)
{
    struct bsim_cta_state *state = cta->state;
    if (state->status == BSIM_OK && state->depth > 0) {
        const struct bsim_frame *frame = &state->frame[state->depth - 1];
        (void)bsim_cta_fault(cta, frame->file, frame->line,
                             "the braces of %s were left by break, return or goto",
                             frame_word(frame->kind));
    }
}

/* ---- barriers ------------------------------------------------------------------------------- */

/* "threads 1, 3, 5, ..." for the lanes of a warp. */
static const char *list_threads(uint32_t warp, uint32_t mask, char *out, size_t size)
{
    uint32_t n = bsim_bits_population(mask);
    uint32_t listed = 0;
    size_t length = (size_t)snprintf(out, size, "thread%s", n == 1 ? "" : "s");
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && listed < 3; lane++) {
        if ((mask >> lane & 1) != 0) {
            length += (size_t)snprintf(out + length, size - length, "%s %" PRIu32,
                                       listed > 0 ? "," : "", warp * BSIM_WARP_LANES + lane);
            listed++;
        }
    }
    if (n > listed) {
        (void)snprintf(out + length, size - length, ", ...");
    }
    return out;
}

static void fault_divergent(struct bsim_cta *cta, uint32_t warp, uint32_t missing,
                            uint32_t other_warps, const char *file, uint32_t line)
{
    char threads[64];
    char others[48] = "";
    if (other_warps > 0) {
        (void)snprintf(others, sizeof others, ", nor do threads of %" PRIu32 " other warp%s",
                       other_warps, other_warps == 1 ? "" : "s");
    }
    uint32_t n = bsim_bits_population(missing);
    (void)bsim_cta_fault(cta, file, line,
                         "barrier in divergent code: %s (%" PRIu32 " of warp %" PRIu32
                         ", mask %08" PRIx32 ") of block (%" PRIu32 ",%" PRIu32 ",%" PRIu32
                         ") do%s not reach it%s",
                         list_threads(warp, missing, threads, sizeof threads), n, warp, missing,
                         cta->block.x, cta->block.y, cta->block.z, n == 1 ? "es" : "", others);
}

/* Every thread that has not left for good must be here. A barrier that nobody executes, as all who
 * could have left, is none. */
static void barrier(struct bsim_cta *cta, struct bsim_event *event, const char *file, uint32_t line)
{
    struct bsim_cta_state *state = cta->state;
    uint32_t first = 0;
    uint32_t first_missing = 0;
    uint32_t n_warps_missing = 0;
    if (!bsim_cta_any_active(cta)) {
        return;
    }
    for (uint32_t w = 0; w < cta->n_warps; w++) {
        uint32_t missing = state->full[w] & ~cta->exited[w] & ~cta->active[w];
        if (missing != 0 && n_warps_missing++ == 0) {
            first = w;
            first_missing = missing;
        }
    }
    if (n_warps_missing > 0) {
        fault_divergent(cta, first, first_missing, n_warps_missing - 1, file, line);
        return;
    }
    event->warp = BSIM_ALL_WARPS;
    (void)bsim_cta_push_event(cta, event, file, line);
}

/* ---- instructions without data --------------------------------------------------------------- */

void bsim_instruction(struct bsim_cta *cta, const struct bsim_opcode *opcode, uint32_t work_count,
                      uint32_t work_cycles, const char *file, uint32_t line)
{
    bool is_work = opcode->family == BSIM_WORK, is_group = bsim_opcode_groups(opcode);
    struct bsim_event event;
    bsim_event_init(&event, opcode);
    event.groups = is_group ? work_count : 0;
    event.work_count = is_group ? 0 : work_count;
    event.work_cycles = work_cycles;
    if (opcode->family == BSIM_BAR) {
        barrier(cta, &event, file, line);
        return;
    }
    if (is_work && work_count == 0 && bsim_cta_any_active(cta)) {
        (void)bsim_cta_fault(cta, file, line, "WORK needs at least one instruction");
    }
    for (uint32_t w = 0; w < cta->n_warps; w++) {
        event.warp = w;
        event.mask = is_work || is_group ? BSIM_FULL_MASK : cta->active[w];
        if (cta->active[w] != 0 && !bsim_cta_push_event(cta, &event, file, line)) {
            return;
        }
    }
}
