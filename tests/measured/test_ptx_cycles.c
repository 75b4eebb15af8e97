/* test_ptx_cycles.c - cycles of kernels in PTX against an H200's: h200/ptx/kernels.csv has the
 * clocks of 35 kernels that work in shared memory alone (tools/crosscheck/ptx_kernels.cu),
 * kernels.ptx what nvcc made of them; h200/branches/turns.csv those of a turn of loops with branches that ptxas keeps
 * (tools/crosscheck/branches.cu), branches.ptx what nvcc made of them. PRINT_KERNELS=1 prints each. */
#include "table.h"

#include "timing/timer.h"

#include <banksim/ptx.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS = 35, TURNS = 2 * 256, BRANCHES = 14, LOOPS = 15 };

static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, *size, file), *size);
    fclose(file);
    return text;
}

static double model(const char *text, size_t size, const char *launch)
{
    static const struct bsim_ptx_options options = {.has_work = true};
    const struct bsim_timer_options timing = {.device = NULL};
    struct bsim_timer *timer = bsim_timer_new(&timing);
    struct bsim_ptx_call *call = NULL;
    struct bsim_error err;
    struct bsim_result result;
    char message[1024];
    assert_non_null(timer);
    struct bsim_sink sink = bsim_timer_sink(timer);
    enum bsim_status status = bsim_ptx_call_new("kernels.ptx", text, size, launch, &call, &err);
    if (status == BSIM_OK) {
        bsim_ptx_call_set(call, &options);
        status = bsim_ptx_call_run(call, &sink, &err);
    }
    status = status == BSIM_OK ? bsim_timer_result(timer, &result, &err) : status;
    if (status != BSIM_OK) {
        fail_msg("%s", bsim_error_text(&err, message, sizeof message));
    }
    double cycles = (double)result.kernels[0].timed.cycles;
    bsim_result_free(&result);
    bsim_ptx_call_free(call);
    bsim_timer_free(timer);
    return cycles;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void kernels_take_about_as_long(void **state)
{
    (void)state;
    struct table table;
    size_t size, n = 0;
    double error[KERNELS], mean = 0;
    char *text = read_all("tests/measured/h200/ptx/kernels.ptx", &size);
    assert_true(table_open(&table, "tests/measured/h200/ptx", "kernels.csv"));
    while (table_next(&table)) {
        double cycles;
        char launch[160];
        assert_true(n < KERNELS && table_number(&table, "cycles", &cycles));
        snprintf(launch, sizeof launch, "%s<<<1, %s>>>(float[1024], int[256], %s)",
                 table_field(&table, "kernel"), table_field(&table, "threads"),
                 table_field(&table, "rounds"));
        double here = model(text, size, launch);
        if (getenv("PRINT_KERNELS") != NULL) {
            printf("%-20s %7.0f, the H200 %7.0f: %+6.1f %%\n", table_field(&table, "kernel"), here,
                   cycles, 100 * (here / cycles - 1));
        }
        error[n] = 100 * (here > cycles ? here / cycles - 1 : 1 - here / cycles);
        mean += error[n++] / KERNELS;
    }
    table_close(&table);
    free(text);
    assert_int_equal(n, KERNELS);
    qsort(error, n, sizeof *error, by_size);
    printf("# %d kernels: median %.1f %%, mean %.1f %%, worst %.1f %%\n", KERNELS, error[n / 2],
           mean, error[n - 1]);
    assert_true(error[n / 2] < 4 && mean < 6 && error[n - 1] < 30);
}

/* The kernel of that kind; those whose ways nvcc makes one or a choice of are left out. */
static const char *kernel_of(const char *kind)
{
    static const struct {
        const char *kind, *kernel;
    } kernels[] = {{"plain", "0"},      {"body", "1"},       {"early", "2"},         {"late", "3"},          {"uniform", "6"},
                   {"early sync", "8"}, {"late sync", "9"},  {"plain sync", "10"},   {"body sync", "11"},    {"loop of lanes", "12"},
                   {"loop uniform", "13"}, {"loop break", "14"}};
    size_t i = 0;
    while (i < sizeof kernels / sizeof *kernels && strcmp(kernels[i].kind, kind) != 0) {
        i++;
    }
    return i < sizeof kernels / sizeof *kernels ? kernels[i].kernel : NULL;
}

/* Of one warp, all of whose lanes take the branch or none: it shows what a branch takes beside the instructions. The machine code of the
 * loops loads a constant in each turn of the outer one. */
static void branches_take_as_long(void **state)
{
    (void)state;
    struct table table;
    size_t size;
    uint32_t n = 0, n_loops = 0;
    char *text = read_all("tests/measured/h200/branches/branches.ptx", &size);
    assert_true(table_open(&table, "tests/measured/h200/branches", "turns.csv"));
    while (table_next(&table)) {
        double clocks;
        char launch[160];
        const char *kernel = kernel_of(table_field(&table, "kind")), *by = table_field(&table, "taken by"), *turns = table_field(&table, "n");
        bool is_all = strcmp(by, "all") == 0, is_uniform = kernel != NULL && kernel[0] == '6';
        if (kernel == NULL || (!is_all && strcmp(by, "none") != 0) || strcmp(table_field(&table, "warps"), "1") != 0) {
            continue;
        }
        assert_true(table_number(&table, "clocks", &clocks));
        snprintf(launch, sizeof launch, "_Z5turnsILi%sEEvfffiPKiPiPf<<<1, 32>>>(1.0, 0.0, 0.0, %s, int[1024] = %s, int[1024], float[1024])",
                 kernel, is_uniform ? (is_all ? "256" : "0") : turns, is_all ? turns : "0");
        double here = model(text, size, launch) / TURNS;
        if (getenv("PRINT_KERNELS") != NULL) {
            printf("%-14s %-5s %s: %5.1f, the H200 %5.1f\n", table_field(&table, "kind"), by, turns, here, clocks);
        }
        bool is_loop = strncmp(table_field(&table, "kind"), "loop", 4) == 0;
        assert_true(here < 1.1 * clocks && here > (is_loop ? 0.74 : 0.9) * clocks);
        n += !is_loop;
        n_loops += is_loop;
    }
    table_close(&table);
    free(text);
    assert_int_equal(n, BRANCHES);
    assert_int_equal(n_loops, LOOPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_take_about_as_long), cmocka_unit_test(branches_take_as_long)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
