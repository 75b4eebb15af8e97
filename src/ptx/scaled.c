/* scaled.c - which products ptxas computes in the sums that take them.
 *
 *     shl.b32 %r2, %r1, 4;       where sums alone take %r2: IMAD %r3 = %r1 * -16 + 1008, a multiple
 *     sub.s32 %r3, 1008, %r2;    of 16, and nobody has %r2
 *     st.global [%rd1], %r2;     with this, too: %r3 = 1008 - %r2, and of what is the negative of a
 *                                register ptxas knows no zeros
 *
 * Sums, differences, shifts to the left and a multiplication of what was multiplied take a product in; what anything
 * else wants is kept in a register for all. Of two products in one sum that with fewer uses is taken in, or the first.
 *
 * Graded measured: nvcc 13's ptxas, tests/measured/h200/ptx/merges.txt ("scaled").
 */
#include "ptx/steps.h"

/* What the operand is a copy of. */
static const struct bsim_ptx_operand *origin_of(const struct bsim_ptx_addresses *addresses,
                                                const struct bsim_ptx_operand *operand)
{
    const struct bsim_ptx_instruction *from = bsim_ptx_definition(addresses, operand);
    for (uint32_t n = 0; n < addresses->function->n_instructions && from != NULL; n++) {
        if (!bsim_ptx_is_a(from, "mov") || from->operand[1].kind != BSIM_PTX_REGISTER) {
            break;
        }
        operand = &from->operand[1];
        from = bsim_ptx_definition(addresses, operand);
    }
    return operand;
}

static bool has_32_bits(const struct bsim_ptx_instruction *from)
{
    return from->n_types > 0 && bsim_ptx_type_bits(from->type[from->n_types - 1]) == 32;
}

static bool is_multiplication(const struct bsim_ptx_instruction *from)
{
    return (bsim_ptx_is_a(from, "mul") || bsim_ptx_is_a(from, "mul24")) && has_32_bits(from) &&
           !bsim_ptx_has(from, BSIM_PTX_HI) && !bsim_ptx_has(from, BSIM_PTX_WIDE);
}

static bool is_scaling(const struct bsim_ptx_addresses *addresses,
                       const struct bsim_ptx_instruction *from)
{
    uint64_t by;
    bool is_shift = bsim_ptx_is_a(from, "shl") && has_32_bits(from);
    return (is_shift || is_multiplication(from)) &&
           (bsim_ptx_is_constant(addresses, &from->operand[2], &by) ||
            (!is_shift && bsim_ptx_is_constant(addresses, &from->operand[1], &by)));
}

/* Whether the operand, an origin, is a product; by a constant: a scaled one. */
static bool is_product(const struct bsim_ptx_addresses *addresses,
                       const struct bsim_ptx_operand *operand)
{
    const struct bsim_ptx_instruction *from = bsim_ptx_definition(addresses, operand);
    return from != NULL && (is_multiplication(from) || is_scaling(addresses, from));
}

static bool is_free(const struct bsim_ptx_addresses *addresses,
                    const struct bsim_ptx_operand *operand)
{
    return operand->kind == BSIM_PTX_REGISTER && !addresses->is_kept[operand->number];
}

bool bsim_ptx_is_negated_scale(const struct bsim_ptx_addresses *addresses,
                               const struct bsim_ptx_operand *operand, bool is_alone)
{
    const struct bsim_ptx_operand *origin = origin_of(addresses, operand);
    const struct bsim_ptx_instruction *from = bsim_ptx_definition(addresses, origin);
    return from != NULL && is_scaling(addresses, from) &&
           (is_alone ? addresses->uses[origin->number] == 1 : is_free(addresses, origin));
}

static bool is_sum(const struct bsim_ptx_instruction *from)
{
    return (bsim_ptx_is_a(from, "add") || bsim_ptx_is_a(from, "sub")) && has_32_bits(from) &&
           from->n_operands == 3;
}

/* Whether the instruction computes a product that is its operand k with its own. */
static bool takes_in(const struct bsim_ptx_addresses *addresses,
                     const struct bsim_ptx_instruction *from, uint32_t k)
{
    uint64_t value;
    if (is_sum(from)) {
        return true;
    }
    if (bsim_ptx_is_a(from, "or") && has_32_bits(from) && from->n_operands == 3) {
        return bsim_ptx_is_constant(addresses, &from->operand[3 - k], &value);
    }
    if (bsim_ptx_is_a(from, "mad") && has_32_bits(from) && k == 1) {
        return bsim_ptx_is_constant(addresses, &from->operand[2], &value) &&
               (uint32_t)value == UINT32_MAX;
    }
    const struct bsim_ptx_instruction *product =
        bsim_ptx_definition(addresses, origin_of(addresses, &from->operand[k]));
    return k == 1 && is_scaling(addresses, from) &&
           (bsim_ptx_is_a(from, "shl") || (product != NULL && is_multiplication(product)));
}

static void note_use(struct bsim_ptx_addresses *addresses, const struct bsim_ptx_operand *operand,
                     bool is_taken_in)
{
    if (operand->kind == BSIM_PTX_REGISTER) {
        uint32_t r = origin_of(addresses, operand)->number;
        uint8_t *uses = &addresses->uses[r];
        *uses = (uint8_t)(*uses + (*uses < UINT8_MAX));
        addresses->is_kept[r] = addresses->is_kept[r] || !is_taken_in;
    }
    for (uint32_t i = 0; i < operand->n; i++) {
        note_use(addresses, &operand->member[i], false);
    }
}

/* A copy is what it is of, if nothing else is written there. */
static bool is_copy(const struct bsim_ptx_addresses *addresses,
                    const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_is_a(from, "mov") && from->operand[1].kind == BSIM_PTX_REGISTER &&
           bsim_ptx_definition(addresses, &from->operand[0]) == from;
}

static void keep_one_of_two(struct bsim_ptx_addresses *addresses,
                            const struct bsim_ptx_instruction *from)
{
    const struct bsim_ptx_operand *a = origin_of(addresses, &from->operand[1]);
    const struct bsim_ptx_operand *b = origin_of(addresses, &from->operand[2]);
    if (is_free(addresses, a) && is_free(addresses, b) && is_product(addresses, a) &&
        is_product(addresses, b)) {
        bool is_first = addresses->uses[a->number] <= addresses->uses[b->number];
        addresses->is_kept[is_first ? b->number : a->number] = true;
    }
}

void bsim_ptx_find_kept(struct bsim_ptx_addresses *addresses)
{
    const struct bsim_ptx_function *function = addresses->function;
    for (uint32_t i = 0; i < function->n_instructions; i++) {
        const struct bsim_ptx_instruction *from = &function->code[i];
        uint32_t first = bsim_ptx_defines(from) ? 1 : 0;
        for (uint32_t k = first; k < from->n_operands && !is_copy(addresses, from); k++) {
            note_use(addresses, &from->operand[k], first == 1 && takes_in(addresses, from, k));
        }
    }
    for (uint32_t i = 0; i < function->n_instructions; i++) {
        if (is_sum(&function->code[i])) {
            keep_one_of_two(addresses, &function->code[i]);
        }
    }
}
