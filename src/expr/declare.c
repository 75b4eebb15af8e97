/* declare.c - type names and declarations of shared memory; the grammar stands above each function.
 */
#include "expr/parse.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_ALIGNMENT = 1024,
    MAX_DIMENSIONS = 8,
    MAX_DIMENSION = INT32_MAX,
    MAX_TYPE_BYTES = INT32_MAX,
};

static const char qualifiers[] = "const volatile __restrict__ __restrict restrict";
static const char storage[] = "__shared__ __device__ __constant__ static extern alignas __align__";

bool bsim_parse_sees_keyword(const struct bsim_parse *parse)
{
    return bsim_cu_is_type_word(parse->token) || bsim_parse_sees_any(parse, qualifiers);
}

/* The type that is one word and no keyword, or NULL. */
static const struct cu_type *named_type(const struct bsim_parse *parse)
{
    const struct cu_token *token = parse->token;
    const struct bsim_symbol *own =
        token->kind == CU_NAME ? bsim_scope_find(parse->scope, token->text, token->length) : NULL;
    const struct cu_type *type = own != NULL && own->kind == BSIM_NODE_TYPE ? own->type
                                 : token->kind == CU_NAME ? bsim_cu_type_named(parse->file, token)
                                                          : NULL;
    return type == NULL && token->kind == CU_NAME ? bsim_cu_half_named(parse->file, token) : type;
}

/* thrust:: or cuda::, which nothing but a type begins with */
static bool sees_complex(const struct bsim_parse *parse)
{
    return bsim_parse_sees_any(parse, "thrust cuda");
}

bool bsim_parse_sees_type(struct bsim_parse *parse)
{
    return bsim_parse_sees_keyword(parse) || bsim_parse_sees_struct(parse) || sees_complex(parse) ||
           named_type(parse) != NULL;
}

static void skip_qualifiers(struct bsim_parse *parse)
{
    while (bsim_parse_sees_any(parse, qualifiers)) {
        parse->saw_const = parse->saw_const || bsim_parse_sees(parse, "const");
        parse->saw_volatile = parse->saw_volatile || bsim_parse_sees(parse, "volatile");
        if (!bsim_parse_advance(parse)) {
            return;
        }
    }
}

/* The type that stands among qualifiers; NULL for NULL. `outer` is what saw_volatile was before them. */
static const struct cu_type *qualified(struct bsim_parse *parse, const struct cu_type *type,
                                       bool outer)
{
    bool is_volatile = parse->saw_volatile;
    parse->saw_volatile = outer;
    return type != NULL ? bsim_cu_qualified(parse->file, type, false, is_volatile) : NULL;
}

/* ---- base types ------------------------------------------------------------------------------ */

/* complex = ("thrust" | "cuda" "::" "std") "::" "complex" "<" ("float" | "double") ">" */
static const struct cu_type *parse_complex(struct bsim_parse *parse)
{
    bool is_thrust = bsim_parse_take(parse, "thrust");
    if (!is_thrust && (!bsim_parse_expect(parse, "cuda") || !bsim_parse_expect(parse, "::") ||
                       !bsim_parse_expect(parse, "std"))) {
        return NULL;
    }
    if (!bsim_parse_expect(parse, "::") || !bsim_parse_expect(parse, "complex") ||
        !bsim_parse_expect(parse, "<")) {
        return NULL;
    }
    bool is_double = bsim_parse_take(parse, "double");
    if (!is_double && !bsim_parse_expect(parse, "float")) {
        return NULL;
    }
    const struct cu_type *of = bsim_cu_scalar(is_double ? CU_DOUBLE : CU_FLOAT);
    const char *space = is_thrust ? "thrust" : "cuda::std";
    const char *name = bsim_cu_text(parse->file, "%s::complex<%s>", space, of->name);
    return bsim_parse_expect(parse, ">") ? bsim_cu_complex(parse->file, of, name) : NULL;
}

/* A type of one or more words that are no keywords. */
static const struct cu_type *parse_named(struct bsim_parse *parse)
{
    if (sees_complex(parse)) {
        return parse_complex(parse);
    }
    if (bsim_parse_sees_struct(parse)) {
        return bsim_parse_struct(parse, false);
    }
    const struct cu_type *named = named_type(parse);
    return bsim_parse_advance(parse) ? named : NULL;
}

/* named-type | word+ with qualifiers anywhere */
static const struct cu_type *parse_unqualified(struct bsim_parse *parse)
{
    struct cu_type_words words = {0};
    size_t at = parse->at;
    skip_qualifiers(parse);
    if (!bsim_parse_sees_keyword(parse) && bsim_parse_sees_type(parse)) {
        const struct cu_type *named = parse_named(parse);
        skip_qualifiers(parse);
        return named;
    }
    while (bsim_cu_count_word(&words, parse->token) && bsim_parse_advance(parse)) {
        skip_qualifiers(parse);
    }
    const struct cu_type *type = bsim_cu_type_of_words(&words);
    if (type == NULL) {
        (void)bsim_parse_fail(parse, at,
                              "a type should stand here that is known: char to long long, half, "
                              "__nv_bfloat16, float, double, int2, float4, ...");
    }
    return parse->status == BSIM_OK ? type : NULL;
}

/* base-type = qualifier* (named-type | word+) with qualifiers anywhere */
const struct cu_type *bsim_parse_base_type(struct bsim_parse *parse)
{
    bool outer = parse->saw_volatile;
    parse->saw_volatile = false;
    return qualified(parse, parse_unqualified(parse), outer);
}

/* ---- derived types --------------------------------------------------------------------------- */

static size_t n_dimensions(const struct cu_type *type)
{
    size_t n = 0;
    for (; type->kind == CU_ARRAY; type = type->of) {
        n++;
    }
    return n;
}

/* dimensions = ("[" constant "]")*, the first of which may be empty if may_be_open
 *
 * Arrays are made from the last dimension to the first. */
const struct cu_type *bsim_parse_dimensions(struct bsim_parse *parse, const struct cu_type *of,
                                            bool may_be_open)
{
    int64_t dimension[MAX_DIMENSIONS];
    size_t most = MAX_DIMENSIONS - n_dimensions(of);
    size_t n = 0;
    size_t at = parse->at;
    for (; bsim_parse_take(parse, "["); n++) {
        if (n == most) {
            (void)bsim_parse_fail(parse, at, "an array has at most %d dimensions", MAX_DIMENSIONS);
            return NULL;
        }
        dimension[n] = 0;
        if (n == 0 && may_be_open && bsim_parse_sees(parse, "]")) {
            (void)bsim_parse_advance(parse);
            continue;
        }
        if (!bsim_parse_constant(parse, "an array's size", 1, MAX_DIMENSION, &dimension[n]) ||
            !bsim_parse_expect(parse, "]")) {
            return NULL;
        }
    }
    while (n > 0) {
        uint64_t count = (uint64_t)dimension[--n];
        if (of->size > 0 && count > MAX_TYPE_BYTES / of->size) {
            (void)bsim_parse_fail(parse, at, "no memory holds an array of this size");
            return NULL;
        }
        of = bsim_cu_array(parse->file, of, count);
    }
    return parse->status == BSIM_OK ? of : NULL;
}

/* stars = ("*" qualifier*)* */
const struct cu_type *bsim_parse_stars(struct bsim_parse *parse, const struct cu_type *type)
{
    while (type != NULL && bsim_parse_sees(parse, "*")) {
        if (type->kind == CU_POINTER) {
            (void)bsim_parse_fail(parse, parse->at, "pointers that lie in memory are not followed");
            return NULL;
        }
        (void)bsim_parse_advance(parse);
        skip_qualifiers(parse);
        type = bsim_cu_pointer(parse->file, type);
    }
    return parse->status == BSIM_OK ? type : NULL;
}

/* type-name = base-type stars ["(" ("*" | "&") ")" dimensions] */
const struct cu_type *bsim_parse_type_name(struct bsim_parse *parse)
{
    const struct cu_type *type = bsim_parse_stars(parse, bsim_parse_base_type(parse));
    if (type == NULL || !bsim_parse_sees(parse, "(")) {
        return type;
    }
    struct bsim_parse before = *parse;
    if (!bsim_parse_take(parse, "(") || !bsim_parse_take(parse, "*") ||
        !bsim_parse_take(parse, ")")) {
        if (parse->status == BSIM_OK) {
            *parse = before;
        }
        return parse->status == BSIM_OK ? type : NULL;
    }
    type = bsim_parse_dimensions(parse, type, false);
    return type != NULL ? bsim_cu_pointer(parse->file, type) : NULL;
}

/* ---- declarations ---------------------------------------------------------------------------- */

static bool is_taken(const struct bsim_parse *parse)
{
    return bsim_parse_sees_any(parse, storage) ||
           bsim_parse_sees_any(parse, "threadIdx blockIdx blockDim gridDim warpSize sizeof min max "
                                      "abs true false struct static_cast reinterpret_cast");
}

const char *bsim_parse_new_name(struct bsim_parse *parse)
{
    if (parse->token->kind != CU_NAME || bsim_parse_sees_type(parse) || is_taken(parse)) {
        (void)bsim_parse_fail(
            parse, parse->at,
            parse->token->kind == CU_NAME ? "'%.*s' already has a meaning: choose another name"
                                          : "a name should stand here%.*s",
            parse->token->kind == CU_NAME ? bsim_cu_shown(parse->token) : 0, parse->token->text);
        return NULL;
    }
    const struct bsim_symbol *other =
        bsim_scope_find(parse->scope, parse->token->text, parse->token->length);
    if (other != NULL && (size_t)(other - parse->scope->symbol) >= parse->scope->inner) {
        (void)bsim_parse_fail(parse, parse->at, "'%.*s' is declared twice",
                              bsim_cu_shown(parse->token), parse->token->text);
        return NULL;
    }
    const char *name = bsim_cu_spelled(parse->file, parse->token);
    return bsim_parse_advance(parse) ? name : NULL;
}

/* alignment = ("__align__" | "alignas") "(" constant ")" */
static bool parse_alignment(struct bsim_parse *parse, uint32_t *alignment)
{
    size_t at = parse->at;
    int64_t value = 0;
    if (!bsim_parse_advance(parse) || !bsim_parse_expect(parse, "(") ||
        !bsim_parse_constant(parse, "an alignment", 1, MAX_ALIGNMENT, &value) ||
        !bsim_parse_expect(parse, ")")) {
        return false;
    }
    if ((value & (value - 1)) != 0) {
        return bsim_parse_fail(parse, at, "an alignment is a power of two");
    }
    *alignment = (uint32_t)value > *alignment ? (uint32_t)value : *alignment;
    return true;
}

static bool sees_alignment(const struct bsim_parse *parse)
{
    return bsim_parse_sees_any(parse, "__align__ alignas");
}

bool bsim_parse_alignments(struct bsim_parse *parse, uint32_t *alignment)
{
    while (sees_alignment(parse)) {
        if (!parse_alignment(parse, alignment)) {
            return false;
        }
    }
    return parse->status == BSIM_OK;
}

/* Storage words, in any order and anywhere around the base type. */
static bool parse_storage(struct bsim_parse *parse, struct bsim_declaration *declaration)
{
    while (bsim_parse_sees_any(parse, storage) || bsim_parse_sees_any(parse, qualifiers)) {
        declaration->is_extern = declaration->is_extern || bsim_parse_sees(parse, "extern");
        parse->saw_const = parse->saw_const || bsim_parse_sees(parse, "const");
        parse->saw_volatile = parse->saw_volatile || bsim_parse_sees(parse, "volatile");
        if (sees_alignment(parse)) {
            if (!parse_alignment(parse, &declaration->alignment)) {
                return false;
            }
        } else if (!bsim_parse_refuse_file(parse) || !bsim_parse_advance(parse)) {
            return false;
        }
    }
    return parse->status == BSIM_OK;
}

bool bsim_parse_add_type(struct bsim_parse *parse, const char *name, const struct cu_type *type)
{
    struct bsim_symbol symbol = {.name = name, .kind = BSIM_NODE_TYPE, .type = type};
    return bsim_scope_add(parse->scope, &symbol) || bsim_parse_no_memory(parse);
}

bool bsim_parse_specifiers(struct bsim_parse *parse, struct bsim_declaration *declaration)
{
    *declaration = (struct bsim_declaration){.alignment = 1};
    bool outer = parse->saw_volatile;
    parse->saw_volatile = false;
    parse->saw_const = false;
    if (!parse_storage(parse, declaration)) {
        return false;
    }
    declaration->base = bsim_parse_sees_struct(parse) ? bsim_parse_struct(parse, true)
                                                      : bsim_parse_base_type(parse);
    if (declaration->base == NULL || !parse_storage(parse, declaration)) {
        return false;
    }
    declaration->is_const = parse->saw_const;
    declaration->base = qualified(parse, declaration->base, outer);
    return declaration->base != NULL;
}

/* declaration = ("extern" | "static" | "__shared__" | qualifier | alignment)* (base-type | struct)
 *               declarator ("," declarator)* [";"]
 *
 * up to the first declarator. */
bool bsim_parse_declaration(struct bsim_parse *parse, struct bsim_declaration *declaration)
{
    size_t at = parse->at;
    if (!bsim_parse_specifiers(parse, declaration)) {
        return false;
    }
    enum cu_kind kind = declaration->base->kind;
    if (kind == CU_VOID || kind == CU_POINTER || bsim_parse_sees(parse, "*")) {
        return bsim_parse_fail(parse, at, "elements are numbers, vectors of numbers or structs");
    }
    return true;
}

/* declarator = name dimensions */
bool bsim_parse_declarator(struct bsim_parse *parse, const struct bsim_declaration *declaration,
                           struct bsim_declarator *declarator)
{
    declarator->at = parse->at;
    declarator->name = bsim_parse_new_name(parse);
    if (declarator->name == NULL) {
        return false;
    }
    declarator->type = bsim_parse_dimensions(parse, declaration->base, declaration->is_extern);
    return declarator->type != NULL;
}
