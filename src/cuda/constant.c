/* constant.c - values that are known while a file is read: sizes of arrays, cases, template arguments. */
#include "cuda/parse.h"

static bool compare(enum cu_node_kind kind, bool is_signed, uint64_t a, uint64_t b)
{
    bool is_less = is_signed ? (int64_t)a < (int64_t)b : a < b;
    switch (kind) {
    case CU_EQUAL:
        return a == b;
    case CU_UNEQUAL:
        return a != b;
    case CU_LESS:
        return is_less;
    case CU_LESS_EQUAL:
        return is_less || a == b;
    case CU_GREATER:
        return !is_less && a != b;
    default:
        return !is_less;
    }
}

/* False: it has no value. */
static bool divide(const struct cu_type *type, bool wants_rest, uint64_t a, uint64_t b,
                   uint64_t *value)
{
    bool is_signed = bsim_cu_is_signed(type);
    if (b == 0 || (is_signed && (int64_t)b == -1 && bsim_cu_wrap(type, 0 - a) == a && a != 0)) {
        return false;
    }
    int64_t x = (int64_t)a, y = (int64_t)b;
    *value = is_signed ? (uint64_t)(wants_rest ? x % y : x / y) : wants_rest ? a % b : a / b;
    return true;
}

static bool shift(const struct cu_node *node, uint64_t a, uint64_t b, uint64_t *value)
{
    if (b >= 8 * node->type->size) {
        return false;
    }
    *value = node->kind == CU_SHIFT_LEFT     ? a << b
             : bsim_cu_is_signed(node->type) ? (uint64_t)((int64_t)a >> b)
                                             : a >> b;
    return true;
}

static bool compute(const struct cu_node *node, uint64_t a, uint64_t b, uint64_t *value)
{
    bool is_known = true;
    switch (node->kind) {
    case CU_MULTIPLY:
        *value = a * b;
        break;
    case CU_ADD:
        *value = a + b;
        break;
    case CU_SUBTRACT:
        *value = a - b;
        break;
    case CU_BIT_AND:
        *value = a & b;
        break;
    case CU_BIT_OR:
        *value = a | b;
        break;
    case CU_BIT_XOR:
        *value = a ^ b;
        break;
    case CU_DIVIDE:
    case CU_REMAINDER:
        is_known = divide(node->type, node->kind == CU_REMAINDER, a, b, value);
        break;
    case CU_SHIFT_LEFT:
    case CU_SHIFT_RIGHT:
        is_known = shift(node, a, b, value);
        break;
    default:
        *value = compare(node->kind, bsim_cu_is_signed(node->left->type), a, b);
        break;
    }
    *value = bsim_cu_wrap(node->type, *value);
    return is_known;
}

static bool of_unary(const struct cu_node *node, uint64_t *value)
{
    uint64_t a;
    double real;
    if (node->kind == CU_CAST && bsim_cu_is_floating(node->left->type)) {
        bool fits = bsim_cu_real_constant(node->left, &real) && real > -9e18 && real < 9e18;
        *value = fits ? bsim_cu_wrap(node->type, (uint64_t)(int64_t)real) : 0;
        return fits;
    }
    if (!bsim_cu_constant(node->left, &a)) {
        return false;
    }
    *value = node->kind == CU_NEGATE       ? 0 - a
             : node->kind == CU_COMPLEMENT ? ~a
             : node->kind == CU_NOT        ? a == 0
                                           : a;
    *value = bsim_cu_wrap(node->type, *value);
    return true;
}

bool bsim_cu_constant(const struct cu_node *node, uint64_t *value)
{
    uint64_t a, b;
    if (node->type == NULL || !bsim_cu_is_integer(node->type)) {
        return false;
    }
    switch (node->kind) {
    case CU_INTEGER:
        *value = node->number;
        return true;
    case CU_ZERO:
        *value = 0;
        return true;
    case CU_VARIABLE:
        return node->variable->is_constant && node->variable->value != NULL &&
               bsim_cu_constant(node->variable->value, value);
    case CU_NEGATE:
    case CU_COMPLEMENT:
    case CU_NOT:
    case CU_CAST:
        return of_unary(node, value);
    case CU_AND:
    case CU_OR:
        if (!bsim_cu_constant(node->left, &a)) {
            return false;
        }
        *value = a;
        return (a != 0) == (node->kind == CU_OR) || bsim_cu_constant(node->right, value);
    case CU_CHOICE:
        return bsim_cu_constant(node->left, &a) &&
               bsim_cu_constant(a != 0 ? node->right : node->third, value);
    default:
        return node->kind >= CU_MULTIPLY && node->kind <= CU_GREATER_EQUAL &&
               bsim_cu_constant(node->left, &a) && bsim_cu_constant(node->right, &b) &&
               compute(node, a, b, value);
    }
}

bool bsim_cu_real_constant(const struct cu_node *node, double *value)
{
    uint64_t bits;
    if (bsim_cu_is_integer(node->type) && bsim_cu_constant(node, &bits)) {
        *value = bsim_cu_is_signed(node->type) ? (double)(int64_t)bits : (double)bits;
        return true;
    }
    if (node->kind == CU_REAL) {
        *value = node->real;
        return true;
    }
    if (node->kind == CU_CAST || node->kind == CU_NEGATE) {
        bool is_known = bsim_cu_real_constant(node->left, value);
        *value = node->kind == CU_NEGATE ? -*value : *value;
        *value = node->type->kind == CU_FLOAT ? (double)(float)*value : *value;
        return is_known;
    }
    return node->kind == CU_VARIABLE && node->variable->is_constant &&
           node->variable->value != NULL && bsim_cu_real_constant(node->variable->value, value);
}
