/* follow.h - what comes behind an instruction of machine code, and which registers instructions read and set. */
#ifndef BSIM_SASS_FOLLOW_H
#define BSIM_SASS_FOLLOW_H

#include "sass/dump.h"

/* Where a branch or a call leads: its last operand. */
uint32_t bsim_sass_target(const struct bsim_sass_instruction *in);

/* The instruction at the offset; f->n: none. */
uint32_t bsim_sass_index(const struct bsim_sass_function *f, uint32_t offset);

/* Counts what leads to each instruction: branches, calls, and these to where they come back to. */
void bsim_sass_count_leads(struct bsim_sass_function *f);

/* Instructions that are followed one after another: a mark for each of the function's, and those that are marked and have not been looked at. */
struct bsim_sass_walk {
    uint8_t *is_reached;
    uint32_t *stack, n;
};

/* Has nothing marked but the instruction. */
void bsim_sass_begin(struct bsim_sass_walk *walk, const struct bsim_sass_function *f, uint32_t i);

/* Marks instruction i, if there is one. */
void bsim_sass_mark(struct bsim_sass_walk *walk, const struct bsim_sass_function *f, uint32_t i);

/* Marks what may come behind instruction i, other than in calls. */
void bsim_sass_follow(struct bsim_sass_walk *walk, const struct bsim_sass_function *f, uint32_t i);

/* "R12" alone: its number; false: it is no register, or has a sign or a part. */
bool bsim_sass_is_register(struct bsim_sass_word word, uint32_t *number);

/* The same of "UR4". */
bool bsim_sass_is_uniform(struct bsim_sass_word word, uint32_t *number);

/* "P1" of "P1" and "!P1". */
struct bsim_sass_word bsim_sass_condition_of(struct bsim_sass_word guard);

/* Whether the instruction may set register R, or UR if it is uniform: of what it cannot tell it says so. */
bool bsim_sass_may_set(const struct bsim_sass_instruction *in, uint32_t number, bool is_uniform);

/* Whether somebody may read what register R has behind instruction i - 1. */
bool bsim_sass_is_live(struct bsim_sass_walk *walk, const struct bsim_sass_function *f, uint32_t i, uint32_t number);

#endif
