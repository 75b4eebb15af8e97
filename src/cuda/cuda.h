/* cuda.h - one file of CUDA C while it is made PTX; tokens, macros, types and operators are src/c's.
 *
 *     preprocess.c   directives
 *     parse*.c       tokens to trees, by recursive descent; the grammar stands above each function
 *     lower*.c       trees to instructions in registers and blocks, loops unrolled, calls inlined
 *     print.c        these as the text of a PTX module
 *
 * After the first failure there are no more tokens.
 */
#ifndef BSIM_CUDA_CUDA_H
#define BSIM_CUDA_CUDA_H

#include "c/token.h"

#include <banksim/cuda.h>

/* Begins with the text. False: memory is short, as the error says. */
bool bsim_cu_begin(struct cu_file *file, const char *name, const char *text, size_t length,
                   const struct bsim_cuda_headers *headers, struct bsim_error *err);

/* Frees all, and answers the status; *out is then as long as before if that is a failure. */
enum bsim_status bsim_cu_finish(struct cu_file *file, struct bsim_buffer *out, size_t before);

/* Why a word of C++ is not read, NULL: it is no such word. */
const char *bsim_cu_why_not(const struct cu_token *token);
/* For who misses a declaration: "; CUB is not read", "; headers that are not there: x.h", "". */
const char *bsim_cu_missing(struct cu_file *file, const struct cu_token *name);
/* The same, or "; did you mean 'x'?" of the name that comes nearest; either may be NULL. */
const char *bsim_cu_meant(struct cu_file *file, const char *nearest, const struct cu_token *name);

#endif
