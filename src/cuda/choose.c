/* choose.c - a branch of which both ways compute little, and load from known places alone, is none: it chooses.
 *
 *     int x = s[i];                 int x = s[i];
 *     if (x > v)            ->      v = x > v ? x : v;
 *         v = x;
 *
 * So nvcc has it, so that loads of several turns stand in one block, where ptxas makes one access of them: of up to five
 * light instructions for one value on a way, two for three values, or none for any number of them (tests/kernels/choices.cu);
 * of five on both ways if they load, from places that are there in any case.
 */
#include "cuda/lower.h"

enum { MOST_BY_WAY = 6 }; /* instructions and choices, unless there are choices alone */

static bool is_light(const struct cu_instruction *k)
{
    bool is_call = k->op == CU_OP_CONVERT && strncmp(k->opcode, "cvt.rzi", 7) == 0; /* to a whole number, to nvcc */
    bool is_arithmetic = k->op <= CU_OP_CONVERT && k->op != CU_OP_DIV && k->op != CU_OP_REM && !is_call;
    return (is_arithmetic || k->op == CU_OP_NAME || (bsim_cu_is_harmless(k) && !k->type->is_volatile)) && !k->has_effect && k->n_results == 1;
}

/* Whether the way does little, and copies what the other one does, from nothing that it copies to. */
static bool is_little(const struct cu_code *code, uint32_t way, uint32_t other)
{
    uint32_t n_computed = 0, n_copied = 0;
    bool is_it = true;
    for (const struct cu_instruction *k = code->block[way].first; k != NULL && is_it; k = k->next) {
        bool is_copy = k->op == CU_OP_COPY;
        const struct cu_value *from = &k->argument[0];
        if (!k->is_live) {
            continue;
        }
        n_copied += is_copy;
        n_computed += !is_copy && k->op != CU_OP_NAME; /* an array's address is a constant */
        is_it = is_copy ? bsim_cu_copy_in(code, other, k->result[0]) != NULL && code->class[k->result[0]] != CU_P &&
                              (from->kind == CU_CONSTANT_VALUE ||
                               (from->kind == CU_REGISTER && bsim_cu_copy_in(code, way, from->id) == NULL))
                        : is_light(k);
    }
    return is_it && (n_computed == 0 || n_computed + n_copied <= MOST_BY_WAY);
}

/* Loads of the way; *n_computed: instructions more. */
static uint32_t count_loads(const struct cu_code *code, uint32_t way, uint32_t *n_computed)
{
    uint32_t n_loads = 0;
    for (const struct cu_instruction *k = code->block[way].first; k != NULL; k = k->next) {
        n_loads += k->is_live && k->op == CU_OP_LOAD;
        *n_computed += k->is_live && k->op != CU_OP_COPY;
    }
    return n_loads;
}

/* The block where both ways of the branch meet again; CU_NO_BLOCK: they do more than a choice. */
static uint32_t end_of(const struct cu_code *code, const struct cu_flow *flow, uint32_t block)
{
    const struct cu_code_block *b = &code->block[block];
    uint32_t yes = b->target[0], no = b->target[1], n_computed = 0;
    if (b->ending != CU_BRANCHES || yes == no || code->block[yes].ending != CU_GOES ||
        code->block[no].ending != CU_GOES) {
        return CU_NO_BLOCK;
    }
    if (count_loads(code, yes, &n_computed) + count_loads(code, no, &n_computed) > 0 && n_computed > CU_MOST_AT_ONCE) {
        return CU_NO_BLOCK;
    }
    uint32_t end = code->block[yes].target[0];
    bool is_choice = end == code->block[no].target[0] && flow->n_ways[yes] == 1 && flow->n_ways[no] == 1 &&
                     flow->n_ways[end] == 2 && !code->block[yes].is_before_loop && !code->block[no].is_before_loop &&
                     is_little(code, yes, no) && is_little(code, no, yes);
    return is_choice ? end : CU_NO_BLOCK;
}

bool bsim_cu_is_choice(const struct cu_code *code, const struct cu_flow *flow, uint32_t block)
{
    return end_of(code, flow, block) != CU_NO_BLOCK;
}

/* What the way computes goes to the block. */
static void compute_in(struct cu_code *code, uint32_t block, uint32_t way)
{
    struct cu_instruction *next;
    for (struct cu_instruction *k = code->block[way].first; k != NULL; k = next) {
        next = k->next;
        if (k->op != CU_OP_COPY) {
            bsim_cu_take_out(&code->block[way], k);
            bsim_cu_put_last(&code->block[block], k);
        }
    }
}

static void choose(struct cu_lowering *l, uint32_t block, uint32_t end)
{
    struct cu_code *code = &l->code;
    struct cu_code_block *b = &code->block[block];
    uint32_t yes = b->target[0], no = b->target[1];
    compute_in(code, block, yes);
    compute_in(code, block, no);
    code->at = block;
    for (const struct cu_instruction *k = code->block[yes].first; k != NULL; k = k->next) {
        if (k->is_live) {
            uint32_t id = k->result[0];
            struct cu_value target = {.kind = CU_REGISTER, .class = code->class[id], .id = id};
            const struct cu_instruction *other = bsim_cu_copy_in(code, no, id);
            bsim_cu_set(l, target, bsim_cu_select(code, code->block[block].condition, k->argument[0], other->argument[0]));
        }
    }
    b = &code->block[block];
    const struct cu_code_block *e = &code->block[end];
    for (struct cu_instruction *k = e->first, *next; k != NULL; k = next) {
        next = k->next;
        bsim_cu_put_last(b, k);
    }
    bsim_cu_end_as(b, e);
}

void bsim_cu_choose(struct cu_lowering *l, const uint32_t *order, uint32_t n)
{
    struct cu_flow flow;
    if (!bsim_cu_find_flow(&l->code, order, n, &flow)) {
        return;
    }
    bsim_cu_forget(&l->code, 0);
    l->code.is_exact = true;
    for (uint32_t i = n; i-- > 0 && !bsim_cu_failed(l->code.file);) {
        for (uint32_t end; (end = end_of(&l->code, &flow, order[i])) != CU_NO_BLOCK;) {
            choose(l, order[i], end);
        }
    }
    l->code.is_exact = false;
}
