/* cmd_check.c - banksim check: what index expressions cost, without a trace. */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: banksim check [FILE|-] [options]\n"
    "\n"
    "Evaluates accesses to memory, written as C index expressions, for every warp of a block, and\n"
    "reports how many transactions they take: wavefronts of shared memory, and where lanes meet,\n"
    "sectors and lines of global memory, passes of constant memory.\n"
    "\n" BSIM_CLI_STATEMENTS
    "  --expect COND      'conflicts == 0': exit 1 unless it holds for each access since the\n"
    "                     --expect before it, or for every access if none stands before it; also\n"
    "                     requests wavefronts ideal excessive ways_max sectors lines passes.\n"
    "                     An access that no thread comes to meets no expectation\n"
    "  --emit-trace FILE  write the accesses as a trace for 'banksim run' (-: to standard output,\n"
    "                     and no report); --kernel NAME names it, for 'banksim compare'\n"
    "  --device D         a device: sm_90 (default), k40, a100, generic, ...\n"
    "  --banks N          1 to 64 banks; without --device that is the device generic\n"
    "  --bank-width W     4 or 8 bytes, on devices that have both (k40, generic), as\n"
    "                     cudaDeviceSetSharedMemConfig sets it and cudaDeviceGetSharedMemConfig\n"
    "                     tells\n"
    "  --format F         @tables@\n"
    "  -o FILE            write the report to FILE\n"
    "\n"
    "FILE has the same words without dashes, a line each; if and for hold for the statement "
    "behind\n"
    "them or for { }, and lines of a kernel stand as they are. # and // begin a comment.\n"
    "Expressions are C: threadIdx, blockIdx, blockDim, gridDim, warpSize, lane, warp, min, max,\n"
    "casts, *(float4 *)&a[i], reinterpret_cast<float4 *>(a)[i].\n"
    "\n"
    "Exit code: 0 fine, 1 an expectation does not hold, 2 usage, 3 bad input, 4 system.\n"
    "\n"
    "examples:\n"
    "  banksim check --block 32,32 --shared 'float tile[32][32]' \\\n"
    "      --store 'tile[threadIdx.y][threadIdx.x]' --load 'tile[threadIdx.x][threadIdx.y]'\n"
    "  banksim check --shared 'half a[16][64]' --ldmatrix x4 '&a[lane % 16][lane / 16 * 8]'\n"
    "  banksim check --block 16,16 --shared 'float As[16][16], Bs[16][16]' --for k=0:16 \\\n"
    "      --code 'sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];'\n"
    "  banksim check --global 'float *in' --load 'in[2 * threadIdx.x + 1]'\n"
    "  banksim check tile.check --expect 'conflicts == 0'\n";

/* Requests whose cycles are simulated: once with each access's conflicts removed. */
enum { TIMED_REQUESTS = 1 << 16 };

/* One run of the command. */
struct job {
    const struct options *options;
    struct bsim_check *check;
    struct bsim_device device;
    const struct bsim_device *chosen; /* &device, or NULL for the default */
    struct bsim_result result;        /* timed but where there are too many requests */
    struct bsim_check_worst *worst;   /* by access */
    int64_t *loops;                   /* their loop values, n_loops for each */
    struct bsim_buffer *remedies;     /* by access */
    uint64_t end;                     /* of the shared memory that accesses reach, in bytes */
    uint64_t failures;
};

/* ---- counting -------------------------------------------------------------------------------- */

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    return bsim_check_push(context, NULL, sink, err);
}

/* And how long it takes, where that is found in a moment. */
static enum bsim_status count(struct job *job, struct bsim_error *err)
{
    static const struct bsim_timer_options timing = {
        .max_events = BSIM_TIMER_EVENTS, .ideal = true, .ideal_sites = true};
    struct bsim_source source = {.push = push, .context = job->check};
    struct bsim_run_options options = {.device = job->chosen,
                                       .device_options = job->options->device_options};
    enum bsim_status status = bsim_run(&source, &options, &job->result, err);
    if (status == BSIM_OK &&
        bsim_kernel_total(&job->result.kernels[0]).requests <= TIMED_REQUESTS) {
        bsim_result_free(&job->result);
        options.timing = &timing;
        status = bsim_run(&source, &options, &job->result, err);
    }
    return status;
}

/* Keeps the request of each access that loses the most, the first of equals. */
struct search {
    struct job *job;
    uint64_t *most;     /* by access: excessive ones of the worst so far */
    size_t *first_loop; /* by access: where its values stand in job->loops */
};

/* How far an extern array reaches only its accesses tell. */
static enum bsim_status note_end(struct job *job, const struct bsim_check_request *request,
                                 struct bsim_error *err)
{
    uint64_t end = bsim_cli_reach(request);
    job->end = end > job->end ? end : job->end;
    return bsim_device_check_shared(&job->result.kernels[0].device, job->end, err);
}

static enum bsim_status look(void *context, const struct bsim_check_request *request,
                             struct bsim_error *err)
{
    struct search *search = context;
    struct job *job = search->job;
    struct bsim_check_worst *worst = &job->worst[request->access];
    struct bsim_request plain = {.opcode = request->opcode, .mask = request->mask};
    struct bsim_counts counts;
    memcpy(plain.address, request->address, sizeof plain.address);
    enum bsim_status status = note_end(job, request, err);
    if (status != BSIM_OK) {
        return status;
    }
    bsim_request_count(&job->result.kernels[0].device, &plain, &counts);
    if (worst->is_known && bsim_counts_excessive(&counts) <= search->most[request->access]) {
        return BSIM_OK;
    }
    size_t n = bsim_check_contents(job->check)->access[request->access].n_loops;
    int64_t *loops = job->loops + search->first_loop[request->access];
    for (size_t i = 0; i < n; i++) {
        loops[i] = request->loop[i];
    }
    search->most[request->access] = bsim_counts_excessive(&counts);
    worst->is_known = true;
    worst->request = *request;
    worst->request.loop = loops;
    return BSIM_OK;
}

/* What arrays of structs would cost otherwise, at the first access with conflicts to each. */
static enum bsim_status add_structs(struct job *job, const struct bsim_advice *advice,
                                    size_t access, struct bsim_error *err)
{
    const struct bsim_kernel_result *kernel = &job->result.kernels[0];
    enum bsim_status status = BSIM_OK;
    for (size_t a = 0; a < advice->n_arrays && status == BSIM_OK; a++) {
        size_t first = 0;
        while (first < access && !(advice->touches[first * advice->n_arrays + a] &&
                                   bsim_tally_excessive(&kernel->sites[first].tally) > 0)) {
            first++;
        }
        if (first == access && advice->touches[access * advice->n_arrays + a] &&
            bsim_tally_excessive(&kernel->sites[access].tally) > 0) {
            status =
                bsim_advise_struct(job->check, &kernel->device, a, &job->remedies[access], err);
        }
    }
    return status;
}

/* What helps against the conflicts of each access. Where there are too many different requests for
 * any search, nothing. */
static enum bsim_status find_remedies(struct job *job, struct bsim_error *err)
{
    const struct bsim_kernel_result *kernel = &job->result.kernels[0];
    size_t n = bsim_check_contents(job->check)->n_accesses;
    struct bsim_tally total = bsim_kernel_total(kernel);
    struct bsim_advise_options options = {.hints = true};
    struct bsim_advice *advice = NULL;
    enum bsim_status status = BSIM_OK;
    if (bsim_check_contents(job->check)->n_indices > 0) {
        for (size_t i = 0; i < n; i++) {
            job->worst[i].remedy = "No layout is fitted to indices that data decide";
        }
        return BSIM_OK;
    }
    if (job->options->report.format != BSIM_TEXT || bsim_tally_excessive(&total) == 0) {
        return BSIM_OK;
    }
    if (bsim_advise(job->check, &kernel->device, &options, &advice, err) == BSIM_E_MEMORY) {
        return BSIM_E_MEMORY;
    }
    for (size_t i = 0; i < n && advice != NULL && status == BSIM_OK; i++) {
        bsim_advice_remedy(job->check, advice, i, &job->remedies[i]);
        status = add_structs(job, advice, i, err);
        if (status == BSIM_OK) {
            status = bsim_buffer_status(&job->remedies[i], err);
        }
        job->worst[i].remedy = job->remedies[i].data;
    }
    bsim_advice_free(advice);
    return status;
}

static enum bsim_status find_worst(struct job *job, struct bsim_error *err)
{
    size_t n = bsim_check_contents(job->check)->n_accesses;
    size_t n_loops = 0;
    struct search search = {job, calloc(n, sizeof *search.most),
                            calloc(n, sizeof *search.first_loop)};
    for (size_t i = 0; i < n && search.first_loop != NULL; i++) {
        search.first_loop[i] = n_loops;
        n_loops += bsim_check_contents(job->check)->access[i].n_loops;
    }
    job->worst = calloc(n, sizeof *job->worst);
    job->loops = calloc(n_loops + 1, sizeof *job->loops);
    job->remedies = calloc(n, sizeof *job->remedies);
    bool has_room = search.most != NULL && search.first_loop != NULL && job->worst != NULL &&
                    job->loops != NULL && job->remedies != NULL;
    struct bsim_check_visitor visitor = {.shared = look, .context = &search};
    enum bsim_status status = has_room ? bsim_check_each(job->check, &visitor, err)
                                       : bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    if (job->end > job->result.kernels[0].shared_bytes) {
        job->result.kernels[0].shared_bytes = (uint32_t)job->end; /* of an extern array */
    }
    free(search.most);
    free(search.first_loop);
    if (status == BSIM_OK && bsim_check_contents(job->check)->is_drawn) {
        status = bsim_cli_spread(job->check, &job->result.kernels[0].device, job->worst, err);
    }
    return status == BSIM_OK ? find_remedies(job, err) : status;
}

/* ---- output ---------------------------------------------------------------------------------- */

static enum bsim_status report(struct job *job, struct bsim_error *err)
{
    struct output output;
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    enum bsim_status status = bsim_cli_output_open(&output, job->options->output, false, err);
    if (status == BSIM_OK) {
        bsim_report_check(job->check, &job->result, job->worst, &job->options->report, &buffer);
        status = bsim_cli_output_write(&output, &buffer, err);
    }
    if (status == BSIM_OK) {
        status = bsim_cli_output_commit(&output, err);
    }
    bsim_cli_output_abort(&output);
    bsim_buffer_free(&buffer);
    return status;
}

static enum bsim_status write_trace(const struct job *job, struct output *output,
                                    struct bsim_error *err)
{
    struct bsim_output to = bsim_output_file(output->file);
    struct bsim_trace_writer *writer = bsim_trace_writer_new(&to);
    if (writer == NULL) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    const char *device = job->chosen != NULL ? job->device.name : NULL;
    enum bsim_status status = bsim_check_push(job->check, device, &sink, err);
    if (status == BSIM_E_IO) {
        bsim_error_place(err, job->options->emit_trace, 0, 0, NULL, 0);
    }
    bsim_trace_writer_free(writer);
    return status;
}

/* The trace itself is what standard output gets. */
static bool emits_to_output(const struct job *job)
{
    return job->options->emit_trace != NULL && strcmp(job->options->emit_trace, "-") == 0;
}

static enum bsim_status emit_trace(const struct job *job, struct bsim_error *err)
{
    struct output output;
    if (job->options->emit_trace == NULL) {
        return BSIM_OK;
    }
    enum bsim_status status = bsim_cli_output_open(
        &output, emits_to_output(job) ? NULL : job->options->emit_trace, false, err);
    if (status == BSIM_OK) {
        status = write_trace(job, &output, err);
    }
    if (status == BSIM_OK) {
        status = bsim_cli_output_commit(&output, err);
    }
    bsim_cli_output_abort(&output);
    return status;
}

/* ---- expectations ---------------------------------------------------------------------------- */

/* "a.check:4: load tile[i]: 'conflicts == 0' does not hold: conflicts is 31" */
static void print_failure(const struct job *job, const struct bsim_check_expectation *expectation,
                          size_t index)
{
    const struct bsim_check_access *access = &bsim_check_contents(job->check)->access[index];
    const struct bsim_site_result *site = &job->result.kernels[0].sites[index];
    const char *separator = "";
    if (expectation->file != NULL) {
        bsim_cli_say("%s:%" PRIu32 ": ", expectation->file, expectation->line);
    } else {
        (void)fprintf(stderr, "banksim: ");
    }
    bsim_cli_say("%s %s: '%s' does not hold: ", access->op, access->text, expectation->text);
    if (site->requests == 0) {
        bsim_cli_say("no thread comes to it\n");
        return;
    }
    for (uint32_t v = 0; v < BSIM_CHECK_N_VALUES; v++) {
        if ((expectation->uses >> v & 1) != 0) {
            (void)fprintf(stderr, "%s%s is %" PRIu64, separator, bsim_check_value_name(v),
                          bsim_check_value(site, v));
            separator = ", ";
        }
    }
    (void)fputs("\n", stderr);
}

/* `says`: what does not hold is told. */
static enum bsim_status expect_of(struct job *job, size_t expectation, size_t access, bool says,
                                  struct bsim_error *err)
{
    const struct bsim_check_access *shown = &bsim_check_contents(job->check)->access[access];
    bool is_other = shown->opcode.space != BSIM_SHARED;
    if (job->worst[access].spread.requests > 0 ||
        (is_other && bsim_check_contents(job->check)->is_drawn)) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "%s %s has other counts in each draw: nothing can be expected of it",
                              shown->op, shown->text);
    }
    bool holds = false;
    const struct bsim_site_result *site = &job->result.kernels[0].sites[access];
    enum bsim_status status = bsim_check_expect(job->check, expectation, site, &holds, err);
    if (status == BSIM_OK && says && (!holds || site->requests == 0)) {
        job->failures++;
        print_failure(job, &bsim_check_contents(job->check)->expectation[expectation], access);
    } else if (status == BSIM_OK && says && bsim_rules_are_least(site->tally.rules)) {
        bsim_cli_say("banksim: %s %s: '%s' holds of what a warp alone takes; others at the same "
                     "words add to it\n",
                     shown->op, shown->text,
                     bsim_check_contents(job->check)->expectation[expectation].text);
    }
    return status;
}

static enum bsim_status expect_all(struct job *job, bool says, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    for (size_t i = 0; i < bsim_check_contents(job->check)->n_expectations; i++) {
        const struct bsim_check_expectation *expectation =
            &bsim_check_contents(job->check)->expectation[i];
        for (size_t k = 0; k < expectation->n_accesses && status == BSIM_OK; k++) {
            status = expect_of(job, i, expectation->first_access + k, says, err);
        }
    }
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static enum bsim_status run_job(struct job *job, struct bsim_error *err)
{
    enum bsim_status status = bsim_cli_device(job->options, &job->device, &job->chosen, err);
    if (status == BSIM_OK && job->chosen != NULL) {
        bsim_check_for(job->check, job->chosen);
    }
    if (status == BSIM_OK) {
        status = count(job, err);
    }
    if (status == BSIM_OK) {
        status = find_worst(job, err);
    }
    if (status == BSIM_OK) { /* a division by zero in one must not follow a report */
        status = expect_all(job, false, err);
    }
    if (status == BSIM_OK) {
        status = emit_trace(job, err);
    }
    if (status == BSIM_OK && !(emits_to_output(job) && job->options->output == NULL)) {
        status = report(job, err);
    }
    return status == BSIM_OK ? expect_all(job, true, err) : status;
}

static int run(int argc, char **argv)
{
    struct options options;
    struct bsim_check *check;
    struct bsim_error err;
    int code = bsim_cli_describe("check", argc, argv, &options, &check);
    if (code != EXIT_FINE) {
        return code;
    }
    if (options.help) {
        return bsim_cli_help(help);
    }
    options.report.colour = options.output == NULL && bsim_cli_colours(stdout);
    struct job job = {.options = &options, .check = check};
    enum bsim_status status = run_job(&job, &err);
    code = status != BSIM_OK  ? bsim_cli_fail(&err)
           : job.failures > 0 ? EXIT_EXPECTATION
                              : EXIT_FINE;
    for (size_t i = 0; job.remedies != NULL && i < bsim_check_contents(check)->n_accesses; i++) {
        bsim_buffer_free(&job.remedies[i]);
    }
    free(job.remedies);
    bsim_result_free(&job.result);
    free(job.worst);
    free(job.loops);
    bsim_check_free(check);
    return code;
}

const struct command bsim_cli_check = {"check", "ask about index expressions without a trace", help,
                                       run};
