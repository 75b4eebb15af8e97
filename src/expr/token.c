/* token.c - from characters to tokens, the longest that fits each time, as C has it.
 *
 * Integer constants get their type here: the first of int, long (64 bits) that holds the value,
 * with the unsigned ones in between where it is not decimal or has a u. Floating ones have no value
 * here. Characters and strings are refused: nothing of that can be an index.
 */
#include "expr/token.h"

#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool in_name(char c)
{
    return begins_name(c) || is_digit(c);
}

/* What is being scanned. */
struct scan {
    const struct bsim_source *source;
    size_t at, end;
    struct bsim_error *err;
};

/* The character k places on, NUL behind the end. */
static char peek(const struct scan *scan, size_t k)
{
    return k < scan->end - scan->at ? scan->source->text[scan->at + k] : '\0';
}

static enum bsim_status skip_comment(struct scan *scan)
{
    size_t opening = scan->at;
    scan->at += 2;
    while (scan->at < scan->end && !(peek(scan, 0) == '*' && peek(scan, 1) == '/')) {
        scan->at++;
    }
    if (scan->at == scan->end) {
        return bsim_source_error(scan->source, opening, scan->err, "this comment is not closed");
    }
    scan->at += 2;
    return BSIM_OK;
}

static enum bsim_status skip_blanks(struct scan *scan)
{
    while (scan->at < scan->end) {
        if (peek(scan, 0) == '/' && peek(scan, 1) == '*') {
            enum bsim_status status = skip_comment(scan);
            if (status != BSIM_OK) {
                return status;
            }
        } else if (is_space(peek(scan, 0))) {
            scan->at++;
        } else {
            break;
        }
    }
    return BSIM_OK;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* The value of a digit in any base, 255 for what is none. */
static unsigned digit_value(char c)
{
    if (is_digit(c)) {
        return (unsigned)(c - '0');
    }
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'z' ? (unsigned)(lower - 'a') + 10 : 255;
}

/* u, l, ll in either order and case; false if text is none of that. */
static bool read_suffix(const char *text, size_t length, struct bsim_token *token)
{
    static const char *const suffixes[] = {"", "u", "l", "ul", "lu", "ll", "ull", "llu"};
    char lower[4] = "";
    if (length >= sizeof lower) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        lower[i] = (char)(text[i] | 0x20);
    }
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        if (strcmp(suffixes[i], lower) == 0) {
            token->is_unsigned = strchr(lower, 'u') != NULL;
            token->is_long = strchr(lower, 'l') != NULL;
            return true;
        }
    }
    return false;
}

/* The type by value: int, then unsigned unless decimal, then the same with 64 bits. */
static void choose_type(struct bsim_token *token, bool is_decimal)
{
    bool may_be_unsigned = token->is_unsigned || !is_decimal;
    if (!token->is_long && token->number > (may_be_unsigned ? UINT32_MAX : (uint64_t)INT32_MAX)) {
        token->is_long = true;
    }
    uint64_t most = token->is_long ? (uint64_t)INT64_MAX : (uint64_t)INT32_MAX;
    token->is_unsigned = token->is_unsigned || token->number > most;
}

static enum bsim_status bad_number(const struct scan *scan, const struct bsim_token *token,
                                   const char *why)
{
    return bsim_source_error(scan->source, token->at, scan->err, "the constant '%.*s' %s",
                             (int)(token->length < 40 ? token->length : 40),
                             scan->source->text + token->at, why);
}

/* Digits of a base and a suffix, which are all of the token. */
static enum bsim_status read_integer(const struct scan *scan, struct bsim_token *token,
                                     size_t prefix, unsigned base)
{
    const char *text = scan->source->text + token->at;
    size_t i = prefix;
    for (; i < token->length && digit_value(text[i]) < base; i++) {
        unsigned digit = digit_value(text[i]);
        if (token->number > (UINT64_MAX - digit) / base) {
            return bad_number(scan, token, "passes 64 bits");
        }
        token->number = token->number * base + digit;
    }
    if (i == prefix && prefix > 1) {
        return bad_number(scan, token, "has no digits");
    }
    if (!read_suffix(text + i, token->length - i, token)) {
        return bad_number(scan, token, "is no integer of C");
    }
    if (base == 10 && !token->is_unsigned && token->number > INT64_MAX) {
        return bad_number(scan, token, "does not fit a signed type: add a u");
    }
    choose_type(token, base == 10);
    return BSIM_OK;
}

static bool is_floating(const char *text, size_t length)
{
    bool hexadecimal = length > 1 && (text[1] | 0x20) == 'x';
    for (size_t i = 0; i < length; i++) {
        char lower = (char)(text[i] | 0x20);
        if (text[i] == '.' || lower == 'p' || (!hexadecimal && (lower == 'e' || lower == 'f'))) {
            return true;
        }
    }
    return false;
}

/* The signed exponent of 1e-5, 0x1p+3. */
static void take_exponent(struct scan *scan, struct bsim_token *token)
{
    char last = (char)(scan->source->text[scan->at - 1] | 0x20);
    if ((last == 'e' || last == 'p') && (peek(scan, 0) == '-' || peek(scan, 0) == '+')) {
        scan->at++;
        while (in_name(peek(scan, 0))) {
            scan->at++;
        }
        token->length = scan->at - token->at;
    }
}

/* The x of 32x8, which is two numbers to whoever types a block's extents; that of 0x8 is not. */
static bool is_times(const struct scan *scan, const struct bsim_token *token)
{
    return peek(scan, 0) == 'x' &&
           !(scan->at == token->at + 1 && scan->source->text[token->at] == '0');
}

/* The B of 128B, which TMA's modes are called by; that of 0B1 is not. */
static bool is_mode(const struct scan *scan, const struct bsim_token *token)
{
    return peek(scan, 0) == 'B' && !in_name(peek(scan, 1)) && scan->source->text[token->at] != '0';
}

/* A number's characters, as C's preprocessor takes them (digits, letters, dots), up to an x between
 * two numbers and a B behind one. */
static enum bsim_status read_number(struct scan *scan, struct bsim_token *token)
{
    const char *text = scan->source->text + token->at;
    while ((in_name(peek(scan, 0)) || peek(scan, 0) == '.') && !is_times(scan, token) &&
           !is_mode(scan, token)) {
        scan->at++;
    }
    token->kind = BSIM_TOKEN_NUMBER;
    token->length = scan->at - token->at;
    if (is_floating(text, token->length)) {
        take_exponent(scan, token);
        token->kind = BSIM_TOKEN_FLOATING;
        return BSIM_OK;
    }
    if (text[0] == '0' && token->length > 1 && (text[1] | 0x20) == 'x') {
        return read_integer(scan, token, 2, 16);
    }
    if (text[0] == '0' && token->length > 1 && (text[1] | 0x20) == 'b') {
        return read_integer(scan, token, 2, 2);
    }
    return read_integer(scan, token, 0, text[0] == '0' ? 8 : 10);
}

/* ---- signs ----------------------------------------------------------------------------------- */

/* Longer ones first. Those that only assign are scanned too, so that the parser can say so. */
static size_t sign_length(const struct scan *scan)
{
    static const char *const signs[] = {
        "<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->",
        "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::", "+",
        "-",   "*",   "/",   "%",  "<",  ">",  "=",  "!",  "~",  "&",  "|",  "^",
        "?",   ":",   "(",   ")",  "[",  "]",  "{",  "}",  ",",  ".",  ";"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        size_t length = strlen(signs[i]);
        if (length <= scan->end - scan->at &&
            memcmp(signs[i], scan->source->text + scan->at, length) == 0) {
            return length;
        }
    }
    return 0;
}

static enum bsim_status read_sign(struct scan *scan, struct bsim_token *token)
{
    char c = peek(scan, 0);
    token->kind = BSIM_TOKEN_SIGN;
    token->length = sign_length(scan);
    scan->at += token->length;
    if (token->length > 0) {
        return BSIM_OK;
    }
    if (c == '\'' || c == '"') {
        return bsim_source_error(scan->source, token->at, scan->err,
                                 "characters and strings are no part of an index");
    }
    if (c > ' ' && c <= '~') {
        return bsim_source_error(scan->source, token->at, scan->err, "'%c' is no part of C", c);
    }
    return bsim_source_error(scan->source, token->at, scan->err, "byte 0x%02x is no part of C",
                             (unsigned)(unsigned char)c);
}

enum bsim_status bsim_token_next(const struct bsim_source *source, size_t *at, size_t end,
                                 struct bsim_token *token, struct bsim_error *err)
{
    struct scan scan = {source, *at, end, err};
    enum bsim_status status = skip_blanks(&scan);
    if (status != BSIM_OK) {
        return status;
    }
    *token =
        (struct bsim_token){.kind = BSIM_TOKEN_END, .at = scan.at, .text = source->text + scan.at};
    char c = peek(&scan, 0);
    if (scan.at == end) {
        *at = end;
        return BSIM_OK;
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(&scan, 1)))) {
        status = read_number(&scan, token);
    } else if (begins_name(c)) {
        while (in_name(peek(&scan, 0))) {
            scan.at++;
        }
        token->kind = BSIM_TOKEN_NAME;
        token->length = scan.at - token->at;
    } else {
        status = read_sign(&scan, token);
    }
    *at = scan.at;
    return status;
}

bool bsim_token_is(const struct bsim_token *token, const char *text)
{
    return (token->kind == BSIM_TOKEN_NAME || token->kind == BSIM_TOKEN_SIGN) &&
           strlen(text) == token->length && memcmp(text, token->text, token->length) == 0;
}
