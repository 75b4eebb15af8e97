/* lower_join.c - where ways of control meet, and going back to where things were.
 *
 * Where the ways that meet have different values for a cell, each copies its own into a register that
 * stands for it from there on. What was computed on one of them is not known behind.
 */
#include "cuda/lower.h"

struct cu_value *bsim_cu_copy_cells(struct cu_lowering *l, uint32_t n)
{
    struct cu_value *copy = bsim_cu_take_many(l->code.file, n, sizeof *copy);
    if (copy != NULL && n > 0) {
        memcpy(copy, l->cell, n * sizeof *copy);
    }
    return copy;
}

void bsim_cu_open(struct cu_lowering *l, struct cu_join *join)
{
    *join = (struct cu_join){
        .n_known = l->code.n_known, .n_cells = l->n_cells, .n_slots = l->n_slots, .outer = l->join};
    l->join = join;
}

void bsim_cu_arrive(struct cu_lowering *l, struct cu_join *join)
{
    if (!bsim_cu_is_reached(l)) {
        return;
    }
    if (!bsim_cu_grow(l->code.file, &join->edge, join->n_edges, sizeof *join->edge)) {
        return;
    }
    join->edge[join->n_edges++] =
        (struct cu_edge){l->code.at, bsim_cu_copy_cells(l, join->n_cells), l->available};
    join->n_at_last = l->code.n_known;
    join->n_forgets = l->code.n_forgets;
    bsim_cu_go(&l->code, CU_NO_BLOCK);
}

void bsim_cu_split(struct cu_lowering *l, struct cu_value condition, uint32_t *yes, uint32_t *no)
{
    *yes = bsim_cu_new_block(&l->code);
    *no = bsim_cu_new_block(&l->code);
    bsim_cu_branch(&l->code, condition, *yes, *no);
}

void bsim_cu_set(struct cu_lowering *l, struct cu_value target, struct cu_value value)
{
    if (value.kind == CU_NOTHING) {
        return;
    }
    struct cu_instruction copy = {
        .op = CU_OP_COPY, .opcode = "mov", .n_arguments = 1, .argument = {value}};
    struct cu_instruction *made = bsim_cu_emit(&l->code, &copy);
    made->n_results = 1;
    made->result[0] = target.id;
}

const struct cu_either *bsim_cu_either_of(const struct cu_lowering *l,
                                          const struct cu_value *address)
{
    return address->id >= CU_FIRST_EITHER ? &l->either[address->id - CU_FIRST_EITHER] : NULL;
}

void bsim_cu_needs_memory(struct cu_lowering *l, const struct cu_value *address)
{
    const struct cu_either *either = bsim_cu_either_of(l, address);
    if (either != NULL) {
        for (uint32_t i = 0; i < 2; i++) {
            if (either->place[i].kind == CU_CELLS) {
                bsim_cu_needs_memory(l, &either->place[i]);
            }
        }
        return;
    }
    struct cu_variable *variable = l->slot[address->id].variable;
    if (variable != NULL) {
        variable->in_memory = variable->in_memory || !l->is_trial;
        l->is_again = true;
    } else {
        bsim_cu_fail(l->code.file, l->code.token,
                     "this takes the address of a value that has none; give it a name first");
    }
}

/* ---- meeting --------------------------------------------------------------------------------- */

static bool is_global(enum cu_space space)
{
    return space == CU_GLOBAL || space == CU_READ_ONLY;
}

/* What the edges' values of a cell have in common. */
struct meeting {
    struct cu_value first; /* CU_NOTHING: no way has one */
    bool is_one;           /* all have that one */
    bool has_cells, is_generic, is_global;
};

static struct meeting look(const struct cu_join *join, uint32_t cell)
{
    struct meeting meeting = {.is_one = true};
    for (uint32_t i = 0; i < join->n_edges; i++) {
        const struct cu_value *value = &join->edge[i].cell[cell];
        if (value->kind == CU_NOTHING) {
            continue;
        }
        if (meeting.first.kind == CU_NOTHING) {
            meeting.first = *value;
        }
        bool is_same = bsim_cu_same_value(&meeting.first, value);
        bool differs = value->space != meeting.first.space;
        meeting.is_one = meeting.is_one && is_same && !differs;
        meeting.has_cells = meeting.has_cells || value->kind == CU_CELLS;
        meeting.is_global = meeting.is_global ||
                            (differs && is_global(value->space) && is_global(meeting.first.space));
        meeting.is_generic = meeting.is_generic || (differs && !meeting.is_global);
    }
    return meeting;
}

/* An address of registers that differs on two ways would have to be a number. */
static void give_up_cells(struct cu_lowering *l, const struct cu_join *join, uint32_t cell)
{
    for (uint32_t i = 0; i < join->n_edges; i++) {
        if (join->edge[i].cell[cell].kind == CU_CELLS) {
            bsim_cu_needs_memory(l, &join->edge[i].cell[cell]);
        }
    }
}

static struct cu_value meet(struct cu_lowering *l, const struct cu_join *join, uint32_t cell)
{
    struct meeting meeting = look(join, cell);
    if (meeting.is_one) {
        return meeting.first;
    }
    if (meeting.has_cells) {
        give_up_cells(l, join, cell);
        return meeting.first;
    }
    bool is_generic = meeting.is_generic;
    enum cu_space space = is_generic          ? CU_GENERIC
                          : meeting.is_global ? CU_GLOBAL
                                              : meeting.first.space;
    struct cu_value target =
        bsim_cu_register(&l->code, is_generic ? CU_I64 : meeting.first.class, space);
    l->code.is_exact = true;
    for (uint32_t i = 0; i < join->n_edges; i++) {
        l->code.at = join->edge[i].block;
        struct cu_value value = join->edge[i].cell[cell];
        bool converts = is_generic && value.kind != CU_NOTHING;
        bsim_cu_set(l, target, converts ? bsim_cu_generic(&l->code, value) : value);
    }
    l->code.is_exact = false;
    return target;
}

bool bsim_cu_is_one_place(const struct cu_available *a, const struct cu_available *b)
{
    return a->offset == b->offset && a->type->kind == b->type->kind &&
           bsim_cu_same_value(&a->base, &b->base);
}

const struct cu_available *bsim_cu_find_place(const struct cu_available *list,
                                              const struct cu_available *place)
{
    while (list != NULL && !bsim_cu_is_one_place(list, place)) {
        list = list->next;
    }
    return list;
}

/* The place's value, where all ways know one: if they differ, in a register. */
static void meet_place(struct cu_lowering *l, const struct cu_join *join,
                       struct cu_available *place)
{
    bool is_one = true;
    for (uint32_t i = 1; i < join->n_edges; i++) {
        const struct cu_available *other = bsim_cu_find_place(join->edge[i].available, place);
        is_one = is_one && bsim_cu_same_value(&other->value, &place->value);
        place->is_stored = place->is_stored && other->is_stored;
    }
    if (is_one) {
        return;
    }
    struct cu_value target = bsim_cu_register(&l->code, place->value.class, CU_GENERIC);
    for (uint32_t i = 0; i < join->n_edges; i++) {
        l->code.at = join->edge[i].block;
        bsim_cu_set(l, target, bsim_cu_find_place(join->edge[i].available, place)->value);
    }
    place->value = target;
}

/* What all ways know of memory. */
static const struct cu_available *meet_memory(struct cu_lowering *l, const struct cu_join *join)
{
    const struct cu_available *all = NULL, *first = join->edge[0].available;
    bool is_one = true;
    for (uint32_t i = 1; i < join->n_edges; i++) {
        is_one = is_one && join->edge[i].available == first;
    }
    if (is_one) {
        return first;
    }
    for (; first != NULL; first = first->next) {
        uint32_t i = 1;
        while (i < join->n_edges && bsim_cu_find_place(join->edge[i].available, first) != NULL) {
            i++;
        }
        if (i == join->n_edges) {
            struct cu_available *copy = bsim_cu_take(l->code.file, sizeof *copy);
            *copy = *first;
            meet_place(l, join, copy);
            copy->next = all;
            all = copy;
        }
    }
    return all;
}

void bsim_cu_close(struct cu_lowering *l, struct cu_join *join)
{
    /* Of one way that came just now, all that it computed is known. */
    bool is_fresh = join->n_edges == 1 && join->n_forgets == l->code.n_forgets;
    bsim_cu_forget(&l->code, is_fresh ? join->n_at_last : join->n_known);
    l->join = join->outer;
    l->n_cells = join->n_cells;
    l->n_slots = join->n_slots;
    l->code.at = CU_NO_BLOCK;
    if (join->n_edges == 0 || bsim_cu_stops(l)) {
        return;
    }
    uint32_t block = join->edge[0].block;
    if (join->n_edges == 1) {
        l->code.block[block].ending = CU_FALLS;
        l->available = join->edge[0].available;
        for (uint32_t i = 0; i < join->n_cells; i++) { /* which may be none at all */
            l->cell[i] = join->edge[0].cell[i];
        }
    } else {
        block = bsim_cu_new_block(&l->code);
        for (uint32_t i = 0; i < join->n_edges; i++) {
            l->code.block[join->edge[i].block].target[0] = block;
        }
        for (uint32_t i = 0; i < join->n_cells && !bsim_cu_stops(l); i++) {
            l->cell[i] = meet(l, join, i);
        }
        l->available = meet_memory(l, join);
    }
    l->code.at = block;
}

/* Each way in a block of its own. */
void bsim_cu_split_to(struct cu_lowering *l, struct cu_value condition, struct cu_join *yes,
                      struct cu_join *no)
{
    uint32_t on_yes, on_no;
    if (!bsim_cu_is_reached(l)) {
        return;
    }
    if (condition.kind == CU_CONSTANT_VALUE) {
        bsim_cu_arrive(l, condition.bits != 0 ? yes : no);
        return;
    }
    bsim_cu_split(l, condition, &on_yes, &on_no);
    l->code.at = on_yes;
    bsim_cu_arrive(l, yes);
    l->code.at = on_no;
    bsim_cu_arrive(l, no);
}

/* ---- going back ------------------------------------------------------------------------------ */

static struct cu_unread *copy_unread(struct cu_lowering *l, const struct cu_unread *list)
{
    struct cu_unread *copy = NULL, **end = &copy;
    for (; list != NULL && !bsim_cu_failed(l->code.file); list = list->next) {
        *end = bsim_cu_take(l->code.file, sizeof **end);
        **end = (struct cu_unread){list->store, list->bytes, NULL};
        end = &(*end)->next;
    }
    return copy;
}

/* Stores that others came over since then have an effect again. */
static void go_back_to_unread(struct cu_lowering *l, const struct cu_mark *mark)
{
    for (; l->overdone != mark->overdone; l->overdone = l->overdone->next) {
        l->overdone->store->has_effect = true;
    }
    l->unread = copy_unread(l, mark->unread);
    l->unread_at = mark->unread_at;
}

struct cu_mark bsim_cu_mark(struct cu_lowering *l)
{
    struct cu_mark mark = {.at = l->code.at,
                           .n_blocks = l->code.n_blocks,
                           .n_known = l->code.n_known,
                           .n_cells = l->n_cells,
                           .n_slots = l->n_slots,
                           .cell = bsim_cu_copy_cells(l, l->n_cells),
                           .available = l->available,
                           .old = l->old,
                           .unread = copy_unread(l, l->unread),
                           .overdone = l->overdone,
                           .unread_at = l->unread_at};
    uint32_t n = 0;
    mark.last = l->code.at != CU_NO_BLOCK ? l->code.block[l->code.at].last : NULL;
    for (const struct cu_join *join = l->join; join != NULL; join = join->outer) {
        n++;
    }
    mark.n_edges = bsim_cu_take_many(l->code.file, n, sizeof *mark.n_edges);
    n = 0;
    for (const struct cu_join *join = l->join; join != NULL && mark.n_edges != NULL;
         join = join->outer) {
        mark.n_edges[n++] = join->n_edges;
    }
    return mark;
}

void bsim_cu_go_back(struct cu_lowering *l, const struct cu_mark *mark)
{
    uint32_t n = 0;
    if (bsim_cu_stops(l)) {
        return;
    }
    l->code.at = mark->at;
    l->code.n_blocks = mark->n_blocks;
    struct cu_code_block *block = &l->code.block[mark->at];
    block->last = mark->last;
    block->ending = CU_FALLS;
    if (mark->last != NULL) {
        mark->last->next = NULL;
    } else {
        block->first = NULL;
    }
    bsim_cu_forget(&l->code, mark->n_known);
    l->n_cells = mark->n_cells;
    l->n_slots = mark->n_slots;
    if (mark->n_cells > 0) {
        memcpy(l->cell, mark->cell, mark->n_cells * sizeof *l->cell);
    }
    l->available = mark->available;
    go_back_to_unread(l, mark);
    l->old = mark->old;
    for (struct cu_join *join = l->join; join != NULL; join = join->outer) {
        join->n_edges = mark->n_edges[n++];
    }
}
