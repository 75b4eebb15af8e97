/* compare.c - what a GPU counted beside what was simulated.
 *
 *     square_set_row_read_col, launch 0: square_set_row_read_col(unsigned int *)
 *     metric                                simulated  measured  difference  outcome
 *     smsp__inst_executed_op_shared_ld.sum         32        32           0  equal
 *
 * Text has such a table per launch, what else there is to know of the launch, who has no partner,
 * and a verdict with what to try; csv a line per metric; json both.
 */
#include "report/format.h"
#include "report/plain.h"
#include "report/json.h"

#include <banksim/banksim.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAME_COLUMNS = 80, NAME_SIZE = 4 * NAME_COLUMNS + 8 };

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

/* "+1279 (0.24%)": of what was measured. */
static void write_difference(const struct bsim_compared *row, char out[BSIM_CELL_SIZE])
{
    char number[BSIM_REAL_SIZE];
    double difference = difference_of(row);
    size_t used = (size_t)snprintf(out, BSIM_CELL_SIZE, "%s%s", difference > 0 ? "+" : "",
                                   bsim_row_write_real(difference, number));
    if (row->outcome != BSIM_EQUAL && row->outcome != BSIM_APART && row->measured > 0) {
        (void)snprintf(out + used, BSIM_CELL_SIZE - used, " (%.2f%%)",
                       100 * (difference < 0 ? -difference : difference) / row->measured);
    }
}

/* ---- the rows -------------------------------------------------------------------------------- */

/* told is room for what people are told of the difference. */
static void make_row(const struct view *view, const struct bsim_compared *compared,
                     char told[BSIM_CELL_SIZE], struct bsim_row *row)
{
    bool is_aside = compared->outcome == BSIM_DIFFERS && !compared->metric.is_shared &&
                    !view->comparison->options.all;
    write_difference(compared, told);
    row->n = 0;
    bsim_row_text(row, "kernel", view->result->kernels[compared->kernel].name);
    bsim_row_number(row, "launch", view->report->launches[compared->launch].id);
    bsim_row_text(row, "metric", compared->metric.name);
    bsim_row_number(row, "simulated", compared->metric.value);
    bsim_row_real(row, "measured", compared->measured);
    bsim_row_real(row, "difference", difference_of(compared));
    bsim_row_instead(row, true, told);
    bsim_row_text(row, "outcome", outcome_name(compared->outcome));
    bsim_row_instead(row, is_aside, "differs, not shared memory");
    bsim_row_boolean(row, "decides", compared->decides);
}

static void add_rows(const struct view *view, size_t first, size_t end, struct bsim_document *doc)
{
    for (size_t i = first; i < end; i++) {
        struct bsim_row row;
        char told[BSIM_CELL_SIZE];
        make_row(view, &view->comparison->row[i], told, &row);
        bsim_document_row(doc, &row);
    }
}

/* One of a kernel or of a launch without a partner, in formats that do not nest. */
static void add_lonely_row(const char *kernel, const struct bsim_ncu_launch *launch,
                           const char *outcome, struct bsim_document *doc)
{
    static const char *const unknown[] = {"metric", "simulated", "measured", "difference"};
    struct bsim_row row;
    row.n = 0;
    bsim_row_text(&row, "kernel", kernel);
    bsim_row_known(&row, "launch", launch != NULL, launch != NULL ? launch->id : 0);
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        bsim_row_known(&row, unknown[i], false, 0);
    }
    bsim_row_text(&row, "outcome", outcome);
    bsim_row_known(&row, "decides", false, 0);
    bsim_document_row(doc, &row);
}

/* ---- text: the table of a launch ------------------------------------------------------------- */

static const struct bsim_column columns[] = {
    {"metric", .name = "metric", .left = true},
    {"simulated", .name = "simulated"},
    {"measured", .name = "measured"},
    {"difference", .name = "difference", .warning = true},
    {"outcome", .name = "outcome", .left = true},
};

static const char *show(const char *name, char out[NAME_SIZE])
{
    return bsim_plain_kernel(name, NAME_COLUMNS, out, NAME_SIZE);
}

/* More times the simulated wavefronts are not put down to arbitration. A choice: what was seen on
 * an H200 was half as many again at most. */
enum { MOST_ARBITRATION = 2 };

/* ---- text: what may explain a difference ----------------------------------------------------- */

enum cause {
    BY_SIZE = 1,        /* the launch has another grid or block, or the trace not all blocks */
    BY_DEVICE = 2,      /* simulated for another compute capability */
    BY_ARBITRATION = 4, /* l1tex__data_* counts more, and there are several warps */
    BY_PREDICATE = 8,   /* more instructions were executed than made a request, perhaps */
    BY_OTHERS = 16,
    OF_ZERO = 32, /* and the simulation has 0 there */
    BY_PREDICATED_COPY = 64, /* cp.async.cg under a predicate is not counted by instruction */
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
static bool tells(const struct bsim_compared *row)
{
    return row->decides || row->metric.value > 0;
}

static bool has_bypass(const struct bsim_kernel_result *kernel)
{
    size_t i = 0;
    while (i < kernel->n_sites && kernel->sites[i].opcode.path != BSIM_BYPASS) {
        i++;
    }
    return i < kernel->n_sites;
}

/* The causes that may lie behind a row that differs. */
static unsigned causes_of(const struct view *view, const struct bsim_compared *row)
{
    const struct bsim_ncu_launch *launch = &view->report->launches[row->launch];
    const struct bsim_kernel_result *kernel = &view->result->kernels[row->kernel];
    bool is_more = difference_of(row) > 0;
    if (row->outcome != BSIM_DIFFERS || !tells(row)) {
        return 0;
    }
    if (has_other_size(launch, kernel) || lacks_blocks(kernel)) {
        return BY_SIZE;
    }
    if (has_other_device(launch, kernel)) {
        return BY_DEVICE;
    }
    if (!is_more && strncmp(row->metric.name, "sm__sass_", 9) == 0 &&
        strstr(row->metric.name, "_ldgsts") != NULL && has_bypass(kernel)) {
        return BY_PREDICATED_COPY;
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
                              "launches of many blocks:\non an H200 0.7 % more with 4096 blocks of "
                              "4-byte loads, 25 % beside global stores. Ask ncu for\n"
                              "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum, _st "
                              "and _atom,\nwhich do not");
        bsim_buffer_text(out, (causes & OF_ZERO) != 0
                                  ? ". --tolerance, a share of what was measured, is no help where "
                                    "the simulation has 0.\n"
                                  : ", or give --tolerance.\n");
    }
    if ((causes & BY_PREDICATED_COPY) != 0) {
        bsim_buffer_text(out, "sm__sass_*_op_ldgsts counters have 0 for a cp.async.cg under a "
                              "predicate (@P0 LDGSTS.BYPASS, of\n'if (in) cp.async.cg'): on an "
                              "H200 l1tex__data_bank_writes is right for all.\n");
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
static size_t add_launch(const struct view *view, size_t first, struct bsim_document *doc)
{
    struct bsim_buffer *out = doc->out;
    const struct bsim_comparison *comparison = view->comparison;
    const struct bsim_compared *row = &comparison->row[first];
    const struct bsim_ncu_launch *launch = &view->report->launches[row->launch];
    const struct bsim_kernel_result *kernel = &view->result->kernels[row->kernel];
    char name[NAME_SIZE];
    size_t end = first;
    while (end < comparison->n_rows && comparison->row[end].launch == row->launch) {
        end++;
    }
    bsim_buffer_printf(out, "%s, launch %" PRIu64, show(kernel->name, name), launch->id);
    bsim_buffer_printf(out, ": %s\n", show(launch->kernel, name));
    bsim_document_table(doc, "metrics", columns, sizeof columns / sizeof columns[0]);
    add_rows(view, first, end, doc);
    bsim_document_table_end(doc);
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
        bool differs = row->outcome == BSIM_DIFFERS && row->decides;
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

static void add_text(const struct view *view, struct bsim_document *doc)
{
    size_t row = 0;
    while (row < view->comparison->n_rows) {
        row = add_launch(view, row, doc);
    }
    add_lonely(view, doc->out);
    add_verdict(view, doc->out);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void add_lonely_rows(const struct view *view, struct bsim_document *doc)
{
    const struct bsim_comparison *comparison = view->comparison;
    for (size_t k = 0; k < comparison->n_kernels; k++) {
        if (!comparison->is_launched[k]) {
            add_lonely_row(view->result->kernels[k].name, NULL, "no launch", doc);
        }
    }
    for (size_t l = 0; l < comparison->n_launches; l++) {
        const struct bsim_ncu_launch *launch = &view->report->launches[l];
        if (comparison->kernel_of[l] == BSIM_NO_PARTNER) {
            add_lonely_row(launch->kernel, launch, "no kernel", doc);
        }
    }
}

static void add_lonely_members(const struct view *view, struct bsim_document *doc)
{
    const struct bsim_comparison *comparison = view->comparison;
    const char *separator = "";
    struct bsim_row row;
    bsim_document_new_line(doc);
    bsim_document_list(doc, "kernels_without_launch");
    for (size_t k = 0; k < comparison->n_kernels; k++) {
        if (!comparison->is_launched[k]) {
            bsim_buffer_text(doc->out, separator);
            bsim_json_string(view->result->kernels[k].name, doc->out);
            separator = ", ";
        }
    }
    bsim_document_table_end(doc);
    bsim_document_new_line(doc);
    bsim_document_list(doc, "launches_without_kernel");
    for (size_t l = 0; l < comparison->n_launches; l++) {
        if (comparison->kernel_of[l] == BSIM_NO_PARTNER) {
            row.n = 0;
            bsim_row_number(&row, "launch", view->report->launches[l].id);
            bsim_row_text(&row, "kernel", view->report->launches[l].kernel);
            bsim_document_row(doc, &row);
        }
    }
    bsim_document_table_end(doc);
}

static void add_total(const struct bsim_comparison *comparison, struct bsim_document *doc)
{
    struct bsim_row row;
    row.n = 0;
    bsim_row_number(&row, "kernels", comparison->n_matched);
    bsim_row_number(&row, "equal", comparison->n_of[BSIM_EQUAL]);
    bsim_row_number(&row, "within", comparison->n_of[BSIM_WITHIN]);
    bsim_row_number(&row, "differs", comparison->n_of[BSIM_DIFFERS]);
    bsim_row_number(&row, "not_comparable", comparison->n_of[BSIM_APART]);
    bsim_row_number(&row, "differs_aside", comparison->n_aside[BSIM_DIFFERS]);
    bsim_document_new_line(doc);
    bsim_document_open(doc, "total", &row);
    bsim_document_close(doc);
}

static void add_table(const struct view *view, struct bsim_document *doc)
{
    bsim_document_table(doc, "metrics", NULL, 0);
    add_rows(view, 0, view->comparison->n_rows, doc);
    if (!bsim_document_nests(doc)) {
        add_lonely_rows(view, doc);
    }
    bsim_document_table_end(doc);
    if (bsim_document_nests(doc)) {
        add_lonely_members(view, doc);
        add_total(view->comparison, doc);
    }
}

void bsim_report_comparison(const struct bsim_comparison *comparison,
                            const struct bsim_result *result, const struct bsim_ncu_report *report,
                            const struct bsim_report_options *options, struct bsim_buffer *out)
{
    const struct view view = {comparison, result, report};
    struct bsim_document doc;
    struct bsim_row head;
    bsim_row_head(&head);
    bsim_row_real(&head, "tolerance", comparison->options.tolerance);
    bsim_document_begin(&doc, options, &head, out);
    if (bsim_document_speaks(&doc)) {
        add_text(&view, &doc);
    } else {
        add_table(&view, &doc);
    }
    bsim_document_end(&doc);
}
