/* json_text.c - values as json (RFC 8259). Absent values are null; bytes that are not UTF-8 become
 * U+FFFD, so that what comes out always parses. */
#include "base/utf8.h"
#include "report/json.h"

#include <inttypes.h>
#include <string.h>

/* '<', '>' and '&' are escaped as well, so that the text can stand in a page's script. */
void bsim_json_string(const char *text, struct bsim_buffer *out)
{
    bsim_buffer_text(out, "\"");
    while (*text != '\0') {
        size_t length = bsim_utf8_length(text);
        unsigned char c = (unsigned char)*text;
        if (length == 0) {
            bsim_buffer_text(out, "\\ufffd");
            length = 1;
        } else if (c == '"' || c == '\\') {
            bsim_buffer_printf(out, "\\%c", c);
        } else if (c == '<' || c == '>' || c == '&' || bsim_utf8_control(text)) {
            bsim_buffer_printf(out, "\\u%04" PRIx32, bsim_utf8_code(text, length));
        } else {
            bsim_buffer_add(out, text, length);
        }
        text += length;
    }
    bsim_buffer_text(out, "\"");
}

void bsim_json_number(uint64_t number, struct bsim_buffer *out)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    bsim_buffer_add(out, digits + at, sizeof digits - at);
}

static void add_value(const struct bsim_value *value, struct bsim_buffer *out)
{
    char number[BSIM_REAL_SIZE];
    switch (value->kind) {
    case BSIM_NUMBER:
        bsim_json_number(value->number, out);
        break;
    case BSIM_BOOLEAN:
        bsim_buffer_text(out, value->number != 0 ? "true" : "false");
        break;
    case BSIM_RATIO:
        if (value->divisor > 0) {
            bsim_buffer_printf(out, "%.9g", (double)value->number / (double)value->divisor);
        } else {
            bsim_buffer_text(out, "null");
        }
        break;
    case BSIM_REAL:
        bsim_buffer_text(out, bsim_row_write_real(value->real, number));
        break;
    case BSIM_STRING:
        bsim_json_string(value->text, out);
        break;
    case BSIM_ABSENT:
        bsim_buffer_text(out, "null");
        break;
    }
}

void bsim_json_members(const struct bsim_row *row, struct bsim_buffer *out)
{
    for (size_t i = 0; i < row->n; i++) {
        bsim_buffer_text(out, i > 0 ? ", \"" : "\"");
        bsim_buffer_text(out, row->value[i].name);
        bsim_buffer_text(out, "\": ");
        add_value(&row->value[i], out);
    }
}

void bsim_json_row(const struct bsim_row *row, struct bsim_buffer *out)
{
    bsim_buffer_text(out, "{");
    bsim_json_members(row, out);
}
