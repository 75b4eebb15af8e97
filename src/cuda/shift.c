/* shift.c - differences that were multiplied out, though somebody wants them as they stand (fold.c).
 *
 *     (255 - t) * 4       1020 - (t << 2), but not if 255 - t is of use otherwise, or has two such products
 *
 * That is known when the kernel is there, so products remember what they are of.
 *
 * Graded measured: nvcc 13.0, tests/kernels/shifts.cu.
 */
#include "cuda/code.h"

struct uses {
    struct cu_code *code;
    uint32_t *n;          /* of each register: who wants it as it stands */
    uint32_t *n_products; /* and the products that are made of it instead */
    uint32_t *block, *by; /* where the first of these is, and what it is shifted by */
    uint32_t *beside;     /* of each block: the other way of the branch that leads there */
};

static bool begin(struct uses *uses, struct cu_code *code)
{
    uint32_t n = code->n_registers;
    *uses = (struct uses){code,
                          bsim_cu_take_many(code->file, n, sizeof *uses->n),
                          bsim_cu_take_many(code->file, n, sizeof *uses->n_products),
                          bsim_cu_take_many(code->file, n, sizeof *uses->block),
                          bsim_cu_take_many(code->file, n, sizeof *uses->by),
                          bsim_cu_take_many(code->file, code->n_blocks, sizeof *uses->beside)};
    return !bsim_cu_failed(code->file);
}

static void count_use(struct uses *uses, const struct cu_value *value)
{
    uses->n[value->kind == CU_REGISTER ? value->id : 0]++;
}

/* The same product on both ways of a branch is one: nvcc has it before the branch. */
static void count_product(struct uses *uses, const struct cu_instruction *k, uint32_t block)
{
    uint32_t of = k->product_of;
    bool is_known = uses->n_products[of] > 0 && uses->by[of] == k->shifted_by && block != 0 &&
                    uses->beside[block] == uses->block[of];
    uses->n_products[of] += !is_known;
    uses->block[of] = block;
    uses->by[of] = k->shifted_by;
}

static void count(struct uses *uses, uint32_t block)
{
    const struct cu_code_block *b = &uses->code->block[block];
    if (b->ending == CU_BRANCHES) {
        uses->beside[b->target[0]] = b->target[1];
        uses->beside[b->target[1]] = b->target[0];
    }
    for (const struct cu_instruction *k = b->first; k != NULL; k = k->next) {
        for (uint32_t i = 0; k->is_live && i < k->n_arguments; i++) {
            count_use(uses, &k->argument[i]);
        }
        for (uint32_t i = 0; k->is_live && i < k->n_operands; i++) {
            count_use(uses, &k->operand[i]);
        }
        if (k->is_live && k->product_of != 0) {
            count_product(uses, k, block);
        }
    }
}

/* Whether it is a shift of what it is a product of; of a product of a product, too. */
static bool is_whole(const struct uses *uses, const struct cu_instruction *product)
{
    uint32_t of = product->product_of;
    return of != 0 && (uses->n[of] > 0 || uses->n_products[of] > 1 ||
                       is_whole(uses, uses->code->definition[of]));
}

static void shift_whole(struct cu_code *code, struct cu_instruction *k)
{
    enum cu_class class = code->class[k->result[0]];
    k->op = CU_OP_SHL;
    k->opcode = class == CU_I32 ? "shl.b32" : "shl.b64";
    k->n_arguments = 2;
    k->argument[0] = (struct cu_value){.kind = CU_REGISTER, .class = class, .id = k->product_of};
    k->argument[1] = bsim_cu_constant_of(CU_I32, k->shifted_by);
}

bool bsim_cu_shift_differences(struct cu_code *code, const uint32_t *order, uint32_t n)
{
    struct uses uses;
    bool is_any = false;
    if (!begin(&uses, code)) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        count(&uses, order[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        for (struct cu_instruction *k = code->block[order[i]].first; k != NULL; k = k->next) {
            if (is_whole(&uses, k)) {
                shift_whole(code, k);
                is_any = true;
            }
        }
    }
    for (uint32_t i = 0; i < n && is_any; i++) {
        for (struct cu_instruction *k = code->block[order[i]].first; k != NULL; k = k->next) {
            k->is_live = true;
        }
    }
    return is_any;
}
