/* parse.c - expressions, by recursive descent; the grammar stands above each function.
 *
 * C's expressions without what changes anything (assignment, ++, --) and the comma operator; with
 * C++'s casts. What is left out is refused where it stands. Calls other than those of the table below
 * have no value that could be known: an index refuses them, a statement takes them (struct
 * bsim_reading).
 */
#include "expr/parse.h"

#include "base/nearest.h"
#include "expr/atomic.h"
#include "expr/check.h"
#include "expr/eval.h"
#include "expr/macro.h"
#include "expr/shuffle.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NESTING = 100, SHOWN = 40, WARP_SIZE = 32 };

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- tokens ---------------------------------------------------------------------------------- */

void bsim_parse_stop(struct bsim_parse *parse, enum bsim_status status)
{
    parse->status = status;
    parse->next = parse->end;
    parse->pending = NULL;
    parse->token = (struct bsim_token){.kind = BSIM_TOKEN_END, .at = parse->end, .text = ""};
}

const char *bsim_parse_macro_at(const struct bsim_parse *parse, size_t at)
{
    const struct bsim_hidden *hidden = parse->token.hidden;
    while (hidden != NULL && hidden->is_argument) {
        hidden = hidden->outer;
    }
    return hidden != NULL && parse->token.at == at ? hidden->macro->name : NULL;
}

bool bsim_parse_fail(struct bsim_parse *parse, size_t at, const char *format, ...)
{
    char message[BSIM_ERROR_MESSAGE_SIZE];
    if (parse->status != BSIM_OK) {
        return false;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const char *macro = bsim_parse_macro_at(parse, at);
    bsim_parse_stop(parse, bsim_source_error(parse->source, at, parse->err, "%s%.40s%s%s",
                                             macro != NULL ? "in " : "", macro != NULL ? macro : "",
                                             macro != NULL ? ": " : "", message));
    return false;
}

bool bsim_parse_no_memory(struct bsim_parse *parse)
{
    if (parse->status == BSIM_OK) {
        bsim_parse_stop(parse, bsim_error_set(parse->err, BSIM_E_MEMORY, "out of memory"));
    }
    return false;
}

/* The next token as it stands there. */
static bool next_token(struct bsim_parse *parse)
{
    if (parse->status != BSIM_OK) {
        return false;
    }
    if (parse->pending != NULL) {
        parse->token = parse->pending->token;
        parse->pending = parse->pending->next;
        return true;
    }
    enum bsim_status status =
        bsim_token_next(parse->source, &parse->next, parse->end, &parse->token, parse->err);
    if (status != BSIM_OK) {
        bsim_parse_stop(parse, status);
    }
    return status == BSIM_OK;
}

bool bsim_parse_advance(struct bsim_parse *parse)
{
    bool is_macro = true;
    /* What a macro stands for ends where its use does. */
    parse->behind =
        parse->token.hidden != NULL ? parse->next : parse->token.at + parse->token.length;
    while (is_macro) {
        if (!next_token(parse)) {
            return false;
        }
        if (parse->raw) {
            return true;
        }
        if (!bsim_macro_expand(parse, &is_macro)) {
            return false;
        }
    }
    return true;
}

bool bsim_parse_start(struct bsim_parse *parse, size_t at, size_t end)
{
    parse->status = BSIM_OK;
    parse->next = at;
    parse->end = end;
    parse->nesting = 0;
    parse->pending = NULL;
    parse->n_expanded = 0;
    parse->token = (struct bsim_token){.kind = BSIM_TOKEN_END, .at = at};
    return bsim_parse_advance(parse);
}

bool bsim_parse_sees(const struct bsim_parse *parse, const char *text)
{
    return bsim_token_is(&parse->token, text);
}

bool bsim_parse_take(struct bsim_parse *parse, const char *text)
{
    return bsim_parse_sees(parse, text) && bsim_parse_advance(parse);
}

int bsim_parse_shown(const struct bsim_parse *parse)
{
    return parse->token.length < SHOWN ? (int)parse->token.length : SHOWN;
}

const char *bsim_parse_text(const struct bsim_parse *parse)
{
    return parse->token.text;
}

/* Fails at the token at hand: `wanted` should stand there. */
static bool fail_here(struct bsim_parse *parse, const char *wanted)
{
    if (parse->token.kind == BSIM_TOKEN_END) {
        return bsim_parse_fail(parse, parse->token.at, "it ends here, and %s is missing", wanted);
    }
    return bsim_parse_fail(parse, parse->token.at, "'%.*s' stands where %s should be",
                           bsim_parse_shown(parse), bsim_parse_text(parse), wanted);
}

bool bsim_parse_expect(struct bsim_parse *parse, const char *text)
{
    char wanted[16];
    if (bsim_parse_take(parse, text)) {
        return true;
    }
    (void)snprintf(wanted, sizeof wanted, "'%s'", text);
    return fail_here(parse, wanted);
}

bool bsim_parse_refuse_rest(struct bsim_parse *parse)
{
    static const char *const changing[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<=", ">>="};
    for (size_t i = 0; i < N_OF(changing); i++) {
        if (bsim_parse_sees(parse, changing[i])) {
            return bsim_parse_fail(parse, parse->token.at,
                                   "'%s' changes something: that stands in a statement of its own",
                                   changing[i]);
        }
    }
    return bsim_parse_fail(parse, parse->token.at,
                           "'%.*s' should not stand here: is a ; or an operator missing?",
                           bsim_parse_shown(parse), bsim_parse_text(parse));
}

bool bsim_parse_end(struct bsim_parse *parse)
{
    if (bsim_parse_sees(parse, ";") && !bsim_parse_advance(parse)) {
        return false;
    }
    if (parse->status == BSIM_OK && parse->token.kind != BSIM_TOKEN_END) {
        return bsim_parse_refuse_rest(parse);
    }
    return parse->status == BSIM_OK;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum bsim_builtin first;
} dimensions[] = {
    {"threadIdx", BSIM_BUILTIN_THREAD},
    {"blockIdx", BSIM_BUILTIN_BLOCK},
    {"blockDim", BSIM_BUILTIN_BLOCK_DIM},
    {"gridDim", BSIM_BUILTIN_GRID_DIM},
};

static const struct {
    const char *name;
    enum bsim_node_kind kind;
    int n_arguments;
} functions[] = {
    {"min", BSIM_NODE_MIN, 2},        {"max", BSIM_NODE_MAX, 2},   {"__mul24", BSIM_NODE_MUL24, 2},
    {"__umul24", BSIM_NODE_MUL24, 2}, {"abs", BSIM_NODE_ABS, 1},   {"__popc", BSIM_NODE_POPC, 1},
    {"__clz", BSIM_NODE_CLZ, 1},      {"__ffs", BSIM_NODE_FFS, 1}, {"__brev", BSIM_NODE_BREV, 1},
};

static const char *const casts[] = {"static_cast", "reinterpret_cast", "const_cast"};

/* Of a name that nothing declares: what was meant, perhaps. */
static const char *nearest_name(const struct bsim_parse *parse, const char *name)
{
    struct bsim_nearest nearest = bsim_nearest_start(name);
    for (size_t i = 0; i < parse->scope->n; i++) {
        if (!parse->scope->symbol[i].has_ended) {
            bsim_nearest_try(&nearest, parse->scope->symbol[i].name);
        }
    }
    for (size_t i = 0; i < N_OF(dimensions); i++) {
        bsim_nearest_try(&nearest, dimensions[i].name);
    }
    for (size_t i = 0; i < N_OF(functions); i++) {
        bsim_nearest_try(&nearest, functions[i].name);
    }
    for (size_t i = 0; i < N_OF(casts); i++) {
        bsim_nearest_try(&nearest, casts[i]);
    }
    bsim_nearest_try(&nearest, "__cvta_generic_to_shared");
    bsim_nearest_try(&nearest, "warpSize");
    bsim_nearest_try(&nearest, "lane");
    bsim_nearest_try(&nearest, "warp");
    return nearest.best;
}

/* The name at hand is a value that nobody knows: a register's, an array's in global memory. */
static const struct bsim_node *unknown_name(struct bsim_parse *parse)
{
    char name[SHOWN + 1];
    size_t at = parse->token.at;
    const struct bsim_symbol *ended =
        bsim_scope_find_ended(parse->scope, bsim_parse_text(parse), parse->token.length);
    struct bsim_parse ahead = *parse;
    if (bsim_parse_advance(&ahead) && bsim_parse_sees(&ahead, "::")) {
        return bsim_build_unknown(
            parse, at,
            "names with '::' are not looked up: where an index needs one, give "
            "it a name of its own by define");
    }
    (void)snprintf(name, sizeof name, "%.*s", bsim_parse_shown(parse), bsim_parse_text(parse));
    const char *nearest = nearest_name(parse, name);
    if (ended != NULL) {
        return bsim_build_unknown(parse, at,
                                  "'%s' is known only in the statement or the braces that declare "
                                  "it: put braces around all that belongs there",
                                  name);
    }
    return nearest != NULL
               ? bsim_build_unknown(parse, at, "unknown name '%s': did you mean '%s'?", name,
                                    nearest)
               : bsim_build_unknown(parse, at,
                                    "unknown name '%s': declare it by shared, define, let or for",
                                    name);
}

/* Notes a name that is taken for a register or other memory, once. */
static bool note_stranger(struct bsim_parse *parse)
{
    struct bsim_scope *strangers = parse->reading != NULL ? parse->reading->strangers : NULL;
    const char *text = bsim_parse_text(parse);
    size_t length = parse->token.length;
    if (strangers == NULL || bsim_scope_find(strangers, text, length) != NULL) {
        return true;
    }
    struct bsim_symbol symbol = {.name = bsim_arena_text(parse->arena, text, length)};
    return (symbol.name != NULL && bsim_scope_add(strangers, &symbol)) ||
           bsim_parse_no_memory(parse);
}

/* arguments = "(" [expression ("," expression)*] ")", of a function that nobody knows: it must not
 * get its hands on shared memory. */
static bool parse_arguments(struct bsim_parse *parse)
{
    if (!bsim_parse_expect(parse, "(")) {
        return false;
    }
    while (!bsim_parse_sees(parse, ")")) {
        size_t at = parse->token.at;
        const struct bsim_node *node = bsim_build_operand(parse, bsim_parse_expression(parse));
        if (node == NULL) {
            return false;
        }
        if (node->type->kind == BSIM_TYPE_POINTER) {
            return bsim_parse_fail(parse, at,
                                   "what this function does with shared memory is not known: write "
                                   "its loads and stores as statements");
        }
        if (!bsim_parse_take(parse, ",") && !bsim_parse_sees(parse, ")")) {
            return bsim_parse_expect(parse, ")");
        }
    }
    return bsim_parse_advance(parse);
}

/* Functions that touch no memory of the block's and are no barrier: calls of them may stand alone. */
static bool is_harmless(const struct bsim_parse *parse)
{
    static const char *const names[] = {"__nanosleep", "printf", "assert"};
    size_t i = 0;
    while (i < N_OF(names) && !bsim_parse_sees(parse, names[i])) {
        i++;
    }
    return i < N_OF(names);
}

/* __syncthreads_count and its kin wait at a barrier and answer something. */
static bool is_barrier(const struct bsim_parse *parse)
{
    static const char begin[] = "__syncthreads";
    return parse->token.length >= sizeof begin - 1 &&
           memcmp(bsim_parse_text(parse), begin, sizeof begin - 1) == 0;
}

/* tex1Dfetch, tex2D, surf1Dread and their kin, which load from memory. */
static bool is_texture(const struct bsim_parse *parse)
{
    static const char *const begin[] = {"tex1D",  "tex2D",  "tex3D",  "texCubemap",
                                        "surf1D", "surf2D", "surf3D", "surfCubemap"};
    size_t i = 0;
    while (i < N_OF(begin) && !(parse->token.length >= strlen(begin[i]) &&
                                memcmp(bsim_parse_text(parse), begin[i], strlen(begin[i])) == 0)) {
        i++;
    }
    struct bsim_parse ahead = *parse;
    return i < N_OF(begin) && bsim_parse_advance(&ahead) &&
           (bsim_parse_sees(&ahead, "(") || bsim_parse_sees(&ahead, "<"));
}

/* ("::" name)*: members of namespaces and classes, which nobody looks up */
static bool skip_qualified(struct bsim_parse *parse)
{
    while (bsim_parse_take(parse, "::")) {
        if (parse->token.kind != BSIM_TOKEN_NAME) {
            return fail_here(parse, "a name");
        }
        if (!bsim_parse_advance(parse)) {
            return false;
        }
    }
    return parse->status == BSIM_OK;
}

/* ["<" (type-name | name | number) ("," ...)* ">"], if a "(" follows: else it is a comparison. */
static bool skip_template_arguments(struct bsim_parse *parse)
{
    struct bsim_parse before = *parse;
    bool is_list = bsim_parse_take(parse, "<");
    while (is_list && !bsim_parse_sees(parse, ">")) {
        is_list = parse->token.kind == BSIM_TOKEN_NAME || parse->token.kind == BSIM_TOKEN_NUMBER ||
                  bsim_parse_sees(parse, ",") || bsim_parse_sees(parse, "*") ||
                  bsim_parse_sees(parse, "::");
        is_list = is_list && bsim_parse_advance(parse);
    }
    is_list = is_list && bsim_parse_take(parse, ">") && bsim_parse_sees(parse, "(");
    if (!is_list && parse->status == BSIM_OK) {
        *parse = before;
    }
    return parse->status == BSIM_OK;
}

/* stranger = name ("::" name)* [["<" ... ">"] arguments]: nothing declares it */
static const struct bsim_node *parse_stranger(struct bsim_parse *parse)
{
    if (parse->reading != NULL && is_barrier(parse)) {
        (void)bsim_parse_fail(parse, parse->token.at,
                              "a barrier that answers something is not read: write sync before it, "
                              "and a name in its place");
        return NULL;
    }
    if (is_texture(parse)) {
        (void)bsim_parse_fail(
            parse, parse->token.at,
            "textures and surfaces are not counted here: a trace has tex.1d; leave "
            "this load out, or write a load of a global array for it");
        return NULL;
    }
    if (bsim_atomic_sees_call(parse)) {
        (void)bsim_parse_fail(parse, parse->token.at,
                              "an atomic stands alone, or is all that is assigned: "
                              "int old = atomicAdd(...);");
        return NULL;
    }
    bool may_stand_alone = is_harmless(parse);
    const struct bsim_node *node = unknown_name(parse);
    struct bsim_parse before = *parse;
    if (node == NULL || !bsim_parse_advance(parse) || !skip_qualified(parse) ||
        !skip_template_arguments(parse)) {
        return NULL;
    }
    if (bsim_parse_sees(parse, "(")) {
        return parse_arguments(parse) ? may_stand_alone ? node : bsim_build_result(parse, node)
                                      : NULL;
    }
    return note_stranger(&before) ? node : NULL;
}

/* dimension = ("threadIdx" | "blockIdx" | "blockDim" | "gridDim") "." ("x" | "y" | "z") */
static const struct bsim_node *parse_dimension(struct bsim_parse *parse, enum bsim_builtin first)
{
    static const char *const axes[] = {"x", "y", "z"};
    size_t at = parse->token.at;
    if (!bsim_parse_advance(parse) || !bsim_parse_expect(parse, ".")) {
        return NULL;
    }
    for (size_t i = 0; i < N_OF(axes); i++) {
        if (bsim_parse_take(parse, axes[i])) {
            return bsim_build_builtin(parse, (enum bsim_builtin)(first + i), at);
        }
    }
    (void)fail_here(parse, "x, y or z");
    return NULL;
}

/* call = function "(" expression ["," expression] ")" */
static const struct bsim_node *parse_call(struct bsim_parse *parse, size_t which)
{
    size_t at = parse->token.at;
    enum bsim_node_kind kind = functions[which].kind;
    bool is_mul24 = kind == BSIM_NODE_MUL24;
    if (!bsim_parse_advance(parse) || !bsim_parse_expect(parse, "(")) {
        return NULL;
    }
    const struct bsim_node *a = bsim_parse_expression(parse);
    const struct bsim_node *b = NULL;
    if (functions[which].n_arguments == 2) {
        b = bsim_parse_expect(parse, ",") ? bsim_parse_expression(parse) : NULL;
    }
    if (!bsim_parse_expect(parse, ")")) {
        return NULL;
    }
    if (is_mul24) {
        bool is_unsigned = functions[which].name[2] == 'u';
        const struct bsim_type *type =
            bsim_type_scalar(is_unsigned ? BSIM_TYPE_UINT : BSIM_TYPE_INT);
        a = bsim_build_convert(parse, type, a, at);
        b = bsim_build_convert(parse, type, b, at);
    }
    return functions[which].n_arguments == 2 ? bsim_build_binary(parse, kind, a, b, at)
                                             : bsim_build_unary(parse, kind, a, at);
}

/* cxx-cast = ("static_cast" | "reinterpret_cast" | "const_cast")
 *            "<" type-name ["&"] ">" "(" expression ")"                                         */
static const struct bsim_node *parse_cxx_cast(struct bsim_parse *parse)
{
    size_t at = parse->token.at;
    if (!bsim_parse_advance(parse) || !bsim_parse_expect(parse, "<")) {
        return NULL;
    }
    const struct bsim_type *type = bsim_parse_type_name(parse);
    bool is_reference = bsim_parse_take(parse, "&");
    if (type == NULL || !bsim_parse_expect(parse, ">") || !bsim_parse_expect(parse, "(")) {
        return NULL;
    }
    const struct bsim_node *a = bsim_parse_expression(parse);
    if (a == NULL || !bsim_parse_expect(parse, ")")) {
        return NULL;
    }
    return is_reference ? bsim_build_retyped(parse, type, a, at)
                        : bsim_build_cast(parse, type, a, at);
}

/* shared-address = "__cvta_generic_to_shared" "(" expression ")" */
static const struct bsim_node *parse_shared_address(struct bsim_parse *parse)
{
    size_t at = parse->token.at;
    if (!bsim_parse_advance(parse) || !bsim_parse_expect(parse, "(")) {
        return NULL;
    }
    const struct bsim_node *a = bsim_parse_expression(parse);
    return bsim_parse_expect(parse, ")") ? bsim_build_shared_address(parse, a, at) : NULL;
}

/* Loads of the object at an address, __ldg through the read-only cache; the others say what caches should
 * keep, which counts nothing else. */
static const char *const loads[] = {"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"};

static bool sees_load(const struct bsim_parse *parse)
{
    size_t i = 0;
    while (i < N_OF(loads) && !bsim_parse_sees(parse, loads[i])) {
        i++;
    }
    return i < N_OF(loads);
}

/* read-only = ("__ldg" | "__ldcg" | ...) "(" expression ")" */
static const struct bsim_node *parse_read_only(struct bsim_parse *parse)
{
    size_t at = parse->token.at;
    bool is_read_only = bsim_parse_sees(parse, loads[0]);
    if (!bsim_parse_advance(parse) || !bsim_parse_expect(parse, "(")) {
        return NULL;
    }
    const struct bsim_node *a = bsim_parse_expression(parse);
    const struct bsim_node *object =
        bsim_parse_expect(parse, ")") ? bsim_build_object(parse, a, at) : NULL;
    if (object != NULL && !bsim_node_is_unknown(object)) {
        ((struct bsim_node *)object)->number = is_read_only;
    }
    return object;
}

/* name = symbol | dimension | call | cxx-cast | shared-address | read-only | shuffle
 *      | "lane" | "warp" | "warpSize" | "true" | "false"
 *
 * What the check declares comes first, so that it may have a `lane` of its own. */
static const struct bsim_node *parse_name(struct bsim_parse *parse)
{
    size_t at = parse->token.at;
    const struct bsim_symbol *symbol =
        bsim_scope_find(parse->scope, bsim_parse_text(parse), parse->token.length);
    if (parse->declared != NULL && bsim_parse_sees(parse, parse->declared)) {
        (void)bsim_parse_fail(
            parse, at,
            "this is the new '%s' already, which has no value yet: give one of the "
            "two another name",
            parse->declared);
        return NULL;
    }
    if (symbol != NULL) {
        return bsim_parse_advance(parse) ? bsim_build_symbol(parse, symbol, at) : NULL;
    }
    for (size_t i = 0; i < N_OF(dimensions); i++) {
        if (bsim_parse_sees(parse, dimensions[i].name)) {
            return parse_dimension(parse, dimensions[i].first);
        }
    }
    for (size_t i = 0; i < N_OF(functions); i++) {
        if (bsim_parse_sees(parse, functions[i].name)) {
            return parse_call(parse, i);
        }
    }
    for (size_t i = 0; i < N_OF(casts); i++) {
        if (bsim_parse_sees(parse, casts[i])) {
            return parse_cxx_cast(parse);
        }
    }
    if (bsim_parse_sees(parse, "__cvta_generic_to_shared")) {
        return parse_shared_address(parse);
    }
    if (sees_load(parse)) {
        return parse_read_only(parse);
    }
    if (bsim_parse_take(parse, "lane")) {
        return bsim_build_builtin(parse, BSIM_BUILTIN_LANE, at);
    }
    if (bsim_parse_take(parse, "warp")) {
        return bsim_build_builtin(parse, BSIM_BUILTIN_WARP, at);
    }
    const struct bsim_type *integer = bsim_type_scalar(BSIM_TYPE_INT);
    if (bsim_parse_take(parse, "warpSize")) {
        return bsim_build_number(parse, integer, WARP_SIZE, at);
    }
    if (bsim_parse_sees(parse, "true") || bsim_parse_sees(parse, "false")) {
        uint64_t truth = bsim_parse_sees(parse, "true");
        return bsim_parse_advance(parse) ? bsim_build_number(parse, integer, truth, at) : NULL;
    }
    return bsim_shuffle_sees(parse) ? bsim_shuffle_read(parse) : parse_stranger(parse);
}

/* ---- primary, postfix, unary ----------------------------------------------------------------- */

static const struct bsim_node *parse_cast(struct bsim_parse *parse);

static const struct bsim_node *parse_number(struct bsim_parse *parse)
{
    struct bsim_token token = parse->token;
    enum bsim_type_kind kind = token.is_long ? token.is_unsigned ? BSIM_TYPE_ULONG : BSIM_TYPE_LONG
                               : token.is_unsigned ? BSIM_TYPE_UINT
                                                   : BSIM_TYPE_INT;
    return bsim_parse_advance(parse)
               ? bsim_build_number(parse, bsim_type_scalar(kind), token.number, token.at)
               : NULL;
}

/* conversion = base-type "(" expression ")"      C++'s unsigned(x), size_t(x) */
static const struct bsim_node *parse_conversion(struct bsim_parse *parse)
{
    size_t at = parse->token.at;
    const struct bsim_type *type = bsim_parse_base_type(parse);
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
    if (parse->token.kind == BSIM_TOKEN_NUMBER) {
        return parse_number(parse);
    }
    if (parse->token.kind == BSIM_TOKEN_FLOATING) {
        const struct bsim_node *node = bsim_build_unknown(
            parse, parse->token.at,
            "the constant '%.*s' is floating-point: an index is made of integers",
            bsim_parse_shown(parse), bsim_parse_text(parse));
        return node != NULL && bsim_parse_advance(parse) ? node : NULL;
    }
    if (bsim_parse_sees_type(parse)) {
        return parse_conversion(parse);
    }
    bool is_global = bsim_parse_take(parse, "::"); /* of a name that no namespace hides */
    if (parse->token.kind == BSIM_TOKEN_NAME) {
        return parse_name(parse);
    }
    if (is_global) {
        (void)fail_here(parse, "a name");
        return NULL;
    }
    if (bsim_parse_take(parse, "(")) {
        const struct bsim_node *node = bsim_parse_expression(parse);
        return bsim_parse_expect(parse, ")") ? node : NULL;
    }
    (void)fail_here(parse, "an operand");
    return NULL;
}

/* Registers have no addresses: an array with an index that the compiler does not know lies in local
 * memory (CUDA C++ Programming Guide, "Local Memory"). Loops over constants are taken to be unrolled. */
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
    if (array != NULL && array->type->kind != BSIM_TYPE_POINTER) {
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
    if (bsim_node_is_unknown(a) && bsim_parse_shown(parse) >= 4 &&
        memcmp(bsim_parse_text(parse), "shfl", 4) == 0) {
        (void)bsim_parse_fail(parse, parse->token.at,
                              "a group's shuffle is not read: write it as __shfl_sync, "
                              "__shfl_up_sync, __shfl_down_sync or __shfl_xor_sync");
        return NULL;
    }
    return bsim_build_member(parse, object, at);
}

/* postfix = primary (subscript | member)* */
static const struct bsim_node *parse_postfix(struct bsim_parse *parse)
{
    size_t at = parse->token.at;
    const struct bsim_node *node = parse_primary(parse);
    while (node != NULL) {
        if (bsim_parse_take(parse, "[")) {
            node = parse_subscript(parse, node, at);
        } else if (bsim_parse_take(parse, ".")) {
            node = parse_member(parse, node, false, at);
        } else if (bsim_parse_take(parse, "->")) {
            node = parse_member(parse, node, true, at);
        } else if (bsim_node_is_unknown(node) && bsim_parse_sees(parse, "(")) {
            node = parse_arguments(parse) ? bsim_build_result(parse, node) : NULL; /* a method's */
        } else {
            break;
        }
    }
    return parse->status == BSIM_OK ? node : NULL;
}

static const struct bsim_node *size_of(struct bsim_parse *parse, const struct bsim_type *type,
                                       size_t at)
{
    if (type == NULL) {
        return NULL;
    }
    if (type->size == 0) {
        (void)bsim_parse_fail(parse, at, "the size of this is not known");
        return NULL;
    }
    return bsim_build_number(parse, bsim_type_scalar(BSIM_TYPE_ULONG), type->size, at);
}

/* sizeof = "sizeof" ("(" type-name ")" | unary) */
static const struct bsim_node *parse_sizeof(struct bsim_parse *parse, size_t at)
{
    struct bsim_parse before = *parse;
    if (bsim_parse_take(parse, "(") && bsim_parse_sees_type(parse)) {
        const struct bsim_type *type = bsim_parse_type_name(parse);
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
    size_t at = parse->token.at;
    if (bsim_parse_take(parse, "+")) {
        const struct bsim_node *a = bsim_build_operand(parse, parse_cast(parse));
        a = bsim_node_is_unknown(a) ? a : bsim_build_integer(parse, a);
        return a == NULL || bsim_node_is_unknown(a)
                   ? a
                   : bsim_build_convert(parse, bsim_type_promoted(a->type), a, at);
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
    if (bsim_parse_sees(parse, "++") || bsim_parse_sees(parse, "--")) {
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
    size_t at = parse->token.at;
    if (bsim_parse_take(parse, "(") && bsim_parse_sees_type(parse)) {
        const struct bsim_type *type = bsim_parse_type_name(parse);
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
        (void)bsim_parse_fail(parse, parse->token.at, "this is nested too deep: use lets");
        return NULL;
    }
    size_t from = parse->token.at;
    parse->nesting++;
    const struct bsim_node *node = cast_or_unary(parse);
    parse->nesting = parse->nesting > 0 ? parse->nesting - 1 : 0;
    return bsim_build_extent(node, from, parse->behind);
}

/* ---- binary operators ------------------------------------------------------------------------ */

static const struct {
    const char *sign;
    int level; /* binds tighter the higher */
    enum bsim_node_kind kind;
} operators[] = {
    {"*", 10, BSIM_NODE_MULTIPLY},
    {"/", 10, BSIM_NODE_DIVIDE},
    {"%", 10, BSIM_NODE_REMAINDER},
    {"+", 9, BSIM_NODE_ADD},
    {"-", 9, BSIM_NODE_SUBTRACT},
    {"<<", 8, BSIM_NODE_SHIFT_LEFT},
    {">>", 8, BSIM_NODE_SHIFT_RIGHT},
    {"<", 7, BSIM_NODE_LESS},
    {"<=", 7, BSIM_NODE_LESS_EQUAL},
    {">", 7, BSIM_NODE_GREATER},
    {">=", 7, BSIM_NODE_GREATER_EQUAL},
    {"==", 6, BSIM_NODE_EQUAL},
    {"!=", 6, BSIM_NODE_NOT_EQUAL},
    {"&", 5, BSIM_NODE_AND},
    {"^", 4, BSIM_NODE_XOR},
    {"|", 3, BSIM_NODE_OR},
    {"&&", 2, BSIM_NODE_LOGICAL_AND},
    {"||", 1, BSIM_NODE_LOGICAL_OR},
};

/* Index of the operator at hand, or of none. */
static size_t operator_at_hand(const struct bsim_parse *parse)
{
    size_t i = 0;
    while (i < N_OF(operators) && !bsim_parse_sees(parse, operators[i].sign)) {
        i++;
    }
    return i;
}

static const struct bsim_node *parse_binary(struct bsim_parse *parse, int level);

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
    struct bsim_guard *inner = bsim_arena_take(parse->arena, sizeof *inner);
    if (inner == NULL) {
        (void)bsim_parse_no_memory(parse);
        return;
    }
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
static const struct bsim_node *parse_guarded(struct bsim_parse *parse, int level,
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
static const struct bsim_node *parse_binary(struct bsim_parse *parse, int level)
{
    size_t from = parse->token.at;
    const struct bsim_node *left = parse_cast(parse);
    while (left != NULL) {
        size_t at = parse->token.at;
        size_t i = operator_at_hand(parse);
        if (i == N_OF(operators) || operators[i].level < level) {
            break;
        }
        if (!bsim_parse_advance(parse)) {
            return NULL;
        }
        left = bsim_build_operand(parse, left);
        enum bsim_node_kind kind = operators[i].kind;
        bool is_logical = kind == BSIM_NODE_LOGICAL_AND || kind == BSIM_NODE_LOGICAL_OR;
        const struct bsim_node *right =
            left == NULL ? NULL
            : is_logical
                ? parse_guarded(parse, operators[i].level + 1, left, kind == BSIM_NODE_LOGICAL_AND)
                : parse_binary(parse, operators[i].level + 1);
        left =
            bsim_build_extent(bsim_build_binary(parse, kind, left, right, at), from, parse->behind);
    }
    return left;
}

/* "?" expression ":" expression, behind the "?"
 *
 * Two objects of one type are an object, that is one access; else each side's value is taken where it
 * is the one that counts. */
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
    if (!(yes->is_lvalue && no->is_lvalue && bsim_type_same(yes->type, no->type))) {
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
    size_t from = parse->token.at;
    const struct bsim_node *condition = parse_binary(parse, 1);
    size_t at = parse->token.at;
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
    size_t at = parse->token.at;
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
    bool wraps = !bsim_type_is_signed(node->type) && lanes.value[0] > INT64_MAX;
    if (wraps || number < least || number > most) {
        return bsim_parse_fail(parse, at,
                               "%s is a number from %" PRId64 " to %" PRId64 ", not %s%" PRIu64,
                               what, least, most, number < 0 && !wraps ? "-" : "",
                               number < 0 && !wraps ? 0 - lanes.value[0] : lanes.value[0]);
    }
    *value = number;
    return true;
}
