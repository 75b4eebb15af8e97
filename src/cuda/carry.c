/* carry.c - what was loaded on both ways to a loop's turn, at an address that is another one on each, is not loaded again.
 *
 *     while (s[i] < n) {             x = s[i];
 *         v += s[i];           ->    if (x < n)
 *         i++;                           do {
 *     }                                      v += x, i++;
 *                                            x = s[i];
 *                                        } while (x < n);
 *
 * The loop's condition has loaded s[i], in front of the loop and at the end of each turn, where i is what the next turn has.
 * So nvcc has it (GVN, with addresses as each way has them); what the turn's end alone has loaded is loaded in front, too,
 * if no bits are taken of what a turn counts.
 */
#include "cuda/lower.h"

enum { MOST_DEEP = 8, MOST_LOOKED_AT = 200 };

struct carries {
    struct cu_lowering *l;
    struct cu_code *code;
    const uint32_t *order;
    uint32_t n;
    struct cu_flow flow;
    uint32_t (*from)[2]; /* of each block that two ways lead to: where they come from */
    uint32_t *home;      /* of each register: the block that makes it */
    uint32_t n_registers;
    uint32_t block; /* the one at hand */
    /* what the address at hand is made of that the turn's end gives to the next: */
    struct cu_value next[MOST_DEEP];
    uint32_t n_next;
    bool has_bits; /* it takes some bits of these: s[i & 7], which LLVM does not follow from one turn to the next */
};

static void find_ways(struct carries *s)
{
    uint32_t *n = bsim_cu_take_many(s->code->file, s->code->n_blocks, sizeof *n);
    s->from = bsim_cu_take_many(s->code->file, s->code->n_blocks, sizeof *s->from);
    s->home = bsim_cu_take_many(s->code->file, s->code->n_registers, sizeof *s->home);
    s->n_registers = s->code->n_registers;
    for (uint32_t i = 0; i < s->n && !bsim_cu_failed(s->code->file); i++) {
        const struct cu_code_block *b = &s->code->block[s->order[i]];
        for (uint32_t k = 0; k < bsim_cu_targets_of(b); k++) {
            uint32_t to = b->target[k];
            s->from[to][n[to] < 2 ? n[to]++ : 1] = s->order[i];
        }
        for (const struct cu_instruction *k = b->first; k != NULL; k = k->next) {
            for (uint32_t r = 0; r < k->n_results; r++) {
                s->home[k->result[r]] = s->order[i];
            }
        }
    }
}

/* ---- addresses ------------------------------------------------------------------------------- */

static bool has_constant(const struct cu_instruction *k, enum cu_op op, int64_t *constant)
{
    bool is_it = k != NULL && k->op == op && k->argument[1].kind == CU_CONSTANT_VALUE;
    *constant = is_it ? bsim_cu_as_signed(k->argument[1].class, k->argument[1].bits) : 0;
    return is_it;
}

/* The variable's address that the value is by name; NULL: it is none. */
static const struct cu_value *by_name(const struct carries *s, const struct cu_value *value)
{
    const struct cu_instruction *from = bsim_cu_definition(s->code, value);
    const struct cu_value *name = from != NULL && from->op == CU_OP_NAME ? &from->argument[0] : value;
    return name->kind == CU_SYMBOL ? name : NULL;
}

/* By how much the one value is more than the other: a number, or it is not known. */
static bool find_distance(const struct carries *s, const struct cu_value *a, const struct cu_value *b, uint32_t depth,
                          int64_t *distance)
{
    const struct cu_instruction *x = bsim_cu_definition(s->code, a), *y = bsim_cu_definition(s->code, b);
    int64_t constant, second;
    *distance = 0;
    if (bsim_cu_same_value(a, b) || depth == 0) {
        return depth > 0;
    }
    const struct cu_value *first = by_name(s, a), *other = by_name(s, b);
    if (first != NULL && other != NULL && first->variable == other->variable) {
        *distance = (int64_t)(first->bits - other->bits);
        return true;
    }
    if (a->kind == CU_CONSTANT_VALUE && b->kind == CU_CONSTANT_VALUE && a->class == b->class) {
        *distance = bsim_cu_as_signed(a->class, a->bits) - bsim_cu_as_signed(b->class, b->bits);
        return true;
    }
    if (has_constant(x, CU_OP_ADD, &constant)) {
        bool is_known = find_distance(s, &x->argument[0], b, depth - 1, distance);
        *distance += constant;
        return is_known;
    }
    if (has_constant(y, CU_OP_ADD, &constant)) {
        bool is_known = find_distance(s, a, &y->argument[0], depth - 1, distance);
        *distance -= constant;
        return is_known;
    }
    if (x == NULL || y == NULL || x->op != y->op || strcmp(x->opcode, y->opcode) != 0 || x->n_arguments == 0 ||
        x->n_arguments != y->n_arguments || x->op == CU_OP_LOAD || x->has_effect || x->op == CU_OP_COPY) {
        return false;
    }
    bool is_known = find_distance(s, &x->argument[0], &y->argument[0], depth - 1, distance);
    bool scales = has_constant(x, CU_OP_SHL, &constant) || has_constant(x, CU_OP_MUL, &constant) ||
                  has_constant(x, CU_OP_WIDE, &constant);
    constant = x->op == CU_OP_SHL ? (int64_t)1 << (constant & 31) : constant;
    for (uint32_t i = 1; i < x->n_arguments && is_known; i++) {
        is_known = find_distance(s, &x->argument[i], &y->argument[i], depth - 1, &second);
        is_known = is_known && (second == 0 || x->op == CU_OP_ADD);
        *distance += second;
    }
    *distance *= scales ? constant : 1;
    return is_known && (*distance == 0 || scales || x->op == CU_OP_ADD);
}

/* The address at the end of that way; false: it takes more than arithmetic of what is there. */
static bool translate(struct carries *s, uint32_t way, struct cu_value *value, uint32_t depth)
{
    const struct cu_instruction *copy =
        value->kind == CU_REGISTER ? bsim_cu_copy_in(s->code, way, value->id) : NULL;
    const struct cu_instruction *from = bsim_cu_definition(s->code, value);
    if (copy != NULL) {
        *value = copy->argument[0];
        if (s->n_next < MOST_DEEP) {
            s->next[s->n_next++] = *value;
        }
        return true;
    }
    bool is_there = value->kind != CU_REGISTER || value->id >= s->n_registers ||
                    s->flow.place[s->home[value->id]] < s->flow.place[s->block];
    if (is_there || from == NULL || depth == 0 || from->op > CU_OP_WIDE || from->op == CU_OP_COMPARE) {
        return is_there;
    }
    struct cu_instruction made = *from;
    s->has_bits = s->has_bits || from->op == CU_OP_DIV || from->op == CU_OP_REM ||
                  (from->op >= CU_OP_AND && from->op <= CU_OP_SHR && from->op != CU_OP_SHL);
    for (uint32_t i = 0; i < made.n_arguments; i++) {
        if (!translate(s, way, &made.argument[i], depth - 1)) {
            return false;
        }
    }
    enum cu_space space = value->space;
    s->code->at = way;
    *value = made.op <= CU_OP_SHR ? bsim_cu_compute(s->code, made.op, made.is_signed, made.argument[0], made.argument[1])
                                  : bsim_cu_value_of(s->code, &made, value->class);
    value->space = space;
    return true;
}

/* ---- what was loaded ------------------------------------------------------------------------- */

static bool is_load(const struct cu_instruction *k)
{
    return k->is_live && k->op == CU_OP_LOAD && !k->has_effect && k->n_results == 1 && k->type != NULL && !k->type->is_volatile &&
           k->argument[0].space != CU_PARAM;
}

/* Whether the value is there before the instruction, in blocks' order. */
static bool is_before(const struct carries *s, const struct cu_value *value, const struct cu_instruction *k)
{
    const struct cu_instruction *from = bsim_cu_definition(s->code, value);
    if (from == NULL || value->id >= s->n_registers || k->result[0] >= s->n_registers) {
        return true;
    }
    uint32_t block = s->home[value->id], there = s->home[k->result[0]];
    while (block == there && from != NULL && from != k) {
        from = from->next;
    }
    return block == there ? from == k : s->flow.place[block] < s->flow.place[there];
}

/* Whether it has an address that is made of what the next turn has: s[++i], not s[t + i + 1], in which nvcc does not see that. */
static bool is_of_next(const struct carries *s, const struct cu_instruction *k)
{
    bool is_it = true;
    for (uint32_t i = 0; i < s->n_next && is_it; i++) {
        is_it = is_before(s, &s->next[i], k);
    }
    return is_it;
}

/* Whether it loads what the load would at that address. */
static bool loads_that(const struct carries *s, const struct cu_instruction *k, const struct cu_instruction *load,
                       const struct cu_value *address)
{
    int64_t distance;
    return is_load(k) && strcmp(k->opcode, load->opcode) == 0 && is_of_next(s, k) &&
           find_distance(s, address, &k->argument[0], MOST_DEEP, &distance) && distance + load->offset == k->offset;
}

/* Whether a block between both, in their order, may change what is loaded. */
static bool changes_between(const struct carries *s, uint32_t above, uint32_t block, const struct cu_instruction *load)
{
    for (uint32_t i = s->flow.place[above] + 1; i < s->flow.place[block]; i++) {
        for (const struct cu_instruction *k = s->code->block[s->order[i]].first; k != NULL; k = k->next) {
            if (bsim_cu_changes(s->l, k, load)) {
                return true;
            }
        }
    }
    return false;
}

/* What loaded that last, on that way; NULL: nothing did, or it may have changed since. */
static const struct cu_instruction *loaded_on(const struct carries *s, uint32_t way, const struct cu_instruction *load,
                                              const struct cu_value *address)
{
    uint32_t block = way;
    struct cu_instruction there = *load;
    there.argument[0] = *address;
    for (uint32_t i = 0; i < MOST_DEEP; i++) {
        const struct cu_instruction *found = NULL;
        bool is_changed = false;
        for (const struct cu_instruction *k = s->code->block[block].first; k != NULL; k = k->next) {
            bool changes = bsim_cu_changes(s->l, k, &there);
            is_changed = is_changed || changes;
            found = loads_that(s, k, load, address) ? k : changes ? NULL : found;
        }
        uint32_t above = s->flow.above[block];
        if (found != NULL || is_changed || block == s->block || above == block ||
            changes_between(s, above, block, &there)) {
            return found;
        }
        block = above;
    }
    return NULL;
}

/* ---- carrying -------------------------------------------------------------------------------- */

/* The register gets what was loaded, before the block's copies give others the next turn's values. */
static void copy_at(struct carries *s, uint32_t way, struct cu_value target, const struct cu_instruction *loaded)
{
    struct cu_code_block *b = &s->code->block[way];
    struct cu_value value = target;
    value.id = loaded->result[0];
    s->code->at = way;
    bsim_cu_set(s->l, target, value);
    struct cu_instruction *copy = b->last, *first = b->first, *before = NULL;
    for (; first != copy && (first->op != CU_OP_COPY || !first->is_live); first = first->next) {
        before = first;
    }
    bool is_carried = bsim_cu_definition(s->code, &value) == NULL; /* by a copy of its own */
    if (first != copy && is_carried) {
        bsim_cu_take_out(b, copy);
        copy->next = first;
        *(before != NULL ? &before->next : &b->first) = copy;
    }
}

/* Loads it at the end of that way, which has not; NULL: it is a turn's end, or leads elsewhere, too. */
static const struct cu_instruction *load_on(struct carries *s, uint32_t way, const struct cu_instruction *load,
                                            struct cu_value address)
{
    if (s->code->block[way].ending != CU_GOES || s->flow.place[way] >= s->flow.place[s->block]) {
        return NULL;
    }
    struct cu_instruction made = *load;
    made.argument[0] = address;
    made.result[0] = bsim_cu_register(s->code, s->code->class[load->result[0]], CU_GENERIC).id;
    s->code->at = way;
    s->code->token = load->token;
    struct cu_instruction *emitted = bsim_cu_emit(s->code, &made);
    s->code->definition[made.result[0]] = emitted;
    return emitted;
}

static void look_at(struct carries *s, struct cu_instruction *load)
{
    const uint32_t *from = s->from[s->block];
    const struct cu_instruction *there[2];
    s->has_bits = false;
    struct cu_value address[2] = {load->argument[0], load->argument[0]};
    for (uint32_t i = 0; i < 2; i++) {
        s->n_next = 0;
        if (!translate(s, from[i], &address[i], MOST_DEEP)) {
            return;
        }
        there[i] = loaded_on(s, from[i], load, &address[i]);
    }
    for (uint32_t i = 0; i < 2 && !s->has_bits; i++) {
        there[i] = there[i] == NULL && there[!i] != NULL ? load_on(s, from[i], load, address[i]) : there[i];
    }
    if (there[0] == NULL || there[1] == NULL) {
        return;
    }
    struct cu_value target = bsim_cu_register(s->code, s->code->class[load->result[0]], CU_GENERIC);
    for (uint32_t i = 0; i < 2; i++) {
        copy_at(s, from[i], target, there[i]);
    }
    load->is_live = false;
    bsim_cu_replace(s->code, s->order, s->n, load->result[0], target.id);
}

/* Loads of the block, up to what may change them. */
static void look_at_block(struct carries *s, uint32_t block)
{
    struct cu_instruction *first = s->code->block[block].first;
    uint32_t n = 0;
    s->block = block;
    for (struct cu_instruction *k = first; k != NULL && n++ < MOST_LOOKED_AT; k = k->next) {
        bool is_clear = is_load(k);
        for (const struct cu_instruction *i = first; i != k && is_clear; i = i->next) {
            is_clear = !bsim_cu_changes(s->l, i, k);
        }
        if (is_clear) {
            look_at(s, k);
        }
    }
}

void bsim_cu_carry(struct cu_lowering *l, const uint32_t *order, uint32_t n)
{
    struct carries s = {.l = l, .code = &l->code, .order = order, .n = n};
    if (!bsim_cu_find_flow(s.code, order, n, &s.flow)) {
        return;
    }
    find_ways(&s);
    bsim_cu_forget(s.code, 0);
    s.code->is_exact = true;
    for (uint32_t i = 0; i < n && !bsim_cu_failed(s.code->file); i++) {
        if (s.flow.n_ways[order[i]] == 2 && s.flow.place[s.from[order[i]][1]] >= i) {
            look_at_block(&s, order[i]);
        }
    }
    s.code->is_exact = false;
}
