/* request.h - what a warp request asks of the data pipe; see request.c. */
#ifndef BSIM_TIMING_REQUEST_H
#define BSIM_TIMING_REQUEST_H

#include <banksim/result.h>

#include "timing/program.h"

/* Requests of lanes in step that a kernel had before, as ops. Zeroed, it is empty. */
enum { BSIM_KNOWN_LOG2 = 8 };
struct bsim_known_request {
    int64_t stride;
    uint32_t mask;
    uint32_t site; /* its place in the kernel's list, plus 1; 0: there is none here */
    struct bsim_op op;
};
struct bsim_known_requests {
    struct bsim_known_request entry[1 << BSIM_KNOWN_LOG2];
};

/* A request of the site at that place in the kernel's list to shared memory, as an op of the
 * machine; its site is left 0. Returns the model rules that took part (see struct bsim_counts),
 * none if a request before had the same. */
uint32_t bsim_timing_request(const struct bsim_device *device, const struct bsim_timing *timing,
                             struct bsim_known_requests *known, size_t site,
                             const struct bsim_event *event, struct bsim_op *op);

/* An access to another space. */
struct bsim_op bsim_timing_access(const struct bsim_timing *timing, const struct bsim_event *event);

/* The event's `wait`, as an op has it. */
static inline uint16_t bsim_timing_wait(const struct bsim_event *event)
{
    int32_t wait = event->wait;
    return (uint16_t)(wait < 0 || wait > BSIM_NO_WAIT ? BSIM_NO_WAIT : wait);
}

#endif
