/* cost.h - the wavefronts of a pattern under given layouts; see cost.c. */
#ifndef BSIM_ADVISE_COST_H
#define BSIM_ADVISE_COST_H

#include "advise/layout.h"
#include "advise/pattern.h"

struct bsim_memo;

struct bsim_cost {
    const struct bsim_device *device;
    const struct bsim_subject *subjects;
    struct bsim_memo *memo; /* N_MEMOS of them */
};

/* Made with a device and subjects; false when memory is short. */
bool bsim_cost_begin(struct bsim_cost *cost);
void bsim_cost_end(struct bsim_cost *cost);

/* Counts one execution of pattern, layouts and base by array; false if an access is torn apart or
 * not aligned. */
bool bsim_cost_count(struct bsim_cost *cost, const struct bsim_pattern *pattern,
                     const struct bsim_layout *layouts, const uint32_t *base,
                     struct bsim_advice_cost *count);

#endif
