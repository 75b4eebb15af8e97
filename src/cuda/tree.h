/* tree.h - what a file's device code is made of: functions, variables, statements, expressions. */
#ifndef BSIM_CUDA_TREE_H
#define BSIM_CUDA_TREE_H

#include "c/type.h"
#include "cuda/cuda.h"

enum cu_storage {
    CU_LOCAL, /* of a function, its parameters too */
    CU_SHARED,
    CU_DEVICE,   /* __device__, of the file */
    CU_CONSTANT, /* __constant__ */
};

struct cu_variable {
    const char *name;
    const struct cu_type *type;
    const struct cu_token *token; /* where it is declared; NULL: nowhere */
    enum cu_storage storage;
    uint32_t alignment;    /* 0: its type's */
    const char *symbol;    /* in PTX, of what lies in memory */
    struct cu_node *maker; /* the call that makes it, behind its declaration; NULL: none */
    struct cu_node *value; /* initialiser of one of the file's, or of a constant; NULL: none */
    bool is_extern;
    bool is_constant;         /* its value is known while the file is read */
    bool in_memory;           /* of a local one: it cannot be registers (lower.c finds that out) */
    bool is_read;             /* of shared memory: somebody does */
    bool is_told;             /* its symbol is in the text that is written */
    uint32_t slot;            /* where its registers are (lower.c) */
    uint32_t stored;          /* the last store into it, or what it leads to (cu_lowering.n_stores) */
    struct cu_variable *next; /* the function's next parameter, or the module's next variable */
};

enum { CU_WARP_SIZE = 12 }; /* of CU_SPECIAL */

enum cu_node_kind {
    /* expressions */
    CU_INTEGER,  /* number */
    CU_REAL,     /* real */
    CU_VARIABLE, /* variable */
    CU_SPECIAL,  /* number: 0 threadIdx, 3 blockIdx, 6 blockDim, 9 gridDim: of their x; or CU_WARP_SIZE */
    CU_NEGATE,
    CU_COMPLEMENT,
    CU_NOT,
    CU_MULTIPLY, /* these of two operands of the node's type */
    CU_DIVIDE,
    CU_REMAINDER,
    CU_ADD,
    CU_SUBTRACT,
    CU_BIT_AND,
    CU_BIT_OR,
    CU_BIT_XOR,
    CU_SHIFT_LEFT, /* the right one has a type of its own */
    CU_SHIFT_RIGHT,
    CU_EQUAL, /* these of two operands of one type; the result is bool */
    CU_UNEQUAL,
    CU_LESS,
    CU_LESS_EQUAL,
    CU_GREATER,
    CU_GREATER_EQUAL,
    CU_AND, /* && and || */
    CU_OR,
    CU_CHOICE,    /* left ? right : third */
    CU_MOVE,      /* pointer left + integer right */
    CU_APART,     /* pointer left - pointer right */
    CU_INDEX,     /* element right of the array left */
    CU_MEMBER_OF, /* at byte `number` of left */
    CU_ADDRESS,   /* of left */
    CU_TARGET,    /* what the pointer left leads to */
    CU_DECAY,     /* the address of the array left's first element */
    CU_CAST,
    CU_ASSIGN, /* left = right */
    CU_UPDATE, /* left op= right: `body` has the sum of CU_OLD and right, of the right type */
    CU_POST,   /* the same, but its value is what there was */
    CU_OLD,    /* the value of the object that the CU_UPDATE around it changes */
    CU_HELD,   /* of lowering alone: what was computed before (cu_lowering.held) */
    CU_COMMA,
    CU_TEMPORARY, /* variable, an object without a name: of the value left, then `right` is done */
    CU_CALL,      /* function, with arguments in the list `body` */
    CU_BUILTIN,   /* number: of the table of parse_builtin.c; arguments in the list `body` */
    CU_LIST, /* { ... }: one for each element or member in the list `body`; zeros for those behind */
    CU_ZERO,     /* zeros of any type */
    CU_NO_VALUE, /* an empty statement, an expression of void */
    /* statements */
    CU_BLOCK,   /* the list `body` */
    CU_DECLARE, /* variable, with the value left or NULL */
    CU_EXPRESSION,
    CU_IF,     /* left, right, third */
    CU_LOOP,   /* `body` runs first; while left, right, then third */
    CU_DO,     /* right, while left */
    CU_SWITCH, /* left; right, in which cases are `body`'s list by `link` */
    CU_CASE,   /* number, or is_default */
    CU_BREAK,
    CU_CONTINUE,
    CU_RETURN, /* left or NULL */
    CU_ASM, /* text; lists of operands, results in `body`, values in `third`: each a constraint in text, and
               left; is_default: it changes memory */
};

/* How a loop is unrolled: what #pragma unroll says. */
enum { CU_UNROLL_BY_SIZE = -1, CU_UNROLL_ALL = 0 };

struct cu_node {
    enum cu_node_kind kind;
    const struct cu_type *type; /* of expressions */
    const struct cu_token *token;
    struct cu_node *left, *right, *third, *body;
    struct cu_node *next; /* in a list */
    struct cu_node *link; /* the next case of a switch */
    struct cu_variable *variable;
    struct cu_function *function;
    uint64_t number;
    double real;
    const char *text;
    bool is_default;
    uint32_t n_known, as_one; /* of a loop that is not unrolled: its turns, if they are known, and how many become one */
    int64_t unroll; /* 1: not at all, N: by N */
};

struct cu_function {
    const char *name;
    const char *symbol; /* mangled */
    uint32_t hash;      /* of the symbol */
    const struct cu_type *result;
    const struct cu_token *token;       /* its name */
    const struct cu_token *body_tokens; /* '{'; NULL: declared alone */
    struct cu_variable *parameters;     /* in order */
    struct cu_node *body;               /* read when it is first asked for */
    struct cu_scope *scope;             /* what its body sees; template parameters among them */
    bool is_kernel, is_used, is_constructor, is_static, is_constexpr;
    bool is_default;    /* what the compiler has for it will do: a copy */
    bool is_being_read; /* its body is */
    uint32_t n_evaluated,
        n_nested;                /* computations of its value while the file is read: ever, now */
    bool copies;                 /* a lambda: what it uses of the function around it */
    struct cu_node *captured;    /* these copies, CU_TEMPORARY each */
    const struct cu_token *call; /* the first of it, in the function `caller` */
    const struct cu_function *caller;
    const struct cu_type
        *owner;        /* the struct that it is a function of; `this` is its first parameter */
    const char *space; /* the namespaces that it stands in, mangled */
    const struct cu_argument *argument; /* of a template's */
    uint32_t n_arguments;
    uint32_t max_threads, min_blocks; /* __launch_bounds__, 0: not said */
    bool has_mathematics;             /* of a kernel: prelude.c's, whose last bits are its own */
    const struct cu_token *turns,
        *ways;                /* a loop or if where nvcc makes fewer accesses; NULL: none */
    struct cu_function *next; /* of the module */
};

/* constant.c: the whole number that is known while the file is read. */
bool bsim_cu_constant(const struct cu_node *node, uint64_t *value);
/* Whether the relation holds, and what an operation of two whole numbers of the type makes
 * (each extended to 64 bits); false: it has no value. */
bool bsim_cu_holds(enum cu_node_kind relation, bool is_less, bool is_equal);
bool bsim_cu_fold(enum cu_node_kind operation, const struct cu_type *type, uint64_t a, uint64_t b,
                  uint64_t *value);

struct cu_module {
    struct cu_file *file;
    struct cu_function *functions;
    struct cu_variable *variables; /* in memory, those declared in functions too */
    uint32_t n_lambdas;
};

#endif
