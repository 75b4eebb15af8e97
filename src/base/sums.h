/* sums.h - counters that are added up where nothing else says that they fit. */
#ifndef BSIM_BASE_SUMS_H
#define BSIM_BASE_SUMS_H

#include <stdbool.h>
#include <stdint.h>

/* Adds more to *sum. False: it passes 64 bits, and *sum is of no use. */
static inline bool bsim_sum_add(uint64_t *sum, uint64_t more)
{
    *sum += more;
    return *sum >= more;
}

#endif
