/* cells.c - aligned columns of text, as wide as the widest cell: all rows are made before the first is
 * laid out. */
#include "report/cells.h"

#include "report/plain.h"

#include <string.h>

enum { GAP = 2 };

#define YELLOW "\x1b[33m"
#define BOLD "\x1b[1m"
#define PLAIN "\x1b[0m"

void bsim_cell_least(char cell[BSIM_CELL_SIZE], bool is_least)
{
    static const char sign[] = ">= ";
    size_t length = strlen(cell);
    if (is_least && length > 0 && length + sizeof sign <= BSIM_CELL_SIZE) {
        memmove(cell + sizeof sign - 1, cell, length + 1);
        memcpy(cell, sign, sizeof sign - 1);
    }
}

static void add_spaces(size_t n, struct bsim_buffer *out)
{
    for (; n > 0; n--) {
        bsim_buffer_text(out, " ");
    }
}

static bool is_remarkable(const char *cell)
{
    return strcmp(cell, "0") != 0 && strcmp(cell, "1") != 0 && strcmp(cell, "-") != 0;
}

/* A line being written. Cells stand two columns apart; what is between two of them comes with the
 * second, so that nothing pads the end. */
struct line {
    size_t spaces;
    struct bsim_buffer *out;
};

static void add_cell(struct line *line, const struct bsim_cell_column *column, size_t width,
                     const char *colour, const char *text)
{
    size_t rest = width - bsim_plain_columns(text);
    if (text[0] != '\0') {
        add_spaces(line->spaces + (column->left ? 0 : rest), line->out);
        bsim_buffer_printf(line->out, "%s%s%s", colour, text, colour[0] != '\0' ? PLAIN : "");
        line->spaces = (column->left ? rest : 0) + GAP;
    } else {
        line->spaces += rest + GAP;
    }
}

void bsim_rows_column(struct bsim_rows *rows, struct bsim_cell_column column)
{
    rows->columns[rows->n_columns++] = column;
}

static void widen(struct bsim_rows *rows, size_t column, const char *text)
{
    size_t n = bsim_plain_columns(text);
    rows->width[column] = n > rows->width[column] ? n : rows->width[column];
}

void bsim_rows_add(struct bsim_rows *rows, const void *item)
{
    char row[BSIM_MAX_COLUMNS * BSIM_CELL_SIZE];
    size_t used = 0;
    for (size_t c = 0; c < rows->n_columns; c++) {
        rows->columns[c].cell(item, row + used);
        widen(rows, c, row + used);
        used += strlen(row + used) + 1;
    }
    bsim_spool_put(&rows->spool, row, (uint32_t)used);
}

void bsim_rows_titles(struct bsim_rows *rows, struct bsim_buffer *out)
{
    struct line line = {0, out};
    for (size_t c = 0; c < rows->n_columns; c++) {
        if (rows->columns[c].title != NULL) {
            widen(rows, c, rows->columns[c].title);
            add_cell(&line, &rows->columns[c], rows->width[c], rows->colour ? BOLD : "",
                     rows->columns[c].title);
        }
    }
    bsim_buffer_text(out, "\n");
    bsim_spool_rewind(&rows->spool);
}

bool bsim_rows_line(struct bsim_rows *rows, struct bsim_buffer *out)
{
    struct bsim_buffer row = BSIM_BUFFER_EMPTY;
    struct line line = {0, out};
    bool is_there = bsim_spool_take(&rows->spool, &row);
    const char *cell = row.data;
    for (size_t c = 0; c < rows->n_columns && is_there; c++, cell += strlen(cell) + 1) {
        const struct bsim_cell_column *column = &rows->columns[c];
        bool warn = rows->colour && column->warning && is_remarkable(cell);
        if (column->title != NULL) {
            add_cell(&line, column, rows->width[c], warn ? YELLOW : "", cell);
        }
    }
    bsim_buffer_text(out, is_there ? "\n" : "");
    out->failed = out->failed || row.failed;
    bsim_buffer_free(&row);
    return is_there;
}

void bsim_rows_free(struct bsim_rows *rows)
{
    bsim_spool_free(&rows->spool);
}

void bsim_table_render(const struct bsim_item_table *table, struct bsim_buffer *out)
{
    struct bsim_rows rows = {.colour = table->colour};
    for (size_t c = 0; c < table->n_columns; c++) {
        bsim_rows_column(&rows, table->columns[c]);
    }
    for (size_t i = 0; i < table->n_items; i++) {
        bsim_rows_add(&rows, (const char *)table->items + i * table->item_bytes);
    }
    bsim_rows_titles(&rows, out);
    while (bsim_rows_line(&rows, out)) {
    }
    out->failed = out->failed || rows.spool.buffer.failed;
    bsim_rows_free(&rows);
}
