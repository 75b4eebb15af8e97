/* short.c - an index of 16 bits is made an address from these, as nvcc has it.
 *
 *     x[c[t]]        ld.shared.u16 %r1; mul.wide.s16 %r2, %r1, 4     for ld.shared.s16 %r1; shl.b32 %r2, %r1, 2
 *
 * LLVM's back end for PTX makes mul.wide of a short that is made wide and shifted, which takes half a register, so that
 * ptxas merges the load with its neighbours (../ptx/extend.c). It looks at one block at a time, and where anybody wants
 * the number as a wide one (a comparison, a sum, x[c[t]] of global memory, whose addresses have 64 bits) the load makes
 * it wide itself. So it does for a product that goes into a sum, by 12 or 33 * 4: mad.lo.
 *
 * Graded measured: nvcc 13.0, tests/kernels/narrow.cu.
 */
#include "cuda/lower.h"

enum { MOST_BITS = 14 }; /* 1 << 15 is no short */

/* Of each register that is a short as it was loaded: 1 + its block and its load, and whether anybody wants it wide, or
 * elsewhere, or several loads set it; whether it was signed. */
struct shorts {
    struct cu_code *code;
    uint32_t *home;
    struct cu_instruction **load;
    bool *is_wide, *is_signed;
};

static bool is_short(const struct cu_code *code, const struct cu_instruction *k)
{
    return k->is_live && k->op == CU_OP_LOAD && k->n_results == 1 && k->result[0] != 0 && k->type != NULL &&
           k->type->size == 2 && bsim_cu_is_integer(k->type) && !k->type->is_volatile &&
           code->class[k->result[0]] == CU_I32;
}

static bool takes_shifted(const struct cu_instruction *k)
{
    uint64_t by;
    return k->op == CU_OP_SHL && k->n_results == 1 && k->argument[0].kind == CU_REGISTER &&
           bsim_cu_is_constant(&k->argument[1], &by) && by > 0 && by <= MOST_BITS;
}

/* For a float, and a short that is stored, half a register is enough, too. */
static bool takes_half(const struct cu_instruction *k)
{
    bool is_float = k->op == CU_OP_CONVERT && (strncmp(k->opcode, "cvt.rn.f32.s16", 14) == 0 ||
                                               strncmp(k->opcode, "cvt.rn.f32.u16", 14) == 0);
    return is_float || (k->op == CU_OP_STORE && k->type->size == 2);
}

static void look_at(struct shorts *s, const struct cu_value *value, uint32_t block, bool is_enough)
{
    bool is_one = value->kind == CU_REGISTER && s->home[value->id] > 0;
    if (is_one && (!is_enough || s->home[value->id] != block + 1)) {
        s->is_wide[value->id] = true;
    }
}

static void look_through(struct shorts *s, uint32_t block)
{
    const struct cu_code_block *b = &s->code->block[block];
    for (const struct cu_instruction *k = b->first; k != NULL; k = k->next) {
        bool is_enough = takes_shifted(k) || takes_half(k);
        for (uint32_t i = 0; k->is_live && i < k->n_arguments; i++) {
            look_at(s, &k->argument[i], block, is_enough);
        }
        for (uint32_t i = 0; k->is_live && i < k->n_operands; i++) {
            look_at(s, &k->operand[i], block, false);
        }
    }
}

/* The load is one of an unsigned number then: its product takes the sign from the 16 bits. */
static void shift(struct shorts *s, struct cu_instruction *k)
{
    struct cu_instruction *load = s->load[k->argument[0].id];
    s->is_signed[load->result[0]] |= bsim_cu_is_signed(load->type);
    k->op = CU_OP_OTHER;
    k->opcode = s->is_signed[load->result[0]] ? "mul.wide.s16" : "mul.wide.u16";
    k->argument[1] = bsim_cu_constant_of(CU_I32, UINT64_C(1) << k->argument[1].bits);
    load->type = bsim_cu_scalar(CU_USHORT);
    load->opcode = bsim_cu_text(s->code->file, "%.*s.u16", (int)(strrchr(load->opcode, '.') - load->opcode), load->opcode);
}

void bsim_cu_shift_shorts(struct cu_code *code, const uint32_t *order, uint32_t n)
{
    struct shorts s = {code, bsim_cu_take_many(code->file, code->n_registers, sizeof *s.home),
                       bsim_cu_take_many(code->file, code->n_registers, sizeof(struct cu_instruction *)),
                       bsim_cu_take_many(code->file, code->n_registers, sizeof *s.is_wide),
                       bsim_cu_take_many(code->file, code->n_registers, sizeof *s.is_signed)};
    if (bsim_cu_failed(code->file)) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        for (struct cu_instruction *k = code->block[order[i]].first; k != NULL; k = k->next) {
            if (is_short(code, k)) {
                s.is_wide[k->result[0]] = s.home[k->result[0]] > 0;
                s.home[k->result[0]] = order[i] + 1;
                s.load[k->result[0]] = k;
            }
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        look_through(&s, order[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        for (struct cu_instruction *k = code->block[order[i]].first; k != NULL; k = k->next) {
            if (k->is_live && takes_shifted(k) && s.home[k->argument[0].id] > 0 && !s.is_wide[k->argument[0].id]) {
                shift(&s, k);
            }
        }
    }
}
