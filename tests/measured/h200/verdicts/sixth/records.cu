#include "../../../h100/verdicts/verdict.cuh"

// Keys of a join kept out by Bloom's filter in 64 blocks of eight words, a bit in each, those not met put in: words as they are, or xor the block.
template <int SWIZZLE> __device__ float bloom(int rounds)
{
    __shared__ unsigned filter[64 * 8];
    constexpr unsigned salt[8] = {0x47b6137bu, 0x44974d91u, 0x8824ad5bu, 0xa2b7289du, 0x705495c7u, 0x2df1424bu, 0x9efc4947u, 0x5c6bfb31u};
    int t = threadIdx.x, met = 0;
    unsigned seed = t * 2654435761u + 1;
    filter[t] = filter[t + 256] = 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        seed = seed * 1664525u + 1013904223u;
        unsigned key = (seed >> 22) * 2654435761u;
        unsigned *block = filter + (key >> 26) * 8, turn = SWIZZLE ? key >> 28 & 7 : 0, all = ~0u;
#pragma unroll
        for (int k = 0; k < 8; k++) all &= block[k ^ turn] >> (key * salt[k] >> 27);
        met += all & 1;
        __syncthreads();
        if (!(all & 1))
#pragma unroll
            for (int k = 0; k < 8; k++) atomicOr(&block[k ^ turn], 1u << (key * salt[k] >> 27));
        __syncthreads();
        if ((r & 3) == 3) {
            filter[t] = filter[t + 256] = 0;
            __syncthreads();
        }
    }
    return met;
}
PAIR(bloom, 0, 1, 256)

// Colours of a graph of 256 vertices with eight neighbours each (Jones and Plassmann), a vertex a thread: a vertex's neighbours in a row, or turned.
template <int TURNED> __device__ float colours(int rounds)
{
    __shared__ int neighbour[256 * 8], colour[256];
    int t = threadIdx.x, sum = 0;
    auto at = [](int v, int k) { return TURNED ? k * 256 + v : v * 8 + k; };
    for (int k = 0; k < 4; k++) {
        int far = 1 + k * k * 13;
        neighbour[at(t, k * 2)] = (t + far) & 255;
        neighbour[at(t, k * 2 + 1)] = (t - far) & 255;
    }
    colour[t] = -1;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        unsigned mix = (r * 2 + 1) * 2654435761u;
        bool done = false;
        while (__syncthreads_or(!done)) {
            unsigned own = t * mix, taken = 0;
            bool first = !done;
            if (!done)
#pragma unroll
                for (int k = 0; k < 8; k++) {
                    int v = neighbour[at(t, k)], of = colour[v];
                    if (of >= 0)
                        taken |= 1u << of;
                    else if (v * mix > own)
                        first = false;
                }
            __syncthreads();
            if (first) {
                colour[t] = __ffs(~taken) - 1;
                done = true;
            }
        }
        sum += colour[t] * (1 + (r & 3));
        __syncthreads();
        colour[t] = -1;
    }
    return sum;
}
PAIR(colours, 0, 1, 256)

// Rows of a query put together by 64 keys (count, sum, least, greatest) by atomics on whole numbers: a key's four in a row, or arrays.
template <int ARRAYS> __device__ float groupby(int rounds)
{
    __shared__ int of_key[4 * 64];
    int t = threadIdx.x, sum = 0;
    auto at = [](int key, int k) { return ARRAYS ? k * 64 + key : key * 4 + k; };
    unsigned row = t * 2246822519u + 5;
    for (int r = 0; r < rounds; r++) {
        if (t < 64) {
            of_key[at(t, 0)] = of_key[at(t, 1)] = 0;
            of_key[at(t, 2)] = 1 << 30;
            of_key[at(t, 3)] = -(1 << 30);
        }
        __syncthreads();
        row = row * 1664525u + 1013904223u;
        int key = row >> 26, price = row >> 8 & 4095;
        atomicAdd(&of_key[at(key, 0)], 1);
        atomicAdd(&of_key[at(key, 1)], price);
        atomicMin(&of_key[at(key, 2)], price);
        atomicMax(&of_key[at(key, 3)], price);
        __syncthreads();
        sum += of_key[at(key, 1)] / of_key[at(key, 0)] + of_key[at(key, 3)] - of_key[at(key, 2)];
        __syncthreads();
    }
    return sum;
}
PAIR(groupby, 0, 1, 1024)

// Reads looked for backwards in 2048 letters of a genome (FM index), counts and two words of bits for each 32 of them: rows of eight words, or of seven.
template <int PITCH> __device__ float fmindex(int rounds)
{
    __shared__ unsigned marks[65 * PITCH];
    int t = threadIdx.x, found = 0;
    if (t < 64) {
        marks[t * PITCH + 4] = t * 2654435761u ^ t * t * 40503u;
        marks[t * PITCH + 5] = (t + 77) * 2246822519u;
    }
    if (t == 64) marks[64 * PITCH + 4] = marks[64 * PITCH + 5] = 0;
    __syncthreads();
    if (t < 4) {
        unsigned count = 0;
        for (int i = 0; i <= 64; i++) {
            unsigned low = marks[i * PITCH + 4], high = marks[i * PITCH + 5];
            marks[i * PITCH + t] = count;
            count += __popc((t & 1 ? low : ~low) & (t & 2 ? high : ~high));
        }
    }
    __syncthreads();
    int start[4] = {};
    for (int c = 1; c < 4; c++) start[c] = start[c - 1] + marks[64 * PITCH + c - 1];
    auto before = [&](int c, int i) {
        const unsigned *mark = marks + i / 32 * PITCH;
        unsigned same = (c & 1 ? mark[4] : ~mark[4]) & (c & 2 ? mark[5] : ~mark[5]);
        return (int)mark[c] + __popc(same & ((1u << (i & 31)) - 1));
    };
    int from = 0, to = 2048;
    unsigned seed = t * 2654435761u + 17;
    for (int r = 0; r < rounds; r++) {
        seed = seed * 1664525u + 1013904223u;
        int c = seed >> 30, first = c < 2 ? (c == 0 ? start[0] : start[1]) : (c == 2 ? start[2] : start[3]);
        from = first + before(c, from);
        to = first + before(c, to);
        if (to - from < 2) {
            found += to > from ? from : 1;
            from = seed >> 20 & 1023;
            to = 2048 - (seed >> 8 & 255);
        }
    }
    return found + from;
}
PAIR(fmindex, 8, 7, 128)

// Least hashes of eight words of letters in a row (minimizers of reads), a read a thread, the last eight in a ring: rows of eight, or of nine.
template <int PITCH> __device__ float minimizer(int rounds)
{
    __shared__ unsigned rings[128 * PITCH];
    int t = threadIdx.x, last = 0;
    unsigned *ring = rings + t * PITCH, seed = t * 2654435761u + 19, word = t, least = ~0u, sum = 0;
    for (int k = 0; k < 8; k++) ring[k] = ~0u;
    for (int r = 0; r < rounds; r++) {
        seed = seed * 1664525u + 1013904223u;
        word = (word << 2 | seed >> 30) & 0xffffff;
        unsigned hash = word * 0x9e3779b1u;
        hash ^= hash >> 15;
        ring[r & 7] = hash;
        if (hash <= least) {
            least = hash;
            last = r;
            sum += hash & 255;
        } else if (r - last >= 8) {
            least = ~0u;
#pragma unroll
            for (int k = 7; k >= 0; k--) {
                unsigned of = ring[(r - k) & 7];
                if (of <= least) {
                    least = of;
                    last = r - k;
                }
            }
            sum += least & 255;
        }
    }
    return sum + last;
}
PAIR(minimizer, 8, 9, 128)

// How probable a read of eight letters is of a piece of 16 (matches, letters put in and left out), a pair a thread, three lines of 16: rows of 48, or of 49.
template <int PITCH> __device__ float pairhmm(int rounds)
{
    extern __shared__ float pairs[];
    int t = threadIdx.x;
    float *match = pairs + t * PITCH, *more = match + 16, *less = match + 32, all = 0;
    unsigned piece = t * 2654435761u, read = t * 2246822519u >> 5;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 4
        for (int j = 0; j < 16; j++) {
            match[j] = more[j] = 0;
            less[j] = 1.0f / 16;
        }
#pragma unroll 1
        for (int i = 0; i < 8; i++) {
            unsigned letter = read >> i * 2 & 3;
            float m = 0, in = 0, out = i == 0 ? 1.0f / 16 : 0, left_m = 0, left_out = 0;
#pragma unroll 2
            for (int j = 0; j < 16; j++) {
                float up_m = match[j], up_in = more[j], up_out = less[j];
                float now = (letter == (piece >> j * 2 & 3) ? 0.99f : 0.0033f) * (0.98f * m + 0.9f * (in + out));
                float now_out = 0.01f * left_m + 0.1f * left_out;
                match[j] = now;
                more[j] = 0.01f * up_m + 0.1f * up_in;
                less[j] = now_out;
                m = up_m;
                in = up_in;
                out = up_out;
                left_m = now;
                left_out = now_out;
            }
        }
        float sum = 1e-12f;
#pragma unroll 4
        for (int j = 0; j < 16; j++) sum += match[j] + more[j];
        all += __logf(sum);
        piece = piece * 1664525u + 1013904223u;
        read += piece >> 9;
    }
    return all;
}
PAIR(pairhmm, 48, 49, 64)

// Chances of four letters up a tree of eight leaves (Felsenstein), a place of the genome a thread, 16 nodes' fours: rows of 64 numbers, or of 68.
template <int PITCH> __device__ float felsen(int rounds)
{
    __shared__ __align__(16) float chances[64 * PITCH];
    __shared__ float stay[16];
    __shared__ int child[16];
    int t = threadIdx.x;
    float4 *node = (float4 *)(chances + t * PITCH);
    if (t < 16) {
        stay[t] = __expf(-0.1f - 0.03f * t);
        child[t] = t * 2;
    }
    __syncthreads();
    float all = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int i = 0; i < 8; i++) {
            int letter = (t + 1) * (i * 7 + r + 3) * 2654435761u >> 20 & 3;
            node[i] = make_float4(letter == 0, letter == 1, letter == 2, letter == 3);
        }
#pragma unroll 1
        for (int i = 8; i < 15; i++) {
            float4 by[2];
#pragma unroll
            for (int c = 0; c < 2; c++) {
                int of = child[i - 8] + c;
                float4 v = node[of];
                float e = stay[of], mean = 0.25f * (1.0f - e) * (v.x + v.y + v.z + v.w);
                by[c] = make_float4(mean + e * v.x, mean + e * v.y, mean + e * v.z, mean + e * v.w);
            }
            node[i] = make_float4(by[0].x * by[1].x, by[0].y * by[1].y, by[0].z * by[1].z, by[0].w * by[1].w);
        }
        float4 root = node[14];
        all += __logf(0.25f * (root.x + root.y + root.z + root.w) + 1e-20f);
    }
    return all;
}
PAIR(felsen, 64, 68, 64)
