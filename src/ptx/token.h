/* token.h - the text of a PTX module as tokens.
 *
 *     @%p1  ld.global.v2.f32  {%f1, %f2}, [%rd4+8];
 *     PUNCT NAME NAME DOT DOT DOT PUNCT NAME ...
 *
 * Comments and blanks are skipped. The first failure stays: from then on every token is the end.
 */
#ifndef BSIM_PTX_TOKEN_H
#define BSIM_PTX_TOKEN_H

#include <banksim/status.h>

#include <stdbool.h>

enum bsim_ptx_token_kind {
    BSIM_PTX_END,
    BSIM_PTX_WORD,    /* a name: _Z1kPf, %r12, $L__BB0_2 */
    BSIM_PTX_DOT,     /* .global, .v4, .L2::128B: text is behind the dot */
    BSIM_PTX_NUMBER,  /* 12, 0x1fU: value */
    BSIM_PTX_DECIMAL, /* 1.5, 0d3ff8000000000000: value has the bits of the double */
    BSIM_PTX_BITS,    /* 0f3f800000: value has the bits of the float */
    BSIM_PTX_STRING,  /* text is within the quotation marks */
    BSIM_PTX_PUNCT,   /* one character of it */
};

struct bsim_ptx_token {
    enum bsim_ptx_token_kind kind;
    const char *text;
    size_t length;
    uint64_t value;
    uint32_t line;
};

struct bsim_ptx_scanner {
    const char *file;       /* for messages */
    const char *start;      /* of the text */
    const char *end;        /* of the text; *end is '\0' */
    const char *at;         /* behind the token */
    const char *line_start; /* of the token's line */
    uint32_t line;          /* at `at` */
    struct bsim_ptx_token token;
    struct bsim_error *err;
    enum bsim_status status;
};

/* text[0..length] with text[length] 0 is borrowed as long as the scanner runs; it begins at that
 * line of the file (0: it is no file's, and one line). The first token is there then. */
void bsim_ptx_scan_start(struct bsim_ptx_scanner *scanner, const char *file, const char *text,
                         size_t length, uint32_t line, struct bsim_error *err);

/* Moves on to the next token. */
void bsim_ptx_scan_next(struct bsim_ptx_scanner *scanner);

/* Fails at the token. */
void bsim_ptx_scan_fail(struct bsim_ptx_scanner *scanner, const char *format, ...)
    BSIM_PRINTF(2, 3);

/* After a failure that the error tells already: the text is at its end. */
void bsim_ptx_scan_stop(struct bsim_ptx_scanner *scanner, enum bsim_status status);

void bsim_ptx_scan_no_memory(struct bsim_ptx_scanner *scanner);

/* Whether the token is that character, word, word behind a dot. */
bool bsim_ptx_is(const struct bsim_ptx_scanner *scanner, char punct);
bool bsim_ptx_is_dot(const struct bsim_ptx_scanner *scanner, const char *word);

/* Takes the character, the word if it is the token. */
bool bsim_ptx_accept(struct bsim_ptx_scanner *scanner, char punct);
bool bsim_ptx_accept_word(struct bsim_ptx_scanner *scanner, const char *word);
bool bsim_ptx_accept_dot(struct bsim_ptx_scanner *scanner, const char *word);

/* Takes it or fails. */
void bsim_ptx_expect(struct bsim_ptx_scanner *scanner, char punct);

/* Takes a whole number, or fails and is 0. */
uint64_t bsim_ptx_expect_number(struct bsim_ptx_scanner *scanner, const char *what);

#endif
