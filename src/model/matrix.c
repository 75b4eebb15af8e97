/* matrix.c - ldmatrix and stmatrix: eight rows of 16 bytes make a group.
 *
 * xN moves N matrices of 8x8 16-bit elements. Lanes 0-7 hold the row addresses of the first
 * matrix, lanes 8-15 those of the second, and so on; the other lanes' addresses do not matter. Each
 * matrix is one group: its 8 rows of 16 bytes fill 32 banks of 4 bytes exactly, if no two rows
 * share a bank. The data goes to other lanes than those that gave the address:
 *
 *             word 0   word 1   word 2   word 3         .trans: lane l gets column l / 4 of rows
 *     row 0   lane 0   lane 1   lane 2   lane 3         2 * (l % 4) and 2 * (l % 4) + 1, so word w
 *     row 1   lane 4   lane 5   lane 6   lane 7         of row r (columns 2w and 2w + 1) goes to
 *     ...                                               lanes 8w + r / 2 and 8w + 4 + r / 2
 *     row 7   lane 28  lane 29  lane 30  lane 31
 *
 * Source: the fragment layout is the PTX ISA's; one group per matrix is counted on an H200
 * (tests/measured/h200), and agrees with a sum that LeetCUDA published for an L20.
 */
#include "model/matrix.h"

static uint32_t word_receivers(const struct bsim_opcode *opcode, uint32_t row, uint32_t word)
{
    if (opcode->is_transposed) {
        return UINT32_C(0x11) << (8 * word + row / 2);
    }
    return UINT32_C(1) << (4 * row + word);
}

uint32_t bsim_matrix_receivers(const struct bsim_opcode *opcode, uint32_t row, uint32_t word,
                               uint32_t n_words)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < n_words; i++) {
        lanes |= word_receivers(opcode, row, word + i);
    }
    return lanes;
}
