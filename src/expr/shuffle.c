/* shuffle.c - warp shuffles, as a statement of C has them.
 *
 *     shuffle = name "(" [mask ","] value "," by ["," width] ")"     the mask in the _sync ones
 *
 * A shuffle is a step of its statement, as a load is. Its value is that of a variable which nobody
 * else has, so that an index may depend on what was exchanged; a value that is not known, a float
 * say, is exchanged all the same. walk.c exchanges.
 */
#include "expr/shuffle.h"

#include "expr/check.h"

#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

static const char family[] = "__shfl";

static const struct {
    const char *name;
    enum bsim_operation operation;
    bool has_mask;
} names[] = {
    {"__shfl_sync", BSIM_IDX, true},       {"__shfl_up_sync", BSIM_UP, true},
    {"__shfl_down_sync", BSIM_DOWN, true}, {"__shfl_xor_sync", BSIM_BFLY, true},
    {"__shfl", BSIM_IDX, false},           {"__shfl_up", BSIM_UP, false},
    {"__shfl_down", BSIM_DOWN, false},     {"__shfl_xor", BSIM_BFLY, false},
};

bool bsim_shuffle_sees(const struct bsim_parse *parse)
{
    return parse->token->kind == CU_NAME && parse->token->length >= sizeof family - 1 &&
           memcmp(parse->token->text, family, sizeof family - 1) == 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

static const struct bsim_node *read_argument(struct bsim_parse *parse)
{
    return bsim_build_operand(parse, bsim_parse_expression(parse));
}

/* An integer, or NULL in *node where it is not known. */
static bool read_integer(struct bsim_parse *parse, const struct bsim_node **node)
{
    const struct bsim_node *a = read_argument(parse);
    *node = bsim_node_is_unknown(a) ? NULL : bsim_build_integer(parse, a);
    return parse->status == BSIM_OK;
}

static bool read_width(struct bsim_parse *parse, struct bsim_shuffle *shuffle)
{
    int64_t width = BSIM_WARP_LANES;
    size_t at = parse->at;
    if (bsim_parse_take(parse, ",") &&
        !bsim_parse_constant(parse, "a shuffle's width", 1, BSIM_WARP_LANES, &width)) {
        return false;
    }
    shuffle->width = (uint32_t)width;
    return (width & (width - 1)) == 0 ||
           bsim_parse_fail(parse, at, "a shuffle's width is 1, 2, 4, 8, 16 or 32");
}

/* What is behind the name. */
static const struct bsim_node *read_arguments(struct bsim_parse *parse, bool has_mask,
                                              struct bsim_shuffle *shuffle)
{
    if (!bsim_parse_expect(parse, "(") ||
        (has_mask && (!read_integer(parse, &shuffle->mask) || !bsim_parse_expect(parse, ",")))) {
        return NULL;
    }
    size_t at = parse->at;
    const struct bsim_node *value = read_argument(parse);
    if (value == NULL || !bsim_parse_expect(parse, ",") || !read_integer(parse, &shuffle->by) ||
        !read_width(parse, shuffle) || !bsim_parse_expect(parse, ")")) {
        return NULL;
    }
    if (value->type->kind == CU_POINTER) {
        (void)bsim_parse_fail(parse, at, "an address is not shuffled here: shuffle an index");
        return NULL;
    }
    return value;
}

/* The value of the call: that of a new variable, or one that is not known. */
static const struct bsim_node *result_of(struct bsim_parse *parse, struct bsim_shuffle *shuffle,
                                         const struct bsim_node *value, size_t at)
{
    shuffle->shown.parts = value->type->size == 8 ? 2 : 1;
    if (bsim_node_is_unknown(value)) {
        return bsim_build_unknown(parse, value->at, "%s", value->why);
    }
    if (shuffle->by == NULL) {
        return bsim_build_unknown(parse, at,
                                  "which lane this shuffle takes from is not known, nor what");
    }
    const struct cu_type *type = bsim_cu_promoted(value->type);
    struct bsim_symbol symbol = {.kind = BSIM_NODE_VARIABLE, .type = type};
    shuffle->value = bsim_build_convert(parse, type, value, at);
    shuffle->nobody =
        bsim_build_unknown(parse, at, "a shuffle brought it from a lane that does not take part");
    if (shuffle->value == NULL || shuffle->nobody == NULL ||
        !bsim_check_add_variable(parse->reading->check, &shuffle->variable)) {
        (void)bsim_parse_no_memory(parse);
        return NULL;
    }
    symbol.number = shuffle->variable;
    return bsim_build_symbol(parse, &symbol, at);
}

static size_t name_at_hand(const struct bsim_parse *parse)
{
    size_t i = 0;
    while (i < N_OF(names) && !bsim_parse_sees(parse, names[i].name)) {
        i++;
    }
    return i;
}

const struct bsim_node *bsim_shuffle_read(struct bsim_parse *parse)
{
    size_t at = parse->at;
    size_t which = name_at_hand(parse);
    if (which == N_OF(names)) {
        (void)bsim_parse_fail(parse, at,
                              "a shuffle is __shfl_sync, __shfl_up_sync, __shfl_down_sync or "
                              "__shfl_xor_sync, or one of these without _sync and mask");
        return NULL;
    }
    if (parse->reading == NULL || parse->constant) {
        (void)bsim_parse_fail(parse, at,
                              "a shuffle stands in a statement of C: set a variable to it "
                              "(int v = %s(...);) and name that here",
                              names[which].name);
        return NULL;
    }
    struct bsim_shuffle *shuffle = bsim_cu_take(parse->file, sizeof *shuffle);
    shuffle->shown.opcode = (struct bsim_opcode){.family = BSIM_SHFL,
                                                 .operation = (uint8_t)names[which].operation,
                                                 .type = 'b',
                                                 .bits = 32,
                                                 .count = 1};
    const struct bsim_node *value =
        bsim_parse_advance(parse) ? read_arguments(parse, names[which].has_mask, shuffle) : NULL;
    const struct bsim_node *result = value == NULL ? NULL : result_of(parse, shuffle, value, at);
    shuffle->from = at;
    shuffle->to = parse->behind;
    return result != NULL && bsim_build_note(parse, NULL, shuffle) ? result : NULL;
}
