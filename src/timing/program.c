/* program.c - one block's warps as lists of instructions, loops kept as loops.
 *
 * A trace gives the events of all warps in one stream, in any interleaving; the machine runs the
 * warps against each other and wants each one's own. So a block is collected first. A repeat stands
 * in the list of every warp that has an event in it; a warp without any does not take part.
 */
#include "timing/program.h"

#include "base/memory.h"
#include "result/clock.h"

#include <string.h>

_Static_assert(sizeof(struct bsim_op) == 32, "operations are compared byte by byte");

void bsim_program_clear(struct bsim_program *program, uint32_t n_warps)
{
    program->n_warps = n_warps;
    program->conflicts = program->classed = program->is_async = program->awaits_copies = program->reads_global = false;
    program->multiplies = program->has_others = program->tells_reads = false;
    program->n_sites = 0;
    program->n_blocks++;
    bsim_table_forget(&program->meetings);
    for (uint32_t warp = 0; warp < BSIM_BLOCK_MAX_WARPS; warp++) {
        program->warp[warp].n_ops = 0;
    }
}

void bsim_program_free(struct bsim_program *program)
{
    for (uint32_t warp = 0; warp < BSIM_BLOCK_MAX_WARPS; warp++) {
        bsim_mem_free(program->warp[warp].op);
    }
    bsim_mem_free(program->site);
    bsim_mem_free(program->known);
    bsim_mem_free(program->meeting);
    bsim_table_clear(&program->meetings);
    memset(program, 0, sizeof *program);
}

/* What the instructions of a class leave to each other, if the clocks of all are given: as much as
 * one that wants the result of the one before has to, or as little as makes the whole come out with
 * the last result; and what is left behind the last, its latency at most. */
static void space_out(struct bsim_op *op, uint32_t latency)
{
    uint32_t gaps = op->count - 1;
    uint32_t room = gaps > 0 && op->cycles > latency ? (op->cycles - latency) / gaps : 1;
    op->pause = (uint8_t)(room < 1 ? 1 : room < latency ? room : latency);
    uint64_t step = later(op->pause, op->interval), before = step * gaps;
    uint64_t left = op->cycles > before ? op->cycles - before : 1;
    op->tail = (uint8_t)(left < latency ? left : latency);
}

void bsim_program_work(const struct bsim_timing *timing, uint32_t work_class, uint32_t count, uint32_t cycles,
                       struct bsim_op *op)
{
    const struct bsim_work_rate *rate = &timing->work[work_class];
    *op = (struct bsim_op){.kind = BSIM_OP_WORK,
                           .interval = (uint8_t)timing->work_interval,
                           .class = (uint8_t)work_class,
                           .pause = (uint8_t)timing->chain_latency,
                           .tail = (uint8_t)timing->work_latency,
                           .wait = BSIM_NO_WAIT,
                           .turns = 1,
                           .ideal = 1,
                           .count = count,
                           .cycles = cycles};
    if (work_class != BSIM_WORK_ANY) {
        op->kind = (uint8_t)(BSIM_OP_WORK + rate->pipe);
        op->interval = rate->interval;
        op->turns = op->ideal = (uint16_t)later(rate->issue, 1);
        space_out(op, rate->latency);
    }
}

static bool know_places(struct bsim_program *program, size_t place)
{
    while (program->n_known <= place) {
        size_t n = program->n_known;
        struct bsim_block_site *grown = bsim_mem_grow(program->known, n, sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        program->known = grown;
        program->known[n].block = 0;
        program->n_known = n + 1;
    }
    return true;
}

uint32_t bsim_program_new_site(struct bsim_program *program, size_t place)
{
    size_t n = program->n_sites;
    if (!know_places(program, place)) {
        return BSIM_NO_SITE;
    }
    uint32_t *grown =
        n < BSIM_NO_SITE ? bsim_mem_grow(program->site, n, sizeof *program->site) : NULL;
    if (grown == NULL) {
        return BSIM_NO_SITE;
    }
    program->site = grown;
    program->site[n] = (uint32_t)place;
    program->n_sites = n + 1;
    program->known[place] = (struct bsim_block_site){program->n_blocks, (uint32_t)n};
    return (uint32_t)n;
}

uint32_t bsim_program_meet(struct bsim_program *program, uint32_t number, uint32_t n)
{
    uint32_t hash = bsim_table_hash(number), at = hash, item, have = program->meetings.n;
    while ((item = bsim_table_next(&program->meetings, hash, &at)) != 0) {
        if (program->meeting[item - 1].number == number) {
            program->meeting[item - 1].n_arrivals += n;
            return item - 1;
        }
    }
    struct bsim_program_meeting *grown = bsim_mem_grow(program->meeting, have, sizeof *grown);
    program->meeting = grown != NULL ? grown : program->meeting;
    if (grown == NULL || !bsim_table_add(&program->meetings, hash)) {
        return BSIM_ALL_WARPS;
    }
    grown[have] = (struct bsim_program_meeting){number, n, 0};
    return have;
}

struct bsim_op *bsim_program_more_room(struct bsim_warp_program *warp)
{
    size_t capacity = warp->capacity > 0 ? 2 * warp->capacity : 16;
    struct bsim_op *grown = bsim_mem_resize(warp->op, capacity, sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    warp->op = grown;
    warp->capacity = capacity;
    return &grown[warp->n_ops];
}

static bool add(struct bsim_warp_program *warp, const struct bsim_op *op)
{
    struct bsim_op *room = bsim_program_room_of(warp);
    if (room == NULL) {
        return false;
    }
    *room = *op;
    warp->n_ops++;
    return true;
}

void bsim_program_note_other(struct bsim_program *program, const struct bsim_op *op)
{
    program->conflicts |= op->turns != op->ideal && op->kind != BSIM_OP_BULK;
    program->is_async |= op->kind == BSIM_OP_WGMMA || op->kind == BSIM_OP_BULK;
    program->awaits_copies |= op->kind == BSIM_OP_COPIES || (op->kind == BSIM_OP_ARRIVE && op->late > 0);
    program->classed |= op->kind > BSIM_OP_WORK && op->kind < BSIM_OP_LOOP;
    program->reads_global |= op->is_read != 0 && op->kind != BSIM_OP_BULK;
    program->has_others |= op->kind != BSIM_OP_BARRIER && op->kind != BSIM_OP_END && !bsim_op_is_work(op->kind);
    program->multiplies |= bsim_op_is_work(op->kind) && op->class == BSIM_WORK_TENSOR;
    program->tells_reads |= op->reads.even + op->reads.odd > 0;
}

bool bsim_program_note_all(struct bsim_program *program)
{
    if (!bsim_program_note(program, 0)) {
        return false;
    }
    const struct bsim_op *op = &program->warp[0].op[program->warp[0].n_ops - 1];
    for (uint32_t i = 1; i < program->n_warps; i++) {
        if (!add(&program->warp[i], op)) {
            return false;
        }
    }
    return true;
}

bool bsim_program_add(struct bsim_program *program, uint32_t warp, const struct bsim_op *op)
{
    struct bsim_op *room = bsim_program_room(program, warp);
    if (room == NULL) {
        return false;
    }
    *room = *op;
    return bsim_program_note(program, warp);
}

/* The place of the innermost loop that has no DONE yet. */
static size_t open_loop(const struct bsim_warp_program *warp)
{
    size_t i = warp->n_ops - 1;
    while (warp->op[i].kind != BSIM_OP_LOOP) {
        i = warp->op[i].kind == BSIM_OP_DONE ? warp->op[i].count - 1 : i - 1;
    }
    return i;
}

/* A loop with control ends in a branch: the `work 1` that its body ends with, or an added one. */
static bool set_branch(struct bsim_warp_program *warp, size_t loop)
{
    struct bsim_op branch = {.kind = BSIM_OP_BRANCH, .wait = BSIM_NO_WAIT, .count = 1};
    struct bsim_op *last = &warp->op[warp->n_ops - 1];
    if (warp->op[loop].control == 0 && warp->op[loop].cycles == 0) {
        return true;
    }
    if (bsim_op_is_work(last->kind) && last->class == BSIM_WORK_ANY && last->count == 1 && last->out == 0) {
        branch.wait = last->wait;
        branch.is_read = last->is_read;
        branch.cycles = last->cycles;
        *last = branch;
        return true;
    }
    return add(warp, &branch);
}

bool bsim_program_done(struct bsim_program *program)
{
    for (uint32_t i = 0; i < program->n_warps; i++) {
        struct bsim_warp_program *warp = &program->warp[i];
        size_t loop = open_loop(warp);
        struct bsim_op done = {.kind = BSIM_OP_DONE, .wait = BSIM_NO_WAIT, .count = (uint32_t)loop};
        if (loop == warp->n_ops - 1) {
            warp->n_ops--;
        } else if (!set_branch(warp, loop) || !add(warp, &done)) {
            return false;
        }
    }
    return true;
}

static void cap_arrivals(struct bsim_program *program)
{
    for (uint32_t w = 0; w < program->n_warps && program->meetings.n > 0; w++) {
        struct bsim_warp_program *warp = &program->warp[w];
        for (size_t i = 0; i < warp->n_ops; i++) {
            struct bsim_op *op = &warp->op[i];
            uint32_t most =
                op->kind == BSIM_OP_AWAIT ? program->meeting[op->count].n_arrivals : UINT32_MAX;
            op->cycles = op->cycles < most ? op->cycles : most;
        }
    }
}

bool bsim_program_end(struct bsim_program *program)
{
    struct bsim_op end = {.kind = BSIM_OP_END, .wait = BSIM_NO_WAIT};
    cap_arrivals(program);
    return bsim_program_add(program, BSIM_ALL_WARPS, &end);
}

size_t bsim_program_n_ops(const struct bsim_program *program)
{
    size_t n = 0;
    for (uint32_t i = 0; i < program->n_warps; i++) {
        n += program->warp[i].n_ops;
    }
    return n;
}

/* Stretches between barriers, of all warps or of some, with a load in them, of a warp or of one turn of a loop. */
struct stretches {
    uint64_t closed;   /* by a barrier */
    bool open, parted; /* the last one has a load; a barrier has come */
    uint32_t turns;    /* of the loop */
};

/* What a loop comes to in the body around it. */
static struct stretches join(struct stretches around, const struct stretches *loop)
{
    bool fits = loop->closed < BSIM_NEVER / loop->turns;
    uint64_t closed = fits ? loop->closed * loop->turns : BSIM_NEVER;
    if (loop->parted && around.open && closed == 0) {
        closed = 1; /* the stretch from before it ends in it */
    }
    around.closed = sooner(around.closed + closed, BSIM_NEVER);
    around.open = loop->open || (around.open && !loop->parted);
    around.parted = around.parted || loop->parted;
    return around;
}

static uint64_t waits_of(const struct bsim_warp_program *warp)
{
    struct stretches at[BSIM_REPEAT_MAX_DEPTH + 1] = {{.turns = 1}}, *now = at;
    for (size_t i = 0; i < warp->n_ops; i++) {
        const struct bsim_op *op = &warp->op[i];
        if (op->kind == BSIM_OP_LOOP) {
            *++now = (struct stretches){.turns = op->count};
        } else if (op->kind == BSIM_OP_DONE) {
            now[-1] = join(now[-1], now);
            now--;
        } else if (op->kind == BSIM_OP_BARRIER || op->kind == BSIM_OP_AWAIT) {
            now->closed += now->open;
            now->open = false;
            now->parted = true;
        } else if (op->kind != BSIM_OP_MEMORY && op->kind != BSIM_OP_BULK) {
            now->open |= op->is_read;
        }
    }
    return now->closed + now->open;
}

uint64_t bsim_program_waits(const struct bsim_program *program)
{
    uint64_t most = 0;
    for (uint32_t i = 0; program->reads_global && i < program->n_warps; i++) {
        most = later(most, waits_of(&program->warp[i]));
    }
    return most;
}

uint64_t bsim_program_hash(const struct bsim_program *program)
{
    uint64_t hash = program->n_warps;
    for (uint32_t i = 0; i < program->n_warps; i++) {
        const struct bsim_warp_program *warp = &program->warp[i];
        for (size_t k = 0; k < warp->n_ops; k++) {
            uint64_t word[3];
            memcpy(word, &warp->op[k], sizeof word);
            word[0] = (word[0] ^ word[0] >> 29) * UINT64_C(0x9e3779b97f4a7c15);
            word[1] = (word[1] ^ word[1] >> 32) * UINT64_C(0xbf58476d1ce4e5b9);
            hash = (hash ^ hash >> 32 ^ word[0] ^ word[1] ^ word[2]) * UINT64_C(0x94d049bb133111eb);
        }
    }
    return hash ^ hash >> 31;
}
