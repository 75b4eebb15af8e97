/* cuda_fp16.h - half and half2: what programs use of them. */
#ifndef BANKSIM_CUDA_FP16_H
#define BANKSIM_CUDA_FP16_H

#include "banksim_cuda.h"

#include "banksim_cuda/half_math.h"

__BANKSIM_CALLERS_LINES
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

#define __BANKSIM_FLOAT_OF_HALF(x, bits) asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits))
__BANKSIM_HALF_TYPE(__half, __half2, __BANKSIM_FLOAT_OF_HALF, "cvt.rn.f16.f32",
                    __banksim_half_to_float, __banksim_float_to_half)
typedef __half half;
typedef __half2 half2;

__BANKSIM_HALVES(__half, __half2, "f16")

/* ---- conversions by name, pairs -------------------------------------------------------------- */

__BANKSIM_HALF_NAMES(__half, __half2, half)

__BANKSIM_OWN_LINES
#endif
