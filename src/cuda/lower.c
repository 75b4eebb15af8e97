/* lower.c - a kernel: its parameters, its body, again and again until it is known which variables need
 * memory.
 */
#include "cuda/lower.h"

#include "cuda/compile.h"

static void add_parameter(struct cu_lowering *l, struct cu_value base, uint64_t offset,
                          const struct cu_type *type, bool is_whole, struct cu_value *value)
{
    struct cu_instruction load = {.op = CU_OP_LOAD,
                                  .n_arguments = 1,
                                  .argument = {base},
                                  .n_results = 1,
                                  .offset = (int64_t)offset};
    bool is_pointer = type->kind == CU_POINTER;
    load.opcode = bsim_cu_text(l->code.file, "ld.param.%s", bsim_cu_word(type));
    *value = bsim_cu_register(&l->code, bsim_cu_class_of(type), CU_GENERIC);
    load.result[0] = value->id;
    l->code.definition[value->id] = bsim_cu_emit(&l->code, &load);
    if (is_pointer) {
        *value = bsim_cu_operation(&l->code, CU_OP_OTHER, "cvta.to.global.u64", CU_I64, value, 1);
        value->space =
            is_whole && type->is_restrict && type->of->is_const ? CU_READ_ONLY : CU_GLOBAL;
    }
}

/* What the host hands in leads into global memory. */
static void lower_parameter(struct cu_lowering *l, struct cu_variable *variable)
{
    uint32_t n;
    const struct cu_scalar *scalar = bsim_cu_scalars(l, variable->type, &n);
    struct cu_value *value = bsim_cu_take_many(l->code.file, n, sizeof *value);
    struct cu_value base = {
        .kind = CU_SYMBOL, .class = CU_I64, .space = CU_PARAM, .variable = variable};
    if (n == 0 && variable->type->members != NULL) {
        bsim_cu_fail(l->code.file, variable->token, "a parameter of this size is not read here");
    }
    for (uint32_t i = 0; i < n && !bsim_cu_failed(l->code.file); i++) {
        add_parameter(l, base, scalar[i].offset, scalar[i].type, n == 1, &value[i]);
    }
    if (bsim_cu_failed(l->code.file)) {
        return;
    }
    bsim_cu_store(l, bsim_cu_place_of(l, variable), variable->type, value);
}

static void lower_kernel(struct cu_lowering *l)
{
    struct cu_join end;
    (void)bsim_cu_register(&l->code, CU_I32, CU_GENERIC); /* 0 is none */
    l->code.at = bsim_cu_new_block(&l->code);
    bsim_cu_open(l, &end);
    l->on_return = &end;
    l->calls[l->n_calls++] = l->kernel;
    l->code.token = l->kernel->token;
    for (struct cu_variable *v = l->module->variables; v != NULL; v = v->next) {
        v->stored = 0;
    }
    for (struct cu_variable *v = l->kernel->parameters; v != NULL && !bsim_cu_stops(l);
         v = v->next) {
        v->stored = 0;
        lower_parameter(l, v);
    }
    bsim_cu_lower_statement(l, l->kernel->body);
    bsim_cu_arrive(l, &end);
    bsim_cu_close(l, &end);
    if (l->code.at != CU_NO_BLOCK) {
        l->code.block[l->code.at].ending = CU_RETURNS;
    }
}

void bsim_cu_compile(struct cu_module *module, struct cu_function *kernel, struct bsim_buffer *out)
{
    struct cu_lowering *l;
    for (struct cu_variable *v = module->variables; v != NULL; v = v->next) {
        v->is_read = false;
    }
    do {
        struct cu_lowering empty = {.module = module, .kernel = kernel};
        l = bsim_cu_take_many(module->file, 1, sizeof *l);
        if (l == NULL) {
            return;
        }
        *l = empty;
        l->code.file = module->file;
        kernel->turns = kernel->ways = NULL;
        lower_kernel(l);
    } while (l->is_again && !bsim_cu_failed(module->file));
    if (!bsim_cu_failed(module->file)) {
        bsim_cu_print(l, out);
    }
}
