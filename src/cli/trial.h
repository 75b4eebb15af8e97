/* trial.h - a plan of advice tried on the kernel of a file of CUDA C. */
#ifndef BSIM_CLI_TRIAL_H
#define BSIM_CLI_TRIAL_H

#include "cli/cli.h"

/* A kernel's source, and what running it gave. */
struct version {
    struct bsim_buffer text;
    struct bsim_buffer launch; /* with the bytes that its dynamic arrays need; empty: as it was asked */
    uint64_t dynamic_bytes;    /* of that */
    struct call call;
    uint64_t requests;
    uint64_t wavefronts, cycles; /* 0: not known */
    uint64_t elsewhere;          /* of all accesses but those of shared memory, lane by lane */
};

/* The launch that the options name, as it stands. */
struct trial {
    const struct options *options;
    const struct bsim_check_contents *contents;
    const struct bsim_device *device;
    const struct bsim_advice_plan *now;
    struct bsim_buffer kernel; /* its name, without a template's arguments */
    struct version before;
};

/* Runs the launch of CUDA C that the options name, for plans of advice of the check, which was recorded of it. All
 * arguments are borrowed until the end; bsim_cli_trial_end comes in any case. Fails as the launch does. */
enum bsim_status bsim_cli_trial_begin(const struct options *options, const struct bsim_check *check,
                                      const struct bsim_advice *advice, struct trial *trial,
                                      struct bsim_error *err);

/* Writes the plan into the file's text and runs that, in the zeroed *version, which the caller frees in any case. Fails
 * with BSIM_E_MEMORY, and with others for a plan that cannot be written, or with which the kernel computes something else:
 * bsim_cli_trial_why appends why. */
enum bsim_status bsim_cli_trial_of(const struct trial *trial, const struct bsim_advice_plan *plan,
                                   struct version *version, struct bsim_error *err);
void bsim_cli_trial_why(const struct bsim_error *err, struct bsim_buffer *out);

void bsim_cli_trial_end(struct trial *trial);
void bsim_cli_version_free(struct version *version);

#endif
