/* traceg_opcodes.c - the opcodes of an Accel-Sim trace, each taken apart once; see traceg.h. */
#include "trace/accelsim/traceg.h"

#include "base/memory.h"

#include <string.h>

static struct bsim_traceg_opcode *add(struct bsim_traceg_opcodes *opcodes, uint32_t hash,
                                      const char *text, size_t length)
{
    uint32_t n = opcodes->table.n;
    struct bsim_traceg_opcode **list = bsim_mem_grow(opcodes->list, n, sizeof *list);
    opcodes->list = list != NULL ? list : opcodes->list;
    struct bsim_traceg_opcode *opcode =
        list != NULL ? bsim_mem_zeroed(1, sizeof *opcode + length + 1) : NULL;
    if (opcode == NULL || !bsim_table_add(&opcodes->table, hash)) {
        bsim_mem_free(opcode);
        return NULL;
    }
    opcode->text = memcpy(opcode + 1, text, length);
    opcode->length = length;
    opcode->hash = hash;
    bsim_sass_decode(text, length, &opcode->sass);
    return list[n] = opcode;
}

struct bsim_traceg_opcode *bsim_traceg_opcode(struct bsim_traceg_opcodes *opcodes, const char *text,
                                              size_t length, uint64_t line)
{
    uint32_t hash = bsim_table_hash_text(text, length), at = hash, item;
    while ((item = bsim_table_next(&opcodes->table, hash, &at)) != 0) {
        struct bsim_traceg_opcode *found = opcodes->list[item - 1];
        if (found->length == length && memcmp(found->text, text, length) == 0) {
            return found;
        }
    }
    struct bsim_traceg_opcode *added = add(opcodes, hash, text, length);
    if (added != NULL) {
        added->line = line;
    }
    return added;
}

void bsim_traceg_opcodes_clear(struct bsim_traceg_opcodes *opcodes)
{
    for (uint32_t i = 0; i < opcodes->table.n; i++) {
        bsim_mem_free(opcodes->list[i]);
    }
    bsim_mem_free(opcodes->list);
    bsim_table_clear(&opcodes->table);
    opcodes->list = NULL;
}
