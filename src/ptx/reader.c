/* reader.c - what the files of the reader share. */
#include "ptx/reader.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *bsim_ptx_make(struct bsim_ptx_reader *reader, size_t size)
{
    void *p = bsim_arena_take(&reader->module->arena, size);
    if (p == NULL) {
        bsim_ptx_scan_no_memory(&reader->scan);
    }
    return p;
}

const char *bsim_ptx_token_text(struct bsim_ptx_reader *reader)
{
    const struct bsim_ptx_token *token = &reader->scan.token;
    const char *text = bsim_arena_text(&reader->module->arena, token->text, token->length);
    if (text == NULL) {
        bsim_ptx_scan_no_memory(&reader->scan);
        return "";
    }
    return text;
}

struct bsim_ptx_symbol *bsim_ptx_find_symbol(const struct bsim_ptx_reader *reader, const char *text,
                                             size_t length)
{
    for (uint32_t i = reader->n_symbols; i-- > 0;) {
        const char *name = reader->symbol[i]->name;
        if (strncmp(name, text, length) == 0 && name[length] == '\0') {
            return reader->symbol[i];
        }
    }
    return NULL;
}

bool bsim_ptx_grow(struct bsim_ptx_reader *reader, void *array, uint32_t n, size_t each)
{
    void *grown = bsim_mem_grow(*(void **)array, n, each);
    if (grown == NULL) {
        bsim_ptx_scan_no_memory(&reader->scan);
        return false;
    }
    *(void **)array = grown;
    return true;
}
