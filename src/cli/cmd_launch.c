/* cmd_launch.c - banksim launch: a kernel in PTX, or in CUDA C, run on the CPU. */
#include "cli/cli.h"

#include "base/scan.h"

#include <banksim/cuda.h>
#include <banksim/ptx.h>

#include <errno.h>
#include <string.h>

static const char help[] =
    "usage: banksim launch FILE.cu|FILE.ptx 'KERNEL<<<GRID, BLOCK[, BYTES]>>>(ARGUMENT, ...)' "
    "[options]\n"
    "\n"
    "Runs a kernel on the CPU and reports what its accesses cost, by source line: from CUDA C\n"
    "(.cu, .cuh), with no compiler, or from a PTX module, as nvcc -ptx -lineinfo, clang, Triton,\n"
    "Numba or Julia write it. CUDA C that is not read here is refused: 'banksim cuda' compiles "
    "it.\n"
    "\n"
    "  KERNEL             its name in the source, a template's with its arguments: scale<16>; or "
    "mangled\n"
    "  GRID, BLOCK        a number, or dim3(x, y, z); BYTES: dynamic shared memory\n"
    "  ARGUMENT           a number, or an array that the launch makes: float[1024] (zeros),\n"
    "                     int[64] = iota, float4[256] = random(7), half[32] = 1.5,\n"
    "                     float[1024] = \"a.bin\" (its raw bytes); or a struct of these, with "
    "numbers\n"
    "                     as in C or typed: {float[64] = iota, long 64, float4 {0, 0, 0, 1}, "
    "2.5f}\n"
    "\n"
    "  --dump N=FILE      writes the raw bytes of argument N, counted from 0, as the kernel left "
    "them;\n"
    "                     1.0 is the first member of argument 1\n"
    "  --merge none       accesses as they stand in the PTX; else neighbours are one access, as "
    "ptxas\n"
    "                     makes them\n"
    "  --blocks N         runs N blocks alone, spread over the grid\n"
    "  --jobs N           threads that run blocks, 1 to 64 (the machine's processors); the result "
    "is the\n"
    "                     same whatever N, and memory and output are too\n"
    "  --shard K/N        runs all blocks, counts the K-th of N parts of them, and writes that "
    "for\n"
    "                     'banksim merge'\n"
    "  --device, --banks, --bank-width, --carveout, --per, --format, --metrics, --cycles,\n"
    "  --registers, --hazards\n"
    "                     as 'banksim run' has them\n"
    "  -o FILE            where the report goes; FILE.trace: the trace instead\n"
    "\n"
    "What ends a launch on a GPU ends it here, and so do deadlocks; what a GPU lets pass is warned "
    "of:\n"
    "shared memory that nobody wrote, barriers and masks that lanes miss. --hazards looks for "
    "races.\n"
    "\n"
    "examples:\n"
    "  banksim launch k.cu 'scale<<<4, 128>>>(float[512] = iota, 2.0f)'\n"
    "  nvcc -ptx -lineinfo -o k.ptx k.cu\n"
    "  banksim launch k.ptx 'transpose<<<dim3(4,4), dim3(32,8)>>>(float[16384] = iota, \\\n"
    "      float[16384], 128, 128)' --per site\n"
    "  banksim launch k.ptx 'sum<<<8, 256, 1024>>>(int[2048] = random, int[1])' --dump "
    "1=sums.bin\n";

/* One command. */
struct job {
    const struct options *options;
    struct bsim_buffer text, launch;
        /* the latter without a template's arguments; empty: as it is said */ /* of the module */
    struct bsim_ptx_call *call;
};

static void print_text(void *context, const char *text, size_t length)
{
    (void)context;
    fwrite(text, 1, length, stdout);
}

static enum bsim_status push_launch(void *context, const struct bsim_sink *sink,
                                    struct bsim_error *err)
{
    const struct job *job = context;
    return bsim_ptx_call_run(job->call, sink, err);
}

/* ---- arrays afterwards ----------------------------------------------------------------------- */

enum { MAX_PATH = 64 };

/* "1.0=sums.bin": the array's path, of an argument or its member, and where the name begins; NULL if that
 * is not the form. */
static const char *split_dump(const char *dump, char path[MAX_PATH])
{
    size_t length = strspn(dump, "0123456789.");
    if (length == 0 || length >= MAX_PATH || dump[length] != '=' || dump[length + 1] == '\0') {
        return NULL;
    }
    memcpy(path, dump, length);
    path[length] = '\0';
    return dump + length + 1;
}

static enum bsim_status check_dumps(const struct job *job, struct bsim_error *err)
{
    for (uint32_t i = 0; i < job->options->n_dumps; i++) {
        size_t size;
        char path[MAX_PATH];
        const char *dump = job->options->dump[i];
        if (split_dump(dump, path) == NULL) {
            return bsim_error_set(err, BSIM_E_USAGE,
                                  "--dump takes N=FILE, such as 1=sums.bin, not '%s'", dump);
        }
        if (bsim_ptx_call_array(job->call, path, &size) == NULL) {
            return bsim_error_set(err, BSIM_E_USAGE,
                                  "--dump %s: argument %s, counted from 0, is no array", dump,
                                  path);
        }
    }
    return BSIM_OK;
}

static enum bsim_status write_dump(const struct job *job, const char *dump, struct bsim_error *err)
{
    size_t size = 0;
    struct output output;
    char argument[MAX_PATH];
    const char *path = split_dump(dump, argument);
    const void *data = bsim_ptx_call_array(job->call, argument, &size);
    enum bsim_status status = bsim_cli_output_open(&output, path, false, err);
    if (status == BSIM_OK && fwrite(data, 1, size, output.file) != size) {
        status = bsim_error_set(err, BSIM_E_IO, "cannot write %s: %s", path, strerror(errno));
    }
    if (status == BSIM_OK) {
        status = bsim_cli_output_commit(&output, err);
    }
    bsim_cli_output_abort(&output);
    return status;
}

static int write_dumps(const struct job *job)
{
    struct bsim_error err;
    for (uint32_t i = 0; i < job->options->n_dumps; i++) {
        if (write_dump(job, job->options->dump[i], &err) != BSIM_OK) {
            return bsim_cli_fail(&err);
        }
    }
    return EXIT_FINE;
}

/* ---- the trace ------------------------------------------------------------------------------- */

static int write_trace(struct job *job)
{
    struct bsim_error err;
    struct bsim_source source = {.push = push_launch, .context = job};
    enum bsim_status status = bsim_cli_write_trace(job->options->output, false, &source, &err);
    return status == BSIM_OK ? EXIT_FINE : bsim_cli_fail(&err);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Whether the file is CUDA C, by its name. */
static bool is_cuda(const char *path)
{
    size_t length = strlen(path);
    return (length > 3 && strcmp(path + length - 3, ".cu") == 0) ||
           (length > 4 && strcmp(path + length - 4, ".cuh") == 0);
}

/* CUDA C becomes PTX: the kernel that the launch names. */
static enum bsim_status translate(struct job *job, struct bsim_error *err)
{
    struct bsim_buffer ptx = BSIM_BUFFER_EMPTY, name = BSIM_BUFFER_EMPTY;
    const char *launch = bsim_skip_blanks(job->options->words[1]);
    const char *end = strstr(launch, "<<<");
    size_t length = end != NULL ? (size_t)(end - launch) : strcspn(launch, " \t<");
    while (length > 0 && (launch[length - 1] == ' ' || launch[length - 1] == '\t')) {
        length--;
    }
    bsim_buffer_add(&name, launch, length);
    if (end != NULL) { /* of a template the PTX has what these arguments make of it, and no other */
        bsim_buffer_add(&job->launch, launch, strcspn(launch, "<"));
        bsim_buffer_text(&job->launch, end);
    }
    enum bsim_status status = bsim_buffer_status(&name, err);
    if (status == BSIM_OK) {
        status = bsim_cuda_ptx(job->options->words[0], job->text.data, job->text.size_bytes,
                               name.size_bytes > 0 ? name.data : NULL, &ptx, err);
    }
    bsim_buffer_free(&name);
    bsim_buffer_free(&job->text);
    job->text = ptx;
    return status;
}

static enum bsim_status open_call(struct job *job, struct bsim_error *err)
{
    enum { MOST = 1 << 28 };
    static const struct text_kind kind = {"a file of CUDA C or PTX", "", MOST};
    const char *path = job->options->words[0];
    enum bsim_status status = bsim_cli_read_text(path, &kind, &job->text, err);
    if (status == BSIM_OK && is_cuda(path)) {
        status = translate(job, err);
    }
    if (status == BSIM_OK) {
        status = bsim_ptx_call_new(path, job->text.data, job->text.size_bytes,
                                   job->launch.size_bytes > 0 ? job->launch.data
                                                              : job->options->words[1],
                                   &job->call, err);
    }
    if (status == BSIM_OK) {
        bsim_ptx_call_print(job->call, print_text, NULL);
        struct bsim_ptx_options options = {.is_bare = job->options->bare,
                                           .has_work = bsim_cli_wants_work(job->options),
                                           .jobs = job->options->jobs,
                                           .n_blocks = job->options->blocks};
        bsim_ptx_call_set(job->call, &options);
        status = check_dumps(job, err);
    }
    return status;
}

static int run_call(struct job *job)
{
    if (bsim_cli_wants_trace(job->options)) {
        return write_trace(job);
    }
    struct bsim_source source = {.push = push_launch, .context = job};
    return bsim_cli_simulate(job->options, job->options->words[0], &source);
}

static int launch(struct options *options)
{
    struct bsim_error err;
    struct job job = {.options = options};
    if (options->n_words != 2) {
        return bsim_cli_usage("launch", "what is due is a file of CUDA C or PTX and one launch, in "
                                        "quotes: launch k.cu 'k<<<1, 32>>>(float[32])'");
    }
    int code = open_call(&job, &err) == BSIM_OK ? run_call(&job) : bsim_cli_fail(&err);
    if (code == EXIT_INPUT && job.call == NULL && is_cuda(options->words[0])) {
        bsim_cli_say_lines("'banksim cuda' has nvcc or clang read all of CUDA.\n");
    }
    if (job.call != NULL) {
        bsim_cli_say_lines(bsim_ptx_call_findings(job.call));
    }
    if (code == EXIT_FINE || code == EXIT_EXPECTATION) {
        int written = write_dumps(&job);
        code = written == EXIT_FINE ? code : written;
    }
    bsim_ptx_call_free(job.call);
    bsim_buffer_free(&job.text);
    bsim_buffer_free(&job.launch);
    return code;
}

const struct command bsim_cli_launch = {
    "launch", "run a kernel in CUDA C or PTX on the CPU and report what its accesses cost", help,
    .run = launch};
