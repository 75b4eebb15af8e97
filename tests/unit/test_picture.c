/* test_picture.c - a picture shows its request's schedule and nothing else: each lane in just the
 * pass and the bank that serve it. The drawings are read back, as a person would, and compared with
 * the schedule, for random requests of every kind on several devices.
 */
#include "drawn.h"
#include "random_request.h"
#include "watched.h"

#include <banksim/banksim.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <inttypes.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REQUESTS_PER_KIND = WATCHED(100, 20), LINE_SIZE = 256 };

static const struct {
    const char *name;
    struct bsim_device_options options;
} devices[] = {
    {"sm_90", {0, 0, 0}},   {"k40", {0, 4, 0}},      {"k40", {0, 8, 0}},
    {"generic", {5, 0, 0}}, {"generic", {64, 0, 0}},
};

enum { N_DEVICES = sizeof devices / sizeof devices[0] };

static struct bsim_device device_at(size_t i)
{
    struct bsim_device device;
    assert_int_equal(bsim_device_find(devices[i].name, &devices[i].options, &device, NULL),
                     BSIM_OK);
    return device;
}

static uint32_t n_lanes(uint32_t lanes)
{
    uint32_t n = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        n++;
    }
    return n;
}

/* What a reader makes of a picture: the lanes at each place, and how many more there are. */
struct seen {
    uint32_t lanes[BSIM_MAX_PASSES][BSIM_MAX_BANKS];
    uint32_t more[BSIM_MAX_PASSES][BSIM_MAX_BANKS];
    uint32_t word[BSIM_MAX_PASSES][BSIM_MAX_BANKS];
    uint32_t touched[BSIM_MAX_PASSES][BSIM_MAX_BANKS][2]; /* json: bytes of words, the second 0 */
};

/* ---- reading the text ------------------------------------------------------------------------ */

/* The columns of a strip: each bank's number ends where its cells end. */
struct strip {
    uint32_t n;
    uint32_t bank[BSIM_MAX_BANKS];
    size_t end[BSIM_MAX_BANKS];
};

static void read_header(const char *line, struct strip *strip)
{
    const char *at = line + 4;
    strip->n = 0;
    for (at += strspn(at, " "); *at != '\0'; at += strspn(at, " ")) {
        char *end;
        strip->bank[strip->n] = (uint32_t)strtoul(at, &end, 10);
        strip->end[strip->n++] = (size_t)(end - line);
        at = end;
    }
}

/* "0-3,8", "+5", "." */
static void read_lanes(const char *cell, uint32_t *lanes, uint32_t *more)
{
    while (*cell != '\0' && *cell != '.') {
        char *end;
        bool is_more = *cell == '+';
        unsigned long first = strtoul(cell + is_more, &end, 10);
        unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
        assert_true(end > cell && (is_more || last < BSIM_WARP_LANES));
        if (is_more) {
            *more += (uint32_t)first;
        }
        for (unsigned long lane = first; !is_more && lane <= last; lane++) {
            *lanes |= UINT32_C(1) << lane;
        }
        cell = end + (*end == ',');
    }
}

static void read_cells(const char *line, const struct strip *strip, uint32_t pass, bool is_word,
                       struct seen *seen)
{
    for (uint32_t i = 0; i < strip->n; i++) {
        size_t begin = i == 0 ? 13 : strip->end[i - 1];
        char cell[LINE_SIZE] = "";
        if (begin < strlen(line)) {
            (void)snprintf(cell, sizeof cell, "%.*s", (int)(strip->end[i] - begin), line + begin);
        }
        const char *text = cell + strspn(cell, " ");
        if (is_word && *text != '\0') {
            seen->word[pass][strip->bank[i]] = (uint32_t)strtoul(text, NULL, 10);
        } else if (!is_word) {
            read_lanes(text, &seen->lanes[pass][strip->bank[i]], &seen->more[pass][strip->bank[i]]);
        }
    }
}

/* Also sees that no line is wider than 80 columns and none ends in a blank. */
static void read_text(const char *text, struct seen *seen)
{
    struct strip strip = {.n = 0};
    char line[LINE_SIZE];
    uint32_t pass = 0;
    enum { NOTHING, LANES, OTHERS, WORDS } kind = NOTHING;
    memset(seen, 0, sizeof *seen);
    for (; *text != '\0'; text += strcspn(text, "\n") + 1) {
        (void)snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
        size_t length = strlen(line);
        if (length > 80 || (length > 0 && line[length - 1] == ' ')) {
            fail_msg("too wide, or blanks at its end: '%s'", line);
        }
        if (strncmp(line, "bank  ", 6) == 0) {
            read_header(line, &strip);
            kind = NOTHING;
            continue;
        }
        if (strncmp(line, "banks ", 6) == 0) {
            return;
        }
        if (strncmp(line, "pass ", 5) == 0) {
            pass = (uint32_t)strtoul(line + 5, NULL, 10) - 1;
            kind = LANES;
        } else if (length > 8 && strncmp(line, "        ", 8) == 0) {
            kind = line[8] == ' '                                        ? kind
                   : strncmp(line + 8, "word", 4) == 0 || line[8] == '8' ? WORDS
                                                                         : OTHERS;
        } else {
            kind = NOTHING;
        }
        if (kind == LANES || kind == WORDS) {
            read_cells(line, &strip, pass, kind == WORDS, seen);
        }
    }
    fail_msg("no map of the banks");
}

/* ---- reading the json ------------------------------------------------------------------------ */

static const char *read_list(const char *at, uint32_t *lanes)
{
    *lanes = 0;
    for (at = strchr(at, '[') + 1; *at != ']';) {
        char *end;
        *lanes |= UINT32_C(1) << strtoul(at, &end, 10);
        at = end + strspn(end, ", ");
    }
    return at;
}

static void read_json(const char *json, struct seen *seen)
{
    const char *at = strstr(json, "\"passes\"");
    uint32_t pass = 0;
    memset(seen, 0, sizeof *seen);
    for (pass = 0; (at = strstr(at, "{\"group\"")) != NULL; pass++) {
        const char *next = strstr(at + 1, "{\"group\"");
        while ((at = strstr(at, "{\"bank\": ")) != NULL && (next == NULL || at < next)) {
            unsigned long bank = strtoul(at + 9, NULL, 10);
            seen->word[pass][bank] = (uint32_t)strtoul(strstr(at, "\"address\": ") + 11, NULL, 10);
            uint32_t *touched = seen->touched[pass][bank];
            assert_true(sscanf(strstr(at, "\"words\": ["), "\"words\": [%" SCNu32 ", %" SCNu32,
                               &touched[0], &touched[1]) >= 1);
            at = read_list(strstr(at, "\"lanes\""), &seen->lanes[pass][bank]);
        }
        if (next == NULL) {
            return;
        }
        at = next;
    }
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* unit: what a word's number counts, in bytes. */
static void compare(const struct bsim_picture *picture, const struct bsim_schedule *schedule,
                    struct seen *seen, uint32_t unit)
{
    const struct bsim_device *device = &picture->device;
    for (uint32_t p = 0; p < schedule->n_passes; p++) {
        const struct bsim_pass *pass = &schedule->pass[p];
        for (uint32_t g = 0; g < pass->n_grants; g++) {
            const struct bsim_grant *grant = &schedule->grant[pass->first_grant + g];
            uint32_t *lanes = &seen->lanes[p][grant->bank];
            uint32_t address = seen->word[p][grant->bank] * unit;
            assert_int_equal(*lanes & ~grant->lanes, 0);
            assert_int_equal(n_lanes(*lanes) + seen->more[p][grant->bank], n_lanes(grant->lanes));
            assert_int_equal(address / device->stride_bytes % device->n_banks, grant->bank);
            assert_int_equal(address / (device->n_banks * device->bank_bytes), grant->row);
            *lanes = 0;
        }
    }
    for (uint32_t p = 0; p < BSIM_MAX_PASSES; p++) {
        for (uint32_t bank = 0; bank < BSIM_MAX_BANKS; bank++) {
            assert_int_equal(seen->lanes[p][bank], 0); /* nobody else is drawn */
        }
    }
}

/* The 4-byte words that a grant's lanes touch in its bank and row, from their addresses. */
static void compare_words(const struct bsim_picture *picture, const struct bsim_schedule *schedule,
                          const struct seen *seen)
{
    const struct bsim_device *device = &picture->device;
    uint32_t bytes = picture->request.opcode.bytes;
    for (uint32_t i = 0; i < schedule->n_grants; i++) {
        const struct bsim_grant *grant = &schedule->grant[i];
        const uint32_t *touched = seen->touched[grant->pass][grant->bank];
        uint32_t first = UINT32_MAX;
        uint32_t last = 0;
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            uint32_t at = picture->request.address[lane] / bytes * bytes / 4 * 4;
            for (uint32_t end = at + bytes; at < end && (grant->lanes >> lane & 1) != 0; at += 4) {
                if (at / device->stride_bytes % device->n_banks == grant->bank &&
                    at / (device->n_banks * device->bank_bytes) == grant->row) {
                    first = at < first ? at : first;
                    last = at > last ? at : last;
                }
            }
        }
        assert_int_equal(touched[0], first);
        assert_int_equal(touched[1], last > first ? last : 0);
    }
}

static void check_picture(const struct bsim_picture *picture)
{
    static const struct bsim_picture_style all = {.all = true};
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_buffer json = BSIM_BUFFER_EMPTY;
    struct bsim_schedule schedule;
    struct seen *seen = malloc(sizeof *seen);
    assert_non_null(seen);
    bsim_request_schedule(&picture->device, &picture->request, &schedule);
    bsim_report_pictures(picture, 1, BSIM_TEXT, &all, &text);
    read_text(text.data, seen);
    compare(picture, &schedule, seen, picture->device.stride_bytes);
    bsim_report_pictures(picture, 1, BSIM_JSON, NULL, &json);
    read_json(json.data, seen);
    compare_words(picture, &schedule, seen);
    compare(picture, &schedule, seen, 1);
    bsim_buffer_free(&text);
    bsim_buffer_free(&json);
    free(seen);
}

static void test_random_requests(void **state)
{
    struct random_source source = {20261121};
    (void)state;
    for (size_t d = 0; d < N_DEVICES; d++) {
        struct bsim_picture picture = {.title = "random", .device = device_at(d)};
        for (int kind = 0; kind < REQUEST_N_KINDS; kind++) {
            for (int i = 0; i < REQUESTS_PER_KIND; i++) {
                random_request(&source, (enum request_kind)kind, &picture.request);
                check_picture(&picture);
            }
        }
    }
}

/* ---- sentences ------------------------------------------------------------------------------- */

/* Hand-made requests, and what a person would say of them. */
static const struct {
    const char *opcode;
    uint32_t mask;
    uint32_t offset, stride; /* bytes */
    const char *why;
} sentences[] = {
    {"ld.shared.u32", 0xffffffff, 0, 4, "1 pass because no two lanes meet in a bank."},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16", 0xffffffff, 0, 16,
     "1 pass because no two rows meet in a bank."},
    {"ld.shared.u32", 0xffffffff, 0, 8,
     "2 passes because lanes 0 and 16 want different words of bank 0."},
    {"ld.shared.u32", 0xffffffff, 12, 8,
     "2 passes because lanes 0 and 16 want different words of bank 3."},
    {"ld.shared.u32", 0xffffffff, 0, 32,
     "8 passes because lanes 0, 4, 8, ... 28 want 8 different words of bank 0."},
    {"ld.shared.u32", 0x11111, 0, 32,
     "5 passes because lanes 0, 4, 8, 12 and 16 want 5 different words of bank 0."},
    {"ld.shared.u32", 0xffffffff, 4, 0,
     "1 pass because all 32 lanes want the same word: a broadcast."},
    {"ld.shared.u8", 0xffffffff, 0, 1,
     "1 pass because lanes that meet in a bank want the same word of it: a multicast."},
    {"ld.shared.u32", 0x10, 0, 4, "1 pass because a single lane is active."},
    {"st.shared.u8", 0xffffffff, 0, 1,
     "1 pass because lanes that meet in a bank write the same word of it (where they write the "
     "same "
     "byte, one of them wins)."},
    {"ld.shared.b64", 0xffffffff, 0, 8,
     "2 passes because 8 bytes per lane go by half-warps; no two lanes of one meet in a bank."},
    {"ld.shared.b64", 0xffffffff, 0, 0,
     "1 pass because lanes agree in pairs, so that 8 bytes per lane go as a whole warp; all 32 "
     "lanes want the same address: a broadcast."},
    {"ld.shared.v4.f32", 0xffffffff, 0, 32,
     "8 passes because 16 bytes per lane go by quarter-warps, and lanes 0 and 4 want different "
     "words of bank 0."},
    {"atom.shared.add.u32", 0x3, 0, 0,
     "2 passes because lanes 0 and 1 want the same word of bank 0, and atomics take turns."},
    {"atom.shared.cas.b32", 0x3, 0, 128,
     "4 passes because lanes 0 and 1 want different words of bank 0; a compare-and-swap takes two "
     "passes per turn."},
    {"red.shared.popc.inc.u32", 0xffffffff, 0, 0,
     "1 pass because increments of the same word are added up first."},
    {"ldmatrix.sync.aligned.m8n8.x2.shared.b16", 0xffffffff, 0, 64,
     "8 passes because 2 matrices go one after another, and the rows of lanes 0, 2, 4 and 6 want 4 "
     "different words of bank 0."},
};

static void test_sentences(void **state)
{
    struct bsim_device device = device_at(0);
    (void)state;
    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++) {
        struct bsim_request request = {.mask = sentences[i].mask};
        struct bsim_schedule schedule;
        struct bsim_buffer why = BSIM_BUFFER_EMPTY;
        assert_int_equal(bsim_opcode_parse(sentences[i].opcode, strlen(sentences[i].opcode),
                                           &request.opcode, NULL),
                         BSIM_OK);
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            request.address[lane] = sentences[i].offset + lane * sentences[i].stride;
        }
        bsim_request_schedule(&device, &request, &schedule);
        bsim_request_why(&device, &request, &schedule, &why);
        assert_string_equal(why.data, sentences[i].why);
        bsim_buffer_free(&why);
    }
}

/* ---- texts and memory ------------------------------------------------------------------------ */

static struct bsim_picture small_picture(void)
{
    struct bsim_picture picture = {.device = device_at(0),
                                   .request = {.mask = 3, .address = {0, 128}}};
    assert_int_equal(
        bsim_opcode_parse("ld.shared.u32", strlen("ld.shared.u32"), &picture.request.opcode, NULL),
        BSIM_OK);
    return picture;
}

/* What a trace says must not act on a terminal, nor end a json string. */
static void test_texts_are_escaped(void **state)
{
    static const struct bsim_picture_style colour = {.utf8 = true, .colour = true};
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    struct bsim_picture picture = small_picture();
    (void)state;
    picture.title = "\x1b[2J<script>\"";
    picture.place = "\x07\xff";
    bsim_report_pictures(&picture, 1, BSIM_TEXT, &colour, &out);
    assert_null(strstr(out.data, "\x1b[2J"));
    assert_null(strchr(out.data, '\x07'));
    assert_null(strstr(out.data, "\xff"));
    assert_non_null(strstr(out.data, "?[2J<script>\""));
    bsim_buffer_clear(&out);
    bsim_report_pictures(&picture, 1, BSIM_JSON, NULL, &out);
    assert_null(strchr(out.data, '\x1b'));
    assert_null(strchr(out.data, '<'));
    assert_non_null(strstr(out.data, "\\u001b[2J\\u003cscript\\u003e\\\""));
    assert_non_null(strstr(out.data, "\\u0007\\ufffd"));
    bsim_buffer_free(&out);
}

static void draw_all(struct bsim_buffer *out)
{
    static const struct bsim_picture_style plain = {.all = false};
    static const struct bsim_report_options options = {.format = BSIM_TEXT};
    struct bsim_picture picture = small_picture();
    struct bsim_stride stride = {.stride = 1, .request = picture.request};
    bsim_report_pictures(&picture, 1, BSIM_TEXT, &plain, out);
    bsim_report_pictures(&picture, 1, BSIM_JSON, NULL, out);
    bsim_report_strides(&picture.device, &stride, 1, &options, out);
}

/* Wherever memory ends, the buffer says so. */
static void test_memory_fails(void **state)
{
    (void)state;
    drawn_wherever_memory_ends(draw_all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_requests),
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_texts_are_escaped),
        cmocka_unit_test(test_memory_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
