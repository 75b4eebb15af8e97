/* touch.h - the touches of racy bytes: which step accesses which byte by which lane. */
#ifndef BSIM_HAZARD_TOUCH_H
#define BSIM_HAZARD_TOUCH_H

#include "hazard/findings.h"
#include "hazard/shadow.h"
#include "hazard/steps.h"

struct bsim_touch {
    const struct bsim_step *step;
    uint64_t address;
    uint32_t lane;
    uint32_t epoch;    /* of a warp's lanes, see lanes.c; else 0 */
    size_t next_write; /* scratch: place of the next touch of the byte that writes */
};

/* Zeroes: empty. */
struct bsim_touches {
    struct bsim_touch *list;
    size_t n, capacity;
};

/* Drops the touches that no finding needs. */
typedef void bsim_thin_out_fn(struct bsim_touches *touches);

/* Notes in shadow who touches the bytes of step: its lanes, or its warp. False when memory is
 * short. */
bool bsim_touch_note(struct bsim_shadow *shadow, const struct bsim_step *step, bool by_lane);

/* Adds what step touches of the bytes that are racy in shadow. Thins out where there is no room,
 * and grows where that does not free half of it. A warp's steps come in program order, from one
 * queue. False when memory is short. */
bool bsim_touches_add(struct bsim_touches *touches, struct bsim_shadow *shadow,
                      const struct bsim_step *step, uint32_t epoch, bsim_thin_out_fn *thin_out);

/* Orders: of numbers; by space and address; by static access. */
static inline int bsim_touch_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}
int bsim_touch_by_place(const struct bsim_touch *a, const struct bsim_touch *b);
int bsim_touch_by_static(const struct bsim_touch *a, const struct bsim_touch *b);

/* One side of a race. */
struct bsim_race_access bsim_touch_side(const struct bsim_step *step, uint32_t lane);

void bsim_touches_free(struct bsim_touches *touches);

#endif
