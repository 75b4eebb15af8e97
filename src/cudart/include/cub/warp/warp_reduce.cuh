/* warp_reduce.cuh - of CUB, what the lanes of a warp have, made one in lane 0. */
#ifndef BANKSIM_CUB_WARP_REDUCE_CUH
#define BANKSIM_CUB_WARP_REDUCE_CUH

#include "../../banksim_cuda.h"

#include <cassert> /* as CUB has it */

__BANKSIM_CALLERS_LINES
namespace cub
{

#define __BANKSIM_CUB_OPERATION(name, expression)                              \
    struct name {                                                              \
        template <typename T> __host__ __device__ T operator()(T x, T y) const \
        {                                                                      \
            return expression;                                                 \
        }                                                                      \
    };
__BANKSIM_CUB_OPERATION(Sum, x + y)
__BANKSIM_CUB_OPERATION(Max, x < y ? y : x)
__BANKSIM_CUB_OPERATION(Min, y < x ? y : x)
/* Of two values that are the same, the one with the lower key. */
__BANKSIM_CUB_OPERATION(ArgMax, y.value > x.value || (y.value == x.value && y.key < x.key) ? y : x)
__BANKSIM_CUB_OPERATION(ArgMin, y.value < x.value || (y.value == x.value && y.key < x.key) ? y : x)

template <typename key_type, typename value_type> struct KeyValuePair {
    typedef key_type Key;
    typedef value_type Value;
    key_type key;
    value_type value;
};

/* Of the first n lanes, by steps of 1, 2, 4, ... lanes. */
template <typename T, typename operation>
__BANKSIM_DEVICE T __banksim_reduce_lanes(T value, operation make, unsigned mask, int rank, int n,
                                          int width)
{
#pragma unroll
    for (int step = 1; step < width; step *= 2) {
        bool is_there = rank + step < n; /* else PTX defines no value */
        T next = __shfl_sync(mask, value, is_there ? rank + step : rank, width);
        value = is_there ? make(value, next) : value;
    }
    return value;
}

/* Nothing of it lies in shared memory. */
template <typename T, int width = 32> class WarpReduce
{
    static_assert(width >= 1 && width <= 32 && (width & (width - 1)) == 0,
                  "WarpReduce is of 1, 2, 4, 8, 16 or 32 lanes here");

  public:
    struct TempStorage {
    };
    __device__ WarpReduce(TempStorage &)
    {
    }
    template <typename operation> __device__ T Reduce(T value, operation make, int n = width)
    {
        unsigned lane = __lane_id();
        unsigned mask = (0xffffffffu >> (32 - width)) << lane / width * width;
        return __banksim_reduce_lanes(value, make, mask, lane % width, n, width);
    }
    __device__ T Sum(T value, int n = width)
    {
        return Reduce(value, cub::Sum(), n);
    }
};

} // namespace cub

__BANKSIM_OWN_LINES
#endif
