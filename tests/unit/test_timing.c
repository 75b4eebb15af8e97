/* test_timing.c - the cycle model against what was measured in single experiments, and by hand.
 *
 * Clocks of an H200 unless it says otherwise; see src/timing/README.md for the experiments.
 */
#include "emulate.h"
#include "failing_memory.h"
#include "timed.h"
#include "trace_text.h"

#include "timing/timer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void check_near(const char *what, double actual, double expected, double most)
{
    double off = actual > expected ? actual - expected : expected - actual;
    if (off > most) {
        fail_msg("%s: %.2f, measured %.2f", what, actual, expected);
    }
}

/* ---- one warp -------------------------------------------------------------------------------- */

/* Each load waits for the one before; 6 clocks of address arithmetic, as a loop in C has it. */
static void dependent_loads(void **state)
{
    static const struct {
        const char *load;
        double cycles;
    } cases[] = {
        {"ld.shared.u32 ffffffff 0+0", 29},       {"ld.shared.u32 ffffffff 0+4", 29},
        {"ld.shared.u32 ffffffff 0+8", 31},       {"ld.shared.u32 ffffffff 0+16", 35},
        {"ld.shared.u32 ffffffff 0+32", 43},      {"ld.shared.u32 ffffffff 0+64", 59},
        {"ld.shared.u32 ffffffff 0+128", 91},     {"ld.shared.v2.u32 ffffffff 0+0", 29},
        {"ld.shared.v2.u32 ffffffff 0+8", 32},    {"ld.shared.v2.u32 ffffffff 0+16", 36},
        {"ld.shared.v4.u32 ffffffff 0+16", 37.6}, {"ld.shared.v4.u32 ffffffff 0+32", 45.6},
        {"ld.shared.v4.u32 ffffffff 0+0", 31.6},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char body[160];
        snprintf(body, sizeof body, "w* work 1:6 wait=0\nw* %s\n", cases[i].load);
        check_near(cases[i].load, timed_turn(NULL, 1, "", NULL, body), cases[i].cycles, 1);
    }
}

/* An atomic that is a loop: 66,851 clocks of four warps' 600 in conflict-free banks on an H200, and 499,580 with eight lanes in each bank used
 * (deposit_f and deposit_c of tests/measured/h100/verdicts/second/rows.csv), with ten clocks or so of address arithmetic for each. */
static void sums_of_floats_go_round(void **state)
{
    (void)state;
    check_near("in 32 banks", timed_turn(NULL, 4, "", NULL, "w* work 8:10 int\nw* red.shared.add.f32 ffffffff 0+4\n"), 66851 / 600.0, 12);
    check_near("in 4 banks", timed_turn(NULL, 4, "", NULL, "w* work 8:10 int\nw* red.shared.add.f32 ffffffff 0+32\n"), 499580 / 600.0, 90);
}

static void immediate_address(void **state)
{
    (void)state;
    check_near("ld", timed_turn(NULL, 1, "", NULL, "w* ld.shared.u32 ffffffff 0+0 wait=0\n"), 23,
               0);
    check_near("32-way", timed_turn(NULL, 1, "", NULL, "w* ld.shared.u32 ffffffff 0+128 wait=0\n"),
               85, 0);
}

/* ---- many warps ------------------------------------------------------------------------------ */

/* Clocks per request when 16 warps issue one pattern: wavefronts, and at least the groups that the
 * width asks for, whatever the mask. */
static void saturated(void **state)
{
    static const struct {
        const char *request;
        double cycles;
    } cases[] = {
        {"ld.shared.u32 ffffffff 0+4", 1},
        {"ld.shared.u32 ffffffff 0+8", 2},
        {"ld.shared.u32 ffffffff 0+128", 32},
        {"ld.shared.v2.u32 ffffffff 0+8", 2},
        {"ld.shared.v2.u32 00000001 0", 1},
        {"ld.shared.v2.u32 0000000f 0+8", 2},
        {"ld.shared.v4.u32 ffffffff 0+16", 4},
        {"ld.shared.v4.u32 00000001 0", 2},
        {"ld.shared.v4.u32 0000000f 0+16", 4},
        {"ld.shared.v4.u32 ffffffff 0+0", 2},
        {"st.shared.u32 ffffffff 0+4", 1},
        {"st.shared.v2.u32 00000001 0", 2},
        {"st.shared.v4.u32 00000001 0", 4},
        {"st.shared.v4.u32 ffffffff 0+16", 4},
        {"st.shared.u32 ffffffff 0+128", 32},
        {"atom.shared.add.u32 ffffffff 0+0", 32},
        {"atom.shared.cas.b32 ffffffff 0+4", 2},
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 ffffffff 0+16", 4},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char body[160];
        snprintf(body, sizeof body, "w* %s\n", cases[i].request);
        check_near(cases[i].request, timed_turn(NULL, 16, "", NULL, body) / 16, cases[i].cycles,
                   0.1);
    }
}

/* From barrier to barrier 12 + 2 * warps, and one more for what stands between two barriers. */
static void barriers(void **state)
{
    (void)state;
    for (uint32_t warps = 1; warps <= BSIM_BLOCK_MAX_WARPS; warps *= 2) {
        double turn = timed_turn(NULL, warps, "", NULL, "w* bar.sync\n");
        check_near("bar.sync", turn, 12 + 2 * warps + 1, 1);
    }
}

/* Work behind a barrier issues in its shadow, all of it: nine instructions, 4 clocks apart, and 2
 * to the next barrier, the first of them a clock behind the barrier. */
static void work_behind_a_barrier(void **state)
{
    (void)state;
    check_near("bar.sync, work 9", timed_turn(NULL, 1, "", NULL, "w* bar.sync\nw* work 9\n"),
               1 + 8 * 4 + 2, 0);
}

/* The shortest loop takes 29 clocks, 8 + 12 before the branch and 9 for it. */
static void loop_control(void **state)
{
    (void)state;
    check_near("loop", timed_turn(NULL, 1, "", "2:20", "w* work 1:9\n"), 29, 0);
}

/* Two warps of one partition and of two: a conflict holds up its own partition twice as long. */
static void partitions(void **state)
{
    const char *apart = "w0 ld.shared.u32 ffffffff 0+128\nw1 ld.shared.u32 ffffffff 0+128\n";
    const char *together = "w0 ld.shared.u32 ffffffff 0+128\nw4 ld.shared.u32 ffffffff 0+128\n";
    (void)state;
    check_near("apart", timed_turn(NULL, 8, "", NULL, apart), 64, 0.1);
    check_near("together", timed_turn(NULL, 8, "", NULL, together), 128, 0.1);
}

/* ---- document 004 ---------------------------------------------------------------------------- */

static void documents_times_on_an_a100(void **state)
{
    static const struct {
        const char *kernel;
        double ms;
    } cases[] = {
        {"loads_conflict_free", 0.57},   {"loads_all_conflicts", 18.2},
        {"loads_warp_conflicts", 18.2},  {"loads_broadcast", 0.57},
        {"loads_multicast", 0.57},       {"loads_vectorized_loads", 2.27},
        {"loads_rotated_loads", 2.27},   {"loads_multicast_pairs", 0.57},
        {"loads_multicast_quads", 1.14},
    };
    struct bsim_device a100;
    (void)state;
    assert_int_equal(bsim_device_find("a100", NULL, &a100, NULL), BSIM_OK);
    assert_int_equal(a100.clock_mhz, 1410);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_timer_options options = {.device = &a100};
        struct bsim_timer *timer = bsim_timer_new(&options);
        struct bsim_result cycles;
        assert_non_null(timer);
        struct bsim_sink sink = bsim_timer_sink(timer);
        assert_int_equal(emulate(cases[i].kernel, "", &sink, NULL), BSIM_OK);
        assert_int_equal(bsim_timer_result(timer, &cycles, NULL), BSIM_OK);
        double ms = (double)cycles.kernels[0].timed.cycles / (a100.clock_mhz * 1e3);
        check_near(cases[i].kernel, ms, cases[i].ms, 0.02 * cases[i].ms);
        bsim_result_free(&cycles);
        bsim_timer_free(timer);
    }
}

/* Kepler issues a conflicting request once per wavefront: its warps' other work waits. */
static void kepler_replays_take_issue_slots(void **state)
{
    const char *body = "w* ld.shared.u32 ffffffff 0+256\nw* work 14\n";
    struct bsim_timing kepler, hopper;
    struct bsim_device device;
    (void)state;
    assert_int_equal(bsim_device_find("sm_35", NULL, &device, NULL), BSIM_OK);
    bsim_timing_find(&device, &kepler);
    assert_int_equal(bsim_device_find("sm_90", NULL, &device, NULL), BSIM_OK);
    bsim_timing_find(&device, &hopper);
    assert_true(kepler.replays && !hopper.replays);
    assert_true(timed_turn("sm_35", 1, "", NULL, body) > timed_turn("sm_90", 1, "", NULL, body));
}

/* Two of four warps meet: it takes what a barrier of two takes, and holds up nobody else. */
static void meetings(void **state)
{
    static const char head[] = "banksim-trace 1\nkernel k block=%s grid=1\nblock 0\n"
                               "w0 work 50:400\n%send\n";
    static const char two[] = "w0 arrive 1\nw1 arrive 1\nw0 await 1:2\nw1 await 1:2\n"
                              "w1 ld.shared.u32 ffffffff 0+128\n";
    static const char all[] = "w* bar.sync\nw1 ld.shared.u32 ffffffff 0+128\n";
    static const char one[] = "w1 ld.shared.u32 ffffffff 0+128\n";
    static const char none[] = "w1 await 1:1\nw1 ld.shared.u32 ffffffff 0+128\n";
    const struct bsim_timer_options options = {.ideal = true};
    const char *body[] = {two, all, one, none};
    uint64_t clocks[4], held[4];
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct bsim_result cycles;
        char text[400];
        snprintf(text, sizeof text, head, i == 1 ? "64" : "128", body[i]);
        timed_trace(text, strlen(text), &options, &cycles);
        clocks[i] = cycles.kernels[0].timed.cycles;
        held[i] = cycles.kernels[0].timed.stalls.barrier;
        bsim_result_free(&cycles);
    }
    check_near("two of four", (double)clocks[0], (double)clocks[1], 2);
    check_near("held up", (double)held[0], (double)held[1], 4);
    assert_true(held[1] > 300);
    assert_int_equal(clocks[2], clocks[3]);
    assert_int_equal(held[2], 0);
}

/* ---- where the time goes --------------------------------------------------------------------- */

static void time_adds_up(void **state)
{
    /* One warp: 23 clocks for the load, 62 more for its conflict; the store waits for nothing. */
    const char *body = "w0 @1 ffffffff 0+128\nw0 @2 ffffffff 0+4 wait=0\n";
    const char *head = "site 1 ld.shared.u32\nsite 2 st.shared.u32\n";
    const struct bsim_timer_options options = {.ideal = true, .ideal_sites = true};
    struct bsim_timing constants;
    struct bsim_device device;
    struct bsim_result cycles;
    char text[256];
    (void)state;
    snprintf(text, sizeof text, "banksim-trace 1\nkernel k block=32 grid=1\n%sblock 0\n%send\n",
             head, body);
    assert_int_equal(bsim_device_find("sm_90", NULL, &device, NULL), BSIM_OK);
    bsim_timing_find(&device, &constants);
    timed_trace(text, strlen(text), &options, &cycles);
    const struct bsim_kernel_result *k = &cycles.kernels[0];
    uint64_t edges = constants.edge_cycles + constants.edge_result_cycles;
    assert_int_equal(k->timed.cycles - edges, 85);
    assert_int_equal(k->timed.cycles_ideal - edges, 23);
    assert_int_equal(k->timed.cycles_bound, 33);
    assert_int_equal(k->timed.requests, 2);
    assert_int_equal(k->n_sites, 2);
    assert_int_equal(k->sites[0].timed.turns, 32);
    assert_int_equal(k->sites[0].timed.turns_ideal, 1);
    assert_int_equal(k->sites[0].timed.cycles_ideal, k->timed.cycles_ideal);
    assert_int_equal(k->sites[1].timed.cycles_ideal, k->timed.cycles);
    assert_int_equal(k->sites[0].timed.stalls.pipe, 62);
    assert_int_equal(k->timed.stalls.pipe, 62);
    assert_int_equal(k->timed.stalls.issue + k->timed.stalls.latency + k->timed.stalls.pipe, 85);
    assert_int_equal(k->timed.stalls.barrier, 0);
    assert_int_equal(k->timed.grade, BSIM_MEASURED);
    bsim_result_free(&cycles);
}

/* 32 warps store into one bank: the last of 1,024 wavefronts ends the block, the first being in
 * clock 2. The warps have nothing else to do, so that is all that they wait for. */
static void a_block_ends_when_its_stores_have_drained(void **state)
{
    static const char body[] = "w* st.shared.u32 ffffffff 0+128\n";
    struct bsim_timer_options options = {.ideal = true, .ideal_sites = true};
    struct bsim_result cycles;
    (void)state;
    timed_body(NULL, 32, body, &options, &cycles);
    const struct bsim_kernel_result *k = &cycles.kernels[0];
    assert_int_equal(k->timed.cycles, 1027);
    assert_int_equal(k->timed.cycles_ideal, 34);
    assert_int_equal(k->timed.cycles_bound, 1024);
    assert_int_equal(k->sites[0].timed.cycles_ideal, k->timed.cycles_ideal);
    assert_int_equal(k->sites[0].timed.stalls.pipe, k->timed.stalls.pipe);
    assert_true(k->timed.stalls.pipe > 32 * 990 / 2 && k->timed.stalls.latency == 0);
    bsim_result_free(&cycles);
    options.clocked = true;
    timed_body(NULL, 32, body, &options, &cycles);
    assert_int_equal(cycles.kernels[0].timed.cycles, 20);
    assert_int_equal(cycles.kernels[0].timed.cycles_ideal, 20);
    bsim_result_free(&cycles);
}

/* What a block does at its end takes as long as a store without conflicts, of any width: nobody
 * waits for that, be it before the end or after a load. */
static void nobody_waits_for_a_store_without_conflicts(void **state)
{
    static const char *const bodies[] = {"w* st.shared.u32 ffffffff 0+4\n",
                                         "w* st.shared.v2.u32 ffffffff 0+8\n",
                                         "w* st.shared.v4.u32 ffffffff 0+16\n",
                                         "w* ld.shared.u32 ffffffff 0+4\n"
                                         "w* st.shared.u32 ffffffff 0+4\n"};
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        const struct bsim_timer_options options[] = {{.clocked = false}, {.clocked = true}};
        struct bsim_result cycles[2];
        for (int clocked = 0; clocked < 2; clocked++) {
            timed_body(NULL, 1, bodies[i], &options[clocked], &cycles[clocked]);
        }
        assert_int_equal(cycles[0].kernels[0].timed.cycles, cycles[1].kernels[0].timed.cycles);
        assert_int_equal(cycles[0].kernels[0].timed.stalls.pipe,
                         cycles[1].kernels[0].timed.stalls.pipe);
        bsim_result_free(&cycles[0]);
        bsim_result_free(&cycles[1]);
    }
}

/* What a site's cycles_ideal says is what a trace says in which that site has no conflicts. */
static void each_site_alone(void **state)
{
    const struct bsim_timer_options options = {.ideal = true, .ideal_sites = true};
    static const unsigned strides[][2] = {{128, 64}, {4, 64}, {128, 4}, {4, 4}};
    uint64_t cycles[4], site_ideal[2] = {0, 0}, ideal = 0;
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct bsim_result result;
        char text[256];
        snprintf(text, sizeof text,
                 "banksim-trace 1\nkernel k block=256 grid=1\nsite 1 ld.shared.u32\n"
                 "site 2 st.shared.u32\nblock 0\nw* @1 ffffffff 0+%u\n"
                 "w* @2 ffffffff 0+%u wait=0\nw* bar.sync\nw* @1 ffffffff 0+4\nend\n",
                 strides[i][0], strides[i][1]);
        timed_trace(text, strlen(text), &options, &result);
        cycles[i] = result.kernels[0].timed.cycles;
        if (i == 0) {
            ideal = result.kernels[0].timed.cycles_ideal;
            site_ideal[0] = result.kernels[0].sites[0].timed.cycles_ideal;
            site_ideal[1] = result.kernels[0].sites[1].timed.cycles_ideal;
        }
        assert_true(result.kernels[0].timed.stalls.barrier > 0);
        bsim_result_free(&result);
    }
    assert_int_equal(site_ideal[0], cycles[1]);
    assert_int_equal(site_ideal[1], cycles[2]);
    assert_int_equal(ideal, cycles[3]);
    assert_true(cycles[3] < cycles[1] && cycles[1] < cycles[2] && cycles[2] < cycles[0]);
}

/* 40 sites, the last first: 40 to 9 lose one turn each and 8 to 1 three. So 1 to 8 are played, and
 * 24 of the others, 40 to 17. A later block plays sites 9 and 10; what the first has left out stays
 * so. */
static void sites_that_lose_least_are_left_out(void **state)
{
    enum { N_SITES = 40, N_LARGE = 8, FIRST_SMALL = N_SITES + 1 - (BSIM_TIMER_SITES - N_LARGE) };
    const struct bsim_timer_options options = {.ideal = true, .ideal_sites = true};
    (void)state;
    for (int with_block = 0; with_block < 2; with_block++) {
        struct bsim_buffer text = BSIM_BUFFER_EMPTY;
        struct bsim_result cycles;
        bsim_buffer_text(&text, "banksim-trace 1\nkernel k block=32 grid=2\n");
        for (int i = 1; i <= N_SITES; i++) {
            bsim_buffer_printf(&text, "site %d ld.shared.u32\n", i);
        }
        bsim_buffer_text(&text, "block 0\n");
        for (int i = N_SITES; i > 0; i--) {
            bsim_buffer_printf(&text, "w0 @%d ffffffff 0+%d wait=0\n", i, i <= N_LARGE ? 16 : 8);
        }
        bsim_buffer_text(&text,
                         with_block ? "block 1\nw0 @9 ffffffff 0+8\nw0 @10 ffffffff 0+8\n" : "");
        bsim_buffer_text(&text, "end\n");
        timed_trace(text.data, text.size_bytes, &options, &cycles);
        const struct bsim_kernel_result *k = &cycles.kernels[0];
        assert_int_equal(k->n_sites, N_SITES);
        for (uint32_t i = 1; i <= N_SITES; i++) {
            const struct bsim_site_cycles *site = &k->sites[i - 1].timed;
            uint64_t saved = i <= N_LARGE ? 2 * 3 : 2; /* one warp: 2 clocks a turn */
            bool left_out = i > N_LARGE && i < FIRST_SMALL;
            assert_int_equal(k->sites[i - 1].number, i);
            assert_int_equal(site->left_out, left_out);
            assert_int_equal(site->cycles_ideal, left_out ? 0 : k->timed.cycles - saved);
        }
        assert_true(k->timed.cycles_ideal > 0);
        bsim_result_free(&cycles);
        bsim_buffer_free(&text);
    }
}

/* Each site of a block with very many of them gets what is its own: the last one's 16 turns. */
static void more_sites_than_16_bits_tell_apart(void **state)
{
    enum { N_SITES = 70000 };
    const struct bsim_timer_options options = {.ideal = true, .ideal_sites = true};
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_result cycles;
    (void)state;
    bsim_buffer_text(&text, "banksim-trace 1\nkernel k block=32 grid=1\n");
    for (int i = 1; i <= N_SITES; i++) {
        bsim_buffer_printf(&text, "site %d ld.shared.u32\n", i);
    }
    bsim_buffer_text(&text, "block 0\n");
    for (int i = 1; i <= N_SITES; i++) {
        bsim_buffer_printf(&text, "w0 @%d ffffffff 0+%d wait=0\n", i, i == N_SITES ? 64 : 4);
    }
    bsim_buffer_text(&text, "end\n");
    timed_trace(text.data, text.size_bytes, &options, &cycles);
    const struct bsim_kernel_result *k = &cycles.kernels[0];
    assert_int_equal(k->n_sites, N_SITES);
    for (uint32_t i = 0; i < N_SITES; i++) {
        const struct bsim_site_cycles *site = &k->sites[i].timed;
        uint64_t turns = i == N_SITES - 1 ? 16 : 1;
        assert_true(k->sites[i].number == i + 1 && site->requests == 1 && site->turns == turns);
        assert_int_equal(k->timed.cycles - site->cycles_ideal, 2 * (turns - 1));
    }
    bsim_result_free(&cycles);
    bsim_buffer_free(&text);
}

/* Equal blocks of two kernels on two devices are not the same block. */
static void kernels_are_apart(void **state)
{
    const char *body = "block 0\nw0 ld.shared.u32 ffffffff 0+4\n";
    struct bsim_result cycles;
    char text[256];
    (void)state;
    snprintf(text, sizeof text,
             "banksim-trace 1\nkernel a block=32 grid=1 device=sm_90\n%s"
             "kernel b block=32 grid=1 device=v100\n%send\n",
             body, body);
    timed_trace(text, strlen(text), NULL, &cycles);
    assert_int_equal(cycles.kernels[0].timed.cycles - cycles.kernels[1].timed.cycles,
                     cycles.kernels[0].timed.timing.result_latency -
                         cycles.kernels[1].timed.timing.result_latency);
    assert_true(cycles.kernels[0].timed.cycles > cycles.kernels[1].timed.cycles);
    bsim_result_free(&cycles);
}

/* A request is like one before only at the same site of the same kernel, with the same lanes. */
static void requests_are_apart(void **state)
{
    const char *text =
        "banksim-trace 1\nkernel a grid=1 block=32\nsite 1 ld.shared.u32\n"
        "site 2 ld.shared.v4.u32\nblock 0\nw0 @1 ffffffff 0+16\nw0 @1 0000000f 0+16\n"
        "w0 @1 ffffffff 4+16\nw0 @2 ffffffff 0+16\nw0 @1 ffffffff 0+0\n"
        "kernel b grid=1 block=32\nsite 1 ld.shared.v4.u32\nblock 0\n"
        "w0 @1 ffffffff 0+0\nend\n";
    struct bsim_result cycles;
    (void)state;
    timed_trace(text, strlen(text), NULL, &cycles);
    assert_int_equal(cycles.kernels[0].sites[0].timed.turns, 4 + 1 + 4 + 1);
    assert_int_equal(cycles.kernels[0].sites[1].timed.turns, 4);
    assert_int_equal(cycles.kernels[1].sites[0].timed.turns, 2);
    bsim_result_free(&cycles);
}

/* Sites may be named after accesses without one; those come last. */
static void sites_in_order(void **state)
{
    const char *text = "banksim-trace 1\nkernel k grid=1 block=32\nblock 0\n"
                       "w0 ld.shared.u32 ffffffff 0+4\nsite 7 st.shared.u32\nsite 3 ld.shared.u32\n"
                       "w0 @3 ffffffff 0+128\nw0 @7 ffffffff 0+4\nend\n";
    const uint32_t numbers[] = {3, 7, 0}, turns[] = {32, 1, 1};
    struct bsim_result cycles;
    (void)state;
    timed_trace(text, strlen(text), NULL, &cycles);
    assert_int_equal(cycles.kernels[0].n_sites, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(cycles.kernels[0].sites[i].number, numbers[i]);
        assert_int_equal(cycles.kernels[0].sites[i].timed.turns, turns[i]);
    }
    bsim_result_free(&cycles);
}

/* Equal blocks, played once, count as often as they come; another in between is played. */
static void blocks_add_up(void **state)
{
    const char *text = "banksim-trace 1\nkernel k grid=4 block=32\nblock 0\n"
                       "w0 ld.shared.u32 ffffffff 0+4\nblock 1\nw0 ld.shared.u32 ffffffff 0+4\n"
                       "block 2\nw0 ld.shared.u32 ffffffff 0+128\nblock 3\n"
                       "w0 ld.shared.u32 ffffffff 0+4\nend\n";
    struct bsim_result cycles;
    struct bsim_timing constants;
    (void)state;
    timed_trace(text, strlen(text), NULL, &cycles);
    const struct bsim_kernel_result *k = &cycles.kernels[0];
    bsim_timing_find(&k->device, &constants);
    assert_int_equal(k->blocks, 4);
    assert_int_equal(k->timed.warps_run, 4);
    assert_int_equal(k->timed.cycles,
                     3 * 23 + 85 + 4 * (constants.edge_cycles + constants.edge_result_cycles));
    assert_int_equal(k->sites[0].timed.turns, 35);
    bsim_result_free(&cycles);
}

/* 64 warps fit an SM of sm_90: 2 blocks of 32. 132 SMs hold 264 blocks: 265 are two waves. Two blocks side
 * by side take 32 clocks more than one, the other's requests in the data pipe. */
static void waves(void **state)
{
    const char *text = "banksim-trace 1\nkernel k grid=265 block=1024 device=h200\nblock 0\n"
                       "w* ld.shared.u32 ffffffff 0+4\nend\n";
    struct bsim_result cycles;
    (void)state;
    timed_trace(text, strlen(text), NULL, &cycles);
    assert_int_equal(cycles.kernels[0].timed.blocks_per_sm, 2);
    assert_int_equal(cycles.kernels[0].timed.waves, 2);
    assert_int_equal(cycles.kernels[0].timed.launch_cycles,
                     2 * (cycles.kernels[0].timed.cycles + 32));
    bsim_result_free(&cycles);
}

/* Blocks with an SM each: the launch ends with the longest, which alone takes as long, with conflicts and without. */
static void a_launch_is_as_long_as_its_longest_block(void **state)
{
    enum { ONE, TWO };
#define TWO_LOADS "w* ld.shared.u32 ffffffff 0+128\nw* ld.shared.u32 ffffffff 0+128\n"
    static const char *const texts[] = {
        [ONE] = "banksim-trace 1\nkernel k grid=1 block=32 device=h200\nblock 0\n" TWO_LOADS "end\n",
        [TWO] = "banksim-trace 1\nkernel k grid=3 block=32 device=h200\nblock 0\n"
                "w* ld.shared.u32 ffffffff 0+4\nblock 1\n" TWO_LOADS
                "block 2\nw* ld.shared.u32 ffffffff 0+4\nend\n"};
    const struct bsim_timer_options options = {.ideal = true};
    struct bsim_result cycles[2];
    (void)state;
    timed_trace(texts[ONE], strlen(texts[ONE]), &options, &cycles[ONE]);
    timed_trace(texts[TWO], strlen(texts[TWO]), &options, &cycles[TWO]);
    const struct bsim_kernel_cycles *one = &cycles[ONE].kernels[0].timed;
    const struct bsim_kernel_cycles *two = &cycles[TWO].kernels[0].timed;
    assert_int_equal(two->launch_cycles, one->cycles);
    assert_int_equal(two->launch_ideal, one->cycles_ideal);
    assert_true(two->cycles / 3 < one->cycles && two->cycles_ideal / 3 < one->cycles_ideal);
    bsim_result_free(&cycles[ONE]);
    bsim_result_free(&cycles[TWO]);
}

/* Two blocks fit an SM. Of the two that are known the first is played with its like, which take a hundredth of the
 * other's 50 conflicts: that says nothing of these, which take turns at the data pipe. */
static void samples_that_are_too_small_say_nothing(void **state)
{
    const char *text = "banksim-trace 1\nkernel k grid=264 block=1024 device=h200\nblock 0\n"
                       "w0 ld.shared.u32 ffffffff 0+4\nblock 1\nrepeat 50\nw* ld.shared.u32 ffffffff 0+128\n"
                       "done\nend\n";
    const struct bsim_timer_options options = {.ideal = true};
    struct bsim_result cycles;
    (void)state;
    timed_trace(text, strlen(text), &options, &cycles);
    const struct bsim_kernel_cycles *timed = &cycles.kernels[0].timed;
    assert_true(timed->cycles_sampled > 0);
    assert_int_equal(timed->cycles_bound, 1 + 50 * 32 * 32);
    assert_true(timed->launch_cycles >= timed->cycles_bound);
    assert_int_equal(timed->launch_ideal, 0);
    bsim_result_free(&cycles);
}

/* Of 396 blocks, one of which fits an SM, every second takes long: the SM that has three of these takes three times
 * as long, but by a block more than all SMs on average at most. */
static void a_range_has_uneven_blocks(void **state)
{
    const char *text = "banksim-trace 1\nkernel k grid=396 block=32 shared=200000 device=h200\nblock 0\n"
                       "w* ld.shared.u32 ffffffff 0+4\nblock 1\nrepeat 100\nw* ld.shared.u32 ffffffff 0+128\n"
                       "done\nend\n";
    struct bsim_result cycles;
    struct bsim_spread spread;
    (void)state;
    timed_trace(text, strlen(text), NULL, &cycles);
    const struct bsim_kernel_cycles *timed = &cycles.kernels[0].timed;
    assert_int_equal(timed->waves, 3);
    assert_true(bsim_cycles_spread(&cycles.kernels[0], &spread));
    assert_true(spread.most > timed->launch_cycles + timed->cycles_longest);
    assert_true(spread.most < timed->launch_cycles / 2 * 3 + timed->cycles_longest);
    bsim_result_free(&cycles);
}

/* 48 registers of 32 lanes are 1,536 a warp, in units of 256: 10 warps of a partition's 16,384, 40
 * of the SM's; blocks of 8 warps: 5. 33 registers are given as 40: 12 warps of a partition, 6
 * blocks. By warps alone 8. 80 registers are 2,560 a warp: 6 of a partition, 24, though 25 of the
 * SM's. */
static void registers_limit_blocks(void **state)
{
    static const struct {
        uint32_t registers, threads, blocks;
    } cases[] = {{0, 256, 8},  {32, 256, 8}, {33, 256, 6},  {40, 256, 6},
                 {41, 256, 5}, {48, 256, 5}, {255, 256, 1}, {80, 160, 4}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128];
        snprintf(text, sizeof text,
                 "banksim-trace 1\nkernel k grid=265 block=%u\nblock 0\n"
                 "w* ld.shared.u32 ffffffff 0+4\nend\n",
                 (unsigned)cases[i].threads);
        const struct bsim_timer_options options = {.registers = cases[i].registers};
        struct bsim_result cycles;
        timed_trace(text, strlen(text), &options, &cycles);
        assert_int_equal(cycles.kernels[0].timed.blocks_per_sm, cases[i].blocks);
        assert_int_equal(cycles.kernels[0].timed.registers, cases[i].registers);
        bsim_result_free(&cycles);
    }
}

/* A kernel's own number does as much, and the options' goes before it. */
static void a_kernels_registers_limit_blocks(void **state)
{
    static const struct {
        uint32_t asked, registers, blocks;
    } cases[] = {{0, 48, 5}, {32, 32, 8}, {255, 255, 1}};
    const char *text = "banksim-trace 1\nkernel k grid=265 block=256 registers=48\nblock 0\n"
                       "w* ld.shared.u32 ffffffff 0+4\nend\n";
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct bsim_timer_options options = {.registers = cases[i].asked};
        struct bsim_result cycles;
        timed_trace(text, strlen(text), &options, &cycles);
        const struct bsim_kernel_result *kernel = &cycles.kernels[0];
        assert_int_equal(kernel->timed.blocks_per_sm, cases[i].blocks);
        assert_int_equal(kernel->timed.registers, cases[i].registers);
        assert_int_equal(kernel->registers, 48);
        bsim_result_free(&cycles);
    }
}

/* ---- the limit of events --------------------------------------------------------------------- */

/* 2 warps: w* is two events, w0 one, a repeat two and its body once: 2 + 1 + 2 + 2 = 7, and as many
 * in the second block. */
#define BODY \
    "w* ld.shared.u32 ffffffff 0+8\nw0 work 1\nrepeat 1000\nw* st.shared.u32 ffffffff 0+4\ndone\n"

static void events_are_counted(void **state)
{
    const char *text =
        "banksim-trace 1\nkernel k grid=2 block=64\nblock 0\n" BODY "block 1\n" BODY
        "kernel small grid=1 block=32\nblock 0\nw0 ld.shared.u32 ffffffff 0+8\nend\n";
    (void)state;
    for (uint64_t most = 0; most < 17; most++) {
        const struct bsim_timer_options options = {.max_events = most, .ideal = true};
        struct bsim_result cycles;
        timed_trace(text, strlen(text), &options, &cycles);
        const struct bsim_kernel_result *k = &cycles.kernels[0];
        bool out = most > 0 && most < 14;
        assert_int_equal(k->timed.events, 14);
        assert_int_equal(k->timed.max_events, most);
        assert_int_equal(k->timed.left_out, out);
        assert_int_equal(k->blocks, 2);
        assert_int_equal(k->timed.blocks_per_sm, 32);
        assert_int_equal(k->timed.waves, 1);
        assert_int_equal(k->n_sites, out ? 0 : 2);
        assert_int_equal(k->timed.requests, out ? 0 : 2 * 2002);
        assert_true((k->timed.cycles == 0) == out && (k->timed.cycles_ideal == 0) == out &&
                    (k->timed.launch_cycles == 0) == out);
        assert_int_equal(cycles.kernels[1].timed.requests, 1);
        bsim_result_free(&cycles);
    }
}

/* 2 warps: 4 events, 2 of them of 64 instructions of work, and a loop with 32 of control in each
 * warp: 6 events, and 192 instructions that weigh as much as 6. */
static void work_weighs_in_the_limit(void **state)
{
    static const char text[] =
        "banksim-trace 1\nkernel k grid=1 block=64\nblock 0\nw* ld.shared.u32 ffffffff 0+4\n"
        "w* work 64\nrepeat 9 work=32:1\ndone\nend\n";
    (void)state;
    for (uint64_t most = 10; most < 14; most++) {
        const struct bsim_timer_options options = {.max_events = most};
        struct bsim_result cycles;
        timed_trace(text, strlen(text), &options, &cycles);
        assert_int_equal(cycles.kernels[0].timed.events, 6);
        assert_int_equal(cycles.kernels[0].timed.left_out, most < 12);
        assert_int_equal(cycles.kernels[0].timed.work, most < 12 ? 0 : 192);
        bsim_result_free(&cycles);
    }
}

/* Two warps that drift apart for 10^9 turns and more, each of three steps at least: the play ends
 * at the limit, and says so. One that repeats itself is played to its end however many turns it
 * has. */
static void steps_are_limited(void **state)
{
    static const char drifts[] =
        "banksim-trace 1\nkernel k block=64\nblock 0\nrepeat 1000\nrepeat 1000\nrepeat 1000\n"
        "w0 ld.shared.u32 ffffffff 0+4\nw1 ld.shared.u32 ffffffff 0+128\ndone\n"
        "w1 ld.shared.u32 ffffffff 0+64\ndone\nw0 ld.shared.u32 ffffffff 0+4\ndone\n"
        "block 0\nw0 ld.shared.u32 ffffffff 0+128\nend\n";
    static const char repeats[] =
        "banksim-trace 1\nkernel k block=64\nblock 0\nrepeat 1048576\nrepeat 1048576\n"
        "w0 ld.shared.u32 ffffffff 0+4\nw1 ld.shared.u32 ffffffff 0+4\ndone\ndone\nend\n";
    (void)state;
    for (int k = 0; k < 2; k++) {
        const struct bsim_timer_options options = {.max_steps = 20000, .ideal = true};
        struct bsim_result cycles;
        timed_trace(k == 0 ? drifts : repeats, strlen(k == 0 ? drifts : repeats), &options,
                    &cycles);
        assert_int_equal(cycles.kernels[0].timed.max_steps, 20000);
        assert_int_equal(cycles.kernels[0].timed.left_out, k == 0);
        assert_int_equal(cycles.kernels[0].timed.requests, k == 0 ? 0 : UINT64_C(1) << 41);
        assert_true((cycles.kernels[0].timed.steps == 0) == (k == 0));
        bsim_result_free(&cycles);
    }
}

/* 2^40 turns of 2^32 clocks each: no cycles that are told would be true. A few more than 2^24 of
 * them are 2^56 clocks, all that there are; 2^24 less one fit. */
static void time_has_an_end(void **state)
{
    static const struct {
        uint32_t outer, inner;
        bool fits;
    } cases[] = {{1048576, 1048576, false}, {4097, 4096, false}, {1, 16777215, true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct bsim_timer_options options = {.ideal = true};
        char text[400];
        struct bsim_error err = {.status = BSIM_OK};
        (void)snprintf(text, sizeof text,
                       "banksim-trace 1\nkernel k block=32\nblock 0\nrepeat %lu\nrepeat %lu "
                       "work=1:4294967295\nw0 ld.shared.u32 ffffffff 0+128\ndone\ndone\nend\n",
                       (unsigned long)cases[i].outer, (unsigned long)cases[i].inner);
        struct bsim_timer *timer = bsim_timer_new(&options);
        struct bsim_sink sink = bsim_timer_sink(timer);
        enum bsim_status status = trace_text_read(text, strlen(text), 0, &sink, &err);
        assert_int_equal(status, cases[i].fits ? BSIM_OK : BSIM_E_INPUT);
        if (!cases[i].fits) {
            assert_string_equal(err.message, "a block takes more than 2^56 clocks; --cycles never "
                                             "counts without them");
        }
        bsim_timer_free(timer);
    }
}

/* Beyond the limit nothing is kept: memory is what it was for the blocks before. */
static void memory_stays_flat(void **state)
{
    const struct bsim_timer_options options = {.max_events = 100};
    struct bsim_timer *timer = bsim_timer_new(&options);
    struct bsim_opcode load;
    assert_non_null(timer);
    assert_int_equal(bsim_opcode_parse("ld.shared.u32", 13, &load, NULL), BSIM_OK);
    struct bsim_sink sink = bsim_timer_sink(timer);
    struct bsim_event event = {.opcode = load, .mask = 0xffffffff, .wait = -1};
    struct bsim_kernel kernel = {.name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .extras = ""};
    struct bsim_record record = {.kind = BSIM_RECORD_KERNEL, .u.kernel = &kernel};
    (void)state;
    assert_int_equal(sink.push(sink.context, &record, NULL), BSIM_OK);
    record = (struct bsim_record){.kind = BSIM_RECORD_BLOCK};
    assert_int_equal(sink.push(sink.context, &record, NULL), BSIM_OK);
    record = (struct bsim_record){.kind = BSIM_RECORD_EVENT, .u.event = &event};
    size_t before = failing_memory_live();
    for (int i = 0; i < 10000; i++) {
        assert_int_equal(sink.push(sink.context, &record, NULL), BSIM_OK);
        assert_true(i < 101 || failing_memory_live() <= before);
    }
    bsim_timer_free(timer);
}

/* More different blocks than are remembered, each twice: the same as if none were. */
static void many_different_blocks(void **state)
{
    enum { N_BLOCKS = 100 };
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_result cycles;
    uint64_t expected = 0;
    (void)state;
    bsim_buffer_printf(&text, "banksim-trace 1\nkernel k grid=%d block=32\n", 2 * N_BLOCKS);
    for (int i = 0; i < 2 * N_BLOCKS; i++) {
        int n = 1 + i % N_BLOCKS;
        bsim_buffer_printf(&text, "block %d\n", i);
        for (int k = 0; k < n; k++) {
            bsim_buffer_text(&text, "w0 ld.shared.u32 ffffffff 0+4 wait=0\n");
        }
        expected += (uint64_t)n * 23;
    }
    bsim_buffer_text(&text, "end\n");
    timed_trace(text.data, text.size_bytes, NULL, &cycles);
    const struct bsim_kernel_result *k = &cycles.kernels[0];
    uint64_t edges = k->timed.timing.edge_cycles + k->timed.timing.edge_result_cycles;
    assert_int_equal(k->timed.cycles, expected + 2 * N_BLOCKS * edges);
    bsim_result_free(&cycles);
    bsim_buffer_free(&text);
}

/* A warp that has ended is not waited for at a barrier. */
static void barrier_after_some_have_ended(void **state)
{
    struct bsim_result cycles;
    (void)state;
    timed_body(NULL, 1, "w0 bar.sync\nw0 ld.shared.u32 ffffffff 0+4\n", NULL, &cycles);
    assert_true(cycles.kernels[0].timed.stalls.barrier > 0);
    bsim_result_free(&cycles);
}

/* ---- failures -------------------------------------------------------------------------------- */

static enum bsim_status time_text(const char *text, const struct bsim_timer_options *options,
                                  struct bsim_error *err)
{
    struct bsim_result cycles;
    struct bsim_timer *timer = bsim_timer_new(options);
    if (timer == NULL) {
        return BSIM_E_MEMORY;
    }
    struct bsim_sink sink = bsim_timer_sink(timer);
    enum bsim_status status = trace_text_read(text, strlen(text), 0, &sink, err);
    status = status == BSIM_OK ? bsim_timer_result(timer, &cycles, err) : status;
    if (status == BSIM_OK) {
        bsim_result_free(&cycles);
    }
    bsim_timer_free(timer);
    return status;
}

#define START "banksim-trace 1\nkernel k grid=1 block=64"
#define LOAD "w* ld.shared.u32 ffffffff 0+4\n"

static void refusals(void **state)
{
    const struct bsim_timer_options plain = {.device = NULL};
    struct bsim_timing constants = {.n_partitions = 5};
    const struct bsim_timer_options wrong = {.timing = &constants};
    const struct bsim_timer_options many = {.registers = 256}, few = {.registers = 63};
    struct bsim_result cycles;
    struct bsim_error err;
    (void)state;
    assert_int_equal(time_text(START " device=abacus\nblock 0\n" LOAD "end\n", &plain, &err),
                     BSIM_E_INPUT);
    assert_int_equal(time_text(START " device=sm_70\nblock 0\n"
                                     "w* ldmatrix.sync.aligned.m8n8.x1.shared.b16 ffffffff 0+16\n"
                                     "end\n",
                               &plain, &err),
                     BSIM_E_INPUT);
    assert_int_equal(time_text(START "\nblock 0\n" LOAD "end\n", &wrong, &err), BSIM_E_USAGE);
    assert_int_equal(time_text(START "\nblock 0\n" LOAD "end\n", &many, &err), BSIM_E_USAGE);
    assert_non_null(strstr(err.message, "256 registers per thread"));
    assert_null(strstr(err.message, "--registers N"));
    assert_int_equal(time_text(START " device=sm_20 registers=64\nblock 0\n" LOAD "end\n", &plain, &err), BSIM_E_INPUT);
    assert_non_null(strstr(err.message, "64 registers per thread"));
    assert_non_null(strstr(err.message, "--registers N goes before what the kernel says"));
    assert_int_equal(time_text(START " device=sm_20 registers=64\nblock 0\n" LOAD "end\n", &few, &err), BSIM_OK);
    struct bsim_timer *timer = bsim_timer_new(&plain);
    assert_non_null(timer);
    assert_int_equal(bsim_timer_result(timer, &cycles, &err), BSIM_E_USAGE);
    bsim_timer_free(timer);
}

static void memory_runs_short(void **state)
{
    const char *text = "banksim-trace 1\nkernel k grid=2 block=64\nsite 1 ld.shared.u32\n"
                       "block 0\nrepeat 100\nrepeat 50\n"
                       "w* @1 ffffffff 0+128\n" LOAD "w* bar.sync\ndone\ndone\n"
                       "block 1\n" LOAD "end\n";
    const struct bsim_timer_options options = {.ideal = true, .ideal_sites = true};
    size_t before = failing_memory_live();
    (void)state;
    for (size_t n = 0;; n++) {
        failing_memory_fail_after(n);
        enum bsim_status status = time_text(text, &options, NULL);
        size_t refused = failing_memory_refused();
        failing_memory_heal();
        assert_int_equal(failing_memory_live(), before);
        if (status == BSIM_OK && refused == 0) {
            assert_true(n > 10);
            return;
        }
        assert_int_equal(status, BSIM_E_MEMORY);
    }
}

/* The guide's own products: 22 warps hide arithmetic on 2.x, 44 on 3.x, 16 on 7.x. Every device has
 * a latency of its registers below that of its shared memory, and that below DRAM's. */
static void latencies_as_published(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t registers, warps, least, most;
    } cases[] = {
        {"sm_20", 22, 22, 400, 800}, {"sm_37", 11, 44, 200, 400}, {"sm_61", 6, 24, 0, 0},
        {"sm_70", 4, 16, 0, 0},      {"sm_75", 4, 16, 0, 0},      {"sm_80", 4, 16, 466, 466},
        {"sm_90", 4, 16, 684, 702}, /* tests/measured/h200/global/times.csv: 683.75, 701.96 */
    };
    struct bsim_device device;
    struct bsim_latencies l;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(bsim_device_find(cases[i].name, NULL, &device, NULL), BSIM_OK);
        bsim_latencies_find(&device, &l);
        assert_int_equal(l.registers.most, cases[i].registers);
        assert_int_equal(l.registers.most * device.n_partitions / l.issue_interval, cases[i].warps);
        assert_int_equal(l.global.least, cases[i].least);
        assert_int_equal(l.global.most, cases[i].most);
    }
    for (size_t i = 0; bsim_device_at(i, &device); i++) {
        bsim_latencies_find(&device, &l);
        assert_true(l.registers.most < l.shared.least);
        assert_true(l.global.most == 0 || l.shared.most < l.global.least);
    }
}

/* ---- global and constant memory -------------------------------------------------------------- */

/* Of 8 blocks of 4 warps with 1000 clocks in shared memory, 800 of them in the data pipe. On sm_90
 * L2 takes 260 clocks, and a warp alone 11 for each further constant, the SM 2. */
struct memory_case {
    const char *why, *device;
    uint64_t waits;
    struct {
        uint64_t wavefronts, lines, more_passes;
    } traffic;
    uint64_t at_least, in_turn;
};

static const struct memory_case memory_cases[] = {
    {"nothing else", "sm_90", 0, {0, 0, 0}, 1000, 1000},
    {"stores hide behind the rest", "sm_90", 0, {100, 100, 0}, 1000, 1100},
    {"one pipe for both", "sm_90", 0, {500, 100, 0}, 1300, 1500},
    {"lines are looked up four at a time", "sm_90", 0, {10, 4800, 0}, 1200, 2200},
    {"each of the blocks waits for L2", "sm_90", 8, {8, 8, 0}, 8 * 260, 1000 + 8 + 8 * 260},
    {"the first waits alone are sure", "sm_90", 20, {8, 8, 0}, 8 * 260, 1000 + 8 + 20 * 260},
    {"one block alone loads", "sm_90", 1, {1, 1, 0}, 1000, 1000 + 1 + 260},
    {"constants of 4 warps: 11 clocks of each", "sm_90", 0, {0, 0, 1000}, 2000, 1000 + 2750},
    {"L1 beside shared memory", "sm_52", 0, {500, 100, 0}, 1000, 1500},
    {"and nothing but L1", "sm_52", 0, {1500, 100, 0}, 1500, 2500},
    {"a pipe of two clocks", "t4", 0, {500, 100, 0}, 800 + 1000, 1000 + 1000},
};

static void memory_bounds_the_cycles(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof memory_cases / sizeof memory_cases[0]; i++) {
        const struct memory_case *c = &memory_cases[i];
        struct bsim_kernel_result kernel = {
            .blocks = 8,
            .global[BSIM_LOADS] = {.wavefronts = c->traffic.wavefronts, .lines = c->traffic.lines},
            .constant_passes = c->traffic.more_passes,
            .timed = {.warps_run = 32, .waits = c->waits, .cycles = 1000, .cycles_bound = 800}};
        struct bsim_memory_cycles memory;
        assert_int_equal(bsim_device_find(c->device, NULL, &kernel.device, NULL), BSIM_OK);
        bsim_timing_find(&kernel.device, &kernel.timed.timing);
        bsim_cycles_memory(&kernel, &memory);
        if (memory.at_least != c->at_least || memory.in_turn != c->in_turn) {
            fail_msg("%s: at least %llu, in turn %llu; expected %llu, %llu", c->why,
                     (unsigned long long)memory.at_least, (unsigned long long)memory.in_turn,
                     (unsigned long long)c->at_least, (unsigned long long)c->in_turn);
        }
    }
}

/* A wait of the first warp, which loads, of two. */
static void loads_between_barriers_wait_once(void **state)
{
    static const struct {
        const char *why, *body;
        uint64_t waits;
    } cases[] = {
        {"no load", "w* st.global.u32 ffffffff 0+4\n", 0},
        {"loads in a row", "w0 ld.global.u32 ffffffff 0+4\nw0 ld.global.u32 ffffffff 0+4\n", 1},
        {"an atomic with a result", "w0 atom.global.add.u32 ffffffff 0+4\n", 1},
        {"a reduction has none", "w0 red.global.add.u32 ffffffff 0+4\n", 0},
        {"one on each side",
         "w0 ld.global.u32 ffffffff 0+4\nw* bar.sync\nw0 ld.global.u32 00000001 0\n", 2},
        {"the warps wait together",
         "w0 ld.global.u32 ffffffff 0+4\nw* bar.sync\nw1 ld.global.u32 00000001 0\n", 1},
        {"a loop without a barrier", "repeat 8\nw0 ld.global.u32 00000001 0\ndone\n", 1},
        {"with one", "repeat 8\nw0 ld.global.u32 00000001 0\nw* bar.sync\ndone\n", 8},
        {"the end of a turn goes with the next one's beginning",
         "repeat 8\nw0 ld.global.u32 00000001 0\nw* bar.sync\nw0 ld.global.u32 00000001 0\ndone\n",
         9},
        {"what comes before ends in it",
         "w0 ld.global.u32 00000001 0\nrepeat 8\nw* bar.sync\nw0 st.global.u32 00000001 0\ndone\n",
         1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_result cycles;
        timed_body(NULL, 2, cases[i].body, NULL, &cycles);
        if (cycles.kernels[0].timed.waits != cases[i].waits) {
            fail_msg("%s: %llu waits, not %llu", cases[i].why,
                     (unsigned long long)cycles.kernels[0].timed.waits,
                     (unsigned long long)cases[i].waits);
        }
        bsim_result_free(&cycles);
    }
}

static void what_was_left_out_has_no_bound(void **state)
{
    (void)state;
    const struct bsim_kernel_result kernel = {
        .global[BSIM_LOADS] = {.wavefronts = 8, .lines = 8}, .timed.left_out = true, .blocks = 2};
    struct bsim_memory_cycles memory;
    bsim_cycles_memory(&kernel, &memory);
    assert_int_equal(memory.at_least, 0);
    assert_int_equal(memory.in_turn, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependent_loads),
        cmocka_unit_test(sums_of_floats_go_round),
        cmocka_unit_test(immediate_address),
        cmocka_unit_test(saturated),
        cmocka_unit_test(barriers),
        cmocka_unit_test(meetings),
        cmocka_unit_test(work_behind_a_barrier),
        cmocka_unit_test(loop_control),
        cmocka_unit_test(partitions),
        cmocka_unit_test(documents_times_on_an_a100),
        cmocka_unit_test(kepler_replays_take_issue_slots),
        cmocka_unit_test(time_adds_up),
        cmocka_unit_test(a_block_ends_when_its_stores_have_drained),
        cmocka_unit_test(nobody_waits_for_a_store_without_conflicts),
        cmocka_unit_test(each_site_alone),
        cmocka_unit_test(sites_that_lose_least_are_left_out),
        cmocka_unit_test(more_sites_than_16_bits_tell_apart),
        cmocka_unit_test(kernels_are_apart),
        cmocka_unit_test(requests_are_apart),
        cmocka_unit_test(sites_in_order),
        cmocka_unit_test(blocks_add_up),
        cmocka_unit_test(waves),
        cmocka_unit_test(a_launch_is_as_long_as_its_longest_block),
        cmocka_unit_test(a_range_has_uneven_blocks),
        cmocka_unit_test(samples_that_are_too_small_say_nothing),
        cmocka_unit_test(registers_limit_blocks),
        cmocka_unit_test(a_kernels_registers_limit_blocks),
        cmocka_unit_test(events_are_counted),
        cmocka_unit_test(work_weighs_in_the_limit),
        cmocka_unit_test(steps_are_limited),
        cmocka_unit_test(time_has_an_end),
        cmocka_unit_test(memory_stays_flat),
        cmocka_unit_test(many_different_blocks),
        cmocka_unit_test(barrier_after_some_have_ended),
        cmocka_unit_test(refusals),
        cmocka_unit_test(memory_runs_short),
        cmocka_unit_test(latencies_as_published),
        cmocka_unit_test(memory_bounds_the_cycles),
        cmocka_unit_test(loads_between_barriers_wait_once),
        cmocka_unit_test(what_was_left_out_has_no_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
