/* reduce.h - what a group's threads have, made one. */
#ifndef BANKSIM_COOPERATIVE_GROUPS_REDUCE_H
#define BANKSIM_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

__BANKSIM_CALLERS_LINES
namespace cooperative_groups
{

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

/* Each warp its part, and then all warps' parts. */
template <unsigned n, typename T, typename operation>
__device__ inline T reduce(const __banksim_wide_tile<n> &of, T value, operation &&make)
{
    __shared__ T part[32];
    unsigned warp = thread_group::rank_in_block() / 32, first = warp / (n / 32) * (n / 32);
    for (unsigned lanes = 16; lanes > 0; lanes /= 2) {
        value = make(value, __shfl_xor_sync(0xffffffffu, value, (int)lanes));
    }
    part[warp] = value;
    of.sync();
    value = part[first];
    for (unsigned i = 1; i < n / 32; i++) {
        value = make(value, part[first + i]);
    }
    of.sync();
    return value;
}

} // namespace cooperative_groups

__BANKSIM_OWN_LINES
#endif
