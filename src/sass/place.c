/* place.c - addresses in shared memory as operands have them, and registers that have such a sum wherever a loop begins.
 *
 *     0220  VIADD R4, R6, UR5                 in front of the user's loop: from here on R4 is R6 + UR5
 *     0290  LDG.E R11, desc[UR8][R2.64]       its head, to which two ways lead
 *     02b0  LDS R8, [R6+UR5]                  the loop of an atomic: what it loads
 *     02d0  ATOMS.CAST.SPIN R9, [R4], R8, R9  and tries is one word
 *
 * That is so if no way comes to 02b0 on which R4, R6 or UR5 were set to something else and VIADD, or another one that says the same, did not come behind
 * that. So all ways are followed on from where a kernel begins, from each instruction that may set one of them, and from calls, of which it is not known
 * what they set. Ways end at VIADD; where none of them comes to the loop it holds.
 */
#include "sass/place.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = BSIM_SASS_NO_REGISTER };

/* ---- operands -------------------------------------------------------------------------------- */

struct bsim_sass_place bsim_sass_nowhere(void)
{
    return (struct bsim_sass_place){NONE, 1, NONE, 0};
}

bool bsim_sass_is_number(struct bsim_sass_word word, uint32_t *number)
{
    char *end = NULL;
    *number = word.length > 0 ? (uint32_t)strtoll(word.text, &end, 0) : 0;
    return word.length > 0 && end == word.text + word.length;
}

/* "R2.X4": 4, and the term ends in front of the dot; else the scale as it was. */
static uint32_t scale_of(struct bsim_sass_word *term, uint32_t scale)
{
    const char *dot = memchr(term->text, '.', term->length);
    bool is_one = dot != NULL && term->text[0] == 'R' && (size_t)(term->text + term->length - dot) > 2 && dot[1] == 'X';
    term->length = is_one ? (uint32_t)(dot - term->text) : term->length;
    return is_one ? (uint32_t)strtoul(dot + 2, NULL, 10) : scale;
}

bool bsim_sass_add_term(struct bsim_sass_place *place, struct bsim_sass_word term)
{
    uint32_t number;
    if (bsim_sass_same(term, "RZ") || bsim_sass_same(term, "URZ")) {
        return true;
    }
    place->scale = scale_of(&term, place->scale);
    if (bsim_sass_is_register(term, &number)) {
        bool is_first = place->number == NONE;
        place->number = number;
        return is_first;
    }
    if (bsim_sass_is_uniform(term, &number)) {
        bool is_first = place->uniform == NONE;
        place->uniform = number;
        return is_first;
    }
    place->offset += bsim_sass_is_number(term, &number) ? number : 0;
    return bsim_sass_is_number(term, &number);
}

bool bsim_sass_read_place(struct bsim_sass_word word, struct bsim_sass_place *place)
{
    *place = bsim_sass_nowhere();
    bool is_one = word.length > 2 && word.text[0] == '[' && word.text[word.length - 1] == ']';
    for (uint32_t from = 1, to; is_one && from < word.length; from = to + 1) {
        for (to = from; word.text[to] != '+' && word.text[to] != ']'; to++) {
        }
        is_one = bsim_sass_add_term(place, (struct bsim_sass_word){word.text + from, to - from});
    }
    return is_one;
}

bool bsim_sass_is_same_place(const struct bsim_sass_place *a, const struct bsim_sass_place *b)
{
    return a->number == b->number && a->scale == b->scale && a->uniform == b->uniform && a->offset == b->offset;
}

/* ---- what sets a register to a sum ------------------------------------------------------------- */

uint32_t bsim_sass_copied_by(const struct bsim_sass_instruction *in)
{
    bool is_mov = bsim_sass_same(in->opcode, "MOV") && in->n_operands == 2 && in->n_modifiers == 0;
    bool is_imad = bsim_sass_same(in->opcode, "IMAD") && in->n_operands == 4 && in->n_modifiers > 0 &&
                   bsim_sass_same(in->modifier[in->n_modifiers - 1], "U32") &&
                   (in->n_modifiers == 1 || (in->n_modifiers == 2 && bsim_sass_same(in->modifier[0], "MOV"))) &&
                   bsim_sass_same(in->operand[1], "RZ") && bsim_sass_same(in->operand[2], "RZ");
    return in->guard.length > 0 ? in->n_operands : is_mov ? 1 : is_imad ? 3 : in->n_operands;
}

/* Halves of a number that are added to a product that is zero stay as they are, but NaNs. */
static bool adds_to_nothing(const struct bsim_sass_instruction *in)
{
    enum { EXPONENT = 0x7c00 };
    bool is_plain = in->n_modifiers == 0 || (in->n_modifiers == 1 && bsim_sass_same(in->modifier[0], "MMA"));
    return bsim_sass_same(in->opcode, "HFMA2") && is_plain && in->n_operands == 5 && bsim_sass_same(in->operand[1], "-RZ") &&
           bsim_sass_same(in->operand[2], "RZ") && (in->immediate & EXPONENT) != EXPONENT && (in->immediate >> 16 & EXPONENT) != EXPONENT;
}

uint32_t bsim_sass_sets_number(const struct bsim_sass_instruction *in, uint32_t *number)
{
    uint32_t copied = bsim_sass_copied_by(in);
    *number = 0;
    if (in->guard.length > 0) {
        return 0;
    }
    if (copied < in->n_operands) {
        return bsim_sass_same(in->operand[copied], "RZ") || bsim_sass_is_number(in->operand[copied], number);
    }
    if (adds_to_nothing(in)) {
        *number = in->immediate;
        return 1;
    }
    return bsim_sass_same(in->opcode, "CS2R") && in->n_modifiers == 0 && in->n_operands == 2 && bsim_sass_same(in->operand[1], "SRZ") ? 2 : 0;
}

/* The sum that the instruction sets the register to: VIADD R12, R7, UR4; IADD3; IMAD.IADD; a copy; a number. */
static bool read_sum_of(const struct bsim_sass_instruction *in, uint32_t number, struct bsim_sass_place *sum)
{
    uint32_t first, copied = bsim_sass_copied_by(in);
    bool is_viadd = bsim_sass_same(in->opcode, "VIADD") && in->n_operands == 3 && in->n_modifiers == 0;
    bool is_iadd = bsim_sass_same(in->opcode, "IADD3") && in->n_operands == 4 && in->n_modifiers == 0 && bsim_sass_same(in->operand[3], "RZ");
    bool is_imad = bsim_sass_same(in->opcode, "IMAD") && in->n_operands == 4 && in->n_modifiers == 1 && bsim_sass_same(in->modifier[0], "IADD") &&
                   bsim_sass_same(in->operand[2], "0x1");
    *sum = bsim_sass_nowhere();
    if (in->guard.length > 0 || in->n_operands == 0 || !bsim_sass_is_register(in->operand[0], &first) || number < first) {
        return false;
    }
    if (number - first < bsim_sass_sets_number(in, &sum->offset)) {
        return true;
    }
    if (copied < in->n_operands) {
        return first == number && bsim_sass_add_term(sum, in->operand[copied]);
    }
    return first == number && (is_viadd || is_iadd || is_imad) && bsim_sass_add_term(sum, in->operand[1]) &&
           bsim_sass_add_term(sum, in->operand[is_imad ? 3 : 2]);
}

static bool sets_sum(const struct bsim_sass_instruction *in, uint32_t number, const struct bsim_sass_place *sum)
{
    struct bsim_sass_place other;
    return read_sum_of(in, number, &other) && bsim_sass_is_same_place(&other, sum);
}

/* Whether the instruction may set the register, or what the sum is of, to something else. */
static bool may_spoil(const struct bsim_sass_instruction *in, uint32_t number, const struct bsim_sass_place *sum)
{
    return bsim_sass_same(in->opcode, "CALL") || bsim_sass_may_set(in, number, false) || (sum->number != NONE && bsim_sass_may_set(in, sum->number, false)) ||
           (sum->uniform != NONE && bsim_sass_may_set(in, sum->uniform, true));
}

bool bsim_sass_has_sum(struct bsim_sass_walk *walk, const struct bsim_sass_function *f, uint32_t head, uint32_t number, const struct bsim_sass_place *sum)
{
    bool is_known = sum->number != number; /* R4 + UR5 is no more what R4 was set to */
    bsim_sass_begin(walk, f, 0);
    for (uint32_t i = 0; i < f->n && is_known; i++) {
        const struct bsim_sass_instruction *in = &f->code[i];
        is_known = !bsim_sass_same(in->opcode, "BRX") || in->targets.length > 0;
        if (may_spoil(in, number, sum) && !sets_sum(in, number, sum)) {
            bsim_sass_follow(walk, f, i);
        }
        if (bsim_sass_same(in->opcode, "CALL")) {
            bsim_sass_mark(walk, f, bsim_sass_index(f, bsim_sass_target(in)));
        }
    }
    while (walk->n > 0) {
        uint32_t i = walk->stack[--walk->n];
        if (!sets_sum(&f->code[i], number, sum)) {
            bsim_sass_follow(walk, f, i);
        }
    }
    return is_known && !walk->is_reached[head];
}
