/* test_binary.c - the binary format: what comes back is the stream that was written, record for
 * record and line for line, whatever the size of the pieces it is read in. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/trace.h>

#include "failing_memory.h"
#include "packed.h"
#include "random_request.h"
#include "trace_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ----------------------------------------------------------------------------------- */

static void check_text(const char *path, const char *text, size_t size)
{
    struct bsim_error err = {.status = BSIM_OK};
    enum bsim_status status;
    struct bsim_buffer expected = packed_log(text, size, 0, &status, &err);
    if (status == BSIM_OK) {
        struct bsim_buffer bytes = packed_text(text, size);
        struct bsim_buffer got = packed_log(bytes.data, bytes.size_bytes, 0, &status, &err);
        if (status != BSIM_OK || strcmp(got.data, expected.data) != 0) {
            fail_msg("%s: %s", path, status == BSIM_OK ? "another stream" : err.message);
        }
        bsim_buffer_free(&got);
        bsim_buffer_free(&bytes);
    }
    bsim_buffer_free(&expected);
}

static void every_ready_trace(void **state)
{
    (void)state;
    trace_text_each("traces", "", ".trace", check_text);
    trace_text_each("tests/golden/traces", "", ".trace", check_text);
    trace_text_each("tests/fuzz/corpus", "good-", "", check_text);
}

/* Pieces of any size give the same. */
static void any_pieces(void **state)
{
    (void)state;
    static const size_t piece[] = {1, 7, 63, 64, 65, 4096, 65536};
    struct bsim_buffer text = trace_text_load("traces/square_set_row_read_col.trace");
    struct bsim_buffer bytes = packed_text(text.data, text.size_bytes);
    struct bsim_error err;
    enum bsim_status status;
    struct bsim_buffer whole = packed_log(bytes.data, bytes.size_bytes, 0, &status, &err);
    for (size_t i = 0; i < sizeof piece / sizeof piece[0]; i++) {
        struct bsim_buffer log = packed_log(bytes.data, bytes.size_bytes, piece[i], &status, &err);
        assert_int_equal(status, BSIM_OK);
        assert_string_equal(log.data, whole.data);
        bsim_buffer_free(&log);
    }
    bsim_buffer_free(&whole);
    bsim_buffer_free(&bytes);
    bsim_buffer_free(&text);
}

/* ---- random streams -------------------------------------------------------------------------- */

enum { MAX_SITES = 200 };

struct random_stream {
    struct random_source source;
    struct packed_lines lines; /* what was pushed */
    struct bsim_sink log;
    struct bsim_sink sink;
    uint64_t line;
    bool has_lines;
    struct bsim_kernel kernel;
    struct bsim_site site[MAX_SITES];
    uint32_t n_sites, n_warps;
    const struct bsim_opcode *opcodes;
    uint32_t n_opcodes;
};

static void push(struct random_stream *stream, struct bsim_record *record)
{
    struct bsim_error err = {.status = BSIM_OK};
    stream->line += random_below(&stream->source, 8) == 0 ? 5 : 1;
    record->line = stream->has_lines ? stream->line : 0;
    assert_int_equal(stream->log.push(stream->log.context, record, NULL), BSIM_OK);
    if (stream->sink.push(stream->sink.context, record, &err) != BSIM_OK) {
        fail_msg("%s", err.message);
    }
}

static void push_kernel(struct random_stream *stream)
{
    static const char *const device[] = {NULL, "sm_90", "x"};
    static const char *const extras[] = {"", "x-a=1", "x-a= x-b=2"};
    struct random_source *source = &stream->source;
    stream->kernel = (struct bsim_kernel){
        .name = "k",
        .grid = {1 + random_below(source, 9), 1, 1 + random_below(source, 3)},
        .block = {1 + random_below(source, 256), 1 + random_below(source, 4), 1},
        .has_shared = random_below(source, 2) == 1,
        .registers = random_below(source, BSIM_REGISTERS_MOST + 1),
        .device = device[random_below(source, 3)],
        .extras = extras[random_below(source, 3)],
    };
    stream->kernel.shared_bytes = stream->kernel.has_shared ? 65536 : 0;
    stream->n_warps = (stream->kernel.block.x * stream->kernel.block.y + 31) / 32;
    stream->n_sites = 0;
    push(stream, &(struct bsim_record){.kind = BSIM_RECORD_KERNEL, .u.kernel = &stream->kernel});
}

static void push_site(struct random_stream *stream)
{
    static const char *const text[] = {NULL, "", "a \"b\" \\ # c"};
    struct random_source *source = &stream->source;
    if (stream->n_sites == MAX_SITES) {
        return;
    }
    struct bsim_site *site = &stream->site[stream->n_sites];
    bool has_file = random_below(source, 2) == 1;
    *site = (struct bsim_site){
        .number = 1 + stream->n_sites * 3,
        .index = stream->n_sites++,
        .opcode = stream->opcodes[random_below(source, stream->n_opcodes)],
        .file = has_file ? "dir:a.cu" : NULL,
        .line = has_file ? random_below(source, 100) : 0,
        .text = text[random_below(source, 3)],
    };
    push(stream, &(struct bsim_record){.kind = BSIM_RECORD_SITE, .u.site = site});
}

/* Legal addresses for the event's opcode, in one of the forms. */
static void choose_addresses(struct random_stream *stream, struct bsim_event *event)
{
    struct random_source *source = &stream->source;
    uint64_t bytes = event->opcode.bytes;
    uint64_t size = event->opcode.space == BSIM_SHARED || event->opcode.space == BSIM_LOCAL ||
                            event->opcode.space == BSIM_PEER
                        ? 65536
                    : random_below(source, 2) == 0 ? UINT64_C(1) << 33
                                                   : UINT64_MAX;
    uint64_t far = size == UINT64_MAX ? random_next(source) >> 8 & ~UINT64_C(15) : 0;
    uint64_t near = size == UINT64_MAX ? 65536 : size;
    if (random_below(source, 4) == 0) {
        uint64_t stride = random_next(source) % (near / 32 / bytes) * bytes;
        bool down = random_below(source, 2) == 1;
        event->affine = true;
        event->base = far + (down ? 31 * stride : 0);
        event->stride = down ? -(int64_t)stride : (int64_t)stride;
        return;
    }
    bool is_wide = size == UINT64_MAX && random_below(source, 2) == 1;
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint64_t address = is_wide ? random_next(source) >> 1 : far + random_next(source) % near;
        event->address[lane] = lanes >> lane & 1 ? address / bytes * bytes : 0;
    }
}

static void choose_attributes(struct random_stream *stream, struct bsim_event *event)
{
    struct random_source *source = &stream->source;
    event->wait = random_below(source, 4) == 0 ? (int32_t)random_below(source, 9) : BSIM_ANY_COUNT;
    bool is_shared = bsim_opcode_is_access(&event->opcode) && event->opcode.space == BSIM_SHARED;
    if (is_shared && random_below(source, 4) == 0) {
        event->expect_wavefronts = (int32_t)(random_next(source) >> 33);
        event->expect_conflicts = random_below(source, 2) == 0 ? 0 : BSIM_ANY_COUNT;
    }
}

static void push_event(struct random_stream *stream, bool in_repeat)
{
    static const struct bsim_opcode works[] = {
        {.family = BSIM_WORK}, {.family = BSIM_COPIES_COMMIT}, {.family = BSIM_COPIES_WAIT}, {.family = BSIM_ARRIVE},
        {.family = BSIM_AWAIT}, {.family = BSIM_COPIES_ARRIVE}};
    struct random_source *source = &stream->source;
    const struct bsim_site *site = stream->n_sites > 0 && random_below(source, 2) == 0
                                       ? &stream->site[random_below(source, stream->n_sites)]
                                       : NULL;
    const struct bsim_opcode *opcode =
        site != NULL ? &site->opcode : &stream->opcodes[random_below(source, stream->n_opcodes)];
    struct bsim_event event;
    bool is_work = site == NULL && random_below(source, 8) == 0;
    const struct bsim_opcode *work = &works[random_below(source, in_repeat ? 3 : 6)];
    bsim_event_init(&event, is_work ? work : opcode);
    event.site = site;
    event.warp = random_below(source, stream->n_warps);
    if (event.opcode.family == BSIM_BAR || random_below(source, 8) == 0) {
        event.warp = BSIM_ALL_WARPS;
    }
    bool is_whole = bsim_opcode_is_access(&event.opcode) ? event.opcode.family >= BSIM_LDMATRIX
                                                         : event.opcode.family >= BSIM_BAR;
    if (!is_whole && random_below(source, 2) == 0) {
        event.mask = (uint32_t)random_next(source) | 1;
    }
    if (is_work && bsim_opcode_groups(work)) {
        uint32_t n = random_below(source, 4);
        event.groups = work->family == BSIM_COPIES_COMMIT ? 0 : n == 3 ? BSIM_ALL_COPIES : n;
    } else if (is_work && bsim_opcode_meets(work)) {
        event.meeting = 1 + random_below(source, 50);
        event.arrivals = work->family == BSIM_AWAIT ? 1 + random_below(source, 50) : 0;
    } else if (is_work) {
        event.work_count = 1 + random_below(source, 50);
        event.work_cycles = random_below(source, 50);
        event.opcode.operation = (uint8_t)random_below(source, BSIM_N_WORK_CLASSES);
        if (event.opcode.operation >= BSIM_WORK_FP32 && event.opcode.operation <= BSIM_WORK_XU) {
            uint8_t even = (uint8_t)random_below(source, BSIM_MOST_READS + 1), odd = (uint8_t)random_below(source, 3);
            event.reads = (struct bsim_reads){even, odd, (uint8_t)random_below(source, even + 1U), (uint8_t)random_below(source, odd + 1U)};
        }
    }
    if (bsim_opcode_is_access(&event.opcode)) {
        choose_addresses(stream, &event);
    }
    choose_attributes(stream, &event);
    push(stream, &(struct bsim_record){.kind = BSIM_RECORD_EVENT, .u.event = &event});
}

static void push_block(struct random_stream *stream)
{
    struct random_source *source = &stream->source;
    struct bsim_record block = {.kind = BSIM_RECORD_BLOCK};
    struct bsim_record done = {.kind = BSIM_RECORD_DONE};
    uint32_t depth = 0;
    block.u.block.x = random_below(source, stream->kernel.grid.x);
    block.u.block.z = random_below(source, stream->kernel.grid.z);
    push(stream, &block);
    uint32_t n = random_below(source, 16) == 0 ? 3000 : random_below(source, 40);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t choice = random_below(source, 50);
        if (choice == 0 && depth < BSIM_REPEAT_MAX_DEPTH) {
            struct bsim_record repeat = {.kind = BSIM_RECORD_REPEAT};
            repeat.u.repeat = (struct bsim_repeat){
                1 + random_below(source, 30), random_below(source, 3), random_below(source, 3)};
            push(stream, &repeat);
            depth++;
        } else if (choice == 1 && depth > 0) {
            push(stream, &done);
            depth--;
        } else if (choice == 2) {
            push_site(stream);
        } else {
            push_event(stream, depth > 0);
        }
    }
    for (; depth > 0; depth--) {
        push(stream, &done);
    }
}

static enum bsim_status push_random(void *context, const struct bsim_sink *sink,
                                    struct bsim_error *err)
{
    struct random_stream *stream = context;
    (void)err;
    stream->sink = *sink;
    uint32_t n_kernels = random_below(&stream->source, 4);
    for (uint32_t k = 0; k < n_kernels; k++) {
        push_kernel(stream);
        for (uint32_t i = random_below(&stream->source, 20); i > 0; i--) {
            push_site(stream);
        }
        for (uint32_t i = random_below(&stream->source, 12); i > 0; i--) {
            push_block(stream);
        }
    }
    push(stream, &(struct bsim_record){.kind = BSIM_RECORD_END});
    return BSIM_OK;
}

static void random_streams(void **state)
{
    (void)state;
    static struct bsim_opcode opcode[4000];
    uint32_t n = 0;
    while (n < 4000 && bsim_opcode_at(n, &opcode[n])) {
        n++;
    }
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct random_stream stream = {.source = {seed}, .opcodes = opcode, .n_opcodes = n};
        struct bsim_error err = {.status = BSIM_OK};
        enum bsim_status status;
        stream.has_lines = seed % 4 > 0;
        stream.log = packed_lines_sink(&stream.lines);
        stream.log.context = &stream.lines;
        struct bsim_buffer bytes = packed_stream(push_random, &stream);
        struct bsim_buffer got = packed_log(bytes.data, bytes.size_bytes, 0, &status, &err);
        if (status != BSIM_OK || strcmp(got.data, stream.lines.log.data) != 0) {
            fail_msg("seed %u: %s", (unsigned)seed, status == BSIM_OK ? "differs" : err.message);
        }
        bsim_buffer_free(&got);
        bsim_buffer_free(&bytes);
        bsim_buffer_free(&stream.lines.log);
    }
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* A block of many chunks, sites that cut it more often than a chunk of the index has rows, and more
 * sites than 16 bits number. */
static void large_ones(void **state)
{
    (void)state;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    bsim_buffer_text(&text, "banksim-trace 1\nkernel k block=32\nblock 0\n");
    for (unsigned i = 0; i < 1500; i++) {
        bsim_buffer_printf(&text, "site %u ld.shared.u32\nw0 @%u ffffffff 0*32\n", i + 1, i + 1);
    }
    for (unsigned i = 0; i < 2000; i++) {
        bsim_buffer_text(&text, "w0 @7 ffffffff 4*31,8\n");
    }
    bsim_buffer_text(&text, "kernel l block=32\n");
    for (unsigned i = 0; i < 66000; i++) {
        bsim_buffer_printf(&text, "site %u ld.shared.u32\n", i + 1);
    }
    bsim_buffer_text(&text, "block 0\nw0 @1 ffffffff 0+4\nw0 @65536 00000001 4\n"
                            "w0 @65537 00000001 8 wait=1\nw0 @66000 ffffffff 0+4\nend\n");
    check_text("large", text.data, text.size_bytes);
    bsim_buffer_free(&text);
}

/* ---- the example of the format's description ------------------------------------------------- */

/* The bytes of a dump: lines of an offset and 16 bytes, and stars for lines that are repeated. */
static size_t read_dump(const char *dump, unsigned char *out, size_t size)
{
    size_t n = 0;
    for (const char *line = dump; strncmp(line, "    ", 4) == 0; line = strchr(line, '\n') + 1) {
        if (line[4] == '*') {
            continue;
        }
        char *p;
        size_t offset = strtoul(line + 4, &p, 16);
        for (; n < offset; n++) {
            assert_true(n >= 16 && n < size);
            out[n] = out[n - 16];
        }
        while (*p == ' ') {
            assert_true(n < size);
            out[n++] = (unsigned char)strtoul(p + 1, &p, 16);
        }
    }
    return n;
}

/* The text of the indented lines at p, without their indentation. */
static struct bsim_buffer read_indented(const char *p)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    for (; strncmp(p, "    ", 4) == 0; p = strchr(p, '\n') + 1) {
        bsim_buffer_add(&text, p + 4, (size_t)(strchr(p, '\n') - p - 3));
    }
    return text;
}

static void the_example(void **state)
{
    (void)state;
    unsigned char dump[1024];
    struct bsim_buffer format = trace_text_load("traces/FORMAT.md");
    const char *example = strstr(format.data, "## An example\n\n");
    assert_non_null(example);
    struct bsim_buffer text = read_indented(example + strlen("## An example\n\n"));
    struct bsim_buffer bytes = packed_text(text.data, text.size_bytes);
    const char *hex = strstr(example, "    000000 ");
    assert_non_null(hex);
    assert_int_equal(read_dump(hex, dump, sizeof dump), bytes.size_bytes);
    assert_memory_equal(dump, bytes.data, bytes.size_bytes);
    bsim_buffer_free(&bytes);
    bsim_buffer_free(&text);
    bsim_buffer_free(&format);
}

/* ---- the writer's refusals ------------------------------------------------------------------- */

/* An output that takes `left` pieces. */
static enum bsim_status take_piece(void *context, const void *data, size_t size_bytes,
                                   struct bsim_error *err)
{
    size_t *left = context;
    (void)data;
    (void)size_bytes;
    if (*left == 0) {
        return bsim_error_set(err, BSIM_E_IO, "full");
    }
    --*left;
    return BSIM_OK;
}

static void what_the_writer_refuses(void **state)
{
    (void)state;
    static const struct bsim_opcode load = {
        .family = BSIM_LD, .space = BSIM_SHARED, .type = 'u', .bits = 32, .count = 1, .bytes = 4};
    struct bsim_event event;
    bsim_event_init(&event, &load);
    struct bsim_kernel kernel = {
        .name = "a b", .grid = {1, 1, 1}, .block = {1, 1, 1}, .extras = ""};
    struct bsim_site site = {.number = 1, .index = 1, .opcode = load};
    const struct {
        struct bsim_record record;
        const char *message;
    } refused[] = {
        {{.kind = BSIM_RECORD_EVENT, .u.event = &event},
         "an event, its warp or its site is out of order"},
        {{.kind = BSIM_RECORD_DONE}, "done is out of order"},
        {{.kind = BSIM_RECORD_BLOCK}, "a block is out of order"},
        {{.kind = BSIM_RECORD_SITE, .u.site = &site}, "a site is out of order"},
        {{.kind = BSIM_RECORD_KERNEL, .u.kernel = &kernel}, "the kernel name 'a b'"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct bsim_error err = {.status = BSIM_OK};
        struct bsim_record end = {.kind = BSIM_RECORD_END};
        size_t left = 100;
        struct bsim_output output = {take_piece, &left};
        struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_BINARY, &output);
        struct bsim_sink sink = bsim_trace_writer_sink(writer);
        assert_int_equal(sink.push(sink.context, &refused[i].record, &err), BSIM_E_USAGE);
        assert_non_null(strstr(err.message, refused[i].message));
        assert_int_equal(sink.push(sink.context, &end, &err), BSIM_E_USAGE);
        assert_non_null(strstr(err.message, "a record after the end or after a refused one"));
        bsim_trace_writer_free(writer);
    }
}

/* An output that fails at any of its pieces makes the writing fail. */
static void a_full_disk(void **state)
{
    (void)state;
    struct bsim_buffer text = trace_text_load("traces/example.trace");
    enum bsim_status status = BSIM_E_IO;
    size_t n = 0;
    for (; status != BSIM_OK && n < 100; n++) {
        size_t left = n;
        struct bsim_output output = {take_piece, &left};
        struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_BINARY, &output);
        struct bsim_sink sink = bsim_trace_writer_sink(writer);
        status = trace_text_read(text.data, text.size_bytes, 0, &sink, NULL);
        assert_true(status == BSIM_OK || status == BSIM_E_IO);
        bsim_trace_writer_free(writer);
    }
    assert_true(n > 5 && n < 100);
    bsim_buffer_free(&text);
}

/* A sink that takes so many records, for a writer and a log, and no more. */
struct first {
    size_t left;
    struct bsim_sink writer, log;
};

static enum bsim_status take_first(void *context, const struct bsim_record *record,
                                   struct bsim_error *err)
{
    struct first *first = context;
    if (first->left == 0) {
        return bsim_error_set(err, BSIM_E_KERNEL, "enough");
    }
    first->left--;
    enum bsim_status status = first->log.push(first->log.context, record, err);
    return status == BSIM_OK ? first->writer.push(first->writer.context, record, err) : status;
}

static enum bsim_status add_piece(void *context, const void *data, size_t size_bytes,
                                  struct bsim_error *err)
{
    bsim_buffer_add(context, data, size_bytes);
    return bsim_buffer_status(context, err);
}

/* Of a trace that ends behind its first n records, all of these are read. */
static void cut_behind(const struct bsim_buffer *text, enum bsim_trace_format format, size_t n)
{
    struct bsim_buffer written = BSIM_BUFFER_EMPTY, pushed = BSIM_BUFFER_EMPTY,
                       read = BSIM_BUFFER_EMPTY;
    struct bsim_output output = {add_piece, &written};
    struct bsim_trace_writer *writer = bsim_trace_writer_new(format, &output);
    struct first first = {n, bsim_trace_writer_sink(writer), trace_text_log(&pushed)};
    struct bsim_sink sink = {.push = take_first, .context = &first};
    struct bsim_record end = {.kind = BSIM_RECORD_END};
    struct bsim_error err;
    assert_int_equal(trace_text_read(text->data, text->size_bytes, 0, &sink, NULL), BSIM_E_KERNEL);
    assert_int_equal(bsim_trace_writer_cut(writer, &err), BSIM_OK);
    assert_int_equal(first.writer.push(first.writer.context, &end, &err), BSIM_E_USAGE);
    size_t size = written.size_bytes;
    assert_int_equal(bsim_trace_writer_cut(writer, &err), BSIM_OK);
    assert_int_equal(written.size_bytes, size);
    bsim_trace_writer_free(writer);
    sink = trace_text_log(&read);
    assert_int_equal(trace_text_read(written.data, written.size_bytes, 0, &sink, &err),
                     BSIM_E_INPUT);
    assert_non_null(strstr(err.message, "the trace was cut short"));
    assert_string_equal(read.data, pushed.data);
    bsim_buffer_free(&written);
    bsim_buffer_free(&pushed);
    bsim_buffer_free(&read);
}

static void a_trace_is_cut_behind_any_record(void **state)
{
    static const char *const path[] = {"traces/example.trace", "traces/cost.trace"};
    (void)state;
    for (size_t p = 0; p < sizeof path / sizeof path[0]; p++) {
        struct bsim_buffer text = trace_text_load(path[p]);
        for (size_t n = 1; n <= 6; n++) { /* the example has 6, and END */
            cut_behind(&text, BSIM_TRACE_TEXT, n);
            cut_behind(&text, BSIM_TRACE_BINARY, n);
        }
        bsim_buffer_free(&text);
    }
}

/* A writer that nothing was pushed into has nothing to write; one whose output is full says so. */
static void a_cut_that_fails(void **state)
{
    size_t left = 0;
    struct bsim_output output = {take_piece, &left};
    struct bsim_kernel kernel = {.name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .extras = ""};
    struct bsim_record record = {.kind = BSIM_RECORD_KERNEL, .u.kernel = &kernel};
    (void)state;
    for (size_t taken = 0; taken < 2; taken++) {
        left = taken; /* the head of the file */
        struct bsim_error err = {.status = BSIM_OK};
        struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_BINARY, &output);
        struct bsim_sink sink = bsim_trace_writer_sink(writer);
        if (taken > 0) {
            assert_int_equal(sink.push(sink.context, &record, &err), BSIM_OK);
        }
        assert_int_equal(bsim_trace_writer_cut(writer, &err), taken > 0 ? BSIM_E_IO : BSIM_OK);
        assert_int_equal(bsim_trace_writer_cut(writer, &err), BSIM_OK); /* that was told */
        bsim_trace_writer_free(writer);
    }
}

/* Each allocation fails in turn, of the writer and of the reader. */
static void short_memory(void **state)
{
    (void)state;
    struct bsim_buffer text = trace_text_load("traces/example.trace");
    struct bsim_buffer bytes = packed_text(text.data, text.size_bytes);
    size_t before = failing_memory_live();
    for (size_t n = 0;; n++) {
        size_t left = 100;
        struct bsim_output output = {take_piece, &left};
        enum bsim_status status = BSIM_E_MEMORY;
        failing_memory_fail_after(n);
        struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_BINARY, &output);
        if (writer != NULL) {
            struct bsim_sink sink = bsim_trace_writer_sink(writer);
            status = trace_text_read(bytes.data, bytes.size_bytes, 0, &sink, NULL);
        }
        bsim_trace_writer_free(writer);
        failing_memory_heal();
        assert_int_equal(failing_memory_live(), before);
        assert_int_equal(status, failing_memory_refused() > 0 ? BSIM_E_MEMORY : BSIM_OK);
        if (status == BSIM_OK) {
            assert_true(n > 8);
            break;
        }
    }
    bsim_buffer_free(&bytes);
    bsim_buffer_free(&text);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(every_ready_trace), cmocka_unit_test(any_pieces),
        cmocka_unit_test(random_streams),    cmocka_unit_test(large_ones),
        cmocka_unit_test(the_example),       cmocka_unit_test(what_the_writer_refuses),
        cmocka_unit_test(a_full_disk),       cmocka_unit_test(a_trace_is_cut_behind_any_record),
        cmocka_unit_test(a_cut_that_fails),  cmocka_unit_test(short_memory),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
