/* same_file.c - what a command reads must not be what it writes: a report in the place of the trace
 * that it tells of is hardly what anybody wants, and there is no way back. */
#define _POSIX_C_SOURCE 200809L

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The output that is looked for: an option and its value. */
struct written {
    const char *option, *path;
    struct stat found;
    bool is_file; /* that is there already */
};

static struct written look(const char *option, const char *path)
{
    struct written written = {.option = option, .path = path};
    written.is_file =
        path != NULL && stat(path, &written.found) == 0 && S_ISREG(written.found.st_mode);
    return written;
}

/* Whatever the names: links of both kinds lead to one file. "-" is standard input. */
static bool is_read(const struct written *written, const char *path)
{
    struct stat found;
    int failed = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &found) : stat(path, &found);
    return failed == 0 && found.st_dev == written->found.st_dev &&
           found.st_ino == written->found.st_ino;
}

/* The folder that path is in, as stat sees it, and its name there; path is cut. */
static const char *folder_of(char *path, struct stat *folder)
{
    char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *where = slash == NULL ? "." : slash == path ? "/" : path;
    if (slash != NULL && slash != path) {
        *slash = '\0';
    }
    return stat(where, folder) == 0 ? name : NULL;
}

/* Two paths of one file that is not there yet. */
static bool will_be_one(const char *left, const char *right)
{
    struct stat a, b;
    char *left_target = bsim_cli_resolve(left), *right_target = bsim_cli_resolve(right);
    bool is_one = left_target != NULL && right_target != NULL;
    if (is_one) {
        const char *left_name = folder_of(left_target, &a);
        const char *right_name = folder_of(right_target, &b);
        is_one = left_name != NULL && right_name != NULL && strcmp(left_name, right_name) == 0 &&
                 a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    }
    free(left_target);
    free(right_target);
    return is_one;
}

static int check(const char *command, const struct written *written, const struct options *options)
{
    bool reads_stdin = options->n_words == 0 && options->reads_stdin;
    bool reads_ncu = options->ncu != NULL && is_read(written, options->ncu);
    const char *other = reads_ncu ? options->ncu : NULL;
    for (int i = 0; i < options->n_words && other == NULL; i++) {
        other = is_read(written, options->words[i]) ? options->words[i] : NULL;
    }
    if (other == NULL && reads_stdin && is_read(written, "-")) {
        other = "-";
    }
    return other == NULL ? EXIT_FINE
                         : bsim_cli_usage(command, "%s %s is also read, as '%s': name another file",
                                          written->option, written->path, other);
}

int bsim_cli_check_files(const char *command, const struct options *options)
{
    const struct written written[] = {look("-o", options->output),
                                      look("--emit-trace", options->emit_trace)};
    for (size_t i = 0; i < 2 && options->reads_files; i++) {
        int code = written[i].is_file ? check(command, &written[i], options) : EXIT_FINE;
        if (code != EXIT_FINE) {
            return code;
        }
    }
    bool is_one = written[0].path != NULL && written[1].path != NULL &&
                  (will_be_one(written[0].path, written[1].path) ||
                   (written[0].is_file && is_read(&written[0], written[1].path)));
    return is_one ? bsim_cli_usage(command, "-o and --emit-trace name one file") : EXIT_FINE;
}
