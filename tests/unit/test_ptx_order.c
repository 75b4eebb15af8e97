/* test_ptx_order.c - a kernel whose counts rest on the order of its warps or blocks says so, and one whose
 * counts rest on a clock, the number of an SM or where arrays lie, and no other. The texts
 * are written by hand; the counts follow from them by reading, with the orders of src/ptx/order.c. */
#include "ptx_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

/* k(unsigned *out): %r0 the thread, %r1 its word of s, %rd0 its word of out. */
#define BEGIN                                                                              \
    ".version 8.0\n.target sm_90\n.address_size 64\n"                                      \
    ".visible .entry k(.param .u64 p) {\n .reg .pred %p<8>;\n .reg .b32 %r<16>;\n"         \
    " .reg .b64 %rd<8>;\n .shared .align 4 .b8 s[512];\n ld.param.u64 %rd1, [p];\n"        \
    " mov.u32 %r0, %tid.x;\n mul.wide.u32 %rd2, %r0, 4;\n add.s64 %rd0, %rd1, %rd2;\n"     \
    " mov.u32 %r2, s;\n shl.b32 %r3, %r0, 2;\n add.u32 %r1, %r2, %r3;\n mov.u32 %r4, 3;\n" \
    " mov.u32 %r5, 0;\n"
#define END " ret;\n}\n"

/* Thread 0 leaves 3 in s[0]; each turns round as often as it finds there, with a load of s in each. */
#define LEAVE_3 " setp.ne.u32 %p1, %r0, 0;\n @%p1 bra A;\n st.shared.u32 [s], %r4;\nA:\n"
#define TURNS                                                                       \
    "L:\n setp.eq.u32 %p2, %r6, 0;\n @%p2 bra E;\n ld.shared.u32 %r7, [%r1+256];\n" \
    " sub.u32 %r6, %r6, 1;\n bra.uni L;\nE:\n"
#define BARRIER " bar.sync 0;\n"

/* `words`: a part of what the kernel's counts rest on, or NULL: not on any order. */
static void expect(const char *text, const char *launch, const char *words)
{
    struct ptx_run run;
    ptx_expect_run(&run, text, launch);
    const char *rests = run.collect.item[0].text;
    if (words != NULL ? strstr(rests, words) == NULL : strstr(rests, "+order") != NULL) {
        fail_msg("%s", rests);
    }
    collect_free(&run.collect);
}

/* As launches run, one warp reads 3, stores 0 over it and loads three times before the other reads 0. In
 * short turns, as there are ten steps in between, both read 3 before either stores. */
#define TEN_STEPS                                                                         \
    " add.u32 %r9, %r3, 1;\n add.u32 %r9, %r9, 1;\n add.u32 %r9, %r9, 1;\n"               \
    " add.u32 %r9, %r9, 1;\n add.u32 %r9, %r9, 1;\n add.u32 %r9, %r9, 1;\n"               \
    " add.u32 %r9, %r9, 1;\n add.u32 %r9, %r9, 1;\n add.u32 %r9, %r9, 1;\n mov.u32 %r9, " \
    "%laneid;\n"
#define STORE_OVER " shl.b32 %r9, %r9, 2;\n add.u32 %r9, %r9, %r2;\n st.shared.u32 [%r9], %r5;\n"

static void who_stores_over_what_others_read(void **state)
{
    (void)state;
    expect(BEGIN LEAVE_3 BARRIER " ld.shared.u32 %r6, [s];\n" TEN_STEPS STORE_OVER TURNS END,
           "k<<<1, 64>>>(int[64])", "+order:8:11");
    expect(BEGIN LEAVE_3 BARRIER
           " ld.shared.u32 %r6, [s];\n" TEN_STEPS BARRIER STORE_OVER TURNS END,
           "k<<<1, 64>>>(int[64])", NULL);
    /* One warp has no order. */
    expect(BEGIN LEAVE_3 " ld.shared.u32 %r6, [s];\n" TEN_STEPS STORE_OVER TURNS END,
           "k<<<1, 32>>>(int[64])", NULL);
    /* A later block is as good as the first. */
    expect(BEGIN LEAVE_3 BARRIER " ld.shared.u32 %r6, [s];\n mov.u32 %r8, %ctaid.x;\n"
                                 " setp.lt.u32 %p3, %r8, 300;\n" TEN_STEPS
                                 " @%p3 bra B;\n" STORE_OVER "B:\n" TURNS END,
           "k<<<600, 64>>>(int[64])", "+order:8:11");
}

/* No branch hangs on it, but an address: of two words between lanes, 2-way, or of none. */
static void who_finds_other_addresses(void **state)
{
    (void)state;
    expect(BEGIN LEAVE_3 BARRIER
           " ld.shared.u32 %r6, [s];\n" TEN_STEPS STORE_OVER
           " and.b32 %r6, %r6, 2;\n mul.lo.u32 %r6, %r6, %r3;\n add.u32 %r6, %r6, %r2;\n"
           " ld.shared.u32 %r7, [%r6];\n" END,
           "k<<<1, 64>>>(int[64])", "+order:8:9");
}

/* Warp 0 runs first here, so that warp 1 reads what it wants; with the last first it does not. */
static void who_reads_what_nobody_has_stored_yet(void **state)
{
    (void)state;
    static const char racing[] =
        BEGIN LEAVE_3 " setp.lt.u32 %p3, %r0, 32;\n @%p3 bra E;\n ld.shared.u32 %r6, [s];\n"
                      " and.b32 %r6, %r6, 3;\n setp.eq.u32 %p4, %r6, 3;\n @%p4 mov.u32 %r6, 0;\n"
                      " setp.ne.u32 %p5, %r6, 0;\n @%p5 mov.u32 %r6, 1;\n" TURNS END;
    static const char in_global[] =
        BEGIN " setp.ne.u32 %p1, %r0, 0;\n @%p1 bra A;\n st.global.u32 [%rd1], %r4;\nA:\n"
              " setp.lt.u32 %p3, %r0, 32;\n @%p3 bra E;\n ld.global.u32 %r6, [%rd1];\n"
              " setp.eq.u32 %p4, %r6, 0;\n @%p4 st.global.u32 [%rd0], %r5;\nE:\n" END;
    expect(racing, "k<<<1, 64>>>(int[64])", NULL); /* 0x7f7f7f7f & 3 is 3, too */
    expect(in_global, "k<<<1, 64>>>(int[64])", "+order-global:2:6");
}

/* Who gets which place is chance, what it costs is not. */
static void places_that_atomics_give(void **state)
{
    (void)state;
    static const char places[] =
        BEGIN " setp.ne.u32 %p1, %r0, 0;\n @%p1 bra A;\n st.shared.u32 [s+508], %r5;\nA:\n" BARRIER
              " atom.shared.add.u32 %r6, [s+508], 4;\n and.b32 %r6, %r6, 255;\n"
              " add.u32 %r6, %r6, %r2;\n st.shared.u32 [%r6], %r0;\n" END;
    expect(places, "k<<<1, 64>>>(int[64])", NULL);
}

/* What is tried leaves nothing behind, nor does it end a launch. */
static void trials_are_not_seen(void **state)
{
    (void)state;
    struct ptx_run run;
    static const char adds[] = BEGIN LEAVE_3 BARRIER
        " ld.shared.u32 %r6, [s];\n" TEN_STEPS STORE_OVER TURNS
        " ld.global.u32 %r8, [%rd0];\n add.u32 %r8, %r8, 5;\n"
        " st.global.u32 [%rd0], %r8;\n red.global.add.u32 [%rd1+256], 1;\n" END;
    ptx_expect_run(&run, adds, "k<<<1, 64>>>(int[65])");
    assert_int_equal(run.out[0], 5);
    assert_int_equal(run.out[63], 5);
    assert_int_equal(run.out[64], 64);
    collect_free(&run.collect);
    /* With the last warp first the address is what nobody wrote: a fault there alone. */
    static const char strays[] =
        BEGIN " st.shared.u32 [%r1], %r5;\n setp.lt.u32 %p3, %r0, 32;\n @%p3 bra E;\n"
              " ld.shared.u32 %r6, [s];\n ld.shared.u32 %r7, [%r6];\nE:\n" END;
    expect(strays, "k<<<1, 64>>>(int[64])", NULL);
}

/* ---- other values on a GPU ------------------------------------------------------------------- */

#define ADDRESS " and.b32 %r7, %r6, 252;\n add.u32 %r8, %r2, %r7;\n"

/* Clocks and the numbers of SMs and warps say where an access leads, or whether there is one. */
static void what_a_gpu_has_other_values_of(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_told;
    } cases[] = {
        {BEGIN " mov.u32 %r6, %clock;\n" ADDRESS " st.shared.u32 [%r8], %r0;\n" END, true},
        {BEGIN " mov.u64 %rd3, %clock64;\n cvt.u32.u64 %r6, %rd3;\n" ADDRESS
               " st.shared.u32 [%r8], %r0;\n" END,
         true},
        {BEGIN " mov.u32 %r6, %smid;\n setp.eq.u32 %p1, %r6, 0;\n @%p1 bra A;\n"
               " st.shared.u32 [%r1], %r0;\nA:\n" END,
         true},
        {BEGIN " mov.u32 %r6, %warpid;\n setp.eq.u32 %p1, %r6, 0;\n"
               " @%p1 st.shared.u32 [%r1], %r0;\n" END,
         true},
        /* which way a branch went, an address remembers */
        {BEGIN " mov.u32 %r6, %smid;\n setp.eq.u32 %p1, %r6, 0;\n mov.u32 %r9, 4;\n @%p1 bra A;\n"
               " mov.u32 %r9, 8;\nA:\n add.u32 %r8, %r1, %r9;\n st.shared.u32 [%r8], %r0;\n" END,
         true},
        {BEGIN " mov.u32 %r6, %clock;\n st.shared.u32 [s], %r6;\n bar.sync 0;\n"
               " ld.shared.u32 %r6, [s];\n" ADDRESS " st.shared.u32 [%r8], %r0;\n" END,
         true},
        /* who times itself, or waits for a while, does the same at any time */
        {BEGIN " mov.u32 %r6, %clock;\n ld.shared.u32 %r7, [%r1];\n mov.u32 %r8, %clock;\n"
               " sub.u32 %r8, %r8, %r6;\n st.global.u32 [%rd0], %r8;\n ld.global.u32 %r9, [%rd0];\n"
               " setp.eq.u32 %p1, %r9, 0;\n @%p1 bra A;\n st.shared.u32 [%r1], %r7;\nA:\n" END,
         false},
        {BEGIN " mov.u32 %r6, %clock;\nL:\n mov.u32 %r7, %clock;\n sub.u32 %r7, %r7, %r6;\n"
               " setp.lt.u32 %p1, %r7, 9;\n @%p1 bra L;\n st.shared.u32 [%r1], %r0;\n" END,
         false},
        {BEGIN " mov.u32 %r6, %laneid;\n" ADDRESS " st.shared.u32 [%r8], %r0;\n" END, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ptx_run run;
        ptx_expect_run(&run, cases[i].text, "k<<<1, 32>>>(int[32])");
        const char *rests = run.collect.item[0].text;
        if ((strstr(rests, "+elsewhere") != NULL) != cases[i].is_told) {
            fail_msg("%zu: %s", i, rests);
        }
        collect_free(&run.collect);
    }
}

/* ---- where arrays lie ------------------------------------------------------------------------ */

/* %rd1 is where `out` lies, of which cudaMalloc chooses bits 8 and up; %r8 is a word of s by %r6. */
#define INDEX " shl.b32 %r7, %r6, 2;\n add.u32 %r8, %r2, %r7;\n"
#define STORE " st.shared.u32 [%r8], %r0;\n"

static void what_hangs_on_where_arrays_lie(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_told;
    } cases[] = {
        /* bits 7 to 11 are an index; 2 to 6 are no more than its low bits are */
        {BEGIN " shr.u64 %rd3, %rd1, 7;\n cvt.u32.u64 %r10, %rd3;\n and.b32 %r6, %r10, 31;\n" INDEX STORE END,
         true},
        {BEGIN " shr.u64 %rd3, %rd1, 2;\n cvt.u32.u64 %r10, %rd3;\n and.b32 %r6, %r10, 31;\n" INDEX STORE END,
         false},
        {BEGIN " cvt.u32.u64 %r10, %rd1;\n bfe.u32 %r6, %r10, 7, 5;\n" INDEX STORE END, true},
        {BEGIN " cvt.u32.u64 %r10, %rd1;\n bfe.u32 %r6, %r10, 3, 5;\n" INDEX STORE END, false},
        {BEGIN " cvt.u32.u64 %r10, %rd1;\n mul.lo.u32 %r11, %r10, 5;\n and.b32 %r12, %r11, 256;\n"
               " shr.u32 %r6, %r12, 3;\n" INDEX STORE END,
         true},
        /* a product of a multiple of 256 and 4 is one of 1024 */
        {BEGIN " cvt.u32.u64 %r10, %rd1;\n mul.lo.u32 %r11, %r10, 4;\n and.b32 %r12, %r11, 768;\n"
               " shr.u32 %r6, %r12, 3;\n" INDEX STORE END,
         false},
        /* a distance in one array, as nvcc and as clang compute it; and a way past it */
        {BEGIN " sub.s64 %rd3, %rd0, %rd1;\n cvt.u32.u64 %r10, %rd3;\n shr.u32 %r6, %r10, 2;\n" INDEX STORE END,
         false},
        {BEGIN " not.b64 %rd3, %rd1;\n add.s64 %rd4, %rd3, %rd0;\n cvt.u32.u64 %r10, %rd4;\n and.b32 %r6, %r10, "
               "31;\n" INDEX STORE END,
         false},
        {BEGIN " add.s64 %rd3, %rd0, %rd1;\n cvt.u32.u64 %r10, %rd3;\n shr.u32 %r11, %r10, 9;\n"
               " and.b32 %r6, %r11, 31;\n" INDEX STORE END,
         true},
        {BEGIN "L:\n ld.global.u32 %r6, [%rd1];\n add.s64 %rd1, %rd1, 4;\n setp.le.u64 %p1, %rd1, %rd0;\n"
               " @%p1 bra L;\n" END,
         false},
        /* which access is executed */
        {BEGIN " and.b64 %rd3, %rd1, 256;\n setp.eq.s64 %p1, %rd3, 0;\n @%p1 st.shared.u32 [%r1], %r0;\n" END,
         true},
        {BEGIN " and.b64 %rd3, %rd1, 512;\n setp.eq.s64 %p1, %rd3, 0;\n @%p1 bra A;\n"
               " st.shared.u32 [%r1], %r0;\nA:\n" END,
         true},
        {BEGIN " and.b64 %rd3, %rd1, 15;\n setp.eq.s64 %p1, %rd3, 0;\n @%p1 st.shared.u32 [%r1], %r0;\n" END,
         false},
        {BEGIN " setp.eq.s64 %p1, %rd1, 0;\n @%p1 bra A;\n st.shared.u32 [%r1], %r0;\nA:\n" END, false},
        {BEGIN " and.b64 %rd3, %rd1, 256;\n setp.eq.s64 %p1, %rd3, 0;\n mov.u32 %r9, 4;\n @%p1 bra A;\n"
               " mov.u32 %r9, 8;\nA:\n add.u32 %r8, %r1, %r9;\n" STORE END,
         true},
        /* by way of shared memory, and of a kept address that leads where it leads */
        {BEGIN " shr.u64 %rd3, %rd1, 9;\n cvt.u32.u64 %r10, %rd3;\n st.shared.u32 [s], %r10;\n bar.sync 0;\n"
               " ld.shared.u32 %r11, [s];\n and.b32 %r6, %r11, 31;\n" INDEX STORE END,
         true},
        {BEGIN " st.shared.u64 [s], %rd1;\n st.shared.u32 [s+8], %r0;\n bar.sync 0;\n"
               " ld.shared.u64 %rd3, [s];\n ld.shared.u32 %r6, [s+8];\n st.global.u32 [%rd3], %r5;\n" INDEX STORE
               END,
         false},
        /* accesses of global memory, too */
        {BEGIN " shr.u64 %rd3, %rd1, 9;\n and.b64 %rd4, %rd3, 64;\n add.s64 %rd5, %rd4, %rd0;\n"
               " st.global.u32 [%rd5], %r5;\n" END,
         true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ptx_run run;
        ptx_expect_run(&run, cases[i].text, "k<<<1, 32>>>(int[64])");
        const char *rests = run.collect.item[0].text;
        if ((strstr(rests, "+where") != NULL) != cases[i].is_told) {
            fail_msg("%zu: %s", i, rests);
        }
        collect_free(&run.collect);
    }
}

/* Eight bytes that are no address of an array are the same on a GPU. */
static void what_hangs_on_numbers(void **state)
{
    (void)state;
    static const char both[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 p, .param .u64 n) {\n .reg .b32 %r<9>;\n .reg .b64 %rd<9>;\n"
        " .shared .align 4 .b8 s[512];\n ld.param.u64 %rd1, [n];\n shr.u64 %rd1, %rd1, 9;\n"
        " cvt.u32.u64 %r1, %rd1;\n and.b32 %r1, %r1, 124;\n mov.u32 %r2, s;\n add.u32 %r2, %r2, %r1;\n"
        " st.shared.u32 [%r2], %r1;\n ret;\n}\n";
    static const char *const launches[] = {"k<<<1, 32>>>(int[64], 70000)", "k<<<1, 32>>>(int[64], int[64])"};
    for (size_t i = 0; i < 2; i++) {
        struct ptx_run run;
        ptx_expect_run(&run, both, launches[i]);
        assert_int_equal(strstr(run.collect.item[0].text, "+where") != NULL, i == 1);
        collect_free(&run.collect);
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* %r8 the block, %r10 how many took a ticket before it, which lane 0 tells the warp. */
#define TICKET                                                                                     \
    " mov.u32 %r8, %ctaid.x;\n setp.ne.u32 %p1, %r0, 0;\n @%p1 bra A;\n"                           \
    " atom.global.add.u32 %r6, [%rd1], 1;\n st.shared.u32 [s+508], %r6;\nA:\n bar.warp.sync -1;\n" \
    " ld.shared.u32 %r10, [s+508];\n"

/* Three wavefronts of a block whose ticket is its number, else six, as its store is 4-way. */
static void who_takes_the_first_ticket(void **state)
{
    (void)state;
    static const char text[] =
        BEGIN TICKET " setp.eq.u32 %p2, %r10, %r8;\n @%p2 bra C;\n shl.b32 %r9, %r3, 2;\n"
                     " add.u32 %r9, %r9, %r2;\n st.shared.u32 [%r9], %r0;\n bra.uni E;\nC:\n"
                     " st.shared.u32 [%r1], %r0;\nE:\n" END;
    expect(text, "k<<<4, 32>>>(int[64])", "+order-blocks:4:12:24");
    expect(text, "k<<<1, 32>>>(int[64])", NULL);
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<4, 32>>>(int[64])");
    assert_int_equal(run.out[0], 4);
    collect_free(&run.collect);
}

/* Block 0 leaves 1, and whoever finds that loads. */
static void who_reads_what_another_block_left(void **state)
{
    (void)state;
#define LEAVER " mov.u32 %r8, %ctaid.x;\n setp.ne.u32 %p1, %r8, 0;\n"
#define FINDER " ld.global.u32 %r6, [%rd1];\n setp.eq.u32 %p2, %r6, 0;\n @%p2 bra E;\n"
    expect(BEGIN LEAVER " @!%p1 st.global.u32 [%rd1], 1;\n" FINDER
                        " ld.shared.u32 %r7, [%r1];\nE:\n" END,
           "k<<<2, 32>>>(int[64])", "+order-blocks:2:2:1");
    /* An atomic that answers nobody leaves it just so. */
    expect(BEGIN LEAVER " @!%p1 red.global.add.u32 [%rd1], 1;\n" FINDER
                        " ld.shared.u32 %r7, [%r1];\nE:\n" END,
           "k<<<2, 32>>>(int[64])", "+order-blocks:2:2:1");
    /* A sector is stored here, four are read there. */
    expect(BEGIN LEAVER " @!%p1 st.global.u32 [%rd1], 1;\n" FINDER
                        " ld.global.u32 %r7, [%rd0];\nE:\n" END,
           "k<<<2, 32>>>(int[64])", "+order-blocks-global:2:11:7");
    /* What nobody writes is the same in any order. */
    expect(BEGIN LEAVER " @!%p1 st.shared.u32 [%r1], 1;\n" FINDER
                        " ld.shared.u32 %r7, [%r1];\nE:\n" END,
           "k<<<2, 32>>>(int[64])", NULL);
}

/* The last block does what is left to do: any may be the last. */
static void whoever_is_last_adds_up(void **state)
{
    (void)state;
    expect(BEGIN TICKET " setp.ne.u32 %p2, %r10, 3;\n @%p2 bra E;\n"
                        " ld.shared.u32 %r7, [%r1];\n st.global.u32 [%rd0], %r7;\nE:\n" END,
           "k<<<4, 32>>>(int[64])", NULL);
}

/* Each block waits for the one before it: no other order, and nobody waits for ever. */
static void blocks_that_wait_are_not_turned_round(void **state)
{
    (void)state;
    expect(BEGIN " mov.u32 %r8, %ctaid.x;\nL:\n ld.volatile.global.u32 %r6, [%rd1];\n"
                 " setp.lt.u32 %p1, %r6, %r8;\n @%p1 bra L;\n bar.warp.sync -1;\n"
                 " setp.eq.u32 %p2, %r0, 0;\n @%p2 red.global.add.u32 [%rd1], 1;\n" END,
           "k<<<4, 32>>>(int[64])", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_stores_over_what_others_read),
        cmocka_unit_test(who_finds_other_addresses),
        cmocka_unit_test(who_reads_what_nobody_has_stored_yet),
        cmocka_unit_test(places_that_atomics_give),
        cmocka_unit_test(trials_are_not_seen),
        cmocka_unit_test(what_a_gpu_has_other_values_of),
        cmocka_unit_test(what_hangs_on_where_arrays_lie),
        cmocka_unit_test(what_hangs_on_numbers),
        cmocka_unit_test(who_takes_the_first_ticket),
        cmocka_unit_test(who_reads_what_another_block_left),
        cmocka_unit_test(whoever_is_last_adds_up),
        cmocka_unit_test(blocks_that_wait_are_not_turned_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
