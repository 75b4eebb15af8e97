/* json.c - rows as json (RFC 8259). Absent values are null; bytes that are not UTF-8 become U+FFFD,
 * so that what comes out always parses. */
#include "base/utf8.h"
#include "report/format.h"
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

static void add_value(const struct bsim_value *value, struct bsim_buffer *out)
{
    char number[BSIM_REAL_SIZE];
    switch (value->kind) {
    case BSIM_NUMBER:
        bsim_buffer_printf(out, "%" PRIu64, value->number);
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

static void add_members(const struct bsim_row *row, struct bsim_buffer *out)
{
    for (size_t i = 0; i < row->n; i++) {
        bsim_buffer_printf(out, "%s\"%s\": ", i > 0 ? ", " : "", row->value[i].name);
        add_value(&row->value[i], out);
    }
}

void bsim_json_row(const struct bsim_row *row, struct bsim_buffer *out)
{
    bsim_buffer_text(out, "{");
    add_members(row, out);
}

/* ---- a document ------------------------------------------------------------------------------ */

static void head(struct bsim_document *doc, const struct bsim_row *row)
{
    bsim_buffer_text(doc->out, "{");
    add_members(row, doc->out);
    doc->separator = row->n > 0 ? ", " : "";
}

static void begin_member(struct bsim_document *doc, const char *name)
{
    bsim_buffer_printf(doc->out, "%s\"%s\": ", doc->separator, name);
}

static void table(struct bsim_document *doc, const char *name)
{
    begin_member(doc, name);
    bsim_buffer_text(doc->out, "[");
    doc->depth++;
}

static void open_object(struct bsim_document *doc, const char *name, const struct bsim_row *row)
{
    if (name != NULL) {
        begin_member(doc, name);
    } else {
        bsim_buffer_text(doc->out, doc->has_rows ? "," : "");
        bsim_buffer_text(doc->out, !doc->is_list ? "\n" : doc->has_rows ? " " : "");
        bsim_buffer_printf(doc->out, "%*s", doc->is_list ? 0 : 4 * (int)doc->depth - 2, "");
    }
    head(doc, row);
}

static void members(struct bsim_document *doc, const struct bsim_row *row)
{
    bsim_buffer_text(doc->out, doc->separator);
    add_members(row, doc->out);
    doc->separator = ", ";
}

static void close_object(struct bsim_document *doc)
{
    bsim_buffer_text(doc->out, "}");
    doc->separator = ", ";
}

static void table_end(struct bsim_document *doc)
{
    bsim_buffer_text(doc->out, "]");
    doc->separator = ", ";
    doc->depth--;
    doc->is_list = false;
    doc->has_rows = true;
}

static void foot(struct bsim_document *doc)
{
    bsim_buffer_text(doc->out, "}\n");
}

const struct bsim_renderer bsim_json_renderer = {
    .name = "json",
    .shows = BSIM_PICTURES | BSIM_TABLES,
    .head = head,
    .table = table,
    .open = open_object,
    .members = members,
    .close = close_object,
    .table_end = table_end,
    .foot = foot,
};
