/* cycles.h - what the cycle model says of a kernel: what it comes to; see cycles.c. */
#ifndef BSIM_RESULT_CYCLES_H
#define BSIM_RESULT_CYCLES_H

#include <banksim/result.h>

/* Whether the kernel's events and work, or the steps it took, are more than it may have. */
static inline bool bsim_cycles_is_too_long(const struct bsim_kernel_cycles *timed)
{
    return (timed->max_events > 0 &&
            timed->events + timed->work / BSIM_TIMER_WORK > timed->max_events) ||
           (timed->max_steps > 0 && timed->steps > timed->max_steps);
}

/* Gives up the kernel's cycles: it has too many events, or takes too long to play. */
void bsim_cycles_leave_out(struct bsim_kernel_cycles *timed);

/* Whether the kernel's clocks have not reached BSIM_NEVER: no other sum is more than its 32 warps'
 * clocks together then. */
bool bsim_cycles_fit(const struct bsim_kernel_cycles *timed);

/* Fails: they have. */
enum bsim_status bsim_cycles_too_many(const struct bsim_kernel_result *kernel,
                                      struct bsim_error *err) BSIM_MUST_USE;

/* Whether both were asked for the same, of the same launch. */
bool bsim_cycles_same_question(const struct bsim_kernel_result *a,
                               const struct bsim_kernel_result *b);

/* Makes sum a and b together, of the same launch; a may be zeroed. False: its clocks do not fit. */
bool bsim_cycles_join(struct bsim_kernel_cycles *sum, const struct bsim_kernel_cycles *a,
                      const struct bsim_kernel_cycles *b);

/* Adds to a site's cycles what a part of its kernel with the cycles `timed` has of it, or NULL:
 * nothing, and removing the site's conflicts changes nothing there. False: a sum passes 64 bits. */
bool bsim_cycles_add_site(struct bsim_site_cycles *sum, const struct bsim_kernel_cycles *timed,
                          const struct bsim_site_cycles *more);

/* Blocks that fit on an SM together, or 0: not even one, for its registers. */
uint32_t bsim_cycles_occupancy(const struct bsim_kernel_result *kernel);

/* How many blocks of the launch an SM has at a time: as many as fit, or as there are for each. */
uint64_t bsim_cycles_at_once(const struct bsim_kernel_result *kernel);

/* Whether blocks were played side by side that say something of the others: those that take less than an average
 * block all together do not. */
bool bsim_cycles_is_sampled(const struct bsim_kernel_result *kernel);

/* The estimate for the whole launch, from the sums over the blocks of the trace. */
void bsim_cycles_launch(struct bsim_kernel_result *kernel);

#endif
