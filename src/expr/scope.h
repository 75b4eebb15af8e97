/* scope.h - the names that a check declares. */
#ifndef BSIM_EXPR_SCOPE_H
#define BSIM_EXPR_SCOPE_H

#include "expr/tree.h"

/* The innermost symbol named text[0..length), or NULL. */
const struct bsim_symbol *bsim_scope_find(const struct bsim_scope *scope, const char *text,
                                          size_t length);

/* The last symbol of that name whose braces are closed, or NULL. */
const struct bsim_symbol *bsim_scope_find_ended(const struct bsim_scope *scope, const char *text,
                                                size_t length);

/* Adds a symbol, a copy; its name is borrowed. False when memory is short. */
bool bsim_scope_add(struct bsim_scope *scope, const struct bsim_symbol *symbol);

/* Opens braces, and closes them again: `outer` is what opening answered. */
size_t bsim_scope_open(struct bsim_scope *scope);
void bsim_scope_close(struct bsim_scope *scope, size_t outer);

/* Takes back the symbols from number n on. */
void bsim_scope_forget(struct bsim_scope *scope, size_t n);

void bsim_scope_free(struct bsim_scope *scope);

#endif
