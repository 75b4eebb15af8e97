/* cursor.c - the token at hand, of the source and of what macros stand for, and failing at it. */
#include "base/memory.h"
#include "expr/parse.h"

#include <stdio.h>

enum { MAX_TOKENS = 20000 };

static const struct cu_token nothing = {.kind = CU_END, .text = "", .at = ""};

void bsim_parse_stop(struct bsim_parse *parse, enum bsim_status status)
{
    parse->status = status;
    parse->token = &nothing;
    parse->at = parse->end;
}

const char *bsim_parse_macro_at(const struct bsim_parse *parse, size_t at)
{
    const struct cu_token *maker = parse->token->maker;
    return maker != NULL && parse->at == at
               ? bsim_cu_text(parse->file, "in %.*s: ", bsim_cu_shown(maker), maker->text)
               : "";
}

bool bsim_parse_fail(struct bsim_parse *parse, size_t at, const char *format, ...)
{
    char message[BSIM_ERROR_MESSAGE_SIZE];
    if (parse->status != BSIM_OK) {
        return false;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    bsim_parse_stop(parse, bsim_cu_error(parse->source, at, parse->err, "%s%s",
                                         bsim_parse_macro_at(parse, at), message));
    return false;
}

bool bsim_parse_no_memory(struct bsim_parse *parse)
{
    if (parse->status == BSIM_OK) {
        bsim_parse_stop(parse, bsim_mem_short(parse->err));
    }
    return false;
}

/* ---- macros ---------------------------------------------------------------------------------- */

void bsim_parse_begin_macros(struct cu_macros *macros, struct cu_file *file)
{
    bsim_cu_begin_macros(macros, file, MAX_TOKENS, "this");
    macros->keeps_arguments = true;
}

bool bsim_parse_begins_macro(const struct bsim_parse *parse)
{
    const struct cu_token *behind = parse->token->next;
    return parse->token->kind == CU_NAME && bsim_cu_is(behind, "(") && !behind->after_blank;
}

/* What failed in the file's memory or its macros fails here; it is all right again then, as who looks
 * ahead may come back. */
static bool settle(struct bsim_parse *parse)
{
    enum bsim_status status = parse->file->status;
    parse->file->status = BSIM_OK;
    if (status != BSIM_OK) {
        bsim_parse_stop(parse, status);
    }
    return parse->status == BSIM_OK;
}

bool bsim_parse_macro(struct bsim_parse *parse, bool is_text)
{
    struct cu_token *name = (struct cu_token *)(uintptr_t)parse->token;
    struct bsim_symbol symbol = {.kind = BSIM_NODE_MACRO, .type = bsim_cu_scalar(CU_VOID)};
    symbol.name = bsim_parse_new_name(parse);
    if (symbol.name == NULL) {
        return false;
    }
    struct cu_macro *macro = bsim_cu_define(parse->macros, name);
    if (!settle(parse)) {
        return false;
    }
    if (!is_text && bsim_cu_is(macro->body, "=")) {
        macro->body = macro->body->next;
    }
    return bsim_scope_add(parse->scope, &symbol) || bsim_parse_no_memory(parse);
}

/* C leaves alone a macro within its own expansion, and one with parameters that no ( follows: nobody
 * means either. */
static bool check_expanded(struct bsim_parse *parse)
{
    const struct cu_token *token = parse->token;
    const struct cu_macro *macro =
        parse->macros != NULL ? bsim_cu_find_macro(parse->macros, token) : NULL;
    return macro == NULL ||
           (macro->has_parameters && !bsim_cu_is(token->next, "(")
                ? bsim_parse_fail(parse, parse->at, "the macro %.*s needs its arguments in ( )",
                                  bsim_cu_shown(token), token->text)
                : bsim_parse_fail(parse, parse->at, "the macro %.*s stands for itself",
                                  bsim_cu_shown(token), token->text));
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static size_t offset_of(const struct bsim_parse *parse, const struct cu_token *token)
{
    return (size_t)(token->at - parse->source->text);
}

/* The token at hand is one that can be used, a number with its value. */
static bool check_token(struct bsim_parse *parse)
{
    const struct cu_token *token = parse->token;
    bsim_cu_refuse_bad(parse->file, token);
    if (token->kind == CU_STRING) {
        return bsim_parse_fail(parse, parse->at, "a text is no value here");
    }
    const char *why =
        (token->kind == CU_NUMBER || token->kind == CU_CHARACTER) && !bsim_cu_is_real(token)
            ? bsim_cu_read_integer(token, &parse->number, &parse->type)
            : NULL;
    if (why != NULL) {
        return bsim_parse_fail(parse, parse->at, "the constant '%.*s' %s", bsim_cu_shown(token),
                               token->text, why);
    }
    return settle(parse);
}

/* The token is the one at hand, or if it is a macro's name, what that stands for. */
static bool enter(struct bsim_parse *parse, const struct cu_token *token)
{
    struct cu_token *first = (struct cu_token *)(uintptr_t)token, *before = NULL;
    parse->file->err = parse->err;
    while (!parse->raw && parse->macros != NULL && first != before &&
           parse->file->status == BSIM_OK) {
        before = first;
        first = bsim_cu_expand(parse->macros, before);
        if (first != before && parse->macros->last->hidden == NULL) {
            parse->used = offset_of(parse, parse->macros->last) + parse->macros->last->length;
        }
    }
    parse->token = first;
    parse->at = first->source != NULL ? offset_of(parse, first) : parse->end;
    return settle(parse) && (parse->raw || (check_expanded(parse) && check_token(parse)));
}

bool bsim_parse_advance(struct bsim_parse *parse)
{
    if (parse->status != BSIM_OK) {
        return false;
    }
    parse->behind = parse->token->hidden != NULL ? parse->used : parse->at + parse->token->length;
    return enter(parse, parse->token->kind == CU_END ? parse->token : parse->token->next);
}

bool bsim_parse_start(struct bsim_parse *parse, size_t at, size_t end)
{
    parse->status = BSIM_OK;
    parse->end = end;
    parse->nesting = 0;
    parse->behind = at;
    if (parse->macros != NULL) {
        parse->macros->n_tokens = 0;
    }
    return enter(parse, bsim_cu_tokens_in(parse->file, parse->source, at, end));
}

bool bsim_parse_sees(const struct bsim_parse *parse, const char *text)
{
    return bsim_cu_is(parse->token, text);
}

bool bsim_parse_sees_any(const struct bsim_parse *parse, const char *texts)
{
    return bsim_cu_is_any(parse->token, texts);
}

bool bsim_parse_take(struct bsim_parse *parse, const char *text)
{
    return bsim_parse_sees(parse, text) && bsim_parse_advance(parse);
}

bool bsim_parse_take_any(struct bsim_parse *parse, const char *texts)
{
    return bsim_parse_sees_any(parse, texts) && bsim_parse_advance(parse);
}

bool bsim_parse_refuse_file(struct bsim_parse *parse)
{
    bool is_outside =
        bsim_parse_sees_any(parse, "__global__ __host__ template namespace using inline") ||
        (bsim_parse_sees(parse, "extern") && parse->token->next->kind == CU_STRING);
    return !is_outside ||
           bsim_parse_fail(
               parse, parse->at,
               "a whole kernel is not read here, only what stands between its { }: give "
               "that behind 'block 32,8', or run the kernel with 'banksim cuda' or "
               "'banksim launch'");
}

bool bsim_parse_wants(struct bsim_parse *parse, const char *wanted)
{
    if (parse->token->kind == CU_END) {
        return bsim_parse_fail(parse, parse->at, "it ends here, and %s is missing", wanted);
    }
    return bsim_parse_fail(parse, parse->at, "'%.*s' stands where %s should be",
                           bsim_cu_shown(parse->token), parse->token->text, wanted);
}

bool bsim_parse_expect(struct bsim_parse *parse, const char *text)
{
    char wanted[16];
    if (bsim_parse_take(parse, text)) {
        return true;
    }
    (void)snprintf(wanted, sizeof wanted, "'%s'", text);
    return bsim_parse_wants(parse, wanted);
}

bool bsim_parse_refuse_rest(struct bsim_parse *parse)
{
    return bsim_parse_fail(parse, parse->at,
                           bsim_parse_sees_any(parse, "= += -= *= /= %= &= |= ^= ++ -- <<= >>=")
                               ? "'%.*s' changes something: that stands in a statement of its own"
                               : "'%.*s' should not stand here: is a ; or an operator missing?",
                           bsim_cu_shown(parse->token), parse->token->text);
}

bool bsim_parse_end(struct bsim_parse *parse)
{
    if (bsim_parse_sees(parse, ";") && !bsim_parse_advance(parse)) {
        return false;
    }
    if (parse->status == BSIM_OK && parse->token->kind != CU_END) {
        return bsim_parse_refuse_rest(parse);
    }
    return parse->status == BSIM_OK;
}
