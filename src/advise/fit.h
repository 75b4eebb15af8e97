/* fit.h - the linear layout that fits the accesses of an array; see fit.c. */
#ifndef BSIM_ADVISE_FIT_H
#define BSIM_ADVISE_FIT_H

#include "advise/linear.h"
#include "advise/search.h"

struct bsim_fit {
    bool is_there;       /* a layout that takes fewer wavefronts than the limit, or is shorter */
    bool is_exhausted;   /* no linear layout takes fewer than it, or than the limit */
    uint64_t wavefronts; /* what it takes */
    struct bsim_layout layout;
};

/* Looks for it over the patterns at hand (search->touching), which touch array number `array`; where
 * there is none, for one that takes as many as `best` (or NULL), with as few bytes and operations.
 * pad: of the places in the array after that padding; AS_IS: after none.
 * False when memory is short. */
bool bsim_fit_linear(const struct bsim_search *search, size_t array, const struct bsim_layout *pad,
                     uint64_t limit, const struct bsim_choice *best, struct bsim_fit *fit);

/* The groups of words of the patterns at hand, as they lie in the array as it is, in an empty *linear
 * that the caller ends; none if the array does not consist of units that may be moved, of *unit
 * elements. False when memory is short. */
bool bsim_fit_groups(const struct bsim_search *search, size_t array, struct bsim_linear *linear,
                     uint32_t *unit);

/* The same of elements, *grain bytes each where they are smaller than a word, a word else: `at` counts these.
 * *unit: elements that accesses keep together. */
bool bsim_fit_grains(const struct bsim_search *search, size_t array, struct bsim_linear *linear,
                     uint32_t *unit, uint32_t *grain);

#endif
