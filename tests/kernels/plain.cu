/* plain.cu - kernels of plain C, which banksim reads itself and nvcc has made PTX of; above each a launch.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o plain.ptx plain.cu
 */
#define TILE 16
#define IDX(r, c, ld) ((r) * (ld) + (c))
#if defined(TILE) && TILE > 8
#define PAD 1
#else
#define PAD 0
#endif

/* matmul<<<dim3(2,2), dim3(16,16)>>>(float[1024] = random, float[1024] = random(3), float[1024], 32) */
__global__ void matmul(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[TILE][TILE + PAD], bs[TILE][TILE];
    int ty = threadIdx.y, tx = threadIdx.x;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int t = 0; t < n / TILE; t++) {
        as[ty][tx] = a[IDX(row, t * TILE + tx, n)];
        bs[ty][tx] = b[IDX(t * TILE + ty, col, n)];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[IDX(row, col, n)] = sum;
}

/* reduce<<<4, 128>>>(int[512] = iota, int[4], 512) */
__global__ void reduce(int *g_idata, int *g_odata, unsigned int n)
{
    __shared__ int smem[128];
    unsigned int tid = threadIdx.x;
    if (tid >= n) return;
    int *idata = g_idata + blockIdx.x * blockDim.x;
    smem[tid] = idata[tid];
    __syncthreads();
    if (blockDim.x >= 1024 && tid < 512) smem[tid] += smem[tid + 512];
    __syncthreads();
    if (blockDim.x >= 128 && tid < 64) smem[tid] += smem[tid + 64];
    __syncthreads();
    if (tid < 32) {
        volatile int *vsmem = smem;
        vsmem[tid] += vsmem[tid + 32];
        vsmem[tid] += vsmem[tid + 16];
        vsmem[tid] += vsmem[tid + 8];
        vsmem[tid] += vsmem[tid + 4];
        vsmem[tid] += vsmem[tid + 2];
        vsmem[tid] += vsmem[tid + 1];
    }
    if (tid == 0) g_odata[blockIdx.x] = smem[0];
}

/* control<<<2, 64>>>(int[256] = iota, 37) */
__global__ void control(int *out, int n)
{
    __shared__ int s[64];
    int i = threadIdx.x, sum = 0;
    s[i] = i * i;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        if (k % 3 == 0) continue;
        if (s[(i + k) % 64] > 2000) break;
        sum += s[(i + k) & 63];
    }
    int j = i, turns = 0;
    while (j > 1) {
        j = j & 1 ? 3 * j + 1 : j / 2;
        turns++;
    }
    do {
        sum ^= turns << 2;
        turns -= 5;
    } while (turns > 0);
    switch (i % 5) {
    case 0: sum += 1; break;
    case 1: sum += 10;
    case 2: sum += 100; break;
    case 4: { int q = sum; sum = -q; break; }
    default: sum = sum > 7 || s[i] < 50 ? sum * 2 : s[63 - i];
    }
    out[blockIdx.x * 64 + i] = sum;
}

/* types<<<1, 64>>>(char[256] = iota, short[64] = iota, unsigned[64], double[64] = random, long[64]) */
__global__ void types(signed char *c, unsigned short *h, unsigned *u, double *d, long long *l)
{
    int i = threadIdx.x;
    unsigned char b = c[i] * 7;
    c[i + 64] = b >> 1;
    h[i] = (unsigned short)(h[i] * 1021) + b;
    u[i] = h[i] / 3u + (unsigned)(d[i] * 100.0);
    l[i] = (long long)i << 33 | u[i];
    d[i] = d[i] * 2 + (float)b / 3.0f - i % 7;
    bool p = b > 100, q = !p;
    c[i + 128] = p ? 'a' : q;
    c[i + 192] = (char)(-(int)u[i] >> 2);
}

/* arrays<<<1, 32>>>(float[4096] = iota, float[128]) */
__global__ void arrays(const float *in, float *out)
{
    __shared__ float s[4][8][33];
    float r[4], acc[2][2] = {{0, 0}, {0, 0}};
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) r[i] = in[t * 4 + i];
    for (int z = 0; z < 4; z++)
        for (int y = 0; y < 8; y++)
            s[z][y][t] = r[z] + y;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                acc[i][j] += s[i][k][t] * s[j + 2][k][31 - t];
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            out[(i * 2 + j) * 32 + t] = acc[i][j];
}

/* local<<<1, 32>>>(int[32], 5) */
__global__ void local(int *out, int n)
{
    int a[8], i = threadIdx.x;
    for (int k = 0; k < 8; k++) a[k] = i * k;
    out[i] = a[(i + n) % 8] + a[n % 3];
}

/* dyn<<<2, 64, 1024>>>(float[128] = iota, float[128]) */
__global__ void dyn(const float *__restrict__ in, float *__restrict__ out)
{
    extern __shared__ float buf[];
    float *low = buf, *high = &buf[64];
    int t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
    low[t] = in[g];
    high[63 - t] = 2 * in[g];
    __syncthreads();
    float *p = t % 2 ? low : high;
    out[g] = p[t] + *(high + t) + low[t ^ 1];
}

/* wrapped<<<1, 32>>>(int[64] = iota, int[32], 4294967272) */
__global__ void wrapped(const int *in, int *out, unsigned n)
{
    unsigned i = threadIdx.x + n;
    out[threadIdx.x] = in[i + 32u] + in[(i + 16) % 64];
}

/* turned<<<1, 32>>>(int[32], 9) */
__global__ void turned(int *out, int n)
{
    int b = 1, a = threadIdx.x, was = 0;
    for (int i = 0; i < n; i++) {
        int c = a;
        a = b;
        b = c + b;
        was = i++;
    }
    out[threadIdx.x] = a * 1000 + b + was;
}

/* stored<<<1, 32>>>(int[64] = iota, int[64], 3) */
__global__ void stored(int *in, int *out, int n)
{
    __shared__ int s[96], other[32];
    int t = threadIdx.x;
    s[t] = 1;
    s[t] = in[t];
    s[t + 32] = s[t] * 2;
    other[t] = s[t + n];
    s[t + 64] = s[t + 32];
    s[t] = 5;
    __syncthreads();
    out[t] = s[31 - t] + s[t + 64] + other[t];
    out[t + 32] = in[t] + n;
    if (in[t] > 20) {
        out[t] = 7;
    }
    out[t] += in[t + 32];
}

/* ways<<<1, 32>>>(int[32]) */
__global__ void ways(int *out)
{
    int t = threadIdx.x, x;
    if (t % 2) {
        x = t;
    } else {
        x = t * t * 7;
    }
    out[t] = t * t * 7 + x;
}
/* divides<<<2, 64>>>(int[1024] = iota, -7) */
__global__ void divides(int *p, int n)
{
    int t = threadIdx.x, x = p[t] - 40;
    unsigned char *bytes = (unsigned char *)p;
    p[t + 64] = x % 32;
    p[t + 128] = x / 32 + t % 4;
    p[t + 192] = (n & 255) / 4 + bytes[t] % 16;
    p[t + 256] = (t - 3) / 4 + (t + (int)blockDim.x) % 8;
    p[t + 320] = (int)((long long)x * n / 1024 % 64);
    p[t + 384] = x / -8 + x % (1 << 30) + x / 10 + (int)((unsigned)x >> 3) / 2;
    p[t + 448] = n / 4 + (short)n / 2;
}
__constant__ int table[2][3] = {1, 2, 3, 4};
/* rows<<<1, 32>>>(float[64] = iota, int[32] = iota) */
__global__ void rows(float *p, int *q)
{
    float sums[2][2][2] = {0.}, ends[2][3] = {{1, 2}, 3, 4, 5};
    int pairs[][2] = {1, 2, 3, 4, 5}, t = threadIdx.x;
    char text[2][4] = {"ab", {'c'}};
    for (int i = 0; i < 2; i++)
        sums[t % 2][i][1] += p[t + i];
    p[t + 32] = sums[1][0][1] + sums[0][1][1] + ends[0][1] * 10 + ends[1][2] * 100;
    q[t] += sizeof pairs + pairs[2][0] + pairs[2][1] + text[0][1] + text[1][0] + table[1][0] * t;
}
