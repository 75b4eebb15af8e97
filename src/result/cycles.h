/* cycles.h - results of the cycle model: building, merging, freeing; see cycles.c. */
#ifndef BSIM_RESULT_CYCLES_H
#define BSIM_RESULT_CYCLES_H

#include <banksim/result.h>

/* Adds a kernel; the result owns what it points to. NULL when memory is short. */
struct bsim_kernel_cycles *bsim_cycles_add_kernel(struct bsim_cycles *cycles, const char *name);

/* Adds a site. NULL when memory is short. */
struct bsim_site_cycles *bsim_cycles_add_site(struct bsim_kernel_cycles *kernel, uint32_t number,
                                              const struct bsim_opcode *opcode);

/* Whether the kernel's events and work, or the steps it took, are more than it may have. */
bool bsim_cycles_is_too_long(const struct bsim_kernel_cycles *kernel);

/* Gives up the kernel's cycles: it has too many events, or takes too long to play. */
void bsim_cycles_leave_out(struct bsim_kernel_cycles *kernel);

/* Whether the kernel's clocks have not reached BSIM_NEVER: no other sum is more than its 32 warps'
 * clocks together then. */
bool bsim_cycles_fit(const struct bsim_kernel_cycles *kernel);

/* Fails: they have. */
enum bsim_status bsim_cycles_too_many(const struct bsim_kernel_cycles *kernel,
                                      struct bsim_error *err) BSIM_MUST_USE;

void bsim_cycles_free_kernel(struct bsim_kernel_cycles *kernel);

/* Whether both were asked for the same, on the same device. */
bool bsim_cycles_same_question(const struct bsim_kernel_cycles *a,
                               const struct bsim_kernel_cycles *b);

/* Makes sum, which is zeroed, a and b together, of the same launch; a may be zeroed. On failure the
 * caller frees sum all the same. */
enum bsim_status bsim_cycles_join(struct bsim_kernel_cycles *sum,
                                  const struct bsim_kernel_cycles *a,
                                  const struct bsim_kernel_cycles *b,
                                  struct bsim_error *err) BSIM_MUST_USE;

/* Sites into their order. */
void bsim_cycles_sort(struct bsim_kernel_cycles *kernel);

/* Blocks that fit on an SM together, or 0: not even one, for its registers. */
uint32_t bsim_cycles_occupancy(const struct bsim_kernel_cycles *kernel);

/* The estimate for the whole launch, from the sums over the blocks of the trace. */
void bsim_cycles_launch(struct bsim_kernel_cycles *kernel);

#endif
