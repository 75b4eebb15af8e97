/* metrics.c - the same numbers under the profilers' own metric names.
 *
 * ncu: see ncu.c.
 * nvprof: the metrics and events of nvprof 10 for devices up to 7.2; they are printed for later
 * devices too, where nvprof itself no longer runs. Its gst metrics are about stores alone:
 * atomics have metrics of their own there (global_atomic_requests), which are not modelled.
 */
#include "report/basis.h"
#include "report/format.h"
#include "report/kernels.h"
#include "report/plain.h"
#include "result/result.h"

#include <banksim/banksim.h>

#include <inttypes.h>

enum { MAX_METRICS = 32, NAME_SIZE = 160 };

struct metric {
    const char *name;
    uint64_t number;
    uint64_t divisor; /* 0: the number itself */
    double scale;     /* of a ratio; 100 for per cent */
};

struct metrics {
    size_t n;
    struct metric metric[MAX_METRICS];
};

static void add(struct metrics *metrics, const char *name, uint64_t number)
{
    metrics->metric[metrics->n++] = (struct metric){name, number, 0, 1.0};
}

/* Left out where there is nothing to divide by, as the profiler does. */
static void add_ratio(struct metrics *metrics, const char *name, uint64_t number, uint64_t divisor,
                      double scale)
{
    if (divisor > 0) {
        metrics->metric[metrics->n++] = (struct metric){name, number, divisor, scale};
    }
}

static void list_ncu(const struct bsim_kernel_result *kernel, struct metrics *list)
{
    struct bsim_ncu_metric metric[BSIM_NCU_MAX_METRICS];
    size_t n = bsim_ncu_metrics(kernel, metric);
    for (size_t i = 0; i < n; i++) {
        if (metric[i].is_listed) {
            add(list, metric[i].name, metric[i].value);
        }
    }
}

/* Kepler's metrics have loads through the read-only cache apart. */
static struct bsim_global_tally loads_of(const struct bsim_kernel_result *kernel)
{
    struct bsim_global_tally loads = {0};
    if (kernel->device.global_counting != BSIM_COUNTS_LINES) {
        return kernel->global[BSIM_LOADS];
    }
    for (size_t i = 0; i < kernel->n_sites; i++) {
        const struct bsim_opcode *opcode = &kernel->sites[i].opcode;
        if (opcode->family == BSIM_LD && opcode->space == BSIM_GLOBAL && opcode->path != BSIM_NC) {
            bsim_global_tally_add(&loads, &kernel->sites[i].global);
        }
    }
    return loads;
}

/* Fermi's L1 is loaded line by line, and a hit counts as one (gld_throughput of the profiler's
 * guide: 128 * global_load_hit + 32 * L2's reads); Kepler's loads go to L2 for sectors. */
static uint64_t bytes_loaded(const struct bsim_kernel_result *kernel,
                             const struct bsim_global_tally *load)
{
    enum { LINE_BYTES = 128, SECTOR_BYTES = 32, KEPLER = 30 };
    bool has_lines =
        kernel->device.global_counting == BSIM_COUNTS_LINES && kernel->device.compute < KEPLER;
    return has_lines ? LINE_BYTES * load->transactions : SECTOR_BYTES * load->sectors;
}

static void list_nvprof_global(const struct bsim_kernel_result *kernel, struct metrics *list)
{
    const struct bsim_global_tally load = loads_of(kernel);
    const struct bsim_global_tally *store = &kernel->global[BSIM_STORES];
    uint64_t gld = bsim_kernel_gld_transactions(kernel);
    uint64_t gst = kernel->global[BSIM_STORES].transactions;
    add(list, "gld_transactions", gld);
    add(list, "gst_transactions", gst);
    add_ratio(list, "gld_transactions_per_request", gld, load.requests, 1);
    add_ratio(list, "gst_transactions_per_request", gst, store->requests, 1);
    add_ratio(list, "gld_efficiency", load.bytes_asked, bytes_loaded(kernel, &load), 100);
    add_ratio(list, "gst_efficiency", store->bytes_asked, 32 * store->sectors, 100);
}

static void list_nvprof(const struct bsim_kernel_result *kernel, struct metrics *list)
{
    const struct bsim_tally *load = &kernel->tally[BSIM_LOADS];
    const struct bsim_tally *store = &kernel->tally[BSIM_STORES];
    const struct bsim_tally *atomic = &kernel->tally[BSIM_ATOMICS];
    struct bsim_tally total = bsim_kernel_total(kernel);
    add(list, "inst_executed_shared_loads", load->requests);
    add(list, "inst_executed_shared_stores", store->requests);
    add(list, "inst_executed_shared_atomics", atomic->requests);
    add(list, "shared_load_transactions", load->wavefronts);
    add(list, "shared_store_transactions", store->wavefronts);
    add_ratio(list, "shared_load_transactions_per_request", load->wavefronts, load->requests, 1);
    add_ratio(list, "shared_store_transactions_per_request", store->wavefronts, store->requests, 1);
    add(list, "shared_ld_bank_conflict", load->conflicts);
    add(list, "shared_st_bank_conflict", store->conflicts);
    if (kernel->device.replays) {
        add(list, "shared_load_replay", load->replays);
        add(list, "shared_store_replay", store->replays);
    }
    add_ratio(list, "shared_efficiency", total.bytes_asked, total.bytes_moved, 100);
    list_nvprof_global(kernel, list);
}

/* ---- the report ------------------------------------------------------------------------------ */

static void add_value(const struct metric *metric, const char *name, struct bsim_row *row)
{
    if (metric->divisor == 0) {
        bsim_row_number(row, name, metric->number);
    } else {
        bsim_row_real(row, name, metric->scale * (double)metric->number / (double)metric->divisor);
    }
}

/* A kernel is a row with all its metrics, where rows have further members; else it has a row for
 * each. */
static void add_members(const struct bsim_kernel_result *kernel, const struct metrics *list,
                        uint32_t hidden, struct bsim_document *doc)
{
    struct bsim_row row;
    row.n = 0;
    bsim_row_text(&row, "kernel", kernel->name);
    bsim_document_open(doc, NULL, &row);
    row.n = 0;
    for (size_t i = 0; i < list->n; i++) {
        add_value(&list->metric[i], list->metric[i].name, &row);
    }
    bsim_document_open(doc, "metrics", &row);
    bsim_document_close(doc);
    bsim_document_rests_on(doc, kernel, hidden);
    bsim_document_close(doc);
}

static void make_row(const char *kernel, const struct metric *metric, struct bsim_row *row)
{
    row->n = 0;
    bsim_row_text(row, "kernel", kernel);
    bsim_row_text(row, "metric", metric->name);
    add_value(metric, "value", row);
}

static void add_rows(const struct bsim_kernel_result *kernel, const struct metrics *list,
                     struct bsim_document *doc)
{
    struct bsim_row row;
    if (bsim_document_speaks(doc)) {
        char name[NAME_SIZE];
        bsim_buffer_printf(doc->out, "%s\n",
                           bsim_plain_kernel(kernel->name, NAME_SIZE, name, sizeof name));
    }
    for (size_t i = 0; i < list->n; i++) {
        make_row(kernel->name, &list->metric[i], &row);
        bsim_document_row(doc, &row);
    }
}

static const struct bsim_column columns[] = {
    {NULL, .name = "metric", .left = true, .gap = 4, .wide = 62},
    {NULL, .name = "value", .left = true, .gap = 1},
};

static void begin(const struct bsim_report_options *options, struct bsim_document *doc,
                  struct bsim_buffer *out)
{
    static const struct metric none = {.name = ""};
    struct bsim_row row;
    bsim_row_head(&row);
    bsim_document_begin(doc, options, &row, out);
    bsim_document_table(doc, "kernels", columns, sizeof columns / sizeof columns[0]);
    make_row("", &none, &row);
    bsim_document_names(doc, &row);
}

/* Metrics are counts: what cycles rest on, which a merged run has all the same, says nothing of them. */
static struct bsim_kernel_result counts_of(const struct bsim_kernel_result *kernel)
{
    struct bsim_kernel_result counts = *kernel;
    counts.timed.is_timed = false;
    return counts;
}

static void tell_rests(const struct bsim_result *result, struct bsim_buffer *out)
{
    struct bsim_rests rests = {.has_cycles = false};
    for (size_t k = 0; k < result->n_kernels; k++) {
        const struct bsim_kernel_result counts = counts_of(&result->kernels[k]);
        bsim_rests_add(&rests, &counts);
    }
    bsim_rests_tell(&rests, out);
    bsim_rests_free(&rests);
}

void bsim_metrics_report(const struct bsim_result *result,
                         const struct bsim_report_options *options, struct bsim_buffer *out)
{
    /* What the other profiler counts has no number here. */
    uint32_t hidden = options->metrics == BSIM_METRICS_NCU ? BSIM_NVPROF_BIT : BSIM_CONSTANT_BIT;
    struct bsim_document doc;
    begin(options, &doc, out);
    for (size_t k = 0; k < result->n_kernels; k++) {
        const struct bsim_kernel_result counted = counts_of(&result->kernels[k]), *kernel = &counted;
        struct metrics list = {.n = 0};
        (options->metrics == BSIM_METRICS_NCU ? list_ncu : list_nvprof)(kernel, &list);
        if (bsim_document_nests(&doc)) {
            add_members(kernel, &list, hidden, &doc);
        } else {
            add_rows(kernel, &list, &doc);
        }
    }
    bsim_document_table_end(&doc);
    if (bsim_document_speaks(&doc)) {
        bsim_basis_assumed(result, hidden, out);
        tell_rests(result, out);
    }
    bsim_document_end(&doc);
}
