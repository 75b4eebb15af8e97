/* constants.c - the cycle model's constants for each device.
 *
 * The structure was found and fitted on one H200 (README.md tells how each number was measured).
 * Every other device has the same structure, which is assumed, and those numbers that somebody
 * measured on it: a load's latency, what the data pipe takes per clock. A latency quoted for a
 * chain of loads in C has 6 clocks of address arithmetic in it; the table holds what is left.
 */
#include <banksim/result.h>

#include <string.h>

#define H200 "H200, 385 programs timed, driver 580.159.04, 2026-11-21"

static const struct bsim_timing h200 = {
    .work_interval = 2,
    .chain_latency = 4,
    .work_latency = 2,
    .work = {[BSIM_WORK_FP32] = {1, 4, 1, BSIM_WORK_FP32},
             [BSIM_WORK_INT] = {2, 4, 1, BSIM_WORK_INT},
             [BSIM_WORK_IMAD] = {2, 4, 1, BSIM_WORK_IMAD},
             [BSIM_WORK_HALF] = {1, 6, 1, BSIM_WORK_HALF},
             [BSIM_WORK_FP64] = {2, 8, 1, BSIM_WORK_FP64},
             [BSIM_WORK_XU] = {8, 17, 1, BSIM_WORK_XU},
             [BSIM_WORK_TENSOR] = {6, 24, 1, BSIM_WORK_TENSOR},
             [BSIM_WORK_LSU] = {1, 1, 1, BSIM_WORK_LSU}}, /* not read: these are requests to the timer */
    .fp32_pair = true,
    .work_basis = {BSIM_MEASURED,
                   "H200, loops of one and two kinds timed, driver 580.159.04, 2026-11-22"},
    .memory_interval = 4,
    .branch_delay = 2,
    .queue_slots = 6,
    .pool_slots = 20,
    .queue_latency = 1,
    .pool_latency = 1,
    .turn_interval = 1,
    .partition_turn = 2,
    .result_latency = 21,
    .group_latency = 1,
    .atomic_latency = 2,
    .store_delay = 1,
    .arrival_interval = 2,
    .arrival_slots = 4,
    .release_latency = 14,
    .rejoin_delay = 1,
    .barrier_latency = 9,
    .barrier_turns = 2,
    .block_interval = 24,
    .block_jitter = 48,
    .edge_cycles = 12,
    .edge_result_cycles = 42,
    .tag_lines = 4,
    .constant_turn = 2,
    .constant_latency = 11,
};

struct row {
    uint32_t first, last;   /* compute capabilities times 10 */
    uint32_t load_latency;  /* issue to result of a load without conflicts */
    uint32_t turn_interval; /* of the SM */
    struct bsim_basis basis;
};

/* A later line replaces an earlier one. */
static const struct row rows[] = {
    {0, 1000, 23, 1, {BSIM_ASSUMED, "as sm_90; nothing measured on this device"}},
    {20,
     21,
     26,
     2,
     {BSIM_ASSUMED,
      "GPGPU-Sim's GTX 480 configuration: 26 clocks; 2 schedulers; a bank works every "
      "second clock (guide, 2.x); else as sm_90"}},
    {35,
     37,
     24,
     1,
     {BSIM_ASSUMED,
      "GPGPU-Sim's Kepler configuration: 24 clocks; replays take issue slots; else as "
      "sm_90"}},
    {50, 59, 23, 1, {BSIM_ASSUMED, "as sm_90; no source for Maxwell"}},
    {60,
     60,
     24,
     1,
     {BSIM_ASSUMED, "GPGPU-Sim's Pascal configuration: 24 clocks; 2 partitions; else as sm_90"}},
    {61, 61, 24, 1, {BSIM_ASSUMED, "GPGPU-Sim's Pascal configuration: 24 clocks; else as sm_90"}},
    {70,
     70,
     21,
     1,
     {BSIM_ASSUMED, "TITAN V timed: 27.0 clocks per load of a chain, 126.5 bytes per clock "
                    "(accel-sim's microbenchmarks); else as sm_90"}},
    {75,
     75,
     23,
     2,
     {BSIM_ASSUMED, "RTX 2070 timed: 23 clocks (sjfeng1999); 64 bytes per clock (NVIDIA's GA10x "
                    "whitepaper); else as sm_90"}},
    {80,
     80,
     23,
     1,
     {BSIM_ASSUMED, "A100 timed: 29.0 clocks per load of a chain (arXiv 2402.13499), nine kernels' "
                    "throughput; else as sm_90"}},
    {86, 86, 23, 1, {BSIM_ASSUMED, "RTX 3060 timed: 22.96 clocks (YKTian); else as sm_90"}},
    {89,
     89,
     24,
     1,
     {BSIM_ASSUMED, "RTX 4090 timed: 30.1 clocks per load of a chain (arXiv 2402.13499); else as "
                    "sm_90"}},
    {90, 90, 23, 1, {BSIM_MEASURED, H200}},
};

/* Global and constant memory. A latency of L2 in a chain has 9 clocks of 64-bit addresses in it. */
struct memory_row {
    uint32_t first, last; /* compute capabilities times 10 */
    uint32_t l2_latency;
    bool one_pipe;
    struct bsim_basis basis;
};

/* A later line replaces an earlier one. Latencies that nobody measured are taken low, for the
 * bound. */
/* clang-format off */
static const struct memory_row memory_rows[] = {
    {0, 1000, 188, true, {BSIM_ASSUMED, "as sm_90, but a short latency of L2"}},
    {20, 61, 188, false,
     {BSIM_ASSUMED, "as sm_90, but a short latency of L2, and L1 beside the data pipe of shared memory"}},
    {80, 80, 200, true,
     {BSIM_ASSUMED, "as sm_90, but A100's latency of L2 (Abdelkhalik 2022, second-hand)"}},
    {89, 89, 264, true,
     {BSIM_ASSUMED, "as sm_90, but RTX 4090's latency of L2 (arXiv 2402.13499)"}},
    {90, 90, 260, true, {BSIM_MEASURED, "H200, requests timed, driver 580.159.04, 2026-11-22"}},
};
/* clang-format on */

/* Results per clock and SM, after the CUDA C++ Programming Guide's table of arithmetic instructions, which was
 * not at hand. */
struct work_row {
    uint32_t first, last;                       /* compute capabilities times 10 */
    uint16_t fp32, whole, imad, half, fp64, xu; /* half: pairs */
    struct bsim_basis basis;
};

#define GUIDE_TABLE                                                                                \
    "after the CUDA C++ Programming Guide's throughput of arithmetic, second-hand; latencies and " \
    "tensor as sm_90"

/* A later line replaces an earlier one. A product of whole numbers was several instructions from 5.x to
 * 6.x, which are taken for three; where there are no halves, fp32 stands for them. */
/* clang-format off */
static const struct work_row work_rows[] = {
    {0, 1000, 128, 64, 64, 128, 64, 16, {BSIM_ASSUMED, "as sm_90"}},
    {20, 20, 32, 32, 16, 32, 16, 4, {BSIM_ASSUMED, GUIDE_TABLE}},
    {21, 21, 48, 48, 16, 48, 4, 8, {BSIM_ASSUMED, GUIDE_TABLE}},
    {35, 37, 192, 160, 32, 192, 64, 32, {BSIM_ASSUMED, GUIDE_TABLE}},
    {50, 53, 128, 128, 43, 128, 4, 32, {BSIM_ASSUMED, GUIDE_TABLE}},
    {60, 60, 64, 64, 21, 64, 32, 16, {BSIM_ASSUMED, GUIDE_TABLE}},
    {61, 62, 128, 128, 43, 1, 4, 32, {BSIM_ASSUMED, GUIDE_TABLE}},
    {70, 72, 64, 64, 64, 64, 32, 16, {BSIM_ASSUMED, GUIDE_TABLE}},
    {75, 75, 64, 64, 64, 64, 2, 16, {BSIM_ASSUMED, GUIDE_TABLE}},
    {80, 80, 64, 64, 64, 128, 32, 16, {BSIM_ASSUMED, GUIDE_TABLE}},
    {86, 89, 128, 64, 64, 64, 2, 16, {BSIM_ASSUMED, GUIDE_TABLE}},
};
/* clang-format on */

/* Clocks of a partition for a warp's instruction, rounded. */
static uint8_t interval(uint32_t n_partitions, uint32_t results)
{
    uint32_t clocks = (BSIM_WARP_LANES * n_partitions + results / 2) / results;
    return (uint8_t)(clocks > 1 ? clocks : 1);
}

/* On anything but the H200. Until 6.x the same cores did all of it, until 8.0 fp32 and products; since
 * then there is a second pipe for fp32 beside that. */
static void set_work(const struct bsim_device *device, struct bsim_timing *timing)
{
    const struct work_row *row = &work_rows[0];
    for (size_t i = 1; i < sizeof work_rows / sizeof work_rows[0]; i++) {
        if (device->compute >= work_rows[i].first && device->compute <= work_rows[i].last) {
            row = &work_rows[i];
        }
    }
    if (device->compute == 90) {
        return;
    }
    uint32_t n = device->n_partitions;
    timing->work[BSIM_WORK_FP32].interval = interval(n, row->fp32);
    timing->work[BSIM_WORK_INT].interval = interval(n, row->whole);
    timing->work[BSIM_WORK_IMAD].interval = interval(n, row->imad);
    timing->work[BSIM_WORK_HALF].interval = interval(n, row->half);
    timing->work[BSIM_WORK_FP64].interval = interval(n, row->fp64);
    timing->work[BSIM_WORK_XU].interval = interval(n, row->xu);
    timing->fp32_pair = device->compute > 80;
    if (device->compute <= 80) {
        timing->work[BSIM_WORK_IMAD].pipe = timing->work[BSIM_WORK_FP32].pipe;
    }
    if (device->compute < 70) {
        timing->work[BSIM_WORK_INT].pipe = timing->work[BSIM_WORK_FP32].pipe;
    }
    timing->work_basis = row->basis;
}

static void set_memory(const struct bsim_device *device, struct bsim_timing *timing)
{
    for (size_t i = 0; i < sizeof memory_rows / sizeof memory_rows[0]; i++) {
        const struct memory_row *row = &memory_rows[i];
        if (device->compute >= row->first && device->compute <= row->last) {
            timing->l2_latency = row->l2_latency;
            timing->one_pipe = row->one_pipe;
            timing->memory_basis = row->basis;
        }
    }
}

/* The same compute capability, another chip: its SMs took what an H200's do, its memory was not timed. */
static void set_h100(const struct bsim_device *device, struct bsim_timing *timing)
{
    static const struct bsim_basis sm = {
        BSIM_MEASURED,
        "H100, 771 programs timed, which takes what an H200 does, driver 580.159.04, 2026-11-23"};
    static const struct bsim_basis memory = {
        BSIM_ASSUMED, "as the H200, of the same compute capability; not timed on this GPU"};
    if (device->compute == 90 && device->gpu != NULL && strcmp(device->gpu, "h100") == 0) {
        timing->basis = timing->work_basis = sm;
        timing->memory_basis = memory;
    }
}

void bsim_timing_find(const struct bsim_device *device, struct bsim_timing *timing)
{
    *timing = h200;
    timing->n_partitions = device->n_partitions;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        if (device->compute >= row->first && device->compute <= row->last) {
            timing->result_latency = row->load_latency - h200.queue_latency - h200.pool_latency;
            timing->turn_interval = row->turn_interval;
            timing->basis = row->basis;
        }
    }
    set_work(device, timing);
    set_memory(device, timing);
    set_h100(device, timing);
    timing->replays = device->replays;
}

/* ---- latencies as facts --------------------------------------------------------------------- */

/* CUDA C Programming Guide, multiprocessor level: clocks of arithmetic and of off-chip memory, and
 * the warps that hide the first: 22 of 2.x, whose schedulers begin an instruction every second
 * clock, 44 of 3.x, 16 of 7.x. */
#define GUIDE "CUDA C Programming Guide, multiprocessor level, compute capability "
#define JIA "Pascal and Maxwell timed by Jia et al. (arXiv 1804.06826)"
#define LUO(gpu) gpu " timed (arXiv 2402.13499): a chain of loads that miss L2"
#define H200_DRAM "H200, chains of loads beyond L2 and the TLB timed, driver 580.159.04, 2026-11-22"

struct latency_row {
    uint32_t first, last; /* compute capabilities times 10 */
    uint32_t registers, issue_interval;
    struct bsim_basis registers_basis;
    uint32_t global_least, global_most;
    struct bsim_basis global_basis;
};

/* A later line replaces an earlier one. */
static const struct latency_row latency_rows[] = {
    {0, 1000, 4, 1, {BSIM_ASSUMED, "as sm_90"}, 0, 0, {BSIM_ASSUMED, "not known"}},
    {20, 21, 22, 2, {BSIM_DOCUMENTED, GUIDE "2.x"}, 400, 800, {BSIM_DOCUMENTED, GUIDE "2.x"}},
    {35, 37, 11, 1, {BSIM_DOCUMENTED, GUIDE "3.x"}, 200, 400, {BSIM_DOCUMENTED, GUIDE "3.x"}},
    {50, 61, 6, 1, {BSIM_ASSUMED, JIA}, 0, 0, {BSIM_ASSUMED, "not known"}},
    {70, 75, 4, 1, {BSIM_DOCUMENTED, GUIDE "7.x"}, 0, 0, {BSIM_ASSUMED, "not known"}},
    {80, 80, 4, 1, {BSIM_ASSUMED, "as sm_75"}, 466, 466, {BSIM_ASSUMED, LUO("A100")}},
    {86, 86, 4, 1, {BSIM_ASSUMED, "as sm_75"}, 0, 0, {BSIM_ASSUMED, "not known"}},
    {89, 89, 4, 1, {BSIM_ASSUMED, "as sm_75"}, 542, 542, {BSIM_ASSUMED, LUO("RTX 4090")}},
    {90, 90, 4, 1, {BSIM_MEASURED, H200}, 684, 702, {BSIM_MEASURED, H200_DRAM}},
};

void bsim_latencies_find(const struct bsim_device *device, struct bsim_latencies *latencies)
{
    struct bsim_timing timing;
    bsim_timing_find(device, &timing);
    for (size_t i = 0; i < sizeof latency_rows / sizeof latency_rows[0]; i++) {
        const struct latency_row *row = &latency_rows[i];
        if (device->compute < row->first || device->compute > row->last) {
            continue;
        }
        latencies->registers =
            (struct bsim_latency){row->registers, row->registers, row->registers_basis};
        latencies->issue_interval = row->issue_interval;
        latencies->global =
            (struct bsim_latency){row->global_least, row->global_most, row->global_basis};
    }
    if (timing.memory_basis.grade == BSIM_ASSUMED && device->compute == 90) {
        latencies->global.basis = timing.memory_basis;
    }
    uint32_t shared = timing.queue_latency + timing.pool_latency + timing.result_latency;
    latencies->shared = (struct bsim_latency){shared, shared, timing.basis};
}
