#include "../../../h100/verdicts/verdict.cuh"

__device__ inline float4 product(float4 a, float4 b)
{
    return make_float4(a.x * b.x + a.y * b.z, a.x * b.y + a.y * b.w, a.z * b.x + a.w * b.z, a.z * b.y + a.w * b.w);
}

// Running products of 1024 matrices of 2 x 2, eight in a row of each of 128 threads, then the threads' by doubling steps: rows of 8, or of 9.
template <int PITCH> __device__ float chain(int rounds)
{
    extern __shared__ float4 turns[];
    float4 *total = turns, *item = turns + 128;
    const float4 unit = make_float4(1.0f, 0.0f, 0.0f, 1.0f);
    int t = threadIdx.x;
    for (int k = 0; k < 8; k++) {
        float c = (t + k) & 1 ? 0.8f : 0.6f, s = (t + k) & 1 ? 0.6f : 0.8f;
        item[t * PITCH + k] = make_float4(c, -s, s, c);
    }
    float4 sum = unit;
    for (int r = 0; r < rounds; r++) {
        float4 own = unit;
#pragma unroll 1
        for (int k = 0; k < 8; k++) {
            own = product(item[t * PITCH + k], own);
            item[t * PITCH + k] = own;
        }
        total[t] = own;
        __syncthreads();
#pragma unroll 1
        for (int d = 1; d < 128; d *= 2) {
            float4 other = t >= d ? total[t - d] : unit;
            __syncthreads();
            own = product(own, other);
            total[t] = own;
            __syncthreads();
        }
        float4 before = t > 0 ? total[t - 1] : unit;
#pragma unroll 1
        for (int k = 0; k < 8; k++) {
            float4 p = product(item[t * PITCH + k], before);
            float f = rsqrtf(p.x * p.x + p.y * p.y);
            item[t * PITCH + k] = make_float4(p.x * f, p.y * f, p.z * f, p.w * f);
        }
        sum = item[t * PITCH + (r & 7)];
        __syncthreads();
    }
    return sum.x + 2.0f * sum.y;
}
PAIR(chain, 8, 9, 128)

// Steps of Francis's QR by Householder's reflections on a symmetric matrix of 4 x 4 of each thread: rows of 16 and 12, or of 17 and 13.
template <int SPARE> __device__ float house(int rounds)
{
    constexpr int PITCH = 16 + SPARE, SHORT = 12 + SPARE;
    __shared__ float matrices[64 * PITCH], mirrors[64 * SHORT];
    int t = threadIdx.x;
    float *a = matrices + t * PITCH, *mirror = mirrors + t * SHORT;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) a[i * 4 + k] = ((t * 3 + i * k * 5 + (i + k) * 7) & 15) * 0.1f + (i == k ? 2.0f + i : 0.0f);
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int j = 0; j < 3; j++) {
            float v[4], square = 0.0f;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                v[i] = i >= j ? a[i * 4 + j] : 0.0f;
                square += v[i] * v[i];
            }
            float first = a[j * 4 + j], norm = sqrtf(square);
            float scale = rsqrtf(square + fabsf(first) * norm + 1e-20f);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                if (i == j) v[i] += first >= 0.0f ? norm : -norm;
                v[i] *= scale;
                mirror[j * 4 + i] = v[i];
            }
#pragma unroll 1
            for (int k = 0; k < 4; k++) {
                float dot = 0.0f;
#pragma unroll
                for (int i = 0; i < 4; i++) dot += v[i] * a[i * 4 + k];
#pragma unroll
                for (int i = 0; i < 4; i++) a[i * 4 + k] -= dot * v[i];
            }
        }
#pragma unroll 1
        for (int j = 0; j < 3; j++) {
#pragma unroll 1
            for (int i = 0; i < 4; i++) {
                float dot = 0.0f;
#pragma unroll
                for (int k = 0; k < 4; k++) dot += mirror[j * 4 + k] * a[i * 4 + k];
#pragma unroll
                for (int k = 0; k < 4; k++) a[i * 4 + k] -= dot * mirror[j * 4 + k];
            }
        }
    }
    return a[0] + a[5] * 0.5f + a[10] * 0.25f + a[15];
}
PAIR(house, 0, 1, 64)

// Kalman's filter of place and speed in a plane, doubles, one of each thread of one warp: rows of 16 and 4, or of 17 and 5.
template <int SPARE> __device__ float kalman(int rounds)
{
    constexpr int PITCH = 16 + SPARE, SHORT = 4 + SPARE;
    __shared__ double spreads[32 * PITCH], guesses[32 * SHORT];
    int t = threadIdx.x;
    double *p = spreads + t * PITCH, *x = guesses + t * SHORT;
    for (int i = 0; i < 4; i++) {
        x[i] = 0.1 * i + 0.01 * t;
        for (int j = 0; j < 4; j++) p[i * 4 + j] = i == j ? 1.0 + 0.1 * i : 0.0;
    }
    unsigned random = t * 2654435761u + 1;
    for (int r = 0; r < rounds; r++) {
        const double step = 0.1;
#pragma unroll 1
        for (int i = 0; i < 2; i++) {
            x[i] += step * x[i + 2];
#pragma unroll
            for (int j = 0; j < 4; j++) p[i * 4 + j] += step * p[(i + 2) * 4 + j];
        }
#pragma unroll 1
        for (int i = 0; i < 4; i++) {
            p[i * 4] += step * p[i * 4 + 2];
            p[i * 4 + 1] += step * p[i * 4 + 3];
            p[i * 4 + i] += 0.01;
        }
#pragma unroll 1
        for (int m = 0; m < 2; m++) {
            random = random * 1664525u + 1013904223u;
            double seen = (random >> 16) * (1.0 / 65536.0) - x[m], over = 1.0 / (p[m * 4 + m] + 0.5), row[4];
#pragma unroll
            for (int j = 0; j < 4; j++) row[j] = p[m * 4 + j];
#pragma unroll 1
            for (int i = 0; i < 4; i++) {
                double gain = p[i * 4 + m] * over;
                x[i] += gain * seen;
#pragma unroll
                for (int j = 0; j < 4; j++) p[i * 4 + j] -= gain * row[j];
            }
        }
        __syncwarp();
    }
    return (float)(x[0] + x[1] + x[2] + x[3] + p[0] + p[10]);
}
PAIR(kalman, 0, 1, 32)

// A sparse matrix (CSR) of 64 rows of three to eight by 64 x 32 numbers, a row a warp, a column a lane: columns of 64, or of 65.
template <int PITCH> __device__ float spmm(int rounds)
{
    extern __shared__ float places[];
    float *dense = places, *value = dense + 32 * PITCH;
    int *column = (int *)(value + 384), *start = column + 384;
    int lane = threadIdx.x, warp = threadIdx.y, t = warp * 32 + lane;
    if (t == 0) {
        start[0] = 0;
        for (int i = 0; i < 64; i++) start[i + 1] = start[i] + 3 + i * 5 % 6;
    }
    __syncthreads();
    if (t < 64)
        for (int e = start[t]; e < start[t + 1]; e++) {
            column[e] = (t * 3 + (e - start[t]) * 11) & 63;
            value[e] = (1.0f + 0.1f * (e & 3)) / (start[t + 1] - start[t]);
        }
    for (int i = warp; i < 64; i += 8) dense[lane * PITCH + i] = ((i * 5 + lane * 3) & 31) * 0.05f;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        float sum[8];
#pragma unroll
        for (int i = 0; i < 8; i++) {
            int row = warp + i * 8;
            sum[i] = 0.0f;
#pragma unroll 1
            for (int e = start[row]; e < start[row + 1]; e++) sum[i] += value[e] * dense[lane * PITCH + column[e]];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; i++) dense[lane * PITCH + warp + i * 8] = 0.8f * sum[i] + 0.1f;
        __syncthreads();
    }
    return dense[lane * PITCH + warp] + dense[lane * PITCH + warp + 32];
}
PAIR(spmm, 64, 65, 256)

// Prices of American puts by a binomial tree of 23 steps, an option a thread: rows of 24, or of 25.
template <int PITCH> __device__ float binomial(int rounds)
{
    extern __shared__ float prices[];
    float *power = prices, *value = prices + 48 + threadIdx.x * PITCH;
    int t = threadIdx.x;
    if (t < 47) power[t] = expf(0.03f * (t - 23));
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        float spot = 90.0f + (t & 15), strike = 95.0f + ((t + r * 3) & 15);
#pragma unroll 1
        for (int i = 0; i < 24; i++) value[i] = fmaxf(strike - spot * power[2 * i], 0.0f);
#pragma unroll 1
        for (int n = 22; n >= 0; n--) {
            float low = value[0];
#pragma unroll 1
            for (int i = 0; i <= n; i++) {
                float high = value[i + 1], hold = 0.9985f * (0.51f * high + 0.49f * low);
                value[i] = fmaxf(hold, strike - spot * power[2 * i + 23 - n]);
                low = high;
            }
        }
        sum += value[0];
    }
    return sum;
}
PAIR(binomial, 24, 25, 64)
