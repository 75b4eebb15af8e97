/* check.c - what the accesses of a check cost, and where the lanes of the worst request meet.
 *
 *     op     access                         requests  wavefronts  ideal  excessive  ways  lost
 *     store  tile[threadIdx.y][threadIdx.x]       32          32     32          0     1     0
 *     load   tile[threadIdx.x][threadIdx.y]       32        1024     32        992    32   992
 *     cycles: 1074, of which 992 for conflicts ...
 *
 * Cycles are of the block alone on an SM; those that an access loses are the difference that its
 * own conflicts make. Below the table, for each access with conflicts, its worst request: whose it
 * is, the bank that serves the most, and a map of how often each bank has its turn. Csv and json
 * have the table alone. Shuffles stand below the accesses.
 */
#include "base/bits.h"
#include "report/async.h"
#include "report/basis.h"
#include "report/capacity.h"
#include "report/cycles.h"
#include "report/element.h"
#include "report/format.h"
#include "report/holdup.h"
#include "report/lanes.h"
#include "report/plain.h"

#include <banksim/banksim.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_TEXT = 72, SHOWN_LANES = 4, MAP_COLUMNS = 32, SECTOR_BYTES = 32 };

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- the rows -------------------------------------------------------------------------------- */

/* The statement's words for an opcode: "load", "atomic add", "ldmatrix x4". */
static void put_op(const struct bsim_opcode *opcode, char out[BSIM_CELL_SIZE])
{
    static const char *const operations[] = {"add", "min", "max",  "inc", "dec",  "and",
                                             "or",  "xor", "exch", "cas", "add 1"};
    static const char *const exchanges[] = {"idx", "up", "down", "xor"};
    switch (opcode->family) {
    case BSIM_LD:
        (void)snprintf(out, BSIM_CELL_SIZE, "load");
        break;
    case BSIM_ST:
        (void)snprintf(out, BSIM_CELL_SIZE, "store");
        break;
    case BSIM_ATOM:
    case BSIM_RED:
        (void)snprintf(out, BSIM_CELL_SIZE, "atomic %s",
                       operations[(opcode->operation - BSIM_ADD) % N_OF(operations)]);
        break;
    case BSIM_CP_ASYNC:
        (void)snprintf(out, BSIM_CELL_SIZE, "cp.async %s",
                       opcode->path == BSIM_BYPASS ? "cg" : "ca");
        break;
    case BSIM_WGMMA:
        (void)snprintf(out, BSIM_CELL_SIZE, "wgmma m64n%uk%u", 8u * opcode->count,
                       8u * BSIM_WGMMA_K_BYTES / opcode->bits);
        break;
    case BSIM_BULK:
        (void)snprintf(out, BSIM_CELL_SIZE, "%s %s", opcode->count > 0 ? "tma" : "bulk",
                       opcode->operation == BSIM_TO_SHARED   ? "load"
                       : opcode->operation == BSIM_TO_GLOBAL ? "store"
                                                             : "reduce");
        break;
    case BSIM_SHFL:
        (void)snprintf(out, BSIM_CELL_SIZE, "shuffle %s",
                       exchanges[(opcode->operation - BSIM_IDX) % N_OF(exchanges)]);
        break;
    default:
        (void)snprintf(out, BSIM_CELL_SIZE, "%s x%u%s",
                       opcode->family == BSIM_LDMATRIX ? "ldmatrix" : "stmatrix",
                       (unsigned)opcode->count, opcode->is_transposed ? ".trans" : "");
    }
}

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
    put_op(opcode, op);
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
    {"bytes used", "bytes_used", BSIM_AS_PER_CENT, .only = OF_GLOBAL},
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

/* On Kepler a request in conflict is issued once per pass. */
static const char *passes_word(const struct bsim_device *device)
{
    return device->replays ? "passes" : "wavefronts";
}

/* ---- a warp in words ------------------------------------------------------------------------- */

/* "3" or "0..7" */
static void add_range(const char *separator, uint32_t first, uint32_t last, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%s%" PRIu32, separator, first);
    if (first != last) {
        bsim_buffer_printf(out, "..%" PRIu32, last);
    }
}

/* As many coordinates as the block has dimensions. */
static uint32_t n_coordinates(const struct bsim_dim3 *block)
{
    return block->z > 1 ? 3 : block->y > 1 ? 2 : 1;
}

static void add_box(const struct bsim_dim3 *block, struct bsim_dim3 from, struct bsim_dim3 to,
                    struct bsim_buffer *out)
{
    bsim_buffer_text(out, "(");
    add_range("", from.x, to.x, out);
    if (n_coordinates(block) > 1) {
        add_range(",", from.y, to.y, out);
    }
    if (n_coordinates(block) > 2) {
        add_range(",", from.z, to.z, out);
    }
    bsim_buffer_text(out, ")");
}

/* Whether the threads from one to another, in their order, are just those of a box. */
static bool is_box(const struct bsim_dim3 *block, struct bsim_dim3 from, struct bsim_dim3 to)
{
    bool whole_rows = from.x == 0 && to.x == block->x - 1;
    bool whole_planes = whole_rows && from.y == 0 && to.y == block->y - 1;
    return from.z == to.z ? from.y == to.y || whole_rows : whole_planes;
}

/* "threads (0..15,0..1)": the warp's, of which people think wrongly where a row of the block is not
 * 32 wide. */
static void add_threads(const struct bsim_check *check, uint32_t warp, struct bsim_buffer *out)
{
    const struct bsim_dim3 *block = &bsim_check_contents(check)->kernel->block;
    uint32_t n = block->x * block->y * block->z - warp * BSIM_WARP_LANES;
    uint32_t first = warp * BSIM_WARP_LANES;
    struct bsim_dim3 from = bsim_dim3_thread(*block, first);
    struct bsim_dim3 to =
        bsim_dim3_thread(*block, first + (n < BSIM_WARP_LANES ? n : BSIM_WARP_LANES) - 1);
    bsim_buffer_text(out, "threads ");
    if (is_box(block, from, to)) {
        add_box(block, from, to, out);
        return;
    }
    add_box(block, from, from, out);
    bsim_buffer_text(out, " to ");
    add_box(block, to, to, out);
}

static void add_whose(const struct bsim_check *check, const struct bsim_check_request *request,
                      struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "    warp %" PRIu32 " is ", request->warp);
    add_threads(check, request->warp, out);
    for (size_t i = 0; i < bsim_check_contents(check)->access[request->access].n_loops; i++) {
        bsim_buffer_printf(out, "%s %s = %" PRId64, i == 0 ? "; with" : ",",
                           bsim_check_contents(check)->access[request->access].loop[i],
                           request->loop[i]);
    }
    if (request->mask != BSIM_FULL_MASK) {
        bsim_buffer_text(out, "; active are ");
        bsim_lanes_text(request->mask, out);
    }
    bsim_buffer_text(out, "\n");
}

/* ---- where its lanes meet -------------------------------------------------------------------- */

/* How often each bank serves, in the whole request and at most in one group of lanes. */
struct load {
    uint32_t turns[BSIM_MAX_BANKS];
    uint32_t most;
    uint32_t bank; /* the first that serves the most in one group */
    uint32_t group;
};

static void find_load(const struct bsim_schedule *schedule, struct load *load)
{
    uint32_t of_group[BSIM_MAX_GROUPS][BSIM_MAX_BANKS] = {{0}};
    memset(load, 0, sizeof *load);
    for (uint32_t p = 0; p < schedule->n_passes; p++) {
        const struct bsim_pass *pass = &schedule->pass[p];
        for (uint32_t g = 0; g < pass->n_grants; g++) {
            uint32_t bank = schedule->grant[pass->first_grant + g].bank;
            load->turns[bank]++;
            uint32_t n = ++of_group[pass->group][bank];
            if (n > load->most) {
                load->most = n;
                load->bank = bank;
                load->group = pass->group;
            }
        }
    }
}

/* "tile[1][0]": where the lane's address lies. */
static void add_place(const struct bsim_check *check, const struct bsim_check_request *request,
                      uint32_t lanes, struct bsim_buffer *out)
{
    uint32_t lane = bsim_bits_lowest(lanes);
    const struct bsim_check_array *array = &bsim_check_contents(check)->array[request->array[lane]];
    bsim_element_text(array, request->offset[lane], out);
    if (array->layout_text != NULL) {
        bsim_buffer_printf(out, " (laid at byte %" PRIu32 ")",
                           request->address[lane] - array->offset_bytes);
    }
}

/* A compare-and-swap has two turns, one after the other. */
static bool is_second_turn(const struct bsim_grant *grant, const struct bsim_grant *before)
{
    return before != NULL && grant->lanes == before->lanes && grant->row == before->row;
}

/* " bank 0 has 32 passes: lane 0 at tile[0][0], lane 1 at tile[1][0], ..."; with several groups of lanes
 * " bank 0 has 8 of its 16 passes for lanes 0-7: ..." */
static void add_meeting(const struct bsim_check *check, const struct bsim_check_request *request,
                        const struct bsim_schedule *schedule, const struct load *load,
                        struct bsim_buffer *out)
{
    uint32_t shown = 0;
    const struct bsim_grant *before = NULL;
    bsim_buffer_printf(out, "    bank %" PRIu32 " has %" PRIu32, load->bank, load->most);
    if (load->turns[load->bank] > load->most) {
        bsim_buffer_printf(out, " of its %" PRIu32, load->turns[load->bank]);
    }
    bsim_buffer_text(out, " passes");
    if (schedule->n_groups > 1) {
        bsim_buffer_text(out, " for ");
        bsim_lanes_text(schedule->group_lanes[load->group], out);
    }
    for (uint32_t p = 0; p < schedule->n_passes; p++) {
        const struct bsim_pass *pass = &schedule->pass[p];
        for (uint32_t g = 0; g < pass->n_grants && pass->group == load->group; g++) {
            const struct bsim_grant *grant = &schedule->grant[pass->first_grant + g];
            if (grant->bank != load->bank || is_second_turn(grant, before)) {
                continue;
            }
            before = grant;
            if (++shown > SHOWN_LANES) {
                continue;
            }
            bsim_buffer_text(out, shown == 1 ? ": " : ", ");
            bsim_lanes_text(grant->lanes, out);
            bsim_buffer_text(out, " at ");
            add_place(check, request, grant->lanes, out);
        }
    }
    bsim_buffer_text(out, shown > SHOWN_LANES ? ", ...\n" : "\n");
}

/* Two lines for each 32 banks: their numbers, and how many passes each has; "." for none. */
static void add_map(const struct bsim_device *device, const struct load *load,
                    struct bsim_buffer *out)
{
    for (uint32_t first = 0; first < device->n_banks; first += MAP_COLUMNS) {
        uint32_t end =
            first + MAP_COLUMNS < device->n_banks ? first + MAP_COLUMNS : device->n_banks;
        bsim_buffer_text(out, "    bank  ");
        for (uint32_t bank = first; bank < end; bank++) {
            bsim_buffer_printf(out, " %2" PRIu32, bank);
        }
        bsim_buffer_text(out, "\n    passes");
        for (uint32_t bank = first; bank < end; bank++) {
            if (load->turns[bank] == 0) {
                bsim_buffer_text(out, "  .");
            } else {
                bsim_buffer_printf(out, " %2" PRIu32, load->turns[bank]);
            }
        }
        bsim_buffer_text(out, "\n");
    }
}

static void add_why(const struct bsim_device *device, const struct bsim_request *request,
                    const struct bsim_schedule *schedule, struct bsim_buffer *out)
{
    bsim_buffer_text(out, "    ");
    bsim_request_why(device, request, schedule, out);
    bsim_buffer_text(out, "\n");
}

static void add_worst(const struct bsim_check *check, const struct bsim_device *device,
                      const struct bsim_check_worst *worst, struct bsim_buffer *out)
{
    struct bsim_request request = {.opcode = worst->request.opcode,
                                   .mask = worst->request.mask,
                                   .has_from = worst->request.has_from};
    struct bsim_schedule schedule;
    struct bsim_counts counts;
    struct load load;
    char op[BSIM_CELL_SIZE];
    char text[SHOWN_TEXT * 4];
    const struct bsim_check_access *access =
        &bsim_check_contents(check)->access[worst->request.access];
    memcpy(request.address, worst->request.address, sizeof request.address);
    memcpy(request.from, worst->request.from, sizeof request.from);
    bsim_request_schedule(device, &request, &schedule);
    bsim_schedule_count(device, &request, &schedule, &counts);
    put_op(&request.opcode, op);
    bsim_plain(access->text, SHOWN_TEXT, text, sizeof text);
    bool has_sides = request.opcode.path == BSIM_BYPASS || request.has_from;
    if (bsim_counts_excessive(&counts) == 0) {
        uint32_t idle = counts.bytes_moved - counts.bytes_asked;
        if (has_sides && idle >= counts.bytes_moved / counts.wavefronts) { /* fewer would carry them */
            bsim_buffer_printf(out, "\n%s %s: %" PRIu32 " %s, none excessive\n", op, text, counts.wavefronts,
                               passes_word(device));
            add_why(device, &request, &schedule, out);
        }
        return;
    }
    find_load(&schedule, &load);
    bsim_buffer_printf(
        out, "\n%s %s: at worst %" PRIu32 "-way, %s%" PRIu32 " %s where %" PRIu32 " would do\n", op,
        text, counts.ways, bsim_rules_are_least(counts.rules) ? "at least " : "", counts.wavefronts,
        passes_word(device), counts.ideal);
    if (bsim_check_contents(check)->recorded == NULL) { /* of which any warp's is kept */
        add_whose(check, &worst->request, out);
    }
    if (has_sides) {
        add_why(device, &request, &schedule, out);
        return; /* no bank says it, and no layout of the array alone mends it */
    }
    add_meeting(check, &worst->request, &schedule, &load, out);
    add_map(device, &load, out);
    if (worst->remedy.size_bytes > 0) {
        bsim_buffer_printf(out, "    %s.\n", worst->remedy.data);
    }
}

/* An access that no thread comes to is a mistake more often than not: it is named. */
static void add_unreached(const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    char op[BSIM_CELL_SIZE];
    char text[SHOWN_TEXT * 4];
    for (size_t i = 0; i < kernel->n_sites; i++) {
        const struct bsim_site_result *site = &kernel->sites[i];
        if (site->requests == 0 && bsim_row_has(site)) {
            put_op(&site->opcode, op);
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
        put_op(&kernel->sites[i].opcode, op);
        bsim_buffer_printf(out,
                           "    %s %s: %.2f-way (5 %% to 95 %%: %" PRIu32 " to %" PRIu32
                           "), %.2f %s, over %" PRIu64 " that were drawn\n",
                           op, bsim_plain(kernel->sites[i].text, SHOWN_TEXT, text, sizeof text),
                           (double)spread->ways / n, spread->ways_low, spread->ways_high,
                           (double)spread->wavefronts / n, passes_word(&kernel->device),
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
        bsim_buffer_text(out, "One warp alone waits for each in turn: an H200 took 499 clocks with loads of 32 lines and "
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
static void add_launch(const struct bsim_kernel_result *kernel, struct bsim_buffer *out)
{
    struct bsim_async_tally async = bsim_kernel_async(kernel);
    if (kernel->grid.x * kernel->grid.y * kernel->grid.z > 1 || async.wgmmas + async.loads > 0) {
        bsim_cycles_launch_text(kernel, out);
    }
    if (has_launch(kernel)) {
        bsim_holdup_text(kernel, out);
    }
}

/* A kernel that was run, and has accesses to global or constant memory alone. */
static bool is_of_others(const struct bsim_check *check, const struct bsim_kernel_result *kernel)
{
    return bsim_kernel_total(kernel).requests == 0 && !bsim_async_is_there(kernel) &&
           bsim_check_contents(check)->recorded != NULL;
}

/* What stands below the table. */
static void add_text(const struct bsim_check *check, const struct bsim_result *result,
                     const struct bsim_check_worst *worst, struct bsim_buffer *out)
{
    const struct bsim_kernel_result *kernel = &result->kernels[0];
    struct bsim_tally total = bsim_kernel_total(kernel);
    bsim_async_text(kernel, out);
    if (bsim_cycles_known(kernel) != NULL) {
        bsim_cycles_cost_text(kernel, out);
        bsim_cycles_memory_text(kernel, out);
        add_launch(kernel, out);
        add_rank(kernel, out);
    } else if (is_of_others(check, kernel)) {
        bsim_cycles_memory_text(kernel, out);
        bsim_holdup_text(kernel, out);
    } else if (total.requests > 0 && bsim_check_contents(check)->recorded != NULL) {
        bsim_buffer_text(out, "cycles: left out, as they would take long; 'banksim launch' with --cycles always tells them\n");
    } else if (total.requests > 0) {
        bsim_buffer_text(out, "cycles: left out, as they would take long; --emit-trace FILE and 'banksim run --cycles always "
                              "FILE' tell them\n");
    }
    for (size_t i = 0; i < bsim_check_contents(check)->n_accesses; i++) {
        if (worst[i].is_known && worst[i].request.opcode.space == BSIM_SHARED) {
            add_worst(check, &kernel->device, &worst[i], out);
        }
    }
    bool is_clean = bsim_tally_excessive(&total) == 0 && !is_drawn(check, worst);
    bsim_buffer_text(out, is_clean && total.requests > 0                ? "No bank conflicts.\n"
                          : is_clean && bsim_async_is_there(kernel)     ? BSIM_ASYNC_NO_CONFLICTS
                          : is_clean && bsim_kernel_packets(kernel) > 0 ? BSIM_PACKETS_NO_CONFLICTS
                          : is_of_others(check, kernel) ? "No request touches shared memory.\n"
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
        add_text(check, result, worst, out);
    }
    add_block_cycles(kernel, &doc);
    bsim_document_rests_on(&doc, kernel, BSIM_NVPROF_BIT);
    bsim_document_end(&doc);
}
