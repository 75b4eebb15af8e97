#include "../../../h100/verdicts/verdict.cuh"

// FIR filters of 16 taps of 128 channels, a channel a thread, their last samples in rings: rows of 16, or of 17.
template <int PITCH> __device__ float fir(int rounds)
{
    __shared__ float ring[128 * PITCH], tap[128 * PITCH];
    int t = threadIdx.x;
    for (int k = 0; k < 16; k++) {
        ring[t * PITCH + k] = 0.0f;
        tap[t * PITCH + k] = ((t * 5 + k * 3) & 15) * 0.01f - 0.05f;
    }
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        int at = r & 15;
        ring[t * PITCH + at] = (((t + r) * 37 & 63) - 32) * 0.05f + 0.3f * sum;
        sum = 0;
#pragma unroll 4
        for (int k = 0; k < 16; k++) sum += tap[t * PITCH + k] * ring[t * PITCH + ((at - k) & 15)];
    }
    return sum;
}
PAIR(fir, 16, 17, 128)

// Wavelets (5/3, by lifting, three levels) of the rows of 64 x 64 integers there and back, a row a thread: rows of 64, or of 65.
template <int PITCH> __device__ float lifting(int rounds)
{
    extern __shared__ int pixels[];
    int t = threadIdx.x, *row = pixels + t * PITCH;
#pragma unroll 1
    for (int x = 0; x < 64; x++) row[x] = (t * 13 + x * x * 7) & 255;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int step = 1; step < 8; step *= 2) {
            int left = row[0];
            for (int x = step; x < 64; x += 2 * step) {
                int right = x + step < 64 ? row[x + step] : left;
                row[x] -= (left + right) >> 1;
                left = right;
            }
            left = row[step];
            for (int x = 0; x < 64; x += 2 * step) {
                int right = row[x + step];
                row[x] += (left + right + 2) >> 2;
                left = right;
            }
        }
        row[r & 63] = (row[r & 63] + t) & 255;
#pragma unroll 1
        for (int step = 4; step > 0; step /= 2) {
            int left = row[step];
            for (int x = 0; x < 64; x += 2 * step) {
                int right = row[x + step];
                row[x] -= (left + right + 2) >> 2;
                left = right;
            }
            left = row[0];
            for (int x = step; x < 64; x += 2 * step) {
                int right = x + step < 64 ? row[x + step] : left;
                row[x] += (left + right) >> 1;
                left = right;
            }
        }
    }
    return row[5] + 2.0f * row[40];
}
PAIR(lifting, 64, 65, 64)

// 16 phases of 16 taps by which 128 samples are made of 88, and mixed into them: rows of 16, or of 17.
template <int PITCH> __device__ float polyphase(int rounds)
{
    __shared__ float tap[16 * PITCH], sample[128];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 128) {
        float far = (i % 16) - 7.5f + (i / 16) * 0.0625f;
        tap[i / 16 * PITCH + i % 16] = __expf(-0.1f * far * far) * __cosf(0.8f * far) * 0.3f;
    }
    sample[t] = ((t * 29) & 31) * 0.05f;
    __syncthreads();
    float made = 0;
    for (int r = 0; r < rounds; r++) {
        int at = t * 11 + (r * 7 & 15), phase = at & 15, from = at >> 4;
        made = 0;
#pragma unroll 4
        for (int k = 0; k < 16; k++) made += tap[phase * PITCH + k] * sample[from + k];
        __syncthreads();
        sample[t] = 0.5f * sample[t] + 0.4f * made + 0.05f * (r & 1);
        __syncthreads();
    }
    return made;
}
PAIR(polyphase, 16, 17, 128)

// 32 x 32 complex numbers turned between two passes of an FFT, with their factors: as they are, or the column xor the row.
template <int SWIZZLE> __device__ float corner(int rounds)
{
    __shared__ float2 tile[2][32 * 32];
    int x = threadIdx.x, y = threadIdx.y;
    for (int i = y; i < 32; i += 8) tile[0][i * 32 + (SWIZZLE ? x ^ i : x)] = make_float2(((x * 3 + i * 5) & 15) * 0.1f, ((x + i) & 7) * 0.1f);
    __syncthreads();
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        const float2 *from = tile[r & 1];
        float2 *to = tile[(r & 1) ^ 1];
#pragma unroll
        for (int n = 0; n < 4; n++) {
            int i = y + n * 8;
            float2 v = from[i * 32 + (SWIZZLE ? x ^ i : x)];
            float s, c;
            __sincosf(-6.2831853f / 1024 * (x * i * (2 * r + 1) & 1023), &s, &c);
            to[x * 32 + (SWIZZLE ? i ^ x : i)] = make_float2(c * v.x - s * v.y, s * v.x + c * v.y);
        }
        __syncthreads();
    }
    float2 v = tile[rounds & 1][y * 32 + (SWIZZLE ? x ^ y : x)];
    return v.x + 2.0f * v.y;
}
PAIR(corner, 0, 1, 256)

// Forward and backward through a hidden Markov model of 32 states, a sequence a warp: rows of 32, or of 33.
template <int PITCH> __device__ float markov(int rounds)
{
    __shared__ float change[32 * PITCH], emit[4 * 32], state[2][32];
    int t = threadIdx.x, lane = t % 32;
    float *own = state[t / 32];
    for (int i = t; i < 32 * 32; i += 64) change[i / 32 * PITCH + i % 32] = (1.0f + ((i * 7 + i / 32) & 15)) * 0.004f;
    for (int i = t; i < 128; i += 64) emit[i] = 0.1f + ((i * 11) & 7) * 0.1f;
    __syncthreads();
    float alpha = 1.0f / 32, beta = 1.0f;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int n = 0; n < 4; n++) {
            int seen = (n * 3 + r + t / 32) & 3;
            own[lane] = alpha;
            __syncwarp();
            float sum = 0;
#pragma unroll 8
            for (int i = 0; i < 32; i++) sum += own[i] * change[i * PITCH + lane];
            __syncwarp();
            alpha = sum * emit[seen * 32 + lane];
            float all = alpha;
#pragma unroll
            for (int d = 16; d > 0; d /= 2) all += __shfl_xor_sync(~0u, all, d);
            alpha /= all;
        }
#pragma unroll 1
        for (int n = 3; n >= 0; n--) {
            int seen = (n * 3 + r + t / 32) & 3;
            own[lane] = beta * emit[seen * 32 + lane];
            __syncwarp();
            float sum = 0;
#pragma unroll 8
            for (int j = 0; j < 32; j++) sum += change[lane * PITCH + j] * own[j];
            __syncwarp();
            float all = sum;
#pragma unroll
            for (int d = 16; d > 0; d /= 2) all += __shfl_xor_sync(~0u, all, d);
            beta = 32.0f * sum / all;
        }
        alpha = 0.9f * alpha * beta + 0.003f;
    }
    return 32.0f * alpha + beta;
}
PAIR(markov, 32, 33, 64)
