/* lane.c - see lane.h. */
#include "run/lane.h"

#include "base/memory.h"
#include "result/result.h"

enum bsim_status bsim_lane_open(struct bsim_lane *lane, const struct bsim_run_options *options,
                                const struct bsim_sim_options *wanted, struct bsim_error *err)
{
    struct bsim_sim_options sim = *wanted;
    sim.device = options->device;
    sim.device_options = options->device_options;
    lane->sim = bsim_sim_new(&sim);
    if (options->timing != NULL) {
        struct bsim_timer_options timing = *options->timing;
        timing.device = options->device;
        timing.device_options = options->device_options;
        lane->timer = bsim_timer_new(&timing);
    }
    if (lane->sim == NULL || (lane->timer == NULL && options->timing != NULL)) {
        return bsim_mem_short(err);
    }
    lane->sim_sink = bsim_sim_sink(lane->sim);
    if (lane->timer != NULL) {
        lane->timer_sink = bsim_timer_sink(lane->timer);
    }
    return BSIM_OK;
}

enum bsim_status bsim_lane_begin(struct bsim_lane *lane, const struct bsim_kernel *kernel,
                                 struct bsim_error *err)
{
    bsim_check_free(lane->arrays);
    return bsim_check_declared(kernel, &lane->arrays, err);
}

void bsim_lane_close(struct bsim_lane *lane)
{
    bsim_check_free(lane->arrays);
    bsim_timer_free(lane->timer);
    bsim_sim_free(lane->sim);
}

enum bsim_status bsim_lane_result(struct bsim_lane *lane, bool all, struct bsim_result *result,
                                  struct bsim_error *err)
{
    struct bsim_result timed = {0};
    enum bsim_status status =
        all ? bsim_sim_result(lane->sim, result, err) : bsim_sim_finished(lane->sim, result, err);
    if (status == BSIM_OK && lane->timer != NULL) {
        status = all ? bsim_timer_result(lane->timer, &timed, err)
                     : bsim_timer_finished(lane->timer, &timed, err);
        status = status == BSIM_OK ? bsim_result_add_cycles(result, &timed, err) : status;
    }
    bsim_result_free(&timed);
    return status;
}
