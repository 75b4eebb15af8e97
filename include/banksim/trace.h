/* trace.h - traces in and out. The format is described in traces/FORMAT.md.
 *
 * Readers are sources: they push what they read into a sink, streaming, in memory that does not
 * depend on the trace's length. Writers are sinks. One reader or writer belongs to one thread.
 */
#ifndef BANKSIM_TRACE_H
#define BANKSIM_TRACE_H

#include <banksim/buffer.h>
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
};

/* An input from an open file, which stays the caller's; without remarks. */
BSIM_API struct bsim_input bsim_input_file(FILE *file, const char *name);

/* Reads a whole trace into sink, up to and with its END. The stream pushed obeys event.h, and
 * every rule of the format has been checked: a sink may trust it. Fails with BSIM_E_INPUT and the
 * place for a trace that breaks the format (the records before it have been pushed, END has not),
 * with BSIM_E_IO, BSIM_E_MEMORY, or with what the sink answered. */
BSIM_API enum bsim_status bsim_trace_read(const struct bsim_input *input,
                                          const struct bsim_sink *sink,
                                          struct bsim_error *err) BSIM_MUST_USE;

/* The same from an open file, which stays the caller's. */
BSIM_API enum bsim_status bsim_trace_read_file(FILE *file, const char *name,
                                               const struct bsim_sink *sink,
                                               struct bsim_error *err) BSIM_MUST_USE;

/* Where bytes go. write takes all of them or fails. */
struct bsim_output {
    enum bsim_status (*write)(void *context, const void *data, size_t size_bytes,
                              struct bsim_error *err);
    void *context;
};

/* An output into an open file. BSIM_E_IO when the file does not take it. */
BSIM_API struct bsim_output bsim_output_file(FILE *file);

/* A sink that writes the text format. Sites are named by number, lists of equal addresses by
 * `a*n`; what bsim_trace_read makes of the text is the stream that was written. Writes through
 * output in pieces of some ten thousand bytes; complete after END alone. NULL when memory is
 * short. */
struct bsim_trace_writer;
BSIM_API struct bsim_trace_writer *bsim_trace_writer_new(const struct bsim_output *output);
BSIM_API struct bsim_sink bsim_trace_writer_sink(struct bsim_trace_writer *writer);
BSIM_API void bsim_trace_writer_free(struct bsim_trace_writer *writer);

/* A sink that writes the binary format: the same stream, each record with the line that it came
 * with, read back many times faster, from the middle too (below). Writes through output in pieces
 * of up to 256 KiB; complete after END alone. NULL when memory is short. */
struct bsim_binary_writer;
BSIM_API struct bsim_binary_writer *bsim_binary_writer_new(const struct bsim_output *output);
BSIM_API struct bsim_sink bsim_binary_writer_sink(struct bsim_binary_writer *writer);
BSIM_API void bsim_binary_writer_free(struct bsim_binary_writer *writer);

/* ---- parts of a trace ----------------------------------------------------------------------- */

/* Bytes from anywhere. read fills data with 1 to size_bytes bytes from offset on and returns how
 * many; 0: the end; SIZE_MAX: the system failed (errno says how). */
struct bsim_random_input {
    size_t (*read)(void *context, void *data, size_t size_bytes, uint64_t offset);
    void *context;
    uint64_t size_bytes; /* of all */
    const char *name;    /* for messages */
};

/* Where the chunks of a binary trace stand. Read-only once it is made: threads may share it, each
 * with an input of its own. */
struct bsim_trace_index;

/* Reads the index, which takes little of the trace. *index is the caller's to free; it is NULL, and
 * the answer BSIM_OK, where the input is not a binary trace: bsim_trace_read reads those as a whole.
 * Fails with BSIM_E_INPUT for a damaged one, BSIM_E_IO, BSIM_E_MEMORY. */
BSIM_API enum bsim_status bsim_trace_index_open(const struct bsim_random_input *input,
                                                struct bsim_trace_index **index,
                                                struct bsim_error *err) BSIM_MUST_USE;
BSIM_API void bsim_trace_index_free(struct bsim_trace_index *index);

/* Blocks and events of the whole trace; a block counts as often as it stands there. */
BSIM_API uint64_t bsim_trace_index_blocks(const struct bsim_trace_index *index);
BSIM_API uint64_t bsim_trace_index_events(const struct bsim_trace_index *index);

/* The first block of the k-th of n parts that take about as many bytes each, k from 0: the k-th part
 * is the blocks from bsim_trace_index_part(index, k, n) to those of k + 1. It may be empty. n is 1
 * to 2^32, k at most n, where the answer is the number of blocks. */
BSIM_API uint64_t bsim_trace_index_part(const struct bsim_trace_index *index, uint64_t k,
                                        uint64_t n);

/* Pushes every kernel with its sites, of the blocks those from first_block up to, not including,
 * end_block (numbered from 0 in the order of the trace, through all kernels), and END: a stream of
 * its own, which obeys event.h. So what is counted over parts that together make up all blocks is,
 * kernel by kernel and site by site, what is counted over the whole. Only the definitions and what
 * holds the blocks is read and checked. Fails as bsim_trace_read does. */
BSIM_API enum bsim_status bsim_trace_index_read(const struct bsim_trace_index *index,
                                                const struct bsim_random_input *input,
                                                uint64_t first_block, uint64_t end_block,
                                                const struct bsim_sink *sink,
                                                struct bsim_error *err) BSIM_MUST_USE;

#endif
