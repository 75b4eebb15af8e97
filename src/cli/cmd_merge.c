/* cmd_merge.c - banksim merge: the parts that --shard wrote, as one report. */
#include "cli/cli.h"

#include <inttypes.h>

static const char help[] =
    "usage: banksim merge PART... [options]\n"
    "\n"
    "Puts together what 'banksim run --shard K/N -o PART' wrote for K = 1 to N, or 'launch' or 'cuda'\n"
    "with --shard, in whatever order, and reports it as one run of the whole would have.\n"
    "\n"
    "  --per WHAT         kernel (default), site\n"
    "  --format F         @tables@\n"
    "  --metrics NAMES    banksim (default), ncu, nvprof: the profiler's metric names\n"
    "  -o FILE            write the report to FILE\n"
    "\n"
    "Exit code: 0 fine, 1 an expect. of the trace does not hold, 2 usage, 3 bad input (a part\n"
    "is damaged, missing, there twice, or of another trace, version or question), 4 system.\n"
    "\n"
    "examples:\n"
    "  for k in 1 2 3; do banksim run --shard $k/3 -o part.$k traces/cost.trace; done\n"
    "  banksim merge --per site part.1 part.2 part.3\n";

enum { MOST_PART_BYTES = 1 << 30 };

static enum bsim_status read_part(void *context, size_t i, struct bsim_buffer *text,
                                  struct bsim_error *err)
{
    static const struct text_kind kind = {"a part of a result, as --shard writes",
                                          "banksim-part 1 ", MOST_PART_BYTES};
    const struct options *options = context;
    return bsim_cli_read_text(options->words[i], &kind, text, err);
}

static int merge(struct options *options)
{
    struct bsim_result result = {0};
    struct bsim_error err;
    if (options->n_words == 0) {
        return bsim_cli_usage("merge", "which parts? 'run', 'launch' and 'cuda' with --shard 1/2 write one");
    }
    if (options->report.per == BSIM_PER_REQUEST) {
        return bsim_cli_usage("merge", "parts hold kernels and sites, no requests");
    }
    struct bsim_parts parts = {(size_t)options->n_words, (const char *const *)options->words,
                               read_part, options};
    enum bsim_status status = bsim_merge(&parts, &result, &err);
    if (status == BSIM_OK) {
        struct bsim_buffer text = BSIM_BUFFER_EMPTY;
        bsim_report_result(&result, &options->report, &text);
        struct bsim_rests rests = {.has_cycles = false};
        bsim_cli_say_rests(options, &result, &rests);
        status = bsim_cli_write_out(options->output, &text, &err);
    }
    int code = status != BSIM_OK                ? bsim_cli_fail(&err)
               : result.expectations_failed > 0 ? EXIT_EXPECTATION
                                                : EXIT_FINE;
    if (code == EXIT_EXPECTATION) {
        bsim_cli_say("%" PRIu64 " of %" PRIu64 " expectations do not hold\n",
                     result.expectations_failed, result.expectations);
    }
    bsim_result_free(&result);
    return code;
}

const struct command bsim_cli_merge = {"merge", "put the parts of a sharded run together", help,
                                       .run = merge};
