#include "../../h100/verdicts/verdict.cuh"
#include <cuda_fp16.h>

// A layer of 3 x 3 weights, six channels to six, 32 x 4 pixels: a pixel's channels side by side, or planes.
template <int PLANES> __device__ float conv_layer(int rounds)
{
    __shared__ float in[6 * 34 * 6], weight[6 * 9 * 6];
    int x = threadIdx.x, y = threadIdx.y, t = y * 32 + x;
#define IN(row, col, c) in[PLANES ? (c) * 204 + (row) * 34 + (col) : ((row) * 34 + (col)) * 6 + (c)]
    for (int i = t; i < 6 * 34 * 6; i += 128) IN(i / 204, i / 6 % 34, i % 6) = ((i * 11) & 31) * 0.05f;
    for (int i = t; i < 6 * 9 * 6; i += 128) weight[i] = ((i * 7) & 15) * 0.01f - 0.07f;
    __syncthreads();
    float sum[6] = {};
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int o = 0; o < 6; o++) sum[o] = 0.1f * o;
        for (int dy = 0; dy < 3; dy++) {
            for (int dx = 0; dx < 3; dx++) {
#pragma unroll 1
                for (int c = 0; c < 6; c++) {
                    float v = IN(y + dy, x + dx, c);
#pragma unroll
                    for (int o = 0; o < 6; o++) sum[o] += v * weight[((dy * 3 + dx) * 6 + c) * 6 + o];
                }
            }
        }
        __syncthreads();
#pragma unroll
        for (int o = 0; o < 6; o++) IN(y + 1, x + 1, o) = fminf(fmaxf(sum[o], 0.0f), 6.0f);
        __syncthreads();
    }
    return sum[0] + sum[5];
#undef IN
}
PAIR(conv_layer, 0, 1, 128)

// A long short-term memory of 64 units, halves as weights, a gate a thread: a unit's four gates side by side, or a gate's units.
template <int BY_GATE> __device__ float lstm(int rounds)
{
    __shared__ __half2 weight[32 * 256];
    __shared__ __half hidden[64];
    __shared__ float gate[256];
    int t = threadIdx.x, unit = t % 64, which = t / 64;
#define GATE(u, g) gate[BY_GATE ? (g) * 64 + (u) : (u) * 4 + (g)]
    for (int k = 0; k < 32; k++) weight[k * 256 + t] = __floats2half2_rn(((t * 7 + k * 3) & 15) * 0.02f - 0.15f, ((t + k * 5) & 7) * 0.03f - 0.1f);
    if (t < 64) hidden[t] = __float2half(0.01f * t);
    __syncthreads();
    float cell = 0;
    for (int r = 0; r < rounds; r++) {
        __half2 sum = __floats2half2_rn(0.01f * (r & 15), 0.0f);
#pragma unroll 8
        for (int k = 0; k < 32; k++) sum = __hfma2(weight[k * 256 + t], __halves2half2(hidden[2 * k], hidden[2 * k + 1]), sum);
        float v = __low2float(sum) + __high2float(sum);
        float e = __expf(which == 2 ? -2.0f * v : -v);
        float s = __fdividef(1.0f, 1.0f + e);
        GATE(unit, which) = which == 2 ? 2.0f * s - 1.0f : s;
        __syncthreads();
        if (t < 64) {
            cell = GATE(t, 1) * cell + GATE(t, 0) * GATE(t, 2);
            float c = __expf(-2.0f * cell);
            hidden[t] = __float2half(GATE(t, 3) * __fdividef(1.0f - c, 1.0f + c));
        }
        __syncthreads();
    }
    return cell + __half2float(hidden[unit]);
#undef GATE
}
PAIR(lstm, 0, 1, 256)

// Attention of 16 queries to 32 keys of 64 numbers: four queries a warp, a key a lane, then two numbers of the outcome.
template <int PITCH> __device__ float scores(int rounds)
{
    __shared__ float q[16][64], k[32 * PITCH], v[32][64];
    int lane = threadIdx.x, warp = threadIdx.y;
    for (int i = warp; i < 32; i += 4)
        for (int d = lane; d < 64; d += 32) {
            k[i * PITCH + d] = ((i * 5 + d * 3) & 31) * 0.03f - 0.5f;
            v[i][d] = ((i * 3 + d) & 15) * 0.1f;
            if (i < 16) q[i][d] = ((i + d * 7) & 31) * 0.02f;
        }
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        float s[4] = {};
#pragma unroll 4
        for (int d = 0; d < 64; d++) {
            float key = k[lane * PITCH + d];
#pragma unroll
            for (int i = 0; i < 4; i++) s[i] += q[warp * 4 + i][d] * key;
        }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            float most = s[i];
            for (int n = 16; n > 0; n /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, n));
            float e = __expf(s[i] - most), sum = e;
            for (int n = 16; n > 0; n /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, n);
            s[i] = __fdividef(e, sum);
        }
        float o[4][2] = {};
#pragma unroll 4
        for (int j = 0; j < 32; j++) {
            float v0 = v[j][lane], v1 = v[j][lane + 32];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float p = __shfl_sync(0xffffffffu, s[i], j);
                o[i][0] += p * v0;
                o[i][1] += p * v1;
            }
        }
        __syncwarp();
#pragma unroll
        for (int i = 0; i < 4; i++) {
            q[warp * 4 + i][lane] = o[i][0] - 0.5f;
            q[warp * 4 + i][lane + 32] = o[i][1] - 0.4f;
        }
        __syncwarp();
    }
    return q[warp * 4][lane];
}
PAIR(scores, 68, 65, 128)

struct moments {
    float n, mean, squares, unused;
};

// Means and variances as Welford has them, 256 threads' joined by halves: structs of four words, or arrays.
template <int ARRAYS> __device__ float welford(int rounds)
{
    __shared__ moments all[ARRAYS ? 1 : 256];
    __shared__ float n[ARRAYS ? 256 : 1], mean[ARRAYS ? 256 : 1], squares[ARRAYS ? 256 : 1];
    int t = threadIdx.x;
#define N(i) (ARRAYS ? n[i] : all[i].n)
#define MEAN(i) (ARRAYS ? mean[i] : all[i].mean)
#define SQUARES(i) (ARRAYS ? squares[i] : all[i].squares)
#define SET(i, a, b, c) if (ARRAYS) { n[i] = a; mean[i] = b; squares[i] = c; } else { all[i].n = a; all[i].mean = b; all[i].squares = c; }
    float x = t & 31, out = 0;
    for (int r = 0; r < rounds; r++) {
        float m = 0, s = 0;
        for (int i = 1; i <= 4; i++) {
            float d = x - m;
            m += __fdividef(d, i);
            s += d * (x - m);
            x = x * 0.7f + i;
        }
        SET(t, 4.0f, m, s);
        __syncthreads();
        for (int half = 128; half > 0; half /= 2) {
            if (t < half) {
                float na = N(t), nb = N(t + half), d = MEAN(t + half) - MEAN(t), sum = na + nb;
                float joined = MEAN(t) + d * __fdividef(nb, sum), spread = SQUARES(t) + SQUARES(t + half) + d * d * na * __fdividef(nb, sum);
                SET(t, sum, joined, spread);
            }
            __syncthreads();
        }
        out = __fdividef(x - MEAN(0), sqrtf(SQUARES(0) / N(0) + 1e-3f));
        x += 0.1f * out;
        __syncthreads();
    }
    return out;
#undef N
#undef MEAN
#undef SQUARES
#undef SET
}
PAIR(welford, 0, 1, 256)

// A forest of 16 trees of 31 questions, twelve features of each thread: a thread's in a row, or turned.
template <int TURNED> __device__ float forest(int rounds)
{
    __shared__ float feature[12 * 128], limit[16 * 32];
    __shared__ unsigned char asked[16 * 32];
    int t = threadIdx.x;
#define FEATURE(f) feature[TURNED ? (f) * 128 + t : t * 12 + (f)]
    for (int f = 0; f < 12; f++) FEATURE(f) = ((t * 37 + f * 11) & 63) * 0.0156f;
    for (int i = t; i < 16 * 32; i += 128) {
        asked[i] = (unsigned)(i * 7 + i / 32) % 12;
        limit[i] = ((i * 29) & 63) * 0.0156f;
    }
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        int leaves = 0;
        for (int tree = 0; tree < 16; tree++) {
            int node = 1;
#pragma unroll
            for (int level = 0; level < 5; level++) {
                int i = tree * 32 + node;
                node = 2 * node + (FEATURE(asked[i]) > limit[i]);
            }
            leaves += (node * 13) & 15;
        }
        sum += leaves;
        FEATURE(r % 12) = (leaves & 63) * 0.0156f;
    }
    return sum;
#undef FEATURE
}
PAIR(forest, 0, 1, 128)

// Rotary embeddings of 16 tokens of 64 numbers: neighbours turned together, or the halves' numbers.
template <int HALVES> __device__ float rope(int rounds)
{
    __shared__ float x[16][65], sine[16][33], cosine[16][33];
    int i = threadIdx.x, first = HALVES ? i : 2 * i, second = HALVES ? i + 32 : 2 * i + 1;
    for (int token = threadIdx.y; token < 16; token += 4) {
        float angle = token * powf(10000.0f, -i / 32.0f);
        sine[token][i] = sinf(angle);
        cosine[token][i] = cosf(angle);
        x[token][i] = i;
        x[token][i + 32] = token;
    }
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int token = threadIdx.y; token < 16; token += 4) {
            float a = x[token][first], b = x[token][second], c = cosine[token][i], s = sine[token][i];
            x[token][first] = a * c - b * s;
            x[token][second] = a * s + b * c;
        }
        __syncthreads();
    }
    return x[threadIdx.y][i] + x[threadIdx.y][i + 32];
}
PAIR(rope, 0, 1, 128)

// Which two of ten experts a token goes to, how much, and how many tokens each expert gets.
template <int PITCH> __device__ float experts(int rounds)
{
    __shared__ float logit[128 * PITCH];
    __shared__ int load[10];
    int t = threadIdx.x;
    for (int e = 0; e < 10; e++) logit[t * PITCH + e] = ((t * 13 + e * 29) & 63) * 0.1f;
    if (t < 10) load[t] = 0;
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        float best = -1e30f, good = -1e30f;
        int first = 0, second = 0;
#pragma unroll 1
        for (int e = 0; e < 10; e++) {
            float v = logit[t * PITCH + e];
            if (v > best) {
                good = best;
                second = first;
                best = v;
                first = e;
            } else if (v > good) {
                good = v;
                second = e;
            }
        }
        float w = __fdividef(1.0f, 1.0f + __expf(good - best));
        sum += w;
        atomicAdd(&load[first], 1);
        atomicAdd(&load[second], 1);
        __syncthreads();
#pragma unroll 1
        for (int e = 0; e < 10; e++) logit[t * PITCH + e] += 0.001f * (load[(e + 1) % 10] - load[e]) + (e == first ? -0.5f : 0.05f);
        __syncthreads();
        if (t < 10) load[t] = 0;
        __syncthreads();
    }
    return sum;
}
PAIR(experts, 10, 11, 128)

// A matrix of 128 x 64 numbers of four bits by a vector: after a row's eight words its scale and its zero, or both in one word.
template <int PACKED> __device__ float four_bits(int rounds)
{
    constexpr int row_words = PACKED ? 9 : 10;
    __shared__ unsigned rows_of[128 * row_words];
    __shared__ float x[64];
    int t = threadIdx.x;
    unsigned *row = rows_of + t * row_words;
    for (int i = 0; i < 8; i++) row[i] = (t * 8 + i) * 2654435761u;
    if (PACKED) {
        __half2 both = __floats2half2_rn(0.003f, 7.5f);
        row[8] = *(unsigned *)&both;
    } else {
        row[8] = __float_as_uint(0.003f);
        row[9] = __float_as_uint(7.5f);
    }
    if (t < 64) x[t] = 1.0f + 0.1f * t;
    __syncthreads();
    float y = 0;
    for (int r = 0; r < rounds; r++) {
        float sum = 0, all = 0;
#pragma unroll 1
        for (int i = 0; i < 8; i++) {
            unsigned v = row[i];
#pragma unroll
            for (int k = 0; k < 8; k++) {
                sum += (float)(v >> 4 * k & 15) * x[i * 8 + k];
                all += x[i * 8 + k];
            }
        }
        float scale, zero;
        if (PACKED) {
            unsigned word = row[8];
            float2 both = __half22float2(*(__half2 *)&word);
            scale = both.x;
            zero = both.y;
        } else {
            scale = __uint_as_float(row[8]);
            zero = __uint_as_float(row[9]);
        }
        y = scale * (sum - zero * all);
        __syncthreads();
        if (t < 64) x[t] = y + 0.5f;
        __syncthreads();
    }
    return y;
}
PAIR(four_bits, 0, 1, 128)
