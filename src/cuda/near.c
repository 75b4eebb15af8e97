/* near.c - loads stand in front of what takes them first.
 *
 *     x = s[a];  y = s[b];  z = s[c];  v = x - y;  w = v * z;        y = s[b];  x = s[a];  v = x - y;  z = s[c];  w = v * z;
 *
 * From the last instruction of a block to the first nvcc moves each load to what takes it first, where that stands in
 * the block and nothing up to there may write, or is what nvcc takes for it: no barrier, nor a store elsewhere, nor one of
 * what was loaded; else the load stays. So two loads that one instruction takes stand the other way round. Nothing but loads of one value moves, and
 * nothing in a kernel that is one block. Blocks that one way alone leads to, and no branch, are one with the block before.
 *
 * Graded measured: nvcc 13.0, tests/kernels/nears.cu.
 */
#include "cuda/code.h"

/* An instruction of a run of blocks, and which of them it stands in. */
struct standing {
    struct cu_instruction *k;
    uint32_t block;
};

struct nearing {
    struct cu_code *code;
    uint32_t *n_ways; /* of each block: how many lead there */
    struct standing *all;
    uint32_t n;
};

/* A product that went into a sum stands, to nvcc, where it stood. */
static bool counts(const struct cu_instruction *k)
{
    return k->is_live || k->is_fused;
}

static bool takes(const struct cu_instruction *k, const struct cu_instruction *load)
{
    bool is_it = false;
    for (uint32_t r = 0; r < load->n_results; r++) {
        for (uint32_t i = 0; i < k->n_arguments; i++) {
            is_it = is_it || (k->argument[i].kind == CU_REGISTER && k->argument[i].id == load->result[r]);
        }
        for (uint32_t i = 0; i < k->n_operands; i++) {
            is_it = is_it || (k->operand[i].kind == CU_REGISTER && k->operand[i].id == load->result[r]);
        }
    }
    return is_it && counts(k);
}

static bool sets_address(const struct cu_instruction *k, const struct cu_instruction *load)
{
    return k->op == CU_OP_COPY && load->argument[0].kind == CU_REGISTER && load->argument[0].id == k->result[0];
}

/* In front of which instruction the one at `at` goes; the next one: it stays. */
static uint32_t goes_to(const struct nearing *s, uint32_t at)
{
    const struct cu_instruction *load = s->all[at].k;
    bool is_load = load->is_live && load->op == CU_OP_LOAD && !load->has_effect && load->n_results == 1 &&
                   load->argument[0].space != CU_PARAM;
    for (uint32_t i = at + 1; i < s->n && is_load; i++) {
        const struct cu_instruction *k = s->all[i].k;
        if (takes(k, load)) {
            return k->op == CU_OP_COPY || k->has_effect ? at + 1 : i;
        }
        if (k->is_live && (k->has_effect || sets_address(k, load))) {
            break;
        }
    }
    return at + 1;
}

static void move_loads(struct nearing *s)
{
    for (uint32_t at = s->n; at-- > 0;) {
        struct standing load = s->all[at];
        uint32_t to = goes_to(s, at);
        load.block = to > at + 1 ? s->all[to].block : load.block;
        memmove(&s->all[at], &s->all[at + 1], (to - at - 1) * sizeof *s->all);
        s->all[to - 1] = load;
    }
}

/* Whether the block goes on to one that nobody else leads to. */
static bool goes_on(const struct nearing *s, uint32_t block)
{
    const struct cu_code_block *b = &s->code->block[block];
    return b->ending == CU_GOES && b->target[0] != block && s->n_ways[b->target[0]] == 1;
}

static void take_block(struct nearing *s, uint32_t block)
{
    struct cu_code_block *b = &s->code->block[block];
    for (struct cu_instruction *k = b->first; k != NULL; k = k->next) {
        s->all[s->n++] = (struct standing){k, block};
    }
    b->first = b->last = NULL;
}

/* The block, and those that it goes on to. */
static void visit(struct nearing *s, uint32_t block)
{
    s->n = 0;
    take_block(s, block);
    while (goes_on(s, block)) {
        block = s->code->block[block].target[0];
        take_block(s, block);
    }
    move_loads(s);
    for (uint32_t i = 0; i < s->n; i++) {
        bsim_cu_put_last(&s->code->block[s->all[i].block], s->all[i].k);
    }
}

void bsim_cu_put_near(struct cu_code *code, const uint32_t *order, uint32_t n)
{
    struct nearing s = {.code = code};
    bool is_one = true;
    s.n_ways = bsim_cu_take_many(code->file, code->n_blocks, sizeof *s.n_ways);
    bool *is_behind = bsim_cu_take_many(code->file, code->n_blocks, sizeof *is_behind);
    s.all = bsim_cu_take_many(code->file, code->n_made + 1, sizeof *s.all);
    if (bsim_cu_failed(code->file)) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct cu_code_block *b = &code->block[order[i]];
        for (uint32_t t = 0; t < bsim_cu_targets_of(b); t++) {
            s.n_ways[b->target[t]]++;
        }
        is_one = is_one && b->ending != CU_BRANCHES;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (goes_on(&s, order[i])) {
            is_behind[code->block[order[i]].target[0]] = true;
        }
    }
    for (uint32_t i = 0; i < n && !is_one; i++) {
        if (!is_behind[order[i]]) {
            visit(&s, order[i]);
        }
    }
}
