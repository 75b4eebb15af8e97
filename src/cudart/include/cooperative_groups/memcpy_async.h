/* memcpy_async.h - copies from global to shared memory beside the threads. */
#ifndef BANKSIM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define BANKSIM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"
#include "../banksim_cuda/copies.h"

__BANKSIM_CALLERS_LINES
namespace cooperative_groups
{

template <typename group, typename to_type, typename from_type>
__device__ inline void memcpy_async(const group &of, to_type *to, const from_type *from,
                                    size_t size)
{
    cuda::memcpy_async(of, to, from, size, of);
    __pipeline_commit();
}

template <typename group> __device__ inline void wait(const group &of)
{
    __pipeline_wait_prior(0);
    of.sync();
}

} // namespace cooperative_groups

__BANKSIM_OWN_LINES
#endif
