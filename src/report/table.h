/* table.h - a table for people: what columns show of rows; see table.c. */
#ifndef BSIM_REPORT_TABLE_H
#define BSIM_REPORT_TABLE_H

#include "base/spool.h"
#include "report/row.h"

enum { BSIM_MAX_COLUMNS = 32, BSIM_CELL_SIZE = 200 };

/* How a cell shows a value. */
enum bsim_shown_as {
    BSIM_AS_IT_IS,
    BSIM_AS_PER_CENT,       /* a ratio: "12.5 %" */
    BSIM_AS_WHOLE_PER_CENT, /* "13 %" */
    BSIM_AS_RANGE,          /* up to `with`: "1-32" */
    BSIM_AS_RATIO,          /* to `with`: "2.50" */
    BSIM_AS_KERNEL          /* a text: a mangled name as its source has it */
};

/* A column for people: what it shows of a row. */
struct bsim_column {
    const char *title; /* NULL: the table has no line of titles */
    const char *name;  /* of the row's value */
    enum bsim_shown_as as;
    const char *with;  /* the name of a second one */
    bool left;         /* aligned to the left; numbers stand on the right */
    bool warning;      /* coloured where the cell is neither "0", "1" nor "-" */
    uint8_t most;      /* characters of a text; 0: any number */
    uint32_t only;     /* bits of bsim_table.shows: shown where one of them is set; 0: always */
    uint8_t gap, wide; /* of a table whose rows are not kept: columns in front, and its own */
};

struct bsim_renderer;
struct bsim_fold;

/* A table for people. Its rows come one by one, and need not stay: cells are made at once, and laid
 * out when the widest of each column is known, unless the columns say how wide they are. */
struct bsim_table {
    const struct bsim_renderer *renderer;
    const struct bsim_column *columns; /* the caller's */
    size_t n_columns;
    uint32_t shows; /* may change until the first line */
    size_t width[BSIM_MAX_COLUMNS];
    uint8_t place[BSIM_MAX_COLUMNS][2]; /* of the columns' values in the last row */
    bool colour;
    struct bsim_spool spool;
    struct bsim_fold *fold; /* or NULL: equal rows stay apart; the table's to free */
    size_t n_shown;
};

void bsim_table_begin(struct bsim_table *table, const struct bsim_renderer *renderer,
                      const struct bsim_column *columns, size_t n_columns, bool colour);
void bsim_table_put(struct bsim_table *table, const struct bsim_row *row);

/* Appends the titles; the next line, or false: there is none, or the spool has failed. */
void bsim_table_titles(struct bsim_table *table, struct bsim_buffer *out);
bool bsim_table_next(struct bsim_table *table, struct bsim_buffer *out);

/* Appends both; a row alone, which was not put. */
void bsim_table_show(struct bsim_table *table, struct bsim_buffer *out);
void bsim_table_show_row(struct bsim_table *table, const struct bsim_row *row,
                         struct bsim_buffer *out);
void bsim_table_free(struct bsim_table *table);

/* Whether the table shows the column. */
bool bsim_table_has(const struct bsim_table *table, const struct bsim_column *column);

#endif
