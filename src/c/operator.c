/* operator.c - C's integer arithmetic on values kept in 64 bits; see operator.h.
 *
 * Unsigned results wrap. Signed results that the type does not hold, divisions by zero and shifts
 * by a negative count or by the width and more are undefined in C: they are reported. Where
 * compilers agree although C leaves the choice (conversion to a narrower signed type, >> of a
 * negative number, << into or past the sign bit) the result is theirs: two's complement, sign kept
 * by >>.
 */
#include "c/operator.h"

const char bsim_cu_overflow[] = "signed overflow";

static const struct {
    const char *sign;
    uint32_t level;
} operators[CU_N_OPERATORS] = {
    {"*", 10}, {"/", 10}, {"%", 10}, {"+", 9}, {"-", 9},  {"&", 5}, {"|", 3},  {"^", 4},  {"<<", 8},
    {">>", 8}, {"==", 6}, {"!=", 6}, {"<", 7}, {"<=", 7}, {">", 7}, {">=", 7}, {"&&", 2}, {"||", 1},
};

uint32_t bsim_cu_level(enum cu_operator operator)
{
    return operators[operator].level;
}

enum cu_operator bsim_cu_find_operator(const struct cu_token *token, uint32_t level)
{
    uint32_t i = 0;
    while (i < CU_N_OPERATORS && !bsim_cu_is(token, operators[i].sign)) {
        i++;
    }
    return i < CU_N_OPERATORS && operators[i].level >= level ? (enum cu_operator)i : CU_N_OPERATORS;
}

enum cu_operator bsim_cu_find_update(const struct cu_token *token)
{
    struct cu_token sign = *token;
    bool assigns = token->kind == CU_SIGN && token->length > 1 && token->text[--sign.length] == '=';
    enum cu_operator operator= assigns ? bsim_cu_find_operator(&sign, 1) : CU_N_OPERATORS;
    return operator<CU_OPERATOR_EQUAL ? operator: CU_N_OPERATORS;
}

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
    return bsim_cu_is_signed(type) && *out != value ? bsim_cu_overflow : NULL;
}

static const char *add(const struct cu_type *type, uint64_t a, uint64_t b, uint64_t *out)
{
    uint64_t sum = a + b;
    bool passes = ((a ^ sum) & (b ^ sum)) >> 63 != 0;
    const char *why = fit(type, sum, out);
    return bsim_cu_is_signed(type) && passes ? bsim_cu_overflow : why;
}

static const char *subtract(const struct cu_type *type, uint64_t a, uint64_t b, uint64_t *out)
{
    uint64_t difference = a - b;
    bool passes = ((a ^ b) & (a ^ difference)) >> 63 != 0;
    const char *why = fit(type, difference, out);
    return bsim_cu_is_signed(type) && passes ? bsim_cu_overflow : why;
}

static uint64_t magnitude(uint64_t value)
{
    return as_signed(value) < 0 ? 0 - value : value;
}

static const char *multiply(const struct cu_type *type, uint64_t a, uint64_t b, uint64_t *out)
{
    const char *why = fit(type, a * b, out);
    if (bsim_cu_is_signed(type) && a != 0 && b != 0) {
        bool is_negative = (as_signed(a) < 0) != (as_signed(b) < 0);
        uint64_t most = (uint64_t)INT64_MAX + is_negative;
        why = magnitude(a) > most / magnitude(b) ? bsim_cu_overflow : why;
    }
    return why;
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

const char *bsim_cu_operate(enum cu_operator operator, const struct cu_type * type, uint64_t a,
                            uint64_t b, bool right_signed, uint64_t *out)
{
    switch (operator) {
    case CU_OPERATOR_MULTIPLY:
        return multiply(type, a, b, out);
    case CU_OPERATOR_DIVIDE:
        return divide(type, a, b, false, out);
    case CU_OPERATOR_REMAINDER:
        return divide(type, a, b, true, out);
    case CU_OPERATOR_ADD:
        return add(type, a, b, out);
    case CU_OPERATOR_SUBTRACT:
        return subtract(type, a, b, out);
    case CU_OPERATOR_SHIFT_LEFT:
        return shift(type, a, b, right_signed, true, out);
    case CU_OPERATOR_SHIFT_RIGHT:
        return shift(type, a, b, right_signed, false, out);
    case CU_OPERATOR_LESS:
        *out = is_less(type, a, b);
        return NULL;
    case CU_OPERATOR_LESS_EQUAL:
        *out = !is_less(type, b, a);
        return NULL;
    case CU_OPERATOR_GREATER:
        *out = is_less(type, b, a);
        return NULL;
    case CU_OPERATOR_GREATER_EQUAL:
        *out = !is_less(type, a, b);
        return NULL;
    case CU_OPERATOR_EQUAL:
        *out = a == b;
        return NULL;
    case CU_OPERATOR_UNEQUAL:
        *out = a != b;
        return NULL;
    case CU_OPERATOR_AND:
        *out = a & b;
        return NULL;
    case CU_OPERATOR_XOR:
        *out = a ^ b;
        return NULL;
    case CU_OPERATOR_OR:
        *out = a | b;
        return NULL;
    default:
        return "no operator";
    }
}
