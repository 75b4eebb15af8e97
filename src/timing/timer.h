/* timer.h - the timer: a sink of the event stream that plays each block; see banksim/timing.h. One
 * timer belongs to one thread. */
#ifndef BSIM_TIMING_TIMER_H
#define BSIM_TIMING_TIMER_H

#include <banksim/result.h>

/* A new timer, or NULL when memory is short. *options and what it points to are copied. Its sink
 * fails with BSIM_E_INPUT for an unknown device=, registers= that no block of the kernel fits with, an
 * opcode that the device does not execute and a kernel that takes 2^56 clocks or more, BSIM_E_USAGE for device options that the device has not,
 * constants out of range, registers that no block of a kernel fits with and records out of order,
 * and with BSIM_E_MEMORY. After a failure it takes no more. */
struct bsim_timer;
struct bsim_timer *bsim_timer_new(const struct bsim_timer_options *options);
struct bsim_sink bsim_timer_sink(struct bsim_timer *timer);
void bsim_timer_free(struct bsim_timer *timer);

/* Events of the running kernel so far, counted as in struct bsim_kernel_cycles; 0 without one. */
uint64_t bsim_timer_events(const struct bsim_timer *timer);

/* Gives the running kernel up, as if it had more events than it may: for parts of a kernel that
 * together have more of them, as their merged result will say. */
void bsim_timer_leave_out(struct bsim_timer *timer);

/* Moves the kernels that have ended out, as bsim_sim_finished does. */
enum bsim_status bsim_timer_finished(struct bsim_timer *timer, struct bsim_result *timed,
                                              struct bsim_error *err) BSIM_MUST_USE;

/* Moves the result out, into *timed, which the caller then frees: of its numbers only blocks and
 * cycles are set, and requests to other memory than shared have no site unless the trace says so;
 * bsim_result_add_cycles adds it to what a simulator counted. Fails with BSIM_E_USAGE before the
 * stream's END or after a failed push. */
enum bsim_status bsim_timer_result(struct bsim_timer *timer, struct bsim_result *timed,
                                            struct bsim_error *err) BSIM_MUST_USE;

#endif
