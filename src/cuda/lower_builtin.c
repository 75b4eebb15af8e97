/* lower_builtin.c - calls of what CUDA has built in (builtin.c), as instructions. */
#include "cuda/builtin.h"
#include "cuda/lower.h"

enum { MAX_ARGUMENTS = 6 };

struct built {
    struct cu_lowering *l;
    const struct cu_node *node;
    const struct cu_builtin *row;
    struct cu_value argument[MAX_ARGUMENTS];
    uint32_t n;
};

static enum cu_class class_of(const struct cu_type *type)
{
    return type->kind == CU_BOOL ? CU_P : bsim_cu_class_of(type);
}

static struct cu_value none(void)
{
    return bsim_cu_constant_of(CU_I32, 0);
}

/* An instruction of its own each time. To nvcc, whose headers have them as asm volatile, or as what may do anything,
 * memory may be another behind it: clocks, shuffles, votes, __dp4a, __funnelshift_r. */
static struct cu_value emit(struct built *b, const char *opcode, const struct cu_value *argument,
                            uint32_t n, enum cu_class class)
{
    struct cu_code *code = &b->l->code;
    struct cu_instruction made = {
        .op = CU_OP_OTHER, .opcode = opcode, .n_arguments = n, .has_effect = true};
    struct cu_value result = bsim_cu_register(code, class, CU_GENERIC);
    for (uint32_t i = 0; i < n; i++) {
        made.argument[i] = argument[i];
    }
    made.n_results = 1;
    made.result[0] = result.id;
    (void)bsim_cu_emit(code, &made);
    bsim_cu_forget_memory(b->l);
    return result;
}

static struct cu_value pure(struct built *b, const char *opcode, const struct cu_value *argument,
                            uint32_t n, enum cu_class class)
{
    return bsim_cu_operation(&b->l->code, CU_OP_OTHER, opcode, class, argument, n);
}

static struct cu_value instruction(struct built *b)
{
    return pure(b, b->row->opcode, b->argument, b->n, class_of(b->node->type));
}

/* a;b c: b of a of the argument, c a further operand. */
static struct cu_value chain(struct built *b)
{
    const char *p = b->row->opcode;
    struct cu_value value = b->argument[0];
    while (*p != '\0') {
        size_t length = strcspn(p, ";");
        const char *opcode = bsim_cu_text(b->l->code.file, "%.*s", (int)length, p);
        value = pure(b, opcode, &value, 1, class_of(b->node->type));
        p += length + (p[length] == ';');
    }
    return value;
}

static struct cu_value barrier(struct built *b)
{
    struct cu_instruction made = {
        .op = CU_OP_OTHER, .opcode = b->row->opcode, .n_arguments = b->n, .has_effect = true};
    for (uint32_t i = 0; i < b->n; i++) {
        made.argument[i] = b->argument[i];
    }
    (void)bsim_cu_emit(&b->l->code, &made);
    bsim_cu_forget_memory(b->l);
    return none();
}

/* ---- atomics --------------------------------------------------------------------------------- */

static const char *atomic_type(const char *operation, const struct cu_type *type)
{
    bool is_bits = strcmp(operation, "and") == 0 || strcmp(operation, "or") == 0 ||
                   strcmp(operation, "xor") == 0 || strcmp(operation, "exch") == 0 ||
                   strcmp(operation, "cas") == 0;
    bool is_ordered = strcmp(operation, "min") == 0 || strcmp(operation, "max") == 0;
    if (is_bits) {
        return type->size == 8 ? "b64" : "b32";
    }
    if (bsim_cu_is_floating(type)) {
        return type->size == 8 ? "f64" : "f32";
    }
    if (is_ordered && bsim_cu_is_signed(type)) {
        return type->size == 8 ? "s64" : "s32";
    }
    return type->size == 8 ? "u64" : "u32";
}

static struct cu_value atomic(struct built *b)
{
    struct cu_lowering *l = b->l;
    const struct cu_type *type = b->node->body->type->of;
    const char *operation = b->row->opcode;
    struct cu_value address = b->argument[0];
    if (address.kind == CU_CELLS) {
        bsim_cu_needs_memory(l, &address);
        return none();
    }
    struct cu_instruction made = {
        .op = CU_OP_ATOMIC, .n_arguments = b->n, .n_results = 1, .has_effect = true};
    bool subtracts = strcmp(operation, "sub") == 0;
    static const char *const spaces[] = {"", ".global", ".global", ".shared", "", "", ""};
    const char *name = subtracts ? "add" : operation;
    made.opcode = bsim_cu_text(l->code.file, "atom%s.%s.%s", spaces[address.space], name,
                               atomic_type(name, type));
    made.argument[0] = bsim_cu_base_of(&l->code, address, &made.offset);
    for (uint32_t i = 1; i < b->n; i++) {
        made.argument[i] = subtracts ? bsim_cu_negated(&l->code, b->argument[i]) : b->argument[i];
    }
    struct cu_value result = bsim_cu_register(&l->code, class_of(b->node->type), CU_GENERIC);
    made.result[0] = result.id;
    bsim_cu_forget_written(l, address, type->size);
    l->unread = NULL;
    (void)bsim_cu_emit(&l->code, &made);
    return result;
}

/* ---- warps ----------------------------------------------------------------------------------- */

/* The bounds of the segment, and the lanes that hold the segment's number: PTX's operand c. */
static struct cu_value segment(struct built *b)
{
    struct cu_code *code = &b->l->code;
    bool is_up = strcmp(b->row->opcode, "up") == 0;
    struct cu_value width = b->n == 4 ? b->argument[3] : bsim_cu_constant_of(CU_I32, 32);
    struct cu_value mask =
        bsim_cu_compute(code, CU_OP_SUB, true, bsim_cu_constant_of(CU_I32, 32), width);
    mask = bsim_cu_compute(code, CU_OP_SHL, false, mask, bsim_cu_constant_of(CU_I32, 8));
    return is_up ? mask
                 : bsim_cu_compute(code, CU_OP_OR, false, mask, bsim_cu_constant_of(CU_I32, 31));
}

static struct cu_value shuffle_32(struct built *b, struct cu_value value)
{
    const char *opcode = bsim_cu_text(b->l->code.file, "shfl.sync.%s.b32", b->row->opcode);
    struct cu_value arguments[] = {value, b->argument[2], segment(b), b->argument[0]};
    return emit(b, opcode, arguments, 4, CU_I32);
}

/* 64 bits are exchanged in halves. */
static struct cu_value shuffle(struct built *b)
{
    struct cu_code *code = &b->l->code;
    enum cu_class class = class_of(b->node->type);
    struct cu_value value = b->argument[1];
    if (bsim_cu_class_bytes(class) == 4) {
        value = bsim_cu_as_class(code, value, CU_I32);
        return bsim_cu_as_class(code, shuffle_32(b, value), class);
    }
    value = bsim_cu_as_class(code, value, CU_I64);
    struct cu_value low = bsim_cu_resized(code, value, false, CU_I32);
    struct cu_value high =
        bsim_cu_compute(code, CU_OP_SHR, false, value, bsim_cu_constant_of(CU_I32, 32));
    low = shuffle_32(b, low);
    high = shuffle_32(b, bsim_cu_resized(code, high, false, CU_I32));
    high = bsim_cu_compute(code, CU_OP_SHL, false, bsim_cu_resized(code, high, false, CU_I64),
                           bsim_cu_constant_of(CU_I32, 32));
    value = bsim_cu_compute(code, CU_OP_OR, false, high, bsim_cu_resized(code, low, false, CU_I64));
    return bsim_cu_as_class(code, value, class);
}

static struct cu_value as_predicate(struct built *b, struct cu_value value)
{
    return bsim_cu_compare(&b->l->code, CU_UNEQUAL, true, value, bsim_cu_constant_of(CU_I32, 0));
}

/* A predicate that is a constant is put into a register, as these instructions want. */
static struct cu_value in_register(struct built *b, struct cu_value value)
{
    if (value.kind != CU_CONSTANT_VALUE) {
        return value;
    }
    struct cu_value arguments[] = {bsim_cu_constant_of(CU_I32, value.bits),
                                   bsim_cu_constant_of(CU_I32, 0)};
    return pure(b, "setp.ne.s32", arguments, 2, CU_P);
}

static struct cu_value vote(struct built *b)
{
    struct cu_value arguments[] = {in_register(b, as_predicate(b, b->argument[1])), b->argument[0]};
    bool is_ballot = b->node->type->kind == CU_UINT;
    struct cu_value value = emit(b, b->row->opcode, arguments, 2, is_ballot ? CU_I32 : CU_P);
    return bsim_cu_as_cell(b->l, bsim_cu_scalar(CU_BOOL), value);
}

/* __syncthreads_count and its kin. */
static struct cu_value barrier_vote(struct built *b)
{
    struct cu_value predicate = in_register(b, as_predicate(b, b->argument[0]));
    bool counts = strcmp(b->row->opcode, "popc") == 0;
    struct cu_value arguments[] = {bsim_cu_constant_of(CU_I32, 0), predicate};
    const char *opcode =
        bsim_cu_text(b->l->code.file, "bar.red.%s.%s", b->row->opcode, counts ? "u32" : "pred");
    struct cu_value value = emit(b, opcode, arguments, 2, counts ? CU_I32 : CU_P);
    return bsim_cu_as_cell(b->l, bsim_cu_scalar(CU_BOOL), value);
}

/* ---- the rest -------------------------------------------------------------------------------- */

/* Of a struct all scalars. Generic addresses have no such cache, as far as PTX goes: it is the global one that
 * is meant. */
const struct cu_value *bsim_cu_lower_cached(struct cu_lowering *l, const struct cu_node *node,
                                            uint32_t *n)
{
    const char *cache = bsim_cu_builtin(node->number)->opcode;
    struct cu_value address = bsim_cu_lower(l, node->body);
    struct cu_value *value = bsim_cu_room_for(l, node->type, n);
    *n = bsim_cu_stops(l) ? 0 : *n;
    l->code.token = node->token;
    if (address.space == CU_GENERIC) {
        struct cu_value generic = address;
        address =
            bsim_cu_operation(&l->code, CU_OP_OTHER, "cvta.to.global.u64", CU_I64, &generic, 1);
        address.space = CU_GLOBAL;
    }
    if (*n > 0) {
        bsim_cu_load(l, address, node->type, cache, value);
        bsim_cu_forget_memory(l); /* nvcc's headers have it as asm volatile */
    }
    return value;
}

/* The number of the lowest bit that is set, from 1 on; 0 if none is. */
static struct cu_value find_first(struct built *b)
{
    struct cu_code *code = &b->l->code;
    struct cu_value a = b->argument[0];
    struct cu_value lowest = bsim_cu_compute(code, CU_OP_AND, false, a, bsim_cu_negated(code, a));
    struct cu_value zeros = pure(b, "clz.b32", &lowest, 1, CU_I32);
    return bsim_cu_compute(code, CU_OP_SUB, true, bsim_cu_constant_of(CU_I32, 32), zeros);
}

static struct cu_value calculated(struct built *b)
{
    const char *what = b->row->opcode;
    if (strcmp(what, "ffs") == 0) {
        return find_first(b);
    }
    if (strcmp(what, "mathematics") == 0) {
        b->l->kernel->has_mathematics = true;
        return none();
    }
    if (strcmp(what, "same") == 0) {
        return b->argument[0];
    }
    if (strcmp(what, "clock") == 0) {
        struct cu_value clock = emit(b, "mov.u32 %clock", NULL, 0, CU_I32);
        return bsim_cu_resized(&b->l->code, clock, true, CU_I64);
    }
    if (strcmp(what, "nan") == 0) {
        struct cu_value both[] = {b->argument[0], b->argument[0]};
        return pure(b, both[0].class == CU_F32 ? "setp.nan.f32" : "setp.nan.f64", both, 2, CU_P);
    }
    if (strcmp(what, "cvta") == 0) {
        struct cu_value address = b->argument[0];
        if (address.space == CU_SHARED_SPACE) {
            address.space = CU_GENERIC;
            return bsim_cu_resized(&b->l->code, address, false, CU_I64);
        }
        return pure(b, "cvta.to.shared.u64", &address, 1, CU_I64);
    }
    if (strncmp(what, "redux", 5) == 0) {
        struct cu_value arguments[] = {b->argument[1], b->argument[0]};
        return emit(b, what, arguments, 2, CU_I32);
    }
    return barrier_vote(b);
}

struct cu_value bsim_cu_lower_builtin(struct cu_lowering *l, const struct cu_node *node)
{
    struct built b = {.l = l, .node = node, .row = bsim_cu_builtin(node->number)};
    if (b.row->kind == CU_LOAD) {
        const struct cu_value *value = bsim_cu_lower_cached(l, node, &b.n);
        return b.n == 1 ? value[0] : none();
    }
    for (const struct cu_node *n = node->body; n != NULL && b.n < MAX_ARGUMENTS; n = n->next) {
        b.argument[b.n++] = bsim_cu_as_cell(l, n->type, bsim_cu_lower(l, n));
    }
    l->code.token = node->token;
    if (!bsim_cu_is_reached(l)) {
        return none();
    }
    switch (b.row->kind) {
    case CU_INSTRUCTION:
        return instruction(&b);
    case CU_EACH_TIME:
        return emit(&b, b.row->opcode, b.argument, b.n, class_of(node->type));
    case CU_CHAIN:
        return chain(&b);
    case CU_BARRIER:
        return barrier(&b);
    case CU_ATOMIC:
        return atomic(&b);
    case CU_SHUFFLE:
        return shuffle(&b);
    case CU_VOTE:
        return vote(&b);
    default:
        return calculated(&b);
    }
}
