/* where.c - whether accesses of a kernel hang on where its arrays lie, which is elsewhere on a GPU: on bits
 * of addresses that cudaMalloc chooses.
 *
 *     ld.param.u64  %rd1, [p];          an address: bits 8 to 63 hang, as arrays begin at multiples of 256
 *     add.s64       %rd2, %rd1, %rd9;   one, too: a load from there is as it would be anywhere
 *     sub.s64       %rd3, %rd2, %rd1;   a distance: nothing hangs
 *     and.b64       %rd4, %rd1, 15;     nothing: is it aligned?
 *     shr.u64       %rd5, %rd1, 7;      bits 1 to 56, and no address
 *     and.b64       %rd6, %rd5, 31;     bits 1 to 4: what is made of it may be another bank
 *
 * Which parameters are addresses the launch says, which has their values. Addresses that are loaded from
 * global memory, or that a function is handed, are not followed.
 */
#include "ptx/where.h"

#include "base/memory.h"
#include "ptx/steps.h"

#include <string.h>

enum { ALIGNMENT = 256, IN_SHARED = 0, IN_LOCAL = 1 };

/* What a register may hang on. */
struct bits {
    uint64_t hang; /* these of its bits */
    int8_t
        sign; /* 1: it is an address, -1: one's negative, but for what hangs on none; 0: neither */
    bool is_known; /* something computes it */
};

struct where {
    const struct bsim_ptx_function *function;
    const struct bsim_ptx_step **step; /* of each instruction */
    const bool *is_address; /* of each word of the parameters */
    uint32_t *meet;         /* of each instruction: where a branch's ways come together */
    struct bsim_ptx_blocks blocks;
    struct bits *of;     /* of each register */
    bool *is_under;      /* of each block: a branch that hangs decides whether it is executed */
    uint32_t *seen;      /* of each block, the last branch that leads there, from 1 on */
    struct bits kept[2]; /* what shared memory holds, and a thread's own */
    bool is_new;
};

static uint64_t ones(uint32_t n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* What a sum changes: the lowest bit that hangs, and all above. */
static uint64_t upwards(uint64_t bits)
{
    return bits == 0 ? 0 : ~((bits & -bits) - 1);
}

static uint32_t width_of(const struct where *w, const struct bsim_ptx_operand *operand)
{
    enum bsim_ptx_type type = w->function->reg[operand->number].type;
    return type == BSIM_PTX_PRED ? 1 : bsim_ptx_type_bits(type);
}

/* Either of them. */
static struct bits join(struct bits a, struct bits b)
{
    bool a_does = a.hang != 0, b_does = b.hang != 0;
    int8_t sign = a_does ? a.sign : b.sign;
    return (struct bits){.hang = a.hang | b.hang,
                         .sign = a_does && b_does && a.sign != b.sign ? 0 : sign,
                         .is_known = a.is_known || b.is_known};
}

/* Some value that hangs, or does not. */
static struct bits any(uint64_t hangs)
{
    return (struct bits){.hang = hangs != 0 ? UINT64_MAX : 0, .is_known = true};
}

static struct bits address(uint64_t alignment)
{
    return (struct bits){~(alignment - 1), 1, true};
}

/* ---- operands -------------------------------------------------------------------------------- */

static bool is_constant(const struct bsim_ptx_operand *operand)
{
    return operand->kind == BSIM_PTX_INTEGER;
}

static struct bits bits_of(const struct where *w, const struct bsim_ptx_operand *operand);

/* Of an address in parts, as shuffles take it, each is one. */
static struct bits bits_of_members(const struct where *w, const struct bsim_ptx_operand *operand)
{
    struct bits all = {.is_known = true};
    bool is_known = true;
    for (uint32_t k = 0; k < operand->n; k++) {
        struct bits one = bits_of(w, &operand->member[k]);
        is_known = is_known && one.is_known;
        all = join(all, one);
    }
    all.hang = all.hang != 0 ? UINT64_MAX : 0;
    all.is_known = is_known;
    return all;
}

/* What an operand hangs on. An access's address is not what it loads. */
static struct bits bits_of(const struct where *w, const struct bsim_ptx_operand *operand)
{
    struct bits all = {.is_known = true};
    switch (operand->kind) {
    case BSIM_PTX_REGISTER:
        return w->of[operand->number];
    case BSIM_PTX_SYMBOL:
        if (operand->symbol->space == BSIM_PTX_GLOBAL || operand->symbol->space == BSIM_PTX_CONST) {
            return address(operand->symbol->alignment);
        }
        return all;
    case BSIM_PTX_VECTOR:
    case BSIM_PTX_PAIR:
        return bits_of_members(w, operand);
    default:
        return all;
    }
}

/* ---- what instructions compute --------------------------------------------------------------- */

static struct bits sum(struct bits a, struct bits b)
{
    bool a_does = a.hang != 0, b_does = b.hang != 0;
    if (a_does && b_does && a.sign * b.sign == -1) {
        return (struct bits){.is_known = true};
    }
    struct bits all = join(a, b);
    all.sign = a_does && b_does ? 0 : all.sign;
    all.hang = upwards(all.hang);
    return all;
}

static struct bits negative(struct bits a)
{
    a.sign = (int8_t)-a.sign;
    return a;
}

/* Bits that a constant keeps, or clears. A few that are cleared leave an address what it is: aligned. */
static struct bits masked(const struct bsim_ptx_instruction *from, struct bits a, struct bits b)
{
    const struct bsim_ptx_operand *by = &from->operand[2];
    bool is_and = bsim_ptx_is_a(from, "and");
    struct bits all = join(a, b);
    if (!is_constant(by)) {
        all.sign = 0;
    } else if (bsim_ptx_is_a(from, "xor")) {
        all.sign = by->bits == UINT64_MAX ? (int8_t)-a.sign : 0;
    } else {
        uint64_t kept = is_and ? by->bits : ~by->bits;
        all.sign = kept >> 16 == UINT64_MAX >> 16 ? a.sign : 0;
        all.hang &= kept;
    }
    return all;
}

static struct bits shifted(const struct bsim_ptx_instruction *from, struct bits a, struct bits b)
{
    const struct bsim_ptx_operand *by = &from->operand[2];
    bool is_left = bsim_ptx_is_a(from, "shl");
    if (!is_constant(by) || by->bits > 63) {
        return any(a.hang | b.hang);
    }
    a.sign = by->bits == 0 ? a.sign : 0;
    a.hang = is_left ? a.hang << by->bits : a.hang >> by->bits;
    return a;
}

/* a * b + c, or bits 0 up of it. */
static struct bits product(const struct bsim_ptx_instruction *from, struct bits a, struct bits b,
                           struct bits c)
{
    const struct bsim_ptx_operand *by = &from->operand[2];
    bool does = a.hang != 0 || b.hang != 0;
    if (bsim_ptx_has(from, BSIM_PTX_HI) || (does && c.sign != 0 && c.hang != 0)) {
        return any(a.hang | b.hang | c.hang);
    }
    struct bits all = join(a, b);
    if (is_constant(by) && by->bits != 0) {
        all.hang = upwards(all.hang) * (by->bits & -by->bits);
    }
    all.hang = upwards(all.hang);
    all.sign = 0;
    return does ? sum(all, c) : c;
}

/* Whether a comparison is of two addresses, which are of one array, or with nothing. */
static bool compares_alike(const struct bsim_ptx_instruction *from, struct bits a, struct bits b)
{
    const struct bsim_ptx_operand *with = &from->operand[2];
    bool both = a.hang != 0 && b.hang != 0 && a.sign != 0 && a.sign == b.sign;
    return both || (a.sign != 0 && is_constant(with) && with->bits == 0);
}

static struct bits converted(const struct bsim_ptx_instruction *from, struct bits a)
{
    enum bsim_ptx_type type = from->n_types > 1 ? from->type[1] : BSIM_PTX_NO_TYPE;
    uint32_t n = bsim_ptx_type_bits(type);
    bool is_number = type == BSIM_PTX_F32 || type == BSIM_PTX_F64 ||
                     from->type[0] == BSIM_PTX_F32 || from->type[0] == BSIM_PTX_F64;
    a.hang &= ones(n);
    if (a.hang != 0 && (is_number || (n < 64 && a.hang >> (n - 1) != 0 &&
                                      (type == BSIM_PTX_S32 || type == BSIM_PTX_S16)))) {
        a.hang = is_number ? UINT64_MAX : a.hang | ~ones(n);
    }
    return a;
}

/* bfe a, b, c with numbers for b and c. */
static struct bits field(const struct bsim_ptx_instruction *from, struct bits a)
{
    const struct bsim_ptx_operand *at = &from->operand[2], *n = &from->operand[3];
    if (!is_constant(at) || !is_constant(n) || at->bits > 63) {
        return any(a.hang);
    }
    a.hang = a.hang >> at->bits & ones((uint32_t)n->bits);
    a.sign = 0;
    return a;
}

static struct bits computed(const struct bsim_ptx_instruction *from, const struct bits *v)
{
    const char *const moves[] = {"mov", "cvta", "selp", "min", "max", "shfl"};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        if (bsim_ptx_is_a(from, moves[i])) {
            return v[3].hang != 0 ? any(UINT64_MAX) : join(v[1], v[2]);
        }
    }
    if (bsim_ptx_is_a(from, "add")) {
        return sum(v[1], v[2]);
    }
    if (bsim_ptx_is_a(from, "sub")) {
        return sum(v[1], negative(v[2]));
    }
    if (bsim_ptx_is_a(from, "neg") || bsim_ptx_is_a(from, "not")) {
        return negative(v[1]);
    }
    if (bsim_ptx_is_a(from, "and") || bsim_ptx_is_a(from, "or") || bsim_ptx_is_a(from, "xor")) {
        return masked(from, v[1], v[2]);
    }
    if (bsim_ptx_is_a(from, "shl") || bsim_ptx_is_a(from, "shr")) {
        return shifted(from, v[1], v[2]);
    }
    if (bsim_ptx_is_a(from, "mul") || bsim_ptx_is_a(from, "mad")) {
        return product(from, v[1], v[2], v[3]);
    }
    if (bsim_ptx_is_a(from, "cvt")) {
        return converted(from, v[1]);
    }
    if (bsim_ptx_is_a(from, "bfe")) {
        return field(from, v[1]);
    }
    if (bsim_ptx_is_a(from, "isspacep") ||
        (bsim_ptx_is_a(from, "setp") && compares_alike(from, v[1], v[2]))) {
        return any(0);
    }
    return any(v[1].hang | v[2].hang | v[3].hang | v[4].hang);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Whether any of so many words of the parameters is an address. */
static bool has_address(const struct where *w, uint64_t offset, uint32_t n)
{
    uint64_t first = offset / sizeof(uint64_t);
    bool has = false;
    for (uint64_t i = first; i < first + n && i < w->function->parameter_bytes / sizeof(uint64_t);
         i++) {
        has = has || w->is_address[i];
    }
    return has;
}

/* What a load gives: of the launch's parameters, or of what was kept. Narrow ones of an address that was
 * kept are not followed. */
static struct bits loaded(const struct where *w, const struct bsim_ptx_instruction *from,
                          const struct bsim_ptx_access *access)
{
    const struct bsim_ptx_operand *operand = &from->operand[1], *base = operand->member;
    bool is_64 = access->bytes == sizeof(uint64_t);
    if (base != NULL && access->space == BSIM_PTX_PARAM && base->kind == BSIM_PTX_SYMBOL) {
        bool is = is_64 && has_address(w, base->symbol->address + operand->bits, access->count);
        return is ? address(ALIGNMENT) : any(0);
    }
    bool is_shared = access->space == BSIM_PTX_SHARED, is_local = access->space == BSIM_PTX_LOCAL;
    struct bits kept = {.is_known = true};
    if (is_shared || is_local) {
        kept = join(kept, w->kept[is_shared ? IN_SHARED : IN_LOCAL]);
    }
    return is_64 || kept.sign == 0 ? kept : any(0);
}

static void keep(struct where *w, const struct bsim_ptx_access *access, struct bits value)
{
    if (access->space == BSIM_PTX_SHARED || access->space == BSIM_PTX_LOCAL) {
        struct bits *kept = &w->kept[access->space == BSIM_PTX_SHARED ? IN_SHARED : IN_LOCAL];
        struct bits all = join(*kept, value);
        w->is_new = w->is_new || all.hang != kept->hang || all.sign != kept->sign;
        *kept = all;
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void note(struct where *w, const struct bsim_ptx_operand *operand, struct bits value)
{
    for (uint32_t k = 0; k < operand->n; k++) {
        note(w, &operand->member[k], value);
    }
    if (operand->kind != BSIM_PTX_REGISTER) {
        return;
    }
    struct bits *of = &w->of[operand->number];
    value.hang &= ones(width_of(w, operand));
    struct bits all = join(*of, value);
    w->is_new =
        w->is_new || all.hang != of->hang || all.is_known != of->is_known || all.sign != of->sign;
    *of = all;
}

/* Whether what hangs decides whether the instruction is executed. */
static bool is_decided(const struct where *w, uint32_t i)
{
    const struct bsim_ptx_instruction *from = &w->function->code[i];
    return w->is_under[w->blocks.of[i]] || (from->has_guard && w->of[from->guard].hang != 0);
}

static void look_at_branch(struct where *w, uint32_t i)
{
    const struct bsim_ptx_instruction *from = &w->function->code[i];
    bool by_index = w->step[i]->kind == BSIM_PTX_BRANCH_BY_INDEX;
    if ((from->has_guard && w->of[from->guard].hang != 0) ||
        (by_index && bits_of(w, &from->operand[0]).hang != 0)) {
        bsim_ptx_mark_between(&w->blocks, i, w->meet[i], w->seen);
        for (uint32_t k = 0; k < w->blocks.n; k++) {
            bool is = w->seen[k] == i + 1;
            w->is_new = w->is_new || (is && !w->is_under[k]);
            w->is_under[k] = w->is_under[k] || is;
        }
    }
}

static void look_at(struct where *w, uint32_t i)
{
    const struct bsim_ptx_instruction *from = &w->function->code[i];
    const struct bsim_ptx_access *access = w->step[i]->access;
    uint32_t does = access != NULL ? bsim_family_does(access->opcode.family) : 0;
    struct bits v[BSIM_PTX_MAX_OPERANDS + 1] = {{0}};
    bool is_known = true, hangs = false;
    for (uint32_t k = 1; k < from->n_operands; k++) {
        v[k] = bits_of(w, &from->operand[k]);
        is_known = is_known && v[k].is_known;
        hangs = hangs || v[k].hang != 0;
    }
    if ((does & BSIM_WRITES) != 0 && from->n_operands > 1) {
        keep(w, access, v[1]);
    } else if (is_known && bsim_ptx_defines(from)) {
        bool is_load = access != NULL && (does & BSIM_READS) != 0 && from->n_operands > 1;
        struct bits value = is_load                               ? loaded(w, from, access)
                            : hangs && (does & BSIM_UPDATES) == 0 ? computed(from, v)
                                                                  : any(0);
        note(w, &from->operand[0], is_decided(w, i) ? any(UINT64_MAX) : value);
    }
}

static void pass(struct where *w)
{
    for (uint32_t i = 0; i < w->function->n_instructions; i++) {
        if (bsim_ptx_branches(&w->function->code[i])) {
            look_at_branch(w, i);
        } else {
            look_at(w, i);
        }
    }
}

/* Whether an access's addresses hang on others than those of what they lead to. */
static bool is_led(const struct where *w, uint32_t i)
{
    const struct bsim_ptx_instruction *from = &w->function->code[i];
    bool is_shared =
        w->step[i]->access->space == BSIM_PTX_SHARED; /* the first; a copy's second is global */
    bool is = false;
    for (uint32_t k = 0; k < from->n_operands; k++) {
        const struct bsim_ptx_operand *operand = &from->operand[k];
        if (operand->kind == BSIM_PTX_ADDRESS && operand->n > 0) {
            struct bits bits = bits_of(w, &operand->member[0]);
            is = is || (bits.hang != 0 && (bits.sign != 1 || is_shared));
            is_shared = false;
        }
    }
    return is;
}

/* Whether any access that is counted hangs on where arrays lie. */
static bool any_hangs(const struct where *w)
{
    bool does = false;
    for (uint32_t i = 0; i < w->function->n_instructions && !does; i++) {
        const struct bsim_ptx_access *access = w->step[i]->access;
        bool is_counted = access != NULL &&
                          (access->space == BSIM_PTX_SHARED || access->space == BSIM_PTX_GLOBAL ||
                           access->space == BSIM_PTX_NO_SPACE);
        does = is_counted && (is_led(w, i) || (!access->is_chance && is_decided(w, i)));
    }
    return does;
}

static void settle(struct where *w)
{
    w->is_new = true;
    while (w->is_new) {
        w->is_new = false;
        pass(w);
    }
}

/* Registers that nothing was found to compute hang on nothing: calls hand them back, or nobody writes them. */
static void find_bits(struct where *w)
{
    settle(w);
    for (uint32_t r = 0; r < w->function->n_registers; r++) {
        w->of[r].is_known = true;
    }
    settle(w);
}

static bool start(struct where *w, const struct bsim_ptx_step *step)
{
    size_t n = (size_t)w->function->n_instructions + 1;
    w->of = bsim_mem_zeroed((size_t)w->function->n_registers + 1, sizeof *w->of);
    w->meet = bsim_mem_zeroed(n, sizeof *w->meet);
    w->is_under = bsim_mem_zeroed(n, sizeof *w->is_under);
    w->seen = bsim_mem_zeroed(n, sizeof *w->seen);
    w->step = bsim_mem_zeroed(n, sizeof *w->step);
    for (uint32_t i = 0; w->step != NULL && i < w->function->n_instructions; i++) {
        w->step[step[i].number] = &step[i];
    }
    return w->step != NULL && w->of != NULL && w->meet != NULL && w->is_under != NULL && w->seen != NULL &&
           bsim_ptx_find_blocks(w->function, &w->blocks) &&
           bsim_ptx_find_meets(w->function, w->meet);
}

static void stop(struct where *w)
{
    bsim_ptx_free_blocks(&w->blocks);
    bsim_mem_free(w->of);
    bsim_mem_free(w->meet);
    bsim_mem_free(w->is_under);
    bsim_mem_free(w->seen);
    bsim_mem_free(w->step);
}

/* ---- launches -------------------------------------------------------------------------------- */

/* An array's end is an address, too. */
static bool is_address(const struct bsim_ptx_memory *memory, uint64_t word)
{
    return bsim_ptx_memory_at(memory, word) != NULL || bsim_ptx_memory_at(memory, word - 1) != NULL;
}

bool bsim_ptx_find_where(const struct bsim_ptx_launch *launch,
                         const struct bsim_ptx_program *program)
{
    struct bsim_ptx_where *found = program->where;
    struct where w = {.function = program->kernel};
    uint32_t n = program->kernel->parameter_bytes / sizeof(uint64_t);
    bool *is = bsim_mem_zeroed((size_t)n + 1, sizeof *is);
    for (uint32_t i = 0; i < n && is != NULL; i++) {
        uint64_t word;
        memcpy(&word, launch->parameters + i * sizeof word, sizeof word);
        is[i] = is_address(launch->memory, word);
    }
    bool has_memory = is != NULL;
    if (has_memory && (found->is_address == NULL || memcmp(is, found->is_address, n) != 0)) {
        w.is_address = is;
        has_memory = start(&w, program->step);
        if (has_memory) {
            find_bits(&w);
            found->hangs = any_hangs(&w);
            bsim_mem_free(found->is_address);
            found->is_address = is;
            is = NULL;
        }
        stop(&w);
    }
    bsim_mem_free(is);
    return has_memory;
}
