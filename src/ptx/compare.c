/* compare.c - setp of 16-bit numbers with a point and of pairs; set, slct, testp. setp's common forms
 * are in alu.c.
 *
 *     setp.lt.and.f16x2 p|q, a, b, c     p of the lower halves, q of the upper, each and c
 *     set.lt.f32.s32 d, a, b             1.0 or 0
 */
#include "ptx/compute.h"

#include "ptx/tables.h"
#include "ptx/half.h"

#include <math.h>

/* A comparison: what is true of smaller, equal, larger, and of what is no number. */
struct test {
    uint8_t word;
    bool less, equal, more, none;
};

static const struct test tests[] = {
    {BSIM_PTX_EQ, false, true, false, false},   {BSIM_PTX_NE, true, false, true, false},
    {BSIM_PTX_LT, true, false, false, false},   {BSIM_PTX_LE, true, true, false, false},
    {BSIM_PTX_GT, false, false, true, false},   {BSIM_PTX_GE, false, true, true, false},
    {BSIM_PTX_LO, true, false, false, false},   {BSIM_PTX_LS, true, true, false, false},
    {BSIM_PTX_HI, false, false, true, false},   {BSIM_PTX_HS, false, true, true, false},
    {BSIM_PTX_EQU, false, true, false, true},   {BSIM_PTX_NEU, true, false, true, true},
    {BSIM_PTX_LTU, true, false, false, true},   {BSIM_PTX_LEU, true, true, false, true},
    {BSIM_PTX_GTU, false, false, true, true},   {BSIM_PTX_GEU, false, true, true, true},
    {BSIM_PTX_IS_NUM, true, true, true, false}, {BSIM_PTX_IS_NAN, false, false, false, true},
};

static const struct test *find_test(const struct bsim_ptx_instruction *from)
{
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (bsim_ptx_has(from, tests[i].word)) {
            return &tests[i];
        }
    }
    return NULL;
}

static bool is_float(uint32_t type)
{
    return type == BSIM_PTX_F32 || type == BSIM_PTX_F64 || type == BSIM_PTX_F16 ||
           type == BSIM_PTX_BF16;
}

static double number(uint64_t bits, uint32_t type, bool flushes)
{
    union bsim_w64 wide = {.u = bits};
    double x = type == BSIM_PTX_F64    ? wide.f
               : type == BSIM_PTX_F16  ? (double)bsim_float_from_half((uint16_t)bits)
               : type == BSIM_PTX_BF16 ? (double)bsim_float_from_bfloat((uint16_t)bits)
                                       : (double)bsim_bits_float((uint32_t)bits);
    double least = type == BSIM_PTX_F16 ? 0x1p-14 : 0x1p-126;
    return flushes && type != BSIM_PTX_F64 && fabs(x) < least ? copysign(0, x) : x;
}

static uint64_t extend(uint64_t bits, uint32_t type)
{
    uint32_t n = bsim_ptx_type_bits(type);
    uint64_t value = n < 64 ? bits & ((UINT64_C(1) << n) - 1) : bits;
    bool is_negative = bsim_ptx_type_letter(type) == 's' && value >> (n - 1) & 1;
    return is_negative && n < 64 ? value | UINT64_MAX << n : value;
}

static bool holds(const struct test *test, uint64_t a, uint64_t b, uint32_t type, bool flushes)
{
    if (is_float(type)) {
        double x = number(a, type, flushes), y = number(b, type, flushes);
        return x < y ? test->less : x > y ? test->more : x == y ? test->equal : test->none;
    }
    uint64_t flip = bsim_ptx_type_letter(type) == 's' ? UINT64_C(1) << 63 : 0;
    uint64_t x = extend(a, type) ^ flip, y = extend(b, type) ^ flip;
    return x < y ? test->less : x > y ? test->more : test->equal;
}

static uint64_t bits_at(const struct bsim_ptx_warp *warp, uint32_t place, uint32_t type,
                        uint32_t lane)
{
    return bsim_ptx_take(warp, place, bsim_ptx_type_bits(type) == 64, lane);
}

/* A bit for each lane: the comparison of operands (of halves from bit `shift` on). */
static uint32_t compare(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                        uint32_t type, uint32_t shift)
{
    const struct test *test = find_test(step->from);
    bool flushes = bsim_ptx_has(step->from, BSIM_PTX_FTZ);
    uint32_t yes = 0;
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        uint64_t a = bits_at(warp, step->a, type, l) >> shift,
                 b = bits_at(warp, step->b, type, l) >> shift;
        yes |= (uint32_t)holds(test, a, b, type, flushes) << l;
    }
    return yes;
}

static uint32_t combine(const struct bsim_ptx_instruction *from, uint32_t x, uint32_t other)
{
    return bsim_ptx_has(from, BSIM_PTX_OR)    ? x | other
           : bsim_ptx_has(from, BSIM_PTX_XOR) ? x ^ other
                                              : x & other;
}

/* more: {q or nowhere, c or nowhere, c is negated}. */
static void run_setp(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    uint32_t type = bsim_ptx_type_half(step->from->type[0]);
    bool is_pair = type != step->from->type[0];
    uint32_t p = compare(warp, step, type, 0), q = is_pair ? compare(warp, step, type, 16) : ~p;
    if (step->more[1] != BSIM_PTX_NOWHERE) {
        uint32_t other = warp->file[step->more[1]] ^ (step->more[2] ? UINT32_MAX : 0);
        p = combine(step->from, p, other);
        q = combine(step->from, q, other);
    }
    bsim_ptx_put_predicate(warp, step->d, p);
    bsim_ptx_put_predicate(warp, step->more[0], q);
}

/* What is true, as that type has it. */
static uint32_t one_of(uint32_t type)
{
    return type == BSIM_PTX_F32             ? 0x3f800000
           : type == BSIM_PTX_F16           ? 0x3c00
           : type == BSIM_PTX_BF16          ? 0x3f80
           : bsim_ptx_type_bits(type) == 16 ? UINT16_MAX
                                            : UINT32_MAX;
}

/* Of pairs each half of the result is one's own: .u32 and .s32 are a mask. */
static void run_set(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    uint32_t type = bsim_ptx_type_half(from->type[1]);
    bool is_pair = type != from->type[1];
    uint32_t yes = compare(warp, step, type, 0),
             upper = is_pair ? compare(warp, step, type, 16) : 0;
    if (from->n_operands > 3) {
        uint32_t other = warp->file[step->c] ^ (from->operand[3].is_negated ? UINT32_MAX : 0);
        yes = combine(from, yes, other);
        upper = is_pair ? combine(from, upper, other) : 0;
    }
    bool is_mask = is_pair && bsim_ptx_type_half(from->type[0]) == from->type[0];
    uint32_t one = is_mask ? UINT16_MAX : one_of(bsim_ptx_type_half(from->type[0]));
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        if (warp->mask >> l & 1) {
            bsim_ptx_at32(warp, step->d)[l].u =
                (yes >> l & 1 ? one : 0) | (upper >> l & 1 ? one << 16 : 0);
        }
    }
}

static void run_slct(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    static const struct test not_below = {0, false, true, true, false};
    bool flushes = bsim_ptx_has(from, BSIM_PTX_FTZ);
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        if (!(warp->mask >> l & 1)) {
            continue;
        }
        uint32_t c = bsim_ptx_at32(warp, step->c)[l].u;
        uint32_t place = holds(&not_below, c, 0, from->type[1], flushes) ? step->a : step->b;
        if (bsim_ptx_type_bits(from->type[0]) == 64) {
            bsim_ptx_at64(warp, step->d)[l] = bsim_ptx_at64(warp, place)[l];
        } else {
            bsim_ptx_at32(warp, step->d)[l] = bsim_ptx_at32(warp, place)[l];
        }
    }
}

static bool is_of_class(const struct bsim_ptx_instruction *from, double x)
{
    double least = from->type[0] == BSIM_PTX_F64 ? 0x1p-1022 : 0x1p-126;
    bool is_subnormal = x != 0 && fabs(x) < least;
    return bsim_ptx_has(from, BSIM_PTX_FINITE)       ? isfinite(x)
           : bsim_ptx_has(from, BSIM_PTX_INFINITE)   ? isinf(x)
           : bsim_ptx_has(from, BSIM_PTX_IS_NUMBER)  ? !isnan(x)
           : bsim_ptx_has(from, BSIM_PTX_NOTANUMBER) ? isnan(x)
           : bsim_ptx_has(from, BSIM_PTX_NORMAL)     ? isfinite(x) && !is_subnormal
                                                     : is_subnormal;
}

static void run_testp(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    uint32_t yes = 0, type = step->from->type[0];
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        double x = number(bits_at(warp, step->a, type, l), type, false);
        yes |= (uint32_t)is_of_class(step->from, x) << l;
    }
    bsim_ptx_put_predicate(warp, step->d, yes);
}

/* ---- which ----------------------------------------------------------------------------------- */

static const struct bsim_ptx_alu *find_setp(const struct bsim_ptx_instruction *from)
{
    static const struct bsim_ptx_alu narrow = {run_setp, 1, 4, 4, 0, 0};
    static const struct bsim_ptx_alu wide = {run_setp, 1, 8, 8, 0, 0};
    uint32_t type = bsim_ptx_type_half(from->type[0]);
    return find_test(from) == NULL || from->n_types != 1 || !is_float(type) ? NULL
           : type == BSIM_PTX_F64                                           ? &wide
                                                                            : &narrow;
}

static const struct bsim_ptx_alu *find_set(const struct bsim_ptx_instruction *from)
{
    static const struct bsim_ptx_alu rows[2][2] = {
        {{run_set, 4, 4, 4, 0, 0}, {run_set, 4, 4, 4, 1, 0}},
        {{run_set, 4, 8, 8, 0, 0}, {run_set, 4, 8, 8, 1, 0}}};
    bool is_pair = bsim_ptx_type_half(from->type[1]) != from->type[1];
    uint32_t d = from->type[0];
    bool is_known = find_test(from) != NULL && from->n_types == 2 &&
                    (d == BSIM_PTX_U32 || d == BSIM_PTX_S32 || d == from->type[1] ||
                     (d == BSIM_PTX_F32 && !is_pair) ||
                     (bsim_ptx_type_bits(d) == 16 && bsim_ptx_type_bits(from->type[1]) == 16));
    return is_known ? &rows[bsim_ptx_type_bits(from->type[1]) == 64][from->n_operands > 3] : NULL;
}

const struct bsim_ptx_alu *bsim_ptx_find_compare(const struct bsim_ptx_instruction *instruction)
{
    static const struct bsim_ptx_alu slct[] = {{run_slct, 4, 4, 4, 4, 0},
                                               {run_slct, 8, 8, 8, 4, 0}};
    static const struct bsim_ptx_alu testp[] = {{run_testp, 1, 4, 0, 0, 0},
                                                {run_testp, 1, 8, 0, 0, 0}};
    bool is_64 = bsim_ptx_type_bits(instruction->type[0]) == 64;
    if (bsim_ptx_is_a(instruction, "setp")) {
        return find_setp(instruction);
    }
    if (bsim_ptx_is_a(instruction, "set")) {
        return find_set(instruction);
    }
    if (bsim_ptx_is_a(instruction, "slct")) {
        return instruction->n_types == 2 ? &slct[is_64] : NULL;
    }
    return bsim_ptx_is_a(instruction, "testp") ? &testp[is_64] : NULL;
}
