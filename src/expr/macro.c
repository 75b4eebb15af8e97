/* macro.c - macros, as C's preprocessor has them: tokens that stand for tokens.
 *
 * Arguments are expanded before they take their parameters' places, and the result is looked at
 * once more. Two things that C allows and nobody means are refused instead: a macro within its own
 * expansion, which C leaves alone, and one with parameters that no ( follows. # and ## are not
 * known.
 *
 * A token that a macro's body gave is placed where the macro was used; an argument's is where it
 * was written.
 */
#include "expr/macro.h"

#include <string.h>

enum { MAX_PARAMETERS = 32, MAX_TOKENS = 20000 };

static bool same_text(const struct bsim_token *a, const struct bsim_token *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* A list that grows at its end. */
struct list {
    const struct bsim_tokens *first;
    const struct bsim_tokens **end;
};

static bool append(struct bsim_parse *parse, struct list *list, const struct bsim_token *token)
{
    struct bsim_tokens *one = bsim_arena_take(parse->arena, sizeof *one);
    if (one == NULL) {
        return bsim_parse_no_memory(parse);
    }
    if (++parse->n_expanded > MAX_TOKENS) {
        return bsim_parse_fail(parse, token->at, "macros make more than %d tokens of this",
                               MAX_TOKENS);
    }
    one->token = *token;
    *list->end = one;
    list->end = &one->next;
    return true;
}

/* ---- definitions ----------------------------------------------------------------------------- */

bool bsim_macro_begins(const struct bsim_parse *parse)
{
    size_t behind = parse->token.at + parse->token.length;
    return parse->token.kind == BSIM_TOKEN_NAME && behind < parse->end &&
           parse->source->text[behind] == '(';
}

static bool is_parameter(const struct bsim_macro *macro, const struct bsim_token *token,
                         size_t *which)
{
    for (*which = 0; *which < macro->n_parameters; ++*which) {
        if (token->kind == BSIM_TOKEN_NAME && same_text(token, &macro->parameter[*which])) {
            return true;
        }
    }
    return false;
}

/* parameters = "(" [name ("," name)*] ")" */
static bool read_parameters(struct bsim_parse *parse, struct bsim_macro *macro)
{
    struct bsim_token *parameter =
        bsim_arena_take(parse->arena, MAX_PARAMETERS * sizeof *parameter);
    size_t other;
    if (parameter == NULL) {
        return bsim_parse_no_memory(parse);
    }
    macro->parameter = parameter;
    (void)bsim_parse_advance(parse);
    while (!bsim_parse_sees(parse, ")")) {
        if (macro->n_parameters > 0 && !bsim_parse_expect(parse, ",")) {
            return false;
        }
        if (parse->token.kind != BSIM_TOKEN_NAME) {
            return bsim_parse_fail(parse, parse->token.at, "a parameter's name should stand here");
        }
        if (is_parameter(macro, &parse->token, &other)) {
            return bsim_parse_fail(parse, parse->token.at, "this is a parameter already");
        }
        if (macro->n_parameters == MAX_PARAMETERS) {
            return bsim_parse_fail(parse, parse->token.at, "a macro has at most %d parameters",
                                   MAX_PARAMETERS);
        }
        parameter[macro->n_parameters++] = parse->token;
        (void)bsim_parse_advance(parse);
    }
    return bsim_parse_advance(parse);
}

static bool read_body(struct bsim_parse *parse, struct bsim_macro *macro)
{
    struct list body = {NULL, &body.first};
    parse->n_expanded = 0;
    while (parse->token.kind != BSIM_TOKEN_END) {
        if (!append(parse, &body, &parse->token) || !bsim_parse_advance(parse)) {
            return false;
        }
    }
    macro->body = body.first;
    return parse->status == BSIM_OK;
}

static bool read_definition(struct bsim_parse *parse, struct bsim_macro *macro, bool is_text)
{
    if (!bsim_parse_advance(parse) || (macro->has_parameters && !read_parameters(parse, macro))) {
        return false;
    }
    if (!is_text) {
        (void)bsim_parse_take(parse, "=");
    }
    return read_body(parse, macro);
}

/* The same, but a mistake becomes the macro's: kernels come with macros that have nothing to do
 * with accesses. */
static bool read_text(struct bsim_parse *parse, struct bsim_macro *macro)
{
    struct bsim_error own = {.status = BSIM_OK};
    struct bsim_error *err = parse->err;
    parse->err = &own;
    bool read = read_definition(parse, macro, true);
    parse->err = err;
    if (read || parse->status != BSIM_E_INPUT) {
        return read;
    }
    macro->unreadable = bsim_arena_text(parse->arena, own.message, strlen(own.message));
    if (macro->unreadable == NULL) {
        parse->status = BSIM_OK;
        return bsim_parse_no_memory(parse);
    }
    parse->status = BSIM_OK;
    return true;
}

bool bsim_macro_define(struct bsim_parse *parse, bool is_text)
{
    struct bsim_macro *macro = bsim_arena_take(parse->arena, sizeof *macro);
    if (macro == NULL) {
        return bsim_parse_no_memory(parse);
    }
    size_t end = parse->end;
    macro->has_parameters = bsim_macro_begins(parse);
    parse->end = parse->next; /* nothing behind the name is looked at */
    macro->name = bsim_parse_new_name(parse);
    parse->end = end;
    if (macro->name == NULL ||
        !(is_text ? read_text(parse, macro) : read_definition(parse, macro, false))) {
        return false;
    }
    struct bsim_symbol symbol = {
        .name = macro->name, .kind = BSIM_NODE_MACRO, .type = bsim_type_void(), .macro = macro};
    return bsim_scope_add(parse->scope, &symbol) || bsim_parse_no_memory(parse);
}

/* ---- expansion ------------------------------------------------------------------------------- */

/* One use of a macro. */
struct use {
    const struct bsim_macro *macro;
    struct bsim_token name;
    size_t n_arguments;
    const struct bsim_tokens *argument[MAX_PARAMETERS];
};

static const struct bsim_macro *find_macro(const struct bsim_parse *parse)
{
    const struct bsim_token *token = &parse->token;
    const struct bsim_symbol *symbol =
        token->kind == BSIM_TOKEN_NAME ? bsim_scope_find(parse->scope, token->text, token->length)
                                       : NULL;
    return symbol != NULL && symbol->kind == BSIM_NODE_MACRO ? symbol->macro : NULL;
}

static bool comes_from(const struct bsim_token *token, const struct bsim_macro *macro)
{
    const struct bsim_hidden *hidden = token->hidden;
    while (hidden != NULL && hidden->macro != macro) {
        hidden = hidden->outer;
    }
    return hidden != NULL;
}

/* The tokens of one argument, up to the , or ) that ends it. Nothing but ( ) protects a comma. */
static bool read_argument(struct bsim_parse *parse, struct list *list)
{
    size_t depth = 0;
    while (depth > 0 || !(bsim_parse_sees(parse, ",") || bsim_parse_sees(parse, ")"))) {
        if (parse->token.kind == BSIM_TOKEN_END) {
            return bsim_parse_expect(parse, ")");
        }
        depth += bsim_parse_sees(parse, "(");
        depth -= bsim_parse_sees(parse, ")");
        if (!append(parse, list, &parse->token) || !bsim_parse_advance(parse)) {
            return false;
        }
    }
    return parse->status == BSIM_OK;
}

/* A list with the macros in it expanded. */
static bool expand_all(struct bsim_parse *parse, struct list *list)
{
    struct bsim_parse inner = *parse;
    inner.pending = list->first;
    inner.next = inner.end; /* nothing of the source is behind it */
    inner.raw = false;
    *list = (struct list){NULL, &list->first};
    while (bsim_parse_advance(&inner) && inner.token.kind != BSIM_TOKEN_END) {
        if (!append(&inner, list, &inner.token)) {
            break;
        }
    }
    parse->n_expanded = inner.n_expanded;
    if (inner.status != BSIM_OK) {
        bsim_parse_stop(parse, inner.status);
    }
    return inner.status == BSIM_OK;
}

static bool fail_count(struct bsim_parse *parse, const struct use *use)
{
    size_t wanted = use->macro->n_parameters;
    return bsim_parse_fail(parse, use->name.at,
                           "the macro %.40s takes %zu argument%s, and %zu stand%s here",
                           use->macro->name, wanted, wanted == 1 ? "" : "s", use->n_arguments,
                           use->n_arguments == 1 ? "s" : "");
}

/* arguments = "(" argument ("," argument)* ")", up to the last parenthesis */
static bool read_arguments(struct bsim_parse *parse, struct use *use)
{
    bool is_empty = true;
    do {
        struct list list = {NULL, &list.first};
        (void)bsim_parse_advance(parse);
        if (!read_argument(parse, &list) || !expand_all(parse, &list)) {
            return false;
        }
        is_empty = list.first == NULL;
        if (use->n_arguments < use->macro->n_parameters) {
            use->argument[use->n_arguments] = list.first;
        }
        use->n_arguments++;
    } while (bsim_parse_sees(parse, ","));
    if (use->macro->n_parameters == 0 && use->n_arguments == 1 && is_empty) {
        use->n_arguments = 0;
    }
    return use->n_arguments == use->macro->n_parameters || fail_count(parse, use);
}

/* Adds what a token of the body or of an argument leaves. */
static bool leave(struct bsim_parse *parse, struct list *list, const struct bsim_token *token,
                  const struct bsim_hidden *hidden)
{
    struct bsim_token copy = *token;
    struct bsim_hidden *one = bsim_arena_take(parse->arena, sizeof *one);
    if (one == NULL) {
        return bsim_parse_no_memory(parse);
    }
    *one = *hidden;
    copy.hidden = one;
    return append(parse, list, &copy);
}

static bool leave_argument(struct bsim_parse *parse, const struct use *use, size_t which,
                           struct list *list)
{
    for (const struct bsim_tokens *t = use->argument[which]; t != NULL; t = t->next) {
        struct bsim_hidden hidden = {use->macro, true, t->token.hidden};
        if (!leave(parse, list, &t->token, &hidden)) {
            return false;
        }
    }
    return true;
}

static bool substitute(struct bsim_parse *parse, const struct use *use, struct list *list)
{
    struct bsim_hidden hidden = {use->macro, false, use->name.hidden};
    bool done = true;
    for (const struct bsim_tokens *t = use->macro->body; t != NULL && done; t = t->next) {
        size_t which;
        struct bsim_token token = t->token;
        token.at = use->name.at;
        done = is_parameter(use->macro, &token, &which) ? leave_argument(parse, use, which, list)
                                                        : leave(parse, list, &token, &hidden);
    }
    return done;
}

/* Reads the arguments raw, and comes back with the token behind them not yet read. */
static bool take_arguments(struct bsim_parse *parse, struct use *use)
{
    bool was_raw = parse->raw;
    parse->raw = true;
    (void)bsim_parse_advance(parse);
    bool done =
        bsim_parse_sees(parse, "(")
            ? read_arguments(parse, use)
            : bsim_parse_fail(parse, use->name.at, "the macro %.40s needs its arguments in ( )",
                              use->macro->name);
    parse->raw = was_raw;
    return done;
}

bool bsim_macro_expand(struct bsim_parse *parse, bool *found)
{
    struct use use = {.macro = find_macro(parse), .name = parse->token};
    *found = use.macro != NULL;
    if (!*found) {
        return true;
    }
    if (use.macro->unreadable != NULL) {
        return bsim_parse_fail(parse, parse->token.at, "the macro %.40s cannot be read: %s",
                               use.macro->name, use.macro->unreadable);
    }
    if (comes_from(&parse->token, use.macro)) {
        return bsim_parse_fail(parse, parse->token.at, "the macro %.40s stands for itself",
                               use.macro->name);
    }
    if (use.macro->has_parameters && !take_arguments(parse, &use)) {
        return false;
    }
    struct list list = {NULL, &list.first};
    if (!substitute(parse, &use, &list)) {
        return false;
    }
    *list.end = parse->pending;
    parse->pending = list.first;
    return true;
}
