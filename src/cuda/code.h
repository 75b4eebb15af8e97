/* code.h - the instructions that a kernel becomes, in blocks, over registers that are set once.
 *
 * But for those that CU_COPY sets: where ways of control meet, each way copies its value into the same
 * register (PTX has no phi). The value of an instruction that has no effect is found again where
 * another one would compute the same: fold.c makes no instruction twice where one is before the other
 * on all ways.
 */
#ifndef BSIM_CUDA_CODE_H
#define BSIM_CUDA_CODE_H

#include "cuda/tree.h"

enum cu_class { CU_P, CU_I32, CU_I64, CU_F32, CU_F64, CU_N_CLASSES }; /* of registers */

/* Where an address leads. */
enum cu_space {
    CU_GENERIC, /* who knows; what is no address, too */
    CU_GLOBAL,
    CU_READ_ONLY, /* global, through a const __restrict__ parameter */
    CU_SHARED_SPACE,
    CU_CONST,
    CU_LOCAL_SPACE,
    CU_PARAM,
};

enum cu_value_kind {
    CU_NOTHING,        /* undefined */
    CU_CONSTANT_VALUE, /* bits */
    CU_REGISTER,       /* id */
    CU_SYMBOL,         /* the address of `variable`, and bits more */
    CU_CELLS, /* of a variable in registers, slot id, byte bits: an address that no memory has */
};

struct cu_value {
    enum cu_value_kind kind : 8;
    enum cu_class class : 8;
    enum cu_space
        space : 8; /* of an address: where it leads. Shared ones have 32 bits, others 64 */
    uint32_t id;
    uint64_t bits;
    struct cu_variable *variable;
};

enum cu_op {
    CU_OP_MUL, /* these in the order of CU_MULTIPLY and its kin */
    CU_OP_DIV,
    CU_OP_REM,
    CU_OP_ADD,
    CU_OP_SUB,
    CU_OP_AND,
    CU_OP_OR,
    CU_OP_XOR,
    CU_OP_SHL,
    CU_OP_SHR,
    CU_OP_NEG,
    CU_OP_NOT,
    CU_OP_COMPARE,
    CU_OP_SELECT,
    CU_OP_CONVERT,
    CU_OP_WIDE,  /* mul.wide */
    CU_OP_NAME,  /* an address by name, in a register */
    CU_OP_OTHER, /* opcode results, arguments */
    CU_OP_COPY,
    CU_OP_LOAD,  /* results <- [argument 0 + offset] */
    CU_OP_STORE, /* [argument 0 + offset] <- the others */
    CU_OP_ATOMIC,
    CU_OP_ASM, /* the opcode is a text, %0 in it the first operand */
};

enum { CU_MAX_ARGUMENTS = 6, CU_MAX_RESULTS = 4 };

struct cu_instruction {
    enum cu_op op;
    const char *opcode;
    bool is_signed; /* of whole numbers */
    bool has_effect, is_live;
    bool is_unrolled; /* it is of a loop that was */
    bool is_of_address; /* it makes an address of what an index is */
    bool is_index;      /* it is one, as the program has it */
    bool is_fused;      /* a product that went into all its sums */
    bool is_rest;       /* a difference that was x % c */
    uint32_t n_arguments, n_results;
    struct cu_value argument[CU_MAX_ARGUMENTS];
    uint32_t result[CU_MAX_RESULTS];
    int64_t offset;
    const struct cu_type *type; /* of each scalar that is loaded or stored */
    uint32_t turn;              /* in which it was made, as code's */
    int64_t inside; /* of an address, or what accesses it: bytes of its constants that stay in the index to nvcc (inside.c) */
    uint32_t product_of, shifted_by; /* of a difference: the register that it is a product of (shift.c) */
    uint32_t alignment; /* of that address, as the object says which it is in; 0: nobody does */
    struct cu_value *operand; /* of CU_OP_ASM */
    uint32_t n_operands, n_set; /* n_set: the first of them, which it sets though it has no results here */
    const struct cu_token *token;
    const struct cu_token *way[2]; /* of a store behind both ways of a branch: where either had it; NULL: of none */
    struct cu_instruction *next;
};

/* Whether it accesses memory at its first argument. */
static inline bool bsim_cu_accesses(const struct cu_instruction *k)
{
    return k->op == CU_OP_LOAD || k->op == CU_OP_STORE || k->op == CU_OP_ATOMIC;
}

/* How many bytes it accesses; 0: nobody knows. */
static inline uint32_t bsim_cu_element_of(const struct cu_instruction *k)
{
    uint32_t n = k->op == CU_OP_LOAD ? k->n_results : k->op == CU_OP_STORE ? k->n_arguments - 1 : 0;
    return k->type != NULL ? (uint32_t)k->type->size * n : 0;
}

enum cu_ending { CU_FALLS, CU_GOES, CU_BRANCHES, CU_RETURNS };

struct cu_code_block {
    struct cu_instruction *first, *last;
    enum cu_ending ending;
    struct cu_value condition;
    uint32_t
        target[2]; /* blocks: of CU_GOES the first; of CU_BRANCHES if the condition holds, if not */
    const struct cu_token *token;
    bool is_live;        /* print.c */
    bool is_before_loop; /* behind the first test of one */
    bool is_rest;        /* it begins a loop of what turns that became one have left */
    uint32_t turn;       /* in which it branches */
    uint32_t reads;      /* a bit of each special register that is read there by a loop itself */
};

/* A value that is known, for value numbering; those of a bucket lie one behind the other. */
struct cu_known {
    const struct cu_instruction *instruction;
    uint32_t hash, next;
};

/* A register of a loop whose turns are one, of which the lowest bits are those of `begin` in all of them. */
struct cu_staying {
    uint64_t bits; /* a mask of these; 0: none are */
    struct cu_value begin;
    uint32_t n_before; /* the registers that there were before the loop */
};

enum { CU_KNOWN_BUCKETS = 1024, CU_NO_BLOCK = UINT32_MAX };

struct cu_code {
    struct cu_file *file;
    const struct cu_token *token; /* what is being lowered */
    const struct cu_token *place; /* the last such that stands in the file */
    struct cu_code_block *block;
    uint32_t n_blocks, at; /* the block that instructions go to; CU_NO_BLOCK: nobody comes here */
    enum cu_class *class;  /* of registers, from 1 on */
    struct cu_instruction **definition; /* NULL: copies set it */
    uint64_t *zeros; /* of registers that copies set: bits that are known to be 0 in all turns of a loop */
    int64_t *least;  /* of those that a loop counts upwards: the number that it begins at, below 0 where
                        turns are one; 0: who knows */
    int64_t *most;   /* and the last number below where it ends; 0: who knows */
    struct cu_staying *staying; /* of all registers */
    uint32_t n_registers;               /* with the unused 0 */
    uint32_t n_made;                    /* instructions, ever */
    struct cu_known *known;
    uint32_t n_known, bucket[CU_KNOWN_BUCKETS]; /* 1 + the newest one */
    uint32_t n_forgets;
    bool is_unrolled; /* what comes is of such a loop */
    bool is_address;  /* and makes an address */
    uint32_t turn, n_turns; /* of turns of loops that stand one behind the other: the one that is lowered, 0: none; all */
    bool is_exact;    /* no value is found again: what is appended to a block that has ended */
};

/* code.c */
struct cu_value bsim_cu_constant_of(enum cu_class class, uint64_t bits);
/* Of a floating class, rounded to it. */
struct cu_value bsim_cu_constant_real(enum cu_class class, double real);
/* What a constant is as a signed number, or as a floating one. */
int64_t bsim_cu_as_signed(enum cu_class class, uint64_t bits);
double bsim_cu_as_real(const struct cu_value *value);
struct cu_value bsim_cu_register(struct cu_code *code, enum cu_class class, enum cu_space space);
struct cu_instruction *bsim_cu_emit(struct cu_code *code, const struct cu_instruction *instruction);
/* The one result of an instruction without effect, perhaps of an earlier one. */
struct cu_value bsim_cu_value_of(struct cu_code *code, const struct cu_instruction *instruction,
                                 enum cu_class class);
/* The same, of n arguments. */
struct cu_value bsim_cu_operation(struct cu_code *code, enum cu_op op, const char *opcode,
                                  enum cu_class class, const struct cu_value *argument, uint32_t n);
/* threadIdx.x, .y, .z, blockIdx, blockDim and gridDim, 0 to 11, and CU_WARP_SIZE. */
enum { CU_N_SPECIAL = CU_WARP_SIZE + 1 };
struct cu_value bsim_cu_special(struct cu_code *code, uint32_t which);
/* A bit of each of them that the value is made of. */
uint32_t bsim_cu_specials_of(const struct cu_code *code, const struct cu_value *value);
/* An address by name becomes one in a register; loads and stores alone take the name. */
struct cu_value bsim_cu_in_register(struct cu_code *code, const struct cu_value *symbol);
const struct cu_instruction *bsim_cu_definition(const struct cu_code *code,
                                                const struct cu_value *value);
bool bsim_cu_same_value(const struct cu_value *a, const struct cu_value *b);
/* Whether both compute the same of the same. */
bool bsim_cu_is_one_operation(const struct cu_instruction *a, const struct cu_instruction *b);
uint32_t bsim_cu_new_block(struct cu_code *code);
/* Ends the block at hand. */
void bsim_cu_go(struct cu_code *code, uint32_t block);
void bsim_cu_branch(struct cu_code *code, struct cu_value condition, uint32_t yes, uint32_t no);
void bsim_cu_forget(struct cu_code *code, uint32_t n_known);
void bsim_cu_remember(struct cu_code *code, const struct cu_instruction *instruction);
/* The last instruction of a block; and no more one of it. */
/* Whether it may be loaded in any case: from a place in a variable of known size. */
bool bsim_cu_is_harmless(const struct cu_instruction *k);
void bsim_cu_put_last(struct cu_code_block *block, struct cu_instruction *instruction);
void bsim_cu_put_before(struct cu_code_block *block, struct cu_instruction *instruction, struct cu_instruction *other);
void bsim_cu_take_out(struct cu_code_block *block, struct cu_instruction *instruction);
/* The block ends as the other one does. */
void bsim_cu_end_as(struct cu_code_block *block, const struct cu_code_block *other);
/* Whether the instruction, if it is live, takes the register. */
bool bsim_cu_uses(const struct cu_instruction *k, uint32_t id);

/* Adds to n_uses how often what is live in the block, or its branch, takes each register. */
void bsim_cu_count_uses(const struct cu_code_block *block, uint32_t *n_uses);
/* Whoever uses the register, in the n blocks of the order, uses the other one. */
void bsim_cu_replace(struct cu_code *code, const uint32_t *order, uint32_t n, uint32_t id, uint32_t by);
/* The block's copy into the register, the last one; NULL: there is none. */
struct cu_instruction *bsim_cu_copy_in(const struct cu_code *code, uint32_t block, uint32_t id);
/* lower_memory.c: an address in two parts */
struct cu_value bsim_cu_base_of(const struct cu_code *code, struct cu_value address, int64_t *offset);

/* fold.c: values of operations, as constants where they are known */
struct cu_value bsim_cu_compute(struct cu_code *code, enum cu_op op, bool is_signed,
                                struct cu_value a, struct cu_value b);
struct cu_value bsim_cu_compare(struct cu_code *code, enum cu_node_kind relation, bool is_signed,
                                struct cu_value a, struct cu_value b);
struct cu_value bsim_cu_select(struct cu_code *code, struct cu_value condition, struct cu_value a,
                               struct cu_value b);
struct cu_value bsim_cu_negated(struct cu_code *code, struct cu_value a);
struct cu_value bsim_cu_inverted(struct cu_code *code,
                                 struct cu_value a); /* ~, and ! of a predicate */
/* A whole number times the size of what an address counts. */
struct cu_value bsim_cu_scaled(struct cu_code *code, struct cu_value a, uint64_t factor);
/* Whether the value is x op c: *rest and *more. */
bool bsim_cu_is_with(const struct cu_code *code, const struct cu_value *value, enum cu_op op,
                     struct cu_value *rest, uint64_t *more);

/* convert.c: values as those of other types */
/* An integer as one of another class. */
struct cu_value bsim_cu_resized(struct cu_code *code, struct cu_value a, bool is_signed,
                                enum cu_class class);
/* Its lower bits, extended to the class: of a char and a short. */
struct cu_value bsim_cu_narrowed(struct cu_code *code, struct cu_value a,
                                 const struct cu_type *type);
/* Between floating numbers, and these and integers. */
struct cu_value bsim_cu_converted(struct cu_code *code, struct cu_value a,
                                  const struct cu_type *from, const struct cu_type *to);
/* The same bits as another class of the same width. */
struct cu_value bsim_cu_as_class(struct cu_code *code, struct cu_value a, enum cu_class class);
/* An integer of 32 bits times a constant, in 64 bits. */
struct cu_value bsim_cu_wide(struct cu_code *code, struct cu_value a, bool is_signed,
                             uint64_t factor);
/* An address as a generic one of 64 bits. */
struct cu_value bsim_cu_generic(struct cu_code *code, struct cu_value address);

/* shift.c: products of differences that are of use otherwise become shifts of these again: of the live blocks in order. True
 * if there are such, which are all live then. */
bool bsim_cu_shift_differences(struct cu_code *code, const uint32_t *order, uint32_t n);

/* idle.c: branches of which nothing of use comes lead on to where their ways meet: of the live blocks in order. True if
 * there are such, so that fewer blocks are live. */
bool bsim_cu_leave_idle(struct cu_code *code, const uint32_t *order, uint32_t n);

/* limits.c: the least and the largest number that a whole number may be, as a signed one; false: nobody knows */
bool bsim_cu_limits_of(const struct cu_code *code, const struct cu_value *value, int64_t *low, int64_t *high);

/* inside.c: the constant that nvcc has outside of a sum, as its last term, or that of a product of such; 0: none */
int64_t bsim_cu_outside(const struct cu_code *code, const struct cu_value *value);

/* bits.c: the bits of a whole number that are known to be 0, those above its class too */
uint64_t bsim_cu_zeros(const struct cu_code *code, const struct cu_value *value);
/* Whether the bits of a whole number up to the mask's highest one are known: *bits. */
bool bsim_cu_low_bits(const struct cu_code *code, const struct cu_value *value, uint64_t mask, uint64_t *bits);
/* Whether the value is a sum with *low, though it is none as it stands: x | 1 of an even x. */
bool bsim_cu_low_part(const struct cu_code *code, const struct cu_value *value, uint64_t *low);

/* turns.c: a value that a loop's turns hand on, and what a turn weighs */
struct cu_handed {
    struct cu_value begin, in, next; /* before the loop; the register; what the next turn gets */
};
struct cu_turn {
    uint32_t weight, known; /* and of that what is constant where the turn's number is */
    uint32_t last;          /* and of the rest what is of use in the last turn alone */
    bool is_innermost;      /* no loop stands in it */
    uint32_t n;             /* turns; 0: nobody knows yet */
};
/* Of a turn as it stands, from the header on to the block at hand; first: its first register. */
struct cu_turn bsim_cu_weigh_turn(const struct cu_code *code, uint32_t header, uint32_t first,
                                  const struct cu_handed *handed, uint32_t n);
/* What an instruction weighs that is of use: a division 4, the lesser of two whole numbers 2, others 1. */
uint32_t bsim_cu_heaviness_of(const struct cu_instruction *k);
/* How many of n turns become one: all of them, or 1. */
uint32_t bsim_cu_turns_as_one(const struct cu_turn *turn, uint32_t n);

/* flow.c: of the live blocks in order. */
struct cu_coming {
    uint32_t from[2], n; /* those that go there and nowhere else, the first two of them */
};
struct cu_flow {
    uint32_t *place;  /* of each block: its turn */
    uint32_t *above;  /* the last one that all ways to it come through */
    uint32_t *n_ways; /* how many lead there */
    struct cu_coming *come; /* of each block */
};
bool bsim_cu_find_flow(const struct cu_code *code, const uint32_t *order, uint32_t n,
                       struct cu_flow *flow);
/* The last block that all ways to either come through. */
uint32_t bsim_cu_meet(const struct cu_flow *flow, uint32_t a, uint32_t b);
uint32_t bsim_cu_targets_of(const struct cu_code_block *block);
/* Calls visit of each block where two ways meet, neither of which comes from further on, in order. What is computed
 * meanwhile is found again by nobody. */
void bsim_cu_at_joins(struct cu_code *code, const struct cu_flow *flow, const uint32_t *order, uint32_t n,
                      void (*visit)(void *context, uint32_t block), void *context);
/* Whether the block does nothing but copy, and goes on. */
bool bsim_cu_is_bare(const struct cu_code *code, uint32_t block);

/* Where nothing stands in the block but copies, and others come where it leads, and so on: the block whose end comes
 * there, too, in *other, CU_NO_BLOCK where a branch itself leads there. */
bool bsim_cu_others_come(const struct cu_code *code, const struct cu_flow *flow, uint32_t block, uint32_t *other);

/* step.c: what loops would compute in each turn; the live blocks are in order. */
void bsim_cu_step(struct cu_code *code, const uint32_t *order, uint32_t n);

/* basis.c: where a loop's accesses begin: their address in the first turn, without what is constant; the offsets from
 * there that they have; and the size of an element. Gives the address that nvcc begins at, of the same value: one that is
 * computed in the block at hand, or the same. before: the block in front of the loop. */
struct cu_beginning {
    struct cu_value begin;
    const int64_t *offset;
    uint32_t n, size;
};
struct cu_value bsim_cu_begin_on(struct cu_code *code, const struct cu_flow *flow, uint32_t before,
                                 const struct cu_beginning *loop);

/* crowd.c: a loop among the n blocks in order, and whether nvcc reckons with too many values at a time in it. */
struct cu_turns {
    const struct cu_code *code;
    const struct cu_flow *flow;
    const bool *is_in;      /* of each block: it is in the loop */
    const uint32_t *turn;   /* of each register: the loop makes it; 1: it hands it on; 0: it does not */
    const bool *is_counter; /* of each register: each turn adds as much to it */
    uint32_t n_registers, latch; /* the block that goes back */
};
bool bsim_cu_is_crowded(const struct cu_turns *turns, const uint32_t *order, uint32_t n, uint32_t header);
/* Whether the loop's counter is of use there as a number. */
bool bsim_cu_wants_number(const struct cu_turns *turns, const uint32_t *order, uint32_t n, uint32_t id);
/* The loop's counter, and that of a later loop which goes on from it, become one register. is_in: of each block. */
void bsim_cu_share_counter(struct cu_code *code, const uint32_t *order, uint32_t n, const bool *is_in, uint32_t id);

/* narrow.c: of whole numbers of which some bytes are of use these are loaded, of the live blocks in order. */
void bsim_cu_narrow(struct cu_code *code, const uint32_t *order, uint32_t n);

/* divide.c: divisions by constants become products, of the live blocks in order. */
void bsim_cu_divide(struct cu_code *code, const uint32_t *order, uint32_t n);

/* remain.c: of a quotient and a remainder of the same two numbers one is made of the other, of the live blocks in order. */
void bsim_cu_share_divisions(struct cu_code *code, const uint32_t *order, uint32_t n);

/* fuse.c: products go into sums, of floats and of whole numbers; the live blocks are in order. */
void bsim_cu_fuse(struct cu_code *code, const uint32_t *order, uint32_t n);
void bsim_cu_fuse_whole(struct cu_code *code, const uint32_t *order, uint32_t n);

/* near.c: loads stand in front of what takes them first, of the live blocks in order. */
void bsim_cu_put_near(struct cu_code *code, const uint32_t *order, uint32_t n);

/* rank.c: of the live blocks in order. */
void bsim_cu_rank(struct cu_code *code, const uint32_t *order, uint32_t n);

/* short.c: indices of 16 bits are made addresses from these, of the live blocks in order. */
void bsim_cu_shift_shorts(struct cu_code *code, const uint32_t *order, uint32_t n);

/* anew.c: of the live blocks in order. */
void bsim_cu_compare_anew(struct cu_code *code, const uint32_t *order, uint32_t n);

/* share.c: the last step, of the live blocks in order. */
void bsim_cu_share(struct cu_code *code, const uint32_t *order, uint32_t n);

/* past.c: of the live blocks in order. */
void bsim_cu_lead_past(struct cu_code *code, const uint32_t *order, uint32_t n);

static inline bool bsim_cu_is_constant(const struct cu_value *value, uint64_t *bits)
{
    *bits = value->bits;
    return value->kind == CU_CONSTANT_VALUE;
}

static inline bool bsim_cu_is_zero(const struct cu_value *value)
{
    return value->kind == CU_CONSTANT_VALUE && value->bits == 0;
}

static inline uint32_t bsim_cu_class_bytes(enum cu_class class)
{
    return class == CU_P ? 1 : class == CU_I32 || class == CU_F32 ? 4 : 8;
}

#endif
