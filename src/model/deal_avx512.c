/* deal_avx512.c - the dealer for processors with AVX-512 as of Ice Lake and Zen 4.
 *
 * All 32 lanes are done at once, whatever they ask for, with hardly a branch: a list of mixed
 * requests costs no more than one kind alone.
 *
 * Counting lanes per bank is adding up the columns of a bit matrix that has a row per lane, with
 * the bit of the lane's bank set. Eight rows become one byte per column when they are transposed (a
 * Galois field multiplication by the unit matrix does that to 8x8 bits), and then one instruction
 * counts the bits of each byte:
 *
 *     lane 0   00000010                  bank 0  ......1.  1
 *     lane 1   00000001   transposed     bank 1  .....1.1  2
 *     lane 2   00000010                  ...
 *
 * Groups count side by side: a group has at most 32 >> split banks, and so the matrix 32 columns.
 * Bank b of group g has column (b << split) + g. Then a group's columns lie all over the matrix,
 * and the largest of them is found by laying the sums' quarters upon one another.
 */
#define BSIM_FAST_HAS_POPCNT 1
#include "model/fast.h"

#ifdef BSIM_HAS_X86

#include "model/deal_x86.h"

#define TARGET                                                                                   \
    __attribute__((target("avx512f,avx512cd,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512bitalg," \
                          "gfni,bmi2,popcnt")))

enum { HALF = BSIM_WARP_LANES / 2 };

/* Both halves of the warp. */
struct lanes {
    __m512i low, high;
};

#define EIGHT(x) (x), (x), (x), (x), (x), (x), (x), (x)

/* What depends on split. */
_Alignas(64) static const struct plan {
    uint32_t bank_0[BSIM_WARP_LANES]; /* the column of the first bank of the lane's group */
    uint32_t lower[BSIM_WARP_LANES];  /* bits of a half warp's lanes that are in the lane's group */
} plans[3] = {
    {.bank_0 = {EIGHT(1), EIGHT(1), EIGHT(1), EIGHT(1)},
     .lower = {EIGHT(0xffff), EIGHT(0xffff), EIGHT(0xffff), EIGHT(0xffff)}},
    {.bank_0 = {EIGHT(1), EIGHT(1), EIGHT(2), EIGHT(2)},
     .lower = {EIGHT(0xffff), EIGHT(0xffff), EIGHT(0xffff), EIGHT(0xffff)}},
    {.bank_0 = {EIGHT(1), EIGHT(2), EIGHT(4), EIGHT(8)},
     .lower = {EIGHT(0xff), EIGHT(0xff00), EIGHT(0xff), EIGHT(0xff00)}},
};

TARGET static BSIM_FAST_INLINE struct lanes load(const uint32_t *from)
{
    struct lanes lanes = {_mm512_loadu_si512(from), _mm512_loadu_si512(from + HALF)};
    return lanes;
}

/* ---- lanes that want the same row ----------------------------------------------------------- */

/* Zero where high has what one of low's four lanes has that come to lie there. */
TARGET static BSIM_FAST_INLINE __m512i differ(__m512i high, __m512i low)
{
    __m512i by_1 = _mm512_shuffle_epi32(low, _MM_PERM_ADCB);
    __m512i by_2 = _mm512_shuffle_epi32(low, _MM_PERM_BADC);
    __m512i by_3 = _mm512_shuffle_epi32(low, _MM_PERM_CBAD);
    __m512i even = _mm512_min_epu32(_mm512_xor_si512(high, low), _mm512_xor_si512(high, by_2));
    __m512i odd = _mm512_min_epu32(_mm512_xor_si512(high, by_1), _mm512_xor_si512(high, by_3));
    return _mm512_min_epu32(even, odd);
}

/* Zero in the lanes of the high half whose row is also one of the low half's: each meets each as
 * the low half is turned round. */
TARGET static BSIM_FAST_INLINE __m512i differ_all(__m512i high, __m512i low)
{
    __m512i by_4 = _mm512_shuffle_i32x4(low, low, 0x39);
    __m512i by_8 = _mm512_shuffle_i32x4(low, low, 0x4e);
    __m512i by_12 = _mm512_shuffle_i32x4(low, low, 0x93);
    __m512i even = _mm512_min_epu32(differ(high, low), differ(high, by_8));
    __m512i odd = _mm512_min_epu32(differ(high, by_4), differ(high, by_12));
    return _mm512_min_epu32(even, odd);
}

struct halves {
    __mmask16 low, high;
};

/* The lanes without those whose row a lower lane of their group wants. */
TARGET static BSIM_FAST_INLINE struct halves firsts(const struct bsim_deal_ask *ask,
                                                    struct halves active, struct lanes at)
{
    __m512i bits = _mm512_set1_epi32((int)ask->row_bits);
    struct lanes row = {_mm512_and_si512(at.low, bits), _mm512_and_si512(at.high, bits)};
    struct lanes lower = load(plans[ask->split].lower);
    lower.low = _mm512_and_si512(lower.low, _mm512_set1_epi32((int)ask->lanes));
    lower.high = _mm512_and_si512(lower.high, _mm512_set1_epi32((int)(ask->lanes >> HALF)));
    struct halves first = {
        _mm512_mask_testn_epi32_mask(active.low, _mm512_conflict_epi32(row.low), lower.low),
        _mm512_mask_testn_epi32_mask(active.high, _mm512_conflict_epi32(row.high), lower.high)};
    if (ask->split == 0) {
        /* No row ends in 1. */
        __m512i low = _mm512_mask_mov_epi32(_mm512_set1_epi32(1), active.low, row.low);
        __m512i differs = differ_all(row.high, low);
        first.high = _mm512_mask_test_epi32_mask(first.high, differs, differs);
    }
    return first;
}

/* ---- turns ---------------------------------------------------------------------------------- */

/* Byte g of the answer (0 to 3): the largest of columns g, 4 + g, 8 + g, ... of the matrix with
 * these 32 rows. */
TARGET static BSIM_FAST_INLINE __m128i largest_columns(struct lanes row)
{
    /* Byte 8 i + l of the result: byte i % 4 of lane 8 (i / 4) + l of this half. */
    const __m512i octets = _mm512_set_epi64(
        0x3f3b37332f2b2723, 0x3e3a36322e2a2622, 0x3d3935312d292521, 0x3c3834302c282420,
        0x1f1b17130f0b0703, 0x1e1a16120e0a0602, 0x1d1915110d090501, 0x1c1814100c080400);
    const __m512i unit = _mm512_set1_epi64((long long)0x8040201008040201);
    __m512i low = _mm512_permutexvar_epi8(octets, row.low);
    __m512i high = _mm512_permutexvar_epi8(octets, row.high);
    low = _mm512_popcnt_epi8(_mm512_gf2p8affine_epi64_epi8(unit, low, 0));
    high = _mm512_popcnt_epi8(_mm512_gf2p8affine_epi64_epi8(unit, high, 0));
    low = _mm512_add_epi8(low, high);
    __m256i column =
        _mm256_add_epi8(_mm512_castsi512_si256(low), _mm512_extracti64x4_epi64(low, 1));
    __m128i most =
        _mm_max_epu8(_mm256_castsi256_si128(column), _mm256_extracti128_si256(column, 1));
    most = _mm_max_epu8(most, _mm_shuffle_epi32(most, 0x4e));
    return _mm_max_epu8(most, _mm_shuffle_epi32(most, 0xb1));
}

TARGET static BSIM_FAST_INLINE struct bsim_deal deal(const struct bsim_deal_ask *ask,
                                                     const uint32_t address[BSIM_WARP_LANES])
{
    const struct plan *plan = &plans[ask->split];
    struct lanes at = load(address);
    struct halves active = {(__mmask16)ask->lanes, (__mmask16)(ask->lanes >> HALF)};
    struct halves first = ask->shares ? firsts(ask, active, at) : active;
    __m128i from = _mm_cvtsi32_si128((int)(ask->bank_from - ask->split));
    __m512i last = _mm512_set1_epi32((int)(ask->last_bank << ask->split));
    struct lanes bank_0 = load(plan->bank_0);
    struct lanes bank = {_mm512_and_si512(_mm512_srl_epi32(at.low, from), last),
                         _mm512_and_si512(_mm512_srl_epi32(at.high, from), last)};
    bank.low = _mm512_maskz_sllv_epi32(first.low, bank_0.low, bank.low);
    bank.high = _mm512_maskz_sllv_epi32(first.high, bank_0.high, bank.high);

    return bsim_x86_deal(largest_columns(bank), ask->split,
                         first.low | (uint32_t)first.high << HALF);
}

TARGET static BSIM_FAST_INLINE bool pairs_at(uint32_t mask, struct lanes at, struct lanes neighbour,
                                             uint32_t neighbour_mask)
{
    uint32_t both = mask & neighbour_mask;
    uint32_t low = _mm512_mask_cmpneq_epi32_mask((__mmask16)both, at.low, neighbour.low);
    uint32_t high =
        _mm512_mask_cmpneq_epi32_mask((__mmask16)(both >> HALF), at.high, neighbour.high);
    return (low | high) == 0;
}

TARGET static BSIM_FAST_INLINE bool pairs(uint32_t mask, const uint32_t address[BSIM_WARP_LANES])
{
    struct lanes at = load(address);
    struct lanes by_1 = {_mm512_shuffle_epi32(at.low, _MM_PERM_CDAB),
                         _mm512_shuffle_epi32(at.high, _MM_PERM_CDAB)};
    struct lanes by_2 = {_mm512_shuffle_epi32(at.low, _MM_PERM_BADC),
                         _mm512_shuffle_epi32(at.high, _MM_PERM_BADC)};
    uint32_t mask_1 = (mask & 0x55555555) << 1 | (mask >> 1 & 0x55555555);
    uint32_t mask_2 = (mask & 0x33333333) << 2 | (mask >> 2 & 0x33333333);
    return pairs_at(mask, at, by_1, mask_1) || pairs_at(mask, at, by_2, mask_2);
}

TARGET bool bsim_fast_count_avx512(const struct bsim_device *device,
                                   const struct bsim_opcode *opcode, uint32_t mask,
                                   const uint32_t address[BSIM_WARP_LANES],
                                   struct bsim_counts *counts)
{
    return bsim_fast_count(deal, pairs, device, opcode, mask, address, counts);
}

TARGET void bsim_fast_sum_avx512(const struct bsim_fast_plan *plan, uint32_t mask,
                                 const uint32_t address[BSIM_WARP_LANES], uint64_t n,
                                 struct bsim_fast_sums *sums)
{
    bsim_fast_sum(deal, pairs, plan, mask, address, n, sums);
}

TARGET static BSIM_FAST_INLINE __m512i narrow(const uint64_t *from)
{
    __m256i low = _mm512_cvtepi64_epi32(_mm512_loadu_si512(from));
    __m256i high = _mm512_cvtepi64_epi32(_mm512_loadu_si512(from + HALF / 2));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

TARGET void bsim_fast_list_avx512(const struct bsim_event *event, uint32_t address[BSIM_WARP_LANES])
{
    const __m512i number = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    struct lanes at;
    if (event->affine) {
        __m512i stride = _mm512_set1_epi32((int)event->stride);
        at.low = _mm512_add_epi32(_mm512_set1_epi32((int)event->base),
                                  _mm512_mullo_epi32(number, stride));
        at.high = _mm512_add_epi32(at.low, _mm512_slli_epi32(stride, 4));
    } else {
        at.low = narrow(event->address);
        at.high = narrow(event->address + HALF);
    }
    _mm512_storeu_si512(address, at.low);
    _mm512_storeu_si512(address + HALF, at.high);
}

#endif
