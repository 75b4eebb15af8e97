/* extend.c - which registers a function wants whole of what is loaded into their lower 16 bits.
 *
 *     ld.shared.u16 %rs1, [%r4];        cvt.u32.u16 wants zeros above %rs1, and LDS.U16 puts them there;
 *     cvt.u32.u16 %r5, %rs1;            cvt.f32.f16 does not, and takes either half of a register:
 *     cvt.f32.f16 %f1, %rs2;            only such loads ptxas merges
 *
 * ptxas computes with integers of 16 bits in 32: comparisons, shifts to the right, products and quotients want
 * zeros or copies of the sign above, as their type says; sums and what is done bit by bit want either, and so does
 * a bf16 that becomes a float, by a shift. Floats of 16 bits, the least and the largest, negation, conversions of
 * integers to floats and stores take a half register as it is. Copies want what is wanted of them, those of one
 * instruction only: where ways meet each brings its own.
 *
 * Graded measured: nvcc 13's ptxas, 322 pairs of loads (tests/measured/h200/ptx/merges.txt, "halves").
 */
#include "ptx/steps.h"

static bool is_integer16(uint32_t type)
{
    return type == BSIM_PTX_U16 || type == BSIM_PTX_S16 || type == BSIM_PTX_B16;
}

static bool is_real(uint32_t type)
{
    char letter = bsim_ptx_type_letter(type);
    return letter == 'f' || letter == 'h' || letter == 'n';
}

static uint8_t extension(uint32_t type)
{
    return type == BSIM_PTX_S16 ? BSIM_PTX_SIGNS : BSIM_PTX_ZEROS;
}

/* What is wanted of what the instruction computes, which nothing else does. */
static uint8_t wanted_of_result(const struct bsim_ptx_addresses *addresses,
                                const struct bsim_ptx_operand *result, const uint8_t *wants)
{
    if (result->kind == BSIM_PTX_VECTOR) { /* mov.b32 {%rs1, %rs2}, %r1: what it brings along is in %rs2 */
        result = &result->member[0];
    }
    bool is_followed = result->kind == BSIM_PTX_REGISTER &&
                       bsim_ptx_is_settled(addresses, result->number);
    return is_followed ? wants[result->number] : 0;
}

static uint8_t wanted_by_conversion(const struct bsim_ptx_instruction *from, uint8_t of_result)
{
    uint32_t to = from->type[0], type = from->type[from->n_types - 1];
    if (type == BSIM_PTX_BF16 && to == BSIM_PTX_F32) {
        return BSIM_PTX_EITHER;
    }
    if (is_integer16(type) && !is_real(to) && bsim_ptx_type_bits(to) > 16) {
        return of_result != 0 ? extension(type) : 0;
    }
    if (bsim_ptx_type_bits(type) <= 16) {
        return 0;
    }
    return bsim_ptx_type_bits(to) == 16 && !is_real(to) && !is_real(type) ? of_result : BSIM_PTX_EITHER;
}

/* and.b32 %r5, %r1, 15: what is above is gone in any case. */
static uint8_t wanted_by_and(const struct bsim_ptx_instruction *from, uint32_t bits)
{
    const struct bsim_ptx_operand *mask = &from->operand[2];
    if (mask->kind != BSIM_PTX_INTEGER) {
        return BSIM_PTX_EITHER;
    }
    if ((mask->bits & 0xffff) != 0xffff) {
        return 0;
    }
    return bits == 16 ? 0 : BSIM_PTX_ZEROS;
}

static uint8_t wanted_by(const struct bsim_ptx_instruction *from, uint32_t k, uint8_t of_result)
{
    static const char *const typed[] = {"mul", "mad", "div", "rem", "sad", "setp", "set", "shr"};
    static const char *const halves[] = {"min", "max", "neg", "abs"};
    uint32_t type = from->n_types > 0 ? from->type[from->n_types - 1] : BSIM_PTX_NO_TYPE;
    uint32_t bits = bsim_ptx_type_bits(type);
    if (bsim_ptx_is_a(from, "cvt") && from->n_types > 1) {
        return wanted_by_conversion(from, of_result);
    }
    if (bsim_ptx_is_a(from, "st") || bsim_ptx_is_a(from, "mov") || bsim_ptx_is_a(from, "selp")) {
        const struct bsim_ptx_operand *operand = &from->operand[k];
        bool is_copy = !bsim_ptx_is_a(from, "st") && bits <= 32 && operand->kind == BSIM_PTX_REGISTER;
        bool is_pack = operand->kind == BSIM_PTX_VECTOR && bsim_ptx_is_a(from, "mov");
        bits /= is_pack ? operand->n : 1;
        return is_copy ? of_result : bits <= 16 ? 0 : BSIM_PTX_EITHER;
    }
    if (bsim_ptx_is_a(from, "and") && bits <= 32) {
        return wanted_by_and(from, bits);
    }
    if (bits == 16 && (bsim_ptx_is_one_of(from, halves, sizeof halves / sizeof *halves) ||
                       (bsim_ptx_is_a(from, "sub") && k == 2))) {
        return 0;
    }
    if (is_integer16(type) && bsim_ptx_is_one_of(from, typed, sizeof typed / sizeof *typed)) {
        return extension(type);
    }
    return is_real(type) && bsim_ptx_type_half(type) != type ? 0 : BSIM_PTX_EITHER;
}

/* Adds what is wanted of the registers of an operand; of 16 bits only by integers. */
static bool add_wanted(const struct bsim_ptx_function *function,
                       const struct bsim_ptx_operand *operand, uint8_t wanted, bool is_integer,
                       uint8_t *wants)
{
    bool is_new = false;
    if (operand->kind == BSIM_PTX_REGISTER) {
        bool is_half = bsim_ptx_type_bits(function->reg[operand->number].type) == 16;
        uint8_t more = is_half && !is_integer ? 0 : wanted;
        is_new = (wants[operand->number] | more) != wants[operand->number];
        wants[operand->number] |= more;
    }
    for (uint32_t i = 0; i < operand->n; i++) {
        is_new |= add_wanted(function, &operand->member[i],
                             operand->kind == BSIM_PTX_ADDRESS ? BSIM_PTX_EITHER : wanted,
                             is_integer, wants);
    }
    return is_new;
}

void bsim_ptx_find_extended(const struct bsim_ptx_function *function,
                            const struct bsim_ptx_addresses *addresses, uint8_t *wants)
{
    bool is_new = true;
    while (is_new) {
        is_new = false;
        for (uint32_t i = function->n_instructions; i-- > 0;) {
            const struct bsim_ptx_instruction *from = &function->code[i];
            bool defines = bsim_ptx_defines(from);
            uint32_t type = from->n_types > 0 ? from->type[from->n_types - 1] : BSIM_PTX_NO_TYPE;
            uint8_t of_result =
                defines ? wanted_of_result(addresses, &from->operand[0], wants) : 0;
            for (uint32_t k = defines ? 1 : 0; k < from->n_operands; k++) {
                is_new |= add_wanted(function, &from->operand[k], wanted_by(from, k, of_result),
                                     !is_real(type) || bsim_ptx_is_a(from, "cvt"), wants);
            }
        }
    }
}
