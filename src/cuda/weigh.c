/* weigh.c - what nvcc computes before it knows whether to, as that is cheaper than a branch.
 *
 *     if (t == 0 && flag) ...        all threads load `flag`, a shared variable: nothing can go wrong
 *     x = t < n ? s[3] + s[4] : 0    the same: five instructions at most (lower_expr.c)
 *     if (t < n && s[t]) ...         a branch: who knows what stands at s[t]
 *     x = t < n ? s[t] : s[n - t]    one load, from an address that is chosen
 *
 * Measured with nvcc 13 on 110 kernels, of which tests/kernels/ways.cu has some.
 */
#include "cuda/lower.h"

#include "cuda/builtin.h"

enum { TOO_HEAVY = 100 };

static bool is_local(const struct cu_node *node)
{
    return node->kind == CU_VARIABLE && node->variable->storage == CU_LOCAL &&
           !node->variable->in_memory;
}

/* A known place in a variable that is there in any case: nvcc loads from it before it knows whether to. */
static bool is_at_hand(const struct cu_node *node)
{
    uint64_t index;
    const struct cu_variable *v = node->variable;
    bool is_object = node->kind == CU_VARIABLE && v->storage != CU_LOCAL && !v->is_extern;
    return !node->type->is_volatile &&
           ((is_object && !v->is_constant) ||
            (node->kind == CU_MEMBER_OF && is_at_hand(node->left)) ||
            (node->kind == CU_INDEX && node->left->type->kind == CU_ARRAY &&
             is_at_hand(node->left) && bsim_cu_constant(node->right, &index) &&
             index < node->left->type->count));
}

/* A load from there, or whether it is more than a number: what nvcc finds out before it knows whether to. */
bool bsim_cu_is_test_at_hand(const struct cu_node *node)
{
    while (node->kind == CU_NOT || node->kind == CU_CAST) {
        node = node->left;
    }
    bool compares = node->kind >= CU_EQUAL && node->kind <= CU_GREATER_EQUAL;
    return is_at_hand(node) || (compares && bsim_cu_is_test_at_hand(node->left) &&
                                (node->right->kind <= CU_REAL || is_local(node->right)));
}

/* Whether to compute it has no effect, and takes no memory but such. */
bool bsim_cu_is_simple(const struct cu_node *node)
{
    switch (node->kind) {
    case CU_INTEGER:
    case CU_REAL:
    case CU_SPECIAL:
        return true;
    case CU_VARIABLE:
        return is_local(node);
    case CU_ADDRESS:
        return node->left->kind == CU_VARIABLE || bsim_cu_is_simple(node->left);
    case CU_MEMBER_OF:
    case CU_NEGATE:
    case CU_COMPLEMENT:
    case CU_NOT:
    case CU_CAST:
        return bsim_cu_is_simple(node->left);
    case CU_CHOICE:
        return bsim_cu_is_simple(node->left) && bsim_cu_is_simple(node->right) &&
               bsim_cu_is_simple(node->third);
    case CU_BUILTIN:
        for (const struct cu_node *n = node->body; n != NULL; n = n->next) {
            if (!bsim_cu_is_simple(n)) {
                return false;
            }
        }
        return bsim_cu_builtin(node->number)->kind == CU_INSTRUCTION;
    case CU_AND:
    case CU_OR:
        return (bsim_cu_is_simple(node->left) || bsim_cu_is_test_at_hand(node->left)) &&
               (bsim_cu_is_simple(node->right) || bsim_cu_is_test_at_hand(node->right));
    default:
        return node->kind >= CU_MULTIPLY && node->kind < CU_AND && bsim_cu_is_simple(node->left) &&
               bsim_cu_is_simple(node->right);
    }
}

/* min or max of whole numbers, a comparison and a choice to nvcc. */
static bool is_minimum(const struct cu_node *node)
{
    const char *name = bsim_cu_builtin(node->number)->name;
    return bsim_cu_is_integer(node->type) && (strcmp(name, "min") == 0 || strcmp(name, "max") == 0);
}

/* What the function itself weighs. */
static uint32_t weight_of_builtin(const struct cu_node *node)
{
    static const struct {
        const char *name;
        uint32_t weight;
    } light[] = {{"__popc", 1}, {"__popcll", 1}, {"__clz", 1}, {"__clzll", 1}, {"__brev", 1}, {"__brevll", 1},
                 {"__float_as_int", 1}, {"__float_as_uint", 1}, {"__int_as_float", 1}, {"__uint_as_float", 1},
                 {"__mul24", 3}, {"__umul24", 3}, {"abs", 3}, {"labs", 3}, {"llabs", 3}, {"__ffs", 3}};
    const char *name = bsim_cu_builtin(node->number)->name;
    bool is_whole = bsim_cu_is_integer(node->type) || strstr(name, "_as_") != NULL;
    for (size_t i = 0; i < sizeof light / sizeof *light && is_whole; i++) {
        if (strcmp(name, light[i].name) == 0) {
            return light[i].weight;
        }
    }
    return is_minimum(node) ? 2 : TOO_HEAVY;
}

/* To a whole number from a floating one is a function to nvcc. */
static uint32_t weight_of_cast(const struct cu_node *node)
{
    bool is_floating = bsim_cu_is_floating(node->type), was_floating = bsim_cu_is_floating(node->left->type);
    return node->left->kind <= CU_REAL || is_floating == was_floating ? 0 : was_floating ? TOO_HEAVY : 1;
}

/* Instructions that it takes if it has no effect, and no memory but what is at hand. */
uint32_t bsim_cu_weight_of(const struct cu_node *node)
{
    bool divides = node->kind == CU_DIVIDE || node->kind == CU_REMAINDER;
    uint32_t weight = 0;
    if (is_at_hand(node)) {
        return 1;
    }
    switch (node->kind) {
    case CU_INTEGER:
    case CU_REAL:
    case CU_SPECIAL:
    case CU_OLD:
        return 0;
    case CU_VARIABLE:
        return is_local(node) ? 0 : TOO_HEAVY;
    case CU_MEMBER_OF:
        return bsim_cu_weight_of(node->left);
    case CU_CAST:
        return bsim_cu_weight_of(node->left) + weight_of_cast(node);
    case CU_CHOICE:
        return 1 + bsim_cu_weight_of(node->left) + bsim_cu_weight_of(node->right) +
               bsim_cu_weight_of(node->third);
    case CU_BUILTIN:
        for (const struct cu_node *n = node->body; n != NULL; n = n->next) {
            weight += bsim_cu_weight_of(n);
        }
        return weight + weight_of_builtin(node);
    case CU_NEGATE:
    case CU_COMPLEMENT:
    case CU_NOT:
        return 1 + bsim_cu_weight_of(node->left);
    default:
        return node->kind >= CU_MULTIPLY && node->kind < CU_AND && !divides
                   ? 1 + bsim_cu_weight_of(node->left) + bsim_cu_weight_of(node->right)
                   : TOO_HEAVY;
    }
}

/* What the statement weighs if it gives values to numbers in registers alone, and loads; *n of them. */
uint32_t bsim_cu_weight_of_statement(const struct cu_node *node, uint32_t *n)
{
    uint32_t weight = 0;
    if (node == NULL) {
        return 0;
    }
    if (node->kind == CU_BLOCK) {
        for (const struct cu_node *s = node->body; s != NULL && weight < TOO_HEAVY; s = s->next) {
            weight += bsim_cu_weight_of_statement(s, n);
        }
        return weight;
    }
    if (node->kind == CU_IF && bsim_cu_is_simple(node->left)) {
        return 2 + bsim_cu_weight_of_statement(node->right, n) +
               bsim_cu_weight_of_statement(node->third, n);
    }
    const struct cu_node *set = node->kind == CU_EXPRESSION ? node->left : node;
    bool is_set = set->kind == CU_ASSIGN || set->kind == CU_UPDATE || set->kind == CU_POST;
    *n += 1;
    return is_set && is_local(set->left) && bsim_cu_is_arithmetic(set->left->type)
               ? bsim_cu_weight_of(set->kind == CU_ASSIGN ? set->right : set->body)
               : TOO_HEAVY;
}

/* An address that takes no memory to compute. */
static bool is_address(const struct cu_node *node)
{
    switch (node->kind) {
    case CU_MOVE:
        return is_address(node->left) && bsim_cu_is_simple(node->right);
    case CU_DECAY:
    case CU_ADDRESS:
        return bsim_cu_is_place(node->left);
    case CU_CAST:
        return is_address(node->left);
    default:
        return is_local(node);
    }
}

bool bsim_cu_is_place(const struct cu_node *node)
{
    switch (node->type->is_volatile ? CU_NO_VALUE : node->kind) {
    case CU_VARIABLE:
        return node->variable->storage != CU_LOCAL && !node->variable->is_constant;
    case CU_TARGET:
        return is_address(node->left);
    case CU_INDEX:
        return bsim_cu_is_place(node->left) && bsim_cu_is_simple(node->right);
    case CU_MEMBER_OF:
        return bsim_cu_is_place(node->left);
    case CU_CHOICE:
        return bsim_cu_is_simple(node->left) && bsim_cu_is_place(node->right) &&
               bsim_cu_is_place(node->third);
    default:
        return false;
    }
}

bool bsim_cu_is_pure(const struct cu_node *node)
{
    return node == NULL ||
           (node->kind != CU_BUILTIN && node->kind != CU_AND && node->kind != CU_OR &&
            (node->kind < CU_CHOICE || (node->kind >= CU_MOVE && node->kind <= CU_CAST)) &&
            !node->type->is_volatile && bsim_cu_is_pure(node->left) &&
            bsim_cu_is_pure(node->right));
}
