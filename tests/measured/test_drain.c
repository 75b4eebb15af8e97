/* test_drain.c - the end of a block: posted stores and reductions are drained before the next one.
 *
 * h200/drain.csv has the clocks from block to block on one SM. What comes before and after the
 * requests is the same for all rows of a block's shape and not modelled; so what is compared is how
 * much longer a block with conflicts takes than one without. The limits are what the model reaches.
 */
#include "table.h"
#include "timed.h"

#include <banksim/status.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 46, N_COMPARED = 120 };

struct row {
    const char *op;
    double warps, requests, ways, residents, clocks;
};

static bool next_row(struct table *table, struct row *row)
{
    bool has_row = table_next(table);
    row->op = table_field(table, "op");
    assert_true(!has_row || (table_number(table, "warps", &row->warps) &&
                             table_number(table, "requests", &row->requests) &&
                             table_number(table, "ways", &row->ways) &&
                             table_number(table, "residents", &row->residents) &&
                             table_number(table, "clocks", &row->clocks)));
    return has_row;
}

/* The loop that was measured, in each warp. 32 / ways banks serve `ways` rows each. */
static uint64_t model(const char *opcode, const struct row *row)
{
    unsigned ways = (unsigned)row->ways, lanes = BSIM_WARP_LANES / ways;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_result cycles;
    bsim_buffer_printf(&text, "repeat %u work=2:20\nw* %s ffffffff ", (unsigned)row->requests,
                       opcode);
    for (unsigned lane = 0; lane < BSIM_WARP_LANES; lane++) {
        bsim_buffer_printf(&text, "%s%u", lane > 0 ? "," : "",
                           (lane % lanes + lane / lanes * 32) * 4);
    }
    bsim_buffer_text(&text, "\ndone\n");
    assert_int_equal(bsim_buffer_status(&text, NULL), BSIM_OK);
    timed_body(NULL, (uint32_t)row->warps, text.data, NULL, &cycles);
    uint64_t answer = cycles.kernels[0].timed.cycles;
    bsim_result_free(&cycles);
    bsim_buffer_free(&text);
    return answer;
}

/* Rows of the measured op that share a shape differ in ways: each against that of one way. */
static void compare(const char *op, const char *opcode, const char *warps, const char *requests,
                    double *sum, int *n)
{
    struct table table;
    struct row row, first = {.ways = 0};
    assert_true(table_open(&table, "tests/measured/h200", "drain.csv"));
    while (next_row(&table, &row)) {
        if (strcmp(row.op, op) != 0 || row.residents > 1 ||
            strcmp(table_field(&table, "warps"), warps) != 0 ||
            strcmp(table_field(&table, "requests"), requests) != 0) {
            continue;
        }
        if (row.ways <= 1) {
            first = row;
            continue;
        }
        assert_true(first.ways > 0);
        double longer = (double)model(opcode, &row) - (double)model(opcode, &first);
        double error = longer - (row.clocks - first.clocks);
        error = error < 0 ? -error : error;
        if (error > MOST) {
            fail_msg("%s: %.0f clocks longer than without conflicts", table.line, longer);
        }
        *sum += error;
        ++*n;
    }
    table_close(&table);
}

static void as_long_as_measured(void **state)
{
    static const char *const warps[] = {"1", "2", "4", "8", "16", "32"};
    double sum = 0;
    int n = 0;
    (void)state;
    for (size_t i = 0; i < sizeof warps / sizeof warps[0]; i++) {
        compare("st", "st.shared.u32", warps[i], "1", &sum, &n);
        compare("st", "st.shared.u32", warps[i], "4", &sum, &n);
        compare("red", "red.shared.or.b32", warps[i], "1", &sum, &n);
        compare("red", "red.shared.or.b32", warps[i], "4", &sum, &n);
    }
    assert_int_equal(n, N_COMPARED);
    printf("%d blocks, %.1f clocks off on average\n", n, sum / n);
    assert_true(sum / n < 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_long_as_measured)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
