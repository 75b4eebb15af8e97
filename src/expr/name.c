/* name.c - what begins with a name: variables, CUDA's own, calls and casts of C++, and what nothing
 * declares. Calls other than those of the tables below have no value that could be known: an index
 * refuses them, a statement takes them (struct bsim_reading).
 */
#include "expr/parse.h"

#include "base/nearest.h"
#include "expr/atomic.h"
#include "expr/shuffle.h"

#include <stdio.h>
#include <string.h>

enum { WARP_SIZE = 32 };

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

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
    static const char *const others[] = {"static_cast", "reinterpret_cast",
                                         "const_cast",  "__cvta_generic_to_shared",
                                         "warpSize",    "lane",
                                         "warp"};
    for (size_t i = 0; i < N_OF(others); i++) {
        bsim_nearest_try(&nearest, others[i]);
    }
    return nearest.best;
}

/* The name at hand is a value that nobody knows: a register's, an array's in global memory. */
static const struct bsim_node *unknown_name(struct bsim_parse *parse)
{
    char name[CU_SHOWN + 1];
    size_t at = parse->at;
    const struct bsim_symbol *ended =
        bsim_scope_find_ended(parse->scope, parse->token->text, parse->token->length);
    struct bsim_parse ahead = *parse;
    if (bsim_parse_advance(&ahead) && bsim_parse_sees(&ahead, "::")) {
        return bsim_build_unknown(
            parse, at,
            "names with '::' are not looked up: where an index needs one, give "
            "it a name of its own by define");
    }
    (void)snprintf(name, sizeof name, "%.*s", bsim_cu_shown(parse->token), parse->token->text);
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
    const char *text = parse->token->text;
    size_t length = parse->token->length;
    if (strangers == NULL || bsim_scope_find(strangers, text, length) != NULL) {
        return true;
    }
    struct bsim_symbol symbol = {.name = bsim_cu_spelled(parse->file, parse->token)};
    return bsim_scope_add(strangers, &symbol) || bsim_parse_no_memory(parse);
}

/* arguments = "(" [expression ("," expression)*] ")", of a function that nobody knows: it must not
 * get its hands on shared memory. */
bool bsim_parse_arguments(struct bsim_parse *parse)
{
    if (!bsim_parse_expect(parse, "(")) {
        return false;
    }
    while (!bsim_parse_sees(parse, ")")) {
        size_t at = parse->at;
        const struct bsim_node *node = bsim_build_operand(parse, bsim_parse_expression(parse));
        if (node == NULL) {
            return false;
        }
        if (node->type->kind == CU_POINTER) {
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

/* Functions that touch no memory of the block's and are no barrier: calls of them may stand
 * alone. */
static bool is_harmless(const struct bsim_parse *parse)
{
    return bsim_parse_sees_any(parse, "__nanosleep printf assert");
}

/* __syncthreads_count and its kin wait at a barrier and answer something. */
static bool is_barrier(const struct bsim_parse *parse)
{
    return bsim_cu_begins(parse->token, "__syncthreads");
}

/* tex1Dfetch, tex2D, surf1Dread and their kin, which load from memory. */
static bool is_texture(const struct bsim_parse *parse)
{
    static const char *const begin[] = {"tex1D",  "tex2D",  "tex3D",  "texCubemap",
                                        "surf1D", "surf2D", "surf3D", "surfCubemap"};
    size_t i = 0;
    while (i < N_OF(begin) && !bsim_cu_begins(parse->token, begin[i])) {
        i++;
    }
    struct bsim_parse ahead = *parse;
    return i < N_OF(begin) && bsim_parse_advance(&ahead) && bsim_parse_sees_any(&ahead, "( <");
}

/* ("::" name)*: members of namespaces and classes, which nobody looks up */
static bool skip_qualified(struct bsim_parse *parse)
{
    while (bsim_parse_take(parse, "::")) {
        if (parse->token->kind != CU_NAME) {
            return bsim_parse_wants(parse, "a name");
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
        is_list = parse->token->kind == CU_NAME || parse->token->kind == CU_NUMBER ||
                  bsim_parse_sees_any(parse, ", * ::");
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
        (void)bsim_parse_fail(parse, parse->at,
                              "a barrier that answers something is not read: write sync before it, "
                              "and a name in its place");
        return NULL;
    }
    if (is_texture(parse)) {
        (void)bsim_parse_fail(
            parse, parse->at,
            "textures and surfaces are not counted here: a trace has tex.1d; leave "
            "this load out, or write a load of a global array for it");
        return NULL;
    }
    if (bsim_atomic_sees_call(parse)) {
        (void)bsim_parse_fail(parse, parse->at,
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
        return bsim_parse_arguments(parse) ? may_stand_alone ? node : bsim_build_result(parse, node)
                                           : NULL;
    }
    return note_stranger(&before) ? node : NULL;
}

/* dimension = ("threadIdx" | "blockIdx" | "blockDim" | "gridDim") "." ("x" | "y" | "z") */
static const struct bsim_node *parse_dimension(struct bsim_parse *parse, enum bsim_builtin first)
{
    static const char *const axes[] = {"x", "y", "z"};
    size_t at = parse->at;
    if (!bsim_parse_advance(parse) || !bsim_parse_expect(parse, ".")) {
        return NULL;
    }
    for (size_t i = 0; i < N_OF(axes); i++) {
        if (bsim_parse_take(parse, axes[i])) {
            return bsim_build_builtin(parse, (enum bsim_builtin)(first + i), at);
        }
    }
    (void)bsim_parse_wants(parse, "x, y or z");
    return NULL;
}

/* call = function "(" expression ["," expression] ")" */
static const struct bsim_node *parse_call(struct bsim_parse *parse, size_t which)
{
    size_t at = parse->at;
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
        const struct cu_type *type = bsim_cu_scalar(is_unsigned ? CU_UINT : CU_INT);
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
    size_t at = parse->at;
    if (!bsim_parse_advance(parse) || !bsim_parse_expect(parse, "<")) {
        return NULL;
    }
    const struct cu_type *type = bsim_parse_type_name(parse);
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
    size_t at = parse->at;
    if (!bsim_parse_advance(parse) || !bsim_parse_expect(parse, "(")) {
        return NULL;
    }
    const struct bsim_node *a = bsim_parse_expression(parse);
    return bsim_parse_expect(parse, ")") ? bsim_build_shared_address(parse, a, at) : NULL;
}

/* Loads of the object at an address, __ldg through the read-only cache; the others say what caches
 * should keep, which counts nothing else. */
static bool sees_load(const struct bsim_parse *parse)
{
    return bsim_parse_sees_any(parse, "__ldg __ldca __ldcg __ldcs __ldlu __ldcv");
}

/* read-only = ("__ldg" | "__ldcg" | ...) "(" expression ")" */
static const struct bsim_node *parse_read_only(struct bsim_parse *parse)
{
    size_t at = parse->at;
    bool is_read_only = bsim_parse_sees(parse, "__ldg");
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
const struct bsim_node *bsim_parse_name(struct bsim_parse *parse)
{
    size_t at = parse->at;
    const struct bsim_symbol *symbol =
        bsim_scope_find(parse->scope, parse->token->text, parse->token->length);
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
    if (bsim_parse_sees_any(parse, "static_cast reinterpret_cast const_cast")) {
        return parse_cxx_cast(parse);
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
    const struct cu_type *integer = bsim_cu_scalar(CU_INT);
    if (bsim_parse_take(parse, "warpSize")) {
        return bsim_build_number(parse, integer, WARP_SIZE, at);
    }
    if (bsim_parse_sees_any(parse, "true false")) {
        uint64_t truth = bsim_parse_sees(parse, "true");
        return bsim_parse_advance(parse) ? bsim_build_number(parse, integer, truth, at) : NULL;
    }
    return bsim_shuffle_sees(parse) ? bsim_shuffle_read(parse) : parse_stranger(parse);
}
