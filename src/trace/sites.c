/* sites.c - the table of sites; see sites.h. */
#include "trace/sites.h"

#include "base/memory.h"

enum { FIRST_SLOTS = 64 };

/* The slot where number stands or would stand. Numbers are often 1, 2, 3 ... or multiples of an
 * instruction's size: the product (Knuth's golden-ratio multiplier) spreads both. */
static size_t slot_of(struct bsim_site *const *slot, size_t n_slots, uint32_t number)
{
    uint32_t hash = number * UINT32_C(2654435769);
    size_t i = (hash >> 15 ^ hash) & (n_slots - 1);
    while (slot[i] != NULL && slot[i]->number != number) {
        i = (i + 1) & (n_slots - 1);
    }
    return i;
}

const struct bsim_site *bsim_sites_find(const struct bsim_sites *sites, uint32_t number)
{
    if (sites->n_slots == 0) {
        return NULL;
    }
    return sites->slot[slot_of(sites->slot, sites->n_slots, number)];
}

/* Twice the slots, so that at most half of them are taken. */
static bool grow(struct bsim_sites *sites)
{
    size_t n_slots = sites->n_slots > 0 ? 2 * sites->n_slots : FIRST_SLOTS;
    struct bsim_site **slot = bsim_mem_zeroed(n_slots, sizeof *slot);
    if (slot == NULL) {
        return false;
    }
    for (size_t i = 0; i < sites->n_slots; i++) {
        if (sites->slot[i] != NULL) {
            slot[slot_of(slot, n_slots, sites->slot[i]->number)] = sites->slot[i];
        }
    }
    bsim_mem_free(sites->slot);
    sites->slot = slot;
    sites->n_slots = n_slots;
    return true;
}

bool bsim_sites_add(struct bsim_sites *sites, struct bsim_site *site)
{
    if (sites->n >= sites->n_slots / 2 && !grow(sites)) {
        return false;
    }
    site->index = sites->n++;
    sites->slot[slot_of(sites->slot, sites->n_slots, site->number)] = site;
    return true;
}

void bsim_sites_clear(struct bsim_sites *sites)
{
    for (size_t i = 0; i < sites->n_slots; i++) {
        bsim_mem_free(sites->slot[i]);
    }
    bsim_mem_free(sites->slot);
    *sites = (struct bsim_sites){NULL, 0, 0};
}
