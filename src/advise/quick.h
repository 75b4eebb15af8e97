/* quick.h - whether a layout takes too many wavefronts, by groups of words alone; see quick.c. */
#ifndef BSIM_ADVISE_QUICK_H
#define BSIM_ADVISE_QUICK_H

#include "layout/place.h"

#include <stddef.h>
#include <stdint.h>

struct bsim_search;
struct bsim_quick_group;

/* The groups of one array, while it is climbed. */
struct bsim_quick {
    size_t n; /* 0: nothing is told */
    size_t array;
    uint32_t unit;       /* elements that stay together */
    uint32_t fixed_bits; /* banks that these have, log2 */
    uint32_t n_banks;
    uint64_t rest; /* the least that the groups take */
    struct bsim_quick_group *group;
    uint16_t *order; /* those that exceed limits come first */
};

/* Begins with the groups of the patterns at hand, of that array alone. False when memory is short; end it
 * all the same. */
bool bsim_quick_begin(const struct bsim_search *search, size_t array, struct bsim_quick *quick);
void bsim_quick_end(struct bsim_quick *quick);

/* Whether the layout takes more than the limit; false also if that cannot be told so. Adds looks at groups
 * to *work. */
bool bsim_quick_exceeds(const struct bsim_quick *quick, const struct bsim_layout *layout,
                        uint64_t limit, uint64_t *work);

#endif
