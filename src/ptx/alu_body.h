/* alu_body.h - what computes in registers alone, 32 lanes at once: the common forms, to nearest. What
 * alu.c and alu_avx2.c compile, each for its processor, with BSIM_PTX_FIND_COMMON as its name.
 *
 * Each function is a loop over lanes that the compiler can turn into vector instructions: all lanes
 * where all are on, else those that are. Nothing here can fail: what PTX leaves undefined (a
 * division by zero) has the value that an NVIDIA GPU gives.
 */
#include "ptx/compute.h"

#include "base/bits.h"
#include "ptx/tables.h"

#include <math.h>

#define TWO4(name, ...) COMPUTE(name, W4, W4, W4, W0, __VA_ARGS__)
#define TWO8(name, ...) COMPUTE(name, W8, W8, W8, W0, __VA_ARGS__)
#define ONE4(name, ...) COMPUTE(name, W4, W4, W0, W0, __VA_ARGS__)
#define ONE8(name, ...) COMPUTE(name, W8, W8, W0, W0, __VA_ARGS__)

/* clang-format off: an operator's operands would stand as a pointer's */

/* ---- whole numbers --------------------------------------------------------------------------- */

TWO4(add32, d.u = a.u + b.u)
TWO8(add64, d.u = a.u + b.u)
TWO4(add16, d.u = (uint16_t)(a.u + b.u))
TWO4(sub32, d.u = a.u - b.u)
TWO8(sub64, d.u = a.u - b.u)
TWO4(sub16, d.u = (uint16_t)(a.u - b.u))
TWO4(mul_lo32, d.u = a.u * b.u)
TWO8(mul_lo64, d.u = a.u * b.u)
TWO4(mul_lo16, d.u = (uint16_t)(a.u * b.u))
TWO4(mul_hi_u32, d.u = (uint32_t)((uint64_t)a.u * b.u >> 32))
TWO4(mul_hi_s32, d.u = (uint32_t)((uint64_t)((int64_t)a.s * b.s) >> 32))
TWO4(mul_hi_u16, d.u = a.u * b.u >> 16)
TWO4(mul_hi_s16, d.u = (uint16_t)((uint32_t)((int16_t)a.u * (int16_t)b.u) >> 16))
COMPUTE(mul_wide_u32, W8, W4, W4, W0, d.u = (uint64_t)a.u * b.u)
COMPUTE(mul_wide_s32, W8, W4, W4, W0, d.s = (int64_t)a.s * b.s)
TWO4(mul_wide_u16, d.u = a.u * b.u)
TWO4(mul_wide_s16, d.s = (int16_t)a.u * (int16_t)b.u)
COMPUTE(mad_lo32, W4, W4, W4, W4, d.u = a.u * b.u + c.u)
COMPUTE(mad_lo64, W8, W8, W8, W8, d.u = a.u * b.u + c.u)
COMPUTE(mad_lo16, W4, W4, W4, W4, d.u = (uint16_t)(a.u * b.u + c.u))
COMPUTE(mad_hi_u16, W4, W4, W4, W4, d.u = (uint16_t)((a.u * b.u >> 16) + c.u))
COMPUTE(mad_hi_s16, W4, W4, W4, W4,
        d.u = (uint16_t)(((uint32_t)((int16_t)a.u * (int16_t)b.u) >> 16) + c.u))
COMPUTE(mad_hi_u32, W4, W4, W4, W4, d.u = (uint32_t)((uint64_t)a.u * b.u >> 32) + c.u)
COMPUTE(mad_hi_s32, W4, W4, W4, W4, d.u = (uint32_t)((uint64_t)((int64_t)a.s * b.s) >> 32) + c.u)
COMPUTE(mad_wide_u32, W8, W4, W4, W8, d.u = (uint64_t)a.u * b.u + c.u)
COMPUTE(mad_wide_s32, W8, W4, W4, W8, d.u = (uint64_t)((int64_t)a.s * b.s) + c.u)
COMPUTE(mad_wide_u16, W4, W4, W4, W4, d.u = a.u * b.u + c.u)
COMPUTE(mad_wide_s16, W4, W4, W4, W4, d.u = (uint32_t)((int16_t)a.u * (int16_t)b.u) + c.u)

/* The upper half of a product of 64 bits. */
static inline uint64_t high_product(uint64_t a, uint64_t b)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    uint64_t cross = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    uint64_t other = (a & UINT32_MAX) * (b >> 32) + (cross & UINT32_MAX);
    return (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);
}

static inline uint64_t high_signed_product(int64_t a, int64_t b)
{
    uint64_t high = high_product((uint64_t)a, (uint64_t)b);
    return high - (a < 0 ? (uint64_t)b : 0) - (b < 0 ? (uint64_t)a : 0);
}

TWO8(mul_hi_u64, d.u = high_product(a.u, b.u))
TWO8(mul_hi_s64, d.u = high_signed_product(a.s, b.s))
COMPUTE(mad_hi_u64, W8, W8, W8, W8, d.u = high_product(a.u, b.u) + c.u)
COMPUTE(mad_hi_s64, W8, W8, W8, W8, d.u = high_signed_product(a.s, b.s) + c.u)

/* By numbers of f64, several at once: a quotient that is no whole number is further from the next one than
 * it is rounded by. */
static inline uint32_t quotient(int32_t a, int32_t b)
{
    uint32_t is_odd = 0u - ((uint32_t)b + 1 < 2), is_minus = 0u - (b == -1); /* 0 or -1: by 1 */
    int32_t by = (int32_t)(((uint32_t)b & ~is_odd) - is_odd);
    uint32_t q = (uint32_t)(int32_t)((double)a / (double)by);
    return (q ^ is_minus) - is_minus;
}

/* x / 0 and x % 0 have all bits set; the smallest number by -1 is itself. */
TWO4(div_u32, d.u = b.u == 0 ? UINT32_MAX : a.u / b.u)
TWO4(div_s32, d.u = quotient(a.s, b.s) | (0u - (b.s == 0)))
TWO8(div_u64, d.u = b.u == 0 ? UINT64_MAX : a.u / b.u)
TWO8(div_s64, d.u = b.s == 0 ? UINT64_MAX : b.s == -1 ? 0 - a.u : (uint64_t)(a.s / b.s))
TWO4(div_u16, d.u = b.u == 0 ? UINT16_MAX : a.u / b.u)
TWO4(div_s16, d.u = (uint16_t)(b.u == 0 ? -1 : (int16_t)a.u / (int16_t)b.u))
TWO4(rem_u32, d.u = b.u == 0 ? UINT32_MAX : a.u % b.u)
TWO4(rem_s32, d.u = (a.u - quotient(a.s, b.s) * b.u) | (0u - (b.s == 0)))
TWO8(rem_u64, d.u = b.u == 0 ? UINT64_MAX : a.u % b.u)
TWO8(rem_s64, d.u = b.s == 0 ? UINT64_MAX : b.s == -1 ? 0 : (uint64_t)(a.s % b.s))
TWO4(rem_u16, d.u = b.u == 0 ? UINT16_MAX : a.u % b.u)
TWO4(rem_s16, d.u = (uint16_t)(b.u == 0 ? -1 : (int16_t)a.u % (int16_t)b.u))

ONE4(abs_s32, d.u = a.s < 0 ? 0 - a.u : a.u)
ONE8(abs_s64, d.u = a.s < 0 ? 0 - a.u : a.u)
ONE4(abs_s16, d.u = (uint16_t)((int16_t)a.u < 0 ? 0 - a.u : a.u))
ONE4(neg32, d.u = 0 - a.u)
ONE8(neg64, d.u = 0 - a.u)
ONE4(neg16, d.u = (uint16_t)(0 - a.u))
TWO4(min_u32, d.u = a.u < b.u ? a.u : b.u)
TWO4(min_s32, d.s = a.s < b.s ? a.s : b.s)
TWO8(min_u64, d.u = a.u < b.u ? a.u : b.u)
TWO8(min_s64, d.s = a.s < b.s ? a.s : b.s)
TWO4(min_s16, d.u = (int16_t)a.u < (int16_t)b.u ? a.u : b.u)
TWO4(max_u32, d.u = a.u > b.u ? a.u : b.u)
TWO4(max_s32, d.s = a.s > b.s ? a.s : b.s)
TWO8(max_u64, d.u = a.u > b.u ? a.u : b.u)
TWO8(max_s64, d.s = a.s > b.s ? a.s : b.s)
TWO4(max_s16, d.u = (int16_t)a.u > (int16_t)b.u ? a.u : b.u)
COMPUTE(sad_u32, W4, W4, W4, W4, d.u = c.u + (a.u > b.u ? a.u - b.u : b.u - a.u))
COMPUTE(sad_s32, W4, W4, W4, W4, d.u = c.u + (a.s > b.s ? a.u - b.u : b.u - a.u))

/* ---- bits ------------------------------------------------------------------------------------ */

TWO4(and32, d.u = a.u & b.u)
TWO8(and64, d.u = a.u & b.u)
TWO4(or32, d.u = a.u | b.u)
TWO8(or64, d.u = a.u | b.u)
TWO4(xor32, d.u = a.u ^ b.u)
TWO8(xor64, d.u = a.u ^ b.u)
ONE4(not32, d.u = ~a.u)
ONE8(not64, d.u = ~a.u)
ONE4(not16, d.u = (uint16_t)~a.u)
ONE4(cnot32, d.u = a.u == 0)
ONE8(cnot64, d.u = a.u == 0)
TWO4(shl32, d.u = b.u > 31 ? 0 : a.u << b.u)
COMPUTE(shl64, W8, W8, W4, W0, d.u = b.u > 63 ? 0 : a.u << b.u)
TWO4(shl16, d.u = b.u > 15 ? 0 : (uint16_t)(a.u << b.u))
TWO4(shr_u32, d.u = b.u > 31 ? 0 : a.u >> b.u)
TWO4(shr_s32, d.s = a.s >> (b.u > 31 ? 31 : b.u))
COMPUTE(shr_u64, W8, W8, W4, W0, d.u = b.u > 63 ? 0 : a.u >> b.u)
COMPUTE(shr_s64, W8, W8, W4, W0, d.s = a.s >> (b.u > 63 ? 63 : b.u))
TWO4(shr_u16, d.u = b.u > 15 ? 0 : a.u >> b.u)
TWO4(shr_s16, d.u = (uint16_t)((int16_t)a.u >> (b.u > 15 ? 15 : b.u)))

static inline uint32_t reverse32(uint32_t x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
    return x >> 16 | x << 16;
}

static inline uint32_t population64(uint64_t x)
{
    return bsim_bits_population((uint32_t)x) + bsim_bits_population((uint32_t)(x >> 32));
}

/* Zeros in front of the first one, n for none. */
static inline uint32_t leading(uint64_t x, uint32_t n)
{
    uint32_t zeros = 0;
    while (zeros < n && !(x >> (n - 1 - zeros) & 1)) {
        zeros++;
    }
    return zeros;
}

ONE4(popc32, d.u = bsim_bits_population(a.u))
COMPUTE(popc64, W4, W8, W0, W0, d.u = population64(a.u))
ONE4(clz32, d.u = leading(a.u, 32))
COMPUTE(clz64, W4, W8, W0, W0, d.u = leading(a.u, 64))
ONE4(brev32, d.u = reverse32(a.u))
ONE8(brev64, d.u = (uint64_t)reverse32((uint32_t)a.u) << 32 | reverse32((uint32_t)(a.u >> 32)))

/* The place of the highest bit that differs from the sign, all ones if none does. */
static inline uint32_t find_bit(uint64_t x, uint32_t n, bool as_shift)
{
    uint32_t zeros = leading(x, n);
    return zeros == n ? UINT32_MAX : as_shift ? zeros : n - 1 - zeros;
}

ONE4(bfind_u32, d.u = find_bit(a.u, 32, false))
ONE4(bfind_s32, d.u = find_bit(a.s < 0 ? ~a.u : a.u, 32, false))
COMPUTE(bfind_u64, W4, W8, W0, W0, d.u = find_bit(a.u, 64, false))
COMPUTE(bfind_s64, W4, W8, W0, W0, d.u = find_bit(a.s < 0 ? ~a.u : a.u, 64, false))
ONE4(bfind_shift_u32, d.u = find_bit(a.u, 32, true))
ONE4(bfind_shift_s32, d.u = find_bit(a.s < 0 ? ~a.u : a.u, 32, true))
COMPUTE(bfind_shift_u64, W4, W8, W0, W0, d.u = find_bit(a.u, 64, true))
COMPUTE(bfind_shift_s64, W4, W8, W0, W0, d.u = find_bit(a.s < 0 ? ~a.u : a.u, 64, true))

/* Bits [start, start + n) of x, as PTX defines bfe: start and n are bytes. */
static inline uint64_t extract(uint64_t x, uint32_t start, uint32_t n, uint32_t width,
                               bool is_signed)
{
    start &= 0xff;
    n &= 0xff;
    if (n == 0) {
        return 0;
    }
    uint32_t top = start + n - 1 < width - 1 ? start + n - 1 : width - 1;
    bool sign = is_signed && (x >> top & 1);
    uint64_t value = start < width ? x >> start : 0;
    uint64_t field = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
    uint32_t have = start < width ? width - start : 0;
    uint64_t real = have < 64 ? (UINT64_C(1) << have) - 1 : UINT64_MAX;
    value &= field & real;
    return sign ? value | ~(field & real) : value;
}

COMPUTE(bfe_u32, W4, W4, W4, W4, d.u = (uint32_t)extract(a.u, b.u, c.u, 32, false))
COMPUTE(bfe_s32, W4, W4, W4, W4, d.u = (uint32_t)extract(a.u, b.u, c.u, 32, true))
COMPUTE(bfe_u64, W8, W8, W4, W4, d.u = extract(a.u, b.u, c.u, 64, false))
COMPUTE(bfe_s64, W8, W8, W4, W4, d.u = extract(a.u, b.u, c.u, 64, true))

/* ---- numbers with a point -------------------------------------------------------------------- */

/* The smaller of two as IEEE 754's minNum: a NaN loses; -0 is below +0. */
#define LESS(a, b) (isnan(b) || (a) < (b) || ((a) == (b) && signbit(a)) ? (a) : (b))
#define MORE(a, b) (isnan(b) || (a) > (b) || ((a) == (b) && !signbit(a)) ? (a) : (b))

/* What is no number has one form in an f32, whatever it came from. */
static inline float canonical(float x)
{
    union bsim_w32 w = {.u = 0x7fffffff};
    return x != x ? w.f : x;
}

/* What is no number does not signal. */
static inline double quiet(double x)
{
    union bsim_w64 w = {.f = x};
    w.u |= x != x ? UINT64_C(1) << 51 : 0;
    return w.f;
}

/* The result x of a, b and c; of operands that are no numbers the first, quiet. A processor's choice
 * hangs on how the compiler has put them. */
static inline double chosen(double x, double a, double b, double c)
{
    x = c != c ? quiet(c) : x;
    x = b != b ? quiet(b) : x;
    return a != a ? quiet(a) : x;
}

/* .ftz: a number too small for an exponent of its own is 0, with its sign. */
static inline float flush(float x)
{
    union bsim_w32 w = {.f = x};
    w.u = w.u & 0x7f800000 ? w.u : w.u & 0x80000000;
    return w.f;
}

#define FLUSHED(x) flush(canonical(x))

/* A product that is too small before it is rounded is 0, though it may round up to 2^-126. A double
 * holds it; the sum with a third it holds but for what `rest` says. */
static inline float flush_product(float a, float b)
{
    double exact = (double)a * (double)b;
    float x = canonical((float)exact);
    return fabs(exact) < 0x1p-126 ? copysignf(0, x) : x;
}

static inline float flush_sum(float a, float b, float c)
{
    double product = (double)a * (double)b, sum = product + (double)c, part = sum - product;
    double rest = (product - (sum - part)) + ((double)c - part);
    bool is_below = fabs(sum) == 0x1p-126 && (sum > 0 ? rest < 0 : rest > 0);
    float x = canonical(fmaf(a, b, c));
    return fabs(sum) < 0x1p-126 || is_below ? copysignf(0, x) : x;
}

static inline float flush_quotient(float a, float b)
{
    float x = canonical(a / b);
    bool is_below = fabs((double)a) < 0x1p-126 * fabs((double)b);
    return is_below ? copysignf(0, x) : flush(x);
}

TWO4(add_f32, d.f = canonical(a.f + b.f))
TWO4(add_ftz, d.f = FLUSHED(flush(a.f) + flush(b.f)))
TWO8(add_f64, d.f = chosen(a.f + b.f, a.f, b.f, 0))
TWO4(sub_f32, d.f = canonical(a.f - b.f))
TWO4(sub_ftz, d.f = FLUSHED(flush(a.f) - flush(b.f)))
TWO8(sub_f64, d.f = chosen(a.f - b.f, a.f, b.f, 0))
TWO4(mul_f32, d.f = canonical(a.f * b.f))
TWO4(mul_ftz, d.f = flush_product(flush(a.f), flush(b.f)))
TWO8(mul_f64, d.f = chosen(a.f * b.f, a.f, b.f, 0))
TWO4(div_f32, d.f = canonical(a.f / b.f))
TWO4(div_ftz, d.f = flush_quotient(flush(a.f), flush(b.f)))
TWO8(div_f64, d.f = chosen(a.f / b.f, a.f, b.f, 0))
/* With the product's sign, and that of what is added (contract.c). */
#define FUSED(name, p, s)                                                                          \
    COMPUTE(name##_f32, W4, W4, W4, W4, d.f = canonical(fmaf(p a.f, b.f, s c.f)))                  \
    COMPUTE(name##_ftz, W4, W4, W4, W4, d.f = flush_sum(p flush(a.f), flush(b.f), s flush(c.f)))   \
    COMPUTE(name##_f64, W8, W8, W8, W8, d.f = chosen(fma(p a.f, b.f, s c.f), a.f, b.f, c.f))
FUSED(fma, +, +)
FUSED(fma_less, +, -)
FUSED(less_fma, -, +)
FUSED(less_fma_less, -, -)
ONE4(abs_f32, d.f = canonical(fabsf(a.f)))
ONE8(abs_f64, d.u = a.f != a.f ? a.u | UINT64_C(1) << 51 : a.u & ~(UINT64_C(1) << 63))
ONE4(neg_f32, d.f = canonical(-a.f))
ONE8(neg_f64, d.u = a.f != a.f ? a.u | UINT64_C(1) << 51 : a.u ^ UINT64_C(1) << 63)
TWO4(min_f32, d.f = canonical(LESS(a.f, b.f)))
TWO4(min_ftz, d.f = FLUSHED(LESS(flush(a.f), flush(b.f))))
TWO8(min_f64, d.f = quiet(LESS(a.f, b.f)))
TWO4(max_f32, d.f = canonical(MORE(a.f, b.f)))
TWO4(max_ftz, d.f = FLUSHED(MORE(flush(a.f), flush(b.f))))
TWO8(max_f64, d.f = quiet(MORE(a.f, b.f)))
/* Approximations are the exact value, rounded: within what PTX allows them. */
#define ONE_FLOAT(name, value)                              \
    ONE4(name##_f32, float x = a.f; d.f = canonical(value)) \
    ONE4(name##_ftz, float x = flush(a.f); d.f = FLUSHED(value))

/* div.approx multiplies by the reciprocal, which is 0 from 2^126 on. */
TWO4(div_approx, d.f = canonical(fabsf(b.f) > 0x1p126f ? a.f * copysignf(0, b.f) : a.f / b.f))
TWO4(div_approx_ftz, d.f = FLUSHED(fabsf(b.f) > 0x1p126f ? flush(a.f) * copysignf(0, b.f)
                                                         : flush(a.f) / flush(b.f)))
ONE_FLOAT(rcp, 1 / x)
ONE8(rcp_f64, d.f = 1 / a.f)
ONE_FLOAT(sqrt, sqrtf(x))
ONE8(sqrt_f64, d.f = sqrt(a.f))
ONE_FLOAT(rsqrt, (float)(1 / sqrt((double)x)))
ONE8(rsqrt_f64, d.f = 1 / sqrt(a.f))
ONE_FLOAT(sin, sinf(x))
ONE_FLOAT(cos, cosf(x))
ONE_FLOAT(lg2, log2f(x))
ONE_FLOAT(ex2, exp2f(x))
ONE_FLOAT(tanh, tanhf(x))
TWO4(copysign_f32, d.u = (b.u & 0x7fffffff) | (a.u & 0x80000000))
TWO8(copysign_f64, d.f = copysign(b.f, a.f))

/* ---- moves ----------------------------------------------------------------------------------- */

ONE4(mov32, d.u = a.u)
ONE8(mov64, d.u = a.u)
COMPUTE(add_shared, W8, W8, W0, W0, d.u = a.u + BSIM_PTX_SHARED_WINDOW)
COMPUTE(add_local, W8, W8, W0, W0, d.u = a.u + BSIM_PTX_LOCAL_WINDOW)
COMPUTE(add_param, W8, W8, W0, W0, d.u = a.u + BSIM_PTX_PARAM_WINDOW)
COMPUTE(sub_shared, W8, W8, W0, W0, d.u = a.u - BSIM_PTX_SHARED_WINDOW)
COMPUTE(sub_local, W8, W8, W0, W0, d.u = a.u - BSIM_PTX_LOCAL_WINDOW)
COMPUTE(sub_param, W8, W8, W0, W0, d.u = a.u - BSIM_PTX_PARAM_WINDOW)

/* ---- predicates ------------------------------------------------------------------------------ */

/* setp's second half: combines with another predicate, writes both results. */
static void put_compared(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t yes)
{
    uint32_t no = ~yes;
    if (step->more[1] != BSIM_PTX_NOWHERE) {
        uint32_t other = warp->file[step->more[1]] ^ (step->more[2] ? UINT32_MAX : 0);
        bool is_or = bsim_ptx_has(step->from, BSIM_PTX_OR);
        bool is_xor = bsim_ptx_has(step->from, BSIM_PTX_XOR);
        yes = is_or ? yes | other : is_xor ? yes ^ other : yes & other;
        no = is_or ? no | other : is_xor ? no ^ other : no & other;
    }
    bsim_ptx_put_predicate(warp, step->d, yes);
    bsim_ptx_put_predicate(warp, step->more[0], no);
}

#define SETP(name, W, T, member, test)                                                        \
    static void run_setp_##name(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step) \
    {                                                                                         \
        const W *as = (const W *)(const void *)(warp->file + step->a);                        \
        const W *bs = (const W *)(const void *)(warp->file + step->b);                        \
        uint32_t yes = 0;                                                                     \
        for (int l = 0; l < LANES; l++) {                                                     \
            T a = (T)as[l].member, b = (T)bs[l].member;                                       \
            yes |= (uint32_t)(test) << l;                                                     \
        }                                                                                     \
        put_compared(warp, step, yes);                                                        \
    }                                                                                         \
    static const struct bsim_ptx_alu setp_##name = {run_setp_##name, 1, SIZE_##W, SIZE_##W, 0, 0};

#define SETP_ALL(type, W, T, member)      \
    SETP(eq_##type, W, T, member, a == b) \
    SETP(ne_##type, W, T, member, a != b) \
    SETP(lt_##type, W, T, member, a < b)  \
    SETP(le_##type, W, T, member, a <= b) \
    SETP(gt_##type, W, T, member, a > b)  \
    SETP(ge_##type, W, T, member, a >= b)

/* ne is true of numbers alone, neu and its like of what is none, too. */
#define SETP_FLOAT(type, W, T)                   \
    SETP(eq_##type, W, T, f, a == b)             \
    SETP(ne_##type, W, T, f, a<b || a> b)        \
    SETP(lt_##type, W, T, f, a < b)              \
    SETP(le_##type, W, T, f, a <= b)             \
    SETP(gt_##type, W, T, f, a > b)              \
    SETP(ge_##type, W, T, f, a >= b)             \
    SETP(equ_##type, W, T, f, !(a < b || a > b)) \
    SETP(neu_##type, W, T, f, a != b)            \
    SETP(ltu_##type, W, T, f, !(a >= b))         \
    SETP(leu_##type, W, T, f, !(a > b))          \
    SETP(gtu_##type, W, T, f, !(a <= b))         \
    SETP(geu_##type, W, T, f, !(a < b))          \
    SETP(num_##type, W, T, f, a == a && b == b)  \
    SETP(nan_##type, W, T, f, a != a || b != b)

#define SETP_FTZ(name, test)                                             \
    static void run_setp_##name##_ftz(struct bsim_ptx_warp *warp,        \
                                      const struct bsim_ptx_step *step)  \
    {                                                                    \
        const W4 *as = (const W4 *)(const void *)(warp->file + step->a); \
        const W4 *bs = (const W4 *)(const void *)(warp->file + step->b); \
        uint32_t yes = 0;                                                \
        for (int l = 0; l < LANES; l++) {                                \
            float a = flush(as[l].f), b = flush(bs[l].f);                \
            yes |= (uint32_t)(test) << l;                                \
        }                                                                \
        put_compared(warp, step, yes);                                   \
    }                                                                    \
    static const struct bsim_ptx_alu setp_##name##_ftz = {run_setp_##name##_ftz, 1, 4, 4, 0, 0};

SETP_FTZ(eq, a == b)
SETP_FTZ(ne, a<b || a> b)
SETP_FTZ(lt, a < b)
SETP_FTZ(le, a <= b)
SETP_FTZ(gt, a > b)
SETP_FTZ(ge, a >= b)
SETP_FTZ(equ, !(a < b || a > b))
SETP_FTZ(neu, a != b)
SETP_FTZ(ltu, !(a >= b))
SETP_FTZ(leu, !(a > b))
SETP_FTZ(gtu, !(a <= b))
SETP_FTZ(geu, !(a < b))

SETP_ALL(u16, W4, uint16_t, u)
SETP_ALL(s16, W4, int16_t, u)
SETP_ALL(u32, W4, uint32_t, u)
SETP_ALL(s32, W4, int32_t, s)
SETP_ALL(u64, W8, uint64_t, u)
SETP_ALL(s64, W8, int64_t, s)
SETP_FLOAT(f32, W4, float)
SETP_FLOAT(f64, W8, double)

#define PREDICATES(name, n, value)                                                       \
    static void run_##name(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step) \
    {                                                                                    \
        uint32_t a = warp->file[step->a];                                                \
        uint32_t b = warp->file[step->b];                                                \
        (void)b;                                                                         \
        bsim_ptx_put_predicate(warp, step->d, value);                                    \
    }                                                                                    \
    static const struct bsim_ptx_alu name = {run_##name, 1, 1, n, 0, 0};

PREDICATES(and_pred, 1, a &b)
PREDICATES(or_pred, 1, a | b)
PREDICATES(xor_pred, 1, a ^ b)
PREDICATES(not_pred, 0, ~a)
PREDICATES(mov_pred, 0, a)

#define SELECT(name, W)                                                                  \
    static void run_##name(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step) \
    {                                                                                    \
        W *to = (W *)(void *)(warp->file + step->d);                                     \
        const W *as = (const W *)(const void *)(warp->file + step->a);                   \
        const W *bs = (const W *)(const void *)(warp->file + step->b);                   \
        uint32_t which = warp->file[step->c], mask = warp->mask;                         \
        NO_CROSSING for (int l = 0; l < LANES; l++)                                      \
        {                                                                                \
            W a = as[l], b = bs[l], old = to[l];                                         \
            a.u = which >> l & 1 ? a.u : b.u;                                            \
            to[l].u = mask >> l & 1 ? a.u : old.u;                                       \
        }                                                                                \
    }                                                                                    \
    static const struct bsim_ptx_alu name = {run_##name, SIZE_##W, SIZE_##W, SIZE_##W, 1, 0};

SELECT(selp32, W4)
SELECT(selp64, W8)

/* ---- conversions ----------------------------------------------------------------------------- */

COMPUTE(u64_from_u32, W8, W4, W0, W0, d.u = a.u)
COMPUTE(s64_from_s32, W8, W4, W0, W0, d.s = a.s)
COMPUTE(u32_from_u64, W4, W8, W0, W0, d.u = (uint32_t)a.u)
ONE4(u16_from_u32, d.u = (uint16_t)a.u)
ONE4(u8_from_u32, d.u = (uint8_t)a.u)
ONE4(s32_from_s16, d.s = (int16_t)a.u)
ONE4(s32_from_s8, d.s = (int8_t)a.u)
ONE4(s16_from_s8, d.u = (uint32_t)(int8_t)a.u & 0xffff)
COMPUTE(s64_from_s16, W8, W4, W0, W0, d.s = (int16_t)a.u)
COMPUTE(s64_from_s8, W8, W4, W0, W0, d.s = (int8_t)a.u)
COMPUTE(u16_from_u64, W4, W8, W0, W0, d.u = (uint16_t)a.u)
ONE4(f32_from_s32, d.f = (float)a.s)
ONE4(f32_from_u32, d.f = (float)a.u)
ONE4(f32_from_s16, d.f = (int16_t)a.u)
ONE4(f32_from_u16, d.f = (float)(uint16_t)a.u)
COMPUTE(f32_from_s64, W4, W8, W0, W0, d.f = (float)a.s)
COMPUTE(f32_from_u64, W4, W8, W0, W0, d.f = (float)a.u)
COMPUTE(f64_from_s32, W8, W4, W0, W0, d.f = a.s)
COMPUTE(f64_from_u32, W8, W4, W0, W0, d.f = a.u)
COMPUTE(f64_from_s64, W8, W8, W0, W0, d.f = (double)a.s)
COMPUTE(f64_from_u64, W8, W8, W0, W0, d.f = (double)a.u)
COMPUTE(f64_from_f32, W8, W4, W0, W0, d.f = (double)a.f)
COMPUTE(f32_from_f64, W4, W8, W0, W0, d.f = (float)a.f)

/* To the nearest whole number within the type's range; no number is 0. */
static inline int64_t whole(double x, double least, double most)
{
    return isnan(x) ? 0 : x <= least ? (int64_t)least : x >= most ? (int64_t)most : (int64_t)x;
}

#define TO_S32(x) (int32_t) whole(x, -2147483648.0, 2147483647.0)
#define TO_U32(x) (uint32_t) whole(x, 0, 4294967295.0)

ONE4(s32_rzi_f32, d.s = TO_S32(trunc((double)a.f)))
ONE4(s32_rni_f32, d.s = TO_S32(nearbyint((double)a.f)))
ONE4(s32_rmi_f32, d.s = TO_S32(floor((double)a.f)))
ONE4(s32_rpi_f32, d.s = TO_S32(ceil((double)a.f)))
ONE4(u32_rzi_f32, d.u = TO_U32(trunc((double)a.f)))
ONE4(u32_rni_f32, d.u = TO_U32(nearbyint((double)a.f)))
ONE4(u32_rmi_f32, d.u = TO_U32(floor((double)a.f)))
ONE4(u32_rpi_f32, d.u = TO_U32(ceil((double)a.f)))
COMPUTE(s32_rzi_f64, W4, W8, W0, W0, d.s = a.f != a.f ? INT32_MIN : TO_S32(trunc(a.f)))
COMPUTE(u32_rzi_f64, W4, W8, W0, W0, d.u = a.f != a.f ? 0x80000000 : TO_U32(trunc(a.f)))
ONE4(f32_rzi_f32, d.f = canonical(truncf(a.f)))
ONE4(f32_rni_f32, d.f = canonical(nearbyintf(a.f)))
ONE4(f32_rmi_f32, d.f = canonical(floorf(a.f)))
ONE4(f32_rpi_f32, d.f = canonical(ceilf(a.f)))

/* ---- the table ------------------------------------------------------------------------------- */

#define T(name) BSIM_PTX_##name
#define EACH_WIDTH(mnemonic, f16, f32, f64)                                       \
    {mnemonic, 0, 0, {T(B16), 0}, &f16}, {mnemonic, 0, 0, {T(U16), 0}, &f16},     \
        {mnemonic, 0, 0, {T(S16), 0}, &f16}, {mnemonic, 0, 0, {T(B32), 0}, &f32}, \
        {mnemonic, 0, 0, {T(U32), 0}, &f32}, {mnemonic, 0, 0, {T(S32), 0}, &f32}, \
        {mnemonic, 0, 0, {T(B64), 0}, &f64}, {mnemonic, 0, 0, {T(U64), 0}, &f64}, \
    {                                                                             \
        mnemonic, 0, 0, {T(S64), 0}, &f64                                         \
    }
#define INTEGERS(mnemonic, word, u16, s16, u32, s32, u64, s64)                          \
    {mnemonic, word, 0, {T(U16), 0}, &u16}, {mnemonic, word, 0, {T(S16), 0}, &s16},     \
        {mnemonic, word, 0, {T(U32), 0}, &u32}, {mnemonic, word, 0, {T(S32), 0}, &s32}, \
        {mnemonic, word, 0, {T(U64), 0}, &u64},                                         \
    {                                                                                   \
        mnemonic, word, 0, {T(S64), 0}, &s64                                            \
    }
#define FUSED_ROWS(mnemonic, name)            \
    FLOATS(mnemonic, name##_f32, name##_f64), \
    {mnemonic, T(FTZ), 0, {T(F32), 0}, &name##_ftz}
#define FLOATS(mnemonic, f32, f64)        \
    {mnemonic, 0, 0, {T(F32), 0}, &f32},  \
    {                                     \
        mnemonic, 0, 0, {T(F64), 0}, &f64 \
    }
#define COMPARED(word, name)                                   \
    {"setp", T(word), 0, {T(B16), 0}, &setp_##name##_u16},     \
        {"setp", T(word), 0, {T(U16), 0}, &setp_##name##_u16}, \
        {"setp", T(word), 0, {T(S16), 0}, &setp_##name##_s16}, \
        {"setp", T(word), 0, {T(B32), 0}, &setp_##name##_u32}, \
        {"setp", T(word), 0, {T(U32), 0}, &setp_##name##_u32}, \
        {"setp", T(word), 0, {T(S32), 0}, &setp_##name##_s32}, \
        {"setp", T(word), 0, {T(B64), 0}, &setp_##name##_u64}, \
        {"setp", T(word), 0, {T(U64), 0}, &setp_##name##_u64}, \
        {"setp", T(word), 0, {T(S64), 0}, &setp_##name##_s64}, \
        {"setp", T(word), 0, {T(F32), 0}, &setp_##name##_f32}, \
    {                                                          \
        "setp", T(word), 0, {T(F64), 0}, &setp_##name##_f64    \
    }
#define COMPARED_FTZ(word, name)                                 \
    {                                                            \
        "setp", T(word), T(FTZ), {T(F32), 0}, &setp_##name##_ftz \
    }
#define UNSIGNED(word, name)                                   \
    {"setp", T(word), 0, {T(U16), 0}, &setp_##name##_u16},     \
        {"setp", T(word), 0, {T(U32), 0}, &setp_##name##_u32}, \
    {                                                          \
        "setp", T(word), 0, {T(U64), 0}, &setp_##name##_u64    \
    }
#define UNORDERED(word, name)                               \
    {"setp", T(word), 0, {T(F32), 0}, &setp_##name##_f32},  \
    {                                                       \
        "setp", T(word), 0, {T(F64), 0}, &setp_##name##_f64 \
    }

static const struct bsim_ptx_alu_row rows[] = {
    EACH_WIDTH("mov", mov32, mov32, mov64),
    {"mov", 0, 0, {T(F32), 0}, &mov32},
    {"mov", 0, 0, {T(F64), 0}, &mov64},
    {"mov", 0, 0, {T(PRED), 0}, &mov_pred},
    {"mov", 0, 0, {T(F16), 0}, &mov32},
    EACH_WIDTH("add", add16, add32, add64),
    FLOATS("add", add_f32, add_f64),
    {"add", T(FTZ), 0, {T(F32), 0}, &add_ftz},
    EACH_WIDTH("sub", sub16, sub32, sub64),
    FLOATS("sub", sub_f32, sub_f64),
    {"sub", T(FTZ), 0, {T(F32), 0}, &sub_ftz},
    INTEGERS("mul", T(LO), mul_lo16, mul_lo16, mul_lo32, mul_lo32, mul_lo64, mul_lo64),
    INTEGERS("mul", T(HI), mul_hi_u16, mul_hi_s16, mul_hi_u32, mul_hi_s32, mul_hi_u64, mul_hi_s64),
    {"mul", T(WIDE), 0, {T(U16), 0}, &mul_wide_u16},
    {"mul", T(WIDE), 0, {T(S16), 0}, &mul_wide_s16},
    {"mul", T(WIDE), 0, {T(U32), 0}, &mul_wide_u32},
    {"mul", T(WIDE), 0, {T(S32), 0}, &mul_wide_s32},
    FLOATS("mul", mul_f32, mul_f64),
    {"mul", T(FTZ), 0, {T(F32), 0}, &mul_ftz},
    INTEGERS("mad", T(LO), mad_lo16, mad_lo16, mad_lo32, mad_lo32, mad_lo64, mad_lo64),
    {"mad", T(HI), 0, {T(U16), 0}, &mad_hi_u16},
    {"mad", T(HI), 0, {T(S16), 0}, &mad_hi_s16},
    {"mad", T(HI), 0, {T(U32), 0}, &mad_hi_u32},
    {"mad", T(HI), 0, {T(S32), 0}, &mad_hi_s32},
    {"mad", T(HI), 0, {T(U64), 0}, &mad_hi_u64},
    {"mad", T(HI), 0, {T(S64), 0}, &mad_hi_s64},
    {"mad", T(WIDE), 0, {T(U16), 0}, &mad_wide_u16},
    {"mad", T(WIDE), 0, {T(S16), 0}, &mad_wide_s16},
    {"mad", T(WIDE), 0, {T(U32), 0}, &mad_wide_u32},
    {"mad", T(WIDE), 0, {T(S32), 0}, &mad_wide_s32},
    FLOATS("mad", fma_f32, fma_f64),
    {"mad", T(FTZ), 0, {T(F32), 0}, &fma_ftz},
    FUSED_ROWS("fma", fma),
    FUSED_ROWS("fma-", fma_less),
    FUSED_ROWS("-fma", less_fma),
    FUSED_ROWS("-fma-", less_fma_less),
    INTEGERS("div", 0, div_u16, div_s16, div_u32, div_s32, div_u64, div_s64),
    {"div", T(APPROX), 0, {T(F32), 0}, &div_approx},
    {"div", T(APPROX), T(FTZ), {T(F32), 0}, &div_approx_ftz},
    FLOATS("div", div_f32, div_f64),
    {"div", T(FTZ), 0, {T(F32), 0}, &div_ftz},
    INTEGERS("rem", 0, rem_u16, rem_s16, rem_u32, rem_s32, rem_u64, rem_s64),
    INTEGERS("min", 0, min_u32, min_s16, min_u32, min_s32, min_u64, min_s64),
    FLOATS("min", min_f32, min_f64),
    {"min", T(FTZ), 0, {T(F32), 0}, &min_ftz},
    INTEGERS("max", 0, max_u32, max_s16, max_u32, max_s32, max_u64, max_s64),
    FLOATS("max", max_f32, max_f64),
    {"max", T(FTZ), 0, {T(F32), 0}, &max_ftz},
    {"abs", 0, 0, {T(S16), 0}, &abs_s16},
    {"abs", 0, 0, {T(S32), 0}, &abs_s32},
    {"abs", 0, 0, {T(S64), 0}, &abs_s64},
    FLOATS("abs", abs_f32, abs_f64),
    {"neg", 0, 0, {T(S16), 0}, &neg16},
    {"neg", 0, 0, {T(S32), 0}, &neg32},
    {"neg", 0, 0, {T(S64), 0}, &neg64},
    FLOATS("neg", neg_f32, neg_f64),
    {"sad", 0, 0, {T(U32), 0}, &sad_u32},
    {"sad", 0, 0, {T(S32), 0}, &sad_s32},
    EACH_WIDTH("and", and32, and32, and64),
    {"and", 0, 0, {T(PRED), 0}, &and_pred},
    EACH_WIDTH("or", or32, or32, or64),
    {"or", 0, 0, {T(PRED), 0}, &or_pred},
    EACH_WIDTH("xor", xor32, xor32, xor64),
    {"xor", 0, 0, {T(PRED), 0}, &xor_pred},
    EACH_WIDTH("not", not16, not32, not64),
    {"not", 0, 0, {T(PRED), 0}, &not_pred},
    EACH_WIDTH("cnot", cnot32, cnot32, cnot64),
    {"shl", 0, 0, {T(B16), 0}, &shl16},
    {"shl", 0, 0, {T(B32), 0}, &shl32},
    {"shl", 0, 0, {T(B64), 0}, &shl64},
    INTEGERS("shr", 0, shr_u16, shr_s16, shr_u32, shr_s32, shr_u64, shr_s64),
    {"shr", 0, 0, {T(B16), 0}, &shr_u16},
    {"shr", 0, 0, {T(B32), 0}, &shr_u32},
    {"shr", 0, 0, {T(B64), 0}, &shr_u64},
    {"popc", 0, 0, {T(B32), 0}, &popc32},
    {"popc", 0, 0, {T(B64), 0}, &popc64},
    {"clz", 0, 0, {T(B32), 0}, &clz32},
    {"clz", 0, 0, {T(B64), 0}, &clz64},
    {"brev", 0, 0, {T(B32), 0}, &brev32},
    {"brev", 0, 0, {T(B64), 0}, &brev64},
    {"bfind", T(SHIFTAMT), 0, {T(U32), 0}, &bfind_shift_u32},
    {"bfind", T(SHIFTAMT), 0, {T(S32), 0}, &bfind_shift_s32},
    {"bfind", T(SHIFTAMT), 0, {T(U64), 0}, &bfind_shift_u64},
    {"bfind", T(SHIFTAMT), 0, {T(S64), 0}, &bfind_shift_s64},
    {"bfind", 0, 0, {T(U32), 0}, &bfind_u32},
    {"bfind", 0, 0, {T(S32), 0}, &bfind_s32},
    {"bfind", 0, 0, {T(U64), 0}, &bfind_u64},
    {"bfind", 0, 0, {T(S64), 0}, &bfind_s64},
    {"bfe", 0, 0, {T(U32), 0}, &bfe_u32},
    {"bfe", 0, 0, {T(S32), 0}, &bfe_s32},
    {"bfe", 0, 0, {T(U64), 0}, &bfe_u64},
    {"bfe", 0, 0, {T(S64), 0}, &bfe_s64},
    FLOATS("rcp", rcp_f32, rcp_f64),
    {"rcp", T(FTZ), 0, {T(F32), 0}, &rcp_ftz},
    FLOATS("sqrt", sqrt_f32, sqrt_f64),
    {"sqrt", T(FTZ), 0, {T(F32), 0}, &sqrt_ftz},
    FLOATS("rsqrt", rsqrt_f32, rsqrt_f64),
    {"rsqrt", T(FTZ), 0, {T(F32), 0}, &rsqrt_ftz},
    FLOATS("copysign", copysign_f32, copysign_f64),
    {"sin", 0, 0, {T(F32), 0}, &sin_f32},
    {"sin", T(FTZ), 0, {T(F32), 0}, &sin_ftz},
    {"cos", 0, 0, {T(F32), 0}, &cos_f32},
    {"cos", T(FTZ), 0, {T(F32), 0}, &cos_ftz},
    {"lg2", 0, 0, {T(F32), 0}, &lg2_f32},
    {"lg2", T(FTZ), 0, {T(F32), 0}, &lg2_ftz},
    {"ex2", 0, 0, {T(F32), 0}, &ex2_f32},
    {"ex2", T(FTZ), 0, {T(F32), 0}, &ex2_ftz},
    {"tanh", 0, 0, {T(F32), 0}, &tanh_f32},
    {"tanh", T(FTZ), 0, {T(F32), 0}, &tanh_ftz},
    EACH_WIDTH("selp", selp32, selp32, selp64),
    FLOATS("selp", selp32, selp64),
    COMPARED(EQ, eq),
    COMPARED(NE, ne),
    COMPARED(LT, lt),
    COMPARED(LE, le),
    COMPARED(GT, gt),
    COMPARED(GE, ge),
    UNSIGNED(LO, lt),
    UNSIGNED(LS, le),
    UNSIGNED(HI, gt),
    UNSIGNED(HS, ge),
    COMPARED_FTZ(EQ, eq),
    COMPARED_FTZ(NE, ne),
    COMPARED_FTZ(LT, lt),
    COMPARED_FTZ(LE, le),
    COMPARED_FTZ(GT, gt),
    COMPARED_FTZ(GE, ge),
    COMPARED_FTZ(EQU, equ),
    COMPARED_FTZ(NEU, neu),
    COMPARED_FTZ(LTU, ltu),
    COMPARED_FTZ(LEU, leu),
    COMPARED_FTZ(GTU, gtu),
    COMPARED_FTZ(GEU, geu),
    UNORDERED(EQU, equ),
    UNORDERED(NEU, neu),
    UNORDERED(LTU, ltu),
    UNORDERED(LEU, leu),
    UNORDERED(GTU, gtu),
    UNORDERED(GEU, geu),
    UNORDERED(IS_NUM, num),
    UNORDERED(IS_NAN, nan),
    {"cvta", T(GLOBAL_), 0, {T(U64), 0}, &mov64},
    {"cvta", T(CONST_), 0, {T(U64), 0}, &mov64},
    {"cvt", 0, 0, {T(U64), T(U32)}, &u64_from_u32},
    {"cvt", 0, 0, {T(S64), T(U32)}, &u64_from_u32},
    {"cvt", 0, 0, {T(S64), T(S32)}, &s64_from_s32},
    {"cvt", 0, 0, {T(U64), T(S32)}, &s64_from_s32},
    {"cvt", 0, 0, {T(U32), T(U64)}, &u32_from_u64},
    {"cvt", 0, 0, {T(S32), T(S64)}, &u32_from_u64},
    {"cvt", 0, 0, {T(U32), T(S64)}, &u32_from_u64},
    {"cvt", 0, 0, {T(S32), T(U64)}, &u32_from_u64},
    {"cvt", 0, 0, {T(U16), T(U32)}, &u16_from_u32},
    {"cvt", 0, 0, {T(S16), T(S32)}, &u16_from_u32},
    {"cvt", 0, 0, {T(U16), T(U64)}, &u16_from_u64},
    {"cvt", 0, 0, {T(S16), T(S64)}, &u16_from_u64},
    {"cvt", 0, 0, {T(U32), T(U16)}, &u16_from_u32},
    {"cvt", 0, 0, {T(S32), T(U16)}, &u16_from_u32},
    {"cvt", 0, 0, {T(U32), T(U8)}, &u8_from_u32},
    {"cvt", 0, 0, {T(U16), T(U8)}, &u8_from_u32},
    {"cvt", 0, 0, {T(S32), T(S16)}, &s32_from_s16},
    {"cvt", 0, 0, {T(S32), T(S8)}, &s32_from_s8},
    {"cvt", 0, 0, {T(S16), T(S8)}, &s16_from_s8},
    {"cvt", 0, 0, {T(S64), T(S16)}, &s64_from_s16},
    {"cvt", 0, 0, {T(S64), T(S8)}, &s64_from_s8},
    {"cvt", 0, 0, {T(F32), T(S32)}, &f32_from_s32},
    {"cvt", 0, 0, {T(F32), T(U32)}, &f32_from_u32},
    {"cvt", 0, 0, {T(F32), T(S16)}, &f32_from_s16},
    {"cvt", 0, 0, {T(F32), T(U16)}, &f32_from_u16},
    {"cvt", 0, 0, {T(F32), T(S64)}, &f32_from_s64},
    {"cvt", 0, 0, {T(F32), T(U64)}, &f32_from_u64},
    {"cvt", 0, 0, {T(F64), T(S32)}, &f64_from_s32},
    {"cvt", 0, 0, {T(F64), T(U32)}, &f64_from_u32},
    {"cvt", 0, 0, {T(F64), T(S64)}, &f64_from_s64},
    {"cvt", 0, 0, {T(F64), T(U64)}, &f64_from_u64},
    {"cvt", 0, 0, {T(F64), T(F32)}, &f64_from_f32},
    {"cvt", 0, 0, {T(F32), T(F64)}, &f32_from_f64},
    {"cvt", T(RZI), 0, {T(S32), T(F32)}, &s32_rzi_f32},
    {"cvt", T(RNI), 0, {T(S32), T(F32)}, &s32_rni_f32},
    {"cvt", T(RMI), 0, {T(S32), T(F32)}, &s32_rmi_f32},
    {"cvt", T(RPI), 0, {T(S32), T(F32)}, &s32_rpi_f32},
    {"cvt", T(RZI), 0, {T(U32), T(F32)}, &u32_rzi_f32},
    {"cvt", T(RNI), 0, {T(U32), T(F32)}, &u32_rni_f32},
    {"cvt", T(RMI), 0, {T(U32), T(F32)}, &u32_rmi_f32},
    {"cvt", T(RPI), 0, {T(U32), T(F32)}, &u32_rpi_f32},
    {"cvt", T(RZI), 0, {T(S32), T(F64)}, &s32_rzi_f64},
    {"cvt", T(RZI), 0, {T(U32), T(F64)}, &u32_rzi_f64},
    {"cvt", T(RZI), 0, {T(F32), T(F32)}, &f32_rzi_f32},
    {"cvt", T(RNI), 0, {T(F32), T(F32)}, &f32_rni_f32},
    {"cvt", T(RMI), 0, {T(F32), T(F32)}, &f32_rmi_f32},
    {"cvt", T(RPI), 0, {T(F32), T(F32)}, &f32_rpi_f32},
};

/* clang-format on */

/* cvta goes by its space and direction; in global and constant memory both addresses are the same.
 */
static const struct bsim_ptx_alu *find_cvta(const struct bsim_ptx_instruction *instruction)
{
    bool is_to = bsim_ptx_has(instruction, BSIM_PTX_TO);
    if (bsim_ptx_has(instruction, BSIM_PTX_SHARED_)) {
        return is_to ? &sub_shared : &add_shared;
    }
    if (bsim_ptx_has(instruction, BSIM_PTX_LOCAL_)) {
        return is_to ? &sub_local : &add_local;
    }
    if (bsim_ptx_has(instruction, BSIM_PTX_PARAM_)) {
        return is_to ? &sub_param : &add_param;
    }
    return &mov64;
}

const struct bsim_ptx_alu *BSIM_PTX_FIND_COMMON(const struct bsim_ptx_instruction *instruction)
{
    if (strcmp(instruction->mnemonic, "cvta") == 0) {
        return find_cvta(instruction);
    }
    return bsim_ptx_find_row(rows, sizeof rows / sizeof *rows, instruction);
}
