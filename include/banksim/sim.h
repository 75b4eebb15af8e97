/* sim.h - the simulator: a sink that counts.
 *
 * Memory grows with the number of kernels and sites, not of events. One simulator belongs to one
 * thread.
 */
#ifndef BANKSIM_SIM_H
#define BANKSIM_SIM_H

#include <banksim/result.h>

/* One access event of one warp, with its counts: `counts` in shared memory, `global` where it is
 * counted in sectors, `constant_passes` in constant memory; the others are zero. All of it borrowed until the callback
 * returns. */
struct bsim_request_result {
    size_t kernel_index;
    const struct bsim_kernel *kernel;
    const struct bsim_device *device; /* that it is simulated on */
    struct bsim_dim3 block;
    uint32_t warp;
    uint64_t index; /* of the event among the warp's events in the block, from 0; the events of a
                       repeat's body count once */
    uint64_t trips; /* how often the repeats around it execute it */
    uint64_t line;  /* in the trace; 0 if it has none */
    const struct bsim_event *event;
    struct bsim_counts counts;
    struct bsim_global_counts global;
    uint32_t constant_passes;
};

/* An `expect.` attribute that did not hold. */
struct bsim_expectation {
    const struct bsim_kernel *kernel;
    struct bsim_dim3 block;
    uint32_t warp; /* or BSIM_ALL_WARPS */
    uint64_t line;
    const char *key; /* "expect.wavefronts" or "expect.conflicts" */
    uint32_t expected, actual;
};

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

/* A new simulator, or NULL when memory is short. *options and *options->device are copied. Its
 * sink fails with BSIM_E_INPUT for an unknown device=, an opcode that the device does not execute,
 * a request whose constants lie further apart than BSIM_CONSTANT_BYTES, or sums past 64 bits,
 * BSIM_E_USAGE for device options that the device has not and for records out of order, BSIM_E_MEMORY,
 * and with what on_request answers. After a failure it takes no more. */
struct bsim_sim;
BSIM_API struct bsim_sim *bsim_sim_new(const struct bsim_sim_options *options);
BSIM_API struct bsim_sink bsim_sim_sink(struct bsim_sim *sim);
BSIM_API void bsim_sim_free(struct bsim_sim *sim);

/* Warp instructions of the stream so far: at most BSIM_MAX_EXECUTED. */
BSIM_API uint64_t bsim_sim_executed(const struct bsim_sim *sim);

/* Moves the kernels that have ended out, into *result, which the caller then frees: none, if the stream
 * has not come to another kernel. So memory need not grow with their number; bsim_sim_result has those
 * that are left, and all that is not of a kernel. Fails with BSIM_E_MEMORY; nothing is moved then. */
BSIM_API enum bsim_status bsim_sim_finished(struct bsim_sim *sim, struct bsim_result *result,
                                            struct bsim_error *err) BSIM_MUST_USE;

/* Moves the result out, into *result, which the caller then frees. Fails with BSIM_E_USAGE, and
 * gives nothing, before the stream's END or after a failed push: half a trace has no result. */
BSIM_API enum bsim_status bsim_sim_result(struct bsim_sim *sim, struct bsim_result *result,
                                          struct bsim_error *err) BSIM_MUST_USE;

#endif
