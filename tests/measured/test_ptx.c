/* test_ptx.c - instructions of PTX against what an H200 made of them: tests/measured/h200/ptx, read
 * by tools/crosscheck/ptx_check.c. */
#include "ptx_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct ptx_counts check_file(const char *path)
{
    struct ptx_counts counts;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(ptx_check(file, stderr, false, &counts));
    fclose(file);
    assert_int_equal(counts.n_wrong, 0);
    assert_int_equal(counts.n_wrong_chains, 0);
    return counts;
}

static void every_form_is_as_the_gpu_has_it(void **state)
{
    (void)state;
    assert_int_equal(check_file("tests/measured/h200/ptx/values.txt").forms, 1396);
}

static void chains_leave_what_the_gpu_leaves(void **state)
{
    (void)state;
    assert_int_equal(check_file("tests/measured/h200/ptx/chains.txt").chains, 1947);
}

static void sums_leave_what_the_gpu_leaves(void **state)
{
    (void)state;
    assert_int_equal(check_file("tests/measured/h200/ptx/sums.txt").chains, 1983);
}

static void approximations_are_near_the_gpus(void **state)
{
    (void)state;
    assert_int_equal(check_file("tests/measured/h200/ptx/approximations.txt").samples, 15360);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_form_is_as_the_gpu_has_it),
                                       cmocka_unit_test(chains_leave_what_the_gpu_leaves),
                                       cmocka_unit_test(sums_leave_what_the_gpu_leaves),
                                       cmocka_unit_test(approximations_are_near_the_gpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
