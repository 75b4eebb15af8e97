/* prelude.h - CUDA C that is read before each file; see prelude.c. */
#ifndef BSIM_CUDA_PRELUDE_H
#define BSIM_CUDA_PRELUDE_H

#include <stddef.h>

extern const char *const bsim_cu_prelude[]; /* lines, up to NULL */

#endif
