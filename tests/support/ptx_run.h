/* ptx_run.h - a kernel in PTX run by a launch, with what it told and what it left. */
#ifndef PTX_RUN_H
#define PTX_RUN_H

#include <banksim/ptx.h>

#include "collect.h"

struct ptx_run {
    struct collect collect; /* freed by collect_free */
    uint32_t out[4096];     /* the first array, as far as it goes */
    struct bsim_error err;
    enum bsim_status status;
};

/* Runs the launch of the text, "k.ptx". */
void ptx_run_launch(struct ptx_run *run, const char *text, const char *launch);

/* The same, which must succeed. */
void ptx_expect_run(struct ptx_run *run, const char *text, const char *launch);

/* The same, which must succeed, with what stands between events, as `--cycles` has it. */
void ptx_expect_work(struct ptx_run *run, const char *text, const char *launch);

/* Both, where only how it ends is asked: of what it tells, the last record's kind is kept. */
void ptx_run_briefly(struct ptx_run *run, const char *text, const char *launch);
void ptx_expect_end(struct ptx_run *run, const char *text, const char *launch);

/* Events whose text (collect.h) has that part. */
size_t ptx_count_events(const struct ptx_run *run, const char *part);

#endif
