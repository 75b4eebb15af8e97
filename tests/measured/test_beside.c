/* test_beside.c - what loads and copies by TMA come to beside wgmma, against an H200: h200/async/wgmma_beside_loads.csv
 * and wgmma_beside_tma.csv. One warpgroup multiplies for so long; in the same time others are done with what a share of
 * their measured rate comes to, and not with what is that much more. Of a few wgmmas and loads, wgmma_short.csv, the time. */
#include "table.h"

#include "timed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DIR "tests/measured/h200/async"

enum {
    CLOCKS = 12000,     /* of all wgmmas */
    SLACK = 100,        /* clocks in which others end later, as their last one's latency */
    A_AT = 1024,
    B_AT = 16384,
    LOADED_AT = 65536,
    ROW_BYTES = 128,    /* of a copy */
    LOAD_ROWS = 64,
    STORE_ROWS = 8,
    SHORT_ROWS = 4, /* of a store that wgmma slows down: what is issued when it begins lasts longer than it */
    HALF_BYTES = 131072,
    STARVED = 5, /* bytes a clock: two such stores under way keep it busy */
    FIRST_OTHER = 4,
    END = 48,    /* clocks of a block behind a wait for wgmma, that the kernel's own reading of the clock does not have */
    LOADS = 1,
    COPIES = 2
};

struct row {
    uint32_t n, warps, tile_at, other, bytes; /* bytes: of a lane's load */
    uint32_t stride, wavefronts;              /* of a load */
    bool a_in_registers, is_swizzled, is_store;
    double wgmma, rate; /* measured */
};

/* ---- traces ----------------------------------------------------------------------------------- */

static uint32_t wgmma_clocks(const struct row *row)
{
    uint32_t wavefronts = row->n / 4 + (row->a_in_registers ? 0 : 16);
    return row->n / 2 > wavefronts ? row->n / 2 : wavefronts;
}

static void add_operand(struct bsim_buffer *out, const struct row *row, char name, uint32_t at)
{
    bsim_buffer_printf(out, " %c.start=%u %c.lbo=%u %c.sbo=%u %c.base=0 %c.swizzle=%s %c.major=K", name, at, name,
                       row->is_swizzled ? 16 : 128, name, row->is_swizzled ? 1024 : 256, name, name,
                       row->is_swizzled ? "128B" : "none", name);
}

static void add_wgmmas(struct bsim_buffer *out, const struct row *row, uint32_t n)
{
    for (uint32_t i = 1; i <= n; i++) {
        bsim_buffer_printf(out, "w0 wgmma.mma_async.sync.aligned.m64n%uk16.f16", row->n);
        if (row->a_in_registers) {
            bsim_buffer_text(out, " a=registers");
        } else {
            add_operand(out, row, 'a', A_AT);
        }
        add_operand(out, row, 'b', B_AT);
        bsim_buffer_printf(out, "\n%s", i % 8 == 0 ? "w0 work 1 wait=8\n" : "");
    }
    bsim_buffer_text(out, "w0 work 1 wait=0\n");
}

static void add_loads(struct bsim_buffer *out, const struct row *row, uint32_t n)
{
    for (uint32_t warp = 0; warp < row->warps; warp++) {
        for (uint32_t i = warp; i < n; i += row->warps) {
            bsim_buffer_printf(out, "w%u ld.shared.%s ffffffff %u+%u\nw%u work 1 wait=0\n", FIRST_OTHER + warp,
                               row->bytes == 16 ? "v4.b32" : "b32", LOADED_AT, row->stride, FIRST_OTHER + warp);
        }
    }
}

static uint32_t copy_rows(const struct row *row)
{
    return !row->is_store ? LOAD_ROWS : row->tile_at >= HALF_BYTES ? STORE_ROWS : SHORT_ROWS;
}

static void add_copies(struct bsim_buffer *out, const struct row *row, uint32_t n)
{
    for (uint32_t i = 1; i <= n; i++) {
        bsim_buffer_printf(out, "w%u cp.async.bulk.tensor.2d.%s type=b16 box=64x%u swizzle=128B start=%u from=0 pitch=4096",
                           FIRST_OTHER, row->is_store ? "global.shared" : "shared.global",
                           copy_rows(row), row->tile_at);
        if (row->is_store) {
            bsim_buffer_printf(out, "\nw%u work 1 wait=%u\n", FIRST_OTHER, row->rate < STARVED ? 1 : 2);
        } else {
            bsim_buffer_printf(out, " arrive=%u\n", i);
        }
    }
    if (row->is_store) {
        bsim_buffer_printf(out, "w%u work 1 wait=0\n", FIRST_OTHER);
    } else if (n > 0) {
        bsim_buffer_printf(out, "w%u await %u:1\n", FIRST_OTHER, n);
    }
}

static void begin_block(struct bsim_buffer *text, uint32_t others)
{
    bsim_buffer_printf(text, "banksim-trace 1\nkernel k grid=1 block=%u shared=232448\nblock 0\n", 32 * (FIRST_OTHER + others));
}

/* The block's cycles; frees the text. */
static double time_block(struct bsim_buffer *text)
{
    struct bsim_result result;
    bsim_buffer_text(text, "end\n");
    assert_int_equal(bsim_buffer_status(text, NULL), BSIM_OK);
    timed_trace(text->data, text->size_bytes, NULL, &result);
    double cycles = (double)result.kernels[0].timed.cycles;
    bsim_result_free(&result);
    bsim_buffer_free(text);
    return cycles;
}

/* With so many requests of others, or copies. */
static double play(const struct row *row, uint32_t n)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    begin_block(&text, row->other == LOADS ? row->warps : 1);
    add_wgmmas(&text, row, CLOCKS / wgmma_clocks(row));
    if (row->other == LOADS) {
        add_loads(&text, row, n);
    } else {
        add_copies(&text, row, n);
    }
    return time_block(&text);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- rows ------------------------------------------------------------------------------------- */

static double number(const struct table *table, const char *column)
{
    double value = 0;
    if (!table_number(table, column, &value)) {
        fail_msg("no %s: %s", column, table->line);
    }
    return value;
}

static void read_row(const struct table *table, struct row *row)
{
    *row = (struct row){.n = (uint32_t)number(table, "N"),
                        .a_in_registers = strcmp(table_field(table, "A_from"), "R") == 0,
                        .is_swizzled = true,
                        .wgmma = number(table, "cycles_per_wgmma")};
}

/* Whether so much of the rate is done beside the wgmmas, alone so many clocks long. */
static bool keeps_up(const struct row *row, double alone, double rate)
{
    double unit = row->other == LOADS ? row->wavefronts : copy_rows(row) * ROW_BYTES;
    return play(row, (uint32_t)(rate * alone / unit)) <= alone + SLACK;
}

/* At least so much of what was measured comes through, and not as much as that. */
static void check_rate(const struct row *row, const struct table *table, double least, double most)
{
    double alone = play(row, 0), each = alone / (CLOCKS / wgmma_clocks(row));
    bool slow = !keeps_up(row, alone, least), fast = most > 0 && keeps_up(row, alone, most);
    if (slow || fast || each < 0.95 * row->wgmma || each > 1.02 * row->wgmma) {
        fail_msg("%s: %s, a wgmma %.1f clocks", table->line, slow ? "slower" : fast ? "faster" : "as fast", each);
    }
}

static void loads_get_what_wgmma_leaves(void **state)
{
    struct table table;
    struct row row;
    size_t n = 0, n_starved = 0;
    (void)state;
    assert_true(table_open(&table, DIR, "wgmma_beside_loads.csv"));
    while (table_next(&table)) {
        const char *other = table_field(&table, "other");
        read_row(&table, &row);
        if (row.n < 32 || strcmp(other, "none") == 0) {
            continue; /* m64n8: see there */
        }
        row.other = LOADS;
        row.warps = (uint32_t)number(&table, "other_warps");
        row.bytes = strcmp(other, "lds16 unit") == 0 ? 16 : 4;
        row.stride = strcmp(other, "lds 8way") == 0 ? 32 : row.bytes;
        row.wavefronts = strcmp(other, "lds 8way") == 0 ? 8 : row.bytes / 4;
        row.is_swizzled = strcmp(table_field(&table, "layout"), "128B") == 0;
        row.rate = number(&table, "other_wavefronts_per_clk");
        bool starves = row.rate < 0.07;
        double around = starves ? 0.025 : 0.22 * row.rate;
        check_rate(&row, &table, row.rate > around ? row.rate - around : 0, row.rate + around);
        n_starved += starves;
        n++;
    }
    table_close(&table);
    assert_int_equal(n, 108);
    assert_int_equal(n_starved, 36);
}

/* Loads are held by wgmma no more than it by them; each of these was waited for, which takes longer than their bytes. */
static void copies_get_what_wgmma_leaves(void **state)
{
    struct table table;
    struct row row;
    size_t n = 0;
    (void)state;
    assert_true(table_open(&table, DIR, "wgmma_beside_tma.csv"));
    while (table_next(&table)) {
        read_row(&table, &row);
        if (number(&table, "on") == 0) {
            continue;
        }
        row.other = COPIES;
        row.is_store = strcmp(table_field(&table, "copy"), "store") == 0;
        row.tile_at = (uint32_t)number(&table, "tile_at");
        row.rate = number(&table, "copy_bytes_per_clk");
        check_rate(&row, &table, (row.is_store ? 0.75 : 0.95) * row.rate, row.is_store ? 1.3 * row.rate : 0);
        n++;
    }
    table_close(&table);
    assert_int_equal(n, 20);
}

/* What is taken for a stream that goes on would keep each of these loads for a wgmma of its own: up to 7 times too long. */
static void loads_wait_for_a_few_wgmmas_once(void **state)
{
    struct table table;
    struct row row;
    double error[128];
    size_t n = 0;
    (void)state;
    assert_true(table_open(&table, DIR, "wgmma_short.csv"));
    while (table_next(&table)) {
        struct bsim_buffer text = BSIM_BUFFER_EMPTY;
        row = (struct row){.n = (uint32_t)number(&table, "n"), .is_swizzled = true};
        double group = number(&table, "group") + END, others = number(&table, "others");
        double measured = others > group ? others : group;
        begin_block(&text, (uint32_t)number(&table, "warps"));
        add_wgmmas(&text, &row, (uint32_t)number(&table, "wgmmas"));
        for (uint32_t warp = FIRST_OTHER; warp < FIRST_OTHER + number(&table, "warps"); warp++) {
            for (uint32_t i = 0; i < number(&table, "loads"); i++) {
                bsim_buffer_printf(&text, "w%u ld.shared.b32 ffffffff %u+4\n", warp, LOADED_AT + i * ROW_BYTES);
            }
            bsim_buffer_printf(&text, "w%u work 1 wait=0\n", warp);
        }
        error[n] = fabs(time_block(&text) / measured - 1);
        if (error[n] > 0.17) {
            fail_msg("%s: %.0f %% off", table.line, 100 * error[n]);
        }
        n++;
    }
    table_close(&table);
    assert_int_equal(n, 81);
    qsort(error, n, sizeof error[0], by_size);
    assert_true(error[n / 2] <= 0.045);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_get_what_wgmma_leaves),
        cmocka_unit_test(copies_get_what_wgmma_leaves),
        cmocka_unit_test(loads_wait_for_a_few_wgmmas_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
