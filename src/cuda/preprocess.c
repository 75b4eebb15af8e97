/* preprocess.c - directives, as C++ has them.
 *
 * Tokens that a macro stands for are placed where it is used, as compilers number lines: an access
 * that a macro makes belongs to the line that uses the macro.
 */
#include "cuda/preprocess.h"

#include "c/macro.h"
#include "cuda/parse.h"

enum { MAX_TOKENS = 4000000 };

/* An #if that is open. */
struct condition {
    const struct cu_token *token;
    bool was_taken, had_else;
    struct condition *outer;
};

struct preprocessor {
    struct cu_file *file;
    struct cu_macros macros;
    struct condition *condition;
    struct cu_token *end; /* of the file */
};

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
    struct cu_list line = {NULL, &line.first};
    const struct cu_token *last = token;
    for (; !ends_line(token); token = token->next) {
        last = bsim_cu_append(&pp->macros, &line, token);
    }
    struct cu_token *end = bsim_cu_append(&pp->macros, &line, last);
    end->kind = CU_END;
    end->length = 0;
    *rest = token;
    return line.first;
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
        make_number(t, bsim_cu_find_macro(&pp->macros, name) != NULL);
        t->next = has_parenthesis ? name->next->next : name->next;
    }
}

static bool evaluate(struct preprocessor *pp, struct cu_token *line)
{
    replace_defined(pp, line);
    struct cu_token *tokens =
        bsim_cu_failed(pp->file) ? pp->end : bsim_cu_expand_all(&pp->macros, line);
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
        bool opens = bsim_cu_is_any(word, "if ifdef ifndef");
        bool closes = bsim_cu_is(word, "endif");
        bool turns = bsim_cu_is_any(word, "elif else");
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

/* #pragma unroll N stays, for the loop behind it; GCC's spelling as well. `line` is what stands behind the word pragma. */
static void keep_pragma(struct preprocessor *pp, const struct cu_token *line, struct cu_list *list)
{
    line = bsim_cu_is_any(line, "GCC clang") ? line->next : line;
    if (bsim_cu_is_any(line, "unroll nounroll")) {
        struct cu_token *unroll = bsim_cu_append(&pp->macros, list, line);
        unroll->kind = CU_UNROLL;
        bsim_cu_append_all(&pp->macros, list, bsim_cu_expand_all(&pp->macros, line->next));
        struct cu_token *end = bsim_cu_append(&pp->macros, list, line);
        end->kind = CU_SIGN;
        end->text = ";";
        end->length = 1;
    } else if (bsim_cu_is(line, "once")) {
        ((struct cu_source *)(uintptr_t)line->source)->is_once = true;
    } else if (bsim_cu_is(line, "pack")) {
        bsim_cu_fail(pp->file, line, "packed structs are not read here");
    }
}

/* _Pragma("unroll 4"), which macros may make, is #pragma unroll 4. Behind it; the word itself where it is no such. */
static struct cu_token *follow_operator(struct preprocessor *pp, struct cu_token *word, struct cu_list *list)
{
    struct cu_token *said = bsim_cu_is(word->next, "(") ? word->next->next : word, *next;
    while (said != word && (next = bsim_cu_expand(&pp->macros, said)) != said) {
        said = next;
    }
    if (said->kind != CU_STRING || !bsim_cu_is(said->next, ")")) {
        return word;
    }
    keep_pragma(pp, bsim_cu_tokens_of(pp->file, said->text + 1, said->length - 2, said), list);
    return said->next->next;
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
            .line = 1,
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

static struct cu_token *follow(struct preprocessor *pp, struct cu_token *hash, struct cu_list *list)
{
    struct cu_token *word = hash->next, *rest;
    if (ends_line(word)) {
        return word;
    }
    if (bsim_cu_is(word, "define")) {
        bsim_cu_define(&pp->macros, take_line(pp, word->next, &rest));
        return rest;
    }
    if (bsim_cu_is(word, "undef")) {
        bsim_cu_undefine(&pp->macros, word->next);
        return next_line(word);
    }
    if (bsim_cu_is(word, "if")) {
        bool is_true = evaluate(pp, take_line(pp, word->next, &rest));
        return open_condition(pp, word, is_true, rest);
    }
    if (bsim_cu_is_any(word, "ifdef ifndef")) {
        bool is_defined = bsim_cu_find_macro(&pp->macros, word->next) != NULL;
        return open_condition(pp, word, is_defined == bsim_cu_is(word, "ifdef"), next_line(word));
    }
    if (bsim_cu_is_any(word, "elif else endif")) {
        return turn_condition(pp, word);
    }
    if (bsim_cu_is(word, "pragma")) {
        keep_pragma(pp, take_line(pp, word->next, &rest), list);
        return rest;
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
        bsim_cu_define(&pp->macros, take_line(pp, token, &rest));
        token = rest;
    }
}

struct cu_token *bsim_cu_preprocess(struct cu_file *file, struct cu_token *tokens)
{
    struct preprocessor own = {.file = file, .end = bsim_cu_last(tokens)}, *pp = &own;
    struct cu_list all = {NULL, &all.first};
    struct cu_token *token = tokens;
    bsim_cu_begin_macros(&pp->macros, file, MAX_TOKENS, "this file");
    define_own(pp);
    while (token->kind != CU_END && !bsim_cu_failed(file)) {
        struct cu_token *replaced = is_directive(token)            ? follow(pp, token, &all)
                                    : bsim_cu_is(token, "_Pragma") ? follow_operator(pp, token, &all)
                                                                   : bsim_cu_expand(&pp->macros, token);
        if (replaced == token) {
            replaced = token->next;
            bsim_cu_move(&pp->macros, &all, token);
        }
        token = replaced;
    }
    if (pp->condition != NULL) {
        bsim_cu_fail(file, pp->condition->token, "this #if has no #endif");
    }
    bsim_cu_append(&pp->macros, &all, pp->end)->kind = CU_END;
    return all.first;
}
