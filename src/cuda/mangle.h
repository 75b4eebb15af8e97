/* mangle.h - names of functions in PTX, by the Itanium C++ ABI. */
#ifndef BSIM_CUDA_MANGLE_H
#define BSIM_CUDA_MANGLE_H

#include "cuda/tree.h"

/* _Z9transposePKfPfii */
/* Li32Ef: a template's arguments, in full. */
const char *bsim_cu_mangled_arguments(struct cu_file *file, const struct cu_argument *argument,
                                      uint32_t n);

const char *bsim_cu_mangle(struct cu_file *file, const struct cu_function *function);

#endif
