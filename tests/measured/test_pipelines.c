/* test_pipelines.c - loops that wait for copies by cp.async against an H100's clocks: h100/async/pipelines.csv has rings of two to four
 * buffers (tools/crosscheck/pipelines.cu), pipelines.ptx what nvcc made of them. A turn's clocks are those of 32 turns more, so that neither
 * what comes before the loop counts nor what comes after. copy_barriers.csv has rings whose copies arrive at mbarriers, by copy_barriers.ptx.
 * PRINT_PROGRAMS=1 prints each. */
#include "table.h"
#include "watched.h"

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

#define DIR "tests/measured/h100/async"

enum { KERNELS = 12, FEW = 8, MANY = 40, EVERY = WATCHED(1, 7) };

/* Kernels of a file, and the bytes that a thread of each copies in a turn. */
struct loops {
    const char *ptx, *rows;
    char letter;
    uint32_t copied_bytes[KERNELS];
};

static const struct loops groups = {
    "pipelines.ptx", "pipelines.csv", 'p', {16, 16, 32, 64, 32, 64, 16, 32, 64, 16, 32, 32}};
static const struct loops barriers = {
    "copy_barriers.ptx", "copy_barriers.csv", 'b', {16, 16, 64, 32, 16, 16, 64, 16, 64, 16}};

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

static double clocks_of(const char *name, const char *text, size_t size, const char *launch)
{
    static const struct bsim_ptx_options options = {.has_work = true};
    static const struct bsim_timer_options timing = {.max_events = UINT64_MAX, .max_steps = UINT64_MAX};
    char message[1024];
    struct bsim_timer *timer = bsim_timer_new(&timing);
    struct bsim_ptx_call *call = NULL;
    struct bsim_error err;
    struct bsim_result result;
    assert_non_null(timer);
    struct bsim_sink sink = bsim_timer_sink(timer);
    enum bsim_status status = bsim_ptx_call_new(name, text, size, launch, &call, &err);
    if (status == BSIM_OK) {
        bsim_ptx_call_set(call, &options);
        status = bsim_ptx_call_run(call, &sink, &err);
    }
    status = status == BSIM_OK ? bsim_timer_result(timer, &result, &err) : status;
    if (status != BSIM_OK) {
        fail_msg("%s: %s", launch, bsim_error_text(&err, message, sizeof message));
    }
    double cycles = (double)result.kernels[0].timed.cycles;
    bsim_result_free(&result);
    bsim_ptx_call_free(call);
    bsim_timer_free(timer);
    return cycles;
}

static double play(const struct loops *loops, const char *text, size_t size, uint32_t kernel, uint32_t warps, uint32_t turns)
{
    char launch[200];
    snprintf(launch, sizeof launch, "%c%u<<<1, %u, 200000>>>(char[%u], %u, long[1], float[%u])", loops->letter, kernel,
             32 * warps, turns * loops->copied_bytes[kernel] * 32 * warps, turns, 32 * warps);
    return clocks_of(loops->ptx, text, size, launch);
}

static uint32_t number(const struct table *table, const char *column)
{
    double value = 0;
    if (!table_number(table, column, &value)) {
        fail_msg("no %s: %s", column, table->line);
    }
    return (uint32_t)value;
}

/* The kernel of a line that begins with "pN,". */
static uint32_t kernel_of(const struct loops *loops, const struct table *table)
{
    uint32_t kernel = (uint32_t)strtoul(table->line + 1, NULL, 10);
    assert_true(table->line[0] == loops->letter && kernel < KERNELS && loops->copied_bytes[kernel] > 0);
    return kernel;
}

static double percent(double here, double there)
{
    return 100 * (here / there - 1);
}

/* What stands in src/timing/README.md. */
static void check_turns(const struct loops *loops, uint32_t rows, uint32_t least, double worst)
{
    struct table table;
    char path[200];
    uint32_t n = 0, n_played = 0, within = 0, few = 0;
    double most = 0;
    size_t size;
    snprintf(path, sizeof path, DIR "/%s", loops->ptx);
    char *text = read_all(path, &size);
    assert_true(table_open(&table, DIR, loops->rows));
    while (table_next(&table)) {
        uint32_t kernel = kernel_of(loops, &table), warps = number(&table, "warps"), clocks = number(&table, "clocks");
        if (number(&table, "blocks") != 1) {
            continue;
        }
        if (number(&table, "turns") == FEW) {
            few = clocks;
            continue;
        }
        if (n++ % EVERY != 0) {
            continue;
        }
        double turn = (clocks - few) / (double)(MANY - FEW);
        double told = (play(loops, text, size, kernel, warps, MANY) - play(loops, text, size, kernel, warps, FEW)) / (MANY - FEW);
        double error = percent(told, turn), off = error < 0 ? -error : error;
        if (getenv("PRINT_PROGRAMS") != NULL) {
            printf("%c%u, %u warps: %.0f a turn, model %.0f, %+.1f %%\n", loops->letter, kernel, warps, turn, told, error);
        }
        n_played++;
        within += off <= 10;
        most = off > most ? off : most;
    }
    table_close(&table);
    free(text);
    printf("# turns within 10 %%: %u of %u, most %.1f %%\n", within, n_played, most);
    assert_int_equal(n, rows);
    assert_true(IS_WATCHED || within >= least);
    assert_true(most < worst);
}

static void turns_take_about_as_long(void **state)
{
    (void)state;
    check_turns(&groups, 60, 56, 31);
}

static void turns_with_arrivals_take_about_as_long(void **state)
{
    (void)state;
    check_turns(&barriers, 40, 31, 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(turns_take_about_as_long),
                                       cmocka_unit_test(turns_with_arrivals_take_about_as_long)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
