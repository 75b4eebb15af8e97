/* lower.h - trees to instructions: what its files have of one another.
 *
 *     lower_join.c       where ways of control meet, and going back
 *     lower_memory.c     objects: in registers, in memory
 *     lower_address.c    their addresses, and those of elements
 *     lower_expr.c       expressions
 *     lower_either.c     addresses that are one of two
 *     weigh.c            what they take
 *     lower_builtin.c    what CUDA has built in
 *     lower_asm.c        asm
 *     lower_call.c       calls, which are inlined
 *     lower_statement.c  statements
 *     lower_loop.c       loops, unrolled or not
 *     lower_range.c      what is known of the numbers that change in them
 *     lower_count.c      what they count, and which of their turns become one
 *     lower_hoist.c      what they load and store at one place in all turns
 *     lower.c            a kernel
 *
 * A kernel is run, as it were, with values that are constants, registers, or nothing yet: a variable is
 * a cell for each scalar in it, and an assignment changes what the cell holds. So indices that a loop
 * counts are constants where it is unrolled, and arrays with such indices are registers. A variable
 * that proves to need memory (an index that is no constant, an address that goes into memory or into a
 * register) is marked so, and the kernel is lowered again from its beginning.
 */
#ifndef BSIM_CUDA_LOWER_H
#define BSIM_CUDA_LOWER_H

#include "cuda/code.h"

/* A scalar of an object. */
struct cu_scalar {
    const struct cu_type *type;
    uint64_t offset; /* bytes */
};

/* A variable's registers. */
struct cu_slot {
    struct cu_variable *variable; /* NULL: a value without a name */
    uint32_t cell, n;
    const struct cu_scalar *scalar;
};

/* An address that is one of two, of registers one at least: it is CU_CELLS from CU_FIRST_EITHER on. */
enum { CU_FIRST_EITHER = 1 << 30 };

struct cu_either {
    struct cu_value condition, place[2];
};

/* What is known to lie in memory. */
struct cu_available {
    struct cu_value base;
    int64_t offset, inside;
    const struct cu_type *type;
    struct cu_value value;
    const struct cu_available *next;
    bool is_stored;  /* by the thread, not loaded */
    uint32_t stands; /* how many stores had been made when it was made known */
};

/* A place that a loop has in a register (lower_hoist.c). */
struct cu_promoted {
    struct cu_value base;
    int64_t offset, inside;
    const struct cu_type *type;
    uint32_t cell;
    bool is_read,
        is_written;    /* by what else may lead there: loads, or stores, atomics and barriers */
    bool keeps_stores; /* the register knows the value alone */
    bool is_sunk;      /* what is stored goes behind a branch; nothing is loaded before it */
    const struct cu_token *way[2]; /* of that: where either way has it */
    bool is_loaded;    /* before the loop: what was there was not known */
    bool is_off;       /* it stays in memory */
    uint32_t n_ways, stored_in; /* blocks that store there; the last of them */
    struct cu_instruction *access;
    const struct cu_token *token, *last; /* the access; and the turn's last store there */
    struct cu_promoted *outer;
};

/* Those of a loop. */
enum { CU_MOST_HOISTED = 128, CU_MOST_LOADED = 256, CU_MOST_RANGED = 8 };
/* A register that a load set in one of the rounds; `stands` has its value in this one, CU_NO_REGISTER: nobody does. */
struct cu_loaded {
    uint32_t id, of, stands;
};

struct cu_hoisted {
    uint32_t first;    /* register of the loop */
    uint32_t n_rounds; /* how often it was lowered */
    struct cu_promoted place[CU_MOST_HOISTED];
    uint32_t n;
    struct cu_loaded loaded[CU_MOST_LOADED];
    uint32_t n_loaded;
    uint32_t ranged[CU_MOST_RANGED], n_ranged; /* cells of which it is known which bits are 0 in all turns */
    uint64_t zeros[CU_MOST_RANGED];
    int64_t least[CU_MOST_RANGED];    /* and the number that they begin at, if they grow; or 0 */
    const struct cu_available *known; /* in each turn from its begin on */
};

/* A struct that was accessed last: in that block its address is a multiple of this. */
struct cu_aligned {
    struct cu_value base;
    int64_t offset;
    uint32_t alignment, block;
};

/* A store of the block at hand that nobody has read from yet. */
struct cu_unread {
    struct cu_instruction *store;
    uint64_t bytes;
    struct cu_unread *next;
};

/* A way that comes to a join. */
struct cu_edge {
    uint32_t block;
    struct cu_value *cell; /* those that the join has */
    const struct cu_available *available;
};

/* A place where ways of control meet. Joins are closed in the opposite order of being opened. */
struct cu_join {
    uint32_t n_known, n_cells, n_slots;
    uint32_t n_at_last,
        n_forgets; /* as the last way came: values known, and how often some were forgotten */
    struct cu_edge *edge;
    uint32_t n_edges;
    struct cu_join *outer;
};

/* On one way of a branch the register has that value: if (t == 0) s[t + 1] is s[1], if (t == n) it is s[n + 1]. */
struct cu_equal {
    uint32_t id;
    struct cu_value value;
    const struct cu_equal *outer;
};

struct cu_lowering {
    struct cu_code code;
    struct cu_module *module;
    struct cu_function *kernel;
    struct cu_value *cell;
    uint32_t n_cells;
    struct cu_slot *slot;
    uint32_t n_slots;
    struct cu_either *either;
    uint32_t n_either;
    const struct cu_available *available;
    uint32_t n_before_turns; /* stores that had been made before the loop at hand of which turns are one */
    uint32_t n_stores, stored; /* made, ever, barriers among them; the last one of those that may lead anywhere */
    struct cu_aligned aligned;
    struct cu_unread *unread;
    uint32_t unread_at;         /* the block of these */
    struct cu_unread *overdone; /* the stores that others came over, the last first */
    struct cu_promoted *promoted;
    uint32_t n_accesses, n_barriers, n_loops; /* made, ever */
    uint32_t unrolled, n_unrolled; /* the loop that is being unrolled, 0: none, and how many were */
    uint32_t first_of_loop;        /* the first register of the loop that is run, 0: none is */
    struct cu_join *join; /* the innermost one that is open */
    struct cu_join *on_break, *on_continue, *on_return;
    uint32_t result_slot; /* of the function that is inlined */
    bool has_result;
    bool is_one_of_two; /* what is lowered is one of an if's two ways */
    struct cu_value old, held; /* CU_OLD, CU_HELD */
    const struct cu_equal *equal; /* what registers are known to have on the way at hand */
    struct cu_function *calls[64];
    uint32_t n_calls, n_calls_of_loop; /* and those that the innermost loop is in */
    struct cu_variable **locals; /* those in memory */
    uint32_t n_locals;
    bool is_again; /* a variable was found to need memory */
    bool is_trial; /* what is lowered is given up in any case: nothing is to be marked */
    uint32_t n_tried; /* instructions that were made for that, and given up */
    struct cu_node *weighed; /* the loop a turn of which is to be weighed */
    struct cu_turn turn;     /* and what it weighs */
};

/* Whether lowering is to end: a failure, or it begins again. */
static inline bool bsim_cu_stops(const struct cu_lowering *l)
{
    return bsim_cu_failed(l->code.file) || l->is_again;
}

/* lower_join.c */
void bsim_cu_open(struct cu_lowering *l, struct cu_join *join);
/* The way at hand comes to the join; nobody goes on from here. */
void bsim_cu_arrive(struct cu_lowering *l, struct cu_join *join);
void bsim_cu_close(struct cu_lowering *l, struct cu_join *join);
static inline bool bsim_cu_is_reached(const struct cu_lowering *l)
{
    return l->code.at != CU_NO_BLOCK && !bsim_cu_stops(l);
}
/* Splits the way: *yes and *no are blocks. */
void bsim_cu_split(struct cu_lowering *l, struct cu_value condition, uint32_t *yes, uint32_t *no);

/* Goes to one of two joins, by a predicate. */
void bsim_cu_split_to(struct cu_lowering *l, struct cu_value condition, struct cu_join *yes,
                      struct cu_join *no);

/* Everything as it was at a point, to go back to. */
struct cu_mark {
    uint32_t at, n_blocks, n_known, n_cells, n_slots;
    struct cu_instruction *last;
    struct cu_value *cell;
    const struct cu_available *available;
    uint32_t *n_edges;
    struct cu_value old;
    struct cu_unread *unread, *overdone;
    uint32_t unread_at;
};
struct cu_mark bsim_cu_mark(struct cu_lowering *l);
void bsim_cu_go_back(struct cu_lowering *l, const struct cu_mark *mark);
struct cu_value *bsim_cu_copy_cells(struct cu_lowering *l, uint32_t n);
/* The register gets the value on the way at hand. */
void bsim_cu_set(struct cu_lowering *l, struct cu_value target, struct cu_value value);
/* NULL: the address is a slot's. */
const struct cu_either *bsim_cu_either_of(const struct cu_lowering *l,
                                          const struct cu_value *address);
/* The variable whose registers the address names needs memory: all begins again. */
void bsim_cu_needs_memory(struct cu_lowering *l, const struct cu_value *address);
/* Whether both are of one place, and what the list knows of the place; NULL: nothing. */
bool bsim_cu_is_one_place(const struct cu_available *a, const struct cu_available *b);
const struct cu_available *bsim_cu_find_place(const struct cu_available *list,
                                              const struct cu_available *place);

/* lower_memory.c */
enum cu_class bsim_cu_class_of(const struct cu_type *type);
/* The scalars of a type, in order, NULL if it has none; *n is 0 if it is too large for registers. */
const struct cu_scalar *bsim_cu_scalars(struct cu_lowering *l, const struct cu_type *type,
                                        uint32_t *n);
/* As many zeros; the array is short, and *n 0, after a failure alone. */
struct cu_value *bsim_cu_room_for(struct cu_lowering *l, const struct cu_type *type, uint32_t *n);
/* Registers for a value of the type; the answer is its address. */
struct cu_value bsim_cu_new_slot(struct cu_lowering *l, struct cu_variable *variable,
                                 const struct cu_type *type);
/* The variable's place, in memory or in new registers. */
struct cu_value bsim_cu_place_of(struct cu_lowering *l, struct cu_variable *variable);
/* All scalars of the object, n of them, at one place. */
void bsim_cu_load_plain(struct cu_lowering *l, struct cu_value address, const struct cu_type *type,
                        const char *cache, struct cu_value *value);
void bsim_cu_store_plain(struct cu_lowering *l, struct cu_value address, const struct cu_type *type,
                         const struct cu_value *value);
/* Another store comes over this one before anybody may have read it: it is none, until the lowering goes back. */
void bsim_cu_store_over(struct cu_lowering *l, struct cu_instruction *store);
void bsim_cu_know(struct cu_lowering *l, const struct cu_available *what);
/* Of the places that the list has not those are forgotten into whose objects something was stored since they were known. */
void bsim_cu_forget_all_but(struct cu_lowering *l, const struct cu_available *list);
/* What other threads may have stored is not known any more; of one's own everything is. */
void bsim_cu_forget_memory(struct cu_lowering *l);
void bsim_cu_forget_written(struct cu_lowering *l, struct cu_value address, uint64_t bytes);
enum { CU_MOST_SPLITS = 6 }; /* sums in sums that are looked through */

/* The variable that the address leads into, NULL: who knows. */
const struct cu_variable *bsim_cu_root_of(const struct cu_code *code, const struct cu_value *value,
                                          uint32_t depth);
/* distance.c: whether the first address, and the offset, is an element of so many bytes or more above the other one in all
 * turns of a loop, as far as nvcc sees it. is_kept: that was found of the loop before some of its turns became one. */
bool bsim_cu_is_above(const struct cu_code *code, const struct cu_value *a, const struct cu_value *b, int64_t bytes,
                      int64_t offset, bool is_kept);
/* And whether bytes there are never those here, as both lead into one object in steps that don't meet. */
struct cu_place_of {
    const struct cu_value *base;
    int64_t offset, bytes, inside;
    bool is_here; /* where the program has it: not in another turn than this one's */
};
bool bsim_cu_is_beside(const struct cu_code *code, const struct cu_place_of *a, const struct cu_place_of *b);
/* inside.c: what stays of an index in it, or of an address; and whether nvcc sees by what is added to one object's address,
 * the lowest bits of which are known, that two don't meet. */
int64_t bsim_cu_inside(const struct cu_code *code, const struct cu_value *index);
int64_t bsim_cu_inside_of(const struct cu_code *code, const struct cu_value *address);
bool bsim_cu_is_apart(const struct cu_code *code, const struct cu_place_of *a, const struct cu_place_of *b);
/* What the address leads into is read somewhere. */
void bsim_cu_note_read(struct cu_lowering *l, const struct cu_value *address);
/* Whether bytes may be of a place that is known. */
bool bsim_cu_may_overlap(struct cu_lowering *l, const struct cu_place_of *place, const struct cu_available *known);
/* Whether what is loaded may be another after k: a store there, a barrier, a shuffle. */
bool bsim_cu_changes(struct cu_lowering *l, const struct cu_instruction *k, const struct cu_instruction *load);
/* A struct of that type is there. */
void bsim_cu_note_struct(struct cu_lowering *l, struct cu_value address,
                         const struct cu_type *type);

/* lower_address.c */
struct cu_value bsim_cu_symbol(struct cu_lowering *l, struct cu_variable *variable);
/* address + index * size of what lies there; the index is of the type. */
struct cu_value bsim_cu_moved(struct cu_lowering *l, struct cu_value address, struct cu_value index,
                              bool is_signed, uint64_t size);
struct cu_value bsim_cu_plus(struct cu_lowering *l, struct cu_value address, uint64_t bytes);

/* lower_either.c */
/* An address as a number: none of registers. */
struct cu_value bsim_cu_as_number(struct cu_lowering *l, struct cu_value address);
/* condition ? a : b, of addresses, too. */
struct cu_value bsim_cu_chosen(struct cu_lowering *l, struct cu_value condition, struct cu_value a,
                               struct cu_value b);
/* All scalars of the object, n of them, at one place or at one of two. */
void bsim_cu_load(struct cu_lowering *l, struct cu_value address, const struct cu_type *type,
                  const char *cache, struct cu_value *value);
void bsim_cu_store(struct cu_lowering *l, struct cu_value address, const struct cu_type *type,
                   const struct cu_value *value);

/* lower_expr.c */
struct cu_value bsim_cu_lower(struct cu_lowering *l, const struct cu_node *node);
/* Of any type: an array of its scalars. */
const struct cu_value *bsim_cu_lower_all(struct cu_lowering *l, const struct cu_node *node,
                                         uint32_t *n);
struct cu_value bsim_cu_address_of(struct cu_lowering *l, const struct cu_node *node);
/* What node is, where the address leads to. */
void bsim_cu_store_all(struct cu_lowering *l, struct cu_value address, const struct cu_node *node);
/* Goes to one of two joins. */
void bsim_cu_lower_branch(struct cu_lowering *l, const struct cu_node *node, struct cu_join *yes,
                          struct cu_join *no);
/* An if that gives values to registers, of what is at hand, without a branch; false: it needs one. */
bool bsim_cu_lower_at_once(struct cu_lowering *l, const struct cu_node *node);
/* Whether to compute it does something besides: a call, an assignment, a shuffle. */
bool bsim_cu_does_more(const struct cu_node *node);
/* Opens these, `end` first, `yes` last, and goes to one of the latter two. */
void bsim_cu_lower_test(struct cu_lowering *l, const struct cu_node *node, struct cu_join *end,
                        struct cu_join *yes, struct cu_join *no);
/* As a cell holds it: booleans are 0 or 1. */
struct cu_value bsim_cu_as_cell(struct cu_lowering *l, const struct cu_type *type,
                                struct cu_value value);

/* weigh.c */
/* So many instructions nvcc 13 makes before it knows whether to. */
enum { CU_MOST_AT_ONCE = 5 };
/* Whether to compute it has no effect, and takes no memory but what is at hand. */
bool bsim_cu_is_simple(const struct cu_node *node);
/* A load from a known place in a variable that is there in any case, perhaps compared with a number. */
bool bsim_cu_is_test_at_hand(const struct cu_node *node);
/* Whether to compute it twice is the same as once. */
bool bsim_cu_is_pure(const struct cu_node *node);
/* An object in memory whose address takes no memory to compute, or a choice of such. */
bool bsim_cu_is_place(const struct cu_node *node);
/* Instructions that it takes if that has no effect, else very many. */
uint32_t bsim_cu_weight_of(const struct cu_node *node);
/* The same, of a statement that gives values to registers, and their number on top of *n. */
uint32_t bsim_cu_weight_of_statement(const struct cu_node *node, uint32_t *n);

/* lower_builtin.c */
struct cu_value bsim_cu_lower_builtin(struct cu_lowering *l, const struct cu_node *node);
/* __ldg and its kin. */
const struct cu_value *bsim_cu_lower_cached(struct cu_lowering *l, const struct cu_node *node,
                                            uint32_t *n);

/* lower_asm.c */
void bsim_cu_lower_asm(struct cu_lowering *l, const struct cu_node *node);

/* lower_call.c */
/* The slot of the result, n scalars. */
const struct cu_value *bsim_cu_lower_call(struct cu_lowering *l, const struct cu_node *node,
                                          uint32_t *n);

/* leave.c: the loop with what memory says about its end as a branch of its turns; NULL: it says nothing. */
struct cu_node *bsim_cu_with_exit(struct cu_lowering *l, const struct cu_node *loop);

/* lower_ways.c */
/* The two ways of a branch: their first blocks, and where they end; CU_NO_BLOCK: nobody comes there. */
struct cu_ways {
    uint32_t begin[2], end[2];
    uint32_t fixed; /* a register that is known to have one value on one of them, or CU_NO_REGISTER */
};
enum { CU_NO_REGISTER = UINT32_MAX >> 1 };
/* Whether the register is among what the value is computed from. */
bool bsim_cu_is_made_of(const struct cu_code *code, const struct cu_value *value, uint32_t id);
/* node->left ? right : third, of which third may be NULL: statements, or with a place values that are stored there.
 * is_one: nvcc makes their stores one before it looks at what the condition says of registers. */
struct cu_ways bsim_cu_lower_ways(struct cu_lowering *l, const struct cu_node *node, const struct cu_value *place,
                                  bool is_one);
/* Whether accesses of both, or stores of two of the blocks behind them, are to one place: nvcc may make one of them. */
bool bsim_cu_may_meet(const struct cu_lowering *l, const struct cu_ways *ways);
/* Whether two of these blocks store to one place: behind several ways, of which each does, nvcc may store once. */
bool bsim_cu_store_alike(const struct cu_code *code, uint32_t from, uint32_t to);
/* Of this instruction and those behind it in its block; NULL: none. */
struct cu_instruction *bsim_cu_last_access(struct cu_instruction *k);

/* lower_statement.c */
void bsim_cu_lower_statement(struct cu_lowering *l, const struct cu_node *node);
void bsim_cu_declare(struct cu_lowering *l, struct cu_variable *variable,
                     const struct cu_node *value);

/* lower_loop.c */
void bsim_cu_lower_loop(struct cu_lowering *l, struct cu_node *node);

/* lower_hoist.c */
/* At the end of a turn that begins with block `header`: whether there are places that are new, or wrong. */
bool bsim_cu_find_hoisted(struct cu_lowering *l, struct cu_hoisted *h, uint32_t header,
                          bool has_exits);
/* Whether some were wrong, which is put right: another round is to be lowered. */
bool bsim_cu_correct_hoisted(struct cu_hoisted *h);
/* The load is of that place, too. */
void bsim_cu_note_hoisted(struct cu_hoisted *h, const struct cu_instruction *load, const struct cu_promoted *place);
void bsim_cu_hoist(struct cu_lowering *l, struct cu_hoisted *h);
void bsim_cu_reload(struct cu_lowering *l, const struct cu_hoisted *h, bool is_second);
void bsim_cu_put_back(struct cu_lowering *l, struct cu_hoisted *h, struct cu_promoted *outer);

/* sink.c: what one way alone wants goes there; the live blocks are in order. */
void bsim_cu_sink(struct cu_lowering *l, const uint32_t *order, uint32_t n);

/* apart.c: a store that both ways end with is in both again where nvcc leaves it there */
void bsim_cu_store_apart(struct cu_lowering *l, const uint32_t *order, uint32_t n);

/* thread.c: ways on which a branch's condition is known lead on at once */
void bsim_cu_thread(struct cu_lowering *l, const uint32_t *order, uint32_t n);

/* carry.c: what was loaded on both ways to a block is not loaded again there */
void bsim_cu_carry(struct cu_lowering *l, const uint32_t *order, uint32_t n);

/* before.c: what one way of a branch loads, and what stands behind it, is loaded once */
void bsim_cu_load_before(struct cu_lowering *l, const uint32_t *order, uint32_t n);

/* behind.c: what both ways of a branch do alike is done behind them */
void bsim_cu_do_behind(struct cu_lowering *l, const uint32_t *order, uint32_t n);

/* choose.c: a branch whose ways do little chooses; which blocks are live is to be found again */
void bsim_cu_choose(struct cu_lowering *l, const uint32_t *order, uint32_t n);
/* Whether the branch at the block's end is one of those. */
bool bsim_cu_is_choice(const struct cu_code *code, const struct cu_flow *flow, uint32_t block);

/* vector.c */
/* Accesses of neighbours in memory become one. */
void bsim_cu_join_neighbours(struct cu_lowering *l, struct cu_code_block *block);

/* print.c */
/* Marks what is of use, and appends the function's text. */
void bsim_cu_print(struct cu_lowering *l, struct bsim_buffer *out);

#endif
