/* mangle.h - names of functions in PTX, by the Itanium C++ ABI. */
#ifndef BSIM_CUDA_MANGLE_H
#define BSIM_CUDA_MANGLE_H

#include "cuda/tree.h"

/* _Z9transposePKfPfii */
const char *bsim_cu_mangle(struct cu_file *file, const struct cu_function *function);

#endif
