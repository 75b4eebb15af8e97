/* bytes.cu - numbers of 8 bits with a point; as whole.cu. */
#include <cuda_fp16.h>
#include <cuda_fp8.h>

/* tiny<<<1, 64>>>(unsigned[64] = random(5), unsigned short[256], unsigned[256]) */
extern "C" __global__ void tiny(const unsigned *a, unsigned short *out, unsigned *halves)
{
    int i = threadIdx.x;
    unsigned u = a[i] * 2654435761u, v = a[63 - i] * 40503u;
    float2 wide = make_float2(__int_as_float((int)u), __int_as_float((int)v));
    float2 near = make_float2((float)((int)u >> 12) * 1e-3f, (float)((int)v >> 20) * 1e-2f);
    out[i] = __nv_cvt_float2_to_fp8x2(wide, __NV_SATFINITE, __NV_E4M3);
    out[64 + i] = __nv_cvt_float2_to_fp8x2(near, __NV_SATFINITE, __NV_E4M3);
    out[128 + i] = __nv_cvt_float2_to_fp8x2(wide, __NV_SATFINITE, __NV_E5M2);
    out[192 + i] = __nv_cvt_float2_to_fp8x2(near, __NV_SATFINITE, __NV_E5M2);
    __half2_raw x = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)u, __NV_E4M3), y = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)(u >> 16), __NV_E4M3);
    __half2_raw z = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)v, __NV_E5M2), w = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)(v >> 16), __NV_E5M2);
    halves[i] = x.x | (unsigned)x.y << 16;
    halves[64 + i] = y.x | (unsigned)y.y << 16;
    halves[128 + i] = z.x | (unsigned)z.y << 16;
    halves[192 + i] = w.x | (unsigned)w.y << 16;
}

/* fours<<<1, 64>>>(float[128] = random(9), unsigned[128], unsigned[128]) */
extern "C" __global__ void fours(const float *a, unsigned *out, unsigned *halves)
{
    int i = threadIdx.x;
    float x = a[i] * 0.3f - 9.0f, y = a[64 + i] * 1.1f - 33.0f;
    __nv_fp8x4_e4m3 p(make_float4(x, y, -x, y * 2.0f));
    __nv_fp8x4_e5m2 q(make_float4(y, -y, x * 0.01f, x * y));
    out[i] = p.__x;
    out[64 + i] = q.__x;
    __half2 h = __floats2half2_rn(x, y);
    halves[i] = __nv_cvt_halfraw2_to_fp8x2(h, __NV_SATFINITE, __NV_E4M3);
    halves[64 + i] = __nv_cvt_halfraw2_to_fp8x2(h, __NV_SATFINITE, __NV_E5M2) + 65536u * __nv_cvt_halfraw2_to_fp8x2(__hneg2(h), __NV_SATFINITE, __NV_E4M3);
}

/* products<<<1, 32>>>(unsigned[128] = random(7), unsigned[128] = random(8), float[384]) */
extern "C" __global__ void products(const unsigned *a, const unsigned *b, float *out)
{
    int i = threadIdx.x;
    float c[12] = {1, -2, 3, 0.5f * i, -1.0f * i, 6, 7, 100, 0, 0, 0, 1};
    unsigned x[4], y[2];
    for (int k = 0; k < 4; k++) {
        x[k] = a[32 * k + i] * 2654435761u & 0x87878787 | 0x38383838; /* near 1, so that no sum is rounded: code for 9.0 makes two of it */
    }
    y[0] = b[i] * 40503u & 0x87878787 | 0x38383838;
    y[1] = b[32 + i] * 2654435761u & 0x87878787 | 0x38383838;
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    for (int k = 0; k < 12; k++) {
        out[32 * k + i] = c[k];
    }
}
