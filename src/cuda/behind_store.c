/* behind_store.c - whether a store that both ways of a branch end with is one behind them.
 *
 *     if (c) s[t + 1] = a; else s[t + 2] = b;      the store, the element's address, the sum go there; two are chosen
 *     if (c) s[t] = 2; else s[t + 1] = 2;          the store alone, as s[t] is there already, and one is chosen: it stays
 */
#include "cuda/behind.h"

/* The last access of the way, if it is a store. */
struct cu_instruction *bsim_cu_last_store(const struct behinds *s, uint32_t block)
{
    struct cu_instruction *last = NULL;
    for (struct cu_instruction *k = s->code->block[block].first; k != NULL; k = k->next) {
        last = k->is_live && (bsim_cu_accesses(k) || k->has_effect) ? k : last;
    }
    return last != NULL && last->op == CU_OP_STORE ? last : NULL;
}

/* The block, or where it has nothing the first of those that come there; CU_NO_BLOCK: none. */
uint32_t bsim_cu_leaf_of(const struct behinds *s, uint32_t block)
{
    while (block != CU_NO_BLOCK && bsim_cu_is_bare(s->code, block)) {
        block = s->flow.come[block].n == 2 ? s->flow.come[block].from[0] : CU_NO_BLOCK;
    }
    return block;
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
    bool goes = are_made && bsim_cu_does_alike(of_x, of_y) && n_different == 1;
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
        weight->n_chosen_for_it += bsim_cu_count_different(s, pair, 0, s->n_pairs);
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
    if (a == NULL || b == NULL || !bsim_cu_does_alike(a, b) || bsim_cu_is_zero(&b->argument[1]) ||
        !bsim_cu_lasts_behind(s, 0, &a->argument[0]) || !bsim_cu_lasts_behind(s, 1, &b->argument[0])) {
        return weight;
    }
    weight = weigh_address(s, a, b);
    weight.goes = bsim_cu_plan_behind(s, a, b, 1, weight.n_chosen > 0 && weight.n_behind == 0);
    if (weight.n_chosen == 0 && is_lone(s, 0, a) && is_lone(s, 1, b)) {
        weight.n_behind = 0;
    }
    weight.is_value_chosen = !bsim_cu_is_same_behind(s, &a->argument[1], &b->argument[1]) &&
                             !bsim_cu_goes_behind(s, &a->argument[1], &b->argument[1]);
    for (uint32_t i = 1; i < s->n_pairs; i++) {
        weigh_pair(s, &s->pair[i], &weight);
    }
    return weight;
}

/* Of the first way's store, and that of what comes behind both ways at once, too. */
static struct weight weigh_third(struct behinds *s, const struct cu_instruction *a)
{
    uint32_t from = s->from[1], home = s->home[1], other = bsim_cu_leaf_of(s, s->other);
    const struct cu_instruction *store = s->store[1];
    struct weight weight = {.goes = false};
    if (other != CU_NO_BLOCK) {
        s->from[1] = s->home[1] = other;
        s->store[1] = bsim_cu_last_store(s, other);
        weight = weigh_stores(s, a, s->store[1]);
    }
    s->from[1] = from;
    s->home[1] = home;
    s->store[1] = store;
    return weight;
}

/* Whether both stores may be one behind the ways: not if as much has to be chosen there as goes there. Two to one place
 * are one already where nvcc makes them one; where others come behind them at once, these end with such a store, too. */
bool bsim_cu_may_join_stores(struct behinds *s, const struct cu_instruction *a, const struct cu_instruction *b)
{
    bool is_third = a != NULL && b != NULL && (a->way[0] != NULL || b->way[0] != NULL);
    if (is_third && !s->has_bare && !s->has_others && bsim_cu_does_alike(a, b)) {
        return bsim_cu_plan_behind(s, a, b, 1, 0); /* what is made of two already was looked at with this one */
    }
    struct weight weight = weigh_stores(s, a, b);
    if (s->has_bare || !weight.goes) {
        return false;
    }
    bool is_one = bsim_cu_same_value(&a->argument[0], &b->argument[0]) && a->offset == b->offset;
    if (s->has_others) {
        struct weight third = weigh_third(s, a);
        weight.goes = third.goes && bsim_cu_plan_behind(s, a, b, 1, 0);
        weight.n_behind = third.n_behind < weight.n_behind ? third.n_behind : weight.n_behind;
        weight.n_chosen = third.n_chosen > weight.n_chosen ? third.n_chosen : weight.n_chosen;
        weight.is_value_chosen = third.is_value_chosen || weight.is_value_chosen;
    }
    uint32_t n_chosen = weight.is_value_chosen ? 1 : weight.n_chosen_for_it;
    return weight.goes && !(is_one && !s->has_others) &&
           1 + weight.n_behind + (weight.is_value_chosen ? 0 : weight.n_of_value) > weight.n_chosen + n_chosen;
}
