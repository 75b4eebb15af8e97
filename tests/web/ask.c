/* ask.c - the program, but that `check` and `advise` are answered by banksim.mjs, which waits at the pipe BELL.
 * NATIVE names the program. A thousand calls come this way: a shell would start ten processes for each. */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

enum { PATH_SIZE = 4096 };

static char folder[PATH_SIZE];

static const char *in_folder(const char *name)
{
    static char path[PATH_SIZE + 16];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void need(int is_done, const char *what)
{
    if (!is_done) {
        perror(what);
        exit(99);
    }
}

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    need(value != NULL, name);
    return value;
}

static void copy(FILE *from, FILE *to)
{
    char piece[1 << 16];
    size_t n;
    need(from != NULL && to != NULL, folder);
    while ((n = fread(piece, 1, sizeof piece, from)) > 0) {
        need(fwrite(piece, 1, n, to) == n, folder);
    }
}

static void copy_out(const char *name, FILE *to)
{
    FILE *from = fopen(in_folder(name), "rb");
    copy(from, to);
    (void)fclose(from);
    need(fflush(to) == 0, name);
}

/* Words, each ended by a zero. */
static void write_words(const char *name, char *const *words)
{
    FILE *file = fopen(in_folder(name), "wb");
    need(file != NULL, name);
    for (; *words != NULL; words++) {
        need(fwrite(*words, 1, strlen(*words) + 1, file) == strlen(*words) + 1, name);
    }
    need(fclose(file) == 0, name);
}

/* stdin, where a word is -. */
static void write_input(char *const *words)
{
    FILE *file = fopen(in_folder("in"), "wb");
    need(file != NULL, "in");
    while (*words != NULL && strcmp(*words, "-") != 0) {
        words++;
    }
    if (*words != NULL) {
        copy(stdin, file);
    }
    need(fclose(file) == 0, "in");
}

static void write_call(char *const *words)
{
    char path[PATH_SIZE];
    char *directory[] = {path, NULL};
    need(getcwd(path, sizeof path) != NULL, "getcwd");
    write_words("args", words);
    write_words("env", environ);
    write_words("directory", directory);
    write_input(words);
    need(mkfifo(in_folder("done"), 0600) == 0, "done");
}

static void ring(const char *bell)
{
    FILE *file = fopen(bell, "wb");
    need(file != NULL && fprintf(file, "%s\n", folder) > 0 && fclose(file) == 0, bell);
}

static void be_native(char **argument)
{
    const char *native = variable("NATIVE");
    (void)execv(native, argument);
    need(0, native);
}

static void forget(void)
{
    static const char *const name[] = {"args", "env", "directory", "in", "done", "out", "err"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        (void)unlink(in_folder(name[i]));
    }
    (void)rmdir(folder);
}

int main(int n_arguments, char **argument)
{
    char answer[32] = "";
    if (n_arguments < 2 ||
        (strcmp(argument[1], "check") != 0 && strcmp(argument[1], "advise") != 0)) {
        be_native(argument);
    }
    const char *bell = variable("BELL");
    (void)snprintf(folder, sizeof folder, "%s.XXXXXX", bell);
    need(mkdtemp(folder) != NULL, folder);
    write_call(argument + 1);
    ring(bell);
    FILE *done = fopen(in_folder("done"), "rb");
    need(done != NULL && fgets(answer, sizeof answer, done) != NULL, "done");
    if (strcmp(answer, "program\n") == 0) {
        int in = open(in_folder("in"), O_RDONLY);
        need(in >= 0 && dup2(in, 0) == 0, "in");
        forget();
        be_native(argument);
    }
    copy_out("out", stdout);
    copy_out("err", stderr);
    forget();
    return atoi(answer);
}
