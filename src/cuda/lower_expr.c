/* lower_expr.c - expressions.
 *
 * What && || and ?: leave out is left out by a branch if it loads, stores or calls; what only computes
 * is computed, and selected, as compilers do.
 */
#include "cuda/lower.h"

/* What nvcc 13 does before it knows whether to: for so many variables. */
enum { MOST_SET_AT_ONCE = 3 };

#include "cuda/builtin.h"

/* ---- cells ----------------------------------------------------------------------------------- */

struct cu_value bsim_cu_as_cell(struct cu_lowering *l, const struct cu_type *type,
                                struct cu_value value)
{
    return type->kind == CU_BOOL && value.class == CU_P
               ? bsim_cu_select(&l->code, value, bsim_cu_constant_of(CU_I32, 1),
                                bsim_cu_constant_of(CU_I32, 0))
               : value;
}

/* A boolean is a predicate while it is computed with. */
static struct cu_value of_cell(struct cu_lowering *l, const struct cu_type *type,
                               struct cu_value value)
{
    if (type->kind != CU_BOOL || value.class == CU_P) {
        return value;
    }
    const struct cu_instruction *from = bsim_cu_definition(&l->code, &value);
    bool is_chosen = from != NULL && from->op == CU_OP_SELECT &&
                     from->argument[0].kind == CU_CONSTANT_VALUE && from->argument[0].bits == 1 &&
                     bsim_cu_is_zero(&from->argument[1]);
    return is_chosen
               ? from->argument[2]
               : bsim_cu_compare(&l->code, CU_UNEQUAL, true, value, bsim_cu_constant_of(CU_I32, 0));
}

static struct cu_value nothing_of(const struct cu_type *type)
{
    return bsim_cu_constant_of(type->kind == CU_BOOL ? CU_P : bsim_cu_class_of(type), 0);
}

static struct cu_value load_one(struct cu_lowering *l, struct cu_value address,
                                const struct cu_type *type)
{
    struct cu_value value = nothing_of(type);
    if (!bsim_cu_stops(l)) {
        bsim_cu_load(l, address, type, NULL, &value);
    }
    return of_cell(l, type, value);
}

static void store_one(struct cu_lowering *l, struct cu_value address, const struct cu_type *type,
                      struct cu_value value)
{
    value = bsim_cu_as_cell(l, type, value);
    if (!bsim_cu_stops(l)) {
        bsim_cu_store(l, address, type, &value);
    }
}

/* ---- branches -------------------------------------------------------------------------------- */

static bool is_branch(const struct cu_node *node)
{
    return node->kind == CU_NOT || node->kind == CU_AND || node->kind == CU_OR;
}

void bsim_cu_lower_branch(struct cu_lowering *l, const struct cu_node *node, struct cu_join *yes,
                          struct cu_join *no)
{
    bool is_and = node->kind == CU_AND, is_either = is_and || node->kind == CU_OR;
    bool is_late = is_either && !bsim_cu_is_simple(node) && bsim_cu_is_test_at_hand(node->right);
    if (node->kind == CU_NOT) {
        bsim_cu_lower_branch(l, node->left, no, yes);
    } else if (is_late && node->left->kind == node->kind) { /* (a && b) && c: a && (b && c) */
        struct cu_node inner = *node, outer = *node;
        inner.left = node->left->right;
        outer.left = node->left->left;
        outer.right = &inner;
        bsim_cu_lower_branch(l, &outer, yes, no);
    } else if (is_either && !bsim_cu_is_simple(node) && (!is_late || is_branch(node->left))) {
        struct cu_join between;
        bsim_cu_open(l, &between);
        bsim_cu_lower_branch(l, node->left, is_and ? &between : yes, is_and ? no : &between);
        bsim_cu_close(l, &between);
        if (bsim_cu_is_reached(l)) {
            bsim_cu_lower_branch(l, node->right, yes, no);
        }
    } else {
        struct cu_value condition = bsim_cu_lower(l, node);
        l->code.token = node->token;
        bsim_cu_split_to(l, condition, yes, no);
    }
}

/* What is computed before the ways part is known on both, and behind them. */
void bsim_cu_lower_test(struct cu_lowering *l, const struct cu_node *node, struct cu_join *end,
                        struct cu_join *yes, struct cu_join *no)
{
    bool is_inverted = node->kind == CU_NOT;
    const struct cu_node *inner = is_inverted ? node->left : node, *first = inner;
    bool is_plain = bsim_cu_is_simple(inner) || !is_branch(inner);
    struct cu_value condition = bsim_cu_constant_of(CU_P, 0);
    if (is_plain) {
        condition = bsim_cu_lower(l, inner);
        l->code.token = node->token;
    }
    while (!is_plain && is_branch(first)) {
        first = first->left;
    }
    if (!is_plain && bsim_cu_is_pure(first)) {
        (void)bsim_cu_lower(l, first);
    }
    bsim_cu_open(l, end);
    bsim_cu_open(l, no);
    bsim_cu_open(l, yes);
    if (is_plain) {
        bsim_cu_split_to(l, condition, is_inverted ? no : yes, is_inverted ? yes : no);
    } else {
        bsim_cu_lower_branch(l, node, yes, no);
    }
}

/* ---- choices --------------------------------------------------------------------------------- */

void bsim_cu_store_all(struct cu_lowering *l, struct cu_value address, const struct cu_node *node)
{
    uint32_t n;
    const struct cu_value *value = bsim_cu_lower_all(l, node, &n);
    if (bsim_cu_is_reached(l) && n > 0 && node->type->kind != CU_VOID) {
        bsim_cu_store(l, address, node->type, value);
    }
}

/* node->left ? right : third by a branch; the answer is the address of the value. */
static struct cu_value choose_by_branch(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_value address = bsim_cu_new_slot(l, NULL, node->type);
    bsim_cu_lower_ways(l, node, &address, false);
    return address;
}

/* The address of one of several objects; false: they lie in spaces that differ. */
static bool choose_address(struct cu_lowering *l, const struct cu_node *node,
                           struct cu_value *address)
{
    struct cu_value a, b;
    if (node->kind != CU_CHOICE) {
        *address = bsim_cu_address_of(l, node);
        return address->kind != CU_CELLS;
    }
    struct cu_value condition = bsim_cu_lower(l, node->left);
    if (!choose_address(l, node->right, &a) || !choose_address(l, node->third, &b) ||
        a.space != b.space || a.class != b.class || bsim_cu_stops(l)) {
        return false;
    }
    *address = bsim_cu_select(&l->code, condition, a, b);
    return true;
}

/* Whether it has no effect, and is known here. */
static bool is_known(struct cu_lowering *l, const struct cu_node *condition, uint64_t *bits)
{
    if (!bsim_cu_is_simple(condition)) {
        return false;
    }
    struct cu_value value = bsim_cu_lower(l, condition);
    return bsim_cu_is_constant(&value, bits);
}

static struct cu_value lower_choice(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_value place;
    bool is_light =
        bsim_cu_weight_of(node->right) + bsim_cu_weight_of(node->third) <= CU_MOST_AT_ONCE;
    uint64_t which;
    if (bsim_cu_is_arithmetic(node->type) && is_known(l, node->left, &which)) {
        struct cu_value chosen = bsim_cu_lower(l, which != 0 ? node->right : node->third);
        return of_cell(l, node->type, bsim_cu_as_cell(l, node->type, chosen));
    }
    if (node->type->kind != CU_VOID && is_light) {
        struct cu_value condition = bsim_cu_lower(l, node->left);
        struct cu_value a = bsim_cu_as_cell(l, node->type, bsim_cu_lower(l, node->right));
        struct cu_value b = bsim_cu_as_cell(l, node->type, bsim_cu_lower(l, node->third));
        return of_cell(l, node->type, bsim_cu_chosen(l, condition, a, b));
    }
    if (node->type->kind <= CU_DOUBLE && bsim_cu_is_place(node) &&
        choose_address(l, node, &place)) {
        l->code.token = node->token;
        return load_one(l, place, node->type);
    }
    struct cu_value address = choose_by_branch(l, node);
    return node->type->kind == CU_VOID ? nothing_of(bsim_cu_scalar(CU_INT))
                                       : load_one(l, address, node->type);
}

/* && and || as values. */
static struct cu_value lower_logic(struct cu_lowering *l, const struct cu_node *node)
{
    bool is_and = node->kind == CU_AND;
    if (bsim_cu_is_simple(node->right) || bsim_cu_is_test_at_hand(node->right)) {
        struct cu_value a = bsim_cu_lower(l, node->left);
        if (a.kind == CU_CONSTANT_VALUE && (a.bits != 0) != is_and) {
            return a;
        }
        return bsim_cu_compute(&l->code, is_and ? CU_OP_AND : CU_OP_OR, false, a,
                               bsim_cu_lower(l, node->right));
    }
    struct cu_node one = *node, zero = *node, choice = *node;
    one.kind = zero.kind = CU_INTEGER;
    one.number = 1;
    zero.number = 0;
    choice.kind = CU_CHOICE;
    choice.right = is_and ? node->right : &one;
    choice.third = is_and ? &zero : node->right;
    return lower_choice(l, &choice);
}

/* if (c) x = s[3]; is x = c ? s[3] : x, as nvcc has it. */
bool bsim_cu_lower_at_once(struct cu_lowering *l, const struct cu_node *node)
{
    uint32_t n = 0, n_before = l->n_accesses;
    uint32_t weight =
        bsim_cu_weight_of_statement(node->right, &n) + bsim_cu_weight_of_statement(node->third, &n);
    if (weight == 0 || weight > CU_MOST_AT_ONCE || n > MOST_SET_AT_ONCE ||
        (is_branch(node->left) && !bsim_cu_is_simple(node->left))) {
        return false;
    }
    struct cu_mark mark = bsim_cu_mark(l);
    struct cu_value condition = bsim_cu_lower(l, node->left);
    uint32_t n_accesses = l->n_accesses;
    struct cu_value *before = bsim_cu_copy_cells(l, l->n_cells), *yes;
    bsim_cu_lower_statement(l, node->right);
    yes = bsim_cu_copy_cells(l, l->n_cells);
    if (bsim_cu_stops(l)) {
        return true;
    }
    memcpy(l->cell, before, l->n_cells * sizeof *before);
    if (node->third != NULL) {
        bsim_cu_lower_statement(l, node->third);
    }
    if (condition.kind == CU_CONSTANT_VALUE || l->n_accesses == n_accesses) {
        bsim_cu_go_back(l, &mark);
        l->n_accesses = n_before;
        return false;
    }
    for (uint32_t i = 0; i < l->n_cells && !bsim_cu_stops(l); i++) {
        l->cell[i] = yes[i].kind == CU_NOTHING ? l->cell[i]
                     : l->cell[i].kind == CU_NOTHING
                         ? yes[i]
                         : bsim_cu_chosen(l, condition, yes[i], l->cell[i]);
    }
    return true;
}

/* ---- operators ------------------------------------------------------------------------------- */

static bool is_number_of_32_bits(const struct cu_type *type)
{
    return bsim_cu_class_of(type) == CU_I32 && type->size == 4 && type->kind != CU_POINTER;
}

static struct cu_value lower_lowest(struct cu_lowering *l, const struct cu_node *node, uint64_t ones, uint32_t depth);

/* A sum, a difference or the like, of which an operand may be without the lowest bits. */
static struct cu_value lower_lowest_of_two(struct cu_lowering *l, const struct cu_node *node, uint64_t ones, uint32_t depth)
{
    struct cu_value a = lower_lowest(l, node->left, ones, depth), b = lower_lowest(l, node->right, ones, depth);
    if ((ones & ~bsim_cu_zeros(&l->code, &b)) == 0) {
        return a;
    }
    if ((ones & ~bsim_cu_zeros(&l->code, &a)) == 0 && node->kind != CU_SUBTRACT) {
        return b;
    }
    l->code.token = node->token;
    return bsim_cu_compute(&l->code, (enum cu_op)(node->kind - CU_MULTIPLY), bsim_cu_is_signed(node->type), a, b);
}

/* Something with the lowest bits of what is masked with these ones alone, as it stands there: nvcc leaves out what has none
 * of them, (4 * t + r) & 3 is r & 3, but not of a variable's value, which others may want, too. */
static struct cu_value lower_lowest(struct cu_lowering *l, const struct cu_node *node, uint64_t ones, uint32_t depth)
{
    enum { MOST_DEEP = 6 };
    uint64_t mask;
    bool is_number = depth < MOST_DEEP && is_number_of_32_bits(node->type);
    if (is_number && (node->kind == CU_ADD || node->kind == CU_SUBTRACT || node->kind == CU_BIT_OR || node->kind == CU_BIT_XOR)) {
        return lower_lowest_of_two(l, node, ones, depth + 1);
    }
    if (is_number && node->kind == CU_BIT_AND && bsim_cu_constant(node->right, &mask) && (ones & ~mask) == 0) {
        return lower_lowest(l, node->left, ones, depth + 1);
    }
    if (is_number && node->kind == CU_CAST && is_number_of_32_bits(node->left->type)) {
        return lower_lowest(l, node->left, ones, depth + 1);
    }
    return bsim_cu_lower(l, node);
}

/* Whether the node masks its left operand with ones alone. */
static bool has_ones(const struct cu_node *node, uint64_t *ones)
{
    bool is_mask = node->kind == CU_BIT_AND, is_rest = node->kind == CU_REMAINDER && !bsim_cu_is_signed(node->type);
    if (!(is_mask || is_rest) || !is_number_of_32_bits(node->type) || !bsim_cu_constant(node->right, ones) || *ones == 0) {
        return false;
    }
    *ones = is_rest ? *ones - 1 : *ones;
    return (*ones & (*ones + 1)) == 0 && *ones <= UINT32_MAX;
}

static struct cu_value lower_binary(struct cu_lowering *l, const struct cu_node *node)
{
    uint64_t ones;
    struct cu_value a = has_ones(node, &ones) ? lower_lowest(l, node->left, ones, 0) : bsim_cu_lower(l, node->left);
    struct cu_value b = bsim_cu_lower(l, node->right);
    bool is_signed = bsim_cu_is_signed(node->type);
    if (node->kind == CU_SHIFT_LEFT || node->kind == CU_SHIFT_RIGHT) {
        b = bsim_cu_resized(&l->code, b, false, CU_I32);
    }
    l->code.token = node->token;
    return bsim_cu_compute(&l->code, (enum cu_op)(node->kind - CU_MULTIPLY), is_signed, a, b);
}

/* (a & 3) == (b & 3), which is ((a ^ b) & 3) == 0 to nvcc. */
static bool are_masked_alike(const struct cu_node *node)
{
    const struct cu_node *a = node->left, *b = node->right;
    uint64_t one, other;
    return (node->kind == CU_EQUAL || node->kind == CU_UNEQUAL) && a->kind == CU_BIT_AND && b->kind == CU_BIT_AND &&
           bsim_cu_constant(a->right, &one) && bsim_cu_constant(b->right, &other) && one == other;
}

static struct cu_value lower_masked_alike(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_value a = bsim_cu_lower(l, node->left->left), b = bsim_cu_lower(l, node->right->left);
    struct cu_value mask = bsim_cu_lower(l, node->left->right), none = bsim_cu_constant_of(mask.class, 0);
    l->code.token = node->token;
    if (a.kind == CU_CONSTANT_VALUE || b.kind == CU_CONSTANT_VALUE) {
        a = bsim_cu_compute(&l->code, CU_OP_AND, false, a, mask);
        none = bsim_cu_compute(&l->code, CU_OP_AND, false, b, mask);
    } else {
        a = bsim_cu_compute(&l->code, CU_OP_AND, false, bsim_cu_compute(&l->code, CU_OP_XOR, false, a, b), mask);
    }
    return bsim_cu_compare(&l->code, node->kind, false, a, none);
}

static struct cu_value lower_comparison(struct cu_lowering *l, const struct cu_node *node)
{
    if (are_masked_alike(node)) {
        return lower_masked_alike(l, node);
    }
    struct cu_value a = bsim_cu_lower(l, node->left), b = bsim_cu_lower(l, node->right);
    const struct cu_type *type = node->left->type;
    bool is_one = a.space == b.space && a.class == b.class && a.kind != CU_CELLS;
    if (type->kind == CU_POINTER && !is_one) {
        a = bsim_cu_as_number(l, a);
        b = bsim_cu_as_number(l, b);
    }
    if (a.class == CU_P) {
        a = bsim_cu_as_cell(l, type, a);
        b = bsim_cu_as_cell(l, type, b);
    }
    l->code.token = node->token;
    return bsim_cu_compare(&l->code, node->kind, bsim_cu_is_signed(type), a, b);
}

static struct cu_value lower_distance(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_value a = bsim_cu_lower(l, node->left), b = bsim_cu_lower(l, node->right);
    bool is_one = a.space == b.space && a.class == b.class && a.kind != CU_CELLS;
    if (!is_one) {
        a = bsim_cu_as_number(l, a);
        b = bsim_cu_as_number(l, b);
    }
    a.space = b.space = CU_GENERIC;
    struct cu_value bytes = bsim_cu_compute(&l->code, CU_OP_SUB, false, a, b);
    bytes = bsim_cu_resized(&l->code, bytes, true, CU_I64);
    return bsim_cu_compute(&l->code, CU_OP_DIV, true, bytes,
                           bsim_cu_constant_of(CU_I64, node->left->type->of->size));
}

/* ---- conversions ----------------------------------------------------------------------------- */

static struct cu_value to_boolean(struct cu_lowering *l, const struct cu_type *from,
                                  struct cu_value value)
{
    if (from->kind == CU_POINTER) {
        value = bsim_cu_as_number(l, value);
    }
    return value.class == CU_P ? value
                               : bsim_cu_compare(&l->code, CU_UNEQUAL, true, value,
                                                 bsim_cu_constant_of(value.class, 0));
}

static struct cu_value to_integer(struct cu_lowering *l, const struct cu_type *from,
                                  const struct cu_type *to, struct cu_value value)
{
    if (from->kind == CU_POINTER) {
        value = bsim_cu_as_number(l, value);
    }
    bool is_signed = bsim_cu_is_signed(from);
    const struct cu_type *whole =
        to; /* what is out of its range saturates; what is cut off then, does not */
    if (to->size < 4) {
        whole = bsim_cu_scalar(bsim_cu_is_signed(to) ? CU_INT : CU_UINT);
    }
    value = bsim_cu_is_floating(from)
                ? bsim_cu_converted(&l->code, value, from, whole)
                : bsim_cu_resized(&l->code, value, is_signed, bsim_cu_class_of(to));
    bool fits = to->size >= 4 || (bsim_cu_is_integer(from) && from->kind == to->kind);
    return fits ? value : bsim_cu_narrowed(&l->code, value, to);
}

static struct cu_value lower_cast(struct cu_lowering *l, const struct cu_node *node)
{
    const struct cu_type *from = node->left->type, *to = node->type;
    uint32_t n;
    if (to->kind == CU_VOID) {
        (void)bsim_cu_lower_all(l, node->left, &n);
        return nothing_of(bsim_cu_scalar(CU_INT));
    }
    struct cu_value value = bsim_cu_lower(l, node->left);
    if (to->kind == CU_BOOL) {
        return to_boolean(l, from, value);
    }
    value = bsim_cu_as_cell(l, from, value);
    if (bsim_cu_is_integer(to)) {
        return to_integer(l, from, to, value);
    }
    if (bsim_cu_is_floating(to)) {
        return from->kind == to->kind ? value : bsim_cu_converted(&l->code, value, from, to);
    }
    return from->kind == CU_POINTER ? value : bsim_cu_resized(&l->code, value, false, CU_I64);
}

/* ---- objects --------------------------------------------------------------------------------- */

static struct cu_value address_of_variable(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_variable *variable = node->variable;
    if (variable->is_constant) {
        bsim_cu_declare(l, variable, variable->value);
    }
    if (variable->storage != CU_LOCAL || variable->in_memory) {
        return bsim_cu_symbol(l, variable);
    }
    if (variable->slot >= l->n_slots || l->slot[variable->slot].variable != variable) {
        bsim_cu_fail(l->code.file, node->token, "'%s' has no place in device code", variable->name);
    }
    return (struct cu_value){.kind = CU_CELLS, .class = CU_I64, .id = variable->slot};
}

struct cu_value bsim_cu_address_of(struct cu_lowering *l, const struct cu_node *node)
{
    if (bsim_cu_stops(l)) {
        return bsim_cu_constant_of(CU_I64, 0);
    }
    l->code.token = node->token;
    switch (node->kind) {
    case CU_VARIABLE:
        return address_of_variable(l, node);
    case CU_TARGET:
        return bsim_cu_lower(l, node->left);
    case CU_TEMPORARY:
        bsim_cu_declare(l, node->variable, node->left);
        if (node->right != NULL) {
            uint32_t n;
            (void)bsim_cu_lower_all(l, node->right, &n);
        }
        return bsim_cu_stops(l) ? bsim_cu_constant_of(CU_I64, 0) : address_of_variable(l, node);
    case CU_MEMBER_OF: {
        struct cu_value address = bsim_cu_address_of(l, node->left);
        l->code.token = node->token;
        bsim_cu_note_struct(l, address, node->left->type);
        return bsim_cu_plus(l, address, node->number);
    }
    case CU_INDEX: {
        struct cu_value address = bsim_cu_address_of(l, node->left);
        struct cu_value index = bsim_cu_lower(l, node->right);
        l->code.token = node->token;
        return bsim_cu_moved(l, address, index, bsim_cu_is_signed(node->right->type),
                             node->type->size);
    }
    default: {
        struct cu_value address = bsim_cu_new_slot(l, NULL, node->type);
        bsim_cu_store_all(l, address, node);
        return address;
    }
    }
}

/* What a loop reads itself, not in a function that it calls, nvcc does not see to stay (step.c). */
static struct cu_value lower_special(struct cu_lowering *l, uint64_t which)
{
    if (l->n_calls == l->n_calls_of_loop && l->code.at != CU_NO_BLOCK) {
        l->code.block[l->code.at].reads |= UINT32_C(1) << which;
    }
    return bsim_cu_special(&l->code, (uint32_t)which);
}

static struct cu_value lower_object(struct cu_lowering *l, const struct cu_node *node)
{
    if (node->kind == CU_MEMBER_OF && node->left->kind == CU_SPECIAL) {
        return lower_special(l, node->left->number + node->number / 4);
    }
    if (node->kind == CU_VARIABLE && node->variable->is_constant && node->variable->value != NULL &&
        node->type->kind <= CU_DOUBLE) {
        return bsim_cu_lower(l, node->variable->value);
    }
    struct cu_value address = bsim_cu_address_of(l, node);
    l->code.token = node->token;
    return load_one(l, address, node->type);
}

static struct cu_value lower_assign(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_value value = bsim_cu_lower(l, node->right);
    struct cu_value address = bsim_cu_address_of(l, node->left);
    l->code.token = node->left->token;
    store_one(l, address, node->type, value);
    return value;
}

/* The object is looked for once. */
/* What x += y loads for y stands before x, which matters where two ways of a branch have something in common; in the
 * text that nvcc writes x comes first, mostly. */
static void lower_right_first(struct cu_lowering *l, const struct cu_node *body)
{
    while (body->kind == CU_CAST) {
        body = body->left;
    }
    if (body->kind >= CU_MULTIPLY && body->kind <= CU_SHIFT_RIGHT && bsim_cu_is_pure(body->right)) {
        (void)bsim_cu_lower(l, body->right);
    }
}

enum { MOST_CASTS = 3 };

bool bsim_cu_does_more(const struct cu_node *node)
{
    if (node == NULL || node->kind == CU_ASSIGN || node->kind == CU_UPDATE || node->kind == CU_POST || node->kind == CU_CALL) {
        return node != NULL;
    }
    enum cu_builtin_kind kind = node->kind == CU_BUILTIN ? bsim_cu_builtin(node->number)->kind : CU_INSTRUCTION;
    bool does = kind != CU_INSTRUCTION && kind != CU_CHAIN && kind != CU_CALCULATED;
    for (const struct cu_node *n = node->body; n != NULL && !does && node->kind == CU_BUILTIN; n = n->next) {
        does = bsim_cu_does_more(n);
    }
    return does || bsim_cu_does_more(node->left) || bsim_cu_does_more(node->right) || bsim_cu_does_more(node->third);
}

/* Whether y of x += y does more: C++ does that before it looks at x. In copy[] goes the sum of what is held then; *right: y. */
static bool is_right_first(const struct cu_node *body, struct cu_node copy[MOST_CASTS + 2], const struct cu_node **right)
{
    uint32_t n = 0;
    for (; body->kind == CU_CAST && n < MOST_CASTS; body = body->left) {
        copy[n] = *body;
        copy[n].left = &copy[n + 1];
        n++;
    }
    if (body->kind < CU_MULTIPLY || body->kind > CU_SHIFT_RIGHT || !bsim_cu_does_more(body->right)) {
        return false;
    }
    copy[n] = *body;
    copy[n].right = &copy[n + 1];
    copy[n + 1] = (struct cu_node){.kind = CU_HELD, .type = body->right->type, .token = body->right->token};
    *right = body->right;
    return true;
}

static struct cu_value lower_update(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_value outer = l->old, held;
    struct cu_node copy[MOST_CASTS + 2];
    const struct cu_node *body = node->body, *right;
    if (is_right_first(body, copy, &right)) {
        body = copy;
        held = bsim_cu_lower(l, right);
    } else {
        held = l->held;
    }
    if (l->is_one_of_two && bsim_cu_is_place(node->left)) {
        lower_right_first(l, node->body);
    }
    struct cu_value address = bsim_cu_address_of(l, node->left);
    l->code.token = node->left->token;
    struct cu_value old = load_one(l, address, node->type);
    l->old = old;
    l->held = held;
    struct cu_value value = bsim_cu_lower(l, body);
    l->code.token = node->left->token;
    store_one(l, address, node->type, value);
    l->old = outer;
    return node->kind == CU_POST ? old : value;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static struct cu_value lower_real(const struct cu_node *node)
{
    float single = (float)node->real;
    uint32_t bits;
    uint64_t wide;
    memcpy(&bits, &single, sizeof bits);
    memcpy(&wide, &node->real, sizeof wide);
    return node->type->kind == CU_FLOAT ? bsim_cu_constant_of(CU_F32, bits)
                                        : bsim_cu_constant_of(CU_F64, wide);
}

static struct cu_value lower_call(struct cu_lowering *l, const struct cu_node *node)
{
    uint32_t n;
    const struct cu_value *value = bsim_cu_lower_call(l, node, &n);
    return n == 1 ? of_cell(l, node->type, value[0]) : nothing_of(bsim_cu_scalar(CU_INT));
}

static struct cu_value lower_unary(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_value value = bsim_cu_lower(l, node->left);
    l->code.token = node->token;
    return node->kind == CU_NEGATE ? bsim_cu_negated(&l->code, value)
                                   : bsim_cu_inverted(&l->code, value);
}

static struct cu_value lower_other(struct cu_lowering *l, const struct cu_node *node)
{
    uint32_t n;
    switch (node->kind) {
    case CU_APART:
        return lower_distance(l, node);
    case CU_CAST:
        return lower_cast(l, node);
    case CU_ASSIGN:
        return lower_assign(l, node);
    case CU_UPDATE:
    case CU_POST:
        return lower_update(l, node);
    case CU_OLD:
        return l->old;
    case CU_HELD:
        return l->held;
    case CU_COMMA:
        (void)bsim_cu_lower_all(l, node->left, &n);
        return bsim_cu_lower(l, node->right);
    case CU_CALL:
        return lower_call(l, node);
    case CU_BUILTIN:
        return bsim_cu_lower_builtin(l, node);
    default:
        return nothing_of(bsim_cu_scalar(CU_INT));
    }
}

static struct cu_value lower_value(struct cu_lowering *l, const struct cu_node *node)
{
    if (!bsim_cu_is_reached(l)) {
        return nothing_of(node->type->kind <= CU_DOUBLE ? node->type : bsim_cu_scalar(CU_LONG));
    }
    l->code.token = node->token;
    switch (node->kind) {
    case CU_SPECIAL:
        return lower_special(l, node->number);
    case CU_INTEGER:
        return bsim_cu_constant_of(
            node->type->kind == CU_BOOL ? CU_P : bsim_cu_class_of(node->type), node->number);
    case CU_REAL:
        return lower_real(node);
    case CU_VARIABLE:
    case CU_TARGET:
    case CU_INDEX:
    case CU_MEMBER_OF:
    case CU_TEMPORARY:
        return lower_object(l, node);
    case CU_NEGATE:
    case CU_COMPLEMENT:
    case CU_NOT:
        return lower_unary(l, node);
    case CU_AND:
    case CU_OR:
        return lower_logic(l, node);
    case CU_CHOICE:
        return lower_choice(l, node);
    case CU_ADDRESS:
    case CU_DECAY:
        return bsim_cu_address_of(l, node->left);
    case CU_MOVE: {
        struct cu_value address = bsim_cu_lower(l, node->left);
        struct cu_value by = bsim_cu_lower(l, node->right);
        l->code.token = node->token;
        return bsim_cu_moved(l, address, by, bsim_cu_is_signed(node->right->type),
                             node->type->of->size);
    }
    default:
        return node->kind >= CU_MULTIPLY && node->kind <= CU_SHIFT_RIGHT ? lower_binary(l, node)
               : node->kind >= CU_EQUAL && node->kind <= CU_GREATER_EQUAL
                   ? lower_comparison(l, node)
                   : lower_other(l, node);
    }
}

struct cu_value bsim_cu_lower(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_value value = lower_value(l, node);
    for (const struct cu_equal *e = l->equal; e != NULL; e = e->outer) {
        if (value.kind == CU_REGISTER && value.id == e->id) {
            return e->value;
        }
    }
    return value;
}

/* ---- objects as a whole ---------------------------------------------------------------------- */

static const struct cu_value *lower_list(struct cu_lowering *l, const struct cu_node *node,
                                         uint32_t *n)
{
    struct cu_value *all = bsim_cu_room_for(l, node->type, n);
    uint32_t at = 0;
    for (const struct cu_node *element = node->body; element != NULL && !bsim_cu_stops(l);
         element = element->next) {
        uint32_t some;
        const struct cu_value *value = bsim_cu_lower_all(l, element, &some);
        if (at + some > *n || (node->type->is_union && some != *n)) {
            bsim_cu_fail(l->code.file, element->token, "such a value of a union is not read here");
            break;
        }
        memcpy(&all[at], value, some * sizeof *value);
        at += some;
    }
    return all;
}

static const struct cu_value *assign_all(struct cu_lowering *l, const struct cu_node *node,
                                         uint32_t *n)
{
    const struct cu_value *value = bsim_cu_lower_all(l, node->right, n);
    struct cu_value address = bsim_cu_address_of(l, node->left);
    l->code.token = node->left->token;
    if (!bsim_cu_stops(l)) {
        bsim_cu_store(l, address, node->type, value);
    }
    return value;
}

static const struct cu_value *load_all(struct cu_lowering *l, const struct cu_node *node,
                                       uint32_t *n)
{
    struct cu_value address =
        node->kind == CU_CHOICE ? choose_by_branch(l, node) : bsim_cu_address_of(l, node);
    struct cu_value *value = bsim_cu_room_for(l, node->type, n);
    l->code.token = node->token;
    if (!bsim_cu_stops(l)) {
        bsim_cu_load(l, address, node->type, NULL, value);
    }
    return value;
}

static const struct cu_value *special_all(struct cu_lowering *l, const struct cu_node *node,
                                          uint32_t *n)
{
    struct cu_value *value = bsim_cu_room_for(l, node->type, n);
    for (uint32_t i = 0; i < *n; i++) {
        value[i] = lower_special(l, node->number + i);
    }
    return value;
}

const struct cu_value *bsim_cu_lower_all(struct cu_lowering *l, const struct cu_node *node,
                                         uint32_t *n)
{
    static const struct cu_value none;
    *n = 0;
    if (!bsim_cu_is_reached(l)) {
        return &none;
    }
    if (node->kind == CU_CALL) {
        return bsim_cu_lower_call(l, node, n);
    }
    if (node->type->kind != CU_STRUCT && node->type->kind != CU_ARRAY) {
        struct cu_value *one = bsim_cu_take(l->code.file, sizeof *one);
        *one = bsim_cu_as_cell(l, node->type, bsim_cu_lower(l, node));
        *n = node->type->kind != CU_VOID;
        return one;
    }
    switch (node->kind) {
    case CU_LIST:
        return lower_list(l, node, n);
    case CU_ZERO:
        return bsim_cu_room_for(l, node->type, n);
    case CU_SPECIAL:
        return special_all(l, node, n);
    case CU_ASSIGN:
        return assign_all(l, node, n);
    case CU_BUILTIN:
        return bsim_cu_lower_cached(l, node, n);
    case CU_COMMA:
        (void)bsim_cu_lower_all(l, node->left, n);
        return bsim_cu_lower_all(l, node->right, n);
    default:
        return load_all(l, node, n);
    }
}
