/* cycles.cu - kernels as courses and libraries have them, whose loops stay loops; above each a launch, of which the
 * cycles are held to those of nvcc's PTX (test_cuda_cycles).
 *
 *     nvcc 13.0.88, 2026-11-27: nvcc -arch=compute_90 -ptx -o cycles.ptx cycles.cu
 */
#include <cuda_fp16.h>
#define T 16
/* tiled<<<dim3(4,4), dim3(16,16)>>>(float[4096] = random(1), float[4096] = random(2), float[4096], 64) */
__global__ void tiled(const float *a, const float *b, float *c, int width)
{
    __shared__ float as[T][T], bs[T][T];
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int row = by * T + ty, col = bx * T + tx;
    float sum = 0;
    for (int m = 0; m < width / T; ++m) {
        as[ty][tx] = a[row * width + m * T + tx];
        bs[ty][tx] = b[(m * T + ty) * width + col];
        __syncthreads();
        for (int k = 0; k < T; ++k) {
            sum += as[ty][k] * bs[k][tx];
        }
        __syncthreads();
    }
    c[row * width + col] = sum;
}
/* guarded<<<dim3(4,4), dim3(16,16)>>>(float[3600] = random(1), float[3600] = random(2), float[3600], 60, 60, 60) */
__global__ void guarded(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float as[T][T], bs[T][T];
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < (k + T - 1) / T; t++) {
        if (row < m && t * T + threadIdx.x < k)
            as[threadIdx.y][threadIdx.x] = a[row * k + t * T + threadIdx.x];
        else
            as[threadIdx.y][threadIdx.x] = 0.0f;
        if (col < n && t * T + threadIdx.y < k)
            bs[threadIdx.y][threadIdx.x] = b[(t * T + threadIdx.y) * n + col];
        else
            bs[threadIdx.y][threadIdx.x] = 0.0f;
        __syncthreads();
        for (int i = 0; i < T; i++)
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
/* dynamic<<<dim3(2,2), dim3(32,32)>>>(int[4096] = iota, int[4096] = iota, int[4096], 64) */
__global__ void dynamic(const int *a, const int *b, int *c, int N)
{
    __shared__ int s_a[1024], s_b[1024];
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    int tmp = 0;
    for (int i = 0; i < N; i += blockDim.x) {
        s_a[threadIdx.y * blockDim.x + threadIdx.x] = a[row * N + i + threadIdx.x];
        s_b[threadIdx.y * blockDim.x + threadIdx.x] = b[i * N + threadIdx.y * N + col];
        __syncthreads();
        for (int j = 0; j < blockDim.x; j++) {
            tmp += s_a[threadIdx.y * blockDim.x + j] * s_b[j * blockDim.x + threadIdx.x];
        }
        __syncthreads();
    }
    c[row * N + col] = tmp;
}
/* sdk<16><<<dim3(4,4), dim3(16,16)>>>(float[4096], float[4096] = random(1), float[4096] = random(2), 64, 64) */
template <int BLOCK_SIZE> __global__ void sdk(float *C, float *A, float *B, int wA, int wB)
{
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int aBegin = wA * BLOCK_SIZE * by, aEnd = aBegin + wA - 1, aStep = BLOCK_SIZE;
    int bBegin = BLOCK_SIZE * bx, bStep = BLOCK_SIZE * wB;
    float Csub = 0;
    for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
        __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
        __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
        As[ty][tx] = A[a + wA * ty + tx];
        Bs[ty][tx] = B[b + wB * ty + tx];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BLOCK_SIZE; ++k)
            Csub += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    int c = wB * BLOCK_SIZE * by + BLOCK_SIZE * bx;
    C[c + wB * ty + tx] = Csub;
}
template __global__ void sdk<16>(float *, float *, float *, int, int);
/* coarse<<<dim3(2,2), dim3(8,8)>>>(float[4096] = random(1), float[4096] = random(2), float[4096], 64) */
__global__ void coarse(const float *A, const float *B, float *C, int K)
{
    __shared__ float As[8][32], Bs[8][32];
    int t = threadIdx.y * 8 + threadIdx.x;
    float acc[4][4] = {};
    for (int k0 = 0; k0 < K; k0 += 8) {
        for (int i = 0; i < 4; i++) {
            int e = t + 64 * i;
            As[e % 8][e / 8] = A[(blockIdx.y * 32 + e / 8) * K + k0 + e % 8];
            Bs[e / 32][e % 32] = B[(k0 + e / 32) * K + blockIdx.x * 32 + e % 32];
        }
        __syncthreads();
        for (int k = 0; k < 8; k++) {
            float a[4], b[4];
            for (int i = 0; i < 4; i++) {
                a[i] = As[k][threadIdx.y * 4 + i];
                b[i] = Bs[k][threadIdx.x * 4 + i];
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            C[(blockIdx.y * 32 + threadIdx.y * 4 + i) * K + blockIdx.x * 32 + threadIdx.x * 4 + j] = acc[i][j];
}
/* pointers<<<dim3(2,2), 256>>>(64, 64, 64, 1.0f, float[4096] = random(1), float[4096] = random(2), 0.0f, float[4096]) */
__global__ void pointers(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C)
{
    const int BM = 32, BN = 32, BK = 8, TM = 4;
    __shared__ float As[BM * BK], Bs[BK * BN];
    int threadCol = threadIdx.x % BN, threadRow = threadIdx.x / BN;
    A += blockIdx.y * BM * K;
    B += blockIdx.x * BN;
    C += blockIdx.y * BM * N + blockIdx.x * BN;
    int innerColA = threadIdx.x % BK, innerRowA = threadIdx.x / BK;
    int innerColB = threadIdx.x % BN, innerRowB = threadIdx.x / BN;
    float r[TM] = {0.0f};
    for (int bk = 0; bk < K; bk += BK) {
        As[innerRowA * BK + innerColA] = A[innerRowA * K + innerColA];
        Bs[innerRowB * BN + innerColB] = B[innerRowB * N + innerColB];
        __syncthreads();
        A += BK;
        B += BK * N;
        for (int d = 0; d < BK; ++d) {
            float tmp = Bs[d * BN + threadCol];
            for (int i = 0; i < TM; ++i)
                r[i] += As[(threadRow * TM + i) * BK + d] * tmp;
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        C[(threadRow * TM + i) * N + threadCol] = alpha * r[i] + beta * C[(threadRow * TM + i) * N + threadCol];
}
/* naive_rows<<<dim3(2,2), dim3(16,16)>>>(float[1024] = random(1), float[1024] = random(2), float[1024], 32) */
__global__ void naive_rows(const float *a, const float *b, float *c, int n)
{
    __shared__ float s[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    s[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    c[y * n + x] = s[threadIdx.x][threadIdx.y];
}
/* double_buffer<<<dim3(4,4), dim3(16,16)>>>(float[4096] = random(1), float[4096] = random(2), float[4096], 64) */
__global__ void double_buffer(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[2][T][T], bs[2][T][T];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    as[0][ty][tx] = a[row * n + tx];
    bs[0][ty][tx] = b[ty * n + col];
    __syncthreads();
    float sum = 0;
    int cur = 0;
    for (int m = 0; m < n; m += T) {
        int next = cur ^ 1;
        if (m + T < n) {
            as[next][ty][tx] = a[row * n + m + T + tx];
            bs[next][ty][tx] = b[(m + T + ty) * n + col];
        }
        for (int k = 0; k < T; k++)
            sum += as[cur][ty][k] * bs[cur][k][tx];
        __syncthreads();
        cur = next;
    }
    c[row * n + col] = sum;
}
/* batched<<<dim3(2,2,2), dim3(16,16)>>>(float[2048] = random(1), float[2048] = random(2), float[2048], 32, 32) */
__global__ void batched(const float *A, const float *B, float *C, int n, int k)
{
    __shared__ float as[T][T + 1], bs[T][T + 1];
    const float *a = A + blockIdx.z * n * k, *b = B + blockIdx.z * k * n;
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    float sum = 0;
    for (int p = 0; p < k; p += T) {
        as[threadIdx.y][threadIdx.x] = a[row * k + (p + threadIdx.x)];
        bs[threadIdx.y][threadIdx.x] = b[(p + threadIdx.y) * n + col];
        __syncthreads();
        for (int i = 0; i < T; i++)
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    C[blockIdx.z * n * n + row * n + col] = sum;
}
/* reduce_stride<<<4, 256>>>(float[8192] = random(1), float[4], 8192) */
__global__ void reduce_stride(const float *in, float *out, int n)
{
    __shared__ float s[256];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h >>= 1) {
        if (threadIdx.x < h)
            s[threadIdx.x] += s[threadIdx.x + h];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}
/* reduce_interleaved<<<4, 256>>>(int[1024] = iota, int[4]) */
__global__ void reduce_interleaved(const int *in, int *out)
{
    __shared__ int s[256];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    s[t] = in[i];
    __syncthreads();
    for (unsigned h = 1; h < blockDim.x; h *= 2) {
        int index = 2 * h * t;
        if (index < blockDim.x)
            s[index] += s[index + h];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
/* reduce_modulo<<<4, 256>>>(int[1024] = iota, int[4]) */
__global__ void reduce_modulo(const int *in, int *out)
{
    __shared__ int s[256];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    s[t] = in[i];
    __syncthreads();
    for (unsigned h = 1; h < blockDim.x; h *= 2) {
        if (t % (2 * h) == 0)
            s[t] += s[t + h];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}
/* histogram<<<4, 128>>>(unsigned char[4096] = random(3), int[256], 4096) */
__global__ void histogram(const unsigned char *data, int *bins, int n)
{
    __shared__ int h[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        h[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&h[data[i]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        atomicAdd(&bins[i], h[i]);
}
/* nbody<<<2, 64>>>(float4[128] = random(1), float4[128], 128, 0.01f) */
__global__ void nbody(const float4 *pos, float4 *acc, int n, float eps)
{
    __shared__ float4 tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 p = pos[i];
    float ax = 0, ay = 0, az = 0;
    for (int t = 0; t < n / 64; t++) {
        tile[threadIdx.x] = pos[t * 64 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; j++) {
            float dx = tile[j].x - p.x, dy = tile[j].y - p.y, dz = tile[j].z - p.z;
            float d2 = dx * dx + dy * dy + dz * dz + eps;
            float inv = rsqrtf(d2), inv3 = inv * inv * inv * tile[j].w;
            ax += dx * inv3;
            ay += dy * inv3;
            az += dz * inv3;
        }
        __syncthreads();
    }
    acc[i] = make_float4(ax, ay, az, 0);
}
/* stencil1d<<<4, 128>>>(float[528] = random(1), float[512]) */
#define R 8
__global__ void stencil1d(const float *in, float *out)
{
    __shared__ float t[128 + 2 * R];
    int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + R;
    t[l] = in[g + R];
    if (threadIdx.x < R) {
        t[l - R] = in[g];
        t[l + 128] = in[g + R + 128];
    }
    __syncthreads();
    float s = 0;
    for (int o = -R; o <= R; o++)
        s += t[l + o];
    out[g] = s;
}
/* stencil_radius<<<4, 128>>>(float[640] = random(1), float[512], 8) */
__global__ void stencil_radius(const float *in, float *out, int r)
{
    __shared__ float t[256];
    int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + r;
    t[l] = in[g + r];
    if (threadIdx.x < r) {
        t[l - r] = in[g];
        t[l + blockDim.x] = in[g + r + blockDim.x];
    }
    __syncthreads();
    float s = 0;
    for (int o = -r; o <= r; o++)
        s += t[l + o];
    out[g] = s;
}
/* conv2d<<<dim3(2,2), dim3(16,16)>>>(float[1600] = random(1), float[81] = random(2), float[1024], 32, 9) */
__global__ void conv2d(const float *in, const float *w, float *out, int width, int k)
{
    __shared__ float tile[24][24], ws[81];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    for (int i = t; i < k * k; i += 256)
        ws[i] = w[i];
    for (int i = t; i < 24 * 24; i += 256)
        tile[i / 24][i % 24] = in[(blockIdx.y * 16 + i / 24) * (width + 8) + blockIdx.x * 16 + i % 24];
    __syncthreads();
    float s = 0;
    for (int y = 0; y < k; y++)
        for (int x = 0; x < k; x++)
            s += tile[ty + y][tx + x] * ws[y * k + x];
    out[(blockIdx.y * 16 + ty) * width + blockIdx.x * 16 + tx] = s;
}
__constant__ float mask[32];
/* conv1d<<<4, 128>>>(float[512] = random(1), float[512], 512, 9) */
__global__ void conv1d(const float *in, float *out, int n, int width)
{
    __shared__ float s[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.x * blockDim.x;
    int next = (blockIdx.x + 1) * blockDim.x, start = i - width / 2;
    s[threadIdx.x] = in[i];
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < width; j++) {
        int at = start + j;
        if (at >= 0 && at < n) {
            if (at >= first && at < next)
                sum += s[threadIdx.x + j - width / 2] * mask[j];
            else
                sum += in[at] * mask[j];
        }
    }
    out[i] = sum;
}
/* transpose_rows<<<dim3(2,2), dim3(32,8)>>>(float[4096], float[4096] = iota, 64) */
__global__ void transpose_rows(float *out, const float *in, int n)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
/* transpose_any<<<dim3(2,2), dim3(32,8)>>>(float[4096], float[4096] = iota, 64, 64) */
__global__ void transpose_any(float *out, const float *in, int w, int h)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += blockDim.y)
        if (x < w && y + j < h)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += blockDim.y)
        if (x < h && y + j < w)
            out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
/* softmax<<<8, 128>>>(float[4096] = random(1), float[4096], 512) */
__global__ void softmax(const float *in, float *out, int cols)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    const float *x = in + blockIdx.x * cols;
    float *y = out + blockIdx.x * cols;
    float m = -1e30f;
    for (int i = t; i < cols; i += blockDim.x)
        m = fmaxf(m, x[i]);
    s[t] = m;
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h /= 2) {
        if (t < h)
            s[t] = fmaxf(s[t], s[t + h]);
        __syncthreads();
    }
    m = s[0];
    __syncthreads();
    float sum = 0;
    for (int i = t; i < cols; i += blockDim.x)
        sum += __expf(x[i] - m);
    s[t] = sum;
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h /= 2) {
        if (t < h)
            s[t] += s[t + h];
        __syncthreads();
    }
    sum = s[0];
    for (int i = t; i < cols; i += blockDim.x)
        y[i] = __expf(x[i] - m) / sum;
}
/* layernorm<<<8, 128>>>(float[4096] = random(1), float[512] = random(2), float[512] = random(3), float[4096], 512, 0.001f) */
__global__ void layernorm(const float *in, const float *g, const float *b, float *out, int n, float eps)
{
    __shared__ float s[32], q[32];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    float sum = 0, sq = 0;
    for (int i = t; i < n; i += blockDim.x) {
        float v = in[blockIdx.x * n + i];
        sum += v;
        sq += v * v;
    }
    for (int o = 16; o > 0; o >>= 1) {
        sum += __shfl_down_sync(0xffffffff, sum, o);
        sq += __shfl_down_sync(0xffffffff, sq, o);
    }
    if (lane == 0) {
        s[warp] = sum;
        q[warp] = sq;
    }
    __syncthreads();
    if (t == 0) {
        for (int w = 1; w < blockDim.x / 32; w++) {
            sum += s[w];
            sq += q[w];
        }
        s[0] = sum / n;
        q[0] = rsqrtf(sq / n - s[0] * s[0] + eps);
    }
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x)
        out[blockIdx.x * n + i] = (in[blockIdx.x * n + i] - s[0]) * q[0] * g[i] + b[i];
}
/* scan_hillis<<<4, 128>>>(int[512] = iota, int[512]) */
__global__ void scan_hillis(const int *in, int *out)
{
    __shared__ int s[2][128];
    int t = threadIdx.x, p = 0;
    s[0][t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (int o = 1; o < 128; o *= 2) {
        int q = 1 - p;
        s[q][t] = t >= o ? s[p][t] + s[p][t - o] : s[p][t];
        p = q;
        __syncthreads();
    }
    out[blockIdx.x * 128 + t] = s[p][t];
}
/* scan_blelloch<<<4, 128, 1024>>>(int[1024], int[1024] = iota, 256) */
__global__ void scan_blelloch(int *out, const int *in, int n)
{
    extern __shared__ int temp[];
    int t = threadIdx.x, offset = 1, base = blockIdx.x * n;
    temp[2 * t] = in[base + 2 * t];
    temp[2 * t + 1] = in[base + 2 * t + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (t == 0)
        temp[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
            int v = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += v;
        }
    }
    __syncthreads();
    out[base + 2 * t] = temp[2 * t];
    out[base + 2 * t + 1] = temp[2 * t + 1];
}
/* bitonic<<<2, 128>>>(int[512] = random(1), 256) */
__global__ void bitonic(int *data, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = data[blockIdx.x * 256 + t];
    s[t + 128] = data[blockIdx.x * 256 + t + 128];
    for (int size = 2; size <= n; size <<= 1) {
        for (int stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            int pos = 2 * t - (t & (stride - 1));
            bool up = ((pos & size) == 0);
            int a = s[pos], b = s[pos + stride];
            if ((a > b) == up) {
                s[pos] = b;
                s[pos + stride] = a;
            }
        }
    }
    __syncthreads();
    data[blockIdx.x * 256 + t] = s[t];
    data[blockIdx.x * 256 + t + 128] = s[t + 128];
}
/* dot<<<4, 256>>>(float[4096] = random(1), float[4096] = random(2), float[4], 4096) */
__global__ void dot(const float *a, const float *b, float *c, int n)
{
    __shared__ float cache[256];
    int tid = threadIdx.x + blockIdx.x * blockDim.x, ci = threadIdx.x;
    float temp = 0;
    while (tid < n) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[ci] = temp;
    __syncthreads();
    int i = blockDim.x / 2;
    while (i != 0) {
        if (ci < i)
            cache[ci] += cache[ci + i];
        __syncthreads();
        i /= 2;
    }
    if (ci == 0)
        c[blockIdx.x] = cache[0];
}
/* matvec<<<4, 64>>>(float[16384] = random(1), float[64] = random(2), float[256], 64) */
__global__ void matvec(const float *a, const float *x, float *y, int n)
{
    __shared__ float xs[64];
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int base = 0; base < n; base += blockDim.x) {
        xs[threadIdx.x] = x[base + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < blockDim.x; j++)
            sum += a[row * n + base + j] * xs[j];
        __syncthreads();
    }
    y[row] = sum;
}
/* jacobi<<<dim3(2,2), dim3(16,16)>>>(float[1156] = random(1), float[1156], 34, 4) */
__global__ void jacobi(const float *in, float *out, int w, int steps)
{
    __shared__ float a[18][18], b[18][18];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1, gx = blockIdx.x * 16 + tx, gy = blockIdx.y * 16 + ty;
    a[ty][tx] = in[gy * w + gx];
    if (tx == 1) a[ty][0] = in[gy * w + gx - 1];
    if (tx == 16) a[ty][17] = in[gy * w + gx + 1];
    if (ty == 1) a[0][tx] = in[(gy - 1) * w + gx];
    if (ty == 16) a[17][tx] = in[(gy + 1) * w + gx];
    __syncthreads();
    for (int i = 0; i < steps; i++) {
        b[ty][tx] = 0.25f * (a[ty - 1][tx] + a[ty + 1][tx] + a[ty][tx - 1] + a[ty][tx + 1]);
        __syncthreads();
        a[ty][tx] = b[ty][tx];
        __syncthreads();
    }
    out[gy * w + gx] = a[ty][tx];
}
/* stencil3d<<<dim3(2,2), dim3(8,8)>>>(float[4096] = random(1), float[4096], 16, 16, 16) */
__global__ void stencil3d(const float *in, float *out, int nx, int ny, int nz)
{
    __shared__ float s[8][8];
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, i = y * nx + x, plane = nx * ny;
    float back = in[i], mid = in[i + plane], front;
    for (int z = 1; z < nz - 1; z++) {
        front = in[(z + 1) * plane + i];
        s[threadIdx.y][threadIdx.x] = mid;
        __syncthreads();
        float sum = back + front + mid;
        if (threadIdx.x > 0) sum += s[threadIdx.y][threadIdx.x - 1];
        if (threadIdx.x < 7) sum += s[threadIdx.y][threadIdx.x + 1];
        if (threadIdx.y > 0) sum += s[threadIdx.y - 1][threadIdx.x];
        if (threadIdx.y < 7) sum += s[threadIdx.y + 1][threadIdx.x];
        out[z * plane + i] = sum;
        __syncthreads();
        back = mid;
        mid = front;
    }
}
/* kmeans<<<4, 64>>>(float[1024] = random(1), float[32] = random(2), int[256], 256, 8, 4) */
__global__ void kmeans(const float *points, const float *centers, int *which, int n, int k, int dim)
{
    __shared__ float c[256];
    for (int i = threadIdx.x; i < k * dim; i += blockDim.x)
        c[i] = centers[i];
    __syncthreads();
    int p = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    float least = 1e30f;
    for (int i = 0; i < k; i++) {
        float d = 0;
        for (int j = 0; j < dim; j++) {
            float x = points[p * dim + j] - c[i * dim + j];
            d += x * x;
        }
        if (d < least) {
            least = d;
            best = i;
        }
    }
    which[p] = best;
}
/* attention<<<4, 32>>>(float[2048] = random(1), float[2048] = random(2), float[2048] = random(3), float[2048], 128, 16) */
__global__ void attention(const float *Q, const float *K, const float *V, float *O, int N, int d)
{
    __shared__ float ks[32 * 16], vs[32 * 16], sc[32 * 33];
    int t = threadIdx.x, row = blockIdx.x * 32 + t;
    float m = -1e30f, l = 0;
    for (int j = 0; j < N; j += 32) {
        for (int x = 0; x < d; x++) {
            ks[t * d + x] = K[(j + t) * d + x];
            vs[t * d + x] = V[(j + t) * d + x];
        }
        __syncthreads();
        float rm = m;
        for (int y = 0; y < 32; y++) {
            float sum = 0;
            for (int x = 0; x < d; x++)
                sum += Q[row * d + x] * ks[y * d + x];
            sc[t * 33 + y] = sum;
            rm = fmaxf(rm, sum);
        }
        float rl = 0;
        for (int y = 0; y < 32; y++) {
            float p = __expf(sc[t * 33 + y] - rm);
            sc[t * 33 + y] = p;
            rl += p;
        }
        float f = __expf(m - rm);
        for (int x = 0; x < d; x++) {
            float pv = 0;
            for (int y = 0; y < 32; y++)
                pv += sc[t * 33 + y] * vs[y * d + x];
            O[row * d + x] = f * O[row * d + x] + pv;
        }
        l = f * l + rl;
        m = rm;
        __syncthreads();
    }
    for (int x = 0; x < d; x++)
        O[row * d + x] /= l;
}
/* lu_row<<<1, 32>>>(float[1024] = random(5), 32) */
__global__ void lu_row(float *a, int n)
{
    __shared__ float s[32][33];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++)
        s[i][t] = a[i * n + t] + (i == t ? 40.0f : 0.0f);
    __syncthreads();
    for (int k = 0; k < n - 1; k++) {
        if (t > k) {
            float f = s[t][k] / s[k][k];
            for (int j = k + 1; j < n; j++)
                s[t][j] -= f * s[k][j];
            s[t][k] = f;
        }
        __syncthreads();
    }
    for (int i = 0; i < n; i++)
        a[i * n + t] = s[i][t];
}
/* needle<<<1, 32>>>(int[1089] = random(5), int[1024] = random(2), 32, 3) */
__global__ void needle(int *m, const int *ref, int n, int penalty)
{
    __shared__ int s[33][33];
    int t = threadIdx.x, cols = n + 1;
    for (int i = 0; i <= n; i++)
        s[i][t + 1] = m[i * cols + t + 1];
    if (t == 0)
        for (int i = 0; i <= n; i++)
            s[i][0] = m[i * cols];
    __syncthreads();
    for (int d = 0; d < n; d++) {
        if (t <= d) {
            int x = t + 1, y = d - t + 1;
            s[y][x] = max(max(s[y - 1][x - 1] + ref[(y - 1) * n + x - 1], s[y][x - 1] - penalty), s[y - 1][x] - penalty);
        }
        __syncthreads();
    }
    for (int i = 0; i <= n; i++)
        m[i * cols + t + 1] = s[i][t + 1];
}
/* fft_stage<<<2, 64>>>(float2[256] = random(1), 128) */
__global__ void fft_stage(float2 *data, int n)
{
    __shared__ float2 s[128];
    int t = threadIdx.x;
    s[t] = data[blockIdx.x * n + t];
    s[t + 64] = data[blockIdx.x * n + t + 64];
    __syncthreads();
    for (int len = 1; len < n; len <<= 1) {
        int j = t & (len - 1), i = 2 * t - j;
        float w = -3.14159265f * j / len, sn = __sinf(w), cs = __cosf(w);
        float2 a = s[i], b = s[i + len];
        float x = b.x * cs - b.y * sn, y = b.x * sn + b.y * cs;
        s[i] = make_float2(a.x + x, a.y + y);
        s[i + len] = make_float2(a.x - x, a.y - y);
        __syncthreads();
    }
    data[blockIdx.x * n + t] = s[t];
    data[blockIdx.x * n + t + 64] = s[t + 64];
}
/* gather<<<4, 64>>>(int[256] = iota, int[1024] = random(1), int[256], 4) */
__global__ void gather(const int *in, const int *index, int *out, int n)
{
    __shared__ int s[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        s[i] = in[i];
    __syncthreads();
    int t = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int i = 0; i < n; i++)
        sum += s[index[i * 256 + t] & 255];
    out[t] = sum;
}
/* spmv<<<2, 64>>>(int[129] = iota, int[128] = iota, float[128] = random(1), float[128] = random(2), float[128], 128) */
__global__ void spmv(const int *ptr, const int *col, const float *val, const float *x, float *y, int n)
{
    __shared__ float s[64];
    int row = blockIdx.x * 2 + threadIdx.x / 32, lane = threadIdx.x & 31;
    float sum = 0;
    for (int j = ptr[row] + lane; j < ptr[row + 1]; j += 32)
        sum += val[j] * x[col[j]];
    s[threadIdx.x] = sum;
    __syncwarp();
    for (int o = 16; o > 0; o >>= 1) {
        if (lane < o)
            s[threadIdx.x] += s[threadIdx.x + o];
        __syncwarp();
    }
    if (lane == 0)
        y[row] = s[threadIdx.x];
}
/* strided_banks<<<1, 32>>>(int[32], 7, 50) */
__global__ void strided_banks(int *out, int stride, int n)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 32)
        s[i] = i;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += s[(t * stride + i) & 1023];
    out[t] = sum;
}
/* copy_loop<<<4, 64>>>(float[4096] = iota, float[4096], 16) */
__global__ void copy_loop(const float *in, float *out, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        s[t] = in[(blockIdx.x * n + i) * 64 + t];
        __syncthreads();
        out[(blockIdx.x * n + i) * 64 + t] = s[63 - t];
        __syncthreads();
    }
}
/* unsigned_loop<<<4, 64>>>(float[4096] = iota, float[4096], 16) */
__global__ void unsigned_loop(const float *in, float *out, unsigned n)
{
    __shared__ float s[64];
    unsigned t = threadIdx.x;
    for (unsigned i = 0; i < n; i++) {
        s[t] = in[(blockIdx.x * n + i) * 64 + t];
        __syncthreads();
        out[(blockIdx.x * n + i) * 64 + t] = s[63 - t];
        __syncthreads();
    }
}
/* long_loop<<<4, 64>>>(float[4096] = iota, float[4096], 16) */
__global__ void long_loop(const float *in, float *out, size_t n)
{
    __shared__ float s[64];
    size_t t = threadIdx.x;
    for (size_t i = 0; i < n; i++) {
        s[t] = in[(blockIdx.x * n + i) * 64 + t];
        __syncthreads();
        out[(blockIdx.x * n + i) * 64 + t] = s[63 - t];
        __syncthreads();
    }
}
/* warp_rows<<<2, 128>>>(float[8192] = random(1), float[64], 64, 128) */
__global__ void warp_rows(const float *m, float *out, int rows, int cols)
{
    __shared__ float s[4][32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int r = blockIdx.x * 4 + warp; r < rows; r += gridDim.x * 4) {
        float sum = 0;
        for (int c = lane; c < cols; c += 32)
            sum += m[r * cols + c];
        s[warp][lane] = sum;
        __syncwarp();
        float all = 0;
        for (int i = 0; i < 32; i++)
            all += s[warp][i];
        if (lane == 0)
            out[r] = all;
        __syncwarp();
    }
}
/* column_sum<<<2, dim3(32,4)>>>(float[4096] = random(1), float[64], 64, 64) */
__global__ void column_sum(const float *m, float *out, int rows, int cols)
{
    __shared__ float s[4][32];
    int c = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int r = threadIdx.y; r < rows; r += blockDim.y)
        sum += m[r * cols + c];
    s[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0) {
        for (int i = 1; i < 4; i++)
            sum += s[i][threadIdx.x];
        out[c] = sum;
    }
}
/* smoothed<<<2, 64>>>(half[4096] = random(3), half[4096]) */
__global__ void smoothed(const __half *in, __half *out)
{
    __shared__ __half s[64 * 34];
    int t = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < 32; i++)
        s[t * 34 + i] = in[(blockIdx.x * 32 + i) * 64 + t];
    float last = 0.0f;
#pragma unroll 1
    for (int i = 0; i < 32; i++) {
        last = 0.75f * last + 0.25f * __half2float(s[t * 34 + i]);
        s[t * 34 + i] = __float2half(last * last);
    }
#pragma unroll 1
    for (int i = 0; i < 32; i++)
        out[(blockIdx.x * 32 + i) * 64 + t] = s[t * 34 + i];
}
