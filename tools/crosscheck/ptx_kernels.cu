/* ptx_kernels.cu - kernels that work in shared memory alone, timed: what `banksim launch` says of
 * their PTX is held to it (tests/measured/h200/ptx/kernels.csv).
 *
 * Each fills its arrays from the threads' numbers, meets at a barrier, and repeats its work; a
 * value of each thread is stored at the end so that the compiler leaves all of it in. Every warp
 * notes the clock as it begins and ends; the time is from the first beginning to the last end, the
 * least of some runs.
 *
 *     nvcc -O3 -arch=sm_90 -std=c++17 -o ptx_kernels ptx_kernels.cu && ./ptx_kernels
 *     nvcc -O3 -arch=sm_90 -std=c++17 -ptx -o kernels.ptx ptx_kernels.cu
 */
#include <cuda_fp16.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { RUNS = 9, MOST_WARPS = 32 };

#define TID threadIdx.x

struct clocks {
    long long begin[MOST_WARPS], end[MOST_WARPS];
};

__device__ static void begin(clocks *c)
{
    if (TID % 32 == 0) {
        c->begin[TID / 32] = clock64();
    }
    __syncthreads();
}

__device__ static void end(clocks *c, float value, float *out)
{
    if (TID % 32 == 0) {
        c->end[TID / 32] = clock64();
    }
    out[TID] = value;
}

#define KERNEL(name) extern "C" __global__ void name(float *out, clocks *c, int rounds)

/* ---- transposes ------------------------------------------------------------------------------ */

/* Blocks of 32 x ROWS threads turn a tile of 32 x 32 into another one. */
template <int PITCH, int ROWS> __device__ static void transpose(float *out, clocks *c, int rounds)
{
    __shared__ float a[32 * PITCH], b[32 * PITCH];
    int x = TID % 32, y = TID / 32;
    for (int i = y; i < 32; i += ROWS) {
        a[i * PITCH + x] = (float)(i * 32 + x);
    }
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int i = 0; i < 32; i += ROWS) {
            b[(y + i) * PITCH + x] = a[x * PITCH + y + i];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i += ROWS) {
            a[(y + i) * PITCH + x] = b[x * PITCH + y + i] + 1;
        }
        __syncthreads();
    }
    end(c, a[y * PITCH + x], out);
}

KERNEL(transpose_8) { transpose<32, 8>(out, c, rounds); }
KERNEL(transpose_padded_8) { transpose<33, 8>(out, c, rounds); }
KERNEL(transpose_32) { transpose<32, 32>(out, c, rounds); }
KERNEL(transpose_padded_32) { transpose<33, 32>(out, c, rounds); }

/* ---- sums ------------------------------------------------------------------------------------ */

KERNEL(sum_interleaved)
{
    __shared__ float s[512];
    float sum = 0;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        s[TID] = (float)TID + sum;
        __syncthreads();
        for (int stride = 1; stride < 512; stride *= 2) {
            int i = 2 * stride * TID;
            if (i < 512) {
                s[i] += s[i + stride];
            }
            __syncthreads();
        }
        sum = s[0];
        __syncthreads();
    }
    end(c, sum, out);
}

KERNEL(sum_sequential)
{
    __shared__ float s[512];
    float sum = 0;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        s[TID] = (float)TID + sum;
        __syncthreads();
        for (int stride = 256; stride > 0; stride /= 2) {
            if (TID < stride) {
                s[TID] += s[TID + stride];
            }
            __syncthreads();
        }
        sum = s[0];
        __syncthreads();
    }
    end(c, sum, out);
}

KERNEL(sum_shuffles)
{
    __shared__ float s[32];
    float sum = 0;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        float x = (float)TID + sum;
        for (int d = 16; d > 0; d /= 2) {
            x += __shfl_down_sync(0xffffffff, x, d);
        }
        if (TID % 32 == 0) {
            s[TID / 32] = x;
        }
        __syncthreads();
        if (TID < 32) {
            x = s[TID];
            for (int d = 16; d > 0; d /= 2) {
                x += __shfl_down_sync(0xffffffff, x, d);
            }
            s[TID] = x;
        }
        __syncthreads();
        sum = s[0];
        __syncthreads();
    }
    end(c, sum, out);
}

/* One thread adds up what all have. */
KERNEL(sum_serial)
{
    __shared__ float s[128];
    float sum = 0;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        s[TID] = (float)TID + sum;
        __syncthreads();
        if (TID == 0) {
            float x = 0;
#pragma unroll 1
            for (int i = 0; i < 128; i++) {
                x += s[i];
            }
            s[0] = x;
        }
        __syncthreads();
        sum = s[0];
        __syncthreads();
    }
    end(c, sum, out);
}

/* ---- scans ----------------------------------------------------------------------------------- */

KERNEL(scan_two_buffers)
{
    __shared__ int s[2][256];
    int from = 0;
    s[0][TID] = TID % 7;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        for (int d = 1; d < 256; d *= 2) {
            int x = s[from][TID];
            s[1 - from][TID] = TID >= d ? x + s[from][TID - d] : x;
            from = 1 - from;
            __syncthreads();
        }
    }
    end(c, (float)s[from][TID], out);
}

template <bool PADDED> __device__ static void scan_tree(float *out, clocks *c, int rounds)
{
    __shared__ int s[1024 + 32];
    auto at = [](int i) { return PADDED ? i + (i >> 5) : i; };
    s[at(2 * TID)] = 1;
    s[at(2 * TID + 1)] = TID % 5;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        int offset = 1;
        for (int d = 512; d > 0; d /= 2, offset *= 2) {
            __syncthreads();
            if (TID < d) {
                s[at(offset * (2 * TID + 2) - 1)] += s[at(offset * (2 * TID + 1) - 1)];
            }
        }
        if (TID == 0) {
            s[at(1023)] = 0;
        }
        for (int d = 1; d < 1024; d *= 2) {
            offset /= 2;
            __syncthreads();
            if (TID < d) {
                int i = at(offset * (2 * TID + 1) - 1), k = at(offset * (2 * TID + 2) - 1);
                int x = s[i];
                s[i] = s[k];
                s[k] += x;
            }
        }
        __syncthreads();
    }
    end(c, (float)s[TID], out);
}

KERNEL(scan_tree_flat) { scan_tree<false>(out, c, rounds); }
KERNEL(scan_tree_padded) { scan_tree<true>(out, c, rounds); }

/* ---- products -------------------------------------------------------------------------------- */

/* Each of 16 x 16 threads has a number of a tile's product. */
KERNEL(product_16)
{
    __shared__ float a[16][16], b[16][16];
    int x = TID % 16, y = TID / 16;
    float sum = 0;
    a[y][x] = (float)x;
    b[y][x] = (float)y;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 16; k++) {
            sum += a[y][k] * b[k][x];
        }
        __syncthreads();
    }
    end(c, sum, out);
}

KERNEL(product_32)
{
    __shared__ float a[32][32], b[32][32];
    int x = TID % 32, y = TID / 32;
    float sum = 0;
    a[y][x] = (float)x;
    b[y][x] = (float)y;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 32; k++) {
            sum += a[y][k] * b[k][x];
        }
        __syncthreads();
    }
    end(c, sum, out);
}

/* M x M numbers a thread, of tiles 8 deep: a is kept by columns. */
template <int M, int THREADS> __device__ static void product(float *out, clocks *c, int rounds)
{
    constexpr int SIDE = M * 16;
    __shared__ __align__(16) float a[8][SIDE], b[8][SIDE];
    int x = TID % 16, y = TID / 16;
    for (int i = TID; i < 8 * SIDE; i += THREADS) {
        a[i / SIDE][i % SIDE] = (float)(i % 13);
        b[i / SIDE][i % SIDE] = (float)(i % 11);
    }
    float sum[M][M] = {};
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float left[M], right[M];
#pragma unroll
            for (int i = 0; i < M; i += 4) {
                *(float4 *)&left[i] = *(float4 *)&a[k][y * M + i];
                *(float4 *)&right[i] = *(float4 *)&b[k][x * M + i];
            }
#pragma unroll
            for (int i = 0; i < M; i++) {
#pragma unroll
                for (int j = 0; j < M; j++) {
                    sum[i][j] += left[i] * right[j];
                }
            }
        }
        __syncthreads();
    }
    float all = 0;
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < M; j++) {
            all += sum[i][j];
        }
    }
    end(c, all, out);
}

KERNEL(product_4_each) { product<4, 256>(out, c, rounds); }
KERNEL(product_8_each) { product<8, 256>(out, c, rounds); }

KERNEL(product_double)
{
    __shared__ double a[16][16], b[16][16];
    int x = TID % 16, y = TID / 16;
    double sum = 0;
    a[y][x] = x;
    b[y][x] = y;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 16; k++) {
            sum += a[y][k] * b[k][x];
        }
        __syncthreads();
    }
    end(c, (float)sum, out);
}

KERNEL(product_halves)
{
    __shared__ __half2 a[16][16], b[16][16];
    int x = TID % 16, y = TID / 16;
    __half2 sum = __float2half2_rn(0);
    a[y][x] = __float2half2_rn((float)x);
    b[y][x] = __float2half2_rn((float)y);
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 16; k++) {
            sum = __hfma2(a[y][k], b[k][x], sum);
        }
        __syncthreads();
    }
    end(c, __low2float(sum), out);
}

/* A row of 64 x 64 a thread, by a vector. */
KERNEL(matrix_vector)
{
    __shared__ float m[64 * 65], v[64];
    for (int i = TID; i < 64 * 65; i += 64) {
        m[i] = (float)(i % 17);
    }
    v[TID] = 1;
    begin(c);
    float sum = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        sum = 0;
#pragma unroll 8
        for (int k = 0; k < 64; k++) {
            sum += m[TID * 65 + k] * v[k];
        }
        __syncthreads();
        v[TID] = sum * 0x1p-10f;
        __syncthreads();
    }
    end(c, sum, out);
}

/* ---- neighbours ------------------------------------------------------------------------------ */

KERNEL(stencil_line)
{
    __shared__ float s[2][256 + 8];
    int from = 0;
    s[0][TID + 4] = s[1][TID + 4] = (float)TID;
    if (TID < 8) {
        int i = TID < 4 ? TID : 256 + TID;
        s[0][i] = s[1][i] = 0;
    }
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        float sum = 0.2f * s[from][TID + 4];
#pragma unroll
        for (int i = 1; i <= 4; i++) {
            sum += 0.1f * i * (s[from][TID + 4 - i] + s[from][TID + 4 + i]);
        }
        s[1 - from][TID + 4] = sum;
        from = 1 - from;
        __syncthreads();
    }
    end(c, s[from][TID + 4], out);
}

KERNEL(stencil_plane)
{
    __shared__ float s[2][18][34];
    int x = TID % 32 + 1, y = TID / 32 + 1, from = 0;
    for (int i = TID; i < 2 * 18 * 34; i += 512) {
        (&s[0][0][0])[i] = (float)(i % 9);
    }
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        float sum = s[from][y][x] * 0.5f + 0.125f * (s[from][y - 1][x] + s[from][y + 1][x] +
                                                     s[from][y][x - 1] + s[from][y][x + 1]);
        s[1 - from][y][x] = sum;
        from = 1 - from;
        __syncthreads();
    }
    end(c, s[from][y][x], out);
}

KERNEL(convolution_5)
{
    __shared__ float s[20][36], w[25];
    int x = TID % 32, y = TID / 32;
    for (int i = TID; i < 20 * 36; i += 512) {
        (&s[0][0])[i] = (float)(i % 9);
    }
    if (TID < 25) {
        w[TID] = 0.04f;
    }
    begin(c);
    float sum = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        sum = 0;
#pragma unroll
        for (int i = 0; i < 5; i++) {
#pragma unroll
            for (int j = 0; j < 5; j++) {
                sum += s[y + i][x + j] * w[i * 5 + j];
            }
        }
        __syncthreads();
        s[y + 2][x + 2] = sum;
        __syncthreads();
    }
    end(c, sum, out);
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Bodies attract each other: a reciprocal root for each pair. */
KERNEL(bodies)
{
    __shared__ float4 s[128];
    float4 me = make_float4((float)(TID % 7), (float)(TID % 11), (float)(TID % 13), 1);
    float fx = 0, fy = 0, fz = 0;
    s[TID] = me;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
#pragma unroll 4
        for (int i = 0; i < 128; i++) {
            float4 o = s[i];
            float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
            float d = dx * dx + dy * dy + dz * dz + 0.01f, inverse = rsqrtf(d);
            float f = o.w * inverse * inverse * inverse;
            fx += dx * f;
            fy += dy * f;
            fz += dz * f;
        }
        __syncthreads();
        s[TID].x += fx * 0x1p-20f;
        __syncthreads();
    }
    end(c, fx + fy + fz, out);
}

KERNEL(softmax_rows)
{
    __shared__ float s[128 * 33];
    float *row = s + TID * 33;
    for (int i = 0; i < 32; i++) {
        row[i] = (float)((TID + i) % 5);
    }
    begin(c);
    float sum = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        float most = row[0];
#pragma unroll 8
        for (int i = 1; i < 32; i++) {
            most = fmaxf(most, row[i]);
        }
        sum = 0;
#pragma unroll 8
        for (int i = 0; i < 32; i++) {
            sum += row[i] = __expf(row[i] - most);
        }
        float inverse = __fdividef(1, sum);
#pragma unroll 8
        for (int i = 0; i < 32; i++) {
            row[i] *= inverse;
        }
    }
    end(c, sum, out);
}

KERNEL(waves)
{
    __shared__ float s[256];
    s[TID] = (float)TID * 0.01f;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        float x = s[(TID + 1) % 256];
        x = __sinf(x) * __cosf(x) + 0.5f;
        __syncthreads();
        s[TID] = x;
        __syncthreads();
    }
    end(c, s[TID], out);
}

/* Divisions and roots to the last bit. */
KERNEL(divisions)
{
    __shared__ float s[128];
    s[TID] = (float)TID + 1;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        float x = s[TID ^ 1], y = s[TID];
        __syncthreads();
        s[TID] = sqrtf(x / y + 1);
        __syncthreads();
    }
    end(c, s[TID], out);
}

KERNEL(remainders)
{
    __shared__ int s[128];
    s[TID] = (int)TID * 977 + 1;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        int x = s[TID ^ 1], y = s[TID];
        __syncthreads();
        s[TID] = x % (y | 1) + y / ((x & 15) + 1) + 12345;
        __syncthreads();
    }
    end(c, (float)s[TID], out);
}

/* A transform of 512 numbers: each of 256 threads does a butterfly in each of 9 steps. */
KERNEL(fourier)
{
    __shared__ float re[512], im[512];
    re[TID] = (float)TID;
    re[TID + 256] = 1;
    im[TID] = im[TID + 256] = 0;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int half = 1; half < 512; half *= 2) {
            int k = TID % half, i = (TID - k) * 2 + k, j = i + half;
            float angle = -3.14159265f * k / half, wr = __cosf(angle), wi = __sinf(angle);
            float xr = re[j] * wr - im[j] * wi, xi = re[j] * wi + im[j] * wr, ar = re[i],
                  ai = im[i];
            re[i] = (ar + xr) * 0.7f;
            im[i] = (ai + xi) * 0.7f;
            re[j] = (ar - xr) * 0.7f;
            im[j] = (ai - xi) * 0.7f;
            __syncthreads();
        }
    }
    end(c, re[TID] + im[TID], out);
}

/* ---- whole numbers --------------------------------------------------------------------------- */

template <bool PRIVATE> __device__ static void histogram(float *out, clocks *c, int rounds)
{
    __shared__ unsigned s[8][64];
    unsigned x = TID * 2654435761u, *mine = s[PRIVATE ? TID / 32 : 0];
    for (int i = TID; i < 8 * 64; i += 256) {
        (&s[0][0])[i] = 0;
    }
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        x = x * 1664525u + 1013904223u;
        atomicAdd(&mine[x >> 26], 1u);
    }
    __syncthreads();
    end(c, (float)(s[0][TID % 64] + s[7][TID % 64]), out);
}

KERNEL(histogram_of_block) { histogram<false>(out, c, rounds); }
KERNEL(histogram_of_warps) { histogram<true>(out, c, rounds); }

KERNEL(sort_bitonic)
{
    __shared__ unsigned s[512];
    s[TID] = TID * 2654435761u;
    s[TID + 256] = TID * 40503u + 7;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        for (unsigned size = 2; size <= 512; size *= 2) {
            for (unsigned stride = size / 2; stride > 0; stride /= 2) {
                __syncthreads();
                unsigned i = 2 * TID - (TID & (stride - 1)), up = (TID & (size / 2)) == 0;
                unsigned a = s[i], b = s[i + stride];
                if ((a > b) == up) {
                    s[i] = b;
                    s[i + stride] = a;
                }
            }
        }
        __syncthreads();
        s[TID] ^= 0x55555555;
    }
    end(c, (float)s[TID], out);
}

/* Each lane follows a list of its own. */
KERNEL(lists)
{
    __shared__ int s[1024];
    for (int i = TID; i < 1024; i += 64) {
        s[i] = (i * 5 + 17) % 1024;
    }
    begin(c);
    int at = TID;
#pragma unroll 4
    for (int r = 0; r < rounds * 8; r++) {
        at = s[at];
    }
    end(c, (float)at, out);
}

/* Bytes: how often each letter comes in what a thread reads. */
KERNEL(bytes)
{
    __shared__ unsigned char s[4096];
    for (int i = TID; i < 4096; i += 128) {
        s[i] = (unsigned char)(i * 7);
    }
    begin(c);
    int n = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
#pragma unroll 8
        for (int i = 0; i < 32; i++) {
            n += s[(TID * 32 + i + r) % 4096] == 49;
        }
    }
    end(c, (float)n, out);
}

KERNEL(hashes)
{
    __shared__ unsigned s[256];
    s[TID] = TID;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        unsigned h = s[(TID * 31 + r) % 256];
        h = (h ^ h >> 16) * 0x7feb352d;
        h = (h ^ h >> 15) * 0x846ca68b;
        h ^= h >> 16;
        __syncthreads();
        s[TID] = h + __popc(h) + __clz(h | 1);
        __syncthreads();
    }
    end(c, (float)s[TID], out);
}

KERNEL(wide_products)
{
    __shared__ unsigned long long s[128];
    s[TID] = TID * 0x9e3779b97f4a7c15ull;
    begin(c);
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        unsigned long long x = s[TID ^ 5];
        x = x * 6364136223846793005ull + 1442695040888963407ull;
        x ^= x >> 33;
        __syncthreads();
        s[TID] = x + __umul64hi(x, 0xd1342543de82ef95ull);
        __syncthreads();
    }
    end(c, (float)s[TID], out);
}

KERNEL(votes)
{
    __shared__ unsigned s[32];
    s[TID % 32] = TID;
    begin(c);
    unsigned n = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        unsigned yes = __ballot_sync(0xffffffff, (s[(TID + r) % 32] + n) & 1);
        n += __popc(yes);
        s[TID % 32] = n;
    }
    end(c, (float)n, out);
}

/* ---- running --------------------------------------------------------------------------------- */

static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
        std::exit(1);
    }
}

struct run {
    const char *name;
    void (*kernel)(float *, clocks *, int);
    int threads, rounds;
};

#define RUN(name, threads, rounds) {#name, name, threads, rounds}

static const run runs[] = {
    RUN(transpose_8, 256, 64),         RUN(transpose_padded_8, 256, 64),
    RUN(transpose_32, 1024, 32),       RUN(transpose_padded_32, 1024, 32),
    RUN(sum_interleaved, 512, 32),     RUN(sum_sequential, 512, 32),
    RUN(sum_shuffles, 1024, 64),       RUN(sum_serial, 128, 8),
    RUN(scan_two_buffers, 256, 32),    RUN(scan_tree_flat, 512, 16),
    RUN(scan_tree_padded, 512, 16),    RUN(product_16, 256, 64),
    RUN(product_32, 1024, 16),         RUN(product_4_each, 256, 64),
    RUN(product_8_each, 256, 32),      RUN(product_double, 256, 32),
    RUN(product_halves, 256, 64),      RUN(matrix_vector, 64, 32),
    RUN(stencil_line, 256, 64),        RUN(stencil_plane, 512, 64),
    RUN(convolution_5, 512, 32),       RUN(bodies, 128, 8),
    RUN(softmax_rows, 128, 16),        RUN(waves, 256, 64),
    RUN(divisions, 128, 64),           RUN(remainders, 128, 64),
    RUN(fourier, 256, 16),             RUN(histogram_of_block, 256, 128),
    RUN(histogram_of_warps, 256, 128), RUN(sort_bitonic, 256, 8),
    RUN(lists, 64, 32),                RUN(bytes, 128, 32),
    RUN(hashes, 256, 64),              RUN(wide_products, 128, 64),
    RUN(votes, 32, 128),
};

static long long time_once(const run &r, float *out, clocks *c)
{
    r.kernel<<<1, r.threads>>>(out, c, r.rounds);
    check(cudaDeviceSynchronize(), r.name);
    clocks got;
    check(cudaMemcpy(&got, c, sizeof got, cudaMemcpyDeviceToHost), r.name);
    int warps = r.threads / 32;
    return *std::max_element(got.end, got.end + warps) -
           *std::min_element(got.begin, got.begin + warps);
}

int main(void)
{
    float *out;
    clocks *c;
    check(cudaMalloc(&out, 1024 * sizeof *out), "memory");
    check(cudaMalloc(&c, sizeof *c), "memory");
    std::printf("kernel,threads,rounds,cycles,cycles_of_half\n");
    for (const run &r : runs) {
        run half = {r.name, r.kernel, r.threads, r.rounds / 2};
        long long whole = 0, least = 0;
        for (int i = 0; i < RUNS; i++) {
            long long a = time_once(r, out, c), b = time_once(half, out, c);
            whole = i == 0 ? a : std::min(whole, a);
            least = i == 0 ? b : std::min(least, b);
        }
        std::printf("%s,%d,%d,%lld,%lld\n", r.name, r.threads, r.rounds, whole, least);
    }
    return 0;
}
