/* parse_statement.c - statements, declarations in functions, and the bodies of functions. */
#include "cuda/parse.h"

#include "base/scan.h"

static struct cu_node *read_statement(struct cu_parser *p);
static bool sees_declaration(const struct cu_parser *p);

/* ---- declarations ---------------------------------------------------------------------------- */

/* Its name is that which nvcc gives it. */
void bsim_cu_add_to_module(struct cu_parser *p, struct cu_variable *variable)
{
    struct cu_variable **end = &p->module->variables;
    bool is_inner = p->function != NULL && !variable->is_extern;
    variable->symbol = variable->name;
    if (is_inner) {
        variable->symbol = bsim_cu_text(
            p->file, "_ZZ%sE%zu%s%s", p->function->symbol + 2, strlen(variable->name),
            variable->name, p->n_locals > 0 ? bsim_cu_text(p->file, "_%u", p->n_locals) : "");
        for (const struct cu_variable *v = p->module->variables; v != NULL; v = v->next) {
            p->n_locals += strcmp(v->name, variable->name) == 0;
        }
    }
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = variable;
}

static void check_storage(struct cu_parser *p, const struct cu_variable *v,
                          const struct cu_declaration *d)
{
    bool is_open = v->type->kind == CU_ARRAY && v->type->count == 0;
    if (v->type->kind == CU_VOID || !v->type->is_complete) {
        bsim_cu_stop(p, v->token, "the size of '%s' is not known", v->name);
    } else if (is_open && v->value == NULL && !(d->is_extern && d->is_shared)) {
        bsim_cu_stop(p, v->token, "the size of the array '%s' is missing", v->name);
    } else if (v->storage == CU_SHARED && v->value != NULL) {
        bsim_cu_stop(p, v->token, "shared memory has no values at first");
    } else if (v->storage == CU_LOCAL && d->is_static && !d->is_const) {
        bsim_cu_stop(p, v->token, "static variables of functions are not read here");
    } else if (v->storage == CU_LOCAL && d->is_extern) {
        bsim_cu_stop(p, v->token, "this is declared elsewhere, where nothing is read");
    }
}

/* What stands behind the name: "=" initializer | initializer | "(" expression ")" */
static struct cu_node *read_value(struct cu_parser *p, const struct cu_type *type)
{
    const struct cu_token *at = p->token;
    if (bsim_cu_accept(p, "=") || bsim_cu_sees(p, "{")) {
        return bsim_cu_initializer(p, type);
    }
    if (!bsim_cu_accept(p, "(")) {
        return NULL;
    }
    if (type->kind == CU_STRUCT && strcmp(type->name, "dim3") == 0) {
        return bsim_cu_read_dim3(p, type);
    }
    struct cu_node *value = bsim_cu_assignment(p);
    if (type->kind == CU_STRUCT && bsim_cu_sees(p, ",")) {
        bsim_cu_stop(p, at, "write the members' values in { }");
    }
    bsim_cu_expect(p, ")");
    return bsim_cu_convert(p, value, type, at);
}

/* A reference is a pointer that is set once. */
static struct cu_node *read_reference(struct cu_parser *p, const struct cu_type *type)
{
    const struct cu_token *at = p->token;
    bsim_cu_expect(p, "=");
    return bsim_cu_bind(p, bsim_cu_assignment(p), type, at);
}

/* Of auto the type is the value's. */
static struct cu_node *read_inferred(struct cu_parser *p, const struct cu_type *type, bool is_auto)
{
    if (type->kind == CU_REFERENCE && !is_auto) {
        return read_reference(p, type);
    }
    bool is_bracketed = bsim_cu_accept(p, "(");
    if (!is_bracketed) {
        bsim_cu_expect(p, "=");
    }
    const struct cu_token *at = p->token;
    struct cu_node *value = bsim_cu_assignment(p);
    if (is_bracketed) {
        bsim_cu_expect(p, ")");
    }
    return type->kind == CU_REFERENCE ? bsim_cu_address(p, value, at) : bsim_cu_rvalue(p, value);
}

/* It, as it is set for the first time. */
static struct cu_node *plain_object(struct cu_parser *p, struct cu_variable *variable)
{
    struct cu_node *object = bsim_cu_variable(p, variable, variable->token);
    object->type = bsim_cu_plain(variable->type);
    return object;
}

/* A struct with constructors, or with values for its members: what makes it is its value, to be done when
 * it is declared. */
static void make_object(struct cu_parser *p, struct cu_variable *variable)
{
    const struct cu_token *at = p->token;
    struct cu_node *object = plain_object(p, variable);
    bool is_list = bsim_cu_sees(p, "{") && variable->type->has_constructor;
    if (bsim_cu_sees(p, "=") || (bsim_cu_sees(p, "{") && !is_list)) {
        (void)bsim_cu_accept(p, "=");
        variable->value = bsim_cu_initializer(p, object->type);
    } else if (bsim_cu_accept(p, "(") || bsim_cu_accept(p, "{")) {
        variable->maker = bsim_cu_construct(p, object, NULL, is_list ? "}" : ")", at);
    } else {
        variable->maker = bsim_cu_make(p, object, at);
    }
}

static void note_constant(struct cu_variable *variable, const struct cu_declaration *d)
{
    uint64_t whole;
    double real;
    bool is_plain = variable->storage == CU_LOCAL && variable->value != NULL &&
                    (d->is_const || d->is_constexpr) && !variable->type->is_volatile;
    variable->is_constant =
        is_plain &&
        ((bsim_cu_is_integer(variable->type) && bsim_cu_constant(variable->value, &whole)) ||
         (bsim_cu_is_floating(variable->type) && bsim_cu_real_constant(variable->value, &real)));
}

struct cu_variable *bsim_cu_new_variable(struct cu_parser *p, const struct cu_token *name,
                                         const struct cu_type *type, const struct cu_declaration *d)
{
    struct cu_variable *variable = bsim_cu_take(p->file, sizeof *variable);
    *variable = (struct cu_variable){.name = bsim_cu_spelled(p->file, name),
                                     .type = type,
                                     .token = name,
                                     .alignment = d->alignment,
                                     .is_extern = d->is_extern};
    variable->storage = d->is_shared     ? CU_SHARED
                        : d->is_constant ? CU_CONSTANT
                        : d->is_device   ? CU_DEVICE
                                         : CU_LOCAL;
    if (variable->storage == CU_SHARED && d->is_extern) {
        variable->alignment = variable->alignment > 16 ? variable->alignment : 16;
    }
    const struct cu_name *there = p->function != NULL ? bsim_cu_find_in(p->scope, name) : NULL;
    if (there != NULL && there->kind == CU_NAME_VARIABLE && !d->is_extern && there->token->line > 0) {
        bsim_cu_stop(p, name, "a second '%s' in one block: the first one stands in line %d", variable->name,
                     (int)there->token->line);
    }
    bsim_cu_add_name(p, name, CU_NAME_VARIABLE)->variable = variable;
    if (bsim_cu_failed(p->file)) {
        return variable;
    }
    bool is_made = type->kind == CU_STRUCT && (type->has_constructor || type->has_values) &&
                   variable->storage == CU_LOCAL && !d->is_auto;
    if (is_made) {
        make_object(p, variable);
        return variable;
    }
    variable->value = d->is_auto || type->kind == CU_REFERENCE ? read_inferred(p, type, d->is_auto)
                                                               : read_value(p, type);
    if (d->is_auto && variable->value != NULL) {
        const struct cu_type *of = variable->value->type;
        bool is_reference = type->kind == CU_REFERENCE;
        variable->type = is_reference
                             ? bsim_cu_reference(p->file, of->of)
                             : bsim_cu_qualified(p->file, bsim_cu_plain(of), d->is_const, false);
    } else if (variable->value != NULL && type->kind == CU_ARRAY && type->count == 0) {
        variable->type = variable->value->type;
    }
    if (!bsim_cu_failed(p->file)) {
        check_storage(p, variable, d);
        note_constant(variable, d);
    }
    if (variable->storage == CU_LOCAL && variable->value == NULL && !bsim_cu_failed(p->file)) {
        variable->maker = bsim_cu_make(p, plain_object(p, variable), name);
    }
    if (variable->storage != CU_LOCAL && !bsim_cu_failed(p->file)) {
        bsim_cu_add_to_module(p, variable);
    }
    return variable;
}

/* declaration = specifiers [declarator [value] ("," declarator [value])*] ";" */
static struct cu_node *read_declaration(struct cu_parser *p)
{
    struct cu_declaration d;
    struct cu_node *block = bsim_cu_node(p, CU_BLOCK, p->token), **end = &block->body;
    bsim_cu_specifiers(p, &d);
    block->is_default = true; /* no scope of its own */
    if (d.is_auto && bsim_cu_sees(p, "[")) {
        bsim_cu_stop(p, p->token,
                     "names for parts of a value are not read here: name it, and say .x");
    }
    while (bsim_cu_goes_on(p, ";")) {
        const struct cu_token *name;
        const struct cu_type *type = bsim_cu_declarator(p, d.type, &name);
        if (name == NULL) {
            bsim_cu_stop(p, p->token, "a variable's name should stand here");
            break;
        }
        if (d.is_typedef) {
            bsim_cu_add_name(p, name, CU_NAME_TYPE)->type = type;
        } else {
            struct cu_node *node = bsim_cu_node(p, CU_DECLARE, name);
            node->variable = bsim_cu_new_variable(p, name, type, &d);
            node->left = node->variable->storage == CU_LOCAL ? node->variable->value : NULL;
            *end = node;
            end = &node->next;
            if (node->variable->maker != NULL) {
                *end = bsim_cu_node(p, CU_EXPRESSION, name);
                (*end)->left = node->variable->maker;
                end = &(*end)->next;
            }
        }
        bsim_cu_end_item(p, ";");
    }
    return block;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* What is left of #pragma unroll [N]: how the loop behind it is unrolled. */
static int64_t read_unroll(struct cu_parser *p)
{
    const struct cu_token *at = p->token;
    int64_t unroll = CU_UNROLL_BY_SIZE;
    while (p->token->kind == CU_UNROLL) {
        bool is_none = p->token->length == strlen("nounroll");
        p->token = p->token->next;
        unroll = is_none ? 1
                 : bsim_cu_sees(p, ";")
                     ? CU_UNROLL_ALL
                     : (int64_t)bsim_cu_constant_expression(p, "a number of turns");
        bsim_cu_expect(p, ";");
        if (unroll < 0) {
            bsim_cu_stop(p, at, "a loop is unrolled a positive number of times");
        }
    }
    return unroll;
}

static struct cu_node *read_loop_body(struct cu_parser *p)
{
    bool was_in_loop = p->in_loop, was_in_switch = p->in_switch;
    p->in_loop = true;
    p->in_switch = false;
    struct cu_node *body = read_statement(p);
    p->in_loop = was_in_loop;
    p->in_switch = was_in_switch;
    return body;
}

static struct cu_node *read_condition(struct cu_parser *p)
{
    bsim_cu_expect(p, "(");
    if (sees_declaration(p)) {
        bsim_cu_stop(p, p->token,
                     "a variable is not declared in a condition here: declare it before");
    }
    struct cu_node *node = bsim_cu_condition(p, bsim_cu_expression(p));
    bsim_cu_expect(p, ")");
    return node;
}

/* (declaration | [expression] ";") [expression] ";" [expression] ")" */
static void read_turns(struct cu_parser *p, struct cu_node *node)
{
    if (bsim_cu_sees_type(p)) {
        node->body = read_declaration(p);
    } else if (!bsim_cu_accept(p, ";")) {
        node->body = bsim_cu_node(p, CU_EXPRESSION, p->token);
        node->body->left = bsim_cu_expression(p);
        bsim_cu_expect(p, ";");
    }
    node->left = bsim_cu_sees(p, ";") ? NULL : bsim_cu_condition(p, bsim_cu_expression(p));
    bsim_cu_expect(p, ";");
    node->third = bsim_cu_sees(p, ")") ? NULL : bsim_cu_expression(p);
    bsim_cu_expect(p, ")");
}

/* The ':' in the brackets at hand of "for (float x : array)", or NULL. */
static const struct cu_token *find_colon(const struct cu_parser *p)
{
    const struct cu_token *end = bsim_cu_closing(p->token), *t = p->token->next;
    while (t != end && t->kind != CU_END && !bsim_cu_is_any(t, "; ? :")) {
        t = bsim_cu_turn(t) > 0 ? bsim_cu_closing(t)->next : t->next;
    }
    return bsim_cu_is(t, ":") ? t : NULL;
}

/* Appends the tokens from one up to another one. */
static struct cu_token **copy_tokens(struct cu_parser *p, const struct cu_token *from,
                                     const struct cu_token *to, struct cu_token **end)
{
    for (; from != to && !bsim_cu_failed(p->file); from = from->next) {
        *end = bsim_cu_take(p->file, sizeof **end);
        **end = *from;
        end = &(*end)->next;
    }
    return end;
}

/* Its body behind "float x = (array)[__range];", the element of a turn. */
static struct cu_node *read_element(struct cu_parser *p, const struct cu_token *first,
                                    const struct cu_token *colon, const struct cu_token *last)
{
    static const char is[] = "= (", index[] = ")[__range];";
    struct cu_node *block = bsim_cu_node(p, CU_BLOCK, first);
    struct cu_token *tokens = NULL, **end = copy_tokens(p, first, colon, &tokens);
    *end = bsim_cu_tokens_of(p->file, is, strlen(is), colon);
    end = copy_tokens(p, colon->next, last, &(*end)->next->next);
    *end = bsim_cu_tokens_of(p->file, index, strlen(index), colon);
    if (bsim_cu_failed(p->file)) {
        return block;
    }
    p->token = tokens;
    bsim_cu_enter(p);
    block->body = read_declaration(p);
    p->token = bsim_cu_failed(p->file) ? p->token : last->next;
    block->body->next = read_loop_body(p);
    bsim_cu_leave(p);
    return block;
}

/* "(" specifiers declarator ":" array ")" statement: in turns of an index. */
static void read_range(struct cu_parser *p, struct cu_node *node, const struct cu_token *colon)
{
    const struct cu_token *first = p->token->next, *last = bsim_cu_closing(p->token);
    p->token = colon->next;
    const struct cu_type *type =
        bsim_cu_sees(p, "{") ? NULL : bsim_cu_expression(p)->type;
    if (!bsim_cu_failed(p->file) && (type == NULL || type->kind != CU_ARRAY)) {
        bsim_cu_stop(p, colon->next, "a loop over elements is read here of an array alone: count an index");
    }
    if (bsim_cu_failed(p->file)) {
        return;
    }
    const char *turns = bsim_cu_text(p->file, "unsigned long __range = 0; __range < %llu; ++__range)",
                                     (unsigned long long)type->count);
    p->token = bsim_cu_tokens_of(p->file, turns, strlen(turns), colon);
    read_turns(p, node);
    node->right = read_element(p, first, colon, last);
}

/* The head of a for at hand, "(", has two ';', which are counted outside of brackets in it. */
static void check_head(struct cu_parser *p)
{
    const struct cu_token *end = bsim_cu_closing(p->token);
    uint32_t n = 0;
    for (const struct cu_token *t = p->token->next; t != end && t->kind != CU_END; t = t->next) {
        t = bsim_cu_turn(t) > 0 ? bsim_cu_closing(t) : t;
        n += bsim_cu_is(t, ";");
    }
    if (bsim_cu_sees(p, "(") && n != 2) {
        bsim_cu_stop(p, p->token, "a for has two ';' between its parts, and here %s",
                     n == 0 ? "is none" : n == 1 ? "is one" : "are more");
    }
}

/* for = "for" ("(" turns | range) statement */
static struct cu_node *read_for(struct cu_parser *p)
{
    struct cu_node *node = bsim_cu_node(p, CU_LOOP, p->token);
    bsim_cu_advance(p);
    const struct cu_token *colon = find_colon(p);
    bsim_cu_enter(p);
    if (colon != NULL) {
        read_range(p, node, colon);
    } else {
        check_head(p);
        bsim_cu_expect(p, "(");
        read_turns(p, node);
        node->right = read_loop_body(p);
    }
    bsim_cu_leave(p);
    return node;
}

/* while = "while" "(" expression ")" statement */
static struct cu_node *read_while(struct cu_parser *p)
{
    struct cu_node *node = bsim_cu_node(p, CU_LOOP, p->token);
    bsim_cu_advance(p);
    node->left = read_condition(p);
    node->right = read_loop_body(p);
    return node;
}

/* do = "do" statement "while" "(" expression ")" ";" */
static struct cu_node *read_do(struct cu_parser *p)
{
    struct cu_node *node = bsim_cu_node(p, CU_DO, p->token);
    bsim_cu_advance(p);
    node->right = read_loop_body(p);
    bsim_cu_expect(p, "while");
    node->left = read_condition(p);
    bsim_cu_expect(p, ";");
    return node;
}

static struct cu_node *read_loop(struct cu_parser *p)
{
    int64_t unroll = read_unroll(p);
    if (!bsim_cu_sees_any(p, "for while do")) {
        bsim_cu_stop(p, p->token, "a loop should stand here, behind #pragma unroll");
    }
    struct cu_node *node = bsim_cu_sees(p, "for")     ? read_for(p)
                           : bsim_cu_sees(p, "while") ? read_while(p)
                                                      : read_do(p);
    node->unroll = unroll;
    return node;
}

/* ---- branches -------------------------------------------------------------------------------- */

static void skip_statement(struct cu_parser *p)
{
    if (bsim_cu_accept(p, "if")) {
        (void)bsim_cu_accept(p, "constexpr");
        bsim_cu_skip_brackets(p);
        skip_statement(p);
        if (bsim_cu_accept(p, "else")) {
            skip_statement(p);
        }
    } else {
        bsim_cu_skip_declaration(p); /* its ';', or '}' */
    }
}

/* One that `if constexpr` rules out need make no sense. */
static struct cu_node *read_way(struct cu_parser *p, bool is_out)
{
    struct cu_node *none = bsim_cu_node(p, CU_NO_VALUE, p->token);
    if (!is_out) {
        return read_statement(p);
    }
    skip_statement(p);
    return none;
}

/* Whether a ';' stands in the brackets at hand, as behind what an if declares: if (int i = f(x); i > 0). */
static bool sees_initializer(const struct cu_parser *p)
{
    const struct cu_token *end = bsim_cu_closing(p->token), *t = p->token->next;
    while (t != end && t->kind != CU_END && !bsim_cu_is(t, ";")) {
        t = bsim_cu_turn(t) > 0 ? bsim_cu_closing(t)->next : t->next;
    }
    return bsim_cu_sees(p, "(") && bsim_cu_is(t, ";");
}

/* What stands behind "if" ["constexpr"]. */
static void read_ways(struct cu_parser *p, struct cu_node *node, bool is_constant)
{
    uint64_t value = 0;
    is_constant = is_constant && bsim_cu_constant(node->left, &value);
    node->right = read_way(p, is_constant && value == 0);
    node->third = bsim_cu_accept(p, "else") ? read_way(p, is_constant && value != 0) : NULL;
}

/* if = "if" ["constexpr"] "(" [declaration | expression ";"] expression ")" statement ["else" statement] */
static struct cu_node *read_if(struct cu_parser *p)
{
    struct cu_node *node = bsim_cu_node(p, CU_IF, p->token);
    bsim_cu_advance(p);
    bool is_constant = bsim_cu_accept(p, "constexpr");
    if (!sees_initializer(p)) {
        node->left = read_condition(p);
        read_ways(p, node, is_constant);
        return node;
    }
    struct cu_node *block = bsim_cu_node(p, CU_BLOCK, p->token);
    bsim_cu_expect(p, "(");
    bsim_cu_enter(p);
    if (bsim_cu_sees_type(p)) {
        block->body = read_declaration(p);
    } else {
        block->body = bsim_cu_node(p, CU_EXPRESSION, p->token);
        block->body->left = bsim_cu_expression(p);
        bsim_cu_expect(p, ";");
    }
    block->body->next = node;
    node->left = bsim_cu_condition(p, bsim_cu_expression(p));
    bsim_cu_expect(p, ")");
    read_ways(p, node, is_constant);
    bsim_cu_leave(p);
    return block;
}

static struct cu_node *reversed(struct cu_node *cases)
{
    struct cu_node *first = NULL;
    while (cases != NULL) {
        struct cu_node *next = cases->link;
        cases->link = first;
        first = cases;
        cases = next;
    }
    return first;
}

/* switch = "switch" "(" expression ")" "{" (case | statement)* "}" */
static struct cu_node *read_switch(struct cu_parser *p)
{
    struct cu_node *node = bsim_cu_node(p, CU_SWITCH, p->token);
    struct cu_node *outer_cases = p->cases;
    bool was_in_switch = p->in_switch;
    bsim_cu_advance(p);
    bsim_cu_expect(p, "(");
    struct cu_node *value = bsim_cu_rvalue(p, bsim_cu_expression(p));
    bsim_cu_expect(p, ")");
    if (!bsim_cu_is_integer(value->type) || !bsim_cu_sees(p, "{")) {
        bsim_cu_stop(p, node->token, "a switch is over a whole number, and has its cases in { }");
        return node;
    }
    node->left = bsim_cu_cast(p, value, bsim_cu_common(value->type, value->type), node->token);
    p->cases = NULL;
    p->in_switch = true;
    node->right = bsim_cu_compound(p);
    node->link = reversed(p->cases);
    p->cases = outer_cases;
    p->in_switch = was_in_switch;
    return node;
}

/* case = ("case" constant | "default") ":" */
static struct cu_node *read_case(struct cu_parser *p)
{
    struct cu_node *node = bsim_cu_node(p, CU_CASE, p->token);
    node->is_default = bsim_cu_sees(p, "default");
    if (!p->in_switch) {
        bsim_cu_stop(p, p->token, "a case stands directly in the { } of its switch");
    }
    bsim_cu_advance(p);
    node->number = node->is_default ? 0 : bsim_cu_constant_expression(p, "a case");
    bsim_cu_expect(p, ":");
    node->link = p->cases;
    p->cases = node;
    return node;
}

/* ---- statements ------------------------------------------------------------------------------ */

/* A function without a result may return what another such one does. */
static struct cu_node *nothing_of(struct cu_parser *p, struct cu_node *value)
{
    if (value->type->kind != CU_VOID) {
        bsim_cu_stop(p, value->token, "this function returns nothing: store the value, or give the function its type");
    }
    return value;
}

/* jump = ("break" | "continue" | "return" [expression]) ";" */
static struct cu_node *read_jump(struct cu_parser *p)
{
    const struct cu_token *at = p->token;
    bool is_break = bsim_cu_sees(p, "break"), is_return = bsim_cu_sees(p, "return");
    struct cu_node *node = bsim_cu_node(p,
                                        is_break    ? CU_BREAK
                                        : is_return ? CU_RETURN
                                                    : CU_CONTINUE,
                                        at);
    bsim_cu_advance(p);
    const struct cu_type *due = p->function->result;
    if (is_return && !bsim_cu_sees(p, ";")) {
        struct cu_node *value = bsim_cu_sees(p, "{") && due != NULL ? bsim_cu_initializer(p, due)
                                                                    : bsim_cu_expression(p);
        due = due != NULL ? due : bsim_cu_bare(p->file, bsim_cu_rvalue(p, value)->type);
        p->function->result = due; /* a lambda's is what it returns first */
        node->left = due->kind == CU_REFERENCE ? bsim_cu_bind(p, value, due, at)
                     : due->kind == CU_VOID    ? nothing_of(p, value)
                                               : bsim_cu_convert(p, value, due, at);
    }
    bool is_bare = is_return && node->left == NULL && due != NULL && due->kind != CU_VOID;
    if (is_bare || (!is_return && !p->in_loop && !(is_break && p->cases != NULL))) {
        bsim_cu_stop(p, at,
                     is_bare ? "this function returns a value" : "there is no loop around this");
    }
    bsim_cu_expect(p, ";");
    return node;
}

static struct cu_node *read_expression_statement(struct cu_parser *p)
{
    struct cu_node *node = bsim_cu_node(p, CU_EXPRESSION, p->token);
    node->left = bsim_cu_expression(p);
    bsim_cu_expect(p, ";");
    return node;
}

/* ---- asm ------------------------------------------------------------------------------------- */

/* The character that the escape behind a backslash stands for; the place moves to its last character. */
static char unescaped(struct cu_parser *p, size_t *place)
{
    static const char letters[] = "n\nt\tr\ra\ab\bf\fv\v";
    const char *text = p->token->text;
    unsigned base = text[*place] == 'x' ? 16 : 8, value = 0, digit;
    for (size_t i = 0; letters[i] != '\0'; i += 2) {
        if (text[*place] == letters[i]) {
            return letters[i + 1];
        }
    }
    if (base == 8 && (text[*place] < '0' || text[*place] > '7')) {
        return text[*place];
    }
    size_t i = *place + (base == 16), most = base == 16 ? p->token->length : i + 3;
    for (; i < most && (digit = bsim_scan_hex_value(text[i])) < base; i++) {
        value = value * base + digit;
    }
    if (value == 0 || value > UINT8_MAX) {
        bsim_cu_stop(p, p->token, "a text has characters from 1 to 255 here");
    }
    *place = i - 1;
    return (char)value;
}

const char *bsim_cu_read_text(struct cu_parser *p)
{
    const char *all = "";
    if (p->token->kind != CU_STRING) {
        bsim_cu_stop(p, p->token, "a text should stand here");
    }
    for (; p->token->kind == CU_STRING; bsim_cu_advance(p)) {
        char *part = bsim_cu_take_many(p->file, p->token->length, 1);
        size_t n = 0;
        for (size_t i = 1; part != NULL && i + 1 < p->token->length; i++) {
            bool is_escape = p->token->text[i] == '\\';
            i += is_escape;
            part[n++] = is_escape ? unescaped(p, &i) : p->token->text[i];
        }
        all = bsim_cu_text(p->file, "%s%s", all, part != NULL ? part : "");
    }
    return all;
}

/* operands = [text "(" expression ")" ("," text "(" expression ")")*] */
static struct cu_node *read_operands(struct cu_parser *p, bool is_result)
{
    struct cu_node *first = NULL, **end = &first;
    while (p->token->kind == CU_STRING) {
        struct cu_node *node = bsim_cu_node(p, CU_EXPRESSION, p->token);
        node->text = bsim_cu_read_text(p);
        bsim_cu_expect(p, "(");
        node->left = bsim_cu_expression(p);
        bsim_cu_expect(p, ")");
        const char *kind = node->text + (is_result && node->text[0] != '\0');
        bool is_known = kind[0] != '\0' && kind[1] == '\0' && strchr("rlfdn", kind[0]) != NULL;
        if (!is_known ||
            (is_result && (!strchr("=+", node->text[0]) || !bsim_cu_is_object(node->left)))) {
            bsim_cu_stop(p, node->token, "such an operand of asm is not read here");
        }
        *end = node;
        end = &node->next;
        if (!bsim_cu_accept(p, ",")) {
            break;
        }
    }
    return first;
}

/* asm = "asm" ["volatile"] "(" text [":" operands [":" operands [":" text ("," text)*]]] ")" ";" */
static struct cu_node *read_asm(struct cu_parser *p)
{
    struct cu_node *node = bsim_cu_node(p, CU_ASM, p->token);
    bsim_cu_advance(p);
    node->number = bsim_cu_accept(p, "volatile") || bsim_cu_accept(p, "__volatile__");
    bsim_cu_expect(p, "(");
    node->text = bsim_cu_read_text(p);
    bool is_short = bsim_cu_accept(p, "::");
    if (is_short || bsim_cu_accept(p, ":")) {
        node->body = is_short ? NULL : read_operands(p, true);
    }
    bool is_last = bsim_cu_accept(p, "::");
    if (is_short || (!is_last && bsim_cu_accept(p, ":"))) {
        node->third = read_operands(p, false);
        is_last = bsim_cu_accept(p, ":");
    }
    while (is_last && p->token->kind == CU_STRING) {
        node->is_default = strcmp(bsim_cu_read_text(p), "memory") == 0 || node->is_default;
        (void)bsim_cu_accept(p, ",");
    }
    bsim_cu_expect(p, ")");
    bsim_cu_expect(p, ";");
    return node;
}

static bool refuse_statement(struct cu_parser *p)
{
    bool is_label = p->token->kind == CU_NAME && bsim_cu_sees_next(p, ":");
    bool is_word = bsim_cu_sees_any(p, "goto try throw");
    if (is_word || is_label) {
        bsim_cu_stop(p, p->token,
                     is_word ? "%s is not read here" : "labels, and goto, are not read here",
                     bsim_cu_spelled(p->file, p->token));
    }
    return is_word || is_label;
}

/* "(*name)[" or "(&name)[", of an array that is meant. */
static bool sees_array_meant(const struct cu_token *open)
{
    const struct cu_token *sign = open->next, *name = sign->next;
    return (bsim_cu_is(sign, "*") || bsim_cu_is(sign, "&")) && name->kind == CU_NAME &&
           bsim_cu_is(name->next, ")") && bsim_cu_is(name->next->next, "[");
}

/* Behind a declaration's type no other '(' or '{' stands: there an object is made that nobody names. */
static bool sees_declaration(const struct cu_parser *p)
{
    struct cu_parser look = *p;
    if (!bsim_cu_sees_type(p) || bsim_cu_sees_next(p, "(")) {
        return bsim_cu_sees_type(p) && sees_array_meant(p->token->next);
    }
    if (bsim_cu_resolve(&look) == NULL || bsim_cu_sees_next(&look, "(")) {
        return !bsim_cu_sees_next(&look, "(");
    }
    return true;
}

static struct cu_node *read_plain(struct cu_parser *p)
{
    if (bsim_cu_sees(p, "if")) {
        return read_if(p);
    }
    if (bsim_cu_sees(p, "switch")) {
        return read_switch(p);
    }
    if (bsim_cu_sees_any(p, "break continue return")) {
        return read_jump(p);
    }
    if (bsim_cu_sees_any(p, "asm __asm__ __asm")) {
        return read_asm(p);
    }
    if (bsim_cu_sees(p, "using")) {
        bsim_cu_read_alias(p);
        return bsim_cu_node(p, CU_NO_VALUE, p->token);
    }
    if (bsim_cu_sees_any(p, "static_assert namespace")) {
        bsim_cu_skip_declaration(p); /* of namespaces no name is looked for */
        return bsim_cu_node(p, CU_NO_VALUE, p->token);
    }
    if (refuse_statement(p)) {
        return bsim_cu_node(p, CU_NO_VALUE, p->token);
    }
    return sees_declaration(p) ? read_declaration(p) : read_expression_statement(p);
}

/* statement = compound | ";" | case | loop | if | switch | jump | declaration | expression ";" */
static struct cu_node *read_statement(struct cu_parser *p)
{
    struct cu_node *node = bsim_cu_node(p, CU_NO_VALUE, p->token);
    if (!bsim_cu_nest(p)) {
        return node;
    }
    bool was_in_switch = p->in_switch;
    p->depth++;
    p->in_switch = false;
    if (bsim_cu_sees(p, "{")) {
        node = bsim_cu_compound(p);
    } else if (p->token->kind == CU_UNROLL || bsim_cu_sees_any(p, "for while do")) {
        node = read_loop(p);
    } else if (!bsim_cu_accept(p, ";")) {
        node = read_plain(p);
    }
    p->in_switch = was_in_switch;
    p->depth--;
    return node;
}

/* compound = "{" (case | statement)* "}" */
struct cu_node *bsim_cu_compound(struct cu_parser *p)
{
    struct cu_node *block = bsim_cu_node(p, CU_BLOCK, p->token), **end = &block->body;
    bsim_cu_expect(p, "{");
    bsim_cu_enter(p);
    while (bsim_cu_goes_on(p, "}")) {
        bool is_case =
            bsim_cu_sees(p, "case") || (bsim_cu_sees(p, "default") && bsim_cu_sees_next(p, ":"));
        *end = is_case ? read_case(p) : read_statement(p);
        while (*end != NULL) {
            end = &(*end)->next;
        }
    }
    bsim_cu_leave(p);
    return block;
}

void bsim_cu_read_body(struct cu_parser *p, struct cu_function *function)
{
    const char *space = p->space;
    function->is_being_read = true;
    p->function = function;
    p->space = function->space;
    p->scope = function->scope;
    p->token = function->body_tokens;
    p->in_loop = p->in_switch = false;
    p->cases = NULL;
    bsim_cu_enter(p);
    for (struct cu_variable *v = function->parameters; v != NULL; v = v->next) {
        if (v->token != NULL) {
            bsim_cu_add_name(p, v->token, CU_NAME_VARIABLE)->variable = v;
        }
    }
    p->owner = NULL;
    struct cu_node *first =
                       function->is_constructor ? bsim_cu_read_initialisers(p, function) : NULL,
                   **end = &first;
    function->body = bsim_cu_compound(p);
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = function->body->body;
    function->body->body = first;
    bsim_cu_leave(p);
    function->is_being_read = false;
    function->result = function->result != NULL ? function->result : bsim_cu_scalar(CU_VOID);
    p->scope = p->outermost;
    p->space = space;
    p->function = NULL;
}
