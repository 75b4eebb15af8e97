/* test_launches.c - what holds a launch up, against launches of public CUDA programs on an H200:
 * tests/measured/h200/launches.csv, counted by the profiler.
 *
 * Nothing is simulated: the counters' requests, wavefronts and sectors stand for a kernel's, and its
 * instructions, one for each clock and partition, for what was played. So each of the bounds is the one
 * that a report has, and no launch may be shorter than any but DRAM's: what a cache has does not come
 * from there.
 */
#include "table.h"

#include <banksim/result.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 128, N_LAUNCHES = 110, LONG_CLOCKS = 20000, N_LONG = 42 };

static uint64_t number(const struct table *table, const char *column)
{
    double value = 0;
    assert_true(table_number(table, column, &value));
    return (uint64_t)value;
}

static uint64_t more(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* A wavefront of L1 carries four sectors at most. */
static struct bsim_kernel_result kernel_of(const struct table *table)
{
    struct bsim_kernel_result kernel = {.grid = {1, 1, 1}, .timed = {.is_timed = true, .waves = 1}};
    struct bsim_kernel_cycles *timed = &kernel.timed;
    uint64_t sectors = number(table, "sectors"), requests = number(table, "requests");
    uint64_t blocks = number(table, "blocks");
    assert_int_equal(bsim_device_find("h200", NULL, &kernel.device, NULL), BSIM_OK);
    bsim_timing_find(&kernel.device, &timed->timing);
    uint64_t sms = blocks < kernel.device.n_sms ? blocks : kernel.device.n_sms;
    kernel.grid.x = (uint32_t)blocks;
    kernel.blocks = blocks;
    kernel.global[BSIM_LOADS] = (struct bsim_global_tally){
        .requests = requests, .sectors = sectors, .wavefronts = more(requests, sectors / 4)};
    timed->cycles_bound = number(table, "wavefronts");
    timed->waits = number(table, "loads") > 0 ? blocks : 0;
    timed->launch_cycles = number(table, "instructions") / kernel.device.n_partitions / sms;
    timed->blocks_per_sm =
        bsim_device_occupancy(&kernel.device, (uint32_t)number(table, "threads"),
                              (uint32_t)number(table, "shared_bytes"),
                              (uint32_t)number(table, "registers"))
            .blocks;
    return kernel;
}

/* Holders whose bound is above the clocks. DRAM's is counted apart. */
static int n_above(const struct bsim_holdup *holdup, uint64_t clocks)
{
    int n = 0;
    for (int i = 0; i < BSIM_N_HOLDS; i++) {
        n += i != BSIM_HOLDS_DRAM && holdup->clocks[i] > clocks;
    }
    return n;
}

static int compare_numbers(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *share, size_t n)
{
    qsort(share, n, sizeof *share, compare_numbers);
    return share[n / 2];
}

/* How near the bounds come, where the launch itself is not most of the clocks: the longest of those that
 * always hold, and with DRAM's. Two launches took a little less than all their sectors would from DRAM:
 * they read again what they wrote. */
static void no_launch_is_shorter(void **state)
{
    struct table table;
    double sure[MOST], all[MOST];
    size_t n = 0, n_long = 0, n_cached = 0;
    (void)state;
    assert_true(table_open(&table, "tests/measured/h200", "launches.csv"));
    for (; table_next(&table); n++) {
        struct bsim_kernel_result kernel = kernel_of(&table);
        struct bsim_holdup holdup;
        uint64_t clocks = number(&table, "clocks"), least = 0;
        assert_true(bsim_cycles_holdup(&kernel, &holdup));
        if (n_above(&holdup, clocks) > 0) {
            fail_msg("%s: shorter than a bound", table.line);
        }
        n_cached += holdup.clocks[BSIM_HOLDS_DRAM] > clocks;
        assert_true(holdup.clocks[BSIM_HOLDS_DRAM] < clocks + clocks / 18);
        for (int i = 0; i < BSIM_HOLDS_DRAM; i++) {
            least = more(least, holdup.clocks[i]);
        }
        if (clocks >= LONG_CLOCKS && n_long < MOST) {
            sure[n_long] = (double)least / (double)clocks;
            all[n_long++] = (double)holdup.clocks[holdup.by] / (double)clocks;
        }
    }
    table_close(&table);
    assert_int_equal(n, N_LAUNCHES);
    assert_int_equal(n_long, N_LONG);
    assert_int_equal(n_cached, 2);
    double sure_median = median(sure, n_long), all_median = median(all, n_long);
    print_message("%zu launches, none shorter; of %zu long ones the bounds are %.2f of the clocks in "
                  "the median, with DRAM's %.2f; %zu shorter than DRAM's\n",
                  n, n_long, sure_median, all_median, n_cached);
    assert_true(sure_median > 0.45 && all_median > 0.7);
}

/* Told from what the programs do, not from the bounds. */
static void who_holds_them_up(void **state)
{
    static const struct {
        const char *kernel;
        enum bsim_holds by;
    } cases[] = {
        {"bitonicSortShared", BSIM_HOLDS_PIPE},     /* compares and swaps in shared memory */
        {"histogram64Kernel", BSIM_HOLDS_PIPE},     /* a byte of shared memory for each byte read */
        {"reduceGmem", BSIM_HOLDS_DRAM},            /* adds up 64 MB in place */
        {"reduceGmemUnroll", BSIM_HOLDS_DRAM},
        {"d_nbody_update_velocity", BSIM_HOLDS_SHARED}, /* arithmetic on all pairs */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct table table;
        size_t n = 0;
        assert_true(table_open(&table, "tests/measured/h200", "launches.csv"));
        while (table_next(&table)) {
            if (strcmp(table_field(&table, "kernel"), cases[i].kernel) == 0) {
                struct bsim_kernel_result kernel = kernel_of(&table);
                struct bsim_holdup holdup;
                assert_true(bsim_cycles_holdup(&kernel, &holdup));
                assert_int_equal(holdup.by, cases[i].by);
                n++;
            }
        }
        table_close(&table);
        assert_true(n > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_launch_is_shorter),
        cmocka_unit_test(who_holds_them_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
