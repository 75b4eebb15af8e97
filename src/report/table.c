/* table.c - aligned columns of text. Widths are those of the widest cell, found in a first pass. */
#include "report/table.h"

#include "report/plain.h"

#include <string.h>

enum { GAP = 2 };

#define YELLOW "\x1b[33m"
#define BOLD "\x1b[1m"
#define PLAIN "\x1b[0m"

static const void *item_at(const struct bsim_table *table, size_t i)
{
    return (const char *)table->items + i * table->item_bytes;
}

void bsim_cell_least(char cell[BSIM_CELL_SIZE], bool is_least)
{
    static const char sign[] = ">= ";
    size_t length = strlen(cell);
    if (is_least && length > 0 && length + sizeof sign <= BSIM_CELL_SIZE) {
        memmove(cell + sizeof sign - 1, cell, length + 1);
        memcpy(cell, sign, sizeof sign - 1);
    }
}

static void find_widths(const struct bsim_table *table, size_t width[BSIM_TABLE_MAX_COLUMNS])
{
    char cell[BSIM_CELL_SIZE];
    for (size_t c = 0; c < table->n_columns; c++) {
        width[c] = bsim_plain_columns(table->columns[c].title);
        for (size_t i = 0; i < table->n_items; i++) {
            table->columns[c].cell(item_at(table, i), cell);
            size_t n = bsim_plain_columns(cell);
            width[c] = n > width[c] ? n : width[c];
        }
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

/* Cells stand two columns apart; nothing pads the end of a line. */
static void add_line(const struct bsim_table *table, const size_t *width, const void *item,
                     struct bsim_buffer *out)
{
    char cell[BSIM_CELL_SIZE];
    size_t spaces = 0; /* still to come before the next visible cell */
    for (size_t c = 0; c < table->n_columns; c++) {
        const struct bsim_column *column = &table->columns[c];
        const char *text = item != NULL ? cell : column->title;
        if (item != NULL) {
            column->cell(item, cell);
        }
        size_t rest = width[c] - bsim_plain_columns(text);
        bool warn = item != NULL && column->warning && is_remarkable(text);
        const char *colour = !table->colour ? "" : item == NULL ? BOLD : warn ? YELLOW : "";
        if (text[0] != '\0') {
            add_spaces(spaces + (column->left ? 0 : rest), out);
            bsim_buffer_printf(out, "%s%s%s", colour, text, colour[0] != '\0' ? PLAIN : "");
            spaces = (column->left ? rest : 0) + GAP;
        } else {
            spaces += rest + GAP;
        }
    }
    bsim_buffer_text(out, "\n");
}

void bsim_table_render(const struct bsim_table *table, struct bsim_buffer *out)
{
    size_t width[BSIM_TABLE_MAX_COLUMNS];
    find_widths(table, width);
    add_line(table, width, NULL, out);
    for (size_t i = 0; i < table->n_items; i++) {
        add_line(table, width, item_at(table, i), out);
    }
}
