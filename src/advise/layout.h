/* layout.h - how large layouts make the arrays, and where these lie in the window. */
#ifndef BSIM_ADVISE_LAYOUT_H
#define BSIM_ADVISE_LAYOUT_H

#include "layout/place.h"

#include <banksim/advise.h>

/* An array, with what its accesses ask of it. */
struct bsim_subject {
    const struct bsim_check_array *array;
    uint32_t n_elements; /* of an extern array: as far as it is accessed */
    uint32_t widest;     /* bytes of the widest access; 0: none */
    uint32_t alignment;
    uint32_t columns;  /* elements in the last dimension; of a one-dimensional array all of them */
    uint32_t rows;     /* n_elements / columns, rounded up */
    bool has_rows;     /* two or more dimensions */
    uint32_t narrower; /* these columns are fewer than declared; 0: they are not (narrow.c) */
    bool is_flat;      /* some access counts through them by itself (written.c) */
};

/* Whether layouts are looked for: some access goes to it, and neither TMA nor wgmma, which have theirs; and
 * it is one variable, not several that an access takes as they lie. */
static inline bool bsim_subject_may_change(const struct bsim_subject *subject)
{
    return subject->widest > 0 && !subject->array->is_tile && !subject->array->is_joined;
}

bool bsim_layout_is_same(const struct bsim_layout *a, const struct bsim_layout *b);

/* Makes a layout of the subject's array one of the array as it is declared. */
void bsim_layout_of_declared(const struct bsim_subject *subject, struct bsim_layout *layout);

/* A padding of one level as such; one of whole rows, or parts of them, as the declaration's, which takes the
 * bytes of that. */
struct bsim_layout bsim_layout_simplified(const struct bsim_subject *subject,
                                          const struct bsim_layout *pads);

/* Elements of the array in that layout, with the padding behind the last; its alignment. */
uint64_t bsim_layout_elements(const struct bsim_subject *declared,
                              const struct bsim_layout *layout);
uint32_t bsim_layout_alignment(const struct bsim_subject *subject,
                               const struct bsim_layout *layout);

/* Puts the arrays one behind the other as CUDA does, the extern one last, base[i] being the first
 * byte of array i, and returns where the last ends. declares (or NULL) gets by array whether its
 * declaration has to change: for its layout, or because it would begin elsewhere without an
 * __align__. */
uint64_t bsim_layout_place(const struct bsim_subject *subjects, size_t n,
                           const struct bsim_layout *layouts, uint32_t *base, bool *declares);

/* Dimension i of the array as it is to be declared for a layout; of an extern array's first, 0. */
uint32_t bsim_layout_dimension(const struct bsim_check_array *declared,
                               const struct bsim_layout *layout, uint32_t n_elements, uint32_t i);

/* The array with the dimensions of its paddings, and what is asked of it. */
void bsim_layout_pad_array(const struct bsim_check_array *array, const struct bsim_layout *layout,
                           struct bsim_check_array *padded);
void bsim_layout_pad_subject(const struct bsim_subject *subject, const struct bsim_layout *layout,
                             const struct bsim_check_array *padded, struct bsim_subject *more);

/* Whether members of the array's elements can be declared as arrays of their own, beginning where its
 * accesses need it. */
bool bsim_layout_may_part(const struct bsim_subject *subject);

/* Whether each dimension has bits of the element's index to itself; and those that dimension i has:
 * how many, and the first (of the first dimension of an extern array, all that are left). */
bool bsim_layout_has_fields(const struct bsim_check_array *array);
uint32_t bsim_layout_field(const struct bsim_check_array *array, uint32_t i, uint32_t *first);

/* Binary operators of an index as it is spelled. */
uint32_t bsim_layout_operators(const struct bsim_buffer *index);

#endif
