/* ptx_sums.c - kernels of products and sums that ptxas may make one instruction of, in straight
 * lines, under guards, behind branches and in loops, of one type each.
 *
 *     mul.f32 %v8, %v1, %v6;
 *     mov.b32 %v9, %v3;               %v9 is another value where the ways meet
 *     @!%q2 bra L0;
 *     sub.f32 %v10, %v8, %v0;
 *     mov.b32 %v9, %v10;
 *    L0:
 *     add.f32 %v11, %v9, %v4;
 *
 * Every value is used or stored. What ptxas takes for one is not drawn twice: the same product, the
 * same sum. Nor are products that a loop's next turn adds, since a loop may be unrolled.
 */
#include "ptx_sums.h"

#include <string.h>

enum { N_INPUTS = 8, MOST_VALUES = PTX_CHAIN_REGISTERS, N_PREDICATES = 4 };

static const struct type {
    const char *name, *flush;
    uint32_t bits;
    enum ptx_class operands;
    unsigned can_saturate, can_divide;
} types[] = {{"f32", "", 32, PTX_NEAR_F32, 1, 1},    {"f32", "", 32, PTX_NEAR_F32, 1, 1},
             {"f32", "", 32, PTX_NEAR_F32, 1, 1},    {"f32", ".ftz", 32, PTX_NEAR_F32, 1, 1},
             {"f64", "", 64, PTX_NEAR_F64, 0, 1},    {"f64", "", 64, PTX_NEAR_F64, 0, 1},
             {"f16", "", 16, PTX_NEAR_F16, 1, 0},    {"f16", ".ftz", 16, PTX_NEAR_F16, 1, 0},
             {"f16x2", "", 32, PTX_NEAR_F16, 1, 0},  {"bf16", "", 16, PTX_NEAR_BF16, 0, 0},
             {"bf16x2", "", 32, PTX_NEAR_BF16, 0, 0}};

/* A value: what it is, whatever register it is in, and who may use it. */
struct value {
    uint32_t what;    /* twice a number, and 1 if it is negated; moves keep it */
    unsigned is_used; /* or stored */
    unsigned is_hidden;
};

/* An instruction that there was: twice a number of an operation, and its operands. */
struct made {
    uint32_t operation, a, b;
};

struct piece {
    FILE *file;
    const struct type *type;
    uint64_t state;
    struct value value[MOST_VALUES];
    struct made made[MOST_VALUES];
    uint32_t n, n_made, n_labels, next_what;
};

static uint32_t draw(struct piece *piece, uint32_t n)
{
    uint64_t z = piece->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ z >> 31) % n);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* A value that may be used here, more often one of the last. */
static uint32_t pick(struct piece *piece)
{
    uint32_t v;
    do {
        uint32_t from = piece->n > 8 && draw(piece, 3) != 0 ? piece->n - 8 : 0;
        v = from + draw(piece, piece->n - from);
    } while (piece->value[v].is_hidden);
    return v;
}

static uint32_t add_value(struct piece *piece, uint32_t what)
{
    piece->value[piece->n] = (struct value){.what = what};
    return piece->n++;
}

static uint32_t new_what(struct piece *piece)
{
    return 2 * piece->next_what++;
}

static void store(struct piece *piece, uint32_t v)
{
    fprintf(piece->file, " st.global.b%u [%%to+%u], %%v%u;\n", piece->type->bits, 8 * v, v);
    piece->value[v].is_used = 1;
}

/* What nobody has used yet; stored behind a loop, ptxas would compute it there. */
static void store_unused(struct piece *piece, uint32_t first)
{
    for (uint32_t v = first; v < piece->n; v++) {
        if (!piece->value[v].is_used) {
            store(piece, v);
        }
    }
}

/* The values from the first on are hidden from who comes. */
static void end_block(struct piece *piece, uint32_t first)
{
    store_unused(piece, first);
    for (uint32_t v = first; v < piece->n; v++) {
        piece->value[v].is_hidden = 1;
    }
}

static uint32_t move(struct piece *piece, uint32_t v, uint32_t what)
{
    piece->value[v].is_used = 1;
    uint32_t to = add_value(piece, what);
    fprintf(piece->file, " mov.b%u %%v%u, %%v%u;\n", piece->type->bits, to, v);
    return to;
}

static void move_back(struct piece *piece, uint32_t to, uint32_t v)
{
    piece->value[v].is_used = 1;
    fprintf(piece->file, " mov.b%u %%v%u, %%v%u;\n", piece->type->bits, to, v);
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* Whether it is new; of a product signs make no difference, nor does what comes first. */
static unsigned is_new(struct piece *piece, uint32_t operation, uint32_t a, uint32_t b)
{
    struct made made = {operation, a < b ? a : b, a < b ? b : a};
    for (uint32_t i = 0; i < piece->n_made; i++) {
        if (memcmp(&piece->made[i], &made, sizeof made) == 0) {
            return 0;
        }
    }
    piece->made[piece->n_made++] = made;
    return 1;
}

/* Two operands for a product or a sum: no sum of a value and itself. */
static void pick_two(struct piece *piece, unsigned is_product, uint32_t v[2])
{
    unsigned is_fine = 0;
    while (!is_fine) {
        uint32_t a = piece->value[v[0] = pick(piece)].what;
        uint32_t b = piece->value[v[1] = pick(piece)].what;
        is_fine = is_product ? is_new(piece, 0, a | 1, b | 1) : (a | 1) != (b | 1);
        is_fine = is_fine && (is_product || is_new(piece, 1, a, b) || draw(piece, 50) == 0);
    }
    piece->value[v[0]].is_used = piece->value[v[1]].is_used = 1;
}

static void write_two(struct piece *piece, const char *name, const char *words)
{
    uint32_t v[2];
    pick_two(piece, name[0] == 'm', v);
    fprintf(piece->file, " %s%s.%s %%v%u, %%v%u, %%v%u;\n", name, words, piece->type->name,
            piece->n, v[0], v[1]);
    add_value(piece, new_what(piece));
}

static void write_fma(struct piece *piece)
{
    uint32_t a = pick(piece), b = pick(piece), c = pick(piece);
    fprintf(piece->file, " fma.rn%s.%s %%v%u, %%v%u, %%v%u, %%v%u;\n", piece->type->flush,
            piece->type->name, piece->n, a, b, c);
    piece->value[a].is_used = piece->value[b].is_used = piece->value[c].is_used = 1;
    add_value(piece, new_what(piece));
}

static void write_one(struct piece *piece, const char *name)
{
    uint32_t v = pick(piece), what = piece->value[v].what;
    unsigned negates = name[0] == 'n';
    piece->value[v].is_used = 1;
    fprintf(piece->file, " %s%s.%s %%v%u, %%v%u;\n", name, piece->type->flush, piece->type->name,
            piece->n, v);
    add_value(piece, negates ? what ^ 1 : new_what(piece));
}

static void write_guarded(struct piece *piece)
{
    uint32_t v[2], to = move(piece, pick(piece), new_what(piece));
    piece->value[to].is_hidden = 1;
    pick_two(piece, 0, v);
    piece->value[to].is_hidden = 0;
    fprintf(piece->file, " @%%q%u add%s.%s %%v%u, %%v%u, %%v%u;\n", draw(piece, N_PREDICATES),
            piece->type->flush, piece->type->name, to, v[0], v[1]);
}

static void write_instruction(struct piece *piece)
{
    const struct type *type = piece->type;
    char words[16];
    uint32_t which = draw(piece, 100);
    snprintf(words, sizeof words, "%s%s%s", which >= 84 && which < 88 ? ".rn" : "", type->flush,
             which >= 88 && which < 91 && type->can_saturate ? ".sat" : "");
    if (which < 38 || which == 84 || which == 85) {
        write_two(piece, "mul", words);
    } else if (which < 56 || (which >= 86 && which < 91)) {
        write_two(piece, "add", words);
    } else if (which < 74) {
        write_two(piece, "sub", words);
    } else if (which < 80) {
        write_fma(piece);
    } else if (which < 84 || which == 99) {
        write_one(piece, which < 84 ? "neg" : "abs");
    } else if (which < 94) {
        uint32_t v = pick(piece);
        move(piece, v, piece->value[v].what);
    } else if (which < 96) {
        write_guarded(piece);
    } else if (which == 96 && type->can_divide) {
        write_two(piece, "div.rn", type->flush);
    } else if (which == 97 && strcmp(type->name, "f32") == 0) {
        write_two(piece, "mul", type->flush[0] == '\0' ? ".ftz" : "");
    } else {
        store(piece, pick(piece));
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void write_line(struct piece *piece, uint32_t n)
{
    for (uint32_t i = 0; i < n && piece->n + 8 < MOST_VALUES; i++) {
        write_instruction(piece);
    }
}

/* Some lanes compute a value anew. */
static void write_branch(struct piece *piece)
{
    uint32_t to = move(piece, pick(piece), new_what(piece)), label = piece->n_labels++;
    fprintf(piece->file, " @%%q%u bra L%u;\n", draw(piece, N_PREDICATES), label);
    uint32_t first = piece->n;
    write_line(piece, 1 + draw(piece, 5));
    move_back(piece, to, piece->n - 1);
    end_block(piece, first);
    piece->value[to].is_used = 0;
    fprintf(piece->file, "L%u:\n", label);
}

/* Each lane computes a value as often as it wants; what the next turn has of it is no product. */
static void write_loop(struct piece *piece)
{
    uint32_t to = move(piece, pick(piece), new_what(piece)), label = piece->n_labels++;
    fprintf(piece->file, " and.b32 %%t, %%lane, 3;\nL%u:\n", label);
    uint32_t first = piece->n;
    write_line(piece, 1 + draw(piece, 5));
    write_two(piece, "add", ".rn");
    move_back(piece, to, piece->n - 1);
    end_block(piece, first);
    piece->value[to].is_used = 0;
    fprintf(piece->file, " sub.s32 %%t, %%t, 1;\n setp.ge.s32 %%q4, %%t, 0;\n @%%q4 bra L%u;\n",
            label);
}

static void write_inputs(struct piece *piece)
{
    uint32_t bits = piece->type->bits;
    for (uint32_t i = 0; i < N_INPUTS; i++) {
        fprintf(piece->file,
                " add.u32 %%t, %%lane, %u;\n and.b32 %%t, %%t, 31;\n"
                " mad.wide.u32 %%from, %%t, 24, %%in;\n ld.global.b%u %%v%u, [%%from+%u];\n",
                4 * i + draw(piece, 4), bits, i, /* no two are the same */
                (unsigned)piece->type->operands * PTX_LANES * 24 + 8 * draw(piece, 3));
        add_value(piece, new_what(piece));
        piece->value[i].is_used = 1;
    }
}

static void write_kernel(struct piece *piece, size_t length)
{
    fprintf(piece->file,
            " .reg .b64 %%in, %%to, %%from;\n .reg .b32 %%lane, %%t;\n .reg .pred %%q<5>;\n"
            " .reg .b%u %%v<%u>;\n ld.param.u64 %%in, [in];\n ld.param.u64 %%to, [out];\n"
            " mov.u32 %%lane, %%tid.x;\n mad.wide.u32 %%to, %%lane, %u, %%to;\n",
            piece->type->bits, (unsigned)MOST_VALUES, PTX_CHAIN_REGISTERS * 8);
    for (unsigned i = 0; i < N_PREDICATES; i++) {
        fprintf(piece->file, " and.b32 %%t, %%lane, %u;\n setp.ne.u32 %%q%u, %%t, 0;\n", 1u << i,
                i);
    }
    write_inputs(piece);
    while (piece->n < N_INPUTS + length && piece->n + 12 < MOST_VALUES) {
        uint32_t which = draw(piece, 8);
        if (which < 2) {
            store_unused(piece, 0);
        }
        if (which == 0) {
            write_branch(piece);
        } else if (which == 1) {
            write_loop(piece);
        } else {
            write_line(piece, 2 + draw(piece, 8));
        }
    }
    store_unused(piece, 0);
}

void ptx_write_sums(FILE *file, uint64_t seed, size_t batch, size_t length)
{
    fputs(".version 8.0\n.target sm_90\n.address_size 64\n", file);
    for (size_t i = 0; i < PTX_BATCH; i++) {
        struct piece piece = {.file = file};
        piece.state = (seed << 32 ^ (batch * PTX_BATCH + i)) * UINT64_C(0xd1342543de82ef95);
        piece.type = &types[draw(&piece, sizeof types / sizeof *types)];
        fprintf(file, ".visible .entry c%zu(.param .u64 in, .param .u64 out) {\n", i);
        write_kernel(&piece, length);
        fputs(" ret;\n}\n", file);
    }
}
