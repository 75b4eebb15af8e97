#include "../../../h100/verdicts/verdict.cuh"

// 64 x 64 of a product by panels of 16, A's stored turned; of each of 256 threads 4 x 4: rows of A's panel of 64, or of 68 (four ways, or two).
template <int PITCH> __device__ float stage(int rounds)
{
    __shared__ __align__(16) float a[16 * PITCH], b[16 * 64];
    int t = threadIdx.x, tx = t % 16, ty = t / 16;
    float next[4], sum[4][4] = {};
    float4 other = make_float4(0.1f, 0.2f + 0.01f * tx, 0.3f - 0.01f * ty, 0.4f);
    for (int j = 0; j < 4; j++) next[j] = ((t * 7 + j * 3) & 15) * 0.05f - 0.3f;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int j = 0; j < 4; j++) a[(t % 4 * 4 + j) * PITCH + t / 4] = next[j];
        *(float4 *)&b[ty * 64 + tx * 4] = other;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float4 row = *(const float4 *)&a[k * PITCH + ty * 4], column = *(const float4 *)&b[k * 64 + tx * 4];
            float of_a[4] = {row.x, row.y, row.z, row.w}, of_b[4] = {column.x, column.y, column.z, column.w};
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) sum[i][j] += of_a[i] * of_b[j];
        }
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 4; j++) next[j] = 0.1f * ((r + j) & 3) - 0.9f * next[j];
        other.x = 0.2f * (r & 1) - 0.8f * other.x;
        other.z = 0.1f - 0.8f * other.z;
    }
    float all = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) all += sum[i][j] * (1.0f + i + 4 * j);
    return all;
}
PAIR(stage, 64, 68, 256)

__device__ inline void mma_tf32(float (&d)[4], const float (&a)[4], const float (&b)[2])
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])), "r"(__float_as_uint(a[3])),
                   "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
}

// Layers of 64 x 32 by 32 x 32 on tensor cores (tf32), fragments loaded by hand, 16 rows a warp: rows of 32, or of 36.
template <int PITCH> __device__ float tensor(int rounds)
{
    __shared__ __align__(16) float value[64 * PITCH], weight[32 * PITCH];
    int t = threadIdx.x, lane = t % 32, group = lane / 4, four = lane % 4;
    float *own = value + t / 32 * 16 * PITCH;
    for (int i = t; i < 64 * 32; i += 128) value[i / 32 * PITCH + i % 32] = ((i * 7) & 63) * 0.03f - 0.9f;
    for (int i = t; i < 32 * 32; i += 128) weight[i / 32 * PITCH + i % 32] = ((i * 11 + i / 32 * 5) & 31) * 0.02f - 0.3f;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        float d[4][4] = {};
#pragma unroll
        for (int k = 0; k < 32; k += 8) {
            float a[4], b[2];
            a[0] = own[group * PITCH + k + four];
            a[1] = own[(group + 8) * PITCH + k + four];
            a[2] = own[group * PITCH + k + four + 4];
            a[3] = own[(group + 8) * PITCH + k + four + 4];
#pragma unroll
            for (int n = 0; n < 4; n++) {
                b[0] = weight[(n * 8 + group) * PITCH + k + four];
                b[1] = weight[(n * 8 + group) * PITCH + k + four + 4];
                mma_tf32(d[n], a, b);
            }
        }
        __syncwarp();
#pragma unroll
        for (int n = 0; n < 4; n++) {
            float v[4];
#pragma unroll
            for (int i = 0; i < 4; i++) v[i] = d[n][i] > 0.0f ? fminf(d[n][i], 1.0f) : 0.1f * d[n][i] + 0.05f;
            *(float2 *)&own[group * PITCH + n * 8 + four * 2] = make_float2(v[0], v[1]);
            *(float2 *)&own[(group + 8) * PITCH + n * 8 + four * 2] = make_float2(v[2], v[3]);
        }
        __syncwarp();
    }
    return own[lane / 2 * PITCH + lane] + own[(lane & 15) * PITCH + 3];
}
PAIR(tensor, 32, 36, 128)

// Gram-Schmidt (modified) on 32 x 16 of each of four warps, a row a lane, the dots by shuffles: rows of 16, or of 17.
template <int PITCH> __device__ float schmidt(int rounds)
{
    __shared__ float matrices[4 * 32 * PITCH];
    int lane = threadIdx.x % 32;
    float *row = matrices + threadIdx.x * PITCH, sum = 0;
    for (int j = 0; j < 16; j++) row[j] = ((lane * 3 + j * j * 5) & 31) * 0.05f - 0.7f + (lane == j ? 1.0f : 0.0f);
    for (int r = 0; r < rounds; r++) {
        for (int j = 0; j < 16; j++) row[j] += ((lane * 5 + j * 3 + r * 7) & 15) * 0.03f - 0.2f;
#pragma unroll 1
        for (int j = 0; j < 16; j++) {
            float v = row[j], square = v * v;
#pragma unroll
            for (int d = 16; d > 0; d /= 2) square += __shfl_xor_sync(~0u, square, d);
            v *= rsqrtf(square);
            row[j] = v;
#pragma unroll 1
            for (int k = j + 1; k < 16; k++) {
                float w = row[k], dot = v * w;
#pragma unroll
                for (int d = 16; d > 0; d /= 2) dot += __shfl_xor_sync(~0u, dot, d);
                row[k] = w - dot * v;
            }
            sum += square;
        }
    }
    return sum + row[3];
}
PAIR(schmidt, 16, 17, 128)

// Conjugate gradients on a dense 32 x 32 of each of four warps, a row a lane: rows of 32, or of 33.
template <int PITCH> __device__ float conjugate(int rounds)
{
    extern __shared__ float systems[];
    int t = threadIdx.x, lane = t % 32;
    const float *row = systems + t * PITCH;
    float *place = systems + 128 * PITCH + t / 32 * 32;
    for (int k = 0; k < 32; k++) systems[t * PITCH + k] = k == lane ? 3.0f + 0.1f * (lane & 7) : 0.9f / (1 + abs(k - lane)) * ((k + lane) & 1 ? 1.0f : -0.5f);
    __syncwarp();
    float x = 0;
    for (int r = 0; r < rounds; r++) {
        float left = 1.0f + 0.1f * ((lane + r) & 7) - 0.2f * x, p = left, square = left * left;
        x = 0;
#pragma unroll
        for (int d = 16; d > 0; d /= 2) square += __shfl_xor_sync(~0u, square, d);
#pragma unroll 1
        for (int step = 0; step < 6; step++) {
            place[lane] = p;
            __syncwarp();
            float q = 0;
#pragma unroll 1
            for (int k = 0; k < 32; k++) q += row[k] * place[k];
            __syncwarp();
            float dot = p * q;
#pragma unroll
            for (int d = 16; d > 0; d /= 2) dot += __shfl_xor_sync(~0u, dot, d);
            float far = square / (dot + 1e-20f), now;
            x += far * p;
            left -= far * q;
            now = left * left;
#pragma unroll
            for (int d = 16; d > 0; d /= 2) now += __shfl_xor_sync(~0u, now, d);
            p = left + now / (square + 1e-20f) * p;
            square = now;
        }
    }
    return x;
}
PAIR(conjugate, 32, 33, 128)

// Block-tridiagonal systems of eight blocks of 2 x 2, one of each thread: rows of 48, or of 49.
template <int PITCH> __device__ float blocktri(int rounds)
{
    extern __shared__ float blocks[];
    int t = threadIdx.x;
    float *upper = blocks + t * PITCH, *right = upper + 32;
#pragma unroll 1
    for (int i = 0; i < 16; i++) right[i] = ((t * 3 + i * 5) & 15) * 0.1f;
    for (int r = 0; r < rounds; r++) {
        float c[4] = {}, d[2] = {};
#pragma unroll 1
        for (int i = 0; i < 8; i++) {
            float own = 4.0f + 0.1f * ((t + i + r) & 7), low = -0.8f - 0.02f * i;
            float a = own - low * c[0], b = 0.5f - low * c[1], e = -0.5f - low * c[2], f = own + 0.3f - low * c[3];
            float over = 1.0f / (a * f - b * e), u = right[i] + 0.5f - low * d[0], v = right[i + 8] - 0.25f - low * d[1];
            c[0] = -over * f;
            c[1] = over * (b - 0.2f * f);
            c[2] = over * e;
            c[3] = over * (0.2f * e - a);
            d[0] = over * (f * u - b * v);
            d[1] = over * (a * v - e * u);
#pragma unroll
            for (int k = 0; k < 4; k++) upper[k * 8 + i] = c[k];
            right[i] = d[0];
            right[i + 8] = d[1];
        }
#pragma unroll 1
        for (int i = 6; i >= 0; i--) {
            float x = right[i] - upper[i] * d[0] - upper[i + 8] * d[1];
            float y = right[i + 8] - upper[i + 16] * d[0] - upper[i + 24] * d[1];
            right[i] = d[0] = x;
            right[i + 8] = d[1] = y;
        }
    }
    return right[0] + right[7] + right[15];
}
PAIR(blocktri, 48, 49, 64)

// Sinkhorn's scaling of 128 x 64, rows, two of each of 64 threads, by turns with columns, one of each: rows of 64, or of 65.
template <int PITCH> __device__ float sinkhorn(int rounds)
{
    extern __shared__ float kernels[];
    float *of_row = kernels + 128 * PITCH, *of_column = of_row + 128;
    int t = threadIdx.x;
    for (int i = 0; i < 128; i++) kernels[i * PITCH + t] = __expf(-0.01f * ((i - t) * (i - t) & 255));
    of_column[t] = 1.0f;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        float sum = 0, second = 0;
#pragma unroll 1
        for (int j = 0; j < 64; j++) {
            sum += kernels[t * PITCH + j] * of_column[j];
            second += kernels[(t + 64) * PITCH + j] * of_column[j];
        }
        of_row[t] = (1.0f + 0.1f * ((t + r) & 3)) / sum;
        of_row[t + 64] = (1.2f - 0.1f * ((t + r) & 3)) / second;
        __syncthreads();
        sum = 0;
#pragma unroll 4
        for (int i = 0; i < 128; i++) sum += kernels[i * PITCH + t] * of_row[i];
        of_column[t] = (1.0f + 0.1f * (t & 3)) / sum;
        __syncthreads();
    }
    return of_row[t] + of_column[t];
}
PAIR(sinkhorn, 64, 65, 64)
