/* ptx.c - kernels in PTX: warp instructions a second, beside the same arithmetic as loops in C, and a
 * loop over shared memory with its events into nothing and into the simulator. */
#include "bench.h"

#include <banksim/ptx.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIPS = 20000, WARPS = 8, PER_TRIP = 10 };

/* Each loop has 7 instructions and the 3 that turn it, of 256 threads. */
static const char module[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
#define KERNEL(name, body)                                                                  \
    ".visible .entry " name "(.param .u64 p) {\n .reg .pred %p;\n .reg .b32 %r<8>;\n"       \
    " .reg .f32 %f<8>;\n .reg .b64 %rd<4>;\n .shared .align 4 .b8 s[2048];\n"               \
    " ld.param.u64 %rd1, [p];\n mov.u32 %r0, %tid.x;\n mul.wide.u32 %rd2, %r0, 4;\n"        \
    " add.s64 %rd1, %rd1, %rd2;\n mov.u32 %r1, %ctaid.x;\n mul.wide.u32 %rd2, %r1, 1024;\n" \
    " add.s64 %rd1, %rd1, %rd2;\n mov.u32 %r1, 20000;\n ld.global.f32 %f1, [%rd1];\n"       \
    " ld.global.u32 %r2, [%rd1];\n shl.b32 %r3, %r0, 2;\n mov.u32 %r4, s;\n"                \
    " add.u32 %r3, %r3, %r4;\n st.shared.u32 [%r3], %r2;\n bar.sync 0;\nLOOP:\n" body       \
    " add.s32 %r1, %r1, -1;\n setp.ne.s32 %p, %r1, 0;\n @%p bra LOOP;\n"                    \
    " add.f32 %f1, %f1, %f2;\n st.global.f32 [%rd1], %f1;\n st.global.u32 [%rd1], %r2;\n "  \
    "ret;\n}\n"
#define FMA " fma.rn.f32 %f1, %f1, %f1, %f1;\n fma.rn.f32 %f2, %f2, %f1, %f2;\n"
#define MIX " shl.b32 %r5, %r2, 5;\n xor.b32 %r2, %r2, %r5;\n"
#define LOAD " ld.volatile.shared.f32 %f2, [%r3];\n add.f32 %f1, %f1, %f2;\n"
    KERNEL("fma", FMA FMA FMA " fma.rn.f32 %f1, %f1, %f1, %f1;\n")
        KERNEL("whole", MIX MIX MIX " add.u32 %r2, %r2, %r1;\n")
            KERNEL("shared", LOAD LOAD LOAD " add.f32 %f1, %f1, %f2;\n");

struct launch {
    struct bsim_ptx_call *call;
    bool is_simulated;
    uint32_t n_blocks;
};

static enum bsim_status ignore(void *context, const struct bsim_record *record,
                               struct bsim_error *err)
{
    (void)context, (void)record, (void)err;
    return BSIM_OK;
}

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    return bsim_ptx_call_run(context, sink, err);
}

static double run_launch(void *context)
{
    struct launch *launch = context;
    struct bsim_error err;
    enum bsim_status status;
    if (launch->is_simulated) {
        struct bsim_source source = {.push = push, .context = launch->call};
        struct bsim_run_options options = {.device = NULL};
        struct bsim_result result = {0};
        status = bsim_run(&source, &options, &result, &err);
        bsim_result_free(&result);
    } else {
        struct bsim_sink sink = {.push = ignore};
        status = bsim_ptx_call_run(launch->call, &sink, &err);
    }
    return status == BSIM_OK ? (double)TRIPS * PER_TRIP * WARPS * launch->n_blocks : 0;
}

/* The loop of KERNEL("fma") for a block, its registers in memory. */
static double run_fma_in_c(void *context)
{
    static float a[WARPS][32], b[WARPS][32];
    (void)context;
    for (uint32_t w = 0; w < WARPS; w++) {
        for (uint32_t trip = 0; trip < TRIPS; trip++) {
            for (uint32_t i = 0; i < 7; i++) {
                for (uint32_t l = 0; l < 32; l++) {
                    float *to = i % 2 == 0 ? &a[w][l] : &b[w][l];
                    *to = fmaf(*to, a[w][l], *to);
                }
            }
        }
    }
    return (double)TRIPS * PER_TRIP * WARPS;
}

static double run_whole_in_c(void *context)
{
    static uint32_t a[WARPS][32], b[WARPS][32];
    (void)context;
    for (uint32_t w = 0; w < WARPS; w++) {
        for (uint32_t trip = 0; trip < TRIPS; trip++) {
            for (uint32_t i = 0; i < 3; i++) {
                for (uint32_t l = 0; l < 32; l++) {
                    b[w][l] = a[w][l] << 5;
                }
                for (uint32_t l = 0; l < 32; l++) {
                    a[w][l] ^= b[w][l];
                }
            }
            for (uint32_t l = 0; l < 32; l++) {
                a[w][l] += trip;
            }
        }
    }
    return (double)TRIPS * PER_TRIP * WARPS;
}

static void time_kernel(struct table *table, const char *name, const char *what,
                        double (*in_c)(void *))
{
    char text[64];
    struct bsim_error err;
    struct launch alone = {.n_blocks = 1}, simulated = {.is_simulated = true, .n_blocks = 1};
    (void)snprintf(text, sizeof text, "%s<<<1, 256>>>(float[256])", name);
    if (bsim_ptx_call_new("bench", module, strlen(module), text, &alone.call, &err) != BSIM_OK) {
        table->failed = true;
        return;
    }
    simulated.call = alone.call;
    const struct contender contenders[] = {
        {"launch", run_launch, &alone},
        in_c != NULL ? (struct contender){"plain C", in_c, NULL}
                     : (struct contender){"simulated", run_launch, &simulated}};
    table_row(table, "ptx", what, "warp instructions", contenders, 2);
    bsim_ptx_call_free(alone.call);
}

/* A launch of several blocks, by one thread and by two. */
static void time_jobs(struct table *table, const char *name, const char *what)
{
    enum { N_BLOCKS = 16 };
    struct launch launch[2] = {{.n_blocks = N_BLOCKS}, {.n_blocks = N_BLOCKS}};
    char text[64];
    struct bsim_error err;
    (void)snprintf(text, sizeof text, "%s<<<%d, 256>>>(float[%d])", name, N_BLOCKS, 256 * N_BLOCKS);
    for (uint32_t i = 0; i < 2; i++) {
        struct bsim_ptx_options options = {.jobs = 2 - i};
        if (bsim_ptx_call_new("bench", module, strlen(module), text, &launch[i].call, &err) !=
            BSIM_OK) {
            table->failed = true;
            bsim_ptx_call_free(launch[0].call);
            return;
        }
        bsim_ptx_call_set(launch[i].call, &options);
    }
    const struct contender contenders[] = {{"jobs 2", run_launch, &launch[0]},
                                           {"jobs 1", run_launch, &launch[1]}};
    table_row(table, "ptx", what, "warp instructions", contenders, 2);
    bsim_ptx_call_free(launch[0].call);
    bsim_ptx_call_free(launch[1].call);
}

void bench_ptx(struct table *table)
{
    time_kernel(table, "fma", "multiply-add", run_fma_in_c);
    time_kernel(table, "whole", "whole numbers", run_whole_in_c);
    time_kernel(table, "shared", "shared memory", NULL);
    table->by_wall = true;
    time_jobs(table, "whole", "16 blocks (wall)");
    time_jobs(table, "shared", "16 blocks, shared memory (wall)");
    table->by_wall = false;
}
