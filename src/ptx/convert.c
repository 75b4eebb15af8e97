/* convert.c - cvt, from any type to any, in every rounding, lane by lane. The commonest conversions
 * are in alu.c too, where they are fast.
 *
 *     cvt.rzi.s32.f32 %r1, %f1;      a float to the whole number next to it towards 0, within s32
 */
#include "ptx/machine.h"

#include "ptx/half.h"
#include "ptx/round.h"

#include <math.h>

/* A value on its way: a whole number of 64 bits, or a double, which holds every narrower float. */
struct value {
    bool is_float, is_signed;
    uint64_t whole;
    double real;
};

static bool is_float(uint32_t type)
{
    return bsim_ptx_type_letter(type) == 'f' || type == BSIM_PTX_BF16 || type == BSIM_PTX_TF32;
}

static struct value take(uint64_t bits, uint32_t type)
{
    struct value value = {.is_float = is_float(type),
                          .is_signed = bsim_ptx_type_letter(type) == 's'};
    uint32_t n = bsim_ptx_type_bits(type);
    union bsim_w64 wide = {.u = bits};
    switch (type) {
    case BSIM_PTX_F64:
        value.real = wide.f;
        break;
    case BSIM_PTX_F32:
        value.real = (double)bsim_bits_float((uint32_t)bits);
        break;
    case BSIM_PTX_F16:
        value.real = (double)bsim_float_from_half((uint16_t)bits);
        break;
    case BSIM_PTX_BF16:
        value.real = (double)bsim_float_from_bfloat((uint16_t)bits);
        break;
    default:
        value.whole = n == 64 ? bits : bits & ((UINT64_C(1) << n) - 1);
        if (value.is_signed && n < 64 && value.whole >> (n - 1)) {
            value.whole |= UINT64_MAX << n;
        }
    }
    return value;
}

/* To a whole number, as the instruction rounds; a conversion to a whole type without a word is not
 * PTX. */
static double round_whole(const struct bsim_ptx_instruction *from, double x)
{
    return bsim_ptx_has(from, BSIM_PTX_RNI)   ? nearbyint(x)
           : bsim_ptx_has(from, BSIM_PTX_RZI) ? trunc(x)
           : bsim_ptx_has(from, BSIM_PTX_RMI) ? floor(x)
           : bsim_ptx_has(from, BSIM_PTX_RPI) ? ceil(x)
                                              : x;
}

static enum bsim_ptx_rounding rounding_of(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_has(from, BSIM_PTX_RZ)    ? BSIM_PTX_TO_ZERO
           : bsim_ptx_has(from, BSIM_PTX_RM)  ? BSIM_PTX_DOWN_
           : bsim_ptx_has(from, BSIM_PTX_RP)  ? BSIM_PTX_UP_
           : bsim_ptx_has(from, BSIM_PTX_RNA) ? BSIM_PTX_NEAREST_AWAY
                                              : BSIM_PTX_TO_NEAREST;
}

/* The double next to a whole number's magnitude; *rest is below, above or 0: where the number is from there. */
static double nearest_double(uint64_t magnitude, int *rest)
{
    double x = (double)magnitude;
    *rest = x >= 0x1p64 || (uint64_t)x > magnitude ? -1 : (uint64_t)x < magnitude ? 1 : 0;
    return x;
}

/* A whole number as the double on its side of every narrower one (round.h). */
static double odd_double(const struct value *value)
{
    bool is_negative = value->is_signed && (int64_t)value->whole < 0;
    int rest;
    double x = nearest_double(is_negative ? 0 - value->whole : value->whole, &rest);
    x = bsim_ptx_odd(x, rest);
    return is_negative ? -x : x;
}

/* A whole number as the double next to it in a direction. */
static double to_double(const struct bsim_ptx_instruction *from, const struct value *value)
{
    bool is_negative = value->is_signed && (int64_t)value->whole < 0;
    enum bsim_ptx_rounding rounding = rounding_of(from);
    int rest;
    double x = nearest_double(is_negative ? 0 - value->whole : value->whole, &rest);
    if (rest > 0 && rounding == (is_negative ? BSIM_PTX_DOWN_ : BSIM_PTX_UP_)) {
        x = nextafter(x, INFINITY);
    } else if (rest < 0 && (rounding == BSIM_PTX_TO_ZERO ||
                            rounding == (is_negative ? BSIM_PTX_UP_ : BSIM_PTX_DOWN_))) {
        x = nextafter(x, 0);
    }
    return is_negative ? -x : x;
}

/* A number with a point to a whole type: within its range, and no number is 0, or
 * the highest bit alone where 64 bits are on either side. */
static uint64_t float_to_whole(const struct bsim_ptx_instruction *from, double x, uint32_t type)
{
    uint32_t n = bsim_ptx_type_bits(type);
    bool is_signed = bsim_ptx_type_letter(type) == 's';
    double rounded = round_whole(from, x);
    double most = ldexp(1, (int)(is_signed ? n - 1 : n)), least = is_signed ? -most : 0;
    uint64_t top = is_signed ? (UINT64_C(1) << (n - 1)) - 1 : UINT64_MAX >> (64 - n);
    if (isnan(x)) {
        return n == 64 || from->type[1] == BSIM_PTX_F64 ? UINT64_C(1) << (n - 1) : 0;
    }
    if (rounded >= most) {
        return top;
    }
    if (rounded <= least) {
        return is_signed ? 0 - (top + 1) : 0;
    }
    return is_signed ? (uint64_t)(int64_t)rounded : (uint64_t)rounded;
}

/* .sat of a whole type: the nearest number that it has. */
static uint64_t saturate(const struct value *value, uint32_t type)
{
    uint32_t n = bsim_ptx_type_bits(type);
    bool to_signed = bsim_ptx_type_letter(type) == 's';
    bool is_negative = value->is_signed && (int64_t)value->whole < 0;
    uint64_t most = to_signed ? (UINT64_C(1) << (n - 1)) - 1 : UINT64_MAX >> (64 - n);
    if (is_negative) {
        int64_t least = to_signed ? -(int64_t)most - 1 : 0;
        return (int64_t)value->whole < least ? (uint64_t)least : value->whole;
    }
    return value->whole > most ? most : value->whole;
}

static double flush(double x, bool wanted)
{
    return wanted && fabs(x) < 0x1p-126 ? copysign(0, x) : x;
}

/* What is no number keeps what it can of its bits on the way from f64; else it has one form. */
static uint64_t give_nan(const struct bsim_ptx_instruction *from, double x, uint32_t type)
{
    union bsim_w64 wide = {.f = x};
    bool is_wide = from->type[1] == BSIM_PTX_F64;
    bool flushes = bsim_ptx_has(from, BSIM_PTX_FTZ);
    switch (type) {
    case BSIM_PTX_F64:
        return flushes ? UINT64_C(0x7fffffffe0000000) : wide.u | UINT64_C(1) << 51;
    case BSIM_PTX_F32:
        return is_wide ? bsim_float_bits((float)x) : 0x7fffffff;
    case BSIM_PTX_TF32:
        return 0x7fffe000;
    case BSIM_PTX_F16:
        return is_wide ? (wide.u >> 48 & 0x8000) | 0x7e00 | (wide.u >> 42 & 0x1ff) : 0x7fff;
    default:
        return 0x7fff;
    }
}

static uint64_t give_number(double x, uint32_t type)
{
    union bsim_w64 wide = {.f = x};
    float f = (float)x;
    return type == BSIM_PTX_F64    ? wide.u
           : type == BSIM_PTX_F16  ? bsim_half_from_float(f)
           : type == BSIM_PTX_BF16 ? bsim_bfloat_from_float(f)
                                   : bsim_float_bits(f);
}

static uint64_t give_float(const struct bsim_ptx_instruction *from, const struct value *value,
                           uint32_t type)
{
    const struct bsim_ptx_format *format = bsim_ptx_format_of(type);
    bool flushes = bsim_ptx_has(from, BSIM_PTX_FTZ), saturates = bsim_ptx_has(from, BSIM_PTX_SAT);
    double x = value->real;
    if (!value->is_float) {
        x = format != NULL ? odd_double(value) : to_double(from, value);
    } else if (isnan(x) && !saturates) {
        return give_nan(from, x, type);
    } else {
        bool is_narrow = from->type[1] == BSIM_PTX_F32 || from->type[1] == BSIM_PTX_F16;
        x = round_whole(from, flush(x, flushes && is_narrow));
    }
    x = flush(x, flushes && type == BSIM_PTX_F32); /* before it is rounded */
    x = format != NULL ? bsim_ptx_round(x, format, rounding_of(from)) : x;
    if (saturates) {
        x = !(x > 0) ? 0 : x > 1 ? 1 : x;
    }
    if (bsim_ptx_has(from, BSIM_PTX_RELU)) {
        x = x > 0 ? x : 0;
    }
    return give_number(x, type);
}

static uint64_t convert(const struct bsim_ptx_instruction *from, uint64_t bits)
{
    uint32_t to_type = from->type[0];
    struct value value = take(bits, from->type[1]);
    if (to_type == BSIM_PTX_F32 && from->type[1] == BSIM_PTX_F32 && from->n_words == 0) {
        return bits;
    }
    if (to_type == BSIM_PTX_TF32 && bsim_ptx_has(from, BSIM_PTX_RNA)) {
        bool is_finite = (bits & 0x7f800000) != 0x7f800000; /* what is no number is cut off */
        return (bits + (is_finite ? 0x1000 : 0)) & 0xffffe000;
    }
    if (to_type == BSIM_PTX_F32 && from->type[1] == BSIM_PTX_BF16) {
        return (bits & 0xffff) << 16;
    }
    if (is_float(to_type)) {
        return give_float(from, &value, to_type);
    }
    return value.is_float
               ? float_to_whole(from, flush(value.real, bsim_ptx_has(from, BSIM_PTX_FTZ)), to_type)
           : bsim_ptx_has(from, BSIM_PTX_SAT) ? saturate(&value, to_type)
                                              : value.whole;
}

/* more: {bits of d's register, bits of a's}. What a narrow signed type leaves fills its register
 * with its sign, an unsigned one with zeros. */
void bsim_ptx_run_convert(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        if (!(warp->mask >> l & 1)) {
            continue;
        }
        uint64_t a = bsim_ptx_take(warp, step->a, step->more[1] == 64, l);
        struct value whole = {.whole = convert(from, a)};
        uint32_t n = bsim_ptx_type_bits(from->type[0]);
        if (!is_float(from->type[0])) {
            whole = take(whole.whole, from->type[0]);
        } else if (n < 64) {
            whole.whole &= (UINT64_C(1) << n) - 1;
        }
        bsim_ptx_put(warp, step->d, step->more[0], l, whole.whole);
    }
}

/* cvt.rn.f16x2.f32 d, a, b: a is the upper half. */
void bsim_ptx_run_convert_pair(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    uint32_t type = bsim_ptx_type_half(from->type[0]);
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        if (!(warp->mask >> l & 1)) {
            continue;
        }
        struct value a = take(bsim_ptx_at32(warp, step->a)[l].u, BSIM_PTX_F32),
                     b = take(bsim_ptx_at32(warp, step->b)[l].u, BSIM_PTX_F32);
        bsim_ptx_at32(warp, step->d)[l].u =
            (uint32_t)(give_float(from, &a, type) << 16 | (give_float(from, &b, type) & 0xffff));
    }
}
