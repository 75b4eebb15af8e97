/* flow.c - which blocks all ways to a block come through. */
#include "cuda/code.h"

uint32_t bsim_cu_meet(const struct cu_flow *flow, uint32_t a, uint32_t b)
{
    while (a != b) {
        uint32_t *later = flow->place[a] > flow->place[b] ? &a : &b;
        *later = flow->above[*later];
    }
    return a;
}

uint32_t bsim_cu_targets_of(const struct cu_code_block *block)
{
    return block->ending == CU_BRANCHES ? 2 : block->ending == CU_GOES;
}

static bool lead_on(struct cu_flow *flow, const struct cu_code *code, uint32_t block)
{
    const struct cu_code_block *b = &code->block[block];
    bool is_new = false;
    for (uint32_t i = 0; i < bsim_cu_targets_of(b); i++) {
        uint32_t *above = &flow->above[b->target[i]];
        uint32_t now = *above == CU_NO_BLOCK ? block : bsim_cu_meet(flow, *above, block);
        is_new = is_new || now != *above;
        *above = now;
    }
    return is_new;
}

bool bsim_cu_find_flow(const struct cu_code *code, const uint32_t *order, uint32_t n,
                       struct cu_flow *flow)
{
    flow->place = bsim_cu_take_many(code->file, code->n_blocks, sizeof *flow->place);
    flow->above = bsim_cu_take_many(code->file, code->n_blocks, sizeof *flow->above);
    flow->n_ways = bsim_cu_take_many(code->file, code->n_blocks, sizeof *flow->n_ways);
    flow->come = bsim_cu_take_many(code->file, code->n_blocks, sizeof *flow->come);
    if (bsim_cu_failed(code->file)) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct cu_code_block *b = &code->block[order[i]];
        flow->place[order[i]] = i;
        flow->above[order[i]] = i == 0 ? order[0] : CU_NO_BLOCK;
        for (uint32_t k = 0; k < bsim_cu_targets_of(b); k++) {
            flow->n_ways[b->target[k]]++;
        }
        struct cu_coming *come = &flow->come[b->target[0]];
        if (b->ending == CU_GOES && come->n < 2) {
            come->from[come->n++] = order[i];
        }
    }
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (uint32_t i = 0; i < n; i++) {
            is_new = lead_on(flow, code, order[i]) || is_new;
        }
    }
    return true;
}

static bool is_join(const struct cu_flow *flow, uint32_t block)
{
    const struct cu_coming *come = &flow->come[block];
    return come->n == 2 && flow->n_ways[block] == 2 && flow->place[come->from[0]] < flow->place[block] &&
           flow->place[come->from[1]] < flow->place[block];
}

void bsim_cu_at_joins(struct cu_code *code, const struct cu_flow *flow, const uint32_t *order, uint32_t n,
                      void (*visit)(void *context, uint32_t block), void *context)
{
    bsim_cu_forget(code, 0);
    code->is_exact = true;
    for (uint32_t i = 0; i < n && !bsim_cu_failed(code->file); i++) {
        if (is_join(flow, order[i])) {
            visit(context, order[i]);
        }
    }
    code->is_exact = false;
}

bool bsim_cu_is_bare(const struct cu_code *code, uint32_t block)
{
    const struct cu_instruction *k = code->block[block].first;
    while (k != NULL && (!k->is_live || k->op == CU_OP_COPY)) {
        k = k->next;
    }
    return k == NULL && code->block[block].ending == CU_GOES;
}

bool bsim_cu_others_come(const struct cu_code *code, const struct cu_flow *flow, uint32_t block, uint32_t *other)
{
    while (bsim_cu_is_bare(code, block)) {
        uint32_t next = code->block[block].target[0];
        const struct cu_coming *come = &flow->come[next];
        if (flow->place[next] <= flow->place[block]) {
            return false;
        }
        if (flow->n_ways[next] > 1) {
            bool are_two = flow->n_ways[next] == 2 && come->n == 2;
            *other = are_two ? come->from[come->from[0] == block] : CU_NO_BLOCK;
            return true;
        }
        block = next;
    }
    return false;
}
