/* cooperative_groups.h - groups of threads: a block, a tile of a warp, the lanes that run together.
 *
 * What waits for a whole grid or cluster is refused at the build: blocks are run one by one.
 */
#ifndef BANKSIM_COOPERATIVE_GROUPS_H
#define BANKSIM_COOPERATIVE_GROUPS_H

#include "banksim_cuda.h"

namespace cooperative_groups
{

/* Lanes of a warp by their mask, or the whole block, whose mask is 0. */
class thread_group
{
  protected:
    unsigned mask;

    __device__ explicit thread_group(unsigned mask) : mask(mask)
    {
    }

  public:
    __device__ static unsigned block_size()
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    __device__ static unsigned rank_in_block()
    {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    __device__ unsigned get_mask() const
    {
        return mask;
    }
    __device__ unsigned size() const
    {
        return mask == 0 ? block_size() : (unsigned)__popc(mask);
    }
    __device__ unsigned num_threads() const
    {
        return size();
    }
    __device__ unsigned thread_rank() const
    {
        return mask == 0 ? rank_in_block()
                         : (unsigned)__popc(mask & __nvvm_read_ptx_sreg_lanemask_lt());
    }
    __device__ void sync() const
    {
        if (mask == 0) {
            __syncthreads();
        } else {
            __syncwarp(mask);
        }
    }
    __device__ bool is_valid() const
    {
        return true;
    }
};

class thread_block : public thread_group
{
    __device__ thread_block() : thread_group(0)
    {
    }
    friend __device__ thread_block this_thread_block();

  public:
    __device__ static void sync()
    {
        __syncthreads();
    }
    __device__ static unsigned size()
    {
        return block_size();
    }
    __device__ static unsigned num_threads()
    {
        return block_size();
    }
    __device__ static unsigned thread_rank()
    {
        return rank_in_block();
    }
    __device__ static dim3 group_index()
    {
        return blockIdx;
    }
    __device__ static dim3 thread_index()
    {
        return threadIdx;
    }
    __device__ static dim3 group_dim()
    {
        return blockDim;
    }
    __device__ static dim3 dim_threads()
    {
        return blockDim;
    }
};

__device__ inline thread_block this_thread_block()
{
    return thread_block();
}

/* ---- lanes that run together ----------------------------------------------------------------- */

class coalesced_group : public thread_group
{
  public:
    __device__ explicit coalesced_group(unsigned mask) : thread_group(mask)
    {
    }
    /* The lane of the thread that has this rank. */
    __device__ int lane_of(unsigned rank) const
    {
        return (int)__nvvm_fns(mask, 0, (int)rank + 1);
    }
    __device__ unsigned packed(unsigned lanes) const
    {
        unsigned bits = 0;
        for (unsigned rank = 0; rank < size(); rank++) {
            bits |= (lanes >> lane_of(rank) & 1) << rank;
        }
        return bits;
    }
    template <typename T> __device__ T shfl(T value, unsigned rank) const
    {
        return __shfl_sync(mask, value, lane_of(rank % size()));
    }
    template <typename T> __device__ T shfl_down(T value, unsigned delta) const
    {
        unsigned rank = thread_rank() + delta;
        return __shfl_sync(mask, value, lane_of(rank < size() ? rank : thread_rank()));
    }
    template <typename T> __device__ T shfl_up(T value, unsigned delta) const
    {
        unsigned rank = thread_rank();
        return __shfl_sync(mask, value, lane_of(rank >= delta ? rank - delta : rank));
    }
    __device__ int any(int is) const
    {
        return __any_sync(mask, is);
    }
    __device__ int all(int is) const
    {
        return __all_sync(mask, is);
    }
    __device__ unsigned ballot(int is) const
    {
        return packed(__ballot_sync(mask, is));
    }
};

__device__ inline coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

/* ---- tiles of a warp ------------------------------------------------------------------------- */

template <unsigned n, typename parent = void> class thread_block_tile : public thread_group
{
    static_assert(n >= 1 && n <= 32 && (n & (n - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");

    __device__ static unsigned tile_mask()
    {
        unsigned lane = __lane_id();
        return n == 32 ? 0xffffffffu : ((1u << n % 32) - 1) << (lane / n * n);
    }

  public:
    __device__ thread_block_tile() : thread_group(tile_mask())
    {
    }
    template <typename other>
    __device__ thread_block_tile(const thread_block_tile<n, other> &) : thread_group(tile_mask())
    {
    }
    __device__ static constexpr unsigned size()
    {
        return n;
    }
    __device__ static constexpr unsigned num_threads()
    {
        return n;
    }
    __device__ static unsigned thread_rank()
    {
        return rank_in_block() % n;
    }
    __device__ void sync() const
    {
        __syncwarp(mask);
    }
    __device__ static unsigned meta_group_rank()
    {
        return rank_in_block() / n;
    }
    __device__ static unsigned meta_group_size()
    {
        return (block_size() + n - 1) / n;
    }
    template <typename T> __device__ T shfl(T value, int rank) const
    {
        return __shfl_sync(mask, value, rank, n);
    }
    template <typename T> __device__ T shfl_down(T value, unsigned delta) const
    {
        return __shfl_down_sync(mask, value, delta, n);
    }
    template <typename T> __device__ T shfl_up(T value, unsigned delta) const
    {
        return __shfl_up_sync(mask, value, delta, n);
    }
    template <typename T> __device__ T shfl_xor(T value, unsigned lanes) const
    {
        return __shfl_xor_sync(mask, value, (int)lanes, n);
    }
    __device__ int any(int is) const
    {
        return __any_sync(mask, is);
    }
    __device__ int all(int is) const
    {
        return __all_sync(mask, is);
    }
    __device__ unsigned ballot(int is) const
    {
        return __ballot_sync(mask, is) >> (__lane_id() / n * n);
    }
    template <typename T> __device__ unsigned match_any(T value) const
    {
        return __match_any_sync(mask, value) >> (__lane_id() / n * n);
    }
};

template <unsigned n, typename group>
__device__ inline thread_block_tile<n, group> tiled_partition(const group &)
{
    return {};
}

/* Parts of n threads in a row; n is a power of two, at most 32. */
__device__ inline coalesced_group tiled_partition(const thread_group &group, unsigned n)
{
    unsigned rank = group.thread_rank(), first = __lane_id() - rank % n;
    if (group.get_mask() == 0 || __popc(group.get_mask()) == 32) {
        return coalesced_group((n == 32 ? 0xffffffffu : (1u << n) - 1) << first);
    }
    return coalesced_group(__match_any_sync(group.get_mask(), rank / n));
}

template <typename group, typename T>
__device__ inline coalesced_group labeled_partition(const group &of, T label)
{
    return coalesced_group(__match_any_sync(of.get_mask(), label));
}

template <typename group>
__device__ inline coalesced_group binary_partition(const group &of, bool is)
{
    unsigned mask = __ballot_sync(of.get_mask(), is);
    return coalesced_group(is ? mask : of.get_mask() & ~mask);
}

/* ---- the grid -------------------------------------------------------------------------------- */

class grid_group
{
  public:
    __device__ static unsigned long long size()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_group::block_size();
    }
    __device__ static unsigned long long num_threads()
    {
        return size();
    }
    __device__ static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    __device__ static unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    __device__ static unsigned long long thread_rank()
    {
        return block_rank() * thread_group::block_size() + thread_group::rank_in_block();
    }
    template <bool is_possible = false> __device__ static void sync()
    {
        static_assert(is_possible, "banksim runs blocks one by one: no block waits for the grid");
    }
};

__device__ inline grid_group this_grid()
{
    return {};
}

template <typename group> __device__ inline void sync(const group &of)
{
    of.sync();
}

/* ---- reductions ------------------------------------------------------------------------------ */

#define __BANKSIM_OPERATION(name, expression)                         \
    template <typename T = void> struct name {                        \
        template <typename U> __device__ U operator()(U x, U y) const \
        {                                                             \
            return expression;                                        \
        }                                                             \
    };

__BANKSIM_OPERATION(plus, x + y)
__BANKSIM_OPERATION(less, y < x ? y : x)
__BANKSIM_OPERATION(greater, x < y ? y : x)
__BANKSIM_OPERATION(bit_and, x &y)
__BANKSIM_OPERATION(bit_or, x | y)
__BANKSIM_OPERATION(bit_xor, x ^ y)

template <unsigned n, typename parent, typename T, typename operation>
__device__ inline T reduce(const thread_block_tile<n, parent> &of, T value, operation &&make)
{
    for (unsigned lanes = n / 2; lanes > 0; lanes /= 2) {
        value = make(value, of.shfl_xor(value, lanes));
    }
    return value;
}

/* One rank after another, so that every thread has the same sum. */
template <typename T, typename operation>
__device__ inline T reduce(const coalesced_group &of, T value, operation &&make)
{
    T sum = of.shfl(value, 0);
    for (unsigned rank = 1; rank < of.size(); rank++) {
        sum = make(sum, of.shfl(value, rank));
    }
    return sum;
}

template <typename group, typename T, typename operation>
__device__ inline T inclusive_scan(const group &of, T value, operation &&make)
{
    for (unsigned delta = 1; delta < of.size(); delta *= 2) {
        T below = of.shfl_up(value, delta);
        value = of.thread_rank() >= delta ? make(below, value) : value;
    }
    return value;
}

template <typename group, typename T> __device__ inline T inclusive_scan(const group &of, T value)
{
    return inclusive_scan(of, value, plus<T>());
}

template <typename group, typename T> __device__ inline T exclusive_scan(const group &of, T value)
{
    T below = of.shfl_up(inclusive_scan(of, value, plus<T>()), 1);
    return of.thread_rank() == 0 ? T() : below;
}

} // namespace cooperative_groups

#endif
