/* parse_lambda.c - lambdas: objects of a struct of their own, with one function.
 *
 *     auto at = [&](int r, int c) { return r * pitch + c; };      struct { int operator()(int r, int c); } at;
 *
 * As every call is inlined, what is captured by reference is the variable itself. What is captured by value
 * is copied where the lambda stands, as soon as its body is found to use it.
 */
#include "cuda/parse.h"

/* The variable of that name in the lambda's own scopes becomes a copy of the value. */
static struct cu_variable *copy(struct cu_parser *p, struct cu_function *lambda,
                                const struct cu_token *name, struct cu_node *value)
{
    struct cu_node *made = bsim_cu_temporary(p, value->type, value, name);
    struct cu_parser inner = *p;
    made->next = lambda->captured;
    lambda->captured = made;
    inner.scope = lambda->scope;
    bsim_cu_add_name(&inner, name, CU_NAME_VARIABLE)->variable = made->variable;
    return made->variable;
}

/* Whether the name stands in the lambda itself. */
static bool is_own(const struct cu_parser *p, const struct cu_token *name)
{
    const struct cu_scope *scope = p->scope;
    while (scope != NULL && scope != p->function->scope && bsim_cu_find_in(scope, name) == NULL) {
        scope = scope->outer;
    }
    return scope != NULL && bsim_cu_find_in(scope, name) != NULL;
}

struct cu_variable *bsim_cu_captured(struct cu_parser *p, const struct cu_token *name,
                                     struct cu_variable *variable)
{
    struct cu_function *lambda = p->function;
    bool is_copied = lambda != NULL && lambda->copies && variable->storage == CU_LOCAL &&
                     !variable->is_constant && !is_own(p, name);
    return is_copied ? copy(p, lambda, name, bsim_cu_variable(p, variable, name)) : variable;
}

/* capture = "&" | "=" | "this" | ["&"] name | name "=" assignment */
static void read_capture(struct cu_parser *p, struct cu_function *lambda)
{
    bool is_reference = bsim_cu_accept(p, "&");
    bool is_all = bsim_cu_sees_any(p, "] ,");
    if (bsim_cu_accept(p, "=")) {
        lambda->copies = true;
        return;
    }
    if (bsim_cu_accept(p, "this") || is_all) {
        return;
    }
    const struct cu_token *name = bsim_cu_expect_name(p, "what the lambda takes with it");
    if (bsim_cu_accept(p, "=")) {
        (void)copy(p, lambda, name, bsim_cu_rvalue(p, bsim_cu_assignment(p)));
        return;
    }
    const struct cu_name *found = bsim_cu_find(p, name);
    if (found == NULL || found->kind != CU_NAME_VARIABLE) {
        bsim_cu_stop(p, name, "a variable's name should stand here");
    } else if (is_reference) {
        struct cu_parser inner = *p;
        inner.scope = lambda->scope;
        bsim_cu_add_name(&inner, name, CU_NAME_VARIABLE)->variable = found->variable;
    } else if (found->variable->storage == CU_LOCAL && !found->variable->is_constant) {
        (void)copy(p, lambda, name, bsim_cu_variable(p, found->variable, name));
    }
}

/* Its head, with or without parameters, and its body, which says what it returns. */
static struct cu_function *read_function(struct cu_parser *p, const struct cu_function *captures,
                                         const struct cu_token *at)
{
    const struct cu_declaration d = {.type = NULL};
    struct cu_parser outer = *p;
    p->owner = captures->owner;
    p->scope = captures->scope;
    struct cu_function *lambda =
        bsim_cu_read_function(p, &d, NULL, bsim_cu_named(p, "operator()", at), false);
    lambda->copies = captures->copies;
    lambda->captured = captures->captured;
    lambda->is_used = true;
    lambda->parameters->token = NULL; /* `this` is that of the function around */
    const struct cu_token *behind = p->token;
    if (lambda->body_tokens == NULL) {
        bsim_cu_stop(p, at, "a lambda's body is missing");
    } else {
        bsim_cu_read_body(p, lambda);
    }
    bsim_cu_go_back_to(p, &outer, behind);
    return lambda;
}

/* lambda = "[" [capture ("," capture)*] "]" parameters ["mutable"] ["->" type-name] compound */
struct cu_node *bsim_cu_read_lambda(struct cu_parser *p)
{
    const struct cu_token *at = p->token;
    struct cu_function captures = {.scope = NULL};
    struct cu_type *type =
        bsim_cu_struct(p->file, bsim_cu_text(p->file, "lambda%u", p->module->n_lambdas++), false);
    struct cu_node *value = bsim_cu_typed(p, CU_ZERO, type, NULL, NULL, at);
    bsim_cu_enter(p);
    type->scope = captures.scope = p->scope;
    bsim_cu_leave(p);
    bsim_cu_end_struct(type, 0);
    captures.owner = type;
    bsim_cu_advance(p);
    while (bsim_cu_goes_on(p, "]")) {
        read_capture(p, &captures);
        bsim_cu_end_item(p, "]");
    }
    if (p->function->copies) {
        bsim_cu_stop(p, at, "a lambda in one that copies what it uses is not read here");
    }
    if (!bsim_cu_sees(p, "(")) {
        bsim_cu_stop(p, p->token, "a lambda's parameters should stand here, if only as ()");
        return value;
    }
    const struct cu_function *lambda = read_function(p, &captures, at);
    for (struct cu_node *made = lambda->captured, *next; made != NULL; made = next) {
        next = made->next;
        made->next = NULL;
        value = bsim_cu_typed(p, CU_COMMA, type, made, value, at);
    }
    return value;
}
