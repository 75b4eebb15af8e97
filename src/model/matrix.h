/* matrix.h - ldmatrix and stmatrix; see matrix.c. */
#ifndef BSIM_MODEL_MATRIX_H
#define BSIM_MODEL_MATRIX_H

#include <banksim/model.h>

enum {
    BSIM_MATRIX_ROWS = 8, /* of one 8x8 matrix; one address each */
    BSIM_MATRIX_ROW_BYTES = 16,
};

/* The lanes that get, or give, the 4-byte words [word, word + n_words) (of 4) of row `row` (of 8)
 * of a matrix. */
uint32_t bsim_matrix_receivers(const struct bsim_opcode *opcode, uint32_t row, uint32_t word,
                               uint32_t n_words);

#endif
