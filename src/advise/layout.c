/* layout.c - arrays of other layouts, one behind the other as CUDA places them. */
#include "advise/layout.h"

#include <string.h>

enum { DYNAMIC_ALIGNMENT = 16, TMA_PERIOD = 128 };

bool bsim_layout_is_same(const struct bsim_layout *a, const struct bsim_layout *b)
{
    return a->kind == b->kind && a->row == b->row && a->pad == b->pad &&
           a->plane_pad == b->plane_pad && a->behind == b->behind &&
           a->block_rows == b->block_rows && a->block_pad == b->block_pad && a->turn == b->turn &&
           a->block_turn == b->block_turn && a->columns == b->columns &&
           a->more_bytes == b->more_bytes && a->apart == b->apart && a->bits == b->bits &&
           a->base == b->base && a->shift == b->shift &&
           memcmp(a->flip, b->flip, sizeof a->flip) == 0;
}

void bsim_layout_of_declared(const struct bsim_subject *subject, struct bsim_layout *layout)
{
    layout->columns = layout->kind != BSIM_LAYOUT_AS_IS ? subject->narrower : 0;
}

static uint64_t round_up(uint64_t n, uint64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

struct bsim_layout bsim_layout_simplified(const struct bsim_subject *subject,
                                          const struct bsim_layout *pads)
{
    struct bsim_layout layout = *pads;
    if (layout.pad == 0) {
        layout.row *= layout.block_rows;
        layout.pad = layout.block_pad;
        layout.block_pad = 0;
    }
    if (layout.block_pad == 0 && subject->has_rows && subject->columns % layout.row == 0) {
        return (struct bsim_layout){.kind = BSIM_LAYOUT_PAD, .row = layout.row, .pad = layout.pad};
    }
    return layout;
}

/* Declared arrays grow by whole rows, others just as far as their last element goes. */
static uint64_t padded_elements(const struct bsim_subject *subject,
                                const struct bsim_layout *layout)
{
    uint32_t n = subject->n_elements;
    if (!subject->has_rows) {
        return n > 0 ? (uint64_t)bsim_layout_index(subject->array, layout, n - 1) + 1 : 0;
    }
    if (bsim_layout_is_in_rows(subject->array, layout)) {
        return (uint64_t)subject->rows *
               (subject->columns + layout->block_rows * layout->pad + layout->block_pad);
    }
    if (layout->kind == BSIM_LAYOUT_PAD_TWICE) {
        uint32_t whole = bsim_layout_first(subject->array);
        return n > 0
                   ? round_up((uint64_t)bsim_layout_index(subject->array, layout, n - 1) + 1, whole)
                   : 0;
    }
    uint64_t rows = subject->rows;
    uint64_t columns = subject->columns + subject->columns / layout->row * layout->pad;
    if (layout->plane_pad > 0) {
        uint32_t plane = bsim_layout_plane_rows(subject->array);
        rows += round_up(rows, plane) / plane * layout->plane_pad;
    }
    return rows * columns;
}

/* Of whole blocks, and of whole steps of the first dimension. */
static uint64_t flipped_elements(const struct bsim_subject *subject,
                                 const struct bsim_layout *layout)
{
    uint64_t first = 1;
    for (uint32_t i = 1; i < subject->array->n_dimensions; i++) {
        first *= bsim_layout_dimension(subject->array, layout, 0, i);
    }
    return round_up(
        round_up(padded_elements(subject, layout), UINT32_C(1) << (layout->base + layout->bits)),
        first);
}

/* Of whole rows, as they are declared; or of groups, and of whole steps of the first dimension. */
static uint64_t rotated_elements(const struct bsim_subject *subject,
                                 const struct bsim_layout *layout)
{
    if (subject->has_rows && layout->row == subject->columns && layout->bits == 0) {
        return round_up(subject->n_elements, layout->row) / layout->row *
               (layout->row + layout->pad);
    }
    return round_up(round_up(subject->n_elements, bsim_layout_group(layout)),
                    bsim_layout_first(subject->array));
}

/* What is asked of the array that the layout is of: itself, or one with narrower rows. */
static struct bsim_subject narrowed(const struct bsim_subject *subject,
                                    const struct bsim_layout *layout,
                                    struct bsim_check_array *array)
{
    struct bsim_subject narrower = *subject;
    narrower.array = bsim_layout_narrowed(subject->array, layout, array);
    if (narrower.array != subject->array) {
        narrower.columns = layout->columns;
        narrower.n_elements = subject->rows * layout->columns;
    }
    return narrower;
}

uint64_t bsim_layout_elements(const struct bsim_subject *declared, const struct bsim_layout *layout)
{
    struct bsim_check_array array;
    struct bsim_subject narrower = narrowed(declared, layout, &array);
    const struct bsim_subject *subject = &narrower;
    switch (layout->kind) {
    case BSIM_LAYOUT_AS_IS:
        return bsim_array_extent(subject->array, subject->n_elements);
    case BSIM_LAYOUT_PAD:
    case BSIM_LAYOUT_PAD_TWICE:
        return padded_elements(subject, layout) + layout->behind;
    case BSIM_LAYOUT_PAD_XOR:
        return flipped_elements(subject, layout);
    case BSIM_LAYOUT_ROW_XOR:
    case BSIM_LAYOUT_SWIZZLE:
    case BSIM_LAYOUT_TMA:
    case BSIM_LAYOUT_XOR: {
        struct bsim_extent extent = bsim_extent_of(subject->array, subject->n_elements);
        return bsim_extent_with(subject->array, layout, &extent).whole + layout->behind;
    }
    case BSIM_LAYOUT_ROTATE:
        return rotated_elements(subject, layout);
    }
    return subject->n_elements;
}

void bsim_layout_pad_subject(const struct bsim_subject *subject, const struct bsim_layout *layout,
                             const struct bsim_check_array *padded, struct bsim_subject *more)
{
    *more = *subject;
    more->array = padded;
    more->n_elements = (uint32_t)bsim_layout_elements(subject, layout);
    more->columns = padded->dimension[padded->n_dimensions - 1];
    more->rows = more->n_elements / more->columns;
}

bool bsim_layout_may_part(const struct bsim_subject *subject)
{
    const struct bsim_check_array *array = subject->array;
    bool is_named = true;
    for (uint32_t i = 0; i < array->n_members; i++) {
        is_named = is_named && array->member[i].name[0] != '\0' &&
                   strcmp(array->member[i].type, "struct") != 0;
    }
    return is_named && array->n_members > 0 && array->n_dimensions > 0 && !array->is_extern &&
           subject->alignment <= array->alignment;
}

static uint32_t tma_period(const struct bsim_layout *layout)
{
    return layout->kind == BSIM_LAYOUT_TMA ? (uint32_t)TMA_PERIOD << layout->bits : 1;
}

/* An array that TMA wrote begins where its pattern does, and need not if another layout takes its place.
 * What is aligned to more than that is so for another reason. */
static bool was_for_tma(const struct bsim_check_array *array, const struct bsim_layout *layout)
{
    return layout->kind != BSIM_LAYOUT_AS_IS && !layout->apart && array->n_layouts > 0 &&
           array->layout[0].kind == BSIM_LAYOUT_TMA &&
           array->alignment == tma_period(&array->layout[0]);
}

uint32_t bsim_layout_alignment(const struct bsim_subject *subject, const struct bsim_layout *layout)
{
    uint32_t least = subject->alignment;
    if (was_for_tma(subject->array, layout)) {
        least = subject->array->element_alignment;
        least = subject->widest > least ? subject->widest : least;
    }
    uint32_t period = tma_period(layout);
    return period > least ? period : least;
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
        size_t i = k < n ? k : k - n;
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
        end = begin + bsim_layout_bytes(array, &layouts[i],
                                        bsim_layout_elements(&subjects[i], &layouts[i]));
    }
    return end;
}
