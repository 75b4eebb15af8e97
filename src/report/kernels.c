/* kernels.c - results for people: a table of kernels, or one of sites for each kernel, what it
 * rests on, and a verdict in words.
 *
 * The devices' own words: from compute capability 5 on a request is issued once and takes one or
 * more wavefronts; on Kepler a conflicting request is issued again for each further pass, so its
 * table says passes and has a column of replays.
 *
 * There may be any number of kernels, which come one by one and are gone then. What a line says of
 * one is kept as cells; which columns are shown, and how wide they are, is known behind the last.
 */
#include "report/kernels.h"

#include "report/async.h"
#include "report/capacity.h"
#include "report/fold.h"
#include "report/holdup.h"
#include "report/plain.h"
#include "result/result.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Longer names are cut, so that the first table of kernels fits 120 columns. */
enum { NAME_COLUMNS = 36, FILE_COLUMNS = 40, TEXT_COLUMNS = 110 };

/* What there is to tell of a kernel, or of several: which columns are shown. */
enum {
    IN_WAVEFRONTS = 1 << 0,
    IN_PASSES = 1 << 1,
    SEVERAL_DEVICES = 1 << 2,
    CYCLES = 1 << 3,
    GLOBAL = 1 << 4,
    GLOBAL_ATOMICS = 1 << 5,
    LOCAL = 1 << 6,
    TEXTURE = 1 << 7,
    CONSTANT = 1 << 8,
    COPIES = 1 << 9,
    PEERS = 1 << 10,
    OTHERS = GLOBAL | LOCAL | TEXTURE | CONSTANT | PEERS,
};

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

static const struct bsim_column kernel_columns[] = {
    {"kernel", "kernel", BSIM_AS_KERNEL, .left = true, .most = NAME_COLUMNS},
    {"device", .name = "device", .left = true, .only = SEVERAL_DEVICES},
    {"requests", .name = "requests"},
    {"wavefronts", .name = "wavefronts", .only = IN_WAVEFRONTS},
    {"passes", .name = "wavefronts", .only = IN_PASSES},
    {"load/req", .name = "load_wavefronts_per_request"},
    {"store/req", .name = "store_wavefronts_per_request"},
    {"atomic/req", .name = "atomic_wavefronts_per_request"},
    {"excessive", .name = "excessive", .warning = true},
    {"replays", .name = "replays", .warning = true, .only = IN_PASSES},
    {"ways", "ways_min", BSIM_AS_RANGE, "ways_max", .warning = true},
    {"efficiency", .name = "efficiency", .as = BSIM_AS_PER_CENT},
    {"bank use", .name = "bank_use", .as = BSIM_AS_PER_CENT},
};

/* All but shared memory. */
static const struct bsim_column other_columns[] = {
    {"kernel", "kernel", BSIM_AS_KERNEL, .left = true, .most = NAME_COLUMNS},
    {"global loads", .name = "global_load_requests", .only = GLOBAL},
    {"sectors/req", "global_load_sectors", BSIM_AS_RATIO, "global_load_requests", .only = GLOBAL},
    {"global stores", .name = "global_store_requests", .only = GLOBAL},
    {"sectors/req", "global_store_sectors", BSIM_AS_RATIO, "global_store_requests", .only = GLOBAL},
    {"atomics", .name = "global_atomic_requests", .only = GLOBAL_ATOMICS},
    {"sectors/req", "global_atomic_sectors", BSIM_AS_RATIO, "global_atomic_requests",
     .only = GLOBAL_ATOMICS},
    {"local loads", .name = "local_load_requests", .only = LOCAL},
    {"sectors/req", "local_load_sectors", BSIM_AS_RATIO, "local_load_requests", .only = LOCAL},
    {"local stores", .name = "local_store_requests", .only = LOCAL},
    {"sectors/req", "local_store_sectors", BSIM_AS_RATIO, "local_store_requests", .only = LOCAL},
    {"textures", .name = "texture_requests", .only = TEXTURE},
    {"sectors/req", "texture_sectors", BSIM_AS_RATIO, "texture_requests", .only = TEXTURE},
    {"peer loads", .name = "peer_load_requests", .only = PEERS},
    {"sectors/req", "peer_load_sectors", BSIM_AS_RATIO, "peer_load_requests", .only = PEERS},
    {"peer stores", .name = "peer_store_requests", .only = PEERS},
    {"sectors/req", "peer_store_sectors", BSIM_AS_RATIO, "peer_store_requests", .only = PEERS},
    {"peer atomics", .name = "peer_atomic_requests", .only = PEERS},
    {"packets", .name = "peer_packets", .only = PEERS},
    {"constant", .name = "constant_requests", .only = CONSTANT},
    {"passes/req", "constant_passes", BSIM_AS_RATIO, "constant_requests", .warning = true,
     .only = CONSTANT},
};

/* Shares are of the time of all warps. */
static const struct bsim_column cycles_columns[] = {
    {"kernel", "kernel", BSIM_AS_KERNEL, .left = true, .most = NAME_COLUMNS},
    {"cycles", .name = "cycles"},
    {"ideal", .name = "cycles_ideal"},
    {"data pipe", .name = "cycles_bound"},
    {"at least", .name = "cycles_at_least"},
    {"in turn", .name = "cycles_in_turn"},
    {"issuing", .name = "issue", .as = BSIM_AS_WHOLE_PER_CENT},
    {"held up", .name = "pipe", .as = BSIM_AS_WHOLE_PER_CENT},
    {"results", .name = "latency", .as = BSIM_AS_WHOLE_PER_CENT},
    {"barriers", .name = "barrier", .as = BSIM_AS_WHOLE_PER_CENT},
    {"launch", .name = "launch"},
};

static const struct bsim_column site_columns[] = {
    {"site", .name = "site"},
    {"opcode", .name = "opcode", .left = true},
    {"requests", .name = "requests"},
    {"wavefronts", .name = "wavefronts", .only = IN_WAVEFRONTS},
    {"passes", .name = "wavefronts", .only = IN_PASSES},
    {"per request", .name = "wavefronts_per_request"},
    {"excessive", .name = "excessive", .warning = true},
    {"replays", .name = "replays", .warning = true, .only = IN_PASSES},
    {"ways", "ways_min", BSIM_AS_RANGE, "ways_max", .warning = true},
    {"sectors/req", .name = "sectors_per_request", .only = GLOBAL | LOCAL | TEXTURE | COPIES | PEERS},
    {"packets/req", .name = "packets_per_request", .only = PEERS},
    {"const/req", .name = "passes_per_request", .warning = true, .only = CONSTANT},
    {"stalls", .name = "stalls", .as = BSIM_AS_WHOLE_PER_CENT, .only = CYCLES},
    {"speed-up", .name = "speed_up", .only = CYCLES},
    {"source", .name = "source", .left = true},
};

_Static_assert(N_OF(kernel_columns) <= BSIM_MAX_COLUMNS && N_OF(other_columns) <= BSIM_MAX_COLUMNS &&
                   N_OF(cycles_columns) <= BSIM_MAX_COLUMNS && N_OF(site_columns) <= BSIM_MAX_COLUMNS,
               "a table of these has room for all of its columns");

/* The tables of kernels, what stands above each, and its columns. */
static const struct {
    const char *caption;
    const struct bsim_column *columns;
    size_t n_columns;
} tables[BSIM_TEXT_TABLES] = {
    {"load/req, store/req, atomic/req: transactions per request\n"
     "efficiency: bytes that lanes ask for, bank use: bytes that banks serve, of what fits\n\n",
     kernel_columns, N_OF(kernel_columns)},
    {"\n", other_columns, N_OF(other_columns)},
    {"\ncycles, of each block alone on an SM; ideal: without conflicts; data pipe: what it takes "
     "alone;\nat least: with global and constant memory too; in turn: the same, if nothing "
     "overlaps;\nan average warp's time: issuing, held up by the data pipe, waiting for results, "
     "at "
     "barriers;\nlaunch: estimated, shared memory alone, and between which times it lies\n\n",
     cycles_columns, N_OF(cycles_columns)},
};

/* ---- what people are told besides the row's values ------------------------------------------- */

/* Room for texts that a row borrows. */
struct told {
    char source[BSIM_CELL_SIZE], number[96];
};

/* "330 us", or clocks of a device whose rate nobody knows. */
static int put_time(const struct bsim_kernel_result *kernel, uint64_t clocks, char *out, size_t size)
{
    char time[32];
    if (kernel->device.clock_mhz == 0) {
        return snprintf(out, size, "%" PRIu64 " cycles", clocks);
    }
    return snprintf(out, size, "%s",
                    bsim_cycles_time(clocks, kernel->device.clock_mhz, time, sizeof time));
}

/* "330 us (280 us to 379 us)" */
static void put_launch(const struct bsim_kernel_result *kernel, char *out, size_t size)
{
    struct bsim_spread spread;
    size_t used = (size_t)put_time(kernel, kernel->timed.launch_cycles, out, size);
    if (bsim_cycles_spread(kernel, &spread)) {
        used += (size_t)snprintf(out + used, size - used, " (");
        used += (size_t)put_time(kernel, spread.least, out + used, size - used);
        used += (size_t)snprintf(out + used, size - used, " to ");
        used += (size_t)put_time(kernel, spread.most, out + used, size - used);
        (void)snprintf(out + used, size - used, ")");
    }
}

static void make_kernel_row(const struct bsim_kernel_result *kernel, struct told *told,
                            struct bsim_row *row)
{
    const struct bsim_kernel_cycles *cycles = &kernel->timed;
    const struct bsim_stalls *stalls = &cycles->stalls;
    uint64_t total = bsim_stalls_total(stalls);
    bsim_row_kernel(kernel, row);
    bsim_row_ratio(row, "issue", stalls->issue, total);
    bsim_row_ratio(row, "pipe", stalls->pipe, total);
    bsim_row_ratio(row, "latency", stalls->latency, total);
    bsim_row_ratio(row, "barrier", stalls->barrier, total);
    put_launch(kernel, told->number, sizeof told->number);
    bsim_row_text(row, "launch", told->number);
    bsim_row_instead(row, cycles->waves == 0, "-");
}

/* "square.cu:14  out[idx] = tile[threadIdx.x][threadIdx.y]", or the half of it that is known. */
static void put_source(const struct bsim_site_result *site, char cell[BSIM_CELL_SIZE])
{
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

/* Of the warps' time, what this site's requests hold them up; how many times as fast the kernel
 * would be without this site's conflicts, where "?" says that there is an answer which nobody has
 * worked out. */
static void add_cost(const struct bsim_kernel_result *kernel, const struct bsim_site_result *site,
                     struct told *told, struct bsim_row *row)
{
    const struct bsim_site_cycles *cycles = bsim_cycles_of_site(kernel, site);
    bool is_known = cycles != NULL && kernel->timed.ideal_sites &&
                    cycles->turns > cycles->turns_ideal && !cycles->left_out;
    bsim_row_ratio(row, "stalls", cycles != NULL ? cycles->stalls.pipe + cycles->stalls.latency : 0,
                   cycles != NULL ? bsim_stalls_total(&kernel->timed.stalls) : 0);
    (void)snprintf(told->number, sizeof told->number, "%.2f",
                   is_known ? (double)kernel->timed.cycles / (double)cycles->cycles_ideal : 0);
    bsim_row_text(row, "speed_up", told->number);
    bsim_row_instead(row, !is_known, cycles != NULL && cycles->left_out ? "?" : "-");
}

static void make_site_row(const struct bsim_kernel_result *kernel,
                          const struct bsim_site_result *site, struct told *told,
                          struct bsim_row *row)
{
    bsim_row_site(kernel, site, row);
    bsim_row_ratio(row, "sectors_per_request", site->global.sectors,
                   site->global.sectors > 0 ? site->global.requests : 0);
    bsim_row_ratio(row, "packets_per_request", site->global.packets,
                   site->global.packets > 0 ? site->global.requests : 0);
    bsim_row_ratio(row, "passes_per_request", site->constant_passes,
                   site->opcode.space == BSIM_CONST ? site->requests : 0);
    add_cost(kernel, site, told, row);
    put_source(site, told->source);
    bsim_row_text(row, "source", told->source);
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

/* Copies that say what they fetch. */
static bool fetches(const struct bsim_kernel_result *kernel)
{
    size_t i = 0;
    while (i < kernel->n_sites && ((kernel->sites[i].opcode.family != BSIM_CP_ASYNC &&
                                    kernel->sites[i].opcode.family != BSIM_BULK) ||
                                   kernel->sites[i].global.sectors == 0)) {
        i++;
    }
    return i < kernel->n_sites;
}

static uint32_t shape_of(const struct bsim_kernel_result *kernel)
{
    return (uint32_t)((kernel->device.replays ? IN_PASSES : IN_WAVEFRONTS) |
                      (bsim_cycles_known(kernel) != NULL ? CYCLES : 0) |
                      (touches(kernel, BSIM_GLOBAL) ? GLOBAL : 0) |
                      (kernel->global[BSIM_ATOMICS].requests > 0 ? GLOBAL_ATOMICS : 0) |
                      (touches(kernel, BSIM_LOCAL) ? LOCAL : 0) |
                      (touches(kernel, BSIM_TEXTURE) ? TEXTURE : 0) |
                      (touches(kernel, BSIM_PEER) ? PEERS : 0) |
                      (touches(kernel, BSIM_CONST) ? CONSTANT : 0) |
                      (fetches(kernel) ? COPIES : 0));
}

/* ---- kernel by kernel ------------------------------------------------------------------------ */

void bsim_text_report_begin(struct bsim_text_report *text, const struct bsim_document *doc,
                            bool sites, size_t limit_bytes)
{
    *text = (struct bsim_text_report){.doc = doc, .sites = sites};
    for (size_t i = 0; i < BSIM_TEXT_TABLES; i++) {
        bsim_table_begin(&text->table[i], doc->renderer, tables[i].columns, tables[i].n_columns,
                         doc->colour);
        text->table[i].spool.limit_bytes = limit_bytes;
        text->table[i].fold = bsim_fold_new();
    }
    text->site_fold = bsim_fold_new();
    text->site_tables.limit_bytes = limit_bytes;
}

/* The sites of one kernel; nothing if there are none. */
static void add_site_table(const struct bsim_text_report *text,
                           const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    struct bsim_table table;
    struct told told;
    struct bsim_row row;
    bool is_empty = true;
    bsim_table_begin(&table, text->doc->renderer, site_columns, N_OF(site_columns),
                     text->doc->colour);
    table.shows = shape_of(kernel);
    for (size_t i = 0; i < kernel->n_sites; i++) {
        if (bsim_row_has(&kernel->sites[i])) {
            make_site_row(kernel, &kernel->sites[i], &told, &row);
            bsim_table_put(&table, &row);
            is_empty = false;
        }
    }
    bsim_buffer_text(out, is_empty ? ": no accesses\n" : "\n");
    if (!is_empty) {
        bsim_table_show(&table, out);
    }
    bsim_table_free(&table);
}

/* Keeps the heading, its device, which stands there if there are several, and what comes then. */
static void add_sites(struct bsim_text_report *text, const struct bsim_kernel_result *kernel)
{
    char name[BSIM_CELL_SIZE];
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    bsim_buffer_printf(
        &out, "\n%s", bsim_plain_kernel(kernel->name, (size_t)2 * NAME_COLUMNS, name, sizeof name));
    bsim_buffer_add(&out, "", 1);
    bsim_buffer_text(&out, kernel->device.name);
    bsim_buffer_add(&out, "", 1);
    add_site_table(text, kernel, &out);
    bsim_cycles_left_out_sites_text(kernel, &out);
    bsim_async_text(kernel, &out);
    bsim_cycles_text(kernel, &out);
    bsim_holdup_text(kernel, 0, &out);
    bsim_buffer_add(&out, "", 1);
    if (out.failed || !bsim_fold_put(text->site_fold, out.data, out.size_bytes)) {
        bsim_spool_put(&text->site_tables, out.data, (uint32_t)out.size_bytes);
    }
    text->site_tables.buffer.failed = text->site_tables.buffer.failed || out.failed;
    bsim_buffer_free(&out);
}

static void add_rows(struct bsim_text_report *text, const struct bsim_kernel_result *kernel)
{
    bool is_known = bsim_cycles_known(kernel) != NULL;
    struct told told;
    struct bsim_row row;
    make_kernel_row(kernel, &told, &row);
    bsim_table_put(&text->table[0], &row);
    bsim_table_put(&text->table[1], &row);
    if (is_known) {
        bsim_table_put(&text->table[2], &row);
    }
    if (text->n_kernels == 0) {
        bsim_buffer_text(&text->only_cycles, is_known ? "\n" : "");
        bsim_async_text(kernel, &text->only_cycles);
        bsim_cycles_text(kernel, &text->only_cycles);
        bsim_holdup_text(kernel, 0, &text->only_cycles);
    }
}

static void note_shape(struct bsim_text_report *text, const struct bsim_kernel_result *kernel)
{
    if (text->n_kernels == 0) {
        text->device = kernel->device;
    }
    text->shows |= shape_of(kernel);
    if (strcmp(kernel->device.name, text->device.name) != 0) {
        text->shows |= SEVERAL_DEVICES;
    }
    if ((text->shows & IN_PASSES) != 0) {
        text->shows &= ~(uint32_t)IN_WAVEFRONTS;
    }
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
    bsim_rests_add(&text->rests, kernel);
    bsim_verdict_add(&text->verdict, kernel);
    text->n_kernels++;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool has(const struct bsim_text_report *text, uint32_t shape)
{
    return (text->shows & shape) != 0;
}

static void add_device(const struct bsim_text_report *text, struct bsim_buffer *out)
{
    const struct bsim_device *device = &text->device;
    if (text->n_kernels == 0) {
        bsim_buffer_text(out, "The trace has no kernel.\n");
        return;
    }
    if (has(text, SEVERAL_DEVICES)) {
        bsim_buffer_text(out, "Several devices.\n");
        return;
    }
    bsim_buffer_printf(out, "%s (%s): %" PRIu32 " banks, %" PRIu32 " bytes wide%s\n", device->name,
                       device->description, device->n_banks, device->bank_bytes,
                       device->stride_bytes != device->bank_bytes ? ", in 4-byte mode" : "");
}

/* The sites of the next kernel. */
static bool next_sites(struct bsim_text_report *text, struct bsim_buffer *out)
{
    struct bsim_buffer record = BSIM_BUFFER_EMPTY;
    bool is_there = bsim_spool_take(&text->site_tables, &record);
    if (is_there) {
        const char *device = record.data + strlen(record.data) + 1;
        bool is_told = has(text, SEVERAL_DEVICES);
        uint64_t n = bsim_fold_count(text->site_fold, text->n_sites_shown++);
        bsim_buffer_printf(out, "%s%s%s", record.data, is_told ? " on " : "",
                           is_told ? device : "");
        if (n > 1) {
            bsim_buffer_printf(out, ", each of %" PRIu64 " launches", n);
        }
        bsim_buffer_text(out, device + strlen(device) + 1);
    }
    out->failed = out->failed || record.failed;
    bsim_buffer_free(&record);
    return is_there;
}

static const char *unit_of(const struct bsim_text_report *text)
{
    return has(text, IN_PASSES) ? (text->total.wavefronts == 1 ? "pass" : "passes")
                                : (text->total.wavefronts == 1 ? "wavefront" : "wavefronts");
}

static void add_foot(struct bsim_text_report *text, struct bsim_buffer *out)
{
    const struct bsim_tally *total = &text->total;
    bsim_buffer_printf(out,
                       "\ntotal: %" PRIu64 " shared request%s, %s%" PRIu64 " %s, %" PRIu64
                       " excessive; %" PRIu64 " with a broadcast, %" PRIu64 " with a multicast\n",
                       total->requests, total->requests == 1 ? "" : "s",
                       bsim_rules_are_least(total->rules) ? "at least " : "", total->wavefronts,
                       unit_of(text), bsim_tally_excessive(total), total->broadcasts,
                       total->multicasts);
    text->verdict.are_launches = bsim_fold_has(text->sites ? text->site_fold : text->table[0].fold);
    if (text->verdict.are_launches) {
        bsim_buffer_text(out, "Launches that are alike stand once, with the counts of one.\n");
    }
    bsim_cycles_left_out_text(&text->notes, out);
    bsim_capacity_opt_in(text->most_shared, out);
    bsim_basis_tell(&text->basis, BSIM_NVPROF_BIT, out);
    bsim_cycles_basis_tell(&text->notes, out);
    bsim_rests_tell(&text->rests, out);
    bsim_verdict_tell(&text->verdict, out);
}

/* Whether there are such tables. */
static bool has_part(const struct bsim_text_report *text, enum bsim_text_part part)
{
    switch (part) {
    case BSIM_TEXT_KERNELS:
        return !text->sites;
    case BSIM_TEXT_OTHERS:
        return !text->sites && has(text, OTHERS);
    case BSIM_TEXT_CYCLES:
        return !text->sites && text->n_kernels > 1 && has(text, CYCLES);
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
    if (text->part == BSIM_TEXT_SITES) {
        bsim_spool_rewind(&text->site_tables);
    } else {
        struct bsim_table *table = &text->table[text->part - BSIM_TEXT_KERNELS];
        bsim_buffer_text(out, tables[text->part - BSIM_TEXT_KERNELS].caption);
        table->shows = text->shows;
        bsim_table_titles(table, out);
    }
}

static bool next_line(struct bsim_text_report *text, struct bsim_buffer *out)
{
    return text->part == BSIM_TEXT_SITES
               ? next_sites(text, out)
               : bsim_table_next(&text->table[text->part - BSIM_TEXT_KERNELS], out);
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
    enum bsim_status status = bsim_buffer_status(&text->only_cycles, err);
    for (size_t i = 0; i < BSIM_TEXT_TABLES && status == BSIM_OK; i++) {
        status = bsim_spool_status(&text->table[i].spool, err);
    }
    return status == BSIM_OK ? bsim_spool_status(&text->site_tables, err) : status;
}

void bsim_text_report_free(struct bsim_text_report *text)
{
    for (size_t i = 0; i < BSIM_TEXT_TABLES; i++) {
        bsim_table_free(&text->table[i]);
    }
    bsim_buffer_free(&text->only_cycles);
    bsim_spool_free(&text->site_tables);
    bsim_fold_free(text->site_fold);
    bsim_cycles_notes_free(&text->notes);
    bsim_buffer_free(&text->basis);
    bsim_rests_free(&text->rests);
    bsim_verdict_free(&text->verdict);
}
