/* test_ptx_calls.c - kernels in PTX whose functions call others, and themselves, and that branch by a table. The texts are written
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

/* k(unsigned *out): %rd0 is out + thread, %r0 the thread, %r1 what is stored. */
#define BEGIN                                                                                      \
    ".visible .entry k(.param .u64 p) {\n .reg .pred %p<8>;\n .reg .b32 %r<16>;\n .reg .b64 %rd<8>;\n" \
    " ld.param.u64 %rd1, [p];\n mov.u32 %r0, %tid.x;\n mul.wide.u32 %rd2, %r0, 4;\n"               \
    " add.s64 %rd0, %rd1, %rd2;\n"
#define END " st.global.u32 [%rd0], %r1;\n ret;\n}\n"

/* ---- branches by a table --------------------------------------------------------------------- */

/* for (i = 0; i < 6; i++) if (t >> i & 1) switch ((t + i) % 5) { case 0: r = r * 3 + 1; break; case 1: r ^= t;
 * case 2: r += 7; break; case 3: switch (t % 3) { ... } break; default: continue; } else r -= i; r counts how often
 * all lanes of its warp are there at the loop's end. */
static uint32_t switched(uint32_t t)
{
    uint32_t r = t;
    for (uint32_t i = 0; i < 6; i++) {
        if (t >> i & 1) {
            switch ((t + i) % 5) {
            case 0:
                r = r * 3 + 1;
                break;
            case 1:
                r ^= t;
                /* fall through */
            case 2:
                r += 7;
                break;
            case 3:
                r = t % 3 == 0 ? r + 100 : t % 3 == 1 ? r * 5 : r ^ 9;
                break;
            default:
                break;
            }
        } else {
            r -= i;
        }
        r += 1000;
    }
    return r;
}

static void tables_lead_to_their_targets(void **state)
{
    (void)state;
    static const char text[] = HEAD BEGIN
        " mov.u32 %r1, %r0;\n mov.u32 %r2, 0;\n"
        "LOOP:\n shr.u32 %r3, %r0, %r2;\n and.b32 %r3, %r3, 1;\n setp.eq.u32 %p0, %r3, 0;\n @%p0 bra ELSE;\n"
        " add.u32 %r4, %r0, %r2;\n rem.u32 %r4, %r4, 5;\n"
        " outer: .branchtargets ZERO, ONE, TWO, THREE, JOIN;\n brx.idx %r4, outer;\n"
        "ZERO:\n mad.lo.u32 %r1, %r1, 3, 1;\n bra.uni JOIN;\n"
        "ONE:\n xor.b32 %r1, %r1, %r0;\n"
        "TWO:\n add.u32 %r1, %r1, 7;\n bra.uni JOIN;\n"
        "THREE:\n {\n rem.u32 %r5, %r0, 3;\n setp.eq.u32 %p1, %r5, 3;\n"
        " inner: .branchtargets ZERO, ONE, TWO;\n @!%p1 brx.idx.uni %r5, inner;\n bra.uni JOIN;\n"
        " ZERO:\n add.u32 %r1, %r1, 100;\n bra.uni END;\n"
        " ONE:\n mul.lo.u32 %r1, %r1, 5;\n bra.uni END;\n"
        " TWO:\n xor.b32 %r1, %r1, 9;\n END:\n }\n bra.uni JOIN;\n"
        "ELSE:\n sub.u32 %r1, %r1, %r2;\n"
        "JOIN:\n activemask.b32 %r6;\n setp.ne.u32 %p2, %r6, -1;\n @!%p2 add.u32 %r1, %r1, 1000;\n"
        " add.u32 %r2, %r2, 1;\n setp.lt.u32 %p3, %r2, 6;\n @%p3 bra LOOP;\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 64>>>(int[64])");
    for (uint32_t t = 0; t < 64; t++) {
        assert_int_equal(run.out[t], switched(t));
    }
    collect_free(&run.collect);
}

/* An index behind the table's end is no target; PTX leaves open what happens then. */
static void a_table_has_an_end(void **state)
{
    (void)state;
    char message[1024];
    static const char text[] = HEAD BEGIN " mov.u32 %r1, 0;\n ts: .branchtargets A, B;\n brx.idx %r0, ts;\n"
        "A:\n B:\n" END;
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 2>>>(int[2])");
    collect_free(&run.collect);
    ptx_run_launch(&run, text, "k<<<1, 3>>>(int[3])");
    assert_int_equal(run.status, BSIM_E_KERNEL);
    assert_non_null(strstr(bsim_error_text(&run.err, message, sizeof message),
                           "thread (2,0,0): target 2 of a table of 2, counted from 0"));
    collect_free(&run.collect);
    ptx_run_launch(&run, HEAD BEGIN " brx.idx %r0, ts;\n" END, "k<<<1, 3>>>(int[3])");
    assert_int_equal(run.status, BSIM_E_INPUT);
    collect_free(&run.collect);
}
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

/* ---- functions that call themselves ---------------------------------------------------------- */

static uint32_t fib(uint32_t n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

#define FIB                                                                                     \
    FUNCTION("fib") " setp.lt.u32 %p0, %r0, 2;\n mov.u32 %r3, %r0;\n @%p0 bra DONE;\n"             \
    " add.u32 %r1, %r0, -1;\n add.u32 %r2, %r0, -2;\n"                                          \
    CALL("%r4", "fib", "%r1") CALL("%r5", "fib", "%r2") " add.u32 %r3, %r4, %r5;\n"              \
    "DONE:\n st.param.b32 [r], %r3;\n ret;\n}\n"

/* Lanes are at different depths, and keep %r2 while they call; blocks begin anew. */
static void a_function_calls_itself(void **state)
{
    (void)state;
    struct ptx_run run;
    ptx_expect_run(&run, HEAD FIB KERNEL("fib"), "k<<<3, 12>>>(int[12], int[12] = iota)");
    for (uint32_t t = 0; t < 12; t++) {
        assert_int_equal(run.out[t], fib(t));
    }
    collect_free(&run.collect);
}

/* Odd lanes call it from one place, even ones from another, and the two take turns: neither part
 * does so again, and both take long. */
static void groups_are_in_calls_of_their_own(void **state)
{
    (void)state;
    static const char text[] = HEAD FIB
        FUNCTION("g") " mov.u32 %r1, %tid.x;\n and.b32 %r1, %r1, 1;\n setp.eq.u32 %p0, %r1, 0;\n @%p0 bra EVEN;\n"
        CALL("%r2", "fib", "%r0") " bra.uni DONE;\n"
        "EVEN:\n add.u32 %r3, %r0, 1;\n" CALL("%r2", "fib", "%r3")
        "DONE:\n st.param.b32 [r], %r2;\n ret;\n}\n"
        KERNEL("g");
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 16>>>(int[16], int[16] = 13)");
    for (uint32_t t = 0; t < 16; t++) {
        assert_int_equal(run.out[t], fib(t % 2 == 0 ? 14 : 13));
    }
    collect_free(&run.collect);
}

static uint32_t odd(uint32_t n);
static uint32_t even(uint32_t n)
{
    return n == 0 ? 1 : odd(n - 1) * 3 + n;
}
static uint32_t odd(uint32_t n)
{
    return n == 0 ? 0 : even(n - 1) * 5 + 2 * n;
}

#define HALF_OF_CIRCLE(name, other, first, factor, own)                                          \
    FUNCTION(name) " mov.u32 %r3, " first ";\n setp.eq.u32 %p0, %r0, 0;\n @%p0 bra DONE;\n"        \
    " add.u32 %r1, %r0, -1;\n" CALL("%r2", other, "%r1")                                         \
    " mul.lo.u32 %r4, %r0, " own ";\n mad.lo.u32 %r3, %r2, " factor ", %r4;\n"                   \
    "DONE:\n st.param.b32 [r], %r3;\n ret;\n}\n"

static void functions_call_each_other(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".func (.param .b32 r) odd(.param .b32 x);\n"
        HALF_OF_CIRCLE("even", "odd", "1", "3", "1")
        HALF_OF_CIRCLE("odd", "even", "0", "5", "2")
        KERNEL("even");
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 64>>>(int[64], int[64] = iota)");
    for (uint32_t t = 0; t < 64; t++) {
        assert_int_equal(run.out[t], even(t));
    }
    collect_free(&run.collect);
}

/* list(n, before): each call has a variable, {n, the one before}; the innermost walks back over them all. */
struct node {
    uint64_t before;
    uint32_t n;
};
static uint32_t list(uint32_t n, const struct node *before)
{
    const struct node own = {(uintptr_t)before, n};
    uint32_t sum = 0;
    if (n > 0) {
        return list(n - 1, &own) * 2 + own.n;
    }
    for (const struct node *at = &own; at != NULL; at = (const struct node *)(uintptr_t)at->before) {
        sum = sum * 3 + at->n;
    }
    return sum;
}

static void each_call_has_variables_of_its_own(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".func (.param .b32 r) list(.param .b32 n, .param .b64 before) {\n .local .align 8 .b8 own[16];\n"
        " .reg .pred %p<4>;\n .reg .b32 %r<16>;\n .reg .b64 %rd<8>;\n"
        " ld.param.u32 %r0, [n];\n ld.param.u64 %rd1, [before];\n"
        " mov.u64 %rd2, own;\n cvta.local.u64 %rd3, %rd2;\n st.local.u64 [own], %rd1;\n st.u32 [%rd3+8], %r0;\n"
        " mov.u32 %r1, 0;\n setp.eq.u32 %p0, %r0, 0;\n @%p0 bra WALK;\n add.u32 %r2, %r0, -1;\n"
        " {\n .param .b32 a;\n .param .b64 b;\n st.param.b32 [a], %r2;\n st.param.b64 [b], %rd3;\n .param .b32 c;\n"
        " call.uni (c), list, (a, b);\n ld.param.b32 %r3, [c];\n }\n"
        " ld.local.u32 %r4, [own+8];\n mad.lo.u32 %r1, %r3, 2, %r4;\n bra.uni DONE;\n"
        "WALK:\n ld.u32 %r5, [%rd3+8];\n mad.lo.u32 %r1, %r1, 3, %r5;\n ld.u64 %rd3, [%rd3];\n"
        " setp.ne.u64 %p1, %rd3, 0;\n @%p1 bra WALK;\n"
        "DONE:\n st.param.b32 [r], %r1;\n ret;\n}\n"
        FUNCTION("f") " mov.u64 %rd1, 0;\n {\n .param .b32 a;\n .param .b64 b;\n st.param.b32 [a], %r0;\n"
        " st.param.b64 [b], %rd1;\n .param .b32 c;\n call.uni (c), list, (a, b);\n ld.param.b32 %r1, [c];\n }\n"
        " st.param.b32 [r], %r1;\n ret;\n}\n"
        KERNEL("f");
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<2, 40>>>(int[40], int[40] = iota)");
    for (uint32_t t = 0; t < 40; t++) {
        assert_int_equal(run.out[t], list(t, NULL));
    }
    collect_free(&run.collect);
}

/* Which function is next hangs on the lane: f[n & 1](n - 1). */
static uint32_t down(uint32_t n, uint32_t which)
{
    return n == 0 ? which : down(n - 1, n & 1) * (which + 2) + n;
}

#define BY_ADDRESS(name, first, factor)                                                             \
    FUNCTION(name) " mov.u32 %r3, " first ";\n setp.eq.u32 %p0, %r0, 0;\n @%p0 bra DONE;\n"            \
    " and.b32 %r4, %r0, 1;\n mul.wide.u32 %rd1, %r4, 8;\n mov.u64 %rd2, table;\n"                    \
    " add.s64 %rd2, %rd2, %rd1;\n ld.global.u64 %rd3, [%rd2];\n add.u32 %r1, %r0, -1;\n"             \
    " {\n .param .b32 a;\n st.param.b32 [a], %r1;\n .param .b32 b;\n"                                \
    " proto : .callprototype (.param .b32 _) _ (.param .b32 _);\n call (b), %rd3, (a), proto;\n"     \
    " ld.param.b32 %r2, [b];\n }\n mad.lo.u32 %r3, %r2, " factor ", %r0;\n"                         \
    "DONE:\n st.param.b32 [r], %r3;\n ret;\n}\n"

static void functions_call_themselves_by_address(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".func (.param .b32 r) f0(.param .b32 x);\n.func (.param .b32 r) f1(.param .b32 x);\n"
        ".global .align 8 .u64 table[2] = {f0, f1};\n"
        BY_ADDRESS("f0", "0", "2") BY_ADDRESS("f1", "1", "3") KERNEL("f1");
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32], int[32] = iota)");
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(run.out[t], down(t, 1));
    }
    collect_free(&run.collect);
}

/* f(n) adds to s[n * 32 + thread] at each depth: one site, and one request at each depth for the lanes that
 * are there. The loop that calls it has meets at the same steps as the deeper calls. */
static void shared_accesses_at_any_depth_are_one_site(void **state)
{
    (void)state;
    static const char text[] = HEAD ".shared .align 4 .b8 s[1024];\n"
        FUNCTION("f") " mov.u32 %r1, %tid.x;\n shl.b32 %r2, %r0, 5;\n add.u32 %r2, %r2, %r1;\n shl.b32 %r2, %r2, 2;\n"
        " mov.u32 %r3, s;\n add.u32 %r3, %r3, %r2;\n st.shared.u32 [%r3], %r0;\n mov.u32 %r5, 0;\n"
        " setp.eq.u32 %p0, %r0, 0;\n @%p0 bra DONE;\n add.u32 %r4, %r0, -1;\n"
        CALL("%r5", "f", "%r4")
        "DONE:\n ld.shared.u32 %r6, [%r3];\n add.u32 %r5, %r5, %r6;\n st.param.b32 [r], %r5;\n ret;\n}\n"
        FUNCTION("g") " and.b32 %r0, %r0, 7;\n" CALL("%r1", "f", "%r0") " st.param.b32 [r], %r1;\n ret;\n}\n"
        KERNEL("g");
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 32>>>(int[32], int[32] = iota)");
    for (uint32_t t = 0; t < 32; t++) {
        assert_int_equal(run.out[t], (t & 7) * ((t & 7) + 1) / 2);
    }
    assert_int_equal(ptx_count_events(&run, "st.shared"), 8);
    assert_int_equal(ptx_count_events(&run, "ld.shared"), 8);
    assert_int_equal(ptx_count_events(&run, "80808080"), 2);
    collect_free(&run.collect);
}

static void a_stack_that_is_full_is_told(void **state)
{
    (void)state;
    char message[1024];
    struct ptx_run run;
    ptx_run_launch(&run, HEAD FUNCTION("f") CALL("%r1", "f", "%r0") " st.param.b32 [r], %r1;\n ret;\n}\n"
                   KERNEL("f"), "k<<<1, 2>>>(int[2], int[2])");
    assert_int_equal(run.status, BSIM_E_KERNEL);
    bsim_error_text(&run.err, message, sizeof message);
    assert_non_null(strstr(message, "block (0,0,0), warp 0: the stack is full, 65536 calls deep: a thread has 524288 bytes"));
    collect_free(&run.collect);
}

/* Before PTX 2.0 functions were handed values in registers: a module may hold one. */
static void a_function_of_registers_is_refused_where_it_is_called(void **state)
{
    (void)state;
    static const char text[] =
        HEAD ".func (.reg .u32 d) add3(.reg .u32 a, .reg .u32 %b)\n{\n .reg .u32 c;\n"
             " add.u32 c, a, %b;\n add.u32 d, c, 3;\n ret;\n}\n"
             ".visible .entry k(.param .u64 p) {\n .reg .b32 %r<3>;\n .reg .b64 %rd<2>;\n .reg .pred %p;\n"
             " ld.param.u64 %rd1, [p];\n mov.u32 %r1, %ntid.x;\n setp.eq.u32 %p, %r1, 1;\n"
             " @%p bra A;\n call (%r1), add3, (%r1, %r1);\nA:\n st.global.u32 [%rd1], %r1;\n ret;\n}\n";
    struct ptx_run run;
    ptx_expect_run(&run, text, "k<<<1, 1>>>(int[1])");
    assert_int_equal(run.out[0], 1);
    collect_free(&run.collect);
    ptx_run_launch(&run, text, "k<<<1, 2>>>(int[1])");
    assert_int_equal(run.status, BSIM_E_INPUT);
    assert_non_null(strstr(run.err.message, "add3 is handed values in registers (.reg), as before PTX 2.0"));
    collect_free(&run.collect);
}

/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_lead_to_their_targets),
        cmocka_unit_test(a_table_has_an_end),
        cmocka_unit_test(a_function_of_registers_is_refused_where_it_is_called),
        cmocka_unit_test(who_ends_in_a_call_is_not_waited_for),
        cmocka_unit_test(who_waits_for_lanes_that_end_goes_on),
        cmocka_unit_test(calls_nest_as_deep_as_they_like),
        cmocka_unit_test(a_function_calls_itself),
        cmocka_unit_test(groups_are_in_calls_of_their_own),
        cmocka_unit_test(functions_call_each_other),
        cmocka_unit_test(each_call_has_variables_of_its_own),
        cmocka_unit_test(functions_call_themselves_by_address),
        cmocka_unit_test(shared_accesses_at_any_depth_are_one_site),
        cmocka_unit_test(a_stack_that_is_full_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
