/* split.c - cuts an input into pieces, has them read, and joins what came of them; see format.h and
 * pieces.h. */
#include "trace/format.h"

#include "base/memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

enum {
    READ_BYTES = 1 << 16,
    STEP_BYTES =
        1 << 14, /* beyond what a piece should have: the rest behind its end is copied twice */
    GLANCE_BYTES = 1 << 12, /* for the head of a chunk whose payload will be passed over */
    MANY_DEFINITIONS = 512, /* in a piece; what is counted of them waits for those who lag behind */
};

struct bsim_piece_reader {
    struct bsim_splitter *splitter;
    struct bsim_piece_reader *next; /* of the splitter's */
    const struct bsim_sink *sink;
    const struct bsim_definition *seen; /* the last one that was pushed */
    _Atomic uint64_t n_seen;            /* its number, for the splitter */
    void *of;                           /* the format's */
    bool has_ended;
    bool has_failed;
};

/* ---- the splitter ---------------------------------------------------------------------------- */

enum bsim_status bsim_splitter_open(const struct bsim_input *input,
                                    const struct bsim_piece_sizes *sizes,
                                    const struct bsim_shard *shard, struct bsim_splitter **splitter,
                                    struct bsim_error *err)
{
    static const struct bsim_shard all = {0, 1};
    struct bsim_splitter *made = bsim_mem_zeroed(1, sizeof *made);
    if (made == NULL) {
        return bsim_mem_short(err);
    }
    enum bsim_status status = bsim_input_look(&made->input, input, err);
    const struct bsim_format *format = made->format = made->input.format;
    if (status == BSIM_OK) {
        bool has_room = bsim_format_state(format->splitter_state_bytes, &made->state) &&
                        bsim_split_define(made, 0, "", 0);
        status = has_room ? BSIM_OK : bsim_mem_short(err);
    }
    if (status != BSIM_OK) {
        bsim_splitter_close(made);
        return status;
    }
    made->sizes = *sizes;
    made->target = sizes->first;
    made->shard = shard != NULL ? *shard : all;
    made->is_summed = shard != NULL;
    made->can_skip = format->skips && made->input.whole.skip != NULL;
    *splitter = made;
    return BSIM_OK;
}

void bsim_splitter_close(struct bsim_splitter *splitter)
{
    if (splitter == NULL) {
        return;
    }
    while (splitter->first != NULL) {
        struct bsim_definition *next = splitter->first->next;
        bsim_mem_free(splitter->first);
        splitter->first = next;
    }
    if (splitter->total != NULL) {
        splitter->format->close(splitter->total);
    }
    bsim_mem_free(splitter->state);
    bsim_mem_free(splitter->carry);
    bsim_mem_free(splitter);
}

uint64_t bsim_splitter_content(const struct bsim_splitter *splitter)
{
    return bsim_stream_sum(&splitter->content);
}

/* ---- filling a piece ------------------------------------------------------------------------- */

/* Room for n bytes and what the readers of lines need behind them. */
static bool reserve(char **data, size_t *capacity, size_t n)
{
    n += 1 + BSIM_LINES_SLACK;
    if (n <= *capacity) {
        return true;
    }
    size_t more = 2 * *capacity > n ? 2 * *capacity : n;
    char *grown = bsim_mem_resize(*data, more, 1);
    if (grown != NULL) {
        *data = grown;
        *capacity = more;
    }
    return grown != NULL;
}

/* Keeps what is behind the first n bytes for later. */
static bool keep_rest(struct bsim_splitter *splitter, const struct bsim_piece *piece, size_t n)
{
    size_t rest = piece->n - n;
    if (!reserve(&splitter->carry, &splitter->carry_capacity, rest)) {
        return false;
    }
    splitter->n_carry = rest;
    if (rest > 0) { /* of nothing, there may be no carry to copy to */
        memcpy(splitter->carry, piece->data + n, rest);
    }
    return true;
}

/* Starts with what was kept. */
static bool take_rest(struct bsim_splitter *splitter, struct bsim_piece *piece)
{
    if (!reserve(&piece->data, &piece->capacity, splitter->n_carry)) {
        return false;
    }
    if (splitter->n_carry > 0) {
        memcpy(piece->data, splitter->carry, splitter->n_carry);
    }
    piece->n = splitter->n_carry;
    piece->given = 0;
    splitter->n_carry = 0;
    return true;
}

static bool read_more(struct bsim_splitter *splitter, struct bsim_piece *piece)
{
    const struct bsim_input *input = &splitter->input.whole;
    if (!reserve(&piece->data, &piece->capacity, piece->n + READ_BYTES)) {
        return false;
    }
    size_t size = splitter->can_skip && splitter->is_passing ? GLANCE_BYTES
                  : piece->n < splitter->target              ? READ_BYTES
                                                             : STEP_BYTES;
    size_t n = input->read(input->context, piece->data + piece->n, size);
    if (n == SIZE_MAX) {
        piece->read_errno = errno != 0 ? errno : EIO;
    }
    splitter->at_end = n == 0 || n == SIZE_MAX;
    if (splitter->at_end) {
        return true;
    }
    if (splitter->is_summed && !splitter->format->skips) {
        bsim_stream_sum_add(&splitter->content, piece->data + piece->n, n);
    }
    piece->n += n;
    return true;
}

/* The piece ends at `at`, where the next one begins. */
static bool cut(struct bsim_splitter *splitter, struct bsim_piece *piece)
{
    bool is_lines = splitter->format->first_word != NULL;
    if (!keep_rest(splitter, piece, splitter->at)) {
        return false;
    }
    piece->n = splitter->at + splitter->n_ahead;
    piece->end_place = splitter->place + is_lines;
    piece->is_open = false;
    splitter->is_handed = false;
    splitter->at = 0;
    return true;
}

/* Hands over what has been scanned of a piece that is too long to be kept. */
static bool hand_over(struct bsim_splitter *splitter, struct bsim_piece *piece)
{
    size_t safe = splitter->at < piece->n && !splitter->is_rest ? splitter->at : piece->n;
    if (!keep_rest(splitter, piece, safe)) {
        return false;
    }
    piece->n = safe;
    piece->is_open = true;
    splitter->is_handed = true;
    splitter->at = splitter->is_rest ? 0 : splitter->at - safe;
    return true;
}

/* What the checks in front of a piece know: it begins at `at`. */
static void begin(struct bsim_splitter *splitter, struct bsim_piece *piece)
{
    piece->place = splitter->place;
    piece->before = piece->after = splitter->last;
    if (splitter->format->begin != NULL) {
        splitter->format->begin(splitter, piece);
    }
}

/* Forgets what is another shard's, up to `at`. */
static void pass_over(struct bsim_splitter *splitter, struct bsim_piece *piece)
{
    size_t n = splitter->at < piece->n ? splitter->at : piece->n;
    memmove(piece->data, piece->data + n, piece->n - n);
    piece->n -= n;
    splitter->at -= n;
    piece->follows = false;
    begin(splitter, piece);
    const struct bsim_input *input = &splitter->input.whole;
    if (splitter->at > 0 && splitter->can_skip) {
        splitter->can_skip = input->skip(input->context, splitter->at);
        splitter->at = splitter->can_skip ? 0 : splitter->at;
    }
}

/* Where the last line with the first word of a block stands in the last STEP_BYTES of the data, but
 * not beyond twice what the piece should have; 0: nowhere. */
static size_t last_block(const struct bsim_splitter *splitter, const struct bsim_piece *piece)
{
    const char *word = splitter->format->first_word;
    size_t length = strlen(word);
    size_t n = piece->n < 2 * splitter->target ? piece->n : 2 * splitter->target;
    const char *end = piece->data + n;
    const char *p = n > STEP_BYTES ? end - STEP_BYTES : piece->data + n / 2 + 1;
    size_t found = 0;
    while (p < end && (p = memchr(p, word[0], (size_t)(end - p))) != NULL) {
        if (p[-1] == '\n' && (size_t)(end - p) >= length && memcmp(p, word, length) == 0) {
            found = (size_t)(p - piece->data);
        }
        p++;
    }
    return found;
}

/* Of a trace in lines as much is read at once as the piece should have, and all whole blocks of it
 * become the piece, so that little is left to be carried over. */
static bool read_whole(struct bsim_splitter *splitter, struct bsim_piece *piece)
{
    splitter->aim = splitter->target;
    if (splitter->format->first_word == NULL || splitter->shard.of > 1) {
        return true;
    }
    while (piece->n < splitter->target && !splitter->at_end) {
        if (!read_more(splitter, piece)) {
            return false;
        }
    }
    size_t last = splitter->at_end ? 0 : last_block(splitter, piece);
    splitter->aim = last > 0 ? last : splitter->target;
    return true;
}

/* Reads and scans until the piece ends or has as much as may be kept. False when memory is
 * short. */
static bool fill(struct bsim_splitter *splitter, struct bsim_piece *piece)
{
    for (;;) {
        enum bsim_scanned scanned =
            splitter->is_rest ? BSIM_SCAN_MORE : splitter->format->scan(splitter, piece);
        piece->after = splitter->last;
        if (scanned == BSIM_SCAN_NO_MEMORY) {
            return false;
        }
        if (scanned == BSIM_SCAN_PASSED || splitter->is_passing) {
            pass_over(splitter, piece);
        }
        if (scanned == BSIM_SCAN_PASSED) {
            continue;
        }
        if (scanned == BSIM_SCAN_CUT) {
            return cut(splitter, piece);
        }
        if (splitter->at_end) {
            splitter->is_done = true;
            piece->is_last = true;
            piece->is_open = false;
            return true;
        }
        bool is_long = piece->n >= splitter->sizes.most && (splitter->at > 0 || splitter->is_rest);
        if (is_long) {
            return hand_over(splitter, piece);
        }
        if (!read_more(splitter, piece)) {
            return false;
        }
    }
}

/* Room for the format's state, in a piece that may be a new one. False when memory is short. */
static bool prepare(struct bsim_piece *piece, const struct bsim_format *format)
{
    if (piece->format != format) {
        bsim_mem_free(piece->state);
        piece->format = bsim_format_state(format->piece_state_bytes, &piece->state) ? format : NULL;
    }
    return piece->format != NULL;
}

/* Frees the definitions that all readers have pushed, which would else grow with the trace. What a
 * piece begins or ends with is not among them: its reader has yet to come there. */
static void forget_seen(struct bsim_splitter *splitter)
{
    uint64_t least = splitter->last->number;
    for (struct bsim_piece_reader *reader = splitter->readers; reader != NULL;
         reader = reader->next) {
        uint64_t n = atomic_load_explicit(&reader->n_seen, memory_order_acquire);
        least = n < least ? n : least;
    }
    while (splitter->has_all_readers && splitter->first->number < least) {
        struct bsim_definition *next = splitter->first->next;
        bsim_mem_free(splitter->first);
        splitter->first = next;
    }
}

void bsim_splitter_has_all_readers(struct bsim_splitter *splitter)
{
    splitter->has_all_readers = true;
}

/* Of the next piece: twice as much, up to the usual; less where there are many kernels. */
static void choose_target(struct bsim_splitter *splitter, const struct bsim_piece *piece)
{
    const struct bsim_piece_sizes *sizes = &splitter->sizes;
    if (piece->after->number - piece->before->number > MANY_DEFINITIONS) {
        size_t half = splitter->target / 2;
        splitter->target = half > sizes->first ? half : sizes->first;
    } else {
        size_t twice = 2 * splitter->target;
        splitter->target = twice < sizes->usual ? twice : sizes->usual;
    }
}

enum bsim_status bsim_splitter_next(struct bsim_splitter *splitter, struct bsim_piece *piece,
                                    bool *found, struct bsim_error *err)
{
    *found = !splitter->is_done;
    if (splitter->is_done) {
        return BSIM_OK;
    }
    if (!prepare(piece, splitter->format)) {
        return bsim_mem_short(err);
    }
    piece->splitter = splitter;
    piece->is_first = splitter->place == 0;
    piece->is_last = piece->is_open = false;
    piece->read_errno = 0;
    piece->follows = true;
    piece->end_place = 0;
    begin(splitter, piece);
    forget_seen(splitter);
    if (!take_rest(splitter, piece) || !read_whole(splitter, piece) || !fill(splitter, piece)) {
        return bsim_mem_short(err);
    }
    choose_target(splitter, piece);
    return BSIM_OK;
}

struct bsim_piece *bsim_piece_new(void)
{
    return bsim_mem_zeroed(1, sizeof(struct bsim_piece));
}

void bsim_piece_free(struct bsim_piece *piece)
{
    if (piece != NULL) {
        bsim_mem_free(piece->state);
        bsim_mem_free(piece->data);
        bsim_mem_free(piece);
    }
}

void bsim_piece_exchange(struct bsim_piece *a, struct bsim_piece *b)
{
    char *data = a->data;
    size_t capacity = a->capacity;
    a->data = b->data;
    a->capacity = b->capacity;
    a->n = a->given = 0;
    b->data = data;
    b->capacity = capacity;
    b->n = b->given = 0;
}

bool bsim_piece_is_open(const struct bsim_piece *piece)
{
    return piece->is_open;
}

/* ---- reading one ----------------------------------------------------------------------------- */

struct bsim_piece_reader *bsim_piece_reader_new(struct bsim_splitter *splitter,
                                                const struct bsim_sink *sink)
{
    struct bsim_piece_reader *reader = bsim_mem_zeroed(1, sizeof *reader);
    if (reader == NULL) {
        return NULL;
    }
    reader->splitter = splitter;
    reader->sink = sink;
    reader->seen = splitter->first;
    reader->of = splitter->format->open(&splitter->input.whole, sink);
    if (reader->of == NULL) {
        bsim_mem_free(reader);
        return NULL;
    }
    reader->next = splitter->readers;
    splitter->readers = reader;
    splitter->n_reading++;
    return reader;
}

void bsim_piece_reader_free(struct bsim_piece_reader *reader)
{
    if (reader != NULL) {
        struct bsim_piece_reader **at = &reader->splitter->readers;
        while (*at != reader) {
            at = &(*at)->next;
        }
        *at = reader->next;
        reader->splitter->format->close(reader->of);
        bsim_mem_free(reader);
    }
}

/* The bytes of a piece, and those behind it that are still in the input. */
static size_t read_piece(void *context, void *data, size_t size_bytes)
{
    struct bsim_piece *piece = context;
    while (piece->given == piece->n && piece->is_open) {
        if (!take_rest(piece->splitter, piece) || !fill(piece->splitter, piece)) {
            errno = ENOMEM;
            return SIZE_MAX;
        }
    }
    size_t left = piece->n - piece->given;
    size_t n = left < size_bytes ? left : size_bytes;
    if (n == 0 && piece->read_errno != 0) {
        errno = piece->read_errno;
        return SIZE_MAX;
    }
    memcpy(data, piece->data + piece->given, n);
    piece->given += n;
    return n;
}

/* Pushes the definitions up to `last`. */
static enum bsim_status catch_up(struct bsim_piece_reader *reader,
                                 const struct bsim_definition *last, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    while (reader->seen != last && status == BSIM_OK) {
        reader->seen = reader->seen->next;
        status = reader->splitter->format->define(reader->of, reader->seen, err);
    }
    return status;
}

void bsim_piece_read(struct bsim_piece_reader *reader, struct bsim_piece *piece)
{
    const struct bsim_format *format = reader->splitter->format;
    struct bsim_input input = reader->splitter->input.whole;
    input.read = read_piece;
    input.context = piece;
    memset(&piece->error, 0, sizeof piece->error);
    piece->is_ordered = format->join == NULL || reader->has_failed; /* else it hides the reason */
    piece->seam_status = BSIM_OK;
    piece->status = reader->has_failed ? bsim_error_set(&piece->error, BSIM_E_USAGE,
                                                        "a piece after one that failed")
                                       : catch_up(reader, piece->before, &piece->error);
    if (piece->status == BSIM_OK) {
        piece->status = format->piece(reader->of, &input, piece, &piece->error);
    }
    reader->seen = piece->after;
    atomic_store_explicit(&reader->n_seen, reader->seen->number, memory_order_release);
    reader->has_failed = piece->status != BSIM_OK || piece->seam_status != BSIM_OK;
    reader->has_ended = piece->is_last && !reader->has_failed;
}

static enum bsim_status fail(enum bsim_status status, const struct bsim_error *error,
                             struct bsim_error *err)
{
    if (err != NULL) {
        *err = *error;
    }
    return status;
}

enum bsim_status bsim_piece_join(struct bsim_splitter *splitter, const struct bsim_piece *piece,
                                 struct bsim_error *err)
{
    if (piece->status != BSIM_OK && !piece->is_ordered) {
        return fail(piece->status, &piece->error, err);
    }
    enum bsim_status status =
        splitter->format->join != NULL ? splitter->format->join(splitter, piece, err) : BSIM_OK;
    if (status != BSIM_OK) {
        return status;
    }
    if (splitter->seam_status != BSIM_OK) {
        return fail(splitter->seam_status, &splitter->seam_error, err);
    }
    if (piece->status != BSIM_OK) {
        return fail(piece->status, &piece->error, err);
    }
    splitter->seam_status = piece->seam_status;
    splitter->seam_error = piece->seam_error;
    return BSIM_OK;
}

/* Adds what the reader has to remark to the total, and tells that when all have ended. */
static enum bsim_status remark(struct bsim_piece_reader *reader, struct bsim_error *err)
{
    struct bsim_splitter *splitter = reader->splitter;
    const struct bsim_format *format = splitter->format;
    if (splitter->total == NULL) {
        splitter->total = format->open(&splitter->input.whole, NULL);
    }
    if (splitter->total == NULL || !format->add(splitter->total, reader->of)) {
        return bsim_mem_short(err);
    }
    if (splitter->n_reading == 0) {
        format->remark(splitter->total, splitter->shard.of == 1);
    }
    return BSIM_OK;
}

static enum bsim_status push_end(struct bsim_piece_reader *reader, struct bsim_error *err)
{
    if (reader->has_ended) {
        return BSIM_OK;
    }
    enum bsim_status status = catch_up(reader, reader->splitter->last, err);
    if (status == BSIM_OK) {
        struct bsim_record record = {.kind = BSIM_RECORD_END};
        status = reader->sink->push(reader->sink->context, &record, err);
    }
    reader->has_ended = status == BSIM_OK;
    return status;
}

enum bsim_status bsim_piece_reader_catch_up(struct bsim_piece_reader *reader,
                                            struct bsim_error *err)
{
    return reader->has_failed ? BSIM_OK : catch_up(reader, reader->splitter->last, err);
}

enum bsim_status bsim_piece_reader_end(struct bsim_piece_reader *reader, struct bsim_error *err)
{
    enum bsim_status status = push_end(reader, err);
    reader->splitter->n_reading--;
    bool remarks = reader->splitter->format->remark != NULL;
    return status == BSIM_OK && remarks ? remark(reader, err) : status;
}
