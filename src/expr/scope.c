/* scope.c - a list of names; see scope.h. They are few: it is searched from back to front.
 *
 *     N  tile  row | k  x            the bar is `inner`: a name may stand once behind it
 *
 * Symbols whose braces are closed stay, as ended: "k is known in its loop alone" says more than
 * "unknown name".
 */
#include "expr/scope.h"

#include "base/memory.h"

#include <string.h>

enum { FIRST_CAPACITY = 16 };

static const struct bsim_symbol *find(const struct bsim_scope *scope, const char *text,
                                      size_t length, bool has_ended)
{
    for (size_t i = scope->n; i-- > 0;) {
        const struct bsim_symbol *symbol = &scope->symbol[i];
        if (symbol->has_ended == has_ended && strlen(symbol->name) == length &&
            memcmp(symbol->name, text, length) == 0) {
            return symbol;
        }
    }
    return NULL;
}

const struct bsim_symbol *bsim_scope_find(const struct bsim_scope *scope, const char *text,
                                          size_t length)
{
    return find(scope, text, length, false);
}

const struct bsim_symbol *bsim_scope_find_ended(const struct bsim_scope *scope, const char *text,
                                                size_t length)
{
    return find(scope, text, length, true);
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

size_t bsim_scope_open(struct bsim_scope *scope)
{
    size_t outer = scope->inner;
    scope->inner = scope->n;
    return outer;
}

void bsim_scope_close(struct bsim_scope *scope, size_t outer)
{
    for (size_t i = scope->inner; i < scope->n; i++) {
        scope->symbol[i].has_ended = true;
    }
    scope->inner = outer;
}

void bsim_scope_free(struct bsim_scope *scope)
{
    bsim_mem_free(scope->symbol);
    *scope = (struct bsim_scope){NULL, 0, 0, 0};
}
