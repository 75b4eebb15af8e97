/* forms.c - whether a report has the form of its format. Written from the formats' grammars, apart
 * from the renderers. */
#include "support.h"

enum { MAX_DEPTH = 64, MAX_NAME = 32 };

/* Text that is being looked at. Past its end stands a NUL, as in every bsim_buffer. */
struct text {
    const char *p;
    const char *all;
    size_t size;
};

#define HOLDS(text, condition) REQUIRE_OF(condition, (text)->all, (text)->size)

/* The bytes of the UTF-8 character at p: 1 to 4; 0 if there is none. By table 3-7 of the Unicode
 * Standard. */
static size_t utf8_length(const unsigned char *p)
{
    if (p[0] < 0x80) {
        return 1;
    }
    unsigned char low = p[0] == 0xe0 ? 0xa0 : p[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char high = p[0] == 0xed ? 0x9f : p[0] == 0xf4 ? 0x8f : 0xbf;
    size_t length = p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < length; i++) {
        if (p[i] < low || p[i] > high) {
            return 0;
        }
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

/* Marks and overrides of the bidirectional algorithm, and separators of lines, as UTF-8: what
 * stands around them is shown as something else. */
static bool is_mark(const unsigned char *p)
{
    return (p[0] == 0xd8 && p[1] == 0x9c) ||
           (p[0] == 0xe2 &&
            ((p[1] == 0x80 && (p[2] == 0x8e || p[2] == 0x8f || (p[2] >= 0xa8 && p[2] <= 0xae))) ||
             (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9)));
}

static void require_characters(const struct text *text)
{
    for (size_t i = 0; i < text->size;) {
        const unsigned char *p = (const unsigned char *)text->all + i;
        size_t length = utf8_length(p);
        HOLDS(text, length > 0);
        HOLDS(text, (*p >= 0x20 && *p != 0x7f) || *p == '\n');
        HOLDS(text, (*p != 0xc2 || p[1] >= 0xa0) && !is_mark(p));
        i += length;
    }
}

/* ---- json (RFC 8259) ------------------------------------------------------------------------- */

static void json_value(struct text *text, int depth);

static void blanks(struct text *text)
{
    text->p += strspn(text->p, " \n\r\t");
}

static void take(struct text *text, char c)
{
    HOLDS(text, *text->p == c);
    text->p++;
}

static void json_string(struct text *text)
{
    take(text, '"');
    while (*text->p != '"') {
        HOLDS(text, (unsigned char)*text->p >= 0x20);
        if (*text->p++ != '\\') {
            continue;
        }
        HOLDS(text, *text->p != '\0' && strchr("\"\\/bfnrtu", *text->p) != NULL);
        if (*text->p++ == 'u') {
            HOLDS(text, strspn(text->p, "0123456789abcdefABCDEF") >= 4);
            text->p += 4;
        }
    }
    text->p++;
}

static size_t digits(struct text *text)
{
    size_t n = strspn(text->p, "0123456789");
    HOLDS(text, n > 0);
    text->p += n;
    return n;
}

static void json_number(struct text *text)
{
    text->p += *text->p == '-';
    bool is_zero = *text->p == '0';
    HOLDS(text, digits(text) == 1 || !is_zero);
    if (*text->p == '.') {
        text->p++;
        (void)digits(text);
    }
    if (*text->p == 'e' || *text->p == 'E') {
        text->p++;
        text->p += *text->p == '+' || *text->p == '-';
        (void)digits(text);
    }
}

/* Members of an object or elements of an array. */
static void json_list(struct text *text, char close, int depth)
{
    text->p++;
    blanks(text);
    if (*text->p == close) {
        text->p++;
        return;
    }
    for (;;) {
        if (close == '}') {
            json_string(text);
            blanks(text);
            take(text, ':');
            blanks(text);
        }
        json_value(text, depth + 1);
        blanks(text);
        if (*text->p != ',') {
            break;
        }
        text->p++;
        blanks(text);
    }
    take(text, close);
}

static void json_value(struct text *text, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    HOLDS(text, depth < MAX_DEPTH);
    for (size_t i = 0; i < 3; i++) {
        if (strncmp(text->p, words[i], strlen(words[i])) == 0) {
            text->p += strlen(words[i]);
            return;
        }
    }
    if (*text->p == '{') {
        json_list(text, '}', depth);
    } else if (*text->p == '[') {
        json_list(text, ']', depth);
    } else if (*text->p == '"') {
        json_string(text);
    } else {
        json_number(text);
    }
}

static void require_json(struct text *text)
{
    require_characters(text);
    blanks(text);
    json_value(text, 0);
    blanks(text);
    HOLDS(text, text->p == text->all + text->size);
}

/* ---- csv (RFC 4180, with LF) ----------------------------------------------------------------- */

/* Passes over a cell, which no spreadsheet takes for a formula: it may begin with a sign alone. */
static void csv_cell(struct text *text)
{
    const char *first = text->p + (*text->p == '"');
    bool is_sign = *first != '\0' && strchr("=+-@", *first) != NULL;
    HOLDS(text, !is_sign || strchr("0123456789,\n", first[1]) != NULL);
    if (*text->p != '"') {
        text->p += strcspn(text->p, ",\n\"");
        HOLDS(text, *text->p != '"');
        return;
    }
    for (text->p++; text->p[0] != '"' || text->p[1] == '"'; text->p++) {
        HOLDS(text, *text->p != '\0');
        text->p += *text->p == '"';
    }
    text->p++;
}

static size_t csv_row(struct text *text)
{
    size_t n = 1;
    csv_cell(text);
    for (; *text->p == ','; n++) {
        text->p++;
        csv_cell(text);
    }
    take(text, '\n');
    return n;
}

static void require_csv(struct text *text)
{
    require_characters(text);
    size_t n = csv_row(text);
    while (*text->p != '\0') {
        HOLDS(text, csv_row(text) == n);
    }
    HOLDS(text, text->p == text->all + text->size);
}

/* ---- svg: XML without declarations of its own ------------------------------------------------ */

static size_t xml_name(const char *p)
{
    return strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-_");
}

/* Text up to one of the characters in `ends`, with references instead of & and no tag. */
static void xml_text(struct text *text, const char *ends)
{
    static const char *const references[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#39;"};
    while (*text->p != '\0' && strchr(ends, *text->p) == NULL) {
        bool is_fine = *text->p != '&' && *text->p != '<';
        for (size_t i = 0; i < sizeof references / sizeof references[0]; i++) {
            is_fine |= strncmp(text->p, references[i], strlen(references[i])) == 0;
        }
        HOLDS(text, is_fine);
        text->p++;
    }
}

static void xml_attributes(struct text *text)
{
    while (*text->p == ' ' || *text->p == '\n') {
        text->p += strspn(text->p, " \n");
        if (*text->p == '/' || *text->p == '>' || *text->p == '?') {
            return;
        }
        size_t n = xml_name(text->p);
        HOLDS(text, n > 0);
        text->p += n;
        take(text, '=');
        take(text, '"');
        xml_text(text, "\"");
        take(text, '"');
    }
}

struct xml_tag {
    const char *name;
    size_t length;
};

/* The tag at `<`. */
static void xml_element(struct text *text, struct xml_tag *open, size_t *n_open)
{
    bool closes = text->p[1] == '/';
    text->p += closes ? 2 : 1;
    struct xml_tag tag = {text->p, xml_name(text->p)};
    HOLDS(text, tag.length > 0);
    text->p += tag.length;
    if (closes) {
        HOLDS(text, *n_open > 0);
        const struct xml_tag *last = &open[--*n_open];
        HOLDS(text, last->length == tag.length && memcmp(last->name, tag.name, tag.length) == 0);
    } else {
        xml_attributes(text);
        bool is_empty = *text->p == '/';
        text->p += is_empty;
        HOLDS(text, *n_open < MAX_DEPTH);
        open[*n_open] = tag;
        *n_open += !is_empty;
    }
    take(text, '>');
}

static void require_xml(struct text *text)
{
    struct xml_tag open[MAX_DEPTH];
    size_t n_open = 0;
    require_characters(text);
    if (strncmp(text->p, "<?xml", 5) == 0) {
        text->p += 5;
        xml_attributes(text);
        take(text, '?');
        take(text, '>');
    }
    text->p += strspn(text->p, "\n");
    do {
        HOLDS(text, *text->p == '<');
        xml_element(text, open, &n_open);
        xml_text(text, n_open > 0 ? "<" : "\n");
    } while (n_open > 0);
    text->p += strspn(text->p, "\n");
    HOLDS(text, text->p == text->all + text->size);
}

/* ---- html ------------------------------------------------------------------------------------ */

/* Its data is json, and ends where the script that holds it does. */
static void require_page(struct text *text)
{
    static const char head[] = "<script type=\"application/json\" id=\"data\">";
    require_characters(text);
    HOLDS(text, strncmp(text->p, "<!DOCTYPE html>\n", 16) == 0);
    const char *data = strstr(text->p, head);
    HOLDS(text, data != NULL);
    text->p = data + strlen(head);
    blanks(text);
    json_value(text, 0);
    blanks(text);
    HOLDS(text, strncmp(text->p, "</script>", 9) == 0);
}

void fuzz_require_form(enum bsim_format format, const struct bsim_buffer *report)
{
    REQUIRE(!report->failed);
    const char *all = report->data != NULL ? report->data : "";
    struct text text = {all, all, report->size_bytes};
    switch (format) {
    case BSIM_TEXT:
        require_characters(&text);
        break;
    case BSIM_CSV:
        require_csv(&text);
        break;
    case BSIM_JSON:
        require_json(&text);
        break;
    case BSIM_SVG:
        require_xml(&text);
        break;
    case BSIM_HTML:
        require_page(&text);
        break;
    }
}
