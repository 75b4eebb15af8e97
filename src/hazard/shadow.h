/* shadow.h - which bytes of one interval do warps race on, or which of a stretch of a warp's
 * program its lanes? */
#ifndef BSIM_HAZARD_SHADOW_H
#define BSIM_HAZARD_SHADOW_H

#include "base/table.h"

struct bsim_shadow_page;

/* Zeroes: empty. */
struct bsim_shadow {
    struct bsim_shadow_page *pages;
    struct bsim_table table; /* of their numbers */
    size_t last;             /* page of the last look-up */
    uint64_t interval;
    bool racy; /* some byte of the interval */
};

/* Forgets what was touched: a new interval. */
void bsim_shadow_start(struct bsim_shadow *shadow);

/* `who`, a warp or a lane, accesses n_bytes bytes of a space (enum bsim_space) from address on.
 * False when memory is short. */
bool bsim_shadow_touch(struct bsim_shadow *shadow, uint32_t who, bool writes, uint32_t space,
                       uint64_t address, uint32_t n_bytes);

/* Did two touch the byte in this interval, one of them with a write? */
bool bsim_shadow_is_racy(struct bsim_shadow *shadow, uint32_t space, uint64_t address);

void bsim_shadow_free(struct bsim_shadow *shadow);

#endif
