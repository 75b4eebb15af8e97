/* output.c - results reach their place whole or not at all. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum bsim_status cannot(struct bsim_error *err, const char *what, const char *path)
{
    return bsim_error_set(err, BSIM_E_IO, "cannot %s %s: %s", what, path, strerror(errno));
}

/* A path that exists and is no regular file (a device, a pipe) is written to directly. */
static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

static void forget_names(struct output *output)
{
    free(output->part);
    free(output->target);
    output->part = output->target = NULL;
}

/* Sets target and part. A symbolic link stays one: what it leads to is replaced. */
static enum bsim_status name_part(struct output *output, const char *path, struct bsim_error *err)
{
    char *resolved = realpath(path, NULL);
    const char *target = resolved != NULL ? resolved : path;
    size_t size = strlen(target) + sizeof ".part";
    output->target = malloc(size);
    output->part = malloc(size);
    if (output->target != NULL && output->part != NULL) {
        (void)snprintf(output->target, size, "%s", target);
        (void)snprintf(output->part, size, "%s.part", target);
    }
    free(resolved);
    if (output->target == NULL || output->part == NULL) {
        forget_names(output);
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    return BSIM_OK;
}

static enum bsim_status open_file(struct output *output, const char *path, struct bsim_error *err)
{
    enum bsim_status status = is_special(path) ? BSIM_OK : name_part(output, path, err);
    if (status != BSIM_OK) {
        return status;
    }
    output->file = fopen(output->part != NULL ? output->part : path, "wb");
    if (output->file == NULL) {
        status = cannot(err, "write", path);
        forget_names(output);
    }
    return status;
}

enum bsim_status bsim_cli_output_open(struct output *output, const char *path, bool spool,
                                      struct bsim_error *err)
{
    *output = (struct output){.file = stdout, .path = path};
    if (path != NULL) {
        return open_file(output, path, err);
    }
    if (spool) {
        output->file = tmpfile();
        output->spooled = true;
        if (output->file == NULL) {
            return cannot(err, "make", "a temporary file");
        }
    }
    return BSIM_OK;
}

static enum bsim_status copy_spool(FILE *from, struct bsim_error *err)
{
    char piece[1 << 16];
    size_t n;
    rewind(from);
    while ((n = fread(piece, 1, sizeof piece, from)) > 0) {
        if (fwrite(piece, 1, n, stdout) != n) {
            return cannot(err, "write", "standard output");
        }
    }
    return ferror(from) ? cannot(err, "read back", "the temporary file") : BSIM_OK;
}

static const char *name_of(const struct output *output)
{
    return output->path != NULL ? output->path : "standard output";
}

enum bsim_status bsim_cli_output_commit(struct output *output, struct bsim_error *err)
{
    if (fflush(output->file) != 0 || ferror(output->file)) {
        return cannot(err, "write", name_of(output));
    }
    if (output->spooled) {
        enum bsim_status status = copy_spool(output->file, err);
        if (status != BSIM_OK) {
            return status;
        }
        if (fflush(stdout) != 0) {
            return cannot(err, "write", "standard output");
        }
    }
    if (output->path != NULL) {
        FILE *file = output->file;
        output->file = NULL;
        if (fclose(file) != 0) {
            return cannot(err, "write", name_of(output));
        }
    }
    if (output->part != NULL && rename(output->part, output->target) != 0) {
        return cannot(err, "write", output->path);
    }
    forget_names(output);
    return BSIM_OK;
}

void bsim_cli_output_abort(struct output *output)
{
    if (output->file != NULL && output->file != stdout) {
        (void)fclose(output->file);
    }
    output->file = NULL;
    if (output->part != NULL) {
        (void)remove(output->part);
    }
    forget_names(output);
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
