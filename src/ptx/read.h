/* read.h - the text of a PTX module to its functions and variables. */
#ifndef BSIM_PTX_READ_H
#define BSIM_PTX_READ_H

#include "ptx/module.h"

/* Reads text[0..length), which need not be terminated; name is the file's, for messages. On success
 * *module is the caller's to free with bsim_ptx_module_free; it has a copy of the text. Fails with
 * BSIM_E_INPUT, with line and column, for text that is no PTX module (ISA 6 to 9), and
 * BSIM_E_MEMORY. */
enum bsim_status bsim_ptx_read(const char *name, const char *text, size_t length,
                               struct bsim_ptx_module **module,
                               struct bsim_error *err) BSIM_MUST_USE;

/* NULL is fine. */
void bsim_ptx_module_free(struct bsim_ptx_module *module);

#endif
