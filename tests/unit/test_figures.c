/* test_figures.c - document 000's padding figure and its barrier in divergent code; and that an
 * emulator notices a wrong output.
 */
#include "emulate.h"
#include "emulators/emulators.h"

#include <banksim/kernel.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- five banks ----------------------------------------------------------------------------- */

/* Column 0 of a 5 x 5 tile is words 0, 5, 10, 15, 20: bank 0 of five. With a padding word per row
 * it is words 0, 6, 12, 18, 24: banks 0 to 4. The rows, words 5 * r to 5 * r + 4, never conflict.
 */
static void five_banks_conflict_until_padded(void **state)
{
    static const struct emulate_case cases[] = {
        {"five_banks", "", "v[t] = tile", 1, 5},
        {"five_banks", "ipad=1", "v[t] = tile", 1, 1},
        {"five_banks", "ipad=5", "v[t] = tile", 1, 5},
        {"five_banks", "", "tile[row]", 5, 5},
        {"five_banks", "ipad=1", "tile[row]", 5, 5},
    };
    (void)state;
    emulate_check(cases, COUNT(cases), "generic", 5);
}

static void more_banks_do_not_conflict(void **state)
{
    static const struct emulate_case cases[] = {
        {"five_banks", "", "v[t] = tile", 1, 1},
        {"five_banks", "ipad=1", "v[t] = tile", 1, 1},
    };
    (void)state;
    emulate_check(cases, COUNT(cases), "h200", 0);
}

/* ---- the barrier ---------------------------------------------------------------------------- */

/* 64 threads. The even ones reach the first barrier, the odd ones of both warps do not. */
static void a_divergent_barrier_ends_in_an_error(void **state)
{
    (void)state;
    struct collect collect = {0};
    struct bsim_sink sink = collect_sink(&collect);
    struct bsim_error err = {0};
    assert_int_equal(emulate("divergent_barrier", "", &sink, &err), BSIM_E_KERNEL);
    assert_string_equal(err.message,
                        "barrier in divergent code: threads 1, 3, 5, ... (16 of warp 0, mask "
                        "aaaaaaaa) of block (0,0,0) do not reach it, nor do threads of 1 other "
                        "warp");
    assert_non_null(strstr(err.file, "figures.c"));
    assert_true(err.line > 0);
    /* The stores before it are all that was pushed. */
    assert_int_equal(collect_count(&collect, 1), 2);
    assert_int_equal(collect.item[collect.n - 1].event.opcode.family, BSIM_ST);
    collect_free(&collect);
}

static void a_condition_for_all_makes_it_a_barrier(void **state)
{
    (void)state;
    struct bsim_result result = emulate_counted("divergent_barrier", "diverge=0", "h200", 0);
    assert_int_equal(result.kernels[0].barriers, 2);
    bsim_result_free(&result);
}

/* ---- wrong outputs -------------------------------------------------------------------------- */

KERNEL(counts_up)
{
    unsigned *out = *(unsigned *const *)ARGUMENTS;
    STORE(out[threadIdx.x], threadIdx.x);
}

KERNEL(counts_up_in_halves)
{
    float *out = *(float *const *)ARGUMENTS;
    STORE(out[threadIdx.x], (float)threadIdx.x / 2.0f);
}

static struct bsim_launch launch_of_four(void (*body)(struct bsim_cta *), const void *arguments,
                                         void *out)
{
    return (struct bsim_launch){
        .name = "counts",
        .grid = {1, 1, 1},
        .block = {4, 1, 1},
        .body = body,
        .arguments = arguments,
        .n_arrays = 1,
        .arrays = {{out, 16, BSIM_GLOBAL}},
    };
}

static void a_wrong_number_is_noticed(void **state)
{
    static const unsigned right[] = {0, 1, 2, 3};
    static const unsigned wrong[] = {0, 1, 3, 3};
    (void)state;
    unsigned out[4] = {0};
    unsigned *pointer = out;
    struct bsim_launch launch = launch_of_four(counts_up, &pointer, out);
    struct collect collect = {0};
    struct bsim_sink sink = collect_sink(&collect);
    struct bsim_error err = {0};
    assert_int_equal(bsim_launch_check(&launch, out, right, 4, &sink, &err), BSIM_OK);
    assert_int_equal(bsim_launch_check(&launch, out, wrong, 4, &sink, &err), BSIM_E_KERNEL);
    assert_string_equal(err.message, "counts: out[2] is 2, expected 3");
    collect_free(&collect);
}

static void a_wrong_float_is_noticed(void **state)
{
    static const float right[] = {0, 0.5f, 1, 1.5f};
    static const float wrong[] = {0, 0.5f, 1, 1.75f};
    (void)state;
    float out[4] = {0};
    float *pointer = out;
    struct bsim_launch launch = launch_of_four(counts_up_in_halves, &pointer, out);
    struct collect collect = {0};
    struct bsim_sink sink = collect_sink(&collect);
    struct bsim_error err = {0};
    assert_int_equal(bsim_launch_check_floats(&launch, out, right, 4, &sink, &err), BSIM_OK);
    assert_int_equal(bsim_launch_check_floats(&launch, out, wrong, 4, &sink, &err), BSIM_E_KERNEL);
    assert_string_equal(err.message, "counts: out[3] is 1.5, expected 1.75");
    collect_free(&collect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_banks_conflict_until_padded),
        cmocka_unit_test(more_banks_do_not_conflict),
        cmocka_unit_test(a_divergent_barrier_ends_in_an_error),
        cmocka_unit_test(a_condition_for_all_makes_it_a_barrier),
        cmocka_unit_test(a_wrong_number_is_noticed),
        cmocka_unit_test(a_wrong_float_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
