/* test_binary_index.c - parts of a binary trace: every range of blocks gives all kernels, all sites
 * and those blocks, as they stand in the stream of the whole. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/trace.h>

#include "failing_memory.h"
#include "packed.h"
#include "trace_text.h"

#include <stdlib.h>
#include <string.h>

struct bytes {
    const char *data;
    size_t size;
    size_t n_read; /* bytes that were asked for */
};

static size_t read_bytes(void *context, void *data, size_t size_bytes, uint64_t offset)
{
    struct bytes *bytes = context;
    size_t left = offset < bytes->size ? bytes->size - (size_t)offset : 0;
    size_t n = size_bytes < left ? size_bytes : left;
    n = n > 1000 ? 1000 : n;
    if (n > 0) {
        memcpy(data, bytes->data + offset, n);
    }
    bytes->n_read += n;
    return n;
}

static struct bsim_random_input input_of(struct bytes *bytes)
{
    return (struct bsim_random_input){read_bytes, bytes, bytes->size, "t.bin"};
}

/* The log of the blocks from first to end of a stream: the lines of the whole's log without the
 * other blocks and what is in them, sites apart. */
static struct bsim_buffer cut_log(const char *log, uint64_t first, uint64_t end)
{
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    uint64_t block = 0;
    bool in_block = false;
    bool wanted = false;
    for (const char *line = log; *line != '\0'; line = strchr(line, '\n') + 1) {
        const char *word = strchr(line, ' ') + 1;
        bool is_block = strncmp(word, "block", 5) == 0;
        bool is_kernel = strncmp(word, "kernel", 6) == 0;
        bool is_end = strncmp(word, "end", 3) == 0;
        if (is_block) {
            wanted = block >= first && block < end;
            block++;
            in_block = true;
        }
        in_block = in_block && !is_kernel && !is_end;
        if (!in_block || wanted || strncmp(word, "site", 4) == 0) {
            bsim_buffer_add(&out, line, (size_t)(strchr(line, '\n') - line + 1));
        }
    }
    return out;
}

/* Logs the blocks from first to end. */
static struct bsim_buffer log_part(const struct bsim_trace_index *index,
                                   const struct bsim_random_input *input, uint64_t first,
                                   uint64_t end)
{
    struct packed_lines lines;
    struct bsim_sink sink = packed_lines_sink(&lines);
    struct bsim_error err = {.status = BSIM_OK};
    if (bsim_trace_index_read(index, input, first, end, &sink, &err) != BSIM_OK) {
        fail_msg("%s", err.message);
    }
    return lines.log;
}

static void check_range(const struct bsim_trace_index *index, const struct bsim_random_input *input,
                        const char *whole, uint64_t first, uint64_t end)
{
    struct bsim_buffer expected = cut_log(whole, first, end);
    struct bsim_buffer got = log_part(index, input, first, end);
    if (strcmp(expected.data, got.data) != 0) {
        fail_msg("blocks %u to %u differ", (unsigned)first, (unsigned)end);
    }
    bsim_buffer_free(&got);
    bsim_buffer_free(&expected);
}

/* Three kernels, one of them without blocks; small blocks, and two of several chunks, in one of
 * which a site is defined, and whose warps meet at a barrier only in the end. */
static struct bsim_buffer make_text(void)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    bsim_buffer_text(&text, "banksim-trace 1\n");
    for (unsigned k = 0; k < 3; k++) {
        bsim_buffer_printf(&text, "kernel k%u grid=20 block=64\nsite 1 ld.shared.u32\n", k);
        for (unsigned b = 0; b < 12 && k != 1; b++) {
            unsigned n = b == 3 || b == 7 ? 1500 : 5;
            bsim_buffer_printf(&text, "block %u\nw%s bar.sync\n", b, n > 5 ? "0" : "*");
            for (unsigned i = 0; i < n; i++) {
                bsim_buffer_printf(&text, "w%u @1 ffffffff 0*31,%u\n", i % 2, 4 * (i + b));
                if (b == 7 && i == 700) {
                    bsim_buffer_text(&text, "site 2 st.shared.u32\n");
                }
            }
            bsim_buffer_text(&text, n > 5   ? "w1 bar.sync\n"
                                    : b > 7 ? "w* @2 ffffffff 0+4\n"
                                            : "w* bar.sync\n");
        }
    }
    bsim_buffer_text(&text, "end\n");
    return text;
}

struct fixture {
    struct bsim_buffer text, packed, log;
    struct bytes bytes;
    struct bsim_random_input input;
    struct bsim_trace_index *index;
};

static void open_fixture(struct fixture *f)
{
    struct bsim_error err = {.status = BSIM_OK};
    enum bsim_status status;
    f->text = make_text();
    f->packed = packed_text(f->text.data, f->text.size_bytes);
    f->log = packed_log(f->packed.data, f->packed.size_bytes, 0, &status, &err);
    assert_int_equal(status, BSIM_OK);
    f->bytes = (struct bytes){f->packed.data, f->packed.size_bytes, 0};
    f->input = input_of(&f->bytes);
    f->index = NULL;
    assert_int_equal(bsim_trace_index_open(&f->input, &f->index, &err), BSIM_OK);
    assert_non_null(f->index);
}

static void close_fixture(struct fixture *f)
{
    bsim_trace_index_free(f->index);
    bsim_buffer_free(&f->log);
    bsim_buffer_free(&f->packed);
    bsim_buffer_free(&f->text);
}

static void every_range(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    assert_int_equal(bsim_trace_index_blocks(f.index), 24);
    assert_int_equal(bsim_trace_index_events(f.index), 2 * (10 * 5 + 2 * 1500 + 24));
    for (uint64_t first = 0; first <= 24; first++) {
        for (uint64_t end = first; end <= 25; end++) {
            check_range(f.index, &f.input, f.log.data, first, end);
        }
    }
    check_range(f.index, &f.input, f.log.data, 0, UINT64_MAX);
    close_fixture(&f);
}

/* The parts follow each other, and none is much larger than its share and one large block. */
static void parts(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    for (uint64_t n = 1; n < 40; n++) {
        assert_int_equal(bsim_trace_index_part(f.index, 0, n), 0);
        assert_int_equal(bsim_trace_index_part(f.index, n, n), 24);
        for (uint64_t k = 0; k < n; k++) {
            assert_true(bsim_trace_index_part(f.index, k, n) <=
                        bsim_trace_index_part(f.index, k + 1, n));
        }
    }
    uint64_t half = bsim_trace_index_part(f.index, 1, 2);
    assert_true(half >= 8 && half <= 16);
    close_fixture(&f);
}

/* Only what is asked for is read: one small block takes a small part of the file. */
static void the_rest_is_not_read(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f);
    f.bytes.n_read = 0;
    struct bsim_buffer log = log_part(f.index, &f.input, 23, 24);
    assert_true(f.bytes.n_read < f.bytes.size / 10);
    bsim_buffer_free(&log);
    close_fixture(&f);
}

static void other_formats(void **state)
{
    (void)state;
    static const char *const text[] = {"", "banksim-trace 1\nend\n", "x"};
    for (size_t i = 0; i < 3; i++) {
        struct bytes bytes = {text[i], strlen(text[i]), 0};
        struct bsim_random_input input = input_of(&bytes);
        struct bsim_trace_index *index = (struct bsim_trace_index *)&bytes;
        assert_int_equal(bsim_trace_index_open(&input, &index, NULL), BSIM_OK);
        assert_null(index);
    }
}

/* Reads all through the index; BSIM_OK and the log's end for what a flipped bit does not touch. */
static enum bsim_status read_all(struct bytes *bytes, struct bsim_error *err)
{
    struct bsim_random_input input = input_of(bytes);
    struct bsim_trace_index *index = NULL;
    struct packed_lines lines;
    struct bsim_sink sink = packed_lines_sink(&lines);
    enum bsim_status status = bsim_trace_index_open(&input, &index, err);
    if (status == BSIM_OK && index != NULL) {
        status = bsim_trace_index_read(index, &input, 0, UINT64_MAX, &sink, err);
        assert_true(lines.has_end == (status == BSIM_OK));
    } else if (status == BSIM_OK) {
        status = BSIM_E_INPUT; /* no binary trace any more */
    }
    bsim_trace_index_free(index);
    bsim_buffer_free(&lines.log);
    return status;
}

static void damage(void **state)
{
    (void)state;
    static const char text[] = "banksim-trace 1\nkernel k block=32\nsite 1 ld.shared.u32\n"
                               "block 0\nw0 @1 ffffffff 0+4\nend\n";
    struct bsim_buffer packed = packed_text(text, strlen(text));
    struct bytes bytes = {packed.data, packed.size_bytes, 0};
    assert_int_equal(read_all(&bytes, NULL), BSIM_OK);
    for (size_t bit = 0; bit < 8 * packed.size_bytes; bit++) {
        packed.data[bit / 8] = (char)(packed.data[bit / 8] ^ 1 << bit % 8);
        if (read_all(&bytes, NULL) != BSIM_E_INPUT) {
            fail_msg("bit %zu", bit);
        }
        packed.data[bit / 8] = (char)(packed.data[bit / 8] ^ 1 << bit % 8);
    }
    for (bytes.size = 1; bytes.size < packed.size_bytes; bytes.size++) {
        assert_int_equal(read_all(&bytes, NULL), BSIM_E_INPUT);
    }
    bsim_buffer_free(&packed);
}

static void short_memory(void **state)
{
    (void)state;
    static const char text[] = "banksim-trace 1\nkernel k block=32\nsite 1 ld.shared.u32\n"
                               "block 0\nw0 ld.shared.u32 ffffffff 0+4\nend\n";
    struct bsim_buffer packed = packed_text(text, strlen(text));
    struct bytes bytes = {packed.data, packed.size_bytes, 0};
    struct bsim_random_input input = input_of(&bytes);
    size_t before = failing_memory_live();
    enum bsim_status status = BSIM_E_MEMORY;
    for (size_t n = 0; status != BSIM_OK; n++) {
        struct bsim_trace_index *index = NULL;
        struct packed_lines lines;
        struct bsim_sink sink = {.push = packed_lines_sink(&lines).push, .context = &lines};
        failing_memory_fail_after(n);
        status = bsim_trace_index_open(&input, &index, NULL);
        failing_memory_heal();
        if (status == BSIM_OK) {
            assert_int_equal(bsim_trace_index_read(index, &input, 0, 1, &sink, NULL), BSIM_OK);
        }
        bsim_trace_index_free(index);
        bsim_buffer_free(&lines.log);
        assert_int_equal(failing_memory_live(), before);
        assert_true(status == BSIM_OK || status == BSIM_E_MEMORY);
        assert_true(n < 10);
    }
    bsim_buffer_free(&packed);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(every_range),
        cmocka_unit_test(parts),
        cmocka_unit_test(the_rest_is_not_read),
        cmocka_unit_test(other_formats),
        cmocka_unit_test(damage),
        cmocka_unit_test(short_memory),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
