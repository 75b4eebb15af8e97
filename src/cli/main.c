/* main.c - dispatches to the commands. */
#define _POSIX_C_SOURCE 200809L

#include "cli/cli.h"

#include "base/nearest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const struct command *const commands[] = {
    &bsim_cli_run,     &bsim_cli_merge,  &bsim_cli_emulate, &bsim_cli_launch,  &bsim_cli_cuda,
    &bsim_cli_check,   &bsim_cli_advise, &bsim_cli_where,   &bsim_cli_show,    &bsim_cli_lesson,
    &bsim_cli_compare, &bsim_cli_pack,   &bsim_cli_unpack,  &bsim_cli_convert, &bsim_cli_list};

enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static int print_help(void)
{
    (void)puts("banksim tells what GPU shared memory does with an access pattern, without a GPU.\n"
               "\n"
               "usage: banksim COMMAND ...\n");
    for (size_t i = 0; i < N_COMMANDS; i++) {
        (void)printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    }
    return bsim_cli_print(
        "\n"
        "'banksim COMMAND --help' has the options and examples of each; --version "
        "tells the\n"
        "version.\n"
        "\n"
        "examples:\n"
        "  banksim emulate square_set_row_read_col --run\n"
        "  banksim list kernels\n");
}

static int print_version(void)
{
    (void)printf("banksim %s", bsim_version());
    return bsim_cli_print("\n");
}

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static int unknown(const char *name)
{
    struct bsim_nearest nearest = bsim_nearest_start(name);
    for (size_t i = 0; i < N_COMMANDS; i++) {
        bsim_nearest_try(&nearest, commands[i]->name);
    }
    bsim_nearest_try(&nearest, "help");
    return nearest.best == NULL
               ? bsim_cli_usage("", "unknown command '%s'", name)
               : bsim_cli_usage("", "unknown command '%s': did you mean '%s'?", name, nearest.best);
}

/* `help` alone, or `help COMMAND`. */
static int help_for(const char *name)
{
    const struct command *command = find(name);
    if (command == NULL) {
        return unknown(name);
    }
    return bsim_cli_help(command->help);
}

/* A standard stream that the caller closed must not become the next file that is opened. /dev/null
 * takes its place in the direction in which nobody uses it: reading standard input and writing the
 * others fail as they would have. */
static bool hold_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        int direction = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF && open("/dev/null", direction) != fd) {
            return false;
        }
    }
    return true;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        return bsim_cli_usage(
            "", "which command? run, merge, emulate, check, advise, show, lesson, compare, pack, "
                "unpack, convert or list");
    }
    if (strcmp(argv[1], "--version") == 0) {
        return print_version();
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        return argc > 2 ? help_for(argv[2]) : print_help();
    }
    const struct command *command = find(argv[1]);
    if (command == NULL) {
        return unknown(argv[1]);
    }
    return bsim_cli_command(command, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    if (!hold_streams()) {
        return EXIT_SYSTEM; /* there is nowhere to say why */
    }
    (void)signal(SIGXFSZ,
                 SIG_IGN); /* a file over the limit is a write that fails, with a message */
    int code = dispatch(argc, argv);
    bool is_lost = ferror(stdout) != 0 || fflush(stdout) != 0;
    if (is_lost && code != EXIT_SYSTEM) { /* else it has been said */
        (void)fputs("banksim: cannot write standard output\n", stderr);
    }
    return is_lost ? EXIT_SYSTEM : code;
}
