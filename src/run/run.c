/* run.c - a source through a simulator and a timer into a result. */
#include "run/lane.h"

enum { EVENTS_PER_GLANCE = 1 << 16 }; /* between two calls of on_progress */

struct run {
    const struct bsim_source *source;
    const struct bsim_run_options *options;
    struct bsim_lane lane;
    uint64_t events;                 /* so far */
    uint64_t next_glance;            /* events at the next on_progress */
    enum bsim_status kernels_status; /* of those that have ended */
    struct bsim_error kernels_error;
};

/* ---- kernels that have ended ------------------------------------------------------------------ */

/* What is wrong with whole kernels comes after all that is wrong with lines. */
static void check_kernels(struct run *run, const struct bsim_result *ended)
{
    if (run->kernels_status == BSIM_OK) {
        run->kernels_status = bsim_result_check_constants(ended, &run->kernels_error);
    }
}

/* Hands the kernels to the caller and frees them. */
static enum bsim_status hand_over(struct run *run, struct bsim_result *ended,
                                  struct bsim_error *err)
{
    const struct bsim_run_options *options = run->options;
    struct bsim_result handed = {0};
    enum bsim_status status = bsim_result_take(ended, ended->n_kernels, &handed, err);
    for (size_t k = 0; k < handed.n_kernels && status == BSIM_OK; k++) {
        status = options->on_kernel(options->context, &handed.kernels[k], err);
    }
    bsim_result_free(&handed);
    return status;
}

/* A kernel has begun: the one before has ended. */
static enum bsim_status pass_on_finished(struct run *run, struct bsim_error *err)
{
    struct bsim_result part = {0};
    enum bsim_status status = bsim_lane_result(&run->lane, false, &part, err);
    if (status == BSIM_OK) {
        check_kernels(run, &part);
        status = hand_over(run, &part, err);
    }
    bsim_result_free(&part);
    return status;
}

/* ---- the stream ------------------------------------------------------------------------------- */

static void count_events(struct run *run, uint64_t n)
{
    run->events += n;
    if (run->events >= run->next_glance && run->options->on_progress != NULL) {
        run->next_glance = run->events + EVENTS_PER_GLANCE;
        run->options->on_progress(run->options->context, run->events);
    }
}

static enum bsim_status push(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    struct run *run = context;
    const struct bsim_sink *also = run->options->also;
    if (record->kind == BSIM_RECORD_EVENT) {
        count_events(run, 1);
    }
    enum bsim_status status = bsim_lane_push(&run->lane, record, err);
    if (status == BSIM_OK && record->kind == BSIM_RECORD_KERNEL &&
        run->options->on_kernel != NULL) {
        status = pass_on_finished(run, err);
    }
    return status == BSIM_OK && also != NULL ? also->push(also->context, record, err) : status;
}

static enum bsim_status push_batch(void *context, struct bsim_batch *batch, struct bsim_error *err)
{
    struct run *run = context;
    struct bsim_batch again = *batch;
    count_events(run, batch->n_events);
    enum bsim_status status = bsim_lane_push_batch(&run->lane, batch, err);
    if (status == BSIM_OK && run->options->also != NULL) {
        *batch = again;
        status = bsim_sink_push_batch(run->options->also, batch, err);
    }
    return status;
}

/* ---- a run ------------------------------------------------------------------------------------ */

static enum bsim_status push_source(struct run *run, struct bsim_error *err)
{
    const struct bsim_source *source = run->source;
    struct bsim_sink sink = {.push = push, .context = run, .push_batch = push_batch};
    return source->input != NULL ? bsim_trace_read(source->input, &sink, err)
                                 : source->push(source->context, &sink, err);
}

/* Puts the source's kernels behind those of the sources before it. */
static enum bsim_status append(struct run *run, struct bsim_result *ended,
                               struct bsim_result *result, struct bsim_error *err)
{
    check_kernels(run, ended);
    if (run->kernels_status != BSIM_OK) {
        if (err != NULL) {
            *err = run->kernels_error;
        }
        return run->kernels_status;
    }
    enum bsim_status status =
        run->options->on_kernel != NULL ? hand_over(run, ended, err) : BSIM_OK;
    return status == BSIM_OK ? bsim_result_append(result, ended, err) : status;
}

enum bsim_status bsim_run(const struct bsim_source *source, const struct bsim_run_options *options,
                          struct bsim_result *result, struct bsim_error *err)
{
    struct run run = {.source = source, .options = options, .next_glance = EVENTS_PER_GLANCE};
    struct bsim_sim_options sim = {.executed = result->executed,
                                   .context = options->context,
                                   .on_request = options->on_request,
                                   .on_expectation = options->on_expectation};
    struct bsim_result counted = {0};
    enum bsim_status status = bsim_lane_open(&run.lane, options, &sim, err);
    if (status == BSIM_OK) {
        status = push_source(&run, err);
    }
    if (status == BSIM_OK) {
        status = bsim_lane_result(&run.lane, true, &counted, err);
    }
    if (status == BSIM_OK) {
        status = append(&run, &counted, result, err);
    }
    bsim_result_free(&counted);
    bsim_lane_close(&run.lane);
    return status;
}
