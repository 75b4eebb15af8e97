/* running.h - one call of bsim_run, which one thread does (run.c) or several (crew.c). */
#ifndef BSIM_RUN_RUNNING_H
#define BSIM_RUN_RUNNING_H

#include <banksim/run.h>

#include "run/again.h"
#include "trace/pieces.h"

struct bsim_running {
    const struct bsim_source *source;
    const struct bsim_run_options *options;
    struct bsim_shard shard;         /* of 0: all of the source */
    uint64_t content;                /* of a shard's trace */
    uint64_t executed;               /* warp instructions of the sources before */
    uint64_t repeated;               /* those, and of launches that others repeat */
    struct bsim_launches *launches;  /* the last that were handed over; NULL: none are */
    struct bsim_progress progress;
    uint64_t told;                   /* of them, by on_progress */
    uint32_t n_failed;               /* expectations that have been told */
    enum bsim_status kernels_status; /* of those that have ended */
    struct bsim_error kernels_error;
};

enum { BSIM_EVENTS_PER_GLANCE = 1 << 16 }; /* between two calls of on_progress */

static inline void bsim_running_tell(struct bsim_running *run)
{
    run->told = run->progress.events;
    if (run->options->on_progress != NULL) {
        run->options->on_progress(run->options->context, &run->progress);
    }
}

/* n more events. */
static inline void bsim_running_count(struct bsim_running *run, uint64_t n)
{
    run->progress.events += n;
    if (run->progress.events - run->told >= BSIM_EVENTS_PER_GLANCE) {
        bsim_running_tell(run);
    }
}

/* An expectation has failed. */
void bsim_running_failed(struct bsim_running *run, const struct bsim_expectation *failed);

/* Looks at kernels that have ended, all of whose blocks are there, and fills those that repeat
 * others. What is wrong with them comes after all that is wrong with lines, since in which order
 * several threads get to know of the two is chance: it is kept in the run. Of shards, whoever merges
 * them looks. Fails with BSIM_E_MEMORY. */
enum bsim_status bsim_running_check(struct bsim_running *run, struct bsim_result *ended,
                                    struct bsim_error *err);

/* Takes the first n kernels out of *ended, looks at them, hands them to the caller and keeps the
 * last. */
enum bsim_status bsim_running_hand_over(struct bsim_running *run, struct bsim_result *ended,
                                        size_t n, struct bsim_error *err);

#endif
