/* test_own_kernel.c - the user's example, traces/own_kernel.c, as it stands: what it prints is the
 * trace that its kernel means. */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int own_kernel_main(void);

#define main own_kernel_main
#include "../../traces/own_kernel.c"
#undef main

/* Runs the example with its standard output in a file; returns its exit status. */
static int run_into(FILE *file)
{
    (void)fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    assert_true(saved >= 0 && dup2(fileno(file), STDOUT_FILENO) >= 0);
    int status = own_kernel_main();
    (void)fflush(stdout);
    assert_true(dup2(saved, STDOUT_FILENO) >= 0);
    (void)close(saved);
    return status;
}

static bool starts(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* 64 threads store words 0 to 63 in order and load them from the far end: lane 0 of warp 0 at word
 * 63, of warp 1 at word 31. */
static void prints_its_trace(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "banksim-trace 1",
        "kernel turn_round grid=1 block=64 shared=256",
        "block 0",
        "site 1 st.shared.u32 at=",
        "w0 @1 ffffffff 0+4",
        "w1 @1 ffffffff 128+4",
        "w* bar.sync",
        "site 2 ld.shared.u32 at=",
        "w0 @2 ffffffff 252-4",
        "w1 @2 ffffffff 124-4",
        "site 3 st.global.u32 at=",
        "w0 @3 ffffffff 4294967296+4",
        "w1 @3 ffffffff 4294967424+4",
        "end",
    };
    char line[256];
    size_t n = 0;
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(run_into(file), 0);
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (n >= sizeof expected / sizeof expected[0] || !starts(line, expected[n])) {
            fail_msg("line %zu is %s", n + 1, line);
        }
        n++;
    }
    (void)fclose(file);
    assert_int_equal(n, sizeof expected / sizeof expected[0]);
}

static void computes_what_it_says(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(out[i], 63 - i);
    }
}

/* The README promises under 30 lines. */
static void is_short(void **state)
{
    (void)state;
    char line[256];
    size_t n = 0;
    FILE *file = fopen("traces/own_kernel.c", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        n++;
    }
    (void)fclose(file);
    assert_true(n < 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_its_trace),
        cmocka_unit_test(computes_what_it_says),
        cmocka_unit_test(is_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
