/* token.c - from characters to tokens, the longest that fits each time, as C++ has it.
 *
 * A backslash at a line's end joins it with the next one: within a token that is not known, between
 * tokens it is a blank. What is no token becomes CU_BAD, since host code and text in `#if 0` is passed
 * over here.
 */
#include "c/token.h"

struct scan {
    struct cu_file *file;
    const struct cu_source *source;
    const char *p, *end;
    uint32_t line;
    bool begins_line, after_blank;
    bool is_sketch;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static bool in_name(char c)
{
    return begins_name(c) || is_digit(c);
}

/* The character k places on, NUL behind the end. */
static char peek(const struct scan *scan, ptrdiff_t k)
{
    return k < scan->end - scan->p ? scan->p[k] : '\0';
}

/* Over a comment; false if it is not closed. */
static bool skip_comment(struct scan *scan)
{
    const char *end = scan->p + 2;
    while (end < scan->end && !(end[0] == '*' && end + 1 < scan->end && end[1] == '/')) {
        end++;
    }
    if (end >= scan->end) {
        return false;
    }
    for (; scan->p < end; scan->p++) {
        scan->line += *scan->p == '\n';
    }
    scan->p += 2;
    return true;
}

/* The length of what joins two lines: a \, blanks behind which compilers allow; 0: they are not. */
static ptrdiff_t joined(const struct scan *scan)
{
    ptrdiff_t length = 1;
    while (peek(scan, length) == ' ' || peek(scan, length) == '\t' || peek(scan, length) == '\r') {
        length++;
    }
    return peek(scan, length) == '\n' ? length + 1 : 0;
}

/* Over one blank, comment or joined line; false if none is there that ends. */
static bool skip_one(struct scan *scan)
{
    char c = peek(scan, 0), next = peek(scan, 1);
    if (c == '\n') {
        scan->line++;
        scan->begins_line = true;
        scan->p++;
    } else if (c == '\\' && joined(scan) > 0) {
        scan->line++;
        scan->p += joined(scan);
    } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
        scan->p++;
    } else if (c == '/' && next == '*') {
        if (!skip_comment(scan)) {
            return false;
        }
    } else if (c == '/' && next == '/') {
        while (scan->p < scan->end && *scan->p != '\n') {
            scan->p++;
        }
    } else {
        return false;
    }
    scan->after_blank = true;
    return true;
}

/* In a sketch, what follows the digits from `begin` on and is another token: the x of 32x8, which is
 * two numbers to whoever types a block's extents, but that of 0x8 is not; the B of 128B, which TMA's
 * modes are called by, but that of 0B1 is not. */
static bool ends_number(const struct scan *scan, const char *begin)
{
    char c = *scan->p;
    bool is_times = c == 'x' && !(scan->p == begin + 1 && *begin == '0');
    bool is_mode = c == 'B' && !in_name(peek(scan, 1)) && *begin != '0';
    return scan->is_sketch && (is_times || is_mode);
}

/* Digits, letters and dots, signs behind an exponent, and ' between digits. */
static void scan_number(struct scan *scan)
{
    const char *begin = scan->p;
    bool is_hexadecimal = peek(scan, 0) == '0' && (peek(scan, 1) | 0x20) == 'x';
    while (scan->p < scan->end && !ends_number(scan, begin)) {
        char lower = (char)(*scan->p | 0x20), next = peek(scan, 1);
        bool is_exponent = is_hexadecimal ? lower == 'p' : lower == 'e';
        if (is_exponent && (next == '+' || next == '-')) {
            scan->p += 2;
        } else if (in_name(*scan->p) || *scan->p == '.' || (*scan->p == '\'' && in_name(next))) {
            scan->p++;
        } else {
            break;
        }
    }
}

/* Up to the mark that began it; CU_BAD where the line ends first. */
static enum cu_token_kind scan_quoted(struct scan *scan)
{
    char mark = *scan->p++;
    while (scan->p < scan->end && *scan->p != mark && *scan->p != '\n') {
        scan->p += *scan->p == '\\' && scan->p + 1 < scan->end && scan->p[1] != '\n' ? 2 : 1;
    }
    if (scan->p >= scan->end || *scan->p != mark) {
        return CU_BAD;
    }
    scan->p++;
    return mark == '"' ? CU_STRING : CU_CHARACTER;
}

/* At scan->p, which is before the end. Most signs, and words below, differ in what they begin with. */
static size_t sign_length(const struct scan *scan)
{
    static const char *const signs[] = {
        "<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "++",
        "--",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "::", "##", "+",  "-",
        "*",   "/",   "%",   "<",  ">",  "=",  "!",  "~",  "&",  "|",  "^",  "?",  ":",
        "(",   ")",   "[",   "]",  "{",  "}",  ",",  ".",  ";",  "#"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *sign = signs[i];
        size_t length = sign[0] == *scan->p ? strlen(sign) : 0;
        if (length > 0 && length <= (size_t)(scan->end - scan->p) && memcmp(sign, scan->p, length) == 0) {
            return length;
        }
    }
    return 0;
}

static enum cu_token_kind scan_one(struct scan *scan)
{
    char c = peek(scan, 0);
    if (begins_name(c)) {
        while (in_name(peek(scan, 0))) {
            scan->p++;
        }
        return CU_NAME;
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(scan, 1)))) {
        scan_number(scan);
        return CU_NUMBER;
    }
    if (c == '"' || c == '\'') {
        return scan_quoted(scan);
    }
    bool is_comment = c == '/' && peek(scan, 1) == '*'; /* that is not closed */
    size_t length = is_comment ? 0 : sign_length(scan);
    scan->p += is_comment ? scan->end - scan->p : length > 0 ? (ptrdiff_t)length : 1;
    return length > 0 ? CU_SIGN : CU_BAD;
}

static struct cu_token *scan_all(struct scan *scan)
{
    struct cu_token *first = NULL, **end = &first;
    for (;;) {
        while (skip_one(scan)) {
        }
        struct cu_token *token = bsim_cu_take(scan->file, sizeof *token);
        *token = (struct cu_token){.text = scan->p,
                                   .at = scan->p,
                                   .line = scan->line,
                                   .source = scan->source,
                                   .begins_line = scan->begins_line,
                                   .after_blank = scan->after_blank};
        *end = token;
        end = &token->next;
        scan->begins_line = scan->after_blank = false;
        if (scan->p >= scan->end || bsim_cu_failed(scan->file)) {
            break;
        }
        token->kind = scan_one(scan);
        token->length = (uint32_t)(scan->p - token->text);
    }
    return first;
}

struct cu_token *bsim_cu_tokens(struct cu_file *file, const struct cu_source *source)
{
    const char *end = source->text + source->length;
    return scan_all(&(struct scan){file, source, source->text, end, 1, true, false, false});
}

struct cu_token *bsim_cu_tokens_in(struct cu_file *file, const struct cu_source *source, size_t at,
                                   size_t end)
{
    const char *text = source->text;
    return scan_all(&(struct scan){file, source, text + at, text + end, 1, true, false, true});
}

struct cu_token *bsim_cu_tokens_of(struct cu_file *file, const char *text, size_t length,
                                   const struct cu_token *at)
{
    struct scan scan = {file, at->source, text, text + length, 1, true, false, false};
    struct cu_token *first = scan_all(&scan);
    for (struct cu_token *token = first; token != NULL; token = token->next) {
        token->at = at->at;
        token->line = at->line;
    }
    return first;
}

void bsim_cu_refuse_bad(struct cu_file *file, const struct cu_token *token)
{
    unsigned byte = (unsigned char)token->text[0];
    if (token->kind != CU_BAD) {
        return;
    }
    if (byte == '/') {
        bsim_cu_fail(file, token, "this comment is not closed");
    } else if (byte == '"' || byte == '\'') {
        bsim_cu_fail(file, token, "this %c is not closed on its line", (int)byte);
    } else if (byte > ' ' && byte <= '~') {
        bsim_cu_fail(file, token, "'%c' is no part of C", (int)byte);
    } else {
        bsim_cu_fail(file, token, "byte 0x%02x is no part of C", byte);
    }
}

struct cu_token *bsim_cu_last(struct cu_token *tokens)
{
    while (tokens->next != NULL) {
        tokens = tokens->next;
    }
    return tokens;
}

static bool is_word(const struct cu_token *token)
{
    return token->kind == CU_NAME || token->kind == CU_SIGN;
}

bool bsim_cu_is(const struct cu_token *token, const char *text)
{
    return is_word(token) && text[0] == token->text[0] && strlen(text) == token->length &&
           memcmp(text, token->text, token->length) == 0;
}

/* Of most, the first byte tells that they are not it. */
bool bsim_cu_is_any(const struct cu_token *token, const char *texts)
{
    bool is_it = false;
    for (const char *p = texts; is_word(token) && *p != '\0' && !is_it; p += *p == ' ') {
        is_it = *p == token->text[0] && strncmp(p, token->text, token->length) == 0 &&
                (p[token->length] == ' ' || p[token->length] == '\0');
        while (*p != ' ' && *p != '\0') {
            p++;
        }
    }
    return is_it;
}

bool bsim_cu_begins(const struct cu_token *token, const char *text)
{
    size_t length = strlen(text);
    return token->kind == CU_NAME && token->length >= length &&
           memcmp(token->text, text, length) == 0;
}

int bsim_cu_turn(const struct cu_token *token)
{
    return bsim_cu_is_any(token, "( [ {") - bsim_cu_is_any(token, ") ] }");
}

const struct cu_token *bsim_cu_closing(const struct cu_token *opening)
{
    const struct cu_token *t = opening;
    int depth = bsim_cu_turn(t);
    while (depth > 0 && t->kind != CU_END && t->next->kind != CU_END) {
        t = t->next;
        depth += bsim_cu_turn(t);
    }
    return t;
}

bool bsim_cu_same_text(const struct cu_token *a, const struct cu_token *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

const char *bsim_cu_spelled(struct cu_file *file, const struct cu_token *token)
{
    return bsim_cu_text(file, "%.*s", (int)token->length, token->text);
}
