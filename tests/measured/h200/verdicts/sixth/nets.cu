#include "../../../h100/verdicts/verdict.cuh"
#include <cuda_fp16.h>

// 32 channels (halves) of 128 pixels made of mean 0 and spread 1 in four groups, over all pixels, a pixel a thread: pairs as they are, or xor the pixel.
template <int SWIZZLE> __device__ float groupnorm(int rounds)
{
    __shared__ half2 channel[128 * 16];
    __shared__ float2 part[4][4];
    int x = threadIdx.x, y = threadIdx.y, t = y * 32 + x;
    auto at = [t](int k) { return t * 16 + (SWIZZLE ? k ^ (t >> 1 & 15) : k); };
    for (int k = 0; k < 16; k++) channel[at(k)] = __floats2half2_rn(((t * 3 + k * 7) & 31) * 0.1f - 1.0f, ((t * 5 + k * 11) & 15) * 0.1f);
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int group = 0; group < 4; group++) {
            float sum = 0, square = 0;
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float2 v = __half22float2(channel[at(group * 4 + k)]);
                sum += v.x + v.y;
                square += v.x * v.x + v.y * v.y;
            }
#pragma unroll
            for (int d = 16; d > 0; d /= 2) {
                sum += __shfl_xor_sync(~0u, sum, d);
                square += __shfl_xor_sync(~0u, square, d);
            }
            if (x == 0) part[group][y] = make_float2(sum, square);
        }
        __syncthreads();
#pragma unroll 1
        for (int group = 0; group < 4; group++) {
            float2 a = part[group][0], b = part[group][1], c = part[group][2], d = part[group][3];
            float mean = (a.x + b.x + c.x + d.x) * (1.0f / 1024), spread = (a.y + b.y + c.y + d.y) * (1.0f / 1024) - mean * mean;
            float scale = rsqrtf(spread + 0.001f);
#pragma unroll
            for (int k = 0; k < 4; k++) {
                half2 &of = channel[at(group * 4 + k)];
                float2 v = __half22float2(of);
                v.x = (v.x - mean) * scale;
                v.y = (v.y - mean) * scale;
                of = __floats2half2_rn(v.x > 0 ? v.x : 0.2f * v.x, v.y > 0 ? v.y : 0.1f * v.y + 0.01f * ((t + r) & 31));
            }
        }
        __syncthreads();
    }
    float2 v = __half22float2(channel[at(3)]), w = __half22float2(channel[at(12)]);
    return v.x + 2.0f * v.y + 3.0f * w.x + 4.0f * w.y;
}
PAIR(groupnorm, 0, 1, 128)

// Attention that is linear by the delta rule: a memory of 64 x 32, a row a thread, by fours, corrected at a key and asked by a query: rows of 32, or of 36.
template <int PITCH> __device__ float delta(int rounds)
{
    __shared__ __align__(16) float memory[64 * PITCH], key[32], query[32];
    int t = threadIdx.x;
    float4 *row = (float4 *)(memory + t * PITCH);
    for (int k = 0; k < 8; k++) row[k] = make_float4(0.1f, 0.0f, 0.01f * (t & 7), -0.1f);
    float out = 0.1f * (t & 3);
    for (int r = 0; r < rounds; r++) {
        if (t < 32) {
            key[t] = ((t * 7 + r * 3) & 15) * 0.02f - 0.15f;
            query[t] = 0.1f * out + ((t * 5 + r) & 7) * 0.03f;
        }
        __syncthreads();
        float known = 0, value = ((t + r * 5) & 15) * 0.1f - 0.7f;
#pragma unroll 4
        for (int k = 0; k < 8; k++) {
            float4 s = row[k], by = *(const float4 *)&key[k * 4];
            known += s.x * by.x + s.y * by.y + s.z * by.z + s.w * by.w;
        }
        float change = 0.6f * (value - known);
        out = 0;
#pragma unroll 4
        for (int k = 0; k < 8; k++) {
            float4 s = row[k], by = *(const float4 *)&key[k * 4], ask = *(const float4 *)&query[k * 4];
            s.x = 0.98f * s.x + change * by.x;
            s.y = 0.98f * s.y + change * by.y;
            s.z = 0.98f * s.z + change * by.z;
            s.w = 0.98f * s.w + change * by.w;
            row[k] = s;
            out += s.x * ask.x + s.y * ask.y + s.z * ask.z + s.w * ask.w;
        }
        __syncthreads();
    }
    return out + row[3].x;
}
PAIR(delta, 32, 36, 64)

// Those of 128 boxes kept that no better one hides (non-maximum suppression), a box a thread, four words of others that it hides: rows of four, or of five.
template <int PITCH> __device__ float nms(int rounds)
{
    __shared__ __align__(16) float4 box[128];
    __shared__ unsigned hides[128 * PITCH], kept[4];
    int t = threadIdx.x;
    float x = (t * 37 & 63) * 0.5f, y = (t * 11 & 63) * 0.5f, sum = 0;
    for (int r = 0; r < rounds; r++) {
        float4 own = make_float4(x, y, x + 4.0f + (t & 3), y + 3.0f + (t >> 2 & 3));
        float area = (own.z - own.x) * (own.w - own.y);
        box[t] = own;
        __syncthreads();
#pragma unroll 1
        for (int w = 0; w < 4; w++) {
            unsigned bits = 0;
#pragma unroll 4
            for (int j = 0; j < 32; j++) {
                float4 of = box[w * 32 + j];
                float wide = fminf(own.z, of.z) - fmaxf(own.x, of.x), high = fminf(own.w, of.w) - fmaxf(own.y, of.y);
                float both = fmaxf(wide, 0.0f) * fmaxf(high, 0.0f);
                if (both * 1.4f > 0.4f * (area + (of.z - of.x) * (of.w - of.y))) bits |= 1u << j;
            }
            hides[t * PITCH + w] = bits;
        }
        __syncthreads();
        if (t < 32) {
            unsigned gone = 0, stay = 0;
            int word = t & 3;
#pragma unroll 4
            for (int i = 0; i < 128; i++) {
                unsigned of = hides[i * PITCH + word];
                if (!(__shfl_sync(~0u, gone, i / 32) >> (i & 31) & 1)) {
                    gone |= of;
                    if (word == i / 32) stay |= 1u << (i & 31);
                }
            }
            if (t < 4) kept[t] = stay;
        }
        __syncthreads();
        bool mine = kept[t / 32] >> (t & 31) & 1;
        sum += mine ? 1.0f + 0.01f * t : 0.0f;
        x = 0.9f * x + (mine ? 2.0f : 0.5f) + 0.1f * (r & 7);
        y = 0.95f * y + (mine ? 0.5f : 1.5f);
    }
    return sum + x + y;
}
PAIR(nms, 4, 5, 128)

// Gradients of 256 words summed into a table of 64 rows of 32 whole numbers by atomics: all threads begin with a row's first number, or each with its lane's.
template <int APART> __device__ float embgrad(int rounds)
{
    __shared__ int gradient[64 * 32], weight[64 * 32];
    int x = threadIdx.x, y = threadIdx.y, t = y * 32 + x, sum = 0;
    for (int i = t; i < 64 * 32; i += 256) {
        gradient[i] = 0;
        weight[i] = ((i * 7 + i / 32 * 3) & 255) - 128;
    }
    unsigned word = t * 2654435761u + 23;
    for (int r = 0; r < rounds; r++) {
        __syncthreads();
        word = word * 1664525u + 1013904223u;
        int *row = gradient + (word >> 26) * 32, error = (int)(word >> 16 & 63) - 31;
#pragma unroll 4
        for (int k = 0; k < 32; k++) {
            int d = APART ? (k + x) & 31 : k;
            atomicAdd(&row[d], error * ((d * 5 + r) & 7) - d);
        }
        __syncthreads();
#pragma unroll
        for (int i = t; i < 64 * 32; i += 256) {
            int change = gradient[i];
            weight[i] -= change >> 4;
            sum += weight[i] & 15;
            gradient[i] = change / 4;
        }
    }
    return sum + weight[t];
}
PAIR(embgrad, 0, 1, 256)

__device__ inline float log_sum(float a, float b)
{
    float most = fmaxf(a, b);
    return most + __logf(1.0f + __expf(fminf(a, b) - most));
}

// Ways to say a word of eight letters in 12 steps of time (CTC), in logarithms, a word a thread, 17 states: rows of 18, or of 17.
template <int PITCH> __device__ float ctc(int rounds)
{
    __shared__ float states[64 * PITCH], chance[12 * 8];
    int t = threadIdx.x;
    float *state = states + t * PITCH, all = 0;
    for (int i = t; i < 96; i += 64) chance[i] = -1.0f - 0.1f * ((i * 7 + i / 8 * 3) & 15);
    __syncthreads();
    unsigned word = t * 2654435761u;
    for (int r = 0; r < rounds; r++) {
        for (int s = 0; s < 17; s++) state[s] = s < 1 ? 0.0f : -1e5f;
#pragma unroll 1
        for (int step = 0; step < 12; step++) {
            const float *now = chance + step * 8;
            float here = state[16], before = state[15];
#pragma unroll 2
            for (int s = 16; s > 1; s--) {
                float skipped = state[s - 2], sum = log_sum(here, before);
                int letter = word >> (s / 2) * 3 & 7, last = word >> (s / 2 - 1) * 3 & 7;
                if ((s & 1) && letter != last) sum = log_sum(sum, skipped);
                state[s] = sum + (s & 1 ? now[letter] : -1.7f);
                here = before;
                before = skipped;
            }
            state[1] = log_sum(here, before) + now[word & 7];
            state[0] = before - 1.7f;
        }
        all += 0.1f * log_sum(state[16], state[15]);
        word = word * 1664525u + 1013904223u;
    }
    return all;
}
PAIR(ctc, 18, 17, 64)

// A layer of 1 x 1 weights on bytes (dp4a), 64 pixels of 32 channels to 32, a pixel a thread and half of them, made bytes again: rows of eight words, or of nine.
template <int PITCH> __device__ float pointwise(int rounds)
{
    __shared__ int pixel[2][64 * PITCH], weight[32 * 8], bias[32];
    int x = threadIdx.x, y = threadIdx.y, t = y * 64 + x;
    for (int k = y; k < 8; k += 2) pixel[0][x * PITCH + k] = (x * 8 + k) * 2654435761u;
    for (int i = t; i < 256; i += 128) weight[i] = i * 2246822519u ^ i * i * 40503u;
    if (t < 32) bias[t] = t * 300 - 4000;
    __syncthreads();
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
        const int *from = pixel[r & 1] + x * PITCH;
        int *to = pixel[(r & 1) ^ 1] + x * PITCH;
#pragma unroll 1
        for (int k = y * 4; k < y * 4 + 4; k++) {
            unsigned bytes = 0;
#pragma unroll
            for (int n = 0; n < 4; n++) {
                const int *by = weight + (k * 4 + n) * 8;
                int of = bias[k * 4 + n] + r;
#pragma unroll
                for (int i = 0; i < 8; i++) of = __dp4a(from[i], by[i], of);
                of = max(-128, min(127, __mulhi(of, 1 << 23)));
                bytes |= (of & 255) << n * 8;
            }
            to[k] = bytes;
            sum += bytes >> 24;
        }
        __syncthreads();
    }
    return sum + (pixel[rounds & 1][x * PITCH + y] & 0xffff);
}
PAIR(pointwise, 8, 9, 128)
