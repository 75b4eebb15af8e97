/* lower_calls.c - calls as steps: of functions of the module, by name or address, and of what the
 * device's runtime has. */
#include "ptx/lower.h"

#include "ptx/system.h"

/* A call as it stands in the text: by name, of a function or not, or by an address in a register.
 * */
struct call {
    const struct bsim_ptx_operand *result, *callee, *given;
    const struct bsim_ptx_function *function; /* of the module, with instructions; or NULL */
};

static struct call read_call(const struct bsim_ptx_module *module,
                             const struct bsim_ptx_instruction *from)
{
    bool has_result = from->operand[0].kind == BSIM_PTX_VECTOR;
    struct call call = {.result = has_result ? &from->operand[0] : NULL,
                        .callee = &from->operand[has_result]};
    call.given = from->n_operands > has_result + 1u ? call.callee + 1 : NULL;
    call.given = call.given != NULL && call.given->kind == BSIM_PTX_VECTOR ? call.given : NULL;
    const struct bsim_ptx_function *f = call.callee->kind == BSIM_PTX_NAME
                                            ? bsim_ptx_find_function(module, call.callee->name)
                                            : NULL;
    call.function = f != NULL && f->is_defined ? f : NULL;
    return call;
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
static uint32_t add_copies(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step, uint32_t *more,
                           const struct bsim_ptx_operand *operand,
                           const struct bsim_ptx_symbol *list, bool is_result)
{
    uint32_t n = 0, given = operand != NULL && operand->kind == BSIM_PTX_VECTOR ? operand->n : 0;
    for (; n < given && list != NULL; n++, list = list->next) {
        const struct bsim_ptx_symbol *mine = operand->member[n].symbol;
        if (mine == NULL || mine->size_bytes != list->size_bytes) {
            bsim_ptx_lower_refuse(
                l, step, "what is handed over is no .param of the size that the function has");
            return 0;
        }
        more[3 * n] = (uint32_t)(is_result ? list->address : mine->address);
        more[3 * n + 1] = (uint32_t)(is_result ? mine->address : list->address);
        more[3 * n + 2] = (uint32_t)list->size_bytes;
    }
    if (n != given || list != NULL) {
        bsim_ptx_lower_refuse(l, step, "not as many parameters as the function has");
    }
    return n;
}

/* A call of what the device's runtime has. */
static bool lower_system(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                         const struct bsim_ptx_operand *result, const char *name,
                         const struct bsim_ptx_operand *given)
{
    uint32_t n = given != NULL && given->kind == BSIM_PTX_VECTOR ? given->n : 0;
    uint32_t *more = bsim_ptx_lower_take(l, (1 + 5) * sizeof *more);
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

/* What a call of the function copies: {n, n * {from, to, bytes}} of what goes there, and the same
 * of what comes back, all in the thread's own memory. NULL when memory is short. */
static const uint32_t *find_copies(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                                   const struct bsim_ptx_function *function,
                                   const struct bsim_ptx_operand *given,
                                   const struct bsim_ptx_operand *result)
{
    uint32_t *more = bsim_ptx_lower_take(
        l, (2 + 3 * (count_symbols(function->parameters) + count_symbols(function->results))) *
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

/* By address: any function of the module that takes and gives as much. */
static bool may_call(const struct call *call, const struct bsim_ptx_function *f)
{
    bool is_by_address = call->callee->kind == BSIM_PTX_REGISTER;
    return is_by_address ? !f->is_entry && f->is_defined && has_sizes(call->given, f->parameters) &&
                               has_sizes(call->result, f->results)
                         : f == call->function;
}

/* ---- functions ------------------------------------------------------------------------------- */

static const uint32_t *place_registers(struct bsim_ptx_lowering *l,
                                       const struct bsim_ptx_function *function)
{
    uint32_t *place = bsim_ptx_lower_take(l, function->n_registers * sizeof *place);
    for (uint32_t i = 0; i < function->n_registers && place != NULL; i++) {
        place[i] = bsim_ptx_lower_register(l, function->reg[i].type);
    }
    return place;
}

static const struct bsim_ptx_placed *find_placed(const struct bsim_ptx_lowering *l,
                                                 const struct bsim_ptx_function *function)
{
    for (const struct bsim_ptx_placed *p = l->placed; p != NULL; p = p->next) {
        if (p->function == function) {
            return p;
        }
    }
    return NULL;
}

static void place_all(struct bsim_ptx_lowering *l, const struct bsim_ptx_function *function,
                      const struct bsim_ptx_placed *caller);

static void place_callees(struct bsim_ptx_lowering *l, const struct bsim_ptx_placed *placed)
{
    const struct bsim_ptx_module *module = l->program->module;
    for (uint32_t i = 0; i < placed->function->n_instructions; i++) {
        const struct bsim_ptx_instruction *from = &placed->function->code[i];
        if (!bsim_ptx_is_a(from, "call") || from->n_operands == 0) {
            continue;
        }
        struct call call = read_call(module, from);
        for (const struct bsim_ptx_function *f = module->functions; f != NULL; f = f->next) {
            if (may_call(&call, f) && find_placed(l, f) == NULL) {
                place_all(l, f, placed);
            }
        }
    }
}

static void place_all(struct bsim_ptx_lowering *l, const struct bsim_ptx_function *function,
                      const struct bsim_ptx_placed *caller)
{
    struct bsim_ptx_placed *placed = bsim_ptx_lower_take(l, sizeof *placed);
    if (placed == NULL) {
        return;
    }
    *placed = (struct bsim_ptx_placed){.function = function,
                                       .place = place_registers(l, function),
                                       .first = l->program->n_steps,
                                       .caller = caller,
                                       .next = l->placed};
    l->placed = placed;
    l->program->n_steps += function->n_instructions + 1;
    place_callees(l, placed);
}

void bsim_ptx_place_functions(struct bsim_ptx_lowering *l)
{
    place_all(l, l->program->kernel, NULL);
}

/* Whether the function is the one that is being lowered, or one on the way to it. */
static bool is_calling(const struct bsim_ptx_lowering *l, const struct bsim_ptx_function *f)
{
    for (const struct bsim_ptx_placed *p = l->self; p != NULL; p = p->caller) {
        if (p->function == f) {
            return true;
        }
    }
    return false;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* call (result), %rd, (parameters), prototype: any function that it may mean, but those that are
 * calling just now. */
static void lower_call_by_address(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                                  const struct call *call)
{
    const struct bsim_ptx_module *module = l->program->module;
    uint32_t n = 0, most = 1;
    for (const struct bsim_ptx_function *f = module->functions; f != NULL; f = f->next) {
        most++;
    }
    struct bsim_ptx_callee *list = bsim_ptx_lower_take(l, most * sizeof *list);
    for (const struct bsim_ptx_function *f = module->functions; f != NULL && list != NULL;
         f = f->next) {
        const struct bsim_ptx_placed *placed = may_call(call, f) ? find_placed(l, f) : NULL;
        if (placed != NULL && !is_calling(l, f)) {
            list[n++] =
                (struct bsim_ptx_callee){bsim_ptx_function_address(module, f->name), placed->first,
                                         find_copies(l, step, f, call->given, call->result)};
        }
    }
    step->kind = BSIM_PTX_CALL;
    step->callee = list;
    step->a = bsim_ptx_lower_place(l, step, call->callee, 8, BSIM_PTX_U64);
}

/* call (result), function, (parameters). */
void bsim_ptx_lower_call(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step)
{
    const struct call call = read_call(l->program->module, step->from);
    if (call.callee->kind == BSIM_PTX_REGISTER) {
        lower_call_by_address(l, step, &call);
        return;
    }
    bool is_named = call.callee->kind == BSIM_PTX_NAME;
    if (call.function == NULL && is_named &&
        lower_system(l, step, call.result, call.callee->name, call.given)) {
        return;
    }
    const struct bsim_ptx_placed *placed =
        call.function != NULL ? find_placed(l, call.function) : NULL;
    if (placed == NULL) {
        bsim_ptx_lower_refuse(l, step, "a call of %s, which is not in this module",
                              is_named ? call.callee->name : "what is no function");
        return;
    }
    if (is_calling(l, call.function)) {
        bsim_ptx_lower_refuse(l, step,
                              "%s calls itself, by whatever way: recursion is not known here",
                              call.function->name);
        return;
    }
    step->kind = BSIM_PTX_CALL;
    step->target = placed->first;
    step->more = find_copies(l, step, call.function, call.given, call.result);
}
