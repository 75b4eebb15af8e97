/* test_sim.c - the simulator: what it sums, on which device, and what its callbacks are told.
 *
 * Streams are pushed by hand, without a trace. Everything that is expected follows from these
 * requests, on 32 banks of 4 bytes (a pass moves 128 bytes) with 32 active lanes:
 *
 *     4 bytes, stride 4      a word of each bank: 1 pass, 1-way
 *     4 bytes, stride 8      16 even banks with 2 words each: 2 passes, 1 excessive, 2-way
 *     4 bytes, stride 128    32 words of bank 0: 32 passes, 31 excessive, 32-way
 *     4 bytes, stride 0      one word: 1 pass; as an atomic 32 turns: 32 passes, 31 excessive
 */
#include "status_name.h"
#include "result/result.h"
#include "sim/sim.h"
#include "stream.h"

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

static void same_tally(const char *what, struct bsim_tally got, struct bsim_tally expected)
{
    expected.rules = got.rules;
    if (memcmp(&got, &expected, sizeof got) != 0) {
        fail_msg("%s: %u requests, %u wavefronts, %u ideal, %u conflicts, %u replays, %u "
                 "broadcasts, %u multicasts, asked %u, served %u, moved %u, ways %u to %u",
                 what, (unsigned)got.requests, (unsigned)got.wavefronts, (unsigned)got.ideal,
                 (unsigned)got.conflicts, (unsigned)got.replays, (unsigned)got.broadcasts,
                 (unsigned)got.multicasts, (unsigned)got.bytes_asked, (unsigned)got.bytes_served,
                 (unsigned)got.bytes_moved, (unsigned)got.ways_min, (unsigned)got.ways_max);
    }
}

/* ---- sums ----------------------------------------------------------------------------------- */

static void each_class_is_summed_apart(void **state)
{
    (void)state;
    struct stream s = in_block(32, NULL);
    ok(&s, stream_access(&s, 0, "ld.shared.u32", 0, 4));
    ok(&s, stream_access(&s, 0, "ld.shared.u32", 0, 128));
    ok(&s, stream_access(&s, 0, "st.shared.f32", 0, 8));
    ok(&s, stream_access(&s, 0, "atom.shared.add.u32", 0, 0));
    ok(&s, stream_access(&s, 0, "red.shared.max.s32", 0, 4));
    struct bsim_result r = finished(&s);
    assert_int_equal(r.n_kernels, 1);
    const struct bsim_tally *tally = r.kernels[0].tally;
    same_tally("loads", tally[BSIM_LOADS],
               (struct bsim_tally){.requests = 2,
                                   .wavefronts = 33,
                                   .ideal = 2,
                                   .conflicts = 31,
                                   .bytes_asked = 256,
                                   .bytes_served = 256,
                                   .bytes_moved = 33 * 128,
                                   .ways_min = 1,
                                   .ways_max = 32});
    same_tally("stores", tally[BSIM_STORES],
               (struct bsim_tally){.requests = 1,
                                   .wavefronts = 2,
                                   .ideal = 1,
                                   .conflicts = 1,
                                   .bytes_asked = 128,
                                   .bytes_served = 128,
                                   .bytes_moved = 256,
                                   .ways_min = 2,
                                   .ways_max = 2});
    same_tally("atomics", tally[BSIM_ATOMICS],
               (struct bsim_tally){.requests = 2,
                                   .wavefronts = 33,
                                   .ideal = 2,
                                   .conflicts = 31,
                                   .bytes_asked = 256,
                                   .bytes_served = 256,
                                   .bytes_moved = 33 * 128,
                                   .ways_min = 1,
                                   .ways_max = 32});
    same_tally("all", bsim_kernel_total(&r.kernels[0]),
               (struct bsim_tally){.requests = 5,
                                   .wavefronts = 68,
                                   .ideal = 5,
                                   .conflicts = 63,
                                   .bytes_asked = 640,
                                   .bytes_served = 640,
                                   .bytes_moved = 68 * 128,
                                   .ways_min = 1,
                                   .ways_max = 32});
    bsim_result_free(&r);
}

static void matrix_forms_are_loads_and_stores(void **state)
{
    (void)state;
    static const struct {
        const char *opcode;
        enum bsim_class class;
    } cases[] = {
        {"ld.shared.u8", BSIM_LOADS},
        {"ld.global.u32", BSIM_LOADS},
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", BSIM_LOADS},
        {"st.shared.v4.f32", BSIM_STORES},
        {"stmatrix.sync.aligned.m8n8.x1.shared.b16", BSIM_STORES},
        {"atom.shared.cas.b64", BSIM_ATOMICS},
        {"red.shared.add.u32", BSIM_ATOMICS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_event event = stream_event(cases[i].opcode, BSIM_FULL_MASK, 0, 16);
        if (bsim_opcode_class(&event.opcode) != cases[i].class) {
            fail_msg("%s", cases[i].opcode);
        }
    }
}

/* Two addresses for 16 lanes each: a multicast; one for all: a broadcast. Stores are neither. */
static void broadcasts_and_multicasts_are_counted(void **state)
{
    (void)state;
    struct stream s = in_block(32, NULL);
    struct bsim_event halves = stream_event("ld.shared.u32", BSIM_FULL_MASK, 0, 0);
    halves.affine = false;
    for (int lane = 0; lane < 32; lane++) {
        halves.address[lane] = lane < 16 ? 0 : 4;
    }
    ok(&s, stream_repeat(&s, 2));
    ok(&s, stream_push(&s, 0, halves));
    ok(&s, stream_done(&s));
    ok(&s, stream_access(&s, 0, "ld.shared.u32", 64, 0));
    ok(&s, stream_access(&s, 0, "st.shared.u32", 64, 0));
    struct bsim_result r = finished(&s);
    assert_int_equal(r.kernels[0].tally[BSIM_LOADS].multicasts, 2);
    assert_int_equal(r.kernels[0].tally[BSIM_LOADS].broadcasts, 1);
    assert_int_equal(r.kernels[0].tally[BSIM_LOADS].wavefronts, 3);
    assert_int_equal(r.kernels[0].tally[BSIM_STORES].broadcasts, 0);
    assert_int_equal(r.kernels[0].tally[BSIM_STORES].multicasts, 0);
    bsim_result_free(&r);
}

/* 3 turns of (5 turns of all 2 warps' load, and 1 store of warp 1): 30 loads, 3 stores. */
static void repeats_and_all_warps_multiply(void **state)
{
    (void)state;
    struct stream s = in_block(64, NULL);
    ok(&s, stream_repeat(&s, 3));
    ok(&s, stream_repeat(&s, 5));
    ok(&s, stream_access(&s, BSIM_ALL_WARPS, "ld.shared.u32", 0, 8));
    ok(&s, stream_push(&s, BSIM_ALL_WARPS, stream_event("bar.sync", BSIM_FULL_MASK, 0, 0)));
    ok(&s, stream_done(&s));
    ok(&s, stream_access(&s, 1, "st.shared.u32", 0, 128));
    ok(&s, stream_push(&s, 0, stream_event("shfl.sync.idx.b32", BSIM_FULL_MASK, 0, 0)));
    ok(&s, stream_done(&s));
    ok(&s, stream_access(&s, 0, "ld.shared.u32", 0, 0));
    struct bsim_result r = finished(&s);
    same_tally("loads", r.kernels[0].tally[BSIM_LOADS],
               (struct bsim_tally){.requests = 31,
                                   .wavefronts = 61,
                                   .ideal = 31,
                                   .conflicts = 30,
                                   .broadcasts = 1,
                                   .bytes_asked = 31 * 128,
                                   .bytes_served = 30 * 128 + 4,
                                   .bytes_moved = 61 * 128,
                                   .ways_min = 1,
                                   .ways_max = 2});
    same_tally("stores", r.kernels[0].tally[BSIM_STORES],
               (struct bsim_tally){.requests = 3,
                                   .wavefronts = 96,
                                   .ideal = 3,
                                   .conflicts = 93,
                                   .bytes_asked = 3 * 128,
                                   .bytes_served = 3 * 128,
                                   .bytes_moved = 96 * 128,
                                   .ways_min = 32,
                                   .ways_max = 32});
    assert_int_equal(r.kernels[0].barriers, 30);
    assert_int_equal(r.kernels[0].shuffles, 3);
    bsim_result_free(&r);
}

/* 33 threads are two warps. */
static void a_started_warp_is_a_warp(void **state)
{
    (void)state;
    struct stream s = in_block(33, NULL);
    ok(&s, stream_access(&s, BSIM_ALL_WARPS, "ld.shared.u32", 0, 4));
    ok(&s, stream_access(&s, 1, "ld.shared.u32", 0, 4));
    struct bsim_result r = finished(&s);
    assert_int_equal(r.kernels[0].tally[BSIM_LOADS].requests, 3);
    bsim_result_free(&r);
}

/* Their sums: test_sim_spaces.c. */
static void other_spaces_have_no_wavefronts(void **state)
{
    (void)state;
    struct stream s = in_block(64, NULL);
    ok(&s, stream_access(&s, BSIM_ALL_WARPS, "ld.global.u32", UINT64_C(1) << 40, 4));
    ok(&s, stream_access(&s, 0, "ld.const.u32", 0, 0));
    ok(&s, stream_push(&s, 0, stream_event("work", BSIM_FULL_MASK, 0, 0)));
    struct bsim_result r = finished(&s);
    assert_int_equal(r.kernels[0].other_requests, 3);
    assert_int_equal(bsim_kernel_total(&r.kernels[0]).requests, 0);
    assert_int_equal(bsim_kernel_total(&r.kernels[0]).ways_min, 0);
    assert_int_equal(r.kernels[0].n_sites, 2);
    assert_int_equal(r.kernels[0].sites[0].requests, 1); /* ld.const before ld.global */
    assert_int_equal(r.kernels[0].sites[1].requests, 2);
    assert_int_equal(r.kernels[0].sites[1].tally.requests, 0);
    bsim_result_free(&r);
}

static void kernels_and_blocks_are_kept_apart(void **state)
{
    (void)state;
    struct stream s = in_block(32, NULL);
    ok(&s, stream_access(&s, 0, "ld.shared.u32", 0, 4));
    ok(&s, stream_block(&s, 1));
    ok(&s, stream_access(&s, 0, "ld.shared.u32", 0, 128));
    ok(&s, stream_kernel(&s, "empty", 32, NULL));
    ok(&s, stream_kernel(&s, "second", 1024, NULL));
    ok(&s, stream_block(&s, 0));
    ok(&s, stream_access(&s, 31, "st.shared.u32", 0, 8));
    struct bsim_result r = finished(&s);
    assert_int_equal(r.n_kernels, 3);
    assert_string_equal(r.kernels[1].name, "empty");
    assert_int_equal(r.kernels[0].blocks, 2);
    assert_int_equal(r.kernels[1].blocks, 0);
    assert_int_equal(r.kernels[2].blocks, 1);
    assert_int_equal(bsim_kernel_total(&r.kernels[0]).wavefronts, 33);
    assert_int_equal(bsim_kernel_total(&r.kernels[1]).wavefronts, 0);
    assert_int_equal(bsim_kernel_total(&r.kernels[2]).wavefronts, 2);
    assert_int_equal(bsim_result_class(&r, BSIM_LOADS).wavefronts, 33);
    assert_int_equal(bsim_result_class(&r, BSIM_STORES).wavefronts, 2);
    bsim_result_free(&r);
}

/* Repeats of one kernel do not reach into the next. */
static void turns_end_with_done(void **state)
{
    (void)state;
    struct stream s = in_block(32, NULL);
    ok(&s, stream_repeat(&s, 7));
    ok(&s, stream_done(&s));
    ok(&s, stream_access(&s, 0, "ld.shared.u32", 0, 4));
    struct bsim_result r = finished(&s);
    assert_int_equal(bsim_kernel_total(&r.kernels[0]).requests, 1);
    bsim_result_free(&r);
}

static void rules_that_took_part_are_kept(void **state)
{
    (void)state;
    struct stream s = in_block(32, "k40");
    ok(&s, stream_access(&s, 0, "ld.shared.u32", 0, 0));
    ok(&s, stream_access(&s, 0, "st.shared.u32", 0, 256));
    struct bsim_result r = finished(&s);
    uint32_t rules = bsim_kernel_total(&r.kernels[0]).rules;
    assert_int_equal(rules,
                     1u << BSIM_RULE_BANKS | 1u << BSIM_RULE_MULTICAST | 1u << BSIM_RULE_REPLAY);
    bsim_result_free(&r);
}

/* ---- sites ---------------------------------------------------------------------------------- */

/* Defined in the order 7, 3 and, after an access without site, 5; reported as 3, 5, 7, then those
 * without a number by their spelling. */
static void sites_are_summed_and_put_in_order(void **state)
{
    (void)state;
    struct stream s = started(NULL);
    ok(&s, stream_kernel(&s, "k", 32, NULL));
    ok(&s, stream_site(&s, 7, "ld.shared.u32", "a.cu", 12, "x = t[i]"));
    ok(&s, stream_site(&s, 3, "st.shared.u32", NULL, 0, NULL));
    ok(&s, stream_block(&s, 0));
    ok(&s, stream_at_site(&s, 0, 0, 0, 8));
    ok(&s, stream_access(&s, 0, "st.shared.u32", 0, 128));
    ok(&s, stream_access(&s, 0, "ld.shared.u32", 0, 128));
    ok(&s, stream_site(&s, 5, "ld.global.u32", NULL, 0, NULL));
    ok(&s, stream_at_site(&s, 0, 2, 0, 4));
    ok(&s, stream_at_site(&s, 0, 1, 0, 4));
    ok(&s, stream_at_site(&s, 0, 0, 0, 4));
    ok(&s, stream_access(&s, 0, "st.shared.u32", 0, 4));
    struct bsim_result r = finished(&s);
    static const struct {
        uint32_t number;
        uint64_t requests, wavefronts;
        uint32_t ways_min, ways_max;
    } expected[] = {
        {3, 1, 1, 1, 1}, {5, 1, 0, 0, 0}, {7, 2, 3, 1, 2}, {0, 1, 32, 32, 32}, {0, 2, 33, 1, 32},
    };
    const struct bsim_site_result *site = r.kernels[0].sites;
    assert_int_equal(r.kernels[0].n_sites, 5);
    for (size_t i = 0; i < 5; i++) {
        if (site[i].number != expected[i].number || site[i].requests != expected[i].requests ||
            site[i].tally.wavefronts != expected[i].wavefronts ||
            site[i].tally.ways_min != expected[i].ways_min ||
            site[i].tally.ways_max != expected[i].ways_max) {
            fail_msg("place %zu: site %u, %u requests, %u wavefronts, ways %u to %u", i,
                     (unsigned)site[i].number, (unsigned)site[i].requests,
                     (unsigned)site[i].tally.wavefronts, (unsigned)site[i].tally.ways_min,
                     (unsigned)site[i].tally.ways_max);
        }
    }
    assert_string_equal(site[2].file, "a.cu");
    assert_int_equal(site[2].line, 12);
    assert_string_equal(site[2].text, "x = t[i]");
    assert_null(site[0].file);
    assert_int_equal(site[3].opcode.family, BSIM_LD);
    assert_int_equal(site[4].opcode.family, BSIM_ST);
    bsim_result_free(&r);
}

/* ---- devices -------------------------------------------------------------------------------- */

/* Stride 128 has 32-way conflicts on 4-byte banks; on Kepler two neighbours share an 8-byte row: 16
 * passes, as counted on a K40 (Professional CUDA C Programming, chapter 5). Its replays are the
 * passes after the first. */
static void the_trace_names_the_device(void **state)
{
    (void)state;
    static const struct {
        const char *device, *name;
        uint32_t wavefronts, replays;
    } cases[] = {
        {NULL, "sm_90", 32, 0},   {"sm_90", "sm_90", 32, 0}, {"H200", "sm_90", 32, 0},
        {"k40", "sm_35", 16, 15}, {"sm_52", "sm_52", 32, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct stream s = in_block(32, cases[i].device);
        ok(&s, stream_access(&s, 0, "ld.shared.u32", 0, 128));
        struct bsim_result r = finished(&s);
        struct bsim_tally total = bsim_kernel_total(&r.kernels[0]);
        assert_string_equal(r.kernels[0].device.name, cases[i].name);
        assert_int_equal(total.wavefronts, cases[i].wavefronts);
        assert_int_equal(total.replays, cases[i].replays);
        bsim_result_free(&r);
    }
}

static void the_options_overrule_the_trace(void **state)
{
    (void)state;
    struct bsim_device k40;
    assert_int_equal(bsim_device_find("k40", NULL, &k40, NULL), BSIM_OK);
    struct bsim_sim_options options = {.device = &k40};
    struct stream s = started(&options);
    memset(&k40, 0, sizeof k40); /* it has been copied */
    ok(&s, stream_kernel(&s, "a", 32, "sm_90"));
    ok(&s, stream_kernel(&s, "b", 32, "no such device"));
    ok(&s, stream_kernel(&s, "c", 32, NULL));
    struct bsim_result r = finished(&s);
    for (size_t i = 0; i < r.n_kernels; i++) {
        assert_string_equal(r.kernels[i].device.name, "sm_35");
    }
    bsim_result_free(&r);
}

/* A bank width alone holds on whatever device the trace names. */
static void the_width_alone_goes_with_the_traces_device(void **state)
{
    (void)state;
    struct bsim_sim_options options = {.device_options = {.bank_width = 8}};
    struct stream s = started(&options);
    ok(&s, stream_kernel(&s, "k", 32, "k40"));
    assert_int_equal(stream_kernel(&s, "k", 32, "sm_70"), BSIM_E_USAGE);
    assert_non_null(strstr(s.err.message, "8-byte"));
    stream_drop(&s);
    s = started(&options);
    ok(&s, stream_kernel(&s, "k", 32, "k40"));
    struct bsim_result r = finished(&s);
    assert_int_equal(r.kernels[0].device.stride_bytes, 8);
    bsim_result_free(&r);
}

static void an_unknown_device_is_the_traces_fault(void **state)
{
    (void)state;
    struct stream s = started(NULL);
    assert_int_equal(stream_kernel(&s, "k", 32, "sm_91x"), BSIM_E_INPUT);
    assert_int_equal(s.err.status, BSIM_E_INPUT);
    assert_non_null(strstr(s.err.message, "sm_91x"));
    stream_drop(&s);
}

/* PTX ISA: ldmatrix from sm_75, stmatrix from sm_90. */
static void devices_refuse_what_they_do_not_execute(void **state)
{
    (void)state;
    static const struct {
        const char *device, *opcode;
        enum bsim_status status;
    } cases[] = {
        {"sm_70", "ldmatrix.sync.aligned.m8n8.x1.shared.b16", BSIM_E_INPUT},
        {"sm_75", "ldmatrix.sync.aligned.m8n8.x1.shared.b16", BSIM_OK},
        {"sm_80", "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16", BSIM_E_INPUT},
        {"sm_90", "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16", BSIM_OK},
        {"k40", "atom.shared.add.u32", BSIM_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct stream s = in_block(32, cases[i].device);
        enum bsim_status status = stream_access(&s, 0, cases[i].opcode, 0, 16);
        if (status != cases[i].status) {
            fail_msg("%s on %s: %s", cases[i].opcode, cases[i].device, status_name(status));
        }
        if (status != BSIM_OK) {
            assert_non_null(strstr(s.err.message, cases[i].device));
        }
        stream_drop(&s);
    }
}

/* ---- callbacks ------------------------------------------------------------------------------ */

struct heard {
    char text[2000];
    size_t n;
    size_t fail_at; /* the call that fails, counted from 1; 0: none */
};

static enum bsim_status hear(void *context, const struct bsim_request_result *request,
                             struct bsim_error *err)
{
    struct heard *heard = context;
    char opcode[BSIM_OPCODE_NAME_SIZE];
    size_t used = strlen(heard->text);
    if (++heard->n == heard->fail_at) {
        return bsim_error_set(err, BSIM_E_IO, "enough");
    }
    (void)snprintf(heard->text + used, sizeof heard->text - used,
                   "%u:%s b%u w%u #%u x%u L%u %s %u\n", (unsigned)request->kernel_index,
                   request->kernel->name, (unsigned)request->block.x, (unsigned)request->warp,
                   (unsigned)request->index, (unsigned)request->trips, (unsigned)request->line,
                   bsim_opcode_name(&request->event->opcode, opcode),
                   (unsigned)request->counts.wavefronts);
    return BSIM_OK;
}

/* index counts all events of the warp in its block; a repeat's body once. */
static void every_access_is_told(void **state)
{
    (void)state;
    struct heard heard = {.n = 0};
    struct bsim_sim_options options = {.context = &heard, .on_request = hear};
    struct stream s = started(&options);
    ok(&s, stream_kernel(&s, "k", 64, NULL));                                   /* line 1 */
    ok(&s, stream_block(&s, 4));                                                /* 2 */
    ok(&s, stream_access(&s, 0, "ld.shared.u32", 0, 4));                        /* 3: w0 #0 */
    ok(&s, stream_push(&s, BSIM_ALL_WARPS, stream_event("bar.sync", 0, 0, 0))); /* 4: #1, #0 */
    ok(&s, stream_repeat(&s, 2));                                               /* 5 */
    ok(&s, stream_repeat(&s, 3));                                               /* 6 */
    ok(&s, stream_access(&s, BSIM_ALL_WARPS, "st.shared.u32", 0, 8));           /* 7: #2, #1 */
    ok(&s, stream_push(&s, 1, stream_event("work", 0, 0, 0)));                  /* 8: w1 #2 */
    ok(&s, stream_done(&s));                                                    /* 9 */
    ok(&s, stream_done(&s));                                                    /* 10 */
    ok(&s, stream_access(&s, 1, "ld.global.u32", 0, 4));                        /* 11: w1 #3 */
    ok(&s, stream_block(&s, 5));                                                /* 12 */
    ok(&s, stream_access(&s, 1, "ld.shared.u32", 0, 128));                      /* 13: w1 #0 */
    ok(&s, stream_kernel(&s, "l", 32, NULL));                                   /* 14 */
    ok(&s, stream_block(&s, 0));                                                /* 15 */
    ok(&s, stream_access(&s, 0, "ld.shared.u32", 0, 4));                        /* 16 */
    struct bsim_result r = finished(&s);
    assert_string_equal(heard.text, "0:k b4 w0 #0 x1 L3 ld.shared.u32 1\n"
                                    "0:k b4 w0 #2 x6 L7 st.shared.u32 2\n"
                                    "0:k b4 w1 #1 x6 L7 st.shared.u32 2\n"
                                    "0:k b4 w1 #3 x1 L11 ld.global.u32 0\n"
                                    "0:k b5 w1 #0 x1 L13 ld.shared.u32 32\n"
                                    "1:l b0 w0 #0 x1 L16 ld.shared.u32 1\n");
    bsim_result_free(&r);
}

static void a_callback_that_fails_ends_it(void **state)
{
    (void)state;
    struct heard heard = {.fail_at = 2};
    struct bsim_sim_options options = {.context = &heard, .on_request = hear};
    struct stream s = started(&options);
    ok(&s, stream_kernel(&s, "k", 96, NULL));
    ok(&s, stream_block(&s, 0));
    assert_int_equal(stream_access(&s, BSIM_ALL_WARPS, "ld.shared.u32", 0, 4), BSIM_E_IO);
    assert_string_equal(s.err.message, "enough");
    assert_int_equal(heard.n, 2);
    stream_drop(&s);
}

/* ---- expectations ---------------------------------------------------------------------------- */

struct missed {
    size_t n;
    struct bsim_expectation last;
};

static void miss(void *context, const struct bsim_expectation *expectation)
{
    struct missed *missed = context;
    missed->n++;
    missed->last = *expectation;
}

static void expectations_are_checked(void **state)
{
    (void)state;
    static const struct {
        int32_t wavefronts, conflicts;
        uint64_t checked, failed;
        const char *key; /* of the last that failed */
        uint32_t actual;
    } cases[] = {
        /* of stride 8: 2 wavefronts, 1 conflict */
        {BSIM_ANY_COUNT, BSIM_ANY_COUNT, 0, 0, NULL, 0},
        {2, BSIM_ANY_COUNT, 1, 0, NULL, 0},
        {2, 1, 2, 0, NULL, 0},
        {1, BSIM_ANY_COUNT, 1, 1, "expect.wavefronts", 2},
        {BSIM_ANY_COUNT, 0, 1, 1, "expect.conflicts", 1},
        {0, 1, 2, 1, "expect.wavefronts", 2},
        {3, 3, 2, 2, "expect.conflicts", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct missed missed = {.n = 0};
        struct bsim_sim_options options = {.context = &missed, .on_expectation = miss};
        struct stream s = started(&options);
        struct bsim_event event = stream_event("ld.shared.u32", BSIM_FULL_MASK, 0, 8);
        event.expect_wavefronts = cases[i].wavefronts;
        event.expect_conflicts = cases[i].conflicts;
        ok(&s, stream_kernel(&s, "k", 64, NULL));
        ok(&s, stream_block(&s, 3));
        ok(&s, stream_push(&s, 1, event));
        struct bsim_result r = finished(&s);
        assert_int_equal(r.expectations, cases[i].checked);
        assert_int_equal(r.expectations_failed, cases[i].failed);
        assert_int_equal(missed.n, cases[i].failed);
        if (cases[i].key != NULL) {
            assert_string_equal(missed.last.key, cases[i].key);
            assert_int_equal(missed.last.actual, cases[i].actual);
            assert_int_equal(missed.last.line, 3);
            assert_int_equal(missed.last.warp, 1);
            assert_int_equal(missed.last.block.x, 3);
        }
        bsim_result_free(&r);
    }
}

/* One line is one expectation, however often it runs. */
static void an_expectation_counts_once(void **state)
{
    (void)state;
    struct stream s = in_block(1024, NULL);
    struct bsim_event event = stream_event("ld.shared.u32", BSIM_FULL_MASK, 0, 8);
    event.expect_wavefronts = 1;
    ok(&s, stream_repeat(&s, 1000));
    ok(&s, stream_push(&s, BSIM_ALL_WARPS, event));
    ok(&s, stream_done(&s));
    struct bsim_result r = finished(&s);
    assert_int_equal(r.expectations, 1);
    assert_int_equal(r.expectations_failed, 1);
    bsim_result_free(&r);
}

/* Sectors and constant passes are no wavefronts: 0 and 4 alike are refused. */
static void nothing_is_expected_of_other_spaces(void **state)
{
    (void)state;
    static const char *const opcodes[] = {"ld.global.u32", "st.global.v2.f32", "red.global.add.u32",
                                          "ld.const.u32"};
    for (size_t i = 0; i < 4 * sizeof opcodes / sizeof opcodes[0]; i++) {
        struct stream s = in_block(32, NULL);
        struct bsim_event event = stream_event(opcodes[i / 4], BSIM_FULL_MASK, 0, 8);
        *(i % 2 == 0 ? &event.expect_wavefronts : &event.expect_conflicts) = i % 4 < 2 ? 0 : 4;
        if (stream_push(&s, 0, event) != BSIM_E_INPUT ||
            strstr(s.err.message, opcodes[i / 4]) == NULL) {
            fail_msg("%s, case %zu: '%s'", opcodes[i / 4], i % 4, s.err.message);
        }
        stream_drop(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_class_is_summed_apart),
        cmocka_unit_test(matrix_forms_are_loads_and_stores),
        cmocka_unit_test(broadcasts_and_multicasts_are_counted),
        cmocka_unit_test(repeats_and_all_warps_multiply),
        cmocka_unit_test(a_started_warp_is_a_warp),
        cmocka_unit_test(other_spaces_have_no_wavefronts),
        cmocka_unit_test(kernels_and_blocks_are_kept_apart),
        cmocka_unit_test(turns_end_with_done),
        cmocka_unit_test(rules_that_took_part_are_kept),
        cmocka_unit_test(sites_are_summed_and_put_in_order),
        cmocka_unit_test(the_trace_names_the_device),
        cmocka_unit_test(the_options_overrule_the_trace),
        cmocka_unit_test(the_width_alone_goes_with_the_traces_device),
        cmocka_unit_test(an_unknown_device_is_the_traces_fault),
        cmocka_unit_test(devices_refuse_what_they_do_not_execute),
        cmocka_unit_test(every_access_is_told),
        cmocka_unit_test(a_callback_that_fails_ends_it),
        cmocka_unit_test(expectations_are_checked),
        cmocka_unit_test(an_expectation_counts_once),
        cmocka_unit_test(nothing_is_expected_of_other_spaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
