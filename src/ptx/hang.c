/* hang.c - whether branches or addresses of a kernel hang on memory that its warps write, or its blocks:
 * then what it counts may rest on the order in which they run (order.c).
 *
 *     st.shared.u32 [%r1], %r2;       shared memory is written somewhere
 *     ld.shared.u32 %r3, [%r4];       so %r3 hangs on it
 *     add.u32       %r5, %r3, 1;      and %r5
 *     setp.lt.u32   %p1, %r5, 64;     and %p1
 *     @%p1 bra      L;                a branch does
 *
 * Blocks find each other's values in global memory alone, but may hand them on in shared memory.
 *
 * The same of registers that have other values on a GPU: clocks, and the numbers of SMs and warps. Of a kernel
 * that times itself they decide branches, too: what counts is whether an access, or what an address is made
 * of, stands under such a branch.
 */
#include "ptx/steps.h"

#include "base/memory.h"

enum { IN_SHARED = 1, IN_GLOBAL = 2 };

struct hanging {
    const struct bsim_ptx_function *function;
    const struct bsim_ptx_step *step;
    uint32_t others; /* spaces with what others may have written, or what hangs on that */
    bool *hangs;     /* of each register: on those */
    const struct bsim_ptx_blocks *blocks; /* NULL: registers of a GPU's are none of it */
    const uint32_t *meet; /* of each instruction: where a branch's ways come together */
    bool *is_under;       /* of each block: a branch that hangs decides whether it is executed */
    uint32_t *seen;       /* of each block, the last branch that leads there, from 1 on */
};

/* The spaces that the access leads to. */
static uint32_t spaces_of(const struct bsim_ptx_access *access)
{
    switch (access->space) {
    case BSIM_PTX_SHARED:
        return IN_SHARED;
    case BSIM_PTX_GLOBAL:
        return IN_GLOBAL;
    case BSIM_PTX_NO_SPACE:
        return IN_SHARED | IN_GLOBAL;
    default:
        return 0;
    }
}

/* The spaces that the step writes. */
static uint32_t written_by(const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_access *access = step->access;
    uint32_t does = access != NULL ? bsim_family_does(access->opcode.family) : 0;
    return (does & (BSIM_WRITES | BSIM_UPDATES | BSIM_COPIES)) != 0 ? spaces_of(access) : 0;
}

/* Whether it loads what others may have written, or a thread's own memory, which may have it. */
static bool is_source(const struct hanging *h, uint32_t i)
{
    const struct bsim_ptx_access *access = h->step[i].access;
    uint32_t does = access != NULL ? bsim_family_does(access->opcode.family) : 0;
    return (does & (BSIM_READS | BSIM_UPDATES)) != 0 && access->opcode.path == BSIM_USUAL_PATH &&
           ((access->space == BSIM_PTX_LOCAL && h->blocks == NULL) ||
            (spaces_of(access) & h->others) != 0);
}

static bool hangs(const struct hanging *h, const struct bsim_ptx_operand *operand)
{
    bool is = operand->kind == BSIM_PTX_REGISTER && h->hangs[operand->number];
    for (uint32_t k = 0; k < operand->n && !is; k++) {
        is = hangs(h, &operand->member[k]);
    }
    return is;
}

static bool is_elsewhere(uint32_t special)
{
    return (special >= BSIM_PTX_FIRST_CLOCK && special <= BSIM_PTX_LAST_CLOCK) ||
           special == BSIM_PTX_SMID || special == BSIM_PTX_NSMID || special == BSIM_PTX_WARPID ||
           special == BSIM_PTX_NWARPID || special == BSIM_PTX_GRIDID;
}

/* Whether it reads a register that has another value on a GPU. */
static bool reads_elsewhere(const struct bsim_ptx_instruction *from)
{
    bool does = false;
    for (uint32_t k = 1; k < from->n_operands && !does; k++) {
        does = from->operand[k].kind == BSIM_PTX_SPECIAL && is_elsewhere(from->operand[k].number);
    }
    return does;
}

/* Whether it does, or stands under what hangs on one. */
static bool is_decided_elsewhere(const struct hanging *h, uint32_t i)
{
    return h->is_under[h->blocks->of[i]] || reads_elsewhere(&h->function->code[i]);
}

/* True if that is new of any of the operand's registers. */
static bool note(struct hanging *h, const struct bsim_ptx_operand *operand)
{
    bool is_new = operand->kind == BSIM_PTX_REGISTER && !h->hangs[operand->number];
    if (is_new) {
        h->hangs[operand->number] = true;
    }
    for (uint32_t k = 0; k < operand->n; k++) {
        is_new = note(h, &operand->member[k]) || is_new;
    }
    return is_new;
}

static bool branch_hangs(const struct hanging *h, uint32_t i)
{
    const struct bsim_ptx_instruction *from = &h->function->code[i];
    return bsim_ptx_branches(from) &&
           ((from->has_guard && h->hangs[from->guard]) ||
            (h->step[i].kind == BSIM_PTX_BRANCH_BY_INDEX && hangs(h, &from->operand[0])));
}

/* The blocks between a branch and where its ways meet stand under it; true if that is new of any. */
static bool put_under(struct hanging *h, uint32_t branch)
{
    bool is_new = false;
    bsim_ptx_mark_between(h->blocks, branch, h->meet[branch], h->seen);
    for (uint32_t k = 0; k < h->blocks->n; k++) {
        bool is = h->seen[k] == branch + 1;
        is_new = is_new || (is && !h->is_under[k]);
        h->is_under[k] = h->is_under[k] || is;
    }
    return is_new;
}

/* True if something new was found. */
static bool follow(struct hanging *h)
{
    bool is_new = false;
    for (uint32_t i = 0; i < h->function->n_instructions; i++) {
        const struct bsim_ptx_instruction *from = &h->function->code[i];
        bool is = is_source(h, i) || (from->has_guard && h->hangs[from->guard]) ||
                  (h->blocks != NULL && is_decided_elsewhere(h, i));
        for (uint32_t k = 1; k < from->n_operands && !is; k++) {
            is = hangs(h, &from->operand[k]);
        }
        is_new = (is && bsim_ptx_defines(from) && note(h, &from->operand[0])) || is_new;
        /* Times are kept in global memory, which says nothing of what is read there. */
        uint32_t handed_on = h->blocks == NULL ? IN_SHARED | IN_GLOBAL : IN_SHARED;
        uint32_t others = h->others | (is ? written_by(&h->step[i]) & handed_on : 0);
        is_new = is_new || others != h->others;
        h->others = others;
        if (h->blocks != NULL && branch_hangs(h, i)) {
            is_new = put_under(h, i) || is_new;
        }
    }
    return is_new;
}

/* Whether the instruction is an access that is executed or not by what hangs. How often those of a loop
 * that waits are is chance anyway. */
static bool is_decided(const struct hanging *h, uint32_t i)
{
    const struct bsim_ptx_instruction *from = &h->function->code[i];
    const struct bsim_ptx_access *access = h->step[i].access;
    return access != NULL && !access->is_chance && spaces_of(access) != 0 &&
           (h->is_under[h->blocks->of[i]] || (from->has_guard && h->hangs[from->guard]));
}

/* Whether a guard or an address does. */
static bool decides(const struct hanging *h)
{
    bool is = false;
    for (uint32_t i = 0; i < h->function->n_instructions && !is; i++) {
        const struct bsim_ptx_instruction *from = &h->function->code[i];
        is = h->blocks != NULL
                 ? is_decided(h, i)
                 : (from->has_guard && h->hangs[from->guard]) ||
                       (h->step[i].kind == BSIM_PTX_BRANCH_BY_INDEX && hangs(h, &from->operand[0]));
        for (uint32_t k = 0; k < from->n_operands && !is; k++) {
            is = from->operand[k].kind == BSIM_PTX_ADDRESS && hangs(h, &from->operand[k]);
        }
    }
    return is;
}

/* Sets *is_hanging if any does on what others may have written in these spaces; false when memory is
 * short. */
static bool find(struct hanging h, uint32_t others, bool *is_hanging)
{
    h.hangs = bsim_mem_zeroed((size_t)h.function->n_registers + 1, sizeof *h.hangs);
    if (h.hangs == NULL) {
        return false;
    }
    h.others = others;
    while (follow(&h)) {
    }
    *is_hanging = *is_hanging || decides(&h);
    bsim_mem_free(h.hangs);
    return true;
}

bool bsim_ptx_find_hanging(const struct bsim_ptx_function *function,
                           const struct bsim_ptx_step *step, bool *on_warps, bool *on_blocks)
{
    struct hanging h = {.function = function, .step = step};
    uint32_t written = 0;
    for (uint32_t i = 0; i < function->n_instructions; i++) {
        written |= written_by(&step[i]);
    }
    return find(h, written, on_warps) &&
           ((written & IN_GLOBAL) == 0 || find(h, IN_GLOBAL, on_blocks));
}

static bool has_elsewhere(const struct bsim_ptx_function *function)
{
    uint32_t i = 0;
    while (i < function->n_instructions && !reads_elsewhere(&function->code[i])) {
        i++;
    }
    return i < function->n_instructions;
}

bool bsim_ptx_find_elsewhere(const struct bsim_ptx_function *function,
                             const struct bsim_ptx_step *step, const uint32_t *meet,
                             bool *is_elsewhere)
{
    struct bsim_ptx_blocks blocks = {0};
    struct hanging h = {.function = function, .step = step, .blocks = &blocks, .meet = meet};
    if (!has_elsewhere(function)) {
        return true;
    }
    h.is_under = bsim_mem_zeroed((size_t)function->n_instructions + 1, sizeof *h.is_under);
    h.seen = bsim_mem_zeroed((size_t)function->n_instructions + 1, sizeof *h.seen);
    bool has_memory = bsim_ptx_find_blocks(function, &blocks) && h.is_under != NULL &&
                      h.seen != NULL && find(h, 0, is_elsewhere);
    bsim_ptx_free_blocks(&blocks);
    bsim_mem_free(h.is_under);
    bsim_mem_free(h.seen);
    return has_memory;
}
