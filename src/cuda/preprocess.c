/* preprocess.c - directives and macros, as C++ has them.
 *
 * Tokens that a macro stands for are placed where it is used, as compilers number lines: an access
 * that a macro makes belongs to the line that uses the macro. A macro is left alone within its own
 * expansion: each token has the set of macros that it comes from (Prosser's algorithm).
 */
#include "cuda/preprocess.h"

#include "base/table.h"
#include "cuda/parse.h"

enum { MAX_PARAMETERS = 64, MAX_TOKENS = 4000000, N_BUCKETS = 256, MAX_DEPTH = 200 };

struct macro {
    const struct cu_token *name;
    bool has_parameters, is_variadic, is_undefined;
    uint32_t n_parameters; /* with __VA_ARGS__ */
    const struct cu_token **parameter;
    const struct cu_token *body; /* up to its CU_END */
    struct macro *next;
};

/* The macros that a token comes from. */
struct cu_hidden {
    const struct macro *macro;
    const struct cu_hidden *outer;
};

/* An #if that is open. */
struct condition {
    const struct cu_token *token;
    bool was_taken, had_else;
    struct condition *outer;
};

struct preprocessor {
    struct cu_file *file;
    struct macro *bucket[N_BUCKETS];
    struct condition *condition;
    struct cu_token *end; /* of the file */
    uint32_t n_tokens, depth;
};

/* ---- lists ----------------------------------------------------------------------------------- */

struct list {
    struct cu_token *first, **end;
};

static struct cu_token *copy_of(struct preprocessor *pp, const struct cu_token *token)
{
    struct cu_token *copy = bsim_cu_take(pp->file, sizeof *copy);
    *copy = *token;
    copy->next = NULL;
    if (++pp->n_tokens > MAX_TOKENS) {
        bsim_cu_fail(pp->file, token, "macros make more than %d tokens of this file", MAX_TOKENS);
    }
    copy->kind = bsim_cu_failed(pp->file) ? CU_END : copy->kind; /* lists end there */
    return copy;
}

static struct cu_token *append(struct preprocessor *pp, struct list *list,
                               const struct cu_token *token)
{
    struct cu_token *copy = copy_of(pp, token);
    if (list->end != &copy->next) { /* which it is when memory is short for the second time */
        *list->end = copy;
        list->end = &copy->next;
    }
    return copy;
}

static bool ends_line(const struct cu_token *token)
{
    return token->kind == CU_END || token->begins_line;
}

static struct cu_token *next_line(struct cu_token *token)
{
    while (!ends_line(token)) {
        token = token->next;
    }
    return token;
}

/* The rest of the line, with an end of its own; *rest is the next one. */
static struct cu_token *take_line(struct preprocessor *pp, struct cu_token *token,
                                  struct cu_token **rest)
{
    struct list line = {NULL, &line.first};
    const struct cu_token *last = token;
    for (; !ends_line(token); token = token->next) {
        last = append(pp, &line, token);
    }
    struct cu_token *end = append(pp, &line, last);
    end->kind = CU_END;
    end->length = 0;
    *rest = token;
    return line.first;
}

/* ---- definitions ----------------------------------------------------------------------------- */

static struct macro **find_place(struct preprocessor *pp, const struct cu_token *name)
{
    struct macro **m = &pp->bucket[bsim_table_hash_text(name->text, name->length) % N_BUCKETS];
    while (*m != NULL && !bsim_cu_same_text((*m)->name, name)) {
        m = &(*m)->next;
    }
    return m;
}

static const struct macro *find_macro(struct preprocessor *pp, const struct cu_token *name)
{
    const struct macro *macro = name->kind == CU_NAME ? *find_place(pp, name) : NULL;
    return macro == NULL || macro->is_undefined ? NULL : macro;
}

/* parameters = "(" [name ("," name)*] ["," "..."] ")" */
static struct cu_token *read_parameters(struct preprocessor *pp, struct macro *macro,
                                        struct cu_token *token)
{
    static const struct cu_token rest = {.kind = CU_NAME, .text = "__VA_ARGS__", .length = 11};
    macro->has_parameters = true;
    macro->parameter = bsim_cu_take(pp->file, MAX_PARAMETERS * sizeof *macro->parameter);
    for (token = token->next; !bsim_cu_is(token, ")") && !bsim_cu_failed(pp->file);
         token = token->next) {
        macro->is_variadic = bsim_cu_is(token, "...");
        bool is_good = token->kind == CU_NAME || macro->is_variadic || bsim_cu_is(token, ",");
        if (!is_good || macro->n_parameters == MAX_PARAMETERS) {
            bsim_cu_fail(pp->file, token, "a macro's parameter should stand here");
            return token;
        }
        if (!bsim_cu_is(token, ",")) {
            macro->parameter[macro->n_parameters++] = macro->is_variadic ? &rest : token;
        }
    }
    return bsim_cu_failed(pp->file) ? pp->end : token->next;
}

static void define(struct preprocessor *pp, struct cu_token *token)
{
    if (token->kind != CU_NAME) {
        bsim_cu_fail(pp->file, token, "a macro's name should stand here");
        return;
    }
    struct macro **place = find_place(pp, token);
    struct macro *macro = bsim_cu_take(pp->file, sizeof *macro);
    macro->name = token;
    macro->next = *place != NULL ? (*place)->next : NULL;
    struct cu_token *body = token->next;
    if (bsim_cu_is(body, "(") && !body->after_blank) {
        body = read_parameters(pp, macro, body);
    }
    macro->body = body;
    *place = macro;
}

static void undefine(struct preprocessor *pp, const struct cu_token *token)
{
    struct macro *macro = *find_place(pp, token);
    if (macro != NULL) {
        macro->is_undefined = true;
    }
}

/* ---- expansion ------------------------------------------------------------------------------- */

static bool is_hidden(const struct cu_hidden *hidden, const struct macro *macro)
{
    while (hidden != NULL && hidden->macro != macro) {
        hidden = hidden->outer;
    }
    return hidden != NULL;
}

/* All of both, each once. */
static const struct cu_hidden *hide(struct preprocessor *pp, const struct cu_hidden *hidden,
                                    const struct cu_hidden *more)
{
    for (; more != NULL; more = more->outer) {
        if (!is_hidden(hidden, more->macro)) {
            struct cu_hidden *one = bsim_cu_take(pp->file, sizeof *one);
            *one = (struct cu_hidden){more->macro, hidden};
            hidden = one;
        }
    }
    return hidden;
}

static const struct cu_hidden *in_both(struct preprocessor *pp, const struct cu_hidden *a,
                                       const struct cu_hidden *b)
{
    const struct cu_hidden *both = NULL;
    for (; a != NULL; a = a->outer) {
        if (is_hidden(b, a->macro)) {
            both = hide(pp, both, &(struct cu_hidden){a->macro, NULL});
        }
    }
    return both;
}

/* One use of a macro with parameters. */
struct use {
    const struct macro *macro;
    const struct cu_token *name;
    uint32_t n;
    struct cu_token *argument[MAX_PARAMETERS]; /* each with its CU_END */
};

/* The tokens up to a ',' or ')' outside of parentheses. */
static struct cu_token *read_argument(struct preprocessor *pp, struct cu_token *token, bool to_end,
                                      struct cu_token **argument)
{
    struct list list = {NULL, &list.first};
    uint32_t depth = 0;
    while (depth > 0 || !(bsim_cu_is(token, ")") || (bsim_cu_is(token, ",") && !to_end))) {
        if (token->kind == CU_END) {
            bsim_cu_fail(pp->file, token, "the arguments of this macro do not end");
            break;
        }
        depth += bsim_cu_is(token, "(");
        depth -= bsim_cu_is(token, ")");
        append(pp, &list, token);
        token = token->next;
    }
    struct cu_token *end = append(pp, &list, token);
    end->kind = CU_END;
    end->length = 0;
    *argument = list.first;
    return token;
}

/* arguments = "(" argument ("," argument)* ")"; answers their ')'. */
static struct cu_token *read_arguments(struct preprocessor *pp, struct use *use,
                                       struct cu_token *token)
{
    const struct macro *macro = use->macro;
    do {
        struct cu_token *argument;
        bool is_rest = macro->is_variadic && use->n + 1 == macro->n_parameters;
        token = read_argument(pp, token->next, is_rest, &argument);
        if (use->n < MAX_PARAMETERS) {
            use->argument[use->n++] = argument;
        }
    } while (bsim_cu_is(token, ",") && !bsim_cu_failed(pp->file));
    bool is_empty = use->n == 1 && use->argument[0]->kind == CU_END;
    if (is_empty && macro->n_parameters == 0) {
        use->n = 0;
    }
    if (macro->is_variadic && use->n + 1 == macro->n_parameters) {
        use->argument[use->n++] = token->kind == CU_END ? token : pp->end;
    }
    if (use->n != macro->n_parameters) {
        bsim_cu_fail(pp->file, use->name, "the macro %.*s takes %u arguments, and %u stand here",
                     bsim_cu_shown(use->name), use->name->text, macro->n_parameters, use->n);
    }
    return token;
}

static struct cu_token *expand(struct preprocessor *pp, struct cu_token *token);

/* A list with the macros in it replaced. */
static struct cu_token *expand_all(struct preprocessor *pp, const struct cu_token *tokens)
{
    struct list list = {NULL, &list.first}, all = {NULL, &all.first};
    for (const struct cu_token *t = tokens;; t = t->next) {
        append(pp, &list, t);
        if (t->kind == CU_END || bsim_cu_failed(pp->file)) {
            break;
        }
    }
    struct cu_token *token = list.first;
    while (token->kind != CU_END && !bsim_cu_failed(pp->file)) {
        struct cu_token *replaced = expand(pp, token);
        if (replaced == token) {
            append(pp, &all, token);
            token = token->next;
        } else {
            token = replaced;
        }
    }
    append(pp, &all, token)->kind = CU_END;
    return all.first;
}

static const struct cu_token *argument_of(const struct use *use, const struct cu_token *token)
{
    for (uint32_t i = 0; i < use->macro->n_parameters && token->kind == CU_NAME && i < use->n;
         i++) {
        if (bsim_cu_same_text(use->macro->parameter[i], token)) {
            return use->argument[i];
        }
    }
    return NULL;
}

/* # argument: its text as a string; of weight to nobody here but as one token. */
static void append_string(struct preprocessor *pp, struct list *list, const struct cu_token *name,
                          const struct cu_token *argument)
{
    const char *text = "\"";
    for (const struct cu_token *t = argument; t->kind != CU_END; t = t->next) {
        bool is_plain = t->kind != CU_STRING;
        text = bsim_cu_text(pp->file, "%s%s%.*s", text, t->after_blank && t != argument ? " " : "",
                            is_plain ? (int)t->length : 0, t->text);
    }
    struct cu_token *string = append(pp, list, name);
    string->text = bsim_cu_text(pp->file, "%s\"", text);
    string->length = strlen(string->text);
    string->kind = CU_STRING;
}

/* a ## b: one token of both texts. */
static void paste(struct preprocessor *pp, struct cu_token *left, const struct cu_token *right)
{
    const char *text = bsim_cu_text(pp->file, "%.*s%.*s", (int)left->length, left->text,
                                    (int)right->length, right->text);
    struct cu_token *pasted = bsim_cu_tokens_of(pp->file, text, strlen(text), left);
    if (pasted->next != NULL && pasted->next->kind != CU_END) {
        bsim_cu_fail(pp->file, left, "## makes no token of this: %.40s", text);
    }
    left->kind = pasted->kind;
    left->text = pasted->text;
    left->length = pasted->length;
}

static void append_all(struct preprocessor *pp, struct list *list, const struct cu_token *tokens)
{
    for (const struct cu_token *t = tokens; t->kind != CU_END && !bsim_cu_failed(pp->file);
         t = t->next) {
        append(pp, list, t);
    }
}

/* The last token of the list, or NULL. */
static struct cu_token *last_of(struct list *list)
{
    struct cu_token *last = list->first;
    while (last != NULL && last->next != NULL) {
        last = last->next;
    }
    return last;
}

/* What stands right of ##. */
static const struct cu_token *append_pasted(struct preprocessor *pp, struct list *list,
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
        paste(pp, left, from);
        from = from->next;
    }
    if (argument != NULL) {
        append_all(pp, list, from);
    } else if (left == NULL) {
        append(pp, list, right);
    }
    return right;
}

/* The body with the arguments in it. */
static struct cu_token *substitute(struct preprocessor *pp, const struct use *use)
{
    struct list list = {NULL, &list.first};
    for (const struct cu_token *t = use->macro->body;
         t->kind != CU_END && !bsim_cu_failed(pp->file); t = t->next) {
        const struct cu_token *argument = argument_of(use, t);
        bool is_pasted = bsim_cu_is(t->next, "##");
        if (use->macro->has_parameters && bsim_cu_is(t, "#") && argument_of(use, t->next) != NULL) {
            append_string(pp, &list, t, argument_of(use, t->next));
            t = t->next;
        } else if (bsim_cu_is(t, "##") && t->next->kind != CU_END) {
            t = append_pasted(pp, &list, use, t->next);
        } else if (argument != NULL) {
            append_all(pp, &list, is_pasted ? argument : expand_all(pp, argument));
        } else {
            append(pp, &list, t);
        }
    }
    append(pp, &list, pp->end);
    return list.first;
}

/* What the token and those behind it become; the token itself if it is no macro. */
static struct cu_token *expand(struct preprocessor *pp, struct cu_token *token)
{
    const struct macro *macro = find_macro(pp, token);
    struct use use = {.macro = macro, .name = token};
    struct cu_token *behind = token->next;
    if (macro == NULL || is_hidden(token->hidden, macro) ||
        (macro->has_parameters && !bsim_cu_is(behind, "(")) || bsim_cu_failed(pp->file)) {
        return token;
    }
    if (++pp->depth > MAX_DEPTH) {
        bsim_cu_fail(pp->file, token, "macros are nested more than %d deep here", MAX_DEPTH);
    }
    const struct cu_hidden *hidden = token->hidden;
    if (macro->has_parameters) {
        struct cu_token *closing = read_arguments(pp, &use, behind);
        hidden = in_both(pp, hidden, closing->hidden);
        behind = closing->kind == CU_END ? closing : closing->next;
    }
    hidden = hide(pp, hidden, &(struct cu_hidden){macro, NULL});
    struct cu_token *first = substitute(pp, &use), *t = first, **end = &first;
    for (; t->kind != CU_END && !bsim_cu_failed(pp->file); end = &t->next, t = t->next) {
        t->at = token->at;
        t->line = token->line;
        t->source = token->source;
        t->begins_line = token->begins_line && t == first;
        t->hidden = hide(pp, t->hidden, hidden);
    }
    *end = behind;
    pp->depth--;
    return bsim_cu_failed(pp->file) ? pp->end : first;
}

/* ---- #if ------------------------------------------------------------------------------------- */

static void make_number(struct cu_token *token, bool is_one)
{
    token->kind = CU_NUMBER;
    token->text = is_one ? "1" : "0";
    token->length = 1;
}

/* defined NAME, defined(NAME) become 1 or 0. */
static void replace_defined(struct preprocessor *pp, struct cu_token *tokens)
{
    for (struct cu_token *t = tokens; t->kind != CU_END; t = t->next) {
        if (!bsim_cu_is(t, "defined")) {
            continue;
        }
        struct cu_token *name = t->next;
        bool has_parenthesis = bsim_cu_is(name, "(");
        name = has_parenthesis ? name->next : name;
        if (name->kind != CU_NAME || (has_parenthesis && !bsim_cu_is(name->next, ")"))) {
            bsim_cu_fail(pp->file, t, "a name should stand behind defined");
            return;
        }
        make_number(t, find_macro(pp, name) != NULL);
        t->next = has_parenthesis ? name->next->next : name->next;
    }
}

static bool evaluate(struct preprocessor *pp, struct cu_token *line)
{
    replace_defined(pp, line);
    struct cu_token *tokens = bsim_cu_failed(pp->file) ? pp->end : expand_all(pp, line);
    for (struct cu_token *t = tokens; t->kind != CU_END; t = t->next) {
        if (t->kind == CU_NAME) {
            make_number(t, bsim_cu_is(t, "true"));
        }
    }
    struct cu_parser p = {.file = pp->file, .token = tokens, .end = pp->end, .is_widest = true};
    bool is_true = bsim_cu_constant_expression(&p, "what #if asks") != 0;
    if (p.token->kind != CU_END) {
        bsim_cu_stop(&p, p.token, "this should not stand here, behind #if");
    }
    return is_true;
}

static bool is_directive(const struct cu_token *token)
{
    return token->begins_line && bsim_cu_is(token, "#");
}

/* To the #elif, #else or #endif that belongs to what is passed over, or the end. */
static struct cu_token *skip_group(struct cu_token *token)
{
    uint32_t depth = 0;
    for (; token->kind != CU_END; token = token->next) {
        if (!is_directive(token)) {
            continue;
        }
        const struct cu_token *word = token->next;
        bool opens =
            bsim_cu_is(word, "if") || bsim_cu_is(word, "ifdef") || bsim_cu_is(word, "ifndef");
        bool closes = bsim_cu_is(word, "endif");
        bool turns = bsim_cu_is(word, "elif") || bsim_cu_is(word, "else");
        if (depth == 0 && (closes || turns)) {
            break;
        }
        depth += opens;
        depth -= closes;
    }
    return token;
}

static struct cu_token *open_condition(struct preprocessor *pp, const struct cu_token *token,
                                       bool is_true, struct cu_token *rest)
{
    struct condition *condition = bsim_cu_take(pp->file, sizeof *condition);
    *condition = (struct condition){token, is_true, false, pp->condition};
    pp->condition = condition;
    return is_true ? rest : skip_group(rest);
}

/* #elif, #else, #endif. */
static struct cu_token *turn_condition(struct preprocessor *pp, struct cu_token *word)
{
    struct condition *condition = pp->condition;
    struct cu_token *rest, *line = take_line(pp, word->next, &rest);
    if (condition == NULL || (condition->had_else && !bsim_cu_is(word, "endif"))) {
        bsim_cu_fail(pp->file, word, "there is no #if that this belongs to");
        return rest;
    }
    if (bsim_cu_is(word, "endif")) {
        pp->condition = condition->outer;
        return rest;
    }
    condition->had_else = bsim_cu_is(word, "else");
    bool is_taken = !condition->was_taken && (condition->had_else || evaluate(pp, line));
    condition->was_taken = condition->was_taken || is_taken;
    return is_taken ? rest : skip_group(rest);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* #pragma unroll N stays, for the loop behind it; GCC's spelling as well. */
static struct cu_token *keep_pragma(struct preprocessor *pp, struct cu_token *word,
                                    struct list *list)
{
    struct cu_token *rest, *line = take_line(pp, word->next, &rest);
    line = bsim_cu_is(line, "GCC") || bsim_cu_is(line, "clang") ? line->next : line;
    if (bsim_cu_is(line, "unroll") || bsim_cu_is(line, "nounroll")) {
        struct cu_token *unroll = append(pp, list, line);
        unroll->kind = CU_UNROLL;
        append_all(pp, list, expand_all(pp, line->next));
        struct cu_token *end = append(pp, list, line);
        end->kind = CU_SIGN;
        end->text = ";";
        end->length = 1;
    } else if (bsim_cu_is(line, "once")) {
        ((struct cu_source *)(uintptr_t)line->source)->is_once = true;
    } else if (bsim_cu_is(line, "pack")) {
        bsim_cu_fail(pp->file, line, "packed structs are not read here");
    }
    return rest;
}

/* ---- headers --------------------------------------------------------------------------------- */

/* The header as a text of the file's, or NULL: it is not there, or was to be read once. */
static struct cu_source *read_header(struct preprocessor *pp, const struct cu_token *name)
{
    struct bsim_buffer path = BSIM_BUFFER_EMPTY, text = BSIM_BUFFER_EMPTY;
    const struct bsim_cuda_headers *headers = pp->file->headers;
    const char *said = bsim_cu_text(pp->file, "%.*s", (int)name->length - 2, name->text + 1);
    bool is_there =
        headers != NULL && headers->read(headers->context, name->source->name, said, &path, &text);
    struct cu_source *source = NULL, *first = &pp->file->source;
    if (path.failed || text.failed) {
        bsim_cu_no_memory(pp->file);
    } else if (is_there) {
        source = bsim_cu_take(pp->file, sizeof *source);
        *source = (struct cu_source){
            .name = bsim_cu_text(pp->file, "%s", path.data),
            .text = bsim_cu_text(pp->file, "%s", text.data != NULL ? text.data : ""),
            .number = (first->next != NULL ? first->next->number : 1) + 1,
            .depth = name->source->depth + 1};
        source->length = strlen(source->text);
    } else if (strncmp(said, "cuda", 4) != 0) { /* what CUDA's declare is known */
        const char *missing = pp->file->missing != NULL ? pp->file->missing : "";
        pp->file->missing =
            strstr(missing, said) != NULL
                ? missing
                : bsim_cu_text(pp->file, "%s%s%s", missing, missing[0] != '\0' ? ", " : "", said);
    }
    for (const struct cu_source *s = first; source != NULL && s != NULL; s = s->next) {
        source = s->is_once && strcmp(s->name, source->name) == 0 ? NULL : source;
    }
    bsim_buffer_free(&path);
    bsim_buffer_free(&text);
    return source;
}

/* include = "#" "include" string: the header's tokens stand before the rest. */
static struct cu_token *include(struct preprocessor *pp, const struct cu_token *name,
                                struct cu_token *rest)
{
    enum { MAX_NESTED = 64 };
    struct cu_source *source = name->kind == CU_STRING ? read_header(pp, name) : NULL;
    if (source == NULL || bsim_cu_failed(pp->file)) {
        return rest;
    }
    if (source->depth > MAX_NESTED) {
        bsim_cu_fail(pp->file, name, "headers are nested more than %d deep here", MAX_NESTED);
        return rest;
    }
    source->next = pp->file->source.next;
    pp->file->source.next = source;
    struct cu_token *first = bsim_cu_tokens(pp->file, source), **end = &first;
    while ((*end)->next != NULL) {
        end = &(*end)->next;
    }
    *end = rest;
    return first;
}

static struct cu_token *follow(struct preprocessor *pp, struct cu_token *hash, struct list *list)
{
    struct cu_token *word = hash->next, *rest;
    if (ends_line(word)) {
        return word;
    }
    if (bsim_cu_is(word, "define")) {
        define(pp, take_line(pp, word->next, &rest));
        return rest;
    }
    if (bsim_cu_is(word, "undef")) {
        undefine(pp, word->next);
        return next_line(word);
    }
    if (bsim_cu_is(word, "if")) {
        bool is_true = evaluate(pp, take_line(pp, word->next, &rest));
        return open_condition(pp, word, is_true, rest);
    }
    if (bsim_cu_is(word, "ifdef") || bsim_cu_is(word, "ifndef")) {
        bool is_defined = find_macro(pp, word->next) != NULL;
        return open_condition(pp, word, is_defined == bsim_cu_is(word, "ifdef"), next_line(word));
    }
    if (bsim_cu_is(word, "elif") || bsim_cu_is(word, "else") || bsim_cu_is(word, "endif")) {
        return turn_condition(pp, word);
    }
    if (bsim_cu_is(word, "pragma")) {
        return keep_pragma(pp, word, list);
    }
    if (bsim_cu_is(word, "include")) {
        return include(pp, word->next, next_line(word));
    }
    if (bsim_cu_is(word, "error")) {
        bsim_cu_fail(pp->file, word, "this #error is met");
    }
    return next_line(word);
}

/* What nvcc defines while it compiles for a GPU. */
static void define_own(struct preprocessor *pp)
{
    static const char own[] = "__CUDACC__ 1\n__NVCC__ 1\n__CUDA_ARCH__ 900\n__cplusplus 201703L\n"
                              "CUDART_VERSION 13000\nCUDA_VERSION 13000\n__CUDACC_VER_MAJOR__ 13\n"
                              "__CUDACC_VER_MINOR__ 0\n__x86_64__ 1\n__linux__ 1\n";
    struct cu_token *token = bsim_cu_tokens_of(pp->file, own, sizeof own - 1, pp->end), *rest;
    while (token->kind != CU_END && !bsim_cu_failed(pp->file)) {
        token->begins_line = false;
        define(pp, take_line(pp, token, &rest));
        token = rest;
    }
}

static struct cu_token *last_token(struct cu_token *token)
{
    while (token->next != NULL) {
        token = token->next;
    }
    return token;
}

struct cu_token *bsim_cu_preprocess(struct cu_file *file, struct cu_token *tokens)
{
    struct preprocessor own = {.file = file, .end = last_token(tokens)}, *pp = &own;
    struct list all = {NULL, &all.first};
    struct cu_token *token = tokens;
    define_own(pp);
    while (token->kind != CU_END && !bsim_cu_failed(file)) {
        struct cu_token *replaced =
            is_directive(token) ? follow(pp, token, &all) : expand(pp, token);
        if (replaced == token) {
            append(pp, &all, token);
            replaced = token->next;
        }
        token = replaced;
    }
    if (pp->condition != NULL) {
        bsim_cu_fail(file, pp->condition->token, "this #if has no #endif");
    }
    append(pp, &all, pp->end)->kind = CU_END;
    return all.first;
}
