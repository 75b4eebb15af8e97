/* deal_x86.h - what the dealers with vector instructions share; see deal_avx512.c. */
#ifndef BSIM_MODEL_DEAL_X86_H
#define BSIM_MODEL_DEAL_X86_H

#include "model/fast.h"

#include <immintrin.h>

static BSIM_FAST_INLINE uint32_t bsim_x86_scalar(__m128i vector)
{
    return (uint32_t)_mm_cvtsi128_si32(vector);
}

/* The answer from the largest columns. Bank b of group g has column (b << split) + g, so that byte
 * i of `most` (0 to 3), the largest of columns i, 4 + i, 8 + i, ..., belongs to group i mod
 * 2^split. */
static BSIM_FAST_INLINE struct bsim_deal bsim_x86_deal(__m128i most, uint32_t split,
                                                       uint32_t firsts)
{
    /* By split: which bytes are the groups' ways after they were laid upon one another twice, once
     * and not at all. */
    static const uint32_t by_32[3] = {0xff, 0, 0};
    static const uint32_t by_16[3] = {0, 0xffff, 0};
    static const uint32_t by_8[3] = {0, 0, 0xffffffff};
    __m128i ways_16 = _mm_max_epu8(most, _mm_srli_epi32(most, 16));
    __m128i ways_32 = _mm_max_epu8(ways_16, _mm_srli_epi32(ways_16, 8));
    uint32_t ways = (bsim_x86_scalar(most) & by_8[split]) |
                    (bsim_x86_scalar(ways_16) & by_16[split]) |
                    (bsim_x86_scalar(ways_32) & by_32[split]);
    struct bsim_deal deal = {
        .turns = ways * 0x01010101 >> 24, /* the sum of the bytes, at most 32 */
        .groups = bsim_fast_population((ways + 0x7f7f7f7f) & 0x80808080),
        .ways = bsim_x86_scalar(ways_32) & 0xff,
        .firsts = firsts,
    };
    return deal;
}

#endif
