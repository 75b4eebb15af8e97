/* test_nearest.c - edit distances worked out by hand, and which suggestion they lead to. */
#include "base/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void distances(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        size_t distance;
    } cases[] = {
        {"", "", 0},
        {"", "abc", 3},
        {"abc", "abc", 0},
        {"abc", "abd", 1},
        {"abc", "ab", 1},
        {"abc", "abcd", 1},
        {"abc", "bc", 1},
        {"ab", "ba", 1},
        {"hlep", "help", 1},
        {"ca", "abc", 3}, /* not by exchanging and then inserting in between */
        {"abcd", "badc", 2},
        {"kitten", "sitting", 3},
        {"saturday", "sunday", 3},
        {"setRowReadCol", "setrowreadcol", 0},
        {"flaw", "lawn", 2},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t there = bsim_edit_distance(cases[i].a, cases[i].b);
        size_t back = bsim_edit_distance(cases[i].b, cases[i].a);
        if (there != cases[i].distance || back != cases[i].distance) {
            fail_msg("'%s', '%s': %zu there, %zu back, expected %zu", cases[i].a, cases[i].b, there,
                     back, cases[i].distance);
        }
    }
}

static void long_words_are_far_from_all(void **state)
{
    (void)state;
    char longest[64 + 1];
    memset(longest, 'x', 64);
    longest[64] = '\0';
    assert_true(bsim_edit_distance(longest, longest) == SIZE_MAX);
    assert_true(bsim_edit_distance("", longest) == SIZE_MAX);
    longest[63] = '\0';
    assert_int_equal(bsim_edit_distance(longest, longest), 0);
    assert_int_equal(bsim_edit_distance(longest, ""), 63);
}

static void the_first_of_the_closest_is_suggested(void **state)
{
    (void)state;
    static const char *const candidates[] = {"bdimx", "bdimy", "ipad"};
    static const struct {
        const char *word;
        const char *best;
    } cases[] = {
        {"bdimx", "bdimx"},   {"bdimz", "bdimx"}, {"bdim", "bdimx"}, {"bdmy", "bdimy"},
        {"IPAD", "ipad"},     {"ipda", "ipad"},   {"pad", "ipad"},   {"", NULL},
        {"b", NULL},          {"bdixm", "bdimx"}, {"dbixm", NULL}, /* two changes in five letters are too many */
        {"bbdimmx", "bdimx"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bsim_nearest nearest = bsim_nearest_start(cases[i].word);
        for (size_t j = 0; j < COUNT(candidates); j++) {
            bsim_nearest_try(&nearest, candidates[j]);
        }
        const char *best = nearest.best != NULL ? nearest.best : "(none)";
        const char *expected = cases[i].best != NULL ? cases[i].best : "(none)";
        if (strcmp(best, expected) != 0) {
            fail_msg("'%s': %s, expected %s", cases[i].word, best, expected);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances),
        cmocka_unit_test(long_words_are_far_from_all),
        cmocka_unit_test(the_first_of_the_closest_is_suggested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
