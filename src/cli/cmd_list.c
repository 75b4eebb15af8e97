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

static int print(struct bsim_buffer *buffer)
{
    struct bsim_error err;
    return bsim_cli_write_out(NULL, buffer, &err) == BSIM_OK ? EXIT_FINE : bsim_cli_fail(&err);
}

static int list_names(const char *what)
{
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    const struct bsim_emulator *emulator;
    struct bsim_device device;
    if (strcmp(what, "kernels") == 0) {
        for (size_t i = 0; (emulator = bsim_emulator_at(i)) != NULL; i++) {
            bsim_buffer_printf(&buffer, "%s\n", emulator->name);
        }
    } else if (strcmp(what, "devices") == 0) {
        for (size_t i = 0; bsim_device_at(i, &device); i++) {
            bsim_buffer_printf(&buffer, "%s\n", device.name);
        }
    } else {
        bsim_report_opcodes(BSIM_TEXT, &buffer);
    }
    return print(&buffer);
}

static int list_devices(const char *name, enum bsim_format format)
{
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    struct bsim_device device;
    struct bsim_error err;
    if (name != NULL && bsim_device_find(name, NULL, &device, &err) != BSIM_OK) {
        return bsim_cli_fail(&err);
    }
    bsim_report_devices(name, format, &buffer);
    return print(&buffer);
}

static int list_all(const char *what, enum bsim_format format)
{
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    if (strcmp(what, "kernels") == 0) {
        bsim_report_emulators(format, &buffer);
    } else {
        bsim_report_opcodes(format, &buffer);
    }
    return print(&buffer);
}

static int list(struct options *options)
{
    const char *what = options->n_words > 0 ? options->words[0] : "";
    bool is_devices = strcmp(what, "devices") == 0;
    if (!is_devices && strcmp(what, "kernels") != 0 && strcmp(what, "opcodes") != 0) {
        return bsim_cli_usage("list", "list what? kernels, devices or opcodes");
    }
    if (options->n_words > (is_devices && !options->names ? 2 : 1)) {
        return bsim_cli_usage("list", "too many words: '%s'", options->words[options->n_words - 1]);
    }
    if (options->names) {
        return list_names(what);
    }
    if (is_devices) {
        return list_devices(options->n_words > 1 ? options->words[1] : NULL,
                            options->report.format);
    }
    return list_all(what, options->report.format);
}

const struct command bsim_cli_list = {"list", "the kernels, devices and opcodes that are known",
                                      help, .run = list};
