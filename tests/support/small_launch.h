/* small_launch.h - launches of small kernels, their stream collected, and memory for them. A kernel
 * that is at fault fails the test. */
#ifndef SMALL_LAUNCH_H
#define SMALL_LAUNCH_H

#include "collect.h"

#include <banksim/emulator.h>

/* Memory that every small launch may touch: array 0, global, at 1:0 in the stream, zeroed by
 * small_launch; and array 1, constant, at 2:0. Aligned to 16. */
enum { SMALL_OUT = 1024, SMALL_CONSTANT = 64 };
extern unsigned small_out[SMALL_OUT];
extern unsigned small_constant[SMALL_CONSTANT];

struct bsim_launch small_launch(void (*body)(struct bsim_cta *cta), struct bsim_dim3 grid,
                                struct bsim_dim3 block);

/* Runs it; *collect need not be initialised. */
void small_run(const struct bsim_launch *launch, struct collect *collect);

/* One block of n threads. */
void small_run_threads(void (*body)(struct bsim_cta *cta), uint32_t n, struct collect *collect);

/* Compares the stream with lines as collect.h writes them, and frees it. */
void small_expect_lines(struct collect *collect, const char *const *line, size_t n_lines);

/* Compares small_out from its start; its element i. */
void small_expect_out(const unsigned *expected, size_t n);
void small_expect_value(size_t i, unsigned expected);

#endif
