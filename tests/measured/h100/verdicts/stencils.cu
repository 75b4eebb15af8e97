#include "verdict.cuh"

// Three points, eight cells a thread.
template <int PAD> __device__ float st_line(int rounds)
{
    __shared__ float s[2][1024 + 128 + 4];
    int t = threadIdx.x;
#define AT(i) ((i) + (PAD ? (i) / 8 : 0))
    for (int i = t; i < 1024; i += 128) s[0][AT(i)] = s[1][AT(i)] = i & 31;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        const float *in = s[r & 1];
        float *out = s[~r & 1];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            int i = t * 8 + k, left = i > 0 ? i - 1 : 0, right = i < 1023 ? i + 1 : 1023;
            out[AT(i)] = 0.25f * in[AT(left)] + 0.5f * in[AT(i)] + 0.25f * in[AT(right)];
        }
        __syncthreads();
    }
    return s[0][AT(t)];
#undef AT
}
PAIR(st_line, 0, 1, 128)

// Five points of 32 x 32 cells with a rim, threads down the columns.
template <int P> __device__ float st_plane(int rounds)
{
    __shared__ float s[34 * P], d[34 * P];
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 34 * P; i += 256) s[i] = d[i] = 1;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < 32; i += 8) {
            int at = x * P + y + i;
            d[at] = 0.2f * (s[at] + s[at - 1] + s[at + 1] + s[at - P] + s[at + P]);
        }
        __syncthreads();
        for (int i = 0; i < 32; i += 8) s[x * P + y + i] = d[x * P + y + i];
        __syncthreads();
    }
    return s[x * P + y];
}
PAIR(st_plane, 36, 35, 256)

// Seven points of 8 x 8 x 8 cells that close, x the slowest.
template <int PLANE> __device__ float st_cube(int rounds)
{
    __shared__ float s[8 * PLANE];
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
#define AT(x, y, z) (((x) & 7) * PLANE + ((y) & 7) * 8 + ((z) & 7))
    s[AT(x, y, z)] = x + y * z;
    __syncthreads();
    float v = 0;
    for (int r = 0; r < rounds; r++) {
        v = s[AT(x, y, z)] * 0.4f +
            0.1f * (s[AT(x + 1, y, z)] + s[AT(x - 1, y, z)] + s[AT(x, y + 1, z)] + s[AT(x, y - 1, z)] +
                    s[AT(x, y, z + 1)] + s[AT(x, y, z - 1)]);
        __syncthreads();
        s[AT(x, y, z)] = v;
        __syncthreads();
    }
    return v;
#undef AT
}
PAIR(st_cube, 64, 65, 512)

__constant__ float weights[7] = {0.05f, 0.1f, 0.2f, 0.3f, 0.2f, 0.1f, 0.05f};

// Rows of 64 by seven constant weights, a row a thread.
template <int P> __device__ float conv_rows(int rounds)
{
    __shared__ float s[32 * P], d[32 * P];
    int x = threadIdx.x, y = threadIdx.y;
    for (int k = y; k < 64; k += 4) s[x * P + k] = x + k;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int c = y; c < 58; c += 4) {
            float sum = 0;
#pragma unroll
            for (int k = 0; k < 7; k++) sum += weights[k] * s[x * P + c + k];
            d[x * P + c] = sum;
        }
        __syncthreads();
        for (int c = y; c < 58; c += 4) s[x * P + c] = d[x * P + c];
        __syncthreads();
    }
    return s[x * P + y];
}
PAIR(conv_rows, 64, 65, 128)

// Every second pixel, five by five whole numbers: pixels as they come, or even and odd ones apart.
template <int APART> __device__ float conv_half(int rounds)
{
    __shared__ int s[20 * 80], taps[25];
    int x = threadIdx.x, y = threadIdx.y;
#define AT(row, base, d) ((row) * 80 + (APART ? ((d) & 1) * 40 + (base) + (d) / 2 : 2 * (base) + (d)))
    for (int i = y * 32 + x; i < 1600; i += 256) s[i] = i & 255;
    if (y == 0 && x < 25) taps[x] = x - 12;
    __syncthreads();
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int i = 0; i < 5; i++)
#pragma unroll
            for (int k = 0; k < 5; k++) sum += taps[i * 5 + k] * s[AT(2 * y + i, x, k)];
        __syncthreads();
        s[AT(y, x, 0)] = sum & 255;
        __syncthreads();
    }
    return sum;
#undef AT
}
PAIR(conv_half, 0, 1, 256)
