/* fuse.c - a product and a sum as one instruction, where nvcc's PTX has them so.
 *
 *     p = a * b;  s = p + c;                fma s, a, b, c;  p is wanted by sums alone
 *     p = a * b;  s = p + c;  o = p;        mul p, a, b;  add s, p, c
 *     p = a * b;  s = c - p;                mul p, a, b;  sub s, c, p
 *
 * What stays apart ptxas contracts by rules of its own (../ptx/contract.c): so bits are right if the PTX is.
 * nvcc's rules, measured with nvcc 13 on 90 kernels (tests/kernels/sums.cu has them): a product goes into
 * sums if all its uses, four at most, are additions of one block, which are looked at from the last one on;
 * first comes the operand whose value was there first. x / 2^n and x - c are products and additions, too;
 * y - x * c is y + x * -c; and x * 2 that stays is x + x.
 * Of whole numbers of 32 bits a product goes into the one sum of its block that wants it (mad.lo).
 */
#include "cuda/code.h"

enum { MOST_USES = 4 };

struct fusing {
    struct cu_code *code;
    uint32_t *uses;         /* of each register */
    uint32_t *adds, *at;    /* and those in additions of one block, 1 + which */
    uint32_t *home;         /* the block that its instruction stands in, or sinks to */
    uint64_t *rank;         /* the later its value is there, the more */
    uint32_t *n_ways, *way; /* of each block: how many lead there, and one of them */
    uint32_t *place;        /* its turn */
    uint32_t *n_phis;       /* values that copies bring there */
    uint32_t block;         /* at hand, and its instructions */
    struct cu_instruction **all;
    uint32_t n;
};

static bool is_real(const struct cu_instruction *k, enum cu_op op)
{
    return k != NULL && k->is_live && k->op == op && k->argument[0].class >= CU_F32;
}

static bool is_two(const struct cu_value *value)
{
    return value->kind == CU_CONSTANT_VALUE &&
           value->bits == (value->class == CU_F32 ? 0x40000000 : UINT64_C(0x4000000000000000));
}

/* One use more, or less; also of those in additions. */
static void count(struct fusing *f, const struct cu_value *value, uint32_t n_uses, uint32_t n_adds)
{
    uint32_t id = value->kind == CU_REGISTER ? value->id : 0;
    if (f->at[id] != f->block + 1) {
        f->at[id] = f->block + 1;
        f->adds[id] = 0;
    }
    f->uses[id] += id != 0 ? n_uses : 0;
    f->adds[id] += id != 0 ? n_adds : 0;
}

/* ---- where values are, and when ---------------------------------------------------------------- */

static void look_at(struct fusing *f, uint32_t block)
{
    const struct cu_code_block *b = &f->code->block[block];
    uint32_t n_targets = b->ending == CU_BRANCHES ? 2 : b->ending == CU_GOES;
    for (uint32_t i = 0; i < n_targets; i++) {
        f->n_ways[b->target[i]]++;
        f->way[b->target[i]] = block;
    }
    for (const struct cu_instruction *k = b->first; k != NULL; k = k->next) {
        for (uint32_t i = 0; k->is_live && i < k->n_results; i++) {
            f->home[k->result[i]] = block;
        }
        for (uint32_t i = 0; k->is_live && i < k->n_arguments; i++) {
            count(f, &k->argument[i], 1, 0);
        }
        for (uint32_t i = 0; k->is_live && i < k->n_operands; i++) {
            count(f, &k->operand[i], 1, 0);
        }
    }
}

/* What additions of this block alone take sinks there, if the block is behind its own on one way. */
static void sink(struct fusing *f, const struct cu_value *value)
{
    uint32_t id = value->kind == CU_REGISTER ? value->id : 0, from = f->block;
    if (id == 0 || f->uses[id] != f->adds[id]) {
        return;
    }
    while (from != f->home[id] && f->n_ways[from] == 1) {
        from = f->way[from];
    }
    f->home[id] = from == f->home[id] ? f->block : f->home[id];
}

/* The rank of what an instruction of the block takes: what another turn made is there when the turn begins, as LLVM ranks
 * before it unrolls. */
static uint64_t rank_in(const struct fusing *f, const struct cu_instruction *k, uint32_t argument, uint32_t block)
{
    uint32_t id = k->argument[argument].kind == CU_REGISTER ? k->argument[argument].id : 0;
    const struct cu_instruction *from = f->code->definition[id];
    uint64_t base = (uint64_t)(f->place[block] + 1) << 32;
    return id == 0 ? 0 : from != NULL && from->turn != k->turn && f->rank[id] > base ? base : f->rank[id];
}

/* As LLVM ranks values for the order of operands: parameters as they come, loads, calls, divisions and what copies bring by
 * block and turn, and all else one behind the last of its operands. */
static void number(struct fusing *f, const struct cu_instruction *k, uint32_t block,
                   uint32_t *n_fixed)
{
    uint64_t most = 0, base = (uint64_t)(f->place[block] + 1) << 32;
    bool is_parameter = k->op == CU_OP_LOAD && k->argument[0].space == CU_PARAM;
    bool is_call = k->op == CU_OP_OTHER || k->op == CU_OP_ASM || k->op == CU_OP_DIV || k->op == CU_OP_REM;
    bool is_fixed = k->op == CU_OP_LOAD || k->op == CU_OP_ATOMIC || k->has_effect || is_call;
    for (uint32_t i = 0; i < k->n_arguments; i++) {
        uint64_t rank = rank_in(f, k, i, block);
        most = rank > most ? rank : most;
    }
    most = is_parameter ? 0 : is_fixed ? base + f->n_phis[block] : most;
    *n_fixed += is_fixed;
    for (uint32_t i = 0; i < k->n_results; i++) {
        f->rank[k->result[i]] =
            most + (is_fixed ? *n_fixed : k->op != CU_OP_NEG && k->op != CU_OP_NOT);
    }
}

/* What a copy brings is there when the block begins that it leads to. */
static void number_copy(struct fusing *f, const struct cu_instruction *k, uint32_t block)
{
    const struct cu_code_block *b = &f->code->block[block];
    if (b->ending == CU_GOES && f->rank[k->result[0]] == 0) {
        f->rank[k->result[0]] =
            ((uint64_t)(f->place[b->target[0]] + 1) << 32) + ++f->n_phis[b->target[0]];
    }
}

/* ---- instructions ------------------------------------------------------------------------------ */

static const char *opcode(const struct cu_instruction *k, const char *single, const char *real)
{
    return k->argument[0].class == CU_F32 ? single : real;
}

/* y - x * c is y + x * -c, if nobody else wants the product; the later operand of another sum stands behind. */
static void turn(struct fusing *f, struct cu_instruction *k)
{
    struct cu_instruction *product =
        k->argument[1].kind == CU_REGISTER ? f->code->definition[k->argument[1].id] : NULL;
    if (is_real(k, CU_OP_SUB) && is_real(product, CU_OP_MUL) &&
        product->argument[1].kind == CU_CONSTANT_VALUE && !is_two(&product->argument[1]) &&
        f->uses[product->result[0]] == 1) {
        product->argument[1] = bsim_cu_negated(f->code, product->argument[1]);
        k->op = CU_OP_ADD;
        k->opcode = opcode(k, "add.f32", "add.f64");
    } else if (is_real(k, CU_OP_ADD) && k->argument[0].kind == CU_REGISTER &&
               k->argument[1].kind == CU_REGISTER &&
               rank_in(f, k, 1, f->block) < rank_in(f, k, 0, f->block)) {
        struct cu_value later = k->argument[0];
        k->argument[0] = k->argument[1];
        k->argument[1] = later;
    }
}

/* The sum's operand i is a product that goes into it. */
static bool fuse(struct fusing *f, struct cu_instruction *k, uint32_t i)
{
    uint32_t id = k->argument[i].kind == CU_REGISTER ? k->argument[i].id : 0;
    struct cu_instruction *product = f->code->definition[id];
    if (!is_real(product, CU_OP_MUL) || f->home[id] != f->block || f->uses[id] > MOST_USES ||
        f->uses[id] != f->adds[id]) {
        return false;
    }
    struct cu_value rest = k->argument[1 - i];
    count(f, &rest, 0, UINT32_MAX);
    count(f, &k->argument[i], UINT32_MAX, UINT32_MAX);
    product->is_live = f->uses[id] > 0;
    product->is_fused = !product->is_live;
    for (uint32_t n = 0; n < 2; n++) {
        count(f, &product->argument[n], product->is_live, 0);
        k->argument[n] = product->argument[n];
    }
    k->argument[2] = rest;
    k->n_arguments = 3;
    k->op = CU_OP_OTHER;
    k->opcode = opcode(k, "fma.rn.f32", "fma.rn.f64");
    return true;
}

/* x * 2, which went into no sum, is x + x. */
static void add_twice(struct fusing *f, struct cu_instruction *k)
{
    k->op = CU_OP_ADD;
    k->opcode = opcode(k, "add.f32", "add.f64");
    k->argument[1] = k->argument[0];
    count(f, &k->argument[0], 1, 2);
}

/* From the last instruction to the first, and again, as there are fewer uses then. */
static void fuse_block(struct fusing *f)
{
    bool is_new = true;
    for (uint32_t i = 0; i < f->n; i++) {
        for (uint32_t a = 0; is_real(f->all[i], CU_OP_ADD) && a < 2; a++) {
            count(f, &f->all[i]->argument[a], 0, 1);
        }
    }
    for (uint32_t i = 0; i < f->n; i++) {
        for (uint32_t a = 0; is_real(f->all[i], CU_OP_ADD) && a < 2; a++) {
            sink(f, &f->all[i]->argument[a]);
        }
    }
    while (is_new) {
        is_new = false;
        for (uint32_t i = f->n; i-- > 0;) {
            struct cu_instruction *k = f->all[i];
            if (is_real(k, CU_OP_MUL) && is_two(&k->argument[1])) {
                add_twice(f, k);
            }
            is_new = (is_real(k, CU_OP_ADD) && (fuse(f, k, 0) || fuse(f, k, 1))) || is_new;
        }
    }
}

/* Its instructions, as they are to be added. */
static void take_block(struct fusing *f, uint32_t block)
{
    uint32_t n_fixed = 0;
    f->n = 0;
    f->block = block;
    for (struct cu_instruction *k = f->code->block[block].first; k != NULL; k = k->next) {
        if (k->is_live && k->op == CU_OP_COPY) {
            number_copy(f, k, block);
        } else if (k->is_live) {
            number(f, k, block, &n_fixed);
            turn(f, k);
        }
        f->all[f->n++] = k;
    }
}

static bool begin(struct fusing *f, struct cu_code *code, const uint32_t *order, uint32_t n)
{
    *f = (struct fusing){.code = code};
    uint32_t **of_register[] = {&f->uses, &f->adds, &f->at, &f->home};
    uint32_t **of_block[] = {&f->n_ways, &f->way, &f->place, &f->n_phis};
    for (size_t i = 0; i < 4; i++) {
        *of_register[i] = bsim_cu_take_many(code->file, code->n_registers, sizeof **of_register[i]);
        *of_block[i] = bsim_cu_take_many(code->file, code->n_blocks, sizeof **of_block[i]);
    }
    f->rank = bsim_cu_take_many(code->file, code->n_registers, sizeof *f->rank);
    f->all = bsim_cu_take_many(code->file, code->n_made + 1, sizeof *f->all);
    if (bsim_cu_failed(code->file)) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        f->place[order[i]] = i;
        look_at(f, order[i]);
    }
    return true;
}

void bsim_cu_fuse(struct cu_code *code, const uint32_t *order, uint32_t n)
{
    struct fusing f;
    if (!begin(&f, code, order, n)) {
        return;
    }
    for (uint32_t i = 0; i < n && !bsim_cu_failed(code->file); i++) {
        take_block(&f, order[i]);
        fuse_block(&f);
    }
}

/* ---- whole numbers ----------------------------------------------------------------------------- */

/* The sum's operand i is a product of 32 bits that nobody else wants. */
static bool fuse_whole(struct fusing *f, struct cu_instruction *k, uint32_t i)
{
    uint32_t id = k->argument[i].kind == CU_REGISTER ? k->argument[i].id : 0;
    struct cu_instruction *product = f->code->definition[id];
    if (product == NULL || !product->is_live || product->op != CU_OP_MUL || f->uses[id] != 1 ||
        f->home[id] != f->block) {
        return false;
    }
    k->op = CU_OP_OTHER;
    k->opcode = "mad.lo.s32";
    k->argument[2] = k->argument[1 - i];
    k->argument[0] = product->argument[0];
    k->argument[1] = product->argument[1];
    k->n_arguments = 3;
    product->is_live = false;
    product->is_fused = true;
    return true;
}

/* The product of the block by a constant that nobody knows as a power of two: y - x * c is y + x * -c, -x * c is x * -c. */
static void negate_constant(struct fusing *f, struct cu_instruction *k)
{
    uint32_t which = k->op == CU_OP_SUB ? 1 : 0;
    uint32_t id = k->argument[which].kind == CU_REGISTER ? k->argument[which].id : 0;
    struct cu_instruction *from = f->code->definition[id];
    if (from == NULL || !from->is_live || f->home[id] != f->block || from->argument[0].class != CU_I32) {
        return;
    }
    if (k->op == CU_OP_MUL && k->argument[1].kind == CU_CONSTANT_VALUE && from->op == CU_OP_NEG && f->uses[id] == 1) {
        k->argument[0] = from->argument[0];
        k->argument[1] = bsim_cu_negated(f->code, k->argument[1]);
        from->is_live = false;
    } else if (k->op == CU_OP_SUB && !k->is_rest && from->op == CU_OP_MUL && from->argument[1].kind == CU_CONSTANT_VALUE) {
        struct cu_value rest = k->argument[0];
        k->op = CU_OP_OTHER;
        k->opcode = "mad.lo.s32";
        k->n_arguments = 3;
        k->argument[0] = from->argument[0];
        k->argument[1] = bsim_cu_negated(f->code, from->argument[1]);
        k->argument[2] = rest;
        from->is_fused = f->uses[id] == 1;
        from->is_live = !from->is_fused;
        f->uses[id]--;
    }
}

void bsim_cu_fuse_whole(struct cu_code *code, const uint32_t *order, uint32_t n)
{
    struct fusing f;
    if (!begin(&f, code, order, n)) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        f.block = order[i];
        for (struct cu_instruction *k = code->block[order[i]].first; k != NULL; k = k->next) {
            if (k->is_live && (k->op == CU_OP_SUB || k->op == CU_OP_MUL) && k->argument[0].class == CU_I32) {
                negate_constant(&f, k);
            } else if (k->is_live && k->op == CU_OP_ADD && k->argument[0].class == CU_I32) {
                (void)(fuse_whole(&f, k, 0) || fuse_whole(&f, k, 1));
            }
        }
    }
}
