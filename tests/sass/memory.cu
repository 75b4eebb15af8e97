/* memory.cu - loads, stores, atomics, copies, constants and parameters; as whole.cu. */
#include <cstdint>
#include <cuda_fp16.h>

/* widths<<<1, 64>>>(unsigned[1024] = random(1), unsigned[1024]) */
extern "C" __global__ void widths(const unsigned *a, unsigned *out)
{
    __shared__ __align__(16) unsigned char bytes[256];
    __shared__ short shorts[128];
    __shared__ unsigned words[64 * 3];
    __shared__ uint2 pairs[64];
    __shared__ uint4 fours[64 + 8];
    int i = threadIdx.x;
    bytes[i * 4 & 255] = (unsigned char)a[i];
    bytes[(i * 4 & 255) + 1] = (unsigned char)(a[i] >> 9);
    bytes[(i * 4 & 255) + 2] = (unsigned char)i;
    bytes[(i * 4 & 255) + 3] = 200;
    shorts[i] = (short)a[i];
    shorts[64 + i] = (short)~a[i];
    words[i * 3] = a[64 + i];
    words[i * 3 + 1] = i;
    words[i * 3 + 2] = a[i] ^ 5;
    pairs[i] = make_uint2(a[128 + i], a[i]);
    fours[i + (i >> 3)] = *(const uint4 *)&a[256 + 4 * i];
    __syncthreads();
    int k = (i * 5 + 3) & 63;
    out[i] = bytes[k] + 3 * (unsigned)(signed char)bytes[k + 64];
    out[64 + i] = (unsigned)(int)shorts[k * 2] ^ (unsigned)(unsigned short)shorts[k] << 7;
    out[128 + i] = words[k * 3 + 2] + words[k];
    uint2 pair = pairs[63 - i];
    out[192 + i] = pair.x * 3 + pair.y;
    *(uint4 *)&out[256 + 4 * i] = fours[k + (k >> 3)];
    ((unsigned char *)out)[2048 + i] = bytes[i];
    ((short *)out)[1100 + i] = shorts[k];
    *(uint2 *)&out[768 + 2 * i] = pairs[k];
}

/* adds<<<2, 64>>>(float[128] = iota, float[4], float[64], double[16]) */
extern "C" __global__ void adds(const float *a, float *all, float *bins, double *doubles)
{
    __shared__ float sum[32];
    __shared__ double twice[16];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t < 32) {
        sum[t] = 0;
        twice[t & 15] = 0;
    }
    __syncthreads();
    atomicAdd(&sum[(t * t) & 31], a[i]); /* a loop that tries until nobody comes between */
    atomicAdd(&twice[(t * 3) & 7], (double)a[i]);
    __syncthreads();
    atomicAdd(&all[t & 3], a[i]);
    if (t < 32) {
        bins[blockIdx.x * 32 + t] = sum[t];
    }
    if (t < 8) {
        atomicAdd(&doubles[t], twice[t]);
    }
}

/* atomics<<<1, 64>>>(unsigned[64] = random(3), unsigned[256], unsigned long[16], unsigned[64]) */
extern "C" __global__ void atomics(const unsigned *a, unsigned *out, unsigned long long *longs, unsigned *global)
{
    __shared__ unsigned s[16];
    __shared__ unsigned long long w[4];
    int i = threadIdx.x;
    if (i < 16) {
        s[i] = i == 1 ? ~0u : 0;
        w[i & 3] = 0;
    }
    __syncthreads();
    unsigned x = a[i];
    atomicAdd(&s[0], x & 255);
    atomicMin(&s[1], x);
    atomicMax(&s[2], x);
    atomicOr(&s[3], 1u << (x & 31));
    atomicXor(&s[4], x);
    atomicAnd(&s[1], ~0u);
    atomicMax((int *)&s[5], (int)x - 1000000000);
    atomicInc(&s[6], 20);
    atomicDec(&s[7], 9);
    atomicAdd(&s[8 + (i & 3)], 1);
    atomicAdd(&w[i & 1], (unsigned long long)x << 20);
    __syncthreads();
    out[i] = i < 16 ? s[i] : 0;
    if (i < 4) {
        longs[i] = w[i];
    }
    out[64 + i] = atomicExch(&global[i], x);
    out[128 + i] = atomicCAS(&global[i], i & 1 ? x : ~x, x + 1);
    out[192 + i] = atomicAdd(&global[i], 7) ^ atomicMax(&global[63], 0);
    atomicAdd(&longs[4 + (i & 3)], (unsigned long long)x * x);
    atomicMin((long long *)&longs[8], -(long long)x);
    atomicXor(&longs[9], (unsigned long long)x << 30);
}

/* stack<<<1, 64>>>(unsigned[64] = random(4), unsigned[128]) */
extern "C" __global__ void stack(const unsigned *a, unsigned *out)
{
    int i = threadIdx.x;
    unsigned local[16], x = a[i];
    unsigned char small[8];
    for (int k = 0; k < 16; k++) {
        local[k] = x * (unsigned)(k + 1);
        small[k & 7] = (unsigned char)(x >> k);
    }
    for (unsigned k = 0; k < (x & 15) + 3; k++) {
        local[(x + k) & 15] ^= local[(x >> 4) & 15] + small[k & 7];
    }
    out[i] = local[x >> 8 & 15];
    out[64 + i] = local[i & 15] + small[x & 7];
}

__constant__ float weights[8] = {0.5f, 1.5f, -2.0f, 3.25f, 4.0f, 5.0f, -6.0f, 7.0f};
__constant__ double exact = 0.1;
__device__ int table[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
__device__ unsigned counter;
__device__ short scarce = 0x1234;

/* variables<<<2, 32>>>(float[64], unsigned[64], int[64], double[64]) */
extern "C" __global__ void variables(float *out, unsigned *order, int *whole, double *doubles)
{
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    out[i] = weights[t & 7] + weights[3] * (float)t;
    order[i] = atomicAdd(&counter, 2);
    whole[i] = table[(t * 5) % 12] + scarce;
    doubles[i] = (double)t * 3.14159265358979 + exact;
    if (i == 3) {
        scarce = 9;
    }
}

struct shape {
    char kind;
    short n;
    int *to;
    float scale[3];
    double far;
};

/* parameters<<<1, 32>>>({char 3, short -7, int[32], float 0.5, float 2, float -1, double 1.25}, char -2, 1, double[32]) */
extern "C" __global__ void parameters(shape s, char small, unsigned char byte, double *out)
{
    int i = threadIdx.x;
    s.to[i] = s.kind * 100 + s.n + small * i + byte;
    out[i] = s.far * i + s.scale[i % 3];
}

/* dynamic<<<2, dim3(16, 4), 512>>>(int[128] = iota, int[128]) */
extern "C" __global__ void __launch_bounds__(64) dynamic(const int *a, int *out)
{
    extern __shared__ int more[];
    __shared__ int fixed[64];
    int t = threadIdx.y * 16 + threadIdx.x, i = (blockIdx.x + gridDim.x * blockIdx.y) * (blockDim.x * blockDim.y) + t;
    more[t * 2] = a[i];
    more[t * 2 + 1] = a[i] * 3;
    fixed[t ^ 1] = a[i] + 5;
    __syncthreads();
    out[i] = more[127 - t] * 7 + fixed[63 - t];
}

/* copies<<<1, 64>>>(float[512] = iota, float[512], 40) */
extern "C" __global__ void copies(const float *a, float *out, int n)
{
    __shared__ __align__(16) float s[512];
    int i = threadIdx.x;
    unsigned to = (unsigned)__cvta_generic_to_shared(&s[4 * i]), last = (unsigned)__cvta_generic_to_shared(&s[256 + i]);
    unsigned two = (unsigned)__cvta_generic_to_shared(&s[320 + 2 * i]), zeros = (unsigned)__cvta_generic_to_shared(&s[448 + i]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(a + 4 * i));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(last), "l"(a + 256 + i));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(two), "l"(a + 320 + 2 * i));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(zeros), "l"(a + 448 + i), "r"(i < n ? 4 : 0));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 1;");
    __syncthreads();
    out[i] = s[255 - i];
    asm volatile("cp.async.wait_group 0;");
    __syncthreads();
    for (int k = 1; k < 8; k++) {
        out[64 * k + i] = s[64 * k + 63 - i];
    }
}

/* tiles<<<1, 32>>>(half[512] = random(5), half[512] = random(6), float[512]) */
extern "C" __global__ void tiles(const __half *a, const __half *b, float *out)
{
    __shared__ __align__(16) __half s[2][16 * 24];
    int i = threadIdx.x;
    for (int k = i; k < 256; k += 32) {
        s[0][k / 16 * 24 + k % 16] = a[k];
        s[1][k / 16 * 24 + k % 16] = b[k];
    }
    __syncthreads();
    unsigned fa[4], fb[4];
    unsigned from = (unsigned)__cvta_generic_to_shared(&s[0][(i & 15) * 24 + (i >> 4) * 8]);
    unsigned other = (unsigned)__cvta_generic_to_shared(&s[1][(i & 15) * 24 + (i >> 4) * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3]) : "r"(from));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3]) : "r"(other));
    float c[8] = {0, 0, 0, 0, 1, 2, 3, 4};
    for (int h = 0; h < 2; h++) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(c[4 * h]), "+f"(c[4 * h + 1]), "+f"(c[4 * h + 2]), "+f"(c[4 * h + 3])
                     : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[2 * h]), "r"(fb[2 * h + 1]));
    }
    for (int k = 0; k < 8; k++) {
        out[32 * k + i] = c[k];
    }
}
