/* binary_scan.c - where the blocks of a binary trace begin: at its chunks of events, but for those
 * that continue a block.
 *
 * Only the heads are looked at, and their sums are not checked: that is the readers' work. A head
 * that lies is found out by the reader of its chunk, and what was cut because of it does not matter
 * then, since the first error counts. */
#include "trace/binary/binary_scan.h"

#include <string.h>

enum { HEAD = BSIM_BINARY_HEAD_BYTES, ROW = BSIM_BINARY_ENTRY_BYTES };

/* A row of the index that is to come. */
static void add_entry(const struct bsim_splitter *splitter, const struct bsim_chunk *chunk)
{
    struct bsim_binary_scan *scan = splitter->state;
    struct bsim_binary_mark *mark = &scan->mark;
    if (mark->n_entries < BSIM_BINARY_INDEX_ENTRIES) {
        struct bsim_binary_entry entry = {splitter->place, chunk->before, chunk->kind,
                                          chunk->payload_bytes, chunk->flags};
        bsim_entry_put(&entry, scan->entries + (size_t)mark->n_entries++ * ROW);
    }
}

/* The index lists chunks of pieces before, which its reader has not seen. */
static void take_index(struct bsim_splitter *splitter, struct bsim_piece *piece)
{
    struct bsim_binary_scan *scan = splitter->state;
    struct bsim_binary_part *part = piece->state;
    if (part->mark.index_offset == scan->mark.index_offset) {
        memcpy(part->entries, scan->entries, (size_t)part->mark.n_entries * ROW);
    }
    scan->mark.index_offset = splitter->place;
    scan->mark.n_entries = 0;
}

static bool take_chunk(struct bsim_splitter *splitter, struct bsim_piece *piece,
                       const struct bsim_chunk *chunk)
{
    struct bsim_binary_scan *scan = splitter->state;
    size_t size = HEAD + chunk->payload_bytes;
    bool has_room = true;
    switch (chunk->kind) {
    case BSIM_CHUNK_DEFINITIONS:
        add_entry(splitter, chunk);
        has_room = bsim_split_define(splitter, splitter->place, piece->data + splitter->at, size);
        break;
    case BSIM_CHUNK_EVENTS:
        add_entry(splitter, chunk);
        break;
    case BSIM_CHUNK_INDEX:
        take_index(splitter, piece);
        break;
    default:
        break;
    }
    if (splitter->is_summed) { /* the head has the checksum of the payload */
        bsim_stream_sum_add(&splitter->content, piece->data + splitter->at, HEAD);
    }
    scan->mark.n_chunks++;
    splitter->place += size;
    splitter->at += size;
    return has_room;
}

/* A chunk's head at `at`; one that cannot be true ends the cutting. */
static enum bsim_scanned take_head(struct bsim_splitter *splitter, struct bsim_piece *piece)
{
    struct bsim_binary_scan *scan = splitter->state;
    struct bsim_chunk chunk;
    bsim_chunk_get((const unsigned char *)piece->data + splitter->at, &chunk);
    bool is_other = chunk.kind != BSIM_CHUNK_DEFINITIONS && chunk.kind != BSIM_CHUNK_EVENTS &&
                    chunk.kind != BSIM_CHUNK_INDEX;
    if (chunk.payload_bytes > BSIM_BINARY_PAYLOAD_MAX || is_other) {
        scan->mark.counts = chunk.before;
        return bsim_split_rest(splitter);
    }
    bool begins = chunk.kind == BSIM_CHUNK_EVENTS && (chunk.flags & BSIM_CHUNK_CONTINUES) == 0;
    if (begins) {
        scan->mark.counts = chunk.before;
    }
    enum bsim_scanned scanned = begins ? bsim_split_block(splitter, HEAD) : BSIM_SCAN_MORE;
    if (scanned != BSIM_SCAN_MORE) {
        return scanned;
    }
    if (chunk.kind == BSIM_CHUNK_DEFINITIONS &&
        piece->n - splitter->at < HEAD + chunk.payload_bytes) {
        return splitter->at_end ? bsim_split_rest(splitter) : BSIM_SCAN_MORE;
    }
    return take_chunk(splitter, piece, &chunk) ? BSIM_SCAN_MORE : BSIM_SCAN_NO_MEMORY;
}

enum bsim_scanned bsim_binary_scan(struct bsim_splitter *splitter, struct bsim_piece *piece)
{
    enum bsim_scanned scanned = BSIM_SCAN_MORE;
    if (splitter->place == 0) {
        splitter->at = HEAD;
        splitter->place = HEAD;
    }
    while (scanned == BSIM_SCAN_MORE && !splitter->is_rest && splitter->at + HEAD <= piece->n) {
        size_t at = splitter->at;
        scanned = take_head(splitter, piece);
        if (splitter->at == at) {
            break;
        }
    }
    return scanned;
}

void bsim_binary_begin(const struct bsim_splitter *splitter, struct bsim_piece *piece)
{
    const struct bsim_binary_scan *scan = splitter->state;
    struct bsim_binary_part *part = piece->state;
    part->mark = scan->mark;
}

enum bsim_status bsim_binary_join(struct bsim_splitter *splitter, const struct bsim_piece *piece,
                                  struct bsim_error *err)
{
    struct bsim_binary_scan *scan = splitter->state;
    const struct bsim_binary_part *part = piece->state;
    bool is_next =
        piece->is_first || !piece->follows || bsim_binary_same(&scan->joined, &part->mark.counts);
    struct bsim_binary at = {.err = err, .name = splitter->input.whole.name};
    scan->joined = part->end;
    if (!is_next) {
        bsim_binary_missing(&at, piece->place);
    }
    return at.status;
}
