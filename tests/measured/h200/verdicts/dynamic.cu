#include "../../h100/verdicts/verdict.cuh"

// Connected parts of 32 x 32 cells by the least label of neighbours and jumps to a label's label: pairs, or arrays.
template <int APART> __device__ float labels(int rounds)
{
    extern __shared__ int words[];
    int t = threadIdx.x, sum = 0;
#define NOW(i) words[APART ? (i) : (i) * 2]
#define NEXT(i) words[APART ? 1024 + (i) : (i) * 2 + 1]
#define PART(x, y) (((x) / 5 + (y) / 3 + r) & 1)
    for (int r = 0; r < rounds; r++) {
        for (int i = t; i < 1024; i += 256) NOW(i) = i;
        __syncthreads();
        for (int step = 0; step < 6; step++) {
            for (int i = t; i < 1024; i += 256) {
                int x = i & 31, y = i >> 5, part = PART(x, y), least = NOW(i);
                if (x > 0 && PART(x - 1, y) == part) least = min(least, NOW(i - 1));
                if (x < 31 && PART(x + 1, y) == part) least = min(least, NOW(i + 1));
                if (y > 0 && PART(x, y - 1) == part) least = min(least, NOW(i - 32));
                if (y < 31 && PART(x, y + 1) == part) least = min(least, NOW(i + 32));
                NEXT(i) = min(least, NOW(least));
            }
            __syncthreads();
            for (int i = t; i < 1024; i += 256) NOW(i) = NEXT(i);
            __syncthreads();
        }
        sum += NOW(t * 4 + (r & 3));
        __syncthreads();
    }
    return sum;
#undef NOW
#undef NEXT
#undef PART
}
PAIR(labels, 0, 1, 256)

// Breadth first search over 512 places with four ways out of each: a place's ways in a row, or turned.
template <int TURNED> __device__ float bfs(int rounds)
{
    extern __shared__ int words[];
    int *level = words, *way = words + 512;
    int t = threadIdx.x, sum = 0;
#define WAY(v, k) way[TURNED ? (k) * 512 + (v) : (v) * 4 + (k)]
    for (int v = t; v < 512; v += 256) {
        WAY(v, 0) = (v + 1) & 511;
        WAY(v, 1) = (v + 509) & 511;
        WAY(v, 2) = (v * 5 + 3) & 511;
        WAY(v, 3) = v ^ 64;
    }
    for (int r = 0; r < rounds; r++) {
        for (int v = t; v < 512; v += 256) level[v] = v == ((r * 37) & 511) ? 0 : -1;
        __syncthreads();
        int going = 1;
        for (int depth = 0; going; depth++) {
            int found[2] = {0, 0};
#pragma unroll
            for (int i = 0; i < 2; i++) {
                int v = t + i * 256;
                if (level[v] < 0)
                    for (int k = 0; k < 4 && !found[i]; k++) found[i] = level[WAY(v, k)] == depth;
            }
            going = __syncthreads_or(found[0] | found[1]);
            if (found[0]) level[t] = depth + 1;
            if (found[1]) level[t + 256] = depth + 1;
            __syncthreads();
        }
        sum += level[t];
        __syncthreads();
    }
    return sum;
#undef WAY
}
PAIR(bfs, 0, 1, 256)

// A knapsack of 512 units with 24 things, the best value and how many things: pairs, or arrays; before them the best of all rounds.
template <int ARRAYS> __device__ float knapsack(int rounds)
{
    extern __shared__ int words[];
    int t = threadIdx.x, sum = 0;
#define VALUE(b, i) words[1 + (b) * 1024 + (ARRAYS ? (i) : (i) * 2)]
#define COUNT(b, i) words[1 + (b) * 1024 + (ARRAYS ? 512 + (i) : (i) * 2 + 1)]
    if (t == 511) words[0] = 0;
    for (int r = 0; r < rounds; r++) {
        VALUE(0, t) = 0;
        COUNT(0, t) = 0;
        __syncthreads();
        for (int item = 0; item < 24; item++) {
            int from = item & 1, to = from ^ 1, weight = 7 + (item * 37 + r * 11) % 90, worth = 5 + (item * 53 + r * 7) % 60;
            int best = VALUE(from, t), count = COUNT(from, t);
            if (t >= weight) {
                int with = VALUE(from, t - weight) + worth;
                if (with > best) {
                    best = with;
                    count = COUNT(from, t - weight) + 1;
                }
            }
            VALUE(to, t) = best;
            COUNT(to, t) = count;
            __syncthreads();
        }
        sum += VALUE(0, t) + COUNT(0, t);
        if (t == 511) words[0] = max(words[0], VALUE(0, t));
        __syncthreads();
    }
    return sum + words[0];
#undef VALUE
#undef COUNT
}
PAIR(knapsack, 0, 1, 512)

// A heap of 16 numbers of each thread, the least one taken and another put in its place; with its size and a spare word, or without one.
template <int PITCH> __device__ float heap(int rounds)
{
    extern __shared__ float numbers[];
    int t = threadIdx.x;
    float *own = numbers + t * PITCH;
    for (int i = 0; i < 16; i++) own[i] = i * 3 + (t & 3);
    float sum = 0;
    unsigned random = t * 2654435761u + 12345u;
    for (int r = 0; r < rounds; r++) {
        float least = own[0];
        sum += least;
        random = random * 1664525u + 1013904223u;
        float v = least + (random >> 27);
        int i = 0;
        while (2 * i + 1 < 16) {
            int child = 2 * i + 1;
            float c = own[child];
            if (child + 1 < 16) {
                float other = own[child + 1];
                if (other < c) {
                    c = other;
                    child++;
                }
            }
            if (c >= v) break;
            own[i] = c;
            i = child;
        }
        own[i] = v;
    }
    return sum * 1e-3f;
}
PAIR(heap, 18, 17, 96)

// Segmented sums of 256 by doubling steps: value and flag in pairs, or in arrays; before them what is carried to the next round.
template <int ARRAYS> __device__ float segments(int rounds)
{
    extern __shared__ int words[];
    int t = threadIdx.x;
#define SUM(i) words[1 + (ARRAYS ? (i) : (i) * 2)]
#define FLAG(i) words[1 + (ARRAYS ? 256 + (i) : (i) * 2 + 1)]
    int v = t & 7;
    if (t == 255) words[0] = 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        int flag = ((t * 5 + r) & 15) == 0;
        SUM(t) = v;
        FLAG(t) = flag;
        __syncthreads();
        for (int d = 1; d < 256; d *= 2) {
            int other = 0, before = 0;
            if (t >= d) {
                other = SUM(t - d);
                before = FLAG(t - d);
            }
            __syncthreads();
            if (!flag) {
                v += other;
                flag = before;
            }
            SUM(t) = v;
            FLAG(t) = flag;
            __syncthreads();
        }
        if (t == 255) words[0] = v & 1023;
        __syncthreads();
        v = (SUM(255 - t) + words[0] + t) & 1023;
        __syncthreads();
    }
    return v;
#undef SUM
#undef FLAG
}
PAIR(segments, 0, 1, 256)

// Those of 1024 numbers kept that a test takes, eight in a row for each thread, places by a scan of warps.
template <int PAD> __device__ float compact(int rounds)
{
    extern __shared__ unsigned items[];
    unsigned *sums = items, *in = items + 5, *out = in + (PAD ? 1024 + 128 : 1024);
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
#define IN(i) in[(i) + (PAD ? (i) / 8 : 0)]
    for (int i = t; i < 1024; i += 128) {
        IN(i) = i * 2654435761u;
        out[i] = i;
    }
    __syncthreads();
    unsigned total = 0;
    for (int r = 0; r < rounds; r++) {
        unsigned item[8], count = 0;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            item[k] = IN(t * 8 + k);
            count += item[k] >> 31;
        }
        unsigned upto = count;
        for (int d = 1; d < 32; d *= 2) {
            unsigned other = __shfl_up_sync(0xffffffffu, upto, d);
            if (lane >= d) upto += other;
        }
        if (lane == 31) sums[warp] = upto;
        __syncthreads();
        if (t == 127) sums[4] = sums[0] + sums[1] + sums[2] + sums[3];
        unsigned at = upto - count;
        for (int w = 0; w < warp; w++) at += sums[w];
#pragma unroll
        for (int k = 0; k < 8; k++)
            if (item[k] >> 31) out[at++] = item[k];
        total += at;
        __syncthreads();
        total ^= sums[4];
        for (int i = t; i < 1024; i += 128) IN(i) = out[i] * 1664525u + i;
        __syncthreads();
    }
    return total;
#undef IN
}
PAIR(compact, 0, 1, 128)

// 512 keys put in order of their three bits: a counter for each of eight values and thread, eight in a row scanned by a thread.
template <int PAD> __device__ float buckets(int rounds)
{
    extern __shared__ unsigned items[];
    unsigned *sums = items, *counter = items + 5, *sorted = counter + 1024 + 32;
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
#define COUNTER(i) counter[(i) + (PAD ? (i) / 32 : 0)]
    unsigned key[4];
#pragma unroll
    for (int k = 0; k < 4; k++) key[k] = (t * 4 + k) * 2654435761u;
    for (int r = 0; r < rounds; r++) {
        int shift = r % 10 * 3;
#pragma unroll
        for (int d = 0; d < 8; d++) COUNTER(d * 128 + t) = 0;
        unsigned before[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            int d = key[k] >> shift & 7;
            before[k] = COUNTER(d * 128 + t);
            COUNTER(d * 128 + t) = before[k] + 1;
        }
        __syncthreads();
        unsigned own[8], sum = 0;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            own[k] = COUNTER(t * 8 + k);
            sum += own[k];
        }
        unsigned upto = sum;
        for (int d = 1; d < 32; d *= 2) {
            unsigned other = __shfl_up_sync(0xffffffffu, upto, d);
            if (lane >= d) upto += other;
        }
        if (lane == 31) sums[warp] = upto;
        __syncthreads();
        if (t == 127) sums[4] = r;
        unsigned at = upto - sum;
        for (int w = 0; w < warp; w++) at += sums[w];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            COUNTER(t * 8 + k) = at;
            at += own[k];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 4; k++) sorted[COUNTER((key[k] >> shift & 7) * 128 + t) + before[k]] = key[k];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 4; k++) key[k] = sorted[k * 128 + t] + (k == 0 ? sums[4] : 0);
        __syncthreads();
    }
    return key[0] ^ key[1] ^ key[2] ^ key[3];
#undef COUNTER
}
PAIR(buckets, 0, 1, 128)

// The four greatest of 1024 scores: four of each thread in order, then merged by halves; a thread's four in a row, or turned.
template <int TURNED> __device__ float beam(int rounds)
{
    extern __shared__ float numbers[];
    int t = threadIdx.x;
#define LIST(i, k) numbers[TURNED ? (k) * 256 + (i) : (i) * 4 + (k)]
    unsigned random = t * 2654435761u + 17;
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < 4; k++) LIST(t, k) = -1.0f;
        for (int n = 0; n < 4; n++) {
            random = random * 1664525u + 1013904223u;
            float v = (float)(random >> 12);
            int k = 3;
            while (k > 0 && LIST(t, k - 1) < v) {
                LIST(t, k) = LIST(t, k - 1);
                k--;
            }
            LIST(t, k) = v;
        }
        __syncthreads();
        for (int half = 128; half > 0; half /= 2) {
            if (t < half) {
                int a = 0, b = 0;
                float best[4];
#pragma unroll
                for (int k = 0; k < 4; k++) {
                    float u = LIST(t, a), v = LIST(t + half, b);
                    best[k] = fmaxf(u, v);
                    if (u >= v) a++;
                    else b++;
                }
#pragma unroll
                for (int k = 0; k < 4; k++) LIST(t, k) = best[k];
            }
            __syncthreads();
        }
        sum += LIST(0, r & 3) * 1e-3f;
        __syncthreads();
    }
    return sum;
#undef LIST
}
PAIR(beam, 0, 1, 256)
