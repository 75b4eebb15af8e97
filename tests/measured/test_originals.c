/* test_originals.c - the programs that the documents describe, as an H200 counted their launches,
 * against the emulators: tests/measured/h200/originals.
 *
 * A row is a launch of a program as it was published, so what it says of shape, sizes, padding and
 * pointers is the program's and not ours; tools/crosscheck's twins, which are written to read like
 * the emulators, cannot tell. Most programs have 16 million elements. As all blocks of a kernel do
 * the same, the emulator's launch of a part of them is held against the counts, `times` over; with
 * WHOLE_ORIGINALS in the environment all of each launch is emulated instead, which takes a minute.
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

#define DIR "tests/measured/h200/originals"
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { SHAPE_SIZE = 64, ROWS = 164 };

static void print_row(const struct table *table, const char *what, const char *emulated,
                      const char *counted)
{
    print_error("%s %s: %s %s: %s emulated, %s counted: %s\n", table_field(table, "program"),
                table_field(table, "kernel"), table_field(table, "emulator"),
                table_field(table, "settings"), emulated, counted, what);
}

static unsigned long compare_number(const struct table *table, const char *column, uint64_t value)
{
    char text[SHAPE_SIZE];
    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    if (strcmp(text, table_field(table, column)) == 0) {
        return 0;
    }
    print_row(table, column, text, table_field(table, column));
    return 1;
}

static unsigned long compare_shape(const struct table *table, const struct bsim_kernel_result *k,
                                   uint64_t times)
{
    char block[SHAPE_SIZE];
    unsigned long x = 0, y = 0, z = 0;
    (void)snprintf(block, sizeof block, "%ux%ux%u", (unsigned)k->block.x, (unsigned)k->block.y,
                   (unsigned)k->block.z);
    assert_int_equal(sscanf(table_field(table, "grid"), "%lux%lux%lu", &x, &y, &z), 3);
    if (strcmp(block, table_field(table, "block")) == 0 && x * y * z == k->blocks * times) {
        return 0;
    }
    print_row(table, "block", block, table_field(table, "block"));
    print_row(table, "grid", "another number of blocks", table_field(table, "grid"));
    return 1;
}

/* idc__requests counts the kernel's reading of its own arguments, too: a request for each LDC, and
 * more only for those whose lanes disagree. */
static unsigned long compare_constant(const struct table *table, const struct bsim_kernel_result *k,
                                      uint64_t times)
{
    double asked, loads;
    assert_true(table_number(table, "idc__requests.sum", &asked));
    assert_true(table_number(table, "smsp__inst_executed_op_ldc.sum", &loads));
    uint64_t more = (k->constant_passes - k->constant_requests) * times;
    if (more == (uint64_t)(asked - loads) && k->constant_requests * times <= (uint64_t)loads) {
        return 0;
    }
    print_row(table, "constant requests", "other", table_field(table, "idc__requests.sum"));
    return 1;
}

static unsigned long compare_launch(const struct table *table, const struct bsim_kernel_result *k,
                                    uint64_t times)
{
    const struct bsim_tally *loads = &k->tally[BSIM_LOADS];
    const struct bsim_tally *stores = &k->tally[BSIM_STORES];
    const struct bsim_global_tally *gld = &k->global[BSIM_LOADS];
    const struct bsim_global_tally *gst = &k->global[BSIM_STORES];
    const struct {
        const char *column;
        uint64_t value;
    } numbers[] = {
        {"smsp__sass_inst_executed_op_shared_ld.sum", loads->requests},
        {"smsp__sass_inst_executed_op_shared_st.sum", stores->requests},
        {"sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", loads->wavefronts},
        {"sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", stores->wavefronts},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", gld->requests},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", gld->sectors},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", gst->requests},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", gst->sectors},
    };
    unsigned long n_differences = compare_shape(table, k, times);
    for (size_t i = 0; i < COUNT(numbers); i++) {
        n_differences += compare_number(table, numbers[i].column, numbers[i].value * times);
    }
    return n_differences + compare_constant(table, k, times);
}

static void originals_count_as_their_emulators(void **state)
{
    (void)state;
    bool whole = getenv("WHOLE_ORIGINALS") != NULL;
    unsigned long n_rows = 0, n_differences = 0;
    struct table table;
    assert_true(table_open(&table, DIR, "launches.csv"));
    while (table_next(&table)) {
        assert_int_equal(table.n_fields, table.n_columns);
        double times = 1;
        assert_true(whole || table_number(&table, "times", &times));
        struct bsim_result result =
            emulate_counted(table_field(&table, "emulator"),
                            table_field(&table, whole ? "settings" : "part"), "h200", 0);
        n_differences += compare_launch(&table, &result.kernels[0], (uint64_t)times);
        bsim_result_free(&result);
        n_rows++;
    }
    table_close(&table);
    assert_int_equal(n_rows, ROWS);
    assert_int_equal(n_differences, 0);
}

/* ---- reads of constant memory ---------------------------------------------------------------- */

/* What 20 reads count more than 4: a request each where the address is in a register, be it the
 * same for the whole warp or not, and as many as there are addresses. Reads that are no LDC, but
 * operands or ULDC, are the stencils' above. */
static void check_read(const struct table *table, double requests)
{
    static const uint64_t apart = 4;
    const char *read = table_field(table, "read");
    struct bsim_opcode opcode;
    uint64_t address[BSIM_WARP_LANES];
    assert_int_equal(bsim_opcode_parse("ld.const.u32", 12, &opcode, NULL), BSIM_OK);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = strcmp(read, "lane_index") == 0 ? apart * lane : 0;
    }
    uint32_t passes = bsim_constant_passes(&opcode, BSIM_FULL_MASK, address);
    if (passes < requests || passes > requests) {
        fail_msg("%s: %u passes, %.1f counted", read, (unsigned)passes, requests);
    }
}

static void indexed_reads_of_constants_are_requests(void **state)
{
    (void)state;
    unsigned long n_rows = 0;
    double loads_before = 0, asked_before = 0, loads, asked;
    struct table table;
    assert_true(table_open(&table, DIR, "constant.csv"));
    while (table_next(&table)) {
        assert_true(table_number(&table, "loads", &loads));
        assert_true(table_number(&table, "idc__requests.sum", &asked));
        if (n_rows++ % 2 == 1) {
            check_read(&table, (asked - asked_before) / (loads - loads_before));
        }
        loads_before = loads;
        asked_before = asked;
    }
    table_close(&table);
    assert_int_equal(n_rows, 18);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(originals_count_as_their_emulators),
        cmocka_unit_test(indexed_reads_of_constants_are_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
