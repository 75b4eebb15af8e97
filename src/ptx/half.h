/* half.h - 16-bit numbers with a point: IEEE 754's binary16, and bfloat16, the upper half of a
 * float. */
#ifndef BSIM_PTX_HALF_H
#define BSIM_PTX_HALF_H

#include <stdint.h>
#include <string.h>

static inline uint32_t bsim_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float bsim_bits_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* bits without their `n` lowest, to nearest, ties to even. */
static inline uint32_t bsim_round_off(uint32_t bits, uint32_t n)
{
    uint32_t kept = bits >> n, lost = bits & ((UINT32_C(1) << n) - 1),
             middle = UINT32_C(1) << (n - 1);
    return kept + (lost > middle || (lost == middle && (kept & 1)));
}

/* To the nearest, ties to even; what is too large is infinite. */
static inline uint16_t bsim_half_from_float(float value)
{
    uint32_t bits = bsim_float_bits(value);
    uint32_t sign = bits >> 16 & 0x8000, exponent = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
    if (exponent == 0xff) {
        return (uint16_t)(fraction != 0 ? 0x7fff : sign | 0x7c00);
    }
    if (exponent < 102) { /* below half of the least */
        return (uint16_t)sign;
    }
    if (exponent < 113) { /* below 2^-14: without the hidden bit */
        return (uint16_t)(sign | bsim_round_off(fraction | 0x800000, 126 - exponent));
    }
    uint32_t result = bsim_round_off((exponent - 112) << 23 | fraction, 13);
    return (uint16_t)(sign | (result < 0x7c00 ? result : 0x7c00));
}

static inline float bsim_float_from_half(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31,
             fraction = half & 0x3ff;
    if (exponent == 31) {
        return bsim_bits_float(sign | 0x7f800000 | fraction << 13);
    }
    if (exponent == 0) { /* fraction * 2^-24 */
        return bsim_bits_float(sign | bsim_float_bits((float)fraction * 0x1p-24f));
    }
    return bsim_bits_float(sign | (exponent + 112) << 23 | fraction << 13);
}

/* Of 8 bits: 4 of exponent, 3 of fraction; all ones is no number, and nothing is infinite. */
static inline uint16_t bsim_half_from_e4m3(uint32_t bits)
{
    uint32_t exponent = bits >> 3 & 15, fraction = bits & 7;
    float magnitude =
        exponent == 0 ? (float)fraction * 0x1p-9f : (float)((8 + fraction) << exponent) * 0x1p-10f;
    uint32_t half = bsim_half_from_float(magnitude) | (bits & 0x80) << 8;
    return (uint16_t)((bits & 0x7f) == 0x7f ? 0x7fff : half);
}

/* The upper half of an f16; what is no number has one form. */
static inline uint16_t bsim_half_from_e5m2(uint32_t bits)
{
    return (uint16_t)((bits & 0x7f) <= 0x7c ? bits << 8 : 0x7fff);
}

static inline uint16_t bsim_bfloat_from_float(float value)
{
    uint32_t bits = bsim_float_bits(value);
    return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : bsim_round_off(bits, 16));
}

static inline float bsim_float_from_bfloat(uint16_t bfloat)
{
    return bsim_bits_float((uint32_t)bfloat << 16);
}

#endif
