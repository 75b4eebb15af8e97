/* test_flat_memory.c - memory does not grow with the trace: text, its binary form and the counting
 * of both take the same for 30 times the events. The trace is made while it is read. */
#define _DEFAULT_SOURCE /* getrusage */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/result.h>
#include <banksim/trace.h>

#include "sim/sim.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

enum {
    FEW = 20000,
    MANY = 600000, /* 20 MB of text */
    EVENTS_PER_BLOCK = 1000,
    MAX_GROWTH_KIB = 4096, /* a byte an event would be 1758; a sanitizer keeps what was freed */
    LINE_SIZE = 128,
};

/* ---- a trace of n events, line by line ------------------------------------------------------- */

struct lines {
    uint64_t n, made; /* events */
    char line[LINE_SIZE];
    size_t length, at;
    bool in_block, has_end;
};

static void make_line(struct lines *lines)
{
    unsigned long long i = lines->made;
    int length;
    lines->at = 0;
    if (i == lines->n) {
        lines->has_end = true;
        length = snprintf(lines->line, LINE_SIZE, "end\n");
    } else if (i % EVENTS_PER_BLOCK == 0 && !lines->in_block) {
        lines->in_block = true;
        length = snprintf(lines->line, LINE_SIZE, "%sblock %llu\n",
                          i > 0 ? ""
                                : "banksim-trace 1\nkernel k grid=1000000 block=256 shared=49152\n"
                                  "site 1 ld.shared.u32 at=a.cu:1\n",
                          i / EVENTS_PER_BLOCK);
    } else {
        lines->made++;
        lines->in_block = false;
        length = i % 2 == 0 ? snprintf(lines->line, LINE_SIZE, "w%llu @1 ffffffff %llu+%llu\n",
                                       i % 8, i % 1000 * 4, i % 33 * 4)
                            : snprintf(lines->line, LINE_SIZE,
                                       "w%llu ld.shared.u32 0000ffff 0*8,%llu,4,8,12*5\n", i % 8,
                                       i % 12000 * 4);
    }
    lines->length = (size_t)length;
}

static size_t read_lines(void *context, void *data, size_t size_bytes)
{
    struct lines *lines = context;
    size_t n = 0;
    while (n < size_bytes) {
        if (lines->at == lines->length) {
            if (lines->has_end) {
                break;
            }
            make_line(lines);
        }
        size_t more = lines->length - lines->at;
        more = more < size_bytes - n ? more : size_bytes - n;
        memcpy((char *)data + n, lines->line + lines->at, more);
        lines->at += more;
        n += more;
    }
    return n;
}

static void read_text(uint64_t n, const struct bsim_sink *sink)
{
    struct lines lines = {.n = n};
    struct bsim_input input = {.read = read_lines, .context = &lines, .name = "made"};
    struct bsim_error err = {.status = BSIM_OK};
    if (bsim_trace_read(&input, sink, &err) != BSIM_OK) {
        fail_msg("%s\n%s", err.message, err.excerpt);
    }
}

/* ---- counting -------------------------------------------------------------------------------- */

static void count(void (*push)(void *context, const struct bsim_sink *sink), void *context,
                  uint64_t n)
{
    struct bsim_sim_options options = {.device = NULL};
    struct bsim_result result;
    struct bsim_sim *sim = bsim_sim_new(&options);
    assert_non_null(sim);
    struct bsim_sink sink = bsim_sim_sink(sim);
    push(context, &sink);
    assert_int_equal(bsim_sim_result(sim, &result, NULL), BSIM_OK);
    assert_int_equal(result.n_kernels, 1);
    assert_int_equal(result.kernels[0].blocks, n / EVENTS_PER_BLOCK);
    bsim_result_free(&result);
    bsim_sim_free(sim);
}

static void push_text(void *context, const struct bsim_sink *sink)
{
    read_text(*(const uint64_t *)context, sink);
}

static void push_file(void *context, const struct bsim_sink *sink)
{
    struct bsim_input input = bsim_input_file(context, "packed");
    assert_int_equal(bsim_trace_read(&input, sink, NULL), BSIM_OK);
}

/* Counts n events of text, packs them into a file, and counts what is in it. */
static void text_and_binary(uint64_t n)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    struct bsim_output output = bsim_output_file(file);
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_BINARY, &output);
    assert_non_null(writer);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    count(push_text, &n, n);
    read_text(n, &sink);
    bsim_trace_writer_free(writer);
    rewind(file);
    count(push_file, file, n);
    (void)fclose(file);
}

static long peak_kib(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

static void memory_is_flat(void **state)
{
    (void)state;
    text_and_binary(FEW);
    long before = peak_kib();
    text_and_binary(MANY);
    assert_in_range(peak_kib() - before, 0, MAX_GROWTH_KIB);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(memory_is_flat),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
