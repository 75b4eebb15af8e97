/* packed.c - see packed.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "packed.h"

#include "trace_text.h"

#include <inttypes.h>

enum { HEAD = 64, SUM_AT = 56 };

static enum bsim_status add_bytes(void *context, const void *data, size_t size_bytes,
                                  struct bsim_error *err)
{
    bsim_buffer_add(context, data, size_bytes);
    return bsim_buffer_status(context, err);
}

struct bsim_buffer packed_stream(packed_source *source, void *context)
{
    struct bsim_buffer bytes = BSIM_BUFFER_EMPTY;
    struct bsim_output output = {add_bytes, &bytes};
    struct bsim_error err = {.status = BSIM_OK};
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_BINARY, &output);
    assert_non_null(writer);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    if (source(context, &sink, &err) != BSIM_OK) {
        fail_msg("%s", err.message);
    }
    bsim_trace_writer_free(writer);
    return bytes;
}

struct text {
    const char *text;
    size_t size;
};

static enum bsim_status push_text(void *context, const struct bsim_sink *sink,
                                  struct bsim_error *err)
{
    const struct text *text = context;
    return trace_text_read(text->text, text->size, 0, sink, err);
}

struct bsim_buffer packed_text(const char *text, size_t size)
{
    struct text source = {text, size};
    return packed_stream(push_text, &source);
}

/* ---- checksums, by the book ------------------------------------------------------------------ */

static uint64_t word(const unsigned char *p)
{
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--) {
        value = value << 8 | p[i];
    }
    return value;
}

static uint64_t step(uint64_t h, uint64_t w)
{
    h = (h ^ w) * UINT64_C(11400714819323198485);
    return h << 29 | h >> 35;
}

static uint64_t sum_of(const unsigned char *head, const unsigned char *payload, size_t size)
{
    uint64_t h[8] = {0};
    uint64_t sum = size;
    for (size_t i = 0; i < size / 8; i++) {
        h[i % 8] = step(h[i % 8], word(payload + 8 * i));
    }
    for (size_t i = 0; i < 8; i++) {
        sum = step(sum, h[i]);
    }
    for (size_t i = 0; i < 7; i++) {
        sum = step(sum, word(head + 8 * i));
    }
    return sum;
}

static void put_sum(unsigned char *head, uint64_t sum)
{
    for (size_t i = 0; i < 8; i++) {
        head[SUM_AT + i] = (unsigned char)(sum >> 8 * i);
    }
}

void packed_repair(unsigned char *data, size_t size)
{
    if (size < HEAD) {
        return;
    }
    put_sum(data, sum_of(data, NULL, 0));
    for (size_t at = HEAD; size - at >= HEAD;) {
        size_t payload = (size_t)(word(data + at) >> 32);
        if (payload > size - at - HEAD || payload % 8 != 0) {
            return;
        }
        put_sum(data + at, sum_of(data + at, data + at + HEAD, payload));
        at += HEAD + payload;
    }
}

/* ---- logs with lines ------------------------------------------------------------------------- */

static enum bsim_status log_line(void *context, const struct bsim_record *record,
                                 struct bsim_error *err)
{
    struct packed_lines *lines = context;
    bsim_buffer_printf(&lines->log, "%" PRIu64 " ", record->line);
    lines->has_end = lines->has_end || record->kind == BSIM_RECORD_END;
    return lines->inner.push(lines->inner.context, record, err);
}

struct bsim_sink packed_lines_sink(struct packed_lines *lines)
{
    *lines = (struct packed_lines){.log = BSIM_BUFFER_EMPTY};
    lines->inner = trace_text_log(&lines->log);
    return (struct bsim_sink){.push = log_line, .context = lines};
}

struct bsim_buffer packed_log(const char *data, size_t size, size_t piece_bytes,
                              enum bsim_status *status, struct bsim_error *err)
{
    struct packed_lines lines;
    struct bsim_sink sink = packed_lines_sink(&lines);
    *status = trace_text_read(data, size, piece_bytes, &sink, err);
    assert_true(lines.has_end == (*status == BSIM_OK));
    return lines.log;
}
