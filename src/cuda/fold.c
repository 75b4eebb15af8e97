/* fold.c - the values of operations: constants where they are known, sums with constants outermost.
 *
 * Constants go to the outside of sums that wrap: (x + 4) + y is (x + y) + 4, so that addresses which
 * differ by a constant have a register in common. Signed sums of the source do not wrap and stay as
 * they are: that one has no overflow does not say so of another.
 */
#include "cuda/code.h"

#include <math.h>

enum { MOST_EXPONENT = 126 }; /* 2^-n is a plain number, too */

static uint64_t mask_of(enum cu_class class)
{
    return class == CU_I32 ? UINT32_MAX : UINT64_MAX;
}

static bool is_whole(enum cu_class class)
{
    return class == CU_I32 || class == CU_I64;
}

/* ---- opcodes --------------------------------------------------------------------------------- */

static const char *const names[] = {"mul.lo", "div", "rem", "add", "sub", "and",
                                    "or",     "xor", "shl", "shr", "neg", "not"};

/* add.s32, and.b32, shl.b64, mul.f32, div.rn.f32 */
static const char *opcode_of(struct cu_code *code, enum cu_op op, bool is_signed,
                             enum cu_class class)
{
    static const char *const floats[] = {"mul", "div.rn", "", "add", "sub", "",
                                         "",    "",       "", "",    "neg", ""};
    bool is_bits =
        op == CU_OP_AND || op == CU_OP_OR || op == CU_OP_XOR || op == CU_OP_SHL || op == CU_OP_NOT;
    if (class == CU_P) {
        return bsim_cu_text(code->file, "%s.pred", names[op]);
    }
    if (!is_whole(class)) {
        return bsim_cu_text(code->file, "%s.f%u", floats[op], 8 * bsim_cu_class_bytes(class));
    }
    return bsim_cu_text(code->file, "%s.%c%u", names[op],
                        is_bits                        ? 'b'
                        : is_signed || op == CU_OP_NEG ? 's'
                                                       : 'u',
                        8 * bsim_cu_class_bytes(class));
}

static struct cu_value make(struct cu_code *code, enum cu_op op, bool is_signed, struct cu_value a,
                            struct cu_value b)
{
    bool is_one = op == CU_OP_NEG || op == CU_OP_NOT;
    bool is_either = op == CU_OP_MUL || op == CU_OP_AND || op == CU_OP_OR || op == CU_OP_XOR;
    if (is_either && is_whole(a.class) && a.kind == CU_REGISTER && b.kind == CU_REGISTER &&
        a.id > b.id) { /* x ^ y is found again as y ^ x */
        struct cu_value swapped = a;
        a = b;
        b = swapped;
    }
    struct cu_instruction made = {.op = op,
                                  .opcode = opcode_of(code, op, is_signed, a.class),
                                  .is_signed = is_signed,
                                  .n_arguments = is_one ? 1 : 2,
                                  .argument = {a, b}};
    return bsim_cu_value_of(code, &made, a.class);
}

/* ---- constants ------------------------------------------------------------------------------- */

/* The integer of that class. */
static const struct cu_type *whole(enum cu_class class, bool is_signed)
{
    enum cu_kind kind = class == CU_I32 ? CU_INT : CU_LONG;
    return bsim_cu_scalar(is_signed ? kind : kind + 1);
}

static bool fold_whole(enum cu_op op, bool is_signed, enum cu_class class, uint64_t a, uint64_t b,
                       uint64_t *bits)
{
    const struct cu_type *type = whole(class, is_signed);
    bool is_shift = op == CU_OP_SHL || op == CU_OP_SHR;
    return op <= CU_OP_SHR &&
           bsim_cu_fold(CU_MULTIPLY + (enum cu_node_kind)op, type, bsim_cu_wrap(type, a),
                        is_shift ? b : bsim_cu_wrap(type, b), bits);
}

static bool fold_real(enum cu_op op, const struct cu_value *a, const struct cu_value *b,
                      struct cu_value *result)
{
    double x = bsim_cu_as_real(a), y = bsim_cu_as_real(b);
    bool is_single = a->class == CU_F32;
    float s = (float)x, t = (float)y;
    if (op > CU_OP_SUB || op == CU_OP_REM || (op == CU_OP_DIV && y == 0)) {
        return false;
    }
    *result = bsim_cu_constant_real(a->class, op == CU_OP_ADD   ? (is_single ? s + t : x + y)
                                : op == CU_OP_SUB ? (is_single ? s - t : x - y)
                                : op == CU_OP_MUL ? (is_single ? s * t : x * y)
                                                  : (is_single ? s / t : x / y));
    return true;
}

/* x + 0, x * 1, x / 1, x << 0, x | 0 ...: x; x * 0, x & 0: 0. Of whole numbers and predicates. */
static bool fold_neutral(enum cu_op op, struct cu_value a, uint64_t b, struct cu_value *result)
{
    uint64_t all = a.class == CU_P ? 1 : mask_of(a.class);
    bool adds = op == CU_OP_ADD || op == CU_OP_SUB || op == CU_OP_SHL || op == CU_OP_SHR ||
                op == CU_OP_OR || op == CU_OP_XOR;
    bool multiplies = op == CU_OP_MUL || op == CU_OP_DIV;
    if ((adds && b == 0) || (multiplies && b == 1) || (op == CU_OP_AND && b == all)) {
        *result = a;
        return true;
    }
    bool is_zero = ((op == CU_OP_MUL || op == CU_OP_AND) && b == 0) || (op == CU_OP_REM && b == 1);
    if (is_zero || (op == CU_OP_OR && b == all)) {
        *result = bsim_cu_constant_of(a.class, is_zero ? 0 : all);
        return true;
    }
    return false;
}

/* ---- sums and products ----------------------------------------------------------------------- */

/* Whether the value is x + c: *rest and *more. */
static bool splits(const struct cu_code *code, const struct cu_value *value, bool may_be_signed,
                   struct cu_value *rest, uint64_t *more)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    if (from == NULL || from->op != CU_OP_ADD || !is_whole(value->class) ||
        (from->is_signed && !may_be_signed)) {
        return false;
    }
    *rest = from->argument[0];
    rest->space = value->space;
    return bsim_cu_is_constant(&from->argument[1], more);
}

static struct cu_value in_space(struct cu_value value, enum cu_space space)
{
    value.space = space;
    return value;
}

/* (x + c) + y is (x + y) + c here; nvcc leaves c inside for long, where y has no constant itself, and takes both out where
 * it has (inside.c). */
static struct cu_value with_inside(const struct cu_code *code, struct cu_value sum, const struct cu_value *y, uint64_t c)
{
    struct cu_value rest;
    uint64_t more;
    int64_t other = bsim_cu_outside(code, y), inside = other != 0 ? -other : bsim_cu_as_signed(sum.class, c);
    const struct cu_instruction *from = bsim_cu_definition(code, &sum);
    if (sum.space == CU_GENERIC && from != NULL && from->op == CU_OP_ADD && from->argument[1].kind == CU_CONSTANT_VALUE) {
        code->definition[sum.id]->inside = splits(code, y, false, &rest, &more) ? 0 : inside;
    }
    return sum;
}

static struct cu_value add(struct cu_code *code, bool is_signed, struct cu_value a,
                           struct cu_value b)
{
    struct cu_value rest;
    uint64_t bits, more;
    enum cu_space space = a.space != CU_GENERIC ? a.space : b.space;
    if (a.kind == CU_CONSTANT_VALUE || (b.kind == CU_SYMBOL && a.kind != CU_SYMBOL)) {
        struct cu_value swapped = a;
        a = b;
        b = swapped;
    }
    if (a.kind == CU_SYMBOL && bsim_cu_is_constant(&b, &bits)) {
        a.bits += bits;
        return a;
    }
    if (bsim_cu_is_constant(&b, &bits) && splits(code, &a, is_signed, &rest, &more)) {
        bits = (bits + more) & mask_of(a.class);
        return in_space(
            bits == 0 ? rest
                      : make(code, CU_OP_ADD, is_signed, rest, bsim_cu_constant_of(a.class, bits)),
            space);
    }
    if (a.kind == CU_SYMBOL && a.bits != 0 && b.kind == CU_REGISTER) { /* x[c][i] is x[0][i] and more */
        more = a.bits;
        a.bits = 0;
        return add(code, false, add(code, false, a, b), bsim_cu_constant_of(a.class, more));
    }
    if (!is_signed && b.kind != CU_CONSTANT_VALUE && splits(code, &a, false, &rest, &more)) {
        rest = add(code, false, add(code, false, rest, b), bsim_cu_constant_of(a.class, more));
        return with_inside(code, rest, &b, more);
    }
    if (!is_signed && b.kind != CU_CONSTANT_VALUE && splits(code, &b, false, &rest, &more)) {
        rest = add(code, false, add(code, false, a, rest), bsim_cu_constant_of(a.class, more));
        return with_inside(code, rest, &a, more);
    }
    return in_space(make(code, CU_OP_ADD, is_signed, a, b), space);
}

static uint32_t log2_of(uint64_t bits)
{
    uint32_t n = 0;
    while (n < 64 && bits != UINT64_C(1) << n) {
        n++;
    }
    return n;
}

static bool is_not_negative(const struct cu_code *code, const struct cu_value *value)
{
    uint32_t width = 8 * bsim_cu_class_bytes(value->class);
    return (bsim_cu_zeros(code, value) >> (width - 1) & 1) != 0;
}

/* A signed x / 2^n or x % 2^n, rounded towards 0: (x + (x < 0 ? 2^n - 1 : 0)) >> n. */
static struct cu_value by_power(struct cu_code *code, enum cu_op op, struct cu_value x, uint32_t n)
{
    uint32_t width = 8 * bsim_cu_class_bytes(x.class);
    uint64_t power = UINT64_C(1) << n;
    struct cu_value by = bsim_cu_constant_of(CU_I32, n);
    struct cu_value sign = make(code, CU_OP_SHR, true, x, bsim_cu_constant_of(CU_I32, width - 1));
    struct cu_value more =
        make(code, CU_OP_SHR, false, sign, bsim_cu_constant_of(CU_I32, width - n));
    struct cu_value sum = make(code, CU_OP_ADD, true, x, more);
    if (op == CU_OP_DIV) {
        return make(code, CU_OP_SHR, true, sum, by);
    }
    sum = make(code, CU_OP_AND, false, sum,
               bsim_cu_constant_of(x.class, (0 - power) & mask_of(x.class)));
    return make(code, CU_OP_SUB, true, x, sum);
}

/* ---- bits ------------------------------------------------------------------------------------ */

bool bsim_cu_is_with(const struct cu_code *code, const struct cu_value *value, enum cu_op op,
                     struct cu_value *rest, uint64_t *more)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    if (from == NULL || from->op != op || !is_whole(value->class)) {
        return false;
    }
    *rest = from->argument[0];
    return bsim_cu_is_constant(&from->argument[1], more);
}

static struct cu_value with(struct cu_code *code, enum cu_op op, struct cu_value a, uint64_t bits)
{
    return bsim_cu_compute(code, op, false, a, bsim_cu_constant_of(a.class, bits));
}

/* x + c of which some upper bits are wanted: lower ones of c that x has no bits for do not reach them. */
static struct cu_value without_lower(struct cu_code *code, struct cu_value a, uint64_t lower)
{
    struct cu_value rest;
    uint64_t more;
    bool is_sum = bsim_cu_is_with(code, &a, CU_OP_ADD, &rest, &more) ||
                  bsim_cu_is_with(code, &a, CU_OP_OR, &rest, &more);
    if (!is_sum || (more & lower) == 0 || (lower & ~bsim_cu_zeros(code, &rest)) != 0) {
        return a;
    }
    const struct cu_instruction *from = bsim_cu_definition(code, &a);
    return bsim_cu_compute(code, from->op, from->is_signed, rest,
                           bsim_cu_constant_of(a.class, more & ~lower));
}

/* x + c of which bits up to the highest of a mask are wanted: those of c above it are of no use. */
static struct cu_value without_upper(struct cu_code *code, struct cu_value a, uint64_t mask)
{
    struct cu_value rest;
    uint64_t more, wanted = mask;
    for (uint32_t by = 1; by < 64; by *= 2) {
        wanted |= wanted >> by;
    }
    if (!bsim_cu_is_with(code, &a, CU_OP_ADD, &rest, &more) || (more & ~wanted) == 0 ||
        bsim_cu_as_signed(a.class, more) < 0) {
        return a;
    }
    const struct cu_instruction *from = bsim_cu_definition(code, &a);
    more &= wanted;
    return more == 0 ? rest : bsim_cu_compute(code, CU_OP_ADD, from->is_signed, rest, bsim_cu_constant_of(a.class, more));
}

/* Of the number the ones below its lowest 0. */
static uint64_t lowest_ones(uint64_t number)
{
    return number & ~(number + 1);
}

static bool is_of_sums(const struct cu_instruction *k)
{
    return k->op == CU_OP_ADD || k->op == CU_OP_SUB || (k->op == CU_OP_MUL && k->argument[1].kind == CU_CONSTANT_VALUE);
}

/* The registers that there were before the loop whose turns are one, in which the bits of the mask are the same in all turns
 * if all else in the sum is; 0: no such register is in it. */
static uint32_t staying_in(const struct cu_code *code, const struct cu_value *value, uint64_t mask, uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    if (value->kind != CU_REGISTER || depth == 0) {
        return 0;
    }
    if (from == NULL) {
        const struct cu_staying *s = &code->staying[value->id];
        return (mask & ~s->bits) == 0 ? s->n_before : 0;
    }
    bool is_sum = is_of_sums(from);
    uint32_t n = is_sum ? staying_in(code, &from->argument[0], mask, depth - 1) : 0;
    return n == 0 && is_sum ? staying_in(code, &from->argument[1], mask, depth - 1) : n;
}

/* What has those bits before the loop, without what does not reach them; false: they are others in each turn. */
static bool take_staying(struct cu_code *code, struct cu_value *value, uint64_t mask, uint32_t n_before, bool makes)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    if (value->kind == CU_CONSTANT_VALUE || value->id < n_before) {
        value->bits = value->kind == CU_CONSTANT_VALUE ? value->bits & mask : 0;
        return value->kind == CU_CONSTANT_VALUE || value->kind == CU_REGISTER;
    }
    if (value->kind == CU_REGISTER && from == NULL && code->staying[value->id].n_before == n_before) {
        *value = code->staying[value->id].begin;
        return take_staying(code, value, mask, n_before, makes);
    }
    if (from == NULL || !is_of_sums(from)) {
        return false;
    }
    enum cu_op op = from->op;
    bool is_signed = from->is_signed;
    struct cu_value a = from->argument[0], b = from->argument[1];
    if (!take_staying(code, &a, mask, n_before, makes) || !take_staying(code, &b, mask, n_before, makes)) {
        return false;
    }
    *value = makes ? bsim_cu_compute(code, op, is_signed, a, b) : *value;
    return true;
}

/* (i + m) & 3 of an i that each four turns, which are one, add a multiple of 4 to: as it is before the loop. LLVM looks for
 * such again when it has made turns one. */
static struct cu_value as_it_stays(struct cu_code *code, struct cu_value a, uint64_t mask)
{
    enum { MOST_DEEP = 6 };
    uint32_t n_before = (mask & (mask + 1)) == 0 ? staying_in(code, &a, mask, MOST_DEEP) : 0;
    struct cu_value tried = a;
    if (n_before > 0 && take_staying(code, &tried, mask, n_before, false)) {
        (void)take_staying(code, &a, mask, n_before, true);
    }
    return a;
}

/* x & mask: less of the mask, and of what is masked. */
static struct cu_value and_constant(struct cu_code *code, struct cu_value a, uint64_t mask)
{
    struct cu_value rest;
    uint64_t more, zeros;
    /* (i + 1) & 1 of an i that is a multiple of 4 in all turns */
    if (bsim_cu_is_with(code, &a, CU_OP_ADD, &rest, &more) && (mask & ~lowest_ones(bsim_cu_zeros(code, &rest))) == 0) {
        return bsim_cu_constant_of(a.class, mask & more);
    }
    a = as_it_stays(code, a, mask);
    if (bsim_cu_low_bits(code, &a, mask, &more)) {
        return bsim_cu_constant_of(a.class, more & mask);
    }
    if (bsim_cu_is_with(code, &a, CU_OP_AND, &rest, &more)) {
        return with(code, CU_OP_AND, rest, mask & more);
    }
    if (bsim_cu_is_with(code, &a, CU_OP_OR, &rest, &more)) {
        return with(code, CU_OP_OR, with(code, CU_OP_AND, rest, mask & ~more), mask & more);
    }
    a = without_upper(code, without_lower(code, a, (mask & (0 - mask)) - 1), mask);
    zeros = bsim_cu_zeros(code, &a);
    if ((~mask & ~zeros) == 0) {
        return a;
    }
    struct cu_value left = bsim_cu_constant_of(a.class, mask & ~zeros);
    return left.bits == 0 ? left : make(code, CU_OP_AND, false, a, left);
}

/* x | c and x ^ c, which are one where x has no bits of c. */
static struct cu_value or_constant(struct cu_code *code, enum cu_op op, struct cu_value a,
                                   uint64_t bits)
{
    struct cu_value rest;
    uint64_t more;
    if (bsim_cu_is_with(code, &a, op, &rest, &more)) {
        return with(code, op, rest, op == CU_OP_OR ? bits | more : bits ^ more);
    }
    if (op == CU_OP_XOR && (bits & ~bsim_cu_zeros(code, &a)) == 0) {
        return with(code, CU_OP_OR, a, bits);
    }
    if (op == CU_OP_OR && bsim_cu_is_with(code, &a, CU_OP_AND, &rest, &more) &&
        (more | bits) == mask_of(a.class)) {
        a = rest;
    }
    return make(code, op, false, a, bsim_cu_constant_of(a.class, bits));
}

/* A shift to the left goes into what it is of, as nvcc has it: (255 - t) * 4 is 1020 - (t << 2), (t & 15) * 4 is
 * t << 2 & 60, (t >> 1) * 4 is t << 1 & -4. It is of weight where a sign goes before it: ptxas knows what a negative is
 * a multiple of if that is a product which nobody else wants, but not if it is one that was masked (../ptx/scaled.c).
 * The scale of an address goes into bits alone, not into differences. */
static struct cu_value shifted(struct cu_code *code, struct cu_value a, uint32_t by,
                               bool is_address)
{
    uint64_t factor = UINT64_C(1) << by;
    return is_address ? bsim_cu_scaled(code, a, factor)
                      : bsim_cu_compute(code, CU_OP_SHL, false, a, bsim_cu_constant_of(CU_I32, by));
}

/* The result, if it was made just now, is a shift of a as long as that is of use as it stands, too (shift.c). */
static void note_product(struct cu_code *code, const struct cu_value *a, uint32_t by, uint32_t n_made, const struct cu_value *result)
{
    if (code->n_made > n_made && result->kind == CU_REGISTER) {
        code->definition[result->id]->product_of = a->id;
        code->definition[result->id]->shifted_by = by;
    }
}

/* c - x and -x. */
static bool shift_difference(struct cu_code *code, const struct cu_value *a, uint32_t by,
                             struct cu_value *result)
{
    const struct cu_instruction *from = bsim_cu_definition(code, a);
    uint64_t bits = 0;
    bool is_negative = from != NULL && from->op == CU_OP_NEG;
    if (!is_negative && (from == NULL || from->op != CU_OP_SUB ||
                         !bsim_cu_is_constant(&from->argument[0], &bits))) {
        return false;
    }
    struct cu_value x = shifted(code, from->argument[is_negative ? 0 : 1], by, false);
    struct cu_value c = bsim_cu_constant_of(a->class, bits << by);
    uint32_t n_made = code->n_made;
    *result =
        is_negative ? bsim_cu_negated(code, x) : bsim_cu_compute(code, CU_OP_SUB, false, c, x);
    note_product(code, a, by, n_made, result);
    return true;
}

/* (x >> bits) << by. */
static struct cu_value shift_back(struct cu_code *code, const struct cu_instruction *from, uint32_t by, bool is_address)
{
    struct cu_value x = from->argument[0];
    uint32_t bits = (uint32_t)from->argument[1].bits;
    if (bits > by) {
        x = bsim_cu_compute(code, CU_OP_SHR, from->is_signed, x, bsim_cu_constant_of(CU_I32, bits - by));
    } else if (bits < by) {
        x = shifted(code, x, by - bits, is_address);
    }
    return bsim_cu_compute(code, CU_OP_AND, false, x, bsim_cu_constant_of(x.class, ~((UINT64_C(1) << by) - 1)));
}

/* The same where it stands alone: a shift if x >> bits is of use otherwise (shift.c), as it is to what makes instructions anew when that is
 * known. Of a signed number the bits that come in again stay, and in an address it is a shift in any case. */
static bool shift_shift(struct cu_code *code, const struct cu_value *a, uint32_t by, bool is_address, struct cu_value *result)
{
    const struct cu_instruction *from = bsim_cu_definition(code, a);
    uint64_t bits = from->argument[1].bits;
    bool is_mask = bits == by && (from->is_signed || !is_address), stays = from->is_signed && (bits > by || is_address);
    if (!is_mask && (stays || code->is_exact)) {
        return false;
    }
    uint32_t n_made = code->n_made;
    *result = shift_back(code, from, by, is_address);
    if (!is_mask) {
        note_product(code, a, by, n_made, result);
    }
    return true;
}

static bool shift_inside(struct cu_code *code, const struct cu_value *a, uint32_t by,
                          bool is_address, struct cu_value *result)
{
    const struct cu_instruction *from = bsim_cu_definition(code, a);
    struct cu_value rest, inner;
    uint64_t bits, more;
    if (from == NULL || (!is_address && shift_difference(code, a, by, result))) {
        return from != NULL;
    }
    if (!bsim_cu_is_with(code, a, from->op, &rest, &bits)) {
        return false;
    }
    bool is_sum = bsim_cu_is_with(code, &rest, CU_OP_ADD, &inner, &more);
    if ((from->op == CU_OP_AND && !is_sum) || from->op == CU_OP_OR || from->op == CU_OP_XOR) {
        struct cu_value c = bsim_cu_constant_of(a->class, bits << by);
        bool is_masked = from->op == CU_OP_AND && bsim_cu_is_with(code, &rest, CU_OP_SHR, &inner, &more);
        rest = is_masked ? shift_back(code, bsim_cu_definition(code, &rest), by, is_address) : shifted(code, rest, by, is_address);
        *result = bsim_cu_compute(code, from->op, false, rest, c);
        return true;
    }
    if (from->op == CU_OP_SHR) {
        return shift_shift(code, a, by, is_address, result);
    }
    if (from->op == CU_OP_SHL) {
        bool is_out = bits + by >= 8 * bsim_cu_class_bytes(a->class);
        *result = is_out ? bsim_cu_constant_of(a->class, 0)
                         : shifted(code, rest, (uint32_t)bits + by, is_address);
        return true;
    }
    if (from->op == CU_OP_MUL) {
        struct cu_value c = bsim_cu_constant_of(a->class, bits << by);
        *result = bsim_cu_compute(code, CU_OP_MUL, false, rest, c);
        return true;
    }
    return false;
}

/* (x >> n) << n is x & -(1 << n); to (x | c) >> n and (x & c) >> n lower bits of c do not matter. */
static struct cu_value shift(struct cu_code *code, enum cu_op op, bool is_signed, struct cu_value a,
                             uint64_t by, bool is_address)
{
    struct cu_value rest, inside;
    uint64_t more, lower = (UINT64_C(1) << by) - 1;
    is_signed = is_signed && !is_not_negative(code, &a);
    if (op == CU_OP_SHL && shift_inside(code, &a, (uint32_t)by, is_address, &inside)) {
        return inside;
    }
    if (op == CU_OP_SHR && bsim_cu_is_with(code, &a, CU_OP_AND, &rest, &more)) {
        a = with(code, CU_OP_AND, rest, more & ~lower);
    } else if (op == CU_OP_SHR) {
        a = without_lower(code, a, lower);
    }
    if (op == CU_OP_SHR && !is_signed && bsim_cu_is_with(code, &a, CU_OP_OR, &rest, &more)) {
        return with(code, CU_OP_OR, shift(code, op, false, rest, by, false), more >> by);
    }
    return make(code, op, op == CU_OP_SHL || is_signed, a, bsim_cu_constant_of(CU_I32, by));
}

static bool has_constant_term(const struct cu_code *code, const struct cu_value *value)
{
    struct cu_value rest, inner;
    uint64_t more;
    return bsim_cu_is_with(code, value, CU_OP_ADD, &rest, &more) ||
           (bsim_cu_is_with(code, value, CU_OP_SHL, &rest, &more) &&
            bsim_cu_is_with(code, &rest, CU_OP_ADD, &inner, &more));
}

/* Of two that have no bits in common x | y and x ^ y are x + y; but not if there are constants in them, which
 * nvcc does not get out of there. (x & c) | (x & d) is x & (c | d). */
static struct cu_value either_bits(struct cu_code *code, enum cu_op op, bool is_signed,
                                   struct cu_value a, struct cu_value b)
{
    struct cu_value x, y;
    uint64_t c, d;
    if ((~bsim_cu_zeros(code, &a) & ~bsim_cu_zeros(code, &b)) != 0) {
        return make(code, op, is_signed, a, b);
    }
    if (bsim_cu_is_with(code, &a, CU_OP_AND, &x, &c) && bsim_cu_is_with(code, &b, CU_OP_AND, &y, &d) &&
        bsim_cu_same_value(&x, &y)) {
        return with(code, CU_OP_AND, x, c | d);
    }
    bool is_sum = !has_constant_term(code, &a) && !has_constant_term(code, &b);
    return is_sum ? add(code, is_signed, a, b) : make(code, CU_OP_OR, is_signed, a, b);
}

/* By a power of two: shifts, as compilers have them. */
static struct cu_value by_constant(struct cu_code *code, enum cu_op op, bool is_signed,
                                   struct cu_value a, struct cu_value b)
{
    uint32_t n = log2_of(b.bits);
    bool divides = op == CU_OP_DIV || op == CU_OP_REM;
    is_signed = is_signed && !(divides && is_not_negative(code, &a) && is_not_negative(code, &b));
    if (n < 64 && op == CU_OP_MUL) {
        return shift(code, CU_OP_SHL, is_signed, a, n, false);
    }
    if (n < 64 && op == CU_OP_DIV && !is_signed) {
        return shift(code, CU_OP_SHR, false, a, n, false);
    }
    if (op == CU_OP_AND || (n < 64 && op == CU_OP_REM && !is_signed)) {
        return and_constant(code, a, op == CU_OP_AND ? b.bits : b.bits - 1);
    }
    if (op == CU_OP_OR || op == CU_OP_XOR) {
        return or_constant(code, op, a, b.bits);
    }
    bool is_signed_power = is_signed && n > 0 && n + 1 < 8 * bsim_cu_class_bytes(a.class);
    return is_signed_power && (op == CU_OP_DIV || op == CU_OP_REM)
               ? by_power(code, op, a, n)
               : make(code, op, is_signed, a, b);
}

/* -x + y is y - x, and x - -y is x + y; not of an address, which is a sum. */
static bool is_negative(const struct cu_code *code, const struct cu_value *value,
                        struct cu_value *positive)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    bool is_negative = from != NULL && from->op == CU_OP_NEG;
    *positive = is_negative ? from->argument[0] : *value;
    return is_negative;
}

/* Whether the value is x + y, or y + x: *x. */
static bool is_sum_with(const struct cu_code *code, const struct cu_value *value,
                        const struct cu_value *y, struct cu_value *x)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    if (from == NULL || from->op != CU_OP_ADD) {
        return false;
    }
    bool is_first = bsim_cu_same_value(&from->argument[0], y);
    *x = from->argument[is_first ? 1 : 0];
    return is_first || bsim_cu_same_value(&from->argument[1], y);
}

/* c - x, where x has a constant itself; 2^n - 1 - x is x ^ 2^n - 1 of an x below 2^n. */
static struct cu_value from_constant(struct cu_code *code, bool is_signed, struct cu_value c,
                                     struct cu_value x)
{
    struct cu_value rest, inner;
    uint64_t more, factor;
    if (bsim_cu_is_with(code, &x, CU_OP_ADD, &rest, &more)) {
        return from_constant(code, is_signed, bsim_cu_constant_of(c.class, c.bits - more), rest);
    }
    if (bsim_cu_is_with(code, &x, CU_OP_SHL, &rest, &factor) &&
        bsim_cu_is_with(code, &rest, CU_OP_ADD, &inner, &more)) {
        inner = shift(code, CU_OP_SHL, is_signed, inner, factor, false);
        c = bsim_cu_constant_of(c.class, c.bits - (more << factor));
        return from_constant(code, is_signed, c, inner);
    }
    if (bsim_cu_is_with(code, &x, CU_OP_MUL, &rest, &more)) {
        struct cu_value negative = make(code, CU_OP_MUL, is_signed, rest,
                                        bsim_cu_constant_of(c.class, 0 - more));
        return add(code, false, negative, c);
    }
    bool is_mask = (c.bits & (c.bits + 1)) == 0;
    if (is_mask && (~bsim_cu_zeros(code, &x) & ~c.bits) == 0) {
        return or_constant(code, CU_OP_XOR, x, c.bits);
    }
    return make(code, CU_OP_SUB, is_signed, c, x);
}

/* x - x, x ^ x, x & x and x | x. */
static bool fold_same(enum cu_op op, const struct cu_value *a, const struct cu_value *b, struct cu_value *result)
{
    bool is_itself = op == CU_OP_AND || op == CU_OP_OR;
    *result = is_itself ? *a : bsim_cu_constant_of(a->class, 0);
    return (is_itself || op == CU_OP_SUB || op == CU_OP_XOR) && bsim_cu_same_value(a, b) && a->kind == CU_REGISTER;
}

static struct cu_value compute_whole(struct cu_code *code, enum cu_op op, bool is_signed,
                                     struct cu_value a, struct cu_value b)
{
    uint64_t x, y;
    struct cu_value result;
    bool is_shift = op == CU_OP_SHL || op == CU_OP_SHR;
    bool is_known = bsim_cu_is_constant(&a, &x);
    if (fold_same(op, &a, &b, &result)) {
        return result;
    }
    if (bsim_cu_is_constant(&b, &y)) {
        if (is_known && fold_whole(op, is_signed, a.class, x, y, &x)) {
            return bsim_cu_constant_of(a.class, x & mask_of(a.class));
        }
        if (fold_neutral(op, a, y, &result)) {
            return result;
        }
        if (op == CU_OP_SUB) {
            return add(code, is_signed, a, bsim_cu_constant_of(a.class, 0 - y));
        }
    } else if (is_known && (op == CU_OP_ADD || op == CU_OP_MUL || op == CU_OP_AND ||
                            op == CU_OP_OR || op == CU_OP_XOR)) {
        return compute_whole(code, op, is_signed, b, a);
    }
    bool is_number = a.space == CU_GENERIC && b.space == CU_GENERIC;
    if (op == CU_OP_ADD && is_number && is_negative(code, &a, &result)) {
        return compute_whole(code, CU_OP_SUB, is_signed, b, result);
    }
    if ((op == CU_OP_ADD || op == CU_OP_SUB) && is_number && is_negative(code, &b, &result)) {
        op = op == CU_OP_ADD ? CU_OP_SUB : CU_OP_ADD;
        return compute_whole(code, op, is_signed, a, result);
    }
    if (op == CU_OP_ADD) {
        return add(code, is_signed, a, b);
    }
    if (op == CU_OP_SUB && is_known) {
        return from_constant(code, is_signed, a, b);
    }
    if (op == CU_OP_SUB && is_sum_with(code, &b, &a, &result)) {
        return bsim_cu_negated(code, result);
    }
    if (b.kind != CU_CONSTANT_VALUE) {
        return op == CU_OP_OR || op == CU_OP_XOR ? either_bits(code, op, is_signed, a, b)
                                                 : make(code, op, is_signed, a, b);
    }
    return is_shift && y < 8 * bsim_cu_class_bytes(a.class) ? shift(code, op, is_signed, a, y, false)
           : is_shift ? make(code, op, is_signed, a, b)
                      : by_constant(code, op, is_signed, a, b);
}

/* x / 2^n is x * 2^-n, 1 / x has an instruction, x - c is x + -c, and what is negated is so behind a product or a sum. */
static struct cu_value compute_real(struct cu_code *code, enum cu_op op, struct cu_value a,
                                    struct cu_value b)
{
    const struct cu_instruction *left = bsim_cu_definition(code, &a);
    const struct cu_instruction *right = bsim_cu_definition(code, &b);
    bool is_left = left != NULL && left->op == CU_OP_NEG;
    bool is_right = right != NULL && right->op == CU_OP_NEG;
    bool is_known = b.kind == CU_CONSTANT_VALUE;
    int exponent;
    if (op == CU_OP_DIV && is_known && fabs(frexp(bsim_cu_as_real(&b), &exponent)) == 0.5 &&
        exponent > -MOST_EXPONENT && exponent < MOST_EXPONENT) {
        return compute_real(code, CU_OP_MUL, a, bsim_cu_constant_real(b.class, 1 / bsim_cu_as_real(&b)));
    }
    if (op == CU_OP_DIV && a.kind == CU_CONSTANT_VALUE && bsim_cu_as_real(&a) == 1) {
        return bsim_cu_operation(code, CU_OP_OTHER, a.class == CU_F32 ? "rcp.rn.f32" : "rcp.rn.f64",
                                 a.class, &b, 1);
    }
    if (op == CU_OP_MUL && is_left && (is_right || is_known)) {
        return make(code, op, false, left->argument[0],
                    is_right ? right->argument[0] : bsim_cu_negated(code, b));
    }
    if (op == CU_OP_MUL && (is_left || is_right)) {
        return bsim_cu_negated(code, make(code, op, false, is_left ? left->argument[0] : a,
                                          is_right ? right->argument[0] : b));
    }
    if (op == CU_OP_ADD && is_left) {
        return compute_real(code, CU_OP_SUB, b, left->argument[0]);
    }
    if ((op == CU_OP_ADD || op == CU_OP_SUB) && (is_right || (is_known && op == CU_OP_SUB))) {
        return make(code, op == CU_OP_ADD ? CU_OP_SUB : CU_OP_ADD, false, a,
                    is_right ? right->argument[0] : bsim_cu_negated(code, b));
    }
    return a.kind == CU_CONSTANT_VALUE && (op == CU_OP_ADD || op == CU_OP_MUL)
               ? make(code, op, false, b, a)
               : make(code, op, false, a, b);
}

struct cu_value bsim_cu_scaled(struct cu_code *code, struct cu_value a, uint64_t factor)
{
    uint32_t n = log2_of(factor);
    return a.kind != CU_CONSTANT_VALUE && n > 0 && n < 8 * bsim_cu_class_bytes(a.class)
               ? shift(code, CU_OP_SHL, false, a, n, true)
               : bsim_cu_compute(code, CU_OP_MUL, false, a, bsim_cu_constant_of(a.class, factor));
}

struct cu_value bsim_cu_compute(struct cu_code *code, enum cu_op op, bool is_signed,
                                struct cu_value a, struct cu_value b)
{
    struct cu_value result;
    if (a.class == CU_P) {
        if (a.kind == CU_CONSTANT_VALUE) {
            result = a;
            a = b;
            b = result;
        }
        return b.kind == CU_CONSTANT_VALUE && fold_neutral(op, a, b.bits, &result)
                   ? result
                   : make(code, op, false, a, b);
    }
    if (is_whole(a.class)) {
        return compute_whole(code, op, is_signed, a, b);
    }
    if (a.kind == CU_CONSTANT_VALUE && b.kind == CU_CONSTANT_VALUE &&
        fold_real(op, &a, &b, &result)) {
        return result;
    }
    return compute_real(code, op, a, b);
}

struct cu_value bsim_cu_negated(struct cu_code *code, struct cu_value a)
{
    if (a.kind == CU_CONSTANT_VALUE && is_whole(a.class)) {
        return bsim_cu_constant_of(a.class, 0 - a.bits);
    }
    if (a.kind == CU_CONSTANT_VALUE) {
        return bsim_cu_constant_real(a.class, -bsim_cu_as_real(&a));
    }
    const struct cu_instruction *from = bsim_cu_definition(code, &a);
    bool is_twice = from != NULL && from->op == CU_OP_NEG && !is_whole(a.class);
    return is_twice ? from->argument[0] : make(code, CU_OP_NEG, true, a, a);
}

struct cu_value bsim_cu_inverted(struct cu_code *code, struct cu_value a)
{
    const struct cu_instruction *from = bsim_cu_definition(code, &a);
    if (a.kind == CU_CONSTANT_VALUE) {
        return bsim_cu_constant_of(a.class, a.class == CU_P ? !a.bits : ~a.bits);
    }
    return from != NULL && from->op == CU_OP_NOT ? from->argument[0]
                                                 : make(code, CU_OP_NOT, false, a, a);
}

/* ---- comparisons ----------------------------------------------------------------------------- */

/* Of floating numbers != holds for what is no number, the others do not. */
static bool fold_comparison(enum cu_node_kind relation, bool is_signed, const struct cu_value *a,
                            const struct cu_value *b, bool *result)
{
    if (a->kind != CU_CONSTANT_VALUE || b->kind != CU_CONSTANT_VALUE) {
        return false;
    }
    if (is_whole(a->class)) {
        const struct cu_type *type = whole(a->class, is_signed);
        uint64_t x = bsim_cu_wrap(type, a->bits), y = bsim_cu_wrap(type, b->bits);
        *result = bsim_cu_holds(relation, is_signed ? (int64_t)x < (int64_t)y : x < y, x == y);
        return true;
    }
    double x = bsim_cu_as_real(a), y = bsim_cu_as_real(b);
    *result =
        isnan(x) || isnan(y) ? relation == CU_UNEQUAL : bsim_cu_holds(relation, x < y, x == y);
    return true;
}

/* Whether the limits of a number leave no doubt how it compares with a constant. */
static bool fold_limited(const struct cu_code *code, enum cu_node_kind relation, bool is_signed, const struct cu_value *a,
                         const struct cu_value *b, bool *result)
{
    static const enum cu_node_kind turned[] = {CU_EQUAL, CU_UNEQUAL, CU_GREATER, CU_GREATER_EQUAL, CU_LESS, CU_LESS_EQUAL};
    int64_t low, high, other = bsim_cu_as_signed(b->class, b->bits);
    if (a->kind == CU_CONSTANT_VALUE && b->kind == CU_REGISTER) {
        return fold_limited(code, turned[relation - CU_EQUAL], is_signed, b, a, result);
    }
    bool is_limited = b->kind == CU_CONSTANT_VALUE && bsim_cu_limits_of(code, a, &low, &high);
    if (!is_limited || (!is_signed && (other < 0 || low < 0))) {
        return false;
    }
    bool is_apart = other < low || other > high;
    *result = bsim_cu_holds(relation, high < other, false);
    if (relation == CU_EQUAL || relation == CU_UNEQUAL || is_apart) {
        return is_apart;
    }
    *result = bsim_cu_holds(relation, low < other, low == other);
    return *result == bsim_cu_holds(relation, high < other, high == other);
}

/* (int)p == (int)q of two truths is whether they are not unequal. */
static bool compare_truths(struct cu_code *code, enum cu_node_kind relation, const struct cu_value *a, const struct cu_value *b,
                           struct cu_value *result)
{
    const struct cu_instruction *x = bsim_cu_definition(code, a), *y = bsim_cu_definition(code, b);
    bool are_truths = x != NULL && y != NULL && x->op == CU_OP_SELECT && y->op == CU_OP_SELECT;
    for (uint32_t i = 0; i < 2 && are_truths; i++) {
        const struct cu_value *c = &(i == 0 ? x : y)->argument[0];
        are_truths = is_whole(c->class) && c->kind == CU_CONSTANT_VALUE && c->bits == 1 && bsim_cu_is_zero(c + 1);
    }
    if (!are_truths || (relation != CU_EQUAL && relation != CU_UNEQUAL)) {
        return false;
    }
    *result = bsim_cu_operation(code, CU_OP_XOR, "xor.pred", CU_P, (struct cu_value[]){x->argument[2], y->argument[2]}, 2);
    *result = relation == CU_EQUAL ? bsim_cu_inverted(code, *result) : *result;
    return true;
}

struct cu_value bsim_cu_compare(struct cu_code *code, enum cu_node_kind relation, bool is_signed,
                                struct cu_value a, struct cu_value b)
{
    static const char *const words[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    bool result;
    if (fold_comparison(relation, is_signed, &a, &b, &result) || fold_limited(code, relation, is_signed, &a, &b, &result)) {
        return bsim_cu_constant_of(CU_P, result);
    }
    struct cu_value truth;
    if (compare_truths(code, relation, &a, &b, &truth)) {
        return truth;
    }
    bool is_bits = relation == CU_EQUAL || relation == CU_UNEQUAL;
    const char *word = words[relation - CU_EQUAL];
    uint32_t width = 8 * bsim_cu_class_bytes(a.class);
    const char *opcode =
        is_whole(a.class)
            ? bsim_cu_text(code->file, "setp.%s.%c%u", word, is_bits || is_signed ? 's' : 'u',
                           width)
            : bsim_cu_text(code->file, "setp.%s.f%u", relation == CU_UNEQUAL ? "neu" : word, width);
    return bsim_cu_operation(code, CU_OP_COMPARE, opcode, CU_P, (struct cu_value[]){a, b}, 2);
}

struct cu_value bsim_cu_select(struct cu_code *code, struct cu_value condition, struct cu_value a,
                               struct cu_value b)
{
    static const char *const opcodes[] = {"", "selp.b32", "selp.b64", "selp.f32", "selp.f64"};
    if (condition.kind == CU_CONSTANT_VALUE) {
        return condition.bits != 0 ? a : b;
    }
    if (bsim_cu_same_value(&a, &b)) {
        return a;
    }
    struct cu_value value = bsim_cu_operation(code, CU_OP_SELECT, opcodes[a.class], a.class,
                                              (struct cu_value[]){a, b, condition}, 3);
    return in_space(value, a.space);
}
