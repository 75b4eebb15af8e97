/* test_pipelines.c - loops that wait for copies by cp.async against an H100's clocks: h100/async/pipelines.csv has rings of two to four
 * buffers (tools/crosscheck/pipelines.cu), pipelines.ptx what nvcc made of them. A turn's clocks are those of 32 turns more, so that neither
 * what comes before the loop counts nor what comes after. PRINT_PROGRAMS=1 prints each. */
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

#define DIR "tests/measured/h100/async"

enum { KERNELS = 12, FEW = 8, MANY = 40, ROWS = 60 };

/* Bytes that a thread copies in a turn, by kernel. */
static const uint32_t copied_bytes[KERNELS] = {16, 16, 32, 64, 32, 64, 16, 32, 64, 16, 32, 32};

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

static double clocks_of(const char *text, size_t size, const char *launch)
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
    enum bsim_status status = bsim_ptx_call_new("pipelines.ptx", text, size, launch, &call, &err);
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

static double play(const char *text, size_t size, uint32_t kernel, uint32_t warps, uint32_t turns)
{
    char launch[200];
    snprintf(launch, sizeof launch, "p%u<<<1, %u, 200000>>>(char[%u], %u, long[1], float[%u])", kernel, 32 * warps,
             turns * copied_bytes[kernel] * 32 * warps, turns, 32 * warps);
    return clocks_of(text, size, launch);
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
static uint32_t kernel_of(const struct table *table)
{
    uint32_t kernel = (uint32_t)strtoul(table->line + 1, NULL, 10);
    assert_true(table->line[0] == 'p' && kernel < KERNELS);
    return kernel;
}

static double percent(double here, double there)
{
    return 100 * (here / there - 1);
}

/* What stands in src/timing/README.md. */
static void turns_take_about_as_long(void **state)
{
    struct table table;
    uint32_t n = 0, within = 0, few = 0;
    double most = 0;
    size_t size;
    (void)state;
    char *text = read_all(DIR "/pipelines.ptx", &size);
    assert_true(table_open(&table, DIR, "pipelines.csv"));
    while (table_next(&table)) {
        uint32_t kernel = kernel_of(&table), warps = number(&table, "warps"), clocks = number(&table, "clocks");
        if (number(&table, "blocks") != 1) {
            continue;
        }
        if (number(&table, "turns") == FEW) {
            few = clocks;
            continue;
        }
        double turn = (clocks - few) / (double)(MANY - FEW);
        double told = (play(text, size, kernel, warps, MANY) - play(text, size, kernel, warps, FEW)) / (MANY - FEW);
        double error = percent(told, turn), off = error < 0 ? -error : error;
        if (getenv("PRINT_PROGRAMS") != NULL) {
            printf("p%u, %u warps: %.0f a turn, model %.0f, %+.1f %%\n", kernel, warps, turn, told, error);
        }
        n++;
        within += off <= 10;
        most = off > most ? off : most;
    }
    table_close(&table);
    free(text);
    printf("# turns within 10 %%: %u of %u, most %.1f %%\n", within, n, most);
    assert_int_equal(n, ROWS);
    assert_true(within >= 56);
    assert_true(most < 29);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(turns_take_about_as_long)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
