/* macro.c - macros, as C++'s preprocessor has them; see macro.h.
 *
 * A macro is left alone within its own expansion: each token has the set of macros that it comes from
 * (Prosser's algorithm).
 */
#include "c/macro.h"

#include "base/table.h"

enum { MAX_PARAMETERS = 64, MAX_DEPTH = 200 };

/* The macros that a token comes from. */
struct cu_hidden {
    const struct cu_macro *macro;
    const struct cu_hidden *outer;
};

/* ---- lists ----------------------------------------------------------------------------------- */

void bsim_cu_move(struct cu_macros *m, struct cu_list *list, struct cu_token *token)
{
    if (++m->n_tokens > m->most) {
        bsim_cu_fail(m->file, token, "macros make more than %u tokens of %s", m->most, m->whole);
    }
    token->kind = bsim_cu_failed(m->file) ? CU_END : token->kind; /* lists end there */
    if (list->end != &token->next) { /* which it is when memory is short for the second time */
        *list->end = token;
        list->end = &token->next;
    }
}

struct cu_token *bsim_cu_append(struct cu_macros *m, struct cu_list *list,
                                const struct cu_token *token)
{
    struct cu_token *copy = bsim_cu_take(m->file, sizeof *copy);
    *copy = *token;
    copy->next = NULL;
    bsim_cu_move(m, list, copy);
    return copy;
}

void bsim_cu_append_all(struct cu_macros *m, struct cu_list *list, const struct cu_token *tokens)
{
    for (const struct cu_token *t = tokens; t->kind != CU_END && !bsim_cu_failed(m->file);
         t = t->next) {
        bsim_cu_append(m, list, t);
    }
}

/* ---- definitions ----------------------------------------------------------------------------- */

void bsim_cu_begin_macros(struct cu_macros *m, struct cu_file *file, uint32_t most,
                          const char *whole)
{
    *m = (struct cu_macros){.file = file, .most = most, .whole = whole};
    m->end = bsim_cu_take(file, sizeof *m->end);
    *m->end = (struct cu_token){.kind = CU_END, .text = "", .at = ""};
}

static struct cu_macro **find_place(struct cu_macros *m, const struct cu_token *name)
{
    uint32_t bucket = bsim_table_hash_text(name->text, name->length) % CU_MACRO_BUCKETS;
    struct cu_macro **place = &m->bucket[bucket];
    while (*place != NULL && !bsim_cu_same_text((*place)->name, name)) {
        place = &(*place)->next;
    }
    return place;
}

const struct cu_macro *bsim_cu_find_macro(struct cu_macros *m, const struct cu_token *name)
{
    return name->kind == CU_NAME ? *find_place(m, name) : NULL;
}

static bool has_parameter(const struct cu_macro *macro, const struct cu_token *name,
                          uint32_t *which)
{
    for (*which = 0; *which < macro->n_parameters; ++*which) {
        if (name->kind == CU_NAME && bsim_cu_same_text(macro->parameter[*which], name)) {
            return true;
        }
    }
    return false;
}

/* parameter = name | "..." */
static void read_parameter(struct cu_macros *m, struct cu_macro *macro,
                           const struct cu_token *token)
{
    static const struct cu_token rest = {.kind = CU_NAME, .text = "__VA_ARGS__", .length = 11};
    uint32_t other;
    macro->is_variadic = bsim_cu_is(token, "...");
    if (token->kind != CU_NAME && !macro->is_variadic) {
        bsim_cu_fail(m->file, token, "a parameter's name should stand here");
    } else if (has_parameter(macro, token, &other)) {
        bsim_cu_fail(m->file, token, "this is a parameter already");
    } else if (macro->n_parameters == MAX_PARAMETERS) {
        bsim_cu_fail(m->file, token, "a macro has at most %d parameters", MAX_PARAMETERS);
    } else {
        macro->parameter[macro->n_parameters++] = macro->is_variadic ? &rest : token;
    }
}

/* parameters = "(" [parameter ("," parameter)*] ")", of which a "..." is the last */
static struct cu_token *read_parameters(struct cu_macros *m, struct cu_macro *macro,
                                        struct cu_token *token)
{
    macro->has_parameters = true;
    macro->parameter = bsim_cu_take(m->file, MAX_PARAMETERS * sizeof *macro->parameter);
    for (token = token->next; !bsim_cu_is(token, ")") && !bsim_cu_failed(m->file);) {
        if (macro->n_parameters > 0 && (macro->is_variadic || !bsim_cu_is(token, ","))) {
            bsim_cu_fail(m->file, token, "'%.*s' stands where '%s' should be", bsim_cu_shown(token),
                         token->text, macro->is_variadic ? ")" : ",");
            break;
        }
        token = macro->n_parameters > 0 ? token->next : token;
        read_parameter(m, macro, token);
        token = token->kind == CU_END ? token : token->next;
    }
    return bsim_cu_failed(m->file) ? m->end : token->next;
}

struct cu_macro *bsim_cu_define(struct cu_macros *m, struct cu_token *token)
{
    if (token->kind != CU_NAME) {
        bsim_cu_fail(m->file, token, "a macro's name should stand here");
        return NULL;
    }
    struct cu_macro **place = find_place(m, token);
    struct cu_macro *macro = bsim_cu_take(m->file, sizeof *macro);
    macro->name = token;
    macro->next = *place != NULL ? (*place)->next : NULL;
    macro->body = token->next;
    if (bsim_cu_is(token->next, "(") && !token->next->after_blank) {
        macro->body = read_parameters(m, macro, token->next);
    }
    *place = macro;
    return macro;
}

void bsim_cu_undefine(struct cu_macros *m, const struct cu_token *name)
{
    struct cu_macro **place = find_place(m, name);
    if (*place != NULL) {
        *place = (*place)->next;
    }
}

/* ---- expansion ------------------------------------------------------------------------------- */

static bool is_hidden(const struct cu_hidden *hidden, const struct cu_macro *macro)
{
    while (hidden != NULL && hidden->macro != macro) {
        hidden = hidden->outer;
    }
    return hidden != NULL;
}

/* All of both, each once. */
static const struct cu_hidden *hide(struct cu_macros *m, const struct cu_hidden *hidden,
                                    const struct cu_hidden *more)
{
    for (; more != NULL; more = more->outer) {
        if (!is_hidden(hidden, more->macro)) {
            struct cu_hidden *one = bsim_cu_take(m->file, sizeof *one);
            *one = (struct cu_hidden){more->macro, hidden};
            hidden = one;
        }
    }
    return hidden;
}

static const struct cu_hidden *in_both(struct cu_macros *m, const struct cu_hidden *a,
                                       const struct cu_hidden *b)
{
    const struct cu_hidden *both = NULL;
    for (; a != NULL; a = a->outer) {
        if (is_hidden(b, a->macro)) {
            both = hide(m, both, &(struct cu_hidden){a->macro, NULL});
        }
    }
    return both;
}

/* One use of a macro with parameters. */
struct use {
    const struct cu_macro *macro;
    const struct cu_token *name;
    uint32_t n;
    struct cu_token *argument[MAX_PARAMETERS]; /* each with its CU_END */
};

/* The tokens up to a ',' or ')' outside of parentheses. */
static struct cu_token *read_argument(struct cu_macros *m, struct cu_token *token, bool to_end,
                                      struct cu_token **argument)
{
    struct cu_list list = {NULL, &list.first};
    uint32_t depth = 0;
    while (depth > 0 || !(bsim_cu_is(token, ")") || (bsim_cu_is(token, ",") && !to_end))) {
        if (token->kind == CU_END) {
            bsim_cu_fail(m->file, token, "it ends here, and ')' is missing");
            break;
        }
        depth += bsim_cu_is(token, "(");
        depth -= bsim_cu_is(token, ")");
        bsim_cu_append(m, &list, token);
        token = token->next;
    }
    struct cu_token *end = bsim_cu_append(m, &list, token);
    end->kind = CU_END;
    end->length = 0;
    *argument = list.first;
    return token;
}

/* arguments = "(" argument ("," argument)* ")"; answers their ')'. */
static struct cu_token *read_arguments(struct cu_macros *m, struct use *use, struct cu_token *token)
{
    const struct cu_macro *macro = use->macro;
    do {
        struct cu_token *argument;
        bool is_rest = macro->is_variadic && use->n + 1 == macro->n_parameters;
        token = read_argument(m, token->next, is_rest, &argument);
        if (use->n < MAX_PARAMETERS) {
            use->argument[use->n++] = argument;
        }
    } while (bsim_cu_is(token, ",") && !bsim_cu_failed(m->file));
    bool is_empty = use->n == 1 && use->argument[0]->kind == CU_END;
    if (is_empty && macro->n_parameters == 0) {
        use->n = 0;
    }
    if (macro->is_variadic && use->n + 1 == macro->n_parameters) {
        use->argument[use->n++] = token->kind == CU_END ? token : m->end;
    }
    if (use->n != macro->n_parameters) {
        bsim_cu_fail(m->file, use->name, "the macro %.*s takes %u argument%s, and %u stand%s here",
                     bsim_cu_shown(use->name), use->name->text, macro->n_parameters,
                     macro->n_parameters == 1 ? "" : "s", use->n, use->n == 1 ? "s" : "");
    }
    return token;
}

/* A list with the macros in it replaced. */
struct cu_token *bsim_cu_expand_all(struct cu_macros *m, const struct cu_token *tokens)
{
    struct cu_list list = {NULL, &list.first}, all = {NULL, &all.first};
    for (const struct cu_token *t = tokens;; t = t->next) {
        bsim_cu_append(m, &list, t);
        if (t->kind == CU_END || bsim_cu_failed(m->file)) {
            break;
        }
    }
    struct cu_token *token = list.first;
    while (token->kind != CU_END && !bsim_cu_failed(m->file)) {
        struct cu_token *replaced = bsim_cu_expand(m, token);
        if (replaced == token) {
            replaced = token->next;
            bsim_cu_move(m, &all, token);
        }
        token = replaced;
    }
    bsim_cu_append(m, &all, token)->kind = CU_END;
    return all.first;
}

static const struct cu_token *argument_of(const struct use *use, const struct cu_token *token)
{
    uint32_t which;
    bool is_one = has_parameter(use->macro, token, &which) && which < use->n;
    return is_one ? use->argument[which] : NULL;
}

static void place(struct cu_token *token, const struct cu_token *name)
{
    token->at = name->at;
    token->line = name->line;
    token->source = name->source;
}

/* A token of the body: it stands where the macro does. */
static struct cu_token *append_own(struct cu_macros *m, struct cu_list *list,
                                   const struct cu_token *token, const struct use *use)
{
    struct cu_token *own = bsim_cu_append(m, list, token);
    place(own, use->name);
    own->maker = use->macro->name;
    return own;
}

/* # argument: its text as a string; of weight to nobody here but as one token. */
static void append_string(struct cu_macros *m, struct cu_list *list, const struct use *use,
                          const struct cu_token *argument)
{
    const char *text = "\"";
    for (const struct cu_token *t = argument; t->kind != CU_END; t = t->next) {
        bool is_plain = t->kind != CU_STRING;
        text = bsim_cu_text(m->file, "%s%s%.*s", text, t->after_blank && t != argument ? " " : "",
                            is_plain ? (int)t->length : 0, t->text);
    }
    struct cu_token *string = append_own(m, list, use->name, use);
    string->text = bsim_cu_text(m->file, "%s\"", text);
    string->length = (uint32_t)strlen(string->text);
    string->kind = CU_STRING;
}

/* a ## b: one token of both texts. */
static void paste(struct cu_macros *m, struct cu_token *left, const struct cu_token *right)
{
    const char *text = bsim_cu_text(m->file, "%.*s%.*s", (int)left->length, left->text,
                                    (int)right->length, right->text);
    struct cu_token *pasted = bsim_cu_tokens_of(m->file, text, strlen(text), left);
    if (pasted->next != NULL && pasted->next->kind != CU_END) {
        bsim_cu_fail(m->file, left, "## makes no token of this: %.40s", text);
    }
    left->kind = pasted->kind;
    left->text = pasted->text;
    left->length = pasted->length;
}

/* The last token of the list, or NULL. */
static struct cu_token *last_of(struct cu_list *list)
{
    struct cu_token *last = list->first;
    while (last != NULL && last->next != NULL) {
        last = last->next;
    }
    return last;
}

/* What stands right of ##. */
static const struct cu_token *append_pasted(struct cu_macros *m, struct cu_list *list,
                                            const struct use *use, const struct cu_token *right)
{
    const struct cu_token *argument = argument_of(use, right);
    const struct cu_token *from = argument != NULL ? argument : right;
    struct cu_token *left = last_of(list);
    bool is_comma = left != NULL && bsim_cu_is(left, ",");
    if (from->kind == CU_END) {
        return right; /* nothing is pasted; GNU's ", ## __VA_ARGS__" keeps its comma out */
    }
    if (left != NULL && !(is_comma && argument != NULL)) {
        paste(m, left, from);
        from = from->next;
    }
    if (argument != NULL) {
        bsim_cu_append_all(m, list, from);
    } else if (left == NULL) {
        append_own(m, list, right, use);
    }
    return right;
}

/* The body with the arguments in it. */
static struct cu_token *substitute(struct cu_macros *m, const struct use *use)
{
    struct cu_list list = {NULL, &list.first};
    for (const struct cu_token *t = use->macro->body; t->kind != CU_END && !bsim_cu_failed(m->file);
         t = t->next) {
        const struct cu_token *argument = argument_of(use, t);
        bool is_pasted = bsim_cu_is(t->next, "##");
        if (use->macro->has_parameters && bsim_cu_is(t, "#") && argument_of(use, t->next) != NULL) {
            append_string(m, &list, use, argument_of(use, t->next));
            t = t->next;
        } else if (bsim_cu_is(t, "##") && t->next->kind != CU_END) {
            t = append_pasted(m, &list, use, t->next);
        } else if (argument != NULL) {
            struct cu_token **begin = list.end;
            bsim_cu_append_all(m, &list, is_pasted ? argument : bsim_cu_expand_all(m, argument));
            if (*begin != NULL) { /* "unroll n" as text keeps its blank */
                (*begin)->after_blank = t->after_blank;
            }
        } else {
            append_own(m, &list, t, use);
        }
    }
    bsim_cu_append(m, &list, m->end);
    return list.first;
}

struct cu_token *bsim_cu_expand(struct cu_macros *m, struct cu_token *token)
{
    const struct cu_macro *macro = bsim_cu_find_macro(m, token);
    struct use use = {.macro = macro, .name = token};
    struct cu_token *behind = token->next;
    if (macro == NULL || is_hidden(token->hidden, macro) ||
        (macro->has_parameters && !bsim_cu_is(behind, "(")) || bsim_cu_failed(m->file)) {
        return token;
    }
    if (++m->depth > MAX_DEPTH) {
        bsim_cu_fail(m->file, token, "macros are nested more than %d deep here", MAX_DEPTH);
    }
    const struct cu_hidden *hidden = token->hidden;
    const struct cu_token *last = token;
    if (macro->has_parameters) {
        struct cu_token *closing = read_arguments(m, &use, behind);
        hidden = in_both(m, hidden, closing->hidden);
        behind = closing->kind == CU_END ? closing : closing->next;
        last = closing;
    }
    hidden = hide(m, hidden, &(struct cu_hidden){macro, NULL});
    struct cu_token *first = substitute(m, &use), *t = first, **end = &first;
    for (; t->kind != CU_END && !bsim_cu_failed(m->file); end = &t->next, t = t->next) {
        if (!m->keeps_arguments) {
            place(t, token);
        }
        t->begins_line = token->begins_line && t == first;
        t->hidden = hide(m, t->hidden, hidden);
    }
    *end = behind;
    m->last = last;
    m->depth--;
    return bsim_cu_failed(m->file) ? m->end : first;
}
