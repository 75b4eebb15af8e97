/* parse_expr.c - expressions, by recursive descent and precedence. */
#include "cuda/parse.h"

#include "c/operator.h"

#include <stdlib.h>

enum { MOST_PARTS = 200 };

static struct cu_node *dummy(struct cu_parser *p)
{
    return bsim_cu_integer(p, 0, bsim_cu_scalar(CU_INT), p->token);
}

/* ---- constants ------------------------------------------------------------------------------- */

/* A float is rounded once, from its digits. */
static struct cu_node *read_real(struct cu_parser *p, const struct cu_token *token)
{
    struct cu_node *node = bsim_cu_node(p, CU_REAL, token);
    const char *text = bsim_cu_text(p->file, "%.*s", (int)token->length, token->text);
    char *end;
    char last = (char)(text[token->length - 1] | 0x20);
    bool is_float = last == 'f';
    node->real = is_float ? (double)strtof(text, &end) : strtod(text, &end);
    node->type = bsim_cu_scalar(is_float ? CU_FLOAT : CU_DOUBLE);
    if (end != text + token->length - is_float) {
        bsim_cu_stop(p, token, "this is no number of C");
    }
    return node;
}

static struct cu_node *read_number(struct cu_parser *p)
{
    const struct cu_token *token = p->token;
    const struct cu_type *type;
    uint64_t value;
    bsim_cu_advance(p);
    if (bsim_cu_is_real(token)) {
        return read_real(p, token);
    }
    const char *why = bsim_cu_read_integer(token, &value, &type);
    if (why != NULL) {
        bsim_cu_stop(p, token, "the constant '%.*s' %s", bsim_cu_shown(token), token->text, why);
        return dummy(p);
    }
    if (p->is_widest) {
        type = bsim_cu_scalar(bsim_cu_is_signed(type) ? CU_LONG : CU_ULONG);
    }
    return bsim_cu_integer(p, value, type, token);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* threadIdx and its kin, of three members each; those of sizes are a dim3. And warpSize, and the line. */
static struct cu_node *special(struct cu_parser *p, const struct cu_token *token)
{
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    static const struct cu_token uint3 = {.kind = CU_NAME, .text = "uint3", .length = 5};
    static const struct cu_token dim3 = {.kind = CU_NAME, .text = "dim3", .length = 4};
    if (bsim_cu_is(token, "__LINE__")) {
        return bsim_cu_integer(p, token->line, bsim_cu_scalar(CU_INT), token);
    }
    if (bsim_cu_is(token, "warpSize")) { /* no number to nvcc, nor to ptxas, which divides by it */
        struct cu_node *node = bsim_cu_node(p, CU_SPECIAL, token);
        node->number = CU_WARP_SIZE;
        node->type = bsim_cu_scalar(CU_INT);
        return node;
    }
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (bsim_cu_is(token, names[i])) {
            struct cu_node *node = bsim_cu_node(p, CU_SPECIAL, token);
            node->number = 3 * i;
            node->type = bsim_cu_type_named(p->file, i < 2 ? &uint3 : &dim3);
            return node;
        }
    }
    return NULL;
}

/* Numbers that are words of C++ or CUDA; others are prelude.c's. */
static struct cu_node *named_number(struct cu_parser *p, const struct cu_token *token)
{
    static const struct {
        const char *name;
        enum cu_kind kind;
        uint64_t value;
    } numbers[] = {
        {"true", CU_BOOL, 1}, {"false", CU_BOOL, 0}, {"nullptr", CU_INT, 0}, {"NULL", CU_INT, 0},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (bsim_cu_is(token, numbers[i].name)) {
            return bsim_cu_integer(p, numbers[i].value, bsim_cu_scalar(numbers[i].kind), token);
        }
    }
    return NULL;
}

static struct cu_node *refuse_name(struct cu_parser *p, const struct cu_token *token,
                                   const struct cu_name *name)
{
    if (name != NULL && name->kind == CU_NAME_UNREADABLE) {
        bsim_cu_stop(p, token, "%.*s is not read here: %s", bsim_cu_shown(token), token->text,
                     name->why);
    } else if (bsim_cu_why_not(token) != NULL) {
        bsim_cu_stop(p, token, "%s", bsim_cu_why_not(token));
    } else {
        const char *nearest = token->length > 2 ? bsim_cu_nearest_name(p, token) : NULL;
        bsim_cu_stop(p, token, "nothing that is read here declares '%.*s'%s", bsim_cu_shown(token),
                     token->text, bsim_cu_meant(p->file, nearest, token));
    }
    return dummy(p);
}

struct cu_node *bsim_cu_own_member(struct cu_parser *p, const struct cu_token *token)
{
    const struct cu_name *this = bsim_cu_find(p, bsim_cu_named(p, "this", token));
    if (this == NULL) {
        bsim_cu_stop(p, token, "'%.*s' is of an object, and there is none here",
                     bsim_cu_shown(token), token->text);
        return dummy(p);
    }
    return bsim_cu_member_of(
        p, bsim_cu_target(p, bsim_cu_variable(p, this->variable, token), token), token);
}

/* A function as a value is an object that is called as a lambda is. */
static struct cu_node *function_value(struct cu_parser *p, struct cu_name *name,
                                      const struct cu_token *at)
{
    if (name->kind == CU_NAME_TEMPLATE || bsim_cu_find_next(name) != NULL) {
        bsim_cu_stop(p, at, "'%.*s' is more than one function: a lambda says which",
                     bsim_cu_shown(at), at->text);
        return dummy(p);
    }
    if (name->type == NULL) {
        struct cu_type *type = bsim_cu_struct(p->file, bsim_cu_spelled(p->file, at), false);
        bsim_cu_enter(p);
        type->scope = p->scope;
        bsim_cu_add_name(p, bsim_cu_named(p, "operator()", at), CU_NAME_FUNCTION)->function =
            name->function;
        bsim_cu_leave(p);
        bsim_cu_end_struct(type, 0);
        type->is_function = true;
        type->code = name->function->symbol;
        name->type = type;
    }
    return bsim_cu_typed(p, CU_ZERO, name->type, NULL, NULL, at);
}

static struct cu_node *read_name(struct cu_parser *p)
{
    struct cu_name *name = bsim_cu_resolve(p);
    const struct cu_token *token = p->token;
    bool is_value =
        name != NULL && (name->kind == CU_NAME_VARIABLE || name->kind == CU_NAME_MEMBER);
    bool is_kernel = name != NULL && name->kind == CU_NAME_FUNCTION && name->function->is_kernel;
    if (!is_value && (is_kernel || bsim_cu_sees_next(p, "(") || bsim_cu_sees_next(p, "<"))) {
        return bsim_cu_call(p, name);
    }
    bsim_cu_advance(p);
    if (is_value) {
        return name->kind == CU_NAME_MEMBER
                   ? bsim_cu_own_member(p, token)
                   : bsim_cu_variable(p, bsim_cu_captured(p, token, name->variable), token);
    }
    struct cu_node *node = name == NULL ? special(p, token) : NULL;
    if (name != NULL && (name->kind == CU_NAME_FUNCTION ||
                         (name->kind == CU_NAME_TEMPLATE && !name->template->is_struct))) {
        return function_value(p, name, token);
    }
    node = node == NULL && name == NULL ? named_number(p, token) : node;
    return node != NULL ? node : refuse_name(p, token, name);
}

/* ---- casts ----------------------------------------------------------------------------------- */

/* dim3 = "(" [assignment ("," assignment)*] ")": what is not said is 1. */
struct cu_node *bsim_cu_read_dim3(struct cu_parser *p, const struct cu_type *type)
{
    struct cu_node *list = bsim_cu_typed(p, CU_LIST, type, NULL, NULL, p->token);
    struct cu_node **end = &list->body;
    bool is_open = true;
    for (const struct cu_member *m = type->members; m != NULL; m = m->next) {
        const struct cu_token *at = p->token;
        is_open = is_open && !bsim_cu_sees(p, ")");
        *end = is_open ? bsim_cu_convert(p, bsim_cu_assignment(p), m->type, at)
                       : bsim_cu_integer(p, 1, m->type, at);
        end = &(*end)->next;
        is_open = is_open && bsim_cu_accept(p, ",");
    }
    bsim_cu_expect(p, ")");
    return list;
}

/* An object of the type, of what stands in braces. */
static struct cu_node *read_list(struct cu_parser *p, const struct cu_type *type, const struct cu_token *at)
{
    if (type->kind == CU_STRUCT && type->has_constructor) {
        bsim_cu_expect(p, "{");
        return bsim_cu_made_object(p, type, NULL, "}", at);
    }
    struct cu_node *value = bsim_cu_initializer(p, type);
    value->type = type;
    return value;
}

/* made = type "(" [expression] ")" | type initializer */
static struct cu_node *read_functional(struct cu_parser *p)
{
    const struct cu_token *at = p->token;
    struct cu_declaration declaration;
    bsim_cu_specifiers(p, &declaration);
    const struct cu_type *type = declaration.type;
    if (bsim_cu_sees(p, "{")) {
        return read_list(p, type, at);
    }
    bsim_cu_expect(p, "(");
    if (type->kind == CU_STRUCT && type->has_constructor) {
        return bsim_cu_made_object(p, type, NULL, ")", at);
    }
    if (type->kind == CU_STRUCT && !bsim_cu_is(at, "dim3")) {
        struct cu_node *value =
            bsim_cu_sees(p, ")") ? bsim_cu_made(p, type, at) : bsim_cu_assignment(p);
        bsim_cu_expect(p, ")");
        return bsim_cu_convert(p, value, type, at);
    }
    if (type->kind == CU_STRUCT) {
        return bsim_cu_read_dim3(p, type);
    }
    struct cu_node *value =
        bsim_cu_sees(p, ")") ? bsim_cu_integer(p, 0, type, at) : bsim_cu_expression(p);
    bsim_cu_expect(p, ")");
    return bsim_cu_cast(p, value, type, at);
}

/* To a reference: the same object, seen as that type. */
static struct cu_node *cast_object(struct cu_parser *p, struct cu_node *value,
                                   const struct cu_type *type, const struct cu_token *at)
{
    if (type->kind != CU_REFERENCE) {
        return bsim_cu_cast(p, value, type, at);
    }
    if (!bsim_cu_is_object(value)) {
        bsim_cu_stop(p, at, "a reference to what is no object");
        return value;
    }
    struct cu_node *address = bsim_cu_address(p, value, at);
    return bsim_cu_target(p, bsim_cu_cast(p, address, bsim_cu_pointer(p->file, type->of), at), at);
}

/* named cast = ("static_cast" | "reinterpret_cast" | "const_cast") "<" type-name ">" "(" expression ")" */
static struct cu_node *read_named_cast(struct cu_parser *p)
{
    const struct cu_token *at = p->token;
    bsim_cu_advance(p);
    bsim_cu_expect(p, "<");
    const struct cu_type *type = bsim_cu_type_name(p);
    bsim_cu_expect_angle(p);
    bsim_cu_expect(p, "(");
    struct cu_node *value = bsim_cu_expression(p);
    bsim_cu_expect(p, ")");
    return cast_object(p, value, type, at);
}

/* sizeof = ("sizeof" | "alignof") ("(" type-name ")" | unary) */
static struct cu_node *read_unary(struct cu_parser *p);

static struct cu_node *read_sizeof(struct cu_parser *p)
{
    const struct cu_token *at = p->token;
    bool is_size = bsim_cu_sees(p, "sizeof");
    const struct cu_type *type;
    bsim_cu_advance(p);
    const struct cu_token *inner = p->token->kind == CU_END ? p->token : p->token->next;
    struct cu_parser look = *p;
    look.token = inner;
    if (bsim_cu_sees(p, "(") && bsim_cu_sees_type(&look)) {
        bsim_cu_advance(p);
        type = bsim_cu_type_name(p);
        bsim_cu_expect(p, ")");
    } else {
        type = read_unary(p)->type;
    }
    type = type->kind == CU_REFERENCE ? type->of : type;
    if (!type->is_complete) {
        bsim_cu_stop(p, at, "the size of this is not known");
    }
    return bsim_cu_integer(p, is_size ? type->size : type->alignment, bsim_cu_scalar(CU_ULONG), at);
}

/* ---- primaries ------------------------------------------------------------------------------- */

/* Whether "(" begins a cast, and not a value in brackets: of (int(x) + 1) it does not. */
static bool sees_cast(const struct cu_parser *p)
{
    struct cu_parser look = *p;
    if (!bsim_cu_sees(p, "(")) {
        return false;
    }
    look.token = p->token->next;
    if (!bsim_cu_sees_type(&look)) {
        return false;
    }
    while (look.token->kind == CU_NAME) {
        look.token = look.token->next;
    }
    return !bsim_cu_sees(&look, "(") || bsim_cu_sees_next(&look, "*") ||
           bsim_cu_sees_next(&look, "&");
}

/* Its characters, as values of an array of `of`. */
static struct cu_node *read_characters(struct cu_parser *p, const struct cu_type *of)
{
    const struct cu_token *at = p->token;
    struct cu_node *list = bsim_cu_node(p, CU_LIST, at), **end = &list->body;
    const char *c = bsim_cu_read_text(p);
    list->type = bsim_cu_array(p->file, of, strlen(c) + 1);
    for (; *c != '\0' && !bsim_cu_failed(p->file); c++) {
        *end = bsim_cu_integer(p, (uint64_t)*c, of, at);
        end = &(*end)->next;
    }
    return list;
}

/* A text is an array in the GPU's memory. */
static struct cu_node *read_string(struct cu_parser *p)
{
    const struct cu_token *at = p->token;
    const struct cu_type *of = bsim_cu_qualified(p->file, bsim_cu_scalar(CU_CHAR), true, false);
    struct cu_variable *text = bsim_cu_take(p->file, sizeof *text);
    struct cu_node *list = read_characters(p, of);
    text->type = list->type;
    text->name = "text";
    text->token = at;
    text->storage = CU_DEVICE;
    text->value = list;
    bsim_cu_add_to_module(p, text);
    return bsim_cu_variable(p, text, at);
}

/* primary = "(" expression ")" | number | text | name | call | named cast | type "(" expression ")" | lambda */
static struct cu_node *read_primary(struct cu_parser *p)
{
    if (bsim_cu_accept(p, "(")) {
        bool was_in_angles = p->in_angles;
        p->in_angles = false;
        struct cu_node *node = bsim_cu_expression(p);
        p->in_angles = was_in_angles;
        bsim_cu_expect(p, ")");
        return node;
    }
    if (p->token->kind == CU_NUMBER || p->token->kind == CU_CHARACTER) {
        return read_number(p);
    }
    if (bsim_cu_sees_any(p, "static_cast reinterpret_cast const_cast")) {
        return read_named_cast(p);
    }
    if (bsim_cu_sees_any(p, "sizeof alignof")) {
        return read_sizeof(p);
    }
    if (bsim_cu_sees_type(p)) {
        return read_functional(p);
    }
    if (p->token->kind == CU_NAME || bsim_cu_sees(p, "::")) {
        return read_name(p);
    }
    if (p->token->kind == CU_STRING && p->function != NULL) {
        return read_string(p);
    }
    if (bsim_cu_sees(p, "[") && p->function != NULL) {
        return bsim_cu_read_lambda(p);
    }
    bsim_cu_refuse_bad(p->file, p->token);
    bsim_cu_stop(p, p->token,
                 p->token->kind == CU_STRING ? "a text is no value here"
                 : bsim_cu_sees(p, "[")      ? "lambdas are read in functions alone"
                                             : "a value should stand here, not '%.*s'",
                 bsim_cu_shown(p->token), p->token->text);
    return dummy(p);
}

static struct cu_node *step(struct cu_parser *p, struct cu_node *node, bool is_post,
                            const struct cu_token *token)
{
    struct cu_node *call = bsim_cu_operator(
        p, bsim_cu_spelled(p->file, token), node,
        is_post ? bsim_cu_integer(p, 0, bsim_cu_scalar(CU_INT), token) : NULL, token);
    if (call != NULL) {
        return call;
    }
    enum cu_node_kind operation = bsim_cu_is(token, "++") ? CU_ADD : CU_SUBTRACT;
    struct cu_node *one = bsim_cu_integer(p, 1, bsim_cu_scalar(CU_INT), token);
    return bsim_cu_update(p, operation, node, one, is_post, token);
}

/* member = name | name ["<" arguments ">"] "(" ... ")" */
static struct cu_node *read_member(struct cu_parser *p, struct cu_node *object)
{
    (void)bsim_cu_accept(p, "template");
    const struct cu_token *name = bsim_cu_expect_name(p, "a member's name");
    const struct cu_name *found = bsim_cu_find_in(object->type->scope, name);
    bool is_function =
        found != NULL && (found->kind == CU_NAME_FUNCTION || found->kind == CU_NAME_TEMPLATE);
    if (found != NULL && found->kind == CU_NAME_VARIABLE) {
        return bsim_cu_variable(p, found->variable, name);
    }
    return is_function ? bsim_cu_call_member(p, object, name, ")")
                       : bsim_cu_member_of(p, object, name);
}

/* postfix = primary ("[" expression "]" | "." name | "->" name | "++" | "--")* */
static struct cu_node *read_postfix(struct cu_parser *p)
{
    struct cu_node *node = read_primary(p);
    for (uint32_t n = 0; !bsim_cu_failed(p->file); n++) {
        if (n == MOST_PARTS) {
            bsim_cu_stop(p, p->token, "more than %d indices and members in a row", MOST_PARTS);
        }
        const struct cu_token *token = p->token;
        bool is_object = node->type->kind == CU_STRUCT;
        if (is_object && bsim_cu_sees_any(p, "( [")) {
            bool is_call = bsim_cu_sees(p, "(");
            node = bsim_cu_call_member(
                p, node, bsim_cu_named(p, is_call ? "operator()" : "operator[]", token),
                is_call ? ")" : "]");
        } else if (bsim_cu_accept(p, "[")) {
            node = bsim_cu_index(p, node, bsim_cu_expression(p), token);
            bsim_cu_expect(p, "]");
        } else if (bsim_cu_accept(p, ".")) {
            node = read_member(p, node);
        } else if (bsim_cu_accept(p, "->")) {
            node = read_member(p, bsim_cu_target(p, node, token));
        } else if (bsim_cu_sees_any(p, "++ --")) {
            bsim_cu_advance(p);
            node = step(p, node, true, token);
        } else {
            break;
        }
    }
    return node;
}

/* cast = "(" type-name ")" (unary | initializer), the latter as C has it */
static struct cu_node *read_cast(struct cu_parser *p)
{
    const struct cu_token *at = p->token;
    bsim_cu_advance(p);
    const struct cu_type *type = bsim_cu_type_name(p);
    bsim_cu_expect(p, ")");
    return bsim_cu_sees(p, "{") ? read_list(p, type, at) : cast_object(p, read_unary(p), type, at);
}

/* What stands behind a sign. */
static struct cu_node *read_signed(struct cu_parser *p, const struct cu_token *sign)
{
    struct cu_node *node = read_unary(p);
    struct cu_node *call = bsim_cu_operator(p, bsim_cu_spelled(p->file, sign), node, NULL, sign);
    if (call != NULL) {
        return call;
    }
    if (bsim_cu_is(sign, "*")) {
        return bsim_cu_target(p, node, sign);
    }
    if (bsim_cu_is(sign, "+")) {
        struct cu_node *zero = bsim_cu_integer(p, 0, bsim_cu_scalar(CU_INT), sign);
        node = bsim_cu_rvalue(p, node);
        return bsim_cu_is_integer(node->type) ? bsim_cu_binary(p, CU_ADD, node, zero, sign) : node;
    }
    return bsim_cu_unary(p,
                         bsim_cu_is(sign, "-")   ? CU_NEGATE
                         : bsim_cu_is(sign, "!") ? CU_NOT
                                                 : CU_COMPLEMENT,
                         node, sign);
}

static struct cu_node *read_operator(struct cu_parser *p)
{
    const struct cu_token *token = p->token;
    if (bsim_cu_sees_any(p, "- + ! ~ *")) {
        bsim_cu_advance(p);
        return read_signed(p, token);
    }
    if (bsim_cu_accept(p, "&")) {
        struct cu_node *node = read_unary(p);
        if (!bsim_cu_is_object(node)) {
            bsim_cu_stop(p, token, "what stands behind this & is no object");
        }
        return bsim_cu_address(p, node, token);
    }
    if (bsim_cu_accept(p, "++") || bsim_cu_accept(p, "--")) {
        return step(p, read_unary(p), false, token);
    }
    return read_postfix(p);
}

/* unary = ("-" | "+" | "!" | "~" | "*" | "&" | "++" | "--") unary | cast | sizeof | postfix */
static struct cu_node *read_unary(struct cu_parser *p)
{
    if (!bsim_cu_nest(p)) {
        return dummy(p);
    }
    p->depth++;
    struct cu_node *node = sees_cast(p) ? read_cast(p) : read_operator(p);
    p->depth--;
    return node;
}

/* ---- operators ------------------------------------------------------------------------------- */

static enum cu_node_kind kind_of(enum cu_operator operator)
{
    return (enum cu_node_kind)(CU_MULTIPLY + (uint32_t) operator);
}

/* The operator at hand of that level or one that binds more, CU_N_OPERATORS if none is. */
static enum cu_operator find_operator(const struct cu_parser *p, uint32_t level)
{
    bool is_end = p->in_angles && p->token->kind == CU_SIGN && p->token->text[0] == '>';
    return is_end ? CU_N_OPERATORS : bsim_cu_find_operator(p->token, level);
}

/* terms(level) = unary (operator terms(its level + 1))* */
static struct cu_node *read_terms(struct cu_parser *p, uint32_t level)
{
    enum { MOST_TERMS = 2000 };
    struct cu_node *node = read_unary(p);
    enum cu_operator operator;
    for (uint32_t n = 0; (operator= find_operator(p, level)) < CU_N_OPERATORS; n++) {
        const struct cu_token *token = p->token;
        bsim_cu_advance(p);
        if (n == MOST_TERMS) {
            bsim_cu_stop(p, token, "more than %d terms in one expression", MOST_TERMS);
        }
        struct cu_node *right = read_terms(p, bsim_cu_level(operator) + 1);
        struct cu_node *call =
            bsim_cu_operator(p, bsim_cu_spelled(p->file, token), node, right, token);
        node = call != NULL ? call : bsim_cu_binary(p, kind_of(operator), node, right, token);
    }
    return node;
}

/* choice = terms ["?" expression ":" assignment] */
static struct cu_node *read_choice(struct cu_parser *p)
{
    struct cu_node *node = read_terms(p, 1);
    const struct cu_token *token = p->token;
    if (!bsim_cu_accept(p, "?")) {
        return node;
    }
    struct cu_node *yes = bsim_cu_expression(p);
    bsim_cu_expect(p, ":");
    return bsim_cu_choice(p, node, yes, bsim_cu_assignment(p), token);
}

/* assignment = choice [("=" | "+=" | ...) assignment] */
struct cu_node *bsim_cu_assignment(struct cu_parser *p)
{
    if (!bsim_cu_nest(p)) {
        return dummy(p);
    }
    p->depth++;
    struct cu_node *node = read_choice(p);
    const struct cu_token *token = p->token;
    enum cu_operator operator= bsim_cu_find_update(token);
    if (bsim_cu_accept(p, "=")) {
        struct cu_node *value =
            bsim_cu_sees(p, "{") ? bsim_cu_initializer(p, node->type) : bsim_cu_assignment(p);
        struct cu_node *call = bsim_cu_operator(p, "=", node, value, token);
        node = call != NULL ? call : bsim_cu_assign(p, node, value, token);
    } else if (operator<CU_N_OPERATORS) {
        bsim_cu_advance(p);
        struct cu_node *value = bsim_cu_assignment(p);
        const char *sign = bsim_cu_spelled(p->file, token);
        struct cu_node *call = bsim_cu_operator(p, sign, node, value, token);
        node =
            call != NULL ? call : bsim_cu_update(p, kind_of(operator), node, value, false, token);
    }
    p->depth--;
    return node;
}

/* expression = assignment ("," assignment)* */
struct cu_node *bsim_cu_expression(struct cu_parser *p)
{
    struct cu_node *node = bsim_cu_assignment(p);
    for (uint32_t n = 0; bsim_cu_sees(p, ","); n++) {
        if (n == MOST_PARTS) {
            bsim_cu_stop(p, p->token, "more than %d commas in one expression", MOST_PARTS);
        }
        const struct cu_token *at = p->token;
        bsim_cu_advance(p);
        struct cu_node *right = bsim_cu_rvalue(p, bsim_cu_assignment(p));
        node = bsim_cu_typed(p, CU_COMMA, right->type, node, right, at);
    }
    return node;
}

uint64_t bsim_cu_constant_expression(struct cu_parser *p, const char *what)
{
    const struct cu_token *at = p->token;
    uint64_t value = 0;
    struct cu_node *node = read_choice(p);
    if (!bsim_cu_failed(p->file) && !bsim_cu_constant(node, &value)) {
        bsim_cu_stop(p, at, "%s should be a whole number that is known here", what);
    }
    return value;
}

/* ---- initialisers ---------------------------------------------------------------------------- */

/* The type of the list's element `index`, NULL behind the last one. */
static const struct cu_type *element_type(const struct cu_type *type, uint64_t index)
{
    if (type->kind == CU_ARRAY) {
        return type->count == 0 || index < type->count ? type->of : NULL;
    }
    const struct cu_member *member = type->members;
    for (; member != NULL && index > 0; index--) {
        member = type->is_union ? NULL : member->next;
    }
    return member != NULL ? member->type : NULL;
}

/* char s[8] = "text"; */
static struct cu_node *read_array_of_text(struct cu_parser *p, const struct cu_type *type)
{
    const struct cu_token *at = p->token;
    struct cu_node *list = read_characters(p, type->of);
    if (type->count > 0 && list->type->count > type->count) {
        bsim_cu_stop(p, at, "this text is longer than the %s", bsim_cu_type_text(p->file, type));
    }
    list->type = type->count > 0 ? type : list->type;
    return list;
}

/* Whether what stands there is all of an array or struct: the list, text, or struct that it becomes. */
static bool is_whole(const struct cu_parser *p, const struct cu_type *type)
{
    bool is_text = p->token->kind == CU_STRING && type->kind == CU_ARRAY && type->of->size == 1;
    return bsim_cu_sees(p, "{") || is_text || (type->kind == CU_STRUCT && type->has_constructor);
}

static bool becomes(const struct cu_node *value, const struct cu_type *type)
{
    return type->kind != CU_ARRAY && (type->kind != CU_STRUCT || type->has_constructor ||
                                      bsim_cu_same_type(value->type, type));
}

static struct cu_node *read_values(struct cu_parser *p, const struct cu_type *type,
                                   struct cu_node *given, const struct cu_token *at);

/*
 * An element, of which `given` is the first value if that was read already. One without braces takes as many
 * of the list's values as it has room for: int a[2][3] = {1, 2, 3, 4} is {{1, 2, 3}, {4, 0, 0}}.
 */
static struct cu_node *read_element(struct cu_parser *p, const struct cu_type *type,
                                    struct cu_node *given, const struct cu_token *at)
{
    bool is_scalar = type->kind != CU_ARRAY && type->kind != CU_STRUCT;
    if (given == NULL && (is_scalar || is_whole(p, type))) {
        return bsim_cu_initializer(p, type);
    }
    if (given == NULL && type->kind == CU_STRUCT) {
        given = bsim_cu_assignment(p);
    }
    if (given != NULL && becomes(given, type)) {
        return bsim_cu_copied(p, given, type, at);
    }
    if (!bsim_cu_nest(p)) {
        return dummy(p);
    }
    p->depth++;
    struct cu_node *list = read_values(p, type, given, at);
    p->depth--;
    return list;
}

/* The values of an array or struct without braces of its own, up to its last element or the } around it. */
static struct cu_node *read_values(struct cu_parser *p, const struct cu_type *type,
                                   struct cu_node *given, const struct cu_token *at)
{
    struct cu_node *list = bsim_cu_typed(p, CU_LIST, type, NULL, NULL, at), **end = &list->body;
    const struct cu_type *of;
    uint64_t n = 0;
    for (; (of = element_type(type, n)) != NULL && !bsim_cu_failed(p->file); n++) {
        if (n > 0 && (!bsim_cu_sees(p, ",") || bsim_cu_is(p->token + 1, "}"))) {
            break;
        }
        if (n > 0) {
            bsim_cu_advance(p);
        }
        *end = read_element(p, of, n == 0 ? given : NULL, p->token);
        end = &(*end)->next;
    }
    if (n == 0) {
        bsim_cu_stop(p, at, "a { should stand here, around the values of a %s",
                     bsim_cu_type_text(p->file, type));
    }
    *end = bsim_cu_rest_of_list(p, type, n, at);
    return list;
}

/* initializer = "{" [initializer ("," initializer)* [","]] "}" | text | assignment */
struct cu_node *bsim_cu_initializer(struct cu_parser *p, const struct cu_type *type)
{
    const struct cu_token *at = p->token;
    if (bsim_cu_sees(p, "{") && type->kind == CU_STRUCT && type->has_constructor) {
        bsim_cu_advance(p);
        return bsim_cu_made_object(p, type, NULL, "}", at);
    }
    if (p->token->kind == CU_STRING && type->kind == CU_ARRAY && type->of->size == 1) {
        return read_array_of_text(p, type);
    }
    if (!bsim_cu_sees(p, "{") || !bsim_cu_nest(p)) {
        return bsim_cu_copied(p, bsim_cu_assignment(p), type, at);
    }
    bool is_scalar = type->kind != CU_ARRAY && type->kind != CU_STRUCT;
    struct cu_node *list = bsim_cu_typed(p, CU_LIST, type, NULL, NULL, at), **end = &list->body;
    uint64_t n = 0;
    bsim_cu_advance(p);
    p->depth++;
    while (bsim_cu_goes_on(p, "}")) {
        const struct cu_type *of = is_scalar ? (n == 0 ? type : NULL) : element_type(type, n);
        if (of == NULL) {
            bsim_cu_stop(p, p->token, "these are more values than the %s has room for",
                         bsim_cu_type_text(p->file, type));
            break;
        }
        *end = read_element(p, of, NULL, p->token);
        end = &(*end)->next;
        n++;
        bsim_cu_end_item(p, "}");
    }
    *end = is_scalar ? *end : bsim_cu_rest_of_list(p, type, n, at);
    p->depth--;
    if (type->kind == CU_ARRAY && type->count == 0) {
        list->type = bsim_cu_array(p->file, type->of, n);
    }
    if (is_scalar) {
        return list->body != NULL ? list->body : bsim_cu_integer(p, 0, type, at);
    }
    return list;
}
