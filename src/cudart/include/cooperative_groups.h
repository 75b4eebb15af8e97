/* cooperative_groups.h - groups of threads: a block, tiles of it and of a warp, the lanes that run
 * together, the grid.
 *
 * What waits for the whole grid is refused when it is executed: blocks are run one by one.
 */
#ifndef BANKSIM_COOPERATIVE_GROUPS_H
#define BANKSIM_COOPERATIVE_GROUPS_H

#include "banksim_cuda.h"

__BANKSIM_CALLERS_LINES
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

/* ---- tiles of several warps ------------------------------------------------------------------ */

/* Memory that NVIDIA's tiles of several warps need, and those here do not. */
template <unsigned max_threads = 1024> struct block_tile_memory {
    char unused;
};

template <unsigned max_threads>
__device__ inline thread_block this_thread_block(block_tile_memory<max_threads> &)
{
    return this_thread_block();
}

/* The tiles of a block have the barriers from 1 on: 15 at most. */
template <unsigned n> class __banksim_wide_tile
{
    static_assert(n <= 1024 && (n & (n - 1)) == 0, "a tile's size is a power of two, at most 1024");

  public:
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
        return thread_group::rank_in_block() % n;
    }
    __device__ static unsigned meta_group_rank()
    {
        return thread_group::rank_in_block() / n;
    }
    __device__ static unsigned meta_group_size()
    {
        return (thread_group::block_size() + n - 1) / n;
    }
    __device__ static void sync()
    {
        asm volatile("bar.sync %0, %1;" : : "r"(meta_group_rank() + 1), "n"(n) : "memory");
    }
};

template <bool is_wide, unsigned n, typename group> struct __banksim_tile_of {
    typedef thread_block_tile<n, group> type;
};
template <unsigned n, typename group> struct __banksim_tile_of<true, n, group> {
    typedef __banksim_wide_tile<n> type;
};

template <unsigned n, typename group>
__device__ inline typename __banksim_tile_of<(n > 32), n, group>::type tiled_partition(
    const group &)
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
    __device__ static dim3 dim_blocks()
    {
        return gridDim;
    }
    __device__ static dim3 group_dim()
    {
        return gridDim;
    }
    __device__ static dim3 block_index()
    {
        return blockIdx;
    }
    __device__ static unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    __device__ static unsigned long long thread_rank()
    {
        return block_rank() * thread_group::block_size() + thread_group::rank_in_block();
    }
    __device__ static bool is_valid()
    {
        return meeting() != nullptr;
    }
    /* Each block counts itself in, and waits until as many have as are in all of the grid's rounds. */
    __device__ static void sync()
    {
        unsigned *arrived = meeting(), before, now, n = (unsigned)num_blocks();
        if (arrived == nullptr) {
            __trap();
        }
        __syncthreads();
        if (thread_group::rank_in_block() == 0) {
            asm volatile("atom.add.acq_rel.gpu.u32 %0, [%1], 1;" : "=r"(before) : "l"(arrived) : "memory");
            do {
                asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(arrived) : "memory");
            } while (now / n == before / n);
        }
        __syncthreads();
    }

  private:
    /* A word of a cooperative launch's own, which is 0 at first. */
    __device__ static unsigned *meeting()
    {
        unsigned upper, lower;
        asm("mov.u32 %0, %%envreg1;" : "=r"(upper));
        asm("mov.u32 %0, %%envreg2;" : "=r"(lower));
        return (unsigned *)((unsigned long long)upper << 32 | lower);
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

} // namespace cooperative_groups

__BANKSIM_OWN_LINES
#endif
