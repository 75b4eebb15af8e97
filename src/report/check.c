/* check.c - what the accesses of a check cost.
 *
 *     op     access                         requests  wavefronts  ideal  excessive  ways  lost
 *     store  tile[threadIdx.y][threadIdx.x]       32          32     32          0     1     0
 *     load   tile[threadIdx.x][threadIdx.y]       32        1024     32        992    32   992
 *     cycles: 1074, of which 992 for conflicts ...
 *
 * Cycles are of the block alone on an SM; those that an access loses are the difference that its
 * own conflicts make. Below the table, for each access with conflicts, its worst request
 * (check_worst.c). Csv and json have the table alone. Shuffles stand below the accesses.
 */
#include "report/async.h"
#include "report/basis.h"
#include "report/capacity.h"
#include "report/check_worst.h"
#include "report/cycles.h"
#include "report/format.h"
#include "report/holdup.h"
#include "report/plain.h"
#include "report/words.h"

#include <banksim/banksim.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_TEXT = 72, SECTOR_BYTES = 32 };

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- the rows -------------------------------------------------------------------------------- */

/* Of a lane: what it accesses, or gives away; of a copy by TMA or a wgmma all that it moves or reads. */
static uint64_t bytes_of(const struct bsim_site_result *site)
{
    const struct bsim_opcode *opcode = &site->opcode;
    uint64_t asked = site->global.bytes_asked + site->tally.bytes_asked;
    if (bsim_opcode_is_async(opcode)) {
        return site->requests > 0 ? asked / site->requests : 0;
    }
    return opcode->family == BSIM_SHFL ? opcode->bits / 8 : opcode->bytes;
}

/* Whether its wavefronts are shared memory's. */
static bool is_counted_there(const struct bsim_opcode *opcode)
{
    return opcode->space == BSIM_SHARED || opcode->family == BSIM_WGMMA;
}

/* An access of a check and its cycles, or NULL. */
struct line {
    const char *text;
    const struct bsim_site_result *site;
    const struct bsim_kernel_result *whole;
    const struct bsim_kernel_cycles *kernel;
    const struct bsim_site_cycles *cycles;
    const struct bsim_check_spread *spread; /* NULL: nothing of the check is drawn */
    bool has_other;                         /* some access of the check is to other memory */
};

/* The cycles of the whole without this access's conflicts alone; false where that is not known. One
 * that makes no request costs none. */
static bool find_ideal(const struct line *line, uint64_t *ideal)
{
    bool is_known = line->kernel != NULL && line->kernel->ideal_sites &&
                    (line->cycles == NULL || !line->cycles->left_out);
    *ideal = !is_known              ? 0
             : line->cycles != NULL ? line->cycles->cycles_ideal
                                    : line->kernel->cycles;
    return is_known;
}

/* Cycles of the whole, with all conflicts and without this access's. */
static void add_row_cycles(const struct line *line, struct bsim_row *row)
{
    uint64_t ideal;
    bool has_ideal = find_ideal(line, &ideal);
    bool is_known = line->kernel != NULL;
    bsim_row_known(row, "cycles", is_known, is_known ? line->kernel->cycles : 0);
    bsim_row_known(row, "cycles_ideal", has_ideal, ideal);
}

/* The cycles of the whole with other memory than shared. */
static void add_row_memory(const struct line *line, struct bsim_row *row)
{
    struct bsim_memory_cycles memory = {.at_least = 0};
    bool is_known = bsim_cycles_with_memory(line->whole, &memory);
    bsim_row_known(row, "cycles_at_least", is_known, memory.at_least);
    bsim_row_known(row, "cycles_in_turn", is_known, memory.in_turn);
}

/* Of requests in many draws; what is before it is of one. */
static void add_row_spread(const struct bsim_check_spread *spread, struct bsim_row *row)
{
    bool is_known = spread->requests > 0;
    bsim_row_number(row, "drawn", spread->requests);
    bsim_row_ratio(row, "drawn_wavefronts_mean", spread->wavefronts, spread->requests);
    bsim_row_ratio(row, "drawn_ways_mean", spread->ways, spread->requests);
    bsim_row_known(row, "drawn_ways_p5", is_known, spread->ways_low);
    bsim_row_known(row, "drawn_ways_p95", is_known, spread->ways_high);
}

/* Of other memory than shared. */
static void add_row_other(const struct bsim_site_result *site, struct bsim_row *row)
{
    bool is_known = bsim_site_knows_sectors(site);
    bsim_row_known(row, "sectors", is_known, site->global.sectors);
    bsim_row_known(row, "lines", is_known, site->global.lines);
    bsim_row_ratio(row, "bytes_used", site->global.bytes_asked,
                   SECTOR_BYTES * site->global.sectors);
    bsim_row_number(row, "constant_passes", site->constant_passes);
}

/* Wavefronts are shared memory's alone: "-" stands for those of an access to other memory. One that
 * no thread comes to has none. */
static void add_row_counts(const struct bsim_tally *tally, bool is_other, struct bsim_row *row)
{
    bsim_row_number(row, "wavefronts", tally->wavefronts);
    bsim_row_least(row, tally->rules);
    bsim_row_instead(row, is_other, "-");
    bsim_row_number(row, "ideal", tally->ideal);
    bsim_row_instead(row, is_other, "-");
    bsim_row_number(row, "excessive", bsim_tally_excessive(tally));
    bsim_row_least(row, tally->rules);
    bsim_row_instead(row, is_other, "-");
    bsim_row_number(row, "ways_min", tally->ways_min);
    bsim_row_instead(row, is_other, "-");
    bsim_row_number(row, "ways_max", tally->ways_max);
}

/* Borrows from its arguments; op is room for the statement's words. */
static void make_row(const struct line *line, char op[BSIM_CELL_SIZE], struct bsim_row *row)
{
    const struct bsim_opcode *opcode = &line->site->opcode;
    const struct bsim_tally *tally = &line->site->tally;
    bsim_word_op(opcode, op);
    row->n = 0;
    bsim_row_text(row, "access", line->text);
    bsim_row_text(row, "op", op);
    bsim_row_number(row, "bytes", bytes_of(line->site));
    bsim_row_number(row, "requests", line->site->requests);
    add_row_counts(tally, !is_counted_there(opcode), row);
    add_row_cycles(line, row);
    if (line->spread != NULL) {
        add_row_spread(line->spread, row);
    }
    bsim_row_boolean(row, "at_least", bsim_rules_are_least(tally->rules));
    if (line->has_other) {
        add_row_other(line->site, row);
    }
    bsim_row_number(row, "shared_bytes", line->whole->shared_bytes);
    bsim_row_boolean(row, "opt_in", bsim_capacity_is_opt_in(line->whole->shared_bytes));
    if (line->has_other) {
        add_row_memory(line, row);
    }
}

/* What people want to know besides. Removing conflicts may even cost a clock or two: that is none
 * lost. */
static void add_for_people(const struct line *line, struct bsim_row *row)
{
    const struct bsim_site_result *site = line->site;
    uint64_t ideal, cycles = line->kernel != NULL ? line->kernel->cycles : 0;
    bool is_known = find_ideal(line, &ideal);
    bsim_row_number(row, "cycles_lost", cycles > ideal ? cycles - ideal : 0);
    bool is_there = is_counted_there(&site->opcode);
    bsim_row_instead(row, !is_known || !is_there, is_there ? "?" : "-");
    uint64_t n_known = bsim_site_knows_sectors(site) ? site->global.requests : 0;
    bsim_row_ratio(row, "sectors_per_request", site->global.sectors, n_known);
    bsim_row_ratio(row, "lines_per_request", site->global.lines, site->opcode.family != BSIM_BULK ? n_known : 0);
    bsim_row_ratio(row, "passes_per_request", site->constant_passes,
                   site->opcode.space == BSIM_CONST ? site->requests : 0);
}

/* Copies by TMA are of global memory, wgmma of shared. */
static bool is_of(const struct bsim_opcode *opcode, enum bsim_space space)
{
    return opcode->space == space || (space == BSIM_GLOBAL && opcode->family == BSIM_BULK) ||
           (space == BSIM_SHARED && opcode->family == BSIM_WGMMA);
}

static bool touches(const struct bsim_kernel_result *kernel, enum bsim_space space)
{
    size_t i = 0;
    while (i < kernel->n_sites && !is_of(&kernel->sites[i].opcode, space)) {
        i++;
    }
    return i < kernel->n_sites;
}

/* Of global memory, or of a cp.async whose sectors are known. */
static bool has_sectors(const struct bsim_kernel_result *kernel)
{
    bool has = touches(kernel, BSIM_GLOBAL);
    for (size_t i = 0; i < kernel->n_sites && !has; i++) {
        has = kernel->sites[i].global.requests > 0 && bsim_site_knows_sectors(&kernel->sites[i]);
    }
    return has;
}

/* A memory's columns stand there if it is accessed; cycles, if there is one to tell. On Kepler a
 * request in conflict is issued once per pass. */
enum {
    OF_SHARED = 1 << 0,
    OF_GLOBAL = 1 << 1,
    OF_CONSTANT = 1 << 2,
    OF_CYCLES = 1 << 3,
    IN_WAVEFRONTS = 1 << 4,
    IN_PASSES = 1 << 5,
};

static const struct bsim_column columns[] = {
    {"op", .name = "op", .left = true},
    {"access", .name = "access", .left = true, .most = SHOWN_TEXT},
    {"bytes", .name = "bytes"},
    {"requests", .name = "requests"},
    {"wavefronts", .name = "wavefronts", .only = IN_WAVEFRONTS},
    {"passes", .name = "wavefronts", .only = IN_PASSES},
    {"ideal", .name = "ideal", .only = OF_SHARED},
    {"excessive", .name = "excessive", .warning = true, .only = OF_SHARED},
    {"ways", "ways_min", BSIM_AS_RANGE, "ways_max", .warning = true, .only = OF_SHARED},
    {"cycles lost", .name = "cycles_lost", .warning = true, .only = OF_CYCLES},
    {"sectors/req", .name = "sectors_per_request", .only = OF_GLOBAL},
    {"lines/req", .name = "lines_per_request", .only = OF_GLOBAL},
    {"asked/moved", "bytes_used", BSIM_AS_PER_CENT, .only = OF_GLOBAL},
    {"const/req", .name = "passes_per_request", .warning = true, .only = OF_CONSTANT},
};

static uint32_t shown_of(const struct bsim_kernel_result *kernel)
{
    uint32_t unit = kernel->device.replays ? IN_PASSES : IN_WAVEFRONTS;
    uint32_t timed = bsim_cycles_known(kernel) != NULL ? OF_CYCLES : 0;
    return (touches(kernel, BSIM_SHARED) ? OF_SHARED | unit | timed : 0) |
           (has_sectors(kernel) ? OF_GLOBAL : 0) |
           (touches(kernel, BSIM_CONST) ? OF_CONSTANT : 0);
}

static bool has_other(const struct bsim_kernel_result *kernel)
{
    return touches(kernel, BSIM_GLOBAL) || touches(kernel, BSIM_CONST);
}

/* worst has none of the shuffles, which come last. */
static struct line line_of(const struct bsim_check *check, const struct bsim_kernel_result *kernel,
                           const struct bsim_check_worst *worst, size_t i)
{
    static const struct bsim_check_spread none;
    const struct bsim_site_result *site = &kernel->sites[i];
    return (struct line){
        .text = i < bsim_check_contents(check)->n_accesses
                    ? bsim_check_contents(check)->access[i].text
                    : site->text,
        .site = site,
        .whole = kernel,
        .kernel = bsim_cycles_known(kernel),
        .cycles = bsim_cycles_of_site(kernel, site),
        .spread = !bsim_check_contents(check)->is_drawn        ? NULL
                  : i < bsim_check_contents(check)->n_accesses ? &worst[i].spread
                                                               : &none,
        .has_other = has_other(kernel) || has_sectors(kernel),
    };
}

/* An access to other memory in a recording: its place stands in front of the text, as of those to shared
 * memory (src/expr/recorded.c). */
static const char *text_of_other(const struct line *line, const struct bsim_check *check, size_t i,
                                 char *out, size_t size)
{
    const struct bsim_site_result *site = line->site;
    const char *slash = site->file != NULL ? strrchr(site->file, '/') : NULL;
    if (i < bsim_check_contents(check)->n_accesses || site->file == NULL) {
        return line->text != NULL ? line->text : "-";
    }
    (void)snprintf(out, size, "%.80s:%" PRIu32 "%s%.160s", slash != NULL ? slash + 1 : site->file,
                   site->line, site->text != NULL ? "  " : "",
                   site->text != NULL ? site->text : "");
    return out;
}

static void add_table(const struct bsim_check *check, const struct bsim_kernel_result *kernel,
                      const struct bsim_check_worst *worst, struct bsim_document *doc)
{
    bsim_document_table(doc, "accesses", columns, N_OF(columns));
    doc->table.shows = shown_of(kernel);
    for (size_t i = 0; i < kernel->n_sites; i++) {
        if (!bsim_row_has(&kernel->sites[i])) {
            continue; /* a barrier of a warp, which accesses nothing */
        }
        struct line line = line_of(check, kernel, worst, i);
        char op[BSIM_CELL_SIZE], text[SHOWN_TEXT * 4];
        if (bsim_check_contents(check)->recorded != NULL) {
            line.text = text_of_other(&line, check, i, text, sizeof text);
        }
        struct bsim_row row;
        make_row(&line, op, &row);
        if (bsim_document_speaks(doc)) {
            add_for_people(&line, &row);
        }
        bsim_document_row(doc, &row);
    }
    bsim_document_table_end(doc);
}

/* An access that no thread comes to is a mistake more often than not: it is named. */
static void add_unreached(const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    char op[BSIM_CELL_SIZE];
    char text[SHOWN_TEXT * 4];
    for (size_t i = 0; i < kernel->n_sites; i++) {
        const struct bsim_site_result *site = &kernel->sites[i];
        if (site->requests == 0 && bsim_row_has(site)) {
            bsim_word_op(&site->opcode, op);
            bsim_buffer_printf(out, "No thread comes to %s %s: it makes no request.\n", op,
                               bsim_plain(site->text, SHOWN_TEXT, text, sizeof text));
        }
    }
}

/* What statements of C name and nothing declares: a mistyped array would be among them. */
static void add_strangers(const struct bsim_check *check, struct bsim_buffer *out)
{
    size_t n = bsim_check_contents(check)->n_strangers;
    for (size_t i = 0; i < n; i++) {
        bsim_buffer_printf(out, "%s%s", i == 0 ? "Taken for registers or other memory: " : ", ",
                           bsim_check_contents(check)->stranger[i]);
    }
    bsim_buffer_text(out, n > 0 ? ".\n" : "");
}

/* What a thread keeps in memory of its own, as a register has no address. */
static void add_locals(const struct bsim_check *check, struct bsim_buffer *out)
{
    const struct bsim_check_contents *contents = bsim_check_contents(check);
    for (size_t i = 0; i < contents->n_locals; i++) {
        bsim_buffer_printf(out, "%s%s",
                           i == 0 ? "Not counted, as an index is no constant: local memory, of "
                                  : ", ",
                           contents->local[i]);
    }
    bsim_buffer_text(out, contents->n_locals > 0
                              ? "; a trace has ld.local and st.local for it ('banksim run').\n"
                              : "");
}

/* What the compiler makes of constants whose place it knows. */
static void add_operands(const struct bsim_check *check, struct bsim_buffer *out)
{
    const struct bsim_check_contents *contents = bsim_check_contents(check);
    char text[SHOWN_TEXT * 4];
    bool any = false;
    for (size_t i = 0; i < contents->n_accesses; i++) {
        if (contents->access[i].is_operand) {
            bsim_buffer_printf(out, "%s%s",
                               any ? ", " : "Operands of instructions, once loops are unrolled: ",
                               bsim_plain(contents->access[i].text, SHOWN_TEXT, text, sizeof text));
            any = true;
        }
    }
    bsim_buffer_text(out,
                     any ? "; a GPU then counts no request of constant memory for them.\n" : "");
}

static bool is_drawn(const struct bsim_check *check, const struct bsim_check_worst *worst)
{
    size_t i = 0;
    while (i < bsim_check_contents(check)->n_accesses && worst[i].spread.requests == 0) {
        i++;
    }
    return i < bsim_check_contents(check)->n_accesses;
}

/* What the accesses take whose indices are drawn. */
static void add_spread(const struct bsim_check *check, const struct bsim_kernel_result *kernel,
                       const struct bsim_check_worst *worst, struct bsim_buffer *out)
{
    char op[BSIM_CELL_SIZE];
    char text[SHOWN_TEXT * 4];
    bsim_buffer_text(out, "Indices are drawn, and all above is of one draw. A request is expected "
                          "to be:\n");
    for (size_t i = 0; i < bsim_check_contents(check)->n_accesses; i++) {
        const struct bsim_check_spread *spread = &worst[i].spread;
        if (spread->requests == 0) {
            continue;
        }
        double n = (double)spread->requests;
        bsim_word_op(&kernel->sites[i].opcode, op);
        bsim_buffer_printf(out,
                           "    %s %s: %.2f-way (5 %% to 95 %%: %" PRIu32 " to %" PRIu32
                           "), %.2f %s, over %" PRIu64 " that were drawn\n",
                           op, bsim_plain(kernel->sites[i].text, SHOWN_TEXT, text, sizeof text),
                           (double)spread->ways / n, spread->ways_low, spread->ways_high,
                           (double)spread->wavefronts / n, bsim_word_wavefronts(&kernel->device),
                           spread->requests);
    }
}

/* What an addition without a value was taken for, if there is one. */
static void add_assumed_one(const struct bsim_check *check, struct bsim_buffer *out)
{
    size_t n = bsim_check_contents(check)->n_accesses;
    size_t i = 0;
    while (i < n && !bsim_check_contents(check)->access[i].assumes_one) {
        i++;
    }
    if (i < n) {
        bsim_buffer_text(out,
                         "'add 1' is atomicAdd(&x, 1) whose result nobody uses; write 'x, v' for "
                         "another value, 'old = x' for a used result.\n");
    }
}

/* 003 has conflicting stores faster than loads that are not coalesced. Why the numbers above may
 * say the opposite: tests/measured/h200/global, rows of statement, and src/timing/README.md. */
static void add_rank(const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    const struct bsim_global_tally *loads = &kernel->global[BSIM_LOADS];
    struct bsim_tally total = bsim_kernel_total(kernel);
    bool scatters = loads->wavefronts > loads->requests;
    if (loads->requests > 0 && bsim_cycles_warps(kernel) == 1 &&
        (scatters || bsim_tally_excessive(&total) > 0)) {
        bsim_buffer_text(out, "For scale, loads that scatter beside bank conflicts, one warp waiting for each in turn: an H200 took 499 "
                              "clocks with loads of 32 lines and "
                              "507 with stores to one bank, with two warps 532 and 507, with 32 1749 and 1554.\n");
    } else if (scatters) {
        bsim_buffer_text(out, "Loads of lines that L1 lacks take longer than that: 32 warps with 32 lines "
                              "each 1749 clocks on an H200, with stores to one bank 1554.\n");
    }
}

/* Of one block that asks shared memory alone, its cycles say all. */
static bool has_launch(const struct bsim_kernel_result *kernel)
{
    return has_other(kernel) || bsim_kernel_async(kernel).wgmmas > 0 || kernel->grid.x * kernel->grid.y * kernel->grid.z > 1;
}

/* What the blocks of a grid take together, and what decides whether conflicts matter. */
static void add_launch(const struct bsim_kernel_result *kernel, double tried_share, struct bsim_buffer *out)
{
    struct bsim_async_tally async = bsim_kernel_async(kernel);
    if (kernel->grid.x * kernel->grid.y * kernel->grid.z > 1 || async.wgmmas + async.loads > 0) {
        bsim_cycles_launch_text(kernel, out);
    }
    if (has_launch(kernel)) {
        bsim_holdup_text(kernel, tried_share, out);
    }
}

/* A kernel that was run, and has accesses to global or constant memory alone. */
static bool is_of_others(const struct bsim_check *check, const struct bsim_kernel_result *kernel)
{
    return bsim_kernel_total(kernel).requests == 0 && !bsim_async_is_there(kernel) &&
           bsim_check_contents(check)->recorded != NULL;
}

/* What stands below the table. */
static void add_text(const struct bsim_check *check, const struct bsim_answer *answer, struct bsim_buffer *out)
{
    const struct bsim_result *result = &answer->result;
    const struct bsim_check_worst *worst = answer->worst;
    const struct bsim_kernel_result *kernel = &result->kernels[0];
    struct bsim_tally total = bsim_kernel_total(kernel);
    bsim_async_text(kernel, out);
    if (bsim_cycles_known(kernel) != NULL) {
        bsim_cycles_cost_text(kernel, out);
        bsim_cycles_memory_text(kernel, out);
        add_launch(kernel, answer->tried_share, out);
        add_rank(kernel, out);
    } else if (is_of_others(check, kernel)) {
        bsim_cycles_memory_text(kernel, out);
        bsim_holdup_text(kernel, answer->tried_share, out);
    } else if (total.requests > 0 && bsim_check_contents(check)->recorded != NULL) {
        bsim_buffer_text(out, "cycles: left out, as they would take long; 'banksim launch' with --cycles always tells them\n");
    } else if (total.requests > 0) {
        bsim_buffer_text(out, "cycles: left out, as they would take long; --emit-trace FILE and 'banksim run --cycles always "
                              "FILE' tell them\n");
    }
    for (size_t i = 0; i < bsim_check_contents(check)->n_accesses; i++) {
        if (worst[i].is_known && worst[i].request.opcode.space == BSIM_SHARED) {
            bsim_check_worst_text(check, &kernel->device, &worst[i], out);
        }
    }
    bool is_clean = bsim_tally_excessive(&total) == 0 && !is_drawn(check, worst);
    bool has_async = bsim_async_is_there(kernel), has_packets = bsim_kernel_packets(kernel) > 0;
    bool is_elsewhere = has_async || has_packets || is_of_others(check, kernel);
    bsim_buffer_text(out, is_clean && total.requests > 0 ? "No bank conflicts.\n"
                          : is_clean && is_elsewhere
                              ? bsim_async_without_requests(has_async, has_packets)
                              : "\n");
    if (is_drawn(check, worst)) {
        add_spread(check, kernel, worst, out);
    }
    if (bsim_check_contents(check)->is_drawn && has_other(kernel)) {
        bsim_buffer_text(out, "Sectors, lines and passes are of one draw.\n");
    }
    add_unreached(kernel, out);
    add_strangers(check, out);
    add_locals(check, out);
    add_operands(check, out);
    add_assumed_one(check, out);
    bsim_capacity_opt_in(kernel->shared_bytes, out);
    bsim_rests_text(result, out);
    bsim_basis_text(result, BSIM_NVPROF_BIT, out);
    bsim_cycles_basis_text(result, out);
}

/* Of the block and of its launch, as the lines of people's cycles have it. */
static void add_block_cycles(const struct bsim_kernel_result *kernel, struct bsim_document *doc)
{
    const struct bsim_kernel_cycles *cycles = bsim_cycles_known(kernel);
    struct bsim_row row = {.n = 0};
    bsim_row_known(&row, "cycles", cycles != NULL, cycles != NULL ? cycles->cycles : 0);
    bsim_row_known(&row, "cycles_ideal", cycles != NULL, cycles != NULL ? cycles->cycles_ideal : 0);
    if (has_launch(kernel)) {
        bool is_known = cycles != NULL && cycles->waves > 0;
        bsim_row_known(&row, "launch_cycles", is_known, is_known ? cycles->launch_cycles : 0);
        bsim_row_launch(kernel, &row);
    }
    bsim_document_members(doc, &row);
}

void bsim_report_check(const struct bsim_check *check, const struct bsim_answer *answer,
                       const struct bsim_report_options *options, struct bsim_buffer *out)
{
    const struct bsim_result *result = &answer->result;
    const struct bsim_check_worst *worst = answer->worst;
    const struct bsim_kernel_result *kernel = &result->kernels[0];
    struct bsim_document doc;
    struct bsim_row head;
    bsim_row_head(&head);
    bsim_row_text(&head, "device", kernel->device.name);
    bsim_document_begin(&doc, options, &head, out);
    add_table(check, kernel, worst, &doc);
    if (bsim_document_speaks(&doc)) {
        add_text(check, answer, out);
    }
    add_block_cycles(kernel, &doc);
    bsim_document_rests_on(&doc, kernel, BSIM_NVPROF_BIT);
    bsim_document_end(&doc);
}
