/* bits.h - functions that are one instruction or a few: bits, reinterpretation, conversions,
 * roundings, and loads and stores with a cache's hint. */
#ifndef BANKSIM_CUDA_BITS_H
#define BANKSIM_CUDA_BITS_H

__BANKSIM_CALLERS_LINES
/* ---- smaller and larger, on both sides ------------------------------------------------------- */

#define __BANKSIM_MIN_MAX(result, a_type, b_type)             \
    __BANKSIM_BOTH result min(a_type a, b_type b)             \
    {                                                         \
        return (result)a < (result)b ? (result)a : (result)b; \
    }                                                         \
    __BANKSIM_BOTH result max(a_type a, b_type b)             \
    {                                                         \
        return (result)a > (result)b ? (result)a : (result)b; \
    }

__BANKSIM_MIN_MAX(int, int, int)
__BANKSIM_MIN_MAX(unsigned, unsigned, unsigned)
__BANKSIM_MIN_MAX(unsigned, int, unsigned)
__BANKSIM_MIN_MAX(unsigned, unsigned, int)
__BANKSIM_MIN_MAX(long, long, long)
__BANKSIM_MIN_MAX(unsigned long, unsigned long, unsigned long)
__BANKSIM_MIN_MAX(unsigned long, long, unsigned long)
__BANKSIM_MIN_MAX(unsigned long, unsigned long, long)
__BANKSIM_MIN_MAX(long long, long long, long long)
__BANKSIM_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
__BANKSIM_BOTH unsigned umin(unsigned a, unsigned b)
{
    return min(a, b);
}
__BANKSIM_BOTH unsigned umax(unsigned a, unsigned b)
{
    return max(a, b);
}
__BANKSIM_BOTH long long llmin(long long a, long long b)
{
    return min(a, b);
}
__BANKSIM_BOTH long long llmax(long long a, long long b)
{
    return max(a, b);
}
__BANKSIM_BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
    return min(a, b);
}
__BANKSIM_BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
    return max(a, b);
}
/* A number wins over a NaN. */
#define __BANKSIM_FMIN_FMAX(result, a_type, b_type, suffix) \
    __BANKSIM_BOTH result min(a_type a, b_type b)           \
    {                                                       \
        return __builtin_fmin##suffix(a, b);                \
    }                                                       \
    __BANKSIM_BOTH result max(a_type a, b_type b)           \
    {                                                       \
        return __builtin_fmax##suffix(a, b);                \
    }
__BANKSIM_FMIN_FMAX(float, float, float, f)
__BANKSIM_FMIN_FMAX(double, double, double, )
__BANKSIM_FMIN_FMAX(double, float, double, )
__BANKSIM_FMIN_FMAX(double, double, float, )

/* ---- one call, one expression ---------------------------------------------------------------- */

#define __BANKSIM_1(result, name, type, expression) \
    __BANKSIM_DEVICE result name(type x)            \
    {                                               \
        return expression;                          \
    }
#define __BANKSIM_2(result, name, type, expression) \
    __BANKSIM_DEVICE result name(type x, type y)    \
    {                                               \
        return expression;                          \
    }
#define __BANKSIM_3(result, name, type, expression)      \
    __BANKSIM_DEVICE result name(type x, type y, type z) \
    {                                                    \
        return expression;                               \
    }

__BANKSIM_1(int, __popc, unsigned, __builtin_popcount(x))
__BANKSIM_1(int, __popcll, unsigned long long, __builtin_popcountll(x))
__BANKSIM_1(int, __clz, int, x == 0 ? 32 : __builtin_clz((unsigned)x))
__BANKSIM_1(int, __clzll, long long, x == 0 ? 64 : __builtin_clzll((unsigned long long)x))
__BANKSIM_1(int, __ffs, int, __builtin_ffs(x))
__BANKSIM_1(int, __ffsll, long long, __builtin_ffsll(x))
__BANKSIM_1(unsigned, __brev, unsigned, __builtin_bitreverse32(x))
__BANKSIM_1(unsigned long long, __brevll, unsigned long long, __builtin_bitreverse64(x))
__BANKSIM_3(unsigned, __byte_perm, unsigned,
            (unsigned)__nvvm_prmt((int)x, (int)y, (int)(z & 0x7777)))
__BANKSIM_3(unsigned, __funnelshift_l, unsigned,
            (unsigned)(((unsigned long long)y << 32 | x) << (z & 31) >> 32))
__BANKSIM_3(unsigned, __funnelshift_r, unsigned,
            (unsigned)(((unsigned long long)y << 32 | x) >> (z & 31)))
/* By 32 at most, where the others take the lower 5 bits. */
__BANKSIM_3(unsigned, __funnelshift_lc, unsigned, z >= 32 ? x : __funnelshift_l(x, y, z))
__BANKSIM_3(unsigned, __funnelshift_rc, unsigned, z >= 32 ? y : __funnelshift_r(x, y, z))

__BANKSIM_2(int, __mulhi, int, __nvvm_mulhi_i(x, y))
__BANKSIM_2(unsigned, __umulhi, unsigned, __nvvm_mulhi_ui(x, y))
__BANKSIM_2(long long, __mul64hi, long long, __nvvm_mulhi_ll(x, y))
__BANKSIM_2(unsigned long long, __umul64hi, unsigned long long, __nvvm_mulhi_ull(x, y))
__BANKSIM_2(int, __mul24, int, __nvvm_mul24_i(x, y))
__BANKSIM_2(unsigned, __umul24, unsigned, __nvvm_mul24_ui(x, y))
__BANKSIM_3(unsigned, __sad, int, __nvvm_sad_i(x, y, z))
__BANKSIM_3(unsigned, __usad, unsigned, __nvvm_sad_ui(x, y, z))
__BANKSIM_2(int, __hadd, int, (int)(((long long)x + y) >> 1))
__BANKSIM_2(int, __rhadd, int, (int)(((long long)x + y + 1) >> 1))
__BANKSIM_2(unsigned, __uhadd, unsigned, (unsigned)(((unsigned long long)x + y) >> 1))
__BANKSIM_2(unsigned, __urhadd, unsigned, (unsigned)(((unsigned long long)x + y + 1) >> 1))

/* ---- the same bits as another type ----------------------------------------------------------- */

__BANKSIM_1(int, __float_as_int, float, __nvvm_bitcast_f2i(x))
__BANKSIM_1(unsigned, __float_as_uint, float, (unsigned)__nvvm_bitcast_f2i(x))
__BANKSIM_1(float, __int_as_float, int, __nvvm_bitcast_i2f(x))
__BANKSIM_1(float, __uint_as_float, unsigned, __nvvm_bitcast_i2f((int)x))
__BANKSIM_1(long long, __double_as_longlong, double, __nvvm_bitcast_d2ll(x))
__BANKSIM_1(double, __longlong_as_double, long long, __nvvm_bitcast_ll2d(x))
__BANKSIM_1(int, __double2hiint, double, __nvvm_d2i_hi(x))
__BANKSIM_1(int, __double2loint, double, __nvvm_d2i_lo(x))
__BANKSIM_2(double, __hiloint2double, int, __nvvm_lohi_i2d(y, x))

/* ---- roundings ------------------------------------------------------------------------------- */

/* To nearest, to zero, up, down. */
#define __BANKSIM_ROUNDED(r, m)                                                      \
    __BANKSIM_2(float, __fadd_r##r, float, __nvvm_add_r##m##_f(x, y))                \
    __BANKSIM_2(float, __fsub_r##r, float, __nvvm_add_r##m##_f(x, -y))               \
    __BANKSIM_2(float, __fmul_r##r, float, __nvvm_mul_r##m##_f(x, y))                \
    __BANKSIM_2(float, __fdiv_r##r, float, __nvvm_div_r##m##_f(x, y))                \
    __BANKSIM_3(float, __fmaf_r##r, float, __nvvm_fma_r##m##_f(x, y, z))             \
    __BANKSIM_1(float, __fsqrt_r##r, float, __nvvm_sqrt_r##m##_f(x))                 \
    __BANKSIM_1(float, __frcp_r##r, float, __nvvm_rcp_r##m##_f(x))                   \
    __BANKSIM_2(double, __dadd_r##r, double, __nvvm_add_r##m##_d(x, y))              \
    __BANKSIM_2(double, __dsub_r##r, double, __nvvm_add_r##m##_d(x, -y))             \
    __BANKSIM_2(double, __dmul_r##r, double, __nvvm_mul_r##m##_d(x, y))              \
    __BANKSIM_2(double, __ddiv_r##r, double, __nvvm_div_r##m##_d(x, y))              \
    __BANKSIM_3(double, __fma_r##r, double, __nvvm_fma_r##m##_d(x, y, z))            \
    __BANKSIM_1(double, __dsqrt_r##r, double, __nvvm_sqrt_r##m##_d(x))               \
    __BANKSIM_1(double, __drcp_r##r, double, __nvvm_rcp_r##m##_d(x))                 \
    __BANKSIM_1(int, __float2int_r##r, float, __nvvm_f2i_r##m(x))                    \
    __BANKSIM_1(unsigned, __float2uint_r##r, float, __nvvm_f2ui_r##m(x))             \
    __BANKSIM_1(long long, __float2ll_r##r, float, __nvvm_f2ll_r##m(x))              \
    __BANKSIM_1(unsigned long long, __float2ull_r##r, float, __nvvm_f2ull_r##m(x))   \
    __BANKSIM_1(unsigned long long, __double2ull_r##r, double, __nvvm_d2ull_r##m(x)) \
    __BANKSIM_1(float, __ull2float_r##r, unsigned long long, __nvvm_ull2f_r##m(x))   \
    __BANKSIM_1(double, __ull2double_r##r, unsigned long long, __nvvm_ull2d_r##m(x)) \
    __BANKSIM_1(int, __double2int_r##r, double, __nvvm_d2i_r##m(x))                  \
    __BANKSIM_1(unsigned, __double2uint_r##r, double, __nvvm_d2ui_r##m(x))           \
    __BANKSIM_1(long long, __double2ll_r##r, double, __nvvm_d2ll_r##m(x))            \
    __BANKSIM_1(float, __double2float_r##r, double, __nvvm_d2f_r##m(x))              \
    __BANKSIM_1(float, __int2float_r##r, int, __nvvm_i2f_r##m(x))                    \
    __BANKSIM_1(float, __uint2float_r##r, unsigned, __nvvm_ui2f_r##m(x))             \
    __BANKSIM_1(float, __ll2float_r##r, long long, __nvvm_ll2f_r##m(x))              \
    __BANKSIM_1(double, __ll2double_r##r, long long, __nvvm_ll2d_r##m(x))

__BANKSIM_ROUNDED(n, n)
__BANKSIM_ROUNDED(z, z)
__BANKSIM_ROUNDED(u, p)
__BANKSIM_ROUNDED(d, m)
__BANKSIM_1(double, __int2double_rn, int, x)
__BANKSIM_1(double, __uint2double_rn, unsigned, x)

/* ---- loads and stores with a hint ------------------------------------------------------------ */

/* Of read-only data by the compiler's own load; the hints are for caches alone, which the other
 * names leave out. */
template <typename T> __BANKSIM_DEVICE T __ldg(const T *p)
{
    return *p;
}
__BANKSIM_1(int, __ldg, const int *, __nvvm_ldg_i(x))
__BANKSIM_1(unsigned, __ldg, const unsigned *, __nvvm_ldg_ui(x))
__BANKSIM_1(float, __ldg, const float *, __nvvm_ldg_f(x))
__BANKSIM_1(double, __ldg, const double *, __nvvm_ldg_d(x))

#define __BANKSIM_HINT(suffix)                                        \
    template <typename T> __BANKSIM_DEVICE T __ld##suffix(const T *p) \
    {                                                                 \
        return *p;                                                    \
    }
__BANKSIM_HINT(ca)
__BANKSIM_HINT(cg)
__BANKSIM_HINT(cs)
__BANKSIM_HINT(cv)
__BANKSIM_HINT(lu)

#define __BANKSIM_HINTED_STORE(suffix)                                                  \
    template <typename T, typename U> __BANKSIM_DEVICE void __st##suffix(T *p, U value) \
    {                                                                                   \
        *p = value;                                                                     \
    }
__BANKSIM_HINTED_STORE(wb)
__BANKSIM_HINTED_STORE(cg)
__BANKSIM_HINTED_STORE(cs)
__BANKSIM_HINTED_STORE(wt)

__BANKSIM_DEVICE unsigned __isShared(const void *p)
{
    return __nvvm_isspacep_shared(p);
}
__BANKSIM_DEVICE unsigned __isGlobal(const void *p)
{
    return __nvvm_isspacep_global(p);
}
__BANKSIM_DEVICE unsigned __isConstant(const void *p)
{
    return __nvvm_isspacep_const(p);
}
__BANKSIM_DEVICE unsigned __isLocal(const void *p)
{
    return __nvvm_isspacep_local(p);
}
template <typename T> __BANKSIM_DEVICE __SIZE_TYPE__ __cvta_generic_to_shared(T *p)
{
    return (__SIZE_TYPE__)(__attribute__((address_space(3))) const char *)(const char *)p;
}
__BANKSIM_DEVICE void *__cvta_shared_to_generic(__SIZE_TYPE__ at)
{
    return (void *)(__attribute__((address_space(3))) void *)at;
}
__BANKSIM_DEVICE void *__cvta_global_to_generic(__SIZE_TYPE__ at)
{
    return (void *)(__attribute__((address_space(1))) void *)at;
}
template <typename T> __BANKSIM_DEVICE __SIZE_TYPE__ __cvta_generic_to_global(T *p)
{
    return (__SIZE_TYPE__)(__attribute__((address_space(1))) const char *)(const char *)p;
}

__BANKSIM_OWN_LINES
#endif
