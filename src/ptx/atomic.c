/* atomic.c - what an atomic leaves in memory. Numbers with a point are added as an H200 does: f32
 * in global memory without numbers too small for an exponent of their own, which TMA keeps, f64 there
 * with the bits of what is no number.
 */
#include "ptx/machine.h"

#include "ptx/half.h"

#include <math.h>
#include <string.h>

static float float_from(uint16_t bits, bool is_bfloat)
{
    return is_bfloat ? bsim_float_from_bfloat(bits) : bsim_float_from_half(bits);
}

/* The smaller, or larger; -0 is below +0, and what is no number loses. */
static float pick(float x, float y, bool wants_less)
{
    bool is_x_less = x < y || (x == y && signbit(x));
    return isnan(x) ? y : isnan(y) ? x : is_x_less == wants_less ? x : y;
}

/* An f16 or bf16, of a pair in half `shift`. */
static uint32_t update_half(const struct bsim_ptx_access *access, uint32_t a, uint32_t b,
                            uint32_t shift)
{
    bool is_bfloat = access->is_bfloat;
    float x = float_from((uint16_t)(a >> shift), is_bfloat);
    float y = float_from((uint16_t)(b >> shift), is_bfloat);
    float z = access->operation == BSIM_ADD ? x + y : pick(x, y, access->operation == BSIM_MIN);
    uint32_t bits = is_bfloat ? bsim_bfloat_from_float(z) : bsim_half_from_float(z);
    return (bits & 0xffff) << shift;
}

static float flush(float x)
{
    return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

static uint64_t add_singles(enum bsim_space space, uint32_t a, uint32_t b)
{
    float x = bsim_bits_float(a), y = bsim_bits_float(b);
    float sum = space == BSIM_GLOBAL ? flush(flush(x) + flush(y)) : x + y;
    return isnan(sum) ? 0x7fffffff : bsim_float_bits(sum);
}

static uint64_t add_doubles(enum bsim_space space, uint64_t a, uint64_t b)
{
    union bsim_w64 x = {.u = a}, y = {.u = b};
    if (space == BSIM_GLOBAL && (isnan(x.f) || isnan(y.f))) {
        return isnan(y.f) ? b : a;
    }
    x.f += y.f;
    return x.u;
}

static uint64_t update_float(const struct bsim_ptx_access *access, enum bsim_space space,
                             uint64_t a, uint64_t b)
{
    if (access->is_half) {
        return update_half(access, (uint32_t)a, (uint32_t)b, 0) |
               (access->bytes == 4 ? update_half(access, (uint32_t)a, (uint32_t)b, 16) : 0);
    }
    return access->bytes == 4 ? add_singles(space, (uint32_t)a, (uint32_t)b)
                              : add_doubles(space, a, b);
}

/* Whether a is below b, as numbers of the access's type; both are extended to 64 bits by it. */
static bool is_below(const struct bsim_ptx_access *access, uint64_t a, uint64_t b)
{
    uint64_t flip = access->is_signed ? UINT64_C(1) << (8 * access->bytes - 1) : 0;
    return (a ^ flip) < (b ^ flip);
}

uint64_t bsim_ptx_update(const struct bsim_ptx_access *access, enum bsim_space space, uint64_t old,
                         uint64_t b, uint64_t c)
{
    if (access->is_float) {
        return update_float(access, space, old, b);
    }
    switch (access->operation) {
    case BSIM_ADD:
        return old + b;
    case BSIM_MIN:
        return is_below(access, b, old) ? b : old;
    case BSIM_MAX:
        return is_below(access, old, b) ? b : old;
    case BSIM_INC:
        return old >= b ? 0 : old + 1;
    case BSIM_DEC:
        return old == 0 || old > b ? b : old - 1;
    case BSIM_AND:
        return old & b;
    case BSIM_OR:
        return old | b;
    case BSIM_XOR:
        return old ^ b;
    case BSIM_EXCH:
        return b;
    default:
        return old == b ? c : old; /* cas */
    }
}

bool bsim_ptx_can_reduce(uint32_t type, enum bsim_operation operation)
{
    static const uint8_t sums[] = {BSIM_PTX_U32, BSIM_PTX_S32,  BSIM_PTX_U64, BSIM_PTX_F16,
                                   BSIM_PTX_BF16, BSIM_PTX_F32, BSIM_PTX_F64};
    static const uint8_t ordered[] = {BSIM_PTX_U32, BSIM_PTX_S32, BSIM_PTX_U64, BSIM_PTX_S64, BSIM_PTX_F16, BSIM_PTX_BF16};
    static const uint8_t bits[] = {BSIM_PTX_B32, BSIM_PTX_B64, BSIM_PTX_U32, BSIM_PTX_S32, BSIM_PTX_U64};
    switch (operation) {
    case BSIM_ADD:
        return memchr(sums, (int)type, sizeof sums) != NULL;
    case BSIM_MIN:
    case BSIM_MAX:
        return memchr(ordered, (int)type, sizeof ordered) != NULL;
    case BSIM_INC:
    case BSIM_DEC:
        return type == BSIM_PTX_U32;
    case BSIM_AND:
    case BSIM_OR:
    case BSIM_XOR:
        return memchr(bits, (int)type, sizeof bits) != NULL;
    default:
        return false;
    }
}

static struct bsim_ptx_access make_reduction(uint32_t type, enum bsim_operation operation)
{
    bool is_half = type == BSIM_PTX_F16 || type == BSIM_PTX_BF16;
    return (struct bsim_ptx_access){
        .operation = (uint8_t)operation,
        .bytes = bsim_ptx_type_bits(type) / 8,
        .is_signed = type == BSIM_PTX_S32 || type == BSIM_PTX_S64,
        .is_half = is_half,
        .is_bfloat = type == BSIM_PTX_BF16,
        .is_float = is_half || type == BSIM_PTX_F32 || type == BSIM_PTX_F64,
    };
}

void bsim_ptx_reduce(uint32_t type, enum bsim_operation operation, unsigned char *to,
                     const unsigned char *from, uint32_t bytes)
{
    struct bsim_ptx_access access = make_reduction(type, operation);
    enum bsim_space as = type == BSIM_PTX_F32 ? BSIM_SHARED : BSIM_GLOBAL; /* TMA keeps small numbers */
    for (uint32_t i = 0; i < bytes; i += access.bytes) {
        uint64_t old = 0, value = 0;
        memcpy(&old, to + i, access.bytes);
        memcpy(&value, from + i, access.bytes);
        old = bsim_ptx_update(&access, as, old, value, 0);
        memcpy(to + i, &old, access.bytes);
    }
}
