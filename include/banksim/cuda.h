/* cuda.h - kernels in CUDA C, made PTX without a compiler.
 *
 *     struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
 *     if (bsim_cuda_ptx("k.cu", text, length, "scale", &ptx, &err) == BSIM_OK &&
 *         bsim_ptx_call_new("k.cu", ptx.data, ptx.size_bytes, "scale<<<4, 128>>>(...)", &call, &err) == ...
 *
 * What part of CUDA C is read stands in src/cuda/README.md. What is not in it is refused where it
 * stands; it is never read as something else.
 */
#ifndef BANKSIM_CUDA_H
#define BANKSIM_CUDA_H

#include <banksim/status.h>

/* Appends the text of a PTX module to *ptx: the kernel of text[0..length) that has this name, as the
 * source has it, or all of them if it is NULL. name is the text's file's, for messages and for the
 * module's source lines. Of the file, declarations and what the kernel calls are read, and host code is
 * passed over. The text is what a compiler would make of it as far as memory is concerned: loops are
 * unrolled, functions inlined, values kept in registers.
 *
 * Fails with BSIM_E_INPUT, at its place, for what is no CUDA C or is not read here, and for a kernel
 * that is not there (of the names that are, the closest is proposed), and with BSIM_E_MEMORY; *ptx is
 * then as before. The caller frees *ptx. Nothing is shared between calls. */
BSIM_API enum bsim_status bsim_cuda_ptx(const char *name, const char *text, size_t length,
                                        const char *kernel, struct bsim_buffer *ptx,
                                        struct bsim_error *err) BSIM_MUST_USE;

#endif
