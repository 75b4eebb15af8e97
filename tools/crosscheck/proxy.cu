/* proxy.cu - what a fence between the proxies takes behind stores to shared memory, with a barrier behind it or without: clocks of the block's
 * first warp, and from the last warp's end to the first's begin. Prints rows of tests/measured/h100/async/proxy.csv.
 *
 *     nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o proxy proxy.cu && ./proxy
 *
 * stores: of each thread, 4 bytes, no conflicts; fence: what stands behind them; bar: bar.sync of the four warps behind that.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <stdint.h>

enum { NONE, SHARED, ALL, CTA };
static const char *const fences[] = {"none", "proxy.async.shared::cta", "proxy.async", "acq_rel.cta"};
enum { TURNS = 9 };

template <int STORES, int FENCE, bool BAR> __global__ void kernel(long long *first, long long *last, unsigned seed)
{
    extern __shared__ __align__(1024) unsigned tile[];
    uint32_t at = (uint32_t)__cvta_generic_to_shared(tile) + threadIdx.x * 4;
    for (int turn = 0; turn < TURNS; turn++) {
        unsigned v[STORES + 1];
        #pragma unroll
        for (int i = 0; i <= STORES; i++) { v[i] = seed * (i + 1) + turn; asm volatile("" : "+r"(v[i])); }
        __syncthreads();
        long long begin = clock64();
        #pragma unroll
        for (int i = 0; i < STORES; i++) asm volatile("st.shared.b32 [%0], %1;" ::"r"(at + i * 1024), "r"(v[i]) : "memory");
        if (FENCE == SHARED) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        if (FENCE == ALL) asm volatile("fence.proxy.async;" ::: "memory");
        if (FENCE == CTA) asm volatile("fence.acq_rel.cta;" ::: "memory");
        if (BAR) asm volatile("bar.sync %0, 128;" ::"r"(threadIdx.x / 128 + 1) : "memory");
        long long end = clock64();
        if (threadIdx.x % 32 == 0) { first[turn * 8 + threadIdx.x / 32] = begin; last[turn * 8 + threadIdx.x / 32] = end; }
    }
}

static long long *first, *last;

template <int STORES, int FENCE, bool BAR> static void time()
{
    for (int warps : {1, 4, 8}) {
        if (BAR && warps < 4) continue;
        long long one = 1 << 30, all = 1 << 30;
        auto k = kernel<STORES, FENCE, BAR>;
        cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
        for (int r = 0; r < 4; r++) {
            k<<<1, 32 * warps, 100000>>>(first, last, 3);
            if (cudaDeviceSynchronize() != cudaSuccess) { printf("error\n"); return; }
            for (int t = 1; t < TURNS; t++) {
                one = std::min(one, last[t * 8] - first[t * 8]);
                all = std::min(all, *std::max_element(last + t * 8, last + t * 8 + warps) - *std::min_element(first + t * 8, first + t * 8 + warps));
            }
        }
        printf("%d,%d,%s,%d,%lld,%lld\n", warps, STORES, fences[FENCE], BAR, one, all);
    }
}

template <int STORES> static void all()
{
    time<STORES, NONE, false>(); time<STORES, NONE, true>();
    time<STORES, SHARED, false>(); time<STORES, SHARED, true>();
    time<STORES, ALL, false>(); time<STORES, ALL, true>();
    time<STORES, CTA, false>(); time<STORES, CTA, true>();
}

int main()
{
    cudaMallocHost(&first, 8 * 8 * TURNS); cudaMallocHost(&last, 8 * 8 * TURNS);
    printf("warps,stores,fence,bar,first,all\n");
    all<0>(); all<1>(); all<2>(); all<4>(); all<8>(); all<16>(); all<32>(); all<64>();
    return 0;
}
