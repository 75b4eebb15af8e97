/* test_global.c - global memory on an H200: what its requests take of L1 and of the data pipe, and
 * what kernels take with them, against the model: tests/measured/h200/global, which
 * tools/crosscheck/global.cu and the profiler wrote.
 */
#include "emulate.h"
#include "sealed.h"
#include "table.h"

#include <banksim/result.h>

#include "result/result.h"
#include "sim/sim.h"
#include "timing/timer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DIR "tests/measured/h200/global"

static double number(const struct table *table, const char *column)
{
    double value = 0;
    assert_true(table_number(table, column, &value));
    return value;
}

/* Lane l of a 4-byte access at l * stride. */
static struct bsim_global_counts counts_of(const char *name, uint32_t stride)
{
    struct bsim_device device;
    struct bsim_opcode opcode;
    struct bsim_global_counts counts;
    uint64_t address[BSIM_WARP_LANES];
    assert_int_equal(bsim_device_find("h200", NULL, &device, NULL), BSIM_OK);
    assert_int_equal(bsim_opcode_parse(name, strlen(name), &opcode, NULL), BSIM_OK);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = lane * stride;
    }
    bsim_global_count(&device, &opcode, BSIM_FULL_MASK, address, &counts);
    return counts;
}

static double at_least(double a, double b)
{
    return a > b ? a : b;
}

/* 32 warps of one SM, the data in L1. Their loop issues a request in 1.62 clocks at best. */
static void loads_in_l1_take_their_wavefronts(void **state)
{
    struct table table;
    int n = 0;
    (void)state;
    assert_true(table_open(&table, DIR, "times.csv"));
    while (table_next(&table)) {
        if (strcmp(table_field(&table, "what"), "throughput") != 0 ||
            strcmp(table_field(&table, "level"), "l1") != 0 || number(&table, "warps") < 32) {
            continue;
        }
        struct bsim_global_counts counts =
            counts_of("ld.global.u32", (uint32_t)number(&table, "stride"));
        double tags = (counts.lines + 3) / 4, clocks = number(&table, "clocks");
        double expected = at_least(at_least(counts.wavefronts, tags), 1.62);
        assert_int_equal(counts.sectors, number(&table, "sectors"));
        if (clocks < expected - 0.01 || clocks > expected + 0.06) {
            fail_msg("%s: %.3f clocks, not %.3f", table.line, clocks, expected);
        }
        n++;
    }
    table_close(&table);
    assert_int_equal(n, 22);
}

/* Wherever the data come from, and all SMs at work or one. */
static void no_request_takes_less(void **state)
{
    struct table table;
    int n = 0;
    (void)state;
    assert_true(table_open(&table, DIR, "times.csv"));
    while (table_next(&table)) {
        const char *kind = table_field(&table, "kind");
        if (strcmp(table_field(&table, "what"), "throughput") != 0 ||
            strcmp(kind, "ld.const") == 0) {
            continue;
        }
        struct bsim_global_counts counts =
            counts_of(strcmp(kind, "st") == 0 ? "st.global.u32" : "ld.global.u32",
                      (uint32_t)number(&table, "stride"));
        double least = at_least(counts.wavefronts, counts.lines / 4.0);
        if (number(&table, "clocks") < least) {
            fail_msg("%s: not below %.3f clocks", table.line, least);
        }
        n++;
    }
    table_close(&table);
    assert_int_equal(n, 69);
}

/* Clocks in which each of the 16 warps of a half, or of both, has had one of its requests. */
static void shared_memory_and_l1_take_turns(void **state)
{
    struct table table;
    double of_global = 0, of_shared = 0, both;
    int n = 0;
    (void)state;
    assert_true(table_open(&table, DIR, "times.csv"));
    while (table_next(&table)) {
        const char *kind = table_field(&table, "kind");
        if (strcmp(table_field(&table, "what"), "mixed") != 0) {
            continue;
        }
        if (strstr(kind, "and 0 shared") != NULL) {
            of_global = number(&table, "clocks");
        } else if (strstr(kind, "0 global") == kind) {
            of_shared = number(&table, "clocks");
        } else if (strncmp(table_field(&table, "stride"), "132", 3) != 0) {
            both = number(&table, "clocks");
            assert_true(both > 0.97 * (of_global + of_shared) && both < of_global + of_shared + 3);
            n++;
        }
    }
    table_close(&table);
    assert_int_equal(n, 4);
}

/* The counter of the whole pipe, less what it has of shared memory: that of barriers stands in
 * both. Nearly all launches have one more or none; 32 warps through the read-only cache have four.
 * Atomics, which L2 executes, are left out. */
static void the_pipe_counted_as_many(void **state)
{
    enum { MORE = 4 };
    struct table table;
    int n = 0, exact = 0;
    (void)state;
    assert_true(table_open(&table, DIR, "twins.csv"));
    while (table_next(&table)) {
        if (number(&table, "blocks") != 1) {
            continue;
        }
        struct bsim_result result = emulate_counted(table_field(&table, "kernel"),
                                                    table_field(&table, "settings"), "h200", 0);
        const struct bsim_global_tally *global = result.kernels[0].global;
        double counted = number(&table, "l1tex__data_pipe_lsu_wavefronts.sum") -
                         number(&table, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum");
        double more = counted - (double)global[BSIM_LOADS].wavefronts -
                      (double)global[BSIM_STORES].wavefronts;
        if (global[BSIM_ATOMICS].requests == 0 && (more < 0 || more > MORE)) {
            fail_msg("%s: %.0f more than the model", table.line, more);
        }
        exact += more == 0 || more == 1;
        n++;
        bsim_result_free(&result);
    }
    table_close(&table);
    assert_int_equal(n, 82);
    assert_int_equal(exact, 77);
}

/* 003's two statements, and the padded one, in one block of some warps. */
static struct bsim_memory_cycles cycles_of_statement(const char *kind, int warps)
{
    char text[200];
    struct bsim_result result, timed;
    struct bsim_memory_cycles memory;
    bool scatters = strcmp(kind, "uncoalesced") == 0;
    (void)snprintf(text, sizeof text,
                   "block %d\nglobal const int *in\nshared int s[32][%d]\n%s = in[%s];\n",
                   32 * warps, strcmp(kind, "padded") == 0 ? 33 : 32,
                   scatters ? "s[warp][lane]" : "s[lane][warp]",
                   scatters ? "lane * 32 + warp" : "warp * 32 + lane");
    struct bsim_check *check = sealed_check(text);
    struct bsim_sim *sim = bsim_sim_new(&(struct bsim_sim_options){.device = NULL});
    struct bsim_timer *timer = bsim_timer_new(&(struct bsim_timer_options){.device = NULL});
    struct bsim_sink sink = bsim_sim_sink(sim), clock = bsim_timer_sink(timer);
    assert_int_equal(bsim_check_push(check, NULL, &sink, NULL), BSIM_OK);
    assert_int_equal(bsim_check_push(check, NULL, &clock, NULL), BSIM_OK);
    assert_int_equal(bsim_sim_result(sim, &result, NULL), BSIM_OK);
    assert_int_equal(bsim_timer_result(timer, &timed, NULL), BSIM_OK);
    assert_int_equal(bsim_result_add_cycles(&result, &timed, NULL), BSIM_OK);
    bsim_cycles_memory(&result.kernels[0], &memory);
    bsim_result_free(&timed);
    bsim_result_free(&result);
    bsim_timer_free(timer);
    bsim_sim_free(sim);
    bsim_check_free(check);
    return memory;
}

/* None is shorter than the bound or the sum. One warp alone loads from 32 lines sooner than it
 * stores to one bank, two warps and more do not, here and there. */
static void one_warp_ranks_otherwise(void **state)
{
    enum { MOST_WARPS = 16 }; /* with 32 the sums are equal: what L1 lacks is not in them */
    struct table table;
    double scattered = 0, scattered_sum = 0;
    int n = 0;
    (void)state;
    assert_true(table_open(&table, DIR, "times.csv"));
    while (table_next(&table)) {
        const char *kind = table_field(&table, "kind");
        if (strcmp(table_field(&table, "what"), "statement") != 0) {
            continue;
        }
        int warps = (int)number(&table, "warps");
        double clocks = number(&table, "clocks");
        struct bsim_memory_cycles model = cycles_of_statement(kind, warps);
        assert_true(clocks >= (double)model.at_least && clocks >= (double)model.in_turn);
        if (strcmp(kind, "uncoalesced") == 0) {
            scattered = clocks;
            scattered_sum = (double)model.in_turn;
        } else if (strcmp(kind, "conflicts") == 0) {
            assert_int_equal(clocks<scattered, warps> 1);
            assert_true(warps > MOST_WARPS ||
                        ((double)model.in_turn < scattered_sum) == (warps > 1));
        }
        n++;
    }
    table_close(&table);
    assert_int_equal(n, 18);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* A launch of twins.csv: clocks in which the busiest SM was at work, and those of a block in the
 * model. With as many SMs as blocks each has one. */
struct launch {
    double measured;
    struct bsim_memory_cycles model;
};

static struct bsim_memory_cycles cycles_of(const char *name, const char *settings)
{
    struct bsim_result timed;
    struct bsim_memory_cycles memory;
    struct bsim_timer_options options = {.device = NULL};
    struct bsim_timer *timer = bsim_timer_new(&options);
    struct bsim_sink sink = bsim_timer_sink(timer);
    struct bsim_result result = emulate_counted(name, settings, "h200", 0);
    assert_int_equal(emulate(name, settings, &sink, NULL), BSIM_OK);
    assert_int_equal(bsim_timer_result(timer, &timed, NULL), BSIM_OK);
    assert_int_equal(bsim_result_add_cycles(&result, &timed, NULL), BSIM_OK);
    bsim_cycles_memory(&result.kernels[0], &memory);
    bsim_timer_free(timer);
    bsim_result_free(&result);
    return memory;
}

static bool next_launch(struct table *table, struct launch *launch)
{
    enum { SMS = 132 };
    while (table_next(table)) {
        uint64_t blocks = (uint64_t)number(table, "blocks");
        if (blocks <= SMS) {
            launch->measured = number(table, "sm__cycles_active.max");
            launch->model = cycles_of(table_field(table, "kernel"), table_field(table, "settings"));
            launch->model.at_least /= blocks;
            launch->model.in_turn /= blocks;
            return true;
        }
    }
    return false;
}

static int compare_numbers(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* What lies between the sum and the launch: its beginning, the code's way into the instruction
 * cache, index arithmetic. */
static void no_launch_is_shorter(void **state)
{
    enum { MOST = 128 };
    struct table table;
    struct launch launch;
    double more[MOST];
    size_t n = 0;
    (void)state;
    assert_true(table_open(&table, DIR, "twins.csv"));
    while (next_launch(&table, &launch)) {
        if (launch.measured < (double)launch.model.at_least) {
            fail_msg("%s: at least %.0f", table.line, (double)launch.model.at_least);
        }
        assert_true(n < MOST);
        more[n] = launch.measured - (double)launch.model.in_turn;
        n++;
    }
    table_close(&table);
    qsort(more, n, sizeof more[0], compare_numbers);
    print_message(
        "measured less in turn, %zu launches: %.0f to %.0f, median %.0f, 80 %% below %.0f\n", n,
        more[0], more[n - 1], more[n / 2], more[n * 8 / 10]);
    assert_int_equal(n, 86);
    assert_true(0 < more[0] && 200 < more[n / 2] && more[n / 2] < 300);
}

/* In which order two kernels come out: by cycles of a block. */
static void kernels_come_in_the_measured_order(void **state)
{
    static const char *const pairs[][4] = {
        /* faster, slower */
        {"quadratic_padded", "", "quadratic_conflicting_stores", ""},
        {"quadratic_conflicting_stores", "", "quadratic_uncoalesced_loads", ""},
        {"stencil_constant", "n=1024 bdim=1024", "stencil_readonly", "n=1024 bdim=1024"},
        {"stencil_readonly", "n=1024 bdim=1024", "stencil_divergent", "n=1024 bdim=1024"},
        {"constant_divergent", "distinct=2", "constant_divergent", "distinct=16"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const char *const *pair = pairs[i];
        struct table table;
        double clocks[2] = {0, 0};
        assert_true(table_open(&table, DIR, "twins.csv"));
        while (table_next(&table)) {
            for (size_t k = 0; k < 2; k++) {
                if (strcmp(table_field(&table, "kernel"), pair[2 * k]) == 0 &&
                    strcmp(table_field(&table, "settings"), pair[2 * k + 1]) == 0) {
                    clocks[k] = number(&table, "sm__cycles_active.max");
                }
            }
        }
        table_close(&table);
        assert_true(0 < clocks[0] && clocks[0] < clocks[1]);
        if (cycles_of(pair[0], pair[1]).in_turn >= cycles_of(pair[2], pair[3]).in_turn) {
            fail_msg("%s %s is not sooner than %s %s", pair[0], pair[1], pair[2], pair[3]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_in_l1_take_their_wavefronts),
        cmocka_unit_test(no_request_takes_less),
        cmocka_unit_test(shared_memory_and_l1_take_turns),
        cmocka_unit_test(the_pipe_counted_as_many),
        cmocka_unit_test(one_warp_ranks_otherwise),
        cmocka_unit_test(no_launch_is_shorter),
        cmocka_unit_test(kernels_come_in_the_measured_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
