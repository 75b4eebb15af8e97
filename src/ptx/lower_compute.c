/* lower_compute.c - what computes in registers alone, exchanges and services as steps. */
#include "ptx/lower.h"

#include "ptx/matrix.h"
#include "ptx/wgmma.h"

void bsim_ptx_lower_alu(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                        const struct bsim_ptx_alu *alu)
{
    const struct bsim_ptx_instruction *from = step->from;
    const uint8_t size[] = {alu->d, alu->a, alu->b, alu->c, alu->e};
    uint32_t *const place[] = {&step->d, &step->a, &step->b, &step->c, &step->e};
    uint32_t source_type =
        from->n_types > 1 ? from->type[from->n_types - 1] : bsim_ptx_main_type(from);
    uint32_t n = 0;
    step->run = alu->run;
    for (uint32_t i = 0; i < 5 && size[i] != 0; i++) {
        if (i >= from->n_operands) {
            bsim_ptx_lower_refuse(l, step, "an operand is missing");
            return;
        }
        *place[i] = bsim_ptx_lower_place(l, step, &from->operand[i], size[i],
                                         i == 0 ? bsim_ptx_main_type(from) : source_type);
        n++;
    }
    if (n < from->n_operands) {
        bsim_ptx_lower_refuse(l, step, "more operands than this instruction has here");
    }
}

/* setp.lt.and.f32 p|q, a, b, !c: more = {q or nowhere, c or nowhere, c is negated}. */
void bsim_ptx_lower_setp(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                         const struct bsim_ptx_alu *alu)
{
    const struct bsim_ptx_instruction *from = step->from;
    uint32_t *more = bsim_ptx_lower_take(l, 3 * sizeof *more);
    const struct bsim_ptx_operand *d = &from->operand[0];
    if (more == NULL || from->n_operands < 3) {
        bsim_ptx_lower_refuse(l, step, "an operand is missing");
        return;
    }
    bool is_pair = d->kind == BSIM_PTX_PAIR;
    step->run = alu->run;
    step->more = more;
    step->d = is_pair && d->member[0].kind == BSIM_PTX_NOTHING
                  ? BSIM_PTX_NOWHERE
                  : bsim_ptx_lower_place(l, step, is_pair ? &d->member[0] : d, 1, BSIM_PTX_PRED);
    more[0] =
        is_pair ? bsim_ptx_lower_place(l, step, &d->member[1], 1, BSIM_PTX_PRED) : BSIM_PTX_NOWHERE;
    step->a = bsim_ptx_lower_place(l, step, &from->operand[1], alu->a, bsim_ptx_main_type(from));
    step->b = bsim_ptx_lower_place(l, step, &from->operand[2], alu->b, bsim_ptx_main_type(from));
    more[1] = from->n_operands > 3
                  ? bsim_ptx_lower_place(l, step, &from->operand[3], 1, BSIM_PTX_PRED)
                  : BSIM_PTX_NOWHERE;
    more[2] = from->n_operands > 3 && from->operand[3].is_negated;
}

/* ---- conversions, vectors in a register ------------------------------------------------------ */

/* cvt.rn.f16x2.f32 d, a, b. */
static void lower_convert_pair(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    if (from->n_operands != 3 || from->n_types != 2 || from->type[1] != BSIM_PTX_F32) {
        bsim_ptx_lower_refuse(l, step, "a conversion of a kind that is not known here");
        return;
    }
    step->run = bsim_ptx_run_convert_pair;
    step->d = bsim_ptx_lower_place(l, step, &from->operand[0], 4, BSIM_PTX_B32);
    step->a = bsim_ptx_lower_place(l, step, &from->operand[1], 4, BSIM_PTX_F32);
    step->b = bsim_ptx_lower_place(l, step, &from->operand[2], 4, BSIM_PTX_F32);
}

/* A register may be wider than the type that is taken from it. */
void bsim_ptx_lower_convert(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    uint32_t *more = bsim_ptx_lower_take(l, 2 * sizeof *more);
    if (bsim_ptx_main_type(from) == BSIM_PTX_F16X2 || bsim_ptx_main_type(from) == BSIM_PTX_BF16X2) {
        lower_convert_pair(l, step);
        return;
    }
    if (from->n_operands != 2 || from->n_types != 2 || bsim_ptx_has(from, BSIM_PTX_SATFINITE)) {
        bsim_ptx_lower_refuse(l, step, "a conversion of a kind that is not known here");
        return;
    }
    if (more == NULL) {
        return;
    }
    for (uint32_t i = 0; i < 2; i++) {
        more[i] = bsim_ptx_lower_register_bits(l, &from->operand[i], from->type[i]);
    }
    step->run = bsim_ptx_run_convert;
    step->more = more;
    step->d =
        bsim_ptx_lower_place(l, step, &from->operand[0], more[0] == 64 ? 8 : 4, from->type[0]);
    step->a =
        bsim_ptx_lower_place(l, step, &from->operand[1], more[1] == 64 ? 8 : 4, from->type[1]);
}

/* mov.b64 %rd, {%r1, %r2} and back, mov.b128 of a register, too: more is {elements, bits of each, of the whole, places ...}. */
void bsim_ptx_lower_vector_move(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                                bool is_pack)
{
    const struct bsim_ptx_instruction *from = step->from;
    const struct bsim_ptx_operand *vector = &from->operand[is_pack ? 1 : 0];
    const struct bsim_ptx_operand *whole = &from->operand[is_pack ? 0 : 1];
    const struct bsim_ptx_operand *member = vector->n > 0 ? vector->member : vector;
    uint32_t bits = bsim_ptx_type_bits(bsim_ptx_main_type(from)), n = vector->n > 0 ? vector->n : 1;
    uint32_t *more = bsim_ptx_lower_take(l, (3 + n) * sizeof *more);
    uint32_t each = bits / n;
    if (more == NULL || bits < 16 || each < 8 || (bits == 128 && each % 32 != 0)) {
        bsim_ptx_lower_refuse(l, step, "a move of a vector of a kind that is not known here");
        return;
    }
    more[0] = n;
    more[1] = each;
    more[2] = bits;
    for (uint32_t i = 0; i < n; i++) {
        bool is_nobody = member[i].kind == BSIM_PTX_NOTHING;
        more[3 + i] = is_nobody
                          ? BSIM_PTX_NOWHERE
                          : bsim_ptx_lower_place(l, step, &member[i], each < 64 ? 4 : each / 8,
                                                 each == 64   ? BSIM_PTX_B64
                                                 : each == 32 ? BSIM_PTX_B32
                                                              : BSIM_PTX_B16);
    }
    step->run = is_pack ? bsim_ptx_run_pack : bsim_ptx_run_unpack;
    step->more = more;
    *(is_pack ? &step->d : &step->a) =
        bsim_ptx_lower_place(l, step, whole, bits < 64 ? 4 : bits / 8, bsim_ptx_main_type(from));
}

bool bsim_ptx_fits_registers(const struct bsim_ptx_lowering *l,
                             const struct bsim_ptx_instruction *from,
                             const struct bsim_ptx_alu *alu)
{
    uint32_t bits = bsim_ptx_lower_register_bits(l, &from->operand[0], from->type[0]);
    bool is_extended =
        bsim_ptx_type_letter(from->type[0]) == 's' && bsim_ptx_type_bits(from->type[0]) < bits;
    if (from->n_operands > 2) {
        return true; /* several numbers: of the widths that their row has */
    }
    return !is_extended && (bits == 64) == (alu->d == 8) &&
           (bsim_ptx_lower_register_bits(l, &from->operand[1], from->type[1]) == 64) ==
               (alu->a == 8);
}

/* ---- exchanges ------------------------------------------------------------------------------- */

/* d|p is split: more[0] is p's place. */
static const struct bsim_ptx_operand *split_pair(struct bsim_ptx_lowering *l,
                                                 struct bsim_ptx_step *step)
{
    const struct bsim_ptx_operand *d = &step->from->operand[0];
    uint32_t *more = bsim_ptx_lower_take(l, sizeof *more);
    if (more != NULL) {
        bool has_p = d->kind == BSIM_PTX_PAIR && d->member[1].kind != BSIM_PTX_NOTHING;
        more[0] = has_p ? bsim_ptx_lower_place(l, step, &d->member[1], 1, BSIM_PTX_PRED)
                        : BSIM_PTX_NOWHERE;
        step->more = more;
    }
    return d->kind == BSIM_PTX_PAIR ? &d->member[0] : d;
}

void bsim_ptx_lower_exchange(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                             const struct bsim_ptx_exchange *exchange)
{
    const struct bsim_ptx_instruction *from = step->from;
    uint32_t wide = bsim_ptx_main_type(from) == BSIM_PTX_B64 ? 8 : 4;
    const uint8_t size[] = {exchange->a, exchange->b, exchange->c};
    uint32_t *const place[] = {&step->a, &step->b, &step->c};
    step->run = exchange->run;
    step->access = bsim_ptx_lower_take(l, sizeof *step->access);
    const struct bsim_ptx_operand *d = split_pair(l, step);
    if (step->access == NULL) {
        return;
    }
    step->d = d->kind == BSIM_PTX_NOTHING
                  ? 0
                  : bsim_ptx_lower_place(l, step, d, exchange->d, BSIM_PTX_B32);
    /* votes of before .sync name no members */
    bool has_members = bsim_ptx_has(from, BSIM_PTX_SYNC) || exchange->c != 0;
    for (uint32_t i = 0; i < (has_members ? 3u : 1u) && size[i] != 0; i++) {
        if (i + 1 >= from->n_operands) {
            bsim_ptx_lower_refuse(l, step, "an operand is missing");
            return;
        }
        *place[i] =
            bsim_ptx_lower_place(l, step, &from->operand[i + 1],
                                 i == 0 && size[i] != 1 ? wide : size[i], bsim_ptx_main_type(from));
    }
    if (bsim_ptx_has(from, BSIM_PTX_SYNC)) {
        step->kind = BSIM_PTX_MEET_LANES;
        step->e = bsim_ptx_lower_place(l, step, &from->operand[from->n_operands - 1], 4,
                                       BSIM_PTX_B32);
    }
    step->access->operation = exchange->operation;
    step->access->opcode = (struct bsim_opcode){
        .family = BSIM_SHFL, .operation = (uint8_t)exchange->operation, .type = 'b', .bits = 32};
}

/* ---- services -------------------------------------------------------------------------------- */

void bsim_ptx_lower_service(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                            const struct bsim_ptx_service *service)
{
    const struct bsim_ptx_instruction *from = step->from;
    struct bsim_ptx_argument *argument =
        bsim_ptx_lower_take(l, BSIM_PTX_MAX_OPERANDS * sizeof *argument);
    step->run = service->run;
    step->kind = service->run == NULL          ? BSIM_PTX_NOTHING_HAPPENS
                 : bsim_ptx_is_of_warps(from) ? BSIM_PTX_MEET_WARPS
                                              : BSIM_PTX_COMPUTE;
    if (service->run == NULL || argument == NULL) {
        return;
    }
    for (uint32_t i = 0; i < from->n_operands; i++) {
        bsim_ptx_lower_argument(l, step, &from->operand[i], &argument[i]);
    }
    step->argument = argument;
    step->is_of_matrices = bsim_ptx_find_matrix(from) != NULL;
    struct bsim_opcode opcode = {0};
    enum bsim_ptx_space space =
        service->name != NULL ? service->name(from, &opcode) : BSIM_PTX_NO_SPACE;
    if (service->name != NULL &&
        (step->access = bsim_ptx_lower_take(l, sizeof *step->access)) != NULL) {
        step->access->space = space;
        step->access->opcode = opcode;
        step->access->root = BSIM_PTX_NOWHERE;
    }
}
