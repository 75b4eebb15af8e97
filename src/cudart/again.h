/* again.h - launches that need not be run, since they would do what an earlier one did; see again.c. */
#ifndef BSIM_CUDART_AGAIN_H
#define BSIM_CUDART_AGAIN_H

#include "ptx/launch.h"

/* How many launches before this one, which is the number-th of the program, stands one that did
 * exactly what it would do; 0: none that is known, and it has to be run. */
uint32_t bsim_cuda_again(const struct bsim_ptx_launch *launch, uint64_t number);

/* The launch has been run, without a fault, and took that long. */
void bsim_cuda_ran(const struct bsim_ptx_launch *launch, uint64_t number, double seconds);

#endif
