/* test_machine_code.c - wavefronts of kernels run from machine code, by an H200's profiler.
 *
 * tests/measured/h200/verdicts/fourth has kernels and what the profiler counts of them; sass/ there is the machine code of two of its files. ptxas's
 * choices stand in it, so counts are equal to the last one in all kernels but those of queens, whose loads are 4 and 5 in 1,000
 * too few; why is not known.
 */
#include <banksim/sass.h>

#include "kernel_text.h"
#include "table.h"
#include "trace_text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define FOLDER "tests/measured/h200/verdicts/fourth"

enum { TEXT_SIZE = 256, PER_MILLE = 6, KERNELS = 12, EQUAL = 10 };

struct counts {
    double loads, stores;
};

static unsigned number(const struct table *table, const char *column)
{
    double value = 0;
    if (!table_number(table, column, &value)) {
        fail_msg("no %s: %s", column, table->line);
    }
    return (unsigned)value;
}

/* What the profiler counts of the kernel. */
static struct counts find_counts(const char *kernel)
{
    struct table table;
    struct counts counts = {0, 0};
    assert_true(table_open(&table, FOLDER, "wavefronts.csv"));
    while (table_next(&table)) {
        if (strcmp(table_field(&table, "kernel"), kernel) == 0) {
            counts = (struct counts){number(&table, "loads"), number(&table, "stores")};
        }
    }
    table_close(&table);
    assert_true(counts.loads > 0);
    return counts;
}

/* The file's machine code as PTX; nothing: there is none of it. */
static struct bsim_buffer load_code(const char *file)
{
    char path[TEXT_SIZE];
    struct bsim_error err = {.message = ""};
    struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
    if (strcmp(file, "search") != 0 && strcmp(file, "nets") != 0) {
        return ptx;
    }
    snprintf(path, sizeof path, FOLDER "/sass/%s.sass", file);
    struct bsim_buffer text = trace_text_load(path);
    if (bsim_sass_ptx(path, text.data, text.size_bytes, &ptx, &err) != BSIM_OK) {
        fail_msg("%s:%d: %s", path, (int)err.line, err.message);
    }
    bsim_buffer_free(&text);
    return ptx;
}

static struct counts run_row(const struct table *table, const char *ptx)
{
    char launch[2 * TEXT_SIZE];
    struct bsim_ptx_call *call = NULL;
    struct bsim_result result = {0};
    unsigned x = number(table, "x"), y = number(table, "y"), z = number(table, "z");
    snprintf(launch, sizeof launch, "%s<<<1, dim3(%u, %u, %u), %u>>>(float[%u], %u)", table_field(table, "kernel"), x, y, z,
             number(table, "dynamic"), x * y * z, number(table, "rounds"));
    kernel_text_run(ptx, launch, NULL, &call, &result);
    const struct bsim_tally *tally = result.kernels[0].tally;
    const struct counts counts = {(double)tally[BSIM_LOADS].wavefronts, (double)tally[BSIM_STORES].wavefronts};
    bsim_result_free(&result);
    bsim_ptx_call_free(call);
    return counts;
}

static void compare(const char *kernel, const char *what, double told, double counted)
{
    if (fabs(told - counted) > counted * PER_MILLE / 1000) {
        fail_msg("%s: %.0f wavefronts of %s, the profiler has %.0f", kernel, told, what, counted);
    }
}

static void wavefronts_are_the_profilers(void **state)
{
    struct table table;
    int n = 0, n_equal = 0;
    (void)state;
    assert_true(table_open(&table, FOLDER, "rows.csv"));
    while (table_next(&table)) {
        const char *kernel = table_field(&table, "kernel");
        struct bsim_buffer ptx = number(&table, "per_sm") == 0 ? load_code(table_field(&table, "file")) : (struct bsim_buffer)BSIM_BUFFER_EMPTY;
        if (ptx.size_bytes > 0) {
            struct counts told = run_row(&table, ptx.data), counted = find_counts(kernel);
            compare(kernel, "loads", told.loads, counted.loads);
            compare(kernel, "stores", told.stores, counted.stores);
            n++;
            n_equal += told.loads == counted.loads && told.stores == counted.stores;
        }
        bsim_buffer_free(&ptx);
    }
    table_close(&table);
    assert_int_equal(n, KERNELS);
    assert_int_equal(n_equal, EQUAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wavefronts_are_the_profilers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
