/* bits.h - bits of a word. */
#ifndef BSIM_BASE_BITS_H
#define BSIM_BASE_BITS_H

#include <stdint.h>

/* The number of the lowest bit that is set, and of the highest; there is one. */
#ifdef __GNUC__
static inline uint32_t bsim_bits_lowest(uint32_t bits)
{
    return (uint32_t)__builtin_ctz(bits);
}

static inline uint32_t bsim_bits_highest(uint32_t bits)
{
    return 31 - (uint32_t)__builtin_clz(bits);
}
#else
static inline uint32_t bsim_bits_lowest(uint32_t bits)
{
    uint32_t i = 0;
    while ((bits >> i & 1) == 0) {
        i++;
    }
    return i;
}

static inline uint32_t bsim_bits_highest(uint32_t bits)
{
    uint32_t i = 31;
    while ((bits >> i & 1) == 0) {
        i--;
    }
    return i;
}
#endif

/* How many bits are set: sums of pairs, of fours, of bytes, of all. */
static inline uint32_t bsim_bits_population(uint32_t bits)
{
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    return ((bits + (bits >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

/* What splitmix64 goes on by, and how it mixes (Steele, Lea and Flood, 2014): every bit of x moves half of the result. */
#define BSIM_BITS_GOLDEN UINT64_C(0x9e3779b97f4a7c15)
static inline uint64_t bsim_bits_mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

#endif
