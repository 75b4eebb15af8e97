/* convert.c - cvt, from any type to any, in every rounding, lane by lane. The commonest conversions
 * are in alu.c too, where they are fast.
 *
 *     cvt.rzi.s32.f32 %r1, %f1;      a float to the whole number next to it towards 0, within s32
 */
#include "ptx/machine.h"

#include "ptx/half.h"

#include <math.h>

/* A value on its way: a whole number of 64 bits, or a double, which holds every narrower float. */
struct value {
    bool is_float, is_signed;
    uint64_t whole;
    double real;
};

static bool is_float(uint32_t type)
{
    return bsim_ptx_type_letter(type) == 'f' || type == BSIM_PTX_BF16;
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

/* The float next to x as the instruction rounds. */
static float round_float(const struct bsim_ptx_instruction *from, double x)
{
    float f = (float)x;
    bool is_zero = bsim_ptx_has(from, BSIM_PTX_RZ);
    bool is_down = bsim_ptx_has(from, BSIM_PTX_RM) || (is_zero && x > 0);
    bool is_up = bsim_ptx_has(from, BSIM_PTX_RP) || (is_zero && x < 0);
    if (is_down && (double)f > x) {
        return nextafterf(f, -INFINITY);
    }
    return is_up && (double)f < x ? nextafterf(f, INFINITY) : f;
}

/* A whole number to a float: once rounded, not by way of a double. */
static float whole_to_float(const struct bsim_ptx_instruction *from, const struct value *value)
{
    float f = value->is_signed ? (float)(int64_t)value->whole : (float)value->whole;
    bool is_negative = value->is_signed && (int64_t)value->whole < 0;
    bool is_zero = bsim_ptx_has(from, BSIM_PTX_RZ);
    bool is_down = bsim_ptx_has(from, BSIM_PTX_RM) || (is_zero && !is_negative);
    bool is_up = bsim_ptx_has(from, BSIM_PTX_RP) || (is_zero && is_negative);
    double exact =
        (double)f; /* of a float, whose difference to the number a double tells by its sign */
    double difference =
        value->is_signed ? exact - (double)(int64_t)value->whole : exact - (double)value->whole;
    if (is_down && difference > 0) {
        return nextafterf(f, -INFINITY);
    }
    return is_up && difference < 0 ? nextafterf(f, INFINITY) : f;
}

/* A number with a point to a whole type: within its range, and no number is 0. */
static uint64_t float_to_whole(const struct bsim_ptx_instruction *from, double x, uint32_t type)
{
    uint32_t n = bsim_ptx_type_bits(type);
    bool is_signed = bsim_ptx_type_letter(type) == 's';
    double rounded = round_whole(from, x);
    double most = ldexp(1, (int)(is_signed ? n - 1 : n)), least = is_signed ? -most : 0;
    uint64_t top = is_signed ? (UINT64_C(1) << (n - 1)) - 1 : UINT64_MAX >> (64 - n);
    if (isnan(x)) {
        return n == 64 ? UINT64_C(1) << 63 : 0;
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

static uint64_t give_float(const struct bsim_ptx_instruction *from, const struct value *value,
                           uint32_t type)
{
    double x = value->is_float    ? value->real
               : value->is_signed ? (double)(int64_t)value->whole
                                  : (double)value->whole;
    bool flushes = bsim_ptx_has(from, BSIM_PTX_FTZ);
    x = flush(value->is_float ? round_whole(from, x) : x, flushes);
    if (bsim_ptx_has(from, BSIM_PTX_SAT)) {
        x = !(x > 0) ? 0 : x > 1 ? 1 : x;
    }
    if (bsim_ptx_has(from, BSIM_PTX_RELU)) {
        x = x > 0 ? x : 0;
    }
    union bsim_w64 wide = {.f = x};
    if (type == BSIM_PTX_F64) {
        return wide.u;
    }
    float f = value->is_float ? round_float(from, x) : whole_to_float(from, value);
    return type == BSIM_PTX_F16    ? bsim_half_from_float(f)
           : type == BSIM_PTX_BF16 ? bsim_bfloat_from_float(f)
                                   : bsim_float_bits((float)flush((double)f, flushes));
}

static uint64_t convert(const struct bsim_ptx_instruction *from, uint64_t bits)
{
    uint32_t to_type = from->type[0];
    struct value value = take(bits, from->type[1]);
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
        uint64_t a = step->more[1] == 64 ? bsim_ptx_at64(warp, step->a)[l].u
                                         : bsim_ptx_at32(warp, step->a)[l].u;
        struct value whole = {.whole = convert(from, a)};
        uint32_t n = bsim_ptx_type_bits(from->type[0]);
        if (!is_float(from->type[0])) {
            whole = take(whole.whole, from->type[0]);
        } else if (n < 64) {
            whole.whole &= (UINT64_C(1) << n) - 1;
        }
        if (step->more[0] == 64) {
            bsim_ptx_at64(warp, step->d)[l].u = whole.whole;
        } else {
            bsim_ptx_at32(warp, step->d)[l].u =
                (uint32_t)(step->more[0] == 16 ? whole.whole & 0xffff : whole.whole);
        }
    }
}
