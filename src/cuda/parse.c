/* parse.c - the file: heads of device functions, variables, types, and host code, which is passed over.
 *
 * A declaration of device code that cannot be read makes its name unreadable, with the reason, which is
 * told where the name is used: a file of ten kernels is not refused for the one that nobody launches.
 * Bodies are read when a kernel asks for them, for the same reason.
 */
#include "cuda/parse.h"

/* ---- declarations of the file ---------------------------------------------------------------- */

/* A function for certain arguments of a template: name "<" arguments ">" ... */
static void read_special(struct cu_parser *p, const struct cu_declaration *d,
                         const struct cu_type *result, const struct cu_token *name)
{
    struct cu_argument argument[CU_MOST_PARAMETERS] = {{0}};
    struct cu_scope *scope = p->scope;
    uint32_t n = bsim_cu_read_arguments(p, argument);
    const struct cu_name *found = bsim_cu_find(p, name);
    if (found == NULL || found->kind != CU_NAME_TEMPLATE) {
        bsim_cu_stop(p, name, "there is no template of this name");
        return;
    }
    n = bsim_cu_fit_arguments(p, found->template, argument, n);
    struct cu_instance *instance = bsim_cu_instance(p, found->template, argument, n);
    p->template = found->template;
    p->arguments = argument;
    p->n_arguments = n;
    bsim_cu_enter(p); /* its name is the template's */
    instance->function = bsim_cu_read_function(p, d, result, name, false);
    p->scope = scope;
}

/* const int n(16): a value in brackets, where functions have the types of their parameters. */
static bool makes_variable(const struct cu_parser *p, const struct cu_declaration *d)
{
    struct cu_parser look = *p;
    look.token = p->token->next;
    return d->is_const && !bsim_cu_sees(&look, ")") && !bsim_cu_sees_type(&look);
}

/* Specifiers, then functions or variables. */
void bsim_cu_read_declaration(struct cu_parser *p, bool is_c)
{
    struct cu_declaration d;
    bsim_cu_specifiers(p, &d);
    while (bsim_cu_goes_on(p, ";")) {
        const struct cu_token *name;
        p->takes_function = d.is_typedef;
        const struct cu_type *type = bsim_cu_declarator(p, d.type, &name);
        p->takes_function = false;
        if (name != NULL && bsim_cu_sees(p, "<")) {
            read_special(p, &d, type, name);
            return;
        }
        if (name == NULL) {
            bsim_cu_stop(p, p->token, "a name should stand here, not '%.*s'",
                         bsim_cu_shown(p->token), p->token->text);
        } else if (bsim_cu_sees(p, "(") && !d.is_typedef && !makes_variable(p, &d)) {
            (void)bsim_cu_read_function(p, &d, type, name, is_c);
            return;
        } else if (d.is_typedef) {
            bsim_cu_add_name(p, name, CU_NAME_TYPE)->type = type;
        } else {
            (void)bsim_cu_new_variable(p, name, type, &d);
        }
        bsim_cu_end_item(p, ";");
    }
}

/* Whether device code may use it: a type, or a constant. */
static bool may_be_used(const struct cu_token *token)
{
    while (bsim_cu_is_any(token, "static inline")) {
        token = token->next;
    }
    return bsim_cu_begins_type(token) || bsim_cu_is_any(token, "const constexpr");
}

/* Reads the declaration; what cannot be read is passed over, and its name remembers why. */
static void try_declaration(struct cu_parser *p, void (*read)(struct cu_parser *), bool is_c)
{
    const struct cu_token *begin = p->token;
    struct bsim_error own = {.status = BSIM_OK}, *err = p->file->err;
    p->file->err = &own;
    if (read != NULL) {
        read(p);
    } else {
        bsim_cu_read_declaration(p, is_c);
    }
    p->file->err = err;
    if (p->file->status == BSIM_E_MEMORY) {
        (void)bsim_error_set(err, BSIM_E_MEMORY, "%s", own.message);
        return;
    }
    if (p->file->status == BSIM_OK) {
        return;
    }
    p->file->status = BSIM_OK;
    p->scope = p->outermost;
    p->depth = 0;
    p->owner = NULL;
    p->template = NULL;
    p->in_angles = p->takes_function = false;
    p->token = begin;
    const struct cu_token *name = bsim_cu_guess_name(begin);
    bsim_cu_skip_declaration(p);
    if (name != NULL) {
        struct cu_name *added = bsim_cu_add_name(p, name, CU_NAME_UNREADABLE);
        added->why = strstr(own.message, "(line ") != NULL /* of what it is made of: that line says more */
                         ? bsim_cu_text(p->file, "%s", own.message)
                         : bsim_cu_text(p->file, "%s (line %llu)", own.message, (unsigned long long)own.line);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* What other declarations stand in: extern "C" {, namespace x {. */
struct group {
    bool is_c;
    const char *space;
};

/* space = "namespace" [name ("::" name)*] "{" | "namespace" name "=" ... ";" */
static bool enter_space(struct cu_parser *p)
{
    const char *space = p->space;
    bsim_cu_advance(p);
    while (p->token->kind != CU_END && !bsim_cu_sees_any(p, "{ ;")) {
        if (p->token->kind == CU_NAME && bsim_cu_find(p, p->token) == NULL) {
            bsim_cu_add_name(p, p->token, CU_NAME_SPACE);
        }
        if (p->token->kind == CU_NAME) {
            space = bsim_cu_space_in(p, space);
        }
        bsim_cu_advance(p);
    }
    bool is_open = bsim_cu_sees(p, "{");
    p->space = is_open ? space : p->space;
    bsim_cu_advance(p);
    return is_open;
}

static void read_one(struct cu_parser *p, bool is_c)
{
    if (bsim_cu_accept(p, ";")) {
        return;
    }
    if (bsim_cu_sees(p, "template")) {
        try_declaration(p, bsim_cu_read_template, is_c);
    } else if (bsim_cu_sees(p, "using")) {
        try_declaration(p, bsim_cu_read_alias, is_c);
    } else if (bsim_cu_is_of_device(p->token) || may_be_used(p->token)) {
        try_declaration(p, NULL, is_c);
    } else {
        bsim_cu_skip_declaration(p);
    }
}

void bsim_cu_parse_file(struct cu_parser *p)
{
    enum { MOST_GROUPS = 32 };
    struct group group[MOST_GROUPS] = {{false, NULL}};
    uint32_t n = 0;
    bsim_cu_enter(p);
    p->outermost = p->scope;
    while (p->token->kind != CU_END && !bsim_cu_failed(p->file)) {
        bool is_c = bsim_cu_sees(p, "extern") && p->token->next->kind == CU_STRING;
        bool opens = false;
        if (is_c) {
            bsim_cu_advance(p);
            bsim_cu_advance(p);
            opens = bsim_cu_accept(p, "{");
        } else if (bsim_cu_sees(p, "namespace")) {
            opens = enter_space(p);
            if (!opens) {
                continue;
            }
        } else if (p->token->kind == CU_UNROLL || bsim_cu_sees(p, "}")) {
            if (bsim_cu_sees(p, "}") && n == 0) {
                bsim_cu_stop(p, p->token, "this } closes nothing");
            }
            n -= bsim_cu_sees(p, "}") && n > 0;
            bsim_cu_advance(p);
            p->space = group[n].space;
            continue;
        }
        if (opens) {
            bool is_inner_c = is_c || group[n].is_c;
            n += n + 1 < MOST_GROUPS;
            group[n] = (struct group){is_inner_c, p->space};
        } else {
            read_one(p, is_c || group[n].is_c);
        }
    }
}
