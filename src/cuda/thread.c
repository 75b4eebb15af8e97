/* thread.c - a branch whose condition another one has asked before leads on at once where its answer is known.
 *
 *     x = t < n ? s[2 * t] : 0;              if (t < n) { x = s[2 * t]; y = s[2 * t + 1]; }
 *     y = t < n ? s[2 * t + 1] : 0;    ->    else       { x = 0;        y = 0; }
 *
 * So nvcc has it (LLVM's jump threading), and loads of several such ways stand side by side. Where something is accessed
 * between the two, they stay two branches here: it may be done on both ways, or once.
 */
#include "cuda/lower.h"

enum { MOST_BETWEEN = 6 }; /* instructions that the second branch may stand behind */

struct threading {
    struct cu_lowering *l;
    struct cu_code *code;
    const uint32_t *order;
    uint32_t n;
    struct cu_flow flow;
    uint32_t *at; /* of each register: the block that makes it */
};

static bool find_makers(struct threading *s)
{
    s->at = bsim_cu_take_many(s->code->file, s->code->n_registers, sizeof *s->at);
    for (uint32_t i = 0; i < s->n && s->at != NULL; i++) {
        for (const struct cu_instruction *k = s->code->block[s->order[i]].first; k != NULL; k = k->next) {
            for (uint32_t r = 0; r < k->n_results; r++) {
                s->at[k->result[r]] = s->order[i];
            }
        }
    }
    return s->at != NULL;
}

/* Whether all ways to the block come through the other one. */
static bool is_behind(const struct threading *s, uint32_t block, uint32_t other)
{
    return bsim_cu_meet(&s->flow, block, other) == other;
}

/* Whether nothing is accessed in the block, and all that it computes may be computed before the last branch that all ways
 * to it come through. */
static bool may_move(const struct threading *s, uint32_t block)
{
    uint32_t above = s->flow.above[block], n = 0;
    bool may = true;
    for (const struct cu_instruction *k = s->code->block[block].first; k != NULL && may; k = k->next) {
        n += k->is_live;
        may = !k->is_live || (k->op < CU_OP_COPY && !k->has_effect && k->n_results == 1 && n <= MOST_BETWEEN);
        for (uint32_t i = 0; i < k->n_arguments && k->is_live && may; i++) {
            const struct cu_value *value = &k->argument[i];
            uint32_t at = value->kind == CU_REGISTER ? s->at[value->id] : above;
            may = value->kind != CU_REGISTER || (bsim_cu_definition(s->code, value) != NULL &&
                                                 (at == block || is_behind(s, above, at)));
        }
    }
    return may;
}

static void move_out(struct threading *s, uint32_t block)
{
    struct cu_code_block *b = &s->code->block[block], *above = &s->code->block[s->flow.above[block]];
    for (struct cu_instruction *k = b->first, *next; k != NULL; k = next) {
        next = k->next;
        bsim_cu_put_last(above, k);
    }
    b->first = b->last = NULL;
}

/* Whether the two branch on it in one turn of a loop whose turns stand one behind the other: nvcc looks before that. */
static bool are_of_one_turn(const struct threading *s, uint32_t first, uint32_t second)
{
    return s->code->block[first].turn == s->code->block[second].turn || s->code->block[first].turn == 0;
}

/* Whether the second one's condition is known where the block's way with that number leads there: 1 it holds, 0 it does
 * not; -1: it is not known. */
static int known_on(const struct threading *s, uint32_t block, uint32_t way, uint32_t second)
{
    const struct cu_code_block *b = &s->code->block[block];
    const struct cu_value *condition = &s->code->block[second].condition;
    if (b->ending == CU_BRANCHES && bsim_cu_same_value(&b->condition, condition)) {
        return b->target[0] == b->target[1] || !are_of_one_turn(s, block, second) ? -1 : way == 0;
    }
    for (uint32_t above = s->flow.above[block]; above != block; block = above, above = s->flow.above[block]) {
        b = &s->code->block[above];
        bool is_way = b->ending == CU_BRANCHES && bsim_cu_same_value(&b->condition, condition) &&
                      s->flow.n_ways[block] == 1 && are_of_one_turn(s, above, second);
        if (is_way) {
            return b->target[0] == block;
        }
    }
    return -1;
}

/* What computes, or loads, the same in the block already; NULL: nothing does. */
static const struct cu_instruction *find_same(const struct threading *s, uint32_t block, const struct cu_instruction *k)
{
    const struct cu_instruction *found = NULL;
    bool is_pure = k->is_live && k->op < CU_OP_COPY && !k->has_effect && k->n_results == 1;
    bool is_load = k->is_live && k->op == CU_OP_LOAD && !k->has_effect && k->n_results == 1;
    for (const struct cu_instruction *i = s->code->block[block].first; i != NULL && (is_pure || is_load); i = i->next) {
        bool is_one = i->is_live && i->n_results == 1 && i->offset == k->offset && bsim_cu_is_one_operation(i, k);
        found = is_one ? i : is_load && bsim_cu_changes(s->l, i, k) ? NULL : found;
    }
    return found;
}

/* The instruction with the values that the block's copies set; whether something there stands for it. */
static bool settle(struct threading *s, uint32_t block, struct cu_instruction *k)
{
    for (uint32_t i = 0; i < k->n_arguments && k->op != CU_OP_ASM; i++) {
        struct cu_value *value = &k->argument[i];
        const struct cu_instruction *copy =
            value->kind == CU_REGISTER ? bsim_cu_copy_in(s->code, block, value->id) : NULL;
        if (copy != NULL && (copy->argument[0].kind == CU_CONSTANT_VALUE ||
                             bsim_cu_definition(s->code, &copy->argument[0]) != NULL)) {
            enum cu_space space = value->space;
            *value = copy->argument[0];
            value->space = space;
        }
    }
    const struct cu_instruction *same = find_same(s, block, k);
    if (same != NULL) {
        bsim_cu_replace(s->code, s->order, s->n, k->result[0], same->result[0]);
    }
    return same != NULL;
}

/* What the block leads to alone stands in it. */
static void append(struct threading *s, uint32_t block)
{
    struct cu_code_block *b = &s->code->block[block];
    uint32_t next = b->target[0];
    struct cu_code_block *e = &s->code->block[next];
    if (b->ending != CU_GOES || s->flow.n_ways[next] != 1 || s->flow.place[next] < s->flow.place[block]) {
        return;
    }
    for (struct cu_instruction *k = e->first, *after; k != NULL; k = after) {
        after = k->next;
        e->first = after;
        if (!settle(s, block, k)) {
            bsim_cu_put_last(b, k);
        }
    }
    bsim_cu_end_as(b, e);
    b->is_before_loop = b->is_before_loop || e->is_before_loop;
}

/* Leads the ways to the block on on which its condition is known. */
static bool lead_on(struct threading *s, uint32_t block)
{
    struct cu_code_block *b = &s->code->block[block];
    uint32_t n_led = 0, led[2] = {CU_NO_BLOCK, CU_NO_BLOCK};
    for (uint32_t i = 0; i < s->flow.place[block]; i++) {
        struct cu_code_block *from = &s->code->block[s->order[i]];
        for (uint32_t way = 0; way < bsim_cu_targets_of(from); way++) {
            int known = from->target[way] == block ? known_on(s, s->order[i], way, block) : -1;
            if (known >= 0) {
                from->target[way] = b->target[known == 0];
                s->flow.n_ways[from->target[way]]++;
                s->flow.n_ways[block]--;
                led[n_led++ % 2] = s->order[i];
            }
        }
    }
    if (s->flow.n_ways[block] == 0) {
        s->flow.n_ways[b->target[0]]--;
        s->flow.n_ways[b->target[1]]--;
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (led[i] != CU_NO_BLOCK) {
            append(s, led[i]);
        }
    }
    return n_led > 0;
}

/* Whether something in the block changes what the load loads, up to `end` in it; NULL: to its end. */
static bool changes(const struct threading *s, uint32_t block, const struct cu_instruction *load, const struct cu_instruction *end)
{
    bool does = false;
    for (const struct cu_instruction *k = s->code->block[block].first; k != end && !does; k = k->next) {
        does = bsim_cu_changes(s->l, k, load);
    }
    return does;
}

/* What computes, or loads, the same in the blocks that alone lead to this one; NULL: nothing does. */
static const struct cu_instruction *find_known(const struct threading *s, uint32_t block, const struct cu_instruction *k)
{
    const struct cu_instruction *found = NULL;
    bool is_load = k->op == CU_OP_LOAD, goes_on = !is_load || !changes(s, block, k, k);
    while (goes_on && found == NULL && s->flow.n_ways[block] == 1 && s->flow.above[block] != block) {
        block = s->flow.above[block];
        found = find_same(s, block, k);
        goes_on = !is_load || !changes(s, block, k, NULL);
    }
    return found;
}

/* What was computed or loaded before is not again where one way is left to the block. */
static void know(struct threading *s, uint32_t block)
{
    struct cu_code_block *b = &s->code->block[block];
    for (struct cu_instruction *k = b->first, *next; k != NULL; k = next) {
        const struct cu_instruction *same = find_known(s, block, k);
        next = k->next;
        if (same != NULL) {
            bsim_cu_replace(s->code, s->order, s->n, k->result[0], same->result[0]);
            bsim_cu_take_out(b, k);
        }
    }
}

/* Whether a branch stands at the block's end that may be known on some way to it. */
static bool is_second(const struct threading *s, uint32_t block)
{
    const struct cu_code_block *b = &s->code->block[block];
    bool is_it = b->ending == CU_BRANCHES && s->flow.n_ways[block] > 1 && s->flow.above[block] != block &&
                 s->flow.above[block] != CU_NO_BLOCK && bsim_cu_definition(s->code, &b->condition) != NULL &&
                 s->at[b->condition.id] != block && !bsim_cu_is_choice(s->code, &s->flow, block);
    for (uint32_t i = s->flow.place[block]; i < s->n && is_it; i++) {
        const struct cu_code_block *back = &s->code->block[s->order[i]];
        for (uint32_t way = 0; way < bsim_cu_targets_of(back); way++) {
            is_it = is_it && back->target[way] != block; /* a loop begins there */
        }
    }
    return is_it;
}

static bool is_known_on_one(const struct threading *s, uint32_t block)
{
    bool is_known = false;
    for (uint32_t i = 0; i < s->flow.place[block] && !is_known; i++) {
        const struct cu_code_block *from = &s->code->block[s->order[i]];
        for (uint32_t way = 0; way < bsim_cu_targets_of(from) && !is_known; way++) {
            is_known = from->target[way] == block &&
                       known_on(s, s->order[i], way, block) >= 0;
        }
    }
    return is_known;
}

/* What no way leads to any more has nothing in it. */
static bool empty_unreached(struct threading *s)
{
    bool *is_reached = bsim_cu_take_many(s->code->file, s->code->n_blocks, sizeof *is_reached), is_new = true;
    if (is_reached == NULL) {
        return false;
    }
    is_reached[s->order[0]] = true;
    while (is_new) {
        is_new = false;
        for (uint32_t i = 0; i < s->n; i++) {
            const struct cu_code_block *b = &s->code->block[s->order[i]];
            for (uint32_t way = 0; way < bsim_cu_targets_of(b) && is_reached[s->order[i]]; way++) {
                is_new = is_new || !is_reached[b->target[way]];
                is_reached[b->target[way]] = true;
            }
        }
    }
    for (uint32_t i = 0; i < s->n; i++) {
        struct cu_code_block *b = &s->code->block[s->order[i]];
        b->ending = is_reached[s->order[i]] ? b->ending : CU_RETURNS;
        b->first = is_reached[s->order[i]] ? b->first : NULL;
        b->last = is_reached[s->order[i]] ? b->last : NULL;
    }
    return true;
}

void bsim_cu_thread(struct cu_lowering *l, const uint32_t *order, uint32_t n)
{
    enum { MOST_LED = 256 };
    struct threading s = {.l = l, .code = &l->code, .order = order, .n = n};
    uint32_t n_led = 0;
    if (!bsim_cu_find_flow(s.code, order, n, &s.flow) || !find_makers(&s)) {
        return;
    }
    for (uint32_t i = 0; i < n && n_led < MOST_LED; i++) {
        if (is_second(&s, order[i]) && is_known_on_one(&s, order[i]) && may_move(&s, order[i])) {
            move_out(&s, order[i]);
            n_led += lead_on(&s, order[i]);
            if (!empty_unreached(&s) || !bsim_cu_find_flow(s.code, order, n, &s.flow) || !find_makers(&s)) {
                return;
            }
        }
    }
    for (uint32_t i = 0; i < n && n_led > 0; i++) {
        know(&s, order[i]);
    }
}
