/* lower_ways.c - the two ways of a branch, and what they have in common.
 *
 *     if (c) x = s[t] + s[p];        u = s[t];
 *     else   x = s[t] * 7;           x = c ? u + s[p] : u * 7;
 *
 * Loads that both begin with, in their order, stand before the branch, and a store that both end with behind it, as
 * nvcc and clang have it; of a choice, c ? s[t] + s[p] : s[t] * 7, too.
 */
#include "cuda/lower.h"

enum { MOST_DEEP = 8 }; /* values of values that are looked through */

/* Whether both compute the same. */
static bool is_alike(const struct cu_code *code, const struct cu_value *a, const struct cu_value *b,
                     uint32_t depth)
{
    const struct cu_instruction *x = bsim_cu_definition(code, a), *y = bsim_cu_definition(code, b);
    bool may_be = x != NULL && y != NULL && depth > 0 && x->op == y->op &&
                  x->n_arguments == y->n_arguments && strcmp(x->opcode, y->opcode) == 0;
    for (uint32_t i = 0; may_be && i < x->n_arguments; i++) {
        may_be = is_alike(code, &x->argument[i], &y->argument[i], depth - 1);
    }
    return may_be || bsim_cu_same_value(a, b);
}

/* Whether both access the same place in the same way. */
static bool is_one_access(const struct cu_code *code, const struct cu_instruction *x,
                          const struct cu_instruction *y)
{
    return x != NULL && y != NULL && x->op == y->op && x->offset == y->offset && x->type != NULL &&
           y->type != NULL && !x->type->is_volatile && strcmp(x->opcode, y->opcode) == 0 &&
           is_alike(code, &x->argument[0], &y->argument[0], MOST_DEEP);
}

/* The next one from there on that accesses memory, or has another effect. */
static struct cu_instruction *next_access(struct cu_instruction *k)
{
    while (k != NULL && k->op != CU_OP_LOAD && !k->has_effect) {
        k = k->next;
    }
    return k;
}

struct cu_instruction *bsim_cu_last_access(struct cu_instruction *k)
{
    struct cu_instruction *last = NULL;
    for (k = next_access(k); k != NULL; k = next_access(k->next)) {
        last = k;
    }
    return last;
}

/* Whether no turn of the loop around changes it. */
static bool stays(const struct cu_lowering *l, const struct cu_value *value, uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(&l->code, value);
    bool does = value->kind != CU_REGISTER || value->id < l->first_of_loop ||
                (from != NULL && depth > 0 && from->op != CU_OP_LOAD && !from->has_effect);
    for (uint32_t i = 0; does && from != NULL && i < from->n_arguments; i++) {
        does = stays(l, &from->argument[i], depth - 1);
    }
    return does;
}

/* Whether nvcc makes the stores of both ways one: if the second one is of 0, its address is to be there in any
 * case, as nvcc computes what stays the same before a loop, or either way loads from it. */
static bool is_one_store(const struct cu_lowering *l, const struct cu_ways *w,
                         const struct cu_instruction *x, const struct cu_instruction *y)
{
    const struct cu_code *code = &l->code;
    bool may_be = is_one_access(code, x, y) && x->op == CU_OP_STORE && x->n_arguments == 2;
    if (!may_be || !bsim_cu_is_zero(&y->argument[1]) ||
        (bsim_cu_same_value(&x->argument[0], &y->argument[0]) && x->offset == 0) ||
        (l->first_of_loop > 0 && stays(l, &y->argument[0], MOST_DEEP))) {
        return may_be;
    }
    for (uint32_t i = 0; i < 2; i++) {
        const struct cu_instruction *store = i == 0 ? x : y;
        for (const struct cu_instruction *k = code->block[w->begin[i]].first; k != NULL;
             k = k->next) {
            if (k->op == CU_OP_LOAD && k->offset == store->offset &&
                bsim_cu_same_value(&k->argument[0], &store->argument[0])) {
                return true;
            }
        }
    }
    return false;
}

/* Whether both do the same there, so that what comes next may go before the branch, too. */
static bool is_one_step(const struct cu_code *code, const struct cu_instruction *x, const struct cu_instruction *y)
{
    bool is_one = x->op == y->op && x->n_arguments == y->n_arguments && !x->has_effect && !y->has_effect &&
                  strcmp(x->opcode, y->opcode) == 0;
    for (uint32_t i = 0; is_one && i < x->n_arguments; i++) {
        is_one = is_alike(code, &x->argument[i], &y->argument[i], MOST_DEEP);
    }
    return is_one;
}

/* What both ways begin with, loads alike, and what both end with, a store. */
static void find_alike(const struct cu_lowering *l, const struct cu_ways *w, struct cu_hoisted *h)
{
    const struct cu_code *code = &l->code;
    struct cu_instruction *first[2] = {code->block[w->begin[0]].first,
                                       code->block[w->begin[1]].first};
    struct cu_instruction *x = first[0], *y = first[1];
    for (; x != NULL && y != NULL && h->n + 1 < CU_MOST_HOISTED; x = x->next, y = y->next) {
        if (x->op == CU_OP_LOAD && is_one_access(code, x, y)) {
            h->place[h->n] = (struct cu_promoted){.access = x, .token = x->token, .type = x->type};
            bsim_cu_note_hoisted(h, x, &h->place[h->n]);
            bsim_cu_note_hoisted(h, y, &h->place[h->n++]);
        } else if (!is_one_step(code, x, y)) {
            break;
        }
    }
    bool is_short = w->begin[0] == w->end[0] && w->begin[1] == w->end[1];
    x = is_short ? bsim_cu_last_access(first[0]) : NULL;
    y = is_short ? bsim_cu_last_access(first[1]) : NULL;
    if (is_one_store(l, w, x,
                     y)) { /* of 0, as a way that has no instruction, the line is the other one's */
        const struct cu_token *token = bsim_cu_is_zero(&y->argument[1]) ? x->token : y->token;
        h->place[h->n++] =
            (struct cu_promoted){.access = y, .token = token, .last = token, .type = y->type, .is_sunk = true,
                                 .way = {x->token, y->token}};
    }
}

/* A store that one way alone proved to have, as seen from there, stays in both. */
static bool correct(struct cu_hoisted *h)
{
    bool is_wrong = false;
    for (uint32_t i = 0; i < h->n; i++) {
        struct cu_promoted *place = &h->place[i];
        bool is_lost = place->is_sunk && !place->is_off && place->n_ways < 2;
        place->is_off = place->is_off || is_lost;
        is_wrong = is_wrong || is_lost;
    }
    return is_wrong;
}

/* Whether there are other accesses of both to one place: nvcc may make one of them, too. */
static bool meet_in_memory(const struct cu_code *code, const struct cu_ways *w)
{
    for (struct cu_instruction *x = code->block[w->begin[0]].first; x != NULL; x = x->next) {
        for (struct cu_instruction *y = code->block[w->begin[1]].first; y != NULL; y = y->next) {
            if (is_one_access(code, x, y)) {
                return true;
            }
        }
    }
    return false;
}

bool bsim_cu_store_alike(const struct cu_code *code, uint32_t from, uint32_t to)
{
    enum { MOST_STORES = 64 };
    const struct cu_instruction *store[MOST_STORES];
    uint32_t n = 0;
    for (uint32_t i = from; i < to; i++) {
        uint32_t n_before = n;
        for (const struct cu_instruction *k = code->block[i].first; k != NULL; k = k->next) {
            bool is_store = k->op == CU_OP_STORE && k->has_effect && n < MOST_STORES;
            for (uint32_t other = 0; is_store && other < n_before; other++) {
                if (is_one_access(code, store[other], k)) {
                    return true;
                }
            }
            if (is_store) {
                store[n++] = k;
            }
        }
    }
    return false;
}

/* Whether the condition, as it comes out, leaves a whole number one value: t == 0; or makes two equal, of which the one
 * that is there first, such as the kernel's argument, stands for the other: t == n. t < 1 of an unsigned t does so where
 * it stands in the text, in_text; in the last turn of a reduction nvcc knows it when it looks at it no more. */
static bool is_equality(const struct cu_code *code, const struct cu_value *condition, bool holds,
                        bool in_text, struct cu_equal *equal)
{
    const struct cu_instruction *from = bsim_cu_definition(code, condition);
    if (from == NULL || (from->op == CU_OP_AND && holds) || (from->op == CU_OP_OR && !holds)) {
        return from != NULL && (is_equality(code, &from->argument[0], holds, in_text, equal) ||
                                is_equality(code, &from->argument[1], holds, in_text, equal));
    }
    const struct cu_value *a = &from->argument[0], *b = &from->argument[1];
    bool is_whole = from->op == CU_OP_COMPARE && a->kind == CU_REGISTER && (a->class == CU_I32 || a->class == CU_I64);
    bool is_it = is_whole && (b->kind == CU_REGISTER || b->kind == CU_CONSTANT_VALUE) &&
                 strncmp(from->opcode, holds ? "setp.eq" : "setp.ne", 7) == 0;
    bool is_none = is_whole && in_text && b->kind == CU_CONSTANT_VALUE && b->bits == 1 &&
                   strncmp(from->opcode, holds ? "setp.lt.u" : "setp.ge.u", 9) == 0;
    bool is_older = b->kind == CU_CONSTANT_VALUE || b->id < a->id;
    equal->id = is_older ? a->id : b->id;
    equal->value = is_none ? bsim_cu_constant_of(a->class, 0) : is_older ? *b : *a;
    return is_it || is_none;
}

/* A value, which is stored to the place, or a statement. */
static void lower_way(struct cu_lowering *l, const struct cu_node *way, const struct cu_value *place)
{
    if (place != NULL) {
        bsim_cu_store_all(l, *place, way);
    } else {
        bsim_cu_lower_statement(l, way);
    }
}

/* A way that one branch alone leads to, of those since the block: what is known by its condition is known there.
 * *fixed: its register; NULL: nothing is to be known. */
static void lower_known_way(struct cu_lowering *l, const struct cu_node *way, const struct cu_value *place,
                            bool in_text, uint32_t before, uint32_t first, uint32_t *fixed)
{
    struct cu_equal equal = {.outer = l->equal};
    uint32_t n_ways = 0, at = l->code.at;
    bool is_known = false;
    for (uint32_t i = first; i <= l->code.n_blocks && bsim_cu_is_reached(l); i++) {
        const struct cu_code_block *b = &l->code.block[i == l->code.n_blocks ? before : i];
        for (uint32_t k = 0; k < bsim_cu_targets_of(b); k++) {
            bool leads = b->target[k] == at;
            n_ways += leads;
            is_known = leads && b->ending == CU_BRANCHES
                           ? is_equality(&l->code, &b->condition, k == 0, in_text, &equal)
                           : is_known;
        }
    }
    if (is_known && n_ways == 1 && fixed != NULL) {
        l->equal = &equal;
        *fixed = equal.id;
    }
    lower_way(l, way, place);
    l->equal = equal.outer;
}

/* t < 1, in the text. */
static bool is_below_number(const struct cu_node *node)
{
    uint64_t number;
    return node->kind == CU_LESS && bsim_cu_constant(node->right, &number);
}

static struct cu_ways lower_both(struct cu_lowering *l, const struct cu_node *node, const struct cu_value *place,
                                 bool is_one)
{
    struct cu_join end, no, yes;
    struct cu_ways ways = {.fixed = CU_NO_REGISTER};
    uint32_t before = l->code.at, first = l->code.n_blocks;
    uint32_t *fixed = is_one ? NULL : &ways.fixed;
    bool in_text = is_below_number(node->left), outer = l->is_one_of_two;
    bsim_cu_lower_test(l, node->left, &end, &yes, &no);
    l->is_one_of_two = node->third != NULL;
    bsim_cu_close(l, &yes);
    ways.begin[0] = l->code.at;
    lower_known_way(l, node->right, place, in_text, before, first, fixed);
    ways.end[0] = l->code.at;
    bsim_cu_arrive(l, &end);
    bsim_cu_close(l, &no);
    ways.begin[1] = l->code.at;
    if (node->third != NULL && bsim_cu_is_reached(l)) {
        lower_known_way(l, node->third, place, in_text, before, first, fixed);
    }
    ways.end[1] = l->code.at;
    l->is_one_of_two = outer;
    bsim_cu_arrive(l, &end);
    bsim_cu_close(l, &end);
    return ways;
}

static bool are_two(const struct cu_lowering *l, const struct cu_ways *ways)
{
    return !bsim_cu_stops(l) && ways->begin[0] != CU_NO_BLOCK && ways->begin[1] != CU_NO_BLOCK;
}

static bool is_made_of(const struct cu_code *code, const struct cu_value *value, uint32_t id,
                       uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    bool is_it = value->kind == CU_REGISTER && value->id == id;
    for (uint32_t i = 0; !is_it && depth > 0 && from != NULL && i < from->n_arguments; i++) {
        is_it = is_made_of(code, &from->argument[i], id, depth - 1);
    }
    return is_it;
}

bool bsim_cu_is_made_of(const struct cu_code *code, const struct cu_value *value, uint32_t id)
{
    return is_made_of(code, value, id, MOST_DEEP);
}

/* Whether there are stores, and *is_of: some to an address that is made of the register. */
static bool has_store(const struct cu_code *code, uint32_t from, uint32_t to, uint32_t id, bool *is_of)
{
    bool has = false;
    for (uint32_t i = from; i < to; i++) {
        for (const struct cu_instruction *k = code->block[i].first; k != NULL; k = k->next) {
            has = has || k->op == CU_OP_STORE;
            *is_of = *is_of || (k->op == CU_OP_STORE && bsim_cu_is_made_of(code, &k->argument[0], id));
        }
    }
    return has;
}

/* if (t == 5) s[t] = a; else s[t] = b; is s[5] = a there, or nvcc makes both stores one before it sees that. */
bool bsim_cu_may_meet(const struct cu_lowering *l, const struct cu_ways *ways)
{
    bool is_turned = ways->begin[1] < ways->begin[0], is_of = false;
    uint32_t first = ways->begin[is_turned], second = ways->begin[!is_turned], n = l->code.n_blocks;
    return are_two(l, ways) &&
           (meet_in_memory(&l->code, ways) || bsim_cu_store_alike(&l->code, first, n) ||
            (ways->fixed != CU_NO_REGISTER && has_store(&l->code, first, second, ways->fixed, &is_of) &&
             has_store(&l->code, second, n, ways->fixed, &is_of) && is_of));
}

static bool is_used(const struct cu_instruction *from, const struct cu_value *condition, uint32_t id)
{
    bool is_it = condition->kind == CU_REGISTER && condition->id == id;
    for (const struct cu_instruction *k = from; k != NULL; k = k->next) {
        for (uint32_t i = 0; i < k->n_arguments; i++) {
            is_it = is_it || (k->argument[i].kind == CU_REGISTER && k->argument[i].id == id);
        }
    }
    return is_it;
}

/* What goes before a branch stands behind what is computed for its condition: of that an outer branch may have more in
 * common with its other way. */
static void put_behind_test(struct cu_lowering *l, const struct cu_hoisted *h, const struct cu_ways *ways, uint32_t before)
{
    struct cu_code_block *block = &l->code.block[before];
    bool is_there = !bsim_cu_stops(l) && block->ending == CU_BRANCHES && block->target[0] == ways->begin[0] &&
                    block->target[1] == ways->begin[1];
    for (uint32_t i = 0; i < h->n && is_there; i++) {
        struct cu_instruction *load = h->place[i].access;
        if (load->op == CU_OP_LOAD && !h->place[i].is_off && !is_used(load->next, &block->condition, load->result[0])) {
            bsim_cu_take_out(block, load);
            bsim_cu_put_last(block, load);
        }
    }
}

struct cu_ways bsim_cu_lower_ways(struct cu_lowering *l, const struct cu_node *node, const struct cu_value *place,
                                  bool is_one)
{
    if (bsim_cu_is_simple(node->left) && bsim_cu_lower(l, node->left).kind == CU_CONSTANT_VALUE) {
        return lower_both(l, node, place, is_one); /* of which one alone is left */
    }
    struct cu_mark mark = bsim_cu_mark(l);
    struct cu_hoisted *h = bsim_cu_take(l->code.file, sizeof *h);
    struct cu_promoted *promoted = l->promoted;
    struct cu_join out;
    h->first = l->code.n_registers;
    struct cu_ways ways = lower_both(l, node, place, is_one);
    if (node->third != NULL && are_two(l, &ways)) {
        find_alike(l, &ways, h);
    }
    if (h->n > 0) {
        struct cu_join *outer = l->join;
        uint32_t before;
        do {
            l->join = outer;
            l->promoted = promoted;
            bsim_cu_go_back(l, &mark);
            bsim_cu_open(l, &out);
            l->code.token = node->token;
            before = l->code.at;
            bsim_cu_hoist(l, h);
            ways = lower_both(l, node, place, is_one);
        } while (!bsim_cu_stops(l) && correct(h));
        put_behind_test(l, h, &ways, before);
        bsim_cu_put_back(l, h, promoted);
        bsim_cu_arrive(l, &out);
        bsim_cu_close(l, &out);
    }
    return ways;
}
