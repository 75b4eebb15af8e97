/* half_math.h - arithmetic, comparisons and functions of 16-bit numbers, alone and in pairs.
 *
 * A sum, a product, a quotient or a root is float's, rounded: float has more than twice the bits, so that
 * rounding twice does no harm. fma is the instruction.
 */
#ifndef BANKSIM_CUDA_HALF_MATH_H
#define BANKSIM_CUDA_HALF_MATH_H
__BANKSIM_CALLERS_LINES

#define __BANKSIM_HALF_OPERATION(T, T2, name, operation)   \
    __BANKSIM_BOTH T __h##name(T x, T y)                   \
    {                                                      \
        return T((float)x operation(float) y);             \
    }                                                      \
    __BANKSIM_BOTH T2 __h##name##2(T2 x, T2 y)             \
    {                                                      \
        return {__h##name(x.x, y.x), __h##name(x.y, y.y)}; \
    }                                                      \
    __BANKSIM_BOTH T operator operation(T x, T y)          \
    {                                                      \
        return __h##name(x, y);                            \
    }                                                      \
    __BANKSIM_BOTH T2 operator operation(T2 x, T2 y)       \
    {                                                      \
        return __h##name##2(x, y);                         \
    }                                                      \
    __BANKSIM_BOTH T __h##name##_rn(T x, T y)              \
    {                                                      \
        return __h##name(x, y);                            \
    }                                                      \
    __BANKSIM_BOTH T2 __h##name##2_rn(T2 x, T2 y)          \
    {                                                      \
        return __h##name##2(x, y);                         \
    }                                                      \
    __BANKSIM_DEVICE T __h##name##_sat(T x, T y)           \
    {                                                      \
        return __banksim_in_0_1(__h##name(x, y));          \
    }                                                      \
    __BANKSIM_DEVICE T2 __h##name##2_sat(T2 x, T2 y)       \
    {                                                      \
        return __banksim_in_0_1(__h##name##2(x, y));       \
    }                                                      \
    __BANKSIM_BOTH T &operator operation##=(T &x, T y)     \
    {                                                      \
        return x = __h##name(x, y);                        \
    }                                                      \
    __BANKSIM_BOTH T2 &operator operation##=(T2 &x, T2 y)  \
    {                                                      \
        return x = __h##name##2(x, y);                     \
    }

/* h<name>, and h<name>u, which is true of what is no number, too. */
#define __BANKSIM_HALF_COMPARED(T, T2, name, is)                               \
    __BANKSIM_BOTH bool __h##name(T x, T y)                                    \
    {                                                                          \
        return is;                                                             \
    }                                                                          \
    __BANKSIM_BOTH bool __hb##name##2(T2 x, T2 y)                              \
    {                                                                          \
        return __h##name(x.x, y.x) && __h##name(x.y, y.y);                     \
    }                                                                          \
    __BANKSIM_BOTH T2 __h##name##2(T2 x, T2 y)                                 \
    {                                                                          \
        return {T((float)__h##name(x.x, y.x)), T((float)__h##name(x.y, y.y))}; \
    }
#define __BANKSIM_HALF_COMPARISON(T, T2, name, operation)                              \
    __BANKSIM_HALF_COMPARED(T, T2, name, (float)x operation(float) y)                  \
    __BANKSIM_HALF_COMPARED(T, T2, name##u,                                            \
                            __hisnan(x) || __hisnan(y) || (float)x operation(float) y) \
    __BANKSIM_BOTH bool operator operation(T x, T y)                                   \
    {                                                                                  \
        return __h##name(x, y);                                                        \
    }                                                                                  \
    __BANKSIM_BOTH bool operator operation(T2 x, T2 y)                                 \
    {                                                                                  \
        return __hb##name##2(x, y);                                                    \
    }

/* h<name> and h2<name>: by way of float. */
#define __BANKSIM_HALF_FUNCTION(T, T2, name, expression) \
    __BANKSIM_DEVICE T h##name(T value)                  \
    {                                                    \
        float x = (float)value;                          \
        return T(expression);                            \
    }                                                    \
    __BANKSIM_DEVICE T2 h2##name(T2 v)                   \
    {                                                    \
        return {h##name(v.x), h##name(v.y)};             \
    }

#define __BANKSIM_HALVES(T, T2, type)                                             \
    __BANKSIM_BOTH bool __hisnan(T x)                                             \
    {                                                                             \
        return (float)x != (float)x;                                              \
    }                                                                             \
    __BANKSIM_BOTH int __hisinf(T x)                                              \
    {                                                                             \
        float size = __builtin_fabsf((float)x);                                   \
        return size != __builtin_inff() ? 0 : (float)x < 0 ? -1 : 1;              \
    }                                                                             \
    __BANKSIM_DEVICE T __banksim_in_0_1(T x)                                      \
    {                                                                             \
        return T(__saturatef((float)x));                                          \
    }                                                                             \
    __BANKSIM_DEVICE T2 __banksim_in_0_1(T2 v)                                    \
    {                                                                             \
        return {__banksim_in_0_1(v.x), __banksim_in_0_1(v.y)};                    \
    }                                                                             \
    __BANKSIM_HALF_OPERATION(T, T2, add, +)                                       \
    __BANKSIM_HALF_OPERATION(T, T2, sub, -)                                       \
    __BANKSIM_HALF_OPERATION(T, T2, mul, *)                                       \
    __BANKSIM_HALF_OPERATION(T, T2, div, /)                                       \
    __BANKSIM_HALF_COMPARISON(T, T2, eq, ==)                                      \
    __BANKSIM_HALF_COMPARISON(T, T2, ne, !=)                                      \
    __BANKSIM_HALF_COMPARISON(T, T2, lt, <)                                       \
    __BANKSIM_HALF_COMPARISON(T, T2, le, <=)                                      \
    __BANKSIM_HALF_COMPARISON(T, T2, gt, >)                                       \
    __BANKSIM_HALF_COMPARISON(T, T2, ge, >=)                                      \
    __BANKSIM_DEVICE T __hfma(T x, T y, T z)                                      \
    {                                                                             \
        T sum;                                                                    \
        asm("fma.rn." type " %0, %1, %2, %3;"                                     \
            : "=h"(sum.bits)                                                      \
            : "h"(x.bits), "h"(y.bits), "h"(z.bits));                             \
        return sum;                                                               \
    }                                                                             \
    __BANKSIM_DEVICE T2 __hfma2(T2 x, T2 y, T2 z)                                 \
    {                                                                             \
        return {__hfma(x.x, y.x, z.x), __hfma(x.y, y.y, z.y)};                    \
    }                                                                             \
    __BANKSIM_DEVICE T __hfma_sat(T x, T y, T z)                                  \
    {                                                                             \
        return __banksim_in_0_1(__hfma(x, y, z));                                 \
    }                                                                             \
    __BANKSIM_DEVICE T2 __hfma2_sat(T2 x, T2 y, T2 z)                             \
    {                                                                             \
        return __banksim_in_0_1(__hfma2(x, y, z));                                \
    }                                                                             \
    __BANKSIM_DEVICE T __hfma_relu(T x, T y, T z)                                 \
    {                                                                             \
        T sum = __hfma(x, y, z);                                                  \
        return (float)sum <= 0 ? T(0.f) : sum;                                    \
    }                                                                             \
    __BANKSIM_DEVICE T2 __hfma2_relu(T2 x, T2 y, T2 z)                            \
    {                                                                             \
        return {__hfma_relu(x.x, y.x, z.x), __hfma_relu(x.y, y.y, z.y)};          \
    }                                                                             \
    __BANKSIM_DEVICE T2 __h2div(T2 x, T2 y)                                       \
    {                                                                             \
        return __hdiv2(x, y);                                                     \
    }                                                                             \
    __BANKSIM_DEVICE T2 h2div(T2 x, T2 y)                                         \
    {                                                                             \
        return __hdiv2(x, y);                                                     \
    }                                                                             \
    __BANKSIM_BOTH T &operator++(T &x)                                            \
    {                                                                             \
        return x = x + T(1.f);                                                    \
    }                                                                             \
    __BANKSIM_BOTH T &operator--(T &x)                                            \
    {                                                                             \
        return x = x - T(1.f);                                                    \
    }                                                                             \
    __BANKSIM_BOTH T __hneg(T x)                                                  \
    {                                                                             \
        x.bits ^= 0x8000;                                                         \
        return x;                                                                 \
    }                                                                             \
    __BANKSIM_BOTH T2 __hneg2(T2 v)                                               \
    {                                                                             \
        return {__hneg(v.x), __hneg(v.y)};                                        \
    }                                                                             \
    __BANKSIM_BOTH T operator+(T x)                                               \
    {                                                                             \
        return x;                                                                 \
    }                                                                             \
    __BANKSIM_BOTH T2 operator+(T2 v)                                             \
    {                                                                             \
        return v;                                                                 \
    }                                                                             \
    __BANKSIM_BOTH T operator-(T x)                                               \
    {                                                                             \
        return __hneg(x);                                                         \
    }                                                                             \
    __BANKSIM_BOTH T2 operator-(T2 v)                                             \
    {                                                                             \
        return __hneg2(v);                                                        \
    }                                                                             \
    __BANKSIM_BOTH T __habs(T x)                                                  \
    {                                                                             \
        x.bits &= 0x7fff;                                                         \
        return x;                                                                 \
    }                                                                             \
    __BANKSIM_BOTH T2 __habs2(T2 v)                                               \
    {                                                                             \
        return {__habs(v.x), __habs(v.y)};                                        \
    }                                                                             \
    __BANKSIM_BOTH T __hmax(T x, T y)                                             \
    {                                                                             \
        return T(__builtin_fmaxf((float)x, (float)y));                            \
    }                                                                             \
    __BANKSIM_BOTH T __hmin(T x, T y)                                             \
    {                                                                             \
        return T(__builtin_fminf((float)x, (float)y));                            \
    }                                                                             \
    __BANKSIM_BOTH T __hmax_nan(T x, T y)                                         \
    {                                                                             \
        return __hisnan(x) || __hisnan(y) ? T(__builtin_nanf("")) : __hmax(x, y); \
    }                                                                             \
    __BANKSIM_BOTH T __hmin_nan(T x, T y)                                         \
    {                                                                             \
        return __hisnan(x) || __hisnan(y) ? T(__builtin_nanf("")) : __hmin(x, y); \
    }                                                                             \
    __BANKSIM_BOTH T2 __hmax2(T2 v, T2 w)                                         \
    {                                                                             \
        return {__hmax(v.x, w.x), __hmax(v.y, w.y)};                              \
    }                                                                             \
    __BANKSIM_BOTH T2 __hmin2(T2 v, T2 w)                                         \
    {                                                                             \
        return {__hmin(v.x, w.x), __hmin(v.y, w.y)};                              \
    }                                                                             \
    __BANKSIM_HALF_FUNCTION(T, T2, exp, expf(x))                                  \
    __BANKSIM_HALF_FUNCTION(T, T2, exp2, exp2f(x))                                \
    __BANKSIM_HALF_FUNCTION(T, T2, exp10, exp10f(x))                              \
    __BANKSIM_HALF_FUNCTION(T, T2, log, logf(x))                                  \
    __BANKSIM_HALF_FUNCTION(T, T2, log10, log10f(x))                              \
    __BANKSIM_HALF_FUNCTION(T, T2, log2, log2f(x))                                \
    __BANKSIM_HALF_FUNCTION(T, T2, sin, sinf(x))                                  \
    __BANKSIM_HALF_FUNCTION(T, T2, cos, cosf(x))                                  \
    __BANKSIM_HALF_FUNCTION(T, T2, tanh, tanhf(x))                                \
    __BANKSIM_HALF_FUNCTION(T, T2, sqrt, sqrtf(x))                                \
    __BANKSIM_HALF_FUNCTION(T, T2, rsqrt, 1 / sqrtf(x))                           \
    __BANKSIM_HALF_FUNCTION(T, T2, rcp, 1 / x)                                    \
    __BANKSIM_HALF_FUNCTION(T, T2, floor, floorf(x))                              \
    __BANKSIM_HALF_FUNCTION(T, T2, ceil, ceilf(x))                                \
    __BANKSIM_HALF_FUNCTION(T, T2, trunc, truncf(x))                              \
    __BANKSIM_HALF_FUNCTION(T, T2, rint, rintf(x))                                \
    __BANKSIM_DEVICE T atomicAdd(T *p, T value)                                   \
    {                                                                             \
        T old;                                                                    \
        asm volatile("atom.add.noftz." type " %0, [%1], %2;"                      \
                     : "=h"(old.bits)                                             \
                     : "l"(p), "h"(value.bits)                                    \
                     : "memory");                                                 \
        return old;                                                               \
    }                                                                             \
    __BANKSIM_DEVICE T2 atomicAdd(T2 *p, T2 value)                                \
    {                                                                             \
        unsigned old, word;                                                       \
        __builtin_memcpy(&word, &value, 4);                                       \
        asm volatile("atom.add.noftz." type "x2 %0, [%1], %2;"                    \
                     : "=r"(old)                                                  \
                     : "l"(p), "r"(word)                                          \
                     : "memory");                                                 \
        __builtin_memcpy(&value, &old, 4);                                        \
        return value;                                                             \
    }                                                                             \
    __BANKSIM_DEVICE T __ldg(const T *p)                                          \
    {                                                                             \
        return *p;                                                                \
    }                                                                             \
    __BANKSIM_DEVICE T2 __ldg(const T2 *p)                                        \
    {                                                                             \
        return *p;                                                                \
    }

/* A type of 16 bits with constructors from numbers, and its pair, which is copied as the word it is. */
typedef unsigned __banksim_word __attribute__((may_alias));
#define __BANKSIM_HALF_TYPE(T, T2, to, from, to_float, from_float)                                 \
    struct T {                                                                                     \
        unsigned short bits;                                                                       \
        T() = default;                                                                             \
        __host__ __device__ T(float x)                                                             \
        {                                                                                          \
            __BANKSIM_ON_DEVICE(asm(from " %0, %1;" : "=h"(bits) : "f"(x)), bits = from_float(x)); \
        }                                                                                          \
        __host__ __device__ T(double x) : T((float)x)                                              \
        {                                                                                          \
        }                                                                                          \
        __host__ __device__ T(int x) : T((float)x)                                                 \
        {                                                                                          \
        }                                                                                          \
        __host__ __device__ T(unsigned x) : T((float)x)                                            \
        {                                                                                          \
        }                                                                                          \
        __host__ __device__ T(long long x) : T((float)x)                                           \
        {                                                                                          \
        }                                                                                          \
        __host__ __device__ T(unsigned long long x) : T((float)x)                                  \
        {                                                                                          \
        }                                                                                          \
        __host__ __device__ operator float() const                                                 \
        {                                                                                          \
            float x;                                                                               \
            __BANKSIM_ON_DEVICE(to(x, bits), x = to_float(bits));                                  \
            return x;                                                                              \
        }                                                                                          \
    };                                                                                             \
    struct __attribute__((aligned(4))) T2 {                                                        \
        T x, y;                                                                                    \
        T2() = default;                                                                            \
        __host__ __device__ T2(T x, T y) : x(x), y(y)                                              \
        {                                                                                          \
        }                                                                                          \
        T2(const T2 &) = default;                                                                  \
        __host__ __device__ T2 &operator=(const T2 &pair)                                          \
        {                                                                                          \
            *(__banksim_word *)this = *(const __banksim_word *)&pair;                              \
            return *this;                                                                          \
        }                                                                                          \
    };

#ifdef __CUDA_ARCH__
#define __BANKSIM_ON_DEVICE(does, else_does) does
#else
#define __BANKSIM_ON_DEVICE(does, else_does) else_does
#endif

/* An integer as a float that is rounded no further than the lowest bit, which says so: to be rounded again. */
template <typename I> __BANKSIM_BOTH float __banksim_nearly(I x)
{
    unsigned long long size = x < 0 ? -(unsigned long long)x : (unsigned long long)x;
    int n = size < 1 << 24 ? 0 : 40 - __builtin_clzll(size);
    bool is_cut = (size & ((1ull << n) - 1)) != 0;
    float value = (float)(size >> n | is_cut) * (float)(1ull << n);
    return x < 0 ? -value : value;
}
/* A whole number as an integer, the nearest that there is. */
template <typename I> __BANKSIM_BOTH I __banksim_whole(float x)
{
    constexpr bool is_signed = (I)-1 < 0;
    constexpr I most = (I)(~0ull >> (64 - 8 * sizeof(I) + is_signed));
    constexpr I least = is_signed ? (I)(-most - 1) : 0;
    return x != x              ? (sizeof(I) == 8 ? (I)(1ull << 63) : 0)
           : x >= (float)most  ? most
           : x <= (float)least ? least
                               : (I)x;
}

#define __BANKSIM_HALF_OF(T, name, type, short_name)              \
    __BANKSIM_BOTH T __##short_name##2##name##_rn(type x)         \
    {                                                             \
        return T(__banksim_nearly(x));                            \
    }                                                             \
    __BANKSIM_BOTH type __##name##2##short_name##_rn(T x)         \
    {                                                             \
        return __banksim_whole<type>(__builtin_rintf((float)x));  \
    }                                                             \
    __BANKSIM_BOTH type __##name##2##short_name##_rz(T x)         \
    {                                                             \
        return __banksim_whole<type>(__builtin_truncf((float)x)); \
    }                                                             \
    __BANKSIM_BOTH type __##name##2##short_name##_rd(T x)         \
    {                                                             \
        return __banksim_whole<type>(__builtin_floorf((float)x)); \
    }                                                             \
    __BANKSIM_BOTH type __##name##2##short_name##_ru(T x)         \
    {                                                             \
        return __banksim_whole<type>(__builtin_ceilf((float)x));  \
    }

/* Conversions by name and pairs: __float2half, make_bfloat162. */
#define __BANKSIM_HALF_NAMES(T, T2, name)                     \
    __BANKSIM_HALF_OF(T, name, int, int)                      \
    __BANKSIM_HALF_OF(T, name, unsigned, uint)                \
    __BANKSIM_HALF_OF(T, name, short, short)                  \
    __BANKSIM_HALF_OF(T, name, unsigned short, ushort)        \
    __BANKSIM_HALF_OF(T, name, long long, ll)                 \
    __BANKSIM_HALF_OF(T, name, unsigned long long, ull)       \
    __BANKSIM_BOTH T __float2##name(float x)                  \
    {                                                         \
        return T(x);                                          \
    }                                                         \
    __BANKSIM_BOTH T __float2##name##_rn(float x)             \
    {                                                         \
        return T(x);                                          \
    }                                                         \
    __BANKSIM_BOTH float __##name##2float(T x)                \
    {                                                         \
        return (float)x;                                      \
    }                                                         \
    __BANKSIM_BOTH T __ushort_as_##name(unsigned short bits)  \
    {                                                         \
        T x;                                                  \
        x.bits = bits;                                        \
        return x;                                             \
    }                                                         \
    __BANKSIM_BOTH unsigned short __##name##_as_ushort(T x)   \
    {                                                         \
        return x.bits;                                        \
    }                                                         \
    __BANKSIM_BOTH T2 make_##name##2(T x, T y)                \
    {                                                         \
        return {x, y};                                        \
    }                                                         \
    __BANKSIM_BOTH T2 __halves2##name##2(T x, T y)            \
    {                                                         \
        return {x, y};                                        \
    }                                                         \
    __BANKSIM_BOTH T2 __##name##2##name##2(T x)               \
    {                                                         \
        return {x, x};                                        \
    }                                                         \
    __BANKSIM_BOTH T2 __float2##name##2_rn(float x)           \
    {                                                         \
        return {T(x), T(x)};                                  \
    }                                                         \
    __BANKSIM_BOTH T2 __floats2##name##2_rn(float x, float y) \
    {                                                         \
        return {T(x), T(y)};                                  \
    }                                                         \
    __BANKSIM_BOTH T2 __float22##name##2_rn(float2 v)         \
    {                                                         \
        return {T(v.x), T(v.y)};                              \
    }                                                         \
    __BANKSIM_BOTH float2 __##name##22float2(T2 v)            \
    {                                                         \
        return {(float)v.x, (float)v.y};                      \
    }                                                         \
    __BANKSIM_BOTH T __low2##name(T2 v)                       \
    {                                                         \
        return v.x;                                           \
    }                                                         \
    __BANKSIM_BOTH T __high2##name(T2 v)                      \
    {                                                         \
        return v.y;                                           \
    }                                                         \
    __BANKSIM_BOTH T2 __low2##name##2(T2 v)                   \
    {                                                         \
        return {v.x, v.x};                                    \
    }                                                         \
    __BANKSIM_BOTH T2 __high2##name##2(T2 v)                  \
    {                                                         \
        return {v.y, v.y};                                    \
    }                                                         \
    __BANKSIM_BOTH T2 __lows2##name##2(T2 v, T2 w)            \
    {                                                         \
        return {v.x, w.x};                                    \
    }                                                         \
    __BANKSIM_BOTH T2 __highs2##name##2(T2 v, T2 w)           \
    {                                                         \
        return {v.y, w.y};                                    \
    }                                                         \
    __BANKSIM_BOTH T2 __lowhigh2highlow(T2 v)                 \
    {                                                         \
        return {v.y, v.x};                                    \
    }                                                         \
    __BANKSIM_BOTH T __double2##name(double x)                \
    {                                                         \
        return T(x);                                          \
    }                                                         \
    __BANKSIM_BOTH T __short_as_##name(short bits)            \
    {                                                         \
        return __ushort_as_##name((unsigned short)bits);      \
    }                                                         \
    __BANKSIM_BOTH short __##name##_as_short(T x)             \
    {                                                         \
        return (short)x.bits;                                 \
    }                                                         \
    __BANKSIM_BOTH float __low2float(T2 v)                    \
    {                                                         \
        return (float)v.x;                                    \
    }                                                         \
    __BANKSIM_BOTH float __high2float(T2 v)                   \
    {                                                         \
        return (float)v.y;                                    \
    }

__BANKSIM_OWN_LINES
#endif
