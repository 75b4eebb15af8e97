/* macro.h - names that stand for tokens. */
#ifndef BSIM_C_MACRO_H
#define BSIM_C_MACRO_H

#include "c/token.h"

struct cu_macro {
    const struct cu_token *name;
    bool has_parameters; /* F(x): it is one only where a ( follows */
    bool is_variadic;
    uint32_t n_parameters; /* with __VA_ARGS__ */
    const struct cu_token **parameter;
    const struct cu_token *body; /* up to its CU_END */
    struct cu_macro *next;
};

enum { CU_MACRO_BUCKETS = 256 };

struct cu_macros {
    struct cu_file *file;
    struct cu_macro *bucket[CU_MACRO_BUCKETS];
    uint32_t n_tokens, most; /* that they made, and may make */
    uint32_t depth;
    bool
        keeps_arguments; /* what stands in a macro's arguments is placed there, not where the macro is */
    const char *whole;           /* what `most` is for, in the message: "this file" */
    struct cu_token *end;        /* to end lists with */
    const struct cu_token *last; /* of the last use that was replaced: its name, or its ) */
};

/* Tokens, one behind the other. */
struct cu_list {
    struct cu_token *first, **end;
};

void bsim_cu_begin_macros(struct cu_macros *m, struct cu_file *file, uint32_t most,
                          const char *whole);

/* Adds the token itself, of a list that is not needed any longer. */
void bsim_cu_move(struct cu_macros *m, struct cu_list *list, struct cu_token *token);

/* Adds a copy of the token, and of those up to CU_END. */
struct cu_token *bsim_cu_append(struct cu_macros *m, struct cu_list *list,
                                const struct cu_token *token);
void bsim_cu_append_all(struct cu_macros *m, struct cu_list *list, const struct cu_token *tokens);

/* definition = name [parameters] body, up to CU_END. NULL after a failure. */
struct cu_macro *bsim_cu_define(struct cu_macros *m, struct cu_token *token);
void bsim_cu_undefine(struct cu_macros *m, const struct cu_token *name);
const struct cu_macro *bsim_cu_find_macro(struct cu_macros *m, const struct cu_token *name);

/* What the token and those behind it become; the token itself if it is no macro here. What the macro
 * stands for are copies, which go on with the tokens behind its use. */
struct cu_token *bsim_cu_expand(struct cu_macros *m, struct cu_token *token);

/* A list up to CU_END with the macros in it replaced. */
struct cu_token *bsim_cu_expand_all(struct cu_macros *m, const struct cu_token *tokens);

#endif
