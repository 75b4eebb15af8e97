/* test_ptx_flow.c - kernels in PTX: how lanes part and meet, barriers, calls, memory, what is
 * refused. The texts are written by hand; what must come out is computed beside them in C, or
 * follows from PTX ISA 9.0 by reading. */
#include "ptx_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
/* k(unsigned *out): %rd0 is out + thread, %r0 the thread, and registers to use. */
#define BEGIN                                                                        \
    ".visible .entry k(.param .u64 p) {\n"                                           \
    " .reg .pred %p<8>;\n .reg .b32 %r<16>;\n .reg .b64 %rd<8>;\n"                   \
    " ld.param.u64 %rd1, [p];\n mov.u32 %r0, %tid.x;\n mul.wide.u32 %rd2, %r0, 4;\n" \
    " add.s64 %rd0, %rd1, %rd2;\n"
#define END " st.global.u32 [%rd0], %r1;\n ret;\n}\n"

/* ---- lanes part and meet --------------------------------------------------------------------- */

/* if (t & 1) { if (t & 2) r = 1; else r = 2; } else r = 3; the store is executed by all at once. */
static void nested_branches_meet(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " and.b32 %r2, %r0, 1;\n setp.eq.u32 %p0, %r2, 0;\n @%p0 bra EVEN;\n"
                   " and.b32 %r2, %r0, 2;\n setp.eq.u32 %p0, %r2, 0;\n @%p0 bra TWO;\n"
                   " mov.u32 %r1, 1;\n bra.uni JOIN;\n"
                   "TWO:\n mov.u32 %r1, 2;\n bra.uni JOIN;\n"
                   "EVEN:\n mov.u32 %r1, 3;\n"
                   "JOIN:\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 40>>>(int[40])");
    for (uint32_t t = 0; t < 40; t++) {
        assert_int_equal(run.out[t], t & 1 ? (t & 2 ? 1 : 2) : 3);
    }
    assert_int_equal(ptx_count_events(&run, "st.global"), 2);
    assert_int_equal(ptx_count_events(&run, "ffffffff"), 1);
    collect_free(&run.collect);
}

/* Each block begins with registers that are zero, as far as it can tell: %r1 is written under a guard,
 * %r2 on one way of a branch, and %r3 is read in a loop's first trip. */
static void what_a_block_leaves_in_registers_no_other_sees(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " mov.u32 %r9, %ctaid.x;\n mul.wide.u32 %rd3, %r9, 128;\n"
                   " add.s64 %rd0, %rd0, %rd3;\n setp.eq.u32 %p0, %r9, 0;\n"
                   " @%p0 mov.u32 %r1, 7;\n"
                   " @!%p0 bra JOIN;\n mov.u32 %r2, 8;\n"
                   "JOIN:\n mov.u32 %r5, 0;\n"
                   "LOOP:\n add.u32 %r3, %r3, 1;\n add.u32 %r5, %r5, 1;\n"
                   " setp.lt.u32 %p2, %r5, 3;\n @%p2 bra LOOP;\n"
                   " mad.lo.u32 %r1, %r2, 10, %r1;\n mad.lo.u32 %r1, %r3, 100, %r1;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<3, 32>>>(int[96])");
    for (uint32_t t = 0; t < 96; t++) {
        assert_int_equal(run.out[t], t < 32 ? 387 : 300);
    }
    collect_free(&run.collect);
}

/* for (r = 0; r < t % 5; r++) and the lanes that are done wait for the others. */
static void a_loop_is_left_lane_by_lane(void **state)
{
    (void)state;
    static const char text[] = HEAD BEGIN " mov.u32 %r1, 0;\n rem.u32 %r2, %r0, 5;\n"
                                          "LOOP:\n setp.ge.u32 %p0, %r1, %r2;\n @%p0 bra DONE;\n"
                                          " add.u32 %r1, %r1, 1;\n bra.uni LOOP;\n"
                                          "DONE:\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32])");
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(run.out[t], t % 5);
    }
    assert_int_equal(ptx_count_events(&run, "st.global"), 1);
    collect_free(&run.collect);
}

/* if (t < 8) return within a branch: the others of the branch meet without them. */
static void who_returns_is_not_waited_for(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " mov.u32 %r1, 7;\n setp.ge.u32 %p0, %r0, 16;\n @%p0 bra JOIN;\n"
                   " setp.lt.u32 %p1, %r0, 8;\n @%p1 bra GONE;\n"
                   " mov.u32 %r1, 9;\n bra.uni JOIN;\n"
                   "GONE:\n exit;\n"
                   "JOIN:\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32] = 1)");
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(run.out[t], t < 8 ? 1 : t < 16 ? 9 : 7);
    }
    assert_int_equal(ptx_count_events(&run, "ffffff00"), 1);
    collect_free(&run.collect);
}

/* Lane 0 waits for what lane 1 stores: no order of the two ways may hang. */
static void lanes_wait_for_each_other(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " setp.ne.u32 %p0, %r0, 0;\n @%p0 bra GIVE;\n"
                   "WAIT:\n ld.volatile.global.u32 %r1, [%rd1+4];\n setp.eq.u32 %p1, %r1, 0;\n "
                   "@%p1 bra WAIT;\n"
                   " bra.uni JOIN;\n"
                   "GIVE:\n mov.u32 %r1, 5;\n st.volatile.global.u32 [%rd0], %r1;\n"
                   "JOIN:\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 2>>>(int[2])");
    assert_int_equal(run.out[0], 5);
    collect_free(&run.collect);
}

/* ---- barriers -------------------------------------------------------------------------------- */

/* Each warp stores, waits, and reads the other's. */
static void warps_wait_at_a_barrier(void **state)
{
    (void)state;
    static const char text[] = HEAD BEGIN " .shared .align 4 .b8 s[256];\n mov.u32 %r2, s;\n "
                                          "shl.b32 %r3, %r0, 2;\n add.u32 %r4, %r2, %r3;\n"
                                          " st.shared.u32 [%r4], %r0;\n bar.sync 0;\n xor.b32 %r5, "
                                          "%r3, 128;\n add.u32 %r6, %r2, %r5;\n"
                                          " ld.shared.u32 %r1, [%r6];\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 64>>>(int[64])");
    for (uint32_t t = 0; t < 64; t++) {
        assert_int_equal(run.out[t], t ^ 32);
    }
    assert_int_equal(ptx_count_events(&run, "bar.sync"), 2);
    collect_free(&run.collect);
}

/* Warp 1 has left before the barrier, which warp 0 passes; the stream has it for both. */
static void who_left_holds_up_no_barrier(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " mov.u32 %r1, 4;\n setp.ge.u32 %p0, %r0, 32;\n @%p0 ret;\n bar.sync 0;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 64>>>(int[64])");
    assert_int_equal(run.out[31], 4);
    assert_int_equal(run.out[32], 0);
    assert_int_equal(ptx_count_events(&run, "bar.sync"), 2);
    collect_free(&run.collect);
}

/* Lanes 16 to 31 branch to the ret that ends the kernel: the others' barrier does not wait for them. */
static void who_branches_to_the_end_holds_up_no_barrier(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " mov.u32 %r1, 4;\n setp.ge.u32 %p0, %r0, 16;\n @%p0 bra GONE;\n bar.sync 0;\n"
                   " st.global.u32 [%rd0], %r1;\nGONE:\n ret;\n}\n";
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32])");
    assert_int_equal(run.out[15], 4);
    assert_int_equal(run.out[16], 0);
    collect_free(&run.collect);
}

/* if (t < 16) barrier; the rest waits behind it for them: a warp of which a part is there counts. */
static void a_part_of_a_warp_passes_a_barrier(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " mov.u32 %r1, 6;\n setp.ge.u32 %p0, %r0, 16;\n @%p0 bra JOIN;\n bar.sync 0;\n"
                   "JOIN:\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 64>>>(int[64])");
    assert_int_equal(run.out[0], 6);
    assert_int_equal(run.out[63], 6);
    collect_free(&run.collect);
}

/* Lanes 0 to 15 jump to the shuffle, the others come to it by another way, one of whose branches leads
 * past it: so all meet behind it, at C. They are there at once nevertheless, as its mask wants. */
static void a_shuffle_waits_for_the_lanes_it_names(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " mov.u32 %r1, 0;\n add.u32 %r3, %r0, 100;\n setp.lt.u32 %p0, %r0, 16;\n"
                   " @%p0 bra A;\n add.u32 %r3, %r0, 200;\n setp.gt.u32 %p1, %r0, 99;\n @%p1 bra B;\n"
                   "A:\n shfl.sync.bfly.b32 %r1, %r3, 31, 31, 0xffffffff;\n bra.uni C;\n"
                   "B:\n mov.u32 %r1, 1;\n"
                   "C:\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32])");
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(run.out[t], (31 - t) + (t < 16 ? 200 : 100));
    }
    assert_int_equal(ptx_count_events(&run, "shfl.sync.bfly"), 1);
    collect_free(&run.collect);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* f(x) = x * x + 1, called by the odd lanes alone. */
static void functions_are_called(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".func (.param .b32 r) f(.param .b32 x) {\n .reg .b32 %r<3>;\n ld.param.u32 %r0, [x];\n"
        " mad.lo.u32 %r1, %r0, %r0, 1;\n st.param.b32 [r], %r1;\n ret;\n}\n" BEGIN
        " mov.u32 %r1, 0;\n and.b32 %r2, %r0, 1;\n setp.eq.u32 %p0, %r2, 0;\n @%p0 bra JOIN;\n"
        " {\n .param .b32 a;\n st.param.b32 [a], %r0;\n .param .b32 b;\n call.uni (b), f, (a);\n"
        " ld.param.b32 %r1, [b];\n }\n"
        "JOIN:\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32])");
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(run.out[t], t & 1 ? t * t + 1 : 0);
    }
    assert_int_equal(ptx_count_events(&run, ""), 1);
    collect_free(&run.collect);
}

/* ---- what ptxas merges ----------------------------------------------------------------------- */

/* Offsets 0, 8, 4, 12 of a multiple of 16 are one load of 16 bytes; of one of 8, two of 8. */
static void neighbours_are_merged(void **state)
{
    (void)state;
    static const char text[] = HEAD BEGIN
        " .shared .align 16 .b8 s[1024];\n mov.u32 %r2, s;\n shl.b32 %r3, %r0, 4;\n add.u32 %r4, "
        "%r2, %r3;\n"
        " ld.shared.u32 %r5, [%r4];\n ld.shared.u32 %r6, [%r4+8];\n ld.shared.u32 %r7, [%r4+4];\n"
        " ld.shared.u32 %r8, [%r4+12];\n shl.b32 %r10, %r0, 3;\n add.u32 %r9, %r2, %r10;\n"
        " ld.shared.u32 %r5, [%r9];\n ld.shared.u32 %r6, [%r9+4];\n ld.shared.u32 %r7, [%r9+16];\n"
        " mov.u32 %r1, %r7;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32])");
    assert_int_equal(ptx_count_events(&run, "ld.shared.v4.u32 ffffffff 0+16"), 1);
    assert_int_equal(ptx_count_events(&run, "ld.shared.v2.u32 ffffffff 0+8"), 1);
    assert_int_equal(ptx_count_events(&run, "ld.shared.u32 ffffffff 16+8"), 1);
    assert_int_equal(ptx_count_events(&run, "ld.shared"), 3);
    collect_free(&run.collect);
}

/* Of vectors that nobody reads all of: halves, single elements, and what becomes one with another load. */
static void unread_elements_are_not_loaded(void **state)
{
    (void)state;
    static const char text[] = HEAD BEGIN
        " .shared .align 16 .b8 s[1024];\n mov.u32 %r2, s;\n shl.b32 %r3, %r0, 4;\n add.u32 %r4, "
        "%r2, %r3;\n mul.lo.u32 %r1, %r0, 3;\n st.shared.u32 [%r4+12], %r1;\n bar.sync 0;\n"
        " ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r4];\n add.u32 %r1, %r6, %r8;\n bar.sync 0;\n"
        " ld.shared.v4.u32 {%r9, %r10, %r11, %r12}, [%r4];\n add.u32 %r1, %r11, %r12;\n bar.sync "
        "0;\n"
        " ld.shared.u32 %r13, [%r4];\n"
        " .pragma \"used_bytes_mask 61680\";\n"
        " ld.shared.v4.u32 {%r14, %r15, _, %r3}, [%r4];\n ld.shared.u32 %r2, [%r4+8];\n"
        " add.u32 %r13, %r13, %r15;\n add.u32 %r13, %r13, %r2;\n add.u32 %r13, %r13, %r3;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32])");
    assert_int_equal(ptx_count_events(&run, "ld.shared.u32 ffffffff 4+16"), 1);
    assert_int_equal(ptx_count_events(&run, "ld.shared.u32 ffffffff 12+16"), 1);
    assert_int_equal(ptx_count_events(&run, "ld.shared.v2.u32 ffffffff 8+16"), 1);
    assert_int_equal(ptx_count_events(&run, "ld.shared.v4.u32 ffffffff 0+16"), 1);
    assert_int_equal(ptx_count_events(&run, "ld.shared"), 4);
    collect_free(&run.collect);
}

/* Not across a store, nor where the address is no proved multiple of 8. */
static void strangers_are_not_merged(void **state)
{
    (void)state;
    static const char text[] = HEAD BEGIN
        " .shared .align 16 .b8 s[1024];\n mov.u32 %r2, s;\n shl.b32 %r3, %r0, 3;\n add.u32 %r4, "
        "%r2, %r3;\n"
        " ld.shared.u32 %r5, [%r4];\n st.shared.u32 [%r4], %r0;\n ld.shared.u32 %r6, [%r4+4];\n"
        " bar.sync 0;\n shl.b32 %r7, %r0, 2;\n add.u32 %r8, %r2, %r7;\n"
        " ld.shared.u32 %r5, [%r8];\n ld.shared.u32 %r6, [%r8+4];\n mov.u32 %r1, %r6;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32])");
    assert_int_equal(ptx_count_events(&run, "ld.shared.u32"), 4);
    collect_free(&run.collect);
}

#define ROW /* %r4: a multiple of 8 for each lane */                             \
    " .shared .align 16 .b8 s[1024];\n mov.u32 %r2, s;\n shl.b32 %r3, %r0, 3;\n" \
    " add.u32 %r4, %r2, %r3;\n setp.gt.u32 %p0, %r0, 3;\n"

/* What was loaded before a branch is there behind it, unless a way between them stores. */
static void neighbours_are_merged_across_branches(void **state)
{
    (void)state;
    static const char whole[] =
        HEAD BEGIN ROW " ld.shared.u32 %r5, [%r4];\n @%p0 bra M;\n ld.global.u32 %r6, [%rd0];\n"
                       "M:\n ld.shared.u32 %r7, [%r4+4];\n add.u32 %r1, %r5, %r7;\n" END;
    static const char parted[] =
        HEAD BEGIN ROW " ld.shared.u32 %r5, [%r4];\n @%p0 bra M;\n st.shared.u32 [s+512], %r5;\n"
                       "M:\n ld.shared.u32 %r7, [%r4+4];\n add.u32 %r1, %r5, %r7;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, whole, "k<<<1, 32>>>(int[32])");
    assert_int_equal(ptx_count_events(&run, "ld.shared"), 1);
    assert_int_equal(ptx_count_events(&run, "ld.shared.v2.u32 ffffffff 0+8"), 1);
    collect_free(&run.collect);
    ptx_expect_run(&run, parted, "k<<<1, 32>>>(int[32])");
    assert_int_equal(ptx_count_events(&run, "ld.shared.u32 ffffffff"), 2);
    collect_free(&run.collect);
}

/* Three trips, and what stands behind them is loaded by itself. */
static void neighbours_behind_a_loop_are_not_merged(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN ROW " mov.u32 %r6, 0;\nL:\n ld.shared.u32 %r5, [%r4];\n add.u32 %r6, %r6, 1;\n"
                       " setp.lt.u32 %p1, %r6, 3;\n @%p1 bra L;\n"
                       " ld.shared.u32 %r7, [%r4+4];\n add.u32 %r1, %r5, %r7;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32])");
    assert_int_equal(ptx_count_events(&run, "ld.shared.u32"), 4);
    collect_free(&run.collect);
}

/* The kernel's own variables come first, then the module's; what nobody uses has no place. */
static void shared_variables_lie_as_ptxas_has_them(void **state)
{
    (void)state;
    static const char text[] =
        HEAD ".shared .align 4 .b8 nobodys[8];\n .shared .align 4 .b8 m[4];\n" BEGIN
             " .shared .align 4 .b8 unused[64];\n .shared .align 4 .b8 s[4];\n"
             " st.shared.u32 [m], 5;\n bar.sync 0;\n st.shared.u32 [s], 7;\n"
             " ld.shared.u32 %r1, [m];\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32])");
    assert_int_equal(ptx_count_events(&run, "st.shared.u32 ffffffff 0+0"), 1);
    assert_int_equal(ptx_count_events(&run, "st.shared.u32 ffffffff 4+0"), 1);
    assert_int_equal(run.out[0], 5);
    collect_free(&run.collect);
}

/* An atom whose result nobody reads is a red, but for cas, which red has not; in shared memory, by
 * one, one that counts lanes first. */
static void unread_atomics_are_reductions(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " .shared .align 4 .b8 s[64];\n mov.u32 %r2, s;\n st.shared.u32 [%r2], 3;\n"
                   " atom.shared.add.u32 %r3, [%r2], 1;\n atom.shared.add.u32 %r4, [%r2], 2;\n"
                   " atom.shared.max.u32 %r1, [%r2], 1;\n"
                   " atom.shared.cas.b32 %r5, [%r2], 1, 2;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32])");
    assert_int_equal(run.out[0], 3 + 32 + 64);
    assert_int_equal(ptx_count_events(&run, "red.shared.popc.inc.u32"), 1);
    assert_int_equal(ptx_count_events(&run, "red.shared.add.u32"), 1);
    assert_int_equal(ptx_count_events(&run, "atom.shared.max.u32"), 1);
    assert_int_equal(ptx_count_events(&run, "atom.shared.cas.b32"), 1);
    collect_free(&run.collect);
}

/* Members are 0x000f, 0x00f0, ... by the lane: each four lanes vote by themselves, at once. */
static void votes_are_of_the_members_that_a_lane_names(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " and.b32 %r2, %r0, 28;\n mov.u32 %r3, 15;\n shl.b32 %r3, %r3, %r2;\n"
                   " and.b32 %r4, %r0, 5;\n setp.eq.u32 %p1, %r4, 1;\n"
                   " vote.sync.ballot.b32 %r5, %p1, %r3;\n vote.sync.any.pred %p2, %p1, %r3;\n"
                   " redux.sync.add.s32 %r6, %r0, %r3;\n selp.u32 %r7, 1000000, 0, %p2;\n"
                   " shr.u32 %r5, %r5, %r2;\n mad.lo.u32 %r1, %r6, 1000, %r5;\n"
                   " add.u32 %r1, %r1, %r7;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32])");
    for (uint32_t l = 0; l < 32; l++) {
        uint32_t four = l / 4, sum = 16 * four + 6;
        bool has_yes = four % 2 == 0; /* (lane & 5) is 1: lanes 1 and 3 of every other four */
        assert_int_equal(run.out[l], sum * 1000 + (has_yes ? 1000000 + 10 : 0));
    }
    collect_free(&run.collect);
}

/* ---- what is wrong is told ------------------------------------------------------------------- */

static void expect_failure(const char *text, const char *launch, enum bsim_status status,
                           const char *message)
{
    struct ptx_run run;
    ptx_run_briefly(&run, text, launch);
    if (run.status != status || strstr(run.err.message, message) == NULL) {
        fail_msg("%d: %s", (int)run.status, run.err.message);
    }
    collect_free(&run.collect);
}

static void faults_of_kernels_are_told(void **state)
{
    (void)state;
    static const char beyond[] = HEAD BEGIN " mov.u32 %r1, 0;\n" END;
    static const char odd[] = HEAD BEGIN " ld.global.u32 %r1, [%rd0+2];\n" END;
    static const char shared[] = HEAD BEGIN " ld.shared.u32 %r1, [128];\n" END;
    static const char never[] =
        HEAD BEGIN " setp.ge.u32 %p0, %r0, 32;\n @%p0 bra A;\n bar.sync 1, 64;\n"
                   "A:\n mov.u32 %r1, 0;\n" END;
    expect_failure(beyond, "k<<<1, 32>>>(int[31])", BSIM_E_KERNEL, "thread (31,0,0)");
    expect_failure(beyond, "k<<<1, 32>>>(char[126])", BSIM_E_KERNEL, "which has 126");
    expect_failure(odd, "k<<<1, 32>>>(int[32])", BSIM_E_KERNEL, "no multiple of the 4 bytes");
    expect_failure(shared, "k<<<1, 32, 128>>>(int[32])", BSIM_E_KERNEL, "which has 128");
    expect_failure(never, "k<<<1, 64>>>(int[64])", BSIM_E_KERNEL, "a deadlock: 32 of the 64 threads that barrier 1 wants wait here for threads that never "
                   "come; 32 of the block's 64 have ended");
    expect_failure(HEAD BEGIN " bar.warp.sync 0xfffffffe;\n" END, "k<<<1, 32>>>(int[32])", BSIM_E_KERNEL,
                   "its mask, 0xfffffffe, does not name lane 0");
    expect_failure(HEAD BEGIN " vote.sync.ballot.b32 %r1, %p0, 0xffff;\n" END, "k<<<1, 32>>>(int[32])",
                   BSIM_E_KERNEL, "thread (16,0,0): its mask, 0x0000ffff, does not name lane 16");
}

#define SPIN                                                                                      \
    "WAIT:\n ld.volatile.shared.u32 %r1, [s+4];\n setp.eq.u32 %p1, %r1, 0;\n @%p1 bra WAIT;\n"

/* Warp 1 looks for ever for what nobody stores, warp 0 waits for it. */
static void loops_that_nobody_ends_are_told(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " .shared .u32 s[4];\n st.shared.u32 [s+4], 0;\n bar.sync 0;\n"
                   " setp.lt.u32 %p0, %r0, 32;\n @%p0 bra JOIN;\n" SPIN "JOIN:\n bar.sync 0;\n" END;
    static const char bare[] = HEAD BEGIN "A:\n bra.uni A;\n" END;
    static const char atomic[] =
        HEAD BEGIN "A:\n atom.global.cas.b32 %r1, [%rd1], 0, 1;\n setp.ne.u32 %p0, %r1, 0;\n"
                   " @%p0 bra A;\n" END;
    expect_failure(text, "k<<<1, 64>>>(int[64])", BSIM_E_KERNEL,
                   "thread (32,0,0): a deadlock: 32 threads go round here for ever and read shared byte "
                   "0x4, which nobody changes; 32 more at barrier 0 at k.ptx:");
    expect_failure(bare, "k<<<1, 1>>>(int[1])", BSIM_E_KERNEL, "1 thread goes round here for ever");
    expect_failure(atomic, "k<<<2, 2>>>(int[2])", BSIM_E_KERNEL, "on a GPU others may run meanwhile: those of cudaLaunchCooperativeKernel run together");
}

/* Warp 0 counts for long before it stores what warp 1 looks for. */
static void loops_that_end_late_are_waited_for(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " .shared .u32 s[4];\n st.shared.u32 [s+4], 0;\n bar.sync 0;\n"
                   " setp.lt.u32 %p0, %r0, 32;\n @%p0 bra COUNT;\n" SPIN " bra.uni JOIN;\n"
                   "COUNT:\n mov.u32 %r2, 0;\n"
                   "LOOP:\n add.u32 %r2, %r2, 1;\n setp.lt.u32 %p1, %r2, 3000000;\n @%p1 bra LOOP;\n"
                   " mov.u32 %r1, 7;\n st.volatile.shared.u32 [s+4], %r1;\n"
                   "JOIN:\n" END;
    static const char timed[] =
        HEAD BEGIN "A:\n mov.u32 %r1, %clock;\n setp.lt.u32 %p0, %r1, 6000000;\n @%p0 bra A;\n" END;
    struct ptx_run run;
    ptx_expect_end(&run, text, "k<<<1, 64>>>(int[64])");
    assert_int_equal(run.out[63], 7);
    collect_free(&run.collect);
    ptx_expect_end(&run, timed, "k<<<1, 32>>>(int[32])");
    assert_true(run.out[31] >= 6000000);
    collect_free(&run.collect);
}

static void unknown_instructions_are_told_when_they_are_executed(void **state)
{
    (void)state;
    static const char executed[] = HEAD BEGIN " frobnicate.u32 %r1, %r0;\n" END;
    static const char skipped[] =
        HEAD BEGIN " mov.u32 %r1, 1;\n bra.uni A;\n frobnicate.u32 %r1, %r0;\nA:\n" END;
    struct ptx_run run;
    expect_failure(executed, "k<<<1, 32>>>(int[32])", BSIM_E_INPUT,
                   "'frobnicate' is not known here");
    ptx_expect_run(&run, skipped, "k<<<1, 32>>>(int[32])");
    collect_free(&run.collect);
}

static void texts_that_are_no_ptx_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        uint32_t line;
    } cases[] = {
        {"int main(void) {}", "no PTX", 1},
        {HEAD ".visible .entry k(.param .u64 p) {\n ret;\n", "'}' is missing", 6},
        {HEAD BEGIN " add.u32 %r99, %r0, 1;\n" END, "", 0},
        {HEAD BEGIN " bra NOWHERE;\n" END, "leads to no label", 12},
        {HEAD ".global .b8 x[2] = {1, 2, 3};\n", "more values than x has room for", 4},
        {HEAD ".visible .entry k(.param .u64 p) {\n .reg .b32 %r<2;\n}\n", "'>' is missing", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ptx_run run;
        ptx_run_launch(&run, cases[i].text, "k<<<1, 1>>>(int[1])");
        assert_int_equal(run.status, BSIM_E_INPUT);
        assert_non_null(strstr(run.err.message, cases[i].message));
        assert_true(cases[i].line == 0 || run.err.line == cases[i].line);
        collect_free(&run.collect);
    }
}

static void launches_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const char text[] = HEAD BEGIN " mov.u32 %r1, 0;\n" END;
    static const struct {
        const char *launch, *message;
    } cases[] = {
        {"j<<<1, 1>>>(int[1])", "no kernel has this name"},
        {"k<<<1, 1>>>()", "more parameters than the 0"},
        {"k<<<1, 1>>>(int[1], 4)", "no more than 1 parameters"},
        {"k<<<1>>>(int[1])", "',' is missing"},
        {"k<<<1, 1025>>>(int[1])", "it has 1 to 1024"},
        {"k<<<1, 1>>>(matrix[1])", "no type of elements"},
        {"k<<<1, 1>>>(int[0])", "1 byte to 4 GiB"},
        {"k<<<1, 1>>>(int[4] = sorted)", "filled with"},
        {"k<<<1, 1>>>(int[1]) int", "nothing may stand behind"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_failure(text, cases[i].launch, BSIM_E_USAGE, cases[i].message);
    }
}

/* As reports name them, which a launch may be told with: each kernel stores its number. */
static void kernels_are_named_as_in_reports(void **state)
{
    (void)state;
    static const char text[] =
        HEAD ".entry _Z1kILi0EEvPi(.param .u64 p) {\n .reg .b64 %rd;\n ld.param.u64 %rd, [p];\n"
             " st.global.u32 [%rd], 10;\n ret;\n}\n"
             ".entry _Z1kILi16EEvPi(.param .u64 p) {\n .reg .b64 %rd;\n ld.param.u64 %rd, [p];\n"
             " st.global.u32 [%rd], 11;\n ret;\n}\n"
             ".entry _ZN2ns4scanILj16EfEEvPT0_i(.param .u64 p) {\n .reg .b64 %rd;\n"
             " ld.param.u64 %rd, [p];\n st.global.u32 [%rd], 12;\n ret;\n}\n"
             ".entry _ZN2ns4scanEPi(.param .u64 p) {\n .reg .b64 %rd;\n ld.param.u64 %rd, [p];\n"
             " st.global.u32 [%rd], 13;\n ret;\n}\n";
    static const char *const named[] = {"k<0>", "k< 16 > ", "ns::scan<16,float>", "ns::scan"};
    char launch[64];
    for (uint32_t i = 0; i < sizeof named / sizeof *named; i++) {
        struct ptx_run run;
        snprintf(launch, sizeof launch, "%s<<<1, 1>>>(int[1])", named[i]);
        ptx_expect_run(&run, text, launch);
        assert_int_equal(run.out[0], 10 + i);
        collect_free(&run.collect);
    }
    expect_failure(text, "k<1><<<1, 1>>>(int[1])", BSIM_E_USAGE, "no kernel has this name");
    expect_failure(text, "k<0<<<1, 1>>>(int[1])", BSIM_E_USAGE, "no kernel has this name");
    expect_failure(text, "scan<16, float><<<1, 1>>>(int[1])", BSIM_E_USAGE, "no kernel has this name");
    expect_failure(text, "k<<<1, 1>>>(int[1])", BSIM_E_USAGE, "with its arguments as reports do");
}

static void a_block_is_as_large_as_the_kernel_was_compiled_for(void **state)
{
    (void)state;
    static const char exact[] = HEAD ".entry k() .reqntid 32, 2\n{ ret; }\n";
    static const char most[] = HEAD ".entry k() .maxntid 64, 1, 1\n.minnctapersm 2\n{ ret; }\n";
    struct ptx_run run;
    expect_failure(exact, "k<<<1, 64>>>()", BSIM_E_USAGE, "compiled for exactly 32,2,1");
    expect_failure(most, "k<<<1, 65>>>()", BSIM_E_USAGE, "compiled for at most 64,1,1");
    ptx_expect_run(&run, exact, "k<<<1, dim3(32, 2)>>>()");
    collect_free(&run.collect);
    ptx_expect_run(&run, most, "k<<<1, dim3(4, 8)>>>()");
    collect_free(&run.collect);
}

/* 2000 arrays, more than 4096 bytes of parameters, and a name with a tag as Numba mangles it. */
static void a_launch_has_as_many_arguments_as_cuda_lets_it(void **state)
{
    (void)state;
    enum { N = 2000, ROOM = N * 20 + 1000 };
    char *text = malloc(ROOM), *launch = malloc(ROOM);
    assert_non_null(text);
    assert_non_null(launch);
    char *t = text + sprintf(text, HEAD ".visible .entry _ZN2py1kB2v1E5ArrayIfE(\n");
    char *l = launch + sprintf(launch, "k<<<1, 1>>>(");
    for (int i = 0; i < N; i++) {
        t += sprintf(t, "%s.param .u64 p%d", i > 0 ? ", " : "", i);
        l += sprintf(l, "%sint[1]", i > 0 ? ", " : "");
    }
    sprintf(t, ") {\n .reg .b64 %%rd<2>;\n .reg .b32 %%r<2>;\n ld.param.u64 %%rd0, [p1999];\n"
               " ld.global.u32 %%r0, [%%rd0];\n ld.param.u64 %%rd1, [p0];\n"
               " add.u32 %%r0, %%r0, 7;\n st.global.u32 [%%rd1], %%r0;\n ret;\n}\n");
    sprintf(l, " = 35)");
    struct ptx_run run;
    ptx_expect_run(&run, text, launch);
    assert_int_equal(run.out[0], 42);
    collect_free(&run.collect);
    free(text);
    free(launch);
}

/* Warp 1 arrives and goes on, warp 0 waits for it: 64 threads at barrier %r3 = 2. */
static void who_arrives_does_not_wait(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " .shared .u32 s[64];\n mov.u32 %r3, 2;\n mov.u32 %r1, 0;\n"
                   " setp.ge.u32 %p0, %r0, 32;\n @%p0 bra GIVE;\n bar.sync %r3, 64;\n"
                   " shl.b32 %r4, %r0, 2;\n mov.u32 %r5, s;\n add.u32 %r4, %r4, %r5;\n"
                   " ld.shared.u32 %r1, [%r4];\n bra.uni JOIN;\n"
                   "GIVE:\n sub.u32 %r4, %r0, 32;\n shl.b32 %r4, %r4, 2;\n mov.u32 %r5, s;\n"
                   " add.u32 %r4, %r4, %r5;\n st.shared.u32 [%r4], %r0;\n bar.arrive %r3, 64;\n"
                   "JOIN:\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 64>>>(int[64])");
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(run.out[t], 32 + t);
    }
    assert_int_equal(ptx_count_events(&run, "bar.sync"), 0);
    assert_int_equal(ptx_count_events(&run, "w1 arrive 1:0"), 1);
    assert_int_equal(ptx_count_events(&run, "w0 arrive 1:0"), 1);
    assert_int_equal(ptx_count_events(&run, "w0 await 1:2"), 1);
    assert_int_equal(ptx_count_events(&run, "await"), 1);
    collect_free(&run.collect);
}

/* Of 128 threads the first 64 meet twice at barrier 1, the others once at 2: three meetings. */
static void parts_of_a_block_meet(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " mov.u32 %r1, 0;\n setp.ge.u32 %p0, %r0, 64;\n @%p0 bra MORE;\n"
                   " bar.sync 1, 64;\n bar.sync 1, 64;\n bra.uni JOIN;\n"
                   "MORE:\n bar.sync 2, 64;\nJOIN:\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 128>>>(int[128])");
    assert_int_equal(ptx_count_events(&run, "bar.sync"), 0);
    assert_int_equal(ptx_count_events(&run, "arrive"), 6);
    assert_int_equal(ptx_count_events(&run, "await 1:2"), 2);
    assert_int_equal(ptx_count_events(&run, "await 2:2"), 2);
    assert_int_equal(ptx_count_events(&run, "w2 await 3:2") +
                         ptx_count_events(&run, "w2 await 2:2") +
                         ptx_count_events(&run, "w2 await 1:2"),
                     1);
    collect_free(&run.collect);
}

/* Warp 1 fills, warp 0 waits for the phase at an mbarrier of one arrival, as lane 32 comes to it. How
 * often warp 0 looks is not told. */
static void a_phase_of_an_mbarrier_is_a_meeting(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " .shared .b64 m;\n .reg .b64 %l<2>;\n mov.u32 %r1, 7;\n"
                   " setp.ne.u32 %p0, %r0, 0;\n @%p0 bra SET;\n mbarrier.init.shared.b64 [m], 1;\n"
                   "SET:\n bar.sync 0;\n setp.ge.u32 %p0, %r0, 32;\n @%p0 bra GIVE;\n"
                   "WAIT:\n mbarrier.try_wait.parity.shared.b64 %p1, [m], 0;\n @!%p1 bra WAIT;\n"
                   " bra.uni JOIN;\n"
                   "GIVE:\n setp.ne.u32 %p1, %r0, 32;\n @%p1 bra JOIN;\n"
                   " mbarrier.arrive.shared.b64 %l0, [m];\nJOIN:\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 64>>>(int[64])");
    assert_int_equal(ptx_count_events(&run, "w1 arrive 1:0"), 1);
    assert_int_equal(ptx_count_events(&run, "w0 await 1:1"), 1);
    assert_int_equal(ptx_count_events(&run, "arrive") + ptx_count_events(&run, "await"), 2);
    collect_free(&run.collect);
}

/* How many threads have t % 3 == 0, whether all and any have t < 70; 70 threads. */
static void a_barrier_counts_predicates(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " rem.u32 %r2, %r0, 3;\n setp.eq.u32 %p0, %r2, 0;\n"
                   " bar.red.popc.u32 %r1, 0, %p0;\n setp.lt.u32 %p1, %r0, 70;\n"
                   " bar.red.and.pred %p2, 1, %p1;\n bar.red.or.pred %p3, 1, !%p1;\n"
                   " selp.u32 %r3, 100, 0, %p2;\n selp.u32 %r4, 1000, 0, %p3;\n"
                   " add.u32 %r1, %r1, %r3;\n add.u32 %r1, %r1, %r4;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 70>>>(int[70])");
    for (uint32_t t = 0; t < 70; t++) {
        assert_int_equal(run.out[t], 124);
    }
    assert_int_equal(ptx_count_events(&run, "bar.sync"), 9);
    collect_free(&run.collect);
}

/* Even lanes store, odd lanes wait for them at another bar.warp.sync of the same warp. */
static void a_warp_waits_for_its_lanes(void **state)
{
    (void)state;
    static const char text[] =
        HEAD BEGIN " .shared .u32 s[32];\n shl.b32 %r4, %r0, 2;\n mov.u32 %r5, s;\n"
                   " add.u32 %r4, %r4, %r5;\n and.b32 %r2, %r0, 1;\n setp.ne.u32 %p0, %r2, 0;\n"
                   " mov.u32 %r1, 0;\n @!%p0 bra GIVE;\n bar.warp.sync 0xffffffff;\n"
                   " ld.shared.u32 %r1, [%r4+-4];\n bra.uni JOIN;\n"
                   "GIVE:\n st.shared.u32 [%r4], %r0;\n bar.warp.sync 0xffffffff;\n"
                   "JOIN:\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32])");
    for (uint32_t t = 1; t < 32; t += 2) {
        assert_int_equal(run.out[t], t - 1);
    }
    assert_int_equal(ptx_count_events(&run, "bar.warp.sync"), 1);
    collect_free(&run.collect);
}

static void append(void *context, const char *text, size_t length)
{
    strncat(context, text, length);
}

/* printf("%d:%5.2f %% %s %lld\\n", t, t / 2.0, "hi", -5LL), its arguments in local memory. */
static void text_is_printed(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
        ".global .align 1 .b8 form[21] = {37, 100, 58, 37, 53, 46, 50, 102, 32, 37, 37, 32, 37, "
        "115, "
        "32, 37, 108, 108, 100, 10, 0};\n"
        ".global .align 1 .b8 hi[3] = {104, 105, 0};\n" BEGIN
        " .local .align 8 .b8 l[64];\n .reg .f64 %f<3>;\n mov.u64 %rd3, l;\n"
        " st.local.u32 [l], %r0;\n cvt.rn.f64.u32 %f1, %r0;\n mul.f64 %f1, %f1, "
        "0d3FE0000000000000;\n"
        " st.local.f64 [l+8], %f1;\n mov.u64 %rd4, hi;\n st.local.u64 [l+16], %rd4;\n"
        " mov.s64 %rd5, -5;\n st.local.u64 [l+24], %rd5;\n cvta.local.u64 %rd3, %rd3;\n"
        " mov.u64 %rd4, form;\n"
        " {\n .param .b64 a;\n .param .b64 b;\n st.param.b64 [a], %rd4;\n st.param.b64 [b], %rd3;\n"
        " .param .b32 r;\n call.uni (r), vprintf, (a, b);\n }\n ret;\n}\n";
    char printed[256] = "";
    struct bsim_ptx_call *call = NULL;
    struct bsim_error err;
    struct collect collect = {0};
    struct bsim_sink sink = collect_sink(&collect);
    assert_int_equal(
        bsim_ptx_call_new("k.ptx", text, strlen(text), "k<<<1, 2>>>(int[3])", &call, &err),
        BSIM_OK);
    bsim_ptx_call_print(call, append, printed);
    assert_int_equal(bsim_ptx_call_run(call, &sink, &err), BSIM_OK);
    assert_string_equal(printed, "0: 0.00 % hi -5\n1: 0.50 % hi -5\n");
    bsim_ptx_call_free(call);
    collect_free(&collect);
}

/* printf("%*d|%-*d|%.*f|%.*d", 6, 7, -4, 8, 2, 1.239, -1, 5), whose widths and precisions are arguments, too; what
 * it returns, of 8 arguments, of printf("|") and printf(NULL), is printed behind it. */
static void widths_are_arguments(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
        ".global .align 1 .b8 form[21] = {37, 42, 100, 124, 37, 45, 42, 100, 124, 37, 46, 42, 102, "
        "124, 37, 46, 42, 100, 124, 0};\n"
        ".global .align 1 .b8 bar[2] = {124, 0};\n"
        ".global .align 1 .b8 three[9] = {37, 100, 37, 100, 37, 100, 0};\n" BEGIN
        " .local .align 8 .b8 l[64];\n .reg .b64 %q<8>;\n mov.u64 %q0, l;\n"
        " cvta.local.u64 %q1, %q0;\n st.local.u32 [l], 6;\n st.local.u32 [l+4], 7;\n"
        " st.local.u32 [l+8], -4;\n st.local.u32 [l+12], 8;\n st.local.u32 [l+16], 2;\n"
        " st.local.u64 [l+24], 0x3FF3D2F1A9FBE76D;\n st.local.u32 [l+32], -1;\n"
        " st.local.u32 [l+36], 5;\n mov.u64 %q2, form;\n mov.u64 %q3, bar;\n mov.u64 %q4, three;\n"
        " mov.u64 %q5, 0;\n"
        " {\n .param .b64 a;\n .param .b64 b;\n .param .b32 r;\n st.param.b64 [a], %q2;\n"
        " st.param.b64 [b], %q1;\n call.uni (r), vprintf, (a, b);\n ld.param.b32 %r1, [r];\n }\n"
        " {\n .param .b64 a;\n .param .b64 b;\n .param .b32 r;\n st.param.b64 [a], %q3;\n"
        " st.param.b64 [b], %q5;\n call.uni (r), vprintf, (a, b);\n ld.param.b32 %r2, [r];\n }\n"
        " {\n .param .b64 a;\n .param .b64 b;\n .param .b32 r;\n st.param.b64 [a], %q5;\n"
        " st.param.b64 [b], %q5;\n call.uni (r), vprintf, (a, b);\n ld.param.b32 %r3, [r];\n }\n"
        " st.local.u32 [l], %r1;\n st.local.u32 [l+4], %r2;\n st.local.u32 [l+8], %r3;\n"
        " {\n .param .b64 a;\n .param .b64 b;\n .param .b32 r;\n st.param.b64 [a], %q4;\n"
        " st.param.b64 [b], %q1;\n call.uni (r), vprintf, (a, b);\n }\n ret;\n}\n";
    char printed[256] = "";
    struct bsim_ptx_call *call = NULL;
    struct bsim_error err;
    struct collect collect = {0};
    struct bsim_sink sink = collect_sink(&collect);
    assert_int_equal(
        bsim_ptx_call_new("k.ptx", text, strlen(text), "k<<<1, 1>>>(int[3])", &call, &err),
        BSIM_OK);
    bsim_ptx_call_print(call, append, printed);
    assert_int_equal(bsim_ptx_call_run(call, &sink, &err), BSIM_OK);
    assert_string_equal(printed, "     7|8   |1.24|5||80-1");
    bsim_ptx_call_free(call);
    collect_free(&collect);
}

/* Odd lanes call one function, even ones another, through a table in memory; lane 5 none. */
static void functions_are_called_by_address(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".func (.param .b32 r) twice (.param .b32 a) {\n .reg .b32 %r<3>;\n"
        " ld.param.u32 %r1, [a];\n add.u32 %r2, %r1, %r1;\n st.param.b32 [r], %r2;\n ret;\n}\n"
        ".func (.param .b32 r) next (.param .b32 a) {\n .reg .b32 %r<3>;\n"
        " ld.param.u32 %r1, [a];\n add.u32 %r2, %r1, 1;\n st.param.b32 [r], %r2;\n ret;\n}\n"
        ".global .align 8 .u64 table[2] = {twice, next};\n" BEGIN
        " mov.u32 %r1, 7;\n and.b32 %r2, %r0, 1;\n mov.u64 %rd3, table;\n"
        " mul.wide.u32 %rd4, %r2, 8;\n add.u64 %rd3, %rd3, %rd4;\n ld.global.u64 %rd5, [%rd3];\n"
        " setp.ne.u32 %p0, %r0, 5;\n"
        " {\n .param .b32 a;\n st.param.b32 [a], %r0;\n .param .b32 r;\n"
        " proto : .callprototype (.param .b32 _) _ (.param .b32 _);\n"
        " @%p0 call (r), %rd5, (a), proto;\n @%p0 ld.param.b32 %r1, [r];\n }\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32])");
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(run.out[t], t == 5 ? 7 : t % 2 == 0 ? 2 * t : t + 1);
    }
    assert_int_equal(ptx_count_events(&run, "st.global"), 1);
    collect_free(&run.collect);
}

/* A variable that begins with another one's address: as it is, a sum, and in a list. */
static void addresses_are_initial_values(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".global .align 4 .u32 g[4] = {10, 11, 12, 13};\n"
        ".global .align 8 .u64 one = generic(g)+4;\n"
        ".global .align 8 .u64 list[3] = {generic(g), generic(g) + 12, g+8};\n" BEGIN
        " ld.global.u64 %rd3, [one];\n setp.eq.u32 %p0, %r0, 3;\n @%p0 bra READ;\n"
        " mov.u64 %rd4, list;\n mul.wide.u32 %rd5, %r0, 8;\n add.u64 %rd4, %rd4, %rd5;\n"
        " ld.global.u64 %rd3, [%rd4];\nREAD:\n ld.u32 %r1, [%rd3];\n" END;
    static const uint32_t expected[4] = {10, 13, 12, 11};
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 4>>>(int[4])");
    for (uint32_t t = 0; t < 4; t++) {
        assert_int_equal(run.out[t], expected[t]);
    }
    collect_free(&run.collect);
}

/* malloc gives a thread 16 bytes, which free takes back; a false assertion ends the launch. */
static void the_runtime_is_called(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".extern .func (.param .b64 r) malloc (.param .b64 a);\n"
        ".extern .func free (.param .b64 a);\n"
        ".extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, "
        ".param .b64 e);\n"
        ".global .align 1 .b8 what[6] = {120, 32, 60, 32, 51, 0};\n"
        ".global .align 1 .b8 where[5] = {97, 46, 99, 117, 0};\n" BEGIN
        " {\n .param .b64 a;\n st.param.b64 [a], 16;\n .param .b64 r;\n"
        " call.uni (r), malloc, (a);\n ld.param.b64 %rd3, [r];\n }\n"
        " st.u32 [%rd3+12], %r0;\n ld.u32 %r1, [%rd3+12];\n st.global.u32 [%rd0], %r1;\n"
        " {\n .param .b64 a;\n st.param.b64 [a], %rd3;\n call.uni free, (a);\n }\n"
        " setp.lt.u32 %p0, %r0, 3;\n @%p0 bra DONE;\n"
        " {\n .param .b64 a;\n .param .b64 b;\n .param .b32 c;\n .param .b64 d;\n"
        " .param .b64 e;\n mov.u64 %rd4, what;\n mov.u64 %rd5, where;\n"
        " st.param.b64 [a], %rd4;\n st.param.b64 [b], %rd5;\n st.param.b32 [c], 7;\n"
        " st.param.b64 [d], %rd5;\n st.param.b64 [e], 1;\n"
        " call.uni __assertfail, (a, b, c, d, e);\n }\n"
        "DONE:\n ret;\n}\n";
    struct ptx_run run;
    char message[1024];
    ptx_expect_run(&run, text, "k<<<1, 3>>>(int[3])");
    assert_int_equal(run.out[2], 2);
    collect_free(&run.collect);
    ptx_run_launch(&run, text, "k<<<1, 5>>>(int[5])");
    assert_int_equal(run.status, BSIM_E_KERNEL);
    bsim_error_text(&run.err, message, sizeof message);
    assert_non_null(strstr(message, "thread (3,0,0): assertion 'x < 3' failed (a.cu:7)"));
    collect_free(&run.collect);
}

/* Of the 8 MiB that kernels may allocate five threads get 2,000,000 bytes each but the last; what one frees
 * the last gets. Each leaves whether malloc gave it memory, and whether it did again behind that. */
static void what_kernels_allocate_has_a_limit(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".extern .func (.param .b64 r) malloc (.param .b64 a);\n"
        ".extern .func free (.param .b64 a);\n" BEGIN
        " {\n .param .b64 a;\n st.param.b64 [a], 2000000;\n .param .b64 r;\n"
        " call.uni (r), malloc, (a);\n ld.param.b64 %rd3, [r];\n }\n"
        " setp.ne.u64 %p0, %rd3, 0;\n selp.u32 %r1, 1, 0, %p0;\n"
        " setp.ne.u32 %p0, %r0, 2;\n @%p0 bra KEEP;\n"
        " {\n .param .b64 a;\n st.param.b64 [a], %rd3;\n call.uni free, (a);\n }\n"
        "KEEP:\n bar.warp.sync 31;\n setp.ne.u32 %p0, %r0, 4;\n @%p0 bra DONE;\n"
        " {\n .param .b64 a;\n st.param.b64 [a], 2000000;\n .param .b64 r;\n"
        " call.uni (r), malloc, (a);\n ld.param.b64 %rd3, [r];\n }\n"
        " setp.ne.u64 %p0, %rd3, 0;\n @%p0 add.u32 %r1, %r1, 2;\n"
        "DONE:\n" END;
    static const uint32_t expected[5] = {1, 1, 1, 1, 2};
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 5>>>(int[5])");
    assert_memory_equal(run.out, expected, sizeof expected);
    collect_free(&run.collect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_called_by_address),
        cmocka_unit_test(addresses_are_initial_values),
        cmocka_unit_test(text_is_printed),
        cmocka_unit_test(widths_are_arguments),
        cmocka_unit_test(the_runtime_is_called),
        cmocka_unit_test(what_kernels_allocate_has_a_limit),
        cmocka_unit_test(who_arrives_does_not_wait),
        cmocka_unit_test(parts_of_a_block_meet),
        cmocka_unit_test(a_phase_of_an_mbarrier_is_a_meeting),
        cmocka_unit_test(a_barrier_counts_predicates),
        cmocka_unit_test(a_warp_waits_for_its_lanes),
        cmocka_unit_test(nested_branches_meet),
        cmocka_unit_test(what_a_block_leaves_in_registers_no_other_sees),
        cmocka_unit_test(a_loop_is_left_lane_by_lane),
        cmocka_unit_test(who_returns_is_not_waited_for),
        cmocka_unit_test(lanes_wait_for_each_other),
        cmocka_unit_test(warps_wait_at_a_barrier),
        cmocka_unit_test(who_left_holds_up_no_barrier),
        cmocka_unit_test(who_branches_to_the_end_holds_up_no_barrier),
        cmocka_unit_test(a_part_of_a_warp_passes_a_barrier),
        cmocka_unit_test(a_shuffle_waits_for_the_lanes_it_names),
        cmocka_unit_test(functions_are_called),
        cmocka_unit_test(neighbours_are_merged),
        cmocka_unit_test(unread_elements_are_not_loaded),
        cmocka_unit_test(strangers_are_not_merged),
        cmocka_unit_test(neighbours_are_merged_across_branches),
        cmocka_unit_test(neighbours_behind_a_loop_are_not_merged),
        cmocka_unit_test(shared_variables_lie_as_ptxas_has_them),
        cmocka_unit_test(unread_atomics_are_reductions),
        cmocka_unit_test(votes_are_of_the_members_that_a_lane_names),
        cmocka_unit_test(faults_of_kernels_are_told),
        cmocka_unit_test(loops_that_nobody_ends_are_told),
        cmocka_unit_test(loops_that_end_late_are_waited_for),
        cmocka_unit_test(unknown_instructions_are_told_when_they_are_executed),
        cmocka_unit_test(texts_that_are_no_ptx_are_refused),
        cmocka_unit_test(launches_that_do_not_fit_are_refused),
        cmocka_unit_test(kernels_are_named_as_in_reports),
        cmocka_unit_test(a_block_is_as_large_as_the_kernel_was_compiled_for),
        cmocka_unit_test(a_launch_has_as_many_arguments_as_cuda_lets_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
