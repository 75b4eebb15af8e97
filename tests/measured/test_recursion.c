/* test_recursion.c - functions that call themselves, and branches by a table, as an H200 has them:
 * tests/measured/h200/ptx/calls.txt has what each thread of the kernels of calls.ptx stores. */
#include "ptx_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "tests/measured/h200/ptx/"
enum { THREADS = 64 };

static void read_text(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t n = fread(text, 1, size - 1, file);
    text[n] = '\0';
    assert_true(feof(file));
    fclose(file);
}

static void expect_row(const char *text, char *row)
{
    char launch[80];
    char *at = strchr(row, ' ');
    assert_non_null(at);
    snprintf(launch, sizeof launch, "%.*s<<<1, %d>>>(int[%d])", (int)(at - row), row, THREADS,
             THREADS);
    struct ptx_run run;
    ptx_expect_run(&run, text, launch);
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t due = (uint32_t)strtoul(at, &at, 16);
        if (run.out[t] != due) {
            fail_msg("%s: thread %u has %x, not %x", launch, (unsigned)t, (unsigned)run.out[t],
                     (unsigned)due);
        }
    }
    collect_free(&run.collect);
}

static void threads_store_what_a_gpu_s_do(void **state)
{
    (void)state;
    static char text[1 << 16];
    char line[2048];
    size_t n = 0;
    read_text(FOLDER "calls.ptx", text, sizeof text);
    FILE *rows = fopen(FOLDER "calls.txt", "r");
    assert_non_null(rows);
    while (fgets(line, sizeof line, rows) != NULL) {
        if (line[0] != '#') {
            expect_row(text, line);
            n++;
        }
    }
    assert_int_equal(n, 7);
    fclose(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_store_what_a_gpu_s_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
