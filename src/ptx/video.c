/* video.c - whole numbers of 8 and 16 bits, four or two in a register.
 *
 *     vabsdiff4.u32.u32.u32.add d, a, b, c     c and the sum of |a's byte i - b's|
 */
#include "ptx/compute.h"

#include "ptx/tables.h"

#include <stdlib.h>

enum operation { ADD, SUB, ABSDIFF, AVERAGE, MIN, MAX };

struct form {
    enum operation operation;
    uint32_t n; /* numbers in a register */
    bool is_signed, a_signed, b_signed, saturates, adds;
};

static int64_t part_of(uint32_t x, uint32_t i, uint32_t bits, bool is_signed)
{
    int64_t value = x >> i * bits & ((UINT32_C(1) << bits) - 1);
    return is_signed && value >> (bits - 1) ? value - (INT64_C(1) << bits) : value;
}

static int64_t compute(enum operation operation, int64_t a, int64_t b)
{
    switch (operation) {
    case ADD:
        return a + b;
    case SUB:
        return a - b;
    case ABSDIFF:
        return a > b ? a - b : b - a;
    case AVERAGE: /* halves are rounded away from zero */
        return (a + b + (a + b >= 0)) >> 1;
    case MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

static int64_t saturate(int64_t x, uint32_t bits, bool is_signed)
{
    int64_t most = is_signed ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1;
    int64_t least = is_signed ? -most - 1 : 0;
    return x > most ? most : x < least ? least : x;
}

/* Without .add c's parts are what the result keeps of a part that is masked off: none is here. */
static uint32_t compute_all(const struct form *form, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t bits = 32 / form->n, result = 0;
    uint64_t sum = c;
    for (uint32_t i = 0; i < form->n; i++) {
        int64_t x = compute(form->operation, part_of(a, i, bits, form->a_signed),
                            part_of(b, i, bits, form->b_signed));
        x = form->saturates ? saturate(x, bits, form->is_signed) : x;
        result |= ((uint32_t)x & ((UINT32_C(1) << bits) - 1)) << i * bits;
        sum += (uint64_t)x;
    }
    return form->adds ? (uint32_t)sum : result;
}

static const struct name {
    const char *mnemonic;
    enum operation operation;
    uint32_t n;
} names[] = {{"vadd4", ADD, 4},      {"vadd2", ADD, 2},         {"vsub4", SUB, 4},
             {"vsub2", SUB, 2},      {"vabsdiff4", ABSDIFF, 4}, {"vabsdiff2", ABSDIFF, 2},
             {"vavrg4", AVERAGE, 4}, {"vavrg2", AVERAGE, 2},    {"vmin4", MIN, 4},
             {"vmin2", MIN, 2},      {"vmax4", MAX, 4},         {"vmax2", MAX, 2}};

static const struct name *find_name(const struct bsim_ptx_instruction *from)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i].mnemonic, from->mnemonic) == 0) {
            return &names[i];
        }
    }
    return NULL;
}

static void run_video(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_instruction *from = step->from;
    const struct name *name = find_name(from);
    struct form form = {.operation = name->operation,
                        .n = name->n,
                        .is_signed = from->type[0] == BSIM_PTX_S32,
                        .a_signed = from->type[1] == BSIM_PTX_S32,
                        .b_signed = from->type[2] == BSIM_PTX_S32,
                        .saturates = bsim_ptx_has(from, BSIM_PTX_SAT),
                        .adds = bsim_ptx_has(from, BSIM_PTX_ADD)};
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        if (warp->mask >> l & 1) {
            bsim_ptx_at32(warp, step->d)[l].u =
                compute_all(&form, bsim_ptx_at32(warp, step->a)[l].u,
                            bsim_ptx_at32(warp, step->b)[l].u, bsim_ptx_at32(warp, step->c)[l].u);
        }
    }
}

const struct bsim_ptx_alu *bsim_ptx_find_video(const struct bsim_ptx_instruction *instruction)
{
    static const struct bsim_ptx_alu video = {run_video, 4, 4, 4, 4, 0};
    if (find_name(instruction) == NULL || instruction->n_types != 3) {
        return NULL;
    }
    for (uint32_t i = 0; i < instruction->n_words; i++) {
        if (instruction->word[i] != BSIM_PTX_SAT && instruction->word[i] != BSIM_PTX_ADD) {
            return NULL;
        }
    }
    return &video;
}
