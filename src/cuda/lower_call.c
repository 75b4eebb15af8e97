/* lower_call.c - calls of device functions: each is inlined, as compilers do with small ones. */
#include "cuda/lower.h"

enum { MAX_CALLS = 32 };

static bool is_running(const struct cu_lowering *l, const struct cu_function *function)
{
    for (uint32_t i = 0; i < l->n_calls; i++) {
        if (l->calls[i] == function) {
            return true;
        }
    }
    return false;
}

/* The arguments' values, all before the first parameter gets its own. */
static const struct cu_value **lower_arguments(struct cu_lowering *l, const struct cu_node *node)
{
    uint32_t i = 0, n = 0;
    for (const struct cu_node *argument = node->body; argument != NULL; argument = argument->next) {
        n++;
    }
    const struct cu_value **values = bsim_cu_take_many(l->code.file, n, sizeof *values);
    for (const struct cu_node *argument = node->body; argument != NULL && values != NULL;
         argument = argument->next) {
        values[i] = bsim_cu_lower_all(l, argument, &n);
        for (uint32_t k = 0; k < n; k++) { /* nvcc takes what is handed on for what is read */
            bsim_cu_note_read(l, &values[i][k]);
        }
        i++;
    }
    return values;
}

static void set_parameters(struct cu_lowering *l, const struct cu_function *function,
                           const struct cu_value *const *values)
{
    uint32_t i = 0;
    for (struct cu_variable *v = function->parameters; v != NULL && !bsim_cu_stops(l);
         v = v->next) {
        struct cu_value address = bsim_cu_place_of(l, v);
        if (!bsim_cu_stops(l)) {
            bsim_cu_store(l, address, v->type, values[i++]);
        }
    }
}

/* The body's statements, to a join where all returns meet. */
static void run_body(struct cu_lowering *l, const struct cu_function *function)
{
    struct cu_join end, *on_break = l->on_break, *on_continue = l->on_continue;
    struct cu_join *on_return = l->on_return;
    bsim_cu_open(l, &end);
    l->on_return = &end;
    l->on_break = l->on_continue = NULL;
    bsim_cu_lower_statement(l, function->body);
    bsim_cu_arrive(l, &end);
    bsim_cu_close(l, &end);
    l->on_return = on_return;
    l->on_break = on_break;
    l->on_continue = on_continue;
}

const struct cu_value *bsim_cu_lower_call(struct cu_lowering *l, const struct cu_node *node,
                                          uint32_t *n)
{
    static const struct cu_value none;
    struct cu_function *function = node->function;
    uint32_t outer_slot = l->result_slot;
    bool outer_result = l->has_result;
    *n = 0;
    if (function->body == NULL || is_running(l, function) || l->n_calls == MAX_CALLS) {
        bsim_cu_fail(l->code.file, node->token,
                     function->body == NULL ? "'%s' has no body in this file"
                                            : "'%s' calls itself, which is not read here",
                     function->name);
        return &none;
    }
    const struct cu_value **values = lower_arguments(l, node);
    if (!bsim_cu_is_reached(l)) {
        return &none;
    }
    l->calls[l->n_calls++] = function;
    const struct cu_token *place = node->token->line > 0 ? node->token : l->code.place;
    l->code.place = place;
    struct cu_value result = {.kind = CU_NOTHING};
    l->has_result = function->result->kind != CU_VOID;
    const struct cu_type *type = node->type;
    if (l->has_result) {
        result = bsim_cu_new_slot(l, NULL, type);
        l->result_slot = result.id;
    }
    set_parameters(l, function, values);
    run_body(l, function);
    l->n_calls--;
    l->code.place = node->token->line == 0 ? place : l->code.place; /* prelude.c's is its caller's */
    struct cu_value *value = NULL;
    if (l->has_result && bsim_cu_is_reached(l)) {
        value = bsim_cu_room_for(l, type, n);
        bsim_cu_load(l, result, type, NULL, value);
    }
    l->has_result = outer_result;
    l->result_slot = outer_slot;
    return value != NULL ? value : &none;
}
