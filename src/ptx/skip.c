/* skip.c - branches around so few instructions that ptxas writes none: it puts the condition on each of them. So do the steps, where no other branch leads
 * into them or behind; where some do, as with && in the condition, the branch stays, and who takes it is told what it leads by. Moves that are the other way have the other condition.
 *
 *     setp.gt.u32 %p1, %r1, 63;          ISETP.GT.U32.AND P1, PT, R4, 0x3f, PT
 *     @%p1 bra $L1;
 *     ld.shared.f32 %f1, [%r2];          @!P1 LDS R8, [R0]
 *     ld.shared.f32 %f2, [%r2+256];      @!P1 LDS R11, [R0+0x100]
 *     add.f32 %f3, %f2, %f1;             @!P1 FADD R11, R8, R11
 *     st.shared.f32 [%r2], %f3;          @!P1 STS [R0], R11
 * $L1:
 *
 * Who skips them takes as long as who does not: a load that no lane takes has its result as late as another one, and a turn of
 * the data pipe. It is no request, and has no wavefront of its own.
 *
 * Graded measured (tests/measured/h100/skipped.csv, an H100): steps of a tree take 66 to 83 clocks of up to 8 warps and 144 to 149 of
 * 32, however many of these are on, with conditions as with a branch; four loads that wait for one another 131 and, of nobody, 127. How
 * many instructions are few: up to 7 had no branch, from 10 on they had one, in the machine code of 98 kernels (nvcc 13.0,
 * tests/measured/h100/verdicts), and 8 in nw of second/ had none. The turns of the data pipe are told as work of class lsu (push.c).
 */
#include "ptx/steps.h"
#include "ptx/work.h"

#include "base/memory.h"

enum {
    FEW = 8,
    FEW_BETWEEN = 2, /* instructions between two conditions that become one */
    MOST_RESULTS = 64,
};

/* When registers are there. */
struct ready {
    uint32_t n, number[MOST_RESULTS], clock[MOST_RESULTS];
};

static uint32_t clock_of(const struct ready *ready, const struct bsim_ptx_operand *operand)
{
    uint32_t clock = 0;
    for (uint32_t i = 0; operand->kind == BSIM_PTX_REGISTER && i < ready->n; i++) {
        clock = ready->number[i] == operand->number ? ready->clock[i] : clock;
    }
    for (uint32_t i = 0; i < operand->n; i++) {
        uint32_t of_member = clock_of(ready, &operand->member[i]);
        clock = of_member > clock ? of_member : clock;
    }
    return clock;
}

static void give(struct ready *ready, const struct bsim_ptx_operand *operand, uint32_t clock)
{
    if (operand->kind == BSIM_PTX_REGISTER && ready->n < MOST_RESULTS) {
        ready->number[ready->n] = operand->number;
        ready->clock[ready->n++] = clock;
    }
    for (uint32_t i = 0; i < operand->n; i++) {
        give(ready, &operand->member[i], clock);
    }
}

/* Loads and stores of shared memory, and what computes. */
static bool is_plain(const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_access *access = step->access;
    bool is_access = access != NULL && access->space == BSIM_PTX_SHARED &&
                     (access->opcode.family == BSIM_LD || access->opcode.family == BSIM_ST);
    return is_access || step->kind == BSIM_PTX_BRANCH ||
           (access == NULL && (step->kind == BSIM_PTX_COMPUTE || step->kind == BSIM_PTX_NOTHING_HAPPENS));
}

/* Puts one behind the other what stands in steps 0..n; false: no condition is put on these. */
static bool play(const struct bsim_ptx_instruction *code, const struct bsim_ptx_step *step, uint32_t n,
                 struct bsim_ptx_skip *skipped)
{
    struct ready ready = {.n = 0};
    uint32_t now = 0, few = 0;
    bool has_access = false;
    for (uint32_t i = 0; i < n && few <= FEW; i++) {
        if (!is_plain(&step[i])) {
            return false;
        }
        bool is_access = step[i].access != NULL && !step[i].access->is_silent;
        bool is_load = step[i].access != NULL && step[i].access->opcode.family == BSIM_LD;
        for (uint32_t k = bsim_ptx_makes(&code[i]) ? 1 : 0; k < code[i].n_operands; k++) {
            uint32_t clock = clock_of(&ready, &code[i].operand[k]);
            now = clock > now ? clock : now;
        }
        if (bsim_ptx_makes(&code[i])) {
            give(&ready, &code[i].operand[0], now + (is_load ? BSIM_PTX_LOAD_CLOCKS + 1 : step[i].pace->latency));
        }
        if (step[i].kind == BSIM_PTX_BRANCH) {
            if (i + 1 < n && (has_access || few > FEW_BETWEEN)) {
                return false;
            }
            continue;
        }
        few += is_access || step[i].pace->issue > 0;
        now += !is_access && step[i].pace->issue > 0;
        skipped->issue = (uint16_t)(skipped->issue + (is_access ? 0 : step[i].pace->issue));
        skipped->accesses = (uint16_t)(skipped->accesses + is_access);
        has_access |= is_access;
    }
    skipped->clocks = (uint16_t)now;
    return has_access && few <= FEW;
}

/* Whether steps from..to only name values anew: the other way of a branch that has none else. */
static bool only_moves(const struct bsim_ptx_function *function, uint32_t from, uint32_t to)
{
    bool does = from < to;
    for (uint32_t i = from; i < to && does; i++) {
        does = bsim_ptx_is_a(&function->code[i], "mov");
    }
    return does;
}

/* Whether all that stands in front of `behind` from the block on goes there or on: conditions that && joins become one; its last block may
 * go past moves. */
static bool leads_to(const struct bsim_ptx_function *function, const struct bsim_ptx_blocks *blocks, uint32_t block, uint32_t behind)
{
    bool does = block < blocks->n, is_over = false;
    for (; does && !is_over; block++) {
        const struct bsim_ptx_instruction *from = &function->code[blocks->block[block].last];
        is_over = blocks->block[block].last + 1 >= behind;
        bool is_plain = bsim_ptx_is_a(from, "bra");
        does = !bsim_ptx_branches(from) || (is_plain && from->has_guard && from->target == behind) ||
               (is_plain && is_over && !from->has_guard && only_moves(function, behind, from->target));
        does = does && blocks->block[block].last + 1 <= behind && block + 1 < blocks->n;
    }
    return does;
}

bool bsim_ptx_find_skips(const struct bsim_ptx_function *function, struct bsim_ptx_step *step, struct bsim_arena *arena)
{
    struct bsim_ptx_blocks blocks;
    bool has_memory = bsim_ptx_find_blocks(function, &blocks);
    for (uint32_t k = 0; has_memory && k + 1 < blocks.n; k++) {
        uint32_t branch = blocks.block[k].last, first = blocks.block[k + 1].first;
        const struct bsim_ptx_instruction *from = &function->code[branch];
        struct bsim_ptx_skip skipped = {.issue = 0};
        if (bsim_ptx_is_a(from, "bra") && from->has_guard && from->target > branch && leads_to(function, &blocks, k + 1, from->target) &&
            play(&function->code[first], &step[first], from->target - first, &skipped)) {
            struct bsim_ptx_skip *kept = bsim_arena_take(arena, sizeof *kept);
            has_memory = kept != NULL;
            if (has_memory) {
                *kept = skipped;
                step[branch].skipped = kept;
            }
        }
    }
    bsim_ptx_free_blocks(&blocks);
    return has_memory;
}

/* ---- conditions on instructions -------------------------------------------------------------- */

/* Whether the step can have a condition, which is the register's, and leaves that as it is. */
static bool may_have_condition(const struct bsim_ptx_step *step, uint32_t number)
{
    bool is_plain = step->kind == BSIM_PTX_COMPUTE || step->kind == BSIM_PTX_NOTHING_HAPPENS;
    return is_plain && !step->has_guard && !step->is_look && !(bsim_ptx_makes(step->from) && bsim_ptx_sets(&step->from->operand[0], number));
}

/* Where the other way of the branch ends, which begins at its target: there itself if it has none, else behind moves that a branch in front of them leads by. */
static uint32_t end_of_other(const struct bsim_ptx_function *function, uint32_t branch)
{
    uint32_t target = function->code[branch].target;
    const struct bsim_ptx_instruction *last = &function->code[target - 1];
    bool has_other = target - 1 > branch && bsim_ptx_is_a(last, "bra") && !last->has_guard && only_moves(function, target, last->target);
    return has_other ? last->target : target;
}

/* Whether nobody else comes to what the branch leads by, its other way, and what is behind both, and all of these can have a condition. */
static bool may_vanish(const struct bsim_ptx_function *function, const struct bsim_ptx_step *step, uint32_t branch, const uint32_t *n_led)
{
    const struct bsim_ptx_instruction *from = &function->code[branch];
    if (step[branch].skipped == NULL || from->target >= function->n_instructions || from->target <= branch) {
        return false;
    }
    uint32_t end = end_of_other(function, branch);
    bool may = end < function->n_instructions && n_led[from->target] == 1 && n_led[end] == 1 && !step[end].is_look;
    for (uint32_t i = branch + 1; may && i < end; i++) {
        bool is_over = end > from->target && i == from->target - 1; /* the branch behind the first way */
        may = (i == from->target || n_led[i] == 0) && (is_over || may_have_condition(&step[i], from->guard));
    }
    return may;
}

/* The steps have the branch's condition: those of its own way what it has, those that it leads by the other. */
static void put_condition(const struct bsim_ptx_instruction *from, struct bsim_ptx_step *branch, uint32_t n_led_by, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        bool is_led_by = i < n_led_by;
        branch[i].kind = branch[i].kind == BSIM_PTX_BRANCH ? BSIM_PTX_NOTHING_HAPPENS : branch[i].kind;
        branch[i].condition = from;
        branch[i].has_guard = true;
        branch[i].guard = branch->guard;
        branch[i].guard_negated = branch->guard_negated != is_led_by;
        branch[i].is_meeting = false;
    }
    static const struct bsim_ptx_pace none = {.issue = 0};
    branch[n].is_meeting = false;
    branch->kind = BSIM_PTX_NOTHING_HAPPENS;
    branch->pace = &none;
    branch->has_guard = false;
    branch->skipped = NULL;
}

bool bsim_ptx_put_conditions(const struct bsim_ptx_function *function, struct bsim_ptx_step *step)
{
    uint32_t *n_led = bsim_mem_zeroed((size_t)function->n_instructions + 1, sizeof *n_led);
    bool has_memory = n_led != NULL, is_known = true;
    for (uint32_t i = 0; has_memory && i < function->n_instructions; i++) {
        const struct bsim_ptx_instruction *from = &function->code[i];
        is_known = is_known && !bsim_ptx_is_a(from, "brx"); /* by a table: to any label */
        if (bsim_ptx_is_a(from, "bra") && from->target <= function->n_instructions) {
            n_led[from->target]++;
        }
    }
    for (uint32_t i = 0; has_memory && is_known && i < function->n_instructions; i++) {
        if (may_vanish(function, step, i, n_led)) {
            put_condition(&function->code[i], &step[i], function->code[i].target - i, end_of_other(function, i) - i);
        }
    }
    bsim_mem_free(n_led);
    return has_memory;
}
