/* check.h - what a check consists of: statements, and what sealing makes of them. */
#ifndef BSIM_EXPR_CHECK_H
#define BSIM_EXPR_CHECK_H

#include "expr/parse.h"

#include <banksim/expr.h>

enum bsim_check_word {
    BSIM_WORD_BLOCK,
    BSIM_WORD_GRID,
    BSIM_WORD_BLOCKIDX,
    BSIM_WORD_WARP,
    BSIM_WORD_DEFINE,
    BSIM_WORD_STRUCT,
    BSIM_WORD_UNION,
    BSIM_WORD_TYPEDEF,
    BSIM_WORD_SHARED,
    BSIM_WORD_FOR,
    BSIM_WORD_LET,
    BSIM_WORD_IF,
    BSIM_WORD_LOAD,
    BSIM_WORD_STORE,
    BSIM_WORD_ATOMIC,
    BSIM_WORD_LDMATRIX,
    BSIM_WORD_STMATRIX,
    BSIM_WORD_EXPECT,
    BSIM_N_WORDS,
};

/* One statement, as it was added. What follows its word is source.text[at .. source.length). */
struct bsim_statement {
    struct bsim_statement *next;
    enum bsim_check_word word;
    struct bsim_source source;
    size_t at;
    uint32_t unit; /* 0: added by itself; else number of the text that it is from */
};

/* A loop's values: start, start + step, ...; or value[0], value[1], ... */
struct bsim_loop {
    const int64_t *value; /* or NULL */
    int64_t start, step;
    uint64_t n;
};

struct bsim_access {
    struct bsim_check_access shown;
    const struct bsim_node *node; /* evaluates to the address */
    uint32_t alignment;
    const char *type_name; /* what needs the alignment */
};

struct bsim_expectation_plan {
    struct bsim_check_expectation shown;
    const struct bsim_node *node;
};

struct bsim_check {
    struct bsim_arena arena;
    struct bsim_statement *first, *last;
    uint32_t n_units;
    bool sealed, broken;
    struct bsim_scope scope;
    struct bsim_kernel kernel;
    struct bsim_dim3 block;
    uint32_t warp; /* the only one that is looked at, or BSIM_ALL_WARPS */
    struct bsim_check_array *array;
    size_t n_arrays, arrays_capacity;
    size_t n_lets;
    struct bsim_loop *loop;
    const char **loop_name;
    size_t n_loops;
    const struct bsim_node **condition;
    size_t n_conditions;
    struct bsim_access *access;
    size_t n_accesses;
    struct bsim_expectation_plan *expectation;
    size_t n_expectations;
};

/* True for the words that name an access. */
bool bsim_check_is_access(enum bsim_check_word word);

/* Each reads one statement, from its first token on, into the check (layout.c, access.c, expect.c).
 * False after a failure, which parse has. */
bool bsim_check_declare(struct bsim_check *check, struct bsim_parse *parse);
bool bsim_check_read_access(struct bsim_check *check, struct bsim_parse *parse,
                            const struct bsim_statement *statement);
bool bsim_check_read_expectation(struct bsim_check *check, struct bsim_parse *parse,
                                 const struct bsim_statement *statement);

/* Places what is of unknown size behind everything else, and settles the window. */
bool bsim_check_settle(struct bsim_check *check, struct bsim_parse *parse);

/* A copy of source.text[at .. end) without blanks around it, a semicolon behind it and control
 * characters; NULL when memory is short. */
const char *bsim_check_copy(struct bsim_check *check, const struct bsim_source *source, size_t at,
                            size_t end);

#endif
