/* test_loads.c - the article's micro-benchmarks against its own times on an A100: 0.57 ms for one
 * wavefront per request, and so many times that for the others.
 *
 *     0.57 ms   1     conflict_free, broadcast, multicast, multicast_pairs
 *     1.14 ms   2     multicast_quads
 *     2.27 ms   4     vectorized_loads; rotated_loads, with four requests for its one
 *     18.2 ms  32     all_conflicts, warp_conflicts
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

/* 8 warps, 100,000 turns. */
enum { LOADS = 8 * 100000 };

static const struct emulate_case benchmarks[] = {
    {"loads_conflict_free", "", "r1[t] = ", LOADS, LOADS},
    {"loads_all_conflicts", "", "r1[t] = ", LOADS, 32 * LOADS},
    {"loads_warp_conflicts", "", "r1[t] = ", LOADS, 32 * LOADS},
    {"loads_broadcast", "", "r1[t] = ", LOADS, LOADS},
    {"loads_multicast", "", "r1[t] = ", LOADS, LOADS},
    {"loads_vectorized_loads", "", "r[t] = ", LOADS, 4 * LOADS},
    {"loads_rotated_loads", "", "r[i][t] = ", 4 * LOADS, 4 * LOADS},
    {"loads_multicast_pairs", "", "r[t] = ", LOADS, LOADS},
    {"loads_multicast_quads", "", "r[t] = ", LOADS, 2 * LOADS},
};

static void wavefronts_are_in_the_ratio_of_the_times(void **state)
{
    (void)state;
    emulate_check(benchmarks, COUNT(benchmarks), "a100", 0);
}

/* The loop is all that the article has: no store, no global access, no barrier. */
static void a_kernel_is_its_loop(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(benchmarks); i++) {
        const char *name = benchmarks[i].name;
        struct bsim_result result = emulate_counted(name, "num_iters=3", "a100", 0);
        const struct bsim_kernel_result *kernel = &result.kernels[0];
        if (kernel->tally[BSIM_STORES].requests != 0 || kernel->other_requests != 0 ||
            kernel->barriers != 0) {
            fail_msg("%s: %u stores, %u others, %u barriers", name,
                     (unsigned)kernel->tally[BSIM_STORES].requests,
                     (unsigned)kernel->other_requests, (unsigned)kernel->barriers);
        }
        bsim_result_free(&result);
    }
}

/* ---- the loop ------------------------------------------------------------------------------- */

/* Between repeat and done: the site at its first use, and an event for each warp. rotated_loads and
 * multicast come below. */
static void the_loop_is_one_repeat(void **state)
{
    static const struct {
        const char *name, *opcode, *first, *last; /* of the loop's events */
        size_t n_events;
    } cases[] = {
        {"loads_conflict_free", "ld.volatile.shared.f32", "w0 ffffffff 0+4", "w7 ffffffff 896+4",
         8},
        {"loads_all_conflicts", "ld.volatile.shared.f32", "w0 ffffffff 0+128", "w7 ffffffff 0+128",
         8},
        {"loads_warp_conflicts", "ld.volatile.shared.f32", "w0 ffffffff 0+128",
         "w7 ffffffff 28+128", 8},
        {"loads_broadcast", "ld.volatile.shared.f32", "w0 ffffffff 0+0", "w7 ffffffff 896+0", 8},
        {"loads_vectorized_loads", "ld.volatile.shared.v4.f32", "w0 ffffffff 0+16",
         "w7 ffffffff 3584+16", 8},
        {"loads_multicast_pairs", "ld.volatile.shared.v2.f32",
         "w0 ffffffff 0,0,8,8,16,16,24,24,32,32,40,40,48,48,56,56,64,64,72,72,80,80,88,88,96,96,"
         "104,104,112,112,120,120",
         "w7 ffffffff 896,896,904,904,912,912,920,920,928,928,936,936,944,944,952,952,960,960,968,"
         "968,976,976,984,984,992,992,1000,1000,1008,1008,1016,1016",
         8},
        {"loads_multicast_quads", "ld.volatile.shared.v4.f32",
         "w0 ffffffff 0,0,0,0,16,16,16,16,32,32,32,32,48,48,48,48,64,64,64,64,80,80,80,80,96,96,96,"
         "96,112,112,112,112",
         "w7 ffffffff 896,896,896,896,912,912,912,912,928,928,928,928,944,944,944,944,960,960,960,"
         "960,976,976,976,976,992,992,992,992,1008,1008,1008,1008",
         8},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct collect collect = emulate_collected(cases[i].name, "");
        size_t at = 0;
        char expected[COLLECT_TEXT_SIZE];
        while (at < collect.n && collect.item[at].kind != BSIM_RECORD_REPEAT) {
            at++;
        }
        assert_true(at + cases[i].n_events + 2 < collect.n);
        assert_string_equal(collect.item[at].text, "repeat 100000 0:0");
        assert_int_equal(collect.item[at + 1].kind, BSIM_RECORD_SITE);
        const char *end[2] = {cases[i].first, cases[i].last};
        size_t place[2] = {at + 2, at + 1 + cases[i].n_events};
        for (size_t k = 0; k < 2; k++) {
            (void)snprintf(expected, sizeof expected, "%.3s@1 %s %s", end[k], cases[i].opcode,
                           end[k] + 3);
            assert_string_equal(collect.item[place[k]].text, expected);
        }
        assert_int_equal(collect.item[place[1] + 1].kind, BSIM_RECORD_DONE);
        collect_free(&collect);
    }
}

/* Load i of lane l takes float (i + l / 8) mod 4 of the four that the lane wants, so that the lanes
 * 0, 8, 16, 24, whose four are in the same banks, take different banks. */
static void rotation_spreads_four_groups_of_lanes(void **state)
{
    (void)state;
    struct collect collect = emulate_collected("loads_rotated_loads", "");
    for (size_t i = 0; i < 4; i++) {
        const struct bsim_event *load = collect_event(&collect, 1, 8 * i);
        assert_non_null(load);
        assert_int_equal(load->warp, 0);
        uint64_t address[BSIM_WARP_LANES];
        bsim_event_addresses(load, address);
        for (size_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            assert_int_equal(address[lane], 16 * lane + 4 * ((i + lane / 8) % 4));
        }
    }
    collect_free(&collect);
}

/* The article on its hash: "some of the banks (such as Bank 1) get no loads, while others (such as
 * Bank 0) get several", and some values go to a single thread. (It names s[15] for that, which no
 * lane reads by the formula that it prints.) 2654435761 is 0x9e3779b1: lane 1 reads word 0x9e37 mod
 * 32 = 23, lane 2, with 0x3c6ef362, word 0x3c6e mod 32 = 14. */
static void the_hash_shares_words_at_random(void **state)
{
    (void)state;
    struct collect collect = emulate_collected("loads_multicast", "");
    const struct bsim_event *load = collect_event(&collect, 1, 0);
    assert_non_null(load);
    uint32_t n_lanes[32] = {0};
    uint32_t n_single = 0;
    assert_int_equal(load->address[1], 4 * 23);
    assert_int_equal(load->address[2], 4 * 14);
    for (uint64_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint64_t product = lane * UINT64_C(2654435761) & UINT64_C(0xffffffff);
        assert_int_equal(load->address[lane], product / 65536 % 32 * 4);
        n_lanes[load->address[lane] / 4]++;
    }
    for (size_t word = 0; word < 32; word++) {
        n_single += n_lanes[word] == 1;
    }
    assert_int_equal(n_lanes[1], 0);
    assert_true(n_lanes[0] > 1);
    assert_true(n_single > 0);
    collect_free(&collect);
}

/* ---- names and settings --------------------------------------------------------------------- */

static void the_articles_names_are_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(benchmarks); i++) {
        const struct bsim_emulator *by_name;
        const struct bsim_emulator *by_original;
        const char *original = benchmarks[i].name + strlen("loads_");
        assert_int_equal(bsim_emulator_find(benchmarks[i].name, &by_name, NULL), BSIM_OK);
        assert_int_equal(bsim_emulator_find(original, &by_original, NULL), BSIM_OK);
        assert_ptr_equal(by_name, by_original);
    }
}

static void the_turns_are_a_setting(void **state)
{
    static const struct emulate_case cases[] = {
        {"loads_all_conflicts", "num_iters=1", "r1[t] = ", 8, 8 * 32},
        {"loads_all_conflicts", "num_iters=1000000000", "r1[t] = ", UINT64_C(8000000000),
         UINT64_C(8000000000) * 32},
    };
    (void)state;
    emulate_check(cases, COUNT(cases), "a100", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wavefronts_are_in_the_ratio_of_the_times),
        cmocka_unit_test(a_kernel_is_its_loop),
        cmocka_unit_test(the_loop_is_one_repeat),
        cmocka_unit_test(rotation_spreads_four_groups_of_lanes),
        cmocka_unit_test(the_hash_shares_words_at_random),
        cmocka_unit_test(the_articles_names_are_known),
        cmocka_unit_test(the_turns_are_a_setting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
