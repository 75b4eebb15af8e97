/* test_multicast.c - bulk copies to all blocks of a cluster against an H100's clocks: h100/async/multicast.csv (tools/crosscheck/multicast.cu).
 * The model takes a multicast for a copy to the block that issues it. These rows do not say how far that is off: what holds each of their
 * turns up are its arrivals at the cluster's mbarriers, which have no price here. PRINT_PROGRAMS=1 prints each. */
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

enum { STAGES = 6, FEW = 16, MANY = 40, ROWS = 198, ROWS_OF_SEVERAL = 162 };

struct row {
    uint32_t cluster, clusters, bytes;
    char how[16], beside[16];
    double turn;
};

static double number(const struct table *table, const char *column)
{
    double value = 0;
    if (!table_number(table, column, &value)) {
        fail_msg("no %s: %s", column, table->line);
    }
    return value;
}

static bool begin_row(struct table *table, struct row *row)
{
    if (!table_next(table)) {
        return false;
    }
    *row = (struct row){.cluster = (uint32_t)number(table, "cluster"), .clusters = (uint32_t)number(table, "clusters"),
                        .bytes = (uint32_t)number(table, "bytes"), .turn = number(table, "clocks") / number(table, "turns")};
    snprintf(row->how, sizeof row->how, "%s", table_field(table, "how"));
    snprintf(row->beside, sizeof row->beside, "%s", table_field(table, "beside"));
    return true;
}

/* The ring without its arrivals: the next copy to a stage begins when the last one has come. */
static double cycles_of(uint32_t bytes, uint32_t turns)
{
    static const struct bsim_timer_options options = {.clocked = true, .max_events = UINT64_MAX, .max_steps = UINT64_MAX};
    struct bsim_buffer body = BSIM_BUFFER_EMPTY;
    struct bsim_result result;
    for (uint32_t k = 0; k < turns; k++) {
        if (k >= STAGES) {
            bsim_buffer_printf(&body, "w0 await %u:1\nw0 work 1\n", k - STAGES + 1);
        }
        bsim_buffer_printf(&body, "w0 cp.async.bulk.shared.global bytes=%u start=%u from=%u arrive=%u\n", bytes,
                           k % STAGES * bytes, k % 8 * bytes, k + 1);
    }
    assert_false(body.failed);
    timed_body(NULL, 1, body.data, &options, &result);
    double cycles = (double)result.kernels[0].timed.cycles;
    bsim_result_free(&result);
    bsim_buffer_free(&body);
    return cycles;
}

static double percent(double here, double there)
{
    double off = 100 * (here / there - 1);
    return off < 0 ? -off : off;
}

/* A turn takes what its arrivals take, 445 clocks and 705 for each, however many bytes it copies and whichever way. */
static void arrivals_hold_the_rows_up(void **state)
{
    (void)state;
    struct table table;
    struct row row;
    uint32_t n = 0, n_several = 0;
    double most = 0;
    assert_true(table_open(&table, "tests/measured/h100/async", "multicast.csv"));
    while (begin_row(&table, &row)) {
        double off = percent(445 + 705.0 * row.cluster, row.turn);
        n++;
        if (row.cluster > 1) {
            n_several++;
            most = off > most ? off : most;
        }
    }
    table_close(&table);
    printf("# 445 + 705 clocks a block: %u rows of clusters, most %.1f %%\n", n_several, most);
    assert_int_equal(n, ROWS);
    assert_int_equal(n_several, ROWS_OF_SEVERAL);
    assert_true(most <= 11);
}

/* So multicast is no slower than copies that each block makes for itself, which come first of each. */
static void multicast_takes_what_own_copies_take(void **state)
{
    (void)state;
    struct table table;
    struct row row, own[16];
    uint32_t n_own = 0, n = 0;
    double most = 0;
    assert_true(table_open(&table, "tests/measured/h100/async", "multicast.csv"));
    while (begin_row(&table, &row)) {
        bool is_own = strcmp(row.how, "own") == 0;
        uint32_t i = 0;
        if (is_own && (n_own == 0 || own[0].cluster != row.cluster || own[0].clusters != row.clusters)) {
            n_own = 0;
        }
        if (is_own) {
            assert_true(n_own < 16);
            own[n_own++] = row;
            continue;
        }
        while (i < n_own && (own[i].bytes != row.bytes || strcmp(own[i].beside, row.beside) != 0)) {
            i++;
        }
        assert_true(i < n_own);
        if (row.cluster > 1) {
            double off = percent(row.turn, own[i].turn);
            n++;
            most = off > most ? off : most;
        }
    }
    table_close(&table);
    printf("# multicast against own copies: %u rows, most %.1f %%\n", n, most);
    assert_int_equal(n, 108);
    assert_true(most <= 8);
}

/* What is told of the copies alone is a least. */
static void copies_alone_are_told(void **state)
{
    (void)state;
    struct table table;
    struct row row;
    double least = 1e9, most = 0;
    uint32_t bytes = 0;
    double told = 0;
    assert_true(table_open(&table, "tests/measured/h100/async", "multicast.csv"));
    while (begin_row(&table, &row)) {
        if (row.bytes != bytes) {
            bytes = row.bytes;
            told = (cycles_of(bytes, MANY) - cycles_of(bytes, FEW)) / (MANY - FEW);
        }
        if (row.cluster == 1) {
            continue;
        }
        if (getenv("PRINT_PROGRAMS") != NULL) {
            printf("%u of %u, %s, %u bytes, %s: %.0f a turn, its copies %.0f\n", row.clusters, row.cluster, row.how,
                   row.bytes, row.beside, row.turn, told);
        }
        least = row.turn / told < least ? row.turn / told : least;
        most = row.turn / told > most ? row.turn / told : most;
    }
    table_close(&table);
    printf("# a turn takes %.1f to %.1f times what its copies are told to\n", least, most);
    assert_true(least >= 12 && most <= 92);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrivals_hold_the_rows_up),
        cmocka_unit_test(multicast_takes_what_own_copies_take),
        cmocka_unit_test(copies_alone_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
