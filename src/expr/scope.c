/* scope.c - a list of names; see scope.h. They are few: it is searched from front to end. */
#include "expr/scope.h"

#include "base/memory.h"

#include <string.h>

enum { FIRST_CAPACITY = 16 };

const struct bsim_symbol *bsim_scope_find(const struct bsim_scope *scope, const char *text,
                                          size_t length)
{
    for (size_t i = 0; i < scope->n; i++) {
        const char *name = scope->symbol[i].name;
        if (strlen(name) == length && memcmp(name, text, length) == 0) {
            return &scope->symbol[i];
        }
    }
    return NULL;
}

bool bsim_scope_add(struct bsim_scope *scope, const struct bsim_symbol *symbol)
{
    if (scope->n == scope->capacity) {
        size_t capacity = scope->capacity > 0 ? 2 * scope->capacity : FIRST_CAPACITY;
        struct bsim_symbol *more = bsim_mem_resize(scope->symbol, capacity, sizeof *more);
        if (more == NULL) {
            return false;
        }
        scope->symbol = more;
        scope->capacity = capacity;
    }
    scope->symbol[scope->n++] = *symbol;
    return true;
}

void bsim_scope_free(struct bsim_scope *scope)
{
    bsim_mem_free(scope->symbol);
    *scope = (struct bsim_scope){NULL, 0, 0};
}
