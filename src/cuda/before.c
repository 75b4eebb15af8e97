/* before.c - what one way of a branch loads and what stands behind both loads again is loaded once.
 *
 *     if (t < n)              int x = s[t];      if (t < n) {               if (t < n) {
 *         out[0] = s[t];  ->  if (t < n)             out[0] = 1;                out[0] = 1, x = s[t], out[1] = x;
 *     x = s[t];                   out[0] = x;        out[1] = s[t];     ->  } else
 *                                                }                              x = s[t];
 *                                                x = s[t];
 *
 * So nvcc has it (GVN, and what both ways begin with goes before the branch): tests/kernels/meets.cu.
 */
#include "cuda/lower.h"

struct befores {
    struct cu_lowering *l;
    struct cu_code *code;
    const uint32_t *order;
    uint32_t n;
    struct cu_flow flow;
};

static bool is_same_load(const struct cu_instruction *a, const struct cu_instruction *b)
{
    return a->is_live && a->op == CU_OP_LOAD && !a->has_effect && strcmp(a->opcode, b->opcode) == 0 &&
           a->n_results == 1 && a->offset == b->offset &&
           bsim_cu_same_value(&a->argument[0], &b->argument[0]);
}

/* The load of that place in the block whose value it still has at the block's end; NULL: there is none. */
static struct cu_instruction *find_load(const struct befores *s, uint32_t block, const struct cu_instruction *load)
{
    struct cu_instruction *found = NULL;
    for (struct cu_instruction *k = s->code->block[block].first; k != NULL; k = k->next) {
        found = is_same_load(k, load) ? k : bsim_cu_changes(s->l, k, load) ? NULL : found;
    }
    return found;
}

/* Whether nothing stands before it that nvcc would not move it past: an access, or what has an effect. */
static bool is_first(const struct befores *s, uint32_t block, const struct cu_instruction *load)
{
    const struct cu_instruction *k = s->code->block[block].first;
    while (k != load && !(k->is_live && (k->has_effect || k->op == CU_OP_LOAD))) {
        k = k->next;
    }
    return k == load;
}

static void append_copy(struct befores *s, uint32_t block, struct cu_value target, uint32_t id)
{
    struct cu_value value = target;
    value.id = id;
    s->code->at = block;
    bsim_cu_set(s->l, target, value);
}

/* On the one way it is loaded already, by `there`; it is on the other, too. */
static void load_on_both(struct befores *s, const struct cu_coming *way, uint32_t side, struct cu_instruction *there,
                         struct cu_instruction *load)
{
    enum cu_class class = s->code->class[load->result[0]];
    struct cu_value target = bsim_cu_register(s->code, class, CU_GENERIC);
    struct cu_value other = bsim_cu_register(s->code, class, CU_GENERIC);
    struct cu_instruction copy = *load;
    copy.result[0] = other.id;
    s->code->token = load->token;
    s->code->at = way->from[!side];
    s->code->definition[other.id] = bsim_cu_emit(s->code, &copy);
    append_copy(s, way->from[!side], target, other.id);
    append_copy(s, way->from[side], target, there->result[0]);
    load->is_live = false;
    bsim_cu_replace(s->code, s->order, s->n, load->result[0], target.id);
}

static void load_before(struct befores *s, uint32_t block, uint32_t way, struct cu_instruction *there,
                        struct cu_instruction *load)
{
    bsim_cu_take_out(&s->code->block[way], there);
    bsim_cu_put_last(&s->code->block[block], there);
    there->token = s->code->block[block].token != NULL ? s->code->block[block].token : there->token;
    load->is_live = false;
    bsim_cu_replace(s->code, s->order, s->n, load->result[0], there->result[0]);
}

/* Whether it may be on either way. */
static bool is_load(const struct befores *s, const struct cu_instruction *k)
{
    return k->is_live && k->op == CU_OP_LOAD && !k->has_effect && k->n_results == 1 && k->argument[0].space != CU_PARAM &&
           (k->argument[0].kind != CU_REGISTER || bsim_cu_definition(s->code, &k->argument[0]) != NULL);
}

static void look_at(struct befores *s, uint32_t block, struct cu_instruction *load)
{
    const struct cu_coming *way = &s->flow.come[block];
    struct cu_instruction *there[2] = {find_load(s, way->from[0], load), find_load(s, way->from[1], load)};
    uint32_t side = there[0] == NULL;
    uint32_t above = s->flow.above[way->from[side]];
    if ((there[0] == NULL) == (there[1] == NULL)) {
        return;
    }
    if (bsim_cu_is_bare(s->code, way->from[!side]) && s->flow.n_ways[way->from[side]] == 1 &&
        s->flow.above[way->from[!side]] == above && s->code->block[above].ending == CU_BRANCHES &&
        is_first(s, way->from[side], there[side])) {
        load_before(s, above, way->from[side], there[side], load);
    } else {
        load_on_both(s, way, side, there[side], load);
    }
}

static void look_at_block(void *context, uint32_t block)
{
    enum { MOST_LOOKED_AT = 200 };
    struct befores *s = context;
    struct cu_instruction *first = s->code->block[block].first;
    uint32_t n = 0;
    for (struct cu_instruction *k = first; k != NULL && n++ < MOST_LOOKED_AT; k = k->next) {
        bool is_clear = is_load(s, k);
        for (const struct cu_instruction *i = first; i != k && is_clear; i = i->next) {
            is_clear = !bsim_cu_changes(s->l, i, k);
        }
        if (is_clear) {
            look_at(s, block, k);
        }
    }
}

void bsim_cu_load_before(struct cu_lowering *l, const uint32_t *order, uint32_t n)
{
    struct befores s = {.l = l, .code = &l->code, .order = order, .n = n};
    if (bsim_cu_find_flow(s.code, order, n, &s.flow)) {
        bsim_cu_at_joins(s.code, &s.flow, order, n, look_at_block, &s);
    }
}
