/* bits.c - which bits of a whole number are known to be 0, as far as nvcc sees it.
 *
 *     b = threadIdx.x << 2;      the lowest two are, so b | 1 and b ^ 1 are b + 1
 *     u = threadIdx.x & 255;     all but the lowest eight are, so u / 8 is u >> 3
 *
 *     for (int i = 0; ...; i++)  i is not negative, so i % 4 is i & 3, and (i + 3) % 4 is i + 3 & 3
 *
 * Of threadIdx nothing is known: nvcc 13 divides an int made of it as one that may be negative.
 */
#include "cuda/code.h"

enum { MOST_STEPS = 6 }; /* as LLVM has it */

static uint32_t trailing(uint64_t zeros)
{
    uint32_t n = 0;
    while (n < 64 && (zeros >> n & 1) != 0) {
        n++;
    }
    return n;
}

/* All bits above the highest that may be 1. */
static uint32_t leading(uint64_t zeros)
{
    uint32_t n = 0;
    while (n < 64 && (zeros >> (63 - n) & 1) != 0) {
        n++;
    }
    return n;
}

/* Lowest and highest bits: n of them, which may be all or none. */
static uint64_t lowest(uint32_t n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

static uint64_t highest(uint32_t n)
{
    return ~lowest(n >= 64 ? 0 : 64 - n);
}

static uint64_t of_sum(uint64_t a, uint64_t b)
{
    uint32_t below = trailing(a) < trailing(b) ? trailing(a) : trailing(b);
    uint32_t above = leading(a) < leading(b) ? leading(a) : leading(b);
    uint64_t both = a & b;
    uint64_t carries = (a | b) == UINT64_MAX ? both : 0; /* no bit is 1 in both: it is a | b */
    return carries | lowest(below) | highest(above > 0 ? above - 1 : 0);
}

static uint64_t of_product(uint64_t a, uint64_t b)
{
    uint32_t below = trailing(a) + trailing(b), above = leading(a) + leading(b);
    return lowest(below) | highest(above > 64 ? above - 64 : 0);
}

static uint64_t of_shift(const struct cu_instruction *from, uint64_t a, uint32_t width)
{
    uint64_t by, upper = ~lowest(width);
    if (!bsim_cu_is_constant(&from->argument[1], &by) || by >= width) {
        return upper;
    }
    if (from->op == CU_OP_SHL) {
        return a << by | lowest((uint32_t)by) | upper;
    }
    bool may_be_negative = from->is_signed && (a >> (width - 1) & 1) == 0;
    return may_be_negative ? ((a & ~upper) >> by & lowest(width - (uint32_t)by - 1)) | upper
                           : a >> by | highest((uint32_t)by) | upper;
}

static uint64_t zeros_of(const struct cu_code *code, const struct cu_value *value, uint32_t steps);

static uint64_t of_load(const struct cu_type *type, uint64_t upper)
{
    bool extends = type != NULL && type->size < 8 && !bsim_cu_is_signed(type);
    return extends ? ~lowest(8 * (uint32_t)type->size) | upper : upper;
}

static uint64_t of_conversion(const struct cu_code *code, const struct cu_instruction *from,
                              uint64_t upper, uint32_t steps)
{
    static const struct {
        const char *opcode;
        uint32_t bits;
    } kept[] = {{"cvt.u64.u32", 32}, {"cvt.u32.u64", 32}, {"cvt.u32.u16", 16}, {"cvt.u32.u8", 8}};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        if (strcmp(from->opcode, kept[i].opcode) == 0) {
            return zeros_of(code, &from->argument[0], steps) | ~lowest(kept[i].bits) | upper;
        }
    }
    return upper;
}

/* Signed numbers do not pass the largest one: sums and products of two that are not negative are not, either. */
static uint64_t sign_of_both(const struct cu_instruction *from, uint64_t a, uint64_t b, uint32_t width)
{
    return from->is_signed ? a & b & UINT64_C(1) << (width - 1) : 0;
}

static uint64_t of_operation(const struct cu_code *code, const struct cu_instruction *from,
                             uint32_t width, uint32_t steps)
{
    uint64_t upper = ~lowest(width);
    uint64_t a = zeros_of(code, &from->argument[0], steps);
    uint64_t b = from->n_arguments > 1 ? zeros_of(code, &from->argument[1], steps) : 0;
    switch (from->op) {
    case CU_OP_AND:
        return a | b;
    case CU_OP_OR:
    case CU_OP_XOR:
    case CU_OP_SELECT:
        return a & b;
    case CU_OP_ADD:
        return (of_sum(a, b) & ~upper) | upper | sign_of_both(from, a, b, width);
    case CU_OP_MUL:
        return of_product(a, b) | upper | sign_of_both(from, a, b, width);
    case CU_OP_SHL:
    case CU_OP_SHR:
        return of_shift(from, a, width);
    case CU_OP_DIV:
        return from->is_signed ? upper : highest(leading(a)) | upper;
    case CU_OP_REM:
        return from->is_signed ? upper : highest(leading(b)) | upper;
    default:
        return upper;
    }
}

static uint64_t zeros_of(const struct cu_code *code, const struct cu_value *value, uint32_t steps)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    uint32_t width = 8 * bsim_cu_class_bytes(value->class);
    if (value->kind == CU_CONSTANT_VALUE) {
        return ~value->bits;
    }
    if (value->kind == CU_REGISTER && from == NULL) {
        return ~lowest(width) | code->zeros[value->id];
    }
    if (from == NULL || steps == 0 || from->n_arguments == 0 ||
        (value->class != CU_I32 && value->class != CU_I64)) {
        return ~lowest(width);
    }
    if (from->op == CU_OP_LOAD) {
        return of_load(from->type, ~lowest(width));
    }
    return from->op == CU_OP_CONVERT
               ? of_conversion(code, from, ~lowest(width), steps - 1)
               : of_operation(code, from, width, steps - 1);
}

uint64_t bsim_cu_zeros(const struct cu_code *code, const struct cu_value *value)
{
    return zeros_of(code, value, MOST_STEPS);
}

static uint64_t combined(enum cu_op op, uint64_t a, uint64_t b)
{
    switch (op) {
    case CU_OP_ADD:
        return a + b;
    case CU_OP_SUB:
        return a - b;
    case CU_OP_MUL:
        return a * b;
    case CU_OP_AND:
        return a & b;
    case CU_OP_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

/* Whether the n lowest bits are known: *bits. */
static bool low_of(const struct cu_code *code, const struct cu_value *value, uint32_t n, uint32_t steps, uint64_t *bits)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    uint64_t other, by;
    *bits = value->kind == CU_CONSTANT_VALUE ? value->bits & lowest(n) : 0;
    if (value->kind == CU_CONSTANT_VALUE || (lowest(n) & ~zeros_of(code, value, steps)) == 0) {
        return true;
    }
    if (from == NULL || steps == 0 || from->n_arguments != 2 || value->kind != CU_REGISTER) {
        return false;
    }
    if (from->op == CU_OP_SHL && bsim_cu_is_constant(&from->argument[1], &by) && by < n) {
        bool is_known = low_of(code, &from->argument[0], n - (uint32_t)by, steps - 1, bits);
        *bits <<= by;
        return is_known;
    }
    bool is_such = from->op == CU_OP_ADD || from->op == CU_OP_SUB || from->op == CU_OP_MUL || from->op == CU_OP_AND ||
                   from->op == CU_OP_OR || from->op == CU_OP_XOR;
    bool is_known = is_such && low_of(code, &from->argument[1], n, steps - 1, &other) &&
                    low_of(code, &from->argument[0], n, steps - 1, bits);
    *bits = is_known ? combined(from->op, *bits, other) & lowest(n) : 0;
    return is_known;
}

bool bsim_cu_low_bits(const struct cu_code *code, const struct cu_value *value, uint64_t mask, uint64_t *bits)
{
    return low_of(code, value, 64 - leading(~mask), MOST_STEPS, bits);
}

/* An `or` with less than what x is a multiple of is a sum to nvcc. So is x + c & 2^n - 1, if c is odd: the mask
 * leaves the part of c that x has no bits for. What stays behind it is x & 2^n - 1 if nothing else is in c, and
 * x + c' & 2^n - 1 with an odd c' if there is. (nvcc takes an even sum for a product, in which it sees none, and leaves one
 * with a loop's counter as it is.) */
bool bsim_cu_low_part(const struct cu_code *code, const struct cu_value *value, uint64_t *low)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    uint64_t mask, more;
    if (from == NULL || from->n_arguments != 2 || !bsim_cu_is_constant(&from->argument[1], &mask)) {
        return false;
    }
    if (from->op == CU_OP_OR) {
        *low = mask;
        return mask <= lowest(trailing(bsim_cu_zeros(code, &from->argument[0])));
    }
    const struct cu_instruction *sum = bsim_cu_definition(code, &from->argument[0]);
    if (from->op != CU_OP_AND || sum == NULL || sum->op != CU_OP_ADD ||
        !bsim_cu_is_constant(&sum->argument[1], &more) || bsim_cu_definition(code, &sum->argument[0]) == NULL) {
        return false;
    }
    uint64_t below = lowest(trailing(bsim_cu_zeros(code, &sum->argument[0])));
    uint64_t all = lowest(64 - leading(~mask));
    uint64_t whole = (mask | bsim_cu_zeros(code, &from->argument[0])) & all;
    bool is_odd = (more & below & 1) != 0 && whole == all;
    *low = (more & all & ~below) == 0 ? more & below : more & below & ~UINT64_C(1);
    return is_odd && *low != 0;
}
