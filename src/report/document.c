/* document.c - a report in any format. */
#include "report/format.h"

#include "report/basis.h"

bool bsim_document_speaks(const struct bsim_document *doc)
{
    return doc->renderer->line != NULL;
}

bool bsim_document_nests(const struct bsim_document *doc)
{
    return doc->renderer->close != NULL;
}

/* Whether lines are written as they come. */
static bool is_at_once(const struct bsim_document *doc)
{
    return doc->table.n_columns > 0 && doc->table.columns[0].wide > 0;
}

void bsim_document_table(struct bsim_document *doc, const char *name,
                         const struct bsim_column *columns, size_t n_columns)
{
    doc->is_list = false;
    doc->has_rows = false;
    if (bsim_document_speaks(doc)) {
        bsim_table_begin(&doc->table, doc->renderer, columns, n_columns, doc->colour);
        doc->table.shows = doc->shows;
        if (is_at_once(doc)) {
            bsim_table_titles(&doc->table, doc->out);
        }
    } else if (doc->renderer->table != NULL) {
        doc->renderer->table(doc, name);
    }
}

void bsim_document_list(struct bsim_document *doc, const char *name)
{
    bsim_document_table(doc, name, NULL, 0);
    doc->is_list = true;
}

void bsim_document_names(struct bsim_document *doc, const struct bsim_row *row)
{
    if (doc->renderer->names != NULL && !doc->has_names) {
        doc->renderer->names(doc, row);
        doc->has_names = true;
    }
}

void bsim_document_open(struct bsim_document *doc, const char *name, const struct bsim_row *row)
{
    if (bsim_document_speaks(doc) && name == NULL && is_at_once(doc)) {
        bsim_table_show_row(&doc->table, row, doc->out);
    } else if (bsim_document_speaks(doc) && name == NULL) {
        bsim_table_put(&doc->table, row);
    } else if (doc->renderer->open != NULL && (name == NULL || bsim_document_nests(doc))) {
        bsim_document_names(doc, row);
        doc->renderer->open(doc, name, row);
        doc->has_rows = true;
    }
}

void bsim_document_close(struct bsim_document *doc)
{
    if (bsim_document_nests(doc)) {
        doc->renderer->close(doc);
    }
}

void bsim_document_row(struct bsim_document *doc, const struct bsim_row *row)
{
    bsim_document_member(doc, NULL, row);
}

void bsim_document_table_end(struct bsim_document *doc)
{
    if (bsim_document_speaks(doc) && doc->table.n_columns > 0 && !is_at_once(doc)) {
        bsim_table_show(&doc->table, doc->out);
        bsim_table_free(&doc->table);
    } else if (doc->renderer->table_end != NULL) {
        doc->renderer->table_end(doc);
    }
}

void bsim_document_new_line(struct bsim_document *doc)
{
    doc->separator = ",\n";
}

void bsim_document_rests_on(struct bsim_document *doc, const struct bsim_kernel_result *kernel,
                            uint32_t hidden)
{
    uint32_t rules = kernel->rules & ~hidden;
    struct bsim_row row;
    if (!bsim_document_nests(doc)) {
        return;
    }
    struct bsim_rests rests = {.has_cycles = false};
    struct bsim_buffer sentence = BSIM_BUFFER_EMPTY;
    struct bsim_basis basis;
    bsim_rests_add(&rests, kernel);
    bsim_document_list(doc, "rests_on");
    for (int r = 0; r < BSIM_N_RULES; r++) {
        if ((rules >> r & 1) != 0) {
            row.n = 0;
            bsim_row_text(&row, "rule", bsim_rule_name((enum bsim_rule)r));
            bsim_row_basis(&row, &kernel->device.basis[r]);
            bsim_document_row(doc, &row);
        }
    }
    for (size_t at = 0; bsim_rests_next(&rests, &at, &sentence, &basis);
         bsim_buffer_clear(&sentence)) {
        row.n = 0;
        bsim_row_text(&row, "rule", sentence.data);
        bsim_row_basis(&row, &basis);
        bsim_document_row(doc, &row);
    }
    doc->out->failed = doc->out->failed || sentence.failed;
    bsim_buffer_free(&sentence);
    bsim_rests_free(&rests);
    bsim_document_table_end(doc);
}

void bsim_document_member(struct bsim_document *doc, const char *name, const struct bsim_row *row)
{
    bsim_document_open(doc, name, row);
    bsim_document_close(doc);
}

void bsim_document_members(struct bsim_document *doc, const struct bsim_row *row)
{
    if (bsim_document_nests(doc)) {
        doc->renderer->members(doc, row);
    }
}

void bsim_document_end(struct bsim_document *doc)
{
    if (doc->renderer->foot != NULL) {
        doc->renderer->foot(doc);
    }
}
