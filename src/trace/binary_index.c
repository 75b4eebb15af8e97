/* binary_index.c - parts of a binary trace, without reading the rest; see trace.h.
 *
 * The last chunk leads to the index, whose chunks are chained backwards. All rows are kept, 48
 * bytes for a chunk of 64 KiB; everything else is read when it is asked for, through the caller's
 * input, so that threads can share the index and bring an input each.
 */
#include "trace/binary.h"

#include "base/memory.h"
#include "trace/input.h"

#include <inttypes.h>

enum {
    HEAD = BSIM_BINARY_HEAD_BYTES,
    INDEX_HEAD = 16,
    TAIL_BYTES = HEAD + BSIM_BINARY_LAST_BYTES,
};

struct bsim_trace_index {
    struct bsim_binary_entry *entry;
    size_t n_entries;
    uint64_t end_line; /* of END */
    struct bsim_binary_counts all;
};

/* ---- reading at a place ---------------------------------------------------------------------- */

/* What reads chunks from anywhere, and a buffer for one. */
struct reader {
    struct bsim_binary binary;
    const struct bsim_random_input *input;
    unsigned char *data;
};

static enum bsim_status read_at(struct reader *reader, uint64_t offset, size_t size_bytes,
                                unsigned char *data)
{
    const struct bsim_random_input *input = reader->input;
    for (size_t n = 0; n < size_bytes;) {
        size_t more = input->read(input->context, data + n, size_bytes - n, offset + n);
        if (more == SIZE_MAX) {
            struct bsim_input named = {.name = input->name};
            return bsim_input_error(&named, reader->binary.err);
        }
        if (more == 0) {
            return bsim_binary_error(&reader->binary, offset + n,
                                     "the trace was cut short: its last chunk is missing");
        }
        n += more;
    }
    return BSIM_OK;
}

/* Reads the chunk at offset, which is of that kind, and checks its sum. */
static enum bsim_status read_chunk(struct reader *reader, uint64_t offset, uint32_t kind)
{
    struct bsim_binary *binary = &reader->binary;
    enum bsim_status status = read_at(reader, offset, HEAD, reader->data);
    if (status == BSIM_OK) {
        status = bsim_binary_chunk(binary, offset, reader->data);
    }
    if (status == BSIM_OK) {
        status = read_at(reader, offset + HEAD, binary->chunk.payload_bytes, reader->data + HEAD);
    }
    if (status == BSIM_OK) {
        status = bsim_binary_sum(binary, reader->data, reader->data + HEAD);
    }
    if (status == BSIM_OK && binary->chunk.kind != kind) {
        return bsim_binary_error(binary, offset, "another chunk stands here than the index says");
    }
    return status;
}

static enum bsim_status open_reader(struct reader *reader, const struct bsim_random_input *input,
                                    const struct bsim_sink *sink, struct bsim_error *err)
{
    *reader = (struct reader){.input = input};
    reader->binary.sink = sink;
    reader->binary.err = err;
    reader->binary.name = input->name;
    reader->data = bsim_mem_resize(NULL, HEAD + BSIM_BINARY_PAYLOAD_MAX, 1);
    if (reader->data == NULL) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    return BSIM_OK;
}

static void close_reader(struct reader *reader)
{
    bsim_binary_clear(&reader->binary);
    bsim_mem_free(reader->data);
}

/* ---- the index -------------------------------------------------------------------------------- */

/* Puts the rows of the chunk of the index at hand in front of those that are there. */
static enum bsim_status take_rows(struct reader *reader, struct bsim_trace_index *index,
                                  uint64_t *before)
{
    const unsigned char *payload = reader->binary.payload;
    size_t n = (reader->binary.chunk.payload_bytes - INDEX_HEAD) / BSIM_BINARY_ENTRY_BYTES;
    if (reader->binary.chunk.payload_bytes != INDEX_HEAD + n * BSIM_BINARY_ENTRY_BYTES ||
        bsim_get64(payload + 8) != n || n == 0 || bsim_get64(payload) >= reader->binary.offset) {
        return bsim_binary_error(&reader->binary, reader->binary.offset,
                                 "the index is not one of chunks before it");
    }
    struct bsim_binary_entry *entry =
        bsim_mem_resize(index->entry, index->n_entries + n, sizeof *entry);
    if (entry == NULL) {
        return bsim_error_set(reader->binary.err, BSIM_E_MEMORY, "out of memory");
    }
    index->entry = entry;
    memmove(entry + n, entry, index->n_entries * sizeof *entry);
    for (size_t i = 0; i < n; i++) {
        bsim_entry_get(payload + INDEX_HEAD + i * BSIM_BINARY_ENTRY_BYTES, &entry[i]);
    }
    index->n_entries += n;
    *before = bsim_get64(payload);
    return BSIM_OK;
}

static enum bsim_status read_index(struct reader *reader, struct bsim_trace_index *index)
{
    struct bsim_binary_totals totals;
    uint64_t size_bytes = reader->input->size_bytes;
    enum bsim_status status = read_at(reader, 0, HEAD, reader->data);
    if (status == BSIM_OK) {
        status = bsim_binary_head(&reader->binary, reader->data);
    }
    if (status == BSIM_OK && size_bytes < HEAD + TAIL_BYTES) {
        status = bsim_binary_error(&reader->binary, size_bytes,
                                   "the trace was cut short: its last chunk is missing");
    }
    if (status == BSIM_OK) {
        status = read_chunk(reader, size_bytes - TAIL_BYTES, BSIM_CHUNK_LAST);
    }
    if (status != BSIM_OK) {
        return status;
    }
    bsim_totals_get(reader->binary.payload, &totals);
    index->all = totals.all;
    index->end_line = reader->binary.chunk.line;
    for (uint64_t at = totals.index_offset; at != 0 && status == BSIM_OK;) {
        status = read_chunk(reader, at, BSIM_CHUNK_INDEX);
        if (status == BSIM_OK) {
            status = take_rows(reader, index, &at);
        }
    }
    return status;
}

/* Does it begin as a binary trace does? */
static enum bsim_status look(struct reader *reader, bool *is_binary)
{
    *is_binary = false;
    if (reader->input->size_bytes == 0) {
        return BSIM_OK;
    }
    enum bsim_status status = read_at(reader, 0, 1, reader->data);
    *is_binary = status == BSIM_OK && reader->data[0] == (unsigned char)BSIM_BINARY_MAGIC[0];
    return status;
}

enum bsim_status bsim_trace_index_open(const struct bsim_random_input *input,
                                       struct bsim_trace_index **index, struct bsim_error *err)
{
    struct reader reader;
    bool is_binary = false;
    struct bsim_trace_index *made = NULL;
    enum bsim_status status = open_reader(&reader, input, NULL, err);
    if (status == BSIM_OK) {
        status = look(&reader, &is_binary);
    }
    if (is_binary) {
        made = bsim_mem_zeroed(1, sizeof *made);
        status = made != NULL ? read_index(&reader, made)
                              : bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    close_reader(&reader);
    if (status != BSIM_OK) {
        bsim_trace_index_free(made);
        return status;
    }
    *index = made;
    return BSIM_OK;
}

void bsim_trace_index_free(struct bsim_trace_index *index)
{
    if (index != NULL) {
        bsim_mem_free(index->entry);
        bsim_mem_free(index);
    }
}

uint64_t bsim_trace_index_blocks(const struct bsim_trace_index *index)
{
    return index->all.blocks;
}

uint64_t bsim_trace_index_events(const struct bsim_trace_index *index)
{
    return index->all.events;
}

/* Where the i-th chunk's blocks end. */
static uint64_t blocks_behind(const struct bsim_trace_index *index, size_t i)
{
    return i + 1 < index->n_entries ? index->entry[i + 1].before.blocks : index->all.blocks;
}

uint64_t bsim_trace_index_part(const struct bsim_trace_index *index, uint64_t k, uint64_t n)
{
    if (k == 0 || index->n_entries == 0) {
        return 0;
    }
    if (k >= n) {
        return index->all.blocks;
    }
    /* k/n of the bytes, without a product that passes 64 bits. */
    uint64_t last = index->entry[index->n_entries - 1].offset;
    uint64_t goal = last / n * k + last % n * k / n;
    size_t low = 0;
    size_t high = index->n_entries;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->entry[middle].offset < goal) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < index->n_entries ? index->entry[low].before.blocks : index->all.blocks;
}

/* ---- a part ----------------------------------------------------------------------------------- */

/* Are there blocks from first to end in the i-th chunk, one of events, if only in part? */
static bool has_blocks(const struct bsim_trace_index *index, size_t i, uint64_t first, uint64_t end)
{
    const struct bsim_binary_entry *entry = &index->entry[i];
    uint64_t from = entry->before.blocks;
    if (entry->flags & BSIM_CHUNK_CONTINUES) {
        return from > first && from <= end;
    }
    return from < end && blocks_behind(index, i) > first;
}

/* Reads the i-th chunk. */
static enum bsim_status push_chunk(struct reader *reader, const struct bsim_trace_index *index,
                                   size_t i)
{
    struct bsim_binary *binary = &reader->binary;
    const struct bsim_binary_entry *entry = &index->entry[i];
    enum bsim_status status = read_chunk(reader, entry->offset, entry->kind);
    if (status != BSIM_OK) {
        return status;
    }
    const struct bsim_chunk *chunk = &binary->chunk;
    if (chunk->before.kernels != entry->before.kernels ||
        chunk->before.blocks != entry->before.blocks ||
        chunk->before.events != entry->before.events || chunk->flags != entry->flags) {
        return bsim_binary_error(binary, entry->offset,
                                 "another chunk stands here than the index says");
    }
    binary->counts = entry->before;
    return bsim_binary_decode(binary);
}

/* Definitions are all read, events where they are wanted. */
static enum bsim_status push_part(struct reader *reader, const struct bsim_trace_index *index)
{
    struct bsim_binary *binary = &reader->binary;
    enum bsim_status status = BSIM_OK;
    for (size_t i = 0; i < index->n_entries && status == BSIM_OK; i++) {
        bool is_events = index->entry[i].kind == BSIM_CHUNK_EVENTS;
        if (!is_events || has_blocks(index, i, binary->first_block, binary->end_block)) {
            status = push_chunk(reader, index, i);
        } else {
            bsim_rules_drop_block(&binary->rules);
        }
    }
    if (status != BSIM_OK) {
        return status;
    }
    binary->chunk.line = index->end_line;
    return bsim_binary_end(binary);
}

enum bsim_status bsim_trace_index_read(const struct bsim_trace_index *index,
                                       const struct bsim_random_input *input, uint64_t first_block,
                                       uint64_t end_block, const struct bsim_sink *sink,
                                       struct bsim_error *err)
{
    static const struct bsim_opcode none = {0};
    struct reader reader;
    enum bsim_status status = open_reader(&reader, input, sink, err);
    if (status == BSIM_OK) {
        bsim_event_init(&reader.binary.event, &none);
        reader.binary.first_block = first_block;
        reader.binary.end_block = end_block;
        status = push_part(&reader, index);
    }
    close_reader(&reader);
    return status;
}
