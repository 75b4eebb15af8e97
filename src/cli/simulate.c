/* simulate.c - sources through the simulator into a report. */
#define _POSIX_C_SOURCE 200809L

#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FLUSH_BYTES = 1 << 16,
    MAX_FAILURES_SHOWN = 20,
};

/* One `run`: what the simulator's callbacks need. */
struct job {
    const struct options *options;
    struct output output;
    struct bsim_buffer buffer;
    struct bsim_result result; /* of the sources so far */
    struct bsim_cycles cycles; /* as well, if they are wanted */
    uint64_t rows;
    struct bsim_survey *survey; /* for a page; else NULL */
    const char *source_name;
    uint64_t failures;
    struct progress progress;
    struct bsim_sink simulator;
    struct bsim_sink timer;       /* push NULL: cycles are not wanted */
    struct bsim_sink hazard_sink; /* push NULL: hazards are not looked for */
    uint64_t n_hazards;
};

bool bsim_cli_colours(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return (no_colour == NULL || no_colour[0] == '\0') && isatty(fileno(stream)) == 1 &&
           terminal != NULL && strcmp(terminal, "dumb") != 0;
}

/* What a source pushes goes to the simulator and, if wanted, to the timer and the search for
 * hazards. */
static enum bsim_status push_to_all(void *context, const struct bsim_record *record,
                                    struct bsim_error *err)
{
    struct job *job = context;
    if (record->kind == BSIM_RECORD_EVENT) {
        bsim_cli_progress_event(&job->progress);
    }
    enum bsim_status status = job->simulator.push(job->simulator.context, record, err);
    if (status == BSIM_OK && job->timer.push != NULL) {
        status = job->timer.push(job->timer.context, record, err);
    }
    if (status == BSIM_OK && job->hazard_sink.push != NULL) {
        if (record->kind == BSIM_RECORD_KERNEL || record->kind == BSIM_RECORD_END) {
            bsim_cli_progress_clear(&job->progress); /* the findings of the kernel before are printed now */
        }
        status = job->hazard_sink.push(job->hazard_sink.context, record, err);
    }
    return status;
}

/* ---- the simulator's callbacks --------------------------------------------------------------- */

static enum bsim_status on_request(void *context, const struct bsim_request_result *request,
                                   struct bsim_error *err)
{
    struct job *job = context;
    bsim_report_request(request, job->rows++, &job->options->report, &job->buffer);
    return job->buffer.size_bytes < FLUSH_BYTES
               ? BSIM_OK
               : bsim_cli_output_write(&job->output, &job->buffer, err);
}

static enum bsim_status on_surveyed(void *context, const struct bsim_request_result *request,
                                    struct bsim_error *err)
{
    struct job *job = context;
    size_t kernel = job->result.n_kernels + request->kernel_index;
    return bsim_survey_add(job->survey, kernel, request, err);
}

static void on_expectation(void *context, const struct bsim_expectation *failed)
{
    struct job *job = context;
    if (++job->failures > MAX_FAILURES_SHOWN) {
        return;
    }
    bsim_cli_progress_clear(&job->progress);
    (void)fprintf(stderr, "%s:%" PRIu64 ": %s=%" PRIu32 " does not hold: it is %" PRIu32 "\n",
                  job->source_name, failed->line, failed->key, failed->expected, failed->actual);
}

/* ---- a run ----------------------------------------------------------------------------------- */

static bool per_request(const struct job *job)
{
    return job->options->report.per == BSIM_PER_REQUEST &&
           job->options->report.metrics == BSIM_METRICS_BANKSIM;
}

/* Pushes the source, to the search for hazards too if that is wanted. */
static enum bsim_status push_and_search(struct job *job, const struct source *source,
                                        struct bsim_error *err)
{
    struct bsim_sink sink = {push_to_all, job};
    struct hazard_search search;
    enum bsim_status status = BSIM_OK;
    job->hazard_sink = (struct bsim_sink){NULL, NULL};
    if (job->options->hazards) {
        status = bsim_cli_hazards_begin(&search, source->name, &job->hazard_sink, err);
    }
    if (status == BSIM_OK) {
        status = source->push(source->context, &sink, err);
    }
    bsim_cli_progress_clear(&job->progress);
    if (job->hazard_sink.push != NULL) {
        job->n_hazards += bsim_cli_hazards_end(&search, status == BSIM_OK);
    }
    return status;
}

static bool wants_cycles(const struct job *job)
{
    const struct options *options = job->options;
    return options->cycles != CYCLES_NEVER && !per_request(job) &&
           options->report.metrics == BSIM_METRICS_BANKSIM;
}

static enum bsim_status take_results(struct job *job, struct bsim_sim *sim,
                                     struct bsim_timer *timer, struct bsim_error *err)
{
    struct bsim_result part = {0};
    struct bsim_cycles cycles = {0};
    enum bsim_status status = bsim_sim_result(sim, &part, err);
    if (status == BSIM_OK) {
        status = bsim_result_append(&job->result, &part, err);
    }
    if (status == BSIM_OK && timer != NULL) {
        status = bsim_timer_result(timer, &cycles, err);
    }
    if (status == BSIM_OK && timer != NULL) {
        status = bsim_cycles_append(&job->cycles, &cycles, err);
    }
    bsim_result_free(&part);
    bsim_cycles_free(&cycles);
    return status;
}

/* timer NULL: cycles are not wanted. */
static enum bsim_status push_source(struct job *job, const struct source *source,
                                    struct bsim_sim *sim, struct bsim_timer *timer,
                                    struct bsim_error *err)
{
    job->simulator = bsim_sim_sink(sim);
    job->timer = timer != NULL ? bsim_timer_sink(timer) : (struct bsim_sink){NULL, NULL};
    job->source_name = source->name;
    bsim_cli_progress_start(&job->progress, source->name, source->file);
    enum bsim_status status = push_and_search(job, source, err);
    return status == BSIM_OK ? take_results(job, sim, timer, err) : status;
}

static struct bsim_sim *new_sim(struct job *job, const struct bsim_device *device)
{
    struct bsim_sim_options options = {
        .device = device,
        .device_options = job->options->device_options,
        .context = job,
        .on_request = job->survey != NULL ? on_surveyed
                      : per_request(job)  ? on_request
                                          : NULL,
        .on_expectation = on_expectation,
    };
    return bsim_sim_new(&options);
}

static struct bsim_timer *new_timer(const struct job *job, const struct bsim_device *device)
{
    struct bsim_timer_options options = {
        .device = device,
        .device_options = job->options->device_options,
        .max_events = job->options->cycles == CYCLES_ALWAYS ? 0 : BSIM_TIMER_EVENTS,
        .registers = job->options->registers,
        .ideal = true,
        .ideal_sites = job->options->report.per == BSIM_PER_SITE || job->survey != NULL,
    };
    return bsim_timer_new(&options);
}

static enum bsim_status simulate_source(struct job *job, const struct source *source,
                                        const struct bsim_device *device, struct bsim_error *err)
{
    struct bsim_sim *sim = new_sim(job, device);
    struct bsim_timer *timer = wants_cycles(job) ? new_timer(job, device) : NULL;
    enum bsim_status status;
    if (sim == NULL || (timer == NULL && wants_cycles(job))) {
        status = bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    } else {
        status = push_source(job, source, sim, timer, err);
    }
    bsim_timer_free(timer);
    bsim_sim_free(sim);
    return status;
}

static enum bsim_status simulate_all(struct job *job, const struct source *sources,
                                     size_t n_sources, struct bsim_error *err)
{
    struct bsim_device device;
    const struct bsim_device *chosen;
    enum bsim_status status = bsim_cli_device(job->options, &device, &chosen, err);
    if (status == BSIM_OK && per_request(job)) {
        bsim_report_requests_begin(&job->options->report, &job->buffer);
    }
    for (size_t i = 0; i < n_sources && status == BSIM_OK; i++) {
        status = simulate_source(job, &sources[i], chosen, err);
    }
    return status;
}

static enum bsim_status report(struct job *job, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    if (job->survey != NULL) {
        status = bsim_report_page(&job->result, wants_cycles(job) ? &job->cycles : NULL,
                                  job->survey, &job->buffer, err);
    } else if (per_request(job)) {
        bsim_report_requests_end(&job->result, job->rows, &job->options->report, &job->buffer);
    } else {
        bsim_report_result(&job->result, wants_cycles(job) ? &job->cycles : NULL,
                           &job->options->report, &job->buffer);
    }
    if (status == BSIM_OK) {
        status = bsim_cli_output_write(&job->output, &job->buffer, err);
    }
    return status == BSIM_OK ? bsim_cli_output_commit(&job->output, err) : status;
}

static int expectations_code(const struct job *job)
{
    if (job->failures > MAX_FAILURES_SHOWN) {
        (void)fprintf(stderr, "... and %" PRIu64 " more\n", job->failures - MAX_FAILURES_SHOWN);
    }
    if (job->failures > 0) {
        (void)fprintf(stderr, "%" PRIu64 " of %" PRIu64 " expectations do not hold\n",
                      job->result.expectations_failed, job->result.expectations);
    }
    return job->failures > 0 || job->n_hazards > 0 ? EXIT_EXPECTATION : EXIT_FINE;
}

int bsim_cli_simulate(const struct options *options, const struct source *sources, size_t n_sources)
{
    struct bsim_error err;
    struct job job = {.options = options,
                      .buffer = BSIM_BUFFER_EMPTY};
    enum bsim_status status =
        bsim_cli_output_open(&job.output, options->output, per_request(&job), &err);
    if (status == BSIM_OK && options->report.format == BSIM_HTML) {
        job.survey = bsim_survey_new(0);
        status =
            job.survey != NULL ? BSIM_OK : bsim_error_set(&err, BSIM_E_MEMORY, "out of memory");
    }
    if (status == BSIM_OK) {
        status = simulate_all(&job, sources, n_sources, &err);
    }
    if (status == BSIM_OK) {
        status = report(&job, &err);
    }
    int code = status == BSIM_OK ? expectations_code(&job) : bsim_cli_fail(&err);
    bsim_cli_output_abort(&job.output);
    bsim_survey_free(job.survey);
    bsim_buffer_free(&job.buffer);
    bsim_result_free(&job.result);
    bsim_cycles_free(&job.cycles);
    return code;
}
