/* ncu.c - Nsight Compute's csv into a list of launches.
 *
 * Two forms, told apart by their head row. The raw page has a launch per row and a metric per
 * column, and behind the head a row of units, without an ID:
 *
 *     "ID",...,"Kernel Name",...,"Block Size","Grid Size",...,"gpu__time_duration.sum",...
 *     "","","","",...,"ns",...
 *     "0",...,"name(int *)",...,"(32, 32, 1)","(1, 1, 1)",...,"2,144",...
 *
 * The long form has a metric per row; the rows of a launch stand together:
 *
 *     "ID",...,"Kernel Name",...,"Metric Name","Metric Unit","Metric Value"
 *
 * What stands before the head is the profiled program's and the profiler's talk. A second head
 * begins a second report. Metrics that banksim does not count are passed over, units as well: a
 * counter's sum is never scaled.
 */
#include "base/memory.h"
#include "compare/csv.h"
#include "compare/number.h"

#include <banksim/report.h>

#include <string.h>

enum { NO_COLUMN = -1, MAX_LINES_BEFORE = 1 << 20 };

/* Columns of both forms, and the two of the long one alone. */
enum column { ID, PROCESS, KERNEL, BLOCK, GRID, CC, METRIC, VALUE, N_COLUMNS };

static const char *const column_name[N_COLUMNS] = {"ID",          "Process ID",  "Kernel Name",
                                                   "Block Size",  "Grid Size",   "CC",
                                                   "Metric Name", "Metric Value"};

struct reader {
    struct bsim_csv csv;
    struct bsim_ncu_metric metric[BSIM_NCU_MAX_METRICS];
    size_t n_metrics;
    bool has_head;
    bool has_value; /* a number of one of the metrics was found */
    size_t n_columns;
    ptrdiff_t column[N_COLUMNS];
    ptrdiff_t column_of[BSIM_NCU_MAX_METRICS]; /* raw page: where a metric stands */
    struct bsim_ncu_report *report;
    bool in_launch; /* long form: the last launch may go on */
};

/* ---- the head -------------------------------------------------------------------------------- */

static ptrdiff_t find_column(const struct bsim_csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->n_fields; i++) {
        if (strcmp(bsim_csv_text(csv, i), name) == 0) {
            return (ptrdiff_t)i;
        }
    }
    return NO_COLUMN;
}

static enum bsim_status take_head(struct reader *reader, struct bsim_error *err)
{
    const struct bsim_csv *csv = &reader->csv;
    for (int c = 0; c < N_COLUMNS; c++) {
        reader->column[c] = find_column(csv, column_name[c]);
    }
    if (reader->column[KERNEL] == NO_COLUMN) {
        return bsim_csv_error(csv, 0, err, "this head row has no column \"Kernel Name\"");
    }
    if ((reader->column[METRIC] == NO_COLUMN) != (reader->column[VALUE] == NO_COLUMN)) {
        return bsim_csv_error(csv, 0, err,
                              "this head row has only one of \"Metric Name\" and \"Metric Value\"");
    }
    for (size_t m = 0; m < reader->n_metrics; m++) {
        reader->column_of[m] = find_column(csv, reader->metric[m].name);
    }
    reader->n_columns = csv->n_fields;
    reader->has_head = true;
    reader->in_launch = false;
    return BSIM_OK;
}

/* ---- launches -------------------------------------------------------------------------------- */

static const char *text_of(const struct reader *reader, enum column column)
{
    ptrdiff_t at = reader->column[column];
    return at != NO_COLUMN ? bsim_csv_text(&reader->csv, (size_t)at) : "";
}

/* "(32, 16, 1)"; zeroes for anything else. */
static struct bsim_dim3 read_size(const char *text)
{
    uint32_t size[3] = {0, 0, 0};
    struct bsim_dim3 none = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        uint64_t number;
        text += strspn(text, "(, ");
        if (!bsim_ncu_count(&text, &number) || number > UINT32_MAX) {
            return none;
        }
        size[i] = (uint32_t)number;
    }
    return (struct bsim_dim3){size[0], size[1], size[2]};
}

/* "9.0" is 90; 0 for anything else. */
static uint32_t read_compute(const char *text)
{
    uint64_t major;
    uint64_t minor;
    if (!bsim_ncu_count(&text, &major) || *text++ != '.' || !bsim_ncu_count(&text, &minor) ||
        major > 1000 || minor > 9) {
        return 0;
    }
    return (uint32_t)(10 * major + minor);
}

static enum bsim_status read_id(const struct reader *reader, enum column column, uint64_t *id,
                                struct bsim_error *err)
{
    const char *text = text_of(reader, column);
    const char *at = text;
    if (*text == '\0' && column != ID) {
        *id = 0;
        return BSIM_OK;
    }
    if (!bsim_ncu_count(&at, id) || *at != '\0') {
        return bsim_csv_error(&reader->csv, (size_t)reader->column[column], err,
                              "\"%s\" is a number, not '%.40s'", column_name[column], text);
    }
    return BSIM_OK;
}

static enum bsim_status add_launch(struct reader *reader, struct bsim_ncu_launch *launch,
                                   struct bsim_error *err)
{
    struct bsim_ncu_report *report = reader->report;
    void *more = bsim_mem_grow(report->launches, report->n_launches, sizeof *report->launches);
    if (more == NULL) {
        return bsim_mem_short(err);
    }
    report->launches = more;
    launch->kernel = bsim_mem_string(text_of(reader, KERNEL));
    if (launch->kernel == NULL) {
        return bsim_mem_short(err);
    }
    report->launches[report->n_launches++] = *launch;
    reader->in_launch = true;
    return BSIM_OK;
}

/* The launch that the row at hand is about: the last one, or a new one. */
static enum bsim_status find_launch(struct reader *reader, struct bsim_ncu_launch **launch,
                                    struct bsim_error *err)
{
    struct bsim_ncu_report *report = reader->report;
    struct bsim_ncu_launch new = {.kernel = NULL};
    enum bsim_status status = read_id(reader, ID, &new.id, err);
    if (status == BSIM_OK) {
        status = read_id(reader, PROCESS, &new.process_id, err);
    }
    if (status != BSIM_OK) {
        return status;
    }
    bool is_long = reader->column[METRIC] != NO_COLUMN;
    const struct bsim_ncu_launch *last =
        is_long && reader->in_launch ? &report->launches[report->n_launches - 1] : NULL;
    if (last == NULL || last->id != new.id || last->process_id != new.process_id) {
        new.block = read_size(text_of(reader, BLOCK));
        new.grid = read_size(text_of(reader, GRID));
        new.compute = read_compute(text_of(reader, CC));
        status = add_launch(reader, &new, err);
    }
    if (status == BSIM_OK) {
        *launch = &report->launches[report->n_launches - 1];
    }
    return status;
}

/* ---- values ---------------------------------------------------------------------------------- */

static enum bsim_status take_value(struct reader *reader, struct bsim_ncu_launch *launch, size_t m,
                                   size_t column, struct bsim_error *err)
{
    const char *text = bsim_csv_text(&reader->csv, column);
    if (!bsim_ncu_number(text, &launch->value[m])) {
        return bsim_csv_error(&reader->csv, column, err, "%s is a number, not '%.40s'",
                              reader->metric[m].name, text);
    }
    reader->has_value |= launch->value[m].is_known;
    return BSIM_OK;
}

static enum bsim_status take_row(struct reader *reader, struct bsim_error *err)
{
    struct bsim_ncu_launch *launch = NULL;
    enum bsim_status status = find_launch(reader, &launch, err);
    bool is_long = reader->column[METRIC] != NO_COLUMN;
    for (size_t m = 0; m < reader->n_metrics && status == BSIM_OK; m++) {
        if (!is_long && reader->column_of[m] != NO_COLUMN) {
            status = take_value(reader, launch, m, (size_t)reader->column_of[m], err);
        } else if (is_long && strcmp(text_of(reader, METRIC), reader->metric[m].name) == 0) {
            status = take_value(reader, launch, m, (size_t)reader->column[VALUE], err);
        }
    }
    return status;
}

static enum bsim_status take_record(struct reader *reader, struct bsim_error *err)
{
    const struct bsim_csv *csv = &reader->csv;
    enum bsim_status status = bsim_csv_record(&reader->csv, err);
    if (status != BSIM_OK) {
        return status;
    }
    if (strcmp(bsim_csv_text(csv, 0), "ID") == 0) {
        return take_head(reader, err);
    }
    if (csv->n_fields != reader->n_columns) {
        return bsim_csv_error(csv, 0, err, "this row has %zu fields, the head row %zu",
                              csv->n_fields, reader->n_columns);
    }
    bool is_units = text_of(reader, ID)[0] == '\0' && text_of(reader, KERNEL)[0] == '\0';
    return is_units ? BSIM_OK : take_row(reader, err);
}

/* ---- the report ------------------------------------------------------------------------------ */

/* Whether the line that comes next is not the report's: talk, or an empty one. */
static enum bsim_status is_talk(struct reader *reader, bool *yes, struct bsim_error *err)
{
    static const char *const talk[] = {"==", "\n", "\r\n"};
    static const char *const head[] = {"\"ID\",", "ID,"};
    bool begins = false;
    enum bsim_status status = BSIM_OK;
    const char *const *word = reader->has_head ? talk : head;
    size_t n = reader->has_head ? sizeof talk / sizeof talk[0] : sizeof head / sizeof head[0];
    for (size_t i = 0; i < n && status == BSIM_OK && !begins; i++) {
        status = bsim_csv_begins(&reader->csv, word[i], &begins, err);
    }
    *yes = begins == reader->has_head;
    return status;
}

static enum bsim_status take_next(struct reader *reader, struct bsim_error *err)
{
    bool skips = false;
    enum bsim_status status = is_talk(reader, &skips, err);
    if (status != BSIM_OK) {
        return status;
    }
    return skips ? bsim_csv_skip_line(&reader->csv, err) : take_record(reader, err);
}

/* What a program prints may stand in front of its report, but that must come at some time. */
static bool is_hopeless(const struct reader *reader)
{
    return !reader->has_head && reader->csv.line > MAX_LINES_BEFORE;
}

static enum bsim_status read_all(struct reader *reader, struct bsim_error *err)
{
    bool ended = false;
    enum bsim_status status = bsim_csv_ended(&reader->csv, &ended, err);
    while (status == BSIM_OK && !ended && !is_hopeless(reader)) {
        status = take_next(reader, err);
        if (status == BSIM_OK) {
            status = bsim_csv_ended(&reader->csv, &ended, err);
        }
    }
    return status;
}

/* What is there must be of use. */
static enum bsim_status check_whole(const struct reader *reader, struct bsim_error *err)
{
    const char *fault = NULL;
    if (!reader->has_head) {
        fault =
            "this is no csv report of Nsight Compute: no line begins with \"ID\"; make one with "
            "`ncu --csv --page raw`";
    } else if (reader->report->n_launches == 0) {
        fault = "the report has no launch";
    } else if (!reader->has_value) {
        fault = "the report has none of the metrics that banksim counts; ask ncu for them with "
                "--metrics, by the names that `banksim run --metrics ncu` prints";
    }
    if (fault == NULL) {
        return BSIM_OK;
    }
    (void)bsim_error_set(err, BSIM_E_INPUT, "%s", fault);
    bsim_error_place(err, reader->csv.input->name, reader->has_head ? 0 : 1, 0, NULL, 0);
    return BSIM_E_INPUT;
}

enum bsim_status bsim_ncu_read(const struct bsim_input *input, struct bsim_ncu_report **report,
                               struct bsim_error *err)
{
    struct reader *reader = bsim_mem_zeroed(1, sizeof *reader);
    struct bsim_ncu_report *made = bsim_mem_zeroed(1, sizeof *made);
    if (reader == NULL || made == NULL) {
        bsim_mem_free(reader);
        bsim_mem_free(made);
        return bsim_mem_short(err);
    }
    bsim_csv_start(&reader->csv, input);
    reader->n_metrics = bsim_ncu_metrics(NULL, reader->metric);
    reader->report = made;
    enum bsim_status status = read_all(reader, err);
    if (status == BSIM_OK) {
        status = check_whole(reader, err);
    }
    bsim_csv_free(&reader->csv);
    bsim_mem_free(reader);
    if (status == BSIM_OK) {
        *report = made;
    } else {
        bsim_ncu_free(made);
    }
    return status;
}

void bsim_ncu_free(struct bsim_ncu_report *report)
{
    if (report != NULL) {
        for (size_t i = 0; i < report->n_launches; i++) {
            bsim_mem_free(report->launches[i].kernel);
        }
        bsim_mem_free(report->launches);
        bsim_mem_free(report);
    }
}
