#include "verdict.cuh"

// A tree over 256 threads: neighbours first, or halves first.
template <int HALVES> __device__ float sum_tree(int rounds)
{
    __shared__ float s[512];
    unsigned t = threadIdx.x;
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        s[t] = t + sum;
        s[t + 256] = t - sum;
        __syncthreads();
        if (HALVES) {
            for (unsigned n = 256; n > 0; n /= 2) {
                if (t < n) s[t] += s[t + n];
                __syncthreads();
            }
        } else {
            for (unsigned n = 1; n < 512; n *= 2) {
                unsigned i = 2 * n * t;
                if (i < 512) s[i] += s[i + n];
                __syncthreads();
            }
        }
        sum = s[0] * 0.001f;
        __syncthreads();
    }
    return sum;
}
PAIR(sum_tree, 0, 1, 256)

// Each thread adds 32 elements, side by side or a block's width apart.
template <int STRIDED> __device__ float sum_serial(int rounds)
{
    __shared__ float s[4096];
    int t = threadIdx.x;
    for (int i = t; i < 4096; i += 128) s[i] = i & 15;
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        float part = 0;
        for (int k = 0; k < 32; k++) part += STRIDED ? s[k * 128 + t] : s[t * 32 + k];
        sum += part;
        __syncthreads();
        s[t] = sum;
        __syncthreads();
    }
    return sum;
}
PAIR(sum_serial, 0, 1, 128)

// Blelloch's scan of 512 elements as GPU Gems has it.
template <int PAD> __device__ float scan_blelloch(int rounds)
{
    __shared__ float s[512 + 16];
    int t = threadIdx.x;
#define AT(i) ((i) + (PAD ? (i) / 32 : 0))
    s[AT(t)] = 1;
    s[AT(t + 256)] = 2;
    for (int r = 0; r < rounds; r++) {
        int offset = 1;
        for (int d = 256; d > 0; d >>= 1) {
            __syncthreads();
            if (t < d) {
                int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
                s[AT(bi)] += s[AT(ai)];
            }
            offset *= 2;
        }
        if (t == 0) s[AT(511)] = 0;
        for (int d = 1; d < 512; d *= 2) {
            offset >>= 1;
            __syncthreads();
            if (t < d) {
                int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
                float x = s[AT(ai)];
                s[AT(ai)] = s[AT(bi)];
                s[AT(bi)] += x;
            }
        }
        __syncthreads();
    }
    return s[AT(t)];
#undef AT
}
PAIR(scan_blelloch, 0, 1, 256)

// Hillis and Steele's scan with two buffers, in pairs or one behind the other, of ints.
template <int APART> __device__ float scan_two(int rounds)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
#define AT(i, b) (APART ? (b) * 512 + (i) : (i) * 2 + (b))
    int in = 0;
    s[AT(t, 0)] = t & 3;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int d = 1; d < 512; d *= 2) {
            int x = s[AT(t, in)];
            if (t >= d) x += s[AT(t - d, in)];
            in ^= 1;
            s[AT(t, in)] = x;
            __syncthreads();
        }
    }
    return s[AT(t, in)];
#undef AT
}
PAIR(scan_two, 0, 1, 512)

// All warps write, the first one rakes rows of 32, all add what is before their row.
template <int P> __device__ float scan_rake(int rounds)
{
    __shared__ float s[32 * P], total[32];
    int t = threadIdx.x;
    float value = t;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int i = 0; i < 4; i++) s[(t / 32 + 8 * i) * P + t % 32] = value + i;
        __syncthreads();
        if (t < 32) {
            float sum = 0;
#pragma unroll 8
            for (int k = 0; k < 32; k++) {
                sum += s[t * P + k];
                s[t * P + k] = sum;
            }
            total[t] = sum;
        }
        __syncthreads();
        value = s[(t / 32) * P + t % 32] * 0.001f + total[t / 32] * 0.01f;
        __syncthreads();
    }
    return value;
}
PAIR(scan_rake, 32, 33, 256)

// Sums of doubles, eight in a row of each of 64 threads.
template <int P> __device__ float sum_double(int rounds)
{
    __shared__ double s[64 * P];
    int t = threadIdx.x;
    for (int k = 0; k < 8; k++) s[t * P + k] = t + k;
    __syncthreads();
    double sum = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 8; k++) sum = fma(s[((t + 1) % 64) * P + k], 0.25, sum);
        __syncthreads();
        s[t * P + (r & 7)] = sum * 1e-3;
        __syncthreads();
    }
    return (float)sum;
}
PAIR(sum_double, 8, 9, 64)
