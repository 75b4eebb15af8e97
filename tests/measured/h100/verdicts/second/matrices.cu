#include "../verdict.cuh"
#include <cuda_fp16.h>

// Inverses of 16 x 16 matrices beside the unit matrix, a row a thread, four matrices.
template <int PITCH> __device__ float inverse(int rounds)
{
    __shared__ float all[4 * 16 * PITCH];
    int row = threadIdx.x, which = threadIdx.y;
    float *m = all + which * 16 * PITCH;
    for (int r = 0; r < rounds; r++) {
        for (int j = 0; j < 16; j++) {
            m[row * PITCH + j] = row == j ? 17.0f + which : 1.0f / (1 + r + j);
            m[row * PITCH + 16 + j] = row == j;
        }
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            float pivot = 1.0f / m[k * PITCH + k];
            float factor = m[row * PITCH + k] * pivot;
            __syncthreads();
            if (row != k)
                for (int j = 0; j < 32; j++) m[row * PITCH + j] -= factor * m[k * PITCH + j];
            __syncthreads();
        }
    }
    return m[row * PITCH + 16] / m[row * PITCH + row];
}
PAIR(inverse, 32, 33, 64)

// Cholesky's factors of 48 x 48, column by column from what is left of it, a row a thread.
template <int PITCH> __device__ float chol_left(int rounds)
{
    __shared__ float a[48 * PITCH];
    int i = threadIdx.x;
    for (int r = 0; r < rounds; r++) {
        if (i < 48)
            for (int j = 0; j < 48; j++) a[i * PITCH + j] = i == j ? 50.0f + r : 1.0f;
        __syncthreads();
        for (int j = 0; j < 48; j++) {
            float s = 0;
            if (i >= j && i < 48) {
                s = a[i * PITCH + j];
                for (int k = 0; k < j; k++) s -= a[i * PITCH + k] * a[j * PITCH + k];
            }
            __syncthreads();
            if (i == j) a[j * PITCH + j] = sqrtf(s);
            __syncthreads();
            if (i > j && i < 48) a[i * PITCH + j] = s / a[j * PITCH + j];
            __syncthreads();
        }
    }
    return i < 48 ? a[i * PITCH + i] : 0;
}
PAIR(chol_left, 48, 49, 64)

// L X = B with a column of B for each thread, columns side by side or rows.
template <int BY_ROWS> __device__ float trsm(int rounds)
{
    __shared__ float l[24 * 24], x[24 * 64];
    int t = threadIdx.x;
#define X(i) x[BY_ROWS ? (i) * 64 + t : t * 24 + (i)]
    for (int i = t; i < 24 * 24; i += 64) l[i] = i / 24 == i % 24 ? 2.0f : 0.02f * (i % 24);
    for (int i = 0; i < 24; i++) X(i) = i + t;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < 24; i++) {
            float s = X(i);
            for (int k = 0; k < i; k++) s -= l[i * 24 + k] * X(k);
            X(i) = s / l[i * 24 + i];
        }
    }
    return X(23);
#undef X
}
PAIR(trsm, 0, 1, 64)

// Sparse rows of eight numbers each (ELL), by rows or by columns of the format.
template <int BY_COLUMN> __device__ float ell(int rounds)
{
    __shared__ float value[8 * 256], x[256];
    __shared__ short column[8 * 256];
    int row = threadIdx.x;
    for (int k = 0; k < 8; k++) {
        int at = BY_COLUMN ? k * 256 + row : row * 8 + k;
        value[at] = 0.1f * (k + 1);
        column[at] = (row + k * 17) % 256;
    }
    x[row] = row;
    __syncthreads();
    float y = 0;
    for (int r = 0; r < rounds; r++) {
        y = 0;
        for (int k = 0; k < 8; k++) {
            int at = BY_COLUMN ? k * 256 + row : row * 8 + k;
            y += value[at] * x[column[at]];
        }
        __syncthreads();
        x[row] = y * 0.25f;
        __syncthreads();
    }
    return y;
}
PAIR(ell, 0, 1, 256)

// Sparse rows (CSR), 64 of 16 numbers: a thread a row, or eight threads.
template <int VECTOR> __device__ float csr(int rounds)
{
    __shared__ float value[1024], x[512];
    __shared__ int begin[65], column[1024];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 512) {
        value[i] = 0.01f * (i & 7);
        column[i] = (i * 37) & 511;
    }
    if (t < 65) begin[t] = t * 16;
    x[t] = 1;
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        sum = 0;
        if (VECTOR) {
            int row = t / 8, lane = t % 8;
            for (int i = begin[row] + lane; i < begin[row + 1]; i += 8) sum += value[i] * x[column[i]];
            for (int d = 4; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, d, 8);
            __syncthreads();
            if (lane == 0) x[row] = sum;
        } else {
            if (t < 64)
                for (int i = begin[t]; i < begin[t + 1]; i++) sum += value[i] * x[column[i]];
            __syncthreads();
            if (t < 64) x[t] = sum;
        }
        __syncthreads();
    }
    return sum + x[t];
}
PAIR(csr, 0, 1, 512)

// Bytes by bytes, 16 x 16 threads, 32 x 32 sums, 64 deep, four products at a time.
template <int PITCH> __device__ float gemm_bytes(int rounds)
{
    __shared__ int a[32][PITCH], b[32][PITCH];
    int tx = threadIdx.x, ty = threadIdx.y;
    a[ty][tx] = a[ty + 16][tx] = 0x01020304 * tx;
    b[ty][tx] = b[ty + 16][tx] = 0x04030201 + ty;
    __syncthreads();
    int c[2][2] = {};
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 16; k++) {
            int a0 = a[ty][k], a1 = a[ty + 16][k], b0 = b[tx][k], b1 = b[tx + 16][k];
            c[0][0] = __dp4a(a0, b0, c[0][0]);
            c[0][1] = __dp4a(a0, b1, c[0][1]);
            c[1][0] = __dp4a(a1, b0, c[1][0]);
            c[1][1] = __dp4a(a1, b1, c[1][1]);
        }
        __syncthreads();
        b[ty][tx] ^= c[0][1];
        __syncthreads();
    }
    return c[0][0] + c[0][1] + c[1][0] + c[1][1];
}
PAIR(gemm_bytes, 16, 17, 256)

// B's rows in vectors of four along k, swizzled or not: 32 x 4 threads, 32 deep.
template <int SWIZZLE> __device__ float gemm_vector(int rounds)
{
    __shared__ float4 a[16][8], b[32][8];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 32 + tx;
    a[t / 8][t % 8] = make_float4(t, 1, 2, 3);
    b[t / 8][t % 8] = make_float4(1, t, 1, 1);
    b[t / 8 + 16][t % 8] = make_float4(2, 1, t, 1);
    __syncthreads();
    float sum[4] = {};
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float4 v = b[tx][SWIZZLE ? k ^ (tx & 7) : k];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float4 u = a[ty * 4 + i][k];
                sum[i] += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
            }
        }
        __syncthreads();
        a[t / 8][t % 8].x = sum[0] * 0.001f;
        __syncthreads();
    }
    return sum[0] + sum[1] + sum[2] + sum[3];
}
PAIR(gemm_vector, 0, 1, 128)

// Scores of a thread's own query against 32 keys of 32 halves, with the sum of their exponentials on the way.
template <int PITCH> __device__ float attention(int rounds)
{
    __shared__ __half2 query[128 * PITCH], key[32 * 16];
    int t = threadIdx.x;
    for (int d = 0; d < 16; d++) query[t * PITCH + d] = __floats2half2_rn(0.01f * t, 0.02f * d);
    for (int i = t; i < 32 * 16; i += 128) key[i] = __floats2half2_rn(0.001f * i, 0.25f);
    __syncthreads();
    float most = -1e30f, sum = 0;
    for (int r = 0; r < rounds; r++) {
        for (int j = 0; j < 32; j++) {
            float s = 0;
#pragma unroll
            for (int d = 0; d < 16; d++) {
                float2 p = __half22float2(__hmul2(query[t * PITCH + d], key[j * 16 + d]));
                s += p.x + p.y;
            }
            float m = fmaxf(most, s);
            sum = sum * __expf(most - m) + __expf(s - m);
            most = m;
        }
        __syncthreads();
        query[t * PITCH + (r & 15)] = __float2half2_rn(sum * 1e-3f);
        __syncthreads();
    }
    return most + logf(sum);
}
PAIR(attention, 16, 17, 128)

// Softmax of 32 rows of 128: each of 32 lanes has a row, or each of eight warps has four.
template <int WARPS> __device__ float rows(int rounds)
{
    __shared__ float s[32][128];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (int i = t; i < 32 * 128; i += 256) s[i / 128][i % 128] = (i * 7) & 31;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        if (WARPS) {
            for (int row = warp; row < 32; row += 8) {
                float most = -1e30f, sum = 0;
                for (int i = lane; i < 128; i += 32) most = fmaxf(most, s[row][i]);
                for (int d = 16; d > 0; d >>= 1) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, d));
                for (int i = lane; i < 128; i += 32) sum += s[row][i] = __expf(s[row][i] - most);
                for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, d);
                for (int i = lane; i < 128; i += 32) s[row][i] /= sum;
            }
        } else if (warp == 0) {
            float most = -1e30f, sum = 0;
            for (int i = 0; i < 128; i++) most = fmaxf(most, s[lane][i]);
            for (int i = 0; i < 128; i++) sum += s[lane][i] = __expf(s[lane][i] - most);
            for (int i = 0; i < 128; i++) s[lane][i] /= sum;
        }
        __syncthreads();
    }
    return s[lane][warp];
}
PAIR(rows, 0, 1, 256)

// Jacobi's rotations of columns p and q, a row a lane, of doubles.
template <int PITCH> __device__ float givens(int rounds)
{
    __shared__ double a[32 * PITCH];
    int i = threadIdx.x;
    for (int j = 0; j < 12; j++) a[i * PITCH + j] = 1.0 / (1 + i + j);
    __syncwarp();
    for (int r = 0; r < rounds; r++) {
        for (int p = 0; p < 11; p++) {
            for (int q = p + 1; q < 12; q++) {
                double x = a[i * PITCH + p], y = a[i * PITCH + q];
                double c = 0.8, s = 0.6;
                a[i * PITCH + p] = c * x - s * y;
                a[i * PITCH + q] = s * x + c * y;
            }
        }
        __syncwarp();
    }
    return (float)a[i * PITCH + 3];
}
PAIR(givens, 12, 13, 32)

// Red and black cells by turns (Gauss and Seidel) of 32 x 64: as they lie, or each colour on its own.
template <int APART> __device__ float red_black(int rounds)
{
    __shared__ float s[34][68];
    int x = threadIdx.x, y = threadIdx.y;
#define CELL(row, col) s[row][APART ? ((col) & 1) * 34 + (col) / 2 : (col)]
    for (int i = y; i < 34; i += 8)
        for (int j = x; j < 66; j += 32) CELL(i, j) = i + j;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int colour = 0; colour < 2; colour++) {
            for (int i = y + 1; i < 33; i += 8) {
                int j = 2 * x + 1 + ((i + colour) & 1);
                CELL(i, j) = 0.25f * (CELL(i - 1, j) + CELL(i + 1, j) + CELL(i, j - 1) + CELL(i, j + 1));
            }
            __syncthreads();
        }
    }
    return CELL(y + 1, x + 1);
#undef CELL
}
PAIR(red_black, 0, 1, 256)
