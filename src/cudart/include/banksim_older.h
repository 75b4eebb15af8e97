/* banksim_older.h - what CUDA had once and CUDA 13 has no more.
 *
 * nvcc is told to read it in front of each source, and banksim_cuda.h ends with it, so that programs
 * of older books and courses run as they were written. Each name means what it meant: functions of a
 * warp without a mask are of the lanes that run, and calls of threads are the device's.
 */
#if !defined(BANKSIM_OLDER_H) && defined(__cplusplus)
#define BANKSIM_OLDER_H

#include <cuda_runtime.h>

/* ---- warps without a mask: gone with compute capability 7.0 ---------------------------------- */

#ifdef __CUDACC__

#ifdef __clang__
__BANKSIM_CALLERS_LINES
#endif
#define __BANKSIM_OLDER_SHUFFLE(old, name, lane)                                 \
    template <typename T>                                                        \
    static __device__ __forceinline__ T old(T value, lane where, int width = 32) \
    {                                                                            \
        return name(__activemask(), value, where, width);                        \
    }
__BANKSIM_OLDER_SHUFFLE(__shfl, __shfl_sync, int)
__BANKSIM_OLDER_SHUFFLE(__shfl_up, __shfl_up_sync, unsigned)
__BANKSIM_OLDER_SHUFFLE(__shfl_down, __shfl_down_sync, unsigned)
__BANKSIM_OLDER_SHUFFLE(__shfl_xor, __shfl_xor_sync, int)

/* nvcc declares these and makes instructions of them that ptxas refuses; its C++ library has the names
 * for other things, so that they are macros for those alone who ask. */
#ifdef __clang__
static __device__ __forceinline__ int __all(int is)
{
    return __all_sync(__activemask(), is);
}
static __device__ __forceinline__ int __any(int is)
{
    return __any_sync(__activemask(), is);
}
static __device__ __forceinline__ unsigned __ballot(int is)
{
    return __ballot_sync(__activemask(), is);
}
__BANKSIM_OWN_LINES
#elif defined(BANKSIM_OLDER)
#define __all(is) __all_sync(__activemask(), is)
#define __any(is) __any_sync(__activemask(), is)
#define __ballot(is) __ballot_sync(__activemask(), is)
#endif

#endif

/* ---- calls of threads: the device's since CUDA 4 --------------------------------------------- */

static inline cudaError_t cudaThreadSynchronize()
{
    return cudaDeviceSynchronize();
}
static inline cudaError_t cudaThreadExit()
{
    return cudaDeviceReset();
}
static inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}
static inline cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

/* ---- what CUDA 13 took from calls and structs ------------------------------------------------ */

/* A device by its number, where CUDA 13 wants a place; both are hints. */
static inline cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0)
{
    return cudaSuccess;
}
static inline cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int)
{
    return cudaSuccess;
}

struct __banksim_device_properties : cudaDeviceProp {
    int clockRate, memoryClockRate, deviceOverlap, computeMode, kernelExecTimeoutEnabled,
        cooperativeMultiDeviceLaunch, singleToDoublePrecisionPerfRatio, maxTexture1DLinear;
};
static inline cudaError_t cudaGetDeviceProperties(__banksim_device_properties *properties,
                                                  int device)
{
    *properties = __banksim_device_properties();
    properties->deviceOverlap = 1;
    properties->singleToDoublePrecisionPerfRatio = 2;
    properties->maxTexture1DLinear = 1 << 28;
    cudaDeviceGetAttribute(&properties->clockRate, cudaDevAttrClockRate, device);
    cudaDeviceGetAttribute(&properties->memoryClockRate, cudaDevAttrMemoryClockRate, device);
    return cudaGetDeviceProperties((cudaDeviceProp *)properties, device);
}
#define cudaDeviceProp __banksim_device_properties

#endif
