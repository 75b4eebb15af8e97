/* command.c - a command with what it takes: its words, its options, or a check. */
#include "cli/cli.h"

int bsim_cli_ask(const struct command *command, int argc, char **argv)
{
    /* Words that are refused leave them as they are. */
    struct options options = {.statements = BSIM_BUFFER_EMPTY};
    struct bsim_check *check;
    int code = bsim_cli_describe(command->name, argc, argv, &options, &check);
    if (code == EXIT_FINE) {
        code = options.help ? bsim_cli_help(command->help) : command->ask(&options, check);
    }
    bsim_check_free(check);
    bsim_buffer_free(&options.statements);
    return code;
}

int bsim_cli_command(const struct command *command, int argc, char **argv)
{
    struct options options;
    if (command->run == NULL) {
        return command->read != NULL ? command->read(argc, argv)
                                     : bsim_cli_ask(command, argc, argv);
    }
    int code = bsim_cli_options(command->name, argc, argv, &options);
    if (code != EXIT_FINE || options.help) {
        return code != EXIT_FINE ? code : bsim_cli_help(command->help);
    }
    options.report.colour = options.output == NULL && bsim_cli_colours(stdout);
    return command->run(&options);
}
