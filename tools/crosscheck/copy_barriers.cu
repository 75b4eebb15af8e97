/* copy_barriers.cu - loops that copy tiles by cp.async into a ring of buffers and wait for them at mbarriers, to which the copies arrive
 * (cp.async.mbarrier.arrive), timed: clocks of the block's first thread. Prints rows of tests/measured/h100/async/copy_barriers.csv; the
 * kernels are copy_barriers.ptx by nvcc -ptx.
 *
 *     nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o copy_barriers copy_barriers.cu && ./copy_barriers
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <stdint.h>

template <int BYTES, bool PAST> __device__ __forceinline__ void copy(uint32_t to, const void *from)
{
    if (PAST) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
    else asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(BYTES) : "memory");
}

enum { NOINC, INC, SPLIT };

/* The copies so far arrive at the barrier: as one of its arrivals, or besides one of the thread. */
template <int HOW> __device__ __forceinline__ void arrive(uint32_t barrier)
{
    if (HOW == INC) {
        asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(barrier) : "memory");
        asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(barrier) : "memory");
    } else {
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
    }
}

__device__ __forceinline__ void wait(uint32_t barrier, uint32_t parity)
{
    asm volatile("{ .reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra again; }" ::"r"(barrier), "r"(parity) : "memory");
}

/* A turn copies COPIES accesses of each thread, waits until the oldest of STAGES - 1 tiles is there, and loads LOADS words of it. All
 * threads do both and meet at a __syncthreads; or, SPLIT, the upper half of the warps copy and the lower half load, and free the buffer. */
template <int HOW, int STAGES, int COPIES, int BYTES, bool PAST, int LOADS>
__device__ __forceinline__ void pipeline(const char *in, int turns, long long *t, float *out)
{
    extern __shared__ __align__(1024) char tiles[];
    __shared__ __align__(8) unsigned long long full[STAGES], empty[STAGES];
    uint32_t base = (uint32_t)__cvta_generic_to_shared(tiles), lanes = HOW == SPLIT ? blockDim.x / 2 : blockDim.x, bytes = COPIES * BYTES * lanes;
    uint32_t f = (uint32_t)__cvta_generic_to_shared(full), e = (uint32_t)__cvta_generic_to_shared(empty), me = threadIdx.x % lanes;
    float sum = 0;
    in += (size_t)blockIdx.x * turns * bytes + me * BYTES;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(f + 8 * s), "r"(lanes) : "memory");
            asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(e + 8 * s), "r"(lanes) : "memory");
        }
    }
    __syncthreads();
    long long begin = clock64();
    if (HOW == SPLIT) {
        int s = 0, p = 0;
        if (threadIdx.x >= lanes) {
            for (int k = 0; k < turns; k++) {
                if (k >= STAGES) wait(e + 8 * s, p ^ 1);
                #pragma unroll
                for (int i = 0; i < COPIES; i++) copy<BYTES, PAST>(base + s * bytes + (i * lanes + me) * BYTES, in + (size_t)k * bytes + i * lanes * BYTES);
                arrive<NOINC>(f + 8 * s);
                if (++s == STAGES) { s = 0; p ^= 1; }
            }
        } else {
            for (int k = 0; k < turns; k++) {
                wait(f + 8 * s, p);
                const float *tile = (const float *)(tiles + s * bytes);
                #pragma unroll
                for (int i = 0; i < LOADS; i++) { float v = tile[me + i * 32]; sum = fmaf(v, sum, v); }
                asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(e + 8 * s) : "memory");
                if (++s == STAGES) { s = 0; p ^= 1; }
            }
        }
    } else {
        #pragma unroll
        for (int k = 0; k < STAGES - 1; k++) {
            #pragma unroll
            for (int i = 0; i < COPIES; i++) copy<BYTES, PAST>(base + k * bytes + (i * lanes + me) * BYTES, in + (k * COPIES + i) * lanes * BYTES);
            arrive<HOW>(f + 8 * k);
        }
        int s = 0, to = STAGES - 1, p = 0;
        for (int k = 0; k < turns; k++) {
            wait(f + 8 * s, p);
            __syncthreads();
            if (k + STAGES - 1 < turns) {
                const char *from = in + (size_t)(k + STAGES - 1) * bytes;
                #pragma unroll
                for (int i = 0; i < COPIES; i++) copy<BYTES, PAST>(base + to * bytes + (i * lanes + me) * BYTES, from + i * lanes * BYTES);
                arrive<HOW>(f + 8 * to);
            }
            const float *tile = (const float *)(tiles + s * bytes);
            #pragma unroll
            for (int i = 0; i < LOADS; i++) { float v = tile[me + i * 32]; sum = fmaf(v, sum, v); }
            if (++s == STAGES) { s = 0; p ^= 1; }
            to = to + 1 == STAGES ? 0 : to + 1;
        }
    }
    long long end = clock64();
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    if (threadIdx.x == 0) t[blockIdx.x] = end - begin;
}

#define KERNELS(DO) \
    DO(b0, NOINC, 2, 1, 16, true, 1) DO(b1, NOINC, 3, 1, 16, true, 2) DO(b2, NOINC, 4, 4, 16, true, 8) DO(b3, NOINC, 3, 2, 16, false, 4) DO(b4, NOINC, 2, 4, 4, false, 4) \
    DO(b5, INC, 2, 1, 16, true, 1) DO(b6, INC, 4, 4, 16, true, 8) DO(b7, SPLIT, 2, 1, 16, true, 1) DO(b8, SPLIT, 4, 4, 16, true, 8) DO(b9, SPLIT, 3, 4, 4, false, 4)
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
            for (int warps : {2, 4, 8, 16})
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
