#include "../verdict.cuh"

// From a thread's eight items in a row to every 128th, through shared memory, and back, as block exchanges go.
template <int PAD> __device__ float exchange(int rounds)
{
    __shared__ int s[1024 + 1024 / 32];
    int t = threadIdx.x, item[8];
#define AT(i) s[(i) + (PAD ? (i) / 32 : 0)]
#pragma unroll
    for (int k = 0; k < 8; k++) item[k] = t * 8 + k;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 8; k++) AT(t * 8 + k) = item[k];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++) item[k] = AT(k * 128 + t) * 3;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++) AT(k * 128 + t) = item[k] ^ r;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++) item[k] = AT(t * 8 + k);
        __syncthreads();
    }
    int sum = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) sum += item[k] * (k + 1);
    return sum;
#undef AT
}
PAIR(exchange, 0, 1, 128)

// Digits of four bits counted, 16 counters of a thread, then the counters' sums before.
template <int BY_DIGIT> __device__ float radix_count(int rounds)
{
    __shared__ unsigned count[16 * 128];
    int t = threadIdx.x;
#define COUNT(d) count[BY_DIGIT ? (d) * 128 + t : t * 16 + (d)]
    unsigned key = t * 2246822519u + 5, sum = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int d = 0; d < 16; d++) COUNT(d) = 0;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            COUNT(key >> 28)++;
            key = key * 1664525u + 1013904223u;
        }
        unsigned before = 0;
#pragma unroll
        for (int d = 0; d < 16; d++) {
            unsigned n = COUNT(d);
            COUNT(d) = before;
            before += n;
        }
        sum += COUNT(key >> 28);
    }
    return sum;
#undef COUNT
}
PAIR(radix_count, 0, 1, 128)

// Each thread sorts its own 12 floats by odd and even exchanges in shared memory.
template <int TURNED> __device__ float odd_even(int rounds)
{
    __shared__ float s[12 * 64];
    int t = threadIdx.x;
#define S(i) s[TURNED ? (i) * 64 + t : t * 12 + (i)]
    float x = t;
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < 12; i++) {
            S(i) = x;
            x = x * 1.7f - 40.0f * (int)(x * 1.7f / 40.0f);
        }
        for (int pass = 0; pass < 12; pass++)
            for (int i = pass & 1; i < 11; i += 2) {
                float a = S(i), b = S(i + 1);
                if (a > b) {
                    S(i) = b;
                    S(i + 1) = a;
                }
            }
        x += S(5);
    }
    return x;
#undef S
}
PAIR(odd_even, 0, 1, 64)

// Batcher's merging of 512 doubles from halves that are sorted, two keys of each thread.
template <int SWIZZLE> __device__ float batcher(int rounds)
{
    __shared__ double s[512];
    int t = threadIdx.x;
#define AT(i) s[SWIZZLE ? (i) ^ ((i) >> 4 & 1) * 15 : (i)]
    AT(t) = t * 2;
    AT(t + 256) = t * 3 % 256;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int stride = 256; stride > 0; stride >>= 1) {
            int pos = 2 * t - (t & (stride - 1));
            double a = AT(pos), b = AT(pos + stride);
            AT(pos) = fmin(a, b);
            AT(pos + stride) = fmax(a, b);
            __syncthreads();
        }
        AT(t) += r;
        __syncthreads();
    }
    return (float)AT(t);
#undef AT
}
PAIR(batcher, 0, 1, 256)

// Two sorted lists of 256 merged, eight items of each thread, found by halving; the outcome stored as it comes, or shifted.
template <int SHIFT> __device__ float merge(int rounds)
{
    __shared__ int list[512], merged[512 + 512 / 16];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 64) {
        list[i] = 3 * i;
        list[256 + i] = 5 * i / 2 + 1;
    }
    __syncthreads();
#define OUT(i) merged[(i) + (SHIFT ? (i) / 16 : 0)]
    for (int r = 0; r < rounds; r++) {
        int diagonal = t * 8, lo = max(0, diagonal - 256), hi = min(diagonal, 256);
        while (lo < hi) {
            int mid = (lo + hi) / 2;
            if (list[mid] <= list[256 + diagonal - 1 - mid]) lo = mid + 1;
            else hi = mid;
        }
        int a = lo, b = diagonal - lo;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            bool first = b >= 256 || (a < 256 && list[a] <= list[256 + b]);
            OUT(t * 8 + k) = first ? list[a] : list[256 + b];
            a += first;
            b += !first;
        }
        __syncthreads();
        for (int i = t; i < 256; i += 64) {
            list[i] += OUT(i) & 1;
            list[256 + i] += 1;
        }
        __syncthreads();
    }
    return OUT(t);
#undef OUT
}
PAIR(merge, 0, 1, 64)

// The greatest of 512 and where it is: pairs, neighbours first, or halves first.
struct best {
    float value;
    int index;
};
template <int HALVES> __device__ float argmax(int rounds)
{
    __shared__ best s[512];
    int t = threadIdx.x, sum = 0;
    for (int r = 0; r < rounds; r++) {
        s[t].value = (float)((t * 7919 + r * 31) & 1023);
        s[t].index = t;
        __syncthreads();
        for (int k = HALVES ? 256 : 1; HALVES ? k > 0 : k < 512; k = HALVES ? k / 2 : k * 2) {
            int i = HALVES ? t : 2 * k * t;
            if (HALVES ? t < k : i < 512) {
                best other = s[i + k];
                if (other.value > s[i].value) s[i] = other;
            }
            __syncthreads();
        }
        sum += s[0].index;
        __syncthreads();
    }
    return sum;
}
PAIR(argmax, 0, 1, 512)

// Counters of a byte for each thread and 64 bins, as in an early sample: threads in order, or dealt out to the banks.
template <int DEALT> __device__ float hist_bytes(int rounds)
{
    __shared__ unsigned char h[64 * 128];
    int t = threadIdx.x;
    int pos = DEALT ? (t & ~127) | (t & 31) << 2 | (t & 96) >> 5 : t;
    for (int i = t; i < 64 * 128 / 4; i += 128) ((unsigned *)h)[i] = 0;
    __syncthreads();
    unsigned data = t * 2654435761u;
    for (int r = 0; r < rounds; r++) {
        h[pos + (data >> 2 & 63) * 128]++;
        h[pos + (data >> 10 & 63) * 128]++;
        h[pos + (data >> 18 & 63) * 128]++;
        h[pos + (data >> 26 & 63) * 128]++;
        data = data * 1103515245u + 12345u;
    }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 64; i++) sum += h[i * 128 + t] * i;
    return sum;
}
PAIR(hist_bytes, 0, 1, 128)
