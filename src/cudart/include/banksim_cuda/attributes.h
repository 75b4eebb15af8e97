/* attributes.h - CUDA's words for clang's attributes. */
#ifndef BANKSIM_CUDA_ATTRIBUTES_H
#define BANKSIM_CUDA_ATTRIBUTES_H

#ifdef __CUDA__
#define __CUDACC__ 1
#endif
#define CUDART_VERSION 13000
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0

/* Headers of samples ask by these whether the runtime's types are known. */
#define __CUDA_RUNTIME_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* The runtime knows the host's variable by its section, and makes it the kernels' too. */
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device))
#else
#define __managed__ __attribute__((device, section("banksim_managed")))
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#define __maxnreg__(n)
#define __cluster_dims__(...) _Pragma("GCC error \"clusters of blocks are compiled by nvcc alone\"")
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#endif

#define __forceinline__ inline __attribute__((always_inline))
/* The C++ library writes __attribute__((__noinline__)), which only nothing leaves whole: such
 * functions may be inlined here. */
#define __noinline__
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define CUDARTAPI
#define CUDART_CB

#define __BANKSIM_DEVICE static __device__ __forceinline__
#define __BANKSIM_BOTH static __host__ __device__ __forceinline__

/* What a function between these two accesses is told at the line that calls it, which is the program's:
 * they stand around the functions of each header. */
#define __BANKSIM_CALLERS_LINES \
    _Pragma("clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))")
#define __BANKSIM_OWN_LINES _Pragma("clang attribute pop")

#endif
