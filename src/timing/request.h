/* request.h - what a warp request asks of the data pipe; see request.c. */
#ifndef BSIM_TIMING_REQUEST_H
#define BSIM_TIMING_REQUEST_H

#include <banksim/timing.h>

#include "timing/program.h"

/* The access of event, to any space, as an op of the machine; its site is left 0. *rules gets the
 * model rules that took part (see struct bsim_counts). */
struct bsim_op bsim_timing_request(const struct bsim_device *device,
                                   const struct bsim_timing *timing, const struct bsim_event *event,
                                   uint32_t *rules);

#endif
