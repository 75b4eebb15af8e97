#include "../../../h100/verdicts/verdict.cuh"

// Forward rates of 16 quarters (LIBOR market model), a path a thread, then what a swaption on them would pay: rows of 16, or of 17.
template <int PITCH> __device__ float libor(int rounds)
{
    __shared__ float rates[64 * PITCH], spread[16];
    int t = threadIdx.x;
    float *rate = rates + t * PITCH, worth = 0;
    unsigned seed = t * 2654435761u + 1;
    for (int k = 0; k < 16; k++) rate[k] = 0.03f + 0.001f * ((t + k) & 7);
    if (t < 16) spread[t] = 0.2f - 0.005f * t;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        seed = seed * 1664525u + 1013904223u;
        float normal = (int)((seed >> 24) + (seed >> 16 & 255) - 255) * 0.01f, drift = 0;
#pragma unroll 1
        for (int k = 0; k < 16; k++) {
            float now = rate[k], v = spread[k];
            drift += 0.25f * now * v / (1.0f + 0.25f * now);
            rate[k] = now * __expf((drift - 0.5f * v) * v * 0.25f + 0.5f * v * normal);
        }
        float bond = 1.0f, annuity = 0;
#pragma unroll 4
        for (int k = 0; k < 16; k++) {
            bond /= 1.0f + 0.25f * rate[k];
            annuity += 0.25f * bond;
        }
        worth += fmaxf(1.0f - bond - 0.031f * annuity, 0.0f);
        rate[r & 15] = 0.5f * rate[r & 15] + 0.016f;
    }
    return worth + rate[3];
}
PAIR(libor, 16, 17, 64)

// Orders met in a book of 32 prices, a book a thread, buyers below its price and sellers from it upwards: rows of 32, or of 33.
template <int PITCH> __device__ float orders(int rounds)
{
    __shared__ int books[64 * PITCH];
    int t = threadIdx.x, *book = books + t * PITCH, price = 16, paid = 0;
    unsigned seed = t * 2246822519u + 7;
    for (int k = 0; k < 32; k++) book[k] = 3 + ((t + k * 5) & 7);
    for (int r = 0; r < rounds; r++) {
        seed = seed * 1664525u + 1013904223u;
        int size = 1 + (seed >> 20 & 15), limit = 8 + (seed >> 28);
        if (seed >> 14 & 1) {
            while (size > 0 && price <= limit) {
                int there = book[price], taken = min(size, there);
                book[price] = there - taken;
                size -= taken;
                paid += taken * price;
                if (taken == there) price++;
            }
        } else {
            while (size > 0 && price > limit) {
                int there = book[price - 1], taken = min(size, there);
                book[price - 1] = there - taken;
                size -= taken;
                paid -= taken * price;
                if (taken == there) price--;
            }
        }
        book[limit] += size;
    }
    return paid + 1000.0f * price + book[16];
}
PAIR(orders, 32, 33, 64)

// How far a thread's series of 24 is from a model's when time may be warped, a line in shared memory: a thread's numbers in a row, or turned.
template <int TURNED> __device__ float dtw(int rounds)
{
    __shared__ float line[64 * 24], series[64 * 24], model[24];
    int t = threadIdx.x;
    auto at = [t](int j) { return TURNED ? j * 64 + t : t * 24 + j; };
    for (int j = 0; j < 24; j++) series[at(j)] = ((t * 5 + j * 7) & 15) * 0.1f;
    if (t < 24) model[t] = ((t * 3) & 7) * 0.2f;
    __syncthreads();
    float far = 0;
    for (int r = 0; r < rounds; r++) {
        float own = series[at(0)], left = 0;
#pragma unroll 4
        for (int j = 0; j < 24; j++) {
            left += fabsf(own - model[j]);
            line[at(j)] = left;
        }
#pragma unroll 1
        for (int i = 1; i < 24; i++) {
            float before = 1e30f;
            own = series[at(i)];
            left = 1e30f;
#pragma unroll 4
            for (int j = 0; j < 24; j++) {
                float up = line[at(j)];
                left = fabsf(own - model[j]) + fminf(up, fminf(left, before));
                line[at(j)] = left;
                before = up;
            }
        }
        far += left;
        series[at((r * 5) % 24)] = 0.1f * left;
    }
    return far;
}
PAIR(dtw, 0, 1, 64)

// Sales smoothed with level, trend and a season of 24 (Holt, Winters), a series a thread: rows of 24, or of 25.
template <int PITCH> __device__ float holt(int rounds)
{
    extern __shared__ float seasons[];
    int t = threadIdx.x;
    float *season = seasons + t * PITCH, level = 10.0f, trend = 0.1f, missed = 0;
    unsigned seed = t * 2654435761u + 3;
    for (int k = 0; k < 24; k++) season[k] = 1.0f + 0.1f * ((t + k) % 5 - 2);
    for (int r = 0; r < rounds; r++) {
#pragma unroll 2
        for (int k = 0; k < 24; k++) {
            seed = seed * 1664525u + 1013904223u;
            float sold = 8.0f + (seed >> 28) * 0.3f, of = season[k], before = level, expected = level + trend;
            missed += fabsf(sold - expected * of);
            level = 0.3f * (sold / of) + 0.7f * expected;
            trend = 0.1f * (level - before) + 0.9f * trend;
            season[k] = 0.2f * (sold / level) + 0.8f * of;
        }
    }
    return missed + level;
}
PAIR(holt, 24, 25, 128)

// 512 particles drawn anew by their weights (bootstrap filter), by halving in running sums: sums as they come, or a word left out after each 32.
template <int LEAVE> __device__ float resample(int rounds)
{
    __shared__ float sums[512 + 16], place[512], of_warp[16];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    auto at = [](int i) { return LEAVE ? i + i / 32 : i; };
    float x = ((t * 37) & 255) * 0.01f;
    unsigned seed = t * 2654435761u + 5;
    for (int r = 0; r < rounds; r++) {
        float off = x - 1.0f - 0.1f * (r & 7), sum = __expf(-0.5f * off * off);
#pragma unroll
        for (int d = 1; d < 32; d *= 2) {
            float up = __shfl_up_sync(~0u, sum, d);
            if (lane >= d) sum += up;
        }
        if (lane == 31) of_warp[warp] = sum;
        place[t] = x;
        __syncthreads();
        float before = 0, all = 0;
#pragma unroll
        for (int w = 0; w < 16; w++) {
            if (w == warp) before = all;
            all += of_warp[w];
        }
        sums[at(t)] = before + sum;
        __syncthreads();
        seed = seed * 1664525u + 1013904223u;
        float drawn = (seed >> 8) * (1.0f / 16777216) * all;
        int low = 0;
#pragma unroll
        for (int step = 256; step > 0; step /= 2)
            if (sums[at(low + step - 1)] < drawn) low += step;
        x = 0.9f * place[low] + (seed >> 16 & 255) * 0.002f;
        __syncthreads();
    }
    return x;
}
PAIR(resample, 0, 1, 512)
