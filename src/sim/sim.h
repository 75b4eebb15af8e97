/* sim.h - the simulator: a sink that counts.
 *
 * Memory grows with the number of kernels and sites, not of events. One simulator belongs to one
 * thread.
 */
#ifndef BSIM_SIM_SIM_H
#define BSIM_SIM_SIM_H

#include <banksim/result.h>

struct bsim_sim_options {
    const struct bsim_device *device; /* NULL: what a kernel's device= names, or the default */
    struct bsim_device_options device_options; /* for such a looked-up device */
    uint64_t
        executed;  /* warp instructions that were before, of streams whose results are put in front
                          of this one's: they count for the limit */
    void *context; /* for the callbacks */
    /* Called for each access event and warp, in the trace's order; may be NULL. Its failure ends
     * the simulation. */
    enum bsim_status (*on_request)(void *context, const struct bsim_request_result *request,
                                   struct bsim_error *err);
    /* Called for each failed expectation; may be NULL. */
    void (*on_expectation)(void *context, const struct bsim_expectation *expectation);
};

/* A new simulator, or NULL when memory is short. *options and *options->device are copied. Its sink
 * fails with BSIM_E_INPUT for an unknown device=, an opcode that the device does not execute, a
 * request whose constants lie further apart than BSIM_CONSTANT_BYTES, or sums past 64 bits,
 * BSIM_E_USAGE for device options that the device has not and for records out of order,
 * BSIM_E_MEMORY, and with what on_request answers. After a failure it takes no more. */
struct bsim_sim;
struct bsim_sim *bsim_sim_new(const struct bsim_sim_options *options);
struct bsim_sink bsim_sim_sink(struct bsim_sim *sim);
void bsim_sim_free(struct bsim_sim *sim);

/* Warp instructions of the stream so far: at most BSIM_MAX_EXECUTED. */
uint64_t bsim_sim_executed(const struct bsim_sim *sim);

/* Moves the kernels that have ended out, into *result, which the caller then frees: none, if the
 * stream has not come to another kernel. So memory need not grow with their number; bsim_sim_result
 * has those that are left, and all that is not of a kernel. Fails with BSIM_E_MEMORY; nothing is
 * moved then. */
enum bsim_status bsim_sim_finished(struct bsim_sim *sim, struct bsim_result *result,
                                            struct bsim_error *err) BSIM_MUST_USE;

/* Moves the result out, into *result, which the caller then frees. Fails with BSIM_E_USAGE, and
 * gives nothing, before the stream's END or after a failed push: half a trace has no result. */
enum bsim_status bsim_sim_result(struct bsim_sim *sim, struct bsim_result *result,
                                          struct bsim_error *err) BSIM_MUST_USE;

#endif
