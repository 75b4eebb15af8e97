/* defined.c - which instruction computes a register, if only one does, and what is constant so. */
#include "ptx/steps.h"

#include <string.h>

enum { MAX_DEPTH = 12 };

bool bsim_ptx_defines(const struct bsim_ptx_instruction *from)
{
    const char *m = from->mnemonic;
    return from->n_operands > 0 && strcmp(m, "st") != 0 && strcmp(m, "red") != 0 &&
           !bsim_ptx_branches(from) && strcmp(m, "bar") != 0 && strcmp(m, "call") != 0;
}

bool bsim_ptx_makes(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_defines(from) && from->operand[0].kind != BSIM_PTX_ADDRESS;
}

bool bsim_ptx_sets(const struct bsim_ptx_operand *operand, uint32_t number)
{
    bool does = operand->kind == BSIM_PTX_REGISTER && operand->number == number;
    for (uint32_t i = 0; i < operand->n && operand->kind != BSIM_PTX_ADDRESS && !does; i++) {
        does = bsim_ptx_sets(&operand->member[i], number);
    }
    return does;
}

bool bsim_ptx_is_handed(const struct bsim_ptx_operand *operand)
{
    return operand->kind == BSIM_PTX_ADDRESS && operand->member[0].kind == BSIM_PTX_SYMBOL &&
           operand->member[0].symbol->space == BSIM_PTX_PARAM;
}

/* Notes the register's definition; of several, that there are. */
static void note_definition(struct bsim_ptx_addresses *addresses,
                            const struct bsim_ptx_operand *operand, uint32_t instruction)
{
    if (operand->kind == BSIM_PTX_REGISTER) {
        uint32_t *by = &addresses->defined_by[operand->number];
        *by = *by == BSIM_PTX_NOWHERE ? instruction : addresses->function->n_instructions;
    }
    for (uint32_t i = 0; i < operand->n && operand->kind != BSIM_PTX_ADDRESS; i++) {
        note_definition(addresses, &operand->member[i], instruction);
    }
}

void bsim_ptx_find_definitions(struct bsim_ptx_addresses *addresses)
{
    const struct bsim_ptx_function *function = addresses->function;
    for (uint32_t r = 0; r < function->n_registers; r++) {
        addresses->defined_by[r] = BSIM_PTX_NOWHERE;
    }
    for (uint32_t i = 0; i < function->n_instructions; i++) {
        if (bsim_ptx_defines(&function->code[i])) {
            note_definition(addresses, &function->code[i].operand[0], i);
        }
    }
}

const struct bsim_ptx_instruction *bsim_ptx_definition(const struct bsim_ptx_addresses *addresses,
                                                       const struct bsim_ptx_operand *operand)
{
    const struct bsim_ptx_function *function = addresses->function;
    uint32_t i = operand->kind == BSIM_PTX_REGISTER ? addresses->defined_by[operand->number]
                                                    : BSIM_PTX_NOWHERE;
    bool is_one = i < function->n_instructions && !function->code[i].has_guard;
    return is_one ? &function->code[i] : NULL;
}

bool bsim_ptx_is_constant(const struct bsim_ptx_addresses *addresses,
                          const struct bsim_ptx_operand *operand, uint64_t *value)
{
    for (uint32_t depth = 0; depth < MAX_DEPTH; depth++) {
        const struct bsim_ptx_instruction *from = bsim_ptx_definition(addresses, operand);
        if (from == NULL || !bsim_ptx_is_a(from, "mov")) {
            break;
        }
        operand = &from->operand[1];
    }
    *value =
        operand->kind == BSIM_PTX_SYMBOL ? operand->symbol->address + operand->bits : operand->bits;
    return operand->kind == BSIM_PTX_SYMBOL || operand->kind == BSIM_PTX_INTEGER;
}

bool bsim_ptx_is_settled(const struct bsim_ptx_addresses *addresses, uint32_t number)
{
    return addresses->defined_by[number] < addresses->function->n_instructions;
}
