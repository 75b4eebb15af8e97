/* distance.c - whether an address is always above another one, or always beside it.
 *
 *     for (i = 1; i < n; i++)        s[t * 32] is not among the s[t * 32 + i]: i is 1 or more in all turns,
 *         s[t * 32] += s[t * 32 + i];    so that the sum may be kept in a register
 *
 * Both are sums of products of numbers by constants. What is left of their difference is to be what a loop counts upwards
 * from a known number above 0, as it stands: LLVM sees that x + i is not x then (isKnownNonEqual), but not that x + i + 1 is
 * not, where i begins at 0, nor x + 32 * i; and not of s[0] and s[i]. Where turns are one (code.least
 * below 0), x + i + 1 is the next one's.
 *
 * Of s[n * 17 + 1] and s[t * 17] the numbers may be any: the difference is no multiple of 17 elements (BasicAA's greatest
 * common divisor). LLVM takes an index for a constant and a number, times a constant; of a sum of numbers it knows the bits
 * that are 0 at most: s[n * 17 + m + 1] may be s[t * 17 + m].
 *
 * Graded measured: nvcc 13.0, tests/kernels/loops.cu, tests/kernels/beside.cu.
 */
#include "cuda/lower.h"

enum { MOST_TERMS = 8, MOST_DEEP = 8, MOST_FACTOR = 1 << 24 };

/* A sum of registers, and of a constant. */
struct sum {
    const struct cu_code *code;
    struct {
        uint32_t id;
        int64_t factor;
    } term[MOST_TERMS];
    uint32_t n;
    int64_t constant;
};

static bool add_term(struct sum *sum, uint32_t id, int64_t factor)
{
    uint32_t i = 0;
    while (i < sum->n && sum->term[i].id != id) {
        i++;
    }
    if (i == MOST_TERMS) {
        return false;
    }
    sum->n += i == sum->n;
    sum->term[i].factor = sum->term[i].id == id ? sum->term[i].factor + factor : factor;
    sum->term[i].id = id;
    return true;
}

static bool is_multiplied(const struct cu_instruction *from)
{
    return (from->op == CU_OP_MUL || from->op == CU_OP_SHL || from->op == CU_OP_WIDE) && from->n_arguments == 2 &&
           from->argument[1].kind == CU_CONSTANT_VALUE;
}

static bool add(struct sum *sum, const struct cu_value *value, int64_t factor, uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(sum->code, value);
    if (value->kind == CU_CONSTANT_VALUE || value->kind == CU_SYMBOL) { /* of one variable, which goes out */
        sum->constant += factor * (value->kind == CU_SYMBOL ? (int64_t)value->bits
                                                            : bsim_cu_as_signed(value->class, value->bits));
        return true;
    }
    if (value->kind != CU_REGISTER || factor > MOST_FACTOR || factor < -MOST_FACTOR) {
        return false;
    }
    if (from != NULL && depth > 0 && from->op == CU_OP_NAME) {
        return add(sum, &from->argument[0], factor, depth - 1);
    }
    if (from != NULL && depth > 0 && (from->op == CU_OP_ADD || from->op == CU_OP_SUB)) {
        return add(sum, &from->argument[0], factor, depth - 1) &&
               add(sum, &from->argument[1], from->op == CU_OP_SUB ? -factor : factor, depth - 1);
    }
    if (from != NULL && depth > 0 && is_multiplied(from)) {
        int64_t by = bsim_cu_as_signed(from->argument[1].class, from->argument[1].bits);
        by = from->op == CU_OP_SHL ? INT64_C(1) << (by & 31) : by;
        return add(sum, &from->argument[0], factor * by, depth - 1);
    }
    return add_term(sum, value->id, factor);
}

bool bsim_cu_is_above(const struct cu_code *code, const struct cu_value *a, const struct cu_value *b, int64_t bytes,
                      int64_t offset, bool is_kept)
{
    struct sum sum = {.code = code};
    if (a->class != CU_I32 || b->class != CU_I32 || !add(&sum, b, -1, MOST_DEEP) || sum.n == 0 ||
        !add(&sum, a, 1, MOST_DEEP)) {
        return false;
    }
    uint32_t n = 0, at = 0;
    for (uint32_t i = 0; i < sum.n; i++) {
        n += sum.term[i].factor != 0;
        at = sum.term[i].factor != 0 ? i : at;
    }
    int64_t least = n == 1 ? code->least[sum.term[at].id] : 0, more = sum.constant + offset;
    bool is_such = least > 0 ? more == 0 : is_kept && more >= 0;
    return least != 0 && is_such && sum.term[at].factor == bytes;
}

/* A whole number times the factor, as LLVM takes it apart. */
static bool add_linear(struct sum *sum, const struct cu_value *value, int64_t factor, uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(sum->code, value);
    if (value->kind == CU_CONSTANT_VALUE) {
        sum->constant += factor * bsim_cu_as_signed(value->class, value->bits);
        return true;
    }
    if (value->kind != CU_REGISTER || factor > MOST_FACTOR || factor < -MOST_FACTOR) {
        return false;
    }
    if (from != NULL && depth > 0 && is_multiplied(from)) {
        int64_t by = bsim_cu_as_signed(from->argument[1].class, from->argument[1].bits);
        by = from->op == CU_OP_SHL ? INT64_C(1) << (by & 31) : by;
        return add_linear(sum, &from->argument[0], factor * by, depth - 1);
    }
    for (uint32_t i = 0; from != NULL && depth > 0 && (from->op == CU_OP_ADD || from->op == CU_OP_SUB) && i < 2; i++) {
        if (from->argument[i].kind == CU_CONSTANT_VALUE) {
            bool is_less = from->op == CU_OP_SUB;
            return add_linear(sum, &from->argument[0], factor, depth - 1) &&
                   add_linear(sum, &from->argument[1], is_less ? -factor : factor, depth - 1);
        }
    }
    return add_term(sum, value->id, factor);
}

/* An address: an object's, and indices one after the other. */
static bool add_place(struct sum *sum, const struct cu_value *value, int64_t factor, uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(sum->code, value);
    if (value->kind == CU_SYMBOL) {
        sum->constant += factor * (int64_t)value->bits;
        return true;
    }
    if (from != NULL && depth > 0 && from->op == CU_OP_NAME) {
        return add_place(sum, &from->argument[0], factor, depth - 1);
    }
    if (from != NULL && depth > 0 && (from->op == CU_OP_ADD || from->op == CU_OP_SUB)) {
        bool is_second = from->argument[1].space != CU_GENERIC;
        return add_place(sum, &from->argument[is_second], factor, depth - 1) &&
               add_linear(sum, &from->argument[!is_second], from->op == CU_OP_SUB ? -factor : factor, depth - 1);
    }
    return value->kind == CU_REGISTER && add_term(sum, value->id, factor);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* What the constants that stay inside of an index are multiples of. */
static uint64_t factor_of(int64_t inside)
{
    return (uint64_t)inside & (0 - (uint64_t)inside);
}

/* Whether both are one sum in the end, and constants, which nvcc sees. */
static bool is_one_sum(const struct cu_code *code, const struct cu_place_of *a, const struct cu_place_of *b)
{
    struct sum sum = {.code = code};
    if (a->base->class != CU_I32 || !add(&sum, a->base, 1, MOST_DEEP) || !add(&sum, b->base, -1, MOST_DEEP)) {
        return false;
    }
    for (uint32_t i = 0; i < sum.n; i++) {
        if (sum.term[i].factor != 0) {
            return false;
        }
    }
    struct cu_place_of moved = *a;
    moved.offset += sum.constant;
    return (moved.offset >= b->offset + b->bytes || b->offset >= moved.offset + moved.bytes) &&
           bsim_cu_is_apart(code, &moved, b);
}

bool bsim_cu_is_beside(const struct cu_code *code, const struct cu_place_of *a, const struct cu_place_of *b)
{
    struct sum sum = {.code = code};
    uint64_t by = common_divisor(factor_of(a->inside), factor_of(b->inside));
    if ((a->is_here && is_one_sum(code, a, b)) || (a->inside != b->inside && bsim_cu_is_apart(code, a, b))) {
        return true;
    }
    if (!add_place(&sum, a->base, 1, MOST_DEEP) || !add_place(&sum, b->base, -1, MOST_DEEP)) {
        return false;
    }
    for (uint32_t i = 0; i < sum.n; i++) {
        struct cu_value value = {.kind = CU_REGISTER, .class = code->class[sum.term[i].id], .id = sum.term[i].id};
        uint64_t nonzero = sum.term[i].factor != 0 ? ~bsim_cu_zeros(code, &value) : 0;
        uint64_t times = (uint64_t)(sum.term[i].factor < 0 ? -sum.term[i].factor : sum.term[i].factor);
        by = common_divisor((nonzero & (0 - nonzero)) * times, by);
    }
    if (by == 0 || by > MOST_FACTOR) {
        return false;
    }
    int64_t rest = (sum.constant + a->offset - a->inside - b->offset + b->inside) % (int64_t)by;
    rest += rest < 0 ? (int64_t)by : 0;
    return rest >= b->bytes && (int64_t)by - rest >= a->bytes;
}
