/* again.h - launches that do what one before them did: their counts are its; see again.c. */
#ifndef BSIM_RUN_AGAIN_H
#define BSIM_RUN_AGAIN_H

#include <banksim/result.h>

/* The last launches that were handed over and are in no result any more: a ring. */
struct bsim_launches {
    struct bsim_kernel_result kernel[BSIM_AGAIN_MOST];
    uint64_t n; /* ever put in */
};

/* Gives the n kernels, which stand in the trace's order behind those of `before`, the counts of the
 * launches that they repeat; before: NULL, there were none. *executed grows by what that adds. Fails
 * with BSIM_E_INPUT, and its line of the trace of that name, for one that repeats a launch that is not there
 * or is another kernel's, of other sizes or on another device, and for more than BSIM_MAX_EXECUTED warp instructions; with BSIM_E_MEMORY. */
enum bsim_status bsim_again_fill(const struct bsim_launches *before,
                                 struct bsim_kernel_result *kernels, size_t n, const char *name,
                                 uint64_t *executed, struct bsim_error *err) BSIM_MUST_USE;

/* Moves the kernel into the ring, whose oldest it displaces. */
void bsim_again_keep(struct bsim_launches *launches, struct bsim_kernel_result *kernel);

void bsim_again_free(struct bsim_launches *launches);

#endif
