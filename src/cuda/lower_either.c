/* lower_either.c - an address that is one of two, where one at least is of registers.
 *
 *     int &r = t > 5 ? a : b;      no place of memory, and no copy: it is known what decides
 *     r = 3;                       two ways, on each a store to one of both
 *     x = r;                       both values, of which one is chosen
 */
#include "cuda/lower.h"

struct cu_value bsim_cu_as_number(struct cu_lowering *l, struct cu_value address)
{
    if (address.kind == CU_CELLS) {
        bsim_cu_needs_memory(l, &address);
        return bsim_cu_constant_of(CU_I64, 0);
    }
    return bsim_cu_generic(&l->code, address);
}

static struct cu_value either_of(struct cu_lowering *l, struct cu_value condition,
                                 struct cu_value a, struct cu_value b)
{
    if (!bsim_cu_grow(l->code.file, &l->either, l->n_either, sizeof *l->either)) {
        return a;
    }
    l->either[l->n_either++] = (struct cu_either){condition, {a, b}};
    return (struct cu_value){
        .kind = CU_CELLS, .class = CU_I64, .id = CU_FIRST_EITHER + l->n_either - 1};
}

struct cu_value bsim_cu_chosen(struct cu_lowering *l, struct cu_value condition, struct cu_value a,
                               struct cu_value b)
{
    bool has_cells = a.kind == CU_CELLS || b.kind == CU_CELLS;
    bool is_known = condition.kind == CU_CONSTANT_VALUE || bsim_cu_same_value(&a, &b);
    if (is_known || (a.space == b.space && !has_cells)) {
        return bsim_cu_select(&l->code, condition, a, b);
    }
    if (has_cells && a.kind != CU_CONSTANT_VALUE && b.kind != CU_CONSTANT_VALUE) {
        return either_of(l, condition, a, b);
    }
    return bsim_cu_select(&l->code, condition, bsim_cu_as_number(l, a), bsim_cu_as_number(l, b));
}

/* Whether a load from there is none. */
static bool is_at_hand(struct cu_lowering *l, const struct cu_value *address,
                       const struct cu_type *type)
{
    struct cu_available one = {.type = type};
    one.base = bsim_cu_base_of(&l->code, *address, &one.offset);
    return address->kind == CU_CELLS || bsim_cu_find_place(l->available, &one) != NULL;
}

/* What is at hand is loaded from both, and chosen. */
static bool load_both(struct cu_lowering *l, const struct cu_either *either,
                      const struct cu_type *type, struct cu_value *value)
{
    uint32_t n;
    struct cu_value *other = bsim_cu_room_for(l, type, &n);
    if (!is_at_hand(l, &either->place[0], type) || !is_at_hand(l, &either->place[1], type)) {
        return false;
    }
    bsim_cu_load(l, either->place[0], type, NULL, value);
    bsim_cu_load(l, either->place[1], type, NULL, other);
    for (uint32_t i = 0; i < n && !bsim_cu_stops(l); i++) {
        value[i] = bsim_cu_chosen(l, either->condition, value[i], other[i]);
    }
    return true;
}

static void move_either(struct cu_lowering *l, const struct cu_value *address,
                        const struct cu_type *type, struct cu_value *value, bool is_store)
{
    struct cu_join end, way[2];
    struct cu_either either = *bsim_cu_either_of(l, address);
    either.place[0] = bsim_cu_plus(l, either.place[0], address->bits);
    either.place[1] = bsim_cu_plus(l, either.place[1], address->bits);
    if (!is_store && load_both(l, &either, type, value)) {
        return;
    }
    struct cu_value place = bsim_cu_new_slot(l, NULL, type);
    bsim_cu_open(l, &end);
    bsim_cu_open(l, &way[1]);
    bsim_cu_open(l, &way[0]);
    bsim_cu_split_to(l, either.condition, &way[0], &way[1]);
    for (uint32_t k = 0; k < 2 && !bsim_cu_stops(l); k++) {
        bsim_cu_close(l, &way[k]);
        if (is_store) {
            bsim_cu_store(l, either.place[k], type, value);
        } else {
            bsim_cu_load(l, either.place[k], type, NULL, value);
            bsim_cu_store(l, place, type, value);
        }
        bsim_cu_arrive(l, &end);
    }
    bsim_cu_close(l, &end);
    if (!is_store && !bsim_cu_stops(l)) {
        bsim_cu_load(l, place, type, NULL, value);
    }
}

void bsim_cu_load(struct cu_lowering *l, struct cu_value address, const struct cu_type *type,
                  const char *cache, struct cu_value *value)
{
    if (address.kind == CU_CELLS && bsim_cu_either_of(l, &address) != NULL) {
        move_either(l, &address, type, value, false);
    } else {
        bsim_cu_load_plain(l, address, type, cache, value);
    }
}

void bsim_cu_store(struct cu_lowering *l, struct cu_value address, const struct cu_type *type,
                   const struct cu_value *value)
{
    if (address.kind == CU_CELLS && bsim_cu_either_of(l, &address) != NULL) {
        move_either(l, &address, type, (struct cu_value *)(uintptr_t)value, true);
    } else {
        bsim_cu_store_plain(l, address, type, value);
    }
}
