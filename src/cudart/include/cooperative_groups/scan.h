/* scan.h - sums, or what else, of what a group's threads of lower rank have. */
#ifndef BANKSIM_COOPERATIVE_GROUPS_SCAN_H
#define BANKSIM_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

__BANKSIM_CALLERS_LINES
namespace cooperative_groups
{

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

/* Rank 0 has zero. */
template <typename group, typename T, typename operation>
__device__ inline T exclusive_scan(const group &of, T value, operation &&make)
{
    T below = of.shfl_up(inclusive_scan(of, value, make), 1);
    return of.thread_rank() == 0 ? T() : below;
}

template <typename group, typename T> __device__ inline T exclusive_scan(const group &of, T value)
{
    return exclusive_scan(of, value, plus<T>());
}

} // namespace cooperative_groups

__BANKSIM_OWN_LINES
#endif
