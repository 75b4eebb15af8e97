// Copies by cp.async that arrive at mbarriers, in the words of asm: .noinc as one of the arrivals that end a phase, without it
// besides them; and waits whose result is a condition of C.
#include <stdint.h>

template <bool NOINC> __device__ void copy(uint64_t *full, float *to, const float *from)
{
    uint32_t barrier = (uint32_t)__cvta_generic_to_shared(full);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from) : "memory");
    if (NOINC) {
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
    } else {
        asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(barrier) : "memory");
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(barrier) : "memory");
    }
}

__device__ bool is_over(uint64_t *full, uint32_t parity)
{
    uint32_t over;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(over) : "l"(full), "r"(parity) : "memory");
    return over;
}

// Of four tiles of 256, two of which are there at a time, the sum of what lies at t, 64 + t, 128 + t and 192 + t.
template <bool NOINC> __global__ void ring(const float *in, float *out)
{
    __shared__ __align__(16) float tile[2][256];
    __shared__ uint64_t full[2];
    uint32_t t = threadIdx.x;
    if (t < 2)
        asm volatile("mbarrier.init.b64 [%0], 64;" ::"l"(&full[t]) : "memory");
    __syncthreads();
    copy<NOINC>(&full[0], &tile[0][4 * t], in + 4 * t);
    float sum = 0;
    for (int k = 0; k < 4; k++) {
        while (!is_over(&full[k % 2], k / 2 % 2)) {
        }
        __syncthreads();
        if (k < 3)
            copy<NOINC>(&full[(k + 1) % 2], &tile[(k + 1) % 2][4 * t], in + 256 * (k + 1) + 4 * t);
        for (int i = 0; i < 4; i++)
            sum += tile[k % 2][t + 64 * i];
        __syncthreads();
    }
    out[t] = sum;
}

// The mbarrier's state, from the arrival to the look.
__global__ void states(const float *in, float *out)
{
    __shared__ __align__(16) float tile[256];
    __shared__ uint64_t full;
    uint32_t t = threadIdx.x, over;
    uint64_t state;
    if (t == 0)
        asm volatile("mbarrier.init.b64 [%0], %1;" ::"l"(&full), "r"(64) : "memory");
    __syncthreads();
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((uint32_t)__cvta_generic_to_shared(&tile[4 * t])), "l"(in + 4 * t) : "memory");
    asm volatile("cp.async.mbarrier.arrive.b64 [%0];" ::"l"(&full) : "memory");
    asm volatile("mbarrier.arrive.b64 %0, [%1];" : "=l"(state) : "l"(&full) : "memory");
    do {
        asm volatile("{ .reg .pred p; mbarrier.test_wait.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(over) : "l"(&full), "l"(state) : "memory");
    } while (over == 0);
    out[t] = tile[t ^ 32];
}

template __global__ void ring<true>(const float *, float *);
template __global__ void ring<false>(const float *, float *);
