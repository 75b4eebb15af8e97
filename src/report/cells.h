/* cells.h - aligned columns of text; see cells.c. */
#ifndef BSIM_REPORT_CELLS_H
#define BSIM_REPORT_CELLS_H

#include "report/table.h"

/* Writes the cell of one item into cell, terminated. */
typedef void bsim_cell_fn(const void *item, char cell[BSIM_CELL_SIZE]);

struct bsim_cell_column {
    const char *title; /* NULL: not shown */
    bool left;         /* aligned to the left; numbers stand on the right */
    bool warning;      /* coloured where the cell is neither "0", "1" nor "-" */
    bsim_cell_fn *cell;
};

/* A table whose rows come one by one, from items that need not stay: cells are made at once, and laid
 * out when the widest of each column is known. Zeroed at first but for colour and the spool's limit. Titles
 * may change until the first line. */
struct bsim_rows {
    struct bsim_cell_column columns[BSIM_MAX_COLUMNS];
    size_t n_columns;
    size_t width[BSIM_MAX_COLUMNS];
    bool colour;
    struct bsim_spool spool;
};

void bsim_rows_column(struct bsim_rows *rows, struct bsim_cell_column column);
void bsim_rows_add(struct bsim_rows *rows, const void *item);

/* Appends the titles; the next line, or false: there is none, or the spool has failed. */
void bsim_rows_titles(struct bsim_rows *rows, struct bsim_buffer *out);
bool bsim_rows_line(struct bsim_rows *rows, struct bsim_buffer *out);
void bsim_rows_free(struct bsim_rows *rows);

/* A table of items that are there. */
struct bsim_item_table {
    const struct bsim_cell_column *columns;
    size_t n_columns;
    const void *items; /* n_items things of item_bytes each, for the cell functions */
    size_t n_items;
    size_t item_bytes;
    bool colour;
};

/* Puts ">= " before the number in cell, if it is the least that there can be. */
void bsim_cell_least(char cell[BSIM_CELL_SIZE], bool is_least);

/* Appends the titles and a line per item. */
void bsim_table_render(const struct bsim_item_table *table, struct bsim_buffer *out);

#endif
