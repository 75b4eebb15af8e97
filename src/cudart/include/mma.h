/* mma.h - matrices that a warp multiplies: fragments of half, bfloat16, tf32, double and 8-bit integers. */
#ifndef BANKSIM_MMA_H
#define BANKSIM_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

__BANKSIM_CALLERS_LINES

/* To nearest, ties away from zero: 10 bits behind the point are left. */
__BANKSIM_DEVICE float __float_to_tf32(float x)
{
    unsigned word;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(word) : "f"(x));
    return __uint_as_float(word);
}

namespace nvcuda
{
namespace wmma
{

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32;
}
using ::__float_to_tf32;

/* What an element is kept as, and how many a lane has. */
template <typename use, int m, int n, int k, typename T> struct __banksim_fragment;

template <typename use, int m, int n, int k, typename T, typename layout = void> struct fragment {
    typedef __banksim_fragment<use, m, n, k, T> held;
    typedef typename held::type element_type, storage_element_type;
    static constexpr int num_elements = held::count, num_storage_elements = held::count;
    __attribute__((aligned(8))) element_type x[num_elements];
};

template <typename layout> constexpr int __banksim_is_column = 0;
template <> constexpr int __banksim_is_column<col_major> = 1;

template <typename F, typename T> __BANKSIM_DEVICE void fill_fragment(F &to, const T &value)
{
    for (int i = 0; i < F::num_elements; i++) {
        to.x[i] = value;
    }
}

/* ---- the instructions, by the names that clang has for them ---------------------------------- */

/* W is what a register is to the compiler's function: int, of four bytes, float or double. */
#define __BANKSIM_WMMA_FRAGMENT(use, m, n, k, T, kept, many) \
    template <> struct __banksim_fragment<use, m, n, k, T> { \
        typedef kept type;                                   \
        static constexpr int count = many;                   \
    };
#define __BANKSIM_WMMA_LOAD(use, m, n, k, T, kept, many, W, load)                                \
    __BANKSIM_WMMA_FRAGMENT(use, m, n, k, T, kept, many)                                         \
    template <typename layout>                                                                   \
    __BANKSIM_DEVICE void load_matrix_sync(fragment<use, m, n, k, T, layout> &to, const kept *p, \
                                           unsigned stride)                                      \
    {                                                                                            \
        W word[sizeof to.x / sizeof(W)];                                                         \
        load(word, (const W *)p, stride, __banksim_is_column<layout>);                           \
        __builtin_memcpy(to.x, word, sizeof word);                                               \
    }
/* Halves in shared memory are read as rows of matrices by ptxas where it sees that they are there: nvcc says so
 * of them, and of them alone. */
#define __BANKSIM_WMMA_SHARED(instruction)                                                    \
    asm volatile(instruction ".shared.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"        \
                 : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3]), "=r"(word[4]), \
                   "=r"(word[5]), "=r"(word[6]), "=r"(word[7])                                \
                 : "l"(__cvta_generic_to_shared(p)), "r"(stride)                              \
                 : "memory")
#define __BANKSIM_WMMA_LOAD_HALF(use, m, n, k, start, end, load)                       \
    __BANKSIM_WMMA_FRAGMENT(use, m, n, k, __half, __half, 16)                          \
    template <typename layout>                                                         \
    __BANKSIM_DEVICE void load_matrix_sync(fragment<use, m, n, k, __half, layout> &to, \
                                           const __half *p, unsigned stride)           \
    {                                                                                  \
        int word[8];                                                                   \
        if (!__isShared(p)) {                                                          \
            load(word, (const int *)p, stride, __banksim_is_column<layout>);           \
        } else if (__banksim_is_column<layout>) {                                      \
            __BANKSIM_WMMA_SHARED(start ".sync.aligned.col." end);                     \
        } else {                                                                       \
            __BANKSIM_WMMA_SHARED(start ".sync.aligned.row." end);                     \
        }                                                                              \
        __builtin_memcpy(to.x, word, sizeof word);                                     \
    }
/* Sums are loaded and stored in an order that is known when the program runs. */
#define __BANKSIM_WMMA_SUM(m, n, k, T, many, W, load, store)                                   \
    __BANKSIM_WMMA_FRAGMENT(accumulator, m, n, k, T, T, many)                                  \
    __BANKSIM_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, T> &to, const T *p,  \
                                           unsigned stride, layout_t layout)                   \
    {                                                                                          \
        W word[sizeof to.x / sizeof(W)];                                                       \
        if (layout == mem_row_major) {                                                         \
            load(word, (const W *)p, stride, 0);                                               \
        } else {                                                                               \
            load(word, (const W *)p, stride, 1);                                               \
        }                                                                                      \
        __builtin_memcpy(to.x, word, sizeof word);                                             \
    }                                                                                          \
    __BANKSIM_DEVICE void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &of, \
                                            unsigned stride, layout_t layout)                  \
    {                                                                                          \
        W word[sizeof of.x / sizeof(W)];                                                       \
        __builtin_memcpy(word, of.x, sizeof word);                                             \
        if (layout == mem_row_major) {                                                         \
            store((W *)p, word, stride, 0);                                                    \
        } else {                                                                               \
            store((W *)p, word, stride, 1);                                                    \
        }                                                                                      \
    }
/* d = a * b + c, for D and C, whose registers are DW and CW; ... is what stands behind the layouts. */
#define __BANKSIM_WMMA_PRODUCT(m, n, k, T, W, D, DW, C, CW, multiply, ...)                         \
    template <typename layout_a, typename layout_b>                                                \
    __BANKSIM_DEVICE void mma_sync(                                                                \
        fragment<accumulator, m, n, k, D> &d, const fragment<matrix_a, m, n, k, T, layout_a> &a,   \
        const fragment<matrix_b, m, n, k, T, layout_b> &b,                                         \
        const fragment<accumulator, m, n, k, C> &c, bool finite = false)                           \
    {                                                                                              \
        constexpr int layouts = 2 * __banksim_is_column<layout_a> + __banksim_is_column<layout_b>; \
        W word_a[sizeof a.x / sizeof(W)], word_b[sizeof b.x / sizeof(W)];                          \
        CW word_c[sizeof c.x / sizeof(CW)];                                                        \
        DW word_d[sizeof d.x / sizeof(DW)];                                                        \
        __builtin_memcpy(word_a, a.x, sizeof word_a);                                              \
        __builtin_memcpy(word_b, b.x, sizeof word_b);                                              \
        __builtin_memcpy(word_c, c.x, sizeof word_c);                                              \
        if (finite) {                                                                              \
            multiply(word_d, word_a, word_b, word_c, layouts, __VA_ARGS__);                        \
        } else {                                                                                   \
            multiply(word_d, word_a, word_b, word_c, layouts, 0);                                  \
        }                                                                                          \
        __builtin_memcpy(d.x, word_d, sizeof word_d);                                              \
    }

/* ---- of 16 rows and columns, 32 rows, 32 columns --------------------------------------------- */

#define __BANKSIM_WMMA_HALF(m, n, k, shape)                                                   \
    __BANKSIM_WMMA_LOAD_HALF(matrix_a, m, n, k, "wmma.load.a", #shape, __hmma_##shape##_ld_a) \
    __BANKSIM_WMMA_LOAD_HALF(matrix_b, m, n, k, "wmma.load.b", #shape, __hmma_##shape##_ld_b) \
    __BANKSIM_WMMA_SUM(m, n, k, __half, 8, int, __hmma_##shape##_ld_c_f16,                    \
                       __hmma_##shape##_st_c_f16)                                             \
    __BANKSIM_WMMA_SUM(m, n, k, float, 8, float, __hmma_##shape##_ld_c_f32,                   \
                       __hmma_##shape##_st_c_f32)                                             \
    __BANKSIM_WMMA_PRODUCT(m, n, k, __half, int, __half, int, __half, int,                    \
                           __hmma_##shape##_mma_f16f16, 1)                                    \
    __BANKSIM_WMMA_PRODUCT(m, n, k, __half, int, float, float, float, float,                  \
                           __hmma_##shape##_mma_f32f32, 1)                                    \
    __BANKSIM_WMMA_PRODUCT(m, n, k, __half, int, float, float, __half, int,                   \
                           __hmma_##shape##_mma_f32f16, 1)                                    \
    __BANKSIM_WMMA_PRODUCT(m, n, k, __half, int, __half, int, float, float,                   \
                           __hmma_##shape##_mma_f16f32, 1)
#define __BANKSIM_WMMA_BFLOAT(m, n, k, shape, many_a, many_b)                         \
    __BANKSIM_WMMA_LOAD(matrix_a, m, n, k, __nv_bfloat16, __nv_bfloat16, many_a, int, \
                        __mma_bf16_##shape##_ld_a)                                    \
    __BANKSIM_WMMA_LOAD(matrix_b, m, n, k, __nv_bfloat16, __nv_bfloat16, many_b, int, \
                        __mma_bf16_##shape##_ld_b)                                    \
    __BANKSIM_WMMA_PRODUCT(m, n, k, __nv_bfloat16, int, float, float, float, float,   \
                           __mma_bf16_##shape##_mma_f32, 0)
#define __BANKSIM_WMMA_BYTES(m, n, k, shape, T, name, many_a, many_b)                       \
    __BANKSIM_WMMA_LOAD(matrix_a, m, n, k, T, T, many_a, int, __imma_##shape##_ld_a_##name) \
    __BANKSIM_WMMA_LOAD(matrix_b, m, n, k, T, T, many_b, int, __imma_##shape##_ld_b_##name) \
    __BANKSIM_WMMA_PRODUCT(m, n, k, T, int, int, int, int, int, __imma_##shape##_mma_##name, 1)
#define __BANKSIM_WMMA_SHAPE(m, n, k, shape, many_a, many_b)                                   \
    __BANKSIM_WMMA_HALF(m, n, k, shape)                                                        \
    __BANKSIM_WMMA_BFLOAT(m, n, k, shape, many_a, many_b)                                      \
    __BANKSIM_WMMA_SUM(m, n, k, int, 8, int, __imma_##shape##_ld_c, __imma_##shape##_st_c_i32) \
    __BANKSIM_WMMA_BYTES(m, n, k, shape, signed char, s8, many_a, many_b)                      \
    __BANKSIM_WMMA_BYTES(m, n, k, shape, unsigned char, u8, many_a, many_b)
__BANKSIM_WMMA_SHAPE(16, 16, 16, m16n16k16, 8, 8)
__BANKSIM_WMMA_SHAPE(32, 8, 16, m32n8k16, 16, 4)
__BANKSIM_WMMA_SHAPE(8, 32, 16, m8n32k16, 4, 16)

/* ---- tf32 and double -------------------------------------------------------------------------- */

__BANKSIM_WMMA_LOAD(matrix_a, 16, 16, 8, precision::tf32, float, 4, int, __mma_tf32_m16n16k8_ld_a)
__BANKSIM_WMMA_LOAD(matrix_b, 16, 16, 8, precision::tf32, float, 4, int, __mma_tf32_m16n16k8_ld_b)
__BANKSIM_WMMA_SUM(16, 16, 8, float, 8, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
__BANKSIM_WMMA_PRODUCT(16, 16, 8, precision::tf32, int, float, float, float, float,
                       __mma_tf32_m16n16k8_mma_f32, 0)

__BANKSIM_WMMA_LOAD(matrix_a, 8, 8, 4, double, double, 1, double, __dmma_m8n8k4_ld_a)
__BANKSIM_WMMA_LOAD(matrix_b, 8, 8, 4, double, double, 1, double, __dmma_m8n8k4_ld_b)
__BANKSIM_WMMA_SUM(8, 8, 4, double, 2, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
__BANKSIM_WMMA_PRODUCT(8, 8, 4, double, double, double, double, double, double,
                       __dmma_m8n8k4_mma_f64, 0)

} // namespace wmma
} // namespace nvcuda

__BANKSIM_OWN_LINES
#endif
