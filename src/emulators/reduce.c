/* reduce.c - parallel reductions: each block adds up its part of an array, in global or in shared
 * memory.
 *
 * The kernels stand in documents 000 (reduceGlobalMem, reduceSharedMem, ...Unroll8) and 001
 * (reduceGmem, reduceSmem, reduceUnroll4Smem); of the dynamic forms 001 only says that they differ
 * in the declaration, and their names are those of the book that both follow, "Professional CUDA C
 * Programming" (chapter 5). All halve the block's part step by step, and add the last 64 elements
 * in one warp without barriers: there the lanes run in lockstep and the accesses are volatile. Today's
 * GPUs need more: syncwarp=1.
 *
 * 000 leaves out the threads with idx >= n, 001 those with tid >= n. An n that is no multiple of
 * what a block takes makes either read past the array (and `idx + 3 * blockDim.x <= n` of 001 would
 * admit n itself), so there is no such n here, no thread leaves, and one row stands for both.
 *
 * 000 has blocks of 128 threads. 001 does not say; its program has 1024, which is the initial size
 * of the kernels that are in 001 alone.
 *
 * Every access is to consecutive words: no conflicts on any device. What the published counts show
 * is global memory, per 128 threads: 16 + 24 + 27 + 1 sectors loaded by reduceGmem, 16 by
 * reduceSmem; 33 and 1 stored.
 */
#include "emulators/emulators.h"

#include "base/memory.h"

#include <banksim/kernel.h>

struct reduce_arguments {
    int *g_idata;
    int *g_odata; /* one sum per block */
    unsigned n;
    uint32_t is_volatile; /* the accesses of the last warp */
    uint32_t syncs;       /* with __syncwarp() between their reads and writes */
};

/* ---- what all of them end with -------------------------------------------------------------- */

/* data[tid] += data[tid + distance] is two loads and a store; the order of the loads is free. */
#define ADD_FROM(distance)                       \
    do {                                         \
        LOAD(mine[t], data[tid[t]]);             \
        LOAD(other[t], data[tid[t] + distance]); \
        STORE(data[tid[t]], mine[t] + other[t]); \
    } while (0)
#define ADD_FROM_VOLATILE(distance)                       \
    do {                                                  \
        LOAD_VOLATILE(mine[t], data[tid[t]]);             \
        LOAD_VOLATILE(other[t], data[tid[t] + distance]); \
        STORE_VOLATILE(data[tid[t]], mine[t] + other[t]); \
    } while (0)

/* As CUDA 9 and later ask for it: a barrier where a lane reads what another has written, and one
 * before that is overwritten. */
#define ADD_FROM_SYNCED(distance)                \
    do {                                         \
        LOAD(mine[t], data[tid[t]]);             \
        LOAD(other[t], data[tid[t] + distance]); \
        SYNCWARP();                              \
        STORE(data[tid[t]], mine[t] + other[t]); \
        SYNCWARP();                              \
    } while (0)
#define ADD_ALL(ADD) \
    do {             \
        ADD(32);     \
        ADD(16);     \
        ADD(8);      \
        ADD(4);      \
        ADD(2);      \
        ADD(1);      \
    } while (0)

/* data[0..64) in one warp: lockstep instead of barriers. Lanes that have nothing left to add make
 * sums that nobody needs, as in the documents. volatile=0 leaves away what keeps the compiler from
 * holding sums in registers; syncwarp=1 is right from compute capability 7.0 on as well, where lanes
 * need not run in step. */
static void add_in_last_warp(struct bsim_cta *cta, int *data, const unsigned *tid)
{
    const struct reduce_arguments *a = ARGUMENTS;
    PER_THREAD(int, mine);
    PER_THREAD(int, other);

    WHERE (tid[t] < 32) {
        if (a->syncs != 0) {
            ADD_ALL(ADD_FROM_SYNCED);
        } else if (a->is_volatile != 0) {
            ADD_ALL(ADD_FROM_VOLATILE);
        } else {
            ADD_ALL(ADD_FROM);
        }
    }
}

/* The sum of data[0..blockDim.x) into data[0], and from there into g_odata. */
static void reduce_in_place(struct bsim_cta *cta, int *data, int *g_odata)
{
    PER_THREAD(unsigned, tid);
    PER_THREAD(int, mine);
    PER_THREAD(int, other);

    EACH_THREAD {
        tid[t] = threadIdx.x;
    }
    if (blockDim.x >= 1024) {
        WHERE (tid[t] < 512) {
            ADD_FROM(512);
        }
    }
    SYNCTHREADS();
    if (blockDim.x >= 512) {
        WHERE (tid[t] < 256) {
            ADD_FROM(256);
        }
    }
    SYNCTHREADS();
    if (blockDim.x >= 256) {
        WHERE (tid[t] < 128) {
            ADD_FROM(128);
        }
    }
    SYNCTHREADS();
    if (blockDim.x >= 128) {
        WHERE (tid[t] < 64) {
            ADD_FROM(64);
        }
    }
    SYNCTHREADS();
    add_in_last_warp(cta, data, tid);
    WHERE (tid[t] == 0) {
        LOAD(mine[t], data[0]);
        STORE(g_odata[blockIdx.x], mine[t]);
    }
}

/* ---- one element per thread ----------------------------------------------------------------- */

KERNEL(reduce_global_mem)
{
    const struct reduce_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, idx);

    EACH_THREAD {
        idx[t] = blockIdx.x * blockDim.x + threadIdx.x;
    }
    EXIT_WHERE(idx[t] >= a->n);
    reduce_in_place(cta, a->g_idata + (size_t)blockIdx.x * blockDim.x, a->g_odata);
}

/* What the static and the dynamic form share. */
static void reduce_in_smem(struct bsim_cta *cta, int *smem)
{
    const struct reduce_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, idx);
    PER_THREAD(unsigned, tid);
    PER_THREAD(int, v);

    EACH_THREAD {
        idx[t] = blockIdx.x * blockDim.x + threadIdx.x;
        tid[t] = threadIdx.x;
    }
    EXIT_WHERE(idx[t] >= a->n);
    int *idata = a->g_idata + (size_t)blockIdx.x * blockDim.x;
    LOAD(v[t], idata[tid[t]]);
    STORE(smem[tid[t]], v[t]);
    SYNCTHREADS();
    reduce_in_place(cta, smem, a->g_odata);
}

KERNEL(reduce_shared_mem)
{
    SHARED_1D(int, smem, blockDim.x);
    reduce_in_smem(cta, smem);
}

KERNEL(reduce_shared_mem_dyn)
{
    SHARED_DYNAMIC(int, smem);
    reduce_in_smem(cta, smem);
}

/* ---- four elements per thread --------------------------------------------------------------- */

static void reduce_in_smem_unroll4(struct bsim_cta *cta, int *smem)
{
    const struct reduce_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, idx);
    PER_THREAD(unsigned, tid);
    PER_THREAD(int, a1);
    PER_THREAD(int, a2);
    PER_THREAD(int, a3);
    PER_THREAD(int, a4);
    PER_THREAD(int, temp_sum);

    EACH_THREAD {
        idx[t] = blockIdx.x * blockDim.x * 4 + threadIdx.x;
        tid[t] = threadIdx.x;
    }
    EXIT_WHERE(tid[t] >= a->n);
    WHERE (idx[t] + 3 * blockDim.x <= a->n) {
        LOAD(a1[t], a->g_idata[idx[t]]);
        LOAD(a2[t], a->g_idata[idx[t] + blockDim.x]);
        LOAD(a3[t], a->g_idata[idx[t] + 2 * blockDim.x]);
        LOAD(a4[t], a->g_idata[idx[t] + 3 * blockDim.x]);
        EACH_THREAD {
            temp_sum[t] = a1[t] + a2[t] + a3[t] + a4[t];
        }
    }
    STORE(smem[tid[t]], temp_sum[t]);
    SYNCTHREADS();
    reduce_in_place(cta, smem, a->g_odata);
}

KERNEL(reduce_shared_mem_unroll4)
{
    SHARED_1D(int, smem, blockDim.x);
    reduce_in_smem_unroll4(cta, smem);
}

KERNEL(reduce_shared_mem_unroll4_dyn)
{
    SHARED_DYNAMIC(int, smem);
    reduce_in_smem_unroll4(cta, smem);
}

/* ---- eight elements per thread -------------------------------------------------------------- */

/* The sum of the eight, for each thread. */
static void add_eight(struct bsim_cta *cta, const unsigned *idx, int *sum)
{
    const struct reduce_arguments *a = ARGUMENTS;
    PER_THREAD(int, a1);
    PER_THREAD(int, a2);
    PER_THREAD(int, a3);
    PER_THREAD(int, a4);
    PER_THREAD(int, a5);
    PER_THREAD(int, a6);
    PER_THREAD(int, a7);
    PER_THREAD(int, a8);

    LOAD(a1[t], a->g_idata[idx[t]]);
    LOAD(a2[t], a->g_idata[idx[t] + blockDim.x]);
    LOAD(a3[t], a->g_idata[idx[t] + 2 * blockDim.x]);
    LOAD(a4[t], a->g_idata[idx[t] + 3 * blockDim.x]);
    LOAD(a5[t], a->g_idata[idx[t] + 4 * blockDim.x]);
    LOAD(a6[t], a->g_idata[idx[t] + 5 * blockDim.x]);
    LOAD(a7[t], a->g_idata[idx[t] + 6 * blockDim.x]);
    LOAD(a8[t], a->g_idata[idx[t] + 7 * blockDim.x]);
    EACH_THREAD {
        sum[t] = a1[t] + a2[t] + a3[t] + a4[t] + a5[t] + a6[t] + a7[t] + a8[t];
    }
}

KERNEL(reduce_global_mem_unroll8)
{
    const struct reduce_arguments *a = ARGUMENTS;
    PER_THREAD(unsigned, idx);
    PER_THREAD(int, sum);

    EACH_THREAD {
        idx[t] = blockIdx.x * blockDim.x * 8 + threadIdx.x;
    }
    EXIT_WHERE(idx[t] >= a->n);
    WHERE (idx[t] + 7 * blockDim.x < a->n) {
        add_eight(cta, idx, sum);
        STORE(a->g_idata[idx[t]], sum[t]);
    }
    SYNCTHREADS();
    reduce_in_place(cta, a->g_idata + (size_t)blockIdx.x * blockDim.x * 8, a->g_odata);
}

KERNEL(reduce_shared_mem_unroll8)
{
    const struct reduce_arguments *a = ARGUMENTS;
    SHARED_1D(int, smem, blockDim.x);
    PER_THREAD(unsigned, idx);
    PER_THREAD(unsigned, tid);
    PER_THREAD(int, temp);

    EACH_THREAD {
        idx[t] = blockIdx.x * blockDim.x * 8 + threadIdx.x;
        tid[t] = threadIdx.x;
    }
    EXIT_WHERE(idx[t] >= a->n);
    WHERE (idx[t] + 7 * blockDim.x < a->n) {
        add_eight(cta, idx, temp);
    }
    STORE(smem[tid[t]], temp[t]);
    SYNCTHREADS();
    reduce_in_place(cta, smem, a->g_odata);
}

/* ---- running them --------------------------------------------------------------------------- */

struct reduce_kernel {
    void (*body)(struct bsim_cta *cta);
    uint32_t unroll; /* elements per thread */
    bool is_dynamic;
};

enum {
    GLOBAL_MEM,
    GLOBAL_MEM_UNROLL8,
    SHARED_MEM,
    SHARED_MEM_DYN,
    SHARED_MEM_UNROLL4,
    SHARED_MEM_UNROLL4_DYN,
    SHARED_MEM_UNROLL8,
};

static const struct reduce_kernel reduce_kernel[] = {
    [GLOBAL_MEM] = {reduce_global_mem, 1, false},
    [GLOBAL_MEM_UNROLL8] = {reduce_global_mem_unroll8, 8, false},
    [SHARED_MEM] = {reduce_shared_mem, 1, false},
    [SHARED_MEM_DYN] = {reduce_shared_mem_dyn, 1, true},
    [SHARED_MEM_UNROLL4] = {reduce_shared_mem_unroll4, 4, false},
    [SHARED_MEM_UNROLL4_DYN] = {reduce_shared_mem_unroll4_dyn, 4, true},
    [SHARED_MEM_UNROLL8] = {reduce_shared_mem_unroll8, 8, false},
};

struct reduce_arrays {
    int *in;
    int *out;
    unsigned *expected;
};

static enum bsim_status check_sizes(const struct bsim_emulator *self, uint32_t n, uint32_t block,
                                    uint32_t per_block, struct bsim_error *err)
{
    if ((block & (block - 1)) != 0) {
        return bsim_error_set(
            err, BSIM_E_USAGE,
            "%s: block=%u must be 64, 128, 256, 512 or 1024: the kernel halves it", self->name,
            (unsigned)block);
    }
    if (n % per_block != 0) {
        return bsim_error_set(
            err, BSIM_E_USAGE,
            "%s: n=%u must be a multiple of the %u elements that a block adds up: "
            "the kernel would read past the array",
            self->name, (unsigned)n, (unsigned)per_block);
    }
    return BSIM_OK;
}

static bool make_arrays(struct reduce_arrays *arrays, uint32_t n, uint32_t n_blocks)
{
    arrays->in = bsim_mem_resize(NULL, n, sizeof arrays->in[0]);
    arrays->out = bsim_mem_zeroed(n_blocks, sizeof arrays->out[0]);
    arrays->expected = bsim_mem_zeroed(n_blocks, sizeof arrays->expected[0]);
    return arrays->in != NULL && arrays->out != NULL && arrays->expected != NULL;
}

static void free_arrays(struct reduce_arrays *arrays)
{
    bsim_mem_free(arrays->in);
    bsim_mem_free(arrays->out);
    bsim_mem_free(arrays->expected);
}

/* Numbers below 256, as in the documents' programs, in no order; and the sums, before a kernel
 * overwrites its input. */
static void fill(struct reduce_arrays *arrays, uint32_t n, uint32_t per_block)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t scattered = i * UINT32_C(2654435761);
        arrays->in[i] = (int)(scattered >> 24);
        arrays->expected[i / per_block] += scattered >> 24;
    }
}

static enum bsim_status launch_kernel(const struct bsim_emulator *self,
                                      const struct reduce_arrays *arrays, const uint32_t *value,
                                      uint32_t n_blocks, const struct bsim_sink *sink,
                                      struct bsim_error *err)
{
    uint32_t n = value[0];
    uint32_t block = value[1];
    const struct reduce_kernel *kernel = &reduce_kernel[self->variant];
    struct reduce_arguments a = {arrays->in, arrays->out, n, value[2], value[3]};
    struct bsim_launch launch = {
        .name = self->name,
        .grid = {n_blocks, 1, 1},
        .block = {block, 1, 1},
        .dynamic_shared_bytes = kernel->is_dynamic ? block * (uint32_t)sizeof(int) : 0,
        .body = kernel->body,
        .arguments = &a,
        .n_arrays = 2,
        .arrays = {{arrays->in, n * sizeof(int), BSIM_GLOBAL},
                   {arrays->out, n_blocks * sizeof(int), BSIM_GLOBAL}},
    };
    return bsim_launch_check(&launch, (const unsigned *)arrays->out, arrays->expected, n_blocks,
                             sink, err);
}

static enum bsim_status run_reduce(const struct bsim_emulator *self, const uint32_t *value,
                                   const struct bsim_sink *sink, struct bsim_error *err)
{
    uint32_t n = value[0];
    uint32_t block = value[1];
    uint32_t per_block = block * reduce_kernel[self->variant].unroll;
    enum bsim_status status = check_sizes(self, n, block, per_block, err);
    if (status != BSIM_OK) {
        return status;
    }
    struct reduce_arrays arrays;
    if (make_arrays(&arrays, n, n / per_block)) {
        fill(&arrays, n, per_block);
        status = launch_kernel(self, &arrays, value, n / per_block, sink, err);
    } else {
        status = bsim_error_set(err, BSIM_E_MEMORY, "no memory for the arrays of %s", self->name);
    }
    free_arrays(&arrays);
    return status;
}

/* ---- the table ------------------------------------------------------------------------------ */

#define N_HELP "elements; a multiple of what a block adds up"
#define BLOCK_HELP "threads of a block: 64, 128, 256, 512 or 1024"
#define VOLATILE_HELP "0: the last warp's accesses are not volatile; a race"
#define SYNCWARP_HELP "1: the last warp has __syncwarp() instead, as cc 7.0 and later need"

static const struct bsim_parameter parameters[] = {
    {"n", N_HELP, 1048576, 64, 1 << 26},
    {"block", BLOCK_HELP, 128, 64, 1024},
    {"volatile", VOLATILE_HELP, 1, 0, 1},
    {"syncwarp", SYNCWARP_HELP, 0, 0, 1},
};
static const struct bsim_parameter parameters_001[] = {
    {"n", N_HELP, 1048576, 64, 1 << 26},
    {"block", BLOCK_HELP, 1024, 64, 1024},
    {"volatile", VOLATILE_HELP, 1, 0, 1},
    {"syncwarp", SYNCWARP_HELP, 0, 0, 1},
};

#define REDUCE(id, ORIGINAL, DOCUMENTS, SHOWS, VARIANT, PARAMETERS)                         \
    {                                                                                       \
        .name = "reduce_" id, .original = ORIGINAL, .documents = DOCUMENTS, .shows = SHOWS, \
        .n_parameters = 4, .parameters = PARAMETERS, .run = run_reduce, .variant = VARIANT  \
    }

const struct bsim_emulator bsim_reduce_emulators[] = {
    REDUCE("global_mem", "reduceGlobalMem reduceGmem", "000 001",
           "sums of blocks in global memory: no shared memory", GLOBAL_MEM, parameters),
    REDUCE("shared_mem", "reduceSharedMem reduceSmem", "000 001",
           "sums of blocks in shared memory: no conflict", SHARED_MEM, parameters),
    REDUCE("shared_mem_dyn", "reduceSmemDyn", "001",
           "sums of blocks in dynamic shared memory: no conflict", SHARED_MEM_DYN, parameters),
    REDUCE("global_mem_unroll8", "reduceGlobalMemUnroll8", "000",
           "eight elements per thread, in global memory", GLOBAL_MEM_UNROLL8, parameters),
    REDUCE("shared_mem_unroll8", "reduceSharedMemUnroll8", "000",
           "eight elements per thread, in shared memory: no conflict", SHARED_MEM_UNROLL8,
           parameters),
    REDUCE("shared_mem_unroll4", "reduceUnroll4Smem reduceSmemUnroll", "001",
           "four elements per thread, in shared memory: no conflict", SHARED_MEM_UNROLL4,
           parameters_001),
    REDUCE("shared_mem_unroll4_dyn", "reduceSmemUnrollDyn", "001",
           "four elements per thread, in dynamic shared memory: no conflict",
           SHARED_MEM_UNROLL4_DYN, parameters_001),
    {0},
};
