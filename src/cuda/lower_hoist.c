/* lower_hoist.c - a place that a loop loads from or stores to in each turn: loaded before it, stored behind it.
 *
 *     for (i = 0; i < n; i++)        if (0 < n) {
 *         s[t] += w[3] * p[i];           x = s[t], y = w[3];
 *                                        do x += y * p[i++]; while (i < n);
 *                                        s[t] = x;
 *                                    }
 *
 * As nvcc and clang have it, where the address is the same in all turns, each turn comes there, the loop ends
 * by its condition alone (or what is loaded stands before the first way out), and nothing else in it may change the place; of what is not constant no barrier
 * either. If something else may read it, the stores stay, and the loads alone go. Loads of conditions and
 * branches stay where they are.
 *
 * Stores go there in the order in which a turn comes to the places first.
 *
 * What these places are is seen at the end of a turn, by what is known of memory there. Then all goes back to
 * where the loop began: what the addresses are made of is computed before it, and value numbering finds it
 * again in the loop; what is loaded there is known in the loop. If a place proves to be changed otherwise, all
 * goes back once more.
 */
#include "cuda/lower.h"

enum { MOST_DEEP = 16 };

/* What is loaded is the same in all turns if it is a place of the loop's itself, and the kernel's arguments are. */
static bool is_from_memory(const struct cu_instruction *k)
{
    return bsim_cu_accesses(k) && k->argument[0].space != CU_PARAM;
}

static bool hoist(struct cu_code *code, const struct cu_hoisted *h, struct cu_value *value, bool makes, uint32_t depth);

/* What the instruction is a product of, and may become a shift of (shift.c), stands before the loop, too, or is forgotten. */
static void hoist_product(struct cu_code *code, const struct cu_hoisted *h, struct cu_instruction *made, uint32_t depth)
{
    struct cu_value of = {.kind = CU_REGISTER, .class = code->class[made->product_of], .id = made->product_of};
    made->product_of = made->product_of != 0 && hoist(code, h, &of, true, depth) && of.kind == CU_REGISTER ? of.id : 0;
}

/* The value that stands for it before the loop; false: it is made in the loop, by its turns. */
static bool hoist(struct cu_code *code, const struct cu_hoisted *h, struct cu_value *value,
                  bool makes, uint32_t depth)
{
    const struct cu_instruction *from = bsim_cu_definition(code, value);
    if (value->kind != CU_REGISTER || value->id < h->first) {
        return value->kind != CU_CELLS;
    }
    for (uint32_t i = 0; i < h->n_loaded; i++) {
        if (h->loaded[i].id == value->id) {
            value->id = h->loaded[i].stands;
            return value->id != CU_NO_REGISTER;
        }
    }
    if (from == NULL || depth == 0 || is_from_memory(from)) {
        return false;
    }
    struct cu_instruction made = *from;
    for (uint32_t i = 0; i < made.n_arguments; i++) {
        if (!hoist(code, h, &made.argument[i], makes, depth - 1)) {
            return false;
        }
    }
    if (makes) {
        hoist_product(code, h, &made, depth - 1);
        struct cu_value again = bsim_cu_value_of(code, &made, value->class);
        again.space = value->space;
        *value = again;
    }
    return true;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* Whether the place that instruction k leads to is known, and no turn left it out. */
static bool is_known(const struct cu_lowering *l, const struct cu_instruction *k)
{
    bool is_store = k->op == CU_OP_STORE;
    for (uint32_t i = 0; i < (is_store ? 1 : k->n_results); i++) {
        const struct cu_available *a = l->available;
        while (a != NULL && !(a->is_stored == is_store &&
                              a->offset == k->offset + (int64_t)(i * k->type->size) &&
                              bsim_cu_same_value(&a->base, &k->argument[0]) &&
                              (is_store || a->value.id == k->result[i]))) {
            a = a->next;
        }
        if (a == NULL) {
            return false;
        }
    }
    return true;
}

static bool is_tried(const struct cu_hoisted *h, uint32_t n, const struct cu_instruction *k)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct cu_instruction *other = h->place[i].access;
        if (other->op == k->op && h->place[i].token == k->token && other->offset == k->offset) {
            return true;
        }
    }
    return false;
}

static bool may_hoist(struct cu_lowering *l, const struct cu_hoisted *h, uint32_t n_before,
                      const struct cu_instruction *k)
{
    bool is_store = k->op == CU_OP_STORE && k->n_arguments == 2;
    bool is_load = k->op == CU_OP_LOAD && !k->has_effect && k->type != NULL;
    struct cu_value base = k->argument[0];
    return (is_store || is_load) && !k->type->is_volatile && h->n < CU_MOST_HOISTED &&
           !is_tried(h, n_before, k) && hoist(&l->code, h, &base, false, MOST_DEEP) &&
           (is_known(l, k) || bsim_cu_is_harmless(k));
}

/* The place among those from n_before on that the turn has stored to before; NULL: it has not. */
static struct cu_promoted *stored_before(struct cu_hoisted *h, uint32_t n_before, const struct cu_instruction *k)
{
    for (uint32_t i = n_before; i < h->n && k->op == CU_OP_STORE; i++) {
        const struct cu_instruction *other = h->place[i].access;
        if (other->op == CU_OP_STORE && other->offset == k->offset &&
            bsim_cu_same_value(&other->argument[0], &k->argument[0])) {
            return &h->place[i];
        }
    }
    return NULL;
}

/* What load k has in its register, of the one in all rounds: `of` says which result of which place. */
static void note_loaded(struct cu_hoisted *h, uint32_t id, uint32_t of, uint32_t stands)
{
    if (h->n_loaded < CU_MOST_LOADED) {
        h->loaded[h->n_loaded++] = (struct cu_loaded){id, of, stands};
    }
}

void bsim_cu_note_hoisted(struct cu_hoisted *h, const struct cu_instruction *load, const struct cu_promoted *place)
{
    uint32_t of = (uint32_t)(place - h->place) * CU_MAX_RESULTS;
    for (uint32_t i = 0; load->op == CU_OP_LOAD && i < load->n_results; i++) {
        note_loaded(h, load->result[i], of + i, load->result[i]);
    }
}

bool bsim_cu_correct_hoisted(struct cu_hoisted *h)
{
    bool is_wrong = false;
    for (uint32_t i = 0; i < h->n; i++) {
        struct cu_promoted *place = &h->place[i];
        bool is_read = place->is_read && !place->keeps_stores;
        bool is_lost = place->access->op == CU_OP_STORE && place->n_ways == 0;
        is_wrong = is_wrong || (!place->is_off && (place->is_written || is_read || is_lost));
        place->is_off = place->is_off || place->is_written || is_lost;
        place->keeps_stores = place->keeps_stores || is_read;
    }
    return is_wrong;
}

bool bsim_cu_find_hoisted(struct cu_lowering *l, struct cu_hoisted *h, uint32_t header,
                          bool has_exits)
{
    uint32_t n_before = h->n, end = has_exits ? header + 1 : l->code.n_blocks;
    bool is_wrong = bsim_cu_correct_hoisted(h);
    for (uint32_t b = header; b < end && !bsim_cu_stops(l); b++) {
        for (struct cu_instruction *k = l->code.block[b].first; k != NULL; k = k->next) {
            struct cu_promoted *place = stored_before(h, n_before, k);
            if (place != NULL) {
                place->last = k->token;
            } else if ((!has_exits || k->op == CU_OP_LOAD) && may_hoist(l, h, n_before, k)) {
                h->place[h->n] =
                    (struct cu_promoted){.access = k, .token = k->token, .last = k->token, .type = k->type};
                bsim_cu_note_hoisted(h, k, &h->place[h->n++]);
            }
        }
    }
    return is_wrong || h->n > n_before;
}

/* ---- before the loop ------------------------------------------------------------------------- */

/* All that the result was in the rounds before is the register now. */
static void stand_for(struct cu_hoisted *h, uint32_t of, uint32_t id)
{
    for (uint32_t i = 0; i < h->n_loaded; i++) {
        h->loaded[i].stands = h->loaded[i].of == of ? id : h->loaded[i].stands;
    }
    note_loaded(h, id, of, id);
}

static void load_before(struct cu_lowering *l, struct cu_hoisted *h, struct cu_promoted *place)
{
    struct cu_instruction made = *place->access;
    made.argument[0] = place->base;
    for (uint32_t i = 0; i < made.n_results; i++) {
        struct cu_value value =
            bsim_cu_register(&l->code, bsim_cu_class_of(place->type), CU_GENERIC);
        stand_for(h, (uint32_t)(place - h->place) * CU_MAX_RESULTS + i, value.id);
        made.result[i] = value.id;
        bsim_cu_know(
            l, &(struct cu_available){.stands = l->n_stores,
                                      .base = place->base,
                                      .offset = made.offset + (int64_t)(i * place->type->size),
                                      .inside = place->inside,
                                      .type = place->type,
                                      .value = value});
    }
    place->access = bsim_cu_emit(&l->code, &made);
    for (uint32_t i = 0; i < made.n_results && !bsim_cu_stops(l); i++) {
        l->code.definition[made.result[i]] = place->access;
    }
}

static void promote(struct cu_lowering *l, struct cu_promoted *place)
{
    const struct cu_token *token = l->code.token;
    l->code.token = place->token;
    struct cu_value address = bsim_cu_plus(l, place->base, (uint64_t)place->offset), value;
    struct cu_value slot = bsim_cu_new_slot(l, NULL, place->type);
    value = bsim_cu_constant_of(bsim_cu_class_of(place->type), 0);
    if (!place->is_sunk) {
        uint32_t n_accesses = l->n_accesses;
        bsim_cu_load(l, address, place->type, NULL, &value);
        place->is_loaded = l->n_accesses > n_accesses;
        bsim_cu_forget_written(l, address, place->type->size);
    }
    place->cell = l->slot[slot.id].cell;
    l->cell[place->cell] = value;
    place->outer = l->promoted;
    l->promoted = place;
    l->code.token = token;
}

void bsim_cu_hoist(struct cu_lowering *l, struct cu_hoisted *h)
{
    for (uint32_t i = 0; i < h->n_loaded; i++) {
        h->loaded[i].stands = CU_NO_REGISTER;
    }
    for (uint32_t i = 0; i < h->n && !bsim_cu_stops(l); i++) {
        struct cu_promoted *place = &h->place[i];
        place->is_read = place->is_written = false;
        place->n_ways = 0;
        place->base = place->access->argument[0];
        place->offset = place->access->offset;
        place->inside = place->access->inside;
        if (!place->is_off && !hoist(&l->code, h, &place->base, true, MOST_DEEP)) {
            place->is_off = true;
        }
        if (!place->is_off && place->access->op == CU_OP_LOAD) {
            load_before(l, h, place);
        } else if (!place->is_off) {
            promote(l, place);
        }
    }
}

/* Where stores stay nvcc loads the place in front of four turns, unless it knows what is there, and again in
 * front of what is left of them. */
void bsim_cu_reload(struct cu_lowering *l, const struct cu_hoisted *h, bool is_second)
{
    struct cu_promoted *promoted = l->promoted;
    for (uint32_t i = 0; i < h->n && !bsim_cu_stops(l); i++) {
        const struct cu_promoted *place = &h->place[i];
        if (place->access->op == CU_OP_STORE && !place->is_off && place->keeps_stores &&
            (is_second || place->is_loaded)) {
            struct cu_value address = bsim_cu_plus(l, place->base, (uint64_t)place->offset);
            l->code.token = place->token;
            l->promoted = place->outer; /* nobody else comes to the place here */
            bsim_cu_forget_written(l, address, place->type->size);
            bsim_cu_load(l, address, place->type, NULL, &l->cell[place->cell]);
            bsim_cu_forget_written(l, address, place->type->size);
            l->promoted = promoted;
        }
    }
}

/* ---- behind it ------------------------------------------------------------------------------- */

void bsim_cu_put_back(struct cu_lowering *l, struct cu_hoisted *h, struct cu_promoted *outer)
{
    l->promoted = outer;
    for (uint32_t i = 0; i < h->n && bsim_cu_is_reached(l); i++) {
        const struct cu_promoted *place = &h->place[i];
        if (place->access->op == CU_OP_STORE && !place->is_off && !place->keeps_stores) {
            struct cu_value value = l->cell[place->cell];
            l->code.token = place->last;
            bsim_cu_store(l, bsim_cu_plus(l, place->base, (uint64_t)place->offset), place->type,
                          &value);
            struct cu_instruction *last = l->code.at == CU_NO_BLOCK ? NULL : l->code.block[l->code.at].last;
            for (uint32_t way = 0; way < 2 && last != NULL && last->op == CU_OP_STORE; way++) {
                last->way[way] = place->way[way];
            }
        }
    }
}
