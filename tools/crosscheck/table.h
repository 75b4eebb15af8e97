/* table.h - the rows of a measured file, one after another; see table.c. */
#ifndef CROSSCHECK_TABLE_H
#define CROSSCHECK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TABLE_MAX_COLUMNS = 64, TABLE_LINE_SIZE = 4096, TABLE_PATH_SIZE = 1024 };

struct table {
    const char *name; /* the file's, without its folder */
    FILE *file;
    size_t n_columns, n_fields;
    char *column[TABLE_MAX_COLUMNS];
    char *field[TABLE_MAX_COLUMNS];
    char head[TABLE_LINE_SIZE]; /* the columns' names, each terminated */
    char line[TABLE_LINE_SIZE]; /* the row as it stands in the file */
    char text[TABLE_LINE_SIZE]; /* and its fields, each terminated */
};

/* Opens dir/name and reads its columns; false if there is no such file or none in it. name must
 * outlive the table. The caller closes it in either case. */
bool table_open(struct table *table, const char *dir, const char *name);
void table_close(struct table *table);

/* The next row; false at the end. A row may have another number of fields than of columns. */
bool table_next(struct table *table);

/* The row's field in that column, or "" if the file or the row has none. */
const char *table_field(const struct table *table, const char *column);

/* The same, as a number; false if it is none. */
bool table_number(const struct table *table, const char *column, double *value);

#endif
