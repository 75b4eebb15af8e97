/* json.c - a document as json. */
#include "report/json.h"

#include "report/format.h"

static void head(struct bsim_document *doc, const struct bsim_row *row)
{
    bsim_json_row(row, doc->out);
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
    bsim_json_members(row, doc->out);
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
    .pictures = bsim_json_pictures,
};
