/* remain.c - quotients and remainders of the same two numbers, of which one is divided.
 *
 *     x / y * y             x - x % y, if nobody else wants the quotient
 *     x / y, x % y          x / y, x - x / y * y
 *
 * Of constants y that is divide.c's; a remainder is as long as a quotient, some twenty instructions of ptxas's.
 *
 * Graded measured: the instructions are nvcc 13.0's, tests/kernels/remains.cu.
 */
#include "cuda/code.h"

struct remaining {
    struct cu_code *code;
    uint32_t *n_uses; /* of each register */
    struct cu_code_block *block;
};

static bool divides(const struct cu_instruction *k, enum cu_op op)
{
    return k != NULL && k->is_live && k->op == op && k->argument[0].class <= CU_I64 &&
           k->argument[0].class != CU_P && k->argument[1].kind == CU_REGISTER;
}

/* The block's other division of the same two numbers; NULL: there is none. */
static struct cu_instruction *other_of(const struct remaining *s, const struct cu_instruction *k, enum cu_op op)
{
    struct cu_instruction *other = s->block->first;
    while (other != NULL && !(divides(other, op) && other->is_signed == k->is_signed &&
                              bsim_cu_same_value(&other->argument[0], &k->argument[0]) &&
                              bsim_cu_same_value(&other->argument[1], &k->argument[1]))) {
        other = other->next;
    }
    return other;
}

/* Whether a comes before b in the block. */
static bool is_before(const struct cu_instruction *a, const struct cu_instruction *b)
{
    while (a != NULL && a != b) {
        a = a->next;
    }
    return a == b;
}

/* The second stands in front of the first, whose operands are its own. */
static void put_first(struct remaining *s, struct cu_instruction *first, struct cu_instruction *second)
{
    if (is_before(first, second)) {
        bsim_cu_take_out(s->block, second);
        bsim_cu_put_before(s->block, second, first);
    }
}

static void become_difference(struct cu_instruction *k, struct cu_value from, struct cu_value less)
{
    k->op = CU_OP_SUB;
    k->opcode = from.class == CU_I32 ? "sub.s32" : "sub.s64";
    k->n_arguments = 2;
    k->argument[0] = from;
    k->argument[1] = less;
}

/* The product of a quotient, its operand i, with what was divided by. */
static void take_remainder(struct remaining *s, struct cu_instruction *product, uint32_t i)
{
    uint32_t id = product->argument[i].kind == CU_REGISTER ? product->argument[i].id : 0;
    struct cu_instruction *quotient = s->code->definition[id];
    if (!divides(quotient, CU_OP_DIV) || s->n_uses[id] != 1 || !is_before(s->block->first, quotient) ||
        !bsim_cu_same_value(&quotient->argument[1], &product->argument[1 - i])) {
        return;
    }
    struct cu_instruction *rest = other_of(s, quotient, CU_OP_REM);
    if (rest == NULL) {
        rest = quotient;
        quotient->op = CU_OP_REM;
        quotient->opcode = bsim_cu_text(s->code->file, "rem%s", quotient->opcode + 3);
    } else {
        put_first(s, quotient, rest);
        quotient->is_live = false;
    }
    become_difference(product, rest->argument[0],
                      (struct cu_value){.kind = CU_REGISTER, .class = rest->argument[0].class, .id = rest->result[0]});
}

/* The remainder, where the quotient is there, too. */
static void take_quotient(struct remaining *s, struct cu_instruction *rest, struct cu_instruction *quotient)
{
    struct cu_value x = rest->argument[0];
    struct cu_value back = bsim_cu_register(s->code, x.class, CU_GENERIC);
    struct cu_instruction *product = bsim_cu_take(s->code->file, sizeof *product);
    if (bsim_cu_failed(s->code->file)) {
        return;
    }
    put_first(s, rest, quotient);
    *product = *rest;
    product->op = CU_OP_MUL;
    product->opcode = x.class == CU_I32 ? "mul.lo.s32" : "mul.lo.s64";
    product->argument[0] = (struct cu_value){.kind = CU_REGISTER, .class = x.class, .id = quotient->result[0]};
    product->result[0] = back.id;
    s->code->definition[back.id] = product;
    s->code->n_made++;
    bsim_cu_put_before(s->block, product, rest);
    become_difference(rest, x, back);
}

static void visit(struct remaining *s)
{
    for (struct cu_instruction *k = s->block->first; k != NULL; k = k->next) {
        bool is_product = k->is_live && k->op == CU_OP_MUL && k->argument[0].class <= CU_I64;
        for (uint32_t i = 0; is_product && k->op == CU_OP_MUL && i < 2; i++) {
            take_remainder(s, k, i);
        }
    }
    for (struct cu_instruction *k = s->block->first; k != NULL && !bsim_cu_failed(s->code->file); k = k->next) {
        struct cu_instruction *quotient = divides(k, CU_OP_REM) ? other_of(s, k, CU_OP_DIV) : NULL;
        if (quotient != NULL) {
            take_quotient(s, k, quotient);
        }
    }
}

void bsim_cu_share_divisions(struct cu_code *code, const uint32_t *order, uint32_t n)
{
    struct remaining s = {.code = code};
    s.n_uses = bsim_cu_take_many(code->file, code->n_registers, sizeof *s.n_uses);
    for (uint32_t i = 0; i < n && !bsim_cu_failed(code->file); i++) {
        bsim_cu_count_uses(&code->block[order[i]], s.n_uses);
    }
    for (uint32_t i = 0; i < n && !bsim_cu_failed(code->file); i++) {
        s.block = &code->block[order[i]];
        visit(&s);
    }
}
