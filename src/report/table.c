/* table.c - tables for people: their cells, which are made as rows come, and kept until the widest
 * of each column is known. */
#include "report/fold.h"
#include "report/format.h"
#include "report/plain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- a cell ---------------------------------------------------------------------------------- */

/* The value of that name: at *place, where the last row had it, or else searched from there on. */
static const struct bsim_value *find(const struct bsim_row *row, const char *name, uint8_t *place)
{
    for (size_t n = 0; n < row->n; n++) {
        *place = *place < row->n ? *place : 0;
        if (strcmp(row->value[*place].name, name) == 0) {
            return &row->value[*place];
        }
        ++*place;
    }
    return NULL;
}

/* "32", "2.50", "1.33"; "-" without divisor. */
static void put_ratio(uint64_t number, uint64_t divisor, char cell[BSIM_CELL_SIZE])
{
    if (divisor == 0) {
        (void)snprintf(cell, BSIM_CELL_SIZE, "-");
    } else if (number % divisor == 0) {
        (void)snprintf(cell, BSIM_CELL_SIZE, "%" PRIu64, number / divisor);
    } else {
        (void)snprintf(cell, BSIM_CELL_SIZE, "%.2f", (double)number / (double)divisor);
    }
}

static void put_share(const struct bsim_value *value, int digits, char cell[BSIM_CELL_SIZE])
{
    if (value->divisor == 0) {
        (void)snprintf(cell, BSIM_CELL_SIZE, "-");
    } else {
        (void)snprintf(cell, BSIM_CELL_SIZE, "%.*f %%", digits,
                       100.0 * (double)value->number / (double)value->divisor);
    }
}

static void put_as_it_is(const struct bsim_value *value, size_t most, char cell[BSIM_CELL_SIZE])
{
    switch (value->kind) {
    case BSIM_NUMBER:
        (void)snprintf(cell, BSIM_CELL_SIZE, "%" PRIu64, value->number);
        break;
    case BSIM_RATIO:
        put_ratio(value->number, value->divisor, cell);
        break;
    case BSIM_REAL:
        (void)bsim_row_write_real(value->real, cell);
        break;
    case BSIM_STRING:
        (void)bsim_plain(value->text, most > 0 ? most : BSIM_CELL_SIZE, cell, BSIM_CELL_SIZE);
        break;
    case BSIM_BOOLEAN:
        (void)snprintf(cell, BSIM_CELL_SIZE, "%s", value->number != 0 ? "yes" : "no");
        break;
    case BSIM_ABSENT:
        (void)snprintf(cell, BSIM_CELL_SIZE, "-");
        break;
    }
}

static void put_value(const struct bsim_column *column, const struct bsim_value *value,
                      const struct bsim_value *with, char cell[BSIM_CELL_SIZE])
{
    if (value->instead != NULL) {
        (void)snprintf(cell, BSIM_CELL_SIZE, "%s", value->instead);
    } else if (column->as == BSIM_AS_PER_CENT) {
        put_share(value, 1, cell);
    } else if (column->as == BSIM_AS_WHOLE_PER_CENT) {
        put_share(value, 0, cell);
    } else if (column->as == BSIM_AS_KERNEL) {
        (void)bsim_plain_kernel(value->text, column->most, cell, BSIM_CELL_SIZE);
    } else if (column->as == BSIM_AS_RATIO) {
        put_ratio(value->number, with->number, cell);
    } else if (column->as == BSIM_AS_RANGE && value->number != with->number) {
        (void)snprintf(cell, BSIM_CELL_SIZE, "%" PRIu64 "-%" PRIu64, value->number, with->number);
    } else {
        put_as_it_is(value, column->most, cell);
    }
}

/* ">= 12", if there may be more. */
static void put_least(char cell[BSIM_CELL_SIZE])
{
    static const char sign[] = ">= ";
    size_t length = strlen(cell);
    if (length + sizeof sign <= BSIM_CELL_SIZE) {
        memmove(cell + sizeof sign - 1, cell, length + 1);
        memcpy(cell, sign, sizeof sign - 1);
    }
}

static void put_cell(const struct bsim_column *column, const struct bsim_row *row, uint8_t place[2],
                     char cell[BSIM_CELL_SIZE])
{
    const struct bsim_value *value = find(row, column->name, &place[0]);
    const struct bsim_value *with =
        column->with != NULL ? find(row, column->with, &place[1]) : value;
    cell[0] = '\0';
    if (value != NULL && with != NULL) {
        put_value(column, value, with, cell);
        if (value->is_least && value->instead == NULL) {
            put_least(cell);
        }
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

void bsim_table_begin(struct bsim_table *table, const struct bsim_renderer *renderer,
                      const struct bsim_column *columns, size_t n_columns, bool colour)
{
    *table = (struct bsim_table){
        .renderer = renderer, .columns = columns, .n_columns = n_columns, .colour = colour};
    for (size_t c = 0; c < n_columns; c++) {
        table->width[c] = columns[c].wide;
    }
}

bool bsim_table_has(const struct bsim_table *table, const struct bsim_column *column)
{
    return column->only == 0 || (column->only & table->shows) != 0;
}

static void widen(struct bsim_table *table, size_t column, const char *text)
{
    size_t n = table->columns[column].wide > 0 ? 0 : bsim_plain_columns(text);
    table->width[column] = n > table->width[column] ? n : table->width[column];
}

/* Returns how long all of them are. */
static size_t put_cells(struct bsim_table *table, const struct bsim_row *row,
                        char cells[BSIM_MAX_COLUMNS * BSIM_CELL_SIZE])
{
    size_t used = 0;
    for (size_t c = 0; c < table->n_columns; c++) {
        if (c > 0 && table->place[c][0] == 0) {
            table->place[c][0] = table->place[c - 1][0]; /* mostly they keep the row's order */
        }
        put_cell(&table->columns[c], row, table->place[c], cells + used);
        widen(table, c, cells + used);
        used += strlen(cells + used) + 1;
    }
    return used;
}

void bsim_table_put(struct bsim_table *table, const struct bsim_row *row)
{
    char cells[BSIM_MAX_COLUMNS * BSIM_CELL_SIZE];
    size_t used = put_cells(table, row, cells);
    if (bsim_fold_put(table->fold, cells, used)) {
        return;
    }
    bsim_spool_put(&table->spool, cells, (uint32_t)used);
}

/* A column behind the others, where rows were folded. */
static void add_count(const struct bsim_table *table, const char *count, struct bsim_buffer *out)
{
    if (bsim_fold_has(table->fold) && !out->failed) {
        out->size_bytes--; /* the line's end */
        bsim_buffer_printf(out, "  %8s\n", count);
    }
}

void bsim_table_titles(struct bsim_table *table, struct bsim_buffer *out)
{
    char cells[BSIM_MAX_COLUMNS * BSIM_CELL_SIZE];
    size_t used = 0;
    for (size_t c = 0; c < table->n_columns && table->columns[c].title != NULL; c++) {
        if (bsim_table_has(table, &table->columns[c])) {
            widen(table, c, table->columns[c].title);
        }
        used += (size_t)snprintf(cells + used, BSIM_CELL_SIZE, "%s", table->columns[c].title) + 1;
    }
    if (used > 0) {
        table->renderer->line(table, cells, true, out);
        add_count(table, "launches", out);
    }
    bsim_spool_rewind(&table->spool);
}

bool bsim_table_next(struct bsim_table *table, struct bsim_buffer *out)
{
    struct bsim_buffer row = BSIM_BUFFER_EMPTY;
    bool is_there = bsim_spool_take(&table->spool, &row);
    if (is_there) {
        char count[32];
        (void)snprintf(count, sizeof count, "%" PRIu64,
                       bsim_fold_count(table->fold, table->n_shown++));
        table->renderer->line(table, row.data, false, out);
        add_count(table, count, out);
    }
    out->failed = out->failed || row.failed;
    bsim_buffer_free(&row);
    return is_there;
}

void bsim_table_show(struct bsim_table *table, struct bsim_buffer *out)
{
    bsim_table_titles(table, out);
    while (bsim_table_next(table, out)) {
    }
    out->failed = out->failed || table->spool.buffer.failed;
}

void bsim_table_show_row(struct bsim_table *table, const struct bsim_row *row,
                         struct bsim_buffer *out)
{
    char cells[BSIM_MAX_COLUMNS * BSIM_CELL_SIZE];
    (void)put_cells(table, row, cells);
    table->renderer->line(table, cells, false, out);
}

void bsim_table_free(struct bsim_table *table)
{
    bsim_fold_free(table->fold);
    bsim_spool_free(&table->spool);
}
