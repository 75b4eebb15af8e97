#include "../verdict.cuh"

// Haar's wavelets of 1024: in place with ever wider steps, or sums to the front of another array.
template <int PACKED> __device__ float haar(int rounds)
{
    __shared__ float s[1024], d[1024];
    int t = threadIdx.x;
    s[t] = t & 63;
    s[t + 512] = t & 31;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int n = 512, step = 1; n > 0; n >>= 1, step <<= 1) {
            float a = 0, b = 0;
            if (t < n) {
                a = PACKED ? s[2 * t] : s[2 * t * step];
                b = PACKED ? s[2 * t + 1] : s[(2 * t + 1) * step];
            }
            __syncthreads();
            if (t < n) {
                if (PACKED) {
                    s[t] = (a + b) * 0.70710678f;
                    d[n + t] = (a - b) * 0.70710678f;
                } else {
                    s[2 * t * step] = (a + b) * 0.70710678f;
                    s[(2 * t + 1) * step] = (a - b) * 0.70710678f;
                }
            }
            __syncthreads();
        }
        s[t] += PACKED ? d[t + 1] * 0.5f : 0.5f;
        __syncthreads();
    }
    return s[t];
}
PAIR(haar, 0, 1, 512)

// A Fourier transform of 512, bits reversed first, two points of each thread, numbers of two floats.
template <int PAD> __device__ float fft_two(int rounds)
{
    __shared__ float2 s[512 + 32];
    int t = threadIdx.x;
#define AT(i) s[(i) + (PAD ? (i) / 16 : 0)]
    AT(t) = make_float2(t, 0);
    AT(t + 256) = make_float2(-t, 1);
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        float2 u = AT(t), v = AT(t + 256);
        __syncthreads();
        AT(__brev(t) >> 23) = u;
        AT(__brev(t + 256) >> 23) = v;
        __syncthreads();
        for (int half = 1; half < 512; half *= 2) {
            int k = t % half, i = t / half * half * 2 + k;
            float sn, cs;
            __sincosf(-3.14159265f * k / half, &sn, &cs);
            float2 a = AT(i), b = AT(i + half);
            float2 w = make_float2(b.x * cs - b.y * sn, b.x * sn + b.y * cs);
            AT(i) = make_float2((a.x + w.x) * 0.7f, (a.y + w.y) * 0.7f);
            AT(i + half) = make_float2((a.x - w.x) * 0.7f, (a.y - w.y) * 0.7f);
            __syncthreads();
        }
    }
    return AT(t).x;
#undef AT
}
PAIR(fft_two, 0, 1, 256)

// 256 points in four passes of four, real and imaginary parts apart, as Stockham goes.
template <int PAD> __device__ float fft_four(int rounds)
{
    __shared__ float re[256 + 64], im[256 + 64];
    int t = threadIdx.x;
#define AT(i) ((i) + (PAD ? (i) / 32 * 5 : 0))
    for (int i = t; i < 256; i += 64) {
        re[AT(i)] = i;
        im[AT(i)] = 1;
    }
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int n = 1; n < 256; n *= 4) {
            float x[4], y[4];
            float angle = -1.57079633f * (t % n) / n;
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float c = __cosf(angle * k), s = __sinf(angle * k), a = re[AT(t + 64 * k)], b = im[AT(t + 64 * k)];
                x[k] = (a * c - b * s) * 0.5f;
                y[k] = (a * s + b * c) * 0.5f;
            }
            float px = x[0] + x[2], py = y[0] + y[2], mx = x[0] - x[2], my = y[0] - y[2];
            float qx = x[1] + x[3], qy = y[1] + y[3], nx = x[1] - x[3], ny = y[1] - y[3];
            int to = t / n * n * 4 + t % n;
            __syncthreads();
            re[AT(to)] = px + qx;
            im[AT(to)] = py + qy;
            re[AT(to + n)] = mx + ny;
            im[AT(to + n)] = my - nx;
            re[AT(to + 2 * n)] = px - qx;
            im[AT(to + 2 * n)] = py - qy;
            re[AT(to + 3 * n)] = mx - ny;
            im[AT(to + 3 * n)] = my + nx;
            __syncthreads();
        }
    }
    return re[AT(t)] + im[AT(t)];
#undef AT
}
PAIR(fft_four, 0, 1, 64)

// Cosine transforms of blocks of 8 x 8, eight threads each, rows then columns.
template <int PITCH> __device__ float dct(int rounds)
{
    __shared__ float all[16][8 * PITCH];
    int line = threadIdx.x;
    float *b = all[threadIdx.y];
    for (int i = 0; i < 8; i++) b[i * PITCH + line] = i * line;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int pass = 0; pass < 2; pass++) {
            int step = pass ? PITCH : 1;
            float *p = b + line * (pass ? 1 : PITCH);
            float a0 = p[0], a1 = p[step], a2 = p[2 * step], a3 = p[3 * step], a4 = p[4 * step], a5 = p[5 * step],
                  a6 = p[6 * step], a7 = p[7 * step];
            float s0 = a0 + a7, s1 = a1 + a6, s2 = a2 + a5, s3 = a3 + a4, d0 = a0 - a7, d1 = a1 - a6, d2 = a2 - a5, d3 = a3 - a4;
            p[0] = 0.35355339f * (s0 + s1 + s2 + s3);
            p[4 * step] = 0.35355339f * (s0 - s1 - s2 + s3);
            p[2 * step] = 0.46193977f * (s0 - s3) + 0.19134172f * (s1 - s2);
            p[6 * step] = 0.19134172f * (s0 - s3) - 0.46193977f * (s1 - s2);
            p[step] = 0.49039264f * d0 + 0.41573481f * d1 + 0.27778512f * d2 + 0.09754516f * d3;
            p[3 * step] = 0.41573481f * d0 - 0.09754516f * d1 - 0.49039264f * d2 - 0.27778512f * d3;
            p[5 * step] = 0.27778512f * d0 - 0.49039264f * d1 + 0.09754516f * d2 + 0.41573481f * d3;
            p[7 * step] = 0.09754516f * d0 - 0.27778512f * d1 + 0.41573481f * d2 - 0.49039264f * d3;
            __syncthreads();
        }
    }
    return b[line];
}
PAIR(dct, 8, 9, 128)

// Means of 33 in a window that moves, 24 outcomes in a row for each thread.
template <int PAD> __device__ float moving(int rounds)
{
    __shared__ float in[97 * 25 + 32], out[96 * 25];
    int t = threadIdx.x;
#define AT(i) ((i) + (PAD ? (i) / 24 : 0))
    for (int i = t; i < 96 * 24 + 32; i += 96) in[AT(i)] = i % 50;
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        int first = t * 24;
        sum = 0;
        for (int k = 0; k < 32; k++) sum += in[AT(first + k)];
        for (int k = 0; k < 24; k++) {
            sum += in[AT(first + k + 32)];
            out[AT(first + k)] = sum / 33;
            sum -= in[AT(first + k)];
        }
        __syncthreads();
        for (int i = t; i < 96 * 24; i += 96) in[AT(i)] = out[AT(i)] + 1;
        __syncthreads();
    }
    return sum;
#undef AT
}
PAIR(moving, 0, 1, 96)

// Every fourth outcome of a filter of 16 taps: samples as they come, or in four phases.
template <int PHASES> __device__ float decimate(int rounds)
{
    __shared__ float x[4 * 264], tap[16];
    int t = threadIdx.x;
#define AT(i) (PHASES ? ((i) & 3) * 264 + ((i) >> 2) : (i))
    for (int i = t; i < 1040; i += 256) x[AT(i)] = i & 31;
    if (t < 16) tap[t] = 1.0f / (t + 2);
    __syncthreads();
    float y = 0;
    for (int r = 0; r < rounds; r++) {
        y = 0;
        for (int k = 0; k < 16; k++) y += tap[k] * x[AT(4 * t + k + (r & 3))];
        __syncthreads();
        x[AT((t * 5 + r) & 1023)] = y * 0.1f;
        __syncthreads();
    }
    return y;
#undef AT
}
PAIR(decimate, 0, 1, 256)

struct number {
    double re, im;
};

// Roots by Newton of z^3 = 1: complex doubles as structs, or in two arrays.
template <int ARRAYS> __device__ float newton(int rounds)
{
    __shared__ double s[2 * 160];
    int t = threadIdx.x;
    number *z = (number *)s;
    if (ARRAYS) {
        s[t] = 0.01 * t + 0.3;
        s[160 + t] = 0.5;
    } else {
        z[t].re = 0.01 * t + 0.3;
        z[t].im = 0.5;
    }
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        double a = ARRAYS ? s[t] : z[t].re, b = ARRAYS ? s[160 + t] : z[t].im;
        double n = ARRAYS ? s[(t + 1) % 160] : z[(t + 1) % 160].re;
        double sa = a * a - b * b, sb = 2 * a * b;
        double ca = sa * a - sb * b - 1, cb = sa * b + sb * a;
        a = a - 0.1 * (ca * sa + cb * sb) + 1e-6 * n;
        b = b - 0.1 * (cb * sa - ca * sb);
        __syncthreads();
        if (ARRAYS) {
            s[t] = a;
            s[160 + t] = b;
        } else {
            z[t].re = a;
            z[t].im = b;
        }
        __syncthreads();
    }
    return (float)(ARRAYS ? s[t] + s[160 + t] : z[t].re + z[t].im);
}
PAIR(newton, 0, 1, 160)
