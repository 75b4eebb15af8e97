/* special.h - roundings to integers, parts of numbers, lengths, and functions that have no short series.
 *
 * tests/cuda/special.cu holds lgamma and erfcx to 32 units, tgamma and the inverses of erf to 48, the rest to
 * math.h's. tgamma's error grows with its logarithm (1e-13 at the ends). There are no Bessel functions.
 */
#ifndef BANKSIM_CUDA_SPECIAL_H
#define BANKSIM_CUDA_SPECIAL_H
__BANKSIM_CALLERS_LINES

/* ---- to integers ----------------------------------------------------------------------------- */

#define __BANKSIM_TO_INTEGER(type, name, whole)          \
    __BANKSIM_1(type, name, double, (type)whole(x))      \
    __BANKSIM_1(type, name##f, float, (type)whole##f(x)) \
    __BANKSIM_1(type, name, float, (type)whole##f(x))
__BANKSIM_TO_INTEGER(long, lrint, rint)
__BANKSIM_TO_INTEGER(long long, llrint, rint)
__BANKSIM_TO_INTEGER(long, lround, round)
__BANKSIM_TO_INTEGER(long long, llround, round)

/* ---- parts of numbers ------------------------------------------------------------------------ */

__BANKSIM_DEVICE int ilogb(double x)
{
    int e;
    if (x == 0 || x != x) {
        return -0x7fffffff - 1;
    }
    frexp(x, &e);
    return x - x != 0 ? 0x7fffffff : e - 1;
}
__BANKSIM_1(int, ilogbf, float, ilogb((double)x))
__BANKSIM_1(int, ilogb, float, ilogb((double)x))
__BANKSIM_1(double, logb, double,
            x == 0       ? -__BANKSIM_INFINITY
            : x - x != 0 ? x * x
                         : (double)ilogb(x))
__BANKSIM_DEVICE double scalbn(double x, int n)
{
    return ldexp(x, n);
}
__BANKSIM_DEVICE float scalbnf(float x, int n)
{
    return ldexpf(x, n);
}
__BANKSIM_DEVICE double scalbln(double x, long n)
{
    return ldexp(x, n < -9999 ? -9999 : n > 9999 ? 9999 : (int)n);
}
__BANKSIM_DEVICE float scalblnf(float x, long n)
{
    return (float)scalbln((double)x, n);
}

/* The next number in y's direction: one more or less, as integers. */
#define __BANKSIM_NEXT(type, name, integer, to_bits, of_bits)                             \
    __BANKSIM_DEVICE type name(type x, type y)                                            \
    {                                                                                     \
        integer bits = to_bits(x);                                                        \
        return x != x || y != y ? x + y                                                   \
               : x == y         ? y                                                       \
               : x == 0         ? (type)__builtin_copysign((double)of_bits(1), (double)y) \
                                : of_bits(bits + ((y > x) == (bits >= 0) ? 1 : -1));              \
    }
__BANKSIM_NEXT(float, nextafterf, int, __nvvm_bitcast_f2i, __nvvm_bitcast_i2f)
__BANKSIM_NEXT(double, nextafter, long long, __nvvm_bitcast_d2ll, __nvvm_bitcast_ll2d)

/* What is left of x beside the nearest multiple of y, of two the even one; *quotient has that one's lowest bits
 * and sign. */
__BANKSIM_DEVICE double remquo(double x, double y, int *quotient)
{
    double size = __builtin_fabs(y), some = fmod(__builtin_fabs(x), 8 * size);
    int n = size == __BANKSIM_INFINITY ? 0 : (int)(some / size);
    double rest = n == 0 ? some : __builtin_fma(-(double)n, size, some);
    bool is_more = 2 * rest > size || (2 * rest == size && n % 2 != 0);
    rest = is_more ? rest - size : rest;
    n += is_more;
    *quotient = (x < 0) != (y < 0) ? -n : n;
    return x < 0 ? -rest : rest;
}
__BANKSIM_DEVICE float remquof(float x, float y, int *quotient)
{
    return (float)remquo((double)x, (double)y, quotient);
}
__BANKSIM_DEVICE double remainder(double x, double y)
{
    int quotient;
    return remquo(x, y, &quotient);
}
__BANKSIM_2(float, remainderf, float, (float)remainder((double)x, (double)y))

__BANKSIM_DEVICE void sincospi(double x, double *sine, double *cosine)
{
    *sine = sinpi(x);
    *cosine = cospi(x);
}
__BANKSIM_DEVICE void sincospif(float x, float *sine, float *cosine)
{
    *sine = sinpif(x);
    *cosine = cospif(x);
}

/* ---- lengths --------------------------------------------------------------------------------- */

__BANKSIM_1(double, rcbrt, double, 1 / cbrt(x))
__BANKSIM_2(double, rhypot, double, 1 / hypot(x, y))
__BANKSIM_2(float, rhypotf, float, (float)rhypot((double)x, (double)y))
__BANKSIM_3(double, norm3d, double, hypot(hypot(x, y), z))
__BANKSIM_3(double, rnorm3d, double, 1 / norm3d(x, y, z))
__BANKSIM_3(float, norm3df, float, (float)norm3d((double)x, (double)y, (double)z))
__BANKSIM_3(float, rnorm3df, float, (float)rnorm3d((double)x, (double)y, (double)z))
__BANKSIM_DEVICE double norm4d(double x, double y, double z, double w)
{
    return hypot(norm3d(x, y, z), w);
}
__BANKSIM_DEVICE double rnorm4d(double x, double y, double z, double w)
{
    return 1 / norm4d(x, y, z, w);
}
__BANKSIM_DEVICE float norm4df(float x, float y, float z, float w)
{
    return (float)norm4d((double)x, (double)y, (double)z, (double)w);
}
__BANKSIM_DEVICE float rnorm4df(float x, float y, float z, float w)
{
    return (float)rnorm4d((double)x, (double)y, (double)z, (double)w);
}
__BANKSIM_DEVICE double norm(int n, const double *p)
{
    double length = 0;
    for (int i = 0; i < n; i++) {
        length = hypot(length, p[i]);
    }
    return length;
}
__BANKSIM_DEVICE float normf(int n, const float *p)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += (double)p[i] * (double)p[i];
    }
    return (float)__nvvm_sqrt_rn_d(sum);
}

/* ---- the gamma function ---------------------------------------------------------------------- */

/* Its logarithm above 0, and what it is to be divided by: steps lead up to 10, where Stirling's series is short,
 * whose terms are Bernoulli's numbers over 2 i (2 i - 1). */
__BANKSIM_DEVICE double __banksim_stirling(double x, double *steps)
{
    constexpr double c[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                            1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
    for (*steps = 1; x < 10; x++) {
        *steps *= x;
    }
    return (x - 0.5) * log(x) - x + 0.9189385332046727 + __banksim_polynomial(1 / (x * x), c) / x;
}
/* Below 1/2 by the mirror image there. */
__BANKSIM_DEVICE double lgamma(double x)
{
    double steps;
    if (x - x != 0) {
        return x * x;
    }
    if (x <= 0 && x == __builtin_trunc(x)) {
        return __BANKSIM_INFINITY;
    }
    double size = __banksim_stirling(x < 0.5 ? 1 - x : x, &steps);
    size -= log(steps);
    return x < 0.5 ? 1.1447298858494002 - log(__builtin_fabs(sinpi(x))) - size : size;
}
__BANKSIM_DEVICE double tgamma(double x)
{
    double steps;
    if (x == 0 || x > 172) {
        return 1 / x * (x == 0 ? 1 : __BANKSIM_INFINITY);
    }
    if (x != x || (x < 0 && x == __builtin_trunc(x))) {
        return __BANKSIM_NAN;
    }
    double value = exp(__banksim_stirling(x < 0.5 ? 1 - x : x, &steps)) / steps;
    return x < 0.5 ? 3.141592653589793 / (sinpi(x) * value) : value;
}

/* ---- the inverse of the error function ------------------------------------------------------- */

/* The x of erfc(x) = z, up to 1: a formula that is right to 0.002 (S. Winitzki), then Halley's steps. */
__BANKSIM_DEVICE double __banksim_erfc_inverse(double z)
{
    double l = log(z * (2 - z)), k = 4.330746750799873 + l / 2;
    double x = __nvvm_sqrt_rn_d(__nvvm_sqrt_rn_d(k * k - l / 0.147) - k);
    for (int i = 0; i < 3; i++) {
        double off = (z - erfc(x)) / (-1.1283791670955126 * exp(-x * x));
        x += off / (1 + x * off);
    }
    return x;
}
__BANKSIM_DEVICE double erfcinv(double z)
{
    return z == 0 || z == 2    ? (1 - z) * __BANKSIM_INFINITY
           : !(z > 0 && z < 2) ? __BANKSIM_NAN
           : z == 1            ? 0
           : z < 1             ? __banksim_erfc_inverse(z)
                               : -__banksim_erfc_inverse(2 - z);
}
/* Near 0, where 1 - x has lost it, one step more. */
__BANKSIM_DEVICE double erfinv(double x)
{
    double size = erfcinv(1 - __builtin_fabs(x));
    if (size < 0.5) {
        size = size == 0 ? __builtin_fabs(x) * 0.886226925452758 : size;
        size -= (erf(size) - __builtin_fabs(x)) / (1.1283791670955126 * exp(-size * size));
    }
    return __builtin_copysign(size, x);
}
__BANKSIM_1(double, normcdfinv, double, -1.4142135623730951 * erfcinv(2 * x))
__BANKSIM_DEVICE double erfcx(double x)
{
    double below = x;
    for (int i = 80; i > 0; i--) {
        below = x + i / (2 * below);
    }
    return x < 1.7 ? exp(x * x) * erfc(x) : 0.5641895835477563 / below;
}

/* ---- float, and the same in std:: ------------------------------------------------------------ */

__BANKSIM_FLOAT_1(logb)
__BANKSIM_FLOAT_1(rcbrt)
__BANKSIM_FLOAT_1(lgamma)
__BANKSIM_FLOAT_1(tgamma)
__BANKSIM_FLOAT_1(erfinv)
__BANKSIM_FLOAT_1(erfcinv)
__BANKSIM_FLOAT_1(normcdfinv)
__BANKSIM_FLOAT_1(erfcx)

namespace std
{
using ::ilogb;
using ::lgamma;
using ::llrint;
using ::llround;
using ::logb;
using ::lrint;
using ::lround;
using ::nextafter;
using ::remainder;
using ::remquo;
using ::scalbln;
using ::scalbn;
using ::tgamma;
} // namespace std

__BANKSIM_OWN_LINES
#endif
