/* message.c - errors and usage messages on standard error, help on standard output. */
#define _POSIX_C_SOURCE 200809L

#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { SAID_SIZE = 8192 };

/* What can be said without memory. */
static void say_poorly(const char *text, bool ends_line)
{
    for (; *text != '\0'; text++) {
        (void)fputc(*text >= ' ' && *text <= '~' ? *text : '?', stderr);
    }
    (void)fputs(ends_line ? "\n" : "", stderr);
}

/* All that a format has and a terminal should get is the line end at its end. */
static void say(const char *format, va_list arguments)
{
    char text[SAID_SIZE];
    struct bsim_buffer plain = BSIM_BUFFER_EMPTY;
    size_t length = strlen(format);
    bool ends_line = length > 0 && format[length - 1] == '\n';
    (void)vsnprintf(text, sizeof text, format, arguments);
    size_t n = strlen(text);
    if (ends_line && n > 0 && text[n - 1] == '\n') {
        text[n - 1] = '\0';
    }
    bsim_buffer_plain(&plain, text);
    bsim_buffer_text(&plain, ends_line ? "\n" : "");
    if (plain.failed) {
        say_poorly(text, ends_line);
    } else {
        (void)fwrite(plain.data, 1, plain.size_bytes, stderr);
    }
    bsim_buffer_free(&plain);
}

void bsim_cli_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void bsim_cli_say_lines(const char *text)
{
    for (size_t length; *text != '\0'; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        bsim_cli_say("%.*s\n", (int)length, text);
    }
}

static bool is_made; /* standard input */

void bsim_cli_input_is_made(void)
{
    is_made = true;
}

int bsim_cli_fail(const struct bsim_error *err)
{
    char text[BSIM_CLI_ERROR_SIZE];
    struct bsim_error shown = *err;
    if (is_made && strcmp(err->file, "-") == 0) {
        shown.file[0] = '\0'; /* nobody knows a launch's trace by this name */
    }
    (void)fprintf(stderr, "%s%s", shown.file[0] != '\0' ? "" : "banksim: ", bsim_error_text(&shown, text, sizeof text));
    switch (err->status) {
    case BSIM_OK:
        return EXIT_FINE;
    case BSIM_E_USAGE:
        return EXIT_USAGE;
    case BSIM_E_INPUT:
    case BSIM_E_KERNEL:
        return EXIT_INPUT;
    case BSIM_E_MEMORY:
    case BSIM_E_IO:
        return EXIT_SYSTEM;
    }
    return EXIT_SYSTEM;
}

int bsim_cli_usage(const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bsim_cli_say("banksim: ");
    say(format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "\nTry 'banksim %s%s--help'.\n", command, command[0] != '\0' ? " " : "");
    return EXIT_USAGE;
}

/* "text (default), csv, json" */
static void print_formats(uint32_t what)
{
    const char *name;
    uint32_t shows;
    for (size_t i = 0; (name = bsim_format_name(i, &shows)) != NULL; i++) {
        if ((shows & what) != 0) {
            (void)printf("%s%s%s", i > 0 ? ", " : "", name, i == BSIM_TEXT ? " (default)" : "");
        }
    }
}

int bsim_cli_help(const char *text)
{
    const char *at;
    for (; (at = strchr(text, '@')) != NULL; text = strchr(at + 1, '@') + 1) {
        (void)fwrite(text, 1, (size_t)(at - text), stdout);
        if (at[1] == 's') {
            (void)fputs(BSIM_CLI_STATEMENTS, stdout);
        } else if (at[1] == 'h') {
            (void)fputs(BSIM_CLI_HOPPER, stdout);
        } else {
            print_formats(at[1] == 't' ? BSIM_TABLES : BSIM_PICTURES);
        }
    }
    return bsim_cli_print(text);
}

int bsim_cli_print(const char *text)
{
    if (fputs(text, stdout) != EOF && fflush(stdout) == 0) {
        return EXIT_FINE;
    }
    (void)fprintf(stderr, "banksim: cannot write standard output: %s\n", strerror(errno));
    return EXIT_SYSTEM;
}

bool bsim_cli_colours(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return (no_colour == NULL || no_colour[0] == '\0') && isatty(fileno(stream)) == 1 &&
           terminal != NULL && strcmp(terminal, "dumb") != 0;
}

uint32_t bsim_cli_columns(void)
{
    enum { MOST = 4096 };
    const char *said = getenv("COLUMNS");
    unsigned columns = 0;
    char rest;
    struct winsize size;
    if (said != NULL && sscanf(said, "%5u%c", &columns, &rest) == 1 && columns > 0) {
        return columns < MOST ? columns : MOST;
    }
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
