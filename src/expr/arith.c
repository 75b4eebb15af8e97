/* arith.c - C's integer arithmetic on values kept in 64 bits.
 *
 * Unsigned results wrap. Signed results that the type does not hold, divisions by zero and shifts
 * by a negative count or by the width and more are undefined in C: they are reported. Where
 * compilers agree although C leaves the choice (conversion to a narrower signed type, >> of a
 * negative number, << into or past the sign bit) the result is theirs: two's complement, sign kept
 * by >>.
 */
#include "expr/arith.h"

static const char overflow[] = "signed overflow";

static int64_t as_signed(uint64_t value)
{
    return (int64_t)value;
}

static uint64_t width(const struct cu_type *type)
{
    return 8 * type->size;
}

/* A signed result that fits 64 bits: does it fit the type? */
static const char *fit(const struct cu_type *type, uint64_t value, uint64_t *out)
{
    *out = bsim_cu_wrap(type, value);
    return bsim_cu_is_signed(type) && *out != value ? overflow : NULL;
}

static const char *add(const struct cu_type *type, uint64_t a, uint64_t b, uint64_t *out)
{
    uint64_t sum = a + b;
    bool passes = ((a ^ sum) & (b ^ sum)) >> 63 != 0;
    if (bsim_cu_is_signed(type) && passes) {
        return overflow;
    }
    return fit(type, sum, out);
}

static const char *subtract(const struct cu_type *type, uint64_t a, uint64_t b, uint64_t *out)
{
    uint64_t difference = a - b;
    bool passes = ((a ^ b) & (a ^ difference)) >> 63 != 0;
    if (bsim_cu_is_signed(type) && passes) {
        return overflow;
    }
    return fit(type, difference, out);
}

static uint64_t magnitude(uint64_t value)
{
    return as_signed(value) < 0 ? 0 - value : value;
}

static const char *multiply(const struct cu_type *type, uint64_t a, uint64_t b, uint64_t *out)
{
    if (bsim_cu_is_signed(type) && a != 0 && b != 0) {
        bool is_negative = (as_signed(a) < 0) != (as_signed(b) < 0);
        uint64_t most = (uint64_t)INT64_MAX + is_negative;
        if (magnitude(a) > most / magnitude(b)) {
            return overflow;
        }
    }
    return fit(type, a * b, out);
}

/* The quotient, or the remainder. */
static const char *divide(const struct cu_type *type, uint64_t a, uint64_t b, bool remainder,
                          uint64_t *out)
{
    if (b == 0) {
        return "division by zero";
    }
    if (!bsim_cu_is_signed(type)) {
        *out = remainder ? a % b : a / b;
        return NULL;
    }
    if (as_signed(b) == -1) {
        const char *why = subtract(type, 0, a, out);
        *out = remainder ? 0 : *out;
        return why;
    }
    *out = (uint64_t)(remainder ? as_signed(a) % as_signed(b) : as_signed(a) / as_signed(b));
    return NULL;
}

static const char *shift(const struct cu_type *type, uint64_t a, uint64_t b, bool right_signed,
                         bool left, uint64_t *out)
{
    if (right_signed && as_signed(b) < 0) {
        return "shift by a negative count";
    }
    if (b >= width(type)) {
        return "shift by the width of the type or more";
    }
    if (left) {
        *out = bsim_cu_wrap(type, a << b);
        return NULL;
    }
    bool fills = bsim_cu_is_signed(type) && as_signed(a) < 0;
    *out = fills ? ~(~a >> b) : a >> b;
    return NULL;
}

static bool is_less(const struct cu_type *type, uint64_t a, uint64_t b)
{
    return bsim_cu_is_signed(type) ? as_signed(a) < as_signed(b) : a < b;
}

/* The lowest 24 bits of both, as the type sees them, and the lowest 32 of the product. */
static uint64_t multiply24(const struct cu_type *type, uint64_t a, uint64_t b)
{
    uint64_t sign = UINT64_C(1) << 23;
    uint64_t mask = 2 * sign - 1;
    if (bsim_cu_is_signed(type)) {
        return bsim_cu_wrap(type, (((a & mask) ^ sign) - sign) * (((b & mask) ^ sign) - sign));
    }
    return bsim_cu_wrap(type, (a & mask) * (b & mask));
}

const char *bsim_arith_binary(enum bsim_node_kind kind, const struct cu_type *type, uint64_t a,
                              uint64_t b, bool right_signed, uint64_t *out)
{
    switch (kind) {
    case BSIM_NODE_MULTIPLY:
        return multiply(type, a, b, out);
    case BSIM_NODE_DIVIDE:
        return divide(type, a, b, false, out);
    case BSIM_NODE_REMAINDER:
        return divide(type, a, b, true, out);
    case BSIM_NODE_ADD:
        return add(type, a, b, out);
    case BSIM_NODE_SUBTRACT:
        return subtract(type, a, b, out);
    case BSIM_NODE_SHIFT_LEFT:
        return shift(type, a, b, right_signed, true, out);
    case BSIM_NODE_SHIFT_RIGHT:
        return shift(type, a, b, right_signed, false, out);
    case BSIM_NODE_LESS:
        *out = is_less(type, a, b);
        return NULL;
    case BSIM_NODE_LESS_EQUAL:
        *out = !is_less(type, b, a);
        return NULL;
    case BSIM_NODE_GREATER:
        *out = is_less(type, b, a);
        return NULL;
    case BSIM_NODE_GREATER_EQUAL:
        *out = !is_less(type, a, b);
        return NULL;
    case BSIM_NODE_EQUAL:
        *out = a == b;
        return NULL;
    case BSIM_NODE_NOT_EQUAL:
        *out = a != b;
        return NULL;
    case BSIM_NODE_AND:
        *out = a & b;
        return NULL;
    case BSIM_NODE_XOR:
        *out = a ^ b;
        return NULL;
    case BSIM_NODE_OR:
        *out = a | b;
        return NULL;
    case BSIM_NODE_MIN:
        *out = is_less(type, b, a) ? b : a;
        return NULL;
    case BSIM_NODE_MAX:
        *out = is_less(type, a, b) ? b : a;
        return NULL;
    case BSIM_NODE_MUL24:
        *out = multiply24(type, a, b);
        return NULL;
    default:
        return "no operator";
    }
}

/* ---- one operand ----------------------------------------------------------------------------- */

static uint64_t count_bits(uint64_t a)
{
    uint64_t n = 0;
    for (; a != 0; a &= a - 1) {
        n++;
    }
    return n;
}

/* Of 32 bits, the lowest first. */
static uint64_t reversed(uint64_t a)
{
    uint64_t out = 0;
    for (int i = 0; i < 32; i++) {
        out |= (a >> i & 1) << (31 - i);
    }
    return out;
}

/* CUDA's __clz and __ffs: zeros above the highest one of 32 bits; place of the lowest one, from 1,
 * or 0 if there is none. */
static uint64_t leading_zeros(uint64_t a)
{
    uint64_t n = 32;
    for (a &= UINT32_MAX; a != 0; a >>= 1) {
        n--;
    }
    return n;
}

static uint64_t first_set(uint64_t a)
{
    a &= UINT32_MAX;
    return a == 0 ? 0 : count_bits((a & (0 - a)) - 1) + 1;
}

const char *bsim_arith_unary(enum bsim_node_kind kind, const struct cu_type *type, uint64_t a,
                             uint64_t *out)
{
    switch (kind) {
    case BSIM_NODE_CONVERT:
        *out = bsim_cu_wrap(type, a);
        return NULL;
    case BSIM_NODE_NEGATE:
        return subtract(type, 0, a, out);
    case BSIM_NODE_COMPLEMENT:
        *out = bsim_cu_wrap(type, ~a);
        return NULL;
    case BSIM_NODE_NOT:
        *out = a == 0;
        return NULL;
    case BSIM_NODE_ABS:
        return as_signed(a) < 0 ? subtract(type, 0, a, out) : fit(type, a, out);
    case BSIM_NODE_POPC:
        *out = count_bits(a);
        return NULL;
    case BSIM_NODE_CLZ:
        *out = leading_zeros(a);
        return NULL;
    case BSIM_NODE_FFS:
        *out = first_set(a);
        return NULL;
    case BSIM_NODE_BREV:
        *out = reversed(a);
        return NULL;
    default:
        return "no operator";
    }
}
