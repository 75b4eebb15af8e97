/* verdict.cuh - what kernels that come in pairs have in common: each computes in shared memory for many rounds and
 * gives a value of each thread back. With -DTIMED every warp notes the clocks at which it begins and ends. */
#pragma once
#ifdef TIMED
struct times {
    long long began, ended;
    int sm;
};
__device__ times all_times[16384];
__device__ inline unsigned thread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
__device__ inline void note(long long began)
{
    long long ended = clock64();
    if (thread() % 32 == 0) {
        int sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        unsigned warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
        all_times[blockIdx.x * warps + thread() / 32] = {began, ended, sm};
    }
}
#define BEGIN long long began = clock64()
#define END note(began)
#else
#define BEGIN
#define END
#endif

/* name_c has bank conflicts, name_f has none, or fewer. */
#define KERNEL(name, function, threads)                                                                               \
    extern "C" __global__ void __launch_bounds__(threads) name(float *out, int rounds)                                \
    {                                                                                                                 \
        BEGIN;                                                                                                        \
        float value = function(rounds);                                                                               \
        END;                                                                                                          \
        out[((blockIdx.x * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] = value; \
    }
#define PAIR(name, with, without, threads)                                                                            \
    KERNEL(name##_c, name<with>, threads)                                                                             \
    KERNEL(name##_f, name<without>, threads)
