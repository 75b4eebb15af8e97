/* binary_read.c - a binary trace from its first byte to its last, as a pipe gives it.
 *
 * A buffer holds some chunks, of which one is at hand: its head, its payload, and the head of the
 * next, without which it is not read. Bytes are asked for as many as there is room for: a call of the
 * system for each chunk takes longer. A piece that is in memory as a whole is read where it stands.
 */
#include "trace/binary/binary_scan.h"

#include "base/memory.h"

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

static enum bsim_status cut_short(struct bsim_binary_stream *stream)
{
    return bsim_binary_error(&stream->binary, stream->offset + stream->n,
                             "the trace was cut short: its last chunk is missing");
}

/* Reads until data has n bytes. */
static enum bsim_status fill(struct bsim_binary_stream *stream, size_t n)
{
    const struct bsim_input *input = stream->input;
    while (stream->n < n) {
        if (input == NULL) {
            return cut_short(stream);
        }
        memmove(stream->own, stream->data, stream->n);
        stream->data = stream->own;
        size_t more = input->read(input->context, stream->data + stream->n, DATA_BYTES - stream->n);
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
static void drop(struct bsim_binary_stream *stream, size_t n)
{
    stream->data += n;
    stream->n -= n;
    stream->offset += n;
}

/* Nothing follows the chunk at hand. */
static enum bsim_status check_end(struct bsim_binary_stream *stream)
{
    const struct bsim_input *input = stream->input;
    size_t size = HEAD + stream->binary.chunk.payload_bytes;
    unsigned char byte;
    size_t more = stream->n - size;
    if (more == 0 && input != NULL) {
        more = input->read(input->context, &byte, 1);
    }
    if (more == SIZE_MAX) {
        return bsim_input_error(input, stream->binary.err);
    }
    return more == 0 ? BSIM_OK
                     : bsim_binary_error(&stream->binary, stream->offset + size,
                                         "there is something behind the last chunk");
}

static enum bsim_status check_order(struct bsim_binary_stream *stream)
{
    struct bsim_binary *binary = &stream->binary;
    if (binary->chunk.number != stream->n_chunks++ ||
        !bsim_binary_same(&binary->chunk.before, &binary->counts)) {
        return bsim_binary_missing(binary, stream->offset);
    }
    return BSIM_OK;
}

static enum bsim_status decode(struct bsim_binary_stream *stream)
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

static enum bsim_status check_index(struct bsim_binary_stream *stream)
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
        return bsim_binary_error(&stream->binary, stream->offset,
                                 "the index does not list the chunks before it");
    }
    stream->index_offset = stream->offset;
    stream->n_entries = 0;
    return BSIM_OK;
}

/* The last chunk: its totals must be true, and nothing follows it. */
static enum bsim_status finish(struct bsim_binary_stream *stream)
{
    struct bsim_binary *binary = &stream->binary;
    struct bsim_binary_totals totals;
    if (binary->chunk.payload_bytes != BSIM_BINARY_LAST_BYTES) {
        return bsim_binary_error(binary, stream->offset, "the last chunk has a wrong size");
    }
    bsim_totals_get(binary->payload, &totals);
    if (stream->n_entries > 0 || totals.index_offset != stream->index_offset ||
        !bsim_binary_same(&totals.all, &binary->counts)) {
        return bsim_binary_error(binary, stream->offset, "the totals are not those of the trace");
    }
    enum bsim_status status = check_end(stream);
    return status == BSIM_OK ? bsim_binary_end(binary) : status;
}

/* Reads the chunk whose head is at data, and the head of the next. */
static enum bsim_status read_chunk(struct bsim_binary_stream *stream)
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

static enum bsim_status take_chunk(struct bsim_binary_stream *stream)
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

/* Reads up to the last chunk, or to the one at which the piece ends. */
static enum bsim_status read_chunks(struct bsim_binary_stream *stream, struct bsim_piece *piece)
{
    for (;;) {
        if (piece->end_place != 0 && stream->offset == piece->end_place) {
            return BSIM_OK;
        }
        enum bsim_status status = read_chunk(stream);
        piece->is_ordered |= status == BSIM_OK;
        if (status == BSIM_OK) {
            status = take_chunk(stream);
        }
        if (status != BSIM_OK || stream->binary.chunk.kind == BSIM_CHUNK_LAST) {
            return status;
        }
        drop(stream, HEAD + stream->binary.chunk.payload_bytes);
    }
}

/* The file's head. */
static enum bsim_status read_head(struct bsim_binary_stream *stream)
{
    enum bsim_status status = fill(stream, (size_t)2 * HEAD);
    if (status == BSIM_OK) {
        status = bsim_binary_head(&stream->binary, stream->data);
    }
    if (status == BSIM_OK) {
        drop(stream, HEAD);
    }
    return status;
}

/* ---- the format -------------------------------------------------------------------------------- */

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
    enum bsim_status status = bsim_binary_chunk(binary, definition->place, chunk);
    if (status == BSIM_OK) {
        status = bsim_binary_sum(binary, chunk, chunk + HEAD);
    }
    return status == BSIM_OK ? bsim_binary_decode(binary) : status;
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
    enum bsim_status status = piece->is_first ? read_head(stream) : fill(stream, HEAD);
    if (status == BSIM_OK) {
        status = read_chunks(stream, piece);
    }
    part->end = binary->counts;
    if (status == BSIM_OK && !piece->is_last) {
        binary->err = &piece->seam_error;
        piece->seam_error = (struct bsim_error){.status = BSIM_OK};
        piece->seam_status = bsim_binary_seam(binary, piece->end_place);
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
