/* parse.c - the file: heads of device functions, variables, types, and host code, which is passed over.
 *
 * A declaration of device code that cannot be read makes its name unreadable, with the reason, which is
 * told where the name is used: a file of ten kernels is not refused for the one that nobody launches.
 * Bodies are read when a kernel asks for them, for the same reason.
 */
#include "cuda/parse.h"

#include "cuda/mangle.h"

#include <stdio.h>

/* ---- functions ------------------------------------------------------------------------------- */

/* parameters = "(" ["void" | specifiers declarator ("," specifiers declarator)*] ")" */
static void read_parameters(struct cu_parser *p, struct cu_function *function)
{
    struct cu_variable **end = &function->parameters;
    bsim_cu_expect(p, "(");
    if (bsim_cu_sees(p, "void") && bsim_cu_sees_next(p, ")")) {
        bsim_cu_advance(p);
    }
    while (bsim_cu_goes_on(p, ")")) {
        struct cu_declaration d;
        const struct cu_token *name;
        struct cu_variable *variable = bsim_cu_take(p->file, sizeof *variable);
        bsim_cu_specifiers(p, &d);
        const struct cu_type *type = bsim_cu_declarator(p, d.type, &name);
        if (type->kind == CU_ARRAY) {
            type = bsim_cu_pointer(p->file, type->of);
        }
        if (bsim_cu_sees(p, "=") || !type->is_complete || type->kind == CU_VOID || d.is_auto) {
            bsim_cu_stop(p, p->token, "such a parameter is not read here");
        }
        variable->type = type;
        variable->token = name;
        variable->name =
            name != NULL ? bsim_cu_text(p->file, "%.*s", (int)name->length, name->text) : "";
        *end = variable;
        end = &variable->next;
        if (!bsim_cu_sees(p, ")")) {
            bsim_cu_expect(p, ",");
        }
    }
}

/* The function of that mangled name, new or declared before. */
static struct cu_function *add_function(struct cu_parser *p, struct cu_function *function)
{
    struct cu_function **end = &p->module->functions;
    for (; *end != NULL; end = &(*end)->next) {
        if (strcmp((*end)->symbol, function->symbol) != 0) {
            continue;
        }
        if (p->token != NULL && bsim_cu_sees(p, "{") && (*end)->body_tokens == NULL) {
            (*end)->parameters = function->parameters;
            (*end)->max_threads =
                function->max_threads > 0 ? function->max_threads : (*end)->max_threads;
        }
        return *end;
    }
    *end = function;
    bsim_cu_add_name(p, function->token, CU_NAME_FUNCTION)->function = function;
    return function;
}

/* function = specifiers stars name parameters (compound | ";") */
static void read_function(struct cu_parser *p, const struct cu_declaration *d,
                          const struct cu_type *result, const struct cu_token *name, bool is_c)
{
    struct cu_function *function = bsim_cu_take(p->file, sizeof *function);
    function->name = bsim_cu_text(p->file, "%.*s", (int)name->length, name->text);
    function->token = name;
    function->result = result;
    function->is_kernel = d->is_global;
    function->max_threads = d->max_threads;
    function->min_blocks = d->min_blocks;
    function->scope = p->scope;
    read_parameters(p, function);
    (void)bsim_cu_accept(p, "const");
    (void)bsim_cu_accept(p, "noexcept");
    if (d->is_global && result->kind != CU_VOID) {
        bsim_cu_stop(p, name, "a kernel returns void");
    }
    if (bsim_cu_failed(p->file)) {
        return;
    }
    function->symbol = is_c ? function->name : bsim_cu_mangle(p->file, function);
    function = add_function(p, function);
    if (!bsim_cu_sees(p, "{")) {
        bsim_cu_expect(p, ";");
    } else if (function->body_tokens != NULL) {
        bsim_cu_stop(p, name, "this function has a body already");
    } else {
        function->body_tokens = p->token;
        bsim_cu_skip_brackets(p);
    }
}

/* ---- declarations of the file ---------------------------------------------------------------- */

/* Specifiers, then functions or variables. */
static void read_declaration(struct cu_parser *p, bool is_c)
{
    struct cu_declaration d;
    bsim_cu_specifiers(p, &d);
    while (bsim_cu_goes_on(p, ";")) {
        const struct cu_token *name;
        const struct cu_type *type = bsim_cu_declarator(p, d.type, &name);
        if (name == NULL) {
            bsim_cu_stop(p, p->token, "a name should stand here, not '%.*s'",
                         bsim_cu_shown(p->token), p->token->text);
        } else if (bsim_cu_sees(p, "(") && !d.is_typedef) {
            read_function(p, &d, type, name, is_c);
            return;
        } else if (d.is_typedef) {
            bsim_cu_add_name(p, name, CU_NAME_TYPE)->type = type;
        } else {
            (void)bsim_cu_new_variable(p, name, type, &d);
        }
        if (!bsim_cu_sees(p, ";")) {
            bsim_cu_expect(p, ",");
        }
    }
}

/* alias = "using" name "=" type-name ";" */
static void read_alias(struct cu_parser *p)
{
    bsim_cu_advance(p);
    const struct cu_token *name = bsim_cu_expect_name(p, "a name");
    bsim_cu_expect(p, "=");
    const struct cu_type *type = bsim_cu_type_name(p);
    bsim_cu_expect(p, ";");
    bsim_cu_add_name(p, name, CU_NAME_TYPE)->type = type;
}

/* ---- what is passed over --------------------------------------------------------------------- */

static bool begins_type(const struct cu_token *token)
{
    return bsim_cu_is(token, "struct") || bsim_cu_is(token, "class") ||
           bsim_cu_is(token, "union") || bsim_cu_is(token, "enum") || bsim_cu_is(token, "typedef");
}

/* Behind a declaration: its ';', or the '}' of a body. */
static void skip_declaration(struct cu_parser *p)
{
    bool has_tail = begins_type(p->token);
    while (p->token->kind != CU_END && !bsim_cu_sees(p, ";") && !bsim_cu_sees(p, "}")) {
        has_tail = has_tail || bsim_cu_sees(p, "=");
        if (bsim_cu_sees(p, "(") || bsim_cu_sees(p, "[")) {
            bsim_cu_skip_brackets(p);
        } else if (bsim_cu_sees(p, "{")) {
            bsim_cu_skip_brackets(p);
            if (!has_tail) {
                return;
            }
        } else {
            bsim_cu_advance(p);
        }
    }
    if (!bsim_cu_accept(p, ";")) {
        bsim_cu_advance(p); /* a '}' that nobody opened: each call goes on by a token at least */
    }
}

/* Whether the declaration at hand is one of the device's, by its words up to its '(', '=' or body. */
static bool is_of_device(const struct cu_token *token)
{
    static const char *const words[] = {"__global__", "__device__", "__constant__", "__shared__",
                                        "__managed__"};
    for (; token->kind != CU_END; token = token->next) {
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            if (bsim_cu_is(token, words[i])) {
                return true;
            }
        }
        bool is_bounds = bsim_cu_is(token, "__launch_bounds__") || bsim_cu_is(token, "__align__") ||
                         bsim_cu_is(token, "__attribute__");
        if (!is_bounds && (bsim_cu_is(token, "=") || bsim_cu_is(token, "(") ||
                           bsim_cu_is(token, "{") || bsim_cu_is(token, ";"))) {
            return false;
        }
    }
    return false;
}

/* Whether device code may use it: a type, or a constant. */
static bool may_be_used(const struct cu_token *token)
{
    while (bsim_cu_is(token, "static") || bsim_cu_is(token, "inline")) {
        token = token->next;
    }
    return begins_type(token) || bsim_cu_is(token, "const") || bsim_cu_is(token, "constexpr");
}

/* The name that the declaration at hand declares, as far as that can be told without reading it: the
 * last one before its '(', '=', '[', '{' or ';'; behind a typedef's '}' that. */
static const struct cu_token *guess_name(const struct cu_token *token)
{
    const struct cu_token *name = NULL;
    bool is_typedef = bsim_cu_is(token, "typedef");
    uint32_t depth = 0;
    for (; token->kind != CU_END; token = token->next) {
        bool opens = bsim_cu_is(token, "{");
        bool is_attribute = token->kind == CU_NAME && token->length > 2 && token->text[0] == '_' &&
                            token->text[1] == '_';
        if (depth == 0 &&
            (bsim_cu_is(token, ";") || bsim_cu_is(token, "=") || bsim_cu_is(token, "[") ||
             bsim_cu_is(token, ":") || (opens && !is_typedef))) {
            break;
        }
        if (depth == 0 && bsim_cu_is(token, "(") && name != NULL) {
            break;
        }
        depth += opens;
        depth -= bsim_cu_is(token, "}") && depth > 0;
        if (is_attribute && bsim_cu_is(token->next, "(")) {
            while (token->next->kind != CU_END && !bsim_cu_is(token, ")")) {
                token = token->next;
            }
        } else if (depth == 0 && token->kind == CU_NAME && !is_attribute) {
            name = token;
        }
    }
    return name;
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
        read_declaration(p, is_c);
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
    p->token = begin;
    const struct cu_token *name = guess_name(begin);
    skip_declaration(p);
    if (name != NULL) {
        struct cu_name *added = bsim_cu_add_name(p, name, CU_NAME_UNREADABLE);
        added->why =
            bsim_cu_text(p->file, "%s (line %llu)", own.message, (unsigned long long)own.line);
    }
}

/* A template's name, which is told where it is used. */
static void skip_template(struct cu_parser *p)
{
    bsim_cu_advance(p);
    uint32_t depth = 0;
    do {
        depth += bsim_cu_sees(p, "<");
        depth -= bsim_cu_sees(p, ">") ? 1 : bsim_cu_sees(p, ">>") ? 2 : 0;
        bsim_cu_advance(p);
    } while (depth > 0 && depth < 100 && p->token->kind != CU_END);
    const struct cu_token *name = guess_name(p->token);
    if (name != NULL && is_of_device(p->token)) {
        bsim_cu_add_name(p, name, CU_NAME_UNREADABLE)->why = "templates are not";
    }
    skip_declaration(p);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Opens what other declarations stand in: extern "C" {, namespace x {. False if it is none. */
static bool enter_group(struct cu_parser *p, bool *is_c)
{
    if (bsim_cu_sees(p, "extern") && p->token->next->kind == CU_STRING) {
        *is_c = true;
        bsim_cu_advance(p);
        bsim_cu_advance(p);
        return bsim_cu_accept(p, "{");
    }
    if (!bsim_cu_sees(p, "namespace")) {
        return false;
    }
    while (p->token->kind != CU_END && !bsim_cu_sees(p, "{") && !bsim_cu_sees(p, ";")) {
        bsim_cu_advance(p);
    }
    bsim_cu_advance(p);
    return true;
}

static void read_one(struct cu_parser *p, bool is_c)
{
    if (bsim_cu_accept(p, ";") || bsim_cu_accept(p, "}")) {
        return;
    }
    if (bsim_cu_sees(p, "template")) {
        skip_template(p);
    } else if (bsim_cu_sees(p, "using") && !bsim_cu_sees_next(p, "namespace")) {
        try_declaration(p, read_alias, is_c);
    } else if (is_of_device(p->token) || may_be_used(p->token)) {
        try_declaration(p, NULL, is_c);
    } else {
        skip_declaration(p);
    }
}

void bsim_cu_parse_file(struct cu_parser *p)
{
    bool is_all_c = false; /* within extern "C" { */
    bsim_cu_enter(p);
    p->outermost = p->scope;
    while (p->token->kind != CU_END && !bsim_cu_failed(p->file)) {
        bool is_c = false;
        if (p->token->kind == CU_UNROLL) {
            bsim_cu_advance(p);
        } else if (enter_group(p, &is_c)) {
            is_all_c = is_all_c || is_c;
        } else {
            is_all_c = is_all_c && !bsim_cu_sees(p, "}");
            read_one(p, is_c || is_all_c);
        }
    }
}
