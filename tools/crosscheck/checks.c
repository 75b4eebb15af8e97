/* checks.c - measured requests against the model; the twins are in checks_twins.c.
 *
 * What is compared, exactly unless it says otherwise:
 *
 *     requests.csv    wavefronts, bank conflicts
 *     ideals.csv      the source view's wavefronts and ideal ones; see wavefronts_of_view below
 *     merges.csv      wavefronts, bank conflicts, cycles, and the source view's wavefronts
 *     timed.csv       cycles with 16 warps: busy_cycles below, to the nearest integer
 *     increments.csv  the same as requests.csv; see increments below
 *     copies.csv      cp.async.ca: wavefronts, bank conflicts
 *     constant.csv    requests to the constant cache: passes
 *     global.csv      sectors, lines
 *     atomics.csv     sectors
 *
 * The model has several ways to some of these numbers: the plain one is held against the GPU, and
 * the others against it, on each row that they can answer.
 *
 * Skipped:
 *
 *   - cp.async.cg, and cp.async.ca whose lanes do not read global memory in a row: these rows do not say
 *     where they read (tests/measured/test_copies.c has rows that do);
 *   - loops.csv, atomics that the compiler makes a loop of: the model has what they take at least,
 *     which tests/measured/test_loops.c holds against these rows.
 */
#include "checks.h"
#include "model/count.h"

#include <banksim/model.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What lanes that take no part get for an address: no answer may depend on it. The files have the
 * pattern's address there, often a neighbour's: a model that looked would not be found out. */
#define NOBODYS_ADDRESS UINT64_C(0xdeadbeef)

/* A steady-state time is a whole number of cycles but for its measurement; more than this off is
 * another number. */
#define TIMED_WITHIN_CYCLES 0.45

struct row {
    struct bsim_opcode opcode;
    uint32_t mask;
    uint64_t address[BSIM_WARP_LANES];
};

/* ---- a row's request ------------------------------------------------------------------------- */

static bool parse_addresses(const char *text, uint64_t address[BSIM_WARP_LANES])
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        char *end;
        address[lane] = strtoull(text, &end, 10);
        if (end == text) {
            return false;
        }
        text = end;
    }
    return *text == '\0';
}

static bool parse_row(const struct table *table, const char *opcode, struct row *row)
{
    char *end;
    const char *mask = table_field(table, "mask");
    if (table->n_fields != table->n_columns ||
        bsim_opcode_parse(opcode, strlen(opcode), &row->opcode, NULL) != BSIM_OK ||
        !parse_addresses(table_field(table, "addresses"), row->address)) {
        return false;
    }
    row->mask = (uint32_t)strtoul(mask, &end, 16);
    uint32_t lanes = bsim_opcode_lanes(&row->opcode, row->mask);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        row->address[lane] = (lanes >> lane & 1) != 0 ? row->address[lane] : NOBODYS_ADDRESS;
    }
    return end != mask && *end == '\0';
}

/* ---- the model's ways to a count ------------------------------------------------------------- */

static struct bsim_event listed(const struct row *row)
{
    struct bsim_event event;
    bsim_event_init(&event, &row->opcode);
    event.mask = row->mask;
    memcpy(event.address, row->address, sizeof event.address);
    return event;
}

/* The same where the lanes that take no part lie where another one does. */
static struct bsim_event crowded(const struct row *row)
{
    struct bsim_event event = listed(row);
    uint32_t lanes = bsim_opcode_lanes(&row->opcode, row->mask);
    uint32_t other = 0;
    while (other < BSIM_WARP_LANES - 1 && (lanes >> other & 1) == 0) {
        other++;
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        event.address[lane] = row->address[(lanes >> lane & 1) != 0 ? lane : other];
    }
    return event;
}

/* The same with its lanes in step, as the two lowest have it; false if they are not. */
static bool in_step(const struct row *row, struct bsim_event *event)
{
    uint32_t lanes = bsim_opcode_lanes(&row->opcode, row->mask);
    uint32_t lowest[2] = {0}, n = 0;
    uint64_t address[BSIM_WARP_LANES];
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && n < 2; lane++) {
        lowest[n] = lane;
        n += lanes >> lane & 1;
    }
    int64_t distance = (int64_t)(row->address[lowest[1]] - row->address[lowest[0]]);
    *event = listed(row);
    event->affine = true;
    event->stride = n == 2 ? distance / (int64_t)(lowest[1] - lowest[0]) : 4;
    event->base = row->address[lowest[0]] - lowest[0] * (uint64_t)event->stride;
    bsim_event_addresses(event, address);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) != 0 && address[lane] != row->address[lane]) {
            return false;
        }
    }
    return true;
}

/* A way to a number that is not the plain one, which is held against the GPU's. */
static void expect_same(const struct checks *checks, const struct table *table, const char *way,
                        uint32_t number, uint32_t plain)
{
    if (number != plain) {
        char text[CHECKS_NUMBER_SIZE], plain_text[CHECKS_NUMBER_SIZE];
        snprintf(text, sizeof text, "%lu", (unsigned long)number);
        snprintf(plain_text, sizeof plain_text, "the plain way %lu", (unsigned long)plain);
        checks_report(checks, table, way, text, plain_text);
    }
}

static void expect_counts(const struct checks *checks, const struct table *table, const char *way,
                          const struct bsim_counts *counts, const struct bsim_counts *plain)
{
    expect_same(checks, table, way, counts->wavefronts, plain->wavefronts);
    expect_same(checks, table, way, counts->conflicts, plain->conflicts);
    expect_same(checks, table, way, counts->ideal, plain->ideal);
    expect_same(checks, table, way, counts->ways, plain->ways);
    expect_same(checks, table, way, counts->bytes_asked, plain->bytes_asked);
    expect_same(checks, table, way, counts->bytes_moved, plain->bytes_moved);
    expect_same(checks, table, way, counts->rules, plain->rules);
}

static void expect_event(const struct checks *checks, const struct table *table,
                         const struct bsim_event *event, const struct bsim_counts *plain)
{
    struct bsim_counts counts;
    bsim_event_count(checks->device, event, &counts);
    expect_counts(checks, table, "bsim_event_count", &counts, plain);
    if (checks->count != NULL) {
        checks->count(checks->device, event, &counts);
        expect_counts(checks, table, "another way", &counts, plain);
    }
}

/* By way of the schedule, the model's plain statement. All other ways must agree. */
static void count(const struct checks *checks, const struct table *table, const struct row *row,
                  struct bsim_counts *plain)
{
    struct bsim_schedule schedule;
    struct bsim_counts counts;
    struct bsim_request request = {.opcode = row->opcode, .mask = row->mask};
    struct bsim_event event = listed(row);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        request.address[lane] = (uint32_t)row->address[lane];
    }
    bsim_request_schedule(checks->device, &request, &schedule);
    bsim_schedule_count(checks->device, &request, &schedule, plain);
    bsim_request_count(checks->device, &request, &counts);
    expect_counts(checks, table, "bsim_request_count", &counts, plain);
    expect_event(checks, table, &event, plain);
    event = crowded(row);
    expect_event(checks, table, &event, plain);
    if (in_step(row, &event)) {
        expect_event(checks, table, &event, plain);
    }
}

static bool parse_own(const struct table *table, struct row *row)
{
    return parse_row(table, table_field(table, "opcode"), row);
}

/* ---- equal or not ---------------------------------------------------------------------------- */

void checks_report(const struct checks *checks, const struct table *table, const char *what,
                   const char *simulated, const char *counted)
{
    struct checks_difference difference = {table->name, table->line, what, simulated, counted};
    checks->on_difference(checks->context, &difference);
}

void checks_equal(const struct checks *checks, const struct table *table, const char *column,
                  double simulated)
{
    double counted;
    if (!table_number(table, column, &counted) || fabs(counted - simulated) > 0) {
        char text[CHECKS_NUMBER_SIZE];
        snprintf(text, sizeof text, "%.0f", simulated);
        checks_report(checks, table, column, text, table_field(table, column));
    }
}

/* ---- shared memory --------------------------------------------------------------------------- */

static void compare_counts(const struct checks *checks, const struct table *table,
                           const struct row *row)
{
    struct bsim_counts counts;
    count(checks, table, row, &counts);
    checks_equal(checks, table, "wavefronts", counts.wavefronts);
    checks_equal(checks, table, "bank_conflicts", counts.conflicts);
}

static bool check_request(const struct checks *checks, const struct table *table)
{
    struct row row;
    if (parse_own(table, &row)) {
        compare_counts(checks, table, &row);
        return true;
    }
    return false;
}

/* The source view's ideal is not the model's: so many wavefronts as would carry the active lanes'
 * bytes, whatever groups they are in, twice that for a compare-and-swap. */
static uint32_t ideal_of_view(const struct checks *checks, const struct row *row,
                              const struct bsim_counts *counts)
{
    uint32_t pass_bytes = checks->device->n_banks * checks->device->bank_bytes;
    uint32_t ideal = (counts->bytes_asked + pass_bytes - 1) / pass_bytes;
    return row->opcode.operation == BSIM_CAS ? 2 * ideal : ideal;
}

/* The source view's wavefronts are not always the pipe's either. Where the pair rule lets groups go
 * together and they collide, the pipe takes counts->wavefronts, and so long, but the view shows what
 * the groups would have taken apart:
 *
 *     8-byte loads    together, they take    pipe    view
 *                              1 wavefront   1       1
 *                              2, apart 3    2       3
 *
 * How it sees 16-byte ones is not known: sometimes as the pipe, sometimes fewer, often more. False
 * where nothing is to be expected. */
static bool wavefronts_of_view(const struct checks *checks, const struct row *row,
                               const struct bsim_counts *counts, uint32_t *wavefronts)
{
    struct bsim_device apart = *checks->device;
    struct bsim_event event = listed(row);
    struct bsim_counts counts_apart;
    bool in_pairs = (counts->rules >> BSIM_RULE_PAIR & 1) != 0;
    apart.has_pair_rule = false;
    bsim_event_count(&apart, &event, &counts_apart);
    *wavefronts = in_pairs && counts->wavefronts > 1 ? counts_apart.wavefronts : counts->wavefronts;
    return !in_pairs || row->opcode.bytes == 8;
}

static void expect_view(const struct checks *checks, const struct table *table, const char *column,
                        const struct row *row, const struct bsim_counts *counts)
{
    uint32_t wavefronts;
    if (wavefronts_of_view(checks, row, counts, &wavefronts)) {
        checks_equal(checks, table, column, wavefronts);
    }
}

static bool check_ideal(const struct checks *checks, const struct table *table)
{
    struct row row;
    struct bsim_counts counts;
    if (!parse_own(table, &row)) {
        return false;
    }
    count(checks, table, &row, &counts);
    expect_view(checks, table, "wavefronts", &row, &counts);
    checks_equal(checks, table, "ideal", ideal_of_view(checks, &row, &counts));
    return true;
}

/* What the compiler made of each: an increment whose result nobody uses is merged. */
static const struct {
    const char *written, *opcode;
} increments[] = {
    {"atom.shared.add.u32 1", "atom.shared.add.u32"},
    {"atom.shared.add.u32 1 unused", "red.shared.popc.inc.u32"},
    {"red.shared.add.u32 1", "red.shared.popc.inc.u32"},
    {"red.shared.inc.u32 max", "red.shared.popc.inc.u32"},
    {"red.shared.add.u32 2", "red.shared.add.u32"},
    {"red.shared.add.u32 -1", "red.shared.add.u32"},
};

static bool check_increment(const struct checks *checks, const struct table *table)
{
    struct row row;
    for (size_t i = 0; i < sizeof increments / sizeof increments[0]; i++) {
        if (strcmp(table_field(table, "opcode"), increments[i].written) == 0 &&
            parse_row(table, increments[i].opcode, &row)) {
            compare_counts(checks, table, &row);
            return true;
        }
    }
    return false;
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Groups that the opcode's width asks for, whether a lane is in them or not. */
static uint32_t groups_asked(const struct checks *checks, const struct bsim_opcode *opcode,
                             bool in_pairs)
{
    if (opcode->family == BSIM_LDMATRIX || opcode->family == BSIM_STMATRIX) {
        return opcode->count;
    }
    uint32_t pass_bytes = checks->device->n_banks * checks->device->bank_bytes;
    uint32_t groups = BSIM_WARP_LANES * opcode->bytes / pass_bytes;
    groups = in_pairs ? groups / 2 : groups;
    return groups > 1 ? groups : 1;
}

/* The cycles that the request holds the pipe: one per wavefront, and one for each group that could
 * have had a lane. */
static uint32_t busy_cycles(const struct checks *checks, const struct table *table,
                            const struct row *row)
{
    struct bsim_counts counts;
    count(checks, table, row, &counts);
    bool in_pairs = checks->device->has_pair_rule && (counts.rules >> BSIM_RULE_PAIR & 1) != 0;
    uint32_t groups = groups_asked(checks, &row->opcode, in_pairs);
    groups = row->opcode.operation == BSIM_CAS ? 2 * groups : groups;
    return counts.wavefronts > groups ? counts.wavefronts : groups;
}

/* Vectors of small elements: the instructions that take the loaded word apart need up to 3.4 cycles
 * themselves, so the time has a floor of its own and the pipe's only bounds it from below. */
static bool is_unpacked(const struct bsim_opcode *opcode)
{
    return opcode->family == BSIM_LD && opcode->bits < 32 && opcode->count > 1;
}

static bool check_time(const struct checks *checks, const struct table *table)
{
    struct row row;
    double counted;
    const char *column = "cycles_per_request_16_warps";
    if (!parse_own(table, &row) || !table_number(table, column, &counted)) {
        return false;
    }
    uint32_t busy = busy_cycles(checks, table, &row);
    double off = counted - busy;
    if (off < -TIMED_WITHIN_CYCLES || (off > TIMED_WITHIN_CYCLES && !is_unpacked(&row.opcode))) {
        char text[CHECKS_NUMBER_SIZE];
        snprintf(text, sizeof text, "%lu", (unsigned long)busy);
        checks_report(checks, table, column, text, table_field(table, column));
    }
    return true;
}

static bool check_merge(const struct checks *checks, const struct table *table)
{
    struct row row;
    struct bsim_counts counts;
    if (!check_request(checks, table) || !check_time(checks, table) || !parse_own(table, &row)) {
        return false;
    }
    count(checks, table, &row, &counts);
    expect_view(checks, table, "by_instruction", &row, &counts);
    return true;
}

/* ---- constant and global memory -------------------------------------------------------------- */

static bool check_constant(const struct checks *checks, const struct table *table)
{
    struct row row;
    if (!parse_own(table, &row)) {
        return false;
    }
    checks_equal(checks, table, "requests",
                 bsim_constant_passes(&row.opcode, row.mask, row.address));
    return true;
}

static void expect_global(const struct checks *checks, const struct table *table,
                          const struct bsim_event *event, const struct bsim_global_counts *plain)
{
    struct bsim_global_counts counts;
    bsim_event_global_count(checks->device, event, &counts);
    expect_same(checks, table, "bsim_event_global_count", counts.sectors, plain->sectors);
    expect_same(checks, table, "bsim_event_global_count", counts.lines, plain->lines);
}

static bool count_global(const struct checks *checks, const struct table *table,
                         struct bsim_global_counts *plain)
{
    struct row row;
    if (!parse_own(table, &row)) {
        return false;
    }
    struct bsim_event event = listed(&row);
    bsim_global_count(checks->device, &row.opcode, row.mask, row.address, plain);
    expect_global(checks, table, &event, plain);
    if (in_step(&row, &event)) {
        expect_global(checks, table, &event, plain);
    }
    return true;
}

static bool check_atomic(const struct checks *checks, const struct table *table)
{
    struct bsim_global_counts counts;
    if (!count_global(checks, table, &counts)) {
        return false;
    }
    checks_equal(checks, table, "requests", 1);
    checks_equal(checks, table, "sectors", counts.sectors);
    return true;
}

static bool check_global(const struct checks *checks, const struct table *table)
{
    struct bsim_global_counts counts;
    if (!count_global(checks, table, &counts)) {
        return false;
    }
    checks_equal(checks, table, "requests", 1);
    checks_equal(checks, table, "sectors", counts.sectors);
    checks_equal(checks, table, "lines", counts.lines);
    return true;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_other_copy(const struct table *table)
{
    const char *pattern = table_field(table, "pattern");
    return begins(table_field(table, "opcode"), "cp.async.cg.") ||
           begins(pattern, "unit; global: ") || begins(pattern, "both");
}

static bool is_any(const struct table *table)
{
    (void)table;
    return true;
}

/* check: false if the row cannot be read. is_skipped: rows that are not modelled; may be NULL. */
static const struct {
    const char *name;
    bool (*check)(const struct checks *checks, const struct table *table);
    bool (*is_skipped)(const struct table *table);
} files[] = {
    {"requests.csv", check_request, NULL},
    {"ideals.csv", check_ideal, NULL},
    {"merges.csv", check_merge, NULL},
    {"timed.csv", check_time, NULL},
    {"loops.csv", NULL, is_any},
    {"increments.csv", check_increment, NULL},
    {"copies.csv", check_request, is_other_copy},
    {"constant.csv", check_constant, NULL},
    {"global.csv", check_global, NULL},
    {"atomics.csv", check_atomic, NULL},
    {"twins.csv", checks_twin, NULL},
};

enum { N_FILES = sizeof files / sizeof files[0] };

const char *checks_file_at(size_t index)
{
    return index < N_FILES ? files[index].name : NULL;
}

static void run_row(const struct checks *checks, size_t index, const struct table *table,
                    struct checks_tally *tally)
{
    if (checks->on_row != NULL) {
        checks->on_row(checks->context, table->name, table->field[0]);
    }
    if (files[index].is_skipped != NULL && files[index].is_skipped(table)) {
        tally->skipped++;
        return;
    }
    tally->rows++;
    if (!files[index].check(checks, table)) {
        checks_report(checks, table, "not a row", "", "");
    }
}

bool checks_run(const struct checks *checks, size_t index, struct checks_tally *tally)
{
    struct table table;
    bool is_open = table_open(&table, checks->dir, files[index].name);
    *tally = (struct checks_tally){0};
    while (is_open && table_next(&table)) {
        run_row(checks, index, &table, tally);
    }
    table_close(&table);
    return is_open;
}
