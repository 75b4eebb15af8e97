/* test_segments.c - sectors, lines and constant words of random requests against a count by hand.
 *
 * The count by hand holds each lane against all lower ones. Addresses come in rising and falling
 * order, in no order, close together, far apart and in few places, with holes in the mask.
 */
#include "random_request.h"
#include "model/count.h"
#include "request_text.h"

#include "model/segments.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 100000 };

static uint32_t count_by_hand(const uint64_t address[BSIM_WARP_LANES], uint32_t lanes,
                              uint32_t unit_log2)
{
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        bool is_new = lanes >> lane & 1;
        for (uint32_t lower = 0; lower < lane; lower++) {
            bool is_same = address[lower] >> unit_log2 == address[lane] >> unit_log2;
            is_new = is_new && !((lanes >> lower & 1) && is_same);
        }
        n += is_new;
    }
    return n;
}

static void random_addresses(struct random_source *source, uint64_t address[BSIM_WARP_LANES])
{
    static const uint64_t windows[] = {64, 512, 4096, UINT64_C(1) << 20, UINT64_C(1) << 31};
    uint64_t base = random_next(source) >> random_below(source, 64);
    uint64_t window = windows[random_below(source, 5)];
    uint64_t stride = random_next(source) % window;
    uint32_t kind = random_below(source, 5);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint64_t offset = kind == 0   ? lane * stride
                          : kind == 1 ? (31 - lane) * stride
                          : kind == 2 ? random_next(source) % window
                          : kind == 3 ? random_next(source) % 4 * window
                                      : (UINT64_C(1) << random_below(source, 64));
        address[lane] = base + offset;
    }
}

static uint32_t random_lanes(struct random_source *source)
{
    uint32_t lanes = (uint32_t)random_next(source);
    switch (random_below(source, 4)) {
    case 0:
        return lanes;
    case 1:
        return lanes & (uint32_t)random_next(source) & (uint32_t)random_next(source);
    case 2:
        return BSIM_FULL_MASK >> random_below(source, 32);
    default:
        return BSIM_FULL_MASK;
    }
}

static void pieces_are_counted(void **state)
{
    static const uint32_t units_log2[] = {0, 2, 3, 4, 5, 7};
    struct random_source source = {77};
    uint64_t address[BSIM_WARP_LANES];
    (void)state;
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t lanes = random_lanes(&source);
        uint32_t unit_log2 = units_log2[random_below(&source, 6)];
        random_addresses(&source, address);
        uint32_t expected = count_by_hand(address, lanes, unit_log2);
        uint32_t count = bsim_segments_count(address, lanes, 1U << unit_log2);
        if (count != expected) {
            fail_msg("request %lu: %lu segments, counted by hand %lu", (unsigned long)i,
                     (unsigned long)count, (unsigned long)expected);
        }
    }
}

static void requests_are_counted(void **state)
{
    static const char *const names[] = {"ld.global.u32", "st.global.v4.f32"};
    struct random_source source = {78};
    struct bsim_device device;
    uint64_t address[BSIM_WARP_LANES];
    (void)state;
    device_for_test("sm_90", 0, 0, &device);
    for (uint32_t i = 0; i < MANY; i++) {
        struct bsim_opcode opcode;
        struct bsim_global_counts counts;
        uint32_t lanes = random_lanes(&source);
        const char *name = names[i % 2];
        assert_int_equal(bsim_opcode_parse(name, strlen(name), &opcode, NULL), BSIM_OK);
        random_addresses(&source, address);
        bsim_global_count(&device, &opcode, lanes, address, &counts);
        assert_int_equal(counts.lines, count_by_hand(address, lanes, 7));
        assert_int_equal(counts.sectors, count_by_hand(address, lanes, 5));
    }
}

/* Lanes in step are counted as their addresses are, around 2^64 too. */
static void events_are_counted(void **state)
{
    static const char *const names[] = {"ld.global.u32", "st.global.v4.f32", "red.global.add.u32"};
    static const char *const devices[] = {"sm_90", "sm_52", "sm_35"};
    struct random_source source = {79};
    (void)state;
    for (uint32_t i = 0; i < MANY; i++) {
        struct bsim_device device;
        struct bsim_opcode opcode;
        struct bsim_event event;
        struct bsim_global_counts counts, expected;
        uint64_t address[BSIM_WARP_LANES];
        const char *name = names[i % 3];
        device_for_test(devices[random_below(&source, 3)], 0, 0, &device);
        assert_int_equal(bsim_opcode_parse(name, strlen(name), &opcode, NULL), BSIM_OK);
        bsim_event_init(&event, &opcode);
        random_addresses(&source, event.address);
        event.mask = random_lanes(&source);
        event.affine = random_below(&source, 8) != 0;
        event.base = random_below(&source, 4) ? event.address[0] : 0 - (random_next(&source) % 999);
        event.stride = (int64_t)(random_next(&source) >> random_below(&source, 64));
        event.stride = random_below(&source, 2) ? (int64_t)(i % 300) - 150 : event.stride;
        bsim_event_addresses(&event, address);
        bsim_global_count(&device, &opcode, event.mask, address, &expected);
        bsim_event_global_count(&device, &event, &counts);
        assert_int_equal(counts.sectors, expected.sectors);
        assert_int_equal(counts.lines, expected.lines);
        assert_int_equal(counts.transactions, expected.transactions);
        assert_int_equal(counts.bytes_asked, expected.bytes_asked);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_counted),
        cmocka_unit_test(pieces_are_counted),
        cmocka_unit_test(requests_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
