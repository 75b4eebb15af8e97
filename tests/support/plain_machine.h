/* plain_machine.h - the SM of src/timing played clock by clock and wavefront by wavefront; see
 * plain_machine.c. */
#ifndef BSIM_TESTS_PLAIN_MACHINE_H
#define BSIM_TESTS_PLAIN_MACHINE_H

#include "timing/program.h"

#include <banksim/result.h>

struct plain_times {
    uint64_t cycles;      /* of the block, with its edges */
    uint64_t warp_clocks; /* sum over the warps of when each ended */
};

/* Plays the program; ideal: without conflicts. The program has at most PLAIN_RESULTS results per
 * warp, loops' turns multiplied out. */
enum { PLAIN_RESULTS = 4096 };
void plain_machine_run(const struct bsim_timing *timing, const struct bsim_program *program,
                       bool ideal, struct plain_times *times);

#endif
