/* token.c - the text of a PTX module as tokens. */
#include "ptx/token.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool starts_name(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static size_t line_length(const struct bsim_ptx_scanner *scanner)
{
    const char *end =
        memchr(scanner->line_start, '\n', (size_t)(scanner->end - scanner->line_start));
    return (size_t)((end != NULL ? end : scanner->end) - scanner->line_start);
}

void bsim_ptx_scan_fail(struct bsim_ptx_scanner *scanner, const char *format, ...)
{
    if (scanner->status != BSIM_OK) {
        return;
    }
    char message[BSIM_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    scanner->status = bsim_error_set(scanner->err, BSIM_E_INPUT, "%s", message);
    uint32_t column = (uint32_t)(scanner->token.text - scanner->line_start) + 1;
    bsim_error_place(scanner->err, scanner->file, scanner->token.line, column, scanner->line_start,
                     line_length(scanner));
    bsim_ptx_scan_stop(scanner, scanner->status);
}

void bsim_ptx_scan_stop(struct bsim_ptx_scanner *scanner, enum bsim_status status)
{
    scanner->status = status;
    scanner->at = scanner->end;
    scanner->token = (struct bsim_ptx_token){.kind = BSIM_PTX_END, .text = scanner->end};
}

void bsim_ptx_scan_no_memory(struct bsim_ptx_scanner *scanner)
{
    if (scanner->status == BSIM_OK) {
        bsim_ptx_scan_stop(scanner, bsim_error_set(scanner->err, BSIM_E_MEMORY, "out of memory"));
    }
}

static void new_line(struct bsim_ptx_scanner *scanner, const char *behind)
{
    scanner->line++;
    scanner->line_start = behind;
}

/* Behind blanks and comments; a comment without an end goes on to the end of the text. */
static void skip_blanks(struct bsim_ptx_scanner *scanner)
{
    const char *p = scanner->at;
    bool in_comment = false;
    for (; p < scanner->end; p++) {
        if (*p == '\n') {
            new_line(scanner, p + 1);
        } else if (in_comment) {
            if (p[0] == '*' && p[1] == '/') {
                in_comment = false;
                p++;
            }
        } else if (p[0] == '/' && p[1] == '*') {
            in_comment = true;
            p++;
        } else if (p[0] == '/' && p[1] == '/') {
            while (p + 1 < scanner->end && p[1] != '\n') {
                p++;
            }
        } else if (!isspace((unsigned char)*p)) {
            break;
        }
    }
    scanner->at = p;
}

/* 0f and 0d: the bits themselves. */
static bool scan_bits(struct bsim_ptx_scanner *scanner, struct bsim_ptx_token *token)
{
    const char *p = token->text;
    char kind = (char)tolower((unsigned char)p[1]);
    size_t n = kind == 'f' ? 8 : 16;
    if (p[0] != '0' || (kind != 'f' && kind != 'd')) {
        return false;
    }
    char digits[17] = "";
    for (size_t i = 0; i < n; i++) {
        if (!isxdigit((unsigned char)p[2 + i])) {
            return false;
        }
        digits[i] = p[2 + i];
    }
    token->kind = kind == 'f' ? BSIM_PTX_BITS : BSIM_PTX_DECIMAL;
    token->value = strtoull(digits, NULL, 16);
    scanner->at = p + 2 + n;
    return true;
}

static bool scan_decimal(struct bsim_ptx_scanner *scanner, struct bsim_ptx_token *token)
{
    size_t n = strspn(token->text, "0123456789");
    char c = token->text[n];
    if (!(c == '.' && isdigit((unsigned char)token->text[n + 1])) && c != 'e' && c != 'E') {
        return false;
    }
    char *end;
    double value = strtod(token->text, &end);
    memcpy(&token->value, &value, sizeof value);
    token->kind = BSIM_PTX_DECIMAL;
    scanner->at = end;
    return true;
}

static void scan_number(struct bsim_ptx_scanner *scanner, struct bsim_ptx_token *token)
{
    if (scan_bits(scanner, token) || scan_decimal(scanner, token)) {
        return;
    }
    const char *p = token->text;
    bool is_binary = p[0] == '0' && (p[1] == 'b' || p[1] == 'B');
    char *end;
    token->kind = BSIM_PTX_NUMBER;
    errno = 0;
    token->value = strtoull(is_binary ? p + 2 : p, &end, is_binary ? 2 : 0);
    if (errno == ERANGE) {
        bsim_ptx_scan_fail(scanner, "a number of more than 64 bits");
        return;
    }
    scanner->at = end + (*end == 'U');
}

static void scan_string(struct bsim_ptx_scanner *scanner, struct bsim_ptx_token *token)
{
    const char *p = ++token->text;
    while (p < scanner->end && *p != '"' && *p != '\n') {
        p += p[0] == '\\' && p[1] != '\0' ? 2 : 1;
    }
    token->kind = BSIM_PTX_STRING;
    token->length = (size_t)(p - token->text);
    if (p >= scanner->end || *p != '"') {
        bsim_ptx_scan_fail(scanner, "a string that does not end in its line");
        return;
    }
    scanner->at = p + 1;
}

/* A '.' begins a word if a letter or digit follows. L2::128B is one word. */
static void scan_dot(struct bsim_ptx_scanner *scanner, struct bsim_ptx_token *token)
{
    const char *p = ++token->text;
    while (in_name(*p) || (p[0] == ':' && p[1] == ':' && in_name(p[2]))) {
        p += *p == ':' ? 2 : 1;
    }
    token->kind = BSIM_PTX_DOT;
    token->length = (size_t)(p - token->text);
    scanner->at = p;
}

static void scan_name(struct bsim_ptx_scanner *scanner, struct bsim_ptx_token *token)
{
    const char *p = token->text + 1;
    while (in_name(*p)) {
        p++;
    }
    token->kind = BSIM_PTX_WORD;
    token->length = (size_t)(p - token->text);
    scanner->at = p;
}

void bsim_ptx_scan_next(struct bsim_ptx_scanner *scanner)
{
    skip_blanks(scanner);
    struct bsim_ptx_token *token = &scanner->token;
    *token =
        (struct bsim_ptx_token){.kind = BSIM_PTX_END, .text = scanner->at, .line = scanner->line};
    if (scanner->at >= scanner->end) {
        return;
    }
    char c = *scanner->at;
    if (starts_name(c)) {
        scan_name(scanner, token);
    } else if (isdigit((unsigned char)c)) {
        scan_number(scanner, token);
        token->length = (size_t)(scanner->at - token->text);
    } else if (c == '.' && in_name(scanner->at[1])) {
        scan_dot(scanner, token);
    } else if (c == '"') {
        scan_string(scanner, token);
    } else {
        token->kind = BSIM_PTX_PUNCT;
        token->length = 1;
        scanner->at++;
    }
}

void bsim_ptx_scan_start(struct bsim_ptx_scanner *scanner, const char *file, const char *text,
                         size_t length, uint32_t line, struct bsim_error *err)
{
    *scanner = (struct bsim_ptx_scanner){.file = file,
                                         .start = text,
                                         .end = text + length,
                                         .at = text,
                                         .line_start = text,
                                         .line = line,
                                         .err = err};
    bsim_ptx_scan_next(scanner);
}

bool bsim_ptx_is(const struct bsim_ptx_scanner *scanner, char punct)
{
    return scanner->token.kind == BSIM_PTX_PUNCT && *scanner->token.text == punct;
}

static bool is_text(const struct bsim_ptx_token *token, enum bsim_ptx_token_kind kind,
                    const char *word)
{
    return token->kind == kind && strncmp(word, token->text, token->length) == 0 &&
           word[token->length] == '\0';
}

bool bsim_ptx_is_dot(const struct bsim_ptx_scanner *scanner, const char *word)
{
    return is_text(&scanner->token, BSIM_PTX_DOT, word);
}

bool bsim_ptx_accept(struct bsim_ptx_scanner *scanner, char punct)
{
    bool is = bsim_ptx_is(scanner, punct);
    if (is) {
        bsim_ptx_scan_next(scanner);
    }
    return is;
}

bool bsim_ptx_accept_word(struct bsim_ptx_scanner *scanner, const char *word)
{
    bool is = is_text(&scanner->token, BSIM_PTX_WORD, word);
    if (is) {
        bsim_ptx_scan_next(scanner);
    }
    return is;
}

bool bsim_ptx_accept_dot(struct bsim_ptx_scanner *scanner, const char *word)
{
    bool is = bsim_ptx_is_dot(scanner, word);
    if (is) {
        bsim_ptx_scan_next(scanner);
    }
    return is;
}

void bsim_ptx_expect(struct bsim_ptx_scanner *scanner, char punct)
{
    if (!bsim_ptx_accept(scanner, punct)) {
        bsim_ptx_scan_fail(scanner, "'%c' is missing here", punct);
    }
}

uint64_t bsim_ptx_expect_number(struct bsim_ptx_scanner *scanner, const char *what)
{
    uint64_t value = scanner->token.value;
    if (scanner->token.kind != BSIM_PTX_NUMBER) {
        bsim_ptx_scan_fail(scanner, "%s is missing here: a whole number", what);
        return 0;
    }
    bsim_ptx_scan_next(scanner);
    return value;
}
