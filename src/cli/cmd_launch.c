/* cmd_launch.c - banksim launch: a kernel in CUDA C, PTX or machine code, run on the CPU. */
#include "cli/cli.h"

#include <banksim/ptx.h>

#include <errno.h>
#include <string.h>

static const char help[] =
    "usage: banksim launch FILE.cu|FILE.ptx|FILE.sass 'KERNEL<<<GRID, BLOCK[, BYTES]>>>(ARGUMENT, ...)' "
    "[options]\n"
    "\n"
    "Runs a kernel on the CPU and reports what its accesses cost, by source line: from CUDA C\n"
    "(.cu, .cuh), with no compiler, from a PTX module, as nvcc -ptx -lineinfo, clang, Triton,\n"
    "Numba or Julia write it, or from machine code, as cuobjdump -elf -sass writes it, whose order\n"
    "and stalls are a GPU's: of what can be known without one, the nearest to its cycles. CUDA C\n"
    "that is not read here is refused: 'banksim cuda' compiles it.\n"
    "Without a launch it proposes those that the file makes, or its kernels.\n"
    "\n"
    "  KERNEL             its name in the source, a template's with its arguments: scale<16>; or "
    "mangled\n"
    "  GRID, BLOCK        a number, or dim3(x, y, z); BYTES: dynamic shared memory\n"
    "  ARGUMENT           a number, or an array that the launch makes: float[1024] (zeros),\n"
    "                     int[64] = iota, float4[256] = random(7), __nv_bfloat16[32] = 1.5,\n"
    "                     float[1024] = \"a.bin\" (its raw bytes); float[1032] + 4, a pointer to\n"
    "                     its element 4; or a struct of these, with numbers\n"
    "                     as in C or typed: {float[64] = iota, long 64, float4 {0, 0, 0, 1}, "
    "2.5f};\n"
    "                     or the tensor map of an array, as cuTensorMapEncodeTiled makes it, sides "
    "from\n"
    "                     the innermost on: tensormap half 1024x512 box=64x128 swizzle=128B = iota;\n"
    "                     tensormap float 30x32 box=8x8 pitch=128 of 0 (argument 0, rows 128 bytes "
    "apart)\n"
    "\n"
    "  --dump N=FILE      writes the raw bytes of argument N, counted from 0, as the kernel left "
    "them;\n"
    "                     1.0 is the first member of argument 1\n"
    "  --merge none       accesses as they stand in the PTX; else neighbours are one access, as "
    "ptxas\n"
    "                     makes them\n"
    "  --blocks N         runs N blocks alone, spread over the grid\n"
    "  --steps N          ends where a block has taken N million instructions for each of its warps\n"
    "                     (256): a loop that never ends, or late; exit code 3\n"
    "  --jobs N           threads that run blocks, 1 to 64 (the machine's processors); the result "
    "is the\n"
    "                     same whatever N, and memory and output are too\n"
    "  --shard K/N        runs all blocks, counts the K-th of N parts of them, and writes that "
    "for\n"
    "                     'banksim merge'\n"
    "  --device (of machine code: what it is for), --banks, --bank-width, --carveout, --per,\n"
    "  --format, --metrics, --cycles, --registers, --hazards\n"
    "                     as 'banksim run' has them\n"
    "  -o FILE            where the report goes; FILE.trace: the trace instead, with --device and\n"
    "                     --registers\n"
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
    "  nvcc -arch=sm_90 -cubin -o k.cubin k.cu && cuobjdump -elf -sass k.cubin > k.sass\n"
    "  banksim launch k.sass 'scale<<<4, 128>>>(float[512] = iota, 2.0f)' --cycles always\n"
    "  banksim launch k.ptx 'sum<<<8, 256, 1024>>>(int[2048] = random, int[1])' --dump "
    "1=sums.bin\n";

/* One command. */
struct job {
    const struct options *options;
    struct call call;
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
    return bsim_ptx_call_run(job->call.ptx, sink, err);
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
        if (bsim_ptx_call_array(job->call.ptx, path, &size) == NULL) {
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
    const void *data = bsim_ptx_call_array(job->call.ptx, argument, &size);
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
    enum bsim_status status = bsim_cli_write_launches(job->options, &source, &err);
    return status == BSIM_OK ? EXIT_FINE : bsim_cli_fail(&err);
}

/* ---- the command ----------------------------------------------------------------------------- */

static enum bsim_status open_call(struct job *job, struct bsim_error *err)
{
    const char *path = job->options->words[0];
    enum bsim_status status = bsim_cli_read_kernels(path, &job->call.text, err);
    if (status == BSIM_OK) {
        status = bsim_cli_call_open(job->options, path, job->options->words[1],
                                    bsim_cli_wants_work(job->options), &job->call, err);
    }
    if (status == BSIM_OK) {
        bsim_ptx_call_print(job->call.ptx, print_text, NULL);
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
    bool is_without = false;
    if (options->n_words == 1 && bsim_cli_has_kernels(options->words[0])) {
        int told = bsim_cli_call_propose("launch", options->words[0], &is_without);
        return is_without ? bsim_cli_no_kernel("launch", options->words[0]) : told;
    }
    if (options->n_words != 2) {
        return bsim_cli_usage("launch", "what is due is a file of CUDA C, PTX or machine code and one launch, in "
                                        "quotes: launch k.cu 'k<<<1, 32>>>(float[32])'");
    }
    enum bsim_status status = open_call(&job, &err);
    int code = status == BSIM_OK ? run_call(&job) : bsim_cli_fail(&err);
    bsim_cli_call_say(options->words[0], &job.call, code);
    if (code == EXIT_FINE || code == EXIT_EXPECTATION) {
        int written = write_dumps(&job);
        code = written == EXIT_FINE ? code : written;
    }
    bsim_cli_call_free(&job.call);
    return code;
}

const struct command bsim_cli_launch = {
    "launch", "run a kernel in CUDA C, PTX or machine code on the CPU and report what its accesses cost", help,
    .run = launch};
