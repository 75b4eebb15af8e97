/* token.h - C++'s tokens. */
#ifndef BSIM_CUDA_TOKEN_H
#define BSIM_CUDA_TOKEN_H

#include "cuda/cuda.h"

#include <stdint.h>

enum cu_token_kind {
    CU_END,
    CU_NAME, /* keywords too: what a name means is the parser's business */
    CU_NUMBER,
    CU_STRING,    /* with its quotation marks */
    CU_CHARACTER, /* with its apostrophes */
    CU_SIGN,
    CU_UNROLL, /* what #pragma unroll leaves; its text is what stands behind the word */
    CU_BAD,    /* no token of C++: of weight where it is looked at */
};

struct cu_hidden;

struct cu_token {
    enum cu_token_kind kind;
    const char *text;
    size_t length;
    const char
        *at;       /* where it stands in the file; of what a macro stands for: where that is used */
    uint32_t line; /* of at, 1-based; 0: nowhere, as source is NULL */
    const struct cu_source *source;
    bool begins_line, after_blank;
    const struct cu_hidden *hidden; /* the macros that it comes from (preprocess.c) */
    struct cu_token *next;          /* NULL behind CU_END alone */
};

/* The text's tokens, up to CU_END. Never fails but for memory. */
struct cu_token *bsim_cu_tokens(struct cu_file *file, const struct cu_source *source);

/* Those of a text that is not the file's, all placed where `at` is. */
struct cu_token *bsim_cu_tokens_of(struct cu_file *file, const char *text, size_t length,
                                   const struct cu_token *at);

/* Where the token stands in its line, from 1 on. */
uint32_t bsim_cu_column(const struct cu_token *token);

/* Whether the token is that name or sign. */
bool bsim_cu_is(const struct cu_token *token, const char *text);

bool bsim_cu_same_text(const struct cu_token *a, const struct cu_token *b);

/* The integer that a number or character is, and its suffixes; false: it is none. */
bool bsim_cu_read_integer(const struct cu_token *token, uint64_t *value, bool *is_unsigned,
                          bool *is_long);

/* How much of a token a message shows, for "%.*s" with token->text. */
int bsim_cu_shown(const struct cu_token *token);

#endif
