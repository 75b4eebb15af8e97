/* narrow.c - conversions that leave several narrow numbers in a register: pairs of 8 bits with a
 * point, and cvt.pack.
 *
 *     e4m3    sign, 4 bits of exponent, 3 of fraction: up to 448; nothing is infinite
 *     e5m2    sign, 5 bits of exponent, 2 of fraction: the upper half of an f16
 *
 *     cvt.rn.satfinite.e4m3x2.f32 %h0, %f1, %f2;    %f1 in the upper byte
 *     cvt.pack.sat.u8.s32.b32 %r0, %r1, %r2, %r3;   %r1, %r2 in the lower half, %r3's above
 */
#include "ptx/compute.h"

#include "ptx/half.h"
#include "ptx/tables.h"

#include <math.h>

/* A type of 8 bits: bits of its fraction, the exponent of its least normal number, its largest. */
struct tiny {
    int fraction, least;
    double most;
};

static struct tiny tiny_of(uint32_t type)
{
    static const struct tiny e4m3 = {3, -6, 448}, e5m2 = {2, -14, 57344};
    return type == BSIM_PTX_E4M3X2 ? e4m3 : e5m2;
}

/* To nearest, ties to even; what is too large is the largest, what is no number all ones. */
static uint32_t to_tiny(double x, struct tiny tiny, bool is_relu)
{
    if (isnan(x)) {
        return 0x7f;
    }
    x = is_relu && x < 0 ? 0 : x;
    uint32_t sign = signbit(x) && !is_relu ? 0x80 : 0;
    double magnitude = fmin(fabs(x), tiny.most);
    int exponent = magnitude < ldexp(1, tiny.least) ? tiny.least : ilogb(magnitude);
    double units = nearbyint(ldexp(magnitude, tiny.fraction - exponent));
    /* a unit more than the fraction has carries into the exponent; below the least it is a fraction
     * */
    return sign | (((uint32_t)(exponent - tiny.least) << tiny.fraction) + (uint32_t)units);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static void run_floats(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    struct tiny tiny = tiny_of(step->from->type[0]);
    bool is_relu = bsim_ptx_has(step->from, BSIM_PTX_RELU);
    for (uint32_t l = 0; l < LANES; l++) {
        if (warp->mask >> l & 1) {
            double a = (double)bsim_ptx_at32(warp, step->a)[l].f;
            double b = (double)bsim_ptx_at32(warp, step->b)[l].f;
            bsim_ptx_at32(warp, step->d)[l].u =
                to_tiny(a, tiny, is_relu) << 8 | to_tiny(b, tiny, is_relu);
        }
    }
}

static void run_halves(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    struct tiny tiny = tiny_of(step->from->type[0]);
    bool is_relu = bsim_ptx_has(step->from, BSIM_PTX_RELU);
    for (uint32_t l = 0; l < LANES; l++) {
        if (warp->mask >> l & 1) {
            uint32_t pair = bsim_ptx_at32(warp, step->a)[l].u;
            double high = (double)bsim_float_from_half((uint16_t)(pair >> 16));
            double low = (double)bsim_float_from_half((uint16_t)pair);
            bsim_ptx_at32(warp, step->d)[l].u =
                to_tiny(high, tiny, is_relu) << 8 | to_tiny(low, tiny, is_relu);
        }
    }
}

static void run_to_halves(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    bool is_e4m3 = step->from->type[1] == BSIM_PTX_E4M3X2;
    bool is_relu = bsim_ptx_has(step->from, BSIM_PTX_RELU);
    for (uint32_t l = 0; l < LANES; l++) {
        if (warp->mask >> l & 1) {
            uint32_t pair = bsim_ptx_at32(warp, step->a)[l].u, result = 0;
            for (uint32_t i = 0; i < 2; i++) {
                uint32_t bits = pair >> 8 * i & 0xff;
                uint32_t half = is_e4m3 ? bsim_half_from_e4m3(bits) : bsim_half_from_e5m2(bits);
                result |= (is_relu && half & 0x8000 ? 0 : half) << 16 * i;
            }
            bsim_ptx_at32(warp, step->d)[l].u = result;
        }
    }
}

/* ---- cvt.pack -------------------------------------------------------------------------------- */

/* The nearest number of the type, of n bits. */
static uint32_t saturated(int32_t x, uint32_t n, bool is_signed)
{
    int32_t most = (int32_t)((UINT32_C(1) << (is_signed ? n - 1 : n)) - 1);
    int32_t least = is_signed ? -most - 1 : 0;
    x = x < least ? least : x > most ? most : x;
    return (uint32_t)x & ((UINT32_C(1) << n) - 1);
}

static void run_pack(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    uint32_t type = step->from->type[0], n = bsim_ptx_type_bits(type);
    bool is_signed = bsim_ptx_type_letter(type) == 's', has_more = step->from->n_operands > 3;
    for (uint32_t l = 0; l < LANES; l++) {
        if (warp->mask >> l & 1) {
            uint32_t high = saturated(bsim_ptx_at32(warp, step->a)[l].s, n, is_signed);
            uint32_t low = saturated(bsim_ptx_at32(warp, step->b)[l].s, n, is_signed);
            uint32_t more = has_more ? bsim_ptx_at32(warp, step->c)[l].u << 2 * n : 0;
            bsim_ptx_at32(warp, step->d)[l].u = more | high << n | low;
        }
    }
}

/* ---- which ----------------------------------------------------------------------------------- */

static bool is_tiny(uint32_t type)
{
    return type == BSIM_PTX_E4M3X2 || type == BSIM_PTX_E5M2X2;
}

const struct bsim_ptx_alu *bsim_ptx_find_narrow(const struct bsim_ptx_instruction *instruction)
{
    static const struct bsim_ptx_alu floats = {run_floats, 4, 4, 4, 0, 0},
                                     halves = {run_halves, 4, 4, 0, 0, 0},
                                     to_halves = {run_to_halves, 4, 4, 0, 0, 0},
                                     pack = {run_pack, 4, 4, 4, 0, 0},
                                     pack_more = {run_pack, 4, 4, 4, 4, 0};
    if (!bsim_ptx_is_a(instruction, "cvt") || instruction->n_types < 2) {
        return NULL;
    }
    const uint8_t *type = instruction->type;
    if (bsim_ptx_has(instruction, BSIM_PTX_PACK)) {
        return type[1] != BSIM_PTX_S32 ? NULL : instruction->n_types > 2 ? &pack_more : &pack;
    }
    return is_tiny(type[0]) && type[1] == BSIM_PTX_F32     ? &floats
           : is_tiny(type[0]) && type[1] == BSIM_PTX_F16X2 ? &halves
           : type[0] == BSIM_PTX_F16X2 && is_tiny(type[1]) ? &to_halves
                                                           : NULL;
}
