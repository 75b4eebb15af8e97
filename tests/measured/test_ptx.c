/* test_ptx.c - instructions of PTX against what an H200 made of them: tests/measured/h200/ptx, read
 * by tools/crosscheck/ptx_check.c. */
#include "ptx_check.h"
#include "watched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Of drawn chains and sums. */
enum { LINE_SIZE = 1 << 16, EVERY = WATCHED(1, 5) };

/* Each row of a file, or each nth, and what stands above them. */
static FILE *open_rows(const char *path, uint32_t nth)
{
    static char line[LINE_SIZE];
    uint32_t n = 0;
    FILE *file = fopen(path, "r"), *rows = tmpfile();
    assert_non_null(file);
    assert_non_null(rows);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || n++ % nth == 0) {
            assert_true(fputs(line, rows) >= 0);
        }
    }
    fclose(file);
    rewind(rows);
    return rows;
}

static struct ptx_counts check_rows(const char *path, uint32_t nth)
{
    struct ptx_counts counts;
    FILE *file = open_rows(path, nth);
    assert_true(ptx_check(file, stderr, false, &counts));
    fclose(file);
    assert_int_equal(counts.n_wrong, 0);
    assert_int_equal(counts.n_wrong_chains, 0);
    return counts;
}

static void every_form_is_as_the_gpu_has_it(void **state)
{
    (void)state;
    assert_int_equal(check_rows("tests/measured/h200/ptx/values.txt", 1).forms, 1396);
}

static void chains_leave_what_the_gpu_leaves(void **state)
{
    (void)state;
    size_t n = check_rows("tests/measured/h200/ptx/chains.txt", EVERY).chains;
    assert_true(IS_WATCHED || n == 1947);
}

static void sums_leave_what_the_gpu_leaves(void **state)
{
    (void)state;
    size_t n = check_rows("tests/measured/h200/ptx/sums.txt", EVERY).chains;
    assert_true(IS_WATCHED || n == 1983);
}

static void approximations_are_near_the_gpus(void **state)
{
    (void)state;
    assert_int_equal(check_rows("tests/measured/h200/ptx/approximations.txt", 1).samples, 15360);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_form_is_as_the_gpu_has_it),
                                       cmocka_unit_test(chains_leave_what_the_gpu_leaves),
                                       cmocka_unit_test(sums_leave_what_the_gpu_leaves),
                                       cmocka_unit_test(approximations_are_near_the_gpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
