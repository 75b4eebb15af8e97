/* lower_places.c - where an instruction's operands stand in a warp's file, and what refuses it. */
#include "ptx/lower.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *bsim_ptx_lower_take(struct bsim_ptx_lowering *l, size_t size)
{
    void *p = bsim_arena_take(l->arena, size);
    if (p == NULL && l->status == BSIM_OK) {
        l->status = bsim_error_set(l->err, BSIM_E_MEMORY, "out of memory");
    }
    return p;
}

void bsim_ptx_lower_refuse(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                           const char *format, ...)
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

static uint32_t take_words(struct bsim_ptx_lowering *l, uint32_t n)
{
    uint32_t place = l->program->n_words;
    l->program->n_words += n;
    return place;
}

uint32_t bsim_ptx_lower_words(uint32_t type)
{
    uint32_t bits = bsim_ptx_type_bits(type);
    return bits == 1 ? 2 : bits <= 32 ? 32 : bits / 32 * 32;
}

uint32_t bsim_ptx_lower_register(struct bsim_ptx_lowering *l, uint32_t type)
{
    return take_words(l, bsim_ptx_lower_words(type));
}

static uint32_t constant_place(struct bsim_ptx_lowering *l, uint64_t bits, bool is_64)
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

/* The place of an address in what a call has for itself: the call sets it. */
static uint32_t own_place(struct bsim_ptx_lowering *l, struct bsim_ptx_recursive *recursive,
                          uint64_t offset, bool is_64)
{
    for (uint32_t i = 0; i < recursive->n_addresses; i++) {
        const struct bsim_ptx_constant *address = &recursive->address[i];
        if (address->bits == offset && address->is_64 == is_64) {
            return address->place;
        }
    }
    struct bsim_ptx_constant *grown =
        bsim_ptx_lower_take(l, (recursive->n_addresses + 1) * sizeof *grown);
    if (grown == NULL) {
        return 0;
    }
    if (recursive->n_addresses > 0) {
        memcpy(grown, recursive->address, recursive->n_addresses * sizeof *grown);
    }
    uint32_t place = take_words(l, is_64 ? 64 : 32);
    grown[recursive->n_addresses++] =
        (struct bsim_ptx_constant){.place = place, .is_64 = is_64, .bits = offset};
    recursive->address = grown;
    return place;
}

static uint32_t special_place(struct bsim_ptx_lowering *l, uint32_t special)
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
static uint32_t symbol_place(struct bsim_ptx_lowering *l, const struct bsim_ptx_operand *operand,
                             bool is_64)
{
    const struct bsim_ptx_symbol *symbol = operand->symbol;
    uint64_t address = symbol->address + operand->bits;
    bool is_own = symbol->space == BSIM_PTX_LOCAL || symbol->space == BSIM_PTX_PARAM;
    return is_own && l->self->recursive != NULL ? own_place(l, l->self->recursive, address, is_64)
                                                : constant_place(l, address, is_64);
}

uint32_t bsim_ptx_lower_place(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                              const struct bsim_ptx_operand *operand, uint32_t size, uint32_t type)
{
    switch (operand->kind) {
    case BSIM_PTX_REGISTER: {
        uint32_t bits = bsim_ptx_type_bits(l->self->function->reg[operand->number].type);
        uint32_t have = bits == 1 ? 1 : bits <= 32 ? 4 : bits / 8;
        if (have != size) {
            bsim_ptx_lower_refuse(l, step,
                                  "a register of %" PRIu32
                                  " bits stands where this instruction has %" PRIu32,
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
        if (size > 8) {
            break;
        }
        return constant_place(l, immediate_bits(operand, type), size == 8);
    case BSIM_PTX_SYMBOL:
        return symbol_place(l, operand, size == 8);
    case BSIM_PTX_NAME:
        if (bsim_ptx_function_address(l->program->module, operand->name) != 0 && size == 8) {
            return constant_place(l, bsim_ptx_function_address(l->program->module, operand->name),
                                  true);
        }
        bsim_ptx_lower_refuse(l, step, "%s is not known here", operand->name);
        return 0;
    default:
        break;
    }
    bsim_ptx_lower_refuse(l, step, "an operand of a form that this instruction has not here");
    return 0;
}

uint32_t bsim_ptx_lower_register_bits(const struct bsim_ptx_lowering *l,
                                      const struct bsim_ptx_operand *operand, uint32_t type)
{
    uint32_t bits = operand->kind == BSIM_PTX_REGISTER
                        ? bsim_ptx_type_bits(l->self->function->reg[operand->number].type)
                        : bsim_ptx_type_bits(type);
    return bits < 16 ? 16 : bits;
}

/* ---- services' ------------------------------------------------------------------------------- */

static uint32_t place_any(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                          const struct bsim_ptx_operand *operand, uint8_t *bytes)
{
    if (operand->kind == BSIM_PTX_NOTHING) {
        return BSIM_PTX_NOWHERE;
    }
    uint32_t bits = operand->kind == BSIM_PTX_REGISTER
                        ? bsim_ptx_type_bits(l->self->function->reg[operand->number].type)
                    : operand->kind == BSIM_PTX_SYMBOL ? 64
                                                       : 32;
    *bytes = (uint8_t)(bits == 1 ? 1 : bits <= 32 ? 4 : bits / 8);
    return bsim_ptx_lower_place(l, step, operand, *bytes,
                                *bytes == 8 ? BSIM_PTX_B64 : BSIM_PTX_B32);
}

static uint32_t count_places(const struct bsim_ptx_operand *operand)
{
    uint32_t n = operand->n == 0;
    for (uint32_t i = 0; i < operand->n; i++) {
        n += count_places(&operand->member[i]);
    }
    return n;
}

/* Of [%rd1, {%f1, %f2}] the texture, then its coordinates. */
static void place_all(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                      const struct bsim_ptx_operand *operand, uint32_t *place, uint8_t *bytes,
                      uint32_t *n)
{
    for (uint32_t i = 0; i < operand->n; i++) {
        place_all(l, step, &operand->member[i], place, bytes, n);
    }
    if (operand->n == 0) {
        place[*n] = place_any(l, step, operand, &bytes[*n]);
        ++*n;
    }
}

void bsim_ptx_lower_argument(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                             const struct bsim_ptx_operand *operand,
                             struct bsim_ptx_argument *argument)
{
    uint32_t n = count_places(operand), at = 0;
    uint32_t *place = bsim_ptx_lower_take(l, n * sizeof *place);
    uint8_t *bytes = bsim_ptx_lower_take(l, n);
    if (place == NULL || bytes == NULL || operand->kind == BSIM_PTX_NAME) {
        return;
    }
    place_all(l, step, operand, place, bytes, &at);
    *argument =
        (struct bsim_ptx_argument){.n = n,
                                   .place = place,
                                   .bytes = bytes,
                                   .is_negated = operand->is_negated,
                                   .offset = operand->kind == BSIM_PTX_ADDRESS ? operand->bits : 0};
}
