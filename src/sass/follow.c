/* follow.c - what comes behind an instruction of machine code, and which registers instructions read and set.
 *
 *     DADD R6, R2, R4              reads R2 to R5, sets R6 and R7
 *     STG.E.64 [R8.64], R6         reads R6 to R9
 *     @P0 MOV R3, R4               sets R3 perhaps: who reads it behind this may read what was there before
 *
 * How many registers an operand is stands in its opcode. Where that is not known here it is four to who asks whether a register is read, and one to who
 * asks whether it is set anew, so that what is told is never wrong, and at worst too little.
 */
#include "sass/follow.h"

#include <stdlib.h>
#include <string.h>

enum { RZ = 255, URZ = 63 };

/* ---- instructions ---------------------------------------------------------------------------- */

uint32_t bsim_sass_target(const struct bsim_sass_instruction *in)
{
    return in->n_operands > 0 ? (uint32_t)strtoul(in->operand[in->n_operands - 1].text, NULL, 0) : UINT32_MAX;
}

/* They stand in order. */
uint32_t bsim_sass_index(const struct bsim_sass_function *f, uint32_t offset)
{
    uint32_t low = 0, high = f->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (f->code[middle].offset < offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < f->n && f->code[low].offset == offset ? low : f->n;
}

static void count_lead(struct bsim_sass_function *f, uint32_t offset)
{
    uint32_t i = bsim_sass_index(f, offset);
    if (i < f->n) {
        f->code[i].n_leads++;
    }
}

void bsim_sass_count_leads(struct bsim_sass_function *f)
{
    for (uint32_t i = 0; i < f->n; i++) {
        const struct bsim_sass_instruction *in = &f->code[i];
        bool calls = bsim_sass_same(in->opcode, "CALL");
        uint32_t to = 0;
        if ((calls || bsim_sass_same(in->opcode, "BRA")) && in->n_operands > 0) {
            count_lead(f, bsim_sass_target(in));
        }
        for (struct bsim_sass_word rest = in->targets; bsim_sass_next_number(&rest, &to);) {
            count_lead(f, to);
        }
        if (calls && i + 1 < f->n) {
            f->code[i + 1].n_leads++;
        }
    }
}

void bsim_sass_mark(struct bsim_sass_walk *walk, const struct bsim_sass_function *f, uint32_t i)
{
    if (i < f->n && !walk->is_reached[i]) {
        walk->is_reached[i] = 1;
        walk->stack[walk->n++] = i;
    }
}

void bsim_sass_begin(struct bsim_sass_walk *walk, const struct bsim_sass_function *f, uint32_t i)
{
    memset(walk->is_reached, 0, f->n);
    walk->n = 0;
    bsim_sass_mark(walk, f, i);
}

void bsim_sass_follow(struct bsim_sass_walk *walk, const struct bsim_sass_function *f, uint32_t i)
{
    const struct bsim_sass_instruction *in = &f->code[i];
    bool is_branch = bsim_sass_same(in->opcode, "BRA");
    bool may_pass = in->guard.length > 0 || (is_branch && in->n_operands > 1);
    bool ends = is_branch || in->targets.length > 0 || bsim_sass_same(in->opcode, "EXIT") || bsim_sass_same(in->opcode, "RET");
    uint32_t to = 0;
    if (!ends || may_pass) {
        bsim_sass_mark(walk, f, i + 1);
    }
    if (is_branch) {
        bsim_sass_mark(walk, f, bsim_sass_index(f, bsim_sass_target(in)));
    }
    for (struct bsim_sass_word rest = in->targets; bsim_sass_next_number(&rest, &to);) {
        bsim_sass_mark(walk, f, bsim_sass_index(f, to));
    }
}

/* ---- registers ------------------------------------------------------------------------------- */

static bool is_condition(struct bsim_sass_word word)
{
    return word.length > 0 && (word.text[0] == 'P' || (word.text[0] == 'U' && word.length > 1 && word.text[1] == 'P'));
}

static bool is_pair(const struct bsim_sass_instruction *in)
{
    return bsim_sass_is_in(" DADD DMUL DFMA DSETP CS2R ", in->opcode) || bsim_sass_has_one(in, " 64 WIDE U64 S64 F64 ");
}

/* How many registers an operand is, at most. */
static uint32_t most_of(const struct bsim_sass_instruction *in)
{
    static const char narrow[] = " FADD FMUL FFMA FMNMX FSEL FSETP FCHK MUFU HADD2 HMUL2 HFMA2 HSETP2 IADD3 IMAD IABS IMNMX VIMNMX VIMNMX3 VIADD VIADDMNMX "
                                 "ISETP LEA LOP3 IDP SHF SEL MOV PRMT PLOP3 POPC FLO BREV BMSK SGXT I2F I2FP F2I F2F FRND F2FP I2I LDS STS ATOMS LDL STL SHFL "
                                 "VOTE S2R P2R R2P R2UR LDC LDG STG LD ST ATOM ATOMG RED REDG VABSDIFF VABSDIFF4 REDUX "
                                 "UMOV ULEA UIADD3 UIMAD ULOP3 USHF USEL UISETP UPRMT ULDC S2UR VOTEU BAR BSSY BSYNC BRA EXIT NOP WARPSYNC YIELD ";
    if (bsim_sass_has_one(in, " 128 F32x2 F32x4 F16x4 F16x8 BF16x4 BF16x8 ")) {
        return 4;
    }
    return is_pair(in) ? 2 : bsim_sass_is_in(narrow, in->opcode) ? 1 : 4;
}

/* Whether the type that a conversion makes, the first that it names, or else the one that it makes it of, has 64 bits. */
static bool converts_long(const struct bsim_sass_instruction *in, bool is_made)
{
    static const char types[] = " F16 F32 F64 BF16 ", longs[] = " S64 U64 ";
    uint32_t first = in->n_modifiers, last = 0;
    for (uint32_t i = 0; i < in->n_modifiers; i++) {
        bool is_type = bsim_sass_is_in(types, in->modifier[i]);
        first = is_type && first == in->n_modifiers ? i : first;
        last = is_type ? i : last;
    }
    if (bsim_sass_same(in->opcode, "F2F")) {
        return first < in->n_modifiers && bsim_sass_same(in->modifier[is_made ? first : last], "F64");
    }
    bool is_of_floats = bsim_sass_same(in->opcode, "F2I") != is_made; /* what is asked for is the float */
    return bsim_sass_has_one(in, is_of_floats ? " F64 " : longs);
}

/* How many registers operand i is that is read, at most: products of IMAD.WIDE are of single ones, and conversions change how many it is. */
static uint32_t most_read_of(const struct bsim_sass_instruction *in, uint32_t i)
{
    if (bsim_sass_same(in->opcode, "SHF")) {
        return 1;
    }
    if (bsim_sass_is_in(" F2I I2F F2F ", in->opcode)) {
        return converts_long(in, false) ? 2 : 1;
    }
    if (bsim_sass_same(in->opcode, "IMAD") && bsim_sass_has_one(in, " WIDE ")) {
        uint32_t first = in->n_operands > 1 && is_condition(in->operand[1]) ? 2 : 1;
        return i <= first + 1 ? 1 : 2;
    }
    return most_of(in);
}

/* How many the one that it sets is, at least. */
static uint32_t least_of(const struct bsim_sass_instruction *in)
{
    bool loads = bsim_sass_is_in(" LDS LDG LD LDL LDC ATOMS ATOM ATOMG ", in->opcode), converts = bsim_sass_is_in(" F2I I2F F2F ", in->opcode);
    bool is_double_result = bsim_sass_is_in(" DADD DMUL DFMA ", in->opcode) || (bsim_sass_same(in->opcode, "IMAD") && bsim_sass_has_one(in, " WIDE ")) ||
                            (bsim_sass_same(in->opcode, "CS2R") && in->n_modifiers == 0) || (converts && converts_long(in, true));
    return loads && bsim_sass_has_one(in, " 128 ") ? 4 : is_double_result || (loads && bsim_sass_has_one(in, " 64 ")) ? 2 : 1;
}

/* The number of the register that the text begins with, of R or UR; false: it begins with none. */
static bool begins_with(const char *text, uint32_t length, bool is_uniform, uint32_t *number, uint32_t *n)
{
    uint32_t at = is_uniform ? 2 : 1;
    bool is_one = length > at && text[at - 1] == 'R' && (!is_uniform || text[0] == 'U') && text[at] >= '0' && text[at] <= '9';
    for (*number = 0, *n = at; is_one && *n < length && text[*n] >= '0' && text[*n] <= '9'; (*n)++) {
        *number = 10 * *number + (uint32_t)(text[*n] - '0');
    }
    return is_one;
}

/* What text has beyond the last register is none: tables have no place for it. */
bool bsim_sass_is_register(struct bsim_sass_word word, uint32_t *number)
{
    uint32_t n;
    bool is_one = begins_with(word.text, word.length, false, number, &n);
    struct bsim_sass_word rest = {word.text + n, is_one ? word.length - n : 0};
    return is_one && *number < RZ && (rest.length == 0 || bsim_sass_same(rest, ".reuse"));
}

bool bsim_sass_is_uniform(struct bsim_sass_word word, uint32_t *number)
{
    uint32_t n;
    return begins_with(word.text, word.length, true, number, &n) && n == word.length && *number < URZ;
}

/* Whether the operand has the register, or one of those before it as which so many registers begin. */
static bool mentions(struct bsim_sass_word word, uint32_t number, bool is_uniform, uint32_t width)
{
    bool is_there = false, is_inside = false;
    for (uint32_t i = 0; i < word.length && !is_there; i++) {
        uint32_t first = 0, n = 0;
        is_there = !is_inside && begins_with(word.text + i, word.length - i, is_uniform, &first, &n) && first <= number && number < first + width;
        char c = word.text[i];
        is_inside = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    }
    return is_there;
}

/* [R4+0x10], desc[UR4][R2.64] */
static bool is_place(struct bsim_sass_word word)
{
    return word.length > 0 && (word.text[0] == '[' || word.text[0] == 'd');
}

/* The operand that it sets, if that is a register; in->n_operands: none is, or it is not known. */
static uint32_t result_of(const struct bsim_sass_instruction *in)
{
    static const char behind_condition[] = " SHFL ATOM ATOMG ATOMS LOP3 MATCH ";
    static const char only_read[] = " BAR WARPSYNC BRX RET CALL NANOSLEEP BRA R2P ";
    bool is_second = in->n_operands > 1 && is_condition(in->operand[0]) && bsim_sass_is_in(behind_condition, in->opcode);
    uint32_t number, i = is_second;
    bool sets = in->n_operands > 1 && !bsim_sass_is_in(only_read, in->opcode) && bsim_sass_is_register(in->operand[i], &number);
    return sets ? i : in->n_operands;
}

bool bsim_sass_may_set(const struct bsim_sass_instruction *in, uint32_t number, bool is_uniform)
{
    bool may = false;
    for (uint32_t i = 0; i < 2 && i < in->n_operands && !may; i++) {
        may = !is_place(in->operand[i]) && mentions(in->operand[i], number, is_uniform, most_of(in));
        if (!is_condition(in->operand[i])) {
            break;
        }
    }
    return may;
}

/* Whether it sets the register, if it is executed. */
static bool sets(const struct bsim_sass_instruction *in, uint32_t number)
{
    uint32_t i = result_of(in), first;
    return i < in->n_operands && bsim_sass_is_register(in->operand[i], &first) && first <= number &&
           number < first + least_of(in);
}

/* What comes behind a branch to nobody knows where may read anything. */
static bool reads(const struct bsim_sass_instruction *in, uint32_t number)
{
    bool may = bsim_sass_same(in->opcode, "BRX") && in->targets.length == 0;
    uint32_t result = result_of(in), of_place = bsim_sass_is_in(" LDS STS ATOMS LDSM LDL STL ", in->opcode) ? 1 : 2;
    for (uint32_t i = 0; i < in->n_operands && !may; i++) {
        may = i != result && mentions(in->operand[i], number, false, is_place(in->operand[i]) ? of_place : most_read_of(in, i));
    }
    return may;
}

/* Marks where a call leads to, and where each call comes back to behind a RET. */
static void follow_call(struct bsim_sass_walk *walk, const struct bsim_sass_function *f, uint32_t i)
{
    if (bsim_sass_same(f->code[i].opcode, "CALL")) {
        bsim_sass_mark(walk, f, bsim_sass_index(f, bsim_sass_target(&f->code[i])));
    }
    for (uint32_t k = 0; k < f->n && bsim_sass_same(f->code[i].opcode, "RET"); k++) {
        if (bsim_sass_same(f->code[k].opcode, "CALL")) {
            bsim_sass_mark(walk, f, k + 1);
        }
    }
}

struct bsim_sass_word bsim_sass_condition_of(struct bsim_sass_word guard)
{
    bool is_not = guard.length > 0 && guard.text[0] == '!';
    return (struct bsim_sass_word){guard.text + is_not, guard.length - is_not};
}

/* Whether the condition "!P1" may have changed behind the instruction. */
static bool may_change(const struct bsim_sass_instruction *in, struct bsim_sass_word guard)
{
    struct bsim_sass_word name = bsim_sass_condition_of(guard);
    bool may = bsim_sass_is_in(" BRA BRX CALL RET EXIT R2P ", in->opcode);
    for (uint32_t i = 0; i < in->n_operands && !may; i++) {
        may = bsim_sass_equal(in->operand[i], name);
    }
    return may;
}

/* Behind what sets the register under a condition the first that may read, or sets, what was there before: of the next ones, as long as that stays, those under
 * it do not, as they have what was set:
 *
 *     @!P1 LDS R11, [UR5]
 *     @!P1 STG.E desc[UR12][R4.64], R11
 */
static uint32_t behind_condition(const struct bsim_sass_function *f, uint32_t at, uint32_t number)
{
    struct bsim_sass_word guard = f->code[at].guard;
    uint32_t i = at + 1;
    for (; i < f->n && !may_change(&f->code[i], guard); i++) {
        bool is_under = bsim_sass_equal(f->code[i].guard, guard);
        if (!is_under && (reads(&f->code[i], number) || sets(&f->code[i], number))) {
            break;
        }
    }
    return i;
}

bool bsim_sass_is_live(struct bsim_sass_walk *walk, const struct bsim_sass_function *f, uint32_t i, uint32_t number)
{
    bsim_sass_begin(walk, f, i);
    while (walk->n > 0) {
        uint32_t at = walk->stack[--walk->n];
        if (reads(&f->code[at], number)) {
            return true;
        }
        if (!sets(&f->code[at], number)) {
            bsim_sass_follow(walk, f, at);
            follow_call(walk, f, at);
        } else if (f->code[at].guard.length > 0) {
            bsim_sass_mark(walk, f, behind_condition(f, at, number));
        }
    }
    return false;
}
