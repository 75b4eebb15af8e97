/* helper_cuda.h - what programs use of the helpers beside NVIDIA's samples: checks, the choice of a
 * device. A program that has its own names their folder, which is looked at first. */
#ifndef BANKSIM_HELPER_CUDA_H
#define BANKSIM_HELPER_CUDA_H

#include "helper_string.h"

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

static inline void __banksim_check(cudaError_t error, const char *what, const char *file, int line)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
}

#define checkCudaErrors(call) __banksim_check(call, #call, __FILE__, __LINE__)
#define getLastCudaError(text) __banksim_check(cudaGetLastError(), text, __FILE__, __LINE__)

/* Cores of an SM; all of compute capability 9.0. */
static inline int _ConvertSMVer2Cores(int, int)
{
    return 128;
}

static inline int gpuGetMaxGflopsDeviceId()
{
    return 0;
}

static inline int findCudaDevice(int, const char **)
{
    cudaDeviceProp properties;
    checkCudaErrors(cudaGetDeviceProperties(&properties, 0));
    printf("GPU Device 0: \"%s\" with compute capability %d.%d\n\n", properties.name,
           properties.major, properties.minor);
    return 0;
}

#endif
