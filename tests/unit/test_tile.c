/* test_tile.c - descriptors held against boxes: what TMA puts where and wgmma reads from where is written down here once
 * more, byte by byte, by the rules as they were measured; drawn boxes and descriptors must be taken and refused as these
 * bytes say, and a descriptor must be found for a box if any of all LBO, SBO and swizzles reads it.
 */
#include "watched.h"

#include <banksim/wgmma.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { WINDOW = 1 << 18, NONE = 0xffff, N_DRAWN = WATCHED(20000, 4000), N_SEARCHED = WATCHED(60, 12) };

/* Of each byte of the window the box's row and the byte along it. */
static uint16_t row_at[WINDOW], byte_at[WINDOW];
static uint64_t drawn = 20;

static uint32_t draw(uint32_t below)
{
    drawn = drawn * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((drawn >> 33) % below);
}

/* Bits 4 to 6 ^= 7 to 9, as far as a row of so many bytes (128, 64, 32) has them. */
static uint32_t swizzled(uint32_t address, uint32_t span)
{
    return address ^ (address >> 7) % (span / 16) << 4;
}

static void put(const struct bsim_tma *box)
{
    static const uint32_t spans[] = {0, 32, 64, 128};
    uint32_t span = spans[box->swizzle], inner = box->box[0] * box->element_bytes, rows = box->box[1];
    memset(row_at, 0xff, sizeof row_at);
    for (uint32_t z = 0; z < (box->n_dims > 2 ? box->box[2] : 1); z++) {
        for (uint32_t r = 0; r < rows; r++) {
            for (uint32_t b = 0; b < inner; b++) {
                uint32_t at = box->start + (z * rows + r) * (span > 0 ? span : inner) + b;
                at = span > 0 ? swizzled(at, span) : at;
                row_at[at] = (uint16_t)r;
                byte_at[at] = (uint16_t)(z * inner + b);
            }
        }
    }
}

static uint32_t looked_at(const struct bsim_wgmma_descriptor *d, uint32_t size, uint32_t k, uint32_t i)
{
    static const uint32_t spans[] = {0, 128, 64, 32};
    uint32_t span = spans[d->swizzle], at = d->start, b = (d->is_mn_major ? i : k) * size;
    if (!d->is_mn_major) {
        at += i / 8 * d->stride_bytes;
        at += span > 0 ? b / 16 * 16 + i % 8 * span : b / 16 * d->leading_bytes + i % 8 * 16;
    } else if (span > 0) {
        at += b % span / 16 * 16 + k % 8 * span + k / 8 * d->stride_bytes + b / span * d->leading_bytes;
    } else {
        at += k % 8 * 16 + k / 8 * d->leading_bytes + b / 16 * d->stride_bytes;
    }
    return (span > 0 ? swizzled(at, span) : at) + b % 16;
}

/* Whether each element of the operand is the box's that it should be, if the first one is in the box. */
static bool reads(const struct bsim_wgmma_descriptor *d, uint32_t size, uint32_t n_rows)
{
    uint32_t first = looked_at(d, size, 0, 0);
    bool right = first < WINDOW && row_at[first] != NONE;
    for (uint32_t k = 0; k < 32 / size && right; k++) {
        for (uint32_t i = 0; i < n_rows && right; i++) {
            uint32_t at = looked_at(d, size, k, i);
            right = at < WINDOW && row_at[at] == row_at[first] + (d->is_mn_major ? k : i) &&
                    byte_at[at] == byte_at[first] + (d->is_mn_major ? i : k) * size;
        }
    }
    return right;
}

static struct bsim_tma draw_box(void)
{
    static const uint32_t rows[] = {8, 16, 24, 64}, spans[] = {256, 32, 64, 128};
    struct bsim_tma box = {.element_bytes = draw(4) > 0 ? 2 : 1, .swizzle = (enum bsim_tma_swizzle)draw(4)};
    box.n_dims = 2 + draw(2);
    box.box[0] = (draw(3) > 0 ? spans[box.swizzle] : 16 * (1 + draw(spans[box.swizzle] / 16))) / box.element_bytes;
    box.box[0] = box.swizzle == BSIM_TMA_NO_SWIZZLE && draw(2) > 0 ? 16 / box.element_bytes : box.box[0];
    box.box[1] = rows[draw(4)];
    box.box[2] = 1 + draw(4);
    box.start = 128 * draw(20);
    return box;
}

static void descriptors_are_taken_as_their_bytes_say(void **state)
{
    uint32_t n_right = 0;
    (void)state;
    for (uint32_t n = 0; n < N_DRAWN; n++) {
        struct bsim_tma box = draw_box();
        struct bsim_wgmma_descriptor d = {.start = 0};
        uint32_t n_rows = draw(2) > 0 ? 64 : 8, size = box.element_bytes;
        bool is_mn_major = size == 2 && draw(2) > 0;
        uint32_t row = draw(3) > 0 ? 0 : draw(box.box[1]), byte = 16 * draw(3);
        put(&box);
        bool is_found = bsim_wgmma_of_box(&box, row, byte, size, n_rows, is_mn_major, &d);
        if (is_found && (!reads(&d, size, n_rows) || row_at[looked_at(&d, size, 0, 0)] != row ||
                         byte_at[looked_at(&d, size, 0, 0)] != byte)) {
            fail_msg("%u: it does not read the box from there", (unsigned)n);
        }
        d.start = draw(4) > 0 ? d.start : 16 * draw(600);
        d.stride_bytes = draw(4) > 0 ? d.stride_bytes : 16 * draw(150);
        d.leading_bytes = draw(4) > 0 ? d.leading_bytes : 16 * draw(150);
        d.swizzle = draw(4) > 0 ? d.swizzle : (enum bsim_wgmma_swizzle)draw(4);
        d.is_mn_major = is_mn_major;
        bool is_right = reads(&d, size, n_rows);
        if ((bsim_wgmma_check_box(&d, size, n_rows, &box, NULL) == BSIM_OK) != is_right) {
            fail_msg("%u: %s", (unsigned)n, is_right ? "refused" : "taken");
        }
        n_right += is_right;
    }
    assert_in_range(n_right, N_DRAWN / 10, N_DRAWN / 10 * 9);
}

/* None is said to read a box only if none does. */
static void no_descriptor_is_missed(void **state)
{
    uint32_t n_none = 0, n_some = 0;
    (void)state;
    for (uint32_t n = 0; n < N_SEARCHED; n++) {
        struct bsim_tma box = draw_box();
        struct bsim_wgmma_descriptor d, any = {.is_mn_major = box.element_bytes == 2 && draw(2) > 0};
        bool is_found = false;
        put(&box);
        any.start = box.start;
        for (uint32_t swizzle = 0; swizzle < 4; swizzle++) {
            any.swizzle = (enum bsim_wgmma_swizzle)swizzle;
            for (uint32_t at = 0; at < 300 * 600 && !is_found; at++) {
                any.leading_bytes = at / 600 * 16;
                any.stride_bytes = at % 600 * 16;
                is_found = reads(&any, box.element_bytes, 16);
            }
        }
        if (bsim_wgmma_of_box(&box, 0, 0, box.element_bytes, 16, any.is_mn_major, &d) != is_found) {
            fail_msg("%u: %s", (unsigned)n, is_found ? "one was missed" : "there is none");
        }
        n_none += !is_found;
        n_some += is_found;
    }
    assert_true(n_none > N_SEARCHED / 12 && n_some > N_SEARCHED / 12);
}

/* CUTLASS's descriptor of a tile of 64 halves a row, 128B, at byte 1024: LBO 1, SBO 64, layout type 1. */
static void bits_are_those_of_a_descriptor(void **state)
{
    struct bsim_wgmma_descriptor d = {1024, 16, 1024, 0, BSIM_WGMMA_128B, false}, back = {0};
    (void)state;
    assert_true(bsim_wgmma_encode(&d) == UINT64_C(0x4000004000010040));
    d = (struct bsim_wgmma_descriptor){(1 << 18) - 16, 48, 80, 5, BSIM_WGMMA_32B, false};
    assert_true(bsim_wgmma_encode(&d) == UINT64_C(0xc00a000500033fff));
    bsim_wgmma_decode(bsim_wgmma_encode(&d), &back);
    assert_true(back.start == d.start && back.leading_bytes == 48 && back.stride_bytes == 80);
    assert_true(back.base_offset == 5 && back.swizzle == BSIM_WGMMA_32B);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors_are_taken_as_their_bytes_say),
        cmocka_unit_test(no_descriptor_is_missed),
        cmocka_unit_test(bits_are_those_of_a_descriptor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
