/* crew.h - several threads read one trace. */
#ifndef BSIM_RUN_CREW_H
#define BSIM_RUN_CREW_H

#include "run/running.h"

/* Reads the run's trace, or its shard, with options->jobs threads at most, into *sum, which
 * is empty and the caller's to free: kernels that have not been handed over. */
enum bsim_status bsim_crew_read(struct bsim_running *run, struct bsim_result *sum,
                                struct bsim_error *err);

#endif
