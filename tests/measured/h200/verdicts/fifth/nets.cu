#include "../../../h100/verdicts/verdict.cuh"
#include <cuda_fp16.h>

// A query's attention to 128 keys of 64 halves (decoding, a head): keys of 128 bytes by 16 as they are, or the sixteens xor the key.
template <int SWIZZLE> __device__ float decode(int rounds)
{
    __shared__ uint4 key[128 * 8];
    __shared__ __half2 worth[128 * 32];
    __shared__ float2 query[32], part[4][32];
    __shared__ float share[128], some[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (int c = 0; c < 8; c++) {
        uint4 eight;
        unsigned *of = &eight.x;
        for (int k = 0; k < 4; k++) {
            __half2 two = __floats2half2_rn(((t * 5 + c * 7 + k * 3) & 31) * 0.03f - 0.4f, ((t * 3 + c * 5 + k * 11) & 31) * 0.03f - 0.4f);
            of[k] = *(unsigned *)&two;
        }
        key[t * 8 + (SWIZZLE ? c ^ (t & 7) : c)] = eight;
    }
    for (int i = t; i < 128 * 32; i += 128) worth[i] = __floats2half2_rn(((i * 7) & 63) * 0.03f - 0.9f, ((i * 13 + i / 32) & 63) * 0.03f - 0.9f);
    if (t < 32) query[t] = make_float2(0.1f * (t & 7), 0.2f - 0.05f * (t & 7));
    __syncthreads();
    float2 out = make_float2(0, 0);
    for (int r = 0; r < rounds; r++) {
        float score = 0;
#pragma unroll
        for (int c = 0; c < 8; c++) {
            uint4 eight = key[t * 8 + (SWIZZLE ? c ^ (t & 7) : c)];
            const unsigned of[4] = {eight.x, eight.y, eight.z, eight.w};
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float2 two = __half22float2(*(const __half2 *)&of[k]), q = query[c * 4 + k];
                score += two.x * q.x + two.y * q.y;
            }
        }
        float e = __expf(score * 0.5f), all = e;
#pragma unroll
        for (int d = 16; d > 0; d /= 2) all += __shfl_xor_sync(~0u, all, d);
        share[t] = e;
        if (lane == 0) some[warp] = all;
        __syncwarp();
        float2 sum = make_float2(0, 0);
#pragma unroll 8
        for (int i = warp * 32; i < warp * 32 + 32; i++) {
            float2 two = __half22float2(worth[i * 32 + lane]);
            sum.x += share[i] * two.x;
            sum.y += share[i] * two.y;
        }
        part[warp][lane] = sum;
        __syncthreads();
        if (t < 32) {
            float over = 1.0f / (some[0] + some[1] + some[2] + some[3]);
            out.x = (part[0][t].x + part[1][t].x + part[2][t].x + part[3][t].x) * over;
            out.y = (part[0][t].y + part[1][t].y + part[2][t].y + part[3][t].y) * over;
            query[t] = make_float2(out.x + 0.1f * ((t + r) & 3), 0.9f * out.y - 0.1f);
        }
        __syncthreads();
    }
    return query[lane].x + query[lane].y + share[t];
}
PAIR(decode, 0, 1, 128)

// Bags of eight of 64 words' 32 numbers, summed: a thread a bag, all its numbers in turn, or a lane a number, all of a warp's bags in turn.
template <int TURNED> __device__ float bag(int rounds)
{
    __shared__ float table[64 * 32], made[128 * 32];
    __shared__ int word[8 * 128];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (int i = t; i < 64 * 32; i += 128) table[i] = ((i * 29 + i / 32 * 7) & 63) * 0.02f - 0.6f;
    for (int k = 0; k < 8; k++) word[k * 128 + t] = (t * 2654435761u >> 7 * (k & 3)) + k * 13 & 63;
    for (int i = 0; i < 32; i++) made[i * 128 + t] = 0.0f;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int n = 0; n < 32; n++) {
            int whose = TURNED ? warp * 32 + n : t, number = TURNED ? lane : n;
            float sum = 0;
#pragma unroll
            for (int k = 0; k < 8; k++) sum += table[word[k * 128 + whose] * 32 + number];
            made[whose * 32 + number] = 0.5f * made[whose * 32 + number] + fmaxf(sum, 0.1f * sum);
        }
        __syncthreads();
        word[(r & 7) * 128 + t] = (word[(r & 7) * 128 + t] * 5 + t + r) & 63;
        __syncthreads();
    }
    float sum = 0;
    for (int n = 0; n < 32; n++) sum += made[t * 32 + (n + t) % 32] * (1 + (n + t) % 32);
    return sum;
}
PAIR(bag, 0, 1, 128)

// Layers of a net of single bits, 256 to 256, a neuron a thread, eight words of weights each: as they are, or the words xor the neuron.
template <int SWIZZLE> __device__ float xnor(int rounds)
{
    __shared__ unsigned weight[256 * 8], state[2][8];
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 8; k++) weight[t * 8 + (SWIZZLE ? k ^ (t >> 2 & 7) : k)] = (t * 8 + k + 1) * 2654435761u ^ (t * 40503u << k);
    if (t < 8) state[0][t] = t * 2246822519u;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        const unsigned *from = state[r & 1];
        int same = 0;
#pragma unroll
        for (int k = 0; k < 8; k++) same += __popc(~(weight[t * 8 + (SWIZZLE ? k ^ (t >> 2 & 7) : k)] ^ from[k]));
        unsigned word = __ballot_sync(~0u, same + ((t + r) & 7) > 132);
        if (t % 32 == 0) state[(r & 1) ^ 1][t / 32] = word;
        sum += same;
        __syncthreads();
    }
    return sum / rounds + 256.0f * __popc(state[rounds & 1][t / 32]);
}
PAIR(xnor, 0, 1, 256)

// Decoding of a code of 128 checks of six of 256 bits (LDPC, least sums): a check's six messages by rows of 6, or of 7.
template <int PITCH> __device__ float ldpc(int rounds)
{
    __shared__ float message[128 * PITCH], total[256], heard[256];
    int t = threadIdx.x;
    for (int v = t; v < 256; v += 128) heard[v] = total[v] = 1.0f + (((v * 29) & 31) - 12) * 0.1f;
    int bit[6], from[2][3];
    for (int k = 0; k < 6; k++) {
        message[t * PITCH + k] = 0.0f;
        bit[k] = ((t * 6 + k) * 37 + 11) % 768 & 255;
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            int edge = (t + i * 128 + j * 256 + 757) * 685 % 768;
            from[i][j] = edge / 6 * PITCH + edge % 6;
        }
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        float in[6], least = 1e30f, second = 1e30f;
        int which = 0;
        unsigned sign = 0;
#pragma unroll
        for (int k = 0; k < 6; k++) {
            in[k] = total[bit[k]] - message[t * PITCH + k];
            float far = fabsf(in[k]);
            sign ^= __float_as_uint(in[k]) & 0x80000000u;
            if (far < least) {
                second = least;
                least = far;
                which = k;
            } else if (far < second) second = far;
        }
#pragma unroll
        for (int k = 0; k < 6; k++) {
            float far = 0.75f * fminf(which == k ? second : least, 8.0f);
            message[t * PITCH + k] = __uint_as_float(__float_as_uint(far) ^ sign ^ (__float_as_uint(in[k]) & 0x80000000u));
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 2; i++) {
            int v = t + i * 128;
            float sum = heard[v];
#pragma unroll
            for (int j = 0; j < 3; j++) sum += message[from[i][j]];
            total[v] = sum;
            heard[v] = 0.98f * heard[v] + 0.01f * ((v + r) & 3);
        }
        __syncthreads();
    }
    return total[t] + 2.0f * total[t + 128];
}
PAIR(ldpc, 6, 7, 128)
