/* float.c - arithmetic of f16, bf16, f32, f64 and pairs of them in every rounding, with what PTX has
 * beside: flush to zero, saturation, a NaN that wins. Lane by lane; alu.c has the common forms fast.
 *
 *     fma.rz.ftz.sat.f32 d, a, b, c      operands flushed, the exact a * b + c cut off, flushed,
 *                                        within [0, 1]
 *
 * A type of up to 32 bits is computed in double, to odd, and rounded once (round.h). f64 is computed
 * in the processor's own rounding of that kind.
 */
#include "ptx/compute.h"

#include "ptx/tables.h"
#include "ptx/half.h"
#include "ptx/round.h"

#include <fenv.h>
#include <math.h>

enum operation {
    ADD,
    SUB,
    MUL,
    FMA,
    DIV,
    RCP,
    SQRT,
    RSQRT,
    MIN,
    MAX,
    ABS,
    NEG,
    EX2,
    LG2,
    SIN,
    COS,
    TANH
};

/* An instruction, taken apart. */
struct form {
    enum operation operation;
    uint32_t type; /* of one number */
    enum bsim_ptx_rounding rounding;
    const struct bsim_ptx_format *format; /* NULL: f64 */
    bool flushes, saturates, is_relu, keeps_nan, takes_abs, xors_sign;
    bool negates_product, subtracts; /* of an fma that contract.c made */
};

/* ---- formats --------------------------------------------------------------------------------- */

const struct bsim_ptx_format *bsim_ptx_format_of(uint32_t type)
{
    static const struct bsim_ptx_format half = {11, -14, 65504}, bfloat = {8, -126, 0x1.fep127},
                                        single = {24, -126, 0x1.fffffep127},
                                        tf32 = {11, -126, 0x1.ffcp127};
    switch (type) {
    case BSIM_PTX_F16:
    case BSIM_PTX_F16X2:
        return &half;
    case BSIM_PTX_BF16:
    case BSIM_PTX_BF16X2:
        return &bfloat;
    case BSIM_PTX_TF32:
        return &tf32;
    case BSIM_PTX_F32:
        return &single;
    default:
        return NULL;
    }
}

static double overflown(double x, const struct bsim_ptx_format *format,
                        enum bsim_ptx_rounding rounding)
{
    bool is_towards = rounding == BSIM_PTX_TO_ZERO || (rounding == BSIM_PTX_DOWN_ && x > 0) ||
                      (rounding == BSIM_PTX_UP_ && x < 0);
    return copysign(is_towards ? format->most : INFINITY, x);
}

double bsim_ptx_round(double x, const struct bsim_ptx_format *format,
                      enum bsim_ptx_rounding rounding)
{
    int exponent;
    if (!isfinite(x) || x == 0) {
        return x;
    }
    frexp(x, &exponent); /* 2^(exponent - 1) <= |x| */
    int last =
        exponent > format->least ? exponent - format->digits : format->least + 1 - format->digits;
    double scaled = ldexp(x, -last);
    switch (rounding) {
    case BSIM_PTX_TO_ZERO:
        scaled = trunc(scaled);
        break;
    case BSIM_PTX_DOWN_:
        scaled = floor(scaled);
        break;
    case BSIM_PTX_UP_:
        scaled = ceil(scaled);
        break;
    case BSIM_PTX_NEAREST_AWAY:
        scaled = round(scaled);
        break;
    default:
        scaled = nearbyint(scaled);
    }
    double result = copysign(ldexp(scaled, last), x);
    return fabs(result) > format->most ? overflown(x, format, rounding) : result;
}

/* ---- one number ------------------------------------------------------------------------------ */

static double take(uint64_t bits, uint32_t type)
{
    union bsim_w64 wide = {.u = bits};
    return type == BSIM_PTX_F64    ? wide.f
           : type == BSIM_PTX_F16  ? (double)bsim_float_from_half((uint16_t)bits)
           : type == BSIM_PTX_BF16 ? (double)bsim_float_from_bfloat((uint16_t)bits)
                                   : (double)bsim_bits_float((uint32_t)bits);
}

static uint64_t give(double x, uint32_t type)
{
    union bsim_w64 wide = {.f = x};
    if (type == BSIM_PTX_F64) {
        return wide.u;
    }
    if (isnan(x)) {
        return type == BSIM_PTX_F32 ? 0x7fffffff : 0x7fff;
    }
    float f = (float)x;
    return type == BSIM_PTX_F16    ? bsim_half_from_float(f)
           : type == BSIM_PTX_BF16 ? bsim_bfloat_from_float(f)
                                   : bsim_float_bits(f);
}

/* .ftz is f32's and f16's, and of f64's approximations. */
static double flush(const struct form *form, double x)
{
    double least = form->type == BSIM_PTX_F16   ? 0x1p-14
                   : form->type == BSIM_PTX_F64 ? 0x1p-1022
                                                : 0x1p-126;
    return form->flushes && fabs(x) < least ? copysign(0, x) : x;
}

static double choose(const struct form *form, double a, double b)
{
    bool is_max = form->operation == MAX;
    double x = form->takes_abs ? fabs(a) : a, y = form->takes_abs ? fabs(b) : b;
    bool is_less = x < y || (x == y && signbit(x) && !signbit(y));
    double result = isnan(y) ? x : isnan(x) ? y : is_less != is_max ? x : y;
    if (isnan(result)) {
        return result + result; /* both: quiet */
    }
    if (form->keeps_nan && (isnan(x) || isnan(y))) {
        return NAN;
    }
    return form->xors_sign ? copysign(result, (signbit(a) != 0) != (signbit(b) != 0) ? -1.0 : 1.0)
                           : result;
}

static double odd_quotient(double a, double b)
{
    double q = a / b;
    if (!isfinite(q) || b == 0 || !isfinite(b)) {
        return q;
    }
    double rest = fma(-q, b, a);
    return bsim_ptx_odd(q, b < 0 ? -rest : rest);
}

static double odd_root(double a)
{
    double root = sqrt(a);
    return a > 0 && isfinite(a) ? bsim_ptx_odd(root, fma(-root, root, a)) : root;
}

/* A sum that is 0 of what is not has the sign of the rounding: - downwards. */
static double sum(const struct form *form, double a, double b)
{
    double x = bsim_ptx_odd_sum(a, b);
    bool is_cancelled = x == 0 && (signbit(a) != 0) != (signbit(b) != 0);
    return is_cancelled ? (form->rounding == BSIM_PTX_DOWN_ ? -0.0 : 0.0) : x;
}

/* The result as a double, odd where it is not exact. */
static double compute(const struct form *form, double a, double b, double c)
{
    switch (form->operation) {
    case ADD:
        return sum(form, a, b);
    case SUB:
        return sum(form, a, -b);
    case MUL:
        return a * b;
    case FMA:
        return sum(form, a * b, c);
    case DIV:
        return odd_quotient(a, b);
    case RCP:
        return odd_quotient(1, a);
    case SQRT:
        return odd_root(a);
    case RSQRT:
        return 1 / sqrt(a);
    case MIN:
    case MAX:
        return choose(form, a, b);
    case ABS:
        return fabs(a);
    case NEG:
        return -a;
    case EX2:
        return exp2(a);
    case LG2:
        return log2(a);
    case SIN:
        return sin(a);
    case COS:
        return cos(a);
    default:
        return tanh(a);
    }
}

/* The result x of a, b and c; of operands that are no numbers the first, quiet. A processor's choice
 * hangs on how the compiler has put them. */
static double chosen(const struct form *form, double x, double a, double b, double c)
{
    union bsim_w64 w = {.f = isnan(a)                             ? a
                             : isnan(b)                           ? b
                             : form->operation == FMA && isnan(c) ? c
                                                                  : x};
    w.u |= isnan(w.f) ? UINT64_C(1) << 51 : 0;
    return w.f;
}

/* WebAssembly rounds to the nearest alone: what asks for another direction is not known there. */
#ifdef FE_UPWARD
enum { HAS_DIRECTIONS = 1 };
static const int modes[] = {[BSIM_PTX_TO_NEAREST] = FE_TONEAREST,
                            [BSIM_PTX_TO_ZERO] = FE_TOWARDZERO,
                            [BSIM_PTX_DOWN_] = FE_DOWNWARD,
                            [BSIM_PTX_UP_] = FE_UPWARD};
#else
enum { HAS_DIRECTIONS = 0 };
static const int modes[] = {[BSIM_PTX_TO_NEAREST] = FE_TONEAREST};
#endif

/* The same in f64, whose rounding is the processor's. Volatile: the compiler knows of no rounding. */
static double compute_double(const struct form *form, double a, double b, double c)
{
    volatile double x = a, y = b, z = c, result;
    fesetround(modes[form->rounding]);
    switch (form->operation) {
    case ADD:
        result = x + y;
        break;
    case SUB:
        result = x - y;
        break;
    case MUL:
        result = x * y;
        break;
    case FMA:
        result = fma(x, y, z);
        break;
    case DIV:
        result = x / y;
        break;
    case RCP:
        result = 1 / x;
        break;
    case SQRT:
        result = sqrt(x);
        break;
    default:
        result = compute(form, x, y, z);
    }
    fesetround(FE_TONEAREST);
    return form->operation <= DIV ? chosen(form, result, a, b, c) : result;
}

/* rcp.approx.ftz.f64 and rsqrt's: of the upper half of the operand, the lower half of the result 0.
 */
static double cut(double x)
{
    union bsim_w64 w = {.f = x};
    w.u &= ~(uint64_t)UINT32_MAX;
    return w.f;
}

/* abs, neg of f64: what is no number stays, but for being quiet. */
static uint64_t change_sign(const struct form *form, uint64_t a)
{
    uint64_t sign = UINT64_C(1) << 63;
    return isnan(take(a, BSIM_PTX_F64)) ? a | UINT64_C(1) << 51
           : form->operation == ABS     ? a & ~sign
                                        : a ^ sign;
}

static uint64_t compute_bits(const struct form *form, uint64_t a, uint64_t b, uint64_t c)
{
    double x = flush(form, take(a, form->type)), y = flush(form, take(b, form->type)),
           z = flush(form, take(c, form->type)), result;
    x = form->negates_product ? -x : x;
    z = form->subtracts ? -z : z;
    if (form->format == NULL) {
        if (form->operation == ABS || form->operation == NEG) {
            return change_sign(form, a);
        }
        result = form->flushes ? cut(compute(form, cut(x), 0, 0)) : compute_double(form, x, y, z);
        if (isnan(result) && form->flushes) {
            return UINT64_C(0x7fffffff00000000);
        }
    } else {
        /* too small before it is rounded: what rounds up to the least number is 0, too */
        result = flush(form, compute(form, x, y, z));
        result = bsim_ptx_round(result, form->format, form->rounding);
    }
    if (form->saturates) {
        result = !(result > 0) ? 0 : result > 1 ? 1 : result;
    }
    if (form->is_relu) {
        result = result < 0 || result == 0 ? 0 : result;
    }
    return give(result, form->type);
}

/* ---- the instruction ------------------------------------------------------------------------- */

static const struct name {
    const char *mnemonic;
    enum operation operation;
    uint32_t n;
} names[] = {{"add", ADD, 2},     {"sub", SUB, 2},  {"mul", MUL, 2}, {"fma", FMA, 3},
             {"fma-", FMA, 3},    {"-fma", FMA, 3}, {"-fma-", FMA, 3},
             {"mad", FMA, 3},     {"div", DIV, 2},  {"rcp", RCP, 1}, {"sqrt", SQRT, 1},
             {"rsqrt", RSQRT, 1}, {"min", MIN, 2},  {"max", MAX, 2}, {"abs", ABS, 1},
             {"neg", NEG, 1},     {"ex2", EX2, 1},  {"lg2", LG2, 1}, {"sin", SIN, 1},
             {"cos", COS, 1},     {"tanh", TANH, 1}};

static const struct name *find_name(const struct bsim_ptx_instruction *from)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i].mnemonic, from->mnemonic) == 0) {
            return &names[i];
        }
    }
    return NULL;
}

static struct form read_form(const struct bsim_ptx_instruction *from)
{
    struct form form = {.operation = find_name(from)->operation,
                        .type = bsim_ptx_type_half(from->type[0]),
                        .format = bsim_ptx_format_of(from->type[0]),
                        .flushes = bsim_ptx_has(from, BSIM_PTX_FTZ),
                        .saturates = bsim_ptx_has(from, BSIM_PTX_SAT),
                        .is_relu = bsim_ptx_has(from, BSIM_PTX_RELU),
                        .keeps_nan = bsim_ptx_has(from, BSIM_PTX_KEEPS_NAN),
                        .takes_abs = bsim_ptx_has(from, BSIM_PTX_ABS),
                        .xors_sign = bsim_ptx_has(from, BSIM_PTX_XORSIGN),
                        .negates_product = from->mnemonic[0] == '-',
                        .subtracts = strchr(from->mnemonic + 1, '-') != NULL};
    form.rounding = bsim_ptx_has(from, BSIM_PTX_RZ)   ? BSIM_PTX_TO_ZERO
                    : bsim_ptx_has(from, BSIM_PTX_RM) ? BSIM_PTX_DOWN_
                    : bsim_ptx_has(from, BSIM_PTX_RP) ? BSIM_PTX_UP_
                                                      : BSIM_PTX_TO_NEAREST;
    return form;
}

static void run_float(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    struct form form = read_form(step->from);
    bool is_pair = form.type != step->from->type[0];
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        if (!(warp->mask >> l & 1)) {
            continue;
        }
        if (form.format == NULL) {
            bsim_ptx_at64(warp, step->d)[l].u =
                compute_bits(&form, bsim_ptx_at64(warp, step->a)[l].u,
                             bsim_ptx_at64(warp, step->b)[l].u, bsim_ptx_at64(warp, step->c)[l].u);
            continue;
        }
        uint32_t a = bsim_ptx_at32(warp, step->a)[l].u, b = bsim_ptx_at32(warp, step->b)[l].u,
                 c = bsim_ptx_at32(warp, step->c)[l].u;
        uint32_t result = (uint32_t)compute_bits(&form, a, b, c);
        if (is_pair) {
            result |= (uint32_t)compute_bits(&form, a >> 16, b >> 16, c >> 16) << 16;
        }
        bsim_ptx_at32(warp, step->d)[l].u = result;
    }
}

static bool is_known(uint32_t word)
{
    static const uint8_t words[] = {
        BSIM_PTX_RN,  BSIM_PTX_RZ,      BSIM_PTX_RM,     BSIM_PTX_RP,   BSIM_PTX_FTZ,
        BSIM_PTX_SAT, BSIM_PTX_RELU,    BSIM_PTX_APPROX, BSIM_PTX_FULL, BSIM_PTX_KEEPS_NAN,
        BSIM_PTX_ABS, BSIM_PTX_XORSIGN, BSIM_PTX_NOFTZ};
    return memchr(words, (int)word, sizeof words) != NULL;
}

const struct bsim_ptx_alu *bsim_ptx_find_float(const struct bsim_ptx_instruction *instruction)
{
    static const struct bsim_ptx_alu narrow[] = {
        {run_float, 4, 4, 0, 0, 0}, {run_float, 4, 4, 4, 0, 0}, {run_float, 4, 4, 4, 4, 0}};
    static const struct bsim_ptx_alu wide[] = {
        {run_float, 8, 8, 0, 0, 0}, {run_float, 8, 8, 8, 0, 0}, {run_float, 8, 8, 8, 8, 0}};
    const struct name *name = find_name(instruction);
    uint32_t type = instruction->n_types == 1 ? instruction->type[0] : BSIM_PTX_NO_TYPE;
    if (name == NULL || (bsim_ptx_format_of(type) == NULL && type != BSIM_PTX_F64) ||
        type == BSIM_PTX_TF32) {
        return NULL;
    }
    for (uint32_t i = 0; i < instruction->n_words; i++) {
        if (!is_known(instruction->word[i])) {
            return NULL;
        }
    }
    if (!HAS_DIRECTIONS && type == BSIM_PTX_F64 &&
        read_form(instruction).rounding != BSIM_PTX_TO_NEAREST) {
        return NULL;
    }
    return &(type == BSIM_PTX_F64 ? wide : narrow)[name->n - 1];
}
