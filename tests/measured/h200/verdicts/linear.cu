#include "../../h100/verdicts/verdict.cuh"

// Gram and Schmidt on eight matrices of 16 x 16, a column a thread, columns one after the other.
template <int PITCH> __device__ float gram(int rounds)
{
    __shared__ float all[8][16 * PITCH];
    int column = threadIdx.x;
    float *a = all[threadIdx.y], *own = a + column * PITCH, sum = 0;
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < 16; i++) own[i] = i == column ? 4.0f : 1.0f / (1 + i + column + r);
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            const float *q = a + k * PITCH;
            float norm = 0, dot = 0;
            for (int i = 0; i < 16; i++) {
                norm += q[i] * q[i];
                dot += q[i] * own[i];
            }
            if (column > k) {
                float f = dot / norm;
                for (int i = 0; i < 16; i++) own[i] -= f * q[i];
            }
            if (column == k) sum += sqrtf(norm);
            __syncthreads();
        }
    }
    return sum;
}
PAIR(gram, 16, 17, 128)

// LU with pivots of matrices of 8 x 8, a row a thread, four matrices a warp.
template <int PITCH> __device__ float lu_pivot(int rounds)
{
    __shared__ float all[8][8 * PITCH];
    int row = threadIdx.x % 8;
    float *a = all[threadIdx.x / 8], det = 0;
    for (int r = 0; r < rounds; r++) {
        for (int j = 0; j < 8; j++) a[row * PITCH + j] = ((row * 5 + j * 3 + r + threadIdx.x / 8) % 11) - 4.3f;
        __syncwarp();
        for (int k = 0; k < 8; k++) {
            float v = row >= k ? fabsf(a[row * PITCH + k]) : -1.0f;
            int which = row;
            for (int d = 4; d > 0; d >>= 1) {
                float w = __shfl_xor_sync(0xffffffffu, v, d, 8);
                int other = __shfl_xor_sync(0xffffffffu, which, d, 8);
                if (w > v || (w == v && other < which)) {
                    v = w;
                    which = other;
                }
            }
            float upper = a[k * PITCH + row], lower = a[which * PITCH + row];
            __syncwarp();
            a[which * PITCH + row] = upper;
            __syncwarp();
            a[k * PITCH + row] = lower;
            __syncwarp();
            if (row > k) {
                float f = a[row * PITCH + k] / (a[k * PITCH + k] + 1e-6f);
                a[row * PITCH + k] = f;
                for (int j = k + 1; j < 8; j++) a[row * PITCH + j] -= f * a[k * PITCH + j];
            }
            __syncwarp();
        }
        det += a[row * PITCH + row];
    }
    return det;
}
PAIR(lu_pivot, 8, 9, 64)

// Blocks of 4 x 4 in sparse rows (BSR), four blocks a row of blocks, a thread a row.
template <int ROW> __device__ float bsr(int rounds)
{
    __shared__ float value[32 * ROW], x[128];
    __shared__ int column[128];
    int t = threadIdx.x, block = t / 4, row = t % 4;
    for (int i = t; i < 32 * 64; i += 128) value[i / 64 * ROW + i % 64] = ((i * 7) & 15) * 0.008f;
    column[t] = (t / 4 + (t % 4) * 9) & 31;
    x[t] = 1.0f + t;
    __syncthreads();
    float y = 0;
    for (int r = 0; r < rounds; r++) {
        y = 0;
        for (int k = 0; k < 4; k++) {
            int c = column[block * 4 + k] * 4;
            const float *v = value + block * ROW + k * 16 + row;
#pragma unroll
            for (int j = 0; j < 4; j++) y += v[j * 4] * x[c + j];
        }
        __syncthreads();
        x[t] = y;
        __syncthreads();
    }
    return y;
}
PAIR(bsr, 64, 68, 128)

// A symmetric matrix of 64 x 64 by a vector, its lower half packed, or in rows of 65.
template <int ROWS> __device__ float symmetric(int rounds)
{
    __shared__ float a[ROWS ? 64 * 65 : 2080], x[64];
    int i = threadIdx.x;
#define AT(i, j) a[ROWS ? (i) * 65 + (j) : (i) * ((i) + 1) / 2 + (j)]
    for (int j = 0; j <= i; j++) AT(i, j) = 0.01f * ((i * j) & 7);
    x[i] = 1.0f;
    __syncthreads();
    float y = 0;
    for (int r = 0; r < rounds; r++) {
        y = 0;
        for (int j = 0; j < 64; j++) {
            int high = max(i, j), low = min(i, j);
            y += AT(high, low) * x[j];
        }
        __syncthreads();
        x[i] = y * 0.5f + 0.01f;
        __syncthreads();
    }
    return y;
#undef AT
}
PAIR(symmetric, 0, 1, 64)

// Five diagonals, Jacobi's steps: the six numbers of a row side by side, or in arrays.
template <int ARRAYS> __device__ float penta(int rounds)
{
    __shared__ float s[256 * 6], x[256 + 4];
    int t = threadIdx.x;
#define ROW(m) s[ARRAYS ? (m) * 256 + t : t * 6 + (m)]
    for (int m = 0; m < 5; m++) ROW(m) = m == 2 ? 6.0f : -1.0f - 0.1f * m;
    ROW(5) = t & 7;
    x[t + 2] = 0;
    if (t < 2) x[t] = x[t + 258] = 0;
    __syncthreads();
    float v = 0;
    for (int r = 0; r < rounds; r++) {
        v = ROW(5) - ROW(0) * x[t] - ROW(1) * x[t + 1] - ROW(3) * x[t + 3] - ROW(4) * x[t + 4];
        v = __fdividef(v, ROW(2));
        __syncthreads();
        x[t + 2] = v;
        ROW(5) = v * 0.25f + (t & 7);
        __syncthreads();
    }
    return v;
#undef ROW
}
PAIR(penta, 0, 1, 256)

// Derivatives along three axes of two spectral elements of 8 x 8 x 8 points by a matrix of 8 x 8.
template <int PITCH> __device__ float spectral(int rounds)
{
    __shared__ float d[8 * PITCH], all[2][2][512];
    int i = threadIdx.x, j = threadIdx.y, e = threadIdx.z;
    if (e == 0) d[j * PITCH + i] = i == j ? 0.0f : 0.5f / (i - j);
    for (int k = 0; k < 8; k++) all[0][e][(k * 8 + j) * 8 + i] = (i + 2 * j + 3 * k) & 15;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        const float *u = all[r & 1][e];
        float *to = all[(r & 1) ^ 1][e];
#pragma unroll 1
        for (int k = 0; k < 8; k++) {
            float x = 0, y = 0, z = 0;
#pragma unroll
            for (int m = 0; m < 8; m++) {
                x += d[i * PITCH + m] * u[(k * 8 + j) * 8 + m];
                y += d[j * PITCH + m] * u[(k * 8 + m) * 8 + i];
                z += d[k * PITCH + m] * u[(m * 8 + j) * 8 + i];
            }
            to[(k * 8 + j) * 8 + i] = 0.95f * u[(k * 8 + j) * 8 + i] + 0.1f * (x - y) + 0.05f * z;
        }
        __syncthreads();
    }
    return all[rounds & 1][e][j * 8 + i];
}
PAIR(spectral, 8, 9, 128)

// Complex numbers, 32 x 32 x 16 by 16 x 16 threads: a thread's two columns side by side, or 16 apart.
template <int APART> __device__ float cgemm(int rounds)
{
    __shared__ float2 a[16][32], b[16][32];
    int x = threadIdx.x, y = threadIdx.y;
    for (int i = x; i < 32; i += 16) {
        a[y][i] = make_float2(0.01f * i, 0.02f * y);
        b[y][i] = make_float2(0.02f * y, 0.01f * i);
    }
    __syncthreads();
    float2 c[2][2] = {};
    int first = APART ? x : 2 * x, second = APART ? x + 16 : 2 * x + 1;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 4
        for (int k = 0; k < 16; k++) {
            float2 u[2] = {a[k][y], a[k][y + 16]}, v[2];
            v[0] = b[k][first];
            v[1] = b[k][second];
#pragma unroll
            for (int i = 0; i < 2; i++)
#pragma unroll
                for (int j = 0; j < 2; j++) {
                    c[i][j].x += u[i].x * v[j].x - u[i].y * v[j].y;
                    c[i][j].y += u[i].x * v[j].y + u[i].y * v[j].x;
                }
        }
        __syncthreads();
        b[y][first] = make_float2(c[0][0].x * 1e-3f, c[0][1].y * 1e-3f);
        __syncthreads();
    }
    return c[0][0].x + c[0][1].y + c[1][0].x + c[1][1].y;
}
PAIR(cgemm, 0, 1, 256)

struct triple {
    unsigned row, column, value, mark;
};

// Sparse numbers with row and column (COO), whole numbers, summed by atomics: structs of four words, or arrays.
template <int ARRAYS> __device__ float coo(int rounds)
{
    __shared__ triple entry[ARRAYS ? 1 : 1024];
    __shared__ unsigned row[ARRAYS ? 1024 : 1], column[ARRAYS ? 1024 : 1], value[ARRAYS ? 1024 : 1], x[256], y[256];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 256) {
        unsigned to = i / 4 + (i * 7 & 3), from = i * 41 & 255, v = i & 15;
        if (ARRAYS) {
            row[i] = to & 255;
            column[i] = from;
            value[i] = v;
        } else {
            entry[i].row = to & 255;
            entry[i].column = from;
            entry[i].value = v;
            entry[i].mark = 0;
        }
    }
    x[t] = t;
    y[t] = 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int i = t; i < 1024; i += 256) {
            if (ARRAYS) atomicAdd(&y[row[i]], value[i] * x[column[i]]);
            else atomicAdd(&y[entry[i].row], entry[i].value * x[entry[i].column]);
        }
        __syncthreads();
        x[t] = y[t] >> 4;
        y[t] = r;
        __syncthreads();
    }
    return x[t];
}
PAIR(coo, 0, 1, 256)
