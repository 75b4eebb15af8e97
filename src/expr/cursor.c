/* cursor.c - the token at hand, of the source and of what macros stand for, and failing at it. */
#include "expr/macro.h"
#include "base/memory.h"
#include "expr/parse.h"

#include <stdarg.h>
#include <string.h>
#include <stdio.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

void bsim_parse_stop(struct bsim_parse *parse, enum bsim_status status)
{
    parse->status = status;
    parse->next = parse->end;
    parse->pending = NULL;
    parse->token = (struct bsim_token){.kind = BSIM_TOKEN_END, .at = parse->end, .text = ""};
}

const char *bsim_parse_macro_at(const struct bsim_parse *parse, size_t at)
{
    const struct bsim_hidden *hidden = parse->token.hidden;
    while (hidden != NULL && hidden->is_argument) {
        hidden = hidden->outer;
    }
    return hidden != NULL && parse->token.at == at ? hidden->macro->name : NULL;
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
    const char *macro = bsim_parse_macro_at(parse, at);
    bsim_parse_stop(parse, bsim_source_error(parse->source, at, parse->err, "%s%.40s%s%s",
                                             macro != NULL ? "in " : "", macro != NULL ? macro : "",
                                             macro != NULL ? ": " : "", message));
    return false;
}

bool bsim_parse_no_memory(struct bsim_parse *parse)
{
    if (parse->status == BSIM_OK) {
        bsim_parse_stop(parse, bsim_mem_short(parse->err));
    }
    return false;
}

/* The next token as it stands there. */
static bool next_token(struct bsim_parse *parse)
{
    if (parse->status != BSIM_OK) {
        return false;
    }
    if (parse->pending != NULL) {
        parse->token = parse->pending->token;
        parse->pending = parse->pending->next;
        return true;
    }
    enum bsim_status status =
        bsim_token_next(parse->source, &parse->next, parse->end, &parse->token, parse->err);
    if (status != BSIM_OK) {
        bsim_parse_stop(parse, status);
    }
    return status == BSIM_OK;
}

bool bsim_parse_advance(struct bsim_parse *parse)
{
    bool is_macro = true;
    /* What a macro stands for ends where its use does. */
    parse->behind =
        parse->token.hidden != NULL ? parse->next : parse->token.at + parse->token.length;
    while (is_macro) {
        if (!next_token(parse)) {
            return false;
        }
        if (parse->raw) {
            return true;
        }
        if (!bsim_macro_expand(parse, &is_macro)) {
            return false;
        }
    }
    return true;
}

bool bsim_parse_start(struct bsim_parse *parse, size_t at, size_t end)
{
    parse->status = BSIM_OK;
    parse->next = at;
    parse->end = end;
    parse->nesting = 0;
    parse->pending = NULL;
    parse->n_expanded = 0;
    parse->token = (struct bsim_token){.kind = BSIM_TOKEN_END, .at = at};
    return bsim_parse_advance(parse);
}

bool bsim_parse_sees(const struct bsim_parse *parse, const char *text)
{
    return bsim_token_is(&parse->token, text);
}

bool bsim_parse_take(struct bsim_parse *parse, const char *text)
{
    return bsim_parse_sees(parse, text) && bsim_parse_advance(parse);
}

/* extern "C", whose text is no token here. */
static bool sees_linkage(const struct bsim_parse *parse)
{
    const char *behind = bsim_parse_text(parse) + parse->token.length;
    return bsim_parse_sees(parse, "extern") && behind[strspn(behind, " \t")] == '"';
}

bool bsim_parse_refuse_file(struct bsim_parse *parse)
{
    static const char *const outside[] = {"__global__", "__host__", "template",
                                          "namespace",  "using",    "inline"};
    bool is_outside = sees_linkage(parse);
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        is_outside = is_outside || bsim_parse_sees(parse, outside[i]);
    }
    return !is_outside ||
           bsim_parse_fail(
               parse, parse->token.at,
               "a whole kernel is not read here, only what stands between its { }: give "
               "that behind 'block 32,8', or run the kernel with 'banksim cuda' or "
               "'banksim launch'");
}

int bsim_parse_shown(const struct bsim_parse *parse)
{
    return parse->token.length < BSIM_PARSE_SHOWN ? (int)parse->token.length : BSIM_PARSE_SHOWN;
}

const char *bsim_parse_text(const struct bsim_parse *parse)
{
    return parse->token.text;
}

bool bsim_parse_wants(struct bsim_parse *parse, const char *wanted)
{
    if (parse->token.kind == BSIM_TOKEN_END) {
        return bsim_parse_fail(parse, parse->token.at, "it ends here, and %s is missing", wanted);
    }
    return bsim_parse_fail(parse, parse->token.at, "'%.*s' stands where %s should be",
                           bsim_parse_shown(parse), bsim_parse_text(parse), wanted);
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
    static const char *const changing[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<=", ">>="};
    for (size_t i = 0; i < N_OF(changing); i++) {
        if (bsim_parse_sees(parse, changing[i])) {
            return bsim_parse_fail(parse, parse->token.at,
                                   "'%s' changes something: that stands in a statement of its own",
                                   changing[i]);
        }
    }
    return bsim_parse_fail(parse, parse->token.at,
                           "'%.*s' should not stand here: is a ; or an operator missing?",
                           bsim_parse_shown(parse), bsim_parse_text(parse));
}

bool bsim_parse_end(struct bsim_parse *parse)
{
    if (bsim_parse_sees(parse, ";") && !bsim_parse_advance(parse)) {
        return false;
    }
    if (parse->status == BSIM_OK && parse->token.kind != BSIM_TOKEN_END) {
        return bsim_parse_refuse_rest(parse);
    }
    return parse->status == BSIM_OK;
}
