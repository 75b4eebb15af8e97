/* test_shuffle.c - the shuffle kernels. Each emulator compares its output with what the source
 * lanes' values are by definition; here: that the instructions and their masks are right, that the
 * sizes of the documents' examples run, and that others are refused.
 */
#include "emulate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- sources -------------------------------------------------------------------------------- */

/* The PTX ISA's own arithmetic on operand c of shfl.sync, which CUDA's functions make of the width:
 * the bits of a lane's number that name its segment, and a clamp: 0 for up, 31 for the others. */
static uint32_t source_by_ptx(enum bsim_operation operation, int32_t lane, int32_t b,
                              uint32_t width)
{
    int32_t segment = 32 - (int32_t)width;
    int32_t clamp = operation == BSIM_UP ? 0 : 31;
    int32_t limit = (lane & segment) | (clamp & ~segment & 31);
    b &= 31;
    switch (operation) {
    case BSIM_UP:
        return (uint32_t)(lane - b >= limit ? lane - b : lane);
    case BSIM_DOWN:
        return (uint32_t)(lane + b <= limit ? lane + b : lane);
    case BSIM_BFLY:
        return (uint32_t)((lane ^ b) <= limit ? lane ^ b : lane);
    default:
        return (uint32_t)((lane & segment) | (b & ~segment & 31));
    }
}

static void sources_are_those_of_ptx(void **state)
{
    static const enum bsim_operation operations[] = {BSIM_IDX, BSIM_UP, BSIM_DOWN, BSIM_BFLY};
    (void)state;
    for (uint32_t i = 0; i < COUNT(operations) * 64 * BSIM_WARP_LANES; i++) {
        enum bsim_operation operation = operations[i / 64 / BSIM_WARP_LANES];
        uint32_t operand = i / BSIM_WARP_LANES % 64;
        uint32_t lane = i % BSIM_WARP_LANES;
        for (uint32_t width = 1; width <= BSIM_WARP_LANES; width *= 2) {
            assert_int_equal(bsim_shuffle_source(operation, lane, operand, width),
                             source_by_ptx(operation, (int32_t)lane, (int32_t)operand, width));
        }
    }
    assert_int_equal(bsim_shuffle_source(BSIM_IDX, 0, 0, 0), BSIM_BAD_WIDTH);
    assert_int_equal(bsim_shuffle_source(BSIM_IDX, 0, 0, 12), BSIM_BAD_WIDTH);
    assert_int_equal(bsim_shuffle_source(BSIM_IDX, 0, 0, 64), BSIM_BAD_WIDTH);
}

/* ---- instructions --------------------------------------------------------------------------- */

/* 16 threads: the lower half of a warp. */
static void one_value_is_one_shuffle(void **state)
{
    static const struct {
        const char *name, *event;
    } cases[] = {
        {"shfl_broadcast", "w0 @2 shfl.sync.idx.b32 0000ffff -"},
        {"shfl_up", "w0 @2 shfl.sync.up.b32 0000ffff -"},
        {"shfl_down", "w0 @2 shfl.sync.down.b32 0000ffff -"},
        {"shfl_around", "w0 @2 shfl.sync.idx.b32 0000ffff -"},
        {"shfl_xor", "w0 @2 shfl.sync.bfly.b32 0000ffff -"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct collect collect = emulate_collected(cases[i].name, "");
        char kernel[80];
        (void)snprintf(kernel, sizeof kernel, "kernel %s grid=1,1,1 block=16,1,1 shared=0",
                       cases[i].name);
        assert_int_equal(collect.n, 9); /* kernel, block, 3 sites and events, end */
        assert_string_equal(collect.item[0].text, kernel);
        assert_string_equal(collect.item[3].text, "w0 @1 ld.global.u32 0000ffff 1:0+4");
        assert_string_equal(collect.item[5].text, cases[i].event);
        assert_string_equal(collect.item[7].text, "w0 @3 st.global.u32 0000ffff 2:0+4");
        collect_free(&collect);
    }
}

/* 4 threads with 4 elements each: element i of thread t at byte 16 * t + 4 * i. */
static void arrays_are_shuffled_element_by_element(void **state)
{
    static const struct {
        const char *name;
        size_t n_shuffles;
    } cases[] = {{"shfl_xor_array", 4}, {"shfl_swap", 1}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct collect collect = emulate_collected(cases[i].name, "");
        size_t n_shuffles = 0;
        size_t n_loads = 0;
        for (size_t k = 0; k < collect.n; k++) {
            const struct bsim_event *event = &collect.item[k].event;
            if (collect.item[k].kind == BSIM_RECORD_EVENT && event->opcode.family == BSIM_SHFL) {
                assert_int_equal(event->opcode.operation, BSIM_BFLY);
                assert_int_equal(event->mask, 0xf);
                n_shuffles++;
            }
            if (collect.item[k].kind == BSIM_RECORD_EVENT && event->opcode.family == BSIM_LD) {
                assert_int_equal(event->base, (UINT64_C(1) << 32) + 4 * n_loads);
                assert_int_equal(event->stride, 16);
                n_loads++;
            }
        }
        assert_int_equal(n_shuffles, cases[i].n_shuffles);
        assert_int_equal(n_loads, 4);
        collect_free(&collect);
    }
}

/* ---- sizes ---------------------------------------------------------------------------------- */

/* Every run checks its output. The first is document 000's example: threads 0 to 15 get the value
 * of thread 3, threads 16 to 31 that of 19. */
static void other_sizes_give_what_they_should(void **state)
{
    static const struct {
        const char *name, *settings;
        uint64_t shuffles;
    } cases[] = {
        {"shfl_broadcast", "bdimx=32 width=16 src_lane=3", 1},
        {"shfl_broadcast", "bdimx=1024 width=32 src_lane=31", 32},
        {"shfl_broadcast", "bdimx=3 width=1 src_lane=0", 1},
        {"shfl_up", "delta=0", 1},
        {"shfl_up", "bdimx=64 width=32 delta=31", 2},
        {"shfl_up", "bdimx=48 width=8 delta=3", 2},
        {"shfl_down", "delta=15", 1},
        {"shfl_down", "bdimx=48 width=8 delta=3", 2},
        {"shfl_around", "offset=14", 1}, /* the book's -2 */
        {"shfl_around", "bdimx=96 width=4 offset=3", 3},
        {"shfl_xor", "mask=0", 1},
        {"shfl_xor", "bdimx=32 width=32 mask=31", 1},
        {"shfl_xor", "bdimx=64 width=2 mask=1", 2},
        {"shfl_xor_array", "mask=3", 4},
        {"shfl_xor_array", "bdimx=32 mask=7", 4},
        {"shfl_xor_array", "bdimx=8 mask=1", 4},
        {"shfl_swap", "mask=2 first=1 second=2", 1},
        {"shfl_swap", "mask=3 first=2 second=2", 1},
        {"shfl_swap", "bdimx=32 mask=5 first=3 second=0", 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct bsim_result result = emulate_counted(cases[i].name, cases[i].settings, "h200", 0);
        if (result.kernels[0].shuffles != cases[i].shuffles) {
            fail_msg("%s %s: %u shuffles", cases[i].name, cases[i].settings,
                     (unsigned)result.kernels[0].shuffles);
        }
        bsim_result_free(&result);
    }
}

static void sizes_that_do_not_fit_are_refused(void **state)
{
    static const struct emulate_refusal cases[] = {
        {"shfl_up", "width=12", "shfl_up: width=12 must be a power of 2 that divides bdimx=16"},
        {"shfl_up", "width=32", "shfl_up: width=32 must be a power of 2 that divides bdimx=16"},
        {"shfl_up", "delta=16", "shfl_up: delta=16 must be smaller than width=16"},
        {"shfl_xor", "mask=16", "shfl_xor: mask=16 must be smaller than width=16"},
        {"shfl_xor_array", "mask=4",
         "shfl_xor_array: mask=4 must be smaller than the 4 threads, a 4th of bdimx"},
        {"shfl_swap", "bdimx=24", "shfl_swap: width=24 must be a power of 2 that divides bdimx=24"},
        {"shfl_reduce", "block=48",
         "shfl_reduce: n=1024 must be a multiple of block=48, and that of 32"},
        {"shfl_reduce", "n=1000",
         "shfl_reduce: n=1000 must be a multiple of block=128, and that of 32"},
    };
    (void)state;
    emulate_check_refused(cases, COUNT(cases));
}

/* ---- reduction ------------------------------------------------------------------------------ */

/* Blocks of 128 threads, 4 warps: five shuffles in each warp and five more in warp 0; one lane of
 * each warp stores its sum, four lanes of warp 0 load them. */
static void a_block_is_reduced_in_two_steps(void **state)
{
    static const struct emulate_case cases[] = {
        {"shfl_reduce", "", "local_sum[t] = a->g_idata", 8 * 4, 0},
        {"shfl_reduce", "", "smem[warpid] = ", 8 * 4, 8 * 4},
        {"shfl_reduce", "", "local_sum[t] = smem", 8, 8},
        {"shfl_reduce", "", "a->g_odata[blockIdx.x] = ", 8, 0},
        {"shfl_reduce", "n=32 block=32", "smem[warpid] = ", 1, 1},
        {"shfl_reduce", "n=2048 block=1024", "smem[warpid] = ", 2 * 32, 2 * 32},
    };
    (void)state;
    emulate_check(cases, COUNT(cases), "h200", 0);
    struct bsim_result result = emulate_counted("shfl_reduce", "", "h200", 0);
    assert_int_equal(result.kernels[0].shuffles, 8 * (4 * 5 + 5));
    assert_int_equal(result.kernels[0].sites[1].requests, 8 * (4 * 5 + 5));
    assert_int_equal(result.kernels[0].other_requests, 8 * 4 + 8);
    assert_int_equal(result.kernels[0].barriers, 8 * 4);
    bsim_result_free(&result);
    struct collect collect = emulate_collected("shfl_reduce", "");
    assert_int_equal(collect_event(&collect, 3, 0)->mask, 1);
    assert_int_equal(collect_event(&collect, 4, 0)->mask, 0xf);
    assert_int_equal(collect_event(&collect, 4, 0)->stride, 4);
    collect_free(&collect);
}

static void the_reduction_needs_memory(void **state)
{
    (void)state;
    emulate_without_memory("shfl_reduce", "n=128");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_are_those_of_ptx),
        cmocka_unit_test(one_value_is_one_shuffle),
        cmocka_unit_test(arrays_are_shuffled_element_by_element),
        cmocka_unit_test(other_sizes_give_what_they_should),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
        cmocka_unit_test(a_block_is_reduced_in_two_steps),
        cmocka_unit_test(the_reduction_needs_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
