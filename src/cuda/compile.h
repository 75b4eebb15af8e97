/* compile.h - a kernel's tree as the text of a PTX function. */
#ifndef BSIM_CUDA_COMPILE_H
#define BSIM_CUDA_COMPILE_H

#include "cuda/tree.h"

/* Appends .entry ... { ... }. Its variables in memory are marked as told (is_told) where they are of
 * weight. */
void bsim_cu_compile(struct cu_module *module, struct cu_function *kernel, struct bsim_buffer *out);

/* What its address is a multiple of. */
uint32_t bsim_cu_alignment_of(const struct cu_variable *v);

/* Appends " .align 4 .f32 tile[32][33]": what the variable's space, which stands in front of it, has there.
 * What is no array of numbers is so many bytes. */
void bsim_cu_print_declaration(const struct cu_variable *v, struct bsim_buffer *out);

/* Appends the line in front of it that says what a shared array is of, as PTX has no word for it:
 * `.pragma "banksim elements half2";`, of a struct of the file's own without a name. Then the declaration's
 * last dimension is the bytes of one: `.align 4 .b8 tile[32][33][4]`. Nothing for others. */
void bsim_cu_print_elements(struct cu_file *file, const struct cu_variable *v,
                            struct bsim_buffer *out);

#endif
