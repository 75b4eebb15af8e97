/* token.h - the scanner: C's tokens, as far as expressions and declarations have them. */
#ifndef BSIM_EXPR_TOKEN_H
#define BSIM_EXPR_TOKEN_H

#include "expr/source.h"

#include <stdbool.h>

enum bsim_token_kind {
    BSIM_TOKEN_END,
    BSIM_TOKEN_NAME,   /* keywords too: what a name means is the parser's business */
    BSIM_TOKEN_NUMBER, /* an integer constant */
    BSIM_TOKEN_FLOATING,
    BSIM_TOKEN_SIGN, /* an operator or another punctuator */
};

struct bsim_hidden;

struct bsim_token {
    enum bsim_token_kind kind;
    size_t at; /* offset in the line; of what a macro stands for: of its use */
    const char *text;
    size_t length;                    /* 0 at the end */
    const struct bsim_hidden *hidden; /* the macros that it comes from, see macro.h */
    uint64_t number;
    bool is_unsigned, is_long; /* of a number: its type is unsigned, is 64 bits wide */
};

/* Reads the token at *at (an offset; nothing lies behind `end`) and moves *at behind it. Fails for
 * a byte that begins none, a comment that is not closed, and constants that C has not. */
enum bsim_status bsim_token_next(const struct bsim_source *source, size_t *at, size_t end,
                                 struct bsim_token *token, struct bsim_error *err);

/* True if the token is the name or the sign `text`. */
bool bsim_token_is(const struct bsim_token *token, const char *text);

#endif
