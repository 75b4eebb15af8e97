/* memcpy_async.h - copies from global to shared memory beside the threads. */
#ifndef BANKSIM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define BANKSIM_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

namespace cooperative_groups
{

/* In pieces of 16, 8 or 4 bytes, as both ends are aligned and the size has them; each thread takes the
 * next. Bytes that make no 4 are copied by loads and stores. */
template <typename group, typename to_type, typename from_type>
__device__ inline void memcpy_async(const group &of, to_type *to, const from_type *from,
                                    size_t size)
{
    char *at = (char *)to;
    const char *source = (const char *)from;
    size_t places = (size_t)at | (size_t)source | size, piece = places % 16 == 0  ? 16
                                                                : places % 8 == 0 ? 8
                                                                : places % 4 == 0 ? 4
                                                                                  : 1;
    for (size_t i = of.thread_rank() * piece; i < size; i += of.size() * piece) {
        if (piece == 1) {
            at[i] = source[i];
        } else {
            __pipeline_memcpy_async(at + i, source + i, piece);
        }
    }
    __pipeline_commit();
}

template <typename group> __device__ inline void wait(const group &of)
{
    __pipeline_wait_prior(0);
    of.sync();
}

} // namespace cooperative_groups

#endif
