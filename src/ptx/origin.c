/* origin.c - where the addresses of a function's accesses come from, as far as users want to know.
 *
 *     mov.u32   %r5, As;             As is the array
 *     add.s32   %r6, %r5, %r4;
 *  L: ld.shared [%r6+4];             base %r6: all [%r6+N] of one source line are one access of it
 *     add.s32   %r6, %r6, 4;         the next trip is 4 bytes on: ptxas may unroll the loop and
 *     @%p bra   L;                   merge what then stands side by side
 */
#include "ptx/steps.h"

#include "base/memory.h"

#include <string.h>

enum { MAX_DEPTH = 12 };

/* The instructions of a function by the register that they define. */
struct origin {
    const struct bsim_ptx_function *function;
    uint32_t *first; /* of each register, the first that defines it, or BSIM_PTX_NOWHERE */
    uint32_t *next;  /* of each instruction, the next that defines the same register */
    const struct bsim_ptx_symbol **array; /* of each register, what it points into, or NULL */
};

static bool is_register(const struct bsim_ptx_operand *operand)
{
    return operand->kind == BSIM_PTX_REGISTER;
}

static void find_definitions(struct origin *origin)
{
    const struct bsim_ptx_function *function = origin->function;
    for (uint32_t r = 0; r < function->n_registers; r++) {
        origin->first[r] = BSIM_PTX_NOWHERE;
    }
    for (uint32_t i = function->n_instructions; i-- > 0;) {
        const struct bsim_ptx_instruction *from = &function->code[i];
        if (from->n_operands > 1 && is_register(&from->operand[0])) {
            uint32_t *first = &origin->first[from->operand[0].number];
            origin->next[i] = *first;
            *first = i;
        }
    }
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* Whether what it computes from an address is one in the same array. */
static bool keeps_array(const struct bsim_ptx_instruction *from)
{
    static const char *const moves[] = {"mov", "add", "sub",  "cvta", "cvt",
                                        "or",  "mad", "selp", "ld"};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        if (bsim_ptx_is_a(from, moves[i])) {
            return true;
        }
    }
    return false;
}

/* What the operand points into: a variable, or what a parameter of the kernel points to. */
static const struct bsim_ptx_symbol *array_of(const struct origin *origin,
                                              const struct bsim_ptx_operand *operand)
{
    if (operand->kind == BSIM_PTX_ADDRESS) {
        const struct bsim_ptx_operand *from = &operand->member[0];
        bool is_pointer = from->kind == BSIM_PTX_SYMBOL && from->symbol->is_parameter &&
                          from->symbol->size_bytes == sizeof(uint64_t);
        return is_pointer ? from->symbol : NULL;
    }
    if (operand->kind == BSIM_PTX_SYMBOL && operand->symbol->space != BSIM_PTX_PARAM) {
        return operand->symbol;
    }
    return is_register(operand) ? origin->array[operand->number] : NULL;
}

/* Takes what one pass through the function finds; true if that was anything. */
static bool find_more_arrays(struct origin *origin)
{
    const struct bsim_ptx_function *function = origin->function;
    bool found = false;
    for (uint32_t i = 0; i < function->n_instructions; i++) {
        const struct bsim_ptx_instruction *from = &function->code[i];
        if (from->n_operands < 2 || !is_register(&from->operand[0]) || !keeps_array(from)) {
            continue;
        }
        const struct bsim_ptx_symbol **array = &origin->array[from->operand[0].number];
        for (uint32_t k = 1; k < from->n_operands && *array == NULL; k++) {
            *array = array_of(origin, &from->operand[k]);
            found = found || *array != NULL;
        }
    }
    return found;
}

/* ---- steps per trip of a loop ---------------------------------------------------------------- */

/* Instructions first to last, of which the last leads back to the first. */
struct body {
    const struct origin *origin;
    uint32_t first, last;
};

/* The one instruction of the body that defines the register; NULL: none (*n 0), or several. */
static const struct bsim_ptx_instruction *defined_in(const struct body *body, uint32_t number,
                                                     uint32_t *n)
{
    const struct bsim_ptx_instruction *found = NULL;
    *n = 0;
    for (uint32_t i = body->origin->first[number]; i != BSIM_PTX_NOWHERE && i <= body->last;
         i = body->origin->next[i]) {
        if (i >= body->first) {
            found = &body->origin->function->code[i];
            ++*n;
        }
    }
    return *n == 1 ? found : NULL;
}

/* Whether it adds a constant to a register, or to nothing: *by. */
static bool adds_constant(const struct bsim_ptx_instruction *from, int64_t *by)
{
    bool adds = bsim_ptx_is_a(from, "add") || bsim_ptx_is_a(from, "sub");
    *by = adds && from->n_operands == 3 ? (int64_t)from->operand[2].bits : 0;
    *by = bsim_ptx_is_a(from, "sub") ? -*by : *by;
    return is_register(&from->operand[1]) &&
           (bsim_ptx_is_a(from, "mov") || (adds && from->operand[2].kind == BSIM_PTX_INTEGER));
}

/* The register comes back to itself by adding constants: *by in each trip. */
static bool is_counter(const struct body *body, uint32_t number, int64_t *by)
{
    uint32_t at = number, n;
    *by = 0;
    for (uint32_t depth = 0; depth < MAX_DEPTH; depth++) {
        int64_t more;
        const struct bsim_ptx_instruction *from = defined_in(body, at, &n);
        if (from == NULL || !adds_constant(from, &more)) {
            return false;
        }
        *by += more;
        at = from->operand[1].number;
        if (at == number) {
            return true;
        }
    }
    return false;
}

static bool find_stride(const struct body *body, const struct bsim_ptx_operand *operand,
                        uint32_t depth, int64_t *stride);

/* Of what an instruction computes: a sum, a difference, a product with a constant. */
static bool stride_after(const struct body *body, const struct bsim_ptx_instruction *from,
                         uint32_t depth, int64_t *stride)
{
    const struct bsim_ptx_operand *operand = from->operand;
    int64_t a = 0, b = 0;
    bool by_constant = from->n_operands > 2 && operand[2].kind == BSIM_PTX_INTEGER;
    if (!find_stride(body, &operand[1], depth, &a)) {
        return false;
    }
    if (bsim_ptx_is_a(from, "mov") || bsim_ptx_is_a(from, "cvt") || bsim_ptx_is_a(from, "cvta")) {
        *stride = a;
        return true;
    }
    if (bsim_ptx_is_a(from, "shl") && by_constant && operand[2].bits < 32) {
        *stride = a * (INT64_C(1) << operand[2].bits);
        return true;
    }
    if (bsim_ptx_is_a(from, "mul") && by_constant) {
        *stride = a * (int64_t)(int32_t)operand[2].bits;
        return true;
    }
    if (bsim_ptx_is_a(from, "mad") && by_constant && find_stride(body, &operand[3], depth, &b)) {
        *stride = a * (int64_t)(int32_t)operand[2].bits + b;
        return true;
    }
    bool adds = bsim_ptx_is_a(from, "add"), subtracts = bsim_ptx_is_a(from, "sub");
    if ((!adds && !subtracts) || !find_stride(body, &operand[2], depth, &b)) {
        return false;
    }
    *stride = adds ? a + b : a - b;
    return true;
}

/* How far the operand moves from one trip of the body to the next; false: not known. */
static bool find_stride(const struct body *body, const struct bsim_ptx_operand *operand,
                        uint32_t depth, int64_t *stride)
{
    uint32_t n;
    *stride = 0;
    if (!is_register(operand)) {
        return true;
    }
    const struct bsim_ptx_instruction *from = defined_in(body, operand->number, &n);
    if (n == 0 || is_counter(body, operand->number, stride)) {
        return true;
    }
    return from != NULL && depth < MAX_DEPTH && stride_after(body, from, depth + 1, stride);
}

/* ---- accesses -------------------------------------------------------------------------------- */

static const struct bsim_ptx_operand *base_of(const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    for (uint32_t i = 0; i < from->n_operands; i++) {
        if (from->operand[i].kind == BSIM_PTX_ADDRESS) {
            return &from->operand[i].member[0];
        }
    }
    return NULL;
}

/* The register that the operand is but for constants that were added, if that is clear. */
static const struct bsim_ptx_operand *root_of(const struct origin *origin,
                                              const struct bsim_ptx_operand *operand)
{
    int64_t by;
    for (uint32_t depth = 0; depth < MAX_DEPTH && is_register(operand); depth++) {
        uint32_t i = origin->first[operand->number];
        if (i == BSIM_PTX_NOWHERE || origin->next[i] != BSIM_PTX_NOWHERE ||
            !adds_constant(&origin->function->code[i], &by)) {
            break;
        }
        operand = &origin->function->code[i].operand[1];
    }
    return operand;
}

static void find_base(const struct origin *origin, struct bsim_ptx_step *step)
{
    const struct bsim_ptx_operand *base = base_of(step);
    if (base != NULL) {
        const struct bsim_ptx_operand *root = root_of(origin, base);
        step->access->array = array_of(origin, base);
        step->access->root = is_register(root) ? root->number : BSIM_PTX_NOWHERE;
    }
}

/* Whether it goes on where it ends, from trip to trip. */
static bool may_merge(const struct body *body, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_access *access = step->access;
    bool is_candidate = access != NULL && access->space == BSIM_PTX_SHARED && !step->has_guard &&
                        !access->opcode.is_volatile && access->bytes >= 2 &&
                        access->opcode.bytes < 16 &&
                        (access->opcode.family == BSIM_LD || access->opcode.family == BSIM_ST);
    int64_t stride = 0;
    return is_candidate && find_stride(body, base_of(step), 0, &stride) &&
           (stride == access->opcode.bytes || stride == -(int64_t)access->opcode.bytes);
}

/* A loop is an innermost one if no branch in it leads back; barriers and calls keep it as it is. */
static void look_through_loop(const struct body *body, struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *code = body->origin->function->code;
    for (uint32_t i = body->first; i < body->last; i++) {
        bool leads_back = step[i].kind == BSIM_PTX_BRANCH && code[i].target <= i;
        if (leads_back || (step[i].kind != BSIM_PTX_COMPUTE && step[i].kind != BSIM_PTX_BRANCH)) {
            return;
        }
    }
    for (uint32_t i = body->first; i < body->last; i++) {
        if (may_merge(body, &step[i])) {
            step[i].access->may_merge = true;
        }
    }
}

/* Whether what leads back to `first` at `last` ends a turn that one condition decides about: its own guard, or
 * that of the one branch before it, which leads out. */
static bool ends_turn(const struct bsim_ptx_function *function, const struct bsim_ptx_step *step,
                      uint32_t first, uint32_t last)
{
    uint32_t n_exits = 0;
    for (uint32_t i = first; i < last; i++) {
        bool is_branch = step[i].kind == BSIM_PTX_BRANCH;
        n_exits += is_branch && function->code[i].has_guard && function->code[i].target > last;
    }
    return function->code[last].has_guard || n_exits == 1;
}

static void find_all(struct origin *origin, struct bsim_ptx_step *step)
{
    const struct bsim_ptx_function *function = origin->function;
    find_definitions(origin);
    while (find_more_arrays(origin)) {
    }
    for (uint32_t i = 0; i < function->n_instructions; i++) {
        const struct bsim_ptx_instruction *from = &function->code[i];
        if (step[i].access != NULL) {
            find_base(origin, &step[i]);
        }
        if (from->target <= i && ends_turn(function, step, from->target, i)) {
            struct body body = {origin, from->target, i};
            look_through_loop(&body, step);
        }
    }
}

bool bsim_ptx_find_origins(const struct bsim_ptx_function *function, struct bsim_ptx_step *step)
{
    struct origin origin = {.function = function};
    origin.first = bsim_mem_zeroed(function->n_registers + 1, sizeof *origin.first);
    origin.next = bsim_mem_zeroed(function->n_instructions + 1, sizeof *origin.next);
    origin.array = bsim_mem_zeroed(function->n_registers + 1, sizeof *origin.array);
    bool has_memory = origin.first != NULL && origin.next != NULL && origin.array != NULL;
    if (has_memory) {
        find_all(&origin, step);
    }
    bsim_mem_free(origin.first);
    bsim_mem_free(origin.next);
    bsim_mem_free((void *)origin.array);
    return has_memory;
}
