/* format.h - what a trace's format is made of, and the pieces that it is read in.
 *
 * A format is a struct bsim_format: a row of input.c's table. Its reader takes pieces of a trace,
 * of which a whole trace is one, so that jobs and shards ask nothing else of it; its scan finds
 * where pieces may begin. split.c cuts and joins the pieces of any format, and names none.
 *
 * A piece ends where a block begins, and shows a bit of what follows (a text's next line, a chunk's
 * head), since the end of a block is checked there. What is behind it waits in the splitter:
 *
 *     piece->data   | own ...                | ahead |     piece->n is behind `ahead`
 *     carry                                  | ahead | ... read already |
 */
#ifndef BSIM_TRACE_FORMAT_H
#define BSIM_TRACE_FORMAT_H

#include "trace/checksum.h"
#include "trace/input.h"
#include "trace/lines.h"
#include "trace/pieces.h"

/* What every reader must know: a text's `kernel` or `site` line, a line of a .traceg's header, a
 * chunk of definitions. A list that grows at its end; who has its last item may read up to there.
 * It gets shorter at its beginning, where all readers have been, once there are all of them. */
struct bsim_definition {
    struct bsim_definition *next;
    uint64_t number; /* the first one, which is empty, has 0 */
    uint64_t place;  /* line, or offset of the chunk's head */
    size_t length;   /* of data, which has BSIM_LINES_SLACK more bytes */
    char data[];
};

struct bsim_format;

struct bsim_piece {
    struct bsim_splitter *splitter;
    char *data;
    size_t capacity, n;
    size_t given; /* of data, to the reader */
    bool is_first, is_last;
    bool follows;       /* on the piece before: nothing was passed over */
    bool is_open;       /* more comes from the splitter when data has been given */
    int read_errno;     /* what the input failed with behind data; 0: it did not */
    uint64_t place;     /* line in front of the first; offset of the first chunk */
    uint64_t end_place; /* line or offset of what follows; 0: not known yet, or nothing */
    const struct bsim_definition *before, *after;
    const struct bsim_format *format;
    void *state; /* of the format's own: what its scan knows at the beginning */

    /* what came of it */
    enum bsim_status status;
    struct bsim_error error;
    bool is_ordered;              /* its first chunk is sound in itself */
    enum bsim_status seam_status; /* of its last block's end, which a damaged chunk that
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
    bool can_skip;     /* what is another shard's */
    bool is_passing;   /* over another shard's blocks */
    uint64_t n_blocks; /* that may begin a piece */
    bool is_summed;
    struct bsim_stream_sum content; /* of all bytes, or of those that the scan adds */
    struct bsim_ahead input;
    const struct bsim_format *format;
    void *state; /* of the format's own */
    char *carry;
    size_t n_carry, carry_capacity;
    bool at_end;    /* of the input */
    bool is_done;   /* the last piece has been cut */
    bool is_rest;   /* no more cuts */
    size_t at;      /* in the piece's data: what comes next to scan; may lie behind it */
    size_t n_ahead; /* of a cut */
    bool is_handed; /* a part of the piece at hand has been given to its reader already */
    uint64_t place; /* of the line in front of `at`; of the chunk at `at` */
    struct bsim_definition *first, *last;

    void *total;        /* a reader that reads nothing: of what all have to remark */
    uint32_t n_reading; /* readers that have not ended */
    struct bsim_piece_reader *readers;
    bool has_all_readers;

    /* joining */
    enum bsim_status seam_status;
    struct bsim_error seam_error;
};

struct bsim_format {
    /* Whether a trace that begins with head[0..n) has the format. */
    bool (*recognises)(const char *head, size_t n);
    /* Why a file of the format is not read, and what to do; NULL: it is read. */
    const char *refusal;

    /* Of the splitter's and of each piece's own, zeroed; 0: none. */
    size_t splitter_state_bytes, piece_state_bytes;
    /* Of the usual lines in which a piece may begin; NULL: the trace is not in lines. */
    const char *first_word;
    /* What the scan does not look at of another shard's blocks is passed over unread, so that the
     * scan adds to the content what stands for all. */
    bool skips;
    /* Looks for the next cut from `at` on. */
    enum bsim_scanned (*scan)(struct bsim_splitter *splitter, struct bsim_piece *piece);
    /* Sets the state of a piece that begins at `at`; NULL: it has none. */
    void (*begin)(const struct bsim_splitter *splitter, struct bsim_piece *piece);
    /* The next piece, whose status is not known yet: fails if it does not follow on the one before.
     * NULL: pieces need not be looked at in their order. */
    enum bsim_status (*join)(struct bsim_splitter *splitter, const struct bsim_piece *piece,
                             struct bsim_error *err);

    /* A reader, whose input and sink must stay; NULL when memory is short. */
    void *(*open)(const struct bsim_input *input, const struct bsim_sink *sink);
    /* Takes a definition that stands in another piece. */
    enum bsim_status (*define)(void *reader, const struct bsim_definition *definition,
                               struct bsim_error *err);
    /* Reads a piece from input, or where it lies in memory. */
    enum bsim_status (*piece)(void *reader, const struct bsim_input *input,
                              struct bsim_piece *piece, struct bsim_error *err);
    /* Adds what `reader` has to remark to total; false when memory is short. NULL: never
     * anything. */
    bool (*add)(void *total, const void *reader);
    /* Remarks it: of the whole trace, or of a shard. NULL: nothing. */
    void (*remark)(void *reader, bool is_whole);
    void (*close)(void *reader); /* NULL is fine */
};

/* True if all of the piece is in its memory. */
static inline bool bsim_piece_is_whole(const struct bsim_piece *piece)
{
    return !piece->is_open && piece->read_errno == 0;
}

/* Makes the room for a state, zeroed; NULL for none. False when memory is short. */
bool bsim_format_state(size_t size_bytes, void **state);

extern const struct bsim_format bsim_text_format, bsim_binary_format, bsim_traceg_format;

/* ---- for what reads: cut.c ------------------------------------------------------------------- */

/* What to do with a block that may begin a piece, at `at`: BSIM_SCAN_MORE to go on behind it. */
enum bsim_scanned bsim_split_block(struct bsim_splitter *splitter, size_t n_ahead);

/* The rest of the trace is for everyone: BSIM_SCAN_PASSED if what is in front of it is not. */
enum bsim_scanned bsim_split_rest(struct bsim_splitter *splitter);

/* Scans lines up to the next cut. A usual line begins with `least` or a character behind it in
 * ASCII, and is passed over; each other line, of n bytes with its end, is given to take, with its
 * first character but for blanks at p. */
typedef enum bsim_scanned bsim_take_line(struct bsim_splitter *splitter, const char *line,
                                         const char *p, const char *end, size_t n);
enum bsim_scanned bsim_split_lines(struct bsim_splitter *splitter, const struct bsim_piece *piece,
                                   signed char least, bsim_take_line *take);

/* The line has been scanned, and every reader must know it, or not. */
enum bsim_scanned bsim_split_line(struct bsim_splitter *splitter, const char *line, size_t n,
                                  bool defines);

/* A definition that is a line, as a line. */
void bsim_definition_line(const struct bsim_definition *definition, struct bsim_scan *scan);

/* The lines of a trace in lines: where they lie, if the piece is in memory as a whole. */
void bsim_piece_lines(const struct bsim_piece *piece, const struct bsim_input *input,
                      struct bsim_lines *lines);

/* Adds a definition; false when memory is short. */
bool bsim_split_define(struct bsim_splitter *splitter, uint64_t place, const char *data,
                       size_t length);

#endif
