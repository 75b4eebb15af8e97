/* scan.c - words, pairs and numbers of a line; see scan.h.
 *
 * The byte at scan->end is a line end, so no loop over words or digits needs a bound of its own.
 */
#include "base/scan.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    MESSAGE_WORD = 48,  /* longest part of a word that a message repeats */
    SAFE_DECIMALS = 19, /* digits that always fit 64 bits */
    SAFE_HEX = 16,
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Printable ASCII but '#', which lies between '"' and '$'. */
static bool is_word(char c)
{
    return (c >= '$' && c <= '~') || c == '"' || c == '!';
}

static bool is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f;
}

const char *bsim_scan_next(struct bsim_scan *scan)
{
    while (is_blank(*scan->at)) {
        scan->at++;
    }
    return scan->at;
}

enum bsim_status bsim_scan_place(const struct bsim_scan *scan, const char *where,
                                 struct bsim_error *err)
{
    bsim_error_place(err, scan->file, scan->number, (uint32_t)(where - scan->line + 1), scan->line,
                     (size_t)(scan->end - scan->line));
    return BSIM_E_INPUT;
}

enum bsim_status bsim_scan_error(const struct bsim_scan *scan, const char *where,
                                 struct bsim_error *err, const char *format, ...)
{
    char message[BSIM_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    (void)bsim_error_set(err, BSIM_E_INPUT, "%s", message);
    return bsim_scan_place(scan, where, err);
}

static enum bsim_status bad_byte(const struct bsim_scan *scan, const char *where,
                                 struct bsim_error *err)
{
    if (is_word(*where)) {
        return bsim_scan_error(scan, where, err,
                               "'%c' right behind a quoted text: a blank must stand between",
                               *where);
    }
    if (*where == '\r') {
        return bsim_scan_error(scan, where, err,
                               "a carriage return within a line: lines end with LF or CRLF");
    }
    return bsim_scan_error(scan, where, err,
                           "byte 0x%02x: outside of comments and quoted text a trace is plain "
                           "printable ASCII",
                           (unsigned)(unsigned char)*where);
}

/* What ends a word: the end of the line, a blank, a comment. Anything else is a bad byte. */
static enum bsim_status check_boundary(const struct bsim_scan *scan, struct bsim_error *err)
{
    if (scan->at == scan->end || is_blank(*scan->at) || *scan->at == '#') {
        return BSIM_OK;
    }
    return bad_byte(scan, scan->at, err);
}

enum bsim_status bsim_scan_word(struct bsim_scan *scan, struct bsim_word *word,
                                struct bsim_error *err)
{
    word->text = bsim_scan_next(scan);
    while (is_word(*scan->at)) {
        scan->at++;
    }
    word->length = (size_t)(scan->at - word->text);
    return check_boundary(scan, err);
}

/* From the opening quotation mark to behind the closing one. */
static enum bsim_status scan_quoted(struct bsim_scan *scan, struct bsim_word *value,
                                    struct bsim_error *err)
{
    const char *opening = scan->at;
    const char *p = opening + 1;
    while (p < scan->end && *p != '"') {
        if (is_control(*p)) {
            return bsim_scan_error(scan, p, err, "control character 0x%02x in a quoted text",
                                   (unsigned)(unsigned char)*p);
        }
        if (*p == '\\') {
            p++;
            if (p == scan->end || (*p != '"' && *p != '\\')) {
                return bsim_scan_error(scan, p - 1, err,
                                       "a backslash in a quoted text stands before \" or \\ only: "
                                       "write \\\\ for a backslash");
            }
        }
        p++;
    }
    if (p == scan->end) {
        return bsim_scan_error(scan, opening, err, "the closing quotation mark is missing");
    }
    *value = (struct bsim_word){opening + 1, (size_t)(p - opening - 1)};
    scan->at = p + 1;
    return BSIM_OK;
}

enum bsim_status bsim_scan_pair(struct bsim_scan *scan, struct bsim_pair *pair,
                                struct bsim_error *err)
{
    const char *start = bsim_scan_next(scan);
    while (is_word(*scan->at) && *scan->at != '=') {
        scan->at++;
    }
    pair->key = (struct bsim_word){start, (size_t)(scan->at - start)};
    pair->value = (struct bsim_word){scan->at, 0};
    pair->is_quoted = false;
    if (*scan->at != '=') {
        enum bsim_status status = check_boundary(scan, err);
        if (status != BSIM_OK || pair->key.length == 0) {
            return status;
        }
        return bsim_scan_error(scan, start, err, "'%.*s' is not a key=value pair",
                               bsim_word_shown(&pair->key), start);
    }
    if (pair->key.length == 0) {
        return bsim_scan_error(scan, start, err, "the key before '=' is missing");
    }
    scan->at++;
    if (*scan->at == '"') {
        pair->is_quoted = true;
        enum bsim_status status = scan_quoted(scan, &pair->value, err);
        return status == BSIM_OK ? check_boundary(scan, err) : status;
    }
    pair->value.text = scan->at;
    while (is_word(*scan->at)) {
        scan->at++;
    }
    pair->value.length = (size_t)(scan->at - pair->value.text);
    return check_boundary(scan, err);
}

size_t bsim_scan_unquote(const struct bsim_word *value, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i < value->length; i++) {
        if (value->text[i] == '\\') {
            i++;
        }
        out[n++] = value->text[i];
    }
    return n;
}

enum bsim_status bsim_scan_end(struct bsim_scan *scan, struct bsim_error *err)
{
    (void)bsim_scan_next(scan);
    if (scan->at == scan->end || *scan->at == '#') {
        return BSIM_OK;
    }
    struct bsim_word word;
    const char *start = scan->at;
    enum bsim_status status = bsim_scan_word(scan, &word, err);
    if (status != BSIM_OK) {
        return status;
    }
    return bsim_scan_error(scan, start, err, "unexpected '%.*s': this record is complete before it",
                           bsim_word_shown(&word), word.text);
}

/* ---- numbers ------------------------------------------------------------------------------ */

const unsigned char bsim_scan_hex_digit[256] = {
    ['0'] = 1,  2,  3,  4,  5,  6,  7,          8,  9,  10, /* of 9 */
    ['A'] = 11, 12, 13, 14, 15, 16, ['a'] = 11, 12, 13, 14, 15, 16,
};

static bool scan_hex(const char **at, uint64_t *value)
{
    const char *p = *at + 2;
    uint64_t sum = 0;
    const char *first = p;
    for (unsigned digit; (digit = bsim_scan_hex_value(*p)) < 16; p++) {
        if (sum >> 4 * (SAFE_HEX - 1) != 0) {
            return false;
        }
        sum = sum << 4 | digit;
    }
    if (p == first) {
        return false;
    }
    *at = p;
    *value = sum;
    return true;
}

/* Of 20 digits or more, some of which may be leading zeroes. */
static bool scan_long_decimal(const char **at, uint64_t *value)
{
    const char *p = *at;
    uint64_t sum = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (sum > (UINT64_MAX - digit) / 10) {
            return false;
        }
        sum = 10 * sum + digit;
    }
    *at = p;
    *value = sum;
    return true;
}

bool bsim_scan_number(const char **at, uint64_t *value)
{
    const char *p = *at;
    if (p[0] == '0' && p[1] == 'x') {
        return scan_hex(at, value);
    }
    uint64_t sum = 0;
    unsigned digit = (unsigned)(unsigned char)*p - '0';
    while (digit < 10) {
        sum = 10 * sum + digit;
        digit = (unsigned)(unsigned char)*++p - '0';
    }
    if (p - *at > SAFE_DECIMALS) {
        return scan_long_decimal(at, value);
    }
    if (p == *at) {
        return false;
    }
    *at = p;
    *value = sum;
    return true;
}

enum bsim_status bsim_scan_number_error(const struct bsim_scan *scan, const char *where,
                                        const char *end, const char *what, uint64_t least,
                                        uint64_t most, struct bsim_error *err)
{
    struct bsim_word word = {where, (size_t)(end - where)};
    if (word.length == 0) {
        return bsim_scan_error(scan, where, err, "%s is missing", what);
    }
    return bsim_scan_error(scan, where, err,
                           "%s is a number from %" PRIu64 " to %" PRIu64 ", not '%.*s'", what,
                           least, most, bsim_word_shown(&word), where);
}

enum bsim_status bsim_scan_ranged(const struct bsim_scan *scan, const char **at, const char *end,
                                  const char *what, uint64_t least, uint64_t most, uint64_t *value,
                                  struct bsim_error *err)
{
    const char *p = *at;
    uint64_t number;
    if (p == end || !bsim_scan_number(&p, &number) || number < least || number > most) {
        return bsim_scan_number_error(scan, *at, end, what, least, most, err);
    }
    *at = p;
    *value = number;
    return BSIM_OK;
}

enum bsim_status bsim_scan_whole(const struct bsim_scan *scan, const struct bsim_word *word,
                                 const char *what, uint64_t least, uint64_t most, uint64_t *value,
                                 struct bsim_error *err)
{
    const char *p = word->text;
    const char *end = word->text + word->length;
    uint64_t number = 0;
    enum bsim_status status = bsim_scan_ranged(scan, &p, end, what, least, most, &number, err);
    if (status == BSIM_OK && p != end) {
        status = bsim_scan_number_error(scan, word->text, end, what, least, most, err);
    }
    if (status == BSIM_OK) {
        *value = number;
    }
    return status;
}

/* ---- words -------------------------------------------------------------------------------- */

bool bsim_word_is(const struct bsim_word *word, const char *text)
{
    return strlen(text) == word->length && memcmp(text, word->text, word->length) == 0;
}

int bsim_word_shown(const struct bsim_word *word)
{
    return word->length < MESSAGE_WORD ? (int)word->length : MESSAGE_WORD;
}

size_t bsim_word_length(const char *text)
{
    size_t length = 0;
    while (is_word(text[length])) {
        length++;
    }
    return length;
}
