/* behind.c - what both ways of a branch do alike to different places is done once, behind them.
 *
 *     if (t < n) x = s[t + 1];               p = t < n ? &s[t + 1] : &s[t + 3];
 *     else       x = s[t + 3];       ->      x = *p;
 *
 * So nvcc has it: a value that both ways load, or make of what they load in the same steps, of which each has at most
 * one operand that differs and is not made alike itself, and the store that both end with. With one way that does
 * nothing the value of the other may stand in front of the branch. A load stays where something is written behind it,
 * and a value that is of use otherwise, or of a loop in the way that was unrolled.
 */
#include "cuda/behind.h"

/* ---- what there is --------------------------------------------------------------------------- */

static void count_block(struct behinds *s, uint32_t block)
{
    const struct cu_code_block *b = &s->code->block[block];
    bsim_cu_count_uses(b, s->n_uses);
    for (const struct cu_instruction *k = b->first; k != NULL; k = k->next) {
        for (uint32_t i = 0; i < k->n_results; i++) {
            s->at[k->result[i]] = block;
            s->n_copies[k->result[i]] += k->op == CU_OP_COPY && k->is_live;
        }
    }
}

static bool count_all(struct behinds *s)
{
    s->n_registers = 2 * s->code->n_registers; /* those that are made here, too */
    s->n_uses = bsim_cu_take_many(s->code->file, s->n_registers, sizeof *s->n_uses);
    s->n_copies = bsim_cu_take_many(s->code->file, s->n_registers, sizeof *s->n_copies);
    s->at = bsim_cu_take_many(s->code->file, s->n_registers, sizeof *s->at);
    s->with = bsim_cu_take_many(s->code->file, s->n_registers, sizeof *s->with);
    s->line = bsim_cu_take_many(s->code->file, s->n_registers, sizeof *s->line);
    for (uint32_t i = 0; i < s->n && !bsim_cu_failed(s->code->file); i++) {
        count_block(s, s->order[i]);
    }
    return !bsim_cu_failed(s->code->file);
}

/* ---- behind ---------------------------------------------------------------------------------- */

/* A register that either way sets to its value. */
static struct cu_value either(struct behinds *s, const struct cu_value *a, const struct cu_value *b)
{
    struct cu_value target = bsim_cu_register(s->code, a->class, a->space);
    for (uint32_t i = 0; i < 2; i++) {
        s->code->at = s->from[i];
        bsim_cu_set(s->l, target, i == 0 ? *a : *b);
    }
    return target;
}

static struct cu_value address_of(struct behinds *s, uint32_t way, const struct cu_instruction *k, bool with_offset)
{
    struct cu_value base = k->argument[0];
    s->code->at = s->from[way];
    base = base.kind == CU_SYMBOL ? bsim_cu_in_register(s->code, &base) : base;
    return with_offset && k->offset != 0
               ? bsim_cu_compute(s->code, CU_OP_ADD, false, base,
                                 bsim_cu_constant_of(base.class, (uint64_t)k->offset))
               : base;
}

/* One address for both, in *both. */
static void join_addresses(struct behinds *s, const struct cu_instruction *a, const struct cu_instruction *b,
                           struct cu_instruction *both)
{
    if (bsim_cu_same_value(&a->argument[0], &b->argument[0]) && a->offset == b->offset) {
        return;
    }
    bool with_offset = a->offset != b->offset;
    struct cu_value x = address_of(s, 0, a, with_offset), y = address_of(s, 1, b, with_offset);
    enum cu_space space = a->argument[0].space;
    both->argument[0] = either(s, &x, &y);
    both->argument[0].space = space;
    both->offset = with_offset ? 0 : a->offset;
    both->alignment = 0;
}

/* Makes the value, or what it is stored by, in the block at hand, of what both ways have. */
static struct cu_instruction *make(struct behinds *s, const struct cu_instruction *a, const struct cu_instruction *b,
                                   struct cu_instruction **last)
{
    struct cu_instruction *both = bsim_cu_take(s->code->file, sizeof *both);
    bool is_access = bsim_cu_accesses(a);
    *both = *a;
    both->token = a->n_results > 0 && s->line[a->result[0]] == 0 ? a->token : b->token;
    if (is_access) {
        join_addresses(s, a, b, both);
    }
    for (uint32_t i = is_access; i < a->n_arguments; i++) {
        const struct cu_value *x = &a->argument[i], *y = &b->argument[i];
        if (bsim_cu_same_value(x, y)) {
            continue;
        }
        if (bsim_cu_goes_behind(s, x, y)) {
            struct cu_instruction *operand =
                make(s, bsim_cu_definition(s->code, x), bsim_cu_definition(s->code, y), last);
            uint32_t id = bsim_cu_register(s->code, x->class, x->space).id;
            operand->result[0] = id;
            s->code->definition[id] = operand;
            both->argument[i].id = id;
            if (id < s->n_registers) {
                s->n_uses[id] = 1;
                s->at[id] = s->block;
            }
        } else {
            both->argument[i] = either(s, x, y);
        }
    }
    struct cu_code_block *block = &s->code->block[s->block];
    both->next = *last == NULL ? block->first : (*last)->next;
    *(*last == NULL ? &block->first : &(*last)->next) = both;
    block->last = block->last == *last ? both : block->last;
    *last = both;
    return both;
}

/* Where others come behind both ways at once nvcc sees all that comes there together: whether the value that the first
 * way copies is made alike there, too. */
static bool is_alike_elsewhere(const struct behinds *s, const struct cu_instruction *copy, const struct cu_instruction *a)
{
    const struct cu_instruction *there = NULL;
    for (const struct cu_instruction *k = s->code->block[s->block].first; k != NULL && s->other != CU_NO_BLOCK;
         k = k->next) {
        bool leads_on = k->is_live && k->op == CU_OP_COPY && k->argument[0].kind == CU_REGISTER &&
                        k->argument[0].id == copy->result[0];
        const struct cu_instruction *set = leads_on ? bsim_cu_copy_in(s->code, s->other, k->result[0]) : NULL;
        there = set != NULL ? bsim_cu_definition(s->code, &set->argument[0]) : there;
    }
    return there != NULL && bsim_cu_does_alike(a, there);
}

/* What both ways set the register to. A load alone stands in the line of what comes next, all else in the second way's. */
static void join_value(struct behinds *s, struct cu_instruction *copy, const struct cu_instruction *next,
                       struct cu_instruction **last)
{
    uint32_t id = copy->result[0];
    struct cu_instruction *other = bsim_cu_copy_in(s->code, s->from[1], id);
    const struct cu_instruction *a, *b;
    if (other == NULL || id >= s->n_registers || s->n_copies[id] != 2 ||
        !bsim_cu_are_made_alike(s, &copy->argument[0], &other->argument[0], &a, &b) ||
        (s->has_others && !is_alike_elsewhere(s, copy, a)) || !bsim_cu_plan_behind(s, a, b, 0, 0) || !s->loads) {
        return;
    }
    bsim_cu_take_out(&s->code->block[s->from[0]], copy);
    bsim_cu_take_out(&s->code->block[s->from[1]], other);
    struct cu_instruction *both = make(s, a, b, last);
    both->token = both->op == CU_OP_LOAD && next != NULL ? next->token : both->token;
    both->result[0] = id;
    s->code->definition[id] = both;
    s->at[id] = s->block;
}

/* Of two the second one's line, of three that of the one in the middle. */
static const struct cu_token *line_of_stores(const struct behinds *s, const struct cu_instruction *a,
                                             const struct cu_instruction *b)
{
    bool is_last = s->has_others && s->other != CU_NO_BLOCK && s->flow.place[s->other] < s->flow.place[s->block];
    return a->way[0] != NULL || is_last ? a->token : b->token;
}

static void join_ways(struct behinds *s)
{
    struct cu_instruction *last = NULL, *next;
    const struct cu_instruction *behind = s->code->block[s->block].first;
    while (behind != NULL && (!behind->is_live || behind->op == CU_OP_COPY)) {
        behind = behind->next;
    }
    struct cu_instruction *store[2] = {bsim_cu_last_store(s, s->from[0]), bsim_cu_last_store(s, s->from[1])};
    s->store[0] = store[0];
    s->store[1] = store[1];
    bool is_store = bsim_cu_may_join_stores(s, store[0], store[1]);
    for (uint32_t i = 0; i < 2 && !is_store; i++) {
        s->store[i] = NULL;
    }
    for (struct cu_instruction *k = s->code->block[s->from[0]].first; k != NULL; k = next) {
        next = k->next;
        if (k->op == CU_OP_COPY && k->is_live) {
            join_value(s, k, behind, &last);
        }
    }
    if (is_store && bsim_cu_may_join_stores(s, store[0], store[1])) {
        bsim_cu_take_out(&s->code->block[s->from[0]], store[0]);
        bsim_cu_take_out(&s->code->block[s->from[1]], store[1]);
        struct cu_instruction *both = make(s, store[0], store[1], &last);
        both->token = line_of_stores(s, store[0], store[1]);
        both->way[0] = store[0]->token;
        both->way[1] = store[1]->token;
    }
}

static void look_at_join(void *context, uint32_t block)
{
    struct behinds *s = context;
    uint32_t n_bare = 0;
    s->block = block;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t from = s->flow.come[block].from[i];
        bool is_bare = s->flow.n_ways[from] == 1 && bsim_cu_is_bare(s->code, from);
        s->from[i] = from;
        s->home[i] = is_bare ? s->flow.above[from] : from;
        n_bare += is_bare;
    }
    const struct cu_value *test = &s->code->block[s->flow.above[block]].condition;
    const struct cu_instruction *compare = bsim_cu_definition(s->code, test);
    s->is_unrolled = compare != NULL && compare->is_unrolled;
    s->has_bare = n_bare > 0;
    s->has_others = bsim_cu_others_come(s->code, &s->flow, block, &s->other);
    if (n_bare < 2) {
        join_ways(s);
    }
}

void bsim_cu_do_behind(struct cu_lowering *l, const uint32_t *order, uint32_t n)
{
    struct behinds s = {.l = l, .code = &l->code, .order = order, .n = n};
    if (bsim_cu_find_flow(s.code, order, n, &s.flow) && count_all(&s)) {
        bsim_cu_at_joins(s.code, &s.flow, order, n, look_at_join, &s);
    }
}
