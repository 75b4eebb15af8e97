/* ptx_sums.h - drawn sums and products without a rounding, which ptxas may contract. */
#ifndef CROSSCHECK_PTX_SUMS_H
#define CROSSCHECK_PTX_SUMS_H

#include "ptx_chains.h"

/* The batch's module, of as many kernels as one of chains and as they have them: instead of
 * registers, `out` takes values that nobody uses, and some that somebody does. `length` says how
 * many are computed. */
void ptx_write_sums(FILE *file, uint64_t seed, size_t batch, size_t length);

#endif
