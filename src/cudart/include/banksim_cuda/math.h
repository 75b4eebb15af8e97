/* math.h - the math functions of kernels.
 *
 * NVIDIA's are in libdevice, which is not here. What PTX has is used; the rest is computed in
 * double by a reduction and a series, to a few units of the last place, and rounded for float.
 * tests/cuda/math.cu holds them to 8 units in double and 4 in float. Bounds: sin, cos and tan reduce arguments up to 1e9; pow's error grows with
 * the logarithm of the result (1e-13 at the ends of the range); fmod needs |x / y| below 2^52.
 */
#ifndef BANKSIM_CUDA_MATH_H
#define BANKSIM_CUDA_MATH_H

__BANKSIM_CALLERS_LINES
/* ---- what PTX has ---------------------------------------------------------------------------- */

#define __BANKSIM_MATH_1(name, expression_f, expression) \
    __BANKSIM_1(float, name##f, float, expression_f)     \
    __BANKSIM_1(double, name, double, expression)        \
    __BANKSIM_1(float, name, float, name##f(x))
#define __BANKSIM_MATH_2(name, expression_f, expression) \
    __BANKSIM_2(float, name##f, float, expression_f)     \
    __BANKSIM_2(double, name, double, expression)        \
    __BANKSIM_2(float, name, float, name##f(x, y))

__BANKSIM_MATH_1(fabs, __builtin_fabsf(x), __builtin_fabs(x))
#ifdef __BANKSIM_FAST_SQRT
__BANKSIM_MATH_1(sqrt, __nvvm_sqrt_approx_f(x), __nvvm_sqrt_rn_d(x))
#else
__BANKSIM_MATH_1(sqrt, __nvvm_sqrt_rn_f(x), __nvvm_sqrt_rn_d(x))
#endif
__BANKSIM_MATH_1(floor, __builtin_floorf(x), __builtin_floor(x))
__BANKSIM_MATH_1(ceil, __builtin_ceilf(x), __builtin_ceil(x))
__BANKSIM_MATH_1(trunc, __builtin_truncf(x), __builtin_trunc(x))
__BANKSIM_MATH_1(rint, __builtin_rintf(x), __builtin_rint(x))
__BANKSIM_MATH_1(nearbyint, __builtin_rintf(x), __builtin_rint(x))
/* To nearest, ties away from zero. */
__BANKSIM_MATH_1(round, __builtin_copysignf(__builtin_truncf(__builtin_fabsf(x) + 0.49999997f), x),
                 __builtin_copysign(__builtin_trunc(__builtin_fabs(x) + 0.49999999999999994), x))
__BANKSIM_MATH_2(fmin, __builtin_fminf(x, y), __builtin_fmin(x, y))
__BANKSIM_MATH_2(fmax, __builtin_fmaxf(x, y), __builtin_fmax(x, y))
__BANKSIM_MATH_2(copysign, __builtin_copysignf(x, y), __builtin_copysign(x, y))
__BANKSIM_3(float, fmaf, float, __builtin_fmaf(x, y, z))
__BANKSIM_3(float, fma, float, __builtin_fmaf(x, y, z))
__BANKSIM_3(double, fma, double, __builtin_fma(x, y, z))
__BANKSIM_1(float, rsqrtf, float, __nvvm_rsqrt_approx_f(x))
__BANKSIM_1(float, rsqrt, float, __nvvm_rsqrt_approx_f(x))
__BANKSIM_1(double, rsqrt, double, 1 / __nvvm_sqrt_rn_d(x))
__BANKSIM_1(int, abs, int, x < 0 ? -x : x)
__BANKSIM_1(long, labs, long, x < 0 ? -x : x)
__BANKSIM_1(long long, llabs, long long, x < 0 ? -x : x)
__BANKSIM_1(long, abs, long, x < 0 ? -x : x)
__BANKSIM_1(long long, abs, long long, x < 0 ? -x : x)
__BANKSIM_1(float, abs, float, __builtin_fabsf(x))
__BANKSIM_1(double, abs, double, __builtin_fabs(x))
__BANKSIM_2(float, fdimf, float, x > y ? x - y : x <= y ? 0.0f : x + y)
__BANKSIM_2(double, fdim, double, x > y ? x - y : x <= y ? 0.0 : x + y)

__BANKSIM_DEVICE float nanf(const char *)
{
    return __builtin_nanf("");
}
__BANKSIM_DEVICE double nan(const char *)
{
    return __builtin_nan("");
}

#define __BANKSIM_KIND(name, expression)       \
    __BANKSIM_1(bool, name, float, expression) \
    __BANKSIM_1(bool, name, double, expression)
__BANKSIM_KIND(isnan, x != x)
__BANKSIM_KIND(isinf, x - x != 0 && x == x)
__BANKSIM_KIND(isfinite, x - x == 0)
__BANKSIM_1(bool, signbit, float, __nvvm_bitcast_f2i(x) < 0)
__BANKSIM_1(bool, signbit, double, __nvvm_bitcast_d2ll(x) < 0)

/* ---- fast ones: PTX's approximations --------------------------------------------------------- */

__BANKSIM_1(float, __sinf, float, __nvvm_sin_approx_f(x))
__BANKSIM_1(float, __cosf, float, __nvvm_cos_approx_f(x))
__BANKSIM_1(float, __tanf, float,
            __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x)))
__BANKSIM_1(float, __log2f, float, __nvvm_lg2_approx_f(x))
__BANKSIM_1(float, __logf, float, __nvvm_lg2_approx_f(x) * 0.693147180559945f)
__BANKSIM_1(float, __log10f, float, __nvvm_lg2_approx_f(x) * 0.301029995663981f)
__BANKSIM_1(float, __expf, float, __nvvm_ex2_approx_f(x * 1.44269504088896f))
__BANKSIM_1(float, __exp10f, float, __nvvm_ex2_approx_f(x * 3.32192809488736f))
__BANKSIM_2(float, __powf, float, __nvvm_ex2_approx_f(y *__nvvm_lg2_approx_f(x)))
__BANKSIM_2(float, __fdividef, float, __nvvm_div_approx_f(x, y))
__BANKSIM_2(float, fdividef, float, x / y)
__BANKSIM_1(float, __saturatef, float, __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f))
__BANKSIM_1(float, __frsqrt_rn, float, (float)(1 / __nvvm_sqrt_rn_d((double)x)))
__BANKSIM_DEVICE void __sincosf(float x, float *sine, float *cosine)
{
    *sine = __sinf(x);
    *cosine = __cosf(x);
}

/* ---- exponentials and logarithms ------------------------------------------------------------- */

#define __BANKSIM_INFINITY __builtin_inf()
#define __BANKSIM_NAN __builtin_nan("")

/* 2 to the n, -1022 <= n <= 1023. */
__BANKSIM_DEVICE double __banksim_power_of_2(int n)
{
    return __nvvm_bitcast_ll2d((long long)(n + 1023) << 52);
}

/* Four steps reach from one end of the range to the other. */
__BANKSIM_DEVICE double ldexp(double x, int n)
{
    n = n < -2200 ? -2200 : n > 2200 ? 2200 : n;
    int quarter = n / 4;
    double step = __banksim_power_of_2(quarter);
    return x * step * step * step * __banksim_power_of_2(n - 3 * quarter);
}

/* The sum of c[i] * x^i, i below n. */
template <int n> __BANKSIM_DEVICE double __banksim_polynomial(double x, const double (&c)[n])
{
    double sum = c[n - 1];
#pragma unroll
    for (int i = n - 2; i >= 0; i--) {
        sum = __builtin_fma(sum, x, c[i]);
    }
    return sum;
}

/* e to the r, |r| <= 0.35: 1/i! */
__BANKSIM_DEVICE double __banksim_exp_near_0(double r)
{
    constexpr double c[] = {1,
                            1,
                            1.0 / 2,
                            1.0 / 6,
                            1.0 / 24,
                            1.0 / 120,
                            1.0 / 720,
                            1.0 / 5040,
                            1.0 / 40320,
                            1.0 / 362880,
                            1.0 / 3628800,
                            1.0 / 39916800,
                            1.0 / 479001600,
                            1.0 / 6227020800.0};
    return __banksim_polynomial(r, c);
}

__BANKSIM_DEVICE double exp(double x)
{
    double n = __builtin_rint(x * 1.4426950408889634);
    double r = __builtin_fma(n, -0x1.62e42fefa39efp-1, x);
    r = __builtin_fma(n, -0x1.abc9e3b39803fp-56, r);
    return x > 710 ? __BANKSIM_INFINITY : x < -746 ? 0 : ldexp(__banksim_exp_near_0(r), (int)n);
}

__BANKSIM_DEVICE double exp2(double x)
{
    double n = __builtin_rint(x);
    return x > 1024    ? __BANKSIM_INFINITY
           : x < -1076 ? 0
                       : ldexp(__banksim_exp_near_0((x - n) * 0.6931471805599453), (int)n);
}

__BANKSIM_DEVICE double exp10(double x)
{
    double n = __builtin_rint(x * 3.321928094887362);
    double r = __builtin_fma(n, -0x1.34413509f79ffp-2, x);
    r = __builtin_fma(n, 0x1.9dc1da994fd21p-59, r);
    return x > 309    ? __BANKSIM_INFINITY
           : x < -324 ? 0
                      : ldexp(__banksim_exp_near_0(r * 2.302585092994046), (int)n);
}

/* x = m * 2^e with m between sqrt(1/2) and sqrt(2); x is positive and finite. */
__BANKSIM_DEVICE double __banksim_split(double x, int *e)
{
    int extra = 0;
    if (x < 2.2250738585072014e-308) {
        x *= 0x1p54;
        extra = 54;
    }
    long long bits = __nvvm_bitcast_d2ll(x);
    int above = (bits & 0xfffffffffffff) > 0x6a09e667f3bcd;
    *e = (int)(bits >> 52) - 1023 + above - extra;
    return __nvvm_bitcast_ll2d((bits & 0xfffffffffffff) | (long long)(1023 - above) << 52);
}

/* The logarithm of m near 1: 2 * (s + s^3/3 + s^5/5 + ...), s = (m - 1) / (m + 1). */
__BANKSIM_DEVICE double __banksim_log_near_1(double m)
{
    constexpr double c[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11,
                            2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21};
    double s = (m - 1) / (m + 1), square = s * s;
    /* 2 s = (m - 1) - s (m - 1), whose first term is exact */
    return (m - 1) - s * ((m - 1) - square * __banksim_polynomial(square, c));
}

/* Of the ends of the range, for a logarithm. */
__BANKSIM_DEVICE double __banksim_log_edge(double x)
{
    return x == 0 ? -__BANKSIM_INFINITY : x > 0 ? x : __BANKSIM_NAN;
}
__BANKSIM_DEVICE bool __banksim_has_log(double x)
{
    return x > 0 && x < __BANKSIM_INFINITY;
}

__BANKSIM_DEVICE double log(double x)
{
    int e;
    if (!__banksim_has_log(x)) {
        return __banksim_log_edge(x);
    }
    double near = __banksim_log_near_1(__banksim_split(x, &e));
    return __builtin_fma(e, 0x1.62e42fefa3800p-1, __builtin_fma(e, 0x1.ef35793c76730p-45, near));
}
__BANKSIM_DEVICE double log2(double x)
{
    int e;
    if (!__banksim_has_log(x)) {
        return __banksim_log_edge(x);
    }
    double near = __banksim_log_near_1(__banksim_split(x, &e));
    return e + near * 1.4426950408889634;
}
__BANKSIM_1(double, log10, double, log(x) * 0.4342944819032518)

/* By Kahan: what 1 + x has lost is put right by the ratio. */
__BANKSIM_DEVICE double log1p(double x)
{
    double sum = 1 + x;
    return sum == 1 || sum == __BANKSIM_INFINITY ? x : log(sum) * (x / (sum - 1));
}
__BANKSIM_DEVICE double expm1(double x)
{
    double power = exp(x);
    return power == 1                                       ? x
           : power - 1 == -1 || power == __BANKSIM_INFINITY ? power - 1
                                                            : (power - 1) * (x / log(power));
}

/* x to an integer: squares. */
__BANKSIM_DEVICE double __banksim_power(double x, int n)
{
    double product = 1;
    for (int i = n < 0 ? -n : n; i > 0; i >>= 1) {
        product = i & 1 ? product * x : product;
        x *= x;
    }
    return n < 0 ? 1 / product : product;
}
__BANKSIM_DEVICE double pow(double x, double y)
{
    bool whole = __builtin_trunc(y) == y, is_odd = whole && __builtin_trunc(y / 2) * 2 != y;
    if (x == 1 || y == 0) {
        return 1;
    }
    if (whole && __builtin_fabs(y) <= 64) {
        return __banksim_power(x, (int)y);
    }
    double magnitude = __builtin_fabs(x);
    double power = magnitude == 1 ? 1 : exp(y * log(magnitude));
    return x < 0 && !whole   ? (x == -__BANKSIM_INFINITY ? power : __BANKSIM_NAN)
           : x < 0 && is_odd ? -power
                             : power;
}
__BANKSIM_DEVICE double pow(double x, int n)
{
    return pow(x, (double)n);
}

/* ---- angles ---------------------------------------------------------------------------------- */

/* x less n quarter turns: |r| <= pi/4. */
__BANKSIM_DEVICE double __banksim_quarter(double x, int *n)
{
    double turns = __builtin_rint(x * 0.6366197723675814);
    double r = __builtin_fma(turns, -0x1.921fb54442d18p+0, x);
    r = __builtin_fma(turns, -0x1.1a62633145c07p-54, r);
    *n = (int)(long long)turns & 3;
    return r;
}
__BANKSIM_DEVICE double __banksim_sin_near_0(double r)
{
    constexpr double c[] = {-1.0 / 6,
                            1.0 / 120,
                            -1.0 / 5040,
                            1.0 / 362880,
                            -1.0 / 39916800,
                            1.0 / 6227020800.0,
                            -1.0 / 1307674368000.0,
                            1.0 / 355687428096000.0};
    return __builtin_fma(r * (r * r), __banksim_polynomial(r * r, c), r);
}
__BANKSIM_DEVICE double __banksim_cos_near_0(double r)
{
    constexpr double c[] = {1,
                            -1.0 / 2,
                            1.0 / 24,
                            -1.0 / 720,
                            1.0 / 40320,
                            -1.0 / 3628800,
                            1.0 / 479001600,
                            -1.0 / 87178291200.0,
                            1.0 / 20922789888000.0};
    return __banksim_polynomial(r * r, c);
}
/* The sine of x and n further quarter turns. */
__BANKSIM_DEVICE double __banksim_sine(double x, int n)
{
    int quarters;
    double r = __banksim_quarter(x, &quarters);
    n += quarters;
    double size = n & 1 ? __banksim_cos_near_0(r) : __banksim_sin_near_0(r);
    return x - x != 0 ? __BANKSIM_NAN : n & 2 ? -size : size;
}
__BANKSIM_1(double, sin, double, __banksim_sine(x, 0))
__BANKSIM_1(double, cos, double, __banksim_sine(x, 1))
__BANKSIM_1(double, tan, double, sin(x) / cos(x))
__BANKSIM_1(double, sinpi, double, sin((x - 2 * __builtin_rint(x / 2)) * 3.141592653589793))
__BANKSIM_1(double, cospi, double, cos((x - 2 * __builtin_rint(x / 2)) * 3.141592653589793))

/* Twice half the angle, twice: then |x| <= tan(pi/16) and the series is short. */
__BANKSIM_DEVICE double atan(double x)
{
    constexpr double c[] = {1,        -1.0 / 3,  1.0 / 5,  -1.0 / 7,  1.0 / 9,  -1.0 / 11,
                            1.0 / 13, -1.0 / 15, 1.0 / 17, -1.0 / 19, 1.0 / 21, -1.0 / 23};
    double size = __builtin_fabs(x), t = size > 1 ? 1 / size : size;
    t = t / (1 + __nvvm_sqrt_rn_d(1 + t * t));
    t = t / (1 + __nvvm_sqrt_rn_d(1 + t * t));
    double angle = 4 * t * __banksim_polynomial(t * t, c);
    return __builtin_copysign(size > 1 ? 1.5707963267948966 - angle : angle, x);
}
__BANKSIM_DEVICE double atan2(double y, double x)
{
    double rise = __builtin_fabs(y), run = __builtin_fabs(x);
    double angle = rise == run && rise != 0 ? 0.7853981633974483
                   : run == 0 && rise == 0  ? 0
                                            : atan(rise / run);
    angle = __nvvm_bitcast_d2ll(x) < 0 ? 3.141592653589793 - angle : angle;
    return x != x || y != y ? __BANKSIM_NAN : __builtin_copysign(angle, y);
}
__BANKSIM_1(double, asin, double,
            x *x > 1 ? __BANKSIM_NAN : atan2(x, __nvvm_sqrt_rn_d((1 - x) * (1 + x))))
__BANKSIM_1(double, acos, double,
            x *x > 1 ? __BANKSIM_NAN : atan2(__nvvm_sqrt_rn_d((1 - x) * (1 + x)), x))

/* ---- hyperbolic functions, roots, the error function ----------------------------------------- */

__BANKSIM_DEVICE double sinh(double x)
{
    double up = expm1(__builtin_fabs(x));
    return __builtin_copysign(
        up > 1e15 ? exp(__builtin_fabs(x) - 0.6931471805599453) : (up + up / (up + 1)) / 2, x);
}
__BANKSIM_1(double, cosh, double, (exp(x) + exp(-x)) / 2)
__BANKSIM_DEVICE double tanh(double x)
{
    double up = expm1(2 * __builtin_fmin(__builtin_fabs(x), 30.0));
    return x != x ? x : __builtin_copysign(up / (up + 2), x);
}
__BANKSIM_1(double, asinh, double,
            __builtin_copysign(log1p(__builtin_fabs(x) + x * x / (1 + __nvvm_sqrt_rn_d(1 + x * x))),
                               x))
__BANKSIM_1(double, acosh, double, log(x + __nvvm_sqrt_rn_d((x - 1) * (x + 1))))
__BANKSIM_1(double, atanh, double, log1p(2 * x / (1 - x)) / 2)

__BANKSIM_DEVICE double cbrt(double x)
{
    double size = __builtin_fabs(x);
    if (!__banksim_has_log(size)) {
        return x;
    }
    double root = exp(log(size) / 3);
    root -= (root - size / (root * root)) / 3;
    return __builtin_copysign(root, x);
}
__BANKSIM_DEVICE double hypot(double x, double y)
{
    double large = __builtin_fmax(__builtin_fabs(x), __builtin_fabs(y));
    double small = __builtin_fmin(__builtin_fabs(x), __builtin_fabs(y)) / large;
    return large == 0 ? 0 : large * __nvvm_sqrt_rn_d(1 + small * small);
}
__BANKSIM_DEVICE double fmod(double x, double y)
{
    double rest = __builtin_fma(-__builtin_trunc(x / y), y, x), size = __builtin_fabs(y);
    rest = x < 0 ? (rest > 0 ? rest - size : rest) : rest < 0 ? rest + size : rest;
    return size == __BANKSIM_INFINITY ? x : __builtin_copysign(rest, x);
}

/* Below 1.7 the series 2/sqrt(pi) * exp(-x^2) * x * (1 + 2x^2/3 + (2x^2)^2/15 + ...), whose terms
 * are all positive; above it the continued fraction of erfc. */
__BANKSIM_DEVICE double __banksim_erf_series(double x)
{
    double sum = 1, term = 1;
    for (int i = 1; i < 60; i++) {
        term *= 2 * x * x / (2 * i + 1);
        sum += term;
    }
    return 1.1283791670955126 * x * exp(-x * x) * sum;
}
__BANKSIM_DEVICE double __banksim_erfc_fraction(double x)
{
    double below = x;
    for (int i = 80; i > 0; i--) {
        below = x + i / (2 * below);
    }
    return x > 28 ? 0 : 0.5641895835477563 * exp(-x * x) / below;
}
__BANKSIM_DEVICE double erfc(double x)
{
    double size = __builtin_fabs(x);
    double rest = size < 1.7 ? 1 - __banksim_erf_series(size) : __banksim_erfc_fraction(size);
    return x != x ? x : x < 0 ? 2 - rest : rest;
}
__BANKSIM_DEVICE double erf(double x)
{
    return __builtin_fabs(x) < 1.7 ? __banksim_erf_series(x) : 1 - erfc(x);
}
__BANKSIM_1(double, normcdf, double, erfc(-x * 0.7071067811865476) / 2)

__BANKSIM_DEVICE void sincos(double x, double *sine, double *cosine)
{
    *sine = sin(x);
    *cosine = cos(x);
}
/* x is the result times 2^e, the result between 1/2 and 1. */
__BANKSIM_DEVICE double frexp(double x, int *e)
{
    if (x == 0 || x - x != 0) {
        *e = 0;
        return x;
    }
    double size = __banksim_split(__builtin_fabs(x), e);
    *e += size >= 1;
    return __builtin_copysign(size >= 1 ? size / 2 : size, x);
}
__BANKSIM_DEVICE float frexpf(float x, int *e)
{
    return (float)frexp((double)x, e);
}
__BANKSIM_DEVICE double modf(double x, double *whole)
{
    *whole = __builtin_trunc(x);
    return x - *whole;
}
__BANKSIM_DEVICE float modff(float x, float *whole)
{
    *whole = __builtin_truncf(x);
    return x - *whole;
}
__BANKSIM_DEVICE float ldexpf(float x, int n)
{
    return (float)ldexp((double)x, n);
}

/* ---- float, by way of double ----------------------------------------------------------------- */

#define __BANKSIM_FLOAT_1(name)                                \
    __BANKSIM_1(float, name##f, float, (float)name((double)x)) \
    __BANKSIM_1(float, name, float, name##f(x))
/* --use_fast_math says the fast ones for these. */
#if defined(__CLANG_CUDA_APPROX_TRANSCENDENTALS__) || defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
#define __BANKSIM_FAST(fast, exact) fast
#else
#define __BANKSIM_FAST(fast, exact) exact
#endif
#define __BANKSIM_FLOAT_FAST(name)                                                              \
    __BANKSIM_1(float, name##f, float, __BANKSIM_FAST(__##name##f(x), (float)name((double)x))) \
    __BANKSIM_1(float, name, float, name##f(x))

__BANKSIM_FLOAT_FAST(exp)
__BANKSIM_FLOAT_1(exp2)
__BANKSIM_FLOAT_FAST(exp10)
__BANKSIM_FLOAT_1(expm1)
__BANKSIM_FLOAT_FAST(log)
__BANKSIM_FLOAT_FAST(log2)
__BANKSIM_FLOAT_FAST(log10)
__BANKSIM_FLOAT_1(log1p)
__BANKSIM_FLOAT_FAST(sin)
__BANKSIM_FLOAT_FAST(cos)
__BANKSIM_FLOAT_FAST(tan)
__BANKSIM_FLOAT_1(sinpi)
__BANKSIM_FLOAT_1(cospi)
__BANKSIM_FLOAT_1(asin)
__BANKSIM_FLOAT_1(acos)
__BANKSIM_FLOAT_1(atan)
__BANKSIM_FLOAT_1(sinh)
__BANKSIM_FLOAT_1(cosh)
__BANKSIM_FLOAT_1(tanh)
__BANKSIM_FLOAT_1(asinh)
__BANKSIM_FLOAT_1(acosh)
__BANKSIM_FLOAT_1(atanh)
__BANKSIM_FLOAT_1(cbrt)
__BANKSIM_FLOAT_1(erf)
__BANKSIM_FLOAT_1(erfc)
__BANKSIM_FLOAT_1(normcdf)
__BANKSIM_2(float, powf, float,
            __BANKSIM_FAST(__powf(x, y), (float)pow((double)x, (double)y)))
__BANKSIM_2(float, pow, float, powf(x, y))
__BANKSIM_DEVICE float pow(float x, int n)
{
    return powf(x, (float)n);
}
__BANKSIM_DEVICE void sincosf(float x, float *sine, float *cosine)
{
    *sine = sinf(x);
    *cosine = cosf(x);
}
__BANKSIM_2(float, atan2f, float, (float)atan2((double)x, (double)y))
__BANKSIM_2(float, atan2, float, atan2f(x, y))
__BANKSIM_2(float, hypotf, float, (float)hypot((double)x, (double)y))
__BANKSIM_2(float, hypot, float, hypotf(x, y))
__BANKSIM_2(float, fmodf, float, (float)fmod((double)x, (double)y))
__BANKSIM_2(float, fmod, float, fmodf(x, y))

/* ---- the same in std:: ----------------------------------------------------------------------- */

namespace std
{
using ::abs;
using ::acos;
using ::acosh;
using ::asin;
using ::asinh;
using ::atan;
using ::atan2;
using ::atanh;
using ::cbrt;
using ::ceil;
using ::copysign;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::frexp;
using ::hypot;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::nearbyint;
using ::pow;
using ::rint;
using ::round;
using ::signbit;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::trunc;
} // namespace std

/* What nvcc's host knows beyond the C library. */
static __host__ inline float rsqrtf(float x)
{
    return 1 / __builtin_sqrtf(x);
}
static __host__ inline double rsqrt(double x)
{
    return 1 / __builtin_sqrt(x);
}
static __host__ inline double normcdf(double x)
{
    return __builtin_erfc(-x * 0.7071067811865476) / 2;
}
static __host__ inline float normcdff(float x)
{
    return (float)normcdf((double)x);
}

__BANKSIM_OWN_LINES
#endif
