/* test_holdup.c - what holds a launch up, by hand. */
#include <banksim/result.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/holdup.h"

/* A launch of 264 blocks on 132 SMs, 2 on each at a time, of which 8 were simulated. By hand: each SM has two
 * blocks' wavefronts; a wait of each block is one of the launch, as all of them fit; 4814 GB/s at 1980 MHz are
 * 2431.3 bytes a clock, for the sectors of all blocks. */
struct holdup_case {
    const char *why;
    struct {
        uint64_t wavefronts, sectors, waits, launch;
    } of;
    enum bsim_holds by, anyway;
    uint64_t clocks;
    double half, none; /* times as fast at most, with half of shared memory's clocks, and none */
};

static const struct holdup_case holdup_cases[] = {
    {"shared memory alone", {0, 0, 0, 1000}, BSIM_HOLDS_SHARED, BSIM_HOLDS_SHARED, 1000, 2, 1},
    {"2 x (100 + 500) wavefronts", {4000, 0, 0, 1000}, BSIM_HOLDS_PIPE, BSIM_HOLDS_PIPE, 1200,
     2000 / 1500.0, 2},
    {"one wait", {8, 0, 8, 100}, BSIM_HOLDS_L2, BSIM_HOLDS_L2, 260, 360 / 310.0, 360 / 260.0},
    {"ten waits", {8, 0, 80, 5200}, BSIM_HOLDS_SHARED, BSIM_HOLDS_L2, 5200, 2, 3},
    {"264 x 1000 sectors, 8448000 bytes", {8, 8000, 8, 1000}, BSIM_HOLDS_DRAM, BSIM_HOLDS_DRAM, 3475,
     4475 / 3975.0, 4475 / 3475.0},
};

static void the_longest_holds_a_launch_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof holdup_cases / sizeof holdup_cases[0]; i++) {
        const struct holdup_case *c = &holdup_cases[i];
        struct bsim_kernel_result kernel = {
            .grid = {264, 1, 1},
            .blocks = 8,
            .global[BSIM_LOADS] = {.wavefronts = c->of.wavefronts, .sectors = c->of.sectors},
            .timed = {.is_timed = true,
                      .waves = 1,
                      .blocks_per_sm = 2,
                      .waits = c->of.waits,
                      .launch_cycles = c->of.launch,
                      .cycles_bound = 800}};
        struct bsim_holdup holdup;
        assert_int_equal(bsim_device_find("h200", NULL, &kernel.device, NULL), BSIM_OK);
        bsim_timing_find(&kernel.device, &kernel.timed.timing);
        assert_true(bsim_cycles_holdup(&kernel, &holdup));
        double half = bsim_holdup_gain(&holdup, 0.5), none = bsim_holdup_gain(&holdup, 0);
        if (holdup.by != c->by || holdup.anyway != c->anyway || holdup.clocks[c->by] != c->clocks ||
            half < c->half - 0.001 || half > c->half + 0.001 || none < c->none - 0.001 ||
            none > c->none + 0.001) {
            fail_msg("%s: by %d, anyway %d, %llu clocks, %.4f and %.4f times", c->why, (int)holdup.by,
                     (int)holdup.anyway, (unsigned long long)holdup.clocks[c->by], half, none);
        }
    }
}

/* 1000 packets of 8 blocks, two of which an SM has: 250, of 1.5 clocks each. */
static void packets_hold_a_launch_up_that_is_shorter(void **state)
{
    (void)state;
    for (uint64_t launch = 374; launch <= 376; launch += 2) {
        struct bsim_site_result site = {.opcode = {.family = BSIM_LD, .space = BSIM_PEER, .bytes = 4},
                                        .global = {.requests = 8, .packets = 1000}};
        struct bsim_kernel_result kernel = {
            .grid = {264, 1, 1},
            .blocks = 8,
            .sites = &site,
            .n_sites = 1,
            .timed = {.is_timed = true, .waves = 1, .blocks_per_sm = 2, .launch_cycles = launch}};
        struct bsim_holdup holdup;
        assert_int_equal(bsim_device_find("h200", NULL, &kernel.device, NULL), BSIM_OK);
        bsim_timing_find(&kernel.device, &kernel.timed.timing);
        assert_true(bsim_cycles_holdup(&kernel, &holdup));
        assert_int_equal(holdup.clocks[BSIM_HOLDS_PEERS], 375);
        assert_int_equal(holdup.by, launch < 375 ? BSIM_HOLDS_PEERS : BSIM_HOLDS_SHARED);
    }
}

/* A launch of one block whose pipe is busy nine clocks of ten, and what its warps' time goes on, in per cent. */
struct reason_case {
    const char *why, *key;
    uint64_t bound;
    struct bsim_stalls stalls;
    uint64_t copies; /* of latency: waits for cp.async */
};

static const struct reason_case reason_cases[] = {
    {"a busy pipe", "shared data pipe", 900, {70, 10, 10, 10}, 0},
    {"a busy pipe, for which nothing waits", "issue", 900, {86, 4, 5, 5}, 0},
    {"results", "shared latency", 500, {30, 10, 50, 10}, 0},
    {"results, of copies less than half", "shared latency", 500, {20, 10, 60, 10}, 25},
    {"copies", "waits", 500, {30, 10, 50, 10}, 45},
};

static void the_longest_stall_is_the_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof reason_cases / sizeof reason_cases[0]; i++) {
        const struct reason_case *c = &reason_cases[i];
        struct bsim_site_result site = {.opcode = {.family = BSIM_CP_ASYNC, .space = BSIM_SHARED, .bytes = 16},
                                        .timed.stalls.latency = c->copies};
        struct bsim_kernel_result kernel = {.grid = {1, 1, 1},
                                            .blocks = 1,
                                            .sites = &site,
                                            .n_sites = 1,
                                            .timed = {.is_timed = true,
                                                      .requests = 1,
                                                      .waves = 1,
                                                      .blocks_per_sm = 1,
                                                      .cycles = 1000,
                                                      .launch_cycles = 1000,
                                                      .cycles_bound = c->bound,
                                                      .stalls = c->stalls}};
        struct bsim_holdup holdup;
        double gain;
        assert_int_equal(bsim_device_find("h200", NULL, &kernel.device, NULL), BSIM_OK);
        bsim_timing_find(&kernel.device, &kernel.timed.timing);
        const char *key = bsim_holdup_find(&kernel, &holdup, &gain);
        if (key == NULL || strcmp(key, c->key) != 0) {
            fail_msg("%s: %s", c->why, key != NULL ? key : "not known");
        }
    }
}

static void without_a_launch_nothing_holds_it_up(void **state)
{
    (void)state;
    const struct bsim_kernel_result none = {.blocks = 1, .timed = {.is_timed = true}},
                                    left_out = {.blocks = 1,
                                                .timed = {.is_timed = true, .waves = 1, .left_out = true}};
    struct bsim_holdup holdup = {.requests = 1};
    assert_false(bsim_cycles_holdup(&none, &holdup));
    assert_int_equal(holdup.requests, 0);
    assert_false(bsim_cycles_holdup(&left_out, &holdup));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_holds_a_launch_up),
        cmocka_unit_test(packets_hold_a_launch_up_that_is_shorter),
        cmocka_unit_test(the_longest_stall_is_the_reason),
        cmocka_unit_test(without_a_launch_nothing_holds_it_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
