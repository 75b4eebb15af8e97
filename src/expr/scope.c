/* scope.c - a list of names; see scope.h.
 *
 *     N  tile  row | k  x            the bar is `inner`: a name may stand once behind it
 *
 * Symbols whose braces are closed stay, as ended: "k is known in its loop alone" says more than
 * "unknown name". Those of one hash are linked from the newest back, so that the innermost of a
 * name is found first, and files with 20,000 names are read in no time.
 */
#include "expr/scope.h"

#include "base/memory.h"
#include "base/table.h"

#include <string.h>

enum { FIRST_CAPACITY = 16 }; /* a power of two, as all capacities are */

static const struct bsim_symbol *find(const struct bsim_scope *scope, const char *text,
                                      size_t length, bool has_ended)
{
    if (scope->n == 0) {
        return NULL;
    }
    size_t i = scope->newest[bsim_table_hash_text(text, length) & (scope->capacity - 1)];
    for (; i > 0; i = scope->symbol[i - 1].before) {
        const struct bsim_symbol *symbol = &scope->symbol[i - 1];
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

/* Symbol i becomes the newest of its hash. */
static void link_symbol(struct bsim_scope *scope, size_t i)
{
    struct bsim_symbol *symbol = &scope->symbol[i];
    size_t *newest = &scope->newest[bsim_table_hash_text(symbol->name, strlen(symbol->name)) &
                                    (scope->capacity - 1)];
    symbol->before = *newest;
    *newest = i + 1;
}

static bool grow(struct bsim_scope *scope)
{
    size_t capacity = scope->capacity > 0 ? 2 * scope->capacity : FIRST_CAPACITY;
    size_t *newest = bsim_mem_zeroed(capacity, sizeof *newest);
    struct bsim_symbol *more =
        newest == NULL ? NULL : bsim_mem_resize(scope->symbol, capacity, sizeof *more);
    if (more == NULL) {
        bsim_mem_free(newest);
        return false;
    }
    bsim_mem_free(scope->newest);
    scope->symbol = more;
    scope->newest = newest;
    scope->capacity = capacity;
    for (size_t i = 0; i < scope->n; i++) {
        link_symbol(scope, i);
    }
    return true;
}

bool bsim_scope_add(struct bsim_scope *scope, const struct bsim_symbol *symbol)
{
    if (scope->n == scope->capacity && !grow(scope)) {
        return false;
    }
    scope->symbol[scope->n] = *symbol;
    link_symbol(scope, scope->n++);
    return true;
}

void bsim_scope_forget(struct bsim_scope *scope, size_t n)
{
    while (scope->n > n) {
        const struct bsim_symbol *symbol = &scope->symbol[--scope->n];
        scope->newest[bsim_table_hash_text(symbol->name, strlen(symbol->name)) &
                      (scope->capacity - 1)] = symbol->before;
    }
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
    bsim_mem_free(scope->newest);
    *scope = (struct bsim_scope){.symbol = NULL};
}
