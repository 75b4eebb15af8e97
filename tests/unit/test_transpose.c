/* test_transpose.c - the emulated transposes against published counts, and for every shape. That
 * each element arrives at its place is checked by the emulator itself, in every run here.
 *
 * Published counts of global memory that the same kernels gave, nvprof's transactions:
 *     Tegra X1 (cc 5.3), 1024 x 1024, blocks of 16 x 16, 32,768 requests a direction
 *     (Luca-Dalmasso/matrixTransposeCUDA, report 05-23-22): gld 524,290 = 16 each + 2 for all;
 *     gst 131,072 = 4 per request (sectors of each half-warp) for copyRow, transposeNaiveCol,
 *     transposeUnroll4Col, transposeSmem and transposeSmemPad, 1,048,576 = 32 per request for
 *     copyCol, transposeNaiveRow, transposeUnroll4Row and transposeDiagonalRow
 *     V100, 4096 x 4096, blocks of 16 x 32: per request gld 4, gst 16 (naiveGmem) or 4
 *     (transposeSmem)
 *     GTX 1060, 2048 x 1024: transposeCoalesced gld 16.000031 per request = 16 + 2 / 65,536, gst 4
 */
#include "collect.h"
#include "failing_memory.h"

#include <banksim/emulator.h>
#include <banksim/result.h>

#include "sim/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_SETTINGS = 6, SETTING_SIZE = 32 };

static const struct bsim_emulator *find(const char *name)
{
    const struct bsim_emulator *emulator;
    struct bsim_error err;
    if (bsim_emulator_find(name, &emulator, &err) != BSIM_OK) {
        fail_msg("%s: %s", name, err.message);
    }
    return emulator;
}

/* settings: "nx=64 ny=32". */
static enum bsim_status run(const char *name, const char *settings, const struct bsim_sink *sink,
                            struct bsim_error *err)
{
    char words[MAX_SETTINGS][SETTING_SIZE];
    const char *list[MAX_SETTINGS];
    size_t n = 0;
    for (int length; sscanf(settings, "%31s%n", words[n], &length) == 1; settings += length) {
        list[n] = words[n];
        n++;
        assert_true(n < MAX_SETTINGS);
    }
    return bsim_emulator_run(find(name), list, n, sink, err);
}

static void simulate(const char *name, const char *settings, const char *device_name,
                     struct bsim_result *result)
{
    struct bsim_device device;
    struct bsim_error err = {0};
    assert_int_equal(bsim_device_find(device_name, NULL, &device, &err), BSIM_OK);
    struct bsim_sim *sim = bsim_sim_new(&(struct bsim_sim_options){.device = &device});
    assert_non_null(sim);
    struct bsim_sink sink = bsim_sim_sink(sim);
    if (run(name, settings, &sink, &err) != BSIM_OK ||
        bsim_sim_result(sim, result, &err) != BSIM_OK) {
        fail_msg("%s %s: %s", name, settings, err.message);
    }
    bsim_sim_free(sim);
}

static enum bsim_status ignore(void *context, const struct bsim_record *record,
                               struct bsim_error *err)
{
    (void)context;
    (void)record;
    (void)err;
    return BSIM_OK;
}

static const struct bsim_sink nowhere = {.push = ignore, .context = NULL};

/* ---- published ------------------------------------------------------------------------------ */

/* Shared transactions per request. On V100 nvprof adds a part below 1 to the whole number of the
 * rule, most under load; the others are whole. All blocks have the same shared addresses, so that
 * a small matrix stands for the published 4096 x 4096. */
struct published {
    const char *device;
    const char *kernel;
    const char *settings;
    uint64_t load, store; /* by the rule of the banks, worked out by hand */
    double published_load, published_store;
    const char *source;
};

#define V100_RECTANGLE "Tesla V100-SXM2-16GB, nvprof, 4096 x 4096, transposeRectangle.cu"
#define V100_TILE "Tesla V100-SXM2-16GB, nvprof, setRowReadCol and Pad of the same tile"
#define K40_TILE "Tesla K40c, Professional CUDA C Programming ch. 5, setRowReadCol of the same tile"
#define GT1030_TILE "GeForce GT 1030, nvprof, setRowReadCol and Pad of the same tile"
#define X1 "Tegra X1, nvprof, Luca-Dalmasso/matrixTransposeCUDA, report 05-23-22_18-49-28_t2"
#define GTX1060 "GeForce GTX 1060 6GB, nvprof, transposeCoalesced, without and with tile[][BDIMX+1]"

static const struct published published[] = {
    /* Column stride 16: two banks for the 16 rows of half a warp, and the two next to them. */
    {"v100", "transpose_shared", "nx=128 ny=64 bdimx=16 bdimy=32", 16, 1, 16.559710, 1.043707,
     V100_RECTANGLE},
    /* Stride 18: rows 0 and 16 meet; a stored warp is two rows, words 0-15 and 18-33. */
    {"v100", "transpose_shared_pad", "nx=128 ny=64 bdimx=16 bdimy=32 ipad=2", 2, 2, 2.289101,
     2.023270, V100_RECTANGLE},
    /* Stride 34: again rows 0 and 16; words 0-15 and 34-49. */
    {"v100", "transpose_shared_unroll_pad", "nx=128 ny=64 bdimx=16 bdimy=32 ipad=2", 2, 2, 2.780558,
     2.042158, V100_RECTANGLE},
    {"v100", "transpose_shared_unroll_dyn_pad", "nx=128 ny=64 bdimx=16 bdimy=32 ipad=2", 2, 2,
     2.785330, 2.041515, V100_RECTANGLE},
    /* Half a warp in the even banks, half in the odd ones. The load's surplus is the largest here:
     * 0.99. */
    {"v100", "transpose_shared_unroll_pad", "nx=128 ny=64 bdimx=16 bdimy=16 ipad=2", 1, 2, 1.988403,
     2.040102, V100_RECTANGLE},
    {"v100", "transpose_shared_unroll_dyn_pad", "nx=128 ny=64 bdimx=16 bdimy=16 ipad=2", 1, 2,
     1.993752, 2.039818, V100_RECTANGLE},
    {"v100", "transpose_shared", "nx=64 ny=64 bdimx=32 bdimy=16", 16, 1, 16.5625, 1, V100_TILE},
    {"v100", "transpose_shared_pad", "nx=64 ny=64 bdimx=32 bdimy=16 ipad=2", 1, 1, 1, 1, V100_TILE},
    {"v100", "transpose_shared_pad", "nx=64 ny=64 bdimx=32 bdimy=16 ipad=1", 2, 1, 2, 1, V100_TILE},
    {"v100", "transpose_shared", "nx=64 ny=64 bdimx=32 bdimy=32", 32, 1, 32.59375, 1, V100_TILE},
    {"v100", "transpose_shared_dyn", "nx=64 ny=64 bdimx=32 bdimy=32", 32, 1, 32.5625, 1, V100_TILE},
    /* 8-byte rows of a bank: two rows of the tile, 128 bytes apart, in one pass. */
    {"k40", "transpose_shared", "nx=64 ny=64 bdimx=32 bdimy=16", 8, 1, 8, 1, K40_TILE},
    {"k40", "transpose_shared_dyn", "nx=64 ny=64 bdimx=32 bdimy=16", 8, 1, 8, 1, K40_TILE},
    {"k40", "transpose_shared_pad", "nx=64 ny=64 bdimx=32 bdimy=16 ipad=2", 1, 1, 1, 1, K40_TILE},
    {"k40", "transpose_shared_dyn_pad", "nx=64 ny=64 bdimx=32 bdimy=16 ipad=2", 1, 1, 1, 1,
     K40_TILE},
    {"k40", "transpose_shared_pad", "nx=64 ny=64 bdimx=32 bdimy=16 ipad=1", 2, 1, 2, 1, K40_TILE},
    {"k40", "transpose_shared", "nx=64 ny=64 bdimx=32 bdimy=32", 16, 1, 16, 1, K40_TILE},
    {"gt1030", "transpose_shared", "nx=64 ny=64 bdimx=32 bdimy=32", 32, 1, 32, 1, GT1030_TILE},
    {"gt1030", "transpose_shared_pad", "nx=64 ny=64 bdimx=32 bdimy=32 ipad=1", 1, 1, 1, 1,
     GT1030_TILE},
    {"gt1030", "transpose_shared_dyn_pad", "nx=64 ny=64 bdimx=32 bdimy=32 ipad=1", 1, 1, 1, 1,
     GT1030_TILE},
    /* sm_52 stands for the X1's cc 5.3, which has the same banks. */
    {"sm_52", "transpose_shared", "nx=128 ny=64 bdimx=16 bdimy=16", 8, 1, 8, 1, X1},
    {"sm_52", "transpose_shared_pad", "nx=128 ny=64 bdimx=16 bdimy=16 ipad=2", 1, 2, 1, 2, X1},
    {"gtx1060", "transpose_coalesced", "nx=128 ny=64", 32, 1, 32, 1, GTX1060},
    {"gtx1060", "transpose_no_bank_conflicts", "nx=128 ny=64", 1, 1, 1, 1, GTX1060},
};

static void expect_per_request(const struct published *p, const char *what,
                               const struct bsim_tally *tally, uint64_t rule, double count)
{
    if (tally->requests == 0 || tally->wavefronts != rule * tally->requests) {
        fail_msg("%s %s on %s: %lu wavefronts for %lu %s, expected %lu each\n%s", p->kernel,
                 p->settings, p->device, (unsigned long)tally->wavefronts,
                 (unsigned long)tally->requests, what, (unsigned long)rule, p->source);
    }
    double surplus = count - (double)rule;
    double most = strcmp(p->device, "v100") == 0 ? 1 : 0;
    if (surplus < 0 || surplus > most) {
        fail_msg("%s %s on %s: %g %s per request published, %lu by the rule\n%s", p->kernel,
                 p->settings, p->device, count, what, (unsigned long)rule, p->source);
    }
}

static void shared_counts_are_the_published_ones(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        const struct published *p = &published[i];
        struct bsim_result result;
        simulate(p->kernel, p->settings, p->device, &result);
        const struct bsim_tally *tally = result.kernels[0].tally;
        expect_per_request(p, "loads", &tally[BSIM_LOADS], p->load, p->published_load);
        expect_per_request(p, "stores", &tally[BSIM_STORES], p->store, p->published_store);
        bsim_result_free(&result);
    }
}

/* ---- how much ------------------------------------------------------------------------------- */

struct count_case {
    const char *kernel;
    const char *settings;
    uint64_t blocks, shared, global; /* requests a direction; global: both */
    uint64_t barriers;               /* per warp */
};

/* A warp request for every 32 elements a direction; the barrier once per warp of the grid. */
static const struct count_case counts[] = {
    {"copy_row", "nx=128 ny=64 bdimx=16 bdimy=16", 32, 0, 512, 0},
    {"copy_col", "nx=128 ny=64 bdimx=16 bdimy=16", 32, 0, 512, 0},
    {"transpose_naive_row", "nx=128 ny=64 bdimx=16 bdimy=16", 32, 0, 512, 0},
    {"transpose_naive_col", "nx=128 ny=64 bdimx=16 bdimy=16", 32, 0, 512, 0},
    {"transpose_unroll4_row", "nx=128 ny=64 bdimx=16 bdimy=16", 8, 0, 512, 0},
    {"transpose_unroll4_col", "nx=128 ny=64 bdimx=16 bdimy=16", 8, 0, 512, 0},
    {"transpose_diagonal_row", "nx=64 ny=128 bdimx=16 bdimy=32", 16, 0, 512, 0},
    {"transpose_shared", "nx=128 ny=64 bdimx=32 bdimy=16", 16, 256, 512, 256},
    {"transpose_shared_pad", "nx=128 ny=64 bdimx=32 bdimy=16", 16, 256, 512, 256},
    {"transpose_shared_dyn", "nx=128 ny=64 bdimx=32 bdimy=16", 16, 256, 512, 256},
    {"transpose_shared_dyn_pad", "nx=128 ny=64 bdimx=32 bdimy=16", 16, 256, 512, 256},
    {"transpose_shared_unroll", "nx=128 ny=64 bdimx=16 bdimy=16", 16, 256, 512, 128},
    {"transpose_shared_unroll_pad", "nx=128 ny=64 bdimx=16 bdimy=16", 16, 256, 512, 128},
    {"transpose_shared_unroll_dyn_pad", "nx=128 ny=64 bdimx=16 bdimy=16", 16, 256, 512, 128},
    {"transpose_coalesced", "nx=128 ny=64 bdimx=32 bdimy=8", 8, 256, 512, 64},
    {"transpose_no_bank_conflicts", "nx=128 ny=64 bdimx=32 bdimy=16", 8, 256, 512, 128},
    /* At 33 columns the last of 3 blocks has one: 2 warps of two rows each, for 4 rows. */
    {"transpose_naive_row", "nx=33 ny=4 bdimx=16 bdimy=4", 3, 0, 12, 0},
};

static void requests_are_as_worked_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const struct count_case *c = &counts[i];
        struct bsim_result result;
        simulate(c->kernel, c->settings, "h200", &result);
        const struct bsim_kernel_result *kernel = &result.kernels[0];
        if (kernel->blocks != c->blocks || kernel->tally[BSIM_LOADS].requests != c->shared ||
            kernel->tally[BSIM_STORES].requests != c->shared ||
            kernel->other_requests != c->global || kernel->barriers != c->barriers) {
            fail_msg("%s %s: %lu blocks, %lu shared loads, %lu stores, %lu global requests, "
                     "%lu barriers",
                     c->kernel, c->settings, (unsigned long)kernel->blocks,
                     (unsigned long)kernel->tally[BSIM_LOADS].requests,
                     (unsigned long)kernel->tally[BSIM_STORES].requests,
                     (unsigned long)kernel->other_requests, (unsigned long)kernel->barriers);
        }
        bsim_result_free(&result);
    }
}

/* ---- what ----------------------------------------------------------------------------------- */

/* One block of 4 x 2 threads, padded to rows of 5 words, on a matrix of 2 rows of 4: thread i
 * fetches element i, and leaves element (i % 2, i / 2) at place i. */
static void tile_is_read_down_its_columns(void **state)
{
    static const char *const expected[] = {
        "kernel transpose_shared_pad grid=1,1,1 block=4,2,1 shared=40 x-shared=smem@0:float[2][5]",
        "block 0,0,0",
        "site 1 ld.global.f32 v[t] = a->in[iy[t] * a->nx + ix[t]]",
        "w0 @1 ld.global.f32 000000ff 1:0+4",
        "site 2 st.shared.f32 smem[threadIdx.y][threadIdx.x] = v[t]",
        "w0 @2 st.shared.f32 000000ff 0,4,8,12,20,24,28,32",
        "w* bar.sync",
        "site 3 ld.shared.f32 v[t] = smem[irow[t]][icol[t]]",
        "w0 @3 ld.shared.f32 000000ff 0,20,4,24,8,28,12,32",
        "site 4 st.global.f32 a->out[oy[t] * a->ny + ox[t]] = v[t]",
        "w0 @4 st.global.f32 000000ff 2:0+4",
        "end",
    };
    (void)state;
    struct collect collect = {0};
    struct bsim_sink sink = collect_sink(&collect);
    struct bsim_error err = {0};
    char difference[2048];
    assert_int_equal(run("transpose_shared_pad", "nx=4 ny=2 bdimx=4 bdimy=2 ipad=1", &sink, &err),
                     BSIM_OK);
    const char *text = collect_difference(&collect, expected, sizeof expected / sizeof expected[0],
                                          difference, sizeof difference);
    if (text != NULL) {
        fail_msg("%s", text);
    }
    collect_free(&collect);
}

/* Both forms of a kernel touch the same addresses. */
static void dynamic_memory_changes_nothing(void **state)
{
    static const char *const pair[][2] = {
        {"transpose_shared", "transpose_shared_dyn"},
        {"transpose_shared_pad", "transpose_shared_dyn_pad"},
        {"transpose_shared_unroll_pad", "transpose_shared_unroll_dyn_pad"},
    };
    (void)state;
    for (size_t p = 0; p < sizeof pair / sizeof pair[0]; p++) {
        struct collect made[2] = {{0}, {0}};
        for (size_t i = 0; i < 2; i++) {
            struct bsim_sink sink = collect_sink(&made[i]);
            assert_int_equal(run(pair[p][i], "nx=64 ny=32 bdimx=16 bdimy=16", &sink, NULL),
                             BSIM_OK);
        }
        assert_int_equal(made[0].n, made[1].n);
        for (size_t k = 0; k < made[0].n; k++) {
            if (made[0].item[k].kind == BSIM_RECORD_EVENT) {
                assert_string_equal(made[0].item[k].text, made[1].item[k].text);
            }
        }
        collect_free(&made[0]);
        collect_free(&made[1]);
    }
}

/* ---- sizes ---------------------------------------------------------------------------------- */

struct shape_case {
    const char *kernel;
    const char *settings;
};

static void every_shape_is_transposed(void **state)
{
    static const struct shape_case cases[] = {
        {"copy_row", "nx=100 ny=37"},
        {"copy_col", "nx=37 ny=100"},
        {"transpose_naive_row", "nx=100 ny=37"},
        {"transpose_naive_row", "nx=1 ny=1"},
        {"transpose_naive_col", "nx=100 ny=37"},
        {"transpose_naive_col", "nx=37 ny=100 bdimx=8 bdimy=4"},
        {"transpose_unroll4_row", "nx=256 ny=50"},
        {"transpose_unroll4_col", "nx=256 ny=50"},
        {"transpose_diagonal_row", "nx=48 ny=48"},
        {"transpose_diagonal_row", "nx=90 ny=41 bdimx=32 bdimy=16"},
        {"transpose_shared", "nx=96 ny=32"},
        {"transpose_shared", "nx=32 ny=96 bdimx=8 bdimy=96"},
        {"transpose_shared", "nx=9 ny=7 bdimx=3 bdimy=7"},
        {"transpose_shared_pad", "nx=96 ny=32 ipad=1"},
        {"transpose_shared_pad", "nx=32 ny=96 bdimx=1 bdimy=32 ipad=32"},
        {"transpose_shared_dyn", "nx=96 ny=32"},
        {"transpose_shared_dyn", "nx=12 ny=60 bdimx=4 bdimy=5"},
        {"transpose_shared_dyn_pad", "nx=96 ny=32 ipad=3"},
        {"transpose_shared_unroll", "nx=128 ny=48"},
        {"transpose_shared_unroll", "nx=12 ny=30 bdimx=2 bdimy=6"},
        {"transpose_shared_unroll_pad", "nx=128 ny=48"},
        {"transpose_shared_unroll_dyn_pad", "nx=192 ny=32 bdimx=32 bdimy=8 ipad=1"},
        {"transpose_coalesced", "nx=64 ny=96"},
        {"transpose_coalesced", "nx=48 ny=16 bdimx=16 bdimy=16"},
        {"transpose_no_bank_conflicts", "nx=96 ny=64 bdimy=1"},
        {"transpose_no_bank_conflicts", "nx=128 ny=128 bdimx=64 bdimy=4"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_error err = {0};
        if (run(cases[i].kernel, cases[i].settings, &nowhere, &err) != BSIM_OK) {
            fail_msg("%s %s: %s", cases[i].kernel, cases[i].settings, err.message);
        }
    }
}

/* Who sets the matrix's size alone must get a transpose, at least for a power of 2. */
static void initial_blocks_fit_every_kernel(void **state)
{
    const struct bsim_emulator *emulator;
    size_t n = 0;
    (void)state;
    for (size_t i = 0; (emulator = bsim_emulator_at(i)) != NULL; i++) {
        if (emulator->n_parameters >= 4 && strcmp(emulator->parameters[0].key, "nx") == 0) {
            struct bsim_error err = {0};
            if (run(emulator->name, "nx=256 ny=256", &nowhere, &err) != BSIM_OK) {
                fail_msg("%s: %s", emulator->name, err.message);
            }
            n++;
        }
    }
    assert_true(n >= 16);
}

/* 40 columns in blocks of 32: lanes 8 to 31 of the second block do not come to the barrier. */
static void blocks_over_the_edge_miss_the_barrier(void **state)
{
    static const struct shape_case cases[] = {
        {"transpose_shared", "nx=40 ny=16"},
        {"transpose_shared_dyn", "nx=40 ny=16"},
        {"transpose_shared_unroll_pad", "nx=64 ny=20"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_error err = {0};
        assert_int_equal(run(cases[i].kernel, cases[i].settings, &nowhere, &err), BSIM_E_KERNEL);
        assert_non_null(strstr(err.file, "transpose.c"));
        assert_true(err.line > 0);
        assert_non_null(strstr(err.message, "barrier in divergent code"));
        if (i < 2) {
            assert_non_null(strstr(err.message, "threads 8, 9, 10, ... (24 of warp 0, mask "
                                                "ffffff00) of block (1,0,0) do not reach it"));
        }
    }
}

struct refusal {
    const char *kernel;
    const char *settings;
    const char *message;
};

static void other_sizes_are_refused(void **state)
{
    static const struct refusal refusals[] = {
        {"transpose_shared", "bdimx=64 bdimy=32",
         "transpose_shared: bdimx=64 times bdimy=32 is more than a block's 1024 threads"},
        {"transpose_shared_unroll", "nx=96 ny=32 bdimx=32",
         "transpose_shared_unroll: nx=96 must be a multiple of the 64 columns that a block moves"},
        {"transpose_unroll4_row", "nx=64 ny=64",
         "transpose_unroll4_row: nx=64 must be a multiple of the 128 columns that a block moves"},
        {"transpose_coalesced", "nx=40 ny=32",
         "transpose_coalesced: nx=40 must be a multiple of the 32 columns that a block moves"},
        {"transpose_coalesced", "nx=32 ny=40",
         "transpose_coalesced: bdimx=32 must divide ny=40 and be a multiple of bdimy=8"},
        {"transpose_coalesced", "nx=32 ny=32 bdimy=12",
         "transpose_coalesced: bdimx=32 must divide ny=32 and be a multiple of bdimy=12"},
        {"transpose_diagonal_row", "nx=32 ny=64",
         "transpose_diagonal_row: nx=32 and ny=64 make 2 x 4 blocks; the kernel needs as many rows "
         "as columns"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct collect collect = {0};
        struct bsim_sink sink = collect_sink(&collect);
        struct bsim_error err = {0};
        assert_int_equal(run(refusals[i].kernel, refusals[i].settings, &sink, &err), BSIM_E_USAGE);
        assert_string_equal(err.message, refusals[i].message);
        assert_int_equal(collect.n, 0);
        collect_free(&collect);
    }
}

static void original_names_are_known(void **state)
{
    (void)state;
    assert_ptr_equal(find("transposeShared"), find("transpose_shared"));
    assert_ptr_equal(find("transposeSmem"), find("transpose_shared"));
    assert_ptr_equal(find("naiveGmem"), find("transposeNaiveRow"));
    assert_ptr_equal(find("transposeSmemUnrollPadDyn"), find("transpose_shared_unroll_dyn_pad"));
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (size_t n = 0;; n++) {
        struct bsim_error err = {0};
        size_t live = failing_memory_live();
        failing_memory_fail_after(n);
        enum bsim_status status = run("transpose_shared", "nx=32 ny=16", &nowhere, &err);
        failing_memory_heal();
        assert_int_equal(failing_memory_live(), live);
        if (status == BSIM_OK) {
            assert_true(n > 2); /* two matrices, and what the launch needs */
            return;
        }
        assert_int_equal(status, BSIM_E_MEMORY);
        assert_true(err.message[0] != '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_counts_are_the_published_ones),
        cmocka_unit_test(requests_are_as_worked_out),
        cmocka_unit_test(tile_is_read_down_its_columns),
        cmocka_unit_test(dynamic_memory_changes_nothing),
        cmocka_unit_test(every_shape_is_transposed),
        cmocka_unit_test(initial_blocks_fit_every_kernel),
        cmocka_unit_test(blocks_over_the_edge_miss_the_barrier),
        cmocka_unit_test(other_sizes_are_refused),
        cmocka_unit_test(original_names_are_known),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
