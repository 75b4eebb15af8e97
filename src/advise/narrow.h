/* narrow.h - arrays without the columns that no access comes to; see narrow.c. */
#ifndef BSIM_ADVISE_NARROW_H
#define BSIM_ADVISE_NARROW_H

#include "advise/layout.h"
#include "advise/pattern.h"

/* By array. */
struct bsim_narrowing {
    size_t n_arrays;
    struct bsim_subject *declared;
    struct bsim_check_array *array; /* with fewer columns */
    struct bsim_layout *pad;        /* that these have as it is declared */
    bool is_narrower;               /* some array */
};

/* Has subjects and patterns count the elements of narrower arrays, where columns can be left out,
 * until the end. False when memory is short; end it all the same. */
bool bsim_narrow_begin(struct bsim_narrowing *narrowing, struct bsim_patterns *patterns,
                       struct bsim_subject *subjects, size_t n_arrays);
void bsim_narrow_end(struct bsim_narrowing *narrowing, struct bsim_patterns *patterns,
                     struct bsim_subject *subjects);

#endif
