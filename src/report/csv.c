/* csv.c - rows as RFC 4180 csv, lines ended by LF. Absent values are empty fields, booleans 0 or 1;
 * bytes that are not UTF-8 become U+FFFD. */
#include "base/utf8.h"
#include "report/plain.h"
#include "report/render.h"

#include <inttypes.h>
#include <string.h>

static void add_text(const char *text, struct bsim_buffer *out)
{
    const char *quote = strpbrk(text, ",\"\r\n") != NULL ? "\"" : "";
    bsim_buffer_text(out, quote);
    while (*text != '\0') {
        size_t length = bsim_utf8_length(text);
        if (length > 0) {
            bsim_buffer_text(out, *text == '"' ? quote : "");
            bsim_buffer_add(out, text, length);
        } else {
            bsim_buffer_text(out, BSIM_REPLACEMENT);
        }
        text += length > 0 ? length : 1;
    }
    bsim_buffer_text(out, quote);
}

static void add_value(const struct bsim_value *value, struct bsim_buffer *out)
{
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
    case BSIM_STRING:
        add_text(value->text, out);
        break;
    case BSIM_ABSENT:
        break;
    }
}

void bsim_csv_head(const struct bsim_row *row, struct bsim_buffer *out)
{
    for (size_t i = 0; i < row->n; i++) {
        bsim_buffer_printf(out, "%s%s", i > 0 ? "," : "", row->value[i].name);
    }
    bsim_buffer_text(out, "\n");
}

void bsim_csv_cells(const struct bsim_row *row, struct bsim_buffer *out)
{
    for (size_t i = 0; i < row->n; i++) {
        bsim_buffer_text(out, i > 0 ? "," : "");
        add_value(&row->value[i], out);
    }
}

void bsim_csv_row(const struct bsim_row *row, struct bsim_buffer *out)
{
    bsim_csv_cells(row, out);
    bsim_buffer_text(out, "\n");
}
