/* decide.c - which loads matter to what is counted: those whose values an address is made of, or which
 * decide whether an access is executed.
 *
 *     ld.global.u32 %r1, [%rd1];      decides: %r3 is made of it
 *     ld.global.f32 %f1, [%rd2];      does not: it is stored, and that is all
 *     shl.b32       %r2, %r1, 2;
 *     add.s32       %r3, %r2, %r9;    matters
 *     st.shared.f32 [%r3], %f1;       an address
 *
 * It is found from the end: an instruction that makes what matters makes what it is made of matter. What is
 * loaded from shared or local memory, and matters, makes all that is stored there matter; of global memory
 * that is not asked, where results are kept that nobody reads.
 */
#include "ptx/steps.h"

#include "base/memory.h"

enum { IN_SHARED = 1, IN_GLOBAL = 2, IN_LOCAL = 4 };

struct deciding {
    const struct bsim_ptx_function *function;
    struct bsim_ptx_step *step;
    const uint32_t *meet; /* of each instruction: where a branch's ways come together */
    struct bsim_ptx_blocks blocks;
    bool *matters;      /* of each register */
    bool *block_does;   /* of each block: an instruction in it */
    uint32_t n_looks;   /* at what stands under a branch */
    uint32_t *seen;     /* of each block, the last of them that came there ... */
    uint32_t *to_visit; /* ... and blocks behind which it has not looked yet */
    uint32_t spaces;    /* with values that matter */
    bool has_calls;
};

static bool any_matters(const struct deciding *d, const struct bsim_ptx_operand *operand)
{
    bool is = operand->kind == BSIM_PTX_REGISTER && d->matters[operand->number];
    for (uint32_t k = 0; k < operand->n && !is; k++) {
        is = any_matters(d, &operand->member[k]);
    }
    return is;
}

/* True if that is new of any of the operand's registers. */
static bool note(struct deciding *d, const struct bsim_ptx_operand *operand)
{
    bool is_new = operand->kind == BSIM_PTX_REGISTER && !d->matters[operand->number];
    if (is_new) {
        d->matters[operand->number] = true;
    }
    for (uint32_t k = 0; k < operand->n; k++) {
        is_new = note(d, &operand->member[k]) || is_new;
    }
    return is_new;
}

static bool note_guard(struct deciding *d, const struct bsim_ptx_instruction *from)
{
    bool is_new = from->has_guard && !d->matters[from->guard];
    if (is_new) {
        d->matters[from->guard] = true;
    }
    return is_new;
}

static uint32_t spaces_of(const struct bsim_ptx_access *access)
{
    switch (access->space) {
    case BSIM_PTX_SHARED:
        return IN_SHARED;
    case BSIM_PTX_GLOBAL:
        return IN_GLOBAL;
    case BSIM_PTX_LOCAL:
        return IN_LOCAL;
    case BSIM_PTX_NO_SPACE:
        return IN_SHARED | IN_GLOBAL | IN_LOCAL;
    default:
        return 0;
    }
}

static uint32_t does(const struct bsim_ptx_access *access)
{
    return access != NULL ? bsim_family_does(access->opcode.family) : 0;
}

/* Whether it is counted; how often it is in a loop that waits is chance anyway. */
static bool is_counted(const struct bsim_ptx_access *access)
{
    return access != NULL && !access->is_chance &&
           (spaces_of(access) & (IN_SHARED | IN_GLOBAL)) != 0;
}

/* Whether it is a store of what matters. Where functions are called, what is handed to them does. */
static bool stores_what_matters(const struct deciding *d, uint32_t i)
{
    const struct bsim_ptx_instruction *from = &d->function->code[i];
    const struct bsim_ptx_access *access = d->step[i].access;
    if ((does(access) & (BSIM_WRITES | BSIM_UPDATES)) == 0) {
        return false;
    }
    return bsim_ptx_is_handed(&from->operand[0]) ? d->has_calls || !d->function->is_entry
                                        : (spaces_of(access) & d->spaces) != 0;
}

/* ---- branches -------------------------------------------------------------------------------- */

/* Whether what stands between the branch and where its ways meet matters. */
static bool branch_does(struct deciding *d, uint32_t branch)
{
    const struct bsim_ptx_blocks *blocks = &d->blocks;
    uint32_t end = d->meet[branch] != BSIM_PTX_NOWHERE ? blocks->of[d->meet[branch]] : blocks->n;
    uint32_t n = 1, look = ++d->n_looks;
    bool is = false;
    d->to_visit[0] = blocks->of[branch];
    while (n > 0 && !is) {
        const struct bsim_ptx_code_block *block = &blocks->block[d->to_visit[--n]];
        for (uint32_t k = 0; k < 2 && !is; k++) {
            uint32_t next = block->next[k];
            if (next < blocks->n && next != end && d->seen[next] != look) {
                d->seen[next] = look;
                d->to_visit[n++] = next;
                is = d->block_does[next];
            }
        }
    }
    return is;
}

static bool follow_branch(struct deciding *d, uint32_t i)
{
    const struct bsim_ptx_instruction *from = &d->function->code[i];
    bool by_index = d->step[i].kind == BSIM_PTX_BRANCH_BY_INDEX;
    bool is_open = (from->has_guard && !d->matters[from->guard]) ||
                   (by_index && !any_matters(d, &from->operand[0]));
    if (!is_open || !branch_does(d, i)) {
        return false;
    }
    bool is_new = note_guard(d, from);
    return (by_index && note(d, &from->operand[0])) || is_new;
}

/* ---- other instructions ---------------------------------------------------------------------- */

static bool makes_what_matters(const struct deciding *d, uint32_t i)
{
    const struct bsim_ptx_instruction *from = &d->function->code[i];
    return bsim_ptx_makes(from) && any_matters(d, &from->operand[0]);
}

/* True if something new was found. */
static bool follow(struct deciding *d, uint32_t i)
{
    const struct bsim_ptx_instruction *from = &d->function->code[i];
    const struct bsim_ptx_access *access = d->step[i].access;
    bool leads = makes_what_matters(d, i), is = leads || stores_what_matters(d, i), is_new = false;
    bool is_call = d->step[i].kind == BSIM_PTX_CALL || d->step[i].kind == BSIM_PTX_CALL_BY_ADDRESS;
    uint32_t spaces =
        leads && (does(access) & (BSIM_READS | BSIM_UPDATES)) != 0 ? spaces_of(access) : 0;
    if (is || is_call || is_counted(access)) {
        d->block_does[d->blocks.of[i]] = true;
        is_new = note_guard(d, from);
    }
    for (uint32_t k = bsim_ptx_makes(from) ? 1 : 0; k < from->n_operands; k++) {
        if (is || from->operand[k].kind == BSIM_PTX_ADDRESS) {
            is_new = note(d, &from->operand[k]) || is_new;
        }
    }
    spaces &= ~(uint32_t)IN_GLOBAL;
    is_new = is_new || (spaces & ~d->spaces) != 0;
    d->spaces |= spaces;
    return is_new;
}

static bool pass(struct deciding *d)
{
    bool is_new = false;
    for (uint32_t i = d->function->n_instructions; i-- > 0;) {
        bool branches = bsim_ptx_branches(&d->function->code[i]);
        is_new = (branches ? follow_branch(d, i) : follow(d, i)) || is_new;
    }
    return is_new;
}

static void mark(const struct deciding *d, bool *asks_for_local)
{
    for (uint32_t i = 0; i < d->function->n_instructions; i++) {
        const struct bsim_ptx_instruction *from = &d->function->code[i];
        struct bsim_ptx_access *access = d->step[i].access;
        if ((does(access) & (BSIM_READS | BSIM_UPDATES)) != 0 && makes_what_matters(d, i) &&
            (spaces_of(access) & (IN_GLOBAL | IN_LOCAL)) != 0 && !bsim_ptx_is_handed(&from->operand[1])) {
            access->decides = true;
            *asks_for_local |= (spaces_of(access) & IN_LOCAL) != 0;
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool start(struct deciding *d)
{
    const struct bsim_ptx_function *function = d->function;
    if (!bsim_ptx_find_blocks(function, &d->blocks)) {
        return false;
    }
    size_t n = (size_t)d->blocks.n + 1;
    d->matters = bsim_mem_zeroed((size_t)function->n_registers + 1, sizeof *d->matters);
    d->block_does = bsim_mem_zeroed(n, sizeof *d->block_does);
    d->seen = bsim_mem_zeroed(n, sizeof *d->seen);
    d->to_visit = bsim_mem_zeroed(n, sizeof *d->to_visit);
    for (uint32_t i = 0; i < function->n_instructions; i++) {
        d->has_calls |=
            d->step[i].kind == BSIM_PTX_CALL || d->step[i].kind == BSIM_PTX_CALL_BY_ADDRESS;
    }
    return d->matters != NULL && d->block_does != NULL && d->seen != NULL && d->to_visit != NULL;
}

bool bsim_ptx_find_deciding(const struct bsim_ptx_function *function, struct bsim_ptx_step *step,
                            const uint32_t *meet, bool *asks_for_local)
{
    struct deciding d = {.function = function, .step = step, .meet = meet};
    bool has_memory = start(&d);
    while (has_memory && pass(&d)) {
    }
    if (has_memory) {
        mark(&d, asks_for_local);
    }
    bsim_ptx_free_blocks(&d.blocks);
    bsim_mem_free(d.matters);
    bsim_mem_free(d.block_does);
    bsim_mem_free(d.seen);
    bsim_mem_free(d.to_visit);
    return has_memory;
}
