/* point.c - instructions of floating point: single, double and half precision, conversions, products of matrices.
 *
 *     FFMA.FTZ R4, R5, -R6, 1        fma.rn.ftz.f32
 *     MUFU.RCP R4, R5                rcp.approx.ftz.f32: the function alone; what is about it in a division are instructions of their own
 *     DFMA R4, R6, R8, R10           pairs of registers
 *     HADD2.F32 R4, -RZ, R5.H1_H1    a half made single
 */
#include "sass/say.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct word {
    const char *sass, *ptx;
};

/* What PTX calls the first of the words that stands behind the opcode; otherwise: none does. */
static const char *find(const struct bsim_sass_saying *s, const struct word *words, const char *otherwise)
{
    for (; words->sass != NULL; words++) {
        if (bsim_sass_has(s, words->sass)) {
            return words->ptx;
        }
    }
    return otherwise;
}

static const struct word roundings[] = {{"RM", "rm"}, {"RP", "rp"}, {"RZ", "rz"}, {NULL, NULL}};

static const char *flushes(const struct bsim_sass_saying *s)
{
    return bsim_sass_has(s, "FTZ") ? ".ftz" : "";
}

static const char *saturates(const struct bsim_sass_saying *s)
{
    return bsim_sass_has(s, "SAT") ? ".sat" : "";
}

/* ---- single precision ------------------------------------------------------------------------ */

static void say_single(struct bsim_sass_saying *s, const char *how, uint32_t n)
{
    struct bsim_sass_name a = bsim_sass_single(s, 1), b = bsim_sass_single(s, 2), c = n > 2 ? bsim_sass_single(s, 3) : a;
    bsim_sass_say_if(s, "%s.%s%s%s.f32 %s, %s, %s%s%s", how, find(s, roundings, "rn"), flushes(s), saturates(s), bsim_sass_register(s, 0, 0).text, a.text,
                     b.text, n > 2 ? ", " : "", n > 2 ? c.text : "");
}

static void say_fadd(struct bsim_sass_saying *s)
{
    say_single(s, "add", 2);
}

static void say_ffma(struct bsim_sass_saying *s)
{
    say_single(s, "fma", 3);
}

static void say_fmul(struct bsim_sass_saying *s)
{
    static const struct word scales[] = {{"D2", "0f3F000000"}, {"D4", "0f3E800000"}, {"D8", "0f3E000000"}, {"M2", "0f40000000"},
                                         {"M4", "0f40800000"}, {"M8", "0f41000000"}, {NULL, NULL}};
    const char *scale = find(s, scales, NULL);
    say_single(s, "mul", 2);
    if (scale != NULL) {
        struct bsim_sass_name to = bsim_sass_register(s, 0, 0);
        bsim_sass_say_if(s, "mul.rn.f32 %s, %s, %s", to.text, to.text, scale);
    }
}

static void say_fmnmx(struct bsim_sass_saying *s)
{
    struct bsim_sass_name a = bsim_sass_single(s, 1), b = bsim_sass_single(s, 2);
    bool is_least = !bsim_sass_has_sign(s, 3, '~');
    if (!bsim_sass_is_nothing(s, 3)) {
        bsim_sass_refuse(s, "what is told is chosen by a condition");
    }
    bsim_sass_say_if(s, "%s%s%s.f32 %s, %s, %s", is_least ? "min" : "max", flushes(s), bsim_sass_has(s, "NAN") ? ".NaN" : "",
                     bsim_sass_register(s, 0, 0).text, a.text, b.text);
}

static void say_fsel(struct bsim_sass_saying *s)
{
    struct bsim_sass_name a = bsim_sass_single(s, 1), b = bsim_sass_single(s, 2), p = bsim_sass_condition(s, 3);
    bsim_sass_say_if(s, "selp.f32 %s, %s, %s, %s", bsim_sass_register(s, 0, 0).text, a.text, b.text, p.text);
}

static const struct word orders[] = {{"EQ", "eq"},   {"NE", "ne"},   {"LT", "lt"},   {"LE", "le"},   {"GT", "gt"},   {"GE", "ge"},   {"EQU", "equ"}, {"NEU", "neu"},
                                     {"LTU", "ltu"}, {"LEU", "leu"}, {"GTU", "gtu"}, {"GEU", "geu"}, {"NUM", "num"}, {"NAN", "nan"}, {NULL, NULL}};

static struct bsim_sass_name compared(struct bsim_sass_saying *s, const char *type, struct bsim_sass_name a, struct bsim_sass_name b)
{
    const char *order = find(s, orders, NULL);
    struct bsim_sass_name is_so = bsim_sass_new_q(s);
    if (order == NULL) {
        bsim_sass_refuse(s, "a comparison of another form");
        return is_so;
    }
    bsim_sass_say(s, "setp.%s%s.%s %s, %s, %s", order, flushes(s), type, is_so.text, a.text, b.text);
    return is_so;
}

static void say_fsetp(struct bsim_sass_saying *s)
{
    struct bsim_sass_name a = bsim_sass_single(s, 2), b = bsim_sass_single(s, 3);
    bsim_sass_set_compared(s, compared(s, "f32", a, b));
}

/* FSET.BF.GT.AND R4, R5, R6, P0: 1.0 where R5 > R6 and P0, else 0. */
static void say_fset(struct bsim_sass_saying *s)
{
    struct bsim_sass_name a = bsim_sass_single(s, 1), b = bsim_sass_single(s, 2), with = bsim_sass_condition(s, 3), is_so = compared(s, "f32", a, b);
    if (!bsim_sass_has(s, "BF")) {
        bsim_sass_refuse(s, "a comparison of another form");
    }
    bsim_sass_say(s, "%s.pred %s, %s, %s", bsim_sass_join(s), is_so.text, is_so.text, with.text);
    bsim_sass_say_if(s, "selp.f32 %s, 0f3F800000, 0f00000000, %s", bsim_sass_register(s, 0, 0).text, is_so.text);
}

/* Whether the division of operands 1 by 2 needs its long way: by their exponents, as measured (ptx/slow.c). */
static void say_fchk(struct bsim_sass_saying *s)
{
    struct bsim_sass_name a = bsim_sass_single(s, 1), b = bsim_sass_single(s, 2), ea = bsim_sass_new_t(s), eb = bsim_sass_new_t(s),
                          t = bsim_sass_new_t(s), q = bsim_sass_new_q(s);
    bsim_sass_say(s, "mov.b32 %s, %s", ea.text, a.text);
    bsim_sass_say(s, "mov.b32 %s, %s", eb.text, b.text);
    bsim_sass_say(s, "bfe.u32 %s, %s, 23, 8", ea.text, ea.text);
    bsim_sass_say(s, "bfe.u32 %s, %s, 23, 8", eb.text, eb.text);
    bsim_sass_say(s, "sub.s32 %s, %s, 2", t.text, eb.text);
    bsim_sass_say(s, "setp.gt.u32 %s, %s, 249", q.text, t.text);
    bsim_sass_say(s, "setp.lt.or.s32 %s, %s, 25, %s", q.text, ea.text, q.text);
    bsim_sass_say(s, "setp.eq.or.s32 %s, %s, 255, %s", q.text, ea.text, q.text);
    bsim_sass_say(s, "sub.s32 %s, %s, %s", t.text, ea.text, eb.text);
    bsim_sass_say(s, "add.s32 %s, %s, 124", t.text, t.text);
    bsim_sass_say(s, "setp.gt.or.u32 %s, %s, 250, %s", q.text, t.text, q.text);
    bsim_sass_set_condition(s, 0, q);
}

static struct bsim_sass_name half_of(struct bsim_sass_saying *s, uint32_t i)
{
    struct bsim_sass_name both = bsim_sass_halves(s, i), h = {"%h1"};
    bsim_sass_say(s, "cvt.u16.u32 %s, %s", h.text, both.text);
    return h;
}

/* Sines are of turns here. */
static void say_mufu(struct bsim_sass_saying *s)
{
    static const struct word functions[] = {{"RCP", "rcp.approx.ftz.f32"}, {"RSQ", "rsqrt.approx.ftz.f32"}, {"SQRT", "sqrt.approx.ftz.f32"},
                                            {"EX2", "ex2.approx.ftz.f32"}, {"LG2", "lg2.approx.ftz.f32"},   {"SIN", "sin.approx.ftz.f32"},
                                            {"COS", "cos.approx.ftz.f32"}, {"TANH", "tanh.approx.f32"},     {"RCP64H", "rcp.approx.ftz.f64"},
                                            {"RSQ64H", "rsqrt.approx.ftz.f64"}, {NULL, NULL}};
    const char *how = find(s, functions, NULL);
    if (how == NULL) {
        bsim_sass_refuse(s, "a function that is not read");
        return;
    }
    if (bsim_sass_has(s, "F16")) { /* MUFU.TANH.F16 */
        bool is_tanh = bsim_sass_has(s, "TANH");
        struct bsim_sass_name h = half_of(s, 1);
        bsim_sass_say(s, "%s.approx.f16 %%h0, %s", is_tanh ? "tanh" : "ex2", h.text);
        bsim_sass_say_if(s, "mov.b32 %s, {%%h0, 0}", bsim_sass_register(s, 0, 0).text);
        if (!is_tanh && !bsim_sass_has(s, "EX2")) {
            bsim_sass_refuse(s, "a function of halves that is not read");
        }
        return;
    }
    if (bsim_sass_has(s, "RCP64H") || bsim_sass_has(s, "RSQ64H")) {
        struct bsim_sass_name d = bsim_sass_new_d(s), t = bsim_sass_new_t(s);
        bsim_sass_say(s, "mov.b64 %s, {0, %s}", d.text, bsim_sass_whole(s, 1).text);
        bsim_sass_say(s, "%s %s, %s", how, d.text, d.text);
        bsim_sass_say(s, "mov.b64 {_, %s}, %s", t.text, d.text);
        bsim_sass_set(s, 0, t);
        return;
    }
    struct bsim_sass_name a = bsim_sass_single(s, 1), t = bsim_sass_new_t(s);
    bool is_of_turns = bsim_sass_has(s, "SIN") || bsim_sass_has(s, "COS");
    bsim_sass_say(s, is_of_turns ? "mul.rn.f32 %s, %s, 0f40C90FDB" : "mov.b32 %s, %s", t.text, a.text);
    bsim_sass_say_if(s, "%s %s, %s", how, bsim_sass_register(s, 0, 0).text, t.text);
}

/* ---- double precision ------------------------------------------------------------------------ */

static void say_double(struct bsim_sass_saying *s, const char *how, uint32_t n)
{
    struct bsim_sass_name a = bsim_sass_double(s, 1), b = bsim_sass_double(s, 2), c = n > 2 ? bsim_sass_double(s, 3) : a, d = bsim_sass_new_d(s);
    bsim_sass_say(s, "%s.%s.f64 %s, %s, %s%s%s", how, find(s, roundings, "rn"), d.text, a.text, b.text, n > 2 ? ", " : "", n > 2 ? c.text : "");
    bsim_sass_set_long(s, 0, d);
}

static void say_dadd(struct bsim_sass_saying *s)
{
    say_double(s, "add", 2);
}

static void say_dmul(struct bsim_sass_saying *s)
{
    say_double(s, "mul", 2);
}

static void say_dfma(struct bsim_sass_saying *s)
{
    say_double(s, "fma", 3);
}

/* Of zeros the positive one is the greater. */
static void add_zeros(struct bsim_sass_saying *s, struct bsim_sass_name a, struct bsim_sass_name b, struct bsim_sass_name is_a)
{
    struct bsim_sass_name bits = bsim_sass_new_d(s), is_negative = bsim_sass_new_q(s), is_equal = bsim_sass_new_q(s);
    bsim_sass_say(s, "mov.b64 %s, %s", bits.text, bsim_sass_has(s, "MAX") ? b.text : a.text);
    bsim_sass_say(s, "setp.lt.s64 %s, %s, 0", is_negative.text, bits.text);
    bsim_sass_say(s, "setp.eq.and.f64 %s, %s, %s, %s", is_equal.text, a.text, b.text, is_negative.text);
    bsim_sass_say(s, "or.pred %s, %s, %s", is_a.text, is_a.text, is_equal.text);
}

/* DSETP.MAX P0, P1, a, b: P0: a is the greater one, or b is no number, P1: neither is one. */
static void say_greater_double(struct bsim_sass_saying *s, struct bsim_sass_name a, struct bsim_sass_name b)
{
    struct bsim_sass_name is_a = bsim_sass_new_q(s), no_a = bsim_sass_new_q(s), no_b = bsim_sass_new_q(s), none = bsim_sass_new_q(s);
    bsim_sass_say(s, "setp.nan.f64 %s, %s, %s", no_a.text, a.text, a.text);
    bsim_sass_say(s, "setp.nan.f64 %s, %s, %s", no_b.text, b.text, b.text);
    bsim_sass_say(s, "and.pred %s, %s, %s", none.text, no_a.text, no_b.text);
    bsim_sass_say(s, "setp.%s.f64 %s, %s, %s", bsim_sass_has(s, "MAX") ? "gt" : "lt", is_a.text, a.text, b.text);
    add_zeros(s, a, b, is_a);
    bsim_sass_say(s, "not.pred %s, %s", no_a.text, no_a.text);
    bsim_sass_say(s, "and.pred %s, %s, %s", no_b.text, no_b.text, no_a.text);
    bsim_sass_say(s, "or.pred %s, %s, %s", is_a.text, is_a.text, no_b.text);
    bsim_sass_set_condition(s, 1, none);
    bsim_sass_set_condition(s, 0, is_a);
}

static void say_dsetp(struct bsim_sass_saying *s)
{
    struct bsim_sass_name a = bsim_sass_double(s, 2), b = bsim_sass_double(s, 3);
    if (bsim_sass_has(s, "MAX") || bsim_sass_has(s, "MIN")) {
        say_greater_double(s, a, b);
    } else {
        bsim_sass_set_compared(s, compared(s, "f64", a, b));
    }
}

/* ---- conversions ----------------------------------------------------------------------------- */

static struct bsim_sass_name in_register(struct bsim_sass_saying *s, struct bsim_sass_name from)
{
    if (from.text[0] == '%') {
        return from;
    }
    struct bsim_sass_name t = bsim_sass_new_t(s);
    bsim_sass_say(s, "mov.b32 %s, %s", t.text, from.text);
    return t;
}

static const struct word to_wholes[] = {{"S64", "s64"}, {"U64", "u64"}, {"U32", "u32"}, {"S16", "s16"}, {"U16", "u16"}, {"S8", "s8"}, {"U8", "u8"}, {NULL, NULL}};
static const struct word of_points[] = {{"F64", "f64"}, {"F16", "f16"}, {"BF16", "bf16"}, {NULL, NULL}};
static const struct word to_near[] = {{"TRUNC", "rzi"}, {"FLOOR", "rmi"}, {"CEIL", "rpi"}, {NULL, NULL}};

/* A whole number of the type, which may be part of a register (R6.B3, R8.H1), as 32 bits. */
static struct bsim_sass_name whole_part(struct bsim_sass_saying *s, const char *type)
{
    uint32_t bits = (uint32_t)(type[1] == '8' ? 8 : type[1] == '1' ? 16 : 32), at = 0;
    struct bsim_sass_word word = s->in->operand[1];
    struct bsim_sass_name from = bsim_sass_whole(s, 1), t = bsim_sass_new_t(s);
    for (uint32_t i = 0; i + 2 < word.length; i++) {
        if (word.text[i] == '.' && (word.text[i + 1] == 'B' || word.text[i + 1] == 'H')) {
            at = (uint32_t)(word.text[i + 2] - '0') * (word.text[i + 1] == 'B' ? 8 : 16);
        }
    }
    if (bits == 32) {
        return from;
    }
    bsim_sass_say(s, "mov.b32 %s, %s", t.text, from.text);
    bsim_sass_say(s, "bfe.%c32 %s, %s, %" PRIu32 ", %" PRIu32, type[0], t.text, t.text, at, bits);
    return t;
}

/* I2F, I2FP: from whole numbers. */
static void say_i2f(struct bsim_sass_saying *s)
{
    const char *of = find(s, to_wholes, "s32"), *to = find(s, of_points, "f32");
    bool is_wide = of[1] == '6';
    struct bsim_sass_name from = is_wide ? bsim_sass_long(s, 1) : whole_part(s, of), d = bsim_sass_new_d(s), t = bsim_sass_new_t(s);
    char type[4] = {of[0], is_wide ? '6' : '3', is_wide ? '4' : '2', '\0'};
    if (!is_wide) {
        bsim_sass_say(s, "mov.b32 %s, %s", t.text, from.text);
        from = t;
    }
    if (strcmp(to, "f64") == 0) {
        bsim_sass_say(s, "cvt.%s.f64.%s %s, %s", find(s, roundings, "rn"), type, d.text, from.text);
        bsim_sass_set_long(s, 0, d);
    } else if (strcmp(to, "f32") == 0) {
        bsim_sass_say_if(s, "cvt.%s.f32.%s %s, %s", find(s, roundings, "rn"), type, bsim_sass_register(s, 0, 0).text, from.text);
    } else {
        bsim_sass_say(s, "cvt.%s.%s.%s %%h0, %s", find(s, roundings, "rn"), to, type, from.text);
        bsim_sass_say_if(s, "mov.b32 %s, {%%h0, 0}", bsim_sass_register(s, 0, 0).text);
    }
}

static void say_f2i(struct bsim_sass_saying *s)
{
    const char *to = find(s, to_wholes, "s32"), *of = find(s, of_points, "f32"), *near = find(s, to_near, "rni");
    bool is_wide = to[1] == '6';
    struct bsim_sass_name from = of[1] == '6' ? bsim_sass_double(s, 1) : of[0] == 'f' && of[1] == '3' ? bsim_sass_single(s, 1) : half_of(s, 1);
    struct bsim_sass_name d = bsim_sass_new_d(s), t = bsim_sass_new_t(s);
    if (of[1] == '3') {
        from = in_register(s, from);
    }
    bsim_sass_say(s, "cvt.%s%s.%s.%s %s, %s", near, flushes(s), to, of, is_wide ? d.text : t.text, from.text);
    if (is_wide) {
        bsim_sass_set_long(s, 0, d);
    } else {
        bsim_sass_set(s, 0, t);
    }
}

/* F2IP.U8.F32.TRUNC.NTZ R4, RZ, R5, RZ: R5 as the nearest number of 8 bits. */
static void say_f2ip(struct bsim_sass_saying *s)
{
    if (!bsim_sass_has(s, "U8") || !bsim_sass_has(s, "F32") || !bsim_sass_is_nothing(s, 1) || !bsim_sass_is_nothing(s, 3)) {
        bsim_sass_refuse(s, "a conversion of several numbers");
    }
    struct bsim_sass_name x = in_register(s, bsim_sass_single(s, 2));
    bsim_sass_say_if(s, "cvt.%s%s.sat.u8.f32 %s, %s", find(s, to_near, "rni"), flushes(s), bsim_sass_register(s, 0, 0).text, x.text);
}

/* I2I.S8.S32.SAT R4, R5: the nearest number of 8 bits; I2IP.U8.S32.SAT R4, R5, R6, R7: two of them, R6's the lower one, below R7's lower half. */
static void say_narrowed(struct bsim_sass_saying *s)
{
    const char *to = find(s, to_wholes, NULL);
    if (to == NULL || !bsim_sass_has(s, "S32") || !bsim_sass_has(s, "SAT")) {
        bsim_sass_refuse(s, "a conversion of another form");
        return;
    }
    struct bsim_sass_name a = bsim_sass_whole(s, 1), d = bsim_sass_register(s, 0, 0);
    if (bsim_sass_same(s->in->opcode, "I2I")) {
        bsim_sass_say_if(s, "cvt.sat.%s.s32 %s, %s", to, d.text, a.text);
    } else if (to[1] == '8') {
        bsim_sass_say_if(s, "cvt.pack.sat.%s.s32.b32 %s, %s, %s, %s", to, d.text, a.text, bsim_sass_whole(s, 2).text, bsim_sass_whole(s, 3).text);
    } else {
        bsim_sass_say_if(s, "cvt.pack.sat.%s.s32 %s, %s, %s", to, d.text, a.text, bsim_sass_whole(s, 2).text);
    }
}

/* F2F.F16.F64.RZ, FRND.F16.CEIL: what gives half precision. */
static void say_halved(struct bsim_sass_saying *s, bool is_round)
{
    const char *type = bsim_sass_has(s, "F16") ? "f16" : "bf16";
    bool is_first = s->in->n_modifiers > 0 && (bsim_sass_same(s->in->modifier[0], "F16") || bsim_sass_same(s->in->modifier[0], "BF16"));
    if (is_round) {
        struct bsim_sass_name from = half_of(s, 1);
        bsim_sass_say(s, "cvt.%s.%s.%s %%h0, %s", find(s, to_near, "rni"), type, type, from.text);
    } else if (is_first && s->in->n_modifiers > 1 && !bsim_sass_has(s, "FTZ")) {
        bool is_of_double = bsim_sass_has(s, "F64");
        struct bsim_sass_name from = is_of_double ? bsim_sass_double(s, 1) : bsim_sass_single(s, 1), x = bsim_sass_new_t(s);
        if (!is_of_double) {
            bsim_sass_say(s, "mov.b32 %s, %s", x.text, from.text);
            from = x;
        }
        bsim_sass_say(s, "cvt.%s.%s.%s %%h0, %s", find(s, roundings, "rn"), type, is_of_double ? "f64" : "f32", from.text);
    } else {
        bsim_sass_refuse(s, "a conversion of half precision");
    }
    bsim_sass_say_if(s, "mov.b32 %s, {%%h0, 0}", bsim_sass_register(s, 0, 0).text);
}

/* F2F.F32.F64: to single of double; FRND: to a whole number, as a float. */
static void say_f2f(struct bsim_sass_saying *s)
{
    bool is_round = bsim_sass_same(s->in->opcode, "FRND"), is_wide = bsim_sass_has(s, "F64");
    bool has_types = !is_round && s->in->n_modifiers >= 2;
    if (bsim_sass_has(s, "F16") || bsim_sass_has(s, "BF16")) {
        say_halved(s, is_round);
        return;
    }
    if (!is_round && !has_types) {
        bsim_sass_refuse(s, "a conversion of another form");
        return;
    }
    struct bsim_sass_name d = bsim_sass_new_d(s);
    if (is_round) {
        const char *near = find(s, to_near, "rni"), *type = is_wide ? "f64" : "f32";
        struct bsim_sass_name from = is_wide ? bsim_sass_double(s, 1) : bsim_sass_single(s, 1);
        if (is_wide) {
            bsim_sass_say(s, "cvt.%s.%s.%s %s, %s", near, type, type, d.text, from.text);
            bsim_sass_set_long(s, 0, d);
        } else {
            bsim_sass_say_if(s, "cvt.%s%s.%s.%s %s, %s", near, flushes(s), type, type, bsim_sass_register(s, 0, 0).text, from.text);
        }
        return;
    }
    bool to_wide = false;
    for (uint32_t i = 0; i < s->in->n_modifiers && s->in->modifier[i].text[0] == 'F'; i++) {
        if (bsim_sass_same(s->in->modifier[i], "F64") || bsim_sass_same(s->in->modifier[i], "F32")) {
            to_wide = bsim_sass_same(s->in->modifier[i], "F64");
            break;
        }
    }
    if (to_wide) {
        bsim_sass_say(s, "cvt%s.f64.f32 %s, %s", flushes(s), d.text, bsim_sass_single(s, 1).text);
        bsim_sass_set_long(s, 0, d);
    } else {
        bsim_sass_say_if(s, "cvt.%s%s.f32.f64 %s, %s", find(s, roundings, "rn"), flushes(s), bsim_sass_register(s, 0, 0).text, bsim_sass_double(s, 1).text);
    }
}

/* ---- half precision -------------------------------------------------------------------------- */

static const char *half_type(const struct bsim_sass_saying *s)
{
    return bsim_sass_has(s, "BF16_V2") || bsim_sass_has(s, "BF16") ? "bf16" : "f16";
}

static bool is_number(const struct bsim_sass_saying *s, uint32_t i)
{
    char c = i < s->in->n_operands ? s->in->operand[i].text[0] : ' ';
    char d = i < s->in->n_operands && s->in->operand[i].length > 1 ? s->in->operand[i].text[1] : ' ';
    bool is_signed = c == '-' || c == '+';
    return (c >= '0' && c <= '9') || (is_signed && ((d >= '0' && d <= '9') || d == 'I' || d == 'Q'));
}

/* Operand i, two halves; *i goes behind it: a constant is two operands, the upper half's first. */
static struct bsim_sass_name pair(struct bsim_sass_saying *s, uint32_t *i)
{
    bool is_of_two = is_number(s, *i) && is_number(s, *i + 1);
    struct bsim_sass_name name = in_register(s, bsim_sass_halves(s, *i));
    *i += is_of_two ? 2 : 1;
    return name;
}

static void say_halves(struct bsim_sass_saying *s)
{
    bool is_product = bsim_sass_same(s->in->opcode, "HMUL2"), is_sum = bsim_sass_same(s->in->opcode, "HADD2");
    const char *type = half_type(s);
    uint32_t i = 1;
    struct bsim_sass_name a = pair(s, &i), b = pair(s, &i);
    struct bsim_sass_name to = bsim_sass_register(s, 0, 0);
    if (bsim_sass_has(s, "F32")) {
        struct bsim_sass_name x = bsim_sass_new_t(s), y = bsim_sass_new_t(s);
        bsim_sass_say(s, "cvt.u16.u32 %%h0, %s", a.text);
        bsim_sass_say(s, "cvt.u16.u32 %%h1, %s", b.text);
        bsim_sass_say(s, "cvt.f32.%s %s, %%h0", type, x.text);
        bsim_sass_say(s, "cvt.f32.%s %s, %%h1", type, y.text);
        bsim_sass_say_if(s, "add.f32 %s, %s, %s", to.text, x.text, y.text);
    } else if (is_sum || is_product) {
        bsim_sass_say_if(s, "%s.rn%s.%sx2 %s, %s, %s", is_sum ? "add" : "mul", saturates(s), type, to.text, a.text, b.text);
    } else if (bsim_sass_is_nothing(s, 1) && bsim_sass_is_nothing(s, 2)) {
        bsim_sass_say_if(s, "mov.b32 %s, %s", to.text, pair(s, &i).text); /* a constant */
    } else {
        struct bsim_sass_name c = pair(s, &i);
        bsim_sass_say_if(s, "fma.rn%s%s.%sx2 %s, %s, %s, %s", saturates(s), bsim_sass_has(s, "RELU") ? ".relu" : "", type, to.text, a.text, b.text, c.text);
    }
}

static void say_hmnmx2(struct bsim_sass_saying *s)
{
    uint32_t i = 1;
    struct bsim_sass_name a = pair(s, &i), b = pair(s, &i);
    bsim_sass_say_if(s, "%s%s.%sx2 %s, %s, %s", bsim_sass_has_sign(s, i, '~') ? "max" : "min", bsim_sass_has(s, "NAN") ? ".NaN" : "", half_type(s),
                     bsim_sass_register(s, 0, 0).text, a.text, b.text);
}

/* Compares the pairs of operand i and the next, joined with the condition behind them: *p of the lower halves, *q of the upper ones. */
static void compare_halves(struct bsim_sass_saying *s, uint32_t i, struct bsim_sass_name *p, struct bsim_sass_name *q)
{
    const char *order = find(s, orders, NULL), *how = bsim_sass_join(s);
    struct bsim_sass_name a = pair(s, &i), b = pair(s, &i), with = bsim_sass_condition(s, i);
    *p = bsim_sass_new_q(s);
    *q = bsim_sass_new_q(s);
    if (order == NULL) {
        bsim_sass_refuse(s, "a comparison of another form");
        return;
    }
    bsim_sass_say(s, "setp.%s.%sx2 %s|%s, %s, %s", order, half_type(s), p->text, q->text, a.text, b.text);
    bsim_sass_say(s, "%s.pred %s, %s, %s", how, p->text, p->text, with.text);
    bsim_sass_say(s, "%s.pred %s, %s, %s", how, q->text, q->text, with.text);
}

static void say_hsetp2(struct bsim_sass_saying *s)
{
    struct bsim_sass_name p, q;
    compare_halves(s, 2, &p, &q);
    bsim_sass_set_condition(s, 1, q);
    bsim_sass_set_condition(s, 0, p);
}

/* HSET2.GT.AND R4, R5, R6, PT: all bits of a half, or with BF 1.0 in it. */
static void say_hset2(struct bsim_sass_saying *s)
{
    struct bsim_sass_name p, q, low = bsim_sass_new_t(s), high = bsim_sass_new_t(s);
    uint32_t one = !bsim_sass_has(s, "BF") ? 0xffff : half_type(s)[0] == 'b' ? 0x3f80 : 0x3c00;
    compare_halves(s, 1, &p, &q);
    bsim_sass_say(s, "selp.b32 %s, %" PRIu32 ", 0, %s", low.text, one, p.text);
    bsim_sass_say(s, "selp.b32 %s, %" PRIu32 ", 0, %s", high.text, one << 16, q.text);
    bsim_sass_say_if(s, "or.b32 %s, %s, %s", bsim_sass_register(s, 0, 0).text, low.text, high.text);
}

/* F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R4, R5, R6, R7: two numbers of 8 bits, R5's the upper one, below R7's lower half;
 * .F16.UNPACK_B_MERGE_C R4, R5, R7: likewise of R5's halves; F2FP.F16.E4M3.UNPACK_B R4, R5.H1: two halves of numbers of 8 bits. */
static void say_tiny(struct bsim_sass_saying *s)
{
    const char *type = bsim_sass_has(s, "E4M3") ? "e4m3x2" : "e5m2x2";
    bool is_of_floats = bsim_sass_has(s, "PACK_AB_MERGE_C"), packs = is_of_floats || bsim_sass_has(s, "UNPACK_B_MERGE_C");
    struct bsim_sass_name to = bsim_sass_register(s, 0, 0), above = bsim_sass_new_t(s);
    if (!packs && bsim_sass_has(s, "F16") && bsim_sass_has(s, "UNPACK_B") && s->in->n_operands == 2) {
        struct bsim_sass_name h = half_of(s, 1);
        bsim_sass_say_if(s, "cvt.rn.f16x2.%s %s, %s", type, to.text, h.text);
        return;
    }
    if (!packs || !bsim_sass_has(s, "SATFINITE") || bsim_sass_has(s, "F16") == is_of_floats || s->in->n_operands != 3u + is_of_floats) {
        bsim_sass_refuse(s, "a conversion of another form");
        return;
    }
    bsim_sass_say(s, "shl.b32 %s, %s, 16", above.text, bsim_sass_whole(s, 2u + is_of_floats).text);
    if (is_of_floats) {
        struct bsim_sass_name a = in_register(s, bsim_sass_single(s, 1)), b = in_register(s, bsim_sass_single(s, 2));
        bsim_sass_say(s, "cvt.rn.satfinite.%s.f32 %%h0, %s, %s", type, a.text, b.text);
    } else {
        bsim_sass_say(s, "cvt.rn.satfinite.%s.f16x2 %%h0, %s", type, in_register(s, bsim_sass_whole(s, 1)).text);
    }
    struct bsim_sass_name below = bsim_sass_new_t(s);
    bsim_sass_say(s, "cvt.u32.u16 %s, %%h0", below.text);
    bsim_sass_say_if(s, "or.b32 %s, %s, %s", to.text, above.text, below.text);
}

/* F2FP.F16.F32.PACK_AB R4, R5, R6: R5 is the upper half. */
static void say_f2fp(struct bsim_sass_saying *s)
{
    const char *type = bsim_sass_has(s, "BF16") ? "bf16x2" : "f16x2";
    if (bsim_sass_has(s, "E4M3") || bsim_sass_has(s, "E5M2")) {
        say_tiny(s);
        return;
    }
    if (!bsim_sass_has(s, "PACK_AB") || bsim_sass_has(s, "RELU") || bsim_sass_has(s, "MERGE_C")) {
        bsim_sass_refuse(s, "a conversion of another form");
        return;
    }
    struct bsim_sass_name a = in_register(s, bsim_sass_single(s, 1)), b = in_register(s, bsim_sass_single(s, 2));
    bsim_sass_say_if(s, "cvt.%s.%s.f32 %s, %s, %s", find(s, roundings, "rn"), type, bsim_sass_register(s, 0, 0).text, a.text, b.text);
}

/* ---- matrices -------------------------------------------------------------------------------- */

static const struct product {
    const char *shape, *type; /* as they stand behind the opcode; type NULL: none of the others */
    const char *result;       /* likewise */
    const char *ptx;
    uint32_t n_d, n_a, n_b; /* registers; C has as many as D */
} products[] = {
    {"16816", "BF16", "F32", "m16n8k16.row.col.f32.bf16.bf16.f32", 4, 4, 2},
    {"16816", NULL, "F32", "m16n8k16.row.col.f32.f16.f16.f32", 4, 4, 2},
    {"16816", NULL, "F16", "m16n8k16.row.col.f16.f16.f16.f16", 2, 4, 2},
    {"1688", "TF32", "F32", "m16n8k8.row.col.f32.tf32.tf32.f32", 4, 4, 2},
    {"1688", "BF16", "F32", "m16n8k8.row.col.f32.bf16.bf16.f32", 4, 2, 1},
    {"1688", NULL, "F32", "m16n8k8.row.col.f32.f16.f16.f32", 4, 2, 1},
    {"1688", NULL, "F16", "m16n8k8.row.col.f16.f16.f16.f16", 2, 2, 1},
    {"1684", "TF32", "F32", "m16n8k4.row.col.f32.tf32.tf32.f32", 4, 2, 1},
};

static void add_registers(struct bsim_sass_saying *s, char *list, size_t size, uint32_t i, uint32_t n)
{
    size_t length = 0;
    struct bsim_sass_name zero = bsim_sass_is_nothing(s, i) ? in_register(s, (struct bsim_sass_name){"0"}) : (struct bsim_sass_name){""};
    for (uint32_t k = 0; k < n; k++) {
        struct bsim_sass_name name = zero.text[0] != '\0' ? zero : bsim_sass_register(s, i, k);
        length += (size_t)snprintf(list + length, size - length, "%s%s", k > 0 ? ", " : "", name.text);
    }
}

/* C has as many registers as D. */
static void say_product(struct bsim_sass_saying *s, const char *ptx, uint32_t n_d, uint32_t n_a, uint32_t n_b)
{
    char d[96], a[96], b[96], c[96];
    add_registers(s, a, sizeof a, 1, n_a);
    add_registers(s, b, sizeof b, 2, n_b);
    add_registers(s, c, sizeof c, 3, n_d);
    add_registers(s, d, sizeof d, 0, n_d);
    bsim_sass_say_if(s, "mma.sync.aligned.%s {%s}, {%s}, {%s}, {%s}", ptx, d, a, b, c);
}

static void say_matrix(struct bsim_sass_saying *s)
{
    const struct product *p = NULL;
    for (size_t i = 0; i < sizeof products / sizeof *products && p == NULL; i++) {
        const struct product *q = &products[i];
        p = bsim_sass_has(s, q->shape) && bsim_sass_has(s, q->result) && (q->type == NULL || bsim_sass_has(s, q->type)) ? q : NULL;
    }
    if (p == NULL) {
        bsim_sass_refuse(s, "a product of matrices of another shape");
        return;
    }
    say_product(s, p->ptx, p->n_d, p->n_a, p->n_b);
}

/* IMMA.16832.S8.U8.SAT R4, R8.ROW, R12.COL, R16; IMMA.8816: of 8 rows. */
static void say_whole_matrix(struct bsim_sass_saying *s)
{
    uint32_t rows = bsim_sass_has(s, "8816") || bsim_sass_has(s, "8832") ? 8 : 16;
    uint32_t k = bsim_sass_has(s, "16864") ? 64 : bsim_sass_has(s, "16832") || bsim_sass_has(s, "8832") ? 32 : 16;
    char ptx[64];
    if (s->in->n_modifiers < 3 || s->in->modifier[1].length != 2 || s->in->modifier[2].length != 2 || s->in->modifier[1].text[1] != s->in->modifier[2].text[1]) {
        bsim_sass_refuse(s, "a product of matrices of another shape");
        return;
    }
    char x = s->in->modifier[1].text[0] == 'U' ? 'u' : 's', y = s->in->modifier[2].text[0] == 'U' ? 'u' : 's', bits = s->in->modifier[1].text[1];
    uint32_t n_b = k * (uint32_t)(bits - '0') / 128, n_a = n_b * rows / 8;
    if (n_b != 1 && n_a != 4) {
        bsim_sass_refuse(s, "a product of matrices of another shape");
        return;
    }
    snprintf(ptx, sizeof ptx, "m%" PRIu32 "n8k%" PRIu32 ".row.col%s.s32.%c%c.%c%c.s32", rows, k, bsim_sass_has(s, "SAT") ? ".satfinite" : "", x, bits, y, bits);
    say_product(s, ptx, rows / 4, n_a, n_b);
}

/* QMMA.16832.F32.E4M3.E5M2 R4, R8.ROW, R12.COL, R16 */
static void say_tiny_matrix(struct bsim_sass_saying *s)
{
    char ptx[64];
    if (s->in->n_modifiers != 4 || !bsim_sass_has(s, "16832") || !bsim_sass_has(s, "F32")) {
        bsim_sass_refuse(s, "a product of matrices of another shape");
        return;
    }
    const char *of_a = bsim_sass_same(s->in->modifier[2], "E4M3") ? "e4m3" : "e5m2", *of_b = bsim_sass_same(s->in->modifier[3], "E4M3") ? "e4m3" : "e5m2";
    snprintf(ptx, sizeof ptx, "m16n8k32.row.col.f32.%s.%s.f32", of_a, of_b);
    say_product(s, ptx, 4, 4, 2);
}

/* MOVM.16.MT88 R4, R5: 8 rows of 8 halves, turned. */
static void say_turned(struct bsim_sass_saying *s)
{
    struct bsim_sass_name from = in_register(s, bsim_sass_whole(s, 1));
    if (!bsim_sass_has(s, "16") || !bsim_sass_has(s, "MT88")) {
        bsim_sass_refuse(s, "a matrix turned in another way");
    }
    bsim_sass_say_if(s, "movmatrix.sync.aligned.m8n8.trans.b16 %s, %s", bsim_sass_register(s, 0, 0).text, from.text);
}

/* DMMA.8x8x4 R4, R8, R10, R12 */
static void say_double_matrix(struct bsim_sass_saying *s)
{
    struct bsim_sass_name a = bsim_sass_double(s, 1), b = bsim_sass_double(s, 2), c[2], d[2];
    for (uint32_t k = 0; k < 2; k++) {
        d[k] = bsim_sass_new_d(s);
        c[k] = bsim_sass_new_d(s);
        if (bsim_sass_is_nothing(s, 3)) {
            bsim_sass_say(s, "mov.b64 %s, 0", c[k].text);
        } else {
            bsim_sass_say(s, "mov.b64 %s, {%s, %s}", c[k].text, bsim_sass_register(s, 3, 2 * k).text, bsim_sass_register(s, 3, 2 * k + 1).text);
        }
    }
    if (a.text[0] != '%' || b.text[0] != '%' || bsim_sass_is_nothing(s, 0)) {
        bsim_sass_refuse(s, "a product of matrices of another form");
    }
    bsim_sass_say_if(s, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%s, %s}, {%s}, {%s}, {%s, %s}", d[0].text, d[1].text, a.text, b.text, c[0].text,
                     c[1].text);
    for (uint32_t k = 0; k < 2; k++) {
        bsim_sass_say_if(s, "mov.b64 {%s, %s}, %s", bsim_sass_register(s, 0, 2 * k).text, bsim_sass_register(s, 0, 2 * k + 1).text, d[k].text);
    }
}

#define COMPARED " EQ NE LT LE GT GE EQU NEU LTU LEU GTU GEU NUM NAN AND OR XOR"

static const struct bsim_sass_known known[] = {
    {"FADD", say_fadd, " FTZ SAT RM RP RZ "},
    {"FMUL", say_fmul, " FTZ SAT RM RP RZ D2 D4 D8 M2 M4 M8 "},
    {"FFMA", say_ffma, " FTZ SAT RM RP RZ "},
    {"FMNMX", say_fmnmx, " FTZ NAN "},
    {"FSEL", say_fsel, ""},
    {"FSETP", say_fsetp, COMPARED " FTZ "},
    {"FSET", say_fset, COMPARED " FTZ BF "},
    {"FCHK", say_fchk, " DIVIDE "},
    {"MUFU", say_mufu, " RCP RSQ SQRT EX2 LG2 SIN COS TANH RCP64H RSQ64H F16 "},
    {"DADD", say_dadd, " RM RP RZ "},
    {"DMUL", say_dmul, " RM RP RZ "},
    {"DFMA", say_dfma, " RM RP RZ "},
    {"DSETP", say_dsetp, COMPARED " MIN MAX "},
    {"I2F", say_i2f, " F64 F16 BF16 F32 S64 U64 S32 U32 S16 U16 S8 U8 RM RP RZ "},
    {"I2FP", say_i2f, " F32 S32 U32 RM RP RZ "},
    {"F2I", say_f2i, " F64 F16 BF16 F32 S64 U64 S32 U32 S16 U16 S8 U8 TRUNC FLOOR CEIL FTZ NTZ "},
    {"I2I", say_narrowed, " S8 U8 S16 U16 S32 SAT "},
    {"I2IP", say_narrowed, " S8 U8 S16 U16 S32 SAT "},
    {"F2IP", say_f2ip, " U8 F32 TRUNC FLOOR CEIL FTZ NTZ "},
    {"F2F", say_f2f, " F64 F32 F16 BF16 RM RP RZ FTZ "},
    {"FRND", say_f2f, " F64 F16 BF16 TRUNC FLOOR CEIL FTZ "},
    {"HADD2", say_halves, " F32 SAT BF16_V2 "},
    {"HMUL2", say_halves, " SAT BF16_V2 "},
    {"HFMA2", say_halves, " MMA RELU SAT BF16_V2 "},
    {"HMNMX2", say_hmnmx2, " NAN BF16_V2 "},
    {"HSET2", say_hset2, COMPARED " BF16_V2 BF "},
    {"HSETP2", say_hsetp2, COMPARED " BF16_V2 "},
    {"F2FP", say_f2fp, " F16 BF16 F32 E4M3 E5M2 PACK_AB PACK_AB_MERGE_C UNPACK_B UNPACK_B_MERGE_C SATFINITE RM RP RZ "},
    {"HMMA", say_matrix, " 16816 1688 1684 F32 F16 BF16 TF32 "},
    {"IMMA", say_whole_matrix, " 16864 16832 16816 8832 8816 S8 U8 S4 U4 SAT "},
    {"DMMA", say_double_matrix, " 8x8x4 884 "},
    {"QMMA", say_tiny_matrix, " 16832 F32 E4M3 E5M2 "},
    {"MOVM", say_turned, " 16 MT88 "},
};

bool bsim_sass_say_point(struct bsim_sass_saying *s)
{
    return bsim_sass_say_known(s, s->in->opcode, known, sizeof known / sizeof *known);
}
