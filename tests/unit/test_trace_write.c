/* test_trace_write.c - the text writer: exact text for streams made by hand, and the round trip
 * read -> write -> read, which must give the same stream. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/trace.h>

#include "trace_text.h"

#include <stdio.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- an output in memory -------------------------------------------------------------------- */

struct output {
    struct bsim_buffer text;
    size_t pieces, largest;
    size_t left; /* pieces that it still takes */
};

static enum bsim_status take_piece(void *context, const void *data, size_t size_bytes,
                                   struct bsim_error *err)
{
    struct output *output = context;
    if (output->left == 0) {
        return bsim_error_set(err, BSIM_E_IO, "full");
    }
    output->left--;
    output->pieces++;
    output->largest = size_bytes > output->largest ? size_bytes : output->largest;
    bsim_buffer_add(&output->text, data, size_bytes);
    return BSIM_OK;
}

static struct output new_output(void)
{
    return (struct output){.text = BSIM_BUFFER_EMPTY, .left = SIZE_MAX};
}

static struct bsim_trace_writer *new_writer(struct output *output)
{
    struct bsim_output to = {take_piece, output};
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_TEXT, &to);
    assert_non_null(writer);
    return writer;
}

/* ---- records made by hand ------------------------------------------------------------------- */

static const struct bsim_opcode load = {
    .family = BSIM_LD, .space = BSIM_SHARED, .type = 'u', .bits = 32, .count = 1, .bytes = 4};
static const struct bsim_opcode store = {
    .family = BSIM_ST, .space = BSIM_GLOBAL, .type = 'u', .bits = 8, .count = 1, .bytes = 1};
static const struct bsim_opcode exchange = {
    .family = BSIM_SHFL, .operation = BSIM_IDX, .type = 'b', .bits = 32};
static const struct bsim_opcode barrier = {.family = BSIM_BAR};
static const struct bsim_opcode work = {.family = BSIM_WORK};

static const struct bsim_kernel kernel = {
    .name = "k", .grid = {1, 1, 1}, .block = {1024, 1, 1}, .extras = ""};
static const struct bsim_site site = {.number = 7, .opcode = load};
static const char head_text[] =
    "banksim-trace 1\nkernel k grid=1 block=1024\nsite 7 ld.shared.u32\nblock 0\n";

/* What must stand in front of an event, or the writer refuses it. */
static void push_head(const struct bsim_sink *sink)
{
    const struct bsim_record head[] = {{.kind = BSIM_RECORD_KERNEL, .u.kernel = &kernel},
                                       {.kind = BSIM_RECORD_SITE, .u.site = &site},
                                       {.kind = BSIM_RECORD_BLOCK}};
    for (size_t i = 0; i < N_OF(head); i++) {
        assert_int_equal(sink->push(sink->context, &head[i], NULL), BSIM_OK);
    }
}

/* Writes one event, after everything an event needs, and gives its line. */
static void check_event(const struct bsim_event *event, const char *expected)
{
    struct output output = new_output();
    struct bsim_trace_writer *writer = new_writer(&output);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    struct bsim_record record = {.kind = BSIM_RECORD_EVENT, .u.event = event};
    struct bsim_record end = {.kind = BSIM_RECORD_END};
    char text[512];
    push_head(&sink);
    assert_int_equal(sink.push(sink.context, &record, NULL), BSIM_OK);
    assert_int_equal(sink.push(sink.context, &end, NULL), BSIM_OK);
    (void)snprintf(text, sizeof text, "%s%s\nend\n", head_text, expected);
    assert_string_equal(output.text.data, text);
    bsim_trace_writer_free(writer);
    bsim_buffer_free(&output.text);
}

static void events(void **state)
{
    (void)state;
    struct bsim_event event;
    bsim_event_init(&event, &load);
    check_event(&event, "w0 ld.shared.u32 ffffffff 0*32");
    event.affine = true;
    event.stride = 4;
    event.base = 16;
    event.warp = BSIM_ALL_WARPS;
    event.wait = 0;
    check_event(&event, "w* ld.shared.u32 ffffffff 16+4 wait=0");
    event.stride = -8;
    event.base = 1000;
    event.mask = 0x0000000f;
    event.site = &site;
    event.expect_wavefronts = 2;
    event.expect_conflicts = 1;
    check_event(&event, "w* @7 0000000f 1000-8 wait=0 expect.wavefronts=2 expect.conflicts=1");
    bsim_event_init(&event, &exchange);
    event.mask = 0x80000000;
    event.warp = 31;
    check_event(&event, "w31 shfl.sync.idx.b32 80000000 -");
    bsim_event_init(&event, &barrier);
    check_event(&event, "w0 bar.sync");
    bsim_event_init(&event, &work);
    event.work_count = 3;
    check_event(&event, "w0 work 3");
    event.work_cycles = 20;
    event.wait = 2;
    check_event(&event, "w0 work 3:20 wait=2");
    event.opcode.operation = BSIM_WORK_TENSOR;
    check_event(&event, "w0 work 3:20 tensor wait=2");
}

static void lists_have_their_runs(void **state)
{
    (void)state;
    struct bsim_event event;
    bsim_event_init(&event, &load);
    event.mask = 0x8000003f;
    event.address[0] = 4;
    event.address[1] = 8;
    event.address[2] = 8;
    event.address[3] = 8;
    event.address[4] = 12;
    event.address[5] = 400;
    event.address[6] = 77; /* not active */
    event.address[31] = 400;
    check_event(&event, "w0 ld.shared.u32 8000003f 4,8*3,12,400*2");
}

/* What wraps around 2^64 within a warp has no affine form: here lane 4 at 2^64 - 16 + 4 * 4 = 0. */
static void a_wrapping_affine_event_becomes_a_list(void **state)
{
    (void)state;
    struct bsim_event event;
    bsim_event_init(&event, &store);
    event.affine = true;
    event.base = UINT64_MAX - 15;
    event.stride = 4;
    event.mask = 0x000000f0;
    check_event(&event, "w0 st.global.u8 000000f0 0,4,8,12");
    event.mask = 0x0000000f;
    check_event(&event, "w0 st.global.u8 0000000f 18446744073709551600+4");
    event.base = 8;
    event.stride = -4;
    event.mask = 0x0000000c;
    check_event(&event, "w0 st.global.u8 0000000c 0,18446744073709551612");
    event.mask = 0x00000007;
    check_event(&event, "w0 st.global.u8 00000007 8-4");
    event.mask = 0x00000001;
    event.stride = INT64_MIN;
    check_event(&event, "w0 st.global.u8 00000001 8");
}

/* ---- whole streams -------------------------------------------------------------------------- */

/* Reads text and writes it again. */
static struct output rewrite(const char *path, const char *text, size_t size)
{
    struct output output = new_output();
    struct bsim_trace_writer *writer = new_writer(&output);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    struct bsim_error err;
    if (trace_text_read(text, size, 0, &sink, &err) != BSIM_OK) {
        fail_msg("%s: %s", path, err.message);
    }
    bsim_trace_writer_free(writer);
    return output;
}

static void one_text(void **state)
{
    (void)state;
    static const char text[] =
        "# comment\nbanksim-trace 1\n"
        "kernel k\"l\" x-a=b=\" shared=0x80 grid=2,1,3 device=sm_90 x-b= registers=0x20 block=8,4,1\n"
        "site 2 ld.shared.b32 text=\"a\\\"b\\\\c\xc3\xa4 #\" at=C:\\x.cu:0x10\n\nblock 1,0,2\n"
        "repeat 2 work=3:4\nrepeat 5 work=6\nrepeat 7 work=0:8\nrepeat 9\n"
        "w0 @2 FFFFFFFF 0x0+0x4 expect.conflicts=0 wait=1\ndone\ndone\ndone\ndone\n"
        "w0 ld.shared.b32 00000003 0x4,4\nw0 ld.shared.b32 00000001 4-0\nkernel l block=1\nend";
    static const char expected[] =
        "banksim-trace 1\n"
        "kernel k\"l\" grid=2,1,3 block=8,4 shared=128 registers=32 device=sm_90 x-a=b=\" x-b=\n"
        "site 2 ld.shared.b32 at=C:\\x.cu:16 text=\"a\\\"b\\\\c\xc3\xa4 #\"\nblock 1,0,2\n"
        "repeat 2 work=3:4\nrepeat 5 work=6\nrepeat 7 work=0:8\nrepeat 9\n"
        "w0 @2 ffffffff 0+4 wait=1 expect.conflicts=0\ndone\ndone\ndone\ndone\n"
        "w0 ld.shared.b32 00000003 4*2\nw0 ld.shared.b32 00000001 4+0\n"
        "kernel l grid=1 block=1\nend\n";
    struct output output = rewrite("one text", text, sizeof text - 1);
    assert_string_equal(output.text.data, expected);
    bsim_buffer_free(&output.text);
}

static void check_round_trip(const char *path, const char *text, size_t size)
{
    enum bsim_status status;
    struct bsim_buffer first = trace_text_describe(text, size, &status, NULL);
    if (status != BSIM_OK && strstr(path, "/cli_") != NULL) {
        bsim_buffer_free(&first); /* broken on purpose, for the command line's messages */
        return;
    }
    assert_int_equal(status, BSIM_OK);
    struct output output = rewrite(path, text, size);
    struct bsim_error err;
    struct bsim_buffer second =
        trace_text_describe(output.text.data, output.text.size_bytes, &status, &err);
    if (status != BSIM_OK) {
        fail_msg("%s: what was written is refused: line %u: %s", path, (unsigned)err.line,
                 err.message);
    }
    if (strcmp(first.data, second.data) != 0) {
        fail_msg("%s: written as another stream:\n%s", path, output.text.data);
    }
    bsim_buffer_free(&first);
    bsim_buffer_free(&second);
    bsim_buffer_free(&output.text);
}

static void round_trips(void **state)
{
    (void)state;
    trace_text_each("tests/golden/traces", "", ".trace", check_round_trip);
    trace_text_each("tests/fuzz/corpus", "good-", "", check_round_trip);
}

/* Every opcode there is, each with addresses that it may have. */
static void every_opcode(void **state)
{
    (void)state;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_opcode opcode;
    bsim_buffer_text(&text, "banksim-trace 1\nkernel k block=32\nblock 0\n");
    for (size_t i = 0; bsim_opcode_at(i, &opcode); i++) {
        char name[BSIM_OPCODE_NAME_SIZE];
        bsim_opcode_name(&opcode, name);
        if (opcode.family == BSIM_BAR) {
            bsim_buffer_printf(&text, "w0 %s\n", name);
        } else if (!bsim_opcode_is_access(&opcode)) {
            bsim_buffer_printf(&text, "w0 %s 00000001 -\n", name);
        } else {
            bsim_buffer_printf(&text, "w0 %s ffffffff 64+16\n", name);
        }
    }
    bsim_buffer_text(&text, "end\n");
    check_round_trip("every opcode", text.data, text.size_bytes);
    bsim_buffer_free(&text);
}

/* ---- pieces and failures -------------------------------------------------------------------- */

static enum bsim_status push_works(const struct bsim_sink *sink, size_t n, struct bsim_error *err)
{
    struct bsim_event event;
    struct bsim_record record = {.kind = BSIM_RECORD_EVENT, .u.event = &event};
    bsim_event_init(&event, &work);
    event.work_count = 123456;
    enum bsim_status status = BSIM_OK;
    for (size_t i = 0; i < n && status == BSIM_OK; i++) {
        status = sink->push(sink->context, &record, err);
    }
    return status;
}

/* "w0 work 123456\n" has 15 bytes: 20,000 of them are 300,000. */
static void a_long_trace_leaves_in_pieces(void **state)
{
    (void)state;
    struct output output = new_output();
    struct bsim_trace_writer *writer = new_writer(&output);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    struct bsim_record end = {.kind = BSIM_RECORD_END};
    push_head(&sink);
    assert_int_equal(push_works(&sink, 20000, NULL), BSIM_OK);
    assert_true(output.pieces > 3 && output.text.size_bytes > 200000);
    assert_int_equal(sink.push(sink.context, &end, NULL), BSIM_OK);
    assert_true(output.largest < 50000);
    assert_int_equal(output.text.size_bytes, sizeof head_text - 1 + 20000 * 15 + strlen("end\n"));
    bsim_trace_writer_free(writer);
    bsim_buffer_free(&output.text);
}

/* After a failure the trace has a hole: it must never get its `end`. */
static void a_full_output_stays_failed(void **state)
{
    (void)state;
    struct output output = new_output();
    struct bsim_trace_writer *writer = new_writer(&output);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    struct bsim_record end = {.kind = BSIM_RECORD_END};
    struct bsim_error err;
    output.left = 1;
    push_head(&sink);
    assert_int_equal(push_works(&sink, 20000, &err), BSIM_E_IO);
    assert_string_equal(err.message, "full");
    output.left = 100;
    assert_int_equal(push_works(&sink, 1, &err), BSIM_E_USAGE);
    assert_int_equal(sink.push(sink.context, &end, &err), BSIM_E_USAGE);
    assert_non_null(strstr(err.message, "a record after the end or after a refused one"));
    assert_int_equal(output.pieces, 1);
    bsim_trace_writer_free(writer);
    bsim_buffer_free(&output.text);
}

static void nothing_follows_the_end(void **state)
{
    (void)state;
    struct output output = new_output();
    struct bsim_trace_writer *writer = new_writer(&output);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    struct bsim_record end = {.kind = BSIM_RECORD_END};
    assert_int_equal(sink.push(sink.context, &end, NULL), BSIM_OK);
    assert_int_equal(sink.push(sink.context, &end, NULL), BSIM_E_USAGE);
    assert_string_equal(output.text.data, "banksim-trace 1\nend\n");
    bsim_trace_writer_free(writer);
    bsim_trace_writer_free(NULL);
    bsim_buffer_free(&output.text);
}

/* ---- what the format cannot hold ------------------------------------------------------------ */

static char long_text[70000];

/* Of a kernel, or of a site behind one. */
static void check_refused(const struct bsim_record *record, const char *message)
{
    struct output output = new_output();
    struct bsim_trace_writer *writer = new_writer(&output);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    struct bsim_error err;
    if (record->kind == BSIM_RECORD_SITE) {
        struct bsim_record first = {.kind = BSIM_RECORD_KERNEL, .u.kernel = &kernel};
        assert_int_equal(sink.push(sink.context, &first, NULL), BSIM_OK);
    }
    if (sink.push(sink.context, record, &err) != BSIM_E_USAGE ||
        strstr(err.message, message) == NULL) {
        fail_msg("not refused with '%s'", message);
    }
    assert_int_equal(sink.push(sink.context, record, NULL), BSIM_E_USAGE);
    assert_int_equal(output.pieces, 0);
    bsim_trace_writer_free(writer);
}

static void names_that_do_not_fit(void **state)
{
    (void)state;
    static const struct {
        const char *name, *device, *extras, *message;
    } c[] = {
        {"f(int, int)", NULL, "", "kernel name 'f(int, int)'"},
        {"", NULL, "", "kernel name ''"},
        {"a#b", NULL, "", "kernel name"},
        {"a=b", NULL, "", "it has an '='"},
        {"\xc3\xa4", NULL, "", "kernel name"},
        {"k", "", "", "device"},
        {"k", "GeForce 210", "", "device 'GeForce 210'"},
        {"k", NULL, "x-a=1\nend", "extras"},
        {"k", NULL, "x-a=1 block=3", "extras"},
        {"k", "\"h200\"", "", "device '\"h200\"'"},
        {"k", NULL, "x-a=#", "extras"},
        {"k", NULL, "x-a", "extras"},
        {"k", NULL, "x-a=1  x-b=2", "extras"},
        {"k", NULL, "x-a=1 ", "extras"},
        {"k", NULL, " x-a=1", "extras"},
        {"k", NULL, "x-=1", "extras"},
        {"k", NULL, "x-a b=1", "extras"},
        {"k", NULL, "x-a=\"1\"", "extras"},
        {long_text, NULL, "", "more than 65536 bytes"},
    };
    memset(long_text, 'x', sizeof long_text - 1);
    for (size_t i = 0; i < N_OF(c); i++) {
        struct bsim_kernel named = kernel;
        named.name = c[i].name;
        named.device = c[i].device;
        named.extras = c[i].extras;
        struct bsim_record record = {.kind = BSIM_RECORD_KERNEL, .u.kernel = &named};
        check_refused(&record, c[i].message);
    }
}

static void site_texts_that_do_not_fit(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text, *message;
    } c[] = {
        {"my file.cu", NULL, "file name 'my file.cu'"},
        {"", NULL, "file name"},
        {"a.cu", "two\nlines", "control character"},
        {NULL, "a\x7f", "control character"},
    };
    for (size_t i = 0; i < N_OF(c); i++) {
        struct bsim_site named = {
            .number = 1, .opcode = load, .file = c[i].file, .text = c[i].text};
        struct bsim_record record = {.kind = BSIM_RECORD_SITE, .u.site = &named};
        check_refused(&record, c[i].message);
    }
}

/* ---- files ---------------------------------------------------------------------------------- */

static void into_a_file(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    char text[64] = "";
    assert_non_null(file);
    struct bsim_output output = bsim_output_file(file);
    assert_int_equal(output.write(output.context, "some text", 9, NULL), BSIM_OK);
    rewind(file);
    assert_int_equal(fread(text, 1, sizeof text, file), 9);
    assert_string_equal(text, "some text");
    fclose(file);
}

/* Linux's device that is always full. */
static void into_a_full_file(void **state)
{
    (void)state;
    struct bsim_error err;
    FILE *file = fopen("/dev/full", "wb");
    if (file == NULL) {
        skip();
    }
    struct bsim_output output = bsim_output_file(file);
    assert_int_equal(output.write(output.context, "some text", 9, &err), BSIM_E_IO);
    assert_non_null(strstr(err.message, "cannot write: "));
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(events),
        cmocka_unit_test(lists_have_their_runs),
        cmocka_unit_test(a_wrapping_affine_event_becomes_a_list),
        cmocka_unit_test(one_text),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(every_opcode),
        cmocka_unit_test(a_long_trace_leaves_in_pieces),
        cmocka_unit_test(a_full_output_stays_failed),
        cmocka_unit_test(nothing_follows_the_end),
        cmocka_unit_test(names_that_do_not_fit),
        cmocka_unit_test(site_texts_that_do_not_fit),
        cmocka_unit_test(into_a_file),
        cmocka_unit_test(into_a_full_file),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
