/* point.cu - floating point and conversions; as whole.cu. */
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/* singles<<<1, 64>>>(unsigned[64] = random(1), float[640]) */
extern "C" __global__ void singles(const unsigned *a, float *out)
{
    int i = threadIdx.x;
    float x = __int_as_float((int)(a[i] * 2654435761u)), y = (float)(int)(a[63 - i] * 40503u), z = x * y;
    out[i] = x + y;
    out[64 + i] = x * y - z * 3.0f;
    out[128 + i] = fmaf(-x, fabsf(y), z);
    out[192 + i] = fminf(x, -y);
    out[256 + i] = fmaxf(fabsf(x), y);
    out[320 + i] = x < y ? -x : fabsf(y);
    out[384 + i] = copysignf(x, y);
    out[448 + i] = (x >= y || isnan(x)) ? floorf(y * 0.37f) : rintf(y * 0.11f);
    out[512 + i] = __fadd_rz(x, y) + __fmul_ru(x, 0.5f) - __fmaf_rd(x, y, 1.0f);
    out[576 + i] = __saturatef(y * 1e-9f) + ceilf(-y * 0.71f) + truncf(y * 0.013f);
}

/* doubles<<<1, 64>>>(unsigned[64] = random(2), double[512]) */
extern "C" __global__ void doubles(const unsigned *a, double *out)
{
    int i = threadIdx.x;
    double x = (double)(int)(a[i] * 2654435761u) * 1.37e-3, y = (double)(int)(a[63 - i] * 40503u) - 0.125;
    out[i] = x + y;
    out[64 + i] = x * y - 3.0;
    out[128 + i] = fma(-x, fabs(y), x);
    out[192 + i] = fmin(x, -y);
    out[256 + i] = fmax(fabs(x), y);
    out[320 + i] = x < y ? -x : fabs(y);
    out[384 + i] = floor(x) + rint(y * 0.5);
    out[448 + i] = (x > 0.0 && y <= 1e5) ? x : 2.0 * y;
}

/* halves<<<1, 64>>>(half2[64] = random(3), half2[64] = iota, half2[512], bool[64]) */
extern "C" __global__ void halves(const __half2 *a, const __half2 *b, __half2 *out, unsigned char *is)
{
    int i = threadIdx.x;
    __half2 x = a[i], y = b[63 - i], z = __hmul2(y, __float2half2_rn(-0.03f));
    out[i] = __hadd2(x, y);
    out[64 + i] = __hfma2(x, y, z);
    out[128 + i] = __hsub2(__habs2(z), x);
    out[192 + i] = __hmul2(__lows2half2(x, y), __highs2half2(y, z));
    out[256 + i] = __hmin2(x, __hneg2(z));
    out[320 + i] = __hmax2(y, z);
    out[384 + i] = __halves2half2(__hadd(__low2half(x), __high2half(y)), __hfma(__low2half(z), __high2half(x), __low2half(y)));
    out[448 + i] = __hge2(x, z);
    is[i] = __hlt(__low2half(x), __high2half(z)) + 2 * __hbgt2(x, y);
}

/* roots<<<1, 64>>>(unsigned[64] = random(4), float[320]) */
extern "C" __global__ void roots(const unsigned *a, float *out)
{
    int i = threadIdx.x;
    float x = __int_as_float((int)(a[i] * 2654435761u)), y = __int_as_float((int)(a[63 - i] * 40503u)); /* of any magnitude, so the calls are made */
    out[i] = x / y;
    out[64 + i] = sqrtf(fabsf(x));
    out[128 + i] = 1.0f / y;
    out[192 + i] = rsqrtf(fabsf(y));
    out[256 + i] = exp2f((float)i * 0.3f - 9.0f) + __log2f(fabsf(x)) + tanhf((float)i * 0.01f);
}

/* nearly<<<1, 64>>>(float[64] = iota, float[192]) */
extern "C" __global__ void nearly(const float *a, float *out)
{
    int i = threadIdx.x;
    out[i] = __fdividef(a[i] - 7.3f, a[63 - i] * 0.11f + 1.0f); /* two units of the last place are allowed, and ptxas takes some */
    out[64 + i] = __sinf(a[i] * 0.1f);
    out[128 + i] = __cosf(a[i] * 0.2f);
}

/* long_roots<<<1, 64>>>(unsigned long[64] = random(5), double[192]) */
extern "C" __global__ void long_roots(const uint64_t *a, double *out)
{
    int i = threadIdx.x;
    double x = __longlong_as_double((long long)(a[i] * 0x9e3779b97f4a7c15u)), y = __longlong_as_double((long long)(a[63 - i] * 0xc2b2ae3d27d4eb4fu));
    out[i] = x / y;
    out[64 + i] = sqrt(fabs(x));
    out[128 + i] = 1.0 / ((double)i + 0.75);
}

/* conversions<<<1, 64>>>(unsigned[64] = random(6), float[640], double[256], long[192], half[128]) */
extern "C" __global__ void conversions(const unsigned *a, float *out, double *doubles, int64_t *whole, __half *half)
{
    int i = threadIdx.x;
    uint32_t u = a[i] * 2654435761u;
    uint64_t v = a[i] * 0x9e3779b97f4a7c15u;
    float x = __int_as_float((int)u), y = (float)(int)u * 1e-7f;
    out[i] = (float)u;
    out[64 + i] = (float)(int8_t)u + (float)(uint8_t)(u >> 8) * (float)(int16_t)(u >> 3) + (float)(uint16_t)u;
    out[128 + i] = (float)v;
    out[192 + i] = (float)(int64_t)v;
    out[256 + i] = (float)((double)u * 1.7);
    out[320 + i] = (float)(int)x + (float)(unsigned)x;
    out[384 + i] = (float)__float2int_rn(y) + (float)__float2int_ru(y) - (float)__float2int_rd(y * 0.3f);
    out[448 + i] = __half2float(__ushort_as_half((unsigned short)u));
    out[512 + i] = __bfloat162float(__float2bfloat16(x));
    out[576 + i] = (float)(int8_t)(int)y + (float)(uint8_t)(unsigned)fabsf(y);
    doubles[i] = (double)u;
    doubles[64 + i] = (double)(int64_t)v;
    doubles[128 + i] = (double)x;
    doubles[192 + i] = (double)v;
    whole[i] = (int64_t)x;
    whole[64 + i] = (int64_t)((double)(int64_t)v * 1e-5);
    whole[128 + i] = (int64_t)(uint64_t)fabsf(y) + (int)((double)u * 0.3) + (int64_t)(unsigned)((double)u * 0.6);
    half[i] = __float2half(y);
    half[64 + i] = __int2half_rn((int)(u & 0xfff) - 100);
}
