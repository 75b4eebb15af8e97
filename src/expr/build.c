/* build.c - nodes with their types: C's promotions and conversions, and what CUDA C++ adds.
 *
 * Only integers and addresses can be computed with. An object's value is not known, so an object
 * may be named, indexed, pointed to and seen as another type; where it is read, a statement has a
 * load and goes on with a value that is not known (BSIM_NODE_UNKNOWN), and an index refuses it.
 * Whatever is made of such a value is that same node, so that a message can point at the cause. As
 * in C++, c ? x : y of two objects of one type is an object; that makes `i < n ? a[i] : a[0]` an
 * access.
 */
#include "expr/index.h"
#include "expr/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 256, SHARED_ADDRESS_BYTES = 4 };

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
    struct bsim_node *node = bsim_cu_take(parse->file, sizeof *node);
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

const struct bsim_node *bsim_build_extent(const struct bsim_node *node, size_t from, size_t to)
{
    struct bsim_node *mine = (struct bsim_node *)node; /* a parser's own tree, not yet handed out */
    if (mine != NULL && mine->to == 0) {
        mine->from = from;
        mine->to = to;
    }
    return node;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

const struct cu_type *bsim_build_address_type(void)
{
    static const struct cu_type byte = {.kind = CU_UCHAR,
                                        .name = "unsigned char",
                                        .code = "h",
                                        .size = 1,
                                        .alignment = 1,
                                        .is_complete = true};
    static const struct cu_type address = {.kind = CU_POINTER,
                                           .name = "",
                                           .code = "",
                                           .size = 8,
                                           .alignment = 8,
                                           .is_complete = true,
                                           .of = &byte};
    return &address;
}

bool bsim_build_has_size(const struct cu_type *type)
{
    return type->kind != CU_VOID && type->is_complete && type->size > 0;
}

const struct bsim_node *bsim_build_number(struct bsim_parse *parse, const struct cu_type *type,
                                          uint64_t number, size_t at)
{
    return add(parse, at,
               &(struct bsim_node){.kind = BSIM_NODE_NUMBER, .type = type, .number = number});
}

const struct bsim_node *bsim_build_unknown(struct bsim_parse *parse, size_t at, const char *format,
                                           ...)
{
    char why[BSIM_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    if (parse->reading == NULL || parse->constant) {
        (void)bsim_parse_fail(parse, at, "%s", why);
        return NULL;
    }
    struct bsim_node node = {.kind = BSIM_NODE_UNKNOWN, .type = bsim_cu_scalar(CU_VOID)};
    node.why = bsim_cu_text(parse->file, "%s%s", bsim_parse_macro_at(parse, at), why);
    return add(parse, at, &node);
}

const struct bsim_node *bsim_build_result(struct bsim_parse *parse,
                                          const struct bsim_node *function)
{
    struct bsim_node node = {.kind = BSIM_NODE_UNKNOWN,
                             .type = bsim_cu_scalar(CU_VOID),
                             .number = BSIM_UNKNOWN_RESULT,
                             .why = function->why};
    return add(parse, function->at, &node);
}

/* A value that is not known, of a type that is: a shuffle asks how many bytes. */
static const struct bsim_node *of_type(const struct bsim_node *unknown, const struct cu_type *type)
{
    if (unknown != NULL && (type->kind == CU_DOUBLE || bsim_cu_is_integer(type))) {
        ((struct bsim_node *)unknown)->type = type; /* a parser's own tree, not yet handed out */
    }
    return unknown;
}

static bool depends_on_thread(enum bsim_node_kind kind)
{
    return kind == BSIM_NODE_VARIABLE || kind == BSIM_NODE_INDEX || kind == BSIM_NODE_UNKNOWN;
}

const struct bsim_node *bsim_build_symbol(struct bsim_parse *parse,
                                          const struct bsim_symbol *symbol, size_t at)
{
    if (parse->constant && depends_on_thread(symbol->kind)) {
        (void)bsim_parse_fail(parse, at, "'%s' is not a constant, and one is needed here",
                              symbol->name);
        return NULL;
    }
    if (symbol->kind == BSIM_NODE_UNKNOWN) {
        const struct bsim_node *unknown =
            bsim_build_unknown(parse, at,
                               "what '%s' holds is not known: an index depends on threads, loops "
                               "and integers made of them",
                               symbol->name);
        if (unknown != NULL && symbol->is_own_array) {
            ((struct bsim_node *)unknown)->own = symbol->name;
        }
        return of_type(unknown, symbol->type);
    }
    if (symbol->index != NULL) {
        symbol->index->is_used = true;
    }
    return add(parse, at,
               &(struct bsim_node){.kind = symbol->kind,
                                   .is_lvalue = symbol->kind == BSIM_NODE_ARRAY,
                                   .type = symbol->type,
                                   .number = symbol->number,
                                   .index = symbol->index});
}

const struct bsim_node *bsim_build_builtin(struct bsim_parse *parse, enum bsim_builtin builtin,
                                           size_t at)
{
    if (parse->constant) {
        (void)bsim_parse_fail(parse, at, "this depends on the launch, and a constant is needed");
        return NULL;
    }
    return add(parse, at,
               &(struct bsim_node){.kind = BSIM_NODE_BUILTIN,
                                   .type = bsim_cu_scalar(CU_UINT),
                                   .number = (uint64_t)builtin});
}

/* Whether two trees are the same expression. */
static bool same(const struct bsim_node *a, const struct bsim_node *b)
{
    if (a == NULL || b == NULL) {
        return a == b;
    }
    return a == b ||
           (a->kind == b->kind && a->kind != BSIM_NODE_UNKNOWN && a->number == b->number &&
            a->index == b->index && bsim_cu_same_type(a->type, b->type) && same(a->a, b->a) &&
            same(a->b, b->b) && same(a->c, b->c));
}

/* ---- operands -------------------------------------------------------------------------------- */

static const struct bsim_node *retype(struct bsim_parse *parse, const struct cu_type *type,
                                      const struct bsim_node *a, bool is_lvalue, size_t at)
{
    return add(parse, at,
               &(struct bsim_node){
                   .kind = BSIM_NODE_RETYPE, .is_lvalue = is_lvalue, .type = type, .a = a});
}

bool bsim_build_note(struct bsim_parse *parse, const struct bsim_node *object,
                     const struct bsim_shuffle *shuffle)
{
    struct bsim_reading *reading = parse->reading;
    struct bsim_read *read = bsim_cu_take(parse->file, sizeof *read);
    *read = (struct bsim_read){object, shuffle, reading->guard, NULL};
    if (reading->last != NULL) {
        reading->last->next = read;
    } else {
        reading->first = read;
    }
    reading->last = read;
    reading->n++;
    return true;
}

/* One more load, unless this very object has been read under the same conditions: a compiler loads
 * it once, but if it is volatile. */
static bool note_read(struct bsim_parse *parse, const struct bsim_node *object)
{
    const struct bsim_reading *reading = parse->reading;
    for (const struct bsim_read *read = reading->first; read != NULL; read = read->next) {
        if (read->guard == reading->guard && same(read->object, object) &&
            !object->type->is_volatile) {
            return true;
        }
    }
    return bsim_build_note(parse, object, NULL);
}

static const struct bsim_node *read_object(struct bsim_parse *parse, const struct bsim_node *object)
{
    const struct bsim_node *value = bsim_build_unknown(
        parse, object->at,
        "what memory holds here is not known: an index depends on threads, loops and "
        "integers made of them");
    if (value == NULL || !note_read(parse, object)) {
        return NULL;
    }
    ((struct bsim_node *)value)->number = BSIM_UNKNOWN_OBJECT;
    return of_type(value, object->type);
}

const struct bsim_node *bsim_build_operand(struct bsim_parse *parse, const struct bsim_node *a)
{
    if (a == NULL || !a->is_lvalue) {
        return a;
    }
    if (a->type->kind == CU_ARRAY) {
        return retype(parse, bsim_cu_pointer(parse->file, a->type->of), a, false, a->at);
    }
    return read_object(parse, a);
}

const struct bsim_node *bsim_build_integer(struct bsim_parse *parse, const struct bsim_node *a)
{
    const struct bsim_node *operand = bsim_build_operand(parse, a);
    if (bsim_node_is_unknown(operand)) {
        (void)bsim_parse_fail(parse, operand->at, "%s", operand->why);
        return NULL;
    }
    if (operand != NULL && !bsim_cu_is_integer(operand->type)) {
        (void)bsim_parse_fail(parse, operand->at,
                              "an integer is needed here, and this is an address");
        return NULL;
    }
    return operand;
}

const struct bsim_node *bsim_build_convert(struct bsim_parse *parse, const struct cu_type *type,
                                           const struct bsim_node *a, size_t at)
{
    if (bsim_node_is_unknown(a)) {
        return a;
    }
    const struct bsim_node *operand = bsim_build_integer(parse, a);
    if (operand == NULL || operand->type->kind == type->kind) {
        return operand;
    }
    if (operand->kind == BSIM_NODE_NUMBER) {
        return bsim_build_number(parse, type, bsim_cu_wrap(type, operand->number), operand->at);
    }
    return add(parse, at,
               &(struct bsim_node){.kind = BSIM_NODE_CONVERT, .type = type, .a = operand});
}

/* ---- casts and addresses --------------------------------------------------------------------- */

static const struct bsim_node *cast_to_pointer(struct bsim_parse *parse, const struct cu_type *type,
                                               const struct bsim_node *a, size_t at)
{
    if (a->type->kind != CU_POINTER) {
        (void)bsim_parse_fail(parse, at,
                              "a number cannot become an address: start from a shared array");
        return NULL;
    }
    return retype(parse, type, a, false, at);
}

const struct bsim_node *bsim_build_cast(struct bsim_parse *parse, const struct cu_type *type,
                                        const struct bsim_node *a, size_t at)
{
    const struct bsim_node *operand = bsim_build_operand(parse, a);
    if (operand == NULL || bsim_node_is_unknown(operand)) {
        return operand;
    }
    if (type->kind == CU_POINTER) {
        return cast_to_pointer(parse, type, operand, at);
    }
    if (!bsim_cu_is_integer(type)) {
        return bsim_build_unknown(parse, at,
                                  "a cast to '%s': only integers and addresses are computed",
                                  bsim_cu_type_text(parse->file, type));
    }
    if (operand->type == bsim_build_address_type() && type->size >= SHARED_ADDRESS_BYTES) {
        return operand;
    }
    if (operand->type->kind == CU_POINTER) {
        (void)bsim_parse_fail(parse, at,
                              "an address cannot become a number: give the address itself, or "
                              "__cvta_generic_to_shared of it");
        return NULL;
    }
    return bsim_build_convert(parse, type, operand, at);
}

const struct bsim_node *bsim_build_address(struct bsim_parse *parse, const struct bsim_node *a,
                                           size_t at)
{
    if (a == NULL || bsim_node_is_unknown(a)) {
        return a;
    }
    if (!a->is_lvalue) {
        (void)bsim_parse_fail(parse, at, "& needs something that lies in shared memory");
        return NULL;
    }
    return retype(parse, bsim_cu_pointer(parse->file, a->type), a, false, at);
}

/* The operand of what takes an address: an object that nobody knows has none. */
static const struct bsim_node *pointer_operand(struct bsim_parse *parse, const struct bsim_node *a)
{
    const struct bsim_node *operand = bsim_build_operand(parse, a);
    if (bsim_node_is_unknown(operand) && operand->number == BSIM_UNKNOWN_OBJECT) {
        (void)bsim_parse_fail(parse, operand->at, "%s", operand->why);
        return NULL;
    }
    return operand;
}

const struct bsim_node *bsim_build_shared_address(struct bsim_parse *parse,
                                                  const struct bsim_node *a, size_t at)
{
    const struct bsim_node *operand = pointer_operand(parse, a);
    if (operand == NULL || bsim_node_is_unknown(operand)) {
        return operand;
    }
    if (operand->type->kind != CU_POINTER || operand->type == bsim_build_address_type()) {
        (void)bsim_parse_fail(parse, at, "__cvta_generic_to_shared takes a pointer");
        return NULL;
    }
    return retype(parse, bsim_build_address_type(), operand, false, at);
}

const struct bsim_node *bsim_build_object(struct bsim_parse *parse, const struct bsim_node *a,
                                          size_t at)
{
    const struct bsim_node *operand = pointer_operand(parse, a);
    if (operand == NULL || bsim_node_is_unknown(operand)) {
        return operand;
    }
    if (operand->type == bsim_build_address_type()) {
        (void)bsim_parse_fail(parse, at,
                              "a shared address is a number: cast it to a pointer first");
        return NULL;
    }
    if (operand->type->kind != CU_POINTER || operand->type->of->kind == CU_VOID) {
        (void)bsim_parse_fail(parse, at,
                              operand->type->kind == CU_POINTER
                                  ? "a void pointer must be cast before it is followed"
                                  : "only an address can be followed or indexed");
        return NULL;
    }
    return retype(parse, operand->type->of, operand, true, at);
}

const struct bsim_node *bsim_build_retyped(struct bsim_parse *parse, const struct cu_type *type,
                                           const struct bsim_node *a, size_t at)
{
    if (a == NULL || bsim_node_is_unknown(a)) {
        return a;
    }
    if (!a->is_lvalue || type->kind == CU_VOID) {
        (void)bsim_parse_fail(parse, at, "a reference needs something that lies in shared memory");
        return NULL;
    }
    return retype(parse, type, a, true, at);
}

const struct bsim_node *bsim_build_member(struct bsim_parse *parse, const struct bsim_node *a,
                                          size_t at)
{
    struct cu_member member;
    if (a == NULL) {
        return NULL;
    }
    if (bsim_node_is_unknown(a) && parse->token->kind == CU_NAME) {
        return bsim_parse_advance(parse) ? a : NULL;
    }
    if (!a->is_lvalue || !bsim_cu_member(a->type, parse->token, &member)) {
        (void)bsim_parse_fail(parse, parse->at, "there is no member '%.*s' here",
                              bsim_cu_shown(parse->token), parse->token->text);
        return NULL;
    }
    if (!bsim_parse_advance(parse) ||
        (member.is_call && (!bsim_parse_expect(parse, "(") || !bsim_parse_expect(parse, ")")))) {
        return NULL;
    }
    const struct cu_type *type =
        bsim_cu_qualified(parse->file, member.type, false, a->type->is_volatile);
    return add(parse, at,
               &(struct bsim_node){.kind = BSIM_NODE_MEMBER,
                                   .is_lvalue = true,
                                   .type = type,
                                   .a = a,
                                   .number = member.offset});
}

/* ---- operators ------------------------------------------------------------------------------- */

/* a[b] and a + b; a - b backwards. */
static const struct bsim_node *step(struct bsim_parse *parse, enum bsim_node_kind kind,
                                    const struct bsim_node *a, const struct bsim_node *b, size_t at)
{
    const struct bsim_node *index = bsim_build_integer(parse, b);
    if (a->type == bsim_build_address_type()) { /* 32 bits, in which 0u - 16 is 16 back */
        index = bsim_build_convert(parse, bsim_cu_scalar(CU_INT), index, at);
    }
    if (index == NULL) {
        return NULL;
    }
    if (!bsim_build_has_size(a->type->of)) {
        (void)bsim_parse_fail(parse, at, "the size of what this points to is not known");
        return NULL;
    }
    return add(parse, at,
               &(struct bsim_node){
                   .kind = kind, .type = a->type, .a = a, .b = index, .number = a->type->of->size});
}

static bool is_comparison(enum bsim_node_kind kind)
{
    return kind >= BSIM_NODE_EQUAL && kind <= BSIM_NODE_GREATER_EQUAL;
}

static bool is_pointer(const struct bsim_node *node)
{
    return node->type->kind == CU_POINTER;
}

static bool is_shared_address(const struct bsim_node *node)
{
    return node->type == bsim_build_address_type();
}

static const struct bsim_node *of_integers(struct bsim_parse *parse, enum bsim_node_kind kind,
                                           const struct bsim_node *a, const struct bsim_node *b,
                                           size_t at)
{
    const struct cu_type *truth = bsim_cu_scalar(CU_INT);
    const struct cu_type *common = bsim_cu_common(a->type, b->type);
    struct bsim_node node = {.kind = kind, .type = common};
    if (kind == BSIM_NODE_LOGICAL_AND || kind == BSIM_NODE_LOGICAL_OR) {
        node.type = truth;
        node.a = a;
        node.b = b;
        return add(parse, at, &node);
    }
    bool shifts = kind == BSIM_NODE_SHIFT_LEFT || kind == BSIM_NODE_SHIFT_RIGHT;
    const struct cu_type *left = shifts ? bsim_cu_promoted(a->type) : common;
    const struct cu_type *right = shifts ? bsim_cu_promoted(b->type) : common;
    node.type = is_comparison(kind) ? truth : left;
    node.a = bsim_build_convert(parse, left, a, at);
    node.b = bsim_build_convert(parse, right, b, at);
    return node.a == NULL || node.b == NULL ? NULL : add(parse, at, &node);
}

/* A value of two operands one of which, at least, is not known. An address must be. */
static const struct bsim_node *of_unknown(struct bsim_parse *parse, const struct bsim_node *a,
                                          const struct bsim_node *b)
{
    const struct bsim_node *unknown = bsim_node_is_unknown(a) ? a : b;
    const struct bsim_node *other = unknown == a ? b : a;
    if (is_pointer(other)) {
        (void)bsim_parse_fail(parse, unknown->at, "%s", unknown->why);
        return NULL;
    }
    return unknown;
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
    if (bsim_node_is_unknown(left) || bsim_node_is_unknown(right)) {
        return of_unknown(parse, left, right);
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
                              is_shared_address(left) || is_shared_address(right)
                                  ? "an address takes only + and - of an offset in bytes"
                                  : "this operator takes integers, and one side is an address");
        return NULL;
    }
    return of_integers(parse, kind, left, right, at);
}

/* The functions of one operand have types of their own. */
static const struct cu_type *operand_type(enum bsim_node_kind kind, const struct cu_type *type)
{
    switch (kind) {
    case BSIM_NODE_ABS:
    case BSIM_NODE_CLZ:
    case BSIM_NODE_FFS:
        return bsim_cu_scalar(CU_INT);
    case BSIM_NODE_POPC:
    case BSIM_NODE_BREV:
        return bsim_cu_scalar(CU_UINT);
    default:
        return bsim_cu_promoted(type);
    }
}

const struct bsim_node *bsim_build_unary(struct bsim_parse *parse, enum bsim_node_kind kind,
                                         const struct bsim_node *a, size_t at)
{
    const struct bsim_node *operand = bsim_build_operand(parse, a);
    if (bsim_node_is_unknown(operand)) {
        return operand;
    }
    const struct bsim_node *integer = bsim_build_integer(parse, operand);
    if (integer == NULL) {
        return NULL;
    }
    struct bsim_node node = {.kind = kind};
    const struct cu_type *type = operand_type(kind, integer->type);
    node.a = bsim_build_convert(parse, type, integer, at);
    bool is_int = kind == BSIM_NODE_NOT || kind == BSIM_NODE_POPC;
    node.type = is_int ? bsim_cu_scalar(CU_INT) : type;
    return node.a == NULL ? NULL : add(parse, at, &node);
}

const struct bsim_node *bsim_build_choose(struct bsim_parse *parse, const struct bsim_node *a,
                                          const struct bsim_node *b, const struct bsim_node *c,
                                          size_t at)
{
    bool is_object = b != NULL && c != NULL && b->is_lvalue && c->is_lvalue;
    if (bsim_node_is_unknown(a) && !is_object && b != NULL && c != NULL) {
        return is_pointer(b) || is_pointer(c) ? bsim_build_integer(parse, a) : a;
    }
    const struct bsim_node *condition = bsim_build_integer(parse, a);
    if (condition == NULL || b == NULL || c == NULL) {
        return NULL;
    }
    struct bsim_node node = {.kind = BSIM_NODE_CHOOSE, .a = condition};
    if (b->is_lvalue && c->is_lvalue && bsim_cu_same_type(b->type, c->type)) {
        node.is_lvalue = true;
        node.type = c->type->is_volatile ? c->type : b->type;
        node.b = b;
        node.c = c;
        return add(parse, at, &node);
    }
    const struct bsim_node *left = bsim_build_operand(parse, b);
    const struct bsim_node *right = left == NULL ? NULL : bsim_build_operand(parse, c);
    if (left == NULL || right == NULL) {
        return NULL;
    }
    if (bsim_node_is_unknown(left) || bsim_node_is_unknown(right)) {
        return of_unknown(parse, left, right);
    }
    if (bsim_cu_is_integer(left->type) && bsim_cu_is_integer(right->type)) {
        node.type = bsim_cu_common(left->type, right->type);
        node.b = bsim_build_convert(parse, node.type, left, at);
        node.c = bsim_build_convert(parse, node.type, right, at);
        return node.b == NULL || node.c == NULL ? NULL : add(parse, at, &node);
    }
    if (!bsim_cu_same_type(left->type, right->type)) {
        (void)bsim_parse_fail(parse, at, "the two sides of ?: have different types");
        return NULL;
    }
    node.type = left->type;
    node.b = left;
    node.c = right;
    return add(parse, at, &node);
}
