/* global.cu - what loads and stores of global and constant memory take: clocks per warp request of an
 * SM, latencies, and whether the data pipe is the one that shared memory uses.
 *
 * Addresses are lane * stride (4-byte words) plus a base that stays (L1) or moves on (L2, DRAM), so
 * a stride says how many sectors and lines a request touches. The fastest of several launches counts.
 *
 *      nvcc -arch=sm_90 -O3 -std=c++17 -o global global.cu
 *      ./global          what,kind,level,sms,warps,stride,sectors,lines,clocks,us
 *      ./global counted  for a profiler: one launch of each request that L1 or L2 answers
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { UNROLLED = 8, LANES = 32, N_CONSTANTS = 4096 };
enum kind { CA, CG, NC, ST };

static const char *const kind_name[] = {"ld.ca", "ld.cg", "ld.nc", "st"};

struct note {
    uint64_t begin, end, ns;
    uint32_t sm, sum;
};

static void check(cudaError_t status, int line)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "global: line %d: %s\n", line, cudaGetErrorString(status));
        exit(1);
    }
}
#define CHECK(CALL) check(CALL, __LINE__)

/* ---- throughput ------------------------------------------------------------------------------- */

template <int KIND> static __device__ __forceinline__ uint32_t access(char *at)
{
    uint32_t x = 0;
    if (KIND == CA) {
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(x) : "l"(at));
    } else if (KIND == CG) {
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(at));
    } else if (KIND == NC) {
        asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(x) : "l"(at));
    } else {
        asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(0) : "memory");
    }
    return x;
}

/* The eight accesses of a turn lie `inner` sectors within a line, then `outer` bytes apart; turns
 * move on by `advance`, modulo a power of two. */
struct walk {
    uint32_t stride, inner;
    uint64_t own, outer, advance, mask;
    uint32_t turns;
};

template <int KIND>
__global__ void __launch_bounds__(1024) requests(char *base, struct walk walk, struct note *note)
{
    __shared__ unsigned long long first, last;
    uint32_t warp = blockIdx.x * (blockDim.x / LANES) + threadIdx.x / LANES, sum = 0;
    uint64_t at = warp * walk.own, lane = threadIdx.x % LANES * (uint64_t)walk.stride;
    uint64_t offset[UNROLLED];
    for (int k = 0; k < UNROLLED; k++) {
        offset[k] = k % walk.inner * 32 + k / walk.inner * walk.outer + lane;
    }
    if (threadIdx.x == 0) {
        first = ~0ull;
        last = 0;
    }
    if (walk.advance == 0) { /* into L1, and into the instruction cache */
        for (int k = 0; k < UNROLLED; k++) {
            sum += access<KIND>(base + at + offset[k]);
        }
    }
    __syncthreads();
    __syncthreads();
    uint64_t begin = clock64();
#pragma unroll 1
    for (uint32_t i = 0; i < walk.turns; i++) {
        char *p = base + (at & walk.mask);
#pragma unroll
        for (int k = 0; k < UNROLLED; k++) {
            sum += access<KIND>(p + offset[k]);
        }
        at += walk.advance;
    }
    if (sum == 0x12345678) {
        note[blockIdx.x].sum = sum;
    }
    __threadfence_block();
    uint64_t end = clock64();
    atomicMin(&first, (unsigned long long)begin);
    atomicMax(&last, (unsigned long long)end);
    __syncthreads();
    if (threadIdx.x == 0) {
        note[blockIdx.x].begin = first;
        note[blockIdx.x].end = last;
    }
}

static int launches = 4;
static struct note *notes;
static char *memory;
static const uint64_t MEMORY = 12ull << 30;

struct timed {
    double clocks, us;
};

/* Fastest launch: clocks of the slowest block, and the time of the whole launch. */
template <class LAUNCH> static struct timed fastest(int blocks, LAUNCH launch)
{
    struct timed best = {1e30, 1e30};
    std::vector<struct note> got(blocks);
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (int i = 0; i < launches; i++) {
        float ms;
        CHECK(cudaEventRecord(begin));
        launch();
        CHECK(cudaEventRecord(end));
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        CHECK(cudaMemcpy(got.data(), notes, blocks * sizeof *notes, cudaMemcpyDeviceToHost));
        double clocks = 0;
        for (const struct note &note : got) {
            clocks = std::max(clocks, (double)(note.end - note.begin));
        }
        best.clocks = std::min(best.clocks, clocks);
        best.us = std::min(best.us, (double)ms * 1000);
    }
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    return best;
}

static int touched(uint32_t stride, uint32_t unit)
{
    std::vector<uint32_t> units;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        units.push_back(lane * stride / unit);
    }
    return (int)(std::unique(units.begin(), units.end()) - units.begin());
}

template <int KIND>
static void time_requests(const char *level, int sms, int warps, const struct walk &walk)
{
    struct timed t = fastest(
        sms, [&] { requests<KIND><<<sms, warps * LANES>>>(memory, walk, notes); });
    double n = (double)walk.turns * UNROLLED * warps;
    printf("throughput,%s,%s,%d,%d,%u,%d,%d,%.3f,%.2f\n", kind_name[KIND], level, sms, warps,
           walk.stride, touched(walk.stride, 32), touched(walk.stride, 128), t.clocks / n, t.us);
}

static void counted()
{
    static const uint32_t strides[] = {0, 4, 8, 16, 32, 64, 128, 36, 68, 132};
    for (uint32_t stride : strides) {
        uint64_t step = 32 * UNROLLED * 4224;
        time_requests<CA>("l1", 1, 32, (struct walk){stride, 1, 0, 0, 0, ~0ull, 128});
        time_requests<NC>("l1", 1, 32, (struct walk){stride, 1, 0, 0, 0, ~0ull, 128});
        time_requests<ST>("l1", 1, 32, (struct walk){stride, 1, 0, 0, 0, ~0ull, 128});
        time_requests<CA>("l2", 1, 32, (struct walk){stride, 1, step / 32, 4224, step, ~0ull, 8});
    }
}

static void throughput(int all)
{
    static const uint32_t strides[] = {0, 4, 8, 16, 32, 64, 128, 36, 68, 132};
    for (uint32_t stride : strides) {
        struct walk l1 = {stride, 1, 0, 0, 0, ~0ull, 256};
        time_requests<CA>("l1", 1, 32, l1);
        time_requests<NC>("l1", 1, 32, l1);
        if (stride == 4 || stride == 128) {
            time_requests<CA>("l1", 1, 1, l1);
            time_requests<CA>("l1", all, 32, l1);
        }
    }
    static const uint32_t further[] = {4, 8, 16, 32, 64, 128, 132};
    for (uint32_t stride : further) {
        uint64_t span = stride * 32ull, round = 1ull << 24;
        uint32_t inner = stride >= 64 ? stride / 32 : 1;
        /* L2: each SM walks through 16 MiB, or each warp of all through its own few lines, around L1. */
        uint64_t step = 32 * UNROLLED * (stride == 132 ? 4096 : span);
        struct walk one = {stride, 1, step / 32, step / 32 / UNROLLED, step, round - 1, 64};
        time_requests<CA>("l2", 1, 32, one);
        time_requests<CG>("l2", 1, 32, one);
        time_requests<ST>("l2", 1, 32, one);
        struct walk own = {stride, inner, UNROLLED / inner * span, span, 0, ~0ull, 128};
        if (stride <= 128) {
            time_requests<CG>("l2", all, 16, own);
            time_requests<ST>("l2", all, 16, own);
        }
    }
    static const uint32_t scattered[] = {4, 32, 64, 128};
    for (uint32_t stride : scattered) {
        uint64_t span = stride * 32ull, warps = 32ull * all;
        uint32_t turns = (uint32_t)((MEMORY - (1ull << 30)) / (warps * UNROLLED * span));
        turns = std::min(turns, 256u);
        struct walk dram = {stride, 1, span * UNROLLED, span, warps * span * UNROLLED, ~0ull, turns};
        time_requests<CA>("dram", all, 32, dram);
        time_requests<ST>("dram", all, 32, dram);
        struct walk one = {stride, 1, span * UNROLLED, span, 32 * span * UNROLLED, ~0ull, 64};
        one.turns = std::min(64u * 128, (uint32_t)((MEMORY - (1ull << 30)) / one.advance));
        time_requests<CA>("dram", 1, 32, one);
    }
}

/* ---- latency ---------------------------------------------------------------------------------- */

/* word[i] = (i + step) mod n: a lane that follows its own address. */
__global__ void fill(uint32_t *word, uint32_t n, uint32_t step)
{
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        word[i] = (uint32_t)((i + step) % n);
    }
}

template <int KIND>
__global__ void chase(char *base, uint32_t stride, uint32_t turns, bool warm, struct note *note)
{
    uint32_t at = threadIdx.x * stride / 4;
    if (warm) {
        at = access<KIND>(base + at * 4ull);
        at = access<KIND>(base + at * 4ull);
    }
    uint64_t begin = clock64();
#pragma unroll 1
    for (uint32_t i = 0; i < turns; i += 4) {
#pragma unroll
        for (int k = 0; k < 4; k++) {
            at = access<KIND>(base + at * 4ull);
        }
    }
    note->sum = at;
    __threadfence_block();
    uint64_t end = clock64();
    if (threadIdx.x == 0) {
        note->begin = begin;
        note->end = end;
    }
}

template <int KIND>
static void time_chase(const char *level, uint32_t lanes, uint32_t stride, uint32_t step, bool warm)
{
    uint32_t turns = 1024, n = step == 0 ? 1u << 16 : 1u << 28;
    fill<<<1024, 256>>>((uint32_t *)memory, n, step);
    struct timed t = fastest(1, [&] {
        if (step > 0) { /* out of L2 */
            CHECK(cudaMemset(memory + MEMORY / 2, 0, 1 << 28));
        }
        chase<KIND><<<1, lanes>>>(memory, stride, turns, warm, notes);
    });
    printf("latency,%s,%s,1,%s,%u,%d,%d,%.2f,%.2f\n", kind_name[KIND], level,
           lanes == 1 ? "1 lane" : "1", stride, lanes == 1 ? 1 : touched(stride, 32),
           lanes == 1 ? 1 : touched(stride, 128), t.clocks / turns, t.us);
}

static void latency()
{
    time_chase<CA>("l1", 1, 4, 0, true);
    time_chase<NC>("l1", 1, 4, 0, true);
    static const uint32_t strides[] = {4, 8, 16, 32, 64, 128, 132};
    for (uint32_t stride : strides) {
        time_chase<CA>("l1", 32, stride, 0, true);
        time_chase<NC>("l1", 32, stride, 0, true);
        time_chase<CG>("l2", 32, stride, 0, true);
    }
    time_chase<CG>("l2", 1, 4, 0, true);
    time_chase<CA>("dram", 1, 4, (64 << 10) / 4 + 32, false); /* 1024 of them: 64 MiB */
    time_chase<CA>("dram", 32, 4, (512 << 10) / 4 + 32, false); /* 512 MiB */
}

/* ---- constant memory -------------------------------------------------------------------------- */

__constant__ uint32_t table[N_CONSTANTS];

/* Lane l follows word l mod distinct * spacing, which holds its own index. */
template <int CHAINS>
__global__ void constants(uint32_t distinct, uint32_t spacing, uint32_t turns, struct note *note)
{
    __shared__ unsigned long long first, last;
    uint32_t at[CHAINS], sum = 0;
    for (int c = 0; c < CHAINS; c++) {
        at[c] = (threadIdx.x + c) % distinct * spacing; /* chains that look different */
    }
    if (threadIdx.x == 0) {
        first = ~0ull;
        last = 0;
    }
    at[0] = table[at[0]];
    __syncthreads();
    __syncthreads();
    uint64_t begin = clock64();
#pragma unroll 1
    for (uint32_t i = 0; i < turns; i++) {
#pragma unroll
        for (int c = 0; c < CHAINS; c++) {
            at[c] = table[at[c]];
        }
    }
    for (int c = 0; c < CHAINS; c++) {
        sum += at[c];
    }
    if (sum == 0x12345678) {
        note->sum = sum;
    }
    __threadfence_block();
    uint64_t end = clock64();
    atomicMin(&first, (unsigned long long)begin);
    atomicMax(&last, (unsigned long long)end);
    __syncthreads();
    if (threadIdx.x == 0) {
        note->begin = first;
        note->end = last;
    }
}

/* A lone lane that goes through `bytes` of constant memory, 64 bytes at a time. */
__global__ void constant_walk(uint32_t words, uint32_t turns, struct note *note)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < words / 16; i++) {
        at = (table[at] + 16) % words;
    }
    uint64_t begin = clock64();
#pragma unroll 1
    for (uint32_t i = 0; i < turns; i++) {
        at = (table[at] + 16) & (words - 1);
    }
    note->sum = at;
    __threadfence_block();
    note->end = clock64();
    note->begin = begin;
}

static void constant_memory()
{
    std::vector<uint32_t> words(N_CONSTANTS);
    for (uint32_t i = 0; i < N_CONSTANTS; i++) {
        words[i] = i;
    }
    CHECK(cudaMemcpyToSymbol(table, words.data(), N_CONSTANTS * sizeof words[0]));
    for (uint32_t distinct = 1; distinct <= LANES; distinct *= 2) {
        for (uint32_t spacing = 1; spacing <= 8; spacing *= 8) {
            struct timed t =
                fastest(1, [&] { constants<1><<<1, 32>>>(distinct, spacing, 256, notes); });
            printf("latency,ld.const,cache,1,1,%u,%u,1,%.2f,%.2f\n", 4 * spacing, distinct,
                   t.clocks / 256, t.us);
            t = fastest(1, [&] { constants<4><<<1, 32>>>(distinct, spacing, 256, notes); });
            printf("throughput,ld.const,cache,1,1,%u,%u,1,%.3f,%.2f\n", 4 * spacing, distinct,
                   t.clocks / (256 * 4), t.us);
            t = fastest(1, [&] { constants<4><<<1, 1024>>>(distinct, spacing, 256, notes); });
            printf("throughput,ld.const,cache,1,32,%u,%u,1,%.3f,%.2f\n", 4 * spacing, distinct,
                   t.clocks / (256 * 4 * 32), t.us);
        }
    }
    for (uint32_t words_walked = 64; words_walked <= N_CONSTANTS; words_walked *= 2) {
        struct timed t = fastest(1, [&] { constant_walk<<<1, 1>>>(words_walked, 1024, notes); });
        printf("walk,ld.const,%u bytes,1,1 lane,64,1,1,%.2f,%.2f\n", words_walked * 4,
               t.clocks / 1024, t.us);
    }
}

/* ---- one data pipe or two ---------------------------------------------------------------------- */

extern __shared__ __align__(1024) uint32_t window[];

/* Warps below `n_global` load from global memory (L1 has it), those from there on from shared. */
__global__ void __launch_bounds__(1024)
    mixed(char *base, uint32_t n_global, uint32_t global_stride, uint32_t shared_stride,
          uint32_t zero, uint32_t turns, struct note *note)
{
    __shared__ unsigned long long first, last;
    uint32_t lane = threadIdx.x % LANES, sum = 0;
    uint64_t offset[UNROLLED];
    for (int k = 0; k < UNROLLED; k++) {
        offset[k] = k * (uint64_t)zero; /* ptxas merges loads of one address */
    }
    bool is_global = threadIdx.x / LANES < n_global;
    char *at = base + lane * (uint64_t)global_stride;
    uint32_t in = (uint32_t)__cvta_generic_to_shared(window) + lane * shared_stride;
    if (threadIdx.x == 0) {
        first = ~0ull;
        last = 0;
    }
    sum += access<CA>(at);
    __syncthreads();
    __syncthreads();
    uint64_t begin = clock64();
    if (is_global) {
#pragma unroll 1
        for (uint32_t i = 0; i < turns; i++) {
#pragma unroll
            for (int k = 0; k < UNROLLED; k++) {
                sum += access<CA>(at + offset[k]);
            }
            at += zero;
        }
    } else {
#pragma unroll 1
        for (uint32_t i = 0; i < turns; i++) {
#pragma unroll
            for (int k = 0; k < UNROLLED; k++) {
                uint32_t x;
                asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(x) : "r"(in));
                sum += x;
            }
        }
    }
    if (sum == 0x12345678) {
        note->sum = sum;
    }
    __threadfence_block();
    uint64_t end = clock64();
    atomicMin(&first, (unsigned long long)begin);
    atomicMax(&last, (unsigned long long)end);
    __syncthreads();
    if (threadIdx.x == 0) {
        note->begin = first;
        note->end = last;
    }
}

/* us has the number of global warps here; clocks are those per request of a warp in turns * 8. */
static void one_pipe()
{
    static const uint32_t strides[][2] = {{4, 4}, {128, 128}, {128, 4}, {4, 128}, {132, 128}, {132, 4}};
    CHECK(cudaFuncSetAttribute(mixed, cudaFuncAttributeMaxDynamicSharedMemorySize, 8192));
    for (const uint32_t *stride : strides) {
        static const uint32_t shapes[][2] = {{16, 16}, {0, 16}, {16, 32}};
        for (const uint32_t *shape : shapes) {
            struct timed t = fastest(1, [&] {
                mixed<<<1, shape[1] * LANES, 8192>>>(memory, shape[0], stride[0], stride[1], 0, 128, notes);
            });
            printf("mixed,%u global and %u shared warps,l1,1,%u,%u and %u,,,%.2f,%.2f\n", shape[0],
                   shape[1] - shape[0], shape[1], stride[0], stride[1], t.clocks / (128 * UNROLLED),
                   t.us);
        }
    }
}

/* ---- load from global, store into shared, compute --------------------------------------------- */

enum { UNCOALESCED, CONFLICTS, PADDED };

/* A block per tile of 32 x 32 words of a matrix, `pitch` words from row to row. */
template <int HOW, int COMPUTES>
__global__ void __launch_bounds__(1024)
    quadratic(const uint32_t *in, uint32_t pitch, uint32_t *out, struct note *note)
{
    __shared__ uint32_t s[32][32 + (HOW == PADDED)];
    __shared__ unsigned long long first, last;
    uint32_t x = threadIdx.x, y = threadIdx.y, sum = 0, id = y * 32 + x;
    uint32_t tiles = pitch / 32;
    const uint32_t *tile =
        in + (uint64_t)(blockIdx.x / tiles) * 32 * pitch + blockIdx.x % tiles * 32;
    if (id == 0) {
        first = ~0ull;
        last = 0;
    }
    __syncthreads();
    __syncthreads();
    uint64_t begin = clock64();
    if (HOW == UNCOALESCED) {
        s[y][x] = tile[(uint64_t)x * pitch + y];
    } else {
        s[x][y] = tile[(uint64_t)y * pitch + x];
    }
    __syncthreads();
    if (COMPUTES) {
        for (uint32_t k = 0; k < 32; k++) {
            uint32_t one = s[k][x], other = s[k][y];
            sum += (one - other) * (one - other);
        }
    } else {
        sum = s[y][x];
    }
    out[blockIdx.x * 1024ull + id] = sum;
    uint64_t end = clock64();
    atomicMin(&first, (unsigned long long)begin);
    atomicMax(&last, (unsigned long long)end);
    __syncthreads();
    if (id == 0) {
        note[blockIdx.x].begin = first;
        note[blockIdx.x].end = last;
    }
}

template <int HOW, int COMPUTES> static void time_quadratic(const char *name, int blocks, uint32_t pitch)
{
    uint32_t *in = (uint32_t *)memory, *out = (uint32_t *)(memory + MEMORY / 2);
    struct timed t = fastest(blocks, [&] {
        quadratic<HOW, COMPUTES><<<blocks, dim3(32, 32)>>>(in, pitch, out, notes);
    });
    printf("quadratic,%s%s,pitch %u,%d,32,,,,%.1f,%.2f\n", name, COMPUTES ? "" : " copy", pitch,
           blocks, t.clocks, t.us);
}

static void quadratics(int all)
{
    const int counts[] = {1, all, all * 2, all * 128};
    const uint32_t pitches[] = {32, 33 * 32, 4096};
    for (int blocks : counts) {
        for (uint32_t pitch : pitches) {
            time_quadratic<UNCOALESCED, 1>("uncoalesced", blocks, pitch);
            time_quadratic<CONFLICTS, 1>("conflicts", blocks, pitch);
            time_quadratic<PADDED, 1>("padded", blocks, pitch);
            time_quadratic<UNCOALESCED, 0>("uncoalesced", blocks, pitch);
            time_quadratic<CONFLICTS, 0>("conflicts", blocks, pitch);
            time_quadratic<PADDED, 0>("padded", blocks, pitch);
        }
    }
}

/* 003's two statements in some warps of a block, each with a word of 32 rows of its own; the clock stops
 * when each warp has the value that it stored back from shared memory, behind its store. */
template <int HOW>
__global__ void __launch_bounds__(1024) statement(const uint32_t *in, struct note *note)
{
    __shared__ uint32_t s[32][32 + (HOW == PADDED)];
    __shared__ unsigned long long first, last;
    uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    volatile uint32_t *to = HOW == UNCOALESCED ? &s[warp][lane] : &s[lane][warp];
    const uint32_t *from = HOW == UNCOALESCED ? in + lane * 32 + warp : in + warp * 32 + lane;
    if (threadIdx.x == 0) {
        first = ~0ull;
        last = 0;
    }
    __syncthreads();
    __syncthreads();
    uint64_t begin = clock64();
    *to = *from;
    if (*(volatile uint32_t *)&s[warp][0] == 1) { /* all are 0: the warp waits, no more */
        asm volatile("trap;");
    }
    uint64_t end = clock64();
    atomicMin(&first, (unsigned long long)begin);
    atomicMax(&last, (unsigned long long)end);
    __syncthreads();
    if (threadIdx.x == 0) {
        note->begin = first;
        note->end = last;
    }
}

template <int HOW> static void time_statement(const char *name, int warps)
{
    struct timed t =
        fastest(1, [&] { statement<HOW><<<1, warps * 32>>>((uint32_t *)memory, notes); });
    printf("statement,%s,read back,1,%d,,,,%.1f,%.2f\n", name, warps, t.clocks, t.us);
}

static void statements()
{
    for (int warps = 1; warps <= 32; warps *= 2) {
        time_statement<UNCOALESCED>("uncoalesced", warps);
        time_statement<CONFLICTS>("conflicts", warps);
        time_statement<PADDED>("padded", warps);
    }
}

__global__ void nothing()
{
}

int main(int argc, char **)
{
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    int all = properties.multiProcessorCount;
    CHECK(cudaMalloc(&memory, MEMORY));
    CHECK(cudaMemset(memory, 0, MEMORY));
    CHECK(cudaMalloc(&notes, 1 << 22));
    int mem_khz = 0, khz = 0;
    CHECK(cudaDeviceGetAttribute(&mem_khz, cudaDevAttrMemoryClockRate, 0));
    CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    printf("# %d SMs at %d kHz at most, memory %d kHz and %d bits, L2 %d bytes\n", all, khz, mem_khz,
           properties.memoryBusWidth, properties.l2CacheSize);
    printf("what,kind,level,sms,warps,stride,sectors,lines,clocks,us\n");
    if (argc > 3) {
        statements();
        return 0;
    }
    if (argc > 2) {
        one_pipe();
        return 0;
    }
    if (argc > 1) {
        launches = 1;
        nothing<<<1, 32>>>();
        nothing<<<1, 1024>>>();
        counted();
        CHECK(cudaDeviceSynchronize());
        return 0;
    }
    throughput(all);
    one_pipe();
    constant_memory();
    latency();
    quadratics(all);
    statements();
    return 0;
}
