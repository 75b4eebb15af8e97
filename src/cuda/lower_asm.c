/* lower_asm.c - asm: its text is PTX's already, its operands are registers.
 *
 * As nvcc has it, what a text does to memory is of weight if it says so ("memory").
 */
#include "cuda/lower.h"

/* The class that a constraint wants: its last letter. */
static enum cu_class class_of(const char *constraint)
{
    switch (constraint[strlen(constraint) - 1]) {
    case 'l':
        return CU_I64;
    case 'f':
        return CU_F32;
    case 'd':
        return CU_F64;
    default:
        return CU_I32;
    }
}

/* The value in a register of that class, of an integer or the same bits. */
static struct cu_value fit(struct cu_lowering *l, const struct cu_node *node,
                           const char *constraint)
{
    const struct cu_type *type = node->type;
    enum cu_class class = class_of(constraint);
    struct cu_value value = bsim_cu_as_cell(l, type, bsim_cu_lower(l, node));
    if (value.kind == CU_CELLS) {
        bsim_cu_needs_memory(l, &value);
        return bsim_cu_constant_of(class, 0);
    }
    if (type->kind == CU_POINTER) {
        value = bsim_cu_generic(&l->code, value);
    }
    bool is_whole = bsim_cu_is_integer(type) || type->kind == CU_POINTER;
    bool wants_whole = class == CU_I32 || class == CU_I64;
    if (is_whole != wants_whole || (!is_whole && value.class != class)) {
        bsim_cu_fail(l->code.file, node->token, "this is no operand of the kind \"%s\"",
                     constraint);
        return bsim_cu_constant_of(class, 0);
    }
    value = is_whole ? bsim_cu_resized(&l->code, value, bsim_cu_is_signed(type), class) : value;
    return value.kind == CU_SYMBOL ? bsim_cu_in_register(&l->code, &value) : value;
}

/* A register for a result, with the value that it has before where the text reads it. */
static struct cu_value result_of(struct cu_lowering *l, const struct cu_node *operand)
{
    struct cu_value value = {.kind = CU_NOTHING};
    if (operand->text[0] == '+') {
        value = fit(l, operand->left, operand->text);
    }
    struct cu_value target = bsim_cu_register(&l->code, class_of(operand->text), CU_GENERIC);
    bsim_cu_set(l, target, value);
    return target;
}

/* What came out goes to the object, as its type. */
static void take_result(struct cu_lowering *l, const struct cu_node *operand, struct cu_value value)
{
    const struct cu_type *type = operand->left->type;
    struct cu_value address = bsim_cu_address_of(l, operand->left);
    enum cu_class class = type->kind <= CU_POINTER ? bsim_cu_class_of(type) : CU_I32;
    bool is_good = type->kind <= CU_DOUBLE && type->size >= 4 &&
                   bsim_cu_class_bytes(class) == bsim_cu_class_bytes(value.class);
    if (!is_good && !bsim_cu_stops(l)) {
        bsim_cu_fail(l->code.file, operand->token, "a result of asm has the size of its register");
    }
    value = bsim_cu_as_class(&l->code, value, class);
    if (!bsim_cu_stops(l)) {
        bsim_cu_store(l, address, type, &value);
    }
}

void bsim_cu_lower_asm(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_instruction made = {.op = CU_OP_ASM, .opcode = node->text};
    for (const struct cu_node *o = node->body; o != NULL; o = o->next) {
        made.n_results++;
    }
    uint32_t n = made.n_results;
    for (const struct cu_node *o = node->third; o != NULL; o = o->next) {
        n++;
    }
    /* As C has it: with results alone, what nobody reads is left out. */
    made.has_effect = node->number != 0 || node->is_default || made.n_results == 0 ||
                      made.n_results > CU_MAX_RESULTS;
    made.n_set = made.has_effect ? made.n_results : 0;
    made.n_results = made.has_effect ? 0 : made.n_results;
    made.operand = bsim_cu_take_many(l->code.file, n, sizeof *made.operand);
    for (const struct cu_node *o = node->body; o != NULL && !bsim_cu_stops(l); o = o->next) {
        made.operand[made.n_operands] = result_of(l, o);
        if (made.n_operands < made.n_results) {
            made.result[made.n_operands] = made.operand[made.n_operands].id;
        }
        made.n_operands++;
    }
    for (const struct cu_node *o = node->third; o != NULL && !bsim_cu_stops(l); o = o->next) {
        made.operand[made.n_operands++] = fit(l, o->left, o->text);
    }
    if (bsim_cu_stops(l)) {
        return;
    }
    l->code.token = node->token;
    (void)bsim_cu_emit(&l->code, &made);
    n = 0;
    for (const struct cu_node *o = node->body; o != NULL && !bsim_cu_stops(l); o = o->next) {
        take_result(l, o, made.operand[n++]);
    }
    if (made.has_effect) { /* asm volatile may do anything, as nvcc has it */
        bsim_cu_forget_memory(l);
    }
}
