/* matrix.h - ldmatrix, stmatrix, mma and wmma: matrices that a warp holds together. */
#ifndef BSIM_PTX_MATRIX_H
#define BSIM_PTX_MATRIX_H

#include "ptx/machine.h"

/* The service of the instruction, or NULL. */
const struct bsim_ptx_service *bsim_ptx_find_matrix(const struct bsim_ptx_instruction *instruction);

#endif
