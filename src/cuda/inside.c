/* inside.c - constants that stay inside of an index to nvcc when it asks which accesses meet.
 *
 *     s[n + m + 1], s[n + m + 2]               they don't: one number, and constants
 *     s[(n + 1) * 17 + m], s[(n + 2) * 17 + m] they may: n * 17 + 17 + m is a number to it, and n * 17 + 34 + m another one
 *
 * Addresses have all constants outside in the end (lower_address.c), as nvcc's have; but it asks before that. It takes a
 * constant out of a product by one, and of a sum of which both parts have one, but none out of a sum of two numbers; and
 * 4 * n + 1 is 4 * n | 1 to it, of which a product takes nothing out. Of two numbers that differ it knows at most that
 * their lowest bits do.
 *
 * Graded measured: nvcc 13.0, tests/kernels/inside.cu.
 */
#include "cuda/lower.h"

enum { MOST_DEEP = 8 };

/* Of an index: the constant that stands outside, as a term of a sum or as bits that nothing else has; and the rest. */
struct parts {
    int64_t outside, inside;
    bool is_sum;
};

static struct parts parts_of(const struct cu_code *code, const struct cu_value *value, uint32_t depth);

/* x + c: where x has no bits of c it is x | c. */
static struct parts of_constant_sum(const struct cu_code *code, const struct cu_instruction *from, uint32_t depth)
{
    const struct cu_value *c = &from->argument[1];
    struct parts p = parts_of(code, &from->argument[0], depth - 1);
    uint64_t zeros = bsim_cu_zeros(code, &from->argument[0]);
    p.outside += bsim_cu_as_signed(c->class, c->bits) - from->inside;
    p.inside += from->inside;
    p.is_sum = p.is_sum || (c->bits & ~zeros) != 0;
    return p;
}

static struct parts of_sum(const struct cu_code *code, const struct cu_instruction *from, uint32_t depth)
{
    struct parts a = parts_of(code, &from->argument[0], depth - 1), b = parts_of(code, &from->argument[1], depth - 1);
    int64_t sign = from->op == CU_OP_SUB ? -1 : 1;
    bool are_both = a.is_sum && b.is_sum && a.outside != 0 && b.outside != 0;
    struct parts p = {.inside = a.inside + sign * b.inside, .outside = a.outside + sign * b.outside, .is_sum = are_both};
    p.inside += are_both ? 0 : p.outside;
    p.outside = are_both ? p.outside : 0;
    return p;
}

static struct parts of_product(const struct cu_code *code, const struct cu_instruction *from, uint32_t depth)
{
    struct parts p = parts_of(code, &from->argument[0], depth - 1);
    int64_t by = bsim_cu_as_signed(from->argument[1].class, from->argument[1].bits);
    by = from->op == CU_OP_SHL ? INT64_C(1) << (by & 31) : by;
    p.inside = (int64_t)((uint64_t)p.inside * (uint64_t)by);
    p.outside = (int64_t)((uint64_t)p.outside * (uint64_t)by);
    return p;
}

static struct parts parts_of(const struct cu_code *code, const struct cu_value *value, uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    if (from == NULL || depth == 0) {
        return (struct parts){0};
    }
    bool has_constant = from->n_arguments == 2 && from->argument[1].kind == CU_CONSTANT_VALUE;
    uint64_t low;
    if (from->op == CU_OP_CONVERT) {
        return parts_of(code, &from->argument[0], depth - 1);
    }
    if (from->op == CU_OP_ADD && has_constant) {
        return of_constant_sum(code, from, depth);
    }
    if (from->op == CU_OP_OR && bsim_cu_low_part(code, value, &low)) {
        struct parts p = parts_of(code, &from->argument[0], depth - 1);
        p.outside += (int64_t)low;
        return p;
    }
    if (from->op == CU_OP_ADD || (from->op == CU_OP_SUB && from->argument[0].kind != CU_CONSTANT_VALUE)) {
        return of_sum(code, from, depth);
    }
    return (from->op == CU_OP_MUL || from->op == CU_OP_SHL) && has_constant ? of_product(code, from, depth)
                                                                           : (struct parts){0};
}

int64_t bsim_cu_inside(const struct cu_code *code, const struct cu_value *index)
{
    return parts_of(code, index, MOST_DEEP).inside;
}

int64_t bsim_cu_outside(const struct cu_code *code, const struct cu_value *value)
{
    struct parts p = parts_of(code, value, MOST_DEEP);
    return p.is_sum ? p.outside : 0;
}

int64_t bsim_cu_inside_of(const struct cu_code *code, const struct cu_value *address)
{
    const struct cu_instruction *from = bsim_cu_definition(code, address);
    return from != NULL && from->op == CU_OP_ADD && from->argument[1].kind == CU_CONSTANT_VALUE ? from->inside : 0;
}

/* The lowest bits of what is added to an object's address that are known to be 0, as a mask. */
static uint64_t low_zeros(const struct cu_code *code, const struct cu_value *base, uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(code, base);
    if (from == NULL || from->op != CU_OP_ADD || depth == 0) {
        return UINT32_MAX;
    }
    bool is_second = from->argument[1].space != CU_GENERIC;
    uint64_t zeros = bsim_cu_zeros(code, &from->argument[!is_second]);
    return zeros & ~(zeros + 1) & low_zeros(code, &from->argument[is_second], depth - 1);
}

bool bsim_cu_is_apart(const struct cu_code *code, const struct cu_place_of *a, const struct cu_place_of *b)
{
    if (a->inside == b->inside) {
        return true;
    }
    int64_t more = (a->offset - a->inside) - (b->offset - b->inside);
    uint64_t zeros = low_zeros(code, a->base, MOST_DEEP) & low_zeros(code, b->base, MOST_DEEP);
    if (more == 0) {
        return ((uint64_t)(a->inside - b->inside) & zeros) != 0;
    }
    uint64_t bits = (zeros + 1) | (uint64_t)a->inside | (uint64_t)b->inside;
    int64_t by = (int64_t)(bits & (0 - bits)), rest = more & (by - 1);
    return rest >= b->bytes && by - rest >= a->bytes;
}
