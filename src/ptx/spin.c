/* spin.c - loops that wait for what other threads do.
 *
 *  L: ld.volatile %r1, [%rd1];        the same address in each turn, nothing is stored in between:
 *     setp.eq     %p1, %r1, 0;        whether this goes on is up to others
 *     @%p1 bra    L;
 *
 * How often such a loop runs is chance, on a GPU by its clocks and here by whose turn it is, and so are
 * the requests in it. The same holds where an atomic's answer, or a clock, decides. A loop with a barrier
 * of the block waits there, and one that counts its turns ends by itself. A look at an mbarrier is no request:
 * of a loop that waits for its phase nothing is chance.
 *
 *  L: mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r2;
 *     @!%p1 bra L;
 */
#include "ptx/steps.h"

#include "base/memory.h"

#include <string.h>

enum { MAX_DEPTH = 8 }; /* of what a constant is computed from */

/* Of a register, one instruction that defines it. */
struct definition {
    uint32_t instruction, next;
};

struct spins {
    const struct bsim_ptx_function *function;
    struct bsim_ptx_step *step;
    struct bsim_ptx_paths paths;
    struct definition *definition;
    uint32_t n_definitions;
    uint32_t *first; /* of each register, or BSIM_PTX_NOWHERE */
    uint32_t *seen;  /* of each instruction, the last look at it */
    uint32_t look;
};

/* A loop, by its first block, and what its end hangs on. */
struct loop {
    struct spins *spins;
    uint32_t first;
    bool has_store; /* or a barrier of the block: it is no wait for a load */
    bool by_load, by_atomic, by_clock, by_phase;
    bool is_counted; /* by a register that goes from turn to turn */
};

/* ---- definitions ----------------------------------------------------------------------------- */

static uint32_t count_registers(const struct bsim_ptx_operand *operand)
{
    uint32_t n = operand->kind == BSIM_PTX_REGISTER;
    for (uint32_t i = 0; i < operand->n && operand->kind != BSIM_PTX_ADDRESS; i++) {
        n += count_registers(&operand->member[i]);
    }
    return n;
}

static void note_definition(struct spins *spins, const struct bsim_ptx_operand *operand, uint32_t i)
{
    if (operand->kind == BSIM_PTX_REGISTER) {
        uint32_t *first = &spins->first[operand->number];
        spins->definition[spins->n_definitions] = (struct definition){i, *first};
        *first = spins->n_definitions++;
    }
    for (uint32_t k = 0; k < operand->n && operand->kind != BSIM_PTX_ADDRESS; k++) {
        note_definition(spins, &operand->member[k], i);
    }
}

static bool find_definitions(struct spins *spins)
{
    const struct bsim_ptx_function *function = spins->function;
    size_t n = 1;
    for (uint32_t i = 0; i < function->n_instructions; i++) {
        const struct bsim_ptx_instruction *from = &function->code[i];
        n += bsim_ptx_defines(from) ? count_registers(&from->operand[0]) : 0;
    }
    spins->definition = bsim_mem_resize(NULL, n, sizeof *spins->definition);
    for (uint32_t r = 0; r < function->n_registers; r++) {
        spins->first[r] = BSIM_PTX_NOWHERE;
    }
    for (uint32_t i = 0; i < function->n_instructions && spins->definition != NULL; i++) {
        if (bsim_ptx_defines(&function->code[i])) {
            note_definition(spins, &function->code[i].operand[0], i);
        }
    }
    return spins->definition != NULL;
}

/* ---- a loop ---------------------------------------------------------------------------------- */

static bool has_block(const struct loop *loop, uint32_t block)
{
    const struct bsim_ptx_paths *paths = &loop->spins->paths;
    uint32_t at = block < paths->blocks.n ? paths->loop[block] : BSIM_PTX_NOWHERE;
    while (at != BSIM_PTX_NOWHERE && at != loop->first) {
        at = paths->outer[at];
    }
    return at == loop->first;
}

static bool has_instruction(const struct loop *loop, uint32_t i)
{
    return has_block(loop, loop->spins->paths.blocks.of[i]);
}

static bool is_constant(const struct loop *loop, const struct bsim_ptx_operand *operand,
                        uint32_t depth);

/* Computes the same in each turn. */
static bool computes_constant(const struct loop *loop, uint32_t i, uint32_t depth)
{
    const struct bsim_ptx_instruction *from = &loop->spins->function->code[i];
    bool is = depth > 0 && loop->spins->step[i].access == NULL;
    for (uint32_t k = 1; k < from->n_operands && is; k++) {
        is = is_constant(loop, &from->operand[k], depth - 1);
    }
    return is;
}

static bool is_constant(const struct loop *loop, const struct bsim_ptx_operand *operand,
                        uint32_t depth)
{
    const struct spins *spins = loop->spins;
    bool is = true;
    if (operand->kind == BSIM_PTX_REGISTER) {
        for (uint32_t d = spins->first[operand->number]; d != BSIM_PTX_NOWHERE && is;
             d = spins->definition[d].next) {
            uint32_t i = spins->definition[d].instruction;
            is = !has_instruction(loop, i) || computes_constant(loop, i, depth);
        }
    }
    for (uint32_t k = 0; k < operand->n && is; k++) {
        is = is_constant(loop, &operand->member[k], depth);
    }
    return is;
}

/* Looks at what other threads can change, at one address. */
static bool watches(const struct loop *loop, uint32_t i, uint32_t family)
{
    const struct bsim_ptx_access *access = loop->spins->step[i].access;
    const struct bsim_ptx_instruction *from = &loop->spins->function->code[i];
    bool is_there = access != NULL && access->opcode.family == family && from->n_operands > 1 &&
                    (access->space == BSIM_PTX_SHARED || access->space == BSIM_PTX_GLOBAL ||
                     access->space == BSIM_PTX_NO_SPACE);
    return is_there && access->opcode.path == BSIM_USUAL_PATH &&
           is_constant(loop, &from->operand[1], MAX_DEPTH);
}

static bool looks_at_mbarrier(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_is_a(from, "mbarrier") && from->n_operands > 2 &&
           (bsim_ptx_has(from, BSIM_PTX_TEST_WAIT) || bsim_ptx_has(from, BSIM_PTX_TRY_WAIT));
}

/* Looks for the end of one phase of one mbarrier. */
static bool watches_phase(const struct loop *loop, uint32_t i)
{
    const struct bsim_ptx_instruction *from = &loop->spins->function->code[i];
    return looks_at_mbarrier(from) && is_constant(loop, &from->operand[1], MAX_DEPTH) &&
           is_constant(loop, &from->operand[2], MAX_DEPTH);
}

static bool is_clock(const struct bsim_ptx_operand *operand)
{
    return operand->kind == BSIM_PTX_SPECIAL && operand->number >= BSIM_PTX_FIRST_CLOCK &&
           operand->number <= BSIM_PTX_LAST_CLOCK;
}

static void follow(struct loop *loop, const struct bsim_ptx_operand *operand);

/* What the instruction's result hangs on. */
static void follow_instruction(struct loop *loop, uint32_t i)
{
    struct spins *spins = loop->spins;
    const struct bsim_ptx_instruction *from = &spins->function->code[i];
    if (spins->seen[i] == spins->look) {
        return;
    }
    spins->seen[i] = spins->look;
    if (watches(loop, i, BSIM_LD)) {
        loop->by_load = true;
    } else if (watches(loop, i, BSIM_ATOM)) {
        loop->by_atomic = true;
    } else if (watches_phase(loop, i)) {
        loop->by_phase = true;
    } else {
        for (uint32_t k = 1; k < from->n_operands; k++) {
            follow(loop, &from->operand[k]);
        }
    }
}

/* A register that is written inside and outside goes from turn to turn, unless it is only used again behind
 * the loop. */
static void follow_register(struct loop *loop, uint32_t number)
{
    const struct spins *spins = loop->spins;
    uint32_t head = spins->paths.blocks.block[loop->first].first;
    bool inside = false, outside = false;
    for (uint32_t d = spins->first[number]; d != BSIM_PTX_NOWHERE; d = spins->definition[d].next) {
        uint32_t i = spins->definition[d].instruction;
        bool is_inside = has_instruction(loop, i);
        inside = inside || is_inside;
        outside = outside || (!is_inside && !bsim_ptx_precedes(&spins->paths, head, i));
        if (is_inside) {
            follow_instruction(loop, i);
        }
    }
    loop->is_counted = loop->is_counted || (inside && outside);
}

static void follow(struct loop *loop, const struct bsim_ptx_operand *operand)
{
    loop->by_clock = loop->by_clock || is_clock(operand);
    if (operand->kind == BSIM_PTX_REGISTER) {
        follow_register(loop, operand->number);
    }
    for (uint32_t k = 0; k < operand->n; k++) {
        follow(loop, &operand->member[k]);
    }
}

/* Whether the block has a way out of the loop, to the end of the thread, too. */
static bool leads_out(const struct loop *loop, uint32_t block)
{
    const struct spins *spins = loop->spins;
    const struct bsim_ptx_code_block *b = &spins->paths.blocks.block[block];
    uint8_t kind = spins->step[b->last].kind;
    bool leads = kind == BSIM_PTX_LEAVE || kind == BSIM_PTX_RETURN;
    for (int way = 0; way < 2; way++) {
        leads = leads || (b->next[way] != BSIM_PTX_NOWHERE && !has_block(loop, b->next[way]));
    }
    return leads;
}

/* Finds what decides the branch by which the block leaves the loop; false if there is no such branch. */
static bool find_what_decides(struct loop *loop, uint32_t block)
{
    struct spins *spins = loop->spins;
    const struct bsim_ptx_code_block *b = &spins->paths.blocks.block[block];
    const struct bsim_ptx_instruction *end = &spins->function->code[b->last];
    if (!end->has_guard || !leads_out(loop, block)) {
        return false;
    }
    loop->by_load = loop->by_atomic = loop->by_clock = loop->by_phase = loop->is_counted = false;
    spins->look++;
    follow_register(loop, end->guard);
    return true;
}

/* Whether the block leaves the loop by a branch that others' memory decides, or a clock. */
static bool is_left_by_others(struct loop *loop, uint32_t block)
{
    return find_what_decides(loop, block) &&
           (loop->by_atomic || loop->by_clock || (loop->by_load && !loop->is_counted && !loop->has_store));
}

/* Whether others decide at each of its ends: it neither counts its turns nor looks at a clock. */
static bool ends_by_others_alone(struct loop *loop)
{
    const struct bsim_ptx_paths *paths = &loop->spins->paths;
    bool does = true, ends = false;
    for (uint32_t k = 0; k < paths->blocks.n && does; k++) {
        if (has_block(loop, k) && leads_out(loop, k)) {
            does = (is_left_by_others(loop, k) || loop->by_phase) && !loop->by_clock && !loop->is_counted;
            ends = true;
        }
    }
    return does && ends;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool is_barrier(const struct bsim_ptx_step *step)
{
    return step->kind == BSIM_PTX_BARRIER;
}

static bool stores(const struct bsim_ptx_step *step)
{
    return step->access != NULL && step->access->space != BSIM_PTX_LOCAL &&
           (bsim_family_does(step->access->opcode.family) & (BSIM_WRITES | BSIM_COPIES)) != 0;
}

/* Whether the loop has anything to wait by: most have not. */
static bool may_wait(struct loop *loop)
{
    const struct spins *spins = loop->spins;
    bool may = false;
    for (uint32_t i = 0; i < spins->function->n_instructions; i++) {
        const struct bsim_ptx_step *step = &spins->step[i];
        const struct bsim_ptx_instruction *from = &spins->function->code[i];
        if (!has_instruction(loop, i)) {
            continue;
        }
        if (is_barrier(step)) {
            return false;
        }
        loop->has_store = loop->has_store || stores(step);
        may = may || step->access != NULL || looks_at_mbarrier(from) ||
              (from->n_operands > 1 && is_clock(&from->operand[1]));
    }
    return may;
}

static void look_at(struct loop *loop)
{
    struct spins *spins = loop->spins;
    bool waits = false;
    if (!may_wait(loop)) {
        return;
    }
    for (uint32_t k = 0; k < spins->paths.blocks.n && !waits; k++) {
        waits = has_block(loop, k) && is_left_by_others(loop, k);
    }
    for (uint32_t i = 0; i < spins->function->n_instructions && waits; i++) {
        if (spins->step[i].access != NULL && has_instruction(loop, i)) {
            spins->step[i].access->is_chance = true;
        }
    }
    if (ends_by_others_alone(loop)) {
        struct bsim_ptx_step *head = &spins->step[spins->paths.blocks.block[loop->first].first];
        head->is_meeting = head->is_look = true;
    }
}

static bool is_loop(const struct bsim_ptx_paths *paths, uint32_t block)
{
    return paths->loop[block] == block;
}

bool bsim_ptx_find_spins(const struct bsim_ptx_function *function, struct bsim_ptx_step *step)
{
    struct spins spins = {.function = function, .step = step};
    spins.first = bsim_mem_zeroed((size_t)function->n_registers + 1, sizeof *spins.first);
    spins.seen = bsim_mem_zeroed((size_t)function->n_instructions + 1, sizeof *spins.seen);
    bool has_memory = bsim_ptx_paths_new(function, &spins.paths) && spins.first != NULL &&
                      spins.seen != NULL && find_definitions(&spins);
    for (uint32_t k = 0; k < spins.paths.blocks.n && has_memory; k++) {
        struct loop loop = {.spins = &spins, .first = k};
        if (is_loop(&spins.paths, k)) {
            look_at(&loop);
        }
    }
    bsim_ptx_paths_free(&spins.paths);
    bsim_mem_free(spins.definition);
    bsim_mem_free(spins.first);
    bsim_mem_free(spins.seen);
    return has_memory;
}
