/* loop.h - atomics that the compiler makes a loop of. */
#ifndef BSIM_MODEL_LOOP_H
#define BSIM_MODEL_LOOP_H

#include <banksim/model.h>

struct bsim_loop_counts {
    uint32_t loads;     /* wavefronts of the loads */
    uint32_t swaps;     /* wavefronts of the compare-and-swaps */
    uint32_t conflicts; /* of the loads; the profiler counts none of the swaps */
    uint32_t ideal;     /* wavefronts without conflicts: one round, each load in one per group */
    uint32_t bytes_served; /* of the banks' words, each once per wavefront */
};

/* The least that the loop of a request takes on device; its opcode is of BSIM_RULE_LOOP. */
void bsim_loop_count(const struct bsim_device *device, const struct bsim_request *request,
                     struct bsim_loop_counts *counts);

#endif
