/* product.c - numbers of matrices, and sums of their products.
 *
 * Sums of f32 are those of an H200's tensor cores, bit for bit: all products of a number and what
 * it is added to are cut off 2 bits below the last of the largest one's 24, added, and cut off to
 * 24 bits. The exponent of a product is that of its factors, 1.5 * 1.5 has 0. wgmma of factors of 8 bits
 * with a point cuts off 13 bits below the largest one's first, and its sum to as many:
 *
 *     1.5 * 2^10 + 2^-3 + 2^-4      the last is 14 below: 1536.125
 *
 * Sums of f16 are rounded as they are before the last cut. Whole numbers are
 * exact, f64 is fused in the order of the columns. Of mma with factors of 8 bits with a point the last bit
 * may differ.
 */
#include "ptx/product.h"

#include "ptx/half.h"
#include "ptx/round.h"

double bsim_ptx_number(uint64_t bits, uint32_t type)
{
    union bsim_w64 wide = {.u = bits};
    switch (type) {
    case BSIM_PTX_F64:
        return wide.f;
    case BSIM_PTX_F32:
        return (double)bsim_bits_float((uint32_t)bits);
    case BSIM_PTX_TF32: /* the lowest bits are not looked at */
        return (double)bsim_bits_float((uint32_t)bits & 0xffffe000);
    case BSIM_PTX_F16:
        return (double)bsim_float_from_half((uint16_t)bits);
    case BSIM_PTX_BF16:
        return (double)bsim_float_from_bfloat((uint16_t)bits);
    case BSIM_PTX_S8:
        return (int8_t)bits;
    case BSIM_PTX_U8:
        return (uint8_t)bits;
    case BSIM_PTX_S4:
        return (int32_t)((uint32_t)bits << 28) >> 28;
    case BSIM_PTX_U4:
        return (double)(bits & 15);
    case BSIM_PTX_B1:
        return (double)(bits & 1);
    case BSIM_PTX_E4M3:
        return (double)bsim_float_from_half(bsim_half_from_e4m3((uint32_t)bits & 0xff));
    case BSIM_PTX_E5M2:
        return (double)bsim_float_from_half(bsim_half_from_e5m2((uint32_t)bits & 0xff));
    default:
        return (int32_t)bits;
    }
}

static uint64_t whole_bits(double x, bool saturates)
{
    if (saturates && (x > 2147483647.0 || x < -2147483648.0)) {
        return x > 0 ? INT32_MAX : (uint32_t)INT32_MIN;
    }
    return (uint32_t)(int64_t)x;
}

uint64_t bsim_ptx_number_bits(double x, uint32_t type, bool saturates)
{
    union bsim_w64 wide = {.f = x};
    if (type == BSIM_PTX_F64) {
        return wide.u;
    }
    if (type == BSIM_PTX_S32) {
        return whole_bits(x, saturates);
    }
    if (isnan(x)) {
        return type == BSIM_PTX_F16 ? 0x7fff : 0x7fffffff;
    }
    double rounded = bsim_ptx_round(x, bsim_ptx_format_of(type), BSIM_PTX_TO_NEAREST);
    return type == BSIM_PTX_F16 ? bsim_half_from_float((float)rounded)
                                : bsim_float_bits((float)rounded);
}

enum { NO_EXPONENT = -10000 };

/* Of 0 less than any. The least of a type is all smaller ones', too. Numbers of at most 32 bits, their
 * products and sums are none of those too small for an exponent of f64. */
int bsim_ptx_exponent(double x, int least)
{
    union bsim_w64 wide = {.f = x};
    int exponent = (int)(wide.u >> 52 & 0x7ff) - 1023;
    return x == 0 ? NO_EXPONENT : exponent < least ? least : exponent;
}

int bsim_ptx_least_exponent(uint32_t type)
{
    const struct bsim_ptx_format *format = bsim_ptx_format_of(type);
    return format != NULL ? format->least : -16; /* of 8 bits */
}

static double power_of_two(int exponent)
{
    union bsim_w64 wide = {.u = (uint64_t)(exponent + 1023) << 52};
    return wide.f;
}

/* x in units of 2^exponent, without what is below; it has 31 bits at most. */
static int32_t cut_off(double x, int exponent)
{
    return (int32_t)(x * power_of_two(-exponent));
}

/* Without what is no number or infinite. No product has more than 2 bits above the largest exponent. */
static double add_cut_off(double c, const struct bsim_ptx_line *line)
{
    enum { LEAST = -126 };
    int most = bsim_ptx_exponent(c, LEAST);
    for (uint32_t k = 0; k < line->n; k++) {
        int exponent = line->a_exponent[k] + line->b_exponent[k];
        most = exponent > most ? exponent : most;
    }
    if (most < NO_EXPONENT / 2) {
        return 0;
    }
    int last = most - line->kept;
    int64_t units = cut_off(c, last);
    for (uint32_t k = 0; k < line->n; k++) {
        units += cut_off(line->a[k] * line->b[k], last);
    }
    double sum = (double)units * power_of_two(last);
    if (line->rounds || units == 0) {
        return sum;
    }
    int end = bsim_ptx_exponent(sum, LEAST) - (line->kept < 23 ? line->kept : 23);
    return copysign(cut_off(sum, end) * power_of_two(end), sum);
}

double bsim_ptx_add_line(double c, const struct bsim_ptx_line *line, enum bsim_ptx_product product)
{
    double sum = c;
    if (line->is_finite) {
        return add_cut_off(c, line);
    }
    for (uint32_t k = 0; k < line->n; k++) {
        double a = line->a[k], b = line->b[k];
        sum = product == BSIM_PTX_FUSED      ? fma(a, b, sum)
              : product == BSIM_PTX_XOR_BITS ? sum + (a != b)
                                             : sum + a * b;
    }
    return product == BSIM_PTX_CUT_OFF && isfinite(sum) ? add_cut_off(c, line) : sum;
}
