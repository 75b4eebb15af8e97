/* divide.c - divisions of whole numbers by constants, as products; the last that is done to a kernel.
 *
 *     x / 7   unsigned       mul.hi of x and 2^35 / 7 rounded up, which has 33 bits: of the lower 32 of them, and
 *                            x once more, before the shift: ((x - hi) / 2 + hi) >> 2
 *     x / 10  unsigned       mul.hi of x and 2^35 / 10 rounded up: hi >> 3
 *     x / 28  unsigned       (x >> 2) / 7, where 32 bits are enough
 *     x / 7   signed         mul.hi, and one more if x is negative
 *     x % c                  x - x / c * c
 *     x / 2   signed         x + (x >> 31) >> 1, of which the first shift is unsigned
 *
 * The factors and shifts are those of Hacker's Delight (H. S. Warren), chapter 10, which LLVM has, too; powers of two
 * are fold.c's. Until here divisions stand as such, since rules of other files ask for them.
 *
 * Graded measured: the instructions are nvcc 13.0's.
 */
#include "cuda/code.h"

struct magic {
    uint64_t factor;
    uint32_t shift;
    bool adds; /* the factor has one bit more */
};

/* Of numbers of so many bits, of which the upper ones are 0. */
static struct magic of_unsigned(uint64_t d, uint32_t width, uint32_t n_zeros)
{
    uint64_t all = UINT64_MAX >> (64 - width), top = UINT64_C(1) << (width - 1);
    uint64_t most = all >> n_zeros, nc = most - (most - d + 1) % d;
    uint64_t q1 = top / nc, r1 = top % nc, q2 = (top - 1) / d, r2 = (top - 1) % d, delta;
    uint32_t p = width - 1;
    bool adds = false;
    do {
        p++;
        bool is_more = r1 >= nc - r1;
        q1 = (2 * q1 + is_more) & all;
        r1 = (2 * r1 - (is_more ? nc : 0)) & all;
        is_more = r2 + 1 >= d - r2;
        adds = adds || q2 >= (is_more ? top - 1 : top);
        q2 = (2 * q2 + is_more) & all;
        r2 = (2 * r2 + 1 - (is_more ? d : 0)) & all;
        delta = d - 1 - r2;
    } while (p < 2 * width && (q1 < delta || (q1 == delta && r1 == 0)));
    return (struct magic){(q2 + 1) & all, p - width, adds};
}

static struct magic of_signed(int64_t d, uint32_t width)
{
    uint64_t all = UINT64_MAX >> (64 - width), top = UINT64_C(1) << (width - 1);
    uint64_t ad = d < 0 ? 0 - (uint64_t)d : (uint64_t)d, t = top + (d < 0), nc = t - 1 - t % ad;
    uint64_t q1 = top / nc, r1 = top % nc, q2 = top / ad, r2 = top % ad, delta;
    uint32_t p = width - 1;
    do {
        p++;
        bool is_more = r1 >= nc - r1;
        q1 = 2 * q1 + is_more;
        r1 = 2 * r1 - (is_more ? nc : 0);
        is_more = r2 >= ad - r2;
        q2 = 2 * q2 + is_more;
        r2 = 2 * r2 - (is_more ? ad : 0);
        delta = ad - r2;
    } while (q1 < delta || (q1 == delta && r1 == 0));
    uint64_t factor = d < 0 ? 0 - (q2 + 1) : q2 + 1;
    return (struct magic){factor & all, p - width, false};
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* A quotient that is there. */
struct quotient {
    struct cu_value x;
    uint64_t by;
    bool is_signed;
    uint32_t result;
};

enum { MOST_QUOTIENTS = 32 };

struct dividing {
    struct cu_code *code;
    struct cu_instruction **at; /* where the next instruction goes */
    const struct cu_instruction *division;
    struct quotient known[MOST_QUOTIENTS]; /* of this block */
    uint32_t n_known;
};

static struct cu_value make(struct dividing *d, enum cu_op op, const char *opcode,
                            enum cu_class class, struct cu_value a, struct cu_value b)
{
    struct cu_value result = bsim_cu_register(d->code, class, CU_GENERIC);
    struct cu_instruction *made = bsim_cu_take(d->code->file, sizeof *made);
    *made = (struct cu_instruction){.op = op,
                                    .opcode = opcode,
                                    .is_live = true,
                                    .is_unrolled = d->division->is_unrolled,
                                    .n_arguments = op == CU_OP_CONVERT ? 1 : 2,
                                    .argument = {a, b},
                                    .n_results = 1,
                                    .result = {result.id},
                                    .token = d->division->token,
                                    .next = *d->at};
    *d->at = made;
    d->at = &made->next;
    if (result.kind == CU_REGISTER) {
        d->code->definition[result.id] = made;
    }
    return result;
}

/* add.s32 of "add.s", and the like. */
static struct cu_value whole(struct dividing *d, enum cu_op op, const char *word, struct cu_value a,
                             struct cu_value b)
{
    uint32_t width = 8 * bsim_cu_class_bytes(a.class);
    return make(d, op, bsim_cu_text(d->code->file, "%s%u", word, width), a.class, a, b);
}

static struct cu_value shifted(struct dividing *d, const char *word, struct cu_value a, uint32_t by)
{
    return by == 0 ? a : whole(d, CU_OP_SHR, word, a, bsim_cu_constant_of(CU_I32, by));
}

/* The upper half of the product; of 32 bits `shift` more are cut off at once. */
static struct cu_value upper(struct dividing *d, struct cu_value x, uint64_t factor, uint32_t shift)
{
    struct cu_value c = bsim_cu_constant_of(x.class, factor);
    if (x.class == CU_I64) {
        return shifted(d, "shr.u", whole(d, CU_OP_OTHER, "mul.hi.u", x, c), shift);
    }
    struct cu_value both = make(d, CU_OP_WIDE, "mul.wide.u32", CU_I64, x, c);
    both = shifted(d, "shr.u", both, 32 + shift);
    return make(d, CU_OP_CONVERT, "cvt.u32.u64", CU_I32, both, both);
}

static struct cu_value quotient_unsigned(struct dividing *d, struct cu_value x, uint64_t by)
{
    uint32_t width = 8 * bsim_cu_class_bytes(x.class), n = 0;
    struct magic magic = of_unsigned(by, width, 0);
    if (magic.adds && by % 2 == 0) {
        while ((by >> n & 1) == 0) {
            n++;
        }
        magic = of_unsigned(by >> n, width, n);
    }
    struct cu_value high =
        upper(d, shifted(d, "shr.u", x, n), magic.factor, magic.adds ? 0 : magic.shift);
    if (!magic.adds) {
        return high;
    }
    struct cu_value rest = shifted(d, "shr.u", whole(d, CU_OP_SUB, "sub.u", x, high), 1);
    return shifted(d, "shr.u", whole(d, CU_OP_ADD, "add.u", rest, high), magic.shift - 1);
}

static struct cu_value quotient_signed(struct dividing *d, struct cu_value x, int64_t by)
{
    uint32_t width = 8 * bsim_cu_class_bytes(x.class);
    struct magic magic = of_signed(by, width);
    bool is_negative = (magic.factor >> (width - 1) & 1) != 0;
    struct cu_value factor = bsim_cu_constant_of(x.class, magic.factor);
    struct cu_value high = whole(d, CU_OP_OTHER, "mul.hi.s", x, factor);
    if (by > 0 && is_negative) {
        high = whole(d, CU_OP_ADD, "add.s", high, x);
    } else if (by < 0 && !is_negative) {
        high = whole(d, CU_OP_SUB, "sub.s", high, x);
    }
    struct cu_value one = shifted(d, "shr.u", high, width - 1);
    return whole(d, CU_OP_ADD, "add.s", shifted(d, "shr.s", high, magic.shift), one);
}

static struct cu_value quotient(struct dividing *d, struct cu_value x, uint64_t by, bool is_signed)
{
    for (uint32_t i = 0; i < d->n_known; i++) {
        const struct quotient *q = &d->known[i];
        if (q->by == by && q->is_signed == is_signed && bsim_cu_same_value(&q->x, &x)) {
            return (struct cu_value){.kind = CU_REGISTER, .class = x.class, .id = q->result};
        }
    }
    int64_t as_signed = x.class == CU_I32 ? (int32_t)(uint32_t)by : (int64_t)by;
    struct cu_value result =
        is_signed ? quotient_signed(d, x, as_signed) : quotient_unsigned(d, x, by);
    if (d->n_known < MOST_QUOTIENTS && result.kind == CU_REGISTER) {
        d->known[d->n_known++] = (struct quotient){x, by, is_signed, result.id};
    }
    return result;
}

/* ---- what is divided ------------------------------------------------------------------------- */

/* By a constant, whose absolute value is no power of two. */
static bool is_division(const struct cu_instruction *k)
{
    const struct cu_value *a = &k->argument[0];
    uint64_t by;
    if (!k->is_live || (k->op != CU_OP_DIV && k->op != CU_OP_REM) ||
        (a->class != CU_I32 && a->class != CU_I64) || a->kind != CU_REGISTER ||
        !bsim_cu_is_constant(&k->argument[1], &by)) {
        return false;
    }
    bool is_negative = k->is_signed && (by >> (8 * bsim_cu_class_bytes(a->class) - 1) & 1) != 0;
    by = is_negative ? bsim_cu_constant_of(a->class, 0 - by).bits : by;
    return (by & (by - 1)) != 0;
}

/* The division becomes the last instruction of its quotient, or a copy of one that was there. */
static void become(struct dividing *d, struct cu_instruction *k, struct cu_value q, bool is_new)
{
    struct cu_instruction *last = d->code->definition[q.id];
    if (!is_new || last == NULL) {
        k->op = CU_OP_OTHER;
        k->opcode = k->argument[0].class == CU_I32 ? "mov.u32" : "mov.u64";
        k->n_arguments = 1;
        k->argument[0] = q;
        return;
    }
    k->op = last->op;
    k->opcode = last->opcode;
    k->n_arguments = last->n_arguments;
    memcpy(k->argument, last->argument, sizeof k->argument);
    last->is_live = false;
    d->known[d->n_known - 1].result = k->result[0];
}

static void divide(struct dividing *d, struct cu_instruction *k)
{
    struct cu_value x = k->argument[0];
    uint64_t by = k->argument[1].bits;
    uint32_t width = 8 * bsim_cu_class_bytes(x.class);
    x.space = CU_GENERIC;
    d->division = k;
    uint32_t n_known = d->n_known;
    struct cu_value q = quotient(d, x, by, k->is_signed);
    if (k->op == CU_OP_DIV) {
        become(d, k, q, d->n_known > n_known);
        return;
    }
    k->op = CU_OP_SUB;
    k->is_rest = true;
    k->opcode = width == 32 ? "sub.s32" : "sub.s64";
    k->argument[1] = whole(d, CU_OP_MUL, "mul.lo.s", q, bsim_cu_constant_of(x.class, by));
}

/* The sign alone of x >> n, which the block made, is that of x: x / 2 has two shifts. */
static void take_sign(const struct cu_code *code, const struct cu_code_block *block, struct cu_instruction *k)
{
    uint32_t top = 8 * bsim_cu_class_bytes(k->argument[0].class) - 1;
    uint64_t by;
    const struct cu_instruction *from = bsim_cu_definition(code, &k->argument[0]), *at = block->first;
    while (at != k && at != from) {
        at = at->next;
    }
    if (at == from && k->op == CU_OP_SHR && !k->is_signed && bsim_cu_is_constant(&k->argument[1], &by) && by == top && from != NULL &&
        from->op == CU_OP_SHR && from->is_signed && from->argument[0].class == k->argument[0].class) {
        k->argument[0] = from->argument[0];
    }
}

void bsim_cu_divide(struct cu_code *code, const uint32_t *order, uint32_t n)
{
    for (uint32_t i = 0; i < n && !bsim_cu_failed(code->file); i++) {
        struct dividing d = {.code = code, .at = &code->block[order[i]].first};
        for (struct cu_instruction *k = *d.at; k != NULL; k = k->next) {
            if (is_division(k)) {
                divide(&d, k);
            } else if (k->is_live && k->op == CU_OP_SHR) {
                take_sign(code, &code->block[order[i]], k);
            }
            d.at = &k->next;
        }
    }
}
