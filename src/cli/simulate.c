/* simulate.c - sources through the simulator into a report. */
#define _POSIX_C_SOURCE 200809L

#include "cli/cli.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FLUSH_BYTES = 1 << 16,
    TELL_KERNELS = 64,
    MAX_FAILURES_SHOWN = 20,
    MAX_FAILURE_BYTES = 4096,
};

/* One `run`. */
struct job {
    const struct options *options;
    const struct bsim_device *device; /* NULL: what each kernel names */
    struct output output;
    struct bsim_buffer buffer;
    struct bsim_result result;  /* of the sources so far */
    uint64_t rows;              /* requests that have one */
    struct bsim_report *report; /* gets kernels as they end, which are gone then; or NULL */
    struct bsim_survey *survey; /* for a page; else NULL */
    const char *source_name;
    enum bsim_status kernels_status; /* of those that have ended */
    struct bsim_error kernels_error;
    uint64_t failures;
    uint64_t identity; /* of the traces, where they are sharded */
    struct progress progress;
    struct bsim_sink hazard_sink; /* push NULL: hazards are not looked for */
    uint64_t n_hazards;
};

/* What one worker finds in a piece of the trace; told when its turn comes. Each event is counted here:
 * two workers' notes must not share a line of the caches (64 bytes on today's processors, 128 where
 * they are fetched in pairs), or each would wait for the other. */
struct notes {
    uint64_t events;
    uint64_t failures;
    struct bsim_buffer text; /* the first MAX_FAILURES_SHOWN of them */
    char apart[128];
};

/* A simulator and a timer, which one thread feeds: with the whole stream, or with pieces of it. */
struct lane {
    struct job *job;
    struct notes *notes; /* of the piece at hand; NULL: the lane is alone and tells at once */
    struct lanes *all;   /* that it is one of, or NULL */
    uint64_t n_kernels;  /* so far */
    size_t n_collected;  /* of them, in what the lanes have counted together */
    uint64_t told;       /* of the last one's events, to the others */
    struct bsim_sim *sim;
    struct bsim_timer *timer; /* NULL: cycles are not wanted */
    struct bsim_sink sim_sink, timer_sink;
};

/* The lanes of a source that several threads read. A kernel's cycles are given up when all lanes
 * together have seen more of its events than it may have; so the lanes tell each other, or each would
 * time as many. That only saves time: whether cycles are left out is decided when they are merged. */
struct lanes {
    struct job *job;
    pthread_mutex_t mutex;
    uint64_t kernel;           /* the last one that a lane has come to: 1, 2, ... */
    uint64_t events;           /* of it, as far as the lanes have told */
    _Atomic uint64_t given_up; /* the last kernel that has too many */
    struct bsim_result sum;    /* of kernels that have ended in some lane */
    size_t n_told;             /* kernels in front of the sum's: they have ended in all */
    uint32_t n_hired;
    struct lane lane[MAX_JOBS];
    struct notes *notes; /* one for each slot of the crew */
};

bool bsim_cli_colours(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return (no_colour == NULL || no_colour[0] == '\0') && isatty(fileno(stream)) == 1 &&
           terminal != NULL && strcmp(terminal, "dumb") != 0;
}

/* 0: no limit. */
static uint64_t max_timed_events(const struct job *job)
{
    return job->options->cycles == CYCLES_ALWAYS ? 0 : BSIM_TIMER_EVENTS;
}

enum { EVENTS_PER_TELL = 4096 };

/* A block begins: tells the other lanes how many events it has seen, from time to time. */
static void tell_events(struct lane *lane)
{
    struct lanes *all = lane->all;
    uint64_t events = bsim_timer_events(lane->timer);
    if (atomic_load_explicit(&all->given_up, memory_order_relaxed) == lane->n_kernels) {
        bsim_timer_leave_out(lane->timer);
    } else if (events - lane->told >= EVENTS_PER_TELL) {
        (void)pthread_mutex_lock(&all->mutex);
        if (all->kernel < lane->n_kernels) {
            all->kernel = lane->n_kernels;
            all->events = 0;
        }
        if (all->kernel == lane->n_kernels) {
            all->events += events - lane->told;
        }
        uint64_t most = max_timed_events(lane->job);
        if (most > 0 && all->events > most) {
            atomic_store_explicit(&all->given_up, all->kernel, memory_order_relaxed);
        }
        (void)pthread_mutex_unlock(&all->mutex);
        lane->told = events;
    }
}

/* A kernel or a block begins, of which the other lanes read parts too. */
static void note_begin(struct lane *lane, enum bsim_record_kind kind)
{
    if (kind == BSIM_RECORD_KERNEL) {
        lane->n_kernels++;
        lane->told = 0;
    } else if (kind == BSIM_RECORD_BLOCK && lane->timer != NULL) {
        tell_events(lane);
    }
}

static inline enum bsim_status count(struct lane *lane, const struct bsim_record *record,
                                     struct bsim_error *err)
{
    enum bsim_status status = lane->sim_sink.push(lane->sim_sink.context, record, err);
    return status == BSIM_OK && lane->timer != NULL
               ? lane->timer_sink.push(lane->timer_sink.context, record, err)
               : status;
}

/* The simulator sees the whole batch before the timer does; an error of either has its line. */
static enum bsim_status count_batch(struct lane *lane, struct bsim_batch *batch,
                                    struct bsim_error *err)
{
    struct bsim_batch again = *batch;
    enum bsim_status status = bsim_sink_push_batch(&lane->sim_sink, batch, err);
    if (status == BSIM_OK && lane->timer != NULL) {
        *batch = again;
        status = bsim_sink_push_batch(&lane->timer_sink, batch, err);
    }
    return status;
}

/* ---- kernels that have ended ------------------------------------------------------------------ */

/* What is wrong with whole kernels comes after all that is wrong with lines: in which order several
 * lanes get to know of the two is chance. Of shards, whoever merges them looks. */
static void check_kernels(struct job *job, const struct bsim_result *ended)
{
    if (job->kernels_status == BSIM_OK && job->options->shard.of == 0) {
        job->kernels_status = bsim_result_check_constants(ended, &job->kernels_error);
    }
}

/* Nobody is to see rows of a trace that turns out to be broken: the report keeps them. */
static enum bsim_status tell(struct job *job, const struct bsim_result *ended,
                             struct bsim_error *err)
{
    check_kernels(job, ended);
    for (size_t k = 0; k < ended->n_kernels; k++) {
        bsim_report_kernel(job->report, &ended->kernels[k]);
    }
    return bsim_report_status(job->report, err);
}

/* Makes the first n kernels rows, and frees them. */
static enum bsim_status tell_first(struct job *job, struct bsim_result *result, size_t n,
                                   struct bsim_error *err)
{
    struct bsim_result first = {0};
    enum bsim_status status = bsim_result_take(result, n, &first, err);
    if (status == BSIM_OK) {
        status = tell(job, &first, err);
    }
    bsim_result_free(&first);
    return status;
}

/* Tells the kernels that have ended in all lanes, many at a time, since the others move up. The mutex is
 * held. */
static enum bsim_status tell_ended(struct lanes *all, struct bsim_error *err)
{
    size_t ended = all->lane[0].n_collected;
    for (uint32_t i = 1; i < all->n_hired; i++) {
        ended = all->lane[i].n_collected < ended ? all->lane[i].n_collected : ended;
    }
    size_t n = ended > all->n_told ? ended - all->n_told : 0;
    if (n < TELL_KERNELS || n < all->sum.n_kernels / 2) {
        return BSIM_OK;
    }
    all->n_told = ended;
    return tell_first(all->job, &all->sum, n, err);
}

/* Drops kernels of the lane's that have been told: it was hired afterwards, for pieces behind them, and has
 * no blocks there. The mutex is held. */
static enum bsim_status drop_told(const struct lane *lane, struct bsim_result *part,
                                  struct bsim_error *err)
{
    struct bsim_result told = {0};
    size_t before =
        lane->all->n_told > lane->n_collected ? lane->all->n_told - lane->n_collected : 0;
    size_t n = before < part->n_kernels ? before : part->n_kernels;
    enum bsim_status status = bsim_result_take(part, n, &told, err);
    bsim_result_free(&told);
    return status;
}

/* Puts kernels of the lane's to those of all lanes. */
static enum bsim_status collect(struct lane *lane, struct bsim_result *part, struct bsim_error *err)
{
    struct lanes *all = lane->all;
    size_t n = part->n_kernels;
    (void)pthread_mutex_lock(&all->mutex);
    size_t first = lane->n_collected > all->n_told ? lane->n_collected - all->n_told : 0;
    enum bsim_status status = drop_told(lane, part, err);
    lane->n_collected += n;
    if (status == BSIM_OK) {
        status = bsim_result_collect(&all->sum, first, part, err);
    }
    if (status == BSIM_OK && all->job->report != NULL) {
        status = tell_ended(all, err);
    }
    (void)pthread_mutex_unlock(&all->mutex);
    return status;
}

/* A kernel has begun, the one before has ended: it becomes a row, or goes to the other lanes' counts, so
 * that together they have not more kernels than one alone would have. */
static enum bsim_status pass_on_finished(struct lane *lane, struct bsim_error *err)
{
    struct bsim_result part = {0};
    struct bsim_result timed = {0};
    enum bsim_status status = bsim_sim_finished(lane->sim, &part, err);
    if (status == BSIM_OK && lane->timer != NULL) {
        status = bsim_timer_finished(lane->timer, &timed, err);
        status = status == BSIM_OK ? bsim_result_add_cycles(&part, &timed, err) : status;
    }
    if (status == BSIM_OK && part.n_kernels > 0) {
        status = lane->all != NULL ? collect(lane, &part, err) : tell(lane->job, &part, err);
    }
    bsim_result_free(&timed);
    bsim_result_free(&part);
    return status;
}

/* ---- sinks ------------------------------------------------------------------------------------ */

/* What one of several lanes gets. */
static enum bsim_status push_to_lane(void *context, const struct bsim_record *record,
                                     struct bsim_error *err)
{
    struct lane *lane = context;
    if (record->kind != BSIM_RECORD_EVENT) {
        note_begin(lane, record->kind);
    } else if (lane->notes != NULL) {
        lane->notes->events++;
    }
    enum bsim_status status = count(lane, record, err);
    return status == BSIM_OK && record->kind == BSIM_RECORD_KERNEL ? pass_on_finished(lane, err)
                                                                   : status;
}

static enum bsim_status push_batch_to_lane(void *context, struct bsim_batch *batch,
                                           struct bsim_error *err)
{
    struct lane *lane = context;
    if (lane->notes != NULL) {
        lane->notes->events += batch->n_events;
    }
    return count_batch(lane, batch, err);
}

/* What a source pushes goes to the only lane and, if wanted, to the search for hazards. */
static enum bsim_status push_to_all(void *context, const struct bsim_record *record,
                                    struct bsim_error *err)
{
    struct lane *lane = context;
    struct job *job = lane->job;
    if (record->kind == BSIM_RECORD_EVENT && job->progress.is_wanted) {
        bsim_cli_progress_event(&job->progress);
    }
    enum bsim_status status = count(lane, record, err);
    if (status == BSIM_OK && record->kind == BSIM_RECORD_KERNEL && job->report != NULL) {
        status = pass_on_finished(lane, err);
    }
    if (status == BSIM_OK && job->hazard_sink.push != NULL) {
        if (record->kind == BSIM_RECORD_KERNEL || record->kind == BSIM_RECORD_END) {
            bsim_cli_progress_clear(
                &job->progress); /* the findings of the kernel before are printed now */
        }
        status = job->hazard_sink.push(job->hazard_sink.context, record, err);
    }
    return status;
}

static enum bsim_status push_batch_to_all(void *context, struct bsim_batch *batch,
                                          struct bsim_error *err)
{
    struct lane *lane = context;
    struct job *job = lane->job;
    struct bsim_batch again = *batch;
    bsim_cli_progress_events(&job->progress, batch->n_events);
    enum bsim_status status = count_batch(lane, batch, err);
    if (status == BSIM_OK && job->hazard_sink.push != NULL) {
        *batch = again;
        status = bsim_sink_push_batch(&job->hazard_sink, batch, err);
    }
    return status;
}

/* ---- the simulator's callbacks --------------------------------------------------------------- */

static enum bsim_status on_request(void *context, const struct bsim_request_result *request,
                                   struct bsim_error *err)
{
    struct job *job = ((struct lane *)context)->job;
    bsim_report_request(request, job->rows++, &job->options->report, &job->buffer);
    return job->buffer.size_bytes < FLUSH_BYTES
               ? BSIM_OK
               : bsim_cli_output_write(&job->output, &job->buffer, err);
}

static enum bsim_status on_surveyed(void *context, const struct bsim_request_result *request,
                                    struct bsim_error *err)
{
    struct job *job = ((struct lane *)context)->job;
    size_t kernel = job->result.n_kernels + request->kernel_index;
    return bsim_survey_add(job->survey, kernel, request, err);
}

static void on_expectation(void *context, const struct bsim_expectation *failed)
{
    struct lane *lane = context;
    struct job *job = lane->job;
    uint64_t *failures = lane->notes != NULL ? &lane->notes->failures : &job->failures;
    char text[MAX_FAILURE_BYTES];
    if (++*failures > MAX_FAILURES_SHOWN) {
        return;
    }
    (void)snprintf(text, sizeof text,
                   "%.3000s:%" PRIu64 ": %s=%" PRIu32 " does not hold: it is %" PRIu32,
                   job->source_name, failed->line, failed->key, failed->expected, failed->actual);
    if (lane->notes != NULL) {
        bsim_buffer_plain(&lane->notes->text, text);
        bsim_buffer_text(&lane->notes->text, "\n");
    } else {
        bsim_cli_progress_clear(&job->progress);
        bsim_cli_say("%s\n", text);
    }
}

/* ---- a run ----------------------------------------------------------------------------------- */

static bool per_request(const struct job *job)
{
    return job->options->report.per == BSIM_PER_REQUEST &&
           job->options->report.metrics == BSIM_METRICS_BANKSIM;
}

/* Pushes the source, to the search for hazards too if that is wanted. */
static enum bsim_status push_and_search(struct lane *lane, const struct source *source,
                                        struct bsim_error *err)
{
    struct job *job = lane->job;
    struct bsim_sink sink = {.push = push_to_all, .context = lane, .push_batch = push_batch_to_all};
    struct hazard_search search;
    enum bsim_status status = BSIM_OK;
    job->hazard_sink = (struct bsim_sink){.push = NULL, .context = NULL};
    if (job->options->hazards) {
        status = bsim_cli_hazards_begin(&search, source->name, job->device, &job->hazard_sink, err);
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

static struct bsim_sim *new_sim(struct lane *lane)
{
    const struct job *job = lane->job;
    struct bsim_sim_options options = {
        .device = job->device,
        .device_options = job->options->device_options,
        .executed = job->result.executed,
        .context = lane,
        .on_request = job->survey != NULL ? on_surveyed
                      : per_request(job)  ? on_request
                                          : NULL,
        .on_expectation = on_expectation,
    };
    return bsim_sim_new(&options);
}

/* One that only counts. */
static struct bsim_sim *new_silent_sim(const struct job *job)
{
    struct bsim_sim_options options = {.device = job->device,
                                       .device_options = job->options->device_options,
                                       .executed = job->result.executed};
    return bsim_sim_new(&options);
}

static struct bsim_timer *new_timer(const struct job *job)
{
    struct bsim_timer_options options = {
        .device = job->device,
        .device_options = job->options->device_options,
        .max_events = max_timed_events(job),
        .max_steps = job->options->cycles == CYCLES_ALWAYS ? 0 : BSIM_TIMER_STEPS,
        .registers = job->options->registers,
        .ideal = true,
        .ideal_sites = job->options->report.per == BSIM_PER_SITE || job->survey != NULL ||
                       job->options->report.format == BSIM_TEXT || job->options->shard.of > 0,
    };
    return bsim_timer_new(&options);
}

static enum bsim_status open_lane(struct lane *lane, struct job *job, struct bsim_error *err)
{
    lane->job = job;
    lane->sim = new_sim(lane);
    lane->timer = wants_cycles(job) ? new_timer(job) : NULL;
    if (lane->sim == NULL || (lane->timer == NULL && wants_cycles(job))) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    lane->sim_sink = bsim_sim_sink(lane->sim);
    if (lane->timer != NULL) {
        lane->timer_sink = bsim_timer_sink(lane->timer);
    }
    return BSIM_OK;
}

static void close_lane(struct lane *lane)
{
    bsim_timer_free(lane->timer);
    bsim_sim_free(lane->sim);
}

static enum bsim_status lane_result(struct lane *lane, struct bsim_result *result,
                                    struct bsim_error *err)
{
    struct bsim_result timed = {0};
    enum bsim_status status = bsim_sim_result(lane->sim, result, err);
    if (status == BSIM_OK && lane->timer != NULL) {
        status = bsim_timer_result(lane->timer, &timed, err);
        status = status == BSIM_OK ? bsim_result_add_cycles(result, &timed, err) : status;
    }
    bsim_result_free(&timed);
    return status;
}

/* The source's kernels, behind those of the sources before it. */
static enum bsim_status append(struct job *job, struct bsim_result *result, struct bsim_error *err)
{
    check_kernels(job, result);
    enum bsim_status status = job->kernels_status;
    if (status != BSIM_OK && err != NULL) {
        *err = job->kernels_error;
    }
    if (status == BSIM_OK && job->report != NULL) {
        status = tell_first(job, result, result->n_kernels, err);
    }
    return status == BSIM_OK ? bsim_result_append(&job->result, result, err) : status;
}

static enum bsim_status simulate_alone(struct job *job, const struct source *source,
                                       struct bsim_error *err)
{
    struct lane lane = {.job = job};
    struct bsim_result result = {0};
    enum bsim_status status = open_lane(&lane, job, err);
    if (status == BSIM_OK) {
        status = push_and_search(&lane, source, err);
    }
    if (status == BSIM_OK) {
        status = lane_result(&lane, &result, err);
    }
    if (status == BSIM_OK) {
        status = append(job, &result, err);
    }
    bsim_result_free(&result);
    close_lane(&lane);
    return status;
}

/* ---- several threads ------------------------------------------------------------------------- */

static enum bsim_status hire_lane(void *context, uint32_t worker, struct bsim_sink *sink,
                                  struct bsim_error *err)
{
    struct lanes *lanes = context;
    struct lane *lane = &lanes->lane[worker];
    (void)pthread_mutex_lock(&lanes->mutex);
    lanes->n_hired = worker + 1;
    (void)pthread_mutex_unlock(&lanes->mutex);
    lane->all = lanes;
    *sink =
        (struct bsim_sink){.push = push_to_lane, .context = lane, .push_batch = push_batch_to_lane};
    return open_lane(lane, lanes->job, err);
}

static void begin_piece(void *context, uint32_t worker, uint32_t slot)
{
    struct lanes *lanes = context;
    struct notes *notes = &lanes->notes[slot];
    notes->events = notes->failures = 0;
    notes->text.size_bytes = 0;
    lanes->lane[worker].notes = notes;
}

/* As many lines of text as there is still room for among those that are shown. */
static void print_failures(struct job *job, const struct notes *notes)
{
    const char *line = notes->text.data;
    for (uint64_t i = 0; i < notes->failures && i < MAX_FAILURES_SHOWN && line != NULL; i++) {
        const char *end = strchr(line, '\n');
        if (end == NULL || ++job->failures > MAX_FAILURES_SHOWN) {
            break;
        }
        (void)fwrite(line, 1, (size_t)(end - line) + 1, stderr);
        line = end + 1;
    }
}

static void join_piece(void *context, uint32_t slot)
{
    struct lanes *lanes = context;
    struct job *job = lanes->job;
    const struct notes *notes = &lanes->notes[slot];
    uint64_t failures = job->failures + notes->failures;
    bsim_cli_progress_events(&job->progress, notes->events);
    if (notes->failures > 0) {
        bsim_cli_progress_clear(&job->progress);
        print_failures(job, notes);
        job->failures = failures;
    }
}

/* Each lane keeps to the limit of warp instructions, which is one for all of them. If together they are
 * beyond it, or one that was stopped may have been stopped by it (an event has at most 2^45), where a
 * single simulator would have stopped is asked of one, which only a file can be read to again. */
static enum bsim_status check_executed(const struct lanes *lanes, const struct source *source,
                                       enum bsim_status status, struct bsim_error *err)
{
    uint64_t n = lanes->job->result.executed;
    for (uint32_t i = 0; i < lanes->n_hired; i++) {
        n += lanes->lane[i].sim != NULL ? bsim_sim_executed(lanes->lane[i].sim) : 0;
    }
    if (n <= (status == BSIM_OK ? BSIM_MAX_EXECUTED : BSIM_MAX_EXECUTED / 2)) {
        return status;
    }
    bool is_file = bsim_cli_is_file(source->trace->path);
    struct bsim_sim *sim = is_file ? new_silent_sim(lanes->job) : NULL;
    enum bsim_status found = BSIM_OK;
    if (sim != NULL) {
        struct bsim_sink sink = bsim_sim_sink(sim);
        found = source->push(source->context, &sink, err);
    }
    bsim_sim_free(sim);
    if (found == BSIM_OK && status == BSIM_OK) {
        found = bsim_error_set(err, BSIM_E_INPUT, "more than 2^47 warp instructions in all");
        bsim_error_place(err, source->name, 0, 0, NULL, 0);
    }
    return found != BSIM_OK ? found : status;
}

static enum bsim_status collect_lanes(struct lanes *lanes, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    for (uint32_t i = 0; i < lanes->n_hired && status == BSIM_OK; i++) {
        struct bsim_result part = {0};
        status = lane_result(&lanes->lane[i], &part, err);
        if (status == BSIM_OK) {
            status = collect(&lanes->lane[i], &part, err);
        }
        bsim_result_free(&part);
    }
    return status;
}

/* FNV-1a over numbers. */
static void identify(struct job *job, uint64_t number)
{
    for (int i = 0; i < 64; i += 8) {
        job->identity = (job->identity ^ (number >> i & 0xff)) * UINT64_C(1099511628211);
    }
}

static enum bsim_status read_by_crew(struct lanes *lanes, const struct source *source,
                                     struct bsim_error *err)
{
    struct job *job = lanes->job;
    uint64_t content = 0;
    struct crew crew = {.n_workers = job->options->jobs,
                        .shard = job->options->shard.of > 0 ? &job->options->shard : NULL,
                        .content = &content,
                        .context = lanes,
                        .hire = hire_lane,
                        .begin = begin_piece,
                        .joined = join_piece};
    struct trace_file *trace = source->trace;
    enum bsim_status status = bsim_cli_open(trace->path, &trace->file, err);
    if (status == BSIM_OK) {
        struct bsim_input input = bsim_cli_input(trace);
        status = bsim_cli_crew_read(&crew, &input, err);
        bsim_cli_close(trace->file);
        trace->file = NULL;
    }
    identify(job, content);
    bsim_cli_progress_clear(&job->progress);
    return status;
}

static enum bsim_status simulate_together(struct job *job, const struct source *source,
                                          struct bsim_error *err)
{
    uint32_t n_slots = bsim_cli_crew_slots(job->options->jobs);
    struct lanes *lanes = calloc(1, sizeof *lanes);
    struct notes *notes = calloc(n_slots, sizeof *notes);
    enum bsim_status status = BSIM_OK;
    if (lanes == NULL || notes == NULL) {
        free(lanes);
        free(notes);
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    lanes->job = job;
    lanes->notes = notes;
    (void)pthread_mutex_init(&lanes->mutex, NULL);
    status = read_by_crew(lanes, source, err);
    status = check_executed(lanes, source, status, err);
    if (status == BSIM_OK) {
        status = collect_lanes(lanes, err);
    }
    if (status == BSIM_OK) {
        status = append(job, &lanes->sum, err);
    }
    bsim_result_free(&lanes->sum);
    for (uint32_t i = 0; i < lanes->n_hired; i++) {
        close_lane(&lanes->lane[i]);
    }
    for (uint32_t i = 0; i < n_slots; i++) {
        bsim_buffer_free(&notes[i].text);
    }
    (void)pthread_mutex_destroy(&lanes->mutex);
    free(notes);
    free(lanes);
    return status;
}

/* Blocks can be counted by several threads, unless what is wanted needs the stream in its order. */
static bool is_shared(const struct job *job, const struct source *source)
{
    const struct options *options = job->options;
    bool is_wanted = options->jobs > 1 || options->shard.of > 0;
    return source->trace != NULL && is_wanted && !options->hazards && !per_request(job) &&
           job->survey == NULL;
}

static enum bsim_status simulate_source(struct job *job, const struct source *source,
                                        struct bsim_error *err)
{
    job->source_name = source->name;
    bsim_cli_progress_start(&job->progress, source->name, source->file);
    return is_shared(job, source) ? simulate_together(job, source, err)
                                  : simulate_alone(job, source, err);
}

static enum bsim_status simulate_all(struct job *job, const struct source *sources,
                                     size_t n_sources, struct bsim_error *err)
{
    struct bsim_device device;
    const struct bsim_device *chosen;
    enum bsim_status status = bsim_cli_device(job->options, &device, &chosen, err);
    job->device = status == BSIM_OK ? chosen : NULL;
    if (status == BSIM_OK && per_request(job)) {
        bsim_report_requests_begin(&job->options->report, &job->buffer);
    }
    for (size_t i = 0; i < n_sources && status == BSIM_OK; i++) {
        status = simulate_source(job, &sources[i], err);
    }
    return status;
}

/* What a part needs to find those that belong to it: the traces, and what was asked. */
static void write_part(struct job *job)
{
    const struct options *options = job->options;
    struct bsim_part part = {
        .shard = options->shard.number + 1, .n_shards = options->shard.of, .result = job->result};
    for (const char *p = options->device; p != NULL && *p != '\0'; p++) {
        identify(job, (unsigned char)*p);
    }
    identify(job, options->device_options.n_banks);
    identify(job, options->device_options.bank_width);
    identify(job, options->device_options.carveout);
    identify(job, options->cycles);
    identify(job, options->registers);
    part.identity = job->identity;
    bsim_part_write(&part, &job->buffer);
}

static enum bsim_status write_report(struct job *job, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    while (status == BSIM_OK && bsim_report_next(job->report, &job->buffer)) {
        status = bsim_cli_output_write(&job->output, &job->buffer, err);
    }
    return status == BSIM_OK ? bsim_report_status(job->report, err) : status;
}

static enum bsim_status report(struct job *job, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    if (job->report != NULL) {
        status = write_report(job, err);
    } else if (job->options->shard.of > 0) {
        write_part(job);
    } else if (job->survey != NULL) {
        status = bsim_report_page(&job->result, job->survey, &job->buffer, err);
    } else if (per_request(job)) {
        bsim_report_requests_end(&job->result, job->rows, &job->options->report, &job->buffer);
    } else {
        bsim_report_result(&job->result, &job->options->report, &job->buffer);
    }
    if (status == BSIM_OK) {
        status = bsim_cli_output_write(&job->output, &job->buffer, err);
    }
    return status == BSIM_OK ? bsim_cli_output_commit(&job->output, err) : status;
}

static int expectations_code(const struct job *job)
{
    if (job->failures > MAX_FAILURES_SHOWN) {
        bsim_cli_say("... and %" PRIu64 " more\n", job->failures - MAX_FAILURES_SHOWN);
    }
    if (job->failures > 0) {
        bsim_cli_say("%" PRIu64 " of %" PRIu64 " expectations do not hold\n",
                     job->result.expectations_failed, job->result.expectations);
    }
    if (job->options->shard.of > 0) {
        return EXIT_FINE; /* the part tells them */
    }
    return job->failures > 0 || job->n_hazards > 0 ? EXIT_EXPECTATION : EXIT_FINE;
}

int bsim_cli_simulate(const struct options *options, const struct source *sources, size_t n_sources)
{
    struct bsim_error err;
    struct job job = {.options = options, .buffer = BSIM_BUFFER_EMPTY};
    bool in_parts = options->shard.of == 0 && bsim_report_has_parts(&options->report);
    enum bsim_status status =
        bsim_cli_output_open(&job.output, options->output, per_request(&job), &err);
    if (status == BSIM_OK && options->report.format == BSIM_HTML) {
        job.survey = bsim_survey_new(0);
        status =
            job.survey != NULL ? BSIM_OK : bsim_error_set(&err, BSIM_E_MEMORY, "out of memory");
    }
    if (status == BSIM_OK && in_parts) {
        job.report = bsim_report_new(&options->report);
        status =
            job.report != NULL ? BSIM_OK : bsim_error_set(&err, BSIM_E_MEMORY, "out of memory");
    }
    if (status == BSIM_OK) {
        status = simulate_all(&job, sources, n_sources, &err);
    }
    if (status == BSIM_OK) {
        status = report(&job, &err);
    }
    int code = status == BSIM_OK ? expectations_code(&job) : bsim_cli_fail(&err);
    bsim_cli_output_abort(&job.output);
    bsim_report_free(job.report);
    bsim_survey_free(job.survey);
    bsim_buffer_free(&job.buffer);
    bsim_result_free(&job.result);
    return code;
}
