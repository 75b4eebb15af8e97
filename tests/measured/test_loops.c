/* test_loops.c - atomics that the compiler makes a loop of, against what an H200 counted: all rows
 * of h200/crosscheck/loops.csv, and of h200/loops_alone.csv, where each warp goes through its loop
 * once.
 *
 * What the model says is the least that a loop takes, and just that for one warp whose lanes of
 * both half-warps want different words, or change nothing. Each row is held to one of the two.
 */
#include "request_text.h"
#include "model/atomic.h"
#include "table.h"

#include "model/loop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <banksim/banksim.h>

enum { FIRST_OF_SECOND_HALF = 16, EXECUTIONS = 4 };

struct row {
    struct bsim_device device;
    struct bsim_request request;
    struct bsim_loop_counts loop;
};

static void read_row(const struct table *table, struct row *row)
{
    const char *name = table_field(table, "opcode");
    const char *text = table_field(table, "addresses");
    device_for_test("h200", 0, 0, &row->device);
    assert_int_equal(bsim_opcode_parse(name, strlen(name), &row->request.opcode, NULL), BSIM_OK);
    assert_true(bsim_opcode_loops(&row->request.opcode));
    row->request.mask = (uint32_t)strtoul(table_field(table, "mask"), NULL, 16);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        char *end;
        row->request.address[lane] = (uint32_t)strtoul(text, &end, 10);
        assert_ptr_not_equal(text, end);
        text = end;
    }
    bsim_loop_count(&row->device, &row->request, &row->loop);
    /* What reports print is that. */
    struct bsim_counts counts;
    bsim_request_count(&row->device, &row->request, &counts);
    assert_int_equal(counts.wavefronts, row->loop.loads + row->loop.swaps);
    assert_int_equal(counts.conflicts, row->loop.conflicts);
}

static uint32_t number(const struct table *table, const char *column, uint32_t times)
{
    double value;
    assert_true(table_number(table, column, &value));
    return (uint32_t)(value * times + 0.5);
}

static void differ(const struct table *table, const struct row *row)
{
    fail_msg("%s: %s\nsimulated %u loads, %u swaps, %u conflicts", table->name, table->line,
             (unsigned)row->loop.loads, (unsigned)row->loop.swaps, (unsigned)row->loop.conflicts);
}

static bool is_order(const struct row *row)
{
    return row->request.opcode.operation == BSIM_MIN || row->request.opcode.operation == BSIM_MAX;
}

/* ---- several executions ---------------------------------------------------------------------- */

/* The file has a quarter of what four executions took together. */
static bool holds(const struct table *table, const struct row *row)
{
    uint32_t least = row->loop.loads + row->loop.swaps;
    uint32_t wavefronts = number(table, "wavefronts", EXECUTIONS);
    uint32_t conflicts = number(table, "bank_conflicts", EXECUTIONS);
    if (is_order(row)) { /* some of them changed something, at most */
        return wavefronts >= EXECUTIONS * least && conflicts >= EXECUTIONS * row->loop.conflicts;
    }
    if (strcmp(table_field(table, "opcode") + 4, ".shared.add.f64") == 0 ||
        strcmp(table_field(table, "opcode") + 3, ".shared.add.f64") == 0) {
        /* The program's own loop around it is left by some lanes too early: the compiler counts its
         * turns for the warp as a whole. The first execution has all lanes. */
        return wavefronts >= least + 3 * (EXECUTIONS - 1) && conflicts >= row->loop.conflicts;
    }
    return wavefronts == EXECUTIONS * least && conflicts == EXECUTIONS * row->loop.conflicts;
}

static void every_row_holds(void **state)
{
    (void)state;
    unsigned rows = 0;
    struct table table;
    assert_true(table_open(&table, "tests/measured/h200/crosscheck", "loops.csv"));
    while (table_next(&table)) {
        struct row row;
        read_row(&table, &row);
        if (!holds(&table, &row)) {
            differ(&table, &row);
        }
        rows++;
    }
    table_close(&table);
    assert_int_equal(rows, 132);
}

/* ---- one execution --------------------------------------------------------------------------- */

/* Whether lanes of both half-warps want one word of 8 bytes. */
static bool halves_meet(const struct bsim_request *request)
{
    for (uint32_t i = 0; i < FIRST_OF_SECOND_HALF && request->opcode.bytes == 8; i++) {
        for (uint32_t j = FIRST_OF_SECOND_HALF; j < BSIM_WARP_LANES; j++) {
            if ((request->mask >> i & request->mask >> j & 1) != 0 &&
                request->address[i] == request->address[j]) {
                return true;
            }
        }
    }
    return false;
}

static bool holds_alone(const struct table *table, const struct row *row)
{
    const char *changes = table_field(table, "changes");
    uint32_t warps = number(table, "warps", 1);
    uint32_t loads = number(table, "loads", 1);
    uint32_t swaps = number(table, "swaps", 1);
    uint32_t conflicts = number(table, "load_conflicts", 1);
    bool none = strcmp(changes, "none") == 0;
    bool is_exact = warps == 1 && (is_order(row) ? none : none || !halves_meet(&row->request));
    if (is_exact) {
        return loads == row->loop.loads && swaps == row->loop.swaps &&
               conflicts == row->loop.conflicts;
    }
    return loads >= warps * row->loop.loads && swaps >= warps * row->loop.swaps &&
           conflicts >= warps * row->loop.conflicts;
}

static void every_row_holds_alone(void **state)
{
    (void)state;
    unsigned rows = 0;
    struct table table;
    assert_true(table_open(&table, "tests/measured/h200", "loops_alone.csv"));
    while (table_next(&table)) {
        struct row row;
        read_row(&table, &row);
        if (!holds_alone(&table, &row)) {
            differ(&table, &row);
        }
        assert_string_equal(table_field(&table, "swap_conflicts"), "0");
        rows++;
    }
    table_close(&table);
    assert_int_equal(rows, 128);
}

/* ---- the counts ------------------------------------------------------------------------------ */

/* What a report has of it: both parts, and one round without conflicts as the ideal. */
static void counts_have_both_parts(void **state)
{
    static const struct {
        const char *opcode, *addresses;
        uint32_t mask, wavefronts, ideal;
    } cases[] = {
        {"red.shared.add.f32", "0+0", BSIM_FULL_MASK, 96, 3},
        {"red.shared.add.f32", "0+4", BSIM_FULL_MASK, 3, 3},
        {"red.shared.add.f32", "0+128", 0x000000ff, 52, 3},
        {"atom.shared.add.noftz.f16x2", "0+8", BSIM_FULL_MASK, 2 + 1 + 2 * 2, 3},
        {"atom.shared.add.f64", "0+8", BSIM_FULL_MASK, 6, 6},
        {"atom.shared.add.u64", "0+0", 0x0000ffff, 48, 3},
        {"red.shared.max.s64", "0+0", BSIM_FULL_MASK, 1, 1},
        {"red.shared.min.u64", "0+8", BSIM_FULL_MASK, 2, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_device device;
        struct bsim_request request;
        struct bsim_counts counts;
        device_for_test("h200", 0, 0, &device);
        assert_true(request_parse(cases[i].opcode, cases[i].mask, cases[i].addresses, &request));
        bsim_request_count(&device, &request, &counts);
        if (counts.wavefronts != cases[i].wavefronts || counts.ideal != cases[i].ideal) {
            fail_msg("%s at %s: %u wavefronts, %u ideal, not %u and %u", cases[i].opcode,
                     cases[i].addresses, (unsigned)counts.wavefronts, (unsigned)counts.ideal,
                     (unsigned)cases[i].wavefronts, (unsigned)cases[i].ideal);
        }
    }
}

static void only_these_loop(void **state)
{
    static const char *const loops[] = {"atom.shared.add.f32", "red.shared.add.noftz.bf16x2",
                                        "red.shared.add.f64",  "atom.shared.add.u64",
                                        "red.shared.min.s64",  "atom.shared.xor.b64"};
    static const char *const others[] = {"atom.shared.add.u32", "atom.shared.exch.b64",
                                         "atom.shared.cas.b64", "red.shared.popc.inc.u32",
                                         "red.global.add.f64",  "ld.shared.f64"};
    struct bsim_opcode opcode;
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(bsim_opcode_parse(loops[i], strlen(loops[i]), &opcode, NULL), BSIM_OK);
        assert_true(bsim_opcode_loops(&opcode));
        assert_int_equal(bsim_opcode_parse(others[i], strlen(others[i]), &opcode, NULL), BSIM_OK);
        assert_false(bsim_opcode_loops(&opcode));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_holds),
        cmocka_unit_test(every_row_holds_alone),
        cmocka_unit_test(counts_have_both_parts),
        cmocka_unit_test(only_these_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
