/* text.c - results for people: a table of kernels, or one of sites for each kernel, what it rests
 * on, and a verdict in words.
 *
 * The devices' own words: from compute capability 5 on a request is issued once and takes one or
 * more wavefronts; on Kepler a conflicting request is issued again for each further pass, so its
 * table says passes and has a column of replays.
 */
#include "report/basis.h"
#include "report/capacity.h"
#include "report/cycles.h"
#include "report/plain.h"
#include "report/render.h"
#include "report/row.h"
#include "report/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Longer names are cut, so that the first table of kernels fits 120 columns. */
enum { NAME_COLUMNS = 36, FILE_COLUMNS = 40, TEXT_COLUMNS = 60 };

/* What a table row is made of. site is NULL in a table of kernels, cycles where they are not known. */
struct item {
    const struct bsim_kernel_result *kernel;
    const struct bsim_site_result *site;
    const struct bsim_kernel_cycles *cycles;
};

static void put(char cell[BSIM_CELL_SIZE], const char *text)
{
    (void)snprintf(cell, BSIM_CELL_SIZE, "%s", text);
}

static void put_number(char cell[BSIM_CELL_SIZE], uint64_t number)
{
    (void)snprintf(cell, BSIM_CELL_SIZE, "%" PRIu64, number);
}

/* "32", "2.50", "1.33"; "-" without divisor. */
static void put_ratio(char cell[BSIM_CELL_SIZE], uint64_t number, uint64_t divisor)
{
    if (divisor == 0) {
        put(cell, "-");
    } else if (number % divisor == 0) {
        put_number(cell, number / divisor);
    } else {
        (void)snprintf(cell, BSIM_CELL_SIZE, "%.2f", (double)number / (double)divisor);
    }
}

static void put_ways(char cell[BSIM_CELL_SIZE], const struct bsim_tally *tally)
{
    if (tally->ways_min == tally->ways_max) {
        (void)snprintf(cell, BSIM_CELL_SIZE, "%" PRIu32, tally->ways_max);
    } else {
        (void)snprintf(cell, BSIM_CELL_SIZE, "%" PRIu32 "-%" PRIu32, tally->ways_min,
                       tally->ways_max);
    }
}

static struct bsim_tally tally_of(const void *p)
{
    const struct item *item = p;
    return item->site != NULL ? item->site->tally : bsim_kernel_total(item->kernel);
}

static void kernel_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    (void)bsim_plain(((const struct item *)p)->kernel->name, NAME_COLUMNS, cell, BSIM_CELL_SIZE);
}

static void requests_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    const struct item *item = p;
    put_number(cell, item->site != NULL ? item->site->requests : tally_of(p).requests);
}

static void wavefronts_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    struct bsim_tally tally = tally_of(p);
    if (tally.requests > 0) {
        put_number(cell, tally.wavefronts);
        bsim_cell_least(cell, bsim_rules_are_least(tally.rules));
    } else {
        put(cell, "-");
    }
}

static void per_request_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    struct bsim_tally tally = tally_of(p);
    put_ratio(cell, tally.wavefronts, tally.requests);
    bsim_cell_least(cell, bsim_rules_are_least(tally.rules));
}

static void class_cell(const void *p, enum bsim_class c, char cell[BSIM_CELL_SIZE])
{
    const struct bsim_tally *tally = &((const struct item *)p)->kernel->tally[c];
    put_ratio(cell, tally->wavefronts, tally->requests);
    bsim_cell_least(cell, bsim_rules_are_least(tally->rules));
}

static void loads_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    class_cell(p, BSIM_LOADS, cell);
}

static void stores_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    class_cell(p, BSIM_STORES, cell);
}

static void atomics_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    class_cell(p, BSIM_ATOMICS, cell);
}

static void excessive_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    struct bsim_tally tally = tally_of(p);
    put_number(cell, bsim_tally_excessive(&tally));
    bsim_cell_least(cell, bsim_rules_are_least(tally.rules));
}

static void replays_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_number(cell, tally_of(p).replays);
}

static void ways_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    struct bsim_tally tally = tally_of(p);
    if (tally.requests > 0) {
        put_ways(cell, &tally);
    } else {
        put(cell, "-");
    }
}

static void put_percent(char cell[BSIM_CELL_SIZE], uint64_t part, uint64_t whole)
{
    if (whole == 0) {
        put(cell, "-");
    } else {
        (void)snprintf(cell, BSIM_CELL_SIZE, "%.1f %%", 100.0 * (double)part / (double)whole);
    }
}

static void efficiency_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    struct bsim_tally tally = tally_of(p);
    put_percent(cell, tally.bytes_asked, tally.bytes_moved);
}

static void bank_use_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    struct bsim_tally tally = tally_of(p);
    put_percent(cell, tally.bytes_served, tally.bytes_moved);
}

static void device_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put(cell, ((const struct item *)p)->kernel->device.name);
}

/* ---- global and constant memory: requests, sectors or passes per request -------------------- */

static const struct bsim_global_tally *global_of(const void *p, enum bsim_class c)
{
    return &((const struct item *)p)->kernel->global[c];
}

static void gld_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_number(cell, global_of(p, BSIM_LOADS)->requests);
}

static void gld_sectors_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_ratio(cell, global_of(p, BSIM_LOADS)->sectors, global_of(p, BSIM_LOADS)->requests);
}

static void gst_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_number(cell, global_of(p, BSIM_STORES)->requests);
}

static void gst_sectors_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_ratio(cell, global_of(p, BSIM_STORES)->sectors, global_of(p, BSIM_STORES)->requests);
}

static void gatom_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_number(cell, global_of(p, BSIM_ATOMICS)->requests);
}

static void gatom_sectors_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_ratio(cell, global_of(p, BSIM_ATOMICS)->sectors, global_of(p, BSIM_ATOMICS)->requests);
}

static void put_space(const void *p, enum bsim_space space, enum bsim_class c, bool per_request,
                      char cell[BSIM_CELL_SIZE])
{
    struct bsim_global_tally sum = bsim_kernel_space(((const struct item *)p)->kernel, space, c);
    if (per_request) {
        put_ratio(cell, sum.sectors, sum.requests);
    } else {
        put_number(cell, sum.requests);
    }
}

static void local_loads_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_space(p, BSIM_LOCAL, BSIM_LOADS, false, cell);
}

static void local_load_sectors_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_space(p, BSIM_LOCAL, BSIM_LOADS, true, cell);
}

static void local_stores_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_space(p, BSIM_LOCAL, BSIM_STORES, false, cell);
}

static void local_store_sectors_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_space(p, BSIM_LOCAL, BSIM_STORES, true, cell);
}

static void texture_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_space(p, BSIM_TEXTURE, BSIM_LOADS, false, cell);
}

static void texture_sectors_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_space(p, BSIM_TEXTURE, BSIM_LOADS, true, cell);
}

static void constant_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_number(cell, ((const struct item *)p)->kernel->constant_requests);
}

static void constant_passes_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    const struct bsim_kernel_result *kernel = ((const struct item *)p)->kernel;
    put_ratio(cell, kernel->constant_passes, kernel->constant_requests);
}

static void site_sectors_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    const struct bsim_site_result *site = ((const struct item *)p)->site;
    put_ratio(cell, site->global.sectors, site->global.requests);
}

static void site_passes_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    const struct bsim_site_result *site = ((const struct item *)p)->site;
    put_ratio(cell, site->constant_passes, site->opcode.space == BSIM_CONST ? site->requests : 0);
}

/* ---- cycles: shares are of the time of all warps -------------------------------------------- */

static const struct bsim_kernel_cycles *cycles_of(const void *p)
{
    return ((const struct item *)p)->cycles;
}

static void put_share(char cell[BSIM_CELL_SIZE], uint64_t part, const struct bsim_stalls *whole)
{
    uint64_t total = bsim_stalls_total(whole);
    if (total == 0) {
        put(cell, "-");
    } else {
        (void)snprintf(cell, BSIM_CELL_SIZE, "%.0f %%", 100.0 * (double)part / (double)total);
    }
}

static void cycles_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_number(cell, cycles_of(p)->cycles);
}

static void cycles_ideal_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    if (cycles_of(p)->ideal) {
        put_number(cell, cycles_of(p)->cycles_ideal);
    } else {
        put(cell, "-");
    }
}

static void cycles_bound_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_number(cell, cycles_of(p)->cycles_bound);
}

static void issue_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_share(cell, cycles_of(p)->stalls.issue, &cycles_of(p)->stalls);
}

static void pipe_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_share(cell, cycles_of(p)->stalls.pipe, &cycles_of(p)->stalls);
}

static void latency_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_share(cell, cycles_of(p)->stalls.latency, &cycles_of(p)->stalls);
}

static void barrier_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_share(cell, cycles_of(p)->stalls.barrier, &cycles_of(p)->stalls);
}

static void launch_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    const struct bsim_kernel_cycles *cycles = cycles_of(p);
    if (cycles->waves == 0) {
        put(cell, "-");
    } else if (cycles->device.clock_mhz == 0) {
        (void)snprintf(cell, BSIM_CELL_SIZE, "%" PRIu64 " cycles", cycles->launch_cycles);
    } else {
        (void)bsim_cycles_time(cycles->launch_cycles, cycles->device.clock_mhz, cell,
                               BSIM_CELL_SIZE);
    }
}

/* Of the warps' time, what this site's requests hold them up. */
static void site_stall_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    const struct item *item = p;
    const struct bsim_site_cycles *site = bsim_cycles_of_site(item->cycles, item->site);
    if (site != NULL) {
        put_share(cell, site->stalls.pipe + site->stalls.latency, &item->cycles->stalls);
    } else {
        put(cell, "-");
    }
}

/* How many times as fast the kernel would be without this site's conflicts; "?" says that there is an
 * answer which nobody has worked out. */
static void site_speedup_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    const struct item *item = p;
    const struct bsim_site_cycles *site = bsim_cycles_of_site(item->cycles, item->site);
    if (site != NULL && site->left_out) {
        put(cell, "?");
    } else if (site != NULL && item->cycles->ideal_sites && site->turns > site->turns_ideal) {
        (void)snprintf(cell, BSIM_CELL_SIZE, "%.2f",
                       (double)item->cycles->cycles / (double)site->cycles_ideal);
    } else {
        put(cell, "-");
    }
}

/* ---- sites ---------------------------------------------------------------------------------- */

static void site_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    uint32_t number = ((const struct item *)p)->site->number;
    if (number > 0) {
        put_number(cell, number);
    } else {
        put(cell, "-");
    }
}

static void opcode_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    char name[BSIM_OPCODE_NAME_SIZE];
    put(cell, bsim_opcode_name(&((const struct item *)p)->site->opcode, name));
}

/* "square.cu:14  out[idx] = tile[threadIdx.x][threadIdx.y]", or the half of it that is known. */
static void source_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    const struct bsim_site_result *site = ((const struct item *)p)->site;
    char part[BSIM_CELL_SIZE];
    size_t used = 0;
    cell[0] = '\0';
    if (site->file != NULL) {
        const char *slash = strrchr(site->file, '/');
        const char *base = slash != NULL ? slash + 1 : site->file;
        used = (size_t)snprintf(cell, BSIM_CELL_SIZE, "%s:%" PRIu32 "%s",
                                bsim_plain(base, FILE_COLUMNS, part, FILE_COLUMNS), site->line,
                                site->text != NULL ? "  " : "");
    }
    if (site->text != NULL) {
        (void)bsim_plain(site->text, TEXT_COLUMNS, cell + used, BSIM_CELL_SIZE - used);
    }
}

/* ---- the heads ------------------------------------------------------------------------------ */

static bool one_device(const struct bsim_result *result)
{
    for (size_t k = 1; k < result->n_kernels; k++) {
        if (strcmp(result->kernels[k].device.name, result->kernels[0].device.name) != 0) {
            return false;
        }
    }
    return true;
}

static bool any_replays(const struct bsim_result *result)
{
    for (size_t k = 0; k < result->n_kernels; k++) {
        if (result->kernels[k].device.replays) {
            return true;
        }
    }
    return false;
}

static void add_device(const struct bsim_result *result, struct bsim_buffer *out)
{
    if (result->n_kernels == 0) {
        bsim_buffer_text(out, "The trace has no kernel.\n");
        return;
    }
    const struct bsim_device *device = &result->kernels[0].device;
    if (!one_device(result)) {
        bsim_buffer_text(out, "Several devices.\n");
        return;
    }
    bsim_buffer_printf(out, "%s (%s): %" PRIu32 " banks, %" PRIu32 " bytes wide%s\n", device->name,
                       device->description, device->n_banks, device->bank_bytes,
                       device->stride_bytes != device->bank_bytes ? ", in 4-byte mode" : "");
}

static void add_column(struct bsim_column *columns, size_t *n, const char *title,
                       bsim_cell_fn *cell, bool left, bool warning)
{
    columns[(*n)++] =
        (struct bsim_column){.title = title, .left = left, .warning = warning, .cell = cell};
}

static size_t kernel_columns(const struct bsim_result *result, struct bsim_column *columns)
{
    size_t n = 0;
    bool replays = any_replays(result);
    add_column(columns, &n, "kernel", kernel_cell, true, false);
    if (!one_device(result)) {
        add_column(columns, &n, "device", device_cell, true, false);
    }
    add_column(columns, &n, "requests", requests_cell, false, false);
    add_column(columns, &n, replays ? "passes" : "wavefronts", wavefronts_cell, false, false);
    add_column(columns, &n, "load/req", loads_cell, false, false);
    add_column(columns, &n, "store/req", stores_cell, false, false);
    add_column(columns, &n, "atomic/req", atomics_cell, false, false);
    add_column(columns, &n, "excessive", excessive_cell, false, true);
    if (replays) {
        add_column(columns, &n, "replays", replays_cell, false, true);
    }
    add_column(columns, &n, "ways", ways_cell, false, true);
    add_column(columns, &n, "efficiency", efficiency_cell, false, false);
    add_column(columns, &n, "bank use", bank_use_cell, false, false);
    return n;
}

static bool touches(const struct bsim_kernel_result *kernel, enum bsim_space space)
{
    for (size_t i = 0; i < kernel->n_sites; i++) {
        if (kernel->sites[i].opcode.space == space && kernel->sites[i].requests > 0) {
            return true;
        }
    }
    return false;
}

static bool any_touches(const struct bsim_result *result, enum bsim_space space)
{
    for (size_t k = 0; k < result->n_kernels; k++) {
        if (touches(&result->kernels[k], space)) {
            return true;
        }
    }
    return false;
}

/* Whether there is more than shared memory. */
static bool touches_other(const struct bsim_result *result)
{
    return any_touches(result, BSIM_GLOBAL) || any_touches(result, BSIM_LOCAL) ||
           any_touches(result, BSIM_TEXTURE) || any_touches(result, BSIM_CONST);
}

static bool any_global_atomics(const struct bsim_result *result)
{
    for (size_t k = 0; k < result->n_kernels; k++) {
        if (result->kernels[k].global[BSIM_ATOMICS].requests > 0) {
            return true;
        }
    }
    return false;
}

static size_t other_columns(const struct bsim_result *result, struct bsim_column *columns)
{
    size_t n = 0;
    add_column(columns, &n, "kernel", kernel_cell, true, false);
    if (any_touches(result, BSIM_GLOBAL)) {
        add_column(columns, &n, "global loads", gld_cell, false, false);
        add_column(columns, &n, "sectors/req", gld_sectors_cell, false, false);
        add_column(columns, &n, "global stores", gst_cell, false, false);
        add_column(columns, &n, "sectors/req", gst_sectors_cell, false, false);
    }
    if (any_global_atomics(result)) {
        add_column(columns, &n, "atomics", gatom_cell, false, false);
        add_column(columns, &n, "sectors/req", gatom_sectors_cell, false, false);
    }
    if (any_touches(result, BSIM_LOCAL)) {
        add_column(columns, &n, "local loads", local_loads_cell, false, false);
        add_column(columns, &n, "sectors/req", local_load_sectors_cell, false, false);
        add_column(columns, &n, "local stores", local_stores_cell, false, false);
        add_column(columns, &n, "sectors/req", local_store_sectors_cell, false, false);
    }
    if (any_touches(result, BSIM_TEXTURE)) {
        add_column(columns, &n, "textures", texture_cell, false, false);
        add_column(columns, &n, "sectors/req", texture_sectors_cell, false, false);
    }
    if (any_touches(result, BSIM_CONST)) {
        add_column(columns, &n, "constant", constant_cell, false, false);
        add_column(columns, &n, "passes/req", constant_passes_cell, false, true);
    }
    return n;
}

static size_t cycles_columns(struct bsim_column *columns)
{
    size_t n = 0;
    add_column(columns, &n, "kernel", kernel_cell, true, false);
    add_column(columns, &n, "cycles", cycles_cell, false, false);
    add_column(columns, &n, "ideal", cycles_ideal_cell, false, false);
    add_column(columns, &n, "data pipe", cycles_bound_cell, false, false);
    add_column(columns, &n, "issuing", issue_cell, false, false);
    add_column(columns, &n, "held up", pipe_cell, false, false);
    add_column(columns, &n, "results", latency_cell, false, false);
    add_column(columns, &n, "barriers", barrier_cell, false, false);
    add_column(columns, &n, "launch", launch_cell, false, false);
    return n;
}

static size_t site_columns(bool replays, const struct bsim_kernel_result *kernel,
                           const struct bsim_kernel_cycles *cycles, struct bsim_column *columns)
{
    size_t n = 0;
    add_column(columns, &n, "site", site_cell, false, false);
    add_column(columns, &n, "opcode", opcode_cell, true, false);
    add_column(columns, &n, "requests", requests_cell, false, false);
    add_column(columns, &n, replays ? "passes" : "wavefronts", wavefronts_cell, false, false);
    add_column(columns, &n, "per request", per_request_cell, false, false);
    add_column(columns, &n, "excessive", excessive_cell, false, true);
    if (replays) {
        add_column(columns, &n, "replays", replays_cell, false, true);
    }
    add_column(columns, &n, "ways", ways_cell, false, true);
    if (touches(kernel, BSIM_GLOBAL) || touches(kernel, BSIM_LOCAL) ||
        touches(kernel, BSIM_TEXTURE)) {
        add_column(columns, &n, "sectors/req", site_sectors_cell, false, false);
    }
    if (touches(kernel, BSIM_CONST)) {
        add_column(columns, &n, "const/req", site_passes_cell, false, true);
    }
    if (cycles != NULL) {
        add_column(columns, &n, "stalls", site_stall_cell, false, false);
        add_column(columns, &n, "speed-up", site_speedup_cell, false, false);
    }
    add_column(columns, &n, "source", source_cell, true, false);
    return n;
}

/* ---- the tables ----------------------------------------------------------------------------- */

static void add_table(const struct bsim_buffer *items, const struct bsim_column *columns,
                      size_t n_columns, bool colour, struct bsim_buffer *out)
{
    struct bsim_table table = {
        .columns = columns,
        .n_columns = n_columns,
        .items = items->data,
        .n_items = items->size_bytes / sizeof(struct item),
        .item_bytes = sizeof(struct item),
        .colour = colour,
    };
    bsim_table_render(&table, out);
}

static void add_kernels(const struct bsim_result *result, bool colour, struct bsim_buffer *out)
{
    struct bsim_column columns[BSIM_TABLE_MAX_COLUMNS];
    struct bsim_buffer items = BSIM_BUFFER_EMPTY;
    for (size_t k = 0; k < result->n_kernels; k++) {
        struct item item = {&result->kernels[k], NULL, NULL};
        bsim_buffer_add(&items, &item, sizeof item);
    }
    bsim_buffer_text(out, "load/req, store/req, atomic/req: transactions per request\n"
                          "efficiency: bytes that lanes ask for, bank use: bytes that banks serve, "
                          "of what fits\n\n");
    add_table(&items, columns, kernel_columns(result, columns), colour, out);
    if (touches_other(result)) {
        bsim_buffer_text(out, "\n");
        add_table(&items, columns, other_columns(result, columns), colour, out);
    }
    out->failed = out->failed || items.failed;
    bsim_buffer_free(&items);
}

/* One kernel's cycles in words, those of several as a table. */
static void add_cycles(const struct bsim_result *result, const struct bsim_cycles *cycles,
                       bool colour, struct bsim_buffer *out)
{
    struct bsim_column columns[BSIM_TABLE_MAX_COLUMNS];
    struct bsim_buffer items = BSIM_BUFFER_EMPTY;
    if (cycles != NULL && result->n_kernels == 1) {
        bsim_buffer_text(out, bsim_cycles_known(&cycles->kernels[0]) != NULL ? "\n" : "");
        bsim_cycles_text(&result->kernels[0], &cycles->kernels[0], out);
        return;
    }
    for (size_t k = 0; k < result->n_kernels; k++) {
        struct item item = {&result->kernels[k], NULL,
                            bsim_cycles_known(bsim_cycles_of_kernel(cycles, k))};
        if (item.cycles != NULL) {
            bsim_buffer_add(&items, &item, sizeof item);
        }
    }
    if (items.size_bytes > 0) {
        bsim_buffer_text(out,
                         "\ncycles, of each block alone on an SM; ideal: without conflicts; data "
                         "pipe: what it takes alone;\nan average warp's time: issuing, held up by "
                         "the data pipe, waiting for results, at barriers;\nlaunch: estimated, "
                         "shared memory alone\n\n");
        add_table(&items, columns, cycles_columns(columns), colour, out);
    }
    out->failed = out->failed || items.failed;
    bsim_buffer_free(&items);
}

/* What holds for all kernels, looked for once. */
struct shape {
    bool one_device, replays, colour;
};

/* The sites of one kernel, under its name. cycles may be NULL. */
static void add_sites(const struct shape *shape, const struct bsim_kernel_result *kernel,
                      const struct bsim_kernel_cycles *cycles, struct bsim_buffer *out)
{
    struct bsim_column columns[BSIM_TABLE_MAX_COLUMNS];
    struct bsim_buffer items = BSIM_BUFFER_EMPTY;
    char name[BSIM_CELL_SIZE];
    for (size_t i = 0; i < kernel->n_sites; i++) {
        struct item item = {kernel, &kernel->sites[i], bsim_cycles_known(cycles)};
        if (bsim_row_has(item.site)) {
            bsim_buffer_add(&items, &item, sizeof item);
        }
    }
    bsim_buffer_printf(
        out, "\n%s%s%s%s\n", bsim_plain(kernel->name, (size_t)2 * NAME_COLUMNS, name, sizeof name),
        shape->one_device ? "" : " on ", shape->one_device ? "" : kernel->device.name,
        items.size_bytes == 0 ? ": no accesses" : "");
    if (items.size_bytes > 0) {
        add_table(&items, columns,
                  site_columns(shape->replays, kernel, bsim_cycles_known(cycles), columns),
                  shape->colour, out);
    }
    bsim_cycles_left_out_sites_text(bsim_cycles_known(cycles), out);
    bsim_cycles_text(kernel, cycles, out);
    out->failed = out->failed || items.failed;
    bsim_buffer_free(&items);
}

static const char *unit_of(const struct bsim_result *result, uint64_t n)
{
    return any_replays(result) ? (n == 1 ? "pass" : "passes")
                               : (n == 1 ? "wavefront" : "wavefronts");
}

static void add_total(const struct bsim_result *result, struct bsim_buffer *out)
{
    struct bsim_tally total = {0};
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        struct bsim_tally class = bsim_result_class(result, (enum bsim_class)c);
        bsim_tally_add(&total, &class);
    }
    bsim_buffer_printf(out,
                       "total: %" PRIu64 " shared request%s, %s%" PRIu64 " %s, %" PRIu64
                       " excessive; %" PRIu64 " with a broadcast, %" PRIu64 " with a multicast\n",
                       total.requests, total.requests == 1 ? "" : "s",
                       bsim_rules_are_least(total.rules) ? "at least " : "", total.wavefronts,
                       unit_of(result, total.wavefronts), bsim_tally_excessive(&total),
                       total.broadcasts, total.multicasts);
}

static uint32_t most_shared(const struct bsim_result *result)
{
    uint32_t most = 0;
    for (size_t k = 0; k < result->n_kernels; k++) {
        most = result->kernels[k].shared_bytes > most ? result->kernels[k].shared_bytes : most;
    }
    return most;
}

void bsim_text_result(const struct bsim_result *result, const struct bsim_cycles *cycles,
                      bool sites, bool colour, struct bsim_buffer *out)
{
    add_device(result, out);
    if (result->n_kernels == 0) {
        return;
    }
    if (!sites) {
        add_kernels(result, colour, out);
        add_cycles(result, cycles, colour, out);
    }
    const struct shape shape = {one_device(result), any_replays(result), colour};
    for (size_t k = 0; sites && k < result->n_kernels; k++) {
        add_sites(&shape, &result->kernels[k], bsim_cycles_of_kernel(cycles, k), out);
    }
    bsim_buffer_text(out, "\n");
    add_total(result, out);
    struct bsim_cycles_notes notes = {.n_kernels = 0};
    for (size_t k = 0; k < result->n_kernels; k++) {
        bsim_cycles_note(&notes, &result->kernels[k], bsim_cycles_of_kernel(cycles, k));
    }
    bsim_cycles_left_out_text(&notes, out);
    bsim_cycles_notes_free(&notes);
    bsim_capacity_opt_in(most_shared(result), out);
    bsim_basis_text(result, BSIM_NVPROF_BIT, out);
    bsim_cycles_basis_text(cycles, out);
    bsim_verdict_text(result, cycles, out);
}
