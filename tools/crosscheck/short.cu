// Times a few loads beside a few wgmmas: one warpgroup multiplies once, twice or four times, and waits; other warps begin
// with it, load 4 bytes a lane without conflicts, so many times one behind the other, and use them. Prints rows of
// tests/measured/h200/async/wgmma_short.csv: the clocks of the warpgroup, and of the last of the others; the least of 8.
//
//     nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o short short.cu && ./short
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#define CHECK(x) do { auto e = (x); if (e) { printf("error %d at line %d\n", (int)e, __LINE__); exit(1); } } while (0)
enum { BYTES = 200000, REPEATS = 8, MOST_WARPS = 4 };
#define NAMES_32 "%0, %1, %2, %3, %4, %5, %6, %7"
#define NAMES_64 NAMES_32 ", %8, %9, %10, %11, %12, %13, %14, %15"
#define NAMES_128 NAMES_64 ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define R4(i) "+r"(d[i]), "+r"(d[i + 1]), "+r"(d[i + 2]), "+r"(d[i + 3])
#define R8(i) R4(i), R4(i + 4)
#define MMA(N, A, B, ...)                                                                                                \
    template <> struct mma<N> {                                                                                         \
        static __device__ inline void go(uint32_t (&d)[N / 4], uint64_t a, uint64_t b)                                  \
        {                                                                                                               \
            asm volatile("wgmma.mma_async.sync.aligned.m64n" #N "k16.f16.f16.f16 {" NAMES_##N "}, " A ", " B            \
                         ", 1, 1, 1, 0, 0;" : __VA_ARGS__ : "l"(a), "l"(b) : "memory");                                 \
        }                                                                                                               \
    };
template <int N> struct mma;
MMA(32, "%8", "%9", R8(0))
MMA(64, "%16", "%17", R8(0), R8(8))
MMA(128, "%32", "%33", R8(0), R8(8), R8(16), R8(24))

// 128-byte rows, swizzled.
__device__ inline uint64_t descriptor(uint32_t at)
{
    return (uint64_t)(at >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

template <int N, int MMAS> __device__ inline int multiply(uint32_t base, unsigned *sink)
{
    uint32_t d[N / 4] = {}, x = 0;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    int begin = (int)clock();
#pragma unroll
    for (int i = 0; i < MMAS; i++) { mma<N>::go(d, descriptor(base + 1024), descriptor(base + 16384)); }
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
    int end = (int)clock();
#pragma unroll
    for (int i = 0; i < N / 4; i++) { x ^= d[i]; }
    if (x == 1) { *sink = x; }
    return end - begin;
}

template <int LOADS> __device__ inline int load(uint32_t base, unsigned *sink)
{
    uint32_t v[LOADS], x = 0, at = base + 65536 + threadIdx.x % 32 * 4;
    int begin = (int)clock();
#pragma unroll
    for (int i = 0; i < LOADS; i++) { asm volatile("ld.volatile.shared.b32 %0, [%1];" : "=r"(v[i]) : "r"(at + i * 128)); }
#pragma unroll
    for (int i = 0; i < LOADS; i++) { x ^= v[i]; }
    if (x == 1) { *sink = x; }
    asm volatile("" ::"r"(x) : "memory");
    return (int)clock() - begin;
}

template <int N, int MMAS, int LOADS> __global__ void beside(int *clocks, unsigned *sink)
{
    extern __shared__ __align__(1024) uint32_t tiles[];
    uint32_t base = (uint32_t)__cvta_generic_to_shared(tiles);
    int least = 1 << 30;
    for (int i = threadIdx.x; i < BYTES / 4; i += blockDim.x) { tiles[i] = 0; }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    for (int i = 0; i < REPEATS; i++) {
        __syncthreads();
        least = min(least, threadIdx.x < 128 ? multiply<N, MMAS>(base, sink) : load<LOADS>(base, sink));
    }
    if (threadIdx.x % 32 == 0) { clocks[threadIdx.x / 32] = least; }
}

template <int N, int MMAS, int LOADS> void row(int *clocks, unsigned *sink)
{
    CHECK(cudaFuncSetAttribute(beside<N, MMAS, LOADS>, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES));
    for (int warps : {1, 2, 4}) {
        beside<N, MMAS, LOADS><<<1, 128 + 32 * warps, BYTES>>>(clocks, sink);
        CHECK(cudaDeviceSynchronize());
        printf("%d,%d,%d,%d,%d,%d\n", N, MMAS, LOADS, warps, clocks[0], *std::max_element(clocks + 4, clocks + 4 + warps));
    }
}

template <int N, int MMAS> void rows(int *clocks, unsigned *sink)
{
    row<N, MMAS, 16>(clocks, sink);
    row<N, MMAS, 32>(clocks, sink);
    row<N, MMAS, 64>(clocks, sink);
}

int main()
{
    int *clocks;
    unsigned *sink;
    CHECK(cudaMallocHost(&clocks, (4 + MOST_WARPS) * sizeof *clocks));
    CHECK(cudaMalloc(&sink, sizeof *sink));
    printf("n,wgmmas,loads,warps,group,others\n");
    rows<32, 1>(clocks, sink);
    rows<32, 2>(clocks, sink);
    rows<32, 4>(clocks, sink);
    rows<64, 1>(clocks, sink);
    rows<64, 2>(clocks, sink);
    rows<64, 4>(clocks, sink);
    rows<128, 1>(clocks, sink);
    rows<128, 2>(clocks, sink);
    rows<128, 4>(clocks, sink);
}
