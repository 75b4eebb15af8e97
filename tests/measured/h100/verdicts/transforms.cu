#include "verdict.cuh"

// A Fourier transform of 512 points, twiddles from a table, 256 threads.
template <int PAD> __device__ float fft_table(int rounds)
{
    __shared__ float re[528], im[528], wr[256], wi[256];
    int t = threadIdx.x;
#define AT(i) ((i) + (PAD ? (i) >> 5 : 0))
    wr[t] = cosf(-6.2831853f * t / 512);
    wi[t] = sinf(-6.2831853f * t / 512);
    re[AT(t)] = re[AT(t + 256)] = t;
    im[AT(t)] = im[AT(t + 256)] = 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int h = 256; h > 0; h >>= 1) {
            int k = t & (h - 1), i = 2 * (t - k) + k, j = i + h;
            float ar = re[AT(i)], ai = im[AT(i)], br = re[AT(j)], bi = im[AT(j)];
            float c = wr[k * (256 / h)], s = wi[k * (256 / h)], dr = ar - br, di = ai - bi;
            re[AT(i)] = (ar + br) * 0.7f;
            im[AT(i)] = (ai + bi) * 0.7f;
            re[AT(j)] = (dr * c - di * s) * 0.7f;
            im[AT(j)] = (dr * s + di * c) * 0.7f;
            __syncthreads();
        }
    }
    return re[AT(t)] + im[AT(t)];
#undef AT
}
PAIR(fft_table, 0, 1, 256)

// 512 points in three passes of eight, 64 threads, angles by special functions.
template <int PAD> __device__ float fft_eight(int rounds)
{
    __shared__ float2 s[512 + 64];
    int t = threadIdx.x;
#define AT(i) ((i) + (PAD ? (i) / 8 : 0))
    for (int i = 0; i < 8; i++) s[AT(t + 64 * i)] = make_float2(t, i);
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int pass = 0; pass < 3; pass++) {
            int width = pass == 0 ? 64 : pass == 1 ? 8 : 1;
            int base = t / width * width * 8 + t % width;
            float2 v[8];
#pragma unroll
            for (int i = 0; i < 8; i++) v[i] = s[AT(base + i * width)];
#pragma unroll
            for (int h = 4; h > 0; h >>= 1)
#pragma unroll
                for (int i = 0; i < 8; i++)
                    if ((i & h) == 0) {
                        float2 a = v[i], b = v[i + h];
                        v[i] = make_float2(a.x + b.x, a.y + b.y);
                        v[i + h] = make_float2(a.x - b.x, a.y - b.y);
                    }
            float angle = -6.2831853f * (t % width) / (8 * width);
#pragma unroll
            for (int i = 0; i < 8; i++) {
                float sn = __sinf(angle * i), cs = __cosf(angle * i);
                s[AT(base + i * width)] = make_float2((v[i].x * cs - v[i].y * sn) * 0.35f, (v[i].x * sn + v[i].y * cs) * 0.35f);
            }
            __syncthreads();
        }
    }
    return s[AT(t)].x;
#undef AT
}
PAIR(fft_eight, 0, 1, 64)

// Walsh and Hadamard's transform of 1024 whole numbers.
template <int PAD> __device__ float walsh(int rounds)
{
    __shared__ int s[1024 + 32];
    int t = threadIdx.x;
#define AT(i) ((i) + (PAD ? (i) >> 5 : 0))
    s[AT(t)] = t;
    s[AT(t + 512)] = 3 * t;
    __syncthreads();
    for (int r = 0; r < rounds; r++)
        for (int h = 1; h < 1024; h <<= 1) {
            int i = 2 * t - (t & (h - 1));
            int a = s[AT(i)], b = s[AT(i + h)];
            s[AT(i)] = a + b;
            s[AT(i + h)] = a - b;
            __syncthreads();
        }
    return s[AT(t)];
#undef AT
}
PAIR(walsh, 0, 1, 512)

// Bitonic sorting of 1024 keys by 512 threads.
template <int PAD> __device__ float bitonic(int rounds)
{
    __shared__ unsigned s[1024 + 32];
    unsigned t = threadIdx.x;
#define AT(i) ((i) + (PAD ? (i) >> 5 : 0))
    unsigned x = t * 2654435761u;
    for (int r = 0; r < rounds; r++) {
        s[AT(t)] = x;
        s[AT(t + 512)] = x ^ 0x5bd1e995u;
        __syncthreads();
        for (unsigned size = 2; size <= 1024; size <<= 1)
            for (unsigned n = size / 2; n > 0; n >>= 1) {
                unsigned i = 2 * t - (t & (n - 1));
                bool up = (i & size) == 0;
                unsigned a = s[AT(i)], b = s[AT(i + n)];
                if ((a > b) == up) {
                    s[AT(i)] = b;
                    s[AT(i + n)] = a;
                }
                __syncthreads();
            }
        x = s[AT(t)] * 1664525u + r;
        __syncthreads();
    }
    return x;
#undef AT
}
PAIR(bitonic, 0, 1, 512)

struct entry {
    int key, value, more[2];
};

// The same of keys with what belongs to them: structs of four words, or arrays.
template <int ARRAYS> __device__ float bitonic_pairs(int rounds)
{
    __shared__ int s[256 * 4];
    int t = threadIdx.x;
#define KEY(i) s[ARRAYS ? (i) : 4 * (i)]
#define VALUE(i) s[ARRAYS ? 256 + (i) : 4 * (i) + 1]
    int x = t * 40503;
    for (int r = 0; r < rounds; r++) {
        KEY(t) = x & 0xffff;
        VALUE(t) = t;
        __syncthreads();
        for (int size = 2; size <= 256; size <<= 1)
            for (int n = size / 2; n > 0; n >>= 1) {
                int other = t ^ n;
                if (other > t) {
                    int a = KEY(t), b = KEY(other);
                    if ((a > b) == ((t & size) == 0)) {
                        int v = VALUE(t), w = VALUE(other);
                        KEY(t) = b;
                        KEY(other) = a;
                        VALUE(t) = w;
                        VALUE(other) = v;
                    }
                }
                __syncthreads();
            }
        x = x * 5 + VALUE(t);
        __syncthreads();
    }
    return x;
#undef KEY
#undef VALUE
}
PAIR(bitonic_pairs, 0, 1, 256)
