/* cursor.c - the token at hand, and failing at it. */
#include "cuda/parse.h"

#include <stdarg.h>
#include <stdio.h>

enum { MAX_DEPTH = 256 };

void bsim_cu_stop(struct cu_parser *p, const struct cu_token *token, const char *format, ...)
{
    char message[BSIM_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    for (const struct cu_function *f = p->function; token->line == 0 && f != NULL; f = f->caller) {
        token = f->call != NULL ? f->call : token; /* CUDA's headers have no place: who calls has */
    }
    bsim_cu_fail(p->file, token, "%s", message);
    p->token = p->end;
}

void bsim_cu_advance(struct cu_parser *p)
{
    p->last = p->token;
    p->token = p->token->kind == CU_END || bsim_cu_failed(p->file) ? p->end : p->token->next;
}

bool bsim_cu_sees(const struct cu_parser *p, const char *text)
{
    return bsim_cu_is(p->token, text);
}

bool bsim_cu_sees_any(const struct cu_parser *p, const char *texts)
{
    return bsim_cu_is_any(p->token, texts);
}

bool bsim_cu_sees_next(const struct cu_parser *p, const char *text)
{
    return p->token->kind != CU_END && bsim_cu_is(p->token->next, text);
}

bool bsim_cu_accept(struct cu_parser *p, const char *text)
{
    bool is = bsim_cu_sees(p, text);
    if (is) {
        bsim_cu_advance(p);
    }
    return is;
}

static void say_unexpected(struct cu_parser *p, const char *text)
{
    bool is_behind =
        p->last != NULL && p->last->next == p->token && p->token->begins_line && p->last->line > 0;
    bsim_cu_refuse_bad(p->file, p->token);
    if (p->token->kind == CU_END) {
        bsim_cu_stop(p, p->token, "the file ends where '%s' should stand", text);
    } else if (is_behind) {
        bsim_cu_stop(p, p->last, "'%s' is missing behind this", text);
    } else {
        bsim_cu_stop(p, p->token, "'%s' should stand here, not '%.*s'", text,
                     bsim_cu_shown(p->token), p->token->text);
    }
}

void bsim_cu_expect(struct cu_parser *p, const char *text)
{
    if (!bsim_cu_accept(p, text)) {
        say_unexpected(p, text);
    }
}

bool bsim_cu_goes_on(struct cu_parser *p, const char *closing)
{
    if (p->token->kind == CU_END && !bsim_cu_failed(p->file)) {
        say_unexpected(p, closing);
    }
    return !bsim_cu_failed(p->file) && !bsim_cu_accept(p, closing);
}

void bsim_cu_end_item(struct cu_parser *p, const char *closing)
{
    if (!bsim_cu_sees(p, closing) && !bsim_cu_accept(p, ",")) {
        say_unexpected(p, closing[0] == ';' ? ";" : ",");
    }
}

void bsim_cu_skip_brackets(struct cu_parser *p)
{
    int depth = 0, rounds = 0, squares = 0; /* of these ( and [ */
    const struct cu_token *opening = p->token;
    do {
        int turn = bsim_cu_turn(p->token);
        depth += turn;
        rounds += bsim_cu_sees_any(p, "( )") ? turn : 0;
        squares += bsim_cu_sees_any(p, "[ ]") ? turn : 0;
        bsim_cu_advance(p);
    } while (depth != 0 && p->token->kind != CU_END);
    if (depth != 0 || rounds != 0 || squares != 0) {
        bsim_cu_refuse_unclosed(p->file, opening);
        p->token = p->end;
    }
}

void bsim_cu_skip_initialiser(struct cu_parser *p)
{
    while (!bsim_cu_sees_any(p, "( { ;") && p->token->kind != CU_END) {
        bsim_cu_advance(p);
    }
    bsim_cu_skip_brackets(p);
}

bool bsim_cu_nest(struct cu_parser *p)
{
    if (p->depth >= MAX_DEPTH) {
        bsim_cu_stop(p, p->token, "this is nested more than %d deep", MAX_DEPTH);
    }
    return !bsim_cu_failed(p->file);
}

void bsim_cu_expect_angle(struct cu_parser *p)
{
    if (bsim_cu_sees_any(p, ">> >= >>=")) {
        struct cu_token *half = bsim_cu_take(p->file, sizeof *half);
        *half = *p->token;
        half->text++;
        half->length--;
        p->token = bsim_cu_failed(p->file) ? p->end : half;
        return;
    }
    bsim_cu_expect(p, ">");
}

const struct cu_token *bsim_cu_expect_name(struct cu_parser *p, const char *what)
{
    const struct cu_token *name = p->token;
    if (name->kind != CU_NAME) {
        bsim_cu_stop(p, name, "%s should stand here", what);
    }
    bsim_cu_advance(p);
    return name;
}
