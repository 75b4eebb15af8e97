/* test_status.c - errors: what they say, where they point, and that nothing overflows. */
#include <banksim/status.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void setting_forgets_the_error_before(void **state)
{
    (void)state;
    struct bsim_error err;
    memset(&err, 0x55, sizeof err);
    assert_int_equal(bsim_error_set(&err, BSIM_E_INPUT, "%d of %s", 3, "four"), BSIM_E_INPUT);
    assert_int_equal(err.status, BSIM_E_INPUT);
    assert_string_equal(err.message, "3 of four");
    assert_string_equal(err.file, "");
    assert_int_equal(err.line, 0);
    assert_int_equal(err.column, 0);
    assert_string_equal(err.excerpt, "");
}

static void nobody_need_be_interested(void **state)
{
    (void)state;
    assert_int_equal(bsim_error_set(NULL, BSIM_E_IO, "%s", "x"), BSIM_E_IO);
    bsim_error_place(NULL, "a", 1, 1, "x", 1);
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    struct bsim_error err;
    (void)bsim_error_set(&err, BSIM_E_USAGE, "%01000d", 7);
    assert_int_equal(strlen(err.message), BSIM_ERROR_MESSAGE_SIZE - 1);
}

static void a_line_without_a_column_has_no_caret(void **state)
{
    (void)state;
    struct bsim_error err;
    char text[400];
    (void)bsim_error_set(&err, BSIM_E_KERNEL, "m");
    bsim_error_place(&err, "k.cu", 3, 0, "p[t] = 1;", 9);
    assert_string_equal(bsim_error_text(&err, text, sizeof text), "k.cu:3: m\n    p[t] = 1;\n");
}

static void control_characters_reach_no_terminal(void **state)
{
    (void)state;
    struct bsim_error err;
    static const char line[] = "w0\tld\x1b[2J\x7f\x01 x";
    (void)bsim_error_set(&err, BSIM_E_INPUT, "unknown '%s'", "a\x1b[31m\nb\x7f\tc");
    assert_string_equal(err.message, "unknown 'a?[31m?b? c'");
    bsim_error_place(&err, "t", 1, 4, line, strlen(line));
    assert_string_equal(err.excerpt, "w0 ld?[2J?? x");
    char text[400];
    (void)bsim_error_set(&err, BSIM_E_INPUT, "m");
    bsim_error_place(&err, "a\x1b[2J\nb\xe2\x80\xae", 1, 0, NULL, 0);
    assert_string_equal(bsim_error_text(&err, text, sizeof text), "a?[2J?b?\?\?:1: m\n");
}

/* Bytes that are not UTF-8, and the control characters that UTF-8 writes with two: U+009B begins a
 * terminal's commands as ESC [ does. */
static void broken_bytes_reach_no_terminal(void **state)
{
    (void)state;
    struct bsim_error err;
    static const char line[] = "\xc3\xa9 \xff\xc2\x9b"
                               "31m \xe2\x82 \0x\xc2\xa0";
    (void)bsim_error_set(&err, BSIM_E_INPUT, "unknown '%s'", "\xc3\xa9\x9b\xc2\x80\xc3");
    assert_string_equal(err.message, "unknown '\xc3\xa9?\?\?\?'");
    bsim_error_place(&err, "t", 1, 4, line, sizeof line - 1);
    assert_string_equal(err.excerpt, "\xc3\xa9 ?\?\?31m ?? ?x\xc2\xa0");
}

/* As a call in PTX does. */
static void what_goes_over_several_lines_is_shown_in_one(void **state)
{
    (void)state;
    struct bsim_error err;
    static const char call[] = "call.uni (r), \r\n\tf, \n(p);";
    (void)bsim_error_set(&err, BSIM_E_INPUT, "m");
    bsim_error_place(&err, "t", 1, 1, call, strlen(call));
    assert_string_equal(err.excerpt, "call.uni (r),    f,  (p);");
}

static void first_place_wins(void **state)
{
    (void)state;
    struct bsim_error err;
    (void)bsim_error_set(&err, BSIM_E_INPUT, "m");
    bsim_error_place(&err, "inner", 3, 2, "abc", 3);
    bsim_error_place(&err, "outer", 9, 9, "xyz", 3);
    assert_string_equal(err.file, "inner");
    assert_int_equal(err.line, 3);
    assert_string_equal(err.excerpt, "abc");
    (void)bsim_error_set(&err, BSIM_E_INPUT, "m");
    bsim_error_place(&err, "", 5, 0, NULL, 0);
    bsim_error_place(&err, "outer", 9, 9, "xyz", 3);
    assert_int_equal(err.line, 5);
}

/* A line of n letters a, b, c, ... with an error at the column: what is shown, and the letter that
 * the caret stands under. */
static void excerpts_hold_the_column(void **state)
{
    (void)state;
    static const struct {
        size_t length;
        uint32_t column;
    } cases[] = {
        {1, 1},    {10, 10},  {120, 1},   {120, 120}, {121, 1},   {121, 121},     {121, 41},
        {500, 41}, {500, 42}, {500, 250}, {500, 500}, {65536, 1}, {65536, 30000}, {65536, 65536},
    };
    static char line[65536];
    for (size_t i = 0; i < sizeof line; i++) {
        line[i] = (char)('a' + i % 23);
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_error err;
        (void)bsim_error_set(&err, BSIM_E_INPUT, "m");
        bsim_error_place(&err, "f", 1, cases[i].column, line, cases[i].length);
        size_t shown = strlen(err.excerpt);
        if (shown == 0 || shown >= BSIM_ERROR_EXCERPT_SIZE || err.caret >= shown ||
            err.excerpt[err.caret] != line[cases[i].column - 1]) {
            fail_msg("length %zu, column %u: caret %u in '%s'", cases[i].length,
                     (unsigned)cases[i].column, (unsigned)err.caret, err.excerpt);
        }
    }
}

static void columns_past_the_line_point_at_its_end(void **state)
{
    (void)state;
    static const uint32_t columns[] = {4, 5, 1000, UINT32_MAX};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        struct bsim_error err;
        char text[200];
        (void)bsim_error_set(&err, BSIM_E_INPUT, "m");
        bsim_error_place(&err, "f", 1, columns[i], "abc", 3);
        assert_int_equal(err.caret, 3);
        char expected[100];
        (void)snprintf(expected, sizeof expected, "f:1:%u: m\n    abc\n       ^\n",
                       (unsigned)columns[i]);
        assert_string_equal(bsim_error_text(&err, text, sizeof text), expected);
    }
}

static void text_has_the_place_that_is_known(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        uint64_t line;
        uint32_t column;
        const char *source;
        const char *text;
    } cases[] = {
        {"", 0, 0, NULL, "m\n"},
        {"a.trace", 0, 0, NULL, "a.trace: m\n"},
        {"a.trace", 7, 0, NULL, "a.trace:7: m\n"},
        {"a.trace", 7, 2, NULL, "a.trace:7:2: m\n"},
        {"a.trace", 7, 2, "xyz", "a.trace:7:2: m\n    xyz\n     ^\n"},
        {"a.trace", 7, 1, "", "a.trace:7:1: m\n"},
        /* an e with an accent is two bytes and one column: the caret stands under the x */
        {"a.trace", 1, 3, "\xc3\xa9x", "a.trace:1:3: m\n    \xc3\xa9x\n     ^\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_error err;
        char text[200];
        const char *source = cases[i].source;
        (void)bsim_error_set(&err, BSIM_E_INPUT, "m");
        bsim_error_place(&err, cases[i].file, cases[i].line, cases[i].column, source,
                         source != NULL ? strlen(source) : 0);
        assert_string_equal(bsim_error_text(&err, text, sizeof text), cases[i].text);
    }
}

static void small_buffers_are_terminated(void **state)
{
    (void)state;
    struct bsim_error err;
    (void)bsim_error_set(&err, BSIM_E_INPUT, "message");
    bsim_error_place(&err, "file", 1, 1, "line", 4);
    for (size_t size = 1; size < 40; size++) {
        char text[41];
        memset(text, 'x', sizeof text);
        (void)bsim_error_text(&err, text, size);
        assert_int_equal(text[size], 'x');
        assert_true(strlen(text) < size);
    }
}

static void long_file_names_are_cut(void **state)
{
    (void)state;
    struct bsim_error err;
    static char name[400];
    memset(name, 'n', sizeof name - 1);
    (void)bsim_error_set(&err, BSIM_E_INPUT, "m");
    bsim_error_place(&err, name, UINT64_MAX, UINT32_MAX, "x", 1);
    assert_int_equal(strlen(err.file), BSIM_ERROR_FILE_SIZE - 1);
    char text[1200];
    assert_non_null(
        strstr(bsim_error_text(&err, text, sizeof text), ":18446744073709551615:4294967295: m\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setting_forgets_the_error_before),
        cmocka_unit_test(nobody_need_be_interested),
        cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(a_line_without_a_column_has_no_caret),
        cmocka_unit_test(control_characters_reach_no_terminal),
        cmocka_unit_test(broken_bytes_reach_no_terminal),
        cmocka_unit_test(what_goes_over_several_lines_is_shown_in_one),
        cmocka_unit_test(first_place_wins),
        cmocka_unit_test(excerpts_hold_the_column),
        cmocka_unit_test(columns_past_the_line_point_at_its_end),
        cmocka_unit_test(text_has_the_place_that_is_known),
        cmocka_unit_test(small_buffers_are_terminated),
        cmocka_unit_test(long_file_names_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
