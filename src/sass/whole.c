/* whole.c - instructions of whole numbers and bits, of 32 bits each.
 *
 *     IADD3 R4, P0, R5, R6, R7         R4 = R5 + R6 + R7, P0: what is carried
 *     LEA.HI R4, R5, R6, R7, 0x3       R4 = (R7:R5 << 3 >> 32) + R6
 *     SHF.R.U32.HI R4, RZ, 0x5, R6     R4 = R6 >> 5: of the pair R6:RZ the upper half
 *     LOP3.LUT P0, R4, R5, R6, R7, 0xf8, !PT     R4 = R5 & R6 | R7; P0: whether it is not 0
 *
 * With U in front the same in the uniform registers.
 */
#include "sass/say.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The opcode without the U of the uniform ones. */
static struct bsim_sass_word plain_opcode(const struct bsim_sass_saying *s)
{
    struct bsim_sass_word word = s->in->opcode;
    bool is_uniform = word.length > 1 && word.text[0] == 'U';
    return (struct bsim_sass_word){word.text + is_uniform, word.length - is_uniform};
}

static bool is(const struct bsim_sass_saying *s, const char *opcode)
{
    return bsim_sass_same(plain_opcode(s), opcode);
}

/* Operands that are set come first: a register, and conditions in front of it (LOP3) or behind (the others). */
static uint32_t count_conditions(const struct bsim_sass_saying *s, uint32_t from)
{
    uint32_t n = 0;
    while (bsim_sass_is_condition(s, from + n)) {
        n++;
    }
    return n;
}

/* q as 0 or 1, of 32 bits. */
static struct bsim_sass_name as_number(struct bsim_sass_saying *s, struct bsim_sass_name q, const char *yes)
{
    struct bsim_sass_name t = bsim_sass_new_t(s);
    bsim_sass_say(s, "selp.b32 %s, %s, 0, %s", t.text, yes, q.text);
    return t;
}

static struct bsim_sass_name widened(struct bsim_sass_saying *s, struct bsim_sass_name from, bool is_signed)
{
    struct bsim_sass_name d = bsim_sass_new_d(s);
    if (from.text[0] != '%') {
        bsim_sass_say(s, "mov.u64 %s, %s", d.text, from.text);
    } else {
        bsim_sass_say(s, "cvt.%s64.%s32 %s, %s", is_signed ? "s" : "u", is_signed ? "s" : "u", d.text, from.text);
    }
    return d;
}

static struct bsim_sass_name lower_half(struct bsim_sass_saying *s, struct bsim_sass_name d)
{
    struct bsim_sass_name t = bsim_sass_new_t(s);
    bsim_sass_say(s, "cvt.u32.u64 %s, %s", t.text, d.text);
    return t;
}

static struct bsim_sass_name upper_half(struct bsim_sass_saying *s, struct bsim_sass_name d)
{
    struct bsim_sass_name t = bsim_sass_new_t(s);
    bsim_sass_say(s, "mov.b64 {_, %s}, %s", t.text, d.text);
    return t;
}

/* An operand of a sum that may carry, of 64 bits: of what is subtracted the complement, whose 1 is added to *ones. */
static struct bsim_sass_name summand(struct bsim_sass_saying *s, uint32_t i, uint32_t *ones)
{
    if (!bsim_sass_has_sign(s, i, '-') || bsim_sass_bare(s, i).text[0] != '%') {
        return widened(s, bsim_sass_whole(s, i), false);
    }
    struct bsim_sass_name t = bsim_sass_new_t(s);
    bsim_sass_say(s, "not.b32 %s, %s", t.text, bsim_sass_bare(s, i).text);
    (*ones)++;
    return widened(s, t, false);
}

/* Sets conditions [first, first + n) to whether the sum, which is 64 bits wide, carries 1, and 2. */
static void set_carries(struct bsim_sass_saying *s, uint32_t first, uint32_t n, struct bsim_sass_name sum)
{
    struct bsim_sass_name high = upper_half(s, sum);
    for (uint32_t k = 0; k < n; k++) {
        struct bsim_sass_name q = bsim_sass_new_q(s);
        bsim_sass_say(s, "setp.gt.u32 %s, %s, %" PRIu32, q.text, high.text, k);
        bsim_sass_set_condition(s, first + k, q);
    }
}

/* The carries that the instruction takes in, its last operands, are added to the sum. */
static void add_carries(struct bsim_sass_saying *s, uint32_t first, struct bsim_sass_name sum)
{
    for (uint32_t i = first; i < s->in->n_operands; i++) {
        if (!(bsim_sass_is_nothing(s, i) && bsim_sass_has_sign(s, i, '~'))) {
            struct bsim_sass_name t = as_number(s, bsim_sass_condition(s, i), "1");
            bsim_sass_say(s, "add.u64 %s, %s, %s", sum.text, sum.text, widened(s, t, false).text);
        }
    }
}

/* VIADD.16x2 R4, R5, -R6: each half by itself. */
static void say_sum_of_halves(struct bsim_sass_saying *s)
{
    struct bsim_sass_name a = bsim_sass_whole(s, 1), b = bsim_sass_bare(s, 2);
    if (bsim_sass_has_sign(s, 1, '-') || (bsim_sass_has_sign(s, 2, '-') && b.text[0] != '%')) {
        bsim_sass_refuse(s, "a sum of halves of another form");
    } else if (bsim_sass_has_sign(s, 2, '-')) {
        struct bsim_sass_name t = bsim_sass_new_t(s);
        bsim_sass_say(s, "not.b32 %s, %s", t.text, b.text);
        bsim_sass_say(s, "add.u16x2 %s, %s, 0x10001", t.text, t.text);
        b = t;
    }
    bsim_sass_say_if(s, "add.u16x2 %s, %s, %s", bsim_sass_register(s, 0, 0).text, a.text, b.text);
}

static void say_sum(struct bsim_sass_saying *s)
{
    if (bsim_sass_has(s, "16x2")) {
        say_sum_of_halves(s);
        return;
    }
    uint32_t carries = count_conditions(s, 1), first = 1 + carries;
    bool takes = bsim_sass_has(s, "X");
    if (carries == 0 && !takes) {
        struct bsim_sass_name sum = bsim_sass_whole(s, first);
        bool is_of_three = first + 2 < s->in->n_operands && !bsim_sass_is_nothing(s, first + 2);
        struct bsim_sass_name second = bsim_sass_whole(s, first + 1);
        if (is_of_three) {
            struct bsim_sass_name t = bsim_sass_new_t(s);
            bsim_sass_say(s, "add.s32 %s, %s, %s", t.text, sum.text, second.text);
            sum = t;
            second = bsim_sass_whole(s, first + 2);
        }
        bsim_sass_say_if(s, "add.s32 %s, %s, %s", bsim_sass_register(s, 0, 0).text, sum.text, second.text);
        return;
    }
    uint32_t ones = 0;
    struct bsim_sass_name sum = bsim_sass_new_d(s);
    struct bsim_sass_name a = summand(s, first, &ones), b = summand(s, first + 1, &ones), c = summand(s, first + 2, &ones);
    bsim_sass_say(s, "add.u64 %s, %s, %s", sum.text, a.text, b.text);
    bsim_sass_say(s, "add.u64 %s, %s, %s", sum.text, sum.text, c.text);
    if (ones > 0) {
        bsim_sass_say(s, "add.u64 %s, %s, %" PRIu32, sum.text, sum.text, ones);
    }
    add_carries(s, first + 3, sum);
    bsim_sass_set(s, 0, lower_half(s, sum));
    set_carries(s, 1, carries, sum);
}

/* IMAD and its names for a move, a sum, a shift, which compute the same. */
static void say_product(struct bsim_sass_saying *s)
{
    bool is_unsigned = bsim_sass_has(s, "U32");
    uint32_t carries = count_conditions(s, 1), first = 1 + carries;
    bool is_wide = bsim_sass_has(s, "WIDE"), is_high = bsim_sass_has(s, "HI"), takes = bsim_sass_has(s, "X");
    if (!is_wide && !is_high && carries == 0 && !takes) {
        bsim_sass_say_if(s, "mad.lo.s32 %s, %s, %s, %s", bsim_sass_register(s, 0, 0).text, bsim_sass_whole(s, first).text,
                         bsim_sass_whole(s, first + 1).text, bsim_sass_whole(s, first + 2).text);
        return;
    }
    struct bsim_sass_name product = bsim_sass_new_d(s), a = bsim_sass_whole(s, first), b = bsim_sass_whole(s, first + 1);
    bsim_sass_say(s, "mul.wide.%s %s, %s, %s", is_unsigned ? "u32" : "s32", product.text, a.text, b.text);
    if (!is_wide && !is_high) { /* IMAD.X: R4 = R5 * R6 + R7 + P0 */
        product = widened(s, lower_half(s, product), false);
        bsim_sass_say(s, "add.u64 %s, %s, %s", product.text, product.text, widened(s, bsim_sass_whole(s, first + 2), false).text);
        add_carries(s, first + 3, product);
        bsim_sass_set(s, 0, lower_half(s, product));
        return;
    }
    struct bsim_sass_name sum = bsim_sass_new_d(s), c = bsim_sass_long(s, first + 2), q = bsim_sass_new_q(s);
    bsim_sass_say(s, "add.u64 %s, %s, %s", sum.text, product.text, c.text);
    bsim_sass_say(s, "setp.lt.u64 %s, %s, %s", q.text, sum.text, product.text);
    if (takes) {
        struct bsim_sass_name before = bsim_sass_new_d(s);
        bsim_sass_say(s, "mov.u64 %s, %s", before.text, sum.text);
        add_carries(s, first + 3, sum);
        bsim_sass_say(s, "setp.lt.or.u64 %s, %s, %s, %s", q.text, sum.text, before.text, q.text);
    }
    if (is_high) {
        bsim_sass_set(s, 0, upper_half(s, sum));
    } else {
        bsim_sass_set_long(s, 0, sum);
    }
    if (carries > 0) {
        bsim_sass_set_condition(s, 1, q);
    }
}

/* LEA, LEA.HI, LEA.HI.SX32, LEA.HI.X: a is shifted as the lower half of 64 bits. */
static void say_lea(struct bsim_sass_saying *s)
{
    uint32_t carries = count_conditions(s, 1), first = 1 + carries;
    bool is_high = bsim_sass_has(s, "HI"), is_signed = bsim_sass_has(s, "SX32"), takes = bsim_sass_has(s, "X");
    bool has_upper = is_high && !is_signed;
    uint32_t ones = 0, shift = bsim_sass_number(s, first + 2 + has_upper);
    struct bsim_sass_name shifted;
    if (!is_high && carries == 0) {
        shifted = bsim_sass_new_t(s);
        bsim_sass_say(s, "shl.b32 %s, %s, %" PRIu32, shifted.text, bsim_sass_whole(s, first).text, shift);
        bsim_sass_say_if(s, "add.s32 %s, %s, %s", bsim_sass_register(s, 0, 0).text, shifted.text, bsim_sass_whole(s, first + 1).text);
        return;
    }
    bool is_negative = bsim_sass_has_sign(s, first, '-');
    if (is_negative && is_high) {
        bsim_sass_refuse(s, "the upper half of what is negated and shifted");
    }
    struct bsim_sass_name a = is_negative ? bsim_sass_bare(s, first) : bsim_sass_whole(s, first), d = bsim_sass_new_d(s);
    if (has_upper) {
        bsim_sass_say(s, "mov.b64 %s, {%s, %s}", d.text, a.text, bsim_sass_whole(s, first + 2).text);
    } else {
        d = widened(s, a, is_signed);
    }
    bsim_sass_say(s, "shl.b64 %s, %s, %" PRIu32, d.text, d.text, shift);
    struct bsim_sass_name half = is_high ? upper_half(s, d) : lower_half(s, d);
    if (is_negative) { /* what is subtracted carries as its complement and 1 do */
        bsim_sass_say(s, "not.b32 %s, %s", half.text, half.text);
        ones++;
    }
    struct bsim_sass_name sum = widened(s, half, false);
    bsim_sass_say(s, "add.u64 %s, %s, %s", sum.text, sum.text, summand(s, first + 1, &ones).text);
    if (ones > 0) {
        bsim_sass_say(s, "add.u64 %s, %s, %" PRIu32, sum.text, sum.text, ones);
    }
    if (takes) {
        add_carries(s, first + 3 + has_upper, sum);
    }
    bsim_sass_set(s, 0, lower_half(s, sum));
    set_carries(s, 1, carries, sum);
}

/* A shift of the pair c:a, of which the lower half is told, or with HI the upper one. */
static void say_shift(struct bsim_sass_saying *s)
{
    bool is_left = bsim_sass_has(s, "L"), is_high = bsim_sass_has(s, "HI"), wraps = bsim_sass_has(s, "W");
    bool is_64 = bsim_sass_has(s, "U64") || bsim_sass_has(s, "S64");
    bool is_signed = bsim_sass_has(s, "S32") || bsim_sass_has(s, "S64");
    struct bsim_sass_name by = bsim_sass_whole(s, 2);
    if (wraps) {
        struct bsim_sass_name t = bsim_sass_new_t(s);
        bsim_sass_say(s, "and.b32 %s, %s, %d", t.text, by.text, is_64 ? 63 : 31);
        by = t;
    }
    bool is_of_low = is_left && !is_high, is_of_high = !is_left && is_high;
    if (is_of_low || is_of_high) {
        const char *how = is_left ? "shl.b32" : is_signed ? "shr.s32" : "shr.u32";
        bsim_sass_say_if(s, "%s %s, %s, %s", how, bsim_sass_register(s, 0, 0).text, bsim_sass_whole(s, is_of_low ? 1 : 3).text, by.text);
        return;
    }
    if (!wraps && !is_64) { /* a shift of a word is one by 32 at most, though a pair is what is shifted */
        struct bsim_sass_name t = bsim_sass_new_t(s);
        bsim_sass_say(s, "min.u32 %s, %s, 32", t.text, by.text);
        by = t;
    }
    struct bsim_sass_name d = bsim_sass_new_d(s);
    bsim_sass_say(s, "mov.b64 %s, {%s, %s}", d.text, bsim_sass_whole(s, 1).text, bsim_sass_whole(s, 3).text);
    bsim_sass_say(s, "%s %s, %s, %s", is_left ? "shl.b64" : is_signed ? "shr.s64" : "shr.u64", d.text, d.text, by.text);
    bsim_sass_set(s, 0, is_high ? upper_half(s, d) : lower_half(s, d));
}

static void say_logic(struct bsim_sass_saying *s)
{
    uint32_t conditions = count_conditions(s, 0), first = conditions + 1, lut = first + 3;
    struct bsim_sass_name to = bsim_sass_new_t(s);
    bsim_sass_say(s, "lop3.b32 %s, %s, %s, %s, %" PRIu32, to.text, bsim_sass_whole(s, first).text, bsim_sass_whole(s, first + 1).text,
                  bsim_sass_whole(s, first + 2).text, bsim_sass_number(s, lut));
    bsim_sass_set(s, conditions, to);
    if (conditions > 0) {
        struct bsim_sass_name q = bsim_sass_new_q(s), in = bsim_sass_condition(s, lut + 1);
        bsim_sass_say(s, "setp.ne.%s.s32 %s, %s, 0, %s", bsim_sass_has(s, "PAND") ? "and" : "or", q.text, to.text, in.text);
        bsim_sass_set_condition(s, 0, q);
    }
}

/* A function of three conditions, by its table; the second one by the second table. */
static void say_condition_logic(struct bsim_sass_saying *s)
{
    struct bsim_sass_name a = as_number(s, bsim_sass_condition(s, 2), "-1"), b = as_number(s, bsim_sass_condition(s, 3), "-1"),
                          c = as_number(s, bsim_sass_condition(s, 4), "-1"), q[2];
    for (uint32_t k = 0; k < 2; k++) {
        struct bsim_sass_name t = bsim_sass_new_t(s);
        q[k] = bsim_sass_new_q(s);
        bsim_sass_say(s, "lop3.b32 %s, %s, %s, %s, %" PRIu32, t.text, a.text, b.text, c.text, bsim_sass_number(s, 5 + k));
        bsim_sass_say(s, "setp.ne.s32 %s, %s, 0", q[k].text, t.text);
    }
    bsim_sass_set_condition(s, 1, q[1]);
    bsim_sass_set_condition(s, 0, q[0]);
}

static const char *one_of(const struct bsim_sass_saying *s, const char *const *words, const char *otherwise)
{
    for (; *words != NULL; words++) {
        if (bsim_sass_has(s, *words)) {
            return *words;
        }
    }
    return otherwise;
}

/* In lower case. */
static struct bsim_sass_name lower(const char *word)
{
    struct bsim_sass_name name = {""};
    for (size_t i = 0; word[i] != '\0' && i + 1 < sizeof name.text; i++) {
        name.text[i] = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] - 'A' + 'a') : word[i];
    }
    return name;
}

/* ISETP.GE.U32.AND P0, PT, R0, R1, P2: P0 is R0 >= R1 and P2, what stands beside it R0 < R1 and P2; EX: of what is as great a
 * comparison of the lower words decides, the last operand. */
static void say_comparison(struct bsim_sass_saying *s)
{
    static const char *const orders[] = {"EQ", "NE", "LT", "LE", "GT", "GE", NULL};
    const char *order = one_of(s, orders, NULL);
    if (order == NULL) {
        bsim_sass_refuse(s, "a comparison of another form");
        return;
    }
    const char *type = bsim_sass_has(s, "U32") ? "u32" : "s32";
    struct bsim_sass_name a = bsim_sass_whole(s, 2), b = bsim_sass_whole(s, 3), is_so = bsim_sass_new_q(s);
    struct bsim_sass_name is = lower(order);
    if (!bsim_sass_has(s, "EX")) {
        bsim_sass_say(s, "setp.%s.%s %s, %s, %s", is.text, type, is_so.text, a.text, b.text);
    } else {
        bool is_ne = strcmp(order, "NE") == 0;
        struct bsim_sass_name strictly = {{order[0] == 'G' || order[0] == 'L' ? is.text[0] : 'n', 't', '\0'}}, below = bsim_sass_condition(s, 5);
        bsim_sass_say(s, "setp.eq.and.s32 %s, %s, %s, %s", is_so.text, a.text, b.text, below.text);
        if (is_ne) {
            bsim_sass_say(s, "setp.ne.or.s32 %s, %s, %s, %s", is_so.text, a.text, b.text, below.text);
        } else if (strcmp(order, "EQ") != 0) {
            bsim_sass_say(s, "setp.%s.or.%s %s, %s, %s, %s", strictly.text, type, is_so.text, a.text, b.text, is_so.text);
        }
    }
    bsim_sass_set_compared(s, is_so);
}

/* Of a, b (and c) the least if the last operand holds, else the greatest. */
static void say_least(struct bsim_sass_saying *s)
{
    bool adds = bsim_sass_same(s->in->opcode, "VIADDMNMX"), is_of_three = bsim_sass_same(s->in->opcode, "VIMNMX3");
    uint32_t last = s->in->n_operands - 1;
    bool is_least = !bsim_sass_has_sign(s, last, '~');
    static const char *const types[] = {"U32", "U16x2", "S16x2", NULL};
    const char *how = is_least ? "min" : "max", *add = one_of(s, types, "S32")[1] == '1' ? "add.u16x2" : "add.s32";
    struct bsim_sass_name type = lower(one_of(s, types, "S32"));
    if (!bsim_sass_is_nothing(s, last) || bsim_sass_is_condition(s, 1)) {
        bsim_sass_refuse(s, "what is told is chosen by a condition, or tells one");
        return;
    }
    struct bsim_sass_name t = bsim_sass_whole(s, 1), more = bsim_sass_whole(s, 2), made = bsim_sass_new_t(s);
    if (adds) {
        bsim_sass_say(s, "%s %s, %s, %s", add, made.text, t.text, more.text);
    } else {
        bsim_sass_say(s, "%s.%s %s, %s, %s", how, type.text, made.text, t.text, more.text);
    }
    if (adds || is_of_three) {
        bsim_sass_say(s, "%s.%s %s, %s, %s", how, type.text, made.text, made.text, bsim_sass_whole(s, 3).text);
    }
    if (bsim_sass_has(s, "RELU")) {
        bsim_sass_say(s, "max.%s %s, %s, 0", type.text, made.text, made.text);
    }
    bsim_sass_set(s, 0, made);
}

/* P2R R4, PR, R5, 0x7f: the conditions in these bits of R5; R2P PR, R4, 0x7f: from them. */
static void say_packed_conditions(struct bsim_sass_saying *s)
{
    bool packs = is(s, "P2R");
    uint32_t mask = bsim_sass_number(s, packs ? 3 : 2);
    if (s->in->n_modifiers > 0) {
        bsim_sass_refuse(s, "conditions in another byte");
        return;
    }
    if (!packs) {
        struct bsim_sass_name from = bsim_sass_whole(s, 1);
        for (uint32_t k = 0; k < 7; k++) {
            if ((mask >> k & 1) != 0) {
                struct bsim_sass_name t = bsim_sass_new_t(s), q = bsim_sass_new_q(s);
                bsim_sass_say(s, "and.b32 %s, %s, %" PRIu32, t.text, from.text, 1u << k);
                bsim_sass_say(s, "setp.ne.s32 %s, %s, 0", q.text, t.text);
                bsim_sass_say_if(s, "mov.pred %%P%" PRIu32 ", %s", k, q.text);
            }
        }
        return;
    }
    struct bsim_sass_name to = bsim_sass_new_t(s);
    bsim_sass_say(s, "and.b32 %s, %s, %" PRIu32, to.text, bsim_sass_whole(s, 2).text, ~mask);
    for (uint32_t k = 0; k < 7; k++) {
        if ((mask >> k & 1) != 0) {
            struct bsim_sass_name t = bsim_sass_new_t(s);
            bsim_sass_say(s, "selp.b32 %s, %" PRIu32 ", 0, %%P%" PRIu32, t.text, 1u << k, k);
            bsim_sass_say(s, "or.b32 %s, %s, %s", to.text, to.text, t.text);
        }
    }
    bsim_sass_set(s, 0, to);
}

/* IDP.4A.S8.U8, IDP.2A.LO.S16.S8 R4, R5, R6, R7: R7 and four products of bytes, or two of R5's halves with R6's lower bytes. */
static void say_dot(struct bsim_sass_saying *s)
{
    bool is_of_four = bsim_sass_has(s, "4A"), is_low = bsim_sass_has(s, "LO");
    uint32_t first = is_of_four ? 1 : 2;
    if (s->in->n_modifiers != first + 2 || (!is_of_four && !bsim_sass_has(s, "2A"))) {
        bsim_sass_refuse(s, "IDP of another form");
        return;
    }
    char a = s->in->modifier[first].text[0] == 'U' ? 'u' : 's', b = s->in->modifier[first + 1].text[0] == 'U' ? 'u' : 's';
    struct bsim_sass_name x = bsim_sass_whole(s, 1), y = bsim_sass_whole(s, 2), z = bsim_sass_whole(s, 3);
    bsim_sass_say_if(s, "%s.%c32.%c32 %s, %s, %s, %s", is_of_four ? "dp4a" : is_low ? "dp2a.lo" : "dp2a.hi", a, b, bsim_sass_register(s, 0, 0).text, x.text,
                     y.text, z.text);
}

/* VABSDIFF.U32 R4, R5, R6, R7: the difference without its sign, and R7; VABSDIFF4.U8: of four bytes, with ACC their sum, and R7. */
static void say_differences(struct bsim_sass_saying *s)
{
    struct bsim_sass_name a = bsim_sass_whole(s, 1), b = bsim_sass_whole(s, 2), c = bsim_sass_whole(s, 3);
    bool is_of_four = is(s, "VABSDIFF4"), adds = bsim_sass_has(s, "ACC");
    if (is_of_four && (!bsim_sass_has(s, "U8") || (!adds && !bsim_sass_is_nothing(s, 3)))) {
        bsim_sass_refuse(s, "VABSDIFF4 of another form");
        return;
    }
    const char *how = !is_of_four ? (bsim_sass_has(s, "U32") ? "sad.u32" : "sad.s32") : adds ? "vabsdiff4.u32.u32.u32.add" : "vabsdiff4.u32.u32.u32";
    bsim_sass_say_if(s, "%s %s, %s, %s, %s", how, bsim_sass_register(s, 0, 0).text, a.text, b.text, c.text);
}

/* FLO.U32 R4, R5: the highest bit that is set, counted from the lowest, or with SH from the highest. */
static void say_simple(struct bsim_sass_saying *s, const char *how)
{
    bsim_sass_say_if(s, "%s %s, %s", how, bsim_sass_register(s, 0, 0).text, bsim_sass_whole(s, 1).text);
}

/* SGXT R4, R5, 0x8: the lowest bits of R5, extended by their sign; BMSK R4, R5, R6: R6 bits from R5 on. */
static void say_field(struct bsim_sass_saying *s)
{
    struct bsim_sass_name a = bsim_sass_whole(s, 1), b = bsim_sass_whole(s, 2);
    const char *how = is(s, "BMSK") ? "bmsk" : "szext", *end = bsim_sass_has(s, "W") ? "wrap" : "clamp";
    const char *type = is(s, "BMSK") ? "b32" : bsim_sass_has(s, "U32") ? "u32" : "s32";
    bsim_sass_say_if(s, "%s.%s.%s %s, %s, %s", how, end, type, bsim_sass_register(s, 0, 0).text, a.text, b.text);
}

static void say_choice(struct bsim_sass_saying *s)
{
    struct bsim_sass_name a = bsim_sass_whole(s, 1), b = bsim_sass_whole(s, 2), p = bsim_sass_condition(s, 3);
    bsim_sass_say_if(s, "selp.b32 %s, %s, %s, %s", bsim_sass_register(s, 0, 0).text, a.text, b.text, p.text);
}

static void say_permuted(struct bsim_sass_saying *s)
{
    static const char *const modes[] = {"F4E", "B4E", "RC8", "ECL", "ECR", "RC16", NULL};
    struct bsim_sass_name mode = lower(one_of(s, modes, "")), a = bsim_sass_whole(s, 1), b = bsim_sass_whole(s, 3), how = bsim_sass_whole(s, 2);
    if (s->in->n_modifiers > 0 && mode.text[0] == '\0') {
        bsim_sass_refuse(s, "PRMT of another mode");
    }
    bsim_sass_say_if(s, "prmt.b32%s%s %s, %s, %s, %s", mode.text[0] != '\0' ? "." : "", mode.text, bsim_sass_register(s, 0, 0).text, a.text, b.text, how.text);
}

static void say_move(struct bsim_sass_saying *s)
{
    bsim_sass_set(s, 0, bsim_sass_whole(s, 1));
}

static void say_absolute(struct bsim_sass_saying *s)
{
    say_simple(s, "abs.s32");
}

static void say_count(struct bsim_sass_saying *s)
{
    say_simple(s, "popc.b32");
}

static void say_reversed(struct bsim_sass_saying *s)
{
    say_simple(s, "brev.b32");
}

static void say_highest(struct bsim_sass_saying *s)
{
    bool is_signed = !bsim_sass_has(s, "U32");
    say_simple(s, bsim_sass_has(s, "SH") ? (is_signed ? "bfind.shiftamt.s32" : "bfind.shiftamt.u32") : is_signed ? "bfind.s32" : "bfind.u32");
}

static const struct bsim_sass_known known[] = {
    {"IADD3", say_sum, " X "},
    {"VIADD", say_sum, " 16x2 "},
    {"IADD", say_sum, ""},
    {"IMAD", say_product, " HI IADD MOV SHL U32 WIDE X "},
    {"LEA", say_lea, " HI SX32 X "},
    {"SHF", say_shift, " HI L R S32 S64 U32 U64 W "},
    {"LOP3", say_logic, " LUT PAND "},
    {"PLOP3", say_condition_logic, " LUT "},
    {"ISETP", say_comparison, " EQ NE LT LE GT GE AND OR XOR EX U32 "},
    {"IMNMX", say_least, " U32 "},
    {"VIMNMX", say_least, " U32 U16x2 S16x2 RELU "},
    {"VIMNMX3", say_least, " U32 U16x2 S16x2 RELU "},
    {"VIADDMNMX", say_least, " U32 U16x2 S16x2 RELU "},
    {"P2R", say_packed_conditions, ""},
    {"R2P", say_packed_conditions, ""},
    {"IDP", say_dot, " 2A 4A HI LO S16 S8 U16 U8 "},
    {"VABSDIFF4", say_differences, " U8 ACC "},
    {"VABSDIFF", say_differences, " U32 "},
    {"SGXT", say_field, " U32 W "},
    {"BMSK", say_field, " W "},
    {"SEL", say_choice, ""},
    {"PRMT", say_permuted, " F4E B4E RC8 ECL ECR RC16 "},
    {"MOV", say_move, ""},
    {"IABS", say_absolute, ""},
    {"POPC", say_count, ""},
    {"BREV", say_reversed, ""},
    {"FLO", say_highest, " U32 SH "},
};

bool bsim_sass_say_whole(struct bsim_sass_saying *s)
{
    return bsim_sass_say_known(s, plain_opcode(s), known, sizeof known / sizeof *known);
}
