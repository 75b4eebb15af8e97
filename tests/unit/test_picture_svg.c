/* test_picture_svg.c - figures are well-formed XML, whatever their texts hold, and each arrow is
 * one of the schedule's: the arrows' titles are read back and compared with it for random requests.
 */
#include "drawn.h"
#include "random_request.h"
#include "watched.h"

#include <banksim/banksim.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REQUESTS_PER_KIND = WATCHED(50, 10), MAX_DEPTH = 16 };

static struct bsim_device device_of(const char *name, uint32_t n_banks, uint32_t width)
{
    struct bsim_device_options options = {.n_banks = n_banks, .bank_width = width};
    struct bsim_device device;
    assert_int_equal(bsim_device_find(name, &options, &device, NULL), BSIM_OK);
    return device;
}

/* ---- a strict reader of the XML that figures need: no comments, no CDATA, no DOCTYPE --------- */

static const char *parse_name(const char *at)
{
    size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-:");
    return n > 0 ? at + n : NULL;
}

static const char *parse_entity(const char *at)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strncmp(at, known[i], strlen(known[i])) == 0) {
            return at + strlen(known[i]);
        }
    }
    return NULL;
}

/* Characters up to one of `end`; none may be a control character or a bare & or <. */
static const char *parse_characters(const char *at, const char *end)
{
    while (at != NULL && *at != '\0' && strchr(end, *at) == NULL) {
        unsigned char c = (unsigned char)*at;
        if (c == '<' || (c < 0x20 && c != '\n') || c == 0x7f || c == 0xff || c == 0xc0) {
            return NULL;
        }
        at = c == '&' ? parse_entity(at) : at + 1;
    }
    return at;
}

static const char *parse_attributes(const char *at)
{
    while (at != NULL && *at == ' ') {
        at = parse_name(at + strspn(at, " "));
        if (at == NULL || strncmp(at, "=\"", 2) != 0) {
            return NULL;
        }
        at = parse_characters(at + 2, "\"");
        at = at != NULL && *at == '"' ? at + 1 : NULL;
    }
    return at;
}

/* The element at `at`, with all in it; NULL if it is none. */
static const char *parse_element(const char *at, int depth)
{
    const char *name = at + 1;
    const char *end = *at == '<' && depth < MAX_DEPTH ? parse_name(name) : NULL;
    size_t length = end != NULL ? (size_t)(end - name) : 0;
    at = end != NULL ? parse_attributes(end) : NULL;
    if (at == NULL || strncmp(at, "/>", 2) == 0) {
        return at == NULL ? NULL : at + 2;
    }
    at = *at == '>' ? at + 1 : NULL;
    while (at != NULL) {
        at = parse_characters(at, "<");
        if (at == NULL || *at == '\0') {
            return NULL;
        }
        if (strncmp(at, "</", 2) == 0) {
            bool closes = strncmp(at + 2, name, length) == 0 && at[2 + length] == '>';
            return closes ? at + 3 + length : NULL;
        }
        at = parse_element(at, depth + 1);
    }
    return NULL;
}

static bool is_well_formed(const char *text)
{
    static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    if (strncmp(text, head, strlen(head)) != 0) {
        return false;
    }
    const char *end = parse_element(text + strlen(head), 0);
    return end != NULL && strcmp(end, "\n") == 0;
}

static void test_the_reader_itself(void **state)
{
    static const char *const bad[] = {"<a>",      "<a></b>",      "<a b=c/>",
                                      "<a>&</a>", "<a b=\"<\"/>", "<a/><b/>"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n%s\n",
                       bad[i]);
        assert_false(is_well_formed(text));
    }
    assert_true(is_well_formed("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a b=\"&amp;\">x<c/>"
                               "</a>\n"));
}

/* ---- arrows ---------------------------------------------------------------------------------- */

struct seen {
    uint32_t lanes[BSIM_MAX_PASSES][BSIM_MAX_BANKS];
};

/* "<title>pass 1: lane 0, bank 5" or "banks 4 to 7" */
static void read_arrows(const char *svg, struct seen *seen)
{
    memset(seen, 0, sizeof *seen);
    for (const char *at = svg; (at = strstr(at, "<title>pass ")) != NULL; at++) {
        unsigned pass;
        unsigned lane;
        unsigned first;
        unsigned last;
        if (sscanf(at, "<title>pass %u: lane %u, banks %u to %u", &pass, &lane, &first, &last) !=
            4) {
            if (sscanf(at, "<title>pass %u: lane %u, bank %u<", &pass, &lane, &first) != 3) {
                continue; /* a word's */
            }
            last = first;
        }
        assert_true(pass >= 1 && pass <= BSIM_MAX_PASSES && lane < BSIM_WARP_LANES);
        for (unsigned bank = first; bank <= last; bank++) {
            assert_int_equal(seen->lanes[pass - 1][bank] >> lane & 1, 0); /* drawn once */
            seen->lanes[pass - 1][bank] |= UINT32_C(1) << lane;
        }
    }
}

static void check_picture(const struct bsim_picture *picture)
{
    struct bsim_buffer svg = BSIM_BUFFER_EMPTY;
    struct bsim_schedule schedule;
    struct seen *seen = malloc(sizeof *seen);
    assert_non_null(seen);
    bsim_request_schedule(&picture->device, &picture->request, &schedule);
    bsim_report_pictures(picture, 1, BSIM_SVG, NULL, &svg);
    assert_true(is_well_formed(svg.data));
    read_arrows(svg.data, seen);
    for (uint32_t p = 0; p < schedule.n_passes; p++) {
        const struct bsim_pass *pass = &schedule.pass[p];
        for (uint32_t g = 0; g < pass->n_grants; g++) {
            const struct bsim_grant *grant = &schedule.grant[pass->first_grant + g];
            assert_int_equal(seen->lanes[p][grant->bank], grant->lanes);
            seen->lanes[p][grant->bank] = 0;
        }
    }
    for (uint32_t p = 0; p < BSIM_MAX_PASSES; p++) {
        for (uint32_t bank = 0; bank < BSIM_MAX_BANKS; bank++) {
            assert_int_equal(seen->lanes[p][bank], 0);
        }
    }
    free(seen);
    bsim_buffer_free(&svg);
}

static void test_random_requests(void **state)
{
    const struct bsim_device devices[] = {device_of("sm_90", 0, 0), device_of("k40", 0, 4),
                                          device_of("k40", 0, 8), device_of("generic", 5, 0),
                                          device_of("generic", 64, 0)};
    struct random_source source = {20261122};
    (void)state;
    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; d++) {
        struct bsim_picture picture = {.title = "random", .device = devices[d]};
        for (int kind = 0; kind < REQUEST_N_KINDS; kind++) {
            for (int i = 0; i < REQUESTS_PER_KIND; i++) {
                random_request(&source, (enum request_kind)kind, &picture.request);
                check_picture(&picture);
            }
        }
    }
}

/* ---- texts and memory ------------------------------------------------------------------------ */

static void make_pictures(struct bsim_picture pictures[2])
{
    static const char opcode[] = "ld.shared.u32";
    for (int i = 0; i < 2; i++) {
        pictures[i] = (struct bsim_picture){.title = "before & after",
                                            .device = device_of("sm_90", 0, 0),
                                            .request = {.mask = 3, .address = {0, 128}}};
        assert_int_equal(
            bsim_opcode_parse(opcode, strlen(opcode), &pictures[i].request.opcode, NULL), BSIM_OK);
    }
}

static void test_texts_are_escaped(void **state)
{
    static const char *const texts[] = {"</svg><script>alert(1)</script>",
                                        "a && b < \"c\" > 'd'",
                                        "\x1b[2J\x01\x7f",
                                        "broken \xff\xc0 bytes",
                                        "no character: \xef\xbf\xbf",
                                        "line\nend\tand tab",
                                        "]]>",
                                        "",
                                        "\xe2\x88\x80 text stays"};
    struct bsim_picture pictures[2];
    struct bsim_buffer svg = BSIM_BUFFER_EMPTY;
    (void)state;
    make_pictures(pictures);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        pictures[0].title = pictures[1].place = texts[i];
        bsim_buffer_clear(&svg);
        bsim_report_pictures(pictures, 2, BSIM_SVG, NULL, &svg);
        assert_true(is_well_formed(svg.data));
        assert_null(strstr(svg.data, "<script>"));
    }
    assert_non_null(strstr(svg.data, "\xe2\x88\x80 text stays"));
    assert_non_null(strstr(svg.data, ">before &amp; after</text>"));
    bsim_buffer_free(&svg);
}

/* Nothing is drawn beyond the figure's edges, however high its stacks and long its sentences. */
static void test_everything_is_inside(void **state)
{
    struct random_source source = {7};
    struct bsim_picture picture = {.title = "random", .device = device_of("sm_90", 0, 0)};
    (void)state;
    for (int i = 0; i < 400; i++) {
        struct bsim_buffer svg = BSIM_BUFFER_EMPTY;
        int width = 0;
        int height = 0;
        random_request(&source, (enum request_kind)(i % REQUEST_N_KINDS), &picture.request);
        bsim_report_pictures(&picture, 1, BSIM_SVG, NULL, &svg);
        assert_int_equal(
            sscanf(strstr(svg.data, "viewBox"), "viewBox=\"0 0 %d %d\"", &width, &height), 2);
        for (const char *at = svg.data; (at = strstr(at, "x=\"")) != NULL; at++) {
            int x = atoi(at + 3);
            const char *y = strstr(at, " y=\"");
            assert_true(at[-1] != ' ' || (x >= 0 && x < width));
            assert_true(y == NULL || (atoi(y + 4) >= 0 && atoi(y + 4) < height));
        }
        bsim_buffer_free(&svg);
    }
}

static void draw_both(struct bsim_buffer *out)
{
    struct bsim_picture pictures[2];
    make_pictures(pictures);
    bsim_report_pictures(pictures, 2, BSIM_SVG, NULL, out);
}

static void test_memory_fails(void **state)
{
    (void)state;
    drawn_wherever_memory_ends(draw_both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_reader_itself), cmocka_unit_test(test_random_requests),
        cmocka_unit_test(test_texts_are_escaped), cmocka_unit_test(test_everything_is_inside),
        cmocka_unit_test(test_memory_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
