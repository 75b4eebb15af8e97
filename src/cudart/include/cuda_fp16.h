/* cuda_fp16.h - half and half2: what programs use of them.
 *
 * A sum, a product, a quotient or a root of two halves is float's, rounded: float has more than
 * twice a half's bits, so that rounding twice does no harm. fma is the instruction.
 */
#ifndef BANKSIM_CUDA_FP16_H
#define BANKSIM_CUDA_FP16_H

#include "banksim_cuda.h"

/* ---- to float and back ----------------------------------------------------------------------- */

__BANKSIM_BOTH float __banksim_half_to_float(unsigned short bits)
{
    unsigned size = bits & 0x7fff, word;
    float value;
    if (size < 0x400) { /* a subnormal: a multiple of 2^-24 */
        value = (float)size * 0x1p-24f;
        __builtin_memcpy(&word, &value, 4);
    } else {
        word = (size << 13) + (size < 0x7c00 ? 112u << 23 : 224u << 23);
    }
    word |= (unsigned)(bits & 0x8000) << 16;
    __builtin_memcpy(&value, &word, 4);
    return value;
}

/* To nearest, ties to even. */
__BANKSIM_BOTH unsigned short __banksim_float_to_half(float value)
{
    unsigned word;
    __builtin_memcpy(&word, &value, 4);
    unsigned sign = word >> 16 & 0x8000, size = word & 0x7fffffff;
    if (size >= 0x7f800000) {
        return (unsigned short)(sign | (size > 0x7f800000 ? 0x7fff : 0x7c00));
    }
    if (size >= 0x477ff000) {
        return (unsigned short)(sign | 0x7c00);
    }
    if (size < 0x38800000) { /* adding 1/2 rounds to multiples of 2^-24 */
        float small;
        __builtin_memcpy(&small, &size, 4);
        small += 0.5f;
        __builtin_memcpy(&size, &small, 4);
        return (unsigned short)(sign | (size - 0x3f000000));
    }
    return (unsigned short)(sign | ((size - (112u << 23) + 0xfff + (size >> 13 & 1)) >> 13));
}

struct __half {
    unsigned short bits;

    __half() = default;
    __host__ __device__ __half(float x)
    {
#ifdef __CUDA_ARCH__
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
#else
        bits = __banksim_float_to_half(x);
#endif
    }
    __host__ __device__ __half(double x) : __half((float)x)
    {
    }
    __host__ __device__ __half(int x) : __half((float)x)
    {
    }
    __host__ __device__ operator float() const
    {
#ifdef __CUDA_ARCH__
        float x;
        asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
        return x;
#else
        return __banksim_half_to_float(bits);
#endif
    }
};
typedef __half half;

struct __attribute__((aligned(4))) __half2 {
    __half x, y;
};
typedef __half2 half2;

__BANKSIM_BOTH __half __float2half(float x)
{
    return __half(x);
}
__BANKSIM_BOTH __half __float2half_rn(float x)
{
    return __half(x);
}
__BANKSIM_BOTH __half __int2half_rn(int x)
{
    return __half(x);
}
__BANKSIM_BOTH float __half2float(__half x)
{
    return (float)x;
}
__BANKSIM_BOTH __half __ushort_as_half(unsigned short bits)
{
    __half x;
    x.bits = bits;
    return x;
}
__BANKSIM_BOTH unsigned short __half_as_ushort(__half x)
{
    return x.bits;
}
__BANKSIM_BOTH __half2 __halves2half2(__half x, __half y)
{
    return {x, y};
}
__BANKSIM_BOTH __half2 make_half2(__half x, __half y)
{
    return {x, y};
}
__BANKSIM_BOTH __half2 __half2half2(__half x)
{
    return {x, x};
}
__BANKSIM_BOTH __half2 __float2half2_rn(float x)
{
    return {__half(x), __half(x)};
}
__BANKSIM_BOTH __half2 __floats2half2_rn(float x, float y)
{
    return {__half(x), __half(y)};
}
__BANKSIM_BOTH __half2 __float22half2_rn(float2 v)
{
    return {__half(v.x), __half(v.y)};
}
__BANKSIM_BOTH float2 __half22float2(__half2 v)
{
    return {(float)v.x, (float)v.y};
}
__BANKSIM_BOTH __half __low2half(__half2 v)
{
    return v.x;
}
__BANKSIM_BOTH __half __high2half(__half2 v)
{
    return v.y;
}
__BANKSIM_BOTH float __low2float(__half2 v)
{
    return (float)v.x;
}
__BANKSIM_BOTH float __high2float(__half2 v)
{
    return (float)v.y;
}

/* ---- arithmetic and comparisons, of one and of two ------------------------------------------- */

#define __BANKSIM_HALF(name, operation)                               \
    __BANKSIM_BOTH __half __h##name(__half x, __half y)               \
    {                                                                 \
        return __half((float)x operation(float) y);                   \
    }                                                                 \
    __BANKSIM_BOTH __half2 __h##name##2(__half2 x, __half2 y)         \
    {                                                                 \
        return {__h##name(x.x, y.x), __h##name(x.y, y.y)};            \
    }                                                                 \
    __BANKSIM_BOTH __half operator operation(__half x, __half y)      \
    {                                                                 \
        return __h##name(x, y);                                       \
    }                                                                 \
    __BANKSIM_BOTH __half2 operator operation(__half2 x, __half2 y)   \
    {                                                                 \
        return __h##name##2(x, y);                                    \
    }                                                                 \
    __BANKSIM_BOTH __half &operator operation##=(__half &x, __half y) \
    {                                                                 \
        return x = __h##name(x, y);                                   \
    }

__BANKSIM_HALF(add, +)
__BANKSIM_HALF(sub, -)
__BANKSIM_HALF(mul, *)
__BANKSIM_HALF(div, /)

#define __BANKSIM_HALF_COMPARISON(name, operation)             \
    __BANKSIM_BOTH bool __h##name(__half x, __half y)          \
    {                                                          \
        return (float)x operation(float) y;                    \
    }                                                          \
    __BANKSIM_BOTH bool operator operation(__half x, __half y) \
    {                                                          \
        return __h##name(x, y);                                \
    }

__BANKSIM_HALF_COMPARISON(eq, ==)
__BANKSIM_HALF_COMPARISON(ne, !=)
__BANKSIM_HALF_COMPARISON(lt, <)
__BANKSIM_HALF_COMPARISON(le, <=)
__BANKSIM_HALF_COMPARISON(gt, >)
__BANKSIM_HALF_COMPARISON(ge, >=)

__BANKSIM_DEVICE __half __hfma(__half x, __half y, __half z)
{
    __half sum;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(sum.bits) : "h"(x.bits), "h"(y.bits), "h"(z.bits));
    return sum;
}
__BANKSIM_DEVICE __half2 __hfma2(__half2 x, __half2 y, __half2 z)
{
    return {__hfma(x.x, y.x, z.x), __hfma(x.y, y.y, z.y)};
}
__BANKSIM_BOTH __half __hneg(__half x)
{
    return __ushort_as_half((unsigned short)(x.bits ^ 0x8000));
}
__BANKSIM_BOTH __half __habs(__half x)
{
    return __ushort_as_half((unsigned short)(x.bits & 0x7fff));
}
__BANKSIM_BOTH __half __hmax(__half x, __half y)
{
    return __half(__builtin_fmaxf((float)x, (float)y));
}
__BANKSIM_BOTH __half __hmin(__half x, __half y)
{
    return __half(__builtin_fminf((float)x, (float)y));
}
__BANKSIM_DEVICE __half hexp(__half x)
{
    return __half(expf((float)x));
}
__BANKSIM_DEVICE __half hsqrt(__half x)
{
    return __half(sqrtf((float)x));
}

#endif
