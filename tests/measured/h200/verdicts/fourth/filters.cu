#include "../../../h100/verdicts/verdict.cuh"

// Winograd's F(2 x 2, 3 x 3), 16 x 4 tiles of four channels, a tile a thread: a tile's 16 numbers in a row, or turned.
template <int TURNED> __device__ float winograd(int rounds)
{
    __shared__ float image[4 * 340], tile[4 * 1024], weight[4 * 16];
    int t = threadIdx.x, x = t & 15, y = t >> 4;
#define TILE(c, k) tile[(c) * 1024 + (TURNED ? (k) * 64 + t : t * 16 + (k))]
    for (int i = t; i < 4 * 340; i += 64) image[i] = ((i * 29) & 63) * 0.03f - 1.0f;
    weight[t] = ((t * 7) & 15) * 0.03f - 0.2f;
    __syncthreads();
    float out[2][2] = {};
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int c = 0; c < 4; c++) {
            float d[4][4], m[4][4];
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) d[i][j] = image[c * 340 + (2 * y + i) * 34 + 2 * x + j];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                m[0][j] = d[0][j] - d[2][j];
                m[1][j] = d[1][j] + d[2][j];
                m[2][j] = d[2][j] - d[1][j];
                m[3][j] = d[1][j] - d[3][j];
            }
#pragma unroll
            for (int i = 0; i < 4; i++) {
                TILE(c, i * 4) = m[i][0] - m[i][2];
                TILE(c, i * 4 + 1) = m[i][1] + m[i][2];
                TILE(c, i * 4 + 2) = m[i][2] - m[i][1];
                TILE(c, i * 4 + 3) = m[i][1] - m[i][3];
            }
        }
        __syncthreads();
        float s[16] = {};
#pragma unroll 1
        for (int c = 0; c < 4; c++) {
#pragma unroll
            for (int k = 0; k < 16; k++) s[k] += TILE(c, k) * weight[c * 16 + k];
        }
        float p[2][4];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            p[0][j] = s[j] + s[4 + j] + s[8 + j];
            p[1][j] = s[4 + j] - s[8 + j] - s[12 + j];
        }
#pragma unroll
        for (int i = 0; i < 2; i++) {
            out[i][0] = p[i][0] + p[i][1] + p[i][2];
            out[i][1] = p[i][1] - p[i][2] - p[i][3];
#pragma unroll
            for (int j = 0; j < 2; j++) image[(r & 3) * 340 + (2 * y + 1 + i) * 34 + 2 * x + 1 + j] = fminf(fmaxf(out[i][j], -1.0f), 1.0f);
        }
        __syncthreads();
    }
    return out[0][0] + out[0][1] + out[1][0] + out[1][1];
#undef TILE
}
PAIR(winograd, 0, 1, 64)

// Four filters of second order one behind the other, a channel a thread, 32 samples a round: a channel's eight numbers in a row, or turned.
template <int TURNED> __device__ float biquad(int rounds)
{
    __shared__ float sample[32 * 96], state[8 * 96], weight[4][5];
    int t = threadIdx.x;
#define STATE(i) state[TURNED ? (i) * 96 + t : t * 8 + (i)]
    for (int i = 0; i < 8; i++) STATE(i) = 0.0f;
    for (int n = 0; n < 32; n++) sample[n * 96 + t] = ((t * 7 + n * 5) & 31) * 0.06f - 1.0f;
    if (t < 20) {
        const float weights[5] = {0.2f, 0.4f, 0.2f, -0.6f, 0.25f};
        weight[t / 5][t % 5] = weights[t % 5] * (1.0f - 0.05f * (t / 5));
    }
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int n = 0; n < 32; n++) {
            float x = sample[n * 96 + t];
#pragma unroll 1
            for (int s = 0; s < 4; s++) {
                float y = weight[s][0] * x + STATE(2 * s);
                STATE(2 * s) = weight[s][1] * x - weight[s][3] * y + STATE(2 * s + 1);
                STATE(2 * s + 1) = weight[s][2] * x - weight[s][4] * y;
                x = y;
            }
            sum += x;
            sample[n * 96 + t] = 0.2f * x + ((t + n * 3 + r) & 7) * 0.1f;
        }
        __syncthreads();
        STATE(r & 7) += 0.1f * sample[(r & 31) * 96 + (t + 1) % 96];
        __syncthreads();
    }
    return sum;
#undef STATE
}
PAIR(biquad, 0, 1, 96)

// 32 transforms of Fourier's of 16 points by the matrix, a transform a lane, two outcomes a warp: rows of 16, or of 17.
template <int PITCH> __device__ float dft(int rounds)
{
    __shared__ float2 points[32 * PITCH], root[16];
    int lane = threadIdx.x, warp = threadIdx.y;
    for (int n = warp; n < 16; n += 8) {
        points[lane * PITCH + n] = make_float2(((lane * 5 + n * 3) & 15) * 0.1f - 0.7f, ((lane + n * 7) & 7) * 0.1f);
        if (lane == 0) root[n] = make_float2(cospif(n / 8.0f), -sinpif(n / 8.0f));
    }
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        float2 sum[2] = {};
#pragma unroll 4
        for (int n = 0; n < 16; n++) {
            float2 v = points[lane * PITCH + n];
#pragma unroll
            for (int i = 0; i < 2; i++) {
                float2 w = root[(warp + i * 8) * n & 15];
                sum[i].x += v.x * w.x - v.y * w.y;
                sum[i].y += v.x * w.y + v.y * w.x;
            }
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 2; i++) points[lane * PITCH + warp + i * 8] = make_float2(sum[i].x * 0.25f, sum[i].y * 0.25f);
        __syncthreads();
    }
    float2 v = points[lane * PITCH + warp];
    return v.x + v.y;
}
PAIR(dft, 16, 17, 256)

// Three diagonals of 512 unknowns by cyclic reduction in place, 256 threads: as they come, or a word left out after each 32.
template <int PAD> __device__ float cyclic(int rounds)
{
    __shared__ float a[528], b[528], c[528], d[528], x[528];
    int t = threadIdx.x;
#define AT(i) ((i) + (PAD ? (i) / 32 : 0))
    for (int i = t; i < 512; i += 256) x[AT(i)] = ((i * 11) & 31) * 0.1f;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int i = t; i < 512; i += 256) {
            a[AT(i)] = i > 0 ? -1.0f : 0.0f;
            b[AT(i)] = 2.5f + ((i + r) & 3) * 0.1f;
            c[AT(i)] = i < 511 ? -1.0f : 0.0f;
            d[AT(i)] = 0.6f * x[AT(i)] + 0.1f;
        }
        __syncthreads();
#pragma unroll 1
        for (int step = 1; step < 512; step *= 2) {
            int i = 2 * step * (t + 1) - 1;
            if (i < 512) {
                int low = i - step, high = i + step;
                float f = __fdividef(a[AT(i)], b[AT(low)]);
                float newb = b[AT(i)] - c[AT(low)] * f, newd = d[AT(i)] - d[AT(low)] * f, newa = -a[AT(low)] * f, newc = 0.0f;
                if (high < 512) {
                    float g = __fdividef(c[AT(i)], b[AT(high)]);
                    newb -= a[AT(high)] * g;
                    newd -= d[AT(high)] * g;
                    newc = -c[AT(high)] * g;
                }
                a[AT(i)] = newa;
                b[AT(i)] = newb;
                c[AT(i)] = newc;
                d[AT(i)] = newd;
            }
            __syncthreads();
        }
        if (t == 0) x[AT(511)] = __fdividef(d[AT(511)], b[AT(511)]);
        __syncthreads();
#pragma unroll 1
        for (int step = 256; step > 0; step /= 2) {
            int i = 2 * step * t + step - 1;
            if (i < 512) {
                float v = d[AT(i)] - c[AT(i)] * x[AT(i + step)];
                if (i >= step) v -= a[AT(i)] * x[AT(i - step)];
                x[AT(i)] = __fdividef(v, b[AT(i)]);
            }
            __syncthreads();
        }
    }
    return x[AT(t)] + x[AT(t + 256)];
#undef AT
}
PAIR(cyclic, 0, 1, 256)
