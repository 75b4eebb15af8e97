/* cmd_advise.c - banksim advise: which padding or swizzle helps. */
#include "cli/cli.h"

static const char help[] =
    "usage: banksim advise [FILE|-] [options]            accesses as 'banksim check' takes them\n"
    "       banksim advise TRACE|- [--kernel NAME] [--shared DECL]\n"
    "       banksim advise FILE.cu|FILE.ptx|FILE.sass 'KERNEL<<<GRID, BLOCK>>>(ARGUMENT, ...)'\n"
    "\n"
    "Takes accesses to shared memory, tries paddings, swizzles, rotations and, of all layouts in\n"
    "which bits of the index flip bits of the bank, the one with the fewest conflicts, for each\n"
    "array over all accesses together, and shows the best: the fewest wavefronts, then the\n"
    "least shared memory, then the fewest operations of the index. Where barriers or work stand\n"
    "between accesses, the one of these whose block takes the fewest cycles comes first.\n"
    "\n"
    "Of a trace, as 'banksim launch' and 'cuda' write them, it looks at all launches of the kernel\n"
    "that loses most to conflicts, or of --kernel. --shared declares its arrays, by name, size\n"
    "and order, so that layouts come by rows and columns; without it i counts through each. A\n"
    "launch, written as for 'banksim launch', is looked at as its trace; of CUDA C the arrays are\n"
    "known, each plan is written into the file's text, and the kernel run again: the best that leaves\n"
    "the same bytes in all arrays comes as a diff for 'patch -p0'. --merge none and --blocks N are\n"
    "those of 'banksim launch'.\n"
    "\n"
    "@statements@  --best N           show N at most (3), each of another kind; 1 to 8\n"
    "  --all              all paddings and swizzles, and others, as csv (or json)\n"
    "  --device D         a device: sm_90 (default), k40, a100, generic, ...\n"
    "  --banks N          1 to 64 banks; without --device that is the device generic\n"
    "  --bank-width W     4 or 8 bytes, on devices that have both (k40, generic)\n"
    "  --carveout C       l1, equal, shared or per cent, for the blocks per SM ('banksim run --help')\n"
    "  --registers N      registers per thread, for the blocks per SM\n"
    "  --format F         @tables@; html: the page of 'check'\n"
    "  -o FILE            write it to FILE\n"
    "\n"
    "A plan writes x for an array's last index, y for the one before and z for the one before that\n"
    "(i where there is only one), in elements as declared. Every access to the array has to change,\n"
    "even one that was not given here. --expect in FILE is ignored.\n"
    "\n"
    "Exit code: 0 fine, 2 usage, 3 bad input, 4 system.\n"
    "\n"
    "examples:\n"
    "  banksim advise --block 32,32 --shared 'float tile[32][32]' \\\n"
    "      --store 'tile[threadIdx.y][threadIdx.x]' --load 'tile[threadIdx.x][threadIdx.y]'\n"
    "  banksim launch k.ptx 'transpose<<<16, dim3(32,8)>>>(float[16384], float[16384])' -o k.trace\n"
    "  banksim advise k.trace --shared 'float tile[32][32]'\n"
    "  banksim advise tile.check --all | sort -t, -k2n | head\n";

static enum bsim_status advise(const struct options *options, const struct bsim_check *check,
                               struct bsim_error *err)
{
    struct bsim_device device;
    struct bsim_advice *advice = NULL;
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY, patch = BSIM_BUFFER_EMPTY;
    struct bsim_advise_options wanted = {
        .n_plans = options->best, .all = options->all, .registers = options->registers};
    enum bsim_status status =
        bsim_cli_device_of(options, bsim_check_contents(check)->recorded, &device, err);
    if (status == BSIM_OK && bsim_cli_shows(options, BSIM_PAGES)) {
        return bsim_cli_write_page(options, err);
    }
    if (status == BSIM_OK) {
        status = bsim_advise(check, &device, &wanted, &advice, err);
    }
    if (status == BSIM_OK) {
        bool is_patched = options->launch != NULL && bsim_cli_is_cuda(options->launch_file) &&
                          bsim_cli_shows(options, BSIM_SENTENCES);
        status = is_patched ? bsim_cli_patch(options, check, advice, &patch, err) : BSIM_OK;
    }
    if (status == BSIM_OK) {
        bsim_report_advice(check, advice, &options->report, &buffer);
        bsim_buffer_add(&buffer, patch.data, patch.size_bytes);
        buffer.failed = buffer.failed || patch.failed;
    }
    bsim_buffer_free(&patch);
    if (status == BSIM_OK) {
        status = bsim_cli_write_out(options->output, &buffer, err);
    }
    bsim_advice_free(advice);
    return status;
}

static int ask(struct options *options, struct bsim_check *check)
{
    struct bsim_error err;
    if (bsim_cli_shows(options, BSIM_PAGES) &&
        (options->all || options->registers > 0 || options->device_options.carveout != 0)) {
        return bsim_cli_usage("advise", "a page of --format html asks for its plans by itself: leave out "
                                        "--all, --registers and --carveout");
    }
    if (options->all && bsim_cli_shows(options, BSIM_SENTENCES)) {
        options->report.format = BSIM_CSV;
    }
    return advise(options, check, &err) == BSIM_OK ? EXIT_FINE : bsim_cli_fail(&err);
}

const struct command bsim_cli_advise = {"advise", "find the padding or swizzle that helps", help,
                                        .ask = ask};
