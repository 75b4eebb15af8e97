/* clock.h - times of the machine, in clocks. */
#ifndef BSIM_TIMING_CLOCK_H
#define BSIM_TIMING_CLOCK_H

#include <stdint.h>

#define BSIM_NEVER UINT64_MAX

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif
