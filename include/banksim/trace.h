/* trace.h - traces in and out. The format is described in traces/FORMAT.md.
 *
 * Readers are sources: they push what they read into a sink, streaming, in memory that does not
 * depend on the trace's length. Writers are sinks. One reader or writer belongs to one thread.
 */
#ifndef BANKSIM_TRACE_H
#define BANKSIM_TRACE_H

#include <banksim/event.h>

#include <stdio.h>

/* Where bytes come from. read fills data with 1 to size_bytes bytes and returns how many; 0: the
 * end; SIZE_MAX: the system failed (errno says how). */
struct bsim_input {
    size_t (*read)(void *context, void *data, size_t size_bytes);
    void *context;
    const char *name; /* for messages: a path, "-", ... */
    /* Called when all has been read with what the stream does not say and a user should hear: one
     * sentence each, without a line end, borrowed; may be NULL. The formats of banksim itself have
     * none; an Accel-Sim trace may have opcodes that are not known. */
    void (*remark)(void *context, const char *text);
    void *remark_context;
    /* Passes over the next n bytes, or answers false and leaves them to be read; may be NULL. */
    bool (*skip)(void *context, uint64_t n);
    /* Goes back to the first byte, or answers false; may be NULL. */
    bool (*restart)(void *context);
};

/* An input from an open file at its first byte, which stays the caller's; without remarks. */
BSIM_API struct bsim_input bsim_input_file(FILE *file, const char *name);

/* Reads a whole trace into sink, up to and with its END. The stream pushed obeys event.h, and
 * every rule of the format has been checked: a sink may trust it. Fails with BSIM_E_INPUT and the
 * place for a trace that breaks the format (the records before it have been pushed, END has not),
 * with BSIM_E_IO, BSIM_E_MEMORY, or with what the sink answered. */
BSIM_API enum bsim_status bsim_trace_read(const struct bsim_input *input,
                                          const struct bsim_sink *sink,
                                          struct bsim_error *err) BSIM_MUST_USE;

/* Whether what begins with these bytes, some thousand or all of them, is meant for bsim_trace_read
 * rather than a text of another kind. */
BSIM_API bool bsim_trace_is(const char *head, size_t n);

/* Where bytes go. write takes all of them or fails. */
struct bsim_output {
    enum bsim_status (*write)(void *context, const void *data, size_t size_bytes,
                              struct bsim_error *err);
    void *context;
};

/* An output into an open file. BSIM_E_IO when the file does not take it. */
BSIM_API struct bsim_output bsim_output_file(FILE *file);

enum bsim_trace_format {
    BSIM_TRACE_TEXT,   /* sites are named by number, lists of equal addresses by `a*n`; what
                          bsim_trace_read makes of it is the stream that was written */
    BSIM_TRACE_BINARY, /* the same stream, each record with the line that it came with, read back
                          many times faster */
};

/* A sink that writes a trace through output, in pieces of some ten thousand bytes, up to 256 KiB in
 * the binary format; complete after END alone. NULL when memory is short. */
struct bsim_trace_writer;
BSIM_API struct bsim_trace_writer *bsim_trace_writer_new(enum bsim_trace_format format,
                                                         const struct bsim_output *output);
BSIM_API struct bsim_sink bsim_trace_writer_sink(struct bsim_trace_writer *writer);
BSIM_API void bsim_trace_writer_free(struct bsim_trace_writer *writer);

/* Writes what was pushed and is not written yet, of a stream that will have no END; nothing may be pushed
 * behind it. Whoever reads the trace gets all that was pushed, and then that it was cut short. Behind END
 * and behind a record that was refused there is nothing to be written. Fails as the output does. */
BSIM_API enum bsim_status bsim_trace_writer_cut(struct bsim_trace_writer *writer,
                                                struct bsim_error *err) BSIM_MUST_USE;

#endif
