/* trace_text.h - traces from memory, and record streams as text that tests can compare. */
#ifndef TRACE_TEXT_H
#define TRACE_TEXT_H

#include <banksim/trace.h>

/* Reads the trace text[0..size) under the name "t.trace", handed out in pieces of at most
 * piece_bytes (0: all at once). */
enum bsim_status trace_text_read(const char *text, size_t size, size_t piece_bytes,
                                 const struct bsim_sink *sink, struct bsim_error *err);

/* A sink that describes each record in a line of *log, with every field but the record's line
 * number. Independent of the trace writer; addresses stand as they are in the event:
 *     event w0 ld.shared.u32 mask ffffffff affine 0 +4
 *     event w* @2 shfl.sync.idx.b32 mask 00000001
 *     event w1 ld.shared.u32 mask 00000005 at 0:8 2:16 wait 0                                  */
struct bsim_sink trace_text_log(struct bsim_buffer *log);

/* Reads a trace and returns its log, or the empty string after a failure; *status tells. The text
 * is the caller's to bsim_buffer_free. */
struct bsim_buffer trace_text_describe(const char *text, size_t size, enum bsim_status *status,
                                       struct bsim_error *err);

/* The bytes of a file; fails the test if it cannot be read. */
struct bsim_buffer trace_text_load(const char *path);

/* Calls visit with the path and the bytes of each file in the folder whose name begins with prefix
 * and ends with suffix, in order of names. Fails the test if there is none. */
void trace_text_each(const char *folder, const char *prefix, const char *suffix,
                     void (*visit)(const char *path, const char *text, size_t size));

#endif
