/* command.c - runs banksim's commands and catches what they print. */
#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include "cli/cli.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MAX_WORDS = 32 };

/* ---- files ----------------------------------------------------------------------------------- */

static char folder[64];
static char paths[FUZZ_MAX_FILES][128];

static void remove_files(void)
{
    for (size_t i = 0; i < FUZZ_MAX_FILES && paths[i][0] != '\0'; i++) {
        (void)unlink(paths[i]);
    }
    (void)rmdir(folder);
}

const char *fuzz_path(const char *name)
{
    char path[128];
    if (folder[0] == '\0') {
        (void)snprintf(folder, sizeof folder, "/tmp/banksim-fuzz-XXXXXX");
        REQUIRE(mkdtemp(folder) != NULL && atexit(remove_files) == 0);
    }
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    for (size_t i = 0; i < FUZZ_MAX_FILES; i++) {
        if (paths[i][0] == '\0') {
            memcpy(paths[i], path, sizeof path);
        }
        if (strcmp(paths[i], path) == 0) {
            return paths[i];
        }
    }
    REQUIRE(!"fewer names");
    return NULL;
}

void fuzz_write(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    REQUIRE(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

/* ---- what is printed ------------------------------------------------------------------------- */

/* A file for each of standard output and error, and these as they are without a command. */
static int caught[3] = {-1, -1, -1};
static int own[3];

/* A sanitizer's report shall not go where a command's messages do. */
#if defined(__GNUC__) && !defined(__APPLE__)
void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

static void report_to(int fd)
{
    if (__sanitizer_set_report_fd != NULL) {
        __sanitizer_set_report_fd((void *)(intptr_t)fd);
    }
}
#else
static void report_to(int fd)
{
    (void)fd;
}
#endif

static void open_files(void)
{
    for (int fd = 1; fd <= 2; fd++) {
        FILE *file = tmpfile();
        own[fd] = dup(fd);
        REQUIRE(file != NULL && own[fd] >= 0);
        caught[fd] = fileno(file);
    }
    report_to(own[2]);
}

static void redirect(const int to[3])
{
    (void)fflush(stdout);
    (void)fflush(stderr);
    for (int fd = 1; fd <= 2; fd++) {
        REQUIRE(dup2(to[fd], fd) == fd);
    }
}

static struct bsim_buffer take(int fd)
{
    struct bsim_buffer all = BSIM_BUFFER_EMPTY;
    char piece[4096];
    ssize_t n;
    off_t at = 0;
    bsim_buffer_add(&all, "", 1);
    bsim_buffer_clear(&all); /* empty, and a NUL */
    while ((n = pread(fd, piece, sizeof piece, at)) > 0) {
        bsim_buffer_add(&all, piece, (size_t)n);
        at += n;
    }
    REQUIRE(n == 0 && !all.failed && ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
    return all;
}

/* ---- commands -------------------------------------------------------------------------------- */

static const struct command *find(const char *name)
{
    static const struct command *const commands[] = {
        &bsim_cli_run,  &bsim_cli_merge,  &bsim_cli_check,   &bsim_cli_advise, &bsim_cli_show,
        &bsim_cli_pack, &bsim_cli_unpack, &bsim_cli_convert, &bsim_cli_compare};
    size_t i = 0;
    while (strcmp(commands[i]->name, name) != 0) {
        i++;
        REQUIRE(i < sizeof commands / sizeof commands[0]);
    }
    return commands[i];
}

/* The words are copied: a command may sort them. */
static int run_here(const char *const *words, const char *input)
{
    static char copy[MAX_WORDS][256];
    char *argument[MAX_WORDS + 1];
    int n = 0;
    for (; words[n] != NULL; n++) {
        REQUIRE(n < MAX_WORDS && strlen(words[n]) < sizeof copy[n]);
        argument[n] = strcpy(copy[n], words[n]);
    }
    argument[n] = NULL;
    REQUIRE(freopen(input != NULL ? input : "/dev/null", "rb", stdin) != NULL);
    return bsim_cli_command(find(argument[0]), n, argument);
}

static int run_there(const char *program, const char *const *words, const char *input)
{
    char *argument[MAX_WORDS + 2] = {(char *)(uintptr_t)program};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status = 0;
    for (int n = 0; words[n] != NULL; n++) {
        REQUIRE(n < MAX_WORDS);
        argument[n + 1] = (char *)(uintptr_t)words[n];
    }
    REQUIRE(posix_spawn_file_actions_init(&actions) == 0);
    REQUIRE(posix_spawn_file_actions_addopen(&actions, 0, input != NULL ? input : "/dev/null",
                                             O_RDONLY, 0) == 0);
    REQUIRE(posix_spawn(&pid, program, &actions, NULL, argument, environ) == 0);
    REQUIRE(posix_spawn_file_actions_destroy(&actions) == 0);
    REQUIRE(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct fuzz_outcome fuzz_command(const char *program, const char *const *words, const char *input)
{
    struct fuzz_outcome outcome = {.code = 0};
    if (caught[1] < 0) {
        open_files();
    }
    redirect(caught);
    outcome.code = program != NULL ? run_there(program, words, input) : run_here(words, input);
    redirect(own);
    outcome.out = take(caught[1]);
    outcome.err = take(caught[2]);
    return outcome;
}

void fuzz_outcome_free(struct fuzz_outcome *outcome)
{
    bsim_buffer_free(&outcome->out);
    bsim_buffer_free(&outcome->err);
}
