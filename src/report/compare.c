/* compare.c - what a GPU counted beside what was simulated.
 *
 *     square_set_row_read_col, launch 0: square_set_row_read_col(unsigned int *)
 *     metric                                simulated  measured  difference  outcome
 *     smsp__inst_executed_op_shared_ld.sum         32        32           0  equal
 *
 * Text has such a table per launch, what else there is to know of the launch, who has no partner,
 * and a verdict with what to try; csv a line per metric; json both.
 */
#include "report/plain.h"
#include "report/render.h"
#include "report/cells.h"

#include <banksim/banksim.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAME_COLUMNS = 80, NAME_SIZE = 4 * NAME_COLUMNS + 8, NUMBER_SIZE = 40 };

struct view {
    const struct bsim_comparison *comparison;
    const struct bsim_result *result;
    const struct bsim_ncu_report *report;
};

static const char *outcome_name(enum bsim_outcome outcome)
{
    static const char *const name[] = {"equal", "within tolerance", "differs", "not comparable"};
    return name[outcome];
}

static double difference_of(const struct bsim_compared *row)
{
    return row->measured - (double)row->metric.value;
}

/* A whole number has no point; `sign`: a positive one has its sign. */
static const char *write_number(double number, bool sign, char out[NUMBER_SIZE])
{
    bool is_whole = number > -1e15 && number < 1e15 && number == (double)(int64_t)number;
    const char *plus = sign && number > 0 ? "+" : "";
    if (is_whole) {
        (void)snprintf(out, NUMBER_SIZE, "%s%" PRId64, plus, (int64_t)number);
    } else {
        (void)snprintf(out, NUMBER_SIZE, "%s%.9g", plus, number);
    }
    return out;
}

/* ---- text: the table of a launch ------------------------------------------------------------- */

static void metric_cell(const void *item, char cell[BSIM_CELL_SIZE])
{
    const struct bsim_compared *row = item;
    (void)snprintf(cell, BSIM_CELL_SIZE, "%s", row->metric.name);
}

static void simulated_cell(const void *item, char cell[BSIM_CELL_SIZE])
{
    const struct bsim_compared *row = item;
    (void)snprintf(cell, BSIM_CELL_SIZE, "%" PRIu64, row->metric.value);
}

static void measured_cell(const void *item, char cell[BSIM_CELL_SIZE])
{
    const struct bsim_compared *row = item;
    char number[NUMBER_SIZE];
    (void)snprintf(cell, BSIM_CELL_SIZE, "%s", write_number(row->measured, false, number));
}

/* "+1279 (0.24%)": of what was measured. */
static void difference_cell(const void *item, char cell[BSIM_CELL_SIZE])
{
    const struct bsim_compared *row = item;
    char number[NUMBER_SIZE];
    double difference = difference_of(row);
    write_number(difference, true, number);
    if (row->outcome == BSIM_EQUAL || row->outcome == BSIM_APART || !(row->measured > 0)) {
        (void)snprintf(cell, BSIM_CELL_SIZE, "%s", number);
    } else {
        (void)snprintf(cell, BSIM_CELL_SIZE, "%s (%.2f%%)", number,
                       100 * (difference < 0 ? -difference : difference) / row->measured);
    }
}

static void outcome_cell(const void *item, char cell[BSIM_CELL_SIZE])
{
    const struct bsim_compared *row = item;
    (void)snprintf(cell, BSIM_CELL_SIZE, "%s", outcome_name(row->outcome));
}

/* Where metrics of shared memory alone decide. */
static void shared_outcome_cell(const void *item, char cell[BSIM_CELL_SIZE])
{
    const struct bsim_compared *row = item;
    bool is_aside = row->outcome == BSIM_DIFFERS && !row->metric.is_shared;
    (void)snprintf(cell, BSIM_CELL_SIZE, "%s%s", outcome_name(row->outcome),
                   is_aside ? ", not shared memory" : "");
}

static const struct bsim_cell_column columns[] = {
    {"metric", true, false, metric_cell},      {"simulated", false, false, simulated_cell},
    {"measured", false, false, measured_cell}, {"difference", false, true, difference_cell},
    {"outcome", true, false, outcome_cell},
};
enum { N_COLUMNS = sizeof columns / sizeof columns[0] };

static const char *show(const char *name, char out[NAME_SIZE])
{
    return bsim_plain(name, NAME_COLUMNS, out, NAME_SIZE);
}

/* More times the simulated wavefronts are not put down to arbitration. A choice: what was seen on an
 * H200 was half as many again at most. */
enum { MOST_ARBITRATION = 2 };

/* ---- text: what may explain a difference ----------------------------------------------------- */

enum cause {
    BY_SIZE = 1,        /* the launch has another grid or block, or the trace not all blocks */
    BY_DEVICE = 2,      /* simulated for another compute capability */
    BY_ARBITRATION = 4, /* l1tex__data_* counts more, and there are several warps */
    BY_PREDICATE = 8,   /* more instructions were executed than made a request, perhaps */
    BY_OTHERS = 16,
    OF_ZERO = 32, /* and the simulation has 0 there */
};

static uint64_t blocks_of(struct bsim_dim3 grid)
{
    return (uint64_t)grid.x * grid.y * grid.z;
}

static bool same_size(struct bsim_dim3 a, struct bsim_dim3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool has_other_size(const struct bsim_ncu_launch *launch,
                           const struct bsim_kernel_result *kernel)
{
    return blocks_of(launch->grid) > 0 && blocks_of(launch->block) > 0 &&
           (!same_size(launch->grid, kernel->grid) || !same_size(launch->block, kernel->block));
}

static bool lacks_blocks(const struct bsim_kernel_result *kernel)
{
    return kernel->blocks != blocks_of(kernel->grid);
}

static bool has_other_device(const struct bsim_ncu_launch *launch,
                             const struct bsim_kernel_result *kernel)
{
    return launch->compute > 0 && kernel->device.compute != launch->compute;
}

static bool has_several_warps(const struct bsim_kernel_result *kernel)
{
    return blocks_of(kernel->grid) > 1 || blocks_of(kernel->block) > BSIM_WARP_LANES;
}

/* The report has the launch's exact counter beside the row's: that tells of the same difference. */
static bool has_exact(const struct view *view, const struct bsim_compared *row)
{
    const struct bsim_comparison *comparison = view->comparison;
    for (size_t i = 0; row->metric.exact != NULL && i < comparison->n_rows; i++) {
        const struct bsim_compared *other = &comparison->row[i];
        if (other->launch == row->launch && other->metric.apart == NULL &&
            strcmp(other->metric.name, row->metric.exact) == 0) {
            return true;
        }
    }
    return false;
}

/* What is shown only tells of a cause, too, unless the trace has no such accesses at all. */
static bool tells(const struct bsim_comparison *comparison, const struct bsim_compared *row)
{
    return bsim_compared_decides(comparison, row) || row->metric.value > 0;
}

/* The causes that may lie behind a row that differs. */
static unsigned causes_of(const struct view *view, const struct bsim_compared *row)
{
    const struct bsim_ncu_launch *launch = &view->report->launches[row->launch];
    const struct bsim_kernel_result *kernel = &view->result->kernels[row->kernel];
    bool is_more = difference_of(row) > 0;
    if (row->outcome != BSIM_DIFFERS || !tells(view->comparison, row)) {
        return 0;
    }
    if (has_other_size(launch, kernel) || lacks_blocks(kernel)) {
        return BY_SIZE;
    }
    if (has_other_device(launch, kernel)) {
        return BY_DEVICE;
    }
    if (!is_more || row->metric.also == NULL || has_exact(view, row)) {
        return BY_OTHERS;
    }
    if (strncmp(row->metric.name, "l1tex__data_", 12) != 0) {
        return BY_PREDICATE;
    }
    bool is_too_much = strstr(row->metric.name, "wavefronts") != NULL && row->metric.value > 0 &&
                       row->measured > MOST_ARBITRATION * (double)row->metric.value;
    return is_too_much || !has_several_warps(kernel) ? BY_OTHERS
           : row->metric.value > 0                   ? BY_ARBITRATION
                                                     : BY_ARBITRATION | OF_ZERO;
}

static void add_inexact_advice(unsigned causes, struct bsim_buffer *out)
{
    if ((causes & BY_ARBITRATION) != 0) {
        bsim_buffer_text(out, "l1tex__data_* counters also count arbitration in the SM, most in "
                              "launches of many blocks.\nAsk ncu for "
                              "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum, _st "
                              "and _atom,\nwhich do not");
        bsim_buffer_text(out, (causes & OF_ZERO) != 0
                                  ? ". --tolerance, a share of what was measured, is no help where "
                                    "the simulation has 0.\n"
                                  : ", or give --tolerance.\n");
    }
    if ((causes & BY_PREDICATE) != 0) {
        bsim_buffer_text(out, "smsp__inst_executed_op_shared_* counters also count instructions "
                              "whose lanes are all\npredicated off. Ask ncu for "
                              "smsp__sass_inst_executed_op_shared_ld.sum, _st and _atom, which do "
                              "not.\n");
    }
}

static void add_advice(unsigned causes, struct bsim_buffer *out)
{
    if ((causes & (BY_SIZE | BY_DEVICE | BY_OTHERS)) == 0) {
        add_inexact_advice(causes, out);
    } else if ((causes & BY_SIZE) != 0) {
        bsim_buffer_text(
            out, "Trace all blocks of the launch that was profiled, with its grid and block.\n");
    } else if ((causes & BY_DEVICE) != 0) {
        bsim_buffer_text(out, "Simulate the GPU that was profiled: --device.\n");
    } else {
        bsim_buffer_text(
            out, "If the trace is of the same run on the same data, find the access with 'banksim "
                 "run --per site',\nand see in the machine code (cuobjdump -sass) whether the "
                 "compiler merged, widened or dropped\naccesses that the trace has.\n");
    }
}

/* ---- text: notes and verdict ----------------------------------------------------------------- */

static void add_size(struct bsim_dim3 size, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%" PRIu32 ",%" PRIu32 ",%" PRIu32, size.x, size.y, size.z);
}

static void add_notes(const struct bsim_ncu_launch *launch, const struct bsim_kernel_result *kernel,
                      struct bsim_buffer *out)
{
    if (has_other_size(launch, kernel)) {
        bsim_buffer_text(out, "The launch has grid ");
        add_size(launch->grid, out);
        bsim_buffer_text(out, " and block ");
        add_size(launch->block, out);
        bsim_buffer_text(out, ", the trace grid ");
        add_size(kernel->grid, out);
        bsim_buffer_text(out, " and block ");
        add_size(kernel->block, out);
        bsim_buffer_text(out, ".\n");
    }
    if (lacks_blocks(kernel)) {
        bsim_buffer_printf(out, "The trace has %" PRIu64 " of %" PRIu64 " blocks.\n",
                           kernel->blocks, blocks_of(kernel->grid));
    }
    if (has_other_device(launch, kernel)) {
        bsim_buffer_printf(out,
                           "The launch was on compute capability %" PRIu32 ".%" PRIu32
                           ", the simulation for %s.\n",
                           launch->compute / 10, launch->compute % 10, kernel->device.name);
    }
}

/* The rows from `first` on that are of its launch; returns the row behind them. */
static size_t add_launch(const struct view *view, size_t first, bool colour,
                         struct bsim_buffer *out)
{
    const struct bsim_comparison *comparison = view->comparison;
    const struct bsim_compared *row = &comparison->row[first];
    const struct bsim_ncu_launch *launch = &view->report->launches[row->launch];
    const struct bsim_kernel_result *kernel = &view->result->kernels[row->kernel];
    char name[NAME_SIZE];
    size_t end = first;
    while (end < comparison->n_rows && comparison->row[end].launch == row->launch) {
        end++;
    }
    struct bsim_cell_column shown[N_COLUMNS];
    memcpy(shown, columns, sizeof shown);
    shown[N_COLUMNS - 1].cell = comparison->options.all ? outcome_cell : shared_outcome_cell;
    struct bsim_item_table table = {shown, N_COLUMNS, row, end - first, sizeof *row, colour};
    bsim_buffer_printf(out, "%s, launch %" PRIu64, show(kernel->name, name), launch->id);
    bsim_buffer_printf(out, ": %s\n", show(launch->kernel, name));
    bsim_table_render(&table, out);
    for (size_t i = first; i < end; i++) {
        const struct bsim_ncu_metric *metric = &comparison->row[i].metric;
        if (metric->apart != NULL) {
            bsim_buffer_printf(out, "%s: %s.\n", metric->name, metric->apart);
        }
    }
    add_notes(launch, kernel, out);
    bsim_buffer_text(out, "\n");
    return end;
}

static void add_lonely(const struct view *view, struct bsim_buffer *out)
{
    const struct bsim_comparison *comparison = view->comparison;
    size_t before = out->size_bytes;
    char name[NAME_SIZE];
    for (size_t k = 0; k < comparison->n_kernels; k++) {
        if (!comparison->is_launched[k]) {
            bsim_buffer_printf(out, "In the traces, not in the report: %s\n",
                               show(view->result->kernels[k].name, name));
        }
    }
    for (size_t l = 0; l < comparison->n_launches; l++) {
        if (comparison->kernel_of[l] == BSIM_NO_PARTNER) {
            bsim_buffer_printf(out, "In the report, not in the traces: launch %" PRIu64 ", %s\n",
                               view->report->launches[l].id,
                               show(view->report->launches[l].kernel, name));
        }
    }
    bsim_buffer_text(out, out->size_bytes > before ? "\n" : "");
}

static void add_counted(size_t n, const char *one, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%zu %s%s", n, one, n == 1 ? "" : "s");
}

/* " differ, first in NAME." and what to try. */
static void add_differs(const struct view *view, unsigned causes, size_t first,
                        struct bsim_buffer *out)
{
    const struct bsim_comparison *comparison = view->comparison;
    char name[NAME_SIZE];
    bsim_buffer_printf(out, " %s, first in %s.\n",
                       comparison->n_of[BSIM_DIFFERS] == 1 ? "differs" : "differ",
                       show(view->result->kernels[comparison->row[first].kernel].name, name));
    add_advice(causes, out);
}

/* What is shown only. */
static void add_aside(const struct bsim_comparison *comparison, struct bsim_buffer *out)
{
    if (comparison->n_aside[BSIM_DIFFERS] > 0) {
        bsim_buffer_printf(
            out, "%zu of global or constant memory differ%s; with --all %s.\n",
            comparison->n_aside[BSIM_DIFFERS], comparison->n_aside[BSIM_DIFFERS] == 1 ? "s" : "",
            comparison->n_aside[BSIM_DIFFERS] == 1 ? "it decides too" : "they decide too");
    }
}

static void add_verdict(const struct view *view, struct bsim_buffer *out)
{
    const struct bsim_comparison *comparison = view->comparison;
    const size_t *n_of = comparison->n_of;
    size_t n = n_of[BSIM_EQUAL] + n_of[BSIM_WITHIN] + n_of[BSIM_DIFFERS];
    unsigned causes = 0;
    size_t first = comparison->n_rows;
    for (size_t i = 0; i < comparison->n_rows; i++) {
        const struct bsim_compared *row = &comparison->row[i];
        bool differs = row->outcome == BSIM_DIFFERS && bsim_compared_decides(comparison, row);
        first = differs && first == comparison->n_rows ? i : first;
        causes |= causes_of(view, row);
    }
    if (n_of[BSIM_DIFFERS] > 0) {
        bsim_buffer_printf(out, "%zu of ", n_of[BSIM_DIFFERS]);
    } else {
        bsim_buffer_text(out, "all ");
    }
    add_counted(n, comparison->options.all ? "metric" : "shared metric", out);
    bsim_buffer_text(out, " of ");
    add_counted(comparison->n_matched, "kernel", out);
    if (n_of[BSIM_DIFFERS] > 0) {
        add_differs(view, causes, first, out);
    } else if (n_of[BSIM_WITHIN] > 0) {
        bsim_buffer_printf(out, " agree within %.9g%%, %zu equal\n", comparison->options.tolerance,
                           n_of[BSIM_EQUAL]);
    } else {
        bsim_buffer_text(out, " equal\n");
    }
    add_aside(comparison, out);
}

static void add_text(const struct view *view, bool colour, struct bsim_buffer *out)
{
    size_t row = 0;
    while (row < view->comparison->n_rows) {
        row = add_launch(view, row, colour, out);
    }
    add_lonely(view, out);
    add_verdict(view, out);
}

/* ---- csv ------------------------------------------------------------------------------------- */

static void csv_name(const char *name, struct bsim_buffer *out)
{
    struct bsim_row row = {.n = 1, .value = {{.kind = BSIM_STRING, .text = name}}};
    bsim_csv_cells(&row, out);
}

static void csv_row(const struct view *view, const struct bsim_compared *row,
                    struct bsim_buffer *out)
{
    char number[NUMBER_SIZE];
    csv_name(view->result->kernels[row->kernel].name, out);
    bsim_buffer_printf(out, ",%" PRIu64 ",%s,%" PRIu64, view->report->launches[row->launch].id,
                       row->metric.name, row->metric.value);
    bsim_buffer_printf(out, ",%s", write_number(row->measured, false, number));
    bsim_buffer_printf(out, ",%s,%s,%d\n", write_number(difference_of(row), false, number),
                       outcome_name(row->outcome), bsim_compared_decides(view->comparison, row));
}

static void add_csv(const struct view *view, struct bsim_buffer *out)
{
    const struct bsim_comparison *comparison = view->comparison;
    bsim_buffer_text(out, "kernel,launch,metric,simulated,measured,difference,outcome,decides\n");
    for (size_t i = 0; i < comparison->n_rows; i++) {
        csv_row(view, &comparison->row[i], out);
    }
    for (size_t k = 0; k < comparison->n_kernels; k++) {
        if (!comparison->is_launched[k]) {
            csv_name(view->result->kernels[k].name, out);
            bsim_buffer_text(out, ",,,,,,no launch,\n");
        }
    }
    for (size_t l = 0; l < comparison->n_launches; l++) {
        if (comparison->kernel_of[l] == BSIM_NO_PARTNER) {
            csv_name(view->report->launches[l].kernel, out);
            bsim_buffer_printf(out, ",%" PRIu64 ",,,,,no kernel,\n", view->report->launches[l].id);
        }
    }
}

/* ---- json ------------------------------------------------------------------------------------ */

static void json_row(const struct view *view, const struct bsim_compared *row,
                     struct bsim_buffer *out)
{
    char number[NUMBER_SIZE];
    bsim_buffer_text(out, "{\"kernel\": ");
    bsim_json_string(view->result->kernels[row->kernel].name, out);
    bsim_buffer_printf(out,
                       ", \"launch\": %" PRIu64 ", \"metric\": \"%s\", \"simulated\": %" PRIu64,
                       view->report->launches[row->launch].id, row->metric.name, row->metric.value);
    bsim_buffer_printf(out, ", \"measured\": %s", write_number(row->measured, false, number));
    bsim_buffer_printf(out, ", \"difference\": %s, \"outcome\": \"%s\", \"decides\": %s}",
                       write_number(difference_of(row), false, number), outcome_name(row->outcome),
                       bsim_compared_decides(view->comparison, row) ? "true" : "false");
}

static void json_lonely(const struct view *view, struct bsim_buffer *out)
{
    const struct bsim_comparison *comparison = view->comparison;
    const char *separator = "";
    bsim_buffer_text(out, ",\n\"kernels_without_launch\": [");
    for (size_t k = 0; k < comparison->n_kernels; k++) {
        if (!comparison->is_launched[k]) {
            bsim_buffer_text(out, separator);
            bsim_json_string(view->result->kernels[k].name, out);
            separator = ", ";
        }
    }
    bsim_buffer_text(out, "],\n\"launches_without_kernel\": [");
    separator = "";
    for (size_t l = 0; l < comparison->n_launches; l++) {
        if (comparison->kernel_of[l] == BSIM_NO_PARTNER) {
            bsim_buffer_printf(out, "%s{\"launch\": %" PRIu64 ", \"kernel\": ", separator,
                               view->report->launches[l].id);
            bsim_json_string(view->report->launches[l].kernel, out);
            bsim_buffer_text(out, "}");
            separator = ", ";
        }
    }
    bsim_buffer_text(out, "]");
}

static void add_json(const struct view *view, struct bsim_buffer *out)
{
    const struct bsim_comparison *comparison = view->comparison;
    bsim_buffer_printf(out, "{\"banksim\": \"%s\", \"tolerance\": %.9g, \"metrics\": [",
                       bsim_version(), comparison->options.tolerance);
    for (size_t i = 0; i < comparison->n_rows; i++) {
        bsim_buffer_text(out, i > 0 ? ",\n  " : "\n  ");
        json_row(view, &comparison->row[i], out);
    }
    bsim_buffer_text(out, "]");
    json_lonely(view, out);
    bsim_buffer_printf(out,
                       ",\n\"total\": {\"kernels\": %zu, \"equal\": %zu, \"within\": %zu, "
                       "\"differs\": %zu, \"not_comparable\": %zu, \"differs_aside\": %zu}}\n",
                       comparison->n_matched, comparison->n_of[BSIM_EQUAL],
                       comparison->n_of[BSIM_WITHIN], comparison->n_of[BSIM_DIFFERS],
                       comparison->n_of[BSIM_APART], comparison->n_aside[BSIM_DIFFERS]);
}

void bsim_report_comparison(const struct bsim_comparison *comparison,
                            const struct bsim_result *result, const struct bsim_ncu_report *report,
                            const struct bsim_report_options *options, struct bsim_buffer *out)
{
    struct view view = {comparison, result, report};
    if (options->format == BSIM_CSV) {
        add_csv(&view, out);
    } else if (options->format == BSIM_JSON) {
        add_json(&view, out);
    } else {
        add_text(&view, options->colour, out);
    }
}
