/* deal_avx2.c - the dealer for x86 processors with AVX2 and without the AVX-512 of deal_avx512.c.
 *
 * Counting lanes per bank is adding up rows of 32 bytes, one per lane, with a 1 in the column of
 * the lane's bank. All such rows are cut from one:
 *
 *     0 0 0 ... 0 0 1 0 0 ... 0       64 bytes, the 1 in the middle; 32 of them are a row
 *               |<--- column 1
 *
 * If no bank has two lanes, no two want the same row either, which is the usual case and done. All
 * at one address is the next. Only then each lane is held against the lower ones of its group.
 */
#define BSIM_FAST_HAS_POPCNT 1
#include "model/fast.h"

#ifdef BSIM_HAS_X86

#include "model/deal_x86.h"

#define TARGET __attribute__((target("avx2,bmi2,popcnt")))

/* Vectors in an array stay in registers only if its index is known. */
#define UNROLL _Pragma("GCC unroll 16")

enum { PART = 8, N_PARTS = BSIM_WARP_LANES / PART, N_COLUMNS = 32 };

/* The warp in four parts. */
struct lanes {
    __m256i part[N_PARTS];
};

TARGET static BSIM_FAST_INLINE struct lanes load(const uint32_t *from)
{
    struct lanes lanes;
    UNROLL
    for (size_t i = 0; i < N_PARTS; i++) {
        lanes.part[i] = _mm256_loadu_si256((const void *)(from + i * PART));
    }
    return lanes;
}

/* All bits of the lanes that are in the set. */
TARGET static BSIM_FAST_INLINE struct lanes of_set(uint32_t set)
{
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    struct lanes lanes;
    UNROLL
    for (size_t i = 0; i < N_PARTS; i++) {
        __m256i mine = _mm256_and_si256(_mm256_set1_epi32((int)(set >> i * PART)), bits);
        lanes.part[i] = _mm256_cmpeq_epi32(mine, bits);
    }
    return lanes;
}

/* ---- turns ---------------------------------------------------------------------------------- */

/* For each lane, where in `middle` its row begins: 32 - column, or 0 for a row without a 1. */
TARGET static BSIM_FAST_INLINE struct lanes row_places(const struct bsim_deal_ask *ask,
                                                       struct lanes at)
{
    static const uint8_t group[3][N_PARTS] = {{0, 0, 0, 0}, {0, 0, 1, 1}, {0, 1, 2, 3}};
    __m128i from = _mm_cvtsi32_si128((int)(ask->bank_from - ask->split));
    __m256i last = _mm256_set1_epi32((int)(ask->last_bank << ask->split));
    struct lanes places;
    UNROLL
    for (size_t i = 0; i < N_PARTS; i++) {
        __m256i bank = _mm256_and_si256(_mm256_srl_epi32(at.part[i], from), last);
        __m256i bank_0 = _mm256_set1_epi32(N_COLUMNS - group[ask->split][i]);
        places.part[i] = _mm256_sub_epi32(bank_0, bank);
    }
    return places;
}

/* The sums of the columns over the lanes of the set. */
TARGET static BSIM_FAST_INLINE __m256i sum_columns(struct lanes places, uint32_t set)
{
    _Alignas(64) static const uint8_t middle[2 * N_COLUMNS] = {[N_COLUMNS] = 1};
    _Alignas(32) uint32_t place[BSIM_WARP_LANES];
    struct lanes in_set = of_set(set);
    UNROLL
    for (size_t i = 0; i < N_PARTS; i++) {
        _mm256_store_si256((void *)(place + i * PART),
                           _mm256_and_si256(places.part[i], in_set.part[i]));
    }
    __m256i even = _mm256_setzero_si256(), odd = even;
    UNROLL
    for (size_t lane = 0; lane < BSIM_WARP_LANES; lane += 2) {
        const uint8_t *row = middle + place[lane], *next = middle + place[lane + 1];
        even = _mm256_add_epi8(even, _mm256_loadu_si256((const void *)row));
        odd = _mm256_add_epi8(odd, _mm256_loadu_si256((const void *)next));
    }
    return _mm256_add_epi8(even, odd);
}

/* Byte i (0 to 3): the largest of columns i, 4 + i, 8 + i, ... */
TARGET static BSIM_FAST_INLINE __m128i largest_columns(__m256i column)
{
    __m128i most =
        _mm_max_epu8(_mm256_castsi256_si128(column), _mm256_extracti128_si256(column, 1));
    most = _mm_max_epu8(most, _mm_shuffle_epi32(most, 0x4e));
    return _mm_max_epu8(most, _mm_shuffle_epi32(most, 0xb1));
}

TARGET static BSIM_FAST_INLINE bool any_above_1(__m128i most)
{
    return (bsim_x86_scalar(most) & 0xfefefefe) != 0;
}

/* ---- lanes that want the same row ----------------------------------------------------------- */

TARGET static BSIM_FAST_INLINE uint32_t to_set(struct lanes lanes)
{
    uint32_t set = 0;
    UNROLL
    for (size_t i = 0; i < N_PARTS; i++) {
        set |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(lanes.part[i])) << i * PART;
    }
    return set;
}

TARGET static BSIM_FAST_INLINE void mark(__m256i *marks, __m256i row, __m256i other)
{
    *marks = _mm256_or_si256(*marks, _mm256_cmpeq_epi32(row, other));
}

/* The lanes whose row is also that of a lower lane of their group. Each part is turned round so
 * that each of its lanes meets each of the others, and each of the later parts of its group. */
TARGET static uint32_t repeated(const struct bsim_deal_ask *ask, struct lanes at)
{
    const __m256i one = _mm256_set1_epi32(1), number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i bits = _mm256_set1_epi32((int)ask->row_bits);
    struct lanes active = of_set(ask->lanes), row, marks;
    UNROLL
    for (size_t i = 0; i < N_PARTS; i++) {
        /* No row ends in 1: nobody shares with a lane that takes no part. */
        row.part[i] = _mm256_blendv_epi8(one, _mm256_and_si256(at.part[i], bits), active.part[i]);
        marks.part[i] = _mm256_setzero_si256();
    }
    for (int by = 0; by < PART; by++) {
        __m256i from = _mm256_and_si256(_mm256_sub_epi32(number, _mm256_set1_epi32(by)),
                                        _mm256_set1_epi32(PART - 1));
        __m256i is_lower = _mm256_cmpgt_epi32(number, from);
        struct lanes turned;
        UNROLL
        for (size_t i = 0; i < N_PARTS; i++) {
            turned.part[i] = _mm256_permutevar8x32_epi32(row.part[i], from);
            __m256i same = _mm256_cmpeq_epi32(row.part[i], turned.part[i]);
            marks.part[i] = _mm256_or_si256(marks.part[i], _mm256_and_si256(same, is_lower));
        }
        if (ask->split < 2) {
            mark(&marks.part[1], row.part[1], turned.part[0]);
            mark(&marks.part[3], row.part[3], turned.part[2]);
        }
        if (ask->split == 0) {
            mark(&marks.part[2], row.part[2], turned.part[0]);
            mark(&marks.part[2], row.part[2], turned.part[1]);
            mark(&marks.part[3], row.part[3], turned.part[0]);
            mark(&marks.part[3], row.part[3], turned.part[1]);
        }
    }
    return to_set(marks);
}

/* All lanes want one row. */
TARGET static BSIM_FAST_INLINE bool agree(const struct bsim_deal_ask *ask, struct lanes at,
                                          const uint32_t address[BSIM_WARP_LANES])
{
    uint32_t one = address[bsim_fast_trailing_zeros(ask->lanes)] & ask->row_bits;
    __m256i bits = _mm256_set1_epi32((int)ask->row_bits), row = _mm256_set1_epi32((int)one);
    UNROLL
    for (size_t i = 0; i < N_PARTS; i++) {
        at.part[i] = _mm256_cmpeq_epi32(_mm256_and_si256(at.part[i], bits), row);
    }
    return (ask->lanes & ~to_set(at)) == 0;
}

TARGET static BSIM_FAST_INLINE struct bsim_deal deal(const struct bsim_deal_ask *ask,
                                                     const uint32_t address[BSIM_WARP_LANES])
{
    struct lanes at = load(address);
    struct lanes places = row_places(ask, at);
    __m128i most = largest_columns(sum_columns(places, ask->lanes));
    uint32_t firsts = ask->lanes;
    if (ask->shares && any_above_1(most)) {
        firsts = agree(ask, at, address) ? bsim_fast_lowest(ask) : ask->lanes & ~repeated(ask, at);
        most = largest_columns(sum_columns(places, firsts));
    }
    return bsim_x86_deal(most, ask->split, firsts);
}

/* ---- the pair rule -------------------------------------------------------------------------- */

TARGET static BSIM_FAST_INLINE bool pairs(uint32_t mask, const uint32_t address[BSIM_WARP_LANES])
{
    struct lanes at = load(address), by_1, by_2;
    UNROLL
    for (size_t i = 0; i < N_PARTS; i++) {
        by_1.part[i] = _mm256_cmpeq_epi32(at.part[i], _mm256_shuffle_epi32(at.part[i], 0xb1));
        by_2.part[i] = _mm256_cmpeq_epi32(at.part[i], _mm256_shuffle_epi32(at.part[i], 0x4e));
    }
    uint32_t both_1 = mask & ((mask & 0x55555555) << 1 | (mask >> 1 & 0x55555555));
    uint32_t both_2 = mask & ((mask & 0x33333333) << 2 | (mask >> 2 & 0x33333333));
    return (both_1 & ~to_set(by_1)) == 0 || (both_2 & ~to_set(by_2)) == 0;
}

TARGET bool bsim_fast_count_avx2(const struct bsim_device *device, const struct bsim_opcode *opcode,
                                 uint32_t mask, const uint32_t address[BSIM_WARP_LANES],
                                 struct bsim_counts *counts)
{
    return bsim_fast_count(deal, pairs, device, opcode, mask, address, counts);
}

TARGET void bsim_fast_sum_avx2(const struct bsim_fast_plan *plan, uint32_t mask,
                               const uint32_t address[BSIM_WARP_LANES], uint64_t n,
                               struct bsim_fast_sums *sums)
{
    bsim_fast_sum(deal, pairs, plan, mask, address, n, sums);
}

TARGET static BSIM_FAST_INLINE __m256i narrow(const uint64_t *from)
{
    __m256 low = _mm256_castsi256_ps(_mm256_loadu_si256((const void *)from));
    __m256 high = _mm256_castsi256_ps(_mm256_loadu_si256((const void *)(from + PART / 2)));
    __m256i mixed = _mm256_castps_si256(_mm256_shuffle_ps(low, high, 0x88));
    return _mm256_permute4x64_epi64(mixed, 0xd8);
}

TARGET void bsim_fast_list_avx2(const struct bsim_event *event, uint32_t address[BSIM_WARP_LANES])
{
    const __m256i number = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256i stride = _mm256_set1_epi32((int)event->stride);
    __m256i in_step =
        _mm256_add_epi32(_mm256_set1_epi32((int)event->base), _mm256_mullo_epi32(number, stride));
    UNROLL
    for (size_t i = 0; i < N_PARTS; i++) {
        __m256i part = event->affine ? in_step : narrow(event->address + i * PART);
        _mm256_storeu_si256((void *)(address + i * PART), part);
        in_step = _mm256_add_epi32(in_step, _mm256_slli_epi32(stride, 3));
    }
}

#endif
