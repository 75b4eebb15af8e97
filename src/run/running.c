/* running.c - what a run tells while it goes on; see running.h. */
#include "run/running.h"

#include "base/memory.h"
#include "result/result.h"

void bsim_running_failed(struct bsim_running *run, const struct bsim_expectation *failed)
{
    const struct bsim_run_options *options = run->options;
    if (options->on_expectation != NULL && run->n_failed++ < BSIM_RUN_EXPECTATIONS) {
        options->on_expectation(options->context, failed);
    }
}

enum bsim_status bsim_running_check(struct bsim_running *run, struct bsim_result *ended,
                                    struct bsim_error *err)
{
    const struct bsim_input *input = run->source->input;
    if (run->kernels_status == BSIM_OK) {
        run->kernels_status = bsim_again_fill(run->launches, ended->kernels, ended->n_kernels,
                                              input != NULL ? input->name : "", &run->repeated,
                                              &run->kernels_error);
    }
    if (run->kernels_status == BSIM_OK && run->shard.of == 0) {
        run->kernels_status = bsim_result_check_constants(ended, &run->kernels_error);
    }
    return run->kernels_status == BSIM_E_MEMORY ? bsim_mem_short(err) : BSIM_OK;
}

enum bsim_status bsim_running_hand_over(struct bsim_running *run, struct bsim_result *ended,
                                        size_t n, struct bsim_error *err)
{
    const struct bsim_run_options *options = run->options;
    struct bsim_result handed = {0};
    enum bsim_status status = bsim_result_take(ended, n, &handed, err);
    if (status == BSIM_OK) {
        status = bsim_running_check(run, &handed, err);
    }
    for (size_t k = 0; k < handed.n_kernels && status == BSIM_OK; k++) {
        status = options->on_kernel(options->context, &handed.kernels[k], err);
        bsim_again_keep(run->launches, &handed.kernels[k]);
    }
    bsim_result_free(&handed);
    return status;
}
