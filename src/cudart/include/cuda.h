/* cuda.h - of CUDA, as programs include it, for their runtime calls: the driver's are not here. */
#include "banksim_cuda.h"
#define CUDA_VERSION CUDART_VERSION
