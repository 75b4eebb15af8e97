/* report.c - which renderer takes what. */
#include "base/memory.h"
#include "report/element.h"
#include "report/format.h"
#include "report/kernels.h"
#include "result/result.h"

#include <banksim/banksim.h>

#include <inttypes.h>

enum {
    NAME_COLUMNS = 159,
    SPOOL_BYTES = 1 << 18, /* of each kind of rows */
    PART_BYTES = 1 << 16,
};

/* ---- a kernel, for programs ------------------------------------------------------------------ */

static void add_stalls(const struct bsim_stalls *stalls, struct bsim_document *doc)
{
    struct bsim_row row;
    row.n = 0;
    bsim_row_number(&row, "issue", stalls->issue);
    bsim_row_number(&row, "pipe", stalls->pipe);
    bsim_row_number(&row, "latency", stalls->latency);
    bsim_row_number(&row, "barrier", stalls->barrier);
    bsim_document_member(doc, "stalls", &row);
}

static void add_launch(const struct bsim_kernel_result *kernel, struct bsim_document *doc)
{
    const struct bsim_kernel_cycles *cycles = &kernel->timed;
    uint32_t mhz = kernel->device.clock_mhz;
    struct bsim_spread spread;
    bool has_range = bsim_cycles_spread(kernel, &spread);
    struct bsim_row row;
    row.n = 0;
    bsim_row_boolean(&row, "is_estimate", true);
    bsim_row_number(&row, "blocks_per_sm", cycles->blocks_per_sm);
    bsim_row_known(&row, "registers", cycles->registers > 0, cycles->registers);
    bsim_row_known(&row, "waves", cycles->waves > 0, cycles->waves);
    bsim_row_known(&row, "cycles", cycles->launch_cycles > 0, cycles->launch_cycles);
    bsim_row_known(&row, "least_cycles", has_range, spread.least);
    bsim_row_known(&row, "most_cycles", has_range, spread.most);
    bsim_row_known(&row, "clock_mhz", mhz > 0, mhz);
    bsim_document_member(doc, "launch", &row);
}

/* What the columns have no room for. */
static void add_timing(const struct bsim_kernel_result *kernel, struct bsim_document *doc)
{
    const struct bsim_kernel_cycles *cycles = bsim_cycles_known(kernel);
    uint64_t turns = 0, ideal = 0;
    struct bsim_row row;
    row.n = 0;
    if (cycles == NULL) {
        bsim_row_known(&row, "timing", false, 0);
        bsim_document_members(doc, &row);
        return;
    }
    for (size_t i = 0; i < kernel->n_sites; i++) {
        turns += kernel->sites[i].timed.turns;
        ideal += kernel->sites[i].timed.turns_ideal;
    }
    bsim_row_number(&row, "turns", turns);
    bsim_row_number(&row, "turns_ideal", ideal);
    bsim_row_number(&row, "warps", cycles->warps_run);
    bsim_document_open(doc, "timing", &row);
    add_stalls(&cycles->stalls, doc);
    add_launch(kernel, doc);
    row.n = 0;
    bsim_row_basis(&row, &cycles->timing.basis);
    bsim_document_member(doc, "rests_on", &row);
    bsim_document_close(doc);
}

static void add_sites(const struct bsim_kernel_result *kernel, struct bsim_document *doc)
{
    struct bsim_row row;
    for (size_t i = 0; i < kernel->n_sites; i++) {
        if (bsim_row_has(&kernel->sites[i])) {
            bsim_row_site(kernel, &kernel->sites[i], &row);
            bsim_document_row(doc, &row);
        }
    }
}

/* A kernel's row, with its sites in it where rows nest; where they do not, one of both. */
static void add_kernel(const struct bsim_kernel_result *kernel, enum bsim_per per,
                       struct bsim_document *doc)
{
    struct bsim_row row;
    if (per == BSIM_PER_SITE && !bsim_document_nests(doc)) {
        add_sites(kernel, doc);
        return;
    }
    bsim_row_kernel(kernel, &row);
    bsim_document_open(doc, NULL, &row);
    bsim_document_rests_on(doc, kernel, 0);
    add_timing(kernel, doc);
    if (per == BSIM_PER_SITE) {
        bsim_document_table(doc, "sites", NULL, 0);
        add_sites(kernel, doc);
        bsim_document_table_end(doc);
    }
    if (per == BSIM_PER_SITE && bsim_cycles_known(kernel) != NULL && kernel->timed.ideal_sites) {
        row.n = 0;
        bsim_row_number(&row, "sites_not_simulated", bsim_cycles_left_out_sites(kernel));
        bsim_document_members(doc, &row);
    }
    bsim_document_close(doc);
}

/* ---- per kernel and site, in parts ----------------------------------------------------------- */

struct bsim_report {
    struct bsim_report_options options;
    struct bsim_document doc;
    struct bsim_text_report text; /* for people; all else for programs */
    struct bsim_buffer part;      /* of the document: its begin, a kernel, its end */
    struct bsim_spool parts;
    struct bsim_tally total[BSIM_N_CLASSES];
    bool has_ended;
};

static void keep_part(struct bsim_report *report)
{
    bsim_spool_put(&report->parts, report->part.data, (uint32_t)report->part.size_bytes);
    bsim_buffer_clear(&report->part);
}

static void begin_document(struct bsim_report *report)
{
    static const struct bsim_kernel_result no_kernel = {.name = NULL};
    static const struct bsim_site_result no_site = {.number = 0};
    struct bsim_row row;
    bsim_row_head(&row);
    bsim_document_begin(&report->doc, &report->options, &row, &report->part);
    if (bsim_document_speaks(&report->doc)) {
        return;
    }
    bsim_document_table(&report->doc, "kernels", NULL, 0);
    if (report->options.per == BSIM_PER_SITE) {
        bsim_row_site(&no_kernel, &no_site, &row);
    } else {
        bsim_row_kernel(&no_kernel, &row);
    }
    bsim_document_names(&report->doc, &row);
    keep_part(report);
}

static void end_document(struct bsim_report *report)
{
    struct bsim_row row;
    bsim_row_classes(report->total, &row);
    bsim_document_table_end(&report->doc);
    bsim_document_new_line(&report->doc);
    bsim_document_member(&report->doc, "total", &row);
    bsim_document_end(&report->doc);
    keep_part(report);
}

static struct bsim_report *new_report(const struct bsim_report_options *options, size_t limit_bytes)
{
    struct bsim_report *report = bsim_mem_zeroed(1, sizeof *report);
    if (report != NULL) {
        report->options = *options;
        report->parts.limit_bytes = limit_bytes;
        begin_document(report);
        bsim_text_report_begin(&report->text, &report->doc, options->per == BSIM_PER_SITE,
                               limit_bytes);
    }
    return report;
}

struct bsim_report *bsim_report_new(const struct bsim_report_options *options)
{
    return new_report(options, SPOOL_BYTES);
}

static enum bsim_status status_of(const struct bsim_report *report, struct bsim_error *err)
{
    enum bsim_status status = bsim_text_report_status(&report->text, err);
    if (status == BSIM_OK) {
        status = bsim_buffer_status(&report->part, err);
    }
    return status == BSIM_OK ? bsim_spool_status(&report->parts, err) : status;
}

enum bsim_status bsim_report_kernel(struct bsim_report *report,
                                    const struct bsim_kernel_result *kernel, struct bsim_error *err)
{
    if (bsim_document_speaks(&report->doc)) {
        bsim_text_report_kernel(&report->text, kernel);
        return status_of(report, err);
    }
    add_kernel(kernel, report->options.per, &report->doc);
    keep_part(report);
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        bsim_tally_add(&report->total[c], &kernel->tally[c]);
    }
    return status_of(report, err);
}

static bool next_part(struct bsim_report *report, struct bsim_buffer *out)
{
    if (!report->has_ended) {
        report->has_ended = true;
        end_document(report);
        bsim_spool_rewind(&report->parts);
    }
    bool is_there = bsim_spool_take(&report->parts, &report->part);
    if (is_there) {
        bsim_buffer_add(out, report->part.data, report->part.size_bytes);
    }
    return is_there;
}

enum bsim_status bsim_report_next(struct bsim_report *report, struct bsim_buffer *out,
                                  struct bsim_error *err)
{
    bool speaks = bsim_document_speaks(&report->doc);
    size_t before = out->size_bytes;
    while (out->size_bytes - before < PART_BYTES && !out->failed) {
        if (speaks ? !bsim_text_report_next(&report->text, out) : !next_part(report, out)) {
            break;
        }
    }
    return status_of(report, err);
}

void bsim_report_free(struct bsim_report *report)
{
    if (report != NULL) {
        bsim_text_report_free(&report->text);
        bsim_spool_free(&report->parts);
        bsim_buffer_free(&report->part);
        bsim_mem_free(report);
    }
}

static enum bsim_status report_kernels(struct bsim_report *report, const struct bsim_result *result,
                                       struct bsim_buffer *out)
{
    enum bsim_status status = report == NULL ? BSIM_E_MEMORY : BSIM_OK;
    for (size_t k = 0; k < result->n_kernels && status == BSIM_OK; k++) {
        status = bsim_report_kernel(report, &result->kernels[k], NULL);
    }
    for (size_t before = SIZE_MAX; status == BSIM_OK && out->size_bytes != before;) {
        before = out->size_bytes;
        status = bsim_report_next(report, out, NULL);
    }
    return status;
}

void bsim_report_result(const struct bsim_result *result, const struct bsim_report_options *options,
                        struct bsim_buffer *out)
{
    if (options->metrics != BSIM_METRICS_BANKSIM) {
        bsim_metrics_report(result, options, out);
    } else {
        struct bsim_report *report = new_report(options, 0);
        out->failed = report_kernels(report, result, out) != BSIM_OK || out->failed;
        bsim_report_free(report);
    }
}

/* ---- per request ---------------------------------------------------------------------------- */

enum { SHOWS_ELEMENTS = 1 };

/* Rows are not kept, as there may be any number. The names stand last, where their length does no
 * harm. */
static const struct bsim_column columns[] = {
    {"block", .name = "block", .left = true, .wide = 9},
    {"warp", .name = "warp", .gap = 1, .wide = 4},
    {"index", .name = "index", .gap = 1, .wide = 6},
    {"mask", .name = "mask", .left = true, .gap = 2, .wide = 8},
    {"wavefronts", .name = "wavefronts", .gap = 1, .wide = 10},
    {"ideal", .name = "ideal", .gap = 1, .wide = 5},
    {"excessive", .name = "excessive", .gap = 1, .wide = 9},
    {"ways", .name = "ways", .gap = 1, .wide = 4},
    {"count", .name = "count", .gap = 1, .wide = 5},
    {"opcode", .name = "opcode", .left = true, .gap = 2, .wide = 20},
    {"elements", .name = "elements", .left = true, .gap = 1, .wide = 20, .only = SHOWS_ELEMENTS},
    {"kernel", .name = "kernel", .left = true, .most = NAME_COLUMNS, .gap = 1},
};

enum { N_COLUMNS = sizeof columns / sizeof columns[0] };

/* The row with what the request's lanes access, as far as the kernel declares that, in *elements,
 * which it borrows. */
static void make_row(const struct bsim_request_result *request, struct bsim_buffer *elements,
                     struct bsim_row *row)
{
    struct bsim_request plain = {.opcode = request->event->opcode, .mask = request->event->mask};
    struct bsim_check_request located;
    uint64_t address[BSIM_WARP_LANES];
    bsim_row_request(request, row);
    if (request->arrays != NULL) {
        bsim_event_addresses(request->event, address);
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            plain.address[lane] = (uint32_t)address[lane];
        }
        if (bsim_check_locate(request->arrays, &plain, &located)) {
            bsim_elements_text(request->arrays, &located, elements);
        }
    }
    if (elements->size_bytes > 0) {
        bsim_row_text(row, "elements", elements->data);
    } else {
        bsim_row_known(row, "elements", false, 0);
        bsim_row_instead(row, true, "-");
    }
}

/* Goes on with the rows, and begins with them. */
static void open_rows(struct bsim_request_rows *rows, struct bsim_document *doc,
                      struct bsim_buffer *out)
{
    static const struct bsim_kernel no_kernel = {.name = ""};
    static const struct bsim_event no_event = {.opcode = {.family = BSIM_WORK}};
    static const struct bsim_request_result no_request = {.kernel = &no_kernel, .event = &no_event};
    struct bsim_buffer none = BSIM_BUFFER_EMPTY;
    struct bsim_row row;
    if (rows->has_begun) {
        bsim_document_resume(doc, &rows->options, columns, N_COLUMNS,
                             rows->has_elements ? SHOWS_ELEMENTS : 0, rows->n > 0, out);
        return;
    }
    rows->has_begun = true;
    bsim_row_head(&row);
    bsim_document_begin(doc, &rows->options, &row, out);
    doc->shows = rows->has_elements ? SHOWS_ELEMENTS : 0;
    bsim_document_table(doc, "requests", columns, N_COLUMNS);
    make_row(&no_request, &none, &row);
    bsim_document_names(doc, &row);
}

void bsim_report_request(struct bsim_request_rows *rows, const struct bsim_request_result *request,
                         struct bsim_buffer *out)
{
    struct bsim_document doc;
    struct bsim_row row;
    struct bsim_buffer elements = BSIM_BUFFER_EMPTY;
    rows->has_elements = rows->has_elements || (!rows->has_begun && request->arrays != NULL);
    open_rows(rows, &doc, out);
    make_row(request, &elements, &row);
    bsim_document_row(&doc, &row);
    out->failed = out->failed || elements.failed;
    bsim_buffer_free(&elements);
    rows->n++;
}

void bsim_report_requests_end(struct bsim_request_rows *rows, const struct bsim_result *result,
                              struct bsim_buffer *out)
{
    struct bsim_document doc;
    struct bsim_row row;
    open_rows(rows, &doc, out);
    bsim_document_table_end(&doc);
    if (bsim_document_speaks(&doc)) {
        bsim_buffer_printf(out, "\n%" PRIu64 " rows\n", rows->n);
        bsim_basis_text(result, BSIM_SECTORS_BIT | BSIM_NVPROF_BIT | BSIM_CONSTANT_BIT, out);
        bsim_rests_text(result, out);
        bsim_verdict_text(result, out);
    }
    bsim_row_total(result, &row);
    bsim_document_new_line(&doc);
    bsim_document_member(&doc, "total", &row);
    bsim_document_end(&doc);
}
