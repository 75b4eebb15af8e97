/* rank.c - a sum takes first what is there first: what turns hand on, then what is computed of it in fewest steps.
 *
 *     sum += (w >> 16 & 255) * 5 + (w & 255);      sum + (w & 255), and then what is five times that
 *
 * So LLVM has sums and differences, and what &, | and ^ join, of whole numbers that nobody else wants: it gives each value a rank,
 * which is above those of what it is made of, and above those of loads before it. A turn of a loop that is straight code or becomes
 * one with others has its own sum.
 *
 * Graded measured: nvcc 13.0, tests/kernels/alike.cu.
 */
#include "cuda/lower.h"

enum { MOST_TERMS = 32 };

struct rank {
    struct cu_code *code;
    uint32_t *n_uses, *home, *rank; /* of each register; 1 + the block that it is computed in; in that block */
    enum cu_op *handed; /* what came to what turns hand on so far, which it is; CU_OP_MUL: it is none */
};

static void find_homes(struct rank *r, uint32_t block)
{
    for (const struct cu_instruction *k = r->code->block[block].first; k != NULL; k = k->next) {
        for (uint32_t i = 0; i < k->n_results && k->is_live && k->op != CU_OP_COPY; i++) {
            r->home[k->result[i]] = block + 1;
        }
    }
}

static uint32_t rank_of(const struct rank *r, uint32_t block, const struct cu_value *value)
{
    return value->kind == CU_REGISTER && r->home[value->id] == block + 1 ? r->rank[value->id] : 0;
}

static void find_ranks(struct rank *r, uint32_t block)
{
    uint32_t n_fixed = 0;
    for (const struct cu_instruction *k = r->code->block[block].first; k != NULL; k = k->next) {
        uint32_t rank = 0;
        bool is_fixed = k->op >= CU_OP_LOAD || k->op == CU_OP_OTHER || k->op == CU_OP_DIV || k->op == CU_OP_REM;
        for (uint32_t i = 0; i < k->n_arguments; i++) {
            uint32_t of = rank_of(r, block, &k->argument[i]);
            rank = of > rank ? of : rank;
        }
        n_fixed += is_fixed && k->is_live;
        for (uint32_t i = 0; i < k->n_results; i++) {
            r->rank[k->result[i]] = is_fixed ? n_fixed : rank + 1;
        }
    }
}

static bool adds(const struct rank *r, const struct cu_instruction *k)
{
    enum cu_class class = k->n_results == 1 ? r->code->class[k->result[0]] : CU_F32;
    bool joins = k->op == CU_OP_ADD || k->op == CU_OP_SUB || k->op == CU_OP_AND || k->op == CU_OP_OR || k->op == CU_OP_XOR;
    bool is_whole = class == CU_I32 || class == CU_I64;
    return joins && is_whole && k->is_live && k->n_arguments == 2 && !k->is_of_address && !k->is_index;
}

/* What it came by: sums and differences are one. */
static enum cu_op kind_of(enum cu_op op)
{
    return op == CU_OP_SUB ? CU_OP_ADD : op;
}

static bool is_handed(const struct rank *r, const struct cu_value *value, enum cu_op op)
{
    return value->kind == CU_REGISTER && (r->code->definition[value->id] == NULL || r->handed[value->id] == kind_of(op));
}

/* What a sum is of besides what is handed on, and the instructions that join it. */
struct terms {
    struct cu_value value[MOST_TERMS];
    uint32_t rank[MOST_TERMS];
    bool is_minus[MOST_TERMS];
    struct cu_instruction *part[MOST_TERMS];
    uint32_t n, n_parts;
};

/* The part of the sum that nobody else wants, of the same block; NULL: there is none. */
static struct cu_instruction *part_of(const struct rank *r, uint32_t block, enum cu_op op, const struct cu_value *value)
{
    if (value->kind != CU_REGISTER || r->n_uses[value->id] != 1 || r->home[value->id] != block + 1 || is_handed(r, value, op)) {
        return NULL;
    }
    struct cu_instruction *part = r->code->definition[value->id];
    bool is_sum = op == CU_OP_ADD || op == CU_OP_SUB;
    bool fits = is_sum ? part->op == CU_OP_ADD || part->op == CU_OP_SUB : part->op == op;
    return fits && adds(r, part) ? part : NULL;
}

/* Puts the term where its rank is, of two alike the later one first; constants come last. */
static void add_term(const struct rank *r, uint32_t block, const struct cu_value *value, bool is_minus, struct terms *terms)
{
    uint32_t rank = value->kind == CU_CONSTANT_VALUE ? UINT32_MAX : rank_of(r, block, value), i = terms->n++;
    for (; i > 0 && terms->rank[i - 1] >= rank; i--) {
        terms->value[i] = terms->value[i - 1];
        terms->rank[i] = terms->rank[i - 1];
        terms->is_minus[i] = terms->is_minus[i - 1];
    }
    terms->value[i] = *value;
    terms->rank[i] = rank;
    terms->is_minus[i] = is_minus;
}

/* Of the part; those that are parts themselves come behind the others, the right one first, as LLVM walks. */
static void add_terms(const struct rank *r, uint32_t block, struct cu_instruction *part, bool is_minus, struct terms *terms)
{
    struct cu_instruction *inner[2];
    bool is_inner_minus[2] = {is_minus, is_minus != (part->op == CU_OP_SUB)};
    enum cu_op op = part->op;
    terms->part[terms->n_parts++] = part;
    for (uint32_t i = 0; i < 2; i++) {
        inner[i] = terms->n_parts + 1 < MOST_TERMS / 2 ? part_of(r, block, op, &part->argument[i]) : NULL;
        if (inner[i] == NULL) {
            add_term(r, block, &part->argument[i], is_inner_minus[i], terms);
        }
    }
    for (uint32_t i = 2; i-- > 0;) {
        if (inner[i] != NULL) {
            add_terms(r, block, inner[i], is_inner_minus[i], terms);
        }
    }
}

static void join(struct cu_code *code, struct cu_instruction *k, const struct cu_value *left, const struct cu_value *right, bool is_minus)
{
    k->argument[0] = *left;
    k->argument[1] = *right;
    if (k->op == CU_OP_ADD || k->op == CU_OP_SUB) {
        k->op = is_minus ? CU_OP_SUB : CU_OP_ADD;
        k->opcode = bsim_cu_text(code->file, "%s.u%u", is_minus ? "sub" : "add", code->class[k->result[0]] == CU_I32 ? 32 : 64);
    }
}

/* x + (a + b) is (x + a) + b. */
static void put_in_turn(struct rank *r, uint32_t block, struct cu_instruction *k, uint32_t which, struct terms *terms)
{
    struct cu_value sum = k->argument[!which];
    for (uint32_t i = 0; i < terms->n; i++) {
        struct cu_instruction *part = i < terms->n_parts ? terms->part[i] : k;
        if (part != k) {
            bsim_cu_take_out(&r->code->block[block], part);
            bsim_cu_put_before(&r->code->block[block], part, k);
        }
        join(r->code, part, &sum, &terms->value[i], terms->is_minus[i]);
        sum = (struct cu_value){.kind = CU_REGISTER, .class = r->code->class[part->result[0]], .id = part->result[0]};
        r->handed[sum.id] = kind_of(k->op);
    }
}

static void rank_in(struct rank *r, uint32_t block)
{
    find_ranks(r, block);
    for (struct cu_instruction *k = r->code->block[block].first; k != NULL; k = k->next) {
        bool is_left = adds(r, k) && is_handed(r, &k->argument[0], k->op), is_right = adds(r, k) && k->op != CU_OP_SUB && is_handed(r, &k->argument[1], k->op);
        if (!is_left && !is_right) {
            continue;
        }
        uint32_t which = is_left;
        struct terms terms = {.n = 0};
        r->handed[k->result[0]] = kind_of(k->op);
        struct cu_instruction *part = is_left != is_right ? part_of(r, block, k->op, &k->argument[which]) : NULL;
        if (part != NULL) {
            add_terms(r, block, part, k->op == CU_OP_SUB, &terms);
            put_in_turn(r, block, k, which, &terms);
        }
    }
}

void bsim_cu_rank(struct cu_code *code, const uint32_t *order, uint32_t n)
{
    struct rank r = {code, bsim_cu_take_many(code->file, code->n_registers, sizeof *r.n_uses),
                     bsim_cu_take_many(code->file, code->n_registers, sizeof *r.home),
                     bsim_cu_take_many(code->file, code->n_registers, sizeof *r.rank),
                     bsim_cu_take_many(code->file, code->n_registers, sizeof *r.handed)};
    if (bsim_cu_failed(code->file)) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        bsim_cu_count_uses(&code->block[order[i]], r.n_uses);
        find_homes(&r, order[i]);
    }
    for (uint32_t i = 0; i < n && !bsim_cu_failed(code->file); i++) {
        rank_in(&r, order[i]);
    }
}
