/* lower_count.c - what a loop counts, and how many of its turns become one.
 *
 *     while (++i < n)        n - i turns, of i as it is then: the test that is asked anew is i < n
 *
 * Whether so many turns become one says what each weighs, and whether it is known beforehand how many there are: of a number
 * that may pass the largest one nobody knows.
 */
#include "cuda/loop.h"

#include "base/bits.h"

enum {
    MOST_COUNTED = 176,  /* of turns that become one where nobody counts them, */
    OF_COUNT = 5,        /* without what counts; */
    MOST_STRAIGHT = 200, /* and of such with straight code of a loop in them */
};

bool bsim_cu_does_change(struct cu_lowering *l, const struct cu_node *node)
{
    if (!bsim_cu_does_more(node) || !bsim_cu_is_reached(l)) {
        return false;
    }
    struct cu_mark mark = bsim_cu_mark(l);
    uint32_t n, n_stores = l->n_stores;
    (void)bsim_cu_lower_all(l, node, &n);
    bool does = l->n_stores != n_stores;
    for (uint32_t i = 0; i < mark.n_cells && !does && !bsim_cu_stops(l); i++) {
        does = !bsim_cu_same_value(&l->cell[i], &mark.cell[i]);
    }
    bsim_cu_go_back(l, &mark);
    return does;
}

/* Whether the value is there before the loop, or a special register, which may be read there. */
static bool is_before(const struct cu_lowering *l, const struct cu_value *value, uint32_t n_before)
{
    const struct cu_instruction *from = bsim_cu_definition(&l->code, value);
    return value->kind == CU_REGISTER &&
           (value->id < n_before || (from != NULL && from->n_arguments == 0 && bsim_cu_specials_of(&l->code, value) != 0));
}

/* The cell whose value in the next turn this is, a constant more than in this one, or as much as there was before the
 * loop, of signed numbers, which nvcc takes to be positive; c->n: there is none. */
static uint32_t find_counter(const struct cu_lowering *l, const struct cu_changes *c, const struct cu_value *value,
                             uint32_t n_before, struct cu_counted *found)
{
    const struct cu_instruction *sum = bsim_cu_definition(&l->code, value);
    if (sum != NULL && sum->op == CU_OP_CONVERT) {
        sum = bsim_cu_definition(&l->code, &sum->argument[0]);
    }
    uint64_t bits;
    uint32_t i = 0;
    bool is_constant = sum != NULL && sum->n_arguments > 1 && bsim_cu_is_constant(&sum->argument[1], &bits);
    if (sum == NULL || (sum->op != CU_OP_ADD && sum->op != CU_OP_SUB) ||
        (!is_constant && (sum->op != CU_OP_ADD || !sum->is_signed || !is_before(l, &sum->argument[1], n_before)))) {
        return c->n;
    }
    found->by = is_constant ? (struct cu_value){.kind = CU_NOTHING} : sum->argument[1];
    found->special = !is_constant && found->by.id >= n_before
                         ? 1 + bsim_bits_lowest(bsim_cu_specials_of(&l->code, &found->by)) : 0;
    found->step = !is_constant ? 1 : sum->argument[1].class == CU_I32 ? (int32_t)bits : (int64_t)bits;
    found->step = sum->op == CU_OP_SUB ? -found->step : found->step;
    while (i < c->n && !(c->shape[i].kind != CU_NOTHING &&
                         bsim_cu_same_value(&c->header[i], &sum->argument[0]) &&
                         l->cell[i].kind == CU_REGISTER && l->cell[i].id == sum->result[0])) {
        i++;
    }
    return i;
}

/* How many turns become one, of which each weighs so much. */
static uint32_t turns_of(const struct cu_node *node, uint32_t weight, uint32_t most)
{
    uint32_t n = node->unroll > 1 ? (uint32_t)node->unroll : 4;
    most = node->unroll == CU_UNROLL_BY_SIZE ? most : CU_MOST_BY_PRAGMA;
    while (n > 1 && n * weight > most) {
        n /= 2;
    }
    return n > 1 ? n : 0;
}

static enum cu_node_kind turned(enum cu_node_kind relation)
{
    return relation == CU_LESS            ? CU_GREATER
           : relation == CU_LESS_EQUAL    ? CU_GREATER_EQUAL
           : relation == CU_GREATER       ? CU_LESS
           : relation == CU_GREATER_EQUAL ? CU_LESS_EQUAL
                                          : relation;
}

/* Whether so many turns can be told beforehand. Of i <= n in steps of more than one nvcc fears that i may
 * pass the largest number and begin anew, unless it knows one of the two. */
static bool may_count(enum cu_node_kind relation, int64_t step, bool is_known)
{
    bool is_one = step == 1 || step == -1;
    bool rises = relation == CU_LESS || relation == CU_LESS_EQUAL;
    bool is_open = relation == CU_LESS_EQUAL || relation == CU_GREATER_EQUAL;
    return relation == CU_UNEQUAL
               ? is_one
               : step != 0 && (step > 0) == rises && (is_one || is_known || !is_open);
}

/* Whether nvcc fears that an unsigned number passes the largest one and begins anew: i += 2 below n, or i <= n.
 * It does not if n lacks the uppermost bit, nor of an int that begins at a known number. */
static bool may_wrap(const struct cu_loop *loop, const struct cu_counted *found, const struct cu_value *other, bool is_known)
{
    const struct cu_node *test = loop->node->left, *side = found->is_right ? test->right : test->left;
    bool is_strict = found->relation != CU_LESS_EQUAL && found->relation != CU_GREATER_EQUAL;
    bool is_one = found->step == 1 || found->step == -1;
    side = side->kind == CU_CAST ? side->left : side;
    uint64_t top = UINT64_C(1) << (8 * bsim_cu_class_bytes(other->class) - 1);
    return !bsim_cu_is_signed(test->left->type) && !(is_strict && is_one) &&
           !(is_known && bsim_cu_is_signed(side->type)) && other->kind != CU_CONSTANT_VALUE &&
           (bsim_cu_zeros(&loop->l->code, other) & top) == 0;
}

/* Whether a whole number that the loop changes is known at its beginning. */
static bool begins_known(const struct cu_changes *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->shape[i].kind != CU_NOTHING && c->begin[i].kind == CU_CONSTANT_VALUE &&
            (c->begin[i].class == CU_I32 || c->begin[i].class == CU_I64)) {
            return true;
        }
    }
    return false;
}

/* How many turns there are from one constant to another; 0: too many. */
static uint32_t known_turns(const struct cu_counted *c, const struct cu_value *begin, const struct cu_value *end)
{
    enum { MOST = 1 << 20 };
    int64_t from = bsim_cu_as_signed(begin->class, begin->bits), to = bsim_cu_as_signed(end->class, end->bits);
    int64_t way = c->step > 0 ? to - from : from - to, step = c->step > 0 ? c->step : -c->step;
    bool is_open = c->relation == CU_LESS_EQUAL || c->relation == CU_GREATER_EQUAL;
    if (way < 0 || way / step >= MOST) {
        return 0;
    }
    return (uint32_t)(is_open ? way / step + 1 : (way + step - 1) / step);
}

struct cu_turn bsim_cu_weigh_as_it_stands(const struct cu_loop *loop, const struct cu_changes *c, uint32_t n_before, uint32_t header)
{
    struct cu_lowering *l = loop->l;
    uint32_t n = 0;
    struct cu_handed *handed = bsim_cu_take_many(l->code.file, c->n, sizeof *handed);
    for (uint32_t i = 0; i < c->n && handed != NULL; i++) {
        if (c->shape[i].kind != CU_NOTHING) {
            handed[n++] = (struct cu_handed){c->begin[i], c->header[i], l->cell[i]};
        }
    }
    return bsim_cu_weigh_turn(&l->code, header, n_before, handed, n);
}

/* With straight code of a loop in it: what is made there for addresses, too, as nvcc has not moved that out yet. *is_it:
 * there is such code. */
static uint32_t weight_with_straight(const struct cu_code *code, uint32_t header, bool *is_it)
{
    uint32_t weight = 0;
    for (uint32_t b = header; b < code->n_blocks; b++) {
        for (const struct cu_instruction *k = code->block[b].first; k != NULL; k = k->next) {
            weight += k->op != CU_OP_COPY ? bsim_cu_heaviness_of(k) : 0;
            *is_it = *is_it || k->is_unrolled;
        }
    }
    return weight;
}

static uint32_t turns_at_once(const struct cu_loop *loop, const struct cu_changes *c, uint32_t n_before, uint32_t header)
{
    bool is_straight = false;
    uint32_t straight = weight_with_straight(&loop->l->code, header, &is_straight);
    if (is_straight) {
        return turns_of(loop->node, straight, MOST_STRAIGHT);
    }
    uint32_t weight = bsim_cu_weigh_as_it_stands(loop, c, n_before, header).weight;
    return turns_of(loop->node, weight > OF_COUNT ? weight - OF_COUNT : 0, MOST_COUNTED);
}

/* The side of a comparison as it is when what it does has been done, x of ++x; NULL: nobody knows. */
static struct cu_node *side_when_done(struct cu_lowering *l, struct cu_node *side)
{
    if (!bsim_cu_does_change(l, side)) {
        return side;
    }
    if (side->kind == CU_UPDATE && side->left->kind == CU_VARIABLE && !bsim_cu_does_more(side->body)) {
        return side->left;
    }
    struct cu_node *inner = side->kind == CU_CAST ? side_when_done(l, side->left) : NULL;
    struct cu_node *copy = inner != NULL ? bsim_cu_take(l->code.file, sizeof *copy) : NULL;
    if (copy != NULL) {
        *copy = *side;
        copy->left = inner;
    }
    return copy;
}

struct cu_node *bsim_cu_test_when_done(struct cu_lowering *l, struct cu_node *test)
{
    if (!bsim_cu_does_change(l, test)) {
        return test;
    }
    bool are_two = bsim_cu_does_change(l, test->left) && bsim_cu_does_change(l, test->right);
    struct cu_node *copy = are_two ? NULL : bsim_cu_take(l->code.file, sizeof *copy);
    if (copy != NULL) {
        *copy = *test;
        copy->left = side_when_done(l, test->left);
        copy->right = side_when_done(l, test->right);
    }
    return copy != NULL && copy->left != NULL && copy->right != NULL ? copy : NULL;
}

struct cu_counted bsim_cu_find_counted(const struct cu_loop *loop, const struct cu_changes *c,
                                       uint32_t n_before, uint32_t header)
{
    struct cu_lowering *l = loop->l;
    const struct cu_node *test = loop->node->left;
    const struct cu_instruction *compare = bsim_cu_definition(&l->code, &loop->condition);
    struct cu_counted found = {.is_rest_first = !begins_known(c)};
    if (loop->node->kind != CU_LOOP || compare == NULL || compare->op != CU_OP_COMPARE ||
        test->kind < CU_UNEQUAL || test->kind > CU_GREATER_EQUAL ||
        !bsim_cu_is_integer(test->left->type) || bsim_cu_test_when_done(l, loop->node->left) == NULL) {
        return found;
    }
    for (uint32_t side = 0; side < 2 && found.n_turns == 0; side++) {
        const struct cu_value *other = &compare->argument[1 - side];
        bool is_known = other->kind == CU_CONSTANT_VALUE;
        bool stays = is_known || (other->kind == CU_REGISTER && other->id < n_before);
        uint32_t cell = stays ? find_counter(l, c, &compare->argument[side], n_before, &found) : c->n;
        found.relation = side == 0 ? test->kind : turned(test->kind);
        found.is_right = side == 1;
        bool begins = cell < c->n && c->begin[cell].kind == CU_CONSTANT_VALUE;
        bool is_by = found.by.kind == CU_REGISTER;
        if (is_by && (found.relation != CU_LESS || !bsim_cu_is_signed(test->left->type))) {
            cell = c->n;
        }
        if (cell < c->n && may_count(found.relation, found.step, is_known || begins) &&
            !may_wrap(loop, &found, other, begins)) {
            found.n_turns = turns_at_once(loop, c, n_before, header);
            found.n_known = is_known && begins && !is_by ? known_turns(&found, &c->begin[cell], other) : 0;
        }
    }
    return found;
}

struct cu_value bsim_cu_count_turns(struct cu_lowering *l, const struct cu_node *test,
                                     const struct cu_counted *c)
{
    struct cu_value a = bsim_cu_lower(l, test->left), b = bsim_cu_lower(l, test->right);
    struct cu_code *code = &l->code;
    bool is_upwards = (c->step > 0) != c->is_right;
    struct cu_value most = is_upwards ? b : a, least = is_upwards ? a : b;
    struct cu_value left = bsim_cu_compute(code, CU_OP_SUB, false, most, least);
    struct cu_value one = bsim_cu_constant_of(left.class, 1);
    uint64_t each = (uint64_t)(c->step > 0 ? c->step : -c->step);
    if (c->relation != CU_LESS_EQUAL && c->relation != CU_GREATER_EQUAL) {
        left = bsim_cu_compute(code, CU_OP_SUB, false, left, one);
    }
    struct cu_value by = c->special > 0                ? bsim_cu_special(code, c->special - 1)
                         : c->by.kind == CU_REGISTER ? c->by
                                                     : bsim_cu_constant_of(left.class, each);
    left = bsim_cu_compute(code, CU_OP_DIV, false, left, bsim_cu_resized(code, by, true, left.class));
    left = bsim_cu_compute(code, CU_OP_ADD, false, left, one);
    return left;
}
