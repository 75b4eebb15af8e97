/* output.c - results reach their place whole or not at all. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "cli/cli.h"
#include "base/memory.h"
#include "cli/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_LINKS = 40, DESCRIPTOR_DIGITS = 9 };

static enum bsim_status cannot(struct bsim_error *err, const char *what, const char *path)
{
    return bsim_error_set(err, BSIM_E_IO, "cannot %s %s: %s", what, path, strerror(errno));
}

/* ---- where a path leads ---------------------------------------------------------------------- */

/* The number in /dev/stdout, /dev/fd/7 and the like, or -1. These are not files to replace but
 * descriptors to write to, perhaps at the end of what a file has already. */
static int descriptor_of(const char *path)
{
    static const char *const folder[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0) {
        return strcmp(path, "/dev/stdout") == 0 ? STDOUT_FILENO : STDERR_FILENO;
    }
    for (size_t i = 0; i < sizeof folder / sizeof folder[0]; i++) {
        size_t n = strlen(folder[i]);
        const char *digits = path + n;
        if (strncmp(path, folder[i], n) == 0 && digits[0] != '\0' &&
            digits[strspn(digits, "0123456789")] == '\0' && strlen(digits) <= DESCRIPTOR_DIGITS) {
            return atoi(digits);
        }
    }
    return -1;
}

/* What the symbolic link at path says, from where path is seen: a new string. NULL: it is none, or
 * memory is short. */
static char *follow_link(const char *path)
{
    char said[4096];
    ssize_t n = readlink(path, said, sizeof said);
    if (n <= 0 || (size_t)n == sizeof said) {
        return NULL;
    }
    const char *slash = strrchr(path, '/');
    size_t n_folder = slash == NULL || said[0] == '/' ? 0 : (size_t)(slash - path) + 1;
    char *target = malloc(n_folder + (size_t)n + 1);
    if (target != NULL) {
        memcpy(target, path, n_folder);
        memcpy(target + n_folder, said, (size_t)n);
        target[n_folder + (size_t)n] = '\0';
    }
    return target;
}

char *bsim_cli_resolve(const char *path)
{
    char *target = strdup(path);
    for (int i = 0; i < MAX_LINKS && target != NULL; i++) {
        char *next = follow_link(target);
        if (next == NULL) {
            break;
        }
        free(target);
        target = next;
    }
    return target;
}

/* ---- opening --------------------------------------------------------------------------------- */

static enum bsim_status open_spool(struct output *output, FILE *receiver, struct bsim_error *err)
{
    output->receiver = receiver;
    output->file = tmpfile();
    return output->file != NULL ? BSIM_OK : cannot(err, "make", "a temporary file");
}

/* Opens the descriptor as a stream; it is closed if that fails. */
static enum bsim_status open_stream(int fd, const char *path, FILE **file, struct bsim_error *err)
{
    *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (*file == NULL) {
        enum bsim_status status = cannot(err, "write", path);
        if (fd >= 0) {
            (void)close(fd);
        }
        return status;
    }
    return BSIM_OK;
}

/* A file that is there: replaced, unless other names lead to it or one like it cannot be made; then
 * the result is put into it at the end. */
static enum bsim_status open_existing(struct output *output, const char *target, int fd,
                                      const struct stat *old, struct bsim_error *err)
{
    FILE *receiver;
    if (old->st_nlink == 1) {
        output->replacement = bsim_cli_replacement_new(target, old, &output->file);
    }
    if (output->replacement != NULL) {
        (void)close(fd);
        return BSIM_OK;
    }
    enum bsim_status status = open_stream(fd, output->path, &receiver, err);
    return status == BSIM_OK ? open_spool(output, receiver, err) : status;
}

static enum bsim_status open_target(struct output *output, const char *target,
                                    struct bsim_error *err)
{
    struct stat old;
    int fd = open(target, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &old) == 0) {
        return S_ISREG(old.st_mode) ? open_existing(output, target, fd, &old, err)
                                    : open_stream(fd, output->path, &output->file, err);
    }
    if (fd < 0 && errno == ENOENT) {
        output->replacement = bsim_cli_replacement_new(target, NULL, &output->file);
    }
    return output->replacement != NULL ? BSIM_OK : cannot(err, "write", output->path);
}

static enum bsim_status open_path(struct output *output, struct bsim_error *err)
{
    int descriptor = descriptor_of(output->path);
    if (descriptor >= 0) {
        return open_stream(dup(descriptor), output->path, &output->file, err);
    }
    char *target = bsim_cli_resolve(output->path);
    if (target == NULL) {
        return bsim_mem_short(err);
    }
    enum bsim_status status = open_target(output, target, err);
    free(target);
    return status;
}

enum bsim_status bsim_cli_output_open(struct output *output, const char *path, bool spool,
                                      struct bsim_error *err)
{
    *output = (struct output){.file = stdout, .path = path};
    if (path != NULL) {
        output->file = NULL;
        return open_path(output, err);
    }
    return spool ? open_spool(output, stdout, err) : BSIM_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

static const char *name_of(const struct output *output)
{
    return output->path != NULL ? output->path : "standard output";
}

/* Empties the file that is written anew; another run that does the same waits. Where files cannot
 * be locked they may mix. */
static bool empty(FILE *file)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    (void)fcntl(fileno(file), F_SETLKW, &whole);
    return ftruncate(fileno(file), 0) == 0;
}

static enum bsim_status copy_spool(const struct output *output, struct bsim_error *err)
{
    char piece[1 << 16];
    size_t n;
    rewind(output->file);
    if (output->receiver != stdout && !empty(output->receiver)) {
        return cannot(err, "write", name_of(output));
    }
    while ((n = fread(piece, 1, sizeof piece, output->file)) > 0) {
        if (fwrite(piece, 1, n, output->receiver) != n) {
            return cannot(err, "write", name_of(output));
        }
    }
    if (ferror(output->file)) {
        return cannot(err, "read back", "the temporary file");
    }
    return fflush(output->receiver) == 0 ? BSIM_OK : cannot(err, "write", name_of(output));
}

/* Closes a stream that is not standard output's; what was flushed may fail only now. */
static bool close_stream(FILE **file)
{
    FILE *closed = *file;
    *file = NULL;
    return closed == NULL || closed == stdout || fclose(closed) == 0;
}

enum bsim_status bsim_cli_output_commit(struct output *output, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    if (fflush(output->file) != 0 || ferror(output->file)) {
        return cannot(err, "write", name_of(output));
    }
    if (output->receiver != NULL) {
        status = copy_spool(output, err);
    }
    if (status != BSIM_OK) {
        return status;
    }
    bool is_there = output->replacement != NULL
                        ? bsim_cli_replacement_finish(output->replacement)
                        : close_stream(&output->file) && close_stream(&output->receiver);
    output->file = NULL;
    return is_there ? BSIM_OK : cannot(err, "write", name_of(output));
}

void bsim_cli_output_abort(struct output *output)
{
    if (output->replacement == NULL) {
        (void)close_stream(&output->file);
        (void)close_stream(&output->receiver);
    }
    bsim_cli_replacement_free(output->replacement);
    output->replacement = NULL;
    output->file = NULL;
}

enum bsim_status bsim_cli_output_write(struct output *output, struct bsim_buffer *buffer,
                                       struct bsim_error *err)
{
    enum bsim_status status = bsim_buffer_status(buffer, err);
    if (status != BSIM_OK) {
        return status;
    }
    if (buffer->size_bytes > 0 &&
        fwrite(buffer->data, 1, buffer->size_bytes, output->file) != buffer->size_bytes) {
        return cannot(err, "write", name_of(output));
    }
    bsim_buffer_clear(buffer);
    return BSIM_OK;
}

enum bsim_status bsim_cli_write_out(const char *path, struct bsim_buffer *buffer,
                                    struct bsim_error *err)
{
    struct output output;
    enum bsim_status status = bsim_cli_output_open(&output, path, false, err);
    if (status == BSIM_OK) {
        status = bsim_cli_output_write(&output, buffer, err);
    }
    if (status == BSIM_OK) {
        status = bsim_cli_output_commit(&output, err);
    }
    bsim_cli_output_abort(&output);
    bsim_buffer_free(buffer);
    return status;
}

/* ---- traces ---------------------------------------------------------------------------------- */

/* A writer's sink, and where it writes to. */
struct copy {
    struct bsim_sink writer;
    const struct output *output;
};

/* The library knows no name for what it writes to, and a write that fails is the output's fault,
 * not that of the line being read. */
static enum bsim_status push_copy(void *context, const struct bsim_record *record,
                                  struct bsim_error *err)
{
    const struct copy *copy = context;
    enum bsim_status status = copy->writer.push(copy->writer.context, record, err);
    if (status == BSIM_E_IO) {
        bsim_error_place(err, name_of(copy->output), 0, 0, NULL, 0);
    }
    return status;
}

static enum bsim_status push_all(const struct bsim_source *source, struct bsim_sink writer,
                                 const struct output *output, struct bsim_error *err)
{
    struct copy copy = {writer, output};
    struct bsim_sink sink = {.push = push_copy, .context = &copy};
    return source->push(source->context, &sink, err);
}

bool bsim_cli_wants_trace(const struct options *options)
{
    static const char end[] = ".trace";
    size_t length = options->output != NULL ? strlen(options->output) : 0;
    return length > strlen(end) && strcmp(options->output + length - strlen(end), end) == 0;
}

static enum bsim_status write_trace(const struct bsim_source *source, bool is_binary,
                                    const struct output *output, struct bsim_error *err)
{
    struct bsim_output to = bsim_output_file(output->file);
    struct bsim_trace_writer *writer =
        bsim_trace_writer_new(is_binary ? BSIM_TRACE_BINARY : BSIM_TRACE_TEXT, &to);
    enum bsim_status status = writer == NULL
                                  ? bsim_mem_short(err)
                                  : push_all(source, bsim_trace_writer_sink(writer), output, err);
    bsim_trace_writer_free(writer);
    return status;
}

enum bsim_status bsim_cli_write_trace(const char *path, bool is_binary,
                                      const struct bsim_source *source, struct bsim_error *err)
{
    struct output output;
    enum bsim_status status = bsim_cli_output_open(&output, path, false, err);
    if (status == BSIM_OK) {
        status = write_trace(source, is_binary, &output, err);
    }
    if (status == BSIM_OK) {
        status = bsim_cli_output_commit(&output, err);
    }
    bsim_cli_output_abort(&output);
    return status;
}

enum bsim_status bsim_cli_write_binary(FILE *file, const struct bsim_source *source,
                                       struct bsim_error *err)
{
    struct output output = {.file = file, .path = "a temporary file"};
    return write_trace(source, true, &output, err);
}
