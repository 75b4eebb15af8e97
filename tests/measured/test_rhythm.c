/* test_rhythm.c - two warpgroups that multiply one beside the other on an H200 (tools/crosscheck/rhythm.cu): whose wgmmas the
 * tensor cores take first (h200/mainloop/begins.csv), and what a turn of one takes longer beside the other's
 * (rhythm.csv). */
#include "table.h"

#include "timed.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#define DIR "tests/measured/h200/mainloop"

enum { LONG = 2000, WORK_CLOCKS = 4, ALONE_DELAY = 400, MOST_N = 128, NEAR = 35, CHAINS = 128, KEYS = 1024 };

static uint32_t number(const struct table *table, const char *column)
{
    double value = 0;
    if (!table_number(table, column, &value)) {
        fail_msg("no %s: %s", column, table->line);
    }
    return (uint32_t)(value + 0.5);
}

static void add_operand(struct bsim_buffer *out, char name, uint32_t at)
{
    bsim_buffer_printf(out, " %c.start=%u %c.lbo=16 %c.sbo=1024 %c.base=0 %c.swizzle=128B %c.major=K", name, at,
                       name, name, name, name, name);
}

/* Four wgmmas that begin so much later, and then so many instructions. */
static void add_group(struct bsim_buffer *out, uint32_t warp, uint32_t n, uint32_t later, uint32_t work)
{
    if (later > 0) {
        bsim_buffer_printf(out, "w%u work %u\n", warp, later / WORK_CLOCKS);
    }
    for (uint32_t k = 0; k < 4; k++) {
        bsim_buffer_printf(out, "w%u wgmma.mma_async.sync.aligned.m64n%uk16.f16", warp, n);
        add_operand(out, 'a', 1024 + warp * 2048 + 32 * k);
        add_operand(out, 'b', 1024 + 16384 + 32 * k);
        bsim_buffer_text(out, "\n");
    }
    bsim_buffer_printf(out, "w%u work %u wait=0\n", warp, work);
}

/* Clocks until a warpgroup is done and has worked, alone or beside the other one; the second begins `later`. */
static double play(uint32_t n, uint32_t later, uint32_t group, bool is_alone)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_result result;
    bsim_buffer_text(&text, "banksim-trace 1\nkernel k grid=1 block=256 shared=65536\nblock 0\n");
    if (group == 0 || !is_alone) {
        add_group(&text, 0, n, 0, group == 0 ? LONG : 1);
    }
    if (group == 1 || !is_alone) {
        add_group(&text, 4, n, later, group == 1 ? LONG : 1);
    }
    bsim_buffer_text(&text, "end\n");
    assert_false(text.failed);
    timed_trace(text.data, text.size_bytes, NULL, &result);
    double cycles = (double)result.kernels[0].timed.cycles;
    bsim_result_free(&result);
    bsim_buffer_free(&text);
    return cycles;
}

/* A number of the row's shape and chain. */
static uint32_t key_of(const struct table *table)
{
    return number(table, "n") / 64 * CHAINS + number(table, "chain");
}

/* What the first turn of each warpgroup takes longer than one that no other meets, which is the first one's where the
 * other begins last. Wgmmas of n256 come to the tensor cores 40 to 70 clocks apart there, for reasons of the machine
 * code's, and are left out. */
static void who_comes_first_goes_first(void **state)
{
    struct table table;
    double alone[KEYS] = {0};
    uint32_t n_rows = 0;
    (void)state;
    for (uint32_t pass = 0; pass < 2; pass++) {
        assert_true(table_open(&table, DIR, "begins.csv"));
        while (table_next(&table)) {
            uint32_t n = number(&table, "n"), key = key_of(&table);
            double first = number(&table, "first"), other = number(&table, "first_of_other");
            double turn[2] = {number(&table, "second") - first, number(&table, "second_of_other") - other};
            bool is_last = number(&table, "delay") == ALONE_DELAY;
            if (n > MOST_N || number(&table, "loads") > 0 || is_last != (pass == 0)) {
                continue;
            }
            alone[key] = is_last ? turn[0] : alone[key];
            for (uint32_t group = 0; group < 2 && !is_last; group++) {
                uint32_t later = (uint32_t)(other - first);
                double longer = play(n, later, group, false) - play(n, later, group, true);
                if (getenv("PRINT_PROGRAMS") != NULL) {
                    printf("m64n%u, %u later, warpgroup %u: %.0f clocks longer, model %.0f\n", n, later, group,
                           turn[group] - alone[key], longer);
                }
                assert_true(longer - (turn[group] - alone[key]) < NEAR && turn[group] - alone[key] - longer < NEAR);
                n_rows++;
            }
        }
        table_close(&table);
    }
    assert_int_equal(n_rows, 48);
}

/* A turn that is long enough for the tensor cores to rest takes an eighth of the other's wgmmas longer than alone. */
static void others_slow_a_turn_down(void **state)
{
    struct table table;
    double alone[KEYS] = {0}, sum = 0;
    uint32_t n_rows = 0;
    (void)state;
    assert_true(table_open(&table, DIR, "rhythm.csv"));
    while (table_next(&table)) {
        uint32_t n = number(&table, "n"), groups = number(&table, "warpgroups"), busy = 2 * n;
        uint32_t key = key_of(&table);
        double turn = 0;
        assert_true(table_number(&table, "turn", &turn));
        if (number(&table, "looks") == 0 || number(&table, "loads") > 0 || n < MOST_N) {
            continue;
        }
        alone[key] = groups == 1 ? turn : alone[key];
        if (groups == 2 && turn > 2 * busy + NEAR) {
            sum += (turn - alone[key]) / busy;
            n_rows++;
        }
    }
    table_close(&table);
    printf("# of %u turns: %.3f of the other's wgmmas\n", n_rows, sum / n_rows);
    assert_true(n_rows > 20 && sum / n_rows > 1 / 9.0 && sum / n_rows < 1 / 7.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_comes_first_goes_first),
        cmocka_unit_test(others_slow_a_turn_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
