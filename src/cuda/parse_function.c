/* parse_function.c - heads of functions; bodies are read when somebody asks for them. */
#include "base/table.h"
#include "cuda/mangle.h"
#include "cuda/parse.h"

static struct cu_variable *new_parameter(struct cu_parser *p, const struct cu_type *type,
                                         const struct cu_token *name)
{
    struct cu_variable *variable = bsim_cu_take(p->file, sizeof *variable);
    variable->type = type;
    variable->token = name;
    variable->name = name != NULL ? bsim_cu_spelled(p->file, name) : "";
    return variable;
}

/* parameters = "(" ["void" | specifiers declarator ["=" assignment] ("," ...)*] ")" */
static void read_parameters(struct cu_parser *p, struct cu_variable **end)
{
    bsim_cu_expect(p, "(");
    if (bsim_cu_sees(p, "void") && bsim_cu_sees_next(p, ")")) {
        bsim_cu_advance(p);
    }
    while (bsim_cu_goes_on(p, ")")) {
        struct cu_declaration d;
        const struct cu_token *name;
        bsim_cu_specifiers(p, &d);
        const struct cu_type *type = bsim_cu_declarator(p, d.type, &name);
        if (type->kind == CU_ARRAY) {
            type = bsim_cu_pointer(p->file, type->of);
        }
        if (type->kind == CU_VOID || d.is_auto) {
            bsim_cu_stop(p, p->token, "such a parameter is not read here");
        }
        *end = new_parameter(p, type, name);
        if (bsim_cu_accept(p, "=")) {
            (*end)->value = bsim_cu_convert(p, bsim_cu_assignment(p),
                                            type->kind == CU_REFERENCE ? type->of : type, p->token);
        }
        end = &(*end)->next;
        bsim_cu_end_item(p, ")");
    }
}

/* The function of that mangled name, new or declared before. */
static struct cu_function *add_function(struct cu_parser *p, struct cu_function *function)
{
    struct cu_function **end = &p->module->functions;
    for (; *end != NULL; end = &(*end)->next) {
        if ((*end)->hash != function->hash || (*end)->owner != function->owner ||
            strcmp((*end)->symbol, function->symbol) != 0) {
            continue;
        }
        if (p->token != NULL && bsim_cu_sees(p, "{") && (*end)->body_tokens == NULL) {
            struct cu_variable *old = (*end)->parameters, *v = function->parameters;
            for (; v != NULL && old != NULL; v = v->next, old = old->next) {
                v->value = v->value != NULL ? v->value : old->value;
            }
            (*end)->parameters = function->parameters;
            (*end)->scope = function->scope;
            (*end)->max_threads =
                function->max_threads > 0 ? function->max_threads : (*end)->max_threads;
        }
        return *end;
    }
    *end = function;
    bsim_cu_add_name(p, function->token, CU_NAME_FUNCTION)->function = function;
    return function;
}

/* tail = ("const" | "noexcept" | "override" | "mutable")* ["->" type-name]; whether it says const */
static bool read_tail(struct cu_parser *p, struct cu_function *function)
{
    bool is_const = false;
    while (bsim_cu_sees_any(p, "const noexcept override mutable")) {
        is_const = is_const || bsim_cu_sees(p, "const");
        bsim_cu_advance(p);
    }
    if (bsim_cu_accept(p, "->")) {
        function->result = bsim_cu_type_name(p);
    }
    return is_const;
}

/* "{}" at the token at hand. */
static const struct cu_token *empty_body(struct cu_parser *p)
{
    struct cu_token *pair = bsim_cu_take_many(p->file, 2, sizeof *pair);
    if (pair != NULL) {
        pair[0] = pair[1] = *p->token;
        pair[0].kind = pair[1].kind = CU_SIGN;
        pair[0].length = pair[1].length = 1;
        pair[0].text = "{";
        pair[1].text = "}";
        pair[0].next = &pair[1];
    }
    return pair;
}

/* body = ";" | "=" ("default" | "delete") ";" | [":" initialisers] compound */
static void take_body(struct cu_parser *p, struct cu_function *function)
{
    if (bsim_cu_accept(p, "=")) {
        bool is_first = function->is_constructor && function->parameters->next == NULL;
        function->body_tokens =
            is_first && bsim_cu_sees(p, "default") ? empty_body(p) : function->body_tokens;
        function->is_default = !is_first && bsim_cu_sees(p, "default");
        bsim_cu_advance(p);
    }
    if (!bsim_cu_sees_any(p, "{ :")) {
        bsim_cu_expect(p, ";");
        return;
    }
    if (function->body_tokens != NULL) {
        bsim_cu_stop(p, function->token, "this function has a body already");
        return;
    }
    function->body_tokens = p->token;
    for (bool is_list = bsim_cu_accept(p, ":"); is_list && !bsim_cu_failed(p->file);
         is_list = bsim_cu_accept(p, ",")) {
        bsim_cu_skip_initialiser(p);
    }
    bsim_cu_skip_brackets(p);
}

/* Of auto alone it is what the body returns first: NULL. */
static const struct cu_type *result_of(struct cu_parser *p, const struct cu_declaration *d,
                                       const struct cu_type *result, const struct cu_token *name)
{
    if (d->is_auto && result != d->type) {
        bsim_cu_stop(p, name, "what this function returns is read as auto alone: say its type");
    }
    return d->is_auto ? NULL : result;
}

/* function = specifiers stars name parameters body */
struct cu_function *bsim_cu_read_function(struct cu_parser *p, const struct cu_declaration *d,
                                          const struct cu_type *result, const struct cu_token *name,
                                          bool is_c)
{
    struct cu_function *function = bsim_cu_take(p->file, sizeof *function);
    struct cu_template *template = p->template;
    struct cu_variable *this = NULL, **end = &function->parameters;
    *function = (struct cu_function){.name = bsim_cu_spelled(p->file, name),
                                     .token = name,
                                     .result = result_of(p, d, result, name),
                                     .is_kernel = d->is_global,
                                     .is_static = d->is_static,
                                     .is_constexpr = d->is_constexpr,
                                     .max_threads = d->max_threads,
                                     .min_blocks = d->min_blocks,
                                     .scope = p->scope,
                                     .owner = p->owner,
                                     .space = p->space};
    p->template = NULL;
    if (template != NULL) {
        function->argument = p->arguments;
        function->n_arguments = p->n_arguments;
    }
    if (p->owner != NULL && !d->is_static) {
        this = new_parameter(p, bsim_cu_pointer(p->file, p->owner), bsim_cu_named(p, "this", name));
        *end = this;
        end = &this->next;
        function->is_constructor = strcmp(function->name, CU_CONSTRUCTOR) == 0;
    }
    read_parameters(p, end);
    if (read_tail(p, function) && this != NULL) {
        this->type = bsim_cu_pointer(p->file, bsim_cu_qualified(p->file, p->owner, true, false));
    }
    if (d->is_global && (function->result == NULL || function->result->kind != CU_VOID)) {
        bsim_cu_stop(p, name, "a kernel returns void");
    }
    if (bsim_cu_failed(p->file)) {
        return function;
    }
    function->symbol = is_c ? function->name : bsim_cu_mangle(p->file, function);
    function->hash = bsim_table_hash_text(function->symbol, strlen(function->symbol));
    function = add_function(p, function);
    take_body(p, function);
    return function;
}
