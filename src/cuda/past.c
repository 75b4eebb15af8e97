/* past.c - what a way of a branch only copies is copied in front of the branch, which leads past the other way then.
 *
 *     if (c) k = i; else k = s[i];        k = i; if (!c) k = s[i];
 *
 * So the ways stand in nvcc's PTX, from which ptxas puts the condition on what is left, where that is little. Not of a way out of a
 * loop, whose copies would be made in each turn.
 *
 * Graded measured: nvcc 13.0, tests/kernels/alike.cu.
 */
#include "cuda/lower.h"

struct walk {
    struct cu_code *code;
    uint32_t *stack;
    bool *is_seen; /* blocks */
};

static bool asks(const struct cu_code_block *block, uint32_t id)
{
    return block->ending == CU_BRANCHES && block->condition.kind == CU_REGISTER && block->condition.id == id;
}

static bool takes(const struct cu_code_block *block, uint32_t id)
{
    bool does = asks(block, id);
    for (const struct cu_instruction *k = block->first; k != NULL && !does; k = k->next) {
        does = bsim_cu_uses(k, id);
    }
    return does;
}

/* Whether a block takes, or its branch asks, what the way copies into. */
static bool takes_of(const struct cu_code *code, uint32_t block, uint32_t way, bool (*does_it)(const struct cu_code_block *block, uint32_t id))
{
    bool does = false;
    for (const struct cu_instruction *k = code->block[way].first; k != NULL && !does; k = k->next) {
        does = k->is_live && does_it(&code->block[block], k->result[0]);
    }
    return does;
}

/* Whether nothing from `other` on takes what the way copies into before both meet, and the branch is not come to again. */
static bool stays_apart(struct walk *walk, uint32_t branch, uint32_t way, uint32_t other)
{
    struct cu_code *code = walk->code;
    uint32_t n = 0, end = code->block[way].target[0];
    bool does = true;
    memset(walk->is_seen, 0, code->n_blocks * sizeof *walk->is_seen);
    walk->is_seen[end] = walk->is_seen[other] = true;
    walk->stack[n++] = other;
    while (n > 0 && does) {
        uint32_t block = walk->stack[--n];
        const struct cu_code_block *b = &code->block[block];
        does = block != branch && !takes_of(code, block, way, takes);
        for (uint32_t i = 0; i < bsim_cu_targets_of(b) && does; i++) {
            if (!walk->is_seen[b->target[i]]) {
                walk->is_seen[b->target[i]] = true;
                walk->stack[n++] = b->target[i];
            }
        }
    }
    return does;
}

static bool may_lead_past(struct walk *walk, const struct cu_flow *flow, uint32_t branch, uint32_t i)
{
    const struct cu_code_block *b = &walk->code->block[branch];
    uint32_t way = b->target[i], other = b->target[!i];
    bool is_it = b->ending == CU_BRANCHES && way != other && flow->n_ways[way] == 1 && bsim_cu_is_bare(walk->code, way) &&
                 flow->place[walk->code->block[way].target[0]] > flow->place[branch];
    if (!is_it) {
        return false;
    }
    uint32_t end = walk->code->block[way].target[0];
    bool does_more = !bsim_cu_is_bare(walk->code, other) || walk->code->block[other].target[0] != end;
    return other != end && does_more &&
           !takes_of(walk->code, branch, way, asks) && stays_apart(walk, branch, way, other);
}

void bsim_cu_lead_past(struct cu_code *code, const uint32_t *order, uint32_t n)
{
    struct cu_flow flow;
    struct walk walk = {code, bsim_cu_take_many(code->file, code->n_blocks, sizeof *walk.stack),
                        bsim_cu_take_many(code->file, code->n_blocks, sizeof *walk.is_seen)};
    if (!bsim_cu_find_flow(code, order, n, &flow)) {
        return;
    }
    for (uint32_t i = 0; i < 2 * n; i++) {
        uint32_t branch = order[i / 2];
        if (!may_lead_past(&walk, &flow, branch, i % 2)) {
            continue;
        }
        struct cu_code_block *way = &code->block[code->block[branch].target[i % 2]];
        for (struct cu_instruction *k = way->first, *next; k != NULL; k = next) {
            next = k->next;
            bsim_cu_take_out(way, k);
            bsim_cu_put_last(&code->block[branch], k);
        }
    }
}
