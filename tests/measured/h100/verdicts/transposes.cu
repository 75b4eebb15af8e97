#include "verdict.cuh"
#include <cuda_fp16.h>

// A tile of 32 x 32 floats there and back, 32 x 8 threads.
template <int P> __device__ float tr_float(int rounds)
{
    __shared__ float a[32 * P], b[32 * P];
    int x = threadIdx.x, y = threadIdx.y;
    for (int i = y; i < 32; i += 8) a[i * P + x] = (float)(i * 32 + x);
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int i = 0; i < 32; i += 8) b[(y + i) * P + x] = a[x * P + y + i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i += 8) a[(y + i) * P + x] = b[x * P + y + i] + 1.0f;
        __syncthreads();
    }
    return a[y * P + x];
}
PAIR(tr_float, 32, 33, 256)

// 16 x 16 doubles, a thread each.
template <int P> __device__ float tr_double(int rounds)
{
    __shared__ double a[16][P], b[16][P];
    int x = threadIdx.x, y = threadIdx.y;
    a[y][x] = x + 16 * y;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        b[y][x] = a[x][y] * 0.5 + 1.0;
        __syncthreads();
        a[y][x] = b[x][y];
        __syncthreads();
    }
    return (float)a[y][x];
}
PAIR(tr_double, 16, 17, 256)

// 32 x 32 pairs of halves by four warps, swizzled or not.
template <int SWIZZLE> __device__ float tr_half2(int rounds)
{
    __shared__ __half2 a[1024], b[1024];
    int x = threadIdx.x, y = threadIdx.y;
    for (int i = y; i < 32; i += 4) a[i * 32 + (SWIZZLE ? x ^ i : x)] = __floats2half2_rn(x, i);
    __syncthreads();
    __half2 one = __floats2half2_rn(1.0f, 0.5f);
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            int row = y + i;
            b[row * 32 + (SWIZZLE ? x ^ row : x)] = __hadd2(a[x * 32 + (SWIZZLE ? x ^ row : row)], one);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            int row = y + i;
            a[row * 32 + (SWIZZLE ? x ^ row : x)] = b[x * 32 + (SWIZZLE ? x ^ row : row)];
        }
        __syncthreads();
    }
    return __low2float(a[y * 32 + x]);
}
PAIR(tr_half2, 0, 1, 128)

// 16 x 16 vectors of 16 bytes.
template <int P> __device__ float tr_float4(int rounds)
{
    __shared__ float4 a[16][P];
    int x = threadIdx.x % 16, y = threadIdx.x / 16;
    a[y][x] = make_float4(x, y, 1, 2);
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        float4 v = a[x][y];
        __syncthreads();
        v.x += v.w;
        a[y][x] = v;
        __syncthreads();
    }
    return a[y][x].x;
}
PAIR(tr_float4, 16, 17, 256)

// 64 x 64 bytes by 64 x 8 threads.
template <int P> __device__ float tr_char(int rounds)
{
    __shared__ unsigned char a[64 * P], b[64 * P];
    int x = threadIdx.x, y = threadIdx.y;
    for (int i = y; i < 64; i += 8) a[i * P + x] = (unsigned char)(i * 3 + x);
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int i = y; i < 64; i += 8) b[i * P + x] = a[x * P + i];
        __syncthreads();
        for (int i = y; i < 64; i += 8) a[i * P + x] = b[x * P + i] ^ 0x5a;
        __syncthreads();
    }
    return a[y * P + x];
}
PAIR(tr_char, 64, 68, 512)

// 64 x 64 floats in place, 32 warps, four elements a thread in registers.
template <int SWIZZLE> __device__ float tr_inplace(int rounds)
{
    __shared__ float a[64 * 64];
    int x = threadIdx.x % 64, y = threadIdx.x / 64;
    float v[4];
#pragma unroll
    for (int i = 0; i < 4; i++) a[(y + 16 * i) * 64 + x] = x - y;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            int row = y + 16 * i;
            v[i] = a[x * 64 + (SWIZZLE ? row ^ (x & 31) : row)];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 4; i++) {
            int row = y + 16 * i;
            a[row * 64 + (SWIZZLE ? x ^ (row & 31) : x)] = fmaf(v[i], 0.5f, 1.0f);
        }
        __syncthreads();
    }
    return a[threadIdx.x];
}
PAIR(tr_inplace, 0, 1, 1024)
