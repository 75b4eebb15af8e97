/* nvToolsExtCudaRt.h - names of streams and events on a time line, which nobody draws here. */
#ifndef BANKSIM_NVTOOLSEXT_CUDART_H
#define BANKSIM_NVTOOLSEXT_CUDART_H

#include "../banksim_cuda.h"

#include "nvToolsExt.h"

static inline void nvtxNameCudaStreamA(cudaStream_t, const char *)
{
}
static inline void nvtxNameCudaEventA(cudaEvent_t, const char *)
{
}

#endif
