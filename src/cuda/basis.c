/* basis.c - addresses that a loop begins at, made of another product of the same number.
 *
 *     s[t * 32 + 7] = t * 3 + 7;                       v = t * 3 + 7;
 *     for (k = 0; k < 32; k++)                   ->    q = s + (v + 29 * t << 2) - 28;
 *         sum += s[t * 32 + k];                        ... [q], [q + 4], ...
 *
 * Where an index is a product and a constant, and another product of the same number with the same constant is there
 * already, nvcc (13.0) makes the index of that one (LLVM's StraightLineStrengthReduce); and a loop begins at what was
 * made so, if its accesses are at that index in the first turn. ptxas sees no 32 * t then, and merges nothing. Such
 * others are values that are computed, and indices of other arrays. Not where the product that is missing would be by
 * -1, -2, -4 or the like; nor in arrays of arrays, s[t][k]; nor where the loop counts in another sum, too: l[i * 24 + k]
 * (step.c); nor where the kernel accesses such an index first: that is made so, too (which is left out here), and what
 * comes behind it is not. tests/kernels/products.cu.
 */
#include "cuda/code.h"

/* factor * the register + constant. */
struct product {
    uint32_t id; /* 0: it is none */
    int32_t factor, constant;
};

static int32_t product_32(int32_t a, uint64_t b)
{
    return (int32_t)((uint32_t)a * (uint32_t)b);
}

static struct product product_of(const struct cu_code *code, struct cu_value value)
{
    struct product p = {value.kind == CU_REGISTER ? value.id : 0, 1, 0};
    for (const struct cu_instruction *k = bsim_cu_definition(code, &value); k != NULL;
         k = bsim_cu_definition(code, &value)) {
        uint64_t bits = 1;
        bool is_sum = k->op == CU_OP_ADD || k->op == CU_OP_OR;
        bool is_factor = k->op == CU_OP_MUL || k->op == CU_OP_SHL || k->op == CU_OP_WIDE;
        if (k->op != CU_OP_CONVERT && !((is_sum || is_factor) && bsim_cu_is_constant(&k->argument[1], &bits))) {
            break;
        }
        bits = k->op == CU_OP_SHL ? UINT64_C(1) << (bits & 31) : bits;
        p.constant += is_sum ? product_32(p.factor, bits) : 0;
        p.factor = is_sum ? p.factor : product_32(p.factor, bits);
        value = k->argument[0];
        p.id = value.kind == CU_REGISTER ? value.id : 0;
    }
    return p;
}

/* The array of which the address is an element, in a register. */
static const struct cu_value *array_of(const struct cu_code *code, const struct cu_value *address)
{
    const struct cu_instruction *sum = bsim_cu_definition(code, address);
    bool is_sum = sum != NULL && sum->op == CU_OP_ADD && sum->argument[1].kind == CU_REGISTER;
    return is_sum ? &sum->argument[0] : NULL;
}

/* The index of what is accessed there, of elements of so many bytes. */
static struct product index_of(const struct cu_code *code, const struct cu_value *address, int64_t offset, uint32_t size)
{
    const struct product none = {0, 0, 0};
    if (array_of(code, address) == NULL || size == 0) {
        return none;
    }
    struct product p = product_of(code, array_of(code, address)[1]);
    int64_t bytes = p.constant + offset;
    bool is_whole = p.factor % (int32_t)size == 0 && bytes % size == 0;
    return is_whole ? (struct product){p.id, p.factor / (int32_t)size, (int32_t)(bytes / size)} : none;
}

/* Whether elements of so many bytes are what the shared array has. nvcc loads more than one of an extern array itself. */
static bool has_elements(const struct cu_code *code, const struct cu_value *array, uint32_t size)
{
    const struct cu_instruction *name = array != NULL ? bsim_cu_definition(code, array) : NULL;
    const struct cu_variable *v = name != NULL && name->op == CU_OP_NAME ? name->argument[0].variable : NULL;
    return v != NULL && !v->is_extern && v->type->kind == CU_ARRAY && v->type->of->kind != CU_ARRAY &&
           v->type->of->size == size;
}

/* The search for another product. */
struct search {
    struct cu_code *code;
    const struct cu_beginning *loop;
    struct product *other;      /* of each of its offsets: what is there with the same constant; .id 0: none is */
    struct product index, made; /* what was found: an index of a turn, and what it is made of; .id 0: nothing */
    bool is_there; /* the array has been accessed at such an index */
    bool is_ended; /* for the first time at one that is made of another: others are made of this one */
};

static struct product index_at(const struct search *s, uint32_t i)
{
    return index_of(s->code, &s->loop->begin, s->loop->offset[i], s->loop->size);
}

static void note(struct search *s, struct product p)
{
    for (uint32_t i = 0; i < s->loop->n && p.id != 0 && p.constant != 0; i++) {
        struct product index = index_at(s, i);
        if (index.id == p.id && index.constant == p.constant) {
            s->other[i] = p;
        }
    }
}

/* Whether nvcc makes the one of the other, by a sum. */
static bool is_made(int64_t factor, int64_t other)
{
    int64_t by = factor - other;
    bool is_negative_power = by < 0 && (-by & (-by - 1)) == 0;
    return other != -1 && by != 0 && !is_negative_power; /* 7 - t is no sum */
}

/* An index of the loop's array. */
static void take(struct search *s, struct product p)
{
    bool is_now = false;
    for (uint32_t i = 0; i < s->loop->n && p.id != 0; i++) {
        struct product index = index_at(s, i);
        bool is_such = index.factor == p.factor && index.id == p.id;
        bool is_it = is_such && index.constant == p.constant && s->other[i].id == p.id &&
                     is_made(p.factor, s->other[i].factor);
        if (is_it) {
            s->index = p;
            s->made = s->other[i];
        }
        s->is_ended = s->is_ended || (is_it && !s->is_there);
        is_now = is_now || is_such;
    }
    s->is_there = s->is_there || is_now;
}

static void search_block(struct search *s, uint32_t block)
{
    const struct cu_value *array = array_of(s->code, &s->loop->begin);
    for (const struct cu_instruction *k = s->code->block[block].first; k != NULL; k = k->next) {
        bool is_access = k->is_live && bsim_cu_accesses(k), is_sum = k->op == CU_OP_ADD || k->op == CU_OP_OR;
        const struct cu_value *other = is_access ? array_of(s->code, &k->argument[0]) : NULL;
        if (other != NULL) {
            struct product p = index_of(s->code, &k->argument[0], k->offset, bsim_cu_element_of(k));
            (bsim_cu_same_value(other, array) ? take : note)(s, p);
        } else if (k->is_live && is_sum && k->argument[1].kind == CU_CONSTANT_VALUE && k->argument[0].class == CU_I32) {
            struct cu_value sum = {.kind = CU_REGISTER, .class = CU_I32, .id = k->result[0]};
            note(s, product_of(s->code, sum));
        }
    }
}

/* From the kernel's first block on, those that all ways come through. */
static void search_above(struct search *s, const struct cu_flow *flow, uint32_t block)
{
    if (flow->above[block] != block) {
        search_above(s, flow, flow->above[block]);
    }
    search_block(s, block);
}

static struct cu_value times(struct cu_code *code, struct cu_value value, int64_t factor)
{
    return bsim_cu_compute(code, CU_OP_MUL, true, value, bsim_cu_constant_of(CU_I32, (uint32_t)factor));
}

static struct cu_value plus(struct cu_code *code, struct cu_value value, int64_t constant)
{
    return bsim_cu_compute(code, CU_OP_ADD, true, value, bsim_cu_constant_of(CU_I32, (uint32_t)constant));
}

struct cu_value bsim_cu_begin_on(struct cu_code *code, const struct cu_flow *flow, uint32_t before,
                                 const struct cu_beginning *loop)
{
    struct search s = {.code = code, .loop = loop};
    s.other = bsim_cu_take_many(code->file, loop->n, sizeof *s.other);
    if (!has_elements(code, array_of(code, &loop->begin), loop->size) || s.other == NULL) {
        return loop->begin;
    }
    search_above(&s, flow, before);
    if (s.made.id == 0 || s.is_ended) {
        return loop->begin;
    }
    struct cu_value t = {.kind = CU_REGISTER, .class = CU_I32, .id = s.made.id};
    struct cu_value index = plus(code, times(code, t, s.made.factor), s.made.constant);
    index = bsim_cu_compute(code, CU_OP_ADD, true, index, times(code, t, s.index.factor - s.made.factor));
    struct cu_value made = bsim_cu_compute(code, CU_OP_ADD, false, *array_of(code, &loop->begin),
                                           times(code, index, loop->size));
    struct product first = product_of(code, array_of(code, &loop->begin)[1]); /* in bytes */
    return plus(code, made, first.constant - (int64_t)s.index.constant * loop->size);
}
