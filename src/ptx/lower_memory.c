/* lower_memory.c - loads, stores and atomics as steps: their address, their values, and what a
 * trace calls them. */
#include "ptx/lower.h"

#include <string.h>

/* ---- memory ---------------------------------------------------------------------------------- */

static enum bsim_ptx_space space_of(const struct bsim_ptx_instruction *instruction)
{
    for (uint32_t i = 0; i < instruction->n_words; i++) {
        switch (instruction->word[i]) {
        case BSIM_PTX_PARAM_:
        case BSIM_PTX_PARAM_ENTRY:
        case BSIM_PTX_PARAM_FUNC:
            return BSIM_PTX_PARAM;
        case BSIM_PTX_CONST_:
            return BSIM_PTX_CONST;
        case BSIM_PTX_GLOBAL_:
            return BSIM_PTX_GLOBAL;
        case BSIM_PTX_LOCAL_:
            return BSIM_PTX_LOCAL;
        case BSIM_PTX_SHARED_:
        case BSIM_PTX_SHARED_CTA:
        case BSIM_PTX_SHARED_CLUSTER:
            return BSIM_PTX_SHARED;
        default:
            break;
        }
    }
    return BSIM_PTX_NO_SPACE;
}

/* [register+offset], [variable+offset], [number]. */
static void lower_address(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                          const struct bsim_ptx_operand *operand)
{
    struct bsim_ptx_access *access = step->access;
    if (operand->kind != BSIM_PTX_ADDRESS || operand->n != 1) {
        bsim_ptx_lower_refuse(l, step, "an address is missing here");
        return;
    }
    const struct bsim_ptx_operand *base = &operand->member[0];
    access->offset = operand->bits;
    access->is_64 = base->kind != BSIM_PTX_REGISTER ||
                    bsim_ptx_type_bits(l->self->function->reg[base->number].type) == 64;
    step->a = bsim_ptx_lower_place(l, step, base, access->is_64 ? 8 : 4, BSIM_PTX_U64);
    bool is_kernels =
        l->self->function->is_entry && base->kind == BSIM_PTX_SYMBOL && base->symbol->is_parameter;
    if (base->kind == BSIM_PTX_SYMBOL && access->space == BSIM_PTX_PARAM && !is_kernels) {
        access->space = BSIM_PTX_LOCAL; /* what calls hand over is in a thread's own memory */
        access->is_silent = true;
    }
}

static void lower_values(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                         const struct bsim_ptx_operand *operand)
{
    struct bsim_ptx_access *access = step->access;
    uint32_t type = bsim_ptx_main_type(step->from);
    bool is_vector = operand->kind == BSIM_PTX_VECTOR;
    access->count = is_vector ? operand->n : 1;
    if (access->count > BSIM_PTX_MAX_ELEMENTS || access->bytes * access->count > 32) {
        bsim_ptx_lower_refuse(l, step, "more than 8 elements, or than 32 bytes");
        return;
    }
    for (uint32_t i = 0; i < access->count; i++) {
        const struct bsim_ptx_operand *value = is_vector ? &operand->member[i] : operand;
        access->value[i] = BSIM_PTX_NOWHERE;
        if (value->kind == BSIM_PTX_NOTHING) {
            continue;
        }
        uint32_t bits = bsim_ptx_type_bits(type);
        if (value->kind == BSIM_PTX_REGISTER) {
            bits = bsim_ptx_type_bits(l->self->function->reg[value->number].type);
        }
        access->register_bits[i] = bits;
        access->value[i] = bsim_ptx_lower_place(l, step, value,
                                                bits == 1    ? 1
                                                : bits <= 32 ? 4
                                                             : bits / 8,
                                                type);
    }
}

static struct bsim_ptx_access *new_access(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step)
{
    struct bsim_ptx_access *access = bsim_ptx_lower_take(l, sizeof *access);
    uint32_t type = bsim_ptx_main_type(step->from);
    if (access != NULL) {
        access->space = space_of(step->from);
        access->bytes = bsim_ptx_type_bits(type) / 8;
        access->is_signed = bsim_ptx_type_letter(type) == 's';
        if (access->bytes == 0) {
            bsim_ptx_lower_refuse(l, step, "no type of memory");
        }
    }
    step->access = access;
    return access;
}

/* What the trace calls it. Parameters and what calls hand over are no memory accesses there. */
static void name_access(struct bsim_ptx_step *step, enum bsim_family family)
{
    static const uint8_t spaces[] = {
        [BSIM_PTX_CONST] = BSIM_CONST,     [BSIM_PTX_GLOBAL] = BSIM_GLOBAL,
        [BSIM_PTX_LOCAL] = BSIM_LOCAL,     [BSIM_PTX_SHARED] = BSIM_SHARED,
        [BSIM_PTX_NO_SPACE] = BSIM_SHARED, [BSIM_PTX_PARAM] = BSIM_NO_SPACE};
    struct bsim_ptx_access *access = step->access;
    uint32_t type = bsim_ptx_main_type(step->from);
    char letter = bsim_ptx_type_letter(type);
    access->opcode =
        (struct bsim_opcode){.family = (uint8_t)family,
                             .space = spaces[access->space],
                             .type = letter,
                             .bits = (uint8_t)bsim_ptx_type_bits(type),
                             .count = (uint8_t)access->count,
                             .bytes = (uint8_t)(access->bytes * access->count),
                             .is_volatile = bsim_ptx_has(step->from, BSIM_PTX_VOLATILE),
                             .path = bsim_ptx_has(step->from, BSIM_PTX_NC) ? BSIM_NC
                                     : bsim_ptx_is_a(step->from, "ldu")    ? BSIM_LDU
                                                                           : BSIM_USUAL_PATH};
    if (access->bytes == 16) { /* as machine code has them: two of 8 bytes, and 32 bytes in two */
        access->opcode.bits = 64;
        access->opcode.count = 2;
    } else if (access->opcode.bytes == 32) {
        access->opcode.count /= 2;
    }
    access->opcode.bytes = access->opcode.bytes > 16 ? 16 : access->opcode.bytes;
    access->is_silent |= access->opcode.space == BSIM_NO_SPACE;
}

void bsim_ptx_lower_load(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step)
{
    if (new_access(l, step) == NULL || step->from->n_operands < 2) {
        bsim_ptx_lower_refuse(l, step, "an operand is missing");
        return;
    }
    step->run = bsim_ptx_find_accesses()->load;
    lower_address(l, step, &step->from->operand[1]);
    lower_values(l, step, &step->from->operand[0]);
    name_access(step, BSIM_LD);
}

void bsim_ptx_lower_store(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step)
{
    if (new_access(l, step) == NULL || step->from->n_operands < 2) {
        bsim_ptx_lower_refuse(l, step, "an operand is missing");
        return;
    }
    step->run = bsim_ptx_find_accesses()->store;
    lower_address(l, step, &step->from->operand[0]);
    lower_values(l, step, &step->from->operand[1]);
    name_access(step, BSIM_ST);
}

/* ---- atomics --------------------------------------------------------------------------------- */

enum bsim_operation bsim_ptx_operation_of(const struct bsim_ptx_instruction *instruction)
{
    static const struct {
        enum bsim_ptx_word word;
        enum bsim_operation operation;
    } operations[] = {{BSIM_PTX_ADD, BSIM_ADD},   {BSIM_PTX_MIN, BSIM_MIN},
                      {BSIM_PTX_MAX, BSIM_MAX},   {BSIM_PTX_INC, BSIM_INC},
                      {BSIM_PTX_DEC, BSIM_DEC},   {BSIM_PTX_AND, BSIM_AND},
                      {BSIM_PTX_OR, BSIM_OR},     {BSIM_PTX_XOR, BSIM_XOR},
                      {BSIM_PTX_EXCH, BSIM_EXCH}, {BSIM_PTX_CAS, BSIM_CAS}};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (bsim_ptx_has(instruction, operations[i].word)) {
            return operations[i].operation;
        }
    }
    return BSIM_NO_OPERATION;
}

static uint32_t mentions_in(const struct bsim_ptx_operand *operand, uint32_t number)
{
    uint32_t n = operand->kind == BSIM_PTX_REGISTER && operand->number == number;
    for (uint32_t i = 0; i < operand->n; i++) {
        n += mentions_in(&operand->member[i], number);
    }
    return n;
}

/* Whether the register stands in one place of its function alone, which writes it. */
static bool is_unread(const struct bsim_ptx_function *function, uint32_t number)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < function->n_instructions && n < 2; i++) {
        const struct bsim_ptx_instruction *instruction = &function->code[i];
        for (uint32_t k = 0; k < instruction->n_operands; k++) {
            n += mentions_in(&instruction->operand[k], number);
        }
    }
    return n < 2;
}

/* The atomics that a GPU has of 2 bytes, 16, or several elements: those of words of 4 and 8. */
static void name_words(struct bsim_ptx_access *access)
{
    bool is_sum = access->is_float && access->operation == BSIM_ADD;
    uint32_t bytes = access->bytes * access->count;
    struct bsim_opcode *opcode = &access->opcode;
    opcode->bytes = bytes < 8 ? 4 : 8;
    opcode->bits = (uint8_t)(8 * opcode->bytes);
    opcode->type = is_sum             ? (bytes >= 8          ? 'f'
                                         : access->is_bfloat ? 'n'
                                                             : 'h')
                   : access->is_float ? 'u'
                                      : 'b';
}

/* Floats are added; halves have a minimum and a maximum, too. */
static bool is_known_atomic(const struct bsim_ptx_access *access)
{
    bool has_order = access->operation == BSIM_MIN || access->operation == BSIM_MAX;
    bool moves = access->operation == BSIM_EXCH || access->operation == BSIM_CAS;
    uint32_t bytes = access->bytes * access->count;
    bool is_float_form =
        access->operation == BSIM_ADD || (access->is_half && has_order && access->count > 1);
    bool is_form = access->is_float
                       ? is_float_form
                       : access->count == 1 && (access->bytes == 4 || access->bytes == 8 || moves);
    return access->operation != BSIM_NO_OPERATION && is_form && bytes <= 16;
}

/* ptxas makes a red of an atom whose result nobody reads, and in shared memory an addition of 1 one
 * that adds the lanes of a word up first (ATOMS.POPC.INC). */
static void name_atomic(struct bsim_ptx_step *step, bool is_used,
                        const struct bsim_ptx_operand *value)
{
    struct bsim_ptx_access *access = step->access;
    bool is_atom = is_used || access->operation == BSIM_EXCH || access->operation == BSIM_CAS;
    name_access(step, is_atom ? BSIM_ATOM : BSIM_RED);
    bool moves_bits = access->operation >= BSIM_AND && access->operation <= BSIM_CAS;
    bool is_one = value->kind == BSIM_PTX_INTEGER && value->bits == 1;
    bool is_counting = !is_used && is_one && access->operation == BSIM_ADD && access->bytes == 4 &&
                       access->space == BSIM_PTX_SHARED && !access->is_float;
    access->opcode.operation = (uint8_t)(is_counting ? BSIM_POPC_INC : access->operation);
    access->opcode.count = 0;
    access->opcode.type = moves_bits ? 'b' : access->opcode.type;
    if (access->is_half || access->count > 1 || access->bytes == 2 || access->bytes == 16) {
        name_words(access);
    }
}

static const uint32_t *place_results(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                                     const struct bsim_ptx_operand *d, uint32_t size)
{
    uint32_t n = step->access->count;
    uint32_t *place = bsim_ptx_lower_take(l, n * sizeof *place);
    for (uint32_t i = 0; i < n && place != NULL; i++) {
        const struct bsim_ptx_operand *one = d->kind == BSIM_PTX_VECTOR ? &d->member[i] : d;
        bool is_wanted = one->kind == BSIM_PTX_REGISTER &&
                         !is_unread(l->self->function, one->number) &&
                         (d->kind != BSIM_PTX_VECTOR || i < d->n);
        place[i] = is_wanted
                       ? bsim_ptx_lower_place(l, step, one, size, bsim_ptx_main_type(step->from))
                       : BSIM_PTX_NOWHERE;
    }
    return place;
}

/* atom.op.type d, [a], b, c; red.op.type [a], b. */
void bsim_ptx_lower_atomic(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    uint32_t at = bsim_ptx_is_a(from, "atom") ? 1 : 0;
    if (new_access(l, step) == NULL || from->n_operands < at + 2u) {
        bsim_ptx_lower_refuse(l, step, "an operand is missing");
        return;
    }
    struct bsim_ptx_access *access = step->access;
    uint32_t type = bsim_ptx_main_type(from), half = bsim_ptx_type_half(type);
    uint32_t size = access->bytes < 4 ? 4 : access->bytes;
    step->run = bsim_ptx_find_accesses()->atomic;
    access->operation = bsim_ptx_operation_of(from);
    access->is_bfloat = half == BSIM_PTX_BF16;
    access->is_half = half == BSIM_PTX_F16 || access->is_bfloat;
    access->is_float = access->is_half || type == BSIM_PTX_F32 || type == BSIM_PTX_F64;
    lower_address(l, step, &from->operand[at]);
    lower_values(l, step, &from->operand[at + 1]);
    if (!is_known_atomic(access)) {
        bsim_ptx_lower_refuse(l, step, "an atomic of a kind that is not known here");
        return;
    }
    step->c = from->n_operands > at + 2u && access->operation == BSIM_CAS
                  ? bsim_ptx_lower_place(l, step, &from->operand[at + 2], size, type)
                  : 0;
    static const struct bsim_ptx_operand nobody = {.kind = BSIM_PTX_NOTHING};
    step->more = place_results(l, step, at == 1 ? &from->operand[0] : &nobody, size);
    bool is_used = false;
    for (uint32_t i = 0; i < access->count && step->more != NULL; i++) {
        is_used = is_used || step->more[i] != BSIM_PTX_NOWHERE;
    }
    access->result = step->more != NULL ? step->more[0] : BSIM_PTX_NOWHERE;
    name_atomic(step, is_used, &from->operand[at + 1]);
}
