/* cmd_emulate.c - banksim emulate: a document's kernel into a trace, or straight into a report. */
#include "cli/cli.h"

static const char help[] =
    "usage: banksim emulate KERNEL [key=value...] [-o FILE]\n"
    "       banksim emulate KERNEL [key=value...] --run [options]\n"
    "\n"
    "Runs a kernel of the documents on the CPU, checks what it computes, and writes its trace; "
    "with\n"
    "--run simulates it at once. 'banksim list kernels' names the kernels and their sizes.\n"
    "\n"
    "  key=value          a size, such as bdimx=16\n"
    "  -o FILE            where the trace, or with --run the report, goes\n"
    "  --run              simulate; takes --device, --banks, --bank-width, --carveout, --per,\n"
    "                     --format, --metrics, --cycles, --registers, --hazards; on one thread,\n"
    "                     since the blocks of a kernel share memory. What a document says\n"
    "                     otherwise is told on standard error.\n"
    "\n"
    "examples:\n"
    "  banksim emulate square_set_row_read_col -o col.trace\n"
    "  banksim emulate rect_set_row_read_col_pad ipad=1 --run\n"
    "  banksim emulate square_set_col_read_col --run --device k40 --metrics nvprof\n";

/* An emulator and its settings: a source of events. */
struct job {
    const struct bsim_emulator *emulator;
    const char *const *settings;
    size_t n_settings;
};

static enum bsim_status push_kernel(void *context, const struct bsim_sink *sink,
                                    struct bsim_error *err)
{
    const struct job *job = context;
    return bsim_emulator_run(job->emulator, job->settings, job->n_settings, sink, err);
}

static int emulate(struct options *options)
{
    struct bsim_error err;
    struct job job;
    if (options->n_words == 0) {
        return bsim_cli_usage("emulate", "which kernel? 'banksim list kernels' names them");
    }
    if (options->simulates && !options->run) {
        return bsim_cli_usage("emulate", "without --run this writes a trace, which takes -o only");
    }
    if (bsim_emulator_find(options->words[0], &job.emulator, &err) != BSIM_OK) {
        return bsim_cli_fail(&err);
    }
    job.settings = (const char *const *)(options->words + 1);
    job.n_settings = (size_t)options->n_words - 1;
    struct bsim_source source = {.push = push_kernel, .context = &job};
    if (!options->run) {
        enum bsim_status status = bsim_cli_write_trace(options->output, false, &source, &err);
        return status == BSIM_OK ? EXIT_FINE : bsim_cli_fail(&err);
    }
    int code = bsim_cli_simulate(options, job.emulator->name, &source);
    const char *note = bsim_emulator_note(job.emulator);
    if (note != NULL && (code == EXIT_FINE || code == EXIT_EXPECTATION)) {
        bsim_cli_say("note: %s\n", note);
    }
    return code;
}

const struct command bsim_cli_emulate = {
    "emulate", "run a document's kernel on the CPU; write or simulate its trace", help,
    .run = emulate};
