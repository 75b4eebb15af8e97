/* binary_read.c - a binary trace from its first byte to its last, as a pipe gives it.
 *
 * One buffer holds a chunk: its head, its payload, and the head of the next, which is read together
 * with the payload. The sum is checked while the bytes come into the cache, the records are decoded
 * from there.
 */
#include "trace/binary.h"

#include "base/memory.h"
#include "trace/input.h"

#include <inttypes.h>

enum {
    HEAD = BSIM_BINARY_HEAD_BYTES,
    DATA_BYTES = BSIM_BINARY_PAYLOAD_MAX + 2 * HEAD,
    INDEX_HEAD = 16,
};

struct stream {
    struct bsim_binary binary;
    const struct bsim_input *input;
    unsigned char *data;
    size_t n;        /* bytes of data */
    uint64_t offset; /* of data in the input */
    uint64_t n_chunks;
    uint64_t index_offset; /* of the last chunk of the index */
    uint32_t n_entries;    /* chunks since then, that the next one must list */
    unsigned char entries[BSIM_BINARY_INDEX_ENTRIES * BSIM_BINARY_ENTRY_BYTES];
};

static enum bsim_status cut_short(struct stream *stream)
{
    return bsim_binary_error(&stream->binary, stream->offset + stream->n,
                             "the trace was cut short: its last chunk is missing");
}

/* Reads until data has n bytes. */
static enum bsim_status fill(struct stream *stream, size_t n)
{
    const struct bsim_input *input = stream->input;
    while (stream->n < n) {
        size_t more = input->read(input->context, stream->data + stream->n, n - stream->n);
        if (more == SIZE_MAX) {
            return bsim_input_error(input, stream->binary.err);
        }
        if (more == 0) {
            return cut_short(stream);
        }
        stream->n += more;
    }
    return BSIM_OK;
}

/* Forgets the first n bytes of data. */
static void drop(struct stream *stream, size_t n)
{
    memmove(stream->data, stream->data + n, stream->n - n);
    stream->n -= n;
    stream->offset += n;
}

static enum bsim_status check_order(struct stream *stream)
{
    struct bsim_binary *binary = &stream->binary;
    const struct bsim_binary_counts *before = &binary->chunk.before;
    const struct bsim_binary_counts *counts = &binary->counts;
    if (binary->chunk.number != stream->n_chunks++ || before->kernels != counts->kernels ||
        before->blocks != counts->blocks || before->events != counts->events) {
        return bsim_binary_error(binary, stream->offset,
                                 "chunks are missing here, or stand in another order");
    }
    return BSIM_OK;
}

static enum bsim_status decode(struct stream *stream)
{
    const struct bsim_chunk *chunk = &stream->binary.chunk;
    struct bsim_binary_entry entry = {stream->offset, chunk->before, chunk->kind,
                                      chunk->payload_bytes, chunk->flags};
    if (stream->n_entries == BSIM_BINARY_INDEX_ENTRIES) {
        return bsim_binary_error(&stream->binary, stream->offset,
                                 "the index of the chunks before is missing");
    }
    bsim_entry_put(&entry, stream->entries + (size_t)stream->n_entries++ * BSIM_BINARY_ENTRY_BYTES);
    return bsim_binary_decode(&stream->binary);
}

static enum bsim_status check_index(struct stream *stream)
{
    const unsigned char *payload = stream->binary.payload;
    size_t rows = (size_t)stream->n_entries * BSIM_BINARY_ENTRY_BYTES;
    if (stream->binary.chunk.payload_bytes != INDEX_HEAD + rows ||
        bsim_get64(payload) != stream->index_offset ||
        bsim_get64(payload + 8) != stream->n_entries ||
        memcmp(payload + INDEX_HEAD, stream->entries, rows) != 0) {
        return bsim_binary_error(&stream->binary, stream->offset,
                                 "the index does not list the chunks before it");
    }
    stream->index_offset = stream->offset;
    stream->n_entries = 0;
    return BSIM_OK;
}

/* The last chunk: its totals must be true, and nothing follows it. */
static enum bsim_status finish(struct stream *stream)
{
    struct bsim_binary *binary = &stream->binary;
    const struct bsim_binary_counts *counts = &binary->counts;
    struct bsim_binary_totals totals;
    unsigned char byte;
    if (binary->chunk.payload_bytes != BSIM_BINARY_LAST_BYTES) {
        return bsim_binary_error(binary, stream->offset, "the last chunk has a wrong size");
    }
    bsim_totals_get(binary->payload, &totals);
    if (stream->n_entries > 0 || totals.index_offset != stream->index_offset ||
        totals.all.kernels != counts->kernels || totals.all.blocks != counts->blocks ||
        totals.all.events != counts->events) {
        return bsim_binary_error(binary, stream->offset, "the totals are not those of the trace");
    }
    size_t more = stream->input->read(stream->input->context, &byte, 1);
    if (more == SIZE_MAX) {
        return bsim_input_error(stream->input, binary->err);
    }
    if (more > 0) {
        return bsim_binary_error(binary, stream->offset + stream->n,
                                 "there is something behind the last chunk");
    }
    return bsim_binary_end(binary);
}

/* Reads the chunk whose head is at data, and the head of the next. */
static enum bsim_status read_chunk(struct stream *stream)
{
    struct bsim_binary *binary = &stream->binary;
    enum bsim_status status = bsim_binary_chunk(binary, stream->offset, stream->data);
    if (status != BSIM_OK) {
        return status;
    }
    bool is_last = binary->chunk.kind == BSIM_CHUNK_LAST;
    status = fill(stream, HEAD + binary->chunk.payload_bytes + (is_last ? 0 : HEAD));
    if (status == BSIM_OK) {
        status = bsim_binary_sum(binary, stream->data, stream->data + HEAD);
    }
    return status == BSIM_OK ? check_order(stream) : status;
}

static enum bsim_status take_chunk(struct stream *stream)
{
    switch (stream->binary.chunk.kind) {
    case BSIM_CHUNK_DEFINITIONS:
    case BSIM_CHUNK_EVENTS:
        return decode(stream);
    case BSIM_CHUNK_INDEX:
        return check_index(stream);
    case BSIM_CHUNK_LAST:
        return finish(stream);
    default:
        return bsim_binary_error(&stream->binary, stream->offset, "a chunk of unknown kind");
    }
}

static enum bsim_status read_all(struct stream *stream)
{
    enum bsim_status status = fill(stream, (size_t)2 * HEAD);
    if (status == BSIM_OK) {
        status = bsim_binary_head(&stream->binary, stream->data);
    }
    if (status == BSIM_OK) {
        drop(stream, HEAD);
    }
    for (;;) {
        if (status == BSIM_OK) {
            status = read_chunk(stream);
        }
        if (status == BSIM_OK) {
            status = take_chunk(stream);
        }
        if (status != BSIM_OK || stream->binary.chunk.kind == BSIM_CHUNK_LAST) {
            return status;
        }
        drop(stream, HEAD + stream->binary.chunk.payload_bytes);
    }
}

enum bsim_status bsim_binary_read(const struct bsim_input *input, const struct bsim_sink *sink,
                                  struct bsim_error *err)
{
    struct stream *stream = bsim_mem_zeroed(1, sizeof *stream);
    unsigned char *data = bsim_mem_resize(NULL, DATA_BYTES, 1);
    enum bsim_status status = BSIM_E_MEMORY;
    if (stream == NULL || data == NULL) {
        (void)bsim_error_set(err, status, "out of memory");
    } else {
        stream->input = input;
        stream->data = data;
        stream->binary.sink = sink;
        stream->binary.err = err;
        stream->binary.name = input->name;
        stream->binary.end_block = UINT64_MAX;
        status = read_all(stream);
        bsim_binary_clear(&stream->binary);
    }
    bsim_mem_free(data);
    bsim_mem_free(stream);
    return status;
}
