/* lanes.c - int and unsigned over all 32 lanes at once, in loops that compilers make vectors of.
 *
 * Nearly all index arithmetic is of these two types, in whole warps, and defined. What is not is
 * left to arith.c, which goes lane by lane and says what is wrong. In 64 bits the results of 32-bit
 * operands are exact, so that an overflow is seen afterwards.
 */
#include "expr/lanes.h"

#include <string.h>

enum { LANES = BSIM_WARP_LANES, BITS = 32 };

/* The lowest 32 bits, sign-extended. */
static uint64_t as_int(uint64_t x)
{
    uint64_t sign = UINT64_C(1) << (BITS - 1);
    return ((x & UINT32_MAX) ^ sign) - sign;
}

/* Wraps results to unsigned; of int, they must fit. */
static bool finish(bool is_signed, const uint64_t r[LANES], uint64_t out[LANES])
{
    uint64_t lost = 0;
    if (!is_signed) {
        for (int i = 0; i < LANES; i++) {
            out[i] = r[i] & UINT32_MAX;
        }
        return true;
    }
    for (int i = 0; i < LANES; i++) {
        lost |= r[i] ^ as_int(r[i]);
    }
    if (lost == 0) {
        memcpy(out, r, LANES * sizeof *out);
    }
    return lost == 0;
}

/* By one power of two in all lanes, of what is not negative: then the lowest bits are the
 * remainder. */
static bool divide_by_power(bool remainder, const uint64_t a[LANES], const uint64_t b[LANES],
                            uint64_t r[LANES])
{
    uint64_t by = b[0];
    uint64_t other = 0;
    uint64_t negative = 0;
    unsigned n = 0;
    for (int i = 0; i < LANES; i++) {
        other |= b[i] ^ by;
        negative |= a[i] >> 63;
    }
    if (other != 0 || negative != 0 || by == 0 || (by & (by - 1)) != 0) {
        return false;
    }
    while (by >> n > 1) {
        n++;
    }
    for (int i = 0; i < LANES && remainder; i++) {
        r[i] = a[i] & (by - 1);
    }
    for (int i = 0; i < LANES && !remainder; i++) {
        r[i] = a[i] >> n;
    }
    return true;
}

/* False for a division by 0, or of int by -1. */
static bool divide(bool is_signed, bool remainder, const uint64_t a[LANES], const uint64_t b[LANES],
                   uint64_t r[LANES])
{
    for (int i = 0; i < LANES; i++) {
        if (b[i] == 0 || (is_signed && b[i] == UINT64_MAX)) {
            return false;
        }
        if (is_signed) {
            int32_t n = (int32_t)(int64_t)a[i];
            int32_t by = (int32_t)(int64_t)b[i];
            r[i] = (uint64_t)(int64_t)(remainder ? n % by : n / by);
        } else {
            uint32_t n = (uint32_t)a[i];
            uint32_t by = (uint32_t)b[i];
            r[i] = remainder ? n % by : n / by;
        }
    }
    return true;
}

static bool shifts(const uint64_t b[LANES])
{
    uint64_t most = 0;
    for (int i = 0; i < LANES; i++) {
        most |= b[i];
    }
    return most < BITS;
}

/* To the right, what a negative number leaves is filled with ones. */
static void shift(bool is_signed, bool left, const uint64_t a[LANES], const uint64_t b[LANES],
                  uint64_t r[LANES])
{
    for (int i = 0; i < LANES; i++) {
        uint64_t ones = 0 - (a[i] >> 63);
        uint64_t moved = left ? a[i] << b[i] : ((a[i] ^ ones) >> b[i]) ^ ones;
        r[i] = left && is_signed ? as_int(moved) : moved;
    }
}

#define EACH_LANE(result)             \
    for (int i = 0; i < LANES; i++) { \
        int64_t x = (int64_t)a[i];    \
        int64_t y = (int64_t)b[i];    \
        r[i] = (uint64_t)(result);    \
    }                                 \
    break

/* Operands are sign- or zero-extended to 64 bits, where both types compare alike. */
static bool compute(enum bsim_node_kind kind, bool is_signed, const uint64_t a[LANES],
                    const uint64_t b[LANES], uint64_t r[LANES])
{
    switch (kind) {
    case BSIM_NODE_ADD:
        EACH_LANE(x + y);
    case BSIM_NODE_SUBTRACT:
        EACH_LANE(x - y);
    case BSIM_NODE_MULTIPLY:
        EACH_LANE((uint64_t)x * (uint64_t)y);
    case BSIM_NODE_AND:
        EACH_LANE(x & y);
    case BSIM_NODE_OR:
        EACH_LANE(x | y);
    case BSIM_NODE_XOR:
        EACH_LANE(x ^ y);
    case BSIM_NODE_LESS:
        EACH_LANE(x < y);
    case BSIM_NODE_LESS_EQUAL:
        EACH_LANE(x <= y);
    case BSIM_NODE_GREATER:
        EACH_LANE(x > y);
    case BSIM_NODE_GREATER_EQUAL:
        EACH_LANE(x >= y);
    case BSIM_NODE_EQUAL:
        EACH_LANE(x == y);
    case BSIM_NODE_NOT_EQUAL:
        EACH_LANE(x != y);
    case BSIM_NODE_MIN:
        EACH_LANE(y < x ? y : x);
    case BSIM_NODE_MAX:
        EACH_LANE(x < y ? y : x);
    case BSIM_NODE_DIVIDE:
    case BSIM_NODE_REMAINDER:
        if (!divide_by_power(kind == BSIM_NODE_REMAINDER, a, b, r)) {
            return divide(is_signed, kind == BSIM_NODE_REMAINDER, a, b, r);
        }
        break;
    case BSIM_NODE_SHIFT_LEFT:
    case BSIM_NODE_SHIFT_RIGHT:
        if (!shifts(b)) {
            return false;
        }
        shift(is_signed, kind == BSIM_NODE_SHIFT_LEFT, a, b, r);
        break;
    default:
        return false;
    }
    return true;
}

static bool is_known(const struct cu_type *type)
{
    return type->kind == CU_INT || type->kind == CU_UINT;
}

bool bsim_lanes_binary(enum bsim_node_kind kind, const struct cu_type *type,
                       const uint64_t a[BSIM_WARP_LANES], const uint64_t b[BSIM_WARP_LANES],
                       uint64_t out[BSIM_WARP_LANES])
{
    uint64_t r[LANES];
    bool is_signed = type->kind == CU_INT;
    return is_known(type) && compute(kind, is_signed, a, b, r) && finish(is_signed, r, out);
}

bool bsim_lanes_unary(enum bsim_node_kind kind, const struct cu_type *type,
                      const uint64_t a[BSIM_WARP_LANES], uint64_t out[BSIM_WARP_LANES])
{
    if (kind != BSIM_NODE_CONVERT || !is_known(type)) {
        return false;
    }
    bool is_signed = type->kind == CU_INT;
    for (int i = 0; i < LANES; i++) {
        out[i] = is_signed ? as_int(a[i]) : a[i] & UINT32_MAX;
    }
    return true;
}
