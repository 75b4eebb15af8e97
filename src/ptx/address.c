/* address.c - what the addresses of a function's accesses are made of, as far as ptxas proves it.
 *
 *     mov.u32  %r1, tile;        %r1 is a constant: where the array lies
 *     shl.b32  %r2, %r0, 4;      %r2 ends in four zeros
 *     add.s32  %r3, %r1, %r2;    root %r2, offset tile
 *     add.s32  %r4, %r3, 8;      root %r2, offset tile + 8: neighbours of [%r3+4]
 *
 * Only a register that one instruction defines stands for what that computes.
 */
#include "ptx/steps.h"

#include "base/memory.h"

#include <string.h>

enum { ALL_ZEROS = 63, MAX_DEPTH = 12 };

/* ---- factors of two -------------------------------------------------------------------------- */

static uint32_t zeros_of_bits(uint64_t bits)
{
    uint32_t n = 0;
    while (n < ALL_ZEROS && !(bits >> n & 1)) {
        n++;
    }
    return n;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t zeros_of(const struct bsim_ptx_addresses *addresses,
                         const struct bsim_ptx_operand *operand)
{
    switch (operand->kind) {
    case BSIM_PTX_REGISTER: {
        bool is_known = addresses->here[operand->number] == addresses->block;
        return is_known ? addresses->zeros_here[operand->number]
                        : addresses->zeros[operand->number];
    }
    case BSIM_PTX_INTEGER:
        return zeros_of_bits(operand->bits);
    case BSIM_PTX_SYMBOL:
        return zeros_of_bits(operand->symbol->address + operand->bits);
    default:
        return 0;
    }
}

/* Of what is negated: only a product by a constant, or a constant, is known to keep its zeros. */
static uint32_t zeros_of_negative(const struct bsim_ptx_addresses *addresses,
                                  const struct bsim_ptx_operand *operand, bool is_alone)
{
    uint64_t value;
    bool is_known = bsim_ptx_is_constant(addresses, operand, &value) ||
                    bsim_ptx_is_negated_scale(addresses, operand, is_alone);
    return is_known ? zeros_of(addresses, operand) : 0;
}

/* Of what is multiplied: a negative is the number, by another constant. */
static uint32_t zeros_of_factor(const struct bsim_ptx_addresses *addresses,
                                const struct bsim_ptx_operand *operand)
{
    const struct bsim_ptx_instruction *from = bsim_ptx_definition(addresses, operand);
    uint64_t value = 1;
    if (from != NULL && bsim_ptx_is_a(from, "neg")) {
        return zeros_of(addresses, &from->operand[1]);
    }
    if (from != NULL && bsim_ptx_is_a(from, "sub") && from->n_operands == 3 &&
        bsim_ptx_is_constant(addresses, &from->operand[1], &value) && value == 0) {
        return zeros_of(addresses, &from->operand[2]);
    }
    return zeros_of(addresses, operand);
}

/* mul, mul24, mad: by -1 it is a negation. */
static uint32_t zeros_of_product(const struct bsim_ptx_addresses *addresses,
                                 const struct bsim_ptx_instruction *from, bool is_kept)
{
    const struct bsim_ptx_operand *a = &from->operand[1], *b = &from->operand[2];
    uint64_t value = 0;
    if (bsim_ptx_has(from, BSIM_PTX_HI)) {
        return 0;
    }
    bool is_constant = bsim_ptx_is_constant(addresses, b, &value);
    if (is_constant && (uint32_t)value == UINT32_MAX) {
        return is_kept ? 0 : zeros_of_negative(addresses, a, !bsim_ptx_is_a(from, "mad"));
    }
    bool is_one = is_constant && value == 1;
    return least((is_one ? zeros_of(addresses, a) : zeros_of_factor(addresses, a)) +
                     zeros_of(addresses, b),
                 ALL_ZEROS);
}

/* The zeros that an instruction leaves in what it defines, as far as ptxas knows: of the least, the largest and
 * a shift to the right none. */
static uint32_t zeros_after(const struct bsim_ptx_addresses *addresses,
                            const struct bsim_ptx_instruction *from)
{
    const char *m = from->mnemonic;
    uint32_t n = from->n_operands;
    uint32_t a = n > 1 ? zeros_of(addresses, &from->operand[1]) : 0;
    uint32_t b = n > 2 ? zeros_of(addresses, &from->operand[2]) : 0;
    const struct bsim_ptx_operand *result = &from->operand[0];
    bool is_kept = result->kind == BSIM_PTX_REGISTER && addresses->is_kept[result->number];
    if (strcmp(m, "mov") == 0 || strcmp(m, "cvta") == 0 || strcmp(m, "cvt") == 0) {
        return a;
    }
    if (strcmp(m, "add") == 0 || strcmp(m, "or") == 0 || strcmp(m, "xor") == 0 ||
        strcmp(m, "selp") == 0) {
        return least(a, b);
    }
    if (strcmp(m, "sub") == 0) {
        return n > 2 ? least(a, zeros_of_negative(addresses, &from->operand[2], false)) : 0;
    }
    if (strcmp(m, "neg") == 0) {
        return is_kept || n < 2 ? 0 : zeros_of_negative(addresses, &from->operand[1], true);
    }
    if (strcmp(m, "and") == 0) {
        return most(a, b);
    }
    if (strcmp(m, "shl") == 0) {
        bool is_shift = n > 2 && from->operand[2].kind == BSIM_PTX_INTEGER;
        uint32_t by = is_shift ? (uint32_t)least((uint32_t)from->operand[2].bits, ALL_ZEROS) : 0;
        return least(zeros_of_factor(addresses, &from->operand[1]) + by, ALL_ZEROS);
    }
    if (n > 2 && (strcmp(m, "mul") == 0 || strcmp(m, "mul24") == 0)) {
        return zeros_of_product(addresses, from, is_kept);
    }
    return strcmp(m, "mad") == 0 && n > 3 ? least(zeros_of_product(addresses, from, false),
                                                  zeros_of(addresses, &from->operand[3]))
                                          : 0;
}

/* The operand's registers have n zeros from here to the block's end, and anywhere no more than that;
 * true if that is new. */
static bool lower_zeros(struct bsim_ptx_addresses *addresses,
                        const struct bsim_ptx_operand *operand, uint32_t n)
{
    bool changed = false;
    if (operand->kind == BSIM_PTX_REGISTER) {
        uint32_t r = operand->number;
        addresses->here[r] = addresses->block;
        addresses->zeros_here[r] = (uint8_t)n;
        changed = addresses->zeros[r] > n;
        addresses->zeros[r] = (uint8_t)least(addresses->zeros[r], n);
    }
    for (uint32_t i = 0; i < operand->n && operand->kind != BSIM_PTX_ADDRESS; i++) {
        changed = lower_zeros(addresses, &operand->member[i], n) || changed;
    }
    return changed;
}

/* What the instruction leaves; a guarded one may leave what there was. */
static bool find_zeros_after(struct bsim_ptx_addresses *addresses,
                             const struct bsim_ptx_instruction *from)
{
    bool is_vector = from->operand[0].kind == BSIM_PTX_VECTOR;
    uint32_t n = is_vector ? 0 : zeros_after(addresses, from);
    if (from->has_guard) {
        n = least(n, zeros_of(addresses, &from->operand[0]));
    }
    return lower_zeros(addresses, &from->operand[0], n);
}

/* From "all zeros" down, until no definition has fewer. */
static void find_zeros(struct bsim_ptx_addresses *addresses, const struct bsim_ptx_blocks *blocks)
{
    const struct bsim_ptx_function *function = addresses->function;
    bool changed = true;
    memset(addresses->zeros, ALL_ZEROS, function->n_registers);
    while (changed) {
        changed = false;
        memset(addresses->here, 0, function->n_registers * sizeof *addresses->here);
        for (uint32_t i = 0; i < function->n_instructions; i++) {
            addresses->block = blocks->of[i] + 1;
            if (bsim_ptx_defines(&function->code[i])) {
                changed = find_zeros_after(addresses, &function->code[i]) || changed;
            }
        }
    }
    addresses->block = BSIM_PTX_NOWHERE; /* none is known from here on */
}

/* ---- root and offset ------------------------------------------------------------------------- */

/* What is left of the instruction's value when a constant is taken off: *offset grows by it. NULL: it
 * is no sum with a constant. */
static const struct bsim_ptx_operand *take_constant(const struct bsim_ptx_addresses *addresses,
                                                    const struct bsim_ptx_instruction *from,
                                                    int64_t *offset)
{
    const struct bsim_ptx_operand *a = &from->operand[1], *b = &from->operand[2];
    uint64_t value = 0;
    bool adds = bsim_ptx_is_a(from, "add") && from->n_operands == 3;
    bool subtracts = bsim_ptx_is_a(from, "sub") && from->n_operands == 3;
    bool joins = bsim_ptx_is_a(from, "or") && from->n_operands == 3;
    if (bsim_ptx_is_a(from, "mov")) {
        return a;
    }
    if ((adds || subtracts || joins) && bsim_ptx_is_constant(addresses, b, &value)) {
        *offset += subtracts ? -(int64_t)value : (int64_t)value;
        return !joins || value >> zeros_of(addresses, a) == 0 ? a : NULL;
    }
    if (adds && bsim_ptx_is_constant(addresses, a, &value)) {
        *offset += (int64_t)value;
        return b;
    }
    return NULL;
}

/* Whether the operand is the same wherever it stands: a constant, or a register with one definition. */
static bool is_same_everywhere(const struct bsim_ptx_addresses *addresses,
                               const struct bsim_ptx_operand *operand)
{
    return operand->kind == BSIM_PTX_SYMBOL || operand->kind == BSIM_PTX_INTEGER ||
           bsim_ptx_definition(addresses, operand) != NULL;
}

struct bsim_ptx_address bsim_ptx_address_of(const struct bsim_ptx_addresses *addresses,
                                            const struct bsim_ptx_operand *base, uint64_t offset)
{
    struct bsim_ptx_address address = {BSIM_PTX_NOWHERE, ALL_ZEROS, (int64_t)offset};
    for (uint32_t depth = 0; depth < MAX_DEPTH; depth++) {
        const struct bsim_ptx_instruction *from = bsim_ptx_definition(addresses, base);
        int64_t more = 0;
        const struct bsim_ptx_operand *rest =
            from != NULL ? take_constant(addresses, from, &more) : NULL;
        if (rest == NULL || !is_same_everywhere(addresses, rest)) {
            break;
        }
        address.offset += more;
        base = rest;
    }
    uint64_t value;
    if (base->kind == BSIM_PTX_REGISTER) {
        address.root = base->number;
        address.zeros = zeros_of(addresses, base);
    } else if (bsim_ptx_is_constant(addresses, base, &value)) {
        address.offset += (int64_t)value;
    }
    address.offset = (int32_t)address.offset; /* shared memory's addresses have 32 bits */
    return address;
}

/* ---- all of it ------------------------------------------------------------------------------- */

bool bsim_ptx_addresses_new(const struct bsim_ptx_function *function,
                            struct bsim_ptx_addresses *addresses)
{
    addresses->function = function;
    size_t n = (size_t)function->n_registers + 1;
    addresses->zeros = bsim_mem_zeroed(n, sizeof *addresses->zeros);
    addresses->defined_by = bsim_mem_zeroed(n, sizeof *addresses->defined_by);
    addresses->uses = bsim_mem_zeroed(n, sizeof *addresses->uses);
    addresses->is_kept = bsim_mem_zeroed(n, sizeof *addresses->is_kept);
    addresses->zeros_here = bsim_mem_zeroed(n, sizeof *addresses->zeros_here);
    addresses->here = bsim_mem_zeroed(n, sizeof *addresses->here);
    struct bsim_ptx_blocks blocks;
    bool has_memory = bsim_ptx_find_blocks(function, &blocks) && addresses->zeros != NULL &&
                      addresses->defined_by != NULL && addresses->uses != NULL &&
                      addresses->is_kept != NULL && addresses->zeros_here != NULL &&
                      addresses->here != NULL;
    if (has_memory) {
        bsim_ptx_find_definitions(addresses);
        bsim_ptx_find_kept(addresses);
        find_zeros(addresses, &blocks);
    }
    bsim_ptx_free_blocks(&blocks);
    return has_memory;
}

void bsim_ptx_addresses_free(struct bsim_ptx_addresses *addresses)
{
    bsim_mem_free(addresses->zeros);
    bsim_mem_free(addresses->defined_by);
    bsim_mem_free(addresses->uses);
    bsim_mem_free(addresses->is_kept);
    bsim_mem_free(addresses->zeros_here);
    bsim_mem_free(addresses->here);
}
