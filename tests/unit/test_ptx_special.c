/* test_ptx_special.c - kernels in PTX that ask where they are, and instructions that do nothing that can be
 * seen, or are not run. */
#include "ptx_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

/* clang-format off */
#define BEGIN                                                                                        \
    ".version 8.5\n.target sm_90\n.address_size 64\n.shared .align 4 .b8 s[100];\n"                    \
    ".visible .entry k(.param .u64 p) {\n .reg .pred %p<4>;\n .reg .b32 %r<16>;\n .reg .b64 %rd<8>;\n" \
    " ld.param.u64 %rd1, [p];\n mov.u32 %r0, %tid.x;\n mul.wide.u32 %rd2, %r0, 4;\n"                 \
    " add.s64 %rd0, %rd1, %rd2;\n st.shared.u32 [s], %r0;\n"
#define END " st.global.u32 [%rd0], %r1;\n ret;\n}\n"
/* clang-format on */

static void expect_special(const char *special, uint32_t due)
{
    char text[2048];
    snprintf(text, sizeof text, "%s mov.u32 %%r1, %s;\n%s", BEGIN, special, END);
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<dim3(3, 2), 32, 28>>>(int[32])");
    if (run.out[0] != due) {
        fail_msg("%s is %u, not %u", special, (unsigned)run.out[0], (unsigned)due);
    }
    collect_free(&run.collect);
}

/* The last block's, of a grid of 3 x 2: each block is a cluster of one. An H200 says 288 and 1024 of what it
 * reserves of shared memory, and that this is no part of the total. */
static void a_block_knows_its_place(void **state)
{
    (void)state;
    expect_special("%clusterid.x", 2);
    expect_special("%clusterid.y", 1);
    expect_special("%nclusterid.x", 3);
    expect_special("%nclusterid.z", 1);
    expect_special("%cluster_ctaid.y", 0);
    expect_special("%cluster_nctaid.z", 1);
    expect_special("%total_smem_size", 128);
    expect_special("%aggr_smem_size", 1152);
    expect_special("%reserved_smem_offset_cap", 1024);
    expect_special("%reserved_smem_offset_1", 128);
    expect_special("%reserved_smem_offset_end", 128 + 288);
}

/* Cooperative groups find zeros there; what they do in it are accesses of shared memory. */
static void reserved_memory_is_there(void **state)
{
    (void)state;
    static const char text[] =
        BEGIN " mov.u32 %r2, %reserved_smem_offset_1;\n ld.shared.u32 %r3, [%r2+284];\n"
              " st.shared.u32 [%r2+284], %r0;\n ld.shared.u32 %r4, [%r2+284];\n"
              " ld.shared.u32 %r5, [s];\n shl.b32 %r4, %r4, 16;\n add.u32 %r1, %r3, "
              "%r4;\n add.u32 %r1, %r1, %r5;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<2, 32>>>(int[32])");
    assert_int_equal(run.out[0], 31 << 16 | 31);
    assert_int_equal(ptx_count_events(&run, "ld.shared"), 6);
    collect_free(&run.collect);
    ptx_run_launch(&run, BEGIN " ld.shared.u32 %r1, [s+128];\n" END, "k<<<1, 32>>>(int[32])");
    assert_int_equal(run.status, BSIM_E_KERNEL); /* but for kernels that ask */
    collect_free(&run.collect);
}

static void what_cannot_be_seen_is_passed_over(void **state)
{
    (void)state;
    static const char text[] =
        BEGIN " createpolicy.fractional.L2::evict_last.b64 %rd3, 0f3F800000;\n"
              " griddepcontrol.wait;\n griddepcontrol.launch_dependents;\n"
              " fence.mbarrier_init.release.cluster;\n fence.proxy.alias;\n"
              " cp.async.bulk.prefetch.L2.global [%rd1], 16;\n prefetch.tensormap [%rd1];\n"
              " cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%rd1, {%r1, %r2}];\n mov.u32 %r1, 5;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32])");
    assert_int_equal(run.out[31], 5);
    assert_int_equal(ptx_count_events(&run, "fence"), 0);
    collect_free(&run.collect);
}

/* Lane l has the elements 2 l and 2 l + 1 of 64, in rows of 8. */
static void a_matrix_is_turned(void **state)
{
    (void)state;
    static const char text[] = BEGIN " shl.b32 %r2, %r0, 1;\n add.u32 %r3, %r2, 1;\n shl.b32 %r3, "
                                     "%r3, 16;\n or.b32 %r1, %r2, %r3;\n"
                                     " movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r1;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32])");
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t row = i / 8, column = i % 8;
        assert_int_equal(run.out[i / 2] >> 16 * (i % 2) & 0xffff, column * 8 + row);
    }
    collect_free(&run.collect);
}

/* A block that is in no cluster is one of its own: all of rank 0, and its own memory. */
static void a_block_may_be_alone_in_its_cluster(void **state)
{
    (void)state;
    static const char text[] = BEGIN " .shared .align 4 .b8 t[128];\n mov.u32 %r2, t;\n shl.b32 %r3, %r0, 2;\n"
                                     " add.u32 %r2, %r2, %r3;\n mapa.shared::cluster.u32 %r3, %r2, 0;\n"
                                     " st.shared::cluster.u32 [%r3], %r0;\n barrier.cluster.arrive.release.aligned;\n"
                                     " barrier.cluster.wait.acquire.aligned;\n ld.shared.u32 %r1, [%r2];\n"
                                     " getctarank.shared::cluster.u32 %r3, %r3;\n add.u32 %r1, %r1, %r3;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<2, 32>>>(int[32])");
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(run.out[l], l);
    }
    assert_int_equal(ptx_count_events(&run, "st.shared.u32"), 4); /* of two blocks, by BEGIN and here */
    collect_free(&run.collect);
}

static void what_is_not_run_says_so(void **state)
{
    (void)state;
    static const char beside[] = "(tcgen05, tensormap) are not run here";
    static const char async[] = ".async' is not known here, or not in this form";
    static const struct {
        const char *text, *told;
    } cases[] = {
        {BEGIN " tensormap.replace.tile.global_address.global.b1024.b64 [%rd1], %rd2;\n" END, beside},
        {BEGIN " tcgen05.wait::ld.sync.aligned;\n" END, beside},
        {BEGIN " red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.s64 [%r1], %rd1, [%r3];\n" END, async},
        {BEGIN " st.async.shared::cluster.u32 [%r1], %r2, [%r3];\n" END, async},
        {BEGIN " vadd.u32.u32.u32 %r1.b2, %r2.b0, %r3.h1, %r1;\n" END, "'.b2' is not known here"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char message[1024];
        struct ptx_run run;
        ptx_run_launch(&run, cases[i].text, "k<<<1, 32>>>(int[32])");
        assert_int_equal(run.status, BSIM_E_INPUT);
        assert_non_null(strstr(bsim_error_text(&run.err, message, sizeof message), cases[i].told));
        collect_free(&run.collect);
    }
}

/* Nor is it asked for where it is not executed. */
static void what_is_not_executed_is_not_refused(void **state)
{
    (void)state;
    struct ptx_run run;
    ptx_expect_run(&run,
                   BEGIN " mov.u32 %r1, 3;\n bra.uni OVER;\n"
                         " vadd.u32.u32.u32 %r1.b2, %r2.b0, %r3.h1, %r1;\n OVER:\n" END,
                   "k<<<1, 32>>>(int[32])");
    assert_int_equal(run.out[0], 3);
    collect_free(&run.collect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_knows_its_place),
        cmocka_unit_test(reserved_memory_is_there),
        cmocka_unit_test(what_cannot_be_seen_is_passed_over),
        cmocka_unit_test(a_matrix_is_turned),
        cmocka_unit_test(a_block_may_be_alone_in_its_cluster),
        cmocka_unit_test(what_is_not_run_says_so),
        cmocka_unit_test(what_is_not_executed_is_not_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
