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

#include <stdlib.h>
#include <string.h>

enum { REGISTERS = 256, NONE = 255, URZ = 63, NO_COUNTER = 7, MOST = 64, STEADY = 8 };

/* What a register has, in the round that is the last: what it had in front of the loop, what uniform register `number` has, or part 0 or 1 of what was in
 * memory before, of what is made of it, or of whether the trial is won: 1, and 0. */
enum kind { ITSELF, UNIFORM, BEFORE, MADE, WON };

struct content {
    uint8_t kind, number;
};

/* An address in shared memory: the sum of a register so many times, a uniform register and a number. */
struct place {
    uint32_t number, scale, uniform, offset;
};

/* A loop that is looked at. */
struct look {
    const struct bsim_sass_function *f;
    struct bsim_sass_loop *loop;
    uint32_t head, at;                  /* instructions: its first, and the one that is looked at */
    struct content has[REGISTERS];
    bool is_set[REGISTERS], is_set_late[REGISTERS]; /* in a round; behind the place where it may leave */
    uint8_t steady[STEADY];             /* registers that have to be the same in each round */
    uint32_t n_steady;
    struct place place;                 /* of the load */
    uint32_t out, left;                 /* where it may leave to, and what comes behind the branch there: instructions */
};

/* ---- operands -------------------------------------------------------------------------------- */

static bool is_uniform(struct bsim_sass_word word, uint32_t *number)
{
    bool is_one = word.length > 2 && word.text[0] == 'U' && word.text[1] == 'R' && word.text[2] >= '0' && word.text[2] <= '9';
    char *end = NULL;
    *number = is_one ? (uint32_t)strtoul(word.text + 2, &end, 10) : 0;
    return is_one && end == word.text + word.length && *number < URZ;
}

static bool is_number(struct bsim_sass_word word, uint32_t *number)
{
    char *end = NULL;
    *number = word.length > 0 ? (uint32_t)strtoll(word.text, &end, 0) : 0; /* of 32 bits, as addresses are */
    return word.length > 0 && end == word.text + word.length;
}

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

static bool set(struct look *l, struct bsim_sass_word word, struct content content)
{
    uint32_t number;
    if (!bsim_sass_is_register(word, &number)) {
        return false;
    }
    l->has[number] = content;
    l->is_set[number] = true;
    l->is_set_late[number] |= l->out > 0;
    return true;
}

/* Of 64 bits a pair. */
static bool set_value(struct look *l, struct bsim_sass_word word, enum kind kind)
{
    uint32_t number;
    bool is_one = bsim_sass_is_register(word, &number) && number + 1 < NONE && set(l, word, (struct content){(uint8_t)kind, 0});
    if (is_one && l->loop->is_wide) {
        l->has[number + 1] = (struct content){(uint8_t)kind, 1};
        l->is_set[number + 1] = true;
        l->is_set_late[number + 1] |= l->out > 0;
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

/* ---- addresses ------------------------------------------------------------------------------- */

/* "R2.X4": 4, and the term ends in front of the dot; else the scale as it was. */
static uint32_t scale_of(struct bsim_sass_word *term, uint32_t scale)
{
    const char *dot = memchr(term->text, '.', term->length);
    bool is_one = dot != NULL && term->text[0] == 'R' && (size_t)(term->text + term->length - dot) > 2 && dot[1] == 'X';
    term->length = is_one ? (uint32_t)(dot - term->text) : term->length;
    return is_one ? (uint32_t)strtoul(dot + 2, NULL, 10) : scale;
}

static bool add_term(struct place *place, struct bsim_sass_word term)
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
    if (is_uniform(term, &number)) {
        bool is_first = place->uniform == NONE;
        place->uniform = number;
        return is_first;
    }
    place->offset += is_number(term, &number) ? number : 0;
    return is_number(term, &number);
}

/* [R4+UR5+-0xc] */
static bool read_place(struct bsim_sass_word word, struct place *place)
{
    *place = (struct place){NONE, 1, NONE, 0};
    bool is_one = word.length > 2 && word.text[0] == '[' && word.text[word.length - 1] == ']';
    for (uint32_t from = 1, to; is_one && from < word.length; from = to + 1) {
        for (to = from; word.text[to] != '+' && word.text[to] != ']'; to++) {
        }
        is_one = add_term(place, (struct bsim_sass_word){word.text + from, to - from});
    }
    return is_one;
}

static bool are_same(const struct place *a, const struct place *b)
{
    return a->number == b->number && a->scale == b->scale && a->uniform == b->uniform && a->offset == b->offset;
}

/* The operand that MOV R4, R5, IMAD.MOV.U32 R4, RZ, RZ, R5 or IMAD.U32 R4, RZ, RZ, UR5 copies; in->n_operands: it is none of these. */
static uint32_t copied_by(const struct bsim_sass_instruction *in)
{
    bool is_mov = bsim_sass_same(in->opcode, "MOV") && in->n_operands == 2 && in->n_modifiers == 0;
    bool is_imad = bsim_sass_same(in->opcode, "IMAD") && in->n_operands == 4 && in->n_modifiers > 0 &&
                   bsim_sass_same(in->modifier[in->n_modifiers - 1], "U32") &&
                   (in->n_modifiers == 1 || (in->n_modifiers == 2 && bsim_sass_same(in->modifier[0], "MOV"))) &&
                   bsim_sass_same(in->operand[1], "RZ") && bsim_sass_same(in->operand[2], "RZ");
    return in->guard.length > 0 ? in->n_operands : is_mov ? 1 : is_imad ? 3 : in->n_operands;
}

/* The sum that the instruction sets the register to: VIADD R12, R7, UR4; IADD3; IMAD.IADD; a copy. */
static bool read_sum_of(const struct bsim_sass_instruction *in, uint32_t number, struct place *sum)
{
    uint32_t first, copied = copied_by(in);
    bool is_viadd = bsim_sass_same(in->opcode, "VIADD") && in->n_operands == 3 && in->n_modifiers == 0;
    bool is_iadd = bsim_sass_same(in->opcode, "IADD3") && in->n_operands == 4 && in->n_modifiers == 0 && bsim_sass_same(in->operand[3], "RZ");
    bool is_imad = bsim_sass_same(in->opcode, "IMAD") && in->n_operands == 4 && in->n_modifiers == 1 && bsim_sass_same(in->modifier[0], "IADD") &&
                   bsim_sass_same(in->operand[2], "0x1");
    *sum = (struct place){NONE, 1, NONE, 0};
    if (in->guard.length > 0 || !bsim_sass_is_register(in->operand[0], &first) || first != number) {
        return false;
    }
    if (copied < in->n_operands) {
        return add_term(sum, in->operand[copied]);
    }
    return (is_viadd || is_iadd || is_imad) && add_term(sum, in->operand[1]) && add_term(sum, in->operand[is_imad ? 3 : 2]);
}

/* The only branch that leads there; f->n: none is found. */
static uint32_t find_branch(const struct bsim_sass_function *f, uint32_t to)
{
    uint32_t i = 0;
    while (i < f->n && !(bsim_sass_same(f->code[i].opcode, "BRA") && bsim_sass_target(&f->code[i]) == f->code[to].offset)) {
        i++;
    }
    return i;
}

/* The only instruction behind which i comes, but what leads to the loop itself; f->n: there are more, or none. */
static uint32_t step_back(const struct look *l, uint32_t i)
{
    const struct bsim_sass_function *f = l->f;
    uint32_t n_leads = f->code[i].n_leads - (i == l->head);
    bool is_passed = i > 0 && (f->code[i - 1].guard.length > 0 || !bsim_sass_is_in(" BRA BRX EXIT RET CALL ", f->code[i - 1].opcode) ||
                               (bsim_sass_same(f->code[i - 1].opcode, "BRA") && f->code[i - 1].n_operands > 1));
    bool is_led = n_leads == 1 && i != l->head && !is_passed;
    return is_passed && n_leads == 0 ? i - 1 : is_led ? find_branch(f, i) : f->n;
}

/* Whether nothing behind instruction i, on the only way to the loop, sets what the sum is of. */
static bool stays(const struct look *l, const struct place *sum, uint32_t i)
{
    bool is_so = true;
    for (uint32_t at = step_back(l, l->head); at != i && is_so; at = step_back(l, at)) {
        is_so = (sum->number == NONE || !bsim_sass_may_set(&l->f->code[at], sum->number, false)) &&
                (sum->uniform == NONE || !bsim_sass_may_set(&l->f->code[at], sum->uniform, true));
    }
    return is_so;
}

/* The sum that the register is set to in front of the loop, on the only way that leads there. */
static bool look_back(const struct look *l, uint32_t number, struct place *sum)
{
    uint32_t at = step_back(l, l->head);
    for (uint32_t n = 0; n < l->f->n && at < l->f->n; n++, at = step_back(l, at)) {
        if (bsim_sass_may_set(&l->f->code[at], number, false)) {
            return read_sum_of(&l->f->code[at], number, sum) && stays(l, sum, at);
        }
    }
    return false;
}

/* Whether the trial's address is the load's. */
static bool is_at_place(struct look *l, struct bsim_sass_word word)
{
    struct place place, sum;
    if (!read_place(word, &place)) {
        return false;
    }
    if (place.number != NONE && l->is_set[place.number]) { /* a copy of the round's own */
        struct content content = l->has[place.number];
        if (content.kind != UNIFORM || place.uniform != NONE || place.scale > 1) {
            return false;
        }
        place = (struct place){NONE, 1, content.number, place.offset};
    }
    if (are_same(&place, &l->place)) {
        return true;
    }
    if (place.number == NONE || place.scale > 1 || place.uniform != NONE || !keep(l, place.number, 1) || !look_back(l, place.number, &sum)) {
        return false;
    }
    sum.offset += place.offset;
    return are_same(&sum, &l->place);
}

/* ---- the loop, instruction by instruction ------------------------------------------------------ */

static void say_again(struct look *l)
{
    l->loop->again |= UINT64_C(1) << (l->at - l->head);
}

/* Copies between registers, whatever they have. */
static void read_copies(struct look *l)
{
    for (; l->at < l->f->n && l->at - l->head < MOST; l->at++) {
        const struct bsim_sass_instruction *in = &l->f->code[l->at];
        uint32_t i = copied_by(in), number, to;
        bool is_copy = i < in->n_operands && in->n_leads == 0 && bsim_sass_is_register(in->operand[0], &to);
        struct content content = {UNIFORM, 0};
        if (is_copy && is_uniform(in->operand[i], &number)) {
            content.number = (uint8_t)number;
        } else if (is_copy && bsim_sass_is_register(in->operand[i], &number) && l->has[number].kind != ITSELF) {
            content = l->has[number];
        } else {
            return;
        }
        say_again(l);
        (void)set(l, in->operand[0], content);
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
    return in != NULL && in->n_operands == 2 && read_place(in->operand[1], &l->place) && (l->place.number == NONE || keep(l, l->place.number, 1)) &&
           set_value(l, in->operand[0], BEFORE);
}

/* The instruction that was read makes the new value, or part of it, of what was there before and the operand. */
static bool made_of(struct look *l, const struct bsim_sass_instruction *in, uint32_t value, uint32_t part)
{
    uint32_t *to = part == 0 ? &l->loop->value : &l->loop->upper_value;
    *(part == 0 ? &l->loop->made : &l->loop->upper) = in;
    *to = value;
    l->loop->again |= UINT64_C(1) << (l->at - 1 - l->head);
    return keep_operand(l, in->operand[value], 1 + bsim_sass_same(in->opcode, "DADD"));
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
    uint32_t value = has(l, in->operand[a], BEFORE, part) ? b : a;
    return has(l, in->operand[a + b - value], BEFORE, part) && !is_signed(in->operand[value]) && made_of(l, in, value, part) &&
           set(l, in->operand[0], (struct content){MADE, (uint8_t)part});
}

/* LOP3.LUT R6, R4, R2, RZ, 0x3c, !PT */
static bool read_bits(struct look *l, uint32_t part)
{
    static const char *const tables[][2] = {{"0xc0", "and"}, {"0xfc", "or"}, {"0x3c", "xor"}};
    const struct bsim_sass_instruction *in = read_one(l, "LOP3", "LUT");
    const char *operation = NULL;
    if (in == NULL || in->n_operands != 6 || !bsim_sass_same(in->operand[3], "RZ") || !bsim_sass_same(in->operand[5], "!PT")) {
        return false;
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        operation = bsim_sass_same(in->operand[4], tables[i][0]) ? tables[i][1] : operation;
    }
    bool is_same = operation != NULL && (part == 0 || operation == l->loop->operation);
    l->loop->operation = operation;
    l->loop->type = "b64";
    return is_same && read_part(l, in, 1, 2, part);
}

/* IADD3 R6, P0, R2, R4, RZ with IMAD.X R7, R3, 0x1, R5, P0 or IADD3.X R7, R3, R5, RZ, P0, !PT */
static bool read_long_sum(struct look *l)
{
    const struct bsim_sass_instruction *in = read_one(l, "IADD3", "");
    if (in == NULL || in->n_operands != 5 || !is_condition(in->operand[1], &l->loop->condition) || !bsim_sass_same(in->operand[4], "RZ") ||
        !read_part(l, in, 2, 3, 0)) {
        return false;
    }
    struct bsim_sass_word carry = in->operand[1];
    l->loop->operation = "add";
    l->loop->type = "u64";
    if ((in = read_one(l, "IMAD", "X")) != NULL) {
        return in->n_operands == 5 && bsim_sass_same(in->operand[2], "0x1") && bsim_sass_equal(carry, in->operand[4]) && read_part(l, in, 1, 3, 1);
    }
    in = read_one(l, "IADD3", "X");
    return in != NULL && in->n_operands == 6 && bsim_sass_same(in->operand[3], "RZ") && bsim_sass_same(in->operand[5], "!PT") &&
           bsim_sass_equal(carry, in->operand[4]) && read_part(l, in, 1, 2, 1);
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
    bool has_not = in->guard.length > 0 && in->guard.text[0] == '!';
    struct bsim_sass_word name = {in->guard.text + has_not, in->guard.length - has_not};
    return has_not == is_not && is_condition(name, &number) && number == l->loop->condition;
}

/* @P0 BRA, to behind the loop, where the value is not smaller, or larger, than what is there. */
static bool read_leaving(struct look *l)
{
    static const struct {
        const char *lower, *upper, *operation, *type;
    } orders[] = {{"GE.U32.AND", "GE.AND.EX", "min", "s64"},
                  {"GE.U32.AND", "GE.U32.AND.EX", "min", "u64"},
                  {"LE.U32.AND", "LE.AND.EX", "max", "s64"},
                  {"LE.U32.AND", "LE.U32.AND.EX", "max", "u64"}};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        uint32_t at = l->at;
        const struct bsim_sass_instruction *in = read_one(l, "ISETP", orders[i].lower), *upper = in != NULL ? read_one(l, "ISETP", orders[i].upper) : NULL;
        if (upper == NULL) {
            l->at = at;
            continue;
        }
        l->loop->operation = orders[i].operation;
        l->loop->type = orders[i].type;
        l->loop->made = in;
        l->loop->upper = upper;
        l->loop->value = l->loop->upper_value = 2;
        bool is_one = sets_condition(l, in, false) && sets_condition(l, upper, true) && has(l, in->operand[3], BEFORE, 0) &&
                      has(l, upper->operand[3], BEFORE, 1) && !is_signed(in->operand[2]) && !is_signed(upper->operand[2]) &&
                      keep_operand(l, in->operand[2], 1) && keep_operand(l, upper->operand[2], 1);
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
    for (int k = 0; k < 6; k++) {
        *l = before;
        *l->loop = loop;
        bool is_wide = loop.is_wide;
        bool is_one = k == 0   ? !is_wide && read_addition(l, "FADD", "f32")
                      : k == 1 ? !is_wide && read_halves(l, false)
                      : k == 2 ? !is_wide && read_halves(l, true)
                      : k == 3 ? is_wide && read_addition(l, "DADD", "f64")
                      : k == 4 ? is_wide && read_long_sum(l)
                               : is_wide && read_bits(l, 0) && read_bits(l, 1);
        if (is_one) {
            return true;
        }
    }
    *l = before;
    *l->loop = loop;
    l->loop->may_leave = loop.is_wide && read_leaving(l);
    return l->loop->may_leave;
}

/* Whether register k of a pair, which the trial puts there, has what the comparison had in front of leaving: the same, or a copy made in front of the loop. */
static bool is_compared(struct look *l, uint32_t number, struct bsim_sass_word compared)
{
    uint32_t of;
    struct place sum;
    bool is_one = bsim_sass_is_register(compared, &of) && keep(l, number, 1);
    return is_one && (number == of || (look_back(l, number, &sum) && sum.number == of && sum.scale == 1 && sum.uniform == NONE && sum.offset == 0));
}

/* What the trial puts there: what was made, or, of min and max, the value itself. */
static bool puts_value(struct look *l, struct bsim_sass_word word)
{
    uint32_t number;
    if (!l->loop->may_leave) {
        return has_value(l, word, MADE);
    }
    return bsim_sass_is_register(word, &number) && is_compared(l, number, l->loop->made->operand[2]) &&
           is_compared(l, number + 1, l->loop->upper->operand[2]);
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
static bool find_used(struct look *l, struct bsim_sass_walk *walk)
{
    for (uint32_t r = 0; r < NONE; r++) {
        bool is_value = l->is_set[r] && (l->has[r].kind == BEFORE || l->has[r].kind == MADE);
        bool is_used = (is_value || l->is_set_late[r]) && bsim_sass_is_live(walk, l->f, l->at, r);
        l->loop->is_used = l->loop->is_used || is_used;
    }
    return !l->loop->may_leave || !l->loop->is_used;
}

/* Of what nobody reads only copies of uniform registers are left to be said, which do not hang on it. */
static void leave_unused(struct look *l)
{
    uint64_t again = 0;
    uint32_t n = (l->loop->may_leave ? l->left : l->at) - l->head;
    for (uint32_t k = 0; k < n; k++) {
        const struct bsim_sass_instruction *in = &l->f->code[l->head + k];
        uint32_t i = copied_by(in), number;
        bool is_kept = l->loop->is_used || (i < in->n_operands && is_uniform(in->operand[i], &number));
        again |= is_kept ? l->loop->again & UINT64_C(1) << k : 0;
    }
    l->loop->again = again;
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
    struct look l = {.f = f, .loop = loop, .head = head, .at = head};
    *loop = (struct bsim_sass_loop){.condition = NONE};
    bool is_one = read_load(&l) && read_made(&l) && read_trial(&l) && read_question(&l) && read_back(&l) && is_steady(&l) && find_used(&l, walk);
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
