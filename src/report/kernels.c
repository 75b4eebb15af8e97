/* kernels.c - results for people: a table of kernels, or one of sites for each kernel, what it rests
 * on, and a verdict in words.
 *
 * The devices' own words: from compute capability 5 on a request is issued once and takes one or
 * more wavefronts; on Kepler a conflicting request is issued again for each further pass, so its
 * table says passes and has a column of replays.
 *
 * There may be any number of kernels, which come one by one and are gone then. What a line says of one is
 * kept as cells; which columns are shown, and how wide they are, is known behind the last.
 */
#include "report/kernels.h"

#include "report/capacity.h"
#include "report/plain.h"
#include "report/row.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Longer names are cut, so that the first table of kernels fits 120 columns. */
enum { NAME_COLUMNS = 36, FILE_COLUMNS = 40, TEXT_COLUMNS = 60 };

/* What a table row is made of. site is NULL in a table of kernels. */
struct item {
    const struct bsim_kernel_result *kernel;
    const struct bsim_site_result *site;
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
    return &((const struct item *)p)->kernel->timed;
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

static struct bsim_memory_cycles memory_of(const void *p)
{
    struct bsim_memory_cycles memory = {.at_least = 0};
    (void)bsim_cycles_with_memory(((const struct item *)p)->kernel, &memory);
    return memory;
}

static void at_least_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_number(cell, memory_of(p).at_least);
}

static void in_turn_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    put_number(cell, memory_of(p).in_turn);
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
    uint32_t clock_mhz = ((const struct item *)p)->kernel->device.clock_mhz;
    if (cycles->waves == 0) {
        put(cell, "-");
    } else if (clock_mhz == 0) {
        (void)snprintf(cell, BSIM_CELL_SIZE, "%" PRIu64 " cycles", cycles->launch_cycles);
    } else {
        (void)bsim_cycles_time(cycles->launch_cycles, clock_mhz, cell, BSIM_CELL_SIZE);
    }
}

/* Of the warps' time, what this site's requests hold them up. */
static void site_stall_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    const struct item *item = p;
    const struct bsim_site_cycles *site = bsim_cycles_of_site(item->kernel, item->site);
    if (site != NULL) {
        put_share(cell, site->stalls.pipe + site->stalls.latency, &item->kernel->timed.stalls);
    } else {
        put(cell, "-");
    }
}

/* How many times as fast the kernel would be without this site's conflicts; "?" says that there is an
 * answer which nobody has worked out. */
static void site_speedup_cell(const void *p, char cell[BSIM_CELL_SIZE])
{
    const struct item *item = p;
    const struct bsim_site_cycles *site = bsim_cycles_of_site(item->kernel, item->site);
    if (site != NULL && site->left_out) {
        put(cell, "?");
    } else if (site != NULL && item->kernel->timed.ideal_sites && site->turns > site->turns_ideal) {
        (void)snprintf(cell, BSIM_CELL_SIZE, "%.2f",
                       (double)item->kernel->timed.cycles / (double)site->cycles_ideal);
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

/* ---- the columns ---------------------------------------------------------------------------- */

/* Where something of kernel_rows and other_rows stands that depends on all kernels. */
enum { DEVICE_COLUMN = 1, WAVEFRONTS_COLUMN = 3, REPLAYS_COLUMN = 8 };
enum {
    GLOBAL_COLUMNS = 1,
    ATOMIC_COLUMNS = 5,
    LOCAL_COLUMNS = 7,
    TEXTURE_COLUMNS = 11,
    CONSTANT_COLUMNS = 13,
    N_OTHER_COLUMNS = 15
};

static void add_column(struct bsim_rows *rows, const char *title, bsim_cell_fn *cell, bool left,
                       bool warning)
{
    bsim_rows_column(rows, (struct bsim_cell_column){
                               .title = title, .left = left, .warning = warning, .cell = cell});
}

static void kernel_columns(struct bsim_rows *rows)
{
    add_column(rows, "kernel", kernel_cell, true, false);
    add_column(rows, "device", device_cell, true, false);
    add_column(rows, "requests", requests_cell, false, false);
    add_column(rows, "wavefronts", wavefronts_cell, false, false);
    add_column(rows, "load/req", loads_cell, false, false);
    add_column(rows, "store/req", stores_cell, false, false);
    add_column(rows, "atomic/req", atomics_cell, false, false);
    add_column(rows, "excessive", excessive_cell, false, true);
    add_column(rows, "replays", replays_cell, false, true);
    add_column(rows, "ways", ways_cell, false, true);
    add_column(rows, "efficiency", efficiency_cell, false, false);
    add_column(rows, "bank use", bank_use_cell, false, false);
}

static void other_columns(struct bsim_rows *rows)
{
    add_column(rows, "kernel", kernel_cell, true, false);
    add_column(rows, "global loads", gld_cell, false, false);
    add_column(rows, "sectors/req", gld_sectors_cell, false, false);
    add_column(rows, "global stores", gst_cell, false, false);
    add_column(rows, "sectors/req", gst_sectors_cell, false, false);
    add_column(rows, "atomics", gatom_cell, false, false);
    add_column(rows, "sectors/req", gatom_sectors_cell, false, false);
    add_column(rows, "local loads", local_loads_cell, false, false);
    add_column(rows, "sectors/req", local_load_sectors_cell, false, false);
    add_column(rows, "local stores", local_stores_cell, false, false);
    add_column(rows, "sectors/req", local_store_sectors_cell, false, false);
    add_column(rows, "textures", texture_cell, false, false);
    add_column(rows, "sectors/req", texture_sectors_cell, false, false);
    add_column(rows, "constant", constant_cell, false, false);
    add_column(rows, "passes/req", constant_passes_cell, false, true);
}

static void cycles_columns(struct bsim_rows *rows)
{
    add_column(rows, "kernel", kernel_cell, true, false);
    add_column(rows, "cycles", cycles_cell, false, false);
    add_column(rows, "ideal", cycles_ideal_cell, false, false);
    add_column(rows, "data pipe", cycles_bound_cell, false, false);
    add_column(rows, "at least", at_least_cell, false, false);
    add_column(rows, "in turn", in_turn_cell, false, false);
    add_column(rows, "issuing", issue_cell, false, false);
    add_column(rows, "held up", pipe_cell, false, false);
    add_column(rows, "results", latency_cell, false, false);
    add_column(rows, "barriers", barrier_cell, false, false);
    add_column(rows, "launch", launch_cell, false, false);
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

static void site_columns(const struct bsim_kernel_result *kernel, struct bsim_rows *rows)
{
    bool replays = kernel->device.replays;
    add_column(rows, "site", site_cell, false, false);
    add_column(rows, "opcode", opcode_cell, true, false);
    add_column(rows, "requests", requests_cell, false, false);
    add_column(rows, replays ? "passes" : "wavefronts", wavefronts_cell, false, false);
    add_column(rows, "per request", per_request_cell, false, false);
    add_column(rows, "excessive", excessive_cell, false, true);
    if (replays) {
        add_column(rows, "replays", replays_cell, false, true);
    }
    add_column(rows, "ways", ways_cell, false, true);
    if (touches(kernel, BSIM_GLOBAL) || touches(kernel, BSIM_LOCAL) ||
        touches(kernel, BSIM_TEXTURE)) {
        add_column(rows, "sectors/req", site_sectors_cell, false, false);
    }
    if (touches(kernel, BSIM_CONST)) {
        add_column(rows, "const/req", site_passes_cell, false, true);
    }
    if (bsim_cycles_known(kernel) != NULL) {
        add_column(rows, "stalls", site_stall_cell, false, false);
        add_column(rows, "speed-up", site_speedup_cell, false, false);
    }
    add_column(rows, "source", source_cell, true, false);
}

/* ---- kernel by kernel ------------------------------------------------------------------------ */

void bsim_text_report_begin(struct bsim_text_report *text, bool sites, bool colour,
                            size_t limit_bytes)
{
    struct bsim_rows *tables[] = {&text->kernels, &text->others, &text->cycles};
    *text = (struct bsim_text_report){.sites = sites, .one_device = true};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        tables[i]->colour = colour;
        tables[i]->spool.limit_bytes = limit_bytes;
    }
    text->site_tables.limit_bytes = limit_bytes;
    kernel_columns(&text->kernels);
    other_columns(&text->others);
    cycles_columns(&text->cycles);
}

/* The sites of one kernel; nothing if there are none. */
static void add_site_table(const struct bsim_text_report *text,
                           const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    struct bsim_rows rows = {.colour = text->kernels.colour};
    bool is_empty = true;
    site_columns(kernel, &rows);
    for (size_t i = 0; i < kernel->n_sites; i++) {
        struct item item = {kernel, &kernel->sites[i]};
        if (bsim_row_has(item.site)) {
            bsim_rows_add(&rows, &item);
            is_empty = false;
        }
    }
    bsim_buffer_text(out, is_empty ? ": no accesses\n" : "\n");
    if (!is_empty) {
        bsim_rows_titles(&rows, out);
        while (bsim_rows_line(&rows, out)) {
        }
    }
    out->failed = out->failed || rows.spool.buffer.failed;
    bsim_rows_free(&rows);
}

/* Keeps the heading, its device, which stands there if there are several, and what comes then. */
static void add_sites(struct bsim_text_report *text, const struct bsim_kernel_result *kernel)
{
    char name[BSIM_CELL_SIZE];
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    bsim_buffer_printf(&out, "\n%s",
                       bsim_plain(kernel->name, (size_t)2 * NAME_COLUMNS, name, sizeof name));
    bsim_buffer_add(&out, "", 1);
    bsim_buffer_text(&out, kernel->device.name);
    bsim_buffer_add(&out, "", 1);
    add_site_table(text, kernel, &out);
    bsim_cycles_left_out_sites_text(kernel, &out);
    bsim_cycles_text(kernel, &out);
    bsim_buffer_add(&out, "", 1);
    bsim_spool_put(&text->site_tables, out.data, (uint32_t)out.size_bytes);
    text->site_tables.buffer.failed = text->site_tables.buffer.failed || out.failed;
    bsim_buffer_free(&out);
}

static void add_rows(struct bsim_text_report *text, const struct bsim_kernel_result *kernel)
{
    struct item item = {kernel, NULL};
    bool is_known = bsim_cycles_known(kernel) != NULL;
    bsim_rows_add(&text->kernels, &item);
    bsim_rows_add(&text->others, &item);
    if (is_known) {
        bsim_rows_add(&text->cycles, &item);
        text->n_cycles++;
    }
    if (text->n_kernels == 0) {
        bsim_buffer_text(&text->only_cycles, is_known ? "\n" : "");
        bsim_cycles_text(kernel, &text->only_cycles);
    }
}

static void note_shape(struct bsim_text_report *text, const struct bsim_kernel_result *kernel)
{
    if (text->n_kernels == 0) {
        text->device = kernel->device;
    }
    text->one_device = text->one_device && strcmp(kernel->device.name, text->device.name) == 0;
    text->replays = text->replays || kernel->device.replays;
    text->global = text->global || touches(kernel, BSIM_GLOBAL);
    text->atomics = text->atomics || kernel->global[BSIM_ATOMICS].requests > 0;
    text->local = text->local || touches(kernel, BSIM_LOCAL);
    text->texture = text->texture || touches(kernel, BSIM_TEXTURE);
    text->constant = text->constant || touches(kernel, BSIM_CONST);
    text->most_shared =
        kernel->shared_bytes > text->most_shared ? kernel->shared_bytes : text->most_shared;
}

void bsim_text_report_kernel(struct bsim_text_report *text, const struct bsim_kernel_result *kernel)
{
    struct bsim_tally total = bsim_kernel_total(kernel);
    note_shape(text, kernel);
    if (text->sites) {
        add_sites(text, kernel);
    } else {
        add_rows(text, kernel);
    }
    bsim_tally_add(&text->total, &total);
    bsim_cycles_note(&text->notes, kernel);
    bsim_basis_add(&text->basis, kernel);
    bsim_verdict_add(&text->verdict, kernel);
    text->n_kernels++;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void add_device(const struct bsim_text_report *text, struct bsim_buffer *out)
{
    const struct bsim_device *device = &text->device;
    if (text->n_kernels == 0) {
        bsim_buffer_text(out, "The trace has no kernel.\n");
        return;
    }
    if (!text->one_device) {
        bsim_buffer_text(out, "Several devices.\n");
        return;
    }
    bsim_buffer_printf(out, "%s (%s): %" PRIu32 " banks, %" PRIu32 " bytes wide%s\n", device->name,
                       device->description, device->n_banks, device->bank_bytes,
                       device->stride_bytes != device->bank_bytes ? ", in 4-byte mode" : "");
}

static void begin_kernels(struct bsim_text_report *text, struct bsim_buffer *out)
{
    struct bsim_cell_column *column = text->kernels.columns;
    column[DEVICE_COLUMN].title = text->one_device ? NULL : "device";
    column[WAVEFRONTS_COLUMN].title = text->replays ? "passes" : "wavefronts";
    column[REPLAYS_COLUMN].title = text->replays ? "replays" : NULL;
    bsim_buffer_text(out, "load/req, store/req, atomic/req: transactions per request\n"
                          "efficiency: bytes that lanes ask for, bank use: bytes that banks serve, "
                          "of what fits\n\n");
    bsim_rows_titles(&text->kernels, out);
}

static void hide_unless(bool is_shown, struct bsim_rows *rows, size_t first, size_t end)
{
    for (size_t c = first; c < end && !is_shown; c++) {
        rows->columns[c].title = NULL;
    }
}

static void begin_others(struct bsim_text_report *text, struct bsim_buffer *out)
{
    struct bsim_rows *rows = &text->others;
    hide_unless(text->global, rows, GLOBAL_COLUMNS, ATOMIC_COLUMNS);
    hide_unless(text->atomics, rows, ATOMIC_COLUMNS, LOCAL_COLUMNS);
    hide_unless(text->local, rows, LOCAL_COLUMNS, TEXTURE_COLUMNS);
    hide_unless(text->texture, rows, TEXTURE_COLUMNS, CONSTANT_COLUMNS);
    hide_unless(text->constant, rows, CONSTANT_COLUMNS, N_OTHER_COLUMNS);
    bsim_buffer_text(out, "\n");
    bsim_rows_titles(&text->others, out);
}

static void begin_cycles(struct bsim_text_report *text, struct bsim_buffer *out)
{
    bsim_buffer_text(
        out, "\ncycles, of each block alone on an SM; ideal: without conflicts; data "
             "pipe: what it takes alone;\nat least: with global and constant memory too; "
             "in turn: the same, if nothing overlaps;\nan average warp's time: issuing, held up by "
             "the data pipe, waiting for results, at barriers;\nlaunch: estimated, "
             "shared memory alone\n\n");
    bsim_rows_titles(&text->cycles, out);
}

/* The sites of the next kernel. */
static bool next_sites(struct bsim_text_report *text, struct bsim_buffer *out)
{
    struct bsim_buffer record = BSIM_BUFFER_EMPTY;
    bool is_there = bsim_spool_take(&text->site_tables, &record);
    if (is_there) {
        const char *device = record.data + strlen(record.data) + 1;
        bsim_buffer_printf(out, "%s%s%s", record.data, text->one_device ? "" : " on ",
                           text->one_device ? "" : device);
        bsim_buffer_text(out, device + strlen(device) + 1);
    }
    out->failed = out->failed || record.failed;
    bsim_buffer_free(&record);
    return is_there;
}

static const char *unit_of(const struct bsim_text_report *text)
{
    return text->replays ? (text->total.wavefronts == 1 ? "pass" : "passes")
                         : (text->total.wavefronts == 1 ? "wavefront" : "wavefronts");
}

static void add_foot(const struct bsim_text_report *text, struct bsim_buffer *out)
{
    const struct bsim_tally *total = &text->total;
    bsim_buffer_printf(out,
                       "\ntotal: %" PRIu64 " shared request%s, %s%" PRIu64 " %s, %" PRIu64
                       " excessive; %" PRIu64 " with a broadcast, %" PRIu64 " with a multicast\n",
                       total->requests, total->requests == 1 ? "" : "s",
                       bsim_rules_are_least(total->rules) ? "at least " : "", total->wavefronts,
                       unit_of(text), bsim_tally_excessive(total), total->broadcasts,
                       total->multicasts);
    bsim_cycles_left_out_text(&text->notes, out);
    bsim_capacity_opt_in(text->most_shared, out);
    bsim_basis_tell(&text->basis, BSIM_NVPROF_BIT, out);
    bsim_cycles_basis_tell(&text->notes, out);
    bsim_verdict_tell(&text->verdict, out);
}

/* Whether there are such tables. */
static bool has_part(const struct bsim_text_report *text, enum bsim_text_part part)
{
    switch (part) {
    case BSIM_TEXT_KERNELS:
        return !text->sites;
    case BSIM_TEXT_OTHERS:
        return !text->sites && (text->global || text->local || text->texture || text->constant);
    case BSIM_TEXT_CYCLES:
        return text->n_kernels > 1 && text->n_cycles > 0;
    case BSIM_TEXT_SITES:
        return text->sites;
    case BSIM_TEXT_HEAD:
    case BSIM_TEXT_END:
        break;
    }
    return false;
}

static void begin_part(struct bsim_text_report *text, struct bsim_buffer *out)
{
    if (text->part == BSIM_TEXT_KERNELS) {
        begin_kernels(text, out);
    } else if (text->part == BSIM_TEXT_OTHERS) {
        begin_others(text, out);
    } else if (text->part == BSIM_TEXT_CYCLES) {
        begin_cycles(text, out);
    } else {
        bsim_spool_rewind(&text->site_tables);
    }
}

static bool next_line(struct bsim_text_report *text, struct bsim_buffer *out)
{
    struct bsim_rows *rows = text->part == BSIM_TEXT_KERNELS  ? &text->kernels
                             : text->part == BSIM_TEXT_OTHERS ? &text->others
                                                              : &text->cycles;
    return text->part == BSIM_TEXT_SITES ? next_sites(text, out) : bsim_rows_line(rows, out);
}

/* Behind the head, or behind the last line of a part. */
static void turn_to_next(struct bsim_text_report *text, struct bsim_buffer *out)
{
    if (text->part == BSIM_TEXT_CYCLES - 1 && text->n_kernels == 1) {
        bsim_buffer_add(out, text->only_cycles.data, text->only_cycles.size_bytes);
    }
    text->part++;
    if (text->part == BSIM_TEXT_END) {
        add_foot(text, out);
    } else if (has_part(text, text->part)) {
        begin_part(text, out);
    }
}

bool bsim_text_report_next(struct bsim_text_report *text, struct bsim_buffer *out)
{
    if (text->part == BSIM_TEXT_END) {
        return false;
    }
    if (text->part == BSIM_TEXT_HEAD) {
        add_device(text, out);
    }
    if (text->n_kernels == 0) {
        text->part = BSIM_TEXT_END;
    } else if (!has_part(text, text->part) || !next_line(text, out)) {
        turn_to_next(text, out);
    }
    return true;
}

enum bsim_status bsim_text_report_status(const struct bsim_text_report *text,
                                         struct bsim_error *err)
{
    const struct bsim_spool *spools[] = {&text->kernels.spool, &text->others.spool,
                                         &text->cycles.spool, &text->site_tables};
    enum bsim_status status = bsim_buffer_status(&text->only_cycles, err);
    for (size_t i = 0; i < sizeof spools / sizeof spools[0] && status == BSIM_OK; i++) {
        status = bsim_spool_status(spools[i], err);
    }
    return status;
}

void bsim_text_report_free(struct bsim_text_report *text)
{
    bsim_rows_free(&text->kernels);
    bsim_rows_free(&text->others);
    bsim_rows_free(&text->cycles);
    bsim_buffer_free(&text->only_cycles);
    bsim_spool_free(&text->site_tables);
    bsim_cycles_notes_free(&text->notes);
    bsim_buffer_free(&text->basis);
    bsim_verdict_free(&text->verdict);
}
