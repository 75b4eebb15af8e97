/* test_programs.c - the cycle model against 385 programs that were timed on an H200.
 *
 * The error of a program is |model - measured| / measured. The limits are what the model reaches: a
 * change that makes it worse fails, one that makes it better lowers them. With PRINT_PROGRAMS in the
 * environment, each program is printed too.
 */
#include "timed.h"
#include "trace_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FOLDER "tests/measured/h200/programs/"

enum { N_PROGRAMS = 385, TURNS = 128, TEXT_SIZE = 120, N_CLASSES = 32 };

/* In per cent. */
#define MOST_MEDIAN 0.55
#define MOST_P90 4.0
#define MOST_MEAN 1.6

struct program {
    char name[16];
    double measured, model, error;
    char text[TEXT_SIZE];
};

static struct program programs[N_PROGRAMS];

static bool parse_row(const char *line, struct program *program)
{
    char number[32];
    int fields = sscanf(line, "%15[^,],%31[^,],\"%119[^\"]", program->name, number, program->text);
    program->measured = fields == 3 ? strtod(number, NULL) : 0;
    return program->measured > 0;
}

static size_t read_programs(void)
{
    char line[256];
    size_t n = 0;
    FILE *file = fopen(FOLDER "programs.csv", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL && n < N_PROGRAMS) {
        n += line[0] != '#' && parse_row(line, &programs[n]);
    }
    fclose(file);
    return n;
}

static double absolute(double x)
{
    return x < 0 ? -x : x;
}

/* Fills in what the model says. */
static void time_programs(void)
{
    struct bsim_buffer text = trace_text_load(FOLDER "programs.trace");
    struct bsim_cycles cycles;
    timed_trace(text.data, text.size_bytes, NULL, &cycles);
    assert_int_equal(cycles.n_kernels, N_PROGRAMS);
    for (size_t i = 0; i < N_PROGRAMS; i++) {
        struct program *p = &programs[i];
        assert_string_equal(cycles.kernels[i].name, p->name);
        p->model = (double)cycles.kernels[i].cycles / TURNS;
        p->error = 100 * (p->model - p->measured) / p->measured;
        if (getenv("PRINT_PROGRAMS") != NULL) {
            printf("%6.2f %% %9.2f %9.2f  %s %s\n", p->error, p->model, p->measured, p->name,
                   p->text);
        }
    }
    bsim_cycles_free(&cycles);
    bsim_buffer_free(&text);
}

/* ---- the table -------------------------------------------------------------------------------- */

struct errors {
    char name[48];
    size_t n;
    double error[N_PROGRAMS];
};

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void add(struct errors *errors, double error)
{
    errors->error[errors->n++] = absolute(error);
}

static double part(struct errors *errors, double share)
{
    size_t place = (size_t)(share * (double)errors->n);
    qsort(errors->error, errors->n, sizeof errors->error[0], by_size);
    return errors->error[place < errors->n ? place : errors->n - 1];
}

static double mean(const struct errors *errors)
{
    double sum = 0;
    for (size_t i = 0; i < errors->n; i++) {
        sum += errors->error[i];
    }
    return errors->n > 0 ? sum / (double)errors->n : 0;
}

static void print(struct errors *errors)
{
    printf("%-24s %4lu %8.2f %8.2f %8.2f\n", errors->name, (unsigned long)errors->n,
           part(errors, 0.5), part(errors, 0.9), mean(errors));
}

/* "W=16 bar", "W=2 ind U>1", "W=1 dep": warps, and how the accesses hang together. */
static void class_of(const struct program *p, char name[48])
{
    char warps[8], copies[8], kind[8];
    assert_int_equal(sscanf(p->text, "%7s %7s %7s", warps, copies, kind), 3);
    bool bar = strstr(p->text, " bar") != NULL, many = strcmp(copies, "U=1") != 0;
    snprintf(name, 48, "%-4s %s%s", warps, bar ? "barriers" : kind,
             !bar && many ? ", unrolled" : "");
}

static struct errors *class_named(struct errors *classes, size_t *n, const char *name)
{
    for (size_t i = 0; i < *n; i++) {
        if (strcmp(classes[i].name, name) == 0) {
            return &classes[i];
        }
    }
    assert_true(*n < N_CLASSES);
    snprintf(classes[*n].name, sizeof classes[*n].name, "%s", name);
    return &classes[(*n)++];
}

static void print_table(struct errors *all)
{
    static struct errors classes[N_CLASSES];
    char name[48];
    size_t n = 0;
    for (size_t i = 0; i < N_PROGRAMS; i++) {
        class_of(&programs[i], name);
        add(class_named(classes, &n, name), programs[i].error);
    }
    printf("%-24s %4s %8s %8s %8s   error in %%\n", "class", "n", "median", "90 %", "mean");
    for (size_t i = 0; i < n; i++) {
        print(&classes[i]);
    }
    print(all);
}

/* ---- the tests -------------------------------------------------------------------------------- */

static void programs_take_what_was_measured(void **state)
{
    static struct errors all = {.name = "all"};
    (void)state;
    for (size_t i = 0; i < N_PROGRAMS; i++) {
        add(&all, programs[i].error);
    }
    print_table(&all);
    double median = part(&all, 0.5), p90 = part(&all, 0.9), average = mean(&all);
    if (median > MOST_MEDIAN || p90 > MOST_P90 || average > MOST_MEAN) {
        fail_msg("median %.2f, 90 %% %.2f, mean %.2f: worse than %.2f, %.2f, %.2f", median, p90,
                 average, MOST_MEDIAN, MOST_P90, MOST_MEAN);
    }
}

/* No program of the set may be far off, whatever the mean. */
static void no_program_is_far_off(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_PROGRAMS; i++) {
        if (absolute(programs[i].error) > 26) {
            fail_msg("%s: %.2f, measured %.2f: %s", programs[i].name, programs[i].model,
                     programs[i].measured, programs[i].text);
        }
    }
}

static int setup(void **state)
{
    (void)state;
    if (read_programs() != N_PROGRAMS) {
        return -1;
    }
    time_programs();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_take_what_was_measured),
        cmocka_unit_test(no_program_is_far_off),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
