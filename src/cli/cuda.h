/* cuda.h - what `banksim cuda` is made of beside its command. */
#ifndef BSIM_CLI_CUDA_H
#define BSIM_CLI_CUDA_H

#include "cli/cli.h"

/* Reads from a file what a linker said. If all that it misses are functions of NVIDIA's libraries, writes a
 * C++ source that has them and names them on standard error; false if that is not all, or cannot be
 * written. */
bool bsim_cli_cuda_absent(const char *linker_says, const char *source, bool skips);

/* Reads from a file what a compiler or linker said, and says in one line on standard error what was
 * missing and what can be done. */
void bsim_cli_cuda_answer(const char *compiler_says, bool is_clang);

#endif
