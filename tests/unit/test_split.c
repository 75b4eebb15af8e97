/* test_split.c - traces cut between their blocks: pieces of any size, read by any number of
 * readers, are the trace that bsim_trace_read reads, record by record, count by count, error by
 * error. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/report.h>

#include "trace/pieces.h"
#include "result/result.h"
#include "sim/sim.h"
#include "timing/timer.h"

#include "failing_memory.h"
#include "packed.h"
#include "status_name.h"
#include "trace_text.h"
#include "watched.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

enum { MAX_READERS = 3, MAX_SHARDS = 12, MAX_ALLOCATIONS = 10000, SOME = 37 };

/* Every kind of line, of block and of place for a definition. */
static const char whole[] = "# two kernels\n"
                            "banksim-trace 1\n"
                            "kernel k grid=9 block=64 shared=256 device=sm_90 x-a=1\n"
                            "site 1 ld.shared.u32 at=a.cu:7 text=\"block 1\"\n"
                            "block 0\n"
                            "w0 @1 ffffffff 0+4\n"
                            "w1 st.shared.u32 ffffffff 0*31,4 wait=1 expect.wavefronts=2\n"
                            "\n"
                            "  repeat 3 work=1:2 # block\n"
                            "    w* bar.sync\n"
                            "  done\n"
                            "w0 work 3:4\n"
                            "site 2 st.shared.u64\n"
                            "w0 @2 0000000f 0+8\n"
                            "\tblock\t1\r\n"
                            "w0 ld.global.u32 0000000f 99999999996,4,8,0\n"
                            "w1 @2 ffffffff 0*32 expect.conflicts=9\n"
                            "block 2# the last one\n"
                            "block 3\n"
                            "w0 @1 00000001 4\n"
                            "w1 @1 00000001 252\n"
                            "kernel l grid=3,2 block=32\n"
                            "kernel m grid=3,2 block=32 shared=512\n"
                            "site 2 ld.shared.u32\n"
                            "site 1 ld.shared.v4.u32\n"
                            "block 0\n"
                            "w0 @2 ffffffff 0+16\n"
                            "block 2,1\n"
                            "site 7 ld.const.u32\n"
                            "w* @7 ffffffff 0*32\n"
                            "block 0\n"
                            "w0 @1 ffffffff 0+16 expect.wavefronts=3\n"
                            "w0 shfl.sync.idx.b32 00000001 -\n"
                            "block 0\n"
                            "w0 @7 ffffffff 0+4\n"
                            " end\n"
                            "# block 4\n";

/* An Accel-Sim trace: sites and opcodes that appear in later blocks, one PC with two opcodes,
 * accesses split by window, warps that end early, opcodes that are passed over, a header that
 * #BEGIN_TB ends, kernels with fewer blocks than in the grid. */
static const char whole_traceg[] =
    "-kernel name = first(float*)\n"
    "-grid dim = (9,1,1)\n"
    "-block dim = (64,1,1)\n"
    "-shmem = 4096\n"
    "-binary version = 80\n"
    "-shmem base_addr = 0x7f0000000000\n"
    "-local mem base_addr = 0x7f0002000000\n"
    "-accelsim tracer version = 5\n"
    "-enable lineinfo = 1\n"
    "\n"
    "#traces format = ...\n"
    "#BEGIN_TB\n"
    "\n"
    "thread block = 0,0,0\n"
    "warp = 0\n"
    "insts = 4\n"
    "7 0000 ffffffff 1 R1 LDS 1 R2 4 1 0x0 4 0\n"
    "7 0010 ffffffff 1 R1 FROB 0 0 0\n"
    "7 0020 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0\n"
    "7 0030 ffffffff 0 EXIT 0 0 0\n"
    "warp = 1\r\n"
    "insts = 1\n"
    "8 0030 ffffffff 0 EXIT 0 0 0\n"
    "#END_TB\n"
    "# a note\n"
    "#BEGIN_TB\n"
    "thread block = 1,0,0\n"
    "warp = 0\n"
    "insts = 3\n"
    "9 0040 0000000f 1 R1 LD.E 1 R2 4 2 0x7f0000000ff8 4 33554428 4 0\n"
    "9 0000 ffffffff 1 R1 LDS 1 R2 4 1 0x0 8 0\n"
    "9 0050 ffffffff 1 R1 FROB2 0 0 0\n"
    "  #END_TB\n"
    "  #BEGIN_TB\n"
    "thread block = 2,0,0\n"
    "warp = 1\n"
    "insts = 4\n"
    "9 0000 0000000f 1 R1 LDS.64 1 R2 8 0 0x0 0x10 0x20 0x30 0\n"
    "9 0010 ffffffff 1 R1 FROB 0 0 0\n"
    "9 0060 ffffffff 1 R1 LDG.E 1 R2 4 1 0x10000000 4 0\n"
    "9 0040 00000001 1 R1 LD.E 1 R2 4 1 0x7f0000000ff8 4 0\n"
    "#END_TB\n"
    "-kernel name = second\n"
    "-grid dim = (2,1,1)\n"
    "-block dim = (32,1,1)\n"
    "-accelsim tracer version = 5\n"
    "#BEGIN_TB\n"
    "thread block = 1,0,0\n"
    "warp = 0\n"
    "insts = 2\n"
    "0070 ffffffff 1 R1 LDS 1 R2 4 1 0x0 4 0\n"
    "0000 ffffffff 1 R1 LDS.64 1 R2 8 1 0x0 8 0\n"
    "#END_TB\n"
    "#BEGIN_TB\n"
    "thread block = 0,0,0\n"
    "warp = 0\n"
    "insts = 2\n"
    "0000 ffffffff 1 R1 LDS 1 R2 4 1 0x0 4 0\n"
    "0000 ffffffff 1 R1 LDGSTS.E 2 R2 R4 4 1 0x100 4 0\n"
    "#END_TB\n"
    "-kernel name = third\n"
    "-grid dim = (2,1,1)\n"
    "-block dim = (32,1,1)\n"
    "-accelsim tracer version = 5\n"
    "#\n"
    "#BEGIN_TB\n"
    "thread block = 0,0,0\n"
    "warp = 0\n"
    "insts = 1\n"
    "0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x100 4 0\n"
    "#END_TB\n";

/* What has been remarked in the reading at hand; no allocation of the library's. */
static char remarks[4096];

static void add_remark(void *context, const char *text)
{
    (void)context;
    size_t n = strlen(remarks);
    assert_true(n + strlen(text) + 2 < sizeof remarks);
    (void)snprintf(remarks + n, sizeof remarks - n, "%s\n", text);
}

struct bytes {
    const char *data;
    size_t size, at;
    size_t fails_at; /* SIZE_MAX: it does not */
    size_t most;     /* in one read */
};

static size_t read_bytes(void *context, void *data, size_t size_bytes)
{
    struct bytes *bytes = context;
    size_t left = bytes->size - bytes->at;
    if (bytes->at >= bytes->fails_at) {
        errno = EISDIR;
        return SIZE_MAX;
    }
    left = bytes->fails_at - bytes->at < left ? bytes->fails_at - bytes->at : left;
    size_t n = left < size_bytes ? left : size_bytes;
    n = n > bytes->most ? bytes->most : n;
    memcpy(data, bytes->data + bytes->at, n);
    bytes->at += n;
    return n;
}

static struct bsim_input input_of(struct bytes *bytes)
{
    remarks[0] = '\0';
    return (struct bsim_input){
        .read = read_bytes, .context = bytes, .name = "t.trace", .remark = add_remark};
}

/* ---- reading in pieces, with readers in turn ------------------------------------------------- */

static enum bsim_status read_pieces(struct bsim_splitter *splitter,
                                    struct bsim_piece_reader *const *reader, size_t n_readers,
                                    size_t *n_pieces, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    struct bsim_piece *piece = bsim_piece_new();
    bool found = piece != NULL;
    if (piece == NULL) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    for (*n_pieces = 0; found && status == BSIM_OK;) {
        status = bsim_splitter_next(splitter, piece, &found, err);
        if (status == BSIM_OK && found) {
            bsim_piece_read(reader[*n_pieces % n_readers], piece);
            status = bsim_piece_join(splitter, piece, err);
            ++*n_pieces;
        }
    }
    bsim_piece_free(piece);
    for (size_t i = 0; i < n_readers && status == BSIM_OK; i++) {
        status = bsim_piece_reader_end(reader[i], err);
    }
    return status;
}

static uint64_t content; /* of the trace that was read last, if it was of a shard */

static enum bsim_status read_shard(struct bytes *bytes, const struct bsim_piece_sizes *sizes,
                                   const struct bsim_shard *shard, const struct bsim_sink *sink,
                                   size_t n_readers, size_t *n_pieces, struct bsim_error *err)
{
    struct bsim_input input = input_of(bytes);
    struct bsim_splitter *splitter = NULL;
    struct bsim_piece_reader *reader[MAX_READERS] = {NULL};
    *n_pieces = 0;
    enum bsim_status status = bsim_splitter_open(&input, sizes, shard, &splitter, err);
    for (size_t i = 0; i < n_readers && status == BSIM_OK; i++) {
        reader[i] = bsim_piece_reader_new(splitter, &sink[i]);
        status = reader[i] != NULL ? BSIM_OK : bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    if (status == BSIM_OK) {
        bsim_splitter_has_all_readers(splitter);
        status = read_pieces(splitter, reader, n_readers, n_pieces, err);
        content = bsim_splitter_content(splitter);
    }
    for (size_t i = 0; i < n_readers; i++) {
        bsim_piece_reader_free(reader[i]);
    }
    bsim_splitter_close(splitter);
    return status;
}

static enum bsim_status read_split(struct bytes *bytes, const struct bsim_piece_sizes *sizes,
                                   const struct bsim_sink *sink, size_t n_readers, size_t *n_pieces,
                                   struct bsim_error *err)
{
    return read_shard(bytes, sizes, NULL, sink, n_readers, n_pieces, err);
}

static const struct bsim_piece_sizes some_sizes[] = {
    {1, 1, 1},                   /* each block alone, and nothing of it kept */
    {1, 1, 1 << 20},             /* each block alone */
    {1, 64, 90},                 /* some kept whole, some not */
    {100, 300, 1 << 20},         /* some blocks together */
    {1 << 20, 1 << 20, 1 << 20}, /* all together */
};

/* ---- the stream ------------------------------------------------------------------------------ */

static void expect_stream(const char *path, const char *data, size_t size)
{
    struct bsim_error err;
    enum bsim_status expected;
    struct bsim_buffer log = packed_log(data, size, 0, &expected, &err);
    for (size_t s = 0; s < N_OF(some_sizes); s++) {
        struct bytes bytes = {data, size, 0, SIZE_MAX, SOME};
        struct packed_lines lines = {.has_end = false};
        struct bsim_sink sink = packed_lines_sink(&lines);
        size_t n_pieces;
        enum bsim_status status = read_split(&bytes, &some_sizes[s], &sink, 1, &n_pieces, &err);
        if (status != expected || lines.log.size_bytes != log.size_bytes ||
            memcmp(lines.log.data, log.data, log.size_bytes) != 0) {
            fail_msg("%s, sizes %zu: %s, another stream", path, s, status_name(status));
        }
        bsim_buffer_free(&lines.log);
    }
    bsim_buffer_free(&log);
}

static void visit_stream(const char *path, const char *text, size_t size)
{
    struct bsim_buffer packed = packed_text(text, size);
    expect_stream(path, text, size);
    expect_stream(path, packed.data, packed.size_bytes);
    bsim_buffer_free(&packed);
}

static void one_reader_gets_the_stream(void **state)
{
    (void)state;
    visit_stream("whole", whole, strlen(whole));
    trace_text_each("traces", "", "_pad.trace", visit_stream);
    trace_text_each("traces", "", "cost.trace", visit_stream);
    expect_stream("traceg", whole_traceg, strlen(whole_traceg));
    trace_text_each("tests/golden/traces", "re", ".trace", visit_stream);
}

static void blocks_are_cut(void **state)
{
    (void)state;
    size_t n_pieces[2];
    struct bsim_buffer packed = packed_text(whole, strlen(whole));
    const char *data[] = {whole, packed.data};
    const size_t size[] = {strlen(whole), packed.size_bytes};
    for (size_t i = 0; i < N_OF(data); i++) {
        struct bytes bytes = {data[i], size[i], 0, SIZE_MAX, SOME};
        struct bsim_error err;
        struct packed_lines lines = {.has_end = false};
        struct bsim_sink sink = packed_lines_sink(&lines);
        assert_int_equal(read_split(&bytes, &some_sizes[1], &sink, 1, &n_pieces[i], &err), BSIM_OK);
        bsim_buffer_free(&lines.log);
    }
    assert_int_equal(n_pieces[0], 1 + 8); /* what is in front of the first block, and the blocks */
    assert_true(n_pieces[1] >= 3); /* a chunk of events for each kernel with blocks at least */
    bsim_buffer_free(&packed);
}

/* ---- what is counted ------------------------------------------------------------------------- */

/* A simulator and a timer. */
struct counter {
    struct bsim_sim *sim;
    struct bsim_timer *timer;
    struct bsim_sink to[2];
};

static enum bsim_status push_counter(void *context, const struct bsim_record *record,
                                     struct bsim_error *err)
{
    struct counter *counter = context;
    enum bsim_status status = counter->to[0].push(counter->to[0].context, record, err);
    return status == BSIM_OK ? counter->to[1].push(counter->to[1].context, record, err) : status;
}

static struct bsim_sink open_counter(struct counter *counter)
{
    struct bsim_sim_options options = {.device = NULL};
    struct bsim_timer_options timing = {.ideal = true, .ideal_sites = true, .max_events = 40};
    counter->sim = bsim_sim_new(&options);
    counter->timer = bsim_timer_new(&timing);
    assert_true(counter->sim != NULL && counter->timer != NULL);
    counter->to[0] = bsim_sim_sink(counter->sim);
    counter->to[1] = bsim_timer_sink(counter->timer);
    return (struct bsim_sink){.push = push_counter, .context = counter};
}

static void close_counter(struct counter *counter)
{
    bsim_sim_free(counter->sim);
    bsim_timer_free(counter->timer);
}

/* All numbers of the counters together, as they are reported. */
static struct bsim_buffer report_counters(const struct counter *counter, size_t n)
{
    struct bsim_result result = {0};
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    struct bsim_report_options options = {.format = BSIM_JSON, .per = BSIM_PER_SITE};
    for (size_t i = 0; i < n; i++) {
        struct bsim_result part;
        struct bsim_result timed;
        assert_int_equal(bsim_sim_result(counter[i].sim, &part, NULL), BSIM_OK);
        assert_int_equal(bsim_timer_result(counter[i].timer, &timed, NULL), BSIM_OK);
        assert_int_equal(bsim_result_add_cycles(&part, &timed, NULL), BSIM_OK);
        assert_int_equal(bsim_result_merge(&result, &part, NULL), BSIM_OK);
        bsim_result_free(&part);
    }
    bsim_report_result(&result, &options, &out);
    options.per = BSIM_PER_KERNEL;
    bsim_report_result(&result, &options, &out);
    bsim_result_free(&result);
    return out;
}

/* Reads data as a whole, or in pieces; the report and the remarks, or "" after a failure. */
static struct bsim_buffer count(struct bytes bytes, const struct bsim_piece_sizes *sizes,
                                size_t n_readers, enum bsim_status *status, struct bsim_error *err)
{
    struct counter counter[MAX_READERS];
    struct bsim_sink sink[MAX_READERS];
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    struct bsim_input input = input_of(&bytes);
    size_t n_pieces;
    for (size_t i = 0; i < n_readers; i++) {
        sink[i] = open_counter(&counter[i]);
    }
    memset(err, 0, sizeof *err);
    *status = sizes == NULL ? bsim_trace_read(&input, &sink[0], err)
                            : read_split(&bytes, sizes, sink, n_readers, &n_pieces, err);
    if (*status == BSIM_OK) {
        out = report_counters(counter, n_readers);
        bsim_buffer_text(&out, remarks);
    }
    for (size_t i = 0; i < n_readers; i++) {
        close_counter(&counter[i]);
    }
    return out;
}

static bool same_error(const struct bsim_error *a, const struct bsim_error *b)
{
    return a->status == b->status && a->line == b->line && a->column == b->column &&
           a->caret == b->caret && strcmp(a->file, b->file) == 0 &&
           strcmp(a->message, b->message) == 0 && strcmp(a->excerpt, b->excerpt) == 0;
}

/* In pieces it is counted, or refused, as it is as a whole. */
static void expect_count(const char *what, size_t which, struct bytes bytes)
{
    static const size_t most[] = {SOME, SIZE_MAX, SOME, SIZE_MAX, SOME};
    enum bsim_status expected;
    struct bsim_error expected_err;
    struct bsim_buffer report = count(bytes, NULL, 1, &expected, &expected_err);
    for (size_t s = 0; s < N_OF(some_sizes); s++) {
        enum bsim_status status;
        struct bsim_error err;
        bytes.most = most[s];
        struct bsim_buffer other = count(bytes, &some_sizes[s], 2 + s % 2, &status, &err);
        if (status != expected || !same_error(&err, &expected_err)) {
            fail_msg("%s %zu, sizes %zu: %s '%s' in line %d, not %s '%s' in line %d", what, which,
                     s, status_name(status), err.message, (int)err.line,
                     status_name(expected), expected_err.message, (int)expected_err.line);
        }
        if (other.size_bytes != report.size_bytes ||
            (report.size_bytes > 0 && memcmp(other.data, report.data, report.size_bytes) != 0)) {
            fail_msg("%s %zu, sizes %zu: other counts", what, which, s);
        }
        bsim_buffer_free(&other);
    }
    bsim_buffer_free(&report);
}

static void visit_count(const char *path, const char *text, size_t size)
{
    struct bsim_buffer packed = packed_text(text, size);
    expect_count(path, 0, (struct bytes){text, size, 0, SIZE_MAX, SOME});
    expect_count(path, 1, (struct bytes){packed.data, packed.size_bytes, 0, SIZE_MAX, SOME});
    bsim_buffer_free(&packed);
}

static void several_readers_count_the_same(void **state)
{
    (void)state;
    visit_count("whole", whole, strlen(whole));
    trace_text_each("traces", "", "_pad.trace", visit_count);
    trace_text_each("tests/golden/traces", "re", ".trace", visit_count);
    expect_count("traceg", 0,
                 (struct bytes){whole_traceg, strlen(whole_traceg), 0, SIZE_MAX, SOME});
}

/* ---- shards ---------------------------------------------------------------------------------- */

/* The counters of all shards, one reader each, are those of the whole. */
static void expect_shards(const char *what, struct bytes bytes, uint32_t n)
{
    enum bsim_status expected;
    struct bsim_error err;
    struct bsim_buffer report = count(bytes, NULL, 1, &expected, &err);
    size_t n_report = report.size_bytes - strlen(remarks);
    struct counter counter[MAX_SHARDS];
    for (uint32_t k = 0; k < n; k++) {
        struct bsim_shard shard = {k, n};
        struct bsim_sink sink = open_counter(&counter[k]);
        struct bytes own = bytes;
        size_t n_pieces;
        if (read_shard(&own, &some_sizes[(n + k) % N_OF(some_sizes)], &shard, &sink, 1, &n_pieces,
                       &err) != BSIM_OK) {
            fail_msg("%s, shard %d of %d: %s", what, (int)k, (int)n, err.message);
        }
        assert_true(n == 1 || strstr(remarks, "fewer thread blocks") == NULL);
    }
    struct bsim_buffer other = report_counters(counter, n);
    if (other.size_bytes != n_report || memcmp(other.data, report.data, n_report) != 0) {
        fail_msg("%s, %d shards: other counts", what, (int)n);
    }
    for (uint32_t k = 0; k < n; k++) {
        close_counter(&counter[k]);
    }
    bsim_buffer_free(&other);
    bsim_buffer_free(&report);
}

static void visit_shards(const char *path, const char *text, size_t size)
{
    struct bsim_buffer packed = packed_text(text, size);
    for (uint32_t n = 1; n <= MAX_SHARDS; n += 1 + n / 4) {
        expect_shards(path, (struct bytes){text, size, 0, SIZE_MAX, SOME}, n);
        expect_shards(path, (struct bytes){packed.data, packed.size_bytes, 0, SIZE_MAX, SOME}, n);
        expect_shards(path, (struct bytes){text, size, 0, SIZE_MAX, SIZE_MAX}, n);
    }
    bsim_buffer_free(&packed);
}

static void shards_together_are_the_trace(void **state)
{
    (void)state;
    visit_shards("whole", whole, strlen(whole));
    for (uint32_t n = 1; n <= MAX_SHARDS; n++) {
        expect_shards("traceg",
                      (struct bytes){whole_traceg, strlen(whole_traceg), 0, SIZE_MAX, SOME}, n);
    }
    trace_text_each("traces", "", "unroll_pad.trace", visit_shards);
    trace_text_each("tests/golden/traces", "re", ".trace", visit_shards);
}

/* What the k-th of n shards says of the trace; 0: the trace is refused. */
static uint64_t content_of(struct bytes bytes, uint32_t k, uint32_t n, size_t sizes)
{
    struct bsim_shard shard = {k, n};
    struct packed_lines lines = {.has_end = false};
    struct bsim_sink sink = packed_lines_sink(&lines);
    struct bsim_error err;
    size_t n_pieces;
    enum bsim_status status =
        read_shard(&bytes, &some_sizes[sizes], &shard, &sink, 1, &n_pieces, &err);
    bsim_buffer_free(&lines.log);
    return status == BSIM_OK ? content : 0;
}

/* However it is cut and read. Returns it. */
static uint64_t expect_content(const char *what, const char *data, size_t size)
{
    struct bytes bytes = {data, size, 0, SIZE_MAX, SIZE_MAX};
    uint64_t expected = content_of(bytes, 0, 1, 0);
    assert_true(expected != 0);
    for (bytes.most = 1; bytes.most < 200; bytes.most += SOME) {
        for (uint32_t k = 0; k < 3; k++) {
            for (size_t s = 0; s < N_OF(some_sizes); s++) {
                if (content_of(bytes, k, 3, s) != expected) {
                    fail_msg("%s, shard %d of 3, sizes %zu, %zu bytes a read: another content",
                             what, (int)k, s, bytes.most);
                }
            }
        }
    }
    return expected;
}

/* A shard that passes over what differs must see it all the same. */
static void all_shards_have_one_content(void **state)
{
    (void)state;
    char changed[sizeof whole];
    struct bsim_buffer packed = packed_text(whole, strlen(whole));
    uint64_t text = expect_content("text", whole, strlen(whole));
    uint64_t binary = expect_content("binary", packed.data, packed.size_bytes);
    (void)expect_content("traceg", whole_traceg, strlen(whole_traceg));
    size_t n = 0;
    assert_true(text != binary);
    for (size_t i = 0; i < strlen(whole); i++) {
        memcpy(changed, whole, sizeof whole);
        changed[i] ^= 1;
        struct bytes bytes = {changed, strlen(whole), 0, SIZE_MAX, SIZE_MAX};
        uint64_t other = content_of(bytes, 0, 1, 3);
        n += other != 0;
        if (other == text || (other != 0 && content_of(bytes, 1, 3, 3) != other &&
                              content_of(bytes, 1, 3, 3) != 0)) {
            fail_msg("byte %zu changed: the same content, or shards that differ", i);
        }
    }
    assert_true(n > 100);
    bsim_buffer_free(&packed);
    memcpy(changed, whole, sizeof whole);
    strstr(changed, "99999999996")[8] = '8';
    packed = packed_text(changed, strlen(whole));
    assert_true(expect_content("another binary", packed.data, packed.size_bytes) != binary);
    bsim_buffer_free(&packed);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void every_length(void **state)
{
    (void)state;
    struct bsim_buffer packed = packed_text(whole, strlen(whole));
    for (size_t size = 0; size < strlen(whole); size += WATCHED(2, 41)) {
        expect_count("length", size, (struct bytes){whole, size, 0, SIZE_MAX, SOME});
    }
    for (size_t size = 0; size < packed.size_bytes; size += WATCHED(16, 331)) {
        expect_count("packed length", size, (struct bytes){packed.data, size, 0, SIZE_MAX, SOME});
    }
    for (size_t size = 0; size < strlen(whole_traceg); size += WATCHED(2, 41)) {
        expect_count("traceg length", size, (struct bytes){whole_traceg, size, 0, SIZE_MAX, SOME});
    }
    bsim_buffer_free(&packed);
}

static void every_changed_byte(void **state)
{
    (void)state;
    static const char put[] = "\n#x3";
    char text[sizeof whole];
    for (size_t i = 0; i + 1 < sizeof whole; i += WATCHED(1, 29)) {
        for (size_t k = 0; k + 1 < sizeof put; k++) {
            memcpy(text, whole, sizeof whole);
            text[i] = put[k];
            expect_count("byte", i, (struct bytes){text, strlen(whole), 0, SIZE_MAX, SOME});
        }
    }
}

static void every_changed_byte_of_a_traceg(void **state)
{
    (void)state;
    static const char put[] = "\n#-3";
    char text[sizeof whole_traceg];
    for (size_t i = 1; i + 1 < sizeof whole_traceg; i += WATCHED(1, 29)) {
        for (size_t k = 0; k + 1 < sizeof put; k++) {
            memcpy(text, whole_traceg, sizeof text);
            text[i] = put[k];
            expect_count("byte", i, (struct bytes){text, strlen(text), 0, SIZE_MAX, SOME});
        }
    }
}

static void every_damaged_byte(void **state)
{
    (void)state;
    struct bsim_buffer packed = packed_text(whole, strlen(whole));
    for (size_t i = 0; i < packed.size_bytes; i += WATCHED(3, 101)) {
        char kept = packed.data[i];
        packed.data[i] = (char)(kept ^ 1 << i % 8);
        expect_count("flip", i, (struct bytes){packed.data, packed.size_bytes, 0, SIZE_MAX, SOME});
        packed.data[i] = (char)(kept ^ 1 << (i + 3) % 8);
        packed_repair((unsigned char *)packed.data, packed.size_bytes);
        expect_count("repaired", i,
                     (struct bytes){packed.data, packed.size_bytes, 0, SIZE_MAX, SOME});
        packed.data[i] = kept;
        packed_repair((unsigned char *)packed.data, packed.size_bytes);
    }
    bsim_buffer_free(&packed);
}

static void every_failing_read(void **state)
{
    (void)state;
    struct bsim_buffer packed = packed_text(whole, strlen(whole));
    for (size_t i = 16; i < strlen(whole); i += WATCHED(3, 15)) {
        expect_count("read", i, (struct bytes){whole, strlen(whole), 0, i, SOME});
    }
    for (size_t i = 16; i < strlen(whole_traceg); i += WATCHED(3, 15)) {
        expect_count("traceg read", i,
                     (struct bytes){whole_traceg, strlen(whole_traceg), 0, i, SOME});
    }
    for (size_t i = 16; i < packed.size_bytes; i += WATCHED(13, 65)) {
        expect_count("packed read", i, (struct bytes){packed.data, packed.size_bytes, 0, i, SOME});
    }
    bsim_buffer_free(&packed);
}

/* What is missing in front of the block differs; a piece that began with it would not show that. */
static void blocks_without_a_kernel(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "# a comment, longer than a piece\nblock 0\nblock 1\n",
        "\n\n\nblock 0\nend\n",
        "banksim-trace 1\nblock 0\nblock 1\n",
        "# a comment\nbanksim-trace 1\n\nblock 0\nkernel k block=32\nend\n",
        "# a comment\nblock 0\nkernel k block=32\nblock 0\nend\n",
    };
    for (size_t i = 0; i < N_OF(texts); i++) {
        expect_count("no kernel", i, (struct bytes){texts[i], strlen(texts[i]), 0, SIZE_MAX, SOME});
    }
}

/* A line that is too long, at the end of a block and as the first of one. */
static void long_lines(void **state)
{
    (void)state;
    static const char *const start[] = {"w0 bar.sync #", "block 0 #", "kernel k #", "#", "end #"};
    for (size_t i = 0; i < N_OF(start); i++) {
        for (size_t n = 65534; n < 65541; n += 2) {
            struct bsim_buffer text = BSIM_BUFFER_EMPTY;
            size_t end = strlen(whole) - strlen("block 0\nw0 @7 ffffffff 0+4\n end\n# block 4\n");
            bsim_buffer_add(&text, whole, end);
            bsim_buffer_text(&text, start[i]);
            for (size_t k = strlen(start[i]); k < n; k++) {
                bsim_buffer_text(&text, ".");
            }
            bsim_buffer_text(&text, "\n");
            bsim_buffer_text(&text, whole + end);
            expect_count(start[i], n,
                         (struct bytes){text.data, text.size_bytes, 0, SIZE_MAX, SOME});
            bsim_buffer_free(&text);
        }
    }
}

/* Each line of a block of an Accel-Sim trace, too long. */
static void long_lines_of_a_traceg(void **state)
{
    (void)state;
    static const char *const start[] = {"#", "#BEGIN_TB ", "-key = ", "0000 ffffffff "};
    const char *at = strstr(whole_traceg, "# a note\n");
    for (size_t i = 0; i < N_OF(start); i++) {
        for (size_t n = 65534; n < 65541; n += 2) {
            struct bsim_buffer text = BSIM_BUFFER_EMPTY;
            bsim_buffer_add(&text, whole_traceg, (size_t)(at - whole_traceg));
            bsim_buffer_text(&text, start[i]);
            for (size_t k = strlen(start[i]); k < n; k++) {
                bsim_buffer_text(&text, ".");
            }
            bsim_buffer_text(&text, "\n");
            bsim_buffer_text(&text, at);
            expect_count(start[i], n,
                         (struct bytes){text.data, text.size_bytes, 0, SIZE_MAX, SOME});
            bsim_buffer_free(&text);
        }
    }
}

static enum bsim_status take_nothing(void *context, const struct bsim_record *record,
                                     struct bsim_error *err)
{
    (void)context;
    (void)record;
    (void)err;
    return BSIM_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void expect_no_memory(const char *data, size_t size, const struct bsim_piece_sizes *sizes)
{
    struct bsim_sink sink[2] = {{.push = take_nothing}, {.push = take_nothing}};
    size_t live = failing_memory_live();
    bool is_through = false;
    for (size_t n = 0; !is_through; n++) {
        struct bytes bytes = {data, size, 0, SIZE_MAX, SOME};
        struct bsim_error err = {.status = BSIM_OK};
        size_t n_pieces;
        assert_true(n < MAX_ALLOCATIONS);
        failing_memory_fail_after(n);
        enum bsim_status status = read_split(&bytes, sizes, sink, 2, &n_pieces, &err);
        is_through = failing_memory_refused() == 0;
        failing_memory_heal();
        bool is_expected =
            is_through ? status == BSIM_OK : status == BSIM_E_MEMORY || status == BSIM_E_IO;
        if (!is_expected || failing_memory_live() != live) {
            fail_msg("allocation %zu: %s, %zu left", n, status_name(status),
                     failing_memory_live() - live);
        }
    }
}

static void without_memory(void **state)
{
    (void)state;
    struct bsim_buffer packed = packed_text(whole, strlen(whole));
    for (size_t s = 0; s < N_OF(some_sizes); s++) {
        expect_no_memory(whole, strlen(whole), &some_sizes[s]);
        expect_no_memory(packed.data, packed.size_bytes, &some_sizes[s]);
        expect_no_memory(whole_traceg, strlen(whole_traceg), &some_sizes[s]);
    }
    bsim_buffer_free(&packed);
}

/* Reads n kernels block by block with two readers; the most blocks of memory alive in between. */
static size_t most_alive(size_t n)
{
    static const struct bsim_piece_sizes sizes = {1, 1, 1 << 20};
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    bsim_buffer_text(&text, "banksim-trace 1\n");
    for (size_t i = 0; i < n; i++) {
        bsim_buffer_text(&text, "kernel k block=32\nsite 1 ld.shared.u32\nblock 0\n");
    }
    bsim_buffer_text(&text, "end\n");
    struct bytes bytes = {text.data, text.size_bytes, 0, SIZE_MAX, SOME};
    struct bsim_input input = input_of(&bytes);
    struct bsim_sink sink = {.push = take_nothing};
    struct bsim_splitter *splitter = NULL;
    assert_int_equal(bsim_splitter_open(&input, &sizes, NULL, &splitter, NULL), BSIM_OK);
    struct bsim_piece_reader *reader[] = {bsim_piece_reader_new(splitter, &sink),
                                          bsim_piece_reader_new(splitter, &sink)};
    struct bsim_piece *piece = bsim_piece_new();
    size_t most = 0, before = failing_memory_live();
    bool found = true;
    bsim_splitter_has_all_readers(splitter);
    for (size_t i = 0; found; i++) {
        assert_int_equal(bsim_splitter_next(splitter, piece, &found, NULL), BSIM_OK);
        if (found) {
            bsim_piece_read(reader[i % 2], piece);
            assert_int_equal(bsim_piece_join(splitter, piece, NULL), BSIM_OK);
        }
        size_t alive = failing_memory_live() - before;
        most = alive > most ? alive : most;
    }
    bsim_piece_reader_free(reader[0]);
    bsim_piece_reader_free(reader[1]);
    bsim_piece_free(piece);
    bsim_splitter_close(splitter);
    bsim_buffer_free(&text);
    return most;
}

/* What every reader has pushed is not kept. */
static void definitions_do_not_pile_up(void **state)
{
    (void)state;
    assert_in_range(most_alive(1000), 0, most_alive(30));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_reader_gets_the_stream),
        cmocka_unit_test(blocks_are_cut),
        cmocka_unit_test(several_readers_count_the_same),
        cmocka_unit_test(shards_together_are_the_trace),
        cmocka_unit_test(all_shards_have_one_content),
        cmocka_unit_test(every_length),
        cmocka_unit_test(every_changed_byte),
        cmocka_unit_test(every_changed_byte_of_a_traceg),
        cmocka_unit_test(every_damaged_byte),
        cmocka_unit_test(every_failing_read),
        cmocka_unit_test(blocks_without_a_kernel),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(long_lines_of_a_traceg),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(definitions_do_not_pile_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
