/* deal.h - how many threads of a block a kernel's text has in mind. */
#ifndef BSIM_CUDA_DEAL_H
#define BSIM_CUDA_DEAL_H

#include "cuda/host.h"

/* Threads along x and y; 0: the text does not say. */
struct cu_dealt {
    int64_t x, y;
};

/* By the indices into the shared array, whose name's declaration is token `array` of the kernel with that body,
 * and whose first n_dimensions sizes are given. */
struct cu_dealt bsim_cu_dealt(const struct cu_host *host, size_t body, size_t array,
                              const int64_t *size, uint32_t n_dimensions);

#endif
