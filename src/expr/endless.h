/* endless.h - finds a loop that never ends: all variables are what they were at an earlier turn, and what
 * a turn does depends on nothing else. */
#ifndef BSIM_EXPR_ENDLESS_H
#define BSIM_EXPR_ENDLESS_H

#include "expr/eval.h"

/* A loop at work; zeroed before its first turn, freed behind its last. */
struct bsim_endless {
    uint64_t n_turns, kept_at;
    uint32_t mask;              /* the lanes that began the turn that is kept */
    struct bsim_variable *kept; /* all variables then; NULL: none yet */
};

/* A turn begins, in the lanes of mask, with n variables. 0, or how many turns ago everything was as it
 * is. A loop of few turns is not looked at, nor is one for which memory is short. */
uint64_t bsim_endless_turn(struct bsim_endless *endless, uint32_t mask,
                           const struct bsim_variable *variable, size_t n);
void bsim_endless_free(struct bsim_endless *endless);

#endif
