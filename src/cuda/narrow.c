/* narrow.c - of a whole number of which some bytes alone are of use these are loaded, as nvcc has it.
 *
 *     s[t] & 255              ld.u8 [s + 4 * t]          which ptxas merges with no neighbour
 *     (s[t] >> 16) & 255      ld.u8 [s + 4 * t + 2]
 *     (short)s[t]             ld.s16
 *     u[t] >> 24              ld.u8 [u + 4 * t + 3]
 *
 * That goes for a value that one instruction of its block takes, and nobody else: nvcc looks at one block at a time, and
 * behind vector.c: what is part of a wider access stays. What nvcc writes otherwise before, with another mask, stays, too:
 * (s[t] & 255) << 2, of which an index is made, is s[t] << 2 & 1020, and (s[t] & 255) > 5 compares s[t] & 254.
 *
 * Graded measured: nvcc 13.0, tests/kernels/narrow.cu.
 */
#include "cuda/lower.h"

/* Who wants a register: how many, and the last of them. */
struct use {
    uint32_t n, block;
    struct cu_instruction *by;
    uint32_t wide; /* 1 + the block where an index of an address of 64 bits is made of it */
};

struct narrowing {
    struct cu_code *code;
    const uint32_t *order;
    uint32_t n;
    struct use *use; /* of each register */
};

/* The bits of a value that are wanted: n of them, from the one that is `from` on. */
struct part {
    uint32_t from, n;
    bool is_signed;
    struct cu_instruction *end; /* what takes them */
};

/* ---- uses ------------------------------------------------------------------------------------ */

static void count_use(struct narrowing *w, const struct cu_value *value, struct cu_instruction *by, uint32_t block)
{
    if (value->kind == CU_REGISTER) {
        bool is_wide = by != NULL && by->op == CU_OP_WIDE;
        struct use *use = &w->use[value->id];
        *use = (struct use){use->n + 1, block, by, is_wide ? block + 1 : use->wide};
    }
}

static void count_uses(struct narrowing *w, uint32_t block)
{
    struct cu_code_block *b = &w->code->block[block];
    for (struct cu_instruction *k = b->first; k != NULL; k = k->next) {
        for (uint32_t i = 0; k->is_live && i < k->n_arguments; i++) {
            count_use(w, &k->argument[i], k, block);
        }
        for (uint32_t i = 0; k->is_live && i < k->n_operands; i++) {
            count_use(w, &k->operand[i], k, block);
        }
    }
    if (b->ending == CU_BRANCHES) {
        count_use(w, &b->condition, NULL, block);
    }
}

/* The one instruction that wants what the other one makes, if it stands in that block; else NULL. */
static struct cu_instruction *only_use(const struct narrowing *w, const struct cu_instruction *k, uint32_t block)
{
    const struct use *use = &w->use[k->result[0]];
    bool is_one = use->n == 1 && use->block == block && use->by != NULL && use->by->n_results == 1;
    return is_one ? use->by : NULL;
}

/* ---- which part is wanted -------------------------------------------------------------------- */

static uint32_t ones_of(uint64_t mask)
{
    uint32_t n = 0;
    while (n < 64 && (mask >> n & 1) != 0) {
        n++;
    }
    return n < 64 && mask >> n == 0 ? n : 0;
}

/* What a mask, or a conversion to a char or a short, leaves: lower bits. */
static bool is_mask(const struct cu_instruction *k, uint32_t *n, bool *is_signed)
{
    static const struct {
        const char *opcode;
        uint32_t n;
        bool is_signed;
    } kept[] = {{"cvt.u32.u8", 8, false},   {"cvt.s32.s8", 8, true},    {"cvt.u32.u16", 16, false},
                {"cvt.s32.s16", 16, true}, {"cvt.u32.u64", 32, false}};
    uint64_t bits;
    *is_signed = false;
    if (k->op == CU_OP_AND && bsim_cu_is_constant(&k->argument[1], &bits)) {
        *n = ones_of(bits);
        return *n > 0;
    }
    if (k->op == CU_OP_REM && !k->is_signed && bsim_cu_is_constant(&k->argument[1], &bits) && bits > 1) {
        *n = ones_of(bits - 1);
        return *n > 0;
    }
    for (size_t i = 0; k->op == CU_OP_CONVERT && i < sizeof kept / sizeof *kept; i++) {
        if (strcmp(k->opcode, kept[i].opcode) == 0) {
            *n = kept[i].n;
            *is_signed = kept[i].is_signed;
            return true;
        }
    }
    return false;
}

/* A shift to the right, or a quotient by a power of two. */
static bool is_shift(const struct cu_instruction *k, uint32_t *by)
{
    uint64_t bits = 0;
    bool is_known = k->n_arguments == 2 && bsim_cu_is_constant(&k->argument[1], &bits);
    bool divides = k->op == CU_OP_DIV && !k->is_signed && bits > 1 && ones_of(bits - 1) > 0;
    bool shifts = k->op == CU_OP_SHR && bits < 64;
    *by = !is_known ? 0 : divides ? ones_of(bits - 1) : shifts ? (uint32_t)bits : 0;
    return is_known && (divides || shifts);
}

/* (x << 24) >> 24. */
static bool is_extended(const struct narrowing *w, const struct cu_instruction *k, uint32_t block, uint32_t width,
                        struct part *part)
{
    const struct cu_instruction *back = only_use(w, k, block);
    uint64_t by = 0;
    uint32_t down;
    bool is_it = k->op == CU_OP_SHL && bsim_cu_is_constant(&k->argument[1], &by) && by < width && back != NULL &&
                 back->op == CU_OP_SHR && is_shift(back, &down) && down == by;
    part->n = is_it ? width - (uint32_t)by : part->n;
    part->is_signed = is_it && back->is_signed;
    return is_it;
}

/* What is taken of a value of so many bits. */
static bool find_part(const struct narrowing *w, const struct cu_instruction *load, uint32_t block, uint32_t width,
                      struct part *part)
{
    struct cu_instruction *k = only_use(w, load, block);
    *part = (struct part){.n = width};
    if (k == NULL || k->argument[0].kind != CU_REGISTER || k->argument[0].id != load->result[0]) {
        return false;
    }
    part->end = is_extended(w, k, block, width, part) ? only_use(w, k, block) : k;
    if (part->end != k) {
        return true;
    }
    if (!is_shift(k, &part->from)) {
        return is_mask(k, &part->n, &part->is_signed) && part->n < width && part->n != 32;
    }
    uint32_t left = part->from < width ? width - part->from : 0, n;
    struct cu_instruction *mask = only_use(w, k, block);
    bool is_masked = mask != NULL && mask->argument[0].kind == CU_REGISTER && mask->argument[0].id == k->result[0] &&
                     is_mask(mask, &n, &part->is_signed) && (n < left || (n == left && k->is_signed));
    part->n = is_masked ? n : left;
    part->end = is_masked ? mask : k;
    return is_masked ? !part->is_signed : !k->is_signed;
}

/* ---- what nvcc writes otherwise -------------------------------------------------------------- */

static uint32_t zeros_of(uint64_t bits)
{
    uint32_t n = 0;
    while (n < 64 && (bits >> n & 1) == 0) {
        n++;
    }
    return n;
}

/* Whether the comparison leaves out the lowest bits: x < 6, x > 5; or is of two such values. */
static bool compares_less(const struct narrowing *w, const struct cu_instruction *k, const struct cu_instruction *end)
{
    uint64_t bits;
    if (!bsim_cu_is_constant(&k->argument[1], &bits)) {
        const struct cu_value *other = &k->argument[k->argument[0].id == end->result[0]];
        const struct cu_instruction *from = bsim_cu_definition(w->code, other);
        bool is_equal = strncmp(k->opcode, "setp.eq", 7) == 0 || strncmp(k->opcode, "setp.ne", 7) == 0;
        return is_equal && from != NULL && from->op == end->op && end->op == CU_OP_AND &&
               bsim_cu_same_value(&from->argument[1], &end->argument[1]);
    }
    bool is_open = strncmp(k->opcode, "setp.lt", 7) == 0 || strncmp(k->opcode, "setp.ge", 7) == 0;
    bool is_closed = strncmp(k->opcode, "setp.le", 7) == 0 || strncmp(k->opcode, "setp.gt", 7) == 0;
    bits += is_closed;
    return (is_open || is_closed) && zeros_of(bits) > 0 && (bits & (bits - 1)) != 0; /* x < 8 is (x & 248) == 0 */
}

/* Whether another mask takes less, or as much, of what sums and products make of it. */
static bool is_masked_again(const struct narrowing *w, const struct cu_instruction *k, uint32_t block, uint32_t n)
{
    enum { MOST_STEPS = 4 };
    const struct cu_instruction *next = only_use(w, k, block);
    uint32_t kept;
    bool is_signed;
    for (uint32_t i = 0; i < MOST_STEPS && next != NULL; i++) {
        if (is_mask(next, &kept, &is_signed)) {
            return kept <= n;
        }
        bool goes_up = next->op == CU_OP_ADD || next->op == CU_OP_SUB || next->op == CU_OP_MUL ||
                       next->op == CU_OP_OR || next->op == CU_OP_XOR;
        next = goes_up ? only_use(w, next, block) : NULL;
    }
    return false;
}

/* A store takes its bits itself: no mask is left, but what a shift leaves. */
static void leave_to_store(const struct narrowing *w, const struct cu_instruction *load, struct part *part)
{
    const struct use *use = &w->use[part->end->result[0]];
    const struct cu_instruction *k = use->by;
    bool is_stored = k != NULL && k->op == CU_OP_STORE && use->n == 1 && 8 * k->type->size <= part->n;
    part->n = is_stored ? 8 * (uint32_t)load->type->size - part->from : part->n;
    part->is_signed = part->is_signed && !is_stored;
}

/* How many bits a store takes of a sum or product of the value and a constant, which has no more then: s[t] + 1; 0: it is no
 * such. */
static uint32_t stored_of(const struct narrowing *w, const struct cu_instruction *load, uint32_t block)
{
    enum { MOST_STEPS = 4 };
    const struct cu_instruction *k = load, *next = only_use(w, load, block);
    uint32_t n = 0, kept;
    bool is_signed;
    for (uint32_t i = 0; i < MOST_STEPS && next != NULL; i++) {
        bool computes = next->op == CU_OP_ADD || next->op == CU_OP_SUB || next->op == CU_OP_MUL;
        bool has_constant = next->n_arguments == 2 && (next->argument[0].kind == CU_CONSTANT_VALUE ||
                                                       next->argument[1].kind == CU_CONSTANT_VALUE);
        if (!(computes && has_constant) && !is_mask(next, &kept, &is_signed)) {
            return 0;
        }
        n += computes;
        k = next;
        next = only_use(w, next, block);
    }
    const struct use *use = &w->use[k->result[0]];
    bool is_stored = n > 0 && use->n == 1 && use->by != NULL && use->by->op == CU_OP_STORE;
    return is_stored ? 8 * (uint32_t)use->by->type->size : 0;
}

/* Whether the mask has become another one. */
static bool is_otherwise(const struct narrowing *w, const struct part *part, uint32_t block)
{
    const struct use *use = &w->use[part->end->result[0]];
    const struct cu_instruction *k = use->by;
    if (part->is_signed || k == NULL || use->block != block) {
        return false;
    }
    if (use->wide == block + 1) {
        return strcmp(k->opcode, "mul.wide.s32") != 0 || use->n > 1 || part->end->op == CU_OP_CONVERT;
    }
    return use->n == 1 &&
           (k->op == CU_OP_SHL || k->op == CU_OP_SHR || (k->op == CU_OP_COMPARE && compares_less(w, k, part->end)) ||
            is_masked_again(w, part->end, block, part->n));
}

/* ---- the load -------------------------------------------------------------------------------- */

static bool is_whole_load(const struct cu_code *code, const struct cu_instruction *k)
{
    bool is_one = k->is_live && k->op == CU_OP_LOAD && k->n_results == 1 && k->type != NULL && !k->type->is_volatile &&
                  k->result[0] != 0 && k->argument[0].space != CU_PARAM;
    bool is_told = is_one && strstr(k->opcode, ".nc") != NULL && k->argument[0].space != CU_READ_ONLY; /* __ldg */
    return is_one && !is_told && bsim_cu_is_integer(k->type) && k->type->size >= 2 &&
           (code->class[k->result[0]] == CU_I32 || code->class[k->result[0]] == CU_I64);
}

static const struct cu_type *type_of(const struct part *part)
{
    return bsim_cu_scalar(part->n == 8    ? (part->is_signed ? CU_CHAR : CU_UCHAR)
                          : part->n == 16 ? (part->is_signed ? CU_SHORT : CU_USHORT)
                                          : CU_UINT);
}

static void load_part(struct cu_code *code, struct cu_instruction *load, const struct part *part)
{
    load->type = type_of(part);
    load->offset += part->from / 8;
    load->opcode = bsim_cu_text(code->file, "%.*s.%s", (int)(strrchr(load->opcode, '.') - load->opcode), load->opcode,
                                bsim_cu_word(load->type));
}

static void narrow(struct narrowing *w, struct cu_instruction *load, uint32_t block)
{
    struct part part;
    if (!is_whole_load(w->code, load)) {
        return;
    }
    uint32_t width = 8 * (uint32_t)load->type->size, n_stored = stored_of(w, load, block);
    if (n_stored > 0 && n_stored < width) {
        part = (struct part){.n = n_stored};
        load_part(w->code, load, &part);
        return;
    }
    if (!find_part(w, load, block, width, &part)) {
        return;
    }
    leave_to_store(w, load, &part);
    bool is_power = part.n == 8 || part.n == 16 || part.n == 32;
    if (!is_power || part.n == width || part.from % part.n != 0 || part.from + part.n > width ||
        is_otherwise(w, &part, block)) {
        return;
    }
    load_part(w->code, load, &part);
    w->use[load->result[0]].by->is_live = part.end->is_live = false;
    load->result[0] = part.end->result[0];
    w->code->definition[load->result[0]] = load;
}

void bsim_cu_narrow(struct cu_code *code, const uint32_t *order, uint32_t n)
{
    struct narrowing w = {code, order, n, bsim_cu_take_many(code->file, code->n_registers, sizeof *w.use)};
    for (uint32_t i = 0; i < n && w.use != NULL; i++) {
        count_uses(&w, order[i]);
    }
    for (uint32_t i = 0; i < n && w.use != NULL; i++) {
        for (struct cu_instruction *k = code->block[order[i]].first; k != NULL; k = k->next) {
            narrow(&w, k, order[i]);
        }
    }
}
