/* traceg_tables.c - the opcodes of an Accel-Sim trace, each taken apart once, and the sites of the
 * kernel at hand; see traceg.h. */
#include "trace/traceg.h"

#include "base/memory.h"

#include <string.h>

enum { FIRST_SLOTS = 64 };

/* ---- opcodes ------------------------------------------------------------------------------------ */

/* FNV-1a (Fowler, Noll, Vo), folded. */
static size_t hash_text(const char *text, size_t length)
{
    uint32_t hash = UINT32_C(2166136261);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * UINT32_C(16777619);
    }
    return hash ^ hash >> 15;
}

static size_t opcode_slot(struct bsim_traceg_opcode *const *slot, size_t n_slots, const char *text,
                          size_t length)
{
    size_t i = hash_text(text, length) & (n_slots - 1);
    while (slot[i] != NULL &&
           (slot[i]->length != length || memcmp(slot[i]->text, text, length) != 0)) {
        i = (i + 1) & (n_slots - 1);
    }
    return i;
}

/* Twice the slots, so that at most half of them are taken. */
static bool grow_opcodes(struct bsim_traceg_opcodes *opcodes)
{
    size_t n_slots = opcodes->n_slots > 0 ? 2 * opcodes->n_slots : FIRST_SLOTS;
    struct bsim_traceg_opcode **slot = bsim_mem_zeroed(n_slots, sizeof *slot);
    struct bsim_traceg_opcode **in_order =
        slot != NULL ? bsim_mem_resize(opcodes->in_order, n_slots / 2, sizeof *slot) : NULL;
    if (in_order == NULL) {
        bsim_mem_free(slot);
        return false;
    }
    for (uint32_t i = 0; i < opcodes->n; i++) {
        slot[opcode_slot(slot, n_slots, in_order[i]->text, in_order[i]->length)] = in_order[i];
    }
    bsim_mem_free(opcodes->slot);
    opcodes->slot = slot;
    opcodes->in_order = in_order;
    opcodes->n_slots = n_slots;
    return true;
}

struct bsim_traceg_opcode *bsim_traceg_opcode_add(struct bsim_traceg_opcodes *opcodes,
                                                  const char *text, size_t length)
{
    if (opcodes->n == BSIM_TRACEG_MAX_OPCODES ||
        (opcodes->n >= opcodes->n_slots / 2 && !grow_opcodes(opcodes))) {
        return NULL;
    }
    struct bsim_traceg_opcode *opcode = bsim_mem_zeroed(1, sizeof *opcode + length + 1);
    if (opcode == NULL) {
        return NULL;
    }
    opcode->text = (char *)(opcode + 1);
    opcode->length = length;
    memcpy(opcode->text, text, length);
    opcode->number = opcodes->n;
    bsim_sass_decode(text, length, &opcode->sass);
    opcodes->in_order[opcodes->n++] = opcode;
    opcodes->slot[opcode_slot(opcodes->slot, opcodes->n_slots, text, length)] = opcode;
    return opcode;
}

struct bsim_traceg_opcode *bsim_traceg_opcode_find(const struct bsim_traceg_opcodes *opcodes,
                                                   const char *text, size_t length)
{
    return opcodes->n_slots > 0
               ? opcodes->slot[opcode_slot(opcodes->slot, opcodes->n_slots, text, length)]
               : NULL;
}

void bsim_traceg_opcodes_clear(struct bsim_traceg_opcodes *opcodes)
{
    for (uint32_t i = 0; i < opcodes->n; i++) {
        bsim_mem_free(opcodes->in_order[i]);
    }
    bsim_mem_free(opcodes->in_order);
    bsim_mem_free(opcodes->slot);
    *opcodes = (struct bsim_traceg_opcodes){NULL, 0, 0, NULL};
}

/* ---- sites -------------------------------------------------------------------------------------- */

/* Knuth's golden-ratio multiplier: keys are multiples of an instruction's size. */
static size_t site_slot(struct bsim_traceg_site *const *slot, size_t n_slots, uint64_t key)
{
    size_t i = (size_t)(key * UINT64_C(11400714819323198485) >> 32) & (n_slots - 1);
    while (slot[i] != NULL && slot[i]->key != key) {
        i = (i + 1) & (n_slots - 1);
    }
    return i;
}

static bool grow_sites(struct bsim_traceg_sites *sites)
{
    size_t n_slots = sites->n_slots > 0 ? 2 * sites->n_slots : FIRST_SLOTS;
    struct bsim_traceg_site **slot = bsim_mem_zeroed(n_slots, sizeof *slot);
    if (slot == NULL) {
        return false;
    }
    for (size_t i = 0; i < sites->n_slots; i++) {
        if (sites->slot[i] != NULL) {
            slot[site_slot(slot, n_slots, sites->slot[i]->key)] = sites->slot[i];
        }
    }
    bsim_mem_free(sites->slot);
    sites->slot = slot;
    sites->n_slots = n_slots;
    return true;
}

const struct bsim_site *bsim_traceg_site_find(const struct bsim_traceg_sites *sites, uint64_t key)
{
    if (sites->n_slots == 0) {
        return NULL;
    }
    const struct bsim_traceg_site *found = sites->slot[site_slot(sites->slot, sites->n_slots, key)];
    return found != NULL ? &found->site : NULL;
}

const struct bsim_site *bsim_traceg_site_add(struct bsim_traceg_sites *sites, uint64_t key,
                                             const struct bsim_opcode *opcode, const char *text)
{
    if (sites->n >= sites->n_slots / 2 && !grow_sites(sites)) {
        return NULL;
    }
    size_t length = strlen(text);
    struct bsim_traceg_site *added = bsim_mem_zeroed(1, sizeof *added + length + 1);
    if (added == NULL) {
        return NULL;
    }
    char *copy = (char *)(added + 1);
    memcpy(copy, text, length);
    added->key = key;
    added->site = (struct bsim_site){
        .number = sites->n + 1, .index = sites->n, .opcode = *opcode, .text = copy};
    sites->n++;
    sites->slot[site_slot(sites->slot, sites->n_slots, key)] = added;
    return &added->site;
}

void bsim_traceg_sites_clear(struct bsim_traceg_sites *sites)
{
    for (size_t i = 0; i < sites->n_slots; i++) {
        bsim_mem_free(sites->slot[i]);
    }
    bsim_mem_free(sites->slot);
    *sites = (struct bsim_traceg_sites){NULL, 0, 0};
}
