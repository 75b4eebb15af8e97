/* parse.c - expressions, by recursive descent; the grammar stands above each function.
 *
 * C's expressions without what changes anything (assignment, ++, --) and the comma operator; with
 * C++'s casts. What is left out is refused where it stands.
 */
#include "expr/parse.h"

#include "expr/check.h"
#include "expr/eval.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_NESTING = 100 };

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- primary, postfix, unary ----------------------------------------------------------------- */

static const struct bsim_node *parse_cast(struct bsim_parse *parse);

static const struct bsim_node *parse_number(struct bsim_parse *parse)
{
    size_t at = parse->at;
    uint64_t number = parse->number;
    const struct cu_type *type = parse->type;
    return bsim_parse_advance(parse) ? bsim_build_number(parse, type, number, at) : NULL;
}

/* conversion = base-type "(" expression ")"      C++'s unsigned(x), size_t(x) */
static const struct bsim_node *parse_conversion(struct bsim_parse *parse)
{
    size_t at = parse->at;
    const struct cu_type *type = bsim_parse_base_type(parse);
    if (type == NULL || !bsim_parse_expect(parse, "(")) {
        return NULL;
    }
    const struct bsim_node *a = bsim_parse_expression(parse);
    if (a == NULL || !bsim_parse_expect(parse, ")")) {
        return NULL;
    }
    return bsim_build_cast(parse, type, a, at);
}

/* primary = number | name | conversion | "(" expression ")" */
static const struct bsim_node *parse_primary(struct bsim_parse *parse)
{
    if (bsim_cu_is_real(parse->token)) {
        const struct bsim_node *node = bsim_build_unknown(
            parse, parse->at, "the constant '%.*s' is floating-point: an index is made of integers",
            bsim_cu_shown(parse->token), parse->token->text);
        return node != NULL && bsim_parse_advance(parse) ? node : NULL;
    }
    if (parse->token->kind == CU_NUMBER || parse->token->kind == CU_CHARACTER) {
        return parse_number(parse);
    }
    if (bsim_parse_sees_type(parse)) {
        return parse_conversion(parse);
    }
    bool is_global = bsim_parse_take(parse, "::"); /* of a name that no namespace hides */
    if (parse->token->kind == CU_NAME) {
        return bsim_parse_name(parse);
    }
    if (is_global) {
        (void)bsim_parse_wants(parse, "a name");
        return NULL;
    }
    if (bsim_parse_take(parse, "(")) {
        const struct bsim_node *node = bsim_parse_expression(parse);
        return bsim_parse_expect(parse, ")") ? node : NULL;
    }
    (void)bsim_parse_wants(parse, "an operand");
    return NULL;
}

/* Registers have no addresses: an array with an index that the compiler does not know lies in local
 * memory (CUDA C++ Programming Guide, "Local Memory"). Loops over constants are taken to be
 * unrolled. */
static bool note_local(struct bsim_parse *parse, const struct bsim_node *array,
                       const struct bsim_node *index)
{
    struct bsim_reading *reading = parse->reading;
    if (reading == NULL || array->own == NULL || !bsim_check_varies(reading->check, index) ||
        bsim_scope_find(reading->locals, array->own, strlen(array->own)) != NULL) {
        return true;
    }
    return bsim_scope_add(reading->locals, &(struct bsim_symbol){.name = array->own}) ||
           bsim_parse_no_memory(parse);
}

/* subscript = "[" expression "]", behind a */
static const struct bsim_node *parse_subscript(struct bsim_parse *parse, const struct bsim_node *a,
                                               size_t at)
{
    const struct bsim_node *index = bsim_parse_expression(parse);
    if (index == NULL || !bsim_parse_expect(parse, "]")) {
        return NULL;
    }
    const struct bsim_node *array = bsim_build_operand(parse, a);
    if (bsim_node_is_unknown(array) && array->number != BSIM_UNKNOWN_OBJECT) {
        index = bsim_build_operand(parse, index);
        return index != NULL && note_local(parse, array, index) ? array : NULL;
    }
    if (array != NULL && array->type->kind != CU_POINTER) {
        (void)bsim_parse_fail(parse, at, "this has no elements that could be indexed");
        return NULL;
    }
    return bsim_build_object(parse, bsim_build_binary(parse, BSIM_NODE_ADD, array, index, at), at);
}

/* member = ("." | "->") name ["(" ")"], behind a; with the brackets where the name is real or imag
 * of a complex number */
static const struct bsim_node *parse_member(struct bsim_parse *parse, const struct bsim_node *a,
                                            bool follows, size_t at)
{
    const struct bsim_node *object = follows ? bsim_build_object(parse, a, at) : a;
    if (bsim_node_is_unknown(a) && bsim_cu_begins(parse->token, "shfl")) {
        (void)bsim_parse_fail(parse, parse->at,
                              "a group's shuffle is not read: write it as __shfl_sync, "
                              "__shfl_up_sync, __shfl_down_sync or __shfl_xor_sync");
        return NULL;
    }
    return bsim_build_member(parse, object, at);
}

/* postfix = primary (subscript | member)* */
static const struct bsim_node *parse_postfix(struct bsim_parse *parse)
{
    size_t at = parse->at;
    const struct bsim_node *node = parse_primary(parse);
    while (node != NULL) {
        if (bsim_parse_take(parse, "[")) {
            node = parse_subscript(parse, node, at);
        } else if (bsim_parse_take(parse, ".")) {
            node = parse_member(parse, node, false, at);
        } else if (bsim_parse_take(parse, "->")) {
            node = parse_member(parse, node, true, at);
        } else if (bsim_node_is_unknown(node) && bsim_parse_sees(parse, "(")) {
            node = bsim_parse_arguments(parse) ? bsim_build_result(parse, node)
                                               : NULL; /* a method's */
        } else {
            break;
        }
    }
    return parse->status == BSIM_OK ? node : NULL;
}

static const struct bsim_node *size_of(struct bsim_parse *parse, const struct cu_type *type,
                                       size_t at)
{
    if (type == NULL) {
        return NULL;
    }
    if (!bsim_build_has_size(type)) {
        (void)bsim_parse_fail(parse, at, "the size of this is not known");
        return NULL;
    }
    return bsim_build_number(parse, bsim_cu_scalar(CU_ULONG), type->size, at);
}

/* sizeof = "sizeof" ("(" type-name ")" | unary) */
static const struct bsim_node *parse_sizeof(struct bsim_parse *parse, size_t at)
{
    struct bsim_parse before = *parse;
    if (bsim_parse_take(parse, "(") && bsim_parse_sees_type(parse)) {
        const struct cu_type *type = bsim_parse_type_name(parse);
        if (!bsim_parse_sees(parse, "(")) {
            return bsim_parse_expect(parse, ")") ? size_of(parse, type, at) : NULL;
        }
    }
    if (parse->status == BSIM_OK) {
        *parse = before;
    }
    const struct bsim_node *node = parse_cast(parse); /* for its bound: no cast begins here */
    return node == NULL ? NULL : size_of(parse, node->type, at);
}

/* unary = ("+" | "-" | "~" | "!" | "&" | "*") cast | sizeof | postfix */
static const struct bsim_node *parse_unary(struct bsim_parse *parse)
{
    size_t at = parse->at;
    if (bsim_parse_take(parse, "+")) {
        const struct bsim_node *a = bsim_build_operand(parse, parse_cast(parse));
        a = bsim_node_is_unknown(a) ? a : bsim_build_integer(parse, a);
        return a == NULL || bsim_node_is_unknown(a)
                   ? a
                   : bsim_build_convert(parse, bsim_cu_promoted(a->type), a, at);
    }
    if (bsim_parse_take(parse, "-")) {
        return bsim_build_unary(parse, BSIM_NODE_NEGATE, parse_cast(parse), at);
    }
    if (bsim_parse_take(parse, "~")) {
        return bsim_build_unary(parse, BSIM_NODE_COMPLEMENT, parse_cast(parse), at);
    }
    if (bsim_parse_take(parse, "!")) {
        return bsim_build_unary(parse, BSIM_NODE_NOT, parse_cast(parse), at);
    }
    if (bsim_parse_take(parse, "&")) {
        return bsim_build_address(parse, parse_cast(parse), at);
    }
    if (bsim_parse_take(parse, "*")) {
        return bsim_build_object(parse, parse_cast(parse), at);
    }
    if (bsim_parse_take(parse, "sizeof")) {
        return parse_sizeof(parse, at);
    }
    if (bsim_parse_sees_any(parse, "++ --")) {
        (void)bsim_parse_refuse_rest(parse);
        return NULL;
    }
    return parse_postfix(parse);
}

/* cast = "(" type-name ")" cast | unary
 *
 * `(unsigned(x) + 1)` begins with a type too, and is no cast. */
static const struct bsim_node *cast_or_unary(struct bsim_parse *parse)
{
    struct bsim_parse before = *parse;
    size_t at = parse->at;
    if (bsim_parse_take(parse, "(") && bsim_parse_sees_type(parse)) {
        const struct cu_type *type = bsim_parse_type_name(parse);
        if (type == NULL) {
            return NULL;
        }
        if (!bsim_parse_sees(parse, "(")) {
            return bsim_parse_expect(parse, ")")
                       ? bsim_build_cast(parse, type, parse_cast(parse), at)
                       : NULL;
        }
    }
    if (parse->status == BSIM_OK) {
        *parse = before;
    }
    return parse_unary(parse);
}

/* Everything that nests passes here. */
static const struct bsim_node *parse_cast(struct bsim_parse *parse)
{
    if (parse->nesting == MAX_NESTING) {
        (void)bsim_parse_fail(parse, parse->at, "this is nested too deep: use lets");
        return NULL;
    }
    size_t from = parse->at;
    parse->nesting++;
    const struct bsim_node *node = cast_or_unary(parse);
    parse->nesting = parse->nesting > 0 ? parse->nesting - 1 : 0;
    return bsim_build_extent(node, from, parse->behind);
}

/* ---- binary operators ------------------------------------------------------------------------ */

enum bsim_node_kind bsim_parse_node_of(enum cu_operator operator)
{
    bool is_logical = operator>= CU_OPERATOR_LOGICAL_AND;
    return (enum bsim_node_kind)(is_logical
                                     ? BSIM_NODE_LOGICAL_AND + (operator- CU_OPERATOR_LOGICAL_AND)
                                     : BSIM_NODE_MULTIPLY + (uint32_t) operator);
}

static const struct bsim_node *parse_binary(struct bsim_parse *parse, uint32_t level);

/* Where the parser stands among guards: what end_guard() goes back to. */
struct guarded {
    const struct bsim_guard *outer;
    size_t n_reads;
};

static struct guarded begin_guard(const struct bsim_parse *parse)
{
    const struct bsim_reading *reading = parse->reading;
    return reading == NULL ? (struct guarded){NULL, 0}
                           : (struct guarded){reading->guard, reading->n};
}

/* What is parsed from here on is evaluated only where condition is `truth`. One that is not known
 * guards nothing, and end_guard() refuses the loads behind it. */
static void guard(struct bsim_parse *parse, const struct guarded *guarded,
                  const struct bsim_node *condition, bool truth)
{
    if (parse->reading == NULL) {
        return;
    }
    parse->reading->guard = guarded->outer;
    if (condition == NULL || bsim_node_is_unknown(condition)) {
        return;
    }
    struct bsim_guard *inner = bsim_cu_take(parse->file, sizeof *inner);
    *inner = (struct bsim_guard){condition, truth, guarded->outer};
    parse->reading->guard = inner;
}

static bool end_guard(struct bsim_parse *parse, const struct guarded *guarded,
                      const struct bsim_node *condition)
{
    if (parse->reading == NULL) {
        return true;
    }
    parse->reading->guard = guarded->outer;
    return parse->reading->n == guarded->n_reads || !bsim_node_is_unknown(condition) ||
           bsim_parse_fail(parse, condition->at,
                           "whether what follows is loaded depends on a value that is not known: "
                           "write it as an if with a condition over threads and loops");
}

/* The right side of && and ||, which the left one decides about. */
static const struct bsim_node *parse_guarded(struct bsim_parse *parse, uint32_t level,
                                             const struct bsim_node *left, bool truth)
{
    struct guarded guarded = begin_guard(parse);
    guard(parse, &guarded, left, truth);
    const struct bsim_node *right = bsim_build_operand(parse, parse_binary(parse, level));
    return end_guard(parse, &guarded, left) ? right : NULL;
}

/* binary(level) = cast (operator binary(operator's level + 1))*
 *
 * with operators of that level or a higher one: all of them associate to the left. */
static const struct bsim_node *parse_binary(struct bsim_parse *parse, uint32_t level)
{
    size_t from = parse->at;
    const struct bsim_node *left = parse_cast(parse);
    while (left != NULL) {
        size_t at = parse->at;
        enum cu_operator operator= bsim_cu_find_operator(parse->token, level);
        if (operator== CU_N_OPERATORS) {
            break;
        }
        if (!bsim_parse_advance(parse)) {
            return NULL;
        }
        left = bsim_build_operand(parse, left);
        enum bsim_node_kind kind = bsim_parse_node_of(operator);
        uint32_t tighter = bsim_cu_level(operator) + 1;
        bool is_logical = kind == BSIM_NODE_LOGICAL_AND || kind == BSIM_NODE_LOGICAL_OR;
        const struct bsim_node *right =
            left == NULL ? NULL
            : is_logical ? parse_guarded(parse, tighter, left, kind == BSIM_NODE_LOGICAL_AND)
                         : parse_binary(parse, tighter);
        left =
            bsim_build_extent(bsim_build_binary(parse, kind, left, right, at), from, parse->behind);
    }
    return left;
}

/* "?" expression ":" expression, behind the "?"
 *
 * Two objects of one type are an object, that is one access; else each side's value is taken where
 * it is the one that counts. */
static const struct bsim_node *parse_choice(struct bsim_parse *parse,
                                            const struct bsim_node *condition, size_t at)
{
    struct guarded guarded = begin_guard(parse);
    guard(parse, &guarded, condition, true);
    const struct bsim_node *yes = bsim_parse_expression(parse);
    guard(parse, &guarded, condition, false);
    const struct bsim_node *no =
        bsim_parse_expect(parse, ":") ? bsim_parse_expression(parse) : NULL;
    if (yes == NULL || no == NULL) {
        return NULL;
    }
    if (!(yes->is_lvalue && no->is_lvalue && bsim_cu_same_type(yes->type, no->type))) {
        no = bsim_build_operand(parse, no);
        guard(parse, &guarded, condition, true);
        yes = bsim_build_operand(parse, yes);
    }
    const struct bsim_node *chosen = bsim_build_choose(parse, condition, yes, no, at);
    return end_guard(parse, &guarded, condition) ? chosen : NULL;
}

/* expression = binary(1) ["?" expression ":" expression] */
const struct bsim_node *bsim_parse_expression(struct bsim_parse *parse)
{
    size_t from = parse->at;
    const struct bsim_node *condition = parse_binary(parse, 1);
    size_t at = parse->at;
    if (condition == NULL || !bsim_parse_take(parse, "?")) {
        return parse->status == BSIM_OK ? condition : NULL;
    }
    if (parse->nesting == MAX_NESTING) {
        (void)bsim_parse_fail(parse, at, "this is nested too deep: use lets");
        return NULL;
    }
    parse->nesting++;
    condition = bsim_build_operand(parse, condition);
    const struct bsim_node *chosen = condition == NULL ? NULL : parse_choice(parse, condition, at);
    parse->nesting = parse->nesting > 0 ? parse->nesting - 1 : 0;
    return bsim_build_extent(chosen, from, parse->behind);
}

/* ---- constants ------------------------------------------------------------------------------- */

bool bsim_parse_constant(struct bsim_parse *parse, const char *what, int64_t least, int64_t most,
                         int64_t *value)
{
    size_t at = parse->at;
    bool was_constant = parse->constant;
    parse->constant = true;
    const struct bsim_node *node = bsim_build_integer(parse, bsim_parse_expression(parse));
    parse->constant = was_constant;
    if (node == NULL) {
        return false;
    }
    struct bsim_eval eval = {.err = parse->err};
    struct bsim_lanes lanes;
    enum bsim_status status = bsim_eval(&eval, node, 1, &lanes);
    if (status != BSIM_OK) {
        bsim_parse_stop(parse, status);
        return false;
    }
    int64_t number = (int64_t)lanes.value[0];
    bool wraps = !bsim_cu_is_signed(node->type) && lanes.value[0] > INT64_MAX;
    if (wraps || number < least || number > most) {
        return bsim_parse_fail(parse, at,
                               "%s is a number from %" PRId64 " to %" PRId64 ", not %s%" PRIu64,
                               what, least, most, number < 0 && !wraps ? "-" : "",
                               number < 0 && !wraps ? 0 - lanes.value[0] : lanes.value[0]);
    }
    *value = number;
    return true;
}
