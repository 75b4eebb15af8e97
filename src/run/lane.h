/* lane.h - a simulator and, if cycles are wanted, a timer, which one thread feeds. */
#ifndef BSIM_RUN_LANE_H
#define BSIM_RUN_LANE_H

#include <banksim/run.h>

#include "event/batch.h"
#include "sim/sim.h"
#include "timing/timer.h"

struct bsim_lane {
    struct bsim_sim *sim;
    struct bsim_timer *timer; /* NULL: cycles are not wanted */
    struct bsim_sink sim_sink, timer_sink;
    struct bsim_check *arrays; /* that the running kernel declares, or NULL */
};

/* The simulator is made as `wanted` says but for its device, which is the run's, as the timer's is.
 * Fails with BSIM_E_MEMORY; bsim_lane_close is due in any case. */
enum bsim_status bsim_lane_open(struct bsim_lane *lane, const struct bsim_run_options *options,
                                const struct bsim_sim_options *wanted, struct bsim_error *err);
void bsim_lane_close(struct bsim_lane *lane);

/* A kernel begins. Fails with BSIM_E_INPUT if what it says of its arrays cannot be read: reports go by
 * that. */
enum bsim_status bsim_lane_begin(struct bsim_lane *lane, const struct bsim_kernel *kernel,
                                 struct bsim_error *err);

static inline enum bsim_status bsim_lane_push(struct bsim_lane *lane,
                                              const struct bsim_record *record,
                                              struct bsim_error *err)
{
    enum bsim_status status =
        record->kind == BSIM_RECORD_KERNEL ? bsim_lane_begin(lane, record->u.kernel, err) : BSIM_OK;
    if (status == BSIM_OK) {
        status = lane->sim_sink.push(lane->sim_sink.context, record, err);
    }
    return status == BSIM_OK && lane->timer != NULL
               ? lane->timer_sink.push(lane->timer_sink.context, record, err)
               : status;
}

/* The simulator sees the whole batch before the timer does; an error of either has its line. */
static inline enum bsim_status bsim_lane_push_batch(struct bsim_lane *lane,
                                                    struct bsim_batch *batch,
                                                    struct bsim_error *err)
{
    struct bsim_batch again = *batch;
    enum bsim_status status = bsim_sink_push_batch(&lane->sim_sink, batch, err);
    if (status == BSIM_OK && lane->timer != NULL) {
        *batch = again;
        status = bsim_sink_push_batch(&lane->timer_sink, batch, err);
    }
    return status;
}

/* Moves the kernels that have ended into the empty *result, which the caller frees; with `all`,
 * those of the whole stream and all that is not of a kernel. */
enum bsim_status bsim_lane_result(struct bsim_lane *lane, bool all, struct bsim_result *result,
                                  struct bsim_error *err);

#endif
