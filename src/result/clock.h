/* clock.h - times of the machine, in clocks. */
#ifndef BSIM_RESULT_CLOCK_H
#define BSIM_RESULT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* A clock that does not come: keys are made of clocks, so there is some room above. */
#define BSIM_NEVER (UINT64_MAX >> 8)

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t sooner(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The same of what is below 2^63, as clocks and keys of them are: a signed comparison, after which the choice is one
 * step for a processor, not two. */
static inline uint64_t sooner_clock(uint64_t a, uint64_t b)
{
    return (int64_t)a < (int64_t)b ? a : b;
}

/* The first if `is`, else the second, both of which are there: a conditional move, as gcc has it, for what falls either
 * way at every instruction, so that a processor that guesses is wrong half the time. */
static inline uint64_t choose(bool is, uint64_t yes, uint64_t no)
{
    return is ? yes : no;
}

#endif
