/* packed.h - binary traces in memory, and their checksums computed anew, word by word as
 * traces/FORMAT.md says, so that a test can write faults that the sums do not tell. */
#ifndef PACKED_H
#define PACKED_H

#include <banksim/trace.h>

/* What pushes a stream into a sink. */
typedef enum bsim_status packed_source(void *context, const struct bsim_sink *sink,
                                       struct bsim_error *err);

/* The binary trace of a stream, the caller's to bsim_buffer_free; fails the test if the source or
 * the writer does. */
struct bsim_buffer packed_stream(packed_source *source, void *context);

/* The same of a text trace. */
struct bsim_buffer packed_text(const char *text, size_t size);

/* Sets the checksum of the file's head and of every chunk whose head and payload are there. */
void packed_repair(unsigned char *data, size_t size);

/* Reads a binary trace and logs it as trace_text_log does, each record behind its line and a blank.
 */
struct bsim_buffer packed_log(const char *data, size_t size, size_t piece_bytes,
                              enum bsim_status *status, struct bsim_error *err);

/* A sink that logs like packed_log does; data is both the state and the log. */
struct packed_lines {
    struct bsim_buffer log;
    struct bsim_sink inner;
    bool has_end;
};
struct bsim_sink packed_lines_sink(struct packed_lines *lines);

#endif
