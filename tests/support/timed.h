/* timed.h - traces in memory through the cycle model. */
#ifndef BSIM_TESTS_TIMED_H
#define BSIM_TESTS_TIMED_H

#include <banksim/result.h>

/* Times the trace text[0..size); options may be NULL. *cycles is the caller's to free. Fails the
 * test, with the message, if anything fails. */
void timed_trace(const char *text, size_t size, const struct bsim_timer_options *options,
                 struct bsim_result *cycles);

/* The same of one kernel with one block of n_warps warps on device (NULL: the default), whose
 * events are `body`. */
void timed_body(const char *device, uint32_t n_warps, const char *body,
                const struct bsim_timer_options *options, struct bsim_result *cycles);

/* Clocks per turn in the long run: `body` in a loop with twice as many turns against once as many,
 * behind the events `before`. work: the loop's own, "2:20", or NULL. */
double timed_turn(const char *device, uint32_t n_warps, const char *before, const char *work,
                  const char *body);

#endif
