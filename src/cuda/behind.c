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
#include "cuda/lower.h"

enum { MOST_DEEP = 8, MOST_PAIRS = 64 };

struct pair {
    const struct cu_instruction *a, *b; /* of either way */
};

struct behinds {
    struct cu_lowering *l;
    struct cu_code *code;
    const uint32_t *order;
    uint32_t n;
    struct cu_flow flow;
    /* of each register: */
    uint32_t n_registers, *n_uses, *n_copies, *at; /* at: the block that makes it */
    /* the join at hand: */
    uint32_t block, from[2], home[2]; /* home: where a way's values are made */
    bool has_bare, is_unrolled; /* the branch is of a loop that was unrolled */
    bool has_others; /* others come where both ways lead: from the block `other` */
    uint32_t other;
    const struct cu_instruction *store[2]; /* that goes behind, too */
    /* what goes behind: */
    struct pair pair[MOST_PAIRS];
    uint32_t n_pairs;
    bool is_stopped, loads;
    uint32_t *with; /* of each register of the first way: that of the second one, 0: none */
    uint32_t *line; /* and the way whose line it has */
};

/* ---- what there is --------------------------------------------------------------------------- */

static void count_value(struct behinds *s, const struct cu_value *value)
{
    s->n_uses[value->kind == CU_REGISTER ? value->id : 0]++;
}

static void count_block(struct behinds *s, uint32_t block)
{
    const struct cu_code_block *b = &s->code->block[block];
    for (const struct cu_instruction *k = b->first; k != NULL; k = k->next) {
        for (uint32_t i = 0; i < k->n_arguments && k->is_live; i++) {
            count_value(s, &k->argument[i]);
        }
        for (uint32_t i = 0; i < k->n_operands && k->is_live; i++) {
            count_value(s, &k->operand[i]);
        }
        for (uint32_t i = 0; i < k->n_results; i++) {
            s->at[k->result[i]] = block;
            s->n_copies[k->result[i]] += k->op == CU_OP_COPY && k->is_live;
        }
    }
    if (b->ending == CU_BRANCHES) {
        count_value(s, &b->condition);
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

/* ---- what is alike --------------------------------------------------------------------------- */

/* Whether something is written behind the load, or might be. */
static bool is_written_behind(const struct behinds *s, const struct cu_instruction *load)
{
    for (const struct cu_instruction *k = load->next; k != NULL; k = k->next) {
        if (k->is_live && k->has_effect && k != s->store[0] && k != s->store[1]) {
            return true;
        }
    }
    return false;
}

/* Whether the value is there behind the way, too: no copy at its end sets it. */
static bool lasts(const struct behinds *s, uint32_t way, const struct cu_value *value)
{
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t block = i == 0 ? s->from[way] : s->home[way];
        for (const struct cu_instruction *k = s->code->block[block].first; k != NULL; k = k->next) {
            if (k->op == CU_OP_COPY && value->kind == CU_REGISTER && k->result[0] == value->id) {
                return false;
            }
        }
    }
    return true;
}

static bool is_plain(const struct behinds *s, const struct cu_instruction *k)
{
    return k->is_live && !k->has_effect && (s->is_unrolled || !k->is_unrolled) && k->n_results == 1 &&
           k->n_operands == 0 && k->op != CU_OP_COPY && k->op != CU_OP_NAME && k->op != CU_OP_ATOMIC &&
           k->op != CU_OP_ASM;
}

/* What makes the value for this once, on that way; NULL: nothing does. */
static const struct cu_instruction *maker_of(const struct behinds *s, uint32_t way, const struct cu_value *value)
{
    const struct cu_instruction *made = bsim_cu_definition(s->code, value);
    bool is_one = made != NULL && is_plain(s, made) && value->id < s->n_registers && s->n_uses[value->id] == 1 &&
                  s->at[value->id] == s->home[way];
    bool is_load = is_one && made->op == CU_OP_LOAD;
    return is_one && !(is_load && (made->argument[0].space == CU_PARAM || is_written_behind(s, made))) ? made : NULL;
}

static bool is_number(const struct cu_value *value)
{
    return value->kind == CU_REGISTER || value->kind == CU_CONSTANT_VALUE;
}

/* Whether one operand may stand for both, in a register that each way sets. */
static bool may_stand(const struct behinds *s, const struct cu_value *a, const struct cu_value *b)
{
    return a->class == b->class && a->space == b->space && a->class != CU_P && is_number(a) && is_number(b) &&
           lasts(s, 0, a) && lasts(s, 1, b);
}

static bool is_alike(const struct cu_instruction *a, const struct cu_instruction *b)
{
    bool is_it = a->op == b->op && strcmp(a->opcode, b->opcode) == 0 && a->n_arguments == b->n_arguments;
    bool is_access = bsim_cu_accesses(a);
    return is_it && (!is_access || (a->argument[0].space == b->argument[0].space &&
                                    a->argument[0].kind == b->argument[0].kind && a->type->kind == b->type->kind));
}

/* What the address is one into: the value that it begins with. */
static struct cu_value object_of(const struct behinds *s, struct cu_value address)
{
    for (uint32_t depth = MOST_DEEP; depth > 0; depth--) {
        const struct cu_instruction *from = bsim_cu_definition(s->code, &address);
        bool leads_on = from != NULL && (from->op == CU_OP_ADD || from->op == CU_OP_NAME || from->op == CU_OP_SUB);
        if (!leads_on) {
            break;
        }
        const struct cu_instruction *second = from->n_arguments > 1 ? bsim_cu_definition(s->code, &from->argument[1]) : NULL;
        bool is_second = second != NULL && second->op == CU_OP_NAME;
        address = from->argument[is_second];
    }
    address.bits = address.kind == CU_SYMBOL ? 0 : address.bits;
    return address;
}

static bool is_one_object(const struct behinds *s, const struct cu_instruction *a, const struct cu_instruction *b)
{
    struct cu_value x = object_of(s, a->argument[0]), y = object_of(s, b->argument[0]);
    return bsim_cu_same_value(&x, &y);
}

/* Whether both ways make the two values alike; *a, *b: by what. */
static bool are_made_alike(const struct behinds *s, const struct cu_value *x, const struct cu_value *y,
                           const struct cu_instruction **a, const struct cu_instruction **b)
{
    *a = maker_of(s, 0, x);
    *b = maker_of(s, 1, y);
    return *a != NULL && *b != NULL && is_alike(*a, *b) &&
           ((*a)->op != CU_OP_LOAD || (lasts(s, 0, &(*a)->argument[0]) && lasts(s, 1, &(*b)->argument[0])));
}

static bool is_same(const struct behinds *s, const struct cu_value *x, const struct cu_value *y)
{
    return bsim_cu_same_value(x, y) && lasts(s, 0, x) && lasts(s, 1, y);
}

static bool is_made_there(const struct behinds *s, uint32_t way, const struct cu_value *value)
{
    return bsim_cu_definition(s->code, value) != NULL && value->id < s->n_registers && s->at[value->id] == s->home[way];
}

/* What may go behind of what the two are made of, in s->pair, the last one first: up to one that may not. Loads of one
 * object may. */
static void scan(struct behinds *s, const struct cu_instruction *a, const struct cu_instruction *b, uint32_t first)
{
    for (uint32_t i = a->n_arguments; i-- > first && !s->is_stopped;) {
        const struct cu_value *x = &a->argument[i], *y = &b->argument[i];
        const struct cu_instruction *of_x, *of_y;
        if (is_same(s, x, y)) {
            continue;
        }
        if (are_made_alike(s, x, y, &of_x, &of_y) && s->n_pairs < MOST_PAIRS &&
            (of_x->op != CU_OP_LOAD || is_one_object(s, of_x, of_y))) {
            s->pair[s->n_pairs++] = (struct pair){of_x, of_y};
            if (of_x->op != CU_OP_LOAD) {
                scan(s, of_x, of_y, 0);
            }
        } else {
            s->is_stopped = is_made_there(s, 0, x) || is_made_there(s, 1, y);
        }
    }
}

/* Whether one of the first n pairs makes the value. */
static bool is_among(const struct behinds *s, uint32_t n, const struct cu_value *value)
{
    for (uint32_t i = 0; i < n; i++) {
        if (s->pair[i].a->n_results > 0 && value->kind == CU_REGISTER && s->pair[i].a->result[0] == value->id) {
            return true;
        }
    }
    return false;
}

/* How many operands differ that none of the first n pairs makes; of those that nobody may choose between: many. */
static uint32_t count_different(const struct behinds *s, const struct pair *pair, uint32_t first, uint32_t n)
{
    enum { MANY = 100 };
    uint32_t n_different = 0;
    for (uint32_t i = first; i < pair->a->n_arguments; i++) {
        const struct cu_value *x = &pair->a->argument[i], *y = &pair->b->argument[i];
        const struct cu_instruction *of_x, *of_y;
        if (!is_same(s, x, y) && !is_among(s, n, x)) {
            n_different += may_stand(s, x, y) || are_made_alike(s, x, y, &of_x, &of_y) ? 1 : MANY;
        }
    }
    return n_different;
}

static void note(struct behinds *s, const struct cu_instruction *a, const struct cu_instruction *b, uint32_t line)
{
    if (a->n_results > 0) {
        s->with[a->result[0]] = b->result[0];
        s->line[a->result[0]] = line;
    }
    s->loads = s->loads || a->op == CU_OP_LOAD;
}

/* A value that is chosen behind both ways is made there of an operand that is chosen, if one alone differs. */
static void fold(struct behinds *s, const struct cu_value *x, const struct cu_value *y)
{
    const struct cu_instruction *a, *b;
    for (uint32_t depth = MOST_DEEP; depth > 0 && are_made_alike(s, x, y, &a, &b); depth--) {
        uint32_t first = a->op == CU_OP_LOAD ? a->n_arguments : 0, differs = 0;
        if (count_different(s, &(struct pair){a, b}, first, 0) > 1) {
            return;
        }
        note(s, a, b, 0);
        while (first < a->n_arguments && is_same(s, &a->argument[differs], &b->argument[differs])) {
            differs++, first++;
        }
        if (first == a->n_arguments) {
            return;
        }
        x = &a->argument[differs];
        y = &b->argument[differs];
    }
}

/* Notes in s->with what goes behind of two that do alike, as nvcc has it: from the last one back, as long as one
 * operand at most of each differs that goes not behind, too; then what these are made of. Of their operands from the
 * first one on, beside `weight` others. Whether the two go there. */
static bool plan(struct behinds *s, const struct cu_instruction *a, const struct cu_instruction *b, uint32_t first,
                 uint32_t weight)
{
    uint32_t n = 0;
    memset(s->with, 0, s->n_registers * sizeof *s->with);
    s->loads = false;
    s->is_stopped = s->has_bare;
    s->pair[0] = (struct pair){a, b};
    s->n_pairs = 1;
    if (a->op != CU_OP_LOAD) {
        scan(s, a, b, first);
    }
    while (n < s->n_pairs && (s->pair[n].a->op == CU_OP_LOAD ||
                              count_different(s, &s->pair[n], n == 0 ? first : 0, s->n_pairs) +
                                      (n == 0 ? weight : 0) <= 1)) {
        note(s, s->pair[n].a, s->pair[n].b, 1);
        n++;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct pair *pair = &s->pair[i];
        for (uint32_t k = i == 0 ? first : 0; k < pair->a->n_arguments && pair->a->op != CU_OP_LOAD; k++) {
            if (!is_same(s, &pair->a->argument[k], &pair->b->argument[k]) && !is_among(s, n, &pair->a->argument[k])) {
                fold(s, &pair->a->argument[k], &pair->b->argument[k]);
            }
        }
    }
    return n > 0;
}

static bool goes_behind(const struct behinds *s, const struct cu_value *x, const struct cu_value *y)
{
    return x->kind == CU_REGISTER && y->kind == CU_REGISTER && x->id < s->n_registers && s->with[x->id] == y->id;
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
        if (goes_behind(s, x, y)) {
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

/* The last access of the way, if it is a store. */
static struct cu_instruction *last_store(const struct behinds *s, uint32_t block)
{
    struct cu_instruction *last = NULL;
    for (struct cu_instruction *k = s->code->block[block].first; k != NULL; k = k->next) {
        last = k->is_live && (bsim_cu_accesses(k) || k->has_effect) ? k : last;
    }
    return last != NULL && last->op == CU_OP_STORE ? last : NULL;
}

/* The block, or where it has nothing the first of those that come there; CU_NO_BLOCK: none. */
static uint32_t leaf_of(const struct behinds *s, uint32_t block)
{
    while (block != CU_NO_BLOCK && bsim_cu_is_bare(s->code, block)) {
        block = s->flow.come[block].n == 2 ? s->flow.come[block].from[0] : CU_NO_BLOCK;
    }
    return block;
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
    return there != NULL && is_alike(a, there);
}

/* What both ways set the register to. A load alone stands in the line of what comes next, all else in the second way's. */
static void join_value(struct behinds *s, struct cu_instruction *copy, const struct cu_instruction *next,
                       struct cu_instruction **last)
{
    uint32_t id = copy->result[0];
    struct cu_instruction *other = bsim_cu_copy_in(s->code, s->from[1], id);
    const struct cu_instruction *a, *b;
    if (other == NULL || id >= s->n_registers || s->n_copies[id] != 2 ||
        !are_made_alike(s, &copy->argument[0], &other->argument[0], &a, &b) ||
        (s->has_others && !is_alike_elsewhere(s, copy, a)) || !plan(s, a, b, 0, 0) || !s->loads) {
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

/* Whether there is an access to that place in the block, which is not that store. */
static bool accesses(const struct behinds *s, uint32_t block, const struct cu_instruction *store)
{
    for (const struct cu_instruction *k = s->code->block[block].first; k != NULL; k = k->next) {
        if (k != store && k->is_live && bsim_cu_accesses(k) && k->offset == store->offset &&
            bsim_cu_same_value(&k->argument[0], &store->argument[0])) {
            return true;
        }
    }
    return false;
}

/* Whether the address is there before the branch, as an access has it. */
static bool is_there_before(const struct behinds *s, const struct cu_instruction *store)
{
    uint32_t block = s->block;
    bool is_it = false;
    while (!is_it && s->flow.above[block] != block) {
        block = s->flow.above[block];
        is_it = accesses(s, block, store);
    }
    return is_it;
}

/* Whether the index is of use to another access of the way, too: s[t + 1] = q[t + 1]. */
static bool has_shared_index(const struct behinds *s, uint32_t way, const struct cu_instruction *store)
{
    for (const struct cu_instruction *k = s->code->block[s->from[way]].first; k != NULL; k = k->next) {
        if (k != store && k->is_live && bsim_cu_accesses(k) && k->type != NULL && store->offset != 0 &&
            k->offset * (int64_t)store->type->size == store->offset * (int64_t)k->type->size) {
            return true;
        }
    }
    return false;
}

/* What goes behind with a store, what is chosen for it there, its value too. */
struct weight {
    bool goes;
    uint32_t n_behind, n_chosen;          /* for its address */
    bool is_value_chosen;                 /* of either way's */
    uint32_t n_of_value, n_chosen_for_it; /* of a value that is made behind */
};

static bool is_used_twice(const struct behinds *s, const struct cu_value *value)
{
    return value->kind == CU_REGISTER && value->id < s->n_registers && s->n_uses[value->id] > 1;
}

static struct weight weigh_address(const struct behinds *s, const struct cu_instruction *a,
                                   const struct cu_instruction *b)
{
    enum { INDEX = 3 }; /* a sum, what makes it wider, and the element's address */
    const struct cu_value *x = &a->argument[0], *y = &b->argument[0];
    const struct cu_instruction *of_x = bsim_cu_definition(s->code, x), *of_y = bsim_cu_definition(s->code, y);
    bool is_shared = has_shared_index(s, 0, a) || has_shared_index(s, 1, b);
    if (of_x == NULL || of_y == NULL || bsim_cu_same_value(x, y) || bsim_cu_is_one_operation(of_x, of_y)) {
        bool is_there = is_there_before(s, a) || is_there_before(s, b), is_one = a->offset == b->offset;
        is_shared = is_shared || (!is_one && (a->offset == 0 || b->offset == 0));
        return is_there    ? (struct weight){.n_behind = 0, .n_chosen = !is_one}
               : is_shared ? (struct weight){.n_behind = 1, .n_chosen = 1}
                           : (struct weight){.n_behind = INDEX, .n_chosen = !is_one};
    }
    uint32_t n_different = 0;
    for (uint32_t i = 0; i < of_x->n_arguments && i < of_y->n_arguments; i++) {
        bool differs = !bsim_cu_same_value(&of_x->argument[i], &of_y->argument[i]);
        n_different += differs;
        is_shared = is_shared || (differs && (is_used_twice(s, &of_x->argument[i]) || is_used_twice(s, &of_y->argument[i])));
    }
    bool are_made = s->at[x->id] == s->from[0] && s->at[y->id] == s->from[1];
    bool goes = are_made && is_alike(of_x, of_y) && n_different == 1;
    return (struct weight){.n_behind = !goes ? 0 : is_shared ? 1 : INDEX, .n_chosen = goes && a->offset != b->offset ? 2 : 1};
}

/* Whether the way has nothing else: what its address is made of goes before the branch, if both ways have it. */
static bool is_lone(const struct behinds *s, uint32_t way, const struct cu_instruction *store)
{
    const struct cu_instruction *k = s->code->block[s->from[way]].first;
    while (k != NULL && (k == store || !k->is_live || k->op == CU_OP_COPY)) {
        k = k->next;
    }
    return k == NULL;
}

static void weigh_pair(struct behinds *s, const struct pair *pair, struct weight *weight)
{
    weight->n_of_value++;
    if (pair->a->op != CU_OP_LOAD) {
        weight->n_chosen_for_it += count_different(s, pair, 0, s->n_pairs);
        return;
    }
    struct weight address = weigh_address(s, pair->a, pair->b);
    weight->n_of_value += address.n_behind;
    weight->n_chosen_for_it += address.n_chosen;
}

/* Of two stores that both ways end with. Not if the second one is of 0. */
static struct weight weigh_stores(struct behinds *s, const struct cu_instruction *a, const struct cu_instruction *b)
{
    struct weight weight = {.goes = false};
    if (a == NULL || b == NULL || !is_alike(a, b) || bsim_cu_is_zero(&b->argument[1]) ||
        !lasts(s, 0, &a->argument[0]) || !lasts(s, 1, &b->argument[0])) {
        return weight;
    }
    weight = weigh_address(s, a, b);
    weight.goes = plan(s, a, b, 1, weight.n_chosen > 0 && weight.n_behind == 0);
    if (weight.n_chosen == 0 && is_lone(s, 0, a) && is_lone(s, 1, b)) {
        weight.n_behind = 0;
    }
    weight.is_value_chosen = !is_same(s, &a->argument[1], &b->argument[1]) &&
                             !goes_behind(s, &a->argument[1], &b->argument[1]);
    for (uint32_t i = 1; i < s->n_pairs; i++) {
        weigh_pair(s, &s->pair[i], &weight);
    }
    return weight;
}

/* Of the first way's store, and that of what comes behind both ways at once, too. */
static struct weight weigh_third(struct behinds *s, const struct cu_instruction *a)
{
    uint32_t from = s->from[1], home = s->home[1], other = leaf_of(s, s->other);
    const struct cu_instruction *store = s->store[1];
    struct weight weight = {.goes = false};
    if (other != CU_NO_BLOCK) {
        s->from[1] = s->home[1] = other;
        s->store[1] = last_store(s, other);
        weight = weigh_stores(s, a, s->store[1]);
    }
    s->from[1] = from;
    s->home[1] = home;
    s->store[1] = store;
    return weight;
}

/* Whether both stores may be one behind the ways: not if as much has to be chosen there as goes there. Two to one place
 * are one already where nvcc makes them one; where others come behind them at once, these end with such a store, too. */
static bool may_join_stores(struct behinds *s, const struct cu_instruction *a, const struct cu_instruction *b)
{
    bool is_third = a != NULL && b != NULL && (a->way[0] != NULL || b->way[0] != NULL);
    if (is_third && !s->has_bare && !s->has_others && is_alike(a, b)) {
        return plan(s, a, b, 1, 0); /* what is made of two already was looked at with this one */
    }
    struct weight weight = weigh_stores(s, a, b);
    if (s->has_bare || !weight.goes) {
        return false;
    }
    bool is_one = bsim_cu_same_value(&a->argument[0], &b->argument[0]) && a->offset == b->offset;
    if (s->has_others) {
        struct weight third = weigh_third(s, a);
        weight.goes = third.goes && plan(s, a, b, 1, 0);
        weight.n_behind = third.n_behind < weight.n_behind ? third.n_behind : weight.n_behind;
        weight.n_chosen = third.n_chosen > weight.n_chosen ? third.n_chosen : weight.n_chosen;
        weight.is_value_chosen = third.is_value_chosen || weight.is_value_chosen;
    }
    uint32_t n_chosen = weight.is_value_chosen ? 1 : weight.n_chosen_for_it;
    return weight.goes && !(is_one && !s->has_others) &&
           1 + weight.n_behind + (weight.is_value_chosen ? 0 : weight.n_of_value) > weight.n_chosen + n_chosen;
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
    struct cu_instruction *store[2] = {last_store(s, s->from[0]), last_store(s, s->from[1])};
    s->store[0] = store[0];
    s->store[1] = store[1];
    bool is_store = may_join_stores(s, store[0], store[1]);
    for (uint32_t i = 0; i < 2 && !is_store; i++) {
        s->store[i] = NULL;
    }
    for (struct cu_instruction *k = s->code->block[s->from[0]].first; k != NULL; k = next) {
        next = k->next;
        if (k->op == CU_OP_COPY && k->is_live) {
            join_value(s, k, behind, &last);
        }
    }
    if (is_store && may_join_stores(s, store[0], store[1])) {
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
