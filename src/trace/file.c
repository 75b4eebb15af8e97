/* file.c - traces from and to open files, and the system's word for what it refuses. */
#define _POSIX_C_SOURCE 200809L /* strerror_r */

#include "trace/file.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

enum { REASON_SIZE = 128 };

/* The system's word for an error number. */
static const char *reason(int number, char text[REASON_SIZE])
{
    if (number == 0 || strerror_r(number, text, REASON_SIZE) != 0) {
        return "the system does not say why";
    }
    return text;
}

enum bsim_status bsim_input_error(const struct bsim_input *input, struct bsim_error *err)
{
    char text[REASON_SIZE];
    (void)bsim_error_set(err, BSIM_E_IO, "cannot read: %s", reason(errno, text));
    bsim_error_place(err, input->name, 0, 0, NULL, 0);
    return BSIM_E_IO;
}

static size_t read_file(void *context, void *data, size_t size_bytes)
{
    FILE *file = context;
    errno = 0;
    size_t n = fread(data, 1, size_bytes, file);
    return n == 0 && ferror(file) ? SIZE_MAX : n;
}

/* A pipe fails here, and goes on being read. */
static bool skip_file(void *context, uint64_t n)
{
    return n <= LONG_MAX && fseek(context, (long)n, SEEK_CUR) == 0;
}

static bool restart_file(void *context)
{
    return fseek(context, 0, SEEK_SET) == 0;
}

struct bsim_input bsim_input_file(FILE *file, const char *name)
{
    return (struct bsim_input){.read = read_file,
                               .skip = skip_file,
                               .restart = restart_file,
                               .context = file,
                               .name = name};
}

/* Flushes each piece, so that a full disk is noticed here and not when the file is closed. */
static enum bsim_status write_file(void *context, const void *data, size_t size_bytes,
                                   struct bsim_error *err)
{
    FILE *file = context;
    errno = 0;
    if (fwrite(data, 1, size_bytes, file) != size_bytes || fflush(file) != 0) {
        char text[REASON_SIZE];
        return bsim_error_set(err, BSIM_E_IO, "cannot write: %s", reason(errno, text));
    }
    return BSIM_OK;
}

struct bsim_output bsim_output_file(FILE *file)
{
    return (struct bsim_output){write_file, file};
}
