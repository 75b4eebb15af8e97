/* copies.h - of libcu++, cuda::memcpy_async and what says how its ends are aligned. */
#ifndef BANKSIM_CUDA_COPIES_H
#define BANKSIM_CUDA_COPIES_H

#include "../cuda_pipeline_primitives.h"

__BANKSIM_CALLERS_LINES
namespace cuda
{

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread,
};

/* A size in bytes, whose copy's ends are multiples of `alignment`. */
template <size_t alignment> struct aligned_size_t {
    static constexpr size_t align = alignment;
    size_t value;
    __host__ __device__ constexpr explicit aligned_size_t(size_t size) : value(size)
    {
    }
    __host__ __device__ constexpr operator size_t() const
    {
        return value;
    }
};

/* The largest piece that the ends and the size allow: 16, 8 or 4 bytes, or 1. */
__BANKSIM_DEVICE size_t __banksim_piece(const void *to, const void *from, size_t size)
{
    size_t places = (size_t)to | (size_t)from | size;
    return places % 16 == 0 ? 16 : places % 8 == 0 ? 8 : places % 4 == 0 ? 4 : 1;
}

/* Thread `rank` of n copies its pieces, beside itself as far as they are of 4 bytes or more. */
__BANKSIM_DEVICE void __banksim_copy(void *to, const void *from, size_t size, size_t piece,
                                     size_t rank, size_t n)
{
    for (size_t i = rank * piece; i < size; i += n * piece) {
        if (piece == 1) {
            ((char *)to)[i] = ((const char *)from)[i];
        } else {
            __pipeline_memcpy_async((char *)to + i, (const char *)from + i, piece);
        }
    }
}

template <typename to_type, typename from_type, size_t alignment, typename end>
__BANKSIM_DEVICE void memcpy_async(to_type *to, const from_type *from,
                                   aligned_size_t<alignment> size, end &)
{
    constexpr size_t piece = alignment >= 16 ? 16 : alignment >= 4 ? alignment : 1;
    __banksim_copy(to, from, size, piece, 0, 1);
}
template <typename to_type, typename from_type, typename end>
__BANKSIM_DEVICE void memcpy_async(to_type *to, const from_type *from, size_t size, end &)
{
    __banksim_copy(to, from, size, __banksim_piece(to, from, size), 0, 1);
}
template <typename group, typename to_type, typename from_type, typename end>
__BANKSIM_DEVICE void memcpy_async(const group &of, to_type *to, const from_type *from, size_t size,
                                   const end &)
{
    __banksim_copy(to, from, size, __banksim_piece(to, from, size), of.thread_rank(), of.size());
}

} // namespace cuda

__BANKSIM_OWN_LINES
#endif
