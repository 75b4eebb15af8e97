/* binary_scan.h - what the scan of a binary trace knows, and hands to the readers of its pieces. */
#ifndef BSIM_TRACE_BINARY_SCAN_H
#define BSIM_TRACE_BINARY_SCAN_H

#include "trace/binary/binary.h"
#include "trace/format.h"

/* What stands before a chunk. */
struct bsim_binary_mark {
    uint64_t n_chunks;
    uint64_t index_offset;            /* of the last chunk of the index */
    uint32_t n_entries;               /* chunks since then, that the next one must list */
    struct bsim_binary_counts counts; /* as the first chunk's head has them */
};

/* The splitter's state. */
struct bsim_binary_scan {
    struct bsim_binary_mark mark;
    struct bsim_binary_counts joined;
    unsigned char entries[BSIM_BINARY_INDEX_ENTRIES * BSIM_BINARY_ENTRY_BYTES];
};

/* A piece's. */
struct bsim_binary_part {
    struct bsim_binary_mark mark;  /* in front of it */
    struct bsim_binary_counts end; /* sums at its end, which its reader sets */
    /* of the index, in front of the piece; where it has an index */
    unsigned char entries[BSIM_BINARY_INDEX_ENTRIES * BSIM_BINARY_ENTRY_BYTES];
};

/* The format's scan, begin and join. */
enum bsim_scanned bsim_binary_scan(struct bsim_splitter *splitter, struct bsim_piece *piece);
void bsim_binary_begin(const struct bsim_splitter *splitter, struct bsim_piece *piece);
enum bsim_status bsim_binary_join(struct bsim_splitter *splitter, const struct bsim_piece *piece,
                                  struct bsim_error *err) BSIM_MUST_USE;

#endif
