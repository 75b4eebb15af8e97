/* lower_loop.c - loops: unrolled where their conditions are constants, else with registers for what
 * changes in them.
 *
 * A loop is unrolled by running it: as long as its condition is a constant the body is lowered once
 * more. If that takes too many instructions, or the condition is none, all goes back to where the loop
 * began. clang 14 (-O3) unrolls in full what is below 300 instructions then, or four times as many if
 * most of the loop folds; nvcc 13 does much the same. With `#pragma unroll` either takes up to 16,384.
 * Turns that the source does not count are not unrolled, and neither is `#pragma unroll N` where there
 * are more turns. nvcc makes four such turns one: where a turn would not access again what the one before
 * did, the kernel's report says so.
 *
 * Which cells a loop changes is found by lowering it: what differs at its end becomes a register, and
 * the loop is lowered again, until nothing else differs.
 */
#include "cuda/lower.h"

enum { MOST_BY_SIZE = 900, MOST_BY_PRAGMA = 16384, MOST_TURNS = 4096 };

/* The loop at hand: where break and continue lead, and what did so outside. */
struct loop {
    struct cu_lowering *l;
    const struct cu_node *node;
    struct cu_join end;
    struct cu_join *outer, *on_break, *on_continue;
    bool has_exits; /* other than by its condition */
};

static void begin(struct loop *loop)
{
    struct cu_lowering *l = loop->l;
    loop->outer = l->join;
    loop->on_break = l->on_break;
    loop->on_continue = l->on_continue;
    bsim_cu_open(l, &loop->end);
    l->on_break = &loop->end;
}

static void finish(struct loop *loop)
{
    loop->l->on_break = loop->on_break;
    loop->l->on_continue = loop->on_continue;
}

static void lower_body(struct loop *loop)
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

static void lower_step(struct loop *loop)
{
    uint32_t n;
    if (loop->node->kind == CU_LOOP && loop->node->third != NULL && bsim_cu_is_reached(loop->l)) {
        (void)bsim_cu_lower_all(loop->l, loop->node->third, &n);
    }
}

/* ---- unrolled -------------------------------------------------------------------------------- */

static uint32_t limit_of(const struct cu_node *node)
{
    return node->unroll == CU_UNROLL_BY_SIZE ? MOST_BY_SIZE : MOST_BY_PRAGMA;
}

/* Whether the condition is a constant: *goes_on. */
static bool condition_is_known(struct loop *loop, bool *goes_on)
{
    struct cu_value value = bsim_cu_lower(loop->l, loop->node->left);
    *goes_on = value.bits != 0;
    return value.kind == CU_CONSTANT_VALUE;
}

/* One turn after the other. False: it cannot be unrolled, or is too large. */
static bool run_turns(struct loop *loop)
{
    struct cu_lowering *l = loop->l;
    bool is_do = loop->node->kind == CU_DO, goes_on = true;
    uint32_t most = loop->node->unroll > 1 ? (uint32_t)loop->node->unroll : (uint32_t)MOST_TURNS;
    uint32_t limit = l->code.n_made + limit_of(loop->node);
    for (uint32_t turns = 0;; turns++) {
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
        lower_body(loop);
        if (!is_do) {
            lower_step(loop);
        }
        if (!bsim_cu_is_reached(l)) {
            return true;
        }
    }
}

static bool unroll(struct cu_lowering *l, struct cu_node *node)
{
    struct loop loop = {.l = l, .node = node};
    if (node->left == NULL || node->unroll == 1 || node->is_too_large) {
        return false;
    }
    struct cu_mark mark = bsim_cu_mark(l);
    begin(&loop);
    bool is_done = run_turns(&loop) || bsim_cu_stops(l);
    finish(&loop);
    if (is_done) {
        bsim_cu_close(l, &loop.end);
        return true;
    }
    l->join = loop.outer;
    bsim_cu_go_back(l, &mark);
    return false;
}

/* ---- rolled ---------------------------------------------------------------------------------- */

/* What the loop changes, as far as it is known. */
struct changes {
    uint32_t n;
    struct cu_value *begin;  /* the cells before the loop */
    struct cu_value *shape;  /* of those that change, a register's class and space; else nothing */
    struct cu_value *header; /* the cells in its first block */
    const struct cu_available *available;
    bool is_new;
};

static enum cu_space common_space(enum cu_space a, enum cu_space b)
{
    bool is_global = (a == CU_GLOBAL || a == CU_READ_ONLY) && (b == CU_GLOBAL || b == CU_READ_ONLY);
    return a == b ? a : is_global ? CU_GLOBAL : CU_GENERIC;
}

/* The cell has that value, too, on the way back. */
static void widen(struct cu_lowering *l, struct changes *c, uint32_t i,
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

static void enter(struct cu_lowering *l, struct changes *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->shape[i].kind != CU_NOTHING) {
            struct cu_value target =
                bsim_cu_register(&l->code, c->shape[i].class, c->shape[i].space);
            bsim_cu_set(l, target, shaped(l, l->cell[i], &target));
            l->cell[i] = target;
        }
    }
    c->header = bsim_cu_copy_cells(l, c->n);
    l->available = c->available;
    uint32_t block = bsim_cu_new_block(&l->code);
    bsim_cu_go(&l->code, block);
    l->code.at = block;
}

static const struct cu_available *known_in_both(struct cu_lowering *l, struct changes *c)
{
    const struct cu_available *both = NULL;
    for (const struct cu_available *a = c->available; a != NULL; a = a->next) {
        const struct cu_available *b = l->available;
        while (b != NULL && !(a->offset == b->offset && a->type->kind == b->type->kind &&
                              bsim_cu_same_value(&a->base, &b->base) &&
                              bsim_cu_same_value(&a->value, &b->value))) {
            b = b->next;
        }
        if (b == NULL) {
            c->is_new = true;
            continue;
        }
        struct cu_available *copy = bsim_cu_take(l->code.file, sizeof *copy);
        *copy = *a;
        copy->next = both;
        both = copy;
    }
    return both;
}

/* At the end of a turn: whether all that changed was known to. */
static bool is_settled(struct cu_lowering *l, struct changes *c)
{
    c->is_new = false;
    for (uint32_t i = 0; i < c->n && bsim_cu_is_reached(l); i++) {
        const struct cu_value *value = &l->cell[i], *before = &c->header[i];
        bool is_same = bsim_cu_same_value(value, before) && value->space == before->space;
        if (!is_same) {
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
static bool is_set(const struct changes *c, const struct cu_value *value, uint32_t cell)
{
    for (uint32_t i = 0; i < c->n && value->kind == CU_REGISTER; i++) {
        if (i != cell && c->shape[i].kind != CU_NOTHING && c->header[i].id == value->id) {
            return true;
        }
    }
    return false;
}

/* All registers get their values for the next turn at once: what is still to be read goes aside first. */
static void set_all(struct cu_lowering *l, struct changes *c)
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

/* A turn, from the first block to where it goes on with the next. */
static void lower_turn(struct loop *loop)
{
    struct cu_lowering *l = loop->l;
    const struct cu_node *node = loop->node;
    struct cu_join goes_on;
    lower_body(loop);
    lower_step(loop);
    if (node->left != NULL) {
        bsim_cu_open(l, &goes_on);
        if (bsim_cu_is_reached(l)) {
            bsim_cu_lower_branch(l, node->left, &goes_on, &loop->end);
        }
        bsim_cu_close(l, &goes_on);
    }
}

/* Whether a turn behind the one that ends here would make fewer accesses: it knows what that one did. */
static bool shares(struct loop *loop, const struct cu_hoisted *h, uint32_t n_accesses)
{
    struct cu_lowering *l = loop->l;
    for (uint32_t i = 0; i < h->n; i++) {
        if (h->place[i].keeps_stores && !h->place[i].is_off) {
            return true; /* nvcc loads it again before what is left of four turns */
        }
    }
    struct cu_mark mark = bsim_cu_mark(l);
    uint32_t n = l->n_accesses;
    l->on_break = &loop->end;
    lower_body(loop);
    lower_step(loop);
    finish(loop);
    n = l->n_accesses - n;
    bsim_cu_go_back(l, &mark);
    return n < n_accesses;
}

/* The loop, from where its first turn begins. False: it is to be lowered anew, with what was found. */
static bool run_rolled(struct cu_lowering *l, const struct cu_node *node, struct cu_hoisted *h)
{
    enum { MOST_ROUNDS = 8 };
    struct cu_mark mark = bsim_cu_mark(l);
    struct changes c = {.n = l->n_cells, .available = l->available, .begin = mark.cell};
    c.shape = bsim_cu_take_many(l->code.file, c.n, sizeof *c.shape); /* CU_NOTHING each */
    for (;;) {
        struct loop loop = {.l = l, .node = node};
        enter(l, &c);
        uint32_t header = l->code.at;
        uint32_t n_accesses = l->n_accesses, n_barriers = l->n_barriers;
        begin(&loop);
        lower_turn(&loop);
        finish(&loop);
        if (is_settled(l, &c) || bsim_cu_stops(l)) {
            bool is_plain = !loop.has_exits && node->left != NULL && bsim_cu_is_reached(l);
            if (is_plain && h->n_rounds++ < MOST_ROUNDS && bsim_cu_find_hoisted(l, h, header)) {
                return false;
            }
            if (is_plain && node->unroll != 1 && n_barriers == l->n_barriers &&
                shares(&loop, h, l->n_accesses - n_accesses)) {
                l->kernel->turns = node->token;
            }
            set_all(l, &c);
            bsim_cu_go(&l->code, header);
            bsim_cu_close(l, &loop.end);
            return true;
        }
        l->join = loop.outer;
        bsim_cu_go_back(l, &mark);
    }
}

static void roll(struct cu_lowering *l, const struct cu_node *node)
{
    struct cu_hoisted *h = bsim_cu_take(l->code.file, sizeof *h);
    struct cu_mark mark = bsim_cu_mark(l);
    struct cu_join out, first, *outer = l->join;
    struct cu_promoted *promoted = l->promoted;
    h->first = l->code.n_registers;
    for (bool is_done = false; !is_done;) {
        bsim_cu_open(l, &out);
        if (node->left != NULL && node->kind == CU_LOOP) {
            bsim_cu_open(l, &first);
            bsim_cu_lower_branch(l, node->left, &first, &out);
            bsim_cu_close(l, &first);
        }
        l->code.token = node->token;
        bsim_cu_hoist(l, h);
        is_done = !bsim_cu_is_reached(l) || run_rolled(l, node, h);
        if (!is_done) {
            l->join = outer;
            l->promoted = promoted;
            bsim_cu_go_back(l, &mark);
        }
    }
    bsim_cu_put_back(l, h, promoted);
    bsim_cu_arrive(l, &out);
    bsim_cu_close(l, &out);
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
    if (bsim_cu_is_reached(l) && !unroll(l, node) && bsim_cu_is_reached(l)) {
        roll(l, node);
    }
}
