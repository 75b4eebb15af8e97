/* cuda_bf16.h - bfloat16, the upper half of a float, and pairs: what programs use of them. */
#ifndef BANKSIM_CUDA_BF16_H
#define BANKSIM_CUDA_BF16_H

#include "cuda_fp16.h"

__BANKSIM_CALLERS_LINES
__BANKSIM_BOTH float __banksim_bfloat_to_float(unsigned short bits)
{
    unsigned word = (unsigned)bits << 16;
    float value;
    __builtin_memcpy(&value, &word, 4);
    return value;
}
/* To nearest, ties to even. */
__BANKSIM_BOTH unsigned short __banksim_float_to_bfloat(float value)
{
    unsigned word;
    __builtin_memcpy(&word, &value, 4);
    return value != value ? 0x7fff : (unsigned short)((word + 0x7fff + (word >> 16 & 1)) >> 16);
}

#define __BANKSIM_FLOAT_OF_BFLOAT(x, bits) x = __banksim_bfloat_to_float(bits)
__BANKSIM_HALF_TYPE(__nv_bfloat16, __nv_bfloat162, __BANKSIM_FLOAT_OF_BFLOAT, "cvt.rn.bf16.f32",
                    __banksim_bfloat_to_float, __banksim_float_to_bfloat)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__BANKSIM_HALVES(__nv_bfloat16, __nv_bfloat162, "bf16")

/* ---- conversions by name, pairs -------------------------------------------------------------- */

__BANKSIM_HALF_NAMES(__nv_bfloat16, __nv_bfloat162, bfloat16)

__BANKSIM_OWN_LINES
#endif
