/* trace_file.c - the files that a command line names, for reading. */
#define _POSIX_C_SOURCE 200809L

#include "cli/cli.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A name that leads to no file that can be read is the caller's fault; that there is no memory or
 * no descriptor for it is not. */
static enum bsim_status cannot_open(const char *path, int reason, struct bsim_error *err)
{
    static const int theirs[] = {ENOENT, ENOTDIR, EACCES, EPERM, EISDIR, ELOOP, ENAMETOOLONG};
    enum bsim_status status = reason == ENOMEM ? BSIM_E_MEMORY : BSIM_E_IO;
    for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++) {
        status = reason == theirs[i] ? BSIM_E_INPUT : status;
    }
    return bsim_error_set(err, status, "cannot open %s: %s", path,
                          reason == ENOMEM ? "out of memory" : strerror(reason));
}

enum bsim_status bsim_cli_open(const char *path, FILE **file, struct bsim_error *err)
{
    struct stat status_of;
    if (strcmp(path, "-") == 0) {
        *file = stdin;
        return BSIM_OK;
    }
    FILE *opened = fopen(path, "rb");
    if (opened == NULL) {
        return cannot_open(path, errno, err);
    }
    if (fstat(fileno(opened), &status_of) == 0 && S_ISDIR(status_of.st_mode)) {
        (void)fclose(opened);
        return cannot_open(path, EISDIR, err);
    }
    *file = opened;
    return BSIM_OK;
}

/* NUL tells what no text holds, /dev/zero above all. */
static bool goes_on(const struct bsim_buffer *text, size_t n, const struct text_kind *kind)
{
    size_t n_begins = strlen(kind->begins);
    const char *piece = text->data + text->size_bytes - n;
    bool begins = text->size_bytes < n_begins || memcmp(text->data, kind->begins, n_begins) == 0;
    return begins && text->size_bytes <= kind->most_bytes && memchr(piece, 0, n) == NULL;
}

static enum bsim_status refuse_text(const char *path, const struct bsim_buffer *text,
                                    const struct text_kind *kind, struct bsim_error *err)
{
    if (text->size_bytes > kind->most_bytes) {
        (void)bsim_error_set(err, BSIM_E_INPUT, "larger than %zu MiB: this is not %s",
                             kind->most_bytes >> 20, kind->what);
    } else {
        (void)bsim_error_set(err, BSIM_E_INPUT, "this is not %s", kind->what);
    }
    bsim_error_place(err, path, 0, 0, NULL, 0);
    return BSIM_E_INPUT;
}

static char put_back[BSIM_CLI_HEAD_BYTES];
static size_t n_put_back;

void bsim_cli_put_back(const char *head, size_t n)
{
    memcpy(put_back, head, n);
    n_put_back = n;
}

/* As fread of the file, with what was put back in front of standard input. */
static size_t read_piece(FILE *file, char *piece, size_t size)
{
    size_t n = file == stdin ? n_put_back : 0;
    if (n == 0) {
        return fread(piece, 1, size, file);
    }
    memcpy(piece, put_back, n);
    n_put_back = 0;
    return n;
}

enum bsim_status bsim_cli_read_text(const char *path, const struct text_kind *kind,
                                    struct bsim_buffer *text, struct bsim_error *err)
{
    char piece[1 << 14];
    size_t n;
    FILE *file = NULL;
    enum bsim_status status = bsim_cli_open(path, &file, err);
    if (status != BSIM_OK) {
        return status;
    }
    while (status == BSIM_OK && (n = read_piece(file, piece, sizeof piece)) > 0) {
        bsim_buffer_add(text, piece, n);
        status = bsim_buffer_status(text, err);
        if (status == BSIM_OK && !goes_on(text, n, kind)) {
            status = refuse_text(path, text, kind, err);
        }
    }
    if (status == BSIM_OK && ferror(file)) {
        status = bsim_error_set(err, BSIM_E_IO, "cannot read %s: %s", path, strerror(errno));
    }
    bsim_cli_close(file);
    return status;
}

void bsim_cli_close(FILE *file)
{
    if (file != stdin) {
        (void)fclose(file);
    }
}

char *bsim_cli_trace_at(const struct options *options, int i)
{
    static char standard_input[] = "-";
    return i < options->n_words ? options->words[i] : i == 0 ? standard_input : NULL;
}

int bsim_cli_reads_input(const struct options *options)
{
    char *path;
    int n = 0;
    for (int i = 0; (path = bsim_cli_trace_at(options, i)) != NULL; i++) {
        n += strcmp(path, "-") == 0;
    }
    return n;
}

bool bsim_cli_is_file(const char *path)
{
    struct stat status_of;
    return strcmp(path, "-") != 0 && stat(path, &status_of) == 0 && S_ISREG(status_of.st_mode);
}

/* A sentence of a reader about the file at the path that context points to. */
static void print_remark(void *context, const char *text)
{
    if (isatty(STDERR_FILENO) == 1) {
        (void)fputs("\r\x1b[K", stderr); /* over the progress line */
    }
    bsim_cli_say("%s: %s\n", (const char *)context, text);
}

struct bsim_input bsim_cli_input(FILE *file, char *path)
{
    struct bsim_input input = bsim_input_file(file, path);
    input.remark = print_remark;
    input.remark_context = path;
    if (file == stdin) { /* which may have been read from before */
        input.restart = NULL;
    }
    return input;
}

enum bsim_status bsim_cli_push_trace(void *context, const struct bsim_sink *sink,
                                     struct bsim_error *err)
{
    FILE *file = NULL;
    enum bsim_status status = bsim_cli_open(context, &file, err);
    if (status == BSIM_OK) {
        struct bsim_input input = bsim_cli_input(file, context);
        status = bsim_trace_read(&input, sink, err);
        bsim_cli_close(file);
    }
    return status;
}

enum bsim_status bsim_cli_run_trace(char *path, const struct bsim_run_options *options,
                                    struct bsim_result *result, struct bsim_error *err)
{
    struct bsim_source source = {.push = bsim_cli_push_trace, .context = path};
    return bsim_run(&source, options, result, err);
}
