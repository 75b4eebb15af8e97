/* place.h - addresses in shared memory as operands have them, and registers that have such a sum wherever a loop begins. */
#ifndef BSIM_SASS_PLACE_H
#define BSIM_SASS_PLACE_H

#include "sass/follow.h"

enum { BSIM_SASS_NO_REGISTER = 255 };

/* The sum of register R so many times, uniform register UR and a number; BSIM_SASS_NO_REGISTER: of none. A number alone is one, too. */
struct bsim_sass_place {
    uint32_t number, scale, uniform, offset;
};

/* A sum of nothing. */
struct bsim_sass_place bsim_sass_nowhere(void);

/* "-0x8" alone: its number, of 32 bits, as addresses are. */
bool bsim_sass_is_number(struct bsim_sass_word word, uint32_t *number);

/* Adds "R4", "R4.X4", "UR4", "0x8", "RZ". False: it is none of these, or a second register of its kind. */
bool bsim_sass_add_term(struct bsim_sass_place *place, struct bsim_sass_word term);

/* [R4+UR5+-0xc] */
bool bsim_sass_read_place(struct bsim_sass_word word, struct bsim_sass_place *place);

bool bsim_sass_is_same_place(const struct bsim_sass_place *a, const struct bsim_sass_place *b);

/* The operand that MOV R4, R5, IMAD.MOV.U32 R4, RZ, RZ, R5 or IMAD.U32 R4, RZ, RZ, UR5 copies; in->n_operands: it is none of these. */
uint32_t bsim_sass_copied_by(const struct bsim_sass_instruction *in);

/* How many registers, from operand 0 on, the instruction sets to the number: MOV R4, 0x8; HFMA2.MMA R4, -RZ, RZ, 0, 5.96e-08; CS2R R4, SRZ, two of them. */
uint32_t bsim_sass_sets_number(const struct bsim_sass_instruction *in, uint32_t *number);

/* Whether register `number` has the sum whenever instruction `head` is come to from elsewhere, by whatever way: behind what has set it to the sum nothing
 * sets it, or what the sum is of, to something else. What stands in the loop that begins at `head` is no matter of this. */
bool bsim_sass_has_sum(struct bsim_sass_walk *walk, const struct bsim_sass_function *f, uint32_t head, uint32_t number, const struct bsim_sass_place *sum);

#endif
