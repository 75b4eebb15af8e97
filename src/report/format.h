/* format.h - the one model of a report, and what an output format is.
 *
 * A report is a document: a head, tables of rows, and sentences about them. A row is a list of
 * named values (row.h), and where each comes from stands in the one function that makes rows of its
 * kind. The same calls write a document in every format:
 *
 *     static const struct bsim_column columns[] = {
 *         {"stride", .name = "stride"},
 *         {"ways", .name = "ways", .warning = true},
 *         {"shared by lanes", .name = "shares", .left = true},
 *     };
 *     bsim_document_begin(&doc, options, &head, out);
 *     if (bsim_document_speaks(&doc)) { ... }                    sentences go to out
 *     bsim_document_table(&doc, "strides", columns, 3);
 *     for (...) { make_row(&costs[i], &row); bsim_document_row(&doc, &row); }
 *     bsim_document_table_end(&doc);
 *     bsim_document_rests_on(&doc, kernel, 0);
 *     bsim_document_end(&doc);
 *
 *     csv                   json                                text
 *     stride,...,ways,...   {"banksim": "0.1", ..., "strides": [  ld.shared.b32 on sm_90: 32 banks
 *     1,...,1,...             {"stride": 1, ..., "ways": 1, ...},
 *     2,...,2,...             {"stride": 2, ..., "ways": 2, ...}  stride  ways  shared by lanes
 *                           ], "rests_on": [...]}                      1     1  -
 *                                                                      2     2  -
 *
 * Formats for programs show all values of a row, in its order and under its names. Formats for
 * people show what the columns choose, under their titles; and they speak: sentences stand around
 * the tables. Some formats nest: rows and the document itself have further members, which may be
 * tables.
 *
 * A format is a file with its struct bsim_renderer, and a row in format.c.
 */
#ifndef BSIM_REPORT_FORMAT_H
#define BSIM_REPORT_FORMAT_H

#include "report/table.h"

#include <banksim/report.h>

struct bsim_document;

typedef void bsim_pictures_fn(const struct bsim_picture *pictures, size_t n,
                              const struct bsim_picture_style *style, struct bsim_document *doc);

/* An output format. Members that it has no use for are NULL. */
struct bsim_renderer {
    const char *name;
    uint32_t shows; /* BSIM_TABLES and so on */
    /* For people: a line of a table, from its cells, one behind the other, each terminated. */
    void (*line)(const struct bsim_table *table, const char *cells, bool is_title,
                 struct bsim_buffer *out);
    /* For programs: the document, which has the members of head; a table; the names of its rows; a
     * row (name is NULL) or a member, and the end of either, behind members of its own. */
    void (*head)(struct bsim_document *doc, const struct bsim_row *head);
    void (*table)(struct bsim_document *doc, const char *name);
    void (*names)(struct bsim_document *doc, const struct bsim_row *row);
    void (*open)(struct bsim_document *doc, const char *name, const struct bsim_row *row);
    void (*members)(struct bsim_document *doc, const struct bsim_row *row);
    void (*close)(struct bsim_document *doc);
    void (*table_end)(struct bsim_document *doc);
    void (*foot)(struct bsim_document *doc);
    bsim_pictures_fn *pictures;
};

extern const struct bsim_renderer bsim_text_renderer, bsim_csv_renderer, bsim_json_renderer;
extern const struct bsim_renderer bsim_svg_renderer, bsim_page_renderer;

/* What two of them draw, of report/picture/. */
bsim_pictures_fn bsim_text_pictures, bsim_json_pictures;

/* A document that is being written. */
struct bsim_document {
    const struct bsim_renderer *renderer;
    struct bsim_buffer *out;
    bool colour;
    uint32_t shows;          /* of its tables, when they begin */
    struct bsim_table table; /* for people: the table that is open */
    const char *separator;   /* json: what stands in front of the next member */
    uint32_t depth;          /* json: tables that are open */
    bool is_list;            /* json: the innermost stands on one line */
    bool has_rows;           /* json: and has a row */
    bool has_names;          /* csv: they stand there */
};

/* Begins a document. head has its first members; NULL: there are none. */
void bsim_document_begin(struct bsim_document *doc, const struct bsim_report_options *options,
                         const struct bsim_row *head, struct bsim_buffer *out);

/* Goes on where the rows of such a document's table stand that are not kept: whether it has some
 * yet. */
void bsim_document_resume(struct bsim_document *doc, const struct bsim_report_options *options,
                          const struct bsim_column *columns, size_t n_columns, uint32_t shows,
                          bool has_rows, struct bsim_buffer *out);

/* Whether sentences stand around the tables; whether rows and the document have further members. */
bool bsim_document_speaks(const struct bsim_document *doc);
bool bsim_document_nests(const struct bsim_document *doc);

/* A table; what its columns show is for people, and they stay the caller's. None: what people get
 * is written by hand. A list is a table of short rows, only for formats that nest. */
void bsim_document_table(struct bsim_document *doc, const char *name,
                         const struct bsim_column *columns, size_t n_columns);
void bsim_document_list(struct bsim_document *doc, const char *name);
void bsim_document_table_end(struct bsim_document *doc);

/* A row of the table; where there may be none, names tells theirs before the first. */
void bsim_document_names(struct bsim_document *doc, const struct bsim_row *row);
void bsim_document_row(struct bsim_document *doc, const struct bsim_row *row);

/* A row of the table (name is NULL), or a member that is like one and only for formats that nest.
 * Further members may follow, up to bsim_document_close. */
void bsim_document_open(struct bsim_document *doc, const char *name, const struct bsim_row *row);
void bsim_document_close(struct bsim_document *doc);
void bsim_document_member(struct bsim_document *doc, const char *name, const struct bsim_row *row);

/* The values of row as further members, in formats that nest. */
void bsim_document_members(struct bsim_document *doc, const struct bsim_row *row);

/* The next member stands on a line of its own. */
void bsim_document_new_line(struct bsim_document *doc);

/* What the kernel's counts rest on: its rules but for the hidden ones, in formats that nest. */
void bsim_document_rests_on(struct bsim_document *doc, const struct bsim_kernel_result *kernel,
                            uint32_t hidden);

void bsim_document_end(struct bsim_document *doc);

#endif
