#include "verdict.cuh"

__device__ inline unsigned next(unsigned &x)
{
    x = x * 1664525u + 1013904223u;
    return x >> 16;
}

// A histogram for each thread: a thread's bins side by side, or a bin's threads.
template <int BY_BIN> __device__ float hist_private(int rounds)
{
    __shared__ int h[64 * 64];
    int t = threadIdx.x;
    unsigned x = t * 2654435761u + 1;
    for (int i = t; i < 4096; i += 64) h[i] = 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
#pragma unroll 4
        for (int k = 0; k < 16; k++) {
            int bin = next(x) & 63;
            h[BY_BIN ? bin * 64 + t : t * 64 + bin]++;
        }
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 64; k++) sum += h[BY_BIN ? t * 64 + k : k * 64 + t] * k;
    return sum;
}
PAIR(hist_private, 0, 1, 64)

// Atomics on few bins, one copy or eight.
template <int COPIES> __device__ float hist_atomic(int rounds)
{
    __shared__ int h[256 * COPIES];
    int t = threadIdx.x;
    unsigned x = t * 747796405u + 7;
    for (int i = t; i < 256 * COPIES; i += 256) h[i] = 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        unsigned v = next(x);
        atomicAdd(&h[(v & 7) * COPIES + t % COPIES], 1);
        v = next(x);
        atomicAdd(&h[(v & 255) * COPIES + t % COPIES], 1);
    }
    __syncthreads();
    return h[t];
}
PAIR(hist_atomic, 1, 8, 256)

// Atomic maxima of each thread's own word, four words apart or side by side.
template <int S> __device__ float atomic_stride(int rounds)
{
    __shared__ int s[128 * S];
    int t = threadIdx.x;
    s[t * S] = 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        atomicMax(&s[t * S], r ^ t);
        atomicAdd(&s[((t + 5) & 127) * S], r);
        __syncthreads();
    }
    return s[t * S];
}
PAIR(atomic_stride, 4, 1, 128)
