#include "../../../h100/verdicts/verdict.cuh"

// The greatest of 3 x 3 at every second pixel of 64 x 64 (pooling), mixed into the four pixels: columns as they are, or the even ones first.
template <int SPLIT> __device__ float pool(int rounds)
{
    __shared__ float pixel[64 * 64];
    int x = threadIdx.x, y = threadIdx.y;
    auto at = [](int row, int column) { return row * 64 + (SPLIT ? column / 2 + (column & 1) * 32 : column); };
    for (int i = y; i < 64; i += 8)
        for (int j = x; j < 64; j += 32) pixel[at(i, j)] = ((i * 37 + j * 53 + i * j) & 255) * 0.01f;
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        float most[4];
#pragma unroll
        for (int n = 0; n < 4; n++) {
            int row = (y + n * 8) * 2, column = x * 2;
            most[n] = -1e30f;
#pragma unroll
            for (int i = -1; i <= 1; i++)
#pragma unroll
                for (int j = -1; j <= 1; j++)
                    if (row + i >= 0 && column + j >= 0) most[n] = fmaxf(most[n], pixel[at(row + i, column + j)]);
        }
        __syncthreads();
#pragma unroll
        for (int n = 0; n < 4; n++)
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float &of = pixel[at((y + n * 8) * 2 + i / 2, x * 2 + i % 2)];
                of = 0.8f * of + 0.2f * most[n] - 0.1f * i;
            }
        __syncthreads();
        sum += r & 3 ? most[1] : most[2];
    }
    return sum + pixel[at(y, x)];
}
PAIR(pool, 0, 1, 256)

// Stereo by the census of 5 x 5 of 8 x 8 pixels, eight disparities: rows of 12 (left) and 20 (right), or of 24.
template <int WIDE> __device__ float census(int rounds)
{
    constexpr int LEFT = WIDE ? 24 : 12, RIGHT = WIDE ? 24 : 20;
    __shared__ int left[12 * LEFT], right[12 * RIGHT];
    __shared__ unsigned code[8 * 16];
    int x = threadIdx.x, y = threadIdx.y, t = y * 8 + x, sum = 0;
    for (int i = t; i < 144; i += 64) left[i / 12 * LEFT + i % 12] = (i * 2654435761u >> 8) & 255;
    for (int i = t; i < 240; i += 64) right[i / 20 * RIGHT + i % 20] = ((i + 3) * 2246822519u >> 9) & 255;
    __syncthreads();
    auto signs = [&](const int *from, int pitch) {
        int own = from[2 * pitch + 2];
        unsigned bits = 0;
#pragma unroll
        for (int i = 0; i < 5; i++)
#pragma unroll
            for (int j = 0; j < 5; j++)
                if (i != 2 || j != 2) bits = bits * 2 + (from[i * pitch + j] < own);
        return bits;
    };
    for (int r = 0; r < rounds; r++) {
        unsigned here = signs(left + y * LEFT + x, LEFT);
        code[y * 16 + x] = signs(right + y * RIGHT + x, RIGHT);
        code[y * 16 + x + 8] = signs(right + y * RIGHT + x + 8, RIGHT);
        __syncthreads();
        int best = 1 << 20;
#pragma unroll
        for (int d = 0; d < 8; d++) best = min(best, __popc(here ^ code[y * 16 + x + d]) * 8 + d);
        left[(y + 2) * LEFT + x + 2] = (left[(y + 2) * LEFT + x + 2] * 3 + best * 7 + r) & 255;
        sum += best;
        __syncthreads();
    }
    return sum;
}
PAIR(census, 0, 1, 64)

// Distances to the nearest site along rows of 32 (Felzenszwalb's lower envelope of parabolas), a row a thread: rows of 32, or of 33.
template <int PITCH> __device__ float distance(int rounds)
{
    extern __shared__ float envelopes[];
    int t = threadIdx.x;
    float *f = envelopes + t * PITCH, *from = f + 64 * PITCH, *near = from + 64 * PITCH;
    int *vertex = (int *)(near + 64 * PITCH);
#pragma unroll 1
    for (int q = 0; q < 32; q++) near[q] = (t * 7 + q * 11) & 31;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int q = 0; q < 32; q++) f[q] = ((t * 5 + q * 13 + r * 3) & 15) == 0 ? 0.0f : 0.5f * near[q] + 10.0f;
        int k = 0;
        vertex[0] = 0;
        from[0] = -1e20f;
#pragma unroll 1
        for (int q = 1; q < 32; q++) {
            int v = vertex[k];
            float own = f[q] + q * q, s = (own - f[v] - v * v) / (2 * (q - v));
            while (s <= from[k]) {
                v = vertex[--k];
                s = (own - f[v] - v * v) / (2 * (q - v));
            }
            k++;
            vertex[k] = q;
            from[k] = s;
        }
        int last = k;
        k = 0;
#pragma unroll 1
        for (int q = 0; q < 32; q++) {
            while (k < last && from[k + 1] < q) k++;
            int v = vertex[k];
            near[q] = (q - v) * (q - v) + f[v];
        }
    }
    return near[0] + near[13] + near[31];
}
PAIR(distance, 32, 33, 64)

// Where 8 x 8 bytes are found best in 39 x 32 (sums of absolute differences), a row a lane, six columns a warp: rows of 8 words, or of 9.
template <int PITCH> __device__ float motion(int rounds)
{
    __shared__ unsigned window[39 * PITCH], block[16], best[2];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (int i = t; i < 39 * 8; i += 128) window[i / 8 * PITCH + i % 8] = i * 2654435761u ^ (i * i * 40503u);
    if (t < 16) block[t] = t * 2246822519u;
    if (t < 2) best[t] = ~0u;
    __syncthreads();
    unsigned sum = 0;
    for (int r = 0; r < rounds; r++) {
        unsigned own = ~0u;
#pragma unroll 1
        for (int dx = warp * 6; dx < warp * 6 + 6; dx++) {
            const unsigned *from = window + lane * PITCH + dx / 4;
            unsigned differ = 0;
#pragma unroll
            for (int y = 0; y < 8; y++) {
                unsigned a = from[y * PITCH], b = from[y * PITCH + 1], c = from[y * PITCH + 2];
                differ += __vsadu4(__funnelshift_r(a, b, (dx & 3) * 8), block[y * 2]);
                differ += __vsadu4(__funnelshift_r(b, c, (dx & 3) * 8), block[y * 2 + 1]);
            }
            own = min(own, differ << 10 | lane << 5 | dx);
        }
        own = __reduce_min_sync(~0u, own);
        if (lane == 0) atomicMin(&best[r & 1], own);
        __syncthreads();
        unsigned found = best[r & 1];
        if (t < 16) block[t] = window[((found >> 5 & 31) + t / 2) * PITCH + (found & 31) / 4 + t % 2] + (0x01030507u << (r & 4)) * (r + 1);
        if (t == 0) best[(r & 1) ^ 1] = ~0u;
        sum += found >> 5;
        __syncthreads();
    }
    return sum & 0xffff;
}
PAIR(motion, 8, 9, 128)

// What two images of 16 levels tell of each other: joint histograms of each warp by atomics, then entropies: rows of 16, or of 17.
template <int PITCH> __device__ float mutual(int rounds)
{
    __shared__ int joint[8 * 16 * PITCH], all[16 * PITCH];
    __shared__ float part[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (int i = lane; i < 16 * PITCH; i += 32) joint[warp * 16 * PITCH + i] = 0;
    __syncwarp();
    unsigned random = t * 2654435761u + 12345;
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 4
        for (int n = 0; n < 16; n++) {
            random = random * 1664525u + 1013904223u;
            int a = random >> 28, b = (a + (random >> 24 & 3)) & 15;
            atomicAdd(&joint[(warp * 16 + a) * PITCH + b], 1);
        }
        __syncthreads();
        int count = 0, at = t / 16 * PITCH + t % 16;
#pragma unroll
        for (int w = 0; w < 8; w++) {
            count += joint[w * 16 * PITCH + at];
            joint[w * 16 * PITCH + at] >>= 1;
        }
        all[at] = count;
        float p = (count + 0.5f) / 4224, bits = -p * __logf(p);
#pragma unroll
        for (int d = 16; d > 0; d /= 2) bits += __shfl_xor_sync(~0u, bits, d);
        if (lane == 0) part[warp] = bits;
        __syncthreads();
        if (t < 16) {
            int of_row = 0, of_column = 0;
            for (int i = 0; i < 16; i++) {
                of_row += all[t * PITCH + i];
                of_column += all[i * PITCH + t];
            }
            float p = (of_row + 1.0f) / 4224, q = (of_column + 1.0f) / 4224;
            sum += -p * __logf(p) - q * __logf(q);
        }
        for (int w = 0; w < 8; w++) sum -= part[w] * 0.01f;
    }
    return sum;
}
PAIR(mutual, 16, 17, 256)
