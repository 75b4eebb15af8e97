/* builtin_types.h - of CUDA, as programs include it; all of it is in banksim_cuda.h. */
#include "banksim_cuda.h"
