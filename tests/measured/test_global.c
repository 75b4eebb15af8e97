/* test_global.c - global memory on an H200: what its requests take of L1 and of the data pipe, against
 * the model: tests/measured/h200/global, which tools/crosscheck/global.cu and the profiler wrote.
 */
#include "emulate.h"
#include "table.h"

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

/* The counter of the whole pipe, less what it has of shared memory: that of barriers stands in both.
 * Nearly all launches have one more or none; 32 warps through the read-only cache have four. Atomics,
 * which L2 executes, are left out. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_in_l1_take_their_wavefronts),
        cmocka_unit_test(no_request_takes_less),
        cmocka_unit_test(shared_memory_and_l1_take_turns),
        cmocka_unit_test(the_pipe_counted_as_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
