/* test_ptx_stuck.c - loops that nobody can end are told, with what they wait for; loops that end by
 * themselves, however late, are not. The texts are written by hand. */
#include "ptx_run.h"
#include "watched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Turns enough for trails to be left and read, in a text; what it says is a number there, too. */
#if IS_WATCHED
#define MANY(all, part) part
#else
#define MANY(all, part) all
#endif
#define TEXT_OF(n) #n
#define TEXT(n) TEXT_OF(n)

/* k(unsigned *out): %rd0 is out + thread, %r0 the thread, `b` a barrier for %r9 arrivals. */
#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define BEGIN(arrivals) HEAD ENTRY(arrivals)
#define ENTRY(arrivals)                                                                            \
    ".visible .entry k(.param .u64 p) {\n .reg .pred %p<8>;\n .reg .b32 %r<16>;\n"                 \
    " .reg .b64 %rd<8>;\n .shared .b32 flag;\n .shared .align 8 .b64 b;\n .local .align 8 .b8 own[16];\n"      \
    " ld.param.u64 %rd1, [p];\n mov.u32 %r0, %tid.x;\n mul.wide.u32 %rd2, %r0, 4;\n"               \
    " add.s64 %rd0, %rd1, %rd2;\n mov.u32 %r1, 7;\n mov.u32 %r2, 0;\n mov.u32 %r3, 0;\n"           \
    " st.shared.u32 [flag], %r2;\n setp.ne.u32 %p1, %r0, 0;\n @%p1 bra START;\n"                   \
    " mbarrier.init.shared.b64 [b], " arrivals ";\nSTART:\n bar.sync 0;\n"
#define ARRIVE " mbarrier.arrive.shared.b64 %rd3, [b];\n"
#define LOOK " mbarrier.try_wait.shared.b64 %p2, [b], %rd3;\n"
#define COUNT " add.u32 %r2, %r2, 1;\n"
#define END " st.global.u32 [%rd0], %r1;\n ret;\n}\n"

static void expect_stuck(const char *text, const char *launch, const char *message)
{
    struct ptx_run run;
    ptx_run_briefly(&run, text, launch);
    if (run.status != BSIM_E_KERNEL || strstr(run.err.message, message) == NULL) {
        fail_msg("%d: %s", (int)run.status, run.err.message);
    }
    collect_free(&run.collect);
}

/* Element 32 is `last`: of a warp of one lane, beside a full one. */
static void expect_end(const char *text, uint32_t last)
{
    struct ptx_run run;
    ptx_expect_end(&run, text, "k<<<1, 33>>>(int[64])");
    assert_int_equal(run.out[32], last);
    collect_free(&run.collect);
}

#define WAITS_FOR_64                                                                               \
    "thread (0,0,0): a deadlock: 32 threads go round here for ever and wait for phase 0 of "       \
    "mbarrier b at shared byte 0x8 to end: 32 of its 64 arrivals have come"

/* 32 of 64 arrive and wait, in loops that count, read a clock, or do this as of the 16th turn, as
 * cuda::barrier does. */
static void barriers_in_memory_that_nobody_completes_are_told(void **state)
{
    (void)state;
    static const char plain[] = BEGIN("64") ARRIVE "L:\n" LOOK " @!%p2 bra L;\n" END;
    static const char counted[] = BEGIN("64") ARRIVE "L:\n" COUNT LOOK " @!%p2 bra L;\n" END;
    static const char timed[] =
        BEGIN("64") ARRIVE "L:\n mov.u64 %rd4, %globaltimer;\n" LOOK " @!%p2 bra L;\n" END;
    static const char patient[] =
        BEGIN("64") ARRIVE " mov.u64 %rd5, %globaltimer;\n"
                           "L:\n setp.lt.u32 %p3, %r2, 16;\n @%p3 bra C;\n"
                           " mov.u64 %rd4, %globaltimer;\n sub.u64 %rd4, %rd4, %rd5;\n"
                           " setp.lt.u64 %p4, %rd4, 3000000;\n @%p4 bra T;\n nanosleep.u32 1000;\n"
                           " bra.uni T;\nC:\n" COUNT "T:\n" LOOK " @!%p2 bra L;\n" END;
    static const char parity[] =
        BEGIN("64") "L:\n" COUNT " mbarrier.try_wait.parity.shared.b64 %p2, [b], 0;\n @!%p2 bra L;\n" END;
    static const char unset[] =
        BEGIN("64") " .shared .align 8 .b64 c;\n"
                    "L:\n" COUNT " mbarrier.try_wait.parity.shared.b64 %p2, [c], 1;\n @!%p2 bra L;\n" END;
    expect_stuck(plain, "k<<<1, 32>>>(int[32])", WAITS_FOR_64);
    expect_stuck(counted, "k<<<1, 32>>>(int[32])", WAITS_FOR_64);
    expect_stuck(timed, "k<<<1, 32>>>(int[32])", WAITS_FOR_64);
    expect_stuck(patient, "k<<<1, 32>>>(int[32])", WAITS_FOR_64);
    expect_stuck(parity, "k<<<1, 32>>>(int[32])", "0 of its 64 arrivals have come");
    expect_stuck(unset, "k<<<1, 32>>>(int[32])",
                 "mbarrier c at shared byte 0x10, which nobody has initialised");
}

/* PTX ISA 9.0, barrier: numbers 0 to 15, counts that are multiples of the warp size, and not 0 where threads
 * arrive alone. */
static void operands_of_barriers_are_checked(void **state)
{
    (void)state;
    expect_stuck(BEGIN("1") " bar.sync 16;\n" END, "k<<<1, 64>>>(int[64])",
                 "barrier 16: there are 0 to 15");
    expect_stuck(BEGIN("1") " bar.sync 1, 50;\n" END, "k<<<1, 64>>>(int[64])",
                 "thread (32,0,0): barrier 1 of 50 threads: PTX asks for a multiple of 32");
    expect_stuck(BEGIN("1") " bar.arrive 1, 0;\n" END, "k<<<1, 64>>>(int[64])",
                 "barrier 1 of 0 threads: PTX asks for a multiple of 32 above 0");
    expect_stuck(BEGIN("1") " setp.lt.u32 %p3, %r0, 40;\n barrier.red.popc.u32 %r1, 2, 33, %p3;\n" END,
                 "k<<<1, 64>>>(int[64])", "barrier 2 of 33 threads");
    expect_stuck(BEGIN("1") " setp.lt.u32 %p3, %r0, 32;\n selp.u32 %r4, 32, 96, %p3;\n"
                            " bar.arrive 1, 64;\n bar.sync 1, %r4;\n" END,
                 "k<<<1, 96>>>(int[96])",
                 "barrier 1 of 96 threads, to which others have come as one of 64");
    expect_stuck(BEGIN("1") " and.b32 %r4, %r0, 1;\n barrier.sync %r4, 32;\n" END,
                 "k<<<1, 32>>>(int[32])",
                 "thread (1,0,0): comes to barrier 1 of 32 threads, lane 0 of its warp at the same time "
                 "to barrier 0 of 32");
    expect_end(BEGIN("1") " bar.sync 3, 64;\n mov.u32 %r4, 4;\n bar.sync %r4, 64;\n" END, 7);
}

/* PTX adds the warp's size for each warp: in a block of 50 threads two make 64, and so they do where some
 * have ended, who arrives as who waits. */
static void a_warp_counts_whole_at_a_barrier(void **state)
{
    (void)state;
    static const struct {
        const char *text, *launch;
    } cases[] = {
        {BEGIN("1") " bar.sync 1, 64;\n" END, "k<<<1, 50>>>(int[64])"},
        {BEGIN("1") " setp.ge.u32 %p3, %r0, 32;\n @%p3 bra A;\n bar.sync 1, 64;\n bra B;\n"
                    "A:\n bar.arrive 1, 64;\nB:\n" END,
         "k<<<1, 50>>>(int[64])"},
        {BEGIN("1") " setp.ge.u32 %p3, %r0, 40;\n @%p3 ret;\n setp.eq.u32 %p3, %r0, 0;\n @%p3 ret;\n"
                    " bar.sync 1, 64;\n" END,
         "k<<<1, 64>>>(int[64])"},
        {BEGIN("1") " bar.sync 0;\n bar.sync 1, 32;\n" END, "k<<<1, 20>>>(int[64])"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ptx_run run;
        ptx_expect_end(&run, cases[i].text, cases[i].launch);
        assert_int_equal(run.out[1], 7);
        collect_free(&run.collect);
    }
    expect_stuck(BEGIN("1") " bar.sync 1, 96;\n" END, "k<<<1, 50>>>(int[64])",
                 "64 of the 96 threads that barrier 1 wants");
}

/* Two of the three warps that barrier 1 wants come to it, at two places; or one of them only arrives. */
static void who_came_to_a_barrier_is_counted_at_all_its_places(void **state)
{
    (void)state;
    expect_stuck(BEGIN("1") " setp.ge.u32 %p3, %r0, 32;\n @%p3 bra A;\n bar.sync 1, 96;\n"
                            "A:\n @!%p3 bra B;\n bar.sync 1, 96;\nB:\n" END,
                 "k<<<1, 64>>>(int[64])",
                 "64 of the 96 threads that barrier 1 wants have come to it, of which 32 wait here for "
                 "threads that never come; 32 more at barrier 1 at");
    expect_stuck(BEGIN("1") " setp.ge.u32 %p3, %r0, 32;\n @%p3 bra A;\n bar.arrive 1, 96;\n bra B;\n"
                            "A:\n bar.sync 1, 96;\nB:\n" END,
                 "k<<<1, 64>>>(int[64])",
                 "64 of the 96 threads that barrier 1 wants have come to it, of which 32 wait here");
}

/* A loop that counts its looks at a flag; warp 1 waits for warp 0. */
static void flags_that_nobody_sets_are_told(void **state)
{
    (void)state;
    static const char text[] =
        BEGIN("1") " setp.ge.u32 %p3, %r0, 32;\n @%p3 bra JOIN;\n"
                   "L:\n" COUNT " ld.volatile.shared.u32 %r4, [flag];\n setp.eq.u32 %p2, %r4, 0;\n"
                   " @%p2 bra L;\nJOIN:\n bar.sync 0;\n" END;
    expect_stuck(text, "k<<<1, 64>>>(int[64])",
                 "32 threads go round here for ever and read shared byte 0x0, which nobody changes; "
                 "32 more at barrier 0");
}

#define ENDS_LATE(turn, last)                                                                      \
    BEGIN("1") "L:\n" COUNT turn " ld.volatile.shared.u32 %r4, [flag];\n"                          \
               " setp.eq.u32 %p2, %r4, 0;\n @%p2 bra L;\nOUT:\n mov.u32 %r1, " last ";\n" END

/* More turns than it takes until a block leaves trails. */
static void loops_that_end_by_themselves_are_waited_for(void **state)
{
    (void)state;
#define COUNTED MANY(400000, 150000)
#define IN_MEMORY MANY(250000, 60000)
    static const char counted[] =
        ENDS_LATE(" setp.gt.u32 %p3, %r2, " TEXT(COUNTED) ";\n @%p3 bra OUT;\n", "%r2");
    static const char timed[] =
        ENDS_LATE(" mov.u64 %rd4, %clock64;\n setp.gt.u64 %p3, %rd4, 2500000;\n @%p3 bra OUT;\n", "5");
    static const char in_memory[] =
        BEGIN("1") " st.local.u32 [own], %r2;\n"
                   "L:\n ld.local.u32 %r4, [own];\n add.u32 %r5, %r4, 1;\n st.local.u32 [own], %r5;\n"
                   " setp.lt.u32 %p2, %r5, " TEXT(IN_MEMORY) ";\n @%p2 bra L;\n mov.u32 %r1, %r5;\n" END;
    static const char by_carry[] =
        BEGIN("1") " mov.u32 %r5, 0xfffc0000;\n"
                   "L:\n mov.u32 %r3, %r5;\n add.cc.u32 %r5, %r3, 1;\n addc.u32 %r4, 0, 0;\n"
                   " setp.eq.u32 %p2, %r4, 0;\n @%p2 bra L;\n mov.u32 %r1, %r4;\n" END;
    static const char by_atomic[] =
        BEGIN("1") "L:\n" COUNT " atom.shared.add.u32 %r4, [flag], 1;\n"
                   " setp.lt.u32 %p2, %r4, " TEXT(MANY(3000000, 1000000)) ";\n"
                   " @%p2 bra L;\n mov.u32 %r1, 6;\n" END;
    static const char by_the_way[] = /* %p2 is true until the counter chooses the other of its writers */
        BEGIN("1") "L:\n" COUNT " setp.lt.u32 %p3, %r2, 250000;\n @%p3 bra LOW;\n"
                   " setp.lt.u32 %p2, 1, 0;\n bra.uni T;\nLOW:\n setp.lt.u32 %p2, 0, 1;\n"
                   "T:\n @%p2 bra L;\n mov.u32 %r1, %r2;\n" END;
    expect_end(counted, COUNTED + 1);
    expect_end(timed, 5);
    expect_end(in_memory, IN_MEMORY);
    expect_end(by_carry, 1);
    expect_end(by_atomic, 6);
    expect_end(by_the_way, 250000);
}

/* look(p) { return *p; } in shared memory, next(n) { return n + 1; }, step(p) { ++*p; } in own memory. */
#define FUNCTIONS                                                                                  \
    ".func (.param .b32 out) look(.param .b64 in) {\n .reg .b32 %r<2>;\n .reg .b64 %rd<2>;\n"      \
    " ld.param.u64 %rd1, [in];\n ld.volatile.u32 %r1, [%rd1];\n st.param.b32 [out], %r1;\n"       \
    " ret;\n}\n"                                                                                   \
    ".func (.param .b32 out) next(.param .b32 in) {\n .reg .b32 %r<2>;\n ld.param.u32 %r0, [in];\n" \
    " add.u32 %r1, %r0, 1;\n st.param.b32 [out], %r1;\n ret;\n}\n"                               \
    ".func step(.param .b64 in) {\n .reg .b32 %r<2>;\n .reg .b64 %rd<2>;\n"                       \
    " ld.param.u64 %rd1, [in];\n ld.local.u32 %r0, [%rd1];\n add.u32 %r0, %r0, 1;\n"             \
    " st.local.u32 [%rd1], %r0;\n ret;\n}\n"
#define CALLS " .param .b64 a;\n .param .b32 b;\n .param .b32 c;\n .param .b32 d;\n"
#define POINT_AT_OWN " mov.u64 %rd4, own;\n st.local.v2.u32 [own], {%r2, %r2};\n"
#define SET_NEXT " st.param.b32 [c], %r2;\n call (d), next, (c);\n ld.param.b32 %r2, [d];\n"

/* What keeps the lanes goes through own memory, or comes from a function, beside a counter that does. */
static void flags_behind_own_memory_are_told(void **state)
{
    (void)state;
    static const char local[] =
        BEGIN("1") POINT_AT_OWN "L:\n ld.volatile.shared.u32 %r4, [flag];\n st.local.u32 [%rd4+8], %r4;\n"
                                " ld.local.u32 %r5, [own+4];\n add.u32 %r5, %r5, 1;\n"
                                " st.local.u32 [%rd4+4], %r5;\n ld.local.u32 %r6, [own+8];\n"
                                " setp.eq.u32 %p2, %r6, 0;\n @%p2 bra L;\n" END;
    static const char called[] =
        HEAD FUNCTIONS ENTRY("1") CALLS
        " mov.u64 %rd5, flag;\n cvta.shared.u64 %rd5, %rd5;\n"
        "L:\n" SET_NEXT " st.param.b64 [a], %rd5;\n call (b), look, (a);\n ld.param.b32 %r4, [b];\n"
        " setp.eq.u32 %p2, %r4, 0;\n @%p2 bra L;\n" END;
    expect_stuck(local, "k<<<1, 32>>>(int[32])",
                 "32 threads go round here for ever and read shared byte 0x0, which nobody changes");
    expect_stuck(called, "k<<<1, 32>>>(int[32])", "32 threads go round here for ever");
}

/* A count in own memory, that a function returns, that one is pointed at, that one of two words gets by the
 * other, or of which a store changes a byte, ends a loop. */
static void counts_in_own_memory_are_waited_for(void **state)
{
    (void)state;
#define IN_OWN MANY(100000, 30000)
#define IN_BYTES MANY(3932160000, 1966080000) /* 60000 and 30000 in the upper half */
#define UNTIL(n) " setp.lt.u32 %p2, %r2, " TEXT(n) ";\n @%p2 bra L;\n mov.u32 %r1, %r2;\n" END
    static const char returned[] = HEAD FUNCTIONS ENTRY("1") CALLS "L:\n" SET_NEXT UNTIL(IN_OWN);
    static const char pointed[] =
        HEAD FUNCTIONS ENTRY("1") CALLS POINT_AT_OWN
        "L:\n st.param.b64 [a], %rd4;\n call step, (a);\n ld.local.u32 %r2, [own];\n" UNTIL(IN_OWN);
    static const char swapped[] =
        BEGIN("1") POINT_AT_OWN "L:\n ld.local.u32 %r4, [%rd4];\n ld.local.u32 %r2, [%rd4+4];\n"
                                " st.local.u32 [own], %r2;\n add.u32 %r4, %r4, 1;\n"
                                " st.local.u32 [own+4], %r4;\n" UNTIL(IN_OWN);
    static const char bytes[] =
        BEGIN("1") POINT_AT_OWN "L:\n ld.local.u16 %r4, [own+2];\n add.u32 %r4, %r4, 1;\n"
                                " st.local.u16 [%rd4+2], %r4;\n ld.local.u32 %r2, [own];\n" UNTIL(IN_BYTES);
    static const char generic[] =
        BEGIN("1") POINT_AT_OWN " cvta.local.u64 %rd5, %rd4;\nL:\n ld.local.u32 %r4, [own];\n"
                                " add.u32 %r4, %r4, 1;\n st.local.u32 [own], %r4;\n ld.u32 %r2, [%rd5];\n"
            UNTIL(IN_OWN);
    static const char elsewhere[] = /* the store comes to the flag's word at last */
        BEGIN("1") " mov.u64 %rd4, own;\n st.local.u32 [own], %r1;\n st.local.u32 [own+4], %r2;\n"
                   " mov.u64 %rd5, %rd4;\nL:\n" COUNT " setp.gt.u32 %p3, %r2, " TEXT(IN_OWN) ";\n"
                   " selp.u64 %rd5, 4, 0, %p3;\n add.u64 %rd5, %rd5, %rd4;\n st.local.u32 [%rd5], %r1;\n"
                   " ld.local.u32 %r4, [own+4];\n setp.eq.u32 %p2, %r4, 0;\n @%p2 bra L;\n"
                   " mov.u32 %r1, %r2;\n" END;
    expect_end(returned, IN_OWN);
    expect_end(pointed, IN_OWN);
    expect_end(swapped, IN_OWN);
    expect_end(bytes, IN_BYTES);
    expect_end(generic, IN_OWN);
    expect_end(elsewhere, IN_OWN + 1);
}

#define BIT(b) /* p<b> is a bit of a counter: where it was 0 the turn ends */                        \
    " @%p" #b " bra N" #b ";\n setp.eq.u32 %p" #b ", 0, 0;\n bra.uni L;\n"                        \
    "N" #b ":\n setp.eq.u32 %p" #b ", 0, 1;\n"

/* No step changes more than a constant, but all of them together count to 2^18. */
static void counters_made_of_branches_are_waited_for(void **state)
{
    (void)state;
    static const char text[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 p) {\n .reg .pred %p<20>;\n .reg .b32 %r<2>;\n"
        " .reg .b64 %rd<2>;\n ld.param.u64 %rd0, [p];\n mov.u32 %r1, 7;\n mov.pred %p0, 0;\n"
        " mov.pred %p1, 0;\n mov.pred %p2, 0;\n mov.pred %p3, 0;\n mov.pred %p4, 0;\n"
        " mov.pred %p5, 0;\n mov.pred %p6, 0;\n mov.pred %p7, 0;\n mov.pred %p8, 0;\n"
        " mov.pred %p9, 0;\n mov.pred %p10, 0;\n mov.pred %p11, 0;\n mov.pred %p12, 0;\n"
        " mov.pred %p13, 0;\n mov.pred %p14, 0;\n mov.pred %p15, 0;\n mov.pred %p16, 0;\n"
        " mov.pred %p17, 0;\nL:\n" BIT(0) BIT(1) BIT(2) BIT(3) BIT(4) BIT(5) BIT(6) BIT(7) BIT(8)
            BIT(9) BIT(10) BIT(11) BIT(12) BIT(13) BIT(14) BIT(15) BIT(16) BIT(17)
        " st.global.u32 [%rd0+128], %r1;\n ret;\n}\n";
    expect_end(text, 7);
}

/* f(n) = n < 2 ? n : f(n - 1) + f(n - 2): its first calls come back long after the last of a trail. */
static void functions_that_call_themselves_for_long_are_waited_for(void **state)
{
    (void)state;
    static const char text[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".func (.param .b32 out) f(.param .b32 in) {\n .reg .pred %p<2>;\n .reg .b32 %r<8>;\n"
        " .param .b32 a;\n .param .b32 b;\n"
        " ld.param.u32 %r1, [in];\n mov.u32 %r4, %r1;\n setp.lt.u32 %p1, %r1, 2;\n @%p1 bra E;\n"
        " sub.u32 %r2, %r1, 1;\n st.param.b32 [a], %r2;\n call (b), f, (a);\n"
        " ld.param.b32 %r3, [b];\n sub.u32 %r2, %r1, 2;\n st.param.b32 [a], %r2;\n"
        " call (b), f, (a);\n ld.param.b32 %r2, [b];\n add.u32 %r4, %r2, %r3;\n"
        "E:\n st.param.b32 [out], %r4;\n ret;\n}\n"
        ".visible .entry k(.param .u64 p) {\n .reg .b32 %r<4>;\n .reg .b64 %rd<2>;\n"
        " .param .b32 a;\n .param .b32 b;\n ld.param.u64 %rd0, [p];\n mov.u32 %r0, 20;\n"
        " st.param.b32 [a], %r0;\n call (b), f, (a);\n ld.param.b32 %r1, [b];\n"
        " st.global.u32 [%rd0+128], %r1;\n ret;\n}\n";
    expect_end(text, 6765);
#define ADD_4 " add.u32 %r3, %r3, 1;\n add.u32 %r3, %r3, 1;\n add.u32 %r3, %r3, 1;\n add.u32 %r3, %r3, 1;\n"
    static const char deep[] = /* 12000 calls deep, each of which adds up when the next comes back */
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".func f(.param .b32 in) {\n .reg .pred %p<2>;\n .reg .b32 %r<4>;\n .param .b32 a;\n"
        " ld.param.u32 %r1, [in];\n setp.eq.u32 %p1, %r1, 0;\n @%p1 bra E;\n"
        " sub.u32 %r2, %r1, 1;\n st.param.b32 [a], %r2;\n call f, (a);\n" ADD_4 ADD_4 ADD_4 ADD_4 ADD_4
            ADD_4 ADD_4 "E:\n ret;\n}\n"
        ".visible .entry k(.param .u64 p) {\n .reg .b32 %r<4>;\n .reg .b64 %rd<2>;\n .param .b32 a;\n"
        " ld.param.u64 %rd0, [p];\n mov.u32 %r0, 12000;\n st.param.b32 [a], %r0;\n call f, (a);\n"
        " st.global.u32 [%rd0+128], %r0;\n ret;\n}\n";
    expect_end(deep, 12000);
}

/* Whenever it ends: while its warps leave trails, as well. */
static void loops_may_end_at_any_turn(void **state)
{
    (void)state;
    char text[2048];
    for (uint32_t n = 55000; n <= 95000; n += 5000) {
        (void)snprintf(text, sizeof text, "%s%" PRIu32 "%s",
                       BEGIN("1") "L:\n" COUNT " setp.lt.u32 %p2, %r2, ", n,
                       ";\n @%p2 bra L;\n mov.u32 %r1, %r2;\n" END);
        expect_end(text, n);
    }
}

/* Warp 0 counts for long before it sets what warp 1 looks for, or arrives where it waits. */
static void who_takes_long_is_waited_for(void **state)
{
    (void)state;
    static const char arrives[] =
        BEGIN("33") " setp.ge.u32 %p3, %r0, 32;\n @%p3 bra WAIT;\n"
                    "C:\n" COUNT " setp.lt.u32 %p4, %r2, 400000;\n @%p4 bra C;\n"
                    "WAIT:\n" ARRIVE "L:\n add.u32 %r3, %r3, 1;\n" LOOK " @!%p2 bra L;\n"
                    " mov.u32 %r1, 9;\n" END;
    expect_end(arrives, 9);
}

/* Lane 0 comes out of the loop and lets the next one in: who comes out does not wait for those inside. */
static void who_leaves_a_loop_may_end_it_for_others(void **state)
{
    (void)state;
    static const char text[] =
        BEGIN("1") "L:\n" COUNT " atom.shared.cas.b32 %r4, [flag], 0, 1;\n setp.ne.u32 %p2, %r4, 0;\n"
                   " @%p2 bra L;\n ld.global.u32 %r5, [%rd1];\n add.u32 %r5, %r5, 1;\n"
                   " st.global.u32 [%rd1], %r5;\n atom.shared.exch.b32 %r4, [flag], 0;\n"
                   " setp.ne.u32 %p3, %r0, 32;\n @%p3 ret;\n" END;
    struct ptx_run run;
    ptx_expect_end(&run, text, "k<<<1, 64>>>(int[64])");
    assert_int_equal(run.out[0], 64);
    assert_int_equal(run.out[32], 7);
    collect_free(&run.collect);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_in_memory_that_nobody_completes_are_told),
        cmocka_unit_test(a_warp_counts_whole_at_a_barrier),
        cmocka_unit_test(who_came_to_a_barrier_is_counted_at_all_its_places),
        cmocka_unit_test(flags_that_nobody_sets_are_told),
        cmocka_unit_test(operands_of_barriers_are_checked),
        cmocka_unit_test(loops_that_end_by_themselves_are_waited_for),
        cmocka_unit_test(flags_behind_own_memory_are_told),
        cmocka_unit_test(counts_in_own_memory_are_waited_for),
        cmocka_unit_test(counters_made_of_branches_are_waited_for),
        cmocka_unit_test(functions_that_call_themselves_for_long_are_waited_for),
        cmocka_unit_test(loops_may_end_at_any_turn),
        cmocka_unit_test(who_takes_long_is_waited_for),
        cmocka_unit_test(who_leaves_a_loop_may_end_it_for_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
