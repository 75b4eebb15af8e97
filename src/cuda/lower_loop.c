/* lower_loop.c - loops: unrolled where their conditions are constants, else with registers for what
 * changes in them.
 *
 * A loop is unrolled by running it: as long as its condition is a constant the body is lowered once
 * more. If that takes too many instructions, or the condition is none, all goes back to where the loop
 * began. Whether to is known before, as nvcc has it, from what a turn weighs that is lowered on trial
 * (turns.c). With `#pragma unroll` up to 16,384 instructions are taken.
 *
 * Of a loop that counts as many turns as nobody knows here, or too many, nvcc makes four turns one (lower_count.c), and
 * goes through what is left in a loop like the first:
 *
 *     for (i = 0; i < n; i++)        if (0 < n) {
 *         body(i);                       for (m = n / 4; m != 0; m--) { body(i++); body(i++); body(i++); body(i++); }
 *                                        for (; i < n; i++) body(i);
 *                                    }
 *
 * In a loop in another what is left is no loop: if (rest != 0) { body(i++); if (rest != 1) { body(i++); ... } }.
 *
 * So it does with barriers in it, too, but not with other loops, nor where the body leaves it. If four
 * turns are too large two are taken, and as many as `#pragma unroll N` says. That of another loop a turn
 * would not access again what the one before did, the kernel's report says.
 *
 * Which cells a loop changes is found by lowering it: what differs at its end becomes a register, and
 * the loop is lowered again, until nothing else differs.
 */
#include "cuda/loop.h"

enum {
    MOST_BY_SIZE = 900,
    MOST_TURNS = 4096,
};

static void begin(struct cu_loop *loop)
{
    struct cu_lowering *l = loop->l;
    loop->outer = l->join;
    loop->on_break = l->on_break;
    loop->on_continue = l->on_continue;
    loop->n_calls_of_loop = l->n_calls_of_loop;
    l->n_calls_of_loop = l->n_calls;
    bsim_cu_open(l, &loop->end);
    l->on_break = &loop->end;
}

static void finish(struct cu_loop *loop)
{
    loop->l->on_break = loop->on_break;
    loop->l->on_continue = loop->on_continue;
    loop->l->n_calls_of_loop = loop->n_calls_of_loop;
}

static void lower_body(struct cu_loop *loop)
{
    struct cu_lowering *l = loop->l;
    struct cu_join next;
    uint32_t n_edges = loop->end.n_edges + l->on_return->n_edges;
    bsim_cu_open(l, &next);
    l->on_continue = &next;
    bsim_cu_lower_statement(l, loop->node->right);
    loop->has_exits = loop->has_exits || n_edges != loop->end.n_edges + l->on_return->n_edges;
    bsim_cu_arrive(l, &next);
    bsim_cu_close(l, &next);
    l->on_break = &loop->end;
}

static void lower_step(struct cu_loop *loop)
{
    uint32_t n;
    if (loop->node->kind == CU_LOOP && loop->node->third != NULL && bsim_cu_is_reached(loop->l)) {
        (void)bsim_cu_lower_all(loop->l, loop->node->third, &n);
    }
}

/* ---- unrolled -------------------------------------------------------------------------------- */

static uint32_t limit_of(const struct cu_loop *loop)
{
    return loop->node->unroll == CU_UNROLL_BY_SIZE && !loop->is_weighed ? MOST_BY_SIZE : CU_MOST_BY_PRAGMA;
}

/* Whether the condition is a constant: *goes_on. */
static bool condition_is_known(struct cu_loop *loop, bool *goes_on)
{
    struct cu_value value = bsim_cu_lower(loop->l, loop->node->left);
    *goes_on = value.bits != 0;
    return value.kind == CU_CONSTANT_VALUE;
}

/* One turn after the other, *n_turns of them. False: it cannot be unrolled, or is too large. */
static bool run_turns(struct cu_loop *loop, uint32_t *n_turns)
{
    struct cu_lowering *l = loop->l;
    bool is_do = loop->node->kind == CU_DO, goes_on = true;
    uint32_t most = loop->node->unroll > 1 ? (uint32_t)loop->node->unroll : (uint32_t)MOST_TURNS;
    uint32_t limit = l->code.n_made + limit_of(loop);
    for (uint32_t turns = 0;; turns++) {
        *n_turns = turns;
        if ((!is_do || turns > 0) && !condition_is_known(loop, &goes_on)) {
            return false;
        }
        if (!goes_on || !bsim_cu_is_reached(l)) {
            bsim_cu_arrive(l, &loop->end);
            return true;
        }
        if (turns == most || l->code.n_made > limit) {
            return false;
        }
        l->code.turn = ++l->code.n_turns;
        lower_body(loop);
        if (!is_do) {
            lower_step(loop);
        }
        if (!bsim_cu_is_reached(l)) {
            return true;
        }
    }
}

/* turn: what a turn weighs; 0: nobody knows. */
static bool unroll(struct cu_lowering *l, struct cu_node *node, const struct cu_turn *turn)
{
    struct cu_loop loop = {.l = l, .node = node, .is_weighed = turn->n > 0};
    if (node->left == NULL || node->unroll == 1 || node->n_known > 0) {
        return false;
    }
    struct cu_mark mark = bsim_cu_mark(l);
    uint32_t outer = l->unrolled, at_turn = l->code.turn, n_turns;
    l->unrolled = ++l->n_unrolled;
    l->code.is_unrolled = true;
    begin(&loop);
    bool is_done = run_turns(&loop, &n_turns) || bsim_cu_stops(l);
    finish(&loop);
    l->unrolled = outer;
    l->code.turn = at_turn;
    l->code.is_unrolled = outer != 0;
    uint32_t as_one = is_done && turn->weight > 0 && turn->n == 0 ? bsim_cu_turns_as_one(turn, n_turns) : n_turns;
    if (is_done && as_one != n_turns && !bsim_cu_stops(l)) {
        is_done = false;
        node->n_known = n_turns;
        node->as_one = as_one;
    }
    if (is_done) {
        bsim_cu_close(l, &loop.end);
        return true;
    }
    l->join = loop.outer;
    bsim_cu_go_back(l, &mark);
    return false;
}

/* ---- rolled ---------------------------------------------------------------------------------- */

static enum cu_space common_space(enum cu_space a, enum cu_space b)
{
    bool is_global = (a == CU_GLOBAL || a == CU_READ_ONLY) && (b == CU_GLOBAL || b == CU_READ_ONLY);
    return a == b ? a : is_global ? CU_GLOBAL : CU_GENERIC;
}

/* The cell has that value, too, on the way back. */
static void widen(struct cu_lowering *l, struct cu_changes *c, uint32_t i,
                  const struct cu_value *value)
{
    const struct cu_value *first = &c->begin[i];
    struct cu_value *shape = &c->shape[i];
    if (value->kind == CU_CELLS || first->kind == CU_CELLS) {
        bsim_cu_needs_memory(l, value->kind == CU_CELLS ? value : first);
        return;
    }
    bool is_first = shape->kind == CU_NOTHING;
    bool has_begin = first->kind != CU_NOTHING;
    enum cu_space space = !is_first ? shape->space : has_begin ? first->space : value->space;
    space = value->kind == CU_NOTHING ? space : common_space(space, value->space);
    enum cu_class class = !is_first ? shape->class : has_begin ? first->class : value->class;
    class = value->kind != CU_NOTHING && class != value->class ? CU_I64 : class;
    c->is_new = c->is_new || is_first || shape->space != space || shape->class != class;
    *shape = (struct cu_value){.kind = CU_REGISTER, .class = class, .space = space};
}

/* The value as the register of that shape has it. */
static struct cu_value shaped(struct cu_lowering *l, struct cu_value value,
                              const struct cu_value *shape)
{
    bool is_generic =
        value.kind != CU_NOTHING && shape->space == CU_GENERIC && value.space != CU_GENERIC;
    return is_generic ? bsim_cu_generic(&l->code, value) : value;
}

/* The cell of a place that is carried; 0: it is not. */
static uint32_t carrier_of(const struct cu_changes *c, const struct cu_available *place)
{
    for (uint32_t i = 0; i < c->n_carried; i++) {
        if (bsim_cu_is_one_place(c->carried[i], place)) {
            return c->first_carried + i;
        }
    }
    return 0;
}

/* Each place that is carried has what its cell has. */
static const struct cu_available *with_carried(struct cu_lowering *l, const struct cu_changes *c)
{
    const struct cu_available *known = c->available;
    if (c->n_carried == 0) {
        return known;
    }
    struct cu_available *first = NULL, **end = &first;
    for (; known != NULL && !bsim_cu_failed(l->code.file); known = known->next) {
        uint32_t cell = carrier_of(c, known);
        *end = bsim_cu_take(l->code.file, sizeof **end);
        **end = *known;
        (*end)->value = cell > 0 ? l->cell[cell] : known->value;
        (*end)->is_stored = known->is_stored && cell == 0; /* not in this turn */
        end = (struct cu_available **)(uintptr_t)&(*end)->next;
    }
    return first;
}

/* is_one: of turns that are one. */
static void enter(struct cu_lowering *l, struct cu_changes *c, bool is_one)
{
    uint32_t n_before = l->code.n_registers;
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->shape[i].kind != CU_NOTHING) {
            struct cu_value target =
                bsim_cu_register(&l->code, c->shape[i].class, c->shape[i].space);
            struct cu_value begin = shaped(l, l->cell[i], &target);
            bsim_cu_set(l, target, begin);
            l->cell[i] = target;
            if (is_one && target.kind == CU_REGISTER) {
                l->code.staying[target.id] = (struct cu_staying){c->range[i].stays, begin, n_before};
            }
            l->code.zeros[target.id] = target.kind == CU_REGISTER ? bsim_cu_zeros_in(&c->range[i], target.class) : 0;
            l->code.least[target.id] = target.kind == CU_REGISTER ? c->range[i].least : 0;
            l->code.most[target.id] = target.kind == CU_REGISTER && c->range[i].grows ? c->range[i].most : 0;
        }
    }
    c->header = bsim_cu_copy_cells(l, c->n);
    l->available = with_carried(l, c);
    uint32_t block = bsim_cu_new_block(&l->code);
    bsim_cu_go(&l->code, block);
    l->code.at = block;
}

/* Of a place that is known before the loop, and at the end of a turn as something else, the value is carried:
 * s[t] = 0; for (...) if (c) s[t] += x; loads nothing. */
static bool carry(struct cu_changes *c, const struct cu_available *place)
{
    if (c->n_carried == CU_MOST_CARRIED || place->type->kind > CU_DOUBLE ||
        place->value.kind == CU_NOTHING) {
        return false;
    }
    c->begin[c->first_carried + c->n_carried] = place->value;
    c->shape[c->first_carried + c->n_carried] =
        (struct cu_value){.kind = CU_REGISTER, .class = place->value.class};
    c->carried[c->n_carried++] = place;
    return true;
}

static const struct cu_available *known_in_both(struct cu_lowering *l, struct cu_changes *c)
{
    const struct cu_available *both = NULL;
    for (const struct cu_available *a = c->available; a != NULL; a = a->next) {
        const struct cu_available *b = bsim_cu_find_place(l->available, a);
        bool is_carried = b != NULL && carrier_of(c, a) > 0;
        bool is_same = b != NULL && bsim_cu_same_value(&a->value, &b->value);
        c->is_new = c->is_new || !(is_carried || is_same);
        if (b == NULL || !(is_carried || is_same || carry(c, a))) {
            continue;
        }
        struct cu_available *copy = bsim_cu_take(l->code.file, sizeof *copy);
        *copy = *a;
        copy->next = both;
        both = copy;
    }
    return both;
}

/* What the turn hands on of the places that are carried. */
static void take_carried(struct cu_lowering *l, struct cu_changes *c)
{
    for (uint32_t i = 0; i < c->n_carried; i++) {
        const struct cu_available *b = bsim_cu_find_place(l->available, c->carried[i]);
        if (b != NULL) {
            l->cell[c->first_carried + i] = b->value;
        }
    }
}

/* At the end of a turn: whether all that changed was known to. */
static bool is_settled(const struct cu_loop *loop, struct cu_changes *c)
{
    struct cu_lowering *l = loop->l;
    c->is_new = false;
    take_carried(l, c);
    for (uint32_t i = 0; i < c->n && bsim_cu_is_reached(l); i++) {
        const struct cu_value *value = &l->cell[i], *before = &c->header[i];
        bool is_same = bsim_cu_same_value(value, before) && value->space == before->space;
        if (!is_same) {
            bsim_cu_find_range(l, c, i, c->shape[i].kind == CU_NOTHING);
            bsim_cu_find_most(loop, c, i);
            widen(l, c, i, value);
        }
    }
    if (bsim_cu_is_reached(l)) {
        const struct cu_available *both = known_in_both(l, c);
        c->available = c->is_new ? both : c->available;
    }
    return !c->is_new;
}

/* Whether the register is one that the loop sets, and not the one that this value is for. */
static bool is_set(const struct cu_changes *c, const struct cu_value *value, uint32_t cell)
{
    for (uint32_t i = 0; i < c->n && value->kind == CU_REGISTER; i++) {
        if (i != cell && c->shape[i].kind != CU_NOTHING && c->header[i].id == value->id) {
            return true;
        }
    }
    return false;
}

/* All registers get their values for the next turn at once: what is still to be read goes aside first. */
static void set_all(struct cu_lowering *l, struct cu_changes *c)
{
    struct cu_value *value = bsim_cu_copy_cells(l, c->n);
    for (uint32_t i = 0; i < c->n && value != NULL; i++) {
        if (c->shape[i].kind == CU_NOTHING) {
            continue;
        }
        value[i] = shaped(l, value[i], &c->header[i]);
        if (is_set(c, &value[i], i)) {
            struct cu_value aside = bsim_cu_register(&l->code, value[i].class, value[i].space);
            bsim_cu_set(l, aside, value[i]);
            value[i] = aside;
        }
    }
    for (uint32_t i = 0; i < c->n && value != NULL; i++) {
        bool is_same = bsim_cu_same_value(&value[i], &c->header[i]);
        if (c->shape[i].kind != CU_NOTHING && !is_same) {
            bsim_cu_set(l, c->header[i], value[i]);
        }
    }
}

/* To `yes` if there is another turn. */
static void lower_condition(struct cu_lowering *l, const struct cu_node *node,
                            const struct cu_counted *as, struct cu_join *yes, struct cu_join *no)
{
    if (as == NULL) {
        bsim_cu_lower_branch(l, node->left, yes, no);
        return;
    }
    struct cu_value left = l->cell[as->cell], none = bsim_cu_constant_of(left.class, 0);
    bsim_cu_split_to(l, bsim_cu_compare(&l->code, CU_UNEQUAL, false, left, none), yes, no);
}

/* The loop's first test: what is behind it is known to be. */
static void lower_first_test(struct cu_lowering *l, const struct cu_node *node,
                             const struct cu_counted *as, struct cu_join *out)
{
    struct cu_join first;
    uint32_t n_blocks = l->code.n_blocks;
    bsim_cu_open(l, &first);
    lower_condition(l, node, as, &first, out);
    bsim_cu_close(l, &first);
    while (n_blocks < l->code.n_blocks) {
        l->code.block[n_blocks++].is_before_loop = true;
    }
}

/* The condition of a loop that others count does nothing but what it does besides: while (i--). */
static void lower_effect(struct cu_lowering *l, const struct cu_node *node)
{
    uint32_t n;
    if (bsim_cu_does_change(l, node->left)) {
        (void)bsim_cu_lower_all(l, node->left, &n);
    }
}

/* A turn, from the first block to where it goes on with the next. */
static void lower_turn(struct cu_loop *loop)
{
    struct cu_lowering *l = loop->l;
    const struct cu_counted *as = loop->as;
    struct cu_join goes_on;
    uint32_t turn = l->code.turn;
    for (uint32_t i = 0; i < (as != NULL ? as->n_turns : 1); i++) {
        l->code.turn = ++l->code.n_turns;
        lower_body(loop);
        lower_step(loop);
        if (as != NULL && as->exit == i + 1) {
            bsim_cu_open(l, &goes_on);
            bsim_cu_lower_branch(l, loop->node->left, &goes_on, &loop->end);
            bsim_cu_close(l, &goes_on);
        } else if (as != NULL) {
            lower_effect(l, loop->node);
        }
    }
    l->code.turn = turn;
    if (loop->node->left == NULL || (as != NULL && as->exit > 0)) {
        return;
    }
    bsim_cu_open(l, &goes_on);
    if (bsim_cu_is_reached(l)) {
        uint32_t at = l->code.at;
        if (as != NULL) {
            struct cu_value *left = &l->cell[as->cell];
            *left = bsim_cu_compute(&l->code, CU_OP_SUB, false, *left,
                                    bsim_cu_constant_of(left->class, 1));
        }
        lower_condition(l, loop->node, as, &goes_on, &loop->end);
        loop->condition = l->code.block[at].condition;
    }
    bsim_cu_close(l, &goes_on);
}

/* The places that this loop and those around it have in registers, as they are. */
static struct cu_promoted *copy_promoted(struct cu_lowering *l)
{
    uint32_t n = 0;
    for (const struct cu_promoted *p = l->promoted; p != NULL; p = p->outer) {
        n++;
    }
    struct cu_promoted *copy = bsim_cu_take_many(l->code.file, n, sizeof *copy);
    n = 0;
    for (const struct cu_promoted *p = l->promoted; copy != NULL && p != NULL; p = p->outer) {
        copy[n++] = *p;
    }
    return copy;
}

static void restore_promoted(struct cu_promoted *promoted, const struct cu_promoted *copy)
{
    for (; copy != NULL && promoted != NULL; promoted = promoted->outer) {
        *promoted = *copy++;
    }
}

/* Whether a turn behind the one that ends here would make fewer accesses: it knows what that one did. */
static bool shares(struct cu_loop *loop, const struct cu_hoisted *h, uint32_t n_accesses)
{
    struct cu_lowering *l = loop->l;
    for (uint32_t i = 0; i < h->n && loop->as == NULL; i++) {
        if (h->place[i].keeps_stores && !h->place[i].is_off) {
            return true; /* nvcc loads it again before what is left of four turns */
        }
    }
    struct cu_mark mark = bsim_cu_mark(l);
    const struct cu_promoted *promoted = copy_promoted(l);
    uint32_t n = l->n_accesses;
    l->on_break = &loop->end;
    for (uint32_t i = 0; i < (loop->as != NULL ? loop->as->n_turns : 1); i++) {
        lower_body(loop);
        lower_step(loop);
        if (loop->as != NULL) {
            lower_effect(l, loop->node);
        }
    }
    finish(loop);
    n = l->n_accesses - n;
    restore_promoted(l->promoted, promoted);
    bsim_cu_go_back(l, &mark);
    return n < n_accesses;
}

/* Of a loop of which turns are one nvcc knows before it what a turn read of blockDim and its kin. */
static void know_specials(struct cu_code *code, uint32_t header)
{
    for (uint32_t i = header; i < code->n_blocks; i++) {
        code->block[i].reads = 0;
    }
}

/* What a turn of the loop weighs that is to be weighed. */
static void weigh(const struct cu_loop *loop, const struct cu_changes *c, uint32_t n_before, uint32_t header)
{
    struct cu_lowering *l = loop->l;
    if (l->weighed != loop->node || !bsim_cu_is_reached(l)) {
        return;
    }
    l->turn = bsim_cu_weigh_as_it_stands(loop, c, n_before, header);
    l->turn.n = bsim_cu_find_counted(loop, c, n_before, header).n_known;
}

/* The loop, from where its first turn begins. False: it is to be lowered anew, with what was found. What it
 * may hoist and *found, what it counts, are looked for if that is asked for. */
static bool run_rolled(struct cu_lowering *l, const struct cu_node *node, struct cu_hoisted *h,
                       const struct cu_counted *as, struct cu_counted *found)
{
    enum { MOST_ROUNDS = 8 };
    uint32_t n_before = l->code.n_registers, n_loops = l->n_loops, outer = l->first_of_loop;
    uint32_t first_carried = l->n_cells;
    for (uint32_t i = 0; i < CU_MOST_CARRIED; i++) {
        (void)bsim_cu_new_slot(l, NULL, bsim_cu_scalar(CU_ULONG));
    }
    struct cu_mark mark = bsim_cu_mark(l);
    const struct cu_promoted *promoted = copy_promoted(l);
    struct cu_changes c = {.n = l->n_cells,
                        .available = l->available,
                        .begin = mark.cell,
                        .first_carried = first_carried};
    c.shape = bsim_cu_take_many(l->code.file, c.n, sizeof *c.shape); /* CU_NOTHING each */
    c.range = bsim_cu_take_many(l->code.file, c.n, sizeof *c.range); /* nothing is known */
    c.n = c.shape != NULL && c.range != NULL ? c.n : 0;
    for (uint32_t i = 0; i < h->n_ranged && found == NULL && c.n > 0; i++) {
        c.range[h->ranged[i]] = (struct cu_range){.is_given = true, .above = h->zeros[i], .least = -h->least[i]};
    }
    uint32_t n_before_turns = l->n_before_turns;
    for (;;) {
        struct cu_loop loop = {.l = l, .node = node, .as = as};
        l->n_before_turns = as != NULL ? l->n_stores : n_before_turns;
        enter(l, &c, as != NULL && as->n_turns > 1);
        uint32_t header = l->code.at;
        l->code.block[header].is_rest = found == NULL && (as == NULL || as->n_turns == 1);
        uint32_t n_accesses = l->n_accesses, n_barriers = l->n_barriers;
        begin(&loop);
        l->first_of_loop = n_before;
        lower_turn(&loop);
        l->first_of_loop = outer;
        l->n_before_turns = n_before_turns;
        finish(&loop);
        if (is_settled(&loop, &c) || bsim_cu_stops(l)) {
            weigh(&loop, &c, n_before, header);
            bool is_tested = node->left != NULL && bsim_cu_is_reached(l);
            bool is_plain = !loop.has_exits && is_tested;
            if (is_tested && found != NULL && h->n_rounds++ < MOST_ROUNDS &&
                bsim_cu_find_hoisted(l, h, header, loop.has_exits)) {
                return false;
            }
            if (found != NULL) {
                bsim_cu_hand_on_ranges(&loop, h, &c);
                h->known = c.available;
            }
            if (is_plain && node->unroll != 1 && found != NULL && n_loops == l->n_loops) {
                *found = bsim_cu_find_counted(&loop, &c, n_before, header);
            }
            if (is_tested && node->n_known > 0 && found != NULL) {
                *found = (struct cu_counted){.n_turns = node->as_one > 1 ? node->as_one : 0};
            }
            bool is_whole = found != NULL ? found->n_turns == 0 : as != NULL && as->n_turns > 1;
            if (is_plain && node->unroll != 1 && n_barriers == l->n_barriers && is_whole &&
                shares(&loop, h, l->n_accesses - n_accesses)) {
                l->kernel->turns = node->token;
            }
            if (found == NULL) {
                know_specials(&l->code, header);
            }
            set_all(l, &c);
            bsim_cu_go(&l->code, header);
            bsim_cu_close(l, &loop.end);
            return true;
        }
        l->join = loop.outer;
        restore_promoted(l->promoted, promoted);
        bsim_cu_go_back(l, &mark);
    }
}

/* A cell with n in it. */
static uint32_t counter_of(struct cu_lowering *l, struct cu_value n)
{
    const struct cu_type *type = bsim_cu_scalar(n.class == CU_I32 ? CU_UINT : CU_ULONG);
    struct cu_value slot = bsim_cu_new_slot(l, NULL, type);
    l->cell[l->slot[slot.id].cell] = n;
    return l->slot[slot.id].cell;
}

/* Turns that are one, or, with NULL, those that are left by the loop's own condition. */
static void roll_part(struct cu_lowering *l, const struct cu_node *node, struct cu_hoisted *h,
                      const struct cu_counted *as, bool is_second)
{
    struct cu_join out;
    struct cu_node done = *node; /* a test before has done what this one would do besides */
    struct cu_node *test = as == NULL ? bsim_cu_test_when_done(l, node->left) : NULL;
    done.left = test != NULL ? test : node->left;
    bsim_cu_open(l, &out);
    lower_first_test(l, &done, as, &out);
    if (bsim_cu_is_reached(l)) {
        bsim_cu_reload(l, h, is_second);
        (void)run_rolled(l, node, h, as, NULL);
    }
    bsim_cu_arrive(l, &out);
    bsim_cu_close(l, &out);
}

/* What is left of turns that are one, as turns that stand one after the other. */
static void chain_rest(struct cu_lowering *l, const struct cu_node *node, struct cu_hoisted *h,
                       const struct cu_counted *c, struct cu_value rest)
{
    struct cu_loop loop = {.l = l, .node = node};
    uint32_t outer = l->first_of_loop;
    l->first_of_loop = l->code.n_registers; /* nvcc has had a loop of it */
    for (uint32_t i = 0; i < h->n_ranged; i++) {
        const struct cu_value *value = &l->cell[h->ranged[i]];
        l->code.zeros[value->kind == CU_REGISTER ? value->id : 0] = value->kind == CU_REGISTER ? h->zeros[i] : 0;
        l->code.least[value->kind == CU_REGISTER ? value->id : 0] = value->kind == CU_REGISTER ? -h->least[i] : 0;
    }
    begin(&loop);
    for (uint32_t i = 0; i + 1 < c->n_turns && bsim_cu_is_reached(l); i++) {
        struct cu_value done = bsim_cu_constant_of(rest.class, i);
        struct cu_join goes_on;
        bsim_cu_open(l, &goes_on);
        bsim_cu_split_to(l, bsim_cu_compare(&l->code, CU_UNEQUAL, false, rest, done), &goes_on, &loop.end);
        bsim_cu_close(l, &goes_on);
        if (i == 0 && bsim_cu_is_reached(l)) {
            bsim_cu_reload(l, h, !c->is_rest_first);
        }
        bsim_cu_forget_all_but(l, h->known);
        lower_body(&loop);
        lower_step(&loop);
        lower_effect(l, node);
    }
    finish(&loop);
    l->first_of_loop = outer;
    bsim_cu_arrive(l, &loop.end);
    bsim_cu_close(l, &loop.end);
}

/* Turns that are known: the last ones of them leave the loop on their way, if they are fewer. */
static void roll_known(struct cu_lowering *l, const struct cu_node *node, struct cu_hoisted *h, struct cu_counted *c)
{
    c->exit = node->n_known % c->n_turns;
    c->cell = counter_of(l, bsim_cu_constant_of(CU_I32, (node->n_known + c->n_turns - 1) / c->n_turns));
    roll_part(l, node, h, c, false);
}

static void roll_counted(struct cu_lowering *l, const struct cu_node *node, struct cu_hoisted *h,
                         struct cu_counted *c)
{
    const struct cu_node *test = bsim_cu_test_when_done(l, node->left);
    struct cu_value n = bsim_cu_count_turns(l, test != NULL ? test : node->left, c);
    struct cu_value each = bsim_cu_constant_of(n.class, c->n_turns);
    struct cu_value whole = bsim_cu_compute(&l->code, CU_OP_DIV, false, n, each);
    struct cu_value rest = bsim_cu_compute(&l->code, CU_OP_REM, false, n, each);
    bool has_rest = rest.kind != CU_CONSTANT_VALUE || rest.bits != 0;
    struct cu_counted left = {.n_turns = 1};
    bool is_chain = l->first_of_loop > 0 || l->unrolled != 0 || c->n_turns == 2;
    c->cell = counter_of(l, whole);
    left.cell = counter_of(l, rest);
    if (c->is_rest_first && has_rest && is_chain) {
        chain_rest(l, node, h, c, rest);
    } else if (c->is_rest_first && has_rest) {
        roll_part(l, node, h, &left, false);
    }
    if (bsim_cu_is_reached(l)) {
        roll_part(l, node, h, c, c->is_rest_first);
    }
    if (!c->is_rest_first && has_rest && bsim_cu_is_reached(l) && is_chain) {
        chain_rest(l, node, h, c, rest);
    } else if (!c->is_rest_first && has_rest && bsim_cu_is_reached(l)) {
        roll_part(l, node, h, NULL, true);
    }
}

/* The loop behind its first test. False: it is to be lowered anew, with what was found. */
static bool run(struct cu_lowering *l, const struct cu_node *node, struct cu_hoisted *h,
                struct cu_counted *c)
{
    if (c->n_turns == 0) {
        return run_rolled(l, node, h, NULL, c) && (c->n_turns == 0 || bsim_cu_stops(l));
    }
    if (node->n_known > 0) {
        roll_known(l, node, h, c);
    } else {
        roll_counted(l, node, h, c);
    }
    return true;
}

static void roll(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_hoisted *h = bsim_cu_take(l->code.file, sizeof *h);
    struct cu_mark mark = bsim_cu_mark(l);
    struct cu_join out, *outer = l->join;
    struct cu_promoted *promoted = l->promoted;
    struct cu_counted c = {.n_turns = 0};
    h->first = l->code.n_registers;
    for (bool is_done = false; !is_done;) {
        bsim_cu_open(l, &out);
        if (node->left != NULL && node->kind == CU_LOOP) {
            lower_first_test(l, node, NULL, &out);
        }
        l->code.token = node->token;
        bsim_cu_hoist(l, h);
        is_done = !bsim_cu_is_reached(l) || run(l, node, h, &c);
        if (is_done && !bsim_cu_stops(l) && bsim_cu_correct_hoisted(h)) {
            c = (struct cu_counted){.n_turns = 0}; /* turns that are one show what one did not */
            is_done = false;
        }
        if (!is_done) {
            l->join = outer;
            l->promoted = promoted;
            bsim_cu_go_back(l, &mark);
        }
    }
    l->n_loops++;
    bsim_cu_put_back(l, h, promoted);
    bsim_cu_arrive(l, &out);
    bsim_cu_close(l, &out);
}

/* ---- what a turn weighs ----------------------------------------------------------------------- */

/* A turn of the loop as it stands when it is not unrolled. False: nobody knows, as arrays lie in memory then. */
static bool weigh_turn(struct cu_lowering *l, struct cu_node *node, struct cu_turn *turn)
{
    struct cu_file *file = l->code.file;
    struct cu_mark mark = bsim_cu_mark(l);
    struct cu_lowering before = *l;
    const struct cu_promoted *promoted = copy_promoted(l);
    struct bsim_error err = *file->err;
    struct cu_node loop = *node;
    const struct cu_token *turns = l->kernel->turns, *ways = l->kernel->ways;
    node->unroll = 1;
    node->n_known = 0;
    l->is_trial = true;
    l->weighed = node;
    l->turn = (struct cu_turn){.weight = 0};
    roll(l, node);
    bool is_known = !bsim_cu_stops(l);
    *turn = l->turn;
    turn->is_innermost = l->n_loops == before.n_loops + 1;
    if (file->status == BSIM_E_INPUT) { /* what is at fault is, too, when it is unrolled */
        *file->err = err;
        file->status = BSIM_OK;
    }
    *node = loop;
    l->is_again = false;
    l->is_trial = before.is_trial;
    l->weighed = before.weighed;
    l->kernel->turns = turns;
    l->kernel->ways = ways;
    l->n_loops = before.n_loops;
    l->n_barriers = before.n_barriers;
    l->n_accesses = before.n_accesses;
    l->n_tried += l->code.n_made - before.code.n_made;
    l->code.n_made = before.code.n_made;
    l->join = before.join;
    l->promoted = before.promoted;
    restore_promoted(l->promoted, promoted);
    bsim_cu_go_back(l, &mark);
    return is_known;
}

/* Whether there is a first turn, for certain. */
static bool begins_known_turn(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_loop loop = {.l = l, .node = node};
    struct cu_mark mark = bsim_cu_mark(l);
    bool goes_on = true, is_known = node->kind == CU_DO || condition_is_known(&loop, &goes_on);
    bsim_cu_go_back(l, &mark);
    return is_known && goes_on && !bsim_cu_stops(l);
}

/* How many turns of the loop become one, as nvcc weighs them, and so whether it is unrolled: node->n_known is 0 if
 * nobody can tell, or all of them do. */
static void weigh_loop(struct cu_lowering *l, struct cu_node *node, struct cu_turn *turn)
{
    enum { MOST_TRIED = 200000 };
    node->n_known = 0;
    if (node->left == NULL || node->unroll != CU_UNROLL_BY_SIZE || l->n_tried > MOST_TRIED ||
        !begins_known_turn(l, node) || !weigh_turn(l, node, turn)) {
        *turn = (struct cu_turn){.weight = 0};
        return;
    }
    uint32_t as_one = turn->n > 0 ? bsim_cu_turns_as_one(turn, turn->n) : 0;
    if (as_one != turn->n) {
        node->n_known = turn->n;
        node->as_one = as_one;
    }
}

void bsim_cu_lower_loop(struct cu_lowering *l, struct cu_node *node)
{
    enum { MOST = 1000000 };
    if (node->kind == CU_LOOP && node->body != NULL) {
        bsim_cu_lower_statement(l, node->body);
    }
    if (l->code.n_made > MOST) {
        bsim_cu_fail(l->code.file, node->token, "this kernel becomes too many instructions");
    }
    struct cu_turn turn;
    if (!bsim_cu_is_reached(l)) {
        return;
    }
    struct cu_node *with_exit = bsim_cu_with_exit(l, node);
    if (with_exit != NULL) {
        weigh_loop(l, with_exit, &turn);
        if (unroll(l, with_exit, &turn) || !bsim_cu_is_reached(l)) {
            return;
        }
    }
    weigh_loop(l, node, &turn);
    if (!unroll(l, node, &turn) && bsim_cu_is_reached(l)) {
        roll(l, node);
    }
}
