/* test_buffer.c - the growing buffer: what it holds, and what it does when memory is short. */
#include <banksim/status.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void empty_buffer_holds_nothing(void **state)
{
    (void)state;
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    bsim_buffer_text(&buffer, "");
    bsim_buffer_add(&buffer, "abc", 0);
    bsim_buffer_printf(&buffer, "%s", "");
    assert_null(buffer.data);
    assert_int_equal(buffer.size_bytes, 0);
    assert_int_equal(bsim_buffer_status(&buffer, NULL), BSIM_OK);
    bsim_buffer_clear(&buffer);
    bsim_buffer_free(&buffer);
}

static void appends_add_up(void **state)
{
    (void)state;
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    bsim_buffer_text(&buffer, "one ");
    bsim_buffer_printf(&buffer, "%d%c", 2, ' ');
    bsim_buffer_add(&buffer, "t\0h", 3);
    assert_int_equal(buffer.size_bytes, 9);
    assert_memory_equal(buffer.data, "one 2 t\0h", 10); /* and the NUL behind it */
    bsim_buffer_free(&buffer);
    assert_null(buffer.data);
    assert_int_equal(buffer.capacity_bytes, 0);
}

/* One byte at a time and in pieces of every size across the capacities that doubling gives. */
static void growth_keeps_every_byte(void **state)
{
    (void)state;
    for (size_t piece = 1; piece < 1100; piece = piece * 2 + 1) {
        struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
        char text[1100];
        while (buffer.size_bytes < 5000) {
            memset(text, (int)('a' + buffer.size_bytes % 26), piece);
            bsim_buffer_add(&buffer, text, piece);
        }
        for (size_t i = 0; i < buffer.size_bytes; i++) {
            size_t start = i / piece * piece;
            if (buffer.data[i] != (char)('a' + start % 26)) {
                fail_msg("piece %zu: byte %zu is '%c'", piece, i, buffer.data[i]);
            }
        }
        assert_int_equal(buffer.data[buffer.size_bytes], '\0');
        assert_true(buffer.capacity_bytes > buffer.size_bytes);
        bsim_buffer_free(&buffer);
    }
}

static void printf_longer_than_the_first_capacity(void **state)
{
    (void)state;
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    bsim_buffer_printf(&buffer, "<%2000s>", "x");
    assert_int_equal(buffer.size_bytes, 2002);
    assert_int_equal(buffer.data[0], '<');
    assert_string_equal(buffer.data + 2000, "x>");
    bsim_buffer_free(&buffer);
}

/* Of the 256 bytes of the first capacity the last one is the NUL's. */
static void printf_up_to_the_end_and_beyond(void **state)
{
    (void)state;
    for (int width = 1; width < 600; width++) {
        struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
        bsim_buffer_printf(&buffer, "%s", "a");
        bsim_buffer_printf(&buffer, "%*d", width, 7);
        bsim_buffer_printf(&buffer, "%s", "");
        assert_int_equal(buffer.size_bytes, 1 + width);
        assert_int_equal(strlen(buffer.data), 1 + width);
        assert_int_equal(buffer.data[width], '7');
        assert_true(buffer.capacity_bytes > buffer.size_bytes);
        bsim_buffer_free(&buffer);
    }
}

static void clearing_keeps_the_memory(void **state)
{
    (void)state;
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    bsim_buffer_text(&buffer, "abc");
    char *data = buffer.data;
    bsim_buffer_clear(&buffer);
    assert_string_equal(buffer.data, "");
    bsim_buffer_text(&buffer, "de");
    assert_ptr_equal(buffer.data, data);
    assert_string_equal(buffer.data, "de");
    bsim_buffer_free(&buffer);
}

static void a_size_that_overflows_is_refused(void **state)
{
    (void)state;
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    struct bsim_error err;
    bsim_buffer_text(&buffer, "abc");
    bsim_buffer_add(&buffer, "x", SIZE_MAX - 2);
    assert_true(buffer.failed);
    assert_string_equal(buffer.data, "abc");
    assert_int_equal(bsim_buffer_status(&buffer, &err), BSIM_E_MEMORY);
    assert_int_equal(err.status, BSIM_E_MEMORY);
    bsim_buffer_free(&buffer);
}

/* Sticky, so that nobody gets a text with a hole in it; free alone makes it usable again. */
static void failure_sticks_until_freed(void **state)
{
    (void)state;
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    bsim_buffer_text(&buffer, "abc");
    buffer.failed = true;
    bsim_buffer_text(&buffer, "d");
    bsim_buffer_printf(&buffer, "%d", 5);
    assert_string_equal(buffer.data, "abc");
    bsim_buffer_clear(&buffer);
    bsim_buffer_text(&buffer, "e");
    assert_string_equal(buffer.data, "");
    assert_int_equal(bsim_buffer_status(&buffer, NULL), BSIM_E_MEMORY);
    bsim_buffer_free(&buffer);
    bsim_buffer_text(&buffer, "f");
    assert_string_equal(buffer.data, "f");
    assert_int_equal(bsim_buffer_status(&buffer, NULL), BSIM_OK);
    bsim_buffer_free(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_buffer_holds_nothing),
        cmocka_unit_test(appends_add_up),
        cmocka_unit_test(growth_keeps_every_byte),
        cmocka_unit_test(printf_longer_than_the_first_capacity),
        cmocka_unit_test(printf_up_to_the_end_and_beyond),
        cmocka_unit_test(clearing_keeps_the_memory),
        cmocka_unit_test(a_size_that_overflows_is_refused),
        cmocka_unit_test(failure_sticks_until_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
