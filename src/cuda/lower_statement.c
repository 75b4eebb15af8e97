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
    struct cu_instruction *last = bsim_cu_last_access(l->code.block[l->code.at].first);
    struct cu_value base = bsim_cu_base_of(&l->code, address, &offset);
    bool is_it = unread != NULL && unread->store == last && last->n_arguments == 2 &&
                 unread->bytes == type->size && last->offset == offset &&
                 bsim_cu_same_value(&last->argument[0], &base);
    return is_it ? last : NULL;
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
           bsim_cu_is_made_of(code, address, from->argument[0].id);
}

/* What x[i] = a or x[i] += a stores. */
static const struct cu_node *stored_by(const struct cu_node *set)
{
    return set->kind == CU_ASSIGN ? set->right : set->body;
}

/* x[i] = a or x[i] += a, of what is computed at once; else NULL. */
static const struct cu_node *light_store(const struct cu_node *way)
{
    const struct cu_node *s = only_statement(way);
    const struct cu_node *set = s != NULL && s->kind == CU_EXPRESSION ? s->left : NULL;
    if (set == NULL || (set->kind != CU_ASSIGN && set->kind != CU_UPDATE)) {
        return NULL;
    }
    const struct cu_node *value = stored_by(set);
    bool is_light = bsim_cu_is_simple(value) || bsim_cu_weight_of(value) <= CU_MOST_AT_ONCE;
    return is_light && bsim_cu_is_place(set->left) ? set : NULL;
}

/* x[i] = a; if (c) x[i] = b; is x[i] = c ? b : a, as nvcc has it where nothing else is loaded or stored. */
static bool store_at_once(struct cu_lowering *l, const struct cu_node *node)
{
    const struct cu_node *set = node->third == NULL ? light_store(node->right) : NULL;
    const struct cu_unread *unread = l->unread_at == l->code.at ? l->unread : NULL;
    if (set == NULL || set->type->kind > CU_DOUBLE || unread == NULL ||
        (!bsim_cu_is_simple(node->left) && !bsim_cu_is_pure(node->left))) {
        return false;
    }
    const struct cu_node *value = stored_by(set);
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
    bsim_cu_store_over(l, last);
    l->code.token = bsim_cu_weight_of(value) > CU_MOST_AT_ONCE ? last->token : node->token;
    bsim_cu_store(l, address, set->type, &chosen);
    return true;
}

/* Whether both ways do no more than store to one place. */
static bool store_the_same(const struct cu_node *node)
{
    const struct cu_node *yes = light_store(node->right);
    const struct cu_node *no = node->third != NULL ? light_store(node->third) : NULL;
    return yes != NULL && no != NULL && is_same(yes->left, no->left);
}

static void lower_if(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_node test, joined;
    if (store_at_once(l, node) || bsim_cu_lower_at_once(l, node)) {
        return;
    }
    /* where nothing follows, others may come behind it at once: behind.c sees whether they do */
    const struct cu_node *one = node->third != NULL && node->next != NULL ? as_assignment(l, node) : NULL;
    if (one != NULL && bsim_cu_is_place(one->right)) {
        (void)bsim_cu_lower(l, one);
        return;
    }
    if (join_tests(node, &test, &joined)) {
        lower_if(l, &joined);
        return;
    }
    struct cu_ways ways = bsim_cu_lower_ways(l, node, NULL, store_the_same(node));
    if (node->third != NULL && bsim_cu_may_meet(l, &ways)) {
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
    if (bsim_cu_store_alike(&l->code, first, l->code.n_blocks)) {
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
