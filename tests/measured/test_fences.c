/* test_fences.c - fences behind stores to shared memory against an H100's clocks: h100/async/proxy.csv (tools/crosscheck/proxy.cu).
 * Of each row what the fence, and with it the barrier behind, takes: from the first warp's begin to the last one's end, less the
 * same with the stores alone. PRINT_PROGRAMS=1 prints each. */
#include "table.h"
#include "timed.h"

#include <banksim/banksim.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WARPS = 4, WARP_BYTES = 128, STORE_BYTES = 1024 };

struct row {
    uint32_t warps, stores;
    const char *fence;
    bool meets;
};

static uint32_t number(const struct table *table, const char *column)
{
    double value = 0;
    if (!table_number(table, column, &value)) {
        fail_msg("no %s: %s", column, table->line);
    }
    return (uint32_t)value;
}

static void add_warp(struct bsim_buffer *out, const struct row *row, uint32_t warp)
{
    for (uint32_t i = 0; i < row->stores; i++) {
        bsim_buffer_printf(out, "w%u st.shared.b32 ffffffff %u+4\n", warp, i * STORE_BYTES + warp * WARP_BYTES);
    }
    if (strcmp(row->fence, "none") != 0) {
        bsim_buffer_printf(out, "w%u fence.%s ffffffff -\n", warp, row->fence);
    }
    if (row->meets) {
        uint32_t barrier = 1 + warp / WARPS;
        bsim_buffer_printf(out, "w%u arrive %u\nw%u await %u:4\n", warp, barrier, warp, barrier);
    }
    bsim_buffer_printf(out, "w%u work 1\n", warp);
}

static double cycles_of(const struct row *row)
{
    static const struct bsim_timer_options options = {.clocked = true, .max_events = UINT64_MAX, .max_steps = UINT64_MAX};
    struct bsim_buffer body = BSIM_BUFFER_EMPTY;
    struct bsim_result result;
    for (uint32_t warp = 0; warp < row->warps; warp++) {
        add_warp(&body, row, warp);
    }
    
    assert_false(body.failed);
    timed_body(NULL, row->warps, body.data, &options, &result);
    double cycles = (double)result.kernels[0].timed.cycles;
    bsim_result_free(&result);
    bsim_buffer_free(&body);
    return cycles;
}

/* Of the rows with so many warps. */
struct errors {
    size_t n;
    double sum, at_most;
};

static bool begin_row(struct table *table, struct row *row)
{
    static char fence[64];
    if (!table_next(table)) {
        return false;
    }
    assert_true(snprintf(fence, sizeof fence, "%s", table_field(table, "fence")) < (int)sizeof fence);
    *row = (struct row){number(table, "warps"), number(table, "stores"), fence, number(table, "bar") == 1};
    return true;
}

/* The rows' clocks without a fence, by stores: they come first of each. */
static void compare(uint32_t warps, const char *fence, bool meets, struct errors *errors)
{
    struct table table;
    struct row row;
    double without = 0, told_without = 0;
    memset(errors, 0, sizeof *errors);
    assert_true(table_open(&table, "tests/measured/h100/async", "proxy.csv"));
    while (begin_row(&table, &row)) {
        bool is_without = strcmp(row.fence, "none") == 0 && !row.meets;
        if (row.warps != warps || (!is_without && (strcmp(row.fence, fence) != 0 || row.meets != meets))) {
            continue;
        }
        double clocks = number(&table, "all"), told = cycles_of(&row);
        if (is_without) {
            without = clocks;
            told_without = told;
            continue;
        }
        double error = (told - told_without) - (clocks - without);
        if (getenv("PRINT_PROGRAMS") != NULL) {
            printf("%u warps, %2u stores, fence.%s%s: %.0f clocks more, model %.0f\n", warps, row.stores, fence,
                   meets ? ", barrier" : "", clocks - without, told - told_without);
        }
        error = error < 0 ? -error : error;
        errors->n++;
        errors->sum += error;
        errors->at_most = error > errors->at_most ? error : errors->at_most;
    }
    table_close(&table);
    printf("%u warps, fence.%s%s: %zu rows, mean %.1f clocks, most %.0f\n", warps, fence, meets ? ", barrier" : "",
           errors->n, errors->sum / (double)errors->n, errors->at_most);
}

static void within(uint32_t warps, const char *fence, bool meets, double mean, double most)
{
    struct errors errors;
    compare(warps, fence, meets, &errors);
    assert_int_equal(errors.n, 8);
    assert_true(errors.sum <= mean * 8 && errors.at_most <= most);
}

/* Of stores that are in front of it and of none; with two warps in a partition theirs begin apart. */
static void of_the_block(void **state)
{
    (void)state;
    within(1, "acq_rel.cta", false, 2, 7);
    within(4, "acq_rel.cta", false, 6, 11);
    within(8, "acq_rel.cta", false, 10, 22);
    within(4, "acq_rel.cta", true, 5, 12);
    within(8, "acq_rel.cta", true, 11, 46);
}

static void between_proxies(void **state)
{
    (void)state;
    within(1, "proxy.async.shared::cta", false, 2, 4);
    within(4, "proxy.async.shared::cta", false, 4, 9);
    within(8, "proxy.async.shared::cta", false, 9, 16);
    within(4, "proxy.async.shared::cta", true, 8, 23);
    within(8, "proxy.async.shared::cta", true, 20, 44);
}

/* Some 545 clocks each. Those of two warps of a partition go together or one behind the other, in one row of each eight three times. */
static void between_proxies_of_all_memory(void **state)
{
    (void)state;
    within(1, "proxy.async", false, 4, 5);
    within(4, "proxy.async", false, 4, 5);
    within(8, "proxy.async", false, 60, 300);
    within(4, "proxy.async", true, 8, 28);
    within(8, "proxy.async", true, 62, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_the_block),
        cmocka_unit_test(between_proxies),
        cmocka_unit_test(between_proxies_of_all_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
