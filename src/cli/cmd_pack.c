/* cmd_pack.c - banksim pack, unpack and convert: a trace into the binary format, and into text from
 * there or from another program's. */
#define _POSIX_C_SOURCE 200809L

#include "cli/cli.h"

#include <unistd.h>

static const char pack_help[] =
    "usage: banksim pack [TRACE|-] [-o FILE]\n"
    "\n"
    "Writes a trace in the binary format, which every command reads where it reads text, many "
    "times\n"
    "faster: the same records, each with its line, guarded by checksums, with an index of the\n"
    "blocks. Comments are not records and stay behind.\n"
    "\n"
    "  -o FILE            where the binary trace goes; without it, standard output, if that is no\n"
    "                     terminal\n"
    "\n"
    "examples:\n"
    "  banksim pack big.trace -o big.bin && banksim run big.bin\n"
    "  banksim emulate square_set_row_read_col | banksim pack | banksim run -\n";

static const char unpack_help[] =
    "usage: banksim unpack [TRACE|-] [-o FILE]\n"
    "\n"
    "Writes a binary trace as text: the records that were packed, one in a line.\n"
    "\n"
    "  -o FILE            where the text goes; without it, standard output\n"
    "\n"
    "example:\n"
    "  banksim unpack big.bin | grep expect\n";

static const char convert_help[] =
    "usage: banksim convert [TRACE|-] [-o FILE]\n"
    "\n"
    "Writes an Accel-Sim trace (.traceg) as a banksim text trace, for people to read and cut and\n"
    "for tools to edit. The other commands read an Accel-Sim trace as it is. What it has and a\n"
    "banksim trace cannot hold is told on standard error.\n"
    "\n"
    "  -o FILE            where the text goes; without it, standard output\n"
    "\n"
    "examples:\n"
    "  banksim convert kernel-1.traceg -o kernel-1.trace\n"
    "  xz -dc kernel-1.traceg.xz | banksim convert | head\n";

static int write_trace(const char *command, const struct options *options, bool is_binary)
{
    struct bsim_source source = {.push = bsim_cli_push_trace,
                                 .context = bsim_cli_trace_at(options, 0)};
    struct bsim_error err;
    if (options->n_words > 1) {
        return bsim_cli_usage(command, "one trace at a time: '%s' is one too many",
                              options->words[1]);
    }
    if (is_binary && options->output == NULL && isatty(STDOUT_FILENO) == 1) {
        return bsim_cli_usage(command, "a binary trace is nothing for a terminal: give -o FILE");
    }
    return bsim_cli_write_trace(options->output, is_binary, &source, &err) == BSIM_OK
               ? EXIT_FINE
               : bsim_cli_fail(&err);
}

static int pack(struct options *options)
{
    return write_trace("pack", options, true);
}

static int unpack(struct options *options)
{
    return write_trace("unpack", options, false);
}

/* What unpack does, asked for by what goes in. */
static int from_elsewhere(struct options *options)
{
    return write_trace("convert", options, false);
}

const struct command bsim_cli_pack = {"pack", "write a trace in the fast binary format", pack_help,
                                      .run = pack};
const struct command bsim_cli_unpack = {"unpack", "write a binary trace as text", unpack_help,
                                        .run = unpack};
const struct command bsim_cli_convert = {"convert", "write an Accel-Sim trace as text",
                                         convert_help, .run = from_elsewhere};
