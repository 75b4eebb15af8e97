/* check.c - runs a launch and compares what it left in its output array with what a plain
 * computation expects. Numbers are compared for equality: the emulators' data are chosen so that
 * floating-point results are exact. */
#include "emulators/emulators.h"

enum bsim_status bsim_launch_check(const struct bsim_launch *launch, const unsigned *out,
                                   const unsigned *expected, size_t n, const struct bsim_sink *sink,
                                   struct bsim_error *err)
{
    enum bsim_status status = bsim_launch_run(launch, sink, err);
    for (size_t i = 0; i < n && status == BSIM_OK; i++) {
        if (out[i] != expected[i]) {
            status = bsim_error_set(err, BSIM_E_KERNEL, "%s: out[%zu] is %u, expected %u",
                                    launch->name, i, out[i], expected[i]);
        }
    }
    return status;
}

enum bsim_status bsim_launch_check_floats(const struct bsim_launch *launch, const float *out,
                                          const float *expected, size_t n,
                                          const struct bsim_sink *sink, struct bsim_error *err)
{
    enum bsim_status status = bsim_launch_run(launch, sink, err);
    for (size_t i = 0; i < n && status == BSIM_OK; i++) {
        if (out[i] != expected[i]) {
            status = bsim_error_set(err, BSIM_E_KERNEL, "%s: out[%zu] is %g, expected %g",
                                    launch->name, i, (double)out[i], (double)expected[i]);
        }
    }
    return status;
}
