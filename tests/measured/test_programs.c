/* test_programs.c - the cycle model against programs that were timed on an H200.
 *
 * The error of a program is |model - measured| / measured. The limits are what the model reaches: a
 * change that makes it worse fails, one that makes it better lowers them. The first set was looked
 * at while the model was made; the second one, by tools/crosscheck/calibrate.sh, was drawn
 * afterwards, and the model has seen none of its random programs, which are judged alone as well.
 * With PRINT_PROGRAMS in the environment, each program is printed too.
 */
#include "programs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct limits {
    const char *folder;
    const char *prefix; /* of the names of those that are looked at */
    size_t n;
    double median, p90, mean, most; /* in per cent */
};

static const struct limits seen = {"tests/measured/h200/programs", "", 385, 0.55, 3.8, 1.45, 20.2};
static const struct limits drawn_later = {
    "tests/measured/h200/timing", "", 580, 0.75, 3.8, 1.75, 29};
static const struct limits random_ones = {
    "tests/measured/h200/timing", "r7-", 400, 0.9, 4.6, 1.95, 29};

static void print_programs(const struct program_set *set)
{
    for (size_t i = 0; i < set->n; i++) {
        const struct timed_program *p = &set->program[i];
        printf("%6.2f %% %9.2f %9.2f  %s %s\n", program_error(p), p->model, p->measured, p->name,
               p->text);
    }
}

/* Leaves out all other programs. */
static void keep_prefix(struct program_set *set, const char *prefix)
{
    size_t n = 0;
    for (size_t i = 0; i < set->n; i++) {
        if (strncmp(set->program[i].name, prefix, strlen(prefix)) == 0) {
            set->program[n++] = set->program[i];
        }
    }
    set->n = n;
}

static void check(const struct limits *limits)
{
    struct program_set set;
    assert_true(programs_read(&set, limits->folder));
    keep_prefix(&set, limits->prefix);
    assert_int_equal(set.n, limits->n);
    assert_true(programs_time(&set, NULL));
    if (getenv("PRINT_PROGRAMS") != NULL) {
        print_programs(&set);
    }
    programs_print(&set);
    struct program_errors errors = programs_errors(&set);
    programs_free(&set);
    if (errors.median > limits->median || errors.p90 > limits->p90 || errors.mean > limits->mean ||
        errors.most > limits->most) {
        fail_msg("median %.2f, 90 %% %.2f, mean %.2f, most %.2f: worse than %.2f, %.2f, %.2f, %.2f",
                 errors.median, errors.p90, errors.mean, errors.most, limits->median, limits->p90,
                 limits->mean, limits->most);
    }
}

static void programs_take_what_was_measured(void **state)
{
    (void)state;
    check(&seen);
}

static void programs_drawn_later_do_too(void **state)
{
    (void)state;
    check(&drawn_later);
}

static void and_the_random_ones_of_them(void **state)
{
    (void)state;
    check(&random_ones);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_take_what_was_measured),
        cmocka_unit_test(programs_drawn_later_do_too),
        cmocka_unit_test(and_the_random_ones_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
