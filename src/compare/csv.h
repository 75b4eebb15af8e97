/* csv.h - comma-separated values as RFC 4180 has them, record by record; see csv.c. */
#ifndef BSIM_COMPARE_CSV_H
#define BSIM_COMPARE_CSV_H

#include <banksim/trace.h>

struct bsim_csv_field {
    size_t at; /* in the record's text, terminated */
    uint64_t line;
    uint32_t column;
};

enum {
    BSIM_CSV_CHUNK = 1 << 14,
    BSIM_CSV_MAX_RECORD = 1 << 24, /* bytes */
    BSIM_CSV_MAX_FIELDS = 1 << 16, /* of a record */
};

struct bsim_csv {
    const struct bsim_input *input;
    char chunk[BSIM_CSV_CHUNK];
    size_t n, next; /* bytes in chunk, and how many have been taken */
    bool at_end;
    uint64_t line; /* the place of the next byte */
    uint32_t column;
    char *text; /* the fields of the record at hand, each terminated */
    size_t size, capacity;
    struct bsim_csv_field *field;
    size_t n_fields, field_capacity;
};

/* A reader at the beginning of input, which must outlive it. Freed with bsim_csv_free. */
void bsim_csv_start(struct bsim_csv *csv, const struct bsim_input *input);
void bsim_csv_free(struct bsim_csv *csv);

/* Whether nothing is left. At the beginning it passes over a byte order mark, so ask it first. */
enum bsim_status bsim_csv_ended(struct bsim_csv *csv, bool *ended,
                                struct bsim_error *err) BSIM_MUST_USE;

/* Whether what comes next begins with text, of at most 16 bytes. */
enum bsim_status bsim_csv_begins(struct bsim_csv *csv, const char *text, bool *begins,
                                 struct bsim_error *err) BSIM_MUST_USE;

/* Takes the rest of the line, whatever it is. */
enum bsim_status bsim_csv_skip_line(struct bsim_csv *csv, struct bsim_error *err) BSIM_MUST_USE;

/* Takes the next record. Fails with BSIM_E_INPUT at the place that breaks the format, BSIM_E_IO,
 * BSIM_E_MEMORY. */
enum bsim_status bsim_csv_record(struct bsim_csv *csv, struct bsim_error *err) BSIM_MUST_USE;

/* Field i of the record at hand. */
const char *bsim_csv_text(const struct bsim_csv *csv, size_t i);

/* BSIM_E_INPUT with a message, placed at field i of the record at hand. */
enum bsim_status bsim_csv_error(const struct bsim_csv *csv, size_t i, struct bsim_error *err,
                                const char *format, ...) BSIM_PRINTF(4, 5);

#endif
