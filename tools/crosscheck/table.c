/* table.c - comma-separated rows under a head of names, with `#` lines about where they are from
 * before it. No quoted fields: the files in tests/measured have none.
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>

/* Cuts text at its commas; returns the number of fields. */
static size_t cut(char *text, char *field[TABLE_MAX_COLUMNS])
{
    size_t n = 0;
    for (char *comma = text; comma != NULL && n < TABLE_MAX_COLUMNS; text = comma + 1) {
        field[n++] = text;
        comma = strchr(text, ',');
        if (comma != NULL) {
            *comma = '\0';
        } else {
            break;
        }
    }
    return n;
}

static bool next_line(struct table *table)
{
    while (fgets(table->line, sizeof table->line, table->file) != NULL) {
        table->line[strcspn(table->line, "\r\n")] = '\0';
        if (table->line[0] != '#' && table->line[0] != '\0') {
            return true;
        }
    }
    return false;
}

bool table_open(struct table *table, const char *dir, const char *name)
{
    char path[TABLE_PATH_SIZE];
    *table = (struct table){.name = name};
    int length = snprintf(path, sizeof path, "%s/%s", dir, name);
    table->file = length > 0 && (size_t)length < sizeof path ? fopen(path, "r") : NULL;
    if (table->file == NULL || !next_line(table)) {
        return false;
    }
    memcpy(table->head, table->line, sizeof table->head);
    table->n_columns = cut(table->head, table->column);
    return true;
}

void table_close(struct table *table)
{
    if (table->file != NULL) {
        fclose(table->file);
    }
}

bool table_next(struct table *table)
{
    if (!next_line(table)) {
        return false;
    }
    memcpy(table->text, table->line, strlen(table->line) + 1);
    table->n_fields = cut(table->text, table->field);
    return true;
}

const char *table_field(const struct table *table, const char *column)
{
    for (size_t i = 0; i < table->n_columns && i < table->n_fields; i++) {
        if (strcmp(table->column[i], column) == 0) {
            return table->field[i];
        }
    }
    return "";
}

bool table_number(const struct table *table, const char *column, double *value)
{
    const char *text = table_field(table, column);
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0';
}
