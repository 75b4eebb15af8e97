/* test_sim_spaces.c - what the simulator sums of global, local and constant memory and of textures.
 *
 * Everything that is expected follows from these requests of 32 active lanes; a sector has 32
 * bytes, a line 128:
 *
 *     ld.global.u32    0+4     bytes 0 to 127: 4 sectors, 1 line
 *     ld.global.u32    4+4     bytes 4 to 131: 5 sectors, 2 lines
 *     st.global.u32    0+32    a sector each: 32 sectors; 1024 bytes: 8 lines
 *     st.global.v4.f32 0+16    512 bytes: 16 sectors, 4 lines
 *     red.global.u32   0+0     1 sector 32 times, one round per lane, 1 line
 *     ld.const.u32     0+4     32 words: 32 passes; 0+0: 1 pass
 *     ld.local.u32     8+0     one word of each lane, side by side: 4 sectors, 1 line
 *     ld.local.v4.u32  16+0    four of them: 16 sectors, 4 lines
 *     st.local.u32     0+4     word l of lane l, each on a line of its own: 32 sectors, 32 lines
 *     tex.1d.f32       0+0     a sector for each 8 lanes: 4, 1 line
 *     tex.1d.v4.f32    0+16    8 lanes have 2 sectors for each 4: 16, 4 lines
 *     ld.shared::cluster.u32    0+4     4 sectors come, 1 line is asked for: 5 packets
 *     st.shared::cluster.v4.u32 0+16    16 sectors, 4 lines; whole sectors: 16 packets
 *
 * From sm_70 on nvprof counted sectors as transactions. */
#include "stream.h"

#include "result/result.h"
#include "sim/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void ok(struct stream *stream, enum bsim_status status)
{
    if (status != BSIM_OK) {
        fail_msg("record %u: %s", (unsigned)stream->line, stream->err.message);
    }
}

/* A stream that stands in the first block of a kernel with that many threads. */
static struct stream in_block(uint32_t threads, const char *device)
{
    struct stream stream;
    assert_true(stream_simulate(&stream, NULL));
    ok(&stream, stream_kernel(&stream, "k", threads, device));
    ok(&stream, stream_block(&stream, 0));
    return stream;
}

static struct bsim_result finished(struct stream *stream)
{
    struct bsim_result result;
    ok(stream, stream_finish(stream, &result));
    return result;
}

static void same_global(const char *what, struct bsim_global_tally got,
                        struct bsim_global_tally expected)
{
    if (memcmp(&got, &expected, sizeof got) != 0) {
        fail_msg("%s: %u requests, %u sectors, %u lines, %u transactions, asked %u, %u wavefronts",
                 what, (unsigned)got.requests, (unsigned)got.sectors, (unsigned)got.lines,
                 (unsigned)got.transactions, (unsigned)got.bytes_asked, (unsigned)got.wavefronts);
    }
}

/* ---- sums ----------------------------------------------------------------------------------- */

static void each_class_is_summed_apart(void **state)
{
    (void)state;
    struct stream s = in_block(32, NULL);
    ok(&s, stream_access(&s, 0, "ld.global.u32", 0, 4));
    ok(&s, stream_access(&s, 0, "ld.global.u32", 4, 4));
    ok(&s, stream_access(&s, 0, "st.global.u32", 0, 32));
    ok(&s, stream_access(&s, 0, "st.global.v4.f32", 0, 16));
    ok(&s, stream_access(&s, 0, "red.global.add.u32", 0, 0));
    ok(&s, stream_access(&s, 0, "atom.global.cas.b64", 0, 8)); /* 256 bytes: 8 sectors, 2 lines */
    ok(&s, stream_access(&s, 0, "ld.const.u32", 0, 4));
    ok(&s, stream_access(&s, 0, "ld.const.u32", 0, 0));
    struct bsim_result r = finished(&s);
    const struct bsim_kernel_result *k = &r.kernels[0];
    same_global("loads", k->global[BSIM_LOADS],
                (struct bsim_global_tally){2, 4 + 5, 1 + 2, 4 + 5, 256, 1 + 1, 0});
    same_global("stores", k->global[BSIM_STORES],
                (struct bsim_global_tally){2, 32 + 16, 8 + 4, 32 + 16, 128 + 512, 8 + 4, 0});
    same_global("atomics", k->global[BSIM_ATOMICS],
                (struct bsim_global_tally){2, 32 + 8, 1 + 2, 32 + 8, 128 + 256, 1 + 2, 0});
    assert_int_equal(k->constant_requests, 2);
    assert_int_equal(k->constant_passes, 33);
    assert_int_equal(k->other_requests, 8);
    assert_int_equal(bsim_kernel_total(k).requests, 0);
    bsim_result_free(&r);
}

/* Through the read-only cache and with one address for all it is global memory still; local memory
 * and textures are sums of their own. On Kepler nvprof had the first apart. */
static void other_ways_to_memory(void **state)
{
    (void)state;
    static const char *const device[] = {"sm_90", "sm_35"};
    for (uint32_t d = 0; d < 2; d++) {
        struct stream s = in_block(32, device[d]);
        ok(&s, stream_access(&s, 0, "ld.global.nc.u32", 4, 4));
        ok(&s, stream_access(&s, 0, "ldu.global.u32", 0, 0));
        ok(&s, stream_access(&s, 0, "ld.local.u32", 8, 0));
        ok(&s, stream_access(&s, 0, "ld.local.v4.u32", 16, 0));
        ok(&s, stream_access(&s, 0, "st.local.u32", 0, 4));
        ok(&s, stream_access(&s, 0, "tex.1d.f32", 0, 0));
        ok(&s, stream_access(&s, 0, "tex.1d.v4.f32", 0, 16));
        struct bsim_result r = finished(&s);
        const struct bsim_kernel_result *k = &r.kernels[0];
        same_global("global loads", k->global[BSIM_LOADS],
                    (struct bsim_global_tally){2, 5 + 1, 2 + 1, d == 0 ? 5 + 1 : 1, 256, 2, 0});
        same_global("local loads", bsim_kernel_space(k, BSIM_LOCAL, BSIM_LOADS),
                    (struct bsim_global_tally){2, 4 + 16, 1 + 4, 0, 128 + 512, 0, 0});
        same_global("local stores", bsim_kernel_space(k, BSIM_LOCAL, BSIM_STORES),
                    (struct bsim_global_tally){1, 32, 32, 0, 128, 0, 0});
        same_global("textures", bsim_kernel_space(k, BSIM_TEXTURE, BSIM_LOADS),
                    (struct bsim_global_tally){2, 4 + 16, 1 + 4, 0, 128 + 512, 0, 0});
        assert_int_equal(k->other_requests, 7);
        assert_int_equal(k->constant_requests, 0);
        assert_int_equal(bsim_kernel_total(k).requests, 0);
        bsim_result_free(&r);
    }
}

/* Other blocks' shared memory is none of the block's own: it has no wavefronts. */
static void peers_are_counted_in_sectors(void **state)
{
    (void)state;
    struct stream s = in_block(32, "h200");
    ok(&s, stream_access(&s, 0, "ld.shared::cluster.u32", 0, 4));
    ok(&s, stream_access(&s, 0, "ld.shared::cluster.u32", 4096, 4)); /* as good, elsewhere */
    ok(&s, stream_access(&s, 0, "st.shared::cluster.v4.u32", 0, 16));
    ok(&s, stream_access(&s, 0, "atom.shared::cluster.add.u32", 0, 4));
    struct bsim_result r = finished(&s);
    const struct bsim_kernel_result *k = &r.kernels[0];
    same_global("loads", bsim_kernel_space(k, BSIM_PEER, BSIM_LOADS),
                (struct bsim_global_tally){2, 8, 2, 0, 256, 0, 10});
    same_global("stores", bsim_kernel_space(k, BSIM_PEER, BSIM_STORES),
                (struct bsim_global_tally){1, 16, 4, 0, 512, 0, 16});
    same_global("atomics", bsim_kernel_space(k, BSIM_PEER, BSIM_ATOMICS),
                (struct bsim_global_tally){1, 4, 1, 0, 128, 0, 9}); /* a head, 4 sectors there, 4 back */
    assert_int_equal(k->other_requests, 4);
    assert_int_equal(bsim_kernel_total(k).requests, 0);
    assert_true(k->rules >> BSIM_RULE_PEER & 1);
    bsim_result_free(&r);
    struct stream old = in_block(32, "a100");
    assert_int_equal(stream_access(&old, 0, "ld.shared::cluster.u32", 0, 4), BSIM_E_INPUT);
    bsim_sim_free(old.sim);
}

/* Bytes 4096 to 69631 are 64 KB; the fourth request is in front of them. */
static void constants_have_64_kb(void **state)
{
    (void)state;
    static const uint32_t at[] = {8192, 4096, 69628, 4092};
    for (size_t n = 1; n <= 4; n++) {
        struct stream s = in_block(32, NULL);
        for (size_t i = 0; i < n; i++) {
            ok(&s, stream_access(&s, 0, "ld.const.u32", at[i], 0));
        }
        struct bsim_result r = finished(&s);
        struct bsim_error err;
        enum bsim_status status = bsim_result_check_constants(&r, &err);
        assert_int_equal(status, n < 4 ? BSIM_OK : BSIM_E_INPUT);
        assert_true(n < 4 || strstr(err.message, "from byte 4092 to 69631") != NULL);
        bsim_result_free(&r);
    }
    struct stream s = in_block(32, NULL);
    ok(&s, stream_access(&s, 0, "ld.const.v2.u32", 0, 2112)); /* lane 31: 65472 to 65479 */
    assert_int_equal(stream_access(&s, 0, "ld.const.v2.u32", 0, 2120), BSIM_E_INPUT);
    bsim_sim_free(s.sim);
}

/* 2 warps; 3 turns of (5 turns of both warps' load and constant load, 1 store of warp 1): 30 loads,
 * 30 constant loads, 3 stores. One load more behind. */
static void repeats_and_all_warps_multiply(void **state)
{
    (void)state;
    struct stream s = in_block(64, NULL);
    ok(&s, stream_repeat(&s, 3));
    ok(&s, stream_repeat(&s, 5));
    ok(&s, stream_access(&s, BSIM_ALL_WARPS, "ld.global.u32", 4, 4));
    ok(&s, stream_access(&s, BSIM_ALL_WARPS, "ld.const.u32", 0, 4));
    ok(&s, stream_done(&s));
    ok(&s, stream_access(&s, 1, "st.global.u32", 0, 32));
    ok(&s, stream_done(&s));
    ok(&s, stream_access(&s, 0, "ld.global.u32", 0, 4));
    struct bsim_result r = finished(&s);
    const struct bsim_kernel_result *k = &r.kernels[0];
    same_global("loads", k->global[BSIM_LOADS],
                (struct bsim_global_tally){31, 30 * 5 + 4, 30 * 2 + 1, 30 * 5 + 4, 31 * 128, 31, 0});
    same_global("stores", k->global[BSIM_STORES],
                (struct bsim_global_tally){3, 96, 24, 96, 3 * 128, 24, 0});
    assert_int_equal(k->constant_requests, 30);
    assert_int_equal(k->constant_passes, 30 * 32);
    assert_int_equal(k->other_requests, 31 + 3 + 30);
    assert_int_equal(k->n_sites, 3); /* by name: ld.const, ld.global, st.global */
    assert_int_equal(k->sites[0].constant_passes, 30 * 32);
    assert_int_equal(k->sites[0].requests, 30);
    same_global("the site of loads", k->sites[1].global, k->global[BSIM_LOADS]);
    same_global("the site of stores", k->sites[2].global, k->global[BSIM_STORES]);
    bsim_result_free(&r);
}

static void sites_have_their_own_sums(void **state)
{
    (void)state;
    struct stream s;
    assert_true(stream_simulate(&s, NULL));
    ok(&s, stream_kernel(&s, "k", 32, NULL));
    ok(&s, stream_site(&s, 1, "ld.global.u32", NULL, 0, NULL));
    ok(&s, stream_site(&s, 2, "ld.const.u32", NULL, 0, NULL));
    ok(&s, stream_site(&s, 3, "ld.shared.u32", NULL, 0, NULL));
    ok(&s, stream_block(&s, 0));
    ok(&s, stream_at_site(&s, 0, 0, 0, 4));
    ok(&s, stream_at_site(&s, 0, 0, 4, 4));
    ok(&s, stream_at_site(&s, 0, 1, 0, 4));
    ok(&s, stream_at_site(&s, 0, 1, 0, 0));
    ok(&s, stream_at_site(&s, 0, 2, 0, 4));
    ok(&s, stream_access(&s, 0, "ld.global.u32", 0, 32)); /* without a site */
    struct bsim_result r = finished(&s);
    const struct bsim_site_result *site = r.kernels[0].sites;
    assert_int_equal(r.kernels[0].n_sites, 4);
    same_global("site 1", site[0].global, (struct bsim_global_tally){2, 9, 3, 9, 256, 2, 0});
    same_global("site 2", site[1].global, (struct bsim_global_tally){0});
    same_global("site 3", site[2].global, (struct bsim_global_tally){0});
    same_global("no site", site[3].global, (struct bsim_global_tally){1, 32, 8, 32, 128, 8, 0});
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(site[i].constant_passes, i == 1 ? 33 : 0);
        assert_int_equal(site[i].tally.requests, i == 2 ? 1 : 0);
    }
    assert_int_equal(site[1].requests, 2);
    bsim_result_free(&r);
}

/* ---- nvprof --------------------------------------------------------------------------------- */

/* 2 loads of a line, a store of 32 sectors, an atomic (which is not a store). */
static void nvprof_counts_as_the_device_did(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        uint64_t gld, gst;
    } cases[] = {
        {"sm_35", 2, 8},   /* lines */
        {"sm_50", 34, 32}, /* 4 per quarter-warp, twice, and 2; half-warps of 16 sectors */
        {"sm_52", 34, 32}, {"sm_60", 34, 32}, {"sm_61", 34, 32},  {"sm_70", 8, 32},
        {"sm_75", 8, 32},  {"sm_90", 8, 32},  {"generic", 8, 32},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct stream s = in_block(64, cases[i].device);
        ok(&s, stream_access(&s, BSIM_ALL_WARPS, "ld.global.u32", 0, 4));
        ok(&s, stream_access(&s, 0, "st.global.u32", 0, 32));
        ok(&s, stream_access(&s, 0, "red.global.add.u32", 0, 32));
        struct bsim_result r = finished(&s);
        uint64_t gld = bsim_kernel_gld_transactions(&r.kernels[0]);
        uint64_t gst = r.kernels[0].global[BSIM_STORES].transactions;
        if (gld != cases[i].gld || gst != cases[i].gst) {
            fail_msg("%s: gld %u, gst %u", cases[i].device, (unsigned)gld, (unsigned)gst);
        }
        bsim_result_free(&r);
    }
}

/* 1024 x 1024 words copied by 16 x 16 blocks, 32,768 warps of two rows of 16 words: nvprof counted
 * 524,290 loads and 131,072 stores on a Tegra X1, and 1,048,576 stores where they go down the
 * columns (matrixTransposeCUDA, report of 2022-05-23). */
static void a_published_copy_is_reproduced(void **state)
{
    (void)state;
    struct stream s = in_block(256, "sm_50");
    struct bsim_event rows = stream_event("st.global.f32", BSIM_FULL_MASK, 0, 0);
    struct bsim_event columns = rows;
    rows.affine = columns.affine = false;
    for (uint32_t lane = 0; lane < 32; lane++) {
        rows.address[lane] = lane % 16 * 4 + lane / 16 * 4096;
        columns.address[lane] = lane % 16 * 4096 + lane / 16 * 4;
    }
    ok(&s, stream_repeat(&s, 4096));
    ok(&s, stream_access(&s, BSIM_ALL_WARPS, "ld.global.f32", 0, 4));
    ok(&s, stream_push(&s, BSIM_ALL_WARPS, rows));
    ok(&s, stream_done(&s));
    ok(&s, stream_kernel(&s, "columns", 256, "sm_50"));
    ok(&s, stream_block(&s, 0));
    ok(&s, stream_repeat(&s, 4096));
    ok(&s, stream_push(&s, BSIM_ALL_WARPS, columns));
    ok(&s, stream_done(&s));
    struct bsim_result r = finished(&s);
    assert_int_equal(bsim_kernel_gld_transactions(&r.kernels[0]), 524290);
    assert_int_equal(r.kernels[0].global[BSIM_STORES].transactions, 131072);
    assert_int_equal(r.kernels[1].global[BSIM_STORES].transactions, 1048576);
    bsim_result_free(&r);
}

/* Pascal's 2 more are for each kernel that loads, not for each load, and not without one. */
static void the_kernels_own_loads_come_once(void **state)
{
    (void)state;
    struct stream s = in_block(32, "gt1030");
    ok(&s, stream_access(&s, 0, "st.global.u32", 0, 4));
    ok(&s, stream_access(&s, 0, "red.global.add.u32", 0, 4));
    ok(&s, stream_access(&s, 0, "ld.const.u32", 0, 4));
    ok(&s, stream_kernel(&s, "one thread", 32, "gt1030"));
    ok(&s, stream_block(&s, 0));
    ok(&s, stream_push(&s, 0, stream_event("ld.global.u32", 1, 0, 4)));
    ok(&s, stream_kernel(&s, "three", 32, "gt1030"));
    ok(&s, stream_block(&s, 0));
    ok(&s, stream_repeat(&s, 3));
    ok(&s, stream_access(&s, 0, "ld.global.u32", 0, 4));
    ok(&s, stream_done(&s));
    struct bsim_result r = finished(&s);
    assert_int_equal(bsim_kernel_gld_transactions(&r.kernels[0]), 0);
    assert_int_equal(bsim_kernel_gld_transactions(&r.kernels[1]), 4 + 2);
    assert_int_equal(bsim_kernel_gld_transactions(&r.kernels[2]), 3 * 16 + 2);
    struct bsim_result twice = {0};
    assert_int_equal(bsim_result_merge(&twice, &r, NULL), BSIM_OK);
    assert_int_equal(bsim_result_merge(&twice, &r, NULL), BSIM_OK);
    assert_int_equal(bsim_kernel_gld_transactions(&twice.kernels[0]), 0);
    assert_int_equal(bsim_kernel_gld_transactions(&twice.kernels[2]), 6 * 16 + 2);
    bsim_result_free(&twice);
    bsim_result_free(&r);
}

/* ---- requests ------------------------------------------------------------------------------- */

struct heard {
    char text[1000];
};

static enum bsim_status hear(void *context, const struct bsim_request_result *request,
                             struct bsim_error *err)
{
    (void)err;
    struct heard *heard = context;
    char opcode[BSIM_OPCODE_NAME_SIZE];
    size_t used = strlen(heard->text);
    (void)snprintf(heard->text + used, sizeof heard->text - used, "%s: %u; %u %u %u %u; %u\n",
                   bsim_opcode_name(&request->event->opcode, opcode),
                   (unsigned)request->counts.wavefronts, (unsigned)request->global.sectors,
                   (unsigned)request->global.lines, (unsigned)request->global.transactions,
                   (unsigned)request->global.bytes_asked, (unsigned)request->constant_passes);
    return BSIM_OK;
}

/* Each request has the counts of its own space; those of the others are zero, also after a request
 * that had them. */
static void each_request_is_told(void **state)
{
    (void)state;
    struct heard heard = {.text = ""};
    struct bsim_sim_options options = {.context = &heard, .on_request = hear};
    struct stream s;
    assert_true(stream_simulate(&s, &options));
    ok(&s, stream_kernel(&s, "k", 32, "k40"));
    ok(&s, stream_block(&s, 0));
    ok(&s, stream_access(&s, 0, "ld.global.u32", 4, 4));
    ok(&s, stream_access(&s, 0, "ld.const.u32", 0, 4));
    ok(&s, stream_access(&s, 0, "ld.shared.u32", 0, 4));
    ok(&s, stream_repeat(&s, 9));
    ok(&s, stream_access(&s, 0, "st.global.u32", 0, 32));
    ok(&s, stream_done(&s));
    struct bsim_result r = finished(&s);
    assert_string_equal(heard.text, "ld.global.u32: 0; 5 2 2 128; 0\n"
                                    "ld.const.u32: 0; 0 0 0 0; 32\n"
                                    "ld.shared.u32: 1; 0 0 0 0; 0\n"
                                    "st.global.u32: 0; 32 8 8 128; 0\n");
    bsim_result_free(&r);
}

/* ---- rules ---------------------------------------------------------------------------------- */

static uint32_t bit(enum bsim_rule rule)
{
    return UINT32_C(1) << rule;
}

static void rules_of_every_space_are_kept(void **state)
{
    (void)state;
    const uint32_t global = bit(BSIM_RULE_SECTORS) | bit(BSIM_RULE_NVPROF);
    const struct {
        const char *opcode;
        uint32_t rules, shared;
    } cases[] = {
        {"bar.sync", 0, 0},
        {"ld.shared.u32", bit(BSIM_RULE_BANKS), bit(BSIM_RULE_BANKS)},
        {"ld.global.u32", global, 0},
        {"st.global.v4.f32", global, 0},
        {"atom.global.add.u32", global, 0},
        {"ld.const.u32", bit(BSIM_RULE_CONSTANT), 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct stream s = in_block(32, NULL);
        ok(&s, stream_access(&s, 0, cases[i].opcode, 0, 16));
        ok(&s, stream_kernel(&s, "idle", 32, NULL));
        struct bsim_result r = finished(&s);
        if (r.kernels[0].rules != cases[i].rules || r.kernels[1].rules != 0 ||
            bsim_kernel_total(&r.kernels[0]).rules != cases[i].shared) {
            fail_msg("%s: rules %x", cases[i].opcode, (unsigned)r.kernels[0].rules);
        }
        bsim_result_free(&r);
    }
}

/* They add up; on Kepler a conflict brings the rule of replays. */
static void rules_add_up(void **state)
{
    (void)state;
    struct stream s = in_block(32, "k40");
    ok(&s, stream_access(&s, 0, "ld.shared.u32", 0, 256));
    ok(&s, stream_access(&s, 0, "ld.const.u32", 0, 4));
    ok(&s, stream_access(&s, 0, "st.global.u32", 0, 4));
    struct bsim_result r = finished(&s);
    assert_int_equal(r.kernels[0].rules, bit(BSIM_RULE_BANKS) | bit(BSIM_RULE_REPLAY) |
                                             bit(BSIM_RULE_SECTORS) | bit(BSIM_RULE_NVPROF) |
                                             bit(BSIM_RULE_CONSTANT));
    bsim_result_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_class_is_summed_apart),
        cmocka_unit_test(other_ways_to_memory),
        cmocka_unit_test(peers_are_counted_in_sectors),
        cmocka_unit_test(constants_have_64_kb),
        cmocka_unit_test(repeats_and_all_warps_multiply),
        cmocka_unit_test(sites_have_their_own_sums),
        cmocka_unit_test(nvprof_counts_as_the_device_did),
        cmocka_unit_test(a_published_copy_is_reproduced),
        cmocka_unit_test(the_kernels_own_loads_come_once),
        cmocka_unit_test(each_request_is_told),
        cmocka_unit_test(rules_of_every_space_are_kept),
        cmocka_unit_test(rules_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
