/* lower_address.c - addresses of objects, and of elements by their index.
 *
 *     s[(y + 8) * 32 + x + 1]      ((y * 32 + x) << 2) + s, 1028 bytes behind it: what is constant in an index goes into
 *                                  the address, through sums and products, as far as nvcc takes it out
 */
#include "cuda/lower.h"

/* A local variable's place is the thread's own; it has one, however often it is declared. */
static void add_local(struct cu_lowering *l, struct cu_variable *variable)
{
    for (uint32_t i = 0; i < l->n_locals; i++) {
        if (l->locals[i] == variable) {
            return;
        }
    }
    if (bsim_cu_grow(l->code.file, &l->locals, l->n_locals, sizeof(struct cu_variable *))) {
        l->locals[l->n_locals] = variable;
        variable->symbol = bsim_cu_text(l->code.file, "%s_local_%u", variable->name, l->n_locals++);
    }
}

struct cu_value bsim_cu_symbol(struct cu_lowering *l, struct cu_variable *variable)
{
    static const enum cu_space spaces[] = {CU_LOCAL_SPACE, CU_SHARED_SPACE, CU_GLOBAL, CU_CONST};
    enum cu_space space = spaces[variable->storage];
    if (space == CU_LOCAL_SPACE) {
        add_local(l, variable);
    }
    return (struct cu_value){.kind = CU_SYMBOL,
                             .class = space == CU_SHARED_SPACE ? CU_I32 : CU_I64,
                             .space = space,
                             .variable = variable};
}

/* Of the bytes more that the address has then so many stay inside to nvcc. */
static struct cu_value plus_inside(struct cu_lowering *l, struct cu_value address, uint64_t bytes, int64_t inside)
{
    bool is_address = l->code.is_address;
    l->code.is_address = true;
    address = bytes == 0 ? address
                         : bsim_cu_compute(&l->code, CU_OP_ADD, false, address,
                                           bsim_cu_constant_of(address.class, bytes));
    l->code.is_address = is_address;
    const struct cu_instruction *sum = bsim_cu_definition(&l->code, &address);
    if (sum != NULL && sum->op == CU_OP_ADD && sum->argument[1].kind == CU_CONSTANT_VALUE) {
        l->code.definition[address.id]->inside = inside;
    }
    return address;
}

struct cu_value bsim_cu_plus(struct cu_lowering *l, struct cu_value address, uint64_t bytes)
{
    if (address.kind == CU_CELLS) {
        address.bits += bytes;
        return address;
    }
    return plus_inside(l, address, bytes, bsim_cu_inside_of(&l->code, &address));
}

/* A sum of an index with constants, times a factor, in the class of an address. */
struct index {
    struct cu_code *code;
    bool is_wide; /* 64 bits, of an index of 32 */
    bool is_signed;
    bool is_inner;     /* the factor is the program's own, not the address's */
    uint64_t constant; /* bytes */
};

static bool has_constant(const struct index *index, const struct cu_value *value, uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(index->code, value);
    uint64_t low;
    if (value->kind == CU_CONSTANT_VALUE ||
        (depth > 0 && bsim_cu_low_part(index->code, value, &low))) {
        return true;
    }
    if (from == NULL || depth == 0 || (index->is_wide && !(from->is_signed && index->is_signed))) {
        return false;
    }
    if (from->op == CU_OP_ADD) {
        return has_constant(index, &from->argument[0], depth - 1) ||
               has_constant(index, &from->argument[1], depth - 1);
    }
    return (from->op == CU_OP_MUL || from->op == CU_OP_SHL) &&
           from->argument[1].kind == CU_CONSTANT_VALUE && from->argument[1].bits < 1024 &&
           has_constant(index, &from->argument[0], depth - 1);
}

static struct cu_value times(const struct index *index, struct cu_value value, uint64_t factor)
{
    if (index->is_wide) {
        return bsim_cu_wide(index->code, value, index->is_signed, factor);
    }
    return index->is_inner ? bsim_cu_compute(index->code, CU_OP_MUL, false, value,
                                             bsim_cu_constant_of(value.class, factor))
                           : bsim_cu_scaled(index->code, value, factor);
}

/* Whether the value is a sum with *low (bits.c), and what is left of it. */
static bool is_with_low(const struct index *index, struct cu_value *value, uint64_t *low)
{
    const struct cu_instruction *from = bsim_cu_definition(index->code, value);
    if (!bsim_cu_low_part(index->code, value, low)) {
        return false;
    }
    *value = from->argument[0];
    if (from->op == CU_OP_AND) {
        const struct cu_instruction *sum = bsim_cu_definition(index->code, value);
        struct cu_value more =
            bsim_cu_constant_of(value->class, sum->argument[1].bits - *low);
        *value = bsim_cu_compute(index->code, CU_OP_ADD, false, sum->argument[0], more);
        *value = bsim_cu_compute(index->code, CU_OP_AND, false, *value, from->argument[1]);
    }
    return true;
}

/* Whether all constants in it are terms of sums. */
static bool is_plain_sum(const struct index *index, const struct cu_value *value, uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(index->code, value);
    uint64_t low;
    if (depth > 0 && bsim_cu_low_part(index->code, value, &low)) {
        return from->op == CU_OP_AND || is_plain_sum(index, &from->argument[0], depth - 1);
    }
    return value->kind == CU_CONSTANT_VALUE || !has_constant(index, value, depth) ||
           (from->op == CU_OP_ADD && is_plain_sum(index, &from->argument[0], depth - 1) &&
            is_plain_sum(index, &from->argument[1], depth - 1));
}

/* The sum without its constants, which are added up; so x + (i + 1) is found as the x + i that it was. */
static struct cu_value strip(struct index *index, struct cu_value value, uint64_t factor,
                             uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(index->code, &value);
    uint64_t low;
    if (value.kind == CU_CONSTANT_VALUE) {
        bool extends = index->is_wide && index->is_signed;
        index->constant +=
            factor * (extends ? (uint64_t)(int64_t)(int32_t)(uint32_t)value.bits : value.bits);
        return bsim_cu_constant_of(value.class, 0);
    }
    if (!has_constant(index, &value, depth)) {
        return value;
    }
    if (is_with_low(index, &value, &low)) {
        index->constant += factor * low;
        return strip(index, value, factor, depth - 1);
    }
    struct cu_value a = strip(index, from->argument[0], factor, depth - 1);
    struct cu_value b = strip(index, from->argument[1], factor, depth - 1);
    return bsim_cu_compute(index->code, CU_OP_ADD, from->is_signed, a, b);
}

/* value * factor without its constants, which are added up. */
static struct cu_value scale(struct index *index, struct cu_value value, uint64_t factor,
                             uint32_t depth)
{
    enum cu_class class = index->is_wide ? CU_I64 : value.class;
    const struct cu_instruction *from = bsim_cu_definition(index->code, &value);
    uint64_t bits;
    if (bsim_cu_is_constant(&value, &bits)) {
        bits =
            index->is_wide && index->is_signed ? (uint64_t)(int64_t)(int32_t)(uint32_t)bits : bits;
        index->constant += bits * factor;
        return bsim_cu_constant_of(class, 0);
    }
    if (!has_constant(index, &value, depth)) {
        return times(index, value, factor);
    }
    if (is_with_low(index, &value, &bits)) {
        index->constant += factor * bits;
        return scale(index, value, factor, depth - 1);
    }
    if (from->op == CU_OP_ADD && is_plain_sum(index, &value, depth)) {
        return times(index, strip(index, value, factor, depth), factor);
    }
    if (from->op == CU_OP_ADD) {
        struct cu_value a = scale(index, from->argument[0], factor, depth - 1);
        struct cu_value b = scale(index, from->argument[1], factor, depth - 1);
        return bsim_cu_compute(index->code, CU_OP_ADD, false, a, b);
    }
    bits = from->argument[1].bits;
    bits = from->op == CU_OP_SHL ? UINT64_C(1) << (bits & 63) : bits;
    if (index->is_wide || index->is_inner) {
        return scale(index, from->argument[0], factor * bits, depth - 1);
    }
    struct index inner = *index;
    inner.is_inner = true;
    inner.constant = 0;
    struct cu_value product = scale(&inner, from->argument[0], bits, depth - 1);
    index->constant += inner.constant * factor;
    return times(index, product, factor);
}

/* An index that was made of 32 bits for an address of 64 is looked at as what it was; a char that was cut of 32 stays. */
static struct cu_value narrow_index(const struct cu_code *code, struct cu_value value,
                                    bool *is_signed)
{
    const struct cu_instruction *from = bsim_cu_definition(code, &value);
    bool is_widened = from != NULL && from->op == CU_OP_CONVERT && value.class == CU_I64;
    if (is_widened && from->argument[0].class == CU_I32) {
        *is_signed = strcmp(from->opcode, "cvt.s64.s32") == 0;
        return from->argument[0];
    }
    return value;
}

struct cu_value bsim_cu_moved(struct cu_lowering *l, struct cu_value address, struct cu_value index,
                              bool is_signed, uint64_t size)
{
    struct cu_code *code = &l->code;
    uint64_t bits;
    if (bsim_cu_is_constant(&index, &bits)) {
        bits =
            index.class == CU_I32 && is_signed ? (uint64_t)(int64_t)(int32_t)(uint32_t)bits : bits;
        return bsim_cu_plus(l, address, bits * size);
    }
    if (address.kind == CU_CELLS) {
        bsim_cu_needs_memory(l, &address);
        return address;
    }
    if (index.kind == CU_REGISTER && code->definition[index.id] != NULL) {
        code->definition[index.id]->is_index = true;
    }
    code->is_address = true;
    if (address.class == CU_I32) {
        index = bsim_cu_resized(code, index, is_signed, CU_I32);
    } else {
        index = narrow_index(code, index, &is_signed);
    }
    struct index sum = {code, address.class == CU_I64 && index.class == CU_I32, is_signed, false, 0};
    int64_t inside = bsim_cu_inside_of(code, &address) + bsim_cu_inside(code, &index) * (int64_t)size;
    struct cu_value offset = scale(&sum, index, size, CU_MOST_SPLITS);
    address = plus_inside(l, bsim_cu_compute(code, CU_OP_ADD, false, address, offset), sum.constant, inside);
    code->is_address = false;
    return address;
}

struct cu_value bsim_cu_base_of(const struct cu_code *code, struct cu_value address, int64_t *offset)
{
    const struct cu_instruction *from = bsim_cu_definition(code, &address);
    struct cu_value base = address;
    uint64_t bits = 0;
    if (address.kind == CU_SYMBOL) {
        bits = address.bits;
        base.bits = 0;
    } else if (from != NULL && from->op == CU_OP_ADD && !from->is_signed &&
               bsim_cu_is_constant(&from->argument[1], &bits)) {
        base = from->argument[0];
        base.space = address.space;
    } else {
        bits = 0;
    }
    *offset = address.class == CU_I32 ? (int64_t)(int32_t)(uint32_t)bits : (int64_t)bits;
    return base;
}
