/* split.h - a trace in pieces: split.c fills and joins pieces of any format, split_lines.c and
 * split_binary.c find where blocks begin; see banksim/pieces.h.
 *
 * A piece ends where a block begins, and shows a bit of what follows (a text's next line, a chunk's
 * head), since the end of a block is checked there. What is behind it waits in the splitter:
 *
 *     piece->data   | own ...                | ahead |     piece->n is behind `ahead`
 *     carry                                  | ahead | ... read already |
 */
#ifndef BSIM_TRACE_SPLIT_H
#define BSIM_TRACE_SPLIT_H

#include <banksim/pieces.h>

#include "trace/binary.h"
#include "trace/checksum.h"
#include "trace/input.h"
#include "trace/text.h"
#include "trace/traceg.h"

/* What every reader must know: a text's `kernel` or `site` line, a line of a .traceg's header, a chunk
 * of definitions. A list that
 * only grows, at its end; who has its last item may read up to there. */
struct bsim_definition {
    struct bsim_definition *next;
    uint64_t place; /* line, or offset of the chunk's head */
    size_t length;  /* of data, which has BSIM_LINES_SLACK more bytes */
    char data[];
};

/* What the checks of a binary trace know at the beginning of a piece. */
struct bsim_split_chunks {
    uint64_t n_chunks;
    uint64_t index_offset;
    uint32_t n_entries;
    struct bsim_binary_counts counts; /* as the first chunk's head has them */
};

struct bsim_piece {
    struct bsim_splitter *splitter;
    char *data;
    size_t capacity, n;
    size_t n_ahead; /* of n; known when it is not open */
    size_t given;   /* of data, to the reader */
    bool is_first, is_last;
    bool follows;       /* on the piece before: nothing was passed over */
    bool is_open;       /* more comes from the splitter when data has been given */
    int read_errno;     /* what the input failed with behind data; 0: it did not */
    uint64_t place;     /* line in front of the first; offset of the first chunk */
    uint64_t end_place; /* line or offset of what follows; 0: not known yet, or nothing */
    const struct bsim_definition *before, *after;
    struct bsim_split_chunks chunks;
    unsigned char *entries; /* of the index, in front of the piece; where it has an index */

    /* what came of it */
    enum bsim_status status;
    struct bsim_error error;
    bool is_ordered;                  /* its first chunk is sound in itself */
    struct bsim_binary_counts counts; /* at its end */
    enum bsim_status seam_status;     /* of its last block's end, which a damaged chunk that
                                         follows goes before */
    struct bsim_error seam_error;
};

enum bsim_scanned {
    BSIM_SCAN_CUT,
    BSIM_SCAN_MORE,
    BSIM_SCAN_PASSED, /* what is in front of `at` is another shard's, what follows is not */
    BSIM_SCAN_NO_MEMORY,
};

struct bsim_splitter {
    struct bsim_piece_sizes sizes;
    size_t target; /* of the piece at hand: bytes that it should have */
    size_t aim;    /* where it ends if a block begins there, or behind it */
    struct bsim_shard shard;
    bool can_skip;     /* the payloads of a binary trace's chunks */
    bool is_passing;   /* over another shard's blocks */
    uint64_t n_blocks; /* that may begin a piece */
    bool is_summed;
    struct bsim_stream_sum content; /* of all bytes; of a binary trace's chunks: of their heads */
    struct bsim_ahead input;
    enum bsim_scanned (*scan)(struct bsim_splitter *splitter, struct bsim_piece *piece);
    bool in_head;           /* of a .traceg's kernel */
    const char *first_word; /* of the usual lines in which a piece may begin; NULL: no lines */
    char *carry;
    size_t n_carry, carry_capacity;
    bool at_end;  /* of the input */
    bool is_done; /* the last piece has been cut */
    bool is_rest; /* no more cuts */
    int read_errno;
    size_t at;      /* in the piece's data: what comes next to scan; may lie behind it */
    size_t n_ahead; /* of a cut */
    bool is_handed; /* a part of the piece at hand has been given to its reader already */
    uint64_t place; /* of the line in front of `at`; of the chunk at `at` */
    struct bsim_definition *first, *last;
    struct bsim_split_chunks chunks;
    unsigned char entries[BSIM_BINARY_INDEX_ENTRIES * BSIM_BINARY_ENTRY_BYTES];

    struct bsim_traceg *total; /* of what the readers of a .traceg have to remark */
    uint32_t n_reading;        /* readers that have not ended */

    /* joining */
    struct bsim_binary_counts joined;
    enum bsim_status seam_status;
    struct bsim_error seam_error;
};

/* Looks for the next cut from `at` on. */
enum bsim_scanned bsim_split_text(struct bsim_splitter *splitter, struct bsim_piece *piece);
enum bsim_scanned bsim_split_traceg(struct bsim_splitter *splitter, struct bsim_piece *piece);
enum bsim_scanned bsim_split_binary(struct bsim_splitter *splitter, struct bsim_piece *piece);

/* What to do with a block that may begin a piece, at `at`: BSIM_SCAN_MORE to go on behind it. */
enum bsim_scanned bsim_split_block(struct bsim_splitter *splitter, size_t n_ahead);

/* The rest of the trace is for everyone: BSIM_SCAN_PASSED if what is in front of it is not. */
enum bsim_scanned bsim_split_rest(struct bsim_splitter *splitter);

/* The lines of a trace in lines: where they lie, if the piece is in memory as a whole. */
void bsim_piece_lines(const struct bsim_piece *piece, const struct bsim_input *input,
                      struct bsim_lines *lines);

/* Adds a definition; false when memory is short. */
bool bsim_split_define(struct bsim_splitter *splitter, uint64_t place, const char *data,
                       size_t length);

/* ---- the readers' side: text_read.c and binary_read.c -------------------------------------------- */

struct bsim_text *bsim_text_new(const struct bsim_sink *sink, const char *name);
void bsim_text_free(struct bsim_text *text);

/* Takes a `kernel` or `site` line that stands in another piece. */
enum bsim_status bsim_text_define(struct bsim_text *text, const struct bsim_definition *definition,
                                  struct bsim_error *err) BSIM_MUST_USE;
enum bsim_status bsim_text_piece(struct bsim_text *text, const struct bsim_input *input,
                                 const struct bsim_piece *piece,
                                 struct bsim_error *err) BSIM_MUST_USE;

struct bsim_traceg *bsim_traceg_new(const struct bsim_sink *sink, const struct bsim_input *input);
void bsim_traceg_free(struct bsim_traceg *traceg);
enum bsim_status bsim_traceg_define(struct bsim_traceg *traceg,
                                    const struct bsim_definition *definition,
                                    struct bsim_error *err) BSIM_MUST_USE;
enum bsim_status bsim_traceg_piece(struct bsim_traceg *traceg, const struct bsim_input *input,
                                   const struct bsim_piece *piece,
                                   struct bsim_error *err) BSIM_MUST_USE;

struct bsim_binary_stream;
struct bsim_binary_stream *bsim_binary_stream_new(const struct bsim_sink *sink, const char *name);
void bsim_binary_stream_free(struct bsim_binary_stream *stream);
enum bsim_status bsim_binary_define(struct bsim_binary_stream *stream,
                                    const struct bsim_definition *definition,
                                    struct bsim_error *err) BSIM_MUST_USE;
enum bsim_status bsim_binary_piece(struct bsim_binary_stream *stream,
                                   const struct bsim_input *input, struct bsim_piece *piece,
                                   struct bsim_error *err) BSIM_MUST_USE;

#endif
