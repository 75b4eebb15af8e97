/* sink.c - what one way of a branch alone wants is computed and loaded on that way.
 *
 *     float x = in[t];        if (t < n) {
 *     if (t < n)        ->        float x = in[t];
 *         out[t] = x;             out[t] = x; }
 *
 * So a warp of which no lane goes that way makes no request for x. As nvcc has it (tests/kernels/sinks.cu) that
 * goes for what one block wants, or copies in front of a loop, not for what a loop wants in each turn or an
 * unrolled one made. What is the same in all turns, w * m, nvcc makes behind the loop's first test: there it wants
 * w. A load stays before a store that may lead to its place, and before barriers, atomics and shuffles. A sum with
 * a product in it stays, and what is made of two values that others want, too: both would have to be kept for it.
 */
#include "cuda/lower.h"

enum { NOWHERE = UINT32_MAX, MOST_DEEP = 16 };

struct sinking {
    struct cu_lowering *l;
    struct cu_code *code;
    const uint32_t *order;
    uint32_t n;
    struct cu_flow flow;
    /* of each register: */
    uint32_t *wanted; /* the last block before all its uses; NOWHERE: nobody wants it */
    bool *is_spread;  /* these are not all in that block; of copies none has to be */
    bool *is_copied;  /* copies alone want it */
    uint32_t *n_uses;
    const struct cu_instruction **maker; /* NULL: copies set it */
    bool *is_address;                    /* something is loaded from there, or stored */
    uint32_t *home;                      /* the block that makes it, once what a loop need not make anew is out of it */
};

/* ---- blocks ---------------------------------------------------------------------------------- */

static void count_uses(struct sinking *s, const struct cu_instruction *k)
{
    for (uint32_t i = 0; i < k->n_results && k->op != CU_OP_COPY; i++) {
        s->maker[k->result[i]] = k->result[i] != 0 ? k : NULL;
    }
    bool is_access = bsim_cu_accesses(k);
    for (uint32_t i = 0; i < k->n_arguments && k->is_live; i++) {
        uint32_t id = k->argument[i].kind == CU_REGISTER ? k->argument[i].id : 0;
        s->n_uses[id]++;
        s->is_address[id] |= is_access && i == 0;
    }
    for (uint32_t i = 0; i < k->n_operands && k->is_live; i++) {
        s->n_uses[k->operand[i].kind == CU_REGISTER ? k->operand[i].id : 0]++;
    }
}

static void count_all_uses(struct sinking *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        for (const struct cu_instruction *k = s->code->block[s->order[i]].first; k != NULL;
             k = k->next) {
            count_uses(s, k);
        }
    }
}

/* Whether all that the instruction takes is there in the block. */
static bool is_there_in(const struct sinking *s, const struct cu_instruction *k, uint32_t block)
{
    for (uint32_t i = 0; i < k->n_arguments; i++) {
        uint32_t home = k->argument[i].kind == CU_REGISTER ? s->home[k->argument[i].id] : s->order[0];
        if (home == NOWHERE || bsim_cu_meet(&s->flow, home, block) != home) {
            return false;
        }
    }
    return true;
}

/* The block that makes what the instruction computes: in front of the loops in which it would stay the same. */
static uint32_t made_in(const struct sinking *s, const struct cu_instruction *k, uint32_t block)
{
    bool is_pure = k->is_live && !k->has_effect && k->op != CU_OP_COPY && !bsim_cu_accesses(k);
    for (uint32_t at = block; is_pure;) {
        while (!s->code->block[at].is_before_loop && s->flow.above[at] != at) {
            at = s->flow.above[at];
        }
        if (!s->code->block[at].is_before_loop || !is_there_in(s, k, at)) {
            break;
        }
        block = at;
        at = s->flow.above[at];
    }
    return block;
}

static void find_homes(struct sinking *s)
{
    memset(s->home, 0xff, s->code->n_registers * sizeof *s->home);
    for (uint32_t i = 0; i < s->n; i++) {
        for (const struct cu_instruction *k = s->code->block[s->order[i]].first; k != NULL; k = k->next) {
            for (uint32_t r = 0; r < k->n_results && k->op != CU_OP_COPY; r++) {
                s->home[k->result[r]] = made_in(s, k, s->order[i]);
            }
        }
    }
}

/* A block of copies alone is none to nvcc: what it copies is wanted where the way to it begins. */
static uint32_t home_of(const struct sinking *s, uint32_t block)
{
    bool is_none = bsim_cu_is_bare(s->code, block) && s->flow.n_ways[block] == 1 &&
                   !s->code->block[block].is_before_loop;
    return is_none ? s->flow.above[block] : block;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void want(struct sinking *s, const struct cu_value *value, uint32_t block, bool is_copy)
{
    if (value->kind == CU_REGISTER) {
        uint32_t *wanted = &s->wanted[value->id];
        uint32_t both = *wanted == NOWHERE ? block : bsim_cu_meet(&s->flow, *wanted, block);
        s->is_spread[value->id] |= both != block && !is_copy;
        s->is_spread[value->id] |=
            *wanted != NOWHERE && both != *wanted && !s->is_copied[value->id];
        s->is_copied[value->id] = is_copy && (*wanted == NOWHERE || s->is_copied[value->id]);
        *wanted = both;
    }
}

static void want_all(struct sinking *s, const struct cu_instruction *k, uint32_t block)
{
    bool is_copy = k->op == CU_OP_COPY;
    uint32_t from = is_copy ? home_of(s, block) : made_in(s, k, block);
    for (uint32_t i = 0; i < k->n_arguments; i++) {
        want(s, &k->argument[i], from, is_copy);
    }
    for (uint32_t i = 0; i < k->n_operands; i++) {
        want(s, &k->operand[i], from, false);
    }
}

static bool may_move(const struct cu_instruction *k)
{
    bool is_parameter = k->op == CU_OP_LOAD && k->argument[0].space == CU_PARAM;
    bool is_fused = k->op == CU_OP_OTHER && strncmp(k->opcode, "fma", 3) == 0 &&
                    k->argument[2].kind == CU_REGISTER;
    return k->is_live && !k->has_effect && k->op != CU_OP_COPY && !is_parameter && !is_fused;
}

/* What the instruction is made of and others want, too: addresses and what was loaded, and 0 for all indices.
 * Two of them are enough. */
static void find_kept(const struct sinking *s, const struct cu_instruction *k, uint32_t depth,
                      uint32_t kept[2], uint32_t *n)
{
    for (uint32_t i = 0; i < k->n_arguments && *n < 2 && depth > 0; i++) {
        uint32_t id = k->argument[i].kind == CU_REGISTER ? k->argument[i].id : 0;
        const struct cu_instruction *from = s->maker[id];
        if (from == NULL || from->op == CU_OP_NAME || strncmp(from->opcode, "cvta", 4) == 0 ||
            (from->op == CU_OP_LOAD && from->argument[0].space == CU_PARAM)) {
            continue;
        }
        bool is_index =
            from->op != CU_OP_LOAD && k->argument[i].class <= CU_I64 && !s->is_address[id];
        id = is_index ? 0 : id;
        if (s->n_uses[k->argument[i].id] == 1) {
            find_kept(s, from, depth - 1, kept, n);
        } else if (*n == 0 || kept[0] != id) {
            kept[(*n)++] = id;
        }
    }
}

/* Whether k sets a register that the instruction takes. */
static bool sets(const struct cu_instruction *k, const struct cu_instruction *instruction)
{
    for (uint32_t i = 0; i < instruction->n_arguments && k->op == CU_OP_COPY; i++) {
        if (instruction->argument[i].kind == CU_REGISTER &&
            instruction->argument[i].id == k->result[0]) {
            return true;
        }
    }
    return false;
}

/* Whether the instruction may stand behind all that begins with k. */
static bool may_pass(const struct sinking *s, const struct cu_instruction *k,
                     const struct cu_instruction *instruction, bool is_to_loop)
{
    for (; k != NULL; k = k->next) {
        bool is_write = is_to_loop && instruction->op == CU_OP_LOAD && k->is_live && k->has_effect;
        if (is_write || sets(k, instruction) || bsim_cu_changes(s->l, k, instruction)) {
            return false;
        }
    }
    return true;
}

/* The block that it goes to, its own if it stays. */
static uint32_t goal_of(const struct sinking *s, const struct cu_instruction *instruction,
                        uint32_t block)
{
    uint32_t wanted = NOWHERE, at = block;
    bool is_spread = false;
    const struct cu_instruction *rest = instruction->next;
    for (uint32_t i = 0; i < instruction->n_results; i++) {
        uint32_t id = instruction->result[i], one = s->wanted[id];
        is_spread |= s->is_spread[id] || (wanted != NOWHERE && one != NOWHERE && one != wanted);
        wanted = wanted == NOWHERE ? one : one == NOWHERE ? wanted : bsim_cu_meet(&s->flow, wanted, one);
    }
    uint32_t kept[2], n_kept = 0;
    find_kept(s, instruction, MOST_DEEP, kept, &n_kept);
    if (is_spread || n_kept > 1) {
        return block;
    }
    while (wanted != NOWHERE && wanted != at) {
        uint32_t next = wanted;
        while (s->flow.above[next] != at && s->flow.above[next] != next) {
            next = s->flow.above[next];
        }
        if (s->flow.above[next] != at) { /* wanted where another way leaves it unset */
            break;
        }
        bool is_to_loop = s->code->block[next].is_before_loop;
        if (s->flow.n_ways[next] != 1 || (is_to_loop && (next != wanted || instruction->is_unrolled)) ||
            !may_pass(s, rest, instruction, is_to_loop)) {
            break;
        }
        at = next;
        rest = s->code->block[at].first;
    }
    return at;
}

/* From the last instruction to the first. */
static void sink_block(struct sinking *s, uint32_t block, struct cu_instruction **all)
{
    struct cu_code_block *b = &s->code->block[block];
    uint32_t n = 0;
    if (b->ending == CU_BRANCHES) {
        want(s, &b->condition, block, false);
    }
    for (struct cu_instruction *k = b->first; k != NULL; k = k->next) {
        all[n++] = k;
    }
    while (n-- > 0) {
        uint32_t goal = may_move(all[n]) ? goal_of(s, all[n], block) : block;
        struct cu_code_block *to = &s->code->block[goal];
        if (goal != block) {
            *(n > 0 ? &all[n - 1]->next : &b->first) = all[n]->next;
            b->last = b->last == all[n] ? (n > 0 ? all[n - 1] : NULL) : b->last;
            all[n]->next = to->first;
            to->first = all[n];
            to->last = to->last == NULL ? all[n] : to->last;
        }
        if (all[n]->is_live) {
            want_all(s, all[n], goal);
        }
    }
}

void bsim_cu_sink(struct cu_lowering *l, const uint32_t *order, uint32_t n)
{
    struct cu_code *code = &l->code;
    struct sinking s = {.l = l, .code = code, .order = order, .n = n};
    s.wanted = bsim_cu_take_many(code->file, code->n_registers, sizeof *s.wanted);
    s.is_spread = bsim_cu_take_many(code->file, code->n_registers, sizeof *s.is_spread);
    s.is_copied = bsim_cu_take_many(code->file, code->n_registers, sizeof *s.is_copied);
    s.maker = bsim_cu_take_many(code->file, code->n_registers, sizeof *s.maker);
    s.is_address = bsim_cu_take_many(code->file, code->n_registers, sizeof *s.is_address);
    s.n_uses = bsim_cu_take_many(code->file, code->n_registers, sizeof *s.n_uses);
    s.home = bsim_cu_take_many(code->file, code->n_registers, sizeof *s.home);
    struct cu_instruction **all = bsim_cu_take_many(code->file, code->n_made + 1, sizeof *all);
    if (!bsim_cu_find_flow(code, order, n, &s.flow)) {
        return;
    }
    memset(s.wanted, 0xff, code->n_registers * sizeof *s.wanted);
    count_all_uses(&s);
    find_homes(&s);
    for (uint32_t i = n; i-- > 0;) {
        sink_block(&s, order[i], all);
    }
}
