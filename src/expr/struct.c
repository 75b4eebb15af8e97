/* struct.c - struct and union types, which ../c/type.c lays out; bit-fields, bases, functions and packing
 * are refused.
 */
#include "expr/parse.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_STRUCT_BYTES = INT32_MAX, MAX_STRUCT_NESTING = 16 };

bool bsim_parse_sees_struct(const struct bsim_parse *parse)
{
    return bsim_parse_sees_any(parse, "struct union");
}

/* ---- members --------------------------------------------------------------------------------- */

/* Adds a member of declared alignment (1: its type's); `at` is its place. */
static bool add_member(struct bsim_parse *parse, struct cu_type *body, const char *name, size_t at,
                       const struct cu_type *type, uint32_t alignment)
{
    if (!bsim_build_has_size(type)) {
        return bsim_parse_fail(parse, at, "the size of this member is not known here");
    }
    (void)bsim_cu_add_member(parse->file, body, name, type, alignment);
    return body->size <= MAX_STRUCT_BYTES ||
           bsim_parse_fail(parse, at, "no memory holds a struct of this size");
}

/* A name that no member has yet, those of anonymous ones included; copied. */
static const char *read_name(struct bsim_parse *parse, const struct cu_type *body)
{
    struct cu_member other;
    if (parse->token->kind != CU_NAME || bsim_parse_sees_keyword(parse)) {
        (void)bsim_parse_fail(parse, parse->at, "a member's name should stand here");
        return NULL;
    }
    if (bsim_cu_member(body, parse->token, &other)) {
        (void)bsim_parse_fail(parse, parse->at, "a member '%.*s' is there already",
                              bsim_cu_shown(parse->token), parse->token->text);
        return NULL;
    }
    const char *name = bsim_cu_spelled(parse->file, parse->token);
    return bsim_parse_advance(parse) ? name : NULL;
}

/* declarator = stars name dimensions */
static bool parse_declarator(struct bsim_parse *parse, struct cu_type *body,
                             const struct bsim_declaration *declaration)
{
    const struct cu_type *type = bsim_parse_stars(parse, declaration->base);
    size_t at = parse->at;
    const char *name = type == NULL ? NULL : read_name(parse, body);
    if (name == NULL) {
        return false;
    }
    if (bsim_parse_sees(parse, ":")) {
        return bsim_parse_fail(parse, parse->at, "bit-fields have no address of their own");
    }
    if (bsim_parse_sees(parse, "(")) {
        return bsim_parse_fail(parse, at, "a function takes no room: leave it out");
    }
    type = bsim_parse_dimensions(parse, type, false);
    return type != NULL && add_member(parse, body, name, at, type, declaration->alignment);
}

/* The members of an anonymous struct or union are the outer one's: no name may come twice. */
static bool add_anonymous(struct bsim_parse *parse, struct cu_type *body, size_t at,
                          const struct bsim_declaration *declaration)
{
    for (const struct cu_member *m = declaration->base->members; m != NULL; m = m->next) {
        struct cu_member other;
        struct cu_token name = {.kind = CU_NAME, .text = m->name, .length = (uint32_t)strlen(m->name)};
        if (m->name[0] != '\0' && bsim_cu_member(body, &name, &other)) {
            return bsim_parse_fail(parse, at, "a member '%.40s' is there already", m->name);
        }
    }
    return add_member(parse, body, "", at, declaration->base, declaration->alignment);
}

/* members = alignment* declared-type [declarator ("," declarator)*] ";"
 *
 * without a declarator if the type is a struct or a union that has no name. */
static bool parse_members(struct bsim_parse *parse, struct cu_type *body)
{
    struct bsim_declaration declaration;
    size_t at = parse->at;
    if (bsim_parse_sees_any(parse, "static extern __shared__")) {
        return bsim_parse_fail(parse, at, "this lies outside of the struct: leave it out");
    }
    if (!bsim_parse_specifiers(parse, &declaration)) {
        return false;
    }
    bool is_anonymous = declaration.base->kind == CU_STRUCT && declaration.base->name[0] == '\0';
    if (bsim_parse_sees(parse, ";") && is_anonymous) {
        return add_anonymous(parse, body, at, &declaration) && bsim_parse_advance(parse);
    }
    do {
        if (!parse_declarator(parse, body, &declaration)) {
            return false;
        }
    } while (bsim_parse_take(parse, ","));
    return bsim_parse_expect(parse, ";");
}

/* ---- definitions ----------------------------------------------------------------------------- */

/* "{" members+ "}" alignment* */
static bool parse_body(struct bsim_parse *parse, struct cu_type *type)
{
    size_t at = parse->at;
    if (parse->struct_nesting == MAX_STRUCT_NESTING) {
        return bsim_parse_fail(parse, at, "structs are nested too deep here");
    }
    parse->struct_nesting++;
    (void)bsim_parse_advance(parse);
    while (!bsim_parse_take(parse, "}")) {
        if (!parse_members(parse, type)) {
            return false;
        }
    }
    parse->struct_nesting--;
    if (!bsim_parse_alignments(parse, &type->alignment)) {
        return false;
    }
    if (type->size == 0) {
        return bsim_parse_fail(parse, at, "a struct without members has nothing to access");
    }
    bsim_cu_end_struct(type, 0);
    return true;
}

/* The type of a definition, whose name is known within it: pointers may point to it. */
static struct cu_type *new_struct(struct bsim_parse *parse, const char *name, bool is_union)
{
    struct cu_type *type = bsim_cu_struct(parse->file, name != NULL ? name : "", is_union);
    return name == NULL || bsim_parse_add_type(parse, name, type) ? type : NULL;
}

/* The type that is named at hand. */
static const struct cu_type *find_struct(struct bsim_parse *parse)
{
    const struct bsim_symbol *symbol =
        bsim_scope_find(parse->scope, parse->token->text, parse->token->length);
    if (parse->token->kind != CU_NAME || symbol == NULL || symbol->kind != BSIM_NODE_TYPE) {
        (void)bsim_parse_fail(
            parse, parse->at,
            parse->token->kind == CU_NAME ? "no struct '%.*s' is defined before this"
                                          : "a struct's name should stand here%.*s",
            parse->token->kind == CU_NAME ? bsim_cu_shown(parse->token) : 0, parse->token->text);
        return NULL;
    }
    return bsim_parse_advance(parse) ? symbol->type : NULL;
}

/* True if what follows the name at hand is a body. */
static bool is_definition(const struct bsim_parse *parse)
{
    struct bsim_parse ahead = *parse;
    return bsim_parse_sees(parse, "{") ||
           (parse->token->kind == CU_NAME && bsim_parse_advance(&ahead) &&
            bsim_parse_sees(&ahead, "{"));
}

/* What stands behind struct or union. */
static const struct cu_type *parse_rest(struct bsim_parse *parse, bool is_union, bool may_define)
{
    uint32_t alignment = 1;
    const char *name = NULL;
    if (!bsim_parse_alignments(parse, &alignment)) {
        return NULL;
    }
    if (!is_definition(parse)) {
        return find_struct(parse);
    }
    if (!may_define) {
        (void)bsim_parse_fail(parse, parse->at,
                              "a type is defined by a statement of its own, or by shared");
        return NULL;
    }
    if (!bsim_parse_sees(parse, "{") && (name = bsim_parse_new_name(parse)) == NULL) {
        return NULL;
    }
    struct cu_type *type = new_struct(parse, name, is_union);
    if (type == NULL) {
        return NULL;
    }
    type->alignment = alignment;
    return parse_body(parse, type) ? type : NULL;
}

/* struct = ("struct" | "union") alignment* ([name] "{" members+ "}" alignment* | name) */
const struct cu_type *bsim_parse_struct(struct bsim_parse *parse, bool may_define)
{
    bool is_union = bsim_parse_sees(parse, "union");
    return bsim_parse_advance(parse) ? parse_rest(parse, is_union, may_define) : NULL;
}

/* ---- statements ------------------------------------------------------------------------------ */

/* The word stands before the statement, and perhaps once more where a whole line was pasted. */
bool bsim_parse_struct_statement(struct bsim_parse *parse, bool is_union)
{
    const struct cu_type *type = bsim_parse_sees_struct(parse) ? bsim_parse_struct(parse, true)
                                                               : parse_rest(parse, is_union, true);
    if (type == NULL) {
        return false;
    }
    if (parse->token->kind == CU_NAME) {
        return bsim_parse_fail(parse, parse->at,
                               "this statement names a type alone: declare arrays of it by shared");
    }
    return bsim_parse_end(parse);
}

/* A second name for a type; what has none gets it for its own. */
static bool add_alias(struct bsim_parse *parse, const char *name, const struct cu_type *type)
{
    if (type->kind != CU_STRUCT || type->name[0] != '\0') {
        return bsim_parse_add_type(parse, name, type);
    }
    struct cu_type *named = bsim_cu_take(parse->file, sizeof *named);
    *named = *type;
    named->name = name;
    return bsim_parse_add_type(parse, name, named);
}

/* typedef = declared-type stars name dimensions ("," stars name dimensions)* */
bool bsim_parse_typedef(struct bsim_parse *parse)
{
    struct bsim_declaration declaration;
    size_t at = parse->at;
    if (!bsim_parse_specifiers(parse, &declaration)) {
        return false;
    }
    if (declaration.alignment > 1) {
        return bsim_parse_fail(parse, at, "a typedef aligns nothing: write it behind struct");
    }
    do {
        const struct cu_type *type = bsim_parse_stars(parse, declaration.base);
        const char *name = type == NULL ? NULL : bsim_parse_new_name(parse);
        type = name == NULL ? NULL : bsim_parse_dimensions(parse, type, false);
        if (type == NULL || !add_alias(parse, name, type)) {
            return false;
        }
    } while (bsim_parse_take(parse, ","));
    return bsim_parse_end(parse);
}
