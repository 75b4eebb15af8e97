/* table.c - a hash table of numbers; see table.h. */
#include "base/table.h"

#include "base/memory.h"

enum { FIRST_SLOTS = 64 };

static void put(struct bsim_table *table, struct bsim_table_slot slot)
{
    uint32_t at = slot.hash;
    while (table->slot[at & (table->n_slots - 1)].item != 0) {
        at++;
    }
    table->slot[at & (table->n_slots - 1)] = slot;
}

/* Twice the slots. */
static bool grow(struct bsim_table *table)
{
    struct bsim_table more = {.n = table->n};
    more.n_slots = table->n_slots > 0 ? 2 * table->n_slots : FIRST_SLOTS;
    more.slot = bsim_mem_zeroed(more.n_slots, sizeof *more.slot);
    if (more.slot == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < table->n_slots; i++) {
        if (table->slot[i].item != 0) {
            put(&more, table->slot[i]);
        }
    }
    bsim_mem_free(table->slot);
    *table = more;
    return true;
}

bool bsim_table_add(struct bsim_table *table, uint32_t hash)
{
    if (table->n >= table->n_slots / 2 && (table->n > UINT32_MAX / 4 || !grow(table))) {
        return false;
    }
    put(table, (struct bsim_table_slot){hash, ++table->n});
    return true;
}

void bsim_table_forget(struct bsim_table *table)
{
    for (uint32_t i = 0; i < table->n_slots; i++) {
        table->slot[i] = (struct bsim_table_slot){0, 0};
    }
    table->n = 0;
}

void bsim_table_clear(struct bsim_table *table)
{
    bsim_mem_free(table->slot);
    *table = (struct bsim_table){.n = 0};
}
