/* binary_read.c - a binary trace from its first byte to its last, as a pipe gives it.
 *
 * A buffer holds some chunks, of which one is at hand: its head, its payload, and the head of the
 * next, without which it is not read. Bytes are asked for as many as there is room for: a call of
 * the system for each chunk takes longer. A piece that is in memory as a whole is read where it
 * stands.
 */
#include "trace/binary/binary_scan.h"

#include "base/memory.h"
#include "trace/file.h"

#include <inttypes.h>

enum {
    HEAD = BSIM_BINARY_HEAD_BYTES,
    DATA_BYTES = 2 * (BSIM_BINARY_PAYLOAD_MAX + 2 * HEAD), /* one chunk at least */
    INDEX_HEAD = 16,
};

struct bsim_binary_stream {
    struct bsim_binary binary;
    const struct bsim_input *input; /* NULL: all is in data */
    unsigned char *own;             /* buffer */
    unsigned char
        *data;       /* what has been read and is not done with: in the buffer, or in the piece */
    size_t n;        /* bytes of data */
    uint64_t offset; /* of data in the input */
    uint64_t n_chunks;
    uint64_t index_offset;               /* of the last chunk of the index */
    const struct bsim_binary_part *part; /* of the piece at hand */
    uint32_t n_before;                   /* entries of the pieces before it */
    uint32_t n_entries;                  /* chunks since then, that the next one must list */
    unsigned char entries[BSIM_BINARY_INDEX_ENTRIES * BSIM_BINARY_ENTRY_BYTES];
};

/* Up to `size` bytes of the input; 0 at its end, behind what is in memory and after a failure. */
static size_t read_input(struct bsim_binary_stream *stream, void *data, size_t size)
{
    const struct bsim_input *input = stream->input;
    if (input == NULL || stream->binary.status != BSIM_OK) {
        return 0;
    }
    size_t n = input->read(input->context, data, size);
    if (n == SIZE_MAX) {
        stream->binary.status = bsim_input_error(input, stream->binary.err);
    }
    return n == SIZE_MAX ? 0 : n;
}

/* Reads until data has n bytes. */
static void fill(struct bsim_binary_stream *stream, size_t n)
{
    while (stream->n < n && stream->binary.status == BSIM_OK) {
        if (stream->input != NULL) {
            memmove(stream->own, stream->data, stream->n);
            stream->data = stream->own;
        }
        size_t more = read_input(stream, stream->data + stream->n, DATA_BYTES - stream->n);
        if (more == 0) {
            bsim_binary_error(&stream->binary, stream->offset + stream->n,
                              "the trace was cut short: its last chunk is missing");
        }
        stream->n += more;
    }
}

/* Forgets the first n bytes of data. */
static void drop(struct bsim_binary_stream *stream, size_t n)
{
    stream->data += n;
    stream->n -= n;
    stream->offset += n;
}

/* Nothing follows the chunk at hand. */
static void check_end(struct bsim_binary_stream *stream)
{
    size_t size = HEAD + stream->binary.chunk.payload_bytes;
    unsigned char byte;
    if (stream->n > size || read_input(stream, &byte, 1) > 0) {
        bsim_binary_error(&stream->binary, stream->offset + size,
                          "there is something behind the last chunk");
    }
}

static void check_order(struct bsim_binary_stream *stream)
{
    struct bsim_binary *binary = &stream->binary;
    if (binary->chunk.number != stream->n_chunks++ ||
        !bsim_binary_same(&binary->chunk.before, &binary->counts)) {
        bsim_binary_missing(binary, stream->offset);
    }
}

static void decode(struct bsim_binary_stream *stream)
{
    const struct bsim_chunk *chunk = &stream->binary.chunk;
    struct bsim_binary_entry entry = {stream->offset, chunk->before, chunk->kind,
                                      chunk->payload_bytes, chunk->flags};
    if (stream->n_entries == BSIM_BINARY_INDEX_ENTRIES) {
        bsim_binary_error(&stream->binary, stream->offset,
                          "the index of the chunks before is missing");
        return;
    }
    bsim_entry_put(&entry, stream->entries + (size_t)stream->n_entries++ * BSIM_BINARY_ENTRY_BYTES);
    bsim_binary_decode(&stream->binary);
}

static void check_index(struct bsim_binary_stream *stream)
{
    const unsigned char *payload = stream->binary.payload;
    size_t rows = (size_t)stream->n_entries * BSIM_BINARY_ENTRY_BYTES;
    if (stream->n_before > 0) {
        memcpy(stream->entries, stream->part->entries,
               (size_t)stream->n_before * BSIM_BINARY_ENTRY_BYTES);
        stream->n_before = 0;
    }
    if (stream->binary.chunk.payload_bytes != INDEX_HEAD + rows ||
        bsim_get64(payload) != stream->index_offset ||
        bsim_get64(payload + 8) != stream->n_entries ||
        memcmp(payload + INDEX_HEAD, stream->entries, rows) != 0) {
        bsim_binary_error(&stream->binary, stream->offset,
                          "the index does not list the chunks before it");
    }
    stream->index_offset = stream->offset;
    stream->n_entries = 0;
}

/* The last chunk: its totals must be true, and nothing follows it. */
static void finish(struct bsim_binary_stream *stream)
{
    struct bsim_binary *binary = &stream->binary;
    struct bsim_binary_totals totals;
    if (binary->chunk.payload_bytes != BSIM_BINARY_LAST_BYTES) {
        bsim_binary_error(binary, stream->offset, "the last chunk has a wrong size");
        return;
    }
    bsim_totals_get(binary->payload, &totals);
    if (stream->n_entries > 0 || totals.index_offset != stream->index_offset ||
        !bsim_binary_same(&totals.all, &binary->counts)) {
        bsim_binary_error(binary, stream->offset, "the totals are not those of the trace");
    }
    check_end(stream);
    bsim_binary_end(binary);
}

/* Reads the chunk whose head is at data, and the head of the next. */
static void read_chunk(struct bsim_binary_stream *stream)
{
    struct bsim_binary *binary = &stream->binary;
    bsim_binary_chunk(binary, stream->offset, stream->data);
    bool is_last = binary->chunk.kind == BSIM_CHUNK_LAST;
    fill(stream, HEAD + binary->chunk.payload_bytes + (is_last ? 0 : HEAD));
    bsim_binary_sum(binary, stream->data, stream->data + HEAD);
    check_order(stream);
}

static void take_chunk(struct bsim_binary_stream *stream)
{
    switch (stream->binary.chunk.kind) {
    case BSIM_CHUNK_DEFINITIONS:
    case BSIM_CHUNK_EVENTS:
        decode(stream);
        break;
    case BSIM_CHUNK_INDEX:
        check_index(stream);
        break;
    case BSIM_CHUNK_LAST:
        finish(stream);
        break;
    default:
        bsim_binary_error(&stream->binary, stream->offset, "a chunk of unknown kind");
        break;
    }
}

/* Reads up to the last chunk, or to the one at which the piece ends. */
static void read_chunks(struct bsim_binary_stream *stream, struct bsim_piece *piece)
{
    const struct bsim_binary *binary = &stream->binary;
    bool is_last = false;
    while (!is_last && (piece->end_place == 0 || stream->offset != piece->end_place)) {
        read_chunk(stream);
        if (binary->status != BSIM_OK) {
            return;
        }
        piece->is_ordered = true;
        take_chunk(stream);
        is_last = binary->status != BSIM_OK || binary->chunk.kind == BSIM_CHUNK_LAST;
        drop(stream, is_last ? 0 : HEAD + binary->chunk.payload_bytes);
    }
}

/* The file's head. */
static void read_head(struct bsim_binary_stream *stream)
{
    fill(stream, (size_t)2 * HEAD);
    if (stream->binary.status == BSIM_OK) {
        bsim_binary_head(&stream->binary, stream->data);
        drop(stream, HEAD);
    }
}

/* ---- the format ------------------------------------------------------------------------------ */

static void *open_stream(const struct bsim_input *input, const struct bsim_sink *sink)
{
    static const struct bsim_opcode none = {0};
    struct bsim_binary_stream *stream = bsim_mem_zeroed(1, sizeof *stream);
    unsigned char *data = bsim_mem_resize(NULL, DATA_BYTES, 1);
    if (stream == NULL || data == NULL) {
        bsim_mem_free(data);
        bsim_mem_free(stream);
        return NULL;
    }
    stream->own = stream->data = data;
    stream->binary.sink = sink;
    stream->binary.name = input->name;
    bsim_event_init(&stream->binary.event, &none);
    return stream;
}

static void close_stream(void *reader)
{
    struct bsim_binary_stream *stream = reader;
    if (stream != NULL) {
        bsim_binary_clear(&stream->binary);
        bsim_mem_free(stream->own);
        bsim_mem_free(stream);
    }
}

static enum bsim_status define(void *reader, const struct bsim_definition *definition,
                               struct bsim_error *err)
{
    struct bsim_binary_stream *stream = reader;
    struct bsim_binary *binary = &stream->binary;
    const unsigned char *chunk = (const unsigned char *)definition->data;
    binary->err = err;
    bsim_binary_chunk(binary, definition->place, chunk);
    bsim_binary_sum(binary, chunk, chunk + HEAD);
    if (binary->status == BSIM_OK) {
        bsim_binary_decode(binary);
    }
    return binary->status;
}

/* Goes to where the piece begins. */
static void begin(struct bsim_binary_stream *stream, const struct bsim_input *input,
                  const struct bsim_piece *piece)
{
    bool is_here = bsim_piece_is_whole(piece);
    const struct bsim_binary_part *part = piece->state;
    stream->input = is_here ? NULL : input;
    stream->data = is_here ? (unsigned char *)piece->data : stream->own;
    stream->n = is_here ? piece->n : 0;
    stream->offset = piece->place;
    stream->n_chunks = part->mark.n_chunks;
    stream->index_offset = part->mark.index_offset;
    stream->n_entries = stream->n_before = part->mark.n_entries;
    stream->part = part;
    stream->binary.counts = part->mark.counts;
}

static enum bsim_status read_piece(void *reader, const struct bsim_input *input,
                                   struct bsim_piece *piece, struct bsim_error *err)
{
    struct bsim_binary_stream *stream = reader;
    struct bsim_binary *binary = &stream->binary;
    struct bsim_binary_part *part = piece->state;
    binary->err = err;
    begin(stream, input, piece);
    if (piece->is_first) {
        read_head(stream);
    } else {
        fill(stream, HEAD);
    }
    if (binary->status == BSIM_OK) {
        read_chunks(stream, piece);
    }
    part->end = binary->counts;
    enum bsim_status status = binary->status;
    if (status == BSIM_OK && !piece->is_last) {
        binary->err = &piece->seam_error;
        piece->seam_error = (struct bsim_error){.status = BSIM_OK};
        bsim_binary_seam(binary, piece->end_place);
        piece->seam_status = binary->status;
    }
    return status;
}

/* A binary trace begins with a byte that no text does, so that its first one decides. */
static bool recognises(const char *head, size_t n)
{
    return n > 0 && head[0] == BSIM_BINARY_MAGIC[0];
}

const struct bsim_format bsim_binary_format = {
    .recognises = recognises,
    .splitter_state_bytes = sizeof(struct bsim_binary_scan),
    .piece_state_bytes = sizeof(struct bsim_binary_part),
    .skips = true,
    .scan = bsim_binary_scan,
    .begin = bsim_binary_begin,
    .join = bsim_binary_join,
    .open = open_stream,
    .define = define,
    .piece = read_piece,
    .close = close_stream,
};
