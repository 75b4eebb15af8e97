/* arith.c - what CUDA's functions make of integers, and C's operators (../c/operator.c). */
#include "expr/arith.h"

#include "c/operator.h"

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

static bool is_less(const struct cu_type *type, uint64_t a, uint64_t b)
{
    return bsim_cu_is_signed(type) ? (int64_t)a < (int64_t)b : a < b;
}

const char *bsim_arith_binary(enum bsim_node_kind kind, const struct cu_type *type, uint64_t a,
                              uint64_t b, bool right_signed, uint64_t *out)
{
    switch (kind) {
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
        return bsim_cu_operate((enum cu_operator)(kind - BSIM_NODE_MULTIPLY), type, a, b,
                               right_signed, out);
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
        return bsim_cu_operate(CU_OPERATOR_SUBTRACT, type, 0, a, true, out);
    case BSIM_NODE_COMPLEMENT:
        *out = bsim_cu_wrap(type, ~a);
        return NULL;
    case BSIM_NODE_NOT:
        *out = a == 0;
        return NULL;
    case BSIM_NODE_ABS:
        return (int64_t)a < 0 ? bsim_cu_operate(CU_OPERATOR_SUBTRACT, type, 0, a, true, out)
                              : bsim_cu_operate(CU_OPERATOR_ADD, type, a, 0, true, out);
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
