/* test_ptx_calls.c - kernels in PTX whose functions call others, and themselves. The texts are written
 * by hand; what must come out is what the same function in C gives. */
#include "ptx_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

/* clang-format off */
#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
/* A function of a number that gives one. */
#define FUNCTION(name)                                                                          \
    ".func (.param .b32 r) " name "(.param .b32 x) {\n .reg .pred %p<4>;\n .reg .b32 %r<16>;\n" \
    " .reg .b64 %rd<4>;\n ld.param.u32 %r0, [x];\n"
/* to = name(from) */
#define CALL(to, name, from)                                                                   \
    " {\n .param .b32 a;\n st.param.b32 [a], " from ";\n .param .b32 b;\n call.uni (b), " name \
    ", (a);\n ld.param.b32 " to ", [b];\n }\n"
/* out[t] = name(in[t]) */
#define KERNEL(name)                                                                               \
    ".visible .entry k(.param .u64 out, .param .u64 in) {\n .reg .b32 %r<8>;\n .reg .b64 "         \
    "%rd<8>;\n"                                                                                    \
    " ld.param.u64 %rd1, [out];\n ld.param.u64 %rd2, [in];\n mov.u32 %r0, %tid.x;\n"               \
    " mul.wide.u32 %rd3, %r0, 4;\n add.s64 %rd4, %rd2, %rd3;\n ld.global.u32 %r1, [%rd4];\n" CALL( \
        "%r2", name, "%r1") " add.s64 %rd4, %rd1, %rd3;\n st.global.u32 [%rd4], %r2;\n ret;\n}\n"

/* ---- calls ----------------------------------------------------------------------------------- */

/* In f odd lanes call g, in which those above 16 end: f's other lanes, which wait behind its branch, and
 * g's odd ones come together there without them, and come back from f, not from g. */
static void who_ends_in_a_call_is_not_waited_for(void **state)
{
    (void)state;
    static const char text[] = HEAD
        FUNCTION("g") " setp.lt.u32 %p0, %r0, 16;\n @%p0 bra LESS;\n exit;\n"
        "LESS:\n add.u32 %r1, %r0, 100;\n st.param.b32 [r], %r1;\n ret;\n}\n"
        FUNCTION("f") " mov.u32 %r2, %r0;\n and.b32 %r1, %r0, 1;\n setp.eq.u32 %p0, %r1, 0;\n"
        " @%p0 bra EVEN;\n"
        CALL("%r2", "g", "%r0")
        "EVEN:\n activemask.b32 %r3;\n xor.b32 %r4, %r2, %r3;\n st.param.b32 [r], %r4;\n ret;\n}\n"
        KERNEL("f");
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32] = 7, int[32] = iota)");
    for (uint32_t t = 0; t < 32; t++) {
        uint32_t g = t % 2 == 0 ? t : t + 100;
        assert_int_equal(run.out[t], t % 2 == 1 && t >= 16 ? 7 : g ^ 0x5555ffff);
    }
    collect_free(&run.collect);
}

/* All lanes end in g but those that wait behind a branch in f. */
static void who_waits_for_lanes_that_end_goes_on(void **state)
{
    (void)state;
    static const char text[] = HEAD
        FUNCTION("g") " exit;\n}\n"
        FUNCTION("f") " and.b32 %r1, %r0, 1;\n setp.eq.u32 %p0, %r1, 0;\n @%p0 bra EVEN;\n"
        CALL("%r2", "g", "%r0")
        "EVEN:\n add.u32 %r0, %r0, 50;\n st.param.b32 [r], %r0;\n ret;\n}\n"
        KERNEL("f");
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32] = 7, int[32] = iota)");
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(run.out[t], t % 2 == 1 ? 7 : t + 50);
    }
    collect_free(&run.collect);
}

/* Forty functions, each of which calls the one before. */
static void calls_nest_as_deep_as_they_like(void **state)
{
    (void)state;
    static char text[20000];
    size_t n = (size_t)snprintf(text, sizeof text, "%s",
                                HEAD FUNCTION("f0") " st.param.b32 [r], %r0;\n ret;\n}\n");
    for (int i = 1; i <= 40; i++) {
        n += (size_t)snprintf(
            text + n, sizeof text - n,
            ".func (.param .b32 r) f%d(.param .b32 x) {\n .reg .b32 %%r<4>;\n"
            " ld.param.u32 %%r0, [x];\n"
            " {\n .param .b32 a;\n st.param.b32 [a], %%r0;\n .param .b32 b;\n"
            " call.uni (b), f%d, (a);\n ld.param.b32 %%r1, [b];\n }\n"
            " mad.lo.u32 %%r1, %%r1, 3, %%r0;\n st.param.b32 [r], %%r1;\n ret;\n}\n",
            i, i - 1);
    }
    snprintf(text + n, sizeof text - n, "%s", KERNEL("f40"));
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32], int[32] = iota)");
    for (uint32_t t = 0; t < 32; t++) {
        uint32_t due = t;
        for (int i = 1; i <= 40; i++) {
            due = due * 3 + t;
        }
        assert_int_equal(run.out[t], due);
    }
    collect_free(&run.collect);
}

/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_ends_in_a_call_is_not_waited_for),
        cmocka_unit_test(who_waits_for_lanes_that_end_goes_on),
        cmocka_unit_test(calls_nest_as_deep_as_they_like),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
