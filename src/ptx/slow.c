/* slow.c - divisions, reciprocals and square roots that are rounded as IEEE 754 wants. ptxas has a short way, which is
 * right where no number in it gets too great or too small, and a long one, as a function, for the other operands: a warp goes
 * both ways if its lanes have both kinds.
 *
 *     div.rn.f32 %f3, %f1, %f2;     MUFU.RCP R3, R17
 *                                   FCHK P0, R0, R17               which operands these are
 *                                   FFMA ...
 *                                   @!P0 BRA 0x550
 *                                   CALL.REL.NOINC 0xe10           0 / x, 213 clocks more
 *
 * Graded measured: an H200's clocks for each pair of exponents, by mantissas of 0 and others (tests/measured/h200/slow, tools/crosscheck/slow.cu);
 * how long each kind takes, and what it takes more if some lanes go the short way, is of one warp. Its instructions are a sixth of
 * these clocks (34 of 0 / x in the machine code of nvcc 13.0).
 */
#include "ptx/work.h"

enum { CLOCKS_OF_ONE = 6 }; /* of which an instruction issues in one */

/* Clocks that the long way takes more. */
enum {
    DIV_ZERO = 213,
    DIV_INFINITE = 239,
    DIV_PLAIN = 211,
    DIV_OVERFLOW = 233,
    DIV_UNDERFLOW = 254,
    DIV_SMALL = 306, /* the result is below 2^-126, but not 0 */
    DIV_BY_SMALL = 398, /* an operand is, the divisor ... */
    DIV_OF_SMALL = 469, /* ... or what is divided */
    DIV_MIXED = 17,
    RCP_SMALL = 134,
    RCP_GREAT = 205,
    RCP_INFINITE = 111,
    RCP_MIXED = 50,
    SQRT_ZERO = 76,
    SQRT_SMALL = 172,
    SQRT_MIXED = 33,
    DOUBLE_DIV = 300,
    DOUBLE_RCP_SMALL = 142,
    DOUBLE_RCP_GREAT = 250,
    DOUBLE_SQRT = 140,
    DOUBLE_MIXED = 17,
};

/* ---- 32 bits ----------------------------------------------------------------------------------- */

static uint32_t divide(uint32_t a, uint32_t b)
{
    int32_t ea = a >> 23 & 0xff, eb = b >> 23 & 0xff;
    bool is_short = eb >= 2 && eb <= 251 && ea >= 25 && ea - eb >= -124 && ea - eb <= 126;
    if (is_short) {
        return 0;
    }
    bool a_zero = (a << 1) == 0, b_zero = (b << 1) == 0;
    if (ea == 255 || eb == 255 || b_zero) {
        return DIV_INFINITE;
    }
    if (a_zero) {
        return DIV_ZERO;
    }
    if (ea == 0 || eb == 0) {
        return ea == 0 ? DIV_OF_SMALL : DIV_BY_SMALL;
    }
    return ea - eb > 127     ? DIV_OVERFLOW
           : ea - eb < -151  ? DIV_UNDERFLOW
           : ea - eb <= -127 ? DIV_SMALL
                             : DIV_PLAIN;
}

static uint32_t invert(uint32_t b)
{
    uint32_t eb = b >> 23 & 0xff;
    return eb == 0 ? RCP_SMALL : eb == 255 ? RCP_INFINITE : eb > 252 ? RCP_GREAT : 0;
}

static uint32_t take_root(uint32_t b)
{
    bool is_short = b - 0x0d000000u <= 0x727fffffu;
    return is_short ? 0 : (b << 1) == 0 || b >> 31 != 0 ? SQRT_ZERO : SQRT_SMALL;
}

/* ---- 64 bits ------------------------------------------------------------------------------------ */

/* The machine code compares the upper half of the quotient that it has found, as a float: it is above 2^-1022, and no more than 2^1017. */
static uint32_t divide_double(uint64_t a, uint64_t b)
{
    enum { ABOVE = 0x00100000, MOST = 0x7f800000 };
    union bsim_w64 x = {.u = a}, y = {.u = b}, quotient;
    uint32_t ea = a >> 52 & 0x7ff, eb = b >> 52 & 0x7ff;
    quotient.f = x.f / y.f;
    uint32_t upper = (uint32_t)(quotient.u >> 32) & INT32_MAX;
    bool is_short = ea >= 54 && ea < 2047 && eb >= 1 && eb <= 2039 && upper > ABOVE && upper <= MOST;
    return is_short ? 0 : DOUBLE_DIV;
}

static uint32_t invert_double(uint64_t b)
{
    uint32_t eb = b >> 52 & 0x7ff;
    return eb == 0 ? DOUBLE_RCP_SMALL : eb > 2044 ? DOUBLE_RCP_GREAT : 0;
}

static uint32_t take_double_root(uint64_t b)
{
    uint32_t eb = b >> 52 & 0x7ff;
    return b >> 63 == 0 && eb >= 53 && eb < 2047 ? 0 : DOUBLE_SQRT;
}

/* ---- of a warp --------------------------------------------------------------------------------- */

static uint32_t of_lane(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane)
{
    switch (step->pace->slow) {
    case BSIM_PTX_DIVIDES:
        return divide(bsim_ptx_at32(warp, step->a)[lane].u, bsim_ptx_at32(warp, step->b)[lane].u);
    case BSIM_PTX_INVERTS:
        return invert(bsim_ptx_at32(warp, step->a)[lane].u);
    case BSIM_PTX_TAKES_ROOT:
        return take_root(bsim_ptx_at32(warp, step->a)[lane].u);
    case BSIM_PTX_DIVIDES_DOUBLE:
        return divide_double(bsim_ptx_at64(warp, step->a)[lane].u, bsim_ptx_at64(warp, step->b)[lane].u);
    case BSIM_PTX_INVERTS_DOUBLE:
        return invert_double(bsim_ptx_at64(warp, step->a)[lane].u);
    default:
        return take_double_root(bsim_ptx_at64(warp, step->a)[lane].u);
    }
}

struct bsim_ptx_pace bsim_ptx_find_slow(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lanes)
{
    static const uint16_t mixed[] = {
        [BSIM_PTX_DIVIDES] = DIV_MIXED,           [BSIM_PTX_INVERTS] = RCP_MIXED,
        [BSIM_PTX_TAKES_ROOT] = SQRT_MIXED,       [BSIM_PTX_DIVIDES_DOUBLE] = DOUBLE_MIXED,
        [BSIM_PTX_INVERTS_DOUBLE] = DOUBLE_MIXED, [BSIM_PTX_TAKES_DOUBLE_ROOT] = DOUBLE_MIXED,
    };
    uint32_t longest = 0;
    bool some_short = false;
    for (uint32_t lane = 0; lane < 32; lane++) {
        if (lanes >> lane & 1) {
            uint32_t clocks = of_lane(warp, step, lane);
            longest = clocks > longest ? clocks : longest;
            some_short = some_short || clocks == 0;
        }
    }
    uint32_t latency = longest > 0 && some_short ? longest + mixed[step->pace->slow] : longest;
    return (struct bsim_ptx_pace){.issue = (uint16_t)(2 * latency / CLOCKS_OF_ONE), .latency = (uint16_t)latency};
}
