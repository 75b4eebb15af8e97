/* csv.c - rows as RFC 4180 csv, lines ended by LF. Absent values are empty fields, booleans 0 or 1.
 *
 * Texts come from traces and command lines, and go to terminals and spreadsheets: control
 * characters become '?', bytes that are not UTF-8 become U+FFFD, and what a spreadsheet would take
 * for a formula has an apostrophe in front, by which they know a text. */
#include "base/utf8.h"
#include "report/format.h"

#include <inttypes.h>
#include <string.h>

/* =, +, - and @, also in the full width that East Asian spreadsheets take. One alone is no
 * formula. */
static bool is_formula(const char *text)
{
    static const char *const begins[] = {
        "=", "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0"};
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
        size_t n = strlen(begins[i]);
        if (strncmp(text, begins[i], n) == 0) {
            return text[n] != '\0';
        }
    }
    return false;
}

static void add_text(const char *text, struct bsim_buffer *out)
{
    const char *quote = strpbrk(text, ",\"") != NULL ? "\"" : "";
    bsim_buffer_text(out, quote);
    bsim_buffer_text(out, is_formula(text) ? "'" : "");
    while (*text != '\0') {
        const char *shown;
        size_t n_shown;
        bsim_buffer_text(out, *text == '"' ? quote : "");
        text += bsim_utf8_shown(text, &shown, &n_shown);
        bsim_buffer_add(out, shown, n_shown);
    }
    bsim_buffer_text(out, quote);
}

static void add_value(const struct bsim_value *value, struct bsim_buffer *out)
{
    char number[BSIM_REAL_SIZE];
    switch (value->kind) {
    case BSIM_NUMBER:
    case BSIM_BOOLEAN:
        bsim_buffer_printf(out, "%" PRIu64, value->number);
        break;
    case BSIM_RATIO:
        if (value->divisor > 0) {
            bsim_buffer_printf(out, "%.9g", (double)value->number / (double)value->divisor);
        }
        break;
    case BSIM_REAL:
        bsim_buffer_text(out, bsim_row_write_real(value->real, number));
        break;
    case BSIM_STRING:
        add_text(value->text, out);
        break;
    case BSIM_ABSENT:
        break;
    }
}

static void names(struct bsim_document *doc, const struct bsim_row *row)
{
    for (size_t i = 0; i < row->n; i++) {
        bsim_buffer_printf(doc->out, "%s%s", i > 0 ? "," : "", row->value[i].name);
    }
    bsim_buffer_text(doc->out, "\n");
}

static void open_row(struct bsim_document *doc, const char *name, const struct bsim_row *row)
{
    (void)name;
    for (size_t i = 0; i < row->n; i++) {
        bsim_buffer_text(doc->out, i > 0 ? "," : "");
        add_value(&row->value[i], doc->out);
    }
    bsim_buffer_text(doc->out, "\n");
}

const struct bsim_renderer bsim_csv_renderer = {
    .name = "csv",
    .shows = BSIM_TABLES,
    .names = names,
    .open = open_row,
};
