/* lower.c - a kernel and the functions it calls as steps of the machine.
 *
 * Every register of every function has a place of its own in a warp's file, 32 lanes one behind the
 * other; immediates and special registers stand there too, so that a step knows places alone. A
 * function is called by jumping to its steps: what recurs is refused.
 *
 *     .reg .b32 %r<2>; .reg .b64 %rd<1>;     %r0: words 32-63, %r1: 64-95, %rd0: 96-159
 *     add.u32 %r1, %r0, 5;                   run=add_u32 d=64 a=32 b=160: 5 in each lane
 */
#include "ptx/machine.h"

#include "base/memory.h"
#include "ptx/system.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A function in the program. */
struct placed {
    const struct bsim_ptx_function *function;
    const uint32_t *place; /* of its registers */
    uint32_t first;        /* step */
    bool is_open;          /* its instructions are being lowered: who calls it now recurs */
    struct placed *next;
};

struct lowering {
    struct bsim_arena *arena;
    struct bsim_ptx_program *program;
    struct bsim_error *err;
    enum bsim_status status;
    struct placed *placed;
    const struct placed *self;
    bool merges;     /* what ptxas does */
    uint32_t n_room; /* steps that the program has memory for */
};

static void *make(struct lowering *l, size_t size)
{
    void *p = bsim_arena_take(l->arena, size);
    if (p == NULL && l->status == BSIM_OK) {
        l->status = bsim_error_set(l->err, BSIM_E_MEMORY, "out of memory");
    }
    return p;
}

/* The step ends the launch when it is executed, and says why. */
static void refuse(struct lowering *l, struct bsim_ptx_step *step, const char *format, ...)
    BSIM_PRINTF(3, 4);

static void refuse(struct lowering *l, struct bsim_ptx_step *step, const char *format, ...)
{
    char text[BSIM_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (step->kind != BSIM_PTX_REFUSED) {
        step->kind = BSIM_PTX_REFUSED;
        step->why = bsim_arena_text(l->arena, text, strlen(text));
    }
}

/* The window of code has 16 bytes for each function, in their order. */
uint64_t bsim_ptx_function_address(const struct bsim_ptx_module *module, const char *name)
{
    uint64_t address = BSIM_PTX_CODE_WINDOW;
    for (const struct bsim_ptx_function *f = module->functions; f != NULL; f = f->next) {
        address += 16;
        if (strcmp(f->name, name) == 0) {
            return address;
        }
    }
    return 0;
}

/* ---- places ---------------------------------------------------------------------------------- */

static uint32_t take_words(struct lowering *l, uint32_t n)
{
    uint32_t place = l->program->n_words;
    l->program->n_words += n;
    return place;
}

static uint32_t words_of(uint32_t type)
{
    uint32_t bits = bsim_ptx_type_bits(type);
    return bits == 1 ? 2 : bits <= 32 ? 32 : bits / 32 * 32;
}

static uint32_t constant_place(struct lowering *l, uint64_t bits, bool is_64)
{
    struct bsim_ptx_program *program = l->program;
    for (uint32_t i = 0; i < program->n_constants; i++) {
        if (program->constant[i].bits == bits && program->constant[i].is_64 == is_64) {
            return program->constant[i].place;
        }
    }
    struct bsim_ptx_constant *grown =
        bsim_mem_grow(program->constant, program->n_constants, sizeof *grown);
    if (grown == NULL) {
        l->status = bsim_error_set(l->err, BSIM_E_MEMORY, "out of memory");
        return 0;
    }
    program->constant = grown;
    uint32_t place = take_words(l, is_64 ? 64 : 32);
    program->constant[program->n_constants++] =
        (struct bsim_ptx_constant){.place = place, .is_64 = is_64, .bits = bits};
    return place;
}

static uint32_t special_place(struct lowering *l, uint32_t special)
{
    uint32_t *place = &l->program->special[special];
    if (*place == 0) {
        *place = take_words(l, 64);
    }
    return *place;
}

static float to_float(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float f;
    memcpy(&f, &low, sizeof f);
    return f;
}

/* The bits of an immediate for an instruction of that type. */
static uint64_t immediate_bits(const struct bsim_ptx_operand *operand, uint32_t type)
{
    uint32_t bits = bsim_ptx_type_bits(type);
    uint64_t value = operand->bits;
    double d;
    if (operand->kind == BSIM_PTX_FLOAT && type == BSIM_PTX_F32) {
        memcpy(&d, &value, sizeof d);
        float f = (float)d;
        uint32_t low;
        memcpy(&low, &f, sizeof low);
        value = low;
    } else if (operand->kind == BSIM_PTX_SINGLE && type == BSIM_PTX_F64) {
        d = (double)to_float(value);
        memcpy(&value, &d, sizeof value);
    }
    return bits == 0 || bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1);
}

/* Where a variable is, as `mov` gives it: in its own space, but for what is generic anyway. */
static uint64_t address_of(const struct bsim_ptx_symbol *symbol)
{
    return symbol->address;
}

/* The place of an operand read as `size` bytes (1: a predicate). */
static uint32_t place_of(struct lowering *l, struct bsim_ptx_step *step,
                         const struct bsim_ptx_operand *operand, uint32_t size, uint32_t type)
{
    switch (operand->kind) {
    case BSIM_PTX_REGISTER: {
        uint32_t bits = bsim_ptx_type_bits(l->self->function->reg[operand->number].type);
        uint32_t have = bits == 1 ? 1 : bits <= 32 ? 4 : 8;
        if (have != size) {
            refuse(l, step,
                   "a register of %" PRIu32 " bits stands where this instruction has %" PRIu32,
                   bits, size * 8);
        }
        return l->self->place[operand->number];
    }
    case BSIM_PTX_SPECIAL:
        return special_place(l, operand->number);
    case BSIM_PTX_INTEGER:
    case BSIM_PTX_FLOAT:
    case BSIM_PTX_SINGLE:
        if (size == 1) {
            return constant_place(l, operand->bits != 0 ? UINT32_MAX : 0, false);
        }
        return constant_place(l, immediate_bits(operand, type), size == 8);
    case BSIM_PTX_SYMBOL:
        return constant_place(l, address_of(operand->symbol) + operand->bits, size == 8);
    case BSIM_PTX_NAME:
        if (bsim_ptx_function_address(l->program->module, operand->name) != 0 && size == 8) {
            return constant_place(l, bsim_ptx_function_address(l->program->module, operand->name),
                                  true);
        }
        refuse(l, step, "%s is not known here", operand->name);
        return 0;
    default:
        refuse(l, step, "an operand of a form that this instruction has not here");
        return 0;
    }
}

/* ---- what computes --------------------------------------------------------------------------- */

static uint32_t main_type(const struct bsim_ptx_instruction *instruction)
{
    return instruction->n_types > 0 ? instruction->type[0] : BSIM_PTX_NO_TYPE;
}

static void lower_alu(struct lowering *l, struct bsim_ptx_step *step,
                      const struct bsim_ptx_alu *alu)
{
    const struct bsim_ptx_instruction *from = step->from;
    const uint8_t size[] = {alu->d, alu->a, alu->b, alu->c, alu->e};
    uint32_t *const place[] = {&step->d, &step->a, &step->b, &step->c, &step->e};
    uint32_t source_type = from->n_types > 1 ? from->type[from->n_types - 1] : main_type(from);
    uint32_t n = 0;
    step->run = alu->run;
    for (uint32_t i = 0; i < 5 && size[i] != 0; i++) {
        if (i >= from->n_operands) {
            refuse(l, step, "an operand is missing");
            return;
        }
        *place[i] =
            place_of(l, step, &from->operand[i], size[i], i == 0 ? main_type(from) : source_type);
        n++;
    }
    if (n < from->n_operands) {
        refuse(l, step, "more operands than this instruction has here");
    }
}

/* setp.lt.and.f32 p|q, a, b, !c: more = {q or nowhere, c or nowhere, c is negated}. */
static void lower_setp(struct lowering *l, struct bsim_ptx_step *step,
                       const struct bsim_ptx_alu *alu)
{
    const struct bsim_ptx_instruction *from = step->from;
    uint32_t *more = make(l, 3 * sizeof *more);
    const struct bsim_ptx_operand *d = &from->operand[0];
    if (more == NULL || from->n_operands < 3) {
        refuse(l, step, "an operand is missing");
        return;
    }
    bool is_pair = d->kind == BSIM_PTX_PAIR;
    step->run = alu->run;
    step->more = more;
    step->d = is_pair && d->member[0].kind == BSIM_PTX_NOTHING
                  ? BSIM_PTX_NOWHERE
                  : place_of(l, step, is_pair ? &d->member[0] : d, 1, BSIM_PTX_PRED);
    more[0] = is_pair ? place_of(l, step, &d->member[1], 1, BSIM_PTX_PRED) : BSIM_PTX_NOWHERE;
    step->a = place_of(l, step, &from->operand[1], alu->a, main_type(from));
    step->b = place_of(l, step, &from->operand[2], alu->b, main_type(from));
    more[1] = from->n_operands > 3 ? place_of(l, step, &from->operand[3], 1, BSIM_PTX_PRED)
                                   : BSIM_PTX_NOWHERE;
    more[2] = from->n_operands > 3 && from->operand[3].is_negated;
}

/* ---- conversions, vectors in a register ------------------------------------------------------ */

static uint32_t register_bits(const struct lowering *l, const struct bsim_ptx_operand *operand,
                              uint32_t type)
{
    uint32_t bits = operand->kind == BSIM_PTX_REGISTER
                        ? bsim_ptx_type_bits(l->self->function->reg[operand->number].type)
                        : bsim_ptx_type_bits(type);
    return bits < 16 ? 16 : bits;
}

/* cvt.rn.f16x2.f32 d, a, b. */
static void lower_convert_pair(struct lowering *l, struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    if (from->n_operands != 3 || from->n_types != 2 || from->type[1] != BSIM_PTX_F32) {
        refuse(l, step, "a conversion of a kind that is not known here");
        return;
    }
    step->run = bsim_ptx_run_convert_pair;
    step->d = place_of(l, step, &from->operand[0], 4, BSIM_PTX_B32);
    step->a = place_of(l, step, &from->operand[1], 4, BSIM_PTX_F32);
    step->b = place_of(l, step, &from->operand[2], 4, BSIM_PTX_F32);
}

/* A register may be wider than the type that is taken from it. */
static void lower_convert(struct lowering *l, struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    uint32_t *more = make(l, 2 * sizeof *more);
    if (main_type(from) == BSIM_PTX_F16X2 || main_type(from) == BSIM_PTX_BF16X2) {
        lower_convert_pair(l, step);
        return;
    }
    if (from->n_operands != 2 || from->n_types != 2 || bsim_ptx_has(from, BSIM_PTX_SATFINITE)) {
        refuse(l, step, "a conversion of a kind that is not known here");
        return;
    }
    if (more == NULL) {
        return;
    }
    for (uint32_t i = 0; i < 2; i++) {
        more[i] = register_bits(l, &from->operand[i], from->type[i]);
    }
    step->run = bsim_ptx_run_convert;
    step->more = more;
    step->d = place_of(l, step, &from->operand[0], more[0] == 64 ? 8 : 4, from->type[0]);
    step->a = place_of(l, step, &from->operand[1], more[1] == 64 ? 8 : 4, from->type[1]);
}

/* mov.b64 %rd, {%r1, %r2} and back: more is {elements, bits of each, of the whole, places ...}. */
static void lower_vector_move(struct lowering *l, struct bsim_ptx_step *step, bool is_pack)
{
    const struct bsim_ptx_instruction *from = step->from;
    const struct bsim_ptx_operand *vector = &from->operand[is_pack ? 1 : 0];
    const struct bsim_ptx_operand *whole = &from->operand[is_pack ? 0 : 1];
    uint32_t bits = bsim_ptx_type_bits(main_type(from));
    uint32_t *more = make(l, (3 + vector->n) * sizeof *more);
    if (more == NULL || vector->n == 0 || bits == 0 || bits > 64) {
        refuse(l, step, "a move of a vector of a kind that is not known here");
        return;
    }
    more[0] = vector->n;
    more[1] = bits / vector->n;
    more[2] = bits;
    for (uint32_t i = 0; i < vector->n; i++) {
        bool is_nobody = vector->member[i].kind == BSIM_PTX_NOTHING;
        more[3 + i] = is_nobody ? BSIM_PTX_NOWHERE
                                : place_of(l, step, &vector->member[i], 4,
                                           more[1] == 32 ? BSIM_PTX_B32 : BSIM_PTX_B16);
    }
    step->run = is_pack ? bsim_ptx_run_pack : bsim_ptx_run_unpack;
    step->more = more;
    *(is_pack ? &step->d : &step->a) =
        place_of(l, step, whole, bits == 64 ? 8 : 4, main_type(from));
}

static bool is_vector_move(const struct bsim_ptx_instruction *from, uint32_t operand)
{
    return bsim_ptx_is_a(from, "mov") && from->n_operands == 2 &&
           from->operand[operand].kind == BSIM_PTX_VECTOR;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static enum bsim_ptx_space space_of(const struct bsim_ptx_instruction *instruction)
{
    for (uint32_t i = 0; i < instruction->n_words; i++) {
        switch (instruction->word[i]) {
        case BSIM_PTX_PARAM_:
        case BSIM_PTX_PARAM_ENTRY:
        case BSIM_PTX_PARAM_FUNC:
            return BSIM_PTX_PARAM;
        case BSIM_PTX_CONST_:
            return BSIM_PTX_CONST;
        case BSIM_PTX_GLOBAL_:
            return BSIM_PTX_GLOBAL;
        case BSIM_PTX_LOCAL_:
            return BSIM_PTX_LOCAL;
        case BSIM_PTX_SHARED_:
        case BSIM_PTX_SHARED_CTA:
            return BSIM_PTX_SHARED;
        default:
            break;
        }
    }
    return BSIM_PTX_NO_SPACE;
}

/* [register+offset], [variable+offset], [number]. */
static void lower_address(struct lowering *l, struct bsim_ptx_step *step,
                          const struct bsim_ptx_operand *operand)
{
    struct bsim_ptx_access *access = step->access;
    if (operand->kind != BSIM_PTX_ADDRESS || operand->n != 1) {
        refuse(l, step, "an address is missing here");
        return;
    }
    const struct bsim_ptx_operand *base = &operand->member[0];
    access->offset = operand->bits;
    access->is_64 = base->kind != BSIM_PTX_REGISTER ||
                    bsim_ptx_type_bits(l->self->function->reg[base->number].type) == 64;
    step->a = place_of(l, step, base, access->is_64 ? 8 : 4, BSIM_PTX_U64);
    bool is_kernels =
        l->self->function->is_entry && base->kind == BSIM_PTX_SYMBOL && base->symbol->is_parameter;
    if (base->kind == BSIM_PTX_SYMBOL && access->space == BSIM_PTX_PARAM && !is_kernels) {
        access->space = BSIM_PTX_LOCAL; /* what calls hand over is in a thread's own memory */
        access->is_silent = true;
    }
}

static void lower_values(struct lowering *l, struct bsim_ptx_step *step,
                         const struct bsim_ptx_operand *operand)
{
    struct bsim_ptx_access *access = step->access;
    uint32_t type = main_type(step->from);
    bool is_vector = operand->kind == BSIM_PTX_VECTOR;
    access->count = is_vector ? operand->n : 1;
    if (access->count > 4) {
        refuse(l, step, "more than 4 elements");
        return;
    }
    for (uint32_t i = 0; i < access->count; i++) {
        const struct bsim_ptx_operand *value = is_vector ? &operand->member[i] : operand;
        access->value[i] = BSIM_PTX_NOWHERE;
        if (value->kind == BSIM_PTX_NOTHING) {
            continue;
        }
        uint32_t bits = bsim_ptx_type_bits(type);
        if (value->kind == BSIM_PTX_REGISTER) {
            bits = bsim_ptx_type_bits(l->self->function->reg[value->number].type);
        }
        access->register_bits[i] = bits;
        access->value[i] = place_of(l, step, value, bits == 1 ? 1 : bits <= 32 ? 4 : 8, type);
    }
}

static struct bsim_ptx_access *new_access(struct lowering *l, struct bsim_ptx_step *step)
{
    struct bsim_ptx_access *access = make(l, sizeof *access);
    uint32_t type = main_type(step->from);
    if (access != NULL) {
        access->space = space_of(step->from);
        access->bytes = bsim_ptx_type_bits(type) / 8;
        access->is_signed = bsim_ptx_type_letter(type) == 's';
        if (access->bytes == 0) {
            refuse(l, step, "no type of memory");
        }
    }
    step->access = access;
    return access;
}

/* What the trace calls it. Parameters and what calls hand over are no memory accesses there. */
static void name_access(struct bsim_ptx_step *step, enum bsim_family family)
{
    static const uint8_t spaces[] = {
        [BSIM_PTX_CONST] = BSIM_CONST,     [BSIM_PTX_GLOBAL] = BSIM_GLOBAL,
        [BSIM_PTX_LOCAL] = BSIM_LOCAL,     [BSIM_PTX_SHARED] = BSIM_SHARED,
        [BSIM_PTX_NO_SPACE] = BSIM_SHARED, [BSIM_PTX_PARAM] = BSIM_NO_SPACE};
    struct bsim_ptx_access *access = step->access;
    uint32_t type = main_type(step->from);
    char letter = bsim_ptx_type_letter(type);
    access->opcode =
        (struct bsim_opcode){.family = (uint8_t)family,
                             .space = spaces[access->space],
                             .type = letter,
                             .bits = (uint8_t)bsim_ptx_type_bits(type),
                             .count = (uint8_t)access->count,
                             .bytes = (uint8_t)(access->bytes * access->count),
                             .is_volatile = bsim_ptx_has(step->from, BSIM_PTX_VOLATILE),
                             .path = bsim_ptx_has(step->from, BSIM_PTX_NC) ? BSIM_NC
                                     : bsim_ptx_is_a(step->from, "ldu")    ? BSIM_LDU
                                                                           : BSIM_USUAL_PATH};
    access->is_silent |= access->opcode.space == BSIM_NO_SPACE;
}

static void lower_load(struct lowering *l, struct bsim_ptx_step *step)
{
    if (new_access(l, step) == NULL || step->from->n_operands < 2) {
        refuse(l, step, "an operand is missing");
        return;
    }
    step->run = bsim_ptx_run_load;
    lower_address(l, step, &step->from->operand[1]);
    lower_values(l, step, &step->from->operand[0]);
    name_access(step, BSIM_LD);
}

static void lower_store(struct lowering *l, struct bsim_ptx_step *step)
{
    if (new_access(l, step) == NULL || step->from->n_operands < 2) {
        refuse(l, step, "an operand is missing");
        return;
    }
    step->run = bsim_ptx_run_store;
    lower_address(l, step, &step->from->operand[0]);
    lower_values(l, step, &step->from->operand[1]);
    name_access(step, BSIM_ST);
}

/* ---- atomics --------------------------------------------------------------------------------- */

static enum bsim_operation operation_of(const struct bsim_ptx_instruction *instruction)
{
    static const struct {
        enum bsim_ptx_word word;
        enum bsim_operation operation;
    } operations[] = {{BSIM_PTX_ADD, BSIM_ADD},   {BSIM_PTX_MIN, BSIM_MIN},
                      {BSIM_PTX_MAX, BSIM_MAX},   {BSIM_PTX_INC, BSIM_INC},
                      {BSIM_PTX_DEC, BSIM_DEC},   {BSIM_PTX_AND, BSIM_AND},
                      {BSIM_PTX_OR, BSIM_OR},     {BSIM_PTX_XOR, BSIM_XOR},
                      {BSIM_PTX_EXCH, BSIM_EXCH}, {BSIM_PTX_CAS, BSIM_CAS}};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (bsim_ptx_has(instruction, operations[i].word)) {
            return operations[i].operation;
        }
    }
    return BSIM_NO_OPERATION;
}

static uint32_t mentions_in(const struct bsim_ptx_operand *operand, uint32_t number)
{
    uint32_t n = operand->kind == BSIM_PTX_REGISTER && operand->number == number;
    for (uint32_t i = 0; i < operand->n; i++) {
        n += mentions_in(&operand->member[i], number);
    }
    return n;
}

/* Whether the register stands in one place of its function alone, which writes it. */
static bool is_unread(const struct bsim_ptx_function *function, uint32_t number)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < function->n_instructions && n < 2; i++) {
        const struct bsim_ptx_instruction *instruction = &function->code[i];
        for (uint32_t k = 0; k < instruction->n_operands; k++) {
            n += mentions_in(&instruction->operand[k], number);
        }
    }
    return n < 2;
}

/* ptxas makes a red of an atom whose result nobody reads, and in shared memory an addition of 1 one
 * that adds the lanes of a word up first (ATOMS.POPC.INC). */
static void name_atomic(struct bsim_ptx_step *step, bool is_used,
                        const struct bsim_ptx_operand *value)
{
    struct bsim_ptx_access *access = step->access;
    bool is_atom = is_used || access->operation == BSIM_EXCH || access->operation == BSIM_CAS;
    name_access(step, is_atom ? BSIM_ATOM : BSIM_RED);
    bool moves_bits = access->operation >= BSIM_AND && access->operation <= BSIM_CAS;
    bool is_one = value->kind == BSIM_PTX_INTEGER && value->bits == 1;
    bool is_counting = !is_used && is_one && access->operation == BSIM_ADD && access->bytes == 4 &&
                       access->space == BSIM_PTX_SHARED && !access->is_float;
    access->opcode.operation = (uint8_t)(is_counting ? BSIM_POPC_INC : access->operation);
    access->opcode.count = 0;
    access->opcode.type = moves_bits ? 'b' : access->opcode.type;
}

/* atom.op.type d, [a], b, c; red.op.type [a], b. */
static void lower_atomic(struct lowering *l, struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    uint32_t at = bsim_ptx_is_a(from, "atom") ? 1 : 0;
    if (new_access(l, step) == NULL || from->n_operands < at + 2u) {
        refuse(l, step, "an operand is missing");
        return;
    }
    struct bsim_ptx_access *access = step->access;
    uint32_t type = main_type(from), size = access->bytes == 8 ? 8 : 4;
    step->run = bsim_ptx_run_atomic;
    access->count = 1;
    access->operation = operation_of(from);
    access->is_float = strchr("fhn", bsim_ptx_type_letter(type)) != NULL;
    if (access->operation == BSIM_NO_OPERATION || access->bytes < 4 ||
        (access->is_float && access->operation != BSIM_ADD) ||
        from->operand[at + 1].kind == BSIM_PTX_VECTOR) {
        refuse(l, step, "an atomic of a kind that is not known here");
        return;
    }
    lower_address(l, step, &from->operand[at]);
    step->b = place_of(l, step, &from->operand[at + 1], size, type);
    step->c =
        from->n_operands > at + 2u ? place_of(l, step, &from->operand[at + 2], size, type) : 0;
    const struct bsim_ptx_operand *d = &from->operand[0];
    bool is_used =
        at == 1 && d->kind == BSIM_PTX_REGISTER && !is_unread(l->self->function, d->number);
    access->result = is_used ? place_of(l, step, d, size, type) : BSIM_PTX_NOWHERE;
    name_atomic(step, is_used, &from->operand[at + 1]);
}

/* ---- exchanges ------------------------------------------------------------------------------- */

/* d|p is split: more[0] is p's place. */
static const struct bsim_ptx_operand *split_pair(struct lowering *l, struct bsim_ptx_step *step)
{
    const struct bsim_ptx_operand *d = &step->from->operand[0];
    uint32_t *more = make(l, sizeof *more);
    if (more != NULL) {
        bool has_p = d->kind == BSIM_PTX_PAIR && d->member[1].kind != BSIM_PTX_NOTHING;
        more[0] = has_p ? place_of(l, step, &d->member[1], 1, BSIM_PTX_PRED) : BSIM_PTX_NOWHERE;
        step->more = more;
    }
    return d->kind == BSIM_PTX_PAIR ? &d->member[0] : d;
}

static void lower_exchange(struct lowering *l, struct bsim_ptx_step *step,
                           const struct bsim_ptx_exchange *exchange)
{
    const struct bsim_ptx_instruction *from = step->from;
    uint32_t wide = main_type(from) == BSIM_PTX_B64 ? 8 : 4;
    const uint8_t size[] = {exchange->a, exchange->b, exchange->c};
    uint32_t *const place[] = {&step->a, &step->b, &step->c};
    step->run = exchange->run;
    step->access = make(l, sizeof *step->access);
    const struct bsim_ptx_operand *d = split_pair(l, step);
    if (step->access == NULL) {
        return;
    }
    step->d = d->kind == BSIM_PTX_NOTHING ? 0 : place_of(l, step, d, exchange->d, BSIM_PTX_B32);
    /* votes of before .sync name no members */
    bool has_members = bsim_ptx_has(from, BSIM_PTX_SYNC) || exchange->c != 0;
    for (uint32_t i = 0; i < (has_members ? 3u : 1u) && size[i] != 0; i++) {
        if (i + 1 >= from->n_operands) {
            refuse(l, step, "an operand is missing");
            return;
        }
        *place[i] = place_of(l, step, &from->operand[i + 1],
                             i == 0 && size[i] != 1 ? wide : size[i], main_type(from));
    }
    step->access->operation = exchange->operation;
    step->access->opcode = (struct bsim_opcode){
        .family = BSIM_SHFL, .operation = (uint8_t)exchange->operation, .type = 'b', .bits = 32};
}

/* ---- flow ------------------------------------------------------------------------------------ */

static const struct placed *place_function(struct lowering *l,
                                           const struct bsim_ptx_function *function);

static void lower_branch(struct lowering *l, struct bsim_ptx_step *step)
{
    step->kind = BSIM_PTX_BRANCH;
    step->target = l->self->first + step->from->target;
}

static const struct placed *find_placed(struct lowering *l,
                                        const struct bsim_ptx_function *function)
{
    for (const struct placed *p = l->placed; p != NULL; p = p->next) {
        if (p->function == function) {
            return p;
        }
    }
    return place_function(l, function);
}

static uint32_t count_symbols(const struct bsim_ptx_symbol *list)
{
    uint32_t n = 0;
    for (; list != NULL; list = list->next) {
        n++;
    }
    return n;
}

/* Adds {from, to, bytes} to more for each of the caller's variables in the operand and the
 * function's in the list; returns how many, or refuses. */
static uint32_t add_copies(struct lowering *l, struct bsim_ptx_step *step, uint32_t *more,
                           const struct bsim_ptx_operand *operand,
                           const struct bsim_ptx_symbol *list, bool is_result)
{
    uint32_t n = 0, given = operand != NULL && operand->kind == BSIM_PTX_VECTOR ? operand->n : 0;
    for (; n < given && list != NULL; n++, list = list->next) {
        const struct bsim_ptx_symbol *mine = operand->member[n].symbol;
        if (mine == NULL || mine->size_bytes != list->size_bytes) {
            refuse(l, step, "what is handed over is no .param of the size that the function has");
            return 0;
        }
        more[3 * n] = (uint32_t)(is_result ? list->address : mine->address);
        more[3 * n + 1] = (uint32_t)(is_result ? mine->address : list->address);
        more[3 * n + 2] = (uint32_t)list->size_bytes;
    }
    if (n != given || list != NULL) {
        refuse(l, step, "not as many parameters as the function has");
    }
    return n;
}

/* A call of what the device's runtime has. */
static bool lower_system(struct lowering *l, struct bsim_ptx_step *step,
                         const struct bsim_ptx_operand *result, const char *name,
                         const struct bsim_ptx_operand *given)
{
    uint32_t n = given != NULL && given->kind == BSIM_PTX_VECTOR ? given->n : 0;
    uint32_t *more = make(l, (1 + 5) * sizeof *more);
    step->run = bsim_ptx_find_system(name);
    if (step->run == NULL || more == NULL || n > 5) {
        return false;
    }
    bool has_result = result != NULL && result->n == 1 && result->member[0].symbol != NULL;
    more[0] = has_result ? (uint32_t)result->member[0].symbol->address : BSIM_PTX_NOWHERE;
    for (uint32_t i = 0; i < n; i++) {
        if (given->member[i].symbol == NULL) {
            return false;
        }
        more[1 + i] = (uint32_t)given->member[i].symbol->address;
    }
    step->more = more;
    return true;
}

/* What a call of the function copies: {n, n * {from, to, bytes}} of what goes there, and the same of
 * what comes back, all in the thread's own memory. NULL when memory is short. */
static const uint32_t *find_copies(struct lowering *l, struct bsim_ptx_step *step,
                                   const struct bsim_ptx_function *function,
                                   const struct bsim_ptx_operand *given,
                                   const struct bsim_ptx_operand *result)
{
    uint32_t *more =
        make(l, (2 + 3 * (count_symbols(function->parameters) + count_symbols(function->results))) *
                    sizeof *more);
    if (more != NULL) {
        more[0] = add_copies(l, step, more + 1, given, function->parameters, false);
        uint32_t *back = more + 1 + 3 * more[0];
        back[0] = add_copies(l, step, back + 1, result, function->results, true);
    }
    return more;
}

static bool has_sizes(const struct bsim_ptx_operand *operand, const struct bsim_ptx_symbol *list)
{
    uint32_t given = operand != NULL && operand->kind == BSIM_PTX_VECTOR ? operand->n : 0, n = 0;
    for (; n < given && list != NULL; n++, list = list->next) {
        const struct bsim_ptx_symbol *mine = operand->member[n].symbol;
        if (mine == NULL || mine->size_bytes != list->size_bytes) {
            return false;
        }
    }
    return n == given && list == NULL;
}

/* call (result), %rd, (parameters), prototype: any function of the module that takes and gives as much,
 * but those that are calling just now. */
static void lower_call_by_address(struct lowering *l, struct bsim_ptx_step *step,
                                  const struct bsim_ptx_operand *callee,
                                  const struct bsim_ptx_operand *given,
                                  const struct bsim_ptx_operand *result)
{
    const struct bsim_ptx_module *module = l->program->module;
    const struct placed *self = l->self;
    uint32_t n = 0, most = 1;
    for (const struct bsim_ptx_function *f = module->functions; f != NULL; f = f->next) {
        most++;
    }
    struct bsim_ptx_callee *list = make(l, most * sizeof *list);
    for (const struct bsim_ptx_function *f = module->functions; f != NULL && list != NULL;
         f = f->next) {
        if (f->is_entry || !f->is_defined || !has_sizes(given, f->parameters) ||
            !has_sizes(result, f->results)) {
            continue;
        }
        const struct placed *placed = find_placed(l, f);
        l->self = self;
        if (placed != NULL && !placed->is_open) {
            list[n++] =
                (struct bsim_ptx_callee){bsim_ptx_function_address(module, f->name), placed->first,
                                         find_copies(l, step, f, given, result)};
        }
    }
    step->kind = BSIM_PTX_CALL;
    step->callee = list;
    step->a = place_of(l, step, callee, 8, BSIM_PTX_U64);
}

/* call (result), function, (parameters). */
static void lower_call(struct lowering *l, struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    const struct placed *self = l->self;
    const struct bsim_ptx_operand *result =
        from->operand[0].kind == BSIM_PTX_VECTOR ? &from->operand[0] : NULL;
    const struct bsim_ptx_operand *callee = &from->operand[result != NULL];
    const struct bsim_ptx_operand *given =
        from->n_operands > (result != NULL) + 1u ? callee + 1 : NULL;
    if (callee->kind == BSIM_PTX_REGISTER) {
        given = given != NULL && given->kind == BSIM_PTX_VECTOR ? given : NULL;
        lower_call_by_address(l, step, callee, given, result);
        return;
    }
    const struct bsim_ptx_function *function =
        callee->kind == BSIM_PTX_NAME ? bsim_ptx_find_function(l->program->module, callee->name)
                                      : NULL;
    bool is_there = function != NULL && function->is_defined;
    if (!is_there && callee->kind == BSIM_PTX_NAME &&
        lower_system(l, step, result, callee->name, given)) {
        return;
    }
    if (!is_there) {
        refuse(l, step, "a call of %s, which is not in this module",
               callee->kind == BSIM_PTX_NAME ? callee->name : "what is no function");
        return;
    }
    const struct placed *placed = find_placed(l, function);
    l->self = self;
    if (placed == NULL) {
        return;
    }
    if (placed->is_open) {
        refuse(l, step, "%s calls itself, by whatever way: recursion is not known here",
               function->name);
        return;
    }
    step->kind = BSIM_PTX_CALL;
    step->target = placed->first;
    step->more = find_copies(l, step, function, given, result);
}

/* Whether a conversion's registers are as wide as its types. */
static bool fits_registers(const struct lowering *l, const struct bsim_ptx_instruction *from,
                           const struct bsim_ptx_alu *alu)
{
    uint32_t bits = register_bits(l, &from->operand[0], from->type[0]);
    bool is_extended =
        bsim_ptx_type_letter(from->type[0]) == 's' && bsim_ptx_type_bits(from->type[0]) < bits;
    return from->n_operands == 2 && !is_extended && (bits == 64) == (alu->d == 8) &&
           (register_bits(l, &from->operand[1], from->type[1]) == 64) == (alu->a == 8);
}

/* ---- services -------------------------------------------------------------------------------- */

static uint32_t place_any(struct lowering *l, struct bsim_ptx_step *step,
                          const struct bsim_ptx_operand *operand, uint8_t *bytes)
{
    if (operand->kind == BSIM_PTX_NOTHING) {
        return BSIM_PTX_NOWHERE;
    }
    uint32_t bits = operand->kind == BSIM_PTX_REGISTER
                        ? bsim_ptx_type_bits(l->self->function->reg[operand->number].type)
                    : operand->kind == BSIM_PTX_SYMBOL ? 64
                                                       : 32;
    *bytes = bits == 1 ? 1 : bits <= 32 ? 4 : 8;
    return place_of(l, step, operand, *bytes, *bytes == 8 ? BSIM_PTX_B64 : BSIM_PTX_B32);
}

static void lower_argument(struct lowering *l, struct bsim_ptx_step *step,
                           const struct bsim_ptx_operand *operand,
                           struct bsim_ptx_argument *argument)
{
    bool is_list = operand->n > 0;
    uint32_t n = is_list ? operand->n : 1;
    uint32_t *place = make(l, n * sizeof *place);
    uint8_t *bytes = make(l, n);
    if (place == NULL || bytes == NULL || operand->kind == BSIM_PTX_NAME) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        place[i] = place_any(l, step, is_list ? &operand->member[i] : operand, &bytes[i]);
    }
    *argument =
        (struct bsim_ptx_argument){.n = n,
                                   .place = place,
                                   .bytes = bytes,
                                   .is_negated = operand->is_negated,
                                   .offset = operand->kind == BSIM_PTX_ADDRESS ? operand->bits : 0};
}

static void lower_service(struct lowering *l, struct bsim_ptx_step *step,
                          const struct bsim_ptx_service *service)
{
    const struct bsim_ptx_instruction *from = step->from;
    struct bsim_ptx_argument *argument = make(l, BSIM_PTX_MAX_OPERANDS * sizeof *argument);
    step->run = service->run;
    step->kind = service->run == NULL ? BSIM_PTX_NOTHING_HAPPENS : BSIM_PTX_COMPUTE;
    if (service->run == NULL || argument == NULL) {
        return;
    }
    for (uint32_t i = 0; i < from->n_operands; i++) {
        lower_argument(l, step, &from->operand[i], &argument[i]);
    }
    step->argument = argument;
    struct bsim_opcode opcode = {0};
    enum bsim_ptx_space space =
        service->name != NULL ? service->name(from, &opcode) : BSIM_PTX_NO_SPACE;
    if (service->name != NULL && (step->access = make(l, sizeof *step->access)) != NULL) {
        step->access->space = space;
        step->access->opcode = opcode;
        step->access->root = BSIM_PTX_NOWHERE;
    }
}

static void lower_barrier(struct lowering *l, struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    struct bsim_ptx_argument *argument = make(l, BSIM_PTX_MAX_OPERANDS * sizeof *argument);
    if (bsim_ptx_has(from, BSIM_PTX_CLUSTER) || from->n_operands == 0) {
        refuse(l, step, "a barrier of a kind that is not known here");
        return;
    }
    step->kind = BSIM_PTX_BARRIER;
    for (uint32_t i = 0; i < from->n_operands && argument != NULL; i++) {
        lower_argument(l, step, &from->operand[i], &argument[i]);
    }
    step->argument = argument;
    if (bsim_ptx_has(from, BSIM_PTX_WARP) &&
        (step->access = make(l, sizeof *step->access)) != NULL) {
        step->access->opcode.family = BSIM_WARP_SYNC;
        step->access->root = BSIM_PTX_NOWHERE;
    }
}

static void lower_instruction(struct lowering *l, struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    step->has_guard = from->has_guard;
    step->guard_negated = from->guard_negated;
    step->guard = from->has_guard ? l->self->place[from->guard] : 0;
    const struct bsim_ptx_alu *alu = bsim_ptx_find_alu(from);
    const struct bsim_ptx_exchange *exchange = bsim_ptx_find_exchange(from);
    const struct bsim_ptx_service *service = bsim_ptx_find_service(from);
    if (from->unknown != NULL) {
        refuse(l, step, "'.%s' is not known here", from->unknown);
    } else if (is_vector_move(from, 0) || is_vector_move(from, 1)) {
        lower_vector_move(l, step, is_vector_move(from, 1));
    } else if (bsim_ptx_is_a(from, "cvt") && (alu == NULL || !fits_registers(l, from, alu))) {
        lower_convert(l, step);
    } else if (alu != NULL && bsim_ptx_is_a(from, "setp")) {
        lower_setp(l, step, alu);
    } else if (alu != NULL) {
        lower_alu(l, step, alu);
    } else if (exchange != NULL) {
        lower_exchange(l, step, exchange);
    } else if (bsim_ptx_is_a(from, "ld") || bsim_ptx_is_a(from, "ldu")) {
        lower_load(l, step);
    } else if (bsim_ptx_is_a(from, "st")) {
        lower_store(l, step);
    } else if (bsim_ptx_is_a(from, "atom") || bsim_ptx_is_a(from, "red")) {
        lower_atomic(l, step);
    } else if (service != NULL) {
        lower_service(l, step, service);
    } else if (bsim_ptx_is_a(from, "bra")) {
        lower_branch(l, step);
    } else if (bsim_ptx_is_a(from, "call")) {
        lower_call(l, step);
    } else if (bsim_ptx_is_a(from, "exit") ||
               (bsim_ptx_is_a(from, "ret") && l->self->function->is_entry)) {
        step->kind = BSIM_PTX_LEAVE;
    } else if (bsim_ptx_is_a(from, "ret")) {
        step->kind = BSIM_PTX_BRANCH;
        step->target = l->self->first + l->self->function->n_instructions;
    } else if (bsim_ptx_is_a(from, "bar") || bsim_ptx_is_a(from, "barrier")) {
        lower_barrier(l, step);
    } else {
        refuse(l, step, "'%s' is not known here, or not in this form", from->mnemonic);
    }
}

/* ---- functions ------------------------------------------------------------------------------- */

static uint64_t align(uint64_t offset, uint32_t alignment)
{
    return (offset + alignment - 1) & ~(uint64_t)(alignment - 1);
}

/* What a function gets and gives is in its caller's memory, behind all other variables. */
static void lay_out_handed(struct lowering *l, struct bsim_ptx_symbol *list)
{
    for (struct bsim_ptx_symbol *v = list; v != NULL; v = v->next) {
        v->address = align(l->program->local_bytes, v->alignment);
        l->program->local_bytes = (uint32_t)(v->address + v->size_bytes);
    }
}

/* Static shared variables in the order of declaration; dynamic ones begin behind all of them. */
static void lay_out_variables(struct lowering *l, const struct bsim_ptx_function *function)
{
    struct bsim_ptx_program *program = l->program;
    for (struct bsim_ptx_symbol *v = function->variables; v != NULL; v = v->next) {
        if (v->space == BSIM_PTX_SHARED && !v->is_extern) {
            v->address = align(program->shared_bytes, v->alignment);
            program->shared_bytes = (uint32_t)(v->address + v->size_bytes);
        } else if (v->space == BSIM_PTX_LOCAL || v->space == BSIM_PTX_PARAM) {
            v->address = align(program->local_bytes, v->alignment);
            program->local_bytes = (uint32_t)(v->address + v->size_bytes);
        }
    }
}

static const uint32_t *place_registers(struct lowering *l, const struct bsim_ptx_function *function)
{
    uint32_t *place = make(l, function->n_registers * sizeof *place);
    for (uint32_t i = 0; i < function->n_registers && place != NULL; i++) {
        place[i] = take_words(l, words_of(function->reg[i].type));
    }
    return place;
}

static void lower_function(struct lowering *l, const struct placed *placed, const uint32_t *meet)
{
    const struct bsim_ptx_function *function = placed->function;
    struct bsim_ptx_program *program = l->program;
    for (uint32_t i = 0; i < function->n_instructions && l->status == BSIM_OK; i++) {
        struct bsim_ptx_step *step = &program->step[placed->first + i];
        step->from = &function->code[i];
        step->meet = BSIM_PTX_NOWHERE;
        l->self = placed;
        lower_instruction(l, step);
        if (step->kind == BSIM_PTX_CALL && (step->has_guard || step->callee != NULL)) {
            step[1].is_meeting = true; /* of lanes that call another function, or none */
        }
        if (step->kind == BSIM_PTX_BRANCH && step->has_guard && meet[i] != BSIM_PTX_NOWHERE) {
            step->meet = placed->first + meet[i];
            program->step[step->meet].is_meeting = true;
        }
    }
    program->step[placed->first + function->n_instructions].kind =
        function->is_entry ? BSIM_PTX_LEAVE : BSIM_PTX_RETURN;
    if (l->status == BSIM_OK &&
        ((l->merges && !bsim_ptx_merge(function, &program->step[placed->first])) ||
         !bsim_ptx_find_origins(function, &program->step[placed->first]))) {
        l->status = bsim_error_set(l->err, BSIM_E_MEMORY, "out of memory");
    }
}

/* Room for its steps, its registers' places; its own instructions are lowered then. */
static const struct placed *place_function(struct lowering *l,
                                           const struct bsim_ptx_function *function)
{
    struct placed *placed = make(l, sizeof *placed);
    uint32_t *meet = bsim_mem_resize(NULL, function->n_instructions + 1, sizeof *meet);
    if (placed != NULL && meet != NULL && bsim_ptx_find_meets(function, meet)) {
        *placed = (struct placed){.function = function,
                                  .place = place_registers(l, function),
                                  .first = l->program->n_steps,
                                  .is_open = true,
                                  .next = l->placed};
        l->placed = placed;
        l->program->n_steps += function->n_instructions + 1;
        lower_function(l, placed, meet);
        placed->is_open = false;
    } else if (l->status == BSIM_OK) {
        l->status = bsim_error_set(l->err, BSIM_E_MEMORY, "out of memory");
    }
    bsim_mem_free(meet);
    return placed;
}

static uint32_t count_steps(const struct bsim_ptx_module *module)
{
    uint32_t n = 0;
    for (const struct bsim_ptx_function *f = module->functions; f != NULL; f = f->next) {
        n += f->n_instructions + 1;
    }
    return n;
}

/* Shared variables of the module that anybody may use: those with a size first, then the dynamic.
 */
static void lay_out_module(struct lowering *l)
{
    struct bsim_ptx_program *program = l->program;
    for (struct bsim_ptx_symbol *v = program->module->symbols; v != NULL; v = v->next) {
        if (v->space == BSIM_PTX_SHARED && v->size_bytes > 0) {
            v->address = align(program->shared_bytes, v->alignment);
            program->shared_bytes = (uint32_t)(v->address + v->size_bytes);
        }
    }
}

static uint32_t dynamic_alignment(const struct bsim_ptx_module *module)
{
    uint32_t most = 1;
    for (const struct bsim_ptx_symbol *v = module->symbols; v != NULL; v = v->next) {
        bool is_dynamic = v->space == BSIM_PTX_SHARED && v->size_bytes == 0;
        most = is_dynamic && v->alignment > most ? v->alignment : most;
    }
    return most;
}

enum bsim_status bsim_ptx_lower(const struct bsim_ptx_module *module,
                                const struct bsim_ptx_function *kernel, bool merges,
                                struct bsim_arena *arena, struct bsim_ptx_program *program,
                                struct bsim_error *err)
{
    struct lowering l = {.arena = arena, .program = program, .err = err, .merges = merges};
    *program = (struct bsim_ptx_program){
        .module = module, .kernel = kernel, .n_words = 2 * BSIM_PTX_CARRY};
    program->step = make(&l, count_steps(module) * sizeof *program->step);
    if (l.status != BSIM_OK) {
        return l.status;
    }
    lay_out_module(&l);
    for (const struct bsim_ptx_function *f = module->functions; f != NULL; f = f->next) {
        if (!f->is_entry) {
            lay_out_handed(&l, f->parameters);
            lay_out_handed(&l, f->results);
        }
        if (f == kernel || !f->is_entry) {
            lay_out_variables(&l, f);
        }
    }
    uint64_t dynamic = align(program->shared_bytes, dynamic_alignment(module));
    for (struct bsim_ptx_symbol *v = module->symbols; v != NULL; v = v->next) {
        if (v->space == BSIM_PTX_SHARED && v->size_bytes == 0) {
            v->address = dynamic;
        }
    }
    program->shared_bytes = (uint32_t)dynamic;
    place_function(&l, kernel);
    if (l.status == BSIM_OK && !bsim_ptx_find_sites(arena, program)) {
        l.status = bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    return l.status;
}
