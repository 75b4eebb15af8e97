/* test_coalescing.c - the kernels of the lecture's global-memory slides: which lines of 128 bytes
 * they touch, how vector loads are spelled and counted, and what becomes of a misaligned one.
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

/* ---- lines ---------------------------------------------------------------------------------- */

static uint32_t count_lines(const struct bsim_event *event)
{
    uint64_t address[BSIM_WARP_LANES];
    uint64_t first = UINT64_C(1) << 32; /* array 0 */
    uint64_t lines = 0;                 /* bit k: its k-th line */
    uint32_t n = 0;
    bsim_event_addresses(event, address);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        assert_true(address[lane] >= first && address[lane] < first + UINT64_C(64) * 128);
        lines |= UINT64_C(1) << ((address[lane] - first) / 128);
    }
    for (; lines != 0; lines &= lines - 1) {
        n++;
    }
    return n;
}

/* Slides 14 to 16. 32 words from a line's start are that line; from one word later, two lines;
 * every second word, 2 * 32 words, two lines; every third, three. */
static void loads_touch_the_lines_of_the_slides(void **state)
{
    static const struct {
        const char *name, *settings;
        uint32_t n_lines;
    } cases[] = {
        {"global_coalesced", "", 1},           {"global_misaligned", "", 2},
        {"global_misaligned", "offset=0", 1},  {"global_misaligned", "offset=31", 2},
        {"global_misaligned", "offset=32", 1}, {"global_two_lines", "", 2},
        {"global_three_lines", "", 3},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct collect collect = emulate_collected(cases[i].name, cases[i].settings);
        const struct bsim_event *load = collect_event(&collect, 1, 0);
        assert_non_null(load);
        assert_int_equal(load->opcode.family, BSIM_LD);
        assert_int_equal(load->opcode.space, BSIM_GLOBAL);
        assert_int_equal(load->mask, BSIM_FULL_MASK);
        if (count_lines(load) != cases[i].n_lines) {
            fail_msg("%s %s: %u lines", cases[i].name, cases[i].settings,
                     (unsigned)count_lines(load));
        }
        collect_free(&collect);
    }
}

/* ---- vectors -------------------------------------------------------------------------------- */

/* 256 threads are 8 warps. 32 * 8 bytes are two rows of the 32 banks, 32 * 16 four. */
static void vectors_take_as_many_wavefronts_as_their_bytes(void **state)
{
    static const struct emulate_case cases[] = {
        {"vector_load_64", "", "s[threadIdx.x] = ", 8, 16},
        {"vector_load_64", "", "v[t] = s[", 8, 16},
        {"vector_load_128", "", "s[threadIdx.x] = ", 8, 32},
        {"vector_load_128", "", "v[t] = s[", 8, 32},
        {"vector_load_double", "", "s[threadIdx.x] = ", 8, 16},
        {"vector_load_double", "", "v[t] = s[", 8, 16},
        /* 40 threads: the second warp has 8, and one group of lanes with anybody in it. */
        {"vector_load_64", "bdimx=40", "s[threadIdx.x] = ", 2, 2 + 1},
        {"vector_load_128", "bdimx=40", "s[threadIdx.x] = ", 2, 4 + 1},
        {"vector_load_double", "bdimx=1024", "s[threadIdx.x] = ", 32, 64},
    };
    (void)state;
    emulate_check(cases, COUNT(cases), "h200", 0);
}

/* The whole of one warp: from global to shared memory in order, from there in reverse. */
static void vectors_are_spelled_as_in_ptx(void **state)
{
    static const struct {
        const char *name, *type;
        unsigned bytes;
    } cases[] = {
        {"vector_load_64", "v2.f32", 8},
        {"vector_load_128", "v4.f32", 16},
        {"vector_load_double", "f64", 8},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[4][80];
        const char *type = cases[i].type;
        unsigned bytes = cases[i].bytes;
        (void)snprintf(text[0], 80, "w0 @1 ld.global.%s ffffffff 1:0+%u", type, bytes);
        (void)snprintf(text[1], 80, "w0 @2 st.shared.%s ffffffff 0+%u", type, bytes);
        (void)snprintf(text[2], 80, "w0 @3 ld.shared.%s ffffffff %u-%u", type, 31 * bytes, bytes);
        (void)snprintf(text[3], 80, "w0 @4 st.global.%s ffffffff 2:0+%u", type, bytes);
        struct collect collect = emulate_collected(cases[i].name, "bdimx=32");
        size_t n = 0;
        for (size_t k = 0; k < collect.n; k++) {
            if (collect.item[k].kind == BSIM_RECORD_EVENT && collect.item[k].number != 0) {
                assert_true(n < 4);
                assert_string_equal(collect.item[k].text, text[n]);
                n++;
            }
        }
        assert_int_equal(n, 4);
        collect_free(&collect);
    }
}

/* ---- alignment ------------------------------------------------------------------------------ */

static void vectors_at_multiples_of_16_bytes_load(void **state)
{
    static const struct emulate_case cases[] = {
        {"vector_load_misaligned", "", "v[t] = vector[", 1, 4},
        {"vector_load_misaligned", "offset=4", "v[t] = vector[", 1, 4},
        {"vector_load_misaligned", "offset=32", "v[t] = vector[", 1, 4},
    };
    (void)state;
    emulate_check(cases, COUNT(cases), "h200", 0);
}

static void other_vectors_are_refused_with_thread_and_place(void **state)
{
    static const struct {
        const char *settings, *message;
    } cases[] = {
        {"offset=1", "thread (0,0,0) of block (0,0,0) loads 16 bytes at byte 4 of shared memory, "
                     "which is not a multiple of 16: v[t] = vector[threadIdx.x]"},
        {"offset=2", "thread (0,0,0) of block (0,0,0) loads 16 bytes at byte 8 of shared memory, "
                     "which is not a multiple of 16: v[t] = vector[threadIdx.x]"},
        {"offset=31", "thread (0,0,0) of block (0,0,0) loads 16 bytes at byte 124 of shared "
                      "memory, which is not a multiple of 16: v[t] = vector[threadIdx.x]"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct collect collect = {0};
        struct bsim_sink sink = collect_sink(&collect);
        struct bsim_error err = {0};
        assert_int_equal(emulate("vector_load_misaligned", cases[i].settings, &sink, &err),
                         BSIM_E_KERNEL);
        assert_string_equal(err.message, cases[i].message);
        assert_non_null(strstr(err.file, "coalescing.c"));
        assert_true(err.line > 0);
        /* What came before the load is in the stream, the load and the end are not. */
        assert_int_equal(collect_count(&collect, 1), 5);
        assert_int_equal(collect_count(&collect, 2), 0);
        assert_int_equal(collect.item[collect.n - 1].event.opcode.family, BSIM_BAR);
        collect_free(&collect);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_touch_the_lines_of_the_slides),
        cmocka_unit_test(vectors_take_as_many_wavefronts_as_their_bytes),
        cmocka_unit_test(vectors_are_spelled_as_in_ptx),
        cmocka_unit_test(vectors_at_multiples_of_16_bytes_load),
        cmocka_unit_test(other_vectors_are_refused_with_thread_and_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
