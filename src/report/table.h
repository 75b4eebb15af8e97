/* table.h - aligned columns of text; see table.c. */
#ifndef BSIM_REPORT_TABLE_H
#define BSIM_REPORT_TABLE_H

#include <banksim/buffer.h>

enum { BSIM_TABLE_MAX_COLUMNS = 16, BSIM_CELL_SIZE = 200 };

/* Writes the cell of one item into cell, terminated. */
typedef void bsim_cell_fn(const void *item, char cell[BSIM_CELL_SIZE]);

struct bsim_column {
    const char *title;
    bool left;    /* aligned to the left; numbers stand on the right */
    bool warning; /* coloured where the cell is neither "0", "1" nor "-" */
    bsim_cell_fn *cell;
};

struct bsim_table {
    const struct bsim_column *columns;
    size_t n_columns;
    const void *items; /* n_items things of item_bytes each, for the cell functions */
    size_t n_items;
    size_t item_bytes;
    bool colour;
};

/* Puts ">= " before the number in cell, if it is the least that there can be. */
void bsim_cell_least(char cell[BSIM_CELL_SIZE], bool is_least);

/* Appends the titles and a line per item. */
void bsim_table_render(const struct bsim_table *table, struct bsim_buffer *out);

#endif
