/* macro.h - names that stand for tokens. */
#ifndef BSIM_EXPR_MACRO_H
#define BSIM_EXPR_MACRO_H

#include "expr/parse.h"

/* Tokens, one behind the other. A list is not changed any more once something points to it, so that
 * a parser can go back to where it was. */
struct bsim_tokens {
    struct bsim_token token;
    const struct bsim_tokens *next;
};

struct bsim_macro {
    const char *name;
    bool has_parameters; /* F(x): it is one only where a ( follows */
    size_t n_parameters;
    const struct bsim_token *parameter;
    const struct bsim_tokens *body;
    const char *unreadable; /* why it cannot be used, or NULL */
};

/* The macros whose expansion a token comes from, the innermost first. */
struct bsim_hidden {
    const struct bsim_macro *macro;
    bool is_argument; /* it stood in the macro's arguments, not in its body */
    const struct bsim_hidden *outer;
};

/* True if what is at hand is the name of a macro with parameters in its definition: a ( stands
 * right behind it. */
bool bsim_macro_begins(const struct bsim_parse *parse);

/* Reads a definition, from its name on, which was read raw, and adds the macro to the scope. If
 * is_text, that is C's own #define: an = is one of its tokens, and what cannot be read of it is
 * told where the macro is used. Else an = may stand before the tokens. */
bool bsim_macro_define(struct bsim_parse *parse, bool is_text);

/* If a macro's name is at hand, puts what it stands for in its place, but for the first token,
 * which is the next one that bsim_parse_advance finds; *found says so. */
bool bsim_macro_expand(struct bsim_parse *parse, bool *found);

#endif
