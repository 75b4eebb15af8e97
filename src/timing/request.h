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

/* Where the request is kept, or could be. Fibonacci hashing (Knuth, volume 3, section 6.4), of two words. */
static inline struct bsim_known_request *bsim_timing_place(struct bsim_known_requests *known, size_t site,
                                                           const struct bsim_event *event)
{
    uint64_t hash = (uint64_t)event->stride * UINT64_C(0xd6e8feb86659fd93);
    hash ^= (uint64_t)site << 32 | event->mask;
    return &known->entry[hash * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BSIM_KNOWN_LOG2)];
}

/* A request of the site at that place in the kernel's list to shared memory, as an op of the
 * machine; its site is left 0. Returns the model rules that took part (see struct bsim_counts),
 * none if a request before had the same. One that is new is kept in the entry, if it can be; wait is its own to set. */
uint32_t bsim_timing_new_request(const struct bsim_device *device, const struct bsim_timing *timing,
                                 struct bsim_known_request *entry, size_t site,
                                 const struct bsim_event *event, struct bsim_op *op);
static inline uint32_t bsim_timing_request(const struct bsim_device *device, const struct bsim_timing *timing,
                                           struct bsim_known_requests *known, size_t site,
                                           const struct bsim_event *event, struct bsim_op *op)
{
    struct bsim_known_request *entry = bsim_timing_place(known, site, event);
    if (event->affine && event->from == NULL && entry->site == site + 1 && entry->mask == event->mask &&
        entry->stride == event->stride) {
        *op = entry->op;
        return 0;
    }
    return bsim_timing_new_request(device, timing, entry, site, event, op);
}

/* An access to another space. */
struct bsim_op bsim_timing_access(const struct bsim_timing *timing, const struct bsim_event *event);

/* The event's `wait`, as an op has it. */
static inline uint16_t bsim_timing_wait(const struct bsim_event *event)
{
    int32_t wait = event->wait;
    return (uint16_t)(wait < 0 || wait > BSIM_NO_WAIT ? BSIM_NO_WAIT : wait);
}

#endif
