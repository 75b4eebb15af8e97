/* lower_statement.c - statements but loops. */
#include "cuda/lower.h"

/* ---- declarations ---------------------------------------------------------------------------- */

void bsim_cu_declare(struct cu_lowering *l, struct cu_variable *variable,
                     const struct cu_node *value)
{
    uint32_t n;
    const struct cu_value *values = value != NULL ? bsim_cu_lower_all(l, value, &n) : NULL;
    if (bsim_cu_stops(l)) {
        return;
    }
    struct cu_value address = bsim_cu_place_of(l, variable);
    if (values != NULL && bsim_cu_is_reached(l)) {
        l->code.token = variable->token != NULL ? variable->token : l->code.token;
        bsim_cu_store(l, address, variable->type, values);
    }
}

/* ---- branches -------------------------------------------------------------------------------- */

enum { MOST_DEEP = 8 }; /* values of values that are looked through */

/* The two ways of a branch: their first blocks, and where they end; CU_NO_BLOCK: nobody comes there. */
struct ways {
    uint32_t begin[2], end[2];
};

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

static struct cu_instruction *last_access(struct cu_instruction *k)
{
    struct cu_instruction *last = NULL;
    for (k = next_access(k); k != NULL; k = next_access(k->next)) {
        last = k;
    }
    return last;
}

static bool is_zero(const struct cu_value *value)
{
    uint64_t bits;
    return bsim_cu_is_constant(value, &bits) && bits == 0;
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
static bool is_one_store(const struct cu_lowering *l, const struct ways *w,
                         const struct cu_instruction *x, const struct cu_instruction *y)
{
    const struct cu_code *code = &l->code;
    bool may_be = is_one_access(code, x, y) && x->op == CU_OP_STORE && x->n_arguments == 2;
    if (!may_be || !is_zero(&y->argument[1]) ||
        bsim_cu_same_value(&x->argument[0], &y->argument[0]) ||
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

/* What both ways begin with, loads alike, and what both end with, a store. */
static void find_alike(const struct cu_lowering *l, const struct ways *w, struct cu_hoisted *h)
{
    const struct cu_code *code = &l->code;
    struct cu_instruction *first[2] = {code->block[w->begin[0]].first,
                                       code->block[w->begin[1]].first};
    struct cu_instruction *x = next_access(first[0]), *y = next_access(first[1]);
    while (is_one_access(code, x, y) && x->op == CU_OP_LOAD && h->n + 1 < CU_MOST_HOISTED) {
        h->place[h->n++] = (struct cu_promoted){.access = x, .token = x->token, .type = x->type};
        x = next_access(x->next);
        y = next_access(y->next);
    }
    bool is_short = w->begin[0] == w->end[0] && w->begin[1] == w->end[1];
    x = is_short ? last_access(first[0]) : NULL;
    y = is_short ? last_access(first[1]) : NULL;
    if (is_one_store(l, w, x,
                     y)) { /* of 0, as a way that has no instruction, the line is the other one's */
        const struct cu_token *token = is_zero(&y->argument[1]) ? x->token : y->token;
        h->place[h->n++] =
            (struct cu_promoted){.access = y, .token = token, .type = y->type, .is_sunk = true};
    }
}

/* Whether there are other accesses of both to one place: nvcc may make one of them, too. */
static bool meet_in_memory(const struct cu_code *code, const struct ways *w)
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

/* Whether two of these blocks store to one place: behind several ways, of which each does, nvcc may store once. */
static bool store_alike(const struct cu_code *code, uint32_t from, uint32_t to)
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

/* Whether the condition, as it comes out, leaves a whole number one value: t == 0, t < 1 of an unsigned t. */
static bool is_equality(const struct cu_code *code, const struct cu_value *condition, bool holds,
                        struct cu_equal *equal)
{
    const struct cu_instruction *from = bsim_cu_definition(code, condition);
    if (from == NULL || (from->op == CU_OP_AND && holds) || (from->op == CU_OP_OR && !holds)) {
        return from != NULL && (is_equality(code, &from->argument[0], holds, equal) ||
                                is_equality(code, &from->argument[1], holds, equal));
    }
    const struct cu_value *a = &from->argument[0], *b = &from->argument[1];
    bool is_whole = from->op == CU_OP_COMPARE && a->kind == CU_REGISTER && b->kind == CU_CONSTANT_VALUE &&
                    (a->class == CU_I32 || a->class == CU_I64);
    bool is_it = is_whole && strncmp(from->opcode, holds ? "setp.eq" : "setp.ne", 7) == 0;
    bool is_none = is_whole && b->bits == 1 && strncmp(from->opcode, holds ? "setp.lt.u" : "setp.ge.u", 9) == 0;
    equal->id = a->id;
    equal->value = is_none ? bsim_cu_constant_of(a->class, 0) : *b;
    return is_it || is_none;
}

/* A way that one branch alone leads to, of those since the block: what is known by its condition is known there. */
static void lower_way(struct cu_lowering *l, const struct cu_node *way, uint32_t before, uint32_t first)
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
                           ? is_equality(&l->code, &b->condition, k == 0, &equal)
                           : is_known;
        }
    }
    l->equal = is_known && n_ways == 1 ? &equal : l->equal;
    bsim_cu_lower_statement(l, way);
    l->equal = equal.outer;
}

static struct ways lower_ways(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_join end, no, yes;
    struct ways ways;
    uint32_t before = l->code.at, first = l->code.n_blocks;
    bsim_cu_lower_test(l, node->left, &end, &yes, &no);
    bsim_cu_close(l, &yes);
    ways.begin[0] = l->code.at;
    lower_way(l, node->right, before, first);
    ways.end[0] = l->code.at;
    bsim_cu_arrive(l, &end);
    bsim_cu_close(l, &no);
    ways.begin[1] = l->code.at;
    if (node->third != NULL) {
        lower_way(l, node->third, before, first);
    }
    ways.end[1] = l->code.at;
    bsim_cu_arrive(l, &end);
    bsim_cu_close(l, &end);
    return ways;
}

static bool are_two(const struct cu_lowering *l, const struct ways *ways)
{
    return !bsim_cu_stops(l) && ways->begin[0] != CU_NO_BLOCK && ways->begin[1] != CU_NO_BLOCK;
}

static const struct cu_node *only_statement(const struct cu_node *node)
{
    while (node != NULL && node->kind == CU_BLOCK && node->body != NULL &&
           node->body->next == NULL) {
        node = node->body;
    }
    return node;
}

/* Whether both are the same object, named alike. */
static bool is_same(const struct cu_node *a, const struct cu_node *b)
{
    return a == b ||
           (a != NULL && b != NULL && a->kind == b->kind &&
            (bsim_cu_is_place(a) || bsim_cu_is_simple(a) || a->kind == CU_DECAY ||
             a->kind == CU_MOVE) &&
            a->variable == b->variable && a->number == b->number && a->real == b->real &&
            is_same(a->left, b->left) && is_same(a->right, b->right) &&
            is_same(a->third, b->third) && is_same(a->body, b->body) && is_same(a->next, b->next));
}

/* if (c) x = a; else x = b; as x = c ? a : b, or NULL. */
static const struct cu_node *as_assignment(struct cu_lowering *l, const struct cu_node *node)
{
    node = only_statement(node);
    if (node == NULL || (node->kind != CU_IF && node->kind != CU_EXPRESSION) ||
        (node->kind == CU_EXPRESSION && node->left->kind != CU_ASSIGN)) {
        return NULL;
    }
    const struct cu_node *yes, *no;
    if (node->kind == CU_EXPRESSION) {
        return node->left;
    }
    yes = as_assignment(l, node->right);
    no = yes != NULL ? as_assignment(l, node->third) : NULL;
    struct cu_node *both = no != NULL && is_same(yes->left, no->left)
                               ? bsim_cu_take_many(l->code.file, 2, sizeof *both)
                               : NULL;
    if (both == NULL) {
        return NULL;
    }
    both[0] = *no; /* where the second one stands nvcc has both */
    both[1] = *no->right;
    both[0].right = &both[1];
    both[1].kind = CU_CHOICE;
    both[1].left = node->left;
    both[1].right = yes->right;
    both[1].third = no->right;
    return both;
}

/* if (c) if (flag) ... without an else, as nvcc loads the flag in any case, is if (c && flag). */
static bool join_tests(const struct cu_node *node, struct cu_node *test, struct cu_node *joined)
{
    const struct cu_node *inner = only_statement(node->right);
    if (node->third != NULL || inner == NULL || inner->kind != CU_IF || inner->third != NULL ||
        !bsim_cu_is_test_at_hand(inner->left)) {
        return false;
    }
    *test = *node->left;
    test->kind = CU_AND;
    test->left = node->left;
    test->right = inner->left;
    *joined = *node;
    joined->left = test;
    joined->right = inner->right;
    return true;
}

/* The store that the block at hand ends with, if it is to that place, and nobody read from it. */
static struct cu_instruction *stored_last(struct cu_lowering *l, const struct cu_unread *unread,
                                          struct cu_value address, const struct cu_type *type)
{
    int64_t offset;
    struct cu_instruction *last = last_access(l->code.block[l->code.at].first);
    struct cu_value base = bsim_cu_base_of(&l->code, address, &offset);
    bool is_it = unread != NULL && unread->store == last && last->n_arguments == 2 &&
                 unread->bytes == type->size && last->offset == offset &&
                 bsim_cu_same_value(&last->argument[0], &base);
    return is_it ? last : NULL;
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

/* Whether it holds for one value alone of something in the address: if (t == 5) s[t] = 7; is of s[5] to nvcc. */
static bool fixes(const struct cu_code *code, const struct cu_value *condition,
                  const struct cu_value *address)
{
    const struct cu_instruction *from = bsim_cu_definition(code, condition);
    if (from != NULL && from->op == CU_OP_AND) {
        return fixes(code, &from->argument[0], address) || fixes(code, &from->argument[1], address);
    }
    return from != NULL && from->op == CU_OP_COMPARE && strncmp(from->opcode, "setp.eq", 7) == 0 &&
           from->argument[0].kind == CU_REGISTER && from->argument[1].kind == CU_CONSTANT_VALUE &&
           is_made_of(code, address, from->argument[0].id, MOST_DEEP);
}

/* x[i] = a; if (c) x[i] = b; is x[i] = c ? b : a, as nvcc has it where nothing else is loaded or stored. */
static bool store_at_once(struct cu_lowering *l, const struct cu_node *node)
{
    const struct cu_node *s = only_statement(node->right);
    const struct cu_node *set = s != NULL && s->kind == CU_EXPRESSION ? s->left : node;
    const struct cu_node *value = set->kind == CU_ASSIGN ? set->right : set->body;
    const struct cu_unread *unread = l->unread_at == l->code.at ? l->unread : NULL;
    if (node->third != NULL || (set->kind != CU_ASSIGN && set->kind != CU_UPDATE) ||
        set->type->kind > CU_DOUBLE || unread == NULL || !bsim_cu_is_place(set->left) ||
        (!bsim_cu_is_simple(node->left) && !bsim_cu_is_pure(node->left)) ||
        (bsim_cu_weight_of(value) > CU_MOST_AT_ONCE && !bsim_cu_is_simple(value))) {
        return false;
    }
    struct cu_mark mark = bsim_cu_mark(l);
    struct cu_value condition = bsim_cu_lower(l, node->left);
    struct cu_value address = bsim_cu_address_of(l, set->left), outer = l->old;
    struct cu_instruction *last = stored_last(l, unread, address, set->type);
    if (last == NULL || bsim_cu_stops(l) || fixes(&l->code, &condition, &address)) {
        bsim_cu_go_back(l, &mark);
        return bsim_cu_stops(l);
    }
    struct cu_node old = *value, choice = *value;
    old.kind = CU_OLD;
    choice.kind = CU_CHOICE;
    choice.left = node->left;
    choice.right = (struct cu_node *)(uintptr_t)value;
    choice.third = &old;
    bsim_cu_load(l, address, set->type, NULL, &l->old);
    struct cu_value chosen = bsim_cu_as_cell(l, set->type, bsim_cu_lower(l, &choice));
    l->old = outer;
    last->has_effect = false;
    l->code.token = bsim_cu_weight_of(value) > CU_MOST_AT_ONCE ? last->token : node->token;
    bsim_cu_store(l, address, set->type, &chosen);
    return true;
}

/* Loads that both ways begin with stand before the branch, and a store that both end with behind it, as nvcc
 * and clang have it. */
static void lower_if(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_node test, joined;
    if (store_at_once(l, node) || bsim_cu_lower_at_once(l, node)) {
        return;
    }
    const struct cu_node *one = node->third != NULL ? as_assignment(l, node) : NULL;
    if (one != NULL && bsim_cu_is_place(one->right)) {
        (void)bsim_cu_lower(l, one);
        return;
    }
    if (join_tests(node, &test, &joined)) {
        lower_if(l, &joined);
        return;
    }
    struct cu_mark mark = bsim_cu_mark(l);
    struct cu_hoisted *h = bsim_cu_take(l->code.file, sizeof *h);
    struct cu_promoted *promoted = l->promoted;
    struct cu_join out;
    h->first = l->code.n_registers;
    struct ways ways = lower_ways(l, node);
    if (node->third != NULL && are_two(l, &ways)) {
        find_alike(l, &ways, h);
    }
    if (h->n > 0) {
        bsim_cu_go_back(l, &mark);
        bsim_cu_open(l, &out);
        l->code.token = node->token;
        bsim_cu_hoist(l, h);
        ways = lower_ways(l, node);
        bsim_cu_put_back(l, h, promoted);
        bsim_cu_arrive(l, &out);
        bsim_cu_close(l, &out);
    }
    bool is_choice = node->third != NULL && are_two(l, &ways);
    uint32_t first = ways.begin[0] < ways.begin[1] ? ways.begin[0] : ways.begin[1];
    if (is_choice &&
        (meet_in_memory(&l->code, &ways) || store_alike(&l->code, first, l->code.n_blocks))) {
        l->kernel->ways = node->token;
    }
}

/* ---- switches -------------------------------------------------------------------------------- */

enum { MAX_CASES = 256 };

/* To the case that the value is, or to `otherwise`. */
static void dispatch(struct cu_lowering *l, const struct cu_node *node, struct cu_join *cases,
                     struct cu_join *otherwise)
{
    struct cu_value value = bsim_cu_lower(l, node->left);
    uint32_t i = 0;
    for (const struct cu_node *c = node->link; c != NULL; c = c->link, i++) {
        if (c->is_default) {
            otherwise = &cases[i];
            continue;
        }
        struct cu_value number =
            bsim_cu_constant_of(value.class, bsim_cu_wrap(node->left->type, c->number));
        struct cu_value is_it = bsim_cu_is_reached(l)
                                    ? bsim_cu_compare(&l->code, CU_EQUAL, true, value, number)
                                    : bsim_cu_constant_of(CU_P, 0);
        uint32_t on_yes, on_no;
        if (is_it.kind == CU_CONSTANT_VALUE) {
            if (is_it.bits != 0) {
                bsim_cu_arrive(l, &cases[i]);
            }
            continue;
        }
        bsim_cu_split(l, is_it, &on_yes, &on_no);
        l->code.at = on_yes;
        bsim_cu_arrive(l, &cases[i]);
        l->code.at = on_no;
    }
    bsim_cu_arrive(l, otherwise);
}

/* The cases' joins are opened from the last one to the first, as the body closes them in order. */
static void lower_switch(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_join end, *cases, *on_break = l->on_break;
    uint32_t n = 0;
    for (const struct cu_node *c = node->link; c != NULL; c = c->link) {
        n++;
    }
    if (n > MAX_CASES) {
        bsim_cu_fail(l->code.file, node->token, "a switch of more than %d cases", MAX_CASES);
        return;
    }
    cases = bsim_cu_take_many(l->code.file, n, sizeof *cases);
    if (cases == NULL) {
        return;
    }
    bsim_cu_open(l, &end);
    l->on_break = &end;
    for (uint32_t i = n; i > 0; i--) {
        bsim_cu_open(l, &cases[i - 1]);
    }
    uint32_t first = l->code.n_blocks;
    dispatch(l, node, cases, &end);
    n = 0;
    for (const struct cu_node *s = node->right->body; s != NULL && !bsim_cu_stops(l); s = s->next) {
        if (s->kind == CU_CASE) {
            bsim_cu_arrive(l, &cases[n]);
            bsim_cu_close(l, &cases[n++]);
        } else {
            bsim_cu_lower_statement(l, s);
        }
    }
    bsim_cu_arrive(l, &end);
    if (store_alike(&l->code, first, l->code.n_blocks)) {
        l->kernel->ways = node->token;
    }
    bsim_cu_close(l, &end);
    l->on_break = on_break;
}

/* ---- jumps ----------------------------------------------------------------------------------- */

static void lower_return(struct cu_lowering *l, const struct cu_node *node)
{
    uint32_t n;
    const struct cu_value *value = node->left != NULL ? bsim_cu_lower_all(l, node->left, &n) : NULL;
    if (value != NULL && l->has_result && bsim_cu_is_reached(l)) {
        const struct cu_slot *slot = &l->slot[l->result_slot];
        for (uint32_t i = 0; i < n && i < slot->n; i++) {
            l->cell[slot->cell + i] = value[i];
        }
    }
    l->code.token = node->token;
    bsim_cu_arrive(l, l->on_return);
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void lower_block(struct cu_lowering *l, const struct cu_node *node)
{
    for (const struct cu_node *s = node->body; s != NULL && bsim_cu_is_reached(l); s = s->next) {
        bsim_cu_lower_statement(l, s);
    }
}

void bsim_cu_lower_statement(struct cu_lowering *l, const struct cu_node *node)
{
    uint32_t n;
    if (!bsim_cu_is_reached(l)) {
        return;
    }
    l->code.token = node->token;
    switch (node->kind) {
    case CU_BLOCK:
        lower_block(l, node);
        break;
    case CU_DECLARE:
        if (node->variable->storage == CU_LOCAL) {
            bsim_cu_declare(l, node->variable, node->left);
        }
        break;
    case CU_EXPRESSION:
        (void)bsim_cu_lower_all(l, node->left, &n);
        break;
    case CU_IF:
        lower_if(l, node);
        break;
    case CU_LOOP:
    case CU_DO:
        bsim_cu_lower_loop(l, (struct cu_node *)(uintptr_t)node);
        break;
    case CU_SWITCH:
        lower_switch(l, node);
        break;
    case CU_BREAK:
        bsim_cu_arrive(l, l->on_break);
        break;
    case CU_CONTINUE:
        bsim_cu_arrive(l, l->on_continue);
        break;
    case CU_RETURN:
        lower_return(l, node);
        break;
    case CU_ASM:
        bsim_cu_lower_asm(l, node);
        break;
    default:
        break;
    }
}
