/* fences.cu - fences that wgmma and copies by TMA want, and kernels that lack one.
 *
 *     nvcc -ptx -arch=sm_90a -lineinfo -std=c++17 -o fences.ptx fences.cu      nvcc 13.0
 */
#include <stdint.h>

enum { NOBODY, EACH, ONE };

__device__ uint32_t at(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ void proxy_fence()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ void fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ void wait()
{
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
}

__device__ uint64_t descriptor(const void *p)
{
    return (uint64_t)(at(p) >> 4) | 8ull << 16 | 16ull << 32;
}

__device__ void multiply(float (&d)[4], uint64_t a, uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(a), "l"(b)
                 : "memory");
}

__device__ void multiply_registers(float (&d)[4], const uint32_t (&a)[4], uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, 1, 1, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)
                 : "memory");
}

/* Who executes the fence of what all have stored; whether wgmma.fence comes first, and behind what is scaled. */
template <int WHO, bool FIRST, bool AGAIN> __device__ void turns(const uint16_t *in, float *out, int n)
{
    __shared__ alignas(128) uint16_t a[1024], b[128];
    int t = threadIdx.x;
    float d[4] = {0, 0, 0, 0};
    for (int k = 0; k < n; k++) {
        for (int i = t; i < 1024; i += 128) a[i] = in[i + k];
        b[t] = in[t + k];
        if (WHO == EACH) proxy_fence();
        __syncthreads();
        if (WHO == ONE && t == 0) proxy_fence();
        if (WHO == ONE) __syncthreads();
        if (FIRST) fence();
        multiply(d, descriptor(a), descriptor(b));
        multiply(d, descriptor(a), descriptor(b));
        wait();
        for (int i = 0; i < 4; i++) d[i] *= 0.5f;
        if (AGAIN) fence();
        multiply(d, descriptor(a), descriptor(b));
        wait();
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) out[t * 4 + i] = d[i];
}

extern "C" __global__ void all_there(const uint16_t *in, float *out, int n) { turns<EACH, true, true>(in, out, n); }
extern "C" __global__ void by_one(const uint16_t *in, float *out, int n) { turns<ONE, true, true>(in, out, n); }
extern "C" __global__ void no_proxy(const uint16_t *in, float *out, int n) { turns<NOBODY, true, true>(in, out, n); }
extern "C" __global__ void no_first(const uint16_t *in, float *out, int n) { turns<EACH, false, true>(in, out, n); }
extern "C" __global__ void scaled(const uint16_t *in, float *out, int n) { turns<EACH, true, false>(in, out, n); }

/* A in registers, loaded for each wgmma. */
template <bool AGAIN> __device__ void loads(const uint16_t *in, float *out)
{
    __shared__ alignas(128) uint16_t b[128];
    int t = threadIdx.x;
    float d[4] = {0, 0, 0, 0};
    b[t] = in[t];
    proxy_fence();
    __syncthreads();
    const uint32_t *from = (const uint32_t *)in;
    uint32_t a[4] = {from[t], from[t + 1], from[t + 2], from[t + 3]};
    fence();
    multiply_registers(d, a, descriptor(b));
    wait();
    uint32_t c[4] = {from[t + 4], from[t + 5], from[t + 6], from[t + 7]};
    for (int i = 0; i < 4; i++) c[i] ^= a[i];
    if (AGAIN) fence();
    multiply_registers(d, c, descriptor(b));
    wait();
    for (int i = 0; i < 4; i++) out[t * 4 + i] = d[i];
}

extern "C" __global__ void loaded(const uint16_t *in, float *out, int) { loads<true>(in, out); }
extern "C" __global__ void loaded_anew(const uint16_t *in, float *out, int) { loads<false>(in, out); }

/* A copy out of what the block has stored. */
template <bool FENCED> __device__ void stores(const uint16_t *in, float *out)
{
    __shared__ alignas(128) float tile[128];
    tile[threadIdx.x] = in[threadIdx.x];
    if (FENCED) proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 512;\ncp.async.bulk.commit_group;\n"
                     "cp.async.bulk.wait_group 0;" ::"l"(out),
                     "r"(at(tile))
                     : "memory");
    }
}

extern "C" __global__ void stored(const uint16_t *in, float *out, int) { stores<true>(in, out); }
extern "C" __global__ void stored_early(const uint16_t *in, float *out, int) { stores<false>(in, out); }
