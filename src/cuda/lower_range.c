/* lower_range.c - which bits of a whole number are 0 in all turns of a loop, and between which numbers it lies.
 *
 *     for (int i = 0; i < 8; i += 4)        i is not negative, a multiple of 4, and 7 at most
 *
 * As a turn first shows it that is believed; a later one, which begins with the register, says whether it is so.
 */
#include "cuda/loop.h"

static uint64_t sign_of(enum cu_class class)
{
    return UINT64_C(1) << (8 * bsim_cu_class_bytes(class) - 1);
}

uint64_t bsim_cu_zeros_in(const struct cu_range *range, enum cu_class class)
{
    return (range->grows ? sign_of(class) : 0) | range->below | range->above;
}

/* Whether the value is x and a constant more: *by; *grows: of signed numbers, which pass no largest one, and not less. */
static bool is_more(const struct cu_code *code, const struct cu_value *value, const struct cu_value *x, int64_t *by,
                    bool *grows)
{
    const struct cu_instruction *sum = bsim_cu_definition(code, value);
    uint64_t bits = value->bits - x->bits;
    bool is_known = value->kind == CU_CONSTANT_VALUE && x->kind == CU_CONSTANT_VALUE;
    bool is_sum = !is_known && sum != NULL && (sum->op == CU_OP_ADD || sum->op == CU_OP_SUB) &&
                  bsim_cu_same_value(&sum->argument[0], x) && bsim_cu_is_constant(&sum->argument[1], &bits);
    *by = bsim_cu_as_signed(value->class, bits);
    *grows = (is_known || (is_sum && sum->op == CU_OP_ADD && sum->is_signed)) && *by >= 0;
    return is_known || is_sum;
}

/* The cell's type, NULL if it is none of a whole number of 32 bits or more. */
static const struct cu_type *type_of(const struct cu_lowering *l, uint32_t cell)
{
    uint32_t i = l->n_slots;
    while (i > 0 && l->slot[i - 1].cell > cell) {
        i--;
    }
    const struct cu_slot *slot = i > 0 ? &l->slot[i - 1] : NULL;
    const struct cu_type *type = slot != NULL && cell - slot->cell < slot->n ? slot->scalar[cell - slot->cell].type : NULL;
    return type != NULL && bsim_cu_is_integer(type) && type->size >= 4 ? type : NULL;
}

static uint64_t below(uint64_t zeros)
{
    return zeros & ~(zeros + 1); /* the lowest of these alone */
}

void bsim_cu_find_range(struct cu_lowering *l, struct cu_changes *c, uint32_t i, bool is_first)
{
    const struct cu_value *begin = &c->begin[i], *value = &l->cell[i];
    struct cu_range *range = &c->range[i];
    int64_t by;
    bool grows;
    if (is_first && !range->is_tried) {
        const struct cu_type *type = type_of(l, i);
        range->is_tried = true;
        if (type != NULL && begin->class == value->class && is_more(&l->code, value, begin, &by, &grows)) {
            uint64_t zeros = bsim_cu_zeros(&l->code, begin);
            range->grows |= grows && bsim_cu_is_signed(type) && (zeros & sign_of(begin->class)) != 0;
            range->below = below(zeros & ~(uint64_t)by);
            range->stays = below(~(uint64_t)by);
            range->least = range->grows && !range->is_given && begin->kind == CU_CONSTANT_VALUE ? (int64_t)begin->bits
                                                                                              : range->least;
        }
    } else if ((range->grows || range->below != 0 || range->stays != 0) &&
               (!is_more(&l->code, value, &c->header[i], &by, &grows) || (range->grows && !grows) ||
                ((uint64_t)by & (range->below | range->stays)) != 0)) {
        *range = (struct cu_range){.is_tried = true, .above = range->above, .least = range->is_given ? range->least : 0};
        c->is_new = true;
    }
}

/* What another turn says of the cell at most: i + 1 < 8 that i is 7. 0: nothing. */
static int64_t most_of(const struct cu_loop *loop, const struct cu_changes *c, uint32_t i)
{
    const struct cu_code *code = &loop->l->code;
    const struct cu_instruction *compare = bsim_cu_definition(code, &loop->condition);
    const struct cu_value *begin = &c->begin[i];
    uint64_t end;
    bool is_such = loop->node->kind == CU_LOOP && compare != NULL && compare->op == CU_OP_COMPARE &&
                   strncmp(compare->opcode, "setp.lt.s", 9) == 0 && bsim_cu_is_constant(&compare->argument[1], &end) &&
                   bsim_cu_same_value(&compare->argument[0], &loop->l->cell[i]) && begin->kind == CU_CONSTANT_VALUE;
    int64_t most = is_such ? bsim_cu_as_signed(compare->argument[1].class, end) - 1 : 0;
    return is_such && bsim_cu_as_signed(begin->class, begin->bits) <= most ? most : 0;
}

void bsim_cu_find_most(const struct cu_loop *loop, struct cu_changes *c, uint32_t i)
{
    struct cu_range *range = &c->range[i];
    int64_t most = range->grows && !range->is_unbound ? most_of(loop, c, i) : 0;
    if (most != range->most) {
        range->is_unbound = range->most != 0;
        range->most = range->is_unbound ? 0 : most;
        c->is_new = true;
    }
}

static bool holds(enum cu_node_kind relation, int64_t a, int64_t b)
{
    switch (relation) {
    case CU_UNEQUAL:
        return a != b;
    case CU_LESS:
        return a < b;
    case CU_LESS_EQUAL:
        return a <= b;
    case CU_GREATER:
        return a > b;
    default:
        return a >= b;
    }
}

/* The highest value that the cell has in a turn, which begins with a known one, as the loop's condition compares what the
 * next turn has with another; 0: nobody knows, or it has negative ones. */
static uint64_t highest_of(const struct cu_loop *loop, const struct cu_changes *c, uint32_t cell)
{
    enum { MOST = 4096 };
    const struct cu_instruction *compare = bsim_cu_definition(&loop->l->code, &loop->condition);
    const struct cu_value *begin = &c->begin[cell], *value = &loop->l->cell[cell];
    const struct cu_node *test = loop->node->left;
    uint64_t bits;
    int64_t by;
    bool grows, is_tested = compare != NULL && compare->op == CU_OP_COMPARE && test->kind >= CU_UNEQUAL &&
                            test->kind <= CU_GREATER_EQUAL && bsim_cu_same_value(&compare->argument[0], value) &&
                            bsim_cu_is_constant(&compare->argument[1], &bits);
    if (!is_tested || begin->kind != CU_CONSTANT_VALUE || !is_more(&loop->l->code, value, &c->header[cell], &by, &grows)) {
        return 0;
    }
    int64_t first = bsim_cu_as_signed(begin->class, begin->bits), last = first;
    int64_t other = bsim_cu_as_signed(begin->class, bits);
    for (uint32_t n = 0; n < MOST && holds(test->kind, last + by, other); n++) {
        last += by;
    }
    bool is_known = by != 0 && !holds(test->kind, last + by, other) && first >= 0 && last >= 0;
    return !is_known ? 0 : first > last ? (uint64_t)first : (uint64_t)last;
}

void bsim_cu_hand_on_ranges(const struct cu_loop *loop, struct cu_hoisted *h, const struct cu_changes *c)
{
    h->n_ranged = 0;
    for (uint32_t i = 0; i < c->n && h->n_ranged < CU_MOST_RANGED; i++) {
        enum cu_class class = c->shape[i].class;
        if (c->shape[i].kind == CU_NOTHING || (class != CU_I32 && class != CU_I64)) {
            continue;
        }
        uint64_t most = highest_of(loop, c, i), zeros = c->range[i].grows ? sign_of(class) : 0;
        for (uint32_t by = 1; by < 64; by *= 2) {
            most |= most >> by;
        }
        zeros = most > 0 ? ~most : zeros;
        if (zeros != 0) {
            h->ranged[h->n_ranged] = i;
            h->least[h->n_ranged] = c->range[i].least;
            h->zeros[h->n_ranged++] = zeros;
        }
    }
}
