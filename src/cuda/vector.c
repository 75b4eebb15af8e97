/* vector.c - neighbours in memory that are one access in the PTX that nvcc writes.
 *
 *     float s = p->x + p->z;     p leads to float4s, so p is a multiple of 16: one ld.v4.f32 {x, _, z, _}
 *     tile[2 * i] = a;           tile is extern, which begins at a multiple of 16, and 8 * i is one of 8:
 *     tile[2 * i + 1] = b;       one st.v2.f32
 *
 * The first of them in memory has to be at a multiple of what all have together, as the type of the object
 * says that they are in (cu_instruction.alignment), or the address itself. Loads may leave gaps, and stand where
 * the first in the code stood; stores may not, and stand where the last did. Nothing that they pass on the way may lead
 * there: p->x = f(p->x); p->y = f(p->y); is one load and one store. Measured: nvcc 13's PTX of tests/kernels/vectors.cu, and of the kernels of 290 public files.
 */
#include "cuda/compile.h"
#include "cuda/lower.h"

enum { MOST_BYTES = 16, MOST_ELEMENTS = 4, MOST_CANDIDATES = 16 };

/* ---- how an address is aligned --------------------------------------------------------------- */

static uint32_t lowest_bit(uint64_t number)
{
    uint32_t bit = 1;
    while (bit < MOST_BYTES && (number & bit) == 0) {
        bit *= 2;
    }
    return bit;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t count_uses(const struct cu_code *code, uint32_t id)
{
    uint32_t n = 0;
    for (uint32_t b = 0; b < code->n_blocks; b++) {
        for (const struct cu_instruction *k = code->block[b].first; k != NULL; k = k->next) {
            for (uint32_t i = 0; k->is_live && i < k->n_arguments; i++) {
                n += k->argument[i].kind == CU_REGISTER && k->argument[i].id == id;
            }
        }
    }
    return n;
}

/* x / 6 * 6 is x - x % 6 to nvcc, which does not see that it is even: how often 6 is what it is times; 0: it
 * is none. */
static uint64_t less_remainder(const struct cu_code *code, const struct cu_instruction *product)
{
    const struct cu_instruction *from = bsim_cu_definition(code, &product->argument[0]);
    uint64_t by, times;
    bool is_one = from != NULL && from->op == CU_OP_DIV &&
                  bsim_cu_is_constant(&from->argument[1], &by) &&
                  bsim_cu_is_constant(&product->argument[1], &times) && by > 0 && times % by == 0 &&
                  count_uses(code, from->result[0]) == 1;
    return is_one ? times / by : 0;
}

/* What the value is a multiple of: a power of two, at most 16. */
static uint32_t multiple_of(const struct cu_code *code, const struct cu_value *value,
                            uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    if (value->kind == CU_CONSTANT_VALUE) {
        return lowest_bit(value->bits);
    }
    if (value->kind == CU_SYMBOL) {
        return lowest_bit(bsim_cu_alignment_of(value->variable) | value->bits);
    }
    if (from == NULL || depth == 0 || from->n_arguments == 0) {
        return 1;
    }
    uint32_t a = multiple_of(code, &from->argument[0], depth - 1);
    uint32_t b = from->n_arguments > 1 ? multiple_of(code, &from->argument[1], depth - 1) : 1;
    switch (from->op) {
    case CU_OP_NAME:
        return a;
    case CU_OP_CONVERT: /* (int)(f * 4.0f) is any number */
        return from->argument[0].class == CU_I32 || from->argument[0].class == CU_I64 ? a : 1;
    case CU_OP_ADD:
    case CU_OP_SUB:
    case CU_OP_OR:
    case CU_OP_XOR:
        return smaller(a, b);
    case CU_OP_AND:
        return a > b ? a : b;
    case CU_OP_MUL:
    case CU_OP_WIDE: {
        uint64_t times = less_remainder(code, from);
        return times > 0 ? lowest_bit(times) : smaller(a * b, MOST_BYTES);
    }
    case CU_OP_SHL:
        return from->argument[1].kind != CU_CONSTANT_VALUE ? a
               : from->argument[1].bits >= 4               ? MOST_BYTES
                                             : smaller(a << from->argument[1].bits, MOST_BYTES);
    default:
        return 1;
    }
}

static uint32_t alignment_of(const struct cu_lowering *l, const struct cu_instruction *access)
{
    uint32_t base = multiple_of(&l->code, &access->argument[0], CU_MOST_SPLITS);
    uint32_t own = lowest_bit(base | (uint64_t)access->offset);
    return own > access->alignment ? own : access->alignment;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Accesses of one base that may be one. */
struct group {
    struct cu_instruction *access[MOST_CANDIDATES];
    uint32_t n;
    struct cu_instruction *element[MOST_ELEMENTS]; /* those that are; NULL: a gap */
    uint32_t n_elements;
    int64_t start;
};

static bool is_store(const struct cu_instruction *access)
{
    return access->op == CU_OP_STORE;
}

static bool is_scalar_access(const struct cu_instruction *k)
{
    return k->is_live && k->type != NULL && !k->type->is_volatile &&
           ((k->op == CU_OP_LOAD && k->n_results == 1) || (is_store(k) && k->n_arguments == 2)) &&
           k->argument[0].space != CU_LOCAL_SPACE && k->argument[0].space != CU_PARAM;
}

/* The opcode up to its type: of one kind, of one space, of one way through the caches. */
static bool are_kin(const struct cu_instruction *a, const struct cu_instruction *b)
{
    size_t length = (size_t)(strrchr(a->opcode, '.') - a->opcode);
    int64_t apart = b->offset - a->offset, size = (int64_t)a->type->size;
    return a->op == b->op && a->type->size == b->type->size &&
           strncmp(a->opcode, b->opcode, length + 1) == 0 &&
           strchr(&b->opcode[length + 1], '.') == NULL && apart % size == 0 &&
           apart > -MOST_BYTES && apart < MOST_BYTES &&
           bsim_cu_same_value(&a->argument[0], &b->argument[0]);
}

/* Whether both may be of one byte. */
static bool may_meet(struct cu_lowering *l, const struct cu_instruction *k, const struct cu_instruction *access)
{
    struct cu_type type = {.size = access->type->size};
    struct cu_available place = {.base = access->argument[0], .offset = access->offset, .type = &type};
    uint32_t n = k->op == CU_OP_LOAD ? k->n_results : k->n_arguments - 1;
    struct cu_place_of other = {&k->argument[0], k->offset, k->type != NULL ? (int64_t)(n * k->type->size) : 0, 0, false};
    return k->type != NULL && bsim_cu_may_overlap(l, &other, &place);
}

/* What stands between the first access and those that follow. */
struct between {
    const struct cu_instruction *store[MOST_CANDIDATES];
    uint32_t n;
};

/* Whether the access behind them may not go in front. */
static bool is_behind(struct cu_lowering *l, const struct between *between, const struct cu_instruction *load)
{
    bool is_it = false;
    for (uint32_t i = 0; i < between->n && !is_it; i++) {
        is_it = may_meet(l, between->store[i], load);
    }
    return is_it;
}

/* Whether the instruction parts accesses before it from those behind: loads go to the first of them, past stores that
 * lead elsewhere; stores to the last. */
static bool parts(struct cu_lowering *l, const struct group *group, const struct cu_instruction *k, struct between *between)
{
    bool are_stores = is_store(group->access[0]), is_it = false;
    if ((k->op != CU_OP_LOAD && k->op != CU_OP_STORE) || (k->op == CU_OP_LOAD && !are_stores)) {
        return k->has_effect;
    }
    for (uint32_t i = 0; i < group->n && are_stores && !is_it; i++) {
        is_it = may_meet(l, k, group->access[i]);
    }
    if (!are_stores && between->n < MOST_CANDIDATES) {
        between->store[between->n++] = k;
        return false;
    }
    return is_it || !are_stores;
}

/* The first access, and those of its kin that follow. */
static void find_candidates(struct cu_lowering *l, struct cu_instruction *first,
                            struct group *group)
{
    struct between between = {.n = 0};
    bool is_end = false;
    group->n = 0;
    for (struct cu_instruction *k = first; k != NULL && group->n < MOST_CANDIDATES && !is_end; k = k->next) {
        bool is_kin = is_scalar_access(k) && are_kin(first, k);
        is_end = is_kin ? is_behind(l, &between, k) : k->is_live && parts(l, group, k, &between);
        if (is_kin && !is_end) {
            group->access[group->n++] = k;
        }
    }
}

/* Those that lie in n elements from the start on; answers how many of these there are. */
static uint32_t find_elements(struct group *group, uint32_t n)
{
    uint32_t n_found = 0;
    memset(group->element, 0, sizeof group->element);
    group->n_elements = 0;
    for (uint32_t i = 0; i < group->n; i++) {
        int64_t at =
            (group->access[i]->offset - group->start) / (int64_t)group->access[0]->type->size;
        if (at >= 0 && at < n && group->element[at] == NULL) {
            group->element[at] = group->access[i];
            group->n_elements = at >= 2 ? 4 : group->n_elements > 2 ? 4 : 2;
            n_found++;
        }
    }
    return n_found;
}

/* Whether the first access is one with others, that begin with one which is aligned so. */
static bool find_group(struct cu_lowering *l, struct cu_instruction *first, struct group *group)
{
    uint32_t size = (uint32_t)first->type->size;
    find_candidates(l, first, group);
    for (uint32_t n = MOST_ELEMENTS; n >= 2 && group->n > 1; n /= 2) {
        for (uint32_t i = 0; i < group->n && n * size <= MOST_BYTES; i++) {
            const struct cu_instruction *k = group->access[i];
            group->start = k->offset;
            if (first->offset >= k->offset && first->offset < k->offset + (int64_t)(n * size) &&
                alignment_of(l, k) >= n * size) {
                uint32_t n_found = find_elements(group, n);
                if (n_found == n || (n_found > 1 && !is_store(first))) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* ---- one access of many ---------------------------------------------------------------------- */

/* ld.shared.f32 as ld.shared.v4.f32, or as ld.shared.v4.b32 if not all are of that type. */
static const char *vector_opcode(struct cu_lowering *l, const struct group *group)
{
    const char *opcode = group->access[0]->opcode, *type = strrchr(opcode, '.');
    bool is_mixed = false;
    for (uint32_t i = 0; i < group->n_elements; i++) {
        const struct cu_instruction *k = group->element[i];
        is_mixed = is_mixed || (k != NULL && strcmp(k->opcode, opcode) != 0);
    }
    return bsim_cu_text(l->code.file, "%.*s.v%u%s%s", (int)(type - opcode), opcode,
                        group->n_elements, is_mixed ? ".b" : type,
                        is_mixed ? (group->access[0]->type->size == 8 ? "64" : "32") : "");
}

static void join(struct cu_lowering *l, struct group *group)
{
    struct cu_instruction *one = group->access[0]; /* of stores the last */
    const char *opcode = vector_opcode(l, group);
    struct cu_value base = one->argument[0];
    for (uint32_t i = 0; i < group->n && is_store(one); i++) {
        for (uint32_t k = 0; k < group->n_elements; k++) {
            one = group->access[i] == group->element[k] ? group->access[i] : one;
        }
    }
    struct cu_instruction made = *one;
    made.opcode = opcode;
    made.offset = group->start;
    made.argument[0] = base;
    for (uint32_t i = 0; i < group->n_elements; i++) {
        struct cu_instruction *k = group->element[i];
        made.result[i] = k != NULL && !is_store(one) ? k->result[0] : 0;
        made.argument[i + 1] = is_store(one) ? k->argument[1] : made.argument[i + 1];
        if (k != NULL) {
            k->is_live = false;
        }
    }
    made.is_live = true;
    made.token = is_store(one) ? group->element[group->n_elements - 1]->token : made.token; /* so nvcc has it */
    made.n_results = is_store(one) ? 0 : group->n_elements;
    made.n_arguments = is_store(one) ? group->n_elements + 1 : 1;
    *one = made;
}

void bsim_cu_join_neighbours(struct cu_lowering *l, struct cu_code_block *block)
{
    struct group group;
    for (struct cu_instruction *k = block->first; k != NULL; k = k->next) {
        if (is_scalar_access(k) && find_group(l, k, &group)) {
            join(l, &group);
        }
    }
}
