/* l1.c - global memory: the wavefronts of one warp request in the data banks of L1.
 *
 * From Volta on L1 and shared memory are one memory, and an H200's requests to either go through
 * one data pipe: 16 warps with 32 ways each in L1 and 16 more in shared memory take twice as long
 * as either alone (tests/measured/h200/global/times.csv). So what L1 has conflicts of its own, by
 * the same rule, a word of 4 bytes in each of 32 banks:
 *
 *     lane l at   lines   words of the busiest bank   clocks per request, measured
 *     4 l           1               1                        1.6 (what a loop can issue)
 *     16 l          4               4                        4.01
 *     128 l        32              32                       32.02
 *     132 l        32               1                        8.01
 *
 * The last row is the other limit: the tags of four lines are looked up in a clock.
 *
 * Wide accesses are as words that lie side by side: 8 bytes in 16 pairs of banks, 16 in 8 fours.
 * That makes 2 and 4 wavefronts of lanes in a row, which is what was counted (`vector_load_64` and
 * _128); how others go in groups is not known, so the count is a least one. Stores are taken to be
 * as loads.
 */
#include "model/l1.h"

#include "model/fast.h"

enum { WORD_LOG2 = 2, LINE_LOG2 = 7 };

uint32_t bsim_l1_wavefronts(uint32_t bytes, uint32_t lanes, const uint64_t address[BSIM_WARP_LANES],
                            uint32_t lines)
{
    uint32_t low[BSIM_WARP_LANES], word = bsim_fast_log2(bytes);
    struct bsim_fast_sums sums = {0};
    word = word > WORD_LOG2 ? word : WORD_LOG2;
    if (lines <= 1) {
        return lines;
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        low[lane] = (uint32_t)address[lane];
    }
    struct bsim_fast_plan plan = {
        .ask = {.row_bits = ~UINT32_C(0) << word,
                .bank_from = word,
                .last_bank = (UINT32_C(1) << (LINE_LOG2 - word)) - 1,
                .shares = true},
    };
    bsim_fast_best_summer()(&plan, lanes, low, 1, &sums);
    return (uint32_t)sums.turns;
}
