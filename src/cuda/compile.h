/* compile.h - a kernel's tree as the text of a PTX function. */
#ifndef BSIM_CUDA_COMPILE_H
#define BSIM_CUDA_COMPILE_H

#include "cuda/tree.h"

/* Appends .entry ... { ... }. Its variables in memory are marked as told (is_told) where they are of
 * weight. */
void bsim_cu_compile(struct cu_module *module, struct cu_function *kernel, struct bsim_buffer *out);

#endif
