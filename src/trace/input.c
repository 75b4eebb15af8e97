/* input.c - the choice of a format by what a trace begins with. A new format is a file with its
 * struct bsim_format, declared in format.h, and a row of the table below. */
#include "trace/format.h"

#include "base/memory.h"
#include "trace/file.h"

#include <string.h>

/* Accel-Sim's list of kernels: "MemcpyHtoD,0x...,4096", "kernel-1.traceg". */
static bool is_kernel_list(const char *head, size_t n)
{
    return (n >= 6 && memcmp(head, "Memcpy", 6) == 0) ||
           (n >= 7 && memcmp(head, "kernel-", 7) == 0);
}

static bool is_compressed(const char *head, size_t n)
{
    static const struct {
        const char *magic;
        size_t n;
    } known[] = {{"\3757zXZ", 5}, {"\x1f\x8b", 2}, {"\x28\xb5\x2f\xfd", 4}, {"BZh", 3}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (n >= known[i].n && memcmp(head, known[i].magic, known[i].n) == 0) {
            return true;
        }
    }
    return false;
}

static const struct bsim_format kernel_list = {
    .recognises = is_kernel_list,
    .refusal = "this is a list of Accel-Sim traces, not a trace: name its files themselves, or "
               "pipe them in, as in xz -dc kernel-*.traceg.xz | banksim run -",
};

static const struct bsim_format compressed = {
    .recognises = is_compressed,
    .refusal = "the file is compressed: decompress it on its way in, as in xz -dc FILE | banksim "
               "run -",
};

/* What no other format claims is read as text, and its reader says what is wrong with it. */
static const struct bsim_format *const formats[] = {
    &bsim_binary_format, &bsim_traceg_format, &kernel_list, &compressed, &bsim_text_format,
};

/* ---- looking ahead ------------------------------------------------------------------------- */

static size_t read_ahead(void *context, void *data, size_t size_bytes)
{
    struct bsim_ahead *ahead = context;
    size_t left = ahead->n - ahead->given;
    if (left == 0) {
        return ahead->input->read(ahead->input->context, data, size_bytes);
    }
    size_t n = left < size_bytes ? left : size_bytes;
    memcpy(data, ahead->head + ahead->given, n);
    ahead->given += n;
    return n;
}

static bool skip_ahead(void *context, uint64_t n)
{
    struct bsim_ahead *ahead = context;
    const struct bsim_input *input = ahead->input;
    return ahead->given == ahead->n && input->skip != NULL && input->skip(input->context, n);
}

enum bsim_status bsim_input_look(struct bsim_ahead *ahead, const struct bsim_input *input,
                                 struct bsim_error *err)
{
    *ahead = (struct bsim_ahead){.input = input, .whole = *input};
    ahead->whole.read = read_ahead;
    ahead->whole.skip = input->skip != NULL ? skip_ahead : NULL;
    ahead->whole.context = ahead;
    while (ahead->n < sizeof ahead->head) {
        size_t n =
            input->read(input->context, ahead->head + ahead->n, sizeof ahead->head - ahead->n);
        if (n == SIZE_MAX) {
            return bsim_input_error(input, err);
        }
        if (n == 0) {
            break;
        }
        ahead->n += n;
    }
    const struct bsim_format *const *format = formats;
    while (!(*format)->recognises(ahead->head, ahead->n)) {
        format++;
    }
    ahead->format = *format;
    if ((*format)->refusal == NULL) {
        return BSIM_OK;
    }
    (void)bsim_error_set(err, BSIM_E_INPUT, "%s", (*format)->refusal);
    bsim_error_place(err, input->name, 1, 1, NULL, 0);
    return BSIM_E_INPUT;
}

/* "banksim-trace" behind blanks and comments. */
static bool is_text(const char *head, size_t n)
{
    static const char word[] = "banksim-trace";
    size_t i = 0;
    while (i < n && strchr(" \t\r\n#", head[i]) != NULL && head[i] != '\0') {
        const char *line_end = head[i] == '#' ? memchr(head + i, '\n', n - i) : head + i;
        i = line_end != NULL ? (size_t)(line_end - head) + 1 : n;
    }
    return n - i >= sizeof word - 1 && memcmp(head + i, word, sizeof word - 1) == 0;
}

bool bsim_trace_is(const char *head, size_t n)
{
    const struct bsim_format *const *format = formats;
    while (!(*format)->recognises(head, n)) {
        format++;
    }
    return *format == &bsim_text_format ? is_text(head, n) : true;
}

/* A whole trace is a piece of which all comes from the input. */
static enum bsim_status read_whole(const struct bsim_format *format, void *reader,
                                   const struct bsim_input *input, struct bsim_error *err)
{
    struct bsim_piece piece = {.is_first = true, .is_last = true, .is_open = true};
    if (reader == NULL || !bsim_format_state(format->piece_state_bytes, &piece.state)) {
        return bsim_mem_short(err);
    }
    enum bsim_status status = format->piece(reader, input, &piece, err);
    if (status == BSIM_OK && format->remark != NULL) {
        format->remark(reader, true);
    }
    bsim_mem_free(piece.state);
    return status;
}

enum bsim_status bsim_trace_read(const struct bsim_input *input, const struct bsim_sink *sink,
                                 struct bsim_error *err)
{
    struct bsim_ahead ahead;
    enum bsim_status status = bsim_input_look(&ahead, input, err);
    if (status != BSIM_OK) {
        return status;
    }
    void *reader = ahead.format->open(&ahead.whole, sink);
    status = read_whole(ahead.format, reader, &ahead.whole, err);
    ahead.format->close(reader);
    return status;
}
