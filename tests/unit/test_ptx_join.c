/* test_ptx_join.c - which instructions have no time of their own, as ptxas makes them part of the next, and which have it though
 * a branch leads by them, as ptxas has none. Expected is how long the
 * machine instructions take that are left, and how many these are, by src/ptx/pace.c: 5 clocks a sum, a shift or a function of bits, 4 a product, 5 if what comes next
 * is an access or in the pipe of whole numbers. */
#include "ptx_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define HEAD                                                                                                  \
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 p)\n{\n .reg .b32 %r<20>;\n" \
    " .reg .f32 %f<9>;\n .reg .b16 %h<3>;\n .reg .b64 %d<9>;\n .reg .pred %p<9>;\n .shared .align 4 .b8 tile[256];\n mov.u32 %r8, tile;\n"
#define END " ret;\n}\n"

/* What stands between two stores, and makes %r9; its clocks, and instructions of the trace's in all. */
struct row {
    const char *text;
    uint32_t clocks, n;
};

/* Clocks from the first instruction of a work to what follows: each of special functions and whole numbers takes its pipe 8 and 2, of
 * which one and two are the next one's if they are not told. */
static uint32_t clocks_of(const struct bsim_event *work)
{
    return work->work_cycles > 0 ? work->work_cycles : work->opcode.operation == BSIM_WORK_INT ? 2 * work->work_count : work->work_count;
}

static void check_row(const struct row *row)
{
    char text[1500];
    struct ptx_run run;
    uint32_t clocks = 0, n = 0;
    bool has_load = strncmp(row->text, "ld.", 3) == 0 || strncmp(row->text, "atom.", 5) == 0, waits = false; /* whose result is wanted */
    snprintf(text, sizeof text, "%s st.shared.u32 [%%r8], %%r0;\n %s\n st.shared.u32 [%%r8+4], %%r9;\n%s", HEAD, row->text, END);
    ptx_expect_work(&run, text, "k<<<1, 32>>>(1)");
    for (size_t i = 0; i < run.collect.n; i++) {
        const struct bsim_event *event = &run.collect.item[i].event;
        bool is_event = run.collect.item[i].kind == BSIM_RECORD_EVENT, is_work = is_event && event->opcode.family == BSIM_WORK;
        bool is_last = is_event && event == collect_last(&run.collect, BSIM_ST);
        if (is_work && event->opcode.operation != BSIM_WORK_LSU) {
            clocks += clocks_of(event);
            n += event->work_count;
            waits = waits || event->wait == 0;
        } else if (is_event && !is_work && !is_last) {
            clocks = n = 0;
        }
    }
    if (clocks != row->clocks || n != row->n || waits != has_load) {
        fail_msg("%s: %u instructions, %u clocks%s", row->text, (unsigned)n, (unsigned)clocks, waits ? ", a wait" : "");
    }
    collect_free(&run.collect);
}

static void check(const struct row *row, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        check_row(&row[i]);
    }
}

/* LOP3 has three words, each as often as you like; a fourth one takes another LOP3. */
static void bits_of_three_words_are_one(void **state)
{
    static const struct row rows[] = {
        {"xor.b32 %r4, %r0, %r1; and.b32 %r9, %r4, %r2;", 5, 1},
        {"xor.b32 %r4, %r0, %r1; and.b32 %r5, %r4, %r0; or.b32 %r9, %r1, %r5;", 5, 1},
        {"not.b32 %r4, %r0; xor.b32 %r5, %r4, %r1; or.b32 %r9, %r5, %r2;", 5, 1},
        {"xor.b32 %r4, %r0, %r1; and.b32 %r5, %r4, %r2; or.b32 %r9, %r5, %r3;", 10, 2},
        {"xor.b32 %r4, %r0, %r1; add.s32 %r9, %r4, %r2;", 10, 2},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows);
}

/* IADD3, LEA and LEA.HI, IMAD: a shift or a product leaves no room for a third summand, and is not taken away. */
static void sums_take_a_sum_a_shift_or_a_product(void **state)
{
    static const struct row rows[] = {
        {"add.s32 %r4, %r0, %r1; sub.s32 %r9, %r4, %r2;", 5, 1},
        {"add.s32 %r4, %r0, %r1; add.s32 %r5, %r4, %r2; add.s32 %r9, %r5, %r3;", 10, 2},
        {"shl.b32 %r4, %r0, 2; add.s32 %r9, %r4, %r1;", 5, 1},
        {"shl.b32 %r4, %r0, 2; sub.s32 %r9, %r1, %r4;", 10, 2},
        {"shl.b32 %r4, %r0, %r2; add.s32 %r9, %r4, %r1;", 10, 2},
        {"shl.b32 %r4, %r0, 2; add.s32 %r5, %r4, %r1; add.s32 %r9, %r5, %r2;", 10, 2},
        {"shr.u32 %r4, %r0, 27; add.s32 %r9, %r4, %r1;", 5, 1},
        {"shr.s32 %r4, %r0, 27; add.s32 %r9, %r4, %r1;", 10, 2},
        {"mul.lo.s32 %r4, %r0, %r1; add.s32 %r9, %r4, %r2;", 5, 1},
        {"mul.hi.s32 %r4, %r0, %r1; add.s32 %r9, %r4, %r2;", 14, 5},
        {"add.s32 %r4, %r0, %r1; max.s32 %r9, %r4, %r2;", 5, 1},
        {"add.s32 %r4, %r0, %r1; add.s32 %r5, %r4, %r2; max.s32 %r9, %r5, %r3;", 10, 2},
        {"mul.wide.s32 %d1, %r0, 4; add.s64 %d2, %d1, %d3; cvt.u32.u64 %r9, %d2;", 5, 1},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows);
}

/* Of two setp one is part of ISETP.AND; a float's sign is part of what takes it. */
static void orders_and_signs_are_part_of_others(void **state)
{
    static const struct row rows[] = {
        {"setp.lt.s32 %p1, %r0, %r1; setp.gt.s32 %p2, %r0, %r2; and.pred %p3, %p1, %p2; selp.b32 %r9, 1, 2, %p3;", 15, 3},
        {"neg.f32 %f1, %f0; add.f32 %f2, %f1, %f3; mov.b32 %r9, %f2;", 5, 1},
        {"abs.f32 %f1, %f0; setp.lt.f32 %p1, %f1, %f2; selp.b32 %r9, 1, 2, %p1;", 10, 2},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows);
}

/* Who else wants the result, a guard, another block of instructions, or what an atomic gave, to which each lane adds what comes before
 * it: it is computed. */
static void results_that_are_wanted_stay(void **state)
{
    static const struct row rows[] = {
        {"xor.b32 %r4, %r0, %r1; and.b32 %r5, %r4, %r2; add.s32 %r9, %r4, %r5;", 15, 3},
        {"setp.lt.s32 %p1, %r0, 5; @%p1 xor.b32 %r4, %r0, %r1; and.b32 %r9, %r4, %r2;", 13 + 5 + 5, 3},
        {"xor.b32 %r4, %r0, %r1; bra NEXT; NEXT: and.b32 %r9, %r4, %r2;", 10, 2},
        {"atom.shared.add.u32 %r4, [%r8+8], 1; add.s32 %r5, %r4, %r1; add.s32 %r9, %r5, %r2;", 10, 2},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows);
}

/* A comparison is there for a condition 13 clocks later. What the condition is put on are a load, 23 clocks, a sum, 5, and a store, then comes a function of bits that
 * wants the sum, 5; in all of a warp that does none of them. With moves as the other way what comes behind wants these, a clock behind the sum. A second condition leaves the branch, which leads by them: 1 more. A barrier is no instruction that a
 * condition is put on, and nine are too many: then it takes 7 clocks from the branch to what comes next. What decides a branch stands in front
 * of the store before it, that is 2 clocks less. */
static void what_a_short_branch_leads_by_takes_its_time(void **state)
{
#define SKIPPED(text) "setp.lt.s32 %p1, %r0, 1; @%p1 bra NEXT; " text " NEXT: xor.b32 %r9, %r0, %r1;"
#define SUMS "xor.b32 %r4, %r4, 1; xor.b32 %r5, %r4, 1; xor.b32 %r6, %r5, %r4; xor.b32 %r7, %r6, %r5; xor.b32 %r4, %r7, %r6;"
#define LOADED "ld.shared.u32 %r4, [%r8+8]; add.s32 %r5, %r4, 1; st.shared.u32 [%r8+8], %r5;"
    static const struct row rows[] = {
        {"setp.lt.s32 %p1, %r0, 1; @%p1 bra NEXT; ld.shared.u32 %r4, [%r8+8]; add.s32 %r5, %r4, 1; NEXT: xor.b32 %r9, %r5, %r1;", 13 + 23 + 5 + 5, 3},
        {SKIPPED("setp.lt.s32 %p2, %r1, 1; @%p2 bra NEXT;" LOADED), 13 - 2 + 1 + 24 + 5 + 5, 3},
        {"setp.lt.s32 %p1, %r0, 1; @%p1 bra NEXT; ld.shared.u32 %r4, [%r8+8]; add.s32 %r5, %r4, 1; bra LAST; NEXT: mov.u32 %r5, 5; LAST: "
         "xor.b32 %r9, %r5, %r1;",
         13 + 23 + 1 + 5, 3},
        {SKIPPED("add.s32 %r4, %r4, 1;"), 13 - 2 + 7 + 5, 2},
        {SKIPPED("ld.shared.u32 %r4, [%r8+8]; bar.sync 0;"), 13 - 2 + 7 + 5, 2},
        {SKIPPED("ld.shared.u32 %r4, [%r8+8];" SUMS SUMS " st.shared.u32 [%r8+8], %r5;"), 13 - 2 + 7 + 5, 2},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows);
}

/* What ptxas counts between two instructions it writes into the first, and a wait in between does not hide it: a condition is there 13 clocks behind its
 * comparison, which stands beside the store before it, of which 9 are behind the function that waits for the load, as that stands 4 behind it. A register that an access reads is set 10 clocks behind that. What
 * is taken apart, and put together again, waits as a whole does. */
static void waits_hide_no_clocks(void **state)
{
    static const struct row rows[] = {
        {"ld.shared.u32 %r4, [%r8+8]; setp.lt.s32 %p1, %r0, 5; xor.b32 %r9, %r4, %r1; @%p1 xor.b32 %r9, %r1, 1;", 13 - 4 + 5, 2},
        {"mov.u32 %r10, %r8; st.shared.u32 [%r10+8], %r0; add.s32 %r10, %r10, 4; xor.b32 %r9, %r10, %r1;", 10 - 1 + 5 + 5, 2},
        {"ld.shared.u32 %r4, [%r8+8]; mov.b32 {%h1, %h2}, %r4; mov.b32 %r5, {%h2, %h1}; xor.b32 %r9, %r5, %r1;", 5, 1},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows);
}

/* Accesses that a warp skips, and ptxas has no branch around, have a turn of the data pipe each. */
static void what_nobody_does_has_its_turns(void **state)
{
    static const char text[] =
        HEAD " st.shared.u32 [%r8], %r0;\n setp.lt.s32 %p1, %r0, 1;\n @%p1 bra NEXT;\n ld.shared.u32 %r4, [%r8];\n"
             " st.shared.u32 [%r8+8], %r4;\nNEXT:\n st.shared.u32 [%r8+8], %r0;\n" END;
    struct ptx_run run;
    (void)state;
    ptx_expect_work(&run, text, "k<<<1, 32>>>(1)");
    uint32_t n = 0;
    for (size_t i = 0; i < run.collect.n; i++) {
        const struct bsim_event *event = &run.collect.item[i].event;
        bool is_work = run.collect.item[i].kind == BSIM_RECORD_EVENT && event->opcode.family == BSIM_WORK;
        n += is_work && event->opcode.operation == BSIM_WORK_LSU ? event->work_count : 0;
    }
    assert_int_equal(n, 2);
    collect_free(&run.collect);
}

/* Two chains of loads: what hangs on the first load of one does not stand in front of the other's. */
static void chains_of_loads_go_side_by_side(void **state)
{
    static const char text[] =
        HEAD " st.shared.u32 [%r8], %r8;\n st.shared.u32 [%r8+32], %r8;\n st.shared.u32 [%r8+16], %r8;\n st.shared.u32 [%r8+48], %r8;\n"
             " ld.shared.u32 %r1, [%r8];\n ld.shared.u32 %r2, [%r1+16];\n ld.shared.u32 %r3, [%r8+32];\n ld.shared.u32 %r4, [%r3+48];\n"
             " add.s32 %r5, %r2, %r4;\n st.shared.u32 [%r8], %r5;\n" END;
    static const uint64_t addresses[] = {0, 32, 16, 48};
    struct ptx_run run;
    (void)state;
    ptx_expect_work(&run, text, "k<<<1, 32>>>(1)");
    size_t n = 0;
    for (size_t i = 0; i < run.collect.n; i++) {
        const struct bsim_event *event = &run.collect.item[i].event;
        if (run.collect.item[i].kind == BSIM_RECORD_EVENT && event->opcode.family == BSIM_LD) {
            assert_true(n < sizeof addresses / sizeof *addresses);
            assert_int_equal(event->affine ? event->base : event->address[0], addresses[n]);
            n++;
        }
    }
    assert_int_equal(n, sizeof addresses / sizeof *addresses);
    collect_free(&run.collect);
}

/* Nothing passes an atomic that orders what others see: the store by the same register, whose value is there at once, stays behind the sum's. */
static void nothing_passes_what_orders_memory(void **state)
{
    static const char text[] =
        HEAD " mov.u32 %r7, 1;\n add.s32 %r4, %r7, %r0;\n st.shared.u32 [%r8], %r4;\n atom.acq_rel.cta.shared.exch.b32 %r5, [%r8+16], %r7;\n"
             " st.shared.u32 [%r8+32], %r7;\n" END;
    static const enum bsim_family families[] = {BSIM_ST, BSIM_ATOM, BSIM_ST};
    struct ptx_run run;
    (void)state;
    ptx_expect_work(&run, text, "k<<<1, 32>>>(1)");
    size_t n = 0;
    for (size_t i = 0; i < run.collect.n; i++) {
        const struct bsim_event *event = &run.collect.item[i].event;
        if (run.collect.item[i].kind == BSIM_RECORD_EVENT && event->opcode.family != BSIM_WORK) {
            assert_true(n < sizeof families / sizeof *families && event->opcode.family == families[n]);
            n++;
        }
    }
    assert_int_equal(n, sizeof families / sizeof *families);
    collect_free(&run.collect);
}

/* Whether something has waited for its first load, which alone stands there, when the text's barrier comes. */
static bool waits_before_barrier(const char *text)
{
    struct ptx_run run;
    bool waits = false;
    size_t i = 0, n_loads = 0;
    ptx_expect_work(&run, text, "k<<<1, 32>>>(1)");
    for (; i < run.collect.n; i++) {
        const struct bsim_event *event = &run.collect.item[i].event;
        bool is_event = run.collect.item[i].kind == BSIM_RECORD_EVENT;
        if (is_event && event->opcode.family == BSIM_BAR) {
            break;
        }
        n_loads += is_event && event->opcode.family == BSIM_LD;
        waits = waits || (is_event && event->opcode.family == BSIM_WORK && event->wait == 0);
    }
    assert_true(i < run.collect.n);
    assert_int_equal(n_loads, 1);
    collect_free(&run.collect);
    return waits;
}

/* nvcc 13.0 makes of the first two, for sm_90: LDS BAR LDS FADD FADD STS, and LDS FADD BAR STS. In the third the load stays behind the barrier though it may pass
 * the store. */
static void sums_go_behind_a_barrier_that_a_load_follows(void **state)
{
#define SUM HEAD " st.shared.u32 [%r8], %r0;\n ld.shared.f32 %f0, [%r8];\n add.f32 %f1, %f0, %f0;\n bar.sync 0;\n"
    (void)state;
    assert_false(waits_before_barrier(SUM " ld.shared.f32 %f2, [%r8+16];\n add.f32 %f3, %f1, %f2;\n st.shared.f32 [%r8+32], %f3;\n" END));
    assert_true(waits_before_barrier(SUM " st.shared.f32 [%r8+32], %f1;\n ld.shared.f32 %f2, [%r8+16];\n st.shared.f32 [%r8+64], %f2;\n" END));
    assert_true(waits_before_barrier(HEAD " st.shared.u32 [%r8], %r0;\n ld.shared.f32 %f0, [%r8];\n add.f32 %f1, %f0, %f0;\n st.shared.f32 [%r8+32], %f1;\n bar.sync 0;\n"
                                          " ld.shared.f32 %f2, [%r8+16];\n st.shared.f32 [%r8+64], %f2;\n" END));
    struct ptx_run run; /* what computes a barrier's number stays before it */
    ptx_expect_work(&run, HEAD " mov.u32 %r5, 99;\n add.s32 %r6, %r0, %r0;\n add.s32 %r7, %r6, 1;\n and.b32 %r5, %r7, 3;\n bar.sync %r5;\n ld.shared.u32 %r4, [%r8];\n" END, "k<<<1, 32>>>(1)");
    collect_free(&run.collect);
#undef SUM
}

/* A wait without an instruction is told as one, which is owed of those that come: one of them, not one for each shuffle in a row. */
static void shuffles_swallow_no_work(void **state)
{
    char text[3000];
    size_t at = (size_t)snprintf(text, sizeof text, "%s st.shared.u32 [%%r8], %%r0;\n", HEAD);
    for (uint32_t i = 0; i < 16; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, " shfl.sync.idx.b32 %%r4, %%r4, 3, 31, -1;\n");
    }
    at += (size_t)snprintf(text + at, sizeof text - at, " mov.b32 %%f1, %%r4;\n");
    for (uint32_t i = 0; i < 16; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, " add.f32 %%f1, %%f1, 0f3F800000;\n");
    }
    snprintf(text + at, sizeof text - at, " st.shared.f32 [%%r8], %%f1;\n" END);
    struct ptx_run run;
    (void)state;
    ptx_expect_work(&run, text, "k<<<1, 32>>>(1)");
    assert_in_range(collect_last(&run.collect, BSIM_WORK)->work_count, 16 - 1, 16);
    collect_free(&run.collect);
}

/* Where a branch's condition varies its lanes meet behind it, 16 clocks more, and 17 more if they part. */
static void lanes_meet_behind_a_branch(void **state)
{
#define BY_LANE(number, text) "mov.u32 %r0, %tid.x; setp.lt.s32 %p1, %r0, " number "; @%p1 bra NEXT; " text " NEXT: xor.b32 %r9, %r0, %r1;"
    static const struct row rows[] = {
        {BY_LANE("99", "bar.sync 0;"), 13 + 7 + 16 + 5, 3},
        {BY_LANE("16", "add.s32 %r4, %r4, 1;"), 13 + 7 + 16 + 17 + 1 + 5, 4},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows);
}

/* A division, a reciprocal and a root go a long way for some operands (src/ptx/slow.c), at a sixth of these clocks an instruction each;
 * the moves in front of it issue. */
static void some_operands_go_a_long_way(void **state)
{
#define OF(instruction, a, b) "mov.b32 %f0, " a "; mov.b32 %f1, " b "; " instruction " mov.b32 %r9, %f2;"
    static const struct row rows[] = {
        {OF("div.rn.f32 %f2, %f0, %f1;", "0f40A00000", "0f40400000"), 57, 35 / 2},
        {OF("div.rn.f32 %f2, %f0, %f1;", "0f00000000", "0f40400000"), 57 + 213, (35 + 71) / 2},
        {OF("div.rn.f32 %f2, %f0, %f1;", "0f40A00000", "0f7E000000"), 57 + 211, (35 + 70) / 2},
        {OF("rcp.rn.f32 %f2, %f1;", "0f40A00000", "0f40400000"), 77, 41 / 2},
        {OF("rcp.rn.f32 %f2, %f1;", "0f40A00000", "0f00000000"), 77 + 134, (41 + 44) / 2},
        {OF("sqrt.rn.f32 %f2, %f1;", "0f40A00000", "0f40400000"), 56, 34 / 2},
        {OF("sqrt.rn.f32 %f2, %f1;", "0f40A00000", "0f00000000"), 56 + 76, (34 + 25) / 2},
        {"mov.u32 %r1, %tid.x; cvt.rn.f32.u32 %f0, %r1; mov.b32 %f1, 0f40400000; div.rn.f32 %f2, %f0, %f1; mov.b32 %r9, %f2;",
         6 + 57 + 213 + 17, 1 + (35 + 76) / 2},
    };
    (void)state;
    check(rows, sizeof rows / sizeof *rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_of_three_words_are_one),
        cmocka_unit_test(sums_take_a_sum_a_shift_or_a_product),
        cmocka_unit_test(orders_and_signs_are_part_of_others),
        cmocka_unit_test(results_that_are_wanted_stay),
        cmocka_unit_test(what_a_short_branch_leads_by_takes_its_time),
        cmocka_unit_test(waits_hide_no_clocks),
        cmocka_unit_test(what_nobody_does_has_its_turns),
        cmocka_unit_test(chains_of_loads_go_side_by_side),
        cmocka_unit_test(nothing_passes_what_orders_memory),
        cmocka_unit_test(sums_go_behind_a_barrier_that_a_load_follows),
        cmocka_unit_test(shuffles_swallow_no_work),
        cmocka_unit_test(lanes_meet_behind_a_branch),
        cmocka_unit_test(some_operands_go_a_long_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
