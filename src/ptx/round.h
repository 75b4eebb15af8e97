/* round.h - a double to a narrower number with a point, once, in any rounding.
 *
 * A result that no double holds exactly comes here "odd": the double next to it whose last bit is 1.
 * It is then on the same side of every number and every middle of two numbers of a narrower type as
 * the exact result, so that rounding it again is rounding once (Boldo and Melquiond, "Emulation of a
 * FMA and correctly rounded sums", 2008). A double has 53 bits; the widest type here 24.
 */
#ifndef BSIM_PTX_ROUND_H
#define BSIM_PTX_ROUND_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum bsim_ptx_rounding {
    BSIM_PTX_TO_NEAREST, /* ties to even */
    BSIM_PTX_TO_ZERO,
    BSIM_PTX_DOWN_,
    BSIM_PTX_UP_,
    BSIM_PTX_NEAREST_AWAY, /* ties away from zero */
};

/* A type: bits of its fraction with the hidden one, the least exponent of a normal number, its
 * largest number. */
struct bsim_ptx_format {
    int digits, least;
    double most;
};

/* The format of a type with a point up to 32 bits; of a pair that of its halves. */
const struct bsim_ptx_format *bsim_ptx_format_of(uint32_t type);

double bsim_ptx_round(double x, const struct bsim_ptx_format *format,
                      enum bsim_ptx_rounding rounding);

/* x if `rest`, what is missing to the exact result, is 0; else the odd double next to it. */
static inline double bsim_ptx_odd(double x, double rest)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (rest == 0 || (bits & 1) || !isfinite(x)) {
        return x;
    }
    bits += (rest > 0) == (x > 0) ? 1 : UINT64_MAX;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The odd sum of two, which are no more than 2^900. */
static inline double bsim_ptx_odd_sum(double a, double b)
{
    volatile double sum = a + b;
    volatile double part = sum - a;
    volatile double rest = (a - (sum - part)) + (b - part);
    return isfinite(sum) ? bsim_ptx_odd(sum, rest) : sum;
}

#endif
