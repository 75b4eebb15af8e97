/* test_trace_memory.c - reader and writer when memory is short: the Nth allocation and all after it
 * fail, for N = 1, 2, ... until none is left to fail. Each time the answer must be BSIM_E_MEMORY,
 * nothing may leak, and END must not have been pushed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/trace.h>

#include "failing_memory.h"
#include "status_name.h"
#include "trace_text.h"

#include <string.h>

enum { MAX_ALLOCATIONS = 10000 };

static enum bsim_status note_end(void *context, const struct bsim_record *record,
                                 struct bsim_error *err)
{
    (void)err;
    *(bool *)context = record->kind == BSIM_RECORD_END;
    return BSIM_OK;
}

static enum bsim_status read_only(const char *text, size_t size, bool *has_end,
                                  struct bsim_error *err)
{
    struct bsim_sink sink = {.push = note_end, .context = has_end};
    return trace_text_read(text, size, 0, &sink, err);
}

static enum bsim_status look_for_end(void *context, const void *data, size_t size_bytes,
                                     struct bsim_error *err)
{
    const char *text = data;
    (void)err;
    *(bool *)context = size_bytes >= 4 && memcmp(text + size_bytes - 4, "end\n", 4) == 0;
    return BSIM_OK;
}

static enum bsim_status read_and_write(const char *text, size_t size, bool *has_end,
                                       struct bsim_error *err)
{
    struct bsim_output output = {look_for_end, has_end};
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_TEXT, &output);
    if (writer == NULL) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    enum bsim_status status = trace_text_read(text, size, 0, &sink, err);
    bsim_trace_writer_free(writer);
    return status;
}

/* Returns how many allocations could fail. */
static size_t fail_each(enum bsim_status (*act)(const char *, size_t, bool *, struct bsim_error *),
                        const char *text, size_t size)
{
    size_t before = failing_memory_live();
    for (size_t n = 0; n < MAX_ALLOCATIONS; n++) {
        struct bsim_error err = {.status = BSIM_OK};
        bool has_end = false;
        failing_memory_fail_after(n);
        enum bsim_status status = act(text, size, &has_end, &err);
        failing_memory_heal();
        assert_int_equal(failing_memory_live(), before);
        if (failing_memory_refused() == 0) {
            assert_int_equal(status, BSIM_OK);
            assert_true(has_end);
            return n;
        }
        if (status != BSIM_E_MEMORY || err.status != BSIM_E_MEMORY || has_end) {
            fail_msg("with %zu allocations: %s, %s", n, status_name(status), err.message);
        }
        assert_string_equal(err.message, "out of memory");
    }
    fail_msg("more than %d allocations", MAX_ALLOCATIONS);
    return 0;
}

/* Two kernels, and sites enough for their table to grow twice. */
static struct bsim_buffer make_trace(void)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    bsim_buffer_text(&text, "banksim-trace 1\n");
    for (unsigned k = 0; k < 2; k++) {
        bsim_buffer_printf(&text, "kernel k%u block=32 device=sm_90 x-a=%u\n", k, k);
        for (unsigned s = 1; s <= 70; s++) {
            bsim_buffer_printf(&text, "site %u ld.shared.u32 at=a.cu:%u text=\"%u\"\n", s, s, k);
        }
        bsim_buffer_text(&text, "block 0\nrepeat 2\nw0 @70 0000000f 0,4,8,12\ndone\n");
    }
    bsim_buffer_text(&text, "end\n");
    return text;
}

/* The reader itself, its buffer, two kernels, 140 sites, and per kernel tables of 64, 128 and 256
 * slots and lists of 1, 2, 4 ... 128: 1 + 1 + 2 + 140 + 2 * (3 + 8). */
static void the_reader(void **state)
{
    (void)state;
    struct bsim_buffer text = make_trace();
    assert_int_equal(fail_each(read_only, text.data, text.size_bytes), 166);
    bsim_buffer_free(&text);
}

/* The same of an Accel-Sim trace. */
static struct bsim_buffer make_traceg(void)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    for (unsigned k = 0; k < 2; k++) {
        bsim_buffer_printf(&text,
                           "-kernel name = k%u\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
                           "-accelsim tracer version = 5\n#BEGIN_TB\nthread block = 0,0,0\n"
                           "warp = 0\ninsts = 70\n",
                           k);
        for (unsigned s = 0; s < 70; s++) {
            bsim_buffer_printf(&text, "%04x 0000000f 1 R2 LDS.U%u 1 R3 4 1 0x0 4 0\n", 16 * s, s);
        }
        bsim_buffer_text(&text, "#END_TB\n");
    }
    return text;
}

/* The reader itself and its buffer; per kernel its name and itself; 70 opcodes, 2 of which are
 * widths and make a site in each kernel; the tables of opcodes, with 64, 128, 256 slots, and lists
 * of 1, 2, 4 ... 128; a table of sites and lists of 1 and 2 in each kernel; the list of kernels,
 * with room for 1 and 2. */
static void the_reader_of_accel_sim(void **state)
{
    (void)state;
    struct bsim_buffer text = make_traceg();
    assert_int_equal(fail_each(read_only, text.data, text.size_bytes),
                     2 + 2 * 2 + 70 + 2 * 2 + 3 + 8 + 2 * (1 + 2) + 2);
    bsim_buffer_free(&text);
}

static void the_writer(void **state)
{
    (void)state;
    struct bsim_buffer text = make_trace();
    assert_true(fail_each(read_and_write, text.data, text.size_bytes) > 150);
    bsim_buffer_free(&text);
}

/* What a broken trace had gathered is freed, too. */
static void a_broken_trace(void **state)
{
    (void)state;
    static const char text[] =
        "banksim-trace 1\nkernel k block=32\nsite 1 bar.sync\nsite 1 bar.sync";
    size_t before = failing_memory_live();
    bool has_end = false;
    assert_int_equal(read_only(text, strlen(text), &has_end, NULL), BSIM_E_INPUT);
    assert_int_equal(failing_memory_live(), before);
}

static void the_seam_counts(void **state)
{
    (void)state;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    size_t before = failing_memory_live();
    bsim_buffer_text(&text, "x");
    assert_int_equal(failing_memory_live(), before + 1);
    bsim_buffer_free(&text);
    assert_int_equal(failing_memory_live(), before);
    failing_memory_fail_after(0);
    bsim_buffer_text(&text, "x");
    failing_memory_heal();
    assert_int_equal(failing_memory_refused(), 1);
    assert_int_equal(bsim_buffer_status(&text, NULL), BSIM_E_MEMORY);
    assert_int_equal(failing_memory_live(), before);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(the_seam_counts),         cmocka_unit_test(the_reader),
        cmocka_unit_test(the_reader_of_accel_sim), cmocka_unit_test(the_writer),
        cmocka_unit_test(a_broken_trace),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
