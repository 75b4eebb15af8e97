/* build.c - nodes with their types: C's promotions and conversions, and what CUDA C++ adds.
 *
 * Only integers and addresses can be computed with. An object's value is not known, so an object
 * may be named, indexed, pointed to and seen as another type, but not read within an expression.
 * As in C++, c ? x : y of two objects of one type is an object; that makes `i < n ? a[i] : a[0]` an
 * access.
 */
#include "expr/parse.h"

enum { MAX_DEPTH = 256 };

static uint32_t depth_of(const struct bsim_node *node)
{
    return node == NULL ? 0 : node->depth;
}

static uint32_t deepest(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Completes `model`, whose kind, type and operands are set. */
static const struct bsim_node *add(struct bsim_parse *parse, size_t at,
                                   const struct bsim_node *model)
{
    struct bsim_node *node = bsim_arena_take(parse->arena, sizeof *node);
    if (node == NULL || model->type == NULL) {
        (void)bsim_parse_no_memory(parse);
        return NULL;
    }
    *node = *model;
    node->source = parse->source;
    node->at = at;
    node->depth = 1 + deepest(depth_of(node->a), deepest(depth_of(node->b), depth_of(node->c)));
    if (node->depth > MAX_DEPTH) {
        (void)bsim_parse_fail(parse, at, "this expression is too long: name a part of it by a let");
        return NULL;
    }
    return node;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

const struct bsim_node *bsim_build_number(struct bsim_parse *parse, const struct bsim_type *type,
                                          uint64_t number, size_t at)
{
    return add(parse, at,
               &(struct bsim_node){.kind = BSIM_NODE_NUMBER, .type = type, .number = number});
}

static bool depends_on_thread(enum bsim_node_kind kind)
{
    return kind == BSIM_NODE_LET || kind == BSIM_NODE_LOOP;
}

const struct bsim_node *bsim_build_symbol(struct bsim_parse *parse,
                                          const struct bsim_symbol *symbol, size_t at)
{
    if (parse->constant && depends_on_thread(symbol->kind)) {
        (void)bsim_parse_fail(parse, at, "'%s' is no constant, and one is wanted here",
                              symbol->name);
        return NULL;
    }
    return add(parse, at,
               &(struct bsim_node){.kind = symbol->kind,
                                   .is_lvalue = symbol->kind == BSIM_NODE_ARRAY,
                                   .type = symbol->type,
                                   .a = symbol->node,
                                   .number = symbol->number});
}

const struct bsim_node *bsim_build_builtin(struct bsim_parse *parse, enum bsim_builtin builtin,
                                           size_t at)
{
    if (parse->constant) {
        (void)bsim_parse_fail(parse, at, "this depends on the launch, and a constant is wanted");
        return NULL;
    }
    return add(parse, at,
               &(struct bsim_node){.kind = BSIM_NODE_BUILTIN,
                                   .type = bsim_type_scalar(BSIM_TYPE_UINT),
                                   .number = (uint64_t)builtin});
}

/* ---- operands -------------------------------------------------------------------------------- */

static const struct bsim_node *retype(struct bsim_parse *parse, const struct bsim_type *type,
                                      const struct bsim_node *a, bool is_lvalue, size_t at)
{
    return add(parse, at,
               &(struct bsim_node){
                   .kind = BSIM_NODE_RETYPE, .is_lvalue = is_lvalue, .type = type, .a = a});
}

const struct bsim_node *bsim_build_operand(struct bsim_parse *parse, const struct bsim_node *a)
{
    if (a == NULL || !a->is_lvalue) {
        return a;
    }
    if (a->type->kind == BSIM_TYPE_ARRAY) {
        return retype(parse, bsim_type_pointer(parse->arena, a->type->of), a, false, a->at);
    }
    (void)bsim_parse_fail(parse, a->at,
                          "what shared memory holds here is not known: a statement names one "
                          "access, and its index depends on threads and loops alone");
    return NULL;
}

const struct bsim_node *bsim_build_integer(struct bsim_parse *parse, const struct bsim_node *a)
{
    const struct bsim_node *operand = bsim_build_operand(parse, a);
    if (operand != NULL && !bsim_type_is_integer(operand->type)) {
        (void)bsim_parse_fail(parse, operand->at,
                              "an integer is wanted here, and this is an address");
        return NULL;
    }
    return operand;
}

const struct bsim_node *bsim_build_convert(struct bsim_parse *parse, const struct bsim_type *type,
                                           const struct bsim_node *a, size_t at)
{
    const struct bsim_node *operand = bsim_build_integer(parse, a);
    if (operand == NULL || operand->type->kind == type->kind) {
        return operand;
    }
    if (operand->kind == BSIM_NODE_NUMBER) {
        return bsim_build_number(parse, type, bsim_type_wrap(type, operand->number), operand->at);
    }
    return add(parse, at,
               &(struct bsim_node){.kind = BSIM_NODE_CONVERT, .type = type, .a = operand});
}

/* ---- casts and addresses --------------------------------------------------------------------- */

static const struct bsim_node *cast_to_pointer(struct bsim_parse *parse,
                                               const struct bsim_type *type,
                                               const struct bsim_node *a, size_t at)
{
    if (a->type->kind != BSIM_TYPE_POINTER) {
        (void)bsim_parse_fail(parse, at,
                              "a number cannot become an address: start from a shared array");
        return NULL;
    }
    return retype(parse, type, a, false, at);
}

const struct bsim_node *bsim_build_cast(struct bsim_parse *parse, const struct bsim_type *type,
                                        const struct bsim_node *a, size_t at)
{
    const struct bsim_node *operand = bsim_build_operand(parse, a);
    if (operand == NULL) {
        return NULL;
    }
    if (type->kind == BSIM_TYPE_POINTER) {
        return cast_to_pointer(parse, type, operand, at);
    }
    if (!bsim_type_is_integer(type)) {
        (void)bsim_parse_fail(parse, at, "a cast to '%s': only integers and addresses are computed",
                              type->name);
        return NULL;
    }
    if (operand->type->kind == BSIM_TYPE_POINTER) {
        (void)bsim_parse_fail(parse, at,
                              "an address cannot become a number: give the address itself");
        return NULL;
    }
    return bsim_build_convert(parse, type, operand, at);
}

const struct bsim_node *bsim_build_address(struct bsim_parse *parse, const struct bsim_node *a,
                                           size_t at)
{
    if (a == NULL) {
        return NULL;
    }
    if (!a->is_lvalue) {
        (void)bsim_parse_fail(parse, at, "& needs something that lies in shared memory");
        return NULL;
    }
    return retype(parse, bsim_type_pointer(parse->arena, a->type), a, false, at);
}

const struct bsim_node *bsim_build_object(struct bsim_parse *parse, const struct bsim_node *a,
                                          size_t at)
{
    const struct bsim_node *operand = bsim_build_operand(parse, a);
    if (operand == NULL) {
        return NULL;
    }
    if (operand->type->kind != BSIM_TYPE_POINTER || operand->type->of->kind == BSIM_TYPE_VOID) {
        (void)bsim_parse_fail(parse, at,
                              operand->type->kind == BSIM_TYPE_POINTER
                                  ? "a void pointer must be cast before it is followed"
                                  : "only an address can be followed or indexed");
        return NULL;
    }
    return retype(parse, operand->type->of, operand, true, at);
}

const struct bsim_node *bsim_build_retyped(struct bsim_parse *parse, const struct bsim_type *type,
                                           const struct bsim_node *a, size_t at)
{
    if (a == NULL) {
        return NULL;
    }
    if (!a->is_lvalue || type->kind == BSIM_TYPE_VOID) {
        (void)bsim_parse_fail(parse, at, "a reference needs something that lies in shared memory");
        return NULL;
    }
    return retype(parse, type, a, true, at);
}

const struct bsim_node *bsim_build_member(struct bsim_parse *parse, const struct bsim_node *a,
                                          size_t at)
{
    struct bsim_member member;
    if (a == NULL) {
        return NULL;
    }
    if (!a->is_lvalue ||
        !bsim_type_member(a->type, bsim_parse_text(parse), parse->token.length, &member)) {
        (void)bsim_parse_fail(parse, parse->token.at, "there is no member '%.*s' here",
                              bsim_parse_shown(parse), bsim_parse_text(parse));
        return NULL;
    }
    if (!bsim_parse_advance(parse) ||
        (member.is_call && (!bsim_parse_expect(parse, "(") || !bsim_parse_expect(parse, ")")))) {
        return NULL;
    }
    return add(parse, at,
               &(struct bsim_node){.kind = BSIM_NODE_MEMBER,
                                   .is_lvalue = true,
                                   .type = member.type,
                                   .a = a,
                                   .number = member.offset});
}

/* ---- operators ------------------------------------------------------------------------------- */

/* a[b] and a + b; a - b backwards. */
static const struct bsim_node *step(struct bsim_parse *parse, enum bsim_node_kind kind,
                                    const struct bsim_node *a, const struct bsim_node *b, size_t at)
{
    const struct bsim_node *index = bsim_build_integer(parse, b);
    if (index == NULL) {
        return NULL;
    }
    if (a->type->of->size == 0) {
        (void)bsim_parse_fail(parse, at, "what this points to has no size that is known");
        return NULL;
    }
    return add(parse, at,
               &(struct bsim_node){
                   .kind = kind, .type = a->type, .a = a, .b = index, .number = a->type->of->size});
}

static bool is_comparison(enum bsim_node_kind kind)
{
    return kind >= BSIM_NODE_LESS && kind <= BSIM_NODE_NOT_EQUAL;
}

static bool is_pointer(const struct bsim_node *node)
{
    return node->type->kind == BSIM_TYPE_POINTER;
}

static const struct bsim_node *of_integers(struct bsim_parse *parse, enum bsim_node_kind kind,
                                           const struct bsim_node *a, const struct bsim_node *b,
                                           size_t at)
{
    const struct bsim_type *truth = bsim_type_scalar(BSIM_TYPE_INT);
    const struct bsim_type *common = bsim_type_common(a->type, b->type);
    struct bsim_node node = {.kind = kind, .type = common};
    if (kind == BSIM_NODE_LOGICAL_AND || kind == BSIM_NODE_LOGICAL_OR) {
        node.type = truth;
        node.a = a;
        node.b = b;
        return add(parse, at, &node);
    }
    bool shifts = kind == BSIM_NODE_SHIFT_LEFT || kind == BSIM_NODE_SHIFT_RIGHT;
    const struct bsim_type *left = shifts ? bsim_type_promoted(a->type) : common;
    const struct bsim_type *right = shifts ? bsim_type_promoted(b->type) : common;
    node.type = is_comparison(kind) ? truth : left;
    node.a = bsim_build_convert(parse, left, a, at);
    node.b = bsim_build_convert(parse, right, b, at);
    return node.a == NULL || node.b == NULL ? NULL : add(parse, at, &node);
}

const struct bsim_node *bsim_build_binary(struct bsim_parse *parse, enum bsim_node_kind kind,
                                          const struct bsim_node *a, const struct bsim_node *b,
                                          size_t at)
{
    const struct bsim_node *left = bsim_build_operand(parse, a);
    const struct bsim_node *right = left == NULL ? NULL : bsim_build_operand(parse, b);
    if (left == NULL || right == NULL) {
        return NULL;
    }
    if (is_pointer(left) && (kind == BSIM_NODE_ADD || kind == BSIM_NODE_SUBTRACT) &&
        !is_pointer(right)) {
        return step(parse, kind == BSIM_NODE_ADD ? BSIM_NODE_FORWARD : BSIM_NODE_BACKWARD, left,
                    right, at);
    }
    if (is_pointer(right) && kind == BSIM_NODE_ADD && !is_pointer(left)) {
        return step(parse, BSIM_NODE_FORWARD, right, left, at);
    }
    if (is_pointer(left) || is_pointer(right)) {
        (void)bsim_parse_fail(parse, at,
                              "this operator takes integers, and one side is an address");
        return NULL;
    }
    return of_integers(parse, kind, left, right, at);
}

/* The functions of one operand have types of their own. */
static const struct bsim_type *operand_type(enum bsim_node_kind kind, const struct bsim_type *type)
{
    switch (kind) {
    case BSIM_NODE_ABS:
    case BSIM_NODE_CLZ:
    case BSIM_NODE_FFS:
        return bsim_type_scalar(BSIM_TYPE_INT);
    case BSIM_NODE_POPC:
    case BSIM_NODE_BREV:
        return bsim_type_scalar(BSIM_TYPE_UINT);
    default:
        return bsim_type_promoted(type);
    }
}

const struct bsim_node *bsim_build_unary(struct bsim_parse *parse, enum bsim_node_kind kind,
                                         const struct bsim_node *a, size_t at)
{
    const struct bsim_node *integer = bsim_build_integer(parse, a);
    if (integer == NULL) {
        return NULL;
    }
    struct bsim_node node = {.kind = kind};
    const struct bsim_type *type = operand_type(kind, integer->type);
    node.a = bsim_build_convert(parse, type, integer, at);
    bool is_int = kind == BSIM_NODE_NOT || kind == BSIM_NODE_POPC;
    node.type = is_int ? bsim_type_scalar(BSIM_TYPE_INT) : type;
    return node.a == NULL ? NULL : add(parse, at, &node);
}

const struct bsim_node *bsim_build_choose(struct bsim_parse *parse, const struct bsim_node *a,
                                          const struct bsim_node *b, const struct bsim_node *c,
                                          size_t at)
{
    const struct bsim_node *condition = bsim_build_integer(parse, a);
    if (condition == NULL || b == NULL || c == NULL) {
        return NULL;
    }
    struct bsim_node node = {.kind = BSIM_NODE_CHOOSE, .a = condition};
    if (b->is_lvalue && c->is_lvalue && bsim_type_same(b->type, c->type)) {
        node.is_lvalue = true;
        node.type = b->type;
        node.b = b;
        node.c = c;
        return add(parse, at, &node);
    }
    const struct bsim_node *left = bsim_build_operand(parse, b);
    const struct bsim_node *right = left == NULL ? NULL : bsim_build_operand(parse, c);
    if (left == NULL || right == NULL) {
        return NULL;
    }
    if (bsim_type_is_integer(left->type) && bsim_type_is_integer(right->type)) {
        node.type = bsim_type_common(left->type, right->type);
        node.b = bsim_build_convert(parse, node.type, left, at);
        node.c = bsim_build_convert(parse, node.type, right, at);
        return node.b == NULL || node.c == NULL ? NULL : add(parse, at, &node);
    }
    if (!bsim_type_same(left->type, right->type)) {
        (void)bsim_parse_fail(parse, at, "the two sides of ?: have different types");
        return NULL;
    }
    node.type = left->type;
    node.b = left;
    node.c = right;
    return add(parse, at, &node);
}
