/* fuzz_pieces.c - any trace at once, in pieces, and in shards that are merged: all the same.
 *
 * What must hold for every input, good or broken, text, binary and Accel-Sim's:
 *   - pieces of one block each, read by one to three readers, count what a single reader counts, to the
 *     last number, and a broken trace has the same error, word for word;
 *   - so do the shards of it, each written as a part, read back and merged in any order; of a broken
 *     trace one at least is refused, if it is text for what the whole is;
 *   - so does the binary form of a trace.
 */
#include "support.h"

#include "run/part.h"
#include "trace/pieces.h"
#include "result/result.h"

enum { MAX_READERS = 3, MAX_SHARDS = 5 };

struct input {
    const uint8_t *data;
    size_t size;
    uint64_t hash;
};

/* What came of an input: its numbers, or an error. */
struct outcome {
    enum bsim_status status;
    struct bsim_error err;
    struct bsim_result result;
};

static void free_outcome(struct outcome *outcome)
{
    bsim_result_free(&outcome->result);
}

static struct outcome read_whole(const struct input *input)
{
    struct fuzz_bytes bytes = {.data = input->data, .size = input->size};
    struct bsim_input from = fuzz_input(&bytes);
    struct outcome outcome = {.result = {0}};
    struct fuzz_run run = {.rows = 0};
    fuzz_run_open(&run, NULL);
    struct bsim_sink sink = fuzz_run_sink(&run);
    outcome.status = bsim_trace_read(&from, &sink, &outcome.err);
    if (outcome.status == BSIM_OK) {
        fuzz_run_result(&run, &outcome.result);
    }
    fuzz_run_close(&run);
    return outcome;
}

/* Where it happened as well: file, line, column, excerpt. */
static bool same_error(const struct bsim_error *a, const struct bsim_error *b)
{
    char x[2048], y[2048];
    return a->status == b->status &&
           strcmp(bsim_error_text(a, x, sizeof x), bsim_error_text(b, y, sizeof y)) == 0;
}

static void require_same_result(const struct bsim_result *a, const struct bsim_result *b)
{
    struct bsim_buffer x = BSIM_BUFFER_EMPTY, y = BSIM_BUFFER_EMPTY;
    fuzz_result_text(a, &x);
    fuzz_result_text(b, &y);
    if (strcmp(x.data, y.data) != 0) {
        fprintf(stderr, "%s\nand\n%s\n", x.data, y.data);
        REQUIRE(!"the same numbers");
    }
    bsim_buffer_free(&x);
    bsim_buffer_free(&y);
}

static void print_error(const char *who, const struct outcome *outcome)
{
    char text[2048];
    fprintf(stderr, "%s: %s", who,
            outcome->status == BSIM_OK ? "ok\n"
                                       : bsim_error_text(&outcome->err, text, sizeof text));
}

static void require_same(const struct outcome *expected, const struct outcome *other)
{
    if (expected->status != BSIM_OK || other->status != BSIM_OK) {
        if (expected->status != other->status || !same_error(&expected->err, &other->err)) {
            print_error("one", expected);
            print_error("other", other);
            REQUIRE(!"the same error");
        }
    } else {
        require_same_result(&expected->result, &other->result);
    }
}

/* ---- pieces ---------------------------------------------------------------------------------- */

struct readers {
    size_t n;
    struct fuzz_run run[MAX_READERS];
    struct bsim_sink sink[MAX_READERS];
    struct bsim_piece_reader *reader[MAX_READERS];
};

static void open_readers(struct readers *readers, struct bsim_splitter *splitter)
{
    for (size_t i = 0; i < readers->n; i++) {
        readers->run[i] = (struct fuzz_run){.rows = 0};
        fuzz_run_open(&readers->run[i], NULL);
        readers->sink[i] = fuzz_run_sink(&readers->run[i]);
        readers->reader[i] = bsim_piece_reader_new(splitter, &readers->sink[i]);
        REQUIRE(readers->reader[i] != NULL);
    }
    bsim_splitter_has_all_readers(splitter);
}

static enum bsim_status read_all(struct readers *readers, struct bsim_splitter *splitter,
                                 uint64_t hash, struct bsim_error *err)
{
    bool found = true;
    enum bsim_status status = BSIM_OK;
    struct bsim_piece *piece = bsim_piece_new();
    REQUIRE(piece != NULL);
    for (uint64_t k = 0; found && status == BSIM_OK; k++) {
        status = bsim_splitter_next(splitter, piece, &found, err);
        if (status == BSIM_OK && found) {
            bsim_piece_read(readers->reader[(hash >> k % 32) % readers->n], piece);
            status = bsim_piece_join(splitter, piece, err);
        }
    }
    for (size_t i = 0; i < readers->n && status == BSIM_OK; i++) {
        status = bsim_piece_reader_end(readers->reader[i], err);
    }
    bsim_piece_free(piece);
    return status;
}

/* The sum of the readers' results, the last one first. */
static void add_readers(struct readers *readers, struct outcome *outcome)
{
    for (size_t i = readers->n; i-- > 0 && outcome->status == BSIM_OK;) {
        struct bsim_result result = {0};
        fuzz_run_result(&readers->run[i], &result);
        outcome->status = bsim_result_merge(&outcome->result, &result, &outcome->err);
        bsim_result_free(&result);
    }
}

static void close_readers(struct readers *readers)
{
    for (size_t i = 0; i < readers->n; i++) {
        bsim_piece_reader_free(readers->reader[i]);
        fuzz_run_close(&readers->run[i]);
    }
}

/* The whole of it, or a shard (of 0: the whole). */
static struct outcome read_pieces(const struct input *input, struct bsim_shard shard)
{
    static const size_t most[] = {1, 64, 1 << 15};
    struct bsim_piece_sizes sizes = {1, 1, most[input->hash % 3]};
    struct fuzz_bytes bytes = {.data = input->data, .size = input->size};
    struct bsim_input from = fuzz_input(&bytes);
    struct outcome outcome = {.result = {0}};
    struct bsim_splitter *splitter = NULL;
    outcome.status =
        bsim_splitter_open(&from, &sizes, shard.of > 0 ? &shard : NULL, &splitter, &outcome.err);
    if (outcome.status != BSIM_OK) {
        return outcome;
    }
    struct readers readers = {.n = 1 + input->hash / 3 % MAX_READERS};
    open_readers(&readers, splitter);
    outcome.status = read_all(&readers, splitter, input->hash, &outcome.err);
    add_readers(&readers, &outcome);
    close_readers(&readers);
    bsim_splitter_close(splitter);
    return outcome;
}

/* ---- shards ---------------------------------------------------------------------------------- */

/* Writes the shard's result as a part and adds what is read back. */
static enum bsim_status add_part(struct bsim_result *sum, struct outcome *shard,
                                 struct bsim_shard which, struct bsim_error *err)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_part part = {
        .shard = which.number + 1, .n_shards = which.of, .identity = 7, .result = shard->result};
    struct bsim_part back = {.shard = 0};
    bsim_part_write(&part, &text);
    REQUIRE(!text.failed);
    REQUIRE(bsim_part_read(text.data, text.size_bytes, "part", &back, err) == BSIM_OK);
    REQUIRE(back.shard == part.shard && back.n_shards == part.n_shards && back.identity == 7);
    enum bsim_status status = bsim_result_merge(sum, &back.result, err);
    bsim_result_free(&back.result);
    bsim_buffer_free(&text);
    return status;
}

/* Whether one of the shards has the error of the whole. What is wrong with the order of a binary
 * trace's chunks, which have no lines, is noticed where a shard looks. */
static bool has_error(const struct outcome *shard, uint32_t n, const struct outcome *whole)
{
    bool is_there = false;
    for (uint32_t i = 0; i < n; i++) {
        is_there |= shard[i].status != BSIM_OK &&
                    (whole->err.line == 0 || same_error(&shard[i].err, &whole->err));
    }
    return is_there;
}

static void require_merged(struct outcome *shard, uint32_t n, uint64_t hash,
                           const struct outcome *whole)
{
    struct outcome sum = {.result = {0}};
    bool is_broken = false;
    for (uint32_t i = 0; i < n; i++) {
        is_broken |= shard[i].status != BSIM_OK;
    }
    for (uint32_t i = 0; i < n && !is_broken && sum.status == BSIM_OK; i++) {
        struct bsim_shard which = {(uint32_t)(i + hash % n) % n, n};
        sum.status = add_part(&sum.result, &shard[which.number], which, &sum.err);
    }
    if (is_broken != (whole->status != BSIM_OK) || (is_broken && !has_error(shard, n, whole))) {
        print_error("whole", whole);
        for (uint32_t i = 0; i < n; i++) {
            print_error("shard", &shard[i]);
        }
        REQUIRE(!"an error of a shard");
    }
    if (!is_broken) {
        require_same(whole, &sum);
    }
    free_outcome(&sum);
}

static void require_shards(const struct input *input, const struct outcome *whole)
{
    struct outcome shard[MAX_SHARDS];
    uint32_t n = 2 + (uint32_t)(input->hash / 9 % (MAX_SHARDS - 1));
    for (uint32_t i = 0; i < n; i++) {
        shard[i] = read_pieces(input, (struct bsim_shard){i, n});
    }
    require_merged(shard, n, input->hash / 99, whole);
    for (uint32_t i = 0; i < n; i++) {
        free_outcome(&shard[i]);
    }
}

/* ---- the binary form ------------------------------------------------------------------------- */

static void require_packed(const struct input *input, const struct outcome *whole)
{
    struct bsim_buffer packed = BSIM_BUFFER_EMPTY;
    struct bsim_output output = fuzz_output(&packed);
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_BINARY, &output);
    struct fuzz_bytes bytes = {.data = input->data, .size = input->size};
    struct bsim_input from = fuzz_input(&bytes);
    REQUIRE(writer != NULL);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    REQUIRE(bsim_trace_read(&from, &sink, NULL) == BSIM_OK);
    bsim_trace_writer_free(writer);
    struct input binary = *input;
    binary.data = (const uint8_t *)packed.data;
    binary.size = packed.size_bytes;
    struct outcome again = read_whole(&binary);
    struct outcome in_pieces = read_pieces(&binary, (struct bsim_shard){0, 0});
    require_same(whole, &again);
    require_same(whole, &in_pieces);
    require_shards(&binary, whole);
    free_outcome(&again);
    free_outcome(&in_pieces);
    bsim_buffer_free(&packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bsim_buffer bytes = fuzz_repaired(data, size);
    struct input input = {.data = (const uint8_t *)(size > 0 ? bytes.data : ""),
                          .size = size,
                          .hash = fuzz_hash(data, size)};
    struct outcome whole = read_whole(&input);
    struct outcome in_pieces = read_pieces(&input, (struct bsim_shard){0, 0});
    require_same(&whole, &in_pieces);
    require_shards(&input, &whole);
    if (whole.status == BSIM_OK) {
        require_packed(&input, &whole);
    }
    free_outcome(&in_pieces);
    free_outcome(&whole);
    bsim_buffer_free(&bytes);
    return 0;
}
