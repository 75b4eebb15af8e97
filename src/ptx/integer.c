/* integer.c - whole numbers and bits beyond the common: carries, saturation, 24-bit products,
 * fields, permutations of bytes, sums of products. */
#include "ptx/compute.h"

#include "base/bits.h"
#include "ptx/tables.h"

/* clang-format off: an operator's operands would stand as a pointer's */

#define TWO4(name, ...) COMPUTE(name, W4, W4, W4, W0, __VA_ARGS__)
#define THREE4(name, ...) COMPUTE(name, W4, W4, W4, W4, __VA_ARGS__)

/* ---- carries --------------------------------------------------------------------------------- */

/* d = x + y + carry of type T; bit l of a warp's carry is lane l's. As on the GPU a subtraction is
 * x + ~y + 1, and what subc takes is a carry: a borrow is that there is none. */
#define CARRY(name, W, C3, takes, gives, T, at_first, x, y)                                \
    static void run_##name(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)   \
    {                                                                                      \
        W *to = (W *)(void *)(warp->file + step->d);                                       \
        const W *as = (const W *)(const void *)(warp->file + step->a);                     \
        const W *bs = (const W *)(const void *)(warp->file + step->b);                     \
        const C3 *cs = (const C3 *)(const void *)(warp->file + step->c);                   \
        uint32_t in = (takes) ? warp->file[BSIM_PTX_CARRY] : (at_first), out = 0;          \
        for (int l = 0; l < LANES; l++) {                                                  \
            if (!(warp->mask >> l & 1)) {                                                  \
                continue;                                                                  \
            }                                                                              \
            T a = as[l].u, b = bs[l].u, c = cs[l].u, carry = in >> l & 1;                  \
            (void)a, (void)b, (void)c;                                                     \
            T first = x, second = y, part = first + second, all = part + carry;            \
            bool is_over = part < first || all < part;                                     \
            out |= (uint32_t)is_over << l;                                                 \
            to[l].u = all;                                                                 \
        }                                                                                  \
        if (gives) {                                                                       \
            warp->file[BSIM_PTX_CARRY] = (warp->file[BSIM_PTX_CARRY] & ~warp->mask) | out; \
        }                                                                                  \
    }                                                                                      \
    static const struct bsim_ptx_alu name = {run_##name, SIZE_##W,  SIZE_##W,              \
                                             SIZE_##W,   SIZE_##C3, 0};

static inline uint32_t high32(uint32_t a, uint32_t b, bool is_signed)
{
    uint64_t product = is_signed ? (uint64_t)((int64_t)(int32_t)a * (int32_t)b) : (uint64_t)a * b;
    return (uint32_t)(product >> 32);
}

static inline uint64_t high64(uint64_t a, uint64_t b, bool is_signed)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    uint64_t cross = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    uint64_t other = (a & UINT32_MAX) * (b >> 32) + (cross & UINT32_MAX);
    uint64_t high = (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);
    return high - (is_signed && a >> 63 ? b : 0) - (is_signed && b >> 63 ? a : 0);
}

#define CARRIES(n, W, T)                                                    \
    CARRY(add_cc##n, W, W0, false, true, T, 0, a, b)                        \
    CARRY(addc##n, W, W0, true, false, T, 0, a, b)                          \
    CARRY(addc_cc##n, W, W0, true, true, T, 0, a, b)                        \
    CARRY(sub_cc##n, W, W0, false, true, T, UINT32_MAX, a, ~b)              \
    CARRY(subc##n, W, W0, true, false, T, UINT32_MAX, a, ~b)                \
    CARRY(subc_cc##n, W, W0, true, true, T, UINT32_MAX, a, ~b)              \
    CARRY(mad_lo_cc##n, W, W, false, true, T, 0, a *b, c)                   \
    CARRY(madc_lo##n, W, W, true, false, T, 0, a *b, c)                     \
    CARRY(madc_lo_cc##n, W, W, true, true, T, 0, a *b, c)                   \
    CARRY(mad_hi_cc_u##n, W, W, false, true, T, 0, high##n(a, b, false), c) \
    CARRY(madc_hi_u##n, W, W, true, false, T, 0, high##n(a, b, false), c)   \
    CARRY(madc_hi_cc_u##n, W, W, true, true, T, 0, high##n(a, b, false), c) \
    CARRY(mad_hi_cc_s##n, W, W, false, true, T, 0, high##n(a, b, true), c)  \
    CARRY(madc_hi_s##n, W, W, true, false, T, 0, high##n(a, b, true), c)    \
    CARRY(madc_hi_cc_s##n, W, W, true, true, T, 0, high##n(a, b, true), c)

CARRIES(32, W4, uint32_t)
CARRIES(64, W8, uint64_t)

/* ---- saturation ------------------------------------------------------------------------------ */

static inline int32_t saturated(int64_t x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x;
}

TWO4(add_sat, d.s = saturated((int64_t)a.s + b.s))
TWO4(sub_sat, d.s = saturated((int64_t)a.s - b.s))
THREE4(mad_hi_sat, d.s = saturated((int64_t)(int32_t)high32(a.u, b.u, true) + c.s))
TWO4(min_relu, d.s = a.s < b.s ? a.s : b.s; d.s = d.s < 0 ? 0 : d.s)
TWO4(max_relu, d.s = a.s > b.s ? a.s : b.s; d.s = d.s < 0 ? 0 : d.s)

/* Two whole numbers of 16 bits in each operand: x and y give `result`. */
#define PAIRS(name, T, result)                                          \
    TWO4(name, d.u = 0; for (uint32_t at = 0; at < 32; at += 16) {      \
        T x = (T)(a.u >> at), y = (T)(b.u >> at);                       \
        d.u |= (uint32_t)(uint16_t)(result) << at;                      \
    })

PAIRS(add_16x2, uint16_t, x + y)
PAIRS(min_u16x2, uint16_t, x < y ? x : y)
PAIRS(max_u16x2, uint16_t, x > y ? x : y)
PAIRS(min_s16x2, int16_t, x < y ? x : y)
PAIRS(max_s16x2, int16_t, x > y ? x : y)
PAIRS(min_relu_s16x2, int16_t, x < 0 || y < 0 ? 0 : x < y ? x : y)
PAIRS(max_relu_s16x2, int16_t, x < 0 && y < 0 ? 0 : x > y ? x : y)

/* ---- products of 24 bits --------------------------------------------------------------------- */

static inline uint64_t product24(uint32_t a, uint32_t b, bool is_signed)
{
    int64_t x = is_signed ? (int32_t)(a << 8) >> 8 : (int64_t)(a & 0xffffff);
    int64_t y = is_signed ? (int32_t)(b << 8) >> 8 : (int64_t)(b & 0xffffff);
    return (uint64_t)(x * y);
}

TWO4(mul24_lo_u, d.u = (uint32_t)product24(a.u, b.u, false))
TWO4(mul24_lo_s, d.u = (uint32_t)product24(a.u, b.u, true))
TWO4(mul24_hi_u, d.u = (uint32_t)(product24(a.u, b.u, false) >> 16))
TWO4(mul24_hi_s, d.u = (uint32_t)(product24(a.u, b.u, true) >> 16))
THREE4(mad24_lo_u, d.u = (uint32_t)product24(a.u, b.u, false) + c.u)
THREE4(mad24_lo_s, d.u = (uint32_t)product24(a.u, b.u, true) + c.u)
THREE4(mad24_hi_u, d.u = (uint32_t)(product24(a.u, b.u, false) >> 16) + c.u)
THREE4(mad24_hi_s, d.u = (uint32_t)(product24(a.u, b.u, true) >> 16) + c.u)
THREE4(mad24_hi_sat, d.s = saturated((int64_t)(int32_t)(product24(a.u, b.u, true) >> 16) + c.s))

/* ---- fields ---------------------------------------------------------------------------------- */

/* The lowest n bits of a set at `start` in b; start and n are bytes. */
static inline uint64_t insert(uint64_t a, uint64_t b, uint32_t start, uint32_t n)
{
    start &= 0xff;
    n &= 0xff;
    uint64_t field = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
    return start > 63 ? b : (b & ~(field << start)) | (a & field) << start;
}

COMPUTE5(bfi32, W4, W4, W4, W4, W4, d.u = (uint32_t)insert(a.u, b.u, c.u, e.u))
COMPUTE5(bfi64, W8, W8, W8, W4, W4, d.u = insert(a.u, b.u, c.u, e.u))

/* The pair b:a by n bits: its upper half to the left, its lower half to the right. */
static inline uint32_t funnel(uint32_t a, uint32_t b, uint32_t n, bool to_left)
{
    uint64_t pair = (uint64_t)b << 32 | a;
    return (uint32_t)(to_left ? pair << n >> 32 : pair >> n);
}

#define AT_MOST_32(n) ((n) > 32 ? 32 : (n))
/* Left by 32 is a, which a shift of the pair by 32 has in its upper half. */
THREE4(shf_l_wrap, d.u = funnel(a.u, b.u, c.u & 31, true))
THREE4(shf_l_clamp, d.u = funnel(a.u, b.u, AT_MOST_32(c.u), true))
THREE4(shf_r_wrap, d.u = funnel(a.u, b.u, c.u & 31, false))
THREE4(shf_r_clamp, d.u = funnel(a.u, b.u, AT_MOST_32(c.u), false))

static inline uint32_t low_bits(uint32_t n)
{
    return n > 31 ? UINT32_MAX : (UINT32_C(1) << n) - 1;
}

/* a's lowest n bits, with their sign; of 0 bits 0. */
static inline uint32_t extend(uint32_t a, uint32_t n, bool is_signed)
{
    uint32_t value = a & low_bits(n);
    return is_signed && n > 0 && n < 32 && a >> (n - 1) & 1 ? value | ~low_bits(n) : value;
}

TWO4(szext_clamp_u, d.u = extend(a.u, AT_MOST_32(b.u), false))
TWO4(szext_clamp_s, d.u = extend(a.u, AT_MOST_32(b.u), true))
TWO4(szext_wrap_u, d.u = extend(a.u, b.u & 31, false))
TWO4(szext_wrap_s, d.u = extend(a.u, b.u & 31, true))
TWO4(bmsk_clamp, d.u = a.u > 31 ? 0 : low_bits(b.u) << a.u)
TWO4(bmsk_wrap, d.u = low_bits(b.u & 31) << (a.u & 31))

/* The place of the n-th set bit from `base`, downwards for n < 0; all ones if there is none. */
static inline uint32_t find_nth(uint32_t mask, uint32_t base, int32_t n)
{
    int64_t step = n < 0 ? -1 : 1, left = n < 0 ? -(int64_t)n : n;
    if (n == 0) {
        return base < 32 && mask >> base & 1 ? base : UINT32_MAX;
    }
    for (int64_t at = base; at >= 0 && at < 32; at += step) {
        left -= mask >> at & 1;
        if (left == 0) {
            return (uint32_t)at;
        }
    }
    return UINT32_MAX;
}

THREE4(fns, d.u = find_nth(a.u, b.u, c.s))

/* lop3: the bit of the table that a, b, c choose; a's own column is 0xf0, b's 0xcc, c's 0xaa. */
static inline uint32_t logic(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t result = 0;
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t here = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
        result |= table >> i & 1 ? here : 0;
    }
    return result;
}

COMPUTE5(lop3, W4, W4, W4, W4, W4, d.u = logic(a.u, b.u, c.u, e.u))

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Byte `which` of b:a, 0 to 7; with bit 3 its sign eight times. */
static inline uint32_t byte_of(uint32_t a, uint32_t b, uint32_t which)
{
    uint64_t pair = (uint64_t)b << 32 | a;
    uint32_t byte = (uint32_t)(pair >> 8 * (which & 7)) & 0xff;
    return which & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}

/* Of byte i of the result: which byte it is. */
static inline uint32_t permute(uint32_t a, uint32_t b, uint32_t selector)
{
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; i++) {
        result |= byte_of(a, b, selector >> 4 * i & 15) << 8 * i;
    }
    return result;
}

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

#define PERMUTE(name, byte)                                                          \
    THREE4(                                                                          \
        name, uint32_t n = c.u & 3, selector = 0; for (uint32_t i = 0; i < 4; i++) { \
            selector |= ((uint32_t)(byte)&7) << 4 * i;                               \
        } d.u = permute(a.u, b.u, selector))

THREE4(prmt, d.u = permute(a.u, b.u, c.u))
PERMUTE(prmt_f4e, n + i)
PERMUTE(prmt_b4e, n - i)
PERMUTE(prmt_rc8, n)
PERMUTE(prmt_ecl, larger(n, i))
PERMUTE(prmt_ecr, smaller(n, i))
PERMUTE(prmt_rc16, 2 * (n & 1) + (i & 1))

static inline int64_t part_of(uint32_t x, uint32_t i, uint32_t bits, bool is_signed)
{
    return (int32_t)extend(x >> i * bits, bits, is_signed);
}

/* c and the sum of n products: of a's parts of `bits` with b's bytes from the first on. */
static inline uint32_t dot(uint32_t a, uint32_t b, uint32_t c, uint32_t n, uint32_t first, bool a_s,
                           bool b_s)
{
    uint64_t sum = c;
    for (uint32_t i = 0; i < n; i++) {
        sum += (uint64_t)(part_of(a, i, 32 / n, a_s) * part_of(b, first + i, 8, b_s));
    }
    return (uint32_t)sum;
}

#define DOTS(name, n, first)                                            \
    THREE4(name##_uu, d.u = dot(a.u, b.u, c.u, n, first, false, false)) \
    THREE4(name##_us, d.u = dot(a.u, b.u, c.u, n, first, false, true))  \
    THREE4(name##_su, d.u = dot(a.u, b.u, c.u, n, first, true, false))  \
    THREE4(name##_ss, d.u = dot(a.u, b.u, c.u, n, first, true, true))

DOTS(dp4a, 4, 0)
DOTS(dp2a_lo, 2, 0)
DOTS(dp2a_hi, 2, 2)

/* ---- differences ----------------------------------------------------------------------------- */

THREE4(sad_u16, d.u = (uint16_t)(c.u + (a.u > b.u ? a.u - b.u : b.u - a.u)))
THREE4(sad_s16, int32_t x = (int16_t)a.u - (int16_t)b.u;
       d.u = (uint16_t)(c.u + (uint32_t)(x < 0 ? -x : x)))
COMPUTE(sad_u64, W8, W8, W8, W8, d.u = c.u + (a.u > b.u ? a.u - b.u : b.u - a.u))
COMPUTE(sad_s64, W8, W8, W8, W8, d.u = c.u + (a.s > b.s ? a.u - b.u : b.u - a.u))
COMPUTE(cnot16, W4, W4, W0, W0, d.u = a.u == 0)

/* ---- where an address is --------------------------------------------------------------------- */

static void put(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t value)
{
    warp->file[step->d] = (warp->file[step->d] & ~warp->mask) | (value & warp->mask);
}

/* Global memory, and constant memory in it, is what no window has. Shared memory of other blocks lies in
 * shared::cluster alone. */
static void run_isspacep(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    static const struct {
        uint32_t word;
        uint64_t window, last;
    } windows[] = {{BSIM_PTX_SHARED_, BSIM_PTX_SHARED_WINDOW, BSIM_PTX_MOST_OWN},
                   {BSIM_PTX_SHARED_CTA, BSIM_PTX_SHARED_WINDOW, BSIM_PTX_MOST_OWN},
                   {BSIM_PTX_SHARED_CLUSTER, BSIM_PTX_SHARED_WINDOW, UINT32_MAX},
                   {BSIM_PTX_LOCAL_, BSIM_PTX_LOCAL_WINDOW, UINT32_MAX},
                   {BSIM_PTX_PARAM_, BSIM_PTX_PARAM_WINDOW, UINT32_MAX},
                   {BSIM_PTX_PARAM_ENTRY, BSIM_PTX_PARAM_WINDOW, UINT32_MAX}};
    uint32_t yes = 0;
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        uint64_t address = bsim_ptx_at64(warp, step->a)[l].u;
        bool is_global = true, is_in = false;
        for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
            bool is_within = address - windows[i].window <= windows[i].last;
            is_global = is_global && !is_within;
            is_in = is_in || (is_within && bsim_ptx_has(step->from, windows[i].word));
        }
        is_in = is_in || (is_global && bsim_ptx_has(step->from, BSIM_PTX_GLOBAL_));
        yes |= (uint32_t)is_in << l;
    }
    put(warp, step, yes);
}

static const struct bsim_ptx_alu isspacep = {run_isspacep, 1, 8, 0, 0, 0};

/* ---- the table ------------------------------------------------------------------------------- */

#define T(name) BSIM_PTX_##name
#define BOTH(mnemonic, word, other, n, alu)                                                   \
    {mnemonic, word, other, {T(B##n), 0}, &alu}, {mnemonic, word, other, {T(U##n), 0}, &alu}, \
    {                                                                                         \
        mnemonic, word, other, {T(S##n), 0}, &alu                                             \
    }
#define CARRY_ROWS(n)                                                                             \
    BOTH("add", T(CC), 0, n, add_cc##n), BOTH("addc", T(CC), 0, n, addc_cc##n),                   \
        BOTH("addc", 0, 0, n, addc##n), BOTH("sub", T(CC), 0, n, sub_cc##n),                      \
        BOTH("subc", T(CC), 0, n, subc_cc##n), BOTH("subc", 0, 0, n, subc##n),                    \
        BOTH("mad", T(LO), T(CC), n, mad_lo_cc##n), BOTH("madc", T(LO), T(CC), n, madc_lo_cc##n), \
        BOTH("madc", T(LO), 0, n, madc_lo##n),                                                    \
        {"mad", T(HI), T(CC), {T(U##n), 0}, &mad_hi_cc_u##n},                                     \
        {"mad", T(HI), T(CC), {T(S##n), 0}, &mad_hi_cc_s##n},                                     \
        {"madc", T(HI), T(CC), {T(U##n), 0}, &madc_hi_cc_u##n},                                   \
        {"madc", T(HI), T(CC), {T(S##n), 0}, &madc_hi_cc_s##n},                                   \
        {"madc", T(HI), 0, {T(U##n), 0}, &madc_hi_u##n},                                          \
    {                                                                                             \
        "madc", T(HI), 0, {T(S##n), 0}, &madc_hi_s##n                                             \
    }
#define DOT_ROWS(mnemonic, word, name)                     \
    {mnemonic, word, 0, {T(U32), T(U32)}, &name##_uu},     \
        {mnemonic, word, 0, {T(U32), T(S32)}, &name##_us}, \
        {mnemonic, word, 0, {T(S32), T(U32)}, &name##_su}, \
    {                                                      \
        mnemonic, word, 0, {T(S32), T(S32)}, &name##_ss    \
    }

static const struct bsim_ptx_alu_row rows[] = {
    CARRY_ROWS(32),
    CARRY_ROWS(64),
    {"add", T(SAT), 0, {T(S32), 0}, &add_sat},
    {"sub", T(SAT), 0, {T(S32), 0}, &sub_sat},
    {"mad", T(HI), T(SAT), {T(S32), 0}, &mad_hi_sat},
    {"add", 0, 0, {T(U16X2), 0}, &add_16x2},
    {"add", 0, 0, {T(S16X2), 0}, &add_16x2},
    {"min", 0, 0, {T(U16X2), 0}, &min_u16x2},
    {"max", 0, 0, {T(U16X2), 0}, &max_u16x2},
    {"min", 0, 0, {T(S16X2), 0}, &min_s16x2},
    {"max", 0, 0, {T(S16X2), 0}, &max_s16x2},
    {"min", T(RELU), 0, {T(S16X2), 0}, &min_relu_s16x2},
    {"max", T(RELU), 0, {T(S16X2), 0}, &max_relu_s16x2},
    {"min", T(RELU), 0, {T(S32), 0}, &min_relu},
    {"max", T(RELU), 0, {T(S32), 0}, &max_relu},
    {"mul24", T(LO), 0, {T(U32), 0}, &mul24_lo_u},
    {"mul24", T(LO), 0, {T(S32), 0}, &mul24_lo_s},
    {"mul24", T(HI), 0, {T(U32), 0}, &mul24_hi_u},
    {"mul24", T(HI), 0, {T(S32), 0}, &mul24_hi_s},
    {"mad24", T(LO), 0, {T(U32), 0}, &mad24_lo_u},
    {"mad24", T(LO), 0, {T(S32), 0}, &mad24_lo_s},
    {"mad24", T(HI), 0, {T(U32), 0}, &mad24_hi_u},
    {"mad24", T(HI), 0, {T(S32), 0}, &mad24_hi_s},
    {"mad24", T(HI), T(SAT), {T(S32), 0}, &mad24_hi_sat},
    {"bfi", 0, 0, {T(B32), 0}, &bfi32},
    {"bfi", 0, 0, {T(B64), 0}, &bfi64},
    {"shf", T(L), T(WRAP), {T(B32), 0}, &shf_l_wrap},
    {"shf", T(L), T(CLAMP), {T(B32), 0}, &shf_l_clamp},
    {"shf", T(R), T(WRAP), {T(B32), 0}, &shf_r_wrap},
    {"shf", T(R), T(CLAMP), {T(B32), 0}, &shf_r_clamp},
    {"szext", T(CLAMP), 0, {T(U32), 0}, &szext_clamp_u},
    {"szext", T(CLAMP), 0, {T(S32), 0}, &szext_clamp_s},
    {"szext", T(WRAP), 0, {T(U32), 0}, &szext_wrap_u},
    {"szext", T(WRAP), 0, {T(S32), 0}, &szext_wrap_s},
    {"bmsk", T(CLAMP), 0, {T(B32), 0}, &bmsk_clamp},
    {"bmsk", T(WRAP), 0, {T(B32), 0}, &bmsk_wrap},
    {"fns", 0, 0, {T(B32), 0}, &fns},
    {"lop3", 0, 0, {T(B32), 0}, &lop3},
    {"prmt", 0, 0, {T(B32), 0}, &prmt},
    {"prmt", T(F4E), 0, {T(B32), 0}, &prmt_f4e},
    {"prmt", T(B4E), 0, {T(B32), 0}, &prmt_b4e},
    {"prmt", T(RC8), 0, {T(B32), 0}, &prmt_rc8},
    {"prmt", T(ECL), 0, {T(B32), 0}, &prmt_ecl},
    {"prmt", T(ECR), 0, {T(B32), 0}, &prmt_ecr},
    {"prmt", T(RC16), 0, {T(B32), 0}, &prmt_rc16},
    DOT_ROWS("dp4a", 0, dp4a),
    DOT_ROWS("dp2a", T(LO), dp2a_lo),
    DOT_ROWS("dp2a", T(HI), dp2a_hi),
    {"sad", 0, 0, {T(U16), 0}, &sad_u16},
    {"sad", 0, 0, {T(S16), 0}, &sad_s16},
    {"sad", 0, 0, {T(U64), 0}, &sad_u64},
    {"sad", 0, 0, {T(S64), 0}, &sad_s64},
    {"cnot", 0, 0, {T(B16), 0}, &cnot16},
};

/* clang-format on */

const struct bsim_ptx_alu *bsim_ptx_find_integer(const struct bsim_ptx_instruction *instruction)
{
    if (bsim_ptx_is_a(instruction, "isspacep")) {
        return &isspacep;
    }
    return bsim_ptx_find_row(rows, sizeof rows / sizeof *rows, instruction);
}
