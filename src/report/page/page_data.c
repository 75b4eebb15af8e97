/* page_data.c - what a page shows, as json in a script element of its own.
 *
 * Kernels and sites have the members that `--format json` gives them; a site adds its banks and its
 * patterns (pattern.c). The tables have a budget of their own: where there are more kernels or
 * sites than it holds, the worst are kept and the rest is counted, so that a page of ten thousand
 * launches still opens at once. The worst are those whose conflicts cost most.
 */
#include "report/page/page.h"

#include "base/memory.h"
#include "report/cycles.h"
#include "report/json.h"
#include "report/page/survey.h"
#include "report/plain.h"
#include "report/row.h"

#include <banksim/banksim.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Choices, as BSIM_SURVEY_BUDGET_BYTES is. */
enum {
    KERNELS_BUDGET_BYTES = 200000,
    SITES_BUDGET_BYTES = 400000,
    SHOWN_COLUMNS = 240, /* of a name or a source line */
};

/* A kernel, or one of its sites, that may stand in the page. */
struct entry {
    size_t kernel;
    const struct bsim_site_result *site; /* NULL: the kernel */
    uint64_t cost;                       /* of its conflicts; see struct bsim_cost */
    uint64_t excessive, requests;
    size_t size_bytes;
    bool is_kept;
};

struct entries {
    struct entry *entry;
    size_t n;
};

/* ---- one entry ------------------------------------------------------------------------------ */

/* The row with long texts cut short. */
static void add_row(struct bsim_row *row, struct bsim_buffer *out)
{
    char shown[BSIM_ROW_MAX / 8][SHOWN_COLUMNS * 4];
    size_t n = 0;
    for (size_t i = 0; i < row->n; i++) {
        struct bsim_value *value = &row->value[i];
        if (value->kind == BSIM_STRING && strlen(value->text) > SHOWN_COLUMNS &&
            n < sizeof shown / sizeof shown[0]) {
            value->text = bsim_plain(value->text, SHOWN_COLUMNS, shown[n], sizeof shown[n]);
            n++;
        }
    }
    bsim_json_row(row, out);
}

static void add_kernel(const struct bsim_page *page, size_t k, struct bsim_buffer *out)
{
    struct bsim_row row;
    char name[SHOWN_COLUMNS * 4];
    const struct bsim_kernel_result *kernel = &page->result->kernels[k];
    const struct bsim_dim3 *grid = &kernel->grid;
    const struct bsim_dim3 *block = &kernel->block;
    bsim_row_kernel(kernel, &row);
    row.value[0].text = bsim_plain_kernel(kernel->name, SHOWN_COLUMNS, name, sizeof name);
    add_row(&row, out);
    if (kernel->timed.is_timed) {
        uint64_t stalls = bsim_stalls_total(&kernel->timed.stalls);
        bsim_buffer_printf(out, ", \"stalls\": %" PRIu64, stalls);
    }
    bsim_buffer_printf(
        out,
        ", \"grid_size\": [%" PRIu32 ", %" PRIu32 ", %" PRIu32 "], \"block_size\": [%" PRIu32
        ", %" PRIu32 ", %" PRIu32 "], \"bank_bytes\": %" PRIu32 ", \"description\": ",
        grid->x, grid->y, grid->z, block->x, block->y, block->z, kernel->device.bank_bytes);
    bsim_json_string(kernel->device.description, out);
    bsim_page_arrays(kernel, out);
    bsim_buffer_text(out, "}");
}

static void add_banks(const char *name, const uint64_t *number, uint32_t n_banks,
                      struct bsim_buffer *out)
{
    bsim_buffer_printf(out, ", \"%s\": [", name);
    for (uint32_t bank = 0; bank < n_banks; bank++) {
        bsim_buffer_printf(out, "%s%" PRIu64, bank > 0 ? "," : "", number[bank]);
    }
    bsim_buffer_text(out, "]");
}

static void add_patterns(const struct bsim_survey *survey, const struct bsim_survey_site *site,
                         const struct bsim_device *device, uint64_t requests,
                         struct bsim_buffer *out)
{
    uint64_t shown = 0;
    bsim_buffer_text(out, ", \"patterns\": [");
    for (size_t i = 0; i < site->n_patterns; i++) {
        const struct bsim_survey_pattern *pattern = &survey->patterns[site->first + i];
        bsim_buffer_text(out, i > 0 ? ",\n" : "\n");
        bsim_survey_pattern_json(pattern, device, out);
        shown += pattern->n;
    }
    bsim_buffer_printf(out, "], \"left_out\": %" PRIu64, requests - shown);
}

/* Leaves the object open. */
static void add_site(const struct bsim_page *page, const struct entry *entry, bool patterns,
                     struct bsim_buffer *out)
{
    struct bsim_row row;
    const struct bsim_survey *survey = page->survey;
    const struct bsim_kernel_result *kernel = &page->result->kernels[entry->kernel];
    const struct bsim_site_result *site = entry->site;
    const struct bsim_survey_site *found =
        bsim_survey_find(survey, entry->kernel, site->number, &site->opcode);
    bsim_row_site(kernel, site, &row);
    row.value[0].text = ""; /* the kernel's name stands with the kernel */
    add_row(&row, out);
    bsim_buffer_printf(out, ", \"bytes\": %" PRIu32, (uint32_t)site->opcode.bytes);
    if (found != NULL) {
        add_banks("bank_turns", found->turns, kernel->device.n_banks, out);
        add_banks("held_up", found->held_up, kernel->device.n_banks, out);
    }
    if (found != NULL && patterns) {
        add_patterns(survey, found, &kernel->device, site->tally.requests, out);
    }
}

/* ---- which ones ----------------------------------------------------------------------------- */

static int by_weight(const void *a, const void *b)
{
    const struct entry *x = *(struct entry *const *)a;
    const struct entry *y = *(struct entry *const *)b;
    if (x->cost != y->cost) {
        return x->cost > y->cost ? -1 : 1;
    }
    if (x->excessive != y->excessive) {
        return x->excessive > y->excessive ? -1 : 1;
    }
    if (x->requests != y->requests) {
        return x->requests > y->requests ? -1 : 1;
    }
    return x < y ? -1 : x > y;
}

/* Keeps the worst entries that fit; fails if memory is short. */
static bool choose(struct entries *entries, size_t budget_bytes)
{
    if (entries->n == 0) {
        return true;
    }
    struct entry **order = bsim_mem_resize(NULL, entries->n, sizeof *order);
    if (order == NULL) {
        return false;
    }
    for (size_t i = 0; i < entries->n; i++) {
        order[i] = &entries->entry[i];
    }
    qsort(order, entries->n, sizeof *order, by_weight);
    size_t size_bytes = 0;
    for (size_t i = 0; i < entries->n; i++) {
        size_bytes += order[i]->size_bytes;
        order[i]->is_kept = size_bytes <= budget_bytes;
    }
    bsim_mem_free(order);
    return true;
}

static bool list_kernels(const struct bsim_page *page, struct entries *entries)
{
    const struct bsim_result *result = page->result;
    struct bsim_buffer scratch = BSIM_BUFFER_EMPTY;
    entries->n = result->n_kernels;
    entries->entry = bsim_mem_zeroed(entries->n + 1, sizeof *entries->entry);
    for (size_t k = 0; entries->entry != NULL && k < entries->n; k++) {
        const struct bsim_kernel_result *kernel = &result->kernels[k];
        struct bsim_tally total = bsim_kernel_total(kernel);
        bsim_buffer_clear(&scratch);
        add_kernel(page, k, &scratch);
        entries->entry[k] = (struct entry){.kernel = k,
                                           .cost = bsim_cost_of_kernel(kernel).amount,
                                           .excessive = bsim_tally_excessive(&total),
                                           .requests = total.requests,
                                           .size_bytes = scratch.size_bytes};
    }
    bool fine = entries->entry != NULL && !scratch.failed;
    bsim_buffer_free(&scratch);
    return fine && choose(entries, KERNELS_BUDGET_BYTES);
}

static size_t count_sites(const struct bsim_result *result)
{
    size_t n = 0;
    for (size_t k = 0; k < result->n_kernels; k++) {
        n += result->kernels[k].n_sites;
    }
    return n;
}

static bool list_sites(const struct bsim_page *page, const struct entries *kernels,
                       struct entries *entries)
{
    const struct bsim_result *result = page->result;
    struct bsim_buffer scratch = BSIM_BUFFER_EMPTY;
    entries->entry = bsim_mem_zeroed(count_sites(result) + 1, sizeof *entries->entry);
    for (size_t k = 0; entries->entry != NULL && k < result->n_kernels; k++) {
        const struct bsim_kernel_result *kernel = &result->kernels[k];
        for (size_t i = 0; kernels->entry[k].is_kept && i < kernel->n_sites; i++) {
            const struct bsim_site_result *site = &kernel->sites[i];
            if (!bsim_row_has(site)) {
                continue;
            }
            struct entry *entry = &entries->entry[entries->n++];
            *entry = (struct entry){.kernel = k,
                                    .site = site,
                                    .cost = bsim_cost_of_site(kernel, site).amount,
                                    .excessive = bsim_tally_excessive(&site->tally),
                                    .requests = site->requests};
            bsim_buffer_clear(&scratch);
            add_site(page, entry, false, &scratch);
            entry->size_bytes = scratch.size_bytes;
        }
    }
    bool fine = entries->entry != NULL && !scratch.failed;
    bsim_buffer_free(&scratch);
    return fine && choose(entries, SITES_BUDGET_BYTES);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static uint64_t n_left_out(const struct entries *entries)
{
    uint64_t n = 0;
    for (size_t i = 0; i < entries->n; i++) {
        n += !entries->entry[i].is_kept;
    }
    return n;
}

static void add_entries(const struct bsim_page *page, const struct entries *kernels,
                        const struct entries *sites, struct bsim_buffer *out)
{
    const char *separator = "\n";
    struct bsim_row row;
    bsim_buffer_printf(out, "{\"banksim\": \"%s\", \"total\": ", bsim_version());
    bsim_row_total(page->result, &row);
    bsim_json_row(&row, out);
    bsim_buffer_printf(out, "},\n\"kernels_left_out\": %" PRIu64 ", \"kernels\": [",
                       n_left_out(kernels));
    for (size_t k = 0; k < kernels->n; k++) {
        if (kernels->entry[k].is_kept) {
            bsim_buffer_printf(out, "%s{\"id\": %zu, \"row\": ", separator, k);
            add_kernel(page, k, out);
            bsim_buffer_text(out, "}");
            separator = ",\n";
        }
    }
    separator = "\n";
    bsim_buffer_printf(out, "],\n\"sites_left_out\": %" PRIu64 ", \"sites\": [", n_left_out(sites));
    for (size_t i = 0; i < sites->n; i++) {
        if (sites->entry[i].is_kept) {
            bsim_buffer_printf(out, "%s{\"kernel\": %zu, \"row\": ", separator,
                               sites->entry[i].kernel);
            add_site(page, &sites->entry[i], true, out);
            bsim_buffer_text(out, "}}");
            separator = ",\n";
        }
    }
    bsim_buffer_text(out, "]}");
}

enum bsim_status bsim_page_data(const struct bsim_page *page, struct bsim_buffer *out,
                                struct bsim_error *err)
{
    struct entries kernels = {NULL, 0};
    struct entries sites = {NULL, 0};
    enum bsim_status status = bsim_survey_arrange(page->survey, err);
    if (status == BSIM_OK && list_kernels(page, &kernels) && list_sites(page, &kernels, &sites)) {
        add_entries(page, &kernels, &sites, out);
    } else if (status == BSIM_OK) {
        status = bsim_mem_short(err);
    }
    bsim_mem_free(kernels.entry);
    bsim_mem_free(sites.entry);
    return status;
}
