/* metrics.c - the same numbers under the profilers' own metric names.
 *
 * ncu: see ncu.c.
 * nvprof: the metrics and events of nvprof 10 for devices up to 7.2; they are printed for later
 * devices too, where nvprof itself no longer runs. Its gst metrics are about stores alone:
 * atomics have metrics of their own there (global_atomic_requests), which are not modelled.
 */
#include "report/basis.h"
#include "report/plain.h"
#include "report/render.h"

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

static void list_nvprof_global(const struct bsim_kernel_result *kernel, struct metrics *list)
{
    const struct bsim_global_tally load = loads_of(kernel);
    const struct bsim_global_tally *store = &kernel->global[BSIM_STORES];
    uint64_t gld = bsim_kernel_gld_transactions(kernel);
    uint64_t gst = bsim_kernel_gst_transactions(kernel);
    add(list, "gld_transactions", gld);
    add(list, "gst_transactions", gst);
    add_ratio(list, "gld_transactions_per_request", gld, load.requests, 1);
    add_ratio(list, "gst_transactions_per_request", gst, store->requests, 1);
    add_ratio(list, "gld_efficiency", load.bytes_asked, 32 * load.sectors, 100);
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

static void add_value(const struct metric *metric, struct bsim_buffer *out)
{
    if (metric->divisor == 0) {
        bsim_buffer_printf(out, "%" PRIu64, metric->number);
    } else {
        bsim_buffer_printf(out, "%.9g",
                           metric->scale * (double)metric->number / (double)metric->divisor);
    }
}

static void add_csv(const char *kernel, const struct metrics *list, struct bsim_buffer *out)
{
    struct bsim_row row = {.n = 1};
    for (size_t i = 0; i < list->n; i++) {
        row.value[0] = (struct bsim_value){.kind = BSIM_STRING, .text = kernel};
        bsim_csv_cells(&row, out);
        bsim_buffer_printf(out, ",%s,", list->metric[i].name);
        add_value(&list->metric[i], out);
        bsim_buffer_text(out, "\n");
    }
}

static void add_json(const struct bsim_kernel_result *kernel, const struct metrics *list,
                     uint32_t hidden, struct bsim_buffer *out)
{
    bsim_buffer_text(out, "{\"kernel\": ");
    bsim_json_string(kernel->name, out);
    bsim_buffer_text(out, ", \"metrics\": {");
    for (size_t i = 0; i < list->n; i++) {
        bsim_buffer_printf(out, "%s\"%s\": ", i > 0 ? ", " : "", list->metric[i].name);
        add_value(&list->metric[i], out);
    }
    bsim_buffer_text(out, "}");
    bsim_json_rests_on(kernel, hidden, out);
    bsim_buffer_text(out, "}");
}

static void add_text(const char *kernel, const struct metrics *list, struct bsim_buffer *out)
{
    char name[NAME_SIZE];
    bsim_buffer_printf(out, "%s\n", bsim_plain(kernel, NAME_SIZE, name, sizeof name));
    for (size_t i = 0; i < list->n; i++) {
        bsim_buffer_printf(out, "    %-62s ", list->metric[i].name);
        add_value(&list->metric[i], out);
        bsim_buffer_text(out, "\n");
    }
}

static void add_head(enum bsim_format format, struct bsim_buffer *out)
{
    if (format == BSIM_CSV) {
        bsim_buffer_text(out, "kernel,metric,value\n");
    } else if (format == BSIM_JSON) {
        bsim_buffer_printf(out, "{\"banksim\": \"%s\", \"kernels\": [", bsim_version());
    }
}

void bsim_metrics_report(const struct bsim_result *result,
                         const struct bsim_report_options *options, struct bsim_buffer *out)
{
    /* What the other profiler counts has no number here. */
    uint32_t hidden = options->metrics == BSIM_METRICS_NCU ? BSIM_NVPROF_BIT : BSIM_CONSTANT_BIT;
    add_head(options->format, out);
    for (size_t k = 0; k < result->n_kernels; k++) {
        const struct bsim_kernel_result *kernel = &result->kernels[k];
        struct metrics list = {.n = 0};
        if (options->metrics == BSIM_METRICS_NCU) {
            list_ncu(kernel, &list);
        } else {
            list_nvprof(kernel, &list);
        }
        if (options->format == BSIM_CSV) {
            add_csv(kernel->name, &list, out);
        } else if (options->format == BSIM_JSON) {
            bsim_buffer_text(out, k > 0 ? ",\n  " : "\n  ");
            add_json(kernel, &list, hidden, out);
        } else {
            add_text(kernel->name, &list, out);
        }
    }
    if (options->format == BSIM_JSON) {
        bsim_buffer_text(out, "]}\n");
    } else if (options->format == BSIM_TEXT) {
        bsim_basis_assumed(result, hidden, out);
    }
}
