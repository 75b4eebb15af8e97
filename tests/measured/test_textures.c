/* test_textures.c - fetches from textures against what an H200 gave: tests/measured/h200/ptx/textures.txt.
 * TEXTURES names another file, as tools/crosscheck/textures.cu writes it. */
#include "ptx/half.h"
#include "ptx/texture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of every texture: tools/crosscheck/textures.cu has the same. */
enum { WIDTH = 13, HEIGHT = 7, DEPTH = 5, FACES = 6, MOST_BYTES = WIDTH * WIDTH * FACES * 16 };

struct line {
    char geometry[8], format[8], filling[8], filter[8], edge[8], coordinates[8], reads[8];
    uint32_t at[3], got[4];
    int layer;
};

static bool read_line(FILE *file, struct line *line)
{
    char text[256];
    do {
        if (fgets(text, sizeof text, file) == NULL) {
            return false;
        }
    } while (text[0] == '#' || strncmp(text, "surface", 7) == 0);
    int n = sscanf(text, "%7s %7s %7s %7s %7s %7s %7s %x %x %x %d : %x %x %x %x", line->geometry,
                   line->format, line->filling, line->filter, line->edge, line->coordinates,
                   line->reads, &line->at[0], &line->at[1], &line->at[2], &line->layer,
                   &line->got[0], &line->got[1], &line->got[2], &line->got[3]);
    assert_int_equal(n, 15);
    return true;
}

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* ---- the texture ----------------------------------------------------------------------------- */

static uint32_t filled(const struct bsim_ptx_texture *t, const char *how, uint32_t i, uint32_t unit,
                       uint32_t c)
{
    uint32_t h = (i * 4 + c + 1) * 2654435761u;
    bool is_ramp = is(how, "ramp"), is_unit = is(how, "unit");
    h ^= h >> 15;
    if (t->type == 'f' && t->bits == 32) {
        return bsim_float_bits(is_ramp   ? (float)i
                               : is_unit ? (float)(i == unit)
                                         : (float)(int32_t)h * 0x1p-28f);
    }
    if (t->type == 'f') {
        return is_ramp ? 0x3c00 + i : is_unit ? (i == unit ? 0x3c00 : 0) : 0x3000 + h % 0x2000;
    }
    uint32_t most = UINT32_MAX >> (32 - t->bits + (t->type == 's'));
    return is_ramp ? i : is_unit ? (i == unit ? most : 0) : h;
}

static void fill(struct bsim_ptx_texture *t, const char *how)
{
    uint32_t n = t->extent[0] * t->extent[1] * t->extent[2];
    uint32_t unit =
        3u + (t->extent[1] > 1 ? 3u * WIDTH : 0) + (t->extent[2] > 1 ? 2 * WIDTH * t->extent[1] : 0);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t c = 0; c < t->n; c++) {
            uint32_t value = filled(t, how, i, unit, c);
            memcpy(t->data + (i * t->n + c) * t->bits / 8, &value, t->bits / 8);
        }
    }
}

static void shape(struct bsim_ptx_texture *t, const char *geometry)
{
    bool is_flat = is(geometry, "1d") || is(geometry, "a1d") || is(geometry, "fetch");
    bool is_cube = is(geometry, "cube");
    bool is_deep = is(geometry, "3d") || geometry[0] == 'a';
    t->extent[0] = WIDTH;
    t->extent[1] = is_flat ? 1 : is_cube ? WIDTH : HEIGHT;
    t->extent[2] = is_deep ? DEPTH : is_cube ? FACES : 1;
    t->row_bytes = (uint64_t)WIDTH * t->n * t->bits / 8;
    t->slice_bytes = t->row_bytes * t->extent[1];
    t->is_linear = is(geometry, "fetch");
}

static struct bsim_ptx_texture make_texture(const struct line *line, unsigned char *data)
{
    static const char *const edges[] = {"wrap", "clamp", "mirror", "border"};
    struct bsim_ptx_texture t = {.data = data,
                                 .is_filtered = is(line->filter, "linear"),
                                 .is_normalised = is(line->coordinates, "normal"),
                                 .reads_fractions = is(line->reads, "float"),
                                 .border = {0.25f, 2, -3, 0.5f}};
    unsigned bits, n;
    assert_int_equal(sscanf(line->format, "%c%ux%u", &t.type, &bits, &n), 3);
    t.bits = (uint8_t)bits;
    t.n = (uint8_t)n;
    for (uint8_t e = 0; e < 4; e++) {
        t.edge[0] = is(line->edge, edges[e]) ? e : t.edge[0];
    }
    t.edge[1] = t.edge[2] = t.edge[0];
    shape(&t, line->geometry);
    fill(&t, line->filling);
    return t;
}

static struct bsim_ptx_texture_place make_place(const struct line *line)
{
    static const struct {
        const char *name;
        enum bsim_ptx_geometry geometry;
    } known[] = {{"1d", BSIM_PTX_LINE},   {"fetch", BSIM_PTX_LINE}, {"3d", BSIM_PTX_VOLUME},
                 {"a1d", BSIM_PTX_LINES}, {"a2d", BSIM_PTX_PLANES}, {"cube", BSIM_PTX_CUBE}};
    struct bsim_ptx_texture_place place = {.geometry = BSIM_PTX_PLANE, .layer = line->layer};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        place.geometry = is(line->geometry, known[i].name) ? known[i].geometry : place.geometry;
    }
    for (uint32_t d = 0; d < 3; d++) {
        place.at[d] = bsim_bits_float(line->at[d]);
    }
    place.is_whole = is(line->geometry, "fetch");
    place.whole[0] = place.is_whole ? (int32_t)place.at[0] : 0;
    return place;
}

/* ---- fetches --------------------------------------------------------------------------------- */

/* Where the last bit may differ: a weight is one more or less of 256, elements span at most 32. */
static bool is_near(const struct line *line, const uint32_t result[4])
{
    for (uint32_t c = 0; c < 4; c++) {
        float a = bsim_bits_float(result[c]), b = bsim_bits_float(line->got[c]);
        if (!is(line->filter, "linear") || !(fabsf(a - b) <= 32.0f / 256)) {
            return false;
        }
    }
    return true;
}

static void fetches_are_an_h200s(void **state)
{
    (void)state;
    static unsigned char data[MOST_BYTES];
    const char *path = getenv("TEXTURES");
    FILE *file = fopen(path != NULL ? path : "tests/measured/h200/ptx/textures.txt", "r");
    struct line line;
    uint32_t n = 0, n_equal = 0, n_unknown = 0, result[4];
    assert_non_null(file);
    while (read_line(file, &line)) {
        struct bsim_ptx_texture texture = make_texture(&line, data);
        struct bsim_ptx_texture_place place = make_place(&line);
        bool is_known = true;
        if (is(line.geometry, "gather")) {
            bsim_ptx_texture_gather(&texture, &place, (uint32_t)line.layer, result);
        } else {
            is_known = bsim_ptx_texture_read(&texture, &place, result);
        }
        bool is_equal = is_known && memcmp(result, line.got, sizeof result) == 0;
        if (is_known && !is_equal && !is_near(&line, result)) {
            fail_msg("%s %s %s %s %s %s at %08x %08x %08x %d: %x %x %x %x, not %x %x %x %x",
                     line.geometry, line.format, line.filter, line.edge, line.coordinates,
                     line.reads, line.at[0], line.at[1], line.at[2], line.layer, result[0],
                     result[1], result[2], result[3], line.got[0], line.got[1], line.got[2],
                     line.got[3]);
        }
        n++;
        n_equal += is_equal;
        n_unknown += !is_known;
    }
    fclose(file);
    assert_true(n >= 1000);
    assert_true(n_equal + n_unknown >= n - n / 100);
    assert_true(n_unknown <= n / 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fetches_are_an_h200s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
