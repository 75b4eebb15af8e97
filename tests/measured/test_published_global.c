/* test_published_global.c - what nvprof counted of global memory, on GPUs that others measured.
 *
 * The kernels are the documents' where they exist here, and written out below where they do not.
 * Every block of a reduction does the same, so a part of the published blocks is run and the
 * published number divided; the 2 loads that nvprof adds to a kernel on a Pascal stay (see
 * src/model/sector.c).
 */
#include <banksim/banksim.h>
#include <banksim/kernel.h>

#include "result/result.h"
#include "sim/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct bsim_sim *new_sim(const char *device_name)
{
    struct bsim_device device;
    assert_int_equal(bsim_device_find(device_name, NULL, &device, NULL), BSIM_OK);
    struct bsim_sim_options options = {.device = &device};
    struct bsim_sim *sim = bsim_sim_new(&options);
    assert_non_null(sim);
    return sim;
}

struct transactions {
    uint64_t gld, gst;
};

static struct transactions finish(struct bsim_sim *sim)
{
    struct bsim_result result;
    assert_int_equal(bsim_sim_result(sim, &result, NULL), BSIM_OK);
    assert_int_equal(result.n_kernels, 1);
    struct transactions t = {bsim_kernel_gld_transactions(&result.kernels[0]),
                             result.kernels[0].global[BSIM_STORES].transactions};
    bsim_result_free(&result);
    bsim_sim_free(sim);
    return t;
}

/* ---- kernels that exist here ---------------------------------------------------------------- */

struct published {
    const char *source;
    const char *device;
    const char *kernel;
    const char *settings[4]; /* up to a NULL */
    uint32_t parts;          /* published blocks per block that is run */
    uint32_t extra;          /* loads that do not depend on the number of blocks */
    uint64_t gld, gst;       /* as published */
};

/* clang-format off */
static const struct published table[] = {
    {"nvprof, Tesla V100, reduceSmem, 16,777,216 ints, blocks of 128", "v100", "reduce_shared_mem",
     {"n=131072", "block=128"}, 128, 0, 2097152, 131072},
    {"nvprof, Tesla V100, reduceGmem, 16,777,216 ints, blocks of 128", "v100", "reduce_global_mem",
     {"n=131072", "block=128"}, 128, 0, 8912896, 4325376},
    {"nvprof, GeForce GT 1030, reduction in global memory, 4,194,304 ints, blocks of 1024",
     "gt1030", "reduce_global_mem", {"n=131072", "block=1024"}, 32, 2, 4734978, 593920},
/* nvprof, Jetson Nano (Tegra X1, 5.3: the nearest here is 5.2), 1024 x 1024, blocks of 16 x 16. */
#define X1(kernel, gst)                                                                           \
    {"nvprof, Jetson Nano, L. Dalmasso's report", "sm_52", kernel,                                \
     {"nx=1024", "ny=1024", "bdimx=16", "bdimy=16"}, 1, 2, 524290, gst}
    X1("copy_row", 131072),
    X1("transpose_naive_col", 131072),
    X1("transpose_unroll4_col", 131072),
    X1("transpose_shared", 131072),
    X1("transpose_shared_pad", 131072),
    X1("copy_col", 1048576),
    X1("transpose_naive_row", 1048576),
    X1("transpose_unroll4_row", 1048576),
    X1("transpose_diagonal_row", 1048576),
};
/* clang-format on */

static struct transactions run_emulator(const struct published *p)
{
    const struct bsim_emulator *emulator;
    struct bsim_error err;
    size_t n = 0;
    while (n < 4 && p->settings[n] != NULL) {
        n++;
    }
    struct bsim_sim *sim = new_sim(p->device);
    struct bsim_sink sink = bsim_sim_sink(sim);
    if (bsim_emulator_find(p->kernel, &emulator, &err) != BSIM_OK ||
        bsim_emulator_run(emulator, p->settings, n, &sink, &err) != BSIM_OK) {
        fail_msg("%s: %s", p->kernel, err.message);
    }
    return finish(sim);
}

static void emulated_kernels_count_as_published(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct published *p = &table[i];
        struct transactions t = run_emulator(p);
        uint64_t gld = (t.gld - p->extra) * p->parts + p->extra;
        uint64_t gst = t.gst * p->parts;
        if (gld != p->gld || gst != p->gst) {
            fail_msg("%s on %s: gld %llu, gst %llu; %s: %llu, %llu", p->kernel, p->device,
                     (unsigned long long)gld, (unsigned long long)gst, p->source,
                     (unsigned long long)p->gld, (unsigned long long)p->gst);
        }
    }
}

/* ---- readOffset: C[i] = A[i + offset] + B[i + offset] ---------------------------------------- */

struct offset_arguments {
    const float *a, *b;
    float *c;
    uint32_t n, offset;
};

KERNEL(read_offset)
{
    const struct offset_arguments *arg = ARGUMENTS;
    PER_THREAD(uint32_t, i);
    PER_THREAD(float, x);
    PER_THREAD(float, y);

    EACH_THREAD {
        i[t] = blockIdx.x * blockDim.x + threadIdx.x;
    }
    WHERE (i[t] + arg->offset < arg->n) {
        LOAD(x[t], arg->a[i[t] + arg->offset]);
        LOAD(y[t], arg->b[i[t] + arg->offset]);
        STORE(arg->c[i[t]], x[t] + y[t]);
    }
}

/* nvprof, Tesla V100, readOffset of "Professional CUDA C Programming" ch. 4, 1,048,576 elements,
 * here with blocks of 512 as in the book. */
static void read_offset_counts_as_published(void **state)
{
    (void)state;
    static const struct {
        uint32_t offset;
        uint64_t gld;
    } cases[] = {{0, 262144}, {11, 327676}, {16, 262140}, {32, 262136}, {128, 262112}};
    enum { N = 1048576 };
    float *data = calloc(3 * (size_t)N, sizeof *data);
    assert_non_null(data);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct offset_arguments a = {data, data + N, data + 2 * (size_t)N, N, cases[i].offset};
        struct bsim_launch launch = {
            .name = "readOffset",
            .grid = {N / 512, 1, 1},
            .block = {512, 1, 1},
            .body = read_offset,
            .arguments = &a,
            .n_arrays = 3,
            .arrays = {{data, N * sizeof *data, BSIM_GLOBAL},
                       {data + N, N * sizeof *data, BSIM_GLOBAL},
                       {data + 2 * (size_t)N, N * sizeof *data, BSIM_GLOBAL}},
        };
        struct bsim_sim *sim = new_sim("v100");
        struct bsim_sink sink = bsim_sim_sink(sim);
        assert_int_equal(bsim_launch_run(&launch, &sink, NULL), BSIM_OK);
        assert_int_equal(bsim_push_end(&sink, NULL), BSIM_OK);
        struct transactions t = finish(sim);
        assert_int_equal(t.gld, cases[i].gld);
    }
    free(data);
}

/* ---- a reduction that was published with a slip ----------------------------------------------
 *
 * "reduction_smem", nvprof on a GeForce GT 1030: copies its part to shared memory, reduces in
 * global memory all the same down to 64, and finishes in shared memory; the result is taken from
 * global memory. Published: gld 6,045,698, gst 495,616 for 4096 blocks of 1024. */

struct slip_arguments {
    int *in, *out;
};

KERNEL(reduction_smem)
{
    const struct slip_arguments *a = ARGUMENTS;
    SHARED_1D(int, smem, 1024);
    PER_THREAD(int, x);
    PER_THREAD(int, y);
    int *i_data = a->in + (size_t)blockIdx.x * blockDim.x;

    LOAD(x[t], i_data[threadIdx.x]);
    STORE(smem[threadIdx.x], x[t]);
    SYNCTHREADS();
    for (unsigned half = 512; half >= 64; half /= 2) {
        WHERE (threadIdx.x < half) {
            LOAD(x[t], i_data[threadIdx.x]);
            LOAD(y[t], i_data[threadIdx.x + half]);
            STORE(i_data[threadIdx.x], x[t] + y[t]);
        }
        SYNCTHREADS();
    }
    WHERE (threadIdx.x < 32) {
        for (unsigned half = 32; half >= 1; half /= 2) {
            LOAD_VOLATILE(x[t], smem[threadIdx.x]);
            LOAD_VOLATILE(y[t], smem[threadIdx.x + half]);
            STORE_VOLATILE(smem[threadIdx.x], x[t] + y[t]);
        }
    }
    WHERE (threadIdx.x == 0) {
        LOAD(x[t], i_data[0]);
        STORE(a->out[blockIdx.x], x[t]);
    }
}

static void slipped_reduction_counts_as_published(void **state)
{
    (void)state;
    enum { BLOCKS = 64, PUBLISHED_BLOCKS = 4096, N = BLOCKS * 1024 };
    int *in = calloc(N, sizeof *in);
    int out[BLOCKS];
    assert_non_null(in);
    struct slip_arguments a = {in, out};
    struct bsim_launch launch = {
        .name = "reduction_smem",
        .grid = {BLOCKS, 1, 1},
        .block = {1024, 1, 1},
        .body = reduction_smem,
        .arguments = &a,
        .n_arrays = 2,
        .arrays = {{in, N * sizeof *in, BSIM_GLOBAL}, {out, sizeof out, BSIM_GLOBAL}},
    };
    struct bsim_sim *sim = new_sim("gt1030");
    struct bsim_sink sink = bsim_sim_sink(sim);
    assert_int_equal(bsim_launch_run(&launch, &sink, NULL), BSIM_OK);
    assert_int_equal(bsim_push_end(&sink, NULL), BSIM_OK);
    struct transactions t = finish(sim);
    free(in);
    assert_int_equal((t.gld - 2) * (PUBLISHED_BLOCKS / BLOCKS) + 2, 6045698);
    assert_int_equal(t.gst * (PUBLISHED_BLOCKS / BLOCKS), 495616);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emulated_kernels_count_as_published),
        cmocka_unit_test(read_offset_counts_as_published),
        cmocka_unit_test(slipped_reduction_counts_as_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
