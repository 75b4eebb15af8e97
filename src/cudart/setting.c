/* setting.c - what a program's environment says of how its launches run, and where their trace goes.
 *
 *     BANKSIM_OUTPUT=k.trace ./program     the binary trace of every launch goes to k.trace
 *     BANKSIM_REMARKS=FILE                 what was found in launches, not to stderr
 *     BANKSIM_WORK=1                       with what stands between accesses, for cycles
 *     BANKSIM_MERGE=none                   accesses as they stand in the PTX
 *     BANKSIM_BLOCKS=N                     N blocks of each launch alone, spread over its grid
 *     BANKSIM_AGAIN=1                      a launch that would do what an earlier one did is not run,
 *                                          and the trace has again= of it
 *     BANKSIM_JOBS=N                       threads that run a launch's blocks
 */
#include "cudart/setting.h"

#include <stdlib.h>
#include <string.h>

/* A number from 1 up; 0 for what is none. */
static uint64_t number(const char *name)
{
    const char *text = getenv(name);
    return text != NULL && text[0] != '-' ? strtoull(text, NULL, 10) : 0;
}

bool bsim_cuda_has_work(void)
{
    return getenv("BANKSIM_WORK") != NULL;
}

bool bsim_cuda_is_bare(void)
{
    const char *merge = getenv("BANKSIM_MERGE");
    return merge != NULL && strcmp(merge, "none") == 0;
}

bool bsim_cuda_repeats(void)
{
    return getenv("BANKSIM_AGAIN") != NULL;
}

uint64_t bsim_cuda_sample(void)
{
    return number("BANKSIM_BLOCKS");
}

uint32_t bsim_cuda_jobs(void)
{
    enum { MOST = 64 };
    uint64_t n = number("BANKSIM_JOBS");
    return n < 1 ? 1 : n > MOST ? MOST : (uint32_t)n;
}
