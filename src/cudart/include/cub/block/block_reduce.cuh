/* block_reduce.cuh - of CUB, what the threads of a block have, made one in thread 0.
 *
 * Each warp makes one of its own by shuffles, its first lane stores that, and thread 0 takes them together, as
 * CUB says of the way that it goes if none is named. What lies where in shared memory is so by CUB 3.0, too.
 */
#ifndef BANKSIM_CUB_BLOCK_REDUCE_CUH
#define BANKSIM_CUB_BLOCK_REDUCE_CUH

#include "../warp/warp_reduce.cuh"

__BANKSIM_CALLERS_LINES
namespace cub
{

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
};

template <typename T, int x, BlockReduceAlgorithm algorithm = BLOCK_REDUCE_WARP_REDUCTIONS,
          int y = 1, int z = 1>
class BlockReduce
{
    static_assert(algorithm == BLOCK_REDUCE_WARP_REDUCTIONS,
                  "of CUB's ways to reduce a block BLOCK_REDUCE_WARP_REDUCTIONS alone is here");
    static constexpr int n_threads = x * y * z, n_warps = (n_threads + 31) / 32;

    struct storage {
        char lanes[n_warps];
        T part[n_warps];
        T before;
    };
    storage *shared;

    __device__ static int rank()
    {
        return (int)((threadIdx.z * y + threadIdx.y) * x + threadIdx.x);
    }

  public:
    /* Nothing is made of it: what is in shared memory cannot be. */
    struct TempStorage {
        __attribute__((
            aligned(alignof(storage) > 16 ? alignof(storage) : 16))) char bytes[sizeof(storage)];
    };
    __device__ BlockReduce(TempStorage &of) : shared((storage *)of.bytes)
    {
    }
    /* Of the first n threads. */
    template <typename operation> __device__ T Reduce(T value, operation make, int n = n_threads)
    {
        int warp = rank() / 32, lane = rank() % 32, in_warp = n - 32 * warp;
        constexpr bool is_whole = n_threads % 32 == 0;
        unsigned mask =
            is_whole || n_threads - 32 * warp >= 32 ? 0xffffffffu : (1u << n_threads % 32) - 1;
        value = __banksim_reduce_lanes(value, make, mask, lane, in_warp < 32 ? in_warp : 32, 32);
        if (lane == 0) {
            shared->part[warp] = value;
        }
        __syncthreads();
        if (rank() == 0) {
#pragma unroll
            for (int i = 1; i < n_warps; i++) {
                value = 32 * i < n ? make(value, shared->part[i]) : value;
            }
        }
        return value;
    }
    template <int n, typename operation> __device__ T Reduce(T (&values)[n], operation make)
    {
        T value = values[0];
#pragma unroll
        for (int i = 1; i < n; i++) {
            value = make(value, values[i]);
        }
        return Reduce(value, make);
    }
    __device__ T Sum(T value, int n = n_threads)
    {
        return Reduce(value, cub::Sum(), n);
    }
    template <int n> __device__ T Sum(T (&values)[n])
    {
        return Reduce(values, cub::Sum());
    }
};

} // namespace cub

__BANKSIM_OWN_LINES
#endif
