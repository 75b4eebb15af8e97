/* quick.c - whether a layout takes too many wavefronts, by groups of words alone.
 *
 * Most layouts that a climb tries are worse than what it has, and the first request or two tell so.
 * Where whole words move, a group of lanes takes as many wavefronts as it has words in one bank
 * (fit.c), and which words it has no layout changes: they are found once. To place them and to count
 * the banks, up to the word that is too many, takes a fifth of what the model takes for a request. What
 * is not told to be too much is counted by the model.
 *
 * Places are those of units: paddings, turns and rows are whole ones here, and other layouts are left to
 * the model.
 */
#include "advise/quick.h"

#include "advise/fit.h"
#include "base/memory.h"

#include <string.h>

enum { LANES = BSIM_LINEAR_MAX_LANES, MOST_BANKS = 1 << 6 };

struct bsim_quick_group {
    uint64_t weight;
    uint32_t n, bound; /* lanes; turns that they take at least */
    uint32_t unit[LANES];
    uint8_t residue[LANES]; /* the bank within the unit */
};

/* The most lanes that want one bank of those that a unit's words of one residue may be in, at best, or
 * one word, which atomics may not share. */
static uint32_t least_of(const struct bsim_quick *quick, const struct bsim_linear_group *group)
{
    uint32_t n[MOST_BANKS] = {0};
    uint32_t free = quick->n_banks >> quick->fixed_bits;
    uint32_t least = bsim_linear_alike(group);
    for (uint32_t i = 0; i < group->n; i++) {
        uint32_t residue = group->at[i] & ((UINT32_C(1) << quick->fixed_bits) - 1);
        uint32_t filled = (++n[residue] + free - 1) / free;
        least = filled > least ? filled : least;
    }
    return least;
}

static void take_group(struct bsim_quick *quick, const struct bsim_linear_group *from, size_t i)
{
    struct bsim_quick_group *group = &quick->group[i];
    group->weight = from->weight;
    group->n = from->n;
    group->bound = least_of(quick, from);
    for (uint32_t lane = 0; lane < from->n; lane++) {
        group->unit[lane] = from->at[lane] >> quick->fixed_bits;
        group->residue[lane] = (uint8_t)(from->at[lane] & ((UINT32_C(1) << quick->fixed_bits) - 1));
    }
    quick->order[i] = (uint16_t)i;
    quick->rest += group->weight * group->bound;
}

bool bsim_quick_begin(const struct bsim_search *search, size_t array, struct bsim_quick *quick)
{
    struct bsim_linear linear;
    *quick = (struct bsim_quick){.array = array};
    bool fine = bsim_fit_groups(search, array, &linear, &quick->unit);
    if (fine && linear.n_groups > 0) {
        quick->fixed_bits = linear.fixed_bits;
        quick->n_banks = UINT32_C(1) << linear.bank_bits;
        quick->group = bsim_mem_zeroed(linear.n_groups, sizeof *quick->group);
        quick->order = bsim_mem_zeroed(linear.n_groups, sizeof *quick->order);
        fine = quick->group != NULL && quick->order != NULL;
        for (size_t i = 0; fine && i < linear.n_groups; i++) {
            take_group(quick, &linear.group[i], i);
        }
        quick->n = fine ? linear.n_groups : 0;
    }
    bsim_linear_end(&linear);
    return fine;
}

void bsim_quick_end(struct bsim_quick *quick)
{
    bsim_mem_free(quick->group);
    bsim_mem_free(quick->order);
    *quick = (struct bsim_quick){.n = 0};
}

/* ---- places -------------------------------------------------------------------------------- */

/* A layout in units; parts: 1 of so many. */
struct placing {
    bool turns;
    uint32_t row, pad, block_pad;
    float row_part, block_part;
};

static bool is_whole(const struct bsim_quick *quick, uint32_t n)
{
    return n % quick->unit == 0;
}

/* False if that is not in whole units. */
static bool find_placing(const struct bsim_quick *quick, const struct bsim_layout *layout,
                         struct placing *placing)
{
    bool turns = layout->kind == BSIM_LAYOUT_ROTATE;
    uint32_t pad = turns ? layout->turn : layout->pad;
    uint32_t block_pad = turns ? layout->block_turn : layout->block_pad;
    if ((layout->kind != BSIM_LAYOUT_PAD_TWICE && !turns) || layout->bits > 0 || layout->apart ||
        layout->more_bytes > 0 || (turns && layout->pad > 0) || layout->row == 0 ||
        layout->block_rows == 0 || !is_whole(quick, layout->row) || !is_whole(quick, pad) ||
        !is_whole(quick, block_pad)) {
        return false;
    }
    *placing = (struct placing){
        turns, layout->row / quick->unit, pad / quick->unit, block_pad / quick->unit, 0, 0};
    placing->row_part = 1 / (float)placing->row;
    placing->block_part = 1 / (float)layout->block_rows;
    return true;
}

/* As in cost.c: n / d of 1 / d. */
static uint32_t divide(uint32_t n, float by)
{
    return (uint32_t)(int32_t)(((float)(int32_t)n + 0.5f) * by);
}

/* Plain loops over all lanes, there or not, so that a compiler does several at once. */
static void place(const struct placing *placing, const struct bsim_quick_group *group,
                  uint32_t unit[LANES])
{
    uint32_t row[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) {
        row[lane] = divide(group->unit[lane], placing->row_part);
        uint32_t block = divide(row[lane], placing->block_part);
        unit[lane] = group->unit[lane] + row[lane] * placing->pad + block * placing->block_pad;
    }
    for (uint32_t lane = 0; placing->turns && lane < LANES; lane++) {
        uint32_t column = unit[lane] - row[lane] * placing->row;
        unit[lane] -= divide(column, placing->row_part) * placing->row;
    }
}

/* Adds what the group takes beyond its bound; false as soon as that is more than the limit. */
static bool add_cost(const struct bsim_quick *quick, const struct placing *placing,
                     const struct bsim_quick_group *group, uint64_t limit, uint64_t *cost)
{
    uint32_t unit[LANES];
    uint8_t times[MOST_BANKS] = {0};
    uint32_t most = group->bound;
    place(placing, group, unit);
    for (uint32_t lane = 0; lane < group->n; lane++) {
        uint32_t word = unit[lane] << quick->fixed_bits | group->residue[lane];
        if (++times[word & (quick->n_banks - 1)] > most) {
            most++;
            *cost += group->weight;
            if (*cost > limit) {
                return false;
            }
        }
    }
    return true;
}

bool bsim_quick_exceeds(const struct bsim_quick *quick, const struct bsim_layout *layout,
                        uint64_t limit, uint64_t *work)
{
    struct placing placing;
    uint64_t cost = quick->rest;
    if (quick->n == 0 || !find_placing(quick, layout, &placing)) {
        return false;
    }
    for (size_t k = 0; k < quick->n; k++) {
        uint16_t i = quick->order[k];
        (*work)++;
        if (!add_cost(quick, &placing, &quick->group[i], limit, &cost)) {
            quick->order[k] = quick->order[k / 2];
            quick->order[k / 2] = i;
            return true;
        }
    }
    return false;
}
