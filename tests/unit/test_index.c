/* test_index.c - indices that data decide: what they are drawn to be, held against closed forms. */
#include "sealed.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/banksim.h>

#include <inttypes.h>
#include <string.h>

enum { DRAWS = 4000, MOST = 256 };

/* The elements (of 4 bytes) that the requests of a draw name, one request after the other. */
struct draw {
    size_t n;
    uint32_t element[MOST][BSIM_WARP_LANES];
};

static enum bsim_status keep(void *context, const struct bsim_check_request *request,
                             struct bsim_error *err)
{
    struct draw *draw = context;
    (void)err;
    assert_true(draw->n < MOST);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        draw->element[draw->n][lane] = request->offset[lane] / 4;
    }
    draw->n++;
    return BSIM_OK;
}

static struct draw draw_of(const struct bsim_check *check, uint64_t number)
{
    struct draw draw = {.n = 0};
    struct bsim_error err;
    if (bsim_check_each(
            check, &(struct bsim_check_visitor){.shared = keep, .context = &draw, .draw = number},
            &err) != BSIM_OK) {
        fail_msg("%s", err.message);
    }
    return draw;
}

/* ---- how likely ------------------------------------------------------------------------------ */

/* The coefficient of x^32 in (sum of x^k / k! for k up to most)^32, times 32! / 32^32: how likely
 * it is that of 32 numbers from 0 to 31 none comes more than `most` times. */
static double none_above(int most)
{
    double of[33] = {1};
    for (int bin = 0; bin < 32; bin++) {
        double next[33] = {0};
        for (int n = 0; n <= 32; n++) {
            double term = 1;
            for (int k = 0; k <= most && n + k <= 32; k++) {
                next[n + k] += of[n] * term;
                term /= k + 1;
            }
        }
        memcpy(of, next, sizeof of);
    }
    double result = of[32];
    for (int k = 1; k <= 32; k++) {
        result *= k / 32.0;
    }
    return result;
}

static void most_of_32_in_32(void **state)
{
    double mean = 0;
    double square = 0;
    double drawn = 0;
    struct bsim_check *check =
        sealed_check("index h: random(32)\nshared int s[32]\natomic add s[h]\n");
    (void)state;
    for (int most = 1; most <= 32; most++) {
        double likely = none_above(most) - none_above(most - 1);
        mean += most * likely;
        square += most * most * likely;
    }
    assert_true(mean > 3.53 && mean < 3.54);
    for (uint64_t k = 0; k < DRAWS; k++) {
        struct draw draw = draw_of(check, k);
        int of[32] = {0};
        int most = 0;
        for (int lane = 0; lane < BSIM_WARP_LANES; lane++) {
            int n = ++of[draw.element[0][lane]];
            most = n > most ? n : most;
        }
        drawn += most;
    }
    double off = drawn / DRAWS - mean;
    if (off * off > 16 * (square - mean * mean) / DRAWS) { /* four standard errors */
        fail_msg("%f, and %f is expected", drawn / DRAWS, mean);
    }
    bsim_check_free(check);
}

/* Each value as often as its weight says, within five standard errors, in 128,000 of them. */
static void compare_frequencies(const char *text, const double *weight, size_t n)
{
    struct bsim_check *check = sealed_check(text);
    double seen[MOST] = {0};
    double sum = 0;
    for (uint64_t k = 0; k < DRAWS; k++) {
        struct draw draw = draw_of(check, k);
        for (int lane = 0; lane < BSIM_WARP_LANES; lane++) {
            seen[draw.element[0][lane]]++;
        }
    }
    for (size_t k = 0; k < n; k++) {
        sum += weight[k];
    }
    for (size_t k = 0; k < n; k++) {
        double expected = (double)DRAWS * BSIM_WARP_LANES * weight[k] / sum;
        double off = seen[k] - expected;
        if (off * off > 25 * expected) {
            fail_msg("%s: %zu comes %f times, and %f are expected", text, k, seen[k], expected);
        }
    }
    bsim_check_free(check);
}

/* k^-1, k^-1.1 and k^-2.75 from k = 1 on, as Python's ** has them. */
static void frequencies(void **state)
{
    static const double even[] = {1, 1, 1, 1, 1, 1, 1};
    static const double harmonic[] = {1, 1 / 2., 1 / 3., 1 / 4., 1 / 5.};
    static const double tenth[] = {1.0,      0.466516, 0.298653, 0.217638, 0.170268, 0.139326,
                                   0.117596, 0.101532, 0.089194, 0.079433, 0.071527, 0.064998};
    static const double quarters[] = {1.0, 0.148651, 0.048743, 0.022097, 0.011963, 0.007246};
    (void)state;
    compare_frequencies("index h: random(7)\nshared int s[7]\nload s[h]\n", even, 7);
    compare_frequencies("index h: zipf(0, 7)\nshared int s[7]\nload s[h]\n", even, 7);
    compare_frequencies("index h: zipf(1, 5)\nshared int s[5]\nload s[h]\n", harmonic, 5);
    compare_frequencies("index h: zipf(1.1, 12)\nshared int s[12]\nload s[h]\n", tenth, 12);
    compare_frequencies("index h: zipf(2.75, 6)\nshared int s[6]\nload s[h]\n", quarters, 6);
}

/* ---- how long a value holds ------------------------------------------------------------------ */

static uint32_t count_equal(const struct draw *draw, size_t a, size_t b)
{
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        n += draw->element[a][lane] == draw->element[b][lane];
    }
    return n;
}

/* Of 32 pairs of numbers below 1024, one or two may be equal by chance. */
static void turns_draw_anew(void **state)
{
    struct bsim_check *check =
        sealed_check("index h: random(1024)\nindex g: random(1024)\nshared int s[1024], t[1024]\n"
                     "x = s[h] + t[h];\n"                       /* 0, 1 */
                     "load s[h]\n"                              /* 2 */
                     "load s[g]\n"                              /* 3 */
                     "for k = 0:2 {\n load s[h]\n s[h]++;\n}\n" /* 4, 5, 6; 7, 8, 9 */
                     "load s[h]\n");                            /* 10 */
    struct draw draw = draw_of(check, 0);
    struct draw other = draw_of(check, 1);
    (void)state;
    assert_int_equal(draw.n, 11);
    assert_int_equal(count_equal(&draw, 0, 1), 32);
    assert_int_equal(count_equal(&draw, 1, 2), 32);
    assert_true(count_equal(&draw, 2, 3) < 3);
    assert_true(count_equal(&draw, 2, 4) < 3);
    assert_int_equal(count_equal(&draw, 4, 5), 32);
    assert_int_equal(count_equal(&draw, 4, 6), 32);
    assert_true(count_equal(&draw, 4, 7) < 3);
    assert_int_equal(count_equal(&draw, 7, 9), 32);
    assert_int_equal(count_equal(&draw, 2, 10), 32);
    memcpy(draw.element[11], other.element[0], sizeof other.element[0]);
    assert_true(count_equal(&draw, 0, 11) < 3);
    bsim_check_free(check);
}

/* An array of 128 is left by what a guard lets through only if the guard looked at another
 * value. */
static void guards_look_at_what_they_guard(void **state)
{
    struct bsim_check *check =
        sealed_check("index h: random(256)\nshared int s[128]\n"
                     "if (h < 128) { load s[h] }\n"
                     "x = h < 128 ? s[h] : 0;\n"
                     "for k = 0:4 { if (h < 128) { s[h] += 1; } }\n"
                     "while (h < 128) s[h] = 1;\n"
                     "for (int i = 0; h < 128; i++) { load s[h] }\n"
                     "if (h < 128) { for k = 0:2 { let b = h\n if (b < 128) { load s[b] } } }\n");
    (void)state;
    for (uint64_t k = 0; k < 64; k++) {
        (void)draw_of(check, k);
    }
    bsim_check_free(check);
}

/* Two indices are two objects, though nothing else tells s[h] from s[g]. */
static void one_statement_has_two(void **state)
{
    struct bsim_check *check = sealed_check("index h: random(1024)\nindex g: random(1024)\n"
                                            "shared int s[1024]\nx = s[h] + s[g] + s[h];\n");
    (void)state;
    assert_int_equal(bsim_check_contents(check)->n_accesses, 2);
    bsim_check_free(check);
}

/* Two warps, two lanes, two blocks: all different; and the same again. */
static void places_draw_apart(void **state)
{
    static const char text[] = "block 64\nindex h: random(1024)\nshared int s[1024]\nload s[h]\n";
    struct bsim_check *check = sealed_check(text);
    struct bsim_check *again = sealed_check(text);
    struct bsim_check *block = sealed_check(
        "block 64\nblockidx 1\nindex h: random(1024)\nshared int s[1024]\nload s[h]\n");
    struct draw draw = draw_of(check, 7);
    struct draw same = draw_of(again, 7);
    struct draw other = draw_of(block, 7);
    (void)state;
    assert_int_equal(draw.n, 2);
    assert_true(count_equal(&draw, 0, 1) < 3);
    assert_memory_equal(&draw.element[0], &same.element[0], 2 * sizeof draw.element[0]);
    memcpy(draw.element[2], other.element[0], sizeof other.element[0]);
    assert_true(count_equal(&draw, 0, 2) < 3);
    uint32_t n = 0;
    for (uint32_t lane = 1; lane < BSIM_WARP_LANES; lane++) {
        n += draw.element[0][lane] == draw.element[0][0];
    }
    assert_true(n < 3);
    bsim_check_free(check);
    bsim_check_free(again);
    bsim_check_free(block);
}

static void tables_are_not_drawn(void **state)
{
    struct bsim_check *check =
        sealed_check("block 8,8\nindex t: table(3, 1, 4, 1, 5)\nshared int s[8]\nload s[t]\n");
    struct draw draw = draw_of(check, 0);
    static const uint32_t table[] = {3, 1, 4, 1, 5};
    (void)state;
    assert_int_equal(bsim_check_contents(check)->n_indices, 1);
    assert_false(bsim_check_contents(check)->is_drawn);
    for (uint32_t t = 0; t < 64; t++) {
        assert_int_equal(draw.element[t / 32][t % 32], table[t % 5]);
    }
    bsim_check_free(check);
}

static void unused_ones_decide_nothing(void **state)
{
    struct bsim_check *check =
        sealed_check("index h: random(8)\nindex t: table(1, 2)\nshared int s[8]\n"
                     "load s[lane % 8]\n");
    struct bsim_check *used =
        sealed_check("index h: random(8)\nindex t: table(1, 2)\nshared int s[8]\n"
                     "if (h < 4) load s[lane % 8]\n");
    (void)state;
    assert_int_equal(bsim_check_contents(check)->n_indices, 0);
    assert_false(bsim_check_contents(check)->is_drawn);
    assert_int_equal(bsim_check_contents(used)->n_indices, 1);
    assert_true(bsim_check_contents(used)->is_drawn);
    bsim_check_free(check);
    bsim_check_free(used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(most_of_32_in_32),      cmocka_unit_test(frequencies),
        cmocka_unit_test(turns_draw_anew),       cmocka_unit_test(guards_look_at_what_they_guard),
        cmocka_unit_test(one_statement_has_two), cmocka_unit_test(places_draw_apart),
        cmocka_unit_test(tables_are_not_drawn),  cmocka_unit_test(unused_ones_decide_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
