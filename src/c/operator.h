/* operator.h - C's operators of two operands: what binds more tightly, and what they make of integers. */
#ifndef BSIM_C_OPERATOR_H
#define BSIM_C_OPERATOR_H

#include "c/type.h"

/* The kinds of nodes have this order, too. */
enum cu_operator {
    CU_OPERATOR_MULTIPLY,
    CU_OPERATOR_DIVIDE,
    CU_OPERATOR_REMAINDER,
    CU_OPERATOR_ADD,
    CU_OPERATOR_SUBTRACT,
    CU_OPERATOR_AND,
    CU_OPERATOR_OR,
    CU_OPERATOR_XOR,
    CU_OPERATOR_SHIFT_LEFT,
    CU_OPERATOR_SHIFT_RIGHT,
    CU_OPERATOR_EQUAL,
    CU_OPERATOR_UNEQUAL,
    CU_OPERATOR_LESS,
    CU_OPERATOR_LESS_EQUAL,
    CU_OPERATOR_GREATER,
    CU_OPERATOR_GREATER_EQUAL,
    CU_OPERATOR_LOGICAL_AND,
    CU_OPERATOR_LOGICAL_OR,
    CU_N_OPERATORS,
};

/* How tightly it binds, 1 least. */
uint32_t bsim_cu_level(enum cu_operator operator);

/* The operator that the token is, if it binds so tightly at least; CU_N_OPERATORS: it is none. */
enum cu_operator bsim_cu_find_operator(const struct cu_token *token, uint32_t level);

/* The operator that the token applies to what it assigns to, of "+=" that of "+"; CU_N_OPERATORS: none. */
enum cu_operator bsim_cu_find_update(const struct cu_token *token);

/* Applies it, up to CU_OPERATOR_GREATER_EQUAL, to integers of `type`, the type of its left operand (and
 * of the right one but for shifts, whose right one may be of any type: right_signed says whether b
 * holds a signed number). Answers NULL, or what is undefined about it, in a few words:
 * bsim_cu_overflow where *out has what is left of the result. *out is not yet wrapped to the result's
 * own type where that is another. */
const char *bsim_cu_operate(enum cu_operator operator, const struct cu_type * type, uint64_t a,
                            uint64_t b, bool right_signed, uint64_t *out);
extern const char bsim_cu_overflow[];

#endif
