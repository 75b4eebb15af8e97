/* cmd_compare.c - banksim compare: what a profiler counted against what the traces say. */
#include "cli/cli.h"

#include <string.h>

static const char help[] =
    "usage: banksim compare --ncu REPORT.csv [TRACE|-]... [options]\n"
    "\n"
    "Simulates traces and puts their counts beside those of a report of Nsight Compute, metric by\n"
    "metric. Without a trace, or with -, reads it from standard input.\n"
    "\n"
    "  --ncu REPORT       what `ncu --csv` printed, with or without --page raw; or - for standard\n"
    "                     input\n"
    "  --tolerance P      differences up to P per cent of what was measured are fine (0)\n"
    "  --all              metrics of global and constant memory decide too; without it they are\n"
    "                     shown only\n"
    "  --device D         a device: sm_90, k40, a100, generic, ... ('banksim list devices');\n"
    "                     without it the trace's own device= holds, and then sm_90\n"
    "  --banks N          1 to 64 banks; without --device that is the device generic\n"
    "  --bank-width W     4 or 8 bytes, on devices that have both (k40, generic)\n"
    "  --format F         @tables@\n"
    "  -o FILE            write the report to FILE\n"
    "\n"
    "Kernels go by their names: setRowReadCol in a trace is \"setRowReadCol(int *)\",\n"
    "\"void space::setRowReadCol<32>(int *)\" or \"_Z13setRowReadColPi\" in the report. A mangled\n"
    "name in a trace, as _Z5scaleILi16EEvPf, is itself, \"void scale<16>(float *)\" or \"scale\" in\n"
    "the report, of overloads the one with its parameters; one that may be of two is refused. An emulated kernel goes by the\n"
    "name that 'banksim list kernels' has from its document as well; where two share one, grid and\n"
    "block decide. If a name has as many launches as the traces have kernels, they belong together\n"
    "in order; otherwise each launch is compared with the first kernel of its name that has its grid\n"
    "and block, or with the first.\n"
    "\n"
    "Exit code: 0 all that decide are equal or within the tolerance, 1 one differs, 2 usage, 3 "
    "bad\n"
    "input, or nothing to compare, 4 system.\n"
    "\n"
    "examples:\n"
    "  ncu --csv --page raw --metrics \\\n"
    "      smsp__inst_executed_op_shared_ld.sum,\\\n"
    "      l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum ./a.out >report.csv\n"
    "  banksim compare --ncu report.csv a.trace\n"
    "  banksim compare --ncu report.csv --tolerance 2 --format csv a.trace b.trace\n"
    "  banksim emulate square_set_row_read_col | banksim compare --ncu report.csv\n";

struct job {
    const struct options *options;
    struct bsim_result result;
    struct bsim_ncu_report *report;
    struct bsim_comparison *comparison;
};

static enum bsim_status read_report(struct job *job, struct bsim_error *err)
{
    FILE *file = NULL;
    enum bsim_status status = bsim_cli_open(job->options->ncu, &file, err);
    if (status == BSIM_OK) {
        struct bsim_input input = bsim_input_file(file, job->options->ncu);
        status = bsim_ncu_read(&input, &job->report, err);
        bsim_cli_close(file);
    }
    return status;
}

static enum bsim_status simulate_all(struct job *job, struct bsim_error *err)
{
    struct bsim_device device;
    struct bsim_run_options run = {.device_options = job->options->device_options};
    enum bsim_status status = bsim_cli_device(job->options, &device, &run.device, err);
    char *path;
    for (int i = 0; (path = bsim_cli_trace_at(job->options, i)) != NULL && status == BSIM_OK; i++) {
        status = bsim_cli_run_trace(path, &run, &job->result, err);
    }
    return status;
}

static enum bsim_status write_comparison(const struct job *job, struct bsim_error *err)
{
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    bsim_report_comparison(job->comparison, &job->result, job->report, &job->options->report,
                           &buffer);
    return bsim_cli_write_out(job->options->output, &buffer, err);
}

static enum bsim_status run_job(struct job *job, struct bsim_error *err)
{
    enum bsim_status status = read_report(job, err);
    if (status == BSIM_OK) {
        status = simulate_all(job, err);
    }
    if (status == BSIM_OK) {
        struct bsim_compare_options wanted = {job->options->tolerance, job->options->all};
        status = bsim_compare(&job->result, job->report, &wanted, &job->comparison, err);
    }
    return status == BSIM_OK ? write_comparison(job, err) : status;
}

static int run(struct options *options)
{
    struct bsim_error err;
    int code = EXIT_FINE;
    if (options->ncu == NULL) {
        return bsim_cli_usage("compare", "which report? --ncu REPORT.csv");
    }
    if (bsim_cli_reads_input(options) + (strcmp(options->ncu, "-") == 0) > 1) {
        return bsim_cli_usage("compare", "standard input, '-', can be read once");
    }
    struct job job = {.options = options};
    if (run_job(&job, &err) != BSIM_OK) {
        code = bsim_cli_fail(&err);
    } else if (job.comparison->n_of[BSIM_DIFFERS] > 0) {
        code = EXIT_EXPECTATION;
    }
    bsim_comparison_free(job.comparison);
    bsim_ncu_free(job.report);
    bsim_result_free(&job.result);
    return code;
}

const struct command bsim_cli_compare = {
    "compare", "hold a report of Nsight Compute against simulated traces", help, .run = run};
