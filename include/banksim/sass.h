/* sass.h - kernels in machine code, made PTX: what ptxas has decided stands in it, so that nothing about it is assumed.
 *
 *     nvcc -arch=sm_90 -cubin -o k.cubin k.cu && cuobjdump -elf -sass k.cubin > k.sass
 *
 *     struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
 *     if (bsim_sass_ptx("k.sass", text, length, &ptx, &err) == BSIM_OK &&
 *         bsim_ptx_call_new("k.sass", ptx.data, ptx.size_bytes, "scale<<<4, 128>>>(...)", &call, &err) == ...
 *
 * What of machine code is read stands in src/sass/README.md. What is not in it is refused by the instruction, when a launch comes to
 * it; it is never read as something else.
 */
#ifndef BANKSIM_SASS_H
#define BANKSIM_SASS_H

#include <banksim/status.h>

/* Whether text[0..length) is cuobjdump's of machine code. */
BSIM_API bool bsim_sass_is(const char *text, size_t length);

/* Appends the text of a PTX module to *ptx, with all kernels of text[0..length), which cuobjdump -elf -sass has written of code for
 * one architecture, sm_80 to sm_90. name is the text's file's, for messages and for the module's lines, which are the text's. The
 * module's instructions stand in machine code's order, and carry what ptxas has written about when each may issue.
 *
 * Fails with BSIM_E_INPUT, at its place, for a text of another form, of several architectures or of one that is not known, and for a
 * name with '"' or a line's end, and with BSIM_E_MEMORY; *ptx is then as before. The caller frees *ptx. Nothing is shared between calls. */
BSIM_API enum bsim_status bsim_sass_ptx(const char *name, const char *text, size_t length, struct bsim_buffer *ptx,
                                        struct bsim_error *err) BSIM_MUST_USE;

#endif
