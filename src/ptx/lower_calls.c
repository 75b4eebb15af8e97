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
    l->program->has_effects |= strcmp(name, "__assertfail") != 0;
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
    return is_by_address ? !f->is_entry && f->is_defined && !f->has_registers &&
                               has_sizes(call->given, f->parameters) &&
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

struct bsim_ptx_placed *bsim_ptx_find_placed(const struct bsim_ptx_lowering *l,
                                             const struct bsim_ptx_function *function)
{
    for (struct bsim_ptx_placed *p = l->placed; p != NULL; p = p->next) {
        if (p->function == function) {
            return p;
        }
    }
    return NULL;
}

static struct bsim_ptx_placed *place_all(struct bsim_ptx_lowering *l,
                                         const struct bsim_ptx_function *function);

static void add_edge(struct bsim_ptx_lowering *l, struct bsim_ptx_placed *from,
                     struct bsim_ptx_placed *to)
{
    struct bsim_ptx_edge *edge = bsim_ptx_lower_take(l, sizeof *edge);
    if (edge != NULL) {
        *edge = (struct bsim_ptx_edge){.to = to, .next = from->calls};
        from->calls = edge;
    }
}

static void place_callees(struct bsim_ptx_lowering *l, struct bsim_ptx_placed *placed)
{
    const struct bsim_ptx_module *module = l->program->module;
    for (uint32_t i = 0; i < placed->function->n_instructions; i++) {
        const struct bsim_ptx_instruction *from = &placed->function->code[i];
        if (!bsim_ptx_is_a(from, "call") || from->n_operands == 0) {
            continue;
        }
        struct call call = read_call(module, from);
        for (const struct bsim_ptx_function *f = module->functions; f != NULL; f = f->next) {
            if (may_call(&call, f)) {
                struct bsim_ptx_placed *to = bsim_ptx_find_placed(l, f);
                to = to != NULL ? to : place_all(l, f);
                add_edge(l, placed, to);
            }
        }
    }
}

/* NULL when memory is short, and l->status says so. */
static struct bsim_ptx_placed *place_all(struct bsim_ptx_lowering *l,
                                         const struct bsim_ptx_function *function)
{
    struct bsim_ptx_placed *placed = bsim_ptx_lower_take(l, sizeof *placed);
    if (placed != NULL) {
        *placed = (struct bsim_ptx_placed){
            .function = function, .first = l->program->n_steps, .next = l->placed};
        placed->first_word = l->program->n_words;
        placed->place = place_registers(l, function);
        placed->n_words = l->program->n_words - placed->first_word;
        l->placed = placed;
        l->program->n_steps += function->n_instructions + 1;
        place_callees(l, placed);
    }
    return placed;
}

/* ---- recursion ------------------------------------------------------------------------------- */

/* Functions that call each other in a circle, found as Tarjan does ("Depth-first search and linear graph
 * algorithms", 1972): those above `placed` on the stack when nobody in its reach was looked at before it. */
struct search {
    struct bsim_ptx_lowering *l;
    struct bsim_ptx_placed *stack;
    uint32_t n;
};

static bool calls_itself(const struct bsim_ptx_placed *placed)
{
    for (const struct bsim_ptx_edge *e = placed->calls; e != NULL; e = e->next) {
        if (e->to == placed) {
            return true;
        }
    }
    return false;
}

static void make_recursive(struct bsim_ptx_lowering *l, struct bsim_ptx_placed *placed,
                           uint32_t cycle)
{
    placed->recursive = bsim_ptx_lower_take(l, sizeof *placed->recursive);
    if (placed->recursive != NULL) {
        *placed->recursive = (struct bsim_ptx_recursive){.function = placed->function,
                                                         .place = placed->place,
                                                         .first = placed->first_word,
                                                         .n_words = placed->n_words,
                                                         .cycle = cycle};
    }
    if (placed->n_words > l->program->kept_words) {
        l->program->kept_words = placed->n_words;
    }
    l->program->doubts.recurs = true;
}

static void close_circle(struct search *search, struct bsim_ptx_placed *placed)
{
    bool is_circle = search->stack != placed || calls_itself(placed);
    struct bsim_ptx_placed *top;
    do {
        top = search->stack;
        search->stack = top->below;
        top->is_open = false;
        if (is_circle) {
            make_recursive(search->l, top, placed->number);
        }
    } while (top != placed);
}

static void find_circles(struct search *search, struct bsim_ptx_placed *placed)
{
    placed->number = placed->low = ++search->n;
    placed->is_open = true;
    placed->below = search->stack;
    search->stack = placed;
    for (const struct bsim_ptx_edge *e = placed->calls; e != NULL; e = e->next) {
        if (e->to->number == 0) {
            find_circles(search, e->to);
        }
        if (e->to->is_open && e->to->low < placed->low) {
            placed->low = e->to->low;
        }
    }
    if (placed->low == placed->number) {
        close_circle(search, placed);
    }
}

void bsim_ptx_place_functions(struct bsim_ptx_lowering *l)
{
    struct search search = {.l = l};
    struct bsim_ptx_placed *kernel = place_all(l, l->program->kernel);
    if (l->status == BSIM_OK) {
        find_circles(&search, kernel);
    }
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* What a call of the function needs, its own address left out. */
static struct bsim_ptx_callee make_callee(struct bsim_ptx_lowering *l, struct bsim_ptx_step *step,
                                          const struct bsim_ptx_placed *to, const struct call *call)
{
    const struct bsim_ptx_recursive *self = l->self->recursive;
    bool may_return = self != NULL && to->recursive != NULL && self->cycle == to->recursive->cycle;
    return (struct bsim_ptx_callee){
        .target = to->first,
        .more = find_copies(l, step, to->function, call->given, call->result),
        .recursive = to->recursive,
        .kept = may_return ? self : NULL};
}

/* call (result), %rd, (parameters), prototype: any function that it may mean. */
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
        const struct bsim_ptx_placed *to = may_call(call, f) ? bsim_ptx_find_placed(l, f) : NULL;
        if (to != NULL) {
            list[n] = make_callee(l, step, to, call);
            list[n++].address = bsim_ptx_function_address(module, f->name);
        }
    }
    step->kind = BSIM_PTX_CALL_BY_ADDRESS;
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
    const struct bsim_ptx_placed *to =
        call.function != NULL ? bsim_ptx_find_placed(l, call.function) : NULL;
    if (to == NULL) {
        bsim_ptx_lower_refuse(l, step, "a call of %s, which is not in this module",
                              is_named ? call.callee->name : "what is no function");
        return;
    }
    if (call.function->has_registers) {
        bsim_ptx_lower_refuse(l, step,
                              "%s is handed values in registers (.reg), as before PTX 2.0, which is not run "
                              "here: declare them as .param",
                              call.function->name);
        return;
    }
    struct bsim_ptx_callee *callee = bsim_ptx_lower_take(l, sizeof *callee);
    if (callee != NULL) {
        *callee = make_callee(l, step, to, &call);
    }
    step->kind = BSIM_PTX_CALL;
    step->target = to->first;
    step->callee = callee;
}
