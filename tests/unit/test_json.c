/* test_json.c - what is written as json always parses, whatever names a trace has, and has the
 * members that scripts rely on. The parser here is RFC 8259's grammar and nothing else. */
#include "stream.h"

#include <banksim/report.h>

#include "report/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

/* ---- a strict parser ------------------------------------------------------------------------- */

/* Each function returns what lies behind the thing it parses, or NULL if that is not one. */
static const char *parse_value(const char *at, int depth);

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *parse_escape(const char *at)
{
    if (*at == 'u') {
        return strspn(at + 1, "0123456789abcdefABCDEF") >= 4 ? at + 5 : NULL;
    }
    return *at != '\0' && strchr("\"\\/bfnrt", *at) != NULL ? at + 1 : NULL;
}

/* UTF-8 by its definition: decode, then see that the shortest form was used. */
static const char *parse_character(const char *at)
{
    unsigned char lead = (unsigned char)*at++;
    int more = lead < 0x80       ? 0
               : lead >> 5 == 6  ? 1
               : lead >> 4 == 14 ? 2
               : lead >> 3 == 30 ? 3
                                 : -1;
    static const uint32_t least[] = {0x20, 0x80, 0x800, 0x10000};
    uint32_t code = more <= 0 ? lead : lead & (0x3fu >> more);
    for (int i = 0; i < more; i++, at++) {
        if (((unsigned char)*at & 0xc0) != 0x80) {
            return NULL;
        }
        code = code << 6 | ((unsigned char)*at & 0x3f);
    }
    bool is_good = more >= 0 && code >= least[more < 0 ? 0 : more] && code <= 0x10ffff &&
                   (code < 0xd800 || code > 0xdfff);
    return is_good ? at : NULL;
}

static const char *parse_string(const char *at)
{
    if (*at++ != '"') {
        return NULL;
    }
    while (at != NULL && *at != '"') {
        at = *at == '\\' ? parse_escape(at + 1) : parse_character(at);
    }
    return at != NULL ? at + 1 : NULL;
}

static const char *parse_digits(const char *at)
{
    size_t n = strspn(at, "0123456789");
    return n > 0 ? at + n : NULL;
}

static const char *parse_number(const char *at)
{
    at += *at == '-';
    at = *at == '0' ? at + 1 : parse_digits(at);
    if (at != NULL && *at == '.') {
        at = parse_digits(at + 1);
    }
    if (at != NULL && (*at == 'e' || *at == 'E')) {
        at++;
        at = parse_digits(at + (*at == '+' || *at == '-'));
    }
    return at;
}

static const char *parse_member(const char *at, int depth)
{
    at = parse_string(skip_blanks(at));
    at = at != NULL ? skip_blanks(at) : NULL;
    return at != NULL && *at == ':' ? parse_value(at + 1, depth) : NULL;
}

/* Behind the opening bracket: members or values up to the closing one. */
static const char *parse_list(const char *at, char close, int depth)
{
    at = skip_blanks(at);
    if (*at == close) {
        return at + 1;
    }
    for (;;) {
        at = close == '}' ? parse_member(at, depth) : parse_value(at, depth);
        at = at != NULL ? skip_blanks(at) : NULL;
        if (at == NULL || *at != ',') {
            return at != NULL && *at == close ? at + 1 : NULL;
        }
        at++;
    }
}

static const char *parse_value(const char *at, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    at = skip_blanks(at);
    if (depth == 0) {
        return NULL;
    }
    if (*at == '{' || *at == '[') {
        return parse_list(at + 1, *at == '{' ? '}' : ']', depth - 1);
    }
    for (size_t i = 0; i < 3; i++) {
        if (strncmp(at, words[i], strlen(words[i])) == 0) {
            return at + strlen(words[i]);
        }
    }
    return *at == '"' ? parse_string(at) : parse_number(at);
}

static bool is_json(const char *text)
{
    const char *end = parse_value(text, 10);
    return end != NULL && *skip_blanks(end) == '\0';
}

static void the_parser_is_strict(void **state)
{
    (void)state;
    static const char *const good[] = {
        "{}",
        " [ ] ",
        "[1, -0, 2.5, 1e9, 1E-3]",
        "{\"a\": {\"b\": null}, \"c\": [true, false]}",
        "\"\\u00e9\\n\xc3\xa9\"",
    };
    static const char *const bad[] = {
        "",
        "{",
        "[1,]",
        "{\"a\" 1}",
        "{a: 1}",
        "[01]",
        "[1.]",
        "[.5]",
        "[+1]",
        "[nan]",
        "[1] 2",
        "\"a\nb\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\xff\"",
        "\"\xc0\xaf\"",
        "\"\xed\xa0\x80\"",
        "'a'",
        "{\"a\": 1,}",
        "[-]",
        "[1e]",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        if (!is_json(good[i])) {
            fail_msg("%s", good[i]);
        }
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (is_json(bad[i])) {
            fail_msg("%s", bad[i]);
        }
    }
}

/* ---- strings --------------------------------------------------------------------------------- */

static void strings_are_escaped(void **state)
{
    (void)state;
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"", "\"\""},
        {"a,\"b", "\"a,\\\"b\""},
        {"a\\b", "\"a\\\\b\""},
        {"a/b", "\"a/b\""},
        {"\n\t\x01\x7f", "\"\\u000a\\u0009\\u0001\\u007f\""},
        {"\xc2\x9b\xd8\x9c\xe2\x80\xae\xe2\x81\xa9", "\"\\u009b\\u061c\\u202e\\u2069\""},
        {"f<int>&", "\"f\\u003cint\\u003e\\u0026\""},
        {"\xc3\xa9", "\"\xc3\xa9\""},
        {"\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""},
        {"\xff"
         "a\xc3",
         "\"\\ufffda\\ufffd\""},
        {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_buffer out = BSIM_BUFFER_EMPTY;
        bsim_json_string(cases[i].text, &out);
        assert_string_equal(out.data, cases[i].json);
        bsim_buffer_free(&out);
    }
}

/* All texts of up to three bytes from a set that has every kind of UTF-8 byte in it. */
static void all_short_strings_parse(void **state)
{
    (void)state;
    static const unsigned char kinds[] = {'a',  '"',  '\\', 0x01, 0x1f, 0x7f, 0x80, 0x8f,
                                          0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0,
                                          0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff};
    enum { N = sizeof kinds };
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    for (size_t i = 0; i < N * N * N * 4; i++) {
        char text[5] = {(char)kinds[i % N], (char)kinds[i / N % N], (char)kinds[i / N / N % N],
                        i / N / N / N % 2 ? '\x80' : '\0', '\0'};
        bsim_buffer_clear(&out);
        bsim_json_string(text, &out);
        if (!is_json(out.data)) {
            fail_msg("%s", out.data);
        }
    }
    bsim_buffer_free(&out);
}

/* ---- reports --------------------------------------------------------------------------------- */

static struct bsim_result some_result(const char *name)
{
    struct stream s;
    struct bsim_result result;
    assert_true(stream_simulate(&s, NULL));
    assert_int_equal(stream_kernel(&s, name, 32, NULL), BSIM_OK);
    assert_int_equal(stream_site(&s, 1, "ld.shared.u32", name, 5, name), BSIM_OK);
    assert_int_equal(stream_site(&s, 2, "bar.sync", name, 5, name), BSIM_OK);
    assert_int_equal(stream_block(&s, 0), BSIM_OK);
    assert_int_equal(stream_at_site(&s, 0, 0, 0, 8), BSIM_OK);
    assert_int_equal(stream_access(&s, 0, "ld.global.u32", 0, 8), BSIM_OK);
    assert_int_equal(stream_kernel(&s, "empty", 32, "k40"), BSIM_OK);
    assert_int_equal(stream_finish(&s, &result), BSIM_OK);
    return result;
}

static void every_report_parses(void **state)
{
    (void)state;
    static const char *const names[] = {
        "k", "a,\"b", "\\", "\n\r\t\x01\x1b[0m", "\xff\xfe\xc3", "</script>", "",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct bsim_result result = some_result(names[i]);
        struct bsim_result nothing = {0};
        const struct bsim_kernel_cycles timed[2] = {
            {.is_timed = true, .requests = 1, .timing.basis.source = "\"\\\x01"},
            {.is_timed = true, .left_out = true}};
        assert_int_equal(result.n_kernels, 2);
        for (int form = 0; form < 16; form++) {
            struct bsim_report_options options = {
                .format = BSIM_JSON,
                .per = form % 2 == 0 ? BSIM_PER_KERNEL : BSIM_PER_SITE,
                .metrics = form / 4 % 2 == 0 ? BSIM_METRICS_BANKSIM : BSIM_METRICS_NVPROF,
            };
            struct bsim_buffer out = BSIM_BUFFER_EMPTY;
            for (int k = 0; k < 2 && form == 8; k++) {
                result.kernels[k].timed = timed[k];
            }
            bsim_report_result(form / 2 % 2 == 0 ? &result : &nothing, &options, &out);
            if (!is_json(out.data)) {
                fail_msg("name %zu, form %d:\n%s", i, form, out.data);
            }
            bsim_buffer_free(&out);
        }
        bsim_result_free(&result);
    }
}

static void has(const char *json, const char *part)
{
    if (strstr(json, part) == NULL) {
        fail_msg("no %s in\n%s", part, json);
    }
}

/* Stride 8: 2 wavefronts, 1 conflict (test_sim.c). */
static void members_bear_the_csv_names(void **state)
{
    (void)state;
    struct bsim_report_options options = {.format = BSIM_JSON, .per = BSIM_PER_SITE};
    struct bsim_result result = some_result("k");
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    bsim_report_result(&result, &options, &out);
    has(out.data, "{\"banksim\": \"");
    has(out.data, "{\"kernel\": \"k\", \"requests\": 1, \"wavefronts\": 2, \"ideal\": 1, "
                  "\"excessive\": 1, \"ways_min\": 2, \"ways_max\": 2, "
                  "\"wavefronts_per_request\": 2, ");
    has(out.data, "\"store_wavefronts_per_request\": null, ");
    has(out.data, "{\"kernel\": \"k\", \"site\": 1, \"opcode\": \"ld.shared.u32\", "
                  "\"requests\": 1, \"wavefronts\": 2, ");
    has(out.data, "\"site\": 0, \"opcode\": \"ld.global.u32\", \"requests\": 1, \"wavefronts\": 0, "
                  "\"ideal\": 0, \"excessive\": 0, \"ways_min\": 0, \"ways_max\": 0, "
                  "\"wavefronts_per_request\": null");
    has(out.data, "\"rests_on\": [{\"rule\": \"bank of a byte\", \"grade\": \"measured\", "
                  "\"source\": \"");
    has(out.data, "\"total\": {\"requests\": 1, \"wavefronts\": 2, ");
    assert_null(strstr(out.data, "bar.sync"));
    bsim_buffer_free(&out);
    bsim_result_free(&result);
}

static void requests_parse(void **state)
{
    (void)state;
    struct bsim_report_options options = {.format = BSIM_JSON, .per = BSIM_PER_REQUEST};
    struct bsim_kernel kernel = {.name = "a,\"b\xff"};
    struct bsim_event load = stream_event("ld.shared.u32", 3, 0, 0);
    struct bsim_request_result request = {
        .kernel = &kernel,
        .block = {1, 2, 3},
        .trips = 4,
        .event = &load,
        .counts = {.wavefronts = 1, .ideal = 1, .ways = 1, .broadcast = true},
    };
    for (uint64_t rows = 0; rows < 3; rows++) {
        struct bsim_result result = some_result("k");
        struct bsim_buffer out = BSIM_BUFFER_EMPTY;
        struct bsim_request_rows written = {.options = options};
        while (written.n < rows) {
            bsim_report_request(&written, &request, &out);
        }
        bsim_report_requests_end(&written, &result, &out);
        if (!is_json(out.data)) {
            fail_msg("%s", out.data);
        }
        if (rows > 0) {
            has(out.data, "\"block\": \"1,2,3\", \"warp\": 0, \"index\": 0, \"opcode\": "
                          "\"ld.shared.u32\", \"mask\": \"00000003\", \"wavefronts\": 1, ");
            has(out.data, "\"count\": 4, \"broadcast\": true, \"multicast\": false");
        }
        bsim_buffer_free(&out);
        bsim_result_free(&result);
    }
}

/* Of a box, of bytes in a row, of a wgmma with an operand; the numbers are those of h200/async/tma.csv and by hand. */
static void tensors_parse(void **state)
{
    const struct bsim_report_options options = {.format = BSIM_JSON};
    const struct bsim_tma_reader reader = {"a \"reader\"", 4, {32, 0, 0, 4}};
    struct bsim_wgmma_operand operand = {.name = 'b', .n_rows = 64, .has_chunks = true};
    struct bsim_device device;
    struct bsim_wgmma wgmma;
    struct bsim_tma tma;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    (void)state;
    assert_int_equal(bsim_device_find("sm_90", NULL, &device, NULL), BSIM_OK);
    assert_int_equal(bsim_tma_parse("half box=64x64 swizzle=128B start=1024", &tma, NULL), BSIM_OK);
    bsim_report_tma(&device, &tma, &reader, 1, &options, &out);
    assert_true(is_json(out.data));
    has(out.data, "\"device\": \"sm_90\", \"grade\": \"measured\", \"way\": \"load\", \"box\": \"64x64\", ");
    has(out.data, "\"bytes\": 8192, \"words\": 2048, \"sectors\": 256, \"pieces\": 64, ");
    has(out.data, "{\"what\": \"a \\\"reader\\\"\", \"ideal\": 4, \"wavefronts_none\": 32, \"wavefronts_32B\": null, ");
    has(out.data, "{\"row\": 1, \"element\": 0, \"byte\": 1168}"); /* chunks 0 and 1 changed places */
    bsim_buffer_clear(&out);
    assert_int_equal(bsim_tma_parse("store bulk bytes=4096 start=16", &tma, NULL), BSIM_OK);
    bsim_report_tma(&device, &tma, NULL, 0, &options, &out);
    assert_true(is_json(out.data));
    has(out.data, "\"box\": \"bulk\", ");
    has(out.data, "\"sides_apart\": true, ");
    has(out.data, "\"readers\": [], \"chunks\": []");
    bsim_buffer_clear(&out);
    assert_int_equal(bsim_wgmma_parse("m64n64k16 f16", &wgmma, NULL), BSIM_OK);
    operand.at = (struct bsim_wgmma_descriptor){.start = 1024, .stride_bytes = 1024, .swizzle = BSIM_WGMMA_128B};
    bsim_report_wgmma(&device, "m64n64k16 f16", &wgmma, &operand, 1, &options, &out);
    assert_true(is_json(out.data));
    has(out.data, "\"wavefronts\": 32, \"conflicts\": 0, \"tensor_clocks\": 32, \"clocks\": 32, ");
    has(out.data, "\"major\": \"K\", \"descriptor\": \"0x4000004000000040\", \"chunks\": [{\"k\": 0, \"n\": 0, \"byte\": 1024}, ");
    has(out.data, "{\"k\": 0, \"n\": 1, \"byte\": 1168}");
    bsim_buffer_free(&out);
}

static void lists_parse(void **state)
{
    (void)state;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    bsim_report_list(BSIM_LIST_DEVICES, NULL, BSIM_JSON, &out);
    assert_true(is_json(out.data));
    bsim_buffer_clear(&out);
    bsim_report_list(BSIM_LIST_DEVICES, "k40", BSIM_JSON, &out);
    assert_true(is_json(out.data));
    bsim_buffer_clear(&out);
    bsim_report_list(BSIM_LIST_OPCODES, NULL, BSIM_JSON, &out);
    assert_true(is_json(out.data));
    bsim_buffer_clear(&out);
    bsim_report_list(BSIM_LIST_EMULATORS, NULL, BSIM_JSON, &out);
    assert_true(is_json(out.data));
    bsim_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_parser_is_strict),
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(all_short_strings_parse),
        cmocka_unit_test(every_report_parses),
        cmocka_unit_test(members_bear_the_csv_names),
        cmocka_unit_test(requests_parse),
        cmocka_unit_test(tensors_parse),
        cmocka_unit_test(lists_parse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
