/* code.c - instructions, blocks, and values that are found again; see code.h. */
#include "cuda/code.h"

#include "base/table.h"

struct cu_value bsim_cu_constant_of(enum cu_class class, uint64_t bits)
{
    bool is_narrow = bsim_cu_class_bytes(class) == 4;
    return (struct cu_value){
        .kind = CU_CONSTANT_VALUE, .class = class, .bits = is_narrow ? (uint32_t)bits : bits};
}

int64_t bsim_cu_as_signed(enum cu_class class, uint64_t bits)
{
    return class == CU_I32 ? (int32_t)(uint32_t)bits : (int64_t)bits;
}

double bsim_cu_as_real(const struct cu_value *value)
{
    double real;
    float single;
    if (value->class == CU_F32) {
        uint32_t bits = (uint32_t)value->bits;
        memcpy(&single, &bits, sizeof single);
        return single;
    }
    memcpy(&real, &value->bits, sizeof real);
    return real;
}

struct cu_value bsim_cu_constant_real(enum cu_class class, double real)
{
    float single = (float)real;
    uint32_t bits;
    uint64_t wide;
    memcpy(&bits, &single, sizeof bits);
    memcpy(&wide, &real, sizeof wide);
    return bsim_cu_constant_of(class, class == CU_F32 ? bits : wide);
}

struct cu_value bsim_cu_register(struct cu_code *code, enum cu_class class, enum cu_space space)
{
    uint32_t n = code->n_registers;
    if (!bsim_cu_grow(code->file, &code->class, n, sizeof *code->class) ||
        !bsim_cu_grow(code->file, &code->zeros, n, sizeof *code->zeros) ||
        !bsim_cu_grow(code->file, &code->staying, n, sizeof *code->staying) ||
        !bsim_cu_grow(code->file, &code->least, n, sizeof *code->least) ||
        !bsim_cu_grow(code->file, &code->most, n, sizeof *code->most) ||
        !bsim_cu_grow(code->file, &code->definition, n, sizeof *code->definition)) {
        return bsim_cu_constant_of(class, 0);
    }
    code->class[n] = class;
    code->zeros[n] = 0;
    code->least[n] = 0;
    code->most[n] = 0;
    code->staying[n] = (struct cu_staying){.bits = 0};
    code->definition[n] = NULL;
    code->n_registers++;
    return (struct cu_value){.kind = CU_REGISTER, .class = class, .space = space, .id = n};
}

const struct cu_instruction *bsim_cu_definition(const struct cu_code *code,
                                                const struct cu_value *value)
{
    return value->kind == CU_REGISTER ? code->definition[value->id] : NULL;
}

bool bsim_cu_same_value(const struct cu_value *a, const struct cu_value *b)
{
    return a->kind == b->kind && a->class == b->class && a->id == b->id && a->bits == b->bits &&
           a->variable == b->variable;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

uint32_t bsim_cu_new_block(struct cu_code *code)
{
    if (!bsim_cu_grow(code->file, &code->block, code->n_blocks, sizeof *code->block)) {
        return 0;
    }
    code->block[code->n_blocks] = (struct cu_code_block){.ending = CU_FALLS};
    return code->n_blocks++;
}

static const struct cu_token *place_of(struct cu_code *code)
{
    if (code->token != NULL && code->token->line > 0) {
        code->place = code->token;
    }
    return code->place;
}

void bsim_cu_go(struct cu_code *code, uint32_t block)
{
    if (code->at != CU_NO_BLOCK) {
        code->block[code->at].ending = CU_GOES;
        code->block[code->at].target[0] = block;
        code->block[code->at].token = place_of(code);
    }
    code->at = CU_NO_BLOCK;
}

void bsim_cu_branch(struct cu_code *code, struct cu_value condition, uint32_t yes, uint32_t no)
{
    if (code->at != CU_NO_BLOCK) {
        struct cu_code_block *block = &code->block[code->at];
        block->ending = CU_BRANCHES;
        block->condition = condition;
        block->target[0] = yes;
        block->target[1] = no;
        block->token = place_of(code);
        block->turn = code->turn;
    }
    code->at = CU_NO_BLOCK;
}

static struct cu_instruction *append(struct cu_code *code, const struct cu_instruction *instruction)
{
    struct cu_instruction *copy = bsim_cu_take(code->file, sizeof *copy);
    *copy = *instruction;
    copy->token = place_of(code);
    copy->is_unrolled = code->is_unrolled;
    copy->is_of_address = code->is_address;
    copy->turn = code->turn;
    copy->is_live = true;
    copy->next = NULL;
    code->n_made++;
    if (code->at == CU_NO_BLOCK || bsim_cu_failed(code->file)) {
        return copy;
    }
    struct cu_code_block *block = &code->block[code->at];
    if (block->last != NULL) {
        block->last->next = copy;
    } else {
        block->first = copy;
    }
    block->last = copy;
    return copy;
}

/* ---- values that are known ------------------------------------------------------------------- */

static uint32_t hash_of(const struct cu_instruction *instruction)
{
    uint32_t hash = bsim_table_hash_text(instruction->opcode, strlen(instruction->opcode));
    for (uint32_t i = 0; i < instruction->n_arguments; i++) {
        const struct cu_value *a = &instruction->argument[i];
        hash = bsim_table_hash(hash * UINT64_C(31) + a->bits + a->id * UINT64_C(7919) +
                               (uint64_t)(uintptr_t)a->variable);
    }
    return hash;
}

bool bsim_cu_is_one_operation(const struct cu_instruction *a, const struct cu_instruction *b)
{
    if (a->op != b->op || a->n_arguments != b->n_arguments || a->is_signed != b->is_signed ||
        strcmp(a->opcode, b->opcode) != 0) {
        return false;
    }
    for (uint32_t i = 0; i < a->n_arguments; i++) {
        if (!bsim_cu_same_value(&a->argument[i], &b->argument[i])) {
            return false;
        }
    }
    return true;
}

static const struct cu_instruction *find_known(const struct cu_code *code, uint32_t hash,
                                               const struct cu_instruction *instruction)
{
    for (uint32_t i = code->bucket[hash % CU_KNOWN_BUCKETS]; i != 0; i = code->known[i - 1].next) {
        const struct cu_known *known = &code->known[i - 1];
        if (known->hash == hash && bsim_cu_is_one_operation(known->instruction, instruction)) {
            return known->instruction;
        }
    }
    return NULL;
}

static void remember(struct cu_code *code, uint32_t hash, const struct cu_instruction *instruction)
{
    uint32_t *bucket = &code->bucket[hash % CU_KNOWN_BUCKETS];
    if (code->is_exact ||
        !bsim_cu_grow(code->file, &code->known, code->n_known, sizeof *code->known)) {
        return;
    }
    code->known[code->n_known++] = (struct cu_known){instruction, hash, *bucket};
    *bucket = code->n_known;
}

void bsim_cu_remember(struct cu_code *code, const struct cu_instruction *instruction)
{
    remember(code, hash_of(instruction), instruction);
}

void bsim_cu_forget(struct cu_code *code, uint32_t n_known)
{
    code->n_forgets++;
    while (code->n_known > n_known) {
        const struct cu_known *known = &code->known[--code->n_known];
        code->bucket[known->hash % CU_KNOWN_BUCKETS] = known->next;
    }
}

struct cu_value bsim_cu_in_register(struct cu_code *code, const struct cu_value *symbol)
{
    struct cu_value named = *symbol;
    named.space = CU_GENERIC;
    struct cu_value value =
        bsim_cu_operation(code, CU_OP_NAME, symbol->class == CU_I32 ? "mov.u32" : "mov.u64",
                          symbol->class, &named, 1);
    value.space = symbol->space;
    return value;
}

static bool takes_name(const struct cu_instruction *instruction, uint32_t argument)
{
    return instruction->op == CU_OP_NAME || (bsim_cu_accesses(instruction) && argument == 0);
}

static struct cu_instruction without_names(struct cu_code *code,
                                           const struct cu_instruction *instruction)
{
    struct cu_instruction copy = *instruction;
    for (uint32_t i = 0; i < copy.n_arguments; i++) {
        if (copy.argument[i].kind == CU_SYMBOL && !takes_name(&copy, i)) {
            copy.argument[i] = bsim_cu_in_register(code, &copy.argument[i]);
        }
    }
    return copy;
}

/* y * x is x * y, and y + x is x + y. */
static const struct cu_instruction *find_turned(const struct cu_code *code,
                                                const struct cu_instruction *instruction)
{
    struct cu_instruction turned = *instruction;
    if (turned.op != CU_OP_MUL && turned.op != CU_OP_ADD) {
        return NULL;
    }
    turned.argument[0] = instruction->argument[1];
    turned.argument[1] = instruction->argument[0];
    return find_known(code, hash_of(&turned), &turned);
}

/* A sum of signed numbers and one of unsigned ones are one, which may wrap. */
static const struct cu_instruction *find_unsigned(struct cu_code *code,
                                                  const struct cu_instruction *instruction)
{
    struct cu_instruction other = *instruction;
    if (other.op != CU_OP_ADD || other.argument[0].class >= CU_F32) {
        return NULL;
    }
    bool is_wide = other.argument[0].class == CU_I64;
    other.is_signed = !other.is_signed;
    other.opcode = other.is_signed ? (is_wide ? "add.s64" : "add.s32")
                                   : (is_wide ? "add.u64" : "add.u32");
    const struct cu_instruction *found = find_known(code, hash_of(&other), &other);
    found = found != NULL ? found : find_turned(code, &other);
    return found;
}

struct cu_value bsim_cu_value_of(struct cu_code *code, const struct cu_instruction *given,
                                 enum cu_class class)
{
    struct cu_instruction named = without_names(code, given);
    const struct cu_instruction *instruction = &named;
    uint32_t hash = hash_of(instruction);
    const struct cu_instruction *found = find_known(code, hash, instruction);
    found = found == NULL ? find_turned(code, instruction) : found;
    found = found == NULL ? find_unsigned(code, instruction) : found;
    if (found != NULL) {
        uint32_t id = found->result[0];
        return (struct cu_value){.kind = CU_REGISTER, .class = class, .id = id};
    }
    struct cu_value result = bsim_cu_register(code, class, CU_GENERIC);
    struct cu_instruction *made = append(code, instruction);
    made->n_results = 1;
    made->result[0] = result.id;
    if (result.kind == CU_REGISTER) {
        code->definition[result.id] = made;
        remember(code, hash, made);
    }
    return result;
}

struct cu_value bsim_cu_operation(struct cu_code *code, enum cu_op op, const char *opcode,
                                  enum cu_class class, const struct cu_value *argument, uint32_t n)
{
    struct cu_instruction made = {.op = op, .opcode = opcode, .n_arguments = n};
    for (uint32_t i = 0; i < n; i++) {
        made.argument[i] = argument[i];
    }
    return bsim_cu_value_of(code, &made, class);
}

/* ---- special registers ----------------------------------------------------------------------- */

static const char *const specials[CU_N_SPECIAL] = {
    "mov.u32 %tid.x",   "mov.u32 %tid.y",   "mov.u32 %tid.z",   "mov.u32 %ctaid.x",
    "mov.u32 %ctaid.y", "mov.u32 %ctaid.z", "mov.u32 %ntid.x",  "mov.u32 %ntid.y",
    "mov.u32 %ntid.z",  "mov.u32 %nctaid.x", "mov.u32 %nctaid.y", "mov.u32 %nctaid.z",
    [CU_WARP_SIZE] = "mov.u32 WARP_SZ"};

struct cu_value bsim_cu_special(struct cu_code *code, uint32_t which)
{
    return bsim_cu_operation(code, CU_OP_OTHER, specials[which], CU_I32, NULL, 0);
}

static uint32_t find_specials(const struct cu_code *code, const struct cu_value *value, uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    uint32_t found = 0;
    for (uint32_t i = 0; from != NULL && from->op == CU_OP_OTHER && i < CU_N_SPECIAL; i++) {
        found |= strcmp(from->opcode, specials[i]) == 0 ? UINT32_C(1) << i : 0;
    }
    for (uint32_t i = 0; from != NULL && depth > 0 && i < from->n_arguments; i++) {
        found |= bsim_cu_accesses(from) ? 0 : find_specials(code, &from->argument[i], depth - 1);
    }
    return found;
}

uint32_t bsim_cu_specials_of(const struct cu_code *code, const struct cu_value *value)
{
    enum { MOST_STEPS = 6 };
    return find_specials(code, value, MOST_STEPS);
}

/* ---- others ---------------------------------------------------------------------------------- */

struct cu_instruction *bsim_cu_emit(struct cu_code *code, const struct cu_instruction *instruction)
{
    struct cu_instruction named = without_names(code, instruction);
    return append(code, &named);
}

bool bsim_cu_is_harmless(const struct cu_instruction *k)
{
    const struct cu_variable *v = k->argument[0].variable;
    return k->op == CU_OP_LOAD && k->argument[0].kind == CU_SYMBOL && !v->is_extern && k->offset >= 0 &&
           (uint64_t)k->offset + k->n_results * k->type->size <= v->type->size;
}

void bsim_cu_put_last(struct cu_code_block *block, struct cu_instruction *instruction)
{
    instruction->next = NULL;
    *(block->last != NULL ? &block->last->next : &block->first) = instruction;
    block->last = instruction;
}

void bsim_cu_put_before(struct cu_code_block *block, struct cu_instruction *instruction, struct cu_instruction *other)
{
    struct cu_instruction **k = &block->first;
    while (*k != other) {
        k = &(*k)->next;
    }
    instruction->next = other;
    *k = instruction;
}

void bsim_cu_take_out(struct cu_code_block *block, struct cu_instruction *instruction)
{
    struct cu_instruction *before = NULL;
    for (struct cu_instruction *k = block->first; k != instruction; k = k->next) {
        before = k;
    }
    *(before != NULL ? &before->next : &block->first) = instruction->next;
    block->last = block->last == instruction ? before : block->last;
}

void bsim_cu_end_as(struct cu_code_block *block, const struct cu_code_block *other)
{
    block->ending = other->ending;
    block->condition = other->condition;
    block->target[0] = other->target[0];
    block->target[1] = other->target[1];
    block->token = other->token;
}

static bool is_among(const struct cu_value *value, uint32_t n, uint32_t id)
{
    bool is_it = false;
    for (uint32_t i = 0; i < n; i++) {
        is_it = is_it || (value[i].kind == CU_REGISTER && value[i].id == id);
    }
    return is_it;
}

bool bsim_cu_uses(const struct cu_instruction *k, uint32_t id)
{
    return k->is_live && (is_among(k->argument, k->n_arguments, id) || is_among(k->operand, k->n_operands, id));
}

static void count_use(uint32_t *n_uses, const struct cu_value *value)
{
    n_uses[value->kind == CU_REGISTER ? value->id : 0]++;
}

void bsim_cu_count_uses(const struct cu_code_block *block, uint32_t *n_uses)
{
    for (const struct cu_instruction *k = block->first; k != NULL; k = k->next) {
        for (uint32_t i = 0; i < k->n_arguments && k->is_live; i++) {
            count_use(n_uses, &k->argument[i]);
        }
        for (uint32_t i = 0; i < k->n_operands && k->is_live; i++) {
            count_use(n_uses, &k->operand[i]);
        }
    }
    if (block->ending == CU_BRANCHES) {
        count_use(n_uses, &block->condition);
    }
}

static void replace_in(struct cu_value *value, uint32_t n, uint32_t id, uint32_t by)
{
    for (uint32_t i = 0; i < n; i++) {
        if (value[i].kind == CU_REGISTER && value[i].id == id) {
            value[i].id = by;
        }
    }
}

void bsim_cu_replace(struct cu_code *code, const uint32_t *order, uint32_t n, uint32_t id, uint32_t by)
{
    for (uint32_t i = 0; i < n; i++) {
        struct cu_code_block *b = &code->block[order[i]];
        for (struct cu_instruction *k = b->first; k != NULL; k = k->next) {
            replace_in(k->argument, k->n_arguments, id, by);
            replace_in(k->operand, k->n_operands, id, by);
        }
        replace_in(&b->condition, b->ending == CU_BRANCHES, id, by);
    }
}

struct cu_instruction *bsim_cu_copy_in(const struct cu_code *code, uint32_t block, uint32_t id)
{
    struct cu_instruction *found = NULL;
    for (struct cu_instruction *k = code->block[block].first; k != NULL; k = k->next) {
        found = k->is_live && k->op == CU_OP_COPY && k->result[0] == id ? k : found;
    }
    return found;
}
