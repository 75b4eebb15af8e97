/* running.c - what a run tells while it goes on; see running.h. */
#include "run/running.h"
#include "result/result.h"

void bsim_running_failed(struct bsim_running *run, const struct bsim_expectation *failed)
{
    const struct bsim_run_options *options = run->options;
    if (options->on_expectation != NULL && run->n_failed++ < BSIM_RUN_EXPECTATIONS) {
        options->on_expectation(options->context, failed);
    }
}

void bsim_running_check(struct bsim_running *run, const struct bsim_result *ended)
{
    if (run->kernels_status == BSIM_OK && run->shard.of == 0) {
        run->kernels_status = bsim_result_check_constants(ended, &run->kernels_error);
    }
}

enum bsim_status bsim_running_hand_over(struct bsim_running *run, struct bsim_result *ended,
                                        size_t n, struct bsim_error *err)
{
    const struct bsim_run_options *options = run->options;
    struct bsim_result handed = {0};
    enum bsim_status status = bsim_result_take(ended, n, &handed, err);
    bsim_running_check(run, &handed);
    for (size_t k = 0; k < handed.n_kernels && status == BSIM_OK; k++) {
        status = options->on_kernel(options->context, &handed.kernels[k], err);
    }
    bsim_result_free(&handed);
    return status;
}
