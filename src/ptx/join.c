/* join.c - which instructions ptxas makes one of with the one that wants their result.
 *
 *     shl.b32 %r3, %r1, 2;       no instruction of its own
 *     add.s32 %r4, %r3, %r2;     LEA R4, R1, R2, 0x2
 *
 *     xor.b32 %r3, %r1, %r2;
 *     and.b32 %r5, %r3, %r4;     LOP3.LUT R5, R1, R2, R4, ...: any function of three words
 *
 *     add.s32 %r3, %r1, %r2;
 *     sub.s32 %r5, %r3, %r4;     IADD3 R5, R1, R2, -R4
 *
 *     shr.u32 %r2, %r1, 27;      as a division by 32 has it
 *     add.s32 %r4, %r2, %r3;     LEA.HI R4, R1, R3, RZ, 0x5
 *
 *     and.b64 %d2, %d1, 0xffffffff;   no instruction: the lower register beside 0
 *     mul.lo.s64 %d3, %d2, %d2;       IMAD.WIDE.U32, one instruction
 *
 *     mul.lo.s32, mul.wide.s32   IMAD, IMAD.WIDE with the sum
 *     add.s32 %r3, %r1, %r2;
 *     max.s32 %r5, %r3, %r4;     VIADDMNMX R5, R1, R2, R4, !PT
 *
 *     add.s32 %r3, %r1, 16;      no instruction: where addresses alone want it, it is a part of these
 *     ld.shared.u32 %r4, [%r3];  LDS R4, [R1+0x10]
 *
 *     setp                       ISETP.AND with and.pred, which takes another predicate
 *     neg.f32, abs.f32           a sign of an operand
 *
 * The result is wanted there alone, in the same block of instructions, and a machine instruction has no more than three
 * operands. What takes no instruction of its own takes no time either, and its result is there when its operands are.
 *
 * Graded measured: the machine code of 98 kernels (nvcc 13.0, sm_90; tests/measured/h100/verdicts).
 */
#include "ptx/steps.h"

#include "base/memory.h"
#include "ptx/work.h"

enum { MOST_INPUTS = 3, WORD_BITS = 32 };

/* Of what an instruction is made. */
enum make {
    OTHER,
    LOGIC, /* of words */
    SUM,   /* of whole numbers of 32 bits ... */
    PLUS,  /* ... both positive */
    SUM_64,
    LEFT, /* shifts by a number */
    RIGHT,
    PRODUCT, /* the lower half */
    WIDE,
    EXTREME, /* min or max of words */
    ORDER, /* setp */
    LOGIC_OF_ORDERS,
    SIGN,   /* of a float */
    FLOATS, /* that takes such signs */
};

/* A machine instruction. */
struct joined {
    const struct bsim_ptx_operand *input[MOST_INPUTS];
    uint32_t n;   /* of them */
    bool is_full; /* takes no other one along */
};

struct joining {
    const struct bsim_ptx_function *function;
    struct bsim_ptx_addresses addresses;
    struct bsim_ptx_blocks blocks;
    struct joined *joined; /* of each instruction */
    uint32_t *n_addresses; /* of each register: how many addresses begin with it */
};

/* Whether it is one of those in the array. */
#define IS_IN(names, from) bsim_ptx_is_one_of(from, names, sizeof names / sizeof *names)

static bool is_float(uint32_t type)
{
    return type == BSIM_PTX_F32 || type == BSIM_PTX_F64;
}

static enum make make_of_floats(const struct bsim_ptx_instruction *from)
{
    static const char *const signs[] = {"neg", "abs"};
    static const char *const takers[] = {"add", "sub", "mul", "fma", "mad", "min", "max"};
    return IS_IN(signs, from) ? SIGN : IS_IN(takers, from) ? FLOATS : OTHER;
}

static bool is_by_number(const struct bsim_ptx_instruction *from)
{
    return from->operand[2].kind == BSIM_PTX_INTEGER && from->operand[2].bits < WORD_BITS;
}

static enum make make_of_word(const struct bsim_ptx_instruction *from)
{
    static const char *const logics[] = {"and", "or", "xor", "not"};
    static const char *const sums[] = {"sub", "neg"};
    static const char *const extremes[] = {"min", "max"};
    bool is_signed = from->type[0] == BSIM_PTX_S32;
    if (bsim_ptx_has(from, BSIM_PTX_CC) || bsim_ptx_has(from, BSIM_PTX_SAT)) {
        return OTHER;
    }
    return IS_IN(logics, from)                                              ? LOGIC
           : IS_IN(sums, from)                                              ? SUM
           : IS_IN(extremes, from)                                          ? EXTREME
           : bsim_ptx_is_a(from, "add")                                     ? PLUS
           : bsim_ptx_is_a(from, "shl") && is_by_number(from)               ? LEFT
           : bsim_ptx_is_a(from, "shr") && is_by_number(from) && !is_signed ? RIGHT
           : !bsim_ptx_is_a(from, "mul") || bsim_ptx_has(from, BSIM_PTX_HI) ? OTHER
           : bsim_ptx_has(from, BSIM_PTX_WIDE)                              ? WIDE
                                                                            : PRODUCT;
}

static enum make make_of(const struct bsim_ptx_instruction *from)
{
    static const char *const logics[] = {"and", "or"};
    uint32_t type = from->n_types > 0 ? from->type[from->n_types - 1] : BSIM_PTX_NO_TYPE;
    bool is_word = type == BSIM_PTX_B32 || type == BSIM_PTX_U32 || type == BSIM_PTX_S32;
    if (from->has_guard || from->n_operands < 2 || from->operand[0].kind != BSIM_PTX_REGISTER) {
        return OTHER;
    }
    if (bsim_ptx_is_a(from, "setp")) {
        return from->n_operands == 3 ? ORDER : OTHER;
    }
    if (type == BSIM_PTX_PRED) {
        return IS_IN(logics, from) ? LOGIC_OF_ORDERS : OTHER;
    }
    return is_float(type) ? make_of_floats(from)
           : is_word      ? make_of_word(from)
           : bsim_ptx_type_bits(type) == 64 && bsim_ptx_is_a(from, "add") ? SUM_64
                                                                          : OTHER;
}

/* Whether a machine instruction does both. */
static bool fits(enum make first, enum make then)
{
    switch (then) {
    case LOGIC:
        return first == LOGIC;
    case SUM:
        return first == SUM || first == PLUS;
    case PLUS:
        return first == SUM || first == PLUS || first == LEFT || first == RIGHT || first == PRODUCT;
    case EXTREME:
        return first == SUM || first == PLUS;
    case SUM_64:
        return first == WIDE;
    case LOGIC_OF_ORDERS:
        return first == ORDER;
    case FLOATS:
    case ORDER:
        return first == SIGN;
    default:
        return false;
    }
}

static bool is_same(const struct bsim_ptx_operand *a, const struct bsim_ptx_operand *b)
{
    return a->kind == BSIM_PTX_REGISTER && b->kind == BSIM_PTX_REGISTER && a->number == b->number;
}

static bool add_input(struct joined *joined, const struct bsim_ptx_operand *operand)
{
    for (uint32_t i = 0; i < joined->n; i++) {
        if (is_same(joined->input[i], operand)) {
            return true;
        }
    }
    if (joined->n == MOST_INPUTS) {
        return false;
    }
    joined->input[joined->n++] = operand;
    return true;
}

/* Its inputs with those of the one that makes operand `at` in that place; false if they are too many. */
static bool add_all(const struct joining *j, uint32_t i, uint32_t at, const struct joined *first, struct joined *all)
{
    const struct joined *own = &j->joined[i];
    const struct bsim_ptx_operand *gone = &j->function->code[i].operand[at];
    bool fits_all = true;
    *all = (struct joined){.n = 0};
    for (uint32_t k = 0; k < own->n; k++) {
        fits_all &= is_same(own->input[k], gone) || add_input(all, own->input[k]);
    }
    for (uint32_t k = 0; k < first->n; k++) {
        fits_all &= add_input(all, first->input[k]);
    }
    return fits_all;
}

/* A shift or a product leaves no room for a third operand: LEA has its number there, IMAD three already. */
static bool fills(enum make make)
{
    return make == LEFT || make == RIGHT || make == PRODUCT || make == WIDE || make == ORDER;
}

static const struct bsim_ptx_pace none = {.issue = 0}, wide_product = {.issue = 2, .latency = 4};

static void join(struct joining *j, struct bsim_ptx_step *step, uint32_t i, enum make then, uint32_t at)
{
    const struct bsim_ptx_operand *operand = &j->function->code[i].operand[at];
    const struct bsim_ptx_instruction *from = bsim_ptx_definition(&j->addresses, operand);
    uint32_t by = from != NULL ? (uint32_t)(from - j->function->code) : 0;
    if (from == NULL || j->addresses.uses[operand->number] != 1 || j->blocks.of[by] != j->blocks.of[i] || by >= i) {
        return;
    }
    enum make first = make_of(from);
    struct joined all;
    bool is_alone = !fills(first) || j->joined[i].n <= 2;
    if (!fits(first, then) || !is_alone || j->joined[by].is_full || !add_all(j, i, at, &j->joined[by], &all)) {
        return;
    }
    j->joined[i] = all;
    j->joined[i].is_full = fills(first);
    step[i].pace = first == PRODUCT || first == WIDE ? step[by].pace : step[i].pace;
    step[by].pace = &none;
}

static void count_addresses(struct joining *j)
{
    for (uint32_t i = 0; i < j->function->n_instructions; i++) {
        const struct bsim_ptx_instruction *from = &j->function->code[i];
        for (uint32_t k = 0; k < from->n_operands; k++) {
            const struct bsim_ptx_operand *operand = &from->operand[k];
            if (operand->kind == BSIM_PTX_ADDRESS && operand->member[0].kind == BSIM_PTX_REGISTER) {
                j->n_addresses[operand->member[0].number]++;
            }
        }
    }
}

/* A register and a number that addresses alone want. */
static bool is_of_addresses(const struct joining *j, const struct bsim_ptx_instruction *from)
{
    bool is_sum = !from->has_guard && bsim_ptx_is_a(from, "add") && from->n_operands == 3 &&
                  from->operand[0].kind == BSIM_PTX_REGISTER && from->operand[1].kind == BSIM_PTX_REGISTER &&
                  from->operand[2].kind == BSIM_PTX_INTEGER;
    uint32_t number = from->operand[0].number;
    return is_sum && bsim_ptx_is_settled(&j->addresses, number) && j->n_addresses[number] > 0 &&
           j->n_addresses[number] == j->addresses.uses[number];
}

/* Whether the upper half of it is 0, as far as one instruction shows. */
static bool is_narrow(const struct joining *j, const struct bsim_ptx_operand *operand)
{
    const struct bsim_ptx_instruction *from = bsim_ptx_definition(&j->addresses, operand);
    bool is_number = operand->kind == BSIM_PTX_INTEGER;
    if (is_number || from == NULL) {
        return is_number && operand->bits <= UINT32_MAX;
    }
    bool has_number = from->n_operands > 2 && from->operand[2].kind == BSIM_PTX_INTEGER;
    uint64_t number = has_number ? from->operand[2].bits : 0;
    return (bsim_ptx_is_a(from, "and") && has_number && number <= UINT32_MAX) ||
           (bsim_ptx_is_a(from, "shr") && has_number && number >= WORD_BITS && from->type[0] == BSIM_PTX_U64) ||
           (bsim_ptx_is_a(from, "cvt") && from->n_types > 1 && from->type[1] == BSIM_PTX_U32);
}

/* A product of 64 bits of two numbers of 32 is IMAD.WIDE.U32, one instruction. */
static bool is_wide_product(const struct joining *j, const struct bsim_ptx_instruction *from)
{
    bool is_product = bsim_ptx_is_a(from, "mul") && !bsim_ptx_has(from, BSIM_PTX_HI) && from->n_operands == 3 && from->n_types > 0 &&
                      bsim_ptx_type_bits(from->type[0]) == 64 && !bsim_ptx_has(from, BSIM_PTX_WIDE);
    return is_product && is_narrow(j, &from->operand[1]) && is_narrow(j, &from->operand[2]);
}

/* What one lane's atomic gives is a sum to the other lanes, with what comes before each of them. */
static bool is_of_atomic(const struct joining *j, const struct bsim_ptx_operand *operand)
{
    const struct bsim_ptx_instruction *from = bsim_ptx_definition(&j->addresses, operand);
    return from != NULL && bsim_ptx_is_a(from, "atom");
}

static void look_at(struct joining *j, struct bsim_ptx_step *step, uint32_t i)
{
    const struct bsim_ptx_instruction *from = &j->function->code[i];
    enum make make = make_of(from);
    if (step[i].from == from && is_of_addresses(j, from)) {
        step[i].pace = &none;
        return;
    }
    if (step[i].from == from && is_wide_product(j, from)) {
        step[i].pace = &wide_product;
    }
    if (make == OTHER || step[i].from != from) {
        return;
    }
    for (uint32_t k = 1; k < from->n_operands; k++) {
        (void)add_input(&j->joined[i], &from->operand[k]);
        j->joined[i].is_full |= is_of_atomic(j, &from->operand[k]);
    }
    for (uint32_t k = 1; k < from->n_operands && !j->joined[i].is_full; k++) {
        join(j, step, i, make, k);
    }
}

bool bsim_ptx_join(const struct bsim_ptx_function *function, struct bsim_ptx_step *step)
{
    struct joining j = {.function = function};
    j.joined = bsim_mem_zeroed((size_t)function->n_instructions + 1, sizeof *j.joined);
    j.n_addresses = bsim_mem_zeroed((size_t)function->n_registers + 1, sizeof *j.n_addresses);
    bool has_memory = bsim_ptx_addresses_new(function, &j.addresses);
    has_memory = bsim_ptx_find_blocks(function, &j.blocks) && has_memory && j.joined != NULL && j.n_addresses != NULL;
    if (has_memory) {
        count_addresses(&j);
    }
    for (uint32_t i = 0; has_memory && i < function->n_instructions; i++) {
        look_at(&j, step, i);
    }
    bsim_ptx_free_blocks(&j.blocks);
    bsim_ptx_addresses_free(&j.addresses);
    bsim_mem_free(j.joined);
    bsim_mem_free(j.n_addresses);
    return has_memory;
}
