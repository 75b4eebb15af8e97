/* loop.h - a loop as it is lowered: what it counts, and what its turns hand on. */
#ifndef BSIM_CUDA_LOOP_H
#define BSIM_CUDA_LOOP_H

#include "cuda/lower.h"

/* A loop whose condition compares what each turn adds a constant to, or what stays, with what stays. */
struct cu_counted {
    enum cu_node_kind relation; /* of that to the other */
    bool is_right;              /* it stands right in the condition */
    int64_t step;
    struct cu_value by; /* the register that is added; CU_NOTHING: the step is */
    uint32_t special;   /* 1 + the special one that it is, which the loop reads; 0: it is none */
    uint32_t n_turns;   /* that become one; 0: none do */
    uint32_t n_known;   /* all of them; 0: nobody knows */
    bool is_rest_first; /* what is left over is done before these, as all begins with what nobody knows */
    uint32_t cell; /* how many of these are still to go */
    uint32_t exit; /* turns of the last of these, which the loop is left behind; 0: all */
};

/* The loop at hand: where break and continue lead, and what did so outside. */
struct cu_loop {
    struct cu_lowering *l;
    const struct cu_node *node;
    struct cu_join end;
    struct cu_join *outer, *on_break, *on_continue;
    uint32_t n_calls_of_loop;
    bool is_weighed;             /* and found to be small enough to be unrolled */
    bool has_exits;              /* other than by its condition */
    const struct cu_counted *as; /* several turns are one; NULL: they are not */
    struct cu_value condition;
};

enum {
    CU_MOST_CARRIED = 8,       /* places whose value the turns of a loop hand on */
    CU_MOST_BY_PRAGMA = 16384, /* instructions of turns that #pragma unroll makes straight code, or one */
};

/* Bits of a whole number that are 0 in all turns of a loop. */
struct cu_range {
    bool is_given;        /* its least number is, by the loop that this is a part of */
    bool is_tried, grows; /* grows: it begins as a signed number that is not negative, and each turn adds such a one */
    uint64_t below;       /* lowest bits, of what it begins with and of what each turn adds */
    uint64_t stays;       /* lowest bits, which each turn leaves as they are */
    uint64_t above;       /* by what its values are, where all are known */
    int64_t least;        /* what it begins with, if it grows and that is known; or 0 */
    int64_t most;         /* if it does: what it is at most, by the loop's condition; or 0 */
    bool is_unbound;      /* that did not bear out */
};

/* What the loop changes, as far as it is known. */
struct cu_changes {
    const struct cu_available *carried[CU_MOST_CARRIED]; /* places whose value each turn hands on */
    uint32_t n_carried, first_carried;                   /* and the first of their cells */
    uint32_t n;
    struct cu_value *begin;  /* the cells before the loop */
    struct cu_value *shape;  /* of those that change, a register's class and space; else nothing */
    struct cu_value *header; /* the cells in its first block */
    struct cu_range *range;  /* of those that change */
    const struct cu_available *available;
    bool is_new;
};

/* lower_range.c */
/* The bits of a register of the class that are 0 in all turns. */
uint64_t bsim_cu_zeros_in(const struct cu_range *range, enum cu_class class);
/* i = 0; i++: as LLVM has it, an int that begins not negative and grows is not negative, and i += 4 is a multiple of 4. Of
 * cell i, at the end of a turn; is_first: it did not change in one before. */
void bsim_cu_find_range(struct cu_lowering *l, struct cu_changes *c, uint32_t i, bool is_first);
/* What the loop's condition says of it. */
void bsim_cu_find_most(const struct cu_loop *loop, struct cu_changes *c, uint32_t i);
/* What was found of a loop goes for its parts, too. */
void bsim_cu_hand_on_ranges(const struct cu_loop *loop, struct cu_hoisted *h, const struct cu_changes *c);

/* lower_count.c */
/* What the loop counts, as one of its turns shows; n_before: the registers that there were in front of it. */
struct cu_counted bsim_cu_find_counted(const struct cu_loop *loop, const struct cu_changes *c, uint32_t n_before, uint32_t header);
/* What a turn weighs, from the header on to the block at hand. */
struct cu_turn bsim_cu_weigh_as_it_stands(const struct cu_loop *loop, const struct cu_changes *c, uint32_t n_before, uint32_t header);
/* How many turns a loop has that has one at least. */
struct cu_value bsim_cu_count_turns(struct cu_lowering *l, const struct cu_node *test, const struct cu_counted *c);
/* Whether to compute it changes a variable, or may change memory: not a call that only makes a number. */
bool bsim_cu_does_change(struct cu_lowering *l, const struct cu_node *node);
/* The comparison that a loop goes on by, when what it does besides has been done: i < n of ++i < n; NULL: nobody knows. */
struct cu_node *bsim_cu_test_when_done(struct cu_lowering *l, struct cu_node *test);

#endif
