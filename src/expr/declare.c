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

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* How often each word of a base type was seen. */
struct specifiers {
    int n_unsigned, n_signed, n_short, n_long;
    enum bsim_type_kind kind; /* char, int, bool, float, double, void; BSIM_N_SCALARS: none seen */
};

static const struct {
    const char *word;
    enum bsim_type_kind kind;
} base_words[] = {
    {"char", BSIM_TYPE_CHAR},  {"int", BSIM_TYPE_INT},     {"bool", BSIM_TYPE_BOOL},
    {"_Bool", BSIM_TYPE_BOOL}, {"float", BSIM_TYPE_FLOAT}, {"double", BSIM_TYPE_DOUBLE},
    {"void", BSIM_TYPE_VOID},
};

static const char *const modifiers[] = {"unsigned", "signed", "short", "long"};
static const char *const qualifiers[] = {"const", "volatile", "__restrict__", "__restrict",
                                         "restrict"};
static const char *const storage[] = {"__shared__", "__device__", "__constant__", "static",
                                      "extern",     "alignas",    "__align__"};

static bool sees_one_of(const struct bsim_parse *parse, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (bsim_parse_sees(parse, words[i])) {
            return true;
        }
    }
    return false;
}

bool bsim_parse_sees_keyword(const struct bsim_parse *parse)
{
    for (size_t i = 0; i < N_OF(base_words); i++) {
        if (bsim_parse_sees(parse, base_words[i].word)) {
            return true;
        }
    }
    return sees_one_of(parse, modifiers, N_OF(modifiers)) ||
           sees_one_of(parse, qualifiers, N_OF(qualifiers));
}

/* A type that is one word and no keyword. Its type is NULL if memory is short. */
static bool sees_named(const struct bsim_parse *parse, const struct bsim_type **type)
{
    const struct bsim_symbol *own =
        bsim_scope_find(parse->scope, parse->token->text, parse->token->length);
    if (parse->token->kind == CU_NAME && own != NULL && own->kind == BSIM_NODE_TYPE) {
        *type = own->type;
        return true;
    }
    return parse->token->kind == CU_NAME &&
           bsim_type_named(&parse->file->arena, parse->token->text, parse->token->length, type);
}

/* thrust:: or cuda::, which nothing but a type begins with */
static bool sees_complex(const struct bsim_parse *parse)
{
    return bsim_parse_sees(parse, "thrust") || bsim_parse_sees(parse, "cuda");
}

bool bsim_parse_sees_type(struct bsim_parse *parse)
{
    const struct bsim_type *type;
    return bsim_parse_sees_keyword(parse) || bsim_parse_sees_struct(parse) || sees_complex(parse) ||
           sees_named(parse, &type);
}

static void skip_qualifiers(struct bsim_parse *parse)
{
    while (sees_one_of(parse, qualifiers, N_OF(qualifiers))) {
        parse->saw_const = parse->saw_const || bsim_parse_sees(parse, "const");
        parse->saw_volatile = parse->saw_volatile || bsim_parse_sees(parse, "volatile");
        if (!bsim_parse_advance(parse)) {
            return;
        }
    }
}

/* The type that stands among qualifiers; NULL for NULL, and when memory is short. `outer` is what
 * saw_volatile was before them. */
static const struct bsim_type *qualified(struct bsim_parse *parse, const struct bsim_type *type,
                                         bool outer)
{
    bool is_volatile = parse->saw_volatile;
    parse->saw_volatile = outer;
    if (type == NULL || !is_volatile) {
        return type;
    }
    type = bsim_type_volatile(&parse->file->arena, type);
    if (type == NULL) {
        (void)bsim_parse_no_memory(parse);
    }
    return type;
}

/* ---- base types ------------------------------------------------------------------------------ */

static bool take_base_word(struct bsim_parse *parse, struct specifiers *seen)
{
    for (size_t i = 0; i < N_OF(base_words); i++) {
        if (bsim_parse_sees(parse, base_words[i].word)) {
            if (seen->kind != BSIM_N_SCALARS) {
                return bsim_parse_fail(parse, parse->at, "a type has only one of these words");
            }
            seen->kind = base_words[i].kind;
            return bsim_parse_advance(parse);
        }
    }
    int *count[] = {&seen->n_unsigned, &seen->n_signed, &seen->n_short, &seen->n_long};
    for (size_t i = 0; i < N_OF(modifiers); i++) {
        if (bsim_parse_sees(parse, modifiers[i])) {
            ++*count[i];
            return bsim_parse_advance(parse);
        }
    }
    return false;
}

/* The type that the words make, or NULL. */
static const struct bsim_type *combine(const struct specifiers *seen)
{
    bool is_plain = seen->n_unsigned + seen->n_signed + seen->n_short + seen->n_long == 0;
    bool is_unsigned = seen->n_unsigned > 0;
    if (seen->kind == BSIM_TYPE_VOID) {
        return is_plain ? bsim_type_void() : NULL;
    }
    if (seen->n_unsigned + seen->n_signed > 1 || seen->n_short > 1 || seen->n_long > 2 ||
        (seen->n_short > 0 && seen->n_long > 0)) {
        return NULL;
    }
    if (seen->kind == BSIM_TYPE_CHAR && seen->n_short + seen->n_long == 0) {
        return bsim_type_scalar(is_unsigned ? BSIM_TYPE_UCHAR : BSIM_TYPE_CHAR);
    }
    if (seen->kind != BSIM_TYPE_INT && seen->kind != BSIM_N_SCALARS) {
        return is_plain ? bsim_type_scalar(seen->kind) : NULL;
    }
    if (seen->n_short > 0) {
        return bsim_type_scalar(is_unsigned ? BSIM_TYPE_USHORT : BSIM_TYPE_SHORT);
    }
    if (seen->n_long > 0) {
        return bsim_type_scalar(is_unsigned ? BSIM_TYPE_ULONG : BSIM_TYPE_LONG);
    }
    return is_plain && seen->kind == BSIM_N_SCALARS
               ? NULL
               : bsim_type_scalar(is_unsigned ? BSIM_TYPE_UINT : BSIM_TYPE_INT);
}

/* complex = ("thrust" | "cuda" "::" "std") "::" "complex" "<" ("float" | "double") ">" */
static const struct bsim_type *parse_complex(struct bsim_parse *parse)
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
    char name[sizeof "cuda::std::complex<double>"];
    (void)snprintf(name, sizeof name, "%s::complex<%s>", is_thrust ? "thrust" : "cuda::std",
                   is_double ? "double" : "float");
    const struct bsim_type *of = bsim_type_scalar(is_double ? BSIM_TYPE_DOUBLE : BSIM_TYPE_FLOAT);
    const struct bsim_type *type = bsim_type_complex(&parse->file->arena, of, name, strlen(name));
    if (type == NULL) {
        (void)bsim_parse_no_memory(parse);
    }
    return bsim_parse_expect(parse, ">") ? type : NULL;
}

/* A type of one or more words that are no keywords. */
static const struct bsim_type *parse_named(struct bsim_parse *parse)
{
    const struct bsim_type *named;
    if (sees_complex(parse)) {
        return parse_complex(parse);
    }
    if (bsim_parse_sees_struct(parse)) {
        return bsim_parse_struct(parse, false);
    }
    (void)sees_named(parse, &named);
    if (named == NULL) {
        (void)bsim_parse_no_memory(parse);
    }
    return bsim_parse_advance(parse) ? named : NULL;
}

/* named-type | word+ with qualifiers anywhere */
static const struct bsim_type *parse_unqualified(struct bsim_parse *parse)
{
    struct specifiers seen = {.kind = BSIM_N_SCALARS};
    size_t at = parse->at;
    skip_qualifiers(parse);
    if (!bsim_parse_sees_keyword(parse) && bsim_parse_sees_type(parse)) {
        const struct bsim_type *named = parse_named(parse);
        skip_qualifiers(parse);
        return named;
    }
    while (take_base_word(parse, &seen)) {
        skip_qualifiers(parse);
    }
    const struct bsim_type *type = combine(&seen);
    if (type == NULL) {
        (void)bsim_parse_fail(parse, at,
                              "a type should stand here that is known: char to long long, half, "
                              "__nv_bfloat16, float, double, int2, float4, ...");
    }
    return parse->status == BSIM_OK ? type : NULL;
}

/* base-type = qualifier* (named-type | word+) with qualifiers anywhere */
const struct bsim_type *bsim_parse_base_type(struct bsim_parse *parse)
{
    bool outer = parse->saw_volatile;
    parse->saw_volatile = false;
    return qualified(parse, parse_unqualified(parse), outer);
}

/* ---- derived types --------------------------------------------------------------------------- */

static const struct bsim_type *pointer_to(struct bsim_parse *parse, const struct bsim_type *type)
{
    if (type != NULL) {
        type = bsim_type_pointer(&parse->file->arena, type);
        if (type == NULL) {
            (void)bsim_parse_no_memory(parse);
        }
    }
    return type;
}

static size_t n_dimensions(const struct bsim_type *type)
{
    size_t n = 0;
    for (; type->kind == BSIM_TYPE_ARRAY; type = type->of) {
        n++;
    }
    return n;
}

/* dimensions = ("[" constant "]")*, the first of which may be empty if may_be_open
 *
 * Arrays are made from the last dimension to the first. */
const struct bsim_type *bsim_parse_dimensions(struct bsim_parse *parse, const struct bsim_type *of,
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
    while (n > 0 && of != NULL) {
        uint64_t count = (uint64_t)dimension[--n];
        if (of->size > 0 && count > MAX_TYPE_BYTES / of->size) {
            (void)bsim_parse_fail(parse, at, "no memory holds an array of this size");
            return NULL;
        }
        of = bsim_type_array(&parse->file->arena, of, count);
    }
    if (of == NULL) {
        (void)bsim_parse_no_memory(parse);
    }
    return parse->status == BSIM_OK ? of : NULL;
}

/* stars = ("*" qualifier*)* */
const struct bsim_type *bsim_parse_stars(struct bsim_parse *parse, const struct bsim_type *type)
{
    while (type != NULL && bsim_parse_sees(parse, "*")) {
        if (type->kind == BSIM_TYPE_POINTER) {
            (void)bsim_parse_fail(parse, parse->at, "pointers that lie in memory are not followed");
            return NULL;
        }
        (void)bsim_parse_advance(parse);
        skip_qualifiers(parse);
        type = pointer_to(parse, type);
    }
    return parse->status == BSIM_OK ? type : NULL;
}

/* type-name = base-type stars ["(" ("*" | "&") ")" dimensions] */
const struct bsim_type *bsim_parse_type_name(struct bsim_parse *parse)
{
    const struct bsim_type *type = bsim_parse_stars(parse, bsim_parse_base_type(parse));
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
    return pointer_to(parse, bsim_parse_dimensions(parse, type, false));
}

/* ---- declarations ---------------------------------------------------------------------------- */

static bool is_taken(const struct bsim_parse *parse)
{
    static const char *const reserved[] = {"threadIdx",   "blockIdx",
                                           "blockDim",    "gridDim",
                                           "warpSize",    "sizeof",
                                           "min",         "max",
                                           "abs",         "true",
                                           "false",       "struct",
                                           "static_cast", "reinterpret_cast"};
    return sees_one_of(parse, reserved, N_OF(reserved)) ||
           sees_one_of(parse, storage, N_OF(storage));
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
    const char *name =
        bsim_arena_text(&parse->file->arena, parse->token->text, parse->token->length);
    if (name == NULL) {
        (void)bsim_parse_no_memory(parse);
        return NULL;
    }
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
    return bsim_parse_sees(parse, "__align__") || bsim_parse_sees(parse, "alignas");
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
    while (sees_one_of(parse, storage, N_OF(storage)) ||
           sees_one_of(parse, qualifiers, N_OF(qualifiers))) {
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

bool bsim_parse_add_type(struct bsim_parse *parse, const char *name, const struct bsim_type *type)
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
    enum bsim_type_kind kind = declaration->base->kind;
    if (kind == BSIM_TYPE_VOID || kind == BSIM_TYPE_POINTER || bsim_parse_sees(parse, "*")) {
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
