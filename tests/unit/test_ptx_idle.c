/* test_ptx_idle.c - threads that look for what others do: it comes to pass, with a few looks for each time
 * that they may go on, and who has come out of the loop goes on. The texts are written by hand. */
#include "ptx_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* k(unsigned *out): %rd1 is out, %rd0 out + thread, %r0 the thread; lock and n, which are 0. */
#define BEGIN                                                                              \
    ".version 8.0\n.target sm_90\n.address_size 64\n"                                      \
    ".visible .entry k(.param .u64 p) {\n .reg .pred %p<8>;\n .reg .b32 %r<16>;\n"         \
    " .reg .b64 %rd<8>;\n .shared .b32 lock;\n .shared .b32 n;\n .shared .b32 room[32];\n" \
    " ld.param.u64 %rd1, [p];\n mov.u32 %r0, %tid.x;\n mul.wide.u32 %rd2, %r0, 4;\n"       \
    " add.s64 %rd0, %rd1, %rd2;\n mov.u32 %r1, 0;\n st.volatile.shared.u32 [lock], %r1;\n" \
    " st.volatile.shared.u32 [n], %r1;\n bar.sync 0;\n"
#define END " st.global.u32 [%rd0], %r1;\n ret;\n}\n"

/* Each thread for itself, of a lock in that space at that address, with a count behind it. */
#define TAKE(space, at) \
    "L:\n atom." space ".cas.b32 %r2, [" at "], 0, 1;\n setp.ne.u32 %p1, %r2, 0;\n @%p1 bra L;\n"
#define LEAVE(space, at) " atom." space ".exch.b32 %r2, [" at "], 0;\n"
#define ADD_ONE(space, at)                                               \
    " ld.volatile." space ".u32 %r3, [" at "];\n add.u32 %r3, %r3, 1;\n" \
    " st.volatile." space ".u32 [" at "], %r3;\n"

/* A warp's lanes hand the lock on to each other: 2 looks for the first, 1 for each behind it and one when
 * it is gone; in each the other warps look once. So 8 warps look at most 9 times for each hand-over, and
 * not 10,000 times. */
static void each_thread_takes_a_lock(void **state)
{
    (void)state;
    struct ptx_run run;
    ptx_expect_run(&run,
                   BEGIN TAKE("shared", "lock") ADD_ONE("shared", "n")
                       LEAVE("shared", "lock") " bar.sync 0;\n ld.shared.u32 %r1, [n];\n" END,
                   "k<<<1, 256>>>(int[256])");
    assert_int_equal(run.out[0], 256);
    assert_int_equal(run.out[255], 256);
    assert_in_range(ptx_count_events(&run, "shared.cas"), 256, 256 * 9);
    collect_free(&run.collect);
}

static void blocks_take_a_lock_in_global_memory(void **state)
{
    (void)state;
    struct ptx_run run;
    ptx_expect_run(&run,
                   BEGIN TAKE("global", "%rd1") ADD_ONE("global", "%rd1+4")
                       LEAVE("global", "%rd1") " ret;\n}\n",
                   "k<<<3, 64>>>(int[2])");
    assert_int_equal(run.out[0], 0);
    assert_int_equal(run.out[1], 3 * 64);
    assert_in_range(ptx_count_events(&run, "global.cas"), 3 * 64, 3 * 64 * 3);
    collect_free(&run.collect);
}

/* Warp 0 puts 20 numbers into a room, warp 1 takes them out: each looks at most twice for each. */
static void one_warp_hands_over_to_another(void **state)
{
    (void)state;
#define TURN " add.u32 %r4, %r4, 1;\n setp.lt.u32 %p3, %r4, 20;\n"
    static const char text[] =
        BEGIN " mov.u32 %r4, 0;\n mov.u32 %r5, 1;\n setp.ge.u32 %p1, %r0, 32;\n @%p1 bra TAKES;\n"
              "PUT:\n mov.u32 %r6, 0;\n"
              "F:\n ld.volatile.shared.u32 %r2, [lock];\n setp.ne.u32 %p2, %r2, 0;\n @%p2 bra F;\n"
              " st.volatile.shared.u32 [n], %r4;\n st.volatile.shared.u32 [lock], %r5;\n" TURN
              " @%p3 bra PUT;\n bra.uni E;\n"
              "TAKES:\n mov.u32 %r6, 0;\n"
              "G:\n ld.volatile.shared.u32 %r7, [lock];\n setp.eq.u32 %p4, %r7, 0;\n @%p4 bra G;\n"
              " ld.volatile.shared.u32 %r3, [n];\n add.u32 %r1, %r1, %r3;\n"
              " st.volatile.shared.u32 [lock], %r6;\n" TURN " @%p3 bra TAKES;\n"
              "E:\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 64>>>(int[64])");
    assert_int_equal(run.out[32], 19 * 20 / 2);
    assert_in_range(ptx_count_events(&run, "ld.volatile.shared"), 3 * 20, 5 * 20);
    collect_free(&run.collect);
}

/* Three tries of each lane at most, and all wait for the last where the loop ends: they store as one. */
static void who_counts_tries_is_waited_for(void **state)
{
    (void)state;
    static const char text[] = BEGIN
        " mov.u32 %r4, 0;\n"
        "L:\n atom.shared.cas.b32 %r2, [lock], 0, 1;\n setp.eq.u32 %p1, %r2, 0;\n @%p1 bra E;\n"
        " add.u32 %r4, %r4, 1;\n setp.lt.u32 %p2, %r4, 3;\n @%p2 bra L;\n"
        "E:\n mov.u32 %r1, %r4;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32])");
    assert_int_equal(run.out[0], 0);
    assert_int_equal(run.out[31], 3);
    assert_int_equal(ptx_count_events(&run, "st.global"), 1);
    collect_free(&run.collect);
}

/* Memory may change with nobody who stores: warp 1 has a flag copied and ends, when warp 0 has looked. */
static void who_waits_for_a_copy_sees_it(void **state)
{
    (void)state;
    static const char text[] = BEGIN
        " setp.lt.u32 %p1, %r0, 32;\n @%p1 bra G;\n"
        " cp.async.ca.shared.global [lock], [%rd1+256], 4;\n cp.async.wait_all;\n ret;\n"
        "G:\n ld.volatile.shared.u32 %r1, [lock];\n setp.eq.u32 %p2, %r1, 0;\n @%p2 bra G;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 64>>>(int[65] = iota)");
    assert_int_equal(run.out[0], 64);
    assert_int_equal(run.out[32], 32);
    collect_free(&run.collect);
}

/* Warp 1 looks for a phase that warp 0 ends behind 50,000 turns of three steps. Clocks count all steps: a warp that went
 * on looking would have as many of them as the other. */
static void who_waits_for_a_phase_rests(void **state)
{
    (void)state;
    static const char text[] = BEGIN
        " .shared .b64 bar;\n mov.u32 %r2, bar;\n setp.ne.u32 %p1, %r0, 0;\n"
        " @!%p1 mbarrier.init.shared.b64 [%r2], 32;\n bar.sync 0;\n"
        " setp.ge.u32 %p1, %r0, 32;\n @%p1 bra G;\n mov.u32 %r3, 0;\n"
        "L:\n add.u32 %r3, %r3, 1;\n setp.lt.u32 %p2, %r3, 50000;\n @%p2 bra L;\n"
        " mbarrier.arrive.shared.b64 %rd4, [%r2];\n ret;\n"
        "G:\n mbarrier.try_wait.parity.shared.b64 %p3, [%r2], 0;\n @!%p3 bra G;\n mov.u32 %r1, %clock;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 64>>>(int[64])");
    assert_in_range(run.out[32], 3 * 50000, 3 * 50000 + 1000);
    collect_free(&run.collect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_thread_takes_a_lock),
        cmocka_unit_test(blocks_take_a_lock_in_global_memory),
        cmocka_unit_test(one_warp_hands_over_to_another),
        cmocka_unit_test(who_counts_tries_is_waited_for),
        cmocka_unit_test(who_waits_for_a_copy_sees_it),
        cmocka_unit_test(who_waits_for_a_phase_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
