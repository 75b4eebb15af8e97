/* text.c - for people: aligned columns, as wide as the widest cell. */
#include "report/format.h"
#include "report/plain.h"

#include <string.h>

#define YELLOW "\x1b[33m"
#define BOLD "\x1b[1m"
#define PLAIN "\x1b[0m"

static void add_spaces(size_t n, struct bsim_buffer *out)
{
    static const char blanks[] = "                                ";
    for (size_t part; n > 0; n -= part) {
        part = n < sizeof blanks - 1 ? n : sizeof blanks - 1;
        bsim_buffer_add(out, blanks, part);
    }
}

static const char *colour_of(const struct bsim_table *table, const struct bsim_column *column,
                             const char *cell, bool is_title)
{
    bool is_remarkable = column->warning && strcmp(cell, "0") != 0 && strcmp(cell, "1") != 0 &&
                         strcmp(cell, "-") != 0;
    return !table->colour ? "" : is_title ? BOLD : is_remarkable ? YELLOW : "";
}

/* Cells stand two columns apart, if the table says nothing else; what is between two of them comes
 * with the second, so that nothing pads the end. */
static void line(const struct bsim_table *table, const char *cells, bool is_title,
                 struct bsim_buffer *out)
{
    size_t spaces = 0;
    bool is_first = true;
    for (size_t c = 0; c < table->n_columns; c++, cells += strlen(cells) + 1) {
        const struct bsim_column *column = &table->columns[c];
        size_t n = bsim_plain_columns(cells);
        size_t rest = table->width[c] > n ? table->width[c] - n : 0;
        if (!bsim_table_has(table, column)) {
            continue;
        }
        spaces += table->columns[0].wide > 0 ? column->gap : is_first ? 0 : 2;
        is_first = false;
        if (cells[0] != '\0') {
            const char *colour = colour_of(table, column, cells, is_title);
            add_spaces(spaces + (column->left ? 0 : rest), out);
            bsim_buffer_text(out, colour);
            bsim_buffer_text(out, cells);
            bsim_buffer_text(out, colour[0] != '\0' ? PLAIN : "");
            spaces = column->left ? rest : 0;
        } else {
            spaces += rest;
        }
    }
    bsim_buffer_text(out, "\n");
}

const struct bsim_renderer bsim_text_renderer = {
    .name = "text",
    .shows = BSIM_PICTURES | BSIM_TABLES | BSIM_SENTENCES,
    .line = line,
    .pictures = bsim_text_pictures,
};
