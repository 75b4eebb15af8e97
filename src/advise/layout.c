/* layout.c - the arithmetic of layouts. In elements of the array, counted through all dimensions:
 *
 *     PAD        rows of 4 and 1 element of padding     0 1 2 3 . 4 5 6 7 . 8 9 ...
 *     ROW_XOR    rows of 4, 2 bits                      0 1 2 3 | 5 4 7 6 | 10 11 8 9 | ...
 *     SWIZZLE    Swizzle<2, 0, 2>                       the same, without knowing of rows
 *     XOR        bit 2 flips 1, bit 3 flips 2           the same again: any swizzle is such a one
 *
 * An access of several elements stays in one piece in a padded array if it lies within a row, and
 * in a swizzled one if it lies within 2^base elements that begin at a multiple of that, which are
 * moved as a whole. Whether it is aligned then depends on where the array begins; that is for those
 * who place it to find out.
 */
#include "advise/layout.h"

#include <string.h>

enum { DYNAMIC_ALIGNMENT = 16, TMA_PERIOD = 128 };

static uint32_t mask_of(const struct bsim_layout *layout)
{
    return (UINT32_C(1) << layout->bits) - 1;
}

/* Rows that lie between two planes, for PAD. */
static uint32_t plane_rows(const struct bsim_check_array *array)
{
    return array->dimension[array->n_dimensions - 2];
}

static uint32_t padded(const struct bsim_check_array *array, const struct bsim_layout *layout,
                       uint32_t i)
{
    uint32_t row = i / layout->row;
    i += row * layout->pad;
    if (layout->plane_pad > 0) {
        i += row / plane_rows(array) * layout->plane_pad * (layout->row + layout->pad);
    }
    return i;
}

static uint32_t flipped(const struct bsim_layout *layout, uint32_t i)
{
    uint32_t place = i;
    for (uint32_t bit = 0; bit < BSIM_LAYOUT_MAX_BITS; bit++) {
        place ^= (i >> bit & 1) != 0 ? layout->flip[bit] : 0;
    }
    return place;
}

static uint32_t place_of(const struct bsim_check_array *array, const struct bsim_layout *layout,
                         uint32_t i)
{
    switch (layout->kind) {
    case BSIM_LAYOUT_AS_IS:
        break;
    case BSIM_LAYOUT_PAD:
        return padded(array, layout, i);
    case BSIM_LAYOUT_PAD_TWICE:
        return i + i / layout->row * layout->pad + i / layout->row / layout->row * layout->pad;
    case BSIM_LAYOUT_ROW_XOR: {
        uint32_t row = i / layout->row;
        uint32_t column = i % layout->row;
        return row * layout->row +
               (column ^ (row >> layout->shift & mask_of(layout)) << layout->base);
    }
    case BSIM_LAYOUT_SWIZZLE:
    case BSIM_LAYOUT_TMA:
        return i ^ (i >> layout->shift & mask_of(layout) << layout->base);
    case BSIM_LAYOUT_XOR:
        return flipped(layout, i);
    }
    return i;
}

/* Elements from first to last keep lying behind one another. */
static bool stays_whole(const struct bsim_layout *layout, uint32_t first, uint32_t last)
{
    switch (layout->kind) {
    case BSIM_LAYOUT_AS_IS:
        return true;
    case BSIM_LAYOUT_PAD:
    case BSIM_LAYOUT_PAD_TWICE:
        return first / layout->row == last / layout->row;
    case BSIM_LAYOUT_ROW_XOR:
    case BSIM_LAYOUT_SWIZZLE:
    case BSIM_LAYOUT_TMA:
    case BSIM_LAYOUT_XOR:
        return first >> layout->base == last >> layout->base;
    }
    return false;
}

bool bsim_layout_map(const struct bsim_check_array *array, const struct bsim_layout *layout,
                     uint32_t offset, uint32_t bytes, uint32_t *mapped)
{
    uint32_t each = array->element_bytes;
    uint32_t first = offset / each;
    uint32_t last = (offset + bytes - 1) / each;
    if (first != last && !stays_whole(layout, first, last)) {
        return false;
    }
    *mapped = place_of(array, layout, first) * each + offset % each;
    return true;
}

bool bsim_layout_is_same(const struct bsim_layout *a, const struct bsim_layout *b)
{
    return a->kind == b->kind && a->row == b->row && a->pad == b->pad &&
           a->plane_pad == b->plane_pad && a->bits == b->bits && a->base == b->base &&
           a->shift == b->shift && memcmp(a->flip, b->flip, sizeof a->flip) == 0;
}

static uint64_t round_up(uint64_t n, uint64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* Declared arrays grow by whole rows, others just as far as their last element goes. */
static uint64_t padded_elements(const struct bsim_subject *subject,
                                const struct bsim_layout *layout)
{
    uint32_t n = subject->n_elements;
    if (!subject->has_rows) {
        return n > 0 ? (uint64_t)place_of(subject->array, layout, n - 1) + 1 : 0;
    }
    uint64_t rows = subject->rows;
    uint64_t columns = subject->columns + subject->columns / layout->row * layout->pad;
    if (layout->plane_pad > 0) {
        rows += round_up(rows, plane_rows(subject->array)) / plane_rows(subject->array) *
                layout->plane_pad;
    }
    return rows * columns;
}

uint64_t bsim_layout_elements(const struct bsim_subject *subject, const struct bsim_layout *layout)
{
    switch (layout->kind) {
    case BSIM_LAYOUT_AS_IS:
        break;
    case BSIM_LAYOUT_PAD:
    case BSIM_LAYOUT_PAD_TWICE:
        return padded_elements(subject, layout);
    case BSIM_LAYOUT_ROW_XOR:
    case BSIM_LAYOUT_SWIZZLE:
    case BSIM_LAYOUT_TMA:
    case BSIM_LAYOUT_XOR:
        return round_up(subject->n_elements, UINT64_C(1) << (layout->base + layout->bits));
    }
    return subject->n_elements;
}

uint32_t bsim_layout_alignment(const struct bsim_subject *subject, const struct bsim_layout *layout)
{
    uint32_t period = layout->kind == BSIM_LAYOUT_TMA ? (uint32_t)TMA_PERIOD << layout->bits : 1;
    return period > subject->alignment ? period : subject->alignment;
}

/* An extern array begins at a multiple of 16 anyway. */
static uint64_t begin_of(const struct bsim_check_array *array, uint64_t end, uint32_t alignment)
{
    return round_up(end, array->is_extern && alignment < DYNAMIC_ALIGNMENT ? DYNAMIC_ALIGNMENT
                                                                           : alignment);
}

uint64_t bsim_layout_place(const struct bsim_subject *subjects, size_t n,
                           const struct bsim_layout *layouts, uint32_t *base, bool *declares)
{
    uint64_t end = 0;
    for (size_t k = 0; k < 2 * n; k++) {
        size_t i = k % n;
        const struct bsim_check_array *array = subjects[i].array;
        if (array->is_extern != (k >= n)) {
            continue;
        }
        uint64_t begin = begin_of(array, end, bsim_layout_alignment(&subjects[i], &layouts[i]));
        if (declares != NULL) {
            declares[i] = layouts[i].kind != BSIM_LAYOUT_AS_IS ||
                          begin != begin_of(array, end, array->alignment);
        }
        base[i] = (uint32_t)begin;
        end = begin + bsim_layout_elements(&subjects[i], &layouts[i]) * array->element_bytes;
    }
    return end;
}
