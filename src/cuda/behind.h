/* behind.h - what the rooms of behind.c share: the join at hand, and what of its two ways goes behind them. */
#ifndef BSIM_CUDA_BEHIND_H
#define BSIM_CUDA_BEHIND_H

#include "cuda/lower.h"

enum { MOST_PAIRS = 64 };

struct pair {
    const struct cu_instruction *a, *b; /* of either way */
};

struct behinds {
    struct cu_lowering *l;
    struct cu_code *code;
    const uint32_t *order;
    uint32_t n;
    struct cu_flow flow;
    /* of each register: */
    uint32_t n_registers, *n_uses, *n_copies, *at; /* at: the block that makes it */
    /* the join at hand: */
    uint32_t block, from[2], home[2]; /* home: where a way's values are made */
    bool has_bare, is_unrolled; /* the branch is of a loop that was unrolled */
    bool has_others; /* others come where both ways lead: from the block `other` */
    uint32_t other;
    const struct cu_instruction *store[2]; /* that goes behind, too */
    /* what goes behind: */
    struct pair pair[MOST_PAIRS];
    uint32_t n_pairs;
    bool is_stopped, loads;
    uint32_t *with; /* of each register of the first way: that of the second one, 0: none */
    uint32_t *line; /* and the way whose line it has */
};

/* behind_alike.c */
/* Whether both instructions do the same, of whatever. */
bool bsim_cu_does_alike(const struct cu_instruction *a, const struct cu_instruction *b);
/* Whether both ways make the two values alike; *a, *b: by what. */
bool bsim_cu_are_made_alike(const struct behinds *s, const struct cu_value *x, const struct cu_value *y,
                            const struct cu_instruction **a, const struct cu_instruction **b);
/* Whether both are one value, which is there behind the ways, too. */
bool bsim_cu_is_same_behind(const struct behinds *s, const struct cu_value *x, const struct cu_value *y);
/* Whether the value is there behind the way, too: no copy at its end sets it. */
bool bsim_cu_lasts_behind(const struct behinds *s, uint32_t way, const struct cu_value *value);
/* How many operands of the pair differ, from the first one on, that none of the first n pairs makes. */
uint32_t bsim_cu_count_different(const struct behinds *s, const struct pair *pair, uint32_t first, uint32_t n);
/* Notes what goes behind of two that do alike, of their operands from the first one on, beside `weight` others; whether
 * the two go there. */
bool bsim_cu_plan_behind(struct behinds *s, const struct cu_instruction *a, const struct cu_instruction *b, uint32_t first,
                         uint32_t weight);
bool bsim_cu_goes_behind(const struct behinds *s, const struct cu_value *x, const struct cu_value *y);

/* behind_store.c */
/* The last access of the way, if it is a store. */
struct cu_instruction *bsim_cu_last_store(const struct behinds *s, uint32_t block);
/* The block, or where it has nothing the first of those that come there; CU_NO_BLOCK: none. */
uint32_t bsim_cu_leaf_of(const struct behinds *s, uint32_t block);
/* Whether the stores that both ways end with are one behind them. */
bool bsim_cu_may_join_stores(struct behinds *s, const struct cu_instruction *a, const struct cu_instruction *b);

#endif
