#include "verdict.cuh"
#include <cuda_fp16.h>

// A tile by a tile that lies turned, 32 x 32 threads.
template <int P> __device__ float mm_turned(int rounds)
{
    __shared__ float a[32][32], b[32][P];
    int x = threadIdx.x, y = threadIdx.y;
    a[y][x] = 0.01f * x;
    b[y][x] = 0.01f * y;
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 32; k++) sum += a[y][k] * b[x][k];
        __syncthreads();
        b[y][x] = sum;
    }
    return sum;
}
PAIR(mm_turned, 32, 33, 1024)

// 64 x 64 x 16, sums of 4 x 4 in registers, b by columns.
template <int P> __device__ float mm_reg4(int rounds)
{
    __shared__ float a[16 * 64], b[64 * P];
    int t = threadIdx.x, x = t % 16, y = t / 16;
    float sum[4][4] = {};
    for (int i = t; i < 1024; i += 256) {
        a[i] = 0.001f * i;
        b[i / 16 * P + i % 16] = 0.002f * i;
    }
    for (int r = 0; r < rounds; r++) {
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float u[4], v[4];
#pragma unroll
            for (int i = 0; i < 4; i++) u[i] = a[k * 64 + y * 4 + i];
#pragma unroll
            for (int i = 0; i < 4; i++) v[i] = b[(x + 16 * i) * P + k];
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) sum[i][j] += u[i] * v[j];
        }
        __syncthreads();
        a[t] = sum[0][0];
    }
    float all = 0;
    for (int i = 0; i < 16; i++) all += sum[i / 4][i % 4];
    return all;
}
PAIR(mm_reg4, 16, 17, 256)

// 128 x 128 x 8, sums of 8 x 8, loads of 16 bytes: a thread's eight columns side by side, or four and four.
template <int APART> __device__ float mm_reg8(int rounds)
{
    __shared__ float4 a[8 * 32], b[8 * 32];
    int t = threadIdx.x, x = t % 16, y = t / 16;
    float sum[8][8] = {};
    a[t] = make_float4(t, 1, 2, 3);
    b[t] = make_float4(4, t, 5, 6);
    for (int r = 0; r < rounds; r++) {
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float4 u0 = a[k * 32 + y * 2], u1 = a[k * 32 + y * 2 + 1];
            float4 v0 = b[k * 32 + (APART ? x : 2 * x)], v1 = b[k * 32 + (APART ? 16 + x : 2 * x + 1)];
            float u[8] = {u0.x, u0.y, u0.z, u0.w, u1.x, u1.y, u1.z, u1.w};
            float v[8] = {v0.x, v0.y, v0.z, v0.w, v1.x, v1.y, v1.z, v1.w};
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++) sum[i][j] += u[i] * v[j];
        }
        __syncthreads();
        a[t].x = sum[0][1];
    }
    float all = 0;
#pragma unroll
    for (int i = 0; i < 64; i++) all += sum[i / 8][i % 8];
    return all;
}
PAIR(mm_reg8, 0, 1, 256)

// Doubles, 32 x 32 x 16 by 16 x 16 threads, 2 x 2 each.
template <int P> __device__ float mm_double(int rounds)
{
    __shared__ double a[32 * 16], b[32 * P];
    int x = threadIdx.x, y = threadIdx.y;
    double s00 = 0, s01 = 0, s10 = 0, s11 = 0;
    for (int i = y; i < 32; i += 16) {
        a[i * 16 + x] = x;
        b[i * P + x] = i;
    }
    for (int r = 0; r < rounds; r++) {
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            double u0 = a[y * 16 + k], u1 = a[(y + 16) * 16 + k], v0 = b[x * P + k], v1 = b[(x + 16) * P + k];
            s00 += u0 * v0;
            s01 += u0 * v1;
            s10 += u1 * v0;
            s11 += u1 * v1;
        }
        __syncthreads();
        a[y * 16 + x] = s00 * 0.01;
    }
    return (float)(s00 + s01 + s10 + s11);
}
PAIR(mm_double, 16, 17, 256)

// Pairs of halves, a row of four sums for each of 32 x 4 threads.
template <int P> __device__ float mm_half2(int rounds)
{
    __shared__ __half2 a[16 * 32], b[32 * P];
    int x = threadIdx.x, y = threadIdx.y;
    __half2 sum[4];
    for (int i = 0; i < 4; i++) sum[i] = __floats2half2_rn(0.0f, 0.0f);
    for (int i = y; i < 32; i += 4) {
        if (i < 16) a[i * 32 + x] = __floats2half2_rn(0.01f * x, 0.5f);
        b[i * P + x] = __floats2half2_rn(0.25f, 0.01f * i);
    }
    for (int r = 0; r < rounds; r++) {
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 32; k++) {
            __half2 v = b[x * P + k];
#pragma unroll
            for (int i = 0; i < 4; i++) sum[i] = __hfma2(a[(y * 4 + i) * 32 + k], v, sum[i]);
        }
        __syncthreads();
        a[y * 32 + x] = sum[0];
    }
    return __low2float(__hadd2(__hadd2(sum[0], sum[1]), __hadd2(sum[2], sum[3])));
}
PAIR(mm_half2, 32, 33, 128)

// A 4 x 4 matrix of each of 64 threads, by the neighbour's.
template <int P> __device__ float small_4x4(int rounds)
{
    __shared__ float m[64 * P];
    int t = threadIdx.x;
    float *own = m + t * P, *other = m + (t ^ 1) * P;
    for (int i = 0; i < 16; i++) own[i] = 0.1f * (i + t % 3);
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        float c[16];
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j++) {
                float sum = 0;
#pragma unroll
                for (int k = 0; k < 4; k++) sum += own[i * 4 + k] * other[k * 4 + j];
                c[i * 4 + j] = sum;
            }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) own[i] = c[i] * 0.3f;
        __syncthreads();
    }
    return own[0];
}
PAIR(small_4x4, 16, 17, 64)

// y = A x, a row a thread, over and over.
template <int P> __device__ float matvec(int rounds)
{
    __shared__ float a[64 * P], x[64];
    int t = threadIdx.x;
    for (int k = 0; k < 64; k++) a[t * P + k] = 0.01f * ((t * k) & 7);
    x[t] = 1;
    __syncthreads();
    float y = 0;
    for (int r = 0; r < rounds; r++) {
        y = 0;
        for (int k = 0; k < 64; k++) y += a[t * P + k] * x[k];
        __syncthreads();
        x[t] = y * 0.5f;
        __syncthreads();
    }
    return y;
}
PAIR(matvec, 64, 65, 64)

// ldmatrix and mma: 16 x 8 x 16 of each of four warps, over rows of 64 halves.
template <int P> __device__ float ldm(int rounds)
{
    __shared__ __align__(16) __half a[64 * P], b[16 * P];
    int t = threadIdx.x, lane = t % 32, w = t / 32;
    for (int i = t; i < 64 * P; i += 128) a[i] = __float2half(0.01f);
    for (int i = t; i < 16 * P; i += 128) b[i] = __float2half(0.02f);
    float c0 = 0, c1 = 0, c2 = 0, c3 = 0, d0 = 0, d1 = 0, d2 = 0, d3 = 0;
    unsigned pa = (unsigned)__cvta_generic_to_shared(&a[(w * 16 + lane % 16) * P + lane / 16 * 8]);
    unsigned pb = (unsigned)__cvta_generic_to_shared(&b[(lane % 8 + lane / 16 * 8) * P + lane / 8 % 2 * 8]);
    for (int r = 0; r < rounds; r++) {
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 4; k++) {
            unsigned a0, a1, a2, a3, b0, b1, b2, b3;
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(a0), "=r"(a1), "=r"(a2), "=r"(a3) : "r"(pa + 32 * k) : "memory");
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(b0), "=r"(b1), "=r"(b2), "=r"(b3) : "r"(pb + 32 * k) : "memory");
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                         "{%8, %9}, {%0, %1, %2, %3};"
                         : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                         "{%8, %9}, {%0, %1, %2, %3};"
                         : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b2), "r"(b3));
        }
    }
    return c0 + c1 + c2 + c3 + d0 + d1 + d2 + d3;
}
PAIR(ldm, 64, 72, 128)
