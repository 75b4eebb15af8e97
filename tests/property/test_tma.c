/* test_tma.c - random copies by TMA against a copy by hand.
 *
 * The copy by hand shares nothing with src/model/tma.c: it fills shared memory line by line and asks of
 * each 16 bytes which of the box they are, where the model goes from the box to the place. Sectors are
 * counted byte by byte: a new one is a byte in another sector, row or piece than the byte before it.
 */
#include "random_request.h"

#include <banksim/tma.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 4000, WINDOW = 64 << 10, N_CHUNKS = WINDOW / 16, NOBODY = -1 };

/* A box that fits, or bytes in a row. */
static struct bsim_tma random_copy(struct random_source *source)
{
    struct bsim_tma tma = {.way = (enum bsim_tma_way)random_below(source, 3),
                           .n_dims = random_below(source, 6),
                           .element_bytes = 1,
                           .from = 16 * (uint64_t)random_below(source, 64)};
    if (tma.n_dims == 0) {
        tma.box[0] = 16 * (1 + random_below(source, 100));
        tma.start = 16 * random_below(source, 64);
        return tma;
    }
    tma.element_bytes = 1u << random_below(source, 4);
    tma.swizzle = (enum bsim_tma_swizzle)random_below(source, 4);
    uint32_t most = tma.swizzle == BSIM_TMA_NO_SWIZZLE ? 16 : 1u << tma.swizzle;
    tma.box[0] = 16 / tma.element_bytes * (1 + random_below(source, most));
    for (uint32_t d = 1; d < tma.n_dims; d++) {
        tma.box[d] = 1 + random_below(source, tma.n_dims < 4 ? 8 : 3);
    }
    tma.start = 128 * random_below(source, 32);
    tma.pitch_bytes = 16 * (uint64_t)random_below(source, 40);
    return tma;
}

/* ---- where ---------------------------------------------------------------------------------- */

/* Which of the box each chunk of shared memory holds, numbered row by row. */
struct memory {
    int32_t chunk[N_CHUNKS];
};

/* The chunks of a line in the order of the tile: by how its number flips theirs, bit for bit. */
static uint32_t in_line(enum bsim_tma_swizzle swizzle, uint32_t line, uint32_t chunk)
{
    for (uint32_t bit = 0; bit < (uint32_t)swizzle; bit++) {
        if ((line >> bit & 1) != 0) {
            chunk = (chunk >> bit & 1) != 0 ? chunk - (1u << bit) : chunk + (1u << bit);
        }
    }
    return chunk;
}

static void copy_by_hand(const struct bsim_tma *tma, struct memory *memory)
{
    static const uint32_t spans[] = {0, 2, 4, 8};
    uint32_t rows = 1, inner = tma->box[0] * tma->element_bytes / 16;
    uint32_t span = tma->swizzle == BSIM_TMA_NO_SWIZZLE ? inner : spans[tma->swizzle];
    for (uint32_t d = 1; d < tma->n_dims; d++) {
        rows *= tma->box[d];
    }
    for (uint32_t i = 0; i < N_CHUNKS; i++) {
        uint32_t at = i / 8 * 8 + in_line(tma->swizzle, i / 8, i % 8);
        uint32_t begin = tma->start / 16;
        bool is_in = at >= begin && at < begin + rows * span && (at - begin) % span < inner;
        memory->chunk[i] =
            is_in ? (int32_t)((at - begin) / span * inner + (at - begin) % span) : NOBODY;
    }
}

static void every_chunk_lies_where_it_does_by_hand(void **state)
{
    static struct memory memory;
    struct random_source source = {20};
    (void)state;
    for (int i = 0; i < MANY; i++) {
        struct bsim_tma tma = random_copy(&source);
        uint32_t n = 0, held = 0, inner;
        if (tma.n_dims == 0) {
            continue;
        }
        assert_int_equal(bsim_tma_check(&tma, WINDOW, NULL), BSIM_OK);
        copy_by_hand(&tma, &memory);
        inner = bsim_tma_row_bytes(&tma) / 16;
        for (uint32_t row = 0; row < bsim_tma_rows(&tma); row++) {
            for (uint32_t c = 0; c < inner; c++, n++) {
                uint32_t at = bsim_tma_address(&tma, row, 16 * c);
                assert_int_equal(at % 16, 0);
                assert_int_equal(memory.chunk[at / 16], n);
                assert_int_equal(bsim_tma_address(&tma, row, 16 * c + 9), at + 9);
            }
        }
        for (uint32_t c = 0; c < N_CHUNKS; c++) {
            held += memory.chunk[c] != NOBODY;
        }
        assert_int_equal(held, n);
    }
}

/* ---- how much ------------------------------------------------------------------------------- */

struct by_hand {
    uint64_t sectors, bytes;
};

/* A byte of global memory, behind the one before it or not. */
struct run {
    uint64_t sector;
    bool is_new;
};

static void take_byte(struct run *run, uint64_t at, struct by_hand *found)
{
    found->sectors += run->is_new || at >> 5 != run->sector;
    *run = (struct run){.sector = at >> 5};
    found->bytes++;
}

static struct by_hand count_by_hand(const struct bsim_tma *tma)
{
    struct by_hand found = {0};
    struct run run = {.is_new = true};
    uint64_t rows = 1, inner = (uint64_t)tma->box[0] * tma->element_bytes;
    for (uint32_t d = 1; d < tma->n_dims; d++) {
        rows *= tma->box[d];
    }
    for (uint64_t row = 0; row < rows; row++) {
        for (uint64_t byte = 0; byte < inner; byte++) {
            run.is_new |= byte == 0 || (tma->n_dims == 0 && (tma->start + byte) % 128 == 0);
            take_byte(&run, tma->from + row * tma->pitch_bytes + byte, &found);
        }
    }
    return found;
}

/* A piece that lies in one line of either side, byte by byte: stores take a clock a sector and one more if a sector is not
 * whole, reductions always; loads 1, or 2 if it has more than one chunk and they change their place in a sector. */
static uint64_t clocks_of_piece(const struct bsim_tma *tma, uint64_t from, uint64_t at, uint64_t bytes)
{
    uint64_t sectors = 0, last = UINT64_MAX, moved = 0;
    for (uint64_t b = 0; b < bytes; b++) {
        sectors += (from + b) >> 5 != last;
        last = (from + b) >> 5;
        moved += (from + b) % 32 != (at + b) % 32;
    }
    if (tma->way == BSIM_TMA_LOAD) {
        return moved > 16 ? 2 : 1;
    }
    return sectors + (tma->way == BSIM_TMA_REDUCE || 32 * sectors != bytes);
}

static uint64_t clocks_by_hand(const struct bsim_tma *tma, uint64_t *pieces)
{
    uint64_t clocks = 0, rows = 1, inner = (uint64_t)tma->box[0] * tma->element_bytes;
    for (uint32_t d = 1; d < tma->n_dims; d++) {
        rows *= tma->box[d];
    }
    for (uint64_t row = 0; row < rows; row++) {
        uint64_t from = tma->from + row * tma->pitch_bytes, at = tma->start + row * bsim_tma_span(tma), first = 0;
        for (uint64_t b = 1; b <= inner; b++) {
            if (b == inner || (from + b) % 128 == 0 || (at + b) % 128 == 0) {
                clocks += clocks_of_piece(tma, from + first, at + first, b - first);
                first = b;
                ++*pieces;
            }
        }
    }
    return clocks;
}

static void sectors_are_those_by_hand(void **state)
{
    struct random_source source = {21};
    int n_apart = 0;
    (void)state;
    for (int i = 0; i < MANY; i++) {
        struct bsim_tma tma = random_copy(&source);
        struct by_hand found = count_by_hand(&tma);
        struct bsim_tma_counts counts;
        assert_int_equal(bsim_tma_check(&tma, WINDOW, NULL), BSIM_OK);
        bsim_tma_count(&tma, &counts);
        assert_int_equal(counts.sectors, found.sectors);
        assert_int_equal(counts.bytes, found.bytes);
        assert_int_equal(4 * counts.words, found.bytes);
        n_apart += (bsim_tma_warnings(&tma) & BSIM_TMA_SIDES_APART) != 0;
    }
    assert_true(n_apart > MANY / 10 && n_apart < MANY * 9 / 10);
}

static void clocks_are_those_by_hand(void **state)
{
    struct random_source source = {22};
    (void)state;
    for (int i = 0; i < MANY; i++) {
        struct bsim_tma tma = random_copy(&source);
        struct bsim_tma_counts counts;
        bool is_box = tma.n_dims > 0, is_load = tma.way == BSIM_TMA_LOAD;
        double least = is_load ? 66 : tma.way == BSIM_TMA_STORE ? (is_box ? 12.75 : 10.12) : (is_box ? 50.25 : 47.88);
        uint64_t pieces = 0;
        double clocks = (double)clocks_by_hand(&tma, &pieces);
        bsim_tma_count(&tma, &counts);
        assert_int_equal(counts.pieces, pieces);
        double bytes = is_load ? (double)counts.bytes / 107.5 : 0, longest = clocks > bytes ? clocks : bytes;
        double off = counts.cycles - (longest > least ? longest : least);
        assert_true(off < 0.001 && off > -0.001);
    }
}

/* ---- what is refused, what is warned of ------------------------------------------------------- */

static void copies_that_cannot_be_are_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"half box=64x64 swizzle=128B start=1024", NULL},
        {"store float box=32x8x2x1x1", NULL},
        {"reduce u32 box=4x256 swizzle=32B from=16 pitch=48", NULL},
        {"bulk bytes=4096 start=16 from=48", NULL},
        {"half box=64x64x1x1x1x1", "'box=64x64x1x1x1x1' is none of"},
        {"half box=64y64", "'box=64y64' is none of"},
        {"half box=", "'box=' is none of"},
        {"half", "a copy is as in"},
        {"half box=64 bytes=64", "a copy is as in"},
        {"bulk box=64x4", "a copy is as in"},
        {"half half box=64", "'half' says again"},
        {"load store half box=64", "'store' says again"},
        {"half box=64 color=3", "'color=3' is none of"},
        {"half box=64 start=-1", "'start=-1' is none of"},
        {"half box=64 swizzle=96B", "'swizzle=96B' is none of"},
        {"half box=0x64", "1 to 256 elements along each dimension, not 0"},
        {"b8 box=16x257", "1 to 256 elements along each dimension, not 257"},
        {"half box=12x64", "24 bytes, and they must be a multiple of 16"},
        {"half box=72x64 swizzle=128B",
         "144 bytes, and swizzle=128B takes no more: several boxes side by side"},
        {"half box=32x64 swizzle=32B",
         "64 bytes, and swizzle=32B takes no more: several boxes side by side, or a wider swizzle"},
        {"half box=64x64 start=64", "start=64: a box begins at a multiple of 128"},
        {"half box=64x64 from=8", "from=8: in global memory a copy begins at a multiple of 16"},
        {"half box=64x64 pitch=8", "pitch=8: a tensor's strides are multiples of 16"},
        {"half box=64x64 pitch=0x10000000000", "strides are multiples of 16 bytes below 2^40"},
        {"half box=256x256", "131072 bytes from byte 0 on end behind the 65536"},
        {"half box=64x256x256x256x256", "end behind the 65536"},
        {"half box=64x64 start=57472", "8192 bytes from byte 57472 on end behind"},
        {"bulk bytes=8", "bytes=8: a bulk copy has a multiple of 16"},
        {"bulk bytes=0", "bytes=0: a bulk copy has a multiple of 16"},
        {"bulk bytes=64 start=8", "start=8: a bulk copy begins at a multiple of 16"},
        {"bulk bytes=64 swizzle=32B", "it has no swizzle and no pitch"},
        {"store half box=64x64 inside=64", NULL},
        {"store half box=64x64 inside=65", "inside=65: a row of the box has fewer elements"},
        {"half box=64x64 inside=8", "inside=8: a load is whole"},
        {"store half box=64x64 inside=0", "inside=0: a store of rows that have nothing inside"},
        {"store bulk bytes=64 inside=8", "no inside="},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bsim_error err = {.status = BSIM_OK};
        struct bsim_tma tma;
        enum bsim_status status = bsim_tma_parse(cases[i].text, &tma, &err);
        status = status == BSIM_OK ? bsim_tma_check(&tma, WINDOW, &err) : status;
        if (status != (cases[i].message == NULL ? BSIM_OK : BSIM_E_INPUT) ||
            (cases[i].message != NULL && strstr(err.message, cases[i].message) == NULL)) {
            fail_msg("%s: '%s'", cases[i].text, err.message);
        }
    }
    struct bsim_tma odd = {.n_dims = 2, .element_bytes = 3, .box = {16, 1}};
    assert_int_equal(bsim_tma_check(&odd, WINDOW, NULL), BSIM_E_INPUT);
    odd.element_bytes = 4;
    odd.n_dims = 6;
    assert_int_equal(bsim_tma_check(&odd, WINDOW, NULL), BSIM_E_INPUT);
}

static void what_makes_copies_slow_is_told(void **state)
{
    enum { OFF = BSIM_TMA_OFF_PATTERN, SHORT = BSIM_TMA_SHORT_ROWS, GAPS = BSIM_TMA_GAPS,
           ACROSS = BSIM_TMA_ACROSS_LINES };
    static const struct {
        const char *text;
        uint32_t warnings;
    } cases[] = {
        {"half box=64x64 swizzle=128B start=1024", 0},
        {"half box=64x64 swizzle=128B start=512", OFF},
        {"half box=32x64 swizzle=64B start=512", SHORT},
        {"half box=32x64 swizzle=64B start=256", SHORT | OFF},
        {"store half box=16x64 swizzle=32B start=384", OFF},
        {"store half box=16x64 swizzle=32B start=256", 0},
        {"store half box=8x64", SHORT},
        {"half box=64x64 start=128", 0},
        {"half box=8x1", 0},
        {"half box=48x8 swizzle=128B", SHORT | GAPS},
        {"half box=64x64 from=16", BSIM_TMA_SIDES_APART | ACROSS},
        {"half box=64x64 from=32 pitch=272", BSIM_TMA_SIDES_APART | ACROSS},
        {"half box=64x64 from=32 pitch=288", ACROSS},
        {"half box=64x64 from=32 pitch=128", ACROSS},
        {"half box=64x16 from=32 pitch=128", 0}, /* as long as its issue */
        {"store half box=64x64 from=32 pitch=128", 0}, /* as many whole sectors */
        {"store half box=8x64 from=16", SHORT},
        {"bulk bytes=4096 start=16", BSIM_TMA_SIDES_APART | ACROSS},
        {"bulk bytes=4096 start=16 from=48", 0},
        {"bulk bytes=16 start=16 from=0", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bsim_tma tma;
        assert_int_equal(bsim_tma_parse(cases[i].text, &tma, NULL), BSIM_OK);
        assert_int_equal(bsim_tma_check(&tma, WINDOW, NULL), BSIM_OK);
        if (bsim_tma_warnings(&tma) != cases[i].warnings) {
            fail_msg("%s: %x", cases[i].text, (unsigned)bsim_tma_warnings(&tma));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_chunk_lies_where_it_does_by_hand),
        cmocka_unit_test(sectors_are_those_by_hand),
        cmocka_unit_test(clocks_are_those_by_hand),
        cmocka_unit_test(copies_that_cannot_be_are_refused),
        cmocka_unit_test(what_makes_copies_slow_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
