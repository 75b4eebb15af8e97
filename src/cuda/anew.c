/* anew.c - what compares is computed where it is asked: in each block that does, also in each turn of a loop, but where a block that
 * all ways to it come through asks the same.
 *
 *     setp.lt.s32 %p1, %r1, %r2;        L1: ...
 *     L1: ...                     ->        setp.lt.s32 %p1, %r1, %r2;
 *         @%p1 bra L2;                      @%p1 bra L2;
 *
 * So nvcc saves predicates, of which a thread has few. Not what turns a truth into its opposite, nor joins two.
 *
 * Graded measured: nvcc 13.0, tests/kernels/alike.cu.
 */
#include "cuda/lower.h"

/* A register that has the same as an earlier one. */
struct same {
    uint32_t block, id;
    struct same *next;
};

struct anew {
    struct cu_code *code;
    struct cu_instruction **maker; /* of each register that there is before: what compares for it; NULL: another one */
    uint32_t *home;                /* its block */
    struct same **same;
    uint32_t n;
    struct cu_flow flow;
    const uint32_t *order; /* blocks */
    uint32_t n_blocks, *stack;
    bool *is_behind, *is_seen, *begins_loop;
};

/* Marks the blocks that are come to from the block's ways, but for those that lead through `past`. */
static void mark_from(struct anew *a, uint32_t block, uint32_t past, bool *is_seen)
{
    uint32_t n = 0;
    memset(is_seen, 0, a->code->n_blocks * sizeof *is_seen);
    a->stack[n++] = block;
    while (n > 0) {
        const struct cu_code_block *b = &a->code->block[a->stack[--n]];
        for (uint32_t i = 0; i < bsim_cu_targets_of(b); i++) {
            if (b->target[i] != past && !is_seen[b->target[i]]) {
                is_seen[b->target[i]] = true;
                a->stack[n++] = b->target[i];
            }
        }
    }
}

/* Whether a register that copies set is in a block what it was where it was compared. */
static bool is_still(struct anew *a, uint32_t home, uint32_t block, uint32_t id)
{
    bool is_it = bsim_cu_copy_in(a->code, home, id) == NULL;
    mark_from(a, home, home, a->is_behind);
    for (uint32_t i = 0; i < a->n_blocks && is_it; i++) {
        uint32_t other = a->order[i];
        if (a->is_behind[other] && bsim_cu_copy_in(a->code, other, id) != NULL) {
            mark_from(a, other, home, a->is_seen);
            is_it = !a->is_seen[block];
        }
    }
    return is_it;
}

static bool may_be_anew(struct anew *a, uint32_t block, const struct cu_instruction *compare)
{
    bool may = true;
    for (uint32_t i = 0; i < compare->n_arguments && may; i++) {
        const struct cu_value *x = &compare->argument[i];
        may = x->kind != CU_REGISTER || a->code->definition[x->id] != NULL || is_still(a, a->home[compare->result[0]], block, x->id);
    }
    return may;
}

static void note_same(struct anew *a, uint32_t of, uint32_t block, uint32_t id)
{
    struct same *same = bsim_cu_take(a->code->file, sizeof *same);
    *same = (struct same){block, id, a->same[of]};
    a->same[of] = same;
}

/* The register that has it in the block; 0: none there. */
static uint32_t find_same(const struct anew *a, uint32_t of, uint32_t block)
{
    const struct same *same = a->same[of];
    while (same != NULL && bsim_cu_meet(&a->flow, same->block, block) != same->block) {
        same = same->next;
    }
    return same != NULL ? same->id : 0;
}

/* In front of what asks in a block that a loop begins with, else before all. */
static void compare_in(struct anew *a, uint32_t block, uint32_t id, struct cu_instruction *user)
{
    struct cu_code *code = a->code;
    struct cu_value result = bsim_cu_register(code, CU_P, CU_GENERIC);
    struct cu_instruction *k = bsim_cu_take(code->file, sizeof *k);
    if (bsim_cu_failed(code->file)) {
        return;
    }
    *k = *a->maker[id];
    k->result[0] = result.id;
    code->definition[result.id] = k;
    note_same(a, id, block, result.id);
    struct cu_instruction *before = a->begins_loop[block] ? user : code->block[block].first;
    if (before != NULL) {
        bsim_cu_put_before(&code->block[block], k, before);
    } else {
        bsim_cu_put_last(&code->block[block], k);
    }
}

static void ask(struct anew *a, uint32_t block, struct cu_value *value, struct cu_instruction *user)
{
    uint32_t id = value->kind == CU_REGISTER ? value->id : 0;
    if (id >= a->n || a->maker[id] == NULL || bsim_cu_failed(a->code->file)) {
        return;
    }
    if (find_same(a, id, block) == 0 && a->home[id] == block) {
        note_same(a, id, block, id);
    } else if (find_same(a, id, block) == 0 && may_be_anew(a, block, a->maker[id])) {
        compare_in(a, block, id, user);
    }
    uint32_t same = find_same(a, id, block);
    value->id = same != 0 ? same : id;
}

static bool begin(struct anew *a, struct cu_code *code, const uint32_t *order, uint32_t n)
{
    uint32_t n_registers = code->n_registers;
    *a = (struct anew){code,
                       bsim_cu_take_many(code->file, n_registers, sizeof *a->maker),
                       bsim_cu_take_many(code->file, n_registers, sizeof *a->home),
                       bsim_cu_take_many(code->file, n_registers, sizeof(struct same *)),
                       n_registers,
                       {NULL},
                       order,
                       n,
                       bsim_cu_take_many(code->file, code->n_blocks, sizeof *a->stack),
                       bsim_cu_take_many(code->file, code->n_blocks, sizeof *a->is_behind),
                       bsim_cu_take_many(code->file, code->n_blocks, sizeof *a->is_seen),
                       bsim_cu_take_many(code->file, code->n_blocks, sizeof *a->begins_loop)};
    for (uint32_t i = 0; i < n && !bsim_cu_failed(code->file); i++) {
        for (struct cu_instruction *k = code->block[order[i]].first; k != NULL; k = k->next) {
            if (k->is_live && k->op == CU_OP_COMPARE) {
                a->maker[k->result[0]] = k;
                a->home[k->result[0]] = order[i];
            }
        }
    }
    if (bsim_cu_failed(code->file) || !bsim_cu_find_flow(code, order, n, &a->flow)) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct cu_code_block *b = &code->block[order[i]];
        for (uint32_t k = 0; k < bsim_cu_targets_of(b); k++) {
            a->begins_loop[b->target[k]] |= a->flow.place[b->target[k]] <= i;
        }
    }
    return true;
}

/* A branch that asks for the opposite of something asks for that. */
static void ask_plainly(struct cu_code *code, struct cu_code_block *block)
{
    const struct cu_instruction *from = block->ending == CU_BRANCHES ? bsim_cu_definition(code, &block->condition) : NULL;
    if (from != NULL && from->op == CU_OP_NOT) {
        uint32_t yes = block->target[0];
        block->condition = from->argument[0];
        block->target[0] = block->target[1];
        block->target[1] = yes;
    }
}

void bsim_cu_compare_anew(struct cu_code *code, const uint32_t *order, uint32_t n)
{
    struct anew a;
    if (!begin(&a, code, order, n)) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        ask_plainly(code, &code->block[order[i]]);
        for (struct cu_instruction *k = code->block[order[i]].first; k != NULL; k = k->next) {
            for (uint32_t j = 0; j < k->n_arguments && k->is_live && k->op != CU_OP_COPY; j++) {
                ask(&a, order[i], &k->argument[j], k);
            }
        }
        if (code->block[order[i]].ending == CU_BRANCHES) {
            ask(&a, order[i], &code->block[order[i]].condition, NULL);
        }
    }
}
