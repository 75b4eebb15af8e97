/* constant.c - values that are known while a file is read: sizes of arrays, cases, template arguments. */
#include "cuda/parse.h"

#include "c/operator.h"

bool bsim_cu_holds(enum cu_node_kind relation, bool is_less, bool is_equal)
{
    return relation == CU_EQUAL        ? is_equal
           : relation == CU_UNEQUAL    ? !is_equal
           : relation == CU_LESS       ? is_less
           : relation == CU_LESS_EQUAL ? is_less || is_equal
           : relation == CU_GREATER    ? !is_less && !is_equal
                                       : !is_less;
}

/* What is undefined in C has no value, but for sums and products that overflow, as compilers have it. */
bool bsim_cu_fold(enum cu_node_kind kind, const struct cu_type *type, uint64_t a, uint64_t b,
                  uint64_t *value)
{
    enum cu_operator operator=(enum cu_operator)(kind - CU_MULTIPLY);
    const char *why = bsim_cu_operate(operator, type, a, b, false, value);
    return why == NULL || (why == bsim_cu_overflow && kind != CU_DIVIDE && kind != CU_REMAINDER);
}

static bool compute(const struct cu_node *node, uint64_t a, uint64_t b, uint64_t *value)
{
    bool is_shift = node->kind == CU_SHIFT_LEFT || node->kind == CU_SHIFT_RIGHT;
    const struct cu_type *type = is_shift ? node->type : node->left->type;
    bool is_known = bsim_cu_fold(node->kind, type, a, b, value);
    *value = is_known ? bsim_cu_wrap(node->type, *value) : 0;
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

/* What a constexpr function's statement returns; false: nothing that is known. *is_over: it returns. */
static bool of_statement(const struct cu_node *s, uint64_t *value, bool *is_over)
{
    uint64_t a;
    bool is_known = true;
    switch (s->kind) {
    case CU_NO_VALUE:
        return true;
    case CU_RETURN:
        *is_over = true;
        return s->left != NULL && bsim_cu_constant(s->left, value);
    case CU_BLOCK:
        for (s = s->body; s != NULL && is_known && !*is_over; s = s->next) {
            is_known = of_statement(s, value, is_over);
        }
        return is_known;
    case CU_IF:
        if (!bsim_cu_constant(s->left, &a)) {
            return false;
        }
        s = a != 0 ? s->right : s->third;
        return s == NULL || of_statement(s, value, is_over);
    default:
        return false;
    }
}

/* Of a constexpr function the parameters are constants for the while. */
static bool of_call(const struct cu_node *node, uint64_t *value)
{
    enum { MOST_ARGUMENTS = 4, MOST_EVALUATED = 10000, MOST_NESTED = 64 };
    struct cu_function *f = node->function;
    struct cu_node number[MOST_ARGUMENTS];
    struct cu_variable *v = f->parameters, before[MOST_ARGUMENTS];
    uint32_t n = 0;
    bool is_over = false;
    bool is_known = f->is_constexpr && f->body != NULL && f->n_evaluated++ < MOST_EVALUATED &&
                    f->n_nested < MOST_NESTED;
    for (const struct cu_node *a = node->body; a != NULL && is_known; a = a->next, n++) {
        number[n % MOST_ARGUMENTS] = (struct cu_node){.kind = CU_INTEGER, .type = a->type};
        is_known = n < MOST_ARGUMENTS && bsim_cu_constant(a, &number[n % MOST_ARGUMENTS].number);
    }
    if (!is_known) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++, v = v->next) {
        before[i] = *v;
        v->is_constant = true;
        v->value = &number[i];
    }
    f->n_nested++;
    is_known = of_statement(f->body, value, &is_over) && is_over;
    f->n_nested--;
    v = f->parameters;
    for (uint32_t i = 0; i < n; i++, v = v->next) {
        *v = before[i];
    }
    return is_known;
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
    case CU_CALL:
        return of_call(node, value);
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
    if (node->kind >= CU_MULTIPLY && node->kind <= CU_SUBTRACT && node->kind != CU_REMAINDER) {
        double a, b;
        bool is_known =
            bsim_cu_real_constant(node->left, &a) && bsim_cu_real_constant(node->right, &b);
        *value = !is_known                   ? 0
                 : node->kind == CU_MULTIPLY ? a * b
                 : node->kind == CU_DIVIDE   ? a / b
                 : node->kind == CU_ADD      ? a + b
                                             : a - b;
        *value = node->type->kind == CU_FLOAT ? (double)(float)*value : *value;
        return is_known;
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
