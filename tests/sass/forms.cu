/* forms.cu - what compilers write seldom: comparisons as numbers, packed numbers, matrices turned, atomics of vectors; as whole.cu. */
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/* compared<<<1, 64>>>(unsigned[64] = random(1), float[512]) */
extern "C" __global__ void compared(const unsigned *a, float *out)
{
    int i = threadIdx.x;
    float x = __int_as_float((int)(a[i] * 2654435761u)), y = __int_as_float((int)(a[63 - i] * 40503u)), zero = i & 1 ? -0.0f : x - x;
    out[i] = x > 0;
    out[64 + i] = x <= y;
    out[128 + i] = zero != 0; /* true of what is no number */
    out[192 + i] = (x > y && i < 20) ? 1.0f : 0.0f;
    out[256 + i] = (x < y || i > 40) ? 1.0f : 0.0f;
    out[320 + i] = !(zero >= y);
    out[384 + i] = ((x > y) != (i % 3 == 0)) ? 1.0f : 0.0f;
    out[448 + i] = fabsf(x) == x;
}

/* packed<<<1, 64>>>(unsigned[64] = random(2), int[512], unsigned char[448]) */
extern "C" __global__ void packed(const unsigned *a, int *out, unsigned char *bytes)
{
    int i = threadIdx.x, u = (int)(a[i] * 2654435761u), v = (int)(a[63 - i] * 40503u), w = (i & 1) != 0 ? u >> 23 : u, z = (i & 2) != 0 ? v >> 24 : v;
    int s8, u8, s16, u16, pair, upair, chain, four;
    float y = (float)w * 0.37f;
    asm("cvt.sat.s8.s32 %0, %1;" : "=r"(s8) : "r"(w));
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(u8) : "r"(w));
    asm("cvt.sat.s16.s32 %0, %1;" : "=r"(s16) : "r"(w));
    asm("cvt.sat.u16.s32 %0, %1;" : "=r"(u16) : "r"(w));
    asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(pair) : "r"(w), "r"(z));
    asm("cvt.pack.sat.u16.s32 %0, %1, %2;" : "=r"(upair) : "r"(z), "r"(w));
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(chain) : "r"(w), "r"(z), "r"(0));
    asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;" : "=r"(four) : "r"(z), "r"(w), "r"(chain));
    out[i] = s8;
    out[64 + i] = u8;
    out[128 + i] = s16;
    out[192 + i] = u16;
    out[256 + i] = pair;
    out[320 + i] = upair;
    out[384 + i] = chain;
    out[448 + i] = four;
    bytes[i] = (unsigned char)y;
    bytes[64 + i] = (unsigned char)(y * 1e-3f);
    bytes[128 + i] = (unsigned char)__float2uint_rn(y);
    bytes[192 + i] = (unsigned char)__float2uint_ru(fabsf(y) * 1e-6f);
    unsigned near, down, up;
    asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(near) : "f"(y));
    asm("cvt.rmi.sat.u8.f32 %0, %1;" : "=r"(down) : "f"(y));
    asm("cvt.rpi.sat.u8.f32 %0, %1;" : "=r"(up) : "f"(y));
    bytes[256 + i] = (unsigned char)near;
    bytes[320 + i] = (unsigned char)down;
    bytes[384 + i] = (unsigned char)up;
}

/* signs<<<1, 64>>>(int[64] = random(3), int[64] = random(4), int[128]) */
extern "C" __global__ void signs(const int *a, const int *b, int *out)
{
    int i = threadIdx.x, x = a[i] * 40503 << 16, y = b[i] * 7 << 29;
    out[i] = (x < 0) != (y < 0) ? a[i] / (b[63 - i] + 1) : y / 7;
    out[64 + i] = (x ^ y) < 0 && (x | i << 26) >= 0;
}

/* turned<<<1, 32>>>(unsigned[128] = random(6), unsigned[384]) */
extern "C" __global__ void turned(const unsigned *a, unsigned *out)
{
    __shared__ __align__(16) unsigned s[12 * 32];
    int i = threadIdx.x;
    unsigned x, to = (unsigned)__cvta_generic_to_shared(&s[i * 4]), wide = (unsigned)__cvta_generic_to_shared(&s[128 + i * 4]);
    unsigned one = (unsigned)__cvta_generic_to_shared(&s[256 + (i & 7) * 8]), two = (unsigned)__cvta_generic_to_shared(&s[320 + (i & 15) * 4]);
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(x) : "r"(a[i]));
    for (int k = i; k < 12 * 32; k += 32) {
        s[k] = 0;
    }
    __syncwarp();
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(x), "r"(a[32 + i]), "r"(a[64 + i]), "r"(a[96 + i]));
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(wide), "r"(a[96 + i]), "r"(x), "r"(a[32 + i]), "r"(a[i]));
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(one), "r"(a[64 + i]));
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(two), "r"(a[32 + i]), "r"(x));
    __syncwarp();
    for (int k = 0; k < 12; k++) {
        out[32 * k + i] = s[32 * k + i];
    }
}

/* products<<<1, 32>>>(unsigned[128] = random(7), int[256]) */
extern "C" __global__ void products(const unsigned *a, int *out)
{
    int i = threadIdx.x, c[8] = {1, -2, 3, i, -i, 6, 7, 100};
    unsigned x = a[i] * 2654435761u, y = a[32 + i] * 2654435761u;
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+r"(c[0]), "+r"(c[1]) : "r"(x), "r"(y));
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+r"(c[2]), "+r"(c[3]) : "r"(x), "r"(y));
    asm volatile("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.u8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+r"(c[4]), "+r"(c[5]) : "r"(y), "r"(x));
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+r"(c[6]), "+r"(c[7]) : "r"(y), "r"(y));
    for (int k = 0; k < 8; k++) {
        out[32 * k + i] = c[k];
    }
}

/* vectors<<<1, 64>>>(float[64] = iota, float[256], half2[256], unsigned[256], float[256]) */
extern "C" __global__ void vectors(const float *a, float *floats, __half2 *halves, __nv_bfloat162 *bfloats, float *old)
{
    int i = threadIdx.x;
    float x = a[i];
    __half2 h = __floats2half2_rn(x * 0.5f, 1.0f);
    __nv_bfloat162 b = __floats2bfloat162_rn(x, -2.0f);
    float2 was = atomicAdd((float2 *)&floats[2 * (i & 7)], make_float2(x, 1.0f));
    float4 were = atomicAdd((float4 *)&floats[64 + 4 * (i & 15)], make_float4(x, 2.0f, -x, 0.5f));
    atomicAdd((float2 *)&floats[128 + 2 * (i >> 1)], make_float2(-x, 3.0f));
    atomicAdd((float4 *)&floats[192 + 4 * (i & 15)], make_float4(1.0f, 2.0f, 3.0f, x));
    old[i] = was.x + 100.0f * was.y;
    old[64 + i] = were.x + were.y + were.z + were.w;
    unsigned hh = *(unsigned *)&h, bb = *(unsigned *)&b, r0, r1, r2, r3;
    asm volatile("red.global.add.noftz.v2.f16x2 [%0], {%1, %2};" ::"l"(&halves[2 * (i & 15)]), "r"(hh), "r"(hh) : "memory");
    asm volatile("red.global.add.noftz.v4.f16x2 [%0], {%1, %2, %1, %2};" ::"l"(&halves[64 + 4 * (i & 15)]), "r"(hh), "r"(hh) : "memory");
    asm volatile("red.global.add.noftz.v2.bf16x2 [%0], {%1, %2};" ::"l"(&bfloats[2 * (i & 15)]), "r"(bb), "r"(bb) : "memory");
    asm volatile("red.global.add.noftz.v4.bf16x2 [%0], {%1, %2, %1, %2};" ::"l"(&bfloats[64 + 4 * (i & 15)]), "r"(bb), "r"(bb) : "memory");
    asm volatile("atom.global.add.noftz.v4.bf16x2 {%0, %1, %2, %3}, [%4], {%5, %6, %5, %6};"
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "l"(&bfloats[128 + 4 * (i & 15)]), "r"(bb), "r"(bb) : "memory");
    old[128 + i] = (float)(r0 ^ r3) + (float)(r1 - r2);
    atomicAdd(&bfloats[192 + (i & 31)], b);
    atomicAdd(&halves[192 + (i & 7)], h);
}

/* kept<<<1, 64>>>(float[64] = iota, float[256]) */
extern "C" __global__ void kept(const float *a, float *out)
{
    __shared__ float sum[16];
    int i = threadIdx.x;
    if (i < 16) {
        sum[i] = a[i] * 0.5f;
    }
    __syncthreads();
    float was = atomicAdd(&sum[i & 15], a[63 - i]); /* which the vector alone reads */
    asm volatile("red.global.add.v4.f32 [%0], {%1, %1, %2, %1};" ::"l"(&out[4 * i]), "f"(1.0f), "f"(was) : "memory");
}

/* spaces<<<1, 64>>>(unsigned[64] = iota, unsigned[256]) */
extern "C" __global__ void spaces(const unsigned *a, unsigned *out)
{
    __shared__ __nv_bfloat162 sums[64];
    unsigned local[4] = {1, 2, 3, 4};
    int i = threadIdx.x;
    sums[i] = __floats2bfloat162_rn(0.0f, 0.0f);
    local[a[i] & 3] = 7;
    __syncthreads();
    const void *p = i % 3 == 0 ? (const void *)&sums[i] : i % 3 == 1 ? (const void *)&local[i & 3] : (const void *)&a[i];
    out[i] = __isShared(p) + 2 * __isLocal(p);
    out[64 + i] = local[i & 3];
    __nv_bfloat162 *q = (i & 32) != 0 ? &sums[i & 15] : (__nv_bfloat162 *)&out[192 + (i & 7)];
    atomicAdd(q, __floats2bfloat162_rn((float)i, 1.0f)); /* of either space */
    __syncthreads();
    out[128 + i] = *(unsigned *)&sums[i];
    if (a[i] > 1000) {
        __trap();
    }
}

/* together<<<1, 64>>>(unsigned[64] = random(9), unsigned[192]) */
extern "C" __global__ void together(const unsigned *a, unsigned *out)
{
    int i = threadIdx.x, same;
    unsigned warp;
    out[i] = __match_all_sync(0xffffffff, a[i & 32], &same);
    out[64 + i] = (unsigned)same + 2 * (__match_all_sync(0xffffffff, a[i] & 3, &same) != 0);
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    out[128 + i] = warp * 5;
}
