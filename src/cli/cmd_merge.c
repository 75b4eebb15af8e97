/* cmd_merge.c - banksim merge: the parts that banksim run --shard wrote, as one report. */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: banksim merge PART... [options]\n"
    "\n"
    "Puts together what 'banksim run --shard K/N -o PART' wrote for K = 1 to N, in whatever\n"
    "order, and reports it as one run of the whole trace would have.\n"
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

struct merging {
    const struct options *options;
    struct bsim_part sum;
    char **path;      /* of part k at k - 1, or NULL: it has not come yet */
    uint32_t n_paths; /* the first parts, as many as may all be there, and one */
};

static enum bsim_status no_memory(struct bsim_error *err)
{
    return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
}

static enum bsim_status refuse(const char *path, struct bsim_error *err)
{
    bsim_error_place(err, path, 0, 0, NULL, 0);
    return BSIM_E_INPUT;
}

/* The first part says how many there are, and of what. */
static enum bsim_status begin(struct merging *merging, const struct bsim_part *part,
                              struct bsim_error *err)
{
    merging->sum.n_shards = part->n_shards;
    merging->sum.identity = part->identity;
    /* A part may say that it is one of 2^32; among one more than were named, one is missing. */
    uint32_t most = (uint32_t)merging->options->n_words + 1;
    merging->n_paths = part->n_shards < most ? part->n_shards : most;
    merging->path = calloc(merging->n_paths, sizeof *merging->path);
    return merging->path != NULL ? BSIM_OK : no_memory(err);
}

static enum bsim_status check(const struct merging *merging, const struct bsim_part *part,
                              const char *path, struct bsim_error *err)
{
    const struct bsim_part *sum = &merging->sum;
    if (part->n_shards != sum->n_shards) {
        (void)bsim_error_set(err, BSIM_E_INPUT,
                             "this is a part of %" PRIu32 ", and those before it are of %" PRIu32,
                             part->n_shards, sum->n_shards);
        return refuse(path, err);
    }
    if (part->identity != sum->identity) {
        (void)bsim_error_set(err, BSIM_E_INPUT,
                             "this is a part of another trace than those before it, or was made "
                             "with other options");
        return refuse(path, err);
    }
    const char *other = part->shard <= merging->n_paths ? merging->path[part->shard - 1] : NULL;
    if (other != NULL) {
        (void)bsim_error_set(err, BSIM_E_INPUT, "part %" PRIu32 " is there twice: also %s",
                             part->shard, other);
        return refuse(path, err);
    }
    return BSIM_OK;
}

static enum bsim_status add(struct merging *merging, struct bsim_part *part, char *path,
                            struct bsim_error *err)
{
    enum bsim_status status = merging->path == NULL ? begin(merging, part, err) : BSIM_OK;
    if (status == BSIM_OK) {
        status = check(merging, part, path, err);
    }
    if (status == BSIM_OK) {
        status = bsim_result_merge(&merging->sum.result, &part->result, err);
    }
    if (status == BSIM_E_USAGE || status == BSIM_E_INPUT) { /* what the identity did not tell */
        err->status = BSIM_E_INPUT;
        return refuse(path, err);
    }
    if (status == BSIM_OK && part->shard <= merging->n_paths) {
        merging->path[part->shard - 1] = path;
    }
    return status;
}

static enum bsim_status add_file(struct merging *merging, char *path, struct bsim_error *err)
{
    struct bsim_buffer bytes = BSIM_BUFFER_EMPTY;
    struct bsim_part part = {.shard = 0};
    static const struct text_kind kind = {"a part of a result, as banksim run --shard writes",
                                          "banksim-part ", MOST_PART_BYTES};
    enum bsim_status status = bsim_cli_read_text(path, &kind, &bytes, err);
    if (status == BSIM_OK) {
        status = bsim_part_read(bytes.data != NULL ? bytes.data : "", bytes.size_bytes, path, &part,
                                err);
    }
    if (status == BSIM_OK) {
        status = add(merging, &part, path, err);
    }
    bsim_result_free(&part.result);
    bsim_buffer_free(&bytes);
    return status;
}

static enum bsim_status check_whole(const struct merging *merging, struct bsim_error *err)
{
    uint32_t n = merging->sum.n_shards;
    for (uint32_t k = 0; k < merging->n_paths; k++) {
        if (merging->path[k] == NULL) {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "part %" PRIu32 " of %" PRIu32
                                  " is missing: banksim run --shard %" PRIu32 "/%" PRIu32
                                  " writes it",
                                  k + 1, n, k + 1, n);
        }
    }
    return BSIM_OK;
}

static enum bsim_status merge_files(struct merging *merging, struct bsim_error *err)
{
    const struct options *options = merging->options;
    enum bsim_status status = BSIM_OK;
    for (int i = 0; i < options->n_words && status == BSIM_OK; i++) {
        status = add_file(merging, options->words[i], err);
    }
    return status == BSIM_OK ? check_whole(merging, err) : status;
}

static enum bsim_status report(struct merging *merging, struct bsim_error *err)
{
    const struct options *options = merging->options;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct output output;
    enum bsim_status status = bsim_result_check_constants(&merging->sum.result, err);
    if (status != BSIM_OK) {
        return status;
    }
    status = bsim_cli_output_open(&output, options->output, false, err);
    if (status == BSIM_OK) {
        bsim_report_result(&merging->sum.result, &options->report, &text);
        status = bsim_cli_output_write(&output, &text, err);
    }
    if (status == BSIM_OK) {
        status = bsim_cli_output_commit(&output, err);
    }
    bsim_cli_output_abort(&output);
    bsim_buffer_free(&text);
    return status;
}

static int merge(int argc, char **argv)
{
    struct options options;
    struct merging merging = {.options = &options};
    struct bsim_error err;
    int code = bsim_cli_options("merge", argc, argv, &options);
    if (code != EXIT_FINE) {
        return code;
    }
    if (options.help) {
        return bsim_cli_help(help);
    }
    if (options.n_words == 0) {
        return bsim_cli_usage("merge", "which parts? banksim run --shard 1/2 writes one");
    }
    if (options.report.per == BSIM_PER_REQUEST || options.report.format == BSIM_HTML) {
        return bsim_cli_usage("merge", "parts hold kernels and sites, no requests");
    }
    options.report.colour = options.output == NULL && bsim_cli_colours(stdout);
    enum bsim_status status = merge_files(&merging, &err);
    if (status == BSIM_OK) {
        status = report(&merging, &err);
    }
    const struct bsim_result *result = &merging.sum.result;
    code = status != BSIM_OK                 ? bsim_cli_fail(&err)
           : result->expectations_failed > 0 ? EXIT_EXPECTATION
                                             : EXIT_FINE;
    if (code == EXIT_EXPECTATION) {
        bsim_cli_say("%" PRIu64 " of %" PRIu64 " expectations do not hold\n",
                     result->expectations_failed, result->expectations);
    }
    free(merging.path);
    bsim_result_free(&merging.sum.result);
    return code;
}

const struct command bsim_cli_merge = {"merge", "put the parts of a sharded run together", help,
                                       merge};
