/* pipelines.cu - loops that copy tiles by cp.async into a ring of buffers and load from it, timed: clocks of the block's
 * first thread. Prints rows of tests/measured/h100/async/pipelines.csv; the kernels are pipelines.ptx by nvcc -ptx.
 *
 *     nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o pipelines pipelines.cu && ./pipelines
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <stdint.h>

template <int BYTES, bool PAST> __device__ __forceinline__ void copy(uint32_t to, const void *from)
{
    if (PAST) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
    else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(BYTES) : "memory");
}

/* A turn copies COPIES accesses of each thread, waits until the oldest of STAGES - 1 tiles is there, loads LOADS words and
 * adds each SUMS times. */
template <int STAGES, int COPIES, int BYTES, bool PAST, int LOADS, int SUMS>
__device__ __forceinline__ void pipeline(const char *in, int turns, long long *t, float *out)
{
    extern __shared__ __align__(1024) char tiles[];
    uint32_t base = (uint32_t)__cvta_generic_to_shared(tiles), threads = blockDim.x, bytes = COPIES * BYTES * threads;
    float sum = 0;
    in += (size_t)blockIdx.x * turns * bytes + threadIdx.x * BYTES;
    __syncthreads();
    long long begin = clock64();
    #pragma unroll
    for (int k = 0; k < STAGES - 1; k++) {
        #pragma unroll
        for (int i = 0; i < COPIES; i++) copy<BYTES, PAST>(base + k * bytes + (i * threads + threadIdx.x) * BYTES, in + (k * COPIES + i) * threads * BYTES);
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    int s = 0, to = STAGES - 1;
    for (int k = 0; k < turns; k++) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        __syncthreads();
        if (k + STAGES - 1 < turns) {
            const char *from = in + (size_t)(k + STAGES - 1) * bytes;
            #pragma unroll
            for (int i = 0; i < COPIES; i++) copy<BYTES, PAST>(base + to * bytes + (i * threads + threadIdx.x) * BYTES, from + i * threads * BYTES);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        const float *tile = (const float *)(tiles + s * bytes);
        #pragma unroll
        for (int i = 0; i < LOADS; i++) {
            float v = tile[threadIdx.x + i * 32];
            #pragma unroll
            for (int j = 0; j < SUMS; j++) sum = fmaf(v, sum, v);
        }
        s = s + 1 == STAGES ? 0 : s + 1;
        to = to + 1 == STAGES ? 0 : to + 1;
    }
    long long end = clock64();
    out[blockIdx.x * threads + threadIdx.x] = sum;
    if (threadIdx.x == 0) t[blockIdx.x] = end - begin;
}

#define KERNELS(DO) \
    DO(p0, 2, 1, 16, true, 1, 1) DO(p1, 3, 1, 16, true, 2, 1) DO(p2, 3, 2, 16, true, 4, 2) DO(p3, 4, 4, 16, true, 8, 1) DO(p4, 4, 2, 16, true, 8, 8) DO(p5, 2, 4, 16, true, 8, 4) \
    DO(p6, 2, 1, 16, false, 1, 1) DO(p7, 3, 2, 16, false, 4, 2) DO(p8, 4, 4, 16, false, 8, 1) DO(p9, 2, 4, 4, false, 4, 1) DO(p10, 3, 8, 4, false, 8, 1) DO(p11, 3, 4, 8, false, 8, 2)
#define KERNEL(name, ...) extern "C" __global__ void name(const char *in, int turns, long long *t, float *out) { pipeline<__VA_ARGS__>(in, turns, t, out); }
KERNELS(KERNEL)

int main()
{
    char *in; long long *t; float *out;
    cudaMalloc(&in, 256 << 20); cudaMemset(in, 0, 256 << 20); cudaMallocHost(&t, 1024 * 8); cudaMalloc(&out, 132 * 1024 * 4);
    struct { const char *name; void (*kernel)(const char *, int, long long *, float *); } all[] = {
        #define ROW(name, ...) {#name, name},
        KERNELS(ROW)
    };
    printf("kernel,blocks,warps,turns,clocks\n");
    for (auto &k : all)
        for (int blocks : {1, 132})
            for (int warps : {1, 2, 4, 8, 16})
                for (int turns : {8, 40}) {
                    long long best = 1ll << 60;
                    cudaFuncSetAttribute(k.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000);
                    for (int r = 0; r < 6; r++) {
                        k.kernel<<<blocks, 32 * warps, 200000>>>(in, turns, t, out);
                        if (cudaDeviceSynchronize() != cudaSuccess) { printf("error\n"); return 1; }
                        long long most = 0;
                        for (int b = 0; b < blocks; b++) most = std::max(most, t[b]);
                        best = std::min(best, most);
                    }
                    printf("%s,%d,%d,%d,%lld\n", k.name, blocks, warps, turns, best);
                }
    return 0;
}
