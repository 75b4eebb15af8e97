/* shortest.h - of the linear layouts that cost as little, one that takes few operations; see
 * shortest.c. */
#ifndef BSIM_ADVISE_SHORTEST_H
#define BSIM_ADVISE_SHORTEST_H

#include "advise/layout.h"
#include "advise/linear.h"

/* Looks for a layout of the subject's elements, of which 2^base stay together, that costs the groups
 * of `linear`, which was solved, no more than `cost`, needs no more bytes, and has fewer operations
 * than `most`. False when memory is short. */
bool bsim_shortest_find(const struct bsim_linear *linear, const struct bsim_subject *subject,
                        uint32_t base, uint64_t cost, uint32_t most, struct bsim_layout *layout,
                        bool *found);

#endif
