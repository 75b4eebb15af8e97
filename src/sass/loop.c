/* loop.c - finds loops of machine code that are one atomic of PTX.
 *
 * A GPU has no addition of floats in its shared memory, nor most atomics of 64 bits there. ptxas makes a loop of each, and PTX's one request has its rounds,
 * wavefronts and clocks (../model/loop.c, ../timing/request.c), and what it takes without conflicts, which a loop that is played does not tell:
 *
 *     0250  LDS R2, [R4+0x4]                  BEFORE, in R2
 *     0260  FADD R3, R5, R2                   R3 is MADE of it
 *     0270  ATOMS.CAST.SPIN R3, [R4+0x4], R2, R3
 *     0280  ISETP.EQ.U32.AND P1, PT, R3, 0x1, PT
 *     0290  @!P1 BRA 0x250                    R3 says that the trial is WON, and so P1
 *     02a0  BSYNC B0
 *
 * Of 64 bits what is made has two halves, and so the question whether the trial is won. min and max leave before the trial where it changes nothing. Registers
 * may be copied in between, as of -O0, or for an address that the trial has not as the load has it: [R7+UR4], and R12, which was made of both.
 *
 * It has to be all of this and nothing else: what is added, and the address, are the same in each round, nobody else comes into it, and what it leaves in
 * registers is known. What is nearly such a loop is played as it stands.
 *
 * One round after another takes the lowest lane of each bank, so of each word lane after lane, as PTX's one request does: sums have the same bits, and so
 * what was there before. Of min and max lanes leave that change nothing, before others that do, and read another value than in their turn: where anybody
 * asks for it they are played as they stand.
 */
#include "sass/loop.h"

#include "sass/place.h"

#include <stdlib.h>
#include <string.h>

enum { REGISTERS = 256, NONE = BSIM_SASS_NO_REGISTER, NO_COUNTER = 7, MOST = 63, STEADY = 16 };

/* What a register has, in the round that is the last: what it had in front of the loop, what uniform register `number` has, the number, or part 0 or 1 of what
 * was in memory before, of what is made of it, or of whether the trial is won: 1, and 0. */
enum kind { ITSELF, UNIFORM, NUMBER, BEFORE, MADE, WON };

struct content {
    enum kind kind;
    uint32_t number;
};

/* A loop that is looked at. */
struct look {
    const struct bsim_sass_function *f;
    struct bsim_sass_walk *walk;
    struct bsim_sass_loop *loop;
    uint32_t head, at;                  /* instructions: its first, and the one that is looked at */
    struct content has[REGISTERS];
    bool is_set[REGISTERS], is_set_late[REGISTERS]; /* in a round; behind the place where it may leave */
    uint8_t steady[STEADY];             /* registers that have to be the same in each round */
    uint32_t n_steady;
    struct bsim_sass_place place;       /* of the load */
    uint64_t kept;                      /* a bit for each instruction that sets a register to what does not hang on the round */
    uint32_t out, left;                 /* where it may leave to, and what comes behind the branch there: instructions */
};

/* ---- operands -------------------------------------------------------------------------------- */

/* P0 */
static bool is_condition(struct bsim_sass_word word, uint32_t *number)
{
    *number = word.length == 2 && word.text[0] == 'P' ? (uint32_t)(word.text[1] - '0') : NONE;
    return *number < 7;
}

/* Whether the operand is a register that has this. */
static bool has(const struct look *l, struct bsim_sass_word word, enum kind kind, uint32_t part)
{
    uint32_t number;
    return bsim_sass_is_register(word, &number) && l->has[number].kind == kind && l->has[number].number == part;
}

static bool has_value(const struct look *l, struct bsim_sass_word word, enum kind kind)
{
    uint32_t number;
    bool is_there = bsim_sass_is_register(word, &number) && has(l, word, kind, 0);
    return is_there && (!l->loop->is_wide || (l->has[number + 1].kind == kind && l->has[number + 1].number == 1));
}

static void set(struct look *l, uint32_t number, struct content content)
{
    l->has[number] = content;
    l->is_set[number] = true;
    l->is_set_late[number] |= l->out > 0;
}

/* Of 64 bits a pair. */
static bool set_value(struct look *l, struct bsim_sass_word word, enum kind kind)
{
    uint32_t number;
    bool is_one = bsim_sass_is_register(word, &number) && number + 1 < NONE;
    for (uint32_t part = 0; is_one && part <= l->loop->is_wide; part++) {
        set(l, number + part, (struct content){kind, part});
    }
    return is_one;
}

/* Notes that this many registers from the number on have to be the same in each round. */
static bool keep(struct look *l, uint32_t number, uint32_t n)
{
    bool is_room = l->n_steady + n <= STEADY;
    for (uint32_t i = 0; i < n && is_room; i++) {
        l->steady[l->n_steady++] = (uint8_t)(number + i);
    }
    return is_room;
}

/* Whether the operand is a register, which is kept, or the same for all lanes and rounds; n: as many registers as it is. */
static bool keep_operand(struct look *l, struct bsim_sass_word word, uint32_t n)
{
    while (word.length > 0 && strchr("-~|", word.text[0]) != NULL) {
        word = (struct bsim_sass_word){word.text + 1, word.length - 1};
    }
    bool is_register = word.length > 1 && word.text[0] == 'R' && word.text[1] >= '0' && word.text[1] <= '9';
    bool is_indexed = word.length > 0 && word.text[0] == 'c' && memchr(word.text, 'R', word.length) != NULL;
    return is_register ? keep(l, (uint32_t)strtoul(word.text + 1, NULL, 10), n) : word.length > 0 && !is_indexed;
}

static bool is_signed(struct bsim_sass_word word)
{
    return word.length > 0 && strchr("-~|", word.text[0]) != NULL && !(word.length > 1 && word.text[1] >= '0' && word.text[1] <= '9');
}

/* Whether the register, which has to be the same in each round, has the sum in front of the loop. */
static bool has_sum(struct look *l, uint32_t number, const struct bsim_sass_place *sum)
{
    return keep(l, number, 1) && bsim_sass_has_sum(l->walk, l->f, l->head, number, sum);
}

/* Whether the trial's address is the load's. */
static bool is_at_place(struct look *l, struct bsim_sass_word word)
{
    struct bsim_sass_place place, sum = l->place;
    if (!bsim_sass_read_place(word, &place)) {
        return false;
    }
    if (place.number != NONE && l->is_set[place.number]) { /* a copy of the round's own */
        struct content content = l->has[place.number];
        if (content.kind != UNIFORM || place.uniform != NONE || place.scale > 1) {
            return false;
        }
        place = (struct bsim_sass_place){NONE, 1, content.number, place.offset};
    }
    if (bsim_sass_is_same_place(&place, &l->place)) {
        return true;
    }
    sum.offset -= place.offset;
    return place.number != NONE && place.scale == 1 && place.uniform == NONE && has_sum(l, place.number, &sum);
}

/* ---- the loop, instruction by instruction ------------------------------------------------------ */

static void say_again(struct look *l)
{
    l->loop->again |= UINT64_C(1) << (l->at - l->head);
}

/* What the instruction sets a register, or two, to, if that is a number, or what a register has that is known. */
static uint32_t read_copy(const struct look *l, const struct bsim_sass_instruction *in, struct content *content)
{
    uint32_t i = bsim_sass_copied_by(in), n = bsim_sass_sets_number(in, &content->number);
    content->kind = NUMBER;
    if (n > 0 || i == in->n_operands) {
        return n;
    }
    if (bsim_sass_is_uniform(in->operand[i], &content->number)) {
        content->kind = UNIFORM;
        return 1;
    }
    bool is_known = bsim_sass_is_register(in->operand[i], &content->number) && l->has[content->number].kind != ITSELF;
    *content = is_known ? l->has[content->number] : *content;
    return is_known;
}

/* Copies between registers, and numbers. */
static void read_copies(struct look *l)
{
    for (; l->at < l->f->n && l->at - l->head < MOST && l->f->code[l->at].n_leads == 0; l->at++) {
        const struct bsim_sass_instruction *in = &l->f->code[l->at];
        struct content content;
        uint32_t n = read_copy(l, in, &content), to;
        if (n == 0 || !bsim_sass_is_register(in->operand[0], &to) || to + n > NONE) {
            return;
        }
        say_again(l);
        l->kept |= (uint64_t)(content.kind == UNIFORM || content.kind == NUMBER) << (l->at - l->head);
        for (uint32_t k = 0; k < n; k++) {
            set(l, to + k, content);
        }
    }
}

/* The next instruction, if it has the opcode and all the modifiers, one behind the other; NULL: it has not. */
static const struct bsim_sass_instruction *read_one(struct look *l, const char *opcode, const char *modifiers)
{
    read_copies(l);
    const struct bsim_sass_instruction *in = &l->f->code[l->at];
    bool is_room = l->at < l->f->n && l->at - l->head < MOST;
    if (!is_room || !bsim_sass_same(in->opcode, opcode) || (in->n_leads > 0 && l->at > l->head) || in->guard.length > (opcode[0] == 'B' ? 3 : 0)) {
        return NULL;
    }
    for (uint32_t i = 0; i < in->n_modifiers; i++) {
        size_t length = in->modifier[i].length;
        bool is_next = strncmp(in->modifier[i].text, modifiers, length) == 0 && (modifiers[length] == '.' || modifiers[length] == '\0');
        if (!is_next) {
            return NULL;
        }
        modifiers += length + (modifiers[length] == '.');
    }
    if (*modifiers != '\0') {
        return NULL;
    }
    l->at++;
    return in;
}

static bool read_load(struct look *l)
{
    const struct bsim_sass_instruction *in = &l->f->code[l->head];
    l->loop->is_wide = in->n_modifiers == 1;
    in = read_one(l, "LDS", l->loop->is_wide ? "64" : "");
    return in != NULL && in->n_operands == 2 && bsim_sass_read_place(in->operand[1], &l->place) && (l->place.number == NONE || keep(l, l->place.number, 1)) &&
           set_value(l, in->operand[0], BEFORE);
}

/* The instruction that was read makes the new value, or part of it, of what was there before and the operand. */
static bool made_of(struct look *l, const struct bsim_sass_instruction *in, uint32_t value, uint32_t part)
{
    bool is_first = l->loop->value[part].in == NULL;
    l->loop->value[part] = (struct bsim_sass_value){.in = in, .operand = value};
    l->loop->again |= UINT64_C(1) << (l->at - 1 - l->head);
    return is_first && (value == 0 || keep_operand(l, in->operand[value], 1 + bsim_sass_same(in->opcode, "DADD")));
}

/* FADD R3, R5, R2; DADD */
static bool read_addition(struct look *l, const char *opcode, const char *type)
{
    const struct bsim_sass_instruction *in = read_one(l, opcode, "");
    if (in == NULL || in->n_operands != 3) {
        return false;
    }
    uint32_t value = has_value(l, in->operand[1], BEFORE) ? 2 : 1;
    bool is_one = has_value(l, in->operand[3 - value], BEFORE) && made_of(l, in, value, 0);
    l->loop->operation = "add";
    l->loop->type = type;
    return is_one && set_value(l, in->operand[0], MADE);
}

/* HADD2 R3, R2, R7; HADD2 R3, R2, 2, 1; HFMA2.MMA R3, R2, 1, 1, R7: the same, as a product by one is not rounded. */
static bool read_halves(struct look *l, bool is_bfloat)
{
    enum { ONES = 0x3c003c00, BFLOAT_ONES = 0x3f803f80 };
    const struct bsim_sass_instruction *sum = read_one(l, "HADD2", is_bfloat ? "BF16_V2" : "");
    const struct bsim_sass_instruction *in = sum != NULL ? sum : read_one(l, "HFMA2", is_bfloat ? "MMA.BF16_V2" : "MMA");
    bool is_product = sum == NULL && in != NULL && in->n_operands == 5 && bsim_sass_same(in->operand[2], "1") && bsim_sass_same(in->operand[3], "1") &&
                      in->immediate == (is_bfloat ? BFLOAT_ONES : ONES);
    if (in == NULL || !(is_product || (sum != NULL && (in->n_operands == 3 || in->n_operands == 4)))) {
        return false;
    }
    uint32_t value = is_product ? 4 : has_value(l, in->operand[1], BEFORE) ? 2 : 1, other = value == 1 ? 2 : 1;
    bool is_one = (value > 1 || in->n_operands == 3) && has_value(l, in->operand[other], BEFORE) && made_of(l, in, value, 0);
    l->loop->operation = "add";
    l->loop->type = is_bfloat ? "noftz.bf16x2" : "noftz.f16x2";
    return is_one && set_value(l, in->operand[0], MADE);
}

/* Half of 64 bits: of operands a and b one is what was there before. */
static bool read_part(struct look *l, const struct bsim_sass_instruction *in, uint32_t a, uint32_t b, uint32_t part)
{
    uint32_t value = has(l, in->operand[a], BEFORE, part) ? b : a, to;
    bool is_one = has(l, in->operand[a + b - value], BEFORE, part) && !is_signed(in->operand[value]) && made_of(l, in, value, part) &&
                  bsim_sass_is_register(in->operand[0], &to);
    if (is_one) {
        set(l, to, (struct content){MADE, part});
    }
    return is_one;
}

/* Whether the halves of 64 bits still are of one operation; NULL: this one's is not known. */
static bool takes_operation(struct look *l, const char *operation)
{
    const char *other = l->loop->operation;
    l->loop->operation = operation;
    return operation != NULL && (other == NULL || strcmp(operation, other) == 0);
}

/* LOP3.LUT R6, R4, R2, RZ, 0x3c, !PT; LOP3.LUT R6, RZ, R4, RZ, 0x33, !PT: all of R4's bits are turned */
static bool read_bits_of(struct look *l, const struct bsim_sass_instruction *in)
{
    static const char *const tables[][2] = {{"0xc0", "and"}, {"0xfc", "or"}, {"0x3c", "xor"}, {"0x33", "xor"}};
    const char *operation = NULL;
    if (in->n_operands != 6 || !bsim_sass_same(in->operand[3], "RZ") || !bsim_sass_same(in->operand[5], "!PT")) {
        return false;
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        operation = bsim_sass_same(in->operand[4], tables[i][0]) ? tables[i][1] : operation;
    }
    bool turns = bsim_sass_same(in->operand[4], "0x33");
    uint32_t part = has(l, in->operand[1], BEFORE, 1) || has(l, in->operand[2], BEFORE, 1);
    bool is_one = takes_operation(l, operation) && (!turns || bsim_sass_same(in->operand[1], "RZ")) && read_part(l, in, 1, 2, part);
    if (turns) {
        l->loop->value[part] = (struct bsim_sass_value){.in = in, .number = UINT32_MAX};
    }
    return is_one;
}

/* Bits of both halves, or of one: the other one is a copy, or a number (puts_bits), and so may both be. */
static bool read_bits(struct look *l)
{
    bool is_one = true;
    l->loop->operation = NULL;
    l->loop->type = "b64";
    for (uint32_t n = 0; n < 2 && is_one; n++) {
        const struct bsim_sass_instruction *in = read_one(l, "LOP3", "LUT");
        is_one = in == NULL || read_bits_of(l, in);
    }
    return is_one;
}

/* A carry's name is the loop's condition's. */
static bool takes_carry(const struct look *l, struct bsim_sass_word word)
{
    uint32_t number;
    return is_condition(word, &number) && number == l->loop->condition;
}

/* IADD3 R6, P0, R2, R4, RZ; LEA R6, P0, R2, R4, 0x3 */
static bool read_lower_sum(struct look *l)
{
    const struct bsim_sass_instruction *in = read_one(l, "IADD3", "");
    bool is_plain = in != NULL;
    in = is_plain ? in : read_one(l, "LEA", "");
    if (in == NULL || in->n_operands != 5 || !is_condition(in->operand[1], &l->loop->condition)) {
        return false;
    }
    bool is_form = is_plain ? bsim_sass_same(in->operand[4], "RZ") : has(l, in->operand[3], BEFORE, 0);
    bool is_one = is_form && read_part(l, in, 2, 3, 0);
    l->loop->value[0].shift = is_plain ? 0 : 4;
    return is_one;
}

/* IMAD.X R7, R3, 0x1, R5, P0; IMAD.X R7, RZ, RZ, R5, P0; IADD3.X R7, R3, R5, RZ, P0, !PT; LEA.HI.X.SX32 R7, R2, R5, 0x1, P0: of R2's sign */
static bool read_upper_sum(struct look *l)
{
    const struct bsim_sass_instruction *in;
    if ((in = read_one(l, "IMAD", "X")) != NULL) {
        bool is_zero = bsim_sass_same(in->operand[1], "RZ") && bsim_sass_same(in->operand[2], "RZ");
        return in->n_operands == 5 && (is_zero || bsim_sass_same(in->operand[2], "0x1")) && takes_carry(l, in->operand[4]) && read_part(l, in, 1, 3, 1);
    }
    if ((in = read_one(l, "LEA", "HI.X.SX32")) != NULL) {
        bool is_one = in->n_operands == 5 && takes_carry(l, in->operand[4]) && has(l, in->operand[2], BEFORE, 1) && read_part(l, in, 1, 2, 1);
        l->loop->value[1].shift = 3;
        return is_one;
    }
    in = read_one(l, "IADD3", "X");
    return in != NULL && in->n_operands == 6 && bsim_sass_same(in->operand[3], "RZ") && bsim_sass_same(in->operand[5], "!PT") &&
           takes_carry(l, in->operand[4]) && read_part(l, in, 1, 2, 1);
}

static bool read_long_sum(struct look *l)
{
    l->loop->operation = "add";
    l->loop->type = "u64";
    return read_lower_sum(l) && read_upper_sum(l);
}

/* A comparison that sets P and nothing else, and takes no other condition but, of an upper half, P. */
static bool sets_condition(struct look *l, const struct bsim_sass_instruction *in, bool is_upper)
{
    uint32_t number, last = NONE;
    bool is_one = in != NULL && in->n_operands == (is_upper ? 6u : 5u) && is_condition(in->operand[0], &number) &&
                  bsim_sass_same(in->operand[1], "PT") && bsim_sass_same(in->operand[4], "PT") && (!is_upper || is_condition(in->operand[5], &last));
    bool is_same = is_one && (l->loop->condition == NONE || l->loop->condition == number) && (!is_upper || last == number);
    l->loop->condition = is_one ? number : l->loop->condition;
    return is_same;
}

/* "@P0" or "@!P0" of the loop's condition. */
static bool is_guarded(const struct look *l, const struct bsim_sass_instruction *in, bool is_not)
{
    uint32_t number;
    struct bsim_sass_word name = bsim_sass_condition_of(in->guard);
    return (name.length < in->guard.length) == is_not && is_condition(name, &number) && number == l->loop->condition;
}

/* ISETP.GE.U32.AND P0, PT, R6, R2, PT: the value and half of what was there before; is_second: what was there before and the value. */
static bool is_comparison(struct look *l, const struct bsim_sass_instruction *in, uint32_t part, bool is_second)
{
    uint32_t value = is_second ? 3 : 2;
    l->loop->value[part] = (struct bsim_sass_value){.in = in, .operand = value};
    return sets_condition(l, in, part > 0) && has(l, in->operand[5 - value], BEFORE, part) && !is_signed(in->operand[value]) &&
           keep_operand(l, in->operand[value], 1);
}

/* @P0 BRA, to behind the loop, where the value is not smaller, or larger, than what is there. */
static bool read_leaving(struct look *l)
{
    static const struct {
        const char *lower, *upper, *operation, *reverse, *type;
    } orders[] = {{"GE.U32.AND", "GE.AND.EX", "min", "max", "s64"},
                  {"GE.U32.AND", "GE.U32.AND.EX", "min", "max", "u64"},
                  {"LE.U32.AND", "LE.AND.EX", "max", "min", "s64"},
                  {"LE.U32.AND", "LE.U32.AND.EX", "max", "min", "u64"}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        uint32_t at = l->at;
        const struct bsim_sass_instruction *in = read_one(l, "ISETP", orders[i].lower), *upper = in != NULL ? read_one(l, "ISETP", orders[i].upper) : NULL;
        if (upper == NULL) {
            l->at = at;
            continue;
        }
        bool is_second = has(l, in->operand[2], BEFORE, 0);
        l->loop->operation = is_second ? orders[i].reverse : orders[i].operation;
        l->loop->type = orders[i].type;
        bool is_one = is_comparison(l, in, 0, is_second) && is_comparison(l, upper, 1, is_second);
        in = is_one ? read_one(l, "BRA", "") : NULL;
        l->left = l->at;
        l->out = in != NULL && in->n_operands == 1 && is_guarded(l, in, false) ? bsim_sass_index(l->f, bsim_sass_target(in)) : 0;
        return l->out > 0;
    }
    return false;
}

/* Which it is; what one of them has read and not taken the next one looks at again. */
static bool read_made(struct look *l)
{
    const struct look before = *l;
    const struct bsim_sass_loop loop = *l->loop;
    for (int k = 0; k < 7; k++) {
        *l = before;
        *l->loop = loop;
        bool is_wide = loop.is_wide;
        bool is_one = k == 0   ? !is_wide && read_addition(l, "FADD", "f32")
                      : k == 1 ? !is_wide && read_halves(l, false)
                      : k == 2 ? !is_wide && read_halves(l, true)
                      : k == 3 ? is_wide && read_addition(l, "DADD", "f64")
                      : k == 4 ? is_wide && read_long_sum(l)
                      : k == 5 ? is_wide && read_leaving(l)
                               : is_wide && read_bits(l);
        if (is_one) {
            l->loop->may_leave = k == 5;
            return true;
        }
    }
    return false;
}

/* Whether the register that the trial puts there has what the comparison had in front of leaving: it is the same, or was set to that, in this round or in
 * front of the loop. */
static bool is_compared(struct look *l, uint32_t number, const struct bsim_sass_value *value)
{
    struct bsim_sass_place sum = bsim_sass_nowhere(), other = sum;
    if (!bsim_sass_add_term(&sum, value->in->operand[value->operand])) {
        return false;
    }
    if (l->is_set[number]) {
        other.uniform = l->has[number].kind == UNIFORM ? l->has[number].number : NONE;
        other.offset = l->has[number].kind == NUMBER ? l->has[number].number : 0;
        return (l->has[number].kind == UNIFORM || l->has[number].kind == NUMBER) && bsim_sass_is_same_place(&sum, &other);
    }
    return (number == sum.number && keep(l, number, 1)) || has_sum(l, number, &sum);
}

/* Whether a half is put that no LOP3 has made, and is the number: of `and` with 0, and of `or` with ones. */
static bool is_put(struct look *l, uint32_t number, uint32_t given)
{
    const struct bsim_sass_place sum = {NONE, 1, NONE, given};
    return l->is_set[number] ? l->has[number].kind == NUMBER && l->has[number].number == given : has_sum(l, number, &sum);
}

static bool puts_number(struct look *l, uint32_t number, uint32_t part)
{
    bool is_zero = is_put(l, number, 0);
    const char *operation = is_zero ? "and" : is_put(l, number, UINT32_MAX) ? "or" : NULL;
    l->loop->value[part] = (struct bsim_sass_value){.number = is_zero ? 0 : UINT32_MAX};
    return takes_operation(l, operation);
}

/* Halves: made by LOP3; numbers; or what was there before, which `and` with ones and others with 0 leave. */
static bool puts_bits(struct look *l, uint32_t number)
{
    bool is_one = true;
    for (uint32_t part = 0; part < 2 && is_one; part++) {
        struct content content = l->has[number + part];
        is_one = content.kind == MADE || content.kind == BEFORE ? content.number == part : puts_number(l, number + part, part);
    }
    l->loop->operation = l->loop->operation == NULL ? "or" : l->loop->operation;
    for (uint32_t part = 0; part < 2 && is_one; part++) {
        if (l->has[number + part].kind == BEFORE) {
            l->loop->value[part] = (struct bsim_sass_value){.number = strcmp(l->loop->operation, "and") == 0 ? UINT32_MAX : 0};
        }
    }
    return is_one;
}

/* What the trial puts there: what was made, or, of min and max, the value itself. */
static bool puts_value(struct look *l, struct bsim_sass_word word)
{
    uint32_t number;
    if (!bsim_sass_is_register(word, &number) || number + l->loop->is_wide >= NONE) {
        return false;
    }
    if (l->loop->may_leave) {
        return is_compared(l, number, &l->loop->value[0]) && is_compared(l, number + 1, &l->loop->value[1]);
    }
    return strcmp(l->loop->type, "b64") == 0 ? puts_bits(l, number) : has_value(l, word, MADE);
}

/* ATOMS.CAST.SPIN R3, [R4], R2, R3 */
static bool read_trial(struct look *l)
{
    const struct bsim_sass_instruction *in = read_one(l, "ATOMS", l->loop->is_wide ? "CAST.SPIN.64" : "CAST.SPIN");
    l->loop->trial = in;
    return in != NULL && in->n_operands == 4 && is_at_place(l, in->operand[1]) && has_value(l, in->operand[2], BEFORE) && puts_value(l, in->operand[3]) &&
           set_value(l, in->operand[0], WON);
}

/* ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT; ISETP.EQ.U32.AND.EX P0, PT, R7, RZ, PT, P0 */
static bool read_question(struct look *l)
{
    const struct bsim_sass_instruction *in = read_one(l, "ISETP", "EQ.U32.AND");
    if (!sets_condition(l, in, false) || !has(l, in->operand[2], WON, 0) || !bsim_sass_same(in->operand[3], "0x1")) {
        return false;
    }
    if (!l->loop->is_wide) {
        return true;
    }
    in = read_one(l, "ISETP", "EQ.U32.AND.EX");
    return sets_condition(l, in, true) && ((has(l, in->operand[2], WON, 1) && bsim_sass_same(in->operand[3], "RZ")) ||
                                           (bsim_sass_same(in->operand[2], "RZ") && has(l, in->operand[3], WON, 1)));
}

/* @!P0 BRA, to the load; where it may leave it is to what comes next. */
static bool read_back(struct look *l)
{
    const struct bsim_sass_instruction *in = read_one(l, "BRA", "");
    return in != NULL && in->n_operands == 1 && is_guarded(l, in, true) && bsim_sass_target(in) == l->f->code[l->head].offset &&
           (!l->loop->may_leave || l->out == l->at);
}

static bool is_steady(const struct look *l)
{
    bool is_so = true;
    for (uint32_t i = 0; i < l->n_steady && is_so; i++) {
        is_so = !l->is_set[l->steady[i]];
    }
    return is_so;
}

/* ---- what it leaves -------------------------------------------------------------------------- */

/* Whether what it leaves in registers is known, and whether anybody reads what comes of what was there before. Where it may leave that hangs on the round,
 * and what is set behind there on whether it did. */
static bool find_used(struct look *l)
{
    for (uint32_t r = 0; r < NONE; r++) {
        bool is_value = l->is_set[r] && (l->has[r].kind == BEFORE || l->has[r].kind == MADE);
        bool is_used = (is_value || l->is_set_late[r]) && bsim_sass_is_live(l->walk, l->f, l->at, r);
        l->loop->is_used = l->loop->is_used || is_used;
    }
    return !l->loop->may_leave || !l->loop->is_used;
}

/* Of what nobody reads only that is left to be said which does not hang on it. */
static void leave_unused(struct look *l)
{
    uint32_t n = (l->loop->may_leave ? l->left : l->at) - l->head;
    l->loop->again &= ((UINT64_C(1) << n) - 1) & (l->loop->is_used ? UINT64_MAX : l->kept);
}

/* Takes the BSYNC behind it where nobody else comes to, whose clocks are the request's, and what they all await. */
static void take_all(struct look *l, struct bsim_sass_function *f)
{
    f->code[l->head].n_leads--;
    if (l->loop->may_leave) {
        f->code[l->out].n_leads--;
    }
    if (l->at < f->n && bsim_sass_same(f->code[l->at].opcode, "BSYNC") && f->code[l->at].guard.length == 0 && f->code[l->at].n_leads == 0) {
        l->at++;
    }
    l->loop->n = l->at - l->head;
    l->loop->control = (struct bsim_sass_control){.stall = 1, .tells = NO_COUNTER, .reads = NO_COUNTER};
    for (uint32_t i = l->head; i < l->at; i++) {
        l->loop->control.awaits |= f->code[i].control.awaits;
    }
}

static bool find(struct bsim_sass_function *f, uint32_t head, struct bsim_sass_walk *walk, struct bsim_sass_loop *loop)
{
    struct look l = {.f = f, .walk = walk, .loop = loop, .head = head, .at = head};
    *loop = (struct bsim_sass_loop){.condition = NONE};
    bool is_one = read_load(&l) && read_made(&l) && read_trial(&l) && read_question(&l) && read_back(&l) && is_steady(&l) && find_used(&l);
    if (is_one) {
        leave_unused(&l);
        take_all(&l, f);
    }
    return is_one;
}

bool bsim_sass_find_loops(struct bsim_sass_function *f, struct bsim_sass_walk *walk, struct bsim_arena *arena)
{
    struct bsim_sass_loop *loop = NULL;
    for (uint32_t i = 0; i < f->n; i++) {
        if (f->code[i].n_leads == 0 || !bsim_sass_same(f->code[i].opcode, "LDS")) {
            continue;
        }
        loop = loop == NULL ? bsim_arena_take(arena, sizeof *loop) : loop;
        if (loop == NULL) {
            return false;
        }
        if (find(f, i, walk, loop)) {
            f->code[i].loop = loop;
            i += loop->n - 1;
            loop = NULL;
        }
    }
    return true;
}
