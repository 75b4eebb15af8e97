/* result.c - what was counted: sums of it, its names in the profilers, and what its cycles rest
 * on. */
#include "example.h"

static const char global[] = "banksim-trace 1\n"
                             "kernel copy block=32 device=sm_35\n"
                             "block 0\n"
                             "w0 ld.global.f32 ffffffff 0+4\n"
                             "w0 st.global.f32 ffffffff 4096+8\n"
                             "end\n";

static void shared_memory(void)
{
    struct bsim_result result;
    example_run(example_trace, &result);
    struct bsim_tally total = bsim_kernel_total(&result.kernels[0]);
    CHECK(total.requests == 2 && total.wavefronts == 33 && bsim_tally_excessive(&total) == 31);
    CHECK(result.kernels[0].tally[BSIM_STORES].wavefronts == 1);
    bsim_result_free(&result);
}

static void global_memory(void)
{
    struct bsim_result result;
    example_run(global, &result);
    const struct bsim_kernel_result *copy = &result.kernels[0];
    struct bsim_global_tally loads = bsim_kernel_space(copy, BSIM_GLOBAL, BSIM_LOADS);
    CHECK(loads.requests == 1 && loads.sectors == 4);
    CHECK(copy->global[BSIM_STORES].transactions > 0);
    CHECK(bsim_kernel_packets(copy) == 0);
    bsim_result_free(&result);
}

/* What no lane has a part in. */
static void wgmma(void)
{
    static const char text[] =
        "banksim-trace 1\n"
        "kernel product block=128\n"
        "block 0\n"
        "w0 wgmma.mma_async.sync.aligned.m64n128k16.f16 a=registers b.start=0 b.lbo=16 b.sbo=1024 "
        "b.base=0 b.swizzle=128B b.major=K\n"
        "end\n";
    struct bsim_result result;
    example_run(text, &result);
    struct bsim_async_tally async = bsim_kernel_async(&result.kernels[0]);
    CHECK(async.wgmmas == 1 && async.wavefronts == 32);
    bsim_result_free(&result);
}

static void profilers_names(void)
{
    struct bsim_ncu_metric metric[BSIM_NCU_MAX_METRICS];
    struct bsim_result result;
    example_run(example_trace, &result);
    size_t n = bsim_ncu_metrics(&result.kernels[0], metric);
    bool is_there = false;
    for (size_t i = 0; i < n; i++) {
        is_there |= strcmp(metric[i].name,
                           "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum") == 0 &&
                    metric[i].value == 32;
    }
    CHECK(is_there);
    bsim_result_free(&result);
}

/* What a device's cycles are made of. */
static void constants(void)
{
    struct bsim_device device;
    struct bsim_timing timing;
    struct bsim_latencies latencies;
    struct bsim_result result;
    struct bsim_memory_cycles memory;
    CHECK(bsim_device_find("h200", NULL, &device, NULL) == BSIM_OK);
    bsim_timing_find(&device, &timing);
    bsim_latencies_find(&device, &latencies);
    CHECK(timing.basis.grade == BSIM_MEASURED && latencies.shared.least == 23);
    example_run(global, &result);
    bsim_cycles_memory(&result.kernels[0], &memory);
    CHECK(memory.at_least > 0 && memory.in_turn >= memory.at_least);
    bsim_result_free(&result);
}

/* Which of all that a launch waits for takes longest; a block on its own SM has no second rhythm. */
static void what_holds_it_up(void)
{
    struct bsim_result result;
    struct bsim_holdup holdup;
    struct bsim_spread spread;
    example_run(global, &result);
    CHECK(bsim_cycles_holdup(&result.kernels[0], &holdup));
    CHECK(holdup.clocks[holdup.by] >= holdup.clocks[BSIM_HOLDS_SHARED]);
    CHECK(bsim_holdup_gain(&holdup, 1) == 1 && bsim_holdup_gain(&holdup, 0.5) >= 1);
    CHECK(bsim_cycles_spread(&result.kernels[0], &spread) && spread.least < spread.most);
    bsim_result_free(&result);
}

int main(void)
{
    shared_memory();
    global_memory();
    wgmma();
    profilers_names();
    constants();
    what_holds_it_up();
    return 0;
}
