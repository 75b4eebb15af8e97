/* test_ptx_bulk.c - copies by TMA in PTX: what they leave in memory, what the stream has of them, what ends a
 * launch. The texts are written by hand; what must come out follows from PTX ISA 9.0 by reading. */
#include "ptx_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

/* k(out, in): %rd1, %rd2; %r0 the thread, which is 0 where %p0 is false; a tile of 1024 bytes at s, a barrier
 * of one arrival behind it. */
#define BEGIN                                                                                      \
    ".version 8.0\n.target sm_90\n.address_size 64\n"                                              \
    ".visible .entry k(.param .u64 p, .param .u64 q) {\n .reg .pred %p<8>;\n .reg .b32 %r<16>;\n"  \
    " .reg .b64 %rd<8>;\n .shared .align 128 .b8 s[1024];\n .shared .align 8 .b64 b;\n"            \
    " ld.param.u64 %rd1, [p];\n ld.param.u64 %rd2, [q];\n mov.u32 %r0, %tid.x;\n"                  \
    " setp.ne.u32 %p0, %r0, 0;\n mul.wide.u32 %rd0, %r0, 4;\n mov.u32 %r2, s;\n"                   \
    " mov.u32 %r3, b;\n @%p0 bra READY;\n mbarrier.init.shared.b64 [b], 1;\nREADY:\n bar.sync 0;\n"
#define END " ret;\n}\n"
#define LOAD "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
#define STORE "cp.async.bulk.global.shared::cta.bulk_group"
#define EXPECT(bytes) " mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], " bytes ";\n"
#define WAIT(name, phase)                                                                           \
    name ":\n mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3], " phase ";\n @!%p1 bra " name ";\n"
#define OUT                                                                                        \
    " add.u64 %rd3, %rd1, %rd0;\n cvt.u32.u64 %r5, %rd0;\n add.u32 %r5, %r5, %r2;\n"               \
    " ld.shared.u32 %r6, [%r5];\n st.global.u32 [%rd3], %r6;\n"

/* ---- memory ---------------------------------------------------------------------------------- */

/* Both halves of the tile come by copies of one thread, and one phase ends when both are there. */
static void two_copies_make_a_phase(void **state)
{
    (void)state;
    static const char text[] =
        BEGIN " @%p0 bra W;\n" EXPECT("256") " " LOAD " [%r2], [%rd2], 128, [%r3];\n add.u64 %rd4, "
              "%rd2, 128;\n " LOAD " [%r2+128], [%rd2+128], 128, [%r3];\n" WAIT("W", "0") OUT END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 64>>>(int[64], int[64] = iota)");
    for (uint32_t t = 0; t < 64; t++) {
        assert_int_equal(run.out[t], t);
    }
    assert_int_equal(ptx_count_events(&run, "cp.async.bulk.shared.global"), 2);
    assert_int_equal(ptx_count_events(&run, "128 start=0 from=2:0 arrive=1"), 1);
    assert_int_equal(ptx_count_events(&run, "128 start=128 from=2:128 arrive=1"), 1);
    assert_int_equal(ptx_count_events(&run, "w0 arrive 1:0"), 1); /* expect_tx's */
    assert_int_equal(ptx_count_events(&run, "await 1:3"), 2);
    collect_free(&run.collect);
}

/* The barrier's second phase is a meeting of its own. */
static void each_phase_is_a_meeting(void **state)
{
    (void)state;
    static const char text[] = BEGIN
        " @%p0 bra W;\n" EXPECT("128") " " LOAD " [%r2], [%rd2], 128, [%r3];\n" WAIT("W", "0")
        " bar.sync 0;\n @%p0 bra V;\n" EXPECT("128") " " LOAD
        " [%r2], [%rd2+128], 128, [%r3];\n" WAIT("V", "1") OUT END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32], int[64] = iota)");
    assert_int_equal(run.out[5], 37);
    assert_int_equal(ptx_count_events(&run, "from=2:0 arrive=1"), 1);
    assert_int_equal(ptx_count_events(&run, "from=2:128 arrive=2"), 1);
    assert_int_equal(ptx_count_events(&run, "await 2:2"), 1);
    collect_free(&run.collect);
}

/* Each lane that is on begins a copy: four lanes of 16 bytes each. A store has no barrier. */
static void lanes_copy_each_for_itself(void **state)
{
    (void)state;
    static const char text[] =
        BEGIN " cvt.u32.u64 %r5, %rd0;\n add.u32 %r5, %r5, %r2;\n st.shared.u32 [%r5], %r0;\n"
              " bar.sync 0;\n fence.proxy.async.shared::cta;\n setp.gt.u32 %p2, %r0, 3;\n"
              " @%p2 bra D;\n mul.wide.u32 %rd3, %r0, 16;\n add.u64 %rd4, %rd1, %rd3;\n"
              " cvt.u32.u64 %r6, %rd3;\n add.u32 %r6, %r6, %r2;\n " STORE " [%rd4], [%r6], 16;\n"
              " cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;\nD:\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32] = 99, int[1])");
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(run.out[t], t < 16 ? t : 99);
    }
    assert_int_equal(ptx_count_events(&run, "cp.async.bulk.global.shared"), 4);
    assert_int_equal(ptx_count_events(&run, "16 start=48 from=1:48"), 1);
    assert_int_equal(ptx_count_events(&run, "16 start=48 from=1:48 arrive"), 0);
    collect_free(&run.collect);
}

/* 1 + t is there; t comes to it, as whole numbers and as halves of which 2^-24 is lost. */
static void sums_are_added_to_what_is_there(void **state)
{
    (void)state;
    static const char sum[] =
        BEGIN " cvt.u32.u64 %r5, %rd0;\n add.u32 %r5, %r5, %r2;\n st.shared.u32 [%r5], %r0;\n"
              " bar.sync 0;\n fence.proxy.async;\n @%p0 bra D;\n"
              " cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r2], 128;\n"
              " cp.async.bulk.commit_group;\n cp.async.bulk.wait_group.read 0;\nD:\n" END;
    static const char halves[] =
        BEGIN " cvt.u32.u64 %r5, %rd0;\n add.u32 %r5, %r5, %r2;\n mov.u32 %r6, 0x00013c00;\n"
              " st.shared.u32 [%r5], %r6;\n bar.sync 0;\n fence.proxy.async;\n @%p0 bra D;\n"
              " cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%rd1], [%r2], 128;\n"
              " cp.async.bulk.commit_group;\n cp.async.bulk.wait_group.read 0;\nD:\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, sum, "k<<<1, 32>>>(int[32] = iota, int[1])");
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(run.out[t], 2 * t);
    }
    assert_int_equal(ptx_count_events(&run, "cp.reduce.async.bulk.global.shared.add"), 1);
    collect_free(&run.collect);
    ptx_expect_run(&run, halves, "k<<<1, 32>>>(half[64] = 1.0, int[1])");
    assert_int_equal(run.out[31], 0x3c004000);
    collect_free(&run.collect);
}

/* 7 t comes to 100 in thread t's word: what each reduction makes of it, from PTX's table of them. */
static void each_reduction_does_what_its_atomic_does(void **state)
{
    (void)state;
    static const struct {
        const char *operation, *event;
    } cases[] = {{"min.u32", ".min"}, {"max.s32", ".max"}, {"inc.u32", ".inc"}, {"dec.u32", ".dec"},
                 {"and.b32", ".and"}, {"or.b32", ".or"},   {"xor.b32", ".xor"}, {"add.u32", ".add"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096], event[80];
        struct ptx_run run;
        (void)snprintf(text, sizeof text, "%s%s%s",
                       BEGIN " cvt.u32.u64 %r5, %rd0;\n add.u32 %r5, %r5, %r2;\n mul.lo.u32 %r6, %r0, 7;\n"
                             " st.shared.u32 [%r5], %r6;\n bar.sync 0;\n fence.proxy.async;\n @%p0 bra D;\n"
                             " cp.reduce.async.bulk.global.shared::cta.bulk_group.",
                       cases[i].operation,
                       " [%rd1], [%r2], 128;\n cp.async.bulk.commit_group;\n cp.async.bulk.wait_group.read 0;\nD:\n" END);
        (void)snprintf(event, sizeof event, "cp.reduce.async.bulk.global.shared%s", cases[i].event);
        ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32] = 100, int[1])");
        for (uint32_t t = 0; t < 32; t++) {
            const uint32_t value = 7 * t, expected[] = {value < 100 ? value : 100,
                                                        value > 100 ? value : 100,
                                                        100 >= value ? 0 : 101,
                                                        100 > value ? value : 99,
                                                        100 & value,
                                                        100 | value,
                                                        100 ^ value,
                                                        100 + value};
            assert_int_equal(run.out[t], expected[i]);
        }
        assert_int_equal(ptx_count_events(&run, event), 1);
        collect_free(&run.collect);
    }
}

/* ---- what is waited for ---------------------------------------------------------------------- */

static uint32_t find_wait(const char *text, const char *launch)
{
    struct bsim_ptx_call *call = NULL;
    struct collect collect = {0};
    struct bsim_error err;
    struct bsim_ptx_options options = {.has_work = true};
    uint32_t wait = UINT32_MAX;
    struct bsim_sink sink = collect_sink(&collect);
    assert_int_equal(bsim_ptx_call_new("k.ptx", text, strlen(text), launch, &call, &err), BSIM_OK);
    bsim_ptx_call_set(call, &options);
    assert_int_equal(bsim_ptx_call_run(call, &sink, &err), BSIM_OK);
    for (size_t i = 0; i < collect.n; i++) {
        wait = collect.item[i].kind == BSIM_RECORD_EVENT && collect.item[i].event.wait != BSIM_ANY_COUNT
                   ? (uint32_t)collect.item[i].event.wait
                   : wait;
    }
    bsim_ptx_call_free(call);
    collect_free(&collect);
    return wait;
}

#define TWO_STORES                                                                                 \
    BEGIN " @%p0 bra D;\n st.shared.u32 [%r2], %r0;\n " STORE " [%rd1], [%r2], 16;\n"              \
          " cp.async.bulk.commit_group;\n " STORE " [%rd1+16], [%r2], 16;\n"

/* Of two groups all but the last one are waited for, or all; or what is in none yet, by nobody. */
static void groups_are_waited_for_in_order(void **state)
{
    (void)state;
    static const char one[] =
        TWO_STORES " cp.async.bulk.commit_group;\n cp.async.bulk.wait_group.read 1;\n"
                   " st.shared.u32 [%r2], %r0;\nD:\n" END;
    static const char none[] =
        TWO_STORES " cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;\n"
                   " st.shared.u32 [%r2], %r0;\nD:\n" END;
    static const char open[] =
        TWO_STORES " cp.async.bulk.wait_group 0;\n st.shared.u32 [%r2], %r0;\nD:\n" END;
    assert_int_equal(find_wait(one, "k<<<1, 1>>>(int[64], int[1])"), 1);
    assert_int_equal(find_wait(none, "k<<<1, 1>>>(int[64], int[1])"), 0);
    assert_int_equal(find_wait(open, "k<<<1, 1>>>(int[64], int[1])"), 1);
}

static void what_nobody_has_waited_for_is_told(void **state)
{
    (void)state;
    static const char hasty[] = BEGIN " @%p0 bra W;\n" EXPECT("128") " " LOAD
                                      " [%r2], [%rd2], 128, [%r3];\nW:\n" OUT END;
    static const char patient[] = BEGIN " @%p0 bra W;\n" EXPECT("128") " " LOAD
                                        " [%r2], [%rd2], 128, [%r3];\n" WAIT("W", "0") OUT END;
    for (int is_hasty = 0; is_hasty < 2; is_hasty++) {
        struct bsim_ptx_call *call = NULL;
        struct collect collect = {0};
        struct bsim_error err;
        struct bsim_ptx_options options = {0};
        struct bsim_sink sink = collect_sink(&collect);
        const char *text = is_hasty ? hasty : patient;
        assert_int_equal(bsim_ptx_call_new("k.ptx", text, strlen(text),
                                           "k<<<1, 32>>>(int[32], int[32] = iota)", &call, &err),
                         BSIM_OK);
        bsim_ptx_call_set(call, &options);
        assert_int_equal(bsim_ptx_call_run(call, &sink, &err), BSIM_OK);
        const char *found = bsim_ptx_call_findings(call);
        assert_true((strstr(found, "that its thread has not waited for") != NULL) == is_hasty);
        bsim_ptx_call_free(call);
        collect_free(&collect);
    }
}

/* ---- what ends a launch ---------------------------------------------------------------------- */

static void expect_end(const char *text, enum bsim_status status, const char *message)
{
    struct ptx_run run;
    ptx_run_launch(&run, text, "k<<<1, 32>>>(int[64], int[64])");
    if (run.status != status || strstr(run.err.message, message) == NULL) {
        fail_msg("%d: %s, not %s", (int)run.status, run.err.message, message);
    }
    collect_free(&run.collect);
}

static void what_is_no_copy_is_refused(void **state)
{
    (void)state;
    expect_end(BEGIN STORE " [%rd1], [%r2], 24;\n" END, BSIM_E_KERNEL,
               "24 bytes are no multiple of 16");
    expect_end(BEGIN STORE " [%rd1+8], [%r2], 16;\n" END, BSIM_E_KERNEL,
               "address 0x100000008 in global memory is no multiple of 16");
    expect_end(BEGIN STORE " [%rd1], [%r2+4], 16;\n" END, BSIM_E_KERNEL,
               "address 0x4 in shared memory is no multiple of 16");
    expect_end(BEGIN STORE " [%rd1+224], [%r2], 48;\n" END, BSIM_E_KERNEL,
               "48 bytes at byte 224 of argument 0, which has 256");
    expect_end(BEGIN STORE " [%rd1], [%r2+1024], 16;\n" END, BSIM_E_KERNEL,
               "16 bytes at byte 1024 of the block's shared memory, which has 1032");
    expect_end(BEGIN LOAD " [%r2], [%rd2], 16, [%r3+4];\n" END, BSIM_E_KERNEL,
               "address 0x404 is no multiple of the 8 bytes");
    expect_end(BEGIN LOAD ".multicast::cluster [%r2], [%rd2], 16, [%r3], 2;\n" END, BSIM_E_KERNEL,
               "a multicast to the blocks 0x2 of a cluster of 1");
    expect_end(BEGIN " cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.s32 [%rd1], [%r2], 16;\n" END,
               BSIM_E_INPUT, "'cp' is not known here, or not in this form");
    expect_end(BEGIN " cp.async.bulk.shared::cluster.global [%r2], [%rd2], 16, [%r3];\n" END,
               BSIM_E_INPUT, "'cp' is not known here, or not in this form");
}

/* A phase waits for bytes that do not come, or more have come than were expected; or it is the one that
 * nobody comes to. */
static void phases_that_never_end_are_told(void **state)
{
    (void)state;
    expect_end(BEGIN " @%p0 bra W;\n" EXPECT("48") " " LOAD " [%r2], [%rd2], 32, [%r3];\n" WAIT("W", "0") END,
               BSIM_E_KERNEL, "1 of its 1 arrivals have come, and 16 bytes of copies are missing");
    expect_end(BEGIN " @%p0 bra W;\n" EXPECT("16") " " LOAD " [%r2], [%rd2], 32, [%r3];\n" WAIT("W", "0") END,
               BSIM_E_KERNEL, "and copies have brought 16 bytes more than expect_tx said");
    expect_end(BEGIN " @%p0 bra W;\n" EXPECT("32") " " LOAD " [%r2], [%rd2], 32, [%r3];\n" WAIT("W", "0")
                   WAIT("V", "1") END,
               BSIM_E_KERNEL, "wait for phase 1 of mbarrier b at shared byte 0x400 to end: 0 of its 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_copies_make_a_phase),
        cmocka_unit_test(each_phase_is_a_meeting),
        cmocka_unit_test(lanes_copy_each_for_itself),
        cmocka_unit_test(sums_are_added_to_what_is_there),
        cmocka_unit_test(each_reduction_does_what_its_atomic_does),
        cmocka_unit_test(groups_are_waited_for_in_order),
        cmocka_unit_test(what_nobody_has_waited_for_is_told),
        cmocka_unit_test(what_is_no_copy_is_refused),
        cmocka_unit_test(phases_that_never_end_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
