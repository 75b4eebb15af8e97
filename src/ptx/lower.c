/* lower.c - a kernel and the functions it calls as steps of the machine.
 *
 * Every register of every function has a place of its own in a warp's file, 32 lanes one behind the
 * other; immediates and special registers stand there too, so that a step knows places alone. A
 * function is called by jumping to its steps; of one that may call itself frame.c keeps the registers.
 *
 *     .reg .b32 %r<2>; .reg .b64 %rd<1>;     %r0: words 32-63, %r1: 64-95, %rd0: 96-159
 *     add.u32 %r1, %r0, 5;                   run=add_u32 d=64 a=32 b=160: 5 in each lane
 */
#include "ptx/lower.h"

#include "base/memory.h"
#include "ptx/order.h"
#include "ptx/steps.h"
#include "ptx/where.h"
#include "ptx/work.h"

#include <inttypes.h>
#include <string.h>

/* ---- instructions ---------------------------------------------------------------------------- */

static bool is_vector_move(const struct bsim_ptx_instruction *from, uint32_t operand)
{
    return bsim_ptx_is_a(from, "mov") && from->n_operands == 2 &&
           (from->operand[operand].kind == BSIM_PTX_VECTOR ||
            (operand == 1 && bsim_ptx_main_type(from) == BSIM_PTX_B128 &&
             from->operand[0].kind != BSIM_PTX_VECTOR));
}

static void lower_branch(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    step->kind = BSIM_PTX_BRANCH;
    step->target = l->self->first + from->target;
    if (bsim_ptx_is_a(from, "brx")) {
        static const struct bsim_ptx_pace none = {.issue = 0};
        step->kind = BSIM_PTX_BRANCH_BY_INDEX;
        step->a = bsim_ptx_lower_place(l, step, &from->operand[0], 4, BSIM_PTX_U32);
        step->pace = from->operand[1].bits == 0 ? step->pace : &none; /* a GPU has one for all */
    }
}

static void lower_barrier(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    struct bsim_ptx_argument *argument =
        bsim_ptx_lower_take(l, BSIM_PTX_MAX_OPERANDS * sizeof *argument);
    if (bsim_ptx_has(from, BSIM_PTX_CLUSTER) && from->n_operands == 0) {
        step->kind = bsim_ptx_has(from, BSIM_PTX_ARRIVE) ? BSIM_PTX_CLUSTER_ARRIVES : BSIM_PTX_CLUSTER_WAITS;
        return;
    }
    if (from->n_operands == 0) {
        bsim_ptx_lower_refuse(l, step, "a barrier of a kind that is not known here");
        return;
    }
    step->kind = BSIM_PTX_BARRIER;
    for (uint32_t i = 0; i < from->n_operands && argument != NULL; i++) {
        bsim_ptx_lower_argument(l, step, &from->operand[i], &argument[i]);
    }
    step->argument = argument;
    if (bsim_ptx_has(from, BSIM_PTX_WARP) &&
        (step->access = bsim_ptx_lower_take(l, sizeof *step->access)) != NULL) {
        step->access->opcode.family = BSIM_WARP_SYNC;
        step->access->root = BSIM_PTX_NOWHERE;
        step->kind = BSIM_PTX_MEET_LANES;
        step->run = bsim_ptx_run_warp_sync;
        step->e = argument != NULL && argument[0].n > 0 ? argument[0].place[0] : 0;
    }
}

/* Why an instruction is not run that is known well enough, or NULL. */
static const char *find_reason(const struct bsim_ptx_instruction *from)
{
    static const char beside[] = "matrices of several SMs and changes of tensor maps (tcgen05, tensormap) "
                                 "are not run here";
    if (from->issues != NULL && from->issues->why != NULL) {
        return from->issues->why;
    }
    return bsim_ptx_is_a(from, "tcgen05") || bsim_ptx_is_a(from, "tensormap") ? beside : NULL;
}

static bool is_of_texture(const struct bsim_ptx_instruction *from)
{
    return bsim_ptx_is_a(from, "tex") || bsim_ptx_is_a(from, "tld4") ||
           bsim_ptx_is_a(from, "suld") || bsim_ptx_is_a(from, "sust");
}

static void lower_instruction(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    step->has_guard = from->has_guard;
    step->guard_negated = from->guard_negated;
    step->guard = from->has_guard ? l->self->place[from->guard] : 0;
    const struct bsim_ptx_alu *alu = bsim_ptx_find_alu(from);
    const struct bsim_ptx_exchange *exchange = bsim_ptx_find_exchange(from);
    const struct bsim_ptx_service *service = bsim_ptx_find_service(from);
    l->program->has_effects |= is_of_texture(from);
    bool is_unseen = service != NULL && service->run == NULL; /* whatever stands behind its dots */
    const char *reason = find_reason(from);
    if (reason != NULL) {
        bsim_ptx_lower_refuse(l, step, "%s", reason);
    } else if (from->unknown != NULL && !is_unseen) {
        bsim_ptx_lower_refuse(l, step, "'.%s' is not known here", from->unknown);
    } else if (is_vector_move(from, 0) || is_vector_move(from, 1)) {
        bsim_ptx_lower_vector_move(l, step, is_vector_move(from, 1));
    } else if (bsim_ptx_is_a(from, "cvt") &&
               (alu == NULL || !bsim_ptx_fits_registers(l, from, alu))) {
        bsim_ptx_lower_convert(l, step);
    } else if (alu != NULL && bsim_ptx_is_a(from, "setp")) {
        bsim_ptx_lower_setp(l, step, alu);
    } else if (alu != NULL) {
        bsim_ptx_lower_alu(l, step, alu);
    } else if (exchange != NULL) {
        bsim_ptx_lower_exchange(l, step, exchange);
    } else if (service != NULL) {
        bsim_ptx_lower_service(l, step, service);
    } else if (bsim_ptx_has(from, BSIM_PTX_ASYNC) && (bsim_ptx_is_a(from, "st") || bsim_ptx_is_a(from, "red"))) {
        bsim_ptx_lower_refuse(l, step, "'%s.async' is not known here, or not in this form", from->mnemonic);
    } else if (bsim_ptx_is_a(from, "ld") || bsim_ptx_is_a(from, "ldu")) {
        bsim_ptx_lower_load(l, step);
    } else if (bsim_ptx_is_a(from, "st")) {
        bsim_ptx_lower_store(l, step);
    } else if (bsim_ptx_is_a(from, "atom") || bsim_ptx_is_a(from, "red")) {
        bsim_ptx_lower_atomic(l, step);
    } else if (bsim_ptx_branches(from)) {
        lower_branch(l, step);
    } else if (bsim_ptx_is_a(from, "call")) {
        bsim_ptx_lower_call(l, step);
    } else if (bsim_ptx_is_a(from, "exit") ||
               (bsim_ptx_is_a(from, "ret") && l->self->function->is_entry)) {
        step->kind = BSIM_PTX_LEAVE;
    } else if (bsim_ptx_is_a(from, "ret")) {
        step->kind = BSIM_PTX_BRANCH;
        step->target = l->self->first + l->self->function->n_instructions;
    } else if (bsim_ptx_is_a(from, "bar") || bsim_ptx_is_a(from, "barrier")) {
        lower_barrier(l, step);
    } else {
        bsim_ptx_lower_refuse(l, step, "'%s' is not known here, or not in this form",
                              from->mnemonic);
    }
    if (step->kind == BSIM_PTX_REFUSED) {
        step->access = NULL; /* its operands may be other ones than an access has */
    }
}

/* ---- functions ------------------------------------------------------------------------------- */

enum { STACK_ALIGNMENT = 16 }; /* of a call's part of a thread's memory: as much as any variable wants */

static uint64_t align(uint64_t offset, uint32_t alignment)
{
    return (offset + alignment - 1) & ~(uint64_t)(alignment - 1);
}

/* What a function gets and gives is in its caller's memory, behind all other variables. */
static void lay_out_handed(struct bsim_ptx_symbol *list, uint32_t *bytes)
{
    for (struct bsim_ptx_symbol *v = list; v != NULL; v = v->next) {
        v->address = align(*bytes, v->alignment);
        *bytes = (uint32_t)(v->address + v->size_bytes);
    }
}

static bool names(const struct bsim_ptx_operand *operand, const struct bsim_ptx_symbol *symbol)
{
    bool found = operand->kind == BSIM_PTX_SYMBOL && operand->symbol == symbol;
    for (uint32_t i = 0; i < operand->n && !found; i++) {
        found = names(&operand->member[i], symbol);
    }
    return found;
}

/* Whether an instruction of the kernel, or of a function that it may call, names the variable. */
static bool is_used(const struct bsim_ptx_lowering *l, const struct bsim_ptx_symbol *symbol)
{
    for (const struct bsim_ptx_placed *p = l->placed; p != NULL; p = p->next) {
        for (uint32_t i = 0; i < p->function->n_instructions; i++) {
            const struct bsim_ptx_instruction *from = &p->function->code[i];
            for (uint32_t k = 0; k < from->n_operands; k++) {
                if (names(&from->operand[k], symbol)) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* What C calls elements, as x-shared= spells it, and vectors of them; of .b8 nothing is told. */
static const struct {
    const char *element, *vector;
} element_names[BSIM_PTX_TYPES] = {
    [BSIM_PTX_B16] = {"2", NULL},
    [BSIM_PTX_B32] = {"4", NULL},
    [BSIM_PTX_B64] = {"8", NULL},
    [BSIM_PTX_U8] = {"unsigned.char", "uchar"},
    [BSIM_PTX_S8] = {"signed.char", "char"},
    [BSIM_PTX_U16] = {"unsigned.short", "ushort"},
    [BSIM_PTX_S16] = {"short", "short"},
    [BSIM_PTX_U32] = {"unsigned", "uint"},
    [BSIM_PTX_S32] = {"int", "int"},
    [BSIM_PTX_U64] = {"unsigned.long.long", "ulonglong"},
    [BSIM_PTX_S64] = {"long.long", "longlong"},
    [BSIM_PTX_F32] = {"float", "float"},
    [BSIM_PTX_F64] = {"double", "double"},
};

/* Of bytes the last dimension is an element's (struct bsim_ptx_symbol), or nothing is told. */
static void add_elements(const struct bsim_ptx_symbol *v, struct bsim_buffer *arrays)
{
    uint32_t n = v->n_dimensions - (v->element != NULL);
    if (v->element != NULL && v->element[0] != '\0') {
        bsim_buffer_printf(arrays, ":%s", v->element);
    } else if (v->element != NULL) {
        bsim_buffer_printf(arrays, ":%" PRIu64, v->dimension[n]);
    } else if (v->n_vector > 1) {
        bsim_buffer_printf(arrays, ":%s%" PRIu32, element_names[v->type].vector, v->n_vector);
    } else {
        bsim_buffer_printf(arrays, ":%s", element_names[v->type].element);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (v->dimension[i] > 0) {
            bsim_buffer_printf(arrays, "[%" PRIu64 "]", v->dimension[i]);
        } else {
            bsim_buffer_text(arrays, "[]");
        }
    }
}

static bool is_told(const struct bsim_ptx_symbol *v)
{
    const char *name =
        v->n_vector > 1 ? element_names[v->type].vector : element_names[v->type].element;
    return v->n_dimensions < BSIM_PTX_DIMENSIONS &&
           (v->element != NULL ? v->n_dimensions > 1 && v->dimension[v->n_dimensions - 1] > 0
                               : v->n_dimensions > 0 && name != NULL);
}

/* "tile@0:float[32][33]" where the type tells, and "tile@0:4224" where it is of bytes. */
static void add_array(const struct bsim_ptx_symbol *v, struct bsim_buffer *arrays)
{
    size_t length;
    const char *name = bsim_ptx_plain_name(v->name, &length);
    bsim_buffer_text(arrays, arrays->size_bytes > 0 ? "+" : "");
    bsim_buffer_add(arrays, name, length);
    bsim_buffer_printf(arrays, "@%" PRIu64, v->address);
    if (is_told(v)) {
        add_elements(v, arrays);
    } else if (v->size_bytes > 0) {
        bsim_buffer_printf(arrays, ":%" PRIu64, v->size_bytes);
    }
}

/* Static shared variables of the list, in its order. What nobody uses has no place, as in what
 * ptxas makes. */
static void lay_out_shared(struct bsim_ptx_lowering *l, struct bsim_ptx_symbol *list,
                           struct bsim_buffer *arrays)
{
    struct bsim_ptx_program *program = l->program;
    for (struct bsim_ptx_symbol *v = list; v != NULL; v = v->next) {
        if (v->space == BSIM_PTX_SHARED && v->size_bytes > 0 && is_used(l, v)) {
            v->address = align(program->shared_bytes, v->alignment);
            program->shared_bytes = (uint32_t)(v->address + v->size_bytes);
            add_array(v, arrays);
        }
    }
}

static void lay_out_local(const struct bsim_ptx_function *function, uint32_t *bytes)
{
    for (struct bsim_ptx_symbol *v = function->variables; v != NULL; v = v->next) {
        if (v->space == BSIM_PTX_LOCAL || v->space == BSIM_PTX_PARAM) {
            v->address = align(*bytes, v->alignment);
            *bytes = (uint32_t)(v->address + v->size_bytes);
        }
    }
}

/* What a call keeps on a GPU's stack whatever ptxas makes of it: where to come back, and its variables.
 * Measured, nvcc 13 for sm_90: frames of 16 to 104 bytes, most of them registers that are kept. */
static uint32_t least_stack(const struct bsim_ptx_function *function)
{
    uint32_t bytes = 8;
    for (const struct bsim_ptx_symbol *v = function->variables; v != NULL; v = v->next) {
        bytes += v->space == BSIM_PTX_LOCAL ? (uint32_t)v->size_bytes : 0;
    }
    return bytes;
}

/* What is a thread's own: one place for all calls, or behind where a call's part begins. */
static void lay_out_own(struct bsim_ptx_lowering *l, const struct bsim_ptx_function *function)
{
    const struct bsim_ptx_placed *placed = bsim_ptx_find_placed(l, function);
    struct bsim_ptx_recursive *recursive = placed != NULL ? placed->recursive : NULL;
    uint32_t *bytes = recursive != NULL ? &recursive->bytes : &l->program->local_bytes;
    if (!function->is_entry) {
        lay_out_handed(function->parameters, bytes);
        lay_out_handed(function->results, bytes);
    }
    lay_out_local(function, bytes);
    if (recursive != NULL) {
        recursive->least = least_stack(function);
        *bytes = (uint32_t)align(*bytes > 0 ? *bytes : 1, STACK_ALIGNMENT);
    }
}

/* Whether lanes wait for each other at their branch's meet: at a kernel's end they do not, each
 * leaves by itself. */
static bool is_waited_at(const struct bsim_ptx_function *function, uint32_t meet)
{
    bool is_end =
        meet == function->n_instructions ||
        (meet != BSIM_PTX_NOWHERE && bsim_ptx_is_a(&function->code[meet], "ret") &&
         !function->code[meet].has_guard);
    return meet != BSIM_PTX_NOWHERE && !(function->is_entry && is_end);
}

/* Makes the instruction's step: of what ptxas executes in its place, or NULL for nothing. */
static void lower_contracted(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                             const struct bsim_ptx_instruction *from,
                             const struct bsim_ptx_instruction *contracted)
{
    static const struct bsim_ptx_pace none = {.issue = 0};
    step->from = contracted != NULL ? contracted : from;
    step->pace = contracted != NULL ? bsim_ptx_find_pace(from) : &none;
    step->meet = BSIM_PTX_NOWHERE;
    if (contracted != NULL) {
        lower_instruction(l, step);
    } else {
        step->kind = BSIM_PTX_NOTHING_HAPPENS;
    }
}

static void lower_function(struct bsim_ptx_lowering *l, struct bsim_ptx_placed *placed,
                           const uint32_t *meet, const struct bsim_ptx_instruction *const *from)
{
    const struct bsim_ptx_function *function = placed->function;
    struct bsim_ptx_program *program = l->program;
    program->doubts.has_mathematics |= function->has_mathematics;
    program->doubts.is_of_source |= function->is_of_source;
    program->doubts.turns = function->turns > 0 ? function->turns : program->doubts.turns;
    program->doubts.ways = function->ways > 0 ? function->ways : program->doubts.ways;
    for (uint32_t i = 0; i < function->n_instructions && l->status == BSIM_OK; i++) {
        struct bsim_ptx_step *step = &program->step[placed->first + i];
        l->self = placed;
        lower_contracted(l, step, &function->code[i], from[i]);
        step->number = placed->first + i;
        program->doubts.calls_by_address |= step->kind == BSIM_PTX_CALL_BY_ADDRESS;
        if (step->kind == BSIM_PTX_CALL_BY_ADDRESS ||
            (step->kind == BSIM_PTX_CALL && step->has_guard)) {
            step[1].is_meeting = true; /* of lanes that call another function, or none */
        }
        bool may_part = (step->kind == BSIM_PTX_BRANCH && step->has_guard) ||
                        step->kind == BSIM_PTX_BRANCH_BY_INDEX;
        if (may_part && is_waited_at(function, meet[i])) {
            step->meet = placed->first + meet[i];
            program->step[step->meet].is_meeting = true;
        }
    }
    program->step[placed->first + function->n_instructions].kind =
        function->is_entry ? BSIM_PTX_LEAVE : BSIM_PTX_RETURN;
    bool merges = l->merges && !function->is_machine_code;
    if (l->status == BSIM_OK &&
        ((merges &&
          (!bsim_ptx_merge(function, &program->step[placed->first]) ||
           !bsim_ptx_join(function, &program->step[placed->first]) ||
           !bsim_ptx_find_skips(function, &program->step[placed->first], l->arena) ||
           !bsim_ptx_find_gathers(function, &program->step[placed->first], meet) ||
           !bsim_ptx_find_doubts(function, &program->step[placed->first], placed->first))) ||
         !bsim_ptx_find_spins(function, &program->step[placed->first]) ||
         !bsim_ptx_find_hanging(function, &program->step[placed->first], &program->hangs_on_warps,
                                &program->hangs_on_blocks) ||
         !bsim_ptx_find_elsewhere(function, &program->step[placed->first], meet,
                                  &program->doubts.is_elsewhere) ||
         !bsim_ptx_find_deciding(function, &program->step[placed->first], meet,
                                 &program->asks_for_local) ||
         !bsim_ptx_find_origins(function, &program->step[placed->first]) ||
         (merges && !bsim_ptx_put_conditions(function, &program->step[placed->first])) ||
         (merges && !bsim_ptx_schedule(function, &program->step[placed->first])))) {
        l->status = bsim_error_set(l->err, BSIM_E_MEMORY, "out of memory");
    }
}

/* What is executed of each of the function's instructions; of machine code all is as it stands. */
static bool find_instructions(const struct bsim_ptx_function *function, struct bsim_arena *arena, const struct bsim_ptx_instruction **from)
{
    for (uint32_t i = 0; i < function->n_instructions; i++) {
        from[i] = &function->code[i];
    }
    return function->is_machine_code || bsim_ptx_contract(function, arena, from);
}

static void lower_functions(struct bsim_ptx_lowering *l)
{
    for (struct bsim_ptx_placed *p = l->placed; p != NULL && l->status == BSIM_OK; p = p->next) {
        size_t n = (size_t)p->function->n_instructions + 1;
        uint32_t *meet = bsim_mem_resize(NULL, n, sizeof *meet);
        const struct bsim_ptx_instruction **from = bsim_mem_resize(NULL, n, sizeof *from);
        if (meet != NULL && from != NULL && bsim_ptx_find_meets(p->function, meet) &&
            find_instructions(p->function, l->arena, from)) {
            lower_function(l, p, meet, from);
        } else {
            l->status = bsim_error_set(l->err, BSIM_E_MEMORY, "out of memory");
        }
        bsim_mem_free(from);
        bsim_mem_free(meet);
    }
}

/* ---- registers that a block begins with ------------------------------------------------------ */

static void add_fresh(struct bsim_ptx_program *program, uint32_t place, uint32_t n)
{
    struct bsim_ptx_words *last =
        program->n_fresh > 0 ? &program->fresh[program->n_fresh - 1] : NULL;
    if (last != NULL && last->place + last->n == place) {
        last->n += n;
    } else {
        program->fresh[program->n_fresh++] = (struct bsim_ptx_words){place, n};
    }
}

static void find_fresh(struct bsim_ptx_lowering *l)
{
    uint32_t most = 1;
    for (const struct bsim_ptx_placed *p = l->placed; p != NULL; p = p->next) {
        most += p->function->n_registers;
    }
    l->program->fresh = bsim_ptx_lower_take(l, most * sizeof *l->program->fresh);
    uint8_t *is_read = bsim_mem_zeroed(most, sizeof *is_read);
    bool has_memory = l->program->fresh != NULL && is_read != NULL;
    if (has_memory) {
        add_fresh(l->program, 0, 2 * BSIM_PTX_CARRY);
    }
    for (const struct bsim_ptx_placed *p = l->placed; p != NULL && has_memory; p = p->next) {
        memset(is_read, 0, p->function->n_registers);
        has_memory = bsim_ptx_find_read_first(p->function, is_read);
        for (uint32_t r = 0; r < p->function->n_registers && has_memory; r++) {
            if (is_read[r]) {
                add_fresh(l->program, p->place[r], bsim_ptx_lower_words(p->function->reg[r].type));
            }
        }
    }
    bsim_mem_free(is_read);
    if (!has_memory && l->status == BSIM_OK) {
        l->status = bsim_mem_short(l->err);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static uint32_t dynamic_alignment(const struct bsim_ptx_module *module)
{
    uint32_t most = 1;
    for (const struct bsim_ptx_symbol *v = module->symbols; v != NULL; v = v->next) {
        bool is_dynamic = v->space == BSIM_PTX_SHARED && v->size_bytes == 0;
        most = is_dynamic && v->alignment > most ? v->alignment : most;
    }
    return most;
}

static void keep_text(struct bsim_ptx_lowering *l, struct bsim_buffer *arrays)
{
    const char *text = arrays->data != NULL ? arrays->data : "";
    l->program->shared =
        arrays->failed ? NULL : bsim_arena_text(l->arena, text, arrays->size_bytes);
    if (l->program->shared == NULL && l->status == BSIM_OK) {
        l->status = bsim_mem_short(l->err);
    }
    bsim_buffer_free(arrays);
}

/* Where variables are, as ptxas has it: static shared memory is the kernel's own, the module's,
 * that of called functions; the dynamic one begins behind it. Measured: the sizes of 1,465 kernels
 * and, of kernels written for it, the addresses in what nvcc 13 makes. */
static void lay_out(struct bsim_ptx_lowering *l)
{
    const struct bsim_ptx_module *module = l->program->module;
    struct bsim_buffer arrays = BSIM_BUFFER_EMPTY;
    lay_out_shared(l, l->program->kernel->variables, &arrays);
    lay_out_shared(l, module->symbols, &arrays);
    for (const struct bsim_ptx_function *f = module->functions; f != NULL; f = f->next) {
        if (!f->is_entry) {
            lay_out_shared(l, f->variables, &arrays);
        }
        if (f == l->program->kernel || !f->is_entry) {
            lay_out_own(l, f);
        }
    }
    l->program->local_bytes = (uint32_t)align(l->program->local_bytes, STACK_ALIGNMENT);
    uint64_t dynamic = align(l->program->shared_bytes, dynamic_alignment(module));
    bool has_dynamic = false;
    for (struct bsim_ptx_symbol *v = module->symbols; v != NULL; v = v->next) {
        if (v->space == BSIM_PTX_SHARED && v->size_bytes == 0) {
            v->address = dynamic;
            if (!has_dynamic && is_used(l, v)) { /* several are the same memory */
                add_array(v, &arrays);
                has_dynamic = true;
            }
        }
    }
    l->program->shared_bytes = (uint32_t)dynamic;
    keep_text(l, &arrays);
}

/* Another kernel of the module may lay the arrays out elsewhere: accesses keep theirs as they are. */
static void keep_arrays(struct bsim_ptx_lowering *l)
{
    for (uint32_t i = 0; i < l->program->n_steps && l->status == BSIM_OK; i++) {
        struct bsim_ptx_access *access = l->program->step[i].access;
        struct bsim_ptx_symbol *copy = NULL;
        if (access != NULL && access->array != NULL) {
            copy = bsim_ptx_lower_take(l, sizeof *copy);
        }
        if (copy != NULL) {
            *copy = *access->array;
            access->array = copy;
        }
    }
}

enum bsim_status bsim_ptx_lower(const struct bsim_ptx_module *module,
                                const struct bsim_ptx_function *kernel, bool merges,
                                struct bsim_arena *arena, struct bsim_ptx_program *program,
                                struct bsim_error *err)
{
    struct bsim_ptx_lowering l = {.arena = arena, .program = program, .err = err, .merges = merges};
    *program = (struct bsim_ptx_program){
        .module = module, .kernel = kernel, .n_words = 2 * BSIM_PTX_CARRY};
    bsim_ptx_place_functions(&l);
    program->step = bsim_ptx_lower_take(&l, program->n_steps * sizeof *program->step);
    program->order = bsim_ptx_lower_take(&l, sizeof *program->order);
    program->where = bsim_ptx_lower_take(&l, sizeof *program->where);
    if (l.status != BSIM_OK) {
        return l.status;
    }
    lay_out(&l);
    lower_functions(&l);
    if (l.status == BSIM_OK && !bsim_ptx_find_sites(arena, program)) {
        l.status = bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    keep_arrays(&l);
    if (l.status == BSIM_OK) {
        find_fresh(&l);
    }
    return l.status;
}
