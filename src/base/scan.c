/* scan.c - words, pairs and numbers of a line; see scan.h.
 *
 * The byte at scan->end is a line end, so no loop over words or digits needs a bound of its own.
 */
#include "base/memory.h"
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

enum bsim_status bsim_scan_place(const struct bsim_scan *scan, const char *where,
                                 struct bsim_error *err)
{
    bsim_error_place(err, scan->file, scan->number, (uint32_t)(where - scan->line + 1), scan->line,
                     (size_t)(scan->end - scan->line));
    return BSIM_E_INPUT;
}

void bsim_scan_check(struct bsim_scan *scan, const char *where, enum bsim_status status)
{
    if (status != BSIM_OK && scan->status == BSIM_OK) {
        (void)bsim_scan_place(scan, where, scan->err);
        scan->status = status;
        scan->at = scan->end;
    }
}

void bsim_scan_error(struct bsim_scan *scan, const char *where, const char *format, ...)
{
    char message[BSIM_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    bsim_scan_check(scan, where, bsim_error_set(bsim_scan_err(scan), BSIM_E_INPUT, "%s", message));
}

void bsim_scan_no_memory(struct bsim_scan *scan)
{
    enum bsim_status status = bsim_mem_short(bsim_scan_err(scan));
    bsim_error_place(bsim_scan_err(scan), scan->file, scan->number, 0, NULL, 0);
    bsim_scan_check(scan, scan->line, status);
}

static void bad_byte(struct bsim_scan *scan, const char *where)
{
    if (is_word(*where)) {
        bsim_scan_error(scan, where, "'%c' right behind a quoted text: a blank must stand between",
                        *where);
    } else if (*where == '\r') {
        bsim_scan_error(scan, where, "a carriage return within a line: lines end with LF or CRLF");
    } else {
        bsim_scan_error(scan, where,
                        "byte 0x%02x: outside of comments and quoted text a trace is plain "
                        "printable ASCII",
                        (unsigned)(unsigned char)*where);
    }
}

/* What ends a word: the end of the line, a blank, a comment. Anything else is a bad byte. */
static void check_boundary(struct bsim_scan *scan)
{
    if (scan->at != scan->end && !is_blank(*scan->at) && *scan->at != '#') {
        bad_byte(scan, scan->at);
    }
}

struct bsim_word bsim_scan_word(struct bsim_scan *scan)
{
    const char *start = bsim_scan_next(scan);
    while (is_word(*scan->at)) {
        scan->at++;
    }
    struct bsim_word word = {start, (size_t)(scan->at - start)};
    check_boundary(scan);
    return word;
}

/* From the opening quotation mark to behind the closing one. */
static void scan_quoted(struct bsim_scan *scan, struct bsim_word *value)
{
    const char *opening = scan->at;
    const char *p = opening + 1;
    while (p < scan->end && *p != '"') {
        if (is_control(*p)) {
            bsim_scan_error(scan, p, "control character 0x%02x in a quoted text",
                            (unsigned)(unsigned char)*p);
            return;
        }
        if (*p == '\\') {
            p++;
            if (p == scan->end || (*p != '"' && *p != '\\')) {
                bsim_scan_error(scan, p - 1,
                                "a backslash in a quoted text stands before \" or \\ only: "
                                "write \\\\ for a backslash");
                return;
            }
        }
        p++;
    }
    if (p == scan->end) {
        bsim_scan_error(scan, opening, "the closing quotation mark is missing");
        return;
    }
    *value = (struct bsim_word){opening + 1, (size_t)(p - opening - 1)};
    scan->at = p + 1;
}

/* What is no pair: nothing, or a word alone. */
static bool no_pair(struct bsim_scan *scan, const struct bsim_word *word)
{
    check_boundary(scan);
    if (word->length > 0) {
        bsim_scan_error(scan, word->text, "'%.*s' is not a key=value pair", bsim_word_shown(word),
                        word->text);
    }
    return false;
}

bool bsim_scan_pair(struct bsim_scan *scan, struct bsim_pair *pair)
{
    const char *start = bsim_scan_next(scan);
    while (is_word(*scan->at) && *scan->at != '=') {
        scan->at++;
    }
    pair->key = (struct bsim_word){start, (size_t)(scan->at - start)};
    if (*scan->at != '=') {
        return no_pair(scan, &pair->key);
    }
    if (pair->key.length == 0) {
        bsim_scan_error(scan, start, "the key before '=' is missing");
        return false;
    }
    pair->value = (struct bsim_word){++scan->at, 0};
    pair->is_quoted = *scan->at == '"';
    if (pair->is_quoted) {
        scan_quoted(scan, &pair->value);
    } else {
        while (is_word(*scan->at)) {
            scan->at++;
        }
        pair->value.length = (size_t)(scan->at - pair->value.text);
    }
    check_boundary(scan);
    return scan->status == BSIM_OK;
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

void bsim_scan_end(struct bsim_scan *scan)
{
    (void)bsim_scan_next(scan);
    if (scan->at == scan->end || *scan->at == '#') {
        return;
    }
    struct bsim_word word = bsim_scan_word(scan);
    bsim_scan_error(scan, word.text, "unexpected '%.*s': this record is complete before it",
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

static void number_error(struct bsim_scan *scan, const char *where, const char *end,
                         const char *what, uint64_t least, uint64_t most)
{
    struct bsim_word word = {where, (size_t)(end - where)};
    if (word.length == 0) {
        bsim_scan_error(scan, where, "%s is missing", what);
    } else {
        bsim_scan_error(scan, where, "%s is a number from %" PRIu64 " to %" PRIu64 ", not '%.*s'",
                        what, least, most, bsim_word_shown(&word), where);
    }
}

uint64_t bsim_scan_ranged(struct bsim_scan *scan, const char **at, const char *end,
                          const char *what, uint64_t least, uint64_t most)
{
    const char *p = *at;
    uint64_t number;
    if (p == end || !bsim_scan_number(&p, &number) || number < least || number > most) {
        number_error(scan, *at, end, what, least, most);
        return least;
    }
    *at = p;
    return number;
}

uint64_t bsim_scan_whole(struct bsim_scan *scan, const struct bsim_word *word, const char *what,
                         uint64_t least, uint64_t most)
{
    const char *p = word->text;
    const char *end = word->text + word->length;
    uint64_t number = bsim_scan_ranged(scan, &p, end, what, least, most);
    if (p != end) {
        number_error(scan, word->text, end, what, least, most);
    }
    return number;
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
