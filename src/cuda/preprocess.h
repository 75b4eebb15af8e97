/* preprocess.h - directives and macros. */
#ifndef BSIM_CUDA_PREPROCESS_H
#define BSIM_CUDA_PREPROCESS_H

#include "cuda/cuda.h"

/* What is left of the tokens when directives are followed and macros replaced. `#include` of a
 * name in angles is passed over, as what CUDA's own headers declare is known. Of a
 * `#pragma unroll N` stays a CU_UNROLL, the tokens of N, and a ';'. */
struct cu_token *bsim_cu_preprocess(struct cu_file *file, struct cu_token *tokens);

#endif
