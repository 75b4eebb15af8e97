/* test_sim_order.c - what the simulator refuses: half streams, records out of order, shapes and
 * sums out of bounds. The requests are those at the head of test_sim.c. */
#include "status_name.h"
#include "stream.h"

#include "sim/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static struct stream started(const struct bsim_sim_options *options)
{
    struct stream stream;
    assert_true(stream_simulate(&stream, options));
    return stream;
}

/* A stream that stands in the first block of a kernel with that many threads. */
static struct stream in_block(uint32_t threads, const char *device)
{
    struct stream stream = started(NULL);
    assert_int_equal(stream_kernel(&stream, "k", threads, device), BSIM_OK);
    assert_int_equal(stream_block(&stream, 0), BSIM_OK);
    return stream;
}

static void ok(struct stream *stream, enum bsim_status status)
{
    if (status != BSIM_OK) {
        fail_msg("record %u: %s", (unsigned)stream->line, stream->err.message);
    }
}

static struct bsim_result finished(struct stream *stream)
{
    struct bsim_result result;
    ok(stream, stream_finish(stream, &result));
    return result;
}

/* ---- refusals ------------------------------------------------------------------------------- */

static void half_a_stream_has_no_result(void **state)
{
    (void)state;
    struct stream s = in_block(32, NULL);
    struct bsim_result result = {.n_kernels = 77};
    ok(&s, stream_access(&s, 0, "ld.shared.u32", 0, 4));
    assert_int_equal(bsim_sim_result(s.sim, &result, &s.err), BSIM_E_USAGE);
    assert_int_equal(result.n_kernels, 77);
    stream_drop(&s);
    s = started(NULL);
    assert_int_equal(bsim_sim_result(s.sim, &result, NULL), BSIM_E_USAGE);
    stream_drop(&s);
}

static void nothing_comes_after_a_refusal(void **state)
{
    (void)state;
    struct stream s = in_block(32, NULL);
    struct bsim_result result;
    assert_int_equal(stream_access(&s, 1, "ld.shared.u32", 0, 4), BSIM_E_USAGE); /* no warp 1 */
    assert_int_equal(stream_access(&s, 0, "ld.shared.u32", 0, 4), BSIM_E_USAGE);
    assert_int_equal(stream_end(&s), BSIM_E_USAGE);
    assert_int_equal(bsim_sim_result(s.sim, &result, NULL), BSIM_E_USAGE);
    stream_drop(&s);
}

static void an_empty_stream_is_a_stream(void **state)
{
    (void)state;
    struct stream s = started(NULL);
    struct bsim_result r = finished(&s);
    assert_int_equal(r.n_kernels, 0);
    bsim_result_free(&r);
}

static enum bsim_status push_other_opcode(struct stream *s)
{
    struct bsim_event event = stream_event("st.shared.u32", BSIM_FULL_MASK, 0, 4);
    s->site[0].opcode = stream_event("ld.shared.u32", 0, 0, 0).opcode;
    event.site = &s->site[0];
    return stream_push(s, 0, event);
}

/* Records as letters: K kernel of 64 threads, B block, S site, A access of warp 0, P access at site
 * index 0, O with another opcode than the site's, Z access of warp 2, W of all warps, R repeat, D
 * done, E end, 0 repeat of no turn. */
static enum bsim_status push_letter(struct stream *s, char letter)
{
    switch (letter) {
    case 'K':
        return stream_kernel(s, "k", 64, NULL);
    case 'B':
        return stream_block(s, 0);
    case 'S':
        return stream_site(s, s->n_sites + 1, "ld.shared.u32", NULL, 0, NULL);
    case 'A':
        return stream_access(s, 0, "st.shared.u32", 0, 4);
    case 'P':
        s->site[0].opcode = stream_event("ld.shared.u32", 0, 0, 0).opcode;
        return stream_at_site(s, 0, 0, 0, 4);
    case 'O':
        return push_other_opcode(s);
    case 'Z':
        return stream_access(s, 2, "st.shared.u32", 0, 4);
    case 'W':
        return stream_access(s, BSIM_ALL_WARPS, "st.shared.u32", 0, 4);
    case 'R':
        return stream_repeat(s, 2);
    case '0':
        return stream_repeat(s, 0);
    case 'D':
        return stream_done(s);
    default:
        return stream_end(s);
    }
}

static void right_orders_are_taken(void **state)
{
    (void)state;
    static const char *const orders[] = {
        "E",
        "KE",
        "KBE",
        "KSBAPE",
        "KBASPE",
        "KBRRSAPDDPE",
        "KBRADRADE",
        "KKKBE",
        "KBWBWKBAE",
        "KBRDE",
        "KBRRRRRRRRDDDDDDDDE",
    };
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        struct stream s = started(NULL);
        for (const char *c = orders[i]; *c != '\0'; c++) {
            if (push_letter(&s, *c) != BSIM_OK) {
                fail_msg("%s: at '%s': %s", orders[i], c, s.err.message);
            }
        }
        stream_drop(&s);
    }
}

/* The last record is refused, and no other. */
static void wrong_orders_are_refused(void **state)
{
    (void)state;
    static const char *const orders[] = {
        "B",  "S",    "A",    "P",    "R",    "D",     "W",     "KA",    "KW",
        "KR", "KD",   "KBD",  "KBP",  "KP",   "KBZ",   "KB0",   "EE",    "EK",
        "ED", "KSBO", "KBRB", "KBRK", "KBRE", "KBRDD", "KBAKA", "KSKBP", "KBRRRRRRRRR",
    };
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        struct stream s = started(NULL);
        enum bsim_status status = BSIM_OK;
        const char *c = orders[i];
        while (status == BSIM_OK && *c != '\0') {
            status = push_letter(&s, *c++);
        }
        if (status != BSIM_E_USAGE || *c != '\0') {
            fail_msg("%s: %s, before '%s'", orders[i], status_name(status), c);
        }
        stream_drop(&s);
    }
}

/* Sites are numbered 0, 1, ... as they come; an event's site must have come. */
static void site_indices_have_no_gap(void **state)
{
    (void)state;
    struct stream s = started(NULL);
    ok(&s, stream_kernel(&s, "k", 32, NULL));
    s.n_sites = 1;
    assert_int_equal(stream_site(&s, 1, "ld.shared.u32", NULL, 0, NULL), BSIM_E_USAGE);
    stream_drop(&s);
}

/* Any order at all: every record is taken or refused, and a result comes of whole streams alone. */
static void random_orders_do_not_crash(void **state)
{
    (void)state;
    static const char letters[] = "KBSAPZWR0DEBBAAAWRD";
    uint64_t seed = 20261121;
    size_t whole = 0;
    for (int round = 0; round < 20000; round++) {
        struct stream s = started(NULL);
        bool good = true;
        bool ended = false;
        for (int i = 0; i < 12 && s.n_sites < STREAM_MAX_SITES; i++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            char letter = i == 0 ? 'K' : letters[(seed >> 33) % (sizeof letters - 1)];
            good = push_letter(&s, letter) == BSIM_OK && good;
            ended = ended || letter == 'E';
        }
        struct bsim_result result;
        bool has_result = bsim_sim_result(s.sim, &result, NULL) == BSIM_OK;
        assert_int_equal(has_result, good && ended);
        if (has_result) {
            whole++;
            bsim_result_free(&result);
        }
        stream_drop(&s);
    }
    assert_true(whole > 0);
}

static void shapes_are_checked(void **state)
{
    (void)state;
    static const uint32_t threads[] = {0, 1025, UINT32_MAX};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        struct stream s = started(NULL);
        assert_int_equal(stream_kernel(&s, "k", threads[i], NULL), BSIM_E_USAGE);
        stream_drop(&s);
    }
}

static void odd_sizes_are_refused(void **state)
{
    (void)state;
    static const uint8_t bytes[] = {0, 3, 17, 32, 255};
    for (size_t i = 0; i < sizeof bytes; i++) {
        struct stream s = in_block(32, NULL);
        struct bsim_event event = stream_event("ld.shared.u32", BSIM_FULL_MASK, 0, 4);
        event.opcode.bytes = bytes[i];
        assert_int_equal(stream_push(&s, 0, event), BSIM_E_USAGE);
        stream_drop(&s);
    }
}

/* 2^40 turns are the most; 2^40 turns of 32 warps are 2^45 instructions, of which four fit into the
 * limit of 2^47. */
static void sums_stay_within_64_bits(void **state)
{
    (void)state;
    struct stream s = in_block(1024, NULL);
    ok(&s, stream_repeat(&s, UINT32_C(1) << 30));
    ok(&s, stream_repeat(&s, 1024));
    for (int i = 0; i < 4; i++) {
        ok(&s,
           stream_access(&s, BSIM_ALL_WARPS, i % 2 ? "ld.shared.u32" : "st.shared.u32", 0, 128));
    }
    assert_int_equal(stream_push(&s, 0, stream_event("bar.sync", 0, 0, 0)), BSIM_E_INPUT);
    assert_non_null(strstr(s.err.message, "2^47"));
    stream_drop(&s);
    s = in_block(1024, NULL);
    ok(&s, stream_repeat(&s, UINT32_C(1) << 30));
    ok(&s, stream_repeat(&s, 1024));
    assert_int_equal(stream_repeat(&s, 2), BSIM_E_USAGE);
    stream_drop(&s);
}

/* Those of the traces before count: one is left. */
static void what_was_before_counts(void **state)
{
    (void)state;
    struct bsim_sim_options options = {.executed = BSIM_MAX_EXECUTED - 1};
    struct stream s = started(&options);
    ok(&s, stream_kernel(&s, "k", 32, NULL));
    ok(&s, stream_block(&s, 0));
    ok(&s, stream_access(&s, 0, "ld.shared.u32", 0, 4));
    assert_int_equal(bsim_sim_executed(s.sim), 1);
    assert_int_equal(stream_access(&s, 0, "ld.shared.u32", 0, 4), BSIM_E_INPUT);
    assert_non_null(strstr(s.err.message, "2^47"));
    stream_drop(&s);
}

static void the_largest_sums_are_right(void **state)
{
    (void)state;
    struct stream s = in_block(1024, NULL);
    ok(&s, stream_repeat(&s, UINT32_C(1) << 30));
    ok(&s, stream_repeat(&s, 1024));
    ok(&s, stream_access(&s, BSIM_ALL_WARPS, "ld.shared.u32", 0, 128));
    ok(&s, stream_access(&s, BSIM_ALL_WARPS, "ld.shared.u32", 0, 128));
    ok(&s, stream_done(&s));
    ok(&s, stream_done(&s));
    struct bsim_result r = finished(&s);
    struct bsim_tally total = bsim_kernel_total(&r.kernels[0]);
    assert_true(total.requests == UINT64_C(1) << 46);
    assert_true(total.wavefronts == UINT64_C(1) << 51);
    assert_true(total.bytes_moved == UINT64_C(1) << 58);
    bsim_result_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_a_stream_has_no_result),
        cmocka_unit_test(nothing_comes_after_a_refusal),
        cmocka_unit_test(an_empty_stream_is_a_stream),
        cmocka_unit_test(right_orders_are_taken),
        cmocka_unit_test(wrong_orders_are_refused),
        cmocka_unit_test(site_indices_have_no_gap),
        cmocka_unit_test(random_orders_do_not_crash),
        cmocka_unit_test(shapes_are_checked),
        cmocka_unit_test(odd_sizes_are_refused),
        cmocka_unit_test(sums_stay_within_64_bits),
        cmocka_unit_test(what_was_before_counts),
        cmocka_unit_test(the_largest_sums_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
