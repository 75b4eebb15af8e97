/* test_report_cycles.c - cycles as text, csv and json. The numbers of the cycles below are made up,
 * so that each can be told from the others; the reports only lay them out. */
#include "failing_memory.h"
#include "stream.h"

#include <banksim/report.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static const struct bsim_report_options kernels[] = {
    {.format = BSIM_TEXT}, {.format = BSIM_CSV}, {.format = BSIM_JSON}};
static const struct bsim_report_options sites[] = {{.format = BSIM_TEXT, .per = BSIM_PER_SITE},
                                                   {.format = BSIM_CSV, .per = BSIM_PER_SITE},
                                                   {.format = BSIM_JSON, .per = BSIM_PER_SITE}};

/* A 32-way load at site 2 and a store at site 1, in n kernels "k"; a global load without a site. */
static struct bsim_result counted(int n)
{
    struct stream s;
    struct bsim_result result;
    assert_true(stream_simulate(&s, NULL));
    for (int i = 0; i < n; i++) {
        assert_int_equal(stream_kernel(&s, "k", 32, NULL), BSIM_OK);
        assert_int_equal(stream_site(&s, 1, "st.shared.u32", NULL, 0, NULL), BSIM_OK);
        assert_int_equal(stream_site(&s, 2, "ld.shared.u32", NULL, 0, NULL), BSIM_OK);
        assert_int_equal(stream_block(&s, 0), BSIM_OK);
        assert_int_equal(stream_at_site(&s, 0, 0, 0, 4), BSIM_OK);
        assert_int_equal(stream_at_site(&s, 0, 1, 0, 128), BSIM_OK);
        assert_int_equal(stream_access(&s, 0, "ld.global.u32", 0, 4), BSIM_OK);
    }
    assert_int_equal(stream_finish(&s, &result), BSIM_OK);
    return result;
}

/* Cycles of one such kernel: 40 clocks of issue, 100 + 0 of the pipe, 50 of latency, 10 at
 * barriers, of 2 warps; sites in sites[0..2). */
static struct bsim_kernel_result timed(struct bsim_site_result *two)
{
    struct bsim_kernel_result k = {
        .blocks = 1,
        .timed =
            {
                .is_timed = true,
                .events = 3,
                .max_events = 1000,
                .ideal = true,
                .ideal_sites = true,
                .cycles = 150,
                .cycles_ideal = 60,
                .cycles_bound = 33,
                .requests = 2,
                .warps_run = 2,
                .waits = 1,
                .stalls = {.issue = 40, .pipe = 100, .latency = 50, .barrier = 10},
                .registers = 0,
                .blocks_per_sm = 8,
                .waves = 3,
                .launch_cycles = 465000,
            },
        .n_sites = 2,
        .sites = two,
    };
    assert_int_equal(bsim_device_find("a100", NULL, &k.device, NULL), BSIM_OK);
    k.timed.timing.turn_interval = 2;
    k.timed.timing.tag_lines = 4;
    k.timed.timing.l2_latency = 20;
    k.timed.timing.memory_basis = (struct bsim_basis){BSIM_ASSUMED, "likewise"};
    k.timed.timing.basis = (struct bsim_basis){BSIM_ASSUMED, "made up"};
    k.timed.grade = BSIM_ASSUMED;
    two[0].timed = (struct bsim_site_cycles){.turns = 1, .turns_ideal = 1, .cycles_ideal = 150};
    two[1].timed = (struct bsim_site_cycles){
        .turns = 32, .turns_ideal = 1, .stalls = {.pipe = 100, .latency = 50}, .cycles_ideal = 75};
    return k;
}

/* Gives a kernel these cycles, of what was counted on their device. */
static void give(struct bsim_kernel_result *kernel, const struct bsim_kernel_result *k)
{
    kernel->device = k->device;
    kernel->block = k->block;
    kernel->shared_bytes = k->shared_bytes;
    kernel->blocks = k->blocks;
    kernel->grid = k->grid.x > 0 ? k->grid : kernel->grid;
    kernel->timed = k->timed;
    for (size_t i = 0; i < k->n_sites; i++) {
        kernel->sites[i].timed = k->sites[i].timed;
    }
}

/* The report of n kernels, all with the cycles k (NULL: none); to be freed. */
static struct bsim_buffer reported(int n, const struct bsim_kernel_result *k,
                                   const struct bsim_report_options *options)
{
    struct bsim_result result = counted(n);
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    for (int i = 0; k != NULL && i < n; i++) {
        give(&result.kernels[i], k);
    }
    bsim_report_result(&result, options, &out);
    assert_int_equal(bsim_buffer_status(&out, NULL), BSIM_OK);
    bsim_result_free(&result);
    return out;
}

static void check(int n, const struct bsim_kernel_result *k,
                  const struct bsim_report_options *options, const char *part, bool holds)
{
    struct bsim_buffer out = reported(n, k, options);
    if ((strstr(out.data, part) != NULL) != holds) {
        fail_msg("%s '%s' in\n%s", holds ? "no" : "unexpected", part, out.data);
    }
    bsim_buffer_free(&out);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* 150 - 60 = 90; 150 / 60 = 2.5; 40, 100, 50, 10 of 200; 465,000 at 1410 MHz are 329.8 us. */
#define COST                                                                                  \
    "cycles: 150, of which 90 for conflicts (60 without them, 2.50 times as fast); the data " \
    "pipe alone 33\n"
/* The global load's wavefront takes 2 clocks, and L2 answers after 20. */
#define MEMORY                                                                               \
    "with global memory: at least 150 cycles, 172 if nothing overlaps (2 for its requests, " \
    "20 until L2 answers); assumed: likewise\n"
#define STALLS                                                                        \
    "an average warp: 20 % issuing, 50 % held up by the data pipe, 25 % waiting for " \
    "results, 5 % at barriers\n"
/* One block of one warp at a time, whose pipe is busy 33 of 155,000 clocks: 85 to 135 per cent. */
#define LAUNCH                                                                                          \
    "launch: about 465000 cycles (395250 to 627750) = 330 us at 1410 MHz, estimated: 8 blocks per SM, " \
    "3 waves, shared memory alone\n"
/* The global load's 4 sectors, 128 bytes, on an A100; of those bytes in 465000 clocks of 1.41
 * GHz. */
#define SECTORS                                                                        \
    "device memory: 4 sectors take 0.0823 ns of its 1555 GB/s, if no cache has them; " \
    "effective bandwidth at most 0.000388 GB/s, of the bytes that lanes ask for\n"
/* Stalls are mostly the pipe's; 20 clocks are nothing beside 465000, of which 60 of 150 are left. */
#define HELD_UP                                                                             \
    "held up by shared memory's data pipe: 465000 cycles of the launch (assumed); waiting " \
    "for L2 takes 20; without conflicts, index arithmetic not counted, at most 2.50 times as fast\n"

static void one_kernel_in_words(void **state)
{
    struct bsim_site_result two[2];
    struct bsim_kernel_result k = timed(two);
    (void)state;
    check(1, &k, &kernels[BSIM_TEXT], "\n\n" COST MEMORY STALLS LAUNCH SECTORS "occupancy: ", true);
    check(1, &k, &kernels[BSIM_TEXT], "\n" HELD_UP "\n", true);
    check(1, &k, &kernels[BSIM_TEXT],
          "\nCycles on sm_80 are shared memory's, and rest on assumed constants (made up).\n",
          true);
    k.timed.timing.basis.grade = BSIM_MEASURED;
    check(1, &k, &kernels[BSIM_TEXT],
          "\nCycles on sm_80 are shared memory's, and rest on measured constants.\n", true);
    check(1, NULL, &kernels[BSIM_TEXT], "ycles:", false);
    check(2, NULL, &sites[BSIM_TEXT], "ycles:", false);
}

/* 64 warps, 32 blocks, 163 of 164 KB and 65,536 registers on an A100's SM. */
static void occupancy_and_its_limits(void **state)
{
    struct bsim_site_result two[2];
    struct bsim_kernel_result k = timed(two);
    (void)state;
    k.block = (struct bsim_dim3){256, 1, 1};
    k.shared_bytes = 0;
    k.timed.blocks_per_sm = 8;
    check(1, &k, &kernels[BSIM_TEXT],
          "\noccupancy: 100 %, 64 of 64 warps per SM, limited by warps; registers left out", true);
    k.shared_bytes = 40 * 1024;
    k.timed.blocks_per_sm = 4;
    check(1, &k, &kernels[BSIM_TEXT],
          "\noccupancy: 50 %, 32 of 64 warps per SM, limited by shared memory", true);
    k.timed.registers = 128;
    k.timed.blocks_per_sm = 2;
    check(1, &k, &kernels[BSIM_TEXT],
          "\noccupancy: 25 %, 16 of 64 warps per SM, limited by registers\n", true);
}

/* 128 bytes for each of a million blocks: 330 us of the launch; 82.3 us of 1555 GB/s; 200 waves of
 * 150 clocks; a wavefront of 2 clocks for each in 108 pipes, 13.1 us, were the memory fast. */
static void effective_bandwidth(void **state)
{
    struct bsim_site_result two[2];
    struct bsim_kernel_result k = timed(two);
    (void)state;
    k.grid = (struct bsim_dim3){1000000, 1, 1};
    check(1, &k, &kernels[BSIM_TEXT],
          "; effective bandwidth at most 388 GB/s, of the bytes that lanes ask for\n", true);
    k.timed.launch_cycles = 465;
    check(1, &k, &kernels[BSIM_TEXT],
          "; effective bandwidth at most 1555 GB/s, of the bytes that lanes ask for\n", true);
    k.device.memory_gb_per_s = 1000000;
    check(1, &k, &kernels[BSIM_TEXT],
          "; effective bandwidth at most 9746 GB/s, of the bytes that lanes ask for\n", true);
    k.timed.waves = 200;
    check(1, &k, &kernels[BSIM_TEXT],
          "; effective bandwidth at most 6016 GB/s, of the bytes that lanes ask for\n", true);
    k.device.memory_gb_per_s = 0;
    check(1, &k, &kernels[BSIM_TEXT], "device memory", false);
    /* 33 clocks in 108 pipes, 20 of 864 blocks at a time; 465 and 23148 less 279. The pipe alone takes longer than
     * 465; the 32 blocks of 150 clocks that fit, one behind the other and 5 %, 200 times: 216,774.2 per cent of 465, told as 216,775. */
    check(1, &k, &kernels[BSIM_CSV],
          ",150,172,0,0,,data pipe,305556,23148,0,0,1.0119568,465,1008004,0,0,0,0,0,0,0\n", true);
}

static void words_for_other_cases(void **state)
{
    struct bsim_site_result two[2];
    struct bsim_kernel_result k = timed(two);
    (void)state;
    k.timed.cycles_ideal = 150;
    check(1, &k, &kernels[BSIM_TEXT],
          "cycles: 150, none of them for conflicts: hidden behind other work; the data", true);
    k.timed.ideal = false;
    check(1, &k, &kernels[BSIM_TEXT], "cycles: 150; the data pipe alone 33\n", true);
    k.blocks = 2;
    check(1, &k, &kernels[BSIM_TEXT], "cycles: 150 for 2 blocks one after another (75 on average); the", true);
    k.device.clock_mhz = 0;
    check(1, &k, &kernels[BSIM_TEXT], "launch: about 465000 cycles (395250 to 627750), estimated: 8 blocks", true);
    k.timed.waves = k.timed.blocks_per_sm = 1;
    check(1, &k, &kernels[BSIM_TEXT], "estimated: 1 block per SM, 1 wave, shared", true);
    k.timed.waves = 0;
    check(1, &k, &kernels[BSIM_TEXT], "launch: not estimated, as it takes more than 2^64 cycles\n",
          true);
    k.device.n_sms = 0;
    check(1, &k, &kernels[BSIM_TEXT], "launch", false);
    memset(&k.timed.stalls, 0, sizeof k.timed.stalls);
    check(1, &k, &kernels[BSIM_TEXT], "average warp", false);
}

static void times_have_units(void **state)
{
    static const struct {
        uint64_t cycles;
        const char *time;
    } cases[] = {
        {1, "0.709 ns"},
        {1410, "1 us"},
        {1408589, "999 us"},
        {1410000, "1 ms"},
        {25600117, "18.2 ms"},
        {1410000000, "1 s"},
        {UINT64_C(1410000000000), "1e+03 s"},
    };
    struct bsim_site_result two[2];
    struct bsim_kernel_result k = timed(two);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char part[80];
        k.timed.launch_cycles = cases[i].cycles;
        snprintf(part, sizeof part, ") = %s at 1410 MHz", cases[i].time);
        check(1, &k, &kernels[BSIM_TEXT], part, true);
    }
}

static void several_kernels_in_a_table(void **state)
{
    struct bsim_site_result two[2];
    struct bsim_kernel_result k = timed(two);
    (void)state;
    check(
        2, &k, &kernels[BSIM_TEXT],
        "kernel  cycles  ideal  data pipe  at least  in turn  issuing  held up  results  barriers  "
        "                   launch  launches\n"
        "k          150     60         33       150      172     20 %     50 %     25 %       5 %  "
        "330 us (280 us to 445 us)         2\n",
        true);
    check(2, &k, &kernels[BSIM_TEXT], "average warp:", false);
    k.device.clock_mhz = 0;
    check(2, &k, &kernels[BSIM_TEXT], "5 %  465000 cycles (395250 cycles to 627750 cycles)         2\n", true);
    k.timed.left_out = true;
    check(2, &k, &kernels[BSIM_TEXT], "held up", false);
}

/* The load holds warps up for 150 of 200 clocks; without its conflicts 75 cycles instead of 150.
 * The store has no conflicts, the global load no cycles. */
static void sites_have_stalls_and_speedups(void **state)
{
    struct bsim_site_result two[2];
    struct bsim_kernel_result k = timed(two);
    (void)state;
    check(1, &k, &sites[BSIM_TEXT], "  ways  sectors/req  stalls  speed-up  source\n", true);
    check(1, &k, &sites[BSIM_TEXT], "0     1            -     0 %         -\n", true);
    check(1, &k, &sites[BSIM_TEXT], "31    32            -    75 %      2.00\n", true);
    check(1, &k, &sites[BSIM_TEXT],
          "0     -            4       -         -\n" COST MEMORY STALLS LAUNCH, true);
    k.timed.ideal_sites = false;
    check(1, &k, &sites[BSIM_TEXT], "31    32            -    75 %         -\n", true);
}

/* A speed-up that nobody has simulated is no number, and is told apart from none. */
static void says_which_speedups_were_left_out(void **state)
{
    static const char *const line = "speed-up: ? at 1 site, not simulated: only the 32 that lose "
                                    "most in a block are, unless\nits loops take too long without "
                                    "them; remove those conflicts first, then run again\n";
    struct bsim_site_result two[2];
    struct bsim_kernel_result k = timed(two);
    (void)state;
    check(1, &k, &sites[BSIM_TEXT], "speed-up: ?", false);
    check(1, &k, &sites[BSIM_JSON], "], \"sites_not_simulated\": 0}", true);
    two[1].timed.left_out = true;
    two[1].timed.cycles_ideal = 0;
    check(1, &k, &sites[BSIM_TEXT], "0     1            -     0 %         -\n", true);
    check(1, &k, &sites[BSIM_TEXT], "31    32            -    75 %         ?\n", true);
    check(1, &k, &sites[BSIM_TEXT], line, true);
    check(1, &k, &sites[BSIM_CSV], ",32,1,100,50,,,150,64,128,0.03125,0\n", true);
    check(1, &k, &sites[BSIM_JSON], "\"cycles_ideal\": null, \"speedup\": null, \"cycles\": 150,",
          true);
    check(1, &k, &sites[BSIM_JSON], "], \"sites_not_simulated\": 1}", true);
    k.timed.ideal_sites = false;
    check(1, &k, &sites[BSIM_JSON], "sites_not_simulated", false);
}

static void says_what_was_left_out(void **state)
{
    struct bsim_site_result two[2];
    struct bsim_kernel_result k = timed(two);
    (void)state;
    k.timed.left_out = true;
    k.timed.events = 1001;
    check(1, &k, &kernels[BSIM_TEXT],
          "multicast\ncycles: left out, as there are 1001 events, more than 1000; --cycles always "
          "estimates them\nsm_80",
          true);
    check(
        2, &k, &sites[BSIM_TEXT],
        "multicast\nLaunches that are alike stand once, with the counts of one.\n"
        "cycles: left out of 2 kernels with more than 1000 events, or as long to play; "
        "--cycles always estimates them\nsm_80",
        true);
    k.timed.events = 1000;
    check(
        1, &k, &kernels[BSIM_TEXT],
        "multicast\ncycles: left out, as its work and loops take longer to play than 1000 events; "
        "--cycles always tries\nsm_80",
        true);
    k.timed.max_events = 0;
    check(1, &k, &kernels[BSIM_TEXT],
          "multicast\ncycles: left out of 1 kernel: a block's loops take more than 67108864 "
          "instructions to play\nsm_80",
          true);
    k.timed.max_events = 1000;
    check(1, &k, &sites[BSIM_TEXT], "speed-up", false);
    check(1, &k, &sites[BSIM_TEXT], "Cycles on", false);
}

#define LOOKS                                                                               \
    "'banksim advise' looks for a padding or a swizzle, given a trace, or the array's declaration and " \
    "indices."                                                                              \
    "\n"
#define SITE "    ld.shared.u32\n    32-way: 32 wavefronts per request where 1 would do"

/* What the site costs, or all of them together, decides what is said, and whether to mend it. */
static void the_verdict_is_about_cost(void **state)
{
    struct bsim_site_result two[2];
    struct bsim_kernel_result k = timed(two);
    (void)state;
    check(1, &k, &kernels[BSIM_TEXT],
          "kernel. The worst costs 75 of the 150 cycles of k, all together 90:\n" SITE
          "; 2.00 times as fast without\n" LOOKS,
          true);
    k.timed.cycles_ideal = 75;
    check(1, &k, &kernels[BSIM_TEXT], "kernel. The worst costs 75 of the 150 cycles of k:\n", true);
    two[1].timed.cycles_ideal = 150;
    check(
        1, &k, &kernels[BSIM_TEXT],
        "kernel. They cost 75 of the 150 cycles of k, though no site alone costs any. The worst "
        "site:\n" SITE "\n" LOOKS,
        true);
    k.timed.cycles_ideal = 150;
    check(1, &k, &kernels[BSIM_TEXT],
          "kernel. They cost nothing: hidden behind other work. The worst site, in k:\n" SITE "\n",
          true);
    check(1, &k, &kernels[BSIM_TEXT], "advise", false);
    two[1].timed.left_out = true;
    check(1, &k, &kernels[BSIM_TEXT],
          "kernel. The worst site, in k (cycles not simulated):\n" SITE
          "\n" LOOKS,
          true);
}

/* Of two kernels of the same counts. */
static void check_two(const struct bsim_kernel_result *a, const struct bsim_kernel_result *b,
                      const char *part)
{
    struct bsim_result result = counted(2);
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    give(&result.kernels[0], a);
    give(&result.kernels[1], b);
    bsim_report_result(&result, &kernels[BSIM_TEXT], &out);
    assert_int_equal(bsim_buffer_status(&out, NULL), BSIM_OK);
    if (strstr(out.data, part) == NULL) {
        fail_msg("no '%s' in\n%s", part, out.data);
    }
    bsim_result_free(&result);
    bsim_buffer_free(&out);
}

/* 31 excessive wavefronts in each; where cycles are not known, these stand for them. */
static void the_verdict_takes_what_costs_most(void **state)
{
    struct bsim_site_result two[2], other[2];
    struct bsim_kernel_result k = timed(two), free = timed(other), unknown = free;
    (void)state;
    other[1].timed.cycles_ideal = free.timed.cycles_ideal = 150;
    unknown.timed.left_out = true;
    check_two(
        &free, &k,
        "The worst costs 75 of the 150 cycles of k, all together 90:\n" SITE
        "; 2.00 times as fast without\n1 other site with conflicts costs nothing: hidden behind "
        "other work.\n" LOOKS);
    check_two(&unknown, &k, "2 launches. The worst costs 75 of");
    check_two(&free, &unknown, "2 launches. The worst site, in k (cycles not");
    free.timed.cycles_ideal = 140;
    check_two(&free, &k, "times as fast without\n" LOOKS);
}

/* ---- csv and json ---------------------------------------------------------------------------- */

static void csv_of_kernels(void **state)
{
    struct bsim_site_result two[2];
    struct bsim_kernel_result k = timed(two);
    (void)state;
    k.block = (struct bsim_dim3){256, 1, 1}; /* 8 warps without barriers: 75 to 125 % of 465,000 */
    k.shared_bytes = 20 * 1024;              /* and 1 KB of 164 KB: 7 blocks */
    k.timed.blocks_per_sm = 7;
    check(1, &k, &kernels[BSIM_CSV],
          ",32,4,measured,150,60,33,465000,0.329787234,assumed,0,0,256,0.0606060606,"
          "7,56,0.875,7,8,32,,167936,0,0,0,0,0,0,0,150,172,20480,0,0.000388129032,"
          "shared data pipe,33,20,0,0,2.5,325500,627750,0,0,0,0,0,0,0\n",
          true);
    k.timed.registers = 40; /* 1280 a warp: 12 in each partition of 16384, 6 blocks */
    k.timed.blocks_per_sm = 6;
    k.device.clock_mhz = 0;
    check(1, &k, &kernels[BSIM_CSV],
          ",32,4,measured,150,60,33,465000,,assumed,0,0,256,0.0606060606,"
          "6,48,0.75,7,8,32,6,167936,0,0,0,0,0,0,0,150,172,20480,0,,shared data pipe,33,20,0,0,2.5,325500,"
          "627750,0,0,0,0,0,0,0\n",
          true);
    k.timed.waves = 0;
    k.timed.ideal = false;
    check(1, &k, &kernels[BSIM_CSV],
          ",32,4,measured,150,,33,,,assumed,0,0,256,0.0606060606,6,48,0.75,7,8,32,6,167936,0,0,0,0,"
          "0,0,0,150,172,20480,0,,,,,,,,,,,0,0,0,0,0,0\n",
          true);
    k.timed.left_out = true;
    check(1, &k, &kernels[BSIM_CSV],
          ",32,4,measured,,,,,,,0,0,256,0.0606060606,6,48,0.75,7,8,32,6,167936,0,0,0,0,0,0,0,,,"
          "20480,0,,,,,,,,,,,0,0,0,0,0,0\n",
          true);
    check(1, NULL, &kernels[BSIM_CSV],
          ",32,4,measured,,,,,,,0,0,256,0.0606060606,,,,,,,,,0,0,0,0,0,0,0,,,0,0,,,,,,,,,,,0,0,0,0,0,0\n", true);
    k.timed.left_out = false;
    k.timed.requests = 0;
    check(1, &k, &kernels[BSIM_CSV],
          ",32,4,measured,,,,,,,0,0,256,0.0606060606,6,48,0.75,7,8,32,6,167936,0,0,0,0,0,0,0,150,"
          "172,20480,0,,,,,,,,,,,0,0,0,0,0,0\n",
          true);
}

static void csv_of_sites(void **state)
{
    struct bsim_site_result two[2];
    struct bsim_kernel_result k = timed(two);
    (void)state;
    check(1, &k, &sites[BSIM_CSV],
          "\nk,1,st.shared.u32,1,1,1,0,1,1,1,0,0,128,128,1,0,0,0,0,,0,,"
          "1,1,0,0,150,1,150,2,128,1,0\n",
          true);
    check(1, &k, &sites[BSIM_CSV], ",32,1,100,50,75,2,150,64,128,0.03125,0\n", true);
    check(1, &k, &sites[BSIM_CSV], ",4,1,0,,0,,,,,,,,,,0,,0\n", true);
    k.timed.ideal_sites = false;
    check(1, &k, &sites[BSIM_CSV], ",32,1,100,50,,,150,64,128,0.03125,0\n", true);
}

static void json_of_kernels(void **state)
{
    struct bsim_site_result two[2];
    struct bsim_kernel_result k = timed(two);
    (void)state;
    k.block = (struct bsim_dim3){256, 1, 1};
    check(
        1, &k, &kernels[BSIM_JSON],
        ", \"cycles\": 150, \"cycles_ideal\": 60, \"cycles_bound\": 33, \"launch_cycles\": 465000, "
        "\"launch_ms\": 0.329787234, \"cycles_grade\": \"assumed\", "
        "\"warp_barriers\": 0, \"fences\": 0, \"bytes_served\": 256, \"bank_use\": 0.0606060606, "
        "\"blocks_per_sm\": 8, \"warps_per_sm\": 64, \"occupancy\": 1, ",
        true);
    check(1, &k, &kernels[BSIM_JSON],
          ", \"timing\": {\"turns\": 33, \"turns_ideal\": 2, \"warps\": 2, \"stalls\": {\"issue\": "
          "40, "
          "\"pipe\": 100, \"latency\": 50, \"barrier\": 10}, \"launch\": {\"is_estimate\": true, "
          "\"blocks_per_sm\": 8, \"registers\": null, \"waves\": 3, \"cycles\": 465000, "
          "\"least_cycles\": 325500, \"most_cycles\": 627750, "
          "\"clock_mhz\": 1410}, \"rests_on\": {\"grade\": \"assumed\", \"source\": \"made up\"}}}",
          true);
    k.timed.registers = 40;
    k.timed.waves = k.timed.launch_cycles = 0;
    check(1, &k, &kernels[BSIM_JSON],
          "\"registers\": 40, \"waves\": null, \"cycles\": null, \"least_cycles\": null, \"most_cycles\": null, "
          "\"clock_mhz\": 1410}", true);
    k.timed.left_out = true;
    check(1, &k, &kernels[BSIM_JSON], "\"cycles\": null, \"cycles_ideal\": null", true);
    check(1, &k, &kernels[BSIM_JSON], ", \"timing\": null}", true);
}

static void json_of_sites(void **state)
{
    struct bsim_site_result two[2];
    struct bsim_kernel_result k = timed(two);
    (void)state;
    check(1, &k, &sites[BSIM_JSON],
          "\"turns\": 32, \"turns_ideal\": 1, \"stall_pipe\": 100, \"stall_latency\": 50, "
          "\"cycles_ideal\": 75, \"speedup\": 2, \"cycles\": 150, \"cycles_bound\": 64, "
          "\"bytes_served\": 128, \"bank_use\": 0.03125, \"at_least\": false}",
          true);
    check(1, &k, &sites[BSIM_JSON],
          "\"turns\": null, \"turns_ideal\": null, \"stall_pipe\": null, \"stall_latency\": null, "
          "\"cycles_ideal\": null, \"speedup\": null, \"cycles\": null, \"cycles_bound\": null, "
          "\"bytes_served\": 0, \"bank_use\": null, \"at_least\": false}",
          true);
}

/* Half a report is none: memory that runs short anywhere is told. */
static void memory_runs_short(void **state)
{
    struct bsim_site_result two[2];
    struct bsim_kernel_result k = timed(two);
    struct bsim_result result = counted(2);
    (void)state;
    give(&result.kernels[0], &k);
    give(&result.kernels[1], &k);
    for (int i = 0; i < 6; i++) {
        enum bsim_status status = BSIM_E_MEMORY;
        for (size_t n = 0; status != BSIM_OK; n++) {
            struct bsim_buffer out = BSIM_BUFFER_EMPTY;
            failing_memory_fail_after(n);
            bsim_report_result(&result, i < 3 ? &kernels[i] : &sites[i - 3], &out);
            failing_memory_heal();
            status = bsim_buffer_status(&out, NULL);
            assert_true(n > 0 || status != BSIM_OK);
            bsim_buffer_free(&out);
        }
    }
    bsim_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_kernel_in_words),
        cmocka_unit_test(occupancy_and_its_limits),
        cmocka_unit_test(effective_bandwidth),
        cmocka_unit_test(words_for_other_cases),
        cmocka_unit_test(times_have_units),
        cmocka_unit_test(several_kernels_in_a_table),
        cmocka_unit_test(sites_have_stalls_and_speedups),
        cmocka_unit_test(says_which_speedups_were_left_out),
        cmocka_unit_test(says_what_was_left_out),
        cmocka_unit_test(the_verdict_is_about_cost),
        cmocka_unit_test(the_verdict_takes_what_costs_most),
        cmocka_unit_test(csv_of_kernels),
        cmocka_unit_test(csv_of_sites),
        cmocka_unit_test(json_of_kernels),
        cmocka_unit_test(json_of_sites),
        cmocka_unit_test(memory_runs_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
