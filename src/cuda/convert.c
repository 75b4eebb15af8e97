/* convert.c - values as those of other types: wider, narrower, with a point, as an address.
 *
 *     cvt.s64.s32 %rd1, %r1        an index as wide as an address
 *     mul.wide.s32 %rd2, %r1, 4    ... times the size of what it counts
 *     cvt.rn.f32.s16 %f1, %h1      a short as it was loaded
 */
#include "cuda/code.h"

enum { MOST_DEEP = 8 };

static struct cu_value convert(struct cu_code *code, const char *opcode, struct cu_value a,
                               enum cu_class class)
{
    return bsim_cu_operation(code, CU_OP_CONVERT, opcode, class, &a, 1);
}

/* Whether the lower half of a 64-bit value follows from those of its parts, s[2 * i + 1] by a size_t: what 32 bits were
 * made wide, constants, and sums and products of such, or of something and a constant. */
static bool has_half(const struct cu_code *code, const struct cu_value *a, uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(code, a);
    if (a->kind == CU_CONSTANT_VALUE || from == NULL || depth == 0) {
        return a->kind == CU_CONSTANT_VALUE;
    }
    const struct cu_value *left = &from->argument[0], *right = &from->argument[1];
    switch (from->op) {
    case CU_OP_CONVERT:
        return left->class == CU_I32;
    case CU_OP_ADD:
    case CU_OP_SUB:
    case CU_OP_MUL:
    case CU_OP_AND:
    case CU_OP_OR:
    case CU_OP_XOR:
        return right->kind == CU_CONSTANT_VALUE ||
               (has_half(code, left, depth - 1) && has_half(code, right, depth - 1));
    case CU_OP_SHL:
        return right->kind == CU_CONSTANT_VALUE && right->bits < 32;
    default:
        return false;
    }
}

struct cu_value bsim_cu_resized(struct cu_code *code, struct cu_value a, bool is_signed,
                                enum cu_class class)
{
    if (a.class == class) {
        return a;
    }
    if (a.kind == CU_CONSTANT_VALUE) {
        bool extends = class == CU_I64 && is_signed;
        return bsim_cu_constant_of(class, extends ? (uint64_t)bsim_cu_as_signed(CU_I32, a.bits) : a.bits);
    }
    const struct cu_instruction *from = bsim_cu_definition(code, &a);
    if (class == CU_I32 && from != NULL && from->op == CU_OP_CONVERT &&
        from->argument[0].class == CU_I32) {
        return from->argument[0];
    }
    if (class == CU_I32 && from != NULL && from->op == CU_OP_NEG) { /* p - i: an index of 32 bits */
        return bsim_cu_negated(code, bsim_cu_resized(code, from->argument[0], is_signed, class));
    }
    if (class == CU_I32 && from != NULL && has_half(code, &a, MOST_DEEP)) {
        struct cu_value left = bsim_cu_resized(code, from->argument[0], false, class);
        struct cu_value right = bsim_cu_resized(code, from->argument[1], false, class);
        return bsim_cu_compute(code, from->op, false, left, right);
    }
    return convert(code,
                   class == CU_I32 ? "cvt.u32.u64"
                   : is_signed     ? "cvt.s64.s32"
                                   : "cvt.u64.u32",
                   a, class);
}

struct cu_value bsim_cu_narrowed(struct cu_code *code, struct cu_value a,
                                 const struct cu_type *type)
{
    if (a.kind == CU_CONSTANT_VALUE) {
        return bsim_cu_constant_of(CU_I32, bsim_cu_wrap(type, a.bits));
    }
    const struct cu_instruction *from = bsim_cu_definition(code, &a);
    bool is_signed = bsim_cu_is_signed(type);
    const char *opcode = bsim_cu_text(code->file, "cvt.%c32.%c%u", is_signed ? 's' : 'u',
                                      is_signed ? 's' : 'u', 8 * (uint32_t)type->size);
    if (from != NULL && from->op == CU_OP_CONVERT && strcmp(from->opcode, opcode) == 0) {
        return a;
    }
    return convert(code, opcode, a, CU_I32);
}

static char letter_of(const struct cu_type *type)
{
    return bsim_cu_is_floating(type) ? 'f' : bsim_cu_is_signed(type) ? 's' : 'u';
}

static bool fold_conversion(const struct cu_value *a, const struct cu_type *from,
                            const struct cu_type *to, enum cu_class class, struct cu_value *result)
{
    if (a->kind != CU_CONSTANT_VALUE || !bsim_cu_is_floating(to)) {
        return false; /* whole numbers of floating ones are left to the machine: they saturate */
    }
    if (bsim_cu_is_floating(from)) {
        *result = bsim_cu_constant_real(class, bsim_cu_as_real(a));
    } else if (bsim_cu_is_signed(from)) {
        int64_t whole = bsim_cu_as_signed(a->class, a->bits);
        *result = bsim_cu_constant_real(class, class == CU_F32 ? (double)(float)whole : (double)whole);
    } else {
        *result = bsim_cu_constant_real(class, class == CU_F32 ? (double)(float)a->bits : (double)a->bits);
    }
    return true;
}

/* (float)s[i] of shorts: nvcc converts the 16 bits, which may be half a register. The type that the whole number is
 * loaded as, if that has no other value; or the type that it has. */
static const struct cu_type *loaded_as(const struct cu_code *code, const struct cu_value *a,
                                       const struct cu_type *type)
{
    const struct cu_instruction *from = bsim_cu_definition(code, a);
    const struct cu_type *loaded = from != NULL && from->op == CU_OP_LOAD ? from->type : NULL;
    bool is_short = a->class == CU_I32 && loaded != NULL && loaded->size == 2;
    return is_short && (bsim_cu_is_signed(type) || !bsim_cu_is_signed(loaded)) ? loaded : type;
}

struct cu_value bsim_cu_converted(struct cu_code *code, struct cu_value a,
                                  const struct cu_type *from, const struct cu_type *to)
{
    enum cu_class class = to->kind == CU_FLOAT    ? CU_F32
                          : to->kind == CU_DOUBLE ? CU_F64
                          : to->size == 8         ? CU_I64
                                                  : CU_I32;
    struct cu_value result;
    if (fold_conversion(&a, from, to, class, &result)) {
        return result;
    }
    bool to_float = bsim_cu_is_floating(to), from_float = bsim_cu_is_floating(from);
    from = to_float && !from_float ? loaded_as(code, &a, from) : from;
    uint32_t bits = to_float && !from_float && from->size == 2 ? 16 : 8 * bsim_cu_class_bytes(a.class);
    bool is_widening = from_float && to_float && to->kind == CU_DOUBLE;
    const char *rounding = !to_float ? ".rzi" : is_widening ? "" : ".rn";
    return convert(code,
                   bsim_cu_text(code->file, "cvt%s.%c%u.%c%u", rounding, letter_of(to),
                                8 * bsim_cu_class_bytes(class), letter_of(from), bits),
                   a, class);
}

struct cu_value bsim_cu_as_class(struct cu_code *code, struct cu_value a, enum cu_class class)
{
    if (a.class == class) {
        return a;
    }
    if (a.kind == CU_CONSTANT_VALUE) {
        return bsim_cu_constant_of(class, a.bits);
    }
    return bsim_cu_operation(code, CU_OP_OTHER,
                             bsim_cu_class_bytes(class) == 4 ? "mov.b32" : "mov.b64", class, &a, 1);
}

struct cu_value bsim_cu_wide(struct cu_code *code, struct cu_value a, bool is_signed,
                             uint64_t factor)
{
    if (a.kind == CU_CONSTANT_VALUE) {
        return bsim_cu_constant_of(
            CU_I64, (is_signed ? (uint64_t)bsim_cu_as_signed(CU_I32, a.bits) : a.bits) * factor);
    }
    if (factor > INT32_MAX) {
        struct cu_value wide = bsim_cu_resized(code, a, is_signed, CU_I64);
        return bsim_cu_compute(code, CU_OP_MUL, false, wide, bsim_cu_constant_of(CU_I64, factor));
    }
    struct cu_value both[] = {a, bsim_cu_constant_of(CU_I32, factor)};
    return factor == 1
               ? bsim_cu_resized(code, a, is_signed, CU_I64)
               : bsim_cu_operation(code, CU_OP_WIDE, is_signed ? "mul.wide.s32" : "mul.wide.u32",
                                   CU_I64, both, 2);
}

struct cu_value bsim_cu_generic(struct cu_code *code, struct cu_value address)
{
    static const char *const opcodes[] = {"",
                                          "cvta.global.u64",
                                          "cvta.global.u64",
                                          "cvta.shared.u64",
                                          "cvta.const.u64",
                                          "cvta.local.u64"};
    if (address.kind == CU_CONSTANT_VALUE || address.space == CU_GENERIC) {
        return bsim_cu_resized(code, address, false, CU_I64);
    }
    if (address.space == CU_SHARED_SPACE) {
        address = bsim_cu_operation(code, CU_OP_OTHER, "cvt.u64.u32", CU_I64, &address, 1);
        address.space = CU_SHARED_SPACE;
    }
    struct cu_value value =
        bsim_cu_operation(code, CU_OP_OTHER, opcodes[address.space], CU_I64, &address, 1);
    value.space = CU_GENERIC;
    return value;
}
