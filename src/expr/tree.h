/* tree.h - an expression as a tree: every node has a type and knows its place.
 *
 * Types are settled when a node is made (build.c): the operands of an arithmetic node have one
 * type, conversions are nodes. Objects, that is whatever lies in shared memory, are nodes with
 * is_lvalue: their type is the object's, and what evaluation finds of them is their address.
 */
#ifndef BSIM_EXPR_TREE_H
#define BSIM_EXPR_TREE_H

#include "c/file.h"
#include "c/type.h"

enum bsim_node_kind {
    /* leaves; `number` says which */
    BSIM_NODE_NUMBER,   /* the value itself */
    BSIM_NODE_BUILTIN,  /* an enum bsim_builtin */
    BSIM_NODE_VARIABLE, /* index of the variable */
    BSIM_NODE_VALUE,    /* of an expectation: index */
    BSIM_NODE_INDEX,    /* what data decide; `index` */
    BSIM_NODE_ARRAY,    /* index of the array */
    BSIM_NODE_TYPE,     /* of symbols alone: the name of a type */
    BSIM_NODE_MACRO,    /* of symbols alone: the name of a macro */
    BSIM_NODE_UNKNOWN,  /* what no description can know, an enum bsim_unknown; `why` */
    /* integers from a */
    BSIM_NODE_CONVERT,
    BSIM_NODE_NEGATE,
    BSIM_NODE_COMPLEMENT,
    BSIM_NODE_NOT,
    BSIM_NODE_ABS,
    BSIM_NODE_POPC,
    BSIM_NODE_CLZ,
    BSIM_NODE_FFS,
    BSIM_NODE_BREV,
    /* integers from a and b, as enum cu_operator has them, and three functions of CUDA's */
    BSIM_NODE_MULTIPLY,
    BSIM_NODE_DIVIDE,
    BSIM_NODE_REMAINDER,
    BSIM_NODE_ADD,
    BSIM_NODE_SUBTRACT,
    BSIM_NODE_AND,
    BSIM_NODE_OR,
    BSIM_NODE_XOR,
    BSIM_NODE_SHIFT_LEFT,
    BSIM_NODE_SHIFT_RIGHT,
    BSIM_NODE_EQUAL,
    BSIM_NODE_NOT_EQUAL,
    BSIM_NODE_LESS,
    BSIM_NODE_LESS_EQUAL,
    BSIM_NODE_GREATER,
    BSIM_NODE_GREATER_EQUAL,
    BSIM_NODE_MIN,
    BSIM_NODE_MAX,
    BSIM_NODE_MUL24,
    /* those that leave out an operand in lanes that do not need it */
    BSIM_NODE_LOGICAL_AND,
    BSIM_NODE_LOGICAL_OR,
    BSIM_NODE_CHOOSE, /* a ? b : c; also of addresses */
    /* addresses from the address a */
    BSIM_NODE_FORWARD,  /* b elements of `number` bytes on */
    BSIM_NODE_BACKWARD, /* b elements of `number` bytes back */
    BSIM_NODE_MEMBER,   /* `number` bytes on */
    BSIM_NODE_RETYPE,   /* the same address: &, *, array to pointer, pointer casts; 1: __ldg */
};

enum bsim_unknown {
    BSIM_UNKNOWN_VALUE,  /* a name that nothing declares, a float */
    BSIM_UNKNOWN_OBJECT, /* the value of an object of shared memory: no address */
    BSIM_UNKNOWN_RESULT, /* of a function that nobody knows: it may do anything */
};

enum bsim_builtin {
    BSIM_BUILTIN_THREAD, /* .x, and .y and .z behind it; as the next three */
    BSIM_BUILTIN_BLOCK = BSIM_BUILTIN_THREAD + 3,
    BSIM_BUILTIN_BLOCK_DIM = BSIM_BUILTIN_BLOCK + 3,
    BSIM_BUILTIN_GRID_DIM = BSIM_BUILTIN_BLOCK_DIM + 3,
    BSIM_BUILTIN_LANE = BSIM_BUILTIN_GRID_DIM + 3,
    BSIM_BUILTIN_WARP,
    BSIM_N_BUILTINS,
};

struct bsim_index;

struct bsim_node {
    enum bsim_node_kind kind;
    bool is_lvalue;
    uint32_t depth; /* of the tree below; evaluation recurses that deep */
    const struct cu_source *source;
    size_t at;       /* in the source: the operator, or where the operand begins */
    size_t from, to; /* its text in the source; `to` is 0 where nobody noted it */
    const struct cu_type *type;
    const struct bsim_node *a, *b, *c;
    uint64_t number;
    const struct bsim_index *index;
    const char *why; /* of an unknown value: the message for whoever needs it */
    const char *own; /* the name of the thread's own array that it is an element of, or NULL */
};

static inline bool bsim_node_is_unknown(const struct bsim_node *node)
{
    return node != NULL && node->kind == BSIM_NODE_UNKNOWN;
}

struct bsim_statement;

/* What a name stands for. */
struct bsim_symbol {
    const char *name;
    enum bsim_node_kind kind; /* of the node that its use becomes: a leaf */
    const struct cu_type *type;
    uint64_t number; /* as the node's */
    struct bsim_index *index;
    struct bsim_statement *define; /* while defines are sorted: the first of this name */
    bool is_const;                 /* of a variable */
    bool is_own_array;             /* of an unknown name: an array of the thread's */
    bool has_ended;                /* its braces are closed: known, so that a message can say so */
    size_t before;                 /* of the same hash: index + 1 of the symbol before it, or 0 */
};

/* Names, the innermost last. Those from `inner` on were declared in the braces at hand. */
struct bsim_scope {
    struct bsim_symbol *symbol;
    size_t n, capacity, inner;
    size_t *newest; /* by hash, of `capacity` ones: index + 1 of the last symbol, or 0 */
};

#endif
