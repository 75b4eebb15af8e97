/* vectors.h - vector types with their make_ functions, and dim3. */
#ifndef BANKSIM_CUDA_VECTORS_H
#define BANKSIM_CUDA_VECTORS_H

__BANKSIM_CALLERS_LINES
/* Two and four parts are aligned to their size, 16 bytes at most; three to one part's. */
#define __BANKSIM_ALIGNED(type, n) \
    __attribute__((aligned(sizeof(type) * (n) > 16 ? 16 : sizeof(type) * (n))))

/* 16 bytes are copied by one load and one store, as nvcc does; clang's own copy is of two halves. */
#ifdef __CUDA__
typedef unsigned __banksim_words __attribute__((ext_vector_type(4), may_alias));
#define __BANKSIM_COPIED_WHOLE(name)                                      \
    __host__ __device__ __forceinline__ name &operator=(const name &from) \
    {                                                                     \
        *(__banksim_words *)this = *(const __banksim_words *)&from;       \
        return *this;                                                     \
    }
#else
#define __BANKSIM_COPIED_WHOLE(name)
#endif
#define __BANKSIM_COPIED_IN_PARTS(name)

#define __BANKSIM_VECTOR(type, name, copied_2, copied_4)                  \
    struct name##1                                                        \
    {                                                                     \
        type x;                                                           \
    };                                                                    \
    struct __BANKSIM_ALIGNED(type, 2) name##2                             \
    {                                                                     \
        type x, y;                                                        \
        copied_2(name##2)                                                 \
    };                                                                    \
    struct name##3                                                        \
    {                                                                     \
        type x, y, z;                                                     \
    };                                                                    \
    struct __BANKSIM_ALIGNED(type, 4) name##4                             \
    {                                                                     \
        type x, y, z, w;                                                  \
        copied_4(name##4)                                                 \
    };                                                                    \
    __BANKSIM_BOTH name##1 make_##name##1(type x)                         \
    {                                                                     \
        return {x};                                                       \
    }                                                                     \
    __BANKSIM_BOTH name##2 make_##name##2(type x, type y)                 \
    {                                                                     \
        return {x, y};                                                    \
    }                                                                     \
    __BANKSIM_BOTH name##3 make_##name##3(type x, type y, type z)         \
    {                                                                     \
        return {x, y, z};                                                 \
    }                                                                     \
    __BANKSIM_BOTH name##4 make_##name##4(type x, type y, type z, type w) \
    {                                                                     \
        return {x, y, z, w};                                              \
    }

__BANKSIM_VECTOR(signed char, char, __BANKSIM_COPIED_IN_PARTS, __BANKSIM_COPIED_IN_PARTS)
__BANKSIM_VECTOR(unsigned char, uchar, __BANKSIM_COPIED_IN_PARTS, __BANKSIM_COPIED_IN_PARTS)
__BANKSIM_VECTOR(short, short, __BANKSIM_COPIED_IN_PARTS, __BANKSIM_COPIED_IN_PARTS)
__BANKSIM_VECTOR(unsigned short, ushort, __BANKSIM_COPIED_IN_PARTS, __BANKSIM_COPIED_IN_PARTS)
__BANKSIM_VECTOR(int, int, __BANKSIM_COPIED_IN_PARTS, __BANKSIM_COPIED_WHOLE)
__BANKSIM_VECTOR(unsigned, uint, __BANKSIM_COPIED_IN_PARTS, __BANKSIM_COPIED_WHOLE)
__BANKSIM_VECTOR(long, long, __BANKSIM_COPIED_WHOLE, __BANKSIM_COPIED_IN_PARTS)
__BANKSIM_VECTOR(unsigned long, ulong, __BANKSIM_COPIED_WHOLE, __BANKSIM_COPIED_IN_PARTS)
__BANKSIM_VECTOR(long long, longlong, __BANKSIM_COPIED_WHOLE, __BANKSIM_COPIED_IN_PARTS)
__BANKSIM_VECTOR(unsigned long long, ulonglong, __BANKSIM_COPIED_WHOLE, __BANKSIM_COPIED_IN_PARTS)
__BANKSIM_VECTOR(float, float, __BANKSIM_COPIED_IN_PARTS, __BANKSIM_COPIED_WHOLE)
__BANKSIM_VECTOR(double, double, __BANKSIM_COPIED_WHOLE, __BANKSIM_COPIED_IN_PARTS)

struct dim3 {
    unsigned x, y, z;
    __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
        : x(x), y(y), z(z)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    __host__ __device__ constexpr operator uint3() const
    {
        return {x, y, z};
    }
};

__BANKSIM_OWN_LINES
#endif
