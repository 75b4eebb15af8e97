/* simulate.c - sources through the simulator into a report. */
#include "cli/cli.h"

#include "base/memory.h"

#include <inttypes.h>

enum { FLUSH_BYTES = 1 << 16 };

/* One `run`. */
struct job {
    const struct options *options;
    struct bsim_device device; /* if the options name one */
    struct bsim_timer_options timing;
    struct bsim_run_options run;
    struct output output;
    struct bsim_buffer buffer;
    struct bsim_part part; /* of a shard; else its result alone, of the sources so far */
    struct bsim_request_rows rows;
    struct bsim_report *report; /* gets kernels as they end, which are gone then; or NULL */
    struct bsim_rests rests;    /* of the kernels that the report has got */
    struct bsim_survey *survey; /* for a page; else NULL */
    const char *source_name;
    uint64_t n_kernels;  /* that the report has had */
    uint64_t n_failures; /* expectations that have been printed */
    struct progress progress;
    uint64_t n_hazards;
};

/* ---- callbacks ------------------------------------------------------------------------------- */

static enum bsim_status on_request(void *context, const struct bsim_request_result *request,
                                   struct bsim_error *err)
{
    struct job *job = context;
    bsim_report_request(&job->rows, request, &job->buffer);
    return job->buffer.size_bytes < FLUSH_BYTES
               ? BSIM_OK
               : bsim_cli_output_write(&job->output, &job->buffer, err);
}

static enum bsim_status on_surveyed(void *context, const struct bsim_request_result *request,
                                    struct bsim_error *err)
{
    struct job *job = context;
    size_t kernel = job->part.result.n_kernels + request->kernel_index;
    return bsim_survey_add(job->survey, kernel, request, err);
}

/* Nobody is to see rows of a trace that turns out to be broken: the report keeps them. */
static enum bsim_status on_kernel(void *context, const struct bsim_kernel_result *kernel,
                                  struct bsim_error *err)
{
    struct job *job = context;
    job->n_kernels++;
    bsim_rests_add(&job->rests, kernel);
    return bsim_report_kernel(job->report, kernel, err);
}

static void on_expectation(void *context, const struct bsim_expectation *failed)
{
    struct job *job = context;
    if (job->n_failures++ < BSIM_RUN_EXPECTATIONS) {
        bsim_cli_progress_clear(&job->progress);
        bsim_cli_say("%.3000s:%" PRIu64 ": %s=%" PRIu32 " does not hold: it is %" PRIu32 "\n",
                     job->source_name, failed->line, failed->key, failed->expected, failed->actual);
    }
}

static void on_progress(void *context, const struct bsim_progress *far)
{
    struct job *job = context;
    struct bsim_progress sampled = *far;
    bool is_sample = job->options->blocks > 0 && job->options->blocks < far->grid;
    sampled.grid = is_sample ? job->options->blocks : far->grid;
    bsim_cli_progress(&job->progress, &sampled);
}

/* ---- a run ----------------------------------------------------------------------------------- */

static bool per_request(const struct options *options)
{
    return options->report.per == BSIM_PER_REQUEST &&
           options->report.metrics == BSIM_METRICS_BANKSIM;
}

bool bsim_cli_wants_cycles(const struct options *options)
{
    return options->cycles != CYCLES_NEVER && !per_request(options) &&
           options->report.metrics == BSIM_METRICS_BANKSIM;
}

bool bsim_cli_wants_work(const struct options *options)
{
    return bsim_cli_wants_trace(options) || bsim_cli_wants_cycles(options);
}

static struct bsim_timer_options timing_of(const struct options *options)
{
    bool always = options->cycles == CYCLES_ALWAYS;
    return (struct bsim_timer_options){
        .max_events = always ? 0 : BSIM_TIMER_EVENTS,
        .max_steps = always ? 0 : BSIM_TIMER_STEPS,
        .registers = options->registers,
        .ideal = true,
        .ideal_sites = options->report.per == BSIM_PER_SITE ||
                       bsim_cli_shows(options, BSIM_PAGES | BSIM_SENTENCES) ||
                       options->n_shards > 0,
    };
}

static enum bsim_status prepare(struct job *job, struct bsim_error *err)
{
    const struct options *options = job->options;
    bool in_parts = options->n_shards == 0 && options->report.per != BSIM_PER_REQUEST &&
                    options->report.metrics == BSIM_METRICS_BANKSIM &&
                    bsim_cli_shows(options, BSIM_TABLES);
    bool is_page = bsim_cli_shows(options, BSIM_PAGES);
    job->survey = is_page ? bsim_survey_new(0) : NULL;
    job->report = in_parts ? bsim_report_new(&options->report) : NULL;
    if ((is_page && job->survey == NULL) || (in_parts && job->report == NULL)) {
        return bsim_mem_short(err);
    }
    job->timing = timing_of(options);
    job->part.shard = options->shard;
    job->part.n_shards = options->n_shards;
    job->run = (struct bsim_run_options){
        .device_options = options->device_options,
        .timing = bsim_cli_wants_cycles(options) ? &job->timing : NULL,
        .jobs = options->jobs,
        .keeps_ended = options->remarks != NULL && options->remarks->has_failed != NULL,
        .context = job,
        .on_request = is_page                ? on_surveyed
                      : per_request(options) ? on_request
                                             : NULL,
        .on_expectation = on_expectation,
        .on_kernel = in_parts ? on_kernel : NULL,
        .on_progress = on_progress,
    };
    return bsim_cli_device(options, &job->device, &job->run.device, err);
}

static enum bsim_status run_source(struct job *job, const struct bsim_source *source,
                                   struct bsim_error *err)
{
    return job->part.n_shards > 0 ? bsim_run_shard(source, &job->run, &job->part, err)
                                  : bsim_run(source, &job->run, &job->part.result, err);
}

/* With the search for hazards beside, if that is wanted. file: what is read, or NULL. */
static enum bsim_status simulate_source(struct job *job, const char *name,
                                        const struct bsim_source *source, FILE *file,
                                        struct bsim_error *err)
{
    struct hazard_search search = {.progress = &job->progress};
    struct bsim_sink sink;
    enum bsim_status status = BSIM_OK;
    job->source_name = name;
    bsim_cli_progress_start(&job->progress, name, file);
    if (job->options->hazards) {
        status = bsim_cli_hazards_begin(&search, name, job->run.device, &sink, err);
        job->run.also = status == BSIM_OK ? &sink : NULL;
    }
    if (status == BSIM_OK) {
        status = run_source(job, source, err);
    }
    bsim_cli_progress_clear(&job->progress);
    if (job->run.also != NULL) {
        job->n_hazards +=
            bsim_cli_hazards_end(&search, status == BSIM_OK      ? ""
                                          : job->run.keeps_ended ? " up to where it failed"
                                                                 : NULL);
    }
    return status;
}

static enum bsim_status simulate_trace(struct job *job, char *path, struct bsim_error *err)
{
    FILE *file = NULL;
    enum bsim_status status = bsim_cli_open(path, &file, err);
    if (status == BSIM_OK) {
        struct bsim_input input = bsim_cli_input(file, path);
        struct bsim_source source = {.input = &input};
        status = simulate_source(job, path, &source, file, err);
        bsim_cli_close(file);
    }
    return status;
}

/* The source; NULL: the traces of the command line. */
static enum bsim_status simulate_all(struct job *job, const char *name,
                                     const struct bsim_source *source, struct bsim_error *err)
{
    char *path;
    if (source != NULL) {
        return simulate_source(job, name, source, NULL, err);
    }
    enum bsim_status status = BSIM_OK;
    for (int i = 0; (path = bsim_cli_trace_at(job->options, i)) != NULL && status == BSIM_OK; i++) {
        status = simulate_trace(job, path, err);
    }
    return status;
}

static enum bsim_status write_report(struct job *job, struct bsim_error *err)
{
    enum bsim_status status = bsim_report_next(job->report, &job->buffer, err);
    while (status == BSIM_OK && job->buffer.size_bytes > 0) {
        status = bsim_cli_output_write(&job->output, &job->buffer, err);
        if (status == BSIM_OK) {
            status = bsim_report_next(job->report, &job->buffer, err);
        }
    }
    return status;
}

static bool is_text(const struct options *options)
{
    return options->report.format == BSIM_TEXT && options->n_shards == 0;
}

void bsim_cli_say_rests(const struct options *options, const struct bsim_result *result,
                        struct bsim_rests *rests)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    for (size_t k = 0; k < result->n_kernels; k++) {
        bsim_rests_add(rests, &result->kernels[k]);
    }
    bsim_rests_tell(rests, &text);
    bsim_buffer_add(&text, "", 1);
    if (options->report.format == BSIM_CSV && options->n_shards == 0 && !text.failed) {
        bsim_cli_say_lines(text.data);
    }
    bsim_buffer_free(&text);
    bsim_rests_free(rests);
}

/* What belongs below the counts stands there if a person reads them, else on stderr. */
static void add_remarks(struct job *job)
{
    const struct remarks *remarks = job->options->remarks;
    struct bsim_buffer own = BSIM_BUFFER_EMPTY;
    if (remarks != NULL) {
        remarks->add(remarks->context, is_text(job->options) ? &job->buffer : &own);
    }
    bsim_buffer_add(&own, "", 1);
    bsim_cli_say_lines(own.failed ? "" : own.data);
    bsim_buffer_free(&own);
}

static enum bsim_status report(struct job *job, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    if (job->report != NULL) {
        status = write_report(job, err);
    } else if (job->part.n_shards > 0) {
        bsim_part_write(&job->part, &job->buffer);
    } else if (job->survey != NULL) {
        status = bsim_report_page(&job->part.result, job->survey, &job->buffer, err);
    } else if (per_request(job->options)) {
        bsim_report_requests_end(&job->rows, &job->part.result, &job->buffer);
    } else {
        bsim_report_result(&job->part.result, &job->options->report, &job->buffer);
    }
    if (status == BSIM_OK) {
        add_remarks(job);
        status = bsim_cli_output_write(&job->output, &job->buffer, err);
    }
    bsim_cli_say_rests(job->options, &job->part.result, &job->rests);
    return status == BSIM_OK ? bsim_cli_output_commit(&job->output, err) : status;
}

static int expectations_code(const struct job *job)
{
    const struct bsim_result *result = &job->part.result;
    uint64_t n = result->expectations_failed;
    if (n > BSIM_RUN_EXPECTATIONS) {
        bsim_cli_say("... and %" PRIu64 " more\n", n - BSIM_RUN_EXPECTATIONS);
    }
    if (n > 0) {
        bsim_cli_say("%" PRIu64 " of %" PRIu64 " expectations do not hold\n", n,
                     result->expectations);
    }
    if (job->part.n_shards > 0) {
        return EXIT_FINE; /* the part tells them */
    }
    return n > 0 || job->n_hazards > 0 ? EXIT_EXPECTATION : EXIT_FINE;
}

/* Whether what there is of a source that failed is reported: n_kernels of it. There are none of
 * those whose requests are told one by one, as they are those of the kernel that has not ended, too, and
 * of a part, which is one of the whole. */
static bool is_kept(struct job *job, const struct bsim_error *err)
{
    const struct remarks *remarks = job->options->remarks;
    bool is_all = per_request(job->options) || job->part.n_shards > 0;
    job->n_kernels += is_all ? 0 : job->part.result.n_kernels;
    return job->run.keeps_ended && remarks->has_failed(remarks->context, job->n_kernels, err);
}

int bsim_cli_simulate(const struct options *options, const char *name,
                      const struct bsim_source *source)
{
    struct bsim_error err;
    struct job job = {
        .options = options, .buffer = BSIM_BUFFER_EMPTY, .rows = {.options = options->report}};
    enum bsim_status status =
        bsim_cli_output_open(&job.output, options->output, per_request(options), &err);
    if (status == BSIM_OK) {
        status = prepare(&job, &err);
    }
    if (status == BSIM_OK) {
        status = simulate_all(&job, name, source, &err);
    }
    bool is_part = status != BSIM_OK && is_kept(&job, &err);
    if (status == BSIM_OK || (is_part && job.n_kernels > 0)) {
        status = report(&job, &err);
    } else if (is_part) {
        status = BSIM_OK;
    }
    int code = status != BSIM_OK ? bsim_cli_fail(&err)
               : is_part         ? EXIT_INPUT
                                 : expectations_code(&job);
    bsim_cli_output_abort(&job.output);
    bsim_report_free(job.report);
    bsim_survey_free(job.survey);
    bsim_rests_free(&job.rests);
    bsim_buffer_free(&job.buffer);
    bsim_result_free(&job.part.result);
    return code;
}

int bsim_cli_simulate_traces(const struct options *options)
{
    return bsim_cli_simulate(options, NULL, NULL);
}
