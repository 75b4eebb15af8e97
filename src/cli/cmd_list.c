/* cmd_list.c - banksim list: what banksim knows. */
#include "cli/cli.h"

#include <string.h>

static const char help[] =
    "usage: banksim list kernels|devices|opcodes [NAME] [--names | --format F]\n"
    "\n"
    "  kernels            the documents' kernels that can be emulated, with their sizes\n"
    "  devices [NAME]     the devices, and for each of their rules its grade (measured,\n"
    "                     documented, assumed) and source\n"
    "  opcodes            the opcodes of the trace format\n"
    "  --names            nothing but the names, one a line\n"
    "  --format F         @tables@\n"
    "\n"
    "examples:\n"
    "  banksim list kernels\n"
    "  banksim list devices k40\n"
    "  banksim list devices --format csv\n";

/* As enum bsim_list numbers them. */
static const char *const words[] = {"devices", "kernels", "opcodes"};

enum { N_LISTS = sizeof words / sizeof words[0] };

static void add_names(enum bsim_list list, struct bsim_buffer *out)
{
    const struct bsim_emulator *emulator;
    struct bsim_device device;
    if (list == BSIM_LIST_EMULATORS) {
        for (size_t i = 0; (emulator = bsim_emulator_at(i)) != NULL; i++) {
            bsim_buffer_printf(out, "%s\n", emulator->name);
        }
    } else if (list == BSIM_LIST_DEVICES) {
        for (size_t i = 0; bsim_device_at(i, &device); i++) {
            bsim_buffer_printf(out, "%s\n", device.name);
        }
    } else {
        bsim_report_list(list, NULL, BSIM_TEXT, out);
    }
}

/* name: of the device that is asked for, or NULL. */
static int print(enum bsim_list list, const char *name, const struct options *options)
{
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    struct bsim_device device;
    struct bsim_error err;
    if (name != NULL && bsim_device_find(name, NULL, &device, &err) != BSIM_OK) {
        return bsim_cli_fail(&err);
    }
    if (options->names) {
        add_names(list, &buffer);
    } else {
        bsim_report_list(list, name, options->report.format, &buffer);
    }
    return bsim_cli_write_out(NULL, &buffer, &err) == BSIM_OK ? EXIT_FINE : bsim_cli_fail(&err);
}

static int list(struct options *options)
{
    const char *what = options->n_words > 0 ? options->words[0] : "";
    int which = 0;
    while (which < N_LISTS && strcmp(what, words[which]) != 0) {
        which++;
    }
    if (which == N_LISTS) {
        return bsim_cli_usage("list", "list what? kernels, devices or opcodes");
    }
    if (options->n_words > (which == BSIM_LIST_DEVICES && !options->names ? 2 : 1)) {
        return bsim_cli_usage("list", "too many words: '%s'", options->words[options->n_words - 1]);
    }
    return print((enum bsim_list)which, options->n_words > 1 ? options->words[1] : NULL, options);
}

const struct command bsim_cli_list = {"list", "the kernels, devices and opcodes that are known",
                                      help, .run = list};
