/* traceg_opcodes.c - the opcodes of an Accel-Sim trace, each taken apart once; see traceg.h. */
#include "trace/accelsim/traceg.h"

#include "base/memory.h"

#include <string.h>

enum { FIRST_SLOTS = 64 };

/* FNV-1a (Fowler, Noll, Vo), folded. */
static uint32_t hash_text(const char *text, size_t length)
{
    uint32_t hash = UINT32_C(2166136261);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * UINT32_C(16777619);
    }
    return hash ^ hash >> 15;
}

static size_t slot_of(const struct bsim_traceg_opcodes *opcodes, uint32_t hash, const char *text,
                      size_t length)
{
    size_t i = hash & (opcodes->n_slots - 1);
    const struct bsim_traceg_opcode *there;
    while ((there = opcodes->slot[i]) != NULL &&
           (there->length != length || memcmp(there->text, text, length) != 0)) {
        i = (i + 1) & (opcodes->n_slots - 1);
    }
    return i;
}

/* Twice the slots, so that at most half of them are taken. */
static bool grow(struct bsim_traceg_opcodes *opcodes)
{
    size_t n_slots = opcodes->n_slots > 0 ? 2 * opcodes->n_slots : FIRST_SLOTS;
    struct bsim_traceg_opcode **slot = bsim_mem_zeroed(n_slots, sizeof *slot);
    struct bsim_traceg_opcode **list =
        slot != NULL ? bsim_mem_resize(opcodes->list, n_slots / 2, sizeof *slot) : NULL;
    if (list == NULL) {
        bsim_mem_free(slot);
        return false;
    }
    bsim_mem_free(opcodes->slot);
    opcodes->slot = slot;
    opcodes->list = list;
    opcodes->n_slots = n_slots;
    for (uint32_t i = 0; i < opcodes->n; i++) {
        slot[slot_of(opcodes, list[i]->hash, list[i]->text, list[i]->length)] = list[i];
    }
    return true;
}

static struct bsim_traceg_opcode *add(struct bsim_traceg_opcodes *opcodes, uint32_t hash,
                                      const char *text, size_t length)
{
    if (opcodes->n >= opcodes->n_slots / 2 && !grow(opcodes)) {
        return NULL;
    }
    struct bsim_traceg_opcode *opcode = bsim_mem_zeroed(1, sizeof *opcode + length + 1);
    if (opcode == NULL) {
        return NULL;
    }
    opcode->text = memcpy(opcode + 1, text, length);
    opcode->length = length;
    opcode->hash = hash;
    bsim_sass_decode(text, length, &opcode->sass);
    opcodes->list[opcodes->n++] = opcode;
    opcodes->slot[slot_of(opcodes, hash, text, length)] = opcode;
    return opcode;
}

struct bsim_traceg_opcode *bsim_traceg_opcode(struct bsim_traceg_opcodes *opcodes, const char *text,
                                              size_t length, uint64_t line)
{
    uint32_t hash = hash_text(text, length);
    struct bsim_traceg_opcode *found =
        opcodes->n > 0 ? opcodes->slot[slot_of(opcodes, hash, text, length)] : NULL;
    if (found == NULL && (found = add(opcodes, hash, text, length)) != NULL) {
        found->line = line;
    }
    return found;
}

void bsim_traceg_opcodes_clear(struct bsim_traceg_opcodes *opcodes)
{
    for (uint32_t i = 0; i < opcodes->n; i++) {
        bsim_mem_free(opcodes->list[i]);
    }
    bsim_mem_free(opcodes->list);
    bsim_mem_free(opcodes->slot);
    *opcodes = (struct bsim_traceg_opcodes){.n = 0};
}
