#include "verdict.cuh"

// LU of 32 x 32 without pivots, a row a lane, one warp.
template <int P> __device__ float lu(int rounds)
{
    __shared__ float a[32][P];
    int t = threadIdx.x;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 4
        for (int j = 0; j < 32; j++) a[t][j] = j == t ? 40.0f : 1.0f / (1 + j + r);
        __syncwarp();
        for (int k = 0; k < 31; k++) {
            if (t > k) {
                float f = a[t][k] / a[k][k];
                a[t][k] = f;
                for (int j = k + 1; j < 32; j++) a[t][j] -= f * a[k][j];
            }
            __syncwarp();
        }
    }
    return a[t][31];
}
PAIR(lu, 32, 33, 32)

// L x = b of each of four warps, x handed on by shuffles.
template <int P> __device__ float trsv(int rounds)
{
    __shared__ float l[4][32 * P];
    int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    for (int k = 0; k < 32; k++) l[w][lane * P + k] = k == lane ? 2.0f : 0.01f * k;
    __syncwarp();
    float b = lane;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 8
        for (int k = 0; k < 32; k++) {
            float x = __shfl_sync(0xffffffffu, b, k) * 0.5f;
            float v = l[w][lane * P + k];
            b = lane > k ? b - v * x : lane == k ? x : b;
        }
        __syncwarp();
    }
    return b;
}
PAIR(trsv, 32, 33, 128)

// Cholesky's factors of 32 x 32 doubles, one warp.
template <int P> __device__ float cholesky(int rounds)
{
    __shared__ double a[32 * P];
    int t = threadIdx.x;
    for (int r = 0; r < rounds; r++) {
        for (int j = 0; j < 32; j++) a[t * P + j] = j == t ? 64.0 + r : 1.0;
        __syncwarp();
        for (int k = 0; k < 32; k++) {
            double d = sqrt(a[k * P + k]);
            double f = a[t * P + k] / d;
            __syncwarp();
            if (t >= k) a[t * P + k] = f;
            __syncwarp();
            for (int j = k + 1; j < 32; j++)
                if (t >= j) a[t * P + j] -= f * a[j * P + k];
            __syncwarp();
        }
    }
    return (float)a[t * P + t];
}
PAIR(cholesky, 32, 33, 32)

// Tridiagonal systems of 32 unknowns, one of each of 64 threads: a system's numbers side by side, or the threads'.
template <int TURNED> __device__ float thomas(int rounds)
{
    __shared__ float c[32 * 64], d[32 * 64];
    int t = threadIdx.x;
#define AT(i) (TURNED ? (i) * 64 + t : t * 32 + (i))
    float x = t;
    for (int i = 0; i < 32; i++) d[AT(i)] = i;
    for (int r = 0; r < rounds; r++) {
        float cp = 0.25f, dp = x * 0.25f;
        c[AT(0)] = cp;
        for (int i = 1; i < 32; i++) {
            float m = __fdividef(1.0f, 4.0f - cp);
            cp = m;
            dp = (d[AT(i)] - dp) * m;
            c[AT(i)] = cp;
            d[AT(i)] = dp;
        }
        x = dp;
        for (int i = 30; i >= 0; i--) {
            x = d[AT(i)] - c[AT(i)] * x;
            d[AT(i)] = x;
        }
    }
    return x;
#undef AT
}
PAIR(thomas, 0, 1, 64)

// Gauss and Jordan, 16 x 16, a thread an element, the block's threads down the columns.
template <int P> __device__ float jordan(int rounds)
{
    __shared__ float a[16 * P];
    int row = threadIdx.x, column = threadIdx.y;
    for (int r = 0; r < rounds; r++) {
        a[row * P + column] = row == column ? 20.0f : 1.0f + 0.01f * r;
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < 16; k++) {
            float p = 1.0f / a[k * P + k];
            float f = a[row * P + k], g = a[k * P + column] * p;
            __syncthreads();
            if (row != k) a[row * P + column] -= f * g;
            else a[row * P + column] = g;
            __syncthreads();
        }
    }
    return a[row * P + column];
}
PAIR(jordan, 16, 17, 256)

// Shortest ways between 32 places, threads down the columns.
template <int P> __device__ float ways(int rounds)
{
    __shared__ int d[32 * P];
    int i = threadIdx.x, y = threadIdx.y;
    for (int j = y; j < 32; j += 8) d[i * P + j] = (i * 7 + j * 13) & 63;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < 32; k++) {
            int ik = d[i * P + k];
#pragma unroll
            for (int n = 0; n < 4; n++) {
                int j = y + 8 * n;
                d[i * P + j] = min(d[i * P + j], ik + d[k * P + j]);
            }
            __syncthreads();
        }
        d[i * P + y] += r;
        __syncthreads();
    }
    return d[i * P + y];
}
PAIR(ways, 32, 33, 256)

// How alike two texts are, along diagonals: here it is the padding that collides.
template <int P> __device__ float alike(int rounds)
{
    __shared__ int h[33 * P];
    int t = threadIdx.x, best = 0;
    for (int i = t; i < 33 * P; i += 32) h[i] = 0;
    __syncwarp();
    for (int r = 0; r < rounds; r++) {
        for (int d = 0; d < 63; d++) {
            int i = d - t;
            if (i >= 0 && i < 32) {
                int same = ((i * 5 + r) & 3) == (t & 3) ? 3 : -1;
                int v = h[i * P + t] + same;
                v = max(v, h[(i + 1) * P + t] - 2);
                v = max(v, 0);
                h[(i + 1) * P + t] = v;
                best = max(best, v);
            }
            __syncwarp();
        }
    }
    return best;
}
PAIR(alike, 33, 32, 32)
