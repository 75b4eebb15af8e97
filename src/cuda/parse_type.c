/* parse_type.c - types, structs, and what stands around the name in a declaration. */
#include "cuda/parse.h"

#define NO_FUNCTION "pointers to functions are read here as a template's parameters alone"

/* ---- words ----------------------------------------------------------------------------------- */

static const char passed_over[] =
    "inline __inline__ __inline __forceinline__ __noinline__ register static __restrict__ "
    "__restrict restrict typename thread_local __grid_constant__ mutable explicit "
    "__extension__";
static const char others[] =
    "const volatile constexpr extern typedef struct union class enum auto __shared__ __device__ "
    "__constant__ __align__ alignas __managed__ __global__ __host__ __launch_bounds__ "
    "__attribute__ __volatile__";

/* The struct's template that the name stands for; in the struct itself its own name does, with '<' behind. */
static struct cu_template *template_of(const struct cu_parser *p, const struct cu_name *name)
{
    if (name == NULL || (name->kind == CU_NAME_TYPE && !bsim_cu_sees_next(p, "<"))) {
        return NULL;
    }
    return name->kind == CU_NAME_TEMPLATE && name->template->is_struct ? name->template
           : name->kind == CU_NAME_TYPE ? (struct cu_template *)(uintptr_t)name->type->from
                                        : NULL;
}

/* Past "space::" and "struct::"; what stands right of a struct's is looked for there alone. */
struct cu_name *bsim_cu_resolve(struct cu_parser *p)
{
    const struct cu_scope *within = NULL;
    p->asked_space = bsim_cu_accept(p, "::") ? "" : NULL;
    for (;;) {
        struct cu_name *name =
            within != NULL ? bsim_cu_find_in(within, p->token) : bsim_cu_find_asked(p);
        struct cu_template *template = template_of(p, name);
        bool is_made = template != NULL && bsim_cu_sees_next(p, "<");
        if (p->token->kind != CU_NAME || (!is_made && !bsim_cu_sees_next(p, "::"))) {
            return name;
        }
        if (name == NULL || name->kind == CU_NAME_SPACE) {
            p->asked_space = bsim_cu_space_in(p, p->asked_space);
            bsim_cu_advance(p);
            bsim_cu_advance(p);
            within = NULL;
            continue;
        }
        struct cu_argument argument[CU_MOST_PARAMETERS] = {{0}};
        struct cu_parser look = *p;
        const struct cu_type *type = name->type;
        bsim_cu_advance(&look);
        if (is_made) {
            uint32_t n = bsim_cu_read_arguments(&look, argument);
            if (!bsim_cu_sees(&look, "::")) {
                return name;
            }
            type = bsim_cu_made_type(&look, template, argument, n);
        }
        if (type == NULL || type->scope == NULL || !bsim_cu_accept(&look, "::")) {
            return name;
        }
        p->token = look.token;
        within = type->scope;
    }
}

static bool names_type(const struct cu_parser *p)
{
    struct cu_parser look = *p;
    const struct cu_name *name = bsim_cu_resolve(&look);
    if (name != NULL || look.token->kind != CU_NAME) {
        return name != NULL && (name->kind == CU_NAME_TYPE ||
                                (name->kind == CU_NAME_TEMPLATE && name->template->is_struct));
    }
    return bsim_cu_type_named(p->file, look.token) != NULL;
}

bool bsim_cu_sees_type(const struct cu_parser *p)
{
    return bsim_cu_is_type_word(p->token) || bsim_cu_sees_any(p, passed_over) ||
           bsim_cu_sees_any(p, others) || names_type(p);
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* alignment = ("__align__" | "alignas") "(" (constant | type) ")" */
uint32_t bsim_cu_alignment(struct cu_parser *p)
{
    const struct cu_token *at = p->token;
    bsim_cu_advance(p);
    bsim_cu_expect(p, "(");
    uint64_t value = bsim_cu_sees_type(p) ? bsim_cu_type_name(p)->alignment
                                          : bsim_cu_constant_expression(p, "an alignment");
    bsim_cu_expect(p, ")");
    if (value == 0 || value > 1024 || (value & (value - 1)) != 0) {
        bsim_cu_stop(p, at, "an alignment is a power of two up to 1024");
        return 1;
    }
    return (uint32_t)value;
}

/* bounds = "__launch_bounds__" "(" constant ["," constant ["," constant]] ")" */
static void read_bounds(struct cu_parser *p, struct cu_declaration *declaration)
{
    bsim_cu_advance(p);
    bsim_cu_expect(p, "(");
    declaration->max_threads = (uint32_t)bsim_cu_constant_expression(p, "a number of threads");
    while (bsim_cu_accept(p, ",")) {
        declaration->min_blocks = (uint32_t)bsim_cu_constant_expression(p, "a number of blocks");
    }
    bsim_cu_expect(p, ")");
}

/* attribute = "__attribute__" "((" ... "))": passed over, but for an alignment, which is refused. */
void bsim_cu_skip_attribute(struct cu_parser *p)
{
    bsim_cu_advance(p);
    const struct cu_token *word = p->token;
    for (; word->kind != CU_END && !bsim_cu_is(word, ")"); word = word->next) {
        if (bsim_cu_is_any(word, "aligned __aligned__ packed __packed__")) {
            bsim_cu_stop(p, word,
                         bsim_cu_is_any(word, "aligned __aligned__")
                             ? "this is read as __align__(N) alone"
                             : "packed structs are not read here: nvcc loads them byte by byte");
            return;
        }
    }
    bsim_cu_skip_brackets(p);
}

static void take_word(struct cu_parser *p, struct cu_declaration *d)
{
    d->is_typedef = d->is_typedef || bsim_cu_sees(p, "typedef");
    d->is_extern = d->is_extern || bsim_cu_sees(p, "extern");
    d->is_shared = d->is_shared || bsim_cu_sees(p, "__shared__");
    d->is_device = d->is_device || bsim_cu_sees_any(p, "__device__ __managed__");
    d->is_constant = d->is_constant || bsim_cu_sees(p, "__constant__");
    d->is_global = d->is_global || bsim_cu_sees(p, "__global__");
    d->is_host = d->is_host || bsim_cu_sees(p, "__host__");
    d->is_constexpr = d->is_constexpr || bsim_cu_sees(p, "constexpr");
    d->is_static = d->is_static || bsim_cu_sees(p, "static");
    d->is_auto = d->is_auto || bsim_cu_sees(p, "auto");
    d->is_const = d->is_const || bsim_cu_sees_any(p, "const constexpr");
    bsim_cu_advance(p);
}

/* ---- specifiers ------------------------------------------------------------------------------ */

static const struct cu_type *named_type(struct cu_parser *p)
{
    struct cu_argument argument[CU_MOST_PARAMETERS] = {{0}};
    const struct cu_name *name = bsim_cu_resolve(p);
    const struct cu_type *type = NULL;
    struct cu_template *template = template_of(p, name);
    if (template != NULL) {
        bsim_cu_advance(p);
        uint32_t n = bsim_cu_sees(p, "<") ? bsim_cu_read_arguments(p, argument) : 0;
        return bsim_cu_made_type(p, template, argument, n);
    }
    if (name == NULL || name->kind == CU_NAME_TYPE) {
        type = name == NULL ? bsim_cu_type_named(p->file, p->token) : name->type;
    }
    if (type != NULL) {
        bsim_cu_advance(p);
    }
    return type;
}

/* alias = "using" name "=" type-name ";" | "using" ... ";", which is passed over */
void bsim_cu_read_alias(struct cu_parser *p)
{
    bsim_cu_advance(p);
    const struct cu_token *name = p->token;
    if (!bsim_cu_sees_next(p, "=")) {
        while (!bsim_cu_sees(p, ";") && p->token->kind != CU_END) {
            if (p->token->kind == CU_NAME) {
                p->used_spaces = bsim_cu_text(p->file, "%s ", bsim_cu_space_in(p, p->used_spaces));
            }
            bsim_cu_advance(p);
        }
        bsim_cu_expect(p, ";");
        return;
    }
    bsim_cu_advance(p);
    bsim_cu_expect(p, "=");
    p->takes_function = true;
    const struct cu_type *type = bsim_cu_type_name(p);
    p->takes_function = false;
    bsim_cu_expect(p, ";");
    bsim_cu_add_name(p, name, CU_NAME_TYPE)->type = type;
}

static void say_no_type(struct cu_parser *p)
{
    const struct cu_name *name = bsim_cu_find(p, p->token);
    if (name != NULL && name->kind == CU_NAME_UNREADABLE) {
        bsim_cu_stop(p, p->token, "%.*s is not read here: %s", bsim_cu_shown(p->token),
                     p->token->text, name->why);
    } else if (bsim_cu_why_not(p->token) != NULL) {
        bsim_cu_stop(p, p->token, "%s", bsim_cu_why_not(p->token));
    } else {
        const char *nearest = p->token->length > 2 ? bsim_cu_nearest_name(p, p->token) : NULL;
        bool is_library = bsim_cu_missing(p->file, p->token)[0] != '\0';
        bsim_cu_stop(p, p->token, "a type should stand here, not '%.*s'%s", bsim_cu_shown(p->token),
                     p->token->text, bsim_cu_meant(p->file, is_library ? NULL : nearest, p->token));
    }
}

/* specifiers = (qualifier | storage | attribute | scalar word | name of a type | struct | enum)+ */
void bsim_cu_specifiers(struct cu_parser *p, struct cu_declaration *d)
{
    struct cu_type_words words = {0};
    const struct cu_type *type = NULL;
    uint32_t n_words = 0;
    bool is_volatile = false;
    *d = (struct cu_declaration){.type = bsim_cu_scalar(CU_INT)};
    while ((p->token->kind == CU_NAME || bsim_cu_sees(p, "::")) && !bsim_cu_failed(p->file)) {
        d->is_conversion = type == NULL && n_words == 0 && bsim_cu_sees(p, "operator");
        if (d->is_conversion) {
            bsim_cu_advance(p);
            return;
        }
        if (bsim_cu_count_word(&words, p->token)) {
            n_words++;
            bsim_cu_advance(p);
        } else if (bsim_cu_sees_any(p, "__align__ alignas")) {
            d->alignment = bsim_cu_alignment(p);
        } else if (bsim_cu_sees(p, "__launch_bounds__")) {
            read_bounds(p, d);
        } else if (bsim_cu_sees(p, "__attribute__")) {
            bsim_cu_skip_attribute(p);
        } else if (bsim_cu_sees_any(p, "struct class union")) {
            type = bsim_cu_read_struct(p);
        } else if (bsim_cu_sees(p, "enum")) {
            type = bsim_cu_read_enum(p);
        } else if (bsim_cu_sees_any(p, passed_over) || bsim_cu_sees_any(p, others)) {
            is_volatile = is_volatile || bsim_cu_sees_any(p, "volatile __volatile__");
            take_word(p, d);
        } else if (type != NULL || n_words > 0 || d->is_auto) {
            break;
        } else {
            type = named_type(p);
            if (type == NULL) {
                break;
            }
        }
    }
    type = type == NULL && n_words > 0 ? bsim_cu_type_of_words(&words) : type;
    if (type == NULL && !d->is_auto) {
        say_no_type(p);
        return;
    }
    type = d->is_auto ? bsim_cu_scalar(CU_INT) : type;
    if (type->is_function && type->kind == CU_POINTER && !p->takes_function) {
        bsim_cu_stop(p, p->last, NO_FUNCTION);
    }
    d->type = bsim_cu_qualified(p->file, type, d->is_const, is_volatile);
}

/* ---- declarators ----------------------------------------------------------------------------- */

/* stars = ("*" ("const" | "volatile" | "__restrict__")*)* ["&"] */
const struct cu_type *bsim_cu_stars(struct cu_parser *p, const struct cu_type *type)
{
    while (bsim_cu_accept(p, "*")) {
        bool is_const = false, is_volatile = false, is_restrict = false;
        while (bsim_cu_sees_any(p, "const volatile __restrict__ __restrict restrict")) {
            is_const = is_const || bsim_cu_sees(p, "const");
            is_volatile = is_volatile || bsim_cu_sees(p, "volatile");
            is_restrict = is_restrict || p->token->text[p->token->length - 1] == '_' ||
                          bsim_cu_sees_any(p, "restrict __restrict");
            bsim_cu_advance(p);
        }
        struct cu_type *pointer = (struct cu_type *)(uintptr_t)bsim_cu_pointer(p->file, type);
        pointer->is_const = is_const;
        pointer->is_volatile = is_volatile;
        pointer->is_restrict = is_restrict;
        type = pointer;
    }
    if (bsim_cu_accept(p, "&")) {
        type = bsim_cu_reference(p->file, type);
    } else if (bsim_cu_sees(p, "&&")) {
        bsim_cu_advance(p);
        type = bsim_cu_reference(p->file, bsim_cu_qualified(p->file, type, true, false));
    }
    return type;
}

/* dimensions = ("[" [constant] "]")* */
const struct cu_type *bsim_cu_dimensions(struct cu_parser *p, const struct cu_type *type)
{
    const struct cu_token *at = p->token;
    if (!bsim_cu_accept(p, "[") || !bsim_cu_nest(p)) {
        return type;
    }
    bool is_open = bsim_cu_sees(p, "]");
    uint64_t count = is_open ? 0 : bsim_cu_constant_expression(p, "the size of an array");
    bsim_cu_expect(p, "]");
    p->depth++;
    type = bsim_cu_dimensions(p, type);
    p->depth--;
    bool is_huge = count > UINT32_MAX || (type->size > 0 && count > UINT32_MAX / type->size);
    if ((!is_open && count == 0) || is_huge) {
        bsim_cu_stop(
            p, at, count == 0 ? "an array has an element at least" : "an array has 4 GiB at most");
        return type;
    }
    return bsim_cu_array(p->file, type, count);
}

/* "operator" sign: one name. */
static const struct cu_token *operator_name(struct cu_parser *p)
{
    const struct cu_token *at = p->token;
    const char *text = "operator";
    bsim_cu_advance(p);
    do {
        text = bsim_cu_text(p->file, "%s%s", text, bsim_cu_spelled(p->file, p->token));
        bsim_cu_advance(p);
    } while (bsim_cu_sees(p, "]") || (bsim_cu_sees(p, ")") && strcmp(text, "operator(") == 0));
    return bsim_cu_named(p, text, at);
}

/* Behind (*name): of the function that is meant all else is seen where it is called. */
static const struct cu_type *function_pointer(struct cu_parser *p, const struct cu_type *result)
{
    struct cu_type *type = (struct cu_type *)(uintptr_t)bsim_cu_pointer(p->file, result);
    type->is_function = true;
    if (!p->takes_function) {
        bsim_cu_stop(p, p->token, NO_FUNCTION);
    } else {
        bsim_cu_skip_brackets(p);
    }
    return type;
}

static bool sees_inner(const struct cu_parser *p)
{
    return bsim_cu_sees(p, "(") && (bsim_cu_sees_next(p, "*") || bsim_cu_sees_next(p, "&"));
}

/* inner = "(" ("*" | "&") [name] ")" ("(" ... ")" | dimensions) */
static const struct cu_type *read_inner(struct cu_parser *p, const struct cu_type *type,
                                        const struct cu_token **name)
{
    bsim_cu_advance(p);
    bool is_pointer = bsim_cu_sees(p, "*");
    bsim_cu_advance(p);
    if (p->token->kind == CU_NAME) {
        *name = p->token;
        bsim_cu_advance(p);
    }
    bsim_cu_expect(p, ")");
    if (bsim_cu_sees(p, "(")) {
        return function_pointer(p, type);
    }
    type = bsim_cu_dimensions(p, type);
    return is_pointer ? bsim_cu_pointer(p->file, type) : bsim_cu_reference(p->file, type);
}

/* declarator = stars ([name] | inner) dimensions */
const struct cu_type *bsim_cu_declarator(struct cu_parser *p, const struct cu_type *type,
                                         const struct cu_token **name)
{
    *name = NULL;
    type = bsim_cu_stars(p, type);
    if (sees_inner(p)) {
        return read_inner(p, type, name);
    }
    while (bsim_cu_sees_any(p, "__restrict__ __align__")) {
        bsim_cu_stop(p, p->token, "this should stand before the type or behind a *");
    }
    if (bsim_cu_sees(p, "operator")) {
        *name = operator_name(p);
    } else if (p->token->kind == CU_NAME) {
        *name = p->token;
        bsim_cu_advance(p);
    }
    return bsim_cu_dimensions(p, type);
}

/* type-name = specifiers stars (inner | dimensions) */
const struct cu_type *bsim_cu_type_name(struct cu_parser *p)
{
    const struct cu_token *name;
    struct cu_declaration declaration;
    bsim_cu_specifiers(p, &declaration);
    if (p->takes_function) {
        return bsim_cu_declarator(p, declaration.type, &name);
    }
    const struct cu_type *type = bsim_cu_stars(p, declaration.type);
    return sees_inner(p) ? read_inner(p, type, &name) : bsim_cu_dimensions(p, type);
}
