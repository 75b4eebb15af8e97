/* say.c - operands of machine code as PTX has them.
 *
 *     -R5.reuse    |R5|    ~R5    R5.H1_H1    0x10    -1.5    +INF    c[0x0][0x210]    c[0x3][R5+0x8]    !P0    UR4
 *
 * Constant bank 0 has the block's and the grid's sizes, from a place that .nv.info tells the parameters, bank 2 constants of ptxas's, 3 those of
 * the source, 4 addresses of variables.
 */
#include "sass/say.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(struct bsim_sass_saying *s, const char *guard, const char *format, va_list list)
{
    char line[256];
    vsnprintf(line, sizeof line, format, list);
    bsim_buffer_printf(s->out, "\t%s%s;\n", guard, line);
}

void bsim_sass_say(struct bsim_sass_saying *s, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(s, "", format, list);
    va_end(list);
}

void bsim_sass_say_if(struct bsim_sass_saying *s, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(s, s->guard, format, list);
    va_end(list);
}

void bsim_sass_refuse(struct bsim_sass_saying *s, const char *what)
{
    s->unknown = s->unknown != NULL ? s->unknown : what;
}

bool bsim_sass_has(const struct bsim_sass_saying *s, const char *modifier)
{
    for (uint32_t i = 0; i < s->in->n_modifiers; i++) {
        if (bsim_sass_same(s->in->modifier[i], modifier)) {
            return true;
        }
    }
    return false;
}

static struct bsim_sass_name named(const char *format, uint32_t n)
{
    struct bsim_sass_name name;
    snprintf(name.text, sizeof name.text, format, n); /* NOLINT: each format is of this file, with one number */
    return name;
}

static struct bsim_sass_name new_one(struct bsim_sass_saying *s, uint32_t *n, char letter)
{
    struct bsim_sass_name name;
    if (*n == BSIM_SASS_TEMPORARIES) {
        bsim_sass_refuse(s, "it needs too many registers here");
        *n = 0;
    }
    snprintf(name.text, sizeof name.text, "%%%c%" PRIu32, letter, (*n)++);
    return name;
}

struct bsim_sass_name bsim_sass_new_t(struct bsim_sass_saying *s)
{
    return new_one(s, &s->n_t, 't');
}

struct bsim_sass_name bsim_sass_new_d(struct bsim_sass_saying *s)
{
    return new_one(s, &s->n_d, 'd');
}

struct bsim_sass_name bsim_sass_new_q(struct bsim_sass_saying *s)
{
    return new_one(s, &s->n_q, 'q');
}

/* ---- the forms of operands ------------------------------------------------------------------- */

enum form { REGISTER, UNIFORM, CONDITION, CONSTANT, NUMBER };

struct operand {
    enum form form;
    bool is_negated, is_inverted, is_absolute;
    uint32_t number; /* of the register; 255: RZ, 63: URZ, 7: PT */
    bool is_uniform; /* of a condition: UP0 */
    char body[64];   /* without signs and what stands behind a dot */
    char half[8];    /* "H0_H0", "H1", "B3" */
};

enum { RZ = 255, URZ = 63, PT = 7 };

static void find_register(struct operand *o)
{
    const char *b = o->body;
    o->form = NUMBER;
    if (b[0] == 'R' && (b[1] == 'Z' || (b[1] >= '0' && b[1] <= '9'))) {
        o->form = REGISTER;
        o->number = b[1] == 'Z' ? RZ : (uint32_t)strtoul(b + 1, NULL, 10);
    } else if (b[0] == 'U' && b[1] == 'R') {
        o->form = UNIFORM;
        o->number = b[2] == 'Z' ? URZ : (uint32_t)strtoul(b + 2, NULL, 10);
    } else if (b[0] == 'P' || (b[0] == 'U' && b[1] == 'P')) {
        o->form = CONDITION;
        o->is_uniform = b[0] == 'U';
        b += o->is_uniform + 1;
        o->number = *b == 'T' ? PT : (uint32_t)strtoul(b, NULL, 10);
    } else if (b[0] == 'c' && (b[1] == '[' || b[1] == 'x')) {
        o->form = CONSTANT;
    }
}

static struct operand read_word(struct bsim_sass_word word)
{
    struct operand o = {.form = NUMBER};
    const char *at = word.text, *end = at + word.length;
    bool is_sign = true;
    while (at < end && is_sign) {
        o.is_inverted |= *at == '~' || *at == '!';
        o.is_negated |= *at == '-';
        o.is_absolute |= *at == '|';
        is_sign = *at == '~' || *at == '!' || *at == '-' || *at == '|' || *at == '+';
        at += is_sign;
    }
    size_t n = (size_t)(end - at) < sizeof o.body - 1 ? (size_t)(end - at) : sizeof o.body - 1;
    memcpy(o.body, at, n);
    o.body[n] = '\0';
    n -= n > 0 && o.body[n - 1] == '|';
    o.body[n] = '\0';
    find_register(&o);
    char *dot = o.form == REGISTER || o.form == UNIFORM ? strchr(o.body, '.') : NULL;
    while (dot != NULL) {
        *dot = '\0';
        char *next = strchr(dot + 1, '.');
        size_t length = next != NULL ? (size_t)(next - dot - 1) : strlen(dot + 1);
        if (length < sizeof o.half && strncmp(dot + 1, "reuse", length) != 0) {
            memcpy(o.half, dot + 1, length);
            o.half[length] = '\0';
            char *bar = strchr(o.half, '|');
            if (bar != NULL) {
                *bar = '\0';
            }
        }
        dot = next;
    }
    return o;
}

static struct operand operand(const struct bsim_sass_saying *s, uint32_t i)
{
    static const struct bsim_sass_word none = {"", 0};
    return read_word(i < s->in->n_operands ? s->in->operand[i] : none);
}

bool bsim_sass_is_condition(const struct bsim_sass_saying *s, uint32_t i)
{
    return i < s->in->n_operands && operand(s, i).form == CONDITION;
}

static bool is_nothing(const struct operand *o)
{
    return (o->form == REGISTER && o->number == RZ) || (o->form == UNIFORM && o->number == URZ) || (o->form == CONDITION && o->number == PT);
}

bool bsim_sass_is_nothing(const struct bsim_sass_saying *s, uint32_t i)
{
    struct operand o = operand(s, i);
    return is_nothing(&o);
}

bool bsim_sass_has_sign(const struct bsim_sass_saying *s, uint32_t i, char sign)
{
    struct operand o = operand(s, i);
    return sign == '-' ? o.is_negated : sign == '~' ? o.is_inverted : o.is_absolute;
}

uint32_t bsim_sass_number(const struct bsim_sass_saying *s, uint32_t i)
{
    struct operand o = operand(s, i);
    uint32_t n = o.form == NUMBER ? (uint32_t)strtoull(o.body, NULL, 0) : 0;
    return o.is_negated ? 0 - n : n;
}

/* ---- constants ------------------------------------------------------------------------------- */

/* The parameter that lies at the offset; NULL: none does. */
static const struct bsim_sass_parameter *find_parameter(const struct bsim_sass_function *f, uint32_t offset)
{
    for (uint32_t i = 0; i < f->n_parameters; i++) {
        if (offset >= f->parameter[i].offset && offset < f->parameter[i].offset + f->parameter[i].size) {
            return &f->parameter[i];
        }
    }
    return NULL;
}

static void say_parameter(struct bsim_sass_saying *s, const char *to, uint32_t offset, const char *type)
{
    const struct bsim_sass_function *f = s->function;
    const struct bsim_sass_parameter *p = find_parameter(f, offset);
    if (p == NULL) {
        bsim_sass_say(s, "mov.b32 %s, 0", to); /* between two */
        return;
    }
    uint32_t rest = p->offset + p->size - offset;
    type = type[0] != 'b' ? type : rest >= 4 ? "b32" : rest >= 2 ? "u16" : "u8";
    bsim_sass_say(s, "ld.param.%s %s, [p%" PRIu32 "+%" PRIu32 "]", type, to, (uint32_t)(p - f->parameter), offset - p->offset);
}

/* The generic address at which local memory begins: its upper half, or the lower one. */
static void say_window(struct bsim_sass_saying *s, const char *to, bool is_upper)
{
    struct bsim_sass_name d = bsim_sass_new_d(s);
    if (s->function->local == 0) {
        bsim_sass_refuse(s, "local memory of a kernel that has none");
        return;
    }
    bsim_sass_say(s, "mov.u64 %s, stack", d.text);
    bsim_sass_say(s, "cvta.local.u64 %s, %s", d.text, d.text);
    bsim_sass_say(s, is_upper ? "mov.b64 {_, %s}, %s" : "cvt.u32.u64 %s, %s", to, d.text);
}

static void say_bank0(struct bsim_sass_saying *s, const char *to, uint32_t offset, const char *type)
{
    enum { SHARED_WINDOW = 0x18, LOCAL_WINDOW = 0x20, STACK_END = 0x28, DESCRIPTOR_80 = 0x118, DESCRIPTOR_90 = 0x208 };
    static const char *const sizes[] = {"%ntid.x", "%ntid.y", "%ntid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z"};
    uint32_t descriptor = s->dump->architecture < 90 ? DESCRIPTOR_80 : DESCRIPTOR_90;
    if (offset >= s->function->parameter_base) {
        say_parameter(s, to, offset - s->function->parameter_base, type);
    } else if (type[0] != 'b' || offset % 4 != 0) {
        bsim_sass_refuse(s, "part of a word that is no parameter");
    } else if (offset < SHARED_WINDOW) {
        bsim_sass_say(s, "mov.u32 %s, %s", to, sizes[offset / 4]);
    } else if (s->dump->architecture < 90 && (offset == SHARED_WINDOW || offset == SHARED_WINDOW + 4)) {
        struct bsim_sass_name d = bsim_sass_new_d(s);
        bsim_sass_say(s, "cvta.shared.u64 %s, 0", d.text);
        bsim_sass_say(s, offset != SHARED_WINDOW ? "mov.b64 {_, %s}, %s" : "cvt.u32.u64 %s, %s", to, d.text);
    } else if (offset == LOCAL_WINDOW || offset == LOCAL_WINDOW + 4) {
        say_window(s, to, offset != LOCAL_WINDOW);
    } else if (offset == STACK_END) {
        bsim_sass_say(s, "mov.b32 %s, %" PRIu32, to, s->function->local);
    } else if (offset == descriptor || offset == descriptor + 4) {
        bsim_sass_say(s, "mov.b32 %s, 0", to); /* which nothing reads */
    } else {
        bsim_sass_refuse(s, "a word of constant bank 0 that is not known");
    }
}

/* The address of what has the name, and what the register has. */
static struct bsim_sass_name add_register(struct bsim_sass_saying *s, const char *name, const char *base)
{
    struct bsim_sass_name at = bsim_sass_new_d(s), by = bsim_sass_new_d(s);
    bsim_sass_say(s, "mov.u64 %s, %s", at.text, name);
    bsim_sass_say(s, "cvt.s64.s32 %s, %%%s", by.text, base);
    bsim_sass_say(s, "add.u64 %s, %s, %s", at.text, at.text, by.text);
    return at;
}

/* A part of an array that is a parameter, at a place by a register. */
static void say_indexed_parameter(struct bsim_sass_saying *s, const char *to, uint32_t offset, const char *base, const char *type)
{
    const struct bsim_sass_function *f = s->function;
    offset -= f->parameter_base;
    const struct bsim_sass_parameter *p = find_parameter(f, offset);
    if (p == NULL) {
        bsim_sass_refuse(s, "constants by a register that begin in no parameter");
        return;
    }
    struct bsim_sass_name at = add_register(s, named("p%" PRIu32, (uint32_t)(p - f->parameter)).text, base);
    bsim_sass_say(s, "ld.param.%s %s, [%s+%" PRIu32 "]", type, to, at.text, offset - p->offset);
}

/* Whether the variable begins with an address, which is not read. */
static bool holds_address(const struct bsim_sass_dump *dump, struct bsim_sass_word name)
{
    for (const struct bsim_sass_symbol *v = dump->inner != NULL ? dump->symbols : NULL; v != NULL; v = v->next) {
        bool is_it = v->section == dump->section_global && bsim_sass_equal(v->name, name);
        for (const struct bsim_sass_address *a = is_it ? dump->inner : NULL; a != NULL; a = a->next) {
            if (a->offset >= v->value && a->offset - v->value < v->size) {
                return true;
            }
        }
    }
    return false;
}

static void say_address(struct bsim_sass_saying *s, const char *to, uint32_t offset)
{
    for (const struct bsim_sass_address *a = s->dump->addresses; a != NULL; a = a->next) {
        if (a->offset == (offset & ~7u)) {
            struct bsim_sass_name d = bsim_sass_new_d(s);
            if (holds_address(s->dump, a->name)) {
                bsim_sass_refuse(s, "a variable that begins with an address");
            }
            bsim_sass_say(s, "mov.u64 %s, %.*s", d.text, (int)a->name.length, a->name.text);
            if (a->addend != 0) {
                bsim_sass_say(s, "add.u64 %s, %s, %" PRIu32, d.text, d.text, a->addend);
            }
            if ((offset & 4) != 0) {
                bsim_sass_say(s, "mov.b64 {_, %s}, %s", to, d.text);
            } else {
                bsim_sass_say(s, "cvt.u32.u64 %s, %s", to, d.text);
            }
            return;
        }
    }
    bsim_sass_refuse(s, "the address that it takes from constant bank 4 is not known");
}

/* c[BANK][OFFSET], 4 * k bytes further, to a register. */
static void say_constant(struct bsim_sass_saying *s, const char *body, uint32_t k, const char *to, const char *type)
{
    uint32_t bank = (uint32_t)strtoul(body + 2, NULL, 16);
    const char *inner = strchr(body + 2, '[');
    if (inner == NULL) {
        bsim_sass_refuse(s, "constants by a descriptor (cx[UR4]) are not read");
        return;
    }
    inner++;
    char base[16] = "";
    size_t n = strcspn(inner, "+]");
    if (inner[0] == 'R' || inner[0] == 'U') {
        snprintf(base, sizeof base, "%.*s", (int)n, inner);
        inner += n + (inner[n] == '+');
    }
    bool is_indexed = base[0] != '\0' && strcmp(base, "RZ") != 0 && strcmp(base, "URZ") != 0;
    uint32_t offset = (uint32_t)strtol(inner, NULL, 0) + 4 * k;
    char name[16] = "c3";
    if (bank == 2) {
        snprintf(name, sizeof name, "c2_%" PRIu32, s->number);
    }
    if (is_indexed && (bank == 2 || bank == 3)) {
        struct bsim_sass_name at = add_register(s, name, base);
        bsim_sass_say(s, "ld.const.%s %s, [%s+%" PRId32 "]", type, to, at.text, (int32_t)offset);
    } else if (is_indexed && bank == 0) {
        say_indexed_parameter(s, to, offset, base, type);
    } else if (is_indexed) {
        bsim_sass_refuse(s, "constants by a register are read of banks 0, 2 and 3");
    } else if (bank == 0) {
        say_bank0(s, to, offset, type);
    } else if (bank == 4 && type[0] == 'b') {
        say_address(s, to, offset);
    } else if (bank == 2 || bank == 3) {
        bsim_sass_say(s, "ld.const.%s %s, [%s+%" PRIu32 "]", type, to, name, offset);
    } else {
        bsim_sass_refuse(s, "this constant bank is not read");
    }
}

/* ---- operands that are read ------------------------------------------------------------------ */

static struct bsim_sass_name register_of(const struct operand *o, uint32_t k)
{
    return named(o->form == UNIFORM ? "%%UR%" PRIu32 : "%%R%" PRIu32, o->number + k);
}

/* Word k of the operand, without its signs; a number is the operand's own. */
static struct bsim_sass_name word_of(struct bsim_sass_saying *s, const struct operand *o, uint32_t k)
{
    struct bsim_sass_name name = {"0"};
    if (o->form == CONSTANT) {
        name = bsim_sass_new_t(s);
        say_constant(s, o->body, k, name.text, "b32");
    } else if (o->form == NUMBER) {
        snprintf(name.text, sizeof name.text, "%" PRIu32, k == 0 ? (uint32_t)strtoull(o->body, NULL, 0) : 0);
    } else if (!is_nothing(o)) {
        name = register_of(o, k);
    }
    return name;
}

static struct bsim_sass_name changed(struct bsim_sass_saying *s, const char *how, struct bsim_sass_name from)
{
    struct bsim_sass_name t = bsim_sass_new_t(s);
    bsim_sass_say(s, "%s %s, %s", how, t.text, from.text);
    return t;
}

/* Signs of floating point: of a bit, which a NaN keeps (FSEL of a double's upper half). */
static struct bsim_sass_name with_bits(struct bsim_sass_saying *s, const char *how, struct bsim_sass_name from, const char *bits)
{
    struct bsim_sass_name t = bsim_sass_new_t(s);
    bsim_sass_say(s, "%s.b32 %s, %s, %s", how, t.text, from.text, bits);
    return t;
}

struct bsim_sass_name bsim_sass_bare(struct bsim_sass_saying *s, uint32_t i)
{
    struct operand o = operand(s, i);
    return word_of(s, &o, 0);
}

struct bsim_sass_name bsim_sass_whole(struct bsim_sass_saying *s, uint32_t i)
{
    struct operand o = operand(s, i);
    struct bsim_sass_name name = word_of(s, &o, 0);
    if (o.form == NUMBER) {
        uint32_t n = bsim_sass_number(s, i);
        snprintf(name.text, sizeof name.text, "%" PRIu32, o.is_inverted ? ~n : n);
        return name;
    }
    name = o.is_absolute ? changed(s, "abs.s32", name) : name;
    name = o.is_negated ? changed(s, "neg.s32", name) : name;
    return o.is_inverted ? changed(s, "not.b32", name) : name;
}

static double value_of(const struct operand *o)
{
    double value = strncmp(o->body, "INF", 3) == 0    ? (double)INFINITY
                   : strncmp(o->body, "QNAN", 4) == 0 ? (double)NAN
                                                      : strtod(o->body, NULL);
    return value;
}

struct bsim_sass_name bsim_sass_single(struct bsim_sass_saying *s, uint32_t i)
{
    struct operand o = operand(s, i);
    struct bsim_sass_name name = word_of(s, &o, 0);
    if (o.form == NUMBER) {
        float f = (float)value_of(&o);
        uint32_t bits = 0;
        memcpy(&bits, &f, sizeof bits);
        bits = strncmp(o.body, "0x", 2) == 0 ? (uint32_t)strtoul(o.body, NULL, 16) : bits;
        bits = o.is_negated ? bits ^ 0x80000000 : bits;
        snprintf(name.text, sizeof name.text, "0f%08" PRIX32, isnan(f) ? s->in->immediate : bits);
        return name;
    }
    if (is_nothing(&o)) {
        snprintf(name.text, sizeof name.text, "%s", o.is_negated ? "0f80000000" : "0f00000000");
        return name;
    }
    name = o.is_absolute ? with_bits(s, "and", name, "0x7fffffff") : name;
    return o.is_negated ? with_bits(s, "xor", name, "0x80000000") : name;
}

static struct bsim_sass_name long_of(struct bsim_sass_saying *s, const struct operand *o)
{
    struct bsim_sass_name d = bsim_sass_new_d(s);
    struct bsim_sass_name low = word_of(s, o, 0), high = word_of(s, o, 1);
    bsim_sass_say(s, "mov.b64 %s, {%s, %s}", d.text, low.text, high.text);
    return d;
}

struct bsim_sass_name bsim_sass_long(struct bsim_sass_saying *s, uint32_t i)
{
    struct operand o = operand(s, i);
    struct bsim_sass_name name = {"0"};
    if (o.form == NUMBER) {
        snprintf(name.text, sizeof name.text, "%" PRIu32, bsim_sass_number(s, i));
    } else if (!is_nothing(&o)) {
        name = long_of(s, &o);
        if (o.is_negated || o.is_inverted) {
            bsim_sass_say(s, "%s %s, %s", o.is_negated ? "neg.s64" : "not.b64", name.text, name.text);
        }
    }
    return name;
}

struct bsim_sass_name bsim_sass_narrow(struct bsim_sass_saying *s, uint32_t i, const char *type)
{
    struct operand o = operand(s, i);
    struct bsim_sass_name t = bsim_sass_new_t(s);
    if (o.form != CONSTANT) {
        bsim_sass_refuse(s, "a constant of another form");
        return t;
    }
    say_constant(s, o.body, 0, t.text, type);
    return t;
}

struct bsim_sass_name bsim_sass_double(struct bsim_sass_saying *s, uint32_t i)
{
    struct operand o = operand(s, i);
    struct bsim_sass_name name = {"0d0000000000000000"};
    if (o.form == NUMBER || is_nothing(&o)) {
        double value = is_nothing(&o) ? 0 : value_of(&o);
        uint64_t bits = 0;
        memcpy(&bits, &value, sizeof bits);
        bits = o.is_negated ? bits ^ UINT64_C(1) << 63 : bits;
        snprintf(name.text, sizeof name.text, "0d%016" PRIX64, isnan(value) ? (uint64_t)s->in->immediate << 32 : bits);
        return name;
    }
    name = long_of(s, &o);
    if (o.is_absolute) {
        bsim_sass_say(s, "abs.f64 %s, %s", name.text, name.text);
    }
    if (o.is_negated) {
        bsim_sass_say(s, "neg.f64 %s, %s", name.text, name.text);
    }
    return name;
}

struct bsim_sass_name bsim_sass_condition(struct bsim_sass_saying *s, uint32_t i)
{
    struct operand o = operand(s, i);
    struct bsim_sass_name name = {"%PT"};
    if (o.form != CONDITION) {
        bsim_sass_refuse(s, "a condition of another form");
    } else if (o.number != PT) {
        name = named(o.is_uniform ? "%%UP%" PRIu32 : "%%P%" PRIu32, o.number);
    }
    if (o.is_inverted) {
        struct bsim_sass_name q = bsim_sass_new_q(s);
        bsim_sass_say(s, "not.pred %s, %s", q.text, name.text);
        return q;
    }
    return name;
}

struct bsim_sass_name bsim_sass_halves(struct bsim_sass_saying *s, uint32_t i)
{
    struct operand o = operand(s, i);
    struct bsim_sass_name name = word_of(s, &o, 0);
    if (o.form == NUMBER) {
        snprintf(name.text, sizeof name.text, "%" PRIu32, s->in->immediate); /* of both halves; f16 or bf16, which the text does not say */
        return name;
    }
    if (o.half[0] == 'H' && strcmp(o.half, "H1_H0") != 0) {
        struct bsim_sass_name t = bsim_sass_new_t(s);
        bsim_sass_say(s, "prmt.b32 %s, %s, 0, %s", t.text, name.text, o.half[1] == '0' ? "0x1010" : "0x3232");
        name = t;
    }
    if (o.is_absolute) {
        name = with_bits(s, "and", name, "0x7fff7fff");
    }
    if (o.is_negated) {
        name = with_bits(s, "xor", name, "0x80008000");
    }
    return name;
}

/* ---- operands that are set ------------------------------------------------------------------- */

struct bsim_sass_name bsim_sass_register(const struct bsim_sass_saying *s, uint32_t i, uint32_t k)
{
    struct operand o = operand(s, i);
    struct bsim_sass_name lost = {"%lost"};
    return is_nothing(&o) ? lost : register_of(&o, k);
}

void bsim_sass_set(struct bsim_sass_saying *s, uint32_t i, struct bsim_sass_name from)
{
    if (!bsim_sass_is_nothing(s, i)) {
        bsim_sass_say_if(s, "mov.b32 %s, %s", bsim_sass_register(s, i, 0).text, from.text);
    }
}

void bsim_sass_set_long(struct bsim_sass_saying *s, uint32_t i, struct bsim_sass_name from)
{
    if (!bsim_sass_is_nothing(s, i)) {
        bsim_sass_say_if(s, "mov.b64 {%s, %s}, %s", bsim_sass_register(s, i, 0).text, bsim_sass_register(s, i, 1).text, from.text);
    }
}

void bsim_sass_set_condition(struct bsim_sass_saying *s, uint32_t i, struct bsim_sass_name from)
{
    struct operand o = operand(s, i);
    if (o.number != PT) {
        struct bsim_sass_name name = named(o.is_uniform ? "%%UP%" PRIu32 : "%%P%" PRIu32, o.number);
        bsim_sass_say_if(s, "mov.pred %s, %s", name.text, from.text);
    }
}

const char *bsim_sass_join(struct bsim_sass_saying *s)
{
    static const char *const joins[][2] = {{"AND", "and"}, {"OR", "or"}, {"XOR", "xor"}};
    for (size_t i = 0; i < sizeof joins / sizeof *joins; i++) {
        if (bsim_sass_has(s, joins[i][0])) {
            return joins[i][1];
        }
    }
    bsim_sass_refuse(s, "a comparison of another form");
    return "and";
}

void bsim_sass_set_compared(struct bsim_sass_saying *s, struct bsim_sass_name is_so)
{
    const char *how = bsim_sass_join(s);
    struct bsim_sass_name with = bsim_sass_condition(s, 4), first = bsim_sass_new_q(s);
    bsim_sass_say(s, "%s.pred %s, %s, %s", how, first.text, is_so.text, with.text);
    if (!bsim_sass_is_nothing(s, 1)) {
        struct bsim_sass_name second = bsim_sass_new_q(s);
        bsim_sass_say(s, "not.pred %s, %s", second.text, is_so.text);
        bsim_sass_say(s, "%s.pred %s, %s, %s", how, second.text, second.text, with.text);
        bsim_sass_set_condition(s, 1, second);
    }
    bsim_sass_set_condition(s, 0, first);
}

/* ---- opcodes --------------------------------------------------------------------------------- */

static bool has_only(const struct bsim_sass_saying *s, const char *list)
{
    for (uint32_t i = 0; i < s->in->n_modifiers; i++) {
        if (!bsim_sass_is_in(list, s->in->modifier[i])) {
            return false;
        }
    }
    return true;
}

bool bsim_sass_say_known(struct bsim_sass_saying *s, struct bsim_sass_word opcode, const struct bsim_sass_known *known, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (bsim_sass_same(opcode, known[i].opcode)) {
            known[i].say(s);
            if (known[i].modifiers != NULL && !has_only(s, known[i].modifiers)) {
                bsim_sass_refuse(s, "a form that is not read");
            }
            return true;
        }
    }
    return false;
}
