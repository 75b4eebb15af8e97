/* test_reduce.c - the emulated reductions: what they access, in which order, and which sizes they
 * take. That the sums are right is checked by the emulator itself, in every run here.
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

static const struct bsim_emulator *find(const char *name)
{
    const struct bsim_emulator *emulator;
    struct bsim_error err;
    if (bsim_emulator_find(name, &emulator, &err) != BSIM_OK) {
        fail_msg("%s: %s", name, err.message);
    }
    return emulator;
}

/* n elements in blocks of `block` threads. */
static enum bsim_status run(const char *name, uint32_t n, uint32_t block,
                            const struct bsim_sink *sink, struct bsim_error *err)
{
    char text[2][32];
    const char *const settings[] = {text[0], text[1]};
    (void)snprintf(text[0], sizeof text[0], "n=%u", (unsigned)n);
    (void)snprintf(text[1], sizeof text[1], "block=%u", (unsigned)block);
    return bsim_emulator_run(find(name), settings, 2, sink, err);
}

static void simulate(const char *name, uint32_t n, uint32_t block, const char *device_name,
                     struct bsim_result *result)
{
    struct bsim_device device;
    struct bsim_error err = {0};
    assert_int_equal(bsim_device_find(device_name, NULL, &device, &err), BSIM_OK);
    struct bsim_sim *sim = bsim_sim_new(&(struct bsim_sim_options){.device = &device});
    assert_non_null(sim);
    struct bsim_sink sink = bsim_sim_sink(sim);
    if (run(name, n, block, &sink, &err) != BSIM_OK ||
        bsim_sim_result(sim, result, &err) != BSIM_OK) {
        fail_msg("%s n=%u block=%u: %s", name, (unsigned)n, (unsigned)block, err.message);
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

/* ---- how much ------------------------------------------------------------------------------- */

/* Warp requests per block. What all kernels end with, for blocks of 128 threads: the step of 64 is
 * done by 2 warps, with 2 loads and a store each; the last 6 steps by one warp; then thread 0 loads
 * the sum: 4 + 12 + 1 = 17 loads, 2 + 6 = 8 stores, and the store of the sum. Blocks of 1024 begin
 * with steps of 512, 256 and 128, by 16, 8 and 4 warps: 56 loads and 28 stores more. Blocks of 64
 * have the last warp's part alone: 13 loads, 6 stores.
 *
 * With shared memory there is a store per warp before that, and the loads of global memory are as
 * many as a thread has elements; the barriers, counted per warp, are 5, without shared memory 4.
 *
 * The global requests give the published counts of global memory, nvprof's transactions:
 * V100, 16,777,216 ints, blocks of 128 (131,072 blocks), as 32-byte sectors:
 *     reduceSmem  gld  2,097,152 = 131,072 * 4 requests of 4       gst   131,072 = 131,072 * 1
 *     reduceGmem  gld  8,912,896 = 131,072 * (4 * 4 + 6 * 4 + 3 * 4 + 3 * 5 + 1): the loads at
 *                      distance 4, 2 and 1 touch a fifth sector
 *                 gst  4,325,376 = 131,072 * (2 * 4 + 6 * 4 + 1)
 * GT 1030, 4,194,304 ints, blocks of 1024 (4,096 blocks), 16 per full-warp load, 4 for a thread's,
 * and 2 per kernel:
 *     reduceGmem  gld  4,734,978 = 4,096 * (72 * 16 + 4) + 2
 *                 gst    593,920 = 4,096 * (36 * 4 + 1)
 */
struct count_case {
    const char *kernel;
    uint32_t elements, block; /* per thread; threads */
    uint64_t shared_loads, shared_stores, global_requests, barriers;
};

static const struct count_case counts[] = {
    {"reduce_shared_mem", 1, 64, 13, 6 + 2, 2 + 1, 5 * 2},
    {"reduce_shared_mem", 1, 128, 17, 8 + 4, 4 + 1, 5 * 4},
    {"reduce_shared_mem", 1, 256, 17 + 8, 8 + 4 + 8, 8 + 1, 5 * 8},
    {"reduce_shared_mem", 1, 1024, 17 + 56, 8 + 28 + 32, 32 + 1, 5 * 32},
    {"reduce_shared_mem_dyn", 1, 128, 17, 8 + 4, 4 + 1, 5 * 4},
    {"reduce_shared_mem_dyn", 1, 512, 17 + 8 + 16, 8 + 4 + 8 + 16, 16 + 1, 5 * 16},
    {"reduce_shared_mem_unroll4", 4, 128, 17, 8 + 4, 4 * 4 + 1, 5 * 4},
    {"reduce_shared_mem_unroll4", 4, 1024, 17 + 56, 8 + 28 + 32, 4 * 32 + 1, 5 * 32},
    {"reduce_shared_mem_unroll4_dyn", 4, 1024, 17 + 56, 8 + 28 + 32, 4 * 32 + 1, 5 * 32},
    {"reduce_shared_mem_unroll8", 8, 128, 17, 8 + 4, 8 * 4 + 1, 5 * 4},
    {"reduce_shared_mem_unroll8", 8, 64, 13, 6 + 2, 8 * 2 + 1, 5 * 2},
    {"reduce_global_mem", 1, 128, 0, 0, 17 + 8 + 1, 4 * 4},
    {"reduce_global_mem", 1, 1024, 0, 0, 17 + 56 + 8 + 28 + 1, 4 * 32},
    {"reduce_global_mem_unroll8", 8, 128, 0, 0, 8 * 4 + 4 + 17 + 8 + 1, 5 * 4},
    {"reduce_global_mem_unroll8", 8, 64, 0, 0, 8 * 2 + 2 + 13 + 6 + 1, 5 * 2},
};

enum { N_BLOCKS = 3 };

static void expect_count(const struct count_case *c, const char *what, uint64_t actual,
                         uint64_t per_block)
{
    if (actual != per_block * N_BLOCKS) {
        fail_msg("%s block=%u: %lu %s, expected %d * %lu", c->kernel, (unsigned)c->block,
                 (unsigned long)actual, what, N_BLOCKS, (unsigned long)per_block);
    }
}

static void requests_are_as_worked_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const struct count_case *c = &counts[i];
        struct bsim_result result;
        simulate(c->kernel, c->elements * c->block * N_BLOCKS, c->block, "v100", &result);
        const struct bsim_kernel_result *kernel = &result.kernels[0];
        assert_int_equal(kernel->blocks, N_BLOCKS);
        expect_count(c, "shared loads", kernel->tally[BSIM_LOADS].requests, c->shared_loads);
        expect_count(c, "shared stores", kernel->tally[BSIM_STORES].requests, c->shared_stores);
        expect_count(c, "global requests", kernel->other_requests, c->global_requests);
        expect_count(c, "barriers", kernel->barriers, c->barriers);
        bsim_result_free(&result);
    }
}

/* A warp touches consecutive words only. */
static void nothing_conflicts_anywhere(void **state)
{
    static const char *const device[] = {"k40", "sm_52", "gt1030", "v100", "h200"};
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        for (size_t d = 0; d < sizeof device / sizeof device[0]; d++) {
            const struct count_case *c = &counts[i];
            struct bsim_result result;
            simulate(c->kernel, c->elements * c->block, c->block, device[d], &result);
            struct bsim_tally total = bsim_kernel_total(&result.kernels[0]);
            if (total.conflicts != 0 || total.wavefronts != total.requests) {
                fail_msg("%s block=%u on %s: %lu wavefronts for %lu requests, %lu conflicts",
                         c->kernel, (unsigned)c->block, device[d], (unsigned long)total.wavefronts,
                         (unsigned long)total.requests, (unsigned long)total.conflicts);
            }
            bsim_result_free(&result);
        }
    }
}

/* ---- what ----------------------------------------------------------------------------------- */

/* 64 elements, one block: 2 warps fetch, then warp 0 adds what lies 32, 16, ... words on, each time
 * two loads and a store, volatile, without a barrier between them. */
static void last_warp_goes_in_lockstep(void **state)
{
    static const char *const expected[] = {
        "kernel reduce_shared_mem grid=1,1,1 block=64,1,1 shared=256 x-shared=smem@0:int[64]",
        "block 0,0,0",
        "site 1 ld.global.u32 v[t] = idata[tid[t]]",
        "w0 @1 ld.global.u32 ffffffff 1:0+4",
        "w1 @1 ld.global.u32 ffffffff 1:128+4",
        "site 2 st.shared.u32 smem[tid[t]] = v[t]",
        "w0 @2 st.shared.u32 ffffffff 0+4",
        "w1 @2 st.shared.u32 ffffffff 128+4",
        "w* bar.sync",
        "w* bar.sync",
        "w* bar.sync",
        "w* bar.sync",
        "w* bar.sync",
        "site 3 ld.volatile.shared.u32 mine[t] = data[tid[t]]",
        "w0 @3 ld.volatile.shared.u32 ffffffff 0+4",
        "site 4 ld.volatile.shared.u32 other[t] = data[tid[t] + 32]",
        "w0 @4 ld.volatile.shared.u32 ffffffff 128+4",
        "site 5 st.volatile.shared.u32 data[tid[t]] = mine[t] + other[t]",
        "w0 @5 st.volatile.shared.u32 ffffffff 0+4",
        "site 6 ld.volatile.shared.u32 mine[t] = data[tid[t]]",
        "w0 @6 ld.volatile.shared.u32 ffffffff 0+4",
        "site 7 ld.volatile.shared.u32 other[t] = data[tid[t] + 16]",
        "w0 @7 ld.volatile.shared.u32 ffffffff 64+4",
        "site 8 st.volatile.shared.u32 data[tid[t]] = mine[t] + other[t]",
        "w0 @8 st.volatile.shared.u32 ffffffff 0+4",
        "site 9 ld.volatile.shared.u32 mine[t] = data[tid[t]]",
        "w0 @9 ld.volatile.shared.u32 ffffffff 0+4",
        "site 10 ld.volatile.shared.u32 other[t] = data[tid[t] + 8]",
        "w0 @10 ld.volatile.shared.u32 ffffffff 32+4",
        "site 11 st.volatile.shared.u32 data[tid[t]] = mine[t] + other[t]",
        "w0 @11 st.volatile.shared.u32 ffffffff 0+4",
        "site 12 ld.volatile.shared.u32 mine[t] = data[tid[t]]",
        "w0 @12 ld.volatile.shared.u32 ffffffff 0+4",
        "site 13 ld.volatile.shared.u32 other[t] = data[tid[t] + 4]",
        "w0 @13 ld.volatile.shared.u32 ffffffff 16+4",
        "site 14 st.volatile.shared.u32 data[tid[t]] = mine[t] + other[t]",
        "w0 @14 st.volatile.shared.u32 ffffffff 0+4",
        "site 15 ld.volatile.shared.u32 mine[t] = data[tid[t]]",
        "w0 @15 ld.volatile.shared.u32 ffffffff 0+4",
        "site 16 ld.volatile.shared.u32 other[t] = data[tid[t] + 2]",
        "w0 @16 ld.volatile.shared.u32 ffffffff 8+4",
        "site 17 st.volatile.shared.u32 data[tid[t]] = mine[t] + other[t]",
        "w0 @17 st.volatile.shared.u32 ffffffff 0+4",
        "site 18 ld.volatile.shared.u32 mine[t] = data[tid[t]]",
        "w0 @18 ld.volatile.shared.u32 ffffffff 0+4",
        "site 19 ld.volatile.shared.u32 other[t] = data[tid[t] + 1]",
        "w0 @19 ld.volatile.shared.u32 ffffffff 4+4",
        "site 20 st.volatile.shared.u32 data[tid[t]] = mine[t] + other[t]",
        "w0 @20 st.volatile.shared.u32 ffffffff 0+4",
        "site 21 ld.shared.u32 mine[t] = data[0]",
        "w0 @21 ld.shared.u32 00000001 0+0",
        "site 22 st.global.u32 g_odata[blockIdx.x] = mine[t]",
        "w0 @22 st.global.u32 00000001 2:0+0",
        "end",
    };
    (void)state;
    struct collect collect = {0};
    struct bsim_sink sink = collect_sink(&collect);
    struct bsim_error err = {0};
    char difference[2048];
    assert_int_equal(run("reduce_shared_mem", 64, 64, &sink, &err), BSIM_OK);
    const char *text = collect_difference(&collect, expected, sizeof expected / sizeof expected[0],
                                          difference, sizeof difference);
    if (text != NULL) {
        fail_msg("%s", text);
    }
    collect_free(&collect);
}

/* The step of 512 in a block of 1024 is the first 16 warps' alone. */
static void half_of_the_warps_add(void **state)
{
    (void)state;
    struct collect collect = {0};
    struct bsim_sink sink = collect_sink(&collect);
    struct bsim_error err = {0};
    assert_int_equal(run("reduce_shared_mem", 1024, 1024, &sink, &err), BSIM_OK);
    assert_int_equal(collect_count(&collect, 3), 16);
    assert_int_equal(collect_count(&collect, 4), 16);
    const struct bsim_event *last = collect_event(&collect, 4, 15);
    assert_int_equal(last->warp, 15);
    assert_int_equal(last->base, (15 * 32 + 512) * 4);
    collect_free(&collect);
}

/* Block 2 of 3 takes elements 2 * 8 * 64 to 3 * 8 * 64 and leaves its sum in out[2]. */
static void blocks_take_their_parts(void **state)
{
    (void)state;
    struct collect collect = {0};
    struct bsim_sink sink = collect_sink(&collect);
    struct bsim_error err = {0};
    assert_int_equal(run("reduce_shared_mem_unroll8", 3 * 8 * 64, 64, &sink, &err), BSIM_OK);
    const struct bsim_event *first = collect_event(&collect, 1, 2 * 2);
    const struct bsim_event *eighth = collect_event(&collect, 8, 2 * 2 + 1);
    const struct bsim_event *sum = collect_event(&collect, 29, 2);
    assert_int_equal(first->base, (UINT64_C(1) << 32) + 2 * 8 * 64 * 4);
    assert_int_equal(eighth->base, (UINT64_C(1) << 32) + (3 * 8 * 64 - 32) * 4);
    assert_non_null(sum);
    assert_int_equal(sum->opcode.space, BSIM_GLOBAL);
    assert_int_equal(sum->base, (UINT64_C(2) << 32) + 2 * 4);
    collect_free(&collect);
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static void every_block_size_adds_up(void **state)
{
    static const char *const kernel[] = {
        "reduce_global_mem",         "reduce_global_mem_unroll8", "reduce_shared_mem",
        "reduce_shared_mem_dyn",     "reduce_shared_mem_unroll4", "reduce_shared_mem_unroll4_dyn",
        "reduce_shared_mem_unroll8",
    };
    (void)state;
    for (size_t k = 0; k < sizeof kernel / sizeof kernel[0]; k++) {
        for (uint32_t block = 64; block <= 1024; block *= 2) {
            struct bsim_error err = {0};
            if (run(kernel[k], 8 * 1024 * 3, block, &nowhere, &err) != BSIM_OK) {
                fail_msg("%s block=%u: %s", kernel[k], (unsigned)block, err.message);
            }
        }
    }
}

struct refusal {
    const char *kernel;
    uint32_t n, block;
    const char *message;
};

static void other_sizes_are_refused(void **state)
{
    static const struct refusal refusals[] = {
        {"reduce_shared_mem", 960, 96,
         "reduce_shared_mem: block=96 must be 64, 128, 256, 512 or 1024: the kernel halves it"},
        {"reduce_global_mem", 1000, 128,
         "reduce_global_mem: n=1000 must be a multiple of the 128 elements that a block adds up: "
         "the kernel would read past the array"},
        {"reduce_shared_mem_unroll4", 128 * 3, 128,
         "reduce_shared_mem_unroll4: n=384 must be a multiple of the 512 elements that a block "
         "adds "
         "up: the kernel would read past the array"},
        {"reduce_shared_mem_unroll8", 512, 128,
         "reduce_shared_mem_unroll8: n=512 must be a multiple of the 1024 elements that a block "
         "adds up: the kernel would read past the array"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        const struct refusal *r = &refusals[i];
        struct collect collect = {0};
        struct bsim_sink sink = collect_sink(&collect);
        struct bsim_error err = {0};
        assert_int_equal(run(r->kernel, r->n, r->block, &sink, &err), BSIM_E_USAGE);
        assert_string_equal(err.message, r->message);
        assert_int_equal(collect.n, 0);
        collect_free(&collect);
    }
}

static void both_documents_names_are_known(void **state)
{
    (void)state;
    assert_ptr_equal(find("reduceGlobalMem"), find("reduce_global_mem"));
    assert_ptr_equal(find("reduceGmem"), find("reduce_global_mem"));
    assert_ptr_equal(find("reduceSmem"), find("reduceSharedMem"));
    assert_ptr_equal(find("reduceUnroll4Smem"), find("reduce_shared_mem_unroll4"));
    assert_ptr_equal(find("reduceSmemUnroll"), find("reduce_shared_mem_unroll4"));
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (size_t n = 0;; n++) {
        struct bsim_error err = {0};
        size_t live = failing_memory_live();
        failing_memory_fail_after(n);
        enum bsim_status status = run("reduce_shared_mem", 256, 128, &nowhere, &err);
        failing_memory_heal();
        assert_int_equal(failing_memory_live(), live);
        if (status == BSIM_OK) {
            assert_true(n > 3); /* three arrays, and what the launch needs */
            return;
        }
        assert_int_equal(status, BSIM_E_MEMORY);
        assert_true(err.message[0] != '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_as_worked_out),
        cmocka_unit_test(nothing_conflicts_anywhere),
        cmocka_unit_test(last_warp_goes_in_lockstep),
        cmocka_unit_test(half_of_the_warps_add),
        cmocka_unit_test(blocks_take_their_parts),
        cmocka_unit_test(every_block_size_adds_up),
        cmocka_unit_test(other_sizes_are_refused),
        cmocka_unit_test(both_documents_names_are_known),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
