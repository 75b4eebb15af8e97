/* csv.c - comma-separated values as RFC 4180 has them, record by record, in memory for one record.
 *
 *     record = field *("," field) (LF | CRLF | end of input)
 *     field  = '"' any bytes, '""' for a quotation mark '"'  |  bytes other than "," LF
 *
 * A quotation mark within a field that does not begin with one stands for itself. What the fields
 * mean is not decided here. NUL is refused: it is how UTF-16 shows, which some shells make of a
 * program's output. */
#include "compare/csv.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { END = -1, FIRST_CAPACITY = 64 };

void bsim_csv_start(struct bsim_csv *csv, const struct bsim_input *input)
{
    *csv = (struct bsim_csv){.input = input, .line = 1, .column = 1};
}

void bsim_csv_free(struct bsim_csv *csv)
{
    bsim_mem_free(csv->text);
    bsim_mem_free(csv->field);
}

const char *bsim_csv_text(const struct bsim_csv *csv, size_t i)
{
    return csv->text + csv->field[i].at;
}

enum bsim_status bsim_csv_error(const struct bsim_csv *csv, size_t i, struct bsim_error *err,
                                const char *format, ...)
{
    char message[BSIM_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    (void)bsim_error_set(err, BSIM_E_INPUT, "%s", message);
    bsim_error_place(err, csv->input->name, csv->field[i].line, csv->field[i].column, NULL, 0);
    return BSIM_E_INPUT;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Makes n bytes, or all that are left, stand ready in the chunk. */
static enum bsim_status want(struct bsim_csv *csv, size_t n, struct bsim_error *err)
{
    if (csv->n - csv->next >= n || csv->at_end) {
        return BSIM_OK;
    }
    memmove(csv->chunk, csv->chunk + csv->next, csv->n - csv->next);
    csv->n -= csv->next;
    csv->next = 0;
    while (csv->n < n && !csv->at_end) {
        size_t more =
            csv->input->read(csv->input->context, csv->chunk + csv->n, sizeof csv->chunk - csv->n);
        if (more == SIZE_MAX) {
            (void)bsim_error_set(err, BSIM_E_IO, "cannot read");
            bsim_error_place(err, csv->input->name, 0, 0, NULL, 0);
            return BSIM_E_IO;
        }
        csv->n += more;
        csv->at_end = more == 0;
    }
    return BSIM_OK;
}

/* The byte that is `ahead` behind the next one, of those that stand ready, or END. */
static int peek(const struct bsim_csv *csv, size_t ahead)
{
    size_t at = csv->next + ahead;
    return at < csv->n ? (unsigned char)csv->chunk[at] : END;
}

static void take(struct bsim_csv *csv)
{
    bool line_ends = csv->chunk[csv->next++] == '\n';
    csv->line += line_ends;
    csv->column = line_ends ? 1 : csv->column + (csv->column < UINT32_MAX);
}

static enum bsim_status refuse(const struct bsim_csv *csv, uint64_t line, uint32_t column,
                               const char *message, struct bsim_error *err)
{
    (void)bsim_error_set(err, BSIM_E_INPUT, "%s", message);
    bsim_error_place(err, csv->input->name, line, column, NULL, 0);
    return BSIM_E_INPUT;
}

static enum bsim_status refuse_nul(const struct bsim_csv *csv, struct bsim_error *err)
{
    return refuse(csv, csv->line, csv->column,
                  "a NUL byte: save the report as UTF-8, not as UTF-16", err);
}

static enum bsim_status refuse_long(const struct bsim_csv *csv, struct bsim_error *err)
{
    return refuse(csv, csv->line, csv->column, "this record is longer than 16 MiB", err);
}

enum bsim_status bsim_csv_begins(struct bsim_csv *csv, const char *text, bool *begins,
                                 struct bsim_error *err)
{
    size_t n = strlen(text);
    enum bsim_status status = want(csv, n, err);
    *begins = status == BSIM_OK && csv->n - csv->next >= n &&
              memcmp(csv->chunk + csv->next, text, n) == 0;
    return status;
}

enum bsim_status bsim_csv_ended(struct bsim_csv *csv, bool *ended, struct bsim_error *err)
{
    bool has_mark = false;
    enum bsim_status status = BSIM_OK;
    if (csv->line == 1 && csv->column == 1) {
        status = bsim_csv_begins(csv, "\xef\xbb\xbf", &has_mark, err);
        csv->next += has_mark ? 3 : 0;
    }
    if (status == BSIM_OK) {
        status = want(csv, 1, err);
    }
    *ended = status == BSIM_OK && peek(csv, 0) == END;
    return status;
}

enum bsim_status bsim_csv_skip_line(struct bsim_csv *csv, struct bsim_error *err)
{
    uint64_t line = csv->line;
    size_t n = 0;
    enum bsim_status status = want(csv, 1, err);
    while (status == BSIM_OK && csv->line == line && peek(csv, 0) != END) {
        status = peek(csv, 0) == '\0'         ? refuse_nul(csv, err)
                 : n++ == BSIM_CSV_MAX_RECORD ? refuse_long(csv, err)
                                              : want(csv, 2, err);
        if (status == BSIM_OK) {
            take(csv);
        }
    }
    return status;
}

/* ---- records --------------------------------------------------------------------------------- */

/* A place for one more, in an array that doubles. */
static enum bsim_status reserve(void **array, size_t n, size_t *capacity, size_t each,
                                struct bsim_error *err)
{
    if (n < *capacity) {
        return BSIM_OK;
    }
    size_t more = *capacity == 0 ? FIRST_CAPACITY : 2 * *capacity;
    void *bigger = bsim_mem_resize(*array, more, each);
    if (bigger == NULL) {
        return bsim_mem_short(err);
    }
    *array = bigger;
    *capacity = more;
    return BSIM_OK;
}

static enum bsim_status put(struct bsim_csv *csv, int byte, struct bsim_error *err)
{
    void *text = csv->text;
    if (csv->size == BSIM_CSV_MAX_RECORD) {
        return refuse_long(csv, err);
    }
    enum bsim_status status = reserve(&text, csv->size, &csv->capacity, 1, err);
    csv->text = text;
    if (status == BSIM_OK) {
        csv->text[csv->size++] = (char)byte;
    }
    return status;
}

/* Takes the next byte into the field. */
static enum bsim_status copy(struct bsim_csv *csv, struct bsim_error *err)
{
    int byte = peek(csv, 0);
    if (byte == '\0') {
        return refuse_nul(csv, err);
    }
    enum bsim_status status = put(csv, byte, err);
    if (status == BSIM_OK) {
        take(csv);
        status = want(csv, 2, err);
    }
    return status;
}

static bool at_line_end(const struct bsim_csv *csv)
{
    int byte = peek(csv, 0);
    return byte == END || byte == '\n' ||
           (byte == '\r' && (peek(csv, 1) == '\n' || peek(csv, 1) == END));
}

static enum bsim_status read_quoted(struct bsim_csv *csv, struct bsim_error *err)
{
    uint64_t line = csv->line;
    uint32_t column = csv->column;
    take(csv);
    enum bsim_status status = want(csv, 2, err);
    while (status == BSIM_OK && (peek(csv, 0) != '"' || peek(csv, 1) == '"')) {
        if (peek(csv, 0) == END) {
            return refuse(csv, line, column, "this quotation mark has no counterpart", err);
        }
        if (peek(csv, 0) == '"') {
            take(csv);
        }
        status = copy(csv, err);
    }
    if (status == BSIM_OK) {
        take(csv);
        status = want(csv, 2, err);
    }
    if (status == BSIM_OK && peek(csv, 0) != ',' && !at_line_end(csv)) {
        return refuse(csv, csv->line, csv->column,
                      "a comma or the end of the line must follow the quotation mark", err);
    }
    return status;
}

static enum bsim_status read_plain(struct bsim_csv *csv, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    while (status == BSIM_OK && peek(csv, 0) != ',' && !at_line_end(csv)) {
        status = copy(csv, err);
    }
    return status;
}

static enum bsim_status read_field(struct bsim_csv *csv, struct bsim_error *err)
{
    void *field = csv->field;
    if (csv->n_fields == BSIM_CSV_MAX_FIELDS) {
        return refuse(csv, csv->line, csv->column, "this record has more than 65536 fields", err);
    }
    enum bsim_status status =
        reserve(&field, csv->n_fields, &csv->field_capacity, sizeof *csv->field, err);
    csv->field = field;
    if (status == BSIM_OK) {
        csv->field[csv->n_fields++] = (struct bsim_csv_field){csv->size, csv->line, csv->column};
        status = want(csv, 2, err);
    }
    if (status == BSIM_OK) {
        status = peek(csv, 0) == '"' ? read_quoted(csv, err) : read_plain(csv, err);
    }
    return status == BSIM_OK ? put(csv, '\0', err) : status;
}

enum bsim_status bsim_csv_record(struct bsim_csv *csv, struct bsim_error *err)
{
    csv->size = csv->n_fields = 0;
    enum bsim_status status = read_field(csv, err);
    while (status == BSIM_OK && peek(csv, 0) == ',') {
        take(csv);
        status = read_field(csv, err);
    }
    while (status == BSIM_OK && peek(csv, 0) == '\r') {
        take(csv);
    }
    if (status == BSIM_OK && peek(csv, 0) == '\n') {
        take(csv);
    }
    return status;
}
