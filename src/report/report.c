/* report.c - which renderer takes what. */
#include "base/memory.h"
#include "report/plain.h"
#include "report/render.h"
#include "report/kernels.h"

#include <banksim/banksim.h>

#include <inttypes.h>

enum {
    NAME_SIZE = 160,
    SPOOL_BYTES = 1 << 18, /* of each kind of rows */
    PART_BYTES = 1 << 16,
};

/* ---- per kernel and site, in parts ------------------------------------------------------------ */

static void csv_kernels_head(bool sites, struct bsim_buffer *out)
{
    static const struct bsim_kernel_result no_kernel = {.name = NULL};
    static const struct bsim_site_result no_site = {.number = 0};
    struct bsim_row row;
    if (sites) {
        bsim_row_site(&no_kernel, &no_site, &row);
    } else {
        bsim_row_kernel(&no_kernel, &row);
    }
    bsim_csv_head(&row, out);
}

static void csv_kernel(const struct bsim_kernel_result *kernel, bool sites, struct bsim_buffer *out)
{
    struct bsim_row row;
    for (size_t i = 0; sites && i < kernel->n_sites; i++) {
        if (bsim_row_has(&kernel->sites[i])) {
            bsim_row_site(kernel, &kernel->sites[i], &row);
            bsim_csv_row(&row, out);
        }
    }
    if (!sites) {
        bsim_row_kernel(kernel, &row);
        bsim_csv_row(&row, out);
    }
}

struct bsim_report {
    struct bsim_report_options options;
    struct bsim_text_report text; /* the report, if it is text */
    struct bsim_spool rows;       /* else */
    struct bsim_buffer row;       /* a kernel's */
    struct bsim_tally total[BSIM_N_CLASSES];
    uint64_t n_kernels;
    bool is_told, has_ended;
};

static struct bsim_report *new_report(const struct bsim_report_options *options, size_t limit_bytes)
{
    struct bsim_report *report = bsim_mem_zeroed(1, sizeof *report);
    if (report != NULL) {
        report->options = *options;
        report->rows.limit_bytes = limit_bytes;
        bsim_text_report_begin(&report->text, options->per == BSIM_PER_SITE, options->colour,
                               limit_bytes);
    }
    return report;
}

struct bsim_report *bsim_report_new(const struct bsim_report_options *options)
{
    return new_report(options, SPOOL_BYTES);
}

void bsim_report_kernel(struct bsim_report *report, const struct bsim_kernel_result *kernel)
{
    enum bsim_per per = report->options.per;
    if (report->options.format == BSIM_TEXT) {
        bsim_text_report_kernel(&report->text, kernel);
        return;
    }
    bsim_buffer_clear(&report->row);
    if (report->options.format == BSIM_JSON) {
        bsim_json_kernel(kernel, report->n_kernels, per, &report->row);
    } else {
        csv_kernel(kernel, per == BSIM_PER_SITE, &report->row);
    }
    bsim_spool_put(&report->rows, report->row.data, (uint32_t)report->row.size_bytes);
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        bsim_tally_add(&report->total[c], &kernel->tally[c]);
    }
    report->n_kernels++;
}

static bool next_rows(struct bsim_report *report, struct bsim_buffer *out)
{
    bool is_json = report->options.format == BSIM_JSON;
    if (!report->is_told) {
        report->is_told = true;
        bsim_spool_rewind(&report->rows);
        if (is_json) {
            bsim_json_begin(out);
        } else {
            csv_kernels_head(report->options.per == BSIM_PER_SITE, out);
        }
    } else if (bsim_spool_take(&report->rows, &report->row)) {
        bsim_buffer_add(out, report->row.data, report->row.size_bytes);
    } else if (!report->has_ended) {
        report->has_ended = true;
        if (is_json) {
            bsim_json_end(report->total, out);
        }
    } else {
        return false;
    }
    return true;
}

bool bsim_report_next(struct bsim_report *report, struct bsim_buffer *out)
{
    bool is_text = report->options.format == BSIM_TEXT;
    size_t before = out->size_bytes;
    while (out->size_bytes - before < PART_BYTES && !out->failed) {
        if (is_text ? !bsim_text_report_next(&report->text, out) : !next_rows(report, out)) {
            break;
        }
    }
    return out->size_bytes > before;
}

enum bsim_status bsim_report_status(const struct bsim_report *report, struct bsim_error *err)
{
    enum bsim_status status = bsim_text_report_status(&report->text, err);
    if (status == BSIM_OK) {
        status = bsim_buffer_status(&report->row, err);
    }
    return status == BSIM_OK ? bsim_spool_status(&report->rows, err) : status;
}

void bsim_report_free(struct bsim_report *report)
{
    if (report != NULL) {
        bsim_text_report_free(&report->text);
        bsim_spool_free(&report->rows);
        bsim_buffer_free(&report->row);
        bsim_mem_free(report);
    }
}

static void report_kernels(const struct bsim_result *result,
                           const struct bsim_report_options *options, struct bsim_buffer *out)
{
    struct bsim_report *report = new_report(options, 0);
    struct bsim_error err;
    if (report == NULL) {
        out->failed = true;
        return;
    }
    for (size_t k = 0; k < result->n_kernels; k++) {
        bsim_report_kernel(report, &result->kernels[k]);
    }
    while (bsim_report_next(report, out)) {
    }
    out->failed = out->failed || bsim_report_status(report, &err) != BSIM_OK;
    bsim_report_free(report);
}

bool bsim_report_has_parts(const struct bsim_report_options *options)
{
    return options->metrics == BSIM_METRICS_BANKSIM && options->per != BSIM_PER_REQUEST &&
           (options->format == BSIM_TEXT || options->format == BSIM_CSV ||
            options->format == BSIM_JSON);
}

void bsim_report_result(const struct bsim_result *result, const struct bsim_report_options *options,
                        struct bsim_buffer *out)
{
    if (options->metrics != BSIM_METRICS_BANKSIM) {
        bsim_metrics_report(result, options, out);
    } else {
        report_kernels(result, options, out);
    }
}

/* ---- per request ---------------------------------------------------------------------------- */

static void csv_request_head(struct bsim_buffer *out)
{
    static const struct bsim_kernel no_kernel = {.name = ""};
    static const struct bsim_event no_event = {.opcode = {.family = BSIM_WORK}};
    static const struct bsim_request_result no_request = {.kernel = &no_kernel, .event = &no_event};
    struct bsim_row row;
    bsim_row_request(&no_request, &row);
    bsim_csv_head(&row, out);
}

void bsim_report_requests_begin(const struct bsim_report_options *options, struct bsim_buffer *out)
{
    if (options->format == BSIM_CSV) {
        csv_request_head(out);
    } else if (options->format == BSIM_JSON) {
        bsim_buffer_printf(out, "{\"banksim\": \"%s\", \"requests\": [", bsim_version());
    } else {
        bsim_buffer_printf(out, "%-9s %4s %6s  %-8s %10s %5s %9s %4s %5s  %-20s %s\n", "block",
                           "warp", "index", "mask", "wavefronts", "ideal", "excessive", "ways",
                           "count", "opcode", "kernel");
    }
}

/* The names stand last, where their length does no harm. */
static void text_request(const struct bsim_row *row, bool is_shared, struct bsim_buffer *out)
{
    const struct bsim_value *v = row->value;
    char name[NAME_SIZE];
    bsim_buffer_printf(out, "%-9s %4" PRIu64 " %6" PRIu64 "  %-8s ", v[1].text, v[2].number,
                       v[3].number, v[5].text);
    if (is_shared) {
        bsim_buffer_printf(out, "%10" PRIu64 " %5" PRIu64 " %9" PRIu64 " %4" PRIu64, v[6].number,
                           v[7].number, v[8].number, v[9].number);
    } else {
        bsim_buffer_printf(out, "%10s %5s %9s %4s", "-", "-", "-", "-");
    }
    bsim_buffer_printf(out, " %5" PRIu64 "  %-20s %s\n", v[10].number, v[4].text,
                       bsim_plain(v[0].text, NAME_SIZE, name, sizeof name));
}

void bsim_report_request(const struct bsim_request_result *request, uint64_t row_number,
                         const struct bsim_report_options *options, struct bsim_buffer *out)
{
    struct bsim_row row;
    bsim_row_request(request, &row);
    if (options->format == BSIM_CSV) {
        bsim_csv_row(&row, out);
    } else if (options->format == BSIM_JSON) {
        bsim_buffer_text(out, row_number > 0 ? ",\n  " : "\n  ");
        bsim_json_row(&row, out);
        bsim_buffer_text(out, "}");
    } else {
        text_request(&row, request->event->opcode.space == BSIM_SHARED, out);
    }
}

void bsim_report_requests_end(const struct bsim_result *result, uint64_t rows,
                              const struct bsim_report_options *options, struct bsim_buffer *out)
{
    if (options->format == BSIM_JSON) {
        struct bsim_row row;
        bsim_row_total(result, &row);
        bsim_buffer_text(out, "],\n\"total\": ");
        bsim_json_row(&row, out);
        bsim_buffer_text(out, "}}\n");
    } else if (options->format == BSIM_TEXT) {
        bsim_buffer_printf(out, "\n%" PRIu64 " rows\n", rows);
        bsim_basis_text(result, BSIM_SECTORS_BIT | BSIM_NVPROF_BIT | BSIM_CONSTANT_BIT, out);
        bsim_verdict_text(result, out);
    }
}
