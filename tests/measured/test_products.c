/* test_products.c - products in PTX against an H200's clocks: h200/mainloop/products.csv has blocks that wait for
 * each turn's wgmmas before they give its tiles back, and store their sums to global memory from registers
 * (tools/crosscheck/products.cu), products.ptx what nvcc made of them; arrivals.csv and arrivals.ptx the same without
 * stores, and with mbarriers that each thread comes to (arrivals.cu). PRINT_PROGRAMS=1 prints each. */
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

#define DIR "tests/measured/h200/mainloop"

enum { LAUNCHES = 36, SHAPES = 9, ASIDES = 2, FEW_TURNS = 11, EVERY = WATCHED(1, 9) };

/* Rows that were looked at; sizes that were kept aside until the model stood. */
struct kept {
    size_t n, n_shapes;
    double error[LAUNCHES], turn_error[SHAPES];
};

struct product {
    uint32_t groups, n, stages, turns;
    double main, all, cycles;
};

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

/* Clocks of the launch of a kernel of that PTX. */
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
    enum bsim_status status = bsim_ptx_call_new("products.ptx", text, size, launch, &call, &err);
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

static double play(const char *text, size_t size, const struct product *product)
{
    char launch[400];
    uint32_t rows = 64 * product->groups, k = 64 * product->turns;
    snprintf(launch, sizeof launch,
             "_Z4gemmILi%uELi%uELi%uEEv14CUtensorMap_stS0_PfiiPx<<<1, %u, %u>>>(tensormap half %ux%u box=64x%u "
             "swizzle=128B, tensormap half %ux%u box=64x%u swizzle=128B, float[%u], %u, %u, long[3])",
             product->groups, product->n, product->stages, 128 * product->groups + 32,
             product->stages * (rows + product->n) * 128, k, rows, rows, k, product->n, product->n,
             rows * product->n, product->n, product->turns);
    return clocks_of(text, size, launch);
}

static double play_arrivals(const char *text, size_t size, const struct product *product, bool every)
{
    char launch[400];
    uint32_t rows = 64 * product->groups, k = 64 * product->turns;
    snprintf(launch, sizeof launch,
             "_Z4gemmILi%uELi%uELi%uELb%uEEv14CUtensorMap_stS0_PfiPx<<<1, %u, %u>>>(tensormap half %ux%u box=64x%u "
             "swizzle=128B, tensormap half %ux%u box=64x%u swizzle=128B, float[16], %u, long[8])",
             product->groups, product->n, product->stages, every, 128 * product->groups + 128,
             product->stages * (rows + product->n) * 128, k, rows, rows, k, product->n, product->n, product->turns);
    return clocks_of(text, size, launch);
}

static double number(const struct table *table, const char *column)
{
    double value = 0;
    if (!table_number(table, column, &value)) {
        fail_msg("no %s: %s", column, table->line);
    }
    return value;
}

static double percent(double here, double there)
{
    return 100 * (here / there - 1);
}

static size_t count_within(const double *error, size_t n, double most)
{
    size_t within = 0;
    for (size_t i = 0; i < n; i++) {
        within += -most <= error[i] && error[i] <= most;
    }
    return within;
}

/* Four launches of each shape, the longest last. */
static void note(struct kept *kept, const struct product *before, const struct product *product)
{
    assert_true(kept->n < LAUNCHES);
    kept->error[kept->n++] = percent(product->cycles, product->all);
    if (!IS_WATCHED && kept->n % 4 == 0) {
        assert_true(kept->n_shapes < SHAPES);
        kept->turn_error[kept->n_shapes++] =
            percent(product->cycles - before->cycles, product->main - before->main);
    }
}

static double mean(const double *error, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += error[i] < 0 ? -error[i] : error[i];
    }
    return sum / (double)n;
}

static void print(const struct product *product)
{
    if (getenv("PRINT_PROGRAMS") != NULL) {
        printf("%u x m64n%u, %u stages, %u turns: %.0f, model %.0f, %+.1f %%\n", product->groups, product->n,
               product->stages, product->turns, product->all, product->cycles,
               percent(product->cycles, product->all));
    }
}

/* So many of them are within 10 %, of blocks and of turns, and all within the most. */
static void expect(const struct kept *kept, const char *name, size_t blocks, double most, size_t turns,
                   double most_turn)
{
    size_t n = count_within(kept->error, kept->n, 10), n_turns = count_within(kept->turn_error, kept->n_shapes, 10);
    printf("# %s: blocks within 10 %%: %zu of %zu; a turn within 10 %%: %zu of %zu\n", name, n, kept->n, n_turns,
           kept->n_shapes);
    assert_true(IS_WATCHED || (n >= blocks && n_turns >= turns));
    assert_int_equal(count_within(kept->error, kept->n, most), kept->n);
    assert_int_equal(count_within(kept->turn_error, kept->n_shapes, most_turn), kept->n_shapes);
}

/* What stands in src/timing/README.md. */
static void blocks_take_about_as_long(void **state)
{
    struct table table;
    struct product product, before = {0};
    struct kept kept[ASIDES] = {{0}};
    size_t size, n = 0;
    (void)state;
    char *text = read_all(DIR "/products.ptx", &size);
    assert_true(table_open(&table, DIR, "products.csv"));
    while (table_next(&table)) {
        product = (struct product){(uint32_t)number(&table, "warpgroups"), (uint32_t)number(&table, "n"),
                                   (uint32_t)number(&table, "stages"), (uint32_t)number(&table, "turns"),
                                   number(&table, "main"), number(&table, "all"), 0};
        if (n++ % EVERY != 0) {
            continue;
        }
        product.cycles = play(text, size, &product);
        print(&product);
        note(&kept[number(&table, "aside") != 0], &before, &product);
        before = product;
    }
    table_close(&table);
    free(text);
    assert_int_equal(n, 28 + 36);
    assert_true(IS_WATCHED || kept[0].n == 28);
    expect(&kept[0], "looked at", 25, 14, 5, 15);
    expect(&kept[1], "aside", 31, 25, 6, 18.2);
}

static void arrivals_take_about_as_long(void **state)
{
    struct table table;
    struct kept kept[ASIDES] = {{0}};
    size_t size, n = 0;
    (void)state;
    char *text = read_all(DIR "/arrivals.ptx", &size);
    assert_true(table_open(&table, DIR, "arrivals.csv"));
    while (table_next(&table)) {
        struct product product = {(uint32_t)number(&table, "warpgroups"), (uint32_t)number(&table, "n"),
                                  (uint32_t)number(&table, "stages"), (uint32_t)number(&table, "turns"), 0,
                                  number(&table, "main"), 0};
        bool every = number(&table, "every") != 0;
        if (every && product.turns > FEW_TURNS && getenv("PRINT_PROGRAMS") == NULL) {
            continue; /* take long here */
        }
        if (n++ % EVERY != 0) {
            continue;
        }
        struct kept *of = &kept[number(&table, "aside") != 0];
        product.cycles = play_arrivals(text, size, &product, every);
        print(&product);
        assert_true(of->n < LAUNCHES);
        of->error[of->n++] = percent(product.cycles, product.all);
    }
    table_close(&table);
    free(text);
    for (uint32_t aside = 0; aside < ASIDES; aside++) {
        size_t n_within = count_within(kept[aside].error, kept[aside].n, 10);
        double off = mean(kept[aside].error, kept[aside].n);
        printf("# arrivals, aside %u: within 10 %%: %zu of %zu, %.2f %% off in the mean\n", aside, n_within,
               kept[aside].n, off);
        assert_true(IS_WATCHED || off < 5.1 || getenv("PRINT_PROGRAMS") != NULL);
        assert_true(n_within + 2 >= kept[aside].n);
        assert_int_equal(count_within(kept[aside].error, kept[aside].n, 15.5), kept[aside].n);
    }
    assert_true(IS_WATCHED || (kept[0].n >= 27 && kept[1].n >= 20));
}

/* Clocks of a block without a turn: it begins, and stores what its wgmmas have not made. */
static double play_epilogue(const char *text, size_t size, const struct product *product)
{
    char launch[500];
    uint32_t rows = 64 * product->groups, n = product->n;
    snprintf(launch, sizeof launch,
             "_Z4gemmILi%uELi%uELi%uELb1EEv14CUtensorMap_stS0_S0_iiiP5times<<<1, %u, %u>>>(tensormap half 64x%u box=64x%u "
             "swizzle=128B, tensormap half 64x%u box=64x%u swizzle=128B, tensormap half %ux%u box=64x64 swizzle=128B, 0, 1, 0, "
             "long[16])",
             n, product->stages, product->groups, 128 * product->groups + 128,
             2048 + product->stages * (rows + n) * 128 + product->groups * n * 128, rows, rows, n, n, n, rows);
    return clocks_of(text, size, launch);
}

/* Sums that are made halves, stored to shared memory, fenced, and stored by TMA, from the last wgmma on: what more columns
 * take than 64, as what a block takes before is in the model's clocks alone. mainloop.ptx is six kernels of mainloop.cu. */
static void epilogues_take_about_as_long(void **state)
{
    static const struct product products[] = {
        {1, 64, 6, 1, 981, 1656, 0},   {1, 128, 3, 1, 1173, 2166, 0}, {1, 192, 3, 1, 1390, 2716, 0},
        {1, 256, 3, 1, 1603, 3238, 0}, {2, 64, 5, 1, 1415, 2241, 0},  {2, 128, 3, 1, 1652, 3219, 0},
    };
    size_t size;
    double here = 0, there = 0;
    (void)state;
    char *text = read_all(DIR "/mainloop.ptx", &size);
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        const struct product *product = &products[i];
        double cycles = play_epilogue(text, size, product), measured = product->all - product->main;
        if (product->n == 64) {
            here = cycles;
            there = measured;
            continue;
        }
        double error = percent(cycles - here, measured - there);
        printf("# epilogue of %u x m64n%u: %.0f clocks more than of n64, model %.0f, %+.1f %%\n", product->groups, product->n,
               measured - there, cycles - here, error);
        assert_true(-14 <= error && error <= 14);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_take_about_as_long),
                                       cmocka_unit_test(arrivals_take_about_as_long),
                                       cmocka_unit_test(epilogues_take_about_as_long)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
