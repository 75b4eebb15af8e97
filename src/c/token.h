/* token.h - the scanner: C++'s tokens. */
#ifndef BSIM_C_TOKEN_H
#define BSIM_C_TOKEN_H

#include "c/file.h"

enum cu_token_kind {
    CU_END,
    CU_NAME, /* keywords too: what a name means is the parser's business */
    CU_NUMBER,
    CU_STRING,    /* with its quotation marks */
    CU_CHARACTER, /* with its apostrophes */
    CU_SIGN,
    CU_UNROLL, /* what #pragma unroll leaves; its text is what stands behind the word */
    CU_BAD, /* no token of C++, as a comment that is not closed: of weight where it is looked at */
};

struct cu_hidden;

/* A file and what its macros make of it have a hundred thousand: 64 bytes each. */
struct cu_token {
    const char *text;
    const char
        *at; /* where it stands in the file; of what a macro stands for: where that is used */
    const struct cu_source *source;
    uint32_t length;
    uint32_t line; /* of at, 1-based; 0: nowhere, as source is NULL */
    enum cu_token_kind kind;
    bool begins_line, after_blank;
    const struct cu_hidden *hidden; /* the macros that it comes from (macro.h) */
    const struct cu_token *maker;   /* the name of the one whose body it stood in; NULL: none */
    struct cu_token *next;          /* NULL behind CU_END alone */
};

/* The text's tokens, up to CU_END. Never fails but for memory. */
struct cu_token *bsim_cu_tokens(struct cu_file *file, const struct cu_source *source);

/* Those of text[at .. end) of a sketch, in whose numbers an x is a sign between two, as in 32x8, and a
 * B one behind: 128B. */
struct cu_token *bsim_cu_tokens_in(struct cu_file *file, const struct cu_source *source, size_t at,
                                   size_t end);

/* Those of a text that is not the file's, all placed where `at` is. */
struct cu_token *bsim_cu_tokens_of(struct cu_file *file, const char *text, size_t length,
                                   const struct cu_token *at);

/* The list's CU_END. */
struct cu_token *bsim_cu_last(struct cu_token *tokens);

/* Where the token stands in its line, from 1 on. */
uint32_t bsim_cu_column(const struct cu_token *token);

/* Whether the token is that name or sign. */
bool bsim_cu_is(const struct cu_token *token, const char *text);

/* Whether it is one of these, a blank between two: "struct union". */
bool bsim_cu_is_any(const struct cu_token *token, const char *texts);

/* Whether it is a name that begins so. */
bool bsim_cu_begins(const struct cu_token *token, const char *text);

/* 1 of an opening bracket ( [ {, -1 of a closing one, else 0. */
int bsim_cu_turn(const struct cu_token *token);

/* The bracket that closes this one, or the file's last token. */
const struct cu_token *bsim_cu_closing(const struct cu_token *opening);

bool bsim_cu_same_text(const struct cu_token *a, const struct cu_token *b);

/* Fails if it is CU_BAD. */
void bsim_cu_refuse_bad(struct cu_file *file, const struct cu_token *token);

/* Whether a number is a floating-point one. */
bool bsim_cu_is_real(const struct cu_token *token);

/* The token's text, terminated. */
const char *bsim_cu_spelled(struct cu_file *file, const struct cu_token *token);

enum { CU_SHOWN = 40 };

/* How much of a token a message shows, at most CU_SHOWN, for "%.*s" with token->text. */
static inline int bsim_cu_shown(const struct cu_token *token)
{
    return (int)(token->length < CU_SHOWN ? token->length : CU_SHOWN);
}

#endif
