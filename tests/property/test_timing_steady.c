/* test_timing_steady.c - loops cut short against loops played turn by turn: the same, number for
 * number, for seeded random programs: nested loops, warps that do different things at different
 * rates, barriers in some, loops that only some warps take part in; alone and as several blocks of an SM.
 * And where few arrivals can wait at a barrier, which takes them slowly. */
#include "random_request.h"
#include "timed.h"
#include "watched.h"

#include <banksim/device.h>
#include <banksim/status.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { N_PROGRAMS = WATCHED(200, 40), N_SIDE_BY_SIDE = WATCHED(120, 40), MOST_EVENTS = 6, SMS = 132 };

static void put_event(struct random_source *source, struct bsim_buffer *text, uint32_t n_warps)
{
    static const char *const opcodes[] = {"ld.shared.u32", "ld.shared.v4.u32", "st.shared.u32",
                                          "atom.shared.add.u32", "st.shared.v2.u32"};
    static const unsigned strides[] = {0, 16, 32, 64, 128, 272, 512};
    char warp[16] = "w*";
    if (random_below(source, 2) == 0) {
        snprintf(warp, sizeof warp, "w%u", (unsigned)random_below(source, n_warps));
    }
    bool waits = random_below(source, 2) == 0;
    if (random_below(source, 3) == 0) {
        bsim_buffer_printf(text, "%s work %u:%u%s\n", warp, 1 + (unsigned)random_below(source, 5),
                           (unsigned)random_below(source, 30), waits ? " wait=0" : "");
        return;
    }
    bsim_buffer_printf(text, "%s %s ffffffff 0+%u", warp,
                       opcodes[random_below(source, sizeof opcodes / sizeof opcodes[0])],
                       strides[random_below(source, sizeof strides / sizeof strides[0])]);
    if (waits) {
        bsim_buffer_printf(text, " wait=%u", (unsigned)random_below(source, 4));
    }
    bsim_buffer_text(text, "\n");
}

static void put_loop(struct random_source *source, struct bsim_buffer *text, uint32_t n_warps,
                     uint32_t depth)
{
    unsigned turns = 1 + (unsigned)random_below(source, depth == 0 ? 150 : 12);
    bool control = random_below(source, 2) == 0;
    bsim_buffer_printf(text, "repeat %u%s\n", turns, control ? " work=2:20" : "");
    for (uint32_t n = 1 + random_below(source, MOST_EVENTS); n > 0; n--) {
        put_event(source, text, n_warps);
        if (depth < 2 && random_below(source, 5) == 0) {
            put_loop(source, text, n_warps, depth + 1);
        }
    }
    if (random_below(source, 3) == 0) {
        bsim_buffer_text(text, "w* bar.sync\n");
    }
    if (random_below(source, 2) == 0) {
        bsim_buffer_text(text, "w* work 1:9\n");
    }
    bsim_buffer_text(text, "done\n");
}

static void check_equal(const struct bsim_kernel_result *a, const struct bsim_kernel_result *b,
                        const char *text)
{
    bool same = a->timed.cycles == b->timed.cycles &&
                a->timed.cycles_bound == b->timed.cycles_bound &&
                memcmp(&a->timed.stalls, &b->timed.stalls, sizeof a->timed.stalls) == 0 &&
                a->n_sites == b->n_sites;
    for (size_t i = 0; same && i < a->n_sites; i++) {
        const struct bsim_site_cycles *x = &a->sites[i].timed, *y = &b->sites[i].timed;
        same = x->requests == y->requests && x->turns == y->turns &&
               memcmp(&x->stalls, &y->stalls, sizeof x->stalls) == 0;
    }
    if (!same) {
        fail_msg("%llu cycles cut short, %llu turn by turn, or the stalls differ\n%s",
                 (unsigned long long)a->timed.cycles, (unsigned long long)b->timed.cycles, text);
    }
}

static void cut_short_is_exact(void **state)
{
    struct random_source source = {20261121};
    (void)state;
    for (int i = 0; i < N_PROGRAMS; i++) {
        static const uint32_t warps[] = {1, 2, 3, 4, 5, 8, 16};
        const struct bsim_timer_options every_turn = {.every_turn = true};
        uint32_t n_warps = warps[random_below(&source, sizeof warps / sizeof warps[0])];
        struct bsim_buffer text = BSIM_BUFFER_EMPTY;
        struct bsim_result cut, whole;
        put_event(&source, &text, n_warps);
        put_loop(&source, &text, n_warps, 0);
        put_loop(&source, &text, n_warps, 0);
        timed_body(NULL, n_warps, text.data, NULL, &cut);
        timed_body(NULL, n_warps, text.data, &every_turn, &whole);
        check_equal(&cut.kernels[0], &whole.kernels[0], text.data);
        bsim_result_free(&cut);
        bsim_result_free(&whole);
        bsim_buffer_free(&text);
    }
}

static void put_arithmetic(struct random_source *source, struct bsim_buffer *text)
{
    static const char *const classes[] = {"fp32", "int", "imad", "xu"};
    bsim_buffer_printf(text, "repeat %u work=2:18\n", 20 + (unsigned)random_below(source, 200));
    for (uint32_t n = 1 + random_below(source, 3); n > 0; n--) {
        bsim_buffer_printf(text, "w* work %u %s", 1 + (unsigned)random_below(source, 12),
                           classes[random_below(source, sizeof classes / sizeof classes[0])]);
        if (random_below(source, 2) == 0) {
            bsim_buffer_printf(text, " reads=%u+2 reuse=0+1", (unsigned)random_below(source, 4));
        }
        bsim_buffer_text(text, "\n");
        if (random_below(source, 3) == 0) {
            bsim_buffer_printf(text, "w* %s ffffffff 0+%u\n",
                               random_below(source, 2) == 0 ? "ld.shared.u32" : "st.shared.u32",
                               4U << random_below(source, 4));
        }
    }
    bsim_buffer_text(text, random_below(source, 4) == 0 ? "w* bar.sync\n" : "");
    bsim_buffer_text(text, "w* work 1:10\ndone\n");
}

/* As many blocks on each SM as a launch of so many has there. timing NULL: the constants of the device. */
static uint64_t side_by_side(const struct bsim_buffer *body, uint32_t n_warps, uint32_t n_blocks,
                             const struct bsim_timing *timing, bool every_turn)
{
    const struct bsim_timer_options options = {.timing = timing, .every_turn = every_turn};
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_result cycles;
    bsim_buffer_printf(&text, "banksim-trace 1\nkernel k grid=%u block=%u\nblock 0\n%send\n",
                       n_blocks * SMS, n_warps * BSIM_WARP_LANES, body->data);
    assert_int_equal(bsim_buffer_status(&text, NULL), BSIM_OK);
    timed_trace(text.data, text.size_bytes, &options, &cycles);
    uint64_t together = cycles.kernels[0].timed.cycles_together;
    bsim_result_free(&cycles);
    bsim_buffer_free(&text);
    return together;
}

/* Blocks that older ones keep waiting are found to be in a steady state as well. What takes too many steps
 * cut short is not told. */
static void and_of_several_blocks(void **state)
{
    struct random_source source = {20261123};
    size_t n_told = 0;
    (void)state;
    for (int i = 0; i < N_SIDE_BY_SIDE; i++) {
        static const uint32_t warps[] = {1, 2, 4, 8}, blocks[] = {2, 4, 8};
        uint32_t n_warps = warps[random_below(&source, sizeof warps / sizeof warps[0])];
        uint32_t n_blocks = blocks[random_below(&source, sizeof blocks / sizeof blocks[0])];
        struct bsim_buffer text = BSIM_BUFFER_EMPTY;
        (i % 2 == 0 ? put_arithmetic(&source, &text) : put_loop(&source, &text, n_warps, 1));
        uint64_t cut = side_by_side(&text, n_warps, n_blocks, NULL, false);
        uint64_t whole = cut > 0 ? side_by_side(&text, n_warps, n_blocks, NULL, true) : 0;
        n_told += cut > 0;
        if (cut != whole) {
            fail_msg("%u blocks: %llu cycles cut short, %llu turn by turn\n%s", (unsigned)n_blocks,
                     (unsigned long long)cut, (unsigned long long)whole, text.data);
        }
        bsim_buffer_free(&text);
    }
    assert_true(n_told > N_SIDE_BY_SIDE * 9 / 10);
}

/* Two blocks of 16 warps at barriers that take an arrival in 11 clocks, of three that can wait in a partition: which
 * arrivals those are, and not only how many of the SM, says when the next can come. One warp begins later. */
static void arrivals_that_wait_are_part_of_the_state(void **state)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_device device;
    struct bsim_timing timing;
    (void)state;
    assert_int_equal(bsim_device_find("sm_90", NULL, &device, NULL), BSIM_OK);
    bsim_timing_find(&device, &timing);
    timing.arrival_slots = 3;
    timing.arrival_interval = 11;
    bsim_buffer_text(&text, "w0 st.shared.u32 ffffffff 0+64 wait=0\nrepeat 174\nw* work 2:34\n"
                            "w* bar.sync\nw* work 1:9\ndone\n");
    assert_int_equal(side_by_side(&text, 16, 2, &timing, false), side_by_side(&text, 16, 2, &timing, true));
    bsim_buffer_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cut_short_is_exact),
                                       cmocka_unit_test(and_of_several_blocks),
                                       cmocka_unit_test(arrivals_that_wait_are_part_of_the_state)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
