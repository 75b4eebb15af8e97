/* cmd_check.c - banksim check: what index expressions cost, without a trace. */
#include "cli/cli.h"

#include <string.h>

static const char help[] =
    "usage: banksim check [FILE|-] [options]\n"
    "       banksim check FILE.cu|FILE.ptx|FILE.sass ['KERNEL<<<GRID, BLOCK>>>(ARGUMENT, ...)'] [options]\n"
    "\n"
    "Evaluates accesses to memory, as C index expressions, for every warp of a block, and reports\n"
    "how many transactions they take: wavefronts of shared memory, and where lanes meet, sectors\n"
    "and lines of global memory, passes of constant memory.\n"
    "\n"
    "Of a launch, written as for 'banksim launch', it reports what the kernel accesses, by source\n"
    "line; without one it says which launches the file makes. --expect holds for all its accesses\n"
    "to shared memory, --merge none, --blocks N and --steps N are those of 'banksim launch'. A layout\n"
    "that it tells for CUDA C was tried in the file: the whole kernel takes fewer wavefronts with it\n"
    "and no more cycles; where that would take long, it says so.\n"
    "\n"
    "@statements@  --expect COND      'conflicts == 0': exit 1 unless it holds for each access since the\n"
    "                     --expect before it, or for every access if none stands before it; also\n"
    "                     requests wavefronts ideal excessive ways_max sectors lines passes\n"
    "                     shared_bytes. An access that no thread comes to meets none\n"
    "  --emit-trace FILE  write the accesses as a trace for 'banksim run' (-: to standard output,\n"
    "                     and no report); --kernel NAME names it, for 'banksim compare'\n"
    "  --device D         a device: sm_90 (default), k40, a100, generic, ...\n"
    "  --banks N          1 to 64 banks; without --device that is the device generic\n"
    "  --bank-width W     4 or 8 bytes, on devices that have both (k40, generic), as\n"
    "                     cudaDeviceSetSharedMemConfig sets it\n"
    "  --format F         @tables@; html: a page to change it in (make web)\n"
    "  --metrics NAMES    banksim (default), ncu, nvprof: the profiler's metric names, of all\n"
    "                     accesses together\n"
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
    "  banksim check k.cu 'k<<<1, dim3(32, 32)>>>(float[1024] = iota)' --expect 'conflicts == 0'\n"
    "  banksim check tile.check --expect 'conflicts == 0'\n";

/* One run of the command. */
struct job {
    const struct options *options;
    struct bsim_check *check;
    struct bsim_device device;
    const struct bsim_device *chosen; /* &device, or NULL for the default */
    struct bsim_answer answer;
    uint64_t failures;
    struct bsim_buffer told; /* of the expectations */
};

/* ---- output ---------------------------------------------------------------------------------- */

static enum bsim_status report(const struct job *job, struct bsim_error *err)
{
    if (bsim_cli_shows(job->options, BSIM_PAGES)) {
        return bsim_cli_write_page(job->options, err);
    }
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    if (job->options->report.metrics == BSIM_METRICS_BANKSIM) {
        bsim_report_check(job->check, &job->answer, &job->options->report, &buffer);
    } else {
        bsim_report_result(&job->answer.result, &job->options->report, &buffer);
    }
    return bsim_cli_write_out(job->options->output, &buffer, err);
}

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    const struct job *job = context;
    return bsim_check_push(job->check, bsim_cli_device_word(job->options, job->chosen), sink, err);
}

/* The trace itself is what standard output gets. */
static bool emits_to_output(const struct job *job)
{
    return job->options->emit_trace != NULL && strcmp(job->options->emit_trace, "-") == 0;
}

static enum bsim_status emit_trace(struct job *job, struct bsim_error *err)
{
    struct bsim_source source = {.push = push, .context = job};
    const char *path = emits_to_output(job) ? NULL : job->options->emit_trace;
    return job->options->emit_trace != NULL ? bsim_cli_write_trace(path, false, &source, err)
                                            : BSIM_OK;
}

/* ---- the command ----------------------------------------------------------------------------- */

static enum bsim_status run_job(struct job *job, struct bsim_error *err)
{
    enum bsim_status status = bsim_cli_device(job->options, &job->device, &job->chosen, err);
    if (status == BSIM_OK && job->chosen != NULL) {
        bsim_check_for(job->check, job->chosen);
    }
    if (status == BSIM_OK) {
        struct bsim_ask ask = {.device = job->chosen,
                               .device_options = job->options->device_options,
                               .cycles = true,
                               .remedies = bsim_cli_shows(job->options, BSIM_SENTENCES)};
        if (job->options->launch != NULL && bsim_cli_is_cuda(job->options->launch_file)) {
            ask.prove = bsim_cli_prove;
            ask.context = (void *)job->options;
        }
        status = bsim_answer(job->check, &ask, &job->answer, err);
    }
    if (status == BSIM_OK) {
        status = bsim_check_unfenced(job->check, &job->told, err);
    }
    if (status == BSIM_OK) { /* a division by zero in one must not follow a report */
        status =
            bsim_cli_judge(job->check, &job->answer, "banksim: ", &job->told, &job->failures, err);
    }
    if (status == BSIM_OK) {
        status = emit_trace(job, err);
    }
    if (status == BSIM_OK && !(emits_to_output(job) && job->options->output == NULL)) {
        status = report(job, err);
    }
    return status == BSIM_OK ? bsim_buffer_status(&job->told, err) : status;
}

static int ask(struct options *options, struct bsim_check *check)
{
    struct bsim_error err;
    options->report.colour = options->output == NULL && bsim_cli_colours(stdout);
    struct job job = {.options = options, .check = check};
    enum bsim_status status = run_job(&job, &err);
    if (status == BSIM_OK && job.told.data != NULL) {
        bsim_cli_say_lines(job.told.data);
    }
    int code = status != BSIM_OK  ? bsim_cli_fail(&err)
               : job.failures > 0 ? EXIT_EXPECTATION
                                  : EXIT_FINE;
    bsim_buffer_free(&job.told);
    bsim_answer_free(&job.answer);
    return code;
}

const struct command bsim_cli_check = {"check", "ask about index expressions without a trace", help,
                                       .ask = ask};
